// Proposals of copies, judged as the kernel judges them.
#pragma once

#include "tests/rewrite/theorems/relocate.h"

namespace proviso::rewrite {

class RelocateStaging : public Relocate {
  protected:
    std::string outcome(const std::string& before, const StagingText& t) {
        ir::Context ctx;
        const ir::Function f = parsed(ctx, before);
        ProposalReader reader(ctx, ghosts_);
        const Staging s = reader.read(f, t);
        PROVISO_CHECK(reader.wrong().empty(), reader.wrong());
        return verdict(ctx, stage(ctx, f, *ir::Site::parse(t.at), s));
    }

    std::string outcome_without(const std::string& check, const std::string& before,
                                const StagingText& t) {
        ir::planted_fault() = check;
        const std::string out = outcome(before, t);
        ir::planted_fault().clear();
        return out;
    }
    // As if the obligation were not stated.
    std::string outcome_unless_owed(const std::string& words, const std::string& before,
                                    const StagingText& t) {
        omit_ = words;
        const std::string out = outcome(before, t);
        omit_.clear();
        return out;
    }

    std::vector<std::string> ghosts_;  // names that the map may speak of
};

}  // namespace proviso::rewrite
