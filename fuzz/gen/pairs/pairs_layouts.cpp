// Layouts and caches: padding that a stage computes into, maps that are none, copies that must not
// read or miss a cell.
#include <fmt/format.h>

#include "fuzz/gen/pairs/pairs.h"

namespace proviso::fuzz {

namespace {

// A sum over a window of a padded input.
PairText window(Choice& choice) {
    const PairType t = pair_type(choice);
    const auto n = choice.between(3, 6);
    const auto taps = choice.between(2, 3);
    const auto row = choice.between(2, 5);
    const auto before = taps - 1 - (choice.chance(15) ? 1 : 0);
    std::string licence;
    if (t.is_float && choice.chance(50)) {
        licence = "    T.func_attr({\"proviso.licences\": [\"finite(F)\"]})\n";
    }
    const std::string product = t.is_float ? "X[vi - vk] * F[vk]" : "(X[vi - vk] * F[vk]) % 97";
    const std::string value = choice.pick<std::string>(
        {"Y[vi] + " + product, "Y[vi] + X[vi - vk]", "T.max(Y[vi], X[vi - vk])", "X[vi - vk]"});
    const std::string start = choice.pick<std::string>(
        {t.zero(), t.zero(), std::string(t.is_float ? "T.float32(-0.0)" : "1"),
         std::string("F[0]")});
    const std::string pad = choice.pick(
        {t.zero(), t.zero(), std::string(t.is_float ? "1.0" : "1"), "T.undef(\"" + t.name + "\")"});
    return {fmt::format(R"(def kernel({0}, {1}, {2}):
{3}    for i in range({4}):
        with T.block("first"):
            vf = T.axis.spatial({4}, i)
            Y[vf] = {5}
        for k in range({6}):
            with T.block("conv"):
                vi, vk = T.axis.remap("SR", [i, k])
                if 0 <= vi - vk and vi - vk < {7}:
                    Y[vi] = {8}
)",
                        t.buffer("X", std::to_string(n)), t.buffer("F", std::to_string(taps)),
                        t.buffer("Y", std::to_string(n + taps - 1)), licence, n + taps - 1, start,
                        taps, n, value),
            fmt::format(
                "sch.transform_layout(\"conv\", \"X\", lambda i: [(i + {0}) // {1}, (i + {0}) % "
                "{1}], pad_value={2})\nsch.remove_branching_through_overcompute(\"conv\"{3})\n",
                before, row, pad.find("T.float32") == 0 ? "0.0" : pad,
                choice.chance(30) ? ", partial=True" : "")};
}

// A producer in rows, its padding, and a consumer.
PairText rows(Choice& choice) {
    const PairType t = pair_type(choice);
    const auto n = choice.between(5, 11);
    const auto row = choice.between(2, 4);
    const std::string one = t.is_float ? "1.0" : "1";
    const std::string zero = t.is_float ? "0.0" : "0";
    const std::string pad = choice.pick(
        {zero, zero, one, "T.undef(\"" + t.name + "\")", std::string("None"),
         std::string(t.is_float ? "lambda p, q: Y[0, q]" : "lambda p, q: 12 // (q - 2)"),
         std::string("lambda p, q: Y[p, 0]"), std::string("lambda p, q: Y[p, q - 1]")});
    std::string schedule = fmt::format(
        "sch.transform_layout(\"p\", \"Y\", lambda i: [i // {0}, i % {0}], pad_value={1}{2})\n",
        row, pad, choice.chance(50) ? ", plan=\"after\"" : "");
    if (choice.chance(70)) schedule += "sch.sequential_buffer_access(\"p\", \"Y\")\n";
    if (choice.chance(60)) {
        schedule += fmt::format("sch.remove_branching_through_overcompute(\"p\"{})\n",
                                choice.chance(25) ? ", partial=True" : "");
    }
    if (choice.chance(50)) schedule += "sch.sequential_buffer_access(\"c\", \"Y\")\n";
    if (choice.chance(50)) schedule += "sch.remove_branching_through_overcompute(\"c\")\n";
    if (choice.chance(30)) schedule += "sch.merge_adjacent_loops()\nsch.simplify()\n";
    if (choice.chance(20)) schedule += "sch.remove_overcompute_through_branching(\"p\")\n";
    return {fmt::format(R"(def kernel({0}, {1}, {2}):
    for i in range({3}):
        with T.block("p"):
            vi = T.axis.spatial({3}, i)
            Y[vi] = {4}
    Z[0] = {5}
    for j in range({3}):
        with T.block("c"):
            vj = T.axis.reduce({3}, j)
            Z[0] = {6}
)",
                        t.buffer("A", std::to_string(n)), t.buffer("Y", std::to_string(n)),
                        t.buffer("Z", "1"), n, t.both(choice, "A[vi]", "A[0]"), t.zero(),
                        t.is_float ? "Z[0] + Y[vj]" : "(Z[0] + Y[vj]) % 97"),
            schedule};
}

// Data in rows with padding on both sides, or nearly: boxes of padding that go into the nest of the
// data, and something that may stand between.
PairText boxes(Choice& choice) {
    const PairType t = pair_type(choice);
    const auto n = choice.between(5, 13);
    const auto row = choice.between(3, 6);
    const auto before = choice.between(0, 4);
    const std::string one = t.is_float ? "1.0" : "1";
    const std::string zero = t.is_float ? "0.0" : "0";
    const std::string pad =
        choice.pick({zero, one, std::string(t.is_float ? "lambda p, q: Y[0, 3]" : "lambda p, q: q"),
                     std::string("lambda p, q: Y[p, 2]")});
    std::string schedule = fmt::format(
        "sch.transform_layout(\"p\", \"Y\", lambda i: [(i + {0}) // {1}, (i + {0}) % {1}], "
        "pad_value={2}, plan=\"after\")\n",
        before, row, pad);
    schedule += "sch.sequential_buffer_access(\"p\", \"Y\")\n";
    if (choice.chance(15)) schedule += "l, _ = sch.get_loops(\"p\")\nsch.parallel(l)\n";
    schedule += "sch.merge_adjacent_loops()\n";
    if (choice.chance(40)) schedule += "sch.simplify()\n";
    const std::string value = choice.pick<std::string>(
        {"A[vi]", t.both(choice, "A[vi]", "A[0]"), t.both(choice, "A[vi]", "Y[vi]")});
    return {
        fmt::format(R"(def kernel({0}, {1}):
    for i in range({2}):
        with T.block("p"):
            vi = T.axis.spatial({2}, i)
            Y[vi] = {3}
)",
                    t.buffer("A", std::to_string(n)), t.buffer("Y", std::to_string(n)), n, value),
        schedule};
}

// Indices that run backwards: the loop is reversed, unless its iterations depend on one another.
PairText backwards(Choice& choice) {
    const PairType t = pair_type(choice);
    const auto n = choice.between(3, 7);
    const std::string last = std::to_string(n - 1);
    const std::string to = choice.pick<std::string>(
        {last + " - vi", last + " - vi", "(" + last + " - vi) % 4", "vi", "(vi + 1) % 5"});
    const std::string from = choice.pick<std::string>(
        {"A[vi]", "A[" + last + " - vi]", "Y[" + to + "]", "Y[vi]", "Y[(vi + 3) % 7]", "Y[0]"});
    std::string schedule;
    if (choice.chance(40)) {
        schedule = fmt::format(
            "sch.transform_layout(\"b\", \"Y\", lambda i: [(6 - i) // {0}, (6 - i) % {0}]{1})\n",
            choice.between(2, 4),
            choice.chance(50) ? fmt::format(", pad_value={}", t.is_float ? "0.0" : "0") : "");
    }
    schedule +=
        fmt::format("sch.sequential_buffer_access(\"b\", \"{}\")\n", choice.pick({"Y", "Y", "A"}));
    return {fmt::format(R"(def kernel({0}, {1}):
    for i in range({2}):
        with T.block("b"):
            vi = T.axis.spatial({2}, i)
            Y[{3}] = {4}
)",
                        t.buffer("A", "7"), t.buffer("Y", "7"), n, to,
                        t.both(choice, from, "A[" + last + " - vi]")),
            schedule};
}

// Maps of which some are not injective, and padding that may divide by zero.
PairText maps(Choice& choice) {
    const PairType t = pair_type(choice);
    const std::string map =
        choice.pick({"[i % 4]", "[i // 2]", "[i // 4, i % 3]", "[i // 3, i % 4]", "[(i * 3) % 7]",
                     "[i * 2]", "[i // 4, (i * 3) % 4]", "[(i + 3) // 4, i % 4]", "[6 - i]",
                     "[i ^ 3]", "[i // 2, i // 4]"});
    std::string pad;
    if (choice.chance(50)) pad = fmt::format(", pad_value={}", t.is_float ? "0.0" : "0");
    std::string schedule = fmt::format("sch.transform_layout(\"b\", \"{}\", lambda i: {}{})\n",
                                       choice.pick({"A", "Y"}), map, pad);
    if (choice.chance(30)) schedule += "sch.sequential_buffer_access(\"b\", \"Y\")\n";
    return {
        fmt::format(R"(def kernel({}, {}):
    for i in range(7):
        with T.block("b"):
            vi = T.axis.spatial(7, i)
            Y[vi] = {}
)",
                    t.buffer("A", "7"), t.buffer("Y", "7"), t.both(choice, "A[vi]", "A[6 - vi]")),
        schedule};
}

// Copies: of padding that may not be touched, of a buffer that is filled in part, of a tile.
PairText copies(Choice& choice) {
    const PairType t = pair_type(choice);
    const auto k = choice.between(3, 6);
    std::string schedule;
    switch (choice.weighted({30, 30, 40})) {
        case 0:
            schedule =
                fmt::format("sch.transform_layout(\"b\", \"A\", lambda p: [p // 4, p % 4]{})\n",
                            choice.chance(50) ? "" : ", pad_value=T.undef(\"" + t.name + "\")");
            schedule += "sch.cache_read(\"b\", \"A\", \"local\")\n";
            break;
        case 1: schedule = "sch.cache_write(\"b\", \"Y\", \"local\")\n"; break;
        default:
            schedule = "l0, l1 = sch.get_loops(\"b\")\n";
            schedule += choice.chance(50) ? "sch.read_at(l0, \"b\", \"A\", \"local\")\n"
                                          : "sch.read_at(l1, \"b\", \"A\", \"local\")\n";
    }
    const std::string value =
        choice.chance(30)
            ? t.both(choice, "Y[v]", "A[v]")
            : t.both(choice, "A[v]",
                     fmt::format("A[{}]", choice.pick({"v", "5 - v", "v // 2", "0"})));
    return {
        fmt::format(R"(def kernel({}, {}):
    for i, j in T.grid(2, 3):
        with T.block("b"):
            v = T.axis.spatial(6, i * 3 + j)
            {}Y[v] = {}
)",
                    t.buffer("A", "6"), t.buffer("Y", "6"),
                    choice.chance(40) ? fmt::format("if v < {}:\n                ", k) : "", value),
        schedule};
}

}  // namespace

const std::vector<PairFamily>& layout_pairs() {
    static const std::vector<PairFamily> list = {
        {"window", window}, {"window", window}, {"rows", rows},   {"rows", rows},
        {"maps", maps},     {"copies", copies}, {"boxes", boxes}, {"backwards", backwards},
    };
    return list;
}

}  // namespace proviso::fuzz
