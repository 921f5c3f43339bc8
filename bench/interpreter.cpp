#include "bench/interpreter.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <nlohmann/json.hpp>
#include <optional>

#include "ir/interp/interpreter.h"
#include "ir/text.h"

namespace proviso::bench {

using nlohmann::json;

namespace {

struct Workload {
    const char* name;
    const char* program;
};

constexpr const char* kMatmul = R"(@T.prim_func
def kernel(A: T.Buffer((128, 128), "float32"), B: T.Buffer((128, 128), "float32"), C: T.Buffer((128, 128), "float32")):
    for i, j, k in T.grid(128, 128, 128):
        with T.block("mm"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            with T.init():
                C[vi, vj] = T.float32(0.0)
            C[vi, vj] = C[vi, vj] + A[vi, vk] * B[vk, vj]
)";

constexpr const char* kConvolution = R"(@T.prim_func
def kernel(A: T.Buffer((8, 48, 48), "float32"), F: T.Buffer((8, 8, 3, 3), "float32"), C: T.Buffer((8, 48, 48), "float32")):
    for o, y, x in T.grid(8, 48, 48):
        C[o, y, x] = T.float32(0.0)
    for o, y, x, c, ky, kx in T.grid(8, 48, 48, 8, 3, 3):
        C[o, y, x] = C[o, y, x] + F[o, c, ky, kx] * T.if_then_else(1 <= y + ky and y + ky < 49 and 1 <= x + kx and x + kx < 49, A[c, y + ky - 1, x + kx - 1], T.float32(0.0))
)";

constexpr const char* kStencil = R"(@T.prim_func
def kernel(A: T.Buffer((512, 512), "float32"), B: T.Buffer((512, 512), "float32")):
    for t in range(2):
        for i, j in T.grid(510, 510):
            B[i + 1, j + 1] = T.float32(0.2) * (A[i + 1, j + 1] + A[i, j + 1] + A[i + 2, j + 1] + A[i + 1, j] + A[i + 1, j + 2])
        for i, j in T.grid(510, 510):
            A[i + 1, j + 1] = B[i + 1, j + 1]
)";

constexpr const char* kReduction = R"(@T.prim_func
def kernel(A: T.Buffer((64, 8, 1024), "int32"), S: T.Buffer((8, 128), "int64")):
    for n in range(1048576):
        S[n // 16 % 8, n % 128] = S[n // 16 % 8, n % 128] + T.Cast("int64", A[n % 8192 // 128, n // 16 % 8, n // 8192 * 8 + n % 8])
)";

constexpr const char* kParallel = R"(@T.prim_func
def kernel(A: T.Buffer((1024, 512), "float32"), S: T.Buffer((1024,), "float32"), B: T.Buffer((1024, 512), "float32")):
    for i in T.parallel(1024):
        for j in range(512):
            B[i, j] = T.max(A[i, j] * S[i] + T.float32(1.0), T.float32(0.0))
)";

constexpr const char* kQuantized = R"(@T.prim_func
def kernel(A: T.Buffer((96, 96), "uint8"), B: T.Buffer((96, 96), "int8"), C: T.Buffer((96, 96), "int32")):
    for i, j in T.grid(96, 96):
        C[i, j] = 0
        for k in range(96):
            C[i, j] = C[i, j] + T.Cast("int32", A[i, k]) * T.Cast("int32", B[k, j])
)";

constexpr Workload kWorkloads[] = {
    {"matrix product, 128 cubed", kMatmul},      {"convolution, zero padding", kConvolution},
    {"stencil, five points", kStencil},          {"reduction, integer indices", kReduction},
    {"parallel rows, races checked", kParallel}, {"matrix product, uint8 by int8", kQuantized},
};

ir::Inputs small_numbers(const ir::Function& f) {
    ir::Inputs out;
    for (ir::Buffer b : f.buffer_params()) {
        std::vector<std::int64_t> shape;
        for (ir::Expr e : b->shape) shape.push_back(static_cast<std::int64_t>(e->int_value()));
        std::vector<double> cells(ir::cell_count(shape));
        for (std::size_t k = 0; k < cells.size(); ++k) {
            cells[k] = static_cast<double>(k * 7 % 11);
        }
        out.emplace(b->name, ir::Tensor::of(b->type, shape, cells));
    }
    return out;
}

json failure(const Workload& w, const std::string& why) {
    return {{"name", w.name}, {"failed", why}};
}

// The fastest of some runs, in processor time. Reading the program and preparing it is not in it.
json measure(const Workload& w, int rounds) {
    ir::Context ctx;
    const Result<ir::Function> f = ir::parse_function(ctx, w.program, w.name);
    if (!f) return failure(w, f.error().message);
    const Result<ir::Program> program = ir::prepare(*f);
    if (!program) return failure(w, program.error().message);
    const ir::Inputs inputs = small_numbers(*f);
    std::uint64_t steps = 0;
    ir::InterpOptions options;
    options.steps = &steps;
    double best = 0;
    for (int round = 0; round < rounds; ++round) {
        const std::clock_t start = std::clock();
        const Result<ir::Outcome> outcome = ir::run(*program, inputs, options);
        const double seconds =
            static_cast<double>(std::clock() - start) / static_cast<double>(CLOCKS_PER_SEC);
        if (!outcome) return failure(w, outcome.error().message);
        if (!std::holds_alternative<ir::Finished>(*outcome)) {
            return failure(w, ir::describe(*outcome));
        }
        if (round == 0 || seconds < best) best = seconds;
    }
    return {{"name", w.name},
            {"operations", steps},
            {"seconds", best},
            {"operations_per_second", static_cast<double>(steps) / best}};
}

void print(const json& results) {
    std::printf(
        "simple operation: one statement executed or one expression node evaluated, as the "
        "interpreter's\nstep limit counts; processor time of one core, the fastest run\n");
    for (const json& r : results) {
        const auto name = r["name"].get<std::string>();
        if (r.contains("failed")) {
            std::printf("%-32s FAILED: %s\n", name.c_str(), r["failed"].get<std::string>().c_str());
            continue;
        }
        std::printf("%-32s %9.1f million operations/s  (%.1f million in %.3f s)\n", name.c_str(),
                    r["operations_per_second"].get<double>() / 1e6,
                    r["operations"].get<double>() / 1e6, r["seconds"].get<double>());
    }
}

struct Options {
    bool json = false;
    int rounds = 5;
};

std::optional<Options> read_options(const std::vector<std::string>& args) {
    constexpr long most_rounds = 1000;
    const std::string rounds = "--rounds=";
    Options o;
    for (const std::string& arg : args) {
        if (arg == "--json") {
            o.json = true;
        } else if (arg.rfind(rounds, 0) == 0) {
            char* end = nullptr;
            const long n = std::strtol(arg.c_str() + rounds.size(), &end, 10);
            if (*end != '\0' || n < 1 || n > most_rounds) return std::nullopt;
            o.rounds = static_cast<int>(n);
        } else {
            return std::nullopt;
        }
    }
    return o;
}

}  // namespace

int interpreter_command(const std::vector<std::string>& args) {
    const std::optional<Options> o = read_options(args);
    if (!o) {
        std::fprintf(stderr,
                     "usage: proviso-bench interpreter [--json] [--rounds=N]   N: 1 to 1000\n");
        return 2;
    }
    json results = json::array();
    bool failed = false;
    for (const Workload& w : kWorkloads) {
        results.push_back(measure(w, o->rounds));
        failed = failed || results.back().contains("failed");
    }
    if (o->json) {
        std::printf("%s\n", results.dump().c_str());
    } else {
        print(results);
    }
    return failed ? 1 : 0;
}

}  // namespace proviso::bench
