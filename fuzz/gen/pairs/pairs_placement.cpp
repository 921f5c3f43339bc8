// A stage and what reads its result: placed in each other's loops, inlined, copied in tiles, taken
// apart, outlined with what is known of it. Now and then something stands in between.
#include <fmt/format.h>

#include "fuzz/gen/pairs/pairs.h"

namespace proviso::fuzz {

namespace {

// A stage "p" that computes B, and a stage "c" that reads it, over n rows of m cells.
struct Stages {
    std::string head;     // with the allocation of B
    std::string first;    // "p"
    std::string between;  // mostly empty
    std::string second;   // "c"
    std::string text() const { return head + first + between + second; }
};

std::string nest(const char* block, std::int64_t n, std::int64_t m, const std::string& statement) {
    return fmt::format(R"(    for i, j in T.grid({0}, {1}):
        with T.block("{2}"):
            vi, vj = T.axis.remap("SS", [i, j])
            {3}
)",
                       n, m, block, statement);
}

Stages stages(Choice& choice) {
    const PairType t = pair_type(choice);
    const auto n = choice.between(3, 5);
    const auto m = choice.between(2, 4);
    const std::string shape = fmt::format("{}, {}", n, m);
    Stages out;
    out.head = fmt::format(R"(def kernel({}, {}, {}):
    B = T.alloc_buffer(({}), "{}")
)",
                           t.buffer("A", shape), t.buffer("C", shape), t.buffer("D", shape), shape,
                           t.name);
    out.first =
        nest("p", n, m,
             "B[vi, vj] = " + t.both(choice, "A[vi, vj]", fmt::format("A[vi, {} - vj]", m - 1)));
    std::string read = "B[vi, vj]";
    switch (choice.weighted({45, 15, 15, 10, 15})) {
        case 0: break;
        case 1: read = fmt::format("B[vi, {} - vj]", m - 1); break;
        case 2: read = t.both(choice, "B[vi, vj]", "B[T.max(vi - 1, 0), vj]"); break;
        case 3: read = fmt::format("B[{} - vi, vj]", n - 1); break;
        default: read = t.both(choice, "B[vi, vj]", "D[vi, vj]"); break;
    }
    const bool in_place = choice.chance(8);
    out.second = nest("c", n, m, fmt::format("{}[vi, vj] = {}", in_place ? "A" : "C", read));
    if (choice.chance(20)) {
        const std::string other = choice.pick<std::string>(
            {"A[vi, vj] = " + t.zero(), "C[vi, vj] = " + t.zero(), "D[vi, vj] = B[vi, vj]"});
        out.between = nest("z", choice.between(1, n), m, other);
    }
    return out;
}

std::string loops(const char* block) {
    return fmt::format("i_{0}, j_{0} = sch.get_loops(\"{0}\")\n", block);
}

// One of the primitives of placement.
PairText placed(Choice& choice) {
    const Stages s = stages(choice);
    const char* unit = choice.chance(30) ? ", preserve_unit_loops=True" : "";
    const char* index = choice.pick({"", "", ", index=-2", ", index=0"});
    const char* at = choice.pick({"i", "i", "j"});
    std::string out;
    switch (choice.weighted({30, 15, 20, 15, 10, 10})) {
        case 0:
            out = loops("p") + fmt::format("sch.reverse_compute_at(\"c\", {}_p{})\n", at, unit);
            break;
        case 1: out = "sch.reverse_compute_inline(\"c\")\n"; break;
        case 2:
            out = loops("c") + fmt::format("sch.compute_at(\"p\", {}_c{}{})\n", at, unit, index);
            break;
        case 3:
            out = loops("c") +
                  (choice.chance(75)
                       ? fmt::format("sch.store_at(\"p\", {}_c)\n", at)
                       : fmt::format("sch.store_at(\"p\")\nsch.compute_at(\"p\", {}_c{})\n", at,
                                     unit));
            break;
        case 4: out = "sch.compute_inline(\"p\")\n"; break;
        default:
            out = loops("p") + loops("c") +
                  fmt::format("sch.merge({0}_p, {0}_c)\n", choice.pick({"i", "j"}));
    }
    if (choice.chance(30)) out += "sch.simplify()\n";
    return {s.text(), out};
}

// Copies of what an iteration of a loop reads or writes.
PairText tiles(Choice& choice) {
    const Stages s = stages(choice);
    const char* scope = choice.pick({"local", "shared"});
    const char* at = choice.pick({"i", "j"});
    std::string out;
    if (choice.chance(60)) {
        const char* what = choice.pick({"\"A\"", "\"A\"", "0"});
        out = loops("p") + fmt::format("sch.read_at({}_p, \"p\", {}, \"{}\")\n", at, what, scope);
    } else {
        const char* what = choice.pick({"\"B\"", "\"B\"", "0"});
        out = loops("p") + fmt::format("sch.write_at({}_p, \"p\", {}, \"{}\")\n", at, what, scope);
    }
    if (choice.chance(30)) out += "sch.simplify()\n";
    return {s.text(), out};
}

// Loops that follow what they read, or what they store to, perhaps in another layout.
PairText walked(Choice& choice) {
    const PairType t = pair_type(choice);
    const auto n = choice.between(3, 5);
    const auto m = choice.between(2, 4);
    const bool turned = choice.chance(60);
    const std::string rows = fmt::format("{}, {}", n, m);
    std::string text = fmt::format("def kernel({}, {}):\n",
                                   t.buffer("A", turned ? fmt::format("{}, {}", m, n) : rows),
                                   t.buffer("Y", rows));
    std::string value = turned ? "A[vj, vi]" : "A[vi, vj]";
    if (choice.chance(15)) value = t.both(choice, value, "Y[vi, T.max(vj - 1, 0)]");
    text += nest("b", n, m, "Y[vi, vj] = " + value);
    std::string out;
    if (choice.chance(40)) {
        const std::string pad = ", pad_value=" + std::string(t.is_float ? "0.0" : "0");
        out = fmt::format("sch.transform_layout(\"b\", \"A\", lambda p, q: {}{})\n",
                          choice.pick({"[q, p]", "[p // 2, q, p % 2]", "[p, q // 2, q % 2]"}),
                          choice.chance(70) ? pad : "");
    }
    out += fmt::format(
        "sch.sequential_buffer_access(\"b\", {})\n",
        choice.pick({"(\"read\", 0)", "(\"read\", 0)", "(\"write\", 0)", "\"A\"", "0"}));
    return {text, out};
}

// Three statements in one loop; a later one may store to what an earlier one reads next.
PairText three_statements(Choice& choice) {
    const PairType t = pair_type(choice);
    const auto n = choice.between(3, 5);
    const char* last = choice.pick({"Z[v]", "Z[v]", "A[v]", "A[v + 1]"});
    const char* read = choice.pick({"X[v]", "X[T.max(v - 1, 0)]", "X[v + 1]"});
    std::string out =
        fmt::format("def kernel({}, {}, {}, {}):\n    for i in range({}):\n", t.buffer("A", "8"),
                    t.buffer("X", "8"), t.buffer("Y", "8"), t.buffer("Z", "8"), n);
    const auto block = [&](const char* name, const std::string& statement) {
        out += fmt::format(R"(        with T.block("{}"):
            v = T.axis.opaque({}, i)
            {}
)",
                           name, n, statement);
    };
    block("x", "X[v] = " + t.both(choice, "A[v]", "A[v + 1]"));
    block("y", fmt::format("Y[v] = {}", t.both(choice, "A[v]", read)));
    block("z", fmt::format("{} = {}", last, choice.pick({"X[v]", "Y[v]"})));
    return {out, fmt::format("i, = sch.get_loops(\"x\")\nsch.fission(i, {}{})\n",
                             choice.chance(25) ? "at=" : "", choice.between(1, 2))};
}

// A stage in a function of its own, told what the stage before it has stored, or nearly.
PairText told(Choice& choice) {
    const auto n = choice.between(3, 6);
    const auto filled = choice.chance(80) ? n : n - 1;
    const std::string facts[] = {"lambda q: B[q] == 1", "lambda q: B[q] < 2",
                                 fmt::format("lambda q: B[q] < {}", choice.pick({1, 5}))};
    const std::string known = choice.chance(50)
                                  ? choice.pick<std::string>({facts[0], facts[1]})
                                  : fmt::format("[{}, {}]", facts[0], facts[choice.between(1, 2)]);
    std::string out =
        fmt::format(R"(def kernel(A: T.Buffer(({0},), "int32"), C: T.Buffer(({0},), "int32")):
    B = T.alloc_buffer(({0},), "int32")
    for i in range({1}):
        with T.block("fill"):
            v = T.axis.spatial({0}, i)
            B[v] = 1
    for i in range({0}):
        with T.block("use"):
            v = T.axis.spatial({0}, i)
            T.assume({2})
            C[v] = T.if_then_else(B[T.min(v, {3})] < 1, A[v], 3)
)",
                    n, filled, choice.pick({"0 <= v", "v < 6", "A[v] < 200"}), filled - 1);
    if (choice.chance(35)) {
        return {out,
                fmt::format("sch.lower_assume({}{})\n", choice.pick({"\"use\"", "block=\"use\""}),
                            choice.pick({"", ", mode=\"check\"", ", mode=\"drop\""}))};
    }
    return {out, fmt::format("sch.outline(\"use\", \"part\", assume={})\nsch.work_on(\"part\")\n"
                             "sch.simplify()\n",
                             known)};
}

}  // namespace

const std::vector<PairFamily>& placement_pairs() {
    static const std::vector<PairFamily> list = {
        {"placed", placed},
        {"placed", placed},
        {"tiles", tiles},
        {"walked", walked},
        {"three statements", three_statements},
        {"told", told},
    };
    return list;
}

}  // namespace proviso::fuzz
