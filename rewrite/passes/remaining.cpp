#include "rewrite/passes/remaining.h"

#include <nlohmann/json.hpp>
#include <set>

#include "analysis/facts/facts.h"
#include "analysis/facts/path.h"
#include "ir/text.h"
#include "rewrite/passes/zero_promise.h"

namespace proviso::rewrite {

using namespace ir;
using namespace analysis;
using nlohmann::json;

namespace {

bool is_division(Expr e) {
    return e->op == Op::FloorDiv || e->op == Op::FloorMod || e->op == Op::TruncDiv ||
           e->op == Op::TruncMod;
}

// A floor division as `lower-division` writes it for operands of any sign: the truncating one and
// a correction. Gives the truncating one; null for anything else.
Expr corrected_division(Expr e) {
    if (e->op != Op::Sub && e->op != Op::Add) return nullptr;
    Expr plain = e->arg(0);
    Expr correction = e->arg(1);
    if (plain->op != (e->op == Op::Sub ? Op::TruncDiv : Op::TruncMod)) return nullptr;
    if (correction->op != Op::Select) return nullptr;
    Expr when = correction->arg(0);  // r != 0 and ..; by a constant, r < 0 or 0 < r
    if (when->op == Op::And) when = when->arg(0);
    if (when->op != Op::Ne && when->op != Op::Lt) return nullptr;
    Expr r = when->arg(when->arg(0)->op == Op::TruncMod ? 0 : 1);
    if (r->op != Op::TruncMod) return nullptr;
    return r->arg(0) == plain->arg(0) && r->arg(1) == plain->arg(1) ? plain : nullptr;
}

std::string first_line(Stmt s) {
    const std::string text = print(s);
    return text.substr(0, text.find('\n'));
}

class Explainer {
  public:
    explicit Explainer(Proposer& p) : p_(p), start_(p.derivation().steps().size()) {}

    std::vector<Remaining> run() {
        const Function f = p_.current();
        const MemoryModel memory(p_.ctx(), f);
        for (const auto& [site, stmt] : all_statements(f)) {
            branches(site, stmt);
            if (stmt->is<Store>()) store(memory, site, stmt);
            expressions(site, stmt);
        }
        return std::move(out_);
    }

    std::optional<Remaining> first_branch(const PassScope& scope) {
        only_branches_ = true;
        for (const auto& [site, stmt] : all_statements(p_.current())) {
            if (!scope.contains(site)) continue;
            branches(site, stmt);
            if (out_.empty()) expressions(site, stmt);
            if (!out_.empty()) return std::move(out_.front());
        }
        return std::nullopt;
    }

  private:
    void branches(const Site& site, Stmt stmt) {
        if (const IfElse* n = stmt->as<IfElse>()) branch(site, *n);
        if (const Block* n = stmt->as<Block>(); n != nullptr && !is_true(n->predicate)) {
            guarded_block(site, *n);
        }
    }

    void expressions(const Site& site, Stmt stmt) {
        if (stmt->is<Assume>()) return;
        told_.clear();
        for (const Child& c : children(stmt)) {
            if (c.expr != nullptr) expression(c.expr, site.child(c.label));
        }
    }

    // Notes the attempt, and takes back what it changed.
    void note(Remaining r, bool removed, std::optional<Rejection> why, const std::string& pass) {
        p_.derivation().roll_back(start_);
        if (removed) {
            r.why = "nothing stands against removing it, but nobody asked";
            r.hint = pass;
        } else if (why) {
            if (!why->failed) r.why = why->diagnostic.message;
            r.rejection = std::move(why);
        }
        out_.push_back(std::move(r));
    }

    // "not always true, not always false", by what is known at the site.
    std::string both_ways(Expr condition, const Site& site) {
        const std::vector<Expr> facts = facts_at(p_.ctx(), p_.current(), site);
        const auto verdict = [&](Expr goal) {
            const Verdict v = p_.prover().prove(facts, goal).verdict;
            if (v == Verdict::Unknown) return std::string("perhaps always");
            return std::string(v == Verdict::Proved ? "always" : "not always");
        };
        return "its condition is " + verdict(condition) + " true and " +
               verdict(p_.ctx().not_(condition)) + " false";
    }

    void branch(const Site& site, const IfElse& n) {
        Remaining r{"branch", site, first_line(locate(p_.current(), site)->stmt), {}, {}, {}};
        r.why = both_ways(n.cond, site);
        if (n.else_body != nullptr) {
            r.why += ", and both arms do something";
            std::optional<Rejection> why = attempt("replace", site.child("cond"), {{"to", "True"}});
            std::optional<Rejection> no;
            const bool removed = drop_alternative(p_, site, no);
            if (no && no->failed) why = std::move(no);  // about the arms, not the condition
            note(std::move(r), removed, std::move(why),
                 "sch.remove_branching_through_overcompute()");
            return;
        }
        std::optional<Rejection> why;
        const bool removed = drop_guard(p_, site, why);
        note(std::move(r), removed, std::move(why), "sch.remove_branching_through_overcompute()");
    }

    void guarded_block(const Site& site, const Block& n) {
        Remaining r{"branch", site, "T.where(" + print(n.predicate) + ")", {}, {}, {}};
        r.why = both_ways(n.predicate, site.child("predicate"));
        std::optional<Rejection> why;
        const bool removed = drop_guard(p_, site, why);
        note(std::move(r), removed, std::move(why), "sch.remove_branching_through_overcompute()");
    }

    void store(const MemoryModel& memory, const Site& site, Stmt stmt) {
        Remaining r{"store", site, first_line(stmt), "what it writes is seen", {}, {}};
        r.hint =
            "a later store to the cell with no load in between, or knowledge that the cell holds "
            "the value already";
        std::optional<Rejection> why;
        const bool removed = drop_store(p_, memory, site, why);
        note(std::move(r), removed, std::move(why), "sch.remove_no_op()");
    }

    // Each different expression of a statement once: what lowers a division repeats its operands.
    void expression(Expr e, const Site& site) {
        if (!told_.insert(e).second) return;
        if (Expr plain = corrected_division(e)) {
            Remaining r{"division", site, floor_text(plain), {}, {}, {}};
            r.why = "it keeps the form that is right for any signs";
            r.hint =
                "say that the operands are not negative: an extent of a buffer, an assert, "
                "T.assume, or a declared bound (tir_var_lower_bound)";
            if (!only_branches_) {
                note(std::move(r), false, attempt("replace", site, {{"to", print(plain)}}), "");
            }
            expression(plain->arg(0), site.child("a0").child("a0"));
            expression(plain->arg(1), site.child("a0").child("a1"));
            return;
        }
        if (e->op == Op::IfThenElse) {
            Remaining r{"choice", site, print(e), both_ways(e->arg(0), site), {}, {}};
            std::optional<Rejection> why;
            const bool removed = drop_choice(p_, site, why);
            if (!removed) zero_of_padding(e, r);
            note(std::move(r), removed, std::move(why),
                 "sch.remove_branching_through_overcompute()");
        }
        if (is_division(e) && !only_branches_) plain_division(e, site);
        for (std::size_t i = 0; i < e->args.size(); ++i) {
            expression(e->arg(i), site.child("a" + std::to_string(i)));
        }
    }

    // A choice between data and a constant, where the padding of the data may be the other zero, or
    // anything else.
    void zero_of_padding(Expr choice, Remaining& r) {
        for (const std::size_t arm : {1U, 2U}) {
            const auto missing =
                missing_promise(p_.ctx(), p_.current(), choice->arg(arm), choice->arg(3 - arm));
            if (!missing) continue;
            r.why = missing->why;
            r.hint = missing->hint;
            return;
        }
        for (const std::size_t arm : {1U, 2U}) {
            const auto other =
                other_padding(p_.ctx(), p_.current(), choice->arg(arm), choice->arg(3 - arm));
            if (!other) continue;
            r.why += "; " + other->why;
            r.hint = other->hint;
            return;
        }
    }

    std::string floor_text(Expr plain) {
        const Op op = plain->op == Op::TruncDiv ? Op::FloorDiv : Op::FloorMod;
        return print(p_.ctx().make(op, {plain->arg(0), plain->arg(1)}));
    }

    void plain_division(Expr e, const Site& site) {
        Remaining r{"division", site, print(e), {}, {}, {}};
        const bool floor = e->op == Op::FloorDiv || e->op == Op::FloorMod;
        if (floor) {
            std::optional<Rejection> no = attempt("lower-division", site, {{"form", "general"}});
            r.why = no ? "no form of it that machines have is proved; the back end expands it"
                       : "it is lowered by proviso lower";
            r.rejection = std::move(no);
        } else {
            r.why = "one machine instruction, and no rule of the simplifier takes it away";
        }
        bool in_index = false;
        for (const std::string& step : site.steps) in_index |= step.rfind("index", 0) == 0;
        Expr around = path_to(p_.current(), site).steps.back().expr;
        in_index |= around != nullptr && around->op == Op::Load;
        if (in_index && is_int_const(e->arg(1))) {
            r.hint = "let the loops follow the buffer's layout: sch.sequential_buffer_access";
        }
        out_.push_back(std::move(r));
    }

    std::optional<Rejection> attempt(const std::string& rule, const Site& site, const json& args) {
        std::optional<Rejection> why;
        p_.try_apply(rule, site, args, &why);
        p_.derivation().roll_back(start_);
        return why;
    }

    Proposer& p_;
    std::size_t start_;
    bool only_branches_ = false;  // and choices
    std::set<Expr> told_;
    std::vector<Remaining> out_;
};

}  // namespace

std::vector<Remaining> remaining(Proposer& p) {
    return Explainer(p).run();
}

std::optional<Remaining> first_branch_that_remains(Proposer& p, const std::string& block) {
    return Explainer(p).first_branch(PassScope(p.current(), block));
}

}  // namespace proviso::rewrite
