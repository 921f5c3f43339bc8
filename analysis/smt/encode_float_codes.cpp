// Floats as integers. A float is coded by its bits below the sign, n; a negative one by -1 - n, so
// that codes are in the order of the numbers, with -0.0 (-1) just below +0.0 (0) and the infinities
// at +-; the one NaN has the code above. All of it is exact (IEEE 754-2019, 3.4 and 5.11).
#include <fmt/format.h>

#include <limits>
#include <string_view>

#include "analysis/smt/encoder.h"
#include "analysis/smt/values.h"
#include "ir/planted.h"

namespace proviso::analysis::smt {

using ir::Expr;
using ir::Int128;
using ir::ScalarType;

std::string Encoder::sort(ScalarType type) const {
    return codes(type) ? "Int" : sort_of(type);
}

std::string Encoder::constant(Expr e) const {
    return codes(e->type) ? integer_text(float_code(e->type, e->float_value())) : constant_text(e);
}

std::string Encoder::float_op(const char* name, ScalarType type) {
    if (form_ != Form::FloatCodes) return fmt::format("fp.{}", name);
    const std::string suffix = type.str();
    if (float_types_.insert(suffix).second) declare_codes(type, suffix);
    return fmt::format("{}.{}", name, suffix);
}

void Encoder::declare_codes(ScalarType type, const std::string& suffix) {
    const Int128 infinity = float_code(type, std::numeric_limits<double>::infinity());
    const auto define = [&](const char* name, const char* args, const char* body) {
        std::string text = fmt::format("(define-fun {}.{} {} {})", name, suffix, args, body);
        for (const auto& [word, by] :
             {std::pair{"INF", integer_text(infinity)},
              std::pair{"LOW", integer_text(-1 - infinity)},
              std::pair{"NAN", integer_text(infinity + 1)}, std::pair{"TYPE", suffix}}) {
            for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word)) {
                text.replace(at, std::string(word).size(), by);
            }
        }
        lines_.push_back(std::move(text));
    };
    constexpr const char* one = "((x Int)) Bool";
    constexpr const char* two = "((x Int) (y Int)) Bool";
    define("isNaN", one, "(= x NAN)");
    define("isInfinite", one, "(or (= x INF) (= x LOW))");
    define("isZero", one, "(or (= x 0) (= x (- 1)))");
    define("isNegative", one, "(< x 0)");
    define("neg", "((x Int)) Int", "(ite (= x NAN) x (- (- 1) x))");
    define("abs", "((x Int)) Int", "(ite (< x 0) (- (- 1) x) x)");
    define("eq", two,
           "(and (not (= x NAN)) (not (= y NAN)) "
           "(or (= x y) (and (isZero.TYPE x) (isZero.TYPE y))))");
    define("lt", two,
           "(and (not (= x NAN)) (not (= y NAN)) (< x y) "
           "(not (and (isZero.TYPE x) (isZero.TYPE y))))");
    define("leq", two, "(or (lt.TYPE x y) (eq.TYPE x y))");
}

void Encoder::assert_code(const std::string& term, ScalarType type) {
    const Int128 nan = float_code(type, std::numeric_limits<double>::quiet_NaN());
    lines_.push_back(
        fmt::format("(assert (<= {} {} {}))", integer_text(-nan), term, integer_text(nan)));
}

std::string Encoder::opaque_applied(const char* what, ScalarType type, const std::string& x,
                                    const std::string& y) {
    const std::string of = sort(type);
    const auto [function, is_new] = functions_.emplace(what + (":" + type.str()), "");
    if (is_new) {
        function->second = fmt::format("F{}", functions_.size() - 1);
        lines_.push_back(fmt::format("(declare-fun {} ({} {}) {})", function->second, of, of, of));
    }
    return fmt::format("({} {} {})", function->second, x, y);
}

std::pair<std::string, bool> Encoder::opaque_float(const char* what, ScalarType type,
                                                   std::string& x, std::string& y) {
    weaker_ = true;
    const std::string of = sort(type);
    x = named(x, of);
    y = named(y, of);
    // There is one NaN, so sums and products commute.
    if (y < x && std::string_view(what) != "quotient") std::swap(x, y);
    const std::string text = opaque_applied(what, type, x, y);
    const auto known = names_.find(text);
    if (known != names_.end()) return {known->second, false};
    const std::string name = named(text, of);
    if (codes(type)) assert_code(name, type);
    return {name, true};
}

// Rounding to nearest even is odd: the size of a product or quotient is a function of the sizes of
// its operands, whatever their signs; NaN is of the size NaN.
void Encoder::assert_magnitude(const char* what, ScalarType type, const std::string& result,
                               const std::string& x, const std::string& y) {
    const std::string abs = float_op("abs", type);
    const std::string size_x = named(fmt::format("({} {})", abs, x), sort(type));
    const std::string size_y = named(fmt::format("({} {})", abs, y), sort(type));
    const std::string size = std::string("size of ") + what;
    const std::string of_both = opaque_applied(size.c_str(), type, size_x, size_y);
    lines_.push_back(fmt::format("(assert (= ({} {}) {}))", abs, result, of_both));
    if (std::string_view(what) == "quotient") return;
    const std::string swapped = opaque_applied(size.c_str(), type, size_y, size_x);
    if (swapped != of_both) lines_.push_back(fmt::format("(assert (= {} {}))", of_both, swapped));
}

// A product of floats is hard for its significand alone, which most claims do not depend on. What
// is said of it (IEEE 754-2019, 6.1 to 7.2): when it is NaN, zero by a zero factor, and its sign.
std::string Encoder::opaque_float_product(ScalarType type, const std::string& a,
                                          const std::string& b) {
    std::string x = a;
    std::string y = b;
    const auto [p, is_new] = opaque_float("product", type, x, y);
    if (!is_new) return p;
    const std::string nan = float_op("isNaN", type);
    const std::string zero = float_op("isZero", type);
    const std::string infinite = float_op("isInfinite", type);
    const std::string negative = float_op("isNegative", type);
    lines_.push_back(
        fmt::format("(assert (= ({3} {0}) (or ({3} {1}) ({3} {2}) (and ({4} {1}) ({5} {2})) "
                    "(and ({5} {1}) ({4} {2})))))",
                    p, x, y, nan, zero, infinite));
    lines_.push_back(
        fmt::format("(assert (=> (not ({3} {0})) (and (= ({5} {0}) (xor ({5} {1}) ({5} {2}))) "
                    "(=> (or ({4} {1}) ({4} {2})) ({4} {0})))))",
                    p, x, y, nan, zero, negative));
    if (codes(type)) assert_magnitude("product", type, p, x, y);
    return p;
}

// What is said of a sum, rounded to nearest: when it is NaN; a zero adds nothing to what is none;
// -0.0 comes of two of them only, other zeros cancel to +0.0; operands of one sign keep it; and
// rounding to nearest even is odd: the sum of the opposites is the opposite of the sum, but for the
// sign of a zero.
std::string Encoder::opaque_float_sum(ScalarType type, const std::string& a, const std::string& b) {
    std::string x = a;
    std::string y = b;
    const auto [s, is_new] = opaque_float("sum", type, x, y);
    if (!is_new) return s;
    const std::string nan = float_op("isNaN", type);
    const std::string zero = float_op("isZero", type);
    const std::string infinite = float_op("isInfinite", type);
    const std::string negative = float_op("isNegative", type);
    lines_.push_back(
        fmt::format("(assert (= ({3} {0}) (or ({3} {1}) ({3} {2}) (and ({4} {1}) ({4} {2}) "
                    "(xor ({5} {1}) ({5} {2}))))))",
                    s, x, y, nan, infinite, negative));
    for (const auto& [term, other] : {std::pair{x, y}, std::pair{y, x}}) {
        lines_.push_back(fmt::format("(assert (=> (and ({3} {2}) (not ({3} {1}))) (= {0} {1})))", s,
                                     term, other, zero));
    }
    lines_.push_back(
        fmt::format("(assert (=> (and ({3} {1}) ({3} {2})) ({3} {0})))", s, x, y, zero));
    const std::string minus_zero = fmt::format("(and ({1} {{0}}) ({0} {{0}}))", negative, zero);
    lines_.push_back(fmt::format(
        "(assert (= {} (and {} {})))", fmt::format(fmt::runtime(minus_zero), s),
        fmt::format(fmt::runtime(minus_zero), x), fmt::format(fmt::runtime(minus_zero), y)));
    const bool any = ir::planted("encoder:sign-of-a-sum");
    const std::string one_sign =
        any ? "true" : fmt::format("(= ({2} {0}) ({2} {1}))", x, y, negative);
    lines_.push_back(fmt::format("(assert (=> (and {2} (not ({3} {0}))) (= ({4} {0}) ({4} {1}))))",
                                 s, x, one_sign, nan, negative));
    const std::string neg = float_op("neg", type);
    const std::string opposite_x = named(fmt::format("({} {})", neg, x), sort(type));
    const std::string opposite_y = named(fmt::format("({} {})", neg, y), sort(type));
    const std::string o = opaque_applied("sum", type, opposite_x, opposite_y);
    lines_.push_back(fmt::format("(assert (and (= {} {}) (= {} {})))", s,
                                 opaque_applied("sum", type, y, x), o,
                                 opaque_applied("sum", type, opposite_y, opposite_x)));
    lines_.push_back(
        fmt::format("(assert (ite ({2} {0}) ({2} {1}) (= {1} ({3} {0}))))", s, o, zero, neg));
    return s;
}

// Of a quotient (IEEE 754-2019, 6.1 to 7.3): when it is NaN, its sign, zero and infinity by a zero
// or an infinity; and a finite number by itself, or by its opposite, is 1 or -1 exactly.
std::string Encoder::opaque_float_quotient(ScalarType type, const std::string& a,
                                           const std::string& b) {
    std::string x = a;
    std::string y = b;
    const auto [q, is_new] = opaque_float("quotient", type, x, y);
    if (!is_new) return q;
    const std::string nan = float_op("isNaN", type);
    const std::string zero = float_op("isZero", type);
    const std::string infinite = float_op("isInfinite", type);
    const std::string negative = float_op("isNegative", type);
    lines_.push_back(
        fmt::format("(assert (= ({3} {0}) (or ({3} {1}) ({3} {2}) (and ({4} {1}) ({4} {2})) "
                    "(and ({5} {1}) ({5} {2})))))",
                    q, x, y, nan, zero, infinite));
    lines_.push_back(
        fmt::format("(assert (=> (not ({3} {0})) (and (= ({6} {0}) (xor ({6} {1}) ({6} {2}))) "
                    "(=> (or ({4} {1}) ({5} {2})) ({4} {0})) "
                    "(=> (or ({5} {1}) ({4} {2})) ({5} {0})))))",
                    q, x, y, nan, zero, infinite, negative));
    const std::string abs = float_op("abs", type);
    lines_.push_back(
        fmt::format("(assert (=> (and (not ({3} {0})) (= ({4} {1}) ({4} {2}))) (= ({4} {0}) {5})))",
                    q, x, y, nan, abs, integer_text(float_code(type, 1.0))));
    assert_magnitude("quotient", type, q, x, y);
    return q;
}

}  // namespace proviso::analysis::smt
