// Lets, declared variables and thread launches in the spellings that TVM writes and takes.
#include "tests/ir/text/reader.h"

namespace proviso::ir {
namespace {

using testing::HasSubstr;

struct TextBreadthLet : TextReader {};

TEST_F(TextBreadthLet, AssignmentsThatBindTheRest) {
    const std::string plain = "x: T.int32 = n * 2\nB[x] = x";
    for (const char* line :
         {"x: T.let[T.int32] = n * 2", "x: T.let = n * 2", "x = T.bind(n * 2)",
          "x: T.int32 = T.bind(n * 2)", "x: T.let[T.int32] = T.bind(n * 2)",
          "x = T.bind(n * 2, T.int32)", "x = T.bind(n * 2, type_annotation=T.int32)",
          "x: \"int32\" = n * 2", "x = T.LetStmt(n * 2)"}) {
        body_as(std::string(line) + "\nB[x] = x", plain);
    }
    body_as("x: T.let[T.int64] = T.bind(3)", "x: T.int64 = T.int64(3)");
    body_as("x: T.let[T.bool] = n < 3\nif x:\n    B[0] = 1",
            "x: T.bool = n < 3\nif x:\n    B[0] = 1");
}

TEST_F(TextBreadthLet, LetsWithABody) {
    const std::string plain = "with T.LetStmt(n * 2) as x:\n    B[x] = x\nB[0] = 1";
    for (const char* head :
         {"with T.LetStmt(n * 2) as x:", "with T.LetStmt(n * 2, T.int32) as x:",
          "with T.bind(n * 2) as x:", "x = T.int32()\nwith T.LetStmt(n * 2, var=x):",
          "x = T.var(\"int32\")\nwith T.LetStmt(n * 2, var=x):",
          "x = T.int32()\nwith T.LetStmt(n * 2, var=x) as x:",
          "x = T.int32()\nwith T.let(x, n * 2):"}) {
        body_as(std::string(head) + "\n    B[x] = x\nB[0] = 1", plain);
    }
    body_as("if n < 3:\n    x = T.int32()\n    T.bind(n, var=x)\n    B[x] = 0",
            "if n < 3:\n    x: T.int32 = n\n    B[x] = 0");
    body_as("f = T.float32()\nwith T.LetStmt(0.5, var=f):\n    A[0, 0] = f",
            "f: T.float32 = T.float32(0.5)\nA[0, 0] = f");
}

// TVM lets several lets bind one variable; here every binder has a name of its own.
TEST_F(TextBreadthLet, OneDeclaredVariableOfSeveralLets) {
    body_as(
        "x = T.int32()\nwith T.LetStmt(1, var=x):\n    B[x] = 0\nwith T.LetStmt(2, var=x):\n"
        "    B[x] = 0\nB[3] = 3",
        "with T.LetStmt(1) as x:\n    B[x] = 0\nwith T.LetStmt(2) as x_1:\n    B[x_1] = 0\n"
        "B[3] = 3");
    body_as(
        "x = T.int32()\nwith T.LetStmt(1, var=x):\n    with T.LetStmt(2, var=x):\n"
        "        B[x] = 0\n    B[x] = 1",
        "x: T.int32 = 1\nwith T.LetStmt(2) as x_1:\n    B[x_1] = 0\nB[x] = 1");
}

TEST_F(TextBreadthLet, ThreadLaunches) {
    const std::string plain =
        "for bx in T.thread_binding(2, thread=\"blockIdx.x\"):\n"
        "    for tx in T.thread_binding(4, thread=\"threadIdx.x\"):\n        B[bx * 4 + tx] = 1";
    const std::string store = "B[bx * 4 + tx] = 1";
    for (const std::string& text : std::vector<std::string>{
             "with T.launch_thread(\"blockIdx.x\", 2) as bx:\n"
             "    with T.launch_thread(\"threadIdx.x\", 4) as tx:\n        " +
                 store,
             "bx = T.launch_thread(\"blockIdx.x\", 2)\ntx = T.launch_thread(\"threadIdx.x\", 4)\n" +
                 store,
             "bx = T.env_thread(\"blockIdx.x\")\ntx = T.env_thread(\"threadIdx.x\")\n"
             "with T.launch_thread(bx, 2):\n    with T.launch_thread(tx, 4):\n        " +
                 store,
             "bx = T.env_thread(\"blockIdx.x\", \"int32\")\ntx = T.env_thread(\"threadIdx.x\")\n"
             "T.launch_thread(bx, 2)\nT.launch_thread(tx, 4)\n" +
                 store,
             "bx = T.env_thread(\"blockIdx.x\")\ntx = T.env_thread(\"threadIdx.x\")\n"
             "with T.attr(bx, \"thread_extent\", 2):\n    T.attr(tx, \"thread_extent\", 4)\n    " +
                 store,
             "bx = T.int32()\ntx = T.int32()\n"
             "with T.attr(T.iter_var(bx, None, \"ThreadIndex\", \"blockIdx.x\"), "
             "\"thread_extent\", "
             "2):\n    with T.attr(T.iter_var(tx, None, \"ThreadIndex\", \"threadIdx.x\"), "
             "\"thread_extent\", 4):\n        " +
                 store}) {
        body_as(text, plain);
    }
}

TEST_F(TextBreadthLet, OneThreadOfSeveralLaunches) {
    body_as(
        "tx = T.env_thread(\"threadIdx.x\")\nwith T.launch_thread(tx, 8):\n    B[tx] = 1\n"
        "with T.launch_thread(tx, 4):\n    B[tx] = 2",
        "for tx in T.thread_binding(8, thread=\"threadIdx.x\"):\n    B[tx] = 1\n"
        "for tx_1 in T.thread_binding(4, thread=\"threadIdx.x\"):\n    B[tx_1] = 2");
}

// Trap: TVM means the same threads by both, so that only the diagonal of what two loops would store
// to is stored.
TEST_F(TextBreadthLet, NoLaunchOfTheSameThreadsInsideOfAnother) {
    const auto with_tag = [](std::string line, const std::string& tag) {
        return line.replace(line.find("TAG"), 3, tag);
    };
    const std::string outer[] = {"for a in T.thread_binding(4, thread=\"TAG\"):",
                                 "with T.launch_thread(\"TAG\", 4) as a:"};
    const std::string inner[] = {
        "for b in T.thread_binding(4, thread=\"TAG\"):", "with T.launch_thread(\"TAG\", 4) as b:",
        "for b in T.thread_binding(0, 3, thread=\"TAG\"):",
        "with T.attr(T.iter_var(m, None, \"ThreadIndex\", \"TAG\"), "
        "\"thread_extent\", 4):"};
    // Each with room for the inner loop.
    const std::string between[] = {"    ", "    with T.block(\"b\"):\n        ",
                                   "    with T.LetStmt(n) as x:\n        ",
                                   "    for s in range(2):\n        ", "    if n < 3:\n        "};
    for (const char* tag :
         {"threadIdx.x", "blockIdx.y", "vthread", "vthread.x", "vthread.z", "cthread"}) {
        for (const std::string& first : outer) {
            for (const std::string& second : inner) {
                for (const std::string& middle : between) {
                    const std::string deeper(middle.find('\n') == std::string::npos ? 8 : 12, ' ');
                    const std::string text = "m = T.int32()\n" + with_tag(first, tag) + "\n" +
                                             middle + with_tag(second, tag) + "\n" + deeper +
                                             "B[a] = 1";
                    const std::string message = body_fails(text);
                    EXPECT_THAT(message, HasSubstr("threads of " + std::string(tag) +
                                                   " are launched already around this place"))
                        << text;
                    EXPECT_THAT(message, HasSubstr("use `a` here")) << text;
                }
            }
        }
    }
    EXPECT_THAT(body_fails("for t in T.thread_binding(2, thread=\"threadIdx.x\"):\n"
                           "    for u in T.thread_binding(2, thread=\"threadIdx.x\"):\n"
                           "        B[t] = 1"),
                HasSubstr("f.py:4:45: "));
    // One after the other, and inside of others, is fine.
    body(
        "for t in T.thread_binding(2, thread=\"threadIdx.x\"):\n"
        "    for u in T.thread_binding(2, thread=\"threadIdx.y\"):\n        B[t] = 1\n"
        "for v in T.thread_binding(3, thread=\"threadIdx.x\"):\n    B[v] = 2");
    body_as(
        "for t in T.thread_binding(2, thread=\"vthread.x\"):\n    B[t] = 1\n"
        "for u in T.thread_binding(2, thread=\"vthread.x\"):\n    B[u] = 1",
        "for t in T.parallel(2, annotations={\"virtual_thread\": \"vthread.x\"}):\n"
        "    B[t] = 1\n"
        "for u in T.parallel(2, annotations={\"virtual_thread\": \"vthread.x\"}):\n"
        "    B[u] = 1");
}

// As in Python, all values are computed before a name is bound.
TEST_F(TextBreadthLet, SeveralNamesAtOnce) {
    body_as("x, y = n * 2, B[0]\nB[x] = y", "x: T.int32 = n * 2\ny: T.int32 = B[0]\nB[x] = y");
    body_as("for i in range(8):\n    x, y = B[i], B[7 - i]\n    B[i] = x + y",
            "for i in range(8):\n    x: T.int32 = B[i]\n    y: T.int32 = B[7 - i]\n"
            "    B[i] = x + y");
    body_as("[x, y] = (3, 4)\nB[x] = y", "x: T.int32 = 3\ny: T.int32 = 4\nB[x] = y");
    body_as("X, x = T.alloc_buffer((4,), \"int32\"), 3\nX[x] = n",
            "X = T.alloc_buffer((4,), \"int32\")\nx: T.int32 = 3\nX[x] = n");
    // Trap: lets one after the other would give y the new x.
    body_as("x = B[0]\ny = B[1]\nx, y = y, x + y\nB[x] = y",
            "x: T.int32 = B[0]\ny: T.int32 = B[1]\nx_1: T.int32 = y\n"
            "y_1: T.int32 = x + y\nB[x_1] = y_1");
    // One of them changes later: each is declared in its turn.
    body_as("x, y = 1, 2\nfor i in range(8):\n    x = x + B[i]\nB[0] = x + y",
            "x = T.alloc_buffer((1,), \"int32\", scope=\"local\")\nx[0] = 1\n"
            "y: T.int32 = 2\nfor i in range(8):\n    x[0] = x[0] + B[i]\nB[0] = x[0] + y");
    for (const auto& [text, message] : std::vector<std::pair<const char*, const char*>>{
             {"x, y = 1, 2, 3", "2 names for 3 values"},
             {"x, B[0] = 1, 2", "a name is expected here"},
             {"x, y = n", "one value for several names"},
             {"x, y = y, 1", "`y` is not defined"},
             {"x = 1\nif n < 3:\n    x, y = 2, 3", "this does not change the `x` outside"},
             // TVM 0.27 stores them one after the other, which is not what Python means.
             {"x = 1\ny = 2\nfor i in range(8):\n    x = x + 1\n    y = y + 1\nx, y = y, x",
              "changes in a line whose other values mention it"}}) {
        EXPECT_THAT(body_fails(text), HasSubstr(message)) << text;
    }
}

TEST_F(TextBreadthLet, WhatIsRefused) {
    const std::pair<const char*, const char*> table[] = {
        {"x: T.let[T.in32] = 3", "did you mean `int32`?"},
        {"x: T.let[T.float32] = n", "the value of `x` is int32, not float32"},
        {"x: T.int32 = T.bind(3, T.int32)", "the type is given twice"},
        {"T.bind(3)", "`T.bind` needs a name"},
        {"with T.LetStmt(3):\n    pass", "`T.LetStmt` needs a name"},
        {"with T.LetStmt(3, var=n):\n    pass", "not a variable that was declared"},
        {"with T.let(x, 3):\n    pass", "not a variable that was declared"},
        {"x = T.int64()\nwith T.LetStmt(n, var=x):\n    pass", "the value of `x` is int32"},
        {"x = T.int32()\nwith T.LetStmt(n, var=x):\n    pass\nB[x] = 0", "`x` (int32)"},
        {"x = T.int32()\ny = x + 1\nwith T.LetStmt(n, var=x):\n    pass", "`x` (int32)"},
        {"x = T.float32()\nA[0, 0] = x", "a size variable is int32 or int64"},
        {"x = y = 3", "chained assignments are not supported"},
        {"tx = T.env_thread(\"threadIdx.x\")", "thread `tx` is never launched"},
        {"tx = T.env_thread(\"threadIdx.w\")", "did you mean `threadIdx.x`?"},
        {"with T.launch_thread(\"threadIdx.x\", 4):\n    pass", "needs a name"},
        {"with T.launch_thread(n, 4):\n    pass", "a thread is expected here"},
        {"T.attr(n, \"pragma_unroll\", 4)", "only the attributes \"thread_extent\""},
    };
    for (const auto& [text, message] : table) {
        EXPECT_THAT(body_fails(text), HasSubstr(message)) << text;
    }
}

}  // namespace
}  // namespace proviso::ir
