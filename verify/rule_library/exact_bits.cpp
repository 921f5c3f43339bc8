#include "verify/rule_library/exact_bits.h"

#include <algorithm>

#include "analysis/facts/formula.h"
#include "analysis/smt/bit_vectors.h"
#include "analysis/smt/solvers.h"
#include "ir/children.h"
#include "ir/domains/evaluate.h"
#include "rewrite/expression_rules/schema.h"
#include "verify/rule_library/bit_blast.h"

namespace proviso::verify {

using analysis::Obligation;
using analysis::Verdict;
using ir::Expr;
using ir::Int128;
using ir::Op;

namespace {

// One solver, on texts of bit-vectors and on obligations.
class Asker {
  public:
    Asker(ir::Context& ctx, const RulesVerifyOptions& options, bool z3)
        : ctx_(ctx), options_(options), z3_(z3) {}

    bool proves(const Obligation& claim) const {
        analysis::ProverOptions how;
        how.use_cheap = false;
        how.use_z3 = z3_;
        how.use_cvc5 = !z3_;
        how.rlimit = options_.rlimit;
        how.cvc5_rlimit = options_.cvc5_rlimit;
        how.wall_limit_s = options_.wall_limit_s;
        return analysis::Prover(ctx_, how).prove(claim).verdict == Verdict::Proved;
    }

    bool proves_in_bits(const Obligation& claim) const {
        const auto text = analysis::smt::as_bit_vectors(claim, analysis::smt::Undefined::AnyValue);
        if (!text) return false;
        if (!z3_) {
            return analysis::smt::run_cvc5(*text, options_.cvc5_rlimit, options_.wall_limit_s)
                       .verdict == Verdict::Proved;
        }
        analysis::SmtText smt;
        smt.text = *text;
        return prove_by_bits(smt, options_.rlimit * 10).verdict == Verdict::Proved;
    }

  private:
    ir::Context& ctx_;
    const RulesVerifyOptions& options_;
    bool z3_;
};

// Values that a constant may be confined to by conditions of a common kind: which kind, from how it
// occurs. Whether it is confined to them is for the solver.
std::vector<Int128> candidates(const Obligation& claim, Expr constant) {
    bool powers = false;
    bool masks = false;
    bool counts = false;
    const auto look = [&](Expr root) {
        ir::for_each_node(root, [&](Expr e) {
            const bool shift = e->op == Op::Shl || e->op == Op::Shr;
            counts = counts || (shift && e->arg(1) == constant);
            if (e->op != Op::BitAnd) return;
            for (Expr a : e->args) {
                if (a->args.size() != 2) continue;
                const bool beside = (a->arg(0) == constant && ir::is_const(a->arg(1))) ||
                                    (a->arg(1) == constant && ir::is_const(a->arg(0)));
                powers = powers || (beside && a->op == Op::Sub);
                masks = masks || (beside && a->op == Op::Add);
            }
        });
    };
    look(claim.goal);
    for (Expr f : claim.facts) look(f);
    std::vector<Int128> out;
    for (int k = 0; k < constant->type.bits; ++k) {
        const Int128 power = Int128{1} << k;
        if (powers && k < constant->type.bits - 1) out.push_back(power);
        if (!powers && masks) out.push_back(power - 1);
        if (!powers && !masks && counts) out.push_back(k);
    }
    return out;
}

// The claim at one value of a constant, and of those that are computed from it.
Obligation at_value(ir::Context& ctx, const Obligation& claim, Expr constant, Int128 value) {
    Obligation out = claim;
    const auto put = [&](Expr variable, Expr by) {
        const ir::Substitution s{{variable, by}};
        for (Expr& f : out.facts) f = ir::substitute(ctx, f, s);
        out.goal = ir::substitute(ctx, out.goal, s);
    };
    put(constant, ctx.int_imm(constant->type, value));
    for (std::size_t i = 0; i < out.facts.size(); ++i) {
        Expr f = out.facts[i];
        if (f->op != Op::Eq || f->arg(0)->op != Op::Var || f->arg(1)->op == Op::Var) continue;
        if (!ir::free_vars(f->arg(1)).empty()) continue;
        const ir::Evaluation known = ir::evaluate(f->arg(1), {});
        if (!known.ok()) continue;
        const Expr computed = ir::constant_expr(ctx, f->arg(0)->type, known.value);
        if (computed == nullptr) continue;  // out of range: there is no such instance
        put(f->arg(0), computed);
        i = static_cast<std::size_t>(-1);  // others may be computed from this one
    }
    return out;
}

bool agree(ir::Context& ctx, const Obligation& claim, const Asker& asker) {
    std::vector<Expr> variables = ir::free_vars(claim.goal);
    for (Expr f : claim.facts) {
        for (Expr v : ir::free_vars(f)) variables.push_back(v);
    }
    for (Expr v : variables) {
        if (v->name->front() != 'c' || !v->type.is_exact_int()) continue;
        const std::vector<Int128> values = candidates(claim, v);
        if (values.empty()) continue;
        Obligation covered = claim;
        std::vector<Expr> one_of;
        for (const Int128 value : values) {
            one_of.push_back(ctx.eq(v, ctx.int_imm(v->type, value)));
        }
        covered.goal = ctx.any_of(one_of);
        if (!asker.proves_in_bits(covered)) continue;
        return std::all_of(values.begin(), values.end(), [&](Int128 value) {
            return asker.proves_in_bits(at_value(ctx, claim, v, value));
        });
    }
    return asker.proves_in_bits(claim);
}

}  // namespace

bool proved_by_exact_bits(ir::Context& ctx, const rewrite::RuleInstance& rule,
                          const RulesVerifyOptions& options, bool z3) {
    rewrite::RuleSteps steps = rewrite::rule_steps(ctx, rule);
    steps.agreement.facts = ir::conjuncts(steps.agreement.facts);
    steps.agreement.unbounded.clear();  // by the first step
    if (!analysis::smt::as_bit_vectors(steps.agreement, analysis::smt::Undefined::AnyValue)) {
        return false;
    }
    const Asker asker(ctx, options, z3);
    const Obligation schema = rewrite::rule_schema(ctx, rule);
    for (Expr v : schema.unbounded) {
        Obligation bounded = schema;
        bounded.goal = analysis::in_range(ctx, v);
        if (!asker.proves(bounded)) return false;
    }
    return agree(ctx, steps.agreement, asker) && asker.proves(steps.rest);
}

}  // namespace proviso::verify
