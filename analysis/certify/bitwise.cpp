// What holds of each bit: sums of numbers of bit-vectors that the model gives a value which their
// bits do not admit, as steps (bitwise TERM I...). Equations come from the null space of the truth
// tables; bounds from each operator with its operands, with what is known of the unknown
// bit-vectors' highest and lowest bits.
#include "analysis/certify/bitwise.h"

#include <algorithm>
#include <map>
#include <set>

#include "analysis/certify/search.h"

namespace proviso::analysis::certificate {

namespace {

using Gate = BitVector::Gate;
using Table = std::uint64_t;  // one bit for each of 64 rows of values of 6 unknown bits

constexpr std::size_t kMostUnknown = 6;
constexpr std::size_t kMostColumns = 24;
constexpr Table kUnknown[kMostUnknown] = {0xAAAAAAAAAAAAAAAA, 0xCCCCCCCCCCCCCCCC,
                                          0xF0F0F0F0F0F0F0F0, 0xFF00FF00FF00FF00,
                                          0xFFFF0000FFFF0000, 0xFFFFFFFF00000000};

}  // namespace

Bitwise::Bitwise(const BitTerms& bits, Algebra& algebra) : bits_(bits), algebra_(algebra) {
    const std::size_t count = bits.vectors.size();
    std::vector<std::size_t> group_of(count);
    for (std::size_t i = 0; i < count; ++i) group_of[i] = i;
    const auto root = [&](std::size_t i) {
        while (group_of[i] != i) i = group_of[i];
        return i;
    };
    for (std::size_t i = 0; i < count; ++i) {
        for (const std::size_t a : bits.vectors[i].args) {
            if (!bits.vectors[a].constant) group_of[root(a)] = root(i);
        }
    }
    std::map<std::size_t, std::vector<std::size_t>> members;
    for (std::size_t i = 0; i < count; ++i) members[root(i)].push_back(i);
    for (const auto& [first, of] : members) {
        if (of.size() > 1) add_group(of);
    }
}

void Bitwise::add_group(const std::vector<std::size_t>& members) {
    Group g;
    std::set<std::size_t> all(members.begin(), members.end());
    for (const std::size_t i : members) {
        const BitVector& v = bits_.vectors[i];
        all.insert(v.args.begin(), v.args.end());  // constants
        if (v.gate == Gate::None && !v.constant) g.unknown.push_back(i);
    }
    if (g.unknown.size() > kMostUnknown || g.unknown.empty()) return;
    g.vectors.assign(all.begin(), all.end());
    const auto column = [&](std::size_t i, TermId number, unsigned below) {
        const Poly& p = algebra_.poly(number);
        if (p.terms.size() != 1 || p.constant != 0) return;
        g.columns.push_back({i, below, p.terms[0].first});
    };
    const auto columns_of = [&](std::size_t i) {
        const BitVector& v = bits_.vectors[i];
        column(i, v.number, v.width);
        for (const TermId r : v.remainders) {
            const Int128 divisor = algebra_.poly(algebra_.terms().at(r).args[1]).constant;
            unsigned below = 0;
            while ((divisor >> below) > 1) ++below;
            column(i, r, below);
        }
    };
    for (const std::size_t i : g.unknown) columns_of(i);
    for (const std::size_t i : members) {
        if (bits_.vectors[i].gate != Gate::None) columns_of(i);
    }
    for (const std::size_t i : members) {
        const BitVector& v = bits_.vectors[i];
        if (v.gate == Gate::None) continue;
        const auto at = [&](std::size_t j) -> std::optional<std::size_t> {
            for (std::size_t c = 0; c < g.columns.size(); ++c) {
                const Column& k = g.columns[c];
                if (k.vector == j && k.below == bits_.vectors[j].width) return c;
            }
            return std::nullopt;
        };
        const auto own = at(i);
        if (!own) continue;
        g.sums.push_back({{*own, 1}});
        std::vector<std::size_t> operands;
        for (const std::size_t a : v.args) {
            if (const auto c = at(a)) operands.push_back(*c);
        }
        for (const std::size_t c : operands) g.sums.push_back({{*own, 1}, {c, -1}});
        if (operands.size() == 2 && operands[0] != operands[1]) {
            g.sums.push_back({{*own, 1}, {operands[0], -1}, {operands[1], -1}});
        }
    }
    if (g.columns.size() <= kMostColumns) add_equations(g);
    groups_.push_back(std::move(g));
}

std::vector<Table> Bitwise::tables(const Group& g, unsigned bit) const {
    std::vector<Table> out(bits_.vectors.size(), 0);
    std::size_t unknown = 0;
    for (const std::size_t i : g.vectors) {
        const BitVector& v = bits_.vectors[i];
        const auto of = [&](std::size_t k) { return out[v.args[k]]; };
        Table t = 0;
        switch (v.gate) {
            case Gate::Not: t = ~of(0); break;
            case Gate::And: t = of(0) & of(1); break;
            case Gate::Or: t = of(0) | of(1); break;
            case Gate::Xor: t = of(0) ^ of(1); break;
            case Gate::None:
                t = !v.constant                  ? kUnknown[unknown++]
                    : ((*v.constant >> bit) & 1) ? ~Table{0}
                                                 : Table{0};
        }
        out[i] = bit < v.width ? t : 0;
    }
    return out;
}

std::optional<AtomId> Bitwise::remainder(const BitVector& v) const {
    const Poly& p = algebra_.poly(v.remainder);
    if (p.constant != 0 || p.terms.size() != 1 || p.terms[0].second != 1) return std::nullopt;
    return algebra_.factors(p.terms[0].first)[0];
}

unsigned Bitwise::width(const Group& g) const {
    unsigned out = 0;
    for (const std::size_t i : g.vectors) out = std::max(out, bits_.vectors[i].width);
    return out;
}

// Sums with one value whatever the unknown bits are: the null space of the differences between the
// rows of the truth tables, by elimination without fractions.
void Bitwise::add_equations(Group& g) const {
    const std::size_t n = g.columns.size();
    std::set<std::vector<Int128>> rows;
    for (unsigned bit = 0; bit < width(g); ++bit) {
        const std::vector<Table> t = tables(g, bit);
        for (unsigned row = 1; row < (1U << g.unknown.size()); ++row) {
            std::vector<Int128> difference(n, 0);
            for (std::size_t c = 0; c < n; ++c) {
                if (bit >= g.columns[c].below) continue;
                const Table of = t[g.columns[c].vector];
                difference[c] = static_cast<Int128>((of >> row) & 1) - static_cast<Int128>(of & 1);
            }
            rows.insert(std::move(difference));
        }
    }
    std::vector<std::vector<Int128>> left(rows.begin(), rows.end());
    std::vector<std::size_t> pivots;
    std::size_t top = 0;
    for (std::size_t c = 0; c < n && top < left.size(); ++c) {
        std::size_t at = top;
        while (at < left.size() && left[at][c] == 0) ++at;
        if (at == left.size()) continue;
        std::swap(left[top], left[at]);
        for (std::size_t r = 0; r < left.size(); ++r) {
            if (r == top || left[r][c] == 0) continue;
            const Int128 mine = left[top][c];
            const Int128 its = left[r][c];
            Int128 common = 0;
            for (std::size_t k = 0; k < n; ++k) {
                left[r][k] = certificate::add(multiply(left[r][k], mine),
                                              negate(multiply(left[top][k], its)));
                common = gcd(common, left[r][k]);
            }
            for (std::size_t k = 0; common > 1 && k < n; ++k) left[r][k] /= common;
        }
        pivots.push_back(c);
        ++top;
    }
    for (std::size_t free = 0; free < n; ++free) {
        if (std::find(pivots.begin(), pivots.end(), free) != pivots.end()) continue;
        Int128 scale = 1;
        for (std::size_t r = 0; r < pivots.size(); ++r) {
            const Int128 pivot = magnitude(left[r][pivots[r]]);
            if (left[r][free] != 0) scale = multiply(scale, pivot / gcd(scale, pivot));
        }
        Sum sum{{free, scale}};
        for (std::size_t r = 0; r < pivots.size(); ++r) {
            const Int128 by = left[r][pivots[r]];
            const Int128 k = negate(multiply(left[r][free], scale)) / by;
            if (k != 0) sum.emplace_back(pivots[r], k);
        }
        g.sums.push_back(std::move(sum));
    }
}

Bitwise::Bounds Bitwise::bounds(const Group& g, const Sum& sum, const Known& known) const {
    Bounds out{0, 0};
    for (unsigned bit = 0; bit < width(g); ++bit) {
        const std::vector<Table> t = tables(g, bit);
        Table rows = ~Table{0};
        for (const std::size_t i : g.unknown) {
            const auto k = known.find(i);
            if (k == known.end()) continue;
            if (bit >= k->second.top || bit < k->second.bottom) rows &= ~t[i];
        }
        std::optional<Bounds> here;
        for (unsigned row = 0; row < (1U << g.unknown.size()); ++row) {
            if (((rows >> row) & 1) == 0) continue;
            Int128 value = 0;
            for (const auto& [c, k] : sum) {
                const Column& column = g.columns[c];
                if (bit < column.below && ((t[column.vector] >> row) & 1) != 0) value += k;
            }
            if (!here) here = Bounds{value, value};
            here->least = std::min(here->least, value);
            here->greatest = std::max(here->greatest, value);
        }
        const Int128 weight = Int128{1} << bit;
        out.least = certificate::add(out.least, multiply(here->least, weight));
        out.greatest = certificate::add(out.greatest, multiply(here->greatest, weight));
    }
    return out;
}

// --- in the search -------------------------------------------------------------------------------

// Where the dividend of a remainder by 2^w is within one multiple of it, the quotient is a number.
bool Search::settle_wraps(Scope& s) {
    bool any = false;
    for (const BitVector& v : bits_->terms().vectors) {
        if (!v.dividend) continue;
        const auto wrap = bits_->remainder(v);
        if (!wrap || s.known.count(*wrap) == 0 || s.settled.count(*wrap) != 0) continue;
        const Poly q = algebra_.monomial_poly(algebra_.monomial({algebra_.quotient(*wrap)}));
        const Int128 at = value(s, q).floor();
        const bool narrow = is_impossible(scaled(q, 1, negate(add(at, 1)))) &&
                            is_impossible(scaled(q, -1, add(at, -1)));
        if (narrow) {
            s.settled.insert(*wrap);
            for (const auto& [p, limit] : {std::pair{q, at}, std::pair{scaled(q, -1), -at}}) {
                if (const auto f = bound_above(s, p, limit)) s.queue.push_back(*f);
            }
            any = any || !s.queue.empty();
        }
        if (!simplex_.check()) return any;
    }
    return any;
}

// What is known of an unknown bit-vector's bits here.
void Search::learn_bits(Scope& s, std::size_t at) {
    const BitVector& v = bits_->terms().vectors[at];
    Scope::KnownBits& known =
        s.known_bits.try_emplace(at, Scope::KnownBits{v.width, 0, {}, {}}).first->second;
    const Poly number = algebra_.poly(v.number);
    unsigned least = 0;  // impossible below, possible at `top`
    unsigned top = known.top;
    while (least < top) {
        const unsigned middle = (least + top) / 2;
        if (is_impossible(scaled(number, 1, negate(Int128{1} << middle)))) {
            top = middle;
        } else {
            least = middle + 1;
        }
    }
    if (top < known.top) {
        if (const auto f = bound_above(s, number, (Int128{1} << top) - 1)) {
            known.top = top;
            known.above = *f;
        }
    }
    const auto wrap_atom = v.dividend ? bits_->remainder(v) : std::nullopt;
    if (!wrap_atom || known.bottom > 0) return;
    const Poly dividend = algebra_.poly(*v.dividend);
    unsigned bottom = 0;
    const Int128 common = gcd(dividend.content(), dividend.constant);
    if (common == 0) return;
    while (bottom < v.width && ((common >> bottom) & 1) == 0) ++bottom;
    if (bottom == 0) return;
    // number = dividend mod M and dividend mod M = dividend - M q: all but the number is even.
    const FactId equation = take_facts(s, bits_->terms().facts[v.facts]).back();
    const AtomId wrap = *wrap_atom;
    const Poly q = algebra_.monomial_poly(algebra_.monomial({algebra_.quotient(wrap)}));
    const Poly self = algebra_.monomial_poly(algebra_.monomial({wrap}));
    const Int128 size = Int128{1} << v.width;
    const Poly rest = combine(dividend, 1, q, negate(size));
    Step step;
    step.head = "(div " + algebra_.text(wrap);
    step.tail = ")";
    step.results = {proof_.add_fact(algebra_.at_least_zero(rest)),
                    proof_.add_fact(algebra_.at_least_zero(scaled(rest, -1, size - 1))),
                    proof_.add_fact(algebra_.zero(combine(self, 1, rest, -1)))};
    const FactId division = step.results.back();
    s.steps.push_back(proof_.add_step(std::move(step)));
    known.bottom = bottom;
    known.below = add_cut(s, {{equation, 1}, {division, 1}}, true);
}

std::vector<FactId> Search::take_facts(Scope& s, const TermFacts& about) {
    Step step;
    step.head = std::string("(") + about.step + " " + algebra_.terms().spelled_out(about.term);
    step.tail = ")";
    for (const TermId t : about.facts) {
        step.results.push_back(proof_.add_fact(algebra_.formula(t, true)));
    }
    work_.spend(about.facts.size());
    std::vector<FactId> out = step.results;
    s.steps.push_back(proof_.add_step(std::move(step)));
    return out;
}

bool Search::use_bits(Scope& s) {
    if (bits_ == nullptr || s.bits_tried == s.arithmetic.size()) return false;
    s.bits_tried = s.arithmetic.size();
    if (settle_wraps(s)) return true;
    bool any = false;
    for (const Bitwise::Group& g : bits_->groups()) {
        const auto is_known = [&](std::size_t i) {
            const Poly& p = algebra_.poly(bits_->terms().vectors[i].number);
            return s.known.count(algebra_.factors(p.terms[0].first)[0]) != 0;
        };
        if (!std::all_of(g.unknown.begin(), g.unknown.end(), is_known)) continue;
        for (const std::size_t i : g.unknown) {
            learn_bits(s, i);
            if (!simplex_.check()) return true;
        }
        Bitwise::Known known;
        std::vector<FactId> given;
        for (const std::size_t i : g.unknown) {
            const Scope::KnownBits& k = s.known_bits.at(i);
            known[i] = {k.top, k.bottom};
            if (k.above) given.push_back(*k.above);
            if (k.below) given.push_back(*k.below);
        }
        for (const Bitwise::Sum& sum : g.sums) {
            Poly p;
            for (const auto& [c, k] : sum) {
                p = combine(p, 1, algebra_.monomial_poly(g.columns[c].number), k);
            }
            const Rational v = value(s, p);
            const Bitwise::Bounds b = bits_->bounds(g, sum, known);
            work_.spend(bits_->work(g, sum));
            if (v.floor() >= b.least && v.is_integer() && v.floor() <= b.greatest) continue;
            std::vector<AtomId> atoms;
            algebra_.atoms_of(p, atoms);
            take_atoms(s, atoms);
            Step step;
            step.head = "(bitwise " + algebra_.text(p);
            step.premises = given;
            step.tail = ")";
            if (b.least == b.greatest) {
                step.results = {proof_.add_fact(algebra_.zero(scaled(p, 1, negate(b.least))))};
            } else {
                step.results = {
                    proof_.add_fact(algebra_.at_least_zero(scaled(p, 1, negate(b.least)))),
                    proof_.add_fact(algebra_.at_least_zero(scaled(p, -1, b.greatest)))};
            }
            s.queue.insert(s.queue.end(), step.results.begin(), step.results.end());
            s.steps.push_back(proof_.add_step(std::move(step)));
            any = true;
        }
    }
    return any || !s.queue.empty();
}

}  // namespace proviso::analysis::certificate
