// From an obligation to its canonical text.
#include "analysis/obligation.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <unordered_set>

#include "analysis/facts/formula.h"
#include "analysis/facts/let_free.h"
#include "analysis/smt/bit_vectors.h"
#include "analysis/smt/encoder.h"
#include "ir/children.h"
#include "ir/text.h"

namespace proviso::analysis {

using ir::Expr;
using ir::Op;

namespace {

// A let gives an indeterminate value one arbitrary definite value, a new one at each evaluation.
// Replacing the name by the value is right only where the facts say that the value is definite.
std::string freezing_let(ir::Context& ctx, Expr e, const std::unordered_set<Expr>& known) {
    std::string why;
    ir::for_each_node(e, [&](Expr n) {
        if (n->op != Op::Let || !why.empty()) return;
        for (Expr c : ir::conjuncts(definite(ctx, n->arg(0)))) {
            if (known.count(c) != 0) continue;
            why = "a let of a value that may be indeterminate: " + *n->name;
        }
    });
    return why;
}

}  // namespace

namespace smt {

namespace {

// Beyond, solvers use time and memory far outside of their resource limits.
constexpr int kMostNestedQuotients = 256;
// Squared again and again, a term has as many factors: solvers write them out.
constexpr std::uint64_t kHighestDegree = 2'000;

}  // namespace

EncodedObligation encode(ir::Context& ctx, const Obligation& obligation, Form form) {
    PROVISO_CHECK(obligation.goal != nullptr && obligation.goal->type.is_bool(),
                  "obligation: the goal is not a claim");
    EncodedObligation out;
    if (form == Form::BitVectors) {
        const std::optional<std::string> text = as_bit_vectors(obligation);
        out.smt.supported = text.has_value();
        out.smt.text = text.value_or("");
        out.weaker = true;
        return out;
    }
    std::unordered_set<Expr> known;
    for (Expr f : obligation.facts) {
        for (Expr c : ir::conjuncts(let_free(ctx, f))) known.insert(c);
    }
    const auto prepare = [&](Expr e) {
        if (!ir::has_op(e, Op::Let)) return e;
        if (out.smt.why.empty()) out.smt.why = freezing_let(ctx, e, known);
        return let_free(ctx, e);
    };

    const Expr goal = prepare(obligation.goal);
    std::vector<Expr> facts;
    for (Expr f : obligation.facts) {
        PROVISO_CHECK(f->type.is_bool(), "obligation: a fact is not a claim");
        const Expr fact = prepare(f);
        if (ir::is_true(fact)) continue;
        if (std::find(facts.begin(), facts.end(), fact) == facts.end()) facts.push_back(fact);
    }

    Encoder encoder(ctx, form, obligation.unbounded);
    encoder.count_uses(goal);
    for (Expr f : facts) encoder.count_uses(f);
    const std::string negated = "(assert (not " + encoder.term(goal) + "))\n";
    std::string asserted;
    for (Expr f : facts) asserted += "(assert " + encoder.term(f) + ")\n";

    if (form != Form::Plain) encoder.add_product_lemmas();
    out.weaker = encoder.weaker() || form == Form::FloatCodes;  // no model in floats
    out.nonlinear = encoder.nonlinear();

    out.smt.text = "(set-logic ALL)\n";
    for (const std::string& line : encoder.lines()) out.smt.text += line + "\n";
    out.smt.text += asserted + negated + "(check-sat)\n";
    out.smt.variables = encoder.variables();
    out.smt.buffers = encoder.buffers();
    if (out.smt.why.empty()) out.smt.why = encoder.unsupported();
    if (out.smt.why.empty() && encoder.quotients_nested() > kMostNestedQuotients) {
        out.smt.why = fmt::format("{} quotients within each other, of at most {}",
                                  encoder.quotients_nested(), kMostNestedQuotients);
    }
    if (out.smt.why.empty() && encoder.degree() > kHighestDegree) {
        out.smt.why = fmt::format("a product of more than {} unknowns", kHighestDegree);
    }
    out.smt.supported = out.smt.why.empty();
    out.cells = encoder.cells();
    return out;
}

}  // namespace smt

SmtText to_smt(ir::Context& ctx, const Obligation& obligation) {
    return smt::encode(ctx, obligation, smt::Form::Plain).smt;
}

std::string obligation_id(const SmtText& text) {
    return "sha256:" + ir::sha256_hex(text.text);
}

}  // namespace proviso::analysis
