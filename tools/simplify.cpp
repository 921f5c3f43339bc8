// proviso simplify: the simplifier proposes, the obligations of `replace` decide.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "analysis/facts/formula.h"
#include "ir/children.h"
#include "rewrite/rules/common.h"
#include "rewrite/rules/licences.h"
#include "rewrite/simplify/explain.h"
#include "rewrite/simplify/licensed.h"
#include "rewrite/simplify/simplifier.h"
#include "tools/batch.h"
#include "tools/commands.h"
#include "tools/library/answers.h"
#include "tools/support/support.h"

namespace proviso::tools {

using nlohmann::json;

namespace {

struct Simplification {
    rewrite::Simplified found;
    std::vector<std::vector<rewrite::Why>> why;  // of each link of the chain, where asked for
    std::vector<std::string> licences;           // that were used
    bool calls = false;                          // left as it is, for the calls in it
    analysis::Verdict verdict = analysis::Verdict::Proved;
    std::string unknown;  // why, where the verdict is
    std::int64_t ns = 0;
};

analysis::ProverOptions prover_options(const SimplifyOptions& o) {
    analysis::ProverOptions out;
    out.cache_dir = cache_folder(o.cache);
    out.wall_limit_s = o.solver_seconds;
    out.memory_mib = o.solver_memory;
    out.effort = o.solver_effort;
    return out;
}

class Session {
  public:
    Session(ir::Context& ctx, const Question& q, const SimplifyOptions& o)
        : ctx_(ctx),
          q_(q),
          prover_(ctx, prover_options(o)),
          simplifier_(prover_, rewrite::RuleBook::standard(), simplifier_options(o)),
          explain_(o.explain) {}

    Simplification run() {
        const auto start = std::chrono::steady_clock::now();
        out_.found = simplifier_.simplify(q_.expr, q_.given);
        out_.ns = std::chrono::duration_cast<std::chrono::nanoseconds>(
                      std::chrono::steady_clock::now() - start)
                      .count();
        owe(q_.given, q_.expr, out_.found.result, false);
        if (calls_of(out_.found.result) != calls_of(q_.expr)) {
            out_ = Simplification{};
            out_.found.result = q_.expr;
            out_.calls = true;
            return std::move(out_);
        }
        const std::vector<std::string> granted = q_.function.licences();
        if (!granted.empty() && !out_.found.contradictory) use(granted);
        for (const rewrite::RuleApplication& step : out_.found.chain) {
            out_.why.push_back(rewrite::explain(prover_, step));
        }
        return std::move(out_);
    }

  private:
    // The opaque calls in it. A step neither drops nor adds one.
    static std::vector<ir::Expr> calls_of(ir::Expr e) {
        std::vector<ir::Expr> out;
        ir::for_each_node(e, [&](ir::Expr n) {
            if (n->op == ir::Op::CallExtern) out.push_back(n);
        });
        std::sort(out.begin(), out.end(), [](ir::Expr a, ir::Expr b) { return a->id < b->id; });
        return out;
    }

    static rewrite::SimplifyOptions simplifier_options(const SimplifyOptions& o) {
        rewrite::SimplifyOptions out;
        out.keep_chain = o.explain;
        return out;
    }

    // The obligations of replacing one by the other: for each sign of a symbolic divisor on its
    // own, or else at once.
    analysis::Verdict verdict_of(const std::vector<ir::Expr>& facts, ir::Expr before,
                                 ir::Expr after, bool either_zero) {
        if (before == after) return analysis::Verdict::Proved;
        ir::Expr divisor = symbolic_divisor(before);
        if (divisor == nullptr) return verdict_at_once(facts, before, after, either_zero);
        ir::Expr zero = ctx_.int_imm(divisor->type, 0);
        for (ir::Expr sign :
             {ctx_.lt(zero, divisor), ctx_.lt(divisor, zero), ctx_.eq(divisor, zero)}) {
            std::vector<ir::Expr> known = facts;
            known.push_back(sign);
            if (verdict_at_once(known, before, after, either_zero) != analysis::Verdict::Proved) {
                return verdict_at_once(facts, before, after, either_zero);
            }
        }
        return analysis::Verdict::Proved;
    }

    // A divisor that is no literal, the first met; null where there is none.
    static ir::Expr symbolic_divisor(ir::Expr e) {
        ir::Expr out = nullptr;
        ir::for_each_node(e, [&](ir::Expr n) {
            const bool divides = n->op == ir::Op::FloorDiv || n->op == ir::Op::FloorMod ||
                                 n->op == ir::Op::TruncDiv || n->op == ir::Op::TruncMod;
            if (out == nullptr && divides && n->type.is_exact_int() && !ir::is_const(n->arg(1))) {
                out = n->arg(1);
            }
        });
        return out;
    }

    analysis::Verdict verdict_at_once(const std::vector<ir::Expr>& facts, ir::Expr before,
                                      ir::Expr after, bool either_zero) {
        for (const analysis::Obligation& o : rewrite::replacement_obligations(
                 ctx_, q_.function, facts, before, after, either_zero)) {
            const analysis::Answer a = prover_.prove(o);
            if (a.verdict != analysis::Verdict::Proved) {
                why_ = why_unknown(a.why);
                return a.verdict;
            }
        }
        return analysis::Verdict::Proved;
    }

    bool proved_cheaply(const std::vector<ir::Expr>& facts, ir::Expr before, ir::Expr after,
                        bool either_zero) {
        const auto owed =
            rewrite::replacement_obligations(ctx_, q_.function, facts, before, after, either_zero);
        return std::all_of(owed.begin(), owed.end(), [&](const analysis::Obligation& o) {
            return prover_.proves_cheaply(o.facts, o.goal);
        });
    }

    // The expression after those links of the simplifier's chain that are proved on their own, from
    // the same facts: each is right wherever its left side stands. A large expression is proved so
    // in small pieces.
    ir::Expr by_links(const std::vector<ir::Expr>& facts, ir::Expr e) {
        constexpr std::uint64_t most_nodes = 20'000'000;  // looked at together
        if (ir::has_op(e, ir::Op::Let)) return e;  // what a side names may be bound elsewhere
        rewrite::SimplifyOptions options;
        options.keep_chain = true;
        rewrite::Simplifier again(prover_, rewrite::RuleBook::standard(), options);
        std::uint64_t nodes = 0;
        for (const rewrite::RuleApplication& link : again.simplify(e, facts).chain) {
            nodes += e->size + link.before->size;
            if (nodes > most_nodes) break;
            if (!proved_cheaply(facts, link.before, link.after, false)) continue;
            e = ir::rewrite_expr(ctx_, e,
                                 [&](ir::Expr n) { return n == link.before ? link.after : n; });
        }
        return e;
    }

    void owe(const std::vector<ir::Expr>& facts, ir::Expr before, ir::Expr after,
             bool either_zero) {
        if (before == after || proved_cheaply(facts, before, after, either_zero)) return;
        const analysis::Verdict v = verdict_of(facts, by_links(facts, before), after, either_zero);
        if (v == analysis::Verdict::Proved) return;
        out_.verdict = v;
        out_.unknown = v == analysis::Verdict::Unknown ? why_ : "";
    }

    void use(const std::vector<std::string>& granted) {
        rewrite::LicensedSearch search;
        search.granted = granted;
        // One change at a time, each smaller by the rules' measure; the limit is a safeguard.
        for (int n = 0; n < 100 && out_.verdict == analysis::Verdict::Proved; ++n) {
            const ir::Expr e = out_.found.result;
            const rewrite::Granted finite = rewrite::finite_loads(ctx_, q_.function, {e});
            std::vector<ir::Expr> facts = q_.given;
            facts.insert(facts.end(), finite.facts.begin(), finite.facts.end());
            if (!finite.facts.empty() && next(facts, e, finite.licences)) continue;
            bool by_finite = false;
            search.holds = [&](const std::vector<std::size_t>&, ir::Expr claim) {
                const auto proves = [&](const std::vector<ir::Expr>& known) {
                    return prover_.prove(known, claim).verdict == analysis::Verdict::Proved;
                };
                if (proves(q_.given)) return true;
                by_finite = !finite.facts.empty() && proves(facts);
                return by_finite;
            };
            search.take = [&](const rewrite::LicensedChange& c) {
                const ir::Expr was = c.sum != nullptr ? c.sum : c.before;
                const bool zeros = std::find(c.licences.begin(), c.licences.end(),
                                             "no_signed_zero") != c.licences.end();
                return verdict_of(by_finite ? facts : q_.given, was, c.after, zeros) ==
                       analysis::Verdict::Proved;
            };
            const auto change =
                rewrite::find_licensed(ctx_, rewrite::RuleBook::standard(), e, search);
            if (!change) return;
            used(change->licences);
            if (by_finite) used(finite.licences);
            if (explain_) {
                out_.found.chain.push_back({change->rule, change->before, change->after,
                                            change->bindings, change->conditions, facts});
            }
            out_.found.result = rewrite::with_change(ctx_, e, *change);
            next(q_.given, out_.found.result, {});
        }
    }

    // Simplifies further; false when nothing changes.
    bool next(const std::vector<ir::Expr>& facts, ir::Expr e,
              const std::vector<std::string>& licences) {
        const rewrite::Simplified more = simplifier_.simplify(e, facts);
        if (more.result == e) return false;
        owe(facts, e, more.result, false);
        used(licences);
        out_.found.result = more.result;
        out_.found.chain.insert(out_.found.chain.end(), more.chain.begin(), more.chain.end());
        return true;
    }

    void used(const std::vector<std::string>& licences) {
        for (const std::string& licence : licences) {
            auto& all = out_.licences;
            if (std::find(all.begin(), all.end(), licence) == all.end()) all.push_back(licence);
        }
    }

    ir::Context& ctx_;
    const Question& q_;
    analysis::Prover prover_;
    rewrite::Simplifier simplifier_;
    bool explain_;
    std::string why_;  // the last answer that was not PROVED
    Simplification out_;
};

// Whether facts contradict each other, by their text: of a batch, most lines have the same.
using FactSets = std::map<std::string, bool>;

std::string text_of_facts(const Question& q) {
    std::string out;
    std::set<std::string> declared;
    for (ir::Expr fact : q.given) {
        out += ir::print(fact) + "\n";
        ir::for_each_node(fact, [&](ir::Expr e) {
            if (e->op == ir::Op::Var) declared.insert(*e->name + ":" + e->type.str());
            if (e->op == ir::Op::Load) declared.insert(e->buffer->name + ":" + e->type.str());
        });
    }
    for (const std::string& name : declared) out += name + " ";
    return out;
}

// As `prove` decides it: facts that nothing satisfies prove anything, and so each result.
// Remembered in `known`.
bool contradictory(ir::Context& ctx, const Question& q, const SimplifyOptions& o, FactSets& known) {
    if (q.given.empty()) return false;
    constexpr std::size_t most = 1000;
    const std::string text = text_of_facts(q);
    if (const auto found = known.find(text); found != known.end()) return found->second;
    analysis::Prover prover(ctx, prover_options(o));
    const bool out = prover.prove(q.given, ctx.false_()).verdict == analysis::Verdict::Proved;
    if (known.size() >= most) known.clear();
    known.emplace(text, out);
    return out;
}

Result<Simplification> simplify(ir::Context& ctx, Question q, const SimplifyOptions& o,
                                FactSets& known) {
    if (!o.licences.empty()) {
        ir::AttrValue::List list;
        for (const std::string& licence : o.licences) list.push_back(ir::AttrValue{licence});
        q.function.attrs[ir::kLicencesAttr] = ir::AttrValue{std::move(list)};
        for (const std::string& licence : o.licences) {
            const std::size_t open = licence.find('(');
            const bool finite = licence.rfind("finite(", 0) == 0 && licence.back() == ')' &&
                                q.function.find_buffer_param(
                                    licence.substr(open + 1, licence.size() - open - 2)) != nullptr;
            if (finite || licence == "no_signed_zero" || licence == "reassociate") continue;
            return error(
                "no licence '" + licence + "'",
                "no_signed_zero, reassociate, or finite(A) of a buffer --var A:float32[8]");
        }
    }
    const bool useless = contradictory(ctx, q, o, known);
    if (useless) q.given.clear();
    Simplification out = Session(ctx, q, o).run();
    out.found.contradictory |= useless;
    return out;
}

int exit_code(analysis::Verdict v) {
    if (v == analysis::Verdict::Proved) return kFine;
    return v == analysis::Verdict::Refuted ? kRefuted : kUnknown;
}

// Divisions by 0 and shifts by what no width has: no rule touches them.
std::vector<ir::Expr> always_faulting(ir::Expr root) {
    std::vector<ir::Expr> out;
    ir::for_each_node(root, [&](ir::Expr e) {
        if (e->args.size() != 2 || !e->type.is_int() || e->arg(1)->op != ir::Op::IntImm) return;
        const ir::Int128 by = e->arg(1)->int_value();
        switch (e->op) {
            case ir::Op::FloorDiv:
            case ir::Op::FloorMod:
            case ir::Op::TruncDiv:
            case ir::Op::TruncMod:
                if (by == 0) out.push_back(e);
                return;
            case ir::Op::Shl:
            case ir::Op::Shr:
                if (by < 0 || by >= e->type.bits) out.push_back(e);
                return;
            default: return;
        }
    });
    return out;
}

json texts(const std::vector<ir::Expr>& exprs) {
    json out = json::array();
    for (ir::Expr e : exprs) out.push_back(ir::print(e));
    return out;
}

json to_json(const Simplification& s) {
    json out = {{"result", ir::print(s.found.result)},
                {"size", s.found.result->size},
                {"verdict", analysis::verdict_name(s.verdict)},
                {"ns", s.ns}};
    if (!s.unknown.empty()) out["why"] = s.unknown;
    if (!s.found.fixpoint) out["limit"] = true;
    if (s.found.contradictory) out["contradictory"] = true;
    if (!s.licences.empty()) out["licences"] = s.licences;
    if (s.calls) out["calls"] = true;
    const std::vector<ir::Expr> faults = always_faulting(s.found.result);
    if (!faults.empty()) out["faults"] = texts(faults);
    return out;
}

json chain_json(const Simplification& s) {
    json out = json::array();
    for (std::size_t i = 0; i < s.found.chain.size(); ++i) {
        const rewrite::RuleApplication& a = s.found.chain[i];
        json bindings = json::object();
        for (const auto& [name, value] : a.bindings) bindings[name] = ir::print(value);
        json why = json::array();
        for (const rewrite::Why& w : s.why[i]) {
            why.push_back(
                {{"condition", ir::print(w.condition)}, {"by", w.by}, {"facts", texts(w.facts)}});
        }
        out.push_back({{"rule", a.rule},
                       {"before", ir::print(a.before)},
                       {"after", ir::print(a.after)},
                       {"bindings", bindings},
                       {"conditions", why}});
    }
    return out;
}

Result<int> answer(ir::Context& ctx, const Question& q, const SimplifyOptions& o, FactSets& known,
                   json& out) {
    const Result<Simplification> s = simplify(ctx, q, o, known);
    if (!s) return s.error();
    out.update(to_json(*s));
    if (o.explain) out["chain"] = chain_json(*s);
    return exit_code(s->verdict);
}

void print_chain(const Simplification& s) {
    for (std::size_t i = 0; i < s.found.chain.size(); ++i) {
        const rewrite::RuleApplication& a = s.found.chain[i];
        std::printf("  %s: %s  ->  %s\n", a.rule.c_str(), ir::print(a.before).c_str(),
                    ir::print(a.after).c_str());
        std::string bindings;
        for (const auto& [name, value] : a.bindings) {
            bindings += (bindings.empty() ? "" : ", ") + name + " = " + ir::print(value);
        }
        if (!bindings.empty()) std::printf("    with %s\n", bindings.c_str());
        for (const rewrite::Why& w : s.why[i]) {
            std::string facts;
            for (ir::Expr f : w.facts) facts += (facts.empty() ? " from " : ", ") + ir::print(f);
            std::printf("    %s  (%s)%s\n", ir::print(w.condition).c_str(),
                        w.by.empty() ? "not by the prover alone" : w.by.c_str(), facts.c_str());
        }
    }
    std::printf("  %s\n", analysis::verdict_name(s.verdict));
}

}  // namespace

Result<json> simplify_answer(const json& line, const SimplifyOptions& o) {
    ir::Context ctx;
    const Result<Question> q = read_question(ctx, line, "expr");
    if (!q) return q.error();
    FactSets known;
    json out = json::object();
    const Result<int> code = answer(ctx, *q, o, known, out);
    if (!code) return code.error();
    out["exit_code"] = *code;
    return out;
}

int run_simplify(const SimplifyOptions& o) {
    if (!o.batch.empty()) {
        FactSets known;
        return run_batch(o.batch, "expr", [&](ir::Context& ctx, const Question& q, json& out) {
            return answer(ctx, q, o, known, out);
        });
    }
    if (o.expr.empty()) {
        return bad_input(
            error("nothing to simplify", "proviso simplify '(x * 8 + 3) // 4' or --batch FILE"),
            o.json);
    }
    ir::Context ctx;
    const Result<Question> q = read_question(ctx, o.vars, o.given, o.expr, false);
    if (!q) return bad_input(q.error(), o.json);
    FactSets known;
    const Result<Simplification> done = simplify(ctx, *q, o, known);
    if (!done) return bad_input(done.error(), o.json);
    const Simplification& s = *done;
    if (o.json) {
        json out = to_json(s);
        if (o.explain) out["chain"] = chain_json(s);
        print_json(out);
        return exit_code(s.verdict);
    }
    std::printf("%s\n", ir::print(s.found.result).c_str());
    if (o.explain) print_chain(s);
    if (s.found.contradictory) {
        std::fprintf(stderr, "the facts contradict each other: they were not used\n");
    }
    if (s.calls) {
        std::fprintf(stderr, "left as it is: an opaque call is neither dropped nor added\n");
    }
    for (ir::Expr e : always_faulting(s.found.result)) {
        std::fprintf(stderr, "%s is a fault wherever it is computed: left as it is\n",
                     ir::print(e).c_str());
    }
    if (!s.licences.empty()) {
        std::string all;
        for (const std::string& licence : s.licences) all += (all.empty() ? "" : ", ") + licence;
        std::fprintf(stderr, "under the licences: %s\n", all.c_str());
    }
    if (!s.found.fixpoint) std::fprintf(stderr, "a limit cut the simplification short\n");
    if (s.verdict != analysis::Verdict::Proved) {
        const std::string why = s.unknown.empty() ? "" : " (" + s.unknown + ")";
        std::fprintf(stderr, "%s%s: the result is not proved equal\n",
                     analysis::verdict_name(s.verdict), why.c_str());
    }
    return exit_code(s.verdict);
}

}  // namespace proviso::tools
