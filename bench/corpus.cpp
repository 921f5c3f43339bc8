// The corpus made, and each decider measured on it.
#include "bench/corpus.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "analysis/certcheck/check.h"
#include "analysis/certify/certify.h"
#include "analysis/cheap/decide.h"
#include "analysis/corpus/obligation_text.h"
#include "ir/children.h"

namespace proviso::bench {

namespace {

namespace fs = std::filesystem;
using analysis::CorpusEntry;
using analysis::Verdict;
using nlohmann::json;
using Clock = std::chrono::steady_clock;

constexpr std::size_t kLargestFile = 900'000;  // bytes

double microseconds_since(Clock::time_point start) {
    return std::chrono::duration<double, std::micro>(Clock::now() - start).count();
}

double quantile(std::vector<double> values, double share) {
    if (values.empty()) return 0;
    std::sort(values.begin(), values.end());
    const auto at = static_cast<std::size_t>(share * static_cast<double>(values.size()));
    return values[std::min(at, values.size() - 1)];
}

// --- making --------------------------------------------------------------------------------------

// What Z3 and cvc5 agree on; Unknown otherwise.
Verdict agreed(ir::Context& ctx, const analysis::Obligation& o) {
    analysis::ProverOptions options;
    options.use_cheap = false;
    options.cross_check = true;
    options.rlimit = 300'000;
    options.cvc5_rlimit = 200'000;
    options.wall_limit_s = 5;
    const analysis::Answer a = analysis::Prover(ctx, options).prove(o);
    return a.by.find('+') == std::string::npos ? Verdict::Unknown : a.verdict;
}

// Files NAME-1.jsonl, NAME-2.jsonl, ...; gives the number of claims kept.
std::size_t write_claims(const fs::path& folder, const std::string& name,
                         const std::vector<Claim>& claims) {
    std::size_t kept = 0;
    std::size_t undecided = 0;
    int part = 1;
    std::string text;
    const auto flush = [&] {
        std::ofstream(folder / (name + "-" + std::to_string(part++) + ".jsonl")) << text;
        text.clear();
    };
    for (const Claim& claim : claims) {
        ir::Context ctx;
        json line = json::parse(claim.fields);
        const auto o = analysis::read_obligation(ctx, line);
        const Verdict verdict = o ? agreed(ctx, *o) : Verdict::Unknown;
        if (verdict == Verdict::Unknown) {
            ++undecided;
            continue;
        }
        line["id"] = name + "-" + std::to_string(++kept);
        line["origin"] = claim.origin;
        line["verdict"] = analysis::verdict_name(verdict);
        const std::string bytes = line.dump() + "\n";
        if (text.size() + bytes.size() > kLargestFile) flush();
        text += bytes;
    }
    if (!text.empty()) flush();
    std::printf("%-10s %5zu claims, %zu without an agreed verdict left out\n", name.c_str(), kept,
                undecided);
    return kept;
}

void make(const fs::path& folder) {
    for (const auto& entry : fs::directory_iterator(folder)) {
        if (entry.path().filename() != "hand.jsonl") fs::remove(entry.path());
    }
    std::vector<Claim> lowered;
    std::vector<Claim> fuzzed;
    for (Claim& c : harvest_claims(".", 1300)) {
        const bool is_fuzzed = c.origin.find("generated programs") != std::string::npos;
        (is_fuzzed ? fuzzed : lowered).push_back(std::move(c));
    }
    write_claims(folder, "lowered", lowered);
    write_claims(folder, "fuzzed", fuzzed);
    write_claims(folder, "generated", generate_claims(7, 700));
}

// --- measuring -----------------------------------------------------------------------------------

enum class Kind : std::uint8_t { Linear, Products, Other };

// Linear: integers and Booleans, products and divisions by constants only. Products: of unknowns,
// divisions by them. Other: floats, wrapping integers.
Kind kind_of(const analysis::Obligation& o) {
    Kind out = Kind::Linear;
    const auto look = [&](ir::Expr e) {
        if (!e->type.is_bool() && !e->type.is_exact_int()) out = Kind::Other;
        const bool is_product = e->op == ir::Op::Mul || e->op == ir::Op::Shl;
        const bool is_division = e->op == ir::Op::FloorDiv || e->op == ir::Op::FloorMod ||
                                 e->op == ir::Op::TruncDiv || e->op == ir::Op::TruncMod ||
                                 e->op == ir::Op::Shr;
        if (out != Kind::Linear || (!is_product && !is_division)) return;
        const bool by_constant =
            ir::is_int_const(e->arg(1)) || (e->op == ir::Op::Mul && ir::is_int_const(e->arg(0)));
        if (!by_constant) out = Kind::Products;
    };
    for (ir::Expr f : o.facts) ir::for_each_node(f, look);
    ir::for_each_node(o.goal, look);
    return out;
}

class Report {
  public:
    void take(ir::Context& ctx, const CorpusEntry& e) {
        ++count_;
        if (e.expected == Verdict::Proved) ++proved_;
        ladder(ctx, e);
        certificate(ctx, e);
    }

    json result() const {
        json by = json::object();
        for (const auto& [name, us] : by_) {
            by[name] = {{"count", us.size()},
                        {"median_us", quantile(us, 0.5)},
                        {"p95_us", quantile(us, 0.95)}};
        }
        json kinds = json::object();
        const char* names[] = {"linear", "products", "other"};
        for (int k = 0; k < 3; ++k) {
            kinds[names[k]] = {{"proved", kinds_[k].proved}, {"certified", kinds_[k].certified}};
        }
        return {{"obligations", count_},
                {"proved", proved_},
                {"by", by},
                {"closed_without_a_solver", closed_},
                {"median_us_without_a_solver", quantile(quick_us_, 0.5)},
                {"certificates",
                 {{"kinds", kinds},
                  {"accepted", accepted_},
                  {"rejected", rejected_},
                  {"median_us", quantile(certify_us_, 0.5)},
                  {"p95_us", quantile(certify_us_, 0.95)},
                  {"median_us_none", quantile(silent_us_, 0.5)},
                  {"p95_us_none", quantile(silent_us_, 0.95)},
                  {"check_median_us", quantile(check_us_, 0.5)},
                  {"median_bytes", quantile(bytes_, 0.5)},
                  {"most_bytes", quantile(bytes_, 1)}}},
                {"wrong", wrong_},
                {"open", open_}};
    }
    bool is_right() const { return wrong_.empty() && rejected_ == 0; }

  private:
    // Cheap methods, certificate, solvers: who closes it.
    void ladder(ir::Context& ctx, const CorpusEntry& e) {
        const auto start = Clock::now();
        if (const auto method = analysis::cheap::decide(ctx, e.obligation)) {
            closed(e, *method, microseconds_since(start));
            return;
        }
        const analysis::Certified c = analysis::certify(analysis::to_smt(ctx, e.obligation).text);
        if (c.certificate) {
            closed(e, "certificate", microseconds_since(start));
            return;
        }
        analysis::ProverOptions options;
        options.use_cheap = false;
        options.rlimit = 500'000;
        options.wall_limit_s = 5;
        const analysis::Answer a = analysis::Prover(ctx, options).prove(e.obligation);
        const std::string by = a.verdict == Verdict::Unknown ? "unknown" : a.by;
        by_[by + (a.verdict == Verdict::Refuted ? " (refuted)" : "")].push_back(
            microseconds_since(start));
        if (a.verdict != Verdict::Unknown && a.verdict != e.expected) wrong_.push_back(e.id);
        if (e.expected == Verdict::Proved) open_.push_back(e.id + ": " + c.why);
    }
    void closed(const CorpusEntry& e, const std::string& by, double us) {
        by_[by].push_back(us);
        quick_us_.push_back(us);
        ++closed_;
        if (e.expected != Verdict::Proved) wrong_.push_back(e.id);
    }

    void certificate(ir::Context& ctx, const CorpusEntry& e) {
        Coverage& coverage = kinds_[static_cast<int>(kind_of(e.obligation))];
        if (e.expected == Verdict::Proved) ++coverage.proved;
        const std::string text = analysis::to_smt(ctx, e.obligation).text;
        const auto start = Clock::now();
        const analysis::Certified c = analysis::certify(text);
        (c.certificate ? certify_us_ : silent_us_).push_back(microseconds_since(start));
        if (!c.certificate) return;
        const auto check = Clock::now();
        const auto verdict = certcheck::check_certificate(text, *c.certificate);
        check_us_.push_back(microseconds_since(check));
        bytes_.push_back(static_cast<double>(c.certificate->size()));
        ++(verdict.accepted ? accepted_ : rejected_);
        if (verdict.accepted && e.expected == Verdict::Proved) ++coverage.certified;
        if (verdict.accepted && e.expected != Verdict::Proved) wrong_.push_back(e.id);
    }

    struct Coverage {
        std::size_t proved = 0;
        std::size_t certified = 0;
    };
    std::size_t count_ = 0;
    std::size_t proved_ = 0;
    std::size_t closed_ = 0;
    std::size_t accepted_ = 0;
    std::size_t rejected_ = 0;
    Coverage kinds_[3];
    std::map<std::string, std::vector<double>> by_;
    std::vector<double> quick_us_;
    std::vector<double> certify_us_;
    std::vector<double> silent_us_;
    std::vector<double> check_us_;
    std::vector<double> bytes_;
    std::vector<std::string> wrong_;
    std::vector<std::string> open_;
};

double percent(const json& part, const json& whole) {
    return whole.get<double>() == 0 ? 0 : 100 * part.get<double>() / whole.get<double>();
}

void print(const json& r) {
    std::printf("%-24s %7s %8s %12s %12s\n", "closed by", "claims", "share", "median us", "p95 us");
    for (const auto& [name, row] : r["by"].items()) {
        std::printf("%-24s %7d %7.1f%% %12.1f %12.1f\n", name.c_str(), row["count"].get<int>(),
                    percent(row["count"], r["obligations"]), row["median_us"].get<double>(),
                    row["p95_us"].get<double>());
    }
    std::printf(
        "\n%d obligations, %d of them hold; %d (%.1f %% of those) closed without a solver, "
        "median %.1f us\n",
        r["obligations"].get<int>(), r["proved"].get<int>(),
        r["closed_without_a_solver"].get<int>(), percent(r["closed_without_a_solver"], r["proved"]),
        r["median_us_without_a_solver"].get<double>());
    const json& c = r["certificates"];
    for (const auto& [name, k] : c["kinds"].items()) {
        std::printf("certified, %-10s %5d of %5d (%.1f %%)\n", name.c_str(),
                    k["certified"].get<int>(), k["proved"].get<int>(),
                    percent(k["certified"], k["proved"]));
    }
    std::printf(
        "certificates: %d accepted, %d rejected; made in %.0f us (p95 %.0f; none: %.0f, p95 "
        "%.0f), checked in %.0f us, %.0f bytes, at most %.0f\n",
        c["accepted"].get<int>(), c["rejected"].get<int>(), c["median_us"].get<double>(),
        c["p95_us"].get<double>(), c["median_us_none"].get<double>(),
        c["p95_us_none"].get<double>(), c["check_median_us"].get<double>(),
        c["median_bytes"].get<double>(), c["most_bytes"].get<double>());
    for (const json& id : r["wrong"]) std::printf("WRONG: %s\n", id.get<std::string>().c_str());
    for (const json& id : r["open"]) std::printf("open: %s\n", id.get<std::string>().c_str());
}

}  // namespace

int corpus_command(const std::vector<std::string>& args) {
    fs::path folder = "tests/data/obligations";
    bool as_json = false;
    bool makes = false;
    for (const std::string& arg : args) {
        if (arg == "--json") {
            as_json = true;
        } else if (arg == "--make") {
            makes = true;
        } else if (arg.rfind("--folder=", 0) == 0) {
            folder = arg.substr(9);
        } else {
            std::fprintf(stderr,
                         "usage: proviso-bench corpus [--json] [--make] [--folder=FOLDER]\n");
            return 2;
        }
    }
    if (!fs::is_directory(folder)) {
        std::fprintf(stderr, "no folder %s: run this in the root of the repository\n",
                     folder.c_str());
        return 2;
    }
    if (makes) make(folder);
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(folder)) {
        if (entry.path().extension() == ".jsonl") files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
    Report report;
    for (const fs::path& file : files) {
        ir::Context ctx;
        const auto entries = analysis::read_corpus(ctx, file.string());
        if (!entries) {
            std::fprintf(stderr, "%s\n", entries.error().message.c_str());
            return 2;
        }
        for (const CorpusEntry& e : *entries) report.take(ctx, e);
    }
    if (as_json) {
        std::printf("%s\n", report.result().dump().c_str());
    } else {
        print(report.result());
    }
    return report.is_right() ? 0 : 1;
}

}  // namespace proviso::bench
