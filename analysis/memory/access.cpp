#include "analysis/memory/access.h"

#include <algorithm>
#include <optional>

#include "analysis/facts/facts.h"
#include "analysis/facts/path.h"
#include "ir/child_at.h"
#include "ir/planted.h"
#include "ir/well_formed.h"

namespace proviso::analysis {

using namespace ir;

namespace {

const Label kBody = "body";
const Label kThen = "then";
const Label kElse = "else";
const Label kInit = "init";

bool is_concurrent(ForKind kind) {
    return kind == ForKind::Parallel || kind == ForKind::Vectorized ||
           kind == ForKind::ThreadBinding;
}

bool depends_on_data(Expr e) {
    return has_op(e, Op::Load) || has_op(e, Op::CallExtern) || has_op(e, Op::Undef);
}

// Walks the function keeping what surrounds the current point.
class Collector {
  public:
    Collector(Context& ctx, const Function& f) : ctx_(ctx), function_(f) {}

    std::vector<Access> run() {
        Site root;
        statement(function_.body, root);
        return std::move(out_);
    }

    // Stops at `target` and returns the state there as a pseudo access.
    Access point(const Site& target) {
        target_ = &target;
        Site root;
        statement(function_.body, root);
        PROVISO_CHECK(found_, "point_at: no such statement " + target.str());
        return point_;
    }

  private:
    struct State {
        std::vector<Expr> loops;
        std::vector<Expr> opaque;
        std::vector<Expr> may;
        std::vector<Expr> plain;
        std::vector<Access::Surrounding> surrounding;
        std::vector<OrderStep> order;
        Substitution lets;
    };

    // How much of the state there is: it only grows, and is cut back.
    struct Mark {
        std::size_t loops, opaque, may, plain, surrounding, order, bound;
    };

    Mark mark() const {
        return {state_.loops.size(), state_.opaque.size(),      state_.may.size(),
                state_.plain.size(), state_.surrounding.size(), state_.order.size(),
                bound_.size()};
    }

    void back_to(const Mark& m) {
        state_.loops.resize(m.loops);
        state_.opaque.resize(m.opaque);
        state_.may.resize(m.may);
        state_.plain.resize(m.plain);
        state_.surrounding.resize(m.surrounding);
        state_.order.resize(m.order);
        for (; bound_.size() > m.bound; bound_.pop_back()) {
            const auto& [var, before] = bound_.back();
            if (before == nullptr) {
                state_.lets.erase(var);
            } else {
                state_.lets[var] = before;
            }
        }
    }

    bool is_shifting(Expr e) {
        const std::vector<Buffer> read = loaded_buffers(e);
        return has_op(e, Op::CallExtern) || has_op(e, Op::Undef) ||
               (has_op(e, Op::Let) && !read.empty()) ||
               std::any_of(read.begin(), read.end(),
                           [&](Buffer b) { return stores_to(ctx_, function_, b); });
    }

    Expr inline_lets(Expr e) { return substitute(ctx_, e, state_.lets); }

    // A condition that holds `depth` steps below the root, for one iteration of the loops so far.
    void guard(Expr condition, std::size_t depth) {
        Expr c = inline_lets(condition);
        if (depends_on_data(c)) {
            state_.surrounding.push_back({depth, state_.loops, nullptr, c});
            return;
        }
        state_.may.push_back(c);
        state_.plain.push_back(c);
    }

    void position(int rank, const Site& site) {
        state_.order.push_back(
            OrderStep{OrderStep::Kind::Position, rank, nullptr, false, site.steps.size()});
    }

    void bind(Expr var, Expr value, std::size_t depth) {
        Expr v = inline_lets(value);
        if (depends_on_data(v)) {
            state_.opaque.push_back(var);
            state_.surrounding.push_back({depth, state_.loops, var, nullptr});
        } else {
            Expr& value_there = state_.lets[var];
            bound_.emplace_back(var, value_there);
            value_there = v;
        }
    }

    Access here(const Site& site, const Site& statement) {
        Access a;
        a.site = site;
        a.statement = statement;
        a.loops = state_.loops;
        a.opaque = state_.opaque;
        a.lets = state_.lets;
        a.may = ctx_.all_of(state_.may);
        a.plain = ctx_.all_of(state_.plain);
        const bool guarded = std::any_of(state_.surrounding.begin(), state_.surrounding.end(),
                                         [](const auto& s) { return s.var == nullptr; });
        a.must = guarded ? ctx_.false_() : a.plain;
        a.surrounding = state_.surrounding;
        a.order = state_.order;
        return a;
    }

    void emit(bool is_store, Buffer buffer, std::span<const Expr> indices, Expr value,
              const Site& site, const Site& statement) {
        Access a = here(site, statement);
        a.is_store = is_store;
        a.buffer = buffer;
        for (Expr i : indices) {
            a.indices.push_back(inline_lets(i));
            a.shifting.push_back(is_shifting(a.indices.back()));
        }
        if (value != nullptr) a.value = inline_lets(value);
        a.is_param = function_.find_buffer_param(buffer->name) == buffer;
        out_.push_back(std::move(a));
    }

    // Loads of an expression, in evaluation order. All loads of one expression see one memory, so
    // they share a rank.
    void expression(Expr e, Site& site, const Site& stmt_site) {
        if (!has_op(e, Op::Load)) return;
        // A permission's `B[i] == T.undef()` does not look at the cell.
        const bool permission = in_assume_ && is_read_permission(e);
        const Mark saved = mark();
        for (std::size_t i = 0; i < e->args.size(); ++i) {
            site.steps.push_back("a" + std::to_string(i));
            const std::size_t depth = site.steps.size();
            if (i > 0 && is_lazy(e->op)) guard(ctx_.evaluated_where(e, i), depth);
            if (i > 0 && e->op == Op::Let) bind(ctx_.var(*e->name, e->var_type), e->arg(0), depth);
            if (permission && e->arg(i)->op == Op::Load) {
                for (std::size_t k = 0; k < e->arg(i)->args.size(); ++k) {
                    site.steps.push_back("a" + std::to_string(k));
                    expression(e->arg(i)->arg(k), site, stmt_site);
                    site.steps.pop_back();
                }
            } else {
                expression(e->arg(i), site, stmt_site);
            }
            site.steps.pop_back();
            back_to(saved);
        }
        if (e->op == Op::Load) emit(false, e->buffer, e->args, nullptr, site, stmt_site);
    }

    // An expression child of the statement at `site`, evaluated with rank `rank` among the
    // statement's parts.
    void evaluated(Expr e, const Site& site, const std::string& label, int rank) {
        if (target_ != nullptr || !has_op(e, Op::Load)) return;  // no access is asked for, or made
        const Mark saved = mark();
        position(rank, site);
        Site at = site.child(label);
        expression(e, at, site);
        back_to(saved);
    }

    void inner(Stmt s, Site& site, const Label& label, int rank) {
        position(rank, site);
        below(s, site, label);
    }

    // The statement at the step `label` from `site`: which is `site` meanwhile, since copies of
    // sites cost as much as they are deep. Of a point, only on the way to it.
    void below(Stmt s, Site& site, const Label& label) {
        if (target_ != nullptr && (found_ || target_->steps[site.steps.size()] != label)) return;
        site.steps.push_back(label);
        statement(s, site);
        site.steps.pop_back();
    }

    void statement(Stmt s, Site& site) {
        if (target_ != nullptr && target_->steps.size() == site.steps.size()) {
            point_ = here(site, site);
            found_ = true;
            return;
        }
        const Mark saved = mark();
        std::visit([&](const auto& n) { visit(n, site); }, s->data);
        back_to(saved);
    }

    void visit(const Store& n, Site& site) {
        for (std::size_t i = 0; i < n.indices.size(); ++i) {
            evaluated(n.indices[i], site, "index" + std::to_string(i), 0);
        }
        evaluated(n.value, site, "value", 0);
        position(1, site);
        emit(true, n.buffer, n.indices, n.value, site, site);
    }

    void visit(const For& n, Site& site) {
        evaluated(n.lo, site, "lo", 0);
        evaluated(n.hi, site, "hi", 0);
        position(1, site);
        Expr lo = inline_lets(n.lo);
        Expr hi = inline_lets(n.hi);
        state_.loops.push_back(n.var);
        guard(ctx_.le(lo, n.var), site.steps.size() + 1);
        guard(ctx_.lt(n.var, hi), site.steps.size() + 1);
        state_.order.push_back(
            OrderStep{OrderStep::Kind::Loop, 0, n.var, is_concurrent(n.kind), site.steps.size()});
        below(n.body, site, kBody);
    }

    void visit(const IfElse& n, Site& site) {
        evaluated(n.cond, site, "cond", 0);
        const Mark saved = mark();
        guard(n.cond, site.steps.size() + 1);
        inner(n.then_body, site, kThen, 1);
        back_to(saved);
        if (n.else_body != nullptr) {
            guard(ctx_.not_(n.cond), site.steps.size() + 1);
            inner(n.else_body, site, kElse, 2);
        }
    }

    void visit(const Seq& n, Site& site) {
        const Mark saved = mark();
        const std::optional<std::size_t> only =
            target_ == nullptr ? std::nullopt
                               : list_position(target_->steps[site.steps.size()], n.body.size());
        for (std::size_t i = 0; i < n.body.size(); ++i) {
            if (only && i != *only) continue;
            inner(n.body[i], site, std::to_string(i), static_cast<int>(i));
            back_to(saved);
        }
    }

    void visit(const LetStmt& n, Site& site) {
        evaluated(n.value, site, "value", 0);
        bind(n.var, n.value, site.steps.size() + 1);
        inner(n.body, site, kBody, 1);
    }

    void visit(const Allocate& n, Site& site) { below(n.body, site, kBody); }
    void visit(const Assert& n, Site& site) { evaluated(n.cond, site, "cond", 0); }
    void visit(const Assume& n, Site& site) {
        in_assume_ = true;
        evaluated(n.cond, site, "cond", 0);
        in_assume_ = false;
    }
    void visit(const Evaluate& n, Site& site) { evaluated(n.value, site, "value", 0); }

    void visit(const Block& n, Site& site) {
        evaluated(n.predicate, site, "predicate", 0);
        guard(n.predicate, site.steps.size() + 1);
        for (std::size_t i = 0; i < n.iters.size(); ++i) {
            evaluated(n.iters[i].binding, site, "bind" + std::to_string(i), 1);
        }
        // Claims are checked, so what they read is read, although no step can change it there.
        for (const BlockIter& it : n.iters) {
            for (Expr e : {it.lo, it.hi}) evaluated(e, site, "domain", 1);
        }
        for (const BlockIter& it : n.iters) bind(it.var, it.binding, site.steps.size() + 1);
        for (const auto* regions : {&n.reads, &n.writes}) {
            if (!regions->has_value()) continue;
            for (const BufferRegion& r : **regions) {
                for (const auto& [lo, hi] : r.ranges) {
                    for (Expr e : {lo, hi}) evaluated(e, site, "region", 1);
                }
            }
        }
        if (n.init != nullptr) {
            const Mark saved = mark();
            for (const BlockIter& it : n.iters) {
                if (it.kind == IterKind::Reduce) {
                    guard(ctx_.eq(it.var, it.lo), site.steps.size() + 1);
                }
            }
            inner(n.init, site, kInit, 2);
            back_to(saved);
        }
        inner(n.body, site, kBody, 3);
    }

    Context& ctx_;
    const Function& function_;
    State state_;
    std::vector<std::pair<Expr, Expr>> bound_;  // names in `lets`; what they were before, or null
    std::vector<Access> out_;
    bool in_assume_ = false;
    const Site* target_ = nullptr;
    Access point_;
    bool found_ = false;
};

}  // namespace

std::vector<Access> accesses(Context& ctx, const Function& f) {
    return Collector(ctx, f).run();
}

Access point_at(Context& ctx, const Function& f, const Site& site) {
    return Collector(ctx, f).point(site);
}

const Access* find_store(const std::vector<Access>& all, const Site& statement) {
    for (const Access& a : all) {
        if (a.is_store && a.statement == statement) return &a;
    }
    return nullptr;
}

std::vector<Expr> Instance::index(Context& ctx) const {
    std::vector<Expr> out;
    for (std::size_t d = 0; d < access->indices.size(); ++d) {
        const auto any = unknown.find(d);
        out.push_back(any != unknown.end() ? any->second : substitute(ctx, access->indices[d], at));
    }
    return out;
}

Expr Instance::may(Context& ctx) const {
    return substitute(ctx, access->may, at);
}
Expr Instance::must(Context& ctx) const {
    return substitute(ctx, access->must, at);
}
Expr Instance::value(Context& ctx) const {
    return substitute(ctx, access->value, at);
}

Site Access::outer(std::size_t depth) const {
    PROVISO_CHECK(depth <= site.steps.size(), "an access is below what is around it");
    return first_steps(site, depth);
}

std::size_t common_steps(const Site& a, const Site& b) {
    const auto [end, other] =
        std::mismatch(a.steps.begin(), a.steps.end(), b.steps.begin(), b.steps.end());
    return static_cast<std::size_t>(end - a.steps.begin());
}

Instance itself(const Access& a) {
    return Instance{&a, {}, {}};
}

Instance renamed(Context& ctx, const Access& a, TakenNames& used) {
    Instance out{&a, {}, {}};
    for (std::size_t d = 0; d < a.shifting.size(); ++d) {
        if (!a.shifting[d]) continue;
        out.unknown[d] = ctx.var(fresh_name("index", used), a.indices[d]->type);
    }
    for (const auto* vars : {&a.loops, &a.opaque}) {
        for (Expr v : *vars) {
            out.at[v] = ctx.var(fresh_name(*v->name, used), v->type);
        }
    }
    return out;
}

namespace {

// Compares positions lexicographically. `unordered` is the answer for different iterations of one
// concurrent loop.
Expr before(Context& ctx, const Instance& a, const Instance& b, bool unordered) {
    const auto& left = a.access->order;
    const auto& right = b.access->order;
    // Built from the innermost common construct outwards; first find where the paths part.
    const std::size_t shared = common_steps(a.access->site, b.access->site);
    const auto is_same = [&](std::size_t k) {  // construct
        return left[k].depth == right[k].depth && left[k].depth <= shared;
    };
    std::size_t common = 0;
    while (common < left.size() && common < right.size() && is_same(common) &&
           left[common].kind == right[common].kind) {
        if (left[common].kind == OrderStep::Kind::Position &&
            left[common].position != right[common].position) {
            break;
        }
        ++common;
    }
    bool decided = false;
    if (common < left.size() && common < right.size() && is_same(common)) {
        decided = left[common].position < right[common].position;
    } else if (common == left.size() && common < right.size()) {
        // `a` is a point at a statement that contains `b`: just before everything in it.
        decided = true;
    }
    Expr out = ctx.bool_imm(decided);
    for (std::size_t k = common; k-- > 0;) {
        if (left[k].kind != OrderStep::Kind::Loop) continue;
        Expr i = substitute(ctx, left[k].var, a.at);
        Expr j = substitute(ctx, right[k].var, b.at);
        if (i == j) continue;
        Expr equal_and_rest = is_false(out) ? out : ctx.all_of({ctx.eq(i, j), out});
        if (left[k].concurrent) {
            out = unordered ? ctx.any_of({ctx.ne(i, j), equal_and_rest}) : equal_and_rest;
        } else {
            out = ctx.any_of({ctx.lt(i, j), equal_and_rest});
        }
    }
    return out;
}

}  // namespace

Expr may_be_before(Context& ctx, const Instance& a, const Instance& b) {
    return before(ctx, a, b, true);
}

Expr must_be_before(Context& ctx, const Instance& a, const Instance& b) {
    return before(ctx, a, b, false);
}

Expr must_given(Context& ctx, const Instance& a, const Site& point, const OnData& on_data) {
    std::vector<Expr> out = {substitute(ctx, a.access->plain, a.at)};
    const std::size_t shared = common_steps(a.access->site, point);
    for (const Access::Surrounding& s : a.access->surrounding) {
        if (s.var != nullptr) continue;
        if (s.depth > shared) {
            if (on_data == nullptr) return ctx.false_();
            out.push_back(on_data(s));
            continue;
        }
        if (planted("claims:guard-of-another-iteration")) continue;
        for (Expr v : s.loops) {
            Expr at = substitute(ctx, v, a.at);
            if (at != v) out.push_back(ctx.eq(at, v));
        }
    }
    return ctx.all_of(out);
}

void for_each_conflict(const std::vector<const Access*>& left,
                       const std::vector<const Access*>& right,
                       const std::function<void(const Access&, const Access&)>& conflict) {
    for (const Access* a : left) {
        for (const Access* b : right) {
            if (a->buffer == b->buffer && (a->is_store || b->is_store)) conflict(*a, *b);
        }
    }
}

std::vector<Expr> meeting(Context& ctx, const Instance& a, const Instance& b) {
    return {a.may(ctx), b.may(ctx), same_cell(ctx, a.index(ctx), b.index(ctx))};
}

Expr same_cell(Context& ctx, const std::vector<Expr>& a, const std::vector<Expr>& b) {
    PROVISO_CHECK(a.size() == b.size(), "same_cell: different ranks");
    std::vector<Expr> out;
    for (std::size_t i = 0; i < a.size(); ++i) {
        if (a[i] == b[i]) continue;
        if (a[i]->type == b[i]->type) {
            out.push_back(ctx.eq(a[i], b[i]));
        } else {
            out.push_back(ctx.eq(ctx.cast(kInt64, a[i]), ctx.cast(kInt64, b[i])));
        }
    }
    return ctx.all_of(out);
}

}  // namespace proviso::analysis
