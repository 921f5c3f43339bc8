#include "fuzz/oracle/input_series.h"

#include <array>
#include <bit>

namespace proviso::fuzz {

using namespace ir;
using verify::OpenCells;

namespace {

// How a run is set up, but for its number and what follows from that.
struct RunKind {
    InputStyle style;
    OpenCells open;
    IterationOrder order;
};

constexpr std::array<RunKind, 5> kFirstKinds = {{
    {InputStyle::Small, OpenCells::Indet, IterationOrder::Forward},
    {InputStyle::Adversarial, OpenCells::Garbage, IterationOrder::Reverse},
    {InputStyle::Adversarial, OpenCells::Indet, IterationOrder::Shuffled},
    {InputStyle::Small, OpenCells::Garbage, IterationOrder::Forward},
    {InputStyle::Extreme, OpenCells::Garbage, IterationOrder::Forward},
}};
constexpr int kFirstRuns = 10;
constexpr std::array<RunKind, 11> kLaterKinds = {{
    {InputStyle::Sparse, OpenCells::Garbage, IterationOrder::Shuffled},
    {InputStyle::AnyExponent, OpenCells::Indet, IterationOrder::Reverse},
    {InputStyle::Same, OpenCells::Indet, IterationOrder::Forward},
    {InputStyle::Adversarial, OpenCells::Garbage, IterationOrder::Shuffled},
    {InputStyle::Sparse, OpenCells::Indet, IterationOrder::Reverse},
    {InputStyle::AnyExponent, OpenCells::Garbage, IterationOrder::Forward},
    {InputStyle::Small, OpenCells::Indet, IterationOrder::Shuffled},
    {InputStyle::Extreme, OpenCells::Indet, IterationOrder::Reverse},
    {InputStyle::Adversarial, OpenCells::Indet, IterationOrder::Forward},
    {InputStyle::Same, OpenCells::Garbage, IterationOrder::Reverse},
    {InputStyle::AnyExponent, OpenCells::Garbage, IterationOrder::Shuffled},
}};

void add_bytes(std::string& to, std::uint64_t word) {
    for (int shift = 0; shift < 64; shift += 8) to += static_cast<char>(word >> shift & 0xff);
}

std::string bytes_of(const Inputs& inputs) {
    std::string out;
    for (const auto& [name, input] : inputs) {
        if (const Tensor* t = std::get_if<Tensor>(&input)) {
            for (const std::int64_t extent : t->shape) {
                add_bytes(out, static_cast<std::uint64_t>(extent));
            }
            for (const std::uint64_t bits : t->bits) add_bytes(out, bits);
            continue;
        }
        const Value& v = std::get<Value>(input);
        if (v.is_float()) {
            add_bytes(out, std::bit_cast<std::uint64_t>(v.real()));
        } else {
            out += v.integer().str() + ";";
        }
    }
    return out;
}

}  // namespace

RunSetup run_setup(std::uint64_t seed, int k) {
    const auto at = static_cast<std::size_t>(k);
    const RunKind& kind = k < kFirstRuns ? kFirstKinds[at % kFirstKinds.size()]
                                         : kLaterKinds[(at - kFirstRuns) % kLaterKinds.size()];
    RunSetup out;
    out.style = kind.style;
    out.open = kind.open;
    out.order = kind.order;
    out.seed = mix(seed, static_cast<std::uint64_t>(k));
    out.number = at;
    return out;
}

std::optional<InputSeries::Run> InputSeries::next() {
    while (number_ < runs_) {
        Run run;
        run.setup = run_setup(seed_, number_++);
        Choice choice(run.setup.seed);
        Result<Inputs> inputs = random_inputs(source_, ranges_, run.setup.style, choice);
        if (!inputs) continue;
        run.inputs = *std::move(inputs);
        run.is_new = seen_.insert(bytes_of(run.inputs)).second;
        if (run.is_new || number_ <= kFirstRuns) return run;
    }
    return std::nullopt;
}

}  // namespace proviso::fuzz
