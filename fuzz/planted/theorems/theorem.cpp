#include "fuzz/planted/theorems/theorem.h"

#include "analysis/prover/prover.h"
#include "fuzz/campaign/failure.h"
#include "fuzz/oracle/refinement.h"
#include "ir/planted.h"
#include "ir/well_formed.h"
#include "rewrite/rules/common.h"

namespace proviso::fuzz {

using namespace ir;

namespace {

constexpr int kRuns = 40;
constexpr std::uint64_t kSeed = 20;

constexpr const char* kHead = R"(@T.prim_func
def f(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32"), D: T.Buffer((4, 4), "int32"), n: T.int32, m: T.int32):
    T.func_attr({"tir_var_lower_bound": {"n": -1, "m": -1}, "tir_var_upper_bound": {"n": 7, "m": 7}})
)";

Function parsed(Context& ctx, const std::string& body) {
    Result<Function> f = parse_function(ctx, kHead + body, "<proposal>");
    PROVISO_CHECK(f.ok() && well_formed(*f).empty(), body + (f.ok() ? "" : f.error().str()));
    return *std::move(f);
}

// The function before the step, and what is proposed.
struct Made {
    Function before;
    Result<rewrite::Proposal> proposal;
};

Made propose(Context& ctx, ProposalReader& reader, const ProposalText& t) {
    const Function before = parsed(ctx, t.before);
    const Function after = parsed(ctx, t.after);
    const rewrite::Rescheduling r = reader.read(before, after, t);
    PROVISO_CHECK(reader.wrong().empty(), t.before + reader.wrong());
    return {before, rewrite::reschedule(ctx, before, *Site::parse(t.at), r)};
}

Made propose(Context& ctx, ProposalReader& reader, const StagingOf& t) {
    const Function before = parsed(ctx, t.before);
    const rewrite::Staging s = reader.read(before, t.text);
    PROVISO_CHECK(reader.wrong().empty(), t.before + reader.wrong());
    return {before, rewrite::stage(ctx, before, *Site::parse(t.text.at), s)};
}

Made propose(Context& ctx, ProposalReader& reader, const PartialsOf& t) {
    const Function before = parsed(ctx, t.before);
    const rewrite::Partials p = reader.read(before, t.text);
    PROVISO_CHECK(reader.wrong().empty(), t.before + reader.wrong());
    return {before, rewrite::combine_in_parts(ctx, before, *Site::parse(t.text.at), p)};
}

Made propose(Context& ctx, ProposalReader& reader, const RelayoutOf& t) {
    const Function before = parsed(ctx, t.before);
    const rewrite::Relayout r = reader.read(before, t.text);
    PROVISO_CHECK(reader.wrong().empty(), t.before + reader.wrong());
    return {before, rewrite::relayout(ctx, before, r)};
}

// Faults are named by the words of an obligation, as `omit:` is.
bool has_words(const std::string& sentence, const std::string& words) {
    return sentence.find(words) != std::string::npos;
}

// The goal as the fault that is on leaves it; null: nothing of it.
Expr stated(Context& ctx, const analysis::Obligation& o) {
    if (omitted(o.purpose.words)) return nullptr;
    const std::string& on = planted_fault();
    const std::size_t at = on.rfind(", part ");
    if (at == std::string::npos || !has_words(o.purpose.words, on.substr(5, at - 5))) {
        return o.goal;
    }
    std::vector<Expr> parts = ir::conjuncts(o.goal);
    const std::size_t k = std::stoul(on.substr(at + 7));
    if (k <= parts.size()) parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(k) - 1);
    return ctx.all_of(parts);
}

}  // namespace

TheoremOutcome try_proposal(const TheoremFault& fault) {
    Context ctx;
    ProposalReader reader(ctx, fault.ghosts);
    const Made made =
        std::visit([&](const auto& t) { return propose(ctx, reader, t); }, fault.wrong);
    if (!made.proposal) return {made.proposal.error().message, {}};
    const Function& after = made.proposal->after;
    if (const auto wrong = well_formed(after); !wrong.empty()) return {wrong[0].message, {}};
    analysis::Prover prover(ctx, campaign_prover());
    for (analysis::Obligation o : made.proposal->obligations) {
        o.goal = stated(ctx, o);
        if (o.goal == nullptr) continue;
        const analysis::Answer answer = prover.prove(o);
        if (answer.verdict != analysis::Verdict::Proved) return {o.purpose.words, {}};
    }
    RefinementCounts counts;
    const auto found = check_refinement(ctx, made.before, after, {}, kRuns, kSeed, counts);
    return {"", found ? std::optional(found->detail) : std::nullopt};
}

const std::vector<TheoremFault>& theorem_faults() {
    static const std::vector<TheoremFault> all = [] {
        std::vector<TheoremFault> out;
        for (const auto* part : {&control_faults(), &correspondence_faults(), &staging_faults(),
                                 &partials_faults(), &layout_faults()}) {
            out.insert(out.end(), part->begin(), part->end());
        }
        return out;
    }();
    return all;
}

}  // namespace proviso::fuzz
