#include "fuzz/gen/questions.h"

#include <fmt/format.h>

#include <limits>

#include "ir/text.h"

namespace proviso::fuzz {

using namespace ir;

namespace {

ScalarType some_kind(Choice& c) {
    static const std::vector<int> weights = {38, 10, 10, 10, 3, 3, 3, 4, 8, 3, 3, 3};
    static const std::vector<ScalarType> kinds = {kInt32,   kInt64,   kInt8,     kUInt8,
                                                  kInt16,   kUInt16,  kUInt32,   kUInt64,
                                                  kFloat32, kFloat16, kBFloat16, kFloat64};
    return kinds[c.weighted(weights)];
}

Int128 some_int(Choice& c, ScalarType type) {
    switch (c.between(0, 9)) {
        case 0: return type.min_value() + c.between(0, 2);
        case 1: return type.max_value() - c.between(0, 2);
        case 2:
            if (type.bits > 16) return c.between(0, 1) == 0 ? 1000 : 65536;
            return 100;
        case 3: return type.is_signed() ? -c.between(1, 9) : c.between(1, 9);
        case 4: return Int128{1} << c.between(0, 6);
        default: return c.between(0, 12);
    }
}

double some_float(Choice& c, ScalarType type) {
    static const double values[] = {0.0,
                                    -0.0,
                                    1.0,
                                    -1.0,
                                    0.5,
                                    2.0,
                                    3.25,
                                    1e30,
                                    -7.0,
                                    std::numeric_limits<double>::infinity(),
                                    -std::numeric_limits<double>::infinity(),
                                    std::numeric_limits<double>::quiet_NaN(),
                                    1e-40,
                                    65504.0};
    return round_to_type(type, values[c.between(0, 13)]);
}

class Maker {
  public:
    Maker(Context& ctx, Choice& c) : ctx_(ctx), c_(c) {}

    Question make() {
        q_.kind = some_kind(c_);
        q_.small = q_.kind.bits == 8 && c_.chance(70);
        static const char* names[] = {"a", "b", "c", "d"};
        const int count = q_.small ? 1 : static_cast<int>(c_.between(1, 4));
        for (int i = 0; i < count; ++i) numbers_.push_back(ctx_.var(names[i], q_.kind));
        q_.vars = numbers_;
        for (const char* name : {"p", "q"}) q_.vars.push_back(ctx_.var(name, kBool));
        q_.buffer = ctx_.buffer("A", q_.kind, {ctx_.i32(kCells)});
        memory_ = !q_.small && c_.chance(25);
        facts();
        const bool index = q_.kind.is_int() && c_.chance(50);
        const int depth = static_cast<int>(c_.between(1, index ? 3 : 5));
        if (index) {
            q_.expr = c_.chance(70) ? index_value(depth) : comparison(depth, true);
        } else {
            q_.expr = c_.chance(65) ? number(depth) : truth(depth);
        }
        return std::move(q_);
    }

  private:
    Expr constant() { return constant_of(q_.kind); }
    Expr constant_of(ScalarType type) {
        if (type.is_float()) return ctx_.float_imm(type, some_float(c_, type));
        return ctx_.int_imm(type, some_int(c_, type));
    }
    Expr literal(Int128 v) { return ctx_.int_imm(q_.kind, v); }
    Expr variable() { return c_.pick(numbers_); }

    // --- shapes of index arithmetic

    Expr extent() { return literal(c_.pick({2, 3, 4, 4, 6, 8, 12, 16, 5, 7})); }
    Expr index_leaf() {
        if (memory_ && c_.chance(10)) return load();
        return c_.chance(85) ? variable() : literal(c_.between(0, 9));
    }
    Expr index_value(int depth) {
        if (depth == 0) return index_leaf();
        switch (c_.between(0, 11)) {
            case 0:
            case 1:
            case 2: {
                Expr out = index_value(depth - 1);
                const int more = static_cast<int>(c_.between(1, 3));
                for (int i = 0; i < more; ++i) {
                    Expr t = index_value(depth - 1);
                    if (c_.chance(60)) t = ctx_.mul(t, extent());
                    out = c_.chance(75) ? ctx_.add(out, t) : ctx_.sub(out, t);
                }
                return out;
            }
            case 3: return ctx_.mul(index_value(depth - 1), extent());
            case 4:
            case 5: return ctx_.floordiv(index_value(depth - 1), divisor());
            case 6:
            case 7: return ctx_.floormod(index_value(depth - 1), divisor());
            case 8: return digits(depth);
            case 9:
                return ctx_.make(
                    c_.pick({Op::Min, Op::Max, Op::Min, Op::Max, Op::TruncDiv, Op::TruncMod}),
                    {index_value(depth - 1), index_value(depth - 1)});
            case 10:
                return ctx_.make(
                    c_.chance(50) ? Op::Select : Op::IfThenElse,
                    {comparison(depth - 1, true), index_value(depth - 1), index_value(depth - 1)});
            default: return ctx_.mul(index_value(depth - 1), variable());
        }
    }
    Expr divisor() { return c_.chance(88) ? extent() : variable(); }
    // Digits of one number, scaled and added in some order; now and then one is wrong.
    Expr digits(int depth) {
        Expr x = index_value(depth - 1);
        const Int128 radix = c_.pick({2, 3, 4});
        const Int128 second = c_.pick({2, 3, 4});
        std::vector<Expr> parts = {
            ctx_.mul(ctx_.floordiv(x, literal(radix * second)), literal(radix * second)),
            ctx_.mul(ctx_.floormod(ctx_.floordiv(x, literal(radix)), literal(second)),
                     literal(radix)),
            ctx_.floormod(x, literal(c_.chance(90) ? radix : radix + 1))};
        if (c_.chance(20)) parts.pop_back();
        Expr out = nullptr;
        while (!parts.empty()) {
            const auto at = static_cast<std::ptrdiff_t>(c_.next() % parts.size());
            out = out == nullptr ? parts[static_cast<std::size_t>(at)]
                                 : ctx_.add(out, parts[static_cast<std::size_t>(at)]);
            parts.erase(parts.begin() + at);
        }
        return out;
    }
    Expr comparison(int depth, bool index) {
        const int d = std::max(depth - 1, 0);
        Expr a = index ? index_value(d) : number(d);
        Expr b = c_.chance(50) ? constant() : index ? index_value(d) : number(d);
        if (c_.chance(15)) std::swap(a, b);
        return ctx_.make(c_.pick({Op::Lt, Op::Le, Op::Eq, Op::Ne}), {a, b});
    }

    // --- anything

    Expr load() {
        Expr at = c_.chance(60)
                      ? ctx_.i32(c_.between(0, kCells - 1))
                      : ctx_.floormod(ctx_.cast(kInt32, variable_for_index()), ctx_.i32(kCells));
        return ctx_.load(q_.buffer, {at});
    }
    Expr variable_for_index() {
        return q_.kind.is_int() ? variable() : ctx_.i32(c_.between(0, 20));
    }
    Expr leaf() {
        if (memory_ && c_.chance(15)) return c_.chance(80) ? load() : ctx_.undef(q_.kind);
        return c_.chance(70) ? variable() : constant();
    }
    Expr number(int depth) {
        if (depth == 0) return leaf();
        const auto arg = [&] { return number(depth - 1); };
        const int pick = static_cast<int>(c_.between(0, 19));
        if (pick == 0) return leaf();
        if (pick == 1) return ctx_.neg(arg());
        if (pick == 2) return ctx_.select(truth(depth - 1), arg(), arg());
        if (pick == 3) return ctx_.if_then_else(truth(depth - 1), arg(), arg());
        if (pick == 4) return converted(depth);
        if (pick == 5) return let(depth);
        if (pick == 6) return math(depth);
        if (q_.kind.is_float()) {
            return ctx_.make(c_.pick({Op::Add, Op::Sub, Op::Mul, Op::Div, Op::Min, Op::Max}),
                             {arg(), c_.chance(35) ? constant() : arg()});
        }
        if (pick == 7 || pick == 8) {
            const Op op = c_.pick({Op::BitAnd, Op::BitOr, Op::BitXor, Op::Shl, Op::Shr});
            const bool shift = op == Op::Shl || op == Op::Shr;
            return ctx_.make(op, {arg(), shift ? literal(c_.between(0, 8))
                                               : (c_.chance(50) ? constant() : arg())});
        }
        return ctx_.make(
            c_.pick({Op::Add, Op::Add, Op::Sub, Op::Sub, Op::Mul, Op::Mul, Op::FloorDiv,
                     Op::FloorMod, Op::TruncDiv, Op::TruncMod, Op::Min, Op::Max}),
            {arg(), c_.chance(45) ? constant() : arg()});
    }
    Expr converted(int depth) {
        static const std::vector<ScalarType> types = {kInt32, kInt64,  kInt8,   kUInt8,
                                                      kInt16, kUInt32, kUInt64, kFloat32};
        if (c_.chance(20)) return ctx_.cast(q_.kind, truth(depth - 1));
        const ScalarType through = c_.pick(types);
        return ctx_.cast(q_.kind, ctx_.cast(through, number(depth - 1)));
    }
    // Values of names read no memory: which value freezing gives is not comparable.
    Expr let(int depth) {
        const bool memory = memory_;
        memory_ = false;
        Expr value = number(depth - 1);
        memory_ = memory;
        Expr var = ctx_.var(fmt::format("t{}", lets_++), q_.kind);
        numbers_.push_back(var);
        Expr body = number(depth - 1);
        numbers_.pop_back();
        return ctx_.let(var, value, body);
    }
    Expr math(int depth) {
        if (!q_.kind.is_float()) return ctx_.math(MathFn::Abs, {number(depth - 1)});
        return ctx_.math(c_.pick({MathFn::Abs, MathFn::Sqrt, MathFn::Floor, MathFn::Ceil,
                                  MathFn::Trunc, MathFn::Round}),
                         {number(depth - 1)});
    }
    Expr truth(int depth) {
        if (depth == 0 || c_.chance(10)) {
            if (c_.chance(80)) return q_.vars[q_.vars.size() - (c_.chance(50) ? 1 : 2)];
            return ctx_.bool_imm(c_.chance(50));
        }
        switch (c_.between(0, 7)) {
            case 0: return ctx_.not_(truth(depth - 1));
            case 1: return ctx_.and_(truth(depth - 1), truth(depth - 1));
            case 2: return ctx_.or_(truth(depth - 1), truth(depth - 1));
            case 3:
                return ctx_.make(c_.pick({Op::Eq, Op::Ne}), {truth(depth - 1), truth(depth - 1)});
            case 4:
                return ctx_.make(c_.pick({Op::Select, Op::IfThenElse}),
                                 {truth(depth - 1), truth(depth - 1), truth(depth - 1)});
            default: return comparison(depth, q_.kind.is_int() && c_.chance(50));
        }
    }

    // --- facts

    void facts() {
        if (c_.chance(25)) return;
        if (q_.kind.is_int()) {
            for (Expr v : numbers_) {
                if (!c_.chance(70)) continue;
                const Int128 lo = c_.chance(75) ? 0 : some_int(c_, q_.kind);
                const Int128 hi = lo + c_.pick({1, 2, 3, 4, 6, 8, 12, 16, 24, 64, 100});
                if (c_.chance(90)) q_.facts.push_back(ctx_.le(literal(lo), v));
                if (q_.kind.contains(hi) && c_.chance(90)) {
                    q_.facts.push_back(ctx_.lt(v, literal(hi)));
                }
            }
        }
        if (c_.chance(35)) q_.facts.push_back(comparison(1, q_.kind.is_int()));
        if (c_.chance(15) && q_.kind.is_int()) {
            q_.facts.push_back(
                ctx_.eq(ctx_.floormod(variable(), extent()), literal(c_.between(0, 2))));
        }
        if (c_.chance(20) && numbers_.size() > 1) {
            q_.facts.push_back(ctx_.lt(numbers_[0], numbers_[1]));
        }
        if (c_.chance(10)) q_.facts.push_back(truth(1));
        if (memory_ && c_.chance(30)) {
            q_.facts.push_back(ctx_.le(load(), constant()));
        }
    }

    Context& ctx_;
    Choice& c_;
    Question q_;
    std::vector<Expr> numbers_;
    bool memory_ = false;
    int lets_ = 0;
};

// The constant ends that facts of the shapes `c <= v` and `v < c` give a variable.
std::pair<Int128, Int128> ends_of(const Question& q, Expr v) {
    Int128 lo = v->type.min_value();
    Int128 hi = v->type.max_value();
    for (Expr f : q.facts) {
        if (f->op != Op::Le && f->op != Op::Lt) continue;
        const Int128 strict = f->op == Op::Lt ? 1 : 0;
        if (f->arg(1) == v && is_int_const(f->arg(0))) {
            lo = std::max(lo, f->arg(0)->int_value() + strict);
        }
        if (f->arg(0) == v && is_int_const(f->arg(1))) {
            hi = std::min(hi, f->arg(1)->int_value() - strict);
        }
    }
    return {lo, hi};
}

}  // namespace

Question generate_question(Context& ctx, Choice& choice) {
    return Maker(ctx, choice).make();
}

Sampler::Sampler(const Question& q, std::uint64_t seed) : q_(q), choice_(seed) {
    cells_.resize(kCells);
    env_.seed = seed;
    env_.load = [this](Expr, std::span<const Value> at) -> Evaluated {
        if (at[0].is_indet()) return FaultKind::IndetUse;
        const auto i = at[0].integer().to_int128();
        if (!i || *i < 0 || *i >= kCells) return FaultKind::OutOfBounds;
        return cells_[static_cast<std::size_t>(*i)];
    };
}

Value Sampler::value_of(Expr var) {
    const ScalarType type = var->type;
    if (type.is_bool()) return Value::of_bool(choice_.chance(50));
    if (type.is_float()) return Value::of_float(type, some_float(choice_, type));
    const auto [lo, hi] = ends_of(q_, var);
    if (lo > hi || choice_.chance(10)) {
        const Int128 v = some_int(choice_, type);
        return Value::of_int(Integer(type.contains(v) ? v : 0));
    }
    // Near an end, or anywhere in a range of ordinary size.
    const Int128 span = std::min<Int128>(hi - lo, 200);
    const Int128 offset = choice_.between(0, static_cast<std::int64_t>(span));
    if (hi - lo > span && lo < -span && hi > span && choice_.chance(70)) {
        return Value::of_int(Integer(offset - span / 2));
    }
    return Value::of_int(Integer(choice_.chance(50) ? lo + offset : hi - offset));
}

const Environment& Sampler::next() {
    for (Expr v : q_.vars) env_.vars[v] = value_of(v);
    Expr cell = q_.vars[0];
    for (Value& v : cells_) v = choice_.chance(12) ? Value::indet() : value_of(cell);
    return env_;
}

const Environment& Sampler::with(Int128 value) {
    env_.vars[q_.vars[0]] = Value::of_int(Integer(value));
    return env_;
}

std::string Sampler::str() const {
    std::string out;
    for (Expr v : q_.vars) {
        out += fmt::format("{}{} = {}", out.empty() ? "" : ", ", *v->name,
                           env_.vars.at(v).str(v->type));
    }
    for (std::size_t i = 0; i < cells_.size(); ++i) {
        out += fmt::format(", A[{}] = {}", i, cells_[i].str(q_.buffer->type));
    }
    return out;
}

}  // namespace proviso::fuzz
