#include "rewrite/rules/statement/outline.h"

#include <algorithm>
#include <set>

#include "analysis/facts/facts.h"
#include "analysis/facts/path.h"
#include "analysis/layout/layout.h"
#include "analysis/layout/layout_check.h"
#include "ir/planted.h"
#include "ir/well_formed.h"
#include "rewrite/rules/common.h"
#include "rewrite/rules/fresh_copy.h"

namespace proviso::rewrite {

using namespace ir;
using namespace analysis;

namespace {

// What a function says of its parameters' layouts; with a name, of that one alone.
AttrValue relations(const Function& f, const std::string& name = "") {
    const auto found = f.attrs.find(kLayoutAttr);
    if (found == f.attrs.end() || name.empty()) {
        return found == f.attrs.end() ? AttrValue{} : found->second;
    }
    const auto& all = std::get<AttrValue::Dict>(found->second.value);
    const auto own = all.find(name);
    return own == all.end() ? AttrValue{} : own->second;
}

bool says(const std::vector<Expr>& facts, Expr fact) {
    return std::find(facts.begin(), facts.end(), fact) != facts.end();
}

// What the function takes for granted of a buffer's cells when it begins.
Status cells_are_known(Context& ctx, const Function& f, const Function& function, Buffer b) {
    const bool passed_on = f.find_buffer_param(b->name) == b;
    const bool written = stores_to(f.body, b);
    const AttrValue layouts = passed_on ? relations(f, b->name) : AttrValue{};
    if (relations(function, b->name) != layouts) return error(b->name + " has another layout");
    if (layouts != AttrValue{} && written) {
        return error("parameter " + b->name + " is in a changed layout, and is written",
                     "outline first, then change layouts in the new function");
    }
    const bool definite =
        passed_on ? (written ? is_definite_parameter(ctx, f, b) : !may_be_indet(f, b)) ||
                        planted("outline:stores-are-definite")
                  : planted("outline:allocations-are-definite");
    if (definite || may_be_indet(function, b)) return Unit{};
    return error("cells of " + b->name + " may be indeterminate when the function begins");
}

Status licences_hold(const Function& f, const Function& function) {
    for (const std::string& licence : function.licences()) {
        const bool speaks_of_one = licence.find('(') != std::string::npos;
        const std::vector<Buffer> buffers = function.buffer_params();
        const bool of_passed = std::any_of(buffers.begin(), buffers.end(), [&](Buffer b) {
            return f.find_buffer_param(b->name) == b && licence == "finite(" + b->name + ")" &&
                   (!stores_to(f.body, b) || planted("outline:licences-last"));
        });
        if (f.has_licence(licence) && (!speaks_of_one || of_passed)) continue;
        return error("the licence " + licence + " is not one of the stage");
    }
    return Unit{};
}

}  // namespace

Status contract_holds(Context& ctx, const Function& f, const Stage& stage, const Function& function,
                      std::vector<Obligation>& owed) {
    std::set<Param> seen(f.params.begin(), f.params.end());
    for (const PassedNode& step : passed_on_the_way(f, stage.site)) {
        if (const Allocate* allocation = step.stmt->as<Allocate>()) {
            seen.insert(allocation->buffer);
        } else if (const LetStmt* let = step.stmt->as<LetStmt>()) {
            seen.insert(let->var);
        } else if (!step.stmt->is<Seq>()) {
            return error("a stage stands at the top of the function, in no loop and no branch");
        }
    }
    const std::vector<Diagnostic> problems = well_formed(function);
    if (!problems.empty()) return error("the new function: " + problems.front().message);
    if (const Status ok = check_layouts(ctx, function); !ok) return ok;
    for (const Param& p : function.params) {
        if (seen.count(p) == 0) return error("a parameter is not of the stage");
    }
    for (Buffer b : function.buffer_params()) {
        if (const Status ok = cells_are_known(ctx, f, function, b); !ok) return ok;
    }
    Function scalars = function;
    std::erase_if(scalars.params, [](const Param& p) { return std::get_if<Buffer>(&p); });
    const std::vector<Expr> known = facts_at(ctx, f, stage.site);
    for (Expr bound : parameter_facts(ctx, scalars)) {
        if (says(known, bound)) continue;
        owed.push_back(Obligation({Owed::Assumption, "a bound of the function holds", stage.site},
                                  known, bound));
    }
    return licences_hold(f, function);
}

Result<Stmt> stage_body(Context& ctx, const Function& f, const Stage& stage) {
    const Result<Located> at = locate(f, stage.site);
    if (!at) return at.error();
    if (at->stmt == nullptr) return error("a stage is a statement");
    if (stage.count == 1) return at->stmt;
    const Seq* list =
        stage.site.steps.empty() ? nullptr : locate(f, stage.site.parent())->stmt->as<Seq>();
    if (list == nullptr) return error("there is no list of statements here");
    const std::size_t first = std::stoul(stage.site.steps.back());
    if (stage.count == 0 || stage.count > list->body.size() - first) {
        return error("the list has fewer statements");
    }
    const auto begin = list->body.begin() + static_cast<std::ptrdiff_t>(first);
    return ctx.seq({begin, begin + static_cast<std::ptrdiff_t>(stage.count)});
}

Function with_stage(Context& ctx, const Function& f, const Stage& stage, Stmt replacement) {
    if (stage.count == 1) return replace_at(ctx, f, stage.site, replacement);
    const Site list_site = stage.site.parent();
    std::vector<Stmt> body = locate(f, list_site)->stmt->as<Seq>()->body;
    const auto first = static_cast<std::ptrdiff_t>(std::stoul(stage.site.steps.back()));
    body.erase(body.begin() + first,
               body.begin() + first + static_cast<std::ptrdiff_t>(stage.count));
    if (planted("outline:one-more") && body.begin() + first != body.end()) {
        body.erase(body.begin() + first);
    }
    body.insert(body.begin() + first, replacement);
    return replace_at(ctx, f, list_site, ctx.seq(body));
}

const Block* outlined_block(Stmt s, const std::string& name) {
    const Block* n = s->as<Block>();
    const bool plain = n != nullptr && n->name == name && n->iters.empty() &&
                       is_true(n->predicate) && n->init == nullptr && !n->reads && !n->writes;
    return plain ? n : nullptr;
}

Result<Proposal> outline(Context& ctx, const Function& before, const Stage& stage,
                         const Function& function, const std::vector<Move>& moves) {
    const Result<Stmt> body = stage_body(ctx, before, stage);
    if (!body) return body.error();
    const Block* again = outlined_block(*body, function.name);
    if (function.body != *body && (again == nullptr || function.body != again->body)) {
        return error("the function has another body than the stage");
    }
    Proposal out{function, {}, {}};
    const Status holds = contract_holds(ctx, before, stage, function, out.obligations);
    if (!holds) return holds.error();
    for (const Move& move : moves) {
        const std::size_t owed = out.obligations.size();
        if (const Status ok = take(move, out); !ok) return ok.error();
        if (&move != moves.data() && planted("outline:first-obligations")) {
            out.obligations.resize(owed);
        }
        if (out.after.params == function.params && relations(out.after) == relations(function)) {
            continue;
        }
        return error(move.about + "the step changes what the caller knows of the function",
                     "change layouts before the stage is outlined");
    }
    // Binders have names of their own in the whole function again.
    std::set<std::string> used = used_names(with_stage(ctx, before, stage, ctx.pass()));
    used.insert(before.name);
    if (!used.insert(function.name).second) {
        return error("the name '" + function.name + "' is taken");
    }
    Block region;
    region.name = function.name;
    region.predicate = ctx.true_();
    const bool keep = planted("outline:keeps-names");
    region.body = keep ? out.after.body : fresh_copy(ctx, out.after.body, used);
    out.after = with_stage(ctx, before, stage, ctx.stmt(std::move(region)));
    return out;
}

}  // namespace proviso::rewrite
