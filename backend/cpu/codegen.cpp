// The exported functions around a translated body; types of memory and registers.
#include "backend/cpu/codegen.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include "analysis/facts/path.h"
#include "backend/cpu/emitter.h"
#include "backend/cpu/licence.h"
#include "backend/lowered.h"
#include "ir/check.h"
#include "ir/children.h"

namespace proviso::backend {

using namespace ir;
using llvm::Value;

namespace {

bool allocates(const Function& f) {
    bool found = false;
    for_each_stmt(f.body, [&](Stmt s) { found = found || s->is<Allocate>(); });
    return found;
}

}  // namespace

bool divides_by_variable(Expr e) {
    switch (e->op) {
        case Op::FloorDiv:
        case Op::FloorMod:
        case Op::TruncDiv:
        case Op::TruncMod: break;
        default: return false;
    }
    Expr by = e->arg(1);
    return !is_int_const(by) || is_int_const(by, 0) || is_int_const(by, -1);
}

Emitter::Emitter(llvm::Module& module, const Function& f, const CpuOptions& options)
    : module_(module),
      context_(module.getContext()),
      f_(f),
      options_(options),
      builder_owner_(std::make_shared<llvm::IRBuilder<>>(module.getContext())),
      b_(*builder_owner_),
      may_be_indeterminate_(allocates(f)) {
    begin_expressions();
    if (!options.loop_lines.empty()) {
        lines_ = std::make_unique<LoopLines>(module, options.loop_lines);
    }
}

void Emitter::begin_lines() {
    if (lines_ == nullptr) return;
    lines_->begin(*frame_.function);
    lines_->place(b_);
}

llvm::Type* Emitter::storage_type(ScalarType type) const {
    return type.is_bool() ? b_.getInt8Ty() : register_type(type);
}

llvm::Type* Emitter::register_type(ScalarType type) const {
    if (type == kFloat32) return b_.getFloatTy();
    if (type == kFloat64) return b_.getDoubleTy();
    return b_.getIntNTy(type.bits);  // bool: i1; 16-bit floats: their bits
}

Value* Emitter::to_register(Value* stored, ScalarType type) {
    return type.is_bool() ? b_.CreateIsNotNull(stored) : stored;
}

Value* Emitter::to_storage(Value* value, ScalarType type) {
    return type.is_bool() ? b_.CreateZExt(value, b_.getInt8Ty()) : value;
}

llvm::BasicBlock* Emitter::block(const char* name) {
    return llvm::BasicBlock::Create(context_, name, frame_.function);
}

// Of a function that holds code of the program.
void Emitter::add_attributes(llvm::Function& function) const {
    function.addFnAttr(llvm::Attribute::NoUnwind);
    const unsigned bits = wanted_vector_bits(f_);
    if (bits != 0) function.addFnAttr("prefer-vector-width", std::to_string(bits));
}

std::vector<llvm::Type*> Emitter::parameter_types() const {
    std::vector<llvm::Type*> out;
    for (const Param& p : f_.params) {
        const Expr* scalar = std::get_if<Expr>(&p);
        out.push_back(scalar != nullptr ? storage_type((*scalar)->type)
                                        : static_cast<llvm::Type*>(b_.getPtrTy()));
    }
    return out;
}

Value* Emitter::parameter_extent(Expr e) {
    bool may_trap = false;
    for_each_node(e, [&](Expr n) { may_trap = may_trap || divides_by_variable(n); });
    if (!may_trap) return index64(e);
    llvm::IRBuilder<> at_entry(frame_.entry, frame_.entry->begin());
    no_quotient_ = at_entry.CreateAlloca(b_.getInt1Ty(), nullptr, "no_quotient");
    b_.CreateStore(b_.getFalse(), no_quotient_);
    begin_expressions();  // divisions that were computed before would not be noted
    Value* extent = index64(e);
    Value* none = b_.CreateLoad(b_.getInt1Ty(), no_quotient_);
    no_quotient_ = nullptr;
    begin_expressions();
    return b_.CreateSelect(none, b_.getInt64(~std::uint64_t{0}), extent);
}

void Emitter::bind_extents() {
    for (BufferSlot& slot : buffers_) {
        for (Expr extent : slot.buffer->shape) slot.extents.push_back(parameter_extent(extent));
    }
}

void Emitter::emit_entry() {
    auto* type = llvm::FunctionType::get(b_.getInt32Ty(), parameter_types(), false);
    auto* function =
        llvm::Function::Create(type, llvm::Function::ExternalLinkage, f_.name, module_);
    add_attributes(*function);
    frame_ = Frame{};
    frame_.function = function;
    frame_.entry = block("entry");
    llvm::BasicBlock* body = block("body");
    b_.SetInsertPoint(body);
    begin_lines();
    for (unsigned i = 0; i < f_.params.size(); ++i) {
        llvm::Argument* argument = function->getArg(i);
        if (const Buffer* buffer = std::get_if<Buffer>(&f_.params[i])) {
            argument->setName((*buffer)->name);
            argument->addAttr(llvm::Attribute::NoAlias);
            if (!analysis::stores_to(f_.body, *buffer))
                argument->addAttr(llvm::Attribute::ReadOnly);
            buffers_.push_back(BufferSlot{*buffer, argument, {}});
        } else {
            const Expr var = std::get<Expr>(f_.params[i]);
            argument->setName(*var->name);
            vars_.emplace_back(var, to_register(argument, var->type));
        }
    }
    bind_extents();
    begin_guards();
    stmt(f_.body);
    b_.CreateRet(b_.getInt32(0));
    b_.SetInsertPoint(frame_.entry);
    b_.CreateBr(body);
    if (lines_ != nullptr) lines_->finish(b_);
    vars_.clear();
    buffers_.clear();
}

// What args[position] points to (a scalar) or is (a buffer's data).
Value* Emitter::packed_argument(Value* args, std::size_t position, const Param& param) {
    Value* cell = b_.CreateConstInBoundsGEP1_64(b_.getPtrTy(), args, position);
    Value* pointer = b_.CreateLoad(b_.getPtrTy(), cell);
    const Expr* scalar = std::get_if<Expr>(&param);
    if (scalar == nullptr) return pointer;
    return b_.CreateAlignedLoad(storage_type((*scalar)->type), pointer, llvm::Align(1));
}

void Emitter::emit_packed() {
    auto* type = llvm::FunctionType::get(b_.getInt32Ty(), {b_.getPtrTy()}, false);
    auto* function = llvm::Function::Create(type, llvm::Function::ExternalLinkage,
                                            f_.name + kPackedSuffix, module_);
    function->addFnAttr(llvm::Attribute::NoUnwind);
    frame_ = Frame{};
    frame_.function = function;
    b_.SetInsertPoint(block("entry"));
    std::vector<Value*> values;
    values.reserve(f_.params.size());
    for (std::size_t i = 0; i < f_.params.size(); ++i) {
        values.push_back(packed_argument(function->getArg(0), i, f_.params[i]));
    }
    // A copy of the code here would have other attributes: narrower vectors, no `noalias`.
    llvm::CallInst* call = b_.CreateCall(module_.getFunction(f_.name), values);
    call->setIsNoInline();
    b_.CreateRet(call);
}

void Emitter::emit_shape() {
    auto* type = llvm::FunctionType::get(b_.getVoidTy(), {b_.getPtrTy(), b_.getPtrTy()}, false);
    auto* function = llvm::Function::Create(type, llvm::Function::ExternalLinkage,
                                            f_.name + kShapeSuffix, module_);
    function->addFnAttr(llvm::Attribute::NoUnwind);
    frame_ = Frame{};
    frame_.function = function;
    frame_.entry = block("entry");
    b_.SetInsertPoint(frame_.entry);
    begin_expressions();
    for (std::size_t i = 0; i < f_.params.size(); ++i) {
        if (const Expr* scalar = std::get_if<Expr>(&f_.params[i])) {
            Value* stored = packed_argument(function->getArg(0), i, f_.params[i]);
            vars_.emplace_back(*scalar, to_register(stored, (*scalar)->type));
        }
    }
    std::uint64_t next = 0;
    for (Buffer b : f_.buffer_params()) {
        for (Expr extent : b->shape) {
            Value* value = parameter_extent(extent);
            b_.CreateStore(
                value, b_.CreateConstInBoundsGEP1_64(b_.getInt64Ty(), function->getArg(1), next++));
        }
    }
    b_.CreateRetVoid();
    vars_.clear();
}

void Emitter::emit_message() {
    auto* type = llvm::FunctionType::get(b_.getPtrTy(), {b_.getInt32Ty()}, false);
    auto* function = llvm::Function::Create(type, llvm::Function::ExternalLinkage,
                                            f_.name + kMessageSuffix, module_);
    function->addFnAttr(llvm::Attribute::NoUnwind);
    frame_ = Frame{};
    frame_.function = function;
    llvm::BasicBlock* entry = block("entry");
    llvm::BasicBlock* unknown = block("unknown");
    b_.SetInsertPoint(unknown);
    b_.CreateRet(b_.CreateGlobalStringPtr("unknown code", f_.name + ".text"));
    b_.SetInsertPoint(entry);
    llvm::SwitchInst* choice = b_.CreateSwitch(function->getArg(0), unknown);
    const auto answer = [&](std::int32_t code, const std::string& text) {
        llvm::BasicBlock* at = block("code");
        b_.SetInsertPoint(at);
        b_.CreateRet(b_.CreateGlobalStringPtr(text, f_.name + ".text"));
        choice->addCase(b_.getInt32(static_cast<std::uint32_t>(code)), at);
    };
    answer(0, "");
    answer(kOutOfMemory, "out of memory");
    std::int32_t code = 0;
    for (const std::string& message : assert_messages(f_)) answer(++code, message);
    for (const std::string& message : guards_) answer(++code, message);
}

namespace {

// A weak `proviso_parallel_for` that runs [lo, hi) as one chunk, in order.
void define_serial_fallback(llvm::Module& module) {
    llvm::Function* function = module.getFunction(kParallelForSymbol);
    if (function == nullptr || !function->empty()) return;
    function->setLinkage(llvm::Function::WeakAnyLinkage);
    llvm::IRBuilder<> b(llvm::BasicBlock::Create(module.getContext(), "entry", function));
    auto* body_type = llvm::FunctionType::get(
        b.getInt32Ty(), {b.getInt64Ty(), b.getInt64Ty(), b.getPtrTy()}, false);
    b.CreateRet(b.CreateCall(body_type, function->getArg(2),
                             {function->getArg(0), function->getArg(1), function->getArg(3)}));
}

}  // namespace

void generate(llvm::Module& module, const Function& f, const CpuOptions& options,
              bool serial_fallback) {
    Emitter emitter(module, f, options);
    if (options.contract && may_contract(f)) emitter.allow_contraction();
    emitter.emit_entry();
    emitter.emit_packed();
    emitter.emit_shape();
    emitter.emit_message();
    if (serial_fallback) define_serial_fallback(module);
}

}  // namespace proviso::backend
