#include "analysis/regions/linear_reader.h"

#include <algorithm>

#include "ir/children.h"

namespace proviso::analysis {

using ir::Expr;
using ir::Integer;
using ir::Op;

LinearReader::LinearReader(ir::Context& ctx, const std::vector<Expr>& varying)
    : ctx_(ctx), varying_(varying.begin(), varying.end()) {}

// No name of a program has a blank in it.
Expr LinearReader::fresh(ir::ScalarType type) {
    Expr out = ctx_.var("q " + std::to_string(introduced_.size()), type);
    introduced_.push_back(out);
    varying_.insert(out);
    return out;
}

bool LinearReader::varies(Expr e) const {
    if (!ir::is_plain_term(e)) return true;
    const std::vector<Expr> used = ir::free_vars(e);
    return std::any_of(used.begin(), used.end(), [&](Expr v) { return varying_.count(v) != 0; });
}

std::vector<GuardedForm> LinearReader::unknown(Expr e) {
    if (!varies(e)) return {{{}, Affine::term(e)}};
    exact_ = false;
    Expr& value = unknown_[e];
    if (value == nullptr) value = fresh(e->type);
    return {{{}, Affine::term(value)}};
}

std::vector<GuardedForm> LinearReader::quotient(Expr argument, const Integer& by, bool remainder) {
    std::vector<GuardedForm> out = forms(argument);
    // Of parameters alone, the quotient is a parameter with what is known of it.
    const bool fixed = !varies(argument);
    Expr& q = quotients_[{argument, by}];
    if (q == nullptr) {
        q = fixed ? ctx_.floordiv(argument, ctx_.int_imm(argument->type, *by.to_int128()))
                  : fresh(argument->type);
    }
    for (GuardedForm& one : out) {
        const Affine rest = one.form - Affine::term(q, by);
        Conjunction& defines = fixed && out.size() == 1 ? known_ : one.when;
        defines.at_least(rest);
        defines.at_least(Affine(by - 1) - rest);
        one.form = remainder ? rest : Affine::term(q);
    }
    return out;
}

std::vector<GuardedForm> LinearReader::choice(Expr condition, Expr a, Expr b) {
    std::vector<GuardedForm> out;
    for (const bool holds : {true, false}) {
        const std::vector<Conjunction> when = conditions(condition, holds);
        for (const GuardedForm& value : forms(holds ? a : b)) {
            for (const Conjunction& c : when) {
                GuardedForm one = value;
                one.when.add(c);
                if (!one.when.contradictory()) out.push_back(std::move(one));
            }
        }
    }
    return out;
}

std::vector<GuardedForm> LinearReader::forms(Expr e) {
    const auto number = [](Expr x) -> std::optional<Integer> {
        return ir::is_int_const(x) ? std::optional<Integer>(x->int_value()) : std::nullopt;
    };
    const auto pairs = [&](const Integer& second) {
        std::vector<GuardedForm> out;
        const std::vector<GuardedForm> rest = forms(e->arg(1));
        for (const GuardedForm& a : forms(e->arg(0))) {
            for (const GuardedForm& b : rest) {
                GuardedForm sum{a.when, a.form + b.form * second};
                sum.when.add(b.when);
                if (!sum.when.contradictory()) out.push_back(std::move(sum));
            }
        }
        return out;
    };
    const auto times = [&](Expr x, const Integer& by) {
        std::vector<GuardedForm> out = forms(x);
        for (GuardedForm& one : out) one.form = one.form * by;
        return out;
    };
    if (!e->type.is_exact_int()) return unknown(e);
    std::vector<GuardedForm> out;
    const std::optional<Integer> second = e->args.size() == 2 ? number(e->arg(1)) : std::nullopt;
    switch (e->op) {
        case Op::IntImm: return {{{}, Affine(Integer(e->int_value()))}};
        case Op::Var: return {{{}, Affine::term(e)}};
        case Op::Neg: return times(e->arg(0), -1);
        case Op::Cast: return e->arg(0)->type.is_exact_int() ? forms(e->arg(0)) : unknown(e);
        case Op::Add: out = pairs(1); break;
        case Op::Sub: out = pairs(-1); break;
        case Op::Mul:
            if (second) return times(e->arg(0), *second);
            if (const auto first = number(e->arg(0))) return times(e->arg(1), *first);
            return unknown(e);
        case Op::Shl:
        case Op::Shr:
            if (!second || second->sign() < 0 || !(*second < Integer(e->type.bits))) {
                return unknown(e);
            } else {
                const auto power =
                    Integer::power_of_two(static_cast<unsigned>(*second->to_int128()));
                if (e->op == Op::Shl) return times(e->arg(0), power);
                return quotient(e->arg(0), power, false);
            }
        case Op::FloorDiv:
        case Op::FloorMod:
            if (!second || second->sign() <= 0) return unknown(e);
            return quotient(e->arg(0), *second, e->op == Op::FloorMod);
        case Op::BitAnd:
            if (!second || second->sign() <= 0 ||
                *second + 1 != Integer::power_of_two(static_cast<unsigned>(second->bit_length()))) {
                return unknown(e);
            }
            return quotient(e->arg(0), *second + 1, true);
        case Op::Min: out = choice(ctx_.le(e->arg(0), e->arg(1)), e->arg(0), e->arg(1)); break;
        case Op::Max: out = choice(ctx_.le(e->arg(0), e->arg(1)), e->arg(1), e->arg(0)); break;
        case Op::Select:
        case Op::IfThenElse: out = choice(e->arg(0), e->arg(1), e->arg(2)); break;
        default: return unknown(e);
    }
    return out.empty() || out.size() > kMostCases ? unknown(e) : out;
}

std::vector<Conjunction> both(const std::vector<Conjunction>& a,
                              const std::vector<Conjunction>& b) {
    std::vector<Conjunction> out;
    for (const Conjunction& x : a) {
        for (const Conjunction& y : b) {
            Conjunction c = x;
            c.add(y);
            if (!c.contradictory()) out.push_back(std::move(c));
        }
    }
    return out;
}

// low + gap <= high.
std::vector<Conjunction> LinearReader::compared(Expr low, Expr high, const Integer& gap) {
    // Without cases where T.min and T.max need none.
    if (high->op == Op::Min || low->op == Op::Max) {
        const bool upper = high->op == Op::Min;
        Expr choice = upper ? high : low;
        const auto with = [&](Expr x) {
            return upper ? compared(low, x, gap) : compared(x, high, gap);
        };
        return both(with(choice->arg(0)), with(choice->arg(1)));
    }
    std::vector<Conjunction> out;
    const std::vector<GuardedForm> right = forms(high);
    for (const GuardedForm& a : forms(low)) {
        for (const GuardedForm& b : right) {
            Conjunction c = a.when;
            c.add(b.when).at_least(b.form - a.form - Affine(gap));
            if (!c.contradictory()) out.push_back(std::move(c));
        }
    }
    return out;
}

std::vector<Conjunction> LinearReader::conditions(Expr e, bool holds) {
    const auto joined = [&](bool all, bool first, bool second) {
        std::vector<Conjunction> a = conditions(e->arg(0), first);
        const std::vector<Conjunction> b = conditions(e->arg(1), second);
        if (all) return both(a, b);
        a.insert(a.end(), b.begin(), b.end());
        return a;
    };
    const auto order = [&](std::size_t low, const Integer& gap) {
        return compared(e->arg(low), e->arg(1 - low), gap);
    };
    if (ir::is_true(e) || ir::is_false(e)) {
        return ir::is_true(e) == holds ? std::vector<Conjunction>{{}} : std::vector<Conjunction>{};
    }
    const bool integers = e->args.size() == 2 && e->arg(0)->type.is_exact_int();
    std::vector<Conjunction> out;
    if (e->op == Op::Not) return conditions(e->arg(0), !holds);
    if (e->op == Op::And || e->op == Op::Or) {
        out = joined((e->op == Op::And) == holds, holds, holds);
    } else if (integers && e->op == Op::Le) {
        out = holds ? order(0, 0) : order(1, 1);
    } else if (integers && e->op == Op::Lt) {
        out = holds ? order(0, 1) : order(1, 0);
    } else if (integers && (e->op == Op::Eq || e->op == Op::Ne)) {
        if ((e->op == Op::Eq) == holds) {
            out = both(order(0, 0), order(1, 0));
        } else {
            out = order(0, 1);
            const std::vector<Conjunction> above = order(1, 1);
            out.insert(out.end(), above.begin(), above.end());
        }
    } else {
        exact_ = false;
        return {{}};
    }
    if (out.size() <= kMostCases) return out;
    exact_ = false;
    return {{}};
}

}  // namespace proviso::analysis
