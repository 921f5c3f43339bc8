// The text of a schedule, or of a trace, from the file to the reader at work.
#include "rewrite/schedule/reader/reader.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "ir/text.h"
#include "ir/text/reader/python/failure.h"
#include "rewrite/schedule/reader/choices.h"
#include "rewrite/schedule/reader/intrinsics.h"
#include "rewrite/schedule/reader/schedule_reader.h"
#include "rewrite/schedule/trace/trace_reader.h"

namespace proviso::rewrite {

using namespace ir;

namespace {

constexpr const char* kCalls =
    "a schedule is a list of calls, such as: b = sch.get_block(\"NAME\")";

Diagnostic with_hint(Diagnostic d) {
    if (d.hint.empty()) d.hint = kCalls;
    return d;
}

// A schedule's calls, and the functions in TVMScript beside them; of either every line keeps its
// number.
std::pair<std::string, std::string> without_functions(std::string_view text) {
    std::string calls, functions;
    bool inside = false;
    bool begun = false;  // its `def` has been read
    bool any = false;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
        const std::string_view line = text.substr(0, end);
        text.remove_prefix(end);
        const bool top = line[0] != ' ' && line[0] != '\n' && line[0] != '\r' && line[0] != ')';
        if (line.substr(0, 12) == "@T.prim_func") {
            inside = any = true;
            begun = false;
        } else if (top && !begun && line.substr(0, 4) == "def ") {
            begun = true;
        } else if (top) {
            inside = false;
        }
        (inside ? functions : calls) += line;
        (inside ? calls : functions) += '\n';
    }
    return {calls, any ? functions : std::string()};
}

Result<ScheduleReport> run_trace(Proposer& proposer, std::string_view text, const std::string& file,
                                 const ScheduleProgress& progress) {
    const Result<TraceProgram> trace = read_trace(text, file, proposer.current().name);
    if (!trace) return trace.error();
    const LoadedSchedule calls{trace->module, {}};
    Result<ScheduleReport> report =
        guarded([&] { return ScheduleReader(proposer, calls, progress).run(); });
    if (!report) return trace->named(report.error());
    if (report->refusal) {
        report->refusal->diagnostic = trace->named(std::move(report->refusal->diagnostic));
    }
    return report;
}

}  // namespace

Result<ScheduleChoices> schedule_choices(std::string_view text, const std::string& file) {
    ScheduleChoices out;
    std::string whole(text);
    if (!is_trace(file)) {
        const Result<LoadedSchedule> schedule = load_schedule(without_functions(text).first, file);
        if (!schedule) return with_hint(schedule.error());
        Result<std::vector<ScheduleChoice>> found =
            guarded([&] { return choices_in(schedule->module); });
        if (!found) return schedule->placed(found.error());
        out.all = *std::move(found);
        for (std::size_t k = 1; k < schedule->parts.size(); ++k) {
            whole += "\n" + schedule->parts[k].text;
        }
    }
    out.hash = "sha256:" + sha256_hex(whole);
    return out;
}

Result<ScheduleReport> run_schedule(Proposer& proposer, std::string_view text,
                                    const std::string& file, const ScheduleProgress& progress) {
    return run_schedule(proposer, text, file, progress, {});
}

Result<ScheduleReport> run_schedule(Proposer& proposer, std::string_view text,
                                    const std::string& file, const ScheduleProgress& progress,
                                    const ChosenValues& chosen) {
    if (is_trace(file)) {
        if (const Status ok = check_chosen({}, chosen); !ok) return ok.error();
        return run_trace(proposer, text, file, progress);
    }
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    const std::size_t second =
        first == text.npos ? first : text.find_first_not_of(" \t\r\n", first + 1);
    if (second != text.npos && text[first] == '[' && text[second] == '[') {
        return error("this is a trace, and " + file + " does not end in .json",
                     "a schedule that is a trace has a name such as calls.json");
    }
    const auto [calls, functions] = without_functions(text);
    Module intrinsics;
    if (!functions.empty()) {
        Result<Module> read =
            read_intrinsics(proposer.ctx(), functions, file, proposer.current().name);
        if (!read) return read.error();
        intrinsics = *std::move(read);
    }
    Result<LoadedSchedule> schedule = load_schedule(calls, file);
    if (!schedule) return with_hint(schedule.error());
    if (const Result<Unit> done = guarded([&] { return choose(schedule->module, chosen); });
        !done) {
        return schedule->placed(done.error());
    }
    Result<ScheduleReport> report = guarded(
        [&] { return ScheduleReader(proposer, *schedule, progress, std::move(intrinsics)).run(); });
    if (!report) return with_hint(schedule->placed(report.error()));
    for (std::size_t k = 1; k < schedule->parts.size(); ++k) {
        const LoadedSchedule::Part& part = schedule->parts[k];
        report->imported.emplace_back(std::filesystem::path(part.file).filename().string(),
                                      part.text);
    }
    if (report->refusal) {
        report->refusal->diagnostic = schedule->placed(std::move(report->refusal->diagnostic));
    }
    return report;
}

}  // namespace proviso::rewrite
