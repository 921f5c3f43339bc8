// A last resort against a solver that does not keep to its budget. A budget in the solver's own
// units decides; this stops what spends them more slowly than anything that was measured, so that
// its answer is UNKNOWN instead of none.
#pragma once

#include <functional>
#include <memory>
#include <string>

namespace proviso::analysis::smt {

// Seconds of a clock; generous, since a busy machine is not to change an answer.
inline constexpr int kWallLimitSeconds = 60;

// Calls `stop` when `seconds` have passed, and then again until the end of its own life: a solver
// may be in a place where it does not look whether it was told to stop.
class Watchdog {
  public:
    Watchdog(int seconds, std::function<void()> stop);
    ~Watchdog();
    Watchdog(const Watchdog&) = delete;
    Watchdog& operator=(const Watchdog&) = delete;
    bool has_stopped() const;

  private:
    struct State;
    std::unique_ptr<State> state_;
};

// Why an answer is UNKNOWN after that: "z3 did not keep to its budget and was stopped after 60 s".
std::string stopped(const std::string& solver, int seconds);
// Whether that is what `why` says: an answer that depends on the clock, and so is never kept.
bool was_stopped(const std::string& why);
// What commands say after that.
inline constexpr const char* kMoreSeconds = "--solver-seconds N gives it more";

}  // namespace proviso::analysis::smt
