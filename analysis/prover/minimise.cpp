#include "analysis/prover/minimise.h"

#include <algorithm>

#include "analysis/facts/let_free.h"
#include "analysis/prover/replay.h"

namespace proviso::analysis {

using ir::Expr;
using ir::Int128;

namespace {

constexpr int kMostTries = 400;
constexpr std::uint64_t kMostWork = 2'000'000;                 // nodes evaluated, in all tries
constexpr double kFloats[] = {0.0, 1.0, 2.0, 3.0, -1.0, 0.5};  // simplest first

Int128 size_of(Int128 v) {
    return v < 0 ? -v : v;
}

bool is_smaller(Int128 a, Int128 b) {
    return size_of(a) != size_of(b) ? size_of(a) < size_of(b) : a > b;
}

// Smaller integers, the smallest first: 0, 1, -1, v/2, 3v/4, …, and one less.
std::vector<Int128> smaller_integers(Int128 v) {
    std::vector<Int128> out = {0, 1, -1};
    if (v < 0) out.push_back(-v);
    for (Int128 gap = v / 2; gap != 0; gap /= 2) {
        if (v < 0) out.push_back(gap - v);
        out.push_back(v - gap);
    }
    out.erase(std::remove_if(out.begin(), out.end(), [v](Int128 x) { return !is_smaller(x, v); }),
              out.end());
    return out;
}

std::vector<Expr> smaller_values(ir::Context& ctx, Expr value) {
    std::vector<Expr> out;
    const ir::ScalarType type = value->type;
    if (type.is_bool()) {
        if (ir::is_true(value)) out.push_back(ctx.false_());
    } else if (type.is_int()) {
        for (const Int128 x : smaller_integers(value->int_value())) {
            if (type.contains(x)) out.push_back(ctx.int_imm(type, x));
        }
    } else if (type.is_float()) {
        for (const double x : kFloats) {
            const Expr simple = ctx.float_imm(type, x);
            if (simple == value) break;
            out.push_back(simple);
        }
    }
    return out;
}

class Minimiser {
  public:
    Minimiser(ir::Context& ctx, const Obligation& obligation)
        : ctx_(ctx), goal_(let_free(ctx, obligation.goal)) {
        std::uint64_t size = goal_->size;
        for (Expr f : obligation.facts) {
            facts_.push_back(let_free(ctx, f));
            size += facts_.back()->size;
        }
        const std::uint64_t affordable = kMostWork / std::max<std::uint64_t>(size, 1);
        if (affordable < kMostTries) most_tries_ = static_cast<int>(affordable);
    }

    std::vector<ModelValue> run(std::vector<ModelValue> model) {
        if (!refutes(model)) return model;
        for (bool changed = true; changed && tries_ < most_tries_;) {
            changed = false;
            for (std::size_t i = 0; i < model.size(); ++i) {
                while (make_smaller(model, i)) changed = true;
            }
        }
        return model;
    }

  private:
    // By evaluation: every fact holds and the goal does not, with nothing left open.
    bool refutes(const std::vector<ModelValue>& model) {
        ++tries_;
        ModelReading reading(model);
        const auto is = [&](Expr claim, bool truth) {
            const auto v = reading.value(claim);
            return v && v->truth() == truth;
        };
        return is(goal_, false) &&
               std::all_of(facts_.begin(), facts_.end(), [&](Expr f) { return is(f, true); });
    }

    bool make_smaller(std::vector<ModelValue>& model, std::size_t i) {
        const Expr old = model[i].value;
        if (old == nullptr) return false;
        for (Expr value : smaller_values(ctx_, old)) {
            if (tries_ >= most_tries_) break;
            model[i].value = value;
            if (refutes(model)) return true;
        }
        model[i].value = old;
        return false;
    }

    ir::Context& ctx_;
    Expr goal_;
    std::vector<Expr> facts_;
    int tries_ = 0;
    int most_tries_ = kMostTries;
};

}  // namespace

std::vector<ModelValue> minimised(ir::Context& ctx, const Obligation& obligation,
                                  std::vector<ModelValue> model) {
    return Minimiser(ctx, obligation).run(std::move(model));
}

}  // namespace proviso::analysis
