// Integer arithmetic: exact integers as Int, wrapping ones as bit-vectors.
//
// SMT's `div` and `mod` are Euclidean (the remainder is never negative), bvsdiv and bvsrem
// truncate; everything else is made from them here, case by case of the operands' signs.
#include <fmt/format.h>

#include "analysis/smt/encoder.h"
#include "analysis/smt/values.h"
#include "ir/planted.h"

namespace proviso::analysis::smt {

using ir::Expr;
using ir::Int128;
using ir::Op;

namespace {

std::string unary(const char* f, const std::string& x) {
    return fmt::format("({} {})", f, x);
}
std::string binary(const char* f, const std::string& x, const std::string& y) {
    return fmt::format("({} {} {})", f, x, y);
}
std::string ite(const std::string& c, const std::string& x, const std::string& y) {
    return fmt::format("(ite {} {} {})", c, x, y);
}
std::string minus(const std::string& x) {
    return unary("-", x);
}

// k when value = 2^k, else -1.
int log2_exact(Int128 value) {
    if (value <= 0 || (value & (value - 1)) != 0) return -1;
    int k = 0;
    while ((value >> k) != 1) ++k;
    return k;
}

}  // namespace

std::string Encoder::div_by(const std::string& x, Int128 c) {
    if (form_ == Form::Plain) return binary("div", x, integer_text(c));
    const std::string key = x + " by " + integer_text(c);
    const auto [at, is_new] = quotients_.emplace(key, std::pair<std::string, std::string>{});
    if (is_new) {
        const std::string a = named(x, "Int");
        const std::size_t n = quotients_.size() - 1;
        at->second = {fmt::format("q{}", n), fmt::format("r{}", n)};
        const auto& [q, r] = at->second;
        lines_.push_back(fmt::format("(declare-fun {} () Int)", q));
        lines_.push_back(fmt::format("(declare-fun {} () Int)", r));
        lines_.push_back(fmt::format("(assert (= {} (+ (* {} {}) {})))", a, integer_text(c), q, r));
        lines_.push_back(fmt::format("(assert (and (<= 0 {}) (< {} {})))", r, r, integer_text(c)));
    }
    return at->second.first;
}

std::string Encoder::mod_by(const std::string& x, Int128 c) {
    if (form_ == Form::Plain) return binary("mod", x, integer_text(c));
    div_by(x, c);
    return quotients_.at(x + " by " + integer_text(c)).second;
}

std::string Encoder::power_of_two(const std::string& exponent) {
    if (functions_.emplace("2**", "pow2").second) {
        std::string body = "1";
        for (int k = 63; k > 0; --k) {
            body = fmt::format("(ite (= n {}) {} {})", k, integer_text(Int128{1} << k), body);
        }
        lines_.push_back(fmt::format("(define-fun pow2 ((n Int)) Int {})", body));
    }
    return unary("pow2", exponent);
}

std::string Encoder::signed_value(const std::string& bits, int width) {
    const std::string b = named(bits, fmt::format("(_ BitVec {})", width));
    const std::string natural = fmt::format("(bv2nat {})", b);
    return ite(fmt::format("(bvslt {} (_ bv0 {}))", b, width),
               binary("-", natural, integer_text(Int128{1} << width)), natural);
}

std::string Encoder::encode_exact(Expr e, const Args& a) {
    if (ir::op_info(e->op).op_class == ir::OpClass::Bits) return encode_exact_bits(e, a);
    if (e->op == Op::Neg) return minus(a[0]);
    if (e->op == Op::Add) return binary("+", a[0], a[1]);
    if (e->op == Op::Sub) return binary("-", a[0], a[1]);
    if (e->op != Op::Mul) return encode_exact_division(e, a);
    const bool linear = ir::is_int_const(e->arg(0)) || ir::is_int_const(e->arg(1));
    if (form_ == Form::Plain || linear) return binary("*", a[0], a[1]);
    return opaque_product(a[0], a[1]);
}

std::string Encoder::encode_exact_division(Expr e, const Args& a) {
    const std::string x = named(a[0], "Int");
    const bool quotient = e->op == Op::FloorDiv || e->op == Op::TruncDiv;
    const bool floors =
        e->op == Op::FloorDiv || e->op == Op::FloorMod || ir::planted("encoder:truncation-floors");
    const Expr divisor = e->arg(1);
    if (ir::is_int_const(divisor) && divisor->int_value() != 0) {
        const Int128 d = divisor->int_value();
        const Int128 c = d < 0 ? -d : d;
        if (floors) {
            // floordiv(x, -c) = floordiv(-x, c), floormod(x, -c) = -floormod(-x, c).
            const bool flips = d < 0 && !ir::planted("encoder:negative-constant-divisor");
            const std::string y = flips ? named(minus(x), "Int") : x;
            if (quotient) return div_by(y, c);
            return d < 0 ? minus(mod_by(y, c)) : mod_by(y, c);
        }
        const std::string opposite = named(minus(x), "Int");
        const std::string non_negative = fmt::format("(>= {} 0)", x);
        if (!quotient) return ite(non_negative, mod_by(x, c), minus(mod_by(opposite, c)));
        const std::string up = d < 0 ? minus(div_by(x, c)) : div_by(x, c);
        const std::string down = d < 0 ? div_by(opposite, c) : minus(div_by(opposite, c));
        return ite(non_negative, up, down);
    }
    if (form_ != Form::Plain) return opaque_division(e, a[0], a[1]);
    const std::string y = named(a[1], "Int");
    const char* f = quotient ? "div" : "mod";
    if (floors && ir::planted("encoder:floordiv-euclidean")) return binary(f, x, y);
    if (floors) {
        const std::string flipped = binary(f, minus(x), minus(y));
        return ite(fmt::format("(< {} 0)", y), quotient ? flipped : minus(flipped),
                   binary(f, x, y));
    }
    // For x >= 0 Euclidean and truncating division agree, whatever the divisor's sign.
    return ite(fmt::format("(>= {} 0)", x), binary(f, x, y), minus(binary(f, minus(x), y)));
}

std::string Encoder::encode_exact_bits(Expr e, const Args& a) {
    const int width = e->type.bits;
    const Expr right = e->arg(1);
    if (e->op == Op::Shl || e->op == Op::Shr) {
        const bool left = e->op == Op::Shl;
        if (ir::is_int_const(right)) {
            const Int128 count = right->int_value();
            if (count <= 0 || count >= width) return a[0];  // by 0; or a fault, any value will do
            const Int128 factor = Int128{1} << count;
            return left ? binary("*", a[0], integer_text(factor)) : div_by(a[0], factor);
        }
        return binary(left ? "*" : "div", a[0], power_of_two(a[1]));
    }
    if (e->op == Op::BitAnd) {  // a mask of low bits is a remainder, for negative values too
        for (std::size_t i = 0; i < 2; ++i) {
            const Expr mask = e->arg(i);
            if (!ir::is_int_const(mask)) continue;
            const int k = log2_exact(mask->int_value() + 1);
            if (k >= 0 && k < width) return mod_by(a[1 - i], Int128{1} << k);
        }
    }
    if (form_ != Form::Plain) return bit_by_bit(e->op, a[0], a[1]);
    const char* f = e->op == Op::BitAnd ? "bvand" : e->op == Op::BitOr ? "bvor" : "bvxor";
    const std::string bits =
        named(binary(f, bits_of_exact(e->arg(0), a[0]), bits_of_exact(e->arg(1), a[1])),
              fmt::format("(_ BitVec {})", width));
    exact_bits_.emplace(e, bits);
    return signed_value(bits, width);
}

// The bits of an exact integer, of which `value` is the term. Bits that were read as a number are
// the same bits again.
std::string Encoder::bits_of_exact(Expr e, const std::string& value) const {
    const int width = e->type.bits;
    if (ir::is_int_const(e)) {
        const Int128 size = Int128{1} << width;
        const Int128 bits = ((e->int_value() % size) + size) % size;
        return fmt::format("(_ bv{} {})", integer_text(bits), width);
    }
    const auto known = exact_bits_.find(e);
    return known != exact_bits_.end() ? known->second
                                      : fmt::format("((_ int2bv {}) {})", width, value);
}

// A swizzle's operands are small: the result as a sum of powers of two, chosen by the remainders of
// the operands' halves, quarters and so on, which needs no conversion between Int and bits.
std::string Encoder::bit_by_bit(Op op, const std::string& x, const std::string& y) {
    constexpr int kWidth = 10;
    weaker_ = true;
    const char* name = op == Op::BitAnd ? "and_bits" : op == Op::BitOr ? "or_bits" : "xor_bits";
    if (functions_.emplace(name, name).second) {
        const char* chosen = op == Op::BitAnd  ? "(and (= {0} 1) (= {1} 1))"
                             : op == Op::BitOr ? "(or (= {0} 1) (= {1} 1))"
                                               : "(not (= {0} {1}))";
        std::string sum;
        for (int k = 0; k < kWidth; ++k) {
            const std::string power = integer_text(Int128{1} << k);
            sum += ' ' +
                   ite(fmt::format(fmt::runtime(chosen), fmt::format("(mod (div x {}) 2)", power),
                                   fmt::format("(mod (div y {}) 2)", power)),
                       power, "0");
        }
        lines_.push_back(fmt::format("(declare-fun {}_of_others (Int Int) Int)", name));
        lines_.push_back(
            fmt::format("(define-fun {0} ((x Int) (y Int)) Int (ite (and (<= 0 x) (< x {1}) (<= 0 "
                        "y) (< y {1})) "
                        "(+{2}) ({0}_of_others x y)))",
                        name, 1 << kWidth, sum));
    }
    return binary(name, x, y);
}

std::string Encoder::encode_wrapping(Expr e, const Args& a) {
    const bool is_signed = e->type.is_signed();
    if (e->op == Op::Neg) return unary("bvneg", a[0]);
    if (e->op == Op::Shr) {
        const bool logical = !is_signed || ir::planted("encoder:logical-shift");
        return binary(logical ? "bvlshr" : "bvashr", a[0], a[1]);
    }
    static const std::map<Op, const char*> names = {
        {Op::Add, "bvadd"},  {Op::Sub, "bvsub"},    {Op::Mul, "bvmul"}, {Op::BitAnd, "bvand"},
        {Op::BitOr, "bvor"}, {Op::BitXor, "bvxor"}, {Op::Shl, "bvshl"}};
    const auto name = names.find(e->op);
    if (name != names.end()) return binary(name->second, a[0], a[1]);
    return encode_wrapping_division(e, a);
}

std::string Encoder::encode_wrapping_division(Expr e, const Args& a) {
    const bool quotient = e->op == Op::FloorDiv || e->op == Op::TruncDiv;
    if (!e->type.is_signed()) return binary(quotient ? "bvudiv" : "bvurem", a[0], a[1]);
    if (e->op == Op::TruncDiv) return binary("bvsdiv", a[0], a[1]);
    if (e->op == Op::TruncMod) return binary("bvsrem", a[0], a[1]);
    if (e->op == Op::FloorMod) return binary("bvsmod", a[0], a[1]);  // sign of the divisor
    PROVISO_CHECK(e->op == Op::FloorDiv, "encode: no operator on wrapping integers");
    const int n = e->type.bits;
    const std::string sort = sort_of(e->type);
    const std::string x = named(a[0], sort);
    const std::string y = named(a[1], sort);
    const std::string q = named(binary("bvsdiv", x, y), sort);
    const std::string zero = fmt::format("(_ bv0 {})", n);
    const std::string inexact = fmt::format("(not (= (bvsrem {} {}) {}))", x, y, zero);
    const std::string signs_differ =
        fmt::format("(not (= (bvslt {} {}) (bvslt {} {})))", x, zero, y, zero);
    return ite(fmt::format("(and {} {})", inexact, signs_differ),
               fmt::format("(bvsub {} (_ bv1 {}))", q, n), q);
}

}  // namespace proviso::analysis::smt
