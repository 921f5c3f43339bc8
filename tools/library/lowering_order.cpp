#include "tools/library/lowering_order.h"

#include <filesystem>
#include <nlohmann/json.hpp>
#include <span>
#include <utility>

#include "analysis/external/external_call.h"
#include "backend/lowered.h"
#include "ir/c_names.h"
#include "tools/lower_outputs.h"
#include "tools/support/explain.h"
#include "tools/support/source_place.h"
#include "tools/support/support.h"

namespace proviso::tools {

using namespace rewrite;
using nlohmann::json;

namespace {

LoweringEnd bad(const Diagnostic& d) {
    return {d, "", kBadInput};
}

LoweringEnd decided(const Diagnostic& d, json told, int code) {
    told["diagnostic"] = to_json(d);
    return {d, told.dump(-1, ' ', true, json::error_handler_t::replace), code};
}

std::string start_of(const std::string& name) {
    return name.size() <= 40 ? name : name.substr(0, 40) + "…";
}

}  // namespace

std::optional<LoweringEnd> LoweringOrder::begin() {
    const auto found = target_of(o_);
    if (!found) return bad(found.error());
    target = *found;
    return std::nullopt;
}

std::optional<LoweringEnd> LoweringOrder::before_schedule(const Derivation& d,
                                                          analysis::Prover& prover) {
    const ir::Function& f = d.source();
    symbol = o_.symbol.value_or(
        ir::symbol_for(f.name, std::filesystem::path(o_.program).stem().string()));
    if (auto end = check_names(f)) return end;
    if (verify::has_no_input(d.context(), f, prover)) {
        return bad(error(f.name + " has no input: nothing satisfies " +
                             verify::parameter_conditions(d.context(), f),
                         "whatever was proved of it would say nothing; correct its shapes "
                         "or the bounds in func_attr"));
    }
    inputs = verify::find_input(d.context(), f, prover);
    return std::nullopt;
}

// The symbol is one for C, and files can be named after it.
std::optional<LoweringEnd> LoweringOrder::check_names(const ir::Function& f) const {
    constexpr std::size_t longest = 230;  // of 255 bytes of a file's name
    if (const Status ok = ir::check_symbol(symbol); !ok) return bad(ok.error());
    if (o_.emit.empty() || symbol.size() <= longest) return std::nullopt;
    const std::string whose = o_.symbol ? "the symbol" : "the name of " + start_of(f.name);
    return bad(error(whose + " has " + std::to_string(symbol.size()) +
                         " characters: too long for the names of files",
                     "`--symbol NAME` names the symbol and the files; at most " +
                         std::to_string(longest) + " characters"));
}

void LoweringOrder::scheduled(const std::vector<ScheduleReport::Done>& calls_of_schedule) {
    for (const ScheduleReport::Done& d : calls_of_schedule) {
        if (d.steps == 0 || d.line == 0) continue;
        last_line_ = d.line;
        last_file_ = d.file.empty() ? o_.schedule : d.file;
    }
}

Diagnostic LoweringOrder::after_schedule(Diagnostic d) const {
    if (d.line != 0 || last_line_ == 0) return d;
    d.line = last_line_;
    d.file = last_file_;
    d.column = 1;
    d.notes.push_back("after this call, the last one of the schedule that changed the program");
    return d;
}

// What no lowering can take: at its place in the program, or after the schedule.
std::optional<LoweringEnd> LoweringOrder::wrong(const Diagnostic& said, const Derivation& d) const {
    return bad(after_schedule(placed_at_construct(said, text_(), o_.program, d.source())));
}

std::optional<LoweringEnd> LoweringOrder::lower(Proposer& proposer) {
    const Derivation& d = proposer.derivation();
    lowering = rewrite::lower(proposer, LoweringOptions{o_.flatten});
    if (lowering.wrong) {  // an assumption that can never hold
        return decided(placed_at_assumption(*lowering.wrong, text_(), o_.program, d.source()),
                       {{"verdict", "REFUTED"}}, kRefuted);
    }
    const Status agree = analysis::external_calls_agree(std::span(&d.current(), 1));
    if (!agree) return wrong(agree.error(), d);
    lowered = d.current();
    Result<ProgramParts> divided = divide_program(proposer, o_);
    if (!divided) return bad(divided.error());
    parts = *std::move(divided);
    if (target) barriers = place_barriers(proposer).steps;
    calls.rest("lower", d.steps().size());
    return std::nullopt;
}

std::optional<LoweringEnd> LoweringOrder::code(const Derivation& d, analysis::Prover& prover) {
    if (!o_.no_validation) {
        // They cannot differ; where they do, something that is trusted is wrong.
        whole = verify::validate_whole(d);
        if (whole.tv.verdict == verify::TvVerdict::Refuted) {
            const std::string step = whole.step == 0
                                         ? ""
                                         : " (step " + std::to_string(whole.step) + ": " +
                                               d.steps()[whole.step - 1].rule + ")";
            return decided(
                error(
                    "translation validation refutes what was proved" + step + ": " + whole.tv.what,
                    "nothing was written; this is a defect of proviso: please report the "
                    "program and the schedule"),
                {{"verdict", "REFUTED"}}, kInternal);
        }
    }
    if (target) return gpu_code(d, prover);
    const Status fine = backend::check_lowered(d.current());
    return fine ? std::nullopt : wrong(fine.error(), d);
}

std::optional<LoweringEnd> LoweringOrder::gpu_code(const Derivation& d, analysis::Prover& prover) {
    backend::gpu::Built built = backend::gpu::build(d, *target, prover, symbol);
    if (const auto* said = std::get_if<Diagnostic>(&built)) return wrong(*said, d);
    if (const auto* no = std::get_if<backend::gpu::Refusal>(&built)) {
        Diagnostic told = after_schedule(no->diagnostic);
        json out = {{"verdict", analysis::verdict_name(no->verdict)}};
        analysis::Verdict verdict = no->verdict;
        if (no->race && verdict == analysis::Verdict::Refuted) {
            verdict = describe_race(d.context(), d.current(), no->model, told, out);
        }
        return decided(told, std::move(out),
                       verdict == analysis::Verdict::Unknown ? kUnknown : kRefuted);
    }
    gpu = std::get<backend::gpu::Module>(std::move(built));
    return std::nullopt;
}

}  // namespace proviso::tools
