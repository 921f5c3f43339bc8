// Known bits and the reduced product: exhaustive on the 8-bit types, precision on the idioms of
// index arithmetic, and a planted slip that the containment test must notice.
#include "ir/domains/known_bits.h"

#include <gtest/gtest.h>

#include "ir/domains/evaluate.h"
#include "ir/domains/number.h"
#include "ir/planted.h"
#include "tests/ir/eight_bits.h"

namespace proviso::ir {
namespace {

std::vector<KnownBits> samples(ScalarType type) {
    std::vector<KnownBits> out = {KnownBits::of(type)};
    Chooser noise(7);
    const int lo = static_cast<int>(type.min_value());
    for (const int v : {0, 1, 2, 3, 4, 7, 8, 64, 127, lo, lo + 127}) {
        out.push_back(KnownBits::at(v));
    }
    for (int n = 0; n < 45; ++n) {
        const Int128 value = lo + static_cast<Int128>(noise.next() % 256);
        const Int128 known = static_cast<Int128>(noise.next() & noise.next() & 255) |
                             (noise.next() % 2 == 0 ? ~Int128{255} : 0);
        const KnownBits at = KnownBits::at(value);
        const KnownBits some = {at.zeros & known, at.ones & known};
        out.push_back(type.is_signed() ? some : *meet(some, KnownBits::of(type)));
    }
    return out;
}

// The first result that is missed, in words; empty: none.
std::string missed(Op op, ScalarType type, Reading reading) {
    const Table table(op, type);
    const std::vector<KnownBits> operands = samples(type);
    std::vector<std::vector<int>> members;
    for (const KnownBits& k : operands) {
        members.emplace_back();
        for (Int128 v = type.min_value(); v <= type.max_value(); ++v) {
            if (k.contains(v)) members.back().push_back(static_cast<int>(v));
        }
    }
    for (std::size_t i = 0; i < operands.size(); ++i) {
        for (std::size_t j = 0; j < operands.size(); ++j) {
            const std::vector<KnownBits> args = {operands[i], operands[j]};
            const KnownBits got = KnownBitsDomain::apply(table.node(), args, reading);
            const bool both = (got.zeros & got.ones) != 0;
            if (both) return "a bit is both 0 and 1: " + std::string(op_info(op).name);
            for (const int a : members[i]) {
                for (const int b : members[j]) {
                    const int r = table.at(a, b);
                    if (r == kFault) continue;
                    if ((r & got.zeros) == 0 && (~r & got.ones) == 0) continue;
                    return std::string(op_info(op).name) + " " + std::to_string(a) + " " +
                           std::to_string(b) + " = " + std::to_string(r) + " not in " + got.str();
                }
            }
        }
    }
    return {};
}

TEST(KnownBits, ContainsEveryResultOnEightBitTypes) {
    for (const ScalarType type : {kInt8, kUInt8}) {
        for (const Op op : kIntegerOps) {
            for (const Reading reading : {Reading::Program, Reading::Formula}) {
                EXPECT_EQ(missed(op, type, reading), "") << type.str();
            }
        }
    }
}

TEST(KnownBits, APlantedSlipInTheCarryIsSeen) {
    planted_fault() = "domains:bits-carry";
    const std::string seen = missed(Op::Add, kUInt8, Reading::Program);
    planted_fault().clear();
    EXPECT_NE(seen, "") << "carries are forgotten, and no result is missed";
}

TEST(KnownBits, UnaryOperatorsAndCastsOnEightBitTypes) {
    Context ctx;
    for (const ScalarType type : {kInt8, kUInt8}) {
        Expr x = ctx.var("x", type);
        std::vector<Expr> nodes = {ctx.neg(x), ctx.math(MathFn::Abs, {x})};
        for (const ScalarType to : all_scalar_types()) nodes.push_back(ctx.cast(to, x));
        for (Expr e : nodes) {
            for (const KnownBits& k : samples(type)) {
                const std::vector<KnownBits> args = {k};
                const KnownBits got = KnownBitsDomain::apply(*e, args, Reading::Program);
                for (Int128 v = type.min_value(); v <= type.max_value(); ++v) {
                    if (!k.contains(v) || e->type.is_float()) continue;
                    const Evaluated r = eval_op(*e, std::vector<Value>{Value::of_int(v)});
                    ASSERT_TRUE(got.contains(r.value.integer()))
                        << op_info(e->op).name << " to " << e->type.str() << ": " << got.str();
                }
            }
        }
    }
}

TEST(Number, EachPartNarrowsTheOthersAndLosesNothingOnEightBits) {
    Chooser noise(11);
    for (int round = 0; round < 20000; ++round) {
        const int lo = static_cast<int>(noise.next() % 256) - 128;
        const int hi = lo + static_cast<int>(noise.next() % 40);
        const Congruence rest = Congruence::of(static_cast<int>(noise.next() % 13), lo);
        const Int128 known = static_cast<Int128>(noise.next() & noise.next() & 255);
        const KnownBits at = KnownBits::at(lo + static_cast<int>(noise.next() % 8));
        const Number raw{Interval::between(lo, hi), rest, {at.zeros & known, at.ones & known}};
        const std::optional<Number> out = reduced(raw);
        for (int v = -128; v <= 168; ++v) {
            const bool inside = raw.contains(v);
            ASSERT_EQ(inside, out.has_value() && out->contains(v)) << raw.str() << " at " << v;
        }
        if (!out) continue;
        EXPECT_TRUE(out->rest.contains(*out->range.lo) && out->rest.contains(*out->range.hi))
            << out->str() << ": ends are values of the congruence";
    }
}

class Bits : public testing::Test {
  protected:
    Context ctx;
    Expr x = ctx.var("x", kInt32);
    Expr y = ctx.var("y", kInt32);
    NumberEval eval{Reading::Formula};
    Expr c(std::int64_t v) { return ctx.i32(v); }
    void between(Expr e, std::int64_t lo, std::int64_t hi) {
        learn(eval, ctx.le(c(lo), e));
        learn(eval, ctx.le(e, c(hi)));
    }
};

TEST_F(Bits, MasksShiftsAndJoinedFields) {
    between(y, 0, 7);
    EXPECT_EQ(eval(ctx.make(Op::BitAnd, {x, c(7)})).str(), "[0, 7], any, ...0???");
    EXPECT_EQ(eval(ctx.make(Op::BitAnd, {x, c(24)})).str(), "[0, 24], 8k, ...0??000");
    EXPECT_EQ(eval(ctx.make(Op::BitOr, {ctx.mul(y, c(8)), c(5)})).str(),
              "[5, 61], 8k + 5, ...0???101");
    EXPECT_EQ(eval(ctx.make(Op::BitXor, {y, c(8)})).str(), "[8, 15], any, ...01???");
    EXPECT_EQ(eval(ctx.add(ctx.mul(y, c(8)), y)).range.str(), "[0, 63]");
    EXPECT_EQ(eval(ctx.make(Op::Shr, {ctx.make(Op::BitAnd, {x, c(24)}), c(3)})).str(),
              "[0, 3], any, ...00??");
    Expr fields = ctx.make(Op::BitOr, {ctx.make(Op::Shl, {y, c(3)}), y});
    EXPECT_EQ(eval(fields).range.str(), "[0, 63]");
}

TEST_F(Bits, FactsAboutMaskedValues) {
    learn(eval, ctx.eq(ctx.make(Op::BitAnd, {x, c(3)}), c(2)));
    EXPECT_EQ(eval(x).rest.str(), "4k + 2");
    EXPECT_TRUE(eval(ctx.eq(ctx.floormod(x, c(4)), c(2))).range.is_true());
    EXPECT_TRUE(eval(ctx.ne(x, c(4))).range.is_true());
}

TEST_F(Bits, AFormulaClaimsNothingOfOperandsThatMayBeOutOfRange) {
    Expr wide = ctx.mul(x, y);
    EXPECT_EQ(eval(ctx.make(Op::BitOr, {wide, c(1)})).bits, KnownBits::all());
    NumberEval program(Reading::Program);
    EXPECT_EQ(program(ctx.make(Op::BitOr, {wide, c(1)})).rest.str(), "2k + 1");
}

TEST_F(Bits, ValuesBeyondTheWidthOfTheMasks) {
    Expr big = ctx.mul(ctx.mul(x, x), ctx.mul(ctx.mul(x, x), ctx.mul(x, x)));
    EXPECT_EQ(eval(ctx.mul(big, c(8))).bits.str(), "...?000") << "low bits hold at any size";
    EXPECT_TRUE(KnownBits::all().contains(Integer::power_of_two(200)));
    EXPECT_FALSE(KnownBits::of(kUInt64).contains(Integer::power_of_two(200)));
    EXPECT_TRUE((KnownBits{7, 0}).contains(Integer::power_of_two(200)));
    EXPECT_FALSE((KnownBits{7, 0}).contains(Integer::power_of_two(200) + 1));
}

}  // namespace
}  // namespace proviso::ir
