#include "verify/rule_solving.h"

#include <algorithm>

#include "analysis/smt/encoder.h"
#include "analysis/smt/solvers.h"
#include "ir/children.h"
#include "rewrite/rules/schema.h"
#include "verify/bit_blast.h"

namespace proviso::verify {

using analysis::Answer;
using analysis::Obligation;
using analysis::Verdict;

namespace {

// Of the whole budget, what the first attempt may use where there is a second.
constexpr std::uint64_t kFirstShare = 8;

analysis::ProverOptions one_solver(const RulesVerifyOptions& options, bool z3) {
    analysis::ProverOptions out;
    out.use_cheap = false;
    out.use_z3 = z3;
    out.use_cvc5 = !z3;
    out.rlimit = options.rlimit;
    out.cvc5_rlimit = options.cvc5_rlimit;
    out.wall_limit_s = options.wall_limit_s;
    return out;
}

Answer by_ladder(ir::Context& ctx, const Obligation& claim, const analysis::ProverOptions& how) {
    return analysis::Prover(ctx, how).prove(claim);
}

Answer proved(bool z3) {
    Answer out;
    out.verdict = Verdict::Proved;
    out.by = z3 ? "z3" : "cvc5";
    return out;
}

// a << c = a * (1 << c), in bits of one width whatever c is: solvers know how products commute.
Obligation with_shifts_as_products(ir::Context& ctx, const Obligation& claim) {
    const auto change = [&](ir::Expr root) {
        return ir::rewrite_expr(ctx, root, [&](ir::Expr e) {
            if (e->op != ir::Op::Shl || !e->type.is_wrapping_int() || ir::is_const(e->arg(0)) ||
                ir::is_const(e->arg(1))) {
                return e;
            }
            const ir::Expr power = ctx.make(ir::Op::Shl, {ctx.int_imm(e->type, 1), e->arg(1)});
            return ctx.mul(e->arg(0), power);
        });
    };
    Obligation out = claim;
    for (ir::Expr& f : out.facts) f = change(f);
    out.goal = change(out.goal);
    return out;
}

Answer in_two_steps(ir::Context& ctx, const rewrite::RuleInstance& rule,
                    const RulesVerifyOptions& options, bool z3) {
    const rewrite::RuleSteps steps = rewrite::rule_steps(ctx, rule);
    const analysis::ProverOptions how = one_solver(options, z3);
    Answer first;
    if (z3) first = prove_by_bits(analysis::to_smt(ctx, steps.agreement), options.rlimit * 10);
    if (first.verdict == Verdict::Unknown) first = by_ladder(ctx, steps.agreement, how);
    const Obligation products = with_shifts_as_products(ctx, steps.agreement);
    if (first.verdict == Verdict::Unknown && products.goal != steps.agreement.goal) {
        if (z3) first = prove_by_bits(analysis::to_smt(ctx, products), options.rlimit * 10);
        if (first.verdict == Verdict::Unknown) first = by_ladder(ctx, products, how);
    }
    if (first.verdict != Verdict::Proved) return first;
    return by_ladder(ctx, steps.rest, how);
}

}  // namespace

bool proved_linearised(ir::Context& ctx, const Obligation& claim, const RulesVerifyOptions& options,
                       bool z3) {
    namespace smt = analysis::smt;
    const smt::EncodedObligation e = smt::encode(ctx, claim, smt::Form::Linearised);
    if (!e.smt.supported) return false;
    const smt::Reply reply =
        z3 ? smt::run_z3(e.smt.text, options.rlimit)
           : smt::run_cvc5(e.smt.text, options.cvc5_rlimit, options.wall_limit_s);
    return reply.verdict == Verdict::Proved;
}

Answer prove_schema(ir::Context& ctx, const rewrite::RuleInstance& rule,
                    const RulesVerifyOptions& options, bool z3) {
    const Obligation schema = rewrite::rule_schema(ctx, rule);
    analysis::ProverOptions how = one_solver(options, z3);
    if (rule.kind.is_exact_int()) {
        const bool done = !rule.lemmas.empty() && proved_linearised(ctx, schema, options, z3);
        return done ? proved(z3) : by_ladder(ctx, schema, how);
    }
    how.rlimit /= kFirstShare;
    how.cvc5_rlimit /= kFirstShare;
    how.wall_limit_s = std::max(1, how.wall_limit_s / static_cast<int>(kFirstShare));
    const Answer first = by_ladder(ctx, schema, how);
    if (first.verdict != Verdict::Unknown) return first;
    const Answer second = in_two_steps(ctx, rule, options, z3);
    // The two steps are enough, not necessary: they refute nothing.
    if (second.verdict == Verdict::Proved) return second;
    return by_ladder(ctx, schema, one_solver(options, z3));
}

Answer prove_law(ir::Context& ctx, const Obligation& law, const RulesVerifyOptions& options,
                 bool z3) {
    if (proved_linearised(ctx, law, options, z3)) return proved(z3);
    return by_ladder(ctx, law, one_solver(options, z3));
}

}  // namespace proviso::verify
