// Known bits: which bits of an integer are 0 and which are 1 in every value that it can have.
// Masks, shifts, and why (x << 3) | y is 8 * x + y. After Regehr and Duongsaa, "Deriving abstract
// transfer functions for analyzing embedded software" (2006); addition as in LLVM's KnownBits.
#pragma once

#include <optional>
#include <string>

#include "ir/domains/abstract.h"
#include "ir/domains/integer.h"

namespace proviso::ir {

// Both masks are two's complement without end: bit 127 stands for itself and all bits above it. So
// a value whose bit 127 is known 0 lies in [0, 2^127). No bit is in both masks. Of a bool: bit 0.
// Of a float it says nothing.
struct KnownBits {
    Int128 zeros = 0;  // 0 in every value
    Int128 ones = 0;   // 1 in every value

    static KnownBits all() { return {}; }
    static KnownBits at(const Integer& value);
    static KnownBits of(ScalarType type);  // every value of the type

    bool is_constant() const { return (zeros | ones) == -1; }
    bool contains(const Integer& value) const;
    // Smallest and largest value, where the sign is known.
    std::optional<Int128> lowest() const;
    std::optional<Int128> highest() const;
    // Of how many bits, from the lowest up without a gap, the value is known: 128 for a constant.
    unsigned known_low_bits() const;
    bool operator==(const KnownBits&) const = default;
    // The lowest 8 bits or more, '?' for unknown, "..." for the bits above that equal the first
    // one: "...0??1", "...????".
    std::string str() const;
};

// No bit can be 1 in both: then  a | b,  a ^ b  and  a + b  are one value.
bool disjoint(const KnownBits& a, const KnownBits& b);

KnownBits join(const KnownBits& a, const KnownBits& b);
std::optional<KnownBits> meet(const KnownBits& a, const KnownBits& b);  // none: impossible

struct KnownBitsDomain {
    using Value = KnownBits;
    static KnownBits top(ScalarType type) { return KnownBits::of(type); }
    static KnownBits constant(ScalarType type, const ir::Value& value);
    static std::optional<ir::Value> as_constant(const KnownBits& a);
    static std::optional<KnownBits> meet(const KnownBits& a, const KnownBits& b) {
        return ir::meet(a, b);
    }
    static KnownBits apply(const ExprNode& e, std::span<const KnownBits> args, Reading reading);
};

using KnownBitsEval = AbstractEval<KnownBitsDomain>;

}  // namespace proviso::ir
