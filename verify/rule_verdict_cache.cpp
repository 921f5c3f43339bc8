#include "verify/rule_verdict_cache.h"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

namespace proviso::verify {

namespace {

constexpr const char* kFile = "rule-verdicts.json";

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
    : folder_(options.cache_dir),
      suffix_(fmt::format(" z3-{}:{} cvc5-{}:{}:{}s", z3_version, options.rlimit, cvc5_version,
                          options.cvc5_rlimit, options.wall_limit_s)) {
    if (folder_.empty()) return;
    std::ifstream in(std::filesystem::path(folder_) / kFile);
    const nlohmann::json all = nlohmann::json::parse(in, nullptr, false);
    if (!all.is_object()) return;
    for (const auto& [key, j] : all.items()) {
        if (!j.is_object() || !j.contains("z3") || !j.contains("cvc5")) continue;
        Entry entry{read_solver(j["z3"]), read_solver(j["cvc5"]), {}};
        for (const auto& pair : j.value("model", nlohmann::json::array())) {
            entry.model.emplace_back(pair.at(0).get<std::string>(), pair.at(1).get<std::string>());
        }
        entries_[key] = std::move(entry);
    }
}

bool RuleVerdictCache::find(RuleVerdict& v) {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto found = entries_.find(v.obligation + suffix_);
    if (found == entries_.end()) return false;
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
    const std::lock_guard<std::mutex> lock(mutex_);
    entries_[v.obligation + suffix_] = Entry{v.z3, v.cvc5, v.model};
    // Now and then, so that a run that is cut short has not been for nothing.
    if (++unsaved_ >= 50) write();
}

void RuleVerdictCache::save() {
    const std::lock_guard<std::mutex> lock(mutex_);
    write();
}

void RuleVerdictCache::write() {
    unsaved_ = 0;
    if (folder_.empty()) return;
    std::error_code ignored;
    std::filesystem::create_directories(folder_, ignored);
    nlohmann::json all = nlohmann::json::object();
    for (const auto& [key, e] : entries_) {
        nlohmann::json model = nlohmann::json::array();
        for (const auto& [name, value] : e.model) model.push_back({name, value});
        all[key] = {{"z3", write_solver(e.z3)}, {"cvc5", write_solver(e.cvc5)}, {"model", model}};
    }
    // Written aside and renamed, so that a reader never sees half a file.
    const std::filesystem::path path = std::filesystem::path(folder_) / kFile;
    const std::filesystem::path aside = path.string() + ".new";
    std::ofstream(aside) << all.dump(1) << '\n';
    std::filesystem::rename(aside, path, ignored);
}

}  // namespace proviso::verify
