// `while` with a bound that is seen: read as a `for`; and near misses, which are kept.
#include <random>

#include "tests/ir/text/results.h"

namespace proviso::ir {
namespace {

using testing::HasSubstr;

constexpr const char* kCell = " = T.alloc_buffer((1,), \"int32\", scope=\"local\")\n";

struct TextWhile : TextResults {
    static constexpr const char* kInts =
        "B: T.Buffer((8,), \"int32\"), C: T.Buffer((8,), \"int32\"), n: T.int32";
    // The cells of B after a run.
    std::string cells(const std::string& body, const std::vector<std::int64_t>& b,
                      std::int64_t n = 0, const std::vector<std::int64_t>& c = {}) {
        const auto tensor = [](std::vector<std::int64_t> cells) {
            cells.resize(8);
            return Tensor::of(kInt32, {8}, std::vector<double>(cells.begin(), cells.end()));
        };
        return result(function(kInts, body),
                      Inputs{{"B", tensor(b)}, {"C", tensor(c)}, {"n", Value::of_int(Integer(n))}},
                      "B");
    }
    static std::string words(std::vector<std::int64_t> cells) {
        cells.resize(8);
        std::string out;
        for (const std::int64_t x : cells) out += (out.empty() ? "" : " ") + std::to_string(x);
        return out;
    }
    void kept(const std::string& body) {
        const auto f = parse_program(ctx, function(kInts, body), "f.py");
        ASSERT_TRUE(f.ok()) << body << f.error().str();
        ASSERT_EQ(f->opaque.size(), 1U) << body << f->canonical;
        EXPECT_THAT(f->opaque[0].reason.message, HasSubstr("no bound on its iterations is seen"));
    }
    std::mt19937 random{14};
    std::int64_t pick(std::int64_t lo, std::int64_t hi) {
        return lo + static_cast<std::int64_t>(random() % static_cast<unsigned>(hi - lo + 1));
    }
};

// Where the condition says what the count says, it is gone.
TEST_F(TextWhile, ACounterIsALoop) {
    const std::string cell = std::string("i") + kCell;
    body_as(
        cell +
            "i[0] = 0\nwhile i[0] < n:\n    B[0] = B[0] + i[0]\n    i[0] = i[0] + 1\nB[1] = i[0]",
        cell +
            "i[0] = 0\nfor step in range(n):\n    B[0] = B[0] + i[0]\n    i[0] = i[0] + 1\n"
            "B[1] = i[0]");
    body_as("i: T.int32 = 3\nwhile i < 20:\n    B[0] = i\n    i += 4",
            cell + "i[0] = 3\nfor step in range(5):\n    B[0] = i[0]\n    i[0] = i[0] + 4");
    // From memory: under the condition, so that nothing is observed that the `while` does not.
    body_as(cell + "i[0] = B[0]\nwhile 0 < i[0]:\n    i[0] = i[0] - 1\n    B[1] = i[0]",
            cell +
                "i[0] = B[0]\nif 0 < i[0]:\n    last: T.int32 = i[0]\n"
                "    for step in range(last):\n        i[0] = i[0] - 1\n        B[1] = i[0]");
    // Other conditions stay as a guard, and are tested before the first iteration as well.
    body_as(cell + "i[0] = 0\nwhile i[0] < 8 and B[i[0]] != 0:\n    i[0] = i[0] + 1",
            cell +
                "i[0] = 0\nfor step in range(8):\n"
                "    if i[0] < 8 and B[i[0]] != 0:\n        i[0] = i[0] + 1");
    body_as(cell + "i[0] = 0\nwith T.While(i[0] <= 6):\n    i[0] = i[0] + 1",
            cell + "i[0] = 0\nfor step in range(7):\n    i[0] = i[0] + 1");
}

TEST_F(TextWhile, OtherFormsHaveTheWidthOfTheTypeAsBound) {
    body_as("s: T.int32 = 64\nwhile s > 0:\n    B[0] = s\n    s = s // 2",
            std::string("s") + kCell +
                "s[0] = 64\nfor step in range(31):\n    if 0 < s[0]:\n        B[0] = s[0]\n"
                "        s[0] = s[0] // 2");
    body_as(
        "lo: T.int32 = 0\nhi: T.int32 = 8\nwhile lo < hi:\n"
        "    mid: T.int32 = lo + (hi - lo) // 2\n"
        "    if B[mid] < n:\n        lo = mid + 1\n    else:\n        hi = mid\nB[0] = lo",
        std::string("lo") + kCell + "lo[0] = 0\nhi" + kCell +
            "hi[0] = 8\nfor step in range(32):\n    if lo[0] < hi[0]:\n"
            "        mid: T.int32 = lo[0] + (hi[0] - lo[0]) // 2\n"
            "        if B[mid] < n:\n            lo[0] = mid + 1\n        else:\n"
            "            hi[0] = mid\nB[0] = lo[0]");
}

TEST_F(TextWhile, CountersRunAsTheWhileDoes) {
    for (int k = 0; k < 60; ++k) {
        const std::int64_t start = pick(-40, 40);
        const std::int64_t end = pick(-40, 40);
        const std::int64_t by = pick(1, 7);
        for (const bool up : {true, false}) {
            for (const bool inclusive : {true, false}) {
                std::int64_t i = start;
                std::int64_t sum = 0;
                std::int64_t rounds = 0;
                const auto goes_on = [&] {
                    const std::int64_t a = up ? i : end;
                    const std::int64_t b = up ? end : i;
                    return inclusive ? a <= b : a < b;
                };
                for (; goes_on(); i += up ? by : -by) {
                    sum = sum * 3 % 1000 + i;
                    ++rounds;
                }
                const std::string sign = inclusive ? " <= " : " < ";
                const std::string cond = up ? "C[0]" + sign + "n" : "n" + sign + "C[0]";
                const std::string lines =
                    ":\n    B[0] = T.truncmod(B[0] * 3, 1000) + C[0]\n    B[1] = B[1] + 1\n"
                    "    C[0] = C[0] " +
                    std::string(up ? "+ " : "- ") + std::to_string(by) + "\n";
                const std::string ends = "B[2] = C[0]";
                const std::string expected = words({sum, rounds, i});
                EXPECT_EQ(cells("while " + cond + lines + ends, {}, end, {start}), expected);
                EXPECT_EQ(
                    cells("C[0] = " + std::to_string(start) + "\nwhile " + cond + lines + ends, {},
                          end),
                    expected);
                // With a second condition that ends it, and with a break.
                i = start;
                sum = rounds = 0;
                for (; goes_on() && rounds < 4; i += up ? by : -by) {
                    sum = sum * 3 % 1000 + i;
                    ++rounds;
                }
                const std::string early = words({sum, rounds, i});
                EXPECT_EQ(cells("while " + cond + " and B[1] < 4" + lines + ends, {}, end, {start}),
                          early);
                EXPECT_EQ(cells("while B[1] < 4 and " + cond + lines + ends, {}, end, {start}),
                          early);
                EXPECT_EQ(cells("while " + cond + ":\n    if B[1] == 4:\n        break" +
                                    lines.substr(1) + ends,
                                {}, end, {start}),
                          early);
            }
        }
    }
}

TEST_F(TextWhile, ExtremesAreInRange) {
    // Trap: the distance of the two, or the number after the last one, leaves int32.
    const std::string lines = ":\n    B[0] = B[0] + 1\n    C[0] = C[0] + 1073741824";
    EXPECT_EQ(cells("while C[0] < n" + lines, {}, 1073741824, {-2147483648}), words({3}));
    EXPECT_EQ(cells("while C[0] <= n and B[0] < 3" + lines, {}, 2147483647, {-2147483648}),
              words({3}));
    EXPECT_EQ(
        cells("while 0 < C[0]:\n    B[0] = B[0] + 1\n    C[0] = C[0] // 2", {}, 0, {2147483647}),
        words({31}));
    EXPECT_EQ(cells("C[0] = 1\nwhile C[0] < n:\n    B[0] = B[0] + 1\n    C[0] = C[0] * 2", {},
                    1073741824),
              words({30}));
    // As the `while` does: a fault where the next store is out of range, none where it is not.
    EXPECT_THAT(cells("C[0] = 1\nwhile C[0] < n:\n    C[0] = C[0] * 2", {}, 2147483647),
                HasSubstr("out of range"));
    // The condition's own fault, or none.
    EXPECT_THAT(cells("while C[n] < 3 and 0 < C[0]:\n    C[0] = C[0] - 1", {}, 8),
                HasSubstr("out of bounds"));
    EXPECT_EQ(cells("while C[0] < 3 and C[n] < 3:\n    C[0] = C[0] + 1", {7}, 8, {3}), words({7}));
    EXPECT_THAT(cells(std::string("i") + kCell + "while i[0] < 0:\n    i[0] = i[0] + 1", {}),
                HasSubstr("indeterminate"));
}

TEST_F(TextWhile, BisectionsFindWhatTheyFind) {
    struct Form {
        std::string sign, mid, low, high;
    };
    const std::vector<Form> forms = {
        {"<", "lo + (hi - lo) // 2", "mid + 1", "mid"},
        {"<", "(lo + hi) // 2", "mid + 1", "mid"},
        {"<", "(lo + hi) >> 1", "mid + 1", "mid"},
        {"<", "(hi + lo + 1) // 2", "mid", "mid - 1"},
        {"<", "hi - (hi - lo) // 2", "mid", "mid - 1"},
        {"<=", "(lo + hi) // 2", "mid + 1", "mid - 1"},
        {"<=", "lo + (hi - lo) // 2", "mid + 1", "mid - 1"},
    };
    for (const Form& form : forms) {
        for (int k = 0; k < 40; ++k) {
            std::int64_t lo = pick(-1'000'000'000, 0);
            std::int64_t hi = lo + pick(-3, 1'000'000'000);
            const std::int64_t aim = pick(-1'000'000'000, 1'000'000'000);
            const std::string body = "lo: T.int32 = C[0]\nhi: T.int32 = C[1]\nwhile lo " +
                                     form.sign + " hi:\n    mid: T.int32 = " + form.mid +
                                     "\n    if mid < n:\n        lo = " + form.low +
                                     "\n    else:\n        hi = " + form.high +
                                     "\n    B[2] = B[2] + 1\n" + "B[0] = lo\nB[1] = hi";
            const std::vector<std::int64_t> at = {lo, hi};
            std::int64_t rounds = 0;
            const bool upper = form.low == "mid";
            for (; form.sign == "<" ? lo < hi : lo <= hi; ++rounds) {
                const std::int64_t down = lo + (hi - lo) / 2;
                const std::int64_t mid = upper ? hi - (hi - lo) / 2 : down;
                if (mid < aim) {
                    lo = upper ? mid : mid + 1;
                } else {
                    hi = form.high == "mid" ? mid : mid - 1;
                }
            }
            EXPECT_EQ(cells(body, {}, aim, at), words({lo, hi, rounds})) << body;
        }
    }
}

TEST_F(TextWhile, MergesTakeAsManyStepsAsBothListsHave) {
    const std::string merge =
        "p = T.alloc_buffer((2,), \"int32\", scope=\"local\")\np[0] = 0\np[1] = 0\n"
        "while p[0] < n and p[1] < 4:\n"
        "    if C[p[0]] <= C[4 + p[1]]:\n        B[p[0] + p[1]] = C[p[0]]\n        p[0] = p[0] + "
        "1\n"
        "    else:\n        B[p[0] + p[1]] = C[4 + p[1]]\n        p[1] = p[1] + 1";
    EXPECT_EQ(cells(merge, {}, 4, {1, 4, 6, 7, 2, 3, 5, 9}), words({1, 2, 3, 4, 5, 6, 7}));
    EXPECT_EQ(cells(merge, {}, 0, {1, 4, 6, 7, 2, 3, 5, 9}), words({}));
    const std::string sort =
        "i: T.int32 = 1\nwhile i < 8:\n    j: T.int32 = i\n"
        "    while 0 < j and B[j] < B[T.max(j - 1, 0)]:\n"
        "        t: T.let[T.int32] = B[j]\n        B[j] = B[j - 1]\n        B[j - 1] = t\n"
        "        j = j - 1\n    i = i + 1";
    EXPECT_EQ(cells(sort, {5, 2, 7, 1, 8, 0, 3, 3}), "0 1 2 3 3 5 7 8");
}

TEST_F(TextWhile, ExitsEndIt) {
    EXPECT_EQ(cells("while C[0] < 8:\n    if B[C[0]] == 0:\n        break\n    B[C[0]] = 9\n"
                    "    C[0] = C[0] + 1",
                    {1, 2, 0, 4}),
              words({9, 9, 0, 4}));
    EXPECT_EQ(cells("while C[0] < 8:\n    if B[C[0]] == 0:\n        return\n    B[C[0]] = 9\n"
                    "    C[0] = C[0] + 1\nB[7] = 1",
                    {1, 2, 0, 4}),
              words({9, 9, 0, 4}));
    EXPECT_EQ(cells("while C[0] < 8:\n    C[0] = C[0] + 1\n    if C[0] % 2 == 0:\n"
                    "        continue\n    B[C[0]] = 9",
                    {}),
              words({0, 9, 0, 9, 0, 9, 0, 9}));
    EXPECT_EQ(cells("while C[0] < 3:\n    C[0] = C[0] + 1\n    with T.While(C[1] < 8):\n"
                    "        if C[1] == C[0] * 2:\n            break\n        C[1] = C[1] + 1\n"
                    "    B[C[0]] = C[1]",
                    {}),
              words({0, 2, 4, 6}));
}

TEST_F(TextWhile, ABreakAtTheStartIsACondition) {
    const std::string cell = std::string("i") + kCell + "i[0] = 0\n";
    const std::string lines = "    B[0] = B[0] + i[0]\n    i[0] = i[0] + 1\nB[1] = i[0]";
    body_as(cell + "while True:\n    if i[0] >= n:\n        break\n" + lines,
            cell + "for step in range(n):\n" + lines);
    body_as(cell +
                "with T.While(T.bool(True)):\n    if 8 <= i[0] or B[i[0]] == 0:\n"
                "        T.break_loop()\n    else:\n        B[i[0]] = 9\n"
                "    i[0] = i[0] + 1",
            cell +
                "for step in range(8):\n    if i[0] < 8 and B[i[0]] != 0:\n"
                "        B[i[0]] = 9\n        i[0] = i[0] + 1");
}

TEST_F(TextWhile, ABreakAmongTheLinesLetsOneIterationMoreBegin) {
    for (int k = 0; k < 60; ++k) {
        const std::int64_t start = pick(-30, 30);
        const std::int64_t end = pick(-30, 30);
        const std::int64_t by = pick(1, 7);
        for (const bool late : {false, true}) {
            for (const bool inclusive : {true, false}) {
                std::int64_t i = start;
                std::int64_t sum = 0;
                std::int64_t rounds = 0;
                while (true) {
                    sum = sum * 3 % 1000 + i;
                    if (late) i += by;
                    if (inclusive ? end <= i : end < i) break;
                    ++rounds;
                    if (!late) i += by;
                }
                const std::string step = "    i += " + std::to_string(by) + "\n";
                const std::string body =
                    "i: T.int32 = " + std::to_string(start) +
                    "\nwhile True:\n    B[0] = T.truncmod(B[0] * 3, 1000) + i\n" +
                    (late ? step : "") + "    if n " + (inclusive ? "<=" : "<") +
                    " i:\n        break\n    B[1] = B[1] + 1\n" + (late ? "" : step) + "B[2] = i";
                EXPECT_EQ(cells(body, {}, end), words({sum, rounds, i})) << body;
            }
        }
    }
    // A sum is taken in int64, where it has a value; a `break` that bounds nothing goes first.
    const std::string sum =
        "i: T.int32 = 0\nwhile True:\n    B[0] = B[0] + 1\n"
        "    if n == 2147483647 or i >= n + 1:\n        break\n    i += 1073741824";
    EXPECT_EQ(cells(sum, {}, 2147483647), words({1}));
    EXPECT_EQ(cells(sum, {}, 100), words({2}));
    EXPECT_EQ(cells("i: T.int32 = 0\nwhile True:\n    if C[i % 8] == 5:\n        break\n"
                    "    if i >= n:\n        break\n    B[0] = B[0] + 1\n    i += 1",
                    {}, 20, {0, 0, 0, 5}),
              words({3}));
    // Halving, and a `return`; constants of another width.
    EXPECT_EQ(cells("C[0] = 100\nwhile True:\n    B[0] = B[0] + 1\n    if C[0] <= 0:\n"
                    "        return\n    C[0] = C[0] // 2",
                    {}),
              words({8}));
    EXPECT_EQ(cells("i: T.int32 = 2147483640\nwhile True:\n    B[0] = B[0] + 1\n"
                    "    if i == 2147483647 or 2147483646 < i:\n        break\n    i = i + 1",
                    {}),
              words({8}));
}

// Each is one word away from a form with a bound, and may run on for ever.
TEST_F(TextWhile, NearMissesAreKept) {
    for (const char* body : {
             "while C[0] != n:\n    C[0] = C[0] + 1",
             "while True:\n    C[0] = C[0] + 1",
             // a `break` that need not be passed, or whose bound is anew in each iteration
             "C[0] = 0\nwhile True:\n    if B[0] == 0:\n        if C[0] >= n:\n            break\n"
             "    C[0] = C[0] + 1",
             "C[0] = 0\nwhile True:\n    m: T.int32 = B[0]\n    if C[0] >= m:\n        break\n"
             "    C[0] = C[0] + 1\n    B[0] = B[0] + 1",
             "while True:\n    i: T.int32 = 0\n    i += 1\n    if i >= 3:\n        break",
             "C[0] = 0\nwhile True:\n    B[0] = 1\n    if C[0] >= n:\n        break\n"
             "    if B[1] == 0:\n        C[0] = C[0] + 1",
             // before the loop nothing says that the bound has a value: n may be 0, or anything
             "C[0] = 0\nwhile True:\n    B[0] = 1\n    if n == 0 or C[0] >= 100 // n:\n"
             "        break\n    C[0] = C[0] + 1",
             "C[0] = 0\nwhile True:\n    B[0] = 1\n    if n == 0:\n        return\n"
             "    if C[0] >= 100 // n:\n        return\n    C[0] = C[0] + 1",
             "C[0] = 0\nwhile True:\n    B[0] = 1\n    if C[0] >= n * n:\n        break\n"
             "    C[0] = C[0] + 1",
             "C[0] = 0\nwhile True:\n    assert n > 0, \"pos\"\n    if C[0] >= 1 << n:\n"
             "        break\n    C[0] = C[0] + 1",
             // before the loop nothing says that B[7] may be read
             "C[0] = 0\nwhile True:\n    B[0] = 1\n    if C[0] >= B[7]:\n        break\n"
             "    C[0] = C[0] + 1",
             // the first store may come before lo < hi is known
             "C[0] = 0\nC[1] = 9\nwhile True:\n    m: T.int32 = (C[0] + C[1]) // 2\n"
             "    if B[0] == m:\n        C[0] = m + 1\n    else:\n        C[1] = m\n"
             "    if C[0] >= C[1]:\n        break",
             "while C[0] < n:\n    B[0] = 1",
             "while C[0] < n:\n    C[0] = C[0] - 1",
             "while C[0] < n:\n    C[0] = C[0] + 0",
             "while C[0] < n:\n    C[0] = C[0] + n",
             "while C[0] < n:\n    C[0] = C[1] + 1",
             "while n < C[0]:\n    C[0] = C[0] + 1",
             "while C[0] < n or B[0] == 1:\n    C[0] = C[0] + 1",
             "while C[n] < 5:\n    C[n] = C[n] + 1",
             // what it is compared with moves, too
             "while C[0] < B[0]:\n    C[0] = C[0] + 1\n    B[0] = B[0] + 1",
             "while C[0] < B[n]:\n    C[0] = C[0] + 1\n    B[0] = 9",
             // not on every way
             "while C[0] < n:\n    if B[0] == 0:\n        C[0] = C[0] + 1",
             "while C[0] < n:\n    for k in range(n):\n        C[0] = C[0] + 1",
             "while C[0] < n:\n    if B[0] == 0:\n        continue\n    C[0] = C[0] + 1",
             "while C[0] < n:\n    if B[0] == 0:\n        C[0] = C[0] + 1\n    else:\n"
             "        C[0] = C[0] - 1",
             // another store may reach the cell
             "while C[0] < n:\n    C[0] = C[0] + 1\n    C[n] = 0",
             "X = T.decl_buffer((4, 2), \"int32\", data=C.data)\nwhile C[0] < n:\n"
             "    C[0] = C[0] + 1\n    X[0, 0] = 0",
             "while C[0] < n:\n    C[0] = C[0] + 1\n    f = T.Buffer((8,), \"int32\", "
             "data=C.data)\n"
             "    f[0] = 0",
             // halving and doubling
             "while -1 < C[0]:\n    C[0] = C[0] // 2",
             "while 0 < C[0]:\n    C[0] = C[0] // 1",
             "while C[0] < n:\n    C[0] = C[0] * 2",
             "C[0] = 0\nwhile C[0] < n:\n    C[0] = C[0] * 2",
             "C[0] = 1\nC[n] = 0\nwhile C[0] < n:\n    C[0] = C[0] * 2",
             "C[0] = 1\nif n == 3:\n    C[0] = 0\nwhile C[0] < n:\n    C[0] = C[0] * 2",
             // bisections that stand still
             "while C[0] < C[1]:\n    m: T.int32 = (C[0] + C[1]) // 2\n    if B[0] == m:\n"
             "        C[0] = m\n    else:\n        C[1] = m",
             "while C[0] <= C[1]:\n    m: T.int32 = (C[0] + C[1]) // 2\n    if B[0] == m:\n"
             "        C[0] = m + 1\n    else:\n        C[1] = m",
             "while C[0] < C[1]:\n    m: T.int32 = (C[0] + C[1] + 1) // 2\n    if B[0] == m:\n"
             "        C[0] = m + 1\n    else:\n        C[1] = m",
             "while C[0] < C[1]:\n    m: T.int32 = T.truncdiv(C[0] + C[1], 2)\n    if B[0] == m:\n"
             "        C[0] = m + 1\n    else:\n        C[1] = m",
             "while C[0] < C[1]:\n    m: T.int32 = (C[0] + C[1]) // 2\n    if B[0] == m:\n"
             "        C[0] = m + 1\n    if B[1] == m:\n        C[1] = m",
             "while C[0] < C[1]:\n    m: T.int32 = (C[0] + C[1]) // 2\n    C[0] = C[0] - 1\n"
             "    if B[0] == m:\n        C[0] = m + 1\n    else:\n        C[1] = m",
             "while C[0] < C[1]:\n    m: T.int32 = (C[0] + C[1]) // 2\n    C[n] = 0\n"
             "    if B[0] == m:\n        C[0] = m + 1\n    else:\n        C[1] = m",
             // two counters of which one may move back
             "while C[0] < n and C[1] < n:\n    if B[0] == 0:\n        C[0] = C[0] + 1\n"
             "        C[1] = 0\n    else:\n        C[1] = C[1] + 1",
             "while T.call_extern(\"int32\", \"g\") < n and C[0] < n:\n    C[0] = C[0] + 1",
         }) {
        kept(body);
    }
}

}  // namespace
}  // namespace proviso::ir
