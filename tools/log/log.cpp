// proviso log: what a proof log consists of, printed, packed, unpacked and signed.
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "tools/log/commands.h"
#include "tools/log/contents.h"
#include "tools/log/obligations.h"
#include "tools/log/open.h"
#include "tools/support/support.h"
#include "tools/support/terminal.h"
#include "tools/support/write_file.h"
#include "verify/files/archive.h"
#include "verify/files/log_files.h"
#include "verify/log/format.h"
#include "verify/log/write_files.h"
#include "verify/sign/signatures.h"

namespace proviso::tools {

using nlohmann::json;

namespace {

class Log {
  public:
    Log(const LogCommand& o, verify::Bundle log) : o_(o), log_(std::move(log)) {}

    int run() {
        const bool takes_name = o_.action != "ls" && o_.action != "sign";
        if (takes_name && o_.name.empty()) {
            return wrong("NAME is missing", "proviso log " + o_.action + " LOG NAME");
        }
        if (!takes_name && !o_.name.empty()) {
            return wrong("'" + o_.name + "' is one argument too many",
                         "proviso log " + o_.action + " LOG");
        }
        if (o_.action != "sign" && !o_.key.empty()) {
            return wrong("--key is for signing", "proviso log sign LOG --key FILE");
        }
        if (o_.action == "ls") return ls();
        if (o_.action == "cat") return cat();
        if (o_.action == "smt2") return smt2();
        if (o_.action == "sign") return sign();
        return copy();
    }

  private:
    int wrong(const std::string& what, const std::string& hint) const {
        return bad_input(error("log " + o_.action + ": " + what, hint), o_.json);
    }

    int ls() const {
        const std::vector<LogPart> parts = contents_of(log_);
        if (o_.json) {
            json out = json::array();
            for (const LogPart& p : parts) {
                out.push_back({{"name", p.name}, {"bytes", p.bytes}, {"what", p.what}});
            }
            print_json(out);
            return kFine;
        }
        for (const LogPart& p : parts) {
            const std::string name = p.name.substr(0, 19);  // 12 digits of a hash
            std::printf("%-19s %9zu  %s\n", name.c_str(), p.bytes, visible(p.what).c_str());
        }
        return kFine;
    }

    int cat() const {
        const Result<std::string> bytes = part_of(log_, o_.name);
        if (!bytes) return bad_input(bytes.error(), o_.json);
        if (o_.json) {
            print_json({{"name", o_.name}, {"text", *bytes}});
        } else {
            std::fwrite(bytes->data(), 1, bytes->size(), stdout);
        }
        return kFine;
    }

    // A file for each obligation, named after its id.
    int smt2() {
        ir::Context ctx;
        const Result<verify::Rederived> again = derivation_of(ctx, log_, o_.log);
        if (!again) return bad_input(again.error(), o_.json);
        if (const Status ok = may_write_folder(o_.name, o_.log); !ok) {
            return bad_input(ok.error(), o_.json);
        }
        const LoggedObligations obligations(ctx, log_, *again);
        for (const auto& [id, uses] : obligations.all()) {
            const std::string file = o_.name + "/" + verify::digest_hex(id) + ".smt2";
            const Status ok = write_file(file, obligations.commented(id));
            if (!ok) return bad_input(ok.error(), o_.json);
        }
        return wrote(std::to_string(obligations.all().size()) + " obligations to " + o_.name);
    }

    int copy() const {
        const bool packs = o_.action == "pack";
        const bool archive = !verify::archive_extension(o_.name).empty();
        if (packs && !archive)
            return wrong(o_.name + " is no name of one file",
                         "a name that ends in .tar.zst or .tar");
        if (!packs && archive)
            return wrong(o_.name + " is no name of a folder", "log unpack LOG DIR");
        return write_to(o_.name, log_.envelope);
    }

    int sign() const {
        if (o_.key.empty()) return wrong("--key is missing", "proviso log sign LOG --key FILE");
        const Result<verify::PrivateKey> key = verify::PrivateKey::read(o_.key);
        if (!key) return bad_input(key.error(), o_.json);
        const Result<std::string> envelope =
            verify::with_signature(log_.envelope, log_.run_text, *key);
        if (!envelope) return bad_input(envelope.error(), o_.json);
        const int code = write_to(o_.log, *envelope);
        if (code != kFine) return code;
        if (o_.json) {
            print_json({{"keyid", key->id()}});
        } else {
            std::printf("signed by keyid %s\n", key->id().c_str());
        }
        return kFine;
    }

    // Of a log in a folder that is signed, only the signatures change.
    int write_to(const std::string& path, const std::string& envelope) const {
        std::error_code failed;
        if (o_.action == "sign" && std::filesystem::is_directory(path, failed)) {
            const Status ok = write_file(path + "/" + verify::kEnvelopeFile, envelope);
            return ok ? kFine : bad_input(ok.error(), o_.json);
        }
        verify::LogFiles files = verify::read_log_files(o_.log, verify::log_file_names());
        if (!envelope.empty()) files.bytes[verify::kEnvelopeFile] = envelope;
        if (const Status ok = verify::may_write_log(path); !ok) {
            return bad_input(ok.error(), o_.json);
        }
        const Status ok = verify::write_log_files(path, files.bytes);
        if (!ok) return bad_input(ok.error(), o_.json);
        return o_.action == "sign"
                   ? kFine
                   : wrote(std::to_string(files.bytes.size()) + " files to " + path);
    }

    int wrote(const std::string& what) const {
        if (o_.json) {
            print_json({{"wrote", what}});
        } else {
            std::printf("%s\n", what.c_str());
        }
        return kFine;
    }

    const LogCommand& o_;
    verify::Bundle log_;
};

}  // namespace

int run_log(const LogCommand& o) {
    Result<verify::Bundle> log = open_log(o.log);
    if (!log) return bad_input(log.error(), o.json);
    return Log(o, std::move(*log)).run();
}

}  // namespace proviso::tools
