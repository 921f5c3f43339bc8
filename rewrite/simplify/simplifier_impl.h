// The simplifier's strategy: simplifier.cpp goes through an expression, simplifier_changes.cpp
// tries what may change a node.
#pragma once

#include <deque>
#include <vector>

#include "rewrite/simplify/arrange/arrange.h"
#include "rewrite/simplify/simplifier.h"

namespace proviso::rewrite {

// Sums, differences, opposites and multiples of exact integers.
bool is_sum(ir::Expr e);

// What happened on the way to a node's result: steps, and the traces of its arguments.
struct SimplifierTrace {
    struct Item {
        std::uint32_t child = 0;  // 0: a step
        RuleApplication step;
    };
    std::vector<Item> items;
};

struct Simplifier::Impl {
    Impl(analysis::Prover& p, const RuleBook& b, SimplifyOptions o)
        : ctx(p.context()),
          book(b),
          options(o),
          surroundings(p),
          arranger(ctx, surroundings, o.keep_chain) {
        traces.emplace_back();
    }

    ir::Context& ctx;
    const RuleBook& book;
    SimplifyOptions options;
    Surroundings surroundings;
    Arranger arranger;
    std::deque<SimplifierTrace> traces;  // 0: nothing happened
    std::uint64_t steps = 0;
    std::uint64_t steps_before = 0;                  // in earlier calls
    ir::ScalarType met_type{ir::TypeCode::Bool, 0};  // of the last node; none at first
    int depth = 0;
    bool cut = false;
    std::uint64_t arm_nodes = 0;  // of arms of T.Select that were looked at under their condition
    bool met_memory = false;      // below the node at hand
    ir::Expr root = nullptr;      // what is being simplified
    // Of lets in it (see visit_let).
    ir::Expr lets_root = nullptr;
    struct Named {
        ir::Expr value = nullptr;  // null: a variable of the expression or of the facts
        FactSet* outside = nullptr;
        FactSet* within = nullptr;
    };
    IdMap<Named> names;
    std::vector<FactSet*> lets_of;

    using Done = FactSet::Done;

    ir::Expr pass(ir::Expr e, FactSet& s, std::uint32_t trace);
    ir::Expr visit(ir::Expr e, FactSet& s, std::uint32_t trace);
    Done work(ir::Expr e, FactSet& s, std::uint32_t number);
    static bool is_plain_leaf(ir::Expr e, const FactSet& s);
    ir::Expr leaf(ir::Expr e, FactSet& s, std::uint32_t trace);
    ir::Expr visit_args(ir::Expr e, FactSet& s, std::uint32_t trace);
    ir::Expr visit_sum(ir::Expr e, FactSet& s, std::uint32_t trace);
    ir::Expr visit_small_sum(ir::Expr e, FactSet& s, std::uint32_t trace);
    ir::Expr visit_let(ir::Expr e, FactSet& s, std::uint32_t trace);
    ir::Expr visit_arm(ir::Expr arm, ir::Expr condition, FactSet& s, std::uint32_t trace);

    ir::Expr as_one_claim(ir::Expr e, ir::Expr first, FactSet& s, std::uint32_t trace);

    Arranged change(ir::Expr e, FactSet& s);
    Arranged let(ir::Expr e);
    Arranged by_facts(ir::Expr e, FactSet& s);
    Arranged known_value(ir::Expr e, FactSet& s);
    Arranged elsewhere(ir::Expr e, FactSet& s);

    void record(std::uint32_t trace, FactSet& s, ir::Expr before, const Arranged& how);
    void flatten(std::uint32_t trace, std::vector<bool>& seen, std::vector<RuleApplication>& out);
};

}  // namespace proviso::rewrite
