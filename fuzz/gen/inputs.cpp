#include "fuzz/gen/inputs.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "ir/domains/evaluate.h"

namespace proviso::fuzz {

using namespace ir;

namespace {

Int128 clamp(Int128 v, Int128 lo, Int128 hi) {
    return std::max(lo, std::min(v, hi));
}

bool is_of_one_value(InputStyle style) {
    return style == InputStyle::Same || style == InputStyle::Sparse;
}

Value random_int(ScalarType type, const CellRange& range, InputStyle style, Choice& choice) {
    if (style == InputStyle::Extreme && choice.chance(50)) {
        const Int128 near = choice.between(0, 2);
        return Value::of_int(choice.chance(50) ? type.max_value() - near : type.min_value() + near);
    }
    Int128 lo = std::max(range.lo, type.min_value());
    Int128 hi = std::min(range.hi, type.max_value());
    if (style == InputStyle::Extreme) {
        lo = type.min_value();
        hi = type.max_value();
    }
    if (is_of_one_value(style)) {
        return Value::of_int(choice.pick({clamp(0, lo, hi), clamp(1, lo, hi), lo, hi}));
    }
    const bool any = style == InputStyle::AnyExponent;
    if (style == InputStyle::Small || (!any && choice.chance(40))) {
        return Value::of_int(clamp(choice.between(-9, 9), lo, hi));
    }
    if (!any && choice.chance(40)) return Value::of_int(choice.chance(50) ? lo : hi);
    const Int128 span = hi - lo + 1;
    return Value::of_int(lo + static_cast<Int128>(choice.next()) % span);
}

// Of each size that the type has: exponents beyond its own give zeros and infinities.
Value of_any_exponent(ScalarType type, Choice& choice) {
    const std::int64_t least = type.bits == 64 ? -1080 : type == kFloat16 ? -26 : -152;
    const std::int64_t most = type.bits == 64 ? 1024 : type == kFloat16 ? 16 : 128;
    const double digits = 1.0 + static_cast<double>(choice.next() >> 12) * 0x1p-52;
    const double size = std::ldexp(digits, static_cast<int>(choice.between(least, most)));
    return Value::of_float(type, choice.chance(50) ? size : -size);
}

Value random_float(ScalarType type, InputStyle style, Choice& choice) {
    if (style == InputStyle::AnyExponent) return of_any_exponent(type, choice);
    const auto small = static_cast<double>(choice.between(-8, 8));
    if (style == InputStyle::Small || choice.chance(20)) return Value::of_float(type, small);
    constexpr double inf = std::numeric_limits<double>::infinity();
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    static const std::vector<double> special = {nan,  nan,   inf,   -inf, 0.0,
                                                -0.0, 1e-41, -6e-8, 1e30, -65504.0};
    if (is_of_one_value(style)) return Value::of_float(type, choice.pick(special));
    if (choice.chance(45)) return Value::of_float(type, choice.pick(special));
    return Value::of_float(type, static_cast<double>(choice.between(-100000, 100000)) / 7.0);
}

}  // namespace

Value random_value(ScalarType type, const CellRange& range, InputStyle style, Choice& choice) {
    if (type.is_bool()) return Value::of_bool(choice.chance(50));
    if (type.is_float()) return random_float(type, style, choice);
    return random_int(type, range, style, choice);
}

Result<std::vector<std::int64_t>> evaluate_shape(std::span<const Expr> shape, const Function& f,
                                                 const Inputs& inputs) {
    Environment env;
    for (Expr v : f.scalar_params()) {
        const auto found = inputs.find(*v->name);
        if (found == inputs.end()) return error("no input for " + *v->name);
        env.vars[v] = std::get<Value>(found->second);
    }
    std::vector<std::int64_t> out;
    for (Expr e : shape) {
        const Evaluation extent = evaluate(e, env);
        const bool fine = extent.ok() && extent.value.is_int() && extent.value.integer() >= 0 &&
                          extent.value.integer() < Integer(1 << 20);
        if (!fine) return error("an extent has no usable value");
        out.push_back(static_cast<std::int64_t>(*extent.value.integer().to_int128()));
    }
    return out;
}

namespace {

constexpr int kOthers = 12;  // percent of the cells of Sparse that differ

Tensor random_tensor(ScalarType type, const std::vector<std::int64_t>& shape,
                     const CellRange& range, InputStyle style, bool finite, Choice& choice) {
    const auto value = [&](InputStyle of) {
        Value cell = random_value(type, range, of, choice);
        while (finite && cell.is_float() && !std::isfinite(cell.real())) {
            cell = random_value(type, range, of, choice);
        }
        return cell;
    };
    Tensor out = Tensor::filled(type, shape, Value::indet());
    if (!is_of_one_value(style)) {
        for (std::size_t k = 0; k < out.size(); ++k) out.set(k, value(style));
        return out;
    }
    const Value one = value(style);
    for (std::size_t k = 0; k < out.size(); ++k) {
        const bool other = style == InputStyle::Sparse && choice.chance(kOthers);
        out.set(k, other ? value(InputStyle::Adversarial) : one);
    }
    return out;
}

}  // namespace

Result<Inputs> random_inputs(const Function& f, const std::map<std::string, CellRange>& ranges,
                             InputStyle style, Choice& choice) {
    Inputs out;
    for (Expr v : f.scalar_params()) {
        const std::string& name = *v->name;
        const Int128 lo = f.lower_bound(name).value_or(1);
        const Int128 hi = f.upper_bound(name).value_or(8);
        out[name] =
            random_value(v->type, CellRange{lo, hi},
                         style == InputStyle::Small ? style : InputStyle::Adversarial, choice);
    }
    for (Buffer b : f.buffer_params()) {
        const Result<std::vector<std::int64_t>> shape = evaluate_shape(b->shape, f, out);
        if (!shape) return shape.error();
        const auto range = ranges.find(b->name);
        const CellRange cells = range == ranges.end() ? CellRange{-100, 100} : range->second;
        const bool finite = f.has_licence("finite(" + b->name + ")");
        out[b->name] = random_tensor(b->type, *shape, cells, style, finite, choice);
    }
    return out;
}

}  // namespace proviso::fuzz
