#include "verify/harness/replay.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>
#include <map>

#include "analysis/facts/facts.h"
#include "ir/text.h"
#include "verify/harness/contract.h"
#include "verify/harness/mend.h"
#include "verify/harness/whole_inputs.h"
#include "verify/tv/least_steps.h"

namespace proviso::verify {

using namespace ir;
using analysis::ModelValue;

std::string Replay::str() const {
    return comparison.what + " (with " + describe_by_exceptions(inputs) + ")";
}

namespace {

// Values of a model, as far as they are inputs of the function.
class Hints {
  public:
    Hints(Context& ctx, const Function& f, const std::vector<ModelValue>& model)
        : ctx_(ctx), function_(f), model_(model) {}

    // Size variables and scalar parameters that the model names, within their declared bounds: no
    // larger extents of buffers than `extent`, and no larger integers than `scalar`.
    Sizes sizes(std::int64_t extent, std::int64_t scalar) const {
        Sizes out;
        const std::vector<Expr> known = size_variables(function_);
        for (const ModelValue& m : model_) {
            if (m.value == nullptr || m.expr == nullptr || m.value->type != m.expr->type) continue;
            if (std::find(known.begin(), known.end(), m.expr) == known.end()) continue;
            const bool fine =
                !m.expr->type.is_int() ||
                fits(m.expr, m.value->int_value(), sizes_a_buffer(m.expr) ? extent : scalar);
            if (fine) out[m.expr] = m.value;
        }
        return out;
    }

    // Puts the cells that the model names into logical inputs.
    void put_cells(Inputs& inputs) {
        Sizes sizes = sizes_of(ctx_, function_, inputs);
        if (sizes != table_sizes_) tables_.clear();
        table_sizes_ = std::move(sizes);
        for (const ModelValue& m : model_) {
            if (m.expr == nullptr || m.expr->op != Op::Load) continue;
            const auto found = inputs.find(m.expr->buffer->name);
            if (found == inputs.end()) continue;
            Tensor* tensor = std::get_if<Tensor>(&found->second);
            if (tensor == nullptr || m.expr->type != tensor->type) continue;
            const auto value = cell_value(m);
            if (!value) continue;
            if (!granted(m.expr->buffer->name, *value)) continue;
            const auto offset = logical_offset(m.expr, *tensor);
            if (offset) tensor->set(*offset, *value);
        }
    }

  private:
    // What the model says of a cell; nothing where inputs are definite and the model's is not.
    std::optional<Value> cell_value(const ModelValue& m) const {
        if (m.value != nullptr) return constant_value(m.value);
        const bool open =
            m.out_of_range.empty() && analysis::may_be_indet(function_, m.expr->buffer);
        return open ? std::optional<Value>(Value::indet()) : std::nullopt;
    }

    // A licence says what the caller never passes.
    bool granted(const std::string& buffer, const Value& value) const {
        return !value.is_float() || std::isfinite(value.real()) ||
               !function_.has_licence("finite(" + buffer + ")");
    }

    bool sizes_a_buffer(Expr v) const {
        const std::vector<Buffer> all = function_.buffer_params();
        return std::any_of(all.begin(), all.end(), [&](Buffer b) {
            return std::any_of(b->shape.begin(), b->shape.end(),
                               [&](Expr extent) { return occurs_free(v, extent); });
        });
    }

    bool fits(Expr var, Int128 value, std::int64_t largest) const {
        const auto lo = function_.lower_bound(*var->name);
        const auto hi = function_.upper_bound(*var->name);
        return value <= largest && value >= -largest && (!lo || value >= *lo) &&
               (!hi || value <= *hi);
    }

    std::optional<std::size_t> logical_offset(Expr load, const Tensor& tensor) {
        const Buffer b = function_.find_buffer_param(load->buffer->name);
        if (b == nullptr || load->args.size() != b->rank()) return std::nullopt;
        std::vector<std::int64_t> at;
        for (Expr index : load->args) {
            const Result<std::int64_t> value = extent_of(index, table_sizes_);
            if (!value) return std::nullopt;
            at.push_back(*value);
        }
        const auto known = tables_.find(b->name);
        const Result<ConcreteParameter>& p =
            known != tables_.end()
                ? known->second
                : tables_.emplace(b->name, concrete_parameter(ctx_, function_, b, table_sizes_))
                      .first->second;
        if (!p) return std::nullopt;
        auto offset = Tensor::filled(kBool, p->physical, Value::indet()).offset(at);
        for (std::size_t level = p->layouts.size(); level-- > 0 && offset;) {
            const std::vector<std::size_t>& image = p->layouts[level].image;
            const auto x = std::find(image.begin(), image.end(), *offset);
            if (x == image.end()) return std::nullopt;
            offset = static_cast<std::size_t>(x - image.begin());
        }
        if (offset && *offset >= tensor.size()) return std::nullopt;
        return offset;
    }

    Context& ctx_;
    const Function& function_;
    const std::vector<ModelValue>& model_;
    // Index tables of the last sizes seen, by parameter.
    Sizes table_sizes_;
    std::map<std::string, Result<ConcreteParameter>> tables_;
};

// Runs that end at the step limit tell nothing, and a program's length hardly depends on its
// inputs: after so many of them, and no more others, a few long runs are made instead; they end
// with the first that is too long.
constexpr std::uint64_t kTooLong = 4;
constexpr std::uint64_t kLongRuns = 3;
// Of sizes that can be chosen, before the others: most of what goes wrong does so at small sizes.
constexpr std::int64_t kSmallExtent = 2;

// The last of many tries: floats are zeros of either sign. Which zero a sum gives shows only where
// all of its terms are zeros, most of them negative.
constexpr std::uint64_t kFewTries = 100;
constexpr std::uint64_t kSignedZeros = 24;

void only_zeros(Inputs& inputs, std::uint64_t seed) {
    Chooser chooser(seed);
    for (auto& [name, input] : inputs) {
        Tensor* t = std::get_if<Tensor>(&input);
        if (t == nullptr || !t->type.is_float()) continue;
        for (std::size_t k = 0; k < t->size(); ++k) {
            if (t->states[k] != CellState::Definite) continue;
            t->set(k, Value::of_float(chooser.next() % 4 == 0 ? 0.0 : -0.0));
        }
    }
}

// "the padding of A repeats a cell that is no data (with n = 1)"
std::string at_sizes(const std::string& what, const Function& f, const Sizes& sizes) {
    std::string list;
    for (Expr v : size_variables(f)) {
        const auto value = sizes.find(v);
        if (value == sizes.end()) continue;
        list += (list.empty() ? "" : ", ") + std::string(*v->name) + " = " + print(value->second);
    }
    return list.empty() ? what : what + " (with " + list + ")";
}

// Zeros in place of what plays no part: cells of tensors that are too large to be shown whole,
// halves of them at a time, as long as the run shows the very same.
class Plainer {
  public:
    Plainer(Comparer& comparer, const CompareOptions& options, Replay& found)
        : comparer_(comparer), options_(options), found_(found) {}

    void run() {
        std::vector<std::string> names;
        for (const auto& [name, input] : found_.inputs) {
            const Tensor* t = std::get_if<Tensor>(&input);
            if (t != nullptr && t->size() > kShown) names.push_back(name);
        }
        for (const std::string& name : names) {
            by_halves(name, std::get<Tensor>(found_.inputs.at(name)).size());
        }
    }

  private:
    static constexpr std::size_t kShown = 32;  // cells, as the description has them
    static constexpr std::size_t kRunsOfATensor = 24;

    // Large parts first: the runs may not suffice for all.
    void by_halves(const std::string& name, std::size_t cells) {
        std::deque<std::pair<std::size_t, std::size_t>> parts = {{0, cells}};
        left_ = kRunsOfATensor;
        while (!parts.empty() && left_ > 0) {
            const auto [from, to] = parts.front();
            parts.pop_front();
            if (zeros(name, from, to) || to - from == 1) continue;
            const std::size_t middle = from + (to - from) / 2;
            parts.emplace_back(from, middle);
            parts.emplace_back(middle, to);
        }
    }

    bool zeros(const std::string& name, std::size_t from, std::size_t to) {
        Inputs tried = found_.inputs;
        Tensor& t = std::get<Tensor>(tried.at(name));
        const Value zero = t.type.is_float() ? Value::of_float(0.0) : Value::of_int(0);
        bool changed = false;
        for (std::size_t k = from; k < to; ++k) {
            if (t.states[k] != CellState::Definite) continue;
            changed |= t.at(k).str(t.type) != zero.str(t.type);
            t.set(k, zero);
        }
        if (!changed) return true;
        --left_;
        const Result<Comparison> seen = comparer_.compare(tried, options_);
        const bool same = seen && seen->refutes() && seen->what == found_.comparison.what;
        if (same) found_.inputs = std::move(tried);
        return same;
    }

    Comparer& comparer_;
    const CompareOptions& options_;
    Replay& found_;
    std::size_t left_ = 0;  // runs
};

std::vector<ModelValue> cells_of(const std::vector<ModelValue>& hints) {
    std::vector<ModelValue> out;
    std::copy_if(hints.begin(), hints.end(), std::back_inserter(out),
                 [](const ModelValue& m) { return m.expr != nullptr && m.expr->op == Op::Load; });
    return out;
}

bool tells(const Result<ReplayResult>& r) {
    return r && (r->found || !r->no_relation.empty());
}

// Short runs all ended at their limit, the last one on these inputs.
Result<ReplayResult> after_short_runs(Context& ctx, const Function& before, const Function& after,
                                      const std::vector<ModelValue>& hints,
                                      const ReplayOptions& options, const Inputs& inputs,
                                      ReplayResult seen) {
    const std::vector<Expr> sizes = size_variables(before);
    const bool may_be_smaller =
        options.tries > kLongRuns && options.inputs.max_extent > kSmallExtent &&
        std::any_of(sizes.begin(), sizes.end(),
                    [&](Expr v) { return options.inputs.fixed.count(v) == 0; });
    if (may_be_smaller) {
        ReplayOptions small = options;
        small.inputs.max_extent = kSmallExtent;
        Result<ReplayResult> twin = replay(ctx, before, after, cells_of(hints), small);
        if (tells(twin)) return twin;
    }
    if (options.long_step_limit <= options.step_limit) return seen;
    const Sizes at = sizes_of(ctx, before, inputs);
    const std::uint64_t first = likely_steps(ctx, before, at);
    const std::uint64_t both = first + likely_steps(ctx, after, at);
    if (first > options.long_step_limit) {
        seen.steps_needed = first;
        return seen;
    }
    ReplayOptions longer = options;
    longer.step_limit = options.long_step_limit;
    longer.seed += kRoundingSeed;  // the few runs are those that show most
    longer.tries =
        std::clamp<std::uint64_t>(options.long_step_limit / std::max<std::uint64_t>(both, 1), 1,
                                  std::min(kLongRuns, options.tries));
    return replay(ctx, before, after, hints, longer);
}

// The values that the model has for sizes and scalars: small ones, which are read best; and as
// large as runs of them may be.
Sizes small_sizes(const Hints& known, const ReplayOptions& options) {
    const std::int64_t small = 4 * options.inputs.max_extent + 16;
    return known.sizes(small, small);
}
Sizes sizes_of_model(Context& ctx, const Function& before, const Function& after,
                     const Hints& known, const ReplayOptions& options) {
    constexpr std::int64_t kAny = std::numeric_limits<std::int64_t>::max();
    const std::int64_t small = 4 * options.inputs.max_extent + 16;
    const Sizes least = small_sizes(known, options);
    for (const std::int64_t extent : {kAny, small}) {
        Sizes out = known.sizes(extent, kAny);
        if (out == least) break;
        InputOptions made = options.inputs;
        made.fixed.insert(out.begin(), out.end());
        const Result<Inputs> inputs = random_inputs(ctx, before, options.seed, made);
        if (!inputs) continue;
        const Sizes at = sizes_of(ctx, before, *inputs);
        if (likely_steps(ctx, before, at) > options.step_limit ||
            likely_steps(ctx, after, at) > options.step_limit) {
            continue;
        }
        return out;
    }
    return least;
}

}  // namespace

Result<ReplayResult> replay(Context& ctx, const Function& before, const Function& after,
                            const std::vector<ModelValue>& hints, const ReplayOptions& options) {
    Result<Comparer> comparer = Comparer::make(ctx, before, after);
    if (!comparer) return comparer.error();
    const InputMender mender(ctx, before);
    Hints known(ctx, before, hints);
    const Sizes small = small_sizes(known, options);
    const Sizes large = sizes_of_model(ctx, before, after, known, options);
    ReplayResult out;
    std::optional<Diagnostic> failed;
    std::uint64_t too_long = 0;
    const std::uint64_t patience = options.tries <= kLongRuns ? 1 : kTooLong;
    for (std::uint64_t k = 0; k < options.tries; ++k) {
        // One half of the runs starts from the model, the other half ignores it.
        const bool use_hints = !hints.empty() && k % 2 == 0;
        InputOptions made = options.inputs;
        const Sizes& hinted = (k / 2 + k / 4) % 2 == 0 ? small : large;
        if (use_hints) made.fixed.insert(hinted.begin(), hinted.end());
        const std::uint64_t seed = options.seed + (hints.empty() ? k : k / 2);
        Result<Inputs> inputs = random_inputs(ctx, before, seed, made);
        if (!inputs) {
            failed = inputs.error();
            continue;
        }
        if (use_hints) known.put_cells(*inputs);
        if (options.tries > kFewTries && k + kSignedZeros >= options.tries) {
            only_zeros(*inputs, seed);
        }
        CompareOptions compare;
        compare.open = k % 4 < 2 ? OpenCells::Indet : OpenCells::Garbage;
        compare.seed = seed;
        compare.ulps = options.ulps;
        compare.interp.step_limit = std::max(step_limit_of(before, options.step_limit),
                                             step_limit_of(after, options.step_limit));
        compare.interp.cell_limit = std::max<std::uint64_t>(1 << 22, made.cell_limit);
        compare.interp.check_regions = true;  // a claim that is false is a fault
        Result<Comparison> result = comparer->compare(*inputs, compare);
        // Where an assumption fails: once more with inputs that satisfy it.
        const bool again = result && result->agreement == Agreement::SourceFaults &&
                           mender.mend(*inputs, seed, options.step_limit);
        if (again) result = comparer->compare(*inputs, compare);
        ++out.tries;
        if (!result && result.error().hint == kNoRelation) {  // `before` ran through there
            out.no_relation =
                at_sizes(result.error().message, before, sizes_of(ctx, before, *inputs));
            return out;
        }
        if (!result) {
            failed = result.error();
            continue;
        }
        if (result->agreement == Agreement::SourceFaults) continue;
        if (result->agreement == Agreement::Inconclusive) {
            ++out.undecided;
            out.why_undecided = result->what;
            too_long += result->fault == FaultKind::StepLimit ? 1 : 0;
            if (too_long < patience || 2 * too_long < out.tries) continue;
            return after_short_runs(ctx, before, after, hints, options, *inputs, std::move(out));
        }
        ++out.counted;
        out.rounded += result->rounded ? 1 : 0;
        if (!result->refutes()) continue;
        out.found = Replay{std::move(*inputs), *result, compare.open, compare.seed, out.tries};
        if (options.tries > kLongRuns) Plainer(*comparer, compare, *out.found).run();
        return out;
    }
    if (out.counted + out.undecided == 0 && failed) return *failed;
    return out;
}

}  // namespace proviso::verify
