// Answers of commands and lowered programs in this process: what the commands say and write, and
// nothing on the way there.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <numeric>
#include <thread>

#include "ir/deep_stack.h"
#include "tests/tools/commands.h"
#include "tools/library/answers.h"
#include "tools/library/lowered_program.h"

namespace {

using nlohmann::json;
using proviso::tests::Commands;
using proviso::tests::Seen;
using proviso::tests::text_of;
using testing::HasSubstr;
using namespace proviso::tools;

namespace backend = proviso::backend;
namespace ir = proviso::ir;

const std::string kCopy =
    "@T.prim_func\n"
    "def f(n: T.int32, A: T.Buffer((n, 8), \"int32\"), B: T.Buffer((n, 8), \"int32\")):\n"
    "    for i, j in T.grid(n, 8):\n"
    "        with T.block(\"copy\"):\n"
    "            vi, vj = T.axis.remap(\"SS\", [i, j])\n"
    "            B[vi, vj] = A[vi, vj] + 1\n";
const std::string kInThrees =
    "sch.transform_layout(\"copy\", \"A\", lambda i, j: [i, j // 3, j % 3], pad_value=0)\n"
    "sch.transform_layout(\"copy\", \"B\", lambda i, j: [i, j // 3, j % 3], pad_value=0)\n";

class Library : public Commands {
  protected:
    static LoweringRequest request(const std::string& program, const std::string& schedule) {
        LoweringRequest out;
        out.options.program = "p.py";
        out.options.schedule = "s.py";
        out.options.cache.off = true;
        out.program = program;
        out.schedule = schedule;
        return out;
    }

    std::unique_ptr<LoweredProgram> lowered(const std::string& program,
                                            const std::string& schedule) {
        auto out = LoweredProgram::lower(request(program, schedule));
        if (const auto* no = std::get_if<Failure>(&out)) {
            ADD_FAILURE() << no->told;
            return nullptr;
        }
        return std::get<0>(std::move(out));
    }

    static json refused(const std::string& program, const std::string& schedule) {
        const auto out = LoweredProgram::lower(request(program, schedule));
        const auto* no = std::get_if<Failure>(&out);
        return no == nullptr ? json() : json::parse(no->told);
    }

    json command(std::vector<std::string> words) {
        words.emplace_back("--json");
        const Seen seen = run(words);
        json out = json::parse(seen.out);
        out["exit_code"] = seen.code;
        out.erase("ns");
        return out;
    }
};

template <typename Options>
Options without_cache() {
    Options out;
    out.cache.off = true;
    return out;
}

json without_time(const proviso::Result<json>& answer) {
    json out = *answer;
    out.erase("ns");
    return out;
}

TEST_F(Library, AnswersAreThoseOfTheCommands) {
    const json prove = {{"goal", "x * x > x"}, {"given", {"x >= 0"}}};
    EXPECT_EQ(without_time(prove_answer(prove, without_cache<ProveOptions>())),
              command({"prove", "x * x > x", "--given", "x >= 0", "--no-cache"}));
    const json simplify = {{"expr", "(x * 8 + 3) // 4"}, {"given", {"x >= 0"}}};
    EXPECT_EQ(without_time(simplify_answer(simplify, without_cache<SimplifyOptions>())),
              command({"simplify", "(x * 8 + 3) // 4", "--given", "x >= 0", "--no-cache"}));
    const json solve = {{"solve", "bounds"}, {"condition", "2 * x < n"}, {"for", "x"}};
    EXPECT_EQ(without_time(solve_answer(solve, without_cache<SolveOptions>())),
              command({"solve", "bounds", "2 * x < n", "--for", "x", "--no-cache"}));
    // A word that nobody reads would be a fact that nobody uses.
    EXPECT_FALSE(
        prove_answer({{"goal", "x > 0"}, {"gvien", {"x > 0"}}}, without_cache<ProveOptions>()));
    EXPECT_FALSE(check_answer({{"before", kCopy}}));
    EXPECT_EQ((*check_answer({{"before", kCopy}, {"after", kCopy}}))["verdict"], "PROVED");
}

TEST_F(Library, TheLogIsThatOfLowerByteForByte) {
    file("p.py", kCopy);
    file("s.py", kInThrees);
    const Seen seen =
        run({"lower", "p.py", "--schedule", "s.py", "--log", "log.tar", "--quiet", "--no-cache"});
    ASSERT_EQ(seen.code, 0) << seen.err;
    const auto p = lowered(kCopy, kInThrees);
    ASSERT_NE(p, nullptr);
    EXPECT_EQ(p->text(), seen.out);
    ASSERT_TRUE(p->write_log((folder_ / "own.tar").string()));
    EXPECT_EQ(text_of(folder_ / "own.tar"), text_of(folder_ / "log.tar"));
    std::filesystem::create_directory(folder_ / "mine");
    file("mine/file", "text");
    EXPECT_FALSE(p->write_log((folder_ / "mine").string()));  // nothing of the user's is deleted
}

// The trap: a program that the command refuses, and a caller in a process gets code of; or is told
// that his input is wrong where it is refuted.
TEST_F(Library, WhatTheCommandRefusesIsRefusedInTheSameWords) {
    const std::string head = "@T.prim_func\ndef f(n: T.int32, A: T.Buffer((n,), \"int32\")):\n";
    const std::string store = "    for i in range(n):\n        A[i] = 1\n";
    const std::string no_input =
        head +
        "    T.func_attr({\"tir_var_lower_bound\": {\"n\": 5}, \"tir_var_upper_bound\": {\"n\": "
        "3}})\n" +
        store;
    const std::string impossible = head + "    T.assume(n < n)\n" + store;
    const std::string bind = "sch.bind(sch.loop(\"i\"), \"blockIdx.x\")\n";
    const std::string sum =
        "@T.prim_func\ndef f(A: T.Buffer((8,), \"int32\"), S: T.Buffer((1,), \"int32\")):\n"
        "    for i in T.thread_binding(8, thread=\"blockIdx.x\"):\n        S[0] = A[i]\n";
    struct Case {
        std::string program, schedule, target, symbol;
    };
    for (const Case& c :
         {Case{no_input, "sch.nonsense()\n", "cpu", ""},  // the first of two
          Case{impossible, "", "cpu", ""}, Case{head + store, bind, "cpu", ""},
          Case{head + store, "", "cuda:sm_90", ""}, Case{sum, "", "opencl", ""},
          Case{head + store, "", "no-such", ""}, Case{head + store, "", "cpu", "a b"}}) {
        file("p.py", c.program);
        file("s.py", c.schedule);
        LoweringRequest asked = request(c.program, c.schedule);
        asked.options.target = c.target;
        std::vector<std::string> words{"lower",    "p.py",   "--schedule", "s.py",
                                       "--target", c.target, "--no-cache", "-q"};
        if (!c.symbol.empty()) {
            asked.options.symbol = c.symbol;
            words.insert(words.end(), {"--symbol", c.symbol});
        }
        const json told = command(words);
        EXPECT_NE(told["exit_code"], 0) << told;
        const auto out = LoweredProgram::lower(asked);
        const auto* no = std::get_if<Failure>(&out);
        ASSERT_NE(no, nullptr) << told;
        const json failure = json::parse(no->told);
        const bool wrong = told.contains("error");
        EXPECT_EQ(failure["diagnostic"], wrong ? told["error"] : told["diagnostic"]);
        EXPECT_EQ(failure["verdict"], wrong ? json("ERROR") : told["verdict"]);
    }
}

TEST_F(Library, ARunConvertsLayoutsThereAndBack) {
    const auto p = lowered(kCopy, kInThrees);
    ASSERT_NE(p, nullptr);
    EXPECT_THAT(p->text(), HasSubstr("(n, 3, 3)"));
    const auto shapes = p->parameters({{"A", {5, 8}}}, {});  // n from the shape
    ASSERT_TRUE(shapes) << shapes.error().str();
    ASSERT_EQ(shapes->size(), 2U);
    EXPECT_EQ((*shapes)[1].shape, (std::vector<std::int64_t>{5, 8}));
    EXPECT_FALSE((*shapes)[0].stored);
    EXPECT_TRUE((*shapes)[1].stored);
    std::vector<std::int32_t> a(40), expected(40);
    std::iota(a.begin(), a.end(), 7);
    std::iota(expected.begin(), expected.end(), 8);
    const auto run_once = [&](bool guarded) {
        std::vector<std::int32_t> in = a;
        std::vector<std::int32_t> b(40);
        const LoweredProgram::Views views = {
            {"A", {ir::kInt32, {5, 8}, std::as_writable_bytes(std::span(in))}},
            {"B", {ir::kInt32, {5, 8}, std::as_writable_bytes(std::span(b))}}};
        const proviso::Status ok = p->run(views, {}, guarded);
        EXPECT_TRUE(ok) << (ok ? "" : ok.error().str());
        EXPECT_EQ(b, expected);  // cells of the padding, if nobody takes the results back
    };
    run_once(true);
    run_once(false);
    std::thread other([&] { run_once(true); });
    run_once(true);
    other.join();
}

TEST_F(Library, WrongArgumentsAreErrors) {
    const auto p = lowered(kCopy, kInThrees);
    ASSERT_NE(p, nullptr);
    EXPECT_FALSE(p->parameters({}, {}));                    // no n
    EXPECT_FALSE(p->parameters({{"C", {5, 8}}}, {"n=5"}));  // no such buffer
    EXPECT_FALSE(p->parameters({{"A", {5, 8}}}, {"m=5"}));
    EXPECT_FALSE(p->parameters({}, {"n=-5"}));
    std::vector<std::int32_t> cells(40);
    const backend::HostView view{ir::kInt32, {5, 8}, std::as_writable_bytes(std::span(cells))};
    EXPECT_FALSE(p->run({{"A", view}}, {}, true));                    // no B
    EXPECT_FALSE(p->run({{"A", view}, {"B", view}}, {"n=6"}, true));  // too few cells
}

TEST_F(Library, WhatIsRefusedIsSaidAsLowerSaysIt) {
    file("p.py", kCopy);
    file("s.py", "i, j = sch.get_loops(\"copy\")\nsch.split(i, factors=[0, None])\n");
    const json told = refused(kCopy, text_of(folder_ / "s.py"));
    EXPECT_EQ(told["primitive"], "split");
    EXPECT_EQ(told["line"], 2);
    const Seen seen = run({"lower", "p.py", "--schedule", "s.py", "--json", "--no-cache"});
    EXPECT_EQ(told["diagnostic"], json::parse(seen.out)["diagnostic"]);
    EXPECT_EQ(refused(kCopy, "sch.splt(1)\n")["verdict"], "ERROR");
    EXPECT_EQ(refused("def f(:\n", "")["verdict"], "ERROR");
    const std::string no_input =
        "@T.prim_func\ndef f(n: T.int32, A: T.Buffer((n,), \"int32\")):\n"
        "    T.func_attr({\"tir_var_lower_bound\": {\"n\": 5}, \"tir_var_upper_bound\": "
        "{\"n\": 3}})\n    A[0] = 1\n";
    EXPECT_THAT(refused(no_input, "")["diagnostic"]["message"].get<std::string>(),
                HasSubstr("has no input"));
}

TEST_F(Library, AProgramThatStopsIsAnError) {
    const auto p = lowered(
        "@T.prim_func\ndef f(n: T.int32, A: T.Buffer((4,), \"int32\")):\n    A[n] = 1\n", "");
    ASSERT_NE(p, nullptr);
    std::vector<std::int32_t> cells(4);
    const LoweredProgram::Views views = {
        {"A", {ir::kInt32, {4}, std::as_writable_bytes(std::span(cells))}}};
    EXPECT_TRUE(p->run(views, {"n=3"}, true));
    EXPECT_EQ(cells[3], 1);
    EXPECT_FALSE(p->run(views, {"n=1000000000"}, true));
}

}  // namespace
