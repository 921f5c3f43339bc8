// Inputs made to satisfy what a function assumes about them. Made-up cells rarely hold the one
// value that `T.assume(i < 14 or A[i] == 1.0)` speaks of, and a run that breaks an assumption tells
// nothing. So the function is run, and where an assumption is about to fail, a cell of a parameter
// that it reads gets a value with which it holds.
#pragma once

#include <memory>

#include "ir/context.h"
#include "ir/interp/interpreter.h"

namespace proviso::verify {

class InputMender {
  public:
    // A function that cannot be prepared, or assumes nothing about memory, gets no mending.
    InputMender(ir::Context& ctx, const ir::Function& f);
    ~InputMender();
    InputMender(InputMender&&) noexcept;
    InputMender& operator=(InputMender&&) noexcept;

    // Changes cells of `logical`, inputs as the source's caller gives them; a function of them and
    // `seed`. Licences and types are kept. Gives whether anything was changed: only a run tells
    // whether that was enough, as a cell may have been overwritten before it was spoken of.
    bool mend(ir::Inputs& logical, std::uint64_t seed, std::uint64_t step_limit) const;

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace proviso::verify
