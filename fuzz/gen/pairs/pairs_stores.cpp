// Stores and branches: over-compute, dead stores, guards that are merged, hoisted, put in and
// decided, loops whose ends are guards.
#include <fmt/format.h>

#include "fuzz/gen/pairs/pairs.h"

namespace proviso::fuzz {

namespace {

// All cells, perhaps a read in between, then some or all of them again.
PairText overwritten(Choice& choice) {
    const PairType t = pair_type(choice);
    const auto n = choice.between(3, 6);
    const auto from = choice.between(0, 1);
    const auto to = n - (choice.chance(30) ? 1 : 0);
    std::string out = fmt::format("def kernel({}, {}, {}):\n", t.buffer("A", "8"),
                                  t.buffer("Y", "8"), t.buffer("Z", "8"));
    out += fmt::format(R"(    for i in range({0}):
        with T.block("all"):
            vi = T.axis.spatial({0}, i)
            Y[vi] = {1}
)",
                       n, t.both(choice, "A[vi]", "A[vi + 1]"));
    if (choice.chance(50)) {
        out += fmt::format(R"(    for r in range({0}):
        with T.block("read"):
            vr = T.axis.spatial({0}, r)
            Z[vr] = Y[vr + {1}]
)",
                           choice.between(1, 3), choice.between(0, 4));
    }
    out += fmt::format(R"(    for j in range({0}, {1}):
        with T.block("over"):
            vj = T.axis.spatial(({0}, {1}), j)
            Y[vj] = {2}
)",
                       from, to, choice.chance(50) ? t.zero() : "A[vj]");
    return {out, choice.pick({"sch.remove_no_op()\n",
                              "sch.remove_overcompute_through_branching(\"all\")\n",
                              "sch.remove_overcompute_through_branching(\"all\")\n"
                              "sch.remove_branching_through_overcompute(\"all\")\n",
                              "sch.outline(\"all\", \"part\")\nsch.remove_no_op()\n"})};
}

// Values written back to where they came from, or nearly.
PairText written_back(Choice& choice) {
    const PairType t = pair_type(choice);
    const auto n = choice.between(2, 5);
    return {
        fmt::format(R"(def kernel({1}, {2}):
    for i in range({0}):
        with T.block("out"):
            vi = T.axis.spatial({0}, i)
            Z[vi] = Y[vi + {3}]
    for k in range({4}):
        with T.block("between"):
            vk = T.axis.spatial({4}, k)
            {5}[vk + 1] = {6}
    for j in range({0}):
        with T.block("back"):
            vj = T.axis.spatial({0}, j)
            Y[vj + {7}] = Z[vj]
)",
                    n, t.buffer("Y", "8"), t.buffer("Z", "8"), choice.between(0, 1),
                    choice.between(0, 1), choice.pick({"Y", "Z"}), t.zero(), choice.between(0, 1)),
        choice.chance(70) ? "sch.remove_no_op()\n" : "sch.simplify()\n"};
}

// Two branches that follow each other.
PairText adjacent_guards(Choice& choice) {
    const PairType t = pair_type(choice);
    const auto k = choice.between(1, 4);
    const std::vector<std::string> conditions = {"A[vi] > " + t.zero(),
                                                 "A[vi] <= " + t.zero(),
                                                 "A[vi] < " + t.zero(),
                                                 "Y[vi] > " + t.zero(),
                                                 "Y[vi] <= " + t.zero(),
                                                 fmt::format("vi < {}", k),
                                                 fmt::format("vi >= {}", k),
                                                 fmt::format("vi < {}", k + 1),
                                                 fmt::format("vi * 2 < {}", 2 * k - 1)};
    const std::string first = choice.pick(conditions);
    const std::string second = choice.chance(40) ? first : choice.pick(conditions);
    return {fmt::format(R"(def kernel({}, {}, {}):
    for i in range(6):
        with T.block("b"):
            vi = T.axis.spatial(6, i)
            if {}:
                {}[vi] = {}
            if {}:
                Z[vi] = A[vi]
)",
                        t.buffer("A", "6"), t.buffer("Y", "6"), t.buffer("Z", "6"), first,
                        choice.pick({"Y", "Z", "A"}), t.zero(), second),
            choice.chance(70) ? "sch.simplify()\n" : "sch.hoist_expression(\"b\")\n"};
}

// Arms that store the same, or nearly.
PairText arms(Choice& choice) {
    const PairType t = pair_type(choice);
    const std::string condition =
        choice.chance(50) ? fmt::format("vi < {}", choice.between(2, 4)) : "c > 0";
    return {fmt::format(R"(def kernel(c: T.int32, {}, {}):
    for i in range(6):
        with T.block("b"):
            vi = T.axis.spatial(6, i)
            if {}:
                for p in range(2):
                    Y[vi + p] = A[vi % {}]
            else:
                for q in range(2):
                    Y[vi + {}] = A[vi]
)",
                        t.buffer("A", "8"), t.buffer("Y", "8"), condition, choice.between(2, 7),
                        choice.pick({"q", "q", "1 - q", "0"})),
            "sch.simplify()\n"};
}

// A condition that may not be evaluated before the loop, or that the loop changes.
PairText hoisted(Choice& choice) {
    const PairType t = pair_type(choice);
    const std::string condition =
        choice.pick({"12 // m > 2", "12 % m > 1", "m > 1", "Y[0] > ", "Y[m] > ", "A[0] > "});
    const bool data = condition[1] == '[';
    const bool whole = choice.chance(30);  // every loop runs
    return {
        fmt::format(R"(def kernel(m: T.int32, {}, {}):
    T.func_attr({{"tir_var_lower_bound": {{"m": {}}}, "tir_var_upper_bound": {{"m": 3}}}})
    for i in range(m):
        for j in range(2):
            with T.block("b"):
                vi, vj = T.axis.remap("SS", [i, j])
                if {}:
                    Y[vi + vj] = {}
)",
                    t.buffer("A", "6"), t.buffer("Y", "6"), whole ? 1 : 0,
                    data ? condition + t.zero() : condition, t.both(choice, "A[vi]", "Y[vi + vj]")),
        "sch.hoist_expression(\"b\")\n"};
}

// Bounds that guards ask for, with something outside of the guards now and then.
PairText trimmed(Choice& choice) {
    const PairType t = pair_type(choice);
    const std::string more = choice.chance(25) ? "                Z[vj] = A[vj]\n" : "";
    const std::string rest =
        choice.chance(25) ? "                else:\n                    Z[vj] = A[vi]\n" : "";
    const std::string guard =
        choice.pick({fmt::format("vj < {}", choice.between(1, 5)),
                     fmt::format("vj >= {} and vi < 3", choice.between(1, 4)),
                     fmt::format("vi + vj < {}", choice.between(2, 6)),
                     fmt::format("vj < {} or vi == 1", choice.between(1, 4))});
    return {fmt::format(R"(def kernel({}, {}, {}):
    for i, j in T.grid(4, 5):
        with T.block("b"):
                vi, vj = T.axis.remap("SS", [i, j])
                if {}:
                    Y[vi, vj] = {}
{}{})",
                        t.buffer("A", "6"), t.buffer("Y", "4, 5"), t.buffer("Z", "6"), guard,
                        t.both(choice, "A[vi]", "Y[vi, vj]"), rest, more),
            choice.pick({"sch.reduce_loop_extents()\n", "sch.reduce_loop_extents(block=\"b\")\n",
                         "sch.loop_partition(block=\"b\")\n"})};
}

// A guarded tail that is overwritten later, mostly; values that fault beyond the guard now and
// then.
PairText tail(Choice& choice) {
    const PairType t = pair_type(choice);
    const auto n = choice.between(5, 7);
    const std::string in = choice.pick({"A[v]", "A[v]", "A[v % 3]", "A[v // 2]"});
    std::string value = t.both(choice, in, "A[0]");
    if (!t.is_float && choice.chance(30)) value = fmt::format("12 // ({} - v)", n);
    if (!t.is_float && choice.chance(20)) value = "A[v] * 3000000 * (v + 1)";
    if (choice.chance(15)) value = t.both(choice, "Y[v]", in);
    const auto length = choice.chance(40) ? n : 8;  // of A: too short, or long enough
    std::string out =
        fmt::format("def kernel({}, {}, {}):\n", t.buffer("A", std::to_string(length)),
                    t.buffer("Y", choice.chance(85) ? "8" : std::to_string(n)), t.buffer("Z", "8"));
    const bool long_enough = out.find("Y: T.Buffer((8,)") != std::string::npos;
    const std::string kind = choice.chance(20) ? "T.parallel(2)" : "range(2)";
    out += fmt::format(R"(    for i in {0}:
        for j in range(4):
            with T.block("b"):
                v = T.axis.spatial({1}, i * 4 + j)
                T.where(i * 4 + j < {1})
                Y[{2}] = {3}
)",
                       kind, n, choice.chance(85) ? "v" : fmt::format("v % {}", n), value);
    if (choice.chance(25)) {
        out += fmt::format(R"(    for r in range({0}):
        with T.block("read"):
            vr = T.axis.spatial({0}, r)
            Z[vr] = Y[vr + {1}]
)",
                           choice.between(1, 2), choice.between(0, n - 2));
    }
    if (long_enough && choice.chance(80)) {
        out += fmt::format(R"(    for k in range({0}, 8):
        with T.block("zero"):
            vk = T.axis.spatial(({0}, 8), k)
            Y[vk] = {1}
)",
                           n + (choice.chance(20) ? 1 : 0), t.zero());
    }
    if (choice.chance(20)) {
        return {out, "sch.remove_branching_through_overcompute(\"b\", partial=True)\n"};
    }
    return {out, choice.chance(85) ? "sch.remove_branching_through_overcompute(\"b\")\n"
                                   : "sch.outline(\"b\", \"part\")\nsch.work_on(\"part\")\n"
                                     "sch.remove_branching_through_overcompute(\"b\")\n"};
}

// Something assumed of what was stored, or of an input.
PairText assumed(Choice& choice) {
    const PairType t = pair_type(choice);
    const std::string known = choice.pick({fmt::format("Y[q] == {}", t.zero()),
                                           fmt::format("q >= 3 or Y[q] == {}", t.zero()),
                                           fmt::format("q < 2 or q >= 4 or Y[q] == {}", t.zero()),
                                           fmt::format("Y[q] >= {}", t.zero())});
    std::string schedule = "sch.assume(\"c\", lambda j, q: " + known + ")\n";
    switch (choice.weighted({45, 15, 25, 15})) {
        case 0: break;
        case 1:
            schedule = "l, = sch.get_loops(\"c\")\nsch.assume(l, lambda j, q: " + known + ")\n";
            break;
        case 2: schedule = "sch.outline(\"c\", \"part\", assume=lambda q: " + known + ")\n"; break;
        default:
            schedule = "sch.outline(\"c\", \"part\", assume=[lambda q: " + known +
                       ", lambda r: Y[r] == Y[r]])\n";
    }
    schedule += choice.chance(50) ? "sch.simplify()\n" : "sch.lower_assume(mode=\"check\")\n";
    return {
        fmt::format(R"(def kernel({0}, {1}, {2}):
    for i in range({3}):
        with T.block("p"):
            vi = T.axis.spatial({3}, i)
            Y[vi] = {4}
    for k in range({5}):
        with T.block("m"):
            vk = T.axis.spatial({5}, k)
            Y[vk + {6}] = A[vk]
    for j in range(4):
        with T.block("c"):
            vj = T.axis.spatial(4, j)
            if Y[vj] == {4}:
                Z[vj] = A[vj]
)",
                    t.buffer("A", "4"), t.buffer("Y", "4"), t.buffer("Z", "4"),
                    choice.pick({4, 4, 3}), t.zero(), choice.between(0, 1), choice.between(0, 3)),
        schedule};
}

}  // namespace

const std::vector<PairFamily>& store_pairs() {
    static const std::vector<PairFamily> list = {
        {"overwritten", overwritten},
        {"written back", written_back},
        {"adjacent guards", adjacent_guards},
        {"arms", arms},
        {"hoisted", hoisted},
        {"trimmed", trimmed},
        {"tail", tail},
        {"tail", tail},
        {"assumed", assumed},
    };
    return list;
}

}  // namespace proviso::fuzz
