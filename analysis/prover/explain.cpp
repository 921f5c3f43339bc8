// Deletion: leave out blocks of facts as long as the claim is still proved, then smaller blocks,
// then single facts until none can go (Zeller and Hildebrandt 2002, minimising by deletion).
#include "analysis/prover/explain.h"

#include <algorithm>
#include <numeric>

namespace proviso::analysis {

namespace {

class Deleter {
  public:
    Deleter(Prover& prover, const Obligation& obligation)
        : prover_(prover), obligation_(obligation), kept_(obligation.facts.size()) {
        std::iota(kept_.begin(), kept_.end(), std::size_t{0});
    }

    std::vector<std::size_t> run() {
        for (std::size_t block = kept_.size(); block > 1; block = (block + 1) / 2) {
            pass(block);
            if (kept_.size() < block) block = kept_.size() + 1;
        }
        while (pass(1)) {
        }
        return kept_;
    }

    Answer ask() const { return prove(kept_); }

  private:
    Answer prove(const std::vector<std::size_t>& facts) const {
        Obligation o{obligation_.purpose, {}, obligation_.goal, obligation_.unbounded};
        for (const std::size_t i : facts) o.facts.push_back(obligation_.facts[i]);
        return prover_.prove(o);
    }

    // The last facts first: what was said last is often about something narrower.
    bool pass(std::size_t block) {
        bool changed = false;
        for (std::size_t end = kept_.size(); end > 0;) {
            const std::size_t start = end > block ? end - block : 0;
            std::vector<std::size_t> fewer(kept_.begin(),
                                           kept_.begin() + static_cast<std::ptrdiff_t>(start));
            fewer.insert(fewer.end(), kept_.begin() + static_cast<std::ptrdiff_t>(end),
                         kept_.end());
            if (prove(fewer).verdict == Verdict::Proved) {
                kept_ = std::move(fewer);
                changed = true;
            }
            end = start;
        }
        return changed;
    }

    Prover& prover_;
    const Obligation& obligation_;
    std::vector<std::size_t> kept_;
};

}  // namespace

Explanation explain(Prover& prover, const Obligation& obligation) {
    Explanation out;
    Obligation claim = obligation;
    if (!obligation.facts.empty() && !ir::is_false(obligation.goal)) {
        claim.goal = prover.context().false_();
        out.contradictory = prover.prove(claim).verdict == Verdict::Proved;
        if (!out.contradictory) claim.goal = obligation.goal;
    }
    out.answer = prover.prove(claim);
    if (out.answer.verdict != Verdict::Proved) return out;
    Deleter deleter(prover, claim);
    out.used = deleter.run();
    out.answer = deleter.ask();
    return out;
}

}  // namespace proviso::analysis
