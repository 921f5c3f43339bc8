// The release program has no place where a fault could be turned on: those are in proviso-planted.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/tools/commands.h"

namespace proviso::tests {
namespace {

namespace fs = std::filesystem;

class PlantedFaults : public Commands {};

// The switch, and faults of each library.
constexpr const char* kTraces[] = {
    "planted_fault",  "domains:interval-sub", "encoder:max-of-nan",        "lower-block:init",
    "gpu:no-barrier", "codegen:signed-order", "kernel:calls-are-functions"};

TEST_F(PlantedFaults, AreNotInTheProgramOrItsLibraries) {
    const fs::path program = PROVISO_BINARY;
    std::vector<fs::path> files = {program, program.parent_path() / "proviso-audit"};
    for (const char* library :
         {"ir", "analysis", "kernel", "rewrite", "audit", "verify", "backend"}) {
        files.push_back(program.parent_path() / ("libproviso_" + std::string(library) + ".a"));
    }
    for (const fs::path& file : files) {
        const std::string bytes = text_of(file);
        for (const char* trace : kTraces) {
            EXPECT_EQ(bytes.find(trace), std::string::npos) << file << " has " << trace;
        }
    }
    const std::string other = text_of(program.parent_path() / "proviso-planted");
    for (const char* trace : kTraces) EXPECT_NE(other.find(trace), std::string::npos) << trace;
}

// `proviso fuzz --planted` becomes that program, with its exit code.
TEST_F(PlantedFaults, AreRunByTheOtherProgram) {
    const Seen seen = run({"fuzz", "--planted", "--only", "lower-block:init"});
    EXPECT_EQ(seen.code, 0) << seen.err;
    EXPECT_THAT(seen.out, testing::HasSubstr("1 of 1 planted faults caught"));
    EXPECT_EQ(run({"fuzz", "--planted", "--only", "no-such-fault"}).code, 2);
}

// Alone, the program says what is missing.
TEST_F(PlantedFaults, NeedTheOtherProgram) {
    fs::copy_file(PROVISO_BINARY, folder_ / "alone");
    const Seen seen = shell("./alone fuzz --planted");
    EXPECT_EQ(seen.code, 2);
    EXPECT_THAT(seen.err, testing::HasSubstr("has no planted faults"));
}

}  // namespace
}  // namespace proviso::tests
