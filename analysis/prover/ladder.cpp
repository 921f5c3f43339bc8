#include "analysis/prover/ladder.h"

#include <algorithm>

#include "ir/children.h"

namespace proviso::analysis {

using ir::Expr;
using ir::Op;
using smt::Form;

namespace {

template <typename Test>
bool occurs(const Obligation& claim, const Test& test) {
    bool found = false;
    const auto look = [&](Expr root) {
        ir::for_each_node(root, [&](Expr e) { found = found || test(e); });
    };
    look(claim.goal);
    for (Expr f : claim.facts) look(f);
    return found;
}

// Of which the form of codes leaves the digits open.
bool computes_floats(Expr e) {
    const bool computes =
        e->op == Op::Add || e->op == Op::Sub || e->op == Op::Mul || e->op == Op::Div;
    return computes && e->type.is_float();
}

bool is_of_exact_bits(Expr e) {
    const bool bits = e->op == Op::BitAnd || e->op == Op::BitOr || e->op == Op::BitXor;
    return bits && e->type.is_exact_int();
}

}  // namespace

std::vector<Form> forms_worth_trying(const Obligation& obligation) {
    std::vector<Form> out = {Form::Plain, Form::Linearised};
    if (occurs(obligation, computes_floats)) out.push_back(Form::FloatCodes);
    if (occurs(obligation, is_of_exact_bits)) out.push_back(Form::BitVectors);
    return out;
}

// What is cheap and often enough to prove a claim comes first: floats as integers with their sums
// opaque, integers as bit-vectors. Nonlinear arithmetic, and integers made into bit-vectors, can
// use time far beyond their resource units, so they get less of them. cvc5 takes its time there
// without an end, so it is asked in the form without them first.
std::vector<Rung> ladder(smt::Program solver, const std::map<Form, smt::EncodedObligation>& texts,
                         std::uint64_t units) {
    const std::string& plain = texts.at(Form::Plain).smt.text;
    const bool mixed = smt::mixes_bit_vectors(plain);
    std::vector<Rung> out;
    const auto add = [&](Form form, std::uint64_t share) {
        const auto found = texts.find(form);
        if (found == texts.end() || !found->second.smt.supported) return;
        if (form == Form::Plain || found->second.smt.text != plain) {
            out.push_back({form, units / share});
        }
    };
    if (solver == smt::Program::Z3) {
        const auto linear = texts.find(Form::Linearised);
        const bool costly = mixed || (linear != texts.end() && linear->second.nonlinear);
        add(Form::FloatCodes, 40);
        add(Form::BitVectors, 4);
        add(Form::Plain, costly ? 40 : 10);
        add(Form::Linearised, 1);
        add(Form::Plain, costly ? 10 : 1);
    } else {
        add(Form::FloatCodes, 10);
        add(Form::BitVectors, 2);
        if (mixed) add(Form::Linearised, 1);
        add(Form::Plain, mixed ? 4 : 1);
        if (!mixed) add(Form::Linearised, 1);
    }
    return out;
}

smt::Reply climb(const std::vector<Rung>& rungs,
                 const std::function<smt::Reply(const Rung&)>& ask) {
    std::map<Form, smt::Reply> last;
    for (const Rung& rung : rungs) {
        const auto before = last.find(rung.form);
        if (before != last.end() && before->second.why != "resource") continue;
        smt::Reply reply = ask(rung);
        if (reply.verdict != Verdict::Unknown) return reply;
        last[rung.form] = std::move(reply);
    }
    return last[Form::Plain];
}

}  // namespace proviso::analysis

namespace proviso::analysis::smt {

bool mixes_bit_vectors(const std::string& text) {
    return text.find("int2bv") != std::string::npos;
}

}  // namespace proviso::analysis::smt
