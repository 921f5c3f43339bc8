// Bit-vectors of the text: what the step (bits TERM) adds, as terms, and the operators that work on
// each bit alone, for the step (bitwise TERM I...).
#pragma once

#include <optional>
#include <vector>

#include "analysis/certify/term_facts.h"

namespace proviso::analysis::certificate {

struct BitVector {
    enum class Gate : std::uint8_t { None, Not, And, Or, Xor };
    TermId number = 0;  // (bv2nat T), or a numeral
    unsigned width = 0;
    Gate gate = Gate::None;
    std::vector<std::size_t> args;  // of a gate: bit-vectors before this one
    std::optional<Int128> constant;
    // The number is (mod dividend 2^width), the term `remainder`.
    std::optional<TermId> dividend;
    TermId remainder = 0;
    std::size_t facts = 0;  // which entry of BitTerms::facts
    // Remainders of the number where a constant mask that it meets begins or ends.
    std::vector<TermId> remainders;
};

struct BitTerms {
    std::vector<TermFacts> facts;
    std::vector<BitVector> vectors;
};

// Makes new terms.
BitTerms read_bits(Terms& terms);

}  // namespace proviso::analysis::certificate
