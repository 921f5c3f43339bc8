#include "verify/log/record.h"

#include <nlohmann/json.hpp>

#include "analysis/layout/layout_obligations.h"
#include "ir/text.h"
#include "verify/log/format.h"

namespace proviso::verify {

using nlohmann::json;
using rewrite::Step;

namespace {

std::string rule_line(const rewrite::Rule& rule) {
    return rule.name() + " " + std::to_string(rule.version()) + ": " + rule.summary() + "\n";
}

}  // namespace

std::string rule_table() {
    std::string out;
    for (const rewrite::Rule* rule : rewrite::all_rules()) out += rule_line(*rule);
    return out;
}

std::string rule_digest(const rewrite::Rule& rule) {
    return digest(rule_line(rule));
}

json purpose_json(const analysis::Purpose& purpose) {
    json out{{"purpose", purpose.words}, {"kind", analysis::owed_name(purpose.kind)}};
    if (purpose.site) out["site"] = purpose.site->str();
    if (purpose.buffer != nullptr) out["buffer"] = purpose.buffer->name;
    return out;
}

json logged_arguments(const std::string& text) {
    json out = json::parse(text, nullptr, false);
    return out.is_discarded() ? json(text) : out;
}

std::string step_line(std::size_t seq, const std::string& prev, const Step& step,
                      const std::string& before, const std::string& after,
                      const std::vector<LineEdit>& changed) {
    json edits = json::array();
    for (const LineEdit& e : changed) edits.push_back(json::array({e.line, e.removed, e.added}));
    json obligations = json::array();
    for (const rewrite::ProvedObligation& o : step.obligations) {
        obligations.push_back(purpose_json(o.obligation.purpose));
        obligations.back().update({{"id", o.id}, {"evidence", json::array({json{{"by", o.by}}})}});
    }
    const rewrite::Rule* rule = rewrite::find_rule(step.rule);
    return canonical(json{{"v", kLogVersion},
                          {"seq", seq},
                          {"prev", prev},
                          {"rule", step.rule},
                          {"rule_hash", rule == nullptr ? "" : rule_digest(*rule)},
                          {"rule_version", rule == nullptr ? 0 : rule->version()},
                          {"site", step.site.str()},
                          {"args", logged_arguments(step.args)},
                          {"before", before},
                          {"after", after},
                          {"edits", edits},
                          {"obligations", obligations},
                          {"licences", step.licences}});
}

std::optional<std::vector<LineEdit>> logged_edits(const json& line) {
    const json edits = line.value("edits", json());
    if (!edits.is_array()) return std::nullopt;
    std::vector<LineEdit> out;
    for (const json& e : edits) {
        const bool ok = e.is_array() && e.size() == 3 && e[0].is_number_unsigned() &&
                        e[1].is_number_unsigned() && e[2].is_string();
        if (!ok) return std::nullopt;
        out.push_back({e[0].get<std::size_t>(), e[1].get<std::size_t>(), e[2].get<std::string>()});
    }
    return out;
}

std::string keep(Objects& objects, std::string bytes) {
    std::string hex = ir::sha256_hex(bytes);
    objects.emplace(hex, std::move(bytes));
    return "sha256:" + hex;
}

namespace {

void keep_obligation(Record& record, const std::string& text, const Certificates& certificates) {
    keep(record.objects, text);
    const std::string id = digest(text);
    const auto found = certificates.find(digest_hex(id));
    if (found == certificates.end()) return;
    keep(record.objects, found->second);
    record.certificates[id] = digest(found->second);
}

}  // namespace

Record make_record(ir::Context& ctx, const ir::Function& source, const std::vector<Step>& steps,
                   const std::vector<std::string>& lines, const RunClaims& claims) {
    Record out;
    out.source = source;
    out.final = steps.empty() ? source : steps.back().after;
    out.claims = claims;
    out.steps = lines;
    keep(out.objects, ir::print(source));
    keep(out.objects, rule_table());
    if (!claims.schedule.empty()) keep(out.objects, claims.schedule);
    for (const auto& [buffer, o] : analysis::brought_obligations(ctx, source)) {
        keep_obligation(out, analysis::to_smt(ctx, o).text, claims.certificates);
    }
    for (const Step& step : steps) {
        for (const rewrite::ProvedObligation& o : step.obligations) {
            keep_obligation(out, analysis::to_smt(ctx, o.obligation).text, claims.certificates);
        }
    }
    keep(out.objects, ir::print(out.final));
    out.duties = duties_of(ctx, source, out.final, steps);
    return out;
}

json Record::statement() const {
    json subjects = json::array(
        {json{{"name", final.name}, {"digest", {{"sha256", ir::sha256_hex(ir::print(final))}}}}});
    for (const auto& [name, hex] : claims.artefacts) {
        subjects.push_back(json{{"name", name}, {"digest", {{"sha256", hex}}}});
    }
    json names = json::array();
    for (const auto& [hex, bytes] : objects) names.push_back(hex);
    json predicate{{"log_version", kLogVersion},
                   {"input", {{"name", source.name}, {"digest", ir::content_hash(source)}}},
                   {"output", ir::content_hash(final)},
                   {"rule_table", digest(rule_table())},
                   {"schedule", claims.schedule.empty() ? "" : digest(claims.schedule)},
                   {"semantics", kSemanticsVersion},
                   {"policy", claims.policy},
                   {"versions", claims.versions},
                   {"steps", chain_summary(steps)},
                   {"refusals", chain_summary(refusals)},
                   {"certificates", certificates},
                   {"objects", names}};
    predicate.update(duties.json());
    return json{{"_type", kStatementType},
                {"subject", subjects},
                {"predicateType", kPredicateType},
                {"predicate", predicate}};
}

}  // namespace proviso::verify
