#include "verify/rule_library/rule_solving.h"

#include <algorithm>

#include "analysis/smt/encoder.h"
#include "analysis/z3/linked_z3.h"
#include "ir/children.h"
#include "rewrite/expression_rules/schema.h"
#include "verify/rule_library/bit_blast.h"
#include "verify/rule_library/exact_bits.h"

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

// Bits of an integer as the low ones of its 64, so that those of one width are among those of
// another: by definition, but solvers do not find it.
std::string with_bits_of_64(std::string text) {
    const std::string open = "((_ int2bv ";
    for (std::size_t at = text.find(open); at != std::string::npos; at = text.find(open, at + 1)) {
        const int bits = std::stoi(text.substr(at + open.size()));
        if (bits == 64) continue;
        std::size_t end = at;
        for (int depth = 0; end == at || depth > 0; ++end) {
            depth += text[end] == '(' ? 1 : text[end] == ')' ? -1 : 0;
        }
        const std::string wide = "((_ extract " + std::to_string(bits - 1) + " 0) ((_ int2bv 64)";
        text.insert(end, ")");
        text.replace(at, text.find(')', at) + 1 - at, wide);
        at += wide.find("((_ int2bv");
    }
    return text;
}

bool proved_with_bits_of_64(ir::Context& ctx, const Obligation& claim,
                            const RulesVerifyOptions& options, bool z3) {
    const analysis::SmtText plain = analysis::to_smt(ctx, claim);
    const std::string text = with_bits_of_64(plain.text);
    if (!plain.supported || text == plain.text) return false;
    return (z3 ? analysis::smt::run_z3(text, options.rlimit)
               : analysis::smt::run_cvc5(text, options.cvc5_rlimit, options.wall_limit_s))
               .verdict == Verdict::Proved;
}

bool computes_bits(const rewrite::RuleInstance& rule) {
    bool found = false;
    for (const ir::Expr side : {rule.left, rule.right}) {
        ir::for_each_node(side, [&](ir::Expr e) {
            found = found || ir::op_info(e->op).op_class == ir::OpClass::Bits;
        });
    }
    return found;
}

Answer prove_exact(ir::Context& ctx, const rewrite::RuleInstance& rule, const Obligation& schema,
                   const RulesVerifyOptions& options, bool z3) {
    if (!rule.lemmas.empty() && proved_linearised(ctx, schema, options, z3)) return proved(z3);
    if (computes_bits(rule) && proved_by_exact_bits(ctx, rule, options, z3)) return proved(z3);
    const Answer by_numbers = by_ladder(ctx, schema, one_solver(options, z3));
    if (by_numbers.verdict != Verdict::Unknown) return by_numbers;
    return proved_with_bits_of_64(ctx, schema, options, z3) ? proved(z3) : by_numbers;
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
    if (rule.kind.is_exact_int()) return prove_exact(ctx, rule, schema, options, z3);
    analysis::ProverOptions how = one_solver(options, z3);
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
