#include <CLI/CLI.hpp>

#include "tools/audit/audit.h"
#include "tools/support/usage.h"
#include "verify/log/format.h"

namespace proviso::tools {

void add_audit(CLI::App& app, AuditCommand& o) {
    app.add_option("LOG", o.log, "a proof log: its folder, or one file")
        ->type_name(kLog)
        ->required();
    app.add_option("--policy", o.policy,
                   "least evidence: E1 (a solver), E2 (two), E3 (a certificate); +v: validated")
        ->check(CLI::IsMember(proviso::verify::policies()))
        ->capture_default_str();
    app.add_option("--trusted-key", o.trusted_keys,
                   "public key (Ed25519, PEM), by one of which the log must be signed; repeatable")
        ->type_name(kFile)
        ->allow_extra_args(false);
    app.add_option("--junit", o.junit, "file for the result of each step, as JUnit XML")
        ->type_name(kFile);
    app.add_option("--jobs,-j", o.jobs, "threads; 0: one a core")->capture_default_str();
    app.add_flag("--no-validation", o.no_validation, "skip translation validation");
    CLI::Option* const none =
        app.add_flag("--no-solvers", o.no_solvers, "check certificates, ask no solver");
    app.add_flag("--ask-solvers", o.ask_solvers, "ask the solvers where there are certificates too")
        ->excludes(none);
    add_solver_limits(app, o.solver_seconds, o.solver_memory);
    app.add_option("--prepare", o.prepare,
                   "weights: the theorem also says what `lower --prepare` rests on")
        ->type_name("NAME")
        ->delimiter(',')
        ->allow_extra_args(false);
    app.add_option("--output", o.outputs, "an emitted file, which the log must name; repeatable")
        ->type_name(kFile);
    app.add_option("--html", o.html, "file for the report as a page for a browser; -: to stdout")
        ->type_name(kFile);
    app.add_flag("--times", o.times,
                 "with --html or --json: how long each obligation took, which differs each time");
    app.add_flag("--strict", o.strict, "exit 3 where every input that was tried faults");
    app.add_flag("--verbose,-v", o.verbose, "every obligation");
    app.add_flag("--json", o.json, "machine-readable report");
}

}  // namespace proviso::tools
