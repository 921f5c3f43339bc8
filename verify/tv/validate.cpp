#include "verify/tv/validate.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <optional>

#include "analysis/facts/facts.h"
#include "ir/text.h"
#include "verify/tv/claims.h"
#include "verify/tv/events.h"
#include "verify/tv/numbering/numbering.h"
#include "verify/tv/refinement.h"
#include "verify/tv/runs.h"

namespace proviso::verify {

using namespace ir;

const char* tv_verdict_name(TvVerdict v) {
    switch (v) {
        case TvVerdict::Bounded: return "BOUNDED";
        case TvVerdict::Refuted: return "REFUTED";
        case TvVerdict::Unknown: return "UNKNOWN";
    }
    return "UNKNOWN";
}

namespace {

// Of sizes that nothing fixes: the first at which both programs are within the limits, and not
// stopped on every run by an assert about their sizes. Those after kSmallest are only for the
// latter.
constexpr std::int64_t kDefaultSizes[] = {8, 5, 3, 2, 16, 32, 1};
constexpr std::int64_t kSmallest = 2;

// Steps of a run on numbers of terms that take as long as `steps` of a symbolic execution.
std::uint64_t numbered_steps(std::uint64_t steps) {
    constexpr std::uint64_t each = 100;
    return std::min(steps, std::numeric_limits<std::uint64_t>::max() / each) * each;
}

// Scalar parameters and size variables that extents and loop bounds mention.
std::vector<Expr> sizes_of_one(const Function& f) {
    const std::vector<Expr> known = size_variables(f);
    std::vector<Expr> out;
    const auto need = [&](Expr e) {
        for (Expr v : free_vars(e)) {
            const bool is_size = std::find(known.begin(), known.end(), v) != known.end();
            if (is_size && std::find(out.begin(), out.end(), v) == out.end()) out.push_back(v);
        }
    };
    for (Buffer b : f.buffer_params()) {
        for (Expr extent : b->shape) need(extent);
    }
    for_each_stmt(f.body, [&](Stmt s) {
        if (const For* n = s->as<For>()) {
            need(n->lo);
            need(n->hi);
        } else if (const Allocate* a = s->as<Allocate>()) {
            for (Expr extent : a->buffer->shape) need(extent);
        }
    });
    return out;
}

class Validator {
  public:
    Validator(Context& ctx, analysis::Prover& prover, const TvOptions& options, Runs& runs,
              Numbering& numbering, std::int64_t default_size)
        : ctx_(ctx),
          options_(options),
          runs_(runs),
          numbering_(numbering),
          default_size_(default_size),
          claims_(prover, options, result_) {}

    // The programs were too large at these sizes, and smaller ones could have been chosen.
    bool may_be_smaller() const {
        if (!chose_size_ || result_.verdict != TvVerdict::Unknown) return false;
        const auto limits = {kTooManyCells, kLargeAllocation, kTooManySteps};
        return std::any_of(limits.begin(), limits.end(), [&](const char* limit) {
            return result_.what.find(limit) != std::string::npos;
        });
    }

    // At these sizes nothing behind an assert runs, and others could have been chosen.
    bool only_stops() const { return only_stops_; }

    const TvResult& run(const Function& before, const Function& after) {
        choose_sizes(before, after);
        const auto from = runs_.start(before, sizes_);
        if (!from) return unknown("unsupported: " + from.error().message);
        const auto to = runs_.start(after, sizes_);
        if (!to) return unknown("unsupported: " + to.error().message);
        const std::vector<ConcreteParameter>& given = (*from)->parameters;
        if (!same_interface(given, (*to)->parameters)) {
            return unknown("unsupported: other parameters");
        }
        for (const ConcreteParameter& p : given) {
            const bool was = analysis::may_be_indet(before, p.buffer);
            const Buffer now = after.find_buffer_param(p.buffer->name);
            if (was == (now != nullptr && analysis::may_be_indet(after, now))) continue;
            return unknown("unsupported: " + p.buffer->name +
                           " may be indeterminate in one program only");
        }
        if (const auto cells = numbering_.same(before, **from, after, **to, sizes_)) {
            result_.verdict = TvVerdict::Bounded;
            result_.cells = *cells;
            return result_;
        }
        read_licences(before, given);
        read_bounds(before);
        const auto first = runs_.run(before, sizes_, **from);
        if (!first->unsupported.empty()) return unknown("before: " + first->unsupported);
        if (!first->froze.empty()) return unknown("before: unsupported: " + first->froze);
        if (!first->never_stops.empty()) {
            return unknown("before: unsupported: " + first->never_stops.front().what);
        }
        for (const Requirement& r : first->requirements) {
            if (is_false(r.claim)) {
                result_.faults_always = true;
                return unknown("before faults on every run at these sizes: " + r.what);
            }
            claims_.add_fact(r.claim);
        }
        const auto second = runs_.run(after, sizes_, **to);
        if (!second->unsupported.empty()) return unknown("after: " + second->unsupported);
        if (!second->open_claims.empty()) {
            return unknown("after: unsupported: " + second->open_claims);
        }
        if (!never_stops(*first, *second)) return result_;
        if (!same_calls(ctx_, *s_, claims_, *first, *second)) return result_;
        if (!same_stops(ctx_, *s_, claims_, *first, *second)) return result_;
        for (const Requirement& r : second->requirements) {
            if (!claims_.holds(r.claim, [&] { return "new fault: not shown that " + r.what; })) {
                return result_;
            }
        }
        compare(given, *first, (*to)->parameters, *second);
        result_.stops_always =
            result_.verdict == TvVerdict::Bounded && is_false(first->runs_through);
        only_stops_ = chose_size_ && result_.stops_always;
        if (only_stops_) return unknown("before stops on every run at these sizes");
        return result_;
    }

  private:
    const TvResult& unknown(std::string why) {
        claims_.unknown(std::move(why));
        return result_;
    }

    void choose_sizes(const Function& before, const Function& after) {
        sizes_ = options_.sizes;
        for (Expr v : sizes_needed(before, after)) {
            if (sizes_.count(v) == 0) {
                std::int64_t size = default_size_;
                if (const auto hi = before.upper_bound(*v->name)) size = std::min(size, *hi);
                if (const auto lo = before.lower_bound(*v->name)) size = std::max(size, *lo);
                chose_size_ = chose_size_ || size == default_size_;
                sizes_[v] = ctx_.int_imm(v->type, size);
            }
            result_.sizes +=
                (result_.sizes.empty() ? "" : ", ") + *v->name + " = " + print(sizes_.at(v));
        }
    }

    static bool same_interface(const std::vector<ConcreteParameter>& a,
                               const std::vector<ConcreteParameter>& b) {
        return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto& x, const auto& y) {
            return x.buffer->name == y.buffer->name && x.buffer->type == y.buffer->type &&
                   x.logical == y.logical;
        });
    }

    // What the function grants, it grants to the comparison as well.
    void read_licences(const Function& f, const std::vector<ConcreteParameter>& parameters) {
        std::vector<Expr> finite;
        for (const ConcreteParameter& p : parameters) {
            const ScalarType type = p.buffer->type;
            if (!type.is_float() || !f.has_licence("finite(" + p.buffer->name + ")")) continue;
            Expr infinity = ctx_.float_imm(type, std::numeric_limits<double>::infinity());
            ConcreteParameter plain = p;
            plain.layouts.clear();  // the cells that the caller knows
            for (const SymbolicCell& cell : initial_tensor(ctx_, plain).cells) {
                finite.push_back(cell.content.value);
                claims_.add_fact(ctx_.lt(ctx_.math(MathFn::Abs, {cell.content.value}), infinity));
            }
        }
        s_ = &runs_.simplifier(finite);
        refinement_.emplace(ctx_, *s_, f);
        claims_.doubt(refinement_->doubt());
    }

    // What the declaration says of the scalars that stay symbols.
    void read_bounds(const Function& f) {
        for (Expr fact : analysis::parameter_facts(ctx_, f)) {
            const std::vector<Expr> of = free_vars(fact);
            const bool sized =
                std::any_of(of.begin(), of.end(), [&](Expr v) { return sizes_.count(v) != 0; });
            if (!sized) claims_.add_fact(fact);
        }
    }

    // No assert of `after` fails in a concurrent loop. One that does is an error where `before`
    // always runs through; elsewhere `before` may stop as well.
    bool never_stops(const SymbolicRun& first, const SymbolicRun& second) {
        for (const Requirement& r : second.never_stops) {
            const auto what = [&] { return "new stop: " + r.what; };
            if (is_true(first.runs_through)) {
                if (!claims_.holds(r.claim, what)) return false;
            } else if (!claims_.shows(r.claim)) {
                return claims_.unknown("after: unsupported: " + r.what);
            }
        }
        return true;
    }

    void compare(const std::vector<ConcreteParameter>& from, const SymbolicRun& first,
                 const std::vector<ConcreteParameter>& to, const SymbolicRun& second) {
        std::vector<PaddingPromise> kept;
        std::vector<PaddingPromise> promises;
        for (std::size_t p = 0; p < from.size(); ++p) {
            const SymbolicTensor a = logical_tensor(ctx_, from[p], first.tensors[p], kept);
            const SymbolicTensor b = logical_tensor(ctx_, to[p], second.tensors[p], promises);
            for (std::size_t k = 0; k < a.cells.size(); ++k) {
                ++result_.cells;
                const SymbolicValue& was = a.cells[k].content;
                const SymbolicValue& is = b.cells[k].content;
                const auto what = [&] {
                    return cell_name(from[p].buffer->name, a.shape, k) + ": before " +
                           value_text(was) + ", after " + value_text(is);
                };
                if (!claims_.holds(refinement_->of(was, is), what)) return;
            }
        }
        // Padding that `before`, with relations of its own, leaves otherwise as well is not news.
        std::map<std::pair<std::string, std::size_t>, const PaddingPromise*> of_before;
        for (const PaddingPromise& promise : kept) {
            of_before[{promise.cell, promise.level}] = &promise;
        }
        for (const PaddingPromise& promise : promises) {
            const auto what = [&] {
                return promise.cell + ": " + value_text(promise.is) + " instead of " +
                       value_text(promise.pad);
            };
            // Where the function stops, it was cut short before it could write its padding.
            Expr when = second.runs_through;
            const auto old = of_before.find({promise.cell, promise.level});
            if (old != of_before.end()) {
                when = s_->both(when, refinement_->of(old->second->pad, old->second->is));
            }
            Expr kept_promise = refinement_->of(promise.pad, promise.is);
            if (!claims_.holds(s_->implies(when, kept_promise), what)) return;
        }
        result_.verdict = TvVerdict::Bounded;
        result_.what.clear();
    }

    Context& ctx_;
    const TvOptions& options_;
    Runs& runs_;
    Numbering& numbering_;
    std::int64_t default_size_;
    bool chose_size_ = false;
    bool only_stops_ = false;
    Simplifier* s_ = nullptr;               // once licences are read
    std::optional<Refinement> refinement_;  // as well
    Sizes sizes_;
    TvResult result_;
    Claims claims_;  // of what the run of `before` needs in order not to fault
};

}  // namespace

std::vector<Expr> sizes_needed(const Function& before, const Function& after) {
    std::vector<Expr> out = sizes_of_one(before);
    for (Expr v : sizes_of_one(after)) {
        if (std::find(out.begin(), out.end(), v) == out.end()) out.push_back(v);
    }
    std::erase_if(out, [](Expr v) { return !v->type.is_int(); });
    return out;
}

struct Validation::Impl {
    Context& ctx;
    analysis::Prover& prover;
    TvOptions options;
    Runs runs;
    Numbering numbering;
};

Validation::Validation(Context& ctx, analysis::Prover& prover, const TvOptions& options)
    : impl_(new Impl{ctx, prover, options,
                     Runs(ctx, options.cell_limit, options.allocation_limit, options.step_limit),
                     Numbering(ctx, {numbered_steps(options.step_limit), options.allocation_limit,
                                     options.numbered_terms})}) {}
Validation::~Validation() = default;

TvResult Validation::step(const Function& before, const Function& after) {
    Impl& m = *impl_;
    TvResult out;
    for (const std::int64_t size : kDefaultSizes) {
        Validator validator(m.ctx, m.prover, m.options, m.runs, m.numbering, size);
        out = validator.run(before, after);
        if (validator.only_stops()) continue;
        if (!validator.may_be_smaller() || size == kSmallest) break;
    }
    m.runs.keep_only(after);
    m.numbering.keep_only(after);
    return out;
}

std::size_t Validation::executed() const {
    return impl_->runs.executed();
}

TvResult validate(Context& ctx, const Function& before, const Function& after,
                  analysis::Prover& prover, const TvOptions& options) {
    return Validation(ctx, prover, options).step(before, after);
}

}  // namespace proviso::verify
