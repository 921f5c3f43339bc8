#include "tools/page/derivation_page.h"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "ir/text.h"
#include "tools/page/derivation_data.h"
#include "tools/page/html.h"
#include "tools/page/theorem.h"
#include "verify/log/duties.h"

namespace proviso::tools {

using nlohmann::json;
using rewrite::Derivation;

void CallList::add(const rewrite::ScheduleReport::Done& done, std::size_t steps) {
    if (done.composite) {  // the end of a function: the calls in it are told, and who called it
        for (std::size_t k = calls_.size() - inside_; k < calls_.size(); ++k) {
            calls_[k].caller = done.line;
        }
        inside_ = 0;
    } else if (steps > steps_) {
        calls_.push_back({done.primitive, done.file, done.line, 0, steps - steps_});
        if (!done.within.empty()) ++inside_;
    }
    steps_ = std::max(steps_, steps);
}

void CallList::rest(const std::string& name, std::size_t steps) {
    if (steps > steps_) calls_.push_back({name, "", 0, 0, steps - steps_});
    steps_ = std::max(steps_, steps);
}

void CallList::refuse(const rewrite::ScheduleReport& report) {
    const std::string file =
        std::filesystem::path(report.refusal->diagnostic.file).filename().string();
    const bool imported = std::any_of(report.imported.begin(), report.imported.end(),
                                      [&](const auto& one) { return one.first == file; });
    refused_ = ScheduleCall{report.refused_primitive, imported ? file : "",
                            report.refusal->diagnostic.line, 0, 0};
    refused_->refused = true;
}

std::vector<ScheduleCall> CallList::of(std::size_t steps) const {
    std::vector<ScheduleCall> out;
    for (const ScheduleCall& call : calls_) {
        if (steps == 0) break;
        out.push_back(call);
        out.back().steps = std::min(call.steps, steps);
        steps -= out.back().steps;
    }
    if (refused_) out.push_back(*refused_);
    return out;
}

namespace {

std::string counts(const Derivation& derivation, const LowerFacts& facts) {
    std::set<std::string> distinct;
    for (const rewrite::Step& step : derivation.steps()) {
        for (const rewrite::ProvedObligation& o : step.obligations) distinct.insert(o.id);
    }
    std::string out = "<ul class=\"counts\">\n";
    out += count_html(derivation.steps().size(), derivation.steps().size() == 1 ? "step" : "steps");
    out += count_html(distinct.size(), "distinct obligations, all proved", "good");
    out += "</ul>\n";
    if (!facts.validated) return out;
    const verify::TvResult& tv = facts.whole;
    std::string said = "Translation validation of source and result: ";
    said += verify::tv_verdict_name(tv.verdict);
    if (!tv.sizes.empty()) said += " at " + tv.sizes;
    if (!tv.what.empty()) said += " (" + tv.what + ")";
    return out + "<p>" + html_text(said) + ".</p>\n";
}

json data_of(ir::Context& ctx, const Derivation& derivation, const LowerFacts& facts, json& texts) {
    json data{{"made_by", "lower"}};
    add_derivation(ctx, derivation, data, texts);
    data["schedule"] = schedule_json(facts.schedule);
    data["schedule"]["calls"] = calls_json(facts.calls);
    return data;
}

// A card of the page: steps.js says which members it has.
json refusal_of(const json& told) {
    json out{{"title", told.value("primitive", "")}, {"verdict", told.value("verdict", "")}};
    const json d = told.value("diagnostic", json::object());
    out["message"] = d.value("message", "");
    out["hint"] = d.value("hint", "");
    out["excerpt"] = told.value("place", "");
    json notes = json::array();
    for (const json& note : d.value("notes", json::array())) {
        const std::string text = note.get<std::string>();
        const bool below = text.rfind("values: ", 0) == 0 || text.rfind("obligation: ", 0) == 0;
        if (!below) notes.push_back(text);
    }
    out["notes"] = notes;
    const json failed = told.value("obligation", json());
    if (!failed.is_object()) return out;
    json model = json::array();
    const json values = told.value("model", json::object());
    for (const auto& [name, value] : values.items()) {
        model.push_back({{"name", name}, {"value", value}});
    }
    out["obligation"] = {{"purpose", failed.value("purpose", "")},
                         {"verdict", failed.value("verdict", "")},
                         {"why", ""},
                         {"model", model}};
    return out;
}

PageHead lowered(ir::Context& ctx, const Derivation& derivation, const LowerFacts& facts) {
    const ir::Function& source = derivation.source();
    const ir::Function& final = derivation.current();
    const std::string body =
        counts(derivation, facts) +
        theorem_html({source.name, ir::content_hash(source), ir::content_hash(final),
                      verify::duties_of(ctx, source, final, derivation.steps()), facts.inputs}) +
        "<p class=\"hint\">Each step was proved when it was taken. <code>proviso audit</code> of "
        "the "
        "proof log (<code>--log</code>) proves all of it again by other means.</p>\n";
    return {"Theorem", "Lowering of " + source.name, Tone::Good, "PROVED", body};
}

PageHead refused(const Derivation& derivation, const LowerFacts& facts, const json& told) {
    const std::string verdict = told.value("verdict", "");
    const std::string body =
        counts(derivation, facts) +
        "<p>The schedule was refused. The program stays as the steps before the refused call left "
        "it, and nothing is emitted.</p>\n";
    return {"Summary", "Lowering of " + derivation.source().name,
            verdict == "UNKNOWN" ? Tone::Open : Tone::Bad,
            "REFUSED" + (verdict.empty() ? "" : " (" + verdict + ")"), body};
}

}  // namespace

Status may_report(const LowerOptions& o) {
    if (o.report == "-" && (o.json || o.explain || !o.print_after.empty())) {
        return error("--report - takes standard output for itself",
                     "give --report a file, or leave out --json, --explain and --print-after");
    }
    return Unit{};
}

Status write_report_page(const std::string& file, ir::Context& ctx, const Derivation& derivation,
                         const LowerFacts& facts, const json* refusal) {
    if (file.empty()) return Unit{};
    json texts;
    json data = data_of(ctx, derivation, facts, texts);
    if (refusal == nullptr) {
        return write_page(file, page(lowered(ctx, derivation, facts), data, texts));
    }
    data["refusals"] = json::array({refusal_of(*refusal)});
    data["refused"] = true;
    return write_page(file, page(refused(derivation, facts, *refusal), data, texts));
}

}  // namespace proviso::tools
