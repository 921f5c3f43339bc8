// rolling_buffer: of a buffer that a loop fills in windows, only one window is kept.
//
//   for i in range(10):                          for i in range(10):
//       for t in range(3):                           for t in range(3):
//           if i == 0 or 2 <= t:                         if i == 0 or 2 <= t:
//               B[i + t] = f(i + t)        →                 B[(i + t) % 3] = f(i + t)
//       C[i] = B[i] + B[i + 2]                       C[i] = B[i % 3] + B[(i + 2) % 3]
//
// In steps: the guard, where there is none (add-guard); room for the window in front of all cells
// (relayout). Each store is made there as well: a copy of it under False (restate) gets other
// indices (replace) and runs, since nobody reads it (drop-guard). What reads the buffer reads the
// window, where the last store is that of the same cell (replace, by claims of last writes). Then
// the stores to the cells themselves are dead (drop-store), and the window is a buffer of its own
// (stage-write, drop-store).
#include <algorithm>
#include <nlohmann/json.hpp>

#include "analysis/facts/path.h"
#include "ir/text.h"
#include "rewrite/derived/data/buffer_by_name.h"
#include "rewrite/schedule/primitives/caches/roller.h"
#include "rewrite/schedule/primitives/placement/unbound.h"
#include "rewrite/schedule/primitives/primitives.h"
#include "rewrite/schedule/restated.h"

namespace proviso::rewrite {

using namespace ir;
using namespace analysis;
using nlohmann::json;

namespace {

std::optional<Rejection> as_serial(Proposer& p, const For& loop) {
    const Site at = *p.index().loop(*loop.var->name);
    For serial = *locate(p.current(), at)->stmt->as<For>();
    serial.kind = ForKind::Serial;
    Restated r;
    const Site body = Site{}.child("body");
    add_parts(r, serial.body, Part{body, body, {}, {}});
    r.after = p.ctx().stmt(std::move(serial));
    return restate(p, at, r);
}

}  // namespace

Outcome Primitives::rolling_buffer(const std::string& block, Buffer buffer) {
    const std::optional<Site> at = p_.index().block(block);
    if (!at) return Refusal{no_block(block), std::nullopt};
    const std::string name = buffer->name;
    if (p_.current().find_buffer_param(name) == buffer) {
        return refuse(name + " is a parameter: callers see all of its cells",
                      "a buffer of T.alloc_buffer can be rolled");
    }
    std::vector<Site> stores;
    for (const auto& [site, s] : all_statements(p_.current())) {
        const Store* n = s->as<Store>();
        if (n != nullptr && n->buffer == buffer) stores.push_back(site);
    }
    const Block& b = *locate(p_.current(), *at)->stmt->as<Block>();
    const std::vector<Buffer> read =
        stores.size() == 1
            ? loaded_buffers(locate(p_.current(), stores[0])->stmt->as<Store>()->value)
            : std::vector<Buffer>{};
    const bool one = stores.size() == 1 && at->contains(stores[0]) && b.init == nullptr &&
                     std::find(read.begin(), read.end(), buffer) == read.end();
    if (!one) {
        return refuse("block " + block + " does not compute " + name + " by one store of its own",
                      "a sum is kept in a buffer of its own first: sch.cache_write(\"" + block +
                          "\", \"" + name + "\", \"local\")");
    }
    Roller roller(p_, buffer, stores[0]);
    if (!roller.find()) {
        if (const auto& loop = roller.begins_anywhere()) {
            return refuse("loop " + *loop->var->name + " begins at " + print(loop->lo) +
                              ", which is no number: a window begins with the first iteration",
                          "a loop that begins at a number can roll");
        }
        return refuse("no two iterations of a loop around block " + block +
                          " and what reads its result share cells of " + name,
                      "sch.store_at(\"" + block + "\") and sch.compute_at(\"" + block +
                          "\", loop) bring it to where it is read");
    }
    Site allocated;
    for (const auto& [site, s] : all_statements(p_.current())) {
        const Allocate* n = s->as<Allocate>();
        if (n != nullptr && n->buffer == buffer) allocated = site;
    }
    std::vector<For> concurrent;  // around the buffer of each of their iterations
    for (const For& loop : loops_to(p_.current(), stores[0])) {
        if (loop.kind == ForKind::Serial || loop.kind == ForKind::Unrolled) continue;
        if (loop.kind != ForKind::Vectorized &&
            p_.index().loop(*loop.var->name)->contains(allocated)) {
            concurrent.push_back(loop);
            continue;
        }
        return refuse("the iterations of loop " + *loop.var->name +
                          " run beside each other: none finds in a window what another one left",
                      "sch.store_at(\"" + block +
                          "\", loop) gives each iteration a buffer of its own, in which a serial "
                          "loop can roll");
    }
    for (const For& loop : concurrent) {
        if (loop.kind != ForKind::ThreadBinding) continue;
        Stmt stage = locate(p_.current(), *p_.index().loop(*loop.var->name))->stmt;
        const std::optional<Outcome> rolled = without_threads(bound_loops(stage), [&] {
            return rolling_buffer(block, buffer_by_name(p_.current(), name));
        });
        if (rolled) return *rolled;
    }
    Expr value = locate(p_.current(), stores[0])->stmt->as<Store>()->value;
    const std::size_t start = p_.derivation().steps().size();
    reserved_.clear();
    json loops = json::array();
    json padding = json::array();
    for (std::size_t d = 0; d < buffer->rank(); ++d) {
        loops.push_back(fresh_loop("ax" + std::to_string(d)));
        padding.push_back(fresh(name + "_p" + std::to_string(d)));
    }
    const std::string ring = fresh(name);
    const std::string copy = fresh_block(ring);
    // One iteration after the other, as long as what memory holds is told by the order of stores.
    std::optional<Rejection> no;
    for (const For& loop : concurrent) {
        if (!no) no = as_serial(p_, loop);
    }
    if (!no) no = roller.guard();
    if (!no) no = roller.store_twice(padding);
    if (!no) no = roller.read_window();
    if (!no) no = roller.keep_window(ring, copy, loops);
    for (auto loop = concurrent.rbegin(); loop != concurrent.rend() && !no; ++loop) {
        no = p_.apply("bind", *p_.index().loop(*loop->var->name), {{"kind", "parallel"}});
    }
    if (no) {
        p_.derivation().roll_back(start);
        p_.derivation().record(*no);
        Refusal out = std::get<Refusal>(refuse(std::move(*no)));
        const auto& failed = out.rejection->failed;
        if (failed && failed->purpose.kind == Owed::AlwaysStored) {
            out.diagnostic.hint =
                "the first iteration fills a window, so there has to be one: a size has a lower "
                "bound, such as T.func_attr({\"tir_var_lower_bound\": {\"n\": 1}})";
        }
        const bool computed = failed && (failed->purpose.kind == Owed::NoFault ||
                                         failed->purpose.kind == Owed::Extent);
        if (out.diagnostic.hint.empty() && !computed) {
            out.diagnostic.hint = "each cell is read while it is in the window of the last " +
                                  std::to_string(roller.window().extent) + " cells";
        }
        return out;
    }
    const Site now = p_.index().block(block)->child("body");
    if (const Store* n = locate(p_.current(), now)->stmt->as<Store>(); n && n->value != value) {
        p_.try_apply("replace", now.child("value"), {{"to", print(value)}});
    }
    note_ = name + " is " + ring + ", " + std::to_string(roller.window().extent) +
            " cells in dimension " + std::to_string(roller.window().dimension);
    return Names{};
}

}  // namespace proviso::rewrite
