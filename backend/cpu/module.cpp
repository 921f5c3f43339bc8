#include "backend/cpu/module.h"

#include <llvm/IR/Module.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/TargetParser/Host.h>
#include <llvm/TargetParser/Triple.h>

#include <algorithm>
#include <mutex>

#include "analysis/external/external_call.h"
#include "backend/cpu/backend.h"
#include "backend/cpu/codegen.h"
#include "backend/cpu/machine.h"
#include "backend/llvm_module.h"
#include "backend/lowered.h"
#include "ir/c_names.h"

namespace proviso::backend {

namespace {

void initialise_targets() {
    static std::once_flag once;
    std::call_once(once, [] {
        llvm::InitializeNativeTarget();
        llvm::InitializeNativeTargetAsmPrinter();
    });
}

// What LLVM has for the architecture of this machine.
struct Architecture {
    std::string triple;
    const llvm::Target* target = nullptr;
};

Result<Architecture> architecture() {
    initialise_targets();
    Architecture out{llvm::sys::getDefaultTargetTriple(), nullptr};
    std::string message;
    out.target = llvm::TargetRegistry::lookupTarget(out.triple, message);
    if (out.target == nullptr) {
        return error("no code generator for " + out.triple + ": " + message);
    }
    return out;
}

// The machine that code is for. Code for this process is for its machine, unless it is asked for
// otherwise; what is emitted is for the same CPU wherever that is done.
Result<Machine> choose_machine(const Architecture& here, const std::string& cpu, Purpose purpose) {
    if (cpu.empty()) {
        if (purpose == Purpose::Run) return host_machine(*here.target, here.triple);
        const bool is_x86_64 = llvm::Triple(here.triple).getArch() == llvm::Triple::x86_64;
        return machine_of(*here.target, here.triple, is_x86_64 ? kDefaultCpu : "generic");
    }
    Result<Machine> asked = machine_of(*here.target, here.triple, cpu);
    if (!asked || purpose == Purpose::Emit) return asked;
    const int level = host_machine(*here.target, here.triple).level;
    if (asked->level <= level) return asked;
    return error("this machine is of level " + level_name(level) + ", and " + cpu +
                     " is of level " + level_name(asked->level),
                 "code for native runs here");
}

struct Target {
    std::unique_ptr<llvm::TargetMachine> machine;
    int level = 0;
};

Result<Target> make_target(const CpuOptions& options, Purpose purpose) {
    const Result<Architecture> here = architecture();
    if (!here) return here.error();
    const Result<Machine> machine = choose_machine(*here, options.cpu, purpose);
    if (!machine) return machine.error();
    llvm::TargetOptions target_options;
    target_options.AllowFPOpFusion = llvm::FPOpFusion::Strict;
    const auto level =
        options.opt == OptLevel::O0 ? llvm::CodeGenOptLevel::None : llvm::CodeGenOptLevel::Default;
    Target out;
    out.machine.reset(here->target->createTargetMachine(here->triple, machine->cpu,
                                                        machine->features, target_options,
                                                        llvm::Reloc::PIC_, std::nullopt, level));
    out.level = machine->level;
    return out;
}

// C functions that are called in the place of blocks.
Status check_externals(const ir::Function& f, const CpuOptions& options, Purpose purpose,
                       std::set<std::string>& called) {
    for (const std::string& symbol : external_symbols(f)) {
        const Status fine = ir::check_symbol(symbol);
        if (!fine) return fine.error();
        if (options.guarded) {
            return error("guarded code calls no external function, as \"" + symbol + "\"",
                         "what that does to memory cannot be checked");
        }
        if (purpose == Purpose::Run && options.externs.count(symbol) == 0) {
            return error("the external function \"" + symbol + "\" is not in this process",
                         "`--engine interp` runs what its description says; code that is emitted "
                         "(`lower --emit obj`) is linked with it");
        }
        called.insert(symbol);
    }
    return Unit{};
}

Status check_functions(const std::vector<ir::Function>& functions, const CpuOptions& options,
                       Purpose purpose) {
    if (functions.empty()) return error("no function to compile");
    std::set<std::string> symbols;
    for (const auto& [name, unused] : options.externs) symbols.insert(name);
    std::set<std::string> taken = symbols;
    for (const ir::Function& f : functions) {
        const Status fine = check_externals(f, options, purpose, taken);
        if (!fine) return fine.error();
    }
    if (const Status fine = analysis::external_calls_agree(functions); !fine) return fine.error();
    for (const ir::Function& f : functions) {
        const Status lowered = check_lowered(f, symbols);
        if (!lowered) return lowered.error();
        const Status symbol = ir::check_symbol(f.name);
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
    for (const GroupedEntry& e : options.entries) {
        if (!taken.insert(e.symbol).second) {
            return error("two symbols are called " + e.symbol, "rename a function");
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

Result<std::string> emitted_for(const std::string& cpu) {
    const Result<Architecture> here = architecture();
    if (!here) return here.error();
    const Result<Machine> machine = choose_machine(*here, cpu, Purpose::Emit);
    if (!machine) return machine.error();
    if (machine->level == 0 || machine->cpu == level_name(machine->level)) return machine->cpu;
    return machine->cpu + ", of level " + level_name(machine->level);
}

Result<BuiltModule> build_module(const std::vector<ir::Function>& functions,
                                 const CpuOptions& options, Purpose purpose) {
    const Status fine = check_functions(functions, options, purpose);
    if (!fine) return fine.error();
    auto target = make_target(options, purpose);
    if (!target) return target.error();
    auto context = std::make_unique<llvm::LLVMContext>();
    quieten(*context);
    if (options.remarks) options.remarks(*context);
    auto module = std::make_unique<llvm::Module>(functions.front().name, *context);
    llvm::TargetMachine& machine = *target->machine;
    module->setTargetTriple(machine.getTargetTriple().str());
    module->setDataLayout(machine.createDataLayout());
    if (purpose == Purpose::Emit) note_level(*module, target->level);
    module->setPICLevel(llvm::PICLevel::BigPIC);
    for (const ir::Function& f : functions) {
        CpuOptions own = options;
        for (const GroupedEntry& e : options.entries) {
            if (e.inner == f.name) own.contract = own.contract && e.contract;
        }
        generate(*module, with_explicit_sizes(f), own, purpose == Purpose::Emit);
    }
    for (const GroupedEntry& e : options.entries) define_entry(*module, e);
    verify(*module);
    if (purpose == Purpose::Run && is_large(*module)) {
        machine.setOptLevel(llvm::CodeGenOptLevel::None);
    } else if (options.opt == OptLevel::O2) {
        run_passes(*module, machine, Passes::VectorsFirst);
    }
    return BuiltModule(std::move(context), std::move(module), std::move(target->machine));
}

}  // namespace proviso::backend
