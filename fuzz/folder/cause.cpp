#include "fuzz/folder/cause.h"

#include <array>
#include <set>

#include "analysis/purpose.h"
#include "ir/children.h"

namespace proviso::fuzz {

using namespace ir;

namespace {

const char* statement_name(Stmt s) {
    static constexpr std::array names = {"store",  "loop",      "branch",     "list", "let",
                                         "buffer", "assertion", "assumption", "call", "block"};
    static_assert(names.size() == std::variant_size_v<StmtData>);
    return names.at(s->data.index());
}

// The innermost statement that is before and not after, where all above it only hold it.
std::string first_difference(Stmt before, Stmt after) {
    if (before == after) return "";
    if (before == nullptr || after == nullptr) return "branch";
    if (before->data.index() != after->data.index()) return statement_name(before);
    const std::vector<Child> was = children(before);
    const std::vector<Child> is = children(after);
    if (was.size() != is.size()) return statement_name(before);
    for (std::size_t k = 0; k < was.size(); ++k) {
        if (was[k].expr != is[k].expr) return statement_name(before);
        if (was[k].stmt == nullptr && is[k].stmt == nullptr) continue;
        const std::string below = first_difference(was[k].stmt, is[k].stmt);
        if (!below.empty()) return below;
    }
    return statement_name(before);
}

}  // namespace

FoundCause cause_of(Context& ctx, const Failure& failure, analysis::Prover& prover) {
    FoundCause out;
    out.oracle = failure.finding.oracle;
    out.signature = failure.finding.signature;
    std::vector<StepGuess> accepted;
    const Result<rewrite::Derivation> d =
        replay(ctx, failure.source, failure.steps, prover, accepted);
    if (!d || d->steps().empty()) return out;
    const rewrite::Step& last = d->steps().back();
    out.rule = last.rule;
    out.statement = first_difference(last.before.body, last.after.body);
    std::set<std::string> owed;
    for (const rewrite::ProvedObligation& o : last.obligations) {
        owed.insert(analysis::owed_name(o.obligation.purpose.kind));
    }
    for (const std::string& name : owed)
        out.obligations += (out.obligations.empty() ? "" : ", ") + name;
    return out;
}

std::uint64_t size_of(const Failure& failure) {
    std::uint64_t out = failure.steps.size();
    for_each_stmt(failure.source.body, [&](Stmt) { ++out; });
    return out;
}

}  // namespace proviso::fuzz
