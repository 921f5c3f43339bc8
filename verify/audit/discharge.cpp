#include "verify/audit/discharge.h"

#include <algorithm>
#include <atomic>
#include <map>
#include <optional>
#include <thread>

#include "analysis/certcheck/check.h"
#include "analysis/prover/sample.h"
#include "analysis/smt/bit_vectors.h"
#include "analysis/smt/encoder.h"
#include "analysis/smt/solvers.h"
#include "analysis/smt/values.h"
#include "ir/deep_stack.h"
#include "verify/log/format.h"

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

bool ObligationCheck::disagree() const {
    const auto is = [this](Verdict v) { return z3.verdict == v || cvc5.verdict == v; };
    return (certificate.accepted || is(Verdict::Proved)) && is(Verdict::Refuted);
}

Verdict ObligationCheck::verdict() const {
    if (disagree()) return Verdict::Unknown;
    if (grade() > 0) return Verdict::Proved;
    const bool refuted = z3.verdict == Verdict::Refuted || cvc5.verdict == Verdict::Refuted;
    return refuted ? Verdict::Refuted : Verdict::Unknown;
}

int ObligationCheck::grade() const {
    if (disagree()) return 0;
    if (certificate.accepted) return 3;
    return (z3.verdict == Verdict::Proved ? 1 : 0) + (cvc5.verdict == Verdict::Proved ? 1 : 0);
}

namespace {

// Texts of one obligation, made before the threads start: a Context is not for several threads.
struct Task {
    SmtText plain;
    const std::string* certificate = nullptr;
    SmtText linear;  // divisions by constants written out, products opaque: may only prove
    bool nonlinear = false;
    // Floats as integers, sums and products of them opaque; only where there are some.
    SmtText codes;
    bool computes_floats = false;
    SmtText bits;  // as bit-vectors, where bits of exact integers occur: may only prove
    std::optional<std::size_t> facts;  // which question it is whether the facts can hold
};

// Whether facts contradict each other: not where a few small values make them true, and solvers are
// asked where none do. Once, however many obligations have them.
struct FactsQuestion {
    SmtText text;
    bool needed = false;
    Facts answer = Facts::NotAsked;
};

struct Asker {
    const DischargeOptions& options;

    // Whether values are told where a solver refutes; they cost more questions.
    enum class Values : std::uint8_t { No, Yes };

    // A text with a hole where something has no encoding says nothing of the obligation.
    template <class Run>
    static SolverAnswer answer_of(const SmtText& text, Values values, const Run& run) {
        if (!text.supported) return {true, Verdict::Unknown, "unsupported: " + text.why};
        smt::ModelQuery query;
        for (const auto& [symbol, variable] : text.variables) {
            query.wanted.push_back({symbol, smt::sort_of(variable->type)});
            if (variable->type.is_exact_int()) query.integers.push_back(symbol);
        }
        const smt::Reply reply = run(text.text, values == Values::Yes ? &query : nullptr);
        SolverAnswer out{true, reply.verdict, reply.why};
        for (std::size_t i = 0; i < reply.values.size() && i < text.variables.size(); ++i) {
            out.why += (i == 0 ? "" : ", ") + *text.variables[i].second->name + " = ";
            out.why += reply.values[i];
        }
        return out;
    }

    SolverAnswer ask_z3(const SmtText& text, std::uint64_t rlimit,
                        Values values = Values::No) const {
        return answer_of(text, values, [&](const std::string& smt, const smt::ModelQuery* query) {
            return smt::kZ3Program.run(smt, rlimit, query, options.wall_limit_s,
                                       options.memory_mib);
        });
    }

    SolverAnswer ask_cvc5(const SmtText& text, std::uint64_t rlimit,
                          Values values = Values::No) const {
        return answer_of(text, values, [&](const std::string& smt, const smt::ModelQuery* query) {
            return smt::run_cvc5(smt, rlimit, options.wall_limit_s, query);
        });
    }

    static bool proved(const SolverAnswer& answer) { return answer.verdict == Verdict::Proved; }

    // Nonlinear arithmetic can use time far beyond its resource units, so it gets less of them.
    SolverAnswer z3(const Task& task) const {
        const std::uint64_t units = options.rlimit;
        if (task.computes_floats) {
            const SolverAnswer first = ask_z3(task.codes, units / 40);
            if (proved(first)) return first;
        }
        if (!task.bits.text.empty()) {
            const SolverAnswer first = ask_z3(task.bits, units / 4);
            if (proved(first)) return first;
        }
        const bool costly = task.nonlinear || smt::mixes_bit_vectors(task.plain.text);
        SolverAnswer answer = ask_z3(task.plain, units / (costly ? 40 : 10), Values::Yes);
        if (answer.verdict == Verdict::Unknown && task.linear.text != task.plain.text) {
            const SolverAnswer again = ask_z3(task.linear, units);
            if (proved(again)) answer = again;
        }
        if (answer.verdict == Verdict::Unknown && !smt::was_stopped(answer.why)) {
            answer = ask_z3(task.plain, units / (costly ? 10 : 1), Values::Yes);
        }
        return answer;
    }

    SolverAnswer cvc5(const Task& task) const {
        const std::uint64_t units = options.cvc5_rlimit;
        if (task.computes_floats) {
            const SolverAnswer first = ask_cvc5(task.codes, units / 10);
            if (proved(first)) return first;
        }
        if (!task.bits.text.empty()) {
            const SolverAnswer first = ask_cvc5(task.bits, units / 2);
            if (proved(first)) return first;
        }
        // Bit-vectors made of integers are beyond it: the form without them comes first.
        const bool mixed = smt::mixes_bit_vectors(task.plain.text);
        if (mixed) {
            const SolverAnswer first = ask_cvc5(task.linear, units);
            if (proved(first)) return first;
        }
        SolverAnswer answer = ask_cvc5(task.plain, units / (mixed ? 8 : 1), Values::Yes);
        if (answer.verdict == Verdict::Unknown && task.linear.text != task.plain.text) {
            const SolverAnswer again = ask_cvc5(task.linear, units);
            if (proved(again)) answer = again;
        }
        return answer;
    }

    Facts facts(const SmtText& text) const {
        SolverAnswer answer = ask_z3(text, options.rlimit / 10);
        if (answer.verdict == Verdict::Unknown && options.use_cvc5) {
            answer = ask_cvc5(text, options.cvc5_rlimit);
        }
        switch (answer.verdict) {
            case Verdict::Refuted: return Facts::Satisfiable;
            case Verdict::Proved: return Facts::Contradictory;
            case Verdict::Unknown: return Facts::Unknown;
        }
        return Facts::Unknown;
    }
};

class Discharger {
  public:
    Discharger(ir::Context& ctx, const DischargeOptions& options,
               const std::map<std::string, std::string>& certificates)
        : ctx_(ctx), options_(options), certificates_(certificates) {}

    std::vector<ObligationCheck> run(const std::vector<Obligation>& obligations) {
        for (const Obligation& o : obligations) add(o);
        ask_all();
        return std::move(checks_);
    }

  private:
    void add(const Obligation& o) {
        SmtText plain = to_smt(ctx_, o);
        const std::string id = obligation_id(plain);
        const auto [known, inserted] = index_.emplace(id, checks_.size());
        if (!inserted) {
            ++checks_[known->second].uses;
            return;
        }
        ObligationCheck check;
        check.id = id;
        check.purpose = o.purpose;
        check.uses = 1;
        Task task;
        task.plain = std::move(plain);
        const auto proof = certificates_.find(digest_hex(id));
        if (proof != certificates_.end() && options_.use_certificates) {
            task.certificate = &proof->second;
        }
        const smt::EncodedObligation linear = smt::encode(ctx_, o, smt::Form::Linearised);
        task.linear = linear.smt;
        task.nonlinear = linear.nonlinear;
        task.computes_floats = smt::computes_floats(o);
        if (task.computes_floats) {
            task.codes = smt::encode(ctx_, o, smt::Form::FloatCodes).smt;
        }
        if (smt::has_exact_bits(o)) task.bits.text = smt::as_bit_vectors(o).value_or("");
        if (ir::is_false(o.goal)) {
            check.facts = Facts::ByContradiction;
        } else if (o.facts.empty()) {
            check.facts = Facts::Satisfiable;
        } else if (options_.check_facts) {
            task.facts = facts_question(o);
        }
        checks_.push_back(std::move(check));
        tasks_.push_back(std::move(task));
    }

    std::size_t facts_question(const Obligation& o) {
        const Obligation claim{{}, o.facts, ctx_.false_(), o.unbounded};
        SmtText text = to_smt(ctx_, claim);
        const auto [known, inserted] = question_of_.emplace(text.text, questions_.size());
        if (!inserted) return known->second;
        FactsQuestion& q = questions_.emplace_back(FactsQuestion{std::move(text)});
        const bool seen = sampled_counterexample(ctx_, claim).has_value();
        if (seen) q.answer = Facts::Satisfiable;
        return known->second;
    }

    void ask_all() {
        in_parallel(tasks_.size(), [&](std::size_t k) { ask(k); });
        const bool any_solver = options_.use_z3 || options_.use_cvc5;
        for (std::size_t k = 0; k < tasks_.size() && any_solver; ++k) {
            const bool proved = checks_[k].verdict() == Verdict::Proved;
            if (tasks_[k].facts && proved) questions_[*tasks_[k].facts].needed = true;
        }
        in_parallel(questions_.size(), [&](std::size_t k) {
            FactsQuestion& q = questions_[k];
            if (q.needed && q.answer == Facts::NotAsked) q.answer = Asker{options_}.facts(q.text);
        });
        for (std::size_t k = 0; k < tasks_.size(); ++k) {
            const bool proved = checks_[k].verdict() == Verdict::Proved;
            if (tasks_[k].facts && proved) checks_[k].facts = questions_[*tasks_[k].facts].answer;
        }
    }

    template <class Work>
    void in_parallel(std::size_t items, const Work& work_on) const {
        const unsigned cores = std::max(1U, std::thread::hardware_concurrency());
        const unsigned wanted = options_.jobs == 0 ? cores : options_.jobs;
        const auto count =
            static_cast<unsigned>(std::min<std::size_t>(wanted, std::max<std::size_t>(1, items)));
        std::atomic<std::size_t> next{0};
        const auto work = [&] {
            for (std::size_t k = next++; k < items; k = next++) work_on(k);
        };
        std::vector<ir::DeepThread> threads;
        for (unsigned t = 1; t < count; ++t) threads.emplace_back(work);
        work();
        for (ir::DeepThread& t : threads) t.join();
    }

    void ask(std::size_t k) {
        ObligationCheck& check = checks_[k];
        if (tasks_[k].certificate != nullptr) check.certificate = verdict_on(tasks_[k]);
        const bool solvers = !check.certificate.accepted || options_.ask_certified;
        if (solvers) ask_solvers(k);
    }

    // A text with a hole where something has no encoding says nothing of the obligation.
    static CertificateAnswer verdict_on(const Task& task) {
        if (!task.plain.supported) return {true, false, "unsupported: " + task.plain.why, 0};
        const certcheck::CertificateVerdict v =
            certcheck::check_certificate(task.plain.text, *task.certificate);
        return {true, v.accepted, v.why, v.steps};
    }

    void ask_solvers(std::size_t k) {
        const Asker asker{options_};
        ObligationCheck& check = checks_[k];
        if (options_.use_z3) check.z3 = asker.z3(tasks_[k]);
        // Where one solver is enough, the other is asked for what the first one gives up on.
        const bool in_its_place = options_.use_z3 && check.z3.verdict == Verdict::Unknown;
        if (options_.use_cvc5 || in_its_place) check.cvc5 = asker.cvc5(tasks_[k]);
    }

    ir::Context& ctx_;
    const DischargeOptions& options_;
    const std::map<std::string, std::string>& certificates_;
    std::map<std::string, std::size_t> index_;
    std::vector<ObligationCheck> checks_;
    std::vector<Task> tasks_;
    std::map<std::string, std::size_t> question_of_;
    std::vector<FactsQuestion> questions_;
};

}  // namespace

std::vector<ObligationCheck> discharge(ir::Context& ctx, const std::vector<Obligation>& obligations,
                                       const DischargeOptions& options,
                                       const std::map<std::string, std::string>& certificates) {
    return Discharger(ctx, options, certificates).run(obligations);
}

}  // namespace proviso::verify
