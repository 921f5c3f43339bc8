// Lowering of what machines do not have: undef, assume, floor division.
//
// lower-undef     T.undef(dtype) → 0. Every value refines `indet`. Not inside an assume, where
// undef is permission, not a value. lower-assume    T.assume(c) → nothing. What could only fault is
// gone; what it told is in the steps that used it. lower-division  x // y, x % y → truncating
// forms. "form": "trunc" where the operands are not negative, "general"
//                 for any signs: q - (r != 0 and (r < 0) != (y < 0)) with q, r truncating; of a
//                 constant divisor's sign only r's is asked. "shift": k (optional, form "trunc"
//                 by a constant y > 0): x + k y for x, and the quotient less k.
//                 Obligations as for `replace`.
#include <nlohmann/json.hpp>

#include "analysis/facts/facts.h"
#include "analysis/facts/path.h"
#include "ir/planted.h"
#include "rewrite/kernel/arguments.h"
#include "rewrite/rules/common.h"
#include "rewrite/rules/statement/division.h"
#include "rewrite/rules/statement/statement_rules.h"

namespace proviso::rewrite {

using namespace ir;
using namespace analysis;

namespace {

class LowerUndef final : public Rule {
  public:
    std::string name() const override { return "lower-undef"; }
    std::string summary() const override { return "an undefined value by zero"; }

    Result<Proposal> propose(Context& ctx, const Function& before, const Site& site,
                             const nlohmann::json& args) const override {
        (void)args;
        const Result<Located> at = locate(before, site);
        if (!at) return at.error();
        const bool anything = planted("lower-undef:anything");
        if (at->expr == nullptr || (at->expr->op != Op::Undef && !anything)) {
            return error("lower-undef works on T.undef()");
        }
        if (path_to(before, site).statement()->is<Assume>()) {
            return error("undef in an assume is permission to read", "drop the assume first");
        }
        Proposal out;
        out.after = replace_at(ctx, before, site, zero_of(ctx, at->expr->type));
        return out;
    }
};

class LowerAssume final : public Rule {
  public:
    std::string name() const override { return "lower-assume"; }
    std::string summary() const override { return "an assumption that is no longer needed"; }

    Result<Proposal> propose(Context& ctx, const Function& before, const Site& site,
                             const nlohmann::json& args) const override {
        (void)args;
        const Result<Located> at = locate(before, site);
        if (!at) return at.error();
        const bool anything = planted("lower-assume:anything");
        if (at->stmt == nullptr || (!at->stmt->is<Assume>() && !anything)) {
            return error("lower-assume works on an assume");
        }
        Proposal out;
        out.after = replace_at(ctx, before, site, ctx.pass());
        return out;
    }
};

class LowerDivision final : public Rule {
  public:
    std::string name() const override { return "lower-division"; }
    std::string summary() const override { return "floor division by truncating division"; }

    Result<Proposal> propose(Context& ctx, const Function& before, const Site& site,
                             const nlohmann::json& args) const override {
        const Result<Located> at = locate(before, site);
        if (!at) return at.error();
        Expr e = at->expr;
        if (e == nullptr || (e->op != Op::FloorDiv && e->op != Op::FloorMod)) {
            return error("lower-division works on // or %");
        }
        const Result<std::string> form = arg_string(args, "form");
        if (!form) return form.error();
        const bool general = *form == "general";
        if (!general && *form != "trunc") {
            return error("no form '" + *form + "'", "trunc or general");
        }
        std::int64_t shift = 0;
        if (args.contains("shift")) {
            const Result<std::int64_t> given = arg_int(args, "shift");
            if (!given) return given.error();
            shift = *given;
            if (general || !can_shift(e, shift)) {
                return error("the numerator cannot be moved up by " + std::to_string(shift) +
                                 " times the divisor",
                             "form trunc, a constant divisor above 0, constants in range");
            }
        }
        Expr lowered =
            lowered_division(ctx, e, general ? DivisionForm::General : DivisionForm::Trunc, shift);
        Proposal out;
        out.after = replace_at(ctx, before, site, lowered);
        out.obligations =
            replacement_obligations(ctx, before, facts_at(ctx, before, site), e, lowered);
        return out;
    }
};

}  // namespace

const Rule& lower_undef_rule() {
    static const LowerUndef rule;
    return rule;
}

const Rule& lower_assume_rule() {
    static const LowerAssume rule;
    return rule;
}

const Rule& lower_division_rule() {
    static const LowerDivision rule;
    return rule;
}

}  // namespace proviso::rewrite
