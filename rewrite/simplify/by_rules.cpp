#include "rewrite/simplify/by_rules.h"

#include <algorithm>

#include "analysis/facts/formula.h"
#include "rewrite/simplify/definite.h"

namespace proviso::rewrite {

using ir::Expr;
using ir::Int128;
using ir::Op;

namespace {

struct Attempt {
    ir::Context& ctx;
    Surroundings& surroundings;
    FactSet& s;
    Expr e;
    bool explain;
    Arranged out{};

    // The range of an instance of a pattern of exact integers, without building it. Where that
    // takes more than ranges of its terms, it is unbounded, and `whole` becomes false.
    Range range_of(Expr pattern, const Bindings& bindings, bool& whole) {
        if (pattern->op == Op::IntImm) return Range::point(pattern->int_value());
        if (pattern->op == Op::Var) {
            return surroundings.range(s,
                                      bindings.terms[static_cast<std::size_t>(slot_of(pattern))]);
        }
        const auto arg = [&](std::size_t i) { return range_of(pattern->arg(i), bindings, whole); };
        if (pattern->type.is_exact_int()) {
            switch (pattern->op) {
                case Op::Neg: return scaled(arg(0), -1);
                case Op::Add: return sum(arg(0), arg(1));
                case Op::Sub: return sum(arg(0), scaled(arg(1), -1));
                case Op::Mul: return product(arg(0), arg(1));
                default: break;
            }
        }
        whole = false;
        return {};
    }

    // What occurs in an instance.
    LinearForms::Occurring occurring(Expr pattern, const Bindings& bindings) {
        if (pattern->op == Op::Var) {
            return surroundings.forms().occurring(
                bindings.terms[static_cast<std::size_t>(slot_of(pattern))]);
        }
        LinearForms::Occurring all = 0;
        for (Expr a : pattern->args) all = LinearForms::both(all, occurring(a, bindings));
        return all;
    }

    // The need by ranges, where they tell, or where there is nothing else that could.
    std::optional<bool> quickly(const Need& need, const Bindings& bindings) {
        Expr p = need.pattern;
        if (need.definite) return std::nullopt;
        bool whole = true;
        if (need.in_range) {
            if (!p->type.is_exact_int()) return true;
            if (range_of(p, bindings, whole).within(Range::of(p->type))) return true;
        } else {
            if (!is_order(p)) return std::nullopt;
            const Range right = range_of(p->arg(1), bindings, whole);
            const Range gap = sum(right, scaled(range_of(p->arg(0), bindings, whole), -1));
            const Int128 least = p->op == Op::Lt ? 1 : 0;
            if (gap.lo >= least) return true;
            if (gap.hi < least) return false;
            whole &= p->arg(0)->type.is_exact_int();
        }
        if (whole && surroundings.ranges_say_all(s, occurring(p, bindings))) return false;
        return std::nullopt;
    }

    // An instance's values at the sample points, without building it.
    Lanes lanes_of(Expr pattern, const Bindings& bindings) {
        if (pattern->op == Op::Var) {
            return surroundings.lanes(s,
                                      bindings.terms[static_cast<std::size_t>(slot_of(pattern))]);
        }
        if (pattern->op == Op::IntImm) return lanes_of_constant(pattern);
        if (!ir::is_plain_term(pattern) || pattern->args.empty() || pattern->op == Op::Math) {
            return {};
        }
        std::array<Lanes, 3> values;
        std::array<const Lanes*, 3> args{};
        for (std::size_t i = 0; i < pattern->args.size(); ++i) {
            values[i] = lanes_of(pattern->arg(i), bindings);
            args[i] = &values[i];
        }
        return lanes_of_operator(pattern, args);
    }

    // The same, without copying what is there.
    const Lanes& lanes_at(Expr pattern, const Bindings& bindings, Lanes& scratch) {
        if (pattern->op == Op::Var) {
            return surroundings.lanes(s,
                                      bindings.terms[static_cast<std::size_t>(slot_of(pattern))]);
        }
        scratch = lanes_of(pattern, bindings);
        return scratch;
    }

    // Whether ranges decide the claim, or nothing does.
    bool is_left_to_ranges(Expr claim, const Bindings& bindings) {
        return is_comparison(claim->op) && claim->arg(0)->type.is_exact_int() &&
               Surroundings::ranges_say_all(s, occurring(claim, bindings));
    }

    bool seen_to_fail(Expr claim, const Bindings& bindings) {
        const Lanes::Mask points = surroundings.points(s);
        if (points == 0) return false;
        if (is_order(claim)) {
            Lanes left;
            Lanes right;
            return order_fails(claim->op, claim->arg(0)->type,
                               lanes_at(claim->arg(0), bindings, left),
                               lanes_at(claim->arg(1), bindings, right), points);
        }
        return (lanes_where(lanes_of(claim, bindings), false) & points) != 0;
    }

    static bool is_order(Expr claim) {
        return (claim->op == Op::Lt || claim->op == Op::Le) && claim->arg(0)->type.is_int();
    }

    // A side of an order that is a literal, or a term as it stands.
    struct Side {
        Expr term = nullptr;  // null: the literal
        std::int64_t value = 0;
        bool is_simple = true;
    };
    static Side side_of(Expr pattern, const Bindings& bindings) {
        Side out;
        if (pattern->op == Op::Var) {
            Expr term = bindings.terms[static_cast<std::size_t>(slot_of(pattern))];
            out.value = term->bits;
            const bool literal =
                term->op == Op::IntImm && (term->bits >= 0 || term->type.is_signed());
            if (!literal) out.term = term;
            return out;
        }
        out.is_simple = narrow_constant(pattern, bindings, out.value);
        return out;
    }

    // What most needs are, an order of terms and literals: by ranges, and, if points are to be
    // looked at, false where one says so. Nothing is built.
    std::optional<bool> order_of_sides(Expr claim, const Bindings& bindings, bool look) {
        const Side left = side_of(claim->arg(0), bindings);
        const Side right = side_of(claim->arg(1), bindings);
        if (!left.is_simple || !right.is_simple) return std::nullopt;
        const int least = claim->op == Op::Lt ? 1 : 0;  // right - left is that, or more
        LinearForms::Occurring both = 0;
        if (right.term == nullptr && left.term == nullptr) {
            return right.value >= left.value && (least == 0 || right.value != left.value);
        }
        if (right.term == nullptr) {
            const Range r = surroundings.range(s, left.term);
            const Int128 most = Int128{right.value} - least;
            if (r.hi <= most) return true;
            if (r.lo > most) return false;
            both = surroundings.forms().occurring(left.term);
        } else if (left.term == nullptr) {
            const Range r = surroundings.range(s, right.term);
            const Int128 lowest = Int128{left.value} + least;
            if (r.lo >= lowest) return true;
            if (r.hi < lowest) return false;
            both = surroundings.forms().occurring(right.term);
        } else {
            const Range gap = sum(surroundings.range(s, right.term),
                                  scaled(surroundings.range(s, left.term), -1));
            if (gap.lo >= least) return true;
            if (gap.hi < least) return false;
            both = LinearForms::both(surroundings.forms().occurring(left.term),
                                     surroundings.forms().occurring(right.term));
        }
        const ir::ScalarType type = claim->arg(0)->type;
        if (type.is_exact_int() && Surroundings::ranges_say_all(s, both)) return false;
        const Lanes::Mask points = look ? surroundings.points(s) : Lanes::Mask{0};
        if (points == 0) return std::nullopt;
        const auto at = [this](const Side& side) -> const Lanes& {
            return surroundings.lanes(s, side.term);
        };
        const bool fails =
            left.term == nullptr    ? order_fails(claim->op, type, left.value, at(right), points)
            : right.term == nullptr ? order_fails(claim->op, type, at(left), right.value, points)
                                    : order_fails(claim->op, type, at(left), at(right), points);
        return fails ? std::optional<bool>(false) : std::nullopt;
    }

    bool holds(const Need& need, const Bindings& bindings) {
        const bool simple = !need.in_range && !need.definite && is_order(need.pattern);
        if (simple) {
            if (const auto known = order_of_sides(need.pattern, bindings, true)) return *known;
        }
        if (const auto known = quickly(need, bindings)) return *known;
        const bool is_claim = !need.in_range && !need.definite;
        if (is_claim && !is_left_to_ranges(need.pattern, bindings) &&
            seen_to_fail(need.pattern, bindings)) {
            return false;
        }
        Expr claim = build(ctx, need.pattern, bindings);
        if (claim == nullptr) return false;
        if (need.definite) {
            return surely_definite(claim) || surroundings.proves(s, need_claim(ctx, need, claim));
        }
        return need.in_range ? surroundings.in_range(s, claim) : surroundings.proves(s, claim);
    }

    // Whether ranges speak against a need.
    bool is_refuted(const RuleInstance& rule, const Bindings& bindings) {
        return std::any_of(rule.needs.begin(), rule.needs.end(), [&](const Need& need) {
            return !need.in_range && !need.definite && is_order(need.pattern) &&
                   order_of_sides(need.pattern, bindings, false) == false;
        });
    }

    // Where the two sides differ at a sample point, some condition is false there: one look instead
    // of many questions.
    bool sides_differ(const RuleInstance& rule, const Bindings& bindings) {
        if (rule.needs.empty() || !e->type.is_exact_int()) return false;
        const Lanes::Mask points = surroundings.points(s);
        if (points == 0) return false;
        const Lanes& now = surroundings.lanes(s, e);
        if ((now.known & points) == 0) return false;
        if (rule.right->op == Op::IntImm) return differs_somewhere(now, rule.right->bits, points);
        Lanes scratch;
        const Lanes& after = lanes_at(rule.right, bindings, scratch);
        return differs_somewhere(now, after, points);
    }

    bool operator()(const RuleInstance& rule, const Bindings& bindings) {
        if (!rule.rule->licences.empty() || is_refuted(rule, bindings) ||
            sides_differ(rule, bindings)) {
            return false;
        }
        for (const Need& need : rule.needs) {
            if (!holds(need, bindings)) return false;
        }
        Expr after = build(ctx, rule.right, bindings);
        if (after == nullptr || after == e) return false;
        out = Arranged{rule.rule->name.data(), after};
        if (!explain) return true;
        out.why = std::make_unique<Arranged::Why>();
        for (int slot = 0; slot < kSlots; ++slot) {
            Expr term = bindings.terms[static_cast<std::size_t>(slot)];
            if (term != nullptr) out.why->bindings.push_back({slot_name(slot), term});
        }
        if (const auto needs = build_needs(ctx, rule, bindings)) out.why->conditions = *needs;
        return true;
    }
};

}  // namespace

Arranged by_rules(ir::Context& ctx, const RuleBook& book, Surroundings& surroundings, FactSet& s,
                  Expr e, bool explain) {
    Attempt attempt{ctx, surroundings, s, e, explain};
    book.match_known(e, [&attempt](const RuleInstance& rule, const Bindings& bindings) {
        return attempt(rule, bindings);
    });
    return std::move(attempt.out);
}

}  // namespace proviso::rewrite
