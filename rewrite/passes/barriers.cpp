#include "rewrite/passes/barriers.h"

namespace proviso::rewrite {

using namespace ir;

std::set<Site> after_every_phase(const BlockLevel& level) {
    std::set<Site> out;
    const std::set<Site> phases(level.phases().begin(), level.phases().end());
    for (const BlockLevel::Way& way : level.ways()) {
        for (const std::size_t k : way.passes) {
            if (phases.count(level.places()[k]) != 0) out.insert(level.places()[k]);
        }
    }
    return out;
}

Result<std::optional<std::set<Site>>> stated_barriers(const Function& f) {
    const auto found = f.attrs.find(kBarriersAttr);
    if (found == f.attrs.end()) return std::optional<std::set<Site>>();
    const std::string name = kBarriersAttr;
    const auto* list = std::get_if<AttrValue::List>(&found->second.value);
    if (list == nullptr) return error(name + " is not a list of places");
    std::set<Site> places;
    for (const Site& kernel : kernel_sites(f)) {
        const Result<BlockLevel> level = BlockLevel::of(f, kernel);
        if (!level) return level.error();
        places.insert(level->places().begin(), level->places().end());
    }
    std::set<Site> out;
    for (const AttrValue& entry : *list) {
        const auto* text = std::get_if<std::string>(&entry.value);
        if (text == nullptr) return error(name + " is not a list of places");
        const Result<Site> site = Site::parse(*text);
        if (!site) return site.error();
        if (places.count(*site) == 0) {
            return error("there is no place for a barrier after " + *text,
                         "barriers stand after loops bound to threads, and after loops and "
                         "branches around them");
        }
        out.insert(*site);
    }
    return std::optional<std::set<Site>>(std::move(out));
}

}  // namespace proviso::rewrite
