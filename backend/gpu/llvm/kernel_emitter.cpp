#include "backend/gpu/llvm/kernel_emitter.h"

#include <fmt/format.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include <algorithm>

#include "backend/cpu/emitter.h"
#include "backend/gpu/llvm/llvm_functions.h"
#include "ir/buffer_scope.h"
#include "ir/check.h"
#include "ir/planted.h"

namespace proviso::backend::gpu {

using namespace ir;
using llvm::Value;

namespace {

class KernelEmitter final : public Emitter {
  public:
    KernelEmitter(llvm::Module& module, const Plan& plan, const Kernel& kernel,
                  const CpuOptions& options)
        : Emitter(module, plan.function, options), k_(kernel) {}

    void run() {
        open_function();
        shared_buffers();
        thread_buffers();
        Stmt inner = k_.stmt;
        Site site = k_.site;
        while (const For* n = inner->as<For>()) {
            if (!is_bound(*n) || !is_block_loop(*n)) break;
            enter_bound(*n, true);
            inner = n->body;
            site = site.child("body");
        }
        block_level(inner, site);
        b_.CreateRetVoid();
        b_.SetInsertPoint(frame_.entry);
        b_.CreateBr(first_);
    }

  private:
    void open_function() {
        std::vector<llvm::Type*> types(k_.buffers.size(),
                                       llvm::PointerType::get(context_, kGlobalSpace));
        for (Expr v : k_.scalars) types.push_back(storage_type(v->type));
        frame_ = Frame{};
        frame_.function =
            llvm::Function::Create(llvm::FunctionType::get(b_.getVoidTy(), types, false),
                                   llvm::Function::ExternalLinkage, k_.name, module_);
        frame_.function->addFnAttr(llvm::Attribute::NoUnwind);
        frame_.function->addFnAttr(llvm::Attribute::Convergent);
        frame_.entry = block("entry");
        first_ = block("body");
        b_.SetInsertPoint(first_);
        unsigned next = 0;
        for (Buffer b : k_.buffers) parameter(b, frame_.function->getArg(next++));
        for (Expr v : k_.scalars) {
            llvm::Argument* argument = frame_.function->getArg(next++);
            argument->setName(*v->name);
            vars_.emplace_back(v, to_register(argument, v->type));
        }
        for (BufferSlot& slot : buffers_) bind_outer_extents(slot);
    }

    void parameter(Buffer b, llvm::Argument* argument) {
        argument->setName(b->name);
        const bool written = k_.written.count(b) != 0;
        if (!written) argument->addAttr(llvm::Attribute::ReadOnly);
        if (!written || k_.barriers.empty() || planted("gpu:no-other-thread-stores")) {
            argument->addAttr(llvm::Attribute::NoAlias);
        }
        buffers_.push_back(BufferSlot{b, argument, {}, 0});
    }

    // The first extent says nothing about positions, and a kernel need not know it.
    void bind_outer_extents(BufferSlot& slot) {
        for (std::size_t d = 0; d < slot.buffer->rank(); ++d) {
            slot.extents.push_back(d == 0 ? b_.getInt64(0) : index64(slot.buffer->shape[d]));
        }
    }

    void own_buffer(Buffer b, Value* data, std::size_t skip) {
        BufferSlot slot{b, data, {}, skip};
        for (Expr extent : b->shape) slot.extents.push_back(index64(extent));
        buffers_.push_back(std::move(slot));
    }

    // One array for all, laid out as in the text.
    void shared_buffers() {
        if (k_.shared_bytes == 0) return;
        auto* type =
            llvm::ArrayType::get(b_.getInt8Ty(), static_cast<std::uint64_t>(k_.shared_bytes));
        auto* memory = new llvm::GlobalVariable(
            module_, type, false, llvm::GlobalValue::InternalLinkage, llvm::UndefValue::get(type),
            k_.name + kSharedSuffix, nullptr, llvm::GlobalValue::NotThreadLocal, kSharedSpace);
        memory->setAlignment(llvm::Align(16));
        std::int64_t offset = 0;
        for_each_stmt(k_.stmt, [&](Stmt s) {
            const Allocate* n = s->as<Allocate>();
            if (n == nullptr || !is_shared_scope(n->buffer->scope)) return;
            offset = (offset + 15) / 16 * 16;
            Value* at = b_.CreateConstInBoundsGEP1_64(b_.getInt8Ty(), memory,
                                                      static_cast<std::uint64_t>(offset));
            own_buffer(n->buffer, at, 0);
            offset += constant_elements(n->buffer) * n->buffer->type.bytes();
        });
    }

    // A thread's parts of buffers that live across barriers.
    void thread_buffers() {
        for_each_stmt(k_.stmt, [&](Stmt s) {
            const Allocate* n = s->as<Allocate>();
            if (n == nullptr) return;
            const auto found = k_.thread_buffers.find(n->buffer);
            if (found == k_.thread_buffers.end()) return;
            own_buffer(n->buffer, registers(n->buffer, found->second), found->second);
            poison(buffers_.back());
        });
    }

    Value* registers(Buffer b, std::size_t skip) {
        const std::int64_t bytes = constant_elements(b, skip) * b->type.bytes();
        llvm::IRBuilder<> at_entry(frame_.entry, frame_.entry->begin());
        llvm::AllocaInst* object = at_entry.CreateAlloca(
            at_entry.getInt8Ty(),
            at_entry.getInt64(static_cast<std::uint64_t>(std::max<std::int64_t>(bytes, 1))),
            b->name);
        object->setAlignment(llvm::Align(16));
        return object;
    }

    // Threads have no heap.
    Value* allocate_memory(const BufferSlot& slot) override {
        BufferSlot own = slot;
        own.data = registers(slot.buffer, 0);
        poison(own);
        return own.data;
    }

    void poison(const BufferSlot& slot) {
        if (options_.fill == Fill::None) return;
        const std::int64_t count = constant_elements(slot.buffer, slot.skip);
        fill(slot, b_.getInt64(static_cast<std::uint64_t>(count)));
    }

    Value* index(bool of_block, std::size_t axis) {
        llvm::FunctionCallee query =
            module_.getOrInsertFunction(index_symbol(of_block, axis), b_.getInt32Ty());
        auto* function = llvm::cast<llvm::Function>(query.getCallee());
        function->addFnAttr(llvm::Attribute::NoUnwind);
        function->addFnAttr(llvm::Attribute::WillReturn);
        function->setMemoryEffects(llvm::MemoryEffects::none());
        return b_.CreateCall(query);
    }

    // The variable of a bound loop.
    void enter_bound(const For& n, bool of_block) {
        begin_expressions();
        std::size_t axis = axis_of(n);
        if (!of_block && planted("gpu:wrong-thread")) axis = (axis + 1) % 2;
        Value* value = b_.CreateZExtOrTrunc(index(of_block, axis), register_type(n.var->type));
        if (!is_int_const(n.lo, 0)) value = b_.CreateAdd(expr(n.lo), value);
        vars_.emplace_back(n.var, value);
    }

    // --- block level
    // -------------------------------------------------------------------------------

    void block_level(Stmt s, const Site& site) {
        if (!contains_bound_loop(s)) {
            phase(s);
            return barrier(site);
        }
        std::visit(Overloaded{
                       [&](const For& n) {
                           if (is_bound(n)) return phase(s);
                           block_loop(n, site);
                       },
                       [&](const IfElse& n) { branch(n, site); },
                       [&](const Seq& n) {
                           for (std::size_t i = 0; i < n.body.size(); ++i) {
                               block_level(n.body[i], site.child(std::to_string(i)));
                           }
                       },
                       [&](const LetStmt& n) {
                           begin_expressions();
                           vars_.emplace_back(n.var, definite(expr(n.value)));
                           block_level(n.body, site.child("body"));
                           vars_.pop_back();
                       },
                       [&](const Allocate& n) { block_level(n.body, site.child("body")); },
                       [&](const auto&) { PROVISO_CHECK(false, "a bound loop in a leaf"); },
                   },
                   s->data);
        barrier(site);
    }

    void block_loop(const For& n, const Site& site) {
        begin_expressions();
        Value* lo = expr(n.lo);
        Value* hi = expr(n.hi);
        const auto emit = [&](const std::vector<llvm::MDNode*>& how) {
            counted_loop(lo, hi, n.var->type.is_signed(), *n.var->name, how, [&](Value* var) {
                vars_.emplace_back(n.var, var);
                block_level(n.body, site.child("body"));
                vars_.pop_back();
            });
        };
        if (n.kind == ForKind::Unrolled) {
            unrolled(n, emit);
        } else {
            emit({});
        }
    }

    void branch(const IfElse& n, const Site& site) {
        begin_expressions();
        llvm::BasicBlock* then_block = block("if.then");
        llvm::BasicBlock* else_block = n.else_body == nullptr ? nullptr : block("if.else");
        llvm::BasicBlock* end = block("if.end");
        b_.CreateCondBr(expr(n.cond), then_block, else_block == nullptr ? end : else_block);
        b_.SetInsertPoint(then_block);
        block_level(n.then_body, site.child("then"));
        b_.CreateBr(end);
        if (else_block != nullptr) {
            b_.SetInsertPoint(else_block);
            block_level(n.else_body, site.child("else"));
            b_.CreateBr(end);
        }
        b_.SetInsertPoint(end);
    }

    // What stands at `site` is done.
    void barrier(const Site& site) {
        const auto found = k_.barriers.find(site);
        if (found == k_.barriers.end() || planted("gpu:no-barrier")) return;
        llvm::FunctionCallee wait =
            module_.getOrInsertFunction(kWaitSymbol, b_.getVoidTy(), b_.getInt32Ty());
        auto* function = llvm::cast<llvm::Function>(wait.getCallee());
        function->addFnAttr(llvm::Attribute::Convergent);
        function->addFnAttr(llvm::Attribute::NoUnwind);
        const auto which = std::distance(k_.barriers.begin(), found) + 1;
        b_.CreateCall(wait, {b_.getInt32(static_cast<std::uint32_t>(which))});
        begin_expressions();
    }

    // What threads of a block do, each by itself.
    void phase(Stmt s) {
        std::array<const For*, kAxes> loops{};
        std::size_t entered = 0;
        while (const For* n = s->as<For>()) {
            if (!is_bound(*n)) break;
            enter_bound(*n, false);
            loops[axis_of(*n)] = n;
            ++entered;
            s = n->body;
        }
        if (Value* takes_part = phase_guard(loops)) {
            llvm::BasicBlock* inside = block("takes_part");
            llvm::BasicBlock* end = block("phase.end");
            b_.CreateCondBr(takes_part, inside, end);
            b_.SetInsertPoint(inside);
            stmt(s);
            b_.CreateBr(end);
            b_.SetInsertPoint(end);
        } else {
            stmt(s);
        }
        vars_.resize(vars_.size() - entered);
    }

    // Which of the launched threads take part in a phase with fewer; null: all.
    Value* phase_guard(const std::array<const For*, kAxes>& loops) {
        Value* out = nullptr;
        for (std::size_t a = 0; a < kAxes; ++a) {
            if (k_.block[a] == nullptr) continue;
            Int128 extent = 1;  // the first thread alone
            if (loops[a] != nullptr) {
                if (!is_int_const(k_.block[a])) continue;  // all have the extent of the launch
                extent = loops[a]->hi->int_value() - loops[a]->lo->int_value();
                if (extent == k_.block[a]->int_value()) continue;
            }
            Value* wide = b_.CreateZExt(index(false, a), b_.getInt64Ty());
            const auto most = static_cast<std::uint64_t>(static_cast<std::int64_t>(extent));
            Value* below = b_.CreateICmpSLT(wide, b_.getInt64(most));
            out = out == nullptr ? below : b_.CreateAnd(out, below);
        }
        return planted("gpu:no-guard") ? nullptr : out;
    }

    // Kernels have no library: the functions are in the module.
    Value* library_call(MathFn fn, const std::vector<Value*>& args) override {
        return b_.CreateCall(llvm_function(module_, fn), args);
    }

    // One thread runs them in order, as the text does.
    void loop(const For& s) override {
        if (s.kind != ForKind::Parallel) return Emitter::loop(s);
        Value* lo = expr(s.lo);
        Value* hi = expr(s.hi);
        serial_loop(s, lo, hi, {});
    }

    const Kernel& k_;
    llvm::BasicBlock* first_ = nullptr;
};

}  // namespace

std::string index_symbol(bool of_block, std::size_t axis) {
    return fmt::format("pv_{}_{}", of_block ? "block" : "thread", "xyz"[axis]);
}

void generate_kernel(llvm::Module& module, const Plan& plan, const Kernel& kernel,
                     const CpuOptions& options) {
    KernelEmitter(module, plan, kernel, options).run();
}

}  // namespace proviso::backend::gpu
