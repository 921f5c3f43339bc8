#include "verify/sign/signatures.h"

#include <algorithm>

#include "verify/audit/findings.h"
#include "verify/log/format.h"
#include "verify/sign/envelope.h"

namespace proviso::verify {

namespace {

std::string list_of(const std::vector<std::string>& items) {
    std::string out;
    for (const std::string& item : items) out += (out.empty() ? "" : ", ") + item;
    return out;
}

class Checker {
  public:
    Checker(const Envelope& envelope, const std::vector<PublicKey>& trusted)
        : envelope_(envelope),
          trusted_(trusted),
          message_(signed_bytes(envelope.payload_type, envelope.payload)) {}

    SignatureReport run() {
        std::vector<std::string> others;
        bool accepted = false;
        for (const Signature& s : envelope_.signatures) {
            const PublicKey* key = signer(s);
            accepted = accepted || key != nullptr;
            out_.signatures.push_back(key == nullptr ? CheckedSignature{printable(s.keyid), ""}
                                                     : CheckedSignature{key->id(), key->file()});
            if (key != nullptr || trusted_.empty()) continue;
            if (claims_trusted(s)) {
                problem("the signature of keyid " + s.keyid +
                        " is wrong: another text was signed, "
                        "or by another key");
            } else {
                others.push_back(printable(s.keyid));
            }
        }
        if (accepted || trusted_.empty() || !out_.problems.empty()) return std::move(out_);
        problem(others.empty() ? "holds no signature"
                               : "is signed by keyid " + list_of(others) +
                                     ", and by none of the trusted keys: " + trusted_names());
        return std::move(out_);
    }

  private:
    void problem(std::string what) {
        out_.problems.push_back(Problem{kEnvelopeFile, 0, std::move(what)});
    }
    const PublicKey* signer(const Signature& s) const {
        for (const PublicKey& key : trusted_) {
            if (key.verifies(message_, s.bytes)) return &key;
        }
        return nullptr;
    }
    bool claims_trusted(const Signature& s) const {
        return std::any_of(trusted_.begin(), trusted_.end(),
                           [&](const PublicKey& key) { return key.id() == s.keyid; });
    }
    std::string trusted_names() const {
        std::vector<std::string> out;
        for (const PublicKey& key : trusted_) out.push_back(key.file() + " (" + key.id() + ")");
        return list_of(out);
    }

    const Envelope& envelope_;
    const std::vector<PublicKey>& trusted_;
    std::string message_;
    SignatureReport out_;
};

// Why the envelope is none of this statement; empty: it is one.
std::string mismatch(const Envelope& envelope, const std::string& run) {
    if (envelope.payload_type != kPayloadType) {
        return "is of type " + printable(envelope.payload_type) + ", not " + kPayloadType;
    }
    return envelope.payload == run ? "" : "is about another statement than run.json";
}

}  // namespace

SignatureReport check_signatures(const std::string& text, const std::string& run,
                                 const std::vector<PublicKey>& trusted) {
    SignatureReport out;
    const auto fail = [&](std::string what) {
        out.problems.push_back(Problem{kEnvelopeFile, 0, std::move(what)});
        return out;
    };
    if (text.empty()) return trusted.empty() ? out : fail("is missing: nobody has signed the log");
    const Result<Envelope> envelope = read_envelope(text);
    if (!envelope) return fail(envelope.error().message);
    if (std::string why = mismatch(*envelope, run); !why.empty()) return fail(std::move(why));
    return Checker(*envelope, trusted).run();
}

Result<std::string> with_signature(const std::string& text, const std::string& run,
                                   const PrivateKey& key) {
    Envelope envelope;
    envelope.payload = run;
    if (!text.empty()) {
        Result<Envelope> old = read_envelope(text);
        const std::string why = old ? mismatch(*old, run) : old.error().message;
        if (!why.empty()) {
            return error(std::string(kEnvelopeFile) + " " + why, "remove it, and sign again");
        }
        envelope = std::move(*old);
    }
    std::erase_if(envelope.signatures, [&](const Signature& s) { return s.keyid == key.id(); });
    envelope.signatures.push_back({key.id(), key.sign(signed_bytes(kPayloadType, run))});
    std::sort(envelope.signatures.begin(), envelope.signatures.end(),
              [](const Signature& a, const Signature& b) { return a.keyid < b.keyid; });
    return envelope_text(envelope);
}

}  // namespace proviso::verify
