#include "backend/llvm_module.h"

#include <llvm/ADT/SmallString.h>
#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/DiagnosticPrinter.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/Transforms/IPO/AlwaysInliner.h>

#include <mutex>

#include "ir/check.h"

namespace proviso::backend {

void quieten(llvm::LLVMContext& context) {
    context.setDiagnosticHandlerCallBack([](const llvm::DiagnosticInfo* info, void*) {
        if (info->getSeverity() != llvm::DS_Error) return;
        std::string text;
        llvm::raw_string_ostream out(text);
        llvm::DiagnosticPrinterRawOStream printer(out);
        info->print(printer);
        PROVISO_CHECK(false, "LLVM refuses generated code: " + text);
    });
}

void verify(const llvm::Module& module) {
    std::string findings;
    llvm::raw_string_ostream out(findings);
    PROVISO_CHECK(!llvm::verifyModule(module, &out), "generated LLVM IR is malformed: " + findings);
}

namespace {

// LLVM 19's vectorizer of loops takes A[i * 3 % 32], for 32 iterations, for every third cell of 96:
// it assumes that the index does not wrap, in a type of 5 bits, and drops the check of that. So
// groups of accesses at a distance are off, which is where it relies on it. All passes of the
// process share the option; there is no other way to it.
void without_groups_of_accesses() {
    static std::once_flag once;
    std::call_once(once, [] {
        const llvm::StringRef name = "enable-interleaved-mem-accesses";
        auto& options = llvm::cl::getRegisteredOptions();
        const auto option = options.find(name);
        PROVISO_CHECK(option != options.end(), "LLVM has no option " + name.str());
        const bool failed = option->second->addOccurrence(0, name, "false");
        PROVISO_CHECK(!failed, "LLVM does not take its option " + name.str());
    });
}

// Runs one pipeline. Vectorizers are off unless asked for, as by a front end. Neither
// re-associates: no instruction allows it.
void run_pipeline(llvm::Module& module, llvm::TargetMachine& target, bool unroll,
                  llvm::ModulePassManager (*pipeline)(llvm::PassBuilder&)) {
    llvm::LoopAnalysisManager loops;
    llvm::FunctionAnalysisManager functions;
    llvm::CGSCCAnalysisManager calls;
    llvm::ModuleAnalysisManager modules;
    llvm::PipelineTuningOptions tuning;
    tuning.LoopVectorization = true;
    tuning.LoopInterleaving = true;
    tuning.LoopUnrolling = unroll;
    tuning.SLPVectorization = unroll;
    llvm::PassBuilder builder(&target, tuning);
    builder.registerModuleAnalyses(modules);
    builder.registerCGSCCAnalyses(calls);
    builder.registerFunctionAnalyses(functions);
    builder.registerLoopAnalyses(loops);
    builder.crossRegisterProxies(loops, functions, calls, modules);
    pipeline(builder).run(module, modules);
}

llvm::ModulePassManager only_inlining(llvm::PassBuilder& /*builder*/) {
    llvm::ModulePassManager out;
    out.addPass(llvm::AlwaysInlinerPass());
    return out;
}

llvm::ModulePassManager usual(llvm::PassBuilder& builder) {
    return builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O2);
}

}  // namespace

void run_passes(llvm::Module& module, llvm::TargetMachine& target, Passes which) {
    without_groups_of_accesses();
    if (which == Passes::InlineOnly) return run_pipeline(module, target, true, only_inlining);
    // LLVM copies the body of a short loop before its vectorizer of loops has seen it. What is left
    // for the other one, of code without loops, are 16 sums that it may find next to each other, or
    // gather one by one. So loops become vectors first; then copies.
    if (which == Passes::VectorsFirst) run_pipeline(module, target, false, usual);
    run_pipeline(module, target, true, usual);
}

Result<std::string> generate_code(llvm::Module& module, llvm::TargetMachine& target,
                                  Output output) {
    llvm::SmallString<0> bytes;
    llvm::raw_svector_ostream out(bytes);
    llvm::legacy::PassManager passes;
    const auto type = output == Output::Object ? llvm::CodeGenFileType::ObjectFile
                                               : llvm::CodeGenFileType::AssemblyFile;
    if (target.addPassesToEmitFile(passes, out, nullptr, type)) {
        return error("the target cannot emit this kind of file");
    }
    passes.run(module);
    return std::string(bytes.str());
}

}  // namespace proviso::backend
