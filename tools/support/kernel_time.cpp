#include "tools/support/kernel_time.h"

#include <sched.h>

#include <algorithm>
#include <chrono>
#include <cstring>

#include "backend/cpu/backend.h"
#include "backend/cpu/no_wrap.h"
#include "backend/host_value.h"
#include "backend/tensor.h"
#include "rewrite/graph/layouts.h"
#include "rewrite/passes/passes.h"
#include "rewrite/schedule/reader/reader.h"

namespace proviso::tools {

namespace {

using Clock = std::chrono::steady_clock;

// The thread stays on the core where it began, unless threads of its own come from it.
class OnOneCore {
  public:
    explicit OnOneCore(const ir::Function& f) {
        if (backend::has_concurrent_loop(f)) return;
        known_ = sched_getaffinity(0, sizeof before_, &before_) == 0;
        cpu_set_t one;
        CPU_ZERO(&one);
        CPU_SET(static_cast<unsigned>(std::max(sched_getcpu(), 0)), &one);
        if (known_) sched_setaffinity(0, sizeof one, &one);
    }
    ~OnOneCore() {
        if (known_) sched_setaffinity(0, sizeof before_, &before_);
    }
    OnOneCore(const OnOneCore&) = delete;
    OnOneCore& operator=(const OnOneCore&) = delete;

  private:
    cpu_set_t before_{};
    bool known_ = false;
};

// Numbers of no particular kind: neither zeros nor subnormals, which may take another time.
template <typename Float>
void fill(std::vector<std::byte>& bytes) {
    std::uint64_t state = 1;
    for (std::size_t at = 0; at + sizeof(Float) <= bytes.size(); at += sizeof(Float)) {
        state = state * 6364136223846793005U + 1442695040888963407U;
        const auto number = static_cast<Float>(static_cast<double>(state >> 40U) / (1U << 23U) - 1);
        std::memcpy(bytes.data() + at, &number, sizeof number);
    }
}

Result<backend::HostBuffer> memory_of(ir::Buffer b) {
    const auto shape = rewrite::constant_shape(b);
    if (!shape) return error("the size of " + b->name + " is not constant, so there is no time");
    backend::HostBuffer out = backend::make_host_buffer(b->type, *shape);
    if (b->type.str() == "float32") fill<float>(out.bytes);
    if (b->type.str() == "float64") fill<double>(out.bytes);
    return out;
}

std::int64_t since(Clock::time_point start) {
    return std::chrono::nanoseconds(Clock::now() - start).count();
}

Diagnostic stopped(const ir::Function& f) {
    return error(f.name + " stops on what it is measured with",
                 "an assert fails there, or memory is full");
}

// Nanoseconds of `count` calls.
Result<std::int64_t> sample(const backend::CpuModule::Call& call, std::int64_t count,
                            const ir::Function& f) {
    const Clock::time_point start = Clock::now();
    for (std::int64_t k = 0; k < count; ++k) {
        if (call() != 0) return stopped(f);
    }
    return since(start);
}

}  // namespace

Result<KernelTime> kernel_time(const backend::CpuModule& module, const ir::Function& f,
                               const TimingLimits& limits) {
    if (!f.scalar_params().empty()) {
        return error(f.name + " takes scalars, so there is no one time");
    }
    std::vector<backend::HostBuffer> memory;
    for (ir::Buffer b : f.buffer_params()) {
        Result<backend::HostBuffer> made = memory_of(b);
        if (!made) return made.error();
        memory.push_back(*std::move(made));
    }
    std::vector<backend::HostArgument> arguments;
    for (backend::HostBuffer& b : memory) arguments.emplace_back(&b);
    const Result<backend::CpuModule::Call> call = module.bind(f.name, arguments);
    if (!call) return call.error();
    const OnOneCore pinned(f);
    Result<std::int64_t> once = sample(*call, 1, f);  // the first one touches new memory
    if (once) once = sample(*call, 1, f);
    if (!once) return once.error();
    const std::int64_t count = kShortestSample / std::max<std::int64_t>(*once, 1) + 1;
    std::vector<std::int64_t> times;
    std::int64_t sum = 0;
    while (static_cast<int>(times.size()) < limits.least_samples ||
           (sum < limits.nanoseconds && static_cast<int>(times.size()) < limits.most_samples)) {
        const Result<std::int64_t> took = sample(*call, count, f);
        if (!took) return took.error();
        sum += *took;
        times.push_back((*took + count - 1) / count);
    }
    std::sort(times.begin(), times.end());
    const auto at_least_one = [](std::int64_t ns) { return std::max<std::int64_t>(ns, 1); };
    return KernelTime{at_least_one(times.front()), at_least_one(times[times.size() / 2]),
                      static_cast<int>(times.size())};
}

Result<backend::CpuModule> compiled(rewrite::Derivation& derivation, analysis::Prover& prover,
                                    const std::string& cpu) {
    rewrite::Proposer proposer(derivation, prover);
    const rewrite::PassResult lowered = rewrite::lower(proposer);
    if (lowered.wrong) return *lowered.wrong;
    backend::CpuOptions options;
    options.cpu = cpu.empty() ? backend::kDefaultCpu : cpu;
    options.no_signed_wrap = backend::proved_no_wrap(derivation, prover);
    return backend::compile({derivation}, options);
}

Result<KernelTime> kernel_time(rewrite::Derivation& derivation, analysis::Prover& prover,
                               const std::string& cpu, const TimingLimits& limits) {
    const Result<backend::CpuModule> module = compiled(derivation, prover, cpu);
    if (!module) return module.error();
    return kernel_time(*module, derivation.current(), limits);
}

Result<KernelTime> kernel_time(const ir::Function& f, const std::string& schedule,
                               analysis::Prover& prover, const std::string& cpu,
                               const TimingLimits& limits) {
    Result<rewrite::Derivation> derivation = rewrite::Derivation::start(f, prover);
    if (!derivation) return derivation.error();
    rewrite::Proposer proposer(*derivation, prover);
    const Result<rewrite::ScheduleReport> done =
        rewrite::run_schedule(proposer, schedule, f.name + ".sch.py");
    if (!done) return done.error();
    if (done->refusal) return done->refusal->diagnostic;
    return kernel_time(*derivation, prover, cpu, limits);
}

}  // namespace proviso::tools
