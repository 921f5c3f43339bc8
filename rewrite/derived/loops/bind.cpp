// bind: a serial loop whose iterations run in any interleaving: in parallel on a CPU, or as the
// blocks or threads of a GPU.
//
//   before   for i in range(n): S
//   after    for i in T.parallel(n): S      or    for i in T.thread_binding(n,
//   thread="threadIdx.x"): S
//
// Arguments: "kind": "parallel", "vectorized" (lanes, of whatever number and place) or "thread";
// for "thread" also "thread": the axis. What is owed, and why that is enough:
// rules/statement/interleave.h.
#include <nlohmann/json.hpp>

#include "rewrite/derived/derived_rule.h"
#include "rewrite/kernel/arguments.h"
#include "rewrite/rules/statement/interleave.h"
#include "rewrite/rules/statement/statement_rules.h"

namespace proviso::rewrite {

using namespace ir;

namespace {

class Bind final : public Rule {
  public:
    std::string name() const override { return "bind"; }
    std::string summary() const override {
        return "a serial loop as a parallel one, or as blocks or threads of a GPU";
    }

    Result<Proposal> propose(Context& ctx, const Function& before, const Site& site,
                             const nlohmann::json& args) const override {
        if (const Result<For> loop = loop_at(before, site, name()); !loop) return loop.error();
        const Result<std::string> kind = arg_string(args, "kind");
        if (!kind) return kind.error();
        if (*kind == "parallel") return interleave(ctx, before, site, ForKind::Parallel);
        if (*kind == "vectorized") return interleave(ctx, before, site, ForKind::Vectorized);
        if (*kind != "thread") {
            return error("\"" + *kind + "\" is no way to bind a loop",
                         "\"parallel\", \"vectorized\" or \"thread\"");
        }
        const Result<std::string> tag = arg_string(args, "thread");
        if (!tag) return tag.error();
        return interleave(ctx, before, site, ForKind::ThreadBinding, *tag);
    }
};

}  // namespace

const Rule& bind_rule() {
    static const Bind rule;
    return rule;
}

}  // namespace proviso::rewrite
