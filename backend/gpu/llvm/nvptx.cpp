#include "backend/gpu/llvm/nvptx.h"

#include <fmt/format.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicsNVPTX.h>
#include <llvm/IR/Module.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>

#include <algorithm>
#include <array>
#include <mutex>

#include "backend/gpu/llvm/kernel_emitter.h"
#include "backend/llvm_module.h"

namespace proviso::backend::gpu {

namespace {

constexpr const char* kTriple = "nvptx64-nvidia-cuda";
constexpr std::array<int, 6> kArchitectures = {75, 80, 86, 87, 89, 90};  // of LLVM 19, from 75

// The newest architecture that is not newer: devices run PTX of older ones.
std::string known_architecture(const std::string& wanted) {
    const int number = std::stoi(wanted.substr(wanted.find('_') + 1));
    int best = kArchitectures.front();
    for (int a : kArchitectures) best = a <= number ? a : best;
    return fmt::format("sm_{}", best);
}

Result<std::unique_ptr<llvm::TargetMachine>> nvptx_machine(const std::string& architecture) {
    static std::once_flag once;
    std::call_once(once, [] {
        LLVMInitializeNVPTXTargetInfo();
        LLVMInitializeNVPTXTarget();
        LLVMInitializeNVPTXTargetMC();
        LLVMInitializeNVPTXAsmPrinter();
    });
    std::string message;
    const llvm::Target* target = llvm::TargetRegistry::lookupTarget(kTriple, message);
    if (target == nullptr) return error("LLVM makes no PTX here: " + message);
    llvm::TargetOptions options;
    options.AllowFPOpFusion = llvm::FPOpFusion::Strict;
    return std::unique_ptr<llvm::TargetMachine>(
        target->createTargetMachine(kTriple, known_architecture(architecture), "", options,
                                    std::nullopt, std::nullopt, llvm::CodeGenOptLevel::Default));
}

// Says of the function that it is a kernel, and how many threads it has where that is constant.
void annotate(llvm::Module& module, const Kernel& kernel) {
    llvm::LLVMContext& context = module.getContext();
    llvm::NamedMDNode* notes = module.getOrInsertNamedMetadata("nvvm.annotations");
    const auto note = [&](const std::string& what, std::int64_t value) {
        auto* const number = llvm::ConstantInt::get(llvm::Type::getInt32Ty(context),
                                                    static_cast<std::uint64_t>(value));
        notes->addOperand(llvm::MDNode::get(
            context, {llvm::ValueAsMetadata::get(module.getFunction(kernel.name)),
                      llvm::MDString::get(context, what), llvm::ConstantAsMetadata::get(number)}));
    };
    note("kernel", 1);
    const bool constant = std::all_of(kernel.block.begin(), kernel.block.end(), [](ir::Expr e) {
        return e == nullptr || ir::is_int_const(e);
    });
    for (std::size_t a = 0; a < kAxes && constant; ++a) {
        const std::int64_t n = kernel.block[a] == nullptr
                                   ? 1
                                   : static_cast<std::int64_t>(kernel.block[a]->int_value());
        note(fmt::format("maxntid{}", "xyz"[a]), std::max<std::int64_t>(n, 1));
    }
}

// What the kernels call, in a device's own terms.
void define_for_device(llvm::Module& module) {
    using llvm::Intrinsic::ID;
    const std::array<ID, kAxes> block = {llvm::Intrinsic::nvvm_read_ptx_sreg_ctaid_x,
                                         llvm::Intrinsic::nvvm_read_ptx_sreg_ctaid_y,
                                         llvm::Intrinsic::nvvm_read_ptx_sreg_ctaid_z};
    const std::array<ID, kAxes> thread = {llvm::Intrinsic::nvvm_read_ptx_sreg_tid_x,
                                          llvm::Intrinsic::nvvm_read_ptx_sreg_tid_y,
                                          llvm::Intrinsic::nvvm_read_ptx_sreg_tid_z};
    const auto define = [&](const std::string& name, ID id) {
        llvm::Function* function = module.getFunction(name);
        if (function == nullptr) return;
        function->setLinkage(llvm::GlobalValue::InternalLinkage);
        function->addFnAttr(llvm::Attribute::AlwaysInline);
        llvm::IRBuilder<> b(llvm::BasicBlock::Create(module.getContext(), "entry", function));
        llvm::Value* value = b.CreateIntrinsic(id, {}, {});
        if (function->getReturnType()->isVoidTy()) {
            b.CreateRetVoid();
        } else {
            b.CreateRet(value);
        }
    };
    for (std::size_t a = 0; a < kAxes; ++a) {
        define(index_symbol(true, a), block[a]);
        define(index_symbol(false, a), thread[a]);
    }
    define(kWaitSymbol, llvm::Intrinsic::nvvm_barrier0);
}

}  // namespace

LlvmKernels::LlvmKernels() = default;
LlvmKernels::LlvmKernels(LlvmKernels&&) noexcept = default;
LlvmKernels::~LlvmKernels() = default;

Result<LlvmKernels> llvm_kernels(const Module& module, const std::string& architecture, Fill fill) {
    auto target = nvptx_machine(architecture);
    if (!target) return target.error();
    LlvmKernels out;
    out.context = std::make_unique<llvm::LLVMContext>();
    quieten(*out.context);
    out.module = std::make_unique<llvm::Module>(module.plan.function.name, *out.context);
    out.module->setTargetTriple(kTriple);
    out.module->setDataLayout((*target)->createDataLayout());
    CpuOptions options;
    options.no_signed_wrap = module.no_wrap;
    options.fill = fill;
    for (const Kernel& k : module.plan.kernels) {
        generate_kernel(*out.module, module.plan, k, options);
        annotate(*out.module, k);
    }
    verify(*out.module);
    run_passes(*out.module, **target, Passes::Optimise);
    return out;
}

Result<std::string> llvm_text(const Module& module, const std::string& architecture) {
    const Result<LlvmKernels> kernels = llvm_kernels(module, architecture);
    if (!kernels) return kernels.error();
    std::string text;
    llvm::raw_string_ostream out(text);
    kernels->module->print(out, nullptr);
    return text;
}

Result<std::string> llvm_ptx(const Module& module, const std::string& architecture) {
    const Result<LlvmKernels> kernels = llvm_kernels(module, architecture);
    if (!kernels) return kernels.error();
    auto target = nvptx_machine(architecture);
    if (!target) return target.error();
    define_for_device(*kernels->module);
    run_passes(*kernels->module, **target, Passes::InlineOnly);
    verify(*kernels->module);
    return generate_code(*kernels->module, **target, Output::Assembly);
}

}  // namespace proviso::backend::gpu
