// Small programs for the tests of verify/, built in memory.
#pragma once

#include <string>
#include <vector>

#include "analysis/layout/layout.h"
#include "ir/context.h"
#include "ir/interp/interpreter.h"

namespace proviso::verify {

struct Programs {
    ir::Context ctx;
    ir::Expr i = ctx.var("i", ir::kInt32);
    ir::Expr j = ctx.var("j", ir::kInt32);
    ir::Expr k = ctx.var("k", ir::kInt32);
    ir::Buffer a = buffer("A", {14});
    ir::Buffer b = buffer("B", {14});

    ir::Buffer buffer(const std::string& name, const std::vector<std::int64_t>& shape,
                      ir::ScalarType type = ir::kFloat32) {
        std::vector<ir::Expr> extents;
        for (const std::int64_t e : shape) extents.push_back(c(e));
        return ctx.buffer(name, type, extents);
    }
    ir::Expr c(std::int64_t value) { return ctx.i32(value); }
    ir::Expr f32(double value) { return ctx.float_imm(ir::kFloat32, value); }
    ir::Stmt loop(ir::Expr var, std::int64_t hi, ir::Stmt body,
                  ir::ForKind kind = ir::ForKind::Serial) {
        return ctx.for_(var, c(0), c(hi), body, kind);
    }
    ir::Function function(std::vector<ir::Param> params, ir::Stmt body) {
        return ir::Function{"f", std::move(params), {}, body};
    }

    // for i in range(14): B[i] = A[i] + value
    ir::Function add_constant(double value) {
        ir::Expr sum = ctx.add(ctx.load(a, {i}), f32(value));
        return function({a, b}, loop(i, 14, ctx.store(b, {i}, sum)));
    }

    // A relation of a one-dimensional buffer of 14 cells: cell x of (14,) is [x // 4, x % 4] of
    // (4, 4).
    analysis::Layout tiled(const std::string& name, analysis::PadKind kind, bool at_entry,
                           double pad = 0.0) {
        analysis::Layout out;
        out.buffer = name;
        ir::Expr x = ctx.var("x", ir::kInt32);
        ir::Expr p = ctx.var("p", ir::kInt32);
        ir::Expr q = ctx.var("q", ir::kInt32);
        out.logical_shape = {c(14)};
        out.vars = {x};
        out.map = {ctx.floordiv(x, c(4)), ctx.floormod(x, c(4))};
        out.physical_vars = {p, q};
        out.inverse = {ctx.add(ctx.mul(p, c(4)), q)};
        out.pad_kind = kind;
        if (kind == analysis::PadKind::Value) out.pad = f32(pad);
        out.holds_at_entry = at_entry;
        return out;
    }
};

}  // namespace proviso::verify
