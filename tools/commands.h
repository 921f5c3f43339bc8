// The commands: one function each, one file each. Options are plain data; tools/main.cpp fills them
// from the command line.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tools/audit/audit.h"
#include "tools/log/commands.h"
#include "tools/support/solver_answers.h"
#include "tools/support/support.h"

namespace proviso::tools {

struct LowerOptions {
    std::string program;
    std::string schedule;  // empty: lower without scheduling
    std::string function;  // empty: the only one
    std::string target = "cpu";
    std::vector<std::string> emit;  // ir, llvm, asm, obj, so, header, deps, module; cuda, opencl, …
    std::string log;                // folder, .tar or .tar.zst; empty: none
    std::string sign;               // file of a private key; empty: nobody signs the log
    std::string out = ".";          // folder
    bool out_given = false;
    std::optional<std::string> symbol;  // in C; none: made from the function's and the file's names
    CacheOptions cache;
    std::string report;          // file for a page, "-": standard output; empty: none
    std::string trace;           // file for the schedule as a trace; empty: none
    std::string print_after;     // "", "all", or a step number
    bool explain = false;        // why what remains remains
    bool explain_speed = false;  // what became of each innermost loop in machine code
    bool flatten = false;
    std::string cpu;                   // that code is for; empty: the usual one
    bool guarded = false;              // code with checks of its accesses and divisions
    std::vector<std::string> prepare;  // weights, of which a function of its own makes use
    bool share_memory = false;         // of buffers with disjoint lifetimes
    bool no_validation = false;        // of source against result
    bool strict = false;               // a primitive that changes nothing is an error
    bool verbose = false;              // what each primitive gave
    std::uint64_t replay_steps = 1'500'000'000;  // of one run that shows why a step was refused
    int solver_seconds = 60;                     // for a solver that does not keep to its budget
    int solver_memory = 1024;                    // MiB, of a question to Z3
    std::uint64_t solver_effort = 1;             // times the budgets of solvers
    bool json = false;
    bool quiet = false;
};
int run_lower(const LowerOptions& options);

struct BoundsOptions {
    std::string program;
    std::string schedule;            // empty: the program as it is written
    std::string function;            // empty: the only one
    std::vector<std::string> sizes;  // NAME=VALUE
    CacheOptions cache;
    int solver_seconds = 60;          // for a solver that does not keep to its budget
    int solver_memory = 1024;         // MiB, of a question to Z3
    std::uint64_t solver_effort = 1;  // times the budgets of solvers
    bool json = false;
    bool dot = false;
    bool svg = false;
};
int run_bounds(const BoundsOptions& options);

struct RunOptions {
    std::string program;
    std::string function;
    std::string engine = "cpu";        // cpu, interp, both
    std::string target = "cpu";        // cpu, gpu-host, opencl, cuda:sm_NN
    std::vector<std::string> inputs;   // NAME=FILE.npy
    std::vector<std::string> scalars;  // NAME=VALUE
    std::string out;                   // folder for .npy files; empty: print
    std::uint64_t seed = 1;            // 0 and the next few make all cells alike
    bool random = false;               // make up what is not given
    std::string cpu;                   // that code is for; empty: this machine's
    bool guarded = false;              // code with checks of its accesses and divisions
    std::uint64_t max_cells = 0;       // of all buffers; 0: as the machine's memory allows
    std::uint64_t max_steps = 0;       // of the interpreter; 0: no limit
    int solver_seconds = 60;           // for a solver that does not keep to its budget
    int solver_memory = 1024;          // MiB, of a question to Z3
    std::uint64_t solver_effort = 1;   // times the budgets of solvers
    bool quiet = false;
    bool json = false;
};
int run_run(const RunOptions& options);

struct CheckOptions {
    std::string before;
    std::string after;
    std::string function;
    std::uint64_t seed = 0;
    std::uint64_t tests = 200;
    std::vector<std::string> scalars;
    std::vector<std::string> params;   // BEFORE=AFTER,… or by-position
    std::vector<std::string> layouts;  // BUFFER=lambda …
    bool flat = false;                 // buffers of one dimension, row by row
    std::vector<std::string> licences;
    std::vector<std::string> floats;  // reassociate,ulp=2: licences, and what runs may differ by
    std::uint64_t ulps = 0;           // that, of them
    std::vector<std::string> workspaces;  // buffers whose contents mean nothing to the caller
    std::optional<std::int64_t> at_most;  // of integers that callers pass
    bool no_overflow = false;             // axiom N1, of integers of BEFORE that wrap
    std::uint64_t sizes = 48;             // choices of sizes
    std::uint64_t cell_limit = 1 << 18;   // of one buffer
    std::uint64_t step_limit = 6'000'000;
    std::uint64_t claim_limit = 256;         // at one choice of sizes
    std::uint64_t solver_limit = 2'000'000;  // Z3 resource units a claim
    int solver_seconds = 60;                 // for a solver that does not keep to its budget
    int solver_memory = 1024;                // MiB, of a question to Z3
    std::uint64_t solver_effort = 1;         // times the budgets of solvers
    bool no_proof = false;                   // look for no derivation
    std::string log;                         // of a proof log, where there is a derivation
    std::string html;                        // file for a page, "-": standard output; empty: none
    std::string junit;                       // file for the result as JUnit XML; empty: none
    bool json = false;
};
int run_check(const CheckOptions& options);

struct ServeOptions {
    unsigned seconds = 120;  // of processor time, for one pair
    unsigned memory = 8192;  // MiB of address space, for one pair
};
int run_serve(const ServeOptions& options);

struct LspOptions {
    std::string program;     // that schedules are for where nobody says another; empty: none
    unsigned seconds = 60;   // of processor time, for one run of a schedule
    unsigned memory = 8192;  // MiB of address space, for one run
};
int run_lsp(const LspOptions& options);

struct ProveOptions {
    std::string goal;
    std::vector<std::string> vars;  // NAME:TYPE
    std::vector<std::string> given;
    std::string batch;  // file of JSON lines
    bool cross_check = false;
    bool smt = false;                 // print the SMT-LIB text
    bool explain = false;             // decider, certificate or solver; the facts used
    std::string certificate;          // write NAME.smt2 and NAME.cert; empty: answer
    int solver_seconds = 60;          // for a solver that does not keep to its budget
    int solver_memory = 1024;         // MiB, of a question to Z3
    std::uint64_t solver_effort = 1;  // times the budgets of solvers
    CacheOptions cache;
    bool json = false;
};
int run_prove(const ProveOptions& options);

struct SimplifyOptions {
    std::string expr;
    std::vector<std::string> vars;
    std::vector<std::string> given;
    std::vector<std::string> licences;
    std::string batch;
    bool explain = false;
    int solver_seconds = 60;          // for a solver that does not keep to its budget
    int solver_memory = 1024;         // MiB, of a question to Z3
    std::uint64_t solver_effort = 1;  // times the budgets of solvers
    CacheOptions cache;
    bool json = false;
};
int run_simplify(const SimplifyOptions& options);

struct SolveOptions {
    std::string form;      // bounds, project, invert, set
    std::string text;      // the condition, the map, or the expressions
    std::string variable;  // bounds, project
    std::vector<std::string> vars;
    std::vector<std::string> given;
    std::vector<std::string> extents;  // invert, set: NAME=EXTENT
    std::vector<std::string> shape;    // invert: physical extents
    std::string batch;
    int solver_seconds = 60;          // for a solver that does not keep to its budget
    int solver_memory = 1024;         // MiB, of a question to Z3
    std::uint64_t solver_effort = 1;  // times the budgets of solvers
    CacheOptions cache;
    bool json = false;
};
int run_solve(const SolveOptions& options);

struct RulesOptions {
    std::string action;  // "", "list", "verify", "mutants", "show"
    std::string name;
    std::string family;
    CacheOptions cache;
    std::string record;  // verify: file to write the verdicts to; empty: none
    unsigned jobs = 0;
    bool refused = false;
    bool statements = false;
    bool json = false;
};
int run_rules(const RulesOptions& options);

struct FmtOptions {
    std::vector<std::string> files;
    bool check = false;
    bool in_place = false;
};
int run_fmt(const FmtOptions& options);

}  // namespace proviso::tools
