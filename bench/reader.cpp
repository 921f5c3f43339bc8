#include "bench/reader.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "ir/text.h"

namespace proviso::bench {

namespace {

namespace fs = std::filesystem;

struct Options {
    std::string folder = "tests/data/tvmscript";
    bool unread = false;
    bool json = false;
};

struct Group {
    std::size_t files = 0;
    std::size_t meant = 0;  // every function has a meaning
    std::size_t kept = 0;   // some function is read and printed, and has no meaning here
    std::size_t read() const { return meant + kept; }
};

struct Survey {
    std::map<std::string, Group> groups;         // by folder below the one surveyed
    std::map<std::string, std::string> unread;   // file -> the first mistake
    std::map<std::string, std::string> kept;     // file -> what has no meaning
    std::map<std::string, std::size_t> reasons;  // the words of both -> files
    std::vector<std::string> changed;            // read, and printed as another program
};

std::vector<fs::path> files_below(const std::string& folder) {
    std::vector<fs::path> out;
    std::error_code failed;
    for (const auto& entry : fs::recursive_directory_iterator(folder, failed)) {
        if (entry.is_regular_file() && entry.path().extension() == ".py") {
            out.push_back(entry.path());
        }
    }
    std::sort(out.begin(), out.end());
    return out;
}

std::string text_of(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    std::stringstream out;
    out << in.rdbuf();
    return out.str();
}

// A reason without the names of one program: "`x` is not defined" and "`y` is not defined" are one.
std::string without_names(const std::string& message) {
    std::string out;
    bool inside = false;
    for (const char c : message) {
        if (c == '`') inside = !inside;
        if (!inside || c == '`') out += c;
    }
    return out;
}

Survey survey(const std::string& folder) {
    Survey out;
    for (const fs::path& file : files_below(folder)) {
        const std::string name = fs::relative(file, folder).string();
        Group& group = out.groups[fs::relative(file.parent_path(), folder).string()];
        ++group.files;
        ir::Context ctx;
        const Result<ir::ProgramFile> p = ir::parse_program(ctx, text_of(file), name);
        if (!p) {
            out.unread[name] = p.error().message;
            ++out.reasons[without_names(p.error().message)];
            continue;
        }
        ++(p->opaque.empty() ? group.meant : group.kept);
        if (!p->opaque.empty()) {
            const std::string& why = p->opaque[0].reason.message;
            out.kept[name] = why;
            ++out.reasons[without_names(why)];
        }
        const Result<ir::ProgramFile> again = ir::parse_program(ctx, p->canonical, name);
        const bool same = again && again->module.functions == p->module.functions &&
                          again->canonical == p->canonical;
        if (!same) out.changed.push_back(name);
    }
    return out;
}

nlohmann::json to_json(const Survey& s) {
    nlohmann::json out = {{"groups", nlohmann::json::object()}, {"changed", s.changed}};
    for (const auto& [name, g] : s.groups) {
        out["groups"][name] = {{"files", g.files}, {"meant", g.meant}, {"kept", g.kept}};
    }
    out["unread"] = s.unread;
    out["opaque"] = s.kept;
    return out;
}

double percent(const Group& g) {
    return g.files == 0 ? 0.0
                        : 100.0 * static_cast<double>(g.read()) / static_cast<double>(g.files);
}

void print(const Survey& s, bool unread) {
    constexpr std::size_t reasons_told = 15;
    Group all;
    const auto row = [](const std::string& name, const Group& g) {
        std::printf("%-24s %6zu %8zu %6zu  %5.1f %%\n", name.c_str(), g.files, g.meant, g.kept,
                    percent(g));
    };
    std::printf("%-24s %6s %8s %6s  %7s\n", "group", "files", "meaning", "opaque", "read");
    for (const auto& [name, g] : s.groups) {
        all.files += g.files;
        all.meant += g.meant;
        all.kept += g.kept;
        row(name, g);
    }
    row("all", all);
    std::vector<std::pair<std::string, std::size_t>> reasons(s.reasons.begin(), s.reasons.end());
    std::sort(reasons.begin(), reasons.end(), [](const auto& a, const auto& b) {
        return std::pair{b.second, a.first} < std::pair{a.second, b.first};
    });
    if (reasons.size() > reasons_told) reasons.resize(reasons_told);
    std::printf("\nwhat is not understood, the most frequent first\n");
    for (const auto& [why, files] : reasons) std::printf("%6zu  %s\n", files, why.c_str());
    for (const std::string& name : s.changed) std::printf("CHANGED %s\n", name.c_str());
    if (!unread) return;
    std::printf("\nunread\n");
    for (const auto& [name, why] : s.unread) std::printf("  %s: %s\n", name.c_str(), why.c_str());
    std::printf("\nopaque\n");
    for (const auto& [name, why] : s.kept) std::printf("  %s: %s\n", name.c_str(), why.c_str());
}

}  // namespace

int reader_command(const std::vector<std::string>& args) {
    Options o;
    for (const std::string& arg : args) {
        const std::string folder = "--folder=";
        if (arg == "--json") {
            o.json = true;
        } else if (arg == "--unread") {
            o.unread = true;
        } else if (arg.rfind(folder, 0) == 0) {
            o.folder = arg.substr(folder.size());
        } else {
            std::fprintf(stderr,
                         "usage: proviso-bench reader [--json] [--unread] [--folder=FOLDER]\n");
            return 2;
        }
    }
    const Survey s = survey(o.folder);
    if (s.groups.empty()) {
        std::fprintf(stderr, "error: no .py files below %s\n", o.folder.c_str());
        return 2;
    }
    if (o.json) {
        std::printf("%s\n", to_json(s).dump().c_str());
    } else {
        print(s, o.unread);
    }
    return s.changed.empty() ? 0 : 1;
}

}  // namespace proviso::bench
