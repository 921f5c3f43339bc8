// Kernels by way of LLVM: what stands in their PTX, that NVIDIA's assembler takes it, and that
// running the IR that it is made of shows slips.
#include <gtest/gtest.h>

#include "backend/gpu/drivers/cuda.h"
#include "backend/gpu/drivers/nvptx_host.h"
#include "backend/gpu/drivers/ptxas.h"
#include "backend/gpu/llvm/nvptx.h"
#include "ir/interp/interpreter.h"
#include "ir/planted.h"
#include "ir/text.h"

namespace proviso::backend::gpu {
namespace {

using namespace ir;

// A tile in shared memory, registers across a barrier, a phase of fewer threads.
constexpr const char* kTile = R"(
@T.prim_func
def tile(A: T.Buffer((24,), "float32"), B: T.Buffer((24,), "float32")):
    for b in T.thread_binding(3, thread="blockIdx.x"):
        S = T.alloc_buffer((8,), "float32", scope="shared")
        r = T.alloc_buffer((8, 1), "float32", scope="local")
        for t in T.thread_binding(8, thread="threadIdx.x"):
            S[t] = A[b * 8 + t] / T.float32(3)
            r[t, 0] = A[b * 8 + t] * T.float32(1.1) + T.float32(0.1)
        for q in T.thread_binding(2, thread="threadIdx.x"):
            S[q] = T.sqrt(T.abs(S[q]))
        for u in T.thread_binding(8, thread="threadIdx.x"):
            B[b * 8 + u] = S[7 - u] + r[u, 0]
)";

// One thread stores a cell that all have loaded, and all load it again.
constexpr const char* kExchange = R"(
@T.prim_func
def exchange(B: T.Buffer((1,), "int32"), C: T.Buffer((8,), "int32")):
    for b in T.thread_binding(1, thread="blockIdx.x"):
        for t in T.thread_binding(8, thread="threadIdx.x"):
            C[t] = B[0]
        for u in T.thread_binding(8, thread="threadIdx.x"):
            if u == 3:
                B[0] = 77
        for v in T.thread_binding(8, thread="threadIdx.x"):
            C[v] = C[v] - B[0]
)";

class Nvptx : public testing::Test {
  protected:
    Module module(const char* program, const std::string& target = "nvptx-host") {
        const Result<Function> f = parse_function(ctx_, program, "f.py");
        EXPECT_TRUE(f.ok()) << f.error().str();
        f_ = *f;
        Built built = unverified::build(ctx_, f_, *find_target(target), prover_);
        if (const auto* no = std::get_if<Diagnostic>(&built)) ADD_FAILURE() << no->str();
        if (const auto* no = std::get_if<Refusal>(&built)) ADD_FAILURE() << no->diagnostic.str();
        return std::get<Module>(std::move(built));
    }

    Inputs inputs() const {
        Inputs out;
        for (Buffer b : f_.buffer_params()) {
            const auto n = b->shape[0]->int_value();
            std::vector<double> cells;
            for (int k = 0; k < n; ++k) cells.push_back(k + 5);
            out[b->name] = Tensor::of(b->type, {static_cast<std::int64_t>(n)}, cells);
        }
        return out;
    }

    // What is wrong with a run: a finding, or a difference from the interpreter.
    std::string wrong(const Module& m) {
        const Result<DeviceRun> got = run_on_nvptx_host(m, f_, inputs());
        EXPECT_TRUE(got.ok()) << got.error().str();
        if (!got.ok() || got->finding) return got.ok() ? *got->finding : got.error().str();
        const Result<Outcome> wanted = ir::run(f_, inputs());
        return run_difference(f_, *wanted, got->run).value_or("");
    }

    // The same with a fault planted in the IR.
    std::string wrong_with(const char* fault, const char* program) {
        const Module m = module(program);
        planted_fault() = fault;
        const std::string out = wrong(m);
        planted_fault().clear();
        return out;
    }

    static void expect_has(const std::string& whole, const std::string& part) {
        EXPECT_NE(whole.find(part), std::string::npos) << part << " in\n" << whole;
    }

    Context ctx_;
    analysis::Prover prover_{ctx_, {}};
    Function f_;
};

TEST_F(Nvptx, GivesTheInterpretersBits) {
    EXPECT_EQ(wrong(module(kTile)), "");
    EXPECT_EQ(wrong(module(kExchange)), "");
}

// What nobody has written is no likely value: in shared memory, in registers that live across
// barriers, and in those of one phase.
TEST_F(Nvptx, PoisonsMemoryOfBlocksAndThreads) {
    const Module m = module(R"(
@T.prim_func
def unwritten(A: T.Buffer((24,), "float32"), B: T.Buffer((24,), "float32")):
    for b in T.thread_binding(1, thread="blockIdx.x"):
        S = T.alloc_buffer((8,), "float32", scope="shared")
        R = T.alloc_buffer((8, 2), "float32", scope="local")
        for t in T.thread_binding(8, thread="threadIdx.x"):
            if A[t] > T.float32(100):
                S[t] = A[t]
                R[t, 1] = A[t]
        for u in T.thread_binding(8, thread="threadIdx.x"):
            L = T.alloc_buffer((2,), "float32", scope="local")
            if A[u] > T.float32(100):
                L[1] = A[u]
            B[u] = S[u]
            B[u + 8] = R[u, 1]
            B[u + 16] = L[1]
)");
    const Result<DeviceRun> got = run_on_nvptx_host(m, f_, inputs());
    ASSERT_TRUE(got.ok()) << got.error().str();
    ASSERT_FALSE(got->finding) << *got->finding;
    for (std::size_t k = 0; k < 24; ++k) {
        const double cell = got->run.tensors.at("B").at(k).real();
        EXPECT_NE(cell, cell) << k << ": " << cell;
    }
}

TEST_F(Nvptx, ShowsSlips) {
    expect_has(wrong_with("gpu:no-barrier", kTile), "depends on the order of threads");
    EXPECT_NE(wrong_with("gpu:wrong-thread", kTile), "");
    EXPECT_NE(wrong_with("gpu:no-guard", kTile), "");
    EXPECT_NE(wrong_with("codegen:fused-multiply-add", kTile), "");
    EXPECT_NE(wrong_with("gpu:no-other-thread-stores", kExchange), "")
        << "a noalias pointer: LLVM keeps what it has loaded before the barrier";
}

TEST_F(Nvptx, IsStrictAndTakenByTheAssembler) {
    const Result<std::string> ptx = llvm_ptx(module(kTile), "sm_90");
    ASSERT_TRUE(ptx.ok()) << ptx.error().str();
    for (const char* part : {".target sm_90", ".visible .entry tile_kernel0(", ".maxntid 8, 1, 1",
                             ".shared .align 16 .b8 tile_kernel0__shared[32]", "bar.sync", "%tid.x",
                             "%ctaid.x", "mul.rn.f32", "add.rn.f32", "div.rn.f32", "sqrt.rn.f32",
                             "ld.global", "st.global", "ld.shared", "st.shared"}) {
        expect_has(*ptx, part);
    }
    for (const char* loose : {"fma", ".ftz", "approx", "pv_"}) {
        EXPECT_EQ(ptx->find(loose), std::string::npos) << loose << " in\n" << *ptx;
    }
    if (!has_ptxas()) GTEST_SKIP() << "no ptxas here";
    for (const char* architecture : {"sm_75", "sm_80", "sm_86", "sm_89", "sm_90"}) {
        const Result<std::string> text = llvm_ptx(module(kTile), architecture);
        ASSERT_TRUE(text.ok()) << text.error().str();
        const Result<std::string> cubin = assemble_ptx(*text, architecture);
        EXPECT_TRUE(cubin.ok()) << cubin.error().str();
    }
    // Newer than LLVM knows: PTX of the newest that it knows, which the assembler takes.
    const Result<std::string> newer = llvm_ptx(module(kTile), "sm_120");
    ASSERT_TRUE(newer.ok()) << newer.error().str();
    expect_has(*newer, ".target sm_90");
    EXPECT_TRUE(assemble_ptx(*newer, "sm_120").ok());
    EXPECT_FALSE(assemble_ptx("no ptx", "sm_90").ok());
}

TEST_F(Nvptx, KeepsTheSameBytes) {
    EXPECT_EQ(*llvm_ptx(module(kTile), "sm_90"), *llvm_ptx(module(kTile), "sm_90"));
}

// A driver gets PTX; the stand-in has no use for it, and says so in its log.
TEST_F(Nvptx, GoesToTheDriver) {
    const Module m = module(kTile, "nvptx:sm_80");
    const Result<DeviceRun> got = run_on_cuda(m, f_, inputs(), 1, {PROVISO_FAKE_CUDA, ""});
    ASSERT_FALSE(got.ok());
    expect_has(got.error().str(), "cuModuleLoadDataEx failed: CUDA_ERROR_INVALID_IMAGE");
    expect_has(got.error().str(), "not one of my images");
}

}  // namespace
}  // namespace proviso::backend::gpu
