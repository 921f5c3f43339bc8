#include "fuzz/planted/omissions.h"

#include <fmt/format.h>

#include <algorithm>

#include "fuzz/campaign/campaign.h"
#include "ir/planted.h"

namespace proviso::fuzz {

const std::vector<Omission>& omissions() {
    static const std::vector<Omission> list = {
        {"keep their order", "reorder, split, fuse, shift-loop, split-range"},
        {"every iteration is visited", "split, fuse, shift-loop, split-range, reverse-loop"},
        {"no other iteration is visited",
         "split, fuse, shift-loop, split-range, split-reduction, trim-loop"},
        {"no later iteration of the first loop meets", "merge-loops"},
        {"no later iteration of the first part meets", "fission"},
        {"what is moved and what it passes touch no common cell", "compute-at"},
        {"no race between iterations", "bind"},
        {"no order between iterations", "reverse-loop"},
        {"every iteration goes somewhere", "split-reduction, split-range"},
        {"what is left out does nothing", "trim-loop, add-guard"},
        {"writes what the cell holds", "drop-guard, add-guard"},
        {"the cell is overwritten later", "drop-guard, add-guard, drop-store"},
        {"the cell is not read at", "drop-guard, add-guard, drop-store"},
        {"the value stored at", "drop-guard"},
        {"the cell stored to", "drop-guard"},
        {"is in its type's range", "drop-guard"},
        {"the condition at", "drop-guard"},
        {"stays in its domain", "drop-guard, guard-inside, split-init"},
        {"no race on", "drop-guard"},
        {"was written before", "drop-guard; invariants"},
        {"every value stored to", "invariants"},
        {"nothing overwrites the cell of", "last-write"},
        {"has run before", "assume"},
        {"is not written in between", "assume"},
        {"the cell already holds the stored value", "drop-store"},
        {"nothing stores to what a bound or guard reads", "merge-guards, split"},
        {"both branches store to the same cell", "merge-stores"},
        {"the replacement has the same value", "replace"},
        {"faults only where the original does", "replace"},
        {"is definite where the original is", "replace"},
        {"the layout map stays within the physical shape", "relayout"},
        {"the inverse takes each physical cell back", "relayout"},
        {"the layout map is computed without a fault", "relayout"},
        {"the padding value is computed without a fault", "relayout"},
        {"the cell that padding repeats is data", "relayout"},
        {"the cell that padding repeats may be read", "relayout"},
        {"of the padding is in bounds and holds nothing else", "relayout"},
        {"all of the padding is written", "relayout"},
        {"may be read", "stage-read, relayout"},
        {"the tile covers every cell that is read", "stage-read"},
        {"is stored on every run", "stage-write"},
        {"the assumption is proved where it is added", "add-assume, outline"},
        {"range where the original is indeterminate", "replace"},
        {"freezes no undefined value", "replace"},
        {"the value of the expression", "drop-guard"},
        {"reschedule:call-before-nothing", "drop-guard"},
        {"reschedule:read-in-another-iteration", "drop-guard"},
        {"substitution:extents", "shift-loop, reverse-loop, split, fuse"},
        {"kernel:calls-are-functions", "lower-division, split-range, hoist"},
        {"stage-read:permission", "stage-read"},
        {"replace:claimed-regions", "replace"},
        {"relayout:one-list-of-regions", "relayout, unroll, outline"},
        {"reschedule:claimed-regions", "split, fuse"},
        {"reschedule:loads-of-both-arms", "hoist"},
        {"add-assume:frozen-index", "add-assume"},
    };
    return list;
}

namespace {

Result<OmissionResult> look(const Omission& omission, const OmissionOptions& options) {
    CampaignOptions o = options.raw_steps      ? raw_campaign()
                        : options.forged_steps ? forged_campaign()
                                               : CampaignOptions{};
    o.cases = options.cases;
    o.seed = options.seed;
    o.jobs = options.jobs;
    o.schedules_only = !options.raw_steps && !options.forged_steps;
    o.pair_family = options.pair_family;
    o.tiers = kNoTiers;
    o.stop_at_first = true;
    const std::string words = omission.words;
    const bool is_fault = words.find(':') != std::string::npos;
    ir::planted_fault() = is_fault ? words : "omit:" + words;
    const Result<Summary> s = run_campaign(o);
    ir::planted_fault().clear();
    if (!s) return s.error();
    OmissionResult out{&omission, std::nullopt};
    if (s->findings > 0) out.noticed = s->cases;
    return out;
}

}  // namespace

Result<std::vector<OmissionResult>> run_omissions(const OmissionOptions& options) {
    std::vector<OmissionResult> out;
    for (const Omission& omission : omissions()) {
        const auto place = static_cast<std::size_t>(&omission - omissions().data());
        if (options.place && place != *options.place) continue;
        if (std::string(omission.words).find(options.only) == std::string::npos) continue;
        const Result<OmissionResult> r = look(omission, options);
        if (!r) return r.error();
        out.push_back(*r);
        if (options.progress) options.progress(*r);
    }
    return out;
}

std::string omissions_page(const std::vector<OmissionResult>& results,
                           const OmissionOptions& options) {
    const auto noticed = std::count_if(results.begin(), results.end(), [](const OmissionResult& r) {
        return r.noticed.has_value();
    });
    std::string out = fmt::format(
        "# Obligations left out, and schedules that notice\n\n"
        "This page is generated by\n"
        "\n"
        "```\n"
        "proviso fuzz --omissions --cases {} --seed {} --page docs/results/fuzz-omissions.md\n"
        "```\n"
        "\n"
        "In each line the kernel omits every obligation whose purpose contains the words on the "
        "left. A campaign of\n"
        "[`proviso fuzz --schedules`](../fuzz.md#schedules) then runs until a result does not "
        "refine its source. A\n"
        "name with a colon is a [planted fault](statement-faults.md) that stands for no "
        "obligation.\n"
        "\n"
        "Noticed: {} of {}, in at most {} pairs. Most of the others are established by the "
        "schedule primitives\n"
        "before they propose a step. The primitives derive the physical shape and its boxes of "
        "padding, split with\n"
        "enough iterations, and use the prover to look for witnesses and claims. [Planted "
        "faults](statement-faults.md)\n"
        "ask the kernel directly, and all of them are noticed.\n"
        "\n"
        "| left out | rules that owe it | noticed at pair |\n|---|---|---|\n",
        options.cases, options.seed, noticed, results.size(), options.cases);
    for (const OmissionResult& r : results) {
        out += fmt::format("| {} | `{}` | {} |\n", r.omission->words, r.omission->rules,
                           r.noticed ? std::to_string(*r.noticed) : std::string("-"));
    }
    return out;
}

}  // namespace proviso::fuzz
