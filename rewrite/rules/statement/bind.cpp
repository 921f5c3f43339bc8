// bind: a serial loop whose iterations run in any interleaving: in parallel on a CPU, or as the
// blocks or threads of a GPU.
//
//   before   for i in range(n): S
//   after    for i in T.parallel(n): S      or    for i in T.thread_binding(n,
//   thread="threadIdx.x"): S
//
// Arguments: "kind": "parallel" or "thread"; for "thread" also "thread": the axis. The loop is
// serial; no loop around or inside it is bound to the same axis; S has no assert (which of several
// stops first would depend on the order) and makes no opaque call (their order is observable).
// Obligations: any two iterations share nothing (race_free.h): they touch no common cell that one
// of them writes. Then every iteration sees the memory that it saw in sequence, so it faults only
// where it did and stores the same values, whatever the interleaving; and the new program has no
// data race. (docs/semantics.md, "Statements".) Several bound loops inside each other owe this one
// by one: two threads of a grid differ in some axis, and the obligation of the outermost such loop
// covers them.
#include <nlohmann/json.hpp>

#include "analysis/path.h"
#include "ir/well_formed.h"
#include "rewrite/kernel/arguments.h"
#include "rewrite/rules/common.h"
#include "rewrite/rules/race_free.h"
#include "rewrite/rules/statement/statement_rules.h"

namespace proviso::rewrite {

using namespace ir;
using namespace analysis;

namespace {

class Bind final : public Rule {
  public:
    std::string name() const override { return "bind"; }
    std::string summary() const override {
        return "a serial loop as a parallel one, or as blocks or threads of a GPU";
    }

    Result<Proposal> propose(Context& ctx, const Function& before, const Site& site,
                             const nlohmann::json& args) const override {
        const Result<Located> at = locate(before, site);
        if (!at) return at.error();
        const For* loop = at->as<For>();
        if (loop == nullptr) return error("bind works on a loop");
        if (loop->kind != ForKind::Serial && loop->kind != ForKind::Unrolled) {
            return error("loop " + *loop->var->name + " is not serial");
        }
        For bound = *loop;
        const Result<std::string> kind = arg_string(args, "kind");
        if (!kind) return kind.error();
        if (*kind == "parallel") {
            bound.kind = ForKind::Parallel;
        } else if (*kind == "thread") {
            const Result<std::string> tag = arg_string(args, "thread");
            if (!tag) return tag.error();
            const Status free = axis_is_free(before, site, *loop, *tag);
            if (!free) return free.error();
            bound.kind = ForKind::ThreadBinding;
            bound.thread_tag = *tag;
        } else {
            return error("\"" + *kind + "\" is no way to bind a loop",
                         "\"parallel\" or \"thread\"");
        }
        if (contains_assert(loop->body)) {
            return error("loop " + *loop->var->name + " contains an assert");
        }
        if (contains_extern_call(loop->body)) {
            return error("loop " + *loop->var->name + " makes an opaque call");
        }
        Proposal out;
        out.after = replace_at(ctx, before, site, ctx.stmt(bound));
        out.obligations = iterations_share_nothing(ctx, before, site);
        return out;
    }

  private:
    static Status axis_is_free(const Function& f, const Site& site, const For& loop,
                               const std::string& tag) {
        if (!is_thread_tag(tag)) {
            return error("\"" + tag + "\" is not the name of a thread index",
                         "names are threadIdx.x, blockIdx.y, …");
        }
        const For* other = nullptr;
        for (const auto& [where, stmt] : all_statements(f)) {
            const For* n = stmt->as<For>();
            if (n == nullptr || n->thread_tag != tag) continue;
            if (where.contains(site) || site.contains(where)) other = n;
        }
        if (other == nullptr) return Unit{};
        return error(tag + " is bound already, by loop " + *other->var->name +
                     " around or inside " + *loop.var->name);
    }
};

}  // namespace

const Rule& bind_rule() {
    static const Bind rule;
    return rule;
}

}  // namespace proviso::rewrite
