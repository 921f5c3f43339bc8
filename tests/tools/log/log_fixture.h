// A log to show: a loop split, its guard rewritten, and a schedule's call that was refused.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "ir/text.h"
#include "tests/tools/commands.h"

namespace proviso::tests {

class LogCommands : public Commands {
  protected:
    void SetUp() override {
        Commands::SetUp();
        file("p.py", R"(
@T.prim_func
def f(A: T.Buffer((27,), "float32"), B: T.Buffer((27,), "float32")):
    for i in range(27):
        with T.block("twice"):
            vi = T.axis.spatial(27, i)
            B[vi] = A[vi] * T.float32(2)
)");
        file("s.py", "sch.split(sch.get_loops(\"twice\")[0], factors=[None, 4])\n");
        make_log("log");
    }
    void make_log(const std::string& name, const std::vector<std::string>& more = {}) {
        std::vector<std::string> words = {"lower", "p.py",  "-s", "s.py",
                                          "-q",    "--log", name, "--no-cache"};
        words.insert(words.end(), more.begin(), more.end());
        const Seen made = run(words);
        ASSERT_EQ(made.code, 0) << made.err;
    }
    nlohmann::json json_of(const std::vector<std::string>& words) {
        const Seen seen = run(words);
        EXPECT_EQ(seen.code, 0) << seen.err;
        return nlohmann::json::parse(seen.out);
    }
    std::vector<nlohmann::json> steps() {
        std::vector<nlohmann::json> out;
        std::istringstream in(text_of(folder_ / "log" / "steps.jsonl"));
        for (std::string line; std::getline(in, line);) out.push_back(nlohmann::json::parse(line));
        return out;
    }
    // The ids of all obligations of steps, each once.
    std::set<std::string> ids() {
        std::set<std::string> out;
        for (const nlohmann::json& step : steps()) {
            for (const nlohmann::json& o : step["obligations"]) out.insert(o["id"]);
        }
        return out;
    }
};

}  // namespace proviso::tests
