// Names of targets, their limits, and kernels in files.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "backend/gpu/drivers/nvrtc.h"
#include "backend/gpu/module.h"
#include "backend/gpu/text/c_expressions.h"
#include "ir/children.h"
#include "ir/text.h"

namespace proviso::backend::gpu {
namespace {

TEST(GpuTargets, AreFoundByName) {
    EXPECT_EQ(find_target("cuda")->name, "cuda:sm_90");
    EXPECT_EQ(find_target("cuda:sm_80")->architecture, "sm_80");
    EXPECT_EQ(find_target("opencl")->threads, 256);
    EXPECT_EQ(find_target("gpu-host")->shared_bytes, find_target("cuda")->shared_bytes);
    for (const char* wrong :
         {"cuda:sm_70", "cuda:90", "cuda:sm_", "cuda:sm_9x", "opencl:cpu", "gpu"}) {
        EXPECT_FALSE(find_target(wrong).ok()) << wrong;
    }
    EXPECT_TRUE(is_gpu_target("cuda:sm_10"));
    EXPECT_FALSE(is_gpu_target("cpu"));
}

TEST(GpuNames, KeepOutOfTheWayOfEveryLanguage) {
    EXPECT_EQ(c_identifier("row"), "row");
    EXPECT_EQ(c_identifier("A"), "A");
    for (const char* reserved :
         {"float4", "half", "kernel", "global", "NAN", "M_PI", "i32", "pv_min", "int", "uchar16"}) {
        EXPECT_EQ(c_identifier(reserved), std::string(reserved) + "_");
    }
    // Two names never become one.
    EXPECT_EQ(c_identifier("half_"), "half__");
}

class GpuText : public testing::Test {
  protected:
    // The kernels of a program with one parameter of each kind.
    std::string text(const std::string& body, const std::string& attributes = "") {
        const std::string program =
            "@T.prim_func\n"
            "def f(A: T.Buffer((n, 8), \"float32\"), B: T.Buffer((64,), \"int32\"), "
            "n: T.int32, m: T.int32):\n" +
            (attributes.empty() ? "" : "    T.func_attr({" + attributes + "})\n") +
            "    for t in T.thread_binding(8, thread=\"threadIdx.x\"):\n        " + body + "\n";
        const Result<ir::Function> f = ir::parse_function(ctx_, program, "f.py");
        EXPECT_TRUE(f.ok()) << f.error().str();
        Result<rewrite::Derivation> d = rewrite::Derivation::start(ctx_, *f);
        EXPECT_TRUE(d.ok()) << d.error().str();
        const Built built = build(*d, *find_target("cuda"), prover_);
        if (const auto* no = std::get_if<Diagnostic>(&built)) return no->str();
        if (const auto* no = std::get_if<Refusal>(&built)) return no->diagnostic.str();
        return std::get<Module>(built).kernels;
    }
    void expect_has(const std::string& whole, const std::string& part) {
        EXPECT_NE(whole.find(part), std::string::npos) << part << " in\n" << whole;
    }

    ir::Context ctx_;
    analysis::Prover prover_{ctx_, {}};
};

TEST_F(GpuText, ComputesExactIntegersWrappingUnlessTheyAreProvedInRange) {
    expect_has(text("B[t * 8] = t * 3 + 1"), "B[t * 8] = t * 3 + 1;");
    expect_has(text("B[t] = m * m - m * m + t"), "(i32)((u32)m * (u32)m)");
}

TEST_F(GpuText, ComputesPositionsInTheNarrowestTypeThatIsProved) {
    expect_has(text("if t < n:\n            A[t, 3] = T.float32(1)"), "A[(i64)t * 8 + 3] = 1.0f;");
    expect_has(text("if t < n:\n            A[t, 3] = T.float32(1)",
                    "\"tir_var_upper_bound\": {\"n\": 1000}"),
               "A[t * 8 + 3] = 1.0f;");
}

TEST_F(GpuText, WritesConstantsExactly) {
    expect_has(text("if t < n:\n            A[t, 0] = T.float32(1e-45)"), "1e-45f");
    expect_has(text("if t < n:\n            A[t, 0] = T.float32(\"nan\")"),
               "pv_f32_of_bits(0x7fc00000u)");
    expect_has(text("if t < n:\n            A[t, 0] = T.float32(-0.0)"), "= -0.0f;");
    expect_has(text("B[t] = -2147483648"), "= -2147483647 - 1;");
}

TEST_F(GpuText, DividesAsTheProgramDoes) {
    expect_has(text("B[t] = (t - 4) // 3"), "pv_floordiv_i32(t - 4, 3)");
    expect_has(text("B[t] = T.truncdiv(t - 4, 3)"), "(t - 4) / 3");
}

TEST_F(GpuText, IsOneTextForAllLanguages) {
    const Result<ir::Function> f = ir::parse_function(
        ctx_,
        "@T.prim_func\ndef f(B: T.Buffer((8,), \"int32\")):\n"
        "    for t in T.thread_binding(8, thread=\"threadIdx.x\"):\n        B[t] = t\n",
        "f.py");
    const Built built = unverified::build(ctx_, *f, *find_target("opencl"), prover_);
    const Module& module = std::get<Module>(built);
    for (const Language language : {Language::Cuda, Language::OpenCl, Language::Host}) {
        expect_has(module.source(language), module.kernels);
    }
    EXPECT_EQ(module.source(Language::OpenCl).find("f64"), std::string::npos)
        << "float64 is asked for only where it is used";
}

// Loops, branches, allocations and assertions on the host, and two kernels, for nvcc.
TEST_F(GpuText, LaunchesItsKernels) {
    const Result<ir::Function> f = ir::parse_function(ctx_, R"(
@T.prim_func
def chain(A: T.Buffer((n,), "float32"), B: T.Buffer((n,), "float32"), n: T.int32, k: T.int32):
    T.func_attr({"tir_var_upper_bound": {"n": 1000, "k": 9}})
    assert k > 1, "several"
    M = T.alloc_buffer((n, 2), "float32")
    for s in range(k // 2):
        if s % 2 == 0:
            for b in T.thread_binding(n, thread="blockIdx.x"):
                for t in T.thread_binding(2, thread="threadIdx.x"):
                    M[b, t] = A[b] * T.float32(2)
        for b2 in T.thread_binding(n, thread="blockIdx.x"):
            B[b2] = M[b2, 0] + M[b2, 1]
)",
                                                      "chain.py");
    ASSERT_TRUE(f.ok()) << f.error().str();
    const Built built = unverified::build(ctx_, *f, *find_target("cuda"), prover_);
    ASSERT_TRUE(std::holds_alternative<Module>(built));
    const std::string text = std::get<Module>(built).source(Language::Cuda);
    expect_has(text, "if (!(1 < k)) return 1;");
    expect_has(text, "const pv_memory M_memory((u64)4 * (u64)n * (u64)2);");
    expect_has(text,
               "if ((n) > 0) chain_kernel0<<<dim3((u32)(n), (u32)(1), (u32)(1)), "
               "dim3((u32)(2), (u32)(1), (u32)(1))>>>(A, M);");
    expect_has(text, "chain_kernel1<<<");
    if (std::system("command -v nvcc >/dev/null") != 0) GTEST_SKIP() << "no nvcc here";
    const std::string path = ::testing::TempDir() + "proviso_launcher";
    std::ofstream(path + ".cu") << text;
    const std::string command =
        "nvcc -std=c++17 -arch=sm_90 -c " + path + ".cu -o " + path + ".o 2>" + path + ".log";
    EXPECT_EQ(std::system(command.c_str()), 0) << "see " << path << ".log";
}

// No text has one axis twice in a nest; a rewrite could make it.
TEST_F(GpuText, NoAxisTwiceInANest) {
    auto f = ir::parse_function(ctx_, R"(
@T.prim_func
def f(B: T.Buffer((8, 8), "int32")):
    for t in T.thread_binding(8, thread="threadIdx.x"):
        for u in T.thread_binding(8, thread="threadIdx.y"):
            B[t, u] = t
)",
                                "f.py");
    ASSERT_TRUE(f.ok()) << f.error().str();
    f->body = ir::rewrite_stmt(ctx_, f->body, nullptr, [&](ir::Stmt s) {
        const ir::For* loop = s->as<ir::For>();
        if (loop == nullptr) return s;
        ir::For out = *loop;
        out.thread_tag = "threadIdx.x";
        return ctx_.stmt(out);
    });
    const Built twice = unverified::build(ctx_, *f, *find_target("cuda"), prover_);
    ASSERT_TRUE(std::holds_alternative<Diagnostic>(twice));
    expect_has(std::get<Diagnostic>(twice).str(), "threadIdx.x is bound twice in one nest");
}

// What a program says itself of barriers is proved, or refused.
TEST_F(GpuText, StatedBarriersAreNotBelieved) {
    const auto built = [&](const std::string& stated) {
        const auto f = ir::parse_function(
            ctx_,
            "@T.prim_func\ndef f(A: T.Buffer((8,), \"int32\"), B: T.Buffer((8,), \"int32\")):\n"
            "    T.func_attr({\"proviso.barriers\": " +
                stated +
                "})\n"
                "    for b in T.thread_binding(1, thread=\"blockIdx.x\"):\n"
                "        for t in T.thread_binding(8, thread=\"threadIdx.x\"):\n"
                "            B[t] = 1\n"
                "        for u in T.thread_binding(8, thread=\"threadIdx.x\"):\n"
                "            A[u] = B[7 - u]\n",
            "f.py");
        EXPECT_TRUE(f.ok()) << f.error().str();
        return unverified::build(ctx_, *f, *find_target("cuda"), prover_);
    };
    const Built none = built("[]");
    ASSERT_TRUE(std::holds_alternative<Refusal>(none));
    expect_has(std::get<Refusal>(none).diagnostic.str(), "between threads that do not wait");
    const Built nowhere = built("[\"body/body/1/body\"]");
    ASSERT_TRUE(std::holds_alternative<Diagnostic>(nowhere));
    expect_has(std::get<Diagnostic>(nowhere).str(), "no place for a barrier");
    for (const char* wrong : {"3", "[3]", "[\"head\"]"}) {
        EXPECT_TRUE(std::holds_alternative<Diagnostic>(built(wrong))) << wrong;
    }
    EXPECT_TRUE(std::holds_alternative<Module>(built("[\"body/body/0\"]")));
}

TEST(Nvrtc, SaysWhatIsWrongWithAText) {
    if (!has_nvrtc()) GTEST_SKIP() << "no NVRTC here";
    const auto out = compile_cuda("extern \"C\" __global__ void k() { undeclared = 1; }", "sm_90",
                                  CudaArtefact::Ptx);
    ASSERT_FALSE(out.ok());
    EXPECT_NE(out.error().str().find("undeclared"), std::string::npos) << out.error().str();
}

}  // namespace
}  // namespace proviso::backend::gpu
