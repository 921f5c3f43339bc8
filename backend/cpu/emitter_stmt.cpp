// Statements other than loops: stores, branches, lets, allocations, asserts.
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include "backend/cpu/codegen.h"
#include "backend/cpu/emitter.h"
#include "ir/check.h"

namespace proviso::backend {

using namespace ir;
using llvm::Value;

namespace {

// Allocations of constant size up to this many bytes live on the stack, as long as a function's sum
// stays below kMaxStackBytes.
constexpr std::int64_t kMaxStackObject = 4096;
constexpr std::int64_t kMaxStackBytes = 65536;
// A line of the cache, and a vector of 512 bits: no vector of a buffer's start crosses a line.
constexpr std::uint64_t kAlignment = 64;

// The bits of a fill value, from the low end; see Fill in options.h.
std::uint64_t fill_bits(Fill fill, ScalarType type) {
    const std::uint64_t ones = ~std::uint64_t{0};
    const bool wide_sign = type.is_signed() || type.is_float();
    const std::uint64_t sign = std::uint64_t{1} << (type.bytes() * 8 - 1);
    if (type.is_bool()) return fill == Fill::AllOnes || fill == Fill::Largest ? 1 : 0;
    switch (fill) {
        case Fill::None:
        case Fill::Zero: return 0;
        case Fill::AllOnes: return ones;
        case Fill::Smallest: return wide_sign ? sign : 0;
        case Fill::Largest:
            if (!type.is_float()) return wide_sign ? sign - 1 : ones;
            if (type == kFloat16) return 0x7c00;
            if (type == kBFloat16) return 0x7f80;
            return type == kFloat32 ? 0x7f800000ULL : 0x7ff0000000000000ULL;
    }
    return 0;
}

}  // namespace

void Emitter::stmt(Stmt s) {
    begin_expressions();
    begin_guarded(s);
    std::visit(Overloaded{
                   [&](const Store& n) { store(n); },
                   [&](const For& n) { loop(n); },
                   [&](const IfElse& n) { if_else(n); },
                   [&](const Seq& n) {
                       for (Stmt part : n.body) stmt(part);
                   },
                   [&](const LetStmt& n) { let_stmt(n); },
                   [&](const Allocate& n) { allocate(n); },
                   [&](const Assert& n) { assertion(n); },
                   [&](const Evaluate& n) { expr(n.value); },
                   [&](const Assume&) { PROVISO_CHECK(false, "assume in lowered code"); },
                   [&](const Block& n) { external_block(n); },
               },
               s->data);
}

void Emitter::store(const Store& s) {
    std::vector<Value*> indices;
    indices.reserve(s.indices.size());
    for (Expr i : s.indices) indices.push_back(index64(i));
    Value* value = to_storage(expr(s.value), s.value->type);
    std::size_t position = 0;
    const BufferSlot& to = slot(s.buffer, &position);
    guard_access("store", to, s.indices, indices);
    const llvm::Align align(static_cast<std::uint64_t>(s.buffer->type.bytes()));
    mark_independent(b_.CreateAlignedStore(value, address(to, indices), align), position);
}

void Emitter::if_else(const IfElse& s) {
    llvm::BasicBlock* then_block = block("if.then");
    llvm::BasicBlock* else_block = s.else_body == nullptr ? nullptr : block("if.else");
    llvm::BasicBlock* end = block("if.end");
    b_.CreateCondBr(some_value(expr(s.cond)), then_block, else_block == nullptr ? end : else_block);
    b_.SetInsertPoint(then_block);
    stmt(s.then_body);
    b_.CreateBr(end);
    if (else_block != nullptr) {
        b_.SetInsertPoint(else_block);
        stmt(s.else_body);
        b_.CreateBr(end);
    }
    b_.SetInsertPoint(end);
}

void Emitter::let_stmt(const LetStmt& s) {
    vars_.emplace_back(s.var, definite(expr(s.value)));
    stmt(s.body);
    vars_.pop_back();
}

void Emitter::allocate(const Allocate& s) {
    BufferSlot slot{s.buffer, nullptr, {}};
    for (Expr extent : s.buffer->shape) slot.extents.push_back(some_value(index64(extent)));
    guard_extents(slot);
    const std::size_t heap = frame_.heap.size();
    slot.data = allocate_memory(slot);
    buffers_.push_back(slot);
    stmt(s.body);
    buffers_.pop_back();
    if (frame_.heap.size() > heap) {
        const llvm::FunctionCallee release =
            module_.getOrInsertFunction("free", b_.getVoidTy(), b_.getPtrTy());
        b_.CreateCall(release, {frame_.heap.back()});
        frame_.heap.pop_back();
    }
}

Value* Emitter::allocate_memory(const BufferSlot& slot) {
    Value* count = b_.getInt64(1);
    for (Value* extent : slot.extents) count = b_.CreateMul(count, extent, "", true, true);
    const std::int64_t width = slot.buffer->type.bytes();
    Value* bytes =
        b_.CreateMul(count, b_.getInt64(static_cast<std::uint64_t>(width)), "", true, true);
    BufferSlot with_data = slot;
    const auto* known = llvm::dyn_cast<llvm::ConstantInt>(bytes);
    if (known != nullptr && known->getSExtValue() <= kMaxStackObject &&
        frame_.stack_bytes + known->getSExtValue() <= kMaxStackBytes) {
        frame_.stack_bytes += known->getSExtValue();
        llvm::IRBuilder<> at_entry(frame_.entry, frame_.entry->begin());
        llvm::AllocaInst* object = at_entry.CreateAlloca(
            at_entry.getInt8Ty(), at_entry.getInt64(known->getZExtValue()), slot.buffer->name);
        const bool is_small = known->getZExtValue() < kAlignment;
        object->setAlignment(llvm::Align(is_small ? 16 : kAlignment));
        with_data.data = object;
    } else {
        with_data.data = allocate_heap(bytes, slot.buffer->name);
    }
    if (options_.fill != Fill::None) fill(with_data, count);
    return with_data.data;
}

// What C's library allocates: whole lines, as aligned_alloc wants them. A guarded block ends where
// the buffer does.
Value* Emitter::obtain(Value* bytes, const std::string& name) {
    const bool guarded = options_.heap == Heap::Guarded;
    std::vector<Value*> args;
    if (!guarded) {
        args.push_back(b_.getInt64(kAlignment));
        Value* up = b_.CreateAdd(bytes, b_.getInt64(kAlignment - 1));
        bytes = b_.CreateAnd(up, b_.getInt64(~(kAlignment - 1)));
    }
    args.push_back(bytes);
    const std::vector<llvm::Type*> types(args.size(), b_.getInt64Ty());
    llvm::FunctionCallee callee = module_.getOrInsertFunction(
        guarded ? "malloc" : "aligned_alloc", llvm::FunctionType::get(b_.getPtrTy(), types, false));
    llvm::cast<llvm::Function>(callee.getCallee())->addRetAttr(llvm::Attribute::NoAlias);
    return b_.CreateCall(callee, args, name);
}

Value* Emitter::allocate_heap(Value* bytes, const std::string& name) {
    // At least one byte: null for none would mean here that memory ran out.
    Value* one = b_.getInt64(1);
    Value* size = b_.CreateSelect(b_.CreateICmpSLT(bytes, one), one, bytes);
    Value* data = obtain(size, name);
    return_if(b_.CreateIsNull(data), b_.getInt32(static_cast<std::uint32_t>(kOutOfMemory)),
              "no_memory");
    frame_.heap.push_back(data);
    return data;
}

void Emitter::fill(const BufferSlot& slot, Value* count) {
    const ScalarType type = slot.buffer->type;
    llvm::Type* cell = b_.getIntNTy(static_cast<unsigned>(type.bytes()) * 8);
    const std::uint64_t mask = ~std::uint64_t{0} >> (64 - type.bytes() * 8);
    Value* pattern = llvm::ConstantInt::get(cell, fill_bits(options_.fill, type) & mask);
    counted_loop(b_.getInt64(0), count, true, "fill", {}, [&](Value* i) {
        b_.CreateStore(pattern, b_.CreateInBoundsGEP(cell, slot.data, i));
    });
}

void Emitter::assertion(const Assert& s) {
    ++asserts_;
    return_if(b_.CreateNot(some_value(expr(s.cond))),
              b_.getInt32(static_cast<std::uint32_t>(asserts_)), "assert_failed");
}

// Leaves the function with a code, live allocations freed.
void Emitter::return_code(Value* code) {
    const llvm::FunctionCallee release =
        module_.getOrInsertFunction("free", b_.getVoidTy(), b_.getPtrTy());
    for (auto it = frame_.heap.rbegin(); it != frame_.heap.rend(); ++it) {
        b_.CreateCall(release, {*it});
    }
    b_.CreateRet(code);
}

void Emitter::return_if(Value* failed, Value* code, const char* label) {
    llvm::BasicBlock* leave = block(label);
    llvm::BasicBlock* go_on = block("ok");
    b_.CreateCondBr(failed, leave, go_on);
    b_.SetInsertPoint(leave);
    return_code(code);
    b_.SetInsertPoint(go_on);
}

}  // namespace proviso::backend
