// Loops: serial, unrolled, vectorized, and parallel with an outlined body.
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include <algorithm>

#include "backend/cpu/codegen.h"
#include "backend/cpu/emitter.h"
#include "ir/check.h"

namespace proviso::backend {

using namespace ir;
using llvm::Value;

namespace {

llvm::MDNode* property(llvm::LLVMContext& context, const char* name,
                       llvm::Metadata* value = nullptr) {
    std::vector<llvm::Metadata*> parts = {llvm::MDString::get(context, name)};
    if (value != nullptr) parts.push_back(value);
    return llvm::MDNode::get(context, parts);
}

// A loop's identity: distinct, with itself as first operand, as LLVM wants it.
llvm::MDNode* loop_id(llvm::LLVMContext& context, const std::vector<llvm::MDNode*>& properties) {
    std::vector<llvm::Metadata*> parts = {nullptr};
    parts.insert(parts.end(), properties.begin(), properties.end());
    llvm::MDNode* id = llvm::MDNode::getDistinct(context, parts);
    id->replaceOperandWith(0, id);
    return id;
}

// The struct that carries values to an outlined body.
llvm::StructType* struct_of(llvm::LLVMContext& context, const std::vector<Value*>& values) {
    std::vector<llvm::Type*> fields;
    fields.reserve(values.size());
    for (const Value* v : values) fields.push_back(v->getType());
    return llvm::StructType::get(context, fields);
}

}  // namespace

void Emitter::loop(const For& s) {
    Value* lo = some_value(expr(s.lo));
    Value* hi = some_value(expr(s.hi));
    const LoopLines::Loop line(lines_.get(), b_);
    if (options_.guarded && s.kind != ForKind::ThreadBinding) return serial_loop(s, lo, hi, {});
    switch (s.kind) {
        case ForKind::Serial: return serial_loop(s, lo, hi, {});
        case ForKind::Unrolled:
            return unrolled(
                s, [&](const std::vector<llvm::MDNode*>& how) { serial_loop(s, lo, hi, how); });
        case ForKind::Vectorized: return vectorized_loop(s, lo, hi);
        case ForKind::Parallel: return parallel_loop(s, lo, hi);
        case ForKind::ThreadBinding: break;
    }
    PROVISO_CHECK(false, "thread-bound loop in lowered CPU code");
}

void Emitter::unrolled(const For& s,
                       const std::function<void(const std::vector<llvm::MDNode*>&)>& emit) {
    const Unrolling::Way way = unrolling_.enter(s);
    std::vector<llvm::MDNode*> how;
    if (way == Unrolling::Way::Full) how = {property(context_, "llvm.loop.unroll.full")};
    if (way == Unrolling::Way::IfSmall) how = {property(context_, "llvm.loop.unroll.enable")};
    emit(how);
    unrolling_.leave(way);
}

void Emitter::counted_loop(Value* lo, Value* hi, bool is_signed, const std::string& name,
                           const std::vector<llvm::MDNode*>& properties,
                           const std::function<void(Value*)>& body) {
    const auto less = [&](Value* a, Value* b) {
        return is_signed ? b_.CreateICmpSLT(a, b) : b_.CreateICmpULT(a, b);
    };
    llvm::BasicBlock* before = b_.GetInsertBlock();
    llvm::BasicBlock* header = block("loop");
    llvm::BasicBlock* end = block("loop.end");
    b_.CreateCondBr(less(lo, hi), header, end);
    b_.SetInsertPoint(header);
    llvm::PHINode* var = b_.CreatePHI(lo->getType(), 2, name);
    var->addIncoming(lo, before);
    body(var);
    // var < hi here, so the sum does not overflow.
    Value* next =
        b_.CreateAdd(var, llvm::ConstantInt::get(var->getType(), 1), "", !is_signed, is_signed);
    var->addIncoming(next, b_.GetInsertBlock());
    llvm::BranchInst* back = b_.CreateCondBr(less(next, hi), header, end);
    if (!properties.empty()) {
        back->setMetadata(llvm::LLVMContext::MD_loop, loop_id(context_, properties));
    }
    b_.SetInsertPoint(end);
}

void Emitter::serial_loop(const For& s, Value* lo, Value* hi,
                          const std::vector<llvm::MDNode*>& properties) {
    counted_loop(lo, hi, s.var->type.is_signed(), *s.var->name, properties, [&](Value* var) {
        vars_.emplace_back(s.var, var);
        stmt(s.body);
        vars_.pop_back();
    });
}

void Emitter::vectorized_loop(const For& s, Value* lo, Value* hi) {
    llvm::MDNode* group = llvm::MDNode::getDistinct(context_, {});
    frame_.independent.push_back({group, buffers_.size()});
    serial_loop(s, lo, hi, {property(context_, "llvm.loop.parallel_accesses", group)});
    frame_.independent.pop_back();
}

// Everything in scope that an outlined body could need, without repetition; constants are used as
// they are.
std::vector<Value*> Emitter::captured_values() const {
    std::vector<Value*> out;
    const auto add = [&](Value* v) {
        if (llvm::isa<llvm::Constant>(v)) return;
        if (std::find(out.begin(), out.end(), v) == out.end()) out.push_back(v);
    };
    for (const BufferSlot& slot : buffers_) {
        add(slot.data);
        for (Value* extent : slot.extents) add(extent);
    }
    for (const auto& [unused, value] : vars_) add(value);
    return out;
}

void Emitter::rebind(const std::vector<Value*>& from, const std::vector<Value*>& to) {
    const auto replace = [&](Value*& v) {
        const auto found = std::find(from.begin(), from.end(), v);
        if (found != from.end()) v = to[static_cast<std::size_t>(found - from.begin())];
    };
    for (BufferSlot& slot : buffers_) {
        replace(slot.data);
        for (Value*& extent : slot.extents) replace(extent);
    }
    for (auto& [unused, value] : vars_) replace(value);
}

// int32_t BODY(int64_t begin, int64_t end, captured...): the iterations of one chunk, in order.
// Taking what it needs as parameters lets it say again that buffers do not overlap.
llvm::Function* Emitter::outline(const For& s, const std::vector<Value*>& captured) {
    std::vector<llvm::Type*> types = {b_.getInt64Ty(), b_.getInt64Ty()};
    for (Value* v : captured) types.push_back(v->getType());
    auto* function = llvm::Function::Create(
        llvm::FunctionType::get(b_.getInt32Ty(), types, false), llvm::Function::InternalLinkage,
        f_.name + ".parallel" + std::to_string(outlined_) + ".body", module_);
    add_attributes(*function);
    std::vector<Value*> inside;
    for (unsigned i = 0; i < captured.size(); ++i) {
        llvm::Argument* argument = function->getArg(i + 2);
        if (argument->getType()->isPointerTy()) argument->addAttr(llvm::Attribute::NoAlias);
        argument->setName(captured[i]->getName());
        inside.push_back(argument);
    }

    const llvm::IRBuilderBase::InsertPointGuard guard(b_);
    Frame outer = std::move(frame_);
    const auto outer_vars = vars_;
    const auto outer_buffers = buffers_;
    frame_ = Frame{};
    frame_.function = function;
    frame_.entry = block("entry");
    llvm::BasicBlock* start = block("body");
    rebind(captured, inside);
    b_.SetInsertPoint(start);
    begin_lines();
    counted_loop(function->getArg(0), function->getArg(1), true, *s.var->name, {}, [&](Value* i) {
        vars_.emplace_back(s.var, b_.CreateTrunc(i, register_type(s.var->type)));
        stmt(s.body);
        vars_.pop_back();
    });
    b_.CreateRet(b_.getInt32(0));
    b_.SetInsertPoint(frame_.entry);
    b_.CreateBr(start);
    frame_ = std::move(outer);
    vars_ = outer_vars;
    buffers_ = outer_buffers;
    return function;
}

// int32_t CHUNK(int64_t begin, int64_t end, void* context): what the runtime calls; unpacks the
// context.
llvm::Function* Emitter::chunk_function(llvm::Function* body, const std::vector<Value*>& captured) {
    auto* function = llvm::Function::Create(
        llvm::FunctionType::get(b_.getInt32Ty(), {b_.getInt64Ty(), b_.getInt64Ty(), b_.getPtrTy()},
                                false),
        llvm::Function::InternalLinkage, f_.name + ".parallel" + std::to_string(outlined_),
        module_);
    function->addFnAttr(llvm::Attribute::NoUnwind);
    llvm::StructType* context_type = struct_of(context_, captured);
    llvm::IRBuilder<> b(llvm::BasicBlock::Create(context_, "entry", function));
    std::vector<Value*> args = {function->getArg(0), function->getArg(1)};
    for (unsigned i = 0; i < captured.size(); ++i) {
        args.push_back(b.CreateLoad(captured[i]->getType(),
                                    b.CreateStructGEP(context_type, function->getArg(2), i)));
    }
    b.CreateRet(b.CreateCall(body, args));
    return function;
}

void Emitter::parallel_loop(const For& s, Value* lo, Value* hi) {
    const std::vector<Value*> captured = captured_values();
    llvm::Function* body = outline(s, captured);
    llvm::Function* chunk = chunk_function(body, captured);
    ++outlined_;
    begin_expressions();

    llvm::StructType* context_type = struct_of(context_, captured);
    llvm::IRBuilder<> at_entry(frame_.entry, frame_.entry->begin());
    Value* packed = at_entry.CreateAlloca(context_type, nullptr, "captured");
    for (unsigned i = 0; i < captured.size(); ++i) {
        b_.CreateStore(captured[i], b_.CreateStructGEP(context_type, packed, i));
    }
    const bool is_signed = s.var->type.is_signed();
    const auto wide = [&](Value* v) { return b_.CreateIntCast(v, b_.getInt64Ty(), is_signed); };
    const llvm::FunctionCallee run = module_.getOrInsertFunction(
        kParallelForSymbol,
        llvm::FunctionType::get(b_.getInt32Ty(),
                                {b_.getInt64Ty(), b_.getInt64Ty(), b_.getPtrTy(), b_.getPtrTy()},
                                false));
    Value* code = b_.CreateCall(run, {wide(lo), wide(hi), chunk, packed});
    return_if(b_.CreateIsNotNull(code), code, "stopped");
}

}  // namespace proviso::backend
