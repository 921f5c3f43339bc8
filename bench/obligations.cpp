#include "bench/obligations.h"

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "bench/scenarios.h"
#include "fuzz/campaign/campaign.h"
#include "ir/text.h"
#include "rewrite/schedule/reader/reader.h"

namespace proviso::bench {

namespace {

using nlohmann::json;

std::string read(const std::filesystem::path& path) {
    std::ifstream in(path);
    std::stringstream out;
    out << in.rdbuf();
    return out.str();
}

std::vector<std::filesystem::path> files_of(const std::filesystem::path& folder,
                                            const std::string& extension) {
    std::vector<std::filesystem::path> out;
    std::error_code none;
    for (const auto& entry : std::filesystem::directory_iterator(folder, none)) {
        if (entry.path().extension() == extension) out.push_back(entry.path());
    }
    std::sort(out.begin(), out.end());
    return out;
}

class Survey {
  public:
    explicit Survey(std::string name) { source_.name = std::move(name); }

    void listen(analysis::ProverOptions& options) {
        options.not_cheap = [this](const analysis::Obligation& o, const analysis::Answer& a,
                                   std::uint64_t ns) {
            switch (a.verdict) {
                case analysis::Verdict::Proved:
                    ++(a.certificate.empty() ? source_.proved : source_.certified);
                    break;
                case analysis::Verdict::Refuted:
                    ++(a.by == "sample" ? source_.sampled : source_.refuted);
                    break;
                case analysis::Verdict::Unknown: ++source_.unknown; break;
            }
            json line{{"purpose", o.purpose.words},
                      {"given", json::array()},
                      {"goal", ir::print(o.goal)},
                      {"verdict", analysis::verdict_name(a.verdict)},
                      {"by", a.by},
                      {"us", ns / 1000}};
            for (ir::Expr f : o.facts) line["given"].push_back(ir::print(f));
            source_.open.push_back(line.dump());
        };
    }
    void collect(const analysis::ProverStats& s) {
        source_.cheap += s.cheap;
        source_.cheap_ns.insert(source_.cheap_ns.end(), s.cheap_ns.begin(), s.cheap_ns.end());
    }
    ObligationSource take() {
        source_.asked = source_.cheap + source_.certified + source_.sampled + source_.proved +
                        source_.refuted + source_.unknown;
        return std::move(source_);
    }

    void schedule(const std::string& program, const std::string& schedule) {
        ir::Context ctx;
        const auto f = ir::parse_function(ctx, program, "program.py");
        if (!f) return;
        auto d = rewrite::Derivation::start(ctx, *f);
        if (!d) return;
        analysis::ProverOptions options;
        listen(options);
        analysis::Prover prover(ctx, options);
        rewrite::Proposer proposer(*d, prover);
        const auto report = rewrite::run_schedule(proposer, schedule, "schedule.py");
        if (report && !report->refusal) rewrite::lower(proposer);
        collect(prover.stats());
    }

  private:
    ObligationSource source_;
};

ObligationSource of_examples(const std::filesystem::path& folder) {
    Survey out("examples");
    for (const auto& path : files_of(folder, ".py")) {
        std::filesystem::path schedule = path;
        schedule.replace_extension(".sch.py");
        if (std::filesystem::exists(schedule)) out.schedule(read(path), read(schedule));
    }
    return out.take();
}

ObligationSource of_schedules(const std::filesystem::path& folder) {
    Survey out("schedules");
    for (const ScheduledProgram& p : scenarios_in(folder)) out.schedule(p.program, p.schedule);
    return out.take();
}

ObligationSource of_fuzzing(std::uint64_t cases, std::uint64_t seed) {
    Survey out("fuzzer");
    fuzz::CampaignOptions options;
    options.cases = cases;
    options.seed = seed;
    options.encoder = false;  // asks the solvers to compare them with the interpreter
    options.adjust_prover = [&out](analysis::ProverOptions& o) { out.listen(o); };
    options.prover_done = [&out](const analysis::ProverStats& s) { out.collect(s); };
    const auto done = fuzz::run_campaign(options);
    return out.take();
}

double percentile(std::vector<std::uint64_t> ns, double share) {
    if (ns.empty()) return 0;
    const auto at = static_cast<std::ptrdiff_t>(share * static_cast<double>(ns.size() - 1));
    std::nth_element(ns.begin(), ns.begin() + at, ns.end());
    return static_cast<double>(ns[static_cast<std::size_t>(at)]) / 1000;
}

}  // namespace

std::vector<ObligationSource> survey(const SurveyOptions& options) {
    return {of_examples(options.examples), of_schedules(options.schedules),
            of_fuzzing(options.fuzz_cases, options.fuzz_seed)};
}

json summary(const ObligationSource& s) {
    const auto share_of = [](std::uint64_t part, std::uint64_t of) {
        return of == 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(of);
    };
    return {{"asked", s.asked},
            {"closed_cheaply", s.cheap},
            {"share", share_of(s.cheap + s.certified + s.sampled, s.asked)},
            {"share_of_proved", share_of(s.cheap + s.certified, s.cheap + s.certified + s.proved)},
            {"certified", s.certified},
            {"proved_by_solver", s.proved},
            {"refuted_by_sample", s.sampled},
            {"refuted_by_solver", s.refuted},
            {"unknown", s.unknown},
            {"median_us", percentile(s.cheap_ns, 0.5)},
            {"p95_us", percentile(s.cheap_ns, 0.95)}};
}

}  // namespace proviso::bench
