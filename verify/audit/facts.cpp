#include "verify/audit/facts.h"

#include <map>
#include <optional>

#include "analysis/prover/sample.h"
#include "analysis/smt/programs.h"
#include "verify/in_parallel.h"

namespace proviso::verify {

using namespace analysis;

const char* facts_name(Facts f) {
    switch (f) {
        case Facts::Satisfiable: return "satisfiable";
        case Facts::Contradictory: return "contradictory";
        case Facts::Unknown: return "unknown";
        case Facts::ByContradiction: return "by contradiction";
        case Facts::NotAsked: return "not asked";
    }
    return "?";
}

namespace {

struct Question {
    SmtText text;
    Facts answer = Facts::NotAsked;
};

Facts ask(const Question& question, const DischargeOptions& options) {
    if (!question.text.supported) return Facts::Unknown;
    const auto by = [&](smt::Program solver, std::uint64_t units) {
        return smt::ask_program(solver, question.text.text, units, options.wall_limit_s,
                                options.memory_mib)
            .verdict;
    };
    Verdict answer = by(smt::Program::Z3, options.rlimit / 10);
    if (answer == Verdict::Unknown && options.use_cvc5) {
        answer = by(smt::Program::Cvc5, options.cvc5_rlimit);
    }
    switch (answer) {
        case Verdict::Refuted: return Facts::Satisfiable;
        case Verdict::Proved: return Facts::Contradictory;
        case Verdict::Unknown: return Facts::Unknown;
    }
    return Facts::Unknown;
}

}  // namespace

std::vector<Facts> facts_of(ir::Context& ctx, const std::vector<Obligation>& obligations,
                            const DischargeOptions& options,
                            const std::vector<ObligationCheck>& checks) {
    std::vector<Facts> out(checks.size(), Facts::NotAsked);
    std::map<std::string, std::size_t> known;  // text -> question
    std::vector<Question> questions;
    std::vector<std::optional<std::size_t>> of(checks.size());
    const bool asks = options.check_facts && (options.use_z3 || options.use_cvc5);
    for (std::size_t k = 0; k < checks.size(); ++k) {
        const Obligation& o = obligations[checks[k].first];
        if (ir::is_false(o.goal)) {
            out[k] = Facts::ByContradiction;
        } else if (o.facts.empty()) {
            out[k] = Facts::Satisfiable;
        } else if (asks && checks[k].verdict() == Verdict::Proved) {
            const Obligation claim{{}, o.facts, ctx.false_(), o.unbounded};
            SmtText text = to_smt(ctx, claim);
            const auto [at, is_new] = known.emplace(text.text, questions.size());
            of[k] = at->second;
            if (!is_new) continue;
            const bool seen = sampled_counterexample(ctx, claim).has_value();
            questions.push_back({std::move(text), seen ? Facts::Satisfiable : Facts::NotAsked});
        }
    }
    in_parallel(threads_for(options.jobs), questions.size(), [&](std::size_t k) {
        Question& q = questions[k];
        if (q.answer == Facts::NotAsked) q.answer = ask(q, options);
    });
    for (std::size_t k = 0; k < checks.size(); ++k) {
        if (of[k]) out[k] = questions[*of[k]].answer;
    }
    return out;
}

}  // namespace proviso::verify
