// Opaque calls of a run as the events that they are: which functions were called, in order, with
// which arguments. The result of a call is made up from these and a seed, so that two programs that
// make the same calls are given the same results, and one that makes other calls soon differs.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ir/function.h"
#include "ir/interp/interpreter.h"

namespace proviso::verify {

class OpaqueCalls {
  public:
    // The calls of `f`; none where one name is used with results or arguments of several types.
    explicit OpaqueCalls(const ir::Function& f);

    // Functions for a run whose events are appended to `trace`, one line each: "ping(3, 4)". A
    // function that `options` has already stays, and leaves no events. `trace` outlives the run.
    void give_to(ir::InterpOptions& options, std::uint64_t seed,
                 std::vector<std::string>& trace) const;

    bool any() const { return !types_.empty(); }

  private:
    std::map<std::string, ir::ScalarType> types_;              // of results, by name
    std::map<std::string, std::vector<ir::ScalarType>> args_;  // of arguments, of the longest call
};

}  // namespace proviso::verify
