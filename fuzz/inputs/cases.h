// Cases: a folder of files that are wrong, and a command that reads them.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "fuzz/inputs/mutate.h"
#include "fuzz/inputs/seeds.h"

namespace proviso::fuzz::inputs {

struct Programs {
    std::string proviso;
    std::string certcheck;
};

struct Case {
    std::string kind;                // of kinds()
    std::vector<std::string> words;  // the command line
    Files files;
    // Entries of the folder that are no regular files: name -> "pipe", "folder", or where a
    // symbolic link leads.
    Files odd;
};

const std::vector<std::string>& kinds();

// The same random numbers give the same case. `kind` is empty for any.
Case make_case(Random& random, const Seeds& seeds, const Programs& programs,
               const std::string& kind);

// Makes the folder, empty before, and fills it.
void write_case(const Case& c, const std::filesystem::path& folder);

// As one types it.
std::string shell_text(const std::vector<std::string>& words);

}  // namespace proviso::fuzz::inputs
