// Pairs about tables of indices, copies of what is updated in place, regions that blocks access,
// and types of buffers.
#include <fmt/format.h>

#include "fuzz/gen/pairs/pairs.h"

namespace proviso::fuzz {

namespace {

// A table may have a cell that the program never computes: under a guard, where the index is
// divided by zero or leaves its range.
PairText tables(Choice& choice) {
    const PairType t = pair_type(choice);
    const bool out_of_range = choice.chance(20);
    const bool divides = !out_of_range && choice.chance(25);
    std::vector<std::string> indices = {"vi * 3 + vj",       "(vi + vj) // 2", "vi // 2 + vj // 2",
                                        "(vi * 7 + 3) % 16", "15 - vi - vj",   "T.max(vi - 1, 0)"};
    std::string guard;
    if (choice.chance(30)) guard = choice.pick({"1 <= i", "i + j < 5", "j != 2"});
    if (divides) guard = "1 <= i";
    if (divides) indices.insert(indices.end(), 4, "12 // vi");
    if (out_of_range) guard = "i * j < 4";
    if (out_of_range) indices.insert(indices.end(), 4, "vi * vj * 600000000 // 600000000");
    if (!guard.empty()) guard = "            T.where(" + guard + ")\n";
    const auto index = [&] { return choice.pick(indices); };
    std::string value = fmt::format("A[{}]", index());
    if (choice.chance(50)) value = t.both(choice, value, fmt::format("A[{}]", index()));
    if (choice.chance(25)) {
        value = fmt::format("T.if_then_else({} < {}, {}, {})", index(), choice.between(1, 9), value,
                            t.zero());
    }
    std::string schedule = choice.chance(30) ? "sch.parallel(sch.get_loops(\"b\")[0])\n" : "";
    schedule += fmt::format(
        "sch.cache_index(\"b\", \"{}\"{})\n", choice.pick({"global", "local", "shared"}),
        choice.chance(30) ? "" : fmt::format(", cse_thresh={}", choice.between(0, 3)));
    if (choice.chance(30)) schedule += "sch.simplify()\n";
    if (choice.chance(20)) schedule += "sch.cache_index(\"b\", \"shared\")\n";
    return {fmt::format(R"(def kernel({}, {}):
    for i, j in T.grid(4, 4):
        with T.block("b"):
            vi, vj = T.axis.remap("SS", [i, j])
{}            B[vi * 4 + vj] = {}
)",
                        t.buffer("A", "16"), t.buffer("B", "16"), guard, value),
            schedule};
}

// An update of a parameter or of a buffer that a stage has written, all of it or a part, in order
// or not, of cells before and after.
PairText in_place(Choice& choice) {
    const PairType t = pair_type(choice);
    const bool own = choice.chance(40);
    const auto from = choice.between(0, 2);
    const bool sums = choice.chance(30);
    const std::string cell = choice.pick({"vi", "vi", "vi", "9 - vi", "vi // 2"});
    const std::string other = choice.pick({cell, cell, cell, std::string("T.max(vi - 1, 0)"),
                                           std::string("9 - vi"), std::string("T.min(vi + 1, 9)")});
    std::string value = t.both(choice, fmt::format("B[{}]", other), sums ? "A[vk]" : "A[vi]");
    if (choice.chance(15)) value += fmt::format(" + B[{}]", cell);
    const std::string loops = sums ? fmt::format("for i, k in T.grid({}, 3)", 10 - from)
                                   : fmt::format("for i in range({})", 10 - from);
    std::string block = fmt::format("            vi = T.axis.spatial(10, i + {})\n{}{}", from,
                                    sums ? "            vk = T.axis.reduce(3, k)\n" : "",
                                    choice.chance(20) ? "            T.where(i < 6)\n" : "");
    std::string before, after;
    if (own) {
        before = R"(    B = T.alloc_buffer((10,), ")" + t.name + R"(")
    for i0 in range(10):
        with T.block("first"):
            v0 = T.axis.spatial(10, i0)
            B[v0] = A[9 - v0]
)";
        after = R"(    for i1 in range(10):
        with T.block("last"):
            v1 = T.axis.spatial(10, i1)
            C[v1] = B[v1]
)";
    }
    std::string schedule;
    if (choice.chance(15)) schedule += "sch.parallel(sch.get_loops(\"update\")[0])\n";
    schedule += fmt::format("into, out = sch.cache_inplace(\"update\", {}, \"{}\")\n",
                            choice.pick({"\"B\"", "0", "(\"read\", 0)"}),
                            choice.pick({"global", "local", "shared"}));
    if (choice.chance(30)) schedule += "sch.parallel(sch.get_loops(into)[0])\n";
    if (choice.chance(30)) schedule += "sch.simplify()\n";
    return {fmt::format("def kernel({}, {}, {}):\n{}    {}:\n        with T.block(\"update\"):\n{}"
                        "            B[{}] = {}\n{}",
                        t.buffer("A", "10"), t.buffer(own ? "Z" : "B", "10"), t.buffer("C", "10"),
                        before, loops, block, cell, value, after),
            schedule};
}

// A region that is as large as it must be, or smaller by one.
PairText regions(Choice& choice) {
    const PairType t = pair_type(choice);
    const auto low = choice.between(0, 2);
    const auto high = choice.between(low, 4);
    const bool guarded = choice.chance(30);
    std::string value =
        t.both(choice, fmt::format("A[vi + {}]", low), fmt::format("A[vi + {}]", high));
    if (guarded) {
        value =
            fmt::format("T.if_then_else(vi < {}, {}, {})", choice.between(1, 7), value, t.zero());
    }
    return {fmt::format(R"(def kernel({}, {}):
    for i in range(8):
        with T.block("b"):
            vi = T.axis.spatial(8, i)
            B[7 - vi] = {}
)",
                        t.buffer("A", "12"), t.buffer("B", "8"), value),
            fmt::format(
                "sch.annotate_buffer_access(\"b\", 0, \"read\", lambda x: ((x + {}, x + {}),))\n"
                "sch.annotate_buffer_access(\"b\", \"B\", \"write\", lambda x: ({},))\n",
                low - choice.between(-1, 1), high + choice.between(0, 2),
                choice.pick({"7 - x", "x", "(0, 8)", "(7 - x, 8)"}))};
}

// A buffer whose values fit in another type, or nearly.
PairText types(Choice& choice) {
    const std::string from = choice.pick({"int8", "uint8", "int16", "bool"});
    const std::string wide = choice.pick({"int32", "int64", "int16", "float32"});
    const std::string to = choice.pick(
        {"int8", "uint8", "int16", "uint16", "int32", "int64", "bool", "float32", "float16"});
    const std::string cast = fmt::format("T.Cast(\"{}\", A[vi])", wide);
    const auto constant = [&](std::int64_t k) { return fmt::format("T.{}({})", wide, k); };
    std::string value = cast;
    if (choice.chance(60)) {
        const char* const op = choice.pick({"+", "-", "*"});
        value = fmt::format("{} {} {}", cast, op, constant(choice.between(0, 3)));
    }
    if (choice.chance(30)) {
        value = fmt::format("T.if_then_else({} < {}, {}, {})", cast, constant(choice.between(0, 5)),
                            constant(choice.between(0, 1)), value);
    }
    std::string schedule =
        fmt::format("sch.{}(\"b\", {}, \"{}\")\n", choice.pick({"set_dtype", "unsafe_set_dtype"}),
                    choice.pick({"0", "\"B\""}), to);
    if (choice.chance(30)) schedule += "sch.simplify()\n";
    return {fmt::format(R"(def kernel(A: T.Buffer((8,), "{0}"), C: T.Buffer((8,), "{1}")):
    B = T.alloc_buffer((8,), "{1}")
    for i in range(8):
        with T.block("b"):
            vi = T.axis.spatial(8, i)
            B[vi] = {2}
    for j in range(8):
        with T.block("c"):
            vj = T.axis.spatial(8, j)
            C[vj] = T.max(B[vj], B[{3}])
)",
                        from, wide, value, choice.pick({"7 - vj", "vj", "vj // 2"})),
            schedule};
}

}  // namespace

const std::vector<PairFamily>& copy_pairs() {
    static const std::vector<PairFamily> all = {
        {"tables", tables}, {"in-place", in_place}, {"regions", regions}, {"types", types}};
    return all;
}

}  // namespace proviso::fuzz
