#include "backend/cpu/speed/loop_lines.h"

#include <llvm/IR/DIBuilder.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include "ir/check.h"

namespace proviso::backend {

LoopLines::LoopLines(llvm::Module& module, std::span<const unsigned> lines)
    : lines_(lines), info_(std::make_unique<llvm::DIBuilder>(module)) {
    module.addModuleFlag(llvm::Module::Warning, "Debug Info Version", llvm::DEBUG_METADATA_VERSION);
    info_->createCompileUnit(llvm::dwarf::DW_LANG_C, info_->createFile("program", "."), "proviso",
                             true, "", 0, "", llvm::DICompileUnit::LineTablesOnly);
}

LoopLines::~LoopLines() = default;

void LoopLines::begin(llvm::Function& function) {
    llvm::DIFile* file = info_->createFile("program", ".");
    function.setSubprogram(
        info_->createFunction(file, function.getName(), "", file, 1,
                              info_->createSubroutineType(info_->getOrCreateTypeArray({})), 1,
                              llvm::DINode::FlagZero, llvm::DISubprogram::SPFlagDefinition));
}

void LoopLines::place(llvm::IRBuilderBase& builder) {
    llvm::BasicBlock* at = builder.GetInsertBlock();
    llvm::DISubprogram* function = at == nullptr ? nullptr : at->getParent()->getSubprogram();
    builder.SetCurrentDebugLocation(
        function == nullptr
            ? llvm::DebugLoc()
            : llvm::DebugLoc(llvm::DILocation::get(builder.getContext(), line_, 0, function)));
}

void LoopLines::finish(llvm::IRBuilderBase& builder) {
    builder.SetCurrentDebugLocation(llvm::DebugLoc());
    info_->finalize();
}

LoopLines::Loop::Loop(LoopLines* lines, llvm::IRBuilderBase& builder)
    : lines_(lines), builder_(builder) {
    if (lines_ == nullptr) return;
    PROVISO_CHECK(lines_->next_ < lines_->lines_.size(), "more loops than lines");
    outer_ = lines_->line_;
    lines_->line_ = lines_->lines_[lines_->next_++];
    lines_->place(builder_);
}

LoopLines::Loop::~Loop() {
    if (lines_ == nullptr) return;
    lines_->line_ = outer_;
    lines_->place(builder_);
}

}  // namespace proviso::backend
