#include "verify/harness/inputs.h"

#include <algorithm>
#include <limits>

#include "analysis/facts/facts.h"
#include "verify/harness/whole_inputs.h"

namespace proviso::verify {

using namespace ir;

namespace {

// Uniform: one special value in every cell of a buffer (a sum is -0.0 only when all of its terms
// are).
enum class Mood : std::uint8_t { Zero, Small, Special, Noise, Uniform, Swinging, Rounding };
constexpr std::uint64_t kMoods = 5;  // that are drawn
// Swinging: now and then a large value, each of the opposite sign to the one before. Sums in the
// order of the cells stay small, those in another order do not. In one of so many seeds.
constexpr std::uint64_t kSwings = 16;
constexpr std::uint64_t kSwinging = 11;
// Rounding: floats near 1 with all their digits, so that each sum and product of them rounds, and
// long sums show their order; other cells are 0. In as many seeds.
static_assert(kRoundingSeed % kSwings != kSwinging);

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kSmallFloats[] = {0.0, 1.0, -1.0, 1.5, -2.0, 0.25, 3.0, 7.0};
constexpr double kSpecialFloats[] = {0.0,  -0.0,  1.5,     -1.5,    kNan,
                                     kInf, -kInf, 65504.0, 0x1p-24, 3.0e38};
constexpr std::int64_t kSmallInts[] = {0, 1, 2, 3, -1, 5, 7, -4};

class InputMaker {
  public:
    // `cells`: of all buffers together.
    InputMaker(Context& ctx, const Function& f, std::uint64_t seed, const InputOptions& options,
               std::size_t cells = SIZE_MAX)
        : ctx_(ctx),
          function_(f),
          options_(options),
          cells_left_(cells),
          chooser_(seed * 0x9e3779b97f4a7c15ULL + 7) {
        // The first few seeds try the moods that satisfy most assumptions, one for all buffers.
        if (seed < kMoods) common_ = static_cast<Mood>(seed);
        if (seed % kSwings == kSwinging) common_ = Mood::Swinging;
        if (seed % kSwings == kRoundingSeed) common_ = Mood::Rounding;
    }

    Result<Inputs> make() {
        Sizes sizes = options_.fixed;
        for (Expr v : size_variables(function_)) {
            if (sizes.count(v) != 0) continue;
            Expr value = constant_expr(ctx_, v->type, scalar(v));
            PROVISO_CHECK(value != nullptr, "a made-up scalar without a constant");
            sizes[v] = value;
        }
        Inputs out;
        for (Expr v : function_.scalar_params()) {
            out.emplace(*v->name, *constant_value(sizes.at(v)));
        }
        for (Buffer b : function_.buffer_params()) {
            const std::size_t limit = std::min(options_.cell_limit, cells_left_);
            const auto shape = logical_shape(ctx_, function_, b, sizes, limit);
            if (!shape) return shape.error();
            cells_left_ -= cell_count(*shape);
            out.emplace(b->name, tensor(b, *shape));
        }
        return out;
    }

  private:
    std::uint64_t below(std::uint64_t bound) { return chooser_.next() % bound; }

    bool is_extent(Expr v) const {
        for (Buffer b : function_.buffer_params()) {
            for (Expr extent : b->shape) {
                if (occurs_free(v, extent)) return true;
            }
        }
        return false;
    }

    Value scalar(Expr v) {
        const ScalarType type = v->type;
        if (!type.is_int()) return cell(type, common_.value_or(Mood::Small), false);
        const bool extent = is_extent(v);
        const std::int64_t lowest = extent ? 0 : -options_.max_extent;
        std::int64_t lo = function_.lower_bound(*v->name).value_or(lowest);
        std::int64_t hi = function_.upper_bound(*v->name).value_or(std::max(lo, std::int64_t{0}) +
                                                                   options_.max_extent);
        if (extent) hi = std::min(hi, std::max(lo, options_.max_extent));
        lo = std::max<std::int64_t>(lo, type.is_signed() ? lo : 0);
        if (hi <= lo) return Value::of_int(lo);
        const auto width = static_cast<std::uint64_t>(hi) - static_cast<std::uint64_t>(lo);
        const std::uint64_t step = width == UINT64_MAX ? chooser_.next() : below(width + 1);
        const Integer value = Integer(lo) + Integer(static_cast<Int128>(step));
        return Value::of_int(value.wrap(type));
    }

    Value cell(ScalarType type, Mood mood, bool finite) {
        if (type.is_bool()) {
            const bool plain = mood == Mood::Zero || mood == Mood::Rounding;
            return Value::of_bool(!plain && below(2) == 1);
        }
        if (mood == Mood::Zero || (mood == Mood::Rounding && !type.is_float())) {
            return type.is_float() ? Value::of_float(0.0) : Value::of_int(0);
        }
        if (type.is_float()) return float_cell(type, mood, finite);
        if (mood == Mood::Small || mood == Mood::Swinging) {
            return Value::of_int(Integer(kSmallInts[below(std::size(kSmallInts))]).wrap(type));
        }
        return chooser_.choose(type);
    }

    Value float_cell(ScalarType type, Mood mood, bool finite) {
        for (;;) {
            Value out;
            if (mood == Mood::Small || mood == Mood::Swinging) {
                out = Value::of_float(type, kSmallFloats[below(std::size(kSmallFloats))]);
            } else if (mood == Mood::Rounding) {
                const double x = static_cast<double>(chooser_.next() >> 11) * 0x1p-53;
                out = Value::of_float(type, 4 * x - 2);
            } else if (mood == Mood::Special || mood == Mood::Uniform) {
                out = Value::of_float(type, kSpecialFloats[below(std::size(kSpecialFloats))]);
            } else {
                out = chooser_.choose(type);
            }
            const double x = out.real();
            if (!finite || (x == x && x != kInf && x != -kInf)) return out;
        }
    }

    Tensor tensor(Buffer b, const std::vector<std::int64_t>& shape) {
        const Mood mood = common_.value_or(static_cast<Mood>(below(kMoods)));
        const bool finite = function_.has_licence("finite(" + b->name + ")");
        Tensor out = Tensor::filled(b->type, shape, Value::indet());
        if (mood == Mood::Uniform) {
            const Value one = cell(b->type, Mood::Special, finite);
            for (std::size_t k = 0; k < out.size(); ++k) out.set(k, one);
            return out;
        }
        if (mood == Mood::Swinging && !b->type.is_bool()) {
            swing(b->type, out);
            return out;
        }
        // Where cells may be indeterminate: in every other run none is, or one in four.
        const bool some_indet = analysis::may_be_indet(function_, b) && below(2) == 0;
        for (std::size_t k = 0; k < out.size(); ++k) {
            const bool left_out = some_indet && below(4) == 0;
            out.set(k, left_out ? Value::indet() : cell(b->type, mood, finite));
        }
        return out;
    }

    void swing(ScalarType type, Tensor& out) {
        bool up = true;
        for (std::size_t k = 0; k < out.size(); ++k) {
            const bool large = below(2) == 0;
            out.set(k, large ? large_value(type, up) : cell(type, Mood::Small, true));
            up = up != large;
        }
    }

    // Twice as much is out of the type's range.
    static Value large_value(ScalarType type, bool positive) {
        if (type.is_float()) {
            const double x = type == kFloat16 ? 5e4 : type == kFloat64 ? 1.5e308 : 3e38;
            return Value::of_float(type, positive ? x : -x);
        }
        const Int128 x = type.max_value() / 2 + 1000 % type.max_value();
        return Value::of_int(Integer(positive ? x : -x).wrap(type));
    }

    Context& ctx_;
    const Function& function_;
    const InputOptions& options_;
    std::size_t cells_left_;
    Chooser chooser_;
    std::optional<Mood> common_;
};

}  // namespace

Result<Inputs> random_inputs(Context& ctx, const Function& f, std::uint64_t seed,
                             const InputOptions& options) {
    return InputMaker(ctx, f, seed, options).make();
}

Result<Inputs> whole_inputs(Context& ctx, const Function& f, std::uint64_t seed, const Sizes& fixed,
                            std::size_t cells) {
    InputOptions options;
    options.fixed = fixed;
    options.cell_limit = cells;
    const Result<Inputs> logical = InputMaker(ctx, f, seed, options, cells).make();
    if (!logical) return logical.error();
    const auto parameters = concrete_parameters(ctx, f, sizes_of(ctx, f, *logical), cells);
    if (!parameters) return parameters.error();
    return packed_inputs(*parameters, *logical);
}

}  // namespace proviso::verify
