// A rule read for one scalar kind: its text parsed to patterns. Patterns are expressions in which
// the variables x y z w p q r stand for terms and c0 .. c4 for constants (see expression_rule.h).
#pragma once

#include <array>
#include <optional>
#include <string>
#include <utility>

#include "ir/context.h"
#include "ir/result.h"
#include "rewrite/expression_rules/expression_rule.h"
#include "rewrite/expression_rules/pattern_reader.h"

namespace proviso::rewrite {

// The slot of a pattern variable (Op::Var with one of the names above).
int slot_of_name(const std::string& name);
inline int slot_of(ir::Expr pattern_var) {
    const std::string& name = *pattern_var->name;
    if (name.size() == 1 && name[0] >= 'x') return name[0] - 'x';  // the most usual
    return slot_of_name(name);
}
inline bool is_constant_slot(int slot) {
    return slot >= kTermSlots;
}
// No term variable below: constants and c0 .. c4 only.
bool is_constant_pattern(ir::Expr pattern);

struct Need {
    ir::Expr pattern = nullptr;
    bool in_range = false;  // the pattern's value is in its type's range
    bool definite = false;  // the pattern's value is definite; neither: the pattern holds
};

// A law of laws.h with the terms that a proof uses it for: patterns, one for each parameter.
struct LawUse {
    std::string law;
    std::vector<ir::Expr> args;
};

struct RuleInstance {
    const ExpressionRule* rule = nullptr;
    ir::ScalarType kind;
    ir::Expr left = nullptr;
    ir::Expr right = nullptr;
    ir::Expr where = nullptr;  // null when there is none
    std::vector<Need> needs;
    std::vector<LawUse> lemmas;  // exact integers only; the other kinds need none

    bool licensed(std::string_view licence) const;
};

// Patterns live in `ctx`. Fails with a Diagnostic when a text does not parse, the sides differ in
// type, or the right side has a variable that the left side has not.
Result<RuleInstance> instantiate(ir::Context& ctx, const ExpressionRule& rule, ir::ScalarType kind);

// The same in two steps: everything but `lemmas`, which only proofs use; and those. `texts` reads
// into `ctx` for the kind.
Result<RuleInstance> instantiate_for_matching(ir::Context& ctx, const ExpressionRule& rule,
                                              ir::ScalarType kind, PatternReader& texts);
Result<std::vector<LawUse>> read_lemmas(ir::Context& ctx, const RuleInstance& instance);

}  // namespace proviso::rewrite
