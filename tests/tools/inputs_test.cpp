// A small campaign of `./dev fuzz-inputs`: the commands on inputs that are wrong (docs/fuzz.md),
// and that the campaign notices what must not happen.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <string>

#include "tests/sanitized.h"
#include "tests/tools/commands.h"

namespace {

using proviso::tests::kParts;
using proviso::tests::quoted;
using proviso::tests::Seen;
using testing::HasSubstr;

class Inputs : public proviso::tests::Commands {
  protected:
    Seen campaign(const std::string& options, const std::string& command = PROVISO_BINARY) {
        return shell(std::string(PROVISO_FUZZ_INPUTS) + " --root " + quoted(PROVISO_SOURCE_DIR) +
                     " --proviso " + quoted(command) + " " + options);
    }
};

TEST_F(Inputs, NoneCrashesHangsOrTakesTheMachine) {
    // With more time and memory for what a sanitizer takes.
    const std::string limits = kParts > 1 ? " --seconds 100 --memory 8192" : " --seconds 30";
    const Seen seen = campaign("--seed 1 --runs " + std::to_string(240 / kParts) + limits);
    EXPECT_EQ(seen.code, 0) << seen.out << seen.err;
    EXPECT_THAT(seen.out, HasSubstr(" runs, 0 findings"));
}

// A command that breaks on what it reads; right inputs for the seeds come from the real one.
TEST_F(Inputs, ACrashAHangAndTooMuchMemoryAreFound) {
    struct Row {
        const char* does;
        const char* found;
        const char* limits;
    };
    for (const Row& row :
         {Row{"kill -SEGV $$", "killed by signal 11", ""}, Row{"exit 4", "exit code 4", ""},
          Row{"while :; do :; done", "no end after", " --seconds 1"},
          Row{"exec tail /dev/zero", "more than 64 MiB", " --memory 64"},
          Row{"echo 'runtime error: x' >&2", "an internal complaint", ""}}) {
        file("broken", std::string("#!/bin/sh\nif [ \"$1\" = lower ]; then exec ") +
                           PROVISO_BINARY + " \"$@\"; fi\n" + row.does + "\n");
        ASSERT_EQ(chmod((folder_ / "broken").c_str(), 0700), 0);
        const Seen seen = campaign("--only questions --runs 1 --out kept" + std::string(row.limits),
                                   (folder_ / "broken").string());
        EXPECT_EQ(seen.code, 1) << row.does << seen.out << seen.err;
        EXPECT_THAT(seen.out, HasSubstr(row.found)) << row.does;
        EXPECT_THAT(seen.out, HasSubstr("saved in kept/0-0")) << row.does;
        EXPECT_TRUE(std::filesystem::exists(folder_ / "kept" / "0-0" / "command"));
        EXPECT_TRUE(std::filesystem::exists(folder_ / "kept" / "0-0" / "stdin"));
    }
}

TEST_F(Inputs, AWrongOptionIsSaid) {
    EXPECT_EQ(campaign("--runs x").code, 2);
    EXPECT_EQ(campaign("--only nothing").code, 2);
    EXPECT_EQ(campaign("--frobnicate").code, 2);
    EXPECT_EQ(campaign("--runs 1", "/nowhere").code, 2);
    EXPECT_EQ(campaign("--help").code, 0);
}

}  // namespace
