#include "tools/page/check_page.h"

#include <nlohmann/json.hpp>

#include "ir/text.h"
#include "tools/page/derivation_data.h"
#include "tools/page/html.h"
#include "tools/page/layouts.h"
#include "tools/page/page.h"
#include "tools/page/theorem.h"
#include "verify/log/line_edits.h"

namespace proviso::tools {

using nlohmann::json;
using verify::CheckVerdict;

std::string check_page(ir::Context& ctx, const ir::Function& before, const ir::Function& after,
                       const verify::CheckReport& report, const std::vector<std::string>& under) {
    json data{{"made_by", "check"}};
    json texts;
    if (report.refinement) {
        add_derivation(ctx, report.refinement->derivation(), data, texts);
    } else {
        data["source"] = ir::print(before);
        data["difference"] = json::array();
        for (const verify::LineEdit& e : verify::line_edits(ir::print(before), ir::print(after))) {
            data["difference"].push_back({e.line, e.removed, e.added});
        }
        data["layouts"] = layouts_json(ctx, after);
    }
    std::string body = "<p>Does the program AFTER (<code class=\"hash\">" +
                       html_text(ir::content_hash(after)) +
                       "</code>) refine BEFORE (<code class=\"hash\">" +
                       html_text(ir::content_hash(before)) + "</code>)?</p>\n";
    body += "<pre class=\"excerpt\" tabindex=\"0\" role=\"region\" aria-label=\"Answer\">" +
            html_text(report.text()) + "</pre>\n";
    if (!under.empty()) body += "<h3>Under</h3>\n" + list_html("notes", under);
    Tone tone = Tone::Open;
    if (report.exit_code() == 0) tone = Tone::Good;
    if (report.verdict == CheckVerdict::Refuted) tone = Tone::Bad;
    return page({"Answer", "Check of " + before.name, tone, report.verdict_text, body}, data,
                texts);
}

}  // namespace proviso::tools
