#include "rewrite/schedule/primitives/placement/turns.h"

#include <algorithm>

#include "analysis/facts/affine.h"
#include "analysis/facts/facts.h"
#include "analysis/facts/path.h"
#include "ir/text.h"

namespace proviso::rewrite {

using namespace ir;
using namespace analysis;

namespace {

class TurnSearch {
  public:
    TurnSearch(Proposer& p, const Placed& at) : p_(p), ctx_(p.ctx()), at_(at) {}

    // For each loop around the place, in which of its iterations the turn of an iteration of the
    // nest is.
    Result<Turns> run() {
        for (const Dimension& dim : at_.dims) {
            if (auto no = owners_in(dim)) return *no;
        }
        for (const For& n : at_.around) {
            Expr last = ctx_.sub(n.hi, ctx_.int_imm(n.var->type, 1));
            out_.owner.emplace(n.var, at_.reverse ? p_.simplified(last, at_.loop) : n.lo);
        }
        return std::move(out_);
    }

  private:
    // A part that begins at argument // divisor + rest; or at argument % divisor + rest.
    struct Digit {
        Affine argument;
        Integer divisor;
        Affine rest;
    };
    // Some term moves with a loop around the place, and is not the loop itself.
    bool moves_within(const Affine& form) const {
        return std::any_of(form.terms().begin(), form.terms().end(), [&](const auto& t) {
            return t.first->op != Op::Var &&
                   std::any_of(at_.around.begin(), at_.around.end(),
                               [&](const For& n) { return occurs_free(n.var, t.first); });
        });
    }
    std::optional<Digit> digit_in(const Dimension& dim, bool remainder) const {
        const Affine low = Affine::of(dim.low);
        for (const auto& [term, factor] : low.terms()) {
            const bool fits = remainder ? term->op == Op::FloorMod || term->op == Op::TruncMod
                                        : term->op == Op::FloorDiv || term->op == Op::TruncDiv;
            if (!fits || factor != Integer(1) || !is_int_const(term->arg(1))) continue;
            const Affine argument = Affine::of(term->arg(0));
            const Affine rest = low.without(term);
            const auto counts = [&](const Affine& form) {
                return std::any_of(at_.around.begin(), at_.around.end(), [&](const For& n) {
                    return form.factor_of(n.var) != Integer(0);
                });
            };
            if (!counts(argument) || counts(rest)) continue;
            if (moves_within(argument) || moves_within(rest)) continue;
            return Digit{argument, Integer(term->arg(1)->int_value()), rest};
        }
        return std::nullopt;
    }
    static Integer extent_of(const Dimension& dim) {
        return is_int_const(dim.extent) ? Integer(dim.extent->int_value()) : Integer(0);
    }

    std::optional<Diagnostic> owners_in(const Dimension& dim) {
        const Integer extent = extent_of(dim);
        const std::optional<Digit> quotient = digit_in(dim, false);
        if (!quotient || extent == Integer(0)) {
            return owners_by(Affine::of(dim.low), Affine::term(dim.loop.var), dim,
                             extent == Integer(0) ? Integer(1) : extent);
        }
        Affine cell = Affine::term(dim.loop.var) - quotient->rest;
        if (!at_.reverse) cell.add(Affine(Integer(1) - extent));
        Affine argument = cell * quotient->divisor;
        // The quotient and the remainder of one number, a cell of each: the number itself.
        for (const Dimension& other : at_.dims) {
            const std::optional<Digit> rest = digit_in(other, true);
            if (!rest || rest->argument != quotient->argument ||
                rest->divisor != quotient->divisor || extent_of(other) != Integer(1) ||
                extent != Integer(1)) {
                continue;
            }
            argument.add(Affine::term(other.loop.var) - rest->rest);
            return owners_by(quotient->argument, argument, dim, Integer(1));
        }
        if (at_.reverse) argument.add(Affine(quotient->divisor - Integer(1)));
        return owners_by(quotient->argument, argument, dim, Integer(0));
    }

    // The iteration in which `form`, over the loops around the place, is `cell`: of parts of so
    // many cells from there on, the first one that reaches it. `extent` 0: the first iteration in
    // which it is as large at least, in reverse the last one in which it is no larger.
    std::optional<Diagnostic> owners_by(const Affine& form, const Affine& cell,
                                        const Dimension& dim, const Integer& extent) {
        Affine fixed = form;
        std::vector<std::pair<For, Integer>> digits;
        for (const For& n : at_.around) {
            const Integer factor = form.factor_of(n.var);
            if (factor == Integer(0)) continue;
            if (factor < Integer(0)) {
                return error("the part of an iteration of loop " + *n.var->name +
                                 " lies before that of the one before it",
                             "what runs backwards is turned around first");
            }
            fixed = fixed.without(n.var);
            fixed.add(Affine::of(n.lo), factor);
            if (out_.owner.count(n.var) == 0) digits.emplace_back(n, factor);
        }
        std::sort(digits.begin(), digits.end(),
                  [](const auto& a, const auto& b) { return b.second < a.second; });
        if (digits.empty()) return std::nullopt;
        if (moves_within(fixed)) {
            return error("the part of an iteration begins at " + print(dim.low) +
                             ": in which iteration a cell has its turn is not known",
                         "leave sch.store_at out, so that each iteration computes what it reads");
        }
        const ScalarType type = dim.loop.var->type;
        const auto number = [&](const Integer& n) { return Affine(n).expr(ctx_, type); };
        const Integer unit = digits.back().second;
        Affine first = cell - fixed;  // the offset of the cell
        if (!at_.reverse && extent == Integer(0)) first.add(Affine(unit - Integer(1)));
        if (!at_.reverse && unit < extent) {
            first.add(Affine(unit - extent));
            if (digits.size() == 1) out_.windows[digits[0].first.var] = number(extent - unit);
        }
        Expr offset = first.expr(ctx_, type);
        if (offset == nullptr) return error("the part's begin does not fit its type");
        Expr at = unit == Integer(1) ? offset : ctx_.floordiv(offset, number(unit));
        std::vector<Expr> facts = facts_at(ctx_, p_.current(), at_.nest);
        for (const Dimension& d : at_.dims) {
            facts.push_back(ctx_.le(d.loop.lo, d.loop.var));
            facts.push_back(ctx_.lt(d.loop.var, d.loop.hi));
        }
        at = p_.simplified(ctx_.max(at, ctx_.int_imm(type, 0)), facts);
        for (std::size_t k = 0; k < digits.size(); ++k) {
            Expr digit = at;
            if (k > 0) digit = ctx_.floormod(digit, number(floordiv(digits[k - 1].second, unit)));
            if (digits[k].second != unit) {
                digit = ctx_.floordiv(digit, number(floordiv(digits[k].second, unit)));
            }
            const For& n = digits[k].first;
            if (!is_int_const(n.lo, 0)) digit = ctx_.add(n.lo, digit);
            out_.owner[n.var] = p_.simplified(digit, facts);
        }
        return std::nullopt;
    }

    Proposer& p_;
    Context& ctx_;
    const Placed& at_;
    Turns out_;
};

}  // namespace

Result<Turns> find_turns(Proposer& p, const Placed& placed) {
    return TurnSearch(p, placed).run();
}

}  // namespace proviso::rewrite
