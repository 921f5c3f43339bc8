#include "analysis/prover/sample.h"

#include <algorithm>
#include <limits>
#include <map>
#include <unordered_map>
#include <unordered_set>

#include "analysis/facts/let_free.h"
#include "analysis/prover/sample_values.h"
#include "ir/children.h"
#include "ir/domains/value.h"

namespace proviso::analysis {

using ir::Expr;
using ir::Int128;
using ir::Op;
using ir::ScalarType;
using ir::Value;
using Known = std::optional<Value>;

namespace {

// How long counterexamples are looked for, and in what.
struct Effort {
    int tries = 96;
    bool zeros = false;  // SampledFloats::HalfZero
};
constexpr Effort kUsual = {};
constexpr Effort kLong = {400, true};
// Nodes of all facts and the goal. Beyond the first, fewer tries make up for what each takes.
constexpr std::uint64_t kLarge = 4'000;
constexpr std::uint64_t kLargest = 400'000;
constexpr int kFewestTries = 6;
// The next tries: every float is -0.0. A sum is -0.0 where all of its terms are, and else never.
constexpr int kNegativeZeros = 2;
// The last tries: what facts say of variables and cells is heeded when values are chosen, and each
// kind of floats has its turn.
constexpr int kGuided = 96;
constexpr SampledFloats kKinds[] = {SampledFloats::Mixed, SampledFloats::HalfZero,
                                    SampledFloats::Tiny, SampledFloats::Extremes};
constexpr int kDraws = 12;  // of the variables, until what facts say of them alone is true

struct Range {
    Int128 lo;
    Int128 hi;
};

// One assignment, made up as it is asked for.
class Trial {
  public:
    // `constants`: floats of the obligation.
    // `small`: every other integer is a small one.
    Trial(ir::Context& ctx, SampleSource& source, int number, SampledFloats floats,
          const std::vector<double>& constants, bool small)
        : ctx_(ctx),
          source_(source),
          number_(number),
          floats_(floats),
          constants_(constants),
          small_(small) {}

    void set(Expr var, Value value) { values_.insert_or_assign(var, std::move(value)); }

    Known operator()(Expr e) {
        if (e->op == Op::Var || e->args.empty()) return leaf(e);
        const auto found = values_.find(e);
        if (found != values_.end()) return found->second;
        Known out = compute(e);
        values_.emplace(e, out);
        return out;
    }
    bool is(Expr claim, bool truth) {
        const Known v = (*this)(claim);
        return v && v->truth() == truth;
    }

    // Small values first; later ones from anywhere in the range.
    Value integer(ScalarType type, const Range& r) {
        const Int128 width = r.hi - r.lo;
        if (width < 0) return Value::of_int(ir::Integer(type.min_value()));
        Int128 v = r.lo;
        if (number_ == 0) {
            v = std::clamp<Int128>(0, r.lo, r.hi);
        } else if (small_ && source_.below(2) == 0) {
            v = std::clamp<Int128>(static_cast<Int128>(source_.below(4)), r.lo, r.hi);
        } else if (width < 64) {
            v = r.lo + static_cast<Int128>(source_.below(static_cast<std::uint64_t>(width) + 1));
        } else {
            constexpr int few[] = {0, 1, -1, 2, 3, -2, 4, 5, 7, 8, -7, 16, 31, 100};
            switch (source_.below(8)) {
                case 0: v = source_.below(2) == 0 ? r.lo : r.hi; break;
                case 1: v = r.hi - static_cast<Int128>(source_.below(4)); break;
                case 2: v = r.lo + static_cast<Int128>(source_.below(64)); break;
                default: v = few[source_.below(14)];
            }
        }
        return Value::of_int(ir::Integer(std::clamp(v, type.min_value(), type.max_value())));
    }
    Value any(ScalarType type) {
        if (type.is_bool()) return Value::of_bool(source_.below(2) != 0);
        if (type.is_int()) return integer(type, {type.min_value(), type.max_value()});
        return sampled_float(type, floats_, constants_, source_);
    }

    // Chooses cells that were not looked at so that a fact becomes true, where it says what they
    // are: `0 <= i or A[i] == 0`.
    void heed(Expr fact) {
        switch (fact->op) {
            case Op::And:
                heed(fact->arg(0));
                heed(fact->arg(1));
                return;
            case Op::Or:
                if (is(fact->arg(0), true)) return;
                heed(fact->arg(0));
                heed(fact->arg(1));
                return;
            case Op::Defined: choose(fact->arg(0), std::nullopt); return;
            case Op::Eq:
            case Op::Same:
                for (const int side : {0, 1}) {
                    if (fact->arg(side)->op != Op::Load) continue;
                    const Known value = (*this)(fact->arg(1 - side));
                    if (value) choose(fact->arg(side), value);
                }
                return;
            default: return;
        }
    }

    // The cells that were looked at, as a model gives them.
    std::vector<ModelValue> cells() const {
        std::vector<ModelValue> out;
        for (const auto& [key, cell] : cells_) {
            const Expr value =
                cell.definite ? ir::constant_expr(ctx_, cell.load->type, cell.value) : nullptr;
            out.push_back({key.second, cell.load, value});
        }
        return out;
    }

  private:
    using CellName = std::pair<std::uint32_t, std::string>;
    struct Cell {
        Expr load;
        Value value;
        bool definite;
    };

    Known leaf(Expr e) {
        if (e->op == Op::Load) return load(e);
        if (ir::is_const(e)) return ir::constant_value(e);
        const auto at = values_.find(e);
        return at == values_.end() ? std::nullopt : at->second;
    }

    // The cell, if it was not looked at, is definite, and holds `value` if one is given.
    void choose(Expr load, const Known& value) {
        const bool fits = !value || !load->type.is_int() || value->integer().in_range(load->type);
        if (!fits) return;
        const std::size_t before = cells_.size();
        Cell* const at = cell(load);
        if (at == nullptr || cells_.size() == before) return;
        at->definite = true;
        if (value) at->value = *value;
    }

    Cell* cell(Expr load) {
        std::string name = load->buffer->name + "[";
        std::vector<Expr> indices;
        for (Expr i : load->args) {
            const Known index = (*this)(i);
            if (!index) return nullptr;
            const auto number = index->integer().to_int128();
            if (!number || !i->type.contains(*number)) return nullptr;
            name += (indices.empty() ? "" : ", ") + index->integer().str();
            indices.push_back(ctx_.int_imm(i->type, *number));
        }
        name += "]";
        const CellName key{load->buffer->id, name};
        const auto at = cells_.find(key);
        if (at != cells_.end()) return &at->second;
        const bool definite = number_ % 3 != 2 || source_.below(3) != 0;
        return &cells_
                    .emplace(key, Cell{ctx_.load(load->buffer, indices), any(load->type), definite})
                    .first->second;
    }

    // An indeterminate cell still has a value in formulas, of which nothing may depend.
    Known load(Expr e) {
        const Cell* c = cell(e);
        return c == nullptr || !c->definite ? std::nullopt : Known(c->value);
    }

    Known connective(Expr e) {
        Known a = (*this)(e->arg(0));
        if (e->op == Op::Select || e->op == Op::IfThenElse) {
            return a ? (*this)(e->arg(a->truth() ? 1 : 2)) : std::nullopt;
        }
        const bool decides = e->op == Op::Or;
        if (a && a->truth() == decides) return a;
        Known b = (*this)(e->arg(1));
        if (b && b->truth() == decides) return b;
        return a && b ? a : std::nullopt;
    }

    // Exact integers of any size: nothing is observed in a formula.
    static Known unobserved(Op op, const ir::Integer& x, const ir::Integer& y) {
        switch (op) {
            case Op::Eq:
            case Op::Same: return Value::of_bool(x == y);
            case Op::Ne: return Value::of_bool(!(x == y));
            case Op::Lt: return Value::of_bool(x < y);
            case Op::Le: return Value::of_bool(x <= y);
            case Op::Min: return Value::of_int(ir::min(x, y));
            case Op::Max: return Value::of_int(ir::max(x, y));
            default: return std::nullopt;
        }
    }

    Known compute(Expr e) {
        switch (e->op) {
            case Op::Load: return load(e);
            case Op::Defined: {
                const Cell* c = cell(e->arg(0));
                return c == nullptr ? std::nullopt : Known(Value::of_bool(c->definite));
            }
            case Op::And:
            case Op::Or:
            case Op::Select:
            case Op::IfThenElse: return connective(e);
            default: break;
        }
        std::vector<Value> args;
        for (Expr a : e->args) {
            Known v = (*this)(a);
            if (!v) return std::nullopt;
            args.push_back(std::move(*v));
        }
        if (args.size() == 2 && e->arg(0)->type.is_exact_int()) {
            Known out = unobserved(e->op, args[0].integer(), args[1].integer());
            if (out) return out;
        }
        const ir::Evaluated out = ir::eval_op(*e, args);
        if (!out.ok() || out.value.is_indet()) return std::nullopt;
        return out.value;
    }

    ir::Context& ctx_;
    SampleSource& source_;
    int number_;
    SampledFloats floats_;
    const std::vector<double>& constants_;
    bool small_;
    std::unordered_map<Expr, Known> values_;
    std::map<CellName, Cell> cells_;
};

bool can_be_computed(Expr e) {
    bool out = true;
    ir::for_each_node(e, [&](Expr n) {
        out = out && n->op != Op::Let && n->op != Op::Undef && n->op != Op::CallExtern &&
              (n->op != Op::Math || ir::math_fn_info(n->math_fn()).exact);
    });
    return out;
}

// How the variables are given values: those that a fact equates with a term of others take its
// value, the others one within the constant bounds that facts give.
class Plan {
  public:
    Plan(const std::vector<Expr>& facts, Expr goal) : goal_(goal) {
        facts_ = ir::conjuncts(facts);
        std::unordered_set<Expr> seen;
        const auto collect = [&](Expr e) {
            for (Expr v : ir::free_vars(e)) {
                if (seen.insert(v).second) variables_.push_back(v);
            }
        };
        for (Expr f : facts_) collect(f);
        collect(goal);
        for (Expr f : facts_) bound(f);
        for (Expr f : facts_) define(f);
        for (Expr f : facts_) keep_constants(f);
        keep_constants(goal);
        for (Expr f : facts_) (ir::has_op(f, Op::Load) ? of_memory_ : of_variables_).push_back(f);
    }

    // Gives the variables values; false where what defines one of them has none.
    bool assign(Trial& trial) const {
        for (Expr v : variables_) {
            if (terms_.count(v) != 0) continue;
            const auto r = ranges_.find(v);
            trial.set(v,
                      r == ranges_.end() ? trial.any(v->type) : trial.integer(v->type, r->second));
        }
        for (Expr v : defined_) {
            const Known value = trial(terms_.at(v));
            if (!value) return false;
            const bool is_int = v->type.is_int();
            if (is_int && !value->integer().in_range(v->type)) return false;
            trial.set(v, *value);
        }
        return true;
    }
    // What facts say of the variables alone is true.
    bool fits(Trial& trial) const {
        return std::all_of(of_variables_.begin(), of_variables_.end(),
                           [&](Expr f) { return trial.is(f, true); });
    }
    // Chooses cells as the other facts say.
    void heed(Trial& trial) const {
        for (Expr f : of_memory_) trial.heed(f);
    }
    bool fails_in(Trial& trial) const {
        for (Expr f : facts_) {
            if (!trial.is(f, true)) return false;
        }
        return trial.is(goal_, false);
    }

    const std::vector<Expr>& variables() const { return variables_; }
    const std::vector<double>& constants() const { return constants_; }

  private:
    void keep_constants(Expr e) {
        ir::for_each_node(e, [&](Expr n) {
            if (n->op != Op::FloatImm) return;
            const double value = n->float_value();
            if (std::find(constants_.begin(), constants_.end(), value) == constants_.end()) {
                constants_.push_back(value);
            }
        });
    }
    void bound(Expr f) {
        if (f->args.size() != 2 || !f->arg(0)->type.is_int()) return;
        const Expr a = f->arg(0);
        const Expr b = f->arg(1);
        const Int128 strict = f->op == Op::Lt ? 1 : 0;
        if (f->op != Op::Lt && f->op != Op::Le && f->op != Op::Eq) return;
        if (a->op == Op::Var && ir::is_int_const(b)) {
            Range& r = range_of(a);
            r.hi = std::min(r.hi, b->int_value() - strict);
            if (f->op == Op::Eq) r.lo = r.hi;
        } else if (b->op == Op::Var && ir::is_int_const(a)) {
            Range& r = range_of(b);
            r.lo = std::max(r.lo, a->int_value() + strict);
        }
    }
    Range& range_of(Expr v) {
        return ranges_.try_emplace(v, Range{v->type.min_value(), v->type.max_value()})
            .first->second;
    }

    void define(Expr f) {
        if (f->op != Op::Eq && f->op != Op::Same) return;
        for (const auto& [v, term] :
             {std::pair(f->arg(0), f->arg(1)), std::pair(f->arg(1), f->arg(0))}) {
            if (v->op != Op::Var || terms_.count(v) != 0 || ir::is_const(term)) continue;
            // Terms of free variables and of those defined before: no circles.
            bool fits = !used_.count(v);
            for (Expr w : ir::free_vars(term)) fits = fits && w != v;
            if (!fits) continue;
            for (Expr w : ir::free_vars(term)) used_.insert(w);
            terms_.emplace(v, term);
            defined_.push_back(v);
            return;
        }
    }

    Expr goal_;
    std::vector<Expr> facts_;
    std::vector<Expr> of_variables_;  // of the facts: these read no memory, those do
    std::vector<Expr> of_memory_;
    std::vector<Expr> variables_;
    std::vector<double> constants_;  // floats
    std::unordered_map<Expr, Range> ranges_;
    std::unordered_map<Expr, Expr> terms_;
    std::unordered_set<Expr> used_;  // in terms: these stay as they are
    std::vector<Expr> defined_;
};

// The claim with names for values replaced by the values, in which each part is shared.
struct Claim {
    Expr goal;
    std::vector<Expr> facts;
    std::uint64_t size = 0;
};

Claim claim_of(ir::Context& ctx, const Obligation& obligation) {
    Claim out{obligation.goal, obligation.facts};
    bool lets = ir::has_op(out.goal, Op::Let);
    for (Expr f : out.facts) lets = lets || ir::has_op(f, Op::Let);
    out.goal = let_free(ctx, out.goal);
    for (Expr& f : out.facts) f = let_free(ctx, f);
    const auto add = [&](Expr e) {
        if (!lets) {
            out.size += e->size;
        } else {
            ir::for_each_node(e, [&](Expr) { ++out.size; });
        }
    };
    add(out.goal);
    for (Expr f : out.facts) add(f);
    return out;
}

std::optional<std::vector<ModelValue>> counterexample(ir::Context& ctx,
                                                      const Obligation& obligation,
                                                      const Effort& effort) {
    const Claim claim = claim_of(ctx, obligation);
    const std::uint64_t size = claim.size;
    if (size > kLargest || !can_be_computed(claim.goal)) return std::nullopt;
    int tries = effort.tries;
    if (size > kLarge) {
        tries = std::max(kFewestTries, tries * static_cast<int>(kLarge) / static_cast<int>(size));
    }
    for (Expr f : claim.facts) {
        if (!can_be_computed(f)) return std::nullopt;
    }
    const Plan plan(claim.facts, claim.goal);
    SampleSource source;
    const auto refutes = [&](Trial& trial) -> std::optional<std::vector<ModelValue>> {
        if (!plan.fails_in(trial)) return std::nullopt;
        std::vector<ModelValue> out;
        for (Expr v : plan.variables()) {
            const Known value = trial(v);
            if (value) out.push_back({*v->name, v, ir::constant_expr(ctx, v->type, *value)});
        }
        for (ModelValue& cell : trial.cells()) out.push_back(std::move(cell));
        return out;
    };
    for (int k = 0; k < tries + kNegativeZeros; ++k) {
        const bool last = k >= tries;
        const int number = last ? k - tries : k;
        SampledFloats floats = effort.zeros ? SampledFloats::HalfZero : SampledFloats::Mixed;
        if (last) floats = SampledFloats::NegativeZero;
        if (k == 0) floats = SampledFloats::Zero;
        Trial trial(ctx, source, number, floats, plan.constants(), false);
        if (!plan.assign(trial)) continue;
        if (auto out = refutes(trial)) return out;
    }
    for (int k = 0; k < std::min(tries, kGuided); ++k) {
        for (int draw = 0; draw < kDraws; ++draw) {
            Trial trial(ctx, source, k + 1, kKinds[k % 4], plan.constants(), true);
            if (!plan.assign(trial) || !plan.fits(trial)) continue;
            plan.heed(trial);
            if (auto out = refutes(trial)) return out;
            break;
        }
    }
    return std::nullopt;
}

}  // namespace

std::optional<std::vector<ModelValue>> sampled_counterexample(ir::Context& ctx,
                                                              const Obligation& obligation) {
    return counterexample(ctx, obligation, kUsual);
}

bool refuted_by_trying(ir::Context& ctx, const Obligation& obligation) {
    return counterexample(ctx, obligation, kLong).has_value();
}

}  // namespace proviso::analysis
