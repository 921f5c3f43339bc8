// Arithmetic, comparison and bit operators.
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>

#include <bit>

#include "backend/cpu/emitter.h"
#include "ir/check.h"
#include "ir/planted.h"

namespace proviso::backend {

using namespace ir;
using llvm::Value;

// True when the machine's value of `e` (computed modulo 2^bits) surely is its mathematical value:
// no ring operation, or one that is known to stay in range.
bool Emitter::machine_value_is_exact(Expr e) const {
    if (!e->type.is_exact_int()) return true;
    switch (e->op) {
        case Op::Add:
        case Op::Sub:
        case Op::Mul:
        case Op::Neg: return options_.no_signed_wrap.count(e) != 0;
        case Op::Shl:
        case Op::Math: return false;  // abs of the smallest value
        case Op::Select:
        case Op::IfThenElse:
            return machine_value_is_exact(e->arg(1)) && machine_value_is_exact(e->arg(2));
        case Op::Let: return machine_value_is_exact(e->arg(1));
        default: return true;  // observed, hence in range
    }
}

// `nsw` needs more than a result in range: (MAX + 1) + (-1) is in range, and yet the machine adds
// MIN and -1. The operands' machine values must be exact, too.
bool Emitter::never_wraps(Expr e) const {
    if (options_.guarded) return false;
    if (!e->type.is_exact_int() || options_.no_signed_wrap.count(e) == 0) return false;
    for (Expr a : e->args) {
        if (!machine_value_is_exact(a)) return false;
    }
    return true;
}

Value* Emitter::neg(Expr e) {
    Value* x = expr(e->arg(0));
    if (!e->type.is_float()) {
        return b_.CreateNeg(x, "", never_wraps(e));
    }
    if (e->type.bits == 16) return b_.CreateXor(x, b_.getInt16(0x8000));
    return b_.CreateFNeg(x);
}

Value* Emitter::ring(Expr e) {
    Value* x = expr(e->arg(0));
    Value* y = expr(e->arg(1));
    const bool may_fuse =
        e->op == Op::Add && e->type.is_float() && e->type.bits > 16 && e->arg(0)->op == Op::Mul;
    if (may_fuse && planted("codegen:fused-multiply-add")) {
        Value* a = expr(e->arg(0)->arg(0));
        Value* b = expr(e->arg(0)->arg(1));
        return b_.CreateIntrinsic(llvm::Intrinsic::fma, {x->getType()}, {a, b, y});
    }
    if (e->type.is_float()) return float_binary(e->op, e->type, x, y);
    const bool nsw = never_wraps(e);
    switch (e->op) {
        case Op::Add: return b_.CreateAdd(x, y, "", false, nsw);
        case Op::Sub: return b_.CreateSub(x, y, "", false, nsw);
        case Op::Mul: return b_.CreateMul(x, y, "", false, nsw);
        default: break;
    }
    PROVISO_CHECK(false, "not a ring operator");
}

// The result of an operation that may be fused with another one, where the function allows it. No
// other leave is given: neither to re-associate, nor to take zeros for one.
Value* Emitter::fusible(Value* value) {
    auto* operation = llvm::dyn_cast<llvm::Instruction>(value);
    if (contract_ && operation != nullptr) operation->setHasAllowContract(true);
    return value;
}

Value* Emitter::float_binary(Op op, ScalarType type, Value* a, Value* b) {
    Value* x = widen(a, type);
    Value* y = widen(b, type);
    switch (op) {
        case Op::Add: return narrow(fusible(b_.CreateFAdd(x, y)), type);
        case Op::Sub: return narrow(fusible(b_.CreateFSub(x, y)), type);
        case Op::Mul: return narrow(fusible(b_.CreateFMul(x, y)), type);
        case Op::Div: return narrow(b_.CreateFDiv(x, y), type);
        default: break;
    }
    PROVISO_CHECK(false, "not an operator of floats");
}

Value* Emitter::division(Expr e) {
    Value* x = expr(e->arg(0));
    Value* y = expr(e->arg(1));
    if (no_quotient_ != nullptr) {
        y = divisor_that_fits(e, x, y);
    } else {
        guard_division(e, x, y);
    }
    const bool quotient = e->op == Op::FloorDiv || e->op == Op::TruncDiv;
    if (!e->type.is_signed()) return quotient ? b_.CreateUDiv(x, y) : b_.CreateURem(x, y);
    if (e->op == Op::TruncDiv) return b_.CreateSDiv(x, y);
    if (e->op == Op::TruncMod) return b_.CreateSRem(x, y);
    if (planted("codegen:floordiv-truncates")) {
        return quotient ? b_.CreateSDiv(x, y) : b_.CreateSRem(x, y);
    }
    return floor_division(e, x, y);
}

// Whether the machine would trap: by zero, and the smallest value by -1.
Value* Emitter::has_no_quotient(Expr e, Value* x, Value* y) {
    llvm::Type* type = x->getType();
    Value* traps = b_.CreateICmpEQ(y, llvm::ConstantInt::get(type, 0));
    if (e->type.is_signed()) {
        const auto smallest = llvm::APInt::getSignedMinValue(e->type.bits);
        Value* overflows = b_.CreateAnd(b_.CreateICmpEQ(x, llvm::ConstantInt::get(type, smallest)),
                                        b_.CreateICmpEQ(y, llvm::ConstantInt::getSigned(type, -1)));
        traps = b_.CreateOr(traps, overflows);
    }
    return traps;
}

// The divisor, or 1 where the machine would trap.
Value* Emitter::divisor_that_fits(Expr e, Value* x, Value* y) {
    Value* traps = has_no_quotient(e, x, y);
    Value* before = b_.CreateLoad(b_.getInt1Ty(), no_quotient_);
    b_.CreateStore(b_.CreateOr(before, traps), no_quotient_);
    return b_.CreateSelect(traps, llvm::ConstantInt::get(x->getType(), 1), y);
}

// Floor from truncation: where the remainder is not zero and has the other sign than the divisor,
// the quotient is one less and the remainder one divisor more. A positive constant divisor shortens
// the test, a power of two is a shift or a mask.
Value* Emitter::floor_division(Expr e, Value* x, Value* y) {
    const bool quotient = e->op == Op::FloorDiv;
    llvm::Type* type = x->getType();
    Value* zero = llvm::ConstantInt::get(type, 0);
    const auto* divisor = llvm::dyn_cast<llvm::ConstantInt>(y);
    const bool positive = divisor != nullptr && divisor->getSExtValue() > 0;
    if (positive && divisor->getValue().isPowerOf2()) {
        const auto log2 = static_cast<std::uint64_t>(divisor->getValue().logBase2());
        if (quotient) return b_.CreateAShr(x, log2);
        return b_.CreateAnd(x, llvm::ConstantInt::get(type, divisor->getValue() - 1));
    }
    Value* remainder = b_.CreateSRem(x, y);
    Value* adjust = nullptr;
    if (positive) {
        adjust = b_.CreateICmpSLT(remainder, zero);
    } else {
        Value* other_sign = b_.CreateICmpSLT(b_.CreateXor(remainder, y), zero);
        adjust = b_.CreateAnd(b_.CreateICmpNE(remainder, zero), other_sign);
    }
    if (!quotient) return b_.CreateSelect(adjust, b_.CreateAdd(remainder, y), remainder);
    return b_.CreateSub(b_.CreateSDiv(x, y), b_.CreateZExt(adjust, type));
}

Value* Emitter::compare(Op op, ScalarType type, Value* a, Value* b) {
    if (type.is_float()) {
        Value* x = widen(a, type);
        Value* y = widen(b, type);
        switch (op) {
            case Op::Eq: return b_.CreateFCmpOEQ(x, y);
            case Op::Ne:
                if (planted("codegen:ordered-not-equal")) return b_.CreateFCmpONE(x, y);
                return b_.CreateFCmpUNE(x, y);
            case Op::Lt: return b_.CreateFCmpOLT(x, y);
            case Op::Le: return b_.CreateFCmpOLE(x, y);
            default: break;
        }
    } else {
        switch (op) {
            case Op::Eq: return b_.CreateICmpEQ(a, b);
            case Op::Ne: return b_.CreateICmpNE(a, b);
            case Op::Lt:
                if (planted("codegen:signed-order")) return b_.CreateICmpSLT(a, b);
                return type.is_signed() ? b_.CreateICmpSLT(a, b) : b_.CreateICmpULT(a, b);
            case Op::Le: return type.is_signed() ? b_.CreateICmpSLE(a, b) : b_.CreateICmpULE(a, b);
            default: break;
        }
    }
    PROVISO_CHECK(false, "not a comparison");
}

Value* Emitter::comparison(Expr e) {
    Value* x = expr(e->arg(0));
    Value* y = expr(e->arg(1));
    return compare(e->op, e->arg(0)->type, x, y);
}

// Min: y < x ? y : x. Max: x < y ? y : x. The order decides what NaN and the zeros give (ir/op.h).
Value* Emitter::min_max(Expr e) {
    Value* x = expr(e->arg(0));
    Value* y = expr(e->arg(1));
    Value* take_y =
        e->op == Op::Min ? compare(Op::Lt, e->type, y, x) : compare(Op::Lt, e->type, x, y);
    if (planted("codegen:min-of-nan")) {  // as C's fmin and fmax: a number rather than NaN
        Value* x_is_nan = compare(Op::Ne, e->type, x, x);
        take_y = e->type.is_float() ? b_.CreateOr(take_y, x_is_nan) : take_y;
    }
    return b_.CreateSelect(take_y, y, x);
}

Value* Emitter::bits(Expr e) {
    Value* x = expr(e->arg(0));
    Value* y = expr(e->arg(1));
    switch (e->op) {
        case Op::BitAnd: return b_.CreateAnd(x, y);
        case Op::BitOr: return b_.CreateOr(x, y);
        case Op::BitXor: return b_.CreateXor(x, y);
        case Op::Shl: return b_.CreateShl(x, y);
        case Op::Shr:
            if (planted("codegen:logical-shift")) return b_.CreateLShr(x, y);
            return e->type.is_signed() ? b_.CreateAShr(x, y) : b_.CreateLShr(x, y);
        default: break;
    }
    PROVISO_CHECK(false, "not a bit operator");
}

}  // namespace proviso::backend
