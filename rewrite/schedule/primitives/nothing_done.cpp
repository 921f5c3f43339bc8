#include "rewrite/schedule/primitives/nothing_done.h"

#include <map>
#include <nlohmann/json.hpp>

#include "ir/children.h"
#include "ir/text.h"
#include "rewrite/passes/remaining.h"
#include "rewrite/schedule/merge_padding.h"

namespace proviso::rewrite {

using namespace ir;

namespace {

// The first assumption in the stage of the block, or in the function where that is empty.
std::optional<Site> assumption(const Function& f, const std::string& block) {
    for (const auto& [site, stmt] : all_statements(f)) {
        if (stmt->is<Assume>() && in_scope(f, site, block)) return site;
    }
    return std::nullopt;
}

bool is_loop(Stmt s) {
    return s != nullptr && s->is<For>();
}

// Two loops that follow each other, and why they are not one; empty: there are none.
std::string apart(Proposer& p) {
    const Function f = p.current();
    const std::size_t start = p.derivation().steps().size();
    for (const auto& [site, stmt] : all_statements(f)) {
        if (!is_loop(stmt) || !is_loop(next_statement(f, site))) continue;
        std::optional<Rejection> no;
        p.try_apply("merge-loops", site, nlohmann::json::object(), &no);
        p.derivation().roll_back(start);
        std::string names = "loops " + *stmt->as<For>()->var->name + " and " +
                            *next_statement(f, site)->as<For>()->var->name + " stay two";
        if (!no) return names;
        return names + ", because " +
               (no->failed ? "it is not proved that " + no->failed->purpose.words
                           : no->diagnostic.message);
    }
    return {};
}

// Of a choice between a cell and a constant: the promise about padding that it takes.
std::string missing_promise(const Function& f, const Remaining& r) {
    if (r.kind != "choice") return {};
    if (r.why.find("padding") != std::string::npos || r.why.find("pad_value") != std::string::npos)
        return "; " + r.hint;
    const Result<Located> at = locate(f, r.site);
    if (!at || at->expr == nullptr || at->expr->args.size() != 3) return {};
    for (const std::size_t k : {1, 2}) {
        Expr constant = at->expr->arg(k);
        if (!is_const(constant) || !has_op(at->expr->arg(3 - k), Op::Load)) continue;
        return "; a layout with padding that holds " + print(constant) +
               " may take it away: sch.transform_layout(…, pad_value=…)";
    }
    return {};
}

// The first branch or choice that is still there, and what stands against removing it.
std::string stays(Proposer& p, const std::string& block, bool with_promise = false) {
    const std::optional<Remaining> r = first_branch_that_remains(p, block);
    if (!r) return {};
    const bool failed = r->rejection && r->rejection->failed;
    const std::string why = !r->why.empty() ? r->why
                            : failed
                                ? "it is not proved that " + r->rejection->failed->purpose.words
                                : "";
    return "a " + r->kind + " stays, `" + r->text + "`" + (why.empty() ? "" : ", because " + why) +
           (with_promise ? missing_promise(p.current(), *r) : "");
}

std::string or_else(const std::string& first, const char* second) {
    return first.empty() ? second : first;
}

}  // namespace

std::string why_nothing(Proposer& p, const std::string& primitive, const std::string& block) {
    if (primitive == "remove_branching_through_overcompute") {
        return or_else(stays(p, block, true), "there is no branch and no choice");
    }
    if (primitive == "simplify") {
        const std::string left = stays(p, block);
        return "every expression is in its simplest form already" +
               (left.empty() ? "" : "; " + left);
    }
    if (primitive == "merge_adjacent_loops") {
        return or_else(apart(p), "no two loops follow each other");
    }
    if (primitive == "lower_assume" && assumption(p.current(), block)) {
        return "the assumptions stand in functions of their own";
    }
    const std::optional<Site> other =
        primitive == "lower_assume" ? assumption(p.current(), "") : std::nullopt;
    if (other) {
        return "there is no assumption in the stage of " + block + ", but one at " + other->str() +
               ": without a block all are dropped";
    }
    static const std::map<std::string, const char*> reasons = {
        {"split", "with one factor the loop stays as it is"},
        {"reorder", "the loops are in this order already"},
        {"sequential_buffer_access",
         "the loops walk the buffer in the order of its layout already"},
        {"reduce_loop_extents",
         "no loop has first or last iterations that are known to do nothing"},
        {"loop_partition", "no guard changes its value within a loop"},
        {"hoist_expression", "no condition or let can move out of a loop around it"},
        {"lower_assume", "there is no assumption"},
        {"remove_no_op",
         "of every store it is possible that somebody sees what it writes (proviso lower "
         "--explain tells why)"},
    };
    const auto found = reasons.find(primitive);
    return found == reasons.end() ? "nothing had to be done" : found->second;
}

}  // namespace proviso::rewrite
