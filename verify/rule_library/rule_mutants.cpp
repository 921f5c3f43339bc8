#include "verify/rule_library/rule_mutants.h"

#include <algorithm>
#include <array>
#include <functional>
#include <set>

#include "ir/children.h"
#include "ir/text.h"
#include "rewrite/expression_rules/matcher.h"

namespace proviso::verify {

using ir::Context;
using ir::Expr;
using ir::Op;
using rewrite::RuleInstance;

namespace {

struct Variant {
    Slip slip;
    Expr pattern;
};
using Variants = std::vector<Variant>;

enum class Part : std::uint8_t { Left, Right, Condition };

struct Slips {
    Context& ctx;
    const std::vector<Expr>& variables;  // of the left side
    Part part;

    // The pattern with one slip at each of its places.
    Variants everywhere(Expr e) const {
        Variants out = here(e);
        for (std::size_t i = 0; i < e->args.size(); ++i) {
            for (const Variant& v : everywhere(e->arg(i))) {
                std::vector<Expr> args(e->args.begin(), e->args.end());
                args[i] = v.pattern;
                out.push_back({v.slip, ir::with_args(ctx, e, std::move(args))});
            }
        }
        return out;
    }

    Variants here(Expr e) const {
        Variants out;
        if (e->args.empty()) {
            leaf(e, out);
        } else {
            node(e, out);
        }
        return out;
    }

    void leaf(Expr e, Variants& out) const {
        if (e->op == Op::IntImm && e->type.is_bool()) {
            out.push_back({Slip::SignFlipped, ctx.bool_imm(!ir::is_true(e))});
        } else if (e->op == Op::IntImm) {
            for (const int step : {1, -1}) {
                const ir::Int128 value = e->int_value() + step;
                if (value < e->type.min_value() || value > e->type.max_value()) continue;
                out.push_back({Slip::OffByOne, ctx.int_imm(e->type, value)});
            }
        } else if (e->op == Op::FloatImm) {
            const double v = e->float_value();
            if (v == v) out.push_back({Slip::SignFlipped, ctx.float_imm(e->type, -v)});
            const double more = ir::round_to_type(e->type, v + 1.0);
            if (more == more && more != v) {
                out.push_back({Slip::OffByOne, ctx.float_imm(e->type, more)});
            }
        } else if (e->op == Op::Var && part != Part::Left) {
            variable(e, out);
        }
    }

    void variable(Expr e, Variants& out) const {
        const bool constant = rewrite::is_constant_slot(rewrite::slot_of(e));
        if (constant && e->type.is_int() && !e->type.is_bool()) {
            out.push_back({Slip::OffByOne, ctx.add(e, ctx.int_imm(e->type, 1))});
        }
        if (part != Part::Right) return;
        for (Expr other : variables) {
            const bool same_sort = rewrite::is_constant_slot(rewrite::slot_of(other)) == constant;
            if (other != e && other->type == e->type && same_sort) {
                out.push_back({Slip::TermReplaced, other});
            }
        }
    }

    void node(Expr e, Variants& out) const {
        const std::vector<Expr> args(e->args.begin(), e->args.end());
        const auto other = [&](Slip slip, Op op) { out.push_back({slip, ctx.make(op, args)}); };
        switch (e->op) {
            case Op::FloorDiv: other(Slip::DivisionFlavour, Op::TruncDiv); break;
            case Op::TruncDiv: other(Slip::DivisionFlavour, Op::FloorDiv); break;
            case Op::FloorMod: other(Slip::DivisionFlavour, Op::TruncMod); break;
            case Op::TruncMod: other(Slip::DivisionFlavour, Op::FloorMod); break;
            case Op::Lt: other(Slip::Strictness, Op::Le); break;
            case Op::Le: other(Slip::Strictness, Op::Lt); break;
            case Op::Eq: other(Slip::OperatorReplaced, Op::Ne); break;
            case Op::Ne: other(Slip::OperatorReplaced, Op::Eq); break;
            case Op::Add: other(Slip::OperatorReplaced, Op::Sub); break;
            case Op::Sub: other(Slip::OperatorReplaced, Op::Add); break;
            case Op::Mul: other(Slip::OperatorReplaced, Op::Add); break;
            case Op::Div: other(Slip::OperatorReplaced, Op::Mul); break;
            case Op::Min: other(Slip::OperatorReplaced, Op::Max); break;
            case Op::Max: other(Slip::OperatorReplaced, Op::Min); break;
            case Op::And: other(Slip::OperatorReplaced, Op::Or); break;
            case Op::Or: other(Slip::OperatorReplaced, Op::And); break;
            case Op::BitAnd: other(Slip::OperatorReplaced, Op::BitOr); break;
            case Op::BitOr: other(Slip::OperatorReplaced, Op::BitXor); break;
            case Op::BitXor: other(Slip::OperatorReplaced, Op::BitOr); break;
            case Op::Shl: other(Slip::OperatorReplaced, Op::Shr); break;
            case Op::Shr: other(Slip::OperatorReplaced, Op::Shl); break;
            case Op::Not:
            case Op::Neg: out.push_back({Slip::SignFlipped, e->arg(0)}); break;
            case Op::IfThenElse: other(Slip::EvaluatesMore, Op::Select); break;
            default: break;
        }
        swap_operands(e, args, out);
    }

    void swap_operands(Expr e, std::vector<Expr> args, Variants& out) const {
        if (e->op == Op::Math || args.size() < 2) return;
        if (args.size() == 2 && rewrite::commutes(e->op, args[1]->type)) return;
        const std::size_t last = args.size() - 1;
        if (args[last - 1] == args[last]) return;
        std::swap(args[last - 1], args[last]);
        out.push_back({Slip::OperandsSwapped, ir::with_args(ctx, e, std::move(args))});
    }
};

class Mutator {
  public:
    Mutator(Context& ctx, const RuleInstance& rule)
        : ctx_(ctx), rule_(rule), variables_(ir::free_vars(rule.left)) {
        seen_.insert(instance_text(rule));
    }

    std::vector<RuleMutant> all() {
        conditions();
        for (const Variant& v : Slips{ctx_, variables_, Part::Right}.everywhere(rule_.right)) {
            with(v.slip, [&](RuleInstance& r) { r.right = v.pattern; });
        }
        whole_right_side();
        for (const Variant& v : Slips{ctx_, variables_, Part::Left}.everywhere(rule_.left)) {
            with(v.slip, [&](RuleInstance& r) { r.left = v.pattern; });
        }
        return std::move(out_);
    }

  private:
    void conditions() {
        if (rule_.where != nullptr) {
            with(Slip::GuardDropped, [](RuleInstance& r) { r.where = nullptr; }, true);
            const std::vector<Expr> parts = ir::conjuncts(rule_.where);
            for (std::size_t i = 0; i < parts.size() && parts.size() > 1; ++i) {
                std::vector<Expr> kept = parts;
                kept.erase(kept.begin() + static_cast<std::ptrdiff_t>(i));
                const Expr rest = ctx_.all_of(kept);
                with(Slip::GuardDropped, [&](RuleInstance& r) { r.where = rest; }, true);
            }
            const Slips slips{ctx_, variables_, Part::Condition};
            for (const Variant& v : slips.everywhere(rule_.where)) {
                with(v.slip, [&](RuleInstance& r) { r.where = v.pattern; }, true);
            }
        }
        for (std::size_t i = 0; i < rule_.needs.size(); ++i) {
            const auto at = static_cast<std::ptrdiff_t>(i);
            with(
                Slip::NeedDropped, [&](RuleInstance& r) { r.needs.erase(r.needs.begin() + at); },
                true);
            const Slips slips{ctx_, variables_, Part::Condition};
            for (const Variant& v : slips.everywhere(rule_.needs[i].pattern)) {
                with(v.slip, [&](RuleInstance& r) { r.needs[i].pattern = v.pattern; }, true);
            }
        }
    }

    void whole_right_side() {
        const ir::ScalarType type = rule_.right->type;
        const Expr e = rule_.right;
        if (type.is_bool()) {
            with(Slip::SignFlipped, [&](RuleInstance& r) { r.right = ctx_.not_(e); });
            for (const bool truth : {true, false}) {
                with(Slip::TermReplaced, [&](RuleInstance& r) { r.right = ctx_.bool_imm(truth); });
            }
            return;
        }
        const Expr one = type.is_float() ? ctx_.float_imm(type, 1.0) : ctx_.int_imm(type, 1);
        with(Slip::OffByOne, [&](RuleInstance& r) { r.right = ctx_.add(e, one); });
        with(Slip::OffByOne, [&](RuleInstance& r) { r.right = ctx_.sub(e, one); });
        with(Slip::SignFlipped, [&](RuleInstance& r) { r.right = ctx_.neg(e); });
    }

    void with(Slip slip, const std::function<void(RuleInstance&)>& change,
              bool conditions_only = false) {
        RuleMutant out{slip, rule_, "", conditions_only};
        change(out.rule);
        out.text = instance_text(out.rule);
        if (seen_.insert(out.text).second) out_.push_back(std::move(out));
    }

    Context& ctx_;
    const RuleInstance& rule_;
    std::vector<Expr> variables_;
    std::set<std::string> seen_;
    std::vector<RuleMutant> out_;
};

}  // namespace

const char* slip_name(Slip slip) {
    switch (slip) {
        case Slip::GuardDropped: return "guard dropped";
        case Slip::NeedDropped: return "need dropped";
        case Slip::OffByOne: return "off by one";
        case Slip::DivisionFlavour: return "division flavour";
        case Slip::Strictness: return "strictness";
        case Slip::OperandsSwapped: return "operands swapped";
        case Slip::OperatorReplaced: return "operator replaced";
        case Slip::TermReplaced: return "term replaced";
        case Slip::SignFlipped: return "sign flipped";
        case Slip::EvaluatesMore: return "evaluates more";
    }
    return "";
}

std::string instance_text(const RuleInstance& rule) {
    std::string out = ir::print(rule.left) + " → " + ir::print(rule.right);
    if (rule.where != nullptr) out += "  where " + ir::print(rule.where);
    std::string needs;
    for (const rewrite::Need& n : rule.needs) {
        std::string text = ir::print(n.pattern);
        if (n.in_range) text = "in_range(" + text + ")";
        if (n.definite) text = "definite(" + text + ")";
        needs += (needs.empty() ? "" : "; ") + text;
    }
    return needs.empty() ? out : out + "  needs " + needs;
}

std::vector<RuleMutant> mutants_of(Context& ctx, const RuleInstance& rule) {
    return Mutator(ctx, rule).all();
}

ir::ScalarType home_kind(const rewrite::ExpressionRule& rule) {
    for (const ir::ScalarType t : {ir::kInt32, ir::kInt8, ir::kUInt8, ir::kBool, ir::kFloat32}) {
        if (rule.kinds.contains(t)) return t;
    }
    return rule.kinds.types().front();
}

}  // namespace proviso::verify
