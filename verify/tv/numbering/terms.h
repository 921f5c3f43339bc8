// Value numbering (Cocke and Schwartz 1970): equal terms have one number. A term is a symbol, a
// constant, or an operator of numbers; nothing is simplified, so equal numbers are equal values,
// and different ones say nothing.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "ir/context.h"

namespace proviso::verify {

using TermId = std::uint32_t;

// Why a run was given up that makes more terms than its limit.
inline constexpr const char* kTooManyTerms = "more terms than the limit";

class Terms {
  public:
    static constexpr TermId kIndet = 0;   // a value that is indeterminate
    static constexpr TermId kClosed = 1;  // of a cell that must not be touched

    explicit Terms(std::size_t limit);

    // A constant or a symbol.
    TermId leaf(ir::Expr e);
    TermId constant(ir::Context& ctx, ir::ScalarType type, std::int64_t value);
    // What `e` is besides its operands.
    std::uint32_t kind(ir::Expr e);
    void begin_run() { last_ = 0; }
    // Of at most three operands. Throws GivenUp where there would be more terms than the limit.
    TermId term(std::uint32_t kind, std::span<const TermId> args);

    bool is_leaf(TermId id) const { return records_[id].kind == 0; }
    // A constant or a symbol; of other terms, a variable that stands for the number.
    ir::Expr expr(ir::Context& ctx, TermId id) const;
    std::size_t size() const { return records_.size(); }

  private:
    static constexpr std::size_t kMostOperands = 3;
    using Operands = std::array<TermId, kMostOperands>;
    struct Record {
        std::uint32_t kind = 0;  // 0: a leaf
        Operands args = {};      // of a leaf, its place in leaves_
        bool operator==(const Record&) const = default;
    };
    // A term's number beside a part of its hash, so that few others are looked at.
    struct Entry {
        std::uint32_t hash = 0;
        TermId id = 0;  // 0: empty, as no operator is number 0
    };
    using Kind = std::tuple<ir::Op, ir::ScalarType, std::int64_t, std::size_t>;

    static std::uint64_t hash_of(const Record& r);
    Entry& slot_of(const Record& r, std::uint64_t hash);
    TermId find_or_make(const Record& r);
    void grow();

    std::size_t limit_;
    std::vector<Record> records_;
    // The term that was asked for after this one, the last time. Runs ask mostly in the order of
    // the run before, which takes no look into a large table.
    std::vector<TermId> next_;
    TermId last_ = 0;
    std::vector<Entry> table_;  // open addressing, by the high bits of hashes
    int shift_;                 // 64 less the bits of a place
    std::vector<ir::Expr> leaves_;
    std::unordered_map<ir::Expr, TermId> by_leaf_;
    std::map<Kind, std::uint32_t> kinds_;
    std::vector<Kind> kind_of_ = {Kind{}};
    std::map<ir::ScalarType, std::unordered_map<std::int64_t, TermId>> constants_;
};

}  // namespace proviso::verify
