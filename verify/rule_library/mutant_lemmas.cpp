#include "verify/rule_library/mutant_lemmas.h"

#include <algorithm>
#include <functional>

#include "ir/children.h"

namespace proviso::verify {

using ir::Expr;
using ir::Op;
using rewrite::LawUse;

namespace {

bool is_division(Op op) {
    return op == Op::FloorDiv || op == Op::FloorMod || op == Op::TruncDiv || op == Op::TruncMod;
}
bool is_truncated(Op op) {
    return op == Op::TruncDiv || op == Op::TruncMod;
}
bool is_product(Expr e) {
    return e->op == Op::Mul && !ir::is_const(e->arg(0)) && !ir::is_const(e->arg(1));
}

Op toward_zero(Op op) {
    return op == Op::FloorDiv ? Op::TruncDiv : op == Op::FloorMod ? Op::TruncMod : op;
}

class Lemmas {
  public:
    Lemmas(ir::Context& ctx, const MutantParts& parts, const std::vector<Expr>& negative)
        : ctx_(ctx), parts_(parts), negative_(negative) {}

    // The rule's lemmas, in the mutant's family, and what exact quotients of constants are in it.
    void own() {
        for (const LawUse& use : parts_.mutant.lemmas) {
            add(use);
            if (!parts_.truncated.empty()) {
                add_changed(use, [&](Expr e) { return truncating(e); });
            }
        }
        if (parts_.truncated.empty()) return;
        each_node([&](Expr e) {
            if (!is_division(e->op) || !rewrite::is_constant_pattern(e)) return;
            const Expr a = e->arg(0);
            const Expr d = e->arg(1);
            add("whole", {a, d});
            add("exact", {a, ctx_.make(Op::FloorDiv, {a, d}), d});
            add("exact", {a, ctx_.make(Op::TruncDiv, {a, d}), d});
        });
    }

    // What the laws say of the divisions that occur, too.
    void near() {
        own();
        for (const LawUse& use : parts_.mutant.lemmas) siblings(use);
        const bool range_dropped = parts_.mutant.needs.size() < parts_.rule.needs.size();
        each_node([&](Expr e) {
            if (is_division(e->op)) near(e->arg(0), e->arg(1));
            if (is_product(e) && range_dropped) range(e->arg(0), e->arg(1));
        });
    }

    // The rule's lemmas for negated variables.
    void negated() {
        std::vector<std::vector<Expr>> choices{negative_};
        for (Expr v : ir::free_vars(parts_.mutant.left)) {
            if (is_negative(v)) continue;
            if (!negative_.empty()) choices.push_back({v});
            choices.push_back(negative_);
            choices.back().push_back(v);
        }
        each_node([&](Expr e) {
            if (is_division(e->op)) signs_of_division(e->arg(0), e->arg(1));
        });
        for (const LawUse& use : parts_.mutant.lemmas) {
            add(use);
            for (const auto& chosen : choices) {
                add_changed(use, [&](Expr e) {
                    return with_signs_outside(ctx_, with_negated(e, chosen), true);
                });
            }
        }
    }

    void far() {
        each_node([&](Expr e) {
            if (is_division(e->op)) constants(e->arg(0), e->arg(1));
            if (is_product(e)) signs(e->arg(0), e->arg(1));
        });
    }

    // The rule's lemmas for negated variables, spelled with the signs where they fall; and what
    // ties the spellings to each other.
    void otherwise(bool more) {
        std::vector<Expr> terms;
        for (Expr v : ir::free_vars(parts_.mutant.left)) {
            const bool constant = rewrite::is_constant_slot(rewrite::slot_of(v));
            if (!constant && !is_negative(v)) terms.push_back(v);
        }
        std::vector<Expr> all = terms;
        all.insert(all.end(), negative_.begin(), negative_.end());
        for (const LawUse& use : parts_.mutant.lemmas) {
            add(use);
            for (const auto& chosen : {negative_, terms, all}) {
                add_changed(use, [&](Expr e) { return with_negated(e, chosen); });
            }
            if (!more && !parts_.truncated.empty()) {
                add_changed(use, [&](Expr e) { return all_truncating(e); });
            }
        }
        each_node([&](Expr e) {
            if (is_division(e->op)) {
                signs_of_division(e->arg(0), e->arg(1));
                const Op quotient = is_truncated(e->op) ? Op::TruncDiv : Op::FloorDiv;
                negations(ctx_.make(more ? quotient : Op::FloorDiv, {e->arg(0), e->arg(1)}),
                          e->arg(1), more);
                constants(e->arg(0), e->arg(1));
            }
            if (is_product(e)) {
                negations(e->arg(0), e->arg(1), more);
                signs(e->arg(0), e->arg(1), more);
            }
        });
    }

    const std::vector<LawUse>& all() const { return all_; }

  private:
    void add(const char* law, std::vector<Expr> args) { add(LawUse{law, std::move(args)}); }
    void add(LawUse use) {
        const bool known = std::any_of(all_.begin(), all_.end(), [&](const LawUse& u) {
            return u.law == use.law && u.args == use.args;
        });
        if (!known) all_.push_back(std::move(use));
    }
    void add_changed(const LawUse& use, const std::function<Expr(Expr)>& change) {
        LawUse out{use.law, {}};
        for (Expr a : use.args) out.args.push_back(change(a));
        add(std::move(out));
    }

    void each_node(const std::function<void(Expr)>& visit) const {
        for (Expr part : parts_.patterns) ir::for_each_node(part, visit);
    }

    // What else says that a quotient is exact, in either family.
    void siblings(const LawUse& use) {
        const auto& a = use.args;
        if (use.law == "exact" && a[0]->op == Op::Sub) {
            add("negation", {a[1], a[2]});
            add("exact", {ctx_.sub(a[0]->arg(1), a[0]->arg(0)), neg(a[1]), a[2]});
        }
        if (use.law == "exact") add("truncated", {a[0], a[2], a[1], ctx_.int_imm(a[0]->type, 0)});
        if (use.law == "truncated") {
            add("exact", {a[0], a[2], a[1]});
            add("exact", {neg(a[0]), a[2], neg(a[1])});
        }
    }

    void signs_of_division(Expr a, Expr d) {
        add("division-negative", {a, d});
        if (parts_.truncated.empty()) return;
        add("truncation", {a, d});
        add("truncation", {a, neg(d)});
        add("truncation-negative", {a, d});
        add("division-negative", {neg(a), d});
    }

    // What follows about a // d and a % d at once.
    void near(Expr a, Expr d) {
        signs_of_division(a, d);
        if (a->op == Op::FloorMod) residue(a, d);
        if (a->op == Op::Sub && a->arg(1)->op == Op::FloorMod) {
            residue(a->arg(1), d);
            add("exact", {a, ctx_.make(Op::FloorDiv, {a->arg(1)->arg(0), d}), d});
        }
        if (a->op == Op::Add) {
            multiple_in(a, a->arg(0), a->arg(1), d);
            multiple_in(a, a->arg(1), a->arg(0), d);
        }
    }
    void residue(Expr remainder, Expr d) {
        const Expr m = remainder->arg(1);
        add("residue", {remainder->arg(0), m, ctx_.make(Op::FloorDiv, {m, d}), d});
    }
    // a = t + rest, divided by d, where t is a multiple of d, or a truncated remainder by d.
    void multiple_in(Expr a, Expr t, Expr rest, Expr d) {
        if (t->op == Op::Mul && t->arg(1) == d) add("away", {a, t->arg(0), rest, d});
        if (t->op != Op::TruncMod || t->arg(1) != d) return;
        const Expr whole = ctx_.add(rest, t->arg(0));
        add("away", {whole, ctx_.make(Op::TruncDiv, {t->arg(0), d}), a, d});
        if (rest->op == Op::Mul && rest->arg(1) == d) {
            add("away", {whole, rest->arg(0), t->arg(0), d});
        }
    }

    // Quotients of constants, which as a rule are exact.
    void constants(Expr a, Expr d) {
        if (!rewrite::is_constant_pattern(a)) return;
        const Expr q = ctx_.make(Op::FloorDiv, {a, d});
        add("whole", {a, d});
        add("exact", {neg(a), neg(q), d});
        add("exact", {a, neg(q), neg(d)});
        add("exact", {neg(a), q, neg(d)});
    }

    // That x is in range follows from its products being so.
    void range(Expr x, Expr n) {
        add("mono", {x, ctx_.int_imm(x->type, x->type.min_value()), n});
        add("mono", {ctx_.int_imm(x->type, x->type.max_value()), x, n});
        signs(x, n);
    }
    void signs(Expr x, Expr n, bool more = true) {
        add("sign", {x, n});
        add("sign", {n, x});
        add("grow", {x, n});
        if (more) add("grow", {x, neg(n)});
    }
    void negations(Expr a, Expr b, bool more) {
        add("negation", {a, b});
        add("negation", {b, a});
        if (more) add("negations", {a, b});
    }

    Expr neg(Expr e) const { return e->op == Op::Neg ? e->arg(0) : ctx_.neg(e); }
    bool is_negative(Expr v) const {
        return std::find(negative_.begin(), negative_.end(), v) != negative_.end();
    }

    Expr with_negated(Expr e, const std::vector<Expr>& variables) const {
        ir::Substitution to;
        for (Expr v : variables) to[v] = ctx_.neg(v);
        return ir::substitute(ctx_, e, to);
    }

    Expr all_truncating(Expr e) const {
        return ir::rewrite_expr(ctx_, e, [&](Expr n) {
            if (n->op != Op::FloorDiv && n->op != Op::FloorMod) return n;
            return ctx_.make(toward_zero(n->op), {n->arg(0), n->arg(1)});
        });
    }

    // Divisions that round toward zero in the mutant do so in the term.
    Expr truncating(Expr e) const {
        return ir::rewrite_expr(ctx_, e, [&](Expr n) {
            if (!is_division(n->op)) return n;
            const bool changes = std::any_of(
                parts_.truncated.begin(), parts_.truncated.end(),
                [&](Expr t) { return t->arg(0) == n->arg(0) && t->arg(1) == n->arg(1); });
            return changes ? ctx_.make(toward_zero(n->op), {n->arg(0), n->arg(1)}) : n;
        });
    }

    ir::Context& ctx_;
    const MutantParts& parts_;
    const std::vector<Expr>& negative_;
    std::vector<LawUse> all_;
};

}  // namespace

MutantParts::MutantParts(const rewrite::RuleInstance& r, const rewrite::RuleInstance& m)
    : rule(r), mutant(m), patterns{m.left, m.right} {
    for (const auto* one : {&mutant, &rule}) {
        if (one->where != nullptr) patterns.push_back(one->where);
        for (const rewrite::Need& n : one->needs) patterns.push_back(n.pattern);
    }
    for (const LawUse& use : mutant.lemmas) {
        patterns.insert(patterns.end(), use.args.begin(), use.args.end());
    }
    for (Expr pattern : patterns) {
        ir::for_each_node(pattern, [this](Expr e) {
            if (!is_division(e->op)) return;
            if (is_truncated(e->op)) truncated.push_back(e);
            for (Expr v : ir::free_vars(e->arg(1))) {
                const bool known = std::find(divisors.begin(), divisors.end(), v) != divisors.end();
                if (!known) divisors.push_back(v);
            }
        });
    }
}

std::vector<LemmaSet> lemma_sets(ir::Context& ctx, const MutantParts& parts,
                                 const std::vector<Expr>& negative) {
    std::vector<LemmaSet> out;
    Lemmas own(ctx, parts, negative);
    own.own();
    out.push_back({own.all()});
    Lemmas near(ctx, parts, negative);
    near.near();
    out.push_back({near.all()});
    Lemmas negated(ctx, parts, negative);
    negated.negated();
    out.push_back({negated.all()});
    negated.near();
    negated.far();
    out.push_back({negated.all()});
    for (const bool more : {false, true}) {
        Lemmas otherwise(ctx, parts, negative);
        otherwise.otherwise(more);
        out.push_back({otherwise.all(), false});
    }
    return out;
}

Expr with_signs_outside(ir::Context& ctx, Expr root, bool exact_quotients) {
    const auto negated = [](Expr a) { return a->op == Op::Neg; };
    const auto bare = [&](Expr a) { return negated(a) ? a->arg(0) : a; };
    return ir::rewrite_expr(ctx, root, [&](Expr e) {
        if (!e->type.is_exact_int() || e->args.empty()) return e;
        const bool last = negated(e->args.back());
        if (e->op == Op::Neg) return last ? e->arg(0)->arg(0) : e;
        if (e->op == Op::Add && last) return ctx.sub(e->arg(0), bare(e->arg(1)));
        if (e->op == Op::Sub && last) return ctx.add(e->arg(0), bare(e->arg(1)));
        const bool quotient =
            exact_quotients && e->op == Op::FloorDiv && rewrite::is_constant_pattern(e);
        if (e->op != Op::Mul && !quotient) return e;
        if (!negated(e->arg(0)) && !last) return e;
        const Expr out = ctx.make(e->op, {bare(e->arg(0)), bare(e->arg(1))});
        return negated(e->arg(0)) == last ? out : ctx.neg(out);
    });
}

}  // namespace proviso::verify
