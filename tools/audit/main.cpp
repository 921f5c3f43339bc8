// proviso-audit: `proviso audit` as a program of its own. It links no solver, no code generator and
// nothing that looks for steps: what has the last word on a proof log is here and in what this
// includes (scripts/count-trusted counts from this file on).
#include <CLI/CLI.hpp>

#include "tools/audit/audit.h"
#include "tools/support/support.h"
#include "tools/support/usage.h"
#include "verify/log/format.h"

namespace {

using namespace proviso::tools;

int audit(int argc, char** argv) {
    CLI::App app{kAuditWhat, "proviso-audit"};
    app.set_version_flag("--version",
                         "proviso-audit " PROVISO_VERSION " (" + proviso::verify::versions() + ")",
                         "print the version and exit");
    app.set_help_flag("-h,--help", "print this help and exit");
    app.footer(std::string("Example: proviso-audit ") + kAuditExample + "\n" + exit_codes() +
               "The same as `proviso audit`. More, with examples: docs/audit.md");
    AuditCommand options;
    add_audit(app, options);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& e) {
        if (e.get_exit_code() == 0) return app.exit(e);  // help
        return bad_input(usage_error(app, e), wants_json(argc, argv));
    }
    return run_audit(options);
}

}  // namespace

int main(int argc, char** argv) {
    return run_program("proviso-audit", argc, argv, audit);
}
