// Files for other programs: a C program that includes the header and links the object or loads the
// library gets the right numbers; output is the same bytes each time; no linker is an error with
// words.
#include <gmock/gmock.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <thread>

#include "backend/cpu/backend.h"
#include "ir/text.h"
#include "tests/backend/helpers.h"

namespace proviso::backend::testing {
namespace {

namespace fs = std::filesystem;

// for i parallel: assert A[i] < limit; B[i, 1] = bool(A[i]) and flag; a size that only a shape
// names.
Function sample(Context& ctx) {
    Expr n = ctx.var("n", kInt32);
    Expr limit = ctx.var("double", kFloat32);  // a keyword of C
    Expr flag = ctx.var("flag", kBool);
    Expr i = ctx.var("i", kInt32);
    Buffer a = ctx.buffer("A", kFloat32, {n});
    Buffer b = ctx.buffer("B", kBool, {n, ctx.i32(2)});
    Buffer h = ctx.buffer("H", kBFloat16, {ctx.floordiv(n, ctx.i32(2))});
    Expr value = ctx.load(a, {i});
    Stmt check = ctx.stmt(Assert{ctx.lt(value, limit), "A is too large */ \"quoted\""});
    Stmt write = ctx.store(b, {i, ctx.i32(1)}, ctx.and_(ctx.cast(kBool, value), flag));
    Stmt loop = ctx.for_(i, ctx.i32(0), n, ctx.seq({check, write}), ForKind::Parallel);
    Function f{"sample", {a, b, h, limit, flag}, {}, loop};
    f.attrs[kLowerBoundAttr] = AttrValue{AttrValue::Dict{{"n", AttrValue{std::int64_t{1}}}}};
    return f;
}

const char* const kCaller = R"(
#include <sample.h>
#include <stdio.h>
#include <string.h>
int main(void) {
    float A[3] = {1.0f, 0.0f, 2.0f};
    bool B[6] = {0};
    uint16_t H[1] = {0};
    if (sample(A, B, H, 10.0f, true, 3) != 0) return 1;
    if (!(B[1] == 1 && B[3] == 0 && B[5] == 1 && B[0] == 0)) return 2;
    A[2] = 11.0f;
    int32_t code = sample(A, B, H, 10.0f, true, 3);
    if (code != 1) return 3;
    if (strcmp(sample_message(code), "A is too large */ \"quoted\"") != 0) return 4;
    float limit = 12.0f;
    bool flag = false;
    int32_t n = 3;
    void* args[6] = {A, B, H, &limit, &flag, &n};
    if (sample__packed(args) != 0 || B[1] != 0) return 5;
    int64_t extents[4];
    sample__shape(args, extents);
    if (extents[0] != 3 || extents[1] != 3 || extents[2] != 2 || extents[3] != 1) return 6;
    if (strcmp(sample_message(77), "unknown code") != 0) return 7;
    return 0;
}
)";

struct Emission : ::testing::Test {
    Context ctx;
    Function f = sample(ctx);
    fs::path folder;

    void SetUp() override {
        std::string pattern = (fs::temp_directory_path() / "proviso_emit_XXXXXX").string();
        folder = mkdtemp(pattern.data());
    }
    void TearDown() override { fs::remove_all(folder); }

    void write(const std::string& name, const std::string& bytes) const {
        std::ofstream(folder / name, std::ios::binary) << bytes;
    }
    int shell(const std::string& command) const {
        return std::system(("cd '" + folder.string() + "' && " + command).c_str());
    }
    void write_caller() const {
        const auto header = c_header({f}, {{{"sample", "A is padded: the last cell is 0"}}});
        ASSERT_TRUE(header.ok());
        write("sample.h", *header);
        write("main.c", kCaller);
    }
};

TEST_F(Emission, ObjectLinksWithACProgram) {
    write_caller();
    for (OptLevel level : {OptLevel::O0, OptLevel::O2}) {
        const auto object = unverified::emit_object({f}, at(level));
        ASSERT_TRUE(object.ok()) << object.error().str();
        write("sample.o", *object);
        ASSERT_EQ(
            shell("cc -I. -std=c99 -Wall -Wextra -Wpedantic -Werror main.c sample.o -lm -o main"),
            0);
        EXPECT_EQ(shell("./main"), 0);
    }
}

TEST_F(Emission, LibraryLinksWithACProgram) {
    write_caller();
    const Status made =
        unverified::emit_shared_library({f}, {}, (folder / "libsample.so").string());
    ASSERT_TRUE(made.ok()) << made.error().str();
    ASSERT_EQ(shell("cc -I. -std=c99 main.c -L. -lsample -Wl,-rpath,. -o main"), 0);
    EXPECT_EQ(shell("./main"), 0);
    EXPECT_FALSE(fs::exists(folder / "libsample.so.o"));
}

TEST_F(Emission, HeaderIsGoodCppToo) {
    write_caller();
    write("use.cpp", "#include \"sample.h\"\n#include \"sample.h\"\nint main() { return 0; }\n");
    EXPECT_EQ(shell("c++ -Wall -Wextra -Werror -c use.cpp"), 0);
}

// A program that defines proviso_parallel_for takes the place of the serial one.
TEST_F(Emission, ProgramMayRunParallelLoops) {
    const auto object = unverified::emit_object({f}, {});
    write_caller();
    write("sample.o", *object);
    write("mine.c", R"(
#include <sample.h>
static int calls = 0;
int32_t proviso_parallel_for(int64_t lo, int64_t hi,
                             int32_t (*body)(int64_t begin, int64_t end, void* context),
                             void* context) {
    ++calls;
    for (int64_t i = hi; i-- > lo;) body(i, i + 1, context);
    return 0;
}
int main(void) {
    float A[3] = {1.0f, 0.0f, 2.0f};
    bool B[6] = {0};
    uint16_t H[1] = {0};
    sample(A, B, H, 10.0f, true, 3);
    return calls == 1 && B[1] == 1 && B[3] == 0 && B[5] == 1 ? 0 : 1;
}
)");
    ASSERT_EQ(shell("cc -I. mine.c sample.o -lm -o mine"), 0);
    EXPECT_EQ(shell("./mine"), 0);
}

// A program that loads the library, runs its parallel loop, and looks at its own threads. Prints
// how many there are; ends with 1 where a result is wrong, with 2 where a child process differs,
// with 3 where threads outlive the library.
constexpr const char* kLoader = R"(
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <sample.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
static int threads(int pinned) {
    int found = 0;
    DIR* tasks = opendir("/proc/self/task");
    for (struct dirent* task; (task = readdir(tasks)) != NULL;) {
        cpu_set_t set;
        if (task->d_name[0] == '.') continue;
        if (pinned) {
            sched_getaffinity(atoi(task->d_name), sizeof(set), &set);
            if (CPU_COUNT(&set) != 1) continue;
        }
        ++found;
    }
    closedir(tasks);
    return found;
}
static int right(int32_t (*f)(const float*, bool*, const uint16_t*, float, bool, int32_t)) {
    for (int k = 0; k < 100; ++k) {
        float A[3] = {1.0f, 0.0f, 2.0f};
        bool B[6] = {0};
        uint16_t H[1] = {0};
        if (f(A, B, H, 10.0f, true, 3) != 0 || B[1] != 1 || B[3] != 0 || B[5] != 1) return 0;
    }
    return 1;
}
int main(void) {
    void* library = dlopen("./libsample.so", RTLD_NOW);
    if (library == NULL) return 4;
    void* f = dlsym(library, "sample");
    if (!right(f)) return 1;
    const int running = threads(0);
    const int pinned = threads(1);
    const pid_t child = fork();
    if (child == 0) _exit(right(f) && threads(0) == running ? 0 : 1);
    int status = 0;
    waitpid(child, &status, 0);
    if (status != 0) return 2;
    dlclose(library);
    if (threads(0) != 1) return 3;
    printf("%d %d\n", running, pinned);
    return 0;
}
)";

class ThreadsOfALibrary : public Emission {
  protected:
    void SetUp() override {
        Emission::SetUp();
        write_caller();
        write("load.c", kLoader);
        const Status made =
            unverified::emit_shared_library({f}, {}, (folder / "libsample.so").string());
        ASSERT_TRUE(made.ok()) << made.error().str();
        EXPECT_FALSE(fs::exists(folder / "libsample.so.pool.o"));
        ASSERT_EQ(shell("cc -I. -Wall -Werror load.c -ldl -o load"), 0);
    }
    // What it prints, with such an environment: "3 0" threads, and those bound to one processor.
    std::string loaded(const std::string& environment) {
        EXPECT_EQ(shell(environment + " ./load >out 2>err"), 0) << environment;
        return read("out") + read("err");
    }
    std::string read(const std::string& name) const {
        std::ifstream in(folder / name);
        return {std::istreambuf_iterator<char>(in), {}};
    }
};

// Traps: threads in a child that are its parent's; threads whose code is gone; a number that nobody
// can read taken for 0.
TEST_F(ThreadsOfALibrary, AreAsManyAsTheEnvironmentSays) {
    EXPECT_EQ(loaded("PROVISO_NUM_THREADS=3"), "3 0\n");
    EXPECT_EQ(loaded("PROVISO_NUM_THREADS=1"), "1 0\n");
    EXPECT_EQ(loaded("PROVISO_NUM_THREADS=64").substr(0, 3), "64 ");
    EXPECT_EQ(loaded("PROVISO_NUM_THREADS= taskset 1"), "1 1\n");  // one processor, and it is bound
    for (const char* odd : {"0", "65", "two", "3x", "99999999999999999999"}) {
        EXPECT_NE(
            loaded(std::string("PROVISO_NUM_THREADS=") + odd).find("is no number from 1 to 64"),
            std::string::npos);
    }
}

TEST_F(ThreadsOfALibrary, AreBoundToProcessorsOnRequest) {
    if (std::thread::hardware_concurrency() < 2) GTEST_SKIP() << "there is one processor";
    EXPECT_EQ(loaded("PROVISO_NUM_THREADS=2 PROVISO_PIN_THREADS=1"), "2 1\n");
    EXPECT_EQ(loaded("PROVISO_NUM_THREADS=2 PROVISO_PIN_THREADS=0"), "2 0\n");
}

// The program's own function comes first, if it exports it.
TEST_F(ThreadsOfALibrary, AProgramMayRunItsLoops) {
    write("own.c", std::string(R"(
#include <stdint.h>
#include <stdio.h>
int32_t proviso_parallel_for(int64_t lo, int64_t hi,
                             int32_t (*body)(int64_t, int64_t, void*), void* context) {
    static int called = 0;
    if (++called == 1) puts("own");
    return body(lo, hi, context);
}
)"));
    ASSERT_EQ(shell("cc -I. load.c own.c -rdynamic -ldl -o load"), 0);
    EXPECT_EQ(loaded("PROVISO_NUM_THREADS=3"), "own\n1 0\n");
}

TEST_F(Emission, ALibraryWithoutParallelLoopsHasNoThreads) {
    const auto serial = parse_function(ctx,
                                       "@T.prim_func\ndef g(A: T.Buffer((4,), \"int32\")):\n"
                                       "    for i in range(4):\n        A[i] = 1\n",
                                       "g.py");
    ASSERT_TRUE(serial.ok());
    const std::string path = (folder / "libg.so").string();
    ASSERT_TRUE(unverified::emit_shared_library({*serial}, {}, path).ok());
    EXPECT_NE(shell("nm -D libg.so | grep -q proviso_parallel_for"), 0);
}

TEST_F(Emission, SameBytesEachTime) {
    for (OptLevel level : {OptLevel::O0, OptLevel::O2}) {
        Context other;
        for (int k = 0; k < 50; ++k) other.var("noise" + std::to_string(k), kInt32);
        const Function again = sample(other);  // other addresses, other ids
        EXPECT_EQ(*unverified::emit_llvm_ir({f}, at(level)),
                  *unverified::emit_llvm_ir({again}, at(level)));
        EXPECT_EQ(*unverified::emit_assembly({f}, at(level)),
                  *unverified::emit_assembly({again}, at(level)));
        EXPECT_EQ(*unverified::emit_object({f}, at(level)),
                  *unverified::emit_object({again}, at(level)));
    }
}

TEST_F(Emission, HeaderSaysWhatACallerMustKnow) {
    const auto header = c_header(
        {f}, {{{"sample", "A is padded: the last cell is 0"}, {"another", "not for this one"}}});
    ASSERT_TRUE(header.ok());
    const auto has = [&](const std::string& text) {
        EXPECT_NE(header->find(text), std::string::npos) << text << "\n" << *header;
    };
    has("int32_t sample(const float* A, bool* B, const uint16_t* H, float double_, bool flag, "
        "int32_t n);");
    has("A: (n) elements of float32, row-major, read\n");
    has("B: (n, 2) elements of bool, row-major, read and written\n");
    has("H: (n // 2) elements of bfloat16 as its 16 bits, row-major, read\n");
    has("n: int32, at least 1\n");
    has("A is padded: the last cell is 0\n");
    has("1: stopped by the assertion \"A is too large * / \"quoted\"\"\n");
    EXPECT_EQ(header->find("not for this one"), std::string::npos);
}

TEST_F(Emission, NoLinkerIsAnErrorInWords) {
    const Status s = link_shared_library({"a.o"}, "b.so", {"no-such-linker", "nor-this"});
    ASSERT_FALSE(s.ok());
    EXPECT_EQ(s.error().message, "no program to link a shared library with");
    ASSERT_EQ(s.error().notes.size(), 1U);
    EXPECT_EQ(s.error().notes[0], "looked on the search path for: no-such-linker, nor-this");
}

TEST_F(Emission, FailsInWords) {
    const Status unwritable = unverified::emit_shared_library({f}, {}, "/no/such/folder/x.so");
    EXPECT_FALSE(unwritable.ok());
    CpuOptions options;
    options.cpu = "z80";
    const auto cpu = unverified::emit_object({f}, options);
    ASSERT_FALSE(cpu.ok());
    EXPECT_NE(cpu.error().message.find("no CPU \"z80\""), std::string::npos);
    EXPECT_FALSE(unverified::emit_object({f, f}, {}).ok());
    EXPECT_FALSE(unverified::emit_object({}, {}).ok());
}

// The property that the C library's loader looks at (psABI 4.2): GNU, X86_ISA_1_NEEDED, levels as
// bits.
std::string level_property(char levels) {
    return std::string("\4\0\0\0\20\0\0\0\5\0\0\0GNU\0\2\200\0\300\4\0\0\0", 24) + levels;
}

TEST_F(Emission, ObjectsSayTheLevelThatTheyNeed) {
    const std::pair<const char*, char> levels[] = {{"", 7},        {"x86-64-v2", 3},
                                                   {"v4", 15},     {"haswell", 7},
                                                   {"nehalem", 3}, {"skylake-avx512", 15}};
    for (const auto& [cpu, needs] : levels) {
        CpuOptions options;
        options.cpu = cpu;
        const auto object = unverified::emit_object({f}, options);
        ASSERT_TRUE(object.ok()) << object.error().str();
        EXPECT_NE(object->find(level_property(needs)), std::string::npos) << cpu;
    }
    CpuOptions oldest;
    oldest.cpu = "x86-64";
    const auto object = unverified::emit_object({f}, oldest);
    ASSERT_TRUE(object.ok());
    EXPECT_EQ(object->find(".note.gnu.property"), std::string::npos);
}

TEST_F(Emission, ACpuIsNamedInWords) {
    EXPECT_EQ(emitted_for("").value(), kDefaultCpu);
    EXPECT_EQ(emitted_for("v2").value(), "x86-64-v2");
    EXPECT_EQ(emitted_for("znver2").value(), "znver2, of level x86-64-v3");
    EXPECT_TRUE(emitted_for("native").ok());
    EXPECT_EQ(emitted_for("nativ").error().hint, "did you mean `native`?");
    EXPECT_EQ(emitted_for("x86_64-v3").error().hint, "did you mean `x86-64-v3`?");
}

// A level beyond the machine's would end in SIGILL: code for this process is refused.
TEST_F(Emission, CodeForThisProcessRunsHere) {
    for (const char* cpu : {"", "native", "x86-64"}) {
        CpuOptions options;
        options.cpu = cpu;
        EXPECT_TRUE(unverified::compile({f}, options).ok()) << cpu;
    }
    CpuOptions beyond;
    beyond.cpu = "v4";
    const auto made = unverified::compile({f}, beyond);
    const auto here = emitted_for("native");
    ASSERT_TRUE(here.ok());
    EXPECT_EQ(made.ok(), here->find("x86-64-v4") != std::string::npos);
    if (!made.ok()) {
        EXPECT_THAT(made.error().message, ::testing::HasSubstr("is of level x86-64-v4"));
    }
}

// Several functions in one object: all symbols are there, and they do not run into each other.
TEST_F(Emission, ModuleOfTwoFunctions) {
    Function g = f;
    g.name = "second";
    const auto module = unverified::emit_llvm_ir({f, g}, {});
    ASSERT_TRUE(module.ok());
    for (const char* name : {"@sample(", "@second(", "@second__packed(", "@sample_message("}) {
        EXPECT_NE(module->find(name), std::string::npos) << name;
    }
}

// Trap: a copy of the code in NAME__packed, without `noalias` and with vectors half as wide, took
// up to three times as long.
TEST_F(Emission, ThePackedFunctionCallsTheOther) {
    const auto module = unverified::emit_llvm_ir({f}, {});
    ASSERT_TRUE(module.ok());
    const std::size_t begin = module->find("@sample__packed(");
    ASSERT_NE(begin, std::string::npos);
    const std::string body = module->substr(begin, module->find("\n}\n", begin) - begin);
    EXPECT_THAT(body, ::testing::HasSubstr(" @sample("));
}

// Trap: a vector of 64 bytes of which every one crosses two lines of the cache.
TEST_F(Emission, WhatIsAllocatedBeginsAtALineOfTheCache) {
    const char* const text = R"(
@T.prim_func
def copy(n: T.int32, A: T.Buffer((n,), "float32"), B: T.Buffer((n,), "float32")):
    T.func_attr({"tir_var_lower_bound": {"n": 64}, "tir_var_upper_bound": {"n": 10000}})
    large = T.alloc_buffer((n,), "float32")
    small = T.alloc_buffer((64,), "float32")
    for i in range(n):
        large[i] = A[i]
    for i in range(n):
        small[i % 64] = large[n - 1 - i]
        B[i] = small[i % 64] + large[i]
)";
    const Result<Function> read = parse_function(ctx, text, "copy");
    ASSERT_TRUE(read.ok()) << read.error().str();
    CpuOptions options;
    options.opt = OptLevel::O0;
    const auto code = unverified::emit_llvm_ir({*read}, options);
    ASSERT_TRUE(code.ok()) << code.error().str();
    EXPECT_THAT(*code, ::testing::HasSubstr("call ptr @aligned_alloc(i64 64, i64 %"));
    EXPECT_THAT(*code, ::testing::HasSubstr("%small = alloca i8, i64 256, align 64"));
}

}  // namespace
}  // namespace proviso::backend::testing
