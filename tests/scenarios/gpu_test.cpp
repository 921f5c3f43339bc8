// GPU programs, one file tests/scenarios/gpu/*.gpu each (README.md beside them says how to read
// one): lowered, their launches proved, their text run on this machine with threads in four orders,
// through OpenCL where there is a device, and compared with the interpreter on the source, bit for
// bit, as is the LLVM IR that PTX is made of; compiled by NVRTC, and the PTX by ptxas, where there
// are such.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "backend/cpu/backend.h"
#include "backend/gpu/drivers/gpu_host.h"
#include "backend/gpu/drivers/nvptx_host.h"
#include "backend/gpu/drivers/nvrtc.h"
#include "backend/gpu/drivers/opencl.h"
#include "backend/gpu/drivers/ptxas.h"
#include "backend/gpu/llvm/nvptx.h"
#include "backend/gpu/plan/serial_twin.h"
#include "ir/planted.h"
#include "ir/text.h"
#include "rewrite/schedule/reader/reader.h"
#include "tests/sanitized.h"
#include "verify/harness/inputs.h"
#include "verify/harness/replay.h"

namespace proviso::scenarios {
namespace {

namespace fs = std::filesystem;
namespace gpu = backend::gpu;
using namespace ir;

struct GpuCase {
    std::string name;
    std::string target = "gpu-host";
    std::string expect;                           // runs, refused, shape, faults, caught
    std::string reason;                           // a part of the message
    std::string planted;                          // caught: the fault that is planted in the text
    std::vector<std::string> text;                // parts of the kernels' text
    std::optional<std::size_t> barriers;          // how many stand in it
    std::vector<std::vector<std::string>> sizes;  // "n=13" of one run; empty: one run, made up
    std::string schedule;
    std::string program;
};
void PrintTo(const GpuCase& c, std::ostream* out) {
    *out << c.name;
}

std::vector<std::string> words_of(const std::string& text) {
    std::istringstream in(text);
    std::vector<std::string> out;
    for (std::string word; in >> word;) out.push_back(word);
    return out;
}

GpuCase read_case(const fs::path& path) {
    GpuCase out;
    out.name = path.stem().string();
    std::ifstream in(path);
    std::string section;
    for (std::string line; std::getline(in, line);) {
        if (line.rfind("--- ", 0) == 0) {
            section = line.substr(4);
        } else if (section == "schedule") {
            out.schedule += line + "\n";
        } else if (section == "program") {
            out.program += line + "\n";
        } else if (const std::size_t colon = line.find(": ");
                   line[0] != '#' && colon != std::string::npos) {
            const std::string key = line.substr(0, colon);
            const std::string rest = line.substr(colon + 2);
            const std::size_t space = std::min(rest.find(' '), rest.size());
            if (key == "target") out.target = rest;
            if (key == "planted") out.planted = rest;
            if (key == "text") out.text.push_back(rest);
            if (key == "barriers") out.barriers = std::stoul(rest);
            if (key == "sizes") out.sizes.push_back(words_of(rest));
            if (key == "expect") {
                out.expect = rest.substr(0, space);
                out.reason = space < rest.size() ? rest.substr(space + 1) : "";
            }
        }
    }
    return out;
}

std::vector<GpuCase> all_cases() {
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(PROVISO_SOURCE_DIR "/tests/scenarios/gpu")) {
        if (entry.path().extension() == ".gpu") files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
    std::vector<GpuCase> out;
    for (const fs::path& file : files) out.push_back(read_case(file));
    return out;
}

std::size_t count_of(const std::string& part, const std::string& text) {
    std::size_t out = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
        ++out;
    }
    return out;
}

bool has(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

std::string cache_folder() {
    return (fs::path(PROVISO_BINARY).parent_path() / "gpu-host").string();
}

// Is there an OpenCL device? Asked once: starting PoCL takes a moment.
bool has_opencl() {
    static const bool found = !gpu::opencl_device_name().empty();
    return found;
}

class GpuPrograms : public testing::TestWithParam<GpuCase> {
  protected:
    // Schedules and lowers; the refusal's text where a primitive was refused.
    std::string derive() {
        const GpuCase& c = GetParam();
        const Result<Function> f = parse_function(ctx_, c.program, c.name);
        EXPECT_TRUE(f.ok()) << f.error().str();
        if (!f.ok()) return "";
        Result<rewrite::Derivation> d = rewrite::Derivation::start(ctx_, *f);
        EXPECT_TRUE(d.ok()) << d.error().str();
        derivation_.emplace(*std::move(d));
        rewrite::Proposer proposer(*derivation_, prover_);
        const auto report = rewrite::run_schedule(proposer, c.schedule, c.name);
        EXPECT_TRUE(report.ok()) << report.error().str();
        if (report.ok() && report->refusal) {
            const rewrite::Refusal& no = *report->refusal;
            const bool failed = no.rejection && no.rejection->failed;
            if (failed && no.rejection->after) {
                expect_race_seen(no.rejection->failed->purpose.words, derivation_->current(),
                                 *no.rejection->after, no.rejection->answer.model);
            }
            return no.diagnostic.message + (failed ? no.rejection->failed->purpose.words : "");
        }
        const rewrite::PassResult lowered = rewrite::lower(proposer);
        EXPECT_FALSE(lowered.wrong.has_value());
        rewrite::place_barriers(proposer);
        return "";
    }

    // A refusal for a race has values for both threads, and the interpreter, which runs bound loops
    // and watches them, sees the race and names its cell.
    void expect_race_seen(const std::string& purpose, const Function& before, const Function& after,
                          const std::vector<analysis::ModelValue>& model) {
        if (!has(purpose, "no race between")) return;
        EXPECT_GE(model.size(), 2U) << purpose;
        const auto seen = verify::replay(ctx_, before, after, model);
        ASSERT_TRUE(seen.ok()) << seen.error().str();
        ASSERT_TRUE(seen->found.has_value()) << purpose << ": not seen in " << seen->tries;
        const std::string what = seen->found->str();
        EXPECT_TRUE(has(what, "data race: ") && has(what, " by iteration ")) << what;
    }

    std::vector<Inputs> inputs() {
        std::vector<Inputs> out;
        std::vector<std::vector<std::string>> sizes = GetParam().sizes;
        if (sizes.empty()) sizes.emplace_back();
        for (std::uint64_t seed = 0; seed < 3; ++seed) {
            for (const auto& set : sizes) {
                verify::InputOptions options;
                for (Expr v : verify::size_variables(derivation_->source())) {
                    for (const std::string& entry : set) {
                        const std::size_t equals = entry.find('=');
                        if (entry.substr(0, equals) != *v->name) continue;
                        options.fixed[v] =
                            ctx_.int_imm(v->type, std::stoll(entry.substr(equals + 1)));
                    }
                }
                const Result<Inputs> made = verify::random_inputs(
                    ctx_, derivation_->source(), seed == 0 ? 0 : 10 + seed, options);
                EXPECT_TRUE(made.ok()) << made.error().str();
                if (made.ok()) out.push_back(*made);
            }
        }
        return out;
    }

    // The interpreter on the lowered program's own parameters: what every device must give.
    std::optional<std::pair<Inputs, Outcome>> expected(const Inputs& logical, std::uint64_t seed) {
        verify::CompareOptions options;
        options.open = verify::OpenCells::Garbage;
        options.seed = seed;
        const Result<verify::Comparison> seen = verify::compare_runs(
            ctx_, derivation_->source(), derivation_->current(), logical, options);
        EXPECT_TRUE(seen.ok()) << seen.error().str();
        EXPECT_FALSE(seen->refutes()) << seen->what;
        if (seen->agreement != verify::Agreement::Refines) return std::nullopt;
        const Result<Inputs> physical =
            verify::physical_inputs(ctx_, derivation_->current(), logical, options);
        EXPECT_TRUE(physical.ok()) << physical.error().str();
        Result<Outcome> outcome = run(derivation_->current(), *physical);
        EXPECT_TRUE(outcome.ok()) << outcome.error().str();
        return std::pair(*physical, *std::move(outcome));
    }

    void expect_equal(const Result<gpu::DeviceRun>& got, const Outcome& wanted) {
        ASSERT_TRUE(got.ok()) << got.error().str();
        ASSERT_FALSE(got->finding.has_value()) << *got->finding;
        const auto difference = backend::run_difference(derivation_->current(), wanted, got->run);
        EXPECT_FALSE(difference.has_value()) << got->device << ": " << *difference;
    }

    void compiles_everywhere(const gpu::Module& module) {
        if (!gpu::has_nvrtc()) return;
        const std::string text = module.source(gpu::Language::Cuda);
        const auto ptx = gpu::compile_cuda(text, "sm_90", gpu::CudaArtefact::Ptx);
        ASSERT_TRUE(ptx.ok()) << ptx.error().str() << text;
        EXPECT_FALSE(has(*ptx, "fma")) << "a fused multiply-add:\n" << *ptx;
        const auto cubin = gpu::compile_cuda(text, "sm_90", gpu::CudaArtefact::Cubin);
        EXPECT_TRUE(cubin.ok()) << cubin.error().str();
    }

    // PTX by way of LLVM: strict floats, and taken by NVIDIA's assembler where there is one.
    void assembles(const gpu::Module& module) {
        const auto ptx = gpu::llvm_ptx(module, "sm_90");
        ASSERT_TRUE(ptx.ok()) << ptx.error().str();
        for (const gpu::Kernel& k : module.plan.kernels) {
            EXPECT_TRUE(has(*ptx, ".entry " + k.name + "(")) << *ptx;
        }
        for (const char* loose :
             {"fma.rn.f", ".ftz", ".approx", ".full", "\tmul.f", "\tadd.f", "\tsub.f"}) {
            EXPECT_FALSE(has(*ptx, loose)) << loose << " in\n" << *ptx;
        }
        if (!gpu::has_ptxas()) return;
        const auto cubin = gpu::assemble_ptx(*ptx, "sm_90");
        EXPECT_TRUE(cubin.ok()) << cubin.error().str() << *ptx;
    }

    // The source, lowered for the CPU, gives what the interpreter gives.
    void expect_cpu(const Inputs& logical) {
        // A loop that is bound in the source the CPU does not take.
        if (rewrite::contains_bound_loop(derivation_->source().body)) return;
        Result<rewrite::Derivation> d = rewrite::Derivation::start(ctx_, derivation_->source());
        rewrite::Proposer proposer(*d, prover_);
        rewrite::lower(proposer);
        const Result<backend::CpuModule> module = backend::compile({*d});
        ASSERT_TRUE(module.ok()) << module.error().str();
        const auto got = backend::run_on_tensors(*module, d->current(), logical);
        ASSERT_TRUE(got.ok()) << got.error().str();
        const Result<Outcome> wanted = run(d->current(), logical);
        const auto difference = backend::run_difference(d->current(), *wanted, *got);
        EXPECT_FALSE(difference.has_value()) << "cpu: " << *difference;
    }

    void run_everywhere(const gpu::Module& module) {
        gpu::GpuHostOptions options;
        options.cache = cache_folder();
        int counted = 0;
        for (const Inputs& logical : inputs()) {
            const auto wanted = expected(logical, 1);
            if (!wanted) continue;
            ++counted;
            expect_cpu(logical);
            expect_equal(
                gpu::run_on_gpu_host(module, derivation_->current(), wanted->first, options),
                wanted->second);
            expect_equal(
                gpu::run_on_nvptx_host(module, derivation_->current(), wanted->first, options),
                wanted->second);
            if (!has_opencl()) continue;
            const auto got = gpu::run_on_opencl(module, derivation_->current(), wanted->first);
            // A device whose floats are not strict enough says so, and is no reason to fail.
            if (!got.ok() && has(got.error().message, "float")) continue;
            expect_equal(got, wanted->second);
        }
        EXPECT_GT(counted, 0) << "no run says anything";
    }

    // A fault planted in the text is seen by running it.
    void expect_caught(const gpu::Module& module) {
        gpu::GpuHostOptions options;
        options.cache = cache_folder();
        for (const Inputs& logical : inputs()) {
            const auto wanted = expected(logical, 1);
            if (!wanted) continue;
            const auto got =
                gpu::run_on_gpu_host(module, derivation_->current(), wanted->first, options);
            ASSERT_TRUE(got.ok()) << got.error().str();
            std::string seen = got->finding.value_or("");
            if (!got->finding) {
                seen = backend::run_difference(derivation_->current(), wanted->second, got->run)
                           .value_or("");
            }
            if (seen.empty()) continue;
            EXPECT_TRUE(has(seen, GetParam().reason)) << seen;
            return;
        }
        ADD_FAILURE() << "not caught";
    }

    Context ctx_;
    analysis::Prover prover_{ctx_, {}};
    std::optional<rewrite::Derivation> derivation_;
};

TEST_P(GpuPrograms, Hold) {
    const GpuCase& c = GetParam();
    if (!tests::is_in_part(c.name)) {
        GTEST_SKIP() << "not in the part that runs under sanitizers this time";
    }
    const std::string refused = derive();
    if (HasFailure()) return;
    if (c.expect == "faults") {
        bool seen = false;
        for (const Inputs& logical : inputs()) {
            const Result<Outcome> outcome = run(derivation_->source(), logical);
            ASSERT_TRUE(outcome.ok()) << outcome.error().str();
            seen = seen || has(describe(*outcome), c.reason);
        }
        EXPECT_TRUE(seen);
        return;
    }
    if (!refused.empty()) {
        EXPECT_EQ(c.expect, "refused") << refused;
        EXPECT_TRUE(has(refused, c.reason)) << refused;
        return;
    }
    const Result<gpu::Target> target = gpu::find_target(c.target);
    ASSERT_TRUE(target.ok()) << target.error().str();
    planted_fault() = c.planted;
    const gpu::Built built = gpu::build(*derivation_, *target, prover_);
    planted_fault().clear();
    if (const auto* wrong = std::get_if<Diagnostic>(&built)) {
        EXPECT_EQ(c.expect, "shape") << wrong->str();
        EXPECT_TRUE(has(wrong->str(), c.reason)) << wrong->str();
        return;
    }
    if (const auto* no = std::get_if<gpu::Refusal>(&built)) {
        EXPECT_EQ(c.expect, "refused") << no->diagnostic.str();
        EXPECT_EQ(no->verdict, analysis::Verdict::Refuted) << no->diagnostic.str();
        EXPECT_TRUE(has(no->diagnostic.str(), c.reason)) << no->diagnostic.str();
        const Function& f = derivation_->current();
        expect_race_seen(no->diagnostic.message, gpu::serial_twin(ctx_, f), f, no->model);
        return;
    }
    const auto& module = std::get<gpu::Module>(built);
    for (const std::string& part : c.text) EXPECT_TRUE(has(module.kernels, part)) << module.kernels;
    if (c.barriers) {
        EXPECT_EQ(count_of("PV_BARRIER()", module.kernels), *c.barriers) << module.kernels;
    }
    if (c.expect == "caught") return expect_caught(module);
    ASSERT_EQ(c.expect, "runs") << print(derivation_->current());
    run_everywhere(module);
    compiles_everywhere(module);
    assembles(module);
}

INSTANTIATE_TEST_SUITE_P(All, GpuPrograms, testing::ValuesIn(all_cases()), [](const auto& test) {
    std::string name = test.param.name;
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
});

}  // namespace
}  // namespace proviso::scenarios
