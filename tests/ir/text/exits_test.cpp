// `continue`, `break` and `return`: read as guards of the lines that they skip.
#include <memory>
#include <random>
#include <variant>

#include "ir/interp/interpreter.h"
#include "tests/ir/text/reader.h"

namespace proviso::ir {
namespace {

using testing::HasSubstr;

struct TextExits : TextReader {
    void kept(const std::string& body, const std::string& reason) {
        const auto f = parse_program(ctx, function(kParams, body), "f.py");
        ASSERT_TRUE(f.ok()) << body << f.error().str();
        ASSERT_EQ(f->opaque.size(), 1U) << body << f->canonical;
        EXPECT_THAT(f->opaque[0].reason.message, HasSubstr(reason));
        EXPECT_GT(f->opaque[0].reason.line, 0);
    }
    void mistake(const std::string& body, const std::string& message) {
        const auto f = parse_program(ctx, function(kParams, body), "f.py");
        ASSERT_FALSE(f.ok()) << f->canonical;
        EXPECT_THAT(f.error().str(), HasSubstr(message));
        EXPECT_GT(f.error().line, 0);
    }
    // The cells of B after a run that starts with these, or how else it ended.
    std::string cells(const std::string& body, const std::vector<std::int64_t>& start,
                      std::int64_t n = 0) {
        const Function f = read(function("B: T.Buffer((8,), \"int32\"), n: T.int32", body));
        Tensor b = Tensor::of(kInt32, {8}, std::vector<double>(start.begin(), start.end()));
        InterpOptions options;
        options.check_regions = true;
        const Result<Outcome> out =
            run(f, Inputs{{"B", b}, {"n", Value::of_int(Integer(n))}}, options);
        if (!out) return out.error().str();
        if (!std::holds_alternative<Finished>(*out)) return describe(*out);
        const Tensor& t = std::get<Finished>(*out).tensors.at("B");
        std::string text;
        for (std::size_t k = 0; k < t.size(); ++k) {
            text += (k > 0 ? " " : "") + t.at(k).str(t.type);
        }
        return text;
    }
};

// Where one branch of an `if` never comes to its end, the rest moves into the other one.
TEST_F(TextExits, TheRestMovesIntoTheOtherBranch) {
    body_as("for i in range(8):\n    if B[i] < 0:\n        continue\n    B[i] = 0",
            "for i in range(8):\n    if 0 <= B[i]:\n        B[i] = 0");
    body_as("for i in range(8):\n    if A[i, 0] < T.float32(0):\n        continue\n    B[i] = 0",
            "for i in range(8):\n    if not A[i, 0] < T.float32(0.0):\n        B[i] = 0");
    body_as("for i in range(8):\n    if not B[i] < n:\n        continue\n    B[i] = 0",
            "for i in range(8):\n    if B[i] < n:\n        B[i] = 0");
    body_as(
        "for i in range(8):\n    if B[i] < 0:\n        B[i] = 1\n        continue\n    B[i] = 0",
        "for i in range(8):\n    if B[i] < 0:\n        B[i] = 1\n    else:\n        B[i] = 0");
    body_as("if n == 0:\n    B[0] = 1\nelse:\n    return\nB[1] = 2",
            "if n == 0:\n    B[0] = 1\n    B[1] = 2");
    body_as("if n == 0:\n    return\nelif n == 1:\n    return\nelse:\n    B[0] = 1\nB[1] = 2",
            "if n != 0:\n    if n != 1:\n        B[0] = 1\n        B[1] = 2");
    body_as("if n == 0:\n    return\nif n == 1:\n    return\nB[1] = 2",
            "if n != 0:\n    if n != 1:\n        B[1] = 2");
    // Lets of the list last to its end, here as before.
    body_as("x: T.int32 = n + 1\nif x == 0:\n    return\ny: T.int32 = x * 2\nB[0] = y",
            "x: T.int32 = n + 1\nif x != 0:\n    y: T.int32 = x * 2\n    B[0] = y");
}

// The condition is evaluated once, before the lines after it: these may change what it reads.
TEST_F(TextExits, TheConditionIsEvaluatedOnce) {
    const std::string body =
        "for i in range(8):\n    if B[0] == 3:\n        continue\n    B[0] = 3\n    B[i] = B[i] + "
        "1";
    // Trap: B[1] counts in one iteration too many, or not at all.
    EXPECT_EQ(cells(body, {0, 0, 0, 0, 0, 0, 0, 0}), "3 1 0 0 0 0 0 0");
}

TEST_F(TextExits, AnExitAtTheEndSkipsNothing) {
    body_as("B[0] = 1\nreturn", "B[0] = 1");
    body_as("return", "pass");
    body_as("return None", "pass");
    body_as("B[0] = 1\nreturn 0", "B[0] = 1");
    body_as("B[0] = 1\nT.evaluate(T.ret(0))", "B[0] = 1");
    body_as("for i in range(8):\n    B[i] = 0\n    continue", "for i in range(8):\n    B[i] = 0");
    body_as("for i in range(8):\n    if B[i] < 0:\n        continue",
            "for i in range(8):\n    if B[i] < 0:\n        pass");
    // What follows is not reached.
    body_as("B[0] = 1\nreturn\nB[0] = 2", "B[0] = 1");
    body_as("if n == 0:\n    B[0] = 1\n    return\nelse:\n    return\nB[0] = 2",
            "if n == 0:\n    B[0] = 1\nelse:\n    pass");
    mistake("return\nC[0] = 2", "`C` is not defined");
}

TEST_F(TextExits, FlagsSayThatAnExitWasTaken) {
    const std::string flag = " = T.alloc_buffer((1,), \"bool\", scope=\"local\")\n";
    body_as("for i in range(8):\n    if B[i] < 0:\n        break\n    B[i] = 0",
            "stopped" + flag +
                "stopped[0] = False\n"
                "for i in range(8):\n"
                "    if not stopped[0]:\n"
                "        if B[i] < 0:\n"
                "            stopped[0] = True\n"
                "        else:\n"
                "            B[i] = 0");
    body_as(
        "for i in range(8):\n    if n == 1:\n        if B[i] < 0:\n            continue\n"
        "        B[i] = 1\n    B[i] = B[i] + 1",
        "for i in range(8):\n"
        "    skipped" +
            flag +
            "    skipped[0] = False\n"
            "    if n == 1:\n"
            "        if B[i] < 0:\n"
            "            skipped[0] = True\n"
            "        else:\n"
            "            B[i] = 1\n"
            "    if not skipped[0]:\n"
            "        B[i] = B[i] + 1");
    body_as(
        "for i in range(8):\n    for j in range(8):\n        if A[i, j] == T.float32(0):\n"
        "            return\n    B[i] = 1\nB[0] = 2",
        "returned" + flag +
            "returned[0] = False\n"
            "for i in range(8):\n"
            "    if not returned[0]:\n"
            "        for j in range(8):\n"
            "            if not returned[0]:\n"
            "                if A[i, j] == T.float32(0.0):\n"
            "                    returned[0] = True\n"
            "        if not returned[0]:\n"
            "            B[i] = 1\n"
            "if not returned[0]:\n"
            "    B[0] = 2");
}

// Worked out by hand; each has a near miss that a wrong reading would give.
TEST_F(TextExits, RunsAsPythonDoes) {
    const std::vector<std::int64_t> upwards = {0, 1, 2, 3, 4, 5, 6, 7};
    // Trap: later iterations run on.
    EXPECT_EQ(cells("for i in range(8):\n    if B[i] == 3:\n        break\n    B[i] = 9", upwards),
              "9 9 9 3 4 5 6 7");
    // Trap: the lines before the `break` are skipped, too.
    EXPECT_EQ(cells("for i in range(8):\n    B[i] = 9\n    if i == 3:\n        break", upwards),
              "9 9 9 9 4 5 6 7");
    // Trap: the inner `break` leaves the outer loop.
    EXPECT_EQ(cells("for i in range(4):\n    for j in range(2):\n        if j == 1:\n"
                    "            break\n        B[i * 2 + j] = 9\n    B[i] = B[i] + 1",
                    upwards),
              "10 2 10 4 9 5 9 7");
    // Trap: a flag of one iteration is that of the next.
    EXPECT_EQ(cells("for i in range(8):\n    if i < 6:\n        if i % 2 == 1:\n"
                    "            continue\n        B[i] = 9\n    B[i] = B[i] + 1",
                    upwards),
              "10 1 10 3 10 5 7 8");
    // Trap: a return leaves the innermost loop only, or the lines after the loops run.
    EXPECT_EQ(cells("for i in range(2):\n    for j in range(4):\n        if i * 4 + j == n:\n"
                    "            return\n        B[i * 4 + j] = 9\nB[7] = 0",
                    upwards, 2),
              "9 9 2 3 4 5 6 7");
    EXPECT_EQ(cells("for i in range(2):\n    for j in range(4):\n        if i * 4 + j == n:\n"
                    "            return\n        B[i * 4 + j] = 9\nB[7] = 0",
                    upwards, 99),
              "9 9 9 9 9 9 9 0");
    // Trap: the bounds of an inner loop of T.grid are evaluated after the return, and fault.
    EXPECT_EQ(cells("for i, j in T.grid(4, 14 // B[7]):\n    B[7] = 0\n    return", upwards, 0),
              "0 1 2 3 4 5 6 0");
    // Trap: as above, for the loops under the guard of an outer one.
    EXPECT_EQ(cells("for i in range(4):\n    for j in range(14 // B[7]):\n        B[7] = 0\n"
                    "        return",
                    upwards, 0),
              "0 1 2 3 4 5 6 0");
    // Steps count from the start, and the flag stands outside.
    EXPECT_EQ(
        cells("for i in range(1, 8, 2):\n    if i == 5:\n        break\n    B[i] = 9", upwards),
        "0 9 2 9 4 5 6 7");
    EXPECT_EQ(cells("for i in T.unroll(8):\n    if i == 5:\n        break\n    B[i] = 9", upwards),
              "9 9 9 9 9 5 6 7");
    // An iteration of a loop in any order may end early.
    EXPECT_EQ(cells("for i in T.parallel(8):\n    if i % 2 == 0:\n        if i < n:\n"
                    "            continue\n        B[i] = 9\n    B[i] = B[i] + 1",
                    upwards, 4),
              "0 2 2 4 10 6 10 8");
    // What stops the function is no exit.
    EXPECT_EQ(
        cells("for i in range(8):\n    assert i < 3, \"three\"\n    if i == n:\n        break",
              upwards, 2),
        "0 1 2 3 4 5 6 7");
    EXPECT_EQ(
        cells("for i in range(8):\n    assert i < 3, \"three\"\n    if i == n:\n        break",
              upwards, 3),
        "stopped: three");
}

TEST_F(TextExits, CallsOfTvmAreTheSame) {
    body_as(
        "for i in range(8):\n    if B[i] < 0:\n        T.evaluate(T.continue_loop())\n"
        "    B[i] = 0",
        "for i in range(8):\n    if 0 <= B[i]:\n        B[i] = 0");
    EXPECT_EQ(cells("for i in range(8):\n    if i == 2:\n        T.break_loop()\n    B[i] = 9",
                    {0, 1, 2, 3, 4, 5, 6, 7}),
              "9 9 2 3 4 5 6 7");
    mistake("T.break_loop()", "`break` stands in no loop");
    mistake("for i in range(8):\n    T.continue_loop(1)", "takes no value");
}

// A block means its expansion; it may be left where nothing after it has to know.
TEST_F(TextExits, BlocksAreLeftAtTheirEnd) {
    body_as(
        "for i in range(8):\n    with T.block(\"b\"):\n        v = T.axis.spatial(8, i)\n"
        "        T.reads(B[v])\n        T.writes(B[v])\n        if B[v] < 0:\n"
        "            continue\n        B[v] = 0",
        "for i in range(8):\n    with T.block(\"b\"):\n        v = T.axis.spatial(8, i)\n"
        "        T.reads(B[v])\n        T.writes(B[v])\n        if 0 <= B[v]:\n"
        "            B[v] = 0");
    // A loop inside of a block has its flag there: the claims say nothing of it.
    EXPECT_EQ(cells("with T.block(\"b\"):\n    T.reads(B[0:8])\n    T.writes(B[0:8])\n"
                    "    for i in range(8):\n        if B[i] == 2:\n            break\n"
                    "        B[i] = 9",
                    {0, 1, 2, 3, 4, 5, 6, 7}),
              "9 9 2 3 4 5 6 7");
    body_as("with T.block(\"root\"):\n    if n == 0:\n        return\n    B[0] = 1",
            "if n != 0:\n    B[0] = 1");
    const std::string block =
        "for i in range(8):\n    with T.block(\"b\"):\n        v = T.axis.spatial(8, i)\n";
    kept(block + "        if B[v] < 0:\n            break", "`break` out of a block");
    kept(block + "        if B[v] < 0:\n            return", "`return` out of a block");
    kept(block + "        if B[v] < 0:\n            continue\n    B[i] = 0",
         "`continue` out of a block");
    kept(block + "        with T.init():\n            continue\n        B[v] = 0", "in `T.init`");
}

// Trap: iterations that run at the same time have no later ones.
TEST_F(TextExits, ConcurrentLoopsAreNotLeft) {
    for (const char* loop :
         {"T.parallel(8)", "T.vectorized(8)", "T.thread_binding(8, thread=\"threadIdx.x\")"}) {
        const std::string head = "for i in " + std::string(loop) + ":\n    if B[i] == 0:\n        ";
        kept(head + "break", "at the same time");
        kept(head + "return", "at the same time");
        kept(head + "for j in range(8):\n            return", "at the same time");
        body_as(head + "continue\n    B[i] = 0",
                "for i in " + std::string(loop) + ":\n    if B[i] != 0:\n        B[i] = 0");
    }
    kept(
        "for k in range(8):\n    i = T.launch_thread(\"threadIdx.x\", 8)\n    if B[i] == 0:\n"
        "        continue\n    B[i] = 0",
        "at the same time");
    kept("i = T.launch_thread(\"threadIdx.x\", 8)\nif B[i] == 0:\n    return\nB[i] = 0",
         "at the same time");
    kept("for i, j in T.grid(8, 8):\n    if B[i] == j:\n        break", "`break` in `T.grid`");
}

TEST_F(TextExits, Mistakes) {
    mistake("break", "`break` stands in no loop");
    mistake("if n == 0:\n    continue\nB[0] = 1", "`continue` stands in no loop");
    mistake("i = T.launch_thread(\"threadIdx.x\", 8)\ncontinue", "`continue` stands in no loop");
    // Names of a branch end with it.
    mistake("if n == 0:\n    x = n + 1\nelse:\n    return\nB[0] = x", "`x` is not in scope");
}

TEST_F(TextExits, LoopsThatNeverRun) {
    body_as("while False:\n    B[0] = 1\nB[1] = 2", "B[1] = 2");
    body_as("while 0:\n    break", "pass");
    body_as("while T.bool(False):\n    return\nB[1] = 2", "B[1] = 2");
    mistake("while False:\n    C[0] = 1", "`C` is not defined");
    kept("while True:\n    if n == 0:\n        break", "`while` has no meaning here: no bound");
    body_as("for i in range(8):\n    pass", "for i in range(8):\n    pass");
    body_as("if n == 0:\n    pass\nelse:\n    pass", "if n == 0:\n    pass\nelse:\n    pass");
}

TEST_F(TextExits, NamesOfFlagsAreFree) {
    const std::string body =
        "stopped: T.int32 = n\nfor i in range(8):\n    if i == stopped:\n        break\n"
        "    B[i] = 9";
    EXPECT_THAT(print(read(function(kParams, body))), HasSubstr("stopped_1[0] = True"));
    EXPECT_EQ(cells(body, {0, 1, 2, 3, 4, 5, 6, 7}, 2), "9 9 2 3 4 5 6 7");
    // A flag is no name of the program.
    mistake("for i in range(8):\n    if i == n:\n        break\n    B[i] = stopped[0]",
            "`stopped` is not defined");
}

// Guards stand inside each other, and text may nest only so deep.
TEST_F(TextExits, ManyExitsFollowOneAnother) {
    const auto body = [](int exits) {
        std::string out;
        for (int k = 0; k < exits; ++k) out += "if n == " + std::to_string(k) + ":\n    return\n";
        return out + "B[0] = 1";
    };
    const Function f = read(function(kParams, body(80)));
    EXPECT_TRUE(read(print(f)) == f);
    kept(body(3000), "early exits");
    std::string loops;
    for (int k = 0; k < 90; ++k) {
        const std::string indent(static_cast<std::size_t>(k) * 4, ' ');
        loops += indent + "for i" + std::to_string(k) + " in range(2):\n" + indent +
                 "    if n == " + std::to_string(k) + ":\n" + indent + "        break\n";
    }
    kept(loops, "early exits");
}

TEST_F(TextExits, CallersGoOn) {
    const std::string text =
        "@T.prim_func\ndef g(B: T.Buffer((8,), \"int32\"), k: T.int32):\n    for i in range(8):\n"
        "        if i == k:\n            return\n        B[i] = 9\n    B[0] = 5\n\n"
        "@T.prim_func\ndef f(B: T.Buffer((8,), \"int32\")):\n    g(B, 2)\n    g(B, 1)\n"
        "    B[7] = 1\n";
    auto file = parse_program(ctx, text, "f.py");
    ASSERT_TRUE(file.ok()) << file.error().str();
    const Function* f = file->module.find("f");
    ASSERT_NE(f, nullptr);
    const std::vector<double> start = {0, 1, 2, 3, 4, 5, 6, 7};
    const Result<Outcome> out = run(*f, Inputs{{"B", Tensor::of(kInt32, {8}, start)}});
    ASSERT_TRUE(out.ok());
    ASSERT_TRUE(std::holds_alternative<Finished>(*out)) << describe(*out);
    const Tensor& t = std::get<Finished>(*out).tensors.at("B");
    EXPECT_EQ(t.at(0).str(t.type), "9");
    EXPECT_EQ(t.at(1).str(t.type), "9");
    EXPECT_EQ(t.at(2).str(t.type), "2");
    EXPECT_EQ(t.at(7).str(t.type), "1");
}

// A macro's `return` would end the macro in Python, and the function in TVM.
TEST_F(TextExits, ReturnOfAMacro) {
    const std::string text =
        "@T.macro\ndef m(X):\n    X[0] = 1\n    return\n\n@T.prim_func\n"
        "def f(B: T.Buffer((8,), \"int32\")):\n    m(B)\n    B[1] = 1\n";
    EXPECT_THAT(fails(text), HasSubstr("`return` in a macro"));
}

// Random programs, run by the interpreter as they are read, and step by step here.
class Play {
  public:
    explicit Play(std::uint32_t seed) : random_(seed) {}

    std::string text() {
        list(1, 0, 3);
        return text_;
    }
    // What the program appends to its trace.
    std::vector<int> trace() {
        run(top_);
        return trace_;
    }

  private:
    enum class Kind { Mark, If, For, Continue, Break, Return };
    enum class Way { On, Continue, Break, Return };
    struct Line {
        Kind kind = Kind::Mark;
        int number = 0;     // of a mark; the extent of a loop; what a condition compares with
        int variable = -1;  // the loop variable that a condition reads; -1: the length of the trace
        int depth = 0;      // of a loop: which variable
        std::vector<Line> body;
        std::vector<Line> otherwise;
    };

    int pick(int below) { return static_cast<int>(random_() % static_cast<std::uint32_t>(below)); }
    void write(int indent, const std::string& line) {
        text_ += std::string(static_cast<std::size_t>(indent) * 4, ' ') + line + "\n";
    }
    void list(int indent, int loops, int deep) { top_ = lines(indent, loops, deep); }

    std::vector<Line> lines(int indent, int loops, int deep) {
        std::vector<Line> out;
        for (int n = 1 + pick(3); n > 0; --n) out.push_back(line(indent, loops, deep));
        return out;
    }
    Line line(int indent, int loops, int deep) {
        Line out;
        const int kind = pick(deep > 0 ? 8 : 3);
        if (kind == 0 && loops > 0) {
            out.kind = pick(2) == 0 ? Kind::Continue : Kind::Break;
            write(indent, out.kind == Kind::Continue ? "continue" : "break");
        } else if (kind == 1 && pick(3) == 0) {
            out.kind = Kind::Return;
            write(indent, "return");
        } else if (kind >= 6 && loops < 3) {
            out.kind = Kind::For;
            out.number = 1 + pick(3);
            out.depth = loops;
            const std::string name = "i" + std::to_string(loops);
            write(indent, "for " + name + " in range(" + std::to_string(out.number) + "):");
            out.body = lines(indent + 1, loops + 1, deep - 1);
        } else if (kind >= 3) {
            out.kind = Kind::If;
            out.variable = pick(loops + 1) - 1;
            out.number = pick(3);
            const std::string read =
                out.variable < 0 ? "C[0] % 3" : "i" + std::to_string(out.variable);
            write(indent, "if " + read + " == " + std::to_string(out.number) + ":");
            out.body = lines(indent + 1, loops, deep - 1);
            if (pick(2) == 0) {
                write(indent, "else:");
                out.otherwise = lines(indent + 1, loops, deep - 1);
            }
        } else {
            out.number = ++marks_;
            write(indent, "B[C[0]] = " + std::to_string(out.number));
            write(indent, "C[0] = C[0] + 1");
        }
        return out;
    }

    Way run(const std::vector<Line>& body) {
        for (const Line& s : body) {
            const Way way = run(s);
            if (way != Way::On) return way;
        }
        return Way::On;
    }
    Way run(const Line& s) {
        switch (s.kind) {
            case Kind::Mark: trace_.push_back(s.number); return Way::On;
            case Kind::Continue: return Way::Continue;
            case Kind::Break: return Way::Break;
            case Kind::Return: return Way::Return;
            case Kind::If: {
                const int read = s.variable < 0 ? static_cast<int>(trace_.size()) % 3
                                                : at_[static_cast<std::size_t>(s.variable)];
                return run(read == s.number ? s.body : s.otherwise);
            }
            case Kind::For:
                for (int k = 0; k < s.number; ++k) {
                    at_[static_cast<std::size_t>(s.depth)] = k;
                    const Way way = run(s.body);
                    if (way == Way::Break) break;
                    if (way == Way::Return) return way;
                }
                return Way::On;
        }
        return Way::On;
    }

    std::mt19937 random_;
    std::string text_;
    std::vector<Line> top_;
    std::vector<int> trace_;
    std::array<int, 3> at_{};
    int marks_ = 0;
};

TEST_F(TextExits, RandomProgramsRunAsWritten) {
    std::size_t with_exits = 0;
    for (std::uint32_t seed = 0; seed < 1500; ++seed) {
        Context fresh;
        Play play(seed);
        const std::string text =
            "@T.prim_func\ndef f(B: T.Buffer((4096,), \"int32\"), C: T.Buffer((1,), "
            "\"int32\")):\n" +
            play.text();
        const std::vector<int> expected = play.trace();
        const auto f = parse_function(fresh, text, "f.py");
        ASSERT_TRUE(f.ok()) << text << f.error().str();
        const std::string canonical = print(*f);
        const auto again = parse_function(fresh, canonical, "f.py");
        ASSERT_TRUE(again.ok() && *again == *f) << text << canonical;
        if (canonical.find("[0] = True") != std::string::npos) ++with_exits;
        const Result<Outcome> out = proviso::ir::run(
            *f, Inputs{{"B", Tensor::of(kInt32, {4096}, std::vector<double>(4096, 0.0))},
                       {"C", Tensor::of(kInt32, {1}, {0.0})}});
        ASSERT_TRUE(out.ok()) << out.error().str();
        ASSERT_TRUE(std::holds_alternative<Finished>(*out)) << describe(*out) << text;
        const Tensor& t = std::get<Finished>(*out).tensors.at("B");
        for (std::size_t k = 0; k <= expected.size(); ++k) {
            const int mark = k < expected.size() ? expected[k] : 0;
            ASSERT_EQ(t.at(k).str(t.type), std::to_string(mark)) << k << "\n" << text << canonical;
        }
    }
    EXPECT_GT(with_exits, 300U);
}

}  // namespace
}  // namespace proviso::ir
