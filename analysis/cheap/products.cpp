#include "analysis/cheap/products.h"

#include <algorithm>
#include <map>
#include <set>

namespace proviso::analysis::cheap {

Form multiplied(AtomTable& atoms, const Form& a, const Form& b) {
    if (a.is_constant()) return scaled(b, a.constant);
    if (b.is_constant()) return scaled(a, b.constant);
    constexpr std::size_t most = 24;
    if (a.terms.size() * b.terms.size() > most) throw GiveUp{};
    Form out = scaled(a, b.constant);
    Form rest = b;
    rest.constant = 0;
    out.add(rest, a.constant);
    for (const Term& x : a.terms) {
        for (const Term& y : b.terms) {
            out.add_atom(atoms.product(x.atom, y.atom), checked_mul(x.factor, y.factor));
        }
    }
    return out;
}

namespace {

constexpr std::size_t kMostMonomials = 24;  // looked at
constexpr std::size_t kMostAdded = 28;
constexpr int kRounds = 3;
constexpr Int128 kFarBound = 1 << 20;  // bounds beyond are those of types: no use in products

class ProductLemmas {
  public:
    ProductLemmas(AtomTable& atoms, const BoundsOf& bounds, bool far,
                  std::vector<Form>& constraints)
        : atoms_(atoms),
          bounds_(bounds),
          far_(far),
          constraints_(constraints),
          given_(constraints.size()) {}

    void run() {
        for (int round = 0; round < kRounds; ++round) {
            collect_monomials();
            if (monomials_.empty()) return;
            if (!add_best()) return;
        }
    }

  private:
    struct Candidate {
        int known;  // monomials of it that occur already
        Form form;
    };

    bool is_product(int atom) const { return atoms_[atom].kind == Atom::Kind::Product; }

    void collect_monomials() {
        monomials_.clear();
        known_.clear();
        for (const Form& f : constraints_) {
            for (const Term& t : f.terms) {
                known_.insert(t.atom);
                if (!is_product(t.atom) || monomials_.size() >= kMostMonomials) continue;
                monomials_.insert(t.atom);
            }
        }
    }

    bool never_negative(int atom) const {
        for (const int f : atoms_.factors_of(atom)) {
            if (!bounds_(f).at_least(0)) return false;
        }
        return true;
    }

    // cofactor -> atoms that it occurs with
    std::map<int, std::set<int>> cofactors() {
        std::map<int, std::set<int>> out;
        for (const int m : monomials_) {
            for (const int x : atoms_.factors_of(m)) {
                const int c = atoms_.without(m, x);
                if (c >= 0 && never_negative(c)) out[c].insert(x);
            }
        }
        return out;
    }

    // x - lo >= 0 and hi - x >= 0, where the ends are near.
    void bound_forms(int x, std::vector<Form>& out) const {
        const Interval b = bounds_(x);
        if (b.at_least(0)) {
            Form f = Form::of_atom(x);
            f.constant = checked_neg(*b.lo);
            out.push_back(f);
        }
        if (b.at_most(kFarBound)) {
            Form f = Form::of_atom(x, -1);
            f.constant = *b.hi;
            out.push_back(f);
        }
    }

    // f * (c - lo), lo the least that c is: with f >= 0 this is the strongest of its kind.
    void consider(const Form& f, int c, std::vector<Candidate>& out) {
        const Interval b = is_product(c) ? Interval{0, {}} : bounds_(c);
        Form multiplier = Form::of_atom(c);
        multiplier.constant = checked_neg(*b.lo);
        if (f.terms.size() > 8) return;
        Candidate candidate{0, multiplied(atoms_, f, multiplier)};
        int unknown = 0;
        for (const Term& t : candidate.form.terms) {
            if (is_product(t.atom)) ++(known_.count(t.atom) != 0 ? candidate.known : unknown);
        }
        const bool near = unknown == 0 || (unknown == 1 && candidate.known >= 2);
        if (candidate.known == 0 || !(near || far_)) return;
        if (!seen_.insert(key(candidate.form)).second) return;
        out.push_back(std::move(candidate));
    }

    static AtomTable::Key key(const Form& f) {
        AtomTable::Key out;
        AtomTable::append(out, f);
        return out;
    }

    bool add_best() {
        std::vector<Candidate> candidates;
        for (const auto& [c, with] : cofactors()) {
            for (std::size_t i = 0; i < given_; ++i) {
                const Form f = constraints_[i];
                const bool speaks = std::any_of(f.terms.begin(), f.terms.end(), [&](const Term& t) {
                    return with.count(t.atom) != 0;
                });
                if (speaks) consider(f, c, candidates);
            }
            std::vector<Form> bounds;
            for (const int x : with) bound_forms(x, bounds);
            for (const Form& f : bounds) consider(f, c, candidates);
        }
        std::stable_sort(candidates.begin(), candidates.end(),
                         [](const Candidate& a, const Candidate& b) { return a.known > b.known; });
        bool any = false;
        for (Candidate& c : candidates) {
            if (added_ >= kMostAdded) break;
            constraints_.push_back(std::move(c.form));
            ++added_;
            any = true;
        }
        return any;
    }

    AtomTable& atoms_;
    const BoundsOf& bounds_;
    bool far_;
    std::vector<Form>& constraints_;
    std::size_t given_;  // lemmas are made of these, not of lemmas
    std::set<int> monomials_;
    std::set<int> known_;
    std::set<AtomTable::Key> seen_;
    std::size_t added_ = 0;
};

}  // namespace

bool has_products(const AtomTable& atoms, const std::vector<Form>& constraints) {
    return std::any_of(constraints.begin(), constraints.end(), [&](const Form& f) {
        return std::any_of(f.terms.begin(), f.terms.end(), [&](const Term& t) {
            return atoms[t.atom].kind == Atom::Kind::Product;
        });
    });
}

void add_products(AtomTable& atoms, const BoundsOf& bounds, bool far,
                  std::vector<Form>& constraints) {
    ProductLemmas(atoms, bounds, far, constraints).run();
}

}  // namespace proviso::analysis::cheap
