#include "bench/scenarios.h"

#include <algorithm>
#include <fstream>

namespace proviso::bench {

namespace fs = std::filesystem;

std::vector<ScheduledProgram> scenarios_in(const fs::path& folder) {
    std::vector<fs::path> files;
    std::error_code none;
    for (const auto& entry : fs::recursive_directory_iterator(folder, none)) {
        if (entry.path().extension() == ".scenario") files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
    std::vector<ScheduledProgram> out;
    for (const fs::path& file : files) {
        ScheduledProgram& one = out.emplace_back();
        one.name = file.stem().string();
        std::ifstream in(file);
        std::string section;
        for (std::string line; std::getline(in, line);) {
            if (line.rfind("--- ", 0) == 0) {
                section = line.substr(4);
            } else if (section == "schedule") {
                one.schedule += line + "\n";
            } else if (section == "program") {
                one.program += line + "\n";
            }
        }
    }
    return out;
}

}  // namespace proviso::bench
