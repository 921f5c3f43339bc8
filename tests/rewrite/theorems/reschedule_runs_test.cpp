// Statements that stay together have one order to what is beside them, which is asked once for all
// of them: each pair that meets is still told from each that does not.
#include <algorithm>
#include <array>

#include "tests/rewrite/theorems/reschedule.h"

namespace proviso::rewrite {
namespace {

constexpr std::size_t kCount = 4;
using Order = std::array<std::size_t, kCount>;
using Pairs = std::set<std::pair<std::size_t, std::size_t>>;

Pairs all_pairs() {
    Pairs out;
    for (std::size_t a = 0; a < kCount; ++a) {
        for (std::size_t b = a; b < kCount; ++b) out.emplace(a, b);
    }
    return out;
}

// Statement k stores to a cell of its own, but `one` and `other` to the same.
std::string stores(const Order& order, std::size_t one, std::size_t other, const std::string& in,
                   const std::string& plus) {
    std::string out;
    for (const std::size_t k : order) {
        const std::size_t cell = k == other ? one : k;
        out += in + "A[" + std::to_string(3 * cell) + plus + "] = " + std::to_string(k) + "\n";
    }
    return out;
}

// Each order of four statements, in a list and in the list of a loop, with each pair of them that
// meets: accepted where these two keep their order.
TEST_F(Reschedule, EachPairOfTwoRunsIsAsked) {
    params_ = "A: T.Buffer((20,), \"int32\")";
    const Order same = {0, 1, 2, 3};
    for (const bool looped : {false, true}) {
        const std::string head = looped ? "    for i in range(2):\n" : "";
        const std::string in = looped ? "        " : "    ";
        const std::string list = looped ? "body/body/" : "body/";
        const std::vector<std::pair<std::string, std::string>> values =
            looped ? std::vector<std::pair<std::string, std::string>>{{"i", "i"}}
                   : std::vector<std::pair<std::string, std::string>>{};
        Order order = same;
        do {
            std::vector<PartText> parts;
            for (std::size_t now = 0; now < kCount; ++now) {
                PartText part;
                part.now = list + std::to_string(now);
                part.origin = list + std::to_string(order[now]);
                for (const auto& [v, e] : values) {
                    part.from[v] = e;
                    part.to[v] = e;
                }
                parts.push_back(part);
            }
            for (std::size_t one = 0; one < kCount; ++one) {
                for (std::size_t other = one + 1; other < kCount; ++other) {
                    const std::string plus = looped ? " + i" : "";
                    const auto at = [&](std::size_t k) {
                        return std::find(order.begin(), order.end(), k);
                    };
                    const std::string out =
                        outcome(head + stores(same, one, other, in, plus),
                                head + stores(order, one, other, in, plus), parts, all_pairs());
                    EXPECT_EQ(out == "accepted", at(one) < at(other))
                        << one << other << " in " << order[0] << order[1] << order[2] << order[3]
                        << ": " << out;
                }
            }
            // Nobody says that they do not meet: only the order as it was.
            const std::string order_alone = outcome(head + stores(same, 0, 0, in, ""),
                                                    head + stores(order, 0, 0, in, ""), parts);
            EXPECT_EQ(order_alone == "accepted", order == same) << order_alone;
        } while (std::next_permutation(order.begin(), order.end()));
    }
}

// A loop of four statements as two loops: a later iteration of the first meets an earlier one of
// the second, or the other way round.
TEST_F(Reschedule, EachPairOfTwoLoopsIsAsked) {
    params_ = "A: T.Buffer((64,), \"int32\")";
    for (std::size_t a = 0; a < 2; ++a) {
        for (std::size_t b = 2; b < kCount; ++b) {
            for (const bool later : {false, true}) {
                const auto lines = [&](const std::string& var, std::size_t from, std::size_t to) {
                    std::string out = "    for " + var + " in range(8):\n";
                    for (std::size_t k = from; k < to; ++k) {
                        const bool next = later ? k == b : k == a;
                        const std::size_t more =
                            k == a || k == b ? next : 16 * std::min<std::size_t>(k + 1, 3);
                        out += "        A[" + var + " + " + std::to_string(more) +
                               "] = " + std::to_string(k) + "\n";
                    }
                    return out;
                };
                std::vector<PartText> parts;
                for (std::size_t k = 0; k < kCount; ++k) {
                    const std::string var = k < 2 ? "q" : "r";
                    PartText part;
                    part.now = "body/" + std::to_string(k / 2) + "/body/" + std::to_string(k % 2);
                    part.origin = "body/body/" + std::to_string(k);
                    part.from["i"] = var;
                    part.to[var] = "i";
                    parts.push_back(part);
                }
                const std::string out =
                    outcome(lines("i", 0, kCount), lines("q", 0, 2) + lines("r", 2, kCount), parts,
                            all_pairs());
                EXPECT_EQ(out == "accepted", !later) << a << b << out;
            }
        }
    }
}

// Neighbours that run at other iterations than each other are no run.
TEST_F(Reschedule, NeighboursAtOtherIterationsAreAsked) {
    const std::string before =
        "    for i in range(8):\n        B[i] = 0\n        A[i + 1] = A[i] // 2\n";
    const std::string after =
        "    for q in range(8):\n        B[q] = 0\n        A[7 - q + 1] = A[7 - q] // 2\n";
    const std::vector<PartText> parts = {
        {"body/body/0", "body/body/0", {{"i", "q"}}, {{"q", "i"}}},
        {"body/body/1", "body/body/1", {{"i", "7 - q"}}, {{"q", "7 - i"}}}};
    const Pairs apart = {{0, 0}, {0, 1}, {1, 1}};
    EXPECT_EQ(outcome(before, after, parts, apart),
              "unproved: iterations that touch one cell of A keep their order "
              "(body/body/1/value/a0, body/body/1)");
    EXPECT_EQ(outcome_without("reschedule:runs-of-other-iterations", before, after, parts, apart),
              "accepted");
}

}  // namespace
}  // namespace proviso::rewrite
