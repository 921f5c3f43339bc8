// One run on numbers of terms.
#pragma once

#include "verify/tv/numbering/compiled.h"
#include "verify/tv/numbering/numbering.h"
#include "verify/tv/regions.h"

namespace proviso::verify {

class Runner {
  public:
    Runner(ir::Context& ctx, Terms& terms, const Compiled& program, const Numbering::Limits& limits,
           NumberedRun& out);

    // `start`: by parameter and cell. Throws GivenUp.
    void run(const std::vector<std::vector<std::int64_t>>& shapes,
             const std::vector<std::vector<TermId>>& start);

  private:
    // Who touched a cell in one instance of a concurrent loop.
    struct Touches {
        std::uint64_t instance = 0;  // of the loop; of others, nothing is known
        std::uint64_t life = 0;      // of the buffer
        std::int64_t reader = 0;
        std::int64_t writer = 0;
        bool read = false;
        bool written = false;
        bool many_readers = false;
    };
    struct ConcurrentLoop {
        std::uint64_t instance = 0;
        std::int64_t iteration = 0;
        std::vector<std::vector<Touches>> cells;  // by memory
    };
    struct Memory {
        std::vector<std::int64_t> shape;
        std::vector<TermId> cells;
        std::uint64_t life = 0;
    };

    std::int64_t whole(const Code& c);
    std::int64_t held(const Code& c, std::int64_t value, bool overflow);
    std::int64_t divided(const Code& c);
    TermId term(const Code& c);
    TermId operation(const Code& c);
    TermId choice(const Code& c);
    TermId load(const Code& c);
    TermId definite(const Code& c);
    // The cell's place, after all checks of the access.
    std::size_t access(std::uint32_t memory, const std::vector<const Code*>& indices, bool writes);
    void touch(std::uint32_t memory, std::size_t cell, bool writes);
    void observe(const Code& c, TermId id);
    void mark(std::vector<bool>& set, TermId id);
    void assume(const Code& c);
    bool holds(const Code& c);  // of control
    void step();

    void exec(const Action& a);
    void exec(const Action& a, const ir::Store& n);
    void exec(const Action& a, const ir::For& n);
    void exec(const Action& a, const ir::IfElse& n);
    void exec(const Action& a, const ir::Seq& n);
    void exec(const Action& a, const ir::LetStmt& n);
    void exec(const Action& a, const ir::Allocate& n);
    void exec(const Action& a, const ir::Assert& n);
    void exec(const Action& a, const ir::Assume& n);
    void exec(const Action& a, const ir::Evaluate& n);
    void exec(const Action& a, const ir::Block& n);

    ir::Context& ctx_;
    Terms& terms_;
    const Compiled& program_;
    const Numbering::Limits& limits_;
    NumberedRun& out_;
    std::uint64_t steps_left_;
    std::vector<std::int64_t> whole_;  // by slot
    std::vector<TermId> term_;         // likewise
    std::vector<Memory> memory_;
    std::vector<ConcurrentLoop> concurrent_;  // all that are open, and some to be used again
    std::size_t open_ = 0;
    std::size_t watched_ = 0;  // cells of concurrent_
    std::uint64_t instances_ = 0;
    RegionClaims claims_;
    std::size_t claiming_ = 0;  // blocks
    int lazy_ = 0;              // under conditions on data
    std::vector<std::int64_t> at_;
};

}  // namespace proviso::verify
