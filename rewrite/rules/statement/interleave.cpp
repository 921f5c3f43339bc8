#include "rewrite/rules/statement/interleave.h"

#include "analysis/facts/path.h"
#include "ir/well_formed.h"
#include "rewrite/rules/race_free.h"

namespace proviso::rewrite {

using namespace ir;
using namespace analysis;

namespace {

Status axis_is_free(const Function& f, const Site& site, const For& loop, const std::string& axis) {
    if (!is_thread_tag(axis)) {
        return error("\"" + axis + "\" is not the name of a thread index",
                     "names are threadIdx.x, blockIdx.y, …");
    }
    const For* other = nullptr;
    for (const auto& [where, stmt] : all_statements(f)) {
        const For* n = stmt->as<For>();
        if (n == nullptr || n->thread_tag != axis) continue;
        if (where.contains(site) || site.contains(where)) other = n;
    }
    if (other == nullptr) return Unit{};
    return error(axis + " is bound already, by loop " + *other->var->name + " around or inside " +
                 *loop.var->name);
}

}  // namespace

Result<Proposal> interleave(Context& ctx, const Function& before, const Site& site, ForKind kind,
                            const std::string& axis) {
    const Result<Located> at = locate(before, site);
    if (!at) return at.error();
    const For* loop = at->as<For>();
    if (loop == nullptr) return error("no loop stands at " + site.str());
    const std::string what = "loop " + *loop->var->name;
    if (loop->kind != ForKind::Serial && loop->kind != ForKind::Unrolled) {
        return error(what + " is not serial");
    }
    if (kind == ForKind::ThreadBinding) {
        if (const Status free = axis_is_free(before, site, *loop, axis); !free) return free.error();
    }
    if (contains_assert(loop->body)) return error(what + " contains an assert");
    if (contains_extern_call(loop->body)) return error(what + " makes an opaque call");
    For now = *loop;
    now.kind = kind;
    now.thread_tag = axis;
    Proposal out;
    out.after = replace_at(ctx, before, site, ctx.stmt(now));
    out.obligations = iterations_share_nothing(ctx, before, site);
    return out;
}

}  // namespace proviso::rewrite
