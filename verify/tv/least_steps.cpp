#include "verify/tv/least_steps.h"

#include <algorithm>
#include <optional>
#include <unordered_map>

#include "ir/children.h"
#include "verify/tv/simplify.h"

namespace proviso::verify {

using namespace ir;

namespace {

// Sums and products end here.
constexpr std::uint64_t kMost = std::uint64_t{1} << 62;

std::uint64_t sum(std::uint64_t a, std::uint64_t b) {
    return std::min(a + b, kMost);
}

std::uint64_t times(std::uint64_t count, std::uint64_t steps) {
    return steps != 0 && count > kMost / steps ? kMost : count * steps;
}

class Counter {
  public:
    // Of branches the shorter arm, or the longer one.
    Counter(Context& ctx, const Sizes& sizes, bool longest)
        : ctx_(ctx), s_(ctx), sizes_(sizes), longest_(longest) {}

    std::uint64_t of(Stmt s) {
        return sum(1, std::visit([&](const auto& n) { return within(n); }, s->data));
    }

  private:
    // Of an expression that is evaluated.
    std::uint64_t of(Expr e) {
        const auto known = expressions_.find(e);
        if (known != expressions_.end()) return known->second;
        const std::uint64_t out = sum(1, within(e));
        expressions_.emplace(e, out);
        return out;
    }

    std::uint64_t within(Expr e) {
        switch (e->op) {
            case Op::And:
            case Op::Or:
                if (longest_) break;
                return of(e->arg(0));
            case Op::IfThenElse: return sum(of(e->arg(0)), arm(of(e->arg(1)), of(e->arg(2))));
            default: break;
        }
        std::uint64_t out = 0;
        for (Expr a : e->args) out = sum(out, of(a));
        return out;
    }

    std::uint64_t within(const Store& n) {
        std::uint64_t out = of(n.value);
        for (Expr i : n.indices) out = sum(out, of(i));
        return out;
    }

    std::uint64_t within(const For& n) {
        const std::uint64_t bounds = sum(of(n.lo), of(n.hi));
        const auto lo = constant(n.lo);
        const auto hi = constant(n.hi);
        if (longest_ && (!lo || !hi)) return sum(bounds, of(n.body));
        if (!lo || !hi || *hi <= *lo) return bounds;
        const Int128 trips = std::min(*hi - *lo, Int128{kMost});
        return sum(bounds, times(static_cast<std::uint64_t>(trips), of(n.body)));
    }

    std::uint64_t within(const IfElse& n) {
        const std::uint64_t otherwise = n.else_body != nullptr ? of(n.else_body) : 0;
        return sum(of(n.cond), arm(of(n.then_body), otherwise));
    }

    std::uint64_t within(const Seq& n) {
        std::uint64_t out = 0;
        for (Stmt s : n.body) out = sum(out, of(s));
        return out;
    }

    std::uint64_t within(const LetStmt& n) { return sum(of(n.value), of(n.body)); }

    // Of a negative extent nothing below runs.
    std::uint64_t within(const Allocate& n) {
        const bool known = std::all_of(n.buffer->shape.begin(), n.buffer->shape.end(), [&](Expr e) {
            const auto extent = constant(e);
            return extent && *extent >= 0;
        });
        return known || longest_ ? of(n.body) : 0;
    }

    std::uint64_t within(const Assert& n) { return of(n.cond); }
    std::uint64_t within(const Assume&) { return 0; }  // a permission is not evaluated
    std::uint64_t within(const Evaluate& n) { return of(n.value); }

    std::uint64_t within(const Block& n) {
        if (!is_true(n.predicate) && !longest_) return of(n.predicate);
        std::uint64_t out = sum(of(n.predicate), of(n.body));
        for (const BlockIter& it : n.iters) out = sum(out, of(it.binding));
        return out;
    }

    std::uint64_t arm(std::uint64_t a, std::uint64_t b) const {
        return longest_ ? std::max(a, b) : std::min(a, b);
    }

    std::optional<Int128> constant(Expr e) {
        if (!e->type.is_int() || !is_plain_term(e)) return std::nullopt;
        Expr value = is_const(e) ? e : rewrite_expr(ctx_, substitute(ctx_, e, sizes_), [&](Expr n) {
            return s_.node(n);
        });
        return is_int_const(value) ? std::optional(value->int_value()) : std::nullopt;
    }

    Context& ctx_;
    Simplifier s_;
    const Sizes& sizes_;
    bool longest_;
    std::unordered_map<Expr, std::uint64_t> expressions_;
};

}  // namespace

bool takes_more_steps(Context& ctx, const Function& f, const Sizes& sizes, std::uint64_t limit) {
    return Counter(ctx, sizes, false).of(f.body) > limit;
}

std::uint64_t likely_steps(Context& ctx, const Function& f, const Sizes& sizes) {
    return Counter(ctx, sizes, true).of(f.body);
}

}  // namespace proviso::verify
