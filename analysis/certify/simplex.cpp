// See simplex.h. Bland's rule, so that it ends.
#include "analysis/certify/simplex.h"

#include <algorithm>

namespace proviso::analysis::certificate {

Column Simplex::add_column() {
    columns_.emplace_back();
    return static_cast<Column>(columns_.size() - 1);
}

const Rational* Simplex::find(const Row& row, Column c) {
    const auto at = std::lower_bound(row.terms.begin(), row.terms.end(), c,
                                     [](const auto& t, Column d) { return t.first < d; });
    return at != row.terms.end() && at->first == c ? &at->second : nullptr;
}

// rows_[row] += factor * other's terms.
void Simplex::add_multiple(std::uint32_t row, const Rational& factor, const Row& other) {
    std::vector<std::pair<Column, Rational>>& mine = rows_[row].terms;
    std::vector<std::pair<Column, Rational>> out;
    out.reserve(mine.size() + other.terms.size());
    work_.spend(mine.size() + other.terms.size());
    auto i = mine.begin();
    auto j = other.terms.begin();
    while (i != mine.end() || j != other.terms.end()) {
        if (j == other.terms.end() || (i != mine.end() && i->first < j->first)) {
            out.push_back(std::move(*i++));
        } else if (i == mine.end() || j->first < i->first) {
            out.emplace_back(j->first, j->second * factor);
            columns_[j->first].in.push_back(row);
            ++j;
        } else {
            Rational sum = i->second + j->second * factor;
            if (!sum.is_zero()) out.emplace_back(i->first, sum);
            ++i;
            ++j;
        }
    }
    mine = std::move(out);
}

Column Simplex::form(const std::vector<std::pair<Column, Int128>>& terms) {
    const auto [at, is_new] = forms_.emplace(terms, 0);
    if (!is_new) return at->second;
    const Column slack = add_column();
    at->second = slack;
    const auto row = static_cast<std::uint32_t>(rows_.size());
    rows_.push_back({slack, {}});
    columns_[slack].row = static_cast<int>(row);
    for (const auto& [c, k] : terms) {
        const int basic = columns_[c].row;
        if (basic >= 0) {
            const Row copy = rows_[static_cast<std::size_t>(basic)];
            add_multiple(row, k, copy);
        } else {
            add_multiple(row, k, Row{0, {{c, Rational(1)}}});
        }
        columns_[slack].value = columns_[slack].value + columns_[c].value * Rational(k);
    }
    return slack;
}

void Simplex::set_value(Column c, const Rational& value) {
    const Rational change = value - columns_[c].value;
    columns_[c].value = value;
    std::vector<std::uint32_t>& in = columns_[c].in;
    std::sort(in.begin(), in.end());
    in.erase(std::unique(in.begin(), in.end()), in.end());
    std::size_t kept = 0;
    for (std::uint32_t r : in) {
        const Rational* k = find(rows_[r], c);
        if (k == nullptr) continue;
        in[kept++] = r;
        ColumnState& basic = columns_[rows_[r].basic];
        basic.value = basic.value + *k * change;
        touched_.push_back(r);
    }
    work_.spend(in.size() + 1);
    in.resize(kept);
}

bool Simplex::at_least(Column c, Int128 value, FactId fact, const Rational& factor) {
    ColumnState& s = columns_[c];
    if (s.lower && s.lower->value >= value) return true;
    if (s.upper && s.upper->value < value) {
        conflict_ = {{fact, factor}, {s.upper->fact, s.upper->factor}};
        return false;
    }
    trail_.push_back({c, true, s.lower});
    s.lower = Bound{value, fact, factor};
    if (s.value < Rational(value)) {
        if (s.row < 0) {
            set_value(c, value);
        } else {
            touched_.push_back(static_cast<std::uint32_t>(s.row));
        }
    }
    return true;
}

bool Simplex::at_most(Column c, Int128 value, FactId fact, const Rational& factor) {
    ColumnState& s = columns_[c];
    if (s.upper && s.upper->value <= value) return true;
    if (s.lower && s.lower->value > value) {
        conflict_ = {{fact, factor}, {s.lower->fact, s.lower->factor}};
        return false;
    }
    trail_.push_back({c, false, s.upper});
    s.upper = Bound{value, fact, factor};
    if (Rational(value) < s.value) {
        if (s.row < 0) {
            set_value(c, value);
        } else {
            touched_.push_back(static_cast<std::uint32_t>(s.row));
        }
    }
    return true;
}

void Simplex::pop() {
    while (trail_.size() > levels_.back()) {
        Change& change = trail_.back();
        ColumnState& s = columns_[change.column];
        (change.is_lower ? s.lower : s.upper) = change.before;
        trail_.pop_back();
    }
    levels_.pop_back();
}

// The basic column of `row` and the non-basic `entering` change places.
void Simplex::pivot(std::uint32_t row, Column entering) {
    Row& r = rows_[row];
    const Column leaving = r.basic;
    const Rational k = find(r, entering)->inverse();
    std::vector<std::pair<Column, Rational>> terms;
    terms.reserve(r.terms.size());
    for (const auto& [c, a] : r.terms) {
        if (c != entering) terms.emplace_back(c, -(a * k));
    }
    terms.emplace_back(leaving, k);
    std::sort(terms.begin(), terms.end(),
              [](const auto& a, const auto& b) { return a.first < b.first; });
    r.terms = std::move(terms);
    r.basic = entering;
    columns_[leaving].row = -1;
    columns_[leaving].in.push_back(row);
    columns_[entering].row = static_cast<int>(row);
    work_.spend(r.terms.size());
    std::vector<std::uint32_t> in = std::move(columns_[entering].in);
    columns_[entering].in.clear();
    std::sort(in.begin(), in.end());
    in.erase(std::unique(in.begin(), in.end()), in.end());
    for (std::uint32_t other : in) {
        if (other == row) continue;
        Row& o = rows_[other];
        const Rational* found = find(o, entering);
        if (found == nullptr) continue;
        const Rational factor = *found;
        o.terms.erase(std::lower_bound(o.terms.begin(), o.terms.end(), entering,
                                       [](const auto& t, Column d) { return t.first < d; }));
        add_multiple(other, factor, rows_[row]);
    }
}

void Simplex::explain(std::uint32_t row, bool is_low) {
    const Row& r = rows_[row];
    conflict_.clear();
    const Bound& own = is_low ? *columns_[r.basic].lower : *columns_[r.basic].upper;
    conflict_.emplace_back(own.fact, own.factor);
    for (const auto& [c, a] : r.terms) {
        const bool at_upper = (a.sign() > 0) == is_low;
        const Bound& b = at_upper ? *columns_[c].upper : *columns_[c].lower;
        const Rational weight = a.sign() > 0 ? a : -a;
        conflict_.emplace_back(b.fact, b.factor * weight);
    }
}

// Moves the basic column of `row` to the bound that it violates; false when nothing can move.
bool Simplex::repair(std::uint32_t row, bool is_low) {
    const Column basic = rows_[row].basic;
    const Rational goal = is_low ? columns_[basic].lower->value : columns_[basic].upper->value;
    for (const auto& [c, a] : rows_[row].terms) {
        const ColumnState& s = columns_[c];
        const bool goes_up = (a.sign() > 0) == is_low;
        const bool is_free = goes_up ? !s.upper || s.value < Rational(s.upper->value)
                                     : !s.lower || Rational(s.lower->value) < s.value;
        if (!is_free) continue;
        const Column entering = c;
        const Rational step = (goal - columns_[basic].value) * a.inverse();
        set_value(entering, s.value + step);
        pivot(row, entering);
        return true;
    }
    return false;
}

bool Simplex::check() {
    while (true) {
        std::sort(touched_.begin(), touched_.end());
        touched_.erase(std::unique(touched_.begin(), touched_.end()), touched_.end());
        // The violated basic column of least index.
        int row = -1;
        bool is_low = false;
        std::size_t kept = 0;
        for (std::uint32_t r : touched_) {
            const ColumnState& s = columns_[rows_[r].basic];
            const bool low = s.lower && s.value < Rational(s.lower->value);
            const bool high = s.upper && Rational(s.upper->value) < s.value;
            if (!low && !high) continue;
            touched_[kept++] = r;
            if (row < 0 || rows_[r].basic < rows_[static_cast<std::size_t>(row)].basic) {
                row = static_cast<int>(r);
                is_low = low;
            }
        }
        work_.spend(touched_.size() + 1);
        touched_.resize(kept);
        if (row < 0) return true;
        const auto violated = static_cast<std::uint32_t>(row);
        if (!repair(violated, is_low)) {
            explain(violated, is_low);
            return false;
        }
    }
}

}  // namespace proviso::analysis::certificate
