// The matcher: all left sides compiled into one decision structure, so that a node tries only rules
// that can match it. It is a discrimination net (Christian 1993) with backtracking: a left side,
// written in preorder, is a path from the root of its operator; left sides with a common prefix
// share it, so a test is made once for all of them.
//
// Operators that commute (see `commutes`) are compiled in both orders. Repeated pattern variables
// match by handle: expressions are hash-consed, so equal terms are one pointer.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "rewrite/expression_rules/pattern_build.h"

namespace proviso::rewrite {

// The operator gives the same value, and faults on the same values, with its operands swapped. On
// floats that holds for + and *, == and !=, not for min and max. `and` and `or` never commute: they
// evaluate their right side only where the left one does not decide.
bool commutes(ir::Op op, ir::ScalarType operand_type);

// `left` with the operands of commuting operators swapped in all ways that differ as patterns;
// `left` itself comes first.
std::vector<ir::Expr> commuted_variants(ir::Context& ctx, ir::Expr left);

class Matcher {
  public:
    // Adds a rule; `ctx` is the patterns' context. The rule must outlive the matcher.
    void add(ir::Context& ctx, const RuleInstance& rule);
    // Makes matching faster; to be called when all rules are there.
    void seal();

    // Calls `visit` for every rule whose left side matches `e` and whose `where` holds, until it
    // returns true; gives whether it did. Order: as the net has it, the same in every run. Does not
    // allocate.
    using Visit = std::function<bool(const RuleInstance&, const Bindings&)>;
    bool match(ir::Expr e, const Visit& visit) const;

    // Rules whose root could match `e`: for statistics and tests.
    std::size_t net_nodes() const { return nodes_.size(); }

  private:
    enum class Test : std::uint8_t { Symbol, Bind, BindConstant, Same };
    struct Edge {
        Test test;
        ir::Op op;            // Symbol
        std::uint8_t slot;    // Bind, BindConstant, Same
        ir::ScalarType type;  // of the term
        std::int64_t bits;    // Symbol: payload of literals and math calls
        std::uint32_t next;
    };
    struct Node {
        std::vector<Edge> edges;
        std::vector<const RuleInstance*> rules;  // whose left side ends here
        // Of a node with many edges: those that a term with an operator may pass, in order. The
        // operator's are picks[from[op]] up to picks[from[op + 1]].
        std::vector<std::uint16_t> from;
        std::vector<std::uint16_t> picks;
    };
    // Terms still to be matched, first to last: a list on the call stack.
    struct Pending {
        ir::Expr term;
        const Pending* rest;
    };

    void add_variant(ir::Expr left, const RuleInstance& rule);
    std::uint32_t follow(std::uint32_t node, const Edge& edge);
    bool walk(std::uint32_t node, const Pending* pending, Bindings& bindings,
              const Visit& visit) const;
    static bool fits(const Edge& edge, ir::Expr term, const Bindings& bindings);
    bool follow(const Edge& edge, const Pending* pending, Bindings& bindings,
                const Visit& visit) const {
        return edge.type == pending->term->type && fits(edge, pending->term, bindings) &&
               take(edge, pending, bindings, visit);
    }
    bool take(const Edge& edge, const Pending* pending, Bindings& bindings,
              const Visit& visit) const;
    // Left sides begin with an operator and the type of its last operand.
    struct Root {
        ir::ScalarType operand;
        std::uint32_t node;
    };
    static ir::ScalarType operand_type(ir::Expr e) {
        return e->args.empty() ? e->type : e->args.back()->type;
    }

    std::vector<Node> nodes_;
    std::array<std::vector<Root>, ir::kOpCount> roots_;
};

}  // namespace proviso::rewrite
