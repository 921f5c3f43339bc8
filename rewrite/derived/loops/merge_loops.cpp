// merge-loops: two adjacent loops over the same range as one. fission: one loop as two.
//
//   merge-loops   for i in range(n): S1;  for j in range(n): S2
//                 →  for i in range(n): { S1; S2[j := i] }
//   fission       for i in range(n): { S1; S2 }
//                 →  for i in range(n): S1;  for i_1 in range(n): S2[i := i_1]
//
// merge-loops: the site is the first loop. No arguments. No access of S1 at iteration i may meet an
// access of S2 at an iteration j < i on one cell, one of them writing: those pairs change their
// order, and no others do. In concurrent loops: j != i, since what ended before now races.
// (RFC 0077 compares what the first loop writes, and then what the *second* one reads with what it
// writes itself. That accepts a first loop that reads what an earlier iteration of the second one
// now overwrites, and refuses loops whose own dependences nobody touches.)
//
// fission: the body is a list. Argument: "at": how many of its elements stay in the first loop. The
// same pairs change their order, the other way round.
#include <nlohmann/json.hpp>

#include "rewrite/derived/derived_rule.h"
#include "rewrite/kernel/arguments.h"
#include "rewrite/rules/adjacent.h"
#include "rewrite/rules/common.h"
#include "rewrite/rules/fresh_copy.h"
#include "rewrite/rules/statement/statement_rules.h"

namespace proviso::rewrite {

using namespace ir;

namespace {

bool is_serial(const For& loop) {
    return loop.kind == ForKind::Serial || loop.kind == ForKind::Unrolled;
}

class MergeLoops final : public RescheduleRule {
  public:
    std::string name() const override { return "merge-loops"; }
    std::string summary() const override { return "two adjacent loops over the same range as one"; }

    Result<Rescheduling> rescheduling(Context& ctx, const Function& before, const Site& site,
                                      const nlohmann::json& args) const override {
        (void)args;
        const Result<AdjacentPair> pair = adjacent_pair(before, site);
        if (!pair) return pair.error();
        const For* first = pair->first->as<For>();
        const For* second = pair->second->as<For>();
        if (first == nullptr || second == nullptr) {
            return error("merge-loops works on two loops that follow each other");
        }
        if (first->kind != second->kind && !(is_serial(*first) && is_serial(*second))) {
            return error("the loops are of different kinds");
        }
        if (first->var->type != second->var->type) {
            return error("the loops' variables differ in type");
        }
        Rescheduling out;
        out.count = 2;
        For merged = *first;
        Stmt rest = substitute(ctx, second->body, {{second->var, first->var}});
        merged.body = ctx.seq({first->body, rest});
        out.after = ctx.stmt(merged);
        const Site list = Site{}.child("body");
        const std::size_t ours = list_length(first->body);
        const std::size_t all = ours + list_length(second->body);
        for (std::size_t k = 0; k < all; ++k) {
            const bool one = k < ours;
            const For& loop = one ? *first : *second;
            const Site body = Site{}.child(one ? "0" : "1").child("body");
            out.parts.push_back({list.child(std::to_string(k)),
                                 list_element(body, loop.body, one ? k : k - ours),
                                 {{loop.var, first->var}},
                                 {{first->var, loop.var}},
                                 nullptr});
            for (std::size_t j = 0; !one && j < ours; ++j) out.apart.emplace(j, k);
        }
        out.reason = "no later iteration of the first loop meets the second loop on one cell of %";
        return out;
    }
};

class Fission final : public RescheduleRule {
  public:
    std::string name() const override { return "fission"; }
    std::string summary() const override { return "one loop as two, each with a part of the body"; }

    Result<Rescheduling> rescheduling(Context& ctx, const Function& before, const Site& site,
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
        const std::size_t ours = static_cast<std::size_t>(*count);
        const auto middle = body->body.begin() + *count;
        For first = *loop;
        first.body = ctx.seq({body->body.begin(), middle});
        std::set<std::string> used = used_names(before);
        For second = *loop;
        second.var = ctx.var(fresh_name(*loop->var->name, used), loop->var->type);
        second.body =
            substitute(ctx, ctx.seq({middle, body->body.end()}), {{loop->var, second.var}});
        Rescheduling out;
        out.after = ctx.seq({ctx.stmt(first), ctx.stmt(second)});
        for (std::size_t k = 0; k < body->body.size(); ++k) {
            const bool one = k < ours;
            const For& now = one ? first : second;
            const Site list = Site{}.child(one ? "0" : "1").child("body");
            out.parts.push_back({list_element(list, now.body, one ? k : k - ours),
                                 Site{}.child("body").child(std::to_string(k)),
                                 {{loop->var, now.var}},
                                 {{now.var, loop->var}},
                                 nullptr});
            const bool changes = !one && is_serial(*loop);
            for (std::size_t j = 0; changes && j < ours; ++j) out.apart.emplace(j, k);
        }
        out.reason = "no later iteration of the first part meets the second part on one cell of %";
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
