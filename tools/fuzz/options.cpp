// The options of `fuzz` on the command line.
#include <CLI/CLI.hpp>

#include "fuzz/campaign/campaign.h"
#include "tools/fuzz/commands.h"
#include "tools/support/usage.h"

namespace proviso::tools {

void add_fuzz(CLI::App& app, FuzzCommand& o) {
    app.add_option("--cases", o.cases, "programs to generate; 1000, or with --time no limit")
        ->each([&o](const std::string&) { o.cases_given = true; })
        ->transform(count_from(0))
        ->capture_default_str();
    app.add_option("--first", o.first, "number of the first case")
        ->transform(count_from(0))
        ->capture_default_str();
    app.add_option("--time", o.time, "stop after so many seconds")->transform(count_from(0));
    app.add_option("--seed", o.seed, "of the campaign")
        ->transform(count_from(0))
        ->capture_default_str();
    app.add_option("--expressions", o.expressions,
                   "instead of programs, so many expressions for the simplifier")
        ->transform(count_from(0));
    app.add_option("--jobs,-j", o.jobs, "threads; 0: one a core")->capture_default_str();
    app.add_option("-o,--out", o.out, "folder for the summary and for failures")
        ->type_name(kFolder);
    app.add_option("--reproduce", o.reproduce, "run one failure again, from its folder")
        ->type_name(kFolder);
    app.add_option("--page", o.page,
                   "with --planted, --omissions or --hostile: write the page of the docs")
        ->type_name(kFile);
    app.add_option("--only", o.only,
                   "with --planted, --omissions or --hostile: those whose name contains this")
        ->type_name("PART");
    app.add_flag("--omissions", o.omissions,
                 "which obligations, left out one by one, a campaign of schedules notices; with "
                 "--steps or --forged: one of those");
    CLI::Option* const schedules =
        app.add_flag("--schedules", o.schedules,
                     "every case a schedule, no guessed steps; the dear oracles on some of them");
    app.add_option("--inputs", o.inputs,
                   "with --schedules: inputs on which a pair of program and schedule is run, at "
                   "most; 32")
        ->transform(count_from(1, proviso::fuzz::kMostInputs))
        ->needs(schedules)
        ->excludes("--omissions");
    CLI::Option* const steps =
        app.add_flag("--steps", o.steps,
                     "general programs, and any rule at any site with any arguments on them");
    steps->excludes(schedules);
    CLI::Option* const forged =
        app.add_flag("--forged", o.forged,
                     "steps that are accepted, again, with a mistake in what they propose");
    forged->excludes(schedules)->excludes(steps);
    app.add_flag("--graphs", o.graphs,
                 "every case a network of 2 to 12 operators, and layouts of its tensors")
        ->excludes(schedules)
        ->excludes(steps)
        ->excludes(forged)
        ->excludes("--omissions");
    app.add_flag("--show", o.show, "print each program and its schedule");
    app.add_flag("--gpu", o.gpu,
                 "programs on blocks and threads; with --planted: the faults of GPU code")
        ->excludes("--graphs")
        ->excludes(steps)
        ->excludes(forged)
        ->excludes(schedules);
    app.add_flag("--planted", o.planted,
                 "break one thing at a time and see which layer catches it");
    app.add_flag("--hostile", o.hostile,
                 "wrong proposals to the two theorems: so many cases around each planted fault")
        ->excludes(schedules)
        ->excludes(steps)
        ->excludes(forged)
        ->excludes("--planted")
        ->excludes("--omissions")
        ->excludes("--graphs")
        ->excludes("--gpu");
    app.add_option("--junit", o.junit, "file for the findings, by kind, as JUnit XML")
        ->type_name(kFile)
        ->excludes("--planted")
        ->excludes("--omissions")
        ->excludes("--hostile")
        ->excludes("--reproduce");
    app.add_flag("--json", o.json, "machine-readable summary");
    app.add_flag("-q,--quiet", o.quiet, "no progress");
}

}  // namespace proviso::tools
