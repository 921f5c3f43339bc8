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
    if (style == InputStyle::Small || choice.chance(40)) {
        return Value::of_int(clamp(choice.between(-9, 9), lo, hi));
    }
    if (choice.chance(40)) return Value::of_int(choice.chance(50) ? lo : hi);
    const Int128 span = hi - lo + 1;
    return Value::of_int(lo + static_cast<Int128>(choice.next()) % span);
}

Value random_float(ScalarType type, InputStyle style, Choice& choice) {
    const auto small = static_cast<double>(choice.between(-8, 8));
    if (style == InputStyle::Small || choice.chance(20)) return Value::of_float(type, small);
    constexpr double inf = std::numeric_limits<double>::infinity();
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    static const std::vector<double> special = {nan,  nan,   inf,   -inf, 0.0,
                                                -0.0, 1e-41, -6e-8, 1e30, -65504.0};
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
        Tensor t = Tensor::filled(b->type, *shape, Value::indet());
        const bool finite = f.has_licence("finite(" + b->name + ")");
        for (std::size_t k = 0; k < t.size(); ++k) {
            Value cell = random_value(b->type, cells, style, choice);
            while (finite && cell.is_float() && !std::isfinite(cell.real())) {
                cell = random_value(b->type, cells, style, choice);
            }
            t.set(k, cell);
        }
        out[b->name] = std::move(t);
    }
    return out;
}

}  // namespace proviso::fuzz
