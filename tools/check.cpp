// proviso check: does AFTER refine BEFORE, whoever made it?
#include "tools/check.h"

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <span>

#include "analysis/external/external_call.h"
#include "ir/c_names.h"
#include "ir/external.h"
#include "ir/site.h"
#include "tools/commands.h"
#include "tools/junit/junit.h"
#include "tools/page/check_page.h"
#include "tools/page/page.h"
#include "tools/program.h"
#include "tools/support/support.h"
#include "tools/support/write_file.h"
#include "verify/check/relation.h"
#include "verify/log/duties.h"
#include "verify/log/write.h"
#include "verify/log/write_files.h"

namespace proviso::tools {

namespace {

// Each block that says it is a call of a C function does what its description says. What code is
// emitted for has been looked at there; a program that is only compared, nowhere else.
Status calls_fit(const ir::Function& f) {
    for (const auto& [site, stmt] : ir::all_statements(f)) {
        const ir::Block* block = stmt->as<ir::Block>();
        if (block == nullptr || !ir::calls_external(*block)) continue;
        if (const auto call = analysis::external_call(*block); !call) return call.error();
        const std::string symbol = ir::external_symbol(*block);
        if (const Status fine = ir::check_symbol(symbol); !fine) return fine.error();
    }
    return Unit{};
}

// "C=out,X=A" as pairs; a part without "=" is an error.
Status add_names(verify::InterfaceRelation& r, const std::string& text) {
    for (std::size_t from = 0; from <= text.size();) {
        const std::size_t end = std::min(text.find(',', from), text.size());
        const std::string part = text.substr(from, end - from);
        const std::size_t equals = part.find('=');
        if (equals == std::string::npos || equals == 0 || equals + 1 == part.size()) {
            return error("--params: '" + part + "' is not BEFORE=AFTER",
                         "such as --params C=out,X=A, or --params by-position");
        }
        r.names.emplace_back(part.substr(0, equals), part.substr(equals + 1));
        from = end + 1;
    }
    return Unit{};
}

Result<verify::InterfaceRelation> relation_of(const CheckOptions& o) {
    verify::InterfaceRelation out;
    out.flat = o.flat;
    out.workspaces = o.workspaces;
    out.licences = o.licences;
    out.at_most = o.at_most;
    out.no_overflow = o.no_overflow;
    for (const std::string& names : o.params) {
        if (names == "by-position") {
            out.by_position = true;
        } else if (const Status ok = add_names(out, names); !ok) {
            return ok.error();
        }
    }
    for (const std::string& layout : o.layouts) {
        const std::size_t equals = layout.find('=');
        if (equals == std::string::npos || equals > layout.find("lambda")) {
            return error("--layout: '" + layout + "' names no buffer",
                         "such as --layout 'A=lambda i: [i // 4, i % 4]'");
        }
        out.layouts.emplace_back(layout.substr(0, equals), layout.substr(equals + 1));
    }
    return out;
}

// One case, which fails exactly where the exit code is not 0.
std::string junit_of(const CheckOptions& o, const verify::CheckReport& report) {
    JUnitCase seen{o.after + " refines " + o.before, "", "", ""};
    if (report.exit_code() != kFine) {
        const std::string& verdict = report.verdict_text;
        seen.failure = verdict.substr(0, verdict.find('('));
        seen.message = verdict;
        seen.details = report.text();
    }
    return junit_xml({"check", "proviso.check", {{"verdict", report.verdict_text}}, {seen}});
}

}  // namespace

verify::CheckOptions limits_of_check(const CheckOptions& o, const ir::Substitution& sizes) {
    verify::CheckOptions options;
    options.tv.sizes = sizes;
    options.replay.inputs.fixed = sizes;
    options.replay.seed = o.seed;
    options.replay.ulps = o.ulps;
    options.replay.tries = o.tests;
    options.replay.step_limit = o.step_limit;
    options.derive = !o.no_proof;
    options.most_sizes = o.sizes;
    options.tv.cell_limit = o.cell_limit;
    options.tv.allocation_limit = o.cell_limit;
    options.tv.step_limit = o.step_limit;
    options.tv.query_limit = o.claim_limit;
    options.z3_rlimit = o.solver_limit;
    options.wall_limit_s = o.solver_seconds;
    options.memory_mib = o.solver_memory;
    options.effort = o.solver_effort;
    return options;
}

Result<verify::RelatedPrograms> related(ir::Context& ctx, const ir::Function& before,
                                        const ir::Function& after, const CheckOptions& o) {
    const Result<verify::InterfaceRelation> relation = relation_of(o);
    if (!relation) return relation.error();
    for (const ir::Function* f : {&before, &after}) {
        const Status agree = analysis::external_calls_agree(std::span(f, 1));
        if (!agree) return agree.error();
        if (const Status fit = calls_fit(*f); !fit) return fit.error();
    }
    analysis::Prover planner(ctx, {});
    Result<verify::RelatedPrograms> out = verify::relate(before, after, *relation, planner);
    if (!out) return out;
    // What is compared is what the blocks say; code of AFTER calls functions in their place.
    for (const verify::ExternalAxiom& e : verify::duties_of(ctx, before, after, {}).external) {
        out->told.push_back(e.id + "  in code of the second program, " + e.str());
    }
    return out;
}

std::vector<std::string> notes_of_check(const ir::Function& before, const ir::Function& after) {
    std::vector<std::string> notes = scope_notes(before);
    for (std::string& note : scope_notes(after)) {
        if (std::find(notes.begin(), notes.end(), note) == notes.end()) {
            notes.push_back(std::move(note));
        }
    }
    return notes;
}

int run_check(const CheckOptions& given) {
    CheckOptions o = given;
    if (o.json && o.html == "-") {
        return bad_input(
            error("--json and --html - both write to standard output", "give --html a file"), true);
    }
    const Status fine =
        may_write({{"--html", o.html, true}, {"--junit", o.junit}}, {o.before, o.after}, o.log);
    if (!fine) return bad_input(fine.error(), o.json);
    if (!o.log.empty()) {
        if (const Status ok = verify::may_write_log(o.log); !ok) {
            return bad_input(ok.error(), o.json);
        }
    }
    if (const Status ok = read_floats(o); !ok) return bad_input(ok.error(), o.json);
    ir::Context ctx;
    const Result<ir::Function> before = load_function(ctx, o.before, o.function);
    if (!before) return bad_input(before.error(), o.json);
    const Result<ir::Function> after = load_function(ctx, o.after, o.function);
    if (!after) return bad_input(after.error(), o.json);
    const Result<verify::RelatedPrograms> programs = related(ctx, *before, *after, o);
    if (!programs) return bad_input(programs.error(), o.json);
    const Result<ir::Substitution> sizes = scalar_arguments(ctx, *before, o.scalars);
    if (!sizes) return bad_input(sizes.error(), o.json);
    verify::CheckOptions options = limits_of_check(o, *sizes);
    options.axioms = programs->axioms;
    const Result<verify::CheckReport> report =
        verify::check(ctx, programs->before, programs->after, options);
    if (!report) return bad_input(report.error(), o.json);
    if (!o.log.empty() && report->refinement) {
        verify::LogOptions log_options;
        if (report->evidence && report->evidence->policy == "E1") log_options.policy = "E1";
        const Result<verify::LogSummary> log =
            verify::write_log(report->refinement->derivation(), o.log, log_options);
        if (!log) return bad_input(log.error(), o.json);
    }
    if (!o.html.empty()) {
        const std::string html =
            check_page(ctx, programs->before, programs->after, *report, programs->told);
        if (const Status ok = write_page(o.html, html); !ok) return bad_input(ok.error(), o.json);
    }
    if (!o.junit.empty()) {
        const Status ok = write_file(o.junit, junit_of(o, *report));
        if (!ok) return bad_input(ok.error(), o.json);
    }
    const std::vector<std::string> notes = notes_of_check(*before, *after);
    if (o.json) {
        nlohmann::json told = report->json();
        if (!notes.empty()) told["notes"] = notes;
        if (!programs->told.empty()) told["under"] = programs->told;
        print_json(told);
    } else if (o.html != "-") {
        print_notes(notes);
        std::printf("%s", report->text().c_str());
        for (const std::string& told : programs->told) std::printf("  under: %s\n", told.c_str());
    }
    return report->exit_code();
}

}  // namespace proviso::tools
