// The benchmark: what users wait for, measured in one run. Figures of one run compare with one
// another; between machines and runs only their ratios do. Prints a table, or with --json one line
// of JSON.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>

#include <unistd.h>

#include "bench/chains.h"
#include "bench/corpus.h"
#include "bench/gpu_races.h"
#include "bench/growth.h"
#include "bench/interpreter.h"
#include "bench/obligations.h"
#include "bench/questions.h"
#include "bench/reader.h"
#include "bench/runtime.h"
#include "bench/simplifier.h"
#include "bench/statements.h"
#include "fuzz/campaign/campaign.h"
#include "ir/text.h"
#include "rewrite/schedule/reader/reader.h"
#include "verify/audit/audit.h"
#include "verify/log/write.h"

namespace {

using namespace proviso;
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

std::string read(const std::filesystem::path& path) {
    std::ifstream in(path);
    std::stringstream out;
    out << in.rdbuf();
    return out.str();
}

class Bench {
  public:
    explicit Bench(std::filesystem::path examples) : examples_(std::move(examples)) {}

    nlohmann::json lowerings() {
        for (const char* name : {"scale", "row_sum", "conv1d", "two_convolutions"}) example(name);
        return out_;
    }

    nlohmann::json run() {
        simplifications();
        lowerings();
        obligations();
        out_["kernel"] = bench::measure_steps(examples_ / "../tests/scenarios");
        out_["runtime"] = bench::measure_runtime();
        growth();
        fuzzing();
        return out_;
    }

  private:
    // Index expressions as layouts and splits make them, under loop ranges; each size of tile anew.
    void simplifications() {
        std::size_t count = 0;
        std::uint64_t nodes_before = 0;
        std::uint64_t nodes_after = 0;
        ir::Context ctx;
        analysis::Prover prover(ctx, {});
        rewrite::Simplifier simplifier(prover, rewrite::RuleBook::standard(), {20'000, false});
        ir::Scope scope;
        for (const char* name : {"io", "ii", "jo", "ji", "k"})
            scope.vars[name] = ctx.var(name, ir::kInt32);
        const std::vector<std::string> shapes = {"(io * C + ii) // C",
                                                 "(io * C + ii) % C",
                                                 "((io * C + ii) * D + ji) // D",
                                                 "(io * C + ii) // C * C + (io * C + ii) % C",
                                                 "(io * C + ii + k * C) // C - k",
                                                 "T.min(io * C + ii, io * C + C - 1)",
                                                 "(jo * D + ji) % D + (io * C + ii) // C",
                                                 "io * C + ii < 64 * C",
                                                 "(io * C * D + ii * D + ji) // D % C"};
        const auto start = Clock::now();
        for (int c = 2; c < 34; ++c) {
            for (int d = 3; d < 19; d += 3) {
                std::vector<ir::Expr> facts;
                const auto in_range = [&](const char* name, int extent) {
                    facts.push_back(ctx.le(ctx.i32(0), scope.vars[name]));
                    facts.push_back(ctx.lt(scope.vars[name], ctx.i32(extent)));
                };
                in_range("io", 64);
                in_range("ii", c);
                in_range("jo", 16);
                in_range("ji", d);
                in_range("k", 9);
                for (std::string text : shapes) {
                    for (auto& [letter, value] : {std::pair{'C', c}, std::pair{'D', d}}) {
                        for (std::size_t at = text.find(letter); at != std::string::npos;
                             at = text.find(letter)) {
                            text.replace(at, 1, std::to_string(value));
                        }
                    }
                    const auto e = ir::parse_expr(ctx, text, scope);
                    if (!e) continue;
                    const ir::Expr simpler = simplifier.simplify(*e, facts).result;
                    nodes_before += (*e)->size;
                    nodes_after += simpler->size;
                    ++count;
                }
            }
        }
        out_["simplifications_per_second"] = static_cast<double>(count) / seconds_since(start);
        out_["simplified_size_ratio"] =
            static_cast<double>(nodes_after) / static_cast<double>(nodes_before);
    }

    // Lowered and audited in this process, each three times from the start: the best of each.
    void example(const std::string& name) {
        nlohmann::json& out = out_["examples"][name];
        const auto best = [&out](const char* what, double seconds) {
            const double before = out.value(what, seconds);
            out[what] = std::min(seconds, before);
        };
        out["verified"] = true;
        for (int round = 0; round < 3; ++round) {
            const std::string folder = "proviso-bench-" + name + "-" + std::to_string(::getpid());
            const std::filesystem::path log = std::filesystem::temp_directory_path() / folder;
            if (!lower_example(name, log, out, best)) {
                out["verified"] = false;
                return;
            }
            const auto start = Clock::now();
            ir::Context ctx;
            const verify::AuditReport audited = verify::audit(ctx, log.string());
            best("audit_s", seconds_since(start));
            if (audited.exit_code() != 0) out["verified"] = false;
            std::filesystem::remove_all(log);
        }
        out["audit_per_lower"] = out["audit_s"].get<double>() / out["lower_s"].get<double>();
    }

    // False where the schedule is refused or the log cannot be written.
    template <class Best>
    bool lower_example(const std::string& name, const std::filesystem::path& log,
                       nlohmann::json& out, const Best& best) {
        ir::Context ctx;
        const auto f = ir::parse_function(ctx, read(examples_ / (name + ".py")), name);
        if (!f) return false;
        const auto start = Clock::now();
        auto d = rewrite::Derivation::start(ctx, *f);
        analysis::Prover prover(ctx, {});
        rewrite::Proposer proposer(*d, prover);
        const auto report =
            rewrite::run_schedule(proposer, read(examples_ / (name + ".sch.py")), name);
        if (!report || report->refusal) return false;
        rewrite::lower(proposer);
        best("lower_s", seconds_since(start));
        out["steps"] = d->steps().size();
        return verify::write_log(*d, log.string()).ok();
    }

    void obligations() {
        bench::SurveyOptions options;
        options.examples = examples_;
        options.schedules = examples_ / "../tests/scenarios";
        options.fuzz_cases = 200;
        for (const bench::ObligationSource& s : bench::survey(options)) {
            out_["obligations"][s.name] = bench::summary(s);
        }
    }

    // Facts in scope: a chain x0 < x1 < …, in no order, and a goal over all of it.
    void growth() {
        for (const std::size_t count : {250U, 500U, 1000U, 2000U}) {
            ir::Context ctx;
            std::vector<ir::Expr> x;
            for (std::size_t k = 0; k <= count; ++k) {
                x.push_back(ctx.var("x" + std::to_string(k), ir::kInt32));
            }
            std::vector<ir::Expr> facts;
            for (std::size_t k = 0; k < count; ++k) {
                const std::size_t at = k * 7 % count;
                facts.push_back(ctx.lt(x[at], x[at + 1]));
            }
            analysis::Prover prover(ctx, {});
            auto start = Clock::now();
            const bool first = prover.proves_cheaply(facts, ctx.lt(x[0], x[count]));
            const double once = seconds_since(start);
            start = Clock::now();
            const bool again = prover.proves_cheaply(facts, ctx.lt(x[1], x[count - 1]));
            out_["growth"]["facts"].push_back({{"facts", count},
                                               {"proved", first && again},
                                               {"first_goal_us", once * 1e6},
                                               {"next_goal_us", seconds_since(start) * 1e6}});
        }
    }

    void fuzzing() {
        fuzz::CampaignOptions options;
        options.cases = 150;
        options.seed = 7;
        const auto start = Clock::now();
        const auto summary = fuzz::run_campaign(options);
        if (!summary) return;
        out_["fuzzing"] = {
            {"programs", summary->cases},
            {"findings", summary->findings},
            {"programs_per_second", static_cast<double>(summary->cases) / seconds_since(start)}};
    }

    std::filesystem::path examples_;
    nlohmann::json out_;
};

void print_runtime(const nlohmann::json& runtime) {
    for (const auto& w : runtime) {
        if (w.contains("failed")) {
            std::printf("%s: FAILED: %s\n", w["name"].get<std::string>().c_str(),
                        w["failed"].get<std::string>().c_str());
            continue;
        }
        std::printf("%-36s guarded %8.1f us (%d branches), branch-free %8.1f us (%d): ratio %.2f\n",
                    w["name"].get<std::string>().c_str(), w["guarded_us"].get<double>(),
                    w["branches"][0].get<int>(), w["branch_free_us"].get<double>(),
                    w["branches"][1].get<int>(), w["ratio"].get<double>());
    }
}

void print_lowerings(const nlohmann::json& examples) {
    for (const auto& [name, e] : examples.items()) {
        std::printf("%-16s lower %.3f s (%d steps), audit %.3f s: %.1f times%s\n", name.c_str(),
                    e.value("lower_s", 0.0), e.value("steps", 0), e.value("audit_s", 0.0),
                    e.value("audit_per_lower", 0.0),
                    e.value("verified", false) ? "" : "  NOT VERIFIED");
    }
}

void print(const nlohmann::json& r) {
    std::printf("simplifications             %10.0f /s   (size after / before: %.2f)\n",
                r["simplifications_per_second"].get<double>(),
                r["simplified_size_ratio"].get<double>());
    print_lowerings(r["examples"]);
    for (const auto& [name, o] : r["obligations"].items()) {
        std::printf("obligations, %-10s %6d   %5.1f %% closed before a solver, median %.1f us\n",
                    name.c_str(), o["asked"].get<int>(), 100 * o["share"].get<double>(),
                    o["median_us"].get<double>());
        std::printf("  %d proved by a solver, %d refuted, %d unknown; of those proved %.1f %%\n",
                    o["proved_by_solver"].get<int>(), o["refuted_by_solver"].get<int>(),
                    o["unknown"].get<int>(), 100 * o["share_of_proved"].get<double>());
    }
    print_runtime(r["runtime"]);
    std::printf("kernel steps %d: median %.0f us, 90 %% below %.0f us\n",
                r["kernel"]["steps"].get<int>(), r["kernel"]["median_us"].get<double>(),
                r["kernel"]["p90_us"].get<double>());
    for (const auto& g : r["growth"]["facts"]) {
        std::printf("%5d facts in scope: first goal %8.0f us, next %8.0f us\n",
                    g["facts"].get<int>(), g["first_goal_us"].get<double>(),
                    g["next_goal_us"].get<double>());
    }
    if (r.contains("fuzzing")) {
        std::printf("fuzzing                     %10.1f programs/s (%d findings)\n",
                    r["fuzzing"]["programs_per_second"].get<double>(),
                    r["fuzzing"]["findings"].get<int>());
    }
}

}  // namespace

namespace {

// Every obligation that the cheap deciders leave, a line of JSON each; the shares on stderr.
int print_open(const std::filesystem::path& examples) {
    bench::SurveyOptions options;
    options.examples = examples;
    options.schedules = examples / "../tests/scenarios";
    for (const bench::ObligationSource& s : bench::survey(options)) {
        for (const std::string& line : s.open) {
            std::printf("{\"source\":\"%s\",%s\n", s.name.c_str(), line.c_str() + 1);
        }
        std::fprintf(stderr, "%-10s %s\n", s.name.c_str(), bench::summary(s).dump().c_str());
    }
    return 0;
}

void print_growth(const nlohmann::json& growth) {
    for (const auto& c : growth["curves"]) {
        std::printf("%-18s", c["name"].get<std::string>().c_str());
        for (std::size_t i = 0; i < c["sizes"].size(); ++i) {
            std::printf("  %d: %.0f us, %.0f KiB;", c["sizes"][i].get<int>(),
                        c["us"][i].get<double>(), c["kib"][i].get<double>());
        }
        std::printf("  time ~ size^%.2f, memory ~ size^%.2f\n", c["exponent"].get<double>(),
                    c["memory_exponent"].get<double>());
    }
}

// How long it takes until the first expression can be simplified.
double rules_ms() {
    const auto start = Clock::now();
    const rewrite::RuleBook book(rewrite::expression_rules());
    book.meet(ir::kInt32);
    book.meet(ir::kBool);
    return seconds_since(start) * 1000;
}

constexpr const char* kUsage =
    "usage: proviso-bench [--json | --open] [--examples=FOLDER]\n"
    "       proviso-bench corpus [--json] [--make] [--folder=FOLDER]\n"
    "       proviso-bench reader [--json] [--unread] [--folder=FOLDER]\n"
    "       proviso-bench interpreter [--json] [--rounds=N]\n"
    "       proviso-bench simplifier [--json] [--larger] [--file=FILE]\n"
    "       proviso-bench --growth [--svg=FILE] [--json]\n"
    "       proviso-bench --statements [--svg=FILE] [--json]   steps, and growth with statements\n"
    "       proviso-bench --chains [--json]          chains of stages at real sizes\n"
    "       proviso-bench --lowerings [--json] [--examples=FOLDER]\n"
    "       proviso-bench --runtime [--json]         branch-free against guarded code\n"
    "       proviso-bench --gpu-races=FOLDER         race obligations of the scenarios in FOLDER\n"
    "       proviso-bench --start                    how long reading the rules takes\n"
    "       proviso-bench --generate=N [--seed=K]    questions to a simplifier, as JSON lines\n"
    "       proviso-bench --harvest=all|distinct [--examples=FOLDER] [--schedules=FOLDER]\n"
    "       proviso-bench --simplify=FILE [--results=FILE] [--rounds=N]\n";

struct Arguments {
    std::filesystem::path examples = "examples";
    std::filesystem::path schedules = "tests/scenarios";
    std::string svg;
    std::string harvest;
    std::string simplify;
    std::string results;
    std::size_t generate = 0;
    std::uint64_t seed = 1;
    int rounds = 5;
    bool json = false;
    bool open = false;
    bool growth = false;
    bool start = false;
    bool statements = false;
    bool runtime = false;
    bool lowerings = false;
    bool chains = false;
    std::string gpu_races;  // folder of scenarios

    bool read(const std::string& arg) {
        const auto value = [&arg](const char* name) -> std::optional<std::string> {
            const std::string head = std::string(name) + "=";
            if (arg.rfind(head, 0) != 0) return std::nullopt;
            return arg.substr(head.size());
        };
        if (arg == "--json") return json = true;
        if (arg == "--open") return open = true;
        if (arg == "--growth") return growth = true;
        if (arg == "--start") return start = true;
        if (arg == "--statements") return statements = true;
        if (arg == "--runtime") return runtime = true;
        if (arg == "--lowerings") return lowerings = true;
        if (arg == "--chains") return chains = true;
        if (const auto v = value("--examples")) return examples = *v, true;
        if (const auto v = value("--schedules")) return schedules = *v, true;
        if (const auto v = value("--gpu-races")) return gpu_races = *v, true;
        if (const auto v = value("--svg")) return svg = *v, true;
        if (const auto v = value("--harvest")) return harvest = *v, true;
        if (const auto v = value("--simplify")) return simplify = *v, true;
        if (const auto v = value("--results")) return results = *v, true;
        const auto number = [](const std::string& text) {
            return static_cast<std::uint64_t>(std::strtoull(text.c_str(), nullptr, 10));
        };
        if (const auto v = value("--generate")) return generate = number(*v), true;
        if (const auto v = value("--seed")) return seed = number(*v), true;
        if (const auto v = value("--rounds")) return rounds = static_cast<int>(number(*v)), true;
        return false;
    }
};

int run_growth(const Arguments& a) {
    const nlohmann::json growth =
        a.statements ? bench::measure_statement_growth() : bench::measure_growth();
    const std::string title =
        a.statements ? "Time against number of statements, both relative to the first"
                     : "Time of a simplification against size, both relative to the first";
    if (!a.svg.empty()) std::ofstream(a.svg) << bench::growth_svg(growth, title);
    if (a.json) {
        std::printf("%s\n", growth.dump().c_str());
    } else {
        print_growth(growth);
    }
    return 0;
}

int run_simplify(const Arguments& a) {
    std::ifstream in(a.simplify);
    if (!in) {
        std::fprintf(stderr, "cannot read %s\n", a.simplify.c_str());
        return 2;
    }
    std::ofstream results;
    if (!a.results.empty()) results.open(a.results);
    const nlohmann::json answer =
        bench::measure_questions(in, a.results.empty() ? nullptr : &results, a.rounds);
    std::printf("%s\n", answer.dump().c_str());
    return 0;
}

int run_benchmark(const Arguments& a) {
    Bench bench(a.examples);
    const nlohmann::json result = a.lowerings ? bench.lowerings() : bench.run();
    if (a.json) {
        std::printf("%s\n", result.dump().c_str());
    } else if (a.lowerings) {
        print_lowerings(result["examples"]);
    } else {
        print(result);
    }
    for (const auto& [name, e] : result["examples"].items()) {
        if (!e.value("verified", false)) return 1;
    }
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc > 1 && std::string(argv[1]) == "corpus") {
        return proviso::bench::corpus_command({argv + 2, argv + argc});
    }
    if (argc > 1 && std::string(argv[1]) == "reader") {
        return proviso::bench::reader_command({argv + 2, argv + argc});
    }
    if (argc > 1 && std::string(argv[1]) == "interpreter") {
        return proviso::bench::interpreter_command({argv + 2, argv + argc});
    }
    if (argc > 1 && std::string(argv[1]) == "simplifier") {
        return proviso::bench::simplifier_command({argv + 2, argv + argc});
    }
    Arguments a;
    for (int i = 1; i < argc; ++i) {
        if (a.read(argv[i])) continue;
        std::fprintf(stderr, "%s", kUsage);
        return 2;
    }
    if (a.open) return print_open(a.examples);
    if (a.growth || a.statements) return run_growth(a);
    if (a.runtime) {
        const nlohmann::json runtime = bench::measure_runtime();
        if (a.json) {
            std::printf("%s\n", runtime.dump().c_str());
        } else {
            print_runtime(runtime);
        }
        return 0;
    }
    if (a.chains) {
        const nlohmann::json chains = bench::measure_chains();
        std::printf("%s",
                    a.json ? (chains.dump() + "\n").c_str() : bench::chains_text(chains).c_str());
        return 0;
    }
    if (!a.gpu_races.empty()) {
        std::printf("%s\n", bench::measure_races(a.gpu_races).dump().c_str());
        return 0;
    }
    if (!a.simplify.empty()) return run_simplify(a);
    if (a.start) {
        std::printf("{\"rules_ms\": %.2f}\n", rules_ms());
        return 0;
    }
    std::vector<nlohmann::json> questions;
    if (a.generate != 0) questions = bench::generated_questions(a.generate, a.seed);
    if (!a.harvest.empty()) {
        questions = bench::harvested_questions(a.examples, a.schedules, a.harvest == "distinct");
    }
    if (a.generate == 0 && a.harvest.empty()) return run_benchmark(a);
    for (const auto& q : questions) std::printf("%s\n", q.dump().c_str());
    return 0;
}
