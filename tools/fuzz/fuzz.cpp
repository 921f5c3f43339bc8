// proviso fuzz: campaigns of programs, of GPU programs and of expressions, reproduction of
// failures. Planted faults: tools/planted/.
#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "fuzz/campaign/campaign.h"
#include "fuzz/campaign/failure_files.h"
#include "fuzz/campaign/gpu_campaign.h"
#include "fuzz/campaign/reproduce.h"
#include "fuzz/campaign/simplifier_campaign.h"
#include "ir/text.h"
#include "tools/fuzz/commands.h"
#include "tools/junit/junit.h"
#include "tools/planted/planted.h"
#include "tools/run_gpu.h"
#include "tools/support/progress.h"
#include "tools/support/support.h"
#include "tools/support/usage.h"
#include "tools/support/write_file.h"

namespace proviso::tools {

namespace {

// The program that runs.
std::string own_path() {
    std::error_code code;
    return std::filesystem::read_symlink("/proc/self/exe", code).string();
}

// Time is the only limit where nobody gave another one.
std::uint64_t cases_of(const FuzzCommand& o) {
    return o.time > 0 && !o.cases_given ? kMostCount : o.cases;
}

// A case for each kind of finding; one that passes where there is none. No times: the same campaign
// gives the same bytes.
Status write_junit(const FuzzCommand& o, const std::string& what, std::uint64_t cases,
                   const std::map<std::string, std::uint64_t>& kinds,
                   const std::vector<std::string>& folders) {
    if (o.junit.empty()) return Unit{};
    JUnitSuite out;
    out.name = "fuzz: " + what;
    out.group = "proviso.fuzz";
    out.properties = {{"cases", std::to_string(cases)}, {"seed", std::to_string(o.seed)}};
    for (const auto& [kind, n] : kinds) {
        std::string details = folders.empty() ? "" : "failures of all kinds:\n";
        for (const std::string& folder : folders) details += folder + "\n";
        out.cases.push_back({kind, "FINDING", fmt::format("{} of them", n), details});
    }
    if (out.cases.empty()) out.cases.push_back({fmt::format("{} {}", cases, what), "", "", ""});
    return write_file(o.junit, junit_xml(out));
}

int reproduce(const FuzzCommand& o) {
    const Result<fuzz::Reproduction> seen = fuzz::reproduce(o.reproduce, own_path());
    if (!seen) return bad_input(seen.error(), o.json);
    if (o.json) {
        print_json({{"reproduced", seen->reproduced}, {"what", seen->text}});
    } else {
        std::printf("%s\n%s\n", seen->reproduced ? "reproduced" : "not reproduced",
                    seen->text.c_str());
    }
    return seen->reproduced ? kRefuted : kFine;
}

int campaign(const FuzzCommand& o) {
    fuzz::CampaignOptions options = o.steps       ? fuzz::raw_campaign()
                                    : o.forged    ? fuzz::forged_campaign()
                                    : o.graphs    ? fuzz::graph_campaign()
                                    : o.schedules ? fuzz::schedule_campaign()
                                                  : fuzz::CampaignOptions{};
    options.cases = cases_of(o);
    options.seconds = o.time;
    options.seed = o.seed;
    options.out = o.out;
    options.first = o.first;
    options.jobs = o.jobs;
    if (o.inputs != 0) options.runs = static_cast<int>(o.inputs);
    if (o.show) {
        options.jobs = 1;
        options.show = [](const ir::Function& f, const std::string& schedule) {
            std::printf("%s", ir::print(f).c_str());
            if (!schedule.empty()) std::printf("\n%s", schedule.c_str());
            std::printf("\n");
            std::fflush(stdout);
        };
    }
    if (!o.quiet && !o.json) {
        options.progress = [line = std::make_shared<ProgressLine>()](const fuzz::Summary& s) {
            line->show(s.line());
        };
    }
    const Result<fuzz::Summary> summary = fuzz::run_campaign(options);
    options.progress = nullptr;
    if (!summary) return bad_input(summary.error(), o.json);
    const Status ok = write_junit(o, "programs", summary->cases, summary->kinds, summary->folders);
    if (!ok) return bad_input(ok.error(), o.json);
    if (o.json) {
        print_json(summary->json());
    } else {
        std::printf("%s\n", summary->line().c_str());
        const bool schedules = !o.steps && !o.forged;
        if (o.schedules || o.graphs) std::printf("%s", summary->triples_line().c_str());
        if (o.graphs) std::printf("%s", summary->graphs_line().c_str());
        if (!o.quiet && schedules) std::printf("%s", summary->primitives_table().c_str());
        if (!o.quiet && !schedules) std::printf("%s", summary->rules_table().c_str());
        if (!o.quiet && o.forged) std::printf("%s", summary->refusals_table().c_str());
        if (!o.quiet) std::printf("%s", summary->features_table().c_str());
        for (const auto& [kind, n] : summary->kinds)
            std::printf("  %s: %zu\n", kind.c_str(), static_cast<std::size_t>(n));
        for (const std::string& folder : summary->folders)
            std::printf("  failure: %s\n", folder.c_str());
    }
    return summary->findings == 0 ? kFine : kRefuted;
}

int gpu_campaign(const FuzzCommand& o) {
    fuzz::GpuCampaign options;
    options.cases = cases_of(o);
    options.first = o.first;
    options.seconds = o.time;
    options.seed = o.seed;
    options.out = o.out;
    options.proviso = own_path();
    options.cuda = cuda_libraries();
    if (!o.quiet && !o.json) {
        options.progress = [line = std::make_shared<ProgressLine>()](const fuzz::GpuReport& r) {
            line->show(r.line());
        };
    }
    const Result<fuzz::GpuReport> report = fuzz::run_gpu_campaign(options);
    options.progress = nullptr;
    if (!report) return bad_input(report.error(), o.json);
    const Status ok =
        write_junit(o, "programs of GPUs", report->cases, report->kinds, report->folders);
    if (!ok) return bad_input(ok.error(), o.json);
    if (o.json) {
        print_json(report->json());
    } else {
        std::printf("%s\n%s", report->line().c_str(), report->table().c_str());
        if (!o.quiet) {
            std::printf("%s%s", report->features_table().c_str(),
                        report->primitives_table().c_str());
        }
        for (const auto& [kind, n] : report->kinds)
            std::printf("  %s: %zu\n", kind.c_str(), static_cast<std::size_t>(n));
        for (const std::string& folder : report->folders)
            std::printf("  failure: %s\n", folder.c_str());
    }
    return report->findings() == 0 ? kFine : kRefuted;
}

int expressions(const FuzzCommand& o) {
    fuzz::SimplifierCampaign options;
    options.expressions = o.expressions;
    options.seed = o.seed;
    options.jobs = o.jobs;
    if (!o.quiet && !o.json) {
        options.progress = [&o, line = std::make_shared<ProgressLine>()](std::uint64_t done,
                                                                         std::uint64_t findings) {
            line->show(
                fmt::format("{} of {} expressions, {} findings", done, o.expressions, findings));
        };
    }
    const fuzz::SimplifierReport report = fuzz::run_simplifier_campaign(options);
    options.progress = nullptr;
    std::map<std::string, std::uint64_t> kinds;
    for (const auto& f : report.told) ++kinds[f.kind];
    if (const Status ok = write_junit(o, "expressions", o.expressions, kinds, {}); !ok) {
        return bad_input(ok.error(), o.json);
    }
    if (!o.out.empty()) {
        const Status ok = write_file(o.out + "/expressions.json", report.json().dump(2) + "\n");
        if (!ok) return bad_input(ok.error(), o.json);
    }
    if (o.json) {
        print_json(report.json());
    } else {
        std::printf("%s\n", report.line().c_str());
        for (const auto& f : report.told) {
            std::printf("  %llu %s: %s\n", static_cast<unsigned long long>(f.index), f.kind.c_str(),
                        f.detail.c_str());
        }
    }
    return report.findings == 0 ? kFine : kRefuted;
}

}  // namespace

int run_fuzz(const FuzzCommand& o) {
    if (const Status ok = may_write({{"--junit", o.junit}}, {o.reproduce}, ""); !ok) {
        return bad_input(ok.error(), o.json);
    }
    if (!o.reproduce.empty()) return reproduce(o);
    if (o.expressions != 0) return expressions(o);
    if (o.planted || o.omissions || o.hostile) return run_planted(o);
    return o.gpu ? gpu_campaign(o) : campaign(o);
}

}  // namespace proviso::tools
