#include "tools/audit/tell.h"

#include <cstdio>
#include <nlohmann/json.hpp>

#include "tools/page/audit_page.h"
#include "tools/page/page.h"
#include "tools/support/support.h"

namespace proviso::tools {

Status may_tell(const AuditCommand& o) {
    if (o.json && o.html == "-") {
        return error("--json and --html - both write to standard output", "give --html a file");
    }
    return may_write_page("--html", o.html, o.log);
}

Status tell(ir::Context& ctx, const verify::AuditReport& report, const AuditCommand& o) {
    if (o.json) {
        print_json(report.json());
    } else if (o.html != "-") {
        std::printf("%s", report.text(o.verbose).c_str());
    }
    if (o.html.empty()) return Unit{};
    const Result<std::string> html = audit_page(ctx, report);
    return html ? write_page(o.html, *html) : Status(html.error());
}

}  // namespace proviso::tools
