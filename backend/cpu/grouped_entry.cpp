#include "backend/cpu/grouped_entry.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include <set>

#include "backend/cpu/codegen.h"
#include "backend/cpu/licence.h"
#include "ir/check.h"
#include "ir/children.h"

namespace proviso::backend {

namespace {

std::int64_t bytes_of(ir::Buffer b) {
    std::int64_t out = b->type.bytes();
    for (ir::Expr extent : b->shape) out *= static_cast<std::int64_t>(extent->int_value());
    return out;
}

GroupedEntry entry_of(const ir::Function& inner, const std::string& symbol, bool contract) {
    GroupedEntry out;
    out.symbol = symbol;
    out.inner = inner.name;
    out.own = inner.params.size();
    out.contract = contract;
    return out;
}

}  // namespace

MemoryBlock memory_block(const std::string& name, const std::vector<ir::Buffer>& buffers) {
    MemoryBlock out{name, {}, 0};
    for (ir::Buffer b : buffers) {
        out.offsets.push_back(out.bytes);
        const std::int64_t lines = (bytes_of(b) + kBlockAlignment - 1) / kBlockAlignment;
        out.bytes += lines * kBlockAlignment;
    }
    return out;
}

PreparedEntries prepared_entries(const ir::Function& whole, const analysis::TwoParts& parts,
                                 const std::string& symbol) {
    PreparedEntries out{parts.prepare, parts.run, {}, {}};
    out.prepare.name = symbol + "_prepare_parts";
    out.run.name = symbol + "_run_parts";
    const bool contract = may_contract(whole);
    std::set<std::string> used;
    for (const ir::Param& p : whole.params) used.insert(ir::param_name(p));
    const std::string packed = ir::fresh_name("packed", used);
    const std::string workspace = ir::fresh_name("workspace", used);
    out.prepare_entry = entry_of(out.prepare, symbol + "_prepare", contract);
    out.prepare_entry.own -= parts.packed.size();
    out.prepare_entry.blocks = {memory_block(packed, parts.packed)};
    out.run_entry = entry_of(out.run, symbol + "_run", contract);
    out.run_entry.own -= parts.packed.size() + parts.workspace.size();
    out.run_entry.blocks = {memory_block(packed, parts.packed),
                            memory_block(workspace, parts.workspace)};
    return out;
}

void define_entry(llvm::Module& module, const GroupedEntry& entry) {
    llvm::Function* inner = module.getFunction(entry.inner);
    PROVISO_CHECK(inner != nullptr, "an entry has a function to call");
    llvm::IRBuilder<> b(module.getContext());
    std::vector<llvm::Type*> types;
    for (std::size_t k = 0; k < entry.own; ++k) {
        types.push_back(inner->getArg(static_cast<unsigned>(k))->getType());
    }
    types.resize(entry.own + entry.blocks.size(), b.getPtrTy());
    auto* type = llvm::FunctionType::get(b.getInt32Ty(), types, false);
    auto* function =
        llvm::Function::Create(type, llvm::Function::ExternalLinkage, entry.symbol, module);
    function->addFnAttr(llvm::Attribute::NoUnwind);
    b.SetInsertPoint(llvm::BasicBlock::Create(module.getContext(), "entry", function));
    std::vector<llvm::Value*> values;
    for (std::size_t k = 0; k < entry.own; ++k) {
        values.push_back(function->getArg(static_cast<unsigned>(k)));
    }
    for (std::size_t g = 0; g < entry.blocks.size(); ++g) {
        llvm::Value* block = function->getArg(static_cast<unsigned>(entry.own + g));
        for (const std::int64_t offset : entry.blocks[g].offsets) {
            values.push_back(
                b.CreateConstGEP1_64(b.getInt8Ty(), block, static_cast<std::uint64_t>(offset)));
        }
    }
    PROVISO_CHECK(values.size() == inner->arg_size(), "each buffer of an entry is in a block");
    b.CreateRet(b.CreateCall(inner, values));
    for (const char* suffix : {"", kPackedSuffix, kShapeSuffix, kMessageSuffix, kFaultSuffix}) {
        if (llvm::GlobalValue* own = module.getNamedValue(entry.inner + suffix)) {
            own->setLinkage(llvm::GlobalValue::InternalLinkage);
        }
    }
}

}  // namespace proviso::backend
