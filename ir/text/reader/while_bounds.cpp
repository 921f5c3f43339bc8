// Each bound is on a measure: an integer of the cells that the condition compares, above 0 where
// the condition holds, that each iteration makes smaller.
//
//     counter     i < n, and all stores to i are i = i + c, 0 < c, one of them on every way through
//                 the body; n is not changed. n - i gets smaller by the least c. With several such
//                 conditions (`i < n and j < m`) every way has a store to one of them, and the sum
//                 of the distances gets smaller.
//     halving     0 < i, and all stores to i are i = i // c, 2 <= c: i is below 2**(bits - 1).
//     doubling    i < n, and all stores to i are i = i * c, 2 <= c, with 1 <= i before the loop:
//                 after k iterations 2**k <= i, and a store out of the range of the type faults.
//     bisection   lo < hi or lo <= hi, and every way through the body has one store to the two
//                 cells: of the middle or next to it. See `Bisection`.
//
// A way that sets a flag of an early exit ends the loop, so it needs no such store.
//
// `if c: break` among the lines of the body, as of `while True`: `not c` holds wherever an
// iteration passes that line, and each one that comes to its end does. The measure is taken there.
// From one pass to the next the body is run through once, so that it gets smaller, and before the
// first pass it gets no larger (counters, halving, doubling, but not a bisection, whose stores are
// right only where its condition holds). So there are at most as many passes as the `while not c`
// has iterations, and one iteration more, which does not pass. The bound is evaluated although `c`
// may not be, so it is a term that has a value at all values of its variables.
#include "ir/text/reader/while_bounds.h"

#include <algorithm>
#include <map>

#include "ir/text/reader/expressions/folding.h"

namespace proviso::ir {

namespace {

struct Cell {
    Buffer buffer;
    std::vector<Expr> indices;
    bool operator==(const Cell&) const = default;
};

// A load at constant indices.
std::optional<Cell> cell_of(Expr e) {
    if (e->op != Op::Load) return std::nullopt;
    for (Expr index : e->args) {
        if (!is_int_const(index)) return std::nullopt;
    }
    return Cell{e->buffer, {e->args.begin(), e->args.end()}};
}

enum class Meeting { Never, Same, Unknown };

class Search {
  public:
    Search(Context& ctx, const WhileLoop& loop) : ctx_(ctx), loop_(loop) {
        for_each_stmt(loop.body, [&](Stmt s) {
            if (const Store* store = s->as<Store>()) stores_.push_back(store);
            if (const LetStmt* let = s->as<LetStmt>()) own_vars_.push_back(let->var);
            if (const Allocate* memory = s->as<Allocate>()) own_.insert(memory->buffer);
        });
    }

    std::optional<WhileBound> run() {
        if (is_true(loop_.cond)) return of_passes(loop_.body);
        if (has_any(loop_.cond, {Op::CallExtern, Op::Undef})) return std::nullopt;
        const std::vector<Expr> parts = conjuncts(loop_.cond);
        for (std::size_t i = 0; i < parts.size(); ++i) {
            if (const auto bound = of_one(parts[i], i == 0)) {
                WhileBound out = *bound;
                out.exact = out.exact && parts.size() == 1;
                return out;
            }
        }
        if (const auto bound = of_several(parts)) return bound;
        return of_passes(loop_.body);
    }

  private:
    Meeting meets(const Cell& cell, const Store& store) const {
        const Buffer a = loop_.memory(cell.buffer);
        const Buffer b = loop_.memory(store.buffer);
        if (a != nullptr && b != nullptr && a != b) return Meeting::Never;
        if (cell.buffer != store.buffer || a == nullptr) return Meeting::Unknown;
        bool same = true;
        for (std::size_t i = 0; i < store.indices.size(); ++i) {
            if (!is_int_const(store.indices[i])) return Meeting::Unknown;
            same = same && store.indices[i]->int_value() == cell.indices[i]->int_value();
        }
        if (same) return Meeting::Same;
        return a == cell.buffer ? Meeting::Never : Meeting::Unknown;  // a view may repeat cells
    }

    // The stores to the cell; nullopt where others may reach it, or there are none.
    std::optional<std::vector<const Store*>> stores_to(const Cell& cell) const {
        std::vector<const Store*> out;
        for (const Store* store : stores_) {
            const Meeting m = meets(cell, *store);
            if (m == Meeting::Unknown) return std::nullopt;
            if (m == Meeting::Same) out.push_back(store);
        }
        if (out.empty()) return std::nullopt;
        return out;
    }

    // The same value in every iteration.
    bool is_fixed(Expr e) const {
        bool out = true;
        for_each_node(e, [&](Expr n) {
            if (n->op != Op::Load) return;
            const auto cell = cell_of(n);
            for (const Store* store : stores_) {
                const Buffer a = loop_.memory(n->buffer);
                const bool apart = a != nullptr && loop_.memory(store->buffer) != nullptr &&
                                   a != loop_.memory(store->buffer);
                if (!apart && (!cell || meets(*cell, *store) != Meeting::Never)) out = false;
            }
        });
        return out;
    }

    Expr load(const Cell& cell) const { return ctx_.load(cell.buffer, cell.indices); }
    // What the cell holds before the loop, by a term of variables where that is known.
    Expr first(const Cell& cell) const {
        Expr value = loop_.known(cell.buffer, cell.indices);
        return value != nullptr && value->type == cell.buffer->type ? value : load(cell);
    }

    bool sets_flag(const Store& store) const { return loop_.flags.count(store.buffer) != 0; }

    // Whether every way through the statement has one of these stores, or ends the loop.
    bool always(Stmt s, const std::vector<const Store*>& some) const {
        if (const Store* store = s->as<Store>()) {
            return sets_flag(*store) || std::find(some.begin(), some.end(), store) != some.end();
        }
        if (const Seq* list = s->as<Seq>()) {
            return std::any_of(list->body.begin(), list->body.end(),
                               [&](Stmt part) { return always(part, some); });
        }
        if (const LetStmt* let = s->as<LetStmt>()) return always(let->body, some);
        if (const Allocate* memory = s->as<Allocate>()) return always(memory->body, some);
        if (const Block* block = s->as<Block>()) {
            return is_true(block->predicate) && always(block->body, some);
        }
        const IfElse* choice = s->as<IfElse>();
        return choice != nullptr && choice->else_body != nullptr &&
               always(choice->then_body, some) && always(choice->else_body, some);
    }

    // Whether the store stands in the body's list itself, so that it runs once in each iteration.
    static bool is_line(Stmt s, const Store* store) {
        if (s->as<Store>() == store) return true;
        if (const Seq* list = s->as<Seq>()) {
            return std::any_of(list->body.begin(), list->body.end(),
                               [&](Stmt part) { return is_line(part, store); });
        }
        if (const LetStmt* let = s->as<LetStmt>()) return is_line(let->body, store);
        const Allocate* memory = s->as<Allocate>();
        return memory != nullptr && is_line(memory->body, store);
    }

    // c of `cell = cell + c`; nullopt for other values.
    static std::optional<Int128> added(Expr value, Expr cell) {
        if (value->op != Op::Add && value->op != Op::Sub) return std::nullopt;
        const bool sum = value->op == Op::Add;
        if (value->arg(0) == cell && is_int_const(value->arg(1))) {
            return sum ? value->arg(1)->int_value() : -value->arg(1)->int_value();
        }
        if (sum && value->arg(1) == cell && is_int_const(value->arg(0))) {
            return value->arg(0)->int_value();
        }
        return std::nullopt;
    }

    // c of `cell = cell * c` (`up`) or `cell // c`, 2 <= c; false for other values.
    static bool scales(Expr value, Expr cell, bool up) {
        const bool turned = up && value->op == Op::Mul && value->args.size() == 2 &&
                            value->arg(1) == cell && is_int_const(value->arg(0)) &&
                            value->arg(0)->int_value() >= 2;
        if (turned) return true;
        if (value->args.size() != 2 || value->arg(0) != cell || !is_int_const(value->arg(1))) {
            return false;
        }
        const Int128 by = value->arg(1)->int_value();
        if (value->op == (up ? Op::Shl : Op::Shr)) return by >= 1 && by < value->type.bits;
        if (up) return value->op == Op::Mul && by >= 2;
        return (value->op == Op::FloorDiv || value->op == Op::TruncDiv) && by >= 2;
    }

    struct Counter {
        Expr low;  // the measure is high - low, and 1 more of `<=`
        Expr high;
        bool inclusive;
        Int128 step;  // the least
        std::vector<const Store*> stores;
    };
    // A comparison of a counter with a fixed value; its stores need not be on every way.
    std::optional<Counter> counter(Expr part) const {
        if (part->op != Op::Lt && part->op != Op::Le) return std::nullopt;
        for (const bool up : {true, false}) {
            Expr changing = part->arg(up ? 0 : 1);
            Expr fixed = part->arg(up ? 1 : 0);
            const auto cell = cell_of(changing);
            if (!cell || !changing->type.is_exact_int() || !is_fixed(fixed)) continue;
            const auto stores = stores_to(*cell);
            if (!stores) continue;
            Int128 least = 0;
            bool all = true;
            for (const Store* store : *stores) {
                const Int128 by = added(store->value, changing).value_or(0) * (up ? 1 : -1);
                all = all && by >= 1;
                least = least == 0 ? by : std::min(least, by);
            }
            if (!all) continue;
            Expr start = first(*cell);
            return Counter{up ? start : fixed, up ? fixed : start, part->op == Op::Le, least,
                           *stores};
        }
        return std::nullopt;
    }

    // A bound by an `if` in the body's own list of which one branch leaves the loop.
    std::optional<WhileBound> of_passes(Stmt s) const {
        if (const Seq* list = s->as<Seq>()) {
            for (Stmt part : list->body) {
                if (const auto bound = of_passes(part)) return bound;
            }
            return std::nullopt;
        }
        if (const LetStmt* let = s->as<LetStmt>()) return of_passes(let->body);
        if (const Allocate* memory = s->as<Allocate>()) return of_passes(memory->body);
        const IfElse* choice = s->as<IfElse>();
        if (choice == nullptr || has_any(choice->cond, {Op::CallExtern, Op::Undef})) {
            return std::nullopt;
        }
        const bool yes = always(choice->then_body, {});
        const bool no = choice->else_body != nullptr && always(choice->else_body, {});
        if (yes == no) return std::nullopt;
        const Expr passes = no ? choice->cond : neither(ctx_, choice->cond);
        for (Expr part : conjuncts(passes)) {
            if (const auto bound = one_more(part)) return bound;
        }
        const Stmt rest = no ? choice->then_body : choice->else_body;
        return rest == nullptr ? std::nullopt : of_passes(rest);
    }

    // What each iteration has anew says nothing about the next one.
    bool is_of_body(Expr e) const {
        bool out = std::any_of(own_vars_.begin(), own_vars_.end(),
                               [&](Expr var) { return occurs_free(var, e); });
        for_each_node(
            e, [&](Expr n) { out = out || (n->op == Op::Load && own_.count(n->buffer) != 0); });
        return out;
    }

    // One more than the passes at which the condition holds.
    std::optional<WhileBound> one_more(Expr part) const {
        if (is_of_body(part)) return std::nullopt;
        if (const auto most = scaled(part)) return number(*most + 1);
        const auto count = counter(part);
        if (!count || !always(loop_.body, count->stores)) return std::nullopt;
        // Before the loop nothing says that the condition is evaluated.
        Expr lo = total(count->low);
        Expr hi = total(count->high);
        if (lo == nullptr || hi == nullptr) return std::nullopt;
        const Int128 more = count->step + (count->inclusive ? 1 : 0);
        WhileBound out{lo, nullptr, count->step};
        if (is_int_const(lo) && is_int_const(hi)) {
            const Int128 last = std::max(lo->int_value(), hi->int_value()) + more;
            if (last > kInt64.max_value()) return std::nullopt;
            out.hi = ctx_.int_imm(kInt64, last);
        } else {
            if (count->low->type != kInt32 || more > kInt32.max_value()) return std::nullopt;
            out.hi = plus(ctx_, ctx_.max(lo, hi), ctx_.int_imm(kInt64, more));
        }
        out.anywhere = true;
        return out;
    }

    // The number in int64, by terms that have a value whatever the variables are; null: not found.
    // Where the condition evaluates it without a fault, it is that number.
    Expr total(Expr e, int depth = 0) const {
        constexpr int most = 8;  // sums of int32 inside each other
        if (is_int_const(e)) return ctx_.int_imm(kInt64, e->int_value());
        if (e->op == Op::Var && e->type == kInt32) return widened(ctx_, e);
        if ((e->op != Op::Add && e->op != Op::Sub) || e->type != kInt32 || depth == most) {
            return nullptr;
        }
        Expr a = total(e->arg(0), depth + 1);
        Expr b = total(e->arg(1), depth + 1);
        if (a == nullptr || b == nullptr) return nullptr;
        return e->op == Op::Add ? plus(ctx_, a, b) : minus(ctx_, a, b);
    }

    std::optional<WhileBound> of_one(Expr part, bool is_first) const {
        if (const auto count = counter(part); count && always(loop_.body, count->stores)) {
            WhileBound out{count->low, count->high, count->step};
            if (count->inclusive && !make_exclusive(out)) return std::nullopt;
            out.anywhere = is_first && is_plain_term(out.lo) && is_plain_term(out.hi);
            out.exact = loop_.flags.empty() && count->stores.size() == 1 &&
                        is_line(loop_.body, count->stores[0]);
            return out;
        }
        if (const auto most = scaled(part)) return number(*most);
        if (const auto most = bisected(part)) return number(*most);
        return std::nullopt;
    }

    // `hi` is one of the numbers. In int64 what follows an int32 is in range.
    bool make_exclusive(WhileBound& bound) const {
        const bool known =
            is_int_const(bound.hi) && bound.hi->int_value() < bound.hi->type.max_value();
        if (!known && bound.hi->type != kInt32) return false;
        if (!known) {
            bound.lo = widened(ctx_, bound.lo);
            bound.hi = widened(ctx_, bound.hi);
        }
        bound.hi = plus(ctx_, bound.hi, ctx_.int_imm(bound.hi->type, 1));
        return true;
    }

    WhileBound number(int most) const {
        WhileBound out{ctx_.i32(0), ctx_.i32(most)};
        out.anywhere = true;
        return out;
    }

    std::optional<int> scaled(Expr part) const {
        const bool less = part->op == Op::Lt;
        if (!less && part->op != Op::Le) return std::nullopt;
        const auto all = [&](Expr cell, bool up) {
            const auto stores = stores_to(*cell_of(cell));
            return stores && always(loop_.body, *stores) &&
                   std::all_of(stores->begin(), stores->end(),
                               [&](const Store* store) { return scales(store->value, cell, up); });
        };
        Expr low = part->arg(0);
        Expr high = part->arg(1);
        const bool above = is_int_const(low) && low->int_value() >= (less ? 0 : 1);
        if (above && high->type.is_exact_int() && cell_of(high) && all(high, false)) {
            return high->type.bits - 1;
        }
        if (!low->type.is_exact_int() || !cell_of(low) || !is_fixed(high)) return std::nullopt;
        Expr start = first(*cell_of(low));
        if (is_int_const(start) && start->int_value() >= 1 && all(low, true)) {
            return low->type.bits - 1;
        }
        return std::nullopt;
    }

    // With d = hi - lo (of `<`) or hi - lo + 1 (of `<=`), no iteration leaves more than d // 2.
    // The lower middle is lo + (hi - lo) // 2, the upper one hi - (hi - lo) // 2.
    //     lo < hi     lower:  lo = mid + 1: hi - mid - 1 = d - d // 2 - 1,  hi = mid: d // 2
    //                 upper:  lo = mid: d // 2,  hi = mid - 1: d - d // 2 - 1
    //     lo <= hi    either: lo = mid + 1: hi - mid,  hi = mid - 1: mid - lo; the two are
    //                 (d - 1) // 2 and d // 2
    // A store beyond these leaves less. d is below 2**bits of `<`, and at most that of `<=`.
    struct Bisection {
        Cell lo;
        Cell hi;
        bool inclusive;
        std::map<Expr, std::pair<bool, int>> middles;  // lets: upper, and what is added
    };
    struct Ways {
        bool wrong = false;
        bool some = false;  // a way has a store to one of the two
        bool each = false;  // every way has one, or ends the loop
    };

    // Whether the value is a middle, the upper one or not, and what is added to it.
    std::optional<std::pair<bool, int>> middle(const Bisection& b, Expr e) const {
        if (const auto let = b.middles.find(e); let != b.middles.end()) return let->second;
        if (e->args.size() != 2) return std::nullopt;
        Expr lo = load(b.lo);
        Expr hi = load(b.hi);
        const auto half = [&](Expr x) -> Expr {  // what is halved
            if (x->args.size() != 2) return nullptr;
            const bool shift = x->op == Op::Shr && is_int_const(x->arg(1), 1);
            const bool floor = x->op == Op::FloorDiv && is_int_const(x->arg(1), 2);
            return shift || floor ? x->arg(0) : nullptr;
        };
        const Expr distance = ctx_.sub(hi, lo);
        const auto is_sum = [&](Expr x) { return x == ctx_.add(lo, hi) || x == ctx_.add(hi, lo); };
        if (Expr whole = half(e)) {
            if (is_sum(whole)) return std::pair(false, 0);
            const bool next =
                whole->op == Op::Add && is_int_const(whole->arg(1), 1) && is_sum(whole->arg(0));
            if (next) return std::pair(true, 0);
            return std::nullopt;
        }
        Expr a = e->arg(0);
        Expr c = e->arg(1);
        if (e->op == Op::Add && c == lo) std::swap(a, c);
        if (e->op == Op::Add && a == lo && half(c) == distance) return std::pair(false, 0);
        if (e->op == Op::Sub && a == hi && half(c) == distance) return std::pair(true, 0);
        const auto by = is_int_const(e->arg(1)) ? added(e, e->arg(0)) : std::nullopt;
        if (!by || *by < -1 || *by > 1) return std::nullopt;
        auto inner = middle(b, e->arg(0));
        if (!inner || inner->second != 0) return std::nullopt;
        inner->second = static_cast<int>(*by);
        return inner;
    }

    Ways ways(Bisection& b, Stmt s) const {
        if (const Store* store = s->as<Store>()) {
            if (sets_flag(*store)) return {false, false, true};
            const Meeting lo = meets(b.lo, *store);
            const Meeting hi = meets(b.hi, *store);
            if (lo == Meeting::Unknown || hi == Meeting::Unknown) return {true};
            if (lo == Meeting::Never && hi == Meeting::Never) return {};
            const auto mid = middle(b, store->value);
            if (!mid) return {true};
            const auto [upper, by] = *mid;
            const bool right = lo == Meeting::Same ? by >= (upper && !b.inclusive ? 0 : 1)
                                                   : by <= (!upper && !b.inclusive ? 0 : -1);
            return {!right, true, true};
        }
        if (const Seq* list = s->as<Seq>()) {
            Ways out;
            for (Stmt part : list->body) {
                const Ways next = ways(b, part);
                out.wrong = out.wrong || next.wrong || (out.some && next.some);
                out.some = out.some || next.some;
                out.each = out.each || next.each;
            }
            return out;
        }
        if (const LetStmt* let = s->as<LetStmt>()) {
            if (const auto mid = middle(b, let->value)) b.middles[let->var] = *mid;
            return ways(b, let->body);
        }
        if (const Allocate* memory = s->as<Allocate>()) return ways(b, memory->body);
        if (const IfElse* choice = s->as<IfElse>()) {
            const Ways yes = ways(b, choice->then_body);
            const Ways no = choice->else_body == nullptr ? Ways{} : ways(b, choice->else_body);
            return {yes.wrong || no.wrong, yes.some || no.some, yes.each && no.each};
        }
        const Block* block = s->as<Block>();
        if (block != nullptr && is_true(block->predicate) && block->init == nullptr) {
            return ways(b, block->body);
        }
        // A loop, or what may not run: none of its stores reaches the cells.
        Ways out;
        for_each_stmt(s, [&](Stmt inner) {
            const Store* store = inner->as<Store>();
            if (store == nullptr || sets_flag(*store)) return;
            out.wrong = out.wrong || meets(b.lo, *store) != Meeting::Never ||
                        meets(b.hi, *store) != Meeting::Never;
        });
        return out;
    }

    std::optional<int> bisected(Expr part) const {
        if (part->op != Op::Lt && part->op != Op::Le) return std::nullopt;
        const auto lo = cell_of(part->arg(0));
        const auto hi = cell_of(part->arg(1));
        if (!lo || !hi || *lo == *hi || !part->arg(0)->type.is_exact_int()) return std::nullopt;
        Bisection b{*lo, *hi, part->op == Op::Le, {}};
        const Ways all = ways(b, loop_.body);
        if (all.wrong || !all.each) return std::nullopt;
        return part->arg(0)->type.bits + (b.inclusive ? 1 : 0);
    }

    // `i < n and j < m`: the sum of the distances, in int64.
    std::optional<WhileBound> of_several(const std::vector<Expr>& parts) const {
        std::vector<const Store*> stores;
        Expr sum = ctx_.i64(0);
        for (Expr part : parts) {
            const auto count = counter(part);
            if (!count || count->low->type != kInt32) continue;
            stores.insert(stores.end(), count->stores.begin(), count->stores.end());
            sum =
                plus(ctx_, sum, minus(ctx_, widened(ctx_, count->high), widened(ctx_, count->low)));
            if (count->inclusive) sum = plus(ctx_, sum, ctx_.i64(1));
        }
        if (stores.empty() || !always(loop_.body, stores)) return std::nullopt;
        return WhileBound{ctx_.i64(0), sum};
    }

    Context& ctx_;
    const WhileLoop& loop_;
    std::vector<const Store*> stores_;
    std::vector<Expr> own_vars_;  // bound in the body
    std::set<Buffer> own_;
};

}  // namespace

std::optional<WhileBound> bound_of(Context& ctx, const WhileLoop& loop) {
    return Search(ctx, loop).run();
}

}  // namespace proviso::ir
