#include "rewrite/expression_rules/matcher.h"

#include <algorithm>

#include "ir/children.h"

namespace proviso::rewrite {

using ir::Expr;
using ir::Op;

namespace {

constexpr std::size_t kMaxArity = 3;

bool has_payload(Op op) {
    return op == Op::IntImm || op == Op::FloatImm || op == Op::Math;
}

// Whether two patterns differ in the names of their variables only: then they match the same terms.
struct SameShape {
    std::array<int, kSlots> there{};  // the slot in the other one, from 1; 0: not met
    std::array<int, kSlots> here{};

    bool operator()(Expr a, Expr b) {
        if (a->op != b->op || a->type != b->type) return false;
        if (a->op == Op::Var) {
            const int x = slot_of(a);
            const int y = slot_of(b);
            int& to = there[static_cast<std::size_t>(x)];
            int& from = here[static_cast<std::size_t>(y)];
            if (to == 0 && from == 0) {
                to = y + 1;
                from = x + 1;
            }
            return to == y + 1 && from == x + 1 && is_constant_slot(x) == is_constant_slot(y);
        }
        if (has_payload(a->op) && a->bits != b->bits) return false;
        for (std::size_t i = 0; i < a->args.size(); ++i) {
            if (!(*this)(a->arg(i), b->arg(i))) return false;
        }
        return true;
    }
};

bool any_commutes(Expr e) {
    if (e->args.empty()) return false;
    return commutes(e->op, e->args.back()->type) ||
           std::any_of(e->args.begin(), e->args.end(), any_commutes);
}

std::vector<Expr> orders_of(ir::Context& ctx, Expr e) {
    if (!any_commutes(e)) return {e};
    if (e->args.size() == 2) {
        std::vector<Expr> out;
        const bool swaps = commutes(e->op, e->arg(0)->type);
        const std::vector<Expr> left = orders_of(ctx, e->arg(0));
        for (Expr b : orders_of(ctx, e->arg(1))) {
            for (Expr a : left) {
                out.push_back(ir::with_args(ctx, e, std::array<Expr, 2>{a, b}));
                if (swaps) out.push_back(ctx.make(e->op, {b, a}));
            }
        }
        return out;
    }
    std::vector<std::vector<Expr>> lists = {{}};
    for (Expr a : e->args) {
        std::vector<std::vector<Expr>> longer;
        for (Expr variant : orders_of(ctx, a)) {
            for (std::vector<Expr> list : lists) {
                list.push_back(variant);
                longer.push_back(std::move(list));
            }
        }
        lists = std::move(longer);
    }
    std::vector<Expr> out;
    for (const std::vector<Expr>& list : lists) out.push_back(ir::with_args(ctx, e, list));
    return out;
}

}  // namespace

bool commutes(Op op, ir::ScalarType operand_type) {
    switch (op) {
        case Op::Add:
        case Op::Mul:
        case Op::Eq:
        case Op::Ne:
        case Op::BitAnd:
        case Op::BitOr:
        case Op::BitXor: return true;
        case Op::Min:
        case Op::Max: return operand_type.is_int();
        default: return false;
    }
}

std::vector<Expr> commuted_variants(ir::Context& ctx, Expr left) {
    std::vector<Expr> out;
    for (Expr variant : orders_of(ctx, left)) {
        const bool known = std::any_of(
            out.begin(), out.end(), [variant](Expr other) { return SameShape{}(variant, other); });
        if (!known) out.push_back(variant);
    }
    return out;
}

void Matcher::add(ir::Context& ctx, const RuleInstance& rule) {
    for (Expr variant : commuted_variants(ctx, rule.left)) add_variant(variant, rule);
}

std::uint32_t Matcher::follow(std::uint32_t node, const Edge& edge) {
    nodes_[node].from.clear();
    for (const Edge& e : nodes_[node].edges) {
        if (e.test == edge.test && e.op == edge.op && e.slot == edge.slot && e.type == edge.type &&
            e.bits == edge.bits) {
            return e.next;
        }
    }
    const auto next = static_cast<std::uint32_t>(nodes_.size());
    nodes_.emplace_back();
    nodes_[node].edges.push_back(edge);
    nodes_[node].edges.back().next = next;
    return next;
}

void Matcher::add_variant(Expr left, const RuleInstance& rule) {
    PROVISO_CHECK(!left->args.empty(), "a left side that is a leaf would match everything");
    std::vector<Root>& roots = roots_[static_cast<std::size_t>(left->op)];
    auto root = std::find_if(roots.begin(), roots.end(),
                             [&](const Root& r) { return r.operand == operand_type(left); });
    if (root == roots.end()) {
        roots.push_back({operand_type(left), static_cast<std::uint32_t>(nodes_.size())});
        root = roots.end() - 1;
        nodes_.emplace_back();
    }
    std::uint32_t at = root->node;
    std::array<bool, kSlots> bound{};
    const auto path = [&](const auto& self, Expr e) -> void {
        Edge edge{Test::Symbol, e->op, 0, e->type, 0, 0};
        if (e->op == Op::Var) {
            const int slot = slot_of(e);
            edge.slot = static_cast<std::uint8_t>(slot);
            edge.op = Op::Var;
            edge.test = is_constant_slot(slot) ? Test::BindConstant : Test::Bind;
            if (bound[static_cast<std::size_t>(slot)]) edge.test = Test::Same;
            bound[static_cast<std::size_t>(slot)] = true;
            at = follow(at, edge);
            return;
        }
        PROVISO_CHECK(e->args.size() <= kMaxArity, "a pattern with too many arguments");
        if (has_payload(e->op)) edge.bits = e->bits;
        at = follow(at, edge);
        for (Expr a : e->args) self(self, a);
    };
    path(path, left);
    nodes_[at].rules.push_back(&rule);
}

void Matcher::seal() {
    constexpr std::size_t many = 5;
    for (Node& n : nodes_) {
        n.from.clear();
        n.picks.clear();
        if (n.edges.size() < many) continue;
        for (int op = 0; op <= ir::kOpCount; ++op) {
            n.from.push_back(static_cast<std::uint16_t>(n.picks.size()));
            const bool literal =
                op == static_cast<int>(Op::IntImm) || op == static_cast<int>(Op::FloatImm);
            for (std::size_t i = 0; i < n.edges.size() && op < ir::kOpCount; ++i) {
                const Edge& edge = n.edges[i];
                const bool passes = edge.test == Test::Symbol
                                        ? op == static_cast<int>(edge.op)
                                        : edge.test != Test::BindConstant || literal;
                if (passes) n.picks.push_back(static_cast<std::uint16_t>(i));
            }
        }
        PROVISO_CHECK(n.picks.size() < 0xffff, "too many edges at a node of the net");
    }
}

bool Matcher::match(Expr e, const Visit& visit) const {
    if (e->args.empty()) return false;
    const std::vector<Root>& roots = roots_[static_cast<std::size_t>(e->op)];
    const auto root = std::find_if(roots.begin(), roots.end(),
                                   [e](const Root& r) { return r.operand == operand_type(e); });
    if (root == roots.end()) return false;
    Bindings bindings;
    const Pending first{e, nullptr};
    return walk(root->node, &first, bindings, visit);
}

inline bool Matcher::fits(const Edge& edge, Expr term, const Bindings& bindings) {
    switch (edge.test) {
        case Test::Same: return bindings.terms[edge.slot] == term;
        case Test::Bind: return true;
        case Test::BindConstant: return ir::is_const(term);
        case Test::Symbol:
            return term->op == edge.op && (!has_payload(edge.op) || term->bits == edge.bits);
    }
    PROVISO_CHECK(false, "a test out of the list");
}

bool Matcher::walk(std::uint32_t node, const Pending* pending, Bindings& bindings,
                   const Visit& visit) const {
    const Node& n = nodes_[node];
    if (pending == nullptr) {
        return std::any_of(n.rules.begin(), n.rules.end(), [&](const RuleInstance* rule) {
            return where_holds(*rule, bindings) && visit(*rule, bindings);
        });
    }
    if (n.from.empty()) {
        for (const Edge& edge : n.edges) {
            if (follow(edge, pending, bindings, visit)) return true;
        }
        return false;
    }
    const auto op = static_cast<std::size_t>(pending->term->op);
    for (std::size_t i = n.from[op]; i < n.from[op + 1]; ++i) {
        if (follow(n.edges[n.picks[i]], pending, bindings, visit)) return true;
    }
    return false;
}

// The rest of a match, once the edge's own test has passed.
bool Matcher::take(const Edge& edge, const Pending* pending, Bindings& bindings,
                   const Visit& visit) const {
    const Expr term = pending->term;
    switch (edge.test) {
        case Test::Same: return walk(edge.next, pending->rest, bindings, visit);
        case Test::BindConstant:
        case Test::Bind: {
            bindings.terms[edge.slot] = term;
            const bool done = walk(edge.next, pending->rest, bindings, visit);
            bindings.terms[edge.slot] = nullptr;
            return done;
        }
        case Test::Symbol: {
            std::array<Pending, kMaxArity> args;  // as many as are needed are set
            const Pending* rest = pending->rest;
            for (std::size_t i = term->args.size(); i-- > 0;) {
                args[i] = {term->arg(i), rest};
                rest = &args[i];
            }
            return walk(edge.next, rest, bindings, visit);
        }
    }
    PROVISO_CHECK(false, "a test out of the list");
}

}  // namespace proviso::rewrite
