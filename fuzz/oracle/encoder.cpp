#include <fmt/format.h>

#include "analysis/facts/formula.h"
#include "fuzz/oracle/expressions.h"
#include "ir/domains/evaluate.h"
#include "ir/text.h"

namespace proviso::fuzz {

using namespace ir;
using analysis::Verdict;

namespace {

class EncoderCheck {
  public:
    EncoderCheck(Context& ctx, Choice& choice, analysis::Prover& prover, ExpressionCounts& counts)
        : ctx_(ctx), choice_(choice), prover_(prover), counts_(counts) {}

    std::optional<Finding> run() {
        Expr e = application();
        // Operands are variables that facts pin down, so that nothing is folded beforehand.
        Environment env;
        for (std::size_t k = 0; k < operands_.size(); ++k) env.vars[operands_[k]] = values_[k];
        const Evaluation out = evaluate(e, env);
        ++counts_.checked;
        if (auto wrong = claim(e, analysis::no_fault(ctx_, e), out.ok(), "absence of faults")) {
            return wrong;
        }
        if (!out.ok() || out.value.is_indet()) return std::nullopt;
        Expr result = constant_expr(ctx_, e->type, out.value);
        if (result == nullptr) return std::nullopt;  // out of the type's range, and not observed
        return claim(e, ctx_.same(e, result), true, "value");
    }

  private:
    // `formula` must be provable when `holds`, and its negation when not; never the other one.
    std::optional<Finding> claim(Expr e, Expr formula, bool holds, const char* what) {
        const Verdict yes = prover_.prove(facts_, formula).verdict;
        const Verdict no = prover_.prove(facts_, ctx_.not_(formula)).verdict;
        const Verdict right = holds ? yes : no;
        const Verdict wrong = holds ? no : yes;
        if (right == Verdict::Unknown) ++counts_.undecided;
        if (right != Verdict::Refuted && wrong != Verdict::Proved) return std::nullopt;
        std::string where;
        for (Expr f : facts_) where += (where.empty() ? "" : ", ") + print(f);
        return Finding{
            "encoder",
            fmt::format("{} on {}", op_info(e->op).name, e->arg(0)->type.str()),
            fmt::format("{} of {} where {}: the prover says the opposite", what, print(e), where),
            {},
            {}};
    }

    Expr operand(ScalarType type, Value value) {
        static const std::vector<const char*> names = {"x", "y", "z"};
        Expr v = ctx_.var(names[operands_.size()], type);
        operands_.push_back(v);
        facts_.push_back(ctx_.same(v, constant_expr(ctx_, type, value)));
        values_.push_back(std::move(value));
        return v;
    }
    Expr operand(ScalarType type) {
        CellRange range{-9, 9};
        if (type.is_int() && choice_.chance(30)) range = {type.min_value(), type.max_value()};
        return operand(type, random_value(type, range, InputStyle::Adversarial, choice_));
    }

    Expr application() {
        static const std::vector<ScalarType> ints = {kInt32, kInt8,  kUInt8,
                                                     kInt64, kInt16, kUInt32};
        static const std::vector<ScalarType> floats = {kFloat32, kFloat16, kFloat64};
        const bool on_floats = choice_.chance(25);
        const ScalarType type = on_floats ? choice_.pick(floats) : choice_.pick(ints);
        if (choice_.chance(12)) {  // casts between integers
            return ctx_.cast(choice_.pick(ints), operand(choice_.pick(ints)));
        }
        std::vector<Op> ops = {Op::Add, Op::Sub, Op::Mul, Op::Min, Op::Max,
                               Op::Eq,  Op::Ne,  Op::Lt,  Op::Le};
        if (!on_floats) {
            for (const Op op : {Op::FloorDiv, Op::FloorMod, Op::TruncDiv, Op::TruncMod}) {
                ops.insert(ops.end(), 3, op);
            }
            ops.insert(ops.end(), {Op::Shl, Op::Shr, Op::BitAnd});
        } else {
            ops.insert(ops.end(), {Op::Min, Op::Max, Op::Min, Op::Max});
        }
        const Op op = choice_.pick(ops);
        Expr x = operand(type);
        Expr y = nullptr;
        if (!on_floats && choice_.chance(50)) {  // a constant: has an encoding of its own
            const Int128 lo = type.is_signed() ? -9 : 0;
            y = ctx_.int_imm(type, choice_.between(static_cast<std::int64_t>(lo), 9));
        } else {
            y = operand(type);
        }
        return ctx_.make(op, {x, y});
    }

    Context& ctx_;
    Choice& choice_;
    analysis::Prover& prover_;
    ExpressionCounts& counts_;
    std::vector<Expr> operands_;
    std::vector<Value> values_;
    std::vector<Expr> facts_;
};

}  // namespace

std::optional<Finding> check_encoder(Context& ctx, Choice& choice, analysis::Prover& prover,
                                     ExpressionCounts& counts) {
    return EncoderCheck(ctx, choice, prover, counts).run();
}

}  // namespace proviso::fuzz
