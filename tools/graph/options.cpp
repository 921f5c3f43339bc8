#include <CLI/CLI.hpp>

#include "tools/graph/commands.h"
#include "tools/support/usage.h"

namespace proviso::tools {

void add_graph(CLI::App& app, GraphCommand& o) {
    app.add_option("NETWORK", o.lower.program, "TVMScript file with a function of Relax")
        ->type_name(kFile)
        ->required();
    app.add_option("--function,-f", o.lower.function, "graph, when the file has several")
        ->type_name("NAME");
    app.add_flag("--list", o.list, "only list the operators and the tensors between them");
    app.add_option("--templates", o.templates,
                   "layouts to try, with commas between them; default: channels-last, "
                   "channels-last-8, nchw8c, columns-8")
        ->type_name(
            "NAME:{channels-last,channels-last-8,channels-last-16,channels-8,channels-16,nchw8c,"
            "nchw16c,columns-8,columns-16}")
        ->delimiter(',')
        ->allow_extra_args(false);
    CLI::Option* costs = app.add_option(
        "--costs", o.costs,
        "JSON file: nanoseconds of each variant and conversion; default: bytes moved");
    costs->type_name(kFile);
    app.add_option("--measure", o.measure,
                   "measure them on this machine, write that file, and decide by it")
        ->type_name(kFile)
        ->excludes(costs);
    app.add_option("--cpu", o.lower.cpu,
                   "CPU that machine code is for, and is measured as: native, x86-64, v2, v3, v4, "
                   "or another")
        ->type_name("CPU");
    app.add_option("--repack", o.repack,
                   "parameters that the caller passes, or gets, in any layout, beside weights")
        ->type_name("NAME")
        ->delimiter(',')
        ->allow_extra_args(false);
    app.add_option("--prepare", o.lower.prepare,
                   "weights that are packed once, by a function of its own")
        ->type_name("NAME")
        ->delimiter(',')
        ->allow_extra_args(false);
    app.add_flag("--share-memory", o.lower.share_memory,
                 "tensors that are not used at the same time share memory");
    app.add_option("--emit", o.lower.emit,
                   "what to write: schedule, picture, and what lower writes: "
                   "ir,llvm,asm,obj,so,header,adapters,deps,module")
        ->type_name("WHAT:{schedule,picture,ir,llvm,asm,obj,so,header,adapters,deps,module}")
        ->delimiter(',')
        ->allow_extra_args(false);
    app.add_option("--log", o.lower.log,
                   "proof log to write: a folder, or one file where it ends in .tar.zst")
        ->type_name(kLog);
    app.add_option("-o,--out", o.lower.out, "folder for what is written")
        ->type_name(kFolder)
        ->capture_default_str();
    CLI::Option* folder =
        app.add_option("--cache", o.lower.cache.folder,
                       "folder that keeps solvers' answers between runs (see docs/cache.md)");
    folder->type_name(kFolder);
    app.add_flag("--no-cache", o.lower.cache.off, "keep and use no answers of other runs")
        ->excludes(folder);
    app.add_flag("--no-validation", o.lower.no_validation,
                 "do not compare source and result by translation validation");
    add_solver_limits(app, o.lower.solver_seconds, o.lower.solver_memory);
    add_solver_effort(app, o.lower.solver_effort);
    app.add_flag("--json", o.lower.json, "machine-readable report");
    app.add_flag("-v,--verbose", o.lower.verbose, "each refused variant");
    app.add_flag("-q,--quiet", o.lower.quiet, "no progress");
}

}  // namespace proviso::tools
