#include "verify/audit/bundle.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <unordered_set>
#include <utility>

#include "ir/files/json_text.h"
#include "ir/files/limits.h"
#include "verify/files/log_files.h"
#include "verify/log/format.h"

namespace proviso::verify {

using nlohmann::json;

Bundle::Bundle() : run(std::make_unique<json>()) {}
Bundle::~Bundle() = default;
Bundle::Bundle(Bundle&&) noexcept = default;
Bundle& Bundle::operator=(Bundle&&) noexcept = default;

namespace {

bool is_digest(const json& value) {
    return value.is_string() && value.get<std::string>().rfind("sha256:", 0) == 0 &&
           is_hex_digest(digest_hex(value.get<std::string>()));
}

class Reader {
  public:
    explicit Reader(const std::string& path) : path_(path) {}

    Bundle read() {
        read_all();
        if (unsaid_ > 0) {
            out_.problems.push_back(
                Problem{path_, 0, "has " + std::to_string(unsaid_) + " more problems"});
        }
        return std::move(out_);
    }

  private:
    void read_all() {
        LogFiles files = read_log_files(path_, log_file_names());
        for (Problem& p : files.problems) problem(p.file, p.line, std::move(p.what));
        files_ = std::move(files.bytes);
        const bool nothing = files_.empty() && !out_.problems.empty();
        for (const char* name :
             {kRunFile, kRunDigestFile, kStepsFile, kRefusalsFile, kObjectsFile}) {
            const bool said =
                nothing || std::any_of(out_.problems.begin(), out_.problems.end(),
                                       [&](const Problem& p) { return p.file == name; });
            if (files_.count(name) == 0 && !said) problem(name, 0, "is missing");
        }
        const bool has_statement = files_.count(kRunFile) != 0;
        out_.run_text = files_[kRunFile];
        out_.envelope = files_[kEnvelopeFile];
        if (has_statement) check_statement();
        if (other_version_) return;
        out_.steps = read_lines(kStepsFile);
        out_.refusals = read_lines(kRefusalsFile);
        UnpackedObjects unpacked = unpack_objects(std::exchange(files_[kObjectsFile], {}));
        for (Problem& p : unpacked.problems) problem(p.file, p.line, std::move(p.what));
        out_.objects = std::move(unpacked.objects);
        for (const auto& [hex, bytes] : out_.objects) {
            if (digest_hex(digest(bytes)) == hex) continue;
            problem(object_name(hex), 0, "was changed: its content has another hash");
        }
        if (!statement_ok_) return;
        const json& predicate = (*out_.run)["predicate"];
        check_lines(kStepsFile, out_.steps, predicate["steps"]);
        check_lines(kRefusalsFile, out_.refusals, predicate["refusals"]);
        if (unpacked.problems.empty()) check_objects(predicate["objects"]);
    }

    void problem(const std::string& file, std::size_t line, std::string what) {
        if (out_.problems.size() < ir::limits::kLogProblems) {
            out_.problems.push_back(Problem{file, line, std::move(what)});
        } else {
            ++unsaid_;
        }
    }

    void check_statement() {
        const std::string& run = out_.run_text;
        if (files_[kRunDigestFile] != digest_hex(digest(run)) + "\n") {
            problem(kRunFile, 0, "is not the file whose hash run.sha256 holds");
            return;
        }
        if (const std::string excess = ir::json_excess(run); !excess.empty()) {
            problem(kRunFile, 0, excess);
            return;
        }
        *out_.run = ir::parse_json(run);
        if (out_.run->is_discarded() || canonical(*out_.run) + "\n" != run ||
            has_float(*out_.run)) {
            problem(kRunFile, 0, "is not canonical JSON");
            return;
        }
        statement_ok_ = check_shape();
    }

    bool check_shape() {
        const json& run = *out_.run;
        const auto need = [&](bool ok, const char* what) {
            if (!ok) problem(kRunFile, 0, what);
            return ok;
        };
        if (!need(run.is_object() && run.contains("predicate") && run.contains("subject") &&
                      run["subject"].is_array(),
                  "is no in-toto statement")) {
            return false;
        }
        const json& predicate = run["predicate"];
        if (!need(predicate.is_object(), "has no predicate")) return false;
        const json version = predicate.value("log_version", json());
        if (version != json(kLogVersion)) {
            other_version_ = true;
            out_.problems.clear();  // what else differs is due to that
            problem(kRunFile, 0,
                    "is a log of version " + version.dump() + "; only version " +
                        std::to_string(kLogVersion) + " can be read: write the log again");
            return false;
        }
        for (const char* chain : {"steps", "refusals"}) {
            const bool ok = predicate.contains(chain) && predicate[chain].is_object() &&
                            predicate[chain].contains("lines") &&
                            predicate[chain]["lines"].is_array() &&
                            std::all_of(predicate[chain]["lines"].begin(),
                                        predicate[chain]["lines"].end(), is_digest);
            if (!need(ok, "does not list the hashes of its lines")) return false;
        }
        const bool ok = predicate.contains("objects") && predicate["objects"].is_array() &&
                        std::all_of(predicate["objects"].begin(), predicate["objects"].end(),
                                    [](const json& v) {
                                        return v.is_string() && is_hex_digest(v.get<std::string>());
                                    });
        return need(ok, "does not list its objects");
    }

    std::vector<std::string> read_lines(const char* name) {
        const std::string& text = files_[name];
        std::vector<std::string> out;
        std::size_t start = 0;
        while (start < text.size()) {
            if (out.size() == ir::limits::kLogLines) {
                problem(name, 0,
                        "has more than " + std::to_string(ir::limits::kLogLines) + " lines");
                too_long_.insert(name);
                return {};  // of none of them anything is said
            }
            const std::size_t end = text.find('\n', start);
            if (end == std::string::npos) {
                problem(name, out.size() + 1, "does not end in a line feed");
            }
            out.push_back(text.substr(start, end == std::string::npos ? end : end - start));
            start = end == std::string::npos ? text.size() : end + 1;
        }
        return out;
    }

    // The lines are those that the statement lists; the first one that is not is named.
    void check_lines(const char* name, const std::vector<std::string>& lines, const json& chain) {
        if (too_long_.count(name) != 0) return;
        std::vector<std::string> wanted;
        for (const json& hash : chain["lines"]) wanted.push_back(hash.get<std::string>());
        std::size_t k = 0;
        while (k < std::min(wanted.size(), lines.size()) && digest(lines[k]) == wanted[k]) ++k;
        if (k < lines.size() && k == wanted.size()) {
            problem(name, k + 1, "the line is not one of the statement's");
        } else if (k < wanted.size()) {
            if (changed_lines(name, lines, wanted, k)) check_chain(name, lines);
        } else {
            check_chain(name, lines);
        }
    }

    // What happened to the lines from `start` on, where the first differs from the statement's.
    // Gives whether each of them has its place.
    bool changed_lines(const char* name, const std::vector<std::string>& lines,
                       const std::vector<std::string>& wanted, std::size_t start) {
        std::vector<std::string> found;
        found.reserve(lines.size());
        for (const std::string& line : lines) found.push_back(digest(line));
        const std::unordered_set<std::string> all_wanted(wanted.begin(), wanted.end());
        const std::unordered_set<std::string> all_found(found.begin(), found.end());
        for (std::size_t i = start; i < std::max(wanted.size(), found.size()); ++i) {
            if (i >= wanted.size()) {
                problem(name, i + 1, "the line is not one of the statement's");
            } else if (i >= found.size()) {
                problem(name, i + 1, "the line is missing");
            } else if (found[i] == wanted[i]) {
                continue;
            } else if (all_found.count(wanted[i]) != 0) {
                problem(name, i + 1, "the line that belongs here stands elsewhere");
                if (all_wanted.count(found[i]) == 0) continue;
            } else if (all_wanted.count(found[i]) != 0) {
                problem(name, i + 1, "the line is missing");
            } else {
                problem(name, i + 1, "the line was changed");
                continue;
            }
            return false;  // what follows is out of step
        }
        return true;
    }

    void check_chain(const char* name, const std::vector<std::string>& lines) {
        std::string prev = chain_start();
        for (std::size_t i = 0; i < lines.size(); ++i) {
            const json line = ir::parse_json(lines[i]);
            if (const std::string excess = ir::json_excess(lines[i]); !excess.empty()) {
                problem(name, i + 1, excess);
            } else if (line.is_discarded() || !line.is_object() || canonical(line) != lines[i] ||
                       has_float(line)) {
                problem(name, i + 1, "is not canonical JSON");
            } else if (line.value("prev", json()) != json(prev)) {
                problem(name, i + 1, "does not carry the hash of the line before it");
            } else if (line.value("seq", json()) != json(i) ||
                       line.value("v", json()) != json(kLogVersion)) {
                problem(name, i + 1, "has another number or version");
            }
            prev = digest(lines[i]);
        }
    }

    void check_objects(const json& names) {
        std::set<std::string> wanted;
        for (const json& name : names) wanted.insert(name.get<std::string>());
        for (const std::string& hex : wanted) {
            if (out_.objects.count(hex) == 0) problem(object_name(hex), 0, "is missing");
        }
        for (const auto& [hex, bytes] : out_.objects) {
            if (wanted.count(hex) == 0) {
                problem(object_name(hex), 0, "is not one of the statement's objects");
            }
        }
    }

    std::string path_;
    Bundle out_;
    std::map<std::string, std::string> files_;
    std::size_t unsaid_ = 0;          // problems beyond those that are told
    std::set<std::string> too_long_;  // files of more lines than the limit
    bool other_version_ = false;
    bool statement_ok_ = false;
};

}  // namespace

Bundle read_bundle(const std::string& path) {
    return Reader(path).read();
}

}  // namespace proviso::verify
