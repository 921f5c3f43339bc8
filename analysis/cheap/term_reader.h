// Terms into normal form: linear forms for integers, numbers for everything else.
//
// Exact integers are what they say; a wrapping operation is the exact one less a multiple of
// 2^bits, which is a division by a constant again.
#pragma once

#include "analysis/cheap/knowledge.h"

namespace proviso::analysis::cheap {

class TermReader {
  public:
    explicit TermReader(Knowledge& k) : k_(k), q_(*k.q_) {}

    Form form(ir::Expr e);   // of integer type
    int number(ir::Expr e);  // of any other

  private:
    Form read(ir::Expr e);
    Form long_sum(ir::Expr e);
    Form sum(ir::Expr e);
    Form bits(ir::Expr e);
    Form extremum(ir::Expr e);
    Form extremum_of_many(ir::Expr e, const std::vector<ir::Expr>& operands);
    Form choice(ir::Expr e);
    Form absolute(ir::Expr e);
    Form cast(ir::Expr e);
    Form wrapped(const Form& value, ir::ScalarType type);
    Interval range_of(ir::Expr var) const;

    void append_argument(AtomTable::Key& key, ir::Expr a);
    int defined(ir::Expr load);
    int node(ir::Expr e, const Interval& range);
    Form opaque(ir::Expr e) { return Form::of_atom(node(e, range_of_result(e))); }
    static Interval range_of_result(ir::Expr e);
    int read_number(ir::Expr e);
    ir::Expr folded_constant(ir::Expr e);
    std::optional<ir::Value> constant_of(ir::Expr e);
    ir::Expr without_let(ir::Expr e);

    // Divisions: read_divisions.cpp.
    Form division(ir::Expr e);
    Form quotient(const Form& n, Int128 c);
    Form nested_quotient(const Form& n, Int128 c);
    Form small_quotient(const Form& rest, Int128 c);
    Form truncated(ir::Expr e, const Form& n, Int128 d);
    Form symbolic_division(ir::Expr e, const Form& n, const Form& d);
    Form ratio(const Form& n, const Form& d);
    Form multiple_in(const Form& n, const Form& d);
    bool is_remainder(const Form& rest, const Form& d);

    Knowledge& k_;
    Question& q_;
    int nested_quotients_ = 0;  // a reader that has given up is not used again
};

}  // namespace proviso::analysis::cheap
