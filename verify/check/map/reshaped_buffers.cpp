#include "verify/check/map/reshaped_buffers.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "analysis/facts/facts.h"
#include "ir/text.h"
#include "rewrite/rules/fresh_copy.h"
#include "verify/check/map/spelling.h"

namespace proviso::verify {

using namespace ir;
using namespace rewrite;
using nlohmann::json;

namespace {

// The steps between cells, row-major: of (4, n, 8) they are n*8, 8, 1.
std::vector<Expr> strides(Context& ctx, std::span<const Expr> shape) {
    std::vector<Expr> out(shape.size());
    Expr step = ctx.int_imm(shape[0]->type, 1);
    for (std::size_t d = shape.size(); d-- > 0;) {
        out[d] = step;
        step = is_int_const(step, 1) ? shape[d] : ctx.mul(shape[d], step);
    }
    return out;
}

// The number of a cell.
Expr number(Context& ctx, std::span<const Expr> shape, const std::vector<Expr>& index) {
    const std::vector<Expr> steps = strides(ctx, shape);
    Expr out = nullptr;
    for (std::size_t d = 0; d < shape.size(); ++d) {
        Expr part = is_int_const(steps[d], 1) ? index[d] : ctx.mul(index[d], steps[d]);
        out = out == nullptr ? part : ctx.add(out, part);
    }
    return out;
}

// Its indices.
std::vector<Expr> digits(Context& ctx, std::span<const Expr> shape, Expr cell) {
    const std::vector<Expr> steps = strides(ctx, shape);
    std::vector<Expr> out;
    for (std::size_t d = 0; d < shape.size(); ++d) {
        Expr digit = is_int_const(steps[d], 1) ? cell : ctx.floordiv(cell, steps[d]);
        out.push_back(d == 0 ? digit : ctx.floormod(digit, shape[d]));
    }
    return out;
}

std::vector<Expr> variables(Context& ctx, std::span<const Expr> shape, const std::string& name,
                            std::set<std::string>& used) {
    std::vector<Expr> out;
    for (Expr extent : shape) out.push_back(ctx.var(fresh_name(name, used), extent->type));
    return out;
}

bool one_type(Buffer a, Buffer b) {
    for (Buffer buffer : {a, b}) {
        for (Expr extent : buffer->shape) {
            if (extent->type != a->shape[0]->type) return false;
        }
    }
    return true;
}

bool same_type(Buffer a, Buffer b) {
    return a->type == b->type && a->scope == b->scope;
}

Buffer counterpart(Buffer of, const std::vector<Buffer>& mine, const std::vector<Buffer>& wanted) {
    const auto fits = [&](Buffer b) { return same_type(of, b); };
    for (Buffer b : wanted) {
        if (fits(b) && b->name == of->name) return b;
    }
    const bool alone = std::count_if(mine.begin(), mine.end(), fits) == 1 &&
                       std::count_if(wanted.begin(), wanted.end(), fits) == 1;
    return alone ? *std::find_if(wanted.begin(), wanted.end(), fits) : nullptr;
}

void reshape(Proposer& p, Buffer mine, Buffer wanted, std::set<std::string> used) {
    Context& ctx = p.ctx();
    for (const std::string& name : used_names(p.current())) used.insert(name);
    const std::vector<Expr> from = variables(ctx, mine->shape, mine->name + "_l", used);
    const std::vector<Expr> to = variables(ctx, wanted->shape, mine->name + "_p", used);
    p.try_apply("relayout", Site{},
                {{"buffer", mine->name},
                 {"shape", texts(wanted->shape)},
                 {"vars", texts(from)},
                 {"map", texts(digits(ctx, wanted->shape, number(ctx, mine->shape, from)))},
                 {"physical_vars", texts(to)},
                 {"inverse", texts(digits(ctx, mine->shape, number(ctx, wanted->shape, to)))},
                 {"pad", "none"}});
}

}  // namespace

void reshape_buffers(Proposer& p, const std::vector<Buffer>& mine,
                     const std::vector<Buffer>& wanted, const std::set<std::string>& taken) {
    for (Buffer b : mine) {
        Buffer other = counterpart(b, mine, wanted);
        if (other == nullptr || b->rank() == 0 || other->rank() == 0) continue;
        if (one_type(b, other)) reshape(p, b, other, taken);
    }
}

}  // namespace proviso::verify
