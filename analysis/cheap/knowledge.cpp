#include "analysis/cheap/knowledge.h"

#include <algorithm>

#include "ir/hint.h"

namespace proviso::analysis::cheap {

using ir::Expr;
using ir::Op;

const char* method_name(Method m) {
    switch (m) {
        case Method::Syntax: return "syntax";
        case Method::Interval: return "interval";
        case Method::Congruence: return "congruence";
        case Method::KnownBits: return "known-bits";
        case Method::Difference: return "difference";
        case Method::Linear: return "linear";
        case Method::FloatClass: return "float-class";
    }
    return "?";
}

Knowledge Knowledge::branch() const {
    Knowledge out(*q_);
    out.contradiction_ = contradiction_;
    out.sealed_ = sealed_;
    out.method_ = method_;
    out.bounds_ = bounds_;
    out.live_ = live_;
    out.defined_ = defined_;
    out.constraints_ = constraints_;
    out.hashes_ = hashes_;
    out.fresh_ = fresh_;
    out.fresh_atoms_ = fresh_atoms_;
    out.untightened_ = untightened_;
    out.narrowed_ = narrowed_;
    out.truths_ = truths_;
    out.same_ = same_;
    out.open_ = open_;
    out.classes_ = classes_;
    out.parent_ = this;
    return out;
}

void Knowledge::contradict(Method how) {
    if (!contradiction_) method_ = how;
    contradiction_ = true;
}

// After a change that makes terms read otherwise.
void Knowledge::forget_terms() {
    parent_ = nullptr;
    forms_.clear();
    numbers_.clear();
    class_memo_.clear();
}

const Form* Knowledge::known_form(Expr e) const {
    for (const Knowledge* k = this; k != nullptr; k = k->parent_) {
        const auto found = k->forms_.find(e);
        if (found != k->forms_.end()) return &found->second;
    }
    return nullptr;
}

const int* Knowledge::known_number(Expr e) const {
    for (const Knowledge* k = this; k != nullptr; k = k->parent_) {
        const auto found = k->numbers_.find(e);
        if (found != k->numbers_.end()) return &found->second;
    }
    return nullptr;
}

// --- claims

namespace {

// The arms of a disjunction of two or more: `a or (b or c)` and `not (a and (b and c))` have three.
// Few enough to go through; what is beyond stays together in the last.
std::vector<Conjunction> arms_of(Expr claim, bool positive) {
    constexpr std::size_t most = 64;
    const Op op = claim->op;
    std::vector<Conjunction> out;
    Expr rest = claim;
    while (rest->op == op && out.size() + 1 < most) {
        out.push_back({Literal{rest->arg(0), positive}});
        rest = rest->arg(1);
    }
    out.push_back({Literal{rest, positive}});
    return out;
}

}  // namespace

void Knowledge::assume(const Conjunction& conjunction) {
    for (const auto& part : conjunction) {
        if (const Literal* l = std::get_if<Literal>(&part)) {
            assume(l->claim, l->positive);
        } else {
            const FormClaim& f = std::get<FormClaim>(part);
            if (f.equality)
                assume_eq(f.form);
            else
                assume_ge(f.form);
        }
    }
}

void Knowledge::assume(Expr given, bool positive) {
    if (contradiction_) return;
    const Deeper deeper(*q_);
    // Conjunctions can be long: the right side takes the place of the whole.
    Expr claim = given;
    const auto is_both = [&] {
        return (claim->op == Op::And && positive) || (claim->op == Op::Or && !positive);
    };
    while (true) {
        q_->step();
        if (claim->op == Op::Not) {
            claim = claim->arg(0);
            positive = !positive;
        } else if (ir::is_hint(claim)) {
            claim = claim->arg(0);
        } else if (is_both()) {
            assume(claim->arg(0), positive);
            if (contradiction_) return;
            claim = claim->arg(1);
        } else {
            break;
        }
    }
    switch (claim->op) {
        case Op::IntImm:
            if ((claim->bits != 0) != positive) contradict(Method::Syntax);
            return;
        case Op::And:
        case Op::Or: open(arms_of(claim, positive)); return;
        case Op::Select:
        case Op::IfThenElse: {
            const Expr c = claim->arg(0);
            open({{Literal{c, true}, Literal{claim->arg(1), positive}},
                  {Literal{c, false}, Literal{claim->arg(2), positive}}});
            return;
        }
        case Op::Lt:
        case Op::Le:
            if (claim->arg(0)->type.is_int())
                assume_comparison(claim, positive);
            else
                assume_literal(claim, positive);
            return;
        case Op::Eq:
        case Op::Ne:
        case Op::Same: assume_equality(claim, positive != (claim->op == Op::Ne)); return;
        default: assume_literal(claim, positive);
    }
}

void Knowledge::assume_comparison(Expr claim, bool positive) {
    // a < b: b - a - 1 >= 0.  a <= b: b - a >= 0.  Not a < b: a - b >= 0.
    Form gap = difference(form_of(claim->arg(1)), form_of(claim->arg(0)));
    if (!positive) gap = scaled(gap, -1);
    const bool strict = (claim->op == Op::Lt) == positive;
    if (strict) gap.constant = checked_add(gap.constant, -1);
    assume_ge(gap);
}

void Knowledge::assume_equality(Expr claim, bool positive) {
    const Expr a = claim->arg(0);
    const Expr b = claim->arg(1);
    if (a->type.is_int()) {
        const Form fa = form_of(a);
        const Form gap = difference(form_of(b), fa);
        if (positive) {
            // Best replace a variable that stands alone.
            int alone = a->op == Op::Var ? fa.as_atom() : -1;
            if (alone < 0 && b->op == Op::Var) alone = form_of(b).as_atom();
            assume_eq(gap, alone);
            return;
        }
        if (gap.is_constant() && gap.constant == 0) contradict(Method::Syntax);
        if (gap.is_constant() || gap.constant % gap.content() != 0) return;
        Form above = gap;
        above.constant = checked_add(above.constant, -1);
        Form below = scaled(gap, -1);
        below.constant = checked_add(below.constant, -1);
        open({{FormClaim{above, false}}, {FormClaim{below, false}}});
        return;
    }
    if (a->type.is_bool()) {
        open(
            {{Literal{a, true}, Literal{b, positive}}, {Literal{a, false}, Literal{b, !positive}}});
        return;
    }
    const int na = number_of(a);
    const int nb = number_of(b);
    // A value that is no NaN equals itself.
    const bool identity = claim->op == Op::Same;
    const bool reflexive = identity || (class_of(a) & ir::FloatClass::kNan) == 0;
    if (reflexive && na == nb) {
        if (!positive) contradict(identity ? Method::Syntax : Method::FloatClass);
        return;
    }
    const auto is_constant = [&](int n) {
        return q_->atoms[n].expr != nullptr && ir::is_const(q_->atoms[n].expr);
    };
    if (identity && is_constant(na) && is_constant(nb)) {
        if (positive) contradict(Method::Syntax);
        return;
    }
    // Of a comparison and its negation, one is the other's literal.
    assume_literal(claim->op == Op::Ne ? q_->ctx.eq(a, b) : claim, positive);
    if (identity && positive && !contradiction_) {
        same_[std::max(na, nb)] = std::min(na, nb);
        forget_terms();
    }
}

void Knowledge::assume_literal(Expr claim, bool positive) {
    const int number = number_of(claim);
    const auto [at, is_new] = truths_.emplace(number, positive);
    if (!is_new && at->second != positive) contradict(Method::Syntax);
    if (!contradiction_ && !claim->args.empty()) learn_float_claim(claim, positive);
}

void Knowledge::open(std::vector<Conjunction> arms) {
    open_.push_back(Disjunction{std::move(arms), sealed_});
}

std::optional<bool> Knowledge::known_comparison(Expr claim) {
    const Form gap = difference(form_of(claim->arg(1)), form_of(claim->arg(0)));
    Form less = gap;  // gap - 1: the gap is positive
    less.constant = checked_add(less.constant, -1);
    Form more = scaled(gap, -1);  // -gap - 1: the gap is negative
    more.constant = checked_add(more.constant, -1);
    if (claim->op == Op::Lt || claim->op == Op::Le) {
        const bool strict = claim->op == Op::Lt;
        if (known_ge(strict ? less : gap)) return true;
        if (known_ge(strict ? scaled(gap, -1) : more)) return false;
        return std::nullopt;
    }
    const bool equal_is = claim->op != Op::Ne;
    if (gap.is_constant()) return (gap.constant == 0) == equal_is;
    if (known_ge(less) || known_ge(more)) return !equal_is;
    if (gap.constant % gap.content() != 0) return !equal_is;
    const Interval b = bounds_of(gap);
    if (b.is_point() && *b.lo == 0) return equal_is;
    return std::nullopt;
}

std::optional<bool> Knowledge::truth(Expr claim) {
    q_->step();
    const Deeper deeper(*q_);
    switch (claim->op) {
        case Op::IntImm: return claim->bits != 0;
        case Op::Cast: return ir::is_hint(claim) ? truth(claim->arg(0)) : std::nullopt;
        case Op::Not: {
            const auto t = truth(claim->arg(0));
            return t ? std::optional<bool>(!*t) : std::nullopt;
        }
        case Op::And:
        case Op::Or: {
            const bool decides = claim->op == Op::Or;
            const auto a = truth(claim->arg(0));
            if (a == decides) return decides;
            const auto b = truth(claim->arg(1));
            if (b == decides) return decides;
            return a && b ? std::optional<bool>(!decides) : std::nullopt;
        }
        case Op::Eq:
        case Op::Ne:
        case Op::Lt:
        case Op::Le:
        case Op::Same:
            if (claim->arg(0)->type.is_int()) return known_comparison(claim);
            if (claim->op == Op::Ne) {
                const auto t = truth(q_->ctx.eq(claim->arg(0), claim->arg(1)));
                return t ? std::optional<bool>(!*t) : std::nullopt;
            }
            break;
        default: break;
    }
    const auto known = truths_.find(number_of(claim));
    if (known != truths_.end()) return known->second;
    if (claim->args.empty() || !claim->arg(0)->type.is_float()) return std::nullopt;
    const std::uint16_t classes = class_of(claim);
    if (classes == ir::FloatClass::kTrue) return true;
    if (classes == ir::FloatClass::kFalse) return false;
    return std::nullopt;
}

bool Knowledge::false_already(const std::variant<Literal, FormClaim>& part) {
    if (const Literal* l = std::get_if<Literal>(&part)) {
        const auto t = truth(l->claim);
        return t && *t != l->positive;
    }
    const FormClaim& f = std::get<FormClaim>(part);
    const Form form = resolved(f.form);
    Form below = scaled(form, -1);
    below.constant = checked_add(below.constant, -1);
    if (known_ge(below)) return true;
    if (!f.equality) return false;
    Form above = form;
    above.constant = checked_add(above.constant, -1);
    return known_ge(above);
}

// Drops arms that cannot hold; an only arm left is assumed, none left is a contradiction.
bool Knowledge::settle_open() {
    bool changed = false;
    std::vector<Disjunction> pending = std::move(open_);
    open_.clear();
    for (Disjunction& d : pending) {
        if (contradiction_) break;
        std::erase_if(d.arms, [&](const Conjunction& arm) {
            return std::any_of(arm.begin(), arm.end(),
                               [this](const auto& part) { return false_already(part); });
        });
        if (d.arms.empty()) {
            contradict(Method::Interval);
        } else if (d.arms.size() == 1) {
            changed = true;
            assume(d.arms[0]);
        } else {
            open_.push_back(std::move(d));
        }
    }
    return changed;
}

// Of those opened for the goal the last, then of the others; of few arms first.
std::optional<Disjunction> Knowledge::take_split() {
    if (open_.empty()) return std::nullopt;
    std::size_t best = open_.size() - 1;
    for (std::size_t i = open_.size() - 1; i-- > 0;) {
        const Disjunction& a = open_[i];
        const Disjunction& b = open_[best];
        if (a.fresh != b.fresh ? a.fresh : a.arms.size() < b.arms.size()) best = i;
    }
    Disjunction out = std::move(open_[best]);
    open_.erase(open_.begin() + static_cast<std::ptrdiff_t>(best));
    return out;
}

}  // namespace proviso::analysis::cheap
