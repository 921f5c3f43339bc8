#include "rewrite/derived/functions/outlined.h"

#include <algorithm>

#include "analysis/facts/facts.h"
#include "analysis/facts/path.h"
#include "analysis/layout/layout.h"
#include "ir/children.h"
#include "ir/planted.h"

namespace proviso::rewrite {

using namespace ir;
using namespace analysis;

namespace {

// What a statement uses and does not bind itself.
struct Free {
    std::set<Buffer> buffers;
    std::set<Expr> vars;
};

Free free_of(Stmt stage) {
    Free used;
    std::set<Buffer> own_buffers;
    std::set<Expr> own_vars;
    const auto expression = [&](Expr e) {
        for (Buffer b : loaded_buffers(e)) used.buffers.insert(b);
        for (Expr v : free_vars(e)) used.vars.insert(v);
    };
    for_each_stmt(stage, [&](Stmt s) {
        if (const For* n = s->as<For>()) own_vars.insert(n->var);
        if (const LetStmt* n = s->as<LetStmt>()) own_vars.insert(n->var);
        if (const Store* n = s->as<Store>()) used.buffers.insert(n->buffer);
        if (const Allocate* n = s->as<Allocate>()) {
            own_buffers.insert(n->buffer);
            for (Expr extent : n->buffer->shape) expression(extent);
        }
        const Block* block = s->as<Block>();
        if (block == nullptr) return;
        for (const BlockIter& it : block->iters) {
            own_vars.insert(it.var);
            expression(it.lo);
            expression(it.hi);
        }
        for (const auto* regions : {&block->reads, &block->writes}) {
            if (!regions->has_value()) continue;
            for (const BufferRegion& r : **regions) {
                used.buffers.insert(r.buffer);
                for (const auto& [lo, hi] : r.ranges) {
                    expression(lo);
                    expression(hi);
                }
            }
        }
    });
    for_each_expr(stage, expression);
    for (Buffer b : own_buffers) used.buffers.erase(b);
    for (Buffer b : used.buffers) {
        for (Expr extent : b->shape) {
            for (Expr v : free_vars(extent)) used.vars.insert(v);
        }
    }
    for (Expr v : own_vars) used.vars.erase(v);
    return used;
}

// Parameters, allocations and lets around a site, in order.
struct Around {
    std::vector<Buffer> buffers;
    std::vector<Expr> vars;
};

Around around(const Function& f, const Site& site) {
    Around out{f.buffer_params(), f.scalar_params()};
    for (const PassedNode& step : passed_on_the_way(f, site)) {
        if (const Allocate* allocation = step.stmt->as<Allocate>()) {
            out.buffers.push_back(allocation->buffer);
        } else if (const LetStmt* let = step.stmt->as<LetStmt>()) {
            out.vars.push_back(let->var);
        }
    }
    return out;
}

AttrValue::Dict bounds_of(const Function& f, const char* attr, const std::vector<Expr>& scalars) {
    AttrValue::Dict out;
    const auto all = f.attrs.find(attr);
    const auto* dict =
        all == f.attrs.end() ? nullptr : std::get_if<AttrValue::Dict>(&all->second.value);
    if (dict == nullptr) return out;
    const std::vector<Expr> own = f.scalar_params();  // of nothing else does `f` promise a bound
    for (Expr v : scalars) {
        if (std::find(own.begin(), own.end(), v) == own.end()) continue;
        const auto found = dict->find(*v->name);
        if (found != dict->end()) out.insert(*found);
    }
    return out;
}

// What `f` knows of a size by a buffer that is not passed on: that it is not negative. The caller
// of `f` has promised so, and a size keeps its value.
void keep_signs(Context& ctx, const Function& f, const std::vector<Expr>& scalars, Function& out) {
    const std::vector<Expr> known = parameter_facts(ctx, f);
    const std::vector<Expr> own = parameter_facts(ctx, out);
    const auto says = [](const std::vector<Expr>& facts, Expr fact) {
        return std::find(facts.begin(), facts.end(), fact) != facts.end();
    };
    AttrValue::Dict more;
    for (Expr v : scalars) {
        if (!v->type.is_int() || !v->type.is_signed()) continue;
        Expr fact = ctx.le(ctx.int_imm(v->type, 0), v);
        const auto lower = f.lower_bound(*v->name);
        if ((lower && *lower >= 0) || !says(known, fact) || says(own, fact)) continue;
        more[*v->name] = AttrValue{std::int64_t{0}};
    }
    if (more.empty()) return;
    AttrValue& attr = out.attrs[kLowerBoundAttr];
    if (!std::holds_alternative<AttrValue::Dict>(attr.value)) attr.value = AttrValue::Dict{};
    for (auto& [name, bound] : more) {
        std::get<AttrValue::Dict>(attr.value)[name] = std::move(bound);
    }
}

// Licences for the whole function, and those that speak of the cells of a parameter that is passed
// on as the caller of `f` handed it over: of one that `f` writes, they say nothing later on.
AttrValue::List licences_of(const Function& f, const std::vector<Buffer>& passed) {
    AttrValue::List out;
    for (const std::string& licence : f.licences()) {
        const bool speaks_of_one = licence.find('(') != std::string::npos;
        const bool of_passed = std::any_of(passed.begin(), passed.end(), [&](Buffer b) {
            return f.find_buffer_param(b->name) == b && licence == "finite(" + b->name + ")" &&
                   (!stores_to(f.body, b) || planted("outline:licences-last"));
        });
        if (!speaks_of_one || of_passed) out.push_back(AttrValue{licence});
    }
    return out;
}

// Cells of the buffer may be indeterminate when the new function begins.
bool begins_indeterminate(Context& ctx, const Function& f, Buffer b) {
    if (f.find_buffer_param(b->name) != b) return !planted("outline:allocations-are-definite");
    if (!stores_to(f.body, b)) return may_be_indet(f, b);  // as it was when `f` began
    return !is_definite_parameter(ctx, f, b) && !planted("outline:stores-are-definite");
}

}  // namespace

Result<Function> outlined(Context& ctx, const Function& f, const Stage& stage,
                          const std::string& name) {
    const Result<Stmt> body = stage_body(ctx, f, stage);
    if (!body) return body.error();
    const Around scope = around(f, stage.site);
    const Free used = free_of(*body);
    Function out;
    out.name = name;
    out.body = *body;
    std::vector<Buffer> buffers;
    std::vector<Expr> scalars;
    for (Buffer b : scope.buffers) {
        if (used.buffers.count(b) != 0) buffers.push_back(b);
    }
    for (Expr v : scope.vars) {
        if (used.vars.count(v) != 0) scalars.push_back(v);
    }
    out.params.assign(buffers.begin(), buffers.end());
    out.params.insert(out.params.end(), scalars.begin(), scalars.end());
    AttrValue::Dict layouts;
    AttrValue::List indet;
    for (Buffer b : buffers) {
        if (begins_indeterminate(ctx, f, b)) indet.push_back(AttrValue{b->name});
        if (f.find_buffer_param(b->name) != b || layouts_of(ctx, f, b->name).empty()) continue;
        const auto& all = std::get<AttrValue::Dict>(f.attrs.at(kLayoutAttr).value);
        layouts.emplace(b->name, all.at(b->name));
    }
    const AttrValue::List licences = licences_of(f, buffers);
    if (!layouts.empty()) out.attrs[kLayoutAttr] = AttrValue{layouts};
    if (!indet.empty()) out.attrs[kIndetAttr] = AttrValue{indet};
    if (!licences.empty()) out.attrs[kLicencesAttr] = AttrValue{licences};
    for (const char* bound : {kLowerBoundAttr, kUpperBoundAttr}) {
        AttrValue::Dict kept = bounds_of(f, bound, scalars);
        if (!kept.empty()) out.attrs[bound] = AttrValue{std::move(kept)};
    }
    keep_signs(ctx, f, scalars, out);
    std::vector<Obligation> owed;
    const Status holds = contract_holds(ctx, f, stage, out, owed);
    if (!holds) return holds.error();
    return out;
}

}  // namespace proviso::rewrite
