#include "ir/text/intrinsics.h"

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

constexpr std::array<std::string_view, 13> kSpecialNames = {
    "Cast", "cast",     "Let",       "let",       "undef", "call_extern", "likely",
    "Div",  "infinity", "min_value", "max_value", "div",   "bitwise_not"};

constexpr std::array<std::string_view, 30> kStatementNames = {
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
    "launch_thread", "realize"};

}  // namespace

const OperatorName* find_operator_name(std::string_view name) {
    const auto* it = std::find_if(kOperatorNames.begin(), kOperatorNames.end(),
                                  [&](const OperatorName& row) { return row.name == name; });
    return it == kOperatorNames.end() ? nullptr : &*it;
}

std::optional<MathFn> find_math_name(std::string_view name) {
    if (name == "fabs") return MathFn::Abs;
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
