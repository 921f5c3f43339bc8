#include "rewrite/kernel/only_members.h"

#include <map>
#include <nlohmann/json.hpp>

namespace proviso::rewrite {

namespace {

// What each rule reads; those that are not here read nothing.
const std::map<std::string, std::string> kArguments = {
    {"add-assume", "claims condition loops"},
    {"add-guard", "claims condition stores"},
    {"bind", "kind thread"},
    {"check-assume", "message"},
    {"compute-at", "nest loop over names low extent owner guard kind needed unseen"},
    {"drop-assume", "claims"},
    {"drop-guard", "claims domains keep stores strict"},
    {"drop-store", "claims mode writers"},
    {"fission", "at"},
    {"flatten", "buffer var"},
    {"fuse", "name"},
    {"guard-inside", "domains"},
    {"hoist", "condition expression let name what"},
    {"lower-division", "form shift"},
    {"merge-guards", "kind"},
    {"outline", "count name steps"},
    {"relayout", "after boxes buffer exact inverse map names pad physical_vars shape vars"},
    {"reorder", "licences order"},
    {"rename-block", "block"},
    {"replace", "claims licences sum to"},
    {"restate", "apart count dropped extra parts reassociate text unseen"},
    {"reverse-loop", "name"},
    {"share-buffer", "first second"},
    {"shift-loop", "guard hi lo name offset"},
    {"split", "extent factor guard inner outer"},
    {"split-init", "block names"},
    {"split-range", "at"},
    {"stage-partial",
     "also buffer extents inverse map most name names scope start step vars writer"},
    {"stage-read", "again block buffer ends extents name names offsets scope"},
    {"stage-write", "block buffer ends extents name names offsets reads scope writer"},
    {"sync", "after"},
    {"trim-loop", "hi lo"},
};

}  // namespace

Status only_members(const nlohmann::json& object, const std::string& names) {
    if (!object.is_object()) return error("arguments must be an object");
    for (const auto& [key, value] : object.items()) {
        const bool plain = key.find(' ') == std::string::npos && !key.empty();
        if (plain && (" " + names + " ").find(" " + key + " ") != std::string::npos) continue;
        return error("argument '" + key + "' is not read",
                     names.empty() ? "leave it out: there are none" : "there are: " + names);
    }
    return Unit{};
}

Status only_arguments(const std::string& rule, const nlohmann::json& args) {
    const auto known = kArguments.find(rule);
    return only_members(args, known == kArguments.end() ? "" : known->second);
}

}  // namespace proviso::rewrite
