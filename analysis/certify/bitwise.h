// Groups of bit-vectors that operators on single bits connect, and the sums of their numbers that
// bits bound.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "analysis/certify/algebra.h"
#include "analysis/certify/bits.h"

namespace proviso::analysis::certificate {

class Bitwise {
  public:
    // A number of a bit-vector, or of its lowest bits.
    struct Column {
        std::size_t vector = 0;
        unsigned below = 0;  // bits that count
        MonomialId number = 0;
    };
    using Sum = std::vector<std::pair<std::size_t, Int128>>;  // columns with coefficients
    struct Group {
        std::vector<std::size_t> unknown;  // neither operators nor constants; at most 6
        std::vector<std::size_t> vectors;  // all, arguments first
        std::vector<Column> columns;
        std::vector<Sum> sums;  // worth bounding
    };
    // Bits from `top` on and below `bottom` are 0.
    struct Range {
        unsigned top = 0;
        unsigned bottom = 0;
    };
    using Known = std::map<std::size_t, Range>;
    struct Bounds {
        Int128 least = 0;
        Int128 greatest = 0;
    };

    // Both must outlive this.
    Bitwise(const BitTerms& bits, Algebra& algebra);

    const BitTerms& terms() const { return bits_; }
    const std::vector<Group>& groups() const { return groups_; }
    // What the step (bitwise SUM) says.
    Bounds bounds(const Group& g, const Sum& sum, const Known& known) const;
    std::uint64_t work(const Group& g, const Sum& sum) const {
        return (std::uint64_t{width(g)} << g.unknown.size()) * sum.size() / 4 + 1;
    }
    // The atom (mod dividend 2^w) of a bit-vector with a dividend; none where it is no single one.
    std::optional<AtomId> remainder(const BitVector& v) const;

  private:
    void add_group(const std::vector<std::size_t>& members);
    void add_equations(Group& g) const;
    std::vector<std::uint64_t> tables(const Group& g, unsigned bit) const;
    unsigned width(const Group& g) const;

    const BitTerms& bits_;
    Algebra& algebra_;
    std::vector<Group> groups_;
};

}  // namespace proviso::analysis::certificate
