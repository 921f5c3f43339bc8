#include "backend/cpu/small_float.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include <string>

namespace proviso::backend {

namespace {

using llvm::Value;

const char* format_name(SmallFormat format) {
    return format == SmallFormat::Float16 ? "float16" : "bfloat16";
}

// An empty function of one argument with a builder at its entry, or the finished one of that name.
struct Helper {
    llvm::Function* function;
    bool finished;
};

Helper helper(llvm::Module& module, const std::string& name, llvm::Type* result,
              llvm::Type* argument) {
    if (llvm::Function* found = module.getFunction(name)) return {found, true};
    auto* type = llvm::FunctionType::get(result, {argument}, false);
    auto* f = llvm::Function::Create(type, llvm::Function::InternalLinkage, name, module);
    f->addFnAttr(llvm::Attribute::AlwaysInline);
    f->addFnAttr(llvm::Attribute::NoUnwind);
    f->setMemoryEffects(llvm::MemoryEffects::none());
    f->getArg(0)->setName("x");
    return {f, false};
}

// float16: the 15 magnitude bits, shifted to float32's place, are the value divided by 2^112,
// normal and subnormal alike; one exact multiplication puts that right. Infinity and NaN get the
// large exponent.
Value* widen_float16(llvm::IRBuilder<>& b, Value* x) {
    Value* wide = b.CreateZExt(x, b.getInt32Ty());
    Value* magnitude = b.CreateAnd(wide, 0x7fff);
    Value* sign = b.CreateShl(b.CreateAnd(wide, 0x8000), 16);
    Value* shifted = b.CreateShl(magnitude, 13);
    Value* scale = llvm::ConstantFP::get(b.getFloatTy(), 0x1p112);
    Value* scaled = b.CreateFMul(b.CreateBitCast(shifted, b.getFloatTy()), scale);
    Value* special = b.CreateOr(shifted, b.getInt32(0x7f800000));
    Value* is_special = b.CreateICmpUGE(magnitude, b.getInt32(0x7c00));
    Value* bits = b.CreateSelect(is_special, special, b.CreateBitCast(scaled, b.getInt32Ty()));
    return b.CreateBitCast(b.CreateOr(bits, sign), b.getFloatTy());
}

Value* widen_bfloat16(llvm::IRBuilder<>& b, Value* x) {
    Value* bits = b.CreateShl(b.CreateZExt(x, b.getInt32Ty()), 16);
    return b.CreateBitCast(bits, b.getFloatTy());
}

// Adds half of the last kept bit, less one when that bit is even: ties go to even, and a carry runs
// into the exponent as it should.
Value* add_rounding(llvm::IRBuilder<>& b, Value* magnitude, unsigned dropped) {
    Value* last = b.CreateAnd(b.CreateLShr(magnitude, dropped), 1);
    Value* half_less = b.getInt32((1U << (dropped - 1)) - 1);
    return b.CreateAdd(b.CreateAdd(magnitude, half_less), last);
}

Value* narrow_float16(llvm::IRBuilder<>& b, Value* x) {
    Value* bits = b.CreateBitCast(x, b.getInt32Ty());
    Value* magnitude = b.CreateAnd(bits, 0x7fffffff);
    Value* sign = b.CreateAnd(b.CreateLShr(bits, 16), 0x8000);
    // Normal: move the exponent's bias from 127 to 15.
    Value* normal =
        b.CreateSub(b.CreateLShr(add_rounding(b, magnitude, 13), 13), b.getInt32(112U << 10));
    // Below 2^-14: the last place of 0.5f is 2^-24, that of float16's subnormals, so the addition
    // itself rounds.
    Value* absolute = b.CreateBitCast(magnitude, b.getFloatTy());
    Value* half = llvm::ConstantFP::get(b.getFloatTy(), 0.5);
    Value* sum = b.CreateBitCast(b.CreateFAdd(absolute, half), b.getInt32Ty());
    Value* subnormal = b.CreateSub(sum, b.CreateBitCast(half, b.getInt32Ty()));
    Value* small = b.CreateICmpULT(magnitude, b.getInt32(0x38800000));  // 2^-14
    Value* large = b.CreateICmpUGE(magnitude, b.getInt32(0x477ff000));  // 65520
    Value* is_nan = b.CreateICmpUGT(magnitude, b.getInt32(0x7f800000));
    Value* out = b.CreateSelect(small, subnormal, normal);
    out = b.CreateSelect(large, b.getInt32(0x7c00), out);
    out = b.CreateSelect(is_nan, b.getInt32(0x7e00), b.CreateOr(out, sign));
    return b.CreateTrunc(out, b.getInt16Ty());
}

Value* narrow_bfloat16(llvm::IRBuilder<>& b, Value* x) {
    Value* bits = b.CreateBitCast(x, b.getInt32Ty());
    Value* magnitude = b.CreateAnd(bits, 0x7fffffff);
    Value* sign = b.CreateAnd(b.CreateLShr(bits, 16), 0x8000);
    Value* rounded = b.CreateLShr(add_rounding(b, magnitude, 16), 16);
    Value* is_nan = b.CreateICmpUGT(magnitude, b.getInt32(0x7f800000));
    Value* out = b.CreateSelect(is_nan, b.getInt32(0x7fc0), b.CreateOr(rounded, sign));
    return b.CreateTrunc(out, b.getInt16Ty());
}

// The float32 next to a double, rounded to odd: exact where it fits, else the neighbour whose last
// bit is 1. A further rounding to 16 bits is then as good as one from the double (Boldo and
// Melquiond, "Emulation of FMA and correctly rounded sums: proved algorithms using rounding to
// odd", 2008).
Value* round_to_odd(llvm::IRBuilder<>& b, Value* x) {
    Value* nearest = b.CreateFPTrunc(x, b.getFloatTy());
    Value* back = b.CreateFPExt(nearest, b.getDoubleTy());
    Value* bits = b.CreateBitCast(nearest, b.getInt32Ty());
    const auto magnitude = [&](Value* d) {
        return b.CreateAnd(b.CreateBitCast(d, b.getInt64Ty()), b.getInt64(0x7fffffffffffffffULL));
    };
    // As integers: float magnitudes are in the order of their bits.
    Value* below = b.CreateICmpULT(magnitude(back), magnitude(x));
    Value* step = b.CreateSelect(below, b.getInt32(1), b.getInt32(0xffffffffU));
    Value* neighbour = b.CreateAdd(bits, step);
    Value* inexact = b.CreateFCmpONE(back, x);  // false for NaN
    Value* even = b.CreateICmpEQ(b.CreateAnd(bits, 1), b.getInt32(0));
    Value* odd = b.CreateSelect(b.CreateAnd(inexact, even), neighbour, bits);
    return b.CreateBitCast(odd, b.getFloatTy());
}

}  // namespace

llvm::Function* widen_function(llvm::Module& module, SmallFormat format) {
    llvm::LLVMContext& context = module.getContext();
    const Helper h = helper(module, std::string("proviso.widen.") + format_name(format),
                            llvm::Type::getFloatTy(context), llvm::Type::getInt16Ty(context));
    if (h.finished) return h.function;
    llvm::IRBuilder<> b(llvm::BasicBlock::Create(context, "", h.function));
    Value* x = h.function->getArg(0);
    b.CreateRet(format == SmallFormat::Float16 ? widen_float16(b, x) : widen_bfloat16(b, x));
    return h.function;
}

llvm::Function* narrow_function(llvm::Module& module, SmallFormat format) {
    llvm::LLVMContext& context = module.getContext();
    const Helper h = helper(module, std::string("proviso.narrow.") + format_name(format),
                            llvm::Type::getInt16Ty(context), llvm::Type::getFloatTy(context));
    if (h.finished) return h.function;
    llvm::IRBuilder<> b(llvm::BasicBlock::Create(context, "", h.function));
    Value* x = h.function->getArg(0);
    b.CreateRet(format == SmallFormat::Float16 ? narrow_float16(b, x) : narrow_bfloat16(b, x));
    return h.function;
}

llvm::Function* narrow64_function(llvm::Module& module, SmallFormat format) {
    llvm::Function* narrow = narrow_function(module, format);
    llvm::LLVMContext& context = module.getContext();
    const Helper h = helper(module, std::string("proviso.narrow64.") + format_name(format),
                            llvm::Type::getInt16Ty(context), llvm::Type::getDoubleTy(context));
    if (h.finished) return h.function;
    llvm::IRBuilder<> b(llvm::BasicBlock::Create(context, "", h.function));
    b.CreateRet(b.CreateCall(narrow, {round_to_odd(b, h.function->getArg(0))}));
    return h.function;
}

}  // namespace proviso::backend
