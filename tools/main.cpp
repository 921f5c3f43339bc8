// proviso: the command line. The commands take plain data; CLI11 is known here, in usage.cpp, in
// manual/describe.cpp, check_options.cpp and in the options.cpp of folders only.
#include <CLI/CLI.hpp>

#include "tools/campaign/commands.h"
#include "tools/check.h"
#include "tools/commands.h"
#include "tools/fuzz/commands.h"
#include "tools/graph/commands.h"
#include "tools/manual/describe.h"
#include "tools/manual/manual.h"
#include "tools/support/support.h"
#include "tools/support/usage.h"
#include "tools/tune/commands.h"
#include "verify/log/format.h"

namespace {

using namespace proviso::tools;

constexpr const char* kName = "NAME";
constexpr const char* kExpr = "EXPR";

void add_cache(CLI::App& app, CacheOptions& o) {
    CLI::Option* folder = app.add_option(
        "--cache", o.folder, "folder that keeps solvers' answers between runs (see docs/cache.md)");
    folder->type_name(kFolder);
    app.add_flag("--no-cache", o.off, "keep and use no answers of other runs")->excludes(folder);
}

void add_cpu(CLI::App& app, std::string& cpu, const std::string& what) {
    app.add_option("--cpu", cpu, what)
        ->type_name("CPU:{native,x86-64,x86-64-v2,x86-64-v3,x86-64-v4,...}");
}

void add_lower(CLI::App& app, LowerCommand& command) {
    LowerOptions& o = command.lower;
    app.add_option("PROGRAM", o.program, "TVMScript file")->type_name(kFile)->required();
    CLI::Option* schedule =
        app.add_option("--schedule,-s", o.schedule,
                       "schedule file: calls on a schedule object, or a trace of TVM (.json)")
            ->type_name(kFile);
    CLI::Option* choose = app.add_option("--choose", command.choices.choose,
                                         "NAME=VALUE of a choice of the schedule; may be repeated")
                              ->type_name("NAME=VALUE")
                              ->allow_extra_args(false)
                              ->needs(schedule);
    app.add_option("--tuned", command.choices.tuned,
                   "file of `proviso tune` that has the values of the choices")
        ->type_name(kFile)
        ->needs(schedule)
        ->excludes(choose);
    app.add_option("--trace", o.trace, "file for the schedule's calls as a trace of TVM")
        ->type_name(kFile)
        ->needs(schedule);
    app.add_option("--function,-f", o.function, "function to lower, when the file has several")
        ->type_name(kName);
    app.add_option("--target", o.target, "cpu, cuda:sm_NN, opencl:generic, gpu-host, nvptx:sm_NN")
        ->type_name("TARGET:{cpu,cuda:sm_90,opencl:generic,gpu-host,nvptx:sm_90,...}")
        ->capture_default_str();
    app.add_option("--emit", o.emit,
                   "what to write: ir,llvm,asm,obj,so,header,adapters,deps,module; for GPUs "
                   "ir,cuda,ptx,cubin,opencl,nvptx,llvm,deps,module")
        ->type_name(
            "WHAT:{ir,llvm,asm,obj,so,header,adapters,deps,module,cuda,ptx,cubin,opencl,nvptx}")
        ->delimiter(',')
        ->allow_extra_args(false);
    CLI::Option* log = app.add_option(
        "--log", o.log, "proof log to write: a folder, or one file where it ends in .tar.zst");
    log->type_name(kLog);
    app.add_option("--sign", o.sign, "private key (Ed25519, PEM) to sign the proof log with")
        ->type_name(kFile)
        ->needs(log);
    app.add_option("--report", o.report,
                   "file for the steps and their proofs as a page for a browser; -: to stdout")
        ->type_name(kFile);
    app.add_option("-o,--out", o.out, "folder for what is written")
        ->each([&o](const std::string&) { o.out_given = true; })
        ->type_name(kFolder)
        ->capture_default_str();
    app.add_option_function<std::string>(  // a chosen name may be empty, and wrong then
           "--symbol", [&o](const std::string& name) { o.symbol = name; },
           "the function's symbol in C, and the name of what is written; default: its name, or "
           "FILE_NAME where C has no such symbol")
        ->type_name(kName);
    add_cache(app, o.cache);
    app.add_option("--print-after", o.print_after,
                   "print what a step changed, as a diff: all, or its number")
        ->type_name("STEP:{all,...}");
    app.add_flag("--explain", o.explain,
                 "why each branch, store and division that remains is still there");
    app.add_flag("--explain-speed", o.explain_speed,
                 "what became of each innermost loop in machine code");
    app.add_flag("--flatten", o.flatten, "every buffer as one row-major dimension");
    add_cpu(app, o.cpu,
            "CPU that code is for: native, a level, or a name of LLVM's; default: x86-64-v3");
    app.add_flag("--guarded", o.guarded,
                 "machine code that checks its accesses and divisions (see docs/run.md)");
    app.add_option("--prepare", o.prepare,
                   "parameters whose packing becomes a function of its own, which runs once")
        ->type_name("NAME")
        ->delimiter(',')
        ->allow_extra_args(false);
    app.add_flag("--share-memory", o.share_memory,
                 "buffers that are not used at the same time share memory");
    app.add_flag("--no-validation", o.no_validation,
                 "do not compare source and result by translation validation");
    app.add_flag("--strict", o.strict,
                 "a schedule primitive that changes nothing ends in exit code 3");
    app.add_option("--replay-steps", o.replay_steps,
                   "longest run of the interpreter that shows why a step is refused")
        ->transform(count_from(0))
        ->capture_default_str();
    add_solver_limits(app, o.solver_seconds, o.solver_memory);
    add_solver_effort(app, o.solver_effort);
    app.add_flag("--json", o.json, "machine-readable report");
    app.add_flag("-v,--verbose", o.verbose, "what each primitive of the schedule gave");
    app.add_flag("-q,--quiet", o.quiet, "no progress");
}

void add_run(CLI::App& app, RunOptions& o) {
    app.add_option("PROGRAM", o.program, "TVMScript file")->type_name(kFile)->required();
    app.add_option("--function,-f", o.function, "function to run, when the file has several")
        ->type_name(kName);
    app.add_option("--engine", o.engine, "cpu, interp, or both (compared bit for bit)")
        ->check(CLI::IsMember({"cpu", "interp", "both"}))
        ->capture_default_str();
    app.add_option(
           "--target", o.target,
           "cpu; gpu-host, opencl or cuda:sm_NN (bound loops; compared with the interpreter)")
        ->type_name("TARGET:{cpu,gpu-host,opencl,cuda:sm_90,...}")
        ->capture_default_str();
    app.add_option("--in", o.inputs, "NAME=FILE.npy, for a buffer parameter; may be repeated")
        ->type_name("NAME=FILE")
        ->allow_extra_args(false);
    app.add_option("--set", o.scalars, "NAME=VALUE, for a scalar parameter; may be repeated")
        ->type_name("NAME=VALUE")
        ->allow_extra_args(false);
    app.add_option("-o,--out", o.out, "folder for NAME.npy of every buffer the function writes")
        ->type_name(kFolder);
    app.add_flag("--random", o.random, "make up the inputs that are not given");
    app.add_option("--seed", o.seed, "of made-up inputs")
        ->transform(count_from(0))
        ->capture_default_str();
    add_cpu(app, o.cpu, "CPU that machine code is for, as in lower; default: native");
    app.add_flag("--guarded", o.guarded,
                 "machine code that checks its accesses and divisions, and names the first that "
                 "is wrong");
    app.add_option("--max-cells", o.max_cells,
                   "limit on the cells of the buffers; default: one for each 64 bytes of memory")
        ->transform(count_from(1));
    app.add_option("--max-steps", o.max_steps,
                   "limit on what the interpreter evaluates; default: none")
        ->transform(count_from(1));
    add_solver_limits(app, o.solver_seconds, o.solver_memory);
    add_solver_effort(app, o.solver_effort);
    app.add_flag("--json", o.json, "machine-readable report");
    app.add_flag("-q,--quiet", o.quiet, "no progress");
}

// Of what runs in a process of its own.
void add_child_limits(CLI::App& app, unsigned& seconds, unsigned& memory, const std::string& of) {
    app.add_option("--seconds", seconds, "of processor time, for " + of)
        ->check(CLI::Range(1, 86'400))
        ->capture_default_str();
    app.add_option("--memory", memory, "MiB of address space, for " + of)
        ->check(CLI::Range(1, 1'048'576))
        ->capture_default_str();
}

void add_serve(CLI::App& app, ServeOptions& o) {
    add_child_limits(app, o.seconds, o.memory, "one request");
}

void add_lsp(CLI::App& app, LspOptions& o) {
    app.add_option("--program", o.program, "that schedules are for where nobody says another")
        ->type_name(kFile);
    add_child_limits(app, o.seconds, o.memory, "one run of a schedule");
}

void add_prove(CLI::App& app, ProveOptions& o) {
    app.add_option("GOAL", o.goal, "a boolean expression")->type_name(kExpr);
    app.add_option("--var", o.vars, "NAME:TYPE; may be repeated (int32 is the default type)")
        ->type_name("DECLARATION")
        ->allow_extra_args(false);
    app.add_option("--given", o.given, "a fact; may be repeated")
        ->type_name(kExpr)
        ->allow_extra_args(false);
    app.add_option("--batch", o.batch,
                   "file of JSON lines: {\"vars\", \"given\", \"goal\"}; - is standard input")
        ->type_name(kFile);
    app.add_flag("--cross-check", o.cross_check, "ask both solvers");
    app.add_flag("--explain", o.explain, "who answered, and a minimal set of facts");
    app.add_flag("--smt", o.smt, "print the obligation as SMT-LIB 2");
    app.add_option("--certificate", o.certificate,
                   "write NAME.smt2 and NAME.cert for proviso-certcheck; a folder for a batch")
        ->type_name("PATH");
    add_solver_limits(app, o.solver_seconds, o.solver_memory);
    add_solver_effort(app, o.solver_effort);
    add_cache(app, o.cache);
    app.add_flag("--json", o.json, "machine-readable answer");
}

void add_simplify(CLI::App& app, SimplifyOptions& o) {
    app.add_option("EXPR", o.expr, "an expression")->type_name(kExpr);
    app.add_option("--var", o.vars, "NAME:TYPE; may be repeated (int32 is the default type)")
        ->type_name("DECLARATION")
        ->allow_extra_args(false);
    app.add_option("--given", o.given, "a fact; may be repeated")
        ->type_name(kExpr)
        ->allow_extra_args(false);
    app.add_option("--licence", o.licences,
                   "what is granted: no_signed_zero, reassociate, finite(A); may be repeated")
        ->type_name("LICENCE:{no_signed_zero,reassociate,...}")
        ->allow_extra_args(false);
    app.add_option("--batch", o.batch,
                   "file of JSON lines: {\"vars\", \"given\", \"expr\"}; - is standard input")
        ->type_name(kFile);
    app.add_flag("--explain", o.explain, "the chain of rules");
    add_solver_limits(app, o.solver_seconds, o.solver_memory);
    add_solver_effort(app, o.solver_effort);
    add_cache(app, o.cache);
    app.add_flag("--json", o.json, "machine-readable answer");
}

void add_bounds(CLI::App& app, BoundsOptions& o) {
    app.add_option("PROGRAM", o.program, "TVMScript file")->type_name(kFile)->required();
    app.add_option("--schedule,-s", o.schedule, "schedule file: the program as it leaves it")
        ->type_name(kFile);
    app.add_option("--function,-f", o.function, "function to look at, when the file has several")
        ->type_name(kName);
    app.add_option("--sizes", o.sizes, "NAME=VALUE of size parameters, with commas between them")
        ->type_name("NAME=VALUE")
        ->delimiter(',')
        ->allow_extra_args(false);
    add_solver_limits(app, o.solver_seconds, o.solver_memory);
    add_solver_effort(app, o.solver_effort);
    add_cache(app, o.cache);
    CLI::Option* const json = app.add_flag("--json", o.json, "machine-readable answer");
    CLI::Option* const dot =
        app.add_flag("--dot", o.dot, "stages and buffers as a graph, in Graphviz DOT")
            ->excludes(json);
    app.add_flag("--svg", o.svg, "a picture of the regions of buffers of two dimensions")
        ->excludes(json)
        ->excludes(dot);
}

void add_solve(CLI::App& app, SolveOptions& o) {
    app.add_option(
           "FORM", o.form,
           "bounds: of one variable; project: what holds of the others; invert: an index map; set: "
           "the values of an index expression")
        ->check(CLI::IsMember({"bounds", "project", "invert", "set"}));
    app.add_option("TEXT", o.text,
                   "a condition; for invert a map such as 'i, j -> j, i // 4, i % 4'; for set an "
                   "expression, several, or an access A[i, j]")
        ->type_name(kExpr);
    app.add_option("--for", o.variable, "the variable to solve for, or to take away")
        ->type_name(kName);
    app.add_option("--var", o.vars, "NAME:TYPE; may be repeated (int32 is the default type)")
        ->type_name("DECLARATION")
        ->allow_extra_args(false);
    app.add_option("--given", o.given, "a fact; may be repeated")
        ->type_name(kExpr)
        ->allow_extra_args(false);
    app.add_option("--extent", o.extents,
                   "NAME=EXTENT: 0 <= NAME < EXTENT; one a variable of the map, or of the domain")
        ->type_name("NAME=EXTENT")
        ->allow_extra_args(false);
    app.add_option("--shape", o.shape, "physical extents, one a result of the map")
        ->type_name("EXTENT")
        ->delimiter(',')
        ->allow_extra_args(false);
    app.add_option("--batch", o.batch,
                   "file of JSON lines (see docs/solve.md); - is standard input")
        ->type_name(kFile);
    add_solver_limits(app, o.solver_seconds, o.solver_memory);
    add_solver_effort(app, o.solver_effort);
    add_cache(app, o.cache);
    app.add_flag("--json", o.json, "machine-readable answer");
}

void add_rules(CLI::App& app, RulesOptions& o) {
    app.add_option(
           "ACTION", o.action,
           "list (the default); show: one rule; verify: prove every rule; mutants: rules with "
           "slips")
        ->check(CLI::IsMember({"verify", "mutants", "show", "list"}));
    app.add_option("NAME", o.name, "a rule's name, for show")->type_name(kName);
    app.add_option("--family", o.family, "only rules of one family, by its whole name")
        ->type_name(kName);
    app.add_option("--record", o.record, "with verify: file to write all verdicts to")
        ->type_name(kFile);
    app.add_option("--jobs,-j", o.jobs, "threads; 0: one a core")->capture_default_str();
    add_cache(app, o.cache);
    app.add_flag("--refused", o.refused, "rules that are known elsewhere and wrong here");
    app.add_flag("--statements", o.statements, "the statement rules");
    app.add_flag("--json", o.json, "machine-readable table");
}

void add_fmt(CLI::App& app, FmtOptions& o) {
    app.add_option("FILES", o.files, "TVMScript files; - is standard input")
        ->type_name(kFile)
        ->required();
    app.add_flag("--check", o.check, "print nothing; exit code 1 when a file is not canonical");
    app.add_flag("-i,--in-place", o.in_place, "rewrite the files")->excludes("--check");
}

int dispatch(int argc, char** argv) {
    CLI::App app{"Rewrites padded tensor programs and proves every rewrite.", "proviso"};
    app.require_subcommand(1);
    const std::string codes = exit_codes();
    app.footer(codes +
               "proviso help COMMAND says more; each command has a page with examples in docs/.");
    CommandTable table;
    table.version = "proviso " PROVISO_VERSION " (" + proviso::verify::versions() + ")";
    app.set_version_flag("--version", table.version, "print the version and exit");
    app.set_help_flag("-h,--help", "print this help and exit");
    int code = kFine;
    LowerCommand lower;
    GraphCommand graph;
    TuneOptions tune;
    BoundsOptions bounds;
    RunOptions run;
    CheckOptions check;
    ServeOptions serve;
    LspOptions lsp;
    AuditCommand audit;
    ProveOptions prove;
    SimplifyOptions simplify;
    SolveOptions solve;
    RulesOptions rules;
    FuzzCommand fuzz;
    CampaignCommand campaign;
    FmtOptions fmt;
    DiffOptions diff;
    ShowOptions show;
    LogCommand log;
    ManOptions man;
    CompletionsOptions completions;
    const auto command = [&](const char* name, const char* what, const char* example,
                             const auto& add, auto& options, const auto& body,
                             const std::string& page = {}) {
        CLI::App* sub = app.add_subcommand(name, what);
        const std::string docs = page.empty() ? std::string(name) + ".md" : page;
        sub->footer("Example: proviso " + std::string(name) + " " + example + "\n" + codes +
                    "More, with examples: docs/" + docs);
        add(*sub, options);
        for (CLI::Option* option : sub->get_options()) {
            const std::string& type = option->get_type_name();
            const bool names = type == kFile || type == kFolder || type == kLog;
            if (names && !option->get_positional()) option->check(not_empty());
        }
        sub->callback([&code, &options, body] { code = body(options); });
        table.commands.push_back(describe(*sub));
        table.commands.back().example = example;
        table.commands.back().page = docs;
        return sub;
    };
    command("lower", "schedule and lower a program, each step proved",
            "row_sum.py --schedule row_sum.sch.py --emit ir,so --log log -o out", add_lower, lower,
            run_lower_command);
    command("graph", "choose layouts for a whole network at once, each proved",
            "mlp.py --costs mlp.costs.json --emit so --log log -o out", add_graph, graph,
            run_graph);
    command("tune", "the fastest values for the choices of a schedule, each candidate proved",
            "product.py --schedule product.sch.py -o tuned.json", add_tune, tune, run_tune);
    command("bounds", "what each stage requests and computes of each buffer, at each loop level",
            "blur.py --json", add_bounds, bounds, run_bounds);
    command("run", "run a program on .npy files", "scale.py --random -o out", add_run, run,
            run_run);
    command("check", "compare two programs that have the same interface", "before.py after.py",
            add_check, check, run_check);
    command("serve", "compare pairs of programs that come as JSON lines, in one process",
            "< pairs.jsonl", add_serve, serve, run_serve);
    command("lsp", "a language server for editors, on standard input and output",
            "--program row_sum.py", add_lsp, lsp, run_lsp);
    command("audit", kAuditWhat, kAuditExample, add_audit, audit, run_audit);
    table.commands.back().program = "proviso-audit";
    command("diff", "what the steps of a proof log changed", "log 3", add_diff, diff, run_diff);
    command("show", "a step of a proof log, or one of its obligations", "log 3", add_show, show,
            run_show);
    command("log", "list, print, pack, unpack and sign proof logs", "pack log log.tar.zst", add_log,
            log, run_log);
    command("prove", "is a claim true wherever the facts are? proved, or refuted by values",
            "'x * 8 + 3 > x' --given 'x >= 0'", add_prove, prove, run_prove);
    command("simplify", "simplify an expression under facts", "'(x * 8 + 3) // 4' --given 'x >= 0'",
            add_simplify, simplify, run_simplify);
    command("solve", "bounds of a variable, projections, inverses of index maps, sets of values",
            "bounds '2 * x + 1 < n' --for x", add_solve, solve, run_solve);
    command("rules", "the rules and their proofs", "show floordiv-split-multiple", add_rules, rules,
            run_rules);
    command("fuzz", "generate programs and schedules, and compare all ways to run them",
            "--cases 100 --seed 7", add_fuzz, fuzz, run_fuzz);
    command("campaign", "a fuzzing campaign in a folder, which survives, and runs on many machines",
            "run found --time 3600", add_campaign, campaign, run_campaign);
    command("fmt", "print programs in canonical form", "--check scale.py", add_fmt, fmt, run_fmt);
    const char* const installing = "For packages";
    command(
        "man", "the manual pages, in man(7)", "lower | man -l -", add_man, man,
        [&](const ManOptions& o) { return run_man(o, table); }, "install.md")
        ->group(installing);
    command(
        "completions", "the completions of a shell", "bash -o proviso", add_completions,
        completions, [&](const CompletionsOptions& o) { return run_completions(o, table); },
        "install.md")
        ->group(installing);
    table.program = describe(app);
    const std::vector<std::string> words = words_of(argc, argv);
    if (const auto wrong = wrong_command(app, words)) {
        return bad_input(*wrong, wants_json(argc, argv));
    }
    std::vector<const char*> pointers;
    for (const std::string& word : words) pointers.push_back(word.c_str());
    try {
        app.parse(static_cast<int>(pointers.size()), pointers.data());
    } catch (const CLI::ParseError& e) {
        if (e.get_exit_code() == 0) return app.exit(e);  // help
        return bad_input(usage_error(app, e), wants_json(argc, argv));
    }
    return code;
}

}  // namespace

int main(int argc, char** argv) {
    return run_program("proviso", argc, argv, dispatch);
}
