// proviso diff: what the steps of a proof log changed.
#include <cstdio>
#include <nlohmann/json.hpp>

#include "tools/log/commands.h"
#include "tools/log/open.h"
#include "tools/support/support.h"
#include "tools/support/terminal.h"
#include "tools/support/text_diff.h"
#include "verify/log/format.h"
#include "verify/log/line_edits.h"

namespace proviso::tools {

using nlohmann::json;

namespace {

// From the program after that many steps to the one after so many; 0 is the source.
struct Between {
    std::size_t from = 0;
    std::size_t to = 0;
};

Result<Between> between(const std::string& text, std::size_t steps) {
    const std::string there_are = steps == 0
                                      ? "the log has no step"
                                      : "the log has " + std::to_string(steps) +
                                            (steps == 1 ? " step" : " steps") + "; 0 is the source";
    if (text.empty()) return Between{0, steps};
    const std::size_t dots = text.find("..");
    const std::string first = text.substr(0, dots);
    const std::string last = dots == std::string::npos ? first : text.substr(dots + 2);
    const auto from = first.empty() ? std::optional<std::size_t>(0) : number_in(first);
    const auto to = last.empty() ? std::optional(steps) : number_in(last);
    if (!from || !to) return error("'" + text + "' is no step", "N, N..M, N.. or ..M");
    if (*from > steps || *to > steps) return error("there is no step " + text, there_are);
    if (dots != std::string::npos) return Between{*from, *to};
    if (*from == 0) return error("step 0 is the source, and changes nothing", "N from 1, or 0..M");
    return Between{*from - 1, *from};
}

std::string title(const verify::Bundle& log, const Between& b) {
    if (b.to == b.from + 1) return "# " + step_title(b.to, step_of(log, b.to)) + "\n";
    return "";
}

json as_json(const verify::Bundle& log, const Between& b, const std::string& before,
             const std::string& after) {
    json steps = json::array();
    for (std::size_t k = b.from + 1; k <= b.to; ++k) {
        const json step = step_of(log, k);
        steps.push_back(
            {{"step", k}, {"rule", text_in(step, "rule")}, {"site", text_in(step, "site")}});
    }
    json edits = json::array();
    for (const verify::LineEdit& e : verify::line_edits(before, after)) {
        edits.push_back(json::array({e.line, e.removed, e.added}));
    }
    return {{"from", b.from},
            {"to", b.to},
            {"before", verify::digest(before)},
            {"after", verify::digest(after)},
            {"steps", steps},
            {"edits", edits}};
}

}  // namespace

int run_diff(const DiffOptions& o) {
    const Result<verify::Bundle> log = open_log(o.log);
    if (!log) return bad_input(log.error(), o.json);
    const Result<Between> b = between(o.steps, log->steps.size());
    if (!b) return bad_input(b.error(), o.json);
    const Result<std::string> before = program_after(*log, b->from);
    if (!before) return bad_input(before.error(), o.json);
    const Result<std::string> after = program_after(*log, b->to);
    if (!after) return bad_input(after.error(), o.json);
    if (o.json) {
        print_json(as_json(*log, *b, *before, *after));
        return kFine;
    }
    const std::string text =
        title(*log, *b) + unified_diff(*before, *after, "step " + std::to_string(b->from),
                                       "step " + std::to_string(b->to));
    std::printf("%s", colored_diff(visible(text), use_color(o.color)).c_str());
    return kFine;
}

}  // namespace proviso::tools
