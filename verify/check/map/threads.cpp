#include "verify/check/map/threads.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "verify/check/map/spelling.h"

namespace proviso::verify {

using namespace ir;
using namespace rewrite;

namespace {

bool is_thread(Stmt s) {
    const For* n = s->as<For>();
    return n != nullptr && n->kind == ForKind::ThreadBinding;
}

}  // namespace

bool has_threads(const Function& f) {
    bool found = false;
    for_each_stmt(f.body, [&](Stmt s) { found = found || is_thread(s); });
    return found;
}

bool reach_with_threads(Proposer& p, const Function& after,
                        const std::function<bool(const Function&)>& reach,
                        std::vector<std::string>& tried) {
    Function serial = after;
    serial.body = rewrite_stmt(p.ctx(), after.body, nullptr, [&](Stmt s) {
        if (!is_thread(s)) return s;
        For copy = *s->as<For>();
        copy.kind = ForKind::Serial;
        copy.thread_tag.clear();
        return p.ctx().stmt(std::move(copy));
    });
    if (!reach(serial)) return false;
    std::vector<std::pair<Site, Stmt>> all = all_statements(after);
    std::reverse(all.begin(), all.end());  // inner loops first
    for (const auto& [site, s] : all) {
        if (!is_thread(s)) continue;
        const For& loop = *s->as<For>();
        std::optional<Rejection> no;
        const nlohmann::json args = {{"kind", "thread"}, {"thread", loop.thread_tag}};
        if (p.try_apply("bind", site, args, &no)) continue;
        tried.push_back("iterations of " + *loop.var->name + " as threads: " + refusal_text(*no));
        return false;
    }
    return true;
}

}  // namespace proviso::verify
