// From expression trees to typed expressions.
//
// Types flow inwards: a bare literal, or an expression of bare literals only ("flexible" below),
// takes the type of its neighbour, else the type that the place expects, else int32 or float32.
// Everything else has its own type, and a place that expects another one says so.
//
// In programs, operands of different types meet as they do in TVM's parser (meeting_type), and a
// literal beside an operand counts as int32, int64 or float32: `u + 1` of a uint8 is int32.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <variant>

#include "ir/text/reader/expressions/names.h"
#include "ir/text/reader/python/failure.h"
#include "ir/text/reader/python/python.h"

namespace proviso::ir {

class ExprBinder {
  public:
    // `logic`: defined(…) and same(…) are allowed, as they are in obligations.
    ExprBinder(Context& ctx, const python::Source& source, Names& names, bool logic)
        : ctx_(ctx), source_(source), names_(names), logic_(logic) {}

    // All of these throw Failure on a user's mistake.

    // `expected` is what a flexible expression becomes; other types are not an error here.
    Expr bind(const python::Node& node, std::optional<ScalarType> expected = std::nullopt);
    // The same, and the result must have the type; `what` names the place in the message.
    Expr bind_typed(const python::Node& node, ScalarType type, const std::string& what);
    // Any integer type.
    Expr bind_int(const python::Node& node, const std::string& what,
                  std::optional<ScalarType> expected = std::nullopt);
    // Two operands of one type.
    std::pair<Expr, Expr> bind_pair(const python::Node& a, const python::Node& b,
                                    std::optional<ScalarType> expected, const std::string& what,
                                    python::Position at);
    // What TVM's parser makes of a literal beside an operand that has a type.
    enum class Beside : std::uint8_t {
        Promoted,   // it is int32, int64 or float32, and both operands are promoted to one type
        Order,      // <, <=, >, >=: the same on the right; the other operand's type on the left
        OtherType,  // ==, !=, operators of bits: the other operand's type
    };
    static Beside literal_beside(Op op);  // of a call
    // The same for operands that TVM brings to one type.
    std::pair<Expr, Expr> bind_operands(const python::Node& a, const python::Node& b,
                                        std::optional<ScalarType> expected, const std::string& what,
                                        python::Position at, Beside beside = Beside::Promoted);
    // Bare literals only: its type comes from where it stands. In programs, where numbers are
    // computed first (python_numbers.h), that is no arithmetic.
    bool is_flexible(const python::Node& node) const;

    Buffer bind_buffer_name(const python::Node& node);
    // Indices of `A[i, j]`; the number must be the buffer's rank.
    std::vector<Expr> bind_indices(const python::Node& subscript, Buffer buffer);

    // The parts of `A.shape`, which are A.shape[0], …; nullopt for other nodes.
    std::optional<std::vector<python::Node>> parts_of_shape(const python::Node& node) const;

    // A type: "float32", T.float32.
    ScalarType bind_type(const python::Node& node);
    // A type that a string names.
    ScalarType type_of_name(const python::Node& node, const std::string& name);

    // Vectors, in vector_binder.cpp: while a lane of a store is read, slices, ramps and broadcasts
    // are what they are in that lane.
    struct Lanes {
        Expr var;
        std::int64_t count;
    };
    std::optional<Lanes> exchange_lanes(std::optional<Lanes> lanes) {
        return std::exchange(lanes_, lanes);
    }
    // The first part of a vector in a tree; null where there is none.
    const python::Node* find_vector(const python::Node& node) const;
    std::int64_t lanes_of(const python::Node& node);
    std::vector<Expr> bind_start(const python::Node& node, Buffer buffer);
    // A buffer whose last dimension holds the lanes of what the program takes for one value: an
    // element of a buffer of vectors, or the variable of a let.
    enum class VectorKind : std::uint8_t { Element, Variable };
    void add_vector(Buffer buffer, VectorKind kind) { vectors_.emplace(buffer, kind); }
    bool is_vector(Buffer buffer, VectorKind kind) const;
    // A buffer that is gone when its list is read: accesses of it become ones of another.
    void add_view(Buffer buffer) { views_.insert(buffer); }
    bool is_view(Buffer buffer) const { return views_.count(buffer) != 0; }
    // What `X.strides[k]` means: the strides that the declaration of the buffer says.
    void set_strides(Buffer buffer, std::vector<Expr> strides) {
        strides_[buffer] = std::move(strides);
    }
    // "float32x4", T.float32x4: the scalar type and 4; nullopt for other types.
    static std::optional<std::pair<ScalarType, std::int64_t>> vector_type(const python::Node& node);

    // The module's functions, and the name of its class. The list is the caller's, and outlives
    // this.
    void set_functions(std::string module, const std::vector<std::string>* names) {
        module_ = std::move(module);
        functions_ = names;
    }

    Context& ctx() { return ctx_; }
    Names& names() { return names_; }
    const Names& names() const { return names_; }
    const python::Source& source() const { return source_; }
    [[noreturn]] void wrong(const python::Node& node, std::string message,
                            std::string hint = {}) const {
        fail(source_.at(node.at, std::move(message), std::move(hint)));
    }
    [[noreturn]] void wrong(python::Position at, std::string message, std::string hint = {}) const {
        fail(source_.at(at, std::move(message), std::move(hint)));
    }
    // What TVM knows and has no meaning here.
    [[noreturn]] void no_meaning(const python::Node& node, std::string message,
                                 std::string hint = {}) const {
        no_meaning(node.at, std::move(message), std::move(hint));
    }
    [[noreturn]] void no_meaning(python::Position at, std::string message,
                                 std::string hint = {}) const {
        fail_opaque(source_.at(at, std::move(message), std::move(hint)));
    }

  private:
    std::pair<Expr, Expr> bind_both(const python::Node& a, const python::Node& b,
                                    std::optional<ScalarType> expected);
    // The literal, and the operand in the type in which they meet.
    std::pair<Expr, Expr> promote_literal(const python::Node& literal, Expr operand);
    Expr converted(Expr e, ScalarType type);
    void require_one_type(const std::pair<Expr, Expr>& pair, const std::string& what,
                          python::Position at) const;
    Expr bind_name(const python::Node& node);
    Expr bind_unary(const python::Node& node, std::optional<ScalarType> expected);
    // "-", "+" or "~" before an operand that is no bare literal.
    Expr bind_sign(const python::Node& node, const std::string& sign, const python::Node& operand,
                   std::optional<ScalarType> expected);
    Expr bind_binary(const python::Node& node, std::optional<ScalarType> expected);
    Expr bind_compare(const python::Node& node);
    Expr bind_logic(const python::Node& node);
    Expr bind_choice(Op op, const python::Node& cond, const python::Node& yes,
                     const python::Node& no, std::optional<ScalarType> expected);
    Expr bind_load(const python::Node& node);
    Expr bind_shape_or_stride(const python::Node& node);
    Expr bind_call(const python::Node& node, std::optional<ScalarType> expected);

    // Calls, in expr_calls.cpp.
    Expr bind_typed_call(const python::Node& node, ScalarType type);
    Expr bind_with_result_type(const python::Node& node);
    Expr bind_operator_call(const python::Node& node, Op op, bool swap,
                            std::optional<ScalarType> expected);
    Expr bind_math(const python::Node& node, MathFn fn, std::optional<ScalarType> expected);
    Expr bind_special(const python::Node& node, const std::string& name,
                      std::optional<ScalarType> expected);
    Expr bind_undef(const python::Node& node, std::optional<ScalarType> expected);
    Expr bind_let(const python::Node& node, std::optional<ScalarType> expected);
    Expr bind_let_body(const python::Node& var, const python::Node& value, const python::Node& body,
                       std::optional<ScalarType> expected);
    Expr bind_extern(const python::Node& node);
    Expr bind_reinterpret(const python::Node& node);
    // Functions that are written out, in written_out.cpp.
    Expr bind_bit_count(const python::Node& node, const std::string& name);
    Expr bind_fixed_point(const python::Node& node, const std::string& name);
    Expr leading_zeros(Expr value, std::int64_t half);
    Expr named(const std::string& name, Expr value, const std::function<Expr(Expr)>& body);
    Expr bind_limit(const python::Node& node, const std::string& name);
    Expr bind_defined(const python::Node& node);
    [[noreturn]] void unknown_call(const python::Node& node, const std::string& name);

    // Literals.
    bool has_only_literals(const python::Node& node) const;
    bool is_same_in_every_type(const python::Node& node) const;
    Expr int_literal(const python::Node& node, const std::string& text, bool negative,
                     ScalarType type);
    Expr float_literal(const python::Node& node, const std::string& text, bool negative,
                       ScalarType type);
    Expr literal(const python::Node& node, bool negative, std::optional<ScalarType> expected);
    std::optional<ScalarType> natural_type(const python::Node& node) const;

    // The operator on operands of one type, or the reason why not; in operators.cpp.
    Expr apply(Op op, Expr a, Expr b, python::Position at, const std::string& written);
    Expr bits_of_bools(Op op, Expr a, Expr b);
    Expr literal_of_type(const python::Node& node, ScalarType type);
    void require_bool(Expr e, const python::Node& node, const std::string& what);
    void check_arguments(const python::Node& call, std::size_t least, std::size_t most,
                         const std::vector<std::string>& keywords = {}) const;
    void check_operands(const python::Node& call, std::size_t count) const;

    bool is_part_of_vector(const python::Node& node) const;
    Expr bind_lane(const python::Node& node, std::optional<ScalarType> expected);
    // Both ends of a slice, which has them: integers of one type.
    std::pair<Expr, Expr> bind_slice(const python::Node& slice);
    void require_lanes(const python::Node& node, std::int64_t count) const;
    Expr bind_vector_variable(const python::Node& node, Buffer buffer);
    void refuse_vector(const python::Node& node, const std::string& place) const;

    Context& ctx_;
    const python::Source& source_;
    Names& names_;
    bool logic_;
    std::optional<Lanes> lanes_;
    std::string module_;
    const std::vector<std::string>* functions_ = nullptr;
    std::map<Buffer, VectorKind> vectors_;
    std::set<Buffer> views_;
    std::map<Buffer, std::vector<Expr>> strides_;
};

// One lane of a vector, for as long as it lives.
class LaneScope {
  public:
    LaneScope(ExprBinder& exprs, ExprBinder::Lanes lanes)
        : exprs_(exprs), before_(exprs.exchange_lanes(lanes)) {}
    ~LaneScope() { exprs_.exchange_lanes(before_); }
    LaneScope(const LaneScope&) = delete;
    LaneScope& operator=(const LaneScope&) = delete;

  private:
    ExprBinder& exprs_;
    std::optional<ExprBinder::Lanes> before_;
};

// The argument of a call by position (from 0) or keyword; null when absent.
const python::Node* argument(const python::Node& call, std::size_t position,
                             const std::string& keyword);
// Fails unless the call has between `least` and `most` arguments in all, and only these keywords.
void check_arguments(const python::Source& source, const python::Node& call, std::size_t least,
                     std::size_t most, const std::vector<std::string>& keywords);

// A number literal's value; nullopt for other nodes, and for integers of more than 64 bits.
std::optional<std::variant<Int128, double>> number_of(const python::Node& node, bool negative);

// A buffer of shape (1,), whose name TVM prints for its cell.
bool is_one_cell(Buffer buffer);

// "cast: T.Cast("float32", …)"
std::string cast_hint(ScalarType type);

}  // namespace proviso::ir
