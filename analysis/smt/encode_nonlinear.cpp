// Products and divisions of unknowns in the linearised form. A product is an opaque constant, and
// of every two products with a common factor n the solver is told what it would have to find
// itself:
//   x < y and n > 0   implies   x * n + n <= y * n          x = y   implies   x * n = y * n
// with x or y also 0 and 1. All of it is true of products, so what is proved stays proved; what is
// refuted need not be (weaker()).
#include <fmt/format.h>

#include "analysis/smt/encoder.h"
#include "analysis/smt/values.h"

namespace proviso::analysis::smt {

using ir::Expr;
using ir::Op;

std::string Encoder::opaque_product(const std::string& a, const std::string& b) {
    weaker_ = nonlinear_ = true;
    std::string x = named(a, "Int");
    std::string y = named(b, "Int");
    if (y < x) std::swap(x, y);
    for (const Product& p : products_) {
        if (p.left == x && p.right == y) return p.symbol;
    }
    products_.push_back({x, y, fmt::format("p{}", products_.size())});
    lines_.push_back(fmt::format("(declare-fun {} () Int)", products_.back().symbol));
    return products_.back().symbol;
}

// A product of floats is hard for its significand alone, which most claims do not depend on. What
// is said of it (IEEE 754-2019, 6.1 to 7.2): when it is NaN, zero by a zero factor, and its sign.
std::string Encoder::opaque_float_product(ir::ScalarType type, const std::string& a,
                                          const std::string& b) {
    weaker_ = true;
    std::string x = named(a, sort_of(type));
    std::string y = named(b, sort_of(type));
    if (y < x) std::swap(x, y);  // there is one NaN, so products commute
    const auto [function, is_new] = functions_.emplace("product:" + type.str(), "");
    if (is_new) {
        function->second = fmt::format("F{}", functions_.size() - 1);
        lines_.push_back(fmt::format("(declare-fun {} ({} {}) {})", function->second, sort_of(type),
                                     sort_of(type), sort_of(type)));
    }
    const std::string text = fmt::format("({} {} {})", function->second, x, y);
    const auto known = names_.find(text);
    if (known != names_.end()) return known->second;
    const std::string p = named(text, sort_of(type));
    lines_.push_back(fmt::format(
        "(assert (= (fp.isNaN {0}) (or (fp.isNaN {1}) (fp.isNaN {2}) (and (fp.isZero {1}) "
        "(fp.isInfinite {2})) (and (fp.isInfinite {1}) (fp.isZero {2})))))",
        p, x, y));
    lines_.push_back(fmt::format(
        "(assert (=> (not (fp.isNaN {0})) (and (= (fp.isNegative {0}) (xor (fp.isNegative {1}) "
        "(fp.isNegative {2}))) (=> (or (fp.isZero {1}) (fp.isZero {2})) (fp.isZero {0})))))",
        p, x, y));
    return p;
}

// x = d * q + r, where the divisor is not 0: the remainder is between 0 and the divisor, and has
// the divisor's sign; in the truncating family the dividend's.
std::string Encoder::opaque_division(Expr e, const std::string& dividend,
                                     const std::string& divisor) {
    weaker_ = nonlinear_ = true;
    const std::string x = named(dividend, "Int");
    const std::string d = named(divisor, "Int");
    const bool floors = e->op == Op::FloorDiv || e->op == Op::FloorMod;
    const std::string key = fmt::format("{} {} {}", x, floors ? "//" : "/", d);
    const auto [at, is_new] = quotients_.emplace(key, std::pair<std::string, std::string>{});
    if (is_new) {
        const std::size_t n = quotients_.size() - 1;
        at->second = {fmt::format("q{}", n), fmt::format("r{}", n)};
        const auto [q, r] = at->second;
        lines_.push_back(fmt::format("(declare-fun {} () Int)", q));
        lines_.push_back(fmt::format("(declare-fun {} () Int)", r));
        const std::string p = opaque_product(q, d);
        const auto assert_where = [&](const std::string& guard, const std::string& bounds) {
            lines_.push_back(
                fmt::format("(assert (=> {} (and (= {} (+ {} {})) {})))", guard, x, p, r, bounds));
        };
        if (floors) {
            assert_where(fmt::format("(> {} 0)", d), fmt::format("(<= 0 {0}) (< {0} {1})", r, d));
            assert_where(fmt::format("(< {} 0)", d), fmt::format("(<= {0} 0) (< {1} {0})", r, d));
        } else {
            const std::string sign =
                fmt::format("(=> (>= {0} 0) (<= 0 {1})) (=> (<= {0} 0) (<= {1} 0))", x, r);
            assert_where(fmt::format("(> {} 0)", d),
                         fmt::format("{0} (< {1} {2}) (< (- {1}) {2})", sign, r, d));
            assert_where(fmt::format("(< {} 0)", d),
                         fmt::format("{0} (< {1} (- {2})) (< {2} {1})", sign, r, d));
        }
    }
    const bool quotient = e->op == Op::FloorDiv || e->op == Op::TruncDiv;
    const auto& names = quotients_.at(key);
    return quotient ? names.first : names.second;
}

void Encoder::add_product_lemmas() {
    constexpr std::size_t most = 160;
    std::size_t count = 0;
    // xn and yn are x * n and y * n.
    const auto compare = [&](const std::string& x, const std::string& xn, const std::string& y,
                             const std::string& yn, const std::string& n) {
        if (count >= most) return;
        count += 3;
        const char* mono = "(assert (=> (and (> {} 0) (< {} {})) (<= (+ {} {}) {})))";
        lines_.push_back(fmt::format(fmt::runtime(mono), n, x, y, xn, n, yn));
        lines_.push_back(fmt::format(fmt::runtime(mono), n, y, x, yn, n, xn));
        lines_.push_back(fmt::format("(assert (=> (= {} {}) (= {} {})))", x, y, xn, yn));
    };
    const auto factors = [](const Product& p) {
        return std::vector<std::pair<std::string, std::string>>{{p.left, p.right},
                                                                {p.right, p.left}};
    };
    for (std::size_t i = 0; i < products_.size(); ++i) {
        for (const auto& [x, n] : factors(products_[i])) {
            compare(x, products_[i].symbol, "0", "0", n);
            compare(x, products_[i].symbol, "1", n, n);
            for (std::size_t j = i + 1; j < products_.size(); ++j) {
                for (const auto& [y, m] : factors(products_[j])) {
                    if (m == n) compare(x, products_[i].symbol, y, products_[j].symbol, n);
                }
            }
        }
    }
}

}  // namespace proviso::analysis::smt
