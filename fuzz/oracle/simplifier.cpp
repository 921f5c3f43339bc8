#include "fuzz/oracle/simplifier.h"

#include <fmt/format.h>

#include <algorithm>

#include "ir/children.h"
#include "ir/text.h"
#include "rewrite/simplify/simplifier.h"

namespace proviso::fuzz {

using namespace ir;

namespace {

constexpr int kSamples = 16;

struct Broken {
    std::string kind;
    std::string detail;
};

class Check {
  public:
    Check(Context& ctx, const rewrite::RuleBook& book, std::uint64_t seed)
        : ctx_(ctx), book_(book), seed_(seed) {}

    std::optional<Broken> run(const Question& q, SimplifierCounts& counts) const {
        analysis::Prover prover(ctx_, {});
        rewrite::Simplifier simplifier(prover, book_, {20'000, false});
        const rewrite::Simplified s = simplifier.simplify(q.expr, q.facts);
        ++counts.expressions;
        counts.changed += s.result != q.expr ? 1 : 0;
        counts.smaller += s.result->size < q.expr->size ? 1 : 0;
        counts.with_facts += q.facts.empty() ? 0 : 1;
        counts.nodes_before += q.expr->size;
        counts.nodes_after += s.result->size;
        if (!s.fixpoint) return Broken{"limit", print(s.result)};
        if (s.result->size > q.expr->size) return Broken{"size", print(s.result)};
        if (auto wrong = values(q, s.result, counts)) return wrong;
        rewrite::Simplifier again(prover, book_, {20'000, false});
        Expr twice = again.simplify(s.result, q.facts).result;
        if (twice != s.result) {
            return Broken{"idempotent", print(s.result) + ", and then " + print(twice)};
        }
        return std::nullopt;
    }

  private:
    std::optional<Broken> values(const Question& q, Expr result, SimplifierCounts& counts) const {
        if (result == q.expr) return std::nullopt;
        Sampler sampler(q, seed_);
        if (q.small) {
            ++counts.exhausted;
            sampler.next();
            const Int128 lo = q.kind.min_value();
            for (Int128 v = lo; v <= q.kind.max_value(); ++v) {
                if (auto wrong = compare(q, result, sampler.with(v), sampler, counts)) {
                    return wrong;
                }
            }
        }
        for (int i = 0; i < kSamples; ++i) {
            if (auto wrong = compare(q, result, sampler.next(), sampler, counts)) return wrong;
        }
        return std::nullopt;
    }

    static std::optional<Broken> compare(const Question& q, Expr result, const Environment& env,
                                         const Sampler& sampler, SimplifierCounts& counts) {
        for (Expr f : q.facts) {
            const Evaluation held = evaluate(f, env);
            if (!held.ok() || held.value.is_indet() || !held.value.truth()) return std::nullopt;
        }
        const Evaluation before = evaluate(q.expr, env);
        if (!before.ok()) {
            ++counts.faults;
            return std::nullopt;
        }
        ++counts.samples;
        const Evaluation after = evaluate(result, env);
        if (!after.ok()) {
            return Broken{"fault", fmt::format("{} faults ({}) where {}", print(result),
                                               after.fault->str(), sampler.str())};
        }
        if (before.value.is_indet() || after.value == before.value) return std::nullopt;
        return Broken{"value", fmt::format("{} is {}, not {}, where {}", print(result),
                                           after.value.str(result->type),
                                           before.value.str(q.expr->type), sampler.str())};
    }

    Context& ctx_;
    const rewrite::RuleBook& book_;
    std::uint64_t seed_;
};

// The expression with one node replaced by an argument of its type, or by a leaf.
std::vector<Expr> smaller_expressions(Context& ctx, Expr e) {
    std::vector<Expr> out;
    std::vector<Expr> nodes;
    for_each_node(e, [&](Expr n) { nodes.push_back(n); });
    for (auto at = nodes.rbegin(); at != nodes.rend(); ++at) {
        Expr n = *at;
        if (n->args.empty()) continue;
        std::vector<Expr> to;
        for (Expr a : n->args) {
            if (a->type == n->type) to.push_back(a);
        }
        if (n->type.is_int()) to.push_back(ctx.int_imm(n->type, 1));
        for (Expr t : to) {
            Expr smaller = rewrite_expr(ctx, e, [&](Expr x) { return x == n ? t : x; });
            if (smaller != e && smaller->size < e->size) out.push_back(smaller);
        }
    }
    return out;
}

Question shrunk(Context& ctx, const Check& check, Question q, const std::string& kind) {
    SimplifierCounts ignored;
    int budget = 600;
    const auto still = [&](const Question& smaller) {
        for (Expr v : free_vars(smaller.expr)) {  // names of lets that are gone
            if (std::find(smaller.vars.begin(), smaller.vars.end(), v) == smaller.vars.end()) {
                return false;
            }
        }
        const auto broken = check.run(smaller, ignored);
        return broken && broken->kind == kind;
    };
    for (bool again = true; again && budget > 0;) {
        again = false;
        for (std::size_t i = 0; i < q.facts.size() && !again; ++i) {
            Question fewer = q;
            fewer.facts.erase(fewer.facts.begin() + static_cast<std::ptrdiff_t>(i));
            if (--budget > 0 && still(fewer)) {
                q = fewer;
                again = true;
            }
        }
        for (Expr e : smaller_expressions(ctx, q.expr)) {
            Question smaller = q;
            smaller.expr = e;
            if (--budget <= 0) break;
            if (!still(smaller)) continue;
            q = smaller;
            again = true;
            break;
        }
    }
    return q;
}

}  // namespace

void SimplifierCounts::add(const SimplifierCounts& o) {
    expressions += o.expressions;
    changed += o.changed;
    smaller += o.smaller;
    with_facts += o.with_facts;
    exhausted += o.exhausted;
    samples += o.samples;
    faults += o.faults;
    nodes_before += o.nodes_before;
    nodes_after += o.nodes_after;
}

std::optional<SimplifierFinding> check_simplifier(Context& ctx, const Question& question,
                                                  std::uint64_t seed, SimplifierCounts& counts,
                                                  bool shrink, const rewrite::RuleBook& book) {
    const Check check(ctx, book, seed);
    const auto broken = check.run(question, counts);
    if (!broken) return std::nullopt;
    const Question q = shrink ? shrunk(ctx, check, question, broken->kind) : question;
    SimplifierCounts ignored;
    const auto last = check.run(q, ignored);
    std::string facts;
    for (Expr f : q.facts) facts += (facts.empty() ? "" : ", ") + print(f);
    const std::string detail =
        fmt::format("{} under [{}]: {}", print(q.expr), facts, (last ? last : broken)->detail);
    return SimplifierFinding{broken->kind, detail, q};
}

}  // namespace proviso::fuzz
