// Work on a function that was made of a stage: a derivation of its own, from what the stage is to
// what it becomes, which then is one step (`outline`) of the function that the stage stands in.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "rewrite/schedule/primitives/primitives.h"

namespace proviso::rewrite {

class OutlinedFunction {
  public:
    // The function of the block `name` that `outline` left in the current program.
    static Result<OutlinedFunction> open(Proposer& outer, const std::string& name);

    const std::string& name() const { return name_; }
    Primitives& primitives() { return *primitives_; }
    // Takes the steps over. A refusal leaves `outer` as it was.
    std::optional<Refusal> close(Primitives& outer);

  private:
    std::string name_;
    std::unique_ptr<Derivation> derivation_;
    std::unique_ptr<Proposer> proposer_;
    std::unique_ptr<Primitives> primitives_;
};

// The program as a module: each function that was outlined and still stands in a block of its name,
// and the function they stand in, with calls in their place. Reading it gives the same program.
std::string module_text(ir::Context& ctx, const ir::Function& f,
                        const std::vector<std::string>& outlined);

}  // namespace proviso::rewrite
