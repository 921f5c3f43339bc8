#include "analysis/solve/index_map.h"

#include <algorithm>

#include "ir/children.h"
#include "ir/domains/evaluate.h"

namespace proviso::analysis::solve {

using ir::Expr;
using ir::Int128;

std::vector<Expr> box_conditions(ir::Context& ctx, const std::vector<Expr>& vars,
                                 const std::vector<Expr>& extents) {
    std::vector<Expr> out;
    for (std::size_t i = 0; i < vars.size(); ++i) {
        out.push_back(ctx.le(ctx.int_imm(vars[i]->type, 0), vars[i]));
        out.push_back(ctx.lt(vars[i], extents[i]));
    }
    return out;
}

std::vector<Expr> IndexMap::domain(ir::Context& ctx) const {
    std::vector<Expr> out = facts;
    const std::vector<Expr> box = box_conditions(ctx, vars, extents);
    out.insert(out.end(), box.begin(), box.end());
    return out;
}

Expr IndexMap::at_image(ir::Context& ctx, Expr e, const std::vector<Expr>& physical) const {
    ir::Substitution to;
    for (std::size_t k = 0; k < physical.size(); ++k) to[physical[k]] = results[k];
    return substitute(ctx, e, to);
}

bool each_point(const std::vector<Expr>& extents, const std::function<bool(const Point&)>& at) {
    Point size;
    Int128 points = 1;
    for (Expr e : extents) {
        if (!ir::is_int_const(e)) return false;
        size.push_back(e->int_value());
        if (size.back() <= 0) return true;
        points *= size.back();
        if (points > kMostPoints) return false;
    }
    Point p(size.size(), 0);
    while (true) {
        if (!at(p)) return true;
        std::size_t d = p.size();
        while (d > 0 && ++p[d - 1] == size[d - 1]) p[--d] = 0;
        if (d == 0) return true;
    }
}

std::optional<Int128> value_at(Expr e, const std::vector<Expr>& vars, const Point& at) {
    ir::Environment env;
    for (std::size_t i = 0; i < vars.size(); ++i) env.vars[vars[i]] = ir::Value::of_int(at[i]);
    for (Expr v : ir::free_vars(e)) {
        if (env.vars.count(v) == 0) return std::nullopt;
    }
    const ir::Evaluation out = evaluate(e, env);
    if (!out.ok() || out.value.is_indet()) return std::nullopt;
    return out.value.integer().to_int128();
}

namespace {

bool is_among(Expr v, const std::vector<Expr>& vars) {
    return std::find(vars.begin(), vars.end(), v) != vars.end();
}

}  // namespace

Checked check_on_box(Prover& prover, const std::string& purpose, const std::vector<Expr>& facts,
                     const std::vector<Expr>& vars, const std::vector<Expr>& extents, Expr goal) {
    ir::Context& ctx = prover.context();
    std::vector<Expr> all = facts;
    const std::vector<Expr> box = box_conditions(ctx, vars, extents);
    all.insert(all.end(), box.begin(), box.end());
    Checked out{{{.words = purpose}, all, goal}, {}};
    if (prover.proves_cheaply(all, goal)) {
        out.answer = prover.prove(out.obligation);
        return out;
    }
    // A few points are decided sooner, and more surely, one by one.
    bool plain = true;
    for (Expr e : all) {
        for (Expr v : ir::free_vars(e)) plain = plain && is_among(v, vars);
    }
    for (Expr v : ir::free_vars(goal)) plain = plain && is_among(v, vars);
    bool decided = plain;
    std::optional<Point> against;
    if (plain) {
        decided = each_point(extents, [&](const Point& p) {
            for (Expr e : facts) {
                const auto holds = value_at(e, vars, p);
                if (!holds || *holds == 0) return true;
            }
            const auto value = value_at(goal, vars, p);
            plain = plain && value.has_value();
            if (value && *value == 0) against = p;
            return plain && !against;
        });
    }
    if (decided && plain) {
        out.answer.by = "enumeration";
        out.answer.verdict = against ? Verdict::Refuted : Verdict::Proved;
        for (std::size_t i = 0; against && i < vars.size(); ++i) {
            out.answer.model.push_back(
                {*vars[i]->name, vars[i], ctx.int_imm(vars[i]->type, (*against)[i]), {}});
        }
        return out;
    }
    out.answer = prover.prove(out.obligation);
    return out;
}

}  // namespace proviso::analysis::solve
