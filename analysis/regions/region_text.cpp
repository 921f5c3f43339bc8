// Regions as text, and as boxes of cells: count.h.
#include <algorithm>

#include "analysis/regions/count.h"
#include "ir/text.h"

namespace proviso::analysis {

using ir::Expr;
using ir::Integer;

namespace {

std::string term_text(Expr e, const Integer& factor) {
    if (factor == 1) return ir::print(e);
    const bool simple = e->op == ir::Op::Var;
    return (simple ? ir::print(e) : "(" + ir::print(e) + ")") + " * " + factor.str();
}

// e - 6 * (e // 6) is e % 6: the form without it, and its text.
std::optional<std::pair<Affine, std::string>> remainder(const Affine& form) {
    for (const auto& [term, factor] : form.terms()) {
        if (term->op != ir::Op::FloorDiv || !ir::is_int_const(term->arg(1))) continue;
        if (factor != -Integer(term->arg(1)->int_value())) continue;
        const Affine rest = form.without(term) - Affine::of(term->arg(0));
        if (!rest.is_constant()) continue;
        const bool simple = term->arg(0)->op == ir::Op::Var;
        const std::string e = ir::print(term->arg(0));
        return std::pair{rest, (simple ? e : "(" + e + ")") + " % " + ir::print(term->arg(1))};
    }
    return std::nullopt;
}

// "n - i + 3", "3 - i". Types are mixed in forms, so no expression is made of them.
std::string form_text(const Affine& whole) {
    std::vector<std::pair<bool, std::string>> parts;  // positive
    Affine form = whole;
    if (const auto found = remainder(whole)) {
        form = found->first;
        parts.emplace_back(true, found->second);
    }
    for (const int sign : {1, -1}) {
        for (const auto& [term, factor] : form.terms()) {
            if (factor.sign() == sign) parts.emplace_back(sign > 0, term_text(term, abs(factor)));
        }
    }
    const Integer& constant = form.constant();
    if (!constant.is_zero()) {
        const bool first = constant.sign() > 0 && (parts.empty() || !parts.front().first);
        parts.emplace(first ? parts.begin() : parts.end(), constant.sign() > 0,
                      abs(constant).str());
    }
    if (parts.empty()) return "0";
    std::string out;
    for (const auto& [positive, text] : parts) {
        if (out.empty()) {
            out = (positive ? "" : "-") + text;
        } else {
            out += (positive ? " + " : " - ") + text;
        }
    }
    return out;
}

// The form, with a number beside a T.min or T.max in its operands: T.min(n, 32), not
// T.min(n - 1, 31) + 1.
std::string end_text(const Affine& form) {
    if (form.terms().size() == 1 && form.terms()[0].second == 1) {
        Expr e = form.terms()[0].first;
        if (e->op == ir::Op::Min || e->op == ir::Op::Max) {
            const Affine number = form.constant();
            return std::string(e->op == ir::Op::Min ? "T.min(" : "T.max(") +
                   end_text(Affine::of(e->arg(0)) + number) + ", " +
                   end_text(Affine::of(e->arg(1)) + number) + ")";
        }
    }
    return form_text(form);
}

std::string span_text(const Span& span) {
    if (span.point()) return end_text(span.lo);
    std::string out = end_text(span.lo) + ":" + end_text(span.hi + Affine(1));
    if (span.stride != 1) out += ":" + span.stride.str();
    return out;
}

// The constraint with its positive parts on both sides: "9 * k <= p0 * 6 + p1".
std::string constraint_text(const Affine& whole, bool equality) {
    // v < n, not v + 1 <= n.
    const bool strict = !equality && whole.constant() == Integer(-1) && whole.terms().size() > 1;
    const Affine form = strict ? whole + Affine(1) : whole;
    Affine left = form.constant().sign() < 0 ? Affine(-form.constant()) : Affine(0);
    Affine right = form.constant().sign() > 0 ? Affine(form.constant()) : Affine(0);
    for (const auto& [term, factor] : form.terms()) {
        (factor.sign() < 0 ? left : right).add(Affine::term(term, abs(factor)));
    }
    return form_text(left) + (equality ? " == " : strict ? " < " : " <= ") + form_text(right);
}

}  // namespace

std::string part_text(const RegionScope& scope, const Conjunction& part,
                      const std::string& buffer) {
    std::vector<std::string> places;
    std::vector<std::string> conditions;
    std::vector<Expr> shown;  // coordinates that are named, or given by an expression
    Conjunction rest;
    const std::vector<Expr>& all = scope.coordinates();
    std::vector<bool> used_equalities(part.equalities().size(), false);
    for (std::size_t k = 0; k < all.size(); ++k) {
        Expr p = all[k];
        if (const auto span = span_of(scope, part, p)) {
            places.push_back(span_text(*span));
            continue;
        }
        shown.push_back(p);
        // p as an expression of coordinates before it.
        std::string value;
        for (std::size_t e = 0; e < part.equalities().size() && value.empty(); ++e) {
            const Affine& form = part.equalities()[e];
            const Integer a = form.factor_of(p);
            const bool later =
                std::any_of(all.begin() + static_cast<std::ptrdiff_t>(k) + 1, all.end(),
                            [&](Expr q) { return !form.factor_of(q).is_zero(); });
            if (abs(a) != 1 || later || used_equalities[e]) continue;
            used_equalities[e] = true;
            value = form_text(form.without(p) * (-a));
        }
        places.push_back(value.empty() ? *p->name : value);
    }
    const auto speaks = [&](const Affine& form) {
        const bool of_none = std::none_of(all.begin(), all.end(),
                                          [&](Expr p) { return !form.factor_of(p).is_zero(); });
        return of_none || std::any_of(shown.begin(), shown.end(),
                                      [&](Expr p) { return !form.factor_of(p).is_zero(); });
    };
    for (std::size_t e = 0; e < part.equalities().size(); ++e) {
        if (!used_equalities[e] && speaks(part.equalities()[e])) {
            conditions.push_back(constraint_text(part.equalities()[e], true));
        }
    }
    for (const Affine& form : part.inequalities()) {
        if (speaks(form)) conditions.push_back(constraint_text(form, false));
    }
    for (const Congruence& g : part.congruences()) {
        if (!speaks(g.form)) continue;
        conditions.push_back("(" + form_text(g.form) + ") % " + g.modulus.str() + " == 0");
    }
    std::string out = buffer + "[";
    for (std::size_t k = 0; k < places.size(); ++k) out += (k == 0 ? "" : ", ") + places[k];
    out += "]";
    for (std::size_t k = 0; k < conditions.size(); ++k) {
        out += (k == 0 ? " where " : " and ") + conditions[k];
    }
    return out;
}

std::string region_text(const RegionScope& scope, const Region& region, const std::string& buffer) {
    if (region.empty()) return "nothing";
    std::string out;
    for (const Conjunction& part : region.parts) {
        out += (out.empty() ? "" : " + ") + part_text(scope, part, buffer);
    }
    return out;
}

namespace {

// Boxes of a part without parameters: slices along the first coordinate, equal neighbours joined.
class Slicer {
  public:
    Slicer(std::size_t most) : most_(most) {}

    bool run(const Conjunction& part, const std::vector<Expr>& coordinates, std::size_t k,
             std::vector<CellBox>& out) {
        if (part.contradictory()) return true;
        if (steps_++ > most_ * 4) return false;
        Conjunction c = part;
        for (std::size_t q = k + 1; q < coordinates.size(); ++q) {
            c = eliminated(c, coordinates[q], false).rest;
        }
        if (c.contradictory()) return true;
        Expr p = coordinates[k];
        const ConstantRange r = constant_range(c, p);
        if (!r.lo || !r.hi) return false;
        const bool couples = std::any_of(
            part.inequalities().begin(), part.inequalities().end(),
            [&](const Affine& e) { return !e.factor_of(p).is_zero() && e.terms().size() > 1; });
        const auto one_of = [&](const auto& forms, const auto& get) {
            return std::any_of(forms.begin(), forms.end(),
                               [&](const auto& e) { return !get(e).factor_of(p).is_zero(); });
        };
        const bool steps = one_of(part.congruences(), [](const Congruence& g) { return g.form; });
        const bool equal = std::any_of(
            part.equalities().begin(), part.equalities().end(),
            [&](const Affine& e) { return !e.factor_of(p).is_zero() && e.terms().size() > 1; });
        if (!couples && !steps && !equal) {
            return with_rest(part, coordinates, k, *r.lo, *r.hi, out);
        }
        for (Integer x = *r.lo; x <= *r.hi; x = x + 1) {
            const Conjunction there = part.substituted(p, Affine(x));
            if (!with_rest(there, coordinates, k, x, x, out)) return false;
        }
        return true;
    }

  private:
    bool with_rest(const Conjunction& part, const std::vector<Expr>& coordinates, std::size_t k,
                   const Integer& lo, const Integer& hi, std::vector<CellBox>& out) {
        std::vector<CellBox> rest;
        if (part.contradictory()) return true;
        if (k + 1 == coordinates.size()) {
            rest.emplace_back();
        } else if (!run(part, coordinates, k + 1, rest)) {
            return false;
        }
        for (CellBox& box : rest) {
            box.lo.insert(box.lo.begin(), lo);
            box.hi.insert(box.hi.begin(), hi + Integer(1));
            append(std::move(box), out);
        }
        return out.size() <= most_;
    }

    // To a box that ends where this one begins and is as wide, else by itself.
    static void append(CellBox box, std::vector<CellBox>& out) {
        for (auto other = out.rbegin(); other != out.rend(); ++other) {
            if (other->hi[0] < box.lo[0]) break;
            if (other->hi[0] != box.lo[0]) continue;
            const auto same = [&](const auto& a, const auto& b) {
                return std::equal(a.begin() + 1, a.end(), b.begin() + 1, b.end());
            };
            if (same(other->lo, box.lo) && same(other->hi, box.hi)) {
                other->hi[0] = box.hi[0];
                return;
            }
        }
        out.push_back(std::move(box));
    }

    std::size_t most_;
    std::size_t steps_ = 0;
};

}  // namespace

std::optional<std::vector<CellBox>> cell_boxes(const RegionScope& scope, const Region& region,
                                               std::size_t most) {
    const auto parts = scope.disjoint(region);
    if (!parts) return std::nullopt;
    std::vector<CellBox> out;
    for (const Conjunction& part : parts->parts) {
        std::vector<CellBox> boxes;
        if (!Slicer(most).run(part, scope.coordinates(), 0, boxes)) return std::nullopt;
        out.insert(out.end(), boxes.begin(), boxes.end());
        if (out.size() > most) return std::nullopt;
    }
    std::sort(out.begin(), out.end(), [](const CellBox& a, const CellBox& b) {
        return std::tie(a.lo, a.hi) < std::tie(b.lo, b.hi);
    });
    return out;
}

}  // namespace proviso::analysis
