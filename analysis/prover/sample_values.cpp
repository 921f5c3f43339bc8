#include "analysis/prover/sample_values.h"

#include <limits>

namespace proviso::analysis {

using ir::Value;

namespace {

constexpr std::size_t kExtremes = 5;

// One of the first `kinds`: extremes, then constants. What is too large for the type is infinite.
double extreme(ir::ScalarType type, std::size_t kinds, const std::vector<double>& constants,
               SampleSource& source) {
    const std::uint64_t n = source.below(kinds);
    if (n >= kExtremes) return constants[n - kExtremes];
    using Double = std::numeric_limits<double>;
    using Single = std::numeric_limits<float>;
    double least = 0x1p-24;  // float16
    double most = 65504.0;
    if (type == ir::kFloat64) {
        least = Double::denorm_min();
        most = Double::max();
    } else if (type == ir::kFloat32) {
        least = Single::denorm_min();
        most = Single::max();
    } else if (type == ir::kBFloat16) {
        least = 0x1p-133;
        most = 0x1.fep+127;
    }
    const double few[kExtremes] = {least, -least, most, -most, 0.0};
    return few[n];
}

double any(SampleSource& source) {
    constexpr double inf = std::numeric_limits<double>::infinity();
    const double few[] = {0.0,   1.0,  -1.0,    -0.0,
                          2.0,   0.5,  3.0,     -2.5,
                          100.0, inf,  -inf,    std::numeric_limits<double>::quiet_NaN(),
                          0.1,   1e-7, 65504.0, 0x1p-24};
    return few[source.below(16)];
}

}  // namespace

Value sampled_float(ir::ScalarType type, SampledFloats which, const std::vector<double>& constants,
                    SampleSource& source) {
    double value = 0.0;
    switch (which) {
        case SampledFloats::Zero: break;
        case SampledFloats::Mixed: value = any(source); break;
        case SampledFloats::HalfZero: value = source.below(2) == 0 ? 0.0 : any(source); break;
        case SampledFloats::Tiny:
            value = source.below(2) == 0 ? -0.0 : extreme(type, 2, constants, source);
            break;
        case SampledFloats::Extremes:
            value = extreme(type, constants.size() + kExtremes, constants, source);
            break;
        case SampledFloats::NegativeZero: value = -0.0; break;
    }
    return Value::of_float(type, value);
}

}  // namespace proviso::analysis
