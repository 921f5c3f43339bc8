#include "backend/gpu/llvm/llvm_functions.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/Module.h>

#include <initializer_list>
#include <limits>

#include "backend/gpu/text/functions.h"
#include "ir/check.h"

namespace proviso::backend::gpu {

using llvm::Value;

namespace {

// A float64 in the making. Each operation is one instruction, rounded once.
struct Double {
    llvm::IRBuilder<>* b;
    Value* value;

    Double number(double x) const { return {b, llvm::ConstantFP::get(b->getDoubleTy(), x)}; }
};

Double operator+(Double x, Double y) {
    return {x.b, x.b->CreateFAdd(x.value, y.value)};
}
Double operator-(Double x, Double y) {
    return {x.b, x.b->CreateFSub(x.value, y.value)};
}
Double operator*(Double x, Double y) {
    return {x.b, x.b->CreateFMul(x.value, y.value)};
}
Double operator/(Double x, Double y) {
    return {x.b, x.b->CreateFDiv(x.value, y.value)};
}
Double operator+(double x, Double y) {
    return y.number(x) + y;
}
Double operator-(double x, Double y) {
    return y.number(x) - y;
}
Double operator*(double x, Double y) {
    return y.number(x) * y;
}
Double operator/(double x, Double y) {
    return y.number(x) / y;
}
Double operator-(Double x) {
    return {x.b, x.b->CreateFNeg(x.value)};
}
Value* operator<(Double x, double y) {
    return x.b->CreateFCmpOLT(x.value, x.number(y).value);
}
Value* operator>(Double x, double y) {
    return x.b->CreateFCmpOGT(x.value, x.number(y).value);
}
Value* is(Double x, double y) {
    return x.b->CreateFCmpOEQ(x.value, x.number(y).value);
}
Value* is_nan(Double x) {
    return x.b->CreateFCmpUNO(x.value, x.value);
}
Double choose(Value* condition, Double x, Double y) {
    return {x.b, x.b->CreateSelect(condition, x.value, y.value)};
}
Double choose(Value* condition, double x, Double y) {
    return choose(condition, y.number(x), y);
}
Double unary(llvm::Intrinsic::ID id, Double x) {
    return {x.b, x.b->CreateUnaryIntrinsic(id, x.value)};
}
Double of_bits(llvm::IRBuilder<>& b, Value* bits) {
    return {&b, b.CreateBitCast(bits, b.getDoubleTy())};
}

// By Horner's rule, from the highest power: next + x p.
Double series(Double x, std::initializer_list<double> coefficients) {
    Double out = x.number(*coefficients.begin());
    for (const double* c = coefficients.begin() + 1; c != coefficients.end(); ++c) {
        out = *c + x * out;
    }
    return out;
}

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

// What functions_text() says of each, line by line; there is why. Arms that are not taken may
// compute anything.
Double exp_near(Double x, Double low, Double k) {
    llvm::IRBuilder<>& b = *x.b;
    const Double p = series(x, {1.6059043836821613e-10, 2.08767569878681e-09, 2.505210838544172e-08,
                                2.755731922398589e-07, 2.7557319223985893e-06, 2.48015873015873e-05,
                                0.0001984126984126984, 0.001388888888888889, 0.008333333333333333,
                                0.041666666666666664, 0.16666666666666666});
    const Double square = x * x;
    const Double rest = 0.5 * square + (x * square) * p + (low + x * low);
    const Double sum = 1.0 + x;
    const Double lost = x - (sum - x.number(1.0));
    Value* exponent = b.CreateAdd(b.getInt32(1023), b.CreateFPToSI(k.value, b.getInt32Ty()));
    Value* bits = b.CreateShl(b.CreateSExt(exponent, b.getInt64Ty()), b.getInt64(52));
    return (sum + (lost + rest)) * of_bits(b, bits);
}

Double limited(Double x, double limit, Double result) {
    return choose(is_nan(x), x, choose(x > limit, kInfinity, choose(x < -limit, 0.0, result)));
}

Double exp(Double x) {
    const Double k = unary(llvm::Intrinsic::roundeven, x * x.number(1.4426950408889634));
    const Double high = x - k * x.number(0.6931471805582987);
    const Double more = k * x.number(1.6465949582897082e-12);
    const Double sum = high - more;
    return limited(x, 700.0, exp_near(sum, (high - sum) - more, k));
}

Double exp2(Double x) {
    const Double k = unary(llvm::Intrinsic::roundeven, x);
    const Double r = x - k;
    const Double high = r * x.number(0.6931471787393093);
    const Double more = r * x.number(1.8206359985041462e-09);
    const Double sum = high + more;
    return limited(x, 1000.0, exp_near(sum, more - (sum - high), k));
}

Double log_rest(Double f, Double halved) {
    const Double s = f / (2.0 + f);
    const Double z = s * s;
    const Double r = series(
        z, {0.08, 0.08695652173913043, 0.09523809523809523, 0.10526315789473684,
            0.11764705882352941, 0.13333333333333333, 0.15384615384615385, 0.18181818181818182,
            0.2222222222222222, 0.2857142857142857, 0.4, 0.6666666666666666});
    return s * (halved + z * r);
}

// x = (1 + f) 2^k.
struct Parts {
    Double k;
    Double f;
    Double halved;
};

Parts parts_of(Double x) {
    llvm::IRBuilder<>& b = *x.b;
    Value* bits =
        b.CreateAdd(b.CreateBitCast(x.value, b.getInt64Ty()), b.getInt64(0x95f6200000000));
    Value* k = b.CreateSub(b.CreateTrunc(b.CreateLShr(bits, b.getInt64(52)), b.getInt32Ty()),
                           b.getInt32(1023));
    Value* fraction =
        b.CreateAdd(b.CreateAnd(bits, b.getInt64(0xfffffffffffff)), b.getInt64(0x3fe6a09e00000000));
    const Double f = of_bits(b, fraction) - x.number(1.0);
    return {{&b, b.CreateSIToFP(k, b.getDoubleTy())}, f, 0.5 * (f * f)};
}

Double of_positive(Double x, Double result) {
    Value* outside = x.b->CreateOr(is_nan(x), x < 0.0);
    return choose(outside, kNan, choose(is(x, 0.0), -kInfinity, choose(x > 1e300, x, result)));
}

Double log(Double x) {
    const Parts p = parts_of(x);
    const Double low = p.k * x.number(1.6465949582897082e-12);
    const Double high = p.k * x.number(0.6931471805582987);
    const Double sum = high + p.f;
    const Double lost = choose(is(p.k, 0.0), 0.0, p.f - (sum - high));
    return of_positive(x, sum - ((p.halved - (log_rest(p.f, p.halved) + low)) - lost));
}

Double log2(Double x) {
    const Parts p = parts_of(x);
    const Double rest = p.halved - log_rest(p.f, p.halved);
    const Double high = p.f * x.number(1.4426950365304947);
    const Double low = p.f * x.number(4.3584687174185184e-09) - rest * x.number(1.4426950408889634);
    const Double sum = p.k + high;
    const Double lost = choose(is(p.k, 0.0), 0.0, high - (sum - p.k));
    return of_positive(x, sum + (lost + low));
}

Double tanh(Double x) {
    const Double a = unary(llvm::Intrinsic::fabs, x);
    const Double y = 2.0 * a;
    const Double p =
        series(y, {1.1470745597729725e-11, 1.6059043836821613e-10, 2.08767569878681e-09,
                   2.505210838544172e-08, 2.755731922398589e-07, 2.7557319223985893e-06,
                   2.48015873015873e-05, 0.0001984126984126984, 0.001388888888888889,
                   0.008333333333333333, 0.041666666666666664, 0.16666666666666666, 0.5});
    const Double e = y + (y * y) * p;
    const Double near = e / (2.0 + e);
    const Double far = 1.0 - 2.0 / (exp(y) + x.number(1.0));
    const Double t = choose(a < 0.2, near, choose(a < 22.0, far, x.number(1.0)));
    Value* itself = x.b->CreateOr(is_nan(x), is(x, 0.0));
    return choose(itself, x, choose(x < 0.0, -t, t));
}

Double body(ir::MathFn fn, Double x) {
    switch (fn) {
        case ir::MathFn::Exp: return exp(x);
        case ir::MathFn::Exp2: return exp2(x);
        case ir::MathFn::Log: return log(x);
        case ir::MathFn::Log2: return log2(x);
        case ir::MathFn::Tanh: return tanh(x);
        default: PROVISO_CHECK(false, "kernels have no " + function_name(fn));
    }
}

}  // namespace

llvm::Function* llvm_function(llvm::Module& module, ir::MathFn fn) {
    const std::string name = function_name(fn);
    if (llvm::Function* found = module.getFunction(name)) return found;
    llvm::IRBuilder<> b(module.getContext());
    auto* const type = llvm::FunctionType::get(b.getDoubleTy(), {b.getDoubleTy()}, false);
    auto* const out = llvm::Function::Create(type, llvm::Function::InternalLinkage, name, module);
    out->addFnAttr(llvm::Attribute::NoUnwind);
    out->addFnAttr(llvm::Attribute::WillReturn);
    out->setMemoryEffects(llvm::MemoryEffects::none());
    b.SetInsertPoint(llvm::BasicBlock::Create(module.getContext(), "entry", out));
    b.CreateRet(body(fn, Double{&b, out->getArg(0)}).value);
    return out;
}

}  // namespace proviso::backend::gpu
