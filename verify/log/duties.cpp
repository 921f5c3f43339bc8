#include "verify/log/duties.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "analysis/facts/facts.h"
#include "analysis/facts/path.h"
#include "analysis/layout/layout.h"
#include "ir/children.h"
#include "ir/external.h"
#include "ir/site.h"
#include "ir/text.h"

namespace proviso::verify {

using nlohmann::json;

namespace {

std::string range(ir::Expr lo, ir::Expr hi) {
    const bool from_zero = ir::is_int_const(lo, 0);
    return "range(" + (from_zero ? "" : ir::print(lo) + ", ") + ir::print(hi) + ")";
}

// Loops, branches and names around a statement.
std::vector<std::string> around(const ir::Function& f, const ir::Site& site) {
    std::vector<std::string> out;
    for (const analysis::PathStep& step : analysis::path_to(f, site).steps) {
        if (step.stmt == nullptr) continue;
        if (const ir::For* n = step.stmt->as<ir::For>(); n != nullptr && step.label == "body") {
            out.push_back("for each " + *n->var->name + " in " + range(n->lo, n->hi));
        } else if (const ir::IfElse* branch = step.stmt->as<ir::IfElse>()) {
            const bool then = step.label == "then";
            out.push_back((then ? "where " : "where not ") + ir::print(branch->cond));
        } else if (const ir::LetStmt* let = step.stmt->as<ir::LetStmt>()) {
            out.push_back("with " + *let->var->name + " = " + ir::print(let->value));
        } else if (const ir::Block* block = step.stmt->as<ir::Block>()) {
            for (const ir::BlockIter& it : block->iters) {
                out.push_back("with " + *it.var->name + " = " + ir::print(it.binding));
            }
            if (!ir::is_true(block->predicate)) {
                out.push_back("where " + ir::print(block->predicate));
            }
        }
    }
    return out;
}

// `e` follows from another fact: a bound of a variable that is no sharper than the other's.
bool implied(ir::Expr e, const std::vector<ir::Expr>& all) {
    const auto weaker = [&](ir::Expr other) {
        if (other == e || other->op != ir::Op::Le || e->op != ir::Op::Le) return false;
        const bool lower = ir::is_int_const(e->arg(0)) && ir::is_int_const(other->arg(0)) &&
                           e->arg(1) == other->arg(1);
        if (lower) return e->arg(0)->int_value() < other->arg(0)->int_value();
        const bool upper = ir::is_int_const(e->arg(1)) && ir::is_int_const(other->arg(1)) &&
                           e->arg(0) == other->arg(0);
        return upper && e->arg(1)->int_value() > other->arg(1)->int_value();
    };
    return std::any_of(all.begin(), all.end(), weaker);
}

std::vector<Axiom> axioms_of(const ir::Function& source) {
    std::vector<Axiom> out;
    for (const auto& [site, stmt] : ir::all_statements(source)) {
        const ir::Assume* assume = stmt->as<ir::Assume>();
        if (assume == nullptr) continue;
        out.push_back(Axiom{"A" + std::to_string(out.size() + 1), site.str(),
                            ir::print(assume->cond), around(source, site)});
    }
    return out;
}

std::vector<ExternalAxiom> external_of(const ir::Function& final) {
    std::vector<ExternalAxiom> out;
    for (const auto& [site, stmt] : ir::all_statements(final)) {
        const ir::Block* block = stmt->as<ir::Block>();
        if (block == nullptr || !ir::calls_external(*block)) continue;
        out.push_back({"X" + std::to_string(out.size() + 1), ir::external_symbol(*block),
                       block->name, site.str()});
    }
    return out;
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

// A name, which may hold anything, as text that nobody takes for the sentence around it.
std::string one_line(const std::string& name) {
    std::string out =
        nlohmann::json(name).dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
    out = out.substr(1, out.size() - 2);
    std::replace(out.begin(), out.end(), '`', '\'');
    return out;
}

}  // namespace

std::string Axiom::str() const {
    std::string out;
    for (const std::string& w : when) out += (out.empty() ? "" : ", ") + w;
    return out + (out.empty() ? "" : ": ") + "T.assume(" + text + ") at " + site;
}

std::string ExternalAxiom::str() const {
    return "external `" + one_line(symbol) + "` does what block \"" + one_line(block) +
           "\" says, at " + site;
}

json Duties::json() const {
    nlohmann::json all = nlohmann::json::array();
    for (const Axiom& a : axioms) {
        all.push_back({{"id", a.id}, {"site", a.site}, {"text", a.text}, {"when", a.when}});
    }
    nlohmann::json out = {{"axioms", all},
                          {"constraints", constraints},
                          {"relations", relations},
                          {"licences", {{"granted", licences_granted}, {"used", licences_used}}}};
    for (const ExternalAxiom& e : external) {
        out["external"].push_back(
            {{"id", e.id}, {"symbol", e.symbol}, {"block", e.block}, {"site", e.site}});
    }
    return out;
}

Duties duties_of(ir::Context& ctx, const ir::Function& source, const ir::Function& final,
                 const std::vector<rewrite::Step>& steps) {
    Duties out;
    out.axioms = axioms_of(source);
    out.external = external_of(final);
    const std::vector<ir::Expr> facts = analysis::parameter_facts(ctx, source);
    for (ir::Expr e : facts) {
        if (!implied(e, facts)) out.constraints.push_back(ir::print(e));
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
