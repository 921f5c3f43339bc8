#include "analysis/regions/region.h"

#include <algorithm>
#include <numeric>
#include <set>

#include "analysis/regions/linear_reader.h"
#include "ir/children.h"

namespace proviso::analysis {

using ir::Expr;
using ir::Integer;

namespace {

constexpr std::size_t kMostPieces = 256;  // of a difference, before it is given up
constexpr std::size_t kMostJoins = 512;   // pairs of parts that may be one part

// The constant ends of a variable, whatever the others are.
ConstantRange shadow_range(Conjunction c, Expr x) {
    const ConstantRange direct = constant_range(c, x);
    if (direct.lo && direct.hi) return direct;
    for (Expr other : c.variables()) {
        if (other != x) c = eliminated(c, other, false).rest;
    }
    return constant_range(c, x);
}

bool solves(const Conjunction& c, Expr x, bool unit) {
    return std::any_of(c.equalities().begin(), c.equalities().end(), [&](const Affine& e) {
        const Integer a = abs(e.factor_of(x));
        return unit ? a == 1 : !a.is_zero();
    });
}

}  // namespace

RegionScope::RegionScope(ir::Context& ctx, std::vector<Expr> coordinates,
                         const std::vector<Expr>& known)
    : ctx_(ctx), coordinates_(std::move(coordinates)) {
    LinearReader reader(ctx, {});
    for (Expr fact : known) {
        if (!ir::is_plain_term(fact)) continue;
        const std::vector<Conjunction> all = reader.conditions(fact);
        if (all.size() == 1) known_.add(all[0]);
    }
    known_.add(reader.known());
}

bool RegionScope::known_empty(const Conjunction& part) const {
    Conjunction c = part;
    return analysis::known_empty(c.add(known_));
}

// All variables eliminated: by equalities, exactly, by cases of a variable with few values, and
// else with more than there is.
std::pair<std::vector<Conjunction>, bool> RegionScope::projected(
    Conjunction start, std::vector<Expr> variables) const {
    bool exact = true;
    std::vector<Conjunction> todo = {std::move(start.add(known_))};
    std::vector<Conjunction> done;
    while (!todo.empty()) {
        Conjunction c = std::move(todo.back());
        todo.pop_back();
        if (c.contradictory()) continue;
        std::vector<Expr> left;
        for (Expr x : variables) {
            if (c.mentions(x)) left.push_back(x);
        }
        if (left.empty()) {
            if (!analysis::known_empty(c)) done.push_back(std::move(c));
            continue;
        }
        Expr chosen = nullptr;
        for (const bool unit : {true, false}) {
            for (Expr x : left) {
                if (chosen == nullptr && solves(c, x, unit)) chosen = x;
            }
        }
        if (chosen != nullptr) {
            todo.push_back(eliminated(c, chosen).rest);
            continue;
        }
        std::optional<Conjunction> best;
        for (Expr x : left) {
            Elimination e = eliminated(c, x);
            if (e.exact && (!best || e.rest.size() < best->size())) best = std::move(e.rest);
        }
        if (best) {
            todo.push_back(std::move(*best));
            continue;
        }
        ConstantRange few;
        for (Expr x : left) {
            const ConstantRange r = shadow_range(c, x);
            if (!r.lo || !r.hi) continue;
            if (chosen == nullptr || *r.hi - *r.lo < *few.hi - *few.lo) {
                few = r;
                chosen = x;
            }
        }
        const Integer room = static_cast<ir::Int128>(kMostParts);
        if (chosen != nullptr && *few.hi - *few.lo < room && todo.size() <= 4 * kMostParts) {
            for (Integer value = *few.hi; *few.lo <= value; value = value - 1) {
                todo.push_back(c.substituted(chosen, Affine(value)));
            }
            continue;
        }
        exact = false;
        todo.push_back(eliminated(c, left.back()).rest);
    }
    for (Conjunction& c : done) c = tidied(c, known_);
    return {std::move(done), exact};
}

Region RegionScope::image(const IndexedCells& cells) {
    LinearReader reader(ctx_, cells.varying);
    std::vector<Conjunction> all = reader.conditions(cells.condition);
    for (std::size_t k = 0; k < coordinates_.size(); ++k) {
        std::vector<Conjunction> at;
        for (const GuardedForm& index : reader.forms(cells.indices[k])) {
            at.push_back(index.when);
            at.back().equal(index.form - Affine::term(coordinates_[k]));
        }
        all = both(all, at);
    }
    known_.add(reader.known());
    std::vector<Expr> variables = cells.varying;
    const std::vector<Expr>& more = reader.introduced();
    variables.insert(variables.end(), more.begin(), more.end());
    Region out;
    out.exact = !cells.over && reader.exact();
    for (const Conjunction& c : all) {
        auto [parts, exact] = projected(c, variables);
        out.exact = out.exact && exact;
        out.parts.insert(out.parts.end(), parts.begin(), parts.end());
    }
    return limited(merged(std::move(out)));
}

Region RegionScope::box(const std::vector<Expr>& extents) {
    IndexedCells all;
    std::vector<Expr> conditions;
    for (std::size_t k = 0; k < extents.size(); ++k) {
        Expr x = ctx_.var("x " + std::to_string(k), extents[k]->type);
        all.varying.push_back(x);
        all.indices.push_back(x);
        conditions.push_back(ctx_.le(ctx_.int_imm(x->type, 0), x));
        conditions.push_back(ctx_.lt(x, extents[k]));
    }
    all.condition = ctx_.all_of(conditions);
    return image(all);
}

// H: the constraints of both that hold in the other one, too. It is the union where it has no other
// point.
std::optional<Conjunction> RegionScope::joined(const Conjunction& a, const Conjunction& b) const {
    Conjunction out;
    for (const auto& [from, other] : {std::pair(&a, &b), std::pair(&b, &a)}) {
        Conjunction there = *other;
        there.add(known_);
        for (const Conjunction& one : from->single()) {
            bool holds = true;
            for (const Affine& e : one.inequalities()) {
                holds = holds && known_at_least_zero(there, e);
            }
            if (!one.congruences().empty()) {
                const auto outside = negated(one);
                holds = holds && outside.has_value();
                for (std::size_t k = 0; holds && k < outside->size(); ++k) {
                    Conjunction c = there;
                    holds = analysis::known_empty(c.add((*outside)[k]));
                }
            }
            if (holds) out.add(one);
        }
    }
    const auto rest = subtract({{out}, true, false}, {{a, b}, true, false});
    if (!rest || !rest->empty()) return std::nullopt;
    return tidied(out, known_);
}

Region RegionScope::merged(Region a) const {
    if (a.parts.size() > kMostPieces) return a;
    std::vector<std::size_t> numbers(a.parts.size());
    std::iota(numbers.begin(), numbers.end(), 0);
    std::size_t next = numbers.size();
    std::set<std::pair<std::size_t, std::size_t>> apart;  // tried before
    for (bool again = true; again;) {
        again = false;
        for (std::size_t i = 0; i < a.parts.size() && !again; ++i) {
            for (std::size_t j = i + 1; j < a.parts.size() && !again; ++j) {
                if (apart.count({numbers[i], numbers[j]}) != 0) continue;
                if (apart.size() >= kMostJoins) return a;
                const auto both = joined(a.parts[i], a.parts[j]);
                if (!both) {
                    apart.insert({numbers[i], numbers[j]});
                    continue;
                }
                a.parts[i] = *both;
                numbers[i] = next++;
                a.parts.erase(a.parts.begin() + static_cast<std::ptrdiff_t>(j));
                numbers.erase(numbers.begin() + static_cast<std::ptrdiff_t>(j));
                again = true;
            }
        }
    }
    return a;
}

Region RegionScope::limited(Region a) const {
    if (a.parts.size() <= kMostParts) return a;
    Region out = bounding_box(a);
    out.exact = false;
    out.hull = true;
    return out;
}

Region RegionScope::unite(const Region& a, const Region& b) const {
    Region out = a;
    out.parts.insert(out.parts.end(), b.parts.begin(), b.parts.end());
    out.exact = a.exact && b.exact;
    out.hull = a.hull || b.hull;
    return limited(merged(std::move(out)));
}

Region RegionScope::intersect(const Region& a, const Region& b) const {
    Region out;
    for (Conjunction& c : both(a.parts, b.parts)) {
        if (!known_empty(c)) out.parts.push_back(tidied(c, known_));
    }
    out.exact = a.exact && b.exact;
    out.hull = a.hull || b.hull;
    return limited(merged(std::move(out)));
}

std::optional<Region> RegionScope::subtract(const Region& a, const Region& b) const {
    if (!b.exact) return std::nullopt;  // there may be less to take away
    Region out = a;
    for (const Conjunction& taken : b.parts) {
        const std::vector<Conjunction> constraints = taken.single();
        std::vector<Conjunction> next;
        for (const Conjunction& part : out.parts) {
            Conjunction inside = part;  // and within the constraints so far
            for (const Conjunction& one : constraints) {
                const auto outside = negated(one);
                if (!outside) return std::nullopt;
                for (const Conjunction& alternative : *outside) {
                    Conjunction piece = inside;
                    piece.add(alternative);
                    if (!piece.contradictory() && !known_empty(piece)) {
                        next.push_back(std::move(piece));
                    }
                }
                if (next.size() > kMostPieces) return std::nullopt;
                inside.add(one);
                if (inside.contradictory()) break;
            }
        }
        out.parts = std::move(next);
    }
    return out;
}

std::optional<Region> RegionScope::disjoint(const Region& a) const {
    Region out = a;
    out.parts.clear();
    for (const Conjunction& part : a.parts) {
        Region before{out.parts, true, false};
        const auto more = subtract({{part}, true, false}, before);
        if (!more || out.parts.size() + more->parts.size() > kMostPieces) return std::nullopt;
        out.parts.insert(out.parts.end(), more->parts.begin(), more->parts.end());
    }
    for (Conjunction& part : out.parts) part = tidied(part, known_);
    return out;
}

bool RegionScope::within(const Region& a, const Region& b) const {
    const auto rest = subtract(a, {b.parts, true, false});
    return rest && rest->empty();
}

Region RegionScope::bounding_box(const Region& a) const {
    Region out;
    out.exact = false;
    if (a.empty()) return a;
    Conjunction box;
    std::vector<Conjunction> ends;
    for (const Conjunction& part : a.parts) {
        for (Expr p : coordinates_) {
            Conjunction c = part;
            for (Expr other : coordinates_) {
                if (other != p) c = eliminated(c, other, false).rest;
            }
            for (const Conjunction& one : c.single()) {
                if (one.congruences().empty() && one.mentions(p)) ends.push_back(one);
            }
        }
    }
    for (const Conjunction& end : ends) {
        const Affine& form = end.inequalities().at(0);
        const bool holds = std::all_of(a.parts.begin(), a.parts.end(), [&](Conjunction part) {
            return known_at_least_zero(part.add(known_), form);
        });
        if (holds) box.at_least(form);
    }
    out.parts = {tidied(box, known_)};
    return out;
}

bool known_injective(ir::Context& ctx, const IndexedCells& cells, const std::vector<Expr>& known) {
    ir::Substitution other;
    std::vector<Expr> varying = cells.varying;
    for (std::size_t k = 0; k < cells.varying.size(); ++k) {
        Expr copy = ctx.var("other " + std::to_string(k), cells.varying[k]->type);
        other[cells.varying[k]] = copy;
        varying.push_back(copy);
    }
    LinearReader reader(ctx, varying);
    const auto there = [&](Expr e) { return ir::substitute(ctx, e, other); };
    std::vector<Conjunction> all =
        both(reader.conditions(cells.condition), reader.conditions(there(cells.condition)));
    for (Expr e : cells.indices) {
        std::vector<Conjunction> same;
        const std::vector<GuardedForm> second = reader.forms(there(e));
        for (const GuardedForm& a : reader.forms(e)) {
            for (const GuardedForm& b : second) {
                same.push_back(a.when);
                same.back().add(b.when).equal(a.form - b.form);
            }
        }
        all = both(all, same);
    }
    if (!reader.exact() || all.size() > kMostCases) return false;
    Conjunction facts = RegionScope(ctx, {}, known).known();
    facts.add(reader.known());
    for (const Conjunction& c : all) {
        for (Expr v : cells.varying) {
            const Affine gap = Affine::term(v) - Affine::term(other[v]);
            for (const int sign : {1, -1}) {
                Conjunction apart = c;
                apart.add(facts).at_least(gap * Integer(sign) - Affine(1));
                if (!analysis::known_empty(apart)) return false;
            }
        }
    }
    return true;
}

}  // namespace proviso::analysis
