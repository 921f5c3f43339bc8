// Rewritings of one expression that a compiler might try, right and wrong ones mixed.
#include "fuzz/gen/steps/steps.h"
#include "ir/domains/value.h"

namespace proviso::fuzz {

using namespace ir;

namespace {

class NearEquals {
  public:
    NearEquals(Context& ctx, Expr e) : ctx_(ctx), e_(e) {}

    std::vector<Expr> run() {
        switch (e_->op) {
            case Op::Add:
            case Op::Sub:
            case Op::Mul: ring(); break;
            case Op::FloorDiv:
            case Op::FloorMod:
            case Op::TruncDiv:
            case Op::TruncMod: division(); break;
            case Op::Min:
            case Op::Max:
            case Op::And:
            case Op::Or:
                swapped();
                put(e_->arg(0));
                put(e_->arg(1));
                break;
            case Op::Eq:
            case Op::Ne:
            case Op::Lt:
            case Op::Le:
            case Op::Not: truth(); break;
            case Op::Select:
                put(ctx_.if_then_else(e_->arg(0), e_->arg(1), e_->arg(2)));
                put(e_->arg(1));
                put(e_->arg(2));
                break;
            case Op::IfThenElse:
                put(ctx_.select(e_->arg(0), e_->arg(1), e_->arg(2)));
                put(e_->arg(1));
                put(e_->arg(2));
                break;
            case Op::Cast:
                if (e_->arg(0)->op == Op::Cast) put(ctx_.cast(e_->type, e_->arg(0)->arg(0)));
                put(e_->arg(0));
                break;
            case Op::IntImm: constant(); break;
            default: break;
        }
        folded();
        grown();
        return std::move(out_);
    }

  private:
    void put(Expr to) {
        if (to->type == e_->type && to != e_) out_.push_back(to);
    }
    void swapped() { put(ctx_.make(e_->op, {e_->arg(1), e_->arg(0)})); }
    Expr number(Int128 v) {
        if (e_->type.is_float()) return ctx_.float_imm(e_->type, static_cast<double>(v));
        return ctx_.int_imm(e_->type, v);
    }
    static bool is_number(Expr e, int v) {
        return is_int_const(e, v) || (e->op == Op::FloatImm && e->float_value() == v);
    }

    void ring() {
        Expr a = e_->arg(0);
        Expr b = e_->arg(1);
        if (e_->op == Op::Sub) {
            if (a == b) put(number(0));  // wrong for NaN and infinities
            put(ctx_.add(a, ctx_.neg(b)));
            if (a->op == Op::Add && a->arg(1) == b) put(a->arg(0));
        } else {
            swapped();
            if (a->op == e_->op) {  // associates, but not on floats
                put(ctx_.make(e_->op, {a->arg(0), ctx_.make(e_->op, {a->arg(1), b})}));
            }
        }
        const int neutral = e_->op == Op::Mul ? 1 : 0;
        if (is_number(b, neutral)) put(a);  // x + 0.0 is wrong for -0.0
        if (is_number(a, neutral) && e_->op != Op::Sub) put(b);
        if (e_->op == Op::Mul && (is_number(a, 0) || is_number(b, 0))) put(number(0));
    }

    void division() {
        Expr x = e_->arg(0);
        Expr y = e_->arg(1);
        const bool quotient = e_->op == Op::FloorDiv || e_->op == Op::TruncDiv;
        const bool floors = e_->op == Op::FloorDiv || e_->op == Op::FloorMod;
        const Op other = quotient ? (floors ? Op::TruncDiv : Op::FloorDiv)
                                  : (floors ? Op::TruncMod : Op::FloorMod);
        put(ctx_.make(other, {x, y}));
        if (!quotient) {
            const Op div = floors ? Op::FloorDiv : Op::TruncDiv;
            put(ctx_.sub(x, ctx_.mul(ctx_.make(div, {x, y}), y)));
            put(x);
        }
        if (is_int_const(y, 1)) put(quotient ? x : number(0));
        if (x->op == Op::Add && x->arg(0)->op == Op::Mul && x->arg(0)->arg(1) == y) {
            put(quotient ? x->arg(0)->arg(0) : x->arg(1));
        }
        if (x->op == Op::Mul && x->arg(1) == y) put(quotient ? x->arg(0) : number(0));
    }

    void truth() {
        Expr a = e_->arg(0);
        if (e_->op == Op::Not) {
            if (a->op == Op::Lt) put(ctx_.le(a->arg(1), a->arg(0)));  // wrong for NaN
            if (a->op == Op::Le) put(ctx_.lt(a->arg(1), a->arg(0)));
            if (a->op == Op::Eq) put(ctx_.ne(a->arg(0), a->arg(1)));
            return;
        }
        Expr b = e_->arg(1);
        if (e_->op == Op::Lt) {
            put(ctx_.not_(ctx_.le(b, a)));
            put(ctx_.le(a, b));
        } else if (e_->op == Op::Le) {
            put(ctx_.not_(ctx_.lt(b, a)));
            put(ctx_.lt(a, b));
        } else {
            swapped();
        }
        put(ctx_.true_());
        put(ctx_.false_());
    }

    void constant() {
        if (e_->type.is_bool()) return;
        for (const Int128 v : {e_->int_value() + 1, e_->int_value() - 1}) {
            if (e_->type.contains(v)) put(ctx_.int_imm(e_->type, v));
        }
    }

    void folded() {
        if (e_->args.empty() || e_->op == Op::Load || e_->op == Op::Let ||
            e_->op == Op::CallExtern) {
            return;
        }
        std::vector<Value> values;
        for (Expr a : e_->args) {
            const auto v = constant_value(a);
            if (!v) return;
            values.push_back(*v);
        }
        const Evaluated result = eval_op(*e_, values);
        if (!result.ok()) return;
        if (Expr c = constant_expr(ctx_, e_->type, result.value)) put(c);
    }

    void grown() {
        if (e_->type.is_bool()) {
            put(ctx_.not_(ctx_.not_(e_)));
            put(ctx_.and_(e_, e_));
            return;
        }
        put(ctx_.add(e_, number(0)));  // wrong for -0.0
        put(ctx_.mul(e_, number(1)));
        put(ctx_.add(ctx_.sub(e_, number(1)), number(1)));
        if (e_->type.is_int()) {
            put(ctx_.floordiv(ctx_.mul(e_, number(2)), number(2)));  // wraps, or observes
        } else {
            put(ctx_.sub(e_, number(0)));
        }
    }

    Context& ctx_;
    Expr e_;
    std::vector<Expr> out_;
};

}  // namespace

std::vector<Expr> near_equals(Context& ctx, Expr e) {
    return NearEquals(ctx, e).run();
}

}  // namespace proviso::fuzz
