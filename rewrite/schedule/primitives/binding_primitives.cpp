// Primitives that say what runs a loop's iterations: threads of a CPU, blocks or threads of a
// GPU, or the lanes of one thread.
#include <nlohmann/json.hpp>

#include "rewrite/schedule/inline_lets.h"
#include "rewrite/schedule/primitives/placement/unbound.h"
#include "rewrite/schedule/primitives/primitives.h"

namespace proviso::rewrite {

using namespace ir;
using nlohmann::json;

namespace {

// How the iterations of a loop run already; empty: one after the other.
std::string runs(const For& loop) {
    switch (loop.kind) {
        case ForKind::Serial:
        case ForKind::Unrolled: return {};
        case ForKind::Parallel: return "parallel";
        case ForKind::Vectorized: return "vectorized";
        case ForKind::ThreadBinding: return "bound to " + loop.thread_tag;
    }
    return {};
}

// The iterations of the loop meet in a cell: an iterator that reduces is bound to it.
bool reduces(const Function& f, const Site& site) {
    Stmt loop = locate(f, site)->stmt;
    Expr var = loop->as<For>()->var;
    bool out = false;
    for_each_stmt(loop, [&](Stmt s) {
        const Block* block = s->as<Block>();
        if (block == nullptr) return;
        for (const BlockIter& it : block->iters) {
            out = out || (it.kind == IterKind::Reduce && occurs_free(var, it.binding));
        }
    });
    return out;
}

constexpr const char* kOneWay =
    "a loop runs in one way: leave this call out, or take a part of the loop (sch.split before "
    "the other call)";

}  // namespace

Outcome Primitives::bind(const std::string& loop, const std::string& thread) {
    const std::optional<Site> site = p_.index().loop(loop);
    if (!site) return refuse("there is no loop '" + loop + "' any more");
    const std::string already = runs(*locate(p_.current(), *site)->stmt->as<For>());
    if (!already.empty()) return refuse("loop " + loop + " is " + already + " already", kOneWay);
    json args = {{"kind", "parallel"}};
    if (!thread.empty()) args = {{"kind", "thread"}, {"thread", thread}};
    Outcome out = bind_with_temporaries(loop, args);
    Refusal* no = std::get_if<Refusal>(&out);
    const auto& failed = no == nullptr || !no->rejection ? std::nullopt : no->rejection->failed;
    const bool races = failed && failed->purpose.kind == analysis::Owed::NoRace;
    if (races && no->diagnostic.hint.empty() && reduces(p_.current(), *site)) {
        no->diagnostic.hint = "loop " + loop +
                              " adds up a result: sch.rfactor(loop, 0) gives each iteration a "
                              "partial result, in a block whose loop can be bound";
    }
    return out;
}

std::optional<Outcome> Primitives::without_threads(const std::vector<std::string>& loops,
                                                   const std::function<Outcome()>& work) {
    const std::optional<Unbound> serial = Unbound::make(p_, loops);
    if (!serial) return std::nullopt;
    Outcome out = work();
    std::string done = take_note();
    std::string again;
    for (const Unbound::Loop& loop : serial->loops()) {
        if (std::holds_alternative<Refusal>(out)) break;
        Outcome bound = bind(loop.name, loop.axis);
        again += (again.empty() ? "bound again: " : ", ") + loop.name;
        const std::string moved = take_note();
        if (!moved.empty()) done += (done.empty() ? "" : "; ") + moved;
        if (Refusal* no = std::get_if<Refusal>(&bound)) {
            no->diagnostic.message = "loop " + loop.name + " is not bound to " + loop.axis +
                                     " again: " + no->diagnostic.message;
            out = std::move(bound);
        }
    }
    if (std::holds_alternative<Refusal>(out)) {
        serial->take_back(p_);
        return out;
    }
    note_ = done + (done.empty() ? "" : "; ") + again;
    return out;
}

Outcome Primitives::vectorize(const std::string& loop, bool wide) {
    const std::optional<Site> site = p_.index().loop(loop);
    if (!site) return refuse("there is no loop '" + loop + "' any more");
    const std::string already = runs(*locate(p_.current(), *site)->stmt->as<For>());
    if (!already.empty()) return refuse("loop " + loop + " is " + already + " already", kOneWay);
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
