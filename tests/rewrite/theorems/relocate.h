// The theorem of relocation under attack: right proposals are accepted, and each wrong one is
// refused by the check or the obligation that is there for it. Where a check refuses, a build
// without that check would accept (the faults of ir/planted.h).
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "analysis/prover/prover.h"
#include "ir/planted.h"
#include "ir/text.h"
#include "ir/well_formed.h"
#include "rewrite/derived/proposal_text.h"
#include "rewrite/rules/relocate/relocate.h"

namespace proviso::rewrite {

using namespace ir;

class Relocate : public testing::Test {
  protected:
    static std::string program(const std::string& body) {
        return "@T.prim_func\n"
               "def f(A: T.Buffer((16,), \"int32\"), B: T.Buffer((16,), \"int32\"), "
               "D: T.Buffer((4, 4), \"int32\"), n: T.int32):\n" +
               body;
    }

    static Function parsed(Context& ctx, const std::string& body) {
        const Result<Function> f = parse_function(ctx, program(body), "test");
        PROVISO_CHECK(f.ok(), f.error().str());
        return *f;
    }

    // "accepted"; "refused: MESSAGE"; "unproved: PURPOSE" of the first obligation that is open.
    std::string verdict(Context& ctx, const Result<Proposal>& proposal) {
        if (!proposal) return "refused: " + proposal.error().message;
        if (!well_formed(proposal->after).empty()) return "refused: not well-formed";
        after_ = print(proposal->after);
        owed_ = proposal->obligations.size();
        analysis::Prover prover(ctx, {});
        for (const analysis::Obligation& o : proposal->obligations) {
            if (!omit_.empty() && o.purpose.words.find(omit_) != std::string::npos) continue;
            if (prover.prove(o).verdict != analysis::Verdict::Proved)
                return "unproved: " + o.purpose.words;
        }
        return "accepted";
    }

    std::string after_;     // the function that was proposed last
    std::size_t owed_ = 0;  // by the last proposal
    std::string omit_;      // leaves out obligations with these words
};

inline const char* const kReads = "    for i in range(16):\n        B[i] = A[i]\n";

}  // namespace proviso::rewrite
