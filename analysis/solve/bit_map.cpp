#include "analysis/solve/bit_map.h"

#include <algorithm>
#include <map>

#include "ir/domains/value.h"

namespace proviso::analysis::solve {

using ir::Expr;
using ir::Int128;
using ir::Op;

namespace {

constexpr int kSamples = 64;
constexpr unsigned kMostBits = 62;

// One bit of one index.
struct Place {
    std::size_t dimension;
    unsigned bit;
    auto operator<=>(const Place&) const = default;
};

class BitMap {
  public:
    BitMap(ir::Context& ctx, const IndexMap& map, const std::vector<Expr>& physical)
        : ctx_(ctx), map_(map), physical_(physical) {}

    std::optional<std::vector<Expr>> run() {
        if (!read_extents()) return std::nullopt;
        const auto zero = image(Point(map_.vars.size(), 0));
        if (!zero) return std::nullopt;
        origin_ = *zero;
        for (const Place& p : inputs_) {
            const auto column = difference(point({p}));
            if (!column) return std::nullopt;
            columns_.push_back(*column);
        }
        if (!is_linear() || !reduce()) return std::nullopt;
        std::vector<Expr> out;
        for (std::size_t d = 0; d < map_.vars.size(); ++d) {
            out.push_back(expression(d));
            if (out.back() == nullptr) return std::nullopt;
        }
        return out;
    }

  private:
    // An extent that is no power of two has its map read beyond it: the inverse is a guess.
    bool read_extents() {
        for (std::size_t d = 0; d < map_.extents.size(); ++d) {
            Expr e = map_.extents[d];
            if (!ir::is_int_const(e) || e->int_value() <= 0) return false;
            for (unsigned b = 0; (Int128{1} << b) < e->int_value(); ++b) inputs_.push_back({d, b});
        }
        return inputs_.size() <= kMostBits && !inputs_.empty();
    }

    Point point(const std::vector<Place>& bits) const {
        Point out(map_.vars.size(), 0);
        for (const Place& p : bits) out[p.dimension] |= Int128{1} << p.bit;
        return out;
    }

    std::optional<Point> image(const Point& at) const {
        Point out;
        for (Expr e : map_.results) {
            const auto v = value_at(e, map_.vars, at);
            if (!v || *v < 0 || *v >= (Int128{1} << kMostBits)) return std::nullopt;
            out.push_back(*v);
        }
        return out;
    }

    std::optional<Point> difference(const Point& at) const {
        std::optional<Point> out = image(at);
        for (std::size_t k = 0; out && k < out->size(); ++k) (*out)[k] ^= origin_[k];
        return out;
    }

    // On samples; who accepts the inverse proves it on all.
    bool is_linear() {
        ir::Chooser noise(1);
        for (int n = 0; n < kSamples; ++n) {
            std::vector<Place> some;
            Point sum(map_.results.size(), 0);
            for (std::size_t i = 0; i < inputs_.size(); ++i) {
                if (noise.next() % 2 == 0) continue;
                some.push_back(inputs_[i]);
                for (std::size_t k = 0; k < sum.size(); ++k) sum[k] ^= columns_[i][k];
            }
            const auto got = difference(point(some));
            if (!got || *got != sum) return false;
        }
        return true;
    }

    // Rows are bits of the result, as sums of input bits; reduced until each input bit stands alone
    // in one row, which then says of which result bits it is the sum.
    bool reduce() {
        struct Row {
            std::uint64_t inputs = 0;
            std::map<Place, bool> outputs;
        };
        std::vector<Row> rows;
        for (std::size_t k = 0; k < map_.results.size(); ++k) {
            for (unsigned b = 0; b < kMostBits; ++b) {
                Row row;
                row.outputs[{k, b}] = true;
                for (std::size_t i = 0; i < inputs_.size(); ++i) {
                    if (((columns_[i][k] >> b) & 1) != 0) row.inputs |= std::uint64_t{1} << i;
                }
                if (row.inputs != 0) rows.push_back(row);
            }
        }
        std::size_t next = 0;
        for (std::size_t i = 0; i < inputs_.size(); ++i) {
            const std::uint64_t bit = std::uint64_t{1} << i;
            std::size_t pivot = next;
            while (pivot < rows.size() && (rows[pivot].inputs & bit) == 0) ++pivot;
            if (pivot == rows.size()) return false;  // two inputs have one image
            std::swap(rows[next], rows[pivot]);
            for (std::size_t r = 0; r < rows.size(); ++r) {
                if (r == next || (rows[r].inputs & bit) == 0) continue;
                rows[r].inputs ^= rows[next].inputs;
                for (const auto& [place, on] : rows[next].outputs) {
                    rows[r].outputs[place] = rows[r].outputs[place] != on;
                }
            }
            ++next;
        }
        for (std::size_t i = 0; i < inputs_.size(); ++i) {
            std::vector<Place> sum;
            for (const auto& [place, on] : rows[i].outputs) {
                if (on) sum.push_back(place);
            }
            sums_.push_back(sum);
        }
        return true;
    }

    Expr number(Int128 value) {
        return map_.type().contains(value) ? ctx_.int_imm(map_.type(), value) : nullptr;
    }

    // One index: for each physical index and distance, the bits that come from there.
    Expr expression(std::size_t d) {
        std::map<std::pair<std::size_t, int>, Int128> parts;  // (dimension, shift down) -> mask
        for (std::size_t i = 0; i < inputs_.size(); ++i) {
            if (inputs_[i].dimension != d) continue;
            for (const Place& p : sums_[i]) {
                const int shift = static_cast<int>(p.bit) - static_cast<int>(inputs_[i].bit);
                parts[{p.dimension, shift}] |= Int128{1} << p.bit;
            }
        }
        Expr out = nullptr;
        for (const auto& [from, mask] : parts) {
            Expr p = physical_[from.first];
            if (origin_[from.first] != 0) {
                p = ctx_.make(Op::BitXor, {p, number(origin_[from.first])});
            }
            Expr bits = number(mask);
            if (bits == nullptr) return nullptr;
            Expr part = ctx_.make(Op::BitAnd, {p, bits});
            Expr by = number(from.second < 0 ? -from.second : from.second);
            if (from.second != 0) {
                part = ctx_.make(from.second > 0 ? Op::Shr : Op::Shl, {part, by});
            }
            out = out == nullptr ? part : ctx_.make(Op::BitXor, {out, part});
        }
        return out == nullptr ? number(0) : out;
    }

    ir::Context& ctx_;
    const IndexMap& map_;
    const std::vector<Expr>& physical_;
    std::vector<Place> inputs_;
    Point origin_;
    std::vector<Point> columns_;            // one an input bit
    std::vector<std::vector<Place>> sums_;  // one an input bit: result bits that add up to it
};

}  // namespace

std::optional<std::vector<Expr>> invert_bits(ir::Context& ctx, const IndexMap& map,
                                             const std::vector<Expr>& physical) {
    return BitMap(ctx, map, physical).run();
}

}  // namespace proviso::analysis::solve
