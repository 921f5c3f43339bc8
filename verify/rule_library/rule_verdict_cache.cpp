#include "verify/rule_library/rule_verdict_cache.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "ir/files/json_text.h"

namespace proviso::verify {

namespace {

nlohmann::json write_solver(const SolverVerdict& v) {
    return {{"verdict", analysis::verdict_name(v.verdict)}, {"why", v.why}};
}

SolverVerdict read_solver(const nlohmann::json& j) {
    SolverVerdict out;
    const std::string name = j.value("verdict", "");
    for (auto v : {analysis::Verdict::Proved, analysis::Verdict::Refuted}) {
        if (name == analysis::verdict_name(v)) out.verdict = v;
    }
    out.why = j.value("why", "");
    return out;
}

}  // namespace

RuleVerdictCache::RuleVerdictCache(const RulesVerifyOptions& options, const std::string& z3_version,
                                   const std::string& cvc5_version)
    : cache_(options.cache_dir),
      suffix_(fmt::format(" rule z3-{}:{} cvc5-{}:{}:{}s", z3_version, options.rlimit, cvc5_version,
                          options.cvc5_rlimit, options.wall_limit_s)) {}

bool RuleVerdictCache::find(RuleVerdict& v) {
    const std::string key = v.obligation + suffix_;
    const std::lock_guard<std::mutex> lock(mutex_);
    auto found = entries_.find(key);
    if (found == entries_.end()) {
        const auto text = cache_.find(key);
        if (!text) return false;
        const nlohmann::json j = ir::parse_json(*text);
        if (!j.is_object() || !j.contains("z3") || !j.contains("cvc5")) return false;
        try {
            Entry entry{read_solver(j["z3"]), read_solver(j["cvc5"]), {}};
            for (const auto& pair : j.value("model", nlohmann::json::array())) {
                entry.model.emplace_back(pair.at(0).get<std::string>(),
                                         pair.at(1).get<std::string>());
            }
            found = entries_.emplace(key, std::move(entry)).first;
        } catch (const nlohmann::json::exception&) {  // not as it was written: as if it were absent
            return false;
        }
    }
    v.z3 = found->second.z3;
    v.cvc5 = found->second.cvc5;
    v.model = found->second.model;
    return true;
}

void RuleVerdictCache::keep(const RuleVerdict& v) {
    // A missing solver, or one that failed, may be there or do better next time.
    for (const SolverVerdict& s : {v.z3, v.cvc5}) {
        if (s.verdict == analysis::Verdict::Unknown && s.why != "resource") return;
    }
    nlohmann::json model = nlohmann::json::array();
    for (const auto& [name, value] : v.model) model.push_back({name, value});
    const nlohmann::json all = {
        {"z3", write_solver(v.z3)}, {"cvc5", write_solver(v.cvc5)}, {"model", model}};
    const std::string key = v.obligation + suffix_;
    const std::lock_guard<std::mutex> lock(mutex_);
    entries_[key] = Entry{v.z3, v.cvc5, v.model};
    cache_.keep(key, all.dump() + '\n');
}

}  // namespace proviso::verify
