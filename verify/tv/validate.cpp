#include "verify/tv/validate.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <set>
#include <unordered_set>

#include "analysis/facts.h"
#include "ir/domains/value.h"
#include "ir/text.h"
#include "rewrite/rules/licences.h"
#include "verify/tv/runs.h"

namespace proviso::verify {

using namespace ir;
using analysis::Verdict;

const char* tv_verdict_name(TvVerdict v) {
    switch (v) {
        case TvVerdict::Bounded: return "BOUNDED";
        case TvVerdict::Refuted: return "REFUTED";
        case TvVerdict::Unknown: return "UNKNOWN";
    }
    return "UNKNOWN";
}

namespace {

// Of sizes that nothing fixes: the first at which both programs are within the limits.
constexpr std::int64_t kDefaultSizes[] = {8, 5, 3, 2};

// Scalar parameters and size variables that extents and loop bounds mention.
std::vector<Expr> sizes_needed(const Function& f) {
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

// A term cut to what a line holds.
std::string short_text(Expr e) {
    std::string out = e->size > 60 ? std::string() : print(e);
    return out.empty() || out.size() > 160 ? fmt::format("a term of {} nodes", e->size) : out;
}

std::string value_text(const SymbolicValue& v) {
    if (is_false(v.defined)) return "indet";
    return short_text(v.value) + (is_true(v.defined) ? "" : " (where it is definite)");
}

std::size_t term_nodes(Expr e) {
    std::size_t out = 0;
    for_each_node(e, [&](Expr) { ++out; });
    return out;
}

bool has_uninterpreted(Expr e) {
    bool out = false;
    for_each_node(e, [&](Expr n) {
        out = out || n->op == Op::CallExtern ||
              (n->op == Op::Math && !math_fn_info(n->math_fn()).exact);
    });
    return out;
}

// The terms of a sum of floats, each with whether it is subtracted.
using Terms = std::vector<std::pair<Expr, bool>>;
void add_terms(Expr e, bool subtracted, Terms& out) {
    if (!e->type.is_float() || (e->op != Op::Add && e->op != Op::Sub)) {
        out.emplace_back(e, subtracted);
        return;
    }
    add_terms(e->arg(0), subtracted, out);
    add_terms(e->arg(1), subtracted != (e->op == Op::Sub), out);
}

// Under `reassociate`: the same terms, or constants among them added up in some order.
bool is_sum_in_another_order(Expr was, Expr is) {
    constexpr std::size_t kMostConstants = 5;
    if (!was->type.is_float()) return false;
    Terms before;
    Terms after;
    add_terms(was, false, before);
    add_terms(is, false, after);
    for (auto t = before.begin(); t != before.end();) {
        const auto same = std::find(after.begin(), after.end(), *t);
        if (same == after.end()) {
            ++t;
        } else {
            after.erase(same);
            t = before.erase(t);
        }
    }
    if (after.empty() || before.empty()) return after.empty() && before.empty();
    if (after.size() > 1 || before.size() > kMostConstants || !is_const(after[0].first)) {
        return false;
    }
    std::vector<double> constants;
    for (const auto& [e, subtracted] : before) {
        if (!is_const(e)) return false;
        constants.push_back(subtracted ? -e->float_value() : e->float_value());
    }
    const double wanted = after[0].first->float_value() * (after[0].second ? -1 : 1);
    std::sort(constants.begin(), constants.end());
    do {
        double sum = constants[0];
        for (std::size_t k = 1; k < constants.size(); ++k) {
            sum = round_to_type(was->type, sum + constants[k]);
        }
        if (sum == wanted) return true;
    } while (std::next_permutation(constants.begin(), constants.end()));
    return false;
}

class Validator {
  public:
    Validator(Context& ctx, analysis::Prover& prover, const TvOptions& options, Runs& runs,
              std::int64_t default_size)
        : ctx_(ctx), prover_(prover), options_(options), runs_(runs), default_size_(default_size) {}

    // The programs were too large at these sizes, and smaller ones could have been chosen.
    bool may_be_smaller() const { return too_large_ && chose_size_; }

    TvResult run(const Function& before, const Function& after) {
        choose_sizes(before, after);
        const auto from = runs_.start(before, sizes_);
        if (!from) return unknown("unsupported: " + from.error().message);
        const auto to = runs_.start(after, sizes_);
        if (!to) return unknown("unsupported: " + to.error().message);
        const std::vector<ConcreteParameter>& given = (*from)->parameters;
        if (!same_interface(given, (*to)->parameters)) {
            return unknown("unsupported: other parameters");
        }
        read_licences(before, given);
        read_bounds(before);
        const auto first = runs_.run(before, sizes_, **from, false);
        if (!first->unsupported.empty()) return unknown("before: " + first->unsupported);
        for (const Requirement& r : first->requirements) {
            if (is_false(r.claim)) {
                return unknown("before faults on every run at these sizes: " + r.what);
            }
            add_fact(r.claim);
        }
        // What follows holds for runs of `before` that do not stop, and all of them do not: an
        // assert there that might would have been given up.
        const auto second = runs_.run(after, sizes_, **to, true);
        if (!second->unsupported.empty()) return unknown("after: " + second->unsupported);
        for (const Requirement& r : second->requirements) {
            if (!holds(r.claim, [&] { return "new fault: not shown that " + r.what; })) {
                return result_;
            }
        }
        compare(given, *first, (*to)->parameters, *second);
        return result_;
    }

  private:
    TvResult unknown(std::string why) {
        result_.verdict = TvVerdict::Unknown;
        for (const char* limit : {"too many cells", "a large allocation", kTooManySteps}) {
            too_large_ = too_large_ || why.find(limit) != std::string::npos;
        }
        result_.what = std::move(why);
        return result_;
    }

    void choose_sizes(const Function& before, const Function& after) {
        sizes_ = options_.sizes;
        std::vector<Expr> all = sizes_needed(before);
        for (Expr v : sizes_needed(after)) {
            if (std::find(all.begin(), all.end(), v) == all.end()) all.push_back(v);
        }
        for (Expr v : all) {
            if (!v->type.is_int()) continue;
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

    void add_fact(Expr claim) {
        if (known_.insert(claim).second) facts_.push_back(claim);
    }

    // What the function grants, it grants to the comparison as well.
    void read_licences(const Function& f, const std::vector<ConcreteParameter>& parameters) {
        signs_of_zero_ = !f.has_licence("no_signed_zero");
        exact_sums_ = !f.has_licence("reassociate");
        zeros_choose_ = !signs_of_zero_ && rewrite::sign_of_zero_shows(f);
        std::vector<Expr> finite;
        for (const ConcreteParameter& p : parameters) {
            const ScalarType type = p.buffer->type;
            if (!type.is_float() || !f.has_licence("finite(" + p.buffer->name + ")")) continue;
            Expr infinity = ctx_.float_imm(type, std::numeric_limits<double>::infinity());
            ConcreteParameter plain = p;
            plain.layouts.clear();  // the cells that the caller knows
            for (const SymbolicCell& cell : initial_tensor(ctx_, plain).cells) {
                finite.push_back(cell.content.value);
                add_fact(ctx_.lt(ctx_.math(MathFn::Abs, {cell.content.value}), infinity));
            }
        }
        s_ = &runs_.simplifier(finite);
    }

    // What the declaration says of the scalars that stay symbols.
    void read_bounds(const Function& f) {
        for (Expr fact : analysis::parameter_facts(ctx_, f)) {
            const std::vector<Expr> of = free_vars(fact);
            const bool sized =
                std::any_of(of.begin(), of.end(), [&](Expr v) { return sizes_.count(v) != 0; });
            if (!sized) add_fact(fact);
        }
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
                if (!holds(refines(was, is), what)) return;
            }
        }
        for (const PaddingPromise& promise : promises) {
            const auto what = [&] {
                return promise.cell + ": " + value_text(promise.is) + " instead of " +
                       value_text(promise.pad);
            };
            if (!holds(refines(promise.pad, promise.is), what)) return;
        }
        result_.verdict = TvVerdict::Bounded;
        result_.what.clear();
    }

    // Where `was` is definite, `is` is definite and the same.
    Expr refines(const SymbolicValue& was, const SymbolicValue& is) {
        const bool unchanged = was.value == is.value && was.defined == is.defined;
        if (unchanged || is_false(was.defined)) return ctx_.true_();
        Expr equal = s_->same(was.value, is.value);
        if (!exact_sums_ && is_sum_in_another_order(was.value, is.value)) equal = ctx_.true_();
        if (!signs_of_zero_ && was.value->type.is_float()) {
            Expr zero = zero_term(ctx_, was.value->type);
            equal = s_->either(equal, s_->both(s_->make(Op::Eq, {was.value, zero}),
                                               s_->make(Op::Eq, {is.value, zero})));
        }
        return s_->implies(was.defined, s_->both(is.defined, equal));
    }

    // False, with the result filled in, unless the claim is shown.
    template <typename What>
    bool holds(Expr claim, const What& what) {
        if (is_true(claim) || known_.count(claim) != 0) return true;
        if (result_.queries >= options_.query_limit) {
            unknown("resource: too many claims");
            return false;
        }
        if (term_nodes(claim) > options_.term_limit) {
            unknown("resource: a claim of too many nodes: " + what());
            return false;
        }
        ++result_.queries;
        bool all_facts = true;
        const std::vector<Expr> facts = facts_for(claim, all_facts);
        const analysis::Answer answer = prover_.prove(facts, claim);
        if (answer.verdict == Verdict::Proved) {
            known_.insert(claim);
            return true;
        }
        if (answer.verdict == Verdict::Unknown) {
            unknown(what() + " (" + answer.why + ")");
            return false;
        }
        bool interpreted = !has_uninterpreted(claim);
        for (Expr f : facts) interpreted = interpreted && !has_uninterpreted(f);
        const char* doubt = !all_facts      ? "some facts were left out"
                            : !interpreted  ? "of functions that proofs do not interpret"
                            : !exact_sums_  ? "sums may be re-associated"
                            : zeros_choose_ ? "zeros may have either sign"
                                            : nullptr;
        if (doubt != nullptr) {
            unknown(what() + " (" + doubt + ")");
            return false;
        }
        result_.verdict = TvVerdict::Refuted;
        result_.what = what();
        result_.model = answer.model;
        return false;
    }

    // Facts that share a symbol with the claim first; the rest as far as the limit goes.
    std::vector<Expr> facts_for(Expr claim, bool& all) {
        if (facts_.size() <= options_.fact_limit) return facts_;
        all = false;
        std::set<Expr> symbols;
        const auto is_symbol = [](Expr e) { return e->op == Op::Load || e->op == Op::Var; };
        for_each_node(claim, [&](Expr e) {
            if (is_symbol(e)) symbols.insert(e);
        });
        std::vector<Expr> out;
        for (Expr fact : facts_) {
            if (out.size() >= options_.fact_limit) break;
            bool shares = false;
            for_each_node(
                fact, [&](Expr e) { shares = shares || (is_symbol(e) && symbols.count(e) != 0); });
            if (shares) out.push_back(fact);
        }
        return out;
    }

    Context& ctx_;
    analysis::Prover& prover_;
    const TvOptions& options_;
    Runs& runs_;
    std::int64_t default_size_;
    bool chose_size_ = false;
    bool too_large_ = false;
    Simplifier* s_ = nullptr;  // once licences are read
    Sizes sizes_;
    std::vector<Expr> facts_;         // what the run of `before` needs in order not to fault
    std::unordered_set<Expr> known_;  // facts, and claims proved from them
    bool signs_of_zero_ = true;       // no licence says that they do not matter
    bool exact_sums_ = true;
    bool zeros_choose_ = false;  // and a choice of theirs may show in other values
    TvResult result_;
};

}  // namespace

struct Validation::Impl {
    Context& ctx;
    analysis::Prover& prover;
    TvOptions options;
    Runs runs;
};

Validation::Validation(Context& ctx, analysis::Prover& prover, const TvOptions& options)
    : impl_(new Impl{ctx, prover, options, Runs(ctx, options.cell_limit, options.step_limit)}) {}
Validation::~Validation() = default;

TvResult Validation::step(const Function& before, const Function& after) {
    Impl& m = *impl_;
    TvResult out;
    for (const std::int64_t size : kDefaultSizes) {
        Validator validator(m.ctx, m.prover, m.options, m.runs, size);
        out = validator.run(before, after);
        if (!validator.may_be_smaller()) break;
    }
    m.runs.keep_only(after);
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
