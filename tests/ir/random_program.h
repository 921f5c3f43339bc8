// Random well-formed functions, small and odd: every operator, type and statement, in every place
// that the grammar of programs allows. For laws of the text, not for running.
#pragma once

#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "ir/children.h"
#include "ir/context.h"
#include "ir/well_formed.h"

namespace proviso::ir {

class RandomProgram {
  public:
    RandomProgram(Context& ctx, std::uint64_t seed) : ctx_(ctx), state_(seed) {}

    Function function() {
        Function f;
        f.name = "f" + std::to_string(below(3));
        for (std::uint64_t k = 1 + below(3); k > 0; --k) {
            Expr v = ctx_.var(fresh("n"), pick(all_scalar_types()));
            f.params.emplace_back(v);
            vars_.push_back(v);
        }
        for (std::uint64_t k = 1 + below(3); k > 0; --k) {
            Buffer b = buffer("A");
            f.params.insert(f.params.begin() + static_cast<std::ptrdiff_t>(below(f.params.size())),
                            Param(b));
        }
        buffers_ = f.buffer_params();
        if (one_in(3)) f.attrs["a\"\n\x01"] = attribute(3);
        if (one_in(3)) f.attrs["tir.noalias"] = AttrValue{true};
        f.body = body(4);
        return f;
    }

  private:
    // SplitMix64 (Steele, Lea, Flood 2014).
    std::uint64_t next() {
        std::uint64_t z = (state_ += 0x9e3779b97f4a7c15ULL);
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
        return z ^ (z >> 31);
    }
    std::uint64_t below(std::uint64_t n) { return next() % n; }
    bool one_in(std::uint64_t n) { return below(n) == 0; }
    template <typename T>
    const T& pick(const std::vector<T>& from) {
        return from[below(from.size())];
    }
    std::string fresh(const std::string& base) {
        const int k = counters_[base]++;
        return k == 0 ? base : base + "_" + std::to_string(k);
    }

    Annotations annotations() {
        Annotations out;
        if (one_in(5)) out["stage"] = attribute(2);
        return out;
    }

    AttrValue attribute(int depth) {
        if (one_in(8)) return AttrValue{AttrText{"T.target({\"kind\": \"llvm\"})"}};
        switch (below(depth > 0 ? 6 : 4)) {
            case 0: return AttrValue{static_cast<std::int64_t>(next())};
            case 1: return AttrValue{std::ldexp(static_cast<double>(next()), -40)};
            case 2: return AttrValue{one_in(2)};
            case 3: return AttrValue{std::string("s\\") + static_cast<char>(below(128))};
            case 4: {
                AttrValue::List list;
                for (std::uint64_t k = below(3); k > 0; --k) list.push_back(attribute(depth - 1));
                return AttrValue{std::move(list)};
            }
            default: {
                AttrValue::Dict dict;
                for (std::uint64_t k = below(3); k > 0; --k) {
                    dict["k" + std::to_string(k)] = attribute(depth - 1);
                }
                return AttrValue{std::move(dict)};
            }
        }
    }

    Buffer buffer(const std::string& base) {
        std::vector<Expr> shape;
        for (std::uint64_t k = below(3); k > 0; --k) {
            const ScalarType t = one_in(4) ? kInt64 : kInt32;
            shape.push_back(one_in(3) ? definite(t, 1)
                                      : ctx_.int_imm(t, static_cast<Int128>(below(20))));
            if (shape.back()->op == Op::IntImm && shape.back()->int_value() > 1000) {
                shape.back() = ctx_.int_imm(t, 7);
            }
            const Expr e = shape.back();  // an extent is one number as long as the buffer lives
            if (has_op(e, Op::Load) || has_op(e, Op::CallExtern) || has_op(e, Op::Undef)) {
                shape.back() = ctx_.int_imm(t, 3);
            }
            if (is_int_const(shape.back()) && shape.back()->int_value() < 0) {
                shape.back() = ctx_.int_imm(t, 0);
            }
        }
        static const std::vector<std::string> scopes = {"global", "shared", "local", "shared.dyn",
                                                        "wmma.accumulator"};
        return ctx_.buffer(fresh(base), pick(all_scalar_types()), shape, pick(scopes));
    }

    // --- expressions ---------------------------------------------------------------------------

    Expr definite(ScalarType type, int depth) {
        const bool was = std::exchange(undef_, false);
        Expr e = expr(type, depth);
        undef_ = was;
        return e;
    }
    ScalarType int_type() {
        static const std::vector<ScalarType> types = {kInt32, kInt32, kInt32,  kInt64,  kInt8,
                                                      kInt16, kUInt8, kUInt16, kUInt32, kUInt64};
        return pick(types);
    }

    Expr constant(ScalarType type) {
        if (type.is_bool()) return ctx_.bool_imm(one_in(2));
        if (type.is_float()) {
            switch (below(8)) {
                case 0: return ctx_.float_imm(type, -0.0);
                case 1: return ctx_.float_imm(type, HUGE_VAL);
                case 2: return ctx_.float_imm(type, std::numeric_limits<double>::quiet_NaN());
                case 3: return ctx_.float_imm(type, static_cast<double>(below(9)) - 4);
                default: {
                    const double any = std::ldexp(static_cast<double>(next()) - 0x1p63,
                                                  static_cast<int>(below(200)) - 160);
                    return ctx_.float_imm(type, round_to_type(type, any));
                }
            }
        }
        switch (below(6)) {
            case 0: return ctx_.int_imm(type, type.min_value());
            case 1: return ctx_.int_imm(type, type.max_value());
            case 2: return ctx_.int_imm(type, type.is_signed() ? -1 : 1);
            default: return ctx_.int_imm(type, static_cast<Int128>(below(100)));
        }
    }

    Expr leaf(ScalarType type) {
        std::vector<Expr> candidates;
        for (Expr v : vars_) {
            if (v->type == type) candidates.push_back(v);
        }
        if (undef_ && one_in(12)) return ctx_.undef(type);
        if (!candidates.empty() && !one_in(3)) return pick(candidates);
        return constant(type);
    }

    std::vector<Expr> indices(Buffer b, int depth) {
        std::vector<Expr> out;
        out.reserve(b->rank());
        for (std::size_t k = 0; k < b->rank(); ++k) out.push_back(definite(int_type(), depth));
        return out;
    }

    Expr expr(ScalarType type, int depth) {
        if (depth <= 0) return leaf(type);
        switch (below(10)) {
            case 0: return leaf(type);
            case 1: {
                const Op op = one_in(2) ? Op::Select : Op::IfThenElse;
                Expr c = definite(kBool, depth - 1);
                Expr a = expr(type, depth - 1);
                return ctx_.make(op, {c, a, expr(type, depth - 1)});
            }
            case 2: return let(type, depth);
            case 3: {
                std::vector<Buffer> candidates;
                for (Buffer b : buffers_) {
                    if (b->type == type) candidates.push_back(b);
                }
                if (candidates.empty()) return leaf(type);
                Buffer b = pick(candidates);
                return ctx_.load(b, indices(b, depth - 1));
            }
            case 4: {
                if (!calls_ || one_in(3))
                    return ctx_.cast(type, expr(pick(all_scalar_types()), depth - 1));
                std::vector<Expr> args;
                for (std::uint64_t k = below(3); k > 0; --k) {
                    args.push_back(definite(pick(all_scalar_types()), depth - 1));
                }
                return ctx_.call_extern(type, one_in(2) ? "g" : "o\"dd\\", args);
            }
            default: break;
        }
        if (type.is_bool()) return logic(depth);
        if (type.is_float()) return floating(type, depth);
        return integer(type, depth);
    }

    // Lets side by side share names; inside each other they do not.
    Expr let(ScalarType type, int depth) {
        const ScalarType bound = pick(all_scalar_types());
        Expr value = expr(bound, depth - 1);
        Expr var = ctx_.var("let" + std::to_string(lets_++), bound);
        vars_.push_back(var);
        Expr body = expr(type, depth - 1);
        vars_.pop_back();
        --lets_;
        return ctx_.let(var, value, body);
    }

    Expr binary(const std::vector<Op>& ops, ScalarType type, int depth) {
        const Op op = pick(ops);
        Expr a = expr(type, depth - 1);
        return ctx_.make(op, {a, expr(type, depth - 1)});
    }

    Expr logic(int depth) {
        switch (below(5)) {
            case 0: return ctx_.not_(expr(kBool, depth - 1));
            case 1: return binary({Op::Eq, Op::Ne}, pick(all_scalar_types()), depth);
            case 2:
                return binary({Op::Eq, Op::Ne, Op::Lt, Op::Le}, one_in(3) ? kFloat32 : int_type(),
                              depth);
            case 3:
                return one_in(4) ? ctx_.math(MathFn::IsNan, {expr(kFloat32, depth - 1)})
                                 : binary({Op::And, Op::Or}, kBool, depth);
            default: return binary({Op::And, Op::Or}, kBool, depth);
        }
    }

    Expr integer(ScalarType type, int depth) {
        if (one_in(6)) return ctx_.neg(expr(type, depth - 1));
        if (one_in(12)) return ctx_.math(MathFn::Abs, {expr(type, depth - 1)});
        return binary(
            {Op::Add, Op::Sub, Op::Mul, Op::FloorDiv, Op::FloorMod, Op::TruncDiv, Op::TruncMod,
             Op::Min, Op::Max, Op::BitAnd, Op::BitOr, Op::BitXor, Op::Shl, Op::Shr},
            type, depth);
    }

    Expr floating(ScalarType type, int depth) {
        if (one_in(6)) return ctx_.neg(expr(type, depth - 1));
        if (one_in(3)) {
            const auto fn = static_cast<MathFn>(below(kMathFnCount));
            if (fn == MathFn::IsNan) return leaf(type);
            std::vector<Expr> args;
            for (int k = math_fn_info(fn).arity; k > 0; --k) args.push_back(expr(type, depth - 1));
            return ctx_.math(fn, args);
        }
        return binary({Op::Add, Op::Sub, Op::Mul, Op::Div, Op::Min, Op::Max}, type, depth);
    }

    // --- statements ----------------------------------------------------------------------------

    Expr value(ScalarType type) {
        undef_ = true;
        Expr e = expr(type, 3);
        undef_ = false;
        return e;
    }
    ScalarType loop_type() { return one_in(3) ? kInt64 : kInt32; }

    // Restores what is in scope after a body.
    template <typename F>
    Stmt scoped(F&& make) {
        const std::size_t vars = vars_.size();
        const std::size_t buffers = buffers_.size();
        Stmt out = make();
        vars_.resize(vars);
        buffers_.resize(buffers);
        return out;
    }

    Stmt body(int depth) {
        std::vector<Stmt> parts;
        for (std::uint64_t k = below(4); k > 0; --k) parts.push_back(statement(depth));
        return ctx_.seq(parts);
    }

    Stmt statement(int depth) {
        switch (below(depth > 0 ? 10 : 4)) {
            case 0: return ctx_.stmt(Evaluate{definite(pick(all_scalar_types()), 2)});
            case 1: return assertion();
            case 2:
            case 3: {
                Buffer b = pick(buffers_);
                std::vector<Expr> at = indices(b, 2);
                return ctx_.store(b, at, value(b->type));
            }
            case 4:
            case 5: return scoped([&] { return loop(depth); });
            case 6: {
                Expr c = definite(kBool, 2);
                Stmt yes = body(depth - 1);
                return ctx_.if_(c, yes, one_in(2) ? body(depth - 1) : nullptr);
            }
            case 7:
                return scoped([&] {
                    const ScalarType t = pick(all_scalar_types());
                    Expr v = value(t);
                    Expr var = ctx_.var(fresh("x"), t);
                    vars_.push_back(var);
                    return ctx_.stmt(LetStmt{var, v, body(depth - 1)});
                });
            case 8:
                return scoped([&] {
                    Buffer b = buffer("X");
                    buffers_.push_back(b);
                    return ctx_.stmt(Allocate{b, body(depth - 1)});
                });
            default: return scoped([&] { return block(depth); });
        }
    }

    template <typename Make>
    auto claimed(const Make& make) {
        calls_ = false;
        auto out = make();
        calls_ = true;
        return out;
    }

    Stmt assertion() {
        if (one_in(2)) return ctx_.stmt(Assert{definite(kBool, 2), one_in(2) ? "" : "a \"b\"\t\\"});
        return claimed([&] {
            Expr cond = definite(kBool, 2);
            Buffer b = pick(buffers_);
            if (one_in(2)) {
                Expr cell = ctx_.load(b, indices(b, 1));
                cond = ctx_.or_(cond, ctx_.eq(cell, ctx_.undef(b->type)));
            }
            return ctx_.stmt(Assume{cond});
        });
    }

    Stmt loop(int depth) {
        const ScalarType t = loop_type();
        Expr lo = one_in(2) ? ctx_.int_imm(t, 0) : definite(t, 2);
        Expr hi = definite(t, 2);
        auto kind = static_cast<ForKind>(below(5));
        Expr var = ctx_.var(fresh("i"), t);
        vars_.push_back(var);
        std::string tag = kind == ForKind::ThreadBinding ? pick(thread_tags()) : "";
        // No text has a loop over the threads of a loop around it.
        const bool fresh_tag = tag.empty() || tags_.insert(tag).second;
        if (!fresh_tag) {
            kind = ForKind::Parallel;
            tag.clear();
        }
        Stmt inside = body(depth - 1);
        tags_.erase(tag);
        return ctx_.stmt(For{var, lo, hi, kind, tag, inside, annotations()});
    }

    std::vector<BufferRegion> regions() {
        std::vector<BufferRegion> out;
        for (std::uint64_t k = below(3); k > 0; --k) {
            BufferRegion r{pick(buffers_), {}};
            for (std::size_t d = 0; d < r.buffer->rank(); ++d) {
                const ScalarType t = loop_type();
                Expr lo = definite(t, 1);
                Expr hi = one_in(2) ? definite(t, 1) : ctx_.add(lo, ctx_.int_imm(t, 1));
                r.ranges.emplace_back(lo, hi);
            }
            out.push_back(std::move(r));
        }
        return out;
    }

    Stmt block(int depth) {
        Block b;
        b.name = one_in(4) ? "" : "blk";
        b.predicate = one_in(2) ? ctx_.true_() : definite(kBool, 2);
        for (std::uint64_t k = below(3); k > 0; --k) {
            const ScalarType t = loop_type();
            Expr lo = one_in(2) ? ctx_.int_imm(t, 0) : claimed([&] { return definite(t, 1); });
            Expr hi = claimed([&] { return definite(t, 1); });
            Expr binding = definite(t, 2);
            b.iters.push_back(BlockIter{ctx_.var(fresh("v"), t), lo, hi, binding,
                                        static_cast<IterKind>(below(3))});
        }
        for (const BlockIter& it : b.iters) vars_.push_back(it.var);
        if (one_in(2)) b.reads = claimed([&] { return regions(); });
        if (one_in(2)) b.writes = claimed([&] { return regions(); });
        b.annotations = annotations();
        if (one_in(3)) b.init = scoped([&] { return body(depth - 1); });
        b.body = scoped([&] { return body(depth - 1); });
        return ctx_.stmt(std::move(b));
    }

    Context& ctx_;
    std::uint64_t state_;
    std::map<std::string, int> counters_;
    std::vector<Expr> vars_;
    std::set<std::string> tags_;  // of the loops around this place
    std::vector<Buffer> buffers_;
    int lets_ = 0;
    bool undef_ = false;
    bool calls_ = true;  // not in claims
};

}  // namespace proviso::ir
