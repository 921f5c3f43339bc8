// Expressions: constants, names, choice, memory, opaque calls, and the memo that computes each
// shared node once.
#include <llvm/ADT/APFloat.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include "backend/cpu/emitter.h"
#include "ir/check.h"
#include "ir/planted.h"

namespace proviso::backend {

using namespace ir;
using llvm::Value;

void Emitter::begin_expressions() {
    memo_.clear();
    memo_.emplace_back();
}

Value* Emitter::expr(Expr e) {
    for (auto layer = memo_.rbegin(); layer != memo_.rend(); ++layer) {
        const auto found = layer->values.find(e);
        if (found != layer->values.end()) return found->second;
        if (layer->opaque) break;
    }
    Value* value = compute(e);
    memo_.back().values.emplace(e, value);
    return value;
}

Value* Emitter::index64(Expr e) {
    Value* value = expr(e);
    return e->type.is_signed() ? b_.CreateSExt(value, b_.getInt64Ty())
                               : b_.CreateZExt(value, b_.getInt64Ty());
}

Value* Emitter::definite(Value* value) {
    return may_be_indeterminate_ || options_.guarded ? b_.CreateFreeze(value) : value;
}

Value* Emitter::compute(Expr e) {
    switch (e->op) {
        case Op::IntImm:
        case Op::FloatImm: return constant(e);
        case Op::Var: return lookup(e);
        case Op::Neg: return neg(e);
        case Op::Not: return b_.CreateNot(expr(e->arg(0)));
        case Op::Cast: return cast(e);
        case Op::Add:
        case Op::Sub:
        case Op::Mul: return ring(e);
        case Op::Div: return float_binary(e->op, e->type, expr(e->arg(0)), expr(e->arg(1)));
        case Op::FloorDiv:
        case Op::FloorMod:
        case Op::TruncDiv:
        case Op::TruncMod: return division(e);
        case Op::Min:
        case Op::Max: return min_max(e);
        case Op::Eq:
        case Op::Ne:
        case Op::Lt:
        case Op::Le: return comparison(e);
        case Op::And:
        case Op::Or: return short_circuit(e);
        case Op::BitAnd:
        case Op::BitOr:
        case Op::BitXor:
        case Op::Shl:
        case Op::Shr: return bits(e);
        case Op::Select: {
            Value* cond = expr(e->arg(0));
            Value* then_value = expr(e->arg(1));
            Value* else_value = expr(e->arg(2));
            return b_.CreateSelect(cond, then_value, else_value);
        }
        case Op::IfThenElse: return if_then_else(e);
        case Op::Let: return let(e);
        case Op::Load: return load(e);
        case Op::Math: return math(e);
        case Op::CallExtern: return call_extern(e);
        case Op::Undef:
        case Op::Defined:
        case Op::Same: break;
    }
    PROVISO_CHECK(false,
                  "operator that check_lowered refuses: " + std::string(op_info(e->op).name));
}

Value* Emitter::constant(Expr e) {
    llvm::Type* type = register_type(e->type);
    if (e->op == Op::IntImm) {
        return llvm::ConstantInt::get(type, static_cast<std::uint64_t>(e->bits), false);
    }
    llvm::APFloat value(e->float_value());
    bool inexact = false;
    const llvm::fltSemantics* format = &llvm::APFloat::IEEEdouble();
    if (e->type == kFloat32) format = &llvm::APFloat::IEEEsingle();
    if (e->type == kFloat16) format = &llvm::APFloat::IEEEhalf();
    if (e->type == kBFloat16) format = &llvm::APFloat::BFloat();
    value.convert(*format, llvm::APFloat::rmNearestTiesToEven, &inexact);
    if (e->type.bits == 16) return llvm::ConstantInt::get(context_, value.bitcastToAPInt());
    return llvm::ConstantFP::get(context_, value);
}

Value* Emitter::lookup(Expr var) const {
    for (auto it = lets_.rbegin(); it != lets_.rend(); ++it) {
        if (it->first.first == var->name && it->first.second == var->type) return it->second;
    }
    for (auto it = vars_.rbegin(); it != vars_.rend(); ++it) {
        if (it->first == var) return it->second;
    }
    PROVISO_CHECK(false, "variable out of scope: " + *var->name);
}

// then_value or else_value, each computed only where it is chosen.
Value* Emitter::branch_value(Value* cond, ScalarType type,
                             const std::function<Value*()>& then_value,
                             const std::function<Value*()>& else_value) {
    llvm::BasicBlock* then_block = block("then");
    llvm::BasicBlock* else_block = block("else");
    llvm::BasicBlock* join = block("join");
    b_.CreateCondBr(definite(cond), then_block, else_block);
    const auto arm = [&](llvm::BasicBlock* start, const std::function<Value*()>& value) {
        b_.SetInsertPoint(start);
        memo_.emplace_back();
        Value* out = value();
        memo_.pop_back();
        llvm::BasicBlock* end = b_.GetInsertBlock();
        b_.CreateBr(join);
        return std::pair(out, end);
    };
    const auto [then_out, then_end] = arm(then_block, then_value);
    const auto [else_out, else_end] = arm(else_block, else_value);
    b_.SetInsertPoint(join);
    llvm::PHINode* phi = b_.CreatePHI(register_type(type), 2);
    phi->addIncoming(then_out, then_end);
    phi->addIncoming(else_out, else_end);
    return phi;
}

Value* Emitter::short_circuit(Expr e) {
    const bool is_and = e->op == Op::And;
    Value* first = expr(e->arg(0));
    const auto second = [&] { return expr(e->arg(1)); };
    const auto known = [&]() -> Value* { return b_.getInt1(!is_and); };
    return is_and ? branch_value(first, kBool, second, known)
                  : branch_value(first, kBool, known, second);
}

Value* Emitter::if_then_else(Expr e) {
    return branch_value(
        expr(e->arg(0)), e->type, [&] { return expr(e->arg(1)); }, [&] { return expr(e->arg(2)); });
}

Value* Emitter::let(Expr e) {
    Value* value = definite(expr(e->arg(0)));
    const std::pair key(e->name, e->var_type);
    bool shadows = false;
    for (const auto& [name, unused] : lets_) shadows = shadows || name == key;
    for (const auto& [var, unused] : vars_) {
        shadows = shadows || (var->name == key.first && var->type == key.second);
    }
    lets_.emplace_back(key, value);
    memo_.push_back(Memo{{}, shadows});
    Value* out = expr(e->arg(1));
    memo_.pop_back();
    lets_.pop_back();
    return out;
}

const BufferSlot& Emitter::slot(Buffer buffer, std::size_t* position) const {
    for (std::size_t i = buffers_.size(); i-- > 0;) {
        if (buffers_[i].buffer != buffer) continue;
        if (position != nullptr) *position = i;
        return buffers_[i];
    }
    PROVISO_CHECK(false, "buffer out of scope: " + buffer->name);
}

// Row-major. An index in bounds keeps every partial sum below 2^47.
Value* Emitter::address(const BufferSlot& slot, const std::vector<Value*>& indices) {
    Value* flat = nullptr;
    for (std::size_t d = slot.skip; d < indices.size(); ++d) {
        if (flat == nullptr) {
            flat = indices[d];
            continue;
        }
        const std::size_t stride = planted("codegen:other-stride") ? d - 1 : d;
        Value* scaled = b_.CreateMul(flat, slot.extents[stride], "", true, true);
        flat = b_.CreateAdd(scaled, indices[d], "", true, true);
    }
    if (flat == nullptr) return slot.data;
    return b_.CreateInBoundsGEP(storage_type(slot.buffer->type), slot.data, flat);
}

void Emitter::mark_independent(llvm::Instruction* access, std::size_t buffer_position) {
    if (options_.guarded) return;  // races are not looked for
    std::vector<llvm::Metadata*> groups;
    for (const IndependentLoop& loop : frame_.independent) {
        // A buffer from inside the loop is one memory for all its iterations: nothing to promise.
        if (buffer_position < loop.outer_buffers) groups.push_back(loop.group);
    }
    if (groups.empty()) return;
    llvm::MDNode* node = groups.size() == 1 ? llvm::cast<llvm::MDNode>(groups[0])
                                            : llvm::MDNode::get(context_, groups);
    access->setMetadata(llvm::LLVMContext::MD_access_group, node);
}

Value* Emitter::load(Expr e) {
    std::vector<Value*> indices;
    for (Expr i : e->args) indices.push_back(index64(i));
    std::size_t position = 0;
    const BufferSlot& from = slot(e->buffer, &position);
    guard_access("load", from, e->args, indices);
    Value* pointer = address(from, indices);
    llvm::LoadInst* stored = b_.CreateAlignedLoad(
        storage_type(e->type), pointer, llvm::Align(static_cast<std::uint64_t>(e->type.bytes())));
    mark_independent(stored, position);
    return to_register(stored, e->type);
}

Value* Emitter::call_extern(Expr e) {
    std::vector<Value*> values;
    std::vector<llvm::Type*> types;
    for (Expr a : e->args) {
        values.push_back(to_storage(definite(expr(a)), a->type));
        types.push_back(values.back()->getType());
    }
    auto* type = llvm::FunctionType::get(storage_type(e->type), types, false);
    const llvm::FunctionCallee callee = module_.getOrInsertFunction(*e->name, type);
    llvm::CallInst* call = b_.CreateCall(callee, values);
    // C's convention: the caller extends arguments narrower than an int.
    for (unsigned i = 0; i < e->args.size(); ++i) {
        const ScalarType t = e->arg(i)->type;
        if (t.is_float() || t.bits >= 32) continue;
        call->addParamAttr(i, t.is_signed() ? llvm::Attribute::SExt : llvm::Attribute::ZExt);
    }
    return to_register(call, e->type);
}

}  // namespace proviso::backend
