// Calls of C functions in the place of blocks (ir/external.h).
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include "analysis/external/external_call.h"
#include "backend/cpu/codegen.h"
#include "backend/cpu/emitter.h"
#include "ir/check.h"

namespace proviso::backend {

using namespace ir;
using analysis::ExternalArgument;
using llvm::Value;

namespace {

using Kind = ExternalArgument::Kind;

// The type of what the function returns, which nobody reads.
llvm::Type* result_type(const Emitter& emitter, llvm::IRBuilderBase& b, const std::string& name) {
    const auto type = ScalarType::parse(name);
    return type ? emitter.storage_type(*type) : b.getVoidTy();
}

}  // namespace

void Emitter::external_block(const Block& s) {
    PROVISO_CHECK(calls_external(s), "block in lowered code");
    const Result<analysis::ExternalCall> call = analysis::external_call(s);
    PROVISO_CHECK(call.ok(), "a call that check_lowered refuses");
    const std::size_t known = vars_.size();
    for (Expr v : call->loops) {
        vars_.emplace_back(v, llvm::ConstantInt::get(register_type(v->type), 0));
    }
    // Elements from the first cell of the buffer to that of the part.
    const auto offset = [&](const BufferSlot& from, const ExternalArgument& a) {
        Value* flat = b_.getInt64(0);
        for (std::size_t d = 0; d < a.at.size(); ++d) {
            Value* index = b_.CreateSub(index64(a.at[d]),
                                        llvm::ConstantInt::getSigned(b_.getInt64Ty(), a.less[d]));
            flat = b_.CreateAdd(b_.CreateMul(flat, from.extents[d]), index);
        }
        return flat;
    };
    std::vector<Value*> values;
    std::vector<llvm::Type*> types;
    for (const ExternalArgument& a : call->arguments) {
        if (a.kind == Kind::Number) {
            values.push_back(llvm::ConstantInt::getSigned(b_.getInt32Ty(), a.number));
        } else {
            const BufferSlot& from = slot(a.buffer);
            Value* value = from.data;
            if (a.kind == Kind::Pointer) {  // not in bounds where A[0] is no cell that is there
                value = b_.CreateGEP(storage_type(a.buffer->type), from.data, offset(from, a));
            } else if (a.kind == Kind::Offset) {
                value = offset(from, a);
            } else if (a.kind == Kind::Stride) {
                value = b_.getInt64(1);
                for (std::size_t d = a.dimension + 1; d < from.extents.size(); ++d) {
                    value = b_.CreateMul(value, from.extents[d]);
                }
            }
            values.push_back(value);
        }
        types.push_back(values.back()->getType());
    }
    vars_.resize(known);
    auto* type =
        llvm::FunctionType::get(result_type(*this, b_, call->function.result), types, false);
    // It does what its description says, whatever LLVM knows of a function of that name.
    llvm::FunctionCallee callee = module_.getOrInsertFunction(call->function.symbol, type);
    if (auto* declared = llvm::dyn_cast<llvm::Function>(callee.getCallee())) {
        declared->addFnAttr(llvm::Attribute::NoBuiltin);
    }
    b_.CreateCall(callee, values)->addFnAttr(llvm::Attribute::NoBuiltin);
}

}  // namespace proviso::backend
