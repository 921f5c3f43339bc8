#include "ir/domains/value.h"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cmath>
#include <limits>

namespace proviso::ir {

Value Value::of_float(double value) {
    Value out;
    out.kind_ = Kind::Float;
    out.real_ = std::isnan(value) ? std::numeric_limits<double>::quiet_NaN() : value;
    return out;
}

bool Value::operator==(const Value& other) const {
    if (kind_ != other.kind_) return false;
    switch (kind_) {
        case Kind::Indet: return true;
        case Kind::Int: return integer_ == other.integer_;
        case Kind::Float:
            return std::bit_cast<std::uint64_t>(real_) == std::bit_cast<std::uint64_t>(other.real_);
    }
    return false;
}

std::string Value::str(ScalarType type) const {
    switch (kind_) {
        case Kind::Indet: return "indet";
        case Kind::Int:
            if (type.is_bool()) return truth() ? "True" : "False";
            return integer_.str();
        case Kind::Float: break;
    }
    if (std::isnan(real_)) return "nan";
    if (std::isinf(real_)) return real_ < 0 ? "-inf" : "inf";
    std::string text = fmt::format("{}", real_);
    if (text.find_first_of(".e") == std::string::npos) text += ".0";
    return text;
}

const char* fault_name(FaultKind kind) {
    switch (kind) {
        case FaultKind::None: return "no fault";
        case FaultKind::ZeroDivisor: return "zero divisor";
        case FaultKind::QuotientOutOfRange: return "quotient out of range";
        case FaultKind::OutOfRange: return "value observed out of range";
        case FaultKind::Shift: return "shift out of range";
        case FaultKind::Cast: return "cast of an unrepresentable float";
        case FaultKind::OutOfBounds: return "out of bounds";
        case FaultKind::IndetUse: return "use of an indeterminate value";
        case FaultKind::AssumeFalse: return "false assumption";
        case FaultKind::DataRace: return "data race";
        case FaultKind::Inaccessible: return "inaccessible cell";
        case FaultKind::IterOutOfDomain: return "block iterator out of its domain";
        case FaultKind::OutsideRegion: return "access outside of the block's regions";
        case FaultKind::UnsupportedCall: return "unsupported call";
        case FaultKind::StepLimit: return "step limit";
    }
    return "?";
}

std::string Fault::str() const {
    std::string out = message.empty() ? fault_name(kind) : message;
    if (!site.empty()) out += " at " + site;
    for (std::size_t i = 0; i < values.size(); ++i) {
        out += (i == 0 ? " where " : ", ") + values[i].first + " = " + values[i].second;
    }
    return out;
}

std::string describe_fault(const ExprNode& e, FaultKind kind, std::span<const Value> args) {
    std::string operation(op_info(e.op).name);
    if (e.op == Op::Math) operation = math_fn_info(e.math_fn()).name;
    if (e.op == Op::Load) operation = e.buffer->name;
    if (e.op == Op::CallExtern || e.op == Op::Let) operation = *e.name;
    std::string list;
    for (std::size_t i = 0; i < args.size() && i < e.args.size(); ++i) {
        if (i > 0) list += ", ";
        list += args[i].str(e.arg(i)->type);
    }
    const bool is_load = e.op == Op::Load;
    const ScalarType type = e.args.empty() || is_load ? e.type : e.arg(0)->type;
    std::string out = fmt::format("{}: {}{}{}{} on {}", fault_name(kind), operation,
                                  is_load ? '[' : '(', list, is_load ? ']' : ')', type.str());
    if (e.op == Op::Cast) out += " to " + e.type.str();
    return out;
}

std::optional<Value> constant_value(Expr e) {
    if (e->op == Op::IntImm) return Value::of_int(e->int_value());
    if (e->op == Op::FloatImm) return Value::of_float(e->float_value());
    return std::nullopt;
}

Expr constant_expr(Context& ctx, ScalarType type, const Value& value) {
    if (value.is_indet()) return nullptr;
    if (value.is_float()) return ctx.float_imm(type, value.real());
    if (!value.integer().in_range(type)) return nullptr;
    return ctx.int_imm(type, *value.integer().to_int128());
}

std::uint64_t Chooser::next() {
    state_ += 0x9e3779b97f4a7c15ULL;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
}

Value Chooser::choose(ScalarType type) {
    const std::uint64_t noise = next();
    if (type.is_bool()) return Value::of_bool((noise & 1) != 0);
    if (type.is_int()) {
        switch (noise % 8) {
            case 0: return Value::of_int(type.min_value());
            case 1: return Value::of_int(type.max_value());
            case 2: return Value::of_int(0);
            case 3: return Value::of_int(1);
            case 4: return Value::of_int(Integer(-1).wrap(type));
            default: return Value::of_int(Integer(static_cast<Int128>(next())).wrap(type));
        }
    }
    constexpr double inf = std::numeric_limits<double>::infinity();
    static constexpr std::array<double, 6> special = {
        std::numeric_limits<double>::quiet_NaN(), inf, -inf, -0.0, 0.0, -1.0};
    const std::uint64_t pick = noise % 10;
    if (pick < special.size()) return Value::of_float(special[pick]);
    const auto integral = static_cast<double>(static_cast<std::int64_t>(next() >> 40) - (1 << 23));
    return Value::of_float(type, integral / 64.0);
}

}  // namespace proviso::ir
