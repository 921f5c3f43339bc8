// The Context owns and interns every expression, buffer and statement. Building the same thing
// twice gives the same pointer. A Context is not thread-safe: work in parallel with a Context each,
// passing programs as text.
//
// Builders check types (PROVISO_CHECK) and intern; they never simplify.
#pragma once

#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ir/check.h"
#include "ir/function.h"

namespace proviso::ir {

class Context {
  public:
    Context();
    ~Context();
    Context(const Context&) = delete;
    Context& operator=(const Context&) = delete;

    // Leaves. `value` must be in the type's range.
    Expr int_imm(ScalarType type, Int128 value);
    Expr i32(std::int64_t value) { return int_imm(kInt32, value); }
    Expr i64(std::int64_t value) { return int_imm(kInt64, value); }
    Expr bool_imm(bool value) { return int_imm(kBool, value ? 1 : 0); }
    Expr true_() { return bool_imm(true); }
    Expr false_() { return bool_imm(false); }
    // The double must be exactly representable in the type (see round_to_type); every NaN becomes
    // one NaN.
    Expr float_imm(ScalarType type, double value);
    Expr var(std::string_view name, ScalarType type);
    Expr undef(ScalarType type);

    // Any operator with plain arguments; the result type is derived. Not for leaves, Cast, Let,
    // Load, calls.
    Expr make(Op op, std::span<const Expr> args);
    Expr make(Op op, const std::vector<Expr>& args) {
        return make(op, std::span<const Expr>(args));
    }
    Expr make(Op op, std::initializer_list<Expr> args) {
        return make(op, std::span<const Expr>(args.begin(), args.size()));
    }
    Expr cast(ScalarType type, Expr value);
    Expr let(Expr var, Expr value, Expr body);
    Expr load(Buffer buffer, const std::vector<Expr>& indices);
    Expr math(MathFn fn, const std::vector<Expr>& args);
    Expr call_extern(ScalarType type, std::string_view name, const std::vector<Expr>& args);
    Expr defined(Expr load);
    Expr same(Expr a, Expr b) { return make(Op::Same, {a, b}); }

    // Shorthands.
    Expr neg(Expr a) { return make(Op::Neg, {a}); }
    Expr not_(Expr a) { return make(Op::Not, {a}); }
    Expr add(Expr a, Expr b) { return make(Op::Add, {a, b}); }
    Expr sub(Expr a, Expr b) { return make(Op::Sub, {a, b}); }
    Expr mul(Expr a, Expr b) { return make(Op::Mul, {a, b}); }
    Expr floordiv(Expr a, Expr b) { return make(Op::FloorDiv, {a, b}); }
    Expr floormod(Expr a, Expr b) { return make(Op::FloorMod, {a, b}); }
    Expr min(Expr a, Expr b) { return make(Op::Min, {a, b}); }
    Expr max(Expr a, Expr b) { return make(Op::Max, {a, b}); }
    Expr eq(Expr a, Expr b) { return make(Op::Eq, {a, b}); }
    Expr ne(Expr a, Expr b) { return make(Op::Ne, {a, b}); }
    Expr lt(Expr a, Expr b) { return make(Op::Lt, {a, b}); }
    Expr le(Expr a, Expr b) { return make(Op::Le, {a, b}); }
    Expr and_(Expr a, Expr b) { return make(Op::And, {a, b}); }
    Expr or_(Expr a, Expr b) { return make(Op::Or, {a, b}); }
    Expr select(Expr c, Expr a, Expr b) { return make(Op::Select, {c, a, b}); }
    Expr if_then_else(Expr c, Expr a, Expr b) { return make(Op::IfThenElse, {c, a, b}); }
    // Right-nested conjunction and disjunction; true / false when empty. Trivial members are
    // dropped.
    Expr all_of(const std::vector<Expr>& conditions);
    Expr any_of(const std::vector<Expr>& conditions);
    Expr implies(Expr a, Expr b) { return or_(not_(a), b); }
    // The condition under which the lazy expression `e` evaluates operand `k`, not the first.
    Expr evaluated_where(Expr e, std::size_t k) {
        return deciding_value(e->op, k) ? e->arg(0) : not_(e->arg(0));
    }

    Buffer buffer(std::string_view name, ScalarType type, const std::vector<Expr>& shape,
                  std::string_view scope = "global");

    Stmt stmt(StmtData data);  // a Seq must already be flat; use seq()
    Stmt store(Buffer b, std::vector<Expr> indices, Expr value);
    Stmt for_(Expr var, Expr lo, Expr hi, Stmt body, ForKind kind = ForKind::Serial);
    Stmt if_(Expr cond, Stmt then_body, Stmt else_body = nullptr);
    Stmt seq(const std::vector<Stmt>& parts);  // flattens; one part is the part itself
    Stmt pass() { return seq({}); }

    // What others keep about handles of this context, one object of each type: made where it is
    // first asked for, gone with the context.
    template <typename T>
    T& kept() {
        static const char type = 0;
        std::shared_ptr<void>& place = kept_for(&type);
        if (place == nullptr) place = std::make_shared<T>();
        return *static_cast<T*>(place.get());
    }

  private:
    std::shared_ptr<void>& kept_for(const void* type);

    struct Impl;
    std::unique_ptr<Impl> impl_;
};

// Rounds a double to the nearest value of a float type (ties to even), as a double. NaN gives the
// one quiet NaN.
double round_to_type(ScalarType type, double value);

}  // namespace proviso::ir
