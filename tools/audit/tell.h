// What a command that audits prints and writes of its report. The report's exit code is the answer.
#pragma once

#include "ir/context.h"
#include "tools/audit/audit.h"
#include "verify/audit/audit.h"

namespace proviso::tools {

// Before the audit: whether what it is to say can be said so.
Status may_tell(const AuditCommand& options);
Status tell(ir::Context& ctx, const verify::AuditReport& report, const AuditCommand& options);

}  // namespace proviso::tools
