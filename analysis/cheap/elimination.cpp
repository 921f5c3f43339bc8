#include "analysis/cheap/elimination.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

namespace proviso::analysis::cheap {

namespace {

constexpr std::size_t kMostConstraints = 120;
constexpr Int128 kLargestFactor = Int128{1} << 62;  // of what is combined; bigger ones are dropped

// Divides by the common factor of the atoms, rounding the constant down. False for a constraint
// that says nothing or has grown too big to carry on with.
bool reduce(Form& f, bool& contradiction) {
    const Int128 g = f.content();
    if (g == 0) {
        contradiction |= f.constant < 0;
        return false;
    }
    if (g > 1) {
        for (Term& t : f.terms) t.factor /= g;
        f.constant = floor_div(f.constant, g);
    }
    return std::none_of(f.terms.begin(), f.terms.end(), [](const Term& t) {
        return t.factor > kLargestFactor || t.factor < -kLargestFactor;
    });
}

struct Occurrences {
    std::size_t positive = 0;
    std::size_t negative = 0;
};

}  // namespace

bool infeasible(std::vector<Form> constraints, const BoundsOf& bounds) {
    std::set<int> atoms;
    for (const Form& f : constraints) {
        for (const Term& t : f.terms) atoms.insert(t.atom);
    }
    for (const int a : atoms) {
        const Interval b = bounds(a);
        Form f = Form::of_atom(a);
        if (b.lo) {
            f.constant = checked_neg(*b.lo);
            constraints.push_back(f);
        }
        f = Form::of_atom(a, -1);
        if (b.hi) {
            f.constant = *b.hi;
            constraints.push_back(f);
        }
    }
    bool contradiction = false;
    std::erase_if(constraints, [&](Form& f) { return !reduce(f, contradiction); });
    while (!contradiction && !constraints.empty()) {
        std::map<int, Occurrences> where;
        for (const Form& f : constraints) {
            for (const Term& t : f.terms) {
                ++(t.factor > 0 ? where[t.atom].positive : where[t.atom].negative);
            }
        }
        int atom = -1;
        std::size_t least = 0;
        for (const auto& [a, n] : where) {
            const std::size_t cost = n.positive * n.negative;
            if (atom < 0 || cost < least) {
                atom = a;
                least = cost;
            }
        }
        if (constraints.size() + least > kMostConstraints) return false;
        std::vector<Form> next;
        std::vector<Form> up;
        std::vector<Form> down;
        for (Form& f : constraints) {
            const Int128 k = f.factor_of(atom);
            (k == 0 ? next : k > 0 ? up : down).push_back(std::move(f));
        }
        for (const Form& u : up) {
            for (const Form& d : down) {
                const Int128 ku = u.factor_of(atom);
                const Int128 kd = checked_neg(d.factor_of(atom));
                const Int128 g = gcd(ku, kd);
                Form f = scaled(u, kd / g);
                f.add(d, ku / g);
                if (!reduce(f, contradiction)) continue;
                if (std::find(next.begin(), next.end(), f) == next.end()) next.push_back(f);
            }
            if (contradiction) return true;
        }
        constraints = std::move(next);
    }
    return contradiction;
}

namespace {

// form * atom, when every monomial of it is already known or of degree one; none otherwise.
Form times_atom(AtomTable& atoms, const Form& form, int atom) {
    Form out = Form::of_atom(atom, form.constant);
    for (const Term& t : form.terms) {
        out.add(Form::of_atom(atoms.product(t.atom, atom), t.factor));
    }
    return out;
}

}  // namespace

void add_products(AtomTable& atoms, const BoundsOf& bounds, std::vector<Form>& constraints) {
    std::set<int> products;
    for (const Form& f : constraints) {
        for (const Term& t : f.terms) {
            if (atoms[t.atom].kind == Atom::Kind::Product) products.insert(t.atom);
        }
    }
    if (products.empty()) return;
    constexpr std::size_t most_added = 24;
    std::vector<Form> added;
    std::set<int> factors;
    std::set<int> multipliers;
    for (const int p : products) {
        for (const int a : {atoms[p].left, atoms[p].right}) {
            factors.insert(a);
            const Interval b = bounds(a);
            if (b.lo && *b.lo >= 0) multipliers.insert(a);
        }
    }
    const auto linear_in_factors = [&](const Form& f) {
        return std::all_of(f.terms.begin(), f.terms.end(), [&](const Term& t) {
            return atoms[t.atom].kind != Atom::Kind::Product && factors.count(t.atom) != 0;
        });
    };
    std::vector<Form> candidates;
    for (const Form& f : constraints) {
        if (linear_in_factors(f)) candidates.push_back(f);
    }
    for (const int a : factors) {  // their lower bounds: a - lo >= 0
        const Interval b = bounds(a);
        if (!b.lo || *b.lo < 0) continue;
        Form f = Form::of_atom(a);
        f.constant = checked_neg(*b.lo);
        candidates.push_back(f);
    }
    for (const int m : multipliers) {
        for (const Form& f : candidates) {
            if (added.size() < most_added) added.push_back(times_atom(atoms, f, m));
        }
    }
    constraints.insert(constraints.end(), added.begin(), added.end());
}

void add_rounded(const BoundsOf& bounds, std::vector<Form>& constraints) {
    const std::size_t count = constraints.size();
    for (std::size_t i = 0; i < count; ++i) {
        Int128 common = 0;
        for (const Term& t : constraints[i].terms) {
            if (magnitude(t.factor) > 1) common = gcd(common, t.factor);
        }
        if (common <= 1) continue;
        Form rounded;
        std::optional<Int128> most = constraints[i].constant;  // of what is no multiple
        for (const Term& t : constraints[i].terms) {
            if (t.factor % common == 0) {
                rounded.add(Form::of_atom(t.atom, t.factor / common));
                continue;
            }
            const Interval part = scaled(bounds(t.atom), t.factor);
            most = part.hi && most ? std::optional<Int128>(checked_add(*most, *part.hi))
                                   : std::nullopt;
        }
        if (!most || rounded.terms.size() == constraints[i].terms.size()) continue;
        rounded.constant = floor_div(*most, common);
        constraints.push_back(rounded);
    }
}

}  // namespace proviso::analysis::cheap
