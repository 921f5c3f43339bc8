// An incremental exact simplex over the rationals, after Dutertre and de Moura ("A fast linear
// arithmetic solver for DPLL(T)", CAV 2006). Bounds carry the fact that they are from, so that a
// conflict is Farkas multipliers. Bounds are taken back by level; rows stay.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "analysis/certify/number.h"

namespace proviso::analysis::certificate {

using FactId = std::uint32_t;
using Column = std::uint32_t;  // a variable of the linear program

// The search has used up its budget.
struct OutOfBudget {};

class Work {
  public:
    explicit Work(std::uint64_t budget) : budget_(budget) {}
    void spend(std::uint64_t units) {
        used_ += units;
        if (used_ > budget_) throw OutOfBudget{};
    }
    std::uint64_t used() const { return used_; }
    std::uint64_t budget() const { return budget_; }
    void set_budget(std::uint64_t budget) { budget_ = budget; }

  private:
    std::uint64_t used_ = 0;
    std::uint64_t budget_;
};

// Multipliers of facts.
using Combination = std::vector<std::pair<FactId, Rational>>;

class Simplex {
  public:
    explicit Simplex(Work& work) : work_(work) {}

    Column add_column();
    // The column of a linear form of two or more columns, made when there is none.
    Column form(const std::vector<std::pair<Column, Int128>>& terms);

    // column >= value (or <=), which is `factor` times the fact. False: conflict() says why.
    bool at_least(Column c, Int128 value, FactId fact, const Rational& factor);
    bool at_most(Column c, Int128 value, FactId fact, const Rational& factor);
    // A model of all bounds, or false and conflict().
    bool check();
    // Sum of the multipliers' facts is a negative constant.
    const Combination& conflict() const { return conflict_; }

    const Rational& value(Column c) const { return columns_[c].value; }
    bool has_lower(Column c) const { return columns_[c].lower.has_value(); }
    bool has_upper(Column c) const { return columns_[c].upper.has_value(); }
    Int128 lower(Column c) const { return columns_[c].lower->value; }
    Int128 upper(Column c) const { return columns_[c].upper->value; }

    void push() { levels_.push_back(trail_.size()); }
    void pop();

  private:
    struct Bound {
        Int128 value = 0;
        FactId fact = 0;
        Rational factor;
    };
    struct ColumnState {
        Rational value;
        std::optional<Bound> lower;
        std::optional<Bound> upper;
        int row = -1;                   // basic: its row
        std::vector<std::uint32_t> in;  // rows that may mention it
    };
    struct Row {
        Column basic = 0;
        std::vector<std::pair<Column, Rational>> terms;  // non-basic, ascending
    };
    struct Change {
        Column column;
        bool is_lower;
        std::optional<Bound> before;
    };

    static const Rational* find(const Row& row, Column c);
    void set_value(Column c, const Rational& value);
    void add_multiple(std::uint32_t row, const Rational& factor, const Row& other);
    void pivot(std::uint32_t row, Column entering);
    bool repair(std::uint32_t row, bool is_low);
    void explain(std::uint32_t row, bool is_low);

    Work& work_;
    std::vector<ColumnState> columns_;
    std::vector<Row> rows_;
    std::map<std::vector<std::pair<Column, Int128>>, Column> forms_;
    std::vector<Change> trail_;
    std::vector<std::size_t> levels_;
    std::vector<std::uint32_t> touched_;  // rows whose basic column may be out of its bounds
    Combination conflict_;
};

}  // namespace proviso::analysis::certificate
