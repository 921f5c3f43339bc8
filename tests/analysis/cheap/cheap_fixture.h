// Names and shorthands for the tests of the cheap deciders.
#pragma once

#include <gtest/gtest.h>

#include "analysis/cheap/decide.h"

namespace proviso::analysis {

using ir::Expr;
using ir::Op;

class Cheap : public testing::Test {
  protected:
    ir::Context ctx;
    Expr i = ctx.var("i", ir::kInt32);
    Expr j = ctx.var("j", ir::kInt32);
    Expr k = ctx.var("k", ir::kInt32);
    Expr n = ctx.var("n", ir::kInt32);
    Expr m = ctx.var("m", ir::kInt32);
    Expr p = ctx.var("p", ir::kBool);
    ir::Buffer A = ctx.buffer("A", ir::kFloat32, {ctx.i32(64)});

    Expr c(std::int64_t v) { return ctx.i32(v); }
    // lo <= x < hi
    Expr within(Expr lo, Expr x, Expr hi) { return ctx.and_(ctx.le(lo, x), ctx.lt(x, hi)); }
    Expr times(Expr a, std::int64_t b) { return ctx.mul(a, c(b)); }
    Expr div(Expr a, std::int64_t b) { return ctx.floordiv(a, c(b)); }
    Expr mod(Expr a, std::int64_t b) { return ctx.floormod(a, c(b)); }

    std::string by(const std::vector<Expr>& facts, Expr goal) {
        return cheap::decide(ctx, Obligation{{}, facts, goal, {}}).value_or("");
    }
};

}  // namespace proviso::analysis
