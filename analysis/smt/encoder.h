// The one encoder from expressions to SMT-LIB 2. Both solvers read the text that it writes.
//
// Exact integers (int32, int64) are Int, wrapping ones bit-vectors, bool Bool, floats FloatingPoint
// with RNE; a buffer is an uninterpreted function from Int indices to values. Every free variable,
// load and opaque call of exact integer type is asserted to be in its type's range. Values that the
// program semantics leaves to a fault are unspecified here but functions of the operands.
//
// Text is linear in the expression's DAG: what is used twice gets a name by define-fun.
#pragma once

#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "analysis/obligation.h"

namespace proviso::analysis::smt {

// How division and products are written.
enum class Form {
    Plain,  // (div x c), (* x y): the canonical text
    // x = c * q + r with 0 <= r < c for a constant divisor c > 0; products of unknowns (floats,
    // too) and division by unknowns as opaque constants with some of their laws. Bitwise operators
    // on exact integers as sums of powers of two where the operands are small, opaque elsewhere.
    Linearised,
    // The same, and floats as integers in their order, -0.0 just below +0.0 and NaN at the end;
    // sums, products and quotients of them opaque, with what is true of signs, zeros, infinities
    // and NaN; casts of integers to floats opaque. For claims that no digits matter to. Casts and
    // roots of floats have no encoding.
    FloatCodes,
    BitVectors,  // exact integers as bit-vectors wide enough for all (bit_vectors.h)
};

// A load that occurs: how to ask a model for its cell.
struct Cell {
    ir::Expr load = nullptr;
    std::vector<std::string> indices;  // Int terms
    std::string value;                 // term of the cell's value
    std::string defined;               // term of Defined(load); empty when it does not occur
};

class Encoder {
  public:
    // `unbounded`: variables that get no range fact.
    Encoder(ir::Context& ctx, Form form, std::vector<ir::Expr> unbounded)
        : ctx_(ctx), form_(form), unbounded_(std::move(unbounded)) {}

    // Counts uses, so that what is shared can be named, and how deep choices and quotients nest;
    // once for every root, before any term(). Choices nested very deep become constants that are
    // said to be one side or the other: solvers that move comparisons into each of them would need
    // time and memory that no limit of theirs covers.
    void count_uses(ir::Expr root);
    int quotients_nested() const { return most_nested_.quotients; }
    // Of a product of unknown integers, as of x * x * y, which is 3; what is higher is all the
    // same.
    std::uint64_t degree() const { return most_nested_.degree; }
    static constexpr std::uint64_t kMostFactors = 1'000'000;
    // The term of a let-free expression. Declarations and definitions go to lines().
    std::string term(ir::Expr e);

    // After the last term, in the linearised form: laws of the products that occur.
    void add_product_lemmas();
    // Something was left opaque: unsat still proves, sat refutes nothing.
    bool weaker() const { return weaker_; }
    // Products or quotients of unknown integers occur.
    bool nonlinear() const { return nonlinear_; }

    // The commands that terms made so far rely on, in order.
    const std::vector<std::string>& lines() const { return lines_; }
    // Empty, or what has no encoding.
    const std::string& unsupported() const { return unsupported_; }
    const std::vector<std::pair<std::string, ir::Expr>>& variables() const { return variables_; }
    const std::vector<std::pair<std::string, ir::Buffer>>& buffers() const { return buffers_; }
    const std::vector<Cell>& cells() const { return cells_; }

  private:
    using Args = std::vector<std::string>;

    std::string encode(ir::Expr e);
    std::string encode_variable(ir::Expr e);
    std::string encode_load(ir::Expr load);
    std::string encode_defined(ir::Expr load);
    std::string encode_call(ir::Expr e);  // CallExtern, inexact Math
    std::string encode_math(ir::Expr e);
    std::string round_to_integral(const char* mode, ir::ScalarType type, const std::string& x);
    // `condition ? a : b`, of the type of `e`.
    std::string chosen(ir::Expr e, const std::string& condition, const std::string& a,
                       const std::string& b);
    std::string encode_equality(ir::Expr e);
    std::string encode_order(ir::Op op, ir::ScalarType type, const std::string& a,
                             const std::string& b);
    std::string encode_arithmetic(ir::Expr e);
    std::string encode_exact(ir::Expr e, const Args& a);
    std::string encode_wrapping(ir::Expr e, const Args& a);
    std::string encode_float(ir::Expr e, const Args& a);
    // The name of an operator on floats: "fp.isNaN", or that of the same on codes.
    std::string float_op(const char* name, ir::ScalarType type);
    void declare_codes(ir::ScalarType type, const std::string& suffix);
    void assert_code(const std::string& term, ir::ScalarType type);
    bool codes(ir::ScalarType type) const { return form_ == Form::FloatCodes && type.is_float(); }
    // The sort of a type's values, and a constant of it, in this form.
    std::string sort(ir::ScalarType type) const;
    std::string constant(ir::Expr e) const;
    std::string encode_exact_division(ir::Expr e, const Args& a);
    std::string encode_wrapping_division(ir::Expr e, const Args& a);
    std::string encode_exact_bits(ir::Expr e, const Args& a);
    std::string bits_of_exact(ir::Expr e, const std::string& value) const;
    // `and`, `or` or `xor` of two Ints, exact where both are in [0, 1024), opaque elsewhere.
    std::string bit_by_bit(ir::Op op, const std::string& x, const std::string& y);
    std::string encode_cast(ir::Expr e);
    std::string cast_to_exact(ir::ScalarType from, ir::ScalarType to, const std::string& x);
    std::string cast_to_wrapping(ir::ScalarType from, ir::ScalarType to, const std::string& x);
    std::string cast_to_float(ir::ScalarType from, ir::ScalarType to, const std::string& x);

    std::string opaque_product(const std::string& a, const std::string& b);
    std::string opaque_float_product(ir::ScalarType type, const std::string& a,
                                     const std::string& b);
    std::string opaque_float_sum(ir::ScalarType type, const std::string& a, const std::string& b);
    std::string opaque_float_quotient(ir::ScalarType type, const std::string& a,
                                      const std::string& b);
    void assert_magnitude(const char* what, ir::ScalarType type, const std::string& result,
                          const std::string& x, const std::string& y);
    // The name of an operator's result, an opaque function of its operands, which are put in order
    // where it commutes. Laws are owed where it is new.
    std::pair<std::string, bool> opaque_float(const char* what, ir::ScalarType type, std::string& x,
                                              std::string& y);
    // The opaque function of an operator, and it applied.
    std::string opaque_applied(const char* what, ir::ScalarType type, const std::string& x,
                               const std::string& y);
    std::string opaque_division(ir::Expr e, const std::string& dividend,
                                const std::string& divisor);
    // (div x c) and (mod x c) for c > 0, in the chosen form.
    std::string div_by(const std::string& x, ir::Int128 c);
    std::string mod_by(const std::string& x, ir::Int128 c);
    // 2 to the power of an Int term in [0, 64); 1 elsewhere.
    std::string power_of_two(const std::string& exponent);
    // The Int that a bit-vector term stands for, two's complement.
    std::string signed_value(const std::string& bits, int width);
    std::string index_term(ir::Expr index);
    std::vector<std::string> index_terms(ir::Expr load);
    std::string buffer_symbol(ir::Buffer buffer);

    // A name for a term; terms that are names or constants stay as they are.
    std::string named(const std::string& text, const std::string& sort);
    void assert_range(const std::string& term, ir::ScalarType type);
    std::string no_encoding(const std::string& what, ir::ScalarType type);

    ir::Context& ctx_;
    Form form_;
    std::vector<ir::Expr> unbounded_;
    // Of a term: how many choices, and how many quotients, are within each other.
    struct Nested {
        int choices = 0;
        int quotients = 0;
        std::uint64_t degree = 0;  // of the product of unknowns; at most kMostFactors
    };
    std::unordered_map<ir::Expr, int> uses_;
    std::unordered_map<ir::Expr, Nested> nested_;
    Nested most_nested_;
    int constants_chosen_ = 0;
    std::unordered_map<ir::Expr, std::string> terms_;
    std::unordered_map<ir::Expr, std::string>
        exact_bits_;                                // of bitwise operators on exact integers
    std::map<std::string, std::string> names_;      // text of a named term -> its name
    std::set<std::string> float_types_;             // whose operators on codes are defined
    std::map<std::string, std::string> functions_;  // signature of an opaque function -> its symbol
    std::map<std::string, std::pair<std::string, std::string>> quotients_;
    std::unordered_map<ir::Buffer, std::string> buffer_symbols_;
    std::unordered_map<ir::Buffer, std::string> defined_symbols_;
    std::vector<std::string> lines_;
    std::vector<std::pair<std::string, ir::Expr>> variables_;
    std::vector<std::pair<std::string, ir::Buffer>> buffers_;
    std::vector<Cell> cells_;
    std::unordered_map<ir::Expr, std::size_t> cell_of_;
    std::string unsupported_;
    struct Product {
        std::string left;
        std::string right;
        std::string symbol;
    };
    std::vector<Product> products_;
    bool weaker_ = false;
    bool nonlinear_ = false;
};

// What to_smt gives, with the cells.
struct EncodedObligation {
    SmtText smt;
    std::vector<Cell> cells;
    bool weaker = false;     // unsat proves the claim, sat does not refute it
    bool nonlinear = false;  // of integers: solvers may use time beyond their resource units
};
EncodedObligation encode(ir::Context& ctx, const Obligation& obligation, Form form);

}  // namespace proviso::analysis::smt
