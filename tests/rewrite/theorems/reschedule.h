// Proposals of the theorem of rescheduling, as texts, and what becomes of them.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "analysis/prover/prover.h"
#include "ir/planted.h"
#include "ir/text.h"
#include "ir/well_formed.h"
#include "rewrite/derived/proposal_text.h"
#include "rewrite/rules/reschedule/reschedule.h"

namespace proviso::rewrite {

using namespace ir;

class Reschedule : public testing::Test {
  protected:
    std::string outcome(const ProposalText& p) {
        return outcome(p.before, p.after, p.parts, p.apart, p.at, p.dropped);
    }

    // "accepted"; "refused: MESSAGE"; "unproved: PURPOSE" of the first obligation that is open;
    // "unparsed: MESSAGE" of what is no program or value.
    std::string outcome(const std::string& before, const std::string& after,
                        const std::vector<PartText>& parts,
                        const std::set<std::pair<std::size_t, std::size_t>>& apart = {},
                        const std::string& at = "body",
                        const std::vector<std::string>& dropped = {}) {
        Context ctx;
        unparsed_.clear();
        const Function old = parsed(ctx, before);
        const Function now = parsed(ctx, after);
        const Site site = *Site::parse(at);
        if (unparsed_.empty() && !well_formed(old).empty()) unparsed_ = "not well-formed";
        if (!unparsed_.empty()) return "unparsed: " + unparsed_;
        ProposalReader reader(ctx, ghosts_);
        const std::string unseen = unseen_.empty() ? "" : unseen_.dump();
        const std::string extra = extra_.empty() ? "" : extra_.dump();
        const Rescheduling r = reader.read(
            old, now, {before, after, at, parts, apart, dropped, text_at_, count_, unseen, extra});
        if (!reader.wrong().empty()) return "unparsed: " + reader.wrong();
        const Result<Proposal> proposal = reschedule(ctx, old, site, r);
        if (!proposal) return "refused: " + proposal.error().message;
        if (!well_formed(proposal->after).empty()) return "refused: not well-formed";
        after_ = print(proposal->after);
        analysis::Prover prover(ctx, limits_);
        for (const analysis::Obligation& o : proposal->obligations) {
            if (prover.prove(o).verdict != analysis::Verdict::Proved)
                return "unproved: " + o.purpose.words;
        }
        return "accepted";
    }

    // The same in a build that lacks the check.
    std::string outcome_without(const char* check, const std::string& before,
                                const std::string& after, const std::vector<PartText>& parts,
                                const std::set<std::pair<std::size_t, std::size_t>>& apart = {},
                                const std::string& at = "body") {
        planted_fault() = check;
        const std::string out = outcome(before, after, parts, apart, at);
        planted_fault().clear();
        return out;
    }

    // What the next proposals have: the place of the new text in `after`, statements of a list, and
    // names that are in no scope.
    std::string text_at_;
    std::size_t count_ = 1;
    nlohmann::json unseen_ = nlohmann::json::object();
    nlohmann::json extra_ = nlohmann::json::object();
    std::vector<std::string> ghosts_;
    std::string after_;  // the function that was proposed last
    std::string params_ =
        "A: T.Buffer((16,), \"int32\"), B: T.Buffer((16,), \"int32\"), n: T.int32, m: T.int32";
    analysis::ProverOptions limits_ = {};

    // The obligation about a store, and what reads the buffer.
    static std::string changes(const std::string& store) {
        return "nothing stores to what a bound or guard reads (" + store + ")";
    }

    std::string program(const std::string& body) const {
        return "@T.prim_func\ndef f(" + params_ + "):\n" + body;
    }

  private:
    Function parsed(Context& ctx, const std::string& text) {
        const Result<Function> f = parse_function(ctx, program(text), "test");
        if (!f.ok()) unparsed_ = f.error().str();
        return f.ok() ? *f : Function{};
    }

    std::string unparsed_;
};

// A proposal that may be wrong, and what becomes of it.
struct Hostile {
    std::string what;
    ProposalText proposal;
    std::string outcome;
};

class HostileReschedule : public Reschedule {
  protected:
    HostileReschedule() {
        params_ =
            "A: T.Buffer((4,), \"int32\"), B: T.Buffer((4,), \"int32\"), "
            "C: T.Buffer((4,), \"int32\"), F: T.Buffer((4,), \"float32\"), n: T.int32, m: T.int32";
    }

    void expect(const std::vector<Hostile>& list) {
        for (const Hostile& h : list) EXPECT_EQ(outcome(h.proposal), h.outcome) << h.what;
    }
};

}  // namespace proviso::rewrite
