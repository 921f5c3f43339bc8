// What the interpreter computes quickly against the table of operators: quick_op gives what eval_op
// gives, and nothing where eval_op gives a fault; Words stand for the Values they were made of.
#include "ir/interp/quick_op.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/ir/eight_bits.h"

namespace proviso::ir {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();

class QuickOp : public testing::Test {
  protected:
    // Whether there is a quick result. It is eval_op's then.
    bool agrees(const ExprNode& e, const std::vector<Value>& args) {
        WordStore store;
        std::vector<Word> words;
        for (const Value& v : args) words.push_back(store.word(v));
        const Word quick = quick_op(e.op, e.arg(0)->type, e.type, words);
        if (!quick.ok()) {
            EXPECT_EQ(fault_of(quick), FaultKind::None);
            return false;
        }
        const Evaluated slow = eval_op(e, args);
        EXPECT_TRUE(slow.ok()) << describe_fault(e, slow.fault, args);
        EXPECT_EQ(store.value(quick), slow.value) << describe_fault(e, FaultKind::None, args);
        return true;
    }

    // Borders of this type and of all others, what lies between, and what only an unobserved
    // integer can be.
    static std::vector<Value> operands(ScalarType type) {
        std::vector<Value> out = {Value::indet()};
        if (type.is_float()) {
            for (const double x : {0.0,
                                   -0.0,
                                   1.0,
                                   -1.5,
                                   3.0,
                                   0.1,
                                   1e-45,
                                   6e-8,
                                   65504.0,
                                   65520.0,
                                   3.4e38,
                                   1e300,
                                   0x1p31,
                                   -0x1p31,
                                   0x1p62,
                                   0x1p63,
                                   255.9,
                                   -0.9,
                                   2147483647.5,
                                   16777217.0,
                                   kInf,
                                   -kInf,
                                   std::numeric_limits<double>::quiet_NaN()}) {
                out.push_back(Value::of_float(type, x));
            }
            return out;
        }
        const auto add = [&](const Integer& v) {
            const Value value = Value::of_int(type.is_exact_int() ? v : v.wrap(type));
            if (std::find(out.begin(), out.end(), value) == out.end()) out.push_back(value);
        };
        for (const ScalarType other : all_scalar_types()) {
            if (other.is_float()) continue;
            for (const Int128 near : {-2, -1, 0, 1, 2}) {
                for (const Int128 end : {other.min_value(), other.max_value(), Int128{0}}) {
                    add(Integer(end + near));
                }
            }
        }
        for (const int v : {3, -3, 7, -8, 31, 32, 62, 63, 64, 1 << 24, (1 << 24) + 1}) add(v);
        if (type.is_exact_int()) {
            const Integer beyond = Integer::power_of_two(200);
            out.push_back(Value::of_int(beyond));
            out.push_back(Value::of_int(-beyond));
        }
        return out;
    }

    Context ctx;
};

TEST_F(QuickOp, GivesWhatTheTableGivesOnEveryPairOfEightBits) {
    for (const ScalarType type : {kInt8, kUInt8}) {
        const int lo = static_cast<int>(type.min_value());
        for (const Op op : kIntegerOps) {
            const Expr e = ctx.make(op, {ctx.var("a", type), ctx.var("b", type)});
            for (int a = lo; a < lo + 256; ++a) {
                for (int b = lo; b < lo + 256; ++b) {
                    agrees(*e, {Value::of_int(a), Value::of_int(b)});
                    ASSERT_FALSE(HasFailure());
                }
            }
        }
    }
}

TEST_F(QuickOp, GivesWhatTheTableGivesAtTheBordersOfEveryType) {
    std::vector<Op> both = kIntegerOps;
    both.push_back(Op::Div);
    for (const ScalarType type : all_scalar_types()) {
        const std::vector<Value> values = operands(type);
        for (const Op op : both) {
            const bool of_floats = op == Op::Div || op == Op::Same ||
                                   (Op::Add <= op && op <= Op::Mul) ||
                                   (Op::Min <= op && op <= Op::Le);
            if (type.is_float() ? !of_floats : op == Op::Div) continue;
            if (type.is_bool() && op != Op::Eq && op != Op::Ne) continue;
            const Expr e = ctx.make(op, {ctx.var("a", type), ctx.var("b", type)});
            for (const Value& a : values) {
                for (const Value& b : values) agrees(*e, {a, b});
                ASSERT_FALSE(HasFailure());
            }
        }
    }
}

TEST_F(QuickOp, CastsNegatesAndChoosesAsTheTableDoes) {
    for (const ScalarType type : all_scalar_types()) {
        const Expr x = ctx.var("x", type);
        const Expr y = ctx.var("y", type);
        const Expr select = ctx.make(Op::Select, {ctx.var("c", kBool), x, y});
        for (const Value& v : operands(type)) {
            for (const ScalarType to : all_scalar_types()) {
                const Expr e = ctx.cast(to, x);
                if (e->op == Op::Cast) agrees(*e, {v});
            }
            if (!type.is_bool()) agrees(*ctx.make(Op::Neg, {x}), {v});
            if (type.is_bool()) agrees(*ctx.make(Op::Not, {x}), {v});
            for (const Value& c : operands(kBool)) agrees(*select, {c, v, operands(type).back()});
            ASSERT_FALSE(HasFailure());
        }
    }
}

TEST_F(QuickOp, IsQuickWhereProgramsSpendTheirTime) {
    const auto quick = [&](Op op, ScalarType type, const Value& a, const Value& b) {
        return agrees(*ctx.make(op, {ctx.var("a", type), ctx.var("b", type)}), {a, b});
    };
    for (const ScalarType type : {kInt8, kUInt8, kInt32, kInt64, kUInt64}) {
        for (const Op op : kIntegerOps) {
            const bool taken = quick(op, type, Value::of_int(6), Value::of_int(3));
            EXPECT_EQ(taken, op != Op::Same) << op_info(op).name;
        }
    }
    for (const ScalarType type : {kFloat16, kFloat32, kFloat64}) {
        for (const Op op : {Op::Add, Op::Sub, Op::Mul, Op::Div, Op::Min, Op::Max, Op::Lt}) {
            EXPECT_TRUE(quick(op, type, Value::of_float(1.5), Value::of_float(0.25)));
        }
    }
}

TEST_F(QuickOp, WordsStandForTheValuesTheyWereMadeOf) {
    WordStore store;
    for (const ScalarType type : all_scalar_types()) {
        for (const Value& v : operands(type)) {
            const Word w = store.word(v);
            EXPECT_EQ(store.value(w), v) << v.str(type);
            EXPECT_EQ(w.is_indet(), v.is_indet());
            EXPECT_EQ(observable(type, w), observable(type, v)) << v.str(type);
        }
    }
}

TEST_F(QuickOp, WideIntegersLiveUntilTheirOperatorHasThem) {
    WordStore store;
    const Value big = Value::of_int(Integer::power_of_two(100));
    const Word outer = store.word(big);
    const std::vector<Word> args = {store.word(big), Word::of_int(1), store.word(big)};
    store.release(args);
    const Word next = store.word(Value::of_int(-Integer::power_of_two(90)));
    EXPECT_EQ(next.bits, args[0].bits) << "its place is free again";
    EXPECT_EQ(store.value(outer), big);
}

}  // namespace
}  // namespace proviso::ir
