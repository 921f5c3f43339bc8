#include "bench/simplifier.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <numeric>
#include <sstream>

#include "ir/children.h"
#include "ir/text.h"
#include "rewrite/corpus/best_forms.h"

namespace proviso::bench {

namespace {

using nlohmann::json;
using rewrite::BestForm;
using rewrite::JudgedForm;

constexpr const char* kUsage =
    "usage: proviso-bench simplifier [--file=FILE] [--larger | --slowest | --questions] [--json]\n"
    "  --file=FILE   the table of cases (tests/data/simplifier/best_forms.txt)\n"
    "  --larger      prints each case that comes out larger than its best form\n"
    "  --slowest     prints the ten cases that take longest\n"
    "  --questions   prints the cases of int32 without casts as bench/compare_tvm reads them\n"
    "  --json        one line of JSON\n";

struct Family {
    std::string name;
    std::size_t cases = 0;
    std::size_t reached = 0;
    std::vector<json> larger;
    std::vector<json> wrong;
};

json described(const BestForm& of, const JudgedForm& judged) {
    json out = {{"line", of.line},
                {"expr", ir::print(of.expr)},
                {"result", ir::print(judged.result)},
                {"size", judged.result->size},
                {"best", ir::print(of.best)},
                {"best_size", of.best->size}};
    if (!judged.wrong.empty()) out["at"] = judged.wrong;
    return out;
}

// All cases, in a fresh context each round, without looking at results: microseconds of each, in
// the round in which it was fastest, so that what else the machine does is left out. Reading the
// cases and learning their facts is not timed, and nothing is kept from round to round.
std::vector<double> times_of(const std::string& text, const std::string& file, int rounds) {
    using Clock = std::chrono::steady_clock;
    std::vector<double> best;
    for (int round = 0; round < rounds; ++round) {
        ir::Context ctx;
        const auto cases = rewrite::read_best_forms(ctx, text, file);
        if (!cases) return {};
        analysis::Prover prover(ctx, {});
        rewrite::Simplifier simplifier(prover, rewrite::RuleBook::standard(), {200'000, false});
        for (const BestForm& c : *cases) simplifier.simplify(ctx.i32(0), c.facts);
        best.resize(cases->size(), std::numeric_limits<double>::infinity());
        for (std::size_t i = 0; i < cases->size(); ++i) {
            const auto start = Clock::now();
            simplifier.simplify((*cases)[i].expr, (*cases)[i].facts);
            const std::chrono::duration<double, std::micro> took = Clock::now() - start;
            best[i] = std::min(best[i], took.count());
        }
    }
    return best;
}

// Those that TVM's analyzer can be asked as they stand, a line of JSON each.
void print_questions(const std::vector<BestForm>& cases) {
    for (const BestForm& c : cases) {
        const std::string expr = ir::print(c.expr);
        const bool plain = std::all_of(c.variables.begin(), c.variables.end(), [](const auto& v) {
            return v.var->type == ir::kInt32 || v.var->type.is_bool();
        });
        const auto has = [&expr](const char* what) { return expr.find(what) != std::string::npos; };
        if (!plain || has("T.Cast") || has("T.int64") || has("T.ceildiv") || has("T.abs")) continue;
        json ranges = json::object();
        bool booleans = false;
        for (const BestForm::Variable& v : c.variables) {
            const bool occurs = ir::occurs_free(v.var, c.expr);
            booleans |= occurs && v.var->type.is_bool();
            if (v.var->type.is_bool()) continue;
            ranges[*v.var->name] = {static_cast<std::int64_t>(v.lo),
                                    static_cast<std::int64_t>(v.hi + 1)};
        }
        if (booleans) continue;
        const json line = {{"ranges", ranges}, {"given", json::array()}, {"expr", expr}};
        std::printf("%s\n", line.dump().c_str());
    }
}

json to_json(const std::vector<Family>& families, double us) {
    json out = {{"families", json::object()}};
    std::size_t cases = 0;
    std::size_t reached = 0;
    std::size_t wrong = 0;
    for (const Family& f : families) {
        out["families"][f.name] = {
            {"cases", f.cases}, {"reached", f.reached}, {"larger", f.larger}, {"wrong", f.wrong}};
        cases += f.cases;
        reached += f.reached;
        wrong += f.wrong.size();
    }
    out["cases"] = cases;
    out["reached"] = reached;
    out["larger"] = cases - reached;
    out["wrong"] = wrong;
    out["us_per_case"] = us;
    return out;
}

void print_case(const char* what, const json& c) {
    std::printf("%s line %d: %s\n    gives %s (%d), best %s (%d)\n", what, c["line"].get<int>(),
                c["expr"].get<std::string>().c_str(), c["result"].get<std::string>().c_str(),
                c["size"].get<int>(), c["best"].get<std::string>().c_str(),
                c["best_size"].get<int>());
    if (c.contains("at")) std::printf("    at %s\n", c["at"].get<std::string>().c_str());
}

void print(const std::vector<Family>& families, const json& all, bool each) {
    std::printf("%-36s %6s %8s %7s %6s\n", "family", "cases", "reached", "larger", "wrong");
    for (const Family& f : families) {
        std::printf("%-36s %6zu %8zu %7zu %6zu\n", f.name.c_str(), f.cases, f.reached,
                    f.cases - f.reached, f.wrong.size());
    }
    std::printf("%-36s %6d %8d %7d %6d   %.1f us a case\n", "all", all["cases"].get<int>(),
                all["reached"].get<int>(), all["larger"].get<int>(), all["wrong"].get<int>(),
                all["us_per_case"].get<double>());
    for (const Family& f : families) {
        for (const json& c : f.wrong) print_case("WRONG", c);
    }
    if (!each) return;
    for (const Family& f : families) {
        for (const json& c : f.larger) print_case("larger", c);
    }
}

void print_slowest(const std::vector<BestForm>& cases, const std::vector<double>& times) {
    constexpr std::size_t most = 10;
    std::vector<std::size_t> order(times.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&times](std::size_t a, std::size_t b) { return times[a] > times[b]; });
    for (std::size_t i = 0; i < std::min(most, order.size()); ++i) {
        const BestForm& c = cases[order[i]];
        std::printf("slow line %d: %.1f us  %s\n", c.line, times[order[i]],
                    ir::print(c.expr).c_str());
    }
}

}  // namespace

int simplifier_command(const std::vector<std::string>& args) {
    std::string file = "tests/data/simplifier/best_forms.txt";
    bool as_json = false;
    bool each = false;
    bool slowest = false;
    bool questions = false;
    for (const std::string& arg : args) {
        if (arg == "--json") {
            as_json = true;
        } else if (arg == "--larger") {
            each = true;
        } else if (arg == "--slowest") {
            slowest = true;
        } else if (arg == "--questions") {
            questions = true;
        } else if (arg.rfind("--file=", 0) == 0) {
            file = arg.substr(7);
        } else {
            const bool help = arg == "--help";
            std::fprintf(help ? stdout : stderr, "%s", kUsage);
            return help ? 0 : 2;
        }
    }
    std::ifstream in(file);
    if (!in) {
        std::fprintf(stderr,
                     "error: cannot read `%s`\n"
                     "  hint: run this in the root of the repository, or say --file=FILE\n",
                     file.c_str());
        return 2;
    }
    std::stringstream text;
    text << in.rdbuf();
    ir::Context ctx;
    const auto cases = rewrite::read_best_forms(ctx, text.str(), file);
    if (!cases) {
        std::fprintf(stderr, "%s\n", cases.error().str().c_str());
        return 2;
    }
    if (questions) {
        print_questions(*cases);
        return 0;
    }
    analysis::Prover prover(ctx, {});
    rewrite::Simplifier simplifier(prover);
    std::vector<Family> families;
    for (const BestForm& c : *cases) {
        if (families.empty() || families.back().name != c.family)
            families.push_back({c.family, 0, 0, {}, {}});
        Family& f = families.back();
        const JudgedForm judged = rewrite::judge_best_form(simplifier, c);
        ++f.cases;
        f.reached += judged.reached ? 1 : 0;
        if (!judged.reached) f.larger.push_back(described(c, judged));
        if (!judged.wrong.empty()) f.wrong.push_back(described(c, judged));
    }
    constexpr int rounds = 7;
    const std::vector<double> times = times_of(text.str(), file, rounds);
    const double us = cases->empty() ? 0
                                     : std::accumulate(times.begin(), times.end(), 0.0) /
                                           static_cast<double>(cases->size());
    const json all = to_json(families, us);
    if (as_json) {
        std::printf("%s\n", all.dump().c_str());
    } else {
        print(families, all, each);
        if (slowest) print_slowest(*cases, times);
    }
    return all["wrong"] == 0 ? 0 : 1;
}

}  // namespace proviso::bench
