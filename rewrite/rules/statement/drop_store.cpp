// drop-store: removes a store that nobody can tell was there.
//
// Arguments: "mode", and for it
//   "indet"  the stored value is T.undef(): whatever the cell holds refines `indet`. No obligation.
//   "same"   the cell already holds the value. Obligation, under facts and "claims": wherever the
//            cell is definite, the value is definite and the same; wherever it is not, the value
//            is not definite.
//   "dead"   "writers" (witnesses; none: the internal buffer leaves scope): the cell is overwritten
//            later, on every run, and no load sees it before.
#include "rewrite/rules/statement/drop_store.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "analysis/facts.h"
#include "analysis/formula.h"
#include "analysis/path.h"
#include "ir/planted.h"
#include "rewrite/kernel/arguments.h"
#include "rewrite/rules/common.h"
#include "rewrite/rules/statement/statement_rules.h"

namespace proviso::rewrite {

using namespace ir;
using namespace analysis;

namespace {

class DropStore final : public Rule {
  public:
    std::string name() const override { return "drop-store"; }
    std::string summary() const override {
        return "a store of undef, of what the cell holds already, or to a cell that is overwritten "
               "unread";
    }

    Result<Proposal> propose(Context& ctx, const Function& before, const Site& site,
                             const nlohmann::json& args) const override {
        const Result<Located> at = locate(before, site);
        if (!at) return at.error();
        const Store* store = at->as<Store>();
        if (store == nullptr) return error("drop-store works on a store");
        if (makes_call(store->value) ||
            std::any_of(store->indices.begin(), store->indices.end(), makes_call)) {
            return error("the store makes an opaque call");
        }
        const Result<std::string> mode = arg_string(args, "mode");
        if (!mode) return mode.error();
        Proposal out;
        out.after = replace_at(ctx, before, site, ctx.pass());
        if (*mode == "indet") {
            if (store->value->op != Op::Undef && !planted("drop-store:indet")) {
                return error("the stored value is not T.undef() but " + print(store->value));
            }
            return out;
        }
        const MemoryModel memory(ctx, before);
        std::vector<Expr> facts = facts_at(ctx, before, site);
        const Result<FactsByPoint> claims = read_claims(memory, args, site, {}, out.obligations);
        if (!claims) return claims.error();
        for (const auto& [point, established] : *claims) {
            if (point != site) return error("a claim at another statement");
            append(facts, established);
        }
        if (*mode == "same") {
            out.obligations.push_back(holds_already(ctx, before, *store, facts));
            return out;
        }
        if (*mode != "dead") return error("no mode '" + *mode + "'", "indet, same or dead");
        const Result<std::vector<Witness>> writers =
            read_witnesses(ctx, before, args, "writers", scope_at(ctx, before, site));
        if (!writers) return writers.error();
        Result<Established> dead = dead_store(memory, site, facts, *writers, nullptr);
        if (!dead) return dead.error();
        append(out.obligations, std::move(dead->obligations));
        return out;
    }
};

}  // namespace

Obligation holds_already(Context& ctx, const Function& f, const Store& store,
                         std::vector<Expr> facts) {
    Expr cell = ctx.load(store.buffer, store.indices);
    append(facts, definedness_facts(ctx, f, {cell, store.value}));
    facts.push_back(no_fault(ctx, store.value));
    Expr value_definite = definite(ctx, store.value);
    if (has_op(value_definite, Op::Undef) || has_op(store.value, Op::Undef)) {
        return Obligation{"a value that may be undefined is not known to be there already", facts,
                          ctx.false_()};
    }
    facts.push_back(value_definite);
    return Obligation{
        "the cell already holds the stored value", facts,
        ctx.all_of({ctx.defined(cell), ctx.same(cell, store.value), settled(ctx, store.value)})};
}

const Rule& drop_store_rule() {
    static const DropStore rule;
    return rule;
}

}  // namespace proviso::rewrite
