#include "verify/check/map/leaves.h"

#include <fmt/format.h>

#include <algorithm>

#include "ir/child_at.h"
#include "ir/text.h"

namespace proviso::verify {

using namespace ir;

std::vector<Expr> Leaf::loops() const {
    std::vector<Expr> out;
    for (const Binder& b : binders) {
        if (b.value == nullptr) out.push_back(b.var);
    }
    return out;
}

Substitution Leaf::values(Context& ctx) const {
    Substitution out;
    for (const Binder& b : binders) {
        if (b.value != nullptr) out[b.var] = substitute(ctx, b.value, out);
    }
    return out;
}

namespace {

class Collector {
  public:
    explicit Collector(Context& ctx) : ctx_(ctx) {}

    void visit(Stmt s) {
        std::visit(Overloaded{
                       [&](const For& n) { loop(n); },
                       [&](const IfElse& n) {
                           within("then", n.then_body, {n.cond});
                           if (n.else_body != nullptr) {
                               within("else", n.else_body, {ctx_.not_(n.cond)});
                           }
                       },
                       [&](const Seq& n) {
                           for (std::size_t k = 0; k < n.body.size(); ++k) {
                               within(std::to_string(k), n.body[k], {});
                           }
                       },
                       [&](const LetStmt& n) {
                           here_.binders.push_back({n.var, nullptr, nullptr, n.value});
                           within("body", n.body, {equal(n.value, n.var)});
                           here_.binders.pop_back();
                       },
                       [&](const Block& n) { block(n); },
                       [&](const Allocate&) { take(s); },
                       [&](const Store&) { take(s); },
                       [&](const Assert&) { take(s); },
                       [&](const Assume&) { take(s); },
                       [&](const Evaluate&) { take(s); },
                   },
                   s->data);
    }

    std::vector<Leaf> found;

  private:
    Expr equal(Expr value, Expr var) {
        return var->type.is_float() ? ctx_.same(value, var) : ctx_.eq(value, var);
    }

    void take(Stmt s) {
        found.push_back(here_);
        found.back().stmt = s;
        found.back().number = found.size() - 1;
    }

    void within(const std::string& label, Stmt s, const std::vector<Expr>& conditions) {
        here_.at = here_.at.child(label);
        const std::size_t before = here_.conditions.size();
        for (Expr c : conditions) {
            if (!is_true(c)) here_.conditions.push_back(c);
        }
        visit(s);
        here_.conditions.resize(before);
        here_.at = here_.at.parent();
    }

    void loop(const For& n) {
        const bool serial = n.kind == ForKind::Serial || n.kind == ForKind::Unrolled;
        here_.binders.push_back({n.var, n.lo, n.hi, nullptr, !serial});
        within("body", n.body, {ctx_.le(n.lo, n.var), ctx_.lt(n.var, n.hi)});
        here_.binders.pop_back();
    }

    // Its expansion: a guard, lets, and the initialisation under a guard of its own.
    void block(const Block& n) {
        std::vector<Expr> conditions = {n.predicate};
        std::vector<Expr> start;
        for (const BlockIter& it : n.iters) {
            here_.binders.push_back({it.var, nullptr, nullptr, it.binding});
            conditions.push_back(equal(it.binding, it.var));
            if (it.kind == IterKind::Reduce) start.push_back(ctx_.eq(it.binding, it.lo));
        }
        if (n.init != nullptr) {
            std::vector<Expr> first = conditions;
            first.insert(first.end(), start.begin(), start.end());
            within("init", n.init, first);
        }
        within("body", n.body, conditions);
        here_.binders.resize(here_.binders.size() - n.iters.size());
    }

    Context& ctx_;
    Leaf here_;
};

bool commutes(Op op) {
    return op == Op::Add || op == Op::Mul || op == Op::And || op == Op::Or || op == Op::BitAnd ||
           op == Op::BitOr || op == Op::BitXor || op == Op::Eq || op == Op::Ne;
}

// Of exact integers and conditions that read nothing: an index, a size.
bool is_index(Expr e) {
    return (e->type.is_exact_int() || e->type.is_bool()) && e->within == 0;
}

std::string shape(Expr e);

// The operands, in an order that does not depend on how those that commute are written.
std::vector<Expr> operands(Expr e) {
    std::vector<Expr> out(e->args.begin(), e->args.end());
    if (!commutes(e->op)) return out;
    std::vector<std::pair<std::string, Expr>> keyed;
    for (Expr a : out) keyed.emplace_back(shape(a), a);
    std::stable_sort(keyed.begin(), keyed.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    for (std::size_t k = 0; k < out.size(); ++k) out[k] = keyed[k].second;
    return out;
}

std::string shape(Expr e) {
    if (is_const(e)) return is_index(e) ? "#" : print(e);
    if (is_index(e)) return "#";
    if (e->op == Op::Load) return e->buffer->name + "[]";
    if (e->op == Op::Var) return e->type.str();
    std::string out = fmt::format("({}:{}", static_cast<int>(e->op), e->type.str());
    if (e->op == Op::Math) out += fmt::format("/{}", e->bits);
    if (e->name != nullptr && e->op == Op::CallExtern) out += "/" + *e->name;
    for (Expr a : operands(e)) out += " " + shape(a);
    return out + ")";
}

void pair_up(Expr one, Expr other, IndexPairs& out) {
    if (one->op == Op::Load && other->op == Op::Load && one->buffer->name == other->buffer->name) {
        for (std::size_t k = 0; k < one->args.size() && k < other->args.size(); ++k) {
            out.loaded.emplace_back(one->arg(k), other->arg(k));
            pair_up(one->arg(k), other->arg(k), out);
        }
        return;
    }
    if (one->op != other->op || one->args.size() != other->args.size()) return;
    const std::vector<Expr> a = operands(one);
    const std::vector<Expr> b = operands(other);
    for (std::size_t k = 0; k < a.size(); ++k) pair_up(a[k], b[k], out);
}

void pair_up(Stmt one, Stmt other, IndexPairs& out) {
    if (one->data.index() != other->data.index()) return;
    const std::vector<Child> a = children(one);
    const std::vector<Child> b = children(other);
    const bool is_store = one->is<Store>();
    for (std::size_t k = 0; k < a.size() && k < b.size(); ++k) {
        if (a[k].stmt != nullptr && b[k].stmt != nullptr) pair_up(a[k].stmt, b[k].stmt, out);
        if (a[k].expr == nullptr || b[k].expr == nullptr) continue;
        if (is_store && a[k].label != "value") out.stored.emplace_back(a[k].expr, b[k].expr);
        pair_up(a[k].expr, b[k].expr, out);
    }
}

}  // namespace

std::vector<Leaf> leaves_of(Context& ctx, Stmt text) {
    Collector all(ctx);
    all.visit(text);
    return std::move(all.found);
}

bool over_parameters(const Function& f, Expr e) {
    const std::vector<Expr> scalars = f.scalar_params();
    const std::vector<Expr> free = free_vars(e);
    return is_plain_term(e) && std::all_of(free.begin(), free.end(), [&](Expr v) {
               return std::find(scalars.begin(), scalars.end(), v) != scalars.end();
           });
}

Stmt with_statement(Context& ctx, Stmt text, const Site& at, Stmt put) {
    if (at.steps.empty()) return put;
    Site below = at;
    const std::string label = at.steps.front();
    below.steps.erase(below.steps.begin());
    return with_child(ctx, text, label,
                      {with_statement(ctx, child_at(text, label).stmt, below, put), nullptr});
}

std::string shape_of(Stmt leaf) {
    std::string out = fmt::format("{}", leaf->data.index());
    if (const Store* n = leaf->as<Store>()) out += " " + n->buffer->name;
    if (const Assert* n = leaf->as<Assert>()) out += " " + n->message;
    if (const Allocate* n = leaf->as<Allocate>()) {
        out += fmt::format(" {}/{}", n->buffer->type.str(), n->buffer->rank());
    }
    if (const For* n = leaf->as<For>()) out += fmt::format("/{}", static_cast<int>(n->kind));
    for (const Child& c : children(leaf)) {
        const bool index = leaf->is<Store>() && c.label != "value";
        if (c.expr != nullptr && !index) out += " " + shape(c.expr);
        if (c.stmt != nullptr) out += " {" + shape_of(c.stmt) + "}";
    }
    return out;
}

std::string weak_shape_of(Stmt leaf) {
    const Store* n = leaf->as<Store>();
    if (n == nullptr) return shape_of(leaf);
    const std::vector<Buffer> read = loaded_buffers(n->value);
    const bool of_itself = std::find(read.begin(), read.end(), n->buffer) != read.end();
    return (of_itself ? "updates " : "stores ") + n->buffer->name;
}

IndexPairs index_pairs(Stmt one, Stmt other) {
    IndexPairs out;
    pair_up(one, other, out);
    return out;
}

}  // namespace proviso::verify
