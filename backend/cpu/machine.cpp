#include "backend/cpu/machine.h"

#include <fmt/format.h>
#include <llvm/ADT/StringMap.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Module.h>
#include <llvm/MC/MCSubtargetInfo.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/TargetParser/Host.h>
#include <llvm/TargetParser/Triple.h>
#include <llvm/Transforms/Utils/ModuleUtils.h>

#include <algorithm>
#include <memory>

#include "ir/text/spelling.h"

namespace proviso::backend {

namespace {

// What each level of x86-64 adds to the one below, of the features that LLVM knows by name.
constexpr const char* kLevels[] = {
    "+cx16,+sahf,+popcnt,+sse3,+ssse3,+sse4.1,+sse4.2",
    "+avx,+avx2,+bmi,+bmi2,+f16c,+fma,+lzcnt,+movbe",
    "+avx512f,+avx512bw,+avx512cd,+avx512dq,+avx512vl",
};

using Info = std::unique_ptr<llvm::MCSubtargetInfo>;

Info info_of(const llvm::Target& target, const std::string& triple, const std::string& cpu,
             const std::string& features) {
    return Info(target.createMCSubtargetInfo(triple, cpu, features));
}

bool is_x86_64(const std::string& triple) {
    return llvm::Triple(triple).getArch() == llvm::Triple::x86_64;
}

int level_of(const llvm::Target& target, const std::string& triple, const Machine& machine) {
    if (!is_x86_64(triple)) return 0;
    const Info info = info_of(target, triple, machine.cpu, machine.features);
    int level = 1;
    for (const char* features : kLevels) {
        if (info == nullptr || !info->checkFeatures(features)) break;
        ++level;
    }
    return level;
}

std::vector<std::string> names(const llvm::MCSubtargetInfo& info) {
    std::vector<std::string> out = {"native"};
    for (const llvm::SubtargetSubTypeKV& each : info.getAllProcessorDescriptions()) {
        out.emplace_back(each.Key);
    }
    return out;
}

}  // namespace

Machine host_machine(const llvm::Target& target, const std::string& triple) {
    Machine out;
    out.cpu = llvm::sys::getHostCPUName().str();
    std::vector<std::string> features;
    for (const auto& feature : llvm::sys::getHostCPUFeatures()) {
        features.push_back((feature.second ? "+" : "-") + feature.first().str());
    }
    std::sort(features.begin(), features.end());
    out.features = fmt::format("{}", fmt::join(features, ","));
    out.level = level_of(target, triple, out);
    return out;
}

Result<Machine> machine_of(const llvm::Target& target, const std::string& triple,
                           const std::string& name) {
    if (name == "native") return host_machine(target, triple);
    const bool is_short = name == "v2" || name == "v3" || name == "v4";
    Machine out;
    out.cpu = is_short ? "x86-64-" + name : name;
    const Info info = info_of(target, triple, "", "");
    if (info != nullptr && !info->isCPUStringValid(out.cpu)) {
        return error(
            fmt::format("no CPU \"{}\" for {}", name, triple),
            ir::suggest(name, names(*info),
                        fmt::format("native is this machine's; the usual one is {}", kDefaultCpu)));
    }
    out.level = level_of(target, triple, out);
    return out;
}

std::string level_name(int level) {
    return level < 2 ? "x86-64" : fmt::format("x86-64-v{}", level);
}

void note_level(llvm::Module& module, int level) {
    if (level < 2) return;
    constexpr std::uint32_t needed = 0xc0008002;  // GNU_PROPERTY_X86_ISA_1_NEEDED
    const std::uint32_t levels = (1U << static_cast<unsigned>(level)) - 1;
    constexpr std::uint32_t kind = 5;          // NT_GNU_PROPERTY_TYPE_0
    constexpr std::uint32_t gnu = 0x00554e47;  // "GNU"
    // Bytes of the name, bytes of what follows it, kind, name; property, its bytes, value, padding.
    const std::uint32_t words[] = {4, 16, kind, gnu, needed, 4, levels, 0};
    llvm::Constant* note = llvm::ConstantDataArray::get(module.getContext(), words);
    auto* held = new llvm::GlobalVariable(module, note->getType(), true,
                                          llvm::GlobalValue::PrivateLinkage, note, "cpu_level");
    held->setSection(".note.gnu.property");
    held->setAlignment(llvm::Align(8));
    llvm::appendToCompilerUsed(module, {held});
}

}  // namespace proviso::backend
