// A derivation that this process made, as a page for a browser: what `lower` and `check` did.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "rewrite/kernel/derivation.h"
#include "rewrite/schedule/reader/reader.h"
#include "tools/commands.h"
#include "tools/page/page.h"
#include "tools/page/record.h"
#include "verify/harness/has_input.h"
#include "verify/tv/validate.h"

namespace proviso::tools {

// The calls of a schedule, told one by one as they end.
class CallList {
  public:
    // `steps`: of the derivation so far.
    void add(const rewrite::ScheduleReport::Done& done, std::size_t steps);
    // What came after the schedule: "lower".
    void rest(const std::string& name, std::size_t steps);
    // The call that ended the schedule.
    void refuse(const rewrite::ScheduleReport& report);
    // Of the first so many steps: a call that was refused has taken its own back, and comes last.
    std::vector<ScheduleCall> of(std::size_t steps) const;

  private:
    std::vector<ScheduleCall> calls_;
    std::optional<ScheduleCall> refused_;
    std::size_t steps_ = 0;
    std::size_t inside_ = 0;  // trailing calls in a function of an imported file that has not ended
};

struct LowerFacts {
    std::string schedule;  // its text, with what it imports, as a log has it; empty: none
    std::vector<ScheduleCall> calls;
    verify::InputSearch inputs;  // of the source
    verify::TvResult whole;      // source against result, where it was compared
    bool validated = false;      // it was
};

// Whether --report can be written, beside all else that these options print.
Status may_report(const LowerOptions& options);

// Writes the page of `lower` to `file`; empty: nowhere. `refusal`: what report_refusal told; null:
// there is none.
Status write_report_page(const std::string& file, ir::Context& ctx,
                         const rewrite::Derivation& derivation, const LowerFacts& facts,
                         const nlohmann::json* refusal);

}  // namespace proviso::tools
