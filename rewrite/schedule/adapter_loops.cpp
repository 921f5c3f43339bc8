#include "rewrite/schedule/adapter_loops.h"

#include <functional>
#include <optional>
#include <set>
#include <utility>

#include "ir/children.h"
#include "rewrite/schedule/primitives/primitives.h"

namespace proviso::rewrite {

using namespace ir;

namespace {

constexpr int kMostChanges = 32;
constexpr std::int64_t kLeastRun = 4;  // cells that are worth lanes

bool is_counted(const For& loop) {
    return loop.kind == ForKind::Serial && is_int_const(loop.lo) && is_int_const(loop.hi);
}

std::int64_t value_of(Expr constant) {
    return static_cast<std::int64_t>(constant->int_value());
}

// (var + offset) // by, or its remainder.
struct Group {
    std::int64_t by = 0;
    std::int64_t offset = 0;
};

std::optional<Group> group_of(Expr e, Expr var) {
    if (e->op != Op::FloorDiv && e->op != Op::FloorMod) return std::nullopt;
    if (!is_int_const(e->arg(1)) || e->arg(1)->int_value() < 2) return std::nullopt;
    Group out{value_of(e->arg(1)), 0};
    Expr of = e->arg(0);
    if (of->op == Op::Add && is_int_const(of->arg(1))) {
        out.offset = value_of(of->arg(1));
        of = of->arg(0);
    }
    if (of != var || out.by > INT32_MAX || out.offset < 0 || out.offset > INT32_MAX) {
        return std::nullopt;
    }
    return out;
}

// What to do to a loop: to split it by `factor`, or to take so many iterations off its front.
struct Change {
    std::string loop;
    std::int64_t factor = 0;
    std::int64_t front = 0;
};

// The smallest groups that the loop's variable is taken apart into, and the change that makes loops
// of them.
std::optional<Change> change_of(const For& loop) {
    if (!is_counted(loop)) return std::nullopt;
    std::optional<Group> group;
    for_each_expr(loop.body, [&](Expr root) {
        for_each_node(root, [&](Expr e) {
            const std::optional<Group> found = group_of(e, loop.var);
            if (found && (!group || found->by < group->by)) group = found;
        });
    });
    if (!group) return std::nullopt;
    const Int128 lo = loop.lo->int_value() + group->offset;
    const Int128 hi = loop.hi->int_value() + group->offset;
    const Int128 first = (lo + group->by - 1) / group->by * group->by;  // lo >= 0: of a buffer
    const Int128 last = hi / group->by * group->by;
    Change out{*loop.var->name, 0, 0};
    if (lo < 0 || first >= hi || last <= lo) return std::nullopt;
    if (first > lo) {
        out.front = static_cast<std::int64_t>(first - lo);
    } else if (last < hi) {
        out.front = static_cast<std::int64_t>(last - lo);
    } else if (hi - lo > group->by) {
        out.factor = group->by;
    } else {
        return std::nullopt;
    }
    return out;
}

bool done(const Outcome& outcome) {
    return std::holds_alternative<Names>(outcome);
}

class CopyLoops {
  public:
    explicit CopyLoops(Proposer& p) : p_(p), primitives_(p) {}

    void run() {
        for (int changes = 0; changes < kMostChanges && take_apart(); ++changes) simplify(p_);
        loop_partition(p_);
        for (const Nest& nest : nests()) put_in_order(nest);
    }

  private:
    // Loops one in another, and the store in them.
    struct Nest {
        std::vector<const For*> loops;
        const Store* store = nullptr;
    };

    bool take_apart() {
        std::optional<Change> change;
        for_each_stmt(p_.current().body, [&](Stmt s) {
            const For* loop = s->as<For>();
            if (loop == nullptr || change || refused_.count(*loop->var->name) > 0) return;
            change = change_of(*loop);
        });
        if (!change) return false;
        const bool changed =
            done(change->factor > 0
                     ? primitives_.split(change->loop, {std::nullopt, change->factor})
                     : primitives_.partition(change->loop, {change->front, std::nullopt}));
        if (!changed) refused_.insert(change->loop);
        return true;
    }

    std::vector<Nest> nests() const {
        std::vector<Nest> out;
        std::vector<const For*> loops;
        const std::function<void(Stmt)> walk = [&](Stmt s) {
            const For* loop = s->as<For>();
            if (loop != nullptr) {
                loops.push_back(loop);
                walk(loop->body);
                loops.pop_back();
            } else if (const Seq* list = s->as<Seq>()) {
                std::vector<const For*> outer;
                std::swap(outer, loops);
                for (Stmt part : list->body) walk(part);
                std::swap(outer, loops);
            } else if (const Store* store = s->as<Store>()) {
                out.push_back(Nest{loops, store});
            }
        };
        walk(p_.current().body);
        return out;
    }

    // The loop whose variable is the last index, but for a constant.
    static std::optional<std::size_t> walker(const Nest& nest, const std::vector<Expr>& indices) {
        if (indices.empty()) return std::nullopt;
        Expr last = indices.back();
        const bool shifted = last->op == Op::Add || last->op == Op::Sub;
        if (shifted && is_int_const(last->arg(1))) last = last->arg(0);
        for (std::size_t k = 0; k < nest.loops.size(); ++k) {
            if (nest.loops[k]->var == last || occurs_as_term(nest.loops[k]->var, last)) return k;
        }
        return std::nullopt;
    }

    // Of `j_0 * 32 + j_1`, j_1.
    static bool occurs_as_term(Expr var, Expr sum) {
        if (sum->op != Op::Add) return sum == var;
        return occurs_as_term(var, sum->arg(0)) || occurs_as_term(var, sum->arg(1));
    }

    // The loop that walks what is stored to comes last, before it the one that walks what is read;
    // where both are the same one, its iterations become lanes.
    void put_in_order(const Nest& nest) {
        const auto to = walker(nest, {nest.store->indices.begin(), nest.store->indices.end()});
        if (!to) return;
        const Expr value = nest.store->value;
        std::optional<std::size_t> from = to;
        if (value->op == Op::Load) {
            from = walker(nest, {value->args.begin(), value->args.end()});
            if (!from) return;
        }
        Names order;
        for (std::size_t k = 0; k < nest.loops.size(); ++k) {
            if (k != *to && k != *from) order.push_back(*nest.loops[k]->var->name);
        }
        if (*from != *to) order.push_back(*nest.loops[*from]->var->name);
        order.push_back(*nest.loops[*to]->var->name);
        const bool is_last = *to + 1 == nest.loops.size();
        const bool is_run =
            is_counted(*nest.loops[*to]) && *from == *to &&
            value_of(nest.loops[*to]->hi) - value_of(nest.loops[*to]->lo) >= kLeastRun;
        if (!is_last && order.size() > 1 && !done(primitives_.reorder(order))) return;
        if (is_run) primitives_.vectorize(order.back());
    }

    Proposer& p_;
    Primitives primitives_;
    std::set<std::string> refused_;
};

}  // namespace

void copy_in_runs(Proposer& p) {
    CopyLoops(p).run();
}

}  // namespace proviso::rewrite
