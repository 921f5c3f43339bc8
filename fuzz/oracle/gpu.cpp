#include "fuzz/oracle/gpu.h"

#include <sys/resource.h>

#include <nlohmann/json.hpp>

#include "backend/gpu/drivers/gpu_host.h"
#include "backend/gpu/drivers/nvptx_host.h"
#include "backend/gpu/drivers/nvrtc.h"
#include "backend/gpu/drivers/oclgrind.h"
#include "backend/gpu/drivers/opencl.h"
#include "backend/gpu/plan/serial_twin.h"
#include "fuzz/oracle/input_series.h"
#include "rewrite/passes/barriers.h"
#include "rewrite/passes/passes.h"
#include "rewrite/rules/block_level.h"

namespace proviso::fuzz {

using namespace ir;
namespace gpu = backend::gpu;

namespace {

double processor_seconds() {
    double out = 0;
    for (const auto whose : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
        rusage used{};
        getrusage(whose, &used);
        for (const timeval& t : {used.ru_utime, used.ru_stime}) {
            out += static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
        }
    }
    return out;
}

constexpr std::string_view kGpu = "gpu/";

bool is_serial(const For& loop) {
    return loop.kind == ForKind::Serial || loop.kind == ForKind::Unrolled;
}

class Binder {
  public:
    Binder(rewrite::Proposer& p, Choice& choice, GpuCounts& counts)
        : p_(p), choice_(choice), counts_(counts) {}

    // Below a loop that cannot be bound, what is in it.
    void run(const Site& site) {
        const Stmt s = locate(p_.current(), site)->stmt;
        if (const For* loop = s->as<For>(); loop != nullptr && is_serial(*loop)) {
            const bool blocks = choice_.chance(70);
            if (bind(site, blocks ? "blockIdx.x" : "threadIdx.x")) {
                if (blocks) threads(site.child("body"));
                return;
            }
        }
        for (const Child& c : children(s)) {
            if (c.stmt != nullptr) run(site.child(c.label));
        }
    }

  private:
    // A perfect nest inside of a loop of blocks.
    void threads(const Site& site) {
        const For* loop = locate(p_.current(), site)->stmt->as<For>();
        if (loop == nullptr || !is_serial(*loop)) return;
        if (bind(site, "threadIdx.x") && choice_.chance(50)) {
            const For* inner = locate(p_.current(), site.child("body"))->stmt->as<For>();
            if (inner != nullptr && is_serial(*inner)) bind(site.child("body"), "threadIdx.y");
        }
    }

    bool bind(const Site& site, const char* axis) {
        const bool done = p_.try_apply("bind", site, {{"kind", "thread"}, {"thread", axis}});
        ++(done ? counts_.bound : counts_.not_bound);
        return done;
    }

    rewrite::Proposer& p_;
    Choice& choice_;
    GpuCounts& counts_;
};

// A run of the interpreter without a fault: what every device must give.
struct Expected {
    GivenRun given;
    Outcome outcome;
};

class Oracle {
  public:
    Oracle(rewrite::Proposer& p, const std::map<std::string, CellRange>& ranges,
           const GpuSetup& setup, GpuCounts& counts)
        : p_(p), ranges_(ranges), o_(setup), counts_(counts) {}

    std::optional<Finding> run() {
        const bool fewer = barriers_placed();
        const gpu::Built built = built_now();
        const Function& f = p_.current();
        if (const auto* no = std::get_if<gpu::Refusal>(&built)) return refused(f, *no);
        const gpu::Module* module = std::get_if<gpu::Module>(&built);
        if (module == nullptr) {
            ++counts_.no_form;
            return std::nullopt;
        }
        ++counts_.compiled;
        counts_.fewer += fewer ? 1 : 0;
        counts_.wide += module->kernels.find("PV_WIDE(") != std::string::npos ? 1 : 0;
        for (const gpu::Kernel& k : module->plan.kernels) {
            counts_.barriers += k.barriers.size();
            const auto level = rewrite::BlockLevel::of(module->plan.function, k.site);
            counts_.all_barriers += rewrite::after_every_phase(*level).size();
        }
        if (auto found = interpret(f)) return found;
        if (expected_.empty()) return std::nullopt;
        if (o_.tiers.cpu) {
            if (auto found = on_cpu(f)) return found;
        }
        if (auto found = on_this_machine(*module, f)) return found;
        if (o_.tiers.nvrtc && gpu::has_nvrtc()) {
            if (auto found = compiles(*module)) return found;
        }
        if (auto found = on_devices(*module, f)) return found;
        if (o_.tiers.oclgrind && o_.under_oclgrind && gpu::has_oclgrind()) return oclgrind(f);
        return std::nullopt;
    }

  private:
    bool barriers_placed() {
        const GpuPart part(counts_, "barriers");
        return rewrite::place_barriers(p_).steps > 0;
    }
    gpu::Built built_now() {
        const GpuPart part(counts_, "launches proved");
        return gpu::build(p_.derivation(), *gpu::find_target("gpu-host"), p_.prover());
    }

    std::optional<Finding> on_this_machine(const gpu::Module& module, const Function& f) {
        gpu::GpuHostOptions options;
        options.cache = o_.cache;
        options.seed = o_.seed;
        const auto text = [&](const Inputs& inputs) {
            return gpu::run_on_gpu_host(module, f, inputs, options);
        };
        const auto by_llvm = [&](const Inputs& inputs) {
            return gpu::run_on_nvptx_host(module, f, inputs, options);
        };
        if (o_.tiers.gpu_host) {
            if (auto found = on_device("gpu-host", f, text)) return found;
        }
        return o_.tiers.nvptx ? on_device("nvptx-host", f, by_llvm) : std::nullopt;
    }

    std::optional<Finding> on_devices(const gpu::Module& module, const Function& f) {
        const auto cuda = [&](const Inputs& inputs) {
            // The oldest architecture runs everywhere; its limits are those that were proved.
            gpu::Module any = module;
            any.target = *gpu::find_target("cuda:sm_75");
            return gpu::run_on_cuda(any, f, inputs, o_.seed, o_.cuda);
        };
        const auto opencl = [&](const Inputs& inputs) {
            return gpu::run_on_opencl(module, f, inputs, o_.seed);
        };
        if (o_.tiers.cuda) {
            if (auto found = on_device("cuda", f, cuda)) return found;
        }
        return o_.tiers.opencl && has_opencl() ? on_device("opencl", f, opencl) : std::nullopt;
    }

    // Is there an OpenCL device? Asked once: starting one takes a moment.
    static bool has_opencl() {
        static const bool found = !gpu::opencl_device_name().empty();
        return found;
    }

    Finding finding(const std::string& tier, const char* signature, const std::string& what,
                    const GivenRun& run) const {
        ++counts_.tiers[tier].findings;
        return Finding{gpu_oracle(tier), signature, what, run.inputs, run.setup};
    }

    std::optional<Finding> refused(const Function& f, const gpu::Refusal& no) {
        if (no.verdict == analysis::Verdict::Unknown) {
            ++counts_.undecided;
            return std::nullopt;
        }
        ++(no.race ? counts_.racy : counts_.no_form);
        if (!no.race) return std::nullopt;
        bool seen = false;
        for (int k = 0; k < o_.runs && !seen; ++k) {
            const auto outcome = run_once(f, made_up(f, k));
            const auto* fault = outcome ? std::get_if<Faulted>(&outcome->outcome) : nullptr;
            seen = fault != nullptr && fault->fault.kind == FaultKind::DataRace;
        }
        counts_.races_seen += seen ? 1 : 0;
        return std::nullopt;
    }

    std::optional<GivenRun> made_up(const Function& f, int k) const {
        RunSetup setup = run_setup(o_.seed, k);
        setup.series = o_.seed;
        Choice noise(setup.seed);
        Result<Inputs> inputs = random_inputs(f, ranges_, setup.style, noise);
        if (!inputs) return std::nullopt;
        return GivenRun{*std::move(inputs), setup};
    }

    static std::optional<Expected> run_once(const Function& f, std::optional<GivenRun> given) {
        if (!given) return std::nullopt;
        InterpOptions options;
        options.step_limit = kStepLimit;
        options.seed = given->setup.seed;
        options.order = given->setup.order;
        Result<Outcome> outcome = ir::run(f, given->inputs, options);
        if (!outcome) return std::nullopt;
        return Expected{*std::move(given), *std::move(outcome)};
    }

    std::optional<Finding> interpret(const Function& f) {
        const GpuPart part(counts_, "interpreter");
        GpuTierCounts& tier = counts_.tiers["interpreter"];
        ++tier.programs;
        const int runs = o_.given ? 1 : o_.runs;
        for (int k = 0; k < runs; ++k) {
            std::optional<Expected> one = run_once(f, o_.given ? o_.given : made_up(f, k));
            if (!one) continue;
            ++tier.runs;
            const auto* fault = std::get_if<Faulted>(&one->outcome);
            if (fault == nullptr) {
                expected_.push_back(*std::move(one));
                continue;
            }
            ++counts_.faults;
            if (fault->fault.kind != FaultKind::DataRace) continue;
            return finding("interpreter", "race accepted", describe(one->outcome), one->given);
        }
        return std::nullopt;
    }

    std::optional<Finding> on_cpu(const Function& f) {
        const GpuPart part(counts_, "cpu");
        GpuTierCounts& tier = counts_.tiers["cpu"];
        const Function twin = gpu::serial_twin(p_.ctx(), f);
        CpuCounts cpu;
        std::vector<CpuRun> runs;
        for (const Expected& e : expected_) runs.push_back({e.given.inputs, e.given.setup});
        auto found = check_cpu_on(p_.ctx(), twin, runs, cpu);
        tier.programs += cpu.compiled > 0 ? 1 : 0;
        tier.runs += cpu.runs;
        if (!found) return std::nullopt;
        ++tier.findings;
        found->oracle = gpu_oracle("cpu");
        found->detail = "the serial twin on the CPU: " + found->detail;
        return found;
    }

    template <typename Run>
    std::optional<Finding> on_device(const char* name, const Function& f, const Run& device) {
        const GpuPart part(counts_, name);
        GpuTierCounts& tier = counts_.tiers[name];
        ++tier.programs;
        for (const Expected& e : expected_) {
            const Result<gpu::DeviceRun> got = device(e.given.inputs);
            // A device whose floats are not strict enough says so.
            if (!got && got.error().message.find("float") != std::string::npos) continue;
            ++tier.runs;
            const std::string head = std::string(name) + ": ";
            if (!got) {
                return finding(name, "does not compile", head + got.error().str(), e.given);
            }
            if (got->finding) {
                return finding(name, "goes wrong", head + *got->finding, e.given);
            }
            if (const auto what = backend::run_difference(f, e.outcome, got->run)) {
                const bool stopped = std::holds_alternative<Stopped>(e.outcome);
                return finding(name, stopped ? "ending differs" : "differs", head + *what, e.given);
            }
        }
        return std::nullopt;
    }

    std::optional<Finding> compiles(const gpu::Module& module) {
        const GpuPart part(counts_, "nvrtc");
        ++counts_.tiers["nvrtc"].programs;
        const auto ptx =
            gpu::compile_cuda(module.source(gpu::Language::Cuda), "sm_90", gpu::CudaArtefact::Ptx);
        const GivenRun& run = expected_.front().given;
        if (!ptx) return finding("nvrtc", "does not compile", "nvrtc: " + ptx.error().str(), run);
        ++counts_.tiers["nvrtc"].runs;
        if (ptx->find("fma") == std::string::npos) return std::nullopt;
        return finding("nvrtc", "differs", "nvrtc: a fused multiply-add", run);
    }

    // The first run again, as a command with Oclgrind around it.
    std::optional<Finding> oclgrind(const Function& f) {
        const GpuPart part(counts_, "oclgrind");
        GpuTierCounts& tier = counts_.tiers["oclgrind"];
        ++tier.programs;
        const GivenRun& run = expected_.front().given;
        const Result<std::string> said = o_.under_oclgrind(f, run);
        // As a device, it says that its float quotients and roots are not strict enough.
        if (!said && said.error().str().find("does not round") != std::string::npos) {
            return std::nullopt;
        }
        ++tier.runs;
        if (!said) return finding("oclgrind", "does not run", said.error().str(), run);
        if (said->empty()) return std::nullopt;
        const bool race = said->find("race") != std::string::npos;
        return finding("oclgrind", race ? "sees a race" : "complains",
                       "oclgrind: " + said->substr(0, 1000), run);
    }

    rewrite::Proposer& p_;
    const std::map<std::string, CellRange>& ranges_;
    const GpuSetup& o_;
    GpuCounts& counts_;
    std::vector<Expected> expected_;
};

}  // namespace

GpuPart::GpuPart(GpuCounts& counts, const char* name)
    : counts_(counts), name_(name), start_(processor_seconds()) {}
GpuPart::~GpuPart() {
    counts_.parts[name_] += processor_seconds() - start_;
}

std::string gpu_oracle(const std::string& tier) {
    return std::string(kGpu) + tier;
}
std::string tier_of(const std::string& oracle) {
    return oracle.rfind(kGpu, 0) == 0 ? oracle.substr(kGpu.size()) : "";
}

void bind_loops(rewrite::Proposer& lowered, Choice& choice, GpuCounts& counts) {
    Binder(lowered, choice, counts).run(Site{});
}

std::optional<Finding> check_gpu(rewrite::Proposer& lowered,
                                 const std::map<std::string, CellRange>& ranges,
                                 const GpuSetup& setup, GpuCounts& counts) {
    return Oracle(lowered, ranges, setup, counts).run();
}

}  // namespace proviso::fuzz
