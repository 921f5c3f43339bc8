#include "verify/tv/numbering/numbering.h"

#include <algorithm>

#include "verify/tv/expressions.h"
#include "verify/tv/least_steps.h"
#include "verify/tv/numbering/runner.h"

namespace proviso::verify {

using namespace ir;

namespace {

std::vector<std::vector<TermId>> numbers_of(Terms& terms,
                                            const std::vector<SymbolicTensor>& tensors) {
    std::vector<std::vector<TermId>> out;
    for (const SymbolicTensor& tensor : tensors) {
        std::vector<TermId>& cells = out.emplace_back();
        cells.reserve(tensor.cells.size());
        for (const SymbolicCell& cell : tensor.cells) {
            const bool known = is_const(cell.content.defined);
            if (!cell.closed && !known) throw GivenUp{"a cell that may be indeterminate"};
            cells.push_back(cell.closed                      ? Terms::kClosed
                            : is_false(cell.content.defined) ? Terms::kIndet
                                                             : terms.leaf(cell.content.value));
        }
    }
    return out;
}

bool within(const std::vector<bool>& these, const std::vector<bool>& those) {
    for (std::size_t k = 0; k < these.size(); ++k) {
        if (these[k] && (k >= those.size() || !those[k])) return false;
    }
    return true;
}

// The one is definite only where the other is the same.
bool is_same(const SymbolicValue& was, const SymbolicValue& is) {
    return is_false(was.defined) || (was.value == is.value && was.defined == is.defined);
}

}  // namespace

Numbering::Numbering(Context& ctx, const Limits& limits)
    : ctx_(ctx), limits_(limits), terms_(std::make_unique<Terms>(limits.terms)) {}
Numbering::~Numbering() = default;

std::shared_ptr<const NumberedRun> Numbering::run(const Function& f, const Sizes& sizes,
                                                  const Start& start) {
    for (const Known& known : runs_) {
        if (known.f == f && known.sizes == sizes) return known.run;
    }
    auto out = std::make_shared<NumberedRun>();
    try {
        if (takes_more_steps(ctx_, f, sizes, limits_.steps)) throw GivenUp{kTooManySteps};
        out->before = numbers_of(*terms_, start.tensors);
        std::vector<std::vector<std::int64_t>> shapes;
        for (const SymbolicTensor& tensor : start.tensors) shapes.push_back(tensor.shape);
        const Compiled program(ctx_, *terms_, f, sizes);
        terms_->begin_run();
        Runner(ctx_, *terms_, program, limits_, *out).run(shapes, out->before);
    } catch (const GivenUp& e) {
        *out = {};
        out->given_up = e.why;
    }
    runs_.push_back({f, sizes, out});
    return out;
}

void Numbering::keep_only(const Function& f) {
    std::erase_if(runs_, [&](const Known& known) { return known.f != f; });
}

void Numbering::forget() {
    runs_.clear();
    terms_ = std::make_unique<Terms>(limits_.terms);
}

std::optional<std::size_t> Numbering::same(const Function& before, const Start& from,
                                           const Function& after, const Start& to,
                                           const Sizes& sizes) {
    // Numbers are never given back, so there may be no room because of earlier programs.
    const bool may_forget = !runs_.empty();
    auto first = run(before, sizes, from);
    auto second = first->given_up.empty() ? run(after, sizes, to) : first;
    if (may_forget && second->given_up == kTooManyTerms) {
        forget();
        first = run(before, sizes, from);
        second = run(after, sizes, to);
    }
    return compare(from, *first, to, *second);
}

std::vector<SymbolicTensor> Numbering::tensors(const Start& start, const NumberedRun& run) const {
    std::vector<SymbolicTensor> out = start.tensors;
    for (std::size_t p = 0; p < out.size(); ++p) {
        for (std::size_t k = 0; k < out[p].cells.size(); ++k) {
            const TermId id = run.after[p][k];
            if (id == run.before[p][k]) continue;
            out[p].cells[k].content = id == Terms::kIndet
                                          ? indet_value(ctx_, out[p].type)
                                          : SymbolicValue{terms_->expr(ctx_, id), ctx_.true_()};
        }
    }
    return out;
}

std::optional<std::size_t> Numbering::compare(const Start& from, const NumberedRun& before,
                                              const Start& to, const NumberedRun& after) const {
    if (!before.given_up.empty() || !after.given_up.empty()) return std::nullopt;
    const bool no_new_fault = within(after.evaluated, before.evaluated) &&
                              within(after.observed, before.observed) &&
                              within(after.assumed, before.assumed);
    if (!no_new_fault) return std::nullopt;
    const std::vector<SymbolicTensor> first = tensors(from, before);
    const std::vector<SymbolicTensor> second = tensors(to, after);
    std::size_t cells = 0;
    std::vector<PaddingPromise> promises;
    for (std::size_t p = 0; p < first.size(); ++p) {
        std::vector<PaddingPromise> of_before;
        const SymbolicTensor a = logical_tensor(ctx_, from.parameters[p], first[p], of_before);
        const SymbolicTensor b = logical_tensor(ctx_, to.parameters[p], second[p], promises);
        for (std::size_t k = 0; k < a.cells.size(); ++k) {
            if (!is_same(a.cells[k].content, b.cells[k].content)) return std::nullopt;
        }
        cells += a.cells.size();
    }
    const bool kept = std::all_of(promises.begin(), promises.end(),
                                  [](const PaddingPromise& p) { return is_same(p.pad, p.is); });
    return kept ? std::optional(cells) : std::nullopt;
}

}  // namespace proviso::verify
