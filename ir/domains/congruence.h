// Congruences: value = modulus * k + remainder for some integer k. Divisibility and alignment.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "ir/domains/abstract.h"
#include "ir/domains/integer.h"

namespace proviso::ir {

// Modulus 0: exactly `remainder`. Modulus 1: any integer. Otherwise 0 <= remainder < modulus. Of a
// bool: constants are known, all else is modulus 1. Of a float it says nothing (modulus 1).
struct Congruence {
    Integer modulus = 1;
    Integer remainder = 0;

    static Congruence all() { return {}; }
    static Congruence at(const Integer& value) { return {0, value}; }
    // Reduces the remainder; a negative modulus counts as its opposite.
    static Congruence of(const Integer& modulus, const Integer& remainder);

    bool is_constant() const { return modulus.is_zero(); }
    bool contains(const Integer& value) const;
    // Every value is a multiple of `divisor` (not 0).
    bool divisible_by(const Integer& divisor) const;
    bool operator==(const Congruence&) const = default;
    std::string str() const;  // "7", "4k + 1", "any"
};

Congruence join(const Congruence& a, const Congruence& b);
std::optional<Congruence> meet(const Congruence& a, const Congruence& b);  // none: no such integer

struct CongruenceDomain {
    using Value = Congruence;
    static Congruence top(ScalarType) { return Congruence::all(); }
    static Congruence constant(ScalarType type, const ir::Value& value);
    static std::optional<ir::Value> as_constant(const Congruence& a);
    static std::optional<Congruence> meet(const Congruence& a, const Congruence& b) {
        return ir::meet(a, b);
    }
    static Congruence apply(const ExprNode& e, std::span<const Congruence> args, Reading reading);
};

using CongruenceEval = AbstractEval<CongruenceDomain>;

// Takes a fact into account: x % c == d, x == constant, x == y of congruent y, and conjunctions.
void learn(CongruenceEval& eval, Expr fact);

// The same for one equation, whoever keeps the knowledge: `value` says what is known of a term so
// far, `know` hears what follows for it.
void congruences_of_fact(Expr fact, const std::function<Congruence(Expr)>& value,
                         const std::function<void(Expr, const Congruence&)>& know);

}  // namespace proviso::ir
