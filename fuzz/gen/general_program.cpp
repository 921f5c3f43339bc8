#include "fuzz/gen/general_program.h"

#include <algorithm>
#include <functional>
#include <set>

#include "analysis/facts/path.h"
#include "fuzz/gen/general_values.h"
#include "ir/children.h"
#include "ir/well_formed.h"

namespace proviso::fuzz {

using namespace ir;

namespace {

class GeneralGen {
  public:
    GeneralGen(Context& ctx, Choice& choice)
        : ctx_(ctx), choice_(choice), values_(ctx, choice, names_) {}

    GeneratedProgram run() {
        names_ = {"general"};
        out_.function.name = "general";
        index_type_ = choice_.chance(88) ? kInt32 : kInt64;
        GeneralScope scope;
        Stmt first = size_parameter(scope);
        const auto parameters = choice_.between(2, 4);
        for (std::int64_t k = 0; k < parameters; ++k) {
            Buffer b = buffer(std::string(1, static_cast<char>('A' + k)), scope, "global");
            out_.function.params.emplace_back(b);
            scope.buffers.push_back(b);
            if (b->type.is_int()) out_.ranges[b->name] = range_of(b->type);
        }
        Stmt body = list(scope, 3, choice_.between(1, 4));
        out_.function.body = ctx_.seq({first, body});
        std::sort(out_.features.begin(), out_.features.end());
        out_.features.erase(std::unique(out_.features.begin(), out_.features.end()),
                            out_.features.end());
        return std::move(out_);
    }

  private:
    void has(const char* feature) { out_.features.emplace_back(feature); }

    // Cells of some inputs are small, of others anything.
    CellRange range_of(ScalarType type) {
        if (choice_.chance(50)) return {type.is_signed() ? -4 : 0, 9};
        return {type.min_value(), type.max_value()};
    }

    // n, with declared bounds or with a check.
    Stmt size_parameter(GeneralScope& scope) {
        if (!choice_.chance(45)) return ctx_.pass();
        names_.insert("n");
        size_ = ctx_.var("n", index_type_);
        out_.function.params.emplace_back(size_);
        scope.variables.push_back({size_, nullptr, nullptr});
        if (choice_.chance(60)) {
            const std::int64_t lo = choice_.between(0, 3);
            out_.function.attrs[kLowerBoundAttr].value = AttrValue::Dict{{"n", AttrValue{lo}}};
            out_.function.attrs[kUpperBoundAttr].value =
                AttrValue::Dict{{"n", AttrValue{choice_.between(lo, 6)}}};
            return ctx_.pass();
        }
        has("assert");
        return ctx_.stmt(
            Assert{ctx_.lt(ctx_.int_imm(index_type_, choice_.between(-1, 2)), size_), "positive"});
    }

    ScalarType element_type() {
        static const std::vector<ScalarType> types = {kInt32, kInt64,   kInt8, kUInt8,
                                                      kInt16, kFloat32, kBool};
        return types[choice_.weighted({45, 8, 8, 7, 5, 22, 5})];
    }

    Expr extent(const GeneralScope& scope, bool inside) {
        if (inside && choice_.chance(45)) {
            for (const auto& v : scope.variables) {
                const bool counts = v.lo != nullptr && is_int_const(v.lo) && v.lo->int_value() >= 0;
                if (!counts || v.var->type != index_type_ || choice_.chance(30)) continue;
                has("extent over a loop variable");
                return ctx_.add(v.var, ctx_.int_imm(index_type_, choice_.between(1, 2)));
            }
        }
        if (size_ != nullptr && choice_.chance(40)) return size_;
        return ctx_.int_imm(index_type_, choice_.between(1, 4));
    }

    Buffer buffer(const std::string& base, const GeneralScope& scope, const char* where) {
        const bool inside = base.size() > 1;
        const std::size_t rank = choice_.weighted({4, 72, 24});
        std::vector<Expr> shape;
        for (std::size_t d = 0; d < rank; ++d) shape.push_back(extent(scope, inside));
        return ctx_.buffer(fresh_name(base, names_), element_type(), shape, where);
    }

    Stmt list(const GeneralScope& scope, int depth, std::int64_t count) {
        std::vector<Stmt> out;
        for (std::int64_t k = 0; k < count; ++k) out.push_back(statement(scope, depth));
        return ctx_.seq(out);
    }

    Stmt statement(const GeneralScope& scope, int depth) {
        const int deep = depth > 0 ? 1 : 0;
        switch (choice_.weighted(
            {30, 24 * deep, 14 * deep, 7 * deep, 7 * deep, 3, 7, 5, 9 * deep, 5 * deep, 2})) {
            case 1: return loop(scope, depth);
            case 2: return branch(scope, depth);
            case 3: return let(scope, depth);
            case 4: return allocation(scope, depth);
            case 5: return check(scope);
            case 6: return assumption(scope);
            case 7: return evaluation(scope);
            case 8: return block(scope, depth);
            case 9: return concurrent(scope);
            case 10: return ctx_.pass();
            default: return store(scope);
        }
    }

    Stmt store(const GeneralScope& scope) {
        Buffer b = choice_.pick(scope.buffers);
        const std::vector<Expr> at = values_.indices(scope, b);
        Expr v = values_.value(scope, b->type, 2);
        if (scope.undefs && choice_.chance(12)) v = ctx_.undef(b->type);
        if (choice_.chance(15)) {
            v = b->type.is_bool() ? ctx_.or_(ctx_.load(b, at), v) : ctx_.add(ctx_.load(b, at), v);
        }
        return ctx_.store(b, at, v);
    }

    Stmt loop(const GeneralScope& scope, int depth) {
        Expr v = ctx_.var(fresh_name("i", names_), index_type_);
        Expr lo = ctx_.int_imm(index_type_, choice_.chance(80) ? 0 : choice_.between(-1, 2));
        Expr hi = choice_.chance(30) && size_ != nullptr
                      ? size_
                      : ctx_.int_imm(index_type_, choice_.between(1, 5));
        if (choice_.chance(6)) hi = values_.value(scope, index_type_, 1);
        GeneralScope inner = scope;
        inner.variables.push_back({v, lo, hi});
        return ctx_.for_(v, lo, hi, list(inner, depth - 1, choice_.weighted({70, 25, 5}) + 1),
                         choice_.chance(5) ? ForKind::Unrolled : ForKind::Serial);
    }

    // Each iteration has its own cells.
    Stmt concurrent(const GeneralScope& scope) {
        has("concurrent loop");
        std::vector<Buffer> targets;
        for (Buffer b : scope.buffers) {
            const bool indexed = b->rank() > 0 && b->shape[0]->type == index_type_;
            if (indexed && is_int_const(b->shape[0])) targets.push_back(b);
        }
        if (targets.empty()) return store(scope);
        Buffer b = choice_.pick(targets);
        Expr v = ctx_.var(fresh_name("p", names_), index_type_);
        Expr zero = ctx_.int_imm(index_type_, 0);
        GeneralScope inner = scope;
        std::erase(inner.buffers, b);
        inner.calls = false;
        inner.variables.push_back({v, zero, b->shape[0]});
        std::vector<Expr> at = values_.indices(inner, b);
        at[0] = v;
        Expr value = values_.value(inner, b->type, 2);
        if (choice_.chance(40) && !b->type.is_bool()) value = ctx_.add(ctx_.load(b, at), value);
        Stmt body = ctx_.store(b, at, value);
        if (choice_.chance(30)) body = ctx_.if_(values_.likely(inner, 1), body);
        const ForKind kind =
            choice_.pick({ForKind::Parallel, ForKind::Parallel, ForKind::Vectorized});
        return ctx_.for_(v, zero, b->shape[0], body, kind);
    }

    Stmt branch(const GeneralScope& scope, int depth) {
        GeneralScope defined = scope;
        if (choice_.chance(85)) defined.undefs = false;
        Expr c = values_.value(defined, kBool, 2);
        if (choice_.chance(12) && scope.calls) {
            has("opaque call in a condition");
            c = ctx_.lt(ctx_.int_imm(kInt32, 0), values_.call(scope, kInt32));
        }
        Stmt then_body =
            choice_.chance(12) ? ctx_.pass() : list(scope, depth - 1, choice_.between(1, 2));
        if (!choice_.chance(35)) return ctx_.if_(c, then_body);
        return ctx_.if_(c, then_body, list(scope, depth - 1, 1));
    }

    Stmt let(const GeneralScope& scope, int depth) {
        const ScalarType type = choice_.chance(60) ? kInt32 : element_type();
        Expr v = ctx_.var(fresh_name("x", names_), type);
        GeneralScope inner = scope;
        inner.variables.push_back({v, nullptr, nullptr});
        return ctx_.stmt(LetStmt{v, values_.value(scope, type, 2),
                                 list(inner, depth - 1, choice_.between(1, 2))});
    }

    Stmt allocation(const GeneralScope& scope, int depth) {
        Buffer b = buffer("tmp", scope, choice_.chance(50) ? "local" : "global");
        GeneralScope inner = scope;
        inner.buffers.push_back(b);
        inner.buffers.push_back(b);  // twice as often as others
        std::vector<Stmt> parts;
        if (choice_.chance(70)) parts.push_back(fill(inner, b));
        parts.push_back(list(inner, depth - 1, choice_.between(1, 2)));
        return ctx_.stmt(Allocate{b, ctx_.seq(parts)});
    }

    // Every cell, one after the other.
    Stmt fill(const GeneralScope& scope, Buffer b) {
        GeneralScope inner = scope;
        std::erase(inner.buffers, b);
        std::vector<Expr> at;
        for (Expr extent : b->shape) {
            at.push_back(ctx_.var(fresh_name("f", names_), extent->type));
            inner.variables.push_back({at.back(), ctx_.int_imm(extent->type, 0), extent});
        }
        Stmt out = ctx_.store(b, at, values_.value(inner, b->type, 1));
        for (std::size_t d = at.size(); d-- > 0;) {
            out = ctx_.for_(at[d], ctx_.int_imm(at[d]->type, 0), b->shape[d], out);
        }
        return out;
    }

    Stmt check(const GeneralScope& scope) {
        has("assert");
        return ctx_.stmt(Assert{values_.likely(scope, 1), choice_.chance(50) ? "one" : "other"});
    }

    Stmt assumption(const GeneralScope& scope) {
        GeneralScope quiet = scope;
        quiet.calls = false;
        if (!choice_.chance(40)) return ctx_.stmt(Assume{values_.likely(quiet, 1)});
        has("permission");
        Buffer b = choice_.pick(scope.buffers);
        quiet.undefs = false;
        Expr cell = ctx_.load(b, values_.indices(quiet, b));
        Expr permission = ctx_.eq(cell, ctx_.undef(b->type));
        if (choice_.chance(60)) permission = ctx_.or_(values_.likely(quiet, 1), permission);
        return ctx_.stmt(Assume{permission});
    }

    Stmt evaluation(const GeneralScope& scope) {
        has("evaluate");
        const ScalarType type = choice_.chance(70) ? kInt32 : element_type();
        if (scope.calls && choice_.chance(35))
            return ctx_.stmt(Evaluate{values_.call(scope, type)});
        return ctx_.stmt(Evaluate{values_.value(scope, type, 2)});
    }

    Stmt block(const GeneralScope& scope, int depth) {
        has("block");
        Block b;
        b.name = fresh_name("blk", names_);
        GeneralScope inner = scope;
        std::vector<LoopOver> loops;
        const auto count = choice_.between(1, 2);
        bool reduces = false;
        for (std::int64_t k = 0; k < count; ++k) {
            Expr hi = size_ != nullptr && choice_.chance(25)
                          ? size_
                          : ctx_.int_imm(index_type_, choice_.between(1, 4));
            Expr zero = ctx_.int_imm(index_type_, 0);
            loops.push_back({ctx_.var(fresh_name("b", names_), index_type_), hi});
            Expr iter = ctx_.var(fresh_name("v", names_), index_type_);
            const bool reduce = k == 1 && choice_.chance(50);
            reduces |= reduce;
            b.iters.push_back(BlockIter{iter, zero, hi, loops.back().var,
                                        reduce ? IterKind::Reduce : IterKind::Spatial});
            inner.variables.push_back({iter, zero, hi});
        }
        GeneralScope outside = scope;
        outside.undefs = outside.calls = false;
        for (const LoopOver& l : loops) {
            outside.variables.push_back({l.var, ctx_.int_imm(index_type_, 0), l.hi});
        }
        b.predicate = choice_.chance(35) ? values_.value(outside, kBool, 1) : ctx_.true_();
        if (reduces && choice_.chance(70)) b.init = store(inner);
        b.body = list(inner, depth - 1, choice_.weighted({80, 20}) + 1);
        if (choice_.chance(40)) claim_regions(b);
        Stmt out = ctx_.stmt(b);
        for (std::size_t k = loops.size(); k-- > 0;) {
            out = ctx_.for_(loops[k].var, start(scope, loops[k].hi), loops[k].hi, out);
        }
        return out;
    }

    // Where a loop up to `hi` begins: 0, or now and then what a cell says.
    Expr start(const GeneralScope& scope, Expr hi) {
        Expr zero = ctx_.int_imm(index_type_, 0);
        if (!choice_.chance(12)) return zero;
        GeneralScope quiet = scope;
        quiet.calls = quiet.undefs = false;
        return ctx_.min(ctx_.max(values_.value(quiet, index_type_, 0), zero), hi);
    }

    struct LoopOver {
        Expr var;
        Expr hi;
    };

    // What the block surely reads: of loads in arms that are evaluated only where they are needed,
    // some are left out, so that the claim holds as long as nobody makes them unconditional.
    void claim_regions(Block& b) {
        has("claimed region");
        std::set<Expr> iters;
        for (const BlockIter& it : b.iters) iters.insert(it.var);
        const auto whole = [&](std::span<const Expr> at) {
            return std::all_of(at.begin(), at.end(), [&](Expr i) {
                const std::vector<Expr> vars = free_vars(i);
                const bool plain = !has_op(i, Op::Load) && !has_op(i, Op::CallExtern) &&
                                   !has_op(i, Op::Let) && !has_op(i, Op::Undef);
                return plain && std::all_of(vars.begin(), vars.end(), [&](Expr v) {
                           return iters.count(v) != 0 || v == size_;
                       });
            });
        };
        std::vector<BufferRegion> reads;
        bool speaks_of_all = true;
        std::function<void(Expr, bool)> visit = [&](Expr e, bool lazy) {
            const bool chooses = e->op == Op::IfThenElse || e->op == Op::And || e->op == Op::Or;
            for (std::size_t k = 0; k < e->args.size(); ++k)
                visit(e->arg(k), lazy || (chooses && k > 0));
            if (e->op != Op::Load || (lazy && choice_.chance(50))) return;
            speaks_of_all &= whole(e->args);
            BufferRegion r{e->buffer, {}};
            for (Expr i : e->args) r.ranges.emplace_back(i, ctx_.add(i, ctx_.int_imm(i->type, 1)));
            if (std::find(reads.begin(), reads.end(), r) == reads.end()) reads.push_back(r);
        };
        for_each_expr(b.body, [&](Expr e) { visit(e, false); });
        if (b.init != nullptr) for_each_expr(b.init, [&](Expr e) { visit(e, false); });
        const std::vector<Buffer> own = own_buffers(b.body);
        for (const BufferRegion& r : reads) {
            speaks_of_all &= std::find(own.begin(), own.end(), r.buffer) == own.end();
        }
        if (speaks_of_all) b.reads = reads;
    }

    static std::vector<Buffer> own_buffers(Stmt s) {
        std::vector<Buffer> out;
        for_each_stmt(s, [&](Stmt t) {
            if (const Allocate* n = t->as<Allocate>()) out.push_back(n->buffer);
        });
        return out;
    }

    Context& ctx_;
    Choice& choice_;
    std::set<std::string> names_;
    GeneralValues values_;
    ScalarType index_type_;
    Expr size_ = nullptr;
    GeneratedProgram out_;
};

}  // namespace

GeneratedProgram general_program(Context& ctx, Choice& choice) {
    for (;;) {
        GeneratedProgram out = GeneralGen(ctx, choice).run();
        if (well_formed(out.function).empty()) return out;
    }
}

Expr general_expression(Context& ctx, Choice& choice, const Function& f, const Site& site,
                        ScalarType type, int depth) {
    GeneralScope scope;
    const Scope names = analysis::scope_at(ctx, f, site);
    for (const auto& [name, v] : names.vars) scope.variables.push_back({v, nullptr, nullptr});
    for (const auto& [name, b] : names.buffers) scope.buffers.push_back(b);
    scope.calls = choice.chance(3);
    scope.undefs = choice.chance(15);
    std::set<std::string> used = bound_names(f);
    return GeneralValues(ctx, choice, used).value(scope, type, depth);
}

}  // namespace proviso::fuzz
