// Cheap deciders, values that are tried, certificates, then the ladder of Z3 and that of cvc5.
#include "analysis/prover/prover.h"

#include <algorithm>
#include <chrono>
#include <map>

#include "analysis/certcheck/check.h"
#include "analysis/certify/certify.h"
#include "analysis/cheap/decide.h"
#include "analysis/prover/effort.h"
#include "analysis/prover/ladder.h"
#include "analysis/prover/minimise.h"
#include "analysis/prover/model.h"
#include "analysis/prover/replay.h"
#include "analysis/prover/sample.h"
#include "analysis/prover/verdict_store.h"
#include "analysis/smt/encoder.h"
#include "analysis/smt/solvers.h"
#include "ir/depth.h"

namespace proviso::analysis {

using ir::Expr;
using smt::Form;

namespace {

using Texts = std::map<Form, smt::EncodedObligation>;
using Clock = std::chrono::steady_clock;

std::uint64_t nanoseconds_since(Clock::time_point start) {
    return static_cast<std::uint64_t>(
        std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - start).count());
}

// Another budget or another solver may answer otherwise, and the log says who answered.
std::string settings_of(const ProverOptions& o) {
    std::string out;
    if (o.use_certificates) {
        out += "certificates within " + std::to_string(o.certify_budget) + " ";
    }
    if (o.use_z3) {
        out += "z3 " + o.z3->version() + " within " + std::to_string(o.rlimit * o.effort) +
               " and " + std::to_string(o.memory_mib) + " MiB";
    }
    if (o.use_cvc5) {
        out += " cvc5 " + cvc5_version() + " within " + std::to_string(o.cvc5_rlimit * o.effort);
    }
    return out;
}

// What questions that stay open cost of the patience of one command: a search that asks many of
// them would take hours. One that a solver was stopped at costs as much as ten. The solvers get a
// tenth of their budgets then, and in the end none.
constexpr std::uint64_t kStopped = 10;
constexpr std::uint64_t kPatience = 50;
constexpr std::uint64_t kLastPatience = 150;
// Likewise what budgets that were used up add up to, in units of Z3.
constexpr std::uint64_t kWork = 30'000'000;
constexpr std::uint64_t kLastWork = 40'000'000;
constexpr std::uint64_t kReduced = 10;

// One of cvc5 takes as long as several of Z3.
constexpr std::uint64_t kUnitsOfCvc5 = 8;
constexpr const char* kOutOfUnits = "resource";
constexpr const char* kByCertificate = "certificate";
constexpr const char* kBySample = "sample";

StoredVerdict stored(const smt::Reply& reply, const char* by) {
    return StoredVerdict{reply.verdict, by, reply.values};
}

}  // namespace

struct Prover::Impl {
    Impl(ir::Context& context, ProverOptions given)
        : ctx(context),
          options(std::move(given)),
          decider(context),
          store(options.cache_dir, [this] { return settings_of(options); }) {}

    ir::Context& ctx;
    ProverOptions options;
    ProverStats stats;
    cheap::Decider decider;
    VerdictStore store;
    std::map<std::vector<std::uint32_t>, Answer> answers;  // by key_of
    std::map<std::vector<std::uint32_t>, bool> vacuous;    // by key_of
    std::uint64_t open_questions = 0;
    std::uint64_t work = 0;  // of solvers that found nothing

    bool is_patient() const {
        return open_questions < kPatience * options.effort && work < kWork * options.effort;
    }
    bool gives_up() const {
        return open_questions >= kLastPatience * options.effort ||
               work >= kLastWork * options.effort;
    }
    // Less of a budget where many questions were left open.
    std::uint64_t part_of(std::uint64_t budget) const {
        return is_patient() ? budget : budget / kReduced;
    }

    // Handles of everything that an obligation says: the number of facts, facts, goal, variables.
    static std::vector<std::uint32_t> key_of(const Obligation& obligation) {
        std::vector<std::uint32_t> key{static_cast<std::uint32_t>(obligation.facts.size())};
        for (Expr f : obligation.facts) key.push_back(f->id);
        key.push_back(obligation.goal->id);
        for (Expr v : obligation.unbounded) key.push_back(v->id);
        return key;
    }

    Answer answer(const Obligation& obligation) {
        ++stats.asked;
        std::vector<std::uint32_t> key = key_of(obligation);
        const auto found = answers.find(key);
        if (found != answers.end()) {
            ++stats.cached;
            return found->second;
        }
        if (options.on_question) options.on_question(obligation);
        Answer out = decide(obligation);
        if (out.verdict == Verdict::Proved && options.check_vacuity && !out.vacuous) {
            out.vacuous = contradictory(obligation);
        }
        answers.emplace(std::move(key), out);
        return out;
    }

    Answer decide(const Obligation& obligation) {
        // Evidence from both solvers is wanted: nothing may be closed before they are asked.
        if (options.use_cheap && !options.cross_check) {
            const auto start = Clock::now();
            const auto decision = decider.decide(obligation);
            if (decision) {
                ++stats.cheap;
                stats.cheap_ns.push_back(nanoseconds_since(start));
                return Answer{Verdict::Proved, decision->method, {}, {}, decision->vacuous};
            }
        }
        const auto start = Clock::now();
        Answer out = sampled(obligation);
        if (out.verdict == Verdict::Unknown) out = by_solvers(obligation);
        if (options.not_cheap) options.not_cheap(obligation, out, nanoseconds_since(start));
        return out;
    }

    // Refuted by values that were tried, or unknown.
    Answer sampled(const Obligation& obligation) {
        Answer out;
        if (!options.use_cheap || options.cross_check) return out;
        std::optional<std::vector<ModelValue>> model = sampled_counterexample(ctx, obligation);
        if (!model || contradicts_itself(ctx, obligation, *model)) return out;
        out.verdict = Verdict::Refuted;
        out.by = kBySample;
        out.model = minimised(ctx, obligation, std::move(*model));
        return out;
    }

    Answer by_solvers(const Obligation& obligation) {
        const smt::EncodedObligation encoded = smt::encode(ctx, obligation, smt::Form::Plain);
        Answer out;
        if (!encoded.smt.supported) {
            out.why = "unsupported: " + encoded.smt.why;
            return out;
        }
        // Two grades of evidence must not share an entry.
        const std::string id = obligation_id(encoded.smt) + (options.cross_check ? ".both" : "");
        // What is kept was found with whole budgets, and does not depend on what was asked before.
        const bool whole = is_patient();
        std::optional<StoredVerdict> verdict;
        if (whole) verdict = store.find(id);
        if (verdict && !holds(*verdict, encoded.smt)) verdict.reset();
        const bool is_new = !verdict;
        if (is_new) {
            verdict = certified(encoded.smt);
        } else {
            ++stats.cached;
        }
        if (!verdict && gives_up()) {
            out.why = kManyOpenQuestions;
            return out;
        }
        if (!verdict) {
            const auto start = Clock::now();
            verdict = ask(obligation, encoded, out.why);
            stats.solver_ns.push_back(nanoseconds_since(start));
            if (verdict->verdict == Verdict::Unknown) {
                open_questions += smt::was_stopped(out.why) ? kStopped : 1;
            }
        }
        if (is_new && whole) store.keep(id, *verdict);
        out.verdict = verdict->verdict;
        if (out.verdict == Verdict::Unknown) return out;
        out.why.clear();
        out.by = verdict->by;
        if (out.by == kByCertificate) {
            out.certificate = verdict->values.front();
            return out;
        }
        out.model = read_model(ctx, encoded, verdict->values);
        if (out.verdict == Verdict::Refuted && contradicts_itself(ctx, obligation, out.model)) {
            return Answer{Verdict::Unknown, "", {}, "the counterexample does not replay", false};
        }
        if (out.verdict == Verdict::Refuted) {
            out.model = minimised(ctx, obligation, std::move(out.model));
        }
        return out;
    }

    // What is kept on disk is believed as little as anything else.
    static bool holds(const StoredVerdict& verdict, const SmtText& text) {
        if (verdict.by != kByCertificate) return true;
        return verdict.values.size() == 1 &&
               certcheck::check_certificate(text.text, verdict.values[0]).accepted;
    }

    std::optional<StoredVerdict> certified(const SmtText& text) {
        if (!options.use_certificates || options.cross_check) return std::nullopt;
        const auto start = Clock::now();
        CheckedCertificate found = find_certificate(text, part_of(options.certify_budget));
        if (found.certificate.empty()) return std::nullopt;
        // One line, as the cache keeps it.
        std::replace(found.certificate.begin(), found.certificate.end(), '\n', ' ');
        while (found.certificate.back() == ' ') found.certificate.pop_back();
        ++stats.certified;
        stats.certified_ns.push_back(nanoseconds_since(start));
        return StoredVerdict{Verdict::Proved, kByCertificate, {found.certificate}};
    }

    StoredVerdict ask(const Obligation& obligation, const smt::EncodedObligation& encoded,
                      std::string& why) {
        Texts texts{{Form::Plain, encoded}};
        for (const Form form : forms_worth_trying(obligation)) {
            if (form != Form::Plain) texts.emplace(form, smt::encode(ctx, obligation, form));
        }
        StoredVerdict first;
        if (options.use_z3) first = ask_z3(texts, why);
        const bool open = first.verdict == Verdict::Unknown;
        if (!options.use_cvc5 || (!open && !options.cross_check)) return first;
        const smt::Reply second = ask_cvc5(texts, open);
        if (second.verdict == Verdict::Unknown) {
            const char* const by = smt::was_stopped(second.why) ? "; " : "; cvc5: ";
            if (open) why = why.empty() ? second.why : why + by + second.why;
            return first;
        }
        if (open) return stored(second, "cvc5");
        if (second.verdict != first.verdict) {
            why = "solvers disagree";
            return {};
        }
        first.by += "+cvc5";
        return first;
    }

    StoredVerdict ask_z3(const Texts& texts, std::string& why) {
        ++stats.z3;
        std::string too_large;  // of the forms that only prove
        const auto ask = [&](const Rung& rung) {
            const smt::EncodedObligation& asked = texts.at(rung.form);
            const smt::ModelQuery query = model_query(asked);
            smt::Reply reply =
                options.z3->run(asked.smt.text, rung.units, asked.weaker ? nullptr : &query,
                                options.wall_limit_s, options.memory_mib);
            if (reply.why == kOutOfUnits) work += rung.units;
            if (rung.form == Form::Plain) return reply;
            if (smt::was_too_large(reply.why)) too_large = reply.why;
            if (reply.verdict != Verdict::Refuted) return reply;
            if (asked.weaker) return smt::Reply{};
            reply.values = answers_of_other_form(texts.at(Form::Plain), asked, reply.values);
            return reply;
        };
        const smt::Reply reply =
            climb(ladder(smt::Program::Z3, texts, part_of(options.rlimit * options.effort)), ask);
        if (reply.verdict != Verdict::Unknown) return stored(reply, "z3");
        why = reply.why;
        if (!too_large.empty() && !smt::was_too_large(why)) why += "; " + too_large;
        return {};
    }

    smt::Reply ask_cvc5(const Texts& texts, bool with_values) {
        ++stats.cvc5;
        const smt::ModelQuery query = model_query(texts.at(Form::Plain));
        const auto ask = [&](const Rung& rung) {
            const bool plain = rung.form == Form::Plain;
            const smt::Reply reply =
                smt::run_cvc5(texts.at(rung.form).smt.text, rung.units, options.wall_limit_s,
                              plain && with_values ? &query : nullptr);
            if (reply.why == kOutOfUnits) work += kUnitsOfCvc5 * rung.units;
            return plain || reply.verdict == Verdict::Proved ? reply : smt::Reply{};
        };
        const std::uint64_t units = part_of(options.cvc5_rlimit * options.effort);
        return climb(ladder(smt::Program::Cvc5, texts, units), ask);
    }

    // The facts alone prove anything.
    bool contradictory(const Obligation& obligation) {
        if (options.use_cheap && !options.cross_check &&
            decider.contradictory(obligation.facts, obligation.unbounded)) {
            return true;
        }
        const Obligation none{{}, obligation.facts, ctx.false_(), obligation.unbounded};
        std::vector<std::uint32_t> key = key_of(none);
        const auto found = vacuous.find(key);
        if (found != vacuous.end()) return found->second;
        const bool out = by_solvers(none).verdict == Verdict::Proved;
        vacuous.emplace(std::move(key), out);
        return out;
    }
};

Prover::Prover(ir::Context& ctx, ProverOptions options)
    : impl_(std::make_unique<Impl>(ctx, std::move(options))) {}
Prover::~Prover() = default;

namespace {

bool too_deep(const std::vector<Expr>& facts, Expr goal) {
    return ir::nests_too_deep(goal) ||
           std::any_of(facts.begin(), facts.end(), [](Expr f) { return ir::nests_too_deep(f); });
}

}  // namespace

Answer Prover::prove(const Obligation& obligation) {
    if (too_deep(obligation.facts, obligation.goal)) {
        Answer out;
        out.why = ir::too_deep("the claim");
        return out;
    }
    return impl_->answer(obligation);
}

Answer Prover::prove(const std::vector<Expr>& facts, Expr goal) {
    return prove(Obligation{{}, facts, goal, {}});
}

bool Prover::proves_cheaply(const std::vector<Expr>& facts, Expr goal) {
    return !too_deep(facts, goal) && impl_->decider.decide(facts, goal).has_value();
}

const ProverStats& Prover::stats() const {
    return impl_->stats;
}
const ProverOptions& Prover::options() const {
    return impl_->options;
}
ir::Context& Prover::context() {
    return impl_->ctx;
}

CheckedCertificate find_certificate(const SmtText& text, std::uint64_t budget) {
    if (!text.supported) return {"", "unsupported: " + text.why};
    CertifyOptions options;
    options.budget = budget;
    Certified found = certify(text.text, options);
    if (!found.certificate) return {"", found.why};
    const certcheck::CertificateVerdict checked =
        certcheck::check_certificate(text.text, *found.certificate);
    if (!checked.accepted) return {"", "the checker rejects it: " + checked.why};
    return {std::move(*found.certificate), "", checked.steps};
}

Answer ask_cvc5(const SmtText& text, std::uint64_t rlimit, int wall_limit_s) {
    if (!text.supported) return plain_answer(text, "cvc5", {});
    const smt::ModelQuery query = variables_query(text);
    return plain_answer(text, "cvc5", smt::run_cvc5(text.text, rlimit, wall_limit_s, &query));
}

}  // namespace proviso::analysis
