// The encoder against the concrete domain: a constant expression must have, for the solver, the
// value that eval_op gives it. Exhaustive at 8 bits, sampled elsewhere. Only values without a fault
// are compared: what faults has no value that the encoder would have to agree with.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>

#include "analysis/prover/prover.h"
#include "ir/domains/evaluate.h"
#include "tests/sanitized.h"

namespace proviso::analysis {
namespace {

using ir::Expr;
using ir::MathFn;
using ir::Op;
using ir::ScalarType;

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

// Collects claims `e = its value` and asks for all of them together.
class Claims {
  public:
    Claims(ir::Context& ctx, bool with_cvc5 = false) : ctx_(ctx), with_cvc5_(with_cvc5) {}
    ~Claims() {
        ask();
        EXPECT_GT(claimed_, 0U);
    }

    // The value that the concrete domain gives, when it gives one.
    void add(Expr e) {
        const ir::Evaluation out = ir::evaluate(e, {});
        if (!out.ok() || out.value.is_indet()) return;
        const Expr value = ir::constant_expr(ctx_, e->type, out.value);
        if (value == nullptr) return;  // left its type's range: has no constant
        claims_.push_back(ctx_.same(e, value));
        ++claimed_;
        if (claims_.size() == 4096) ask();
    }

  private:
    Answer solve(const std::vector<Expr>& claims) {
        const SmtText text = to_smt(ctx_, Obligation{{}, {}, tree(claims, 0, claims.size()), {}});
        if (!text.supported) return Answer{Verdict::Unknown, "", {}, text.why, false};
        Answer z3 = ask_z3(text, 200'000'000);
        if (z3.verdict != Verdict::Proved || !with_cvc5_) return z3;
        return ask_cvc5(text, 200'000'000, 60);
    }

    // A balanced conjunction, so that nesting stays shallow.
    Expr tree(const std::vector<Expr>& claims, std::size_t from, std::size_t to) {
        if (to - from == 1) return claims[from];
        const std::size_t middle = from + (to - from) / 2;
        return ctx_.and_(tree(claims, from, middle), tree(claims, middle, to));
    }

    void ask() {
        if (claims_.empty()) return;
        std::vector<Expr> suspects = std::move(claims_);
        claims_.clear();
        const Answer all = solve(suspects);
        if (all.verdict == Verdict::Proved) return;
        // Narrow it down to one claim.
        while (suspects.size() > 1) {
            const auto half = suspects.begin() + static_cast<std::ptrdiff_t>(suspects.size() / 2);
            std::vector<Expr> first(suspects.begin(), half);
            const bool in_first = solve(first).verdict != Verdict::Proved;
            suspects = in_first ? std::move(first) : std::vector<Expr>(half, suspects.end());
        }
        const Obligation one{{}, {}, suspects[0], {}};
        ADD_FAILURE() << verdict_name(all.verdict) << " " << all.why << "\n"
                      << to_smt(ctx_, one).text;
    }

    ir::Context& ctx_;
    bool with_cvc5_;
    std::vector<Expr> claims_;
    std::size_t claimed_ = 0;
};

const std::vector<Op> kIntegerOps = {
    Op::Add,      Op::Sub,    Op::Mul,   Op::FloorDiv, Op::FloorMod, Op::TruncDiv,
    Op::TruncMod, Op::Min,    Op::Max,   Op::Eq,       Op::Ne,       Op::Lt,
    Op::Le,       Op::BitAnd, Op::BitOr, Op::BitXor,   Op::Shl,      Op::Shr};
const std::vector<Op> kFloatOps = {Op::Add, Op::Sub, Op::Mul, Op::Div, Op::Min, Op::Max,
                                   Op::Eq,  Op::Ne,  Op::Lt,  Op::Le,  Op::Same};

class EightBits : public testing::TestWithParam<Op> {};

TEST_P(EightBits, every_pair) {
    for (const ScalarType type : {ir::kInt8, ir::kUInt8}) {
        ir::Context ctx;
        Claims claims(ctx);
        for (ir::Int128 a = type.min_value(); a <= type.max_value(); a += tests::kShare) {
            for (ir::Int128 b = type.min_value(); b <= type.max_value(); ++b) {
                claims.add(ctx.make(GetParam(), {ctx.int_imm(type, a), ctx.int_imm(type, b)}));
            }
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Ops, EightBits, testing::ValuesIn(kIntegerOps), [](const auto& tested) {
    return std::string(ir::op_info(tested.param).name);
});

// Values of a type where something happens: extremes, small ones, around powers of two.
std::vector<Expr> integers_of(ir::Context& ctx, ScalarType type) {
    std::vector<ir::Int128> values = {0, 1, 2, 3, 4, 7, 10, 12, 31, 32, 100};
    for (const int k : {8, 15, 16, 24, 31, 32, 53, 62}) {
        for (const int d : {-1, 0, 1}) values.push_back((ir::Int128{1} << k) + d);
    }
    const std::vector<ir::Int128> positive = values;
    for (const ir::Int128 v : positive) values.push_back(-v);
    for (const int d : {0, 1, 2}) {
        values.push_back(type.min_value() + d);
        values.push_back(type.max_value() - d);
    }
    std::vector<Expr> out;
    for (const ir::Int128 v : values) {
        if (!type.contains(v)) continue;
        const Expr e = ctx.int_imm(type, v);
        if (std::find(out.begin(), out.end(), e) == out.end()) out.push_back(e);
    }
    return out;
}

std::vector<Expr> floats_of(ir::Context& ctx, ScalarType type) {
    const bool brain = type.code == ir::TypeCode::BFloat;
    const int digits = brain ? 8 : type.bits == 16 ? 11 : type.bits == 32 ? 24 : 53;
    const int lowest = brain || type.bits == 32 ? -126 : type.bits == 16 ? -14 : -1022;
    const double subnormal = std::ldexp(1.0, lowest - digits + 1);
    const double largest = (2.0 - std::ldexp(1.0, 1 - digits)) * std::ldexp(1.0, -lowest + 1);
    std::vector<double> values = {0.0,
                                  1.0,
                                  0.5,
                                  1.5,
                                  2.0,
                                  2.5,
                                  3.0,
                                  0.1,
                                  1.0 / 3,
                                  7.75,
                                  100.0,
                                  127.0,
                                  255.5,
                                  1.0 + std::ldexp(1.0, 1 - digits),
                                  subnormal,
                                  3 * subnormal,
                                  std::ldexp(1.0, lowest),
                                  largest,
                                  largest / 2,
                                  kInf};
    std::vector<Expr> out = {ctx.float_imm(type, kNan)};
    for (const double v : values) {
        out.push_back(ctx.float_imm(type, ir::round_to_type(type, v)));
        out.push_back(ctx.float_imm(type, ir::round_to_type(type, -v)));
    }
    return out;
}

class EveryType : public testing::TestWithParam<ScalarType> {};

TEST_P(EveryType, sampled_pairs) {
    const ScalarType type = GetParam();
    ir::Context ctx;
    Claims claims(ctx);
    const bool is_float = type.is_float();
    const std::vector<Expr> values = is_float ? floats_of(ctx, type) : integers_of(ctx, type);
    for (const Op op : is_float ? kFloatOps : kIntegerOps) {
        for (const Expr a : values) {
            for (const Expr b : values) claims.add(ctx.make(op, {a, b}));
        }
    }
    for (const Expr a : values) {
        claims.add(ctx.neg(a));
        claims.add(ctx.math(MathFn::Abs, {a}));
        if (!is_float) continue;
        for (const MathFn fn : {MathFn::Sqrt, MathFn::Floor, MathFn::Ceil, MathFn::Trunc,
                                MathFn::Round, MathFn::IsNan}) {
            claims.add(ctx.math(fn, {a}));
        }
    }
}

TEST_P(EveryType, casts_to_every_type) {
    const ScalarType type = GetParam();
    ir::Context ctx;
    Claims claims(ctx);
    const std::vector<Expr> values =
        type.is_float() ? floats_of(ctx, type) : integers_of(ctx, type);
    for (const ScalarType to : ir::all_scalar_types()) {
        for (const Expr v : values) claims.add(ctx.cast(to, v));
        claims.add(ctx.cast(to, ctx.true_()));
        claims.add(ctx.cast(to, ctx.false_()));
    }
}

// Variables that facts fix to the same constants: no operand is a literal, so the encoder's general
// forms are used, and the solver reasons instead of folding.
TEST_P(EveryType, variables_fixed_by_facts) {
    const ScalarType type = GetParam();
    ir::Context ctx;
    const Expr x = ctx.var("x", type);
    const Expr y = ctx.var("y", type);
    const std::vector<Expr> values =
        type.is_float() ? floats_of(ctx, type) : integers_of(ctx, type);
    std::uint64_t noise = 12345;
    for (const Op op : type.is_float() ? kFloatOps : kIntegerOps) {
        for (int sample = 0; sample < 3; ++sample) {
            noise = noise * 6364136223846793005ULL + 1442695040888963407ULL;
            const Expr a = values[(noise >> 33) % values.size()];
            const Expr b = values[(noise >> 45) % values.size()];
            const ir::Evaluation out = ir::evaluate(ctx.make(op, {a, b}), {});
            const Expr e = ctx.make(op, {x, y});
            const Expr value = out.ok() ? ir::constant_expr(ctx, e->type, out.value) : nullptr;
            if (value == nullptr) continue;
            const SmtText text =
                to_smt(ctx, {{}, {ctx.same(x, a), ctx.same(y, b)}, ctx.same(e, value), {}});
            EXPECT_EQ(ask_z3(text, 50'000'000).verdict, Verdict::Proved) << text.text;
            const SmtText other = to_smt(
                ctx, {{}, {ctx.same(x, a), ctx.same(y, b)}, ctx.not_(ctx.same(e, value)), {}});
            EXPECT_EQ(ask_z3(other, 50'000'000).verdict, Verdict::Refuted) << other.text;
        }
    }
}

TEST_P(EveryType, both_solvers_read_the_text) {
    if (cvc5_version().empty()) GTEST_SKIP() << "cvc5 is not installed";
    const ScalarType type = GetParam();
    ir::Context ctx;
    Claims claims(ctx, true);
    const std::vector<Expr> values =
        type.is_float() ? floats_of(ctx, type) : integers_of(ctx, type);
    for (const Op op : type.is_float() ? kFloatOps : kIntegerOps) {
        for (std::size_t i = 0; i < values.size(); ++i) {
            claims.add(ctx.make(op, {values[i], values[(i * 7 + 3) % values.size()]}));
        }
    }
    for (const ScalarType to : ir::all_scalar_types()) {
        for (std::size_t i = 0; i < values.size(); i += 3) claims.add(ctx.cast(to, values[i]));
    }
}

INSTANTIATE_TEST_SUITE_P(Types, EveryType, testing::ValuesIn([] {
                             std::vector<ScalarType> out = ir::all_scalar_types();
                             std::erase(out, ir::kBool);
                             return out;
                         }()),
                         [](const auto& tested) { return tested.param.str(); });

}  // namespace
}  // namespace proviso::analysis
