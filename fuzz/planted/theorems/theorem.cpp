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

constexpr std::uint64_t kSeed = 20;

constexpr const char* kHead = R"(@T.prim_func
def f(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32"), D: T.Buffer((4, 4), "int32"), n: T.int32, m: T.int32):
    T.func_attr({"tir_var_lower_bound": {"n": -1, "m": -1}, "tir_var_upper_bound": {"n": 7, "m": 7}})
)";

// The function before the step, and what is proposed.
struct Made {
    Function before;
    Result<rewrite::Proposal> proposal;
};

class Proposing {
  public:
    Proposing(Context& ctx, const HostileProposal& p, const Examination& how)
        : ctx_(ctx), head_(p.head), how_(how), reader_(ctx, p.ghosts) {}

    Result<Made> operator()(const ProposalText& t) {
        const Result<Function> before = parsed(t.before);
        const Result<Function> after = parsed(t.after);
        if (!before || !after) return !before ? before.error() : after.error();
        rewrite::Rescheduling r = reader_.read(*before, *after, t);
        if (!reader_.wrong().empty()) return error(reader_.wrong());
        const Site at = *Site::parse(t.at);
        if (how_.change) how_.change(ctx_, *before, at, r);
        return Made{*before, rewrite::reschedule(ctx_, *before, at, r)};
    }
    Result<Made> operator()(const StagingOf& t) {
        return made(t, [&](const Function& f, const rewrite::Staging& s) {
            return rewrite::stage(ctx_, f, *Site::parse(t.text.at), s);
        });
    }
    Result<Made> operator()(const PartialsOf& t) {
        return made(t, [&](const Function& f, const rewrite::Partials& p) {
            return rewrite::combine_in_parts(ctx_, f, *Site::parse(t.text.at), p);
        });
    }
    Result<Made> operator()(const RelayoutOf& t) {
        return made(t, [&](const Function& f, const rewrite::Relayout& r) {
            return rewrite::relayout(ctx_, f, r);
        });
    }

  private:
    Result<Function> parsed(const std::string& body) {
        Result<Function> f = parse_function(ctx_, head_ + body, "<proposal>");
        if (!f) return f;
        const auto wrong = well_formed(*f);
        if (!wrong.empty()) return error(wrong[0].message);
        return f;
    }
    template <typename Text, typename Propose>
    Result<Made> made(const Text& t, const Propose& propose) {
        const Result<Function> before = parsed(t.before);
        if (!before) return before.error();
        const auto read = reader_.read(*before, t.text);
        if (!reader_.wrong().empty()) return error(reader_.wrong());
        return Made{*before, propose(*before, read)};
    }

    Context& ctx_;
    const std::string& head_;
    const Examination& how_;
    ProposalReader reader_;
};

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

HostileProposal hostile_proposal(const TheoremFault& fault) {
    return {kHead, fault.wrong, fault.ghosts};
}

Result<Examined> examine(const HostileProposal& proposal, const Examination& how) {
    Context ctx;
    const Result<Made> made = std::visit(Proposing(ctx, proposal, how), proposal.wrong);
    if (!made) return made.error();
    Examined out;
    if (!made->proposal) {
        out.no_match = made->proposal.error().message;
        return out;
    }
    const Function& after = made->proposal->after;
    if (const auto wrong = well_formed(after); !wrong.empty()) {
        out.no_match = wrong[0].message;
        return out;
    }
    analysis::Prover prover(ctx, campaign_prover());
    for (analysis::Obligation o : made->proposal->obligations) {
        o.goal = stated(ctx, o);
        if (o.goal == nullptr) continue;
        const analysis::Answer answer = prover.prove(o);
        if (answer.verdict != analysis::Verdict::Proved) out.open.push_back(o.purpose);
    }
    if (!out.open.empty() && !how.run_refused) return out;
    RefinementCounts counts;
    const auto found = check_refinement(ctx, made->before, after, {}, how.runs, kSeed, counts,
                                        how.step_limit == 0 ? kStepLimit : how.step_limit);
    out.compared = counts.counted > 0;
    if (found) out.seen = found->detail;
    return out;
}

TheoremOutcome try_proposal(const TheoremFault& fault) {
    const Result<Examined> out = examine(hostile_proposal(fault), {});
    PROVISO_CHECK(out.ok(), fault.id + ": " + (out.ok() ? "" : out.error().message));
    if (!out->no_match.empty()) return {out->no_match, {}};
    if (!out->open.empty()) return {out->open[0].words, {}};
    return {"", out->seen};
}

const std::vector<TheoremFault>& theorem_faults() {
    static const std::vector<TheoremFault> all = [] {
        std::vector<TheoremFault> out;
        for (const auto* part : {&control_faults(), &correspondence_faults(), &staging_faults(),
                                 &partials_faults(), &tuples_faults(), &layout_faults()}) {
            out.insert(out.end(), part->begin(), part->end());
        }
        return out;
    }();
    return all;
}

}  // namespace proviso::fuzz
