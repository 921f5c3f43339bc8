// Claims made up: the index arithmetic of splits, tiles, padding and symbolic sizes, sometimes with
// a constant moved by one, so that a good part is false. What is true is for the solvers to say.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "bench/corpus.h"
#include "fuzz/gen/choice.h"

namespace proviso::bench {

namespace {

using fuzz::Choice;

struct Draft {
    std::string family;
    std::vector<std::string> given;
    std::string goal;
};

class Generator {
  public:
    explicit Generator(std::uint64_t seed) : choice_(seed) {}

    Draft draft() {
        switch (choice_.weighted({5, 3, 3, 3, 3, 3, 4, 3, 2})) {
            case 0: return digits();
            case 1: return injective();
            case 2: return quotients();
            case 3: return ceilings();
            case 4: return clamps();
            case 5: return padding();
            case 6: return symbolic_digits();
            case 7: return symbolic_bounds();
            default: return guards();
        }
    }

  private:
    // Now and then one off.
    std::int64_t near(std::int64_t value) {
        if (!choice_.chance(7)) return value;
        return value + (choice_.chance(50) ? 1 : -1);
    }
    void range(Draft& d, const std::string& v, std::int64_t extent) {
        d.given.push_back(fmt::format("{} >= 0", v));
        d.given.push_back(fmt::format("{} < {}", v, near(extent)));
    }

    // Digits of mixed radices, the outermost without a bound.
    Draft digits() {
        Draft d{"digits", {}, {}};
        const int count = static_cast<int>(choice_.between(2, 4));
        std::vector<std::int64_t> radix;
        std::string index = "d0";
        for (int k = 1; k < count; ++k) {
            radix.push_back(choice_.between(2, 17));
            const std::string v = fmt::format("d{}", k);
            range(d, v, radix.back());
            index = k == 1 ? fmt::format("{} * {} + {}", index, radix.back(), v)
                           : fmt::format("({}) * {} + {}", index, radix.back(), v);
        }
        if (choice_.chance(50)) range(d, "d0", choice_.between(2, 40));
        const auto at = static_cast<std::size_t>(choice_.between(0, count - 1));
        std::int64_t below = 1;
        for (std::size_t k = at; k < radix.size(); ++k) below *= radix[k];
        std::string digit =
            below == 1 ? fmt::format("({})", index) : fmt::format("({}) // {}", index, near(below));
        if (at > 0) digit = fmt::format("{} % {}", digit, near(radix[at - 1]));
        d.goal = fmt::format("{} == d{}", digit, at);
        return d;
    }

    Draft injective() {
        Draft d{"injective", {}, {}};
        const std::int64_t b = choice_.between(2, 12);
        const std::int64_t c = choice_.between(2, 9);
        const bool three = choice_.chance(50);
        for (const char* v : {"1", "2"}) {
            range(d, fmt::format("b{}", v), b);
            if (three) range(d, fmt::format("c{}", v), c);
        }
        const auto index = [&](const char* v) {
            return three ? fmt::format("a{0} * {1} + b{0} * {2} + c{0}", v, b * c, c)
                         : fmt::format("a{0} * {1} + b{0}", v, b);
        };
        d.given.push_back(fmt::format("{} == {}", index("1"), index("2")));
        const char* which = choice_.pick<const char*>({"a", "b", three ? "c" : "b"});
        d.goal = fmt::format("{0}1 == {0}2", which);
        return d;
    }

    Draft quotients() {
        Draft d{"quotients", {}, {}};
        const std::int64_t a = choice_.between(2, 9);
        const std::int64_t b = choice_.between(2, 9);
        switch (choice_.between(0, 6)) {
            case 0: d.goal = fmt::format("x // {} // {} == x // {}", a, b, near(a * b)); break;
            case 1: d.goal = fmt::format("x % {} % {} == x % {}", near(a * b), a, a); break;
            case 2:
                d.goal = fmt::format("x % {} // {} == x // {} % {}", a * b, a, a, near(b));
                break;
            case 3:
                d.given = {fmt::format("x {} y", choice_.pick<const char*>({"<=", "<", ">="}))};
                d.goal = fmt::format("x // {0} <= y // {0}", a);
                break;
            case 4:
                d.goal = fmt::format("(x + {}) // {} == x // {} + {}", a * b, a, a, near(b));
                break;
            case 5:
                d.given = {fmt::format("x - y == {} * k", near(a * b))};
                d.goal = fmt::format("x % {0} == y % {0}", a);
                break;
            default:
                d.goal = fmt::format("x // {0} * {0} + x // {1} % {2} * {1} + x % {1} == x", a * b,
                                     a, near(b));
        }
        return d;
    }

    Draft ceilings() {
        Draft d{"ceilings", {}, {}};
        const std::int64_t t = choice_.between(2, 33);
        const std::string up = fmt::format("(n + {}) // {}", near(t - 1), t);
        switch (choice_.between(0, 3)) {
            case 0: d.goal = fmt::format("{} * {} >= n", up, t); break;
            case 1: d.goal = fmt::format("{} * {} < n + {}", up, t, near(t)); break;
            case 2:
                d.given = {"i >= 0", "i < n"};
                d.goal = fmt::format("i // {} < {}", t, up);
                break;
            default:
                d.given = {fmt::format("io < {}", up), "io >= 0", "ii >= 0",
                           fmt::format("ii < {}", t), fmt::format("io * {} + ii < n", t)};
                d.goal = fmt::format("io <= (n - 1) // {}", t);
        }
        return d;
    }

    Draft clamps() {
        Draft d{"clamps", {}, {}};
        const std::int64_t lo = choice_.between(-3, 3);
        const std::int64_t hi = lo + choice_.between(1, 20);
        switch (choice_.between(0, 3)) {
            case 0: d.goal = fmt::format("T.min(T.max(x, {}), {}) <= {}", lo, hi, near(hi)); break;
            case 1:
                d.given = {fmt::format("x >= {}", near(lo)), fmt::format("x <= {}", near(hi))};
                d.goal = fmt::format("T.min(T.max(x, {}), {}) == x", lo, hi);
                break;
            case 2:
                d.given = {"x <= y"};
                d.goal = fmt::format("T.min(x, {}) {} T.min(y, {})", hi,
                                     choice_.pick<const char*>({"<=", "<"}), near(hi));
                break;
            default:
                d.given = {"i >= 0", fmt::format("i < {}", hi + 8)};
                d.goal =
                    fmt::format("T.if_then_else(i < {}, i, {}) < {}", hi + 4, lo + 3, near(hi + 4));
        }
        return d;
    }

    // A shape that the tile does not divide, and its padding.
    Draft padding() {
        Draft d{"padding", {}, {}};
        const std::int64_t t = choice_.between(2, 9);
        const std::int64_t n = choice_.between(t + 1, 60);
        const std::int64_t tiles = (n + t - 1) / t;
        range(d, "io", tiles);
        range(d, "ii", t);
        const std::string index = fmt::format("io * {} + ii", t);
        switch (choice_.between(0, 3)) {
            case 0: d.goal = fmt::format("{} < {}", index, near(tiles * t)); break;
            case 1:
                d.given.push_back(fmt::format("{} >= {}", index, n));
                d.goal = fmt::format("io == {} and ii >= {}", tiles - 1, near(n - (tiles - 1) * t));
                break;
            case 2:
                d.given.push_back(fmt::format("not {} < {}", index, n));
                d.goal = fmt::format("{} != x or x >= {}", index, near(n));
                break;
            default:
                d.given.push_back(fmt::format("{} < {}", index, n));
                d.goal = fmt::format("io < {} or ii < {}", tiles - 1, near(n - (tiles - 1) * t));
        }
        return d;
    }

    Draft symbolic_digits() {
        Draft d{"symbolic digits", {}, {}};
        d.given = {"n > 0", "j >= 0", choice_.chance(90) ? "j < n" : "j <= n"};
        switch (choice_.between(0, 5)) {
            case 0: d.goal = "(i * n + j) // n == i"; break;
            case 1: d.goal = "(i * n + j) % n == j"; break;
            case 2: d.goal = fmt::format("(i * n + j + n * 3) // n == i + {}", near(3)); break;
            case 3:
                d.given.insert(d.given.end(), {"k >= 0", "k < n", "i * n + j == l * n + k"});
                d.goal = choice_.chance(50) ? "i == l" : "j == k";
                break;
            case 4: d.goal = "(i * n + j) // n * n + (i * n + j) % n == i * n + j"; break;
            default:
                d.given.insert(d.given.end(), {"i >= 0", "i < 4"});
                d.goal = fmt::format("(i * n + j) // n < {}", near(4));
        }
        return d;
    }

    Draft symbolic_bounds() {
        Draft d{"symbolic bounds", {}, {}};
        const std::int64_t t = choice_.between(2, 16);
        d.given = {"i >= 0", choice_.chance(90) ? "i < m" : "i <= m", "j >= 0"};
        switch (choice_.between(0, 4)) {
            case 0:
                d.given.push_back("j < n");
                d.goal = "i * n + j < m * n";
                break;
            case 1:
                d.given.push_back(fmt::format("j < {}", t));
                d.goal = fmt::format("i * {} + j < m * {}", t, near(t));
                break;
            case 2:
                d.given.push_back("j < n");
                d.goal = "i * n + j >= 0";
                break;
            case 3:
                d.given.insert(d.given.end(), {"j < n", "k >= 0", fmt::format("k < {}", near(t))});
                d.goal = fmt::format("(i * n + j) * {0} + k < m * n * {0}", t);
                break;
            default:
                d.given.insert(d.given.end(), {"j < n", "x == i * n + j"});
                d.goal = choice_.chance(60) ? "x <= m * n - 1" : "x <= m * n - n";
        }
        return d;
    }

    // Boolean structure over bounds.
    Draft guards() {
        Draft d{"guards", {}, {}};
        const std::int64_t a = choice_.between(1, 20);
        const std::int64_t b = choice_.between(1, 20);
        switch (choice_.between(0, 2)) {
            case 0:
                d.given = {fmt::format("x + y < {}", a + b)};
                d.goal = fmt::format("x < {} or y < {}", a, near(b));
                break;
            case 1:
                d.given = {fmt::format("x < {} or y < {}", a, b), fmt::format("x >= {}", near(a))};
                d.goal = fmt::format("y < {}", b);
                break;
            default:
                d.goal = fmt::format(
                    "(x < {0} and (y < {1} or z)) == "
                    "((x < {0} and y < {1}) or (x < {2} and z))",
                    a, b, near(a));
        }
        return d;
    }

    Choice choice_;
};

}  // namespace

std::vector<Claim> generate_claims(std::uint64_t seed, std::size_t count) {
    Generator generator(seed);
    std::vector<Claim> out;
    std::vector<std::string> seen;
    for (std::size_t tries = 0; out.size() < count && tries < count * 20; ++tries) {
        const Draft d = generator.draft();
        nlohmann::json fields = {{"given", d.given}, {"goal", d.goal}};
        if (d.goal.find(" z)") != std::string::npos) fields["vars"] = {{"z", "bool"}};
        const std::string text = fields.dump();
        if (std::find(seen.begin(), seen.end(), text) != seen.end()) continue;
        seen.push_back(text);
        out.push_back({"generated: " + d.family, text});
    }
    return out;
}

}  // namespace proviso::bench
