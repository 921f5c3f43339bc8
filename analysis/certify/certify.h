// The linear integer decider: closes an obligation with a certificate (format:
// docs/certificates.md), which a checker that shares no code with this folder validates. Untrusted:
// a wrong certificate is rejected there, and a claim that is not closed here goes to a solver.
//
// Method: division and remainder become bounded quotients, products of unknowns opaque monomials;
// equalities are eliminated, an exact simplex finds a model or Farkas multipliers, and whatever the
// model violates (a disjunction, integrality, a product, congruence) is what is done next.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace proviso::analysis {

struct CertifyOptions {
    // Work units, about one multiplication each; never seconds. The same text and the same budget
    // give the same bytes on any machine.
    std::uint64_t budget = 3'000'000;
};

struct Certified {
    std::optional<std::string> certificate;
    std::string why;  // none: "resource", "no contradiction found", "unsupported: ..."
    std::uint64_t work = 0;
};

// `smt_text`: an obligation's canonical text (Form::Plain, obligation.h).
Certified certify(const std::string& smt_text, const CertifyOptions& options = {});

}  // namespace proviso::analysis
