// The options of `check` on the command line.
#include <CLI/CLI.hpp>
#include <limits>

#include "tools/check.h"
#include "tools/support/usage.h"

namespace proviso::tools {

namespace {

constexpr const char* kName = "NAME";

// May be repeated, with one text each time.
void add_list(CLI::App& app, const char* option, std::vector<std::string>& to, const char* type,
              const char* about) {
    app.add_option(option, to, about)->type_name(type)->allow_extra_args(false);
}

}  // namespace

void add_check(CLI::App& app, CheckOptions& o) {
    app.add_option("BEFORE", o.before, "TVMScript file")->type_name(kFile)->required();
    app.add_option("AFTER", o.after, "TVMScript file with the same interface")
        ->type_name(kFile)
        ->required();
    app.add_option("--function,-f", o.function, "function to compare, when the files have several")
        ->type_name(kName);
    add_list(app, "--set", o.scalars, "NAME=VALUE",
             "NAME=VALUE: the size to check at; may be repeated");
    add_list(app, "--params", o.params, "NAMES",
             "AFTER's names of parameters: BEFORE=AFTER,C=out or by-position; in any order");
    add_list(app, "--layout", o.layouts, "LAYOUT",
             "BUFFER=lambda i: [i // 4, i % 4], pad_value=0: where AFTER keeps its cells");
    app.add_flag("--flat", o.flat, "AFTER's buffers of one dimension are BEFORE's, row by row");
    add_list(app, "--licence", o.licences, "LICENCE",
             "reassociate, no_signed_zero, finite(BUFFER): granted to both; may be repeated");
    add_list(app, "--float", o.floats, "LIST",
             "reassociate,no_signed_zero,finite(BUFFER): licences; ulp=N: what floats of runs "
             "may differ by");
    add_list(app, "--workspace", o.workspaces, kName,
             "buffer parameter whose contents mean nothing to the caller; may be repeated");
    app.add_option("--at-most", o.at_most, "callers pass no integers larger than this")
        ->transform(count_from(0, std::numeric_limits<std::int64_t>::max()))
        ->type_name("N");
    app.add_flag("--assume-no-overflow", o.no_overflow,
                 "axiom N1: no +, - or * of BEFORE on integers that wrap leaves its type");
    app.add_option("--tests", o.tests, "runs of the interpreter")
        ->transform(count_from(0))
        ->capture_default_str();
    app.add_option("--sizes", o.sizes, "choices of sizes, where extents are symbolic")
        ->transform(count_from(1, 1'000'000))
        ->capture_default_str();
    app.add_option("--step-limit", o.step_limit, "steps of one execution, symbolic or of a run")
        ->transform(count_from(0))
        ->capture_default_str();
    app.add_option("--cell-limit", o.cell_limit, "cells of one buffer, inside a program as well")
        ->transform(count_from(0, 16'777'216))
        ->capture_default_str();
    app.add_option("--claim-limit", o.claim_limit, "claims to the prover at one choice of sizes")
        ->transform(count_from(0))
        ->capture_default_str();
    app.add_option("--solver-limit", o.solver_limit, "resource units of Z3 for one claim")
        ->transform(count_from(0))
        ->capture_default_str();
    app.add_option("--seed", o.seed, "of the inputs")
        ->transform(count_from(0))
        ->capture_default_str();
    app.add_flag("--no-proof", o.no_proof,
                 "compare by execution only: no derivation is looked for");
    app.add_option("--junit", o.junit, "file for the result, as JUnit XML")->type_name(kFile);
    app.add_option("--log", o.log, "proof log to write, where AFTER is derived from BEFORE")
        ->type_name(kLog);
    app.add_option("--html", o.html, "file for the answer as a page for a browser; -: to stdout")
        ->type_name(kFile);
    add_solver_limits(app, o.solver_seconds, o.solver_memory);
    add_solver_effort(app, o.solver_effort);
    app.add_flag("--json", o.json, "machine-readable report");
}

}  // namespace proviso::tools
