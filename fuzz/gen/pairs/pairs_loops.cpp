// Loops: dependences that reorder, fuse, merge_adjacent_loops, fission, parallel, bind,
// decompose_reduction and sequential_buffer_access have to keep; ends of loops.
#include <fmt/format.h>

#include "fuzz/gen/pairs/pairs.h"

namespace proviso::fuzz {

namespace {

std::string sum(const std::string& a, std::int64_t b) {
    if (b == 0) return a;
    return b > 0 ? fmt::format("{} + {}", a, b) : fmt::format("{} - {}", a, -b);
}

// What is done to a nest of two loops l0, l1 around block b, which stores to Y.
std::string on_a_nest(Choice& choice) {
    const std::string loops = "l0, l1 = sch.get_loops(\"b\")\n";
    switch (choice.weighted({30, 12, 12, 10, 10, 16, 10})) {
        case 0: return loops + "sch.reorder(l1, l0)\n";
        case 1: return loops + "sch.parallel(l0)\n";
        case 2: return loops + "sch.parallel(l1)\n";
        case 3: return loops + "sch.bind(l0, \"blockIdx.x\")\nsch.bind(l1, \"threadIdx.x\")\n";
        case 4: return loops + "l2, l3 = sch.split(l1, factors=[None, 2])\nsch.reorder(l2, l0)\n";
        case 5:
            return "sch.transform_layout(\"b\", \"Y\", lambda p, q: [q, p])\n"
                   "sch.sequential_buffer_access(\"b\", \"Y\")\n";
        default:
            return loops +
                   "f = sch.fuse(l0, l1)\nl2, l3 = sch.split(f, factors=[None, 2])\n"
                   "sch.reorder(l3, l2)\n";
    }
}

PairText stencil(Choice& choice) {
    const PairType t = pair_type(choice);
    const auto n = choice.between(2, 4);
    const auto m = choice.between(2, 4);
    const std::string shape = fmt::format("{}, {}", n + 2, m + 2);
    const std::string from = fmt::format("Y[{}, {}]", sum("vi", 1 - choice.between(0, 1)),
                                         sum("vj", 1 + choice.between(-1, 1)));
    return {fmt::format(R"(def kernel({}, {}):
    for i, j in T.grid({}, {}):
        with T.block("b"):
            vi, vj = T.axis.remap("SS", [i, j])
            Y[vi + 1, vj + 1] = {}
)",
                        t.buffer("A", shape), t.buffer("Y", shape), n, m,
                        t.both(choice, from, "A[vi, vj]")),
            on_a_nest(choice)};
}

// A cell that several iterations store to.
PairText shared_cell(Choice& choice) {
    const PairType t = pair_type(choice);
    const std::string cell =
        choice.pick({"0, 0", "0, vj", "vi, 0", "vi, vj", "(vi + vj) // 2, 0", "vi, vj // 2"});
    const std::string value =
        choice.chance(60) ? t.both(choice, "Y[" + cell + "]", "A[vi, vj]") : "A[vi, vj]";
    return {fmt::format(R"(def kernel({}, {}):
    for i, j in T.grid(3, 4):
        with T.block("b"):
            vi, vj = T.axis.remap("SS", [i, j])
            Y[{}] = {}
)",
                        t.buffer("A", "3, 4"), t.buffer("Y", "4, 4"), cell, value),
            on_a_nest(choice)};
}

PairText one_loop(Choice& choice) {
    const PairType t = pair_type(choice);
    const std::vector<std::string> cells = {"vi",     "vi // 2", "vi % 3", "(vi * 2) % 5",
                                            "2 * vi", "7 - vi",  "vi + 1"};
    const std::string to = choice.pick(cells);
    const std::string from = choice.chance(50) ? to : choice.pick(cells);
    const std::string value =
        choice.chance(70) ? t.both(choice, "Y[" + from + "]", "A[vi]") : "A[vi]";
    return {fmt::format(R"(def kernel({}, {}):
    for i in range({}):
        with T.block("b"):
            vi = T.axis.spatial(6, i)
            Y[{}] = {}
)",
                        t.buffer("A", "12"), t.buffer("Y", "12"), choice.between(2, 6), to, value),
            std::string("l, = sch.get_loops(\"b\")\n") +
                choice.pick({"sch.parallel(l)\n", "sch.bind(l, \"blockIdx.x\")\n",
                             "sch.bind(l, \"threadIdx.x\")\n"})};
}

// Two loops, or one with two blocks; the second block meets the first one's cells, shifted.
PairText two_stages(Choice& choice) {
    const PairType t = pair_type(choice);
    const auto n = choice.between(2, 5);
    const auto d = choice.between(-1, 1);
    const bool reads_first = choice.chance(35);
    const std::string first = fmt::format(
        "Y[vi + 1] = {}", reads_first ? fmt::format("Z[{}]", sum("vi", 1 + d)) : "A[vi]");
    const std::string second = fmt::format(
        "Z[vj + 1] = {}",
        reads_first ? "A[vj]" : t.both(choice, fmt::format("Y[{}]", sum("vj", 1 + d)), "A[vj]"));
    const bool apart = choice.chance(60);
    const auto more = apart && choice.chance(15) ? 1 : 0;
    const std::string size = std::to_string(n + 3);
    std::string out = fmt::format("def kernel({}, {}, {}):\n", t.buffer("A", size),
                                  t.buffer("Y", size), t.buffer("Z", size));
    out += fmt::format(R"(    for i in range({0}):
        with T.block("p"):
            vi = T.axis.spatial({0}, i)
            {1}
)",
                       n, first);
    if (apart) out += fmt::format("    for j in range({}):\n", n + more);
    out += fmt::format(R"(        with T.block("c"):
            vj = T.axis.spatial({}, {})
            {}
)",
                       n + more, apart ? "j" : "i", second);
    if (!apart) return {out, "l, = sch.get_loops(\"p\")\nsch.fission(l, 1)\n"};
    return {out, choice.chance(50) ? "l, = sch.get_loops(\"p\")\nm, = sch.get_loops(\"c\")\n"
                                     "sch.merge_adjacent_loops(l, m)\n"
                                   : "sch.merge_adjacent_loops()\n"};
}

// Three loops as one: each reads what the one before has stored, shifted or not.
PairText three_stages(Choice& choice) {
    const PairType t = pair_type(choice);
    const auto n = choice.between(2, 5);
    const auto shift = [&] { return choice.chance(75) ? 0 : choice.between(-1, 1); };
    const std::string size = std::to_string(n + 3);
    std::string out = fmt::format("def kernel({}, {}, {}, {}):\n", t.buffer("A", size),
                                  t.buffer("X", size), t.buffer("Y", size), t.buffer("Z", size));
    const std::vector<std::string> names = {"A", "X", "Y", "Z"};
    for (std::size_t k = 0; k < 3; ++k) {
        out += fmt::format(
            R"(    for i{0} in range({1}):
        with T.block("b{0}"):
            v = T.axis.spatial({1}, i{0})
            {2}[v + 1] = {3}
)",
            k, n + (choice.chance(5) ? 1 : 0), names[k + 1],
            t.both(choice, fmt::format("{}[{}]", names[k], sum("v", 1 + shift())), "A[v]"));
    }
    return {out,
            "l, = sch.get_loops(\"b0\")\nm, = sch.get_loops(\"b1\")\nr, = sch.get_loops(\"b2\")\n"
            "sch.merge_adjacent_loops(l, m, r)\n"};
}

// Lanes: groups of 2 or 4 cells, next to each other or not, at multiples of their number or not.
PairText lanes(Choice& choice) {
    const PairType t = pair_type(choice);
    const auto width = choice.pick({2, 2, 4});
    const auto n = width * choice.between(1, 3) + (choice.chance(15) ? 1 : 0);
    const std::string to = choice.pick({"v", "v", "v", "v + 1", "v // 2"});
    const std::string from = choice.pick({"A[v]", "A[v]", "A[v + 1]", "A[0]", "Y[v]", "A[2 * v]"});
    return {
        fmt::format(R"(def kernel({0}, {1}):
    for i in range({2}):
        with T.block("b"):
            v = T.axis.spatial({2}, i)
            Y[{3}] = {4}
)",
                    t.buffer("A", "28"), t.buffer("Y", "16"), n, to, t.both(choice, from, "A[v]")),
        fmt::format("l, = sch.get_loops(\"b\")\no, r = sch.split(l, factors=[None, {}])\n"
                    "{}sch.vectorize(r)\n",
                    width, choice.chance(30) ? "sch.parallel(o)\n" : "")};
}

// A reduction whose initialisation is in the way of something, or of a loop that may not run.
PairText reduction(Choice& choice) {
    const PairType t = pair_type(choice);
    const bool pre = choice.chance(60);
    const std::string before = fmt::format(R"(        with T.block("pre"):
            vp = T.axis.spatial(4, i)
            Z[vp] = S[(vp + {}) % 4]
)",
                                           choice.between(0, 3));
    const std::string count = choice.chance(50) ? "n" : "3";
    std::string schedule = "l0, l1 = sch.get_loops(\"sum\")\n";
    switch (choice.weighted({40, 30, 30})) {
        case 0: schedule += "sch.decompose_reduction(\"sum\", l0)\n"; break;
        case 1: schedule += "sch.decompose_reduction(\"sum\", l1)\n"; break;
        default: schedule = "sch.sequential_buffer_access(\"sum\", \"A\")\n";
    }
    return {fmt::format(R"(def kernel(n: T.int32, {}, {}, {}):
    T.func_attr({{"tir_var_lower_bound": {{"n": 0}}, "tir_var_upper_bound": {{"n": 4}}}})
    for i in range(4):
{}        for k in range({}):
            with T.block("sum"):
                vi, vk = T.axis.remap("SR", [i, k])
                with T.init():
                    S[vi] = {}
                S[vi] = {}
)",
                        t.buffer("A", "4, 4"), t.buffer("S", "4"), t.buffer("Z", "4"),
                        pre ? before : "", count, t.zero(), t.both(choice, "S[vi]", "A[vk, vi]")),
            schedule};
}

// A reduction in parts: by operators with an order or without, of terms that may be too large or
// read the result, with a start that may count again.
PairText sum_in_parts(Choice& choice) {
    const std::string type =
        choice.pick({"uint8", "int8", "uint32", "int32", "int32", "int64", "float32", "float16"});
    const bool is_float = type.rfind("float", 0) == 0;
    const auto constant = [&](const char* value) { return "T." + type + "(" + value + ")"; };
    const auto count = choice.between(1, 9);
    std::string cell =
        choice.pick({"vi", "vi", "vi", "vi", "vi", "vi", "2 - vi", "2 - vi", "vi // 2", "0"});
    std::string term = choice.pick({"A[vi, vk]", "A[vi, vk]", "A[vi, vk] * A[0, vk]"});
    if (!is_float) {
        const std::string small = "A[vi, vk] % " + constant("7");
        if (choice.chance(60)) term = choice.chance(50) ? small : small + " - " + constant("3");
    }
    if (choice.chance(4)) term += " + S[2]";
    const std::string old = "S[" + cell + "]";
    const char* const form = choice.pick(
        {"{0} + {1}", "{0} + {1}", "{1} + {0}", "{0} - {1}", "T.max({0}, {1})", "T.min({1}, {0})"});
    const std::string combined = fmt::format(fmt::runtime(form), old, term);
    std::string more;
    if (choice.chance(12)) {
        more = fmt::format("            Z[vi] = {}\n", choice.chance(50) ? "S[vi]" : "A[vi, vk]");
    }
    std::string where;
    if (choice.chance(15)) {
        where = fmt::format("            T.where(k < {})\n", choice.between(1, count));
    }
    const std::string start = constant(choice.chance(10) ? "1" : "0");
    const bool licence = is_float && choice.chance(80);
    std::string schedule = "i, k = sch.get_loops(\"sum\")\nloops = [i, k]\n";
    if (choice.chance(70)) {
        schedule += fmt::format("loops = [i] + sch.split(k, factors=[{}])\n",
                                choice.pick({"None, 2", "None, 3", "2, None", "None, 4"}));
    }
    if (choice.chance(20)) schedule += "sch.reorder(loops[-1], loops[0])\n";
    schedule += fmt::format("sum_rf = sch.rfactor(loops[{}], {})\n",
                            choice.pick({"-1", "-1", "-1", "1", "0"}), choice.between(-2, 1));
    if (choice.chance(30)) schedule += "sch.parallel(sch.get_loops(sum_rf)[-1])\n";
    return {
        fmt::format(
            R"(def kernel(A: T.Buffer((3, 9), "{0}"), S: T.Buffer((3,), "{0}"), Z: T.Buffer((3,), "{0}")):
{1}    for i, k in T.grid(3, {2}):
        with T.block("sum"):
            vi, vk = T.axis.remap("SR", [i, k])
{3}            with T.init():
                S[{4}] = {5}
            S[{4}] = {6}
{7})",
            type, licence ? "    T.func_attr({\"proviso.licences\": [\"reassociate\"]})\n" : "",
            count, where, cell, start, combined, more),
        schedule};
}

// Loops whose ends may be below their starts.
PairText open_ends(Choice& choice) {
    const PairType t = pair_type(choice);
    const bool one_negative = choice.chance(50);
    std::string schedule = "l0, l1 = sch.get_loops(\"b\")\n";
    switch (choice.weighted({50, 15, 15, 20})) {
        case 0: schedule += "sch.fuse(l0, l1)\n"; break;
        case 1: schedule += "sch.split(l0, factors=[None, 2])\n"; break;
        case 2:
            schedule +=
                fmt::format("sch.loop_partition(l1, factors=[{}, None])\n", choice.between(1, 3));
            break;
        default:
            schedule += fmt::format("sch.loop_partition(l1, hint=lambda x: x < {})\n",
                                    choice.between(0, 3));
    }
    return {fmt::format(R"(def kernel(n: T.int32, m: T.int32, {}, {}):
    T.func_attr({{"tir_var_lower_bound": {{"n": {}, "m": -3}}, "tir_var_upper_bound": {{"n": 3, "m": 3}}}})
    for i, j in T.grid(n, m):
        with T.block("b"):
            vi, vj = T.axis.remap("SS", [i, j])
            Y[(vi + vj) % 4] = {}
)",
                        t.buffer("A", "4"), t.buffer("Y", "4"), one_negative ? -3 : 0,
                        t.both(choice, "Y[(vi + vj) % 4]", "A[vi % 4]")),
            schedule};
}

PairText parts(Choice& choice) {
    const PairType t = pair_type(choice);
    const auto n = choice.between(2, 6);
    const auto k = choice.between(1, 7);
    const std::string how = choice.chance(60) ? fmt::format("factors=[{}, None]", k)
                                              : fmt::format("hint=lambda x: x {} {}",
                                                            choice.pick({"<", ">=", "<="}), k);
    return {fmt::format(R"(def kernel({}, {}):
    for i in range({}):
        with T.block("b"):
            vi = T.axis.spatial({}, i)
            if vi < {}:
                Y[vi] = {}
)",
                        t.buffer("A", "8"), t.buffer("Y", "8"), n, n, choice.between(1, 6),
                        t.both(choice, "Y[vi]", "A[vi]")),
            fmt::format("l, = sch.get_loops(\"b\")\nsch.loop_partition(l, {})\n", how)};
}

}  // namespace

const std::vector<PairFamily>& loop_pairs() {
    static const std::vector<PairFamily> list = {
        {"stencil", stencil},
        {"shared cell", shared_cell},
        {"one loop", one_loop},
        {"two stages", two_stages},
        {"two stages", two_stages},
        {"reduction", reduction},
        {"sum in parts", sum_in_parts},
        {"sum in parts", sum_in_parts},
        {"sum in parts", sum_in_parts},
        {"tuple in parts", tuple_in_parts},
        {"tuple in parts", tuple_in_parts},
        {"three stages", three_stages},
        {"lanes", lanes},
        {"open ends", open_ends},
        {"parts", parts},
    };
    return list;
}

}  // namespace proviso::fuzz
