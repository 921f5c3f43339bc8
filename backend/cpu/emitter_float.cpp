// Casts, and the 16-bit float formats, which compute in float32.
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/Module.h>

#include "backend/cpu/emitter.h"
#include "backend/cpu/small_float.h"
#include "ir/check.h"
#include "ir/planted.h"

namespace proviso::backend {

using namespace ir;
using llvm::Value;

namespace {

SmallFormat small_format(ScalarType type) {
    return type == kFloat16 ? SmallFormat::Float16 : SmallFormat::BFloat16;
}

bool is_small(ScalarType type) {
    return type.is_float() && type.bits == 16;
}

}  // namespace

Value* Emitter::widen(Value* value, ScalarType type) {
    if (!is_small(type)) return value;
    return b_.CreateCall(widen_function(module_, small_format(type)), {value});
}

Value* Emitter::narrow(Value* value, ScalarType type) {
    if (!is_small(type)) return value;
    return b_.CreateCall(narrow_function(module_, small_format(type)), {value});
}

Value* Emitter::cast(Expr e) {
    const ScalarType from = e->arg(0)->type;
    const ScalarType to = e->type;
    Value* x = expr(e->arg(0));
    if (from == to) return x;
    if (to.is_bool()) {
        if (!from.is_float()) return b_.CreateIsNotNull(x);
        Value* wide = widen(x, from);
        return b_.CreateFCmpUNE(wide, llvm::ConstantFP::get(wide->getType(), 0.0));
    }
    if (from.is_float()) {
        return to.is_float() ? float_to_float(x, from, to) : float_to_int(x, from, to);
    }
    if (to.is_float()) return int_to_float(x, from, to);
    const bool sign_extends = from.is_signed() && !planted("codegen:zero-extends");
    return b_.CreateIntCast(x, register_type(to), sign_extends);
}

// To 16 bits by way of double, which holds every integer of up to 53 bits; a longer one first gets
// its low 12 bits folded into a sticky bit, so that the last rounding sees the right side of a tie.
Value* Emitter::int_to_float(Value* value, ScalarType from, ScalarType to) {
    if (!is_small(to)) {
        return from.is_signed() ? b_.CreateSIToFP(value, register_type(to))
                                : b_.CreateUIToFP(value, register_type(to));
    }
    llvm::Type* wide = b_.getDoubleTy();
    llvm::Function* round = narrow64_function(module_, small_format(to));
    if (from.bits < 64) {
        Value* exact =
            from.is_signed() ? b_.CreateSIToFP(value, wide) : b_.CreateUIToFP(value, wide);
        return b_.CreateCall(round, {exact});
    }
    Value* negative = from.is_signed() ? b_.CreateICmpSLT(value, b_.getInt64(0)) : b_.getFalse();
    Value* magnitude = b_.CreateSelect(negative, b_.CreateNeg(value), value);
    Value* dropped = b_.CreateAnd(magnitude, b_.getInt64(0xfff));
    Value* sticky =
        b_.CreateSelect(b_.CreateIsNotNull(dropped), b_.getInt64(0x1000), b_.getInt64(0));
    Value* folded = b_.CreateOr(b_.CreateXor(magnitude, dropped), sticky);
    Value* fits = b_.CreateICmpULT(magnitude, b_.getInt64(1ULL << 53));
    Value* exact = b_.CreateUIToFP(b_.CreateSelect(fits, magnitude, folded), wide);
    return b_.CreateCall(round, {b_.CreateSelect(negative, b_.CreateFNeg(exact), exact)});
}

// Truncation. Out of range is a fault of the source; the saturating form has a value there, too, so
// that nothing undefined can spread.
Value* Emitter::float_to_int(Value* value, ScalarType from, ScalarType to) {
    Value* wide = widen(value, from);
    const auto intrinsic =
        to.is_signed() ? llvm::Intrinsic::fptosi_sat : llvm::Intrinsic::fptoui_sat;
    return b_.CreateIntrinsic(intrinsic, {register_type(to), wide->getType()}, {wide});
}

Value* Emitter::float_to_float(Value* value, ScalarType from, ScalarType to) {
    if (from == to) return value;
    Value* wide = widen(value, from);
    if (is_small(to)) {
        if (from == kFloat64) {
            return b_.CreateCall(narrow64_function(module_, small_format(to)), {wide});
        }
        return narrow(wide, to);
    }
    return b_.CreateFPCast(wide, register_type(to));
}

}  // namespace proviso::backend
