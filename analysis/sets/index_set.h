// Sets of integers: unions of strided ranges with symbolic ends. Not hulls: {0..3} and {8..11} stay
// two pieces, up to a limit, after which the set becomes one range that says that it is a hull.
//
// Ends are affine forms over parameters (n, m, n * m). Whether an operation on symbolic sets can be
// carried out depends on what the facts say of the parameters; where they do not say it, the answer
// is "don't know" (nullopt). Sets with constant ends are always decided, up to the limits below.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/facts/affine.h"
#include "analysis/prover/prover.h"

namespace proviso::analysis {

// The integers x with lo <= x <= hi and x = anchor modulo stride; an absent end is infinite. Empty
// when lo > hi, which with symbolic ends may be so for some values of the parameters.
struct Piece {
    std::optional<Affine> lo;
    std::optional<Affine> hi;
    ir::Integer stride = 1;  // > 0
    Affine anchor = 0;       // 0 when the stride is 1

    bool is_constant() const;  // the ends, if any, and the anchor are numbers
    bool operator==(const Piece&) const = default;
};

struct IndexSet {
    std::vector<Piece> pieces;  // none: the empty set. They may overlap.
    // Every member is a value; otherwise there may be members that are none (what is a value is
    // always a member).
    bool exact = true;
    // The limit on pieces was reached, and gaps between pieces were filled.
    bool hull = false;

    static IndexSet none() { return {}; }
    static IndexSet everything();
    static IndexSet at(const Affine& value);
    static IndexSet range(const Affine& lo, const Affine& hi, const ir::Integer& stride = 1);

    bool is_constant() const;
    bool operator==(const IndexSet&) const = default;
};

inline constexpr std::size_t kMostPieces = 16;

// What is known of the parameters, and operations under it.
class SetScope {
  public:
    SetScope(Prover& prover, std::vector<ir::Expr> facts)
        : prover_(prover), facts_(std::move(facts)) {}

    ir::Context& ctx() const { return prover_.context(); }

    IndexSet unite(const IndexSet& a, const IndexSet& b) const;
    std::optional<IndexSet> intersect(const IndexSet& a, const IndexSet& b) const;
    // What is in `a` and not in `b`.
    std::optional<IndexSet> subtract(const IndexSet& a, const IndexSet& b) const;
    // Whether `value` is a member, for all values of the parameters alike.
    std::optional<bool> contains(const IndexSet& a, const Affine& value) const;
    // Whether all members of `a` are members of `b`, for all values of the parameters.
    std::optional<bool> within(const IndexSet& a, const IndexSet& b) const;
    // Whether there is no member.
    std::optional<bool> is_empty(const IndexSet& a) const;

    // a <= b for all values of the parameters; false: not known.
    bool proves_le(const Affine& a, const Affine& b) const;
    // "[0, 3] + [8, n - 1] by 4"; " (hull)" and " (at most)" where it is no exact set.
    std::string str(const IndexSet& a) const;

  private:
    // a <= b, or a > b, whatever the parameters.
    std::optional<bool> compare(const Affine& a, const Affine& b) const;
    std::optional<Affine> least(const Affine& a, const Affine& b) const;
    std::optional<Affine> most(const Affine& a, const Affine& b) const;
    std::optional<bool> is_empty(const Piece& p) const;
    bool within(const Piece& a, const Piece& b) const;
    std::optional<Piece> merged(const Piece& a, const Piece& b) const;
    std::optional<std::optional<Piece>> intersect(const Piece& a, const Piece& b) const;
    std::optional<std::vector<Piece>> subtract(const Piece& a, const Piece& b) const;
    Piece hull_of(const std::vector<Piece>& pieces) const;
    void insert(std::vector<Piece>& pieces, Piece piece) const;
    IndexSet collected(const std::vector<Piece>& pieces, bool exact, bool hull) const;
    std::string str(const Piece& p) const;

    Prover& prover_;
    std::vector<ir::Expr> facts_;
};

}  // namespace proviso::analysis
