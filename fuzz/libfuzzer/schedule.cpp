// For libFuzzer: a schedule, or a trace where it begins with a bracket, on a program that has
// something for most primitives. It ends or is refused, and leaves a well-formed program.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "analysis/prover/prover.h"
#include "ir/context.h"
#include "ir/deep_stack.h"
#include "ir/text.h"
#include "ir/well_formed.h"
#include "rewrite/schedule/reader/reader.h"

namespace {

constexpr std::string_view kProgram = R"(@T.prim_func
def kernel(A: T.Buffer((5, 6), "float32"), B: T.Buffer((6,), "int32"), Y: T.Buffer((5,), "float32"), Z: T.Buffer((6,), "int32")):
    tmp = T.alloc_buffer((5, 6), "float32")
    for i in range(5):
        for j in range(6):
            with T.block("scale"):
                vi, vj = T.axis.remap("SS", [i, j])
                tmp[vi, vj] = A[vi, vj] * T.float32(2.0)
    for i in range(5):
        for j in range(6):
            with T.block("row_sum"):
                vi, vj = T.axis.remap("SR", [i, j])
                with T.init():
                    Y[vi] = T.float32(0.0)
                Y[vi] = Y[vi] + tmp[vi, vj]
    for io in range(2):
        for ii in range(4):
            with T.block("guarded"):
                v = T.axis.spatial(6, io * 4 + ii)
                T.where(io * 4 + ii < 6)
                Z[v] = T.max(B[v], 0) % 7
)";

}  // namespace

// NOLINTNEXTLINE(readability-identifier-naming): the name that libFuzzer calls.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace proviso;
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const bool trace = !text.empty() && (text[0] == '[' || text[0] == '{');
    ir::on_deep_stack([&] {
        ir::Context ctx;
        const auto program = ir::parse_function(ctx, kProgram, "program.py");
        analysis::ProverOptions options;
        options.use_z3 = false;
        options.use_cvc5 = false;
        options.certify_budget = 2'000;  // what needs more is refused, which is as well here
        analysis::Prover prover(ctx, options);
        auto d = rewrite::Derivation::start(*program, prover);
        rewrite::Proposer proposer(*d, prover);
        const auto report =
            rewrite::run_schedule(proposer, text, trace ? "input.json" : "input.py");
        if (!report || ir::well_formed(d->current()).empty()) return;
        std::fprintf(stderr, "not well-formed:\n%s\n", ir::print(d->current()).c_str());
        std::abort();
    });
    return 0;
}
