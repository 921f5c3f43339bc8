#include "backend/cpu/module.h"

#include <llvm/IR/Module.h>
#include <llvm/MC/MCSubtargetInfo.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/TargetParser/Host.h>

#include <algorithm>
#include <mutex>

#include "backend/c_names.h"
#include "backend/cpu/codegen.h"
#include "backend/llvm_module.h"
#include "backend/lowered.h"

namespace proviso::backend {

namespace {

void initialise_targets() {
    static std::once_flag once;
    std::call_once(once, [] {
        llvm::InitializeNativeTarget();
        llvm::InitializeNativeTargetAsmPrinter();
    });
}

bool host_has_default_cpu() {
    const llvm::StringMap<bool> features = llvm::sys::getHostCPUFeatures();
    for (const char* name : {"avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe"}) {
        if (!features.lookup(name)) return false;
    }
    return true;
}

std::string choose_cpu(const CpuOptions& options, Purpose purpose, const llvm::Triple& triple) {
    if (!options.cpu.empty()) return options.cpu;
    if (triple.getArch() != llvm::Triple::x86_64) return "generic";
    if (purpose == Purpose::Run && !host_has_default_cpu()) return "x86-64";
    return kDefaultCpu;
}

Result<std::unique_ptr<llvm::TargetMachine>> make_target(const CpuOptions& options,
                                                         Purpose purpose) {
    initialise_targets();
    const std::string triple = llvm::sys::getDefaultTargetTriple();
    std::string message;
    const llvm::Target* target = llvm::TargetRegistry::lookupTarget(triple, message);
    if (target == nullptr) return error("no code generator for " + triple + ": " + message);
    const std::string cpu = choose_cpu(options, purpose, llvm::Triple(triple));
    const std::unique_ptr<llvm::MCSubtargetInfo> info(
        target->createMCSubtargetInfo(triple, "", ""));
    if (info != nullptr && !info->isCPUStringValid(cpu)) {
        return error("unknown CPU \"" + cpu + "\" for " + triple,
                     std::string("for example ") + kDefaultCpu);
    }
    llvm::TargetOptions target_options;
    target_options.AllowFPOpFusion = llvm::FPOpFusion::Strict;
    const auto level =
        options.opt == OptLevel::O0 ? llvm::CodeGenOptLevel::None : llvm::CodeGenOptLevel::Default;
    return std::unique_ptr<llvm::TargetMachine>(target->createTargetMachine(
        triple, cpu, "", target_options, llvm::Reloc::PIC_, std::nullopt, level));
}

Status check_functions(const std::vector<ir::Function>& functions, const CpuOptions& options) {
    if (functions.empty()) return error("no function to compile");
    std::set<std::string> symbols;
    for (const auto& [name, unused] : options.externs) symbols.insert(name);
    std::set<std::string> taken = symbols;
    for (const ir::Function& f : functions) {
        const Status lowered = check_lowered(f, symbols);
        if (!lowered) return lowered.error();
        const Status symbol = check_symbol(f.name);
        if (!symbol) return symbol.error();
        for (const char* suffix : {"", kPackedSuffix, kShapeSuffix, kMessageSuffix}) {
            if (!taken.insert(f.name + suffix).second) {
                return error("two symbols are called " + f.name + suffix,
                             "rename a function or a registered symbol");
            }
        }
        if (options.guarded && !taken.insert(f.name + kFaultSuffix).second) {
            return error("two symbols are called " + f.name + kFaultSuffix, "rename a function");
        }
    }
    return Unit{};
}

}  // namespace

BuiltModule::BuiltModule(std::unique_ptr<llvm::LLVMContext> context,
                         std::unique_ptr<llvm::Module> module,
                         std::unique_ptr<llvm::TargetMachine> target)
    : context_(std::move(context)), module_(std::move(module)), target_(std::move(target)) {}
BuiltModule::BuiltModule(BuiltModule&&) noexcept = default;
BuiltModule& BuiltModule::operator=(BuiltModule&& other) noexcept {
    module_ = std::move(other.module_);  // before its context
    context_ = std::move(other.context_);
    target_ = std::move(other.target_);
    return *this;
}
BuiltModule::~BuiltModule() = default;

std::string BuiltModule::ir_text() const {
    std::string text;
    llvm::raw_string_ostream out(text);
    module_->print(out, nullptr);
    return text;
}

Result<std::string> BuiltModule::assembly() {
    return generate_code(*module_, *target_, Output::Assembly);
}

Result<std::string> BuiltModule::object() {
    return generate_code(*module_, *target_, Output::Object);
}

namespace {

// Whether a function is so long that LLVM's passes and its allocation of registers, whose work
// grows with the square of that and more, take longer than a run of what they would make of it.
bool is_large(const llvm::Module& module) {
    constexpr unsigned most = 10'000;  // instructions
    return std::any_of(module.begin(), module.end(),
                       [](const llvm::Function& f) { return f.getInstructionCount() > most; });
}

}  // namespace

Result<BuiltModule> build_module(const std::vector<ir::Function>& functions,
                                 const CpuOptions& options, Purpose purpose) {
    const Status fine = check_functions(functions, options);
    if (!fine) return fine.error();
    auto target = make_target(options, purpose);
    if (!target) return target.error();
    auto context = std::make_unique<llvm::LLVMContext>();
    quieten(*context);
    auto module = std::make_unique<llvm::Module>(functions.front().name, *context);
    module->setTargetTriple((*target)->getTargetTriple().str());
    module->setDataLayout((*target)->createDataLayout());
    module->setPICLevel(llvm::PICLevel::BigPIC);
    for (const ir::Function& f : functions) {
        generate(*module, with_explicit_sizes(f), options, purpose == Purpose::Emit);
    }
    verify(*module);
    if (purpose == Purpose::Run && is_large(*module)) {
        (*target)->setOptLevel(llvm::CodeGenOptLevel::None);
    } else if (options.opt == OptLevel::O2) {
        run_passes(*module, **target, Passes::Optimise);
    }
    return BuiltModule(std::move(context), std::move(module), std::move(target).value());
}

}  // namespace proviso::backend
