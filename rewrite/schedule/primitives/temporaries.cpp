// A buffer of its own for each iteration of a loop, in place of one that is allocated outside of it
// and carries nothing from one iteration to the next; so that the iterations may be bound.
//
//   t = alloc                          for i in range(n):
//   for i in range(n):                     t_1 = alloc
//       t[0] = A[i] * 2         →          t_1[0] = A[i] * 2
//       B[i] = t[0] + 1                    B[i] = t_1[0] + 1
//
// In steps: the body writes through a buffer of its own, `for …: t[…] = t_1[…]` at the end
// (stage-write: every cell is stored, and none is read before); that store is dead, as nobody reads
// what an iteration leaves in t (drop-store); and what is then without effect goes (drop-empty).
#include <algorithm>
#include <nlohmann/json.hpp>

#include "analysis/facts/path.h"
#include "rewrite/schedule/primitives/primitives.h"
#include "rewrite/schedule/reader/interpreter/unused.h"

namespace proviso::rewrite {

using namespace ir;
using namespace analysis;
using nlohmann::json;

namespace {

// The buffer that iterations race on, where the function allocates it outside of the loop at
// `loop`, around it; null: a parameter, or no race.
Buffer racing_temporary(const Function& f, const Site& loop, const Rejection& no) {
    if (!no.failed || no.failed->purpose.kind != Owed::NoRace) return nullptr;
    for (const auto& [site, stmt] : all_statements(f)) {
        const Allocate* n = stmt->as<Allocate>();
        const bool racing = n != nullptr && n->buffer == no.failed->purpose.buffer;
        if (racing && site.contains(loop)) return n->buffer;
    }
    return nullptr;
}

// The body of a loop, and, as long as everything that touches the buffer is within one statement of
// it, what that statement does: under its guard, in its loop.
std::vector<Site> users(Context& ctx, const Function& f, const Site& body, Buffer buffer) {
    std::vector<Site> touching;
    for (const Access& a : accesses(ctx, f)) {
        if (a.buffer == buffer && body.contains(a.statement)) touching.push_back(a.statement);
    }
    const auto holds = [&](const Site& site) {
        return std::all_of(touching.begin(), touching.end(),
                           [&](const Site& s) { return site.contains(s); });
    };
    std::vector<Site> out;
    std::optional<Site> next = body;
    while (next) {
        out.push_back(*next);
        const Site here = *std::exchange(next, std::nullopt);
        Stmt s = locate(f, here)->stmt;
        std::vector<Site> inside;
        if (const Seq* list = s->as<Seq>()) {
            for (std::size_t k = 0; k < list->body.size(); ++k) {
                inside.push_back(here.child(std::to_string(k)));
            }
        } else if (s->is<IfElse>()) {
            inside = {here.child("then")};
        } else if (s->is<For>()) {
            inside = {here.child("body")};
        }
        for (const Site& site : inside) {
            if (holds(site)) next = site;
        }
    }
    return out;
}

}  // namespace

std::optional<Refusal> Primitives::own_temporary(const std::string& loop, Buffer buffer) {
    const std::size_t start = p_.derivation().steps().size();
    const Site body = p_.index().loop(loop)->child("body");
    std::vector<Expr> cell;
    reserved_.clear();
    const json args = whole_copy(buffer, buffer->name, buffer->scope, cell);
    std::optional<Outcome> staged;
    for (const Site& site : users(p_.ctx(), p_.current(), body, buffer)) {
        Outcome here = write_through(args, buffer, cell, site, "loop " + loop);
        const bool done = std::holds_alternative<Names>(here);
        if (!staged || done) staged = std::move(here);
        if (done) break;
    }
    if (Refusal* no = std::get_if<Refusal>(&*staged)) {
        const auto& failed = no->rejection ? no->rejection->failed : std::nullopt;
        if (failed && failed->purpose.kind == Owed::AlwaysStored) {
            no->diagnostic.message = "no single store in loop " + loop + " reaches every cell of " +
                                     buffer->name + " on every run";
        }
        no->diagnostic.hint =
            "an iteration can have " + buffer->name +
            " to itself where one store in it reaches every cell, before any of them is read; "
            "stores that share the cells do not count, nor does one in a block with a predicate; "
            "sch.write_at gives it a part";
        return *no;
    }
    const Site block = *p_.index().block(std::get<Names>(*staged)[0]);
    std::optional<Rejection> why;
    if (!drop_store(p_, MemoryModel(p_.ctx(), p_.current()), block.child("body"), why)) {
        p_.derivation().roll_back(start);
        Refusal no = std::get<Refusal>(refuse(*why));
        no.diagnostic.message = "what is left in it may be read after the iteration";
        no.diagnostic.hint = "let nothing read " + buffer->name + " after loop " + loop +
                             ": what the last iteration leaves in it can be stored elsewhere";
        return no;
    }
    Site nest = block;
    for (std::size_t d = 0; d < buffer->rank(); ++d) nest = nest.parent();
    if (auto no = step("drop-empty", nest, json::object())) {
        p_.derivation().roll_back(start);
        return no;
    }
    drop_allocation(p_, buffer);
    return std::nullopt;
}

Outcome Primitives::bind_with_temporaries(const std::string& loop, const json& args) {
    const std::size_t start = p_.derivation().steps().size();
    std::string moved;
    while (true) {
        const Site site = *p_.index().loop(loop);
        std::optional<Rejection> no;
        if (p_.try_apply("bind", site, args, &no)) break;
        Buffer t = racing_temporary(p_.current(), site, *no);
        std::optional<Refusal> stays;
        if (t != nullptr) stays = own_temporary(loop, t);
        if (t != nullptr && !stays) {
            moved += (moved.empty() ? "" : ", ") + t->name;
            continue;
        }
        p_.derivation().roll_back(start);
        p_.derivation().record(*no);
        Outcome out = refuse(std::move(*no));
        Diagnostic& d = std::get<Refusal>(out).diagnostic;
        if (!moved.empty()) d.notes.push_back("seen with " + moved + " moved into the loop");
        if (stays) {
            d.notes.push_back(t->name + " is allocated outside of loop " + loop +
                              ", and is not moved into it: " + stays->diagnostic.message);
            d.hint = stays->diagnostic.hint;
        }
        return out;
    }
    if (!moved.empty()) note_ = "own for each iteration: " + moved;
    return Names{};
}

}  // namespace proviso::rewrite
