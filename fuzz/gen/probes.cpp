#include "fuzz/gen/probes.h"

namespace proviso::fuzz {

using namespace ir;

namespace {

constexpr std::int64_t kCells = 12;

class Probe {
  public:
    Probe(Context& ctx, ScalarType type) : ctx_(ctx), type_(type) {
        f_.name = "probe_" + type.str();
        for (const char* name : {"A", "B", "C"}) {
            inputs_.push_back(ctx_.buffer(name, type, {ctx_.i32(kCells)}));
            f_.params.emplace_back(inputs_.back());
        }
    }

    Function run() {
        if (type_.is_bool()) {
            put([&](Expr a, Expr b, Expr) { return ctx_.and_(a, b); });
            put([&](Expr a, Expr b, Expr) { return ctx_.or_(a, b); });
            put([&](Expr a, Expr, Expr) { return ctx_.not_(a); });
        } else {
            arithmetic();
            if (type_.is_float()) {
                floats();
            } else {
                integers();
            }
        }
        for (const Op op : {Op::Eq, Op::Ne}) binary(op);
        put([&](Expr a, Expr b, Expr c) { return ctx_.select(ctx_.eq(a, b), b, c); });
        put([&](Expr a, Expr b, Expr c) { return ctx_.if_then_else(ctx_.ne(a, b), c, a); });
        casts();
        f_.body = ctx_.seq(parts_);
        return f_;
    }

  private:
    template <typename Make>
    void put(const Make& make) {
        const std::string k = std::to_string(parts_.size());
        Expr i = ctx_.var("i" + k, kInt32);
        Expr value = make(ctx_.load(inputs_[0], {i}), ctx_.load(inputs_[1], {i}),
                          ctx_.load(inputs_[2], {i}));
        Buffer out = ctx_.buffer("Y" + k, value->type, {ctx_.i32(kCells)});
        f_.params.emplace_back(out);
        parts_.push_back(ctx_.for_(i, ctx_.i32(0), ctx_.i32(kCells), ctx_.store(out, {i}, value)));
    }
    void binary(Op op) {
        put([&](Expr a, Expr b, Expr) { return ctx_.make(op, {a, b}); });
    }

    void arithmetic() {
        for (const Op op : {Op::Add, Op::Sub, Op::Mul, Op::Min, Op::Max, Op::Lt, Op::Le}) {
            binary(op);
        }
        put([&](Expr a, Expr b, Expr c) { return ctx_.add(ctx_.mul(a, b), c); });
        put([&](Expr a, Expr, Expr) { return ctx_.neg(a); });
    }

    void floats() {
        binary(Op::Div);
        for (const MathFn fn : {MathFn::Abs, MathFn::Sqrt, MathFn::Floor, MathFn::Ceil,
                                MathFn::Trunc, MathFn::Round, MathFn::IsNan}) {
            put([&](Expr a, Expr, Expr) { return ctx_.math(fn, {a}); });
        }
    }

    void integers() {
        for (const Op op : {Op::FloorDiv, Op::FloorMod, Op::TruncDiv, Op::TruncMod}) {
            put([&](Expr a, Expr b, Expr) { return ctx_.make(op, {a, divisor(b)}); });
            put([&](Expr a, Expr, Expr) { return ctx_.make(op, {a, ctx_.int_imm(type_, 3)}); });
            put([&](Expr a, Expr, Expr) { return ctx_.make(op, {a, ctx_.int_imm(type_, 4)}); });
            if (!type_.is_signed()) continue;
            put([&](Expr a, Expr, Expr) { return ctx_.make(op, {a, ctx_.int_imm(type_, -3)}); });
        }
        for (const Op op : {Op::BitAnd, Op::BitOr, Op::BitXor}) binary(op);
        for (const Op op : {Op::Shl, Op::Shr}) {
            put([&](Expr a, Expr, Expr) { return ctx_.make(op, {a, ctx_.int_imm(type_, 2)}); });
        }
    }

    // Neither 0 nor -1, whose quotient with the least number is out of range.
    Expr divisor(Expr b) {
        Expr bad = ctx_.eq(b, ctx_.int_imm(type_, 0));
        if (type_.is_signed()) bad = ctx_.or_(bad, ctx_.eq(b, ctx_.int_imm(type_, -1)));
        return ctx_.select(bad, ctx_.int_imm(type_, 5), b);
    }

    void casts() {
        for (const ScalarType to : all_scalar_types()) {
            if (to == type_) continue;
            const bool clamps = type_.is_float() && to.is_int();
            put([&](Expr a, Expr, Expr) {
                if (!clamps) return ctx_.cast(to, a);
                const double low = to.is_signed() ? -100.0 : 0.0;
                Expr clamped =
                    ctx_.min(ctx_.float_imm(type_, 100.0), ctx_.max(ctx_.float_imm(type_, low), a));
                return ctx_.cast(to, clamped);
            });
        }
    }

    Context& ctx_;
    ScalarType type_;
    Function f_;
    std::vector<Buffer> inputs_;
    std::vector<Stmt> parts_;
};

}  // namespace

std::vector<Function> operator_probes(Context& ctx) {
    std::vector<Function> out;
    for (const ScalarType type : all_scalar_types()) out.push_back(Probe(ctx, type).run());
    return out;
}

}  // namespace proviso::fuzz
