#include "tools/support/refusal.h"

#include <cstdio>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tools/support/explain.h"
#include "tools/support/support.h"

namespace proviso::tools {

using namespace rewrite;

namespace {

// Lines below a note; the first one is its own.
std::string indented(const std::string& lines) {
    std::string out;
    std::istringstream in(lines);
    for (std::string line; std::getline(in, line);) {
        out += out.empty() ? line : "\n" + std::string(line.empty() ? 0 : 6, ' ') + line;
    }
    return out;
}

// "file:3:7", the line, and a caret.
std::string place_of(const Diagnostic& d) {
    if (d.line == 0) return "";
    std::string out = d.file + ":" + std::to_string(d.line) + ":" + std::to_string(d.column) + "\n";
    if (d.source_line.empty()) return out;
    out += d.source_line + "\n";
    for (int k = 1; k < d.column; ++k) {  // a tab is as wide in both lines
        const auto at = static_cast<std::size_t>(k - 1);
        out += at < d.source_line.size() && d.source_line[at] == '\t' ? '\t' : ' ';
    }
    return out + "^";
}

}  // namespace

int tell_refusal(ir::Context& ctx, const ScheduleReport& done, const ir::Function& current,
                 std::uint64_t long_runs, Diagnostic& d, nlohmann::json& told) {
    const Refusal& refusal = *done.refusal;
    const ir::Function& in = done.refused_in ? *done.refused_in : current;
    const Rejection* no = refusal.rejection ? &*refusal.rejection : nullptr;
    d = refusal.diagnostic;
    told = {{"verdict", "UNKNOWN"}, {"primitive", done.refused_primitive}};
    analysis::Verdict verdict = analysis::Verdict::Refuted;
    if (no != nullptr) verdict = describe_rejection(ctx, in, *no, d, told, long_runs);
    const bool misused = no == nullptr || !no->failed;  // else the call is as it should be
    for (const auto& call : done.done) {
        if (misused || call.primitive != "lower_assume" || call.steps == 0) continue;
        d.hint = "sch.lower_assume in line " + std::to_string(call.line) +
                 " has dropped what was assumed, which this call may need: call it afterwards" +
                 (d.hint.empty() ? "" : "; else " + d.hint);
        break;
    }
    if (d.hint.empty()) d.hint = done.takes;
    if (!done.refused_at.empty()) d.notes.insert(d.notes.begin(), indented(done.refused_at));
    told["diagnostic"] = to_json(d);
    const bool unknown = no != nullptr && no->failed && verdict == analysis::Verdict::Unknown;
    return unknown ? kUnknown : kRefuted;
}

int report_refusal(ir::Context& ctx, const ScheduleReport& done, const ir::Function& current,
                   bool as_json, std::uint64_t long_runs, nlohmann::json* told) {
    Diagnostic d;
    nlohmann::json out;
    const int code = tell_refusal(ctx, done, current, long_runs, d, out);
    if (as_json) print_json(out);
    std::fprintf(stderr, "%s\n", d.str().c_str());
    if (told != nullptr) {
        *told = std::move(out);
        (*told)["place"] = place_of(d);
    }
    return code;
}

}  // namespace proviso::tools
