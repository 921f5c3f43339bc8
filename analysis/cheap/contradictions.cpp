// The search for a contradiction among what is known: intervals tightened by constraints, chains of
// differences, elimination.
#include <algorithm>
#include <deque>

#include "analysis/cheap/differences.h"
#include "analysis/cheap/elimination.h"
#include "analysis/cheap/knowledge.h"
#include "analysis/cheap/products.h"

namespace proviso::analysis::cheap {

namespace {

constexpr std::size_t kFewConstraints = 40;  // all of them are eliminated

// Terms of each constraint by atom: which constraints speak of it.
class Uses {
  public:
    Uses(const std::vector<Form>& constraints, std::size_t atoms) : first_(atoms + 1, 0) {
        for (const Form& f : constraints) {
            for (const Term& t : f.terms) ++first_[static_cast<std::size_t>(t.atom) + 1];
        }
        for (std::size_t a = 1; a < first_.size(); ++a) first_[a] += first_[a - 1];
        users_.resize(first_.back());
        std::vector<std::size_t> next(first_.begin(), first_.end() - 1);
        for (std::size_t c = 0; c < constraints.size(); ++c) {
            for (const Term& t : constraints[c].terms) {
                users_[next[static_cast<std::size_t>(t.atom)]++] = static_cast<int>(c);
            }
        }
    }
    std::size_t count(int atom) const {
        const auto a = static_cast<std::size_t>(atom);
        return a + 1 < first_.size() ? first_[a + 1] - first_[a] : 0;
    }
    const int* begin(int atom) const {
        return users_.data() + first_[static_cast<std::size_t>(atom)];
    }

  private:
    std::vector<std::size_t> first_;
    std::vector<int> users_;
};

}  // namespace

// Goes through the constraints that speak of narrowed atoms until nothing changes or the budget,
// linear in what there is, is used up.
void Knowledge::tighten_all() {
    if (untightened_.empty() && narrowed_.empty()) return;
    const Uses uses(constraints_, q_->atoms.size());
    std::deque<int> queue;
    std::vector<char> waits(constraints_.size(), 0);
    const auto push = [&](int c) {
        if (waits[static_cast<std::size_t>(c)] != 0) return;
        waits[static_cast<std::size_t>(c)] = 1;
        queue.push_back(c);
    };
    const auto push_users = [&] {
        for (const int atom : narrowed_) {
            const int* first = uses.begin(atom);
            for (std::size_t k = 0; k < uses.count(atom); ++k) push(first[k]);
        }
        narrowed_.clear();
    };
    for (const int c : untightened_) push(c);
    untightened_.clear();
    std::erase_if(narrowed_, [&](int a) { return uses.count(a) == 0; });
    push_users();
    std::size_t budget = 24 * queue.size() + constraints_.size() + 24;
    while (!queue.empty() && budget-- > 0 && !contradiction_) {
        const int c = queue.front();
        queue.pop_front();
        waits[static_cast<std::size_t>(c)] = 0;
        tighten(constraints_[static_cast<std::size_t>(c)]);
        std::erase_if(narrowed_, [&](int a) { return uses.count(a) == 0; });
        push_users();
    }
    narrowed_.clear();
}

void Knowledge::propagate() {
    constexpr int rounds = 6;
    for (int round = 0; round < rounds && !contradiction_; ++round) {
        tighten_all();
        if (contradiction_ || !settle_open()) return;
    }
}

void Knowledge::seal() {
    sealed_ = true;
    std::fill(fresh_.begin(), fresh_.end(), 0);
    fresh_atoms_.clear();
    for (Disjunction& d : open_) d.fresh = false;
}

// Constraints by their distance from those assumed since seal(), few of them.
std::vector<Form> Knowledge::near_constraints() const {
    if (constraints_.size() <= kFewConstraints) return constraints_;
    const Uses uses(constraints_, q_->atoms.size());
    std::vector<char> taken(constraints_.size(), 0);
    std::vector<char> reached(q_->atoms.size(), 0);
    std::vector<Form> out;
    std::vector<int> border;
    const auto reach = [&](int atom) {
        char& r = reached[static_cast<std::size_t>(atom)];
        if (r != 0) return;
        r = 1;
        border.push_back(atom);
        for (const int f : q_->atoms.factors_of(atom)) {
            if (f != atom && reached[static_cast<std::size_t>(f)] == 0) {
                reached[static_cast<std::size_t>(f)] = 1;
                border.push_back(f);
            }
        }
    };
    const auto take = [&](std::size_t c) {
        if (taken[c] != 0 || out.size() >= kFewConstraints) return;
        taken[c] = 1;
        out.push_back(constraints_[c]);
        for (const Term& t : constraints_[c].terms) reach(t.atom);
    };
    for (std::size_t c = constraints_.size(); c-- > 0;) {
        if (fresh_[c] != 0) take(c);
    }
    for (const int a : fresh_atoms_) reach(a);
    if (out.empty() && border.empty())
        return {constraints_.begin(), constraints_.begin() + kFewConstraints};
    while (!border.empty() && out.size() < kFewConstraints) {
        std::vector<int> atoms = std::move(border);
        border.clear();
        // Atoms that everything speaks of say little.
        std::stable_sort(atoms.begin(), atoms.end(),
                         [&](int a, int b) { return uses.count(a) < uses.count(b); });
        for (const int a : atoms) {
            for (std::size_t k = 0; k < uses.count(a); ++k) {
                take(static_cast<std::size_t>(uses.begin(a)[k]));
            }
        }
    }
    return out;
}

void Knowledge::eliminate() {
    if (contradiction_ || constraints_.empty()) return;
    if (constraints_.size() > kFewConstraints / 4 &&
        contradictory_differences(constraints_, fresh_)) {
        contradict(Method::Difference);
        return;
    }
    const BoundsOf bounds = [this](int a) { return bounds_of_atom(a); };
    const auto refuted_by = [&](std::vector<Form> chosen) {
        add_rounded(bounds, chosen);
        return infeasible(std::move(chosen), bounds);
    };
    try {
        const std::vector<Form> near = near_constraints();
        if (!has_products(q_->atoms, near)) {
            if (refuted_by(near)) contradict(Method::Linear);
            return;
        }
        for (const bool far : {false, true}) {
            std::vector<Form> chosen = near;
            add_products(q_->atoms, bounds, far, chosen);
            if (!refuted_by(std::move(chosen))) continue;
            contradict(Method::Linear);
            return;
        }
    } catch (const GiveUp&) {
        return;  // numbers or monomials became too big
    }
}

}  // namespace proviso::analysis::cheap
