// merge-loops: two adjacent loops over the same range as one. fission: one loop as two.
//
//   merge-loops   for i in range(n): S1;  for j in range(n): S2
//                 →  for i in range(n): { S1; S2[j := i] }
//   fission       for i in range(n): { S1; S2 }
//                 →  for i in range(n): S1;  for i_1 in range(n): S2[i := i_1]
//
// merge-loops: the site is the first loop. No arguments. Obligations: the bounds are equal (the
// second loop's are what they were before the first one runs); and no access of S1 at iteration i
// meets an access of S2 at an iteration j < i on one cell, one of them writing: those pairs change
// their order, and no others do. In concurrent loops: j != i, since what ended before now races.
// (RFC 0077 compares what the first loop writes, and then what the *second* one reads with what it
// writes itself. That accepts a first loop that reads what an earlier iteration of the second one
// now overwrites, and refuses loops whose own dependences nobody touches.)
//
// fission: the body is a list. Argument: "at": how many of its elements stay in the first loop.
// Obligation: the same pairs, which change their order the other way round. A concurrent loop owes
// nothing: such pairs would be races in the source.
//
// Neither is for loops that may stop (an assert) or make opaque calls, nor for thread-bound ones.
#include <nlohmann/json.hpp>

#include "analysis/facts.h"
#include "analysis/formula.h"
#include "analysis/path.h"
#include "rewrite/kernel/arguments.h"
#include "rewrite/rules/adjacent.h"
#include "rewrite/rules/common.h"
#include "rewrite/rules/dependence.h"
#include "rewrite/rules/fresh_copy.h"
#include "rewrite/rules/statement/statement_rules.h"

namespace proviso::rewrite {

using namespace ir;
using namespace analysis;

namespace {

bool is_serial(const For& loop) {
    return loop.kind == ForKind::Serial || loop.kind == ForKind::Unrolled;
}

Status may_be_taken_apart(const For& loop) {
    if (loop.kind == ForKind::ThreadBinding) return error("a loop is bound to threads");
    if (contains_assert(loop.body)) {
        return error("loop " + *loop.var->name + " contains an assert");
    }
    if (contains_extern_call(loop.body) || makes_call(loop.lo) || makes_call(loop.hi)) {
        return error("loop " + *loop.var->name + " makes an opaque call");
    }
    return Unit{};
}

class MergeLoops final : public Rule {
  public:
    std::string name() const override { return "merge-loops"; }
    std::string summary() const override { return "two adjacent loops over the same range as one"; }

    Result<Proposal> propose(Context& ctx, const Function& before, const Site& site,
                             const nlohmann::json& args) const override {
        (void)args;
        const Result<AdjacentPair> pair = adjacent_pair(before, site);
        if (!pair) return pair.error();
        const For* first = pair->first->as<For>();
        const For* second = pair->second->as<For>();
        if (first == nullptr || second == nullptr) {
            return error("merge-loops works on two loops that follow each other");
        }
        for (const For* loop : {first, second}) {
            const Status ok = may_be_taken_apart(*loop);
            if (!ok) return ok.error();
        }
        if (first->kind != second->kind && !(is_serial(*first) && is_serial(*second))) {
            return error("the loops are of different kinds");
        }
        if (first->var->type != second->var->type) {
            return error("the loops' variables differ in type");
        }
        for (Expr bound : {second->lo, second->hi}) {
            const Status same = stays_the_same(bound, first->body, "a bound of the second loop");
            if (!same) return same.error();
        }
        Proposal out;
        For merged = *first;
        Stmt rest = substitute(ctx, second->body, {{second->var, first->var}});
        merged.body = ctx.seq({first->body, rest});
        out.after = replace_pair(ctx, before, *pair, ctx.stmt(merged));

        std::vector<Expr> facts = facts_at(ctx, before, site);
        for (Expr bound : {first->lo, first->hi, second->lo, second->hi}) {
            Expr evaluated = evaluated_bound(ctx, bound);
            if (!is_true(evaluated)) facts.push_back(evaluated);
        }
        out.obligations.push_back(
            Obligation{"the two loops have the same bounds", facts,
                       ctx.all_of({settled(ctx, first->lo), settled(ctx, first->hi),
                                   ctx.eq(first->lo, second->lo), ctx.eq(first->hi, second->hi)})});
        const MemoryModel memory(ctx, before);
        append(out.obligations,
               no_crossing_dependence(
                   memory, site, LoopPart{{site.child("body")}, first->var},
                   LoopPart{{pair->second_site.child("body")}, second->var},
                   is_serial(*first) ? Crossing::Later : Crossing::Different,
                   "no later iteration of the first loop meets the second loop on one cell"));
        return out;
    }
};

class Fission final : public Rule {
  public:
    std::string name() const override { return "fission"; }
    std::string summary() const override { return "one loop as two, each with a part of the body"; }

    Result<Proposal> propose(Context& ctx, const Function& before, const Site& site,
                             const nlohmann::json& args) const override {
        const Result<Located> at = locate(before, site);
        if (!at) return at.error();
        const For* loop = at->as<For>();
        const Seq* body = loop == nullptr ? nullptr : loop->body->as<Seq>();
        if (body == nullptr) return error("fission works on a loop whose body is a list");
        const Result<std::int64_t> count = arg_int(args, "at");
        if (!count) return count.error();
        if (*count < 1 || static_cast<std::size_t>(*count) >= body->body.size()) {
            return error("the loop's body has " + std::to_string(body->body.size()) +
                         " elements; both loops need one");
        }
        const Status ok = may_be_taken_apart(*loop);
        if (!ok) return ok.error();
        const auto middle = body->body.begin() + *count;
        For first = *loop;
        first.body = ctx.seq({body->body.begin(), middle});
        for (Expr bound : {loop->lo, loop->hi}) {  // evaluated again after the first loop
            const Status same = stays_the_same(bound, first.body, "a bound");
            if (!same) return same.error();
        }
        std::set<std::string> used = used_names(before);
        For second = *loop;
        second.var = ctx.var(fresh_name(*loop->var->name, used), loop->var->type);
        second.body =
            substitute(ctx, ctx.seq({middle, body->body.end()}), {{loop->var, second.var}});
        Proposal out;
        out.after = replace_at(ctx, before, site, ctx.seq({ctx.stmt(first), ctx.stmt(second)}));
        if (!is_serial(*loop)) return out;
        LoopPart one{{}, loop->var};
        LoopPart other{{}, loop->var};
        for (std::size_t k = 0; k < body->body.size(); ++k) {
            LoopPart& part = k < static_cast<std::size_t>(*count) ? one : other;
            part.statements.push_back(site.child("body").child(std::to_string(k)));
        }
        const MemoryModel memory(ctx, before);
        append(out.obligations,
               no_crossing_dependence(
                   memory, site, one, other, Crossing::Later,
                   "no later iteration of the first part meets the second part on one cell"));
        return out;
    }
};

}  // namespace

const Rule& merge_loops_rule() {
    static const MergeLoops rule;
    return rule;
}

const Rule& fission_rule() {
    static const Fission rule;
    return rule;
}

}  // namespace proviso::rewrite
