#include "ir/text/reader/expressions/intrinsics.h"

#include <algorithm>
#include <array>

#include "ir/type.h"

namespace proviso::ir {

namespace {

constexpr std::array kOperatorNames = {
    OperatorName{"min", Op::Min},
    OperatorName{"max", Op::Max},
    OperatorName{"truncdiv", Op::TruncDiv},
    OperatorName{"truncmod", Op::TruncMod},
    OperatorName{"floordiv", Op::FloorDiv},
    OperatorName{"floormod", Op::FloorMod},
    OperatorName{"indexdiv", Op::FloorDiv},
    OperatorName{"indexmod", Op::FloorMod},
    OperatorName{"shift_left", Op::Shl},
    OperatorName{"shift_right", Op::Shr},
    OperatorName{"bitwise_and", Op::BitAnd},
    OperatorName{"bitwise_or", Op::BitOr},
    OperatorName{"bitwise_xor", Op::BitXor},
    OperatorName{"if_then_else", Op::IfThenElse},
    OperatorName{"Select", Op::Select},
    // The names of TVM's nodes, which its printer falls back on. Its `Mod` truncates.
    OperatorName{"Add", Op::Add},
    OperatorName{"Sub", Op::Sub},
    OperatorName{"Mul", Op::Mul},
    OperatorName{"Mod", Op::TruncMod},
    OperatorName{"FloorDiv", Op::FloorDiv},
    OperatorName{"FloorMod", Op::FloorMod},
    OperatorName{"Min", Op::Min},
    OperatorName{"Max", Op::Max},
    OperatorName{"EQ", Op::Eq},
    OperatorName{"NE", Op::Ne},
    OperatorName{"LT", Op::Lt},
    OperatorName{"LE", Op::Le},
    OperatorName{"GT", Op::Lt, true},
    OperatorName{"GE", Op::Le, true},
    OperatorName{"And", Op::And},
    OperatorName{"Or", Op::Or},
    OperatorName{"Not", Op::Not},
};

constexpr std::array<std::string_view, 22> kSpecialNames = {"Cast",
                                                            "cast",
                                                            "Let",
                                                            "let",
                                                            "undef",
                                                            "call_extern",
                                                            "likely",
                                                            "Div",
                                                            "infinity",
                                                            "min_value",
                                                            "max_value",
                                                            "div",
                                                            "bitwise_not",
                                                            "ceildiv",
                                                            "rsqrt",
                                                            "reinterpret",
                                                            "isinf",
                                                            "isfinite",
                                                            "clz",
                                                            "popcount",
                                                            "q_multiply_shift",
                                                            "q_multiply_shift_per_axis"};

constexpr std::array<std::string_view, 31> kStatementNames = {
    "block",         "sblock",
    "grid",          "serial",
    "parallel",      "vectorized",
    "unroll",        "thread_binding",
    "where",         "reads",
    "writes",        "init",
    "alloc_buffer",  "sblock_alloc_buffer",
    "decl_buffer",   "allocate",
    "match_buffer",  "func_attr",
    "block_attr",    "evaluate",
    "assume",        "LetStmt",
    "prim_func",     "axis",
    "Buffer",        "handle",
    "Assert",        "attr",
    "launch_thread", "realize",
    "allocate_const"};

}  // namespace

const OperatorName* find_operator_name(std::string_view name) {
    const auto* it = std::find_if(kOperatorNames.begin(), kOperatorNames.end(),
                                  [&](const OperatorName& row) { return row.name == name; });
    return it == kOperatorNames.end() ? nullptr : &*it;
}

std::optional<MathFn> find_math_name(std::string_view name) {
    if (name == "fabs") return MathFn::Abs;
    if (name == "power") return MathFn::Pow;
    if (name == "round") return MathFn::Round;
    for (int i = 0; i < kMathFnCount; ++i) {
        const auto fn = static_cast<MathFn>(i);
        if (math_fn_info(fn).name == name) return fn;
    }
    return std::nullopt;
}

bool is_special_name(std::string_view name) {
    return std::find(kSpecialNames.begin(), kSpecialNames.end(), name) != kSpecialNames.end();
}

std::string_view hint_for(std::string_view name) {
    static constexpr std::array<std::array<std::string_view, 2>, 21> table = {{
        {"T.all", "write `a and b`"},
        {"T.any", "write `a or b`"},
        {"T.logical_and", "write `a and b`"},
        {"T.logical_or", "write `a or b`"},
        {"T.logical_not", "write `not a`"},
        {"T.mod", "`%` rounds toward -inf, T.truncmod toward 0"},
        {"T.fmod", "there is no remainder of floats"},
        {"T.fma", "write a * b + c, which rounds twice"},
        {"T.clip", "write T.max(T.min(x, highest), lowest)"},
        {"T.sum", "write a loop that adds"},
        {"T.reinterpret", "the bits of a value are not looked at"},
        {"T.Broadcast", "vectors are written as loops: T.vectorized"},
        {"T.Ramp", "vectors are written as loops: T.vectorized"},
        {"T.vscale", "vectors are written as loops: T.vectorized"},
        {"T.tvm_storage_sync", "threads wait where a loop over threads ends: write two loops"},
        {"int", "write T.int32(x)"},
        {"bool", "write x != 0"},
        {"pow", "write the product out, or T.pow for floats"},
        {"len", "it takes a list that is known, or A.shape"},
        {"sum", "write a loop that adds"},
        {"range", "loops are statements: for i in range(n)"},
    }};
    for (const auto& [other, hint] : table) {
        if (other == name) return hint;
    }
    return {};
}

bool is_statement_name(std::string_view name) {
    return std::find(kStatementNames.begin(), kStatementNames.end(), name) != kStatementNames.end();
}

const std::vector<std::string>& expression_names() {
    static const std::vector<std::string> names = [] {
        std::vector<std::string> out;
        out.reserve(kOperatorNames.size() + kMathFnCount + kSpecialNames.size() + 16);
        for (const OperatorName& row : kOperatorNames) out.push_back("T." + std::string(row.name));
        for (int i = 0; i < kMathFnCount; ++i) {
            out.push_back("T." + std::string(math_fn_info(static_cast<MathFn>(i)).name));
        }
        for (const std::string_view name : kSpecialNames) out.push_back("T." + std::string(name));
        for (const ScalarType& type : all_scalar_types()) out.push_back("T." + type.str());
        return out;
    }();
    return names;
}

}  // namespace proviso::ir
