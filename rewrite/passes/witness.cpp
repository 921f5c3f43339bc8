#include "rewrite/passes/witness.h"

#include <algorithm>
#include <optional>

#include "ir/children.h"

namespace proviso::rewrite {

using namespace ir;

namespace {

// A sum of constant multiples of terms, as far as an expression has that shape.
struct Sum {
    std::vector<std::pair<Expr, Int128>> terms;
    Int128 constant = 0;
};

void add_to(Sum& sum, Expr e, Int128 scale) {
    switch (e->op) {
        case Op::IntImm: sum.constant += scale * e->int_value(); return;
        case Op::Add:
            add_to(sum, e->arg(0), scale);
            add_to(sum, e->arg(1), scale);
            return;
        case Op::Sub:
            add_to(sum, e->arg(0), scale);
            add_to(sum, e->arg(1), -scale);
            return;
        case Op::Neg: add_to(sum, e->arg(0), -scale); return;
        case Op::Mul:
            if (is_int_const(e->arg(1)))
                return add_to(sum, e->arg(0), scale * e->arg(1)->int_value());
            if (is_int_const(e->arg(0)))
                return add_to(sum, e->arg(1), scale * e->arg(0)->int_value());
            break;
        default: break;
    }
    for (auto& [term, coefficient] : sum.terms) {
        if (term == e) {
            coefficient += scale;
            return;
        }
    }
    sum.terms.emplace_back(e, scale);
}

// Solves index equations for loop variables.
class Solver {
  public:
    Solver(Context& ctx, const analysis::Access& access) : ctx_(ctx), access_(access) {}

    Substitution solve(const std::vector<Expr>& indices, const std::vector<Expr>& cell) {
        std::vector<bool> used(indices.size(), false);
        for (std::size_t a = 0; a < indices.size(); ++a) {  // e // c and e % c give e back
            for (std::size_t b = 0; b < indices.size(); ++b) {
                if (used[a] || used[b] || !quotient_and_remainder(indices[a], indices[b])) continue;
                Expr c = indices[a]->arg(1);
                equation(indices[a]->arg(0), ctx_.add(ctx_.mul(cell[a], c), cell[b]));
                used[a] = used[b] = true;
            }
        }
        for (std::size_t k = 0; k < indices.size(); ++k) {
            if (!used[k]) equation(indices[k], cell[k]);
        }
        return found_;
    }

  private:
    static bool quotient_and_remainder(Expr a, Expr b) {
        return a->op == Op::FloorDiv && b->op == Op::FloorMod && a->arg(0) == b->arg(0) &&
               a->arg(1) == b->arg(1) && is_int_const(a->arg(1));
    }

    bool is_open(Expr v) const {
        return v->op == Op::Var && found_.count(v) == 0 &&
               std::find(access_.loops.begin(), access_.loops.end(), v) != access_.loops.end();
    }

    Expr constant(ScalarType type, Int128 value) {
        return type.contains(value) ? ctx_.int_imm(type, value) : nullptr;
    }

    // index == target: digits of the open loop variables by falling coefficient, the rest
    // subtracted.
    void equation(Expr index, Expr target) {
        Sum sum;
        add_to(sum, index, 1);
        std::vector<std::pair<Expr, Int128>> open;
        Expr rest = target;
        const ScalarType type = target->type;
        for (const auto& [term, coefficient] : sum.terms) {
            if (is_open(term) && coefficient > 0) {
                open.emplace_back(term, coefficient);
                continue;
            }
            Expr c = constant(type, coefficient);
            if (c == nullptr || term->type != type) return;
            Expr known = substitute(ctx_, term, found_);
            rest = ctx_.sub(rest, coefficient == 1 ? known : ctx_.mul(known, c));
        }
        if (sum.constant != 0) {
            Expr c = constant(type, sum.constant);
            if (c == nullptr) return;
            rest = ctx_.sub(rest, c);
        }
        std::stable_sort(open.begin(), open.end(),
                         [](const auto& a, const auto& b) { return a.second > b.second; });
        for (std::size_t i = 0; i < open.size(); ++i) {
            Expr c = constant(type, open[i].second);
            if (c == nullptr || open[i].first->type != type) return;
            const bool unit = open[i].second == 1;
            found_[open[i].first] = unit ? rest : ctx_.floordiv(rest, c);
            if (!unit) rest = ctx_.floormod(rest, c);
        }
    }

    Context& ctx_;
    const analysis::Access& access_;
    Substitution found_;
};

// First and last iteration of a loop, read off the access's domain (lo <= v, v < hi).
void ends_of(Context& ctx, Expr condition, Expr v, std::vector<Expr>& out) {
    if (condition->op == Op::And) {
        ends_of(ctx, condition->arg(0), v, out);
        ends_of(ctx, condition->arg(1), v, out);
    } else if (condition->op == Op::Le && condition->arg(1) == v) {
        out.insert(out.begin(), condition->arg(0));
    } else if (condition->op == Op::Lt && condition->arg(0) == v) {
        Expr hi = condition->arg(1);
        Expr last = is_int_const(hi) ? ctx.int_imm(hi->type, hi->int_value() - 1)
                                     : ctx.sub(hi, ctx.int_imm(hi->type, 1));
        out.push_back(last);
    }
}

}  // namespace

std::vector<Substitution> iterations_touching(Context& ctx, const analysis::Access& access,
                                              const std::vector<Expr>& cell,
                                              const std::vector<Expr>& shared, std::size_t limit) {
    if (cell.size() != access.indices.size() || !access.opaque.empty()) return {};
    for (std::size_t k = 0; k < cell.size(); ++k) {
        if (cell[k]->type != access.indices[k]->type) return {};
    }
    std::vector<Substitution> out = {Solver(ctx, access).solve(access.indices, cell)};
    for (Expr v : access.loops) {
        if (out[0].count(v) != 0) continue;
        std::vector<Expr> choices;
        ends_of(ctx, access.may, v, choices);
        std::erase_if(choices, [&](Expr e) {  // bounds that depend on other loops are no guess
            return std::any_of(access.loops.begin(), access.loops.end(),
                               [&](Expr other) { return occurs_free(other, e); });
        });
        const bool is_shared = std::find(shared.begin(), shared.end(), v) != shared.end();
        if (is_shared) choices.insert(choices.begin(), v);
        if (choices.empty()) return {};
        std::vector<Substitution> next;
        for (Expr choice : choices) {
            for (const Substitution& base : out) {
                if (next.size() >= limit) break;
                next.push_back(base);
                next.back()[v] = choice;
            }
        }
        out = std::move(next);
    }
    return out;
}

}  // namespace proviso::rewrite
