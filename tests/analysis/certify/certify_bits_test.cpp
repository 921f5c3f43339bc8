// Certificates of claims on bits and on integers that wrap: what is closed, what is false and must
// not be, and generated claims, half of them spoiled, evaluated wherever one is called proved.
#include <gtest/gtest.h>

#include "analysis/certcheck/check.h"
#include "analysis/prover/prover.h"
#include "ir/children.h"
#include "ir/text.h"
#include "tests/analysis/noise.h"
#include "tests/analysis/sampled_values.h"

namespace proviso::analysis {
namespace {

using ir::Expr;
using ir::Op;

class CertifyBits : public testing::Test {
  protected:
    ir::Context ctx;

    bool closes(const std::vector<std::string>& given, const std::string& goal) {
        ir::Scope scope;
        for (const char* name : {"i", "j", "x", "y", "z"}) {
            scope.vars[name] = ctx.var(name, ir::kInt32);
        }
        for (const char* name : {"u", "v", "w"}) scope.vars[name] = ctx.var(name, ir::kUInt8);
        for (const char* name : {"s", "t"}) scope.vars[name] = ctx.var(name, ir::kInt8);
        for (const char* name : {"a", "b"}) scope.vars[name] = ctx.var(name, ir::kUInt32);
        Obligation o;
        for (const std::string& fact : given) {
            o.facts.push_back(*ir::parse_expr(ctx, fact, scope, ir::kBool));
        }
        o.goal = *ir::parse_expr(ctx, goal, scope, ir::kBool);
        return !find_certificate(to_smt(ctx, o)).certificate.empty();
    }
};

TEST_F(CertifyBits, ExactIntegers) {
    EXPECT_TRUE(closes({"0 <= y", "y < 8"}, "(y ^ z % 8) < 8"));
    EXPECT_TRUE(closes({"0 <= y", "y < 8"}, "0 <= (y ^ z % 8)"));
    EXPECT_TRUE(closes({"0 <= x", "x < 8", "0 <= y", "y < 4"}, "(x | y) < 8"));
    EXPECT_TRUE(closes({}, "(x ^ y) ^ y == x"));
    EXPECT_TRUE(closes({}, "x ^ x == 0"));
    EXPECT_TRUE(closes({"0 <= x", "0 <= y"}, "(x | y) + (x & y) == x + y"));
    EXPECT_TRUE(closes({"0 <= x", "0 <= y"}, "x + y == (x ^ y) + 2 * (x & y)"));
    EXPECT_TRUE(closes({}, "x ^ y == y ^ x"));
    EXPECT_TRUE(closes({}, "x & (y | z) == (x & y) | (x & z)"));
    EXPECT_TRUE(closes({"0 <= x"}, "(x & -8) == x // 8 * 8"));
    EXPECT_TRUE(closes({"0 <= x", "x < 1000", "0 <= y", "y < 8"}, "(x * 8 | y) == x * 8 + y"));
    EXPECT_TRUE(closes({"0 <= x", "0 <= y"}, "(x & y) <= x"));
    // y = 8; x = 4 and y = 3; x = 1 and y = 3; x = y = 1; x = -1; y = 8
    EXPECT_FALSE(closes({"0 <= y", "y <= 8"}, "(y ^ z % 8) < 8"));
    EXPECT_FALSE(closes({"0 <= x", "x < 5", "0 <= y", "y < 5"}, "(x | y) < 5"));
    EXPECT_FALSE(closes({}, "(x ^ y) ^ x == x"));
    EXPECT_FALSE(closes({}, "(x | y) == x + y"));
    EXPECT_FALSE(closes({}, "(x & y) <= x"));
    EXPECT_FALSE(closes({"0 <= x", "x < 1000", "0 <= y", "y <= 8"}, "(x * 8 | y) == x * 8 + y"));
}

TEST_F(CertifyBits, IntegersThatWrap) {
    EXPECT_TRUE(closes({}, "u + v == v + u"));
    EXPECT_TRUE(closes({}, "u - v + v == u"));
    EXPECT_TRUE(closes({}, "s - t + t == s"));
    EXPECT_TRUE(closes({"u < T.uint8(100)", "v < T.uint8(100)"}, "u <= u + v"));
    EXPECT_TRUE(closes({}, "u // T.uint8(4) * T.uint8(4) + u % T.uint8(4) == u"));
    EXPECT_TRUE(closes({}, "(u & T.uint8(7)) == u % T.uint8(8)"));
    EXPECT_TRUE(closes({}, "u >> T.uint8(3) == u // T.uint8(8)"));
    EXPECT_TRUE(closes({}, "(a ^ b) ^ b == a"));
    EXPECT_TRUE(closes({"a < T.uint32(1000)"}, "a < a + T.uint32(1)"));
    EXPECT_TRUE(closes({}, "u * T.uint8(2) == u + u"));
    // u = 255; u = 200 and v = 100; s = 127; u = 8; a = 2^32 - 1; u = 128
    EXPECT_FALSE(closes({}, "u < u + T.uint8(1)"));
    EXPECT_FALSE(closes({"u < T.uint8(201)", "v < T.uint8(101)"}, "u <= u + v"));
    EXPECT_FALSE(closes({}, "s < s + T.int8(1)"));
    EXPECT_FALSE(closes({}, "(u & T.uint8(7)) == u % T.uint8(16)"));
    EXPECT_FALSE(closes({}, "a < a + T.uint32(1)"));
    EXPECT_FALSE(closes({}, "u * T.uint8(2) // T.uint8(2) == u"));
}

// Claims of two bytes, signed or not; the right side is the left one by a law, and now and then
// spoiled: a constant off by one, an operand swapped.
TEST_F(CertifyBits, WhatIsProvedHolds) {
    Noise r(20);
    int proved = 0;
    int refuted = 0;
    for (int round = 0; round < 300; ++round) {
        const ir::ScalarType type = r.below(3) == 0 ? ir::kInt8 : ir::kUInt8;
        const Expr x = ctx.var("x", type);
        const Expr y = ctx.var("y", type);
        const auto c = [&](int value) { return ctx.int_imm(type, value); };
        const auto make = [&](Op op, Expr a, Expr b) { return ctx.make(op, {a, b}); };
        const Op gates[] = {Op::BitAnd, Op::BitOr, Op::BitXor};
        const Op sums[] = {Op::Add, Op::Sub, Op::Mul};
        const Expr leaves[] = {x, y, c(r.below(16)), c(1 << r.below(7))};
        const auto leaf = [&] { return leaves[r.below(4)]; };
        const Op gate = gates[r.below(3)];
        const Op other = r.below(2) == 0 ? gates[r.below(3)] : sums[r.below(3)];
        const Expr a = leaf();
        const Expr b = leaf();
        const Expr left = make(other, make(gate, a, b), leaf());
        Expr goal = nullptr;
        switch (r.below(5)) {
            case 0: goal = ctx.eq(make(gate, a, b), make(gate, b, r.below(2) == 0 ? a : x)); break;
            case 1: goal = ctx.eq(left, make(other, make(gate, b, a), left->arg(1))); break;
            case 2: goal = ctx.le(left, c(r.below(2) == 0 ? 127 : 15 + r.below(3))); break;
            case 3: goal = ctx.le(make(Op::BitAnd, a, b), r.below(2) == 0 ? a : x); break;
            default:
                goal = ctx.eq(make(Op::Add, make(Op::BitOr, a, b), make(Op::BitAnd, a, b)),
                              make(Op::Add, a, r.below(2) == 0 ? b : leaf()));
                break;
        }
        const SmtText text = to_smt(ctx, {{}, {}, goal, {}});
        const bool is_proved = !find_certificate(text, 300'000).certificate.empty();
        proved += is_proved ? 1 : 0;
        bool holds = true;
        SampledValues values;
        for (int k = 0; k < 4096 && holds; ++k) {
            values.variables[x] = type.min_value() + r.below(256);
            values.variables[y] = type.min_value() + r.below(256);
            const auto is = values(goal);
            holds = is && *is != 0;
        }
        refuted += holds ? 0 : 1;
        EXPECT_FALSE(is_proved && !holds) << ir::print(goal) << " of " << type.str();
    }
    RecordProperty("proved", proved);
    RecordProperty("false", refuted);
    EXPECT_GT(proved, 80);
    EXPECT_GT(refuted, 50);
}

}  // namespace
}  // namespace proviso::analysis
