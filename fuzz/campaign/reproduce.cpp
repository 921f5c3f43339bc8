#include "fuzz/campaign/reproduce.h"

#include "fuzz/campaign/failure_files.h"
#include "fuzz/campaign/gpu_failure.h"

namespace proviso::fuzz {

using namespace ir;

Result<Reproduction> reproduce(const std::string& path, const std::string& proviso) {
    Context ctx;
    const Result<Failure> failure = read_failure(ctx, path);
    if (!failure) return failure.error();
    const bool gpu = !tier_of(failure->finding.oracle).empty();
    analysis::Prover prover(ctx, gpu ? gpu_prover() : campaign_prover());
    std::optional<Finding> found;
    if (gpu) {
        const GpuFolder folder;
        Result<std::optional<Finding>> said =
            ask_gpu_on_inputs(ctx, *failure, prover, {folder.path(), proviso});
        if (!said) return said.error();
        found = *std::move(said);
    } else {
        found = ask_on_inputs(ctx, *failure, prover);
    }
    Reproduction out;
    out.reproduced = found && found->oracle == failure->finding.oracle;
    out.text = found ? found->signature + ": " + found->detail
                     : "the oracle '" + failure->finding.oracle + "' has nothing to say any more";
    return out;
}

}  // namespace proviso::fuzz
