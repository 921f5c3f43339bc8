#include "backend/gpu/drivers/nvptx_host.h"

#include <fmt/format.h>
#include <llvm/ExecutionEngine/Orc/LLJIT.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/TargetSelect.h>

#include <mutex>

#include "backend/gpu/llvm/kernel_emitter.h"
#include "backend/gpu/llvm/llvm_functions.h"
#include "backend/gpu/llvm/nvptx.h"
#include "backend/gpu/text/functions.h"

namespace proviso::backend::gpu {

namespace {

Diagnostic jit_error(llvm::Error e) {
    return error("loading compiled kernels: " + llvm::toString(std::move(e)));
}

llvm::GlobalVariable* variable(llvm::Module& module, const char* name, llvm::Type* type) {
    return new llvm::GlobalVariable(module, type, false, llvm::GlobalValue::ExternalLinkage,
                                    llvm::Constant::getNullValue(type), name);
}

// The body of a function that kernels call; null where none does.
llvm::BasicBlock* body_of(llvm::Module& module, const std::string& name) {
    llvm::Function* function = module.getFunction(name);
    if (function == nullptr) return nullptr;
    return llvm::BasicBlock::Create(module.getContext(), "entry", function);
}

// What the kernels call, by the variables that a scheduler sets: those of the host's prelude.
void define_for_host(llvm::Module& module) {
    llvm::LLVMContext& context = module.getContext();
    llvm::IRBuilder<> b(context);
    auto* const index = llvm::ArrayType::get(b.getInt32Ty(), kAxes);
    for (const bool of_block : {true, false}) {
        llvm::GlobalVariable* at = variable(module, of_block ? "pv_block" : "pv_thread", index);
        for (std::size_t a = 0; a < kAxes; ++a) {
            llvm::BasicBlock* body = body_of(module, index_symbol(of_block, a));
            if (body == nullptr) continue;
            b.SetInsertPoint(body);
            body->getParent()->setMemoryEffects(llvm::MemoryEffects::readOnly());
            b.CreateRet(b.CreateLoad(
                b.getInt32Ty(),
                b.CreateConstInBoundsGEP2_64(index, at, 0, static_cast<std::uint64_t>(a))));
        }
    }
    variable(module, "pv_shared", b.getPtrTy());
    llvm::GlobalVariable* barrier = variable(module, "pv_barrier", b.getPtrTy());
    llvm::BasicBlock* wait = body_of(module, kWaitSymbol);
    if (wait == nullptr) return;
    b.SetInsertPoint(wait);
    auto* const type = llvm::FunctionType::get(b.getVoidTy(), {b.getInt32Ty()}, false);
    b.CreateCall(type, b.CreateLoad(b.getPtrTy(), barrier), {wait->getParent()->getArg(0)});
    b.CreateRetVoid();
}

// void NAME__call(void** arguments): one pointer a parameter, to a buffer's data or to a scalar.
void add_entry(llvm::Module& module, const std::string& name) {
    llvm::Function* kernel = module.getFunction(name);
    llvm::IRBuilder<> b(module.getContext());
    auto* const type = llvm::FunctionType::get(b.getVoidTy(), {b.getPtrTy()}, false);
    auto* const entry =
        llvm::Function::Create(type, llvm::Function::ExternalLinkage, name + "__call", module);
    b.SetInsertPoint(llvm::BasicBlock::Create(module.getContext(), "entry", entry));
    std::vector<llvm::Value*> values;
    for (llvm::Argument& parameter : kernel->args()) {
        llvm::Value* cell =
            b.CreateConstInBoundsGEP1_64(b.getPtrTy(), entry->getArg(0), values.size());
        if (parameter.getType()->isPointerTy()) {
            values.push_back(b.CreateLoad(parameter.getType(), cell));
        } else {
            llvm::Value* scalar = b.CreateLoad(b.getPtrTy(), cell);
            values.push_back(b.CreateAlignedLoad(parameter.getType(), scalar, llvm::Align(1)));
        }
    }
    b.CreateCall(kernel, values);
    b.CreateRetVoid();
}

Result<std::unique_ptr<llvm::orc::LLJIT>> make_jit() {
    static std::once_flag once;
    std::call_once(once, [] {
        llvm::InitializeNativeTarget();
        llvm::InitializeNativeTargetAsmPrinter();
    });
    auto machine = llvm::orc::JITTargetMachineBuilder::detectHost();
    if (!machine) return jit_error(machine.takeError());
    machine->getOptions().AllowFPOpFusion = llvm::FPOpFusion::Strict;
    auto jit = llvm::orc::LLJITBuilder()
                   .setJITTargetMachineBuilder(std::move(*machine))
                   .setPlatformSetUp(llvm::orc::setUpInactivePlatform)
                   .create();
    if (!jit) return jit_error(jit.takeError());
    auto process = llvm::orc::DynamicLibrarySearchGenerator::GetForCurrentProcess(
        (*jit)->getDataLayout().getGlobalPrefix());
    if (!process) return jit_error(process.takeError());
    (*jit)->getMainJITDylib().addGenerator(std::move(*process));
    return std::move(*jit);
}

Result<std::unique_ptr<llvm::orc::LLJIT>> compile(const Module& module) {
    Result<LlvmKernels> kernels = llvm_kernels(module, "sm_90", Fill::AllOnes);
    if (!kernels) return kernels.error();
    auto jit = make_jit();
    if (!jit) return jit.error();
    llvm::Module& m = *kernels->module;
    // Types have the sizes that they have on the device, and address spaces are one.
    m.setTargetTriple((*jit)->getTargetTriple().str());
    m.setDataLayout((*jit)->getDataLayout());
    define_for_host(m);
    for (const Kernel& k : module.plan.kernels) {
        add_entry(m, k.name);
        if (llvm::GlobalVariable* shared = m.getNamedGlobal(k.name + kSharedSuffix)) {
            shared->setLinkage(llvm::GlobalValue::ExternalLinkage);
            shared->setInitializer(llvm::Constant::getNullValue(shared->getValueType()));
        }
    }
    if (llvm::NamedMDNode* notes = m.getNamedMetadata("nvvm.annotations")) {
        m.eraseNamedMetadata(notes);
    }
    llvm::orc::ThreadSafeModule owned(std::move(kernels->module), std::move(kernels->context));
    if (auto failed = (*jit)->addIRModule(std::move(owned))) return jit_error(std::move(failed));
    // Compiled now, before a child process runs it.
    if (auto found = (*jit)->lookup("pv_thread"); !found) return jit_error(found.takeError());
    return std::move(*jit);
}

}  // namespace

Result<std::function<double(double)>> function_on_nvptx_host(ir::MathFn fn) {
    Result<std::unique_ptr<llvm::orc::LLJIT>> made = make_jit();
    if (!made) return made.error();
    const std::shared_ptr<llvm::orc::LLJIT> jit(std::move(*made));
    auto context = std::make_unique<llvm::LLVMContext>();
    auto module = std::make_unique<llvm::Module>("functions", *context);
    module->setTargetTriple(jit->getTargetTriple().str());
    module->setDataLayout(jit->getDataLayout());
    llvm_function(*module, fn)->setLinkage(llvm::GlobalValue::ExternalLinkage);
    llvm::orc::ThreadSafeModule owned(std::move(module), std::move(context));
    if (auto failed = jit->addIRModule(std::move(owned))) return jit_error(std::move(failed));
    auto found = jit->lookup(function_name(fn));
    if (!found) return jit_error(found.takeError());
    auto* const call = found->toPtr<double (*)(double)>();
    return std::function<double(double)>([jit, call](double x) { return call(x); });
}

Result<DeviceRun> run_on_nvptx_host(const Module& module, const ir::Function& f,
                                    const ir::Inputs& inputs, const GpuHostOptions& options) {
    const auto jit = compile(module);
    if (!jit) return jit.error();
    const KernelSymbols symbol = [&jit](const std::string& name) -> void* {
        auto found = (*jit)->lookup(name);
        if (found) return found->toPtr<void*>();
        llvm::consumeError(found.takeError());
        return nullptr;
    };
    const MakeDevice make = [&](std::size_t order) {
        return make_fiber_device(symbol, order, options.seed);
    };
    return run_in_orders(module, f, inputs, options, make);
}

}  // namespace proviso::backend::gpu
