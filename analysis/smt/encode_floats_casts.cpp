// Floating-point arithmetic, the exact math functions, and casts between every two types.
#include <fmt/format.h>

#include "analysis/smt/encoder.h"
#include "analysis/smt/values.h"
#include "ir/domains/value.h"
#include "ir/planted.h"

namespace proviso::analysis::smt {

using ir::Expr;
using ir::Int128;
using ir::MathFn;
using ir::Op;
using ir::ScalarType;

std::string Encoder::encode_float(Expr e, const Args& a) {
    const auto negated = [&](const std::string& x) {
        return fmt::format("({} {})", float_op("neg", e->type), x);
    };
    if (e->op == Op::Neg) return negated(a[0]);
    if (e->op == Op::Add) {
        if (form_ == Form::FloatCodes) return opaque_float_sum(e->type, a[0], a[1]);
        return fmt::format("(fp.add RNE {} {})", a[0], a[1]);
    }
    if (e->op == Op::Sub) {
        if (form_ == Form::FloatCodes) return opaque_float_sum(e->type, a[0], negated(a[1]));
        return fmt::format("(fp.sub RNE {} {})", a[0], a[1]);
    }
    if (e->op == Op::Div) {
        if (form_ == Form::FloatCodes) return opaque_float_quotient(e->type, a[0], a[1]);
        return fmt::format("(fp.div RNE {} {})", a[0], a[1]);
    }
    if (e->op != Op::Mul) return no_encoding("an integer operator on floats", e->type);
    for (const std::size_t k : {0, 1}) {  // by one of either sign: exact
        const Expr factor = e->arg(k);
        if (form_ != Form::FloatCodes || factor->op != Op::FloatImm) continue;
        if (factor->float_value() == 1.0) return a[1 - k];
        if (factor->float_value() == -1.0) return negated(a[1 - k]);
    }
    const bool by_constant = ir::constant_value(e->arg(0)) || ir::constant_value(e->arg(1));
    if (form_ == Form::FloatCodes || (form_ == Form::Linearised && !by_constant)) {
        return opaque_float_product(e->type, a[0], a[1]);
    }
    return fmt::format("(fp.mul RNE {} {})", a[0], a[1]);
}

// Z3 4.8.12 rejects fp.roundToIntegral on bfloat16, whose significand is no longer than its
// exponent. There it rounds in float32, which has the same exponents: widening is exact, and so is
// the way back, for an integer next to a number of 8 significant bits has 8 significant bits.
std::string Encoder::round_to_integral(const char* mode, ScalarType type, const std::string& x) {
    if (type != ir::kBFloat16) return fmt::format("(fp.roundToIntegral {} {})", mode, x);
    return fmt::format("((_ to_fp 8 8) RNE (fp.roundToIntegral {} ((_ to_fp 8 24) RNE {})))", mode,
                       x);
}

std::string Encoder::encode_math(Expr e) {
    const ScalarType type = e->arg(0)->type;
    std::string x = named(term(e->arg(0)), sort(type));
    const bool rounds = e->math_fn() != MathFn::Abs && e->math_fn() != MathFn::IsNan;
    if (codes(type) && rounds) return no_encoding("a rounding of codes", e->type);
    switch (e->math_fn()) {
        case MathFn::Abs:
            if (type.is_float()) return fmt::format("({} {})", float_op("abs", type), x);
            if (type.is_exact_int()) return fmt::format("(ite (>= {} 0) {} (- {}))", x, x, x);
            if (!type.is_signed()) return x;
            return fmt::format("(ite (bvslt {} (_ bv0 {})) (bvneg {}) {})", x, type.bits, x, x);
        case MathFn::Sqrt: return fmt::format("(fp.sqrt RNE {})", x);
        case MathFn::Floor: return round_to_integral("RTN", type, x);
        case MathFn::Ceil: return round_to_integral("RTP", type, x);
        case MathFn::Trunc: return round_to_integral("RTZ", type, x);
        case MathFn::Round: return round_to_integral("RNE", type, x);
        case MathFn::IsNan: return fmt::format("({} {})", float_op("isNaN", type), x);
        default: return no_encoding("an inexact math function as an exact one", e->type);
    }
}

std::string Encoder::encode_cast(Expr e) {
    const ScalarType from = e->arg(0)->type;
    const ScalarType to = e->type;
    std::string x = term(e->arg(0));
    if (from == to) return x;
    if (codes(to) && !from.is_float()) {  // of which number is left open
        weaker_ = true;
        const auto [function, is_new] =
            functions_.emplace("cast " + from.str() + ":" + to.str(), "");
        if (is_new) {
            function->second = fmt::format("F{}", functions_.size() - 1);
            lines_.push_back(
                fmt::format("(declare-fun {} ({}) {})", function->second, sort_of(from), sort(to)));
        }
        const std::string text = fmt::format("({} {})", function->second, named(x, sort_of(from)));
        const bool is_first = names_.count(text) == 0;
        std::string name = named(text, sort(to));
        if (is_first) assert_code(name, to);
        return name;
    }
    if (codes(from) || codes(to)) return no_encoding("a cast of codes", to);
    if (to.is_bool()) {  // x != 0
        if (from.is_float()) return fmt::format("(not (fp.isZero {}))", x);
        if (from.is_exact_int()) return fmt::format("(not (= {} 0))", x);
        return fmt::format("(not (= {} (_ bv0 {})))", x, from.bits);
    }
    if (from.is_bool()) {
        const Expr one = to.is_float() ? ctx_.float_imm(to, 1.0) : ctx_.int_imm(to, 1);
        const Expr zero = to.is_float() ? ctx_.float_imm(to, 0.0) : ctx_.int_imm(to, 0);
        return fmt::format("(ite {} {} {})", x, constant_text(one), constant_text(zero));
    }
    if (to.is_float()) return cast_to_float(from, to, x);
    return to.is_exact_int() ? cast_to_exact(from, to, x) : cast_to_wrapping(from, to, x);
}

std::string Encoder::cast_to_float(ScalarType from, ScalarType to, const std::string& x) {
    const FloatFormat f = float_format(to);
    const std::string target = fmt::format("{} {}", f.exponent, f.significand);
    if (from.is_exact_int()) {
        return fmt::format("((_ to_fp {}) RNE (to_real {}))", target, x);
    }
    const char* function = from.is_int() && !from.is_signed() ? "to_fp_unsigned" : "to_fp";
    return fmt::format("((_ {} {}) RNE {})", function, target, x);
}

std::string Encoder::cast_to_wrapping(ScalarType from, ScalarType to, const std::string& x) {
    if (from.is_float()) {
        return fmt::format("((_ {} {}) RTZ {})", to.is_signed() ? "fp.to_sbv" : "fp.to_ubv",
                           to.bits, x);
    }
    if (from.is_exact_int()) return fmt::format("((_ int2bv {}) {})", to.bits, x);
    if (to.bits == from.bits) return x;
    if (to.bits < from.bits) return fmt::format("((_ extract {} 0) {})", to.bits - 1, x);
    return fmt::format("((_ {} {}) {})", from.is_signed() ? "sign_extend" : "zero_extend",
                       to.bits - from.bits, x);
}

std::string Encoder::cast_to_exact(ScalarType from, ScalarType to, const std::string& x) {
    if (from.is_exact_int()) {
        if (to.bits >= from.bits) return x;
        // (x + 2^(n-1)) mod 2^n - 2^(n-1)
        const std::string half = integer_text(Int128{1} << (to.bits - 1));
        const std::string shifted = named(fmt::format("(+ {} {})", x, half), "Int");
        return fmt::format("(- {} {})", mod_by(shifted, Int128{1} << to.bits), half);
    }
    if (from.is_float()) {
        return signed_value(fmt::format("((_ fp.to_sbv {}) RTZ {})", to.bits, x), to.bits);
    }
    const bool zero_extends = !from.is_signed() || ir::planted("encoder:widening-loses-sign");
    if (zero_extends && from.bits < to.bits) return fmt::format("(bv2nat {})", x);
    if (from.is_signed() && from.bits <= to.bits) return signed_value(x, from.bits);
    return signed_value(cast_to_wrapping(from, to, x), to.bits);
}

}  // namespace proviso::analysis::smt
