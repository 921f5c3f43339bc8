// Primitives that say what runs a loop's iterations: threads of a CPU, blocks or threads of a
// GPU, or the lanes of one thread.
#include <nlohmann/json.hpp>

#include "rewrite/schedule/inline_lets.h"
#include "rewrite/schedule/primitives/primitives.h"

namespace proviso::rewrite {

using namespace ir;
using nlohmann::json;

Outcome Primitives::bind(const std::string& loop, const std::string& thread) {
    const std::optional<Site> site = p_.index().loop(loop);
    if (!site) return refuse("there is no loop '" + loop + "' any more");
    json args = {{"kind", "parallel"}};
    if (!thread.empty()) args = {{"kind", "thread"}, {"thread", thread}};
    return bind_with_temporaries(loop, args);
}

Outcome Primitives::vectorize(const std::string& loop, bool wide) {
    const std::optional<Site> site = p_.index().loop(loop);
    if (!site) return refuse("there is no loop '" + loop + "' any more");
    const std::size_t start = p_.derivation().steps().size();
    std::optional<Rejection> no = inline_lets(p_, site->child("body"));
    if (!no && p_.try_apply("vectorize", *site, json::object(), &no)) return Names{};
    p_.derivation().roll_back(start);
    std::optional<Rejection> lanes;
    if (!wide && p_.try_apply("bind", *site, json{{"kind", "vectorized"}}, &lanes)) {
        note_ = "code for a GPU runs the lanes one after another: " + no->diagnostic.message;
        return Names{};
    }
    p_.derivation().record(wide ? *no : *lanes);
    return refuse(std::move(wide ? *no : *lanes));
}

}  // namespace proviso::rewrite
