#include "bench/questions.h"

#include <algorithm>
#include <ctime>
#include <fstream>
#include <istream>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "analysis/facts/facts.h"
#include "analysis/facts/path.h"
#include "bench/scenarios.h"
#include "fuzz/gen/choice.h"
#include "ir/children.h"
#include "ir/text.h"
#include "rewrite/passes/passes.h"
#include "rewrite/schedule/reader/reader.h"
#include "rewrite/simplify/simplifier.h"

namespace proviso::bench {

using fuzz::Choice;
using ir::Expr;
using nlohmann::json;

namespace {

// --- generated

class IndexMaker {
  public:
    explicit IndexMaker(std::uint64_t seed) : c_(seed) {}

    // A scope of loops and some expressions in it.
    void scope(std::vector<json>& out, std::size_t most) {
        extents_.clear();
        json ranges = json::object();
        static const char* names[] = {"i", "j", "k", "l"};
        const auto loops = static_cast<std::size_t>(c_.between(2, 4));
        for (std::size_t v = 0; v < loops; ++v) {
            const std::int64_t extent = c_.pick({2, 3, 4, 4, 6, 7, 8, 8, 16, 27, 32, 64});
            extents_.emplace_back(names[v], extent);
            ranges[names[v]] = {0, extent};
        }
        for (int e = 0; e < 8 && out.size() < most; ++e) {
            out.push_back({{"ranges", ranges}, {"given", json::array()}, {"expr", expr()}});
        }
    }

  private:
    using Text = std::string;
    Text number(std::int64_t v) { return std::to_string(v); }
    Text var() { return c_.pick(extents_).first; }

    // The number that loops fused in order count: (i * 8 + j) * 4 + k.
    Text fused(std::int64_t& extent) {
        const std::size_t first = static_cast<std::size_t>(c_.next() % extents_.size());
        const std::size_t count = 1 + static_cast<std::size_t>(c_.next() % extents_.size());
        Text out = extents_[first].first;
        extent = extents_[first].second;
        for (std::size_t n = 1; n < count; ++n) {
            const auto& [name, size] = extents_[(first + n) % extents_.size()];
            if (extent * size > 100'000) break;
            out = (n > 1 ? "(" + out + ")" : out) + " * " + number(size) + " + " + name;
            extent *= size;
        }
        return out;
    }
    std::int64_t factor() { return c_.pick({2, 3, 4, 4, 5, 6, 7, 8, 16, 32}); }

    Text term() {
        std::int64_t extent = 1;
        Text f = fused(extent);
        const std::int64_t a = factor();
        const std::int64_t b = factor();
        switch (c_.between(0, 9)) {
            case 0: return f;
            case 1: return "(" + f + ") // " + number(a);
            case 2: return "(" + f + ") % " + number(a);
            case 3: return "(" + f + ") // " + number(a) + " % " + number(b);
            case 4:
                return "(" + f + ") // " + number(a) + " * " + number(a) + " + (" + f + ") % " +
                       number(a);
            case 5: return "(" + f + " + " + number(c_.between(1, 40)) + ") // " + number(a);
            case 6: return "T.min(" + f + ", " + number(c_.between(0, extent + 3)) + ")";
            case 7: return "T.max(" + f + " - " + number(a) + ", 0)";
            case 8: return "(" + f + " + " + var() + " * " + number(a * b) + ") % " + number(a);
            default: return var() + " * " + number(a);
        }
    }
    Text expr() {
        Text out = term();
        const auto more = c_.between(0, 2);
        for (std::int64_t i = 0; i < more; ++i) {
            out += (c_.chance(75) ? " + " : " - ") + term();
        }
        std::int64_t extent = 1;
        switch (c_.between(0, 5)) {
            case 0: return "(" + out + ") // " + number(factor());
            case 1: return "(" + out + ") % " + number(factor());
            case 2: {
                const Text f = fused(extent);
                return f + (c_.chance(50) ? " < " : " <= ") +
                       number(c_.between(extent / 2, extent + 2));
            }
            case 3: return out + " < " + term();
            default: return out;
        }
    }

    Choice c_;
    std::vector<std::pair<std::string, std::int64_t>> extents_;
};

// --- harvested

std::string read(const std::filesystem::path& path) {
    std::ifstream in(path);
    std::stringstream out;
    out << in.rdbuf();
    return out.str();
}

// Only int32 variables, literals and operators that index arithmetic has.
bool is_plain(Expr e) {
    bool plain = e->type == ir::kInt32 || e->type.is_bool();
    ir::for_each_node(e, [&](Expr n) {
        switch (n->op) {
            case ir::Op::Load:
            case ir::Op::Let:
            case ir::Op::CallExtern:
            case ir::Op::Math:
            case ir::Op::Undef:
            case ir::Op::Cast:
            case ir::Op::FloatImm: plain = false; break;
            default: plain = plain && (n->type == ir::kInt32 || n->type.is_bool());
        }
    });
    return plain;
}

class Harvest {
  public:
    explicit Harvest(bool distinct) : distinct_(distinct) {}

    void program(ir::Context& ctx, const ir::Function& f) {
        for (const auto& [site, stmt] : ir::all_statements(f)) {
            for (const ir::Child& c : ir::children(stmt)) {
                if (c.expr != nullptr) parts(ctx, f, site.child(c.label), c.expr);
            }
        }
    }
    std::vector<json> questions;

  private:
    // The largest plain parts: an index within a float product.
    void parts(ir::Context& ctx, const ir::Function& f, const ir::Site& site, Expr e) {
        if (e->args.empty()) return;
        if (!is_plain(e)) {
            for (std::size_t i = 0; i < e->args.size(); ++i) {
                parts(ctx, f, site.child("a" + std::to_string(i)), e->arg(i));
            }
            return;
        }
        json ranges = json::object();
        json given = json::array();
        for (Expr fact : analysis::facts_at(ctx, f, site)) {
            if (is_plain(fact) && !bound(fact, ranges)) given.push_back(ir::print(fact));
        }
        json out = {{"ranges", ranges}, {"given", given}, {"expr", ir::print(e)}};
        if (!distinct_ || seen_.insert(out.dump()).second) questions.push_back(std::move(out));
    }

    // c <= v and v < c.
    static bool bound(Expr fact, json& ranges) {
        const bool le = fact->op == ir::Op::Le && ir::is_int_const(fact->arg(0)) &&
                        fact->arg(1)->op == ir::Op::Var;
        const bool lt = fact->op == ir::Op::Lt && ir::is_int_const(fact->arg(1)) &&
                        fact->arg(0)->op == ir::Op::Var;
        if (!le && !lt) return false;
        json& r = ranges[*fact->arg(le ? 1 : 0)->name];
        if (r.is_null()) r = {INT32_MIN, INT32_MAX};
        const auto c = static_cast<std::int64_t>(fact->arg(le ? 0 : 1)->int_value());
        if (le) r[0] = std::max(r[0].get<std::int64_t>(), c);
        if (lt) r[1] = std::min(r[1].get<std::int64_t>(), c);
        return true;
    }

    bool distinct_;
    std::set<std::string> seen_;
};

void lower_and_harvest(Harvest& out, const std::string& program, const std::string& schedule,
                       const std::string& name) {
    ir::Context ctx;
    const auto f = ir::parse_function(ctx, program, name);
    if (!f) return;
    auto d = rewrite::Derivation::start(ctx, *f);
    if (!d) return;
    analysis::Prover prover(ctx, {});
    rewrite::Proposer proposer(*d, prover);
    const auto report = rewrite::run_schedule(proposer, schedule, name);
    if (report && !report->refusal) rewrite::lower(proposer);
    for (const rewrite::Step& s : d->steps()) out.program(ctx, s.before);
    out.program(ctx, d->current());
}

// --- measured

struct Line {
    Expr expr = nullptr;
    std::size_t scope = 0;
};

struct Batch {
    ir::Context ctx;
    std::vector<std::vector<Expr>> scopes;
    std::vector<Line> lines;
};

std::unique_ptr<Batch> read_batch(const std::vector<std::string>& texts) {
    auto out = std::make_unique<Batch>();
    std::string last;
    for (const std::string& text : texts) {
        const json line = json::parse(text);
        ir::Scope scope;
        const auto declare = [&](const std::string& words) {
            for (std::size_t i = 0; i < words.size();) {
                std::size_t end = i;
                while (end < words.size() &&
                       (std::isalnum(static_cast<unsigned char>(words[end])) != 0 ||
                        words[end] == '_')) {
                    ++end;
                }
                const std::string word = words.substr(i, end - i);
                const bool name =
                    !word.empty() && std::isdigit(static_cast<unsigned char>(word[0])) == 0;
                if (name) scope.vars[word] = out->ctx.var(word, ir::kInt32);
                i = std::max(end, i + 1);
            }
        };
        std::vector<Expr> facts;
        for (const auto& [name, r] : line["ranges"].items()) {
            declare(name);
            const auto lo = r[0].get<std::int64_t>();
            const auto hi = r[1].get<std::int64_t>();
            Expr v = scope.vars[name];
            if (lo > INT32_MIN) facts.push_back(out->ctx.le(out->ctx.i32(lo), v));
            if (hi < INT32_MAX) facts.push_back(out->ctx.lt(v, out->ctx.i32(hi)));
        }
        const auto expr = line["expr"].get<std::string>();
        declare(expr);
        for (const json& g : line["given"]) {
            declare(g.get<std::string>());
            if (const auto f = ir::parse_expr(out->ctx, g.get<std::string>(), scope, ir::kBool)) {
                facts.push_back(*f);
            }
        }
        const auto e = ir::parse_expr(out->ctx, expr, scope);
        const std::string here = line["ranges"].dump() + line["given"].dump();
        if (out->scopes.empty() || here != last) out->scopes.push_back(facts);
        last = here;
        out->lines.push_back({e ? *e : nullptr, out->scopes.size() - 1});
    }
    return out;
}

}  // namespace

std::vector<json> generated_questions(std::size_t count, std::uint64_t seed) {
    std::vector<json> out;
    std::set<std::string> seen;
    for (std::uint64_t i = 0; out.size() < count; ++i) {
        std::vector<json> more;
        IndexMaker(fuzz::mix(seed, i)).scope(more, count - out.size());
        for (json& q : more) {
            if (seen.insert(q["expr"].get<std::string>()).second) out.push_back(std::move(q));
        }
    }
    return out;
}

std::vector<json> harvested_questions(const std::filesystem::path& examples,
                                      const std::filesystem::path& schedules, bool distinct) {
    Harvest harvest(distinct);
    for (const char* name : {"scale", "row_sum", "conv1d"}) {
        lower_and_harvest(harvest, read(examples / (std::string(name) + ".py")),
                          read(examples / (std::string(name) + ".sch.py")), name);
    }
    for (const ScheduledProgram& p : scenarios_in(schedules)) {
        lower_and_harvest(harvest, p.program, p.schedule, p.name);
    }
    return std::move(harvest.questions);
}

json measure_questions(std::istream& in, std::ostream* out, int rounds) {
    std::vector<std::string> texts;
    for (std::string line; std::getline(in, line);) {
        if (!line.empty()) texts.push_back(line);
    }
    double fastest = 0;
    json answer = {{"count", texts.size()}};
    for (int round = 0; round < rounds; ++round) {
        const auto batch = read_batch(texts);
        analysis::Prover prover(batch->ctx, {});
        rewrite::RuleBook::standard().meet(ir::kInt32);
        rewrite::RuleBook::standard().meet(ir::kBool);
        rewrite::Simplifier simplifier(prover, rewrite::RuleBook::standard(), {200'000, false});
        std::vector<Expr> results(batch->lines.size());
        // As for the others that this is compared with, entering a scope is not what is measured.
        for (const std::vector<Expr>& facts : batch->scopes) {
            simplifier.simplify(batch->ctx.i32(0), facts);
        }
        // Processor time: what else runs on the machine is not compared.
        const std::clock_t start = std::clock();
        for (std::size_t i = 0; i < batch->lines.size(); ++i) {
            const Line& line = batch->lines[i];
            if (line.expr == nullptr) continue;
            results[i] = simplifier.simplify(line.expr, batch->scopes[line.scope]).result;
        }
        const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
        fastest = round == 0 ? seconds : std::min(fastest, seconds);
        if (round + 1 < rounds) continue;
        std::uint64_t before = 0;
        std::uint64_t after = 0;
        for (std::size_t i = 0; i < results.size(); ++i) {
            json one = json::object();
            if (results[i] != nullptr) {
                before += batch->lines[i].expr->size;
                after += results[i]->size;
                one = {{"result", ir::print(results[i])}, {"size", results[i]->size}};
            }
            if (out != nullptr) *out << one.dump() << "\n";
        }
        answer["nodes_before"] = before;
        answer["nodes_after"] = after;
        answer["prover_asked"] = simplifier.stats().prover_asked;
    }
    answer["seconds"] = fastest;
    return answer;
}

}  // namespace proviso::bench
