// drop-empty: removes a statement without effect: loops, branches, lets, allocations and
// evaluations that store nothing that anyone can see, check nothing and call nothing. Removing what
// could only fault is a refinement.
//
// Arguments: none. Obligations: none; the shape is checked here: no assert, no opaque call, and
// every store is to a buffer that is allocated inside the statement. An allocation whose body never
// mentions the buffer goes alone, and its body stays; so does a let whose body never mentions its
// name.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "analysis/path.h"
#include "ir/planted.h"
#include "rewrite/rules/common.h"
#include "rewrite/rules/statement/statement_rules.h"

namespace proviso::rewrite {

using namespace ir;
using namespace analysis;

namespace {

class DropEmpty final : public Rule {
  public:
    std::string name() const override { return "drop-empty"; }
    std::string summary() const override {
        return "a loop, branch, let or allocation without effect";
    }

    Result<Proposal> propose(Context& ctx, const Function& before, const Site& site,
                             const nlohmann::json& args) const override {
        (void)args;
        const Result<Located> at = locate(before, site);
        if (!at) return at.error();
        if (at->stmt == nullptr) return error("drop-empty works on a statement");
        if (at->stmt->is<Assume>()) return error("an assume is dropped by lower-assume");
        const Allocate* allocation = at->stmt->as<Allocate>();
        if (allocation != nullptr && !mentions(allocation->body, allocation->buffer)) {
            Proposal unused;
            unused.after = replace_at(ctx, before, site, allocation->body);
            return unused;
        }
        if (const Status none = no_effect(at->stmt); !none) {
            const LetStmt* let = at->stmt->as<LetStmt>();
            if (let == nullptr || makes_call(let->value) || mentions(ctx, *let)) {
                return none.error();
            }
            Proposal unused;
            unused.after = replace_at(ctx, before, site, let->body);
            return unused;
        }
        Proposal out;
        out.after = without(ctx, before, site);
        return out;
    }

  private:
    static Status no_effect(Stmt stmt) {
        if (contains_assert(stmt) && !planted("drop-empty:assert")) {
            return error("the statement contains an assert");
        }
        if (contains_extern_call(stmt)) return error("the statement makes an opaque call");
        std::vector<Buffer> inside;
        for_each_stmt(stmt, [&](Stmt s) {
            if (const Allocate* n = s->as<Allocate>()) inside.push_back(n->buffer);
        });
        for (Buffer b : stored_buffers(stmt)) {
            if (planted("drop-empty:stores")) continue;
            if (std::find(inside.begin(), inside.end(), b) == inside.end()) {
                return error("the statement stores to " + b->name);
            }
        }
        return Unit{};
    }

    // An `else` goes as a whole.
    static Function without(Context& ctx, const Function& before, const Site& site) {
        if (!site.steps.empty() && site.steps.back() == "else") {
            const Stmt around = locate(before, site.parent())->stmt;
            if (const IfElse* branch = around->as<IfElse>()) {
                return replace_at(ctx, before, site.parent(),
                                  ctx.if_(branch->cond, branch->then_body));
            }
        }
        return replace_at(ctx, before, site, ctx.pass());
    }

    static bool mentions(Context& ctx, const LetStmt& let) {
        Expr other = ctx.var(*let.var->name + "_other", let.var->type);
        return substitute(ctx, let.body, {{let.var, other}}) != let.body;
    }

    static bool mentions(Stmt body, Buffer buffer) {
        bool found = stores_to(body, buffer);
        for_each_expr(body, [&](Expr e) {
            const std::vector<Buffer> read = loaded_buffers(e);
            found |= std::find(read.begin(), read.end(), buffer) != read.end();
        });
        for_each_stmt(body, [&](Stmt s) {
            const Block* n = s->as<Block>();
            if (n == nullptr) return;
            for (const auto* regions : {&n->reads, &n->writes}) {
                if (!regions->has_value()) continue;
                for (const BufferRegion& r : **regions) found |= r.buffer == buffer;
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
