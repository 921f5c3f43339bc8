// What a case has reached, as names: coverage. It is read off what the case leaves behind (steps,
// calls, refusals, the program that was compiled), so nothing of Proviso counts while it works, and
// a campaign that wants no coverage pays nothing.
//
//   rule:split            a step was accepted
//   rules:split>fuse      … and the next one
//   owed:split/order/linear          an obligation, and who decided it
//   call:reorder/3 loops/accepted    a schedule's call with an option, and how it ended
//   calls:split>fuse      two calls with an effect, one after the other
//   refused:fuse/…        why a call was refused, without its names and numbers
//   failed:fuse/reorder-loops/order/REFUTED   by which step, obligation and verdict
//   cpu:vectorized in parallel, cpu:load int8  what was compiled
//   asked:adapters/refused            how oracles ended that are asked now and then
#pragma once

#include <set>
#include <string>
#include <vector>

#include "fuzz/campaign/summary.h"
#include "ir/function.h"
#include "rewrite/kernel/derivation.h"
#include "rewrite/schedule/reader/reader.h"

namespace proviso::fuzz {

using Features = std::set<std::string>;

void add_steps(Features& to, const std::vector<rewrite::Step>& steps);

// Of a schedule's calls, in their order. `effect`: the program is another one now.
class CallFeatures {
  public:
    CallFeatures(Features& to, const std::string& schedule) : to_(to), schedule_(schedule) {}
    void done(const rewrite::ScheduleReport::Done& call);
    void refused(const rewrite::ScheduleReport& report);

  private:
    void options(const std::string& primitive, int line, const char* how);

    Features& to_;
    const std::string& schedule_;
    std::string last_;  // with an effect
};

// A program as the code generator takes it. `how`: "O2"; or why there is no code.
void add_compiled(Features& to, const ir::Function& lowered, const std::string& how);

// `of_case`: the counts of the case alone.
void add_oracles(Features& to, const Summary& of_case);

// Without what differs from program to program: numbers, and names in quotes or of one letter and a
// number.
std::string reason_of(const std::string& message);

}  // namespace proviso::fuzz
