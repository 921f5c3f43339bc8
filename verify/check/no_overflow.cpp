#include "verify/check/no_overflow.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <vector>

#include "ir/children.h"

namespace proviso::verify {

using namespace ir;

namespace {

constexpr int kBitsOfHalf = 32;  // operands of so many are computed with exactly in int64

class Assumptions {
  public:
    explicit Assumptions(Context& ctx) : ctx_(ctx) {}

    Stmt visit(Stmt s) {
        if (s->is<Assume>()) return s;
        if (s->is<Store>() || s->is<Evaluate>() || s->is<Assert>()) {
            return with_assumptions(s, s, around_);
        }
        const std::size_t outside = around_.size();
        std::vector<Child> all = children(s);
        for (const Child& c : all) {
            if (c.expr != nullptr && c.expr->within == 0) around_.push_back(c.expr);
        }
        for (Child& c : all) {
            // The initialisation of a block is one store.
            if (c.stmt != nullptr && c.label != "init") c.stmt = visit(c.stmt);
        }
        around_.resize(outside);
        return with_assumptions(s, with_children(ctx_, s, all), {});
    }

    std::size_t operations() const { return operations_.size(); }

  private:
    // Of what the statement evaluates itself, and of these.
    Stmt with_assumptions(Stmt of, Stmt s, const std::vector<Expr>& these) {
        found_.clear();
        for (Expr e : these) look(e, nullptr);
        // Where a block's predicate is false, what its iterators are is not evaluated.
        const Block* block = of->as<Block>();
        for (const Child& c : children(of)) {
            if (c.expr == nullptr) continue;
            const bool guarded = block != nullptr && c.label != "predicate";
            look(c.expr, guarded && !is_true(block->predicate) ? block->predicate : nullptr);
        }
        std::vector<Stmt> out;
        for (Expr condition : found_) out.push_back(ctx_.stmt(Assume{condition}));
        out.push_back(s);
        return ctx_.seq(out);
    }

    // Operations that the expression evaluates where `when` holds; null: always.
    void look(Expr e, Expr when) {
        if (e->op == Op::Let) return look(e->arg(0), when);  // the name means nothing outside
        for (std::size_t k = 0; k < e->args.size(); ++k) {
            if (k == 0 || !is_lazy(e->op)) {
                look(e->arg(k), when);
                continue;
            }
            Expr first = deciding_value(e->op, k) ? e->arg(0) : ctx_.not_(e->arg(0));
            look(e->arg(k), when == nullptr ? first : ctx_.and_(when, first));
        }
        if (!is_ring(e->op) || !e->type.is_wrapping_int()) return;
        if (has_any(e, {Op::CallExtern, Op::Undef})) return;
        if (when != nullptr && has_any(when, {Op::CallExtern, Op::Undef})) return;
        operations_.insert(e);
        for (Expr condition : stays(e)) {
            if (when != nullptr) condition = ctx_.or_(ctx_.not_(when), condition);
            const bool known = std::find(found_.begin(), found_.end(), condition) != found_.end();
            if (!known) found_.push_back(condition);
        }
    }

    // That the exact result is in the type.
    std::vector<Expr> stays(Expr e) {
        const ScalarType type = e->type;
        if (type.bits > kBitsOfHalf) return {stays_wide(e)};
        std::vector<Expr> args;
        for (Expr a : e->args) args.push_back(ctx_.cast(kInt64, a));
        Expr exact = with_args(ctx_, e, args);
        std::vector<Expr> out;
        const bool grows = !type.is_signed() && (e->op == Op::Add || e->op == Op::Mul);
        const bool shrinks = !type.is_signed() && !grows;
        if (!grows) out.push_back(ctx_.le(ctx_.int_imm(kInt64, type.min_value()), exact));
        if (!shrinks) out.push_back(ctx_.le(exact, ctx_.int_imm(kInt64, type.max_value())));
        return out;
    }

    // Of uint64, without a wider type.
    Expr stays_wide(Expr e) {
        Expr zero = ctx_.int_imm(e->type, 0);
        Expr most = ctx_.int_imm(e->type, e->type.max_value());
        if (e->op == Op::Neg) return ctx_.eq(e->arg(0), zero);
        Expr a = e->arg(0);
        Expr b = e->arg(1);
        if (e->op == Op::Sub) return ctx_.le(b, a);
        if (e->op == Op::Add) return ctx_.le(a, ctx_.sub(most, b));
        return ctx_.or_(ctx_.eq(b, zero), ctx_.le(a, ctx_.floordiv(most, b)));
    }

    Context& ctx_;
    std::vector<Expr> around_;  // control that reads no memory
    std::vector<Expr> found_;   // in front of one statement
    std::set<Expr> operations_;
};

}  // namespace

WithoutOverflow assume_no_overflow(Context& ctx, const Function& f) {
    Assumptions all(ctx);
    WithoutOverflow out{f, 0};
    out.function.body = all.visit(f.body);
    out.operations = all.operations();
    return out;
}

Status take_no_overflow(Context& ctx, RelatedPrograms& programs) {
    WithoutOverflow assumed = assume_no_overflow(ctx, programs.before);
    if (assumed.operations == 0) {
        return error("--assume-no-overflow: no +, - or * of BEFORE wraps",
                     "int32 and int64 need no such axiom: a run that observes one out of its "
                     "range faults, and is not compared");
    }
    programs.before = std::move(assumed.function);
    programs.axioms.emplace_back("N1");
    programs.told.push_back(fmt::format(
        "axiom N1: no +, - or * of BEFORE on integers that wrap leaves its type, or takes "
        "what is undefined ({} operation{}; the assumptions in the source of its log)",
        assumed.operations, assumed.operations == 1 ? "" : "s"));
    return Unit{};
}

}  // namespace proviso::verify
