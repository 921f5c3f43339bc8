// Math calls. The exact ones are LLVM intrinsics, correctly rounded on every target. The elementary
// ones call the C library's double function and round the result to the type, as the interpreter
// does (ir/domains/value.h): with one library both give the same bits. The calls are marked so that
// LLVM neither rewrites them into other functions nor evaluates them when compiling.
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/Module.h>

#include <string>

#include "backend/cpu/emitter.h"
#include "ir/check.h"

namespace proviso::backend {

using namespace ir;
using llvm::Value;

Value* Emitter::library_call(MathFn fn, const std::vector<Value*>& args) {
    const std::vector<llvm::Type*> types(args.size(), b_.getDoubleTy());
    const llvm::FunctionCallee callee =
        module_.getOrInsertFunction(std::string(math_fn_info(fn).name),
                                    llvm::FunctionType::get(b_.getDoubleTy(), types, false));
    llvm::CallInst* call = b_.CreateCall(callee, args);
    call->addFnAttr(llvm::Attribute::NoBuiltin);
    call->addFnAttr(llvm::Attribute::NoUnwind);
    call->addFnAttr(llvm::Attribute::WillReturn);
    call->setMemoryEffects(llvm::MemoryEffects::none());  // errno is not ours to keep
    return call;
}

Value* Emitter::absolute(Expr e, Value* x) {
    if (!e->type.is_float()) {
        if (!e->type.is_signed()) return x;
        // The smallest value stays itself: right modulo 2^bits, for exact and wrapping integers.
        return b_.CreateBinaryIntrinsic(llvm::Intrinsic::abs, x, b_.getFalse());
    }
    if (e->type.bits == 16) return b_.CreateAnd(x, b_.getInt16(0x7fff));
    return b_.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, x);
}

Value* Emitter::elementary(MathFn fn, const std::vector<Value*>& args) {
    if (fn != MathFn::Sigmoid) return library_call(fn, args);
    Value* one = llvm::ConstantFP::get(b_.getDoubleTy(), 1.0);
    Value* power = library_call(MathFn::Exp, {b_.CreateFNeg(args[0])});
    return b_.CreateFDiv(one, b_.CreateFAdd(one, power));
}

Value* Emitter::math(Expr e) {
    const ScalarType type = e->arg(0)->type;
    const MathFn fn = e->math_fn();
    std::vector<Value*> args;
    for (Expr a : e->args) args.push_back(expr(a));
    if (fn == MathFn::Abs) return absolute(e, args[0]);
    const auto exact = [&](llvm::Intrinsic::ID id) {
        return narrow(b_.CreateUnaryIntrinsic(id, widen(args[0], type)), type);
    };
    switch (fn) {
        case MathFn::Abs: break;
        case MathFn::Sqrt: return exact(llvm::Intrinsic::sqrt);
        case MathFn::Floor: return exact(llvm::Intrinsic::floor);
        case MathFn::Ceil: return exact(llvm::Intrinsic::ceil);
        case MathFn::Trunc: return exact(llvm::Intrinsic::trunc);
        case MathFn::Round: return exact(llvm::Intrinsic::roundeven);
        case MathFn::IsNan: {
            Value* x = widen(args[0], type);
            return b_.CreateFCmpUNO(x, x);
        }
        case MathFn::Exp:
        case MathFn::Exp2:
        case MathFn::Log:
        case MathFn::Log2:
        case MathFn::Sin:
        case MathFn::Cos:
        case MathFn::Tanh:
        case MathFn::Sigmoid:
        case MathFn::Erf:
        case MathFn::Pow: break;
    }
    for (Value*& x : args) x = float_to_float(x, type, kFloat64);
    return float_to_float(elementary(fn, args), kFloat64, type);
}

}  // namespace proviso::backend
