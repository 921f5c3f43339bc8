#include "verify/log/duties.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "analysis/facts.h"
#include "analysis/layout.h"
#include "ir/children.h"
#include "ir/site.h"
#include "ir/text.h"

namespace proviso::verify {

using nlohmann::json;

namespace {

std::vector<Axiom> axioms_of(const ir::Function& source) {
    std::vector<Axiom> out;
    for (const auto& [site, stmt] : ir::all_statements(source)) {
        const ir::Assume* assume = stmt->as<ir::Assume>();
        if (assume == nullptr) continue;
        out.push_back(
            Axiom{"A" + std::to_string(out.size() + 1), site.str(), ir::print(assume->cond)});
    }
    return out;
}

// What it means to grant one (docs/semantics.md, "Licences").
std::string meaning(const std::string& licence) {
    if (licence == "no_signed_zero") return "the sign of a zero may differ";
    if (licence == "reassociate") return "sums of floats may be formed in another order";
    // finite(A)
    return "no cell of " + licence.substr(7, licence.size() - 8) + " is a NaN or an infinity";
}

// Layouts of the final program's parameters, and what is not proved of padding that the function
// writes: that the source keeps a promise of its own, and padding where the function stops early.
std::vector<std::string> relations_of(ir::Context& ctx, const ir::Function& source,
                                      const ir::Function& final) {
    std::vector<std::string> out;
    bool stops = false;
    ir::for_each_stmt(final.body, [&](ir::Stmt s) { stops |= s->is<ir::Assert>(); });
    for (ir::Buffer b : final.buffer_params()) {
        const std::size_t brought = analysis::layouts_of(ctx, source, b->name).size();
        std::size_t level = 0;
        for (const analysis::Layout& l : analysis::layouts_of(ctx, final, b->name)) {
            std::string text = analysis::describe(l);
            const bool written = l.pad != nullptr && !l.holds_at_entry;
            if (written && level < brought) text += ", as far as the source does";
            if (written && stops) text += ", unless an assertion stops the function";
            out.push_back(std::move(text));
            ++level;
        }
    }
    return out;
}

bool holds(const std::vector<std::string>& all, const std::string& one) {
    return std::find(all.begin(), all.end(), one) != all.end();
}

}  // namespace

std::vector<std::string> Duties::lines() const {
    std::vector<std::string> out = relations;
    for (const std::string& c : constraints) out.push_back(c);
    for (const Axiom& a : axioms) out.push_back("T.assume(" + a.text + ") at " + a.site);
    for (const std::string& licence : licences_granted) {
        out.push_back("licence " + licence + ": " + meaning(licence) +
                      (holds(licences_used, licence) ? "" : " (granted, not made use of)"));
    }
    return out;
}

json Duties::json() const {
    nlohmann::json all = nlohmann::json::array();
    for (const Axiom& a : axioms) {
        all.push_back({{"id", a.id}, {"site", a.site}, {"text", a.text}});
    }
    return {{"axioms", all},
            {"constraints", constraints},
            {"relations", relations},
            {"licences", {{"granted", licences_granted}, {"used", licences_used}}}};
}

Duties duties_of(ir::Context& ctx, const ir::Function& source, const ir::Function& final,
                 const std::vector<rewrite::Step>& steps) {
    Duties out;
    out.axioms = axioms_of(source);
    for (ir::Expr e : analysis::parameter_facts(ctx, source)) {
        out.constraints.push_back(ir::print(e));
    }
    out.relations = relations_of(ctx, source, final);
    out.licences_granted = source.licences();
    for (const rewrite::Step& step : steps) {
        for (const std::string& licence : step.licences) {
            if (!holds(out.licences_used, licence)) out.licences_used.push_back(licence);
        }
    }
    return out;
}

}  // namespace proviso::verify
