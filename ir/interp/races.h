// Finds data races: two iterations of one concurrent loop touch a cell and at least one of them
// writes it. Iterations run one after the other, so it suffices to remember, for each concurrent
// loop being executed and each cell, which iteration wrote and which read it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ir/interp/program.h"

namespace proviso::ir {

class RaceDetector {
  public:
    // One execution of a concurrent loop. `variable` is the loop variable's slot, for messages.
    void enter_loop(Slot variable);
    void begin_iteration(std::int64_t value) { frames_[depth_ - 1].iteration = value; }
    void leave_loop() { --depth_; }

    bool active() const { return depth_ > 0; }

    // A touch of cell `offset` of a buffer of `cells` cells. False when it races; `conflict` then
    // says with what.
    bool touch(Slot buffer, std::size_t cells, std::size_t offset, bool is_write);

    // A fresh allocation: nobody has touched its cells.
    void forget(Slot buffer);

    struct Conflict {
        Slot variable = 0;
        std::int64_t first = 0;  // iterations
        std::int64_t second = 0;
        bool first_wrote = false;
        bool second_wrote = false;
    };
    const Conflict& conflict() const { return conflict_; }

  private:
    // What is known of a cell in one execution of a loop; stale when `execution` is another one.
    struct Mark {
        std::uint64_t execution = 0;
        std::int64_t writer = 0;
        std::int64_t reader =
            0;  // the first one: if it is not the current iteration, it is another
        bool written = false;
        bool read = false;
    };
    struct Frame {
        std::uint64_t execution = 0;
        std::int64_t iteration = 0;
        Slot variable = 0;
        std::vector<std::vector<Mark>> marks;  // by buffer, then cell; grown on demand
    };

    bool touch(Frame& frame, Mark& mark, bool is_write);
    bool report(const Frame& frame, std::int64_t first, bool first_wrote, bool second_wrote);

    std::vector<Frame> frames_;  // the first depth_ are being executed
    std::size_t depth_ = 0;
    std::uint64_t executions_ = 0;
    Conflict conflict_;
};

}  // namespace proviso::ir
