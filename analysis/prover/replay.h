// Counterexamples are checked before they are believed: the facts must hold and the goal must not,
// evaluated with the concrete domain under the model's values.
#pragma once

#include <optional>
#include <unordered_map>
#include <vector>

#include "analysis/prover/prover.h"
#include "ir/domains/value.h"

namespace proviso::analysis {

// How a let-free term is read under a model. `Formula`: as obligation.h says; a conjunct that is
// false decides, wherever it stands. `Program`: in the order in which a program evaluates it, so
// that what would be a fault there has no value: an operand that a fault comes before, an arm of a
// T.Select that is not chosen, a cell outside of its buffer. (Sums and products of exact integers
// have no range in either.)
enum class Reading { Formula, Program };

// The value of a term under a model; none where the model does not tell: a cell or function that it
// has no value for, an operator whose value is unspecified on these operands.
class ModelReading {
  public:
    explicit ModelReading(const std::vector<ModelValue>& model, Reading how = Reading::Formula);
    std::optional<ir::Value> value(ir::Expr e);
    // A term without a value all of whose arguments have one, in an `e` that has none; else null.
    ir::Expr open_in(ir::Expr e);
    // Whether an index of the load is known and outside of its buffer.
    bool is_outside(ir::Expr load);

  private:
    std::optional<ir::Value> compute(ir::Expr e);
    std::optional<ir::Value> connective(ir::Expr e);
    const ModelValue* cell(ir::Expr load);

    const std::vector<ModelValue>& model_;
    Reading how_;
    std::unordered_map<ir::Expr, std::optional<ir::Value>> memo_;
};

// What evaluating an obligation under a model says of it.
enum class Replayed {
    Refutes,      // the facts hold, and the goal does not
    Contradicts,  // a fact is false, or the goal is true
    Open,         // it depends on values that the model does not tell (or that are unspecified)
};
struct Replay {
    Replayed said = Replayed::Open;
    ir::Expr open = nullptr;  // Open: the smallest term that has no value
    bool outside = false;     // a load outside of its buffer
};
Replay replay(ir::Context& ctx, const Obligation& obligation, const std::vector<ModelValue>& model,
              Reading how = Reading::Formula);

// What the model leaves open counts for it.
bool contradicts_itself(ir::Context& ctx, const Obligation& obligation,
                        const std::vector<ModelValue>& model);

}  // namespace proviso::analysis
