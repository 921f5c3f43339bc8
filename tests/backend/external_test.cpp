// Blocks in whose place code calls a C function: what the function is given, and which blocks are
// refused because the function would do something else, or could not find its cells.
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>

#include <gmock/gmock.h>

#include "analysis/external/external_call.h"
#include "backend/lowered.h"
#include "ir/children.h"
#include "ir/text.h"
#include "tests/backend/helpers.h"

namespace proviso::backend::testing {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::Test;

constexpr const char* kDescription = R"(@T.prim_func
def tile(X: T.Buffer((2, 3), "float32"), Y: T.Buffer((2, 3), "float32")):
    for i, j in T.grid(2, 3):
        Y[i, j] = X[i, j] * T.float32(2) + Y[i, j]
)";

constexpr const char* kBody =
    "for i, j in T.grid(2, 3):\n"
    "    B[n + i, j + 1] = A[j + 2, i, j] * T.float32(2) + B[n + i, j + 1]\n";
constexpr const char* kTile =
    "for i, j in T.grid(2, 3):\n"
    "    B[n + i, j + 1] = A[n, i + 1, j] * T.float32(2) + B[n + i, j + 1]\n";

std::string indented(const std::string& text, int by) {
    std::string out;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = text.find('\n', at) + 1;
        out += std::string(static_cast<std::size_t>(by), ' ') + text.substr(at, end - at);
        at = end;
    }
    return out;
}

struct External : Test {
    Context ctx;
    analysis::ExternalFunction call{
        "add_tile", "void", {"Y", "Y.strides[0]", "X", "X.strides[0]", "3"}, kDescription};

    Function program(const std::string& body, const std::string& head = "") {
        const std::string text =
            "@T.prim_func\n"
            "def f(A: T.Buffer((6, 4, 5), \"float32\"), B: T.Buffer((7, 6), \"float32\"), "
            "P: T.Buffer((9,), \"int32\")):\n"
            "    for n in range(3):\n"
            "        with T.block(\"t\"):\n" +
            indented(head, 12) + indented(body, 12);
        const auto f = parse_function(ctx, text, "f.py");
        EXPECT_TRUE(f.ok()) << text << (f.ok() ? "" : f.error().str());
        return annotated(*f);
    }

    // Its block calls the C function.
    Function annotated(Function f) {
        f.body = rewrite_stmt(ctx, f.body, nullptr, [&](Stmt s) {
            const Block* block = s->as<Block>();
            if (block == nullptr) return s;
            Block with = *block;
            with.annotations[kExternAttr] = call.annotation();
            return ctx.stmt(std::move(with));
        });
        return f;
    }

    std::string refusal(const Function& f) {
        const Status s = check_lowered(f);
        return s.ok() ? "accepted" : s.error().message;
    }
    void refused(const std::string& body, const std::string& why, const std::string& head = "") {
        EXPECT_THAT(refusal(program(body, head)), ::testing::HasSubstr(why)) << body;
    }
    void refused_call(const std::string& why) { refused(kTile, why); }
};

TEST_F(External, CallsAFunctionOfAnotherObject) {
    std::string pattern = (fs::temp_directory_path() / "proviso_external_XXXXXX").string();
    const fs::path folder = mkdtemp(pattern.data());
    const auto write = [&](const std::string& name, const std::string& bytes) {
        std::ofstream(folder / name, std::ios::binary) << bytes;
    };
    write("add_tile.c", R"(#include <stdint.h>
int calls = 0;
void add_tile(float* y, int64_t y_row, const float* x, int64_t x_row, int32_t columns) {
    ++calls;
    for (int i = 0; i < 2; ++i)
        for (int j = 0; j < columns; ++j) y[i * y_row + j] = x[i * x_row + j] * 2 + y[i * y_row + j];
}
)");
    write("main.c", R"(#include "f.h"
extern int calls;
int main(void) {
    static float A[6][4][5], B[7][6], C[7][6];
    static int32_t P[9];
    for (int k = 0; k < 120; ++k) A[0][0][k] = (float)k;
    for (int k = 0; k < 42; ++k) B[0][k] = C[0][k] = (float)(k * 10);
    if (f(&A[0][0][0], &B[0][0], P) != 0) return 1;
    for (int n = 0; n < 3; ++n)
        for (int i = 0; i < 2; ++i)
            for (int j = 0; j < 3; ++j) C[n + i][j + 1] = A[n][i + 1][j] * 2 + C[n + i][j + 1];
    for (int k = 0; k < 42; ++k)
        if (B[0][k] != C[0][k]) return 2;
    return calls == 3 ? 0 : 3;
}
)");
    const Function f = program(kTile);
    write("f.h", *c_header({f}, {}));
    for (OptLevel level : {OptLevel::O0, OptLevel::O2}) {
        CpuOptions options;
        options.opt = level;
        const auto object = unverified::emit_object({f}, options);
        ASSERT_TRUE(object.ok()) << object.error().str();
        write("f.o", *object);
        const std::string command =
            "cd '" + folder.string() + "' && cc main.c add_tile.c f.o -lm -o main && ./main";
        EXPECT_EQ(std::system(command.c_str()), 0);
    }
    fs::remove_all(folder);
}

TEST_F(External, NamesTheSymbolThatIsNotThere) {
    const Function f = program(kTile);
    const auto here = unverified::compile(f, {});
    ASSERT_FALSE(here.ok());
    EXPECT_EQ(here.error().message, "the external function \"add_tile\" is not in this process");
    EXPECT_THAT(here.error().hint, ::testing::HasSubstr("--engine interp"));
    EXPECT_EQ(external_symbols(f), std::vector<std::string>{"add_tile"});
}

TEST_F(External, WhereNothingIsCalled) {
    const Function f = program(kTile);
    CpuOptions guarded;
    guarded.guarded = true;
    const auto object = unverified::emit_object({f}, guarded);
    ASSERT_FALSE(object.ok());
    EXPECT_EQ(object.error().message, "guarded code calls no external function, as \"add_tile\"");
    const Status gpu = check_lowered(f, {}, BoundLoops::Taken);
    ASSERT_FALSE(gpu.ok());
    EXPECT_EQ(
        gpu.error().message,
        "code for a GPU calls no external function, as \"add_tile\" in block t, at body/body");
    for (const char* taken : {"f", "f__packed", "malloc", "double"}) {
        call.symbol = taken;
        EXPECT_FALSE(unverified::emit_object({program(kTile)}, {}).ok()) << taken;
    }
}

// Trap: LLVM knows a function of that name in C's library, and takes the call for one of it.
TEST_F(External, CallsNoFunctionThatLlvmKnows) {
    call.symbol = "memccpy";
    call.arguments = {"Y", "Y.strides[0]", "X", "X.strides[0]"};
    const auto text = unverified::emit_llvm_ir({program(kTile)}, {});
    ASSERT_TRUE(text.ok()) << text.error().str();
    const std::regex called("call void @memccpy\\([^\n]*\\) #([0-9]+)");
    std::smatch found;
    ASSERT_TRUE(std::regex_search(*text, found, called)) << *text;
    EXPECT_THAT(*text, HasSubstr("attributes #" + found[1].str() + " = { nobuiltin"));
    const std::regex declared("declare void @memccpy\\([^\n]*\\)[^\n]* #([0-9]+)");
    ASSERT_TRUE(std::regex_search(*text, found, declared)) << *text;
    EXPECT_THAT(*text, HasSubstr("attributes #" + found[1].str() + " = { nobuiltin }"));
}

// Trap: two functions of a module call one function in two ways.
TEST_F(External, RefusesTwoPrototypes) {
    const Function one = program(kTile);
    Function two = program(kTile);
    two.name = "g";
    EXPECT_TRUE(unverified::emit_object({one, two}, {}).ok());
    call.arguments = {"Y", "Y.strides[0]", "X", "X.strides[0]"};
    Function fewer = program(kTile);
    fewer.name = "g";
    const auto object = unverified::emit_object({one, fewer}, {});
    ASSERT_FALSE(object.ok());
    EXPECT_EQ(
        object.error().message,
        "the external function \"add_tile\" is called in two ways: void "
        "add_tile(float32*, int64, float32*, int64, int32) in block \"t\" of f, at body/body, "
        "and void add_tile(float32*, int64, float32*, int64) in block \"t\" of g, at "
        "body/body");
    call.arguments = {"Y", "Y.strides[0]", "X", "X.strides[0]", "4"};  // which tells them apart
    Function other = program(kTile);
    other.name = "g";
    EXPECT_TRUE(unverified::emit_object({one, other}, {}).ok());
    call.arguments = {"Y", "Y.strides[0]", "X", "X.strides[0]", "3"};
    call.description = std::string(kDescription).replace(call.description.find("tile"), 4, "tale");
    Function renamed = program(kTile);
    renamed.name = "g";
    EXPECT_THAT(unverified::emit_object({one, renamed}, {}).error().message,
                HasSubstr("is called for two things by the same arguments"));
}

// Trap: a later step has changed what is in the block.
TEST_F(External, RefusesBlocksThatDoSomethingElse) {
    refused(
        "for i, j in T.grid(2, 3):\n"
        "    B[n + i, j + 1] = A[n, i + 1, j] * T.float32(3) + B[n + i, j + 1]\n",
        "is not what the description says");
    refused(
        "for i, j in T.grid(2, 3):\n"
        "    B[n + i, j + 1] = A[n, i + 1, j] * T.float32(2) + B[n + i, j + 2]\n",
        "is not what the description says");
    refused(
        "for i, j in T.grid(2, 4):\n"
        "    B[n + i, j + 1] = A[n, i + 1, j] * T.float32(2) + B[n + i, j + 1]\n",
        "is not what the description says");
    refused(
        "for j, i in T.grid(3, 2):\n"
        "    B[n + i, j + 1] = A[n, i + 1, j] * T.float32(2) + B[n + i, j + 1]\n",
        "is not what the description says");
    refused(kBody, "is not what the description says");  // a row for each column
    refused(
        "for i in range(2):\n    for j in T.parallel(3):\n"
        "        B[n + i, j + 1] = A[n, i + 1, j] * T.float32(2) + B[n + i, j + 1]\n",
        "no nest of serial loops");
    refused(std::string(kTile) + "B[0, 0] = T.float32(0)\n", "no nest of serial loops");
    refused(kTile, "iterators, a predicate", "v = T.axis.spatial(3, n)\n");
    refused(kTile, "iterators, a predicate", "T.where(n < 2)\n");
}

// Traps: a loop of one iteration has the name of the loop around the block, or inside it.
TEST_F(External, RefusesLoopsOfOneNameForOneAnother) {
    call.arguments = {"Y", "X"};
    const auto description = [](const std::string& once, const std::string& value) {
        return "@T.prim_func\n"
               "def d(X: T.Buffer((5,), \"int32\"), Y: T.Buffer((5,), \"int32\")):\n"
               "    for " +
               once +
               " in range(1):\n"
               "        for k in range(5):\n"
               "            Y[k] = X[k] + " +
               value + "\n";
    };
    const auto program = [&](const std::string& value) {
        const auto f = parse_function(
            ctx,
            "@T.prim_func\n"
            "def f(A: T.Buffer((3, 5), \"int32\"), B: T.Buffer((3, 5), \"int32\")):\n"
            "    for n in range(3):\n"
            "        with T.block(\"t\"):\n"
            "            T.block_attr({\"proviso.extern\": 0})\n"
            "            for m, j in T.grid(1, 5):\n"
            "                B[n, j] = A[n, j] + " +
                value + "\n",
            "f.py");
        EXPECT_TRUE(f.ok());
        return annotated(*f);
    };
    for (const char* name : {"n", "j"}) {
        call.description = description(name, name);
        EXPECT_THAT(refusal(program(name)), HasSubstr("is not what the description says")) << name;
    }
    call.description = description("n", "n");
    EXPECT_EQ(refusal(program("m")), "accepted");
}

// Trap: an index moves with a name that the value binds.
TEST_F(External, RefusesIndicesOfNamesInTheValue) {
    call.arguments = {"Y", "X"};
    call.description =
        "@T.prim_func\n"
        "def d(X: T.Buffer((2,), \"float32\"), Y: T.Buffer((2,), \"float32\")):\n"
        "    for k in range(2):\n"
        "        x = T.int32()\n"
        "        Y[k] = T.Let(X[k] * T.Cast(\"float32\", x), where={x: k})\n";
    const char* body =
        "x = T.int32()\n"
        "for j in range(2):\n"
        "    B[n, j] = T.Let(A[n, 0, %] * T.Cast(\"float32\", x), where={x: j})\n";
    const auto with = [&](const std::string& index) {
        std::string text = body;
        return program(text.replace(text.find('%'), 1, index));
    };
    EXPECT_EQ(refusal(with("j")), "accepted");
    EXPECT_THAT(refusal(with("j + x")), HasSubstr("is not what the description says"));
}

// Trap: a buffer that is read and written, passed as two.
TEST_F(External, RefusesOneBufferForTwo) {
    refused(
        "for i, j in T.grid(2, 3):\n"
        "    B[n + i, j + 1] = B[n + 4, j] * T.float32(2) + B[n + i, j + 1]\n",
        "is not what the description says");
    refused(
        "for i, j in T.grid(2, 3):\n"
        "    B[n + i, j + 1] = B[n + i + 2, j] * T.float32(2) + B[n + i, j + 1]\n",
        "buffer B would be passed for X and for Y");
}

// Trap: the index of a cell that is read under a condition only is computed before the call.
TEST_F(External, RefusesIndicesWithoutAValue) {
    call.description =
        "@T.prim_func\n"
        "def tile(X: T.Buffer((3,), \"float32\"), Y: T.Buffer((3,), \"float32\"), "
        "Q: T.Buffer((3,), \"int32\")):\n"
        "    for j in range(3):\n"
        "        Y[j] = T.if_then_else(Q[j] > 0, X[j], T.float32(0))\n";
    call.arguments = {"Y", "X", "Q"};
    const auto under = [](const std::string& row) {
        return "for j in range(3):\n    B[n, j] = T.if_then_else(P[j] > 0, A[0, " + row +
               ", j], T.float32(0))\n";
    };
    refused(under("P[n]"), "may have no value");
    refused(under("6 // (n - 1)"), "may have no value");
    EXPECT_EQ(refusal(program(under("n"))), "accepted");
}

TEST_F(External, RefusesWhatCannotBePassed) {
    call.arguments = {"Y", "Y.strides[0]", "X", "3"};
    refused_call("rows of buffer A are not as far apart as those of parameter X");
    call.arguments = {"Y", "Y.strides[0]", "3"};
    refused_call("no argument leads to X");
    call.arguments = {"Y", "Y.strides[0]", "X.data", "X.strides[0]"};
    refused_call("no argument leads to X");
    for (const char* wrong :
         {"Z", "X.strides[2]", "X.strides[]", "X.strides[0", "X.shape", "-", ""}) {
        call.arguments = {"Y", "Y.strides[0]", "X", "X.strides[0]", wrong};
        refused_call("argument " + std::string(wrong));
    }
    call.arguments = {"Y.data", "Y.elem_offset", "Y.strides[0]", "X", "X.strides[0]", "-7"};
    EXPECT_EQ(refusal(program(kTile)), "accepted");
}

TEST_F(External, RefusesDescriptionsThatSayTooLittle) {
    const auto described = [&](const std::string& parameters, const std::string& body) {
        call.description = "@T.prim_func\ndef tile(" + parameters + "):\n" + body;
    };
    const std::string both = "X: T.Buffer((2, 3), \"float32\"), Y: T.Buffer((2, 3), \"float32\")";
    const std::string store = "        Y[i, j] = X[i, j] * T.float32(2) + Y[i, j]\n";
    described("X: T.Buffer((2, 2), \"float32\"), Y: T.Buffer((2, 3), \"float32\")",
              "    for i, j in T.grid(2, 3):\n" + store);
    refused_call("leaves the shape of its parameter X");
    described(both + ", m: T.int32", "    for i, j in T.grid(2, 3):\n" + store);
    refused_call("a parameter that is a scalar");
    described(both, "    for i, j in T.grid(2, 3):\n" + store + store);
    refused_call("no nest of loops of constant extents around one store");
    call.description = "this is no program";
    refused_call("its description: ");
    call.description = "";
    refused_call("no symbol, no arguments or no description");
    call.description = kDescription;
    call.result = "float33";
    refused_call("no type of a result");
}

}  // namespace
}  // namespace proviso::backend::testing
