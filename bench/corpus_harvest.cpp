// Claims from real work: whatever the prover is asked while programs are lowered.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "analysis/corpus/obligation_text.h"
#include "bench/corpus.h"
#include "bench/scenarios.h"
#include "fuzz/gen/program.h"
#include "fuzz/gen/schedules/schedules.h"
#include "fuzz/gen/steps/steps.h"
#include "ir/text.h"
#include "rewrite/schedule/reader/reader.h"

namespace proviso::bench {

namespace {

namespace fs = std::filesystem;

std::string read(const fs::path& path) {
    std::ifstream in(path);
    std::stringstream out;
    out << in.rdbuf();
    return out.str();
}

class Harvest {
  public:
    std::vector<Claim> claims;
    // At most so many from one origin, so that no program dominates.
    std::size_t most_each = 1'000'000;

    analysis::ProverOptions options(ir::Context& ctx, const std::string& origin) {
        taken_ = 0;
        analysis::ProverOptions out;
        out.use_cvc5 = false;
        out.rlimit = 200'000;
        out.on_question = [this, &ctx, origin](const analysis::Obligation& o) {
            if (taken_ >= most_each) return;
            const analysis::SmtText text = analysis::to_smt(ctx, o);
            if (!text.supported || !ids_.insert(analysis::obligation_id(text)).second) return;
            const nlohmann::json fields = analysis::obligation_json(ctx, o);
            if (fields.is_null()) {
                ++not_written;
                return;
            }
            ++taken_;
            claims.push_back({origin, fields.dump()});
        };
        return out;
    }

    void lower(const std::string& program, const std::string& schedule, const std::string& name) {
        ir::Context ctx;
        const auto f = ir::parse_function(ctx, program, name);
        if (!f) return;
        auto d = rewrite::Derivation::start(ctx, *f);
        if (!d) return;
        analysis::Prover prover(ctx, options(ctx, "lowering of " + name));
        rewrite::Proposer proposer(*d, prover);
        const auto report = rewrite::run_schedule(proposer, schedule, name);
        if (report && !report->refusal) rewrite::lower(proposer);
    }

    void generated(std::uint64_t index) {
        fuzz::Choice choice(fuzz::mix(2026, index));
        ir::Context ctx;
        const bool scheduled = index % 2 == 0;
        const auto style = scheduled ? fuzz::ProgramStyle::Blocks : fuzz::ProgramStyle::Mixed;
        const fuzz::GeneratedProgram program = fuzz::generate_program(ctx, choice, style);
        auto d = rewrite::Derivation::start(ctx, program.function);
        if (!d) return;
        analysis::Prover prover(ctx, options(ctx, scheduled ? "lowering of generated programs"
                                                            : "steps on generated programs"));
        if (scheduled) {
            const std::string text = fuzz::generate_schedule(program.function, choice);
            if (text.empty()) return;
            rewrite::Proposer proposer(*d, prover);
            (void)rewrite::run_schedule(proposer, text, "schedule.py");
            return;
        }
        for (int k = 0; k < 8; ++k) {
            const auto guess = fuzz::guess_step(ctx, d->current(), choice);
            if (!guess) continue;
            (void)d->apply(guess->rule, guess->site, nlohmann::json::parse(guess->args), prover);
        }
    }

    std::size_t not_written = 0;

  private:
    std::set<std::string> ids_;
    std::size_t taken_ = 0;
};

std::vector<fs::path> files_in(const fs::path& folder, const std::string& ending) {
    std::vector<fs::path> out;
    for (const auto& entry : fs::directory_iterator(folder)) {
        const std::string name = entry.path().filename().string();
        const bool ends = name.size() > ending.size() &&
                          name.compare(name.size() - ending.size(), ending.size(), ending) == 0;
        if (ends) out.push_back(entry.path());
    }
    std::sort(out.begin(), out.end());
    return out;
}

}  // namespace

std::vector<Claim> harvest_claims(const std::string& root, std::size_t from_fuzzing) {
    Harvest harvest;
    const fs::path base(root);
    for (const char* folder : {"examples", "examples/refused"}) {
        for (const fs::path& schedule : files_in(base / folder, ".sch.py")) {
            std::string name = schedule.filename().string();
            name = name.substr(0, name.size() - 7);
            fs::path program = schedule.parent_path() / (name + ".py");
            if (!fs::exists(program)) program = base / "examples" / (name + ".py");
            if (fs::exists(program)) harvest.lower(read(program), read(schedule), name);
        }
    }
    for (const ScheduledProgram& p : scenarios_in(base / "tests/scenarios")) {
        harvest.lower(p.program, p.schedule, p.name);
    }
    const std::size_t before = harvest.claims.size();
    harvest.most_each = 12;
    for (std::uint64_t k = 0; harvest.claims.size() < before + from_fuzzing && k < 4000; ++k) {
        harvest.generated(k);
    }
    return std::move(harvest.claims);
}

}  // namespace proviso::bench
