// drop-empty: removes a statement without effect: loops, branches, lets, allocations and
// evaluations that store nothing that outlives them, check nothing and call nothing. Removing what
// could only fault is a refinement.
//
// Arguments: none. An allocation whose body never mentions the buffer goes alone, and its body
// stays; so does a let whose body never mentions its name. An `else` goes as a whole.
#include <nlohmann/json.hpp>

#include "analysis/facts/path.h"
#include "ir/planted.h"
#include "rewrite/derived/derived_rule.h"
#include "rewrite/rules/common.h"
#include "rewrite/rules/statement/statement_rules.h"

namespace proviso::rewrite {

using namespace ir;
using namespace analysis;

namespace {

// Of the branch that the site is the `else` of; null: it is none.
const IfElse* branch_of(const Function& f, const Site& site) {
    if (site.steps.empty() || site.steps.back() != "else") return nullptr;
    const Result<Located> around = locate(f, site.parent());
    return around ? around->as<IfElse>() : nullptr;
}

class DropEmpty final : public RescheduleRule {
  public:
    std::string name() const override { return "drop-empty"; }
    std::string summary() const override {
        return "a loop, branch, let or allocation without effect";
    }

    Site place(const Function& before, const Site& site) const override {
        return branch_of(before, site) == nullptr ? site : site.parent();
    }

    Result<Rescheduling> rescheduling(Context& ctx, const Function& before, const Site& site,
                                      const nlohmann::json& args) const override {
        (void)args;
        const Result<Located> at = locate(before, site);
        if (!at) return at.error();
        if (at->stmt == nullptr) return error("drop-empty works on a statement");
        if (at->stmt->is<Assume>()) return error("an assume is dropped by lower-assume");
        Rescheduling out;
        const Status empty = no_effect(at->stmt);
        const LetStmt* let = at->as<LetStmt>();
        const Allocate* allocation = at->as<Allocate>();
        const bool drops_call = let != nullptr && makes_call(let->value);
        if ((let != nullptr && !empty && !drops_call) || allocation != nullptr) {
            Stmt body = let != nullptr ? let->body : allocation->body;
            const std::string& name = let != nullptr ? *let->var->name : allocation->buffer->name;
            if (!mentions(body, name) || planted("drop-empty:body-stays")) {
                out.after = body;
                out.parts = as_parts(body, {Site{}, Site{}.child("body"), {}, {}});
                return out;
            }
        }
        if (!empty) return empty.error();
        const IfElse* branch = branch_of(before, site);
        if (branch != nullptr) {
            out.after = ctx.if_(branch->cond, branch->then_body);
            out.parts = {{Site{}.child("then"), Site{}.child("then"), {}, {}}};
            out.dropped = {Site{}.child("else")};
        } else {
            out.after = ctx.pass();
            out.dropped = {Site{}};
        }
        return out;
    }

  private:
    static Status no_effect(Stmt stmt) {
        if (contains_assert(stmt)) return error("the statement contains an assert");
        if (contains_extern_call(stmt)) return error("the statement makes an opaque call");
        std::set<Buffer> inside;
        for_each_stmt(stmt, [&](Stmt s) {
            if (const Allocate* n = s->as<Allocate>()) inside.insert(n->buffer);
        });
        for (Buffer b : stored_buffers(stmt)) {
            if (inside.count(b) == 0) return error("the statement stores to " + b->name);
        }
        return Unit{};
    }

    // By name: names are unique in a function.
    static bool mentions(Stmt body, const std::string& name) {
        bool found = false;
        const auto check = [&](Buffer b) { found |= b->name == name; };
        for_each_expr(body, [&](Expr e) {
            for_each_node(e, [&](Expr n) {
                found |= n->op == Op::Var && *n->name == name;
                if (n->op == Op::Load) check(n->buffer);
            });
        });
        for_each_stmt(body, [&](Stmt s) {
            if (const Store* n = s->as<Store>()) check(n->buffer);
            if (const Allocate* n = s->as<Allocate>()) {
                for (Expr extent : n->buffer->shape) {
                    for_each_node(extent,
                                  [&](Expr e) { found |= e->op == Op::Var && *e->name == name; });
                }
            }
            const Block* block = s->as<Block>();
            if (block == nullptr) return;
            for (const auto* regions : {&block->reads, &block->writes}) {
                if (!regions->has_value()) continue;
                for (const BufferRegion& r : **regions) check(r.buffer);
            }
        });
        return found;
    }
};

}  // namespace

const Rule& drop_empty_rule() {
    static const DropEmpty rule;
    return rule;
}

}  // namespace proviso::rewrite
