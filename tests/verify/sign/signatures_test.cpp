// Signatures of logs: the envelope is what the protocol says, and an audit takes those of trusted
// keys alone.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/verify/logs.h"
#include "verify/sign/envelope.h"
#include "verify/sign/signatures.h"

namespace proviso::verify {
namespace {

using testing::HasSubstr;

// Of RFC 8410, section 10.3: a private key and its public one.
constexpr const char* kPrivate = R"(-----BEGIN PRIVATE KEY-----
MC4CAQAwBQYDK2VwBCIEINTuctv5E1hK1bbY8fdp+K06/nwoy/HU++CXqI9EdVhC
-----END PRIVATE KEY-----
)";
constexpr const char* kPublic = R"(-----BEGIN PUBLIC KEY-----
MCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=
-----END PUBLIC KEY-----
)";
// The one of RFC 8032, section 7.1, test 1.
constexpr const char* kOtherPrivate = R"(-----BEGIN PRIVATE KEY-----
MC4CAQAwBQYDK2VwBCIEIJ1hsZ3v/VpguoRK9JLsLMREScVpezJpGXA7rAMcrn9g
-----END PRIVATE KEY-----
)";
constexpr const char* kOtherPublic = R"(-----BEGIN PUBLIC KEY-----
MCowBQYDK2VwAyEA11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=
-----END PUBLIC KEY-----
)";

class Signatures : public testing::Test {
  protected:
    void SetUp() override {
        fs::create_directories(folder_.path);
        file("key.pem", kPrivate);
        file("public.pem", kPublic);
        file("other.pem", kOtherPrivate);
        file("other_public.pem", kOtherPublic);
    }
    void file(const std::string& name, const std::string& text) {
        write_all(folder_.path / name, text);
    }
    std::string path(const std::string& name) const { return (folder_.path / name).string(); }
    PrivateKey key(const std::string& name) const {
        const Result<PrivateKey> read = PrivateKey::read(path(name));
        PROVISO_CHECK(read.ok(), read.ok() ? "" : read.error().str());
        return *read;
    }
    PublicKey public_key(const std::string& name) const {
        const Result<PublicKey> read = PublicKey::read(path(name));
        PROVISO_CHECK(read.ok(), read.ok() ? "" : read.error().str());
        return *read;
    }
    // Why an auditor who trusts these keys refuses; "" where not.
    std::string refusal(const std::string& envelope, const std::string& run,
                        const std::vector<std::string>& trusted) const {
        std::vector<PublicKey> keys;
        for (const std::string& name : trusted) keys.push_back(public_key(name));
        const SignatureReport report = check_signatures(envelope, run, keys);
        return report.problems.empty() ? "" : report.problems.front().what;
    }

    Folder folder_{"signatures"};
    std::string run_ = "{\"statement\":1}\n";
};

// The example of the protocol's specification.
TEST_F(Signatures, WhatIsSignedIsTheProtocolsEncoding) {
    EXPECT_EQ(signed_bytes("http://example.com/HelloWorld", "hello world"),
              "DSSEv1 29 http://example.com/HelloWorld 11 hello world");
    EXPECT_EQ(signed_bytes("", ""), "DSSEv1 0  0 ");
}

// RFC 8032, section 7.1, tests 1 and 2: of nothing.
TEST_F(Signatures, AreThoseOfEd25519) {
    const std::string signature = key("other.pem").sign("");
    constexpr const char* digits = "0123456789abcdef";
    std::string hex;
    for (const char c : signature) {
        const auto byte = static_cast<unsigned char>(c);
        hex += {digits[byte / 16], digits[byte % 16]};
    }
    EXPECT_EQ(hex,
              "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e"
              "39701cf9b46bd25bf5f0595bbe24655141438e7a100b");
    EXPECT_TRUE(public_key("other_public.pem").verifies("", signature));
    EXPECT_FALSE(public_key("other_public.pem").verifies("x", signature));
    EXPECT_FALSE(public_key("public.pem").verifies("", signature));
    EXPECT_FALSE(public_key("other_public.pem").verifies("", signature.substr(1)));
    EXPECT_FALSE(public_key("other_public.pem").verifies("", ""));
}

TEST_F(Signatures, AKeyIsCalledByTheDigestOfItsPublicPart) {
    EXPECT_EQ(key("key.pem").id(), public_key("public.pem").id());
    // openssl pkey -pubin -in public.pem -outform DER | sha256sum
    const std::string der = std::string("\x30\x2a\x30\x05\x06\x03\x2b\x65\x70\x03\x21\x00", 12) +
                            "\x19\xbf\x44\x09\x69\x84\xcd\xfe\x85\x41\xba\xc1\x67\xdc\x3b\x96"
                            "\xc8\x50\x86\xaa\x30\xb6\xb6\xcb\x0c\x5c\x38\xad\x70\x31\x66\xe1";
    EXPECT_EQ(key("key.pem").id(), ir::sha256_hex(der));
}

TEST_F(Signatures, OneOfTheTrustedKeysIsEnough) {
    const Result<std::string> signed_text = with_signature("", run_, key("key.pem"));
    ASSERT_TRUE(signed_text.ok());
    EXPECT_EQ(refusal(*signed_text, run_, {}), "");
    EXPECT_EQ(refusal(*signed_text, run_, {"public.pem"}), "");
    EXPECT_EQ(refusal(*signed_text, run_, {"other_public.pem", "public.pem"}), "");
    const Result<std::string> both = with_signature(*signed_text, run_, key("other.pem"));
    ASSERT_TRUE(both.ok());
    EXPECT_EQ(json::parse(*both)["signatures"].size(), 2U);
    EXPECT_EQ(refusal(*both, run_, {"public.pem"}), "");
    EXPECT_EQ(refusal(*both, run_, {"other_public.pem"}), "");
    EXPECT_EQ(*with_signature(*both, run_, key("key.pem")), *both) << "signed again";
    const json envelope = json::parse(*signed_text);
    EXPECT_EQ(envelope["payloadType"], "application/vnd.in-toto+json");
    EXPECT_EQ(envelope["payload"], "eyJzdGF0ZW1lbnQiOjF9Cg==");
}

TEST_F(Signatures, WhateverIsWrongIsTold) {
    const std::string good = *with_signature("", run_, key("key.pem"));
    const std::vector<std::string> trusted = {"public.pem"};
    EXPECT_THAT(refusal("", run_, trusted), HasSubstr("is missing: nobody has signed the log"));
    EXPECT_THAT(refusal(good, run_, {"other_public.pem"}),
                HasSubstr("by none of the trusted keys"));
    EXPECT_THAT(refusal(good, "{\"statement\":2}\n", {}),
                HasSubstr("is about another statement than run.json"))
        << "a signature of another log, which needs no key to be told";
    const auto edited = [&](const std::function<void(json&)>& edit) {
        json envelope = json::parse(good);
        edit(envelope);
        return envelope.dump();
    };
    EXPECT_THAT(refusal(edited([](json& e) { e["signatures"] = json::array(); }), run_, trusted),
                HasSubstr("holds no signature"));
    // Forged: the name of a trusted key, the signature of another.
    const std::string stranger = *with_signature("", run_, key("other.pem"));
    const json theirs = json::parse(stranger)["signatures"][0]["sig"];
    EXPECT_THAT(
        refusal(edited([&](json& e) { e["signatures"][0]["sig"] = theirs; }), run_, trusted),
        HasSubstr("is wrong: another text was signed, or by another key"));
    // The key signed these bytes, but as something else than a statement.
    Envelope plain;
    plain.payload = run_;
    plain.signatures = {{key("key.pem").id(), key("key.pem").sign(run_)}};
    EXPECT_THAT(refusal(envelope_text(plain), run_, trusted), HasSubstr("is wrong"));
    EXPECT_THAT(refusal(edited([](json& e) { e["payloadType"] = "text/\x1b[2J"; }), run_, {}),
                HasSubstr("is of type text/\\u001b[2J, not"));
    // The keyid is a hint: without it, or with another one, the key decides.
    EXPECT_EQ(refusal(edited([](json& e) { e["signatures"][0].erase("keyid"); }), run_, trusted),
              "");
    EXPECT_EQ(refusal(edited([](json& e) { e["signatures"][0]["keyid"] = "x"; }), run_, trusted),
              "");
    EXPECT_EQ(refusal(edited([](json& e) { e["comment"] = "unknown members"; }), run_, trusted),
              "");
    // Two values under one name, of which a reader may take either.
    for (const char* name : {"payload", "payloadType", "signatures", "sig", "keyid"}) {
        std::string twice = good;
        const std::string member = "\"" + std::string(name) + "\":";
        twice.insert(twice.find(member), member + "\"\",");
        EXPECT_THAT(refusal(twice, run_, trusted),
                    HasSubstr("holds \"" + std::string(name) + "\" twice in one object"));
    }
    for (const auto& [trap, text] : std::map<std::string, std::string>{
             {"no JSON", "signed"},
             {"no object", "[]"},
             {"no payload", edited([](json& e) { e.erase("payload"); })},
             {"a payload that is no base64", edited([](json& e) { e["payload"] = "e?=="; })},
             {"blanks in base64", edited([](json& e) { e["payload"] = " eyJ"; })},
             {"unused bits", edited([](json& e) { e["payload"] = "eyJzdGF0ZW1lbnQiOjF9Ch=="; })},
             {"padding inside", edited([](json& e) { e["payload"] = "e===eyJz"; })},
             {"signatures that are none", edited([](json& e) { e["signatures"] = {{"a", 1}}; })},
             {"many signatures", edited([](json& e) {
                  for (int k = 0; k < 200; ++k) e["signatures"].push_back(e["signatures"][0]);
              })},
             {"deep", std::string(100000, '[')}}) {
        EXPECT_NE(refusal(text, run_, {}), "") << trap;
    }
}

TEST_F(Signatures, OtherKeysAreRefused) {
    const auto wrong_private = [&](const std::string& text) {
        file("wrong.pem", text);
        const Result<PrivateKey> read = PrivateKey::read(path("wrong.pem"));
        return read ? "" : read.error().str();
    };
    const auto wrong_public = [&](const std::string& text) {
        file("wrong.pem", text);
        const Result<PublicKey> read = PublicKey::read(path("wrong.pem"));
        return read ? "" : read.error().str();
    };
    EXPECT_THAT(wrong_private(kPublic), HasSubstr("holds a public key; the private one signs"));
    EXPECT_THAT(wrong_public(kPrivate), HasSubstr("holds a private key; the public one is wanted"));
    EXPECT_THAT(wrong_private("-----BEGIN ENCRYPTED PRIVATE KEY-----\nMIGb\n"),
                HasSubstr("is encrypted, and nobody is asked for its password"));
    EXPECT_THAT(wrong_public("-----BEGIN CERTIFICATE-----\nMIGb\n"), HasSubstr("a certificate"));
    for (const char* text : {"", "key", "-----BEGIN PRIVATE KEY-----\nMC4C\n"}) {
        EXPECT_THAT(wrong_private(text), HasSubstr("holds no private key in PEM")) << text;
    }
    EXPECT_THAT(wrong_public("key"), HasSubstr("holds no public key in PEM"));
    EXPECT_FALSE(PrivateKey::read(path("nowhere.pem")).ok());
    EXPECT_FALSE(PrivateKey::read("/dev/zero").ok());
    EXPECT_FALSE(PublicKey::read(folder_.str()).ok());
    file("large.pem", std::string(100'000, 'x'));
    EXPECT_THAT(PublicKey::read(path("large.pem")).error().str(), HasSubstr("larger than 64 KiB"));
}

// An audit: the same log, signed and by whom.
TEST_F(Signatures, AnAuditAsksForATrustedOne) {
    const Folder log("signed_log");
    const auto audited = [&](const std::vector<std::string>& trusted) {
        ir::Context ctx;
        AuditOptions options;
        options.policy = "E3";
        options.validate = false;
        options.discharge.use_z3 = false;
        options.discharge.use_cvc5 = false;
        for (const std::string& name : trusted) options.trusted_keys.push_back(public_key(name));
        return audit(ctx, log.str(), options);
    };
    auto files = example_log();
    put(log.path, files);
    EXPECT_EQ(audited({}).exit(), AuditExit::Verified);
    const AuditReport missing = audited({"public.pem"});
    EXPECT_EQ(missing.exit(), AuditExit::Broken);
    EXPECT_TRUE(missing.theorem.empty());
    files[kEnvelopeFile] = *with_signature("", files.at(kRunFile), key("key.pem"));
    put(log.path, files);
    const AuditReport good = audited({"public.pem"});
    EXPECT_EQ(good.exit(), AuditExit::Verified) << good.text();
    EXPECT_THAT(good.text(), HasSubstr("  signed by keyid " + key("key.pem").id() + " ("));
    EXPECT_TRUE(good.json()["signatures"][0]["trusted"].get<bool>());
    const AuditReport unchecked = audited({});
    EXPECT_EQ(unchecked.exit(), AuditExit::Verified);
    EXPECT_THAT(unchecked.text(), HasSubstr("  signed by keyid " + key("key.pem").id() +
                                            ": give --trusted-key FILE\n"));
    EXPECT_FALSE(unchecked.json()["signatures"][0]["trusted"].get<bool>());
    EXPECT_EQ(audited({"other_public.pem"}).exit(), AuditExit::Broken);
    files[kEnvelopeFile] = *with_signature("", "{}\n", key("key.pem"));
    put(log.path, files);
    EXPECT_EQ(audited({}).exit(), AuditExit::Broken) << "the signature of another log";
}

}  // namespace
}  // namespace proviso::verify
