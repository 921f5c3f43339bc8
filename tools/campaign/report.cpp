// proviso campaign report: a page for a browser, and JUnit XML.
#include <cstdio>
#include <nlohmann/json.hpp>

#include "tools/campaign/commands.h"
#include "tools/campaign/page.h"
#include "tools/campaign/state.h"
#include "tools/junit/junit.h"
#include "tools/page/page.h"
#include "tools/support/support.h"
#include "tools/support/write_file.h"

namespace proviso::tools {

namespace {

// A case for each finding that is kept; one that passes where nothing was found.
JUnitSuite campaign_suite(const CampaignState& s) {
    JUnitSuite out;
    out.name = "campaign of " + s.settings.kind;
    out.group = "proviso.campaign";
    out.properties = {{"cases", std::to_string(s.journal.cases())},
                      {"chunks", std::to_string(s.journal.chunks().size())},
                      {"complete", s.finished() ? "true" : "false"},
                      {"seed", std::to_string(s.settings.seed)},
                      {"version", s.settings.version}};
    if (const std::string triples = triples_text(s.journal, s.settings); !triples.empty()) {
        out.properties.emplace_back("triples", triples);
    }
    for (std::size_t k = 0; k < s.findings.list.size(); ++k) {
        const fuzz::CampaignFinding& f = s.findings.list[k];
        out.cases.push_back({"finding " + s.findings.ids[k], "FINDING", f.cause.text(), f.detail});
    }
    for (const std::uint64_t chunk : s.journal.different()) {
        out.cases.push_back({"chunk " + std::to_string(chunk), "DIFFERENT",
                             "two processes had different results", ""});
    }
    if (out.cases.empty()) {
        out.cases.push_back({std::to_string(s.journal.cases()) + " cases", "", "", ""});
    }
    return out;
}

}  // namespace

int campaign_report(const CampaignCommand& o, const fuzz::CampaignSettings& settings) {
    const Status may = may_write({{"--html", o.html, true}, {"--junit", o.junit, false}}, {}, "");
    if (!may) return bad_input(may.error(), o.json);
    const Result<CampaignState> state = campaign_state(o.folder, settings);
    if (!state) return bad_input(state.error(), o.json);
    if (!o.html.empty()) {
        const Status ok = write_page(o.html, campaign_page(*state, o.folder));
        if (!ok) return bad_input(ok.error(), o.json);
    }
    if (!o.junit.empty()) {
        const Status ok = write_file(o.junit, junit_xml(campaign_suite(*state)));
        if (!ok) return bad_input(ok.error(), o.json);
    }
    if (o.html != "-" && !o.quiet) {
        if (o.json) print_json(state->json());
        if (!o.json) std::printf("%s", state->text().c_str());
    }
    return state->fine() ? kFine : kRefuted;
}

}  // namespace proviso::tools
