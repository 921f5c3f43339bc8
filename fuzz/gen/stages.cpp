#include "fuzz/gen/stages.h"

#include <algorithm>

#include "fuzz/gen/nests.h"

namespace proviso::fuzz {

using namespace ir;

namespace {

class StageGen {
  public:
    StageGen(Context& ctx, Choice& choice, Stages& stages, const Target& target)
        : ctx_(ctx),
          choice_(choice),
          s_(stages),
          t_(target),
          values_(ctx, choice, stages.names),
          nests_(ctx, choice, target.shape, stages.names, stages.features) {
        values_.readable = s_.readable;
    }

    Stmt run() {
        std::vector<Stmt> parts;
        if (choice_.chance(8)) parts.push_back(check());
        const ScalarType type = t_.buffer->type;
        const bool can_scan = !type.is_bool() && !s_.blocks_only;
        const int blocks = s_.blocks_only ? 10 : 0;
        switch (choice_.weighted({34, 26, 16, 10, 8, can_scan ? 6 : 0, blocks, blocks})) {
            case 0: parts.push_back(elementwise()); break;
            case 1: parts.push_back(type.is_bool() ? elementwise() : reduction()); break;
            case 2: parts.push_back(guarded_stores()); break;
            case 3: parts.push_back(over_undef()); break;
            case 4:
                parts.push_back(elementwise());
                parts.push_back(update());
                break;
            case 5:
                parts.push_back(elementwise());
                parts.push_back(scan());
                break;
            case 6: parts.push_back(two_blocks()); break;
            default: parts.push_back(overwritten_tail());
        }
        if (t_.internal) s_.readable.push_back(Readable{t_.buffer, t_.shape, lo_, hi_});
        return ctx_.seq(parts);
    }

  private:
    // A stored value, remembered in the range of the target's cells.
    Expr stored(const Ranged& v) {
        lo_ = any_ ? std::min(lo_, v.lo) : v.lo;
        hi_ = any_ ? std::max(hi_, v.hi) : v.hi;
        any_ = true;
        return v.value;
    }

    Nest nest(bool concurrent) { return nests_.nest(concurrent); }
    Expr loop_var(const char* base) { return nests_.loop_var(base); }

    void in_scope(const Nest& nest) {
        values_.variables = nest.variables;
        for (const Variable& v : s_.sizes) values_.variables.push_back(v);
    }

    Stmt close(const std::vector<NestLoop>& loops, Stmt body) {
        for (auto l = loops.rbegin(); l != loops.rend(); ++l) {
            body = ctx_.for_(l->var, ctx_.int_imm(l->var->type, 0), l->hi, body, l->kind);
        }
        return body;
    }

    // The nest around `body`, guarded where it must be; now and then the body is a block.
    Stmt around(const Nest& n, Stmt body, bool may_block = true) {
        if (may_block && (s_.blocks_only || choice_.chance(30)))
            return close(n.loops, block(n, body));
        if (n.guard != nullptr) body = ctx_.if_(n.guard, body);
        return close(n.loops, body);
    }

    Stmt block(const Nest& n, Stmt body) {
        s_.features.insert("block");
        Block b;
        b.name = fresh_name("compute", s_.names);
        b.predicate = n.guard == nullptr ? ctx_.true_() : n.guard;
        for (std::size_t d = 0; d < n.indices.size(); ++d) {
            Expr iter = loop_var("v");
            b.iters.push_back(BlockIter{iter, ctx_.int_imm(iter->type, 0), t_.shape[d].value,
                                        n.indices[d], IterKind::Spatial});
        }
        b.body = block_body(n, body, b);
        return ctx_.stmt(b);
    }

    Stmt store(const Nest& n, Expr value) { return ctx_.store(t_.buffer, n.indices, value); }

    Stmt check() {
        s_.features.insert("assert");
        values_.variables = s_.sizes;
        return ctx_.stmt(Assert{values_.condition(1), "the input is not as expected"});
    }

    Stmt elementwise() {
        const Nest n = nest(true);
        in_scope(n);
        const ScalarType type = t_.buffer->type;
        if (choice_.chance(10)) return around(n, with_let(n));
        if (choice_.chance(s_.blocks_only ? 30 : 12)) {
            s_.features.insert("branch with else");
            // A condition over the outer loop alone can leave the inner ones.
            if (n.variables.size() > 1 && choice_.chance(60)) {
                values_.variables = {n.variables[0]};
            }
            Expr c = values_.condition(s_.blocks_only ? 1 : 2);
            in_scope(n);
            Stmt then_part = store(n, stored(values_.value(type, 2)));
            return around(n, ctx_.if_(c, then_part, store(n, stored(values_.value(type, 2)))));
        }
        return around(n, store(n, stored(values_.value(type, 3))));
    }

    Stmt with_let(const Nest& n) {
        s_.features.insert("let");
        const ScalarType type = t_.buffer->type;
        const Ranged bound = values_.value(type, 2);
        Expr var = ctx_.var(fresh_name("u", s_.names), type);
        values_.named.push_back(Ranged{var, bound.lo, bound.hi});
        Stmt body = store(n, stored(values_.value(type, 2)));
        values_.named.clear();
        return ctx_.stmt(LetStmt{var, bound.value, body});
    }

    Extent reduce_extent() {
        const std::int64_t e = choice_.between(1, 6);
        const ScalarType type = t_.shape[0].value->type;
        if (!s_.sizes.empty() && choice_.chance(40)) {
            const Ranged n = s_.sizes[0].value;
            return Extent{n.value, n.lo, n.hi};
        }
        return Extent{ctx_.int_imm(type, e), e, e};
    }

    // Something of the target's type whose first dimension can be summed over: a vector, or a
    // matrix that has a column for each first index of the target. Null: nothing.
    const Readable* summable(const Nest& n) const {
        for (const Readable& r : s_.readable) {
            const bool fits = r.shape.size() == 1 || (r.shape.size() == 2 && n.plain &&
                                                      r.shape[1].value == t_.shape[0].value);
            if (r.buffer->type == t_.buffer->type && fits) return &r;
        }
        return nullptr;
    }
    Ranged element(const Readable& rows, Expr r, const Nest& n) {
        std::vector<Expr> indices = {r};
        if (rows.shape.size() == 2) indices.push_back(n.indices[0]);
        return cell(rows, indices);
    }
    Ranged cell(const Readable& from, const std::vector<Expr>& indices) {
        return tamed(ctx_, Ranged{ctx_.load(from.buffer, indices), from.lo, from.hi});
    }

    // A vector of the target's type, longer than the target's first dimension, both constant: a
    // window over it can be summed for each first index.
    const Readable* slid_over(const Nest& n) const {
        const Extent& mine = t_.shape[0];
        for (const Readable& r : s_.readable) {
            if (r.shape.size() != 1 || r.buffer->type != t_.buffer->type || !n.plain) continue;
            const bool constant = r.shape[0].lo == r.shape[0].hi && mine.lo == mine.hi;
            if (constant && r.shape[0].hi > mine.hi) return &r;
        }
        return nullptr;
    }
    Extent window_extent(const Readable& from) {
        const Int128 e = from.shape[0].hi - t_.shape[0].hi + 1;
        return Extent{ctx_.int_imm(t_.shape[0].value->type, e), e, e};
    }

    // acc ⊕ v, and the range that all partial results of `count` steps are in.
    Ranged accumulate(Expr acc, const Ranged& start, const Ranged& v, Int128 count) {
        const ScalarType type = t_.buffer->type;
        const Ranged before{acc, start.lo, start.hi};
        if (type.is_float() && choice_.chance(20)) return mul(ctx_, before, v);
        if (choice_.chance(15)) return max(ctx_, before, v);
        if (choice_.chance(10)) return min(ctx_, before, v);
        Ranged sum = add(ctx_, before, v);
        if (type.is_exact_int()) {
            sum.lo = start.lo + std::min(v.lo, Int128{0}) * count;
            sum.hi = start.hi + std::max(v.hi, Int128{0}) * count;
        } else if (type.is_int()) {  // after several steps any value, by wrapping
            sum.lo = type.min_value();
            sum.hi = type.max_value();
        }
        return sum;
    }

    Ranged initial() {
        const ScalarType type = t_.buffer->type;
        if (choice_.chance(70)) {
            return type.is_float() ? Ranged{ctx_.float_imm(type, 0.0), 0, 0}
                                   : constant(ctx_, type, 0);
        }
        return values_.value(type, 1);
    }

    Stmt reduction() {
        s_.features.insert("reduction");
        Nest n = nest(true);
        in_scope(n);
        const Ranged init = initial();
        const Readable* rows = nullptr;
        bool window = false;
        if (s_.blocks_only && choice_.chance(50)) {
            window = choice_.chance(60);
            rows = window ? slid_over(n) : summable(n);
        }
        const Extent e = rows == nullptr ? reduce_extent()
                         : window        ? window_extent(*rows)
                                         : rows->shape[0];
        Expr r = loop_var("r");
        Nest inner = n;
        inner.loops.push_back(NestLoop{r, e.value, ForKind::Serial});
        inner.variables.push_back(Variable{Ranged{r, 0, e.hi - 1}, e.value});
        in_scope(inner);
        const Ranged v = rows == nullptr ? values_.value(t_.buffer->type, 2)
                         : window        ? cell(*rows, {ctx_.add(n.indices[0], r)})
                                         : element(*rows, r, n);
        const std::size_t form = s_.blocks_only ? 2 : choice_.weighted({35, 20, 30, 15});
        if (form == 3) return local_accumulator(n, inner, init, v, e);
        stored(init);
        Expr acc = ctx_.load(t_.buffer, n.indices);
        Expr next = stored(accumulate(acc, init, v, e.hi));
        if (form == 2) return block_with_init(n, r, e, init.value, next);
        Stmt step = store(n, next);
        if (form == 1 && n.plain) {  // a nest of its own for the start
            const Nest first = renamed(n);
            Stmt start = ctx_.store(t_.buffer, first.indices, move_to(n, first, init.value));
            return ctx_.seq({close(first.loops, start), around(inner, step, false)});
        }
        Stmt body =
            ctx_.seq({store(n, init.value), ctx_.for_(r, ctx_.int_imm(r->type, 0), e.value, step)});
        return around(n, body, false);
    }

    Nest renamed(const Nest& n) {
        Nest out = n;
        for (std::size_t k = 0; k < n.loops.size(); ++k) {
            out.loops[k].var = loop_var("i");
            out.indices[k] = out.loops[k].var;
        }
        return out;
    }
    Expr move_to(const Nest& from, const Nest& to, Expr e) {
        Substitution map;
        for (std::size_t k = 0; k < from.loops.size(); ++k)
            map[from.loops[k].var] = to.loops[k].var;
        return substitute(ctx_, e, map);
    }

    Stmt block_with_init(const Nest& n, Expr r, const Extent& e, Expr init, Expr next) {
        s_.features.insert("block init");
        Block b = *block(n, store(n, next))->as<Block>();
        Expr vr = loop_var("vr");
        Nest inner = n;
        inner.loops.push_back(NestLoop{r, e.value, ForKind::Serial});
        b.body = substitute(ctx_, b.body, {{r, vr}});
        b.init = block_body(n, store(n, init), b);
        b.iters.push_back(BlockIter{vr, ctx_.int_imm(vr->type, 0), e.value, r, IterKind::Reduce});
        return close(inner.loops, ctx_.stmt(b));
    }

    // `body` over the iterators of `b` in place of the nest's indices.
    Stmt block_body(const Nest& n, Stmt body, const Block& b) {
        return rewrite_stmt(
            ctx_, body,
            [&](Expr e) {
                return rewrite_expr(ctx_, e, [&](Expr x) {
                    for (std::size_t d = 0; d < n.indices.size(); ++d) {
                        if (x == n.indices[d]) return b.iters[d].var;
                    }
                    return x;
                });
            },
            nullptr);
    }

    // The sum is kept in a buffer of one cell, made anew for each cell of the target.
    Stmt local_accumulator(const Nest& n, const Nest& inner, const Ranged& init, const Ranged& v,
                           const Extent& e) {
        s_.features.insert("local accumulator");
        const ScalarType type = t_.buffer->type;
        Expr one = ctx_.int_imm(t_.shape[0].value->type, 1);
        Expr zero = ctx_.int_imm(one->type, 0);
        Buffer acc = ctx_.buffer(fresh_name("acc", s_.names), type, {one}, "local");
        Expr held = ctx_.load(acc, {zero});
        stored(init);
        Expr next = stored(accumulate(held, init, v, e.hi));
        const NestLoop& r = inner.loops.back();
        Stmt sum = ctx_.for_(r.var, zero, r.hi, ctx_.store(acc, {zero}, next));
        Stmt body = ctx_.stmt(
            Allocate{acc, ctx_.seq({ctx_.store(acc, {zero}, init.value), sum, store(n, held)})});
        return around(n, body, false);
    }

    // All cells get a constant, some of them another value after that.
    Stmt guarded_stores() {
        s_.features.insert("guarded store");
        const ScalarType type = t_.buffer->type;
        const Nest first = nest(true);
        in_scope(first);
        Stmt fill = around(first, store(first, stored(values_.value(type, 0))));
        const Nest second = nest(true);
        in_scope(second);
        Stmt some = ctx_.if_(values_.condition(2), store(second, stored(values_.value(type, 2))));
        return ctx_.seq({fill, around(second, some)});
    }

    // Cells are given up to T.undef() first. Cells of an output may stay so.
    Stmt over_undef() {
        s_.features.insert("undef");
        const Nest first = nest(true);
        Stmt fill = around(first, store(first, ctx_.undef(t_.buffer->type)));
        const Nest second = nest(true);
        in_scope(second);
        Stmt write = store(second, stored(values_.value(t_.buffer->type, 2)));
        if (!t_.internal && choice_.chance(50)) write = ctx_.if_(values_.condition(1), write);
        return ctx_.seq({fill, around(second, write)});
    }

    // Each cell from itself.
    Stmt update() {
        s_.features.insert("update in place");
        const Nest n = nest(true);
        in_scope(n);
        values_.named = {tamed(ctx_, Ranged{ctx_.load(t_.buffer, n.indices), lo_, hi_})};
        Stmt out = around(n, store(n, stored(values_.value(t_.buffer->type, 2))));
        values_.named.clear();
        return out;
    }

    // Two blocks in one nest, the second of which reads what the first one stores: a loop that can
    // be taken apart.
    Stmt two_blocks() {
        s_.features.insert("two blocks");
        const Nest n = nest(true);
        in_scope(n);
        const ScalarType type = t_.buffer->type;
        Stmt first = store(n, stored(values_.value(type, 2)));
        values_.named = {tamed(ctx_, Ranged{ctx_.load(t_.buffer, n.indices), lo_, hi_})};
        Stmt second = store(n, stored(values_.value(type, 2)));
        values_.named.clear();
        return close(n.loops, ctx_.seq({block(n, first), block(n, second)}));
    }

    // All cells, and those from a row on once more: work that a guard would save.
    Stmt overwritten_tail() {
        s_.features.insert("overwritten tail");
        const ScalarType type = t_.buffer->type;
        const Nest all = nest(true);
        in_scope(all);
        Stmt fill = around(all, store(all, stored(values_.value(type, 2))));
        Nest tail = nest(false);
        while (!tail.plain) tail = nest(false);
        in_scope(tail);
        Stmt body = block(tail, store(tail, stored(values_.value(type, 0))));
        const auto lowest = static_cast<std::int64_t>(t_.shape[0].lo);
        const std::int64_t from = choice_.between(0, std::max<std::int64_t>(lowest - 1, 0));
        for (std::size_t d = tail.loops.size(); d-- > 0;) {
            const NestLoop& l = tail.loops[d];
            body = ctx_.for_(l.var, ctx_.int_imm(l.var->type, d == 0 ? from : 0), l.hi, body);
        }
        return ctx_.seq({fill, body});
    }

    // Each cell from the one before it: the order of iterations matters.
    Stmt scan() {
        s_.features.insert("scan");
        Nest n = nest(false);
        while (!n.plain) n = nest(false);
        in_scope(n);
        const ScalarType type = t_.buffer->type;
        Expr i = n.indices[0];
        std::vector<Expr> previous = n.indices;
        previous[0] = ctx_.sub(i, ctx_.int_imm(i->type, 1));
        // The cell before may hold what this loop stores.
        Ranged held{ctx_.load(t_.buffer, previous), std::min(lo_, Int128{0}),
                    std::max(hi_, Int128{1008})};
        if (type.is_wrapping_int()) held = Ranged{held.value, type.min_value(), type.max_value()};
        Ranged next = add(ctx_, tamed(ctx_, held), values_.value(type, 2));
        if (type.is_exact_int()) next = divide(ctx_, Op::FloorMod, next, 1009);
        Stmt body = ctx_.store(t_.buffer, n.indices, stored(next));
        for (auto l = n.loops.rbegin(); l != n.loops.rend(); ++l) {
            const bool first = l + 1 == n.loops.rend();
            body = ctx_.for_(l->var, ctx_.int_imm(l->var->type, first ? 1 : 0), l->hi, body);
        }
        return body;
    }

    Context& ctx_;
    Choice& choice_;
    Stages& s_;
    const Target& t_;
    ValueGen values_;
    NestGen nests_;
    Int128 lo_ = 0;
    Int128 hi_ = 0;
    bool any_ = false;
};

}  // namespace

Stmt Stages::write(Context& ctx, Choice& choice, const Target& target) {
    return StageGen(ctx, choice, *this, target).run();
}

Stmt Stages::assume_range(Context& ctx, Choice& choice, const Readable& in) {
    (void)choice;
    std::vector<Expr> vars;
    for (const Extent& e : in.shape) {
        vars.push_back(ctx.var(fresh_name("a", names), e.value->type));
    }
    const ScalarType type = in.buffer->type;
    Expr cell = ctx.load(in.buffer, vars);
    Stmt body = ctx.stmt(Assume{
        ctx.and_(ctx.le(ctx.int_imm(type, in.lo), cell), ctx.le(cell, ctx.int_imm(type, in.hi)))});
    for (std::size_t d = vars.size(); d-- > 0;) {
        body = ctx.for_(vars[d], ctx.int_imm(vars[d]->type, 0), in.shape[d].value, body);
    }
    return body;
}

}  // namespace proviso::fuzz
