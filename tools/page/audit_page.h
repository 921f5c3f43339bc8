// What an audit has found as a page for a browser.
#pragma once

#include <string>

#include "ir/context.h"
#include "verify/audit/audit.h"

namespace proviso::tools {

// Of a report and the log that it is about. The log is read once more, for what a report does not
// hold: programs, edits, the schedule, refusals. Fails where that is another log by now.
Result<std::string> audit_page(ir::Context& ctx, const verify::AuditReport& report);

}  // namespace proviso::tools
