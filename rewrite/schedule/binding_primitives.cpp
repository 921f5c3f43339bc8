// Primitives that say what runs a loop's iterations: threads of a CPU, blocks or threads of a
// GPU, or the lanes of one thread.
#include <nlohmann/json.hpp>

#include "rewrite/schedule/primitives.h"

namespace proviso::rewrite {

using namespace ir;
using nlohmann::json;

Outcome Primitives::bind(const std::string& loop, const std::string& thread) {
    const std::optional<Site> site = p_.index().loop(loop);
    if (!site) return refuse("there is no loop '" + loop + "' any more");
    json args = {{"kind", "parallel"}};
    if (!thread.empty()) args = {{"kind", "thread"}, {"thread", thread}};
    if (auto no = step("bind", *site, args)) return *no;
    return Names{};
}

Outcome Primitives::vectorize(const std::string& loop) {
    const std::optional<Site> site = p_.index().loop(loop);
    if (!site) return refuse("there is no loop '" + loop + "' any more");
    if (auto no = step("vectorize", *site, json::object())) return *no;
    return Names{};
}

}  // namespace proviso::rewrite
