#include "backend/gpu/module.h"

#include "backend/cpu/no_wrap.h"
#include "backend/gpu/cuda_launcher.h"
#include "backend/gpu/kernel_text.h"
#include "backend/gpu/prelude.h"
#include "backend/gpu/wide_loops.h"

namespace proviso::backend::gpu {

namespace {

Built build_with(ir::Context& ctx, const ir::Function& f, const Target& target,
                 analysis::Prover& prover, std::set<ir::Expr> no_wrap) {
    Result<Plan> plan = make_plan(ctx, f);
    if (!plan) return plan.error();
    if (auto no = check_launches(ctx, *plan, target, prover)) return *std::move(no);
    TextOptions options;
    options.no_wrap = std::move(no_wrap);
    options.narrow = narrow_buffers(ctx, *plan, prover);
    options.wide = wide_loops(ctx, *plan, prover);
    Module out{target, *std::move(plan), {}, {}, options.no_wrap};
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

Built build(const rewrite::Derivation& derivation, const Target& target, analysis::Prover& prover) {
    return build_with(derivation.context(), derivation.current(), target, prover,
                      proved_no_wrap(derivation, prover));
}

Built unverified::build(ir::Context& ctx, const ir::Function& f, const Target& target,
                        analysis::Prover& prover) {
    return build_with(ctx, f, target, prover, {});
}

}  // namespace proviso::backend::gpu
