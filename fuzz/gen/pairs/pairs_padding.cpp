// Padding and sums: blocks of padding taken apart, einsums over more iterations, sums that start
// from what is added to them, and copies in the layout of a block's iterators. Each now and then
// with what stands in the way of it.
#include <fmt/format.h>

#include "fuzz/gen/pairs/pairs.h"

namespace proviso::fuzz {

namespace {

struct Numbers {
    std::string name;
    bool is_float = false;
    std::string number(std::int64_t v) const {
        const std::string digits = std::to_string(v) + (is_float ? ".0" : "");
        return name == "int32" ? digits : fmt::format("T.{}({})", name, digits);
    }
    std::string buffer(const std::string& of, const std::string& shape) const {
        return fmt::format("{}: T.Buffer(({},), \"{}\")", of, shape, name);
    }
};

Numbers numbers(Choice& choice) {
    const std::string name = choice.pick<std::string>({"int32", "uint8", "int16", "float32"});
    return {name, name == "float32"};
}

// A condition that says when a cell is data, in one of several spellings.
std::string inside(Choice& choice, const std::string& v, std::int64_t lo, std::int64_t hi) {
    switch (choice.weighted({50, 20, 20, 10})) {
        case 0: return fmt::format("{0} <= {1} and {1} < {2}", lo, v, hi);
        case 1: return fmt::format("{0} >= {1} and {0} <= {2}", v, lo, hi - 1);
        case 2: return fmt::format("0 <= {0} - {1} and {0} - {1} < {2}", v, lo, hi - lo);
        default: return fmt::format("{} < {} and {} < {}", lo - 1, v, v, hi);
    }
}

// A padded image, in one or two dimensions.
PairText frame(Choice& choice) {
    const Numbers t = numbers(choice);
    const auto n = choice.between(3, 7);
    const auto before = choice.between(0, 3);
    const auto after = choice.between(0, 3);
    const auto rows = choice.between(1, 3);
    const auto all = before + n + after;
    const auto step = choice.chance(12) ? 2 : 1;  // two iterations store to one cell
    const std::string data = choice.pick<std::string>(
        {fmt::format("X[vr, vi - {}]", before), fmt::format("X[vr, vi - {}]", before),
         fmt::format("X[vr, vi - {}] + X[0, 0]", before)});
    const bool in_place = choice.chance(10);
    std::string schedule = "r, i = sch.get_loops(\"P\")\n";
    std::string at = choice.pick<std::string>({"r", "i", "i"});
    if (choice.chance(25)) {
        schedule += fmt::format("i, l = sch.split(i, factors=[None, {}])\n", choice.between(2, 4));
        at = choice.pick<std::string>({"i", "l", "r"});
    }
    schedule += fmt::format("fill = sch.decompose_padding(\"P\", {})\n", at);
    if (choice.chance(40)) schedule += "sch.parallel(sch.get_loops(fill)[0])\n";
    if (choice.chance(30)) schedule += "sch.simplify()\n";
    if (choice.chance(20)) schedule += "sch.remove_no_op()\n";
    return {fmt::format(R"(def kernel({0}, {1}, {2}):
    for r in range({3}):
        for i in range({4}):
            with T.block("P"):
                vr, vi = T.axis.remap("SS", [r, i])
                P[vr, vi{5}] = T.if_then_else({6}, {7}, {8})
    for r in range({3}):
        for i in range({4}):
            with T.block("Y"):
                vr, vi = T.axis.remap("SS", [r, i])
                Y[vr, vi] = P[vr, vi]
)",
                        t.buffer("X", fmt::format("{}, {}", rows, n)),
                        t.buffer("P", fmt::format("{}, {}", rows, all)),
                        t.buffer("Y", fmt::format("{}, {}", rows, all)), rows, all,
                        step == 2 ? " // 2" : "", inside(choice, "vi", before, before + n),
                        in_place ? "P[vr, 0]" : data, t.number(choice.between(0, 2))),
            schedule};
}

// A product of matrices, or nearly.
PairText einsum(Choice& choice) {
    const Numbers t = numbers(choice);
    const auto m = choice.between(1, 4);
    const auto n = choice.between(1, 4);
    const auto k = choice.between(1, 4);
    const std::string term = choice.pick<std::string>(
        {"A[vi, vk] * B[vk, vj]", "A[vi, vk] * B[vk, vj]", "A[vi, vk] * B[vk, vj]", "A[vi, vk]",
         "(A[vi, vk] + " + t.number(1) + ")", "A[vi, vk] * B[0, vj]"});
    const std::string next = choice.chance(80)   ? "C[vi, vj] + " + term
                             : choice.chance(60) ? "T.max(C[vi, vj], " + term + ")"
                                                 : "T.min(C[vi, vj], " + term + ")";
    const std::string kept = t.name == "int32" ? "(" + next + ") % 97" : next;
    std::string schedule =
        fmt::format("sch.pad_einsum(\"C\", [{}, {}, {}])\n", choice.pick({1, 2, 4}),
                    choice.pick({1, 1, 3}), choice.pick({1, 2, 4, 5}));
    if (choice.chance(30)) schedule += "sch.parallel(sch.get_loops(\"C\")[0])\n";
    if (choice.chance(30)) schedule += "sch.compute_inline(\"A_pad\")\n";
    std::map<std::string, CellRange> ranges;
    if (t.name == "int32") ranges = {{"A", {-100, 100}}, {"B", {-100, 100}}};
    return {fmt::format(R"(def kernel({0}, {1}, {2}):
    for i in range({3}):
        for j in range({4}):
            for k in range({5}):
                with T.block("C"):
                    vi, vj, vk = T.axis.remap("SSR", [i, j, k])
                    with T.init():
                        C[vi, vj] = {6}
                    C[vi, vj] = {7}
)",
                        t.buffer("A", fmt::format("{}, {}", m, k)),
                        t.buffer("B", fmt::format("{}, {}", k, n)),
                        t.buffer("C", fmt::format("{}, {}", m, n)), m, n, k,
                        t.number(choice.chance(80) ? 0 : 1), choice.chance(50) ? kept : next),
            schedule,
            {},
            ranges};
}

// A sum and what is added to it.
PairText epilogue(Choice& choice) {
    Numbers t = numbers(choice);
    if (t.name == "int32" && choice.chance(60)) t.name = "uint16";
    const auto m = choice.between(choice.chance(10) ? 1 : 2, 4);
    const auto k = choice.between(1, 4);
    std::string licence;
    if (t.is_float && choice.chance(85)) {
        licence = fmt::format("    T.func_attr({{\"proviso.licences\": [\"reassociate\"{}]}})\n",
                              choice.chance(50) ? ", \"no_signed_zero\"" : "");
    }
    const std::string made = choice.pick<std::string>(
        {"S[vi] + C[vi]", "S[vi] + C[vi]", "C[vi] + S[vi]", "C[vi] + S[vi]",
         "S[vi] + " + t.number(3), "T.max(S[vi] + C[vi], " + t.number(0) + ")", "S[vi] + C[0]"});
    const auto stored = choice.chance(10) && m > 1 ? m - 1 : m;
    std::string schedule;
    const bool loops = choice.chance(50);
    if (loops) schedule += "i, k = sch.get_loops(\"sum\")\n";
    schedule += "sch.fuse_reduction_epilogue(\"sum\", \"bias\")\n";
    if (loops) schedule += "sch.parallel(i)\n";
    if (choice.chance(30)) schedule += "sch.simplify()\n";
    const std::string second = choice.chance(10) ? fmt::format(R"(    for i in range({0}):
        with T.block("again"):
            vi = T.axis.spatial({0}, i)
            Z[vi] = S[vi]
)",
                                                               m)
                                                 : "";
    return {
        fmt::format(R"(def kernel({0}, {1}, {2}, {3}):
{4}    S = T.alloc_buffer(({5},), "{6}")
    for i in range({5}):
        for k in range({7}):
            with T.block("sum"):
                vi, vk = T.axis.remap("SR", [i, k])
                with T.init():
                    S[vi] = {8}
                S[vi] = S[vi] + A[vi, vk]
    for i in range({9}):
        with T.block("bias"):
            vi = T.axis.spatial({9}, i)
            D[vi] = {10}
{11})",
                    t.buffer("A", fmt::format("{}, {}", m, k)), t.buffer("C", std::to_string(m)),
                    t.buffer("D", std::to_string(m)), t.buffer("Z", std::to_string(m)), licence, m,
                    t.name, k, t.number(choice.chance(80) ? 0 : 2), stored, made, second),
        schedule};
}

// A window that slides over a row, and what reads it: all of it, or cells that have left it.
PairText ring(Choice& choice) {
    const Numbers t = numbers(choice);
    const auto extent = choice.between(2, 4);
    const auto step = choice.chance(70) ? 1 : 2;
    const auto n = choice.between(2, 5);
    const auto cells = (n - 1) * step + extent;
    const auto from = choice.between(0, extent - 1);
    const std::string at = step == 1 ? "v" : fmt::format("v * {}", step);
    const std::string read = choice.chance(85) ? fmt::format("B[{} + {}]", at, from)
                                               : fmt::format("B[T.max({} - 1, 0)]", at);
    const std::string guard = choice.chance(50)
                                  ? fmt::format("                T.where(i == 0 or {} <= t)\n",
                                                extent - step - (choice.chance(10) ? 1 : 0))
                                  : "";
    const std::string change =
        choice.chance(10) ? fmt::format("            A[v] = {}\n", t.number(1)) : "";
    std::string schedule = fmt::format("sch.rolling_buffer(\"window\", {})\n",
                                       choice.pick<std::string>({"0", "\"B\""}));
    if (choice.chance(30)) schedule += "sch.simplify()\n";
    if (choice.chance(30)) schedule += "sch.unroll(sch.get_loops(\"window\")[1], copies=True)\n";
    return {fmt::format(R"(def kernel({0}, {1}):
    B = T.alloc_buffer(({2},), "{3}")
    for i in range({4}):
        for t in range({5}):
            with T.block("window"):
                v = T.axis.spatial({2}, i * {6} + t)
{7}                B[v] = {8}
        with T.block("use"):
            v = T.axis.spatial({9}, i)
            Y[v] = {10}
{11})",
                        t.buffer("A", std::to_string(cells)), t.buffer("Y", std::to_string(n)),
                        cells, t.name, n, extent, step, guard,
                        choice.pick<std::string>({"A[v]", "T.max(A[v], A[0])"}), n,
                        choice.pick<std::string>({read, fmt::format("T.max({}, B[{}])", read, at)}),
                        change),
            schedule};
}

// A sum of products, and an intrinsic for a tile of it, in several implementations.
PairText intrinsic(Choice& choice) {
    const Numbers t = numbers(choice);
    const auto tile = choice.between(2, 4);
    const auto k = tile * choice.between(1, 3);
    const bool wraps = t.name != "int32";
    const auto term = [&](const std::string& of_a, const std::string& of_b) {
        return wraps ? fmt::format("A[{}] * B[{}]", of_a, of_b)
                     : fmt::format("T.min(A[{}], B[{}])", of_a, of_b);
    };
    const auto add = [&](int depth, const std::string& at) {
        return fmt::format("{}C[0] = C[0] + {}\n",
                           std::string(4 * static_cast<std::size_t>(depth), ' '), term(at, at));
    };
    std::string implementation;
    switch (choice.weighted({35, 20, 15, 10, 10, 10})) {
        case 0:
            for (std::int64_t n = 0; n < tile; ++n) implementation += add(1, std::to_string(n));
            break;
        case 1:
            implementation = fmt::format("    for p in range({}):\n", tile) + add(2, "p");
            break;
        case 2:
            for (std::int64_t n = tile; n > 0; --n) implementation += add(1, std::to_string(n - 1));
            break;
        case 3:
            implementation = fmt::format("    for p in range({}):\n", tile - 1) + add(2, "p");
            break;
        case 4:
            implementation = fmt::format("    for p in range({}):\n", tile - 1) + add(2, "p") +
                             add(1, std::to_string(tile - 1));
            break;
        default:
            implementation = fmt::format("    for p in range({}):\n        C[0] = C[0] + {}\n",
                                         tile, term("p", "0"));
    }
    const std::string of = fmt::format(
        "A: T.Buffer(({0},), \"{1}\"), B: T.Buffer(({0},), \"{1}\"), C: T.Buffer((1,), \"{1}\")",
        tile, t.name);
    std::string schedule = fmt::format(
        "@T.prim_func\ndef tile_desc({0}):\n    for p in range({1}):\n{2}\n"
        "@T.prim_func\ndef tile_impl({0}):\n{3}\n"
        "i, k = sch.get_loops(\"S\")\nko, ki = sch.split(k, factors=[None, {4}])\n",
        of, tile, add(2, "p"), implementation, choice.chance(90) ? tile : tile + 1);
    if (choice.chance(40)) schedule += "sch.decompose_reduction(\"S\", ko)\n";
    schedule += "sch.tensorize(ki, \"tile\")\n";
    if (choice.chance(30)) schedule += "sch.simplify()\n";
    return {fmt::format(R"(def kernel({0}, {1}, {2}):
    for i in range(2):
        for k in range({3}):
            with T.block("S"):
                vi, vk = T.axis.remap("SR", [i, k])
                with T.init():
                    S[vi] = {4}
                S[vi] = S[vi] + {5}
)",
                        t.buffer("A", std::to_string(k)), t.buffer("B", fmt::format("2, {}", k)),
                        t.buffer("S", "2"), k, t.number(0), term("vk", "vi, vk")),
            schedule};
}

// A block whose accesses name each cell by iterators of its own, or nearly.
PairText reindexed(Choice& choice) {
    const Numbers t = numbers(choice);
    const auto m = choice.between(2, 5);
    const auto n = choice.between(2, 5);
    const std::string read =
        choice.pick<std::string>({"A[vi, vj]", "A[vi, vj]", "A[vj, vi]", "A[vj, vi]", "A[vj, 0]"});
    const bool first = read == "A[vi, vj]";
    std::string schedule;
    const std::string scope = choice.pick<std::string>({"local", "shared", "global"});
    switch (choice.weighted({50, 25, 25})) {
        case 0:
            schedule =
                fmt::format("copy = sch.reindex_cache_read(\"Y\", {}, \"{}\", lambda x, y: {})\n",
                            choice.pick<std::string>({"0", "\"A\""}), scope,
                            choice.pick<std::string>({"(x, y)", "(y, x)", "(y, x // 2, x % 2)",
                                                      fmt::format("(x * {} + y,)", n)}));
            break;
        case 1:
            schedule =
                fmt::format("copy = sch.reindex_cache_write(\"Y\", 0, \"{}\", lambda x, y: {})\n",
                            scope, choice.pick<std::string>({"(y, x)", "(y // 2, x, y % 2)"}));
            break;
        default: schedule = "copy = sch.reindex(\"Y\", (\"read\", 0))\n";
    }
    if (choice.chance(30)) schedule += "sch.parallel(sch.get_loops(copy)[0])\n";
    if (choice.chance(30)) schedule += "sch.simplify()\n";
    return {fmt::format(
                R"(def kernel({0}, {1}):
    for i in range({2}):
        for j in range({3}):
            with T.block("Y"):
                vi, vj = T.axis.remap("SS", [i, j])
                Y[vi, vj] = {4}
)",
                t.buffer("A", first ? fmt::format("{}, {}", m, n) : fmt::format("{}, {}", n, m)),
                t.buffer("Y", fmt::format("{}, {}", m, n)), m, n, read),
            schedule};
}

}  // namespace

const std::vector<PairFamily>& padding_pairs() {
    static const std::vector<PairFamily> all = {
        {"frame", frame},         {"einsum", einsum},     {"einsum", einsum},
        {"epilogue", epilogue},   {"epilogue", epilogue}, {"reindexed", reindexed},
        {"reindexed", reindexed}, {"ring", ring},         {"intrinsic", intrinsic}};
    return all;
}

}  // namespace proviso::fuzz
