#include "ir/op.h"

#include <array>

#include "ir/check.h"

namespace proviso::ir {

const OpInfo& op_info(Op op) {
    using C = OpClass;
    using E = Evaluates;
    using R = Range;
    static constexpr std::array<OpInfo, kOpCount> table = {{
        {"int", C::Leaf, 0, E::All, R::Held},
        {"float", C::Leaf, 0, E::All, R::Held},
        {"var", C::Leaf, 0, E::All, R::Held},
        {"undef", C::Leaf, 0, E::All, R::Held},
        {"neg", C::Unary, 1, E::All, R::Open},
        {"not", C::Unary, 1, E::All, R::Open},
        {"cast", C::Unary, 1, E::All, R::Held},
        {"add", C::Arithmetic, 2, E::All, R::Open},
        {"sub", C::Arithmetic, 2, E::All, R::Open},
        {"mul", C::Arithmetic, 2, E::All, R::Open},
        {"div", C::Arithmetic, 2, E::All, R::Open},
        {"floordiv", C::Arithmetic, 2, E::All, R::Held},
        {"floormod", C::Arithmetic, 2, E::All, R::Held},
        {"truncdiv", C::Arithmetic, 2, E::All, R::Held},
        {"truncmod", C::Arithmetic, 2, E::All, R::Held},
        {"min", C::Arithmetic, 2, E::All, R::Held},
        {"max", C::Arithmetic, 2, E::All, R::Held},
        {"eq", C::Comparison, 2, E::All, R::Open},
        {"ne", C::Comparison, 2, E::All, R::Open},
        {"lt", C::Comparison, 2, E::All, R::Open},
        {"le", C::Comparison, 2, E::All, R::Open},
        {"and", C::Logic, 2, E::SecondIfFirst, R::Open},
        {"or", C::Logic, 2, E::SecondUnlessFirst, R::Open},
        {"bitand", C::Bits, 2, E::All, R::Held},
        {"bitor", C::Bits, 2, E::All, R::Held},
        {"bitxor", C::Bits, 2, E::All, R::Held},
        {"shl", C::Bits, 2, E::All, R::Open},
        {"shr", C::Bits, 2, E::All, R::Held},
        {"select", C::Choice, 3, E::All, R::Chosen},
        {"if_then_else", C::Choice, 3, E::OneArm, R::Chosen},
        {"let", C::Binding, 2, E::Bound, R::Open},
        {"load", C::Memory, -1, E::All, R::Held},
        {"math", C::Call, -1, E::All, R::Open},
        {"call_extern", C::Call, -1, E::All, R::Held},
        {"defined", C::Memory, 1, E::All, R::Open},
        {"same", C::Comparison, 2, E::All, R::Open},
    }};
    const auto index = static_cast<std::size_t>(op);
    PROVISO_CHECK(index < table.size(), "operator out of the table");
    return table[index];
}

bool is_lazy(Op op) {
    const Evaluates how = op_info(op).evaluates;
    return how != Evaluates::All && how != Evaluates::Bound;
}

bool deciding_value(Op op, std::size_t k) {
    switch (op_info(op).evaluates) {
        case Evaluates::SecondIfFirst: return true;
        case Evaluates::SecondUnlessFirst: return false;
        case Evaluates::OneArm: return k == 1;
        case Evaluates::All:
        case Evaluates::Bound: break;
    }
    PROVISO_CHECK(false, "an operator that evaluates all of its operands");
}

bool is_ring(Op op) {
    return op == Op::Add || op == Op::Sub || op == Op::Mul || op == Op::Neg;
}

const MathFnInfo& math_fn_info(MathFn fn) {
    static constexpr std::array<MathFnInfo, kMathFnCount> table = {{
        {"abs", 1, true},
        {"sqrt", 1, true},
        {"floor", 1, true},
        {"ceil", 1, true},
        {"trunc", 1, true},
        {"nearbyint", 1, true},
        {"isnan", 1, true},
        {"exp", 1, false},
        {"exp2", 1, false},
        {"log", 1, false},
        {"log2", 1, false},
        {"sin", 1, false},
        {"cos", 1, false},
        {"tanh", 1, false},
        {"sigmoid", 1, false},
        {"erf", 1, false},
        {"pow", 2, false},
    }};
    const auto index = static_cast<std::size_t>(fn);
    PROVISO_CHECK(index < table.size(), "math function out of the table");
    return table[index];
}

}  // namespace proviso::ir
