#include "verify/tv/runs.h"

#include <fmt/format.h>

#include "analysis/facts/facts.h"
#include "verify/tv/least_steps.h"

namespace proviso::verify {

using namespace ir;

namespace {

constexpr std::size_t kMostStarts = 8;

bool starts_like(const Function& a, const Function& b) {
    return a.params == b.params && a.attrs == b.attrs;
}

}  // namespace

Simplifier& Runs::simplifier(const std::vector<Expr>& finite) {
    if (simplifier_ == nullptr || finite != finite_) {
        runs_.clear();
        finite_ = finite;
        simplifier_ = std::make_unique<Simplifier>(ctx_);
        for (Expr symbol : finite_) simplifier_->promise_finite(symbol);
    }
    return *simplifier_;
}

Result<std::shared_ptr<const Start>> Runs::start(const Function& f, const Sizes& sizes) {
    for (const KnownStart& known : starts_) {
        if (starts_like(known.f, f) && known.sizes == sizes) return known.start;
    }
    Result<std::vector<ConcreteParameter>> parameters =
        concrete_parameters(ctx_, f, sizes, cell_limit_);
    if (!parameters) return parameters.error();
    auto out = std::make_shared<Start>();
    out->parameters = *std::move(parameters);
    for (const ConcreteParameter& p : out->parameters) {
        out->tensors.push_back(initial_tensor(ctx_, p, analysis::may_be_indet(f, p.buffer)));
    }
    if (starts_.size() >= kMostStarts) starts_.erase(starts_.begin());
    starts_.push_back(KnownStart{f, sizes, out});
    return std::shared_ptr<const Start>(out);
}

std::shared_ptr<const SymbolicRun> Runs::run(const Function& f, const Sizes& sizes,
                                             const Start& start) {
    PROVISO_CHECK(simplifier_ != nullptr, "a run without a simplifier");
    for (const Known& known : runs_) {
        if (known.f == f && known.sizes == sizes) return known.run;
    }
    auto out = std::make_shared<SymbolicRun>();
    if (takes_more_steps(ctx_, f, sizes, step_limit_)) {
        out->unsupported = kTooManySteps;
    } else {
        ++executed_;
        *out = execute(ctx_, *simplifier_, f, sizes, start.tensors, step_limit_, allocation_limit_);
    }
    runs_.push_back(Known{f, sizes, out});
    return out;
}

void Runs::keep_only(const Function& f) {
    std::erase_if(runs_, [&](const Known& known) { return known.f != f; });
}

}  // namespace proviso::verify
