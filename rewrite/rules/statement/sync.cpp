// sync: where the threads of a block wait for one another.
//
// Argument: "after": places (block_level.h), of all kernels of the function. The site is the
// function's body.
// The program stays as it is but for an attribute that names these places: the text of its kernels
// has barriers there and nowhere else.
// Shape: each place is one that all threads of a block reach, or none of them.
// Obligations: on every way from one phase to another that no barrier lies on, two different
// threads touch no common cell that one of them writes (race_free.h). A bound loop ends when all
// its iterations have ended (docs/semantics.md, "Statements"): with that, an access in a phase sees
// what it would see if every thread had waited there.
#include <nlohmann/json.hpp>

#include "rewrite/kernel/arguments.h"
#include "rewrite/rules/race_free.h"
#include "rewrite/rules/statement/statement_rules.h"

namespace proviso::rewrite {

using namespace ir;
using namespace analysis;

namespace {

// Why no barrier can stand after `site`.
Diagnostic no_place(const Function& f, const Site& site) {
    bool divided = false;  // a loop of threads is around it, or it is in a phase
    for (const Site& kernel : kernel_sites(f)) {
        const Result<BlockLevel> level = BlockLevel::of(f, kernel);
        if (!level) continue;
        for (const Site& phase : level->phases()) divided = divided || phase.contains(site);
    }
    if (divided) {
        return error("a barrier after " + site.str() + " might be reached by some threads only",
                     "take the loop bound to threads apart, so that it ends there");
    }
    return error("there is no place for a barrier after " + site.str());
}

class Sync final : public Rule {
  public:
    std::string name() const override { return "sync"; }
    std::string summary() const override {
        return "the places where threads of a block wait for one another";
    }

    Result<Proposal> propose(Context& ctx, const Function& before, const Site& site,
                             const nlohmann::json& args) const override {
        if (!site.steps.empty()) return error("sync works on the whole function: site body");
        const Result<std::vector<std::string>> after = arg_strings(args, "after");
        if (!after) return after.error();
        const std::vector<Site> kernels = kernel_sites(before);
        if (kernels.empty()) return error("no loop is bound to blocks or threads");
        std::set<Site> barriers;
        for (const std::string& text : *after) {
            const Result<Site> place = Site::parse(text);
            if (!place) return place.error();
            barriers.insert(*place);
        }
        Proposal out;
        out.after = before;
        std::set<Site> places;
        const MemoryModel memory(ctx, before);
        for (const Site& kernel : kernels) {
            const Result<BlockLevel> level = BlockLevel::of(before, kernel);
            if (!level) return level.error();
            places.insert(level->places().begin(), level->places().end());
            for (const BlockLevel::Way& way : level->ways()) {
                if (level->waits(way, barriers)) continue;
                std::vector<Obligation> owed = threads_need_not_wait(memory, *level, way);
                for (Obligation& o : owed) out.obligations.push_back(std::move(o));
            }
        }
        AttrValue::List stated;
        for (const Site& place : barriers) {
            if (places.count(place) == 0) return no_place(before, place);
            stated.push_back(AttrValue{place.str()});
        }
        out.after.attrs[kBarriersAttr] = AttrValue{std::move(stated)};
        return out;
    }
};

}  // namespace

const Rule& sync_rule() {
    static const Sync rule;
    return rule;
}

}  // namespace proviso::rewrite
