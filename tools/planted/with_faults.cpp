#include <cstdio>
#include <nlohmann/json.hpp>

#include "fuzz/planted/campaign_kinds.h"
#include "fuzz/planted/gpu_programs.h"
#include "fuzz/planted/hostile/hostile.h"
#include "fuzz/planted/omissions.h"
#include "fuzz/planted/planted.h"
#include "fuzz/planted/statement_page.h"
#include "tools/planted/planted.h"
#include "tools/support/support.h"
#include "tools/support/write_file.h"

namespace proviso::tools {

namespace {

int no_such(const FuzzCommand& o, const std::string& what) {
    return bad_input(error("no " + what + " has a name that contains '" + o.only + "'",
                           "the pages in docs/results/ list the names"),
                     o.json);
}

int planted(const FuzzCommand& o) {
    fuzz::PlantedOptions options;
    options.only = o.only;
    options.gpu = o.gpu;
    if (!o.quiet && !o.json) {
        options.progress = [](const fuzz::PlantedResult& r) {
            std::fprintf(stderr, "  %-44s %s\n", std::string(r.fault->id).c_str(),
                         r.caught_by.empty() ? "NOT CAUGHT"
                         : r.caught()        ? r.caught_by.c_str()
                                             : "ONCE ONLY");
        };
    }
    const fuzz::PlantedReport report = fuzz::run_planted(options);
    if (report.results.empty()) return no_such(o, "planted fault");
    if (!o.out.empty()) {
        const Status ok = write_file(o.out + "/planted.json", report.json().dump(2) + "\n");
        if (!ok) return bad_input(ok.error(), o.json);
    }
    if (!o.page.empty()) {
        const Status ok =
            write_file(o.page, o.gpu ? fuzz::gpu_page(report) : fuzz::statement_page(report));
        if (!ok) return bad_input(ok.error(), o.json);
    }
    if (o.json) {
        print_json(report.json());
    } else {
        std::printf("%s", report.text().c_str());
    }
    return report.all_caught() && report.false_alarms.empty() ? kFine : kRefuted;
}

int omissions(const FuzzCommand& o) {
    fuzz::OmissionOptions options;
    options.cases = o.cases;
    options.seed = o.seed;
    options.jobs = o.jobs;
    options.only = o.only;
    options.raw_steps = o.steps;
    options.forged_steps = o.forged;
    if (!o.quiet && !o.json) {
        options.progress = [](const fuzz::OmissionResult& r) {
            const std::string at = r.noticed ? std::to_string(*r.noticed) : "not noticed";
            std::fprintf(stderr, "  %-56s %s\n", r.omission->words, at.c_str());
        };
    }
    const auto results = fuzz::run_omissions(options);
    if (!results) return bad_input(results.error(), o.json);
    if (results->empty()) return no_such(o, "omission");
    if (!o.page.empty()) {
        const Status ok = write_file(o.page, fuzz::omissions_page(*results, options));
        if (!ok) return bad_input(ok.error(), o.json);
    }
    std::size_t noticed = 0;
    nlohmann::json list = nlohmann::json::array();
    for (const fuzz::OmissionResult& r : *results) {
        noticed += r.noticed ? 1 : 0;
        list.push_back({{"words", r.omission->words}, {"rules", r.omission->rules}});
        if (r.noticed) list.back()["noticed"] = *r.noticed;
    }
    if (o.json) {
        print_json({{"omissions", list}, {"noticed", noticed}});
    } else {
        std::printf("%zu of %zu omissions noticed\n", noticed, results->size());
    }
    return kFine;
}

int hostile(const FuzzCommand& o) {
    fuzz::HostileOptions options;
    options.cases = o.cases;
    options.seed = o.seed;
    options.jobs = o.jobs;
    options.only = o.only;
    if (!o.quiet && !o.json) {
        options.progress = [](const std::string& line) {
            std::fprintf(stderr, "  %s\n", line.c_str());
        };
    }
    const fuzz::HostileReport report = fuzz::run_hostile(options);
    if (report.by_obligation.empty()) return no_such(o, "planted fault of the theorems");
    if (!o.page.empty()) {
        const Status ok = write_file(o.page, report.page(options));
        if (!ok) return bad_input(ok.error(), o.json);
    }
    if (o.json) {
        print_json(report.json());
    } else {
        std::printf("%s", report.text().c_str());
    }
    return report.findings.empty() ? kFine : kRefuted;
}

}  // namespace

const std::vector<fuzz::CampaignKind>& faulty_kinds() {
    return fuzz::kinds_with_faults();
}

bool has_faults() {
    return true;
}

bool can_turn_on_fault(const std::string& fault) {
    return fuzz::can_turn_on(fault);
}

void turn_on_fault(const std::string& fault) {
    fuzz::turn_on(fault);
}

int become_planted(bool json) {
    return bad_input(error("this is the program with planted faults"), json);
}

int run_planted(const FuzzCommand& o) {
    return o.hostile ? hostile(o) : o.omissions ? omissions(o) : planted(o);
}

}  // namespace proviso::tools
