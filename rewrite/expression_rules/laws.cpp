#include "rewrite/expression_rules/laws.h"

#include <algorithm>
#include <iterator>
#include <sstream>
#include <utility>

#include "ir/children.h"
#include "ir/text.h"

namespace proviso::rewrite {

using ir::Expr;

namespace {

// name, terms, premises, claims, lemmas, note
// clang-format off
constexpr Law kLaws[] = {
    {"assoc", "a b n", "", "(a * b) * n == a * (b * n)"},
    {"swap", "a b c", "", "(a * b) * c == (a * c) * b"},
    {"sum", "a b n", "", "(a + b) * n == a * n + b * n"},
    {"difference", "a b n", "", "(a - b) * n == a * n - b * n"},
    {"negation", "a n", "", "(-a) * n == -(a * n)"},
    {"negations", "a b", "", "(-a) * (-b) == a * b"},
    {"factor", "x a b n", "a == b * n", "x * a == (x * b) * n", "",
     "a multiple of n, scaled, is the scaled quotient times n"},
    {"scale", "a b n", "a == b", "a * n == b * n"},
    {"mono", "a b n", "0 < n; a < b", "a * n + n <= b * n"},
    {"mono-negative", "a b n", "n < 0; a < b", "b * n <= a * n + n"},
    {"order", "a b n", "0 <= n; a <= b", "a * n <= b * n"},
    {"grow", "x n", "1 <= n", "x <= x * n or x < 0; x * n <= x or 0 < x", "",
     "scaling leads away from zero"},
    {"sign", "x n", "0 < n", "0 < x * n or x <= 0; x * n < 0 or 0 <= x; x * n == 0 or x != 0"},
    {"product-positive", "a b", "0 < a; 0 < b", "0 < a * b; a <= a * b; b <= a * b"},
    {"bit", "x n", "0 <= x; x <= 1", "x * n == 0 or x == 1; x * n == n or x == 0", "",
     "a term of two values"},

    {"division", "a d", "0 < d", "a == (a // d) * d + a % d; 0 <= a % d; a % d < d"},
    {"whole", "a d", "d != 0",
     "a == (a // d) * d + a % d; a == T.truncdiv(a, d) * d + T.truncmod(a, d)"},
    {"division-negative", "a d", "d < 0", "a // d == (-a) // (-d); a % d == -((-a) % (-d))"},
    {"truncation", "a d", "0 < d",
     "T.truncdiv(a, d) == a // d or a < 0; T.truncdiv(a, d) == -((-a) // d) or 0 < a; "
     "T.truncmod(a, d) == a % d or a < 0; T.truncmod(a, d) == -((-a) % d) or 0 < a"},
    {"truncated", "a d q r",
     "d != 0; a == q * d + r; (0 <= a and 0 <= r) or (a <= 0 and r <= 0); "
     "(-d < r and r < d) or (d < r and r < -d)",
     "T.truncdiv(a, d) == q; T.truncmod(a, d) == r",
     "scale(T.truncdiv(a, d), q, d); mono(T.truncdiv(a, d), q, d); mono(q, T.truncdiv(a, d), d); "
     "mono-negative(T.truncdiv(a, d), q, d); mono-negative(q, T.truncdiv(a, d), d)",
     "quotient and remainder toward zero are the only ones"},
    {"truncation-negative", "a d", "d < 0",
     "T.truncdiv(a, d) == -T.truncdiv(a, -d); T.truncmod(a, d) == T.truncmod(a, -d)",
     "negation(d, T.truncdiv(a, -d)); negation(T.truncdiv(a, -d), d); "
     "truncated(a, d, -T.truncdiv(a, -d), T.truncmod(a, -d))"},
    {"quotient", "a d q", "0 < d; q * d <= a; a < q * d + d", "a // d == q; a % d == a - q * d",
     "mono(a // d, q, d); mono(q, a // d, d); scale(a // d, q, d)",
     "quotient and remainder are the only ones"},
    {"exact", "a q d", "d != 0; a == q * d",
     "a // d == q; a % d == 0; T.truncdiv(a, d) == q; T.truncmod(a, d) == 0",
     "quotient(a, d, q); negation(d, q); division-negative(a, d); quotient(-a, -d, q); "
     "truncated(a, d, q, 0)"},
    {"away", "a q b n", "n != 0; a == q * n + b", "a // n == q + b // n; a % n == b % n",
     "sum(q, b // n, n); quotient(a, n, q + b // n); negation(n, q); negation(n, b // n); "
     "division-negative(a, n); division-negative(b, n); quotient(-a, -n, q + b // n)",
     "multiples of the divisor come out"},
    {"drop-rest", "x y k n m v", "m == k * n; 0 < k; 0 < n; 0 <= y; y < n; v == x * n + y",
     "v // m == x // k; v % m == (x % k) * n + y",
     "product-positive(k, n); factor(x // k, m, k, n); scale(x, (x // k) * k + x % k, n); "
     "sum((x // k) * k, x % k, n); mono(x % k, k, n); sign(x % k, n); quotient(v, m, x // k)",
     "digits below the divisor do not carry"},
    {"scaled", "x k n m v", "m == k * n; k != 0; n != 0; v == x * n",
     "v // m == x // k; v % m == (x % k) * n",
     "drop-rest(x, 0, k, n, m, v); drop-rest(-x, 0, -k, -n, m, v); "
     "drop-rest(-x, 0, -k, n, -m, -v); drop-rest(x, 0, k, -n, -m, -v); "
     "negation(k, n); negation(n, k); negations(k, n); negation(x, n); negation(n, x); "
     "negations(x, n); negation(n, x % k); negation(x % k, n); negations(x % k, n); "
     "division-negative(x, k); division-negative(v, m)",
     "a common factor of dividend and divisor, whatever the signs"},
    {"scaled-truncated", "x k n m v", "m == k * n; k != 0; n != 0; v == x * n",
     "T.truncdiv(v, m) == T.truncdiv(x, k); T.truncmod(v, m) == T.truncmod(x, k) * n",
     "whole(x, k); whole(v, m); scaled(x, k, n, m, v); scaled(-x, k, n, m, -v); "
     "negation(x, n); negation((-x) % k, n); sign(x, n); sign(x, -n); negation(n, x); "
     "truncation(x, k); truncation(v, m); truncation(x, -k); truncation(v, -m); "
     "truncation-negative(x, k); truncation-negative(v, m); "
     "scaled(x, -k, n, -m, v); scaled(-x, -k, n, -m, -v); negation(k, n); "
     "negation((-x) % (-k), n)"},
    {"nested-positive", "x a b m u", "m == a * b; 0 < a; 0 < b; u == x // a",
     "u // b == x // m; x % m == (u % b) * a + x % a; (x % m) // a == u % b; (x % m) % a == x % a",
     "product-positive(a, b); scale(u, (u // b) * b + u % b, a); sum((u // b) * b, u % b, a); "
     "factor(u // b, m, b, a); mono(u % b, b, a); sign(u % b, a); quotient(x, m, u // b); "
     "quotient(x % m, a, u % b)"},
    {"nested", "x a b m u", "m == a * b; a != 0; 0 < b; u == x // a",
     "u // b == x // m; x % m == (u % b) * a + x % a; (x % m) // a == u % b; (x % m) % a == x % a",
     "nested-positive(x, a, b, m, u); nested-positive(-x, -a, b, -m, u); negation(a, b); "
     "product-positive(a, b); product-positive(-a, b); negation(a, u % b); "
     "division-negative(x, a); division-negative(x, m); division-negative(x % m, a)",
     "two divisions are one by the product of the divisors, and its remainder has two digits"},
    {"nested-truncated-positive", "x a b m u", "m == a * b; 0 < a; 0 < b; u == T.truncdiv(x, a)",
     "T.truncdiv(u, b) == T.truncdiv(x, m)",
     "product-positive(a, b); truncation(x, a); truncation(u, b); truncation(x, m); "
     "nested-positive(x, a, b, m, u); nested-positive(-x, a, b, m, -u); division(x, a); "
     "division(-x, a); sign((-x) // a, a); sign(x // a, a)"},
    {"nested-truncated", "x a b m u", "m == a * b; a != 0; b != 0; u == T.truncdiv(x, a)",
     "T.truncdiv(u, b) == T.truncdiv(x, m)",
     "nested-truncated-positive(x, a, b, m, u); nested-truncated-positive(x, -a, b, -m, -u); "
     "nested-truncated-positive(x, a, -b, -m, u); nested-truncated-positive(x, -a, -b, m, -u); "
     "negation(a, b); negation(b, a); negations(a, b); truncation-negative(x, a); "
     "truncation-negative(x, m); truncation-negative(u, b); truncation-negative(-u, b); "
     "truncation(u, b); truncation(-u, b); truncation(u, -b); truncation(-u, -b); "
     "product-positive(a, b); product-positive(-a, b); product-positive(a, -b); "
     "product-positive(-a, -b)",
     "rounding toward zero twice is rounding once, whatever the signs"},
    {"residue", "x m k n", "m == k * n; n != 0; m != 0",
     "(x % m) % n == x % n; x // n == (x // m) * k + (x % m) // n",
     "whole(x, m); factor(x // m, m, k, n); away(x, (x // m) * k, x % m, n); "
     "division-negative(x, n); division-negative(x % m, n); negation(n, (x // m) * k); "
     "away(-x, (x // m) * k, -(x % m), -n)",
     "remainders by a multiple of the divisor do not change it, whatever the signs"},
};
// clang-format on

std::vector<std::string> parts(std::string_view text) {
    std::vector<std::string> out;
    std::stringstream in{std::string(text)};
    for (std::string part; std::getline(in, part, ';');) out.push_back(part);
    return out;
}

// "name(term, term, ..)"
std::pair<std::string, std::vector<std::string>> read_use(const std::string& text) {
    const std::size_t open = text.find('(');
    const std::size_t start = text.find_first_not_of(' ');
    std::pair<std::string, std::vector<std::string>> out{text.substr(start, open - start), {""}};
    int depth = 0;
    for (std::size_t i = open + 1; i < text.rfind(')'); ++i) {
        depth += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
        if (text[i] == ',' && depth == 0) {
            out.second.emplace_back();
        } else {
            out.second.back() += text[i];
        }
    }
    return out;
}

struct ReadLaw {
    std::vector<Expr> parameters;
    std::vector<Expr> premises;
    std::vector<Expr> claims;
};

ReadLaw read_law(ir::Context& ctx, const Law& law, ir::ScalarType kind, ir::Scope& scope) {
    ReadLaw out;
    for (const std::string& name : law.parameters()) {
        // Names that no pattern variable has: arguments may speak of x and c0.
        out.parameters.push_back(ctx.var("law_" + name, kind));
        scope.vars[name] = out.parameters.back();
    }
    const auto read = [&](std::string_view text, std::vector<Expr>& into) {
        for (const std::string& part : parts(text)) {
            Result<Expr> e = ir::parse_expr(ctx, part, scope, ir::kBool, "law");
            PROVISO_CHECK(e.ok(), "a law that does not read: " + e.error().str());
            into.push_back(*e);
        }
    };
    read(law.premises, out.premises);
    read(law.claims, out.claims);
    return out;
}

}  // namespace

std::vector<std::string> Law::parameters() const {
    std::istringstream in{std::string(terms)};
    return {std::istream_iterator<std::string>(in), {}};
}

std::span<const Law> laws() {
    return kLaws;
}

const Law* find_law(std::string_view name) {
    const auto* found = std::find_if(std::begin(kLaws), std::end(kLaws),
                                     [&](const Law& l) { return l.name == name; });
    return found == std::end(kLaws) ? nullptr : found;
}

analysis::Obligation law_obligation(ir::Context& ctx, const Law& law, ir::ScalarType kind) {
    ir::Scope scope;
    const ReadLaw read = read_law(ctx, law, kind, scope);
    analysis::Obligation out({.words = "law " + std::string(law.name)}, read.premises,
                             ctx.all_of(read.claims), read.parameters);
    for (const std::string& lemma : parts(law.lemmas)) {
        const auto [name, terms] = read_use(lemma);
        const Law* used = find_law(name);
        PROVISO_CHECK(used != nullptr && used < &law, "a law that rests on a later one: " + name);
        std::vector<Expr> args;
        for (const std::string& term : terms) {
            Result<Expr> e = ir::parse_expr(ctx, term, scope, kind, "law");
            PROVISO_CHECK(e.ok(), "a law that does not read: " + e.error().str());
            args.push_back(*e);
        }
        out.facts.push_back(law_instance(ctx, *used, kind, args));
    }
    return out;
}

Expr law_instance(ir::Context& ctx, const Law& law, ir::ScalarType kind,
                  const std::vector<Expr>& args) {
    ir::Scope scope;
    const ReadLaw read = read_law(ctx, law, kind, scope);
    PROVISO_CHECK(args.size() == read.parameters.size(), "a law with too few or too many terms");
    std::vector<std::pair<Expr, Expr>> terms;
    for (std::size_t i = 0; i < args.size(); ++i) terms.emplace_back(read.parameters[i], args[i]);
    const Expr claim = ctx.all_of(read.claims);
    const Expr whole =
        read.premises.empty() ? claim : ctx.implies(ctx.all_of(read.premises), claim);
    return ir::substitute(ctx, whole, {terms.begin(), terms.end()});
}

}  // namespace proviso::rewrite
