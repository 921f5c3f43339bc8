#include "analysis/solve/cases.h"

#include <algorithm>

#include "analysis/facts/affine.h"

namespace proviso::analysis::solve {

using ir::Expr;
using ir::Integer;
using ir::Op;

namespace {

template <typename T>
void append(std::vector<T>& to, const std::vector<T>& from) {
    for (const T& e : from) {
        if (std::find(to.begin(), to.end(), e) == to.end()) to.push_back(e);
    }
}

// The truth of a comparison without variables.
std::optional<bool> constant_truth(Expr e) {
    if (ir::is_true(e)) return true;
    if (ir::is_false(e)) return false;
    const bool compares = e->op == Op::Le || e->op == Op::Lt || e->op == Op::Eq || e->op == Op::Ne;
    if (!compares || !e->arg(0)->type.is_exact_int()) return std::nullopt;
    const Affine gap = Affine::of(e->arg(1)) - Affine::of(e->arg(0));
    if (!gap.is_constant()) return std::nullopt;
    const int sign = gap.constant().sign();
    switch (e->op) {
        case Op::Le: return sign >= 0;
        case Op::Lt: return sign > 0;
        case Op::Eq: return sign == 0;
        default: return sign != 0;
    }
}

// One constant end at most on each side.
struct Ends {
    std::optional<Integer> lo;
    std::optional<Integer> hi;
};

std::optional<Ends> constant_ends(const Case& c) {
    Ends out;
    if (c.lowers.size() > 1 || c.uppers.size() > 1) return std::nullopt;
    for (Expr e : c.lowers) {
        if (!ir::is_int_const(e)) return std::nullopt;
        out.lo = Integer(e->int_value());
    }
    for (Expr e : c.uppers) {
        if (!ir::is_int_const(e)) return std::nullopt;
        out.hi = Integer(e->int_value());
    }
    return out;
}

// One range of integers, where two overlap or touch.
bool unite(Case& a, const Case& b) {
    if (a.windows != b.windows || a.others != b.others) return false;
    const auto p = constant_ends(a);
    const auto q = constant_ends(b);
    if (!p || !q) return false;
    const bool q_starts_in_p = !p->hi || !q->lo || *q->lo <= *p->hi + 1;
    const bool p_starts_in_q = !q->hi || !p->lo || *p->lo <= *q->hi + 1;
    if (!q_starts_in_p || !p_starts_in_q) return false;
    if (!p->lo || !q->lo) {
        a.lowers.clear();
    } else if (*q->lo < *p->lo) {
        a.lowers = b.lowers;
    }
    if (!p->hi || !q->hi) {
        a.uppers.clear();
    } else if (*p->hi < *q->hi) {
        a.uppers = b.uppers;
    }
    return true;
}

bool constant_windows(const Case& c) {
    return std::all_of(c.windows.begin(), c.windows.end(),
                       [](const Window& w) { return w.is_constant(); });
}

// Cases that differ in their remainders only: the remainders of all of them together.
bool unite_windows(ir::Context& ctx, ir::ScalarType type, std::vector<Case>& cases,
                   std::size_t at) {
    std::vector<std::size_t> alike;
    std::vector<Window> windows;
    for (std::size_t i = at; i < cases.size(); ++i) {
        const Case& c = cases[i];
        const bool same = c.lowers == cases[at].lowers && c.uppers == cases[at].uppers &&
                          c.others == cases[at].others;
        if (!same || c.windows.size() != 1 || !constant_windows(c)) continue;
        std::vector<Window> more = windows;
        more.push_back(c.windows[0]);
        if (!common_modulus(more)) continue;
        windows = std::move(more);
        alike.push_back(i);
    }
    if (alike.size() < 2) return false;
    const std::size_t m = *common_modulus(windows);
    Residues any(m, false);
    for (const Window& w : windows) {
        const Residues one = residues_of(w, m);
        for (std::size_t r = 0; r < m; ++r) any[r] = any[r] || one[r];
    }
    const Windows now = windows_of(ctx, type, any);
    const std::size_t count = now.all ? 1 : now.runs.size();
    if (count >= alike.size()) return false;
    std::vector<Case> made;
    for (std::size_t k = 0; k < count; ++k) {
        Case c = cases[at];
        c.windows.clear();
        if (!now.all) c.windows = {now.runs[k]};
        made.push_back(std::move(c));
    }
    for (std::size_t k = alike.size(); k-- > 0;) {
        cases.erase(cases.begin() + static_cast<std::ptrdiff_t>(alike[k]));
    }
    cases.insert(cases.begin() + static_cast<std::ptrdiff_t>(at), made.begin(), made.end());
    return true;
}

}  // namespace

Expr Case::formula(ir::Context& ctx, Expr x) const {
    std::vector<Expr> parts = others;
    if (lowers.size() == 1 && lowers == uppers) {
        parts.push_back(ctx.eq(x, lowers[0]));
    } else {
        for (Expr e : lowers) parts.push_back(ctx.le(e, x));
        for (Expr e : uppers) parts.push_back(ctx.le(x, e));
    }
    for (const Window& w : windows) parts.push_back(w.formula(ctx, x));
    return ctx.all_of(parts);
}

std::vector<Case> both(ir::Context& ctx, ir::ScalarType type, const Case& a, const Case& b) {
    Case out = a;
    append(out.lowers, b.lowers);
    append(out.uppers, b.uppers);
    append(out.others, b.others);
    append(out.windows, b.windows);
    std::vector<Window> constant;
    for (const Window& w : out.windows) {
        if (w.is_constant()) constant.push_back(w);
    }
    const auto m = common_modulus(constant);
    if (constant.size() < 2 || !m) return {out};
    Residues all(*m, true);
    for (const Window& w : constant) {
        const Residues one = residues_of(w, *m);
        for (std::size_t r = 0; r < *m; ++r) all[r] = all[r] && one[r];
    }
    const Windows now = windows_of(ctx, type, all);
    std::erase_if(out.windows, [](const Window& w) { return w.is_constant(); });
    if (now.all) return {out};
    std::vector<Case> split;
    for (const Window& w : now.runs) {
        split.push_back(out);
        split.back().windows.push_back(w);
    }
    return split;
}

void merge(ir::Context& ctx, ir::ScalarType type, std::vector<Case>& cases) {
    for (bool again = true; again;) {
        again = false;
        for (std::size_t i = 0; i < cases.size() && !again; ++i) {
            for (std::size_t j = i + 1; j < cases.size() && !again; ++j) {
                again = cases[i] == cases[j] || unite(cases[i], cases[j]);
                if (again) cases.erase(cases.begin() + static_cast<std::ptrdiff_t>(j));
            }
            again = again || unite_windows(ctx, type, cases, i);
        }
    }
    // By their lower ends, where those are numbers.
    const bool ordered = std::all_of(cases.begin(), cases.end(), [](const Case& c) {
        return c.others.empty() && constant_ends(c).has_value();
    });
    if (!ordered) return;
    std::stable_sort(cases.begin(), cases.end(), [](const Case& a, const Case& b) {
        const auto p = constant_ends(a)->lo;
        const auto q = constant_ends(b)->lo;
        return !p ? q.has_value() : q && *p < *q;
    });
}

Cases conjunction(ir::Context& ctx, ir::ScalarType type, const Cases& a, const Cases& b) {
    if (!a || !b) return std::nullopt;
    std::vector<Case> out;
    for (const Case& p : *a) {
        for (const Case& q : *b) {
            for (Case& one : both(ctx, type, p, q)) {
                if (out.size() == kMostCases) return std::nullopt;
                out.push_back(std::move(one));
            }
        }
    }
    return out;
}

Cases disjunction(Cases a, const Cases& b) {
    if (!a || !b) return std::nullopt;
    a->insert(a->end(), b->begin(), b->end());
    if (a->size() > kMostCases) return std::nullopt;
    return a;
}

std::vector<Case> case_of_others(Expr condition) {
    if (const std::optional<bool> value = constant_truth(condition)) {
        return *value ? std::vector<Case>{Case{}} : std::vector<Case>{};
    }
    if (condition->op != Op::And) {
        Case out;
        out.others = {condition};
        return {out};
    }
    std::vector<Case> first = case_of_others(condition->arg(0));
    const std::vector<Case> second = case_of_others(condition->arg(1));
    if (first.empty() || second.empty()) return {};
    append(first[0].others, second[0].others);
    return first;
}

}  // namespace proviso::analysis::solve
