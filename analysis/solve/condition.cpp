#include "analysis/solve/condition.h"

#include <algorithm>

#include "analysis/prover/sample.h"
#include "analysis/solve/projection.h"
#include "analysis/solve/tried.h"
#include "ir/children.h"
#include "ir/text.h"

namespace proviso::analysis::solve {

using ir::Expr;

namespace {

Status solvable(Expr x) {
    if (x->op != ir::Op::Var) return error("not a variable: " + ir::print(x));
    if (!x->type.is_exact_int()) {
        return error("cannot solve for " + *x->name + ": " + x->type.str(),
                     "solving is for int32 and int64, which do not wrap");
    }
    return Unit{};
}

Checked check(Prover& prover, const char* purpose, std::vector<Expr> facts, Expr given, Expr goal) {
    if (!ir::is_true(given)) facts.push_back(given);
    Obligation obligation{{.words = purpose}, std::move(facts), goal};
    Answer answer = prover.prove(obligation);
    return {std::move(obligation), std::move(answer)};
}

constexpr const char* kNecessary = "where the condition holds, the answer holds";
constexpr const char* kSufficient = "where the answer holds, the condition holds";
constexpr const char* kWitness = "where the answer holds, this value satisfies the condition";

class BoundsSolver {
  public:
    BoundsSolver(Prover& prover, const std::vector<Expr>& facts, Expr x, Expr condition)
        : prover_(prover), facts_(facts), x_(x), condition_(condition) {}

    Solutions run() {
        Solutions out;
        std::optional<Solved> over;
        for (const std::vector<Case>& cases : guesses()) {
            Solved s = formula_of(cases);
            const Checked necessary = check(prover_, kNecessary, facts_, condition_, s.formula);
            if (!necessary.proved()) {
                out.failed.push_back(necessary);
                continue;
            }
            const Checked sufficient = check(prover_, kSufficient, facts_, s.formula, condition_);
            s.checks = {necessary};
            if (sufficient.proved()) {
                s.checks.push_back(sufficient);
                return {{s}, {}};
            }
            s.direction = Direction::Over;
            if (!over) over = s;
        }
        if (over) {
            out.failed.clear();
            out.answers.push_back(*over);
        }
        add_under(out);
        return out;
    }

  private:
    // Fewer cases first; what leaves parts of the condition out comes last.
    std::vector<std::vector<Case>> guesses() {
        const Isolated structural = isolate(prover_, facts_, x_, condition_, {true, true});
        std::vector<std::vector<Case>> out{structural.cases};
        if (structural.dropped || structural.cases.size() > 1) {
            const auto seen = tried(prover_.context(), x_, condition_);
            const bool better =
                seen && (structural.dropped || seen->size() < structural.cases.size());
            if (seen) out.insert(better ? out.begin() : out.end(), *seen);
        }
        out.push_back(isolate(prover_, facts_, x_, condition_, {true, false}).cases);
        if (out.back() == out.front()) out.pop_back();
        return out;
    }

    void add_under(Solutions& out) {
        for (const bool split_signs : {true, false}) {
            const Isolated least = isolate(prover_, facts_, x_, condition_, {false, split_signs});
            Solved under = formula_of(least.cases);
            const Checked enough = check(prover_, kSufficient, facts_, under.formula, condition_);
            if (!enough.proved()) {
                out.failed.push_back(enough);
                continue;
            }
            under.direction = Direction::Under;
            under.checks = {enough};
            out.answers.push_back(under);
            return;
        }
    }

    Solved formula_of(const std::vector<Case>& cases) {
        ir::Context& ctx = prover_.context();
        Solved out;
        out.cases = cases;
        std::vector<Expr> each;
        for (const Case& c : cases) {
            each.push_back(c.formula(ctx, x_));
            if (ir::is_true(each.back())) {  // the others add nothing
                out.cases = {c};
                each = {each.back()};
                break;
            }
        }
        out.formula = ctx.any_of(each);
        return out;
    }

    Prover& prover_;
    const std::vector<Expr>& facts_;
    Expr x_;
    Expr condition_;
};

class Projector {
  public:
    Projector(Prover& prover, const std::vector<Expr>& facts, Expr x, Expr condition)
        : prover_(prover), ctx_(prover.context()), build_(ctx_), x_(x) {
        std::vector<Expr> parts;
        for (Expr f : facts) (mentions(f, x) ? parts : facts_).push_back(f);
        parts.push_back(condition);
        condition_ = ctx_.all_of(parts);
    }

    Solutions run() {
        Solutions out;
        const Isolated most = isolate(prover_, facts_, x_, condition_, {true, true});
        std::vector<Part> all;
        std::vector<Expr> each;
        std::vector<Expr> enough;
        std::vector<Checked> witnessed;
        bool every = !most.dropped;
        for (const Case& given : most.cases) {
            const ProjectedCase c = projected(prover_, facts_, x_, given);
            const Checked w = witness(c);
            if (implied_by_any(c.formula, w.proved(), all)) continue;
            all.push_back({c.formula, w});
        }
        for (const auto& [formula, w] : all) {
            each.push_back(formula);
            if (w.proved()) {
                enough.push_back(formula);
                witnessed.push_back(w);
            } else {
                every = false;
                out.failed.push_back(w);
            }
        }
        Solved over{Direction::Over, {}, ctx_.any_of(each), {}};
        const Checked necessary = check(prover_, kNecessary, facts_, condition_, over.formula);
        if (necessary.proved()) {
            over.checks = {necessary};
            if (!every && witnessed.size() != all.size()) {
                const std::optional<Checked> one = tried_witness(over.formula);
                if (one) witnessed = {*one};
                every = one.has_value();
            }
            if (every || witnessed.size() == all.size()) {
                over.direction = Direction::Exact;
                over.checks.insert(over.checks.end(), witnessed.begin(), witnessed.end());
                return {{over}, {}};
            }
            out.answers.push_back(over);
        } else {
            out.failed.push_back(necessary);
        }
        add_under(out, enough, witnessed);
        return out;
    }

  private:
    struct Part {
        Expr formula;
        Checked witness;
    };

    // Another part holds wherever this one does and is witnessed; those that this one makes
    // needless are taken away.
    bool implied_by_any(Expr p, bool witnessed, std::vector<Part>& all) {
        const auto implies = [&](Expr a, Expr b) {
            std::vector<Expr> known = facts_;
            known.push_back(a);
            return a == b || prover_.proves_cheaply(known, b);
        };
        for (const Part& other : all) {
            if ((other.witness.proved() || !witnessed) && implies(p, other.formula)) return true;
        }
        std::erase_if(all, [&](const Part& other) {
            return (witnessed || !other.witness.proved()) && implies(other.formula, p);
        });
        return false;
    }

    void add_under(Solutions& out, std::vector<Expr> enough, std::vector<Checked> witnessed) {
        const Isolated least = isolate(prover_, facts_, x_, condition_, {false, true});
        for (const Case& given : least.cases) {
            const ProjectedCase c = projected(prover_, facts_, x_, given);
            if (std::find(enough.begin(), enough.end(), c.formula) != enough.end()) continue;
            const Checked w = witness(c);
            if (!w.proved()) {
                out.failed.push_back(w);
                continue;
            }
            enough.push_back(c.formula);
            witnessed.push_back(w);
        }
        Solved under{Direction::Under, {}, ctx_.any_of(enough), witnessed};
        out.answers.push_back(under);
    }

    Expr number(const ir::Integer& n) { return build_.number(x_->type, n); }
    Expr least() { return ctx_.int_imm(x_->type, x_->type.min_value()); }
    Expr most() { return ctx_.int_imm(x_->type, x_->type.max_value()); }

    Checked satisfied_by(Expr value, Expr where) {
        Expr goal = ctx_.all_of({substitute(ctx_, condition_, {{x_, value}}),
                                 ctx_.le(least(), value), ctx_.le(value, most())});
        Checked out = check(prover_, kWitness, facts_, where, goal);
        out.obligation.purpose.words += ": " + *x_->name + " = " + ir::print(value);
        return out;
    }

    // In the case's projection, some x satisfies the condition.
    Checked witness(const ProjectedCase& c) {
        Checked out;
        for (Expr value : c.witnesses) {
            out = satisfied_by(value, c.formula);
            if (out.proved()) break;
        }
        return out;
    }

    // Values that nothing led to: constants, the other variables and their neighbours.
    std::optional<Checked> tried_witness(Expr where) {
        std::vector<Expr> values = {number(0), number(1), number(-1), most(), least()};
        for (Expr v : ir::free_vars(condition_)) {
            if (v == x_ || v->type != x_->type) continue;
            values.insert(values.end(),
                          {v, ctx_.neg(v), ctx_.add(v, number(1)), ctx_.sub(v, number(1))});
        }
        for (Expr value : values) {
            std::vector<Expr> facts = facts_;
            facts.push_back(where);
            const Obligation quick{{}, facts, substitute(ctx_, condition_, {{x_, value}})};
            if (sampled_counterexample(ctx_, quick)) continue;
            Checked out = satisfied_by(value, where);
            if (out.proved()) return out;
        }
        return std::nullopt;
    }

    Prover& prover_;
    ir::Context& ctx_;
    Builder build_;
    Expr x_;
    std::vector<Expr> facts_;  // those without x
    Expr condition_;
};

}  // namespace

Result<Solutions> bounds(Prover& prover, const std::vector<Expr>& facts, Expr x, Expr condition) {
    if (const Status ok = solvable(x); !ok) return ok.error();
    return BoundsSolver(prover, facts, x, condition).run();
}

Result<Solutions> project(Prover& prover, const std::vector<Expr>& facts, Expr x, Expr condition) {
    if (const Status ok = solvable(x); !ok) return ok.error();
    return Projector(prover, facts, x, condition).run();
}

}  // namespace proviso::analysis::solve
