#include "tools/audit/tell.h"

#include <cstdio>
#include <nlohmann/json.hpp>

#include "tools/junit/audit_suite.h"
#include "tools/page/audit_page.h"
#include "tools/page/page.h"
#include "tools/support/support.h"
#include "tools/support/terminal.h"
#include "tools/support/write_file.h"

namespace proviso::tools {

Status may_tell(const AuditCommand& o) {
    if (o.json && o.html == "-") {
        return error("--json and --html - both write to standard output", "give --html a file");
    }
    if (o.times && o.html.empty() && !o.json) {
        return error("--times: nothing shows them", "give --html FILE or --json as well");
    }
    std::vector<std::string> inputs = o.outputs;
    inputs.insert(inputs.end(), o.trusted_keys.begin(), o.trusted_keys.end());
    inputs.push_back(o.log);
    return may_write({{"--junit", o.junit}, {"--html", o.html, true}}, inputs, o.log);
}

Status tell(ir::Context& ctx, const verify::AuditReport& report, const AuditCommand& o) {
    if (o.json) {
        print_json(report.json());
    } else if (o.html != "-") {
        std::printf("%s", visible(report.text(o.verbose)).c_str());
    }
    if (!o.junit.empty()) {
        if (Status ok = write_file(o.junit, junit_xml(audit_suite(report))); !ok) return ok;
    }
    if (o.html.empty()) return Unit{};
    const Result<std::string> html = audit_page(ctx, report);
    return html ? write_page(o.html, *html) : Status(html.error());
}

}  // namespace proviso::tools
