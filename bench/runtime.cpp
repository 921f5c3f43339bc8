#include "bench/runtime.h"

#include <chrono>
#include <cstring>
#include <nlohmann/json.hpp>

#include "backend/cpu/backend.h"
#include "backend/cpu/no_wrap.h"
#include "backend/host_value.h"
#include "ir/text.h"
#include "rewrite/schedule/reader/reader.h"

namespace proviso::bench {

using nlohmann::json;
using Clock = std::chrono::steady_clock;

namespace {

struct Workload {
    const char* name;
    const char* program;
    const char* schedule;     // layouts and loops; guards stay
    const char* branch_free;  // what removes them
    int rounds;
};

constexpr const char* kMatmul = R"(@T.prim_func
def kernel(A: T.Buffer((127, 127), "float32"), B: T.Buffer((127, 127), "float32"), C: T.Buffer((127, 127), "float32")):
    for i, j in T.grid(127, 127):
        with T.block("zero"):
            vi, vj = T.axis.remap("SS", [i, j])
            C[vi, vj] = T.float32(0.0)
    for i, j, k in T.grid(127, 127, 127):
        with T.block("mm"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            C[vi, vj] = C[vi, vj] + A[vi, vk] * B[vk, vj]
)";
constexpr const char* kMatmulTiles =
    R"(sch.transform_layout("mm", "A", lambda i, k: [i // 8, i % 8, k // 8, k % 8], pad_value=0.0)
sch.transform_layout("mm", "B", lambda k, j: [k // 8, k % 8, j // 8, j % 8], pad_value=0.0)
sch.transform_layout("mm", "C", lambda i, j: [i // 8, i % 8, j // 8, j % 8], pad_value=T.undef("float32"))
i, j, k = sch.get_loops("mm")
i0, i1 = sch.split(i, factors=[None, 8])
j0, j1 = sch.split(j, factors=[None, 8])
k0, k1 = sch.split(k, factors=[None, 8])
sch.reorder(i0, i1, k0, k1, j0, j1)
sch.sequential_buffer_access("zero", "C")
)";
constexpr const char* kMatmulFree =
    R"(sch.remove_branching_through_overcompute(block="zero")
sch.remove_branching_through_overcompute(block="mm")
sch.simplify()
)";

constexpr const char* kRows = R"(@T.prim_func
def kernel(A: T.Buffer((4096, 127), "float32"), S: T.Buffer((4096,), "float32"), C: T.Buffer((4096, 127), "float32")):
    for i, j in T.grid(4096, 127):
        with T.block("rows"):
            vi, vj = T.axis.remap("SS", [i, j])
            C[vi, vj] = A[vi, vj] * S[vi] + T.float32(1.0)
)";
constexpr const char* kRowsTiles =
    R"(sch.transform_layout("rows", "A", lambda i, j: [i, j // 8, j % 8], pad_value=T.undef("float32"))
sch.transform_layout("rows", "C", lambda i, j: [i, j // 8, j % 8], pad_value=T.undef("float32"))
sch.sequential_buffer_access("rows", "C")
)";
constexpr const char* kRowsFree =
    "sch.remove_branching_through_overcompute(block=\"rows\")\nsch.simplify()\n";

struct Compiled {
    ir::Function function;
    backend::CpuModule module;
    std::size_t branches = 0;
};

// The program scheduled, lowered and compiled; a diagnostic tells where it ended.
Result<Compiled> compiled(ir::Context& ctx, const Workload& w, bool branch_free) {
    const Result<ir::Function> f = ir::parse_function(ctx, w.program, w.name);
    if (!f) return f.error();
    Result<rewrite::Derivation> d = rewrite::Derivation::start(ctx, *f);
    if (!d) return d.error();
    analysis::Prover prover(ctx, {});
    rewrite::Proposer proposer(*d, prover);
    const std::string schedule = std::string(w.schedule) + (branch_free ? w.branch_free : "");
    const auto report = rewrite::run_schedule(proposer, schedule, "schedule.py");
    if (!report) return report.error();
    if (report->refusal) return report->refusal->diagnostic;
    rewrite::lower(proposer);
    backend::CpuOptions options;
    options.no_signed_wrap = backend::proved_no_wrap(*d, prover);
    Result<backend::CpuModule> module = backend::compile({*d}, options);
    if (!module) return module.error();
    std::size_t branches = 0;
    ir::for_each_stmt(d->current().body,
                      [&](ir::Stmt s) { branches += s->is<ir::IfElse>() ? 1 : 0; });
    return Compiled{d->current(), std::move(*module), branches};
}

// In both layouts cell k of a padded buffer is column k % 128 of row k / 128, and 127 is padding.
constexpr std::size_t kPadded = 128;

bool is_padding(const backend::HostBuffer& b, std::size_t cell) {
    const bool rows = b.shape.size() == 4;
    return b.shape.size() > 1 &&
           (cell % kPadded == kPadded - 1 || (rows && cell / kPadded == kPadded - 1));
}

std::vector<float> cells_of(const backend::HostBuffer& b) {
    std::vector<float> out(b.bytes.size() / sizeof(float));
    std::memcpy(out.data(), b.bytes.data(), b.bytes.size());
    return out;
}

// Small floats, and zero in the padding, as the contract of the padded inputs says.
std::vector<backend::HostBuffer> buffers(const ir::Function& f) {
    std::vector<backend::HostBuffer> out;
    for (ir::Buffer b : f.buffer_params()) {
        std::vector<std::int64_t> shape;
        for (ir::Expr e : b->shape) shape.push_back(static_cast<std::int64_t>(e->int_value()));
        out.push_back(backend::make_host_buffer(b->type, shape));
        std::vector<float> cells = cells_of(out.back());
        for (std::size_t k = 0; k < cells.size(); ++k) {
            cells[k] = is_padding(out.back(), k) ? 0.0F : static_cast<float>(k * 7 % 11) - 5.0F;
        }
        std::memcpy(out.back().bytes.data(), cells.data(), out.back().bytes.size());
    }
    return out;
}

// The fastest of some runs, in microseconds; `result`: the last parameter, without its padding.
double fastest_us(const Compiled& c, int rounds, std::vector<float>& result) {
    std::vector<backend::HostBuffer> memory = buffers(c.function);
    std::vector<backend::HostArgument> arguments;
    for (backend::HostBuffer& b : memory) arguments.emplace_back(&b);
    double best = 0;
    for (int round = 0; round < rounds; ++round) {
        const auto start = Clock::now();
        if (!c.module.run(c.function.name, arguments)) return 0;
        const double us = std::chrono::duration<double, std::micro>(Clock::now() - start).count();
        if (round == 0 || us < best) best = us;
    }
    result = cells_of(memory.back());
    for (std::size_t k = 0; k < result.size(); ++k) {
        if (is_padding(memory.back(), k)) result[k] = 0;
    }
    return best;
}

json measure(const Workload& w) {
    ir::Context ctx;
    const Result<Compiled> guarded = compiled(ctx, w, false);
    const Result<Compiled> free = compiled(ctx, w, true);
    for (const auto* made : {&guarded, &free}) {
        if (!*made) return {{"name", w.name}, {"failed", made->error().message}};
    }
    std::vector<float> expected;
    std::vector<float> seen;
    const double before = fastest_us(*guarded, w.rounds, expected);
    const double after = fastest_us(*free, w.rounds, seen);
    if (expected != seen) return {{"name", w.name}, {"failed", "the results differ"}};
    return {{"name", w.name},
            {"guarded_us", before},
            {"branch_free_us", after},
            {"ratio", before / after},
            {"branches", {guarded->branches, free->branches}}};
}

}  // namespace

json measure_runtime() {
    return {measure({"matrix product, 127 padded to 128", kMatmul, kMatmulTiles, kMatmulFree, 40}),
            measure({"row-wise operator, 4096 rows of 127", kRows, kRowsTiles, kRowsFree, 100})};
}

}  // namespace proviso::bench
