// Expressions in the C that CUDA C++, OpenCL C and C++ have in common (with the names that each
// prelude defines: i32, u64, f32, pv_floordiv_i32, …; see prelude.h).
//
// Meaning kept from docs/semantics.md:
//   ints    Ring operations are computed as unsigned numbers of the type's width (32 bits at
//           least), so that they wrap; plainly signed only where the result is proved to be in
//           range. Exact integers get the right value wherever it is observed.
//   floats  A product is a call that no compiler fuses with the sum around it; division and root
//           are correctly rounded. float16 and bfloat16 are their bits, and every operator on them
//           is a call (prelude.h).
//   choice  `&&`, `||` and `?:` evaluate only what they need, as And, Or and IfThenElse do; Select
//           may, since evaluating has no effect.
//   let     A constant declared before the statement; inside a lazy operand, in a branch.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "ir/expr.h"

namespace proviso::backend::gpu {

// The C name of a type in a register (bool is `bool`; f16 and bf16 are other names of u16) and in
// memory (bool is `u8`, 0 or 1; a 16-bit float its bits).
std::string register_type(ir::ScalarType type);
std::string storage_type(ir::ScalarType type);

bool is_small_float(ir::ScalarType type);

// A name for C: the program's own, with an underscore where a language may reserve it.
std::string c_identifier(const std::string& name);

class CExpressions {
  public:
    // `no_wrap`: CpuOptions::no_signed_wrap. `narrow`: buffers whose positions fit int32.
    CExpressions(const std::set<ir::Expr>& no_wrap, const std::set<ir::Buffer>& narrow)
        : no_wrap_(no_wrap), narrow_(narrow) {}

    // A new name for something that is declared now; never given out again.
    std::string declare(const std::string& name);
    // What a variable and a buffer are called while they are in scope.
    void enter(ir::Expr var, std::string name);
    void leave(std::size_t count = 1);
    // `skip`: leading dimensions that are left out of its cells' positions.
    void name_buffer(ir::Buffer buffer, std::string name, std::size_t skip = 0);

    // The expression, ready to stand as an operand of anything; lines that must come before it are
    // in `before` after the call.
    std::string operand(ir::Expr e);
    // The same where nothing binds tighter: an initialiser, an argument, a condition in brackets.
    std::string value(ir::Expr e);
    // The cell "A[i * n + j]", to be read or assigned as it is in memory.
    std::string cell(ir::Buffer buffer, const std::vector<ir::Expr>& indices);

    // From here on a load is `text` (as it is in memory) wherever it is evaluated.
    void hold(ir::Expr load, std::string text) { held_.emplace_back(load, std::move(text)); }
    void forget_held() { held_.clear(); }

    // Lines, without indentation of their own level, since the last take.
    std::vector<std::string> take_lines();

  private:
    struct Text {
        std::string text;
        int binds;  // how tightly; see the .cpp
    };
    struct Variable {
        const std::string* name;
        ir::ScalarType type;
        std::string c_name;
    };

    Text expr(ir::Expr e);
    Text constant(ir::Expr e) const;
    Text variable(ir::Expr e) const;
    Text ring(ir::Expr e);
    Text neg(ir::Expr e);
    Text division(ir::Expr e);
    Text bits(ir::Expr e);
    Text cast(ir::Expr e);
    Text comparison(ir::Expr e, const char* op, int binds);
    // A 16-bit float as float32.
    static Text widened(Text value, ir::ScalarType type);
    Text choice(ir::Expr e);
    Text logic(ir::Expr e);
    Text let(ir::Expr e);
    Text load(ir::Expr e);
    Text math(ir::Expr e);
    Text infix(ir::Expr e, const char* op, int binds);
    Text call(const std::string& function, ir::Expr e);
    bool plain(ir::Expr e) const;
    bool exact(ir::Expr e) const;
    // Evaluates with lines of its own: what a lazy operand needs before it.
    Text apart(ir::Expr e, std::vector<std::string>& lines);
    static std::string at(const Text& t, int least);

    const std::set<ir::Expr>& no_wrap_;
    const std::set<ir::Buffer>& narrow_;
    std::set<std::string> used_;
    std::vector<Variable> variables_;
    struct NamedBuffer {
        ir::Buffer buffer;
        std::string c_name;
        std::size_t skip;
    };
    std::vector<NamedBuffer> buffers_;
    std::vector<std::pair<ir::Expr, std::string>> held_;
    std::vector<std::string> lines_;
};

}  // namespace proviso::backend::gpu
