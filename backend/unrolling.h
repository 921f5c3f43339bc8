// Which of the loops that are marked `unrolled` code generation unrolls: a loop whose copies would
// be too much code stays a loop, with the same meaning.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "ir/stmt.h"

namespace proviso::backend {

class Unrolling {
  public:
    // Statements and expression nodes of all copies in one function. 200,000 of them take LLVM
    // minutes.
    static constexpr std::uint64_t kMost = 16'384;

    enum class Way : std::uint8_t {
        Full,
        IfSmall,  // the number of iterations is not constant here; the compiler's own limit holds
        No
    };

    // The loop is emitted next, then left. Those inside of a loop that is unrolled are part of it.
    Way enter(const ir::For& loop);
    void leave(Way way);

  private:
    std::uint64_t size(ir::Stmt s);  // with the copies of the loops in it
    std::uint64_t copies(const ir::For& loop);

    std::unordered_map<ir::Stmt, std::uint64_t> sizes_;
    std::uint64_t made_ = 0;
    int inside_ = 0;  // of loops that are unrolled
};

}  // namespace proviso::backend
