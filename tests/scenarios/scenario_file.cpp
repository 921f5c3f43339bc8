// Reading and writing scenario files.
#include "tests/scenarios/scenario_file.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <fstream>
#include <sstream>

namespace proviso::scenarios {

namespace fs = std::filesystem;

namespace {

constexpr const char* kSectionMark = "--- ";

bool starts_with(const std::string& text, const std::string& prefix) {
    return text.compare(0, prefix.size(), prefix) == 0;
}

std::string trimmed(const std::string& text) {
    const auto first = text.find_first_not_of(" \t\n");
    if (first == std::string::npos) return "";
    return text.substr(first, text.find_last_not_of(" \t\n") - first + 1);
}

class Reader {
  public:
    explicit Reader(const fs::path& path) {
        out_.path = path;
        out_.name = scenario_name(path);
    }

    Result<Scenario> read() {
        std::ifstream in(out_.path);
        if (!in) return wrong("cannot be read");
        for (std::string line; std::getline(in, line);) {
            ++line_;
            const Status ok = starts_with(line, kSectionMark) ? enter(trimmed(line.substr(4)))
                              : section_.empty()              ? head(line)
                                                              : body(line);
            if (!ok) return ok.error();
        }
        if (out_.comment.empty()) return wrong("says in no comment what it shows");
        if (out_.program.empty()) return wrong("has no program");
        return std::move(out_);
    }

  private:
    Diagnostic wrong(const std::string& what) const {
        Diagnostic d = error(what, "see tests/scenarios/README.md");
        d.file = out_.path.string();
        d.line = line_;
        return d;
    }

    Status enter(const std::string& section) {
        section_ = section;
        if (section == "final") out_.expect = Expect::Final;
        if (section == "refused") out_.expect = Expect::Refused;
        if (section == "mistake") out_.expect = Expect::Mistake;
        if (section == "wrong") out_.wrong.emplace_back();
        for (const char* known : {"schedule", "program", "final", "refused", "mistake", "wrong"}) {
            if (section == known) return Unit{};
        }
        return wrong("no section '" + section + "'");
    }

    Status head(const std::string& line) {
        if (starts_with(line, "#")) {
            out_.comment += line + "\n";
        } else if (starts_with(line, "sizes: ")) {
            return sizes(line.substr(7));
        } else if (line == "policy: E1") {
            out_.policy = "E1";
        } else if (starts_with(line, "faults: ")) {
            out_.faults = line.substr(8);
        } else if (starts_with(line, "unvalidated: ")) {
            out_.unvalidated = line.substr(13);
        } else if (!line.empty()) {
            return wrong("neither a comment, sizes, faults, unvalidated nor policy: E1");
        }
        return Unit{};
    }

    // "n = 0, m = 4; n = 17, m = 3"
    Status sizes(const std::string& text) {
        std::istringstream sets(text);
        for (std::string set; std::getline(sets, set, ';');) {
            out_.sizes.emplace_back();
            std::istringstream entries(set);
            for (std::string entry; std::getline(entries, entry, ',');) {
                const auto equals = entry.find('=');
                if (equals == std::string::npos) return wrong("a size is NAME = VALUE");
                const std::string value = trimmed(entry.substr(equals + 1));
                std::int64_t number = 0;
                const char* end = value.data() + value.size();
                if (std::from_chars(value.data(), end, number).ptr != end || value.empty()) {
                    return wrong("'" + value + "' is no size");
                }
                out_.sizes.back()[trimmed(entry.substr(0, equals))] = number;
            }
        }
        return Unit{};
    }

    Status body(const std::string& line) {
        if (section_ == "schedule") out_.schedule += line + "\n";
        if (section_ == "program") out_.program += line + "\n";
        if (section_ == "final") out_.final_program += line + "\n";
        if (section_ == "wrong") {
            Wrong& w = out_.wrong.back();
            if (w.program.empty() && starts_with(line, "counterexample: ")) {
                w.counterexample = line.substr(16);
            } else {
                w.program += line + "\n";
            }
        }
        if (section_ != "refused" && section_ != "mistake") return Unit{};
        if (starts_with(line, "call: ")) {
            out_.refused.call = line.substr(6);
        } else if (starts_with(line, "reason: ")) {
            out_.refused.reason = line.substr(8);
        } else if (starts_with(line, "counterexample: ")) {
            out_.refused.counterexample = line.substr(16);
        } else if (!line.empty()) {
            return wrong("neither call, reason nor counterexample");
        }
        return Unit{};
    }

    Scenario out_;
    std::string section_;
    int line_ = 0;
};

std::string section(const std::string& name, const std::string& text) {
    return kSectionMark + name + "\n" + text;
}

std::string sizes_text(const Scenario& s) {
    std::string out;
    for (const auto& set : s.sizes) {
        std::string one;
        for (const auto& [name, value] : set) {
            one += (one.empty() ? "" : ", ") + name + " = " + std::to_string(value);
        }
        out += (out.empty() ? "" : "; ") + one;
    }
    return out;
}

}  // namespace

Result<Scenario> read_scenario(const fs::path& path) {
    return Reader(path).read();
}

std::string text_of(const Scenario& s) {
    std::string out = s.comment;
    if (!s.sizes.empty()) out += "sizes: " + sizes_text(s) + "\n";
    if (s.policy == "E1") out += "policy: E1\n";
    if (!s.faults.empty()) out += "faults: " + s.faults + "\n";
    if (!s.unvalidated.empty()) out += "unvalidated: " + s.unvalidated + "\n";
    out += section("schedule", s.schedule) + section("program", s.program);
    if (s.expect == Expect::Final) out += section("final", s.final_program);
    if (s.expect == Expect::Refused || s.expect == Expect::Mistake) {
        out += section(s.expect == Expect::Refused ? "refused" : "mistake",
                       "call: " + s.refused.call + "\nreason: " + s.refused.reason + "\n");
        if (s.expect == Expect::Refused) {
            out += "counterexample: " + s.refused.counterexample + "\n";
        }
    }
    for (const Wrong& w : s.wrong) {
        out += section("wrong", "counterexample: " + w.counterexample + "\n" + w.program);
    }
    return out;
}

std::string scenario_name(const fs::path& path) {
    std::string out = path.parent_path().filename().string() + "_" + path.stem().string();
    for (char& c : out) {
        if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
    }
    return out;
}

std::vector<fs::path> scenario_files(const fs::path& folder) {
    std::vector<fs::path> out;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
        if (entry.path().extension() == ".scenario") out.push_back(entry.path());
    }
    std::sort(out.begin(), out.end());
    return out;
}

}  // namespace proviso::scenarios
