// drop-store: removes a store whose effect is unobservable.
//
// Arguments: "mode", and for it
//   "indet"  the stored value is T.undef(): whatever the cell holds refines `indet`;
//   "same"   the cell already holds the value, by facts and "claims";
//   "dead"   "writers" (witnesses; none: the internal buffer leaves scope): the cell is overwritten
//            later, on every run, and no load sees it before.
#include <nlohmann/json.hpp>

#include "rewrite/derived/derived_rule.h"
#include "rewrite/rules/statement/statement_rules.h"

namespace proviso::rewrite {

using namespace ir;

namespace {

class DropStore final : public RescheduleRule {
  public:
    std::string name() const override { return "drop-store"; }
    std::string summary() const override {
        return "a store of undef, of what the cell holds already, or to a cell that is overwritten "
               "unread";
    }

    Result<Rescheduling> rescheduling(Context& ctx, const Function& before, const Site& site,
                                      const nlohmann::json& args) const override {
        const Result<Located> at = locate(before, site);
        if (!at) return at.error();
        if (at->as<Store>() == nullptr) return error("drop-store works on a store");
        Rescheduling out;
        out.after = ctx.pass();
        out.dropped = {Site{}};
        nlohmann::json how = args;
        nlohmann::json unseen;
        if (how.contains("claims")) {
            unseen["claims"] = how["claims"];
            how.erase("claims");
        }
        unseen["stores"] = {{site.str(), how}};
        out.unseen = unseen.dump();
        return out;
    }
};

}  // namespace

const Rule& drop_store_rule() {
    static const DropStore rule;
    return rule;
}

}  // namespace proviso::rewrite
