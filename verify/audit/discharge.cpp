#include "verify/audit/discharge.h"

#include <chrono>
#include <map>

#include "analysis/certcheck/check.h"
#include "analysis/prover/ladder.h"
#include "analysis/prover/model.h"
#include "verify/in_parallel.h"
#include "verify/log/format.h"

namespace proviso::verify {

using namespace analysis;

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

// An obligation in all forms, made before the threads start: a Context is not for several threads.
struct Task {
    std::map<smt::Form, smt::EncodedObligation> texts;
    const std::string* certificate = nullptr;  // null: none

    const SmtText& plain() const { return texts.at(smt::Form::Plain).smt; }
};

class Discharger {
  public:
    Discharger(ir::Context& ctx, const DischargeOptions& options,
               const std::map<std::string, std::string>& certificates)
        : ctx_(ctx), options_(options), certificates_(certificates) {}

    std::vector<ObligationCheck> run(const std::vector<Obligation>& obligations) {
        for (std::size_t k = 0; k < obligations.size(); ++k) add(obligations[k], k);
        in_parallel(threads_for(options_.jobs), tasks_.size(), [&](std::size_t k) {
            const auto start = std::chrono::steady_clock::now();
            ask(k);
            if (!options_.measure) return;
            const auto took = std::chrono::steady_clock::now() - start;
            checks_[k].microseconds =
                std::chrono::duration_cast<std::chrono::microseconds>(took).count();
        });
        return std::move(checks_);
    }

  private:
    void add(const Obligation& o, std::size_t number) {
        smt::EncodedObligation plain = smt::encode(ctx_, o, smt::Form::Plain);
        const std::string id = obligation_id(plain.smt);
        const auto [known, inserted] = index_.emplace(id, checks_.size());
        if (!inserted) {
            ++checks_[known->second].uses;
            return;
        }
        ObligationCheck check;
        check.id = id;
        check.purpose = o.purpose;
        check.first = number;
        check.uses = 1;
        Task task;
        const auto proof = certificates_.find(digest_hex(id));
        if (proof != certificates_.end() && options_.use_certificates) {
            task.certificate = &proof->second;
        }
        for (const smt::Form form : forms_worth_trying(o)) {
            if (form != smt::Form::Plain) task.texts.emplace(form, smt::encode(ctx_, o, form));
        }
        task.texts.emplace(smt::Form::Plain, std::move(plain));
        checks_.push_back(std::move(check));
        tasks_.push_back(std::move(task));
    }

    void ask(std::size_t k) {
        const Task& task = tasks_[k];
        ObligationCheck& check = checks_[k];
        // A text with a hole where something has no encoding says nothing of the obligation.
        if (!task.plain().supported) {
            const std::string why = "unsupported: " + task.plain().why;
            if (task.certificate != nullptr) check.certificate = {true, false, why, 0};
            if (options_.use_z3) check.z3 = {true, Verdict::Unknown, why};
            if (options_.use_z3 || options_.use_cvc5) check.cvc5 = {true, Verdict::Unknown, why};
            return;
        }
        if (task.certificate != nullptr) {
            const certcheck::CertificateVerdict v =
                certcheck::check_certificate(task.plain().text, *task.certificate);
            check.certificate = {true, v.accepted, v.why, v.steps};
        }
        if (check.certificate.accepted && !options_.ask_certified) return;
        if (options_.use_z3) check.z3 = ask(task, smt::Program::Z3, options_.rlimit);
        // Where one solver is enough, the other is asked for what the first one gives up on.
        const bool in_its_place = options_.use_z3 && check.z3.verdict == Verdict::Unknown;
        if (options_.use_cvc5 || in_its_place) {
            check.cvc5 = ask(task, smt::Program::Cvc5, options_.cvc5_rlimit);
        }
    }

    // The ladder proposes what to ask. A form proves the claim where it is unsat; where it is sat,
    // only the canonical one refutes it.
    SolverAnswer ask(const Task& task, smt::Program solver, std::uint64_t units) const {
        SolverAnswer out{true, Verdict::Unknown, ""};
        climb(ladder(solver, task.texts, units), [&](const Rung& rung) {
            const SmtText& text = task.texts.at(rung.form).smt;
            smt::Reply reply;
            if (!text.supported) return reply;
            reply = smt::ask_program(solver, text.text, rung.units, options_.wall_limit_s,
                                     options_.memory_mib);
            const bool plain = rung.form == smt::Form::Plain;
            if (!plain && reply.verdict != Verdict::Proved) return smt::Reply{};
            if (out.verdict == Verdict::Unknown) out = {true, reply.verdict, reply.why};
            return reply;
        });
        if (out.verdict == Verdict::Refuted) {
            out.why = values_in_words(task.plain(), solver, units, options_.wall_limit_s,
                                      options_.memory_mib);
        }
        return out;
    }

    ir::Context& ctx_;
    const DischargeOptions& options_;
    const std::map<std::string, std::string>& certificates_;
    std::map<std::string, std::size_t> index_;
    std::vector<ObligationCheck> checks_;
    std::vector<Task> tasks_;
};

}  // namespace

std::vector<ObligationCheck> discharge(ir::Context& ctx, const std::vector<Obligation>& obligations,
                                       const DischargeOptions& options,
                                       const std::map<std::string, std::string>& certificates) {
    return Discharger(ctx, options, certificates).run(obligations);
}

}  // namespace proviso::verify
