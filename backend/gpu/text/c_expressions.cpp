#include "backend/gpu/text/c_expressions.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cctype>
#include <cmath>

#include "backend/gpu/text/functions.h"
#include "backend/tensor.h"
#include "ir/c_names.h"
#include "ir/check.h"
#include "ir/children.h"
#include "ir/planted.h"

namespace proviso::backend::gpu {

using namespace ir;

namespace {

// How tightly operators bind in C.
enum Binds : int {
    kChoice = 1,
    kOr,
    kAnd,
    kBitOr,
    kBitXor,
    kBitAnd,
    kEquality,
    kRelation,
    kShift,
    kSum,
    kProduct,
    kUnary,
    kPrimary,
};

// The type that ring operations of an integer type are computed in, without a sign.
std::string ring_type(ScalarType type) {
    return type.bits <= 32 ? "u32" : "u64";
}

bool is_small_int(ScalarType type) {
    return type.is_int() && type.bits < 32;
}

// Words of OpenCL C and CUDA beyond those of C and C++ (lowered.h), and what the preludes define.
bool may_be_reserved(const std::string& name) {
    static const std::set<std::string> words = {
        "global",     "local",        "constant",    "private",   "generic",
        "kernel",     "uniform",      "pipe",        "half",      "quad",
        "complex",    "imaginary",    "uchar",       "ushort",    "uint",
        "ulong",      "event_t",      "sampler_t",   "queue_t",   "size_t",
        "ptrdiff_t",  "intptr_t",     "uintptr_t",   "read_only", "write_only",
        "read_write", "reserve_id_t", "clk_event_t", "ndrange_t", "cl_mem_fence_flags",
        "linux",      "unix",         "i8",          "i16",       "i32",
        "i64",        "u8",           "u16",         "u32",       "u64",
        "f32",        "f64",          "f16",         "bf16"};
    if (is_c_keyword(name) || words.count(name) != 0) return true;
    if (name.rfind("pv_", 0) == 0 || name.rfind("__", 0) == 0 || name.back() == '_') return true;
    if (name.rfind("image", 0) == 0 || name.rfind("atomic_", 0) == 0) return true;
    for (const char* base : {"char", "uchar", "short", "ushort", "int", "uint", "long", "ulong",
                             "float", "double", "half", "bool", "dim", "longlong", "ulonglong"}) {
        const std::string b = base;
        if (name.size() > b.size() && name.rfind(b, 0) == 0 &&
            std::isdigit(static_cast<unsigned char>(name[b.size()])) != 0) {
            return true;
        }
    }
    // Macros: NAN, INFINITY, M_PI, PV_INLINE.
    return name.size() > 1 && std::none_of(name.begin(), name.end(), [](char c) {
               return std::islower(static_cast<unsigned char>(c)) != 0;
           });
}

std::string float_text(ScalarType type, double value) {
    const bool single = type == kFloat32;
    if (!std::isfinite(value)) {
        const std::uint64_t bits = single ? std::bit_cast<std::uint32_t>(static_cast<float>(value))
                                          : std::bit_cast<std::uint64_t>(value);
        return single ? fmt::format("pv_f32_of_bits(0x{:x}u)", bits)
                      : fmt::format("pv_f64_of_bits((u64)0x{:x})", bits);
    }
    std::string digits = single ? fmt::format("{}", static_cast<float>(value))  // shortest exact
                                : fmt::format("{}", value);
    if (digits.find_first_of(".e") == std::string::npos) digits += ".0";
    return single ? digits + "f" : digits;
}

}  // namespace

std::string register_type(ScalarType type) {
    if (type.is_bool()) return "bool";
    if (type.is_int()) return fmt::format("{}{}", type.is_signed() ? "i" : "u", type.bits);
    if (type == kBFloat16) return "bf16";
    return fmt::format("f{}", type.bits);
}

bool is_small_float(ScalarType type) {
    return type.is_float() && type.bits == 16;
}

std::string storage_type(ScalarType type) {
    if (is_small_float(type)) return "u16";
    return type.is_bool() ? "u8" : register_type(type);
}

std::string c_identifier(const std::string& name) {
    return may_be_reserved(name) ? name + "_" : name;
}

std::string CExpressions::declare(const std::string& name) {
    return fresh_name(c_identifier(name), used_);
}

void CExpressions::enter(Expr var, std::string name) {
    variables_.push_back({var->name, var->type, std::move(name)});
}

void CExpressions::leave(std::size_t count) {
    variables_.resize(variables_.size() - count);
}

void CExpressions::name_buffer(Buffer buffer, std::string name, std::size_t skip) {
    buffers_.push_back({buffer, std::move(name), skip});
}

std::vector<std::string> CExpressions::take_lines() {
    return std::exchange(lines_, {});
}

std::string CExpressions::at(const Text& t, int least) {
    return t.binds >= least ? t.text : "(" + t.text + ")";
}

std::string CExpressions::operand(Expr e) {
    return at(expr(e), kPrimary);
}

std::string CExpressions::value(Expr e) {
    return expr(e).text;
}

CExpressions::Text CExpressions::expr(Expr e) {
    switch (e->op) {
        case Op::IntImm:
        case Op::FloatImm: return constant(e);
        case Op::Var: return variable(e);
        case Op::Neg: return neg(e);
        case Op::Not: return {"!" + at(expr(e->arg(0)), kUnary), kUnary};
        case Op::Cast: return cast(e);
        case Op::Add:
        case Op::Sub:
        case Op::Mul: return ring(e);
        case Op::Div: return call("pv_div", e);
        case Op::FloorDiv:
        case Op::FloorMod:
        case Op::TruncDiv:
        case Op::TruncMod: return division(e);
        case Op::Min: return call("pv_min", e);
        case Op::Max: return call("pv_max", e);
        case Op::Eq: return comparison(e, "==", kEquality);
        case Op::Ne: return comparison(e, "!=", kEquality);
        case Op::Lt: return comparison(e, "<", kRelation);
        case Op::Le: return comparison(e, "<=", kRelation);
        case Op::And:
        case Op::Or: return logic(e);
        case Op::BitAnd:
        case Op::BitOr:
        case Op::BitXor:
        case Op::Shl:
        case Op::Shr: return bits(e);
        case Op::Select:
        case Op::IfThenElse: return choice(e);
        case Op::Let: return let(e);
        case Op::Load: return load(e);
        case Op::Math: return math(e);
        case Op::Undef:
        case Op::CallExtern:
        case Op::Defined:
        case Op::Same: break;
    }
    PROVISO_CHECK(false, "operator that make_plan refuses: " + std::string(op_info(e->op).name));
}

CExpressions::Text CExpressions::constant(Expr e) const {
    const ScalarType t = e->type;
    if (t.is_bool()) return {e->bits != 0 ? "true" : "false", kPrimary};
    if (is_small_float(t)) {
        const std::uint64_t bits = to_host(t, Value::of_float(t, e->float_value())).bits;
        return {fmt::format("({})0x{:x}", register_type(t), bits), kUnary};
    }
    if (t.is_float()) {
        const std::string text = float_text(t, e->float_value());
        return {text, text.front() == '-' ? kUnary : kPrimary};
    }
    if (!t.is_signed()) {
        const auto bits = static_cast<std::uint64_t>(e->bits);
        if (t == kUInt32) return {fmt::format("{}u", bits), kPrimary};
        return {fmt::format("({}){}u", register_type(t), bits), kUnary};
    }
    const std::int64_t smallest = static_cast<std::int64_t>(t.min_value());
    if (t == kInt32) {
        if (e->bits == smallest) return {"-2147483647 - 1", kSum};
        return {fmt::format("{}", e->bits), e->bits < 0 ? kUnary : kPrimary};
    }
    if (t == kInt64 && e->bits == smallest) return {"-(i64)9223372036854775807 - 1", kSum};
    return {fmt::format("({}){}", register_type(t), e->bits), kUnary};
}

CExpressions::Text CExpressions::variable(Expr e) const {
    for (auto it = variables_.rbegin(); it != variables_.rend(); ++it) {
        if (it->name == e->name && it->type == e->type) return {it->c_name, kPrimary};
    }
    PROVISO_CHECK(false, "variable out of scope: " + *e->name);
}

// True when the machine's value of `e` surely is its mathematical value.
bool CExpressions::exact(Expr e) const {
    if (!e->type.is_exact_int()) return true;
    switch (e->op) {
        case Op::Add:
        case Op::Sub:
        case Op::Mul:
        case Op::Neg: return plain(e);
        case Op::Shl:
        case Op::Math: return false;
        case Op::Select:
        case Op::IfThenElse: return exact(e->arg(1)) && exact(e->arg(2));
        case Op::Let: return exact(e->arg(1));
        default: return true;  // observed, hence in range
    }
}

// A ring operation whose C form cannot overflow: the result is in range, and so are the operands.
bool CExpressions::plain(Expr e) const {
    if (!e->type.is_exact_int() || no_wrap_.count(e) == 0) return false;
    return std::all_of(e->args.begin(), e->args.end(), [&](Expr a) { return exact(a); });
}

CExpressions::Text CExpressions::infix(Expr e, const char* op, int binds) {
    const Text a = expr(e->arg(0));
    const Text b = expr(e->arg(1));
    return {fmt::format("{} {} {}", at(a, binds), op, at(b, binds + 1)), binds};
}

CExpressions::Text CExpressions::widened(Text value, ScalarType type) {
    if (!is_small_float(type)) return value;
    return {fmt::format("pv_f32_of_{}({})", register_type(type), value.text), kPrimary};
}

CExpressions::Text CExpressions::comparison(Expr e, const char* op, int binds) {
    const ScalarType type = e->arg(0)->type;
    const Text a = widened(expr(e->arg(0)), type);
    const Text b = widened(expr(e->arg(1)), type);
    return {fmt::format("{} {} {}", at(a, binds), op, at(b, binds + 1)), binds};
}

CExpressions::Text CExpressions::ring(Expr e) {
    const char* op = e->op == Op::Add ? "+" : e->op == Op::Sub ? "-" : "*";
    const int binds = e->op == Op::Mul ? kProduct : kSum;
    if (is_small_float(e->type)) {
        return call(e->op == Op::Mul ? "pv_mul" : e->op == Op::Add ? "pv_add" : "pv_sub", e);
    }
    if (e->type.is_float()) {
        if (e->op == Op::Mul) return call("pv_mul", e);
        // As a compiler may that contracts a product and a sum; for this machine's C++ only.
        if (e->op == Op::Add && e->arg(0)->op == Op::Mul && planted("gpu:fused-multiply-add")) {
            return {fmt::format("__builtin_fma{}({}, {}, {})", e->type == kFloat32 ? "f" : "",
                                expr(e->arg(0)->arg(0)).text, expr(e->arg(0)->arg(1)).text,
                                expr(e->arg(1)).text),
                    kPrimary};
        }
        return infix(e, op, binds);
    }
    const Text a = expr(e->arg(0));
    const Text b = expr(e->arg(1));
    if (e->op == Op::Add && b.text == "0") return a;  // the first of several lanes
    if (plain(e)) return {fmt::format("{} {} {}", at(a, binds), op, at(b, binds + 1)), binds};
    const std::string wide = ring_type(e->type);
    return {fmt::format("({})(({}){} {} ({}){})", register_type(e->type), wide, at(a, kUnary), op,
                        wide, at(b, kUnary)),
            kUnary};
}

CExpressions::Text CExpressions::neg(Expr e) {
    if (is_small_float(e->type)) return call("pv_neg", e);
    const Text a = expr(e->arg(0));
    // "- -x", not "--x".
    if (e->type.is_float() || plain(e)) return {"-" + at(a, kPrimary), kUnary};
    const std::string wide = ring_type(e->type);
    return {fmt::format("({})(({})0 - ({}){})", register_type(e->type), wide, wide, at(a, kUnary)),
            kUnary};
}

CExpressions::Text CExpressions::division(Expr e) {
    const bool quotient = e->op == Op::FloorDiv || e->op == Op::TruncDiv;
    const bool floor = e->op == Op::FloorDiv || e->op == Op::FloorMod;
    if (floor && e->type.is_signed() && !planted("gpu:floordiv-truncates")) {
        return call(quotient ? "pv_floordiv" : "pv_floormod", e);
    }
    Text out = infix(e, quotient ? "/" : "%", kProduct);
    if (!is_small_int(e->type)) return out;
    return {fmt::format("({})({})", register_type(e->type), out.text), kUnary};
}

CExpressions::Text CExpressions::bits(Expr e) {
    const std::string type = register_type(e->type);
    if (e->op == Op::Shl) {
        const Text a = expr(e->arg(0));
        const Text b = expr(e->arg(1));
        return {
            fmt::format("({})(({}){} << {})", type, ring_type(e->type), at(a, kUnary), at(b, kSum)),
            kUnary};
    }
    const char* op = e->op == Op::Shr      ? ">>"
                     : e->op == Op::BitAnd ? "&"
                     : e->op == Op::BitOr  ? "|"
                                           : "^";
    const Text a = expr(e->arg(0));
    const Text b = expr(e->arg(1));
    const std::string text = fmt::format("{} {} {}", at(a, kUnary), op, at(b, kUnary));
    return {fmt::format("({})({})", type, text), kUnary};
}

CExpressions::Text CExpressions::cast(Expr e) {
    Text a = expr(e->arg(0));
    const ScalarType from = e->arg(0)->type;
    if (from == e->type) return a;
    if (is_small_float(e->type)) {
        // Integers below 2^24 are float32 numbers, and those above it are float16's infinity.
        std::string via = register_type(from);
        if (from.is_int() || from.is_bool()) {
            via = e->type == kFloat16 || from.bits <= 16 ? "f32" : from.is_signed() ? "i64" : "u64";
            a = {fmt::format("({}){}", via, at(a, kUnary)), kUnary};
        } else if (is_small_float(from)) {
            via = "f32";
            a = widened(a, from);
        }
        return {fmt::format("pv_{}_of_{}({})", register_type(e->type), via, a.text), kPrimary};
    }
    a = widened(a, from);
    if (e->type == kFloat32 && is_small_float(from)) return a;
    if (e->type.is_bool()) return {at(a, kEquality) + " != 0", kEquality};
    return {fmt::format("({}){}", register_type(e->type), at(a, kUnary)), kUnary};
}

CExpressions::Text CExpressions::apart(Expr e, std::vector<std::string>& lines) {
    std::swap(lines, lines_);
    Text out = expr(e);
    std::swap(lines, lines_);
    return out;
}

CExpressions::Text CExpressions::choice(Expr e) {
    const Text cond = expr(e->arg(0));
    std::vector<std::string> then_lines;
    std::vector<std::string> else_lines;
    const Text a = apart(e->arg(1), then_lines);
    const Text b = apart(e->arg(2), else_lines);
    if (then_lines.empty() && else_lines.empty()) {
        return {fmt::format("{} ? {} : {}", at(cond, kOr), at(a, kOr), at(b, kOr)), kChoice};
    }
    const std::string name = declare("chosen");
    const auto arm = [&](const std::vector<std::string>& lines, const Text& value) {
        for (const std::string& line : lines) lines_.push_back("    " + line);
        lines_.push_back(fmt::format("    {} = {};", name, value.text));
    };
    lines_.push_back(fmt::format("{} {};", register_type(e->type), name));
    lines_.push_back(fmt::format("if ({}) {{", cond.text));
    arm(then_lines, a);
    lines_.push_back("} else {");
    arm(else_lines, b);
    lines_.push_back("}");
    return {name, kPrimary};
}

CExpressions::Text CExpressions::logic(Expr e) {
    const bool is_and = e->op == Op::And;
    const int binds = is_and ? kAnd : kOr;
    const Text a = expr(e->arg(0));
    std::vector<std::string> lines;
    const Text b = apart(e->arg(1), lines);
    if (lines.empty()) {
        return {fmt::format("{} {} {}", at(a, binds), is_and ? "&&" : "||", at(b, binds)), binds};
    }
    const std::string name = declare("decided");
    lines_.push_back(fmt::format("bool {} = {};", name, a.text));
    lines_.push_back(fmt::format("if ({}{}) {{", is_and ? "" : "!", name));
    for (const std::string& line : lines) lines_.push_back("    " + line);
    lines_.push_back(fmt::format("    {} = {};", name, b.text));
    lines_.push_back("}");
    return {name, kPrimary};
}

CExpressions::Text CExpressions::let(Expr e) {
    const std::string value = this->value(e->arg(0));
    const std::string name = declare(*e->name);
    lines_.push_back(fmt::format("const {} {} = {};", register_type(e->var_type), name, value));
    variables_.push_back({e->name, e->var_type, name});
    Text out = expr(e->arg(1));
    variables_.pop_back();
    return out;
}

std::string CExpressions::cell(Buffer buffer, const std::vector<Expr>& indices) {
    const auto named = std::find_if(buffers_.rbegin(), buffers_.rend(),
                                    [&](const NamedBuffer& n) { return n.buffer == buffer; });
    PROVISO_CHECK(named != buffers_.rend(), "buffer out of scope: " + buffer->name);
    const ScalarType type = narrow_.count(buffer) != 0 ? kInt32 : kInt64;
    // Positions of elements in bounds are below the number of elements: nothing overflows here.
    const auto part = [&](Expr e, bool first) -> Text {
        if (is_int_const(e) && !(first && type == kInt64)) {
            return {fmt::format("{}", static_cast<std::int64_t>(e->int_value())), kPrimary};
        }
        Text t = expr(e);
        if (e->type == type) return t;
        return {fmt::format("({}){}", register_type(type), at(t, kUnary)), kUnary};
    };
    Text flat{"0", kPrimary};
    for (std::size_t d = named->skip; d < indices.size(); ++d) {
        const Text index = part(indices[d], d == named->skip);
        if (d == named->skip) {
            flat = index;
            continue;
        }
        const std::size_t stride = planted("gpu:other-stride") ? d - 1 : d;
        const Text extent = part(buffer->shape[stride], false);
        flat = {fmt::format("{} * {} + {}", at(flat, kProduct), at(extent, kUnary),
                            at(index, kProduct)),
                kSum};
    }
    const bool short_position = type == kInt32 && planted("gpu:narrow-positions");
    if (short_position) flat.text = "(u16)(" + flat.text + ")";
    return fmt::format("{}[{}]", named->c_name, flat.text);
}

CExpressions::Text CExpressions::load(Expr e) {
    const auto held =
        std::find_if(held_.begin(), held_.end(), [&](const auto& one) { return one.first == e; });
    const std::string text =
        held != held_.end() ? held->second : cell(e->buffer, {e->args.begin(), e->args.end()});
    if (e->type.is_bool()) return {text + " != 0", kEquality};
    return {text, kPrimary};
}

CExpressions::Text CExpressions::call(const std::string& function, Expr e) {
    std::string text = function + "_" + register_type(e->arg(0)->type) + "(";
    for (std::size_t i = 0; i < e->args.size(); ++i) {
        text += (i == 0 ? "" : ", ") + value(e->arg(i));
    }
    return {text + ")", kPrimary};
}

CExpressions::Text CExpressions::math(Expr e) {
    switch (e->math_fn()) {
        case MathFn::Abs:
            if (e->type.is_int() && !e->type.is_signed()) return expr(e->arg(0));
            return call("pv_abs", e);
        case MathFn::Sqrt: return call("pv_sqrt", e);
        case MathFn::Floor: return call("pv_floor", e);
        case MathFn::Ceil: return call("pv_ceil", e);
        case MathFn::Trunc: return call("pv_trunc", e);
        case MathFn::Round: return call("pv_round", e);
        case MathFn::IsNan: return call("pv_isnan", e);
        default: break;
    }
    // In float64, rounded once.
    PROVISO_CHECK(has_function(e->math_fn(), e->type), "a function that make_plan refuses");
    const Text x = widened(expr(e->arg(0)), e->type);
    const std::string result =
        fmt::format("{}((f64){})", function_name(e->math_fn()), at(x, kUnary));
    if (!is_small_float(e->type)) return {"(f32)" + result, kUnary};
    return {fmt::format("pv_{}_of_f64({})", register_type(e->type), result), kPrimary};
}

}  // namespace proviso::backend::gpu
