#include "backend/gpu/text/functions.h"

namespace proviso::backend::gpu {

using namespace ir;

bool has_function(MathFn fn, ScalarType type) {
    if (math_fn_info(fn).exact) return true;
    if (!type.is_float() || type == kFloat64) return false;
    return fn == MathFn::Exp || fn == MathFn::Exp2 || fn == MathFn::Log || fn == MathFn::Log2 ||
           fn == MathFn::Tanh || fn == MathFn::Sigmoid;
}

std::string function_name(MathFn fn) {
    return "pv_" + std::string(math_fn_info(fn).name);
}

std::string functions_text() {
    return R"(
// exp(high + low) * 2^k, where |high| < 0.35, low is below its last place and |k| <= 1000: the
// series up to x^13, the sum of its first two terms without loss.
PV_INLINE f64 pv_exp_near(f64 high, f64 low, i32 k) {
    const f64 x = high;
    f64 p = 1.6059043836821613e-10;
    p = 2.08767569878681e-09 + pv_mul_f64(x, p);
    p = 2.505210838544172e-08 + pv_mul_f64(x, p);
    p = 2.755731922398589e-07 + pv_mul_f64(x, p);
    p = 2.7557319223985893e-06 + pv_mul_f64(x, p);
    p = 2.48015873015873e-05 + pv_mul_f64(x, p);
    p = 0.0001984126984126984 + pv_mul_f64(x, p);
    p = 0.001388888888888889 + pv_mul_f64(x, p);
    p = 0.008333333333333333 + pv_mul_f64(x, p);
    p = 0.041666666666666664 + pv_mul_f64(x, p);
    p = 0.16666666666666666 + pv_mul_f64(x, p);
    const f64 square = pv_mul_f64(x, x);
    const f64 cubic = pv_mul_f64(pv_mul_f64(x, square), p);
    const f64 rest = pv_mul_f64(0.5, square) + cubic + (low + pv_mul_f64(x, low));
    const f64 sum = 1.0 + x;
    const f64 lost = x - (sum - 1.0);
    return pv_mul_f64(sum + (lost + rest), pv_f64_of_bits((u64)(1023 + k) << 52));
}
// x - k ln 2; the high part of ln 2 has 36 bits, so that its products with k are exact.
PV_INLINE f64 pv_exp(f64 x) {
    if (x != x) return x;
    if (x > 700.0) return pv_f64_of_bits((u64)0x7ff0000000000000);
    if (x < -700.0) return 0.0;
    const f64 k = pv_round_f64(pv_mul_f64(x, 1.4426950408889634));
    const f64 high = x - pv_mul_f64(k, 0.6931471805582987);
    const f64 more = pv_mul_f64(k, 1.6465949582897082e-12);
    const f64 sum = high - more;
    return pv_exp_near(sum, (high - sum) - more, (i32)k);
}
PV_INLINE f64 pv_exp2(f64 x) {
    if (x != x) return x;
    if (x > 1000.0) return pv_f64_of_bits((u64)0x7ff0000000000000);
    if (x < -1000.0) return 0.0;
    const f64 k = pv_round_f64(x);
    const f64 r = x - k;
    const f64 high = pv_mul_f64(r, 0.6931471787393093);
    const f64 more = pv_mul_f64(r, 1.8206359985041462e-09);
    const f64 sum = high + more;
    return pv_exp_near(sum, more - (sum - high), (i32)k);
}
// s (f^2 / 2 + 2/3 s^2 + 2/5 s^4 + ...), s = f / (2 + f): what makes f - f^2 / 2 the logarithm of
// 1 + f (as in Sun's fdlibm).
PV_INLINE f64 pv_log_rest(f64 f, f64 halved) {
    const f64 s = pv_div_f64(f, 2.0 + f);
    const f64 z = pv_mul_f64(s, s);
    f64 r = 0.08;
    r = 0.08695652173913043 + pv_mul_f64(z, r);
    r = 0.09523809523809523 + pv_mul_f64(z, r);
    r = 0.10526315789473684 + pv_mul_f64(z, r);
    r = 0.11764705882352941 + pv_mul_f64(z, r);
    r = 0.13333333333333333 + pv_mul_f64(z, r);
    r = 0.15384615384615385 + pv_mul_f64(z, r);
    r = 0.18181818181818182 + pv_mul_f64(z, r);
    r = 0.2222222222222222 + pv_mul_f64(z, r);
    r = 0.2857142857142857 + pv_mul_f64(z, r);
    r = 0.4 + pv_mul_f64(z, r);
    r = 0.6666666666666666 + pv_mul_f64(z, r);
    return pv_mul_f64(s, halved + pv_mul_f64(z, r));
}
// Of x = (1 + f) 2^k with 1 + f in [0.707, 1.414]. f has the 24 bits of a float32, so f^2 is exact.
PV_INLINE f64 pv_log(f64 x) {
    if (x != x || x < 0.0) return pv_f64_of_bits((u64)0x7ff8000000000000);
    if (x == 0.0) return pv_f64_of_bits((u64)0xfff0000000000000);
    if (x > 1e300) return x;
    const u64 bits = pv_bits_of_f64(x) + (u64)0x95f6200000000;
    const i32 k = (i32)(bits >> 52) - 1023;
    const f64 f = pv_f64_of_bits((bits & (u64)0xfffffffffffff) + (u64)0x3fe6a09e00000000) - 1.0;
    const f64 halved = pv_mul_f64(0.5, pv_mul_f64(f, f));
    const f64 low = pv_mul_f64((f64)k, 1.6465949582897082e-12);
    const f64 high = pv_mul_f64((f64)k, 0.6931471805582987);
    const f64 sum = high + f;
    const f64 lost = k == 0 ? 0.0 : f - (sum - high);
    return sum - ((halved - (pv_log_rest(f, halved) + low)) - lost);
}
PV_INLINE f64 pv_log2(f64 x) {
    if (x != x || x < 0.0) return pv_f64_of_bits((u64)0x7ff8000000000000);
    if (x == 0.0) return pv_f64_of_bits((u64)0xfff0000000000000);
    if (x > 1e300) return x;
    const u64 bits = pv_bits_of_f64(x) + (u64)0x95f6200000000;
    const i32 k = (i32)(bits >> 52) - 1023;
    const f64 f = pv_f64_of_bits((bits & (u64)0xfffffffffffff) + (u64)0x3fe6a09e00000000) - 1.0;
    const f64 halved = pv_mul_f64(0.5, pv_mul_f64(f, f));
    const f64 rest = halved - pv_log_rest(f, halved);  // log(1 + f) = f - rest
    const f64 high = pv_mul_f64(f, 1.4426950365304947);
    const f64 low = pv_mul_f64(f, 4.3584687174185184e-09) - pv_mul_f64(rest, 1.4426950408889634);
    const f64 a = (f64)k;
    const f64 sum = a + high;
    const f64 lost = k == 0 ? 0.0 : high - (sum - a);
    return sum + (lost + low);
}
PV_INLINE f64 pv_sigmoid(f64 x) { return pv_div_f64(1.0, 1.0 + pv_exp(-x)); }
// expm1(2a) / (2 + expm1(2a)) by the series, or 1 - 2 / (exp(2a) + 1).
PV_INLINE f64 pv_tanh(f64 x) {
    if (x != x || x == 0.0) return x;
    const f64 a = pv_abs_f64(x);
    f64 t = 1.0;
    if (a < 0.2) {
        const f64 y = 2.0 * a;
        f64 p = 1.1470745597729725e-11;
        p = 1.6059043836821613e-10 + pv_mul_f64(y, p);
        p = 2.08767569878681e-09 + pv_mul_f64(y, p);
        p = 2.505210838544172e-08 + pv_mul_f64(y, p);
        p = 2.755731922398589e-07 + pv_mul_f64(y, p);
        p = 2.7557319223985893e-06 + pv_mul_f64(y, p);
        p = 2.48015873015873e-05 + pv_mul_f64(y, p);
        p = 0.0001984126984126984 + pv_mul_f64(y, p);
        p = 0.001388888888888889 + pv_mul_f64(y, p);
        p = 0.008333333333333333 + pv_mul_f64(y, p);
        p = 0.041666666666666664 + pv_mul_f64(y, p);
        p = 0.16666666666666666 + pv_mul_f64(y, p);
        p = 0.5 + pv_mul_f64(y, p);
        const f64 e = y + pv_mul_f64(pv_mul_f64(y, y), p);
        t = pv_div_f64(e, 2.0 + e);
    } else if (a < 22.0) {
        t = 1.0 - pv_div_f64(2.0, pv_exp(2.0 * a) + 1.0);
    }
    return x < 0.0 ? -t : t;
}
)";
}

}  // namespace proviso::backend::gpu
