#include "verify/audit/discharge.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <optional>
#include <thread>

#include "analysis/certcheck/check.h"
#include "analysis/sample.h"
#include "analysis/smt/bit_vectors.h"
#include "analysis/smt/encoder.h"
#include "analysis/smt/solvers.h"
#include "analysis/verdict_store.h"
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

    // Nonlinear arithmetic can use time far beyond its resource units, so it gets less of them.
    SolverAnswer z3(const Task& task) const {
        if (task.computes_floats) {
            const Answer first = analysis::smt::ask_z3(task.codes, options.rlimit / 40,
                                                       options.wall_limit_s, options.memory_mib);
            if (first.verdict == Verdict::Proved) return SolverAnswer{true, first.verdict, ""};
        }
        if (!task.bits.text.empty()) {
            const Answer first = analysis::smt::ask_z3(task.bits, options.rlimit / 4,
                                                       options.wall_limit_s, options.memory_mib);
            if (first.verdict == Verdict::Proved) return SolverAnswer{true, first.verdict, ""};
        }
        const bool costly = task.nonlinear || analysis::smt::mixes_bit_vectors(task.plain.text);
        Answer answer = analysis::smt::ask_z3(task.plain, options.rlimit / (costly ? 40 : 10),
                                              options.wall_limit_s, options.memory_mib);
        if (answer.verdict == Verdict::Unknown && task.linear.text != task.plain.text) {
            const Answer again = analysis::smt::ask_z3(task.linear, options.rlimit,
                                                       options.wall_limit_s, options.memory_mib);
            if (again.verdict == Verdict::Proved) answer = again;
        }
        if (answer.verdict == Verdict::Unknown && !analysis::smt::was_stopped(answer.why)) {
            answer = analysis::smt::ask_z3(task.plain, options.rlimit / (costly ? 10 : 1),
                                           options.wall_limit_s, options.memory_mib);
        }
        return SolverAnswer{true, answer.verdict, answer.why};
    }

    SolverAnswer cvc5(const Task& task) const {
        if (task.computes_floats) {
            const Answer first =
                ask_cvc5(task.codes, options.cvc5_rlimit / 10, options.wall_limit_s);
            if (first.verdict == Verdict::Proved) return SolverAnswer{true, first.verdict, ""};
        }
        if (!task.bits.text.empty()) {
            const Answer first = ask_cvc5(task.bits, options.cvc5_rlimit / 2, options.wall_limit_s);
            if (first.verdict == Verdict::Proved) return SolverAnswer{true, first.verdict, ""};
        }
        // Bit-vectors made of integers are beyond it: the form without them comes first.
        const bool mixed = analysis::smt::mixes_bit_vectors(task.plain.text);
        if (mixed) {
            const Answer first = ask_cvc5(task.linear, options.cvc5_rlimit, options.wall_limit_s);
            if (first.verdict == Verdict::Proved) return SolverAnswer{true, first.verdict, ""};
        }
        Answer answer =
            ask_cvc5(task.plain, options.cvc5_rlimit / (mixed ? 8 : 1), options.wall_limit_s);
        if (answer.verdict == Verdict::Unknown && task.linear.text != task.plain.text) {
            const Answer again = ask_cvc5(task.linear, options.cvc5_rlimit, options.wall_limit_s);
            if (again.verdict == Verdict::Proved) answer = again;
        }
        return SolverAnswer{true, answer.verdict, answer.why};
    }

    Facts facts(const SmtText& text) const {
        const Answer answer = analysis::smt::ask_z3(text, options.rlimit / 10, options.wall_limit_s,
                                                    options.memory_mib);
        if (answer.verdict == Verdict::Refuted) return Facts::Satisfiable;
        if (answer.verdict == Verdict::Proved) return Facts::Contradictory;
        if (!options.use_cvc5) return Facts::Unknown;
        const Answer other = ask_cvc5(text, options.cvc5_rlimit, options.wall_limit_s);
        if (other.verdict == Verdict::Refuted) return Facts::Satisfiable;
        return other.verdict == Verdict::Proved ? Facts::Contradictory : Facts::Unknown;
    }
};

std::string settings_of(const DischargeOptions& o) {
    return fmt::format("z3 {} within {}, cvc5 {} within {}", analysis::z3_version(), o.rlimit,
                       analysis::cvc5_version(), o.cvc5_rlimit);
}

class Discharger {
  public:
    Discharger(ir::Context& ctx, const DischargeOptions& options,
               const std::map<std::string, std::string>& certificates)
        : ctx_(ctx),
          options_(options),
          certificates_(certificates),
          store_(options.cache_dir, [&options] { return settings_of(options); }) {}

    std::vector<ObligationCheck> run(const std::vector<Obligation>& obligations) {
        for (const Obligation& o : obligations) add(o);
        if (!options_.cache_dir.empty()) read_cache();
        ask_all();
        if (!options_.cache_dir.empty()) write_cache();
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
        const Obligation claim{"the facts contradict each other", o.facts, ctx_.false_(),
                               o.unbounded};
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
        if (options_.use_z3 && !check.z3.asked) check.z3 = asker.z3(tasks_[k]);
        // Where one solver is enough, the other is asked for what the first one gives up on.
        const bool in_its_place = options_.use_z3 && check.z3.verdict == Verdict::Unknown;
        if ((options_.use_cvc5 || in_its_place) && !check.cvc5.asked) {
            check.cvc5 = asker.cvc5(tasks_[k]);
        }
    }

    void read_cache() {
        for (ObligationCheck& check : checks_) {
            for (auto [solver, name] :
                 {std::pair{&check.z3, ".audit-z3"}, std::pair{&check.cvc5, ".audit-cvc5"}}) {
                const auto known = store_.find(check.id + name);
                if (known) *solver = SolverAnswer{true, known->verdict, "kept from before"};
            }
        }
    }

    void write_cache() {
        for (const ObligationCheck& check : checks_) {
            for (auto [solver, name] :
                 {std::pair{&check.z3, ".audit-z3"}, std::pair{&check.cvc5, ".audit-cvc5"}}) {
                if (!solver->asked || solver->verdict == Verdict::Unknown) continue;
                store_.keep(check.id + name, StoredVerdict{solver->verdict, name + 7, {}});
            }
        }
    }

    ir::Context& ctx_;
    const DischargeOptions& options_;
    const std::map<std::string, std::string>& certificates_;
    VerdictStore store_;
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
