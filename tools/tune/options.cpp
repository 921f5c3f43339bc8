#include <CLI/CLI.hpp>

#include "tools/support/usage.h"
#include "tools/tune/commands.h"

namespace proviso::tools {

void add_tune(CLI::App& app, TuneOptions& o) {
    app.add_option("PROGRAM", o.program, "TVMScript file")->type_name(kFile)->required();
    app.add_option("--schedule,-s", o.schedule, "schedule file with choices: sch.choose([2, 4, 8])")
        ->type_name(kFile)
        ->required();
    app.add_option("--function,-f", o.function, "function to tune, when the file has several")
        ->type_name("NAME");
    app.add_option("-o,--out", o.out, "file for the results; default: PROGRAM's name, .tuned.json")
        ->type_name(kFile);
    app.add_flag("--resume", o.resume, "go on with the results that are in the file");
    app.add_option("--svg", o.svg, "file for a plot of what was tried")->type_name(kFile);
    app.add_option("--limit", o.limit, "candidates to try at most; default: all")
        ->transform(count_from(1));
    app.add_option("--time", o.time, "try no further candidate after so many seconds")
        ->transform(count_from(1));
    app.add_option("--seed", o.seed, "of the order in which candidates are tried")
        ->transform(count_from(0))
        ->capture_default_str();
    app.add_option("--cpu", o.cpu, "CPU that machine code is for, as in lower; default: native")
        ->type_name("CPU:{native,x86-64,x86-64-v2,x86-64-v3,x86-64-v4,...}");
    CLI::Option* folder =
        app.add_option("--cache", o.cache.folder,
                       "folder that keeps solvers' answers between runs (see docs/cache.md)");
    folder->type_name(kFolder);
    app.add_flag("--no-cache", o.cache.off, "keep and use no answers of other runs")
        ->excludes(folder);
    add_solver_limits(app, o.solver_seconds, o.solver_memory);
    add_solver_effort(app, o.solver_effort);
    app.add_flag("--json", o.json, "machine-readable report");
    app.add_flag("-v,--verbose", o.verbose, "each candidate as it is tried");
    app.add_flag("-q,--quiet", o.quiet, "no progress");
}

}  // namespace proviso::tools
