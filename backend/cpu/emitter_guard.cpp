// Checks of guarded code: each access within its buffer, each division with a quotient, each
// extent one that a buffer may have.
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include <algorithm>
#include <csignal>

#include "backend/cpu/codegen.h"
#include "backend/cpu/emitter.h"
#include "backend/lowered.h"
#include "ir/check.h"
#include "ir/children.h"
#include "ir/text.h"

namespace proviso::backend {

using namespace ir;
using llvm::Value;

namespace {

constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 47;  // of a buffer

std::size_t highest_rank(const Function& f) {
    std::size_t out = 1;
    for (Buffer b : f.buffer_params()) out = std::max(out, b->rank());
    for_each_stmt(f.body, [&](Stmt s) {
        if (const Allocate* a = s->as<Allocate>()) out = std::max(out, a->buffer->rank());
    });
    return out;
}

}  // namespace

void Emitter::begin_guards() {
    if (!options_.guarded) return;
    sites_ = all_statements(f_);
    first_guard_ = static_cast<std::int32_t>(assert_messages(f_).size()) + 1;
    auto* type = llvm::ArrayType::get(b_.getInt64Ty(), 1 + 2 * highest_rank(f_));
    fault_ =
        new llvm::GlobalVariable(module_, type, false, llvm::GlobalValue::ExternalLinkage,
                                 llvm::ConstantAggregateZero::get(type), f_.name + kFaultSuffix);
}

// Statements are translated once each, in textual order.
void Emitter::begin_guarded(Stmt s) {
    if (!options_.guarded) return;
    PROVISO_CHECK(next_site_ < sites_.size() && sites_[next_site_].second == s,
                  "statements in another order than their sites");
    site_ = sites_[next_site_++].first.str();
}

Value* Emitter::some_value(Value* value) {
    return options_.guarded ? b_.CreateFreeze(value) : value;
}

// Leaves the function with the guard's code where it fails, its values told.
void Emitter::guard(Value* failed, const std::string& what, std::int64_t kind,
                    const std::vector<Value*>& values) {
    guards_.push_back(what + " at " + site_);
    const auto code = first_guard_ + static_cast<std::int32_t>(guards_.size()) - 1;
    llvm::BasicBlock* leave = block("fault");
    llvm::BasicBlock* go_on = block("ok");
    b_.CreateCondBr(failed, leave, go_on);
    b_.SetInsertPoint(leave);
    const auto tell = [&](std::uint64_t position, Value* value) {
        b_.CreateStore(value, b_.CreateConstInBoundsGEP1_64(b_.getInt64Ty(), fault_, position));
    };
    tell(0, b_.getInt64(static_cast<std::uint64_t>(kind)));
    for (std::size_t k = 0; k < values.size(); ++k) tell(1 + k, values[k]);
    return_code(b_.getInt32(static_cast<std::uint32_t>(code)));
    b_.SetInsertPoint(go_on);
}

void Emitter::guard_access(const char* verb, const BufferSlot& slot, std::span<const Expr> at,
                           std::vector<Value*>& indices) {
    if (!options_.guarded || indices.empty()) return;
    Value* outside = b_.getFalse();
    std::string text;
    std::vector<Value*> values;
    for (std::size_t d = 0; d < indices.size(); ++d) {
        indices[d] = some_value(indices[d]);
        // A negative index is a large one.
        outside = b_.CreateOr(outside, b_.CreateICmpUGE(indices[d], slot.extents[d]));
        text += (d == 0 ? "" : ", ") + print(at[d]);
        values.push_back(indices[d]);
    }
    values.insert(values.end(), slot.extents.begin(), slot.extents.end());
    guard(outside,
          std::string("out of bounds: ") + verb + " of " + slot.buffer->name + "[" + text + "]",
          static_cast<std::int64_t>(indices.size()), values);
}

namespace {

// Ends the process.
void raise_division(llvm::Module& module, llvm::IRBuilderBase& b) {
    auto* type = llvm::FunctionType::get(b.getInt32Ty(), {b.getInt32Ty()}, false);
    b.CreateCall(module.getOrInsertFunction("raise", type), {b.getInt32(SIGFPE)});
    b.CreateUnreachable();
}

// A function that ends the process where its argument is true.
llvm::Function* division_check(llvm::Module& module) {
    constexpr const char* name = "proviso.division_check";
    if (llvm::Function* made = module.getFunction(name)) return made;
    llvm::LLVMContext& context = module.getContext();
    llvm::IRBuilder<> b(context);
    auto* type = llvm::FunctionType::get(b.getVoidTy(), {b.getInt1Ty()}, false);
    auto* out = llvm::Function::Create(type, llvm::Function::InternalLinkage, name, module);
    out->addFnAttr(llvm::Attribute::NoInline);
    llvm::BasicBlock* entry = llvm::BasicBlock::Create(context, "entry", out);
    llvm::BasicBlock* leave = llvm::BasicBlock::Create(context, "no_quotient", out);
    llvm::BasicBlock* go_on = llvm::BasicBlock::Create(context, "quotient", out);
    b.SetInsertPoint(entry);
    b.CreateCondBr(out->getArg(0), leave, go_on);
    b.SetInsertPoint(leave);
    raise_division(module, b);
    b.SetInsertPoint(go_on);
    b.CreateRetVoid();
    return out;
}

bool has_many_blocks(const llvm::Function& function) {
    constexpr std::ptrdiff_t many = 64;
    std::ptrdiff_t seen = 0;
    for (auto at = function.begin(); at != function.end() && seen <= many; ++at) ++seen;
    return seen > many;
}

}  // namespace

// Leaves the process where the division has no quotient. LLVM asks of each division which of the
// branches before it say something of its operands: beyond many, a call has no branch here.
void Emitter::end_at_division(Expr e, Value*& x, Value*& y) {
    x = b_.CreateFreeze(x);
    y = b_.CreateFreeze(y);
    Value* const none = has_no_quotient(e, x, y);
    if (has_many_blocks(*frame_.function)) {
        b_.CreateCall(division_check(module_), {none});
        return;
    }
    llvm::BasicBlock* leave = block("no_quotient");
    llvm::BasicBlock* go_on = block("quotient");
    b_.CreateCondBr(none, leave, go_on);
    b_.SetInsertPoint(leave);
    raise_division(module_, b_);
    b_.SetInsertPoint(go_on);
}

void Emitter::guard_division(Expr e, Value*& x, Value*& y) {
    if (!divides_by_variable(e)) return;
    if (!options_.guarded) {
        if (options_.ends_at_divisions) end_at_division(e, x, y);
        return;
    }
    x = some_value(x);
    y = some_value(y);
    const bool is_signed = e->type.is_signed();
    const auto wide = [&](Value* v) { return b_.CreateIntCast(v, b_.getInt64Ty(), is_signed); };
    guard(has_no_quotient(e, x, y), "division without a quotient: " + print(e), kDivisionFault,
          {wide(x), wide(y)});
}

void Emitter::guard_extents(const BufferSlot& slot) {
    if (!options_.guarded) return;
    const auto width = static_cast<std::uint64_t>(slot.buffer->type.bytes());
    Value* cells = b_.getInt64(1);
    for (std::size_t d = 0; d < slot.extents.size(); ++d) {
        Value* extent = slot.extents[d];
        if (llvm::isa<llvm::ConstantInt>(extent) && llvm::isa<llvm::ConstantInt>(cells)) {
            cells = b_.CreateMul(cells, extent);
            continue;
        }
        // cells * extent * width < 2^47, of what is not negative; 0 cells are no divisor.
        Value* divisor = b_.CreateSelect(b_.CreateIsNull(cells), b_.getInt64(1), cells);
        Value* most = b_.CreateUDiv(b_.getInt64((kMostBytes - 1) / width), divisor);
        guard(b_.CreateICmpUGT(extent, most),
              "an extent that no buffer has: " + print(slot.buffer->shape[d]) + " of " +
                  slot.buffer->name,
              kExtentFault, {extent});
        cells = b_.CreateMul(cells, extent);
    }
}

}  // namespace proviso::backend
