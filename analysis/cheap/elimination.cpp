#include "analysis/cheap/elimination.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>

namespace proviso::analysis::cheap {

namespace {

constexpr std::size_t kMostConstraints = 160;
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

// Constraints with the same atoms and factors are one: the tightest. Those that the bounds of their
// atoms imply are left out; the bounds themselves, of one atom each, stay until it is eliminated.
class Constraints {
  public:
    explicit Constraints(const std::map<int, Interval>& bounds) : bounds_(&bounds) {}

    void add(Form f) {
        if (f.terms.size() > 1 && implied(f)) return;
        const std::uint32_t hash = hash_of_terms(f);
        for (std::size_t i = 0; i < forms.size(); ++i) {
            if (hashes_[i] != hash || !same_terms(forms[i], f)) continue;
            forms[i].constant = std::min(forms[i].constant, f.constant);
            return;
        }
        hashes_.push_back(hash);
        forms.push_back(std::move(f));
    }

    std::vector<Form> forms;

  private:
    bool implied(const Form& f) const {
        std::optional<Int128> least = f.constant;
        for (const Term& t : f.terms) {
            const Interval part = scaled(bounds_->at(t.atom), t.factor);
            Int128 sum = 0;
            if (!part.lo || __builtin_add_overflow(*least, *part.lo, &sum)) return false;
            least = sum;
        }
        return *least >= 0;
    }

    const std::map<int, Interval>* bounds_;
    std::vector<std::uint32_t> hashes_;
};

// The atom whose elimination adds least; -1 when that is too much.
int cheapest(const std::vector<Form>& constraints) {
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
    return constraints.size() + least > kMostConstraints ? -1 : atom;
}

}  // namespace

bool infeasible(std::vector<Form> constraints, const BoundsOf& bounds) {
    std::map<int, Interval> box;
    for (const Form& f : constraints) {
        for (const Term& t : f.terms) {
            if (box.count(t.atom) == 0) box.emplace(t.atom, bounds(t.atom));
        }
    }
    for (const auto& [a, b] : box) {
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
    Constraints current(box);
    for (Form& f : constraints) {
        if (reduce(f, contradiction)) current.add(std::move(f));
    }
    while (!contradiction && !current.forms.empty()) {
        const int atom = cheapest(current.forms);
        if (atom < 0) return false;
        Constraints next(box);
        std::vector<Form> up;
        std::vector<Form> down;
        for (Form& f : current.forms) {
            const Int128 k = f.factor_of(atom);
            if (k == 0)
                next.add(std::move(f));
            else
                (k > 0 ? up : down).push_back(std::move(f));
        }
        for (const Form& u : up) {
            for (const Form& d : down) {
                const Int128 ku = u.factor_of(atom);
                const Int128 kd = checked_neg(d.factor_of(atom));
                const Int128 g = gcd(ku, kd);
                Form f = scaled(u, kd / g);
                f.add(d, ku / g);
                if (reduce(f, contradiction)) next.add(std::move(f));
            }
            if (contradiction) return true;
        }
        std::swap(current, next);
    }
    return contradiction;
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
                rounded.add_atom(t.atom, t.factor / common);
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
