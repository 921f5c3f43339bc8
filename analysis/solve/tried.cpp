#include "analysis/solve/tried.h"

#include <algorithm>

#include "analysis/solve/index_map.h"
#include "ir/children.h"

namespace proviso::analysis::solve {

using ir::Expr;
using ir::Int128;

namespace {

constexpr std::size_t kMostGuessed = 12;
constexpr std::int64_t kLeastReach = 256;
constexpr std::int64_t kMostReach = 8192;
constexpr std::uint32_t kLargest = 200;  // nodes

// As far as constants reach, and some periods beyond.
std::int64_t reach_of(Expr e) {
    std::int64_t out = kLeastReach;
    for (Expr part : e->args) out = std::max(out, reach_of(part));
    if (!ir::is_int_const(e)) return out;
    const Int128 value = e->int_value();
    const Int128 size = value < 0 ? -value : value;
    return size > kMostReach / 4 ? kMostReach : std::max(out, static_cast<std::int64_t>(size * 4));
}

class Pattern {
  public:
    Pattern(ir::Context& ctx, Expr x, std::int64_t reach) : ctx_(ctx), x_(x), reach_(reach) {}

    bool look(Expr condition) {
        for (std::int64_t x = -reach_; x <= reach_; ++x) {
            const auto value = value_at(condition, {x_}, {x});
            if (!value) return false;
            truth_.push_back(*value != 0);
        }
        return true;
    }

    std::optional<std::vector<Case>> cases() {
        const auto up = period(1);
        const auto down = period(-1);
        if (!up || !down) return std::nullopt;
        // Where the pattern at each end begins to hold for ever.
        std::int64_t high = reach_ - *up;
        while (high - 1 >= -reach_ && at(high - 1) == at(high - 1 + *up)) --high;
        if (high == -reach_) {
            repeat(-reach_, *up, std::nullopt, std::nullopt);
            return finished();
        }
        std::int64_t low = -reach_ + *down;
        while (low + 1 < high && at(low + 1) == at(low + 1 - *down)) ++low;
        repeat(-reach_, *down, std::nullopt, low);
        between(low + 1, high - 1);
        repeat(high, *up, high, std::nullopt);
        return finished();
    }

  private:
    bool at(std::int64_t x) const { return truth_[static_cast<std::size_t>(x + reach_)]; }
    Expr number(std::int64_t n) { return ctx_.int_imm(x_->type, n); }

    // After how many numbers the truth repeats in the outer half of one side.
    std::optional<std::int64_t> period(int side) const {
        for (std::int64_t p = 1; p <= reach_ / 8; ++p) {
            bool repeats = true;
            for (std::int64_t k = reach_ / 2; k + p <= reach_ && repeats; ++k) {
                repeats = at(side * k) == at(side * (k + p));
            }
            if (repeats) return p;
        }
        return std::nullopt;
    }

    // The pattern of the p numbers from `from` on, repeated within the given ends.
    void repeat(std::int64_t from, std::int64_t p, std::optional<std::int64_t> first,
                std::optional<std::int64_t> last) {
        Residues residues(static_cast<std::size_t>(p));
        for (std::int64_t k = 0; k < p; ++k) {
            const std::int64_t r = ((from + k) % p + p) % p;
            residues[static_cast<std::size_t>(r)] = at(from + k);
        }
        const Windows found = windows_of(ctx_, x_->type, residues);
        std::vector<Case> out(found.all ? 1 : found.runs.size());
        for (std::size_t k = 0; k < out.size(); ++k) {
            if (first) out[k].lowers = {number(*first)};
            if (last) out[k].uppers = {number(*last)};
            if (!found.all) out[k].windows = {found.runs[k]};
            cases_.push_back(out[k]);
        }
    }

    // The numbers within [first, last] one by one: runs, and runs with equal steps.
    void between(std::int64_t first, std::int64_t last) {
        std::vector<std::int64_t> found;
        for (std::int64_t x = first; x <= last; ++x) {
            if (at(x)) found.push_back(x);
        }
        for (std::size_t i = 0; i < found.size() && cases_.size() <= kMostGuessed;) {
            std::size_t end = i + 1;
            const std::int64_t step = end < found.size() ? found[end] - found[i] : 1;
            while (end < found.size() && found[end] - found[end - 1] == step) ++end;
            if (end == i + 2 && step != 1) end = i + 1;
            Case c{{number(found[i])}, {number(found[end - 1])}, {}, {}};
            if (end > i + 1 && step != 1) {
                const std::int64_t rest = ((found[i] % step) + step) % step;
                c.windows = {{number(step), number(rest), number(0), true}};
            }
            cases_.push_back(std::move(c));
            i = end;
        }
    }

    std::optional<std::vector<Case>> finished() {
        merge(ctx_, x_->type, cases_);
        if (cases_.size() > kMostGuessed) return std::nullopt;
        return cases_;
    }

    ir::Context& ctx_;
    Expr x_;
    std::int64_t reach_;
    std::vector<bool> truth_;
    std::vector<Case> cases_;
};

}  // namespace

std::optional<std::vector<Case>> tried(ir::Context& ctx, Expr x, Expr condition) {
    if (condition->size > kLargest || ir::has_op(condition, ir::Op::Load)) return std::nullopt;
    const std::vector<Expr> free = ir::free_vars(condition);
    if (free.size() != 1 || free[0] != x) return std::nullopt;
    Pattern pattern(ctx, x, reach_of(condition));
    if (!pattern.look(condition)) return std::nullopt;
    return pattern.cases();
}

}  // namespace proviso::analysis::solve
