#include "ir/children.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <tuple>
#include <type_traits>
#include <unordered_map>
#include <unordered_set>

#include "ir/child_at.h"
#include "ir/planted.h"
#include "ir/redirect.h"

namespace proviso::ir {

namespace {

constexpr std::size_t kOnly = std::numeric_limits<std::size_t>::max();  // not one of several

// Calls `expr` and `stmt` for each child: the first part of its label, its number among several,
// and the child. What may be absent comes as null.
template <typename Data, typename OnExpr, typename OnStmt>
void visit_children(Data& data, const OnExpr& expr, const OnStmt& stmt) {
    const auto visit = [&](auto& n) {
        using Node = std::remove_cvref_t<decltype(n)>;
        if constexpr (std::is_same_v<Node, Store>) {
            for (std::size_t i = 0; i < n.indices.size(); ++i) expr("index", i, n.indices[i]);
            expr("value", kOnly, n.value);
        } else if constexpr (std::is_same_v<Node, For>) {
            expr("lo", kOnly, n.lo);
            expr("hi", kOnly, n.hi);
            stmt("body", kOnly, n.body);
        } else if constexpr (std::is_same_v<Node, IfElse>) {
            expr("cond", kOnly, n.cond);
            stmt("then", kOnly, n.then_body);
            stmt("else", kOnly, n.else_body);
        } else if constexpr (std::is_same_v<Node, Seq>) {
            for (std::size_t i = 0; i < n.body.size(); ++i) stmt("", i, n.body[i]);
        } else if constexpr (std::is_same_v<Node, LetStmt>) {
            expr("value", kOnly, n.value);
            stmt("body", kOnly, n.body);
        } else if constexpr (std::is_same_v<Node, Allocate>) {
            stmt("body", kOnly, n.body);
        } else if constexpr (std::is_same_v<Node, Evaluate>) {
            expr("value", kOnly, n.value);
        } else if constexpr (std::is_same_v<Node, Block>) {
            expr("predicate", kOnly, n.predicate);
            for (std::size_t i = 0; i < n.iters.size(); ++i) expr("bind", i, n.iters[i].binding);
            stmt("init", kOnly, n.init);
            stmt("body", kOnly, n.body);
        } else {
            static_assert(std::is_same_v<Node, Assert> || std::is_same_v<Node, Assume>);
            expr("cond", kOnly, n.cond);
        }
    };
    std::visit(visit, data);
}

std::string label_of(const char* name, std::size_t number) {
    return number == kOnly ? std::string(name) : name + std::to_string(number);
}
bool is_label(const std::string& label, const char* name, std::size_t number) {
    return number == kOnly ? label == name : label == label_of(name, number);
}

}  // namespace

std::optional<std::size_t> list_position(const std::string& label, std::size_t size) {
    std::size_t k = 0;
    const char* const last = label.data() + label.size();
    const auto [end, code] = std::from_chars(label.data(), last, k);
    const bool canonical = code == std::errc() && end == last && (label[0] != '0' || k == 0);
    if (!canonical || (k == 0 && label.size() != 1) || k >= size) return std::nullopt;
    return k;
}

Located child_at(Stmt s, const std::string& label) {
    if (const Seq* list = s->as<Seq>()) {
        const std::optional<std::size_t> k = list_position(label, list->body.size());
        return k ? Located{list->body[*k], nullptr} : Located{};
    }
    if (const Allocate* n = s->as<Allocate>()) {
        return label == "body" ? Located{n->body, nullptr} : Located{};
    }
    Located out;
    const auto take = [&](const char* name, std::size_t k, auto c) {
        if (is_label(label, name, k)) std::get<decltype(c)&>(std::tie(out.stmt, out.expr)) = c;
    };
    visit_children(s->data, take, take);
    return out;
}

Stmt with_child(Context& ctx, Stmt s, const std::string& label, Located child) {
    StmtData data = s->data;
    const auto put = [&](const char* name, std::size_t k, auto& c) {
        if (is_label(label, name, k)) c = std::get<decltype(c)>(std::tie(child.stmt, child.expr));
    };
    visit_children(data, put, put);
    if (const Seq* list = std::get_if<Seq>(&data)) return ctx.seq(list->body);
    return ctx.stmt(std::move(data));
}

std::vector<Child> children(Stmt s) {
    std::vector<Child> out;
    visit_children(
        s->data,
        [&](const char* name, std::size_t k, Expr e) {
            out.push_back(Child{label_of(name, k), nullptr, e});
        },
        [&](const char* name, std::size_t k, Stmt c) {
            if (c != nullptr) out.push_back(Child{label_of(name, k), c, nullptr});
        });
    return out;
}

Stmt with_children(Context& ctx, Stmt s, const std::vector<Child>& replaced) {
    std::size_t next = 0;
    StmtData data = s->data;
    visit_children(
        data, [&](const char*, std::size_t, Expr& e) { e = replaced.at(next++).expr; },
        [&](const char*, std::size_t, Stmt& c) {
            if (c != nullptr) c = replaced.at(next++).stmt;
        });
    PROVISO_CHECK(next == replaced.size(), "with_children: other number of children");
    if (const Seq* list = std::get_if<Seq>(&data)) return ctx.seq(list->body);
    return ctx.stmt(std::move(data));
}

StmtData without_statements(Stmt s, Stmt mark) {
    StmtData data = s->data;
    visit_children(
        data, [](const char*, std::size_t, Expr) {},
        [&](const char*, std::size_t, Stmt& c) { c = c == nullptr ? nullptr : mark; });
    if (Seq* list = std::get_if<Seq>(&data)) list->body.clear();
    return data;
}

Expr with_args(Context& ctx, Expr e, std::span<const Expr> args) {
    if (std::equal(args.begin(), args.end(), e->args.begin(), e->args.end())) return e;
    const auto list = [args] { return std::vector<Expr>(args.begin(), args.end()); };
    if (e->op == Op::Cast) return ctx.cast(e->type, args[0]);
    if (e->op == Op::Let) return ctx.let(ctx.var(*e->name, e->var_type), args[0], args[1]);
    if (e->op == Op::Load) return ctx.load(e->buffer, list());
    if (e->op == Op::Math) return ctx.math(e->math_fn(), list());
    if (e->op == Op::CallExtern) return ctx.call_extern(e->type, *e->name, list());
    if (e->op == Op::Defined) return ctx.defined(args[0]);
    return ctx.make(e->op, args);  // which takes operators with plain arguments only
}

namespace {

// `visit` on every node that `seen` does not know, arguments before users, without recursion. The
// bodies of lets are left out where `lets_whole` is false.
template <typename Seen, typename Visit>
void post_order(Expr root, bool lets_whole, const Seen& seen, const Visit& visit) {
    std::vector<std::pair<Expr, std::size_t>> path;
    if (!seen(root)) path.emplace_back(root, 0);
    while (!path.empty()) {
        auto& [e, next] = path.back();
        const std::size_t count = e->op == Op::Let && !lets_whole ? 1 : e->args.size();
        if (next < count) {
            Expr a = e->arg(next++);
            if (!seen(a)) path.emplace_back(a, 0);
            continue;
        }
        Expr done = e;
        path.pop_back();
        visit(done);
    }
}

}  // namespace

Expr rewrite_expr(Context& ctx, Expr root, const std::function<Expr(Expr)>& f) {
    std::unordered_map<Expr, Expr> done;
    post_order(
        root, true, [&](Expr e) { return done.count(e) != 0; },
        [&](Expr e) {
            std::vector<Expr> args;
            args.reserve(e->args.size());
            for (Expr a : e->args) args.push_back(done.at(a));
            done.emplace(e, f(with_args(ctx, e, args)));
        });
    return done.at(root);
}

namespace {

// The extents of an allocation are expressions of its scope as well: a buffer of other extents is
// another buffer, of the same name.
Stmt with_extents(Context& ctx, const Allocate& n, Stmt s,
                  const std::function<Expr(Expr)>& on_expr) {
    std::vector<Expr> shape;
    for (Expr extent : n.buffer->shape) shape.push_back(on_expr(extent));
    if (std::equal(shape.begin(), shape.end(), n.buffer->shape.begin())) return s;
    Buffer target = ctx.buffer(n.buffer->name, n.buffer->type, shape, n.buffer->scope);
    const CellMap same{[](std::span<const Expr> at) { return std::vector(at.begin(), at.end()); },
                       [](const Box& box) { return box; }};
    return ctx.stmt(Allocate{target, redirect_buffer(ctx, n.body, n.buffer, target, same)});
}

}  // namespace

Stmt rewrite_stmt(Context& ctx, Stmt s, const std::function<Expr(Expr)>& on_expr,
                  const std::function<Stmt(Stmt)>& on_stmt) {
    const auto map_expr = [&](Expr e) { return on_expr ? on_expr(e) : e; };
    std::vector<Child> parts = children(s);
    bool changed = false;
    for (Child& c : parts) {
        if (c.expr != nullptr) {
            Expr e = map_expr(c.expr);
            changed |= e != c.expr;
            c.expr = e;
        } else {
            Stmt t = rewrite_stmt(ctx, c.stmt, on_expr, on_stmt);
            changed |= t != c.stmt;
            c.stmt = t;
        }
    }
    Stmt out = changed ? with_children(ctx, s, parts) : s;
    const bool with_its_extents = on_expr && !planted("substitution:extents");
    if (const Allocate* n = out->as<Allocate>(); n != nullptr && with_its_extents) {
        out = with_extents(ctx, *n, out, on_expr);
    }
    if (const Block* b = out->as<Block>(); b != nullptr && on_expr) {
        Block copy = *b;
        for (BlockIter& it : copy.iters) {
            it.lo = on_expr(it.lo);
            it.hi = on_expr(it.hi);
        }
        for (auto* regions : {&copy.reads, &copy.writes}) {
            if (!regions->has_value()) continue;
            for (BufferRegion& region : **regions) {
                for (auto& [lo, hi] : region.ranges) {
                    lo = on_expr(lo);
                    hi = on_expr(hi);
                }
            }
        }
        if (!(copy == *b)) out = ctx.stmt(std::move(copy));
    }
    return on_stmt ? on_stmt(out) : out;
}

void for_each_node(Expr root, const std::function<void(Expr)>& f) {
    std::unordered_set<Expr> seen;
    post_order(root, true, [&](Expr e) { return !seen.insert(e).second; }, f);
}

void for_each_stmt(Stmt s, const std::function<void(Stmt)>& f) {
    f(s);
    visit_children(
        s->data, [](const char*, std::size_t, Expr) {},
        [&](const char*, std::size_t, Stmt c) {
            if (c != nullptr) for_each_stmt(c, f);
        });
}

void for_each_expr(Stmt s, const std::function<void(Expr)>& f) {
    for_each_stmt(s, [&](Stmt t) {
        visit_children(
            t->data, [&](const char*, std::size_t, Expr e) { f(e); },
            [](const char*, std::size_t, Stmt) {});
    });
}

std::vector<Expr> free_vars(Expr root) {
    std::vector<Expr> out;
    std::unordered_set<Expr> seen;
    std::unordered_set<Expr> known;
    const auto add = [&](Expr v) {
        if (known.insert(v).second) out.push_back(v);
    };
    post_order(
        root, false, [&](Expr e) { return !seen.insert(e).second; },
        [&](Expr e) {
            if (e->op == Op::Var) add(e);
            if (e->op != Op::Let) return;
            // The variable is identified by name and type.
            for (Expr v : free_vars(e->arg(1))) {
                if (v->name != e->name || v->type != e->var_type) add(v);
            }
        });
    return out;
}

bool occurs_free(Expr var, Expr e) {
    const std::vector<Expr> vars = free_vars(e);
    return std::find(vars.begin(), vars.end(), var) != vars.end();
}

std::vector<Buffer> loaded_buffers(Expr e) {
    std::vector<Buffer> out;
    if (!has_op(e, Op::Load)) return out;
    for_each_node(e, [&](Expr n) {
        if (n->op == Op::Load && std::find(out.begin(), out.end(), n->buffer) == out.end()) {
            out.push_back(n->buffer);
        }
    });
    return out;
}

bool has_op(Expr e, Op op) {
    // What every node says of all below it.
    if (op == Op::Load) return (e->within & kLoadWithin) != 0;
    if (op == Op::Undef) return (e->within & kUndefWithin) != 0;
    if (op == Op::CallExtern) return (e->within & kCallWithin) != 0;
    if (op == Op::Let) return (e->within & kLetWithin) != 0;
    bool found = false;
    for_each_node(e, [&](Expr n) { found |= n->op == op; });
    return found;
}

bool has_any(Expr e, std::initializer_list<Op> ops) {
    return std::any_of(ops.begin(), ops.end(), [&](Op op) { return has_op(e, op); });
}

std::vector<Expr> conjuncts(std::span<const Expr> conditions) {
    std::vector<Expr> out;
    std::vector<Expr> open(conditions.rbegin(), conditions.rend());
    while (!open.empty()) {
        Expr e = open.back();
        open.pop_back();
        if (e->op == Op::And) {
            open.insert(open.end(), {e->arg(1), e->arg(0)});
        } else if (!is_true(e)) {
            out.push_back(e);
        }
    }
    return out;
}

namespace {

// A let whose value has become `value`.
Expr substitute_in_let(Context& ctx, Expr let, Expr value, const Substitution& map) {
    Expr var = ctx.var(*let->name, let->var_type);
    Substitution inner = map;
    inner.erase(var);
    std::set<std::string> avoid;
    for (const auto& [from, to] : inner) {
        for (Expr v : free_vars(to)) avoid.insert(*v->name);
    }
    Expr body = let->arg(1);
    if (avoid.count(*var->name) != 0) {  // would capture: rename the binder first
        for (Expr v : free_vars(body)) avoid.insert(*v->name);
        Expr renamed = ctx.var(fresh_name(*var->name, avoid), var->type);
        body = substitute(ctx, body, {{var, renamed}});
        var = renamed;
    }
    return ctx.let(var, value, substitute(ctx, body, inner));
}

}  // namespace

Expr substitute(Context& ctx, Expr root, const Substitution& map) {
    if (map.empty()) return root;
    std::unordered_map<Expr, Expr> done;
    post_order(
        root, false, [&](Expr e) { return done.count(e) != 0; },
        [&](Expr e) {
            if (e->op == Op::Var) {
                const auto it = map.find(e);
                done.emplace(e, it == map.end() ? e : it->second);
            } else if (e->op == Op::Let) {
                done.emplace(e, substitute_in_let(ctx, e, done.at(e->arg(0)), map));
            } else {
                std::vector<Expr> args;
                args.reserve(e->args.size());
                for (Expr a : e->args) args.push_back(done.at(a));
                done.emplace(e, with_args(ctx, e, args));
            }
        });
    return done.at(root);
}

Stmt substitute(Context& ctx, Stmt s, const Substitution& map) {
    return rewrite_stmt(ctx, s, [&](Expr e) { return substitute(ctx, e, map); }, nullptr);
}

void for_each_bound_name(Stmt s, const std::function<void(const std::string&)>& f) {
    if (const For* n = s->as<For>()) f(*n->var->name);
    if (const LetStmt* n = s->as<LetStmt>()) f(*n->var->name);
    if (const Allocate* n = s->as<Allocate>()) f(n->buffer->name);
    if (const Block* n = s->as<Block>()) {
        for (const BlockIter& it : n->iters) f(*it.var->name);
    }
    visit_children(
        s->data,
        [&](const char*, std::size_t, Expr e) {
            if (!has_op(e, Op::Let)) return;
            for_each_node(e, [&](Expr n) {
                if (n->op == Op::Let) f(*n->name);
            });
        },
        [](const char*, std::size_t, Stmt) {});
}

std::set<std::string> bound_names(const Function& f) {
    std::set<std::string> out = bound_names(f.body);
    for (const Param& p : f.params) out.insert(param_name(p));
    return out;
}

std::set<std::string> bound_names(Stmt s) {
    std::set<std::string> out;
    for_each_stmt(s, [&](Stmt t) {
        for_each_bound_name(t, [&](const std::string& name) { out.insert(name); });
    });
    return out;
}

}  // namespace proviso::ir
