// An audit as a suite: a case for the log's files, one for what the source's layouts owe, one for
// each step, and the theorem. Some case fails exactly where the audit does not end with VERIFIED.
#pragma once

#include "tools/junit/junit.h"
#include "verify/audit/audit.h"

namespace proviso::tools {

JUnitSuite audit_suite(const verify::AuditReport& report);

}  // namespace proviso::tools
