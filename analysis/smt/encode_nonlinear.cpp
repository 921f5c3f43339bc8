// Products and divisions of unknowns in the linearised form. A product of integers is an opaque
// constant, and of every two products with a common factor n the solver is told what it would have
// to find itself:
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
