#include "fuzz/inputs/seeds.h"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <system_error>

#include "fuzz/inputs/child.h"
#include "ir/files/limits.h"
#include "ir/files/read.h"

namespace proviso::fuzz::inputs {

namespace fs = std::filesystem;

namespace {

std::string text_of(const fs::path& file) {
    const Result<std::string> text = ir::read_file(file.string(), ir::limits::kProgramBytes);
    return text ? *text : "";
}

// Files below `folder` whose names end so, in order.
std::vector<fs::path> files_of(const fs::path& folder, const std::string& end) {
    std::vector<fs::path> out;
    std::error_code failed;
    for (const auto& entry : fs::recursive_directory_iterator(folder, failed)) {
        const std::string name = entry.path().filename().string();
        const bool ends = name.size() >= end.size() &&
                          name.compare(name.size() - end.size(), end.size(), end) == 0;
        if (ends && entry.is_regular_file(failed)) out.push_back(entry.path());
    }
    std::sort(out.begin(), out.end());
    return out;
}

Files folder_as_files(const fs::path& folder) {
    Files out;
    for (const fs::path& file : files_of(folder, "")) {
        out[fs::relative(file, folder).string()] = text_of(file);
    }
    return out;
}

}  // namespace

Result<Seeds> read_seeds(const fs::path& root, const std::string& proviso,
                         const fs::path& scratch) {
    Seeds out;
    for (const char* folder : {"examples", "tests/data/tvmscript"}) {
        for (const fs::path& file : files_of(root / folder, ".py")) {
            const std::string name = file.string();
            const bool schedule = name.size() > 7 && name.rfind(".sch.py") == name.size() - 7;
            if (!schedule) out.programs.push_back(text_of(file));
        }
    }
    for (const fs::path& file : files_of(root / "examples", ".sch.py")) {
        std::string name = file.filename().string();
        name = name.substr(0, name.size() - 7) + ".py";
        for (const fs::path& program :
             {file.parent_path() / name, file.parent_path().parent_path() / name}) {
            const std::string text = text_of(program);
            if (text.empty()) continue;
            out.scheduled.emplace_back(text, text_of(file));
            break;
        }
    }
    for (const fs::path& file : files_of(root / "tests" / "data" / "obligations", ".jsonl")) {
        std::istringstream lines(text_of(file));
        for (std::string line; std::getline(lines, line);) out.questions.push_back(line);
    }
    for (const fs::path& file : files_of(root / "examples" / "certificates", ".smt2")) {
        fs::path certificate = file;
        certificate.replace_extension(".cert");
        out.certificates.emplace_back(text_of(file), text_of(certificate));
    }
    for (std::size_t i = 0; i < out.scheduled.size() && out.logs.size() < 4; ++i) {
        const fs::path here = scratch / ("log-" + std::to_string(i));
        std::error_code failed;
        fs::create_directories(here, failed);
        std::ofstream(here / "program.py", std::ios::binary) << out.scheduled[i].first;
        std::ofstream(here / "schedule.py", std::ios::binary) << out.scheduled[i].second;
        const Outcome made =
            run_child({proviso, "lower", "program.py", "--schedule", "schedule.py", "--emit", "ir",
                       "--log", "log", "-o", "out", "-q", "--no-cache"},
                      here, {60, std::uint64_t{8} << 30U});
        if (made.code == 0) out.logs.push_back(folder_as_files(here / "log"));
    }
    if (out.programs.empty() || out.scheduled.empty() || out.questions.empty() ||
        out.certificates.empty() || out.logs.empty()) {
        return error("no seeds under " + root.string() + " with " + proviso,
                     "--root names the repository, --proviso the command");
    }
    return out;
}

}  // namespace proviso::fuzz::inputs
