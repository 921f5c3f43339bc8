#include "tools/support/explain.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "backend/gpu/plan/serial_twin.h"
#include "ir/text.h"
#include "rewrite/schedule/advice.h"
#include "tools/support/solver_answers.h"
#include "tools/support/support.h"
#include "verify/harness/replay.h"
#include "verify/log/record.h"

namespace proviso::tools {

using namespace rewrite;
using nlohmann::json;

namespace {

constexpr std::size_t kCellsOfALongRun = 1 << 20;  // of one buffer
// Where that is too few: inputs take a second to make, so that few are tried.
constexpr std::size_t kMostCells = 1 << 24;
constexpr std::uint64_t kTriesOfManyCells = 8;

// Gives whether some run shows what is wrong.
bool describe_replay(const Result<verify::ReplayResult>& seen, Diagnostic& d, json& out,
                     std::uint64_t long_runs = 0) {
    if (!seen) {
        d.notes.push_back("replay: not possible: " + seen.error().message);
        out["replay"] = {{"found", false}, {"why", seen.error().message}};
        return false;
    }
    if (!seen->found && seen->no_relation.empty()) {
        const std::uint64_t ran = seen->counted + seen->undecided;
        std::string said = "replay: no difference in " + std::to_string(seen->tries) + " runs, " +
                           std::to_string(ran) + " of them without a fault of the program before";
        if (seen->undecided > 0 && seen->counted == 0) {
            said = "replay: no run tells, of " + std::to_string(seen->tries);
        }
        if (seen->steps_needed > 0) {
            said = "replay: not run: a run takes about " + std::to_string(seen->steps_needed) +
                   " steps, more than " + std::to_string(long_runs) + " (--replay-steps raises it)";
        } else if (seen->undecided > 0) {
            if (seen->counted > 0) {
                said += "; " + std::to_string(seen->undecided) + " of these tell nothing";
            }
            said += ": " + seen->why_undecided;
            const bool too_long = seen->why_undecided.find("step limit") != std::string::npos;
            if (too_long && long_runs > 0) {
                said += " (--replay-steps raises it)";
            }
        }
        d.notes.push_back(std::move(said));
        out["replay"] = {{"found", false},
                         {"runs", seen->tries},
                         {"without_fault", ran},
                         {"undecided", seen->undecided}};
        if (seen->steps_needed > 0) out["replay"]["steps_needed"] = seen->steps_needed;
        return false;
    }
    const std::string what = seen->found ? seen->found->str() : seen->no_relation;
    d.notes.push_back("replay by the interpreter: " + what);
    out["replay"] = {{"found", true}, {"what", what}};
    return true;
}

// Values break an obligation, and no run shows that they break the program: the obligation may ask
// for more than is needed.
void only_not_proved(Diagnostic& d, json& out) {
    static const std::string refuted = "REFUTED: ";
    const std::size_t at = d.message.find(refuted);
    if (at != std::string::npos) d.message.replace(at, refuted.size(), "not proved: ");
    out["verdict"] = analysis::verdict_name(analysis::Verdict::Unknown);
}

Diagnostic described(ir::Context& ctx, const ir::Function& current, const Remaining& r,
                     std::uint64_t long_runs, json& out) {
    Diagnostic d = error(r.kind + " at " + r.site.str() + ": " + r.text, r.hint);
    out = {{"kind", r.kind}, {"site", r.site.str()}, {"text", r.text}, {"why", r.why}};
    if (r.rejection) describe_rejection(ctx, current, *r.rejection, d, out, long_runs);
    // What a run has shown comes first.
    const std::string seen = out.value("/replay/what"_json_pointer, "");
    const bool said = d.hint.rfind("make room", 0) == 0;
    if (!said && seen.rfind("out of bounds: load of ", 0) == 0) {
        const bool padding = d.hint.find("pad_value") != std::string::npos;
        d.hint = "make room for the extra work: enlarge the layout of what it reads" +
                 (padding ? "; " + d.hint : ", and give it a pad_value");
    }
    if (!d.hint.empty()) out["hint"] = d.hint;
    return d;
}

}  // namespace

analysis::Verdict describe_rejection(ir::Context& ctx, const ir::Function& current,
                                     const Rejection& no, Diagnostic& d, json& out,
                                     std::uint64_t long_runs) {
    out["verdict"] = analysis::verdict_name(no.answer.verdict);
    out["rule"] = no.rule;
    out["site"] = no.site.str();
    d.notes.push_back("step: " + no.rule + " at " + no.site.str());
    if (no.failed) {
        d.notes.push_back("obligation: " + no.failed->purpose.words + " (" +
                          no.failed_id.substr(0, 19) + ")");
        out["obligation"] = verify::purpose_json(no.failed->purpose);
        out["obligation"].update(
            {{"id", no.failed_id}, {"verdict", analysis::verdict_name(no.answer.verdict)}});
        const std::string values = model_text(no.answer.model);
        if (!values.empty()) d.notes.push_back("values: " + values);
        json model = json::object();
        for (const analysis::ModelValue& v : no.answer.model) {
            model[v.name] = v.value == nullptr ? "undefined" : ir::print(v.value);
        }
        out["model"] = model;
        if (no.answer.verdict == analysis::Verdict::Unknown) {
            d.notes.push_back("why: " + why_unknown(no.answer.why));
        }
    }
    bool shown = false;
    ir::FaultKind fault = ir::FaultKind::None;
    if (no.after) {
        verify::ReplayOptions replaying;
        if (long_runs > 0) {
            replaying.long_step_limit = long_runs;
            replaying.inputs.cell_limit = kCellsOfALongRun;
        }
        auto seen = verify::replay(ctx, current, *no.after, no.answer.model, replaying);
        if (long_runs > 0 && !seen && seen.error().hint == verify::kTooManyCells) {
            replaying.inputs.cell_limit = kMostCells;
            replaying.tries = kTriesOfManyCells;
            seen = verify::replay(ctx, current, *no.after, no.answer.model, replaying);
        }
        shown = describe_replay(seen, d, out, long_runs);
        if (seen && seen->found) fault = seen->found->comparison.fault;
    }
    if (d.hint.empty()) d.hint = advice(ctx, no, current, fault);
    if (no.answer.verdict != analysis::Verdict::Refuted || !no.failed || shown) {
        return no.answer.verdict;
    }
    only_not_proved(d, out);
    return analysis::Verdict::Unknown;
}

analysis::Verdict describe_race(ir::Context& ctx, const ir::Function& f,
                                const std::vector<analysis::ModelValue>& model, Diagnostic& d,
                                json& out) {
    const ir::Function twin = backend::gpu::serial_twin(ctx, f);
    if (describe_replay(verify::replay(ctx, twin, f, model), d, out)) {
        return analysis::Verdict::Refuted;
    }
    only_not_proved(d, out);
    return analysis::Verdict::Unknown;
}

json remaining_json(ir::Context& ctx, const ir::Function& current,
                    const std::vector<Remaining>& all, std::uint64_t long_runs) {
    json out = json::array();
    for (const Remaining& r : all) {
        json one;
        described(ctx, current, r, long_runs, one);
        out.push_back(std::move(one));
    }
    return out;
}

std::string remaining_text(ir::Context& ctx, const ir::Function& current,
                           const std::vector<Remaining>& all, std::uint64_t long_runs) {
    std::string out;
    for (const Remaining& r : all) {
        json unused;
        const Diagnostic d = described(ctx, current, r, long_runs, unused);
        out += "remains: " + d.message + "\n";
        if (!r.why.empty()) out += "  why: " + r.why + "\n";
        for (const std::string& note : d.notes) out += "  " + note + "\n";
        if (!d.hint.empty()) out += "  what would remove it: " + d.hint + "\n";
    }
    return out.empty() ? "remains: no branch, no store and no division\n" : out;
}

namespace {

std::string division_text(const ir::Function& current, const rewrite::Rejection& left) {
    const Result<ir::Located> at = ir::locate(current, left.site);
    return at && at->expr != nullptr ? ir::print(at->expr) : left.site.str();
}

constexpr std::size_t kShownDivisions = 20;  // the JSON report has all of them, in full
constexpr std::size_t kShownBytes = 160;     // of each

// The text, or its beginning and its end.
std::string shown(const std::string& text) {
    if (text.size() <= kShownBytes) return text;
    const auto inside = [&](std::size_t at) {  // of a character of several bytes
        return (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80;
    };
    std::size_t begin = kShownBytes / 2;
    std::size_t end = text.size() - kShownBytes / 2;
    while (inside(begin)) --begin;
    while (inside(end)) ++end;
    return text.substr(0, begin) + " … " + text.substr(end);
}

std::string why_left(const rewrite::Rejection& left) {
    if (!left.failed) return left.diagnostic.message;
    return std::string(analysis::verdict_name(left.answer.verdict)) + ": " +
           left.failed->purpose.words;
}

std::string buffer_of(const rewrite::Rejection& kept) {
    return json::parse(kept.args).at("buffer").get<std::string>();
}

}  // namespace

nlohmann::json not_flat_json(const std::vector<rewrite::Rejection>& kept) {
    nlohmann::json out = nlohmann::json::array();
    for (const rewrite::Rejection& one : kept) {
        out.push_back({{"buffer", buffer_of(one)}, {"why", why_left(one)}});
    }
    return out;
}

std::string not_flat_text(const std::vector<rewrite::Rejection>& kept) {
    std::string out;
    for (const rewrite::Rejection& one : kept) {
        out += "warning: " + buffer_of(one) + " keeps its dimensions (" + why_left(one) + ")\n";
    }
    return out;
}

nlohmann::json divisions_left_json(const ir::Function& current,
                                   const std::vector<rewrite::Rejection>& left) {
    nlohmann::json out = nlohmann::json::array();
    for (const rewrite::Rejection& one : left) {
        out.push_back({{"division", division_text(current, one)},
                       {"site", one.site.str()},
                       {"why", why_left(one)}});
    }
    return out;
}

std::string divisions_left_text(const ir::Function& current,
                                const std::vector<rewrite::Rejection>& left) {
    std::string out;
    for (std::size_t k = 0; k < std::min(left.size(), kShownDivisions); ++k) {
        out += "warning: " + shown(division_text(current, left[k])) + " at " +
               shown(left[k].site.str()) + " is not lowered (" + why_left(left[k]) +
               "); the back end expands it\n";
    }
    if (left.size() > kShownDivisions) {
        out += fmt::format("warning: {} more divisions are not lowered; --json lists them\n",
                           left.size() - kShownDivisions);
    }
    return out;
}

}  // namespace proviso::tools
