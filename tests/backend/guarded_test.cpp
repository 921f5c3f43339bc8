// Guarded code: what is wrong is named, what is right is the same.
#include <gtest/gtest.h>

#include "backend/cpu/c_header.h"
#include "backend/cpu/emit.h"
#include "ir/text.h"
#include "tests/backend/helpers.h"

namespace proviso::backend {
namespace {

using namespace ir;

class Guarded : public ::testing::Test {
  protected:
    Function parsed(const std::string& text) {
        const Result<Function> f = parse_function(ctx_, "@T.prim_func\n" + text, "f.py");
        EXPECT_TRUE(f.ok()) << (f.ok() ? "" : f.error().str());
        return *f;
    }
    // Of one buffer of int32 and one number.
    RunOutcome run(const std::string& text, const std::vector<double>& cells, std::int64_t n,
                   OptLevel level = OptLevel::O2) {
        const Function f = parsed(text);
        CpuOptions options = testing::at(level);
        options.guarded = true;
        const CpuModule module = testing::compiled(f, options);
        buffer_ = testing::host_buffer(kInt32, {static_cast<std::int64_t>(cells.size())}, cells);
        return testing::run(module, f.name, {&buffer_, testing::int_scalar(kInt32, n)});
    }

    Context ctx_;
    HostBuffer buffer_;
};

const std::string kHead = "def f(A: T.Buffer((4,), \"int32\"), n: T.int32):\n";

TEST_F(Guarded, NamesWhatIsWrong) {
    struct Case {
        std::string body;
        std::int64_t n;
        std::string says;
    };
    const std::vector<Case> cases = {
        {"    A[n] = 1\n", 4, "out of bounds: store of A[n] at body: index (4) in shape (4)"},
        {"    A[n] = 1\n", -1, "out of bounds: store of A[n] at body: index (-1) in shape (4)"},
        {"    A[0] = A[n + 1]\n", 3,
         "out of bounds: load of A[n + 1] at body: index (4) in shape (4)"},
        {"    A[0] = A[1]\n    if n < 3:\n        A[1] = 2\n    else:\n        A[n] = 3\n", 5,
         "out of bounds: store of A[n] at body/1/else: index (5) in shape (4)"},
        {"    for i in T.parallel(9):\n        A[i] = n\n", 0,
         "out of bounds: store of A[i] at body/body: index (4) in shape (4)"},
        {"    for i in T.vectorized(9):\n        A[i] = n\n", 0,
         "out of bounds: store of A[i] at body/body: index (4) in shape (4)"},
        {"    A[0] = 7 // n\n", 0, "division without a quotient: 7 // n at body: 7 by 0"},
        {"    A[0] = T.truncmod(n, -1)\n", -2147483648,
         "division without a quotient: T.truncmod(n, -1) at body: -2147483648 by -1"},
        {"    t = T.alloc_buffer((n, 3), \"int32\")\n"
         "    t[0, 0] = 1\n    A[0] = t[0, 0]\n",
         -2, "an extent that no buffer has: n of t at body: -2"},
        {"    t = T.alloc_buffer((n, n, n, n), \"int64\")\n"
         "    A[0] = 1\n",
         100000, "an extent that no buffer has: n of t at body: 100000"},
        {"    t = T.alloc_buffer((n, 3), \"int32\")\n"
         "    t[0, 0] = 1\n    A[0] = t[1, n - 1]\n",
         4, "out of bounds: load of t[1, n - 1] at body/body/1: index (1, 3) in shape (4, 3)"},
    };
    for (const Case& c : cases) {
        for (const OptLevel level : {OptLevel::O0, OptLevel::O2}) {
            const RunOutcome out = run(kHead + c.body, {1, 2, 3, 4}, c.n, level);
            EXPECT_GT(out.code, 0) << c.body;
            EXPECT_EQ(out.message, c.says) << c.body;
        }
    }
}

TEST_F(Guarded, LeavesWhatIsRightAsItIs) {
    const std::string text = kHead +
                             "    t = T.alloc_buffer((n,), \"int32\")\n"
                             "    for i in T.parallel(4):\n"
                             "        t[i] = A[3 - i] // n\n"
                             "    for i in T.unroll(4):\n"
                             "        A[i] = t[i] % (i + 1)\n";
    EXPECT_EQ(run(text, {40, 31, -22, 13}, 4), RunOutcome{});
    EXPECT_EQ(testing::values(buffer_), (std::vector<double>{0, 0, 1, 2}));
}

// The codes of asserts stay what they were.
TEST_F(Guarded, AssertsComeFirst) {
    const std::string text = kHead +
                             "    A[n] = 1\n"
                             "    assert A[0] < 9, \"first\"\n"
                             "    assert A[1] < 9, \"second\"\n";
    EXPECT_EQ(run(text, {9, 9, 9, 9}, 0), (RunOutcome{2, "second"}));
    EXPECT_EQ(run(text, {9, 9, 9, 9}, 4).code, 3);
}

TEST_F(Guarded, EmittedCodeTellsItsMessages) {
    const Function f = parsed(kHead + "    A[n] = 1\n");
    CpuOptions options;
    const auto plain = unverified::emit_llvm_ir({f}, options);
    ASSERT_TRUE(plain.ok());
    EXPECT_EQ(plain->find("fault"), std::string::npos);
    options.guarded = true;
    const auto guarded = unverified::emit_llvm_ir({f}, options);
    ASSERT_TRUE(guarded.ok());
    EXPECT_NE(guarded->find("out of bounds: store of A[n] at body"), std::string::npos);
    HeaderNotes notes;
    notes.guarded = true;
    const auto header = c_header({f}, notes);
    ASSERT_TRUE(header.ok());
    EXPECT_NE(header->find("1 and greater: a wrong access, division or extent, which f_message"),
              std::string::npos);
}

}  // namespace
}  // namespace proviso::backend
