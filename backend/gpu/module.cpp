#include "backend/gpu/module.h"

#include "backend/cpu/c_header.h"
#include "backend/cpu/no_wrap.h"
#include "backend/gpu/plan/wide_loops.h"
#include "backend/gpu/text/cuda_launcher.h"
#include "backend/gpu/text/kernel_text.h"
#include "backend/gpu/text/prelude.h"

namespace proviso::backend::gpu {

namespace {

// The launcher and the kernels under another name.
void rename(Plan& plan, const std::string& symbol) {
    plan.function.name = symbol;
    for (std::size_t k = 0; k < plan.kernels.size(); ++k) {
        plan.kernels[k].name = kernel_name(symbol, k);
    }
}

Built build_with(ir::Context& ctx, const ir::Function& f, const Target& target,
                 analysis::Prover& prover, std::set<ir::Expr> no_wrap, const std::string& symbol) {
    Result<Plan> plan = make_plan(ctx, f);
    if (!plan) return plan.error();
    if (auto no = check_launches(ctx, *plan, target, prover)) return *std::move(no);
    if (!symbol.empty()) rename(*plan, symbol);
    TextOptions options;
    options.no_wrap = std::move(no_wrap);
    options.narrow = narrow_buffers(ctx, *plan, prover);
    options.wide = wide_loops(ctx, *plan, prover);
    Module out{target, *std::move(plan), {}, {}, options.no_wrap, !options.wide.empty(), f.name};
    for (const Kernel& k : out.plan.kernels) out.kernels += "\n" + kernel_text(k, options);
    out.launcher = "\n" + cuda_launcher(out.plan, options);
    return out;
}

}  // namespace

std::string Module::source(Language language) const {
    std::string out = prelude(language, plan.uses) + kernels;
    if (language == Language::Cuda) return out + launcher;
    if (language == Language::OpenCl) return out;
    out += "\n";
    for (const Kernel& k : plan.kernels) out += host_entry(k);
    return out;
}

std::string Module::documented_source(Language language,
                                      const std::vector<std::string>& contract) const {
    ir::Function f = plan.function;
    f.name = program;
    const DeviceText text{language == Language::Cuda, wide};
    return device_comment(f, plan.function.name, contract, text) + source(language);
}

Built build(const rewrite::Derivation& derivation, const Target& target, analysis::Prover& prover,
            const std::string& symbol) {
    return build_with(derivation.context(), derivation.current(), target, prover,
                      proved_no_wrap(derivation, prover), symbol);
}

Built unverified::build(ir::Context& ctx, const ir::Function& f, const Target& target,
                        analysis::Prover& prover, const std::string& symbol) {
    return build_with(ctx, f, target, prover, {}, symbol);
}

}  // namespace proviso::backend::gpu
