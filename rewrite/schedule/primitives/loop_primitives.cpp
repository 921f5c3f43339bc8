// Primitives about the structure of loops beyond one nest: merging, taking apart, partitioning; and
// the passes that only a schedule asks for.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "ir/text.h"
#include "rewrite/passes/guard_bounds.h"
#include "rewrite/schedule/merge_padding.h"
#include "rewrite/schedule/primitives/primitives.h"
#include "rewrite/schedule/restated.h"

namespace proviso::rewrite {

using namespace ir;
using nlohmann::json;

namespace {

bool is_loop(Stmt s) {
    return s != nullptr && s->is<For>();
}

// Where the loop after the one at `site` has a range that differs from its own by a shift, it
// counts as that one does. Does nothing where the ranges are the same, or differ otherwise.
void count_alike(Proposer& p, const Site& site) {
    Context& ctx = p.ctx();
    const For first = *locate(p.current(), site)->stmt->as<For>();
    const For second = *next_statement(p.current(), site)->as<For>();
    if (first.lo == second.lo || first.var->type != second.var->type) return;
    Expr longer =
        p.simplified(ctx.sub(ctx.sub(first.hi, first.lo), ctx.sub(second.hi, second.lo)), site);
    Expr offset = p.simplified(ctx.sub(first.lo, second.lo), site);
    if (!is_int_const(longer, 0) || is_int_const(offset, 0)) return;
    std::set<std::string> used = bound_names(p.current());
    const Site next = site.parent().child(std::to_string(std::stoul(site.steps.back()) + 1));
    p.try_apply("shift-loop", next,
                json{{"offset", print(offset)},
                     {"lo", print(first.lo)},
                     {"hi", print(first.hi)},
                     {"name", fresh_name(*second.var->name, used)},
                     {"guard", "none"}});
}

// Where somebody asks for these very loops: wherever their ranges begin.
enum class Ranges : std::uint8_t { Same, Shifted };

// The loop at `site` and the one after it as one; or nothing has changed, and why.
std::optional<Rejection> merge_pair(Proposer& p, const Site& site, Ranges ranges) {
    const std::size_t start = p.derivation().steps().size();
    if (ranges == Ranges::Shifted) count_alike(p, site);
    std::optional<Rejection> no;
    if (p.try_apply("merge-loops", site, json::object(), &no)) return std::nullopt;
    if (p.derivation().steps().size() > start) {
        const auto name = [&] { return *next_statement(p.current(), site)->as<For>()->var->name; };
        const std::string alike = name();
        p.derivation().roll_back(start);
        no->diagnostic.notes.push_back("seen with loop " + name() +
                                       " counted as the one before it, as " + alike);
    }
    return no;
}

// What makes loops of other lengths alike: a part of the longer one; empty: lengths are not known,
// or are the same.
std::string other_length(const Function& f, const Site& site) {
    Stmt next = next_statement(f, site);
    if (!is_loop(next)) return {};
    const For& first = *locate(f, site)->stmt->as<For>();
    const For& second = *next->as<For>();
    for (Expr bound : {first.lo, first.hi, second.lo, second.hi}) {
        if (!is_int_const(bound)) return {};
    }
    const Int128 a = first.hi->int_value() - first.lo->int_value();
    const Int128 b = second.hi->int_value() - second.lo->int_value();
    if (a == b) return {};
    const std::string shorter = std::to_string(static_cast<std::int64_t>(std::min(a, b)));
    const std::string& longer = *(a > b ? first : second).var->name;
    return "loop " + *first.var->name + " has " + std::to_string(static_cast<std::int64_t>(a)) +
           " iterations and loop " + *second.var->name + " " +
           std::to_string(static_cast<std::int64_t>(b)) + ": sch.loop_partition(" + longer +
           ", factors=[" + shorter + ", None]) makes a part of the same length";
}

// The statement at `second` of a list right behind the one at `first`: it goes up, or the first one
// down, past what stands between them. Or nothing has changed, and why the second one stays.
std::optional<Rejection> bring_together(Proposer& p, const Site& first, const Site& second) {
    const std::size_t a = std::stoul(first.steps.back());
    const std::size_t b = std::stoul(second.steps.back());
    if (b == a + 1) return std::nullopt;
    std::optional<Rejection> no = move_within(p, first.parent(), b, a < b ? a + 1 : a);
    if (no && !move_within(p, first.parent(), a, a < b ? b - 1 : b)) return std::nullopt;
    return no;
}

// Inside of a loop that was merged: two loops that are its whole body, and so on inwards.
void merge_inner(Proposer& p, Site site, Ranges ranges) {
    while (true) {
        const For* loop = locate(p.current(), site)->stmt->as<For>();
        const Seq* body = loop == nullptr ? nullptr : loop->body->as<Seq>();
        if (body == nullptr || body->body.size() != 2) return;
        if (!is_loop(body->body[0]) || !is_loop(body->body[1])) return;
        const Site first = site.child("body").child("0");
        if (merge_pair(p, first, ranges)) return;
        site = site.child("body");
    }
}

// Every adjacent pair that may be merged; the loops that took others in.
Names merge_all(Proposer& p) {
    Names merged;
    for (bool again = true; again;) {
        again = false;
        const Function f = p.current();
        for (const auto& [site, stmt] : all_statements(f)) {
            if (!is_loop(stmt) || !is_loop(next_statement(f, site))) continue;
            const std::string name = *stmt->as<For>()->var->name;
            if (!merge_with_padding(p, site)) {
                if (merge_pair(p, site, Ranges::Same)) continue;
                merge_inner(p, *p.index().loop(name), Ranges::Same);
            }
            if (std::find(merged.begin(), merged.end(), name) == merged.end()) {
                merged.push_back(name);
            }
            again = true;
            break;
        }
    }
    return merged;
}

}  // namespace

Expr Primitives::loop_variable(const std::string& loop) const {
    const std::optional<Site> site = p_.index().loop(loop);
    return site ? locate(p_.current(), *site)->stmt->as<For>()->var : nullptr;
}

Outcome Primitives::merge_adjacent_loops(const std::vector<std::string>& loops) {
    if (loops.empty()) return merge_all(p_);
    if (loops.size() < 2) return refuse("a loop is merged with those that follow it");
    const std::optional<Site> first = p_.index().loop(loops[0]);
    if (!first) return refuse("there is no loop '" + loops[0] + "' any more");
    Site here = *first;
    for (std::size_t k = 1; k < loops.size(); ++k) {
        Stmt next = next_statement(p_.current(), here);
        if (!is_loop(next) || *next->as<For>()->var->name != loops[k]) {
            return refuse("loop " + loops[k] + " does not follow loop " + loops[k - 1],
                          "loops that stand next to each other can be merged");
        }
        here = here.parent().child(std::to_string(std::stoul(here.steps.back()) + 1));
    }
    const std::size_t start = p_.derivation().steps().size();
    for (std::size_t k = 1; k < loops.size(); ++k) {
        const Site site = *p_.index().loop(loops[0]);
        if (merge_with_padding(p_, site, loops.size() - k)) break;  // all that are left
        if (std::optional<Rejection> no = merge_pair(p_, site, Ranges::Shifted)) {
            p_.derivation().roll_back(start);
            if (no->diagnostic.hint.empty()) {
                no->diagnostic.hint = other_length(p_.current(), *p_.index().loop(loops[0]));
            }
            p_.derivation().record(*no);
            return refuse(std::move(*no));
        }
        merge_inner(p_, *p_.index().loop(loops[0]), Ranges::Shifted);
    }
    return Names{loops[0]};
}

Outcome Primitives::merge(const std::vector<std::string>& loops) {
    if (loops.size() < 2) return refuse("two loops or more are merged");
    // The nests down to each of the loops: what differs in their sites is one place in a list.
    std::vector<Site> sites;
    for (const std::string& name : loops) {
        const std::optional<Site> site = p_.index().loop(name);
        if (!site) return Refusal{no_loop(name), std::nullopt};
        sites.push_back(*site);
    }
    const auto [a, b] = std::mismatch(sites[0].steps.begin(), sites[0].steps.end(),
                                      sites[1].steps.begin(), sites[1].steps.end());
    const auto common = static_cast<std::size_t>(a - sites[0].steps.begin());
    if (a == sites[0].steps.end() || b == sites[1].steps.end()) {
        return refuse("loop " + loops[1] + " and loop " + loops[0] + " stand in each other",
                      "loops of different nests are merged");
    }
    const std::size_t depth = sites[0].steps.size();
    Names outermost;
    for (std::size_t k = 0; k < sites.size(); ++k) {
        Site top{{sites[k].steps.begin(),
                  sites[k].steps.begin() + static_cast<std::ptrdiff_t>(common + 1)}};
        bool nested = sites[k].steps.size() == depth && is_loop(locate(p_.current(), top)->stmt);
        for (std::size_t d = common + 1; d < sites[k].steps.size() && nested; ++d) {
            nested = sites[k].steps[d] == "body";
        }
        if (!nested) {
            return refuse(
                "loop " + loops[k] + " is not as deep in a nest of loops alone as loop " + loops[0],
                "the loops around what is merged have no other statement in them");
        }
        outermost.push_back(*locate(p_.current(), top)->stmt->as<For>()->var->name);
    }
    const std::size_t start = p_.derivation().steps().size();
    for (std::size_t k = 1; k < loops.size(); ++k) {
        Site here = *p_.index().loop(outermost[0]);
        if (!locate(p_.current(), here.parent())->stmt->is<Seq>()) {
            p_.derivation().roll_back(start);
            return refuse(
                "loop " + outermost[k] + " and loop " + outermost[0] + " stand in no common list",
                "nests that stand in one list can be merged");
        }
        if (std::optional<Rejection> no =
                bring_together(p_, here, *p_.index().loop(outermost[k]))) {
            p_.derivation().roll_back(start);
            p_.derivation().record(*no);
            return refuse(std::move(*no));
        }
        here = *p_.index().loop(outermost[0]);
        std::string level = outermost[0];
        for (std::size_t d = common + 1;; ++d) {
            here = *p_.index().loop(level);
            if (std::optional<Rejection> no = merge_pair(p_, here, Ranges::Shifted)) {
                p_.derivation().roll_back(start);
                p_.derivation().record(*no);
                return refuse(std::move(*no));
            }
            if (d >= depth) break;
            // The loop inside that has taken the others in comes first, this one second.
            const Seq* two =
                locate(p_.current(), *p_.index().loop(level))->stmt->as<For>()->body->as<Seq>();
            level = *two->body[0]->as<For>()->var->name;
        }
    }
    return Names{loops[0]};
}

Outcome Primitives::fission(const std::string& loop, std::int64_t count) {
    const std::optional<Site> site = p_.index().loop(loop);
    if (!site) return refuse("there is no loop '" + loop + "' any more");
    std::set<std::string> used = bound_names(p_.current());
    const std::string second = fresh_name(loop, used);
    if (auto no = step("fission", *site, json{{"at", count}})) return *no;
    return Names{loop, p_.index().loop(second) ? second : loop};
}

// As in TVM, a mark for the code generator: what the loop is called, and what is in it, stays for
// the calls that follow. With `copies`, its iterations in the program's text.
Outcome Primitives::unroll(const std::string& loop, bool copies) {
    const std::optional<Site> site = p_.index().loop(loop);
    if (!site) return refuse("there is no loop '" + loop + "' any more");
    For marked = *locate(p_.current(), *site)->stmt->as<For>();
    if (marked.kind == ForKind::Unrolled && !copies) {
        note_ = "loop " + loop + " has the mark already";
        return Names{};
    }
    if (copies || marked.kind != ForKind::Serial) {
        if (auto no = step("unroll", *site, json::object())) return *no;
        return Names{};
    }
    marked.kind = ForKind::Unrolled;
    Restated r;
    const Site body = Site{}.child("body");
    add_parts(r, marked.body, Part{body, body, {}, {}});
    r.after = p_.ctx().stmt(std::move(marked));
    if (auto no = restate(p_, *site, r)) return refuse(std::move(*no));
    return Names{};
}

namespace {

// What to write in place of factors that reach beyond the loop.
std::string parts_that_fit(const For& loop) {
    const std::string& name = *loop.var->name;
    if (is_int_const(loop.lo) && is_int_const(loop.hi)) {
        const Int128 count = std::max<Int128>(0, loop.hi->int_value() - loop.lo->int_value());
        return "loop " + name + " has " + int128_text(count) +
               " iterations: the factors before None add up to no more";
    }
    return "loop " + name +
           ", of unknown extent, may have fewer iterations: give its size a lower " +
           "bound, such as T.func_attr({\"tir_var_lower_bound\": {\"n\": 8}}), or partition it " +
           "where its guards change, sch.loop_partition(loop)";
}

}  // namespace

namespace {

// What the others leave to the one open part that is not the last one; absent: there is none such,
// or the loop's extent is not known.
std::optional<std::int64_t> open_part(const For& loop,
                                      const std::vector<std::optional<std::int64_t>>& factors) {
    const bool one = std::count(factors.begin(), factors.end(), std::nullopt) == 1;
    if (!one || !factors.back() || !is_int_const(loop.lo) || !is_int_const(loop.hi)) {
        return std::nullopt;
    }
    Int128 rest = loop.hi->int_value() - loop.lo->int_value();
    for (const auto& f : factors) rest -= f.value_or(0);
    return rest > 0 ? std::optional<std::int64_t>(static_cast<std::int64_t>(rest)) : std::nullopt;
}

}  // namespace

Outcome Primitives::partition(const std::string& loop,
                              std::vector<std::optional<std::int64_t>> factors) {
    const std::optional<Site> site = p_.index().loop(loop);
    if (!site) return refuse("there is no loop '" + loop + "' any more");
    if (factors.size() < 2) return refuse("a partition has two parts or more");
    const std::size_t start = p_.derivation().steps().size();
    Names parts = {loop};
    Expr lo = locate(p_.current(), *site)->stmt->as<For>()->lo;
    if (const auto size = open_part(*locate(p_.current(), *site)->stmt->as<For>(), factors)) {
        const auto open = std::find(factors.begin(), factors.end(), std::nullopt);
        factors[static_cast<std::size_t>(open - factors.begin())] = size;
    }
    for (std::size_t k = 0; k + 1 < factors.size(); ++k) {
        if (!factors[k] || *factors[k] <= 0) {
            p_.derivation().roll_back(start);
            return refuse(
                "only the last part of a loop of unknown extent may be open, one of "
                "another, and every part has iterations",
                "factors=[2, 4, None]");
        }
        if (!lo->type.contains(*factors[k])) {
            p_.derivation().roll_back(start);
            return refuse("a part of " + std::to_string(*factors[k]) + " iterations is more than " +
                              lo->type.str() + ", the type of loop " + loop + ", can count",
                          "smaller parts: factors=[2, 4, None]");
        }
        lo = p_.simplified(p_.ctx().add(lo, p_.ctx().int_imm(lo->type, *factors[k])), *site);
        const Site here = *p_.index().loop(parts.back());
        if (auto no = step("split-range", here, json{{"at", print(lo)}})) {
            p_.derivation().roll_back(start);
            if (no->rejection->failed && no->diagnostic.hint.empty()) {
                no->diagnostic.hint = parts_that_fit(*locate(p_.current(), *site)->stmt->as<For>());
                no->rejection->diagnostic.hint = no->diagnostic.hint;
            }
            return *no;
        }
        Stmt upper = next_statement(p_.current(), *p_.index().loop(parts.back()));
        parts.push_back(*upper->as<For>()->var->name);
    }
    return parts;
}

Outcome Primitives::partition(const std::string& loop, Expr var, Expr hint) {
    const std::optional<Site> site = p_.index().loop(loop);
    if (!site) return refuse("there is no loop '" + loop + "' any more");
    Expr own = loop_variable(loop);
    Expr condition = substitute(p_.ctx(), hint, {{var, own}});
    const std::vector<Expr> points =
        turning_points(p_.ctx(), condition, own, variables_at(p_.ctx(), p_.current(), *site));
    if (points.empty()) {
        return refuse("the hint does not say where to partition the loop",
                      "comparisons that are linear in " + loop + " do");
    }
    Names parts = partition_at(p_, loop, points);
    if (parts.size() == 1) return refuse("the hint changes nowhere inside of loop " + loop);
    return parts;
}

Outcome Primitives::partition(const std::string& loop) {
    if (!p_.index().loop(loop)) {
        return refuse("there is no loop '" + loop + "' any more");
    }
    return partition_by_guards(p_, loop);
}

Outcome Primitives::remove_overcompute(const std::string& block) {
    const PassResult result = remove_overcompute_through_branching(p_, block);
    note_ = result.limit;
    if (result.steps > 0) return Names{};
    if (result.refused.empty()) {
        return refuse(
            "no guard is known for what " + (block.empty() ? "any block" : "block " + block) +
                " stores",
            "give the buffer a layout with padding, or let something overwrite the cells");
    }
    for (const Rejection& no : result.refused) p_.derivation().record(no);
    const auto refuted = std::find_if(
        result.refused.begin(), result.refused.end(),
        [](const Rejection& r) { return r.answer.verdict == analysis::Verdict::Refuted; });
    return refuse(refuted != result.refused.end() ? *refuted : result.refused.front());
}

Outcome Primitives::lower_assume(const std::string& block, bool check) {
    if (const std::optional<Diagnostic> wrong = impossible_assumption(p_)) {
        return Refusal{*wrong, std::nullopt};
    }
    lower_assumptions(p_, check, block);
    return Names{};
}

}  // namespace proviso::rewrite
