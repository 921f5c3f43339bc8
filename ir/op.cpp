#include "ir/op.h"

#include <array>

#include "ir/check.h"

namespace proviso::ir {

const OpInfo& op_info(Op op) {
    using C = OpClass;
    static constexpr std::array<OpInfo, kOpCount> table = {{
        {"int", C::Leaf, 0},
        {"float", C::Leaf, 0},
        {"var", C::Leaf, 0},
        {"undef", C::Leaf, 0},
        {"neg", C::Unary, 1},
        {"not", C::Unary, 1},
        {"cast", C::Unary, 1},
        {"add", C::Arithmetic, 2},
        {"sub", C::Arithmetic, 2},
        {"mul", C::Arithmetic, 2},
        {"div", C::Arithmetic, 2},
        {"floordiv", C::Arithmetic, 2},
        {"floormod", C::Arithmetic, 2},
        {"truncdiv", C::Arithmetic, 2},
        {"truncmod", C::Arithmetic, 2},
        {"min", C::Arithmetic, 2},
        {"max", C::Arithmetic, 2},
        {"eq", C::Comparison, 2},
        {"ne", C::Comparison, 2},
        {"lt", C::Comparison, 2},
        {"le", C::Comparison, 2},
        {"and", C::Logic, 2},
        {"or", C::Logic, 2},
        {"bitand", C::Bits, 2},
        {"bitor", C::Bits, 2},
        {"bitxor", C::Bits, 2},
        {"shl", C::Bits, 2},
        {"shr", C::Bits, 2},
        {"select", C::Choice, 3},
        {"if_then_else", C::Choice, 3},
        {"let", C::Binding, 2},
        {"load", C::Memory, -1},
        {"math", C::Call, -1},
        {"call_extern", C::Call, -1},
        {"defined", C::Memory, 1},
        {"same", C::Comparison, 2},
    }};
    const auto index = static_cast<std::size_t>(op);
    PROVISO_CHECK(index < table.size(), "operator out of the table");
    return table[index];
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
