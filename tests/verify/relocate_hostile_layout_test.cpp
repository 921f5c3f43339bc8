// Hostile layouts.
#include "tests/verify/relocate_hostile.h"

namespace proviso::verify {
namespace {

class HostileLayout : public HostileRelocate {
  protected:
    // Of one dimension.
    static RelayoutText flat(const std::string& buffer, const std::string& shape,
                             const std::string& map, const std::string& inverse,
                             const std::string& pad = "none") {
        RelayoutText t;
        t.buffer = buffer;
        t.shape = {shape};
        t.map = {map};
        t.inverse = {inverse};
        t.pad = pad;
        t.physical = {"p"};
        t.limits = {1000};
        return t;
    }
    // The padding is written in these boxes, after the statement.
    static RelayoutText padded(RelayoutText t,
                               const std::vector<std::pair<std::string, std::string>>& boxes,
                               const std::string& after = "body", bool guarded = false) {
        for (const auto& box : boxes) t.boxes.push_back({{box}, guarded});
        t.after = after;
        return t;
    }
};

const char* const kWhole = "    for i in range(8):\n        B[i] = A[i]\n";
const char* const kTmp =
    "    t = T.alloc_buffer((8,), \"int32\")\n    for i in range(8):\n        t[i] = A[i]\n"
    "    for j in range(8):\n        B[j] = t[7 - j]\n";
const char* const kNotInjective = "unproved: the inverse takes each physical cell back";
const char* const kOutside = "unproved: the layout map stays within";
const char* const kFaults = "unproved: the layout map is computed";

TEST_F(HostileLayout, Maps) {
    for (const char* name : {"A", "B", "t"}) {
        const std::string on = name;
        expect({
            {"the same", kTmp, flat(on, "8", "x", "p"), "accepted"},
            {"reversed", kTmp, flat(on, "8", "7 - x", "7 - p"), "accepted"},
            {"reversed there only", kTmp, flat(on, "8", "7 - x", "p"), kNotInjective},
            {"two cells in one", kTmp, flat(on, "4", "x // 2", "p * 2"), kNotInjective},
            {"all cells in one", kTmp, flat(on, "1", "0", "p"), kNotInjective},
            {"the last cell twice", kTmp, flat(on, "8", "T.min(x, 6)", "p"), kNotInjective},
            {"one cell beyond", kTmp, flat(on, "8", "x + 1", "p - 1"), kOutside},
            {"one cell before", kTmp, flat(on, "8", "x - 1", "p + 1"), kOutside},
            {"one cell beyond, with room", kTmp, flat(on, "9", "x + 1", "p - 1"), "accepted"},
            {"spread", kTmp, flat(on, "15", "x * 2", "p // 2"), "accepted"},
            {"spread too far", kTmp, flat(on, "14", "x * 2", "p // 2"), kOutside},
            {"rotated", kTmp, flat(on, "8", "(x + 3) % 8", "(p + 5) % 8"), "accepted"},
            {"rotated another way back", kTmp, flat(on, "8", "(x + 3) % 8", "(p + 4) % 8"),
             kNotInjective},
            {"rotated by a size", kTmp, flat(on, "8", "(x + n % 8) % 8", "(p - n % 8) % 8"),
             "accepted"},
            {"by a remainder that collides", kTmp, flat(on, "8", "x * 3 % 6", "p"), kNotInjective},
            {"by a remainder that does not", kTmp, flat(on, "8", "x * 3 % 8", "p * 3 % 8"),
             "accepted"},
            {"by xor", kTmp, flat(on, "8", "x ^ 5", "p ^ 5"), "accepted"},
            {"a map that divides by a size", kTmp, flat(on, "8", "x + 0 * (1 // n)", "p"), kFaults},
            {"a map that divides by an index", kTmp, flat(on, "8", "x + 0 * (1 // x)", "p"),
             kFaults},
            {"an operand out of range", kTmp, flat(on, "8", "(x * 1000000000) // 1000000000", "p"),
             kFaults},
            {"an operand of a choice out of range", kTmp,
             flat(on, "8", "T.Select(x < 9, x, x * 1000000000 // 1000000000)", "p"), kFaults},
            {"an arm that is not evaluated", kTmp,
             flat(on, "8", "T.if_then_else(x < 9, x, x * 1000000000 // 1000000000)", "p"),
             "accepted"},
            {"a size in the place", kTmp, flat(on, "8", "x + n - n", "p"), "accepted"},
            {"larger by a size", kTmp, flat(on, "T.max(n, 8)", "x", "p"),
             "unproved: the physical extent T.max(n, 8) is at most 1000"},
            {"as large as a size", kTmp, flat(on, "n", "x", "p"), "unproved: the physical extent"},
            {"of a negative size", kTmp, flat(on, "-8", "x", "p"), "refused: not well-formed"},
            {"of no size", kTmp, flat(on, "0", "x", "p"), kOutside},
            {"of a size that divides", kTmp, flat(on, "8 + 0 * (1 // n)", "x", "p"),
             "unproved: the physical extent"},
        });
    }
}

// Relations have names that mean the same when they are read again.
TEST_F(HostileLayout, Names) {
    const auto named = [](const std::string& index, const std::string& place,
                          const std::string& pad = "none") {
        RelayoutText t = flat("A", "9", "8 - " + index, "8 - " + place, pad);
        t.vars = {index};
        t.physical = {place};
        return t;
    };
    expect({
        {"one name for both", kWhole, named("x", "x"), "accepted"},
        {"one name for both, with padding", kWhole, named("x", "x", "x + 7"), "accepted"},
        {"the name of a loop", kWhole, named("i", "i", "i"), "accepted"},
        {"a parameter's name", kWhole, named("n", "p"), "refused: index name 'n' is taken"},
        {"a parameter's name for a place", kWhole, named("x", "m"),
         "refused: index name 'm' is taken"},
        {"a number", kWhole, named("7", "p"), "refused:"},
    });
}

// What padding holds, who writes it, and when.
TEST_F(HostileLayout, Padding) {
    const std::string later = std::string(kWhole) + "    B[0] = 1\n";
    const std::string guarded =
        "    if 0 < n:\n        for i in range(8):\n            B[i] = A[i]\n";
    const std::string stops =
        "    assert n < 3, \"large\"\n    for i in range(8):\n        B[i] = A[i]\n";
    const std::string let = "    w: T.int32 = A[0]\n    for i in range(8):\n        B[i] = w\n";
    const auto ten = [](const std::string& pad) { return flat("B", "10", "x", "p", pad); };
    const char* const over = "unproved: box 0 of the padding is in bounds and holds nothing else";
    expect({
        {"written", kWhole, padded(ten("7"), {{"8", "10"}}), "accepted"},
        {"written in two boxes", kWhole, padded(ten("7"), {{"8", "9"}, {"9", "10"}}), "accepted"},
        {"written twice", kWhole, padded(ten("7"), {{"8", "10"}, {"8", "10"}}), "accepted"},
        {"a cell is missed", kWhole, padded(ten("7"), {{"8", "9"}}),
         "unproved: all of the padding is written"},
        {"nobody writes it", kWhole, ten("7"), "unproved: all of the padding is written"},
        {"over data", kWhole, padded(ten("7"), {{"7", "10"}}), over},
        {"over data, guarded", kWhole, padded(ten("7"), {{"7", "10"}}, "body", true), "accepted"},
        {"beyond the end", kWhole, padded(ten("7"), {{"8", "11"}}), over},
        {"beyond the end, guarded", kWhole, padded(ten("7"), {{"8", "11"}}, "body", true), over},
        {"an empty box", kWhole, padded(ten("7"), {{"8", "8"}, {"8", "10"}}), "accepted"},
        {"a box the wrong way round", kWhole, padded(ten("7"), {{"10", "8"}}),
         "unproved: all of the padding is written"},
        {"a box as large as a size", kWhole, padded(ten("7"), {{"8", "n"}}), over},
        {"a box that divides", kWhole, padded(ten("7"), {{"8", "10 + 0 * (1 // n)"}}),
         "unproved: box 0 of the padding is computed"},
        {"a value that divides by a size", kWhole, padded(ten("7 // n"), {{"8", "10"}}),
         "unproved: the padding value is computed"},
        {"a value that divides by a place", kWhole, padded(ten("72 // p"), {{"8", "10"}}),
         "accepted"},
        {"a value out of range", kWhole, padded(ten("p * 1000000000"), {{"8", "10"}}),
         "unproved: the padding value is computed"},
        {"a value of memory", kWhole, padded(ten("B[0] + 1"), {{"8", "10"}}), "refused:"},
        {"undefined", kWhole, padded(ten("undef"), {{"8", "10"}}), "accepted"},
        {"undefined, and not written", kWhole, ten("undef"),
         "unproved: all of the padding is written"},
        {"repeats a cell", kWhole, padded(ten("B[p - 8]"), {{"8", "10"}}), "accepted"},
        {"repeats padding", kWhole, padded(ten("B[17 - p]"), {{"8", "10"}}),
         "unproved: the cell that padding repeats is data"},
        {"repeats what is not there", kWhole, padded(ten("B[p]"), {{"8", "10"}}),
         "unproved: the cell that padding repeats is data"},
        {"repeats a cell that is stored to later", later,
         padded(ten("B[p - 8]"), {{"8", "10"}}, "body/0"),
         "refused: the padding repeats cells that are stored to after"},
        {"repeats it after that", later, padded(ten("B[p - 8]"), {{"8", "10"}}, "body/1"),
         "accepted"},
        {"holds a value that is stored to later", later, padded(ten("7"), {{"8", "10"}}, "body/0"),
         "accepted"},
        {"written in a branch", guarded, padded(ten("7"), {{"8", "10"}}, "body/then"),
         "refused: padding written after body/then would not be written on every run"},
        {"written in a loop", kWhole, padded(ten("7"), {{"8", "10"}}, "body/body"),
         "refused: padding written after body/body would not be written on every run"},
        {"written after a stop", stops, padded(ten("7"), {{"8", "10"}}, "body/1"), "accepted"},
        {"written after the stop itself", stops, padded(ten("7"), {{"8", "10"}}, "body/0"),
         "accepted"},
        {"written in a let", let, padded(ten("7"), {{"8", "10"}}, "body/body"), "accepted"},
        {"after no statement", kWhole, padded(ten("7"), {{"8", "10"}}, "body/body/value"),
         "refused: 'after' must name a statement"},
    });
}

// Padding of what is only read is the caller's.
TEST_F(HostileLayout, TheCallersPadding) {
    const auto ten = [](const std::string& pad, const std::string& inverse = "p") {
        return flat("A", "10", "x", inverse, pad);
    };
    RelayoutText exact = flat("F", "10", "x", "p", "T.float32(0.0)");
    exact.exact = true;
    const std::string floats =
        "    for i in range(8):\n        B[i] = T.Select(F[i] > T.float32(0.0), 1, 0)\n";
    RelayoutText old = ten("A[0]");
    old.old_padding = true;
    expect({
        {"a value", kWhole, ten("7"), "accepted"},
        {"a value of the place", kWhole, ten("p * 2"), "accepted"},
        {"a value that divides in the padding", kWhole, ten("7 // (p - 9)"),
         "unproved: the padding value is computed"},
        {"a value that divides in data", kWhole, ten("7 // (p - 3)"), "accepted"},
        {"an inverse that divides in the padding", kWhole, ten("7", "p + 0 * (1 // (p - 9))"),
         "unproved: the inverse is computed without a fault in the padding"},
        {"undefined", kWhole, ten("undef"), "accepted"},
        {"a cell", kWhole, ten("A[p - 8]"), "accepted"},
        {"its own cell", kWhole, ten("A[p]"), "unproved: the cell that padding repeats is data"},
        {"a cell of the buffer as it was", kWhole, old,
         "refused: padding repeats cells of its own buffer"},
        {"a cell where memory says", kWhole, ten("A[A[0]]"), "refused:"},
        {"a zero, to the bit", floats, exact, "accepted"},
        {"a zero", floats, flat("F", "10", "x", "p", "T.float32(0.0)"), "accepted"},
        {"not a number", floats, flat("F", "10", "x", "p", "T.float32(\"nan\")"), "accepted"},
        {"a cell of floats", floats, flat("F", "10", "x", "p", "F[p - 8]"), "accepted"},
    });
}

// Indices that are evaluated again; blocks; permission; concurrent loops.
TEST_F(HostileLayout, Accesses) {
    RelayoutText rows;
    rows.shape = {"2", "4"};
    const auto on = [&](const std::string& buffer) {
        RelayoutText t = rows;
        t.buffer = buffer;
        return t;
    };
    expect({
        {"in two dimensions", kWhole, rows, "accepted"},
        {"an opaque call", "    B[0] = A[T.call_extern(\"int32\", \"g\", n)]\n", rows,
         "refused: an index makes an opaque call"},
        {"a let of what memory holds", "    B[0] = A[T.Let(u * 0, where={u: D[0, 0]})]\n", rows,
         "refused: an index may be another value each time"},
        {"an index of 64 bits", "    B[0] = A[T.int64(3)]\n", rows,
         "refused: A has an index of another integer type"},
        {"a call stored to", "    B[T.call_extern(\"int32\", \"g\", n)] = 1\n", on("B"),
         "refused: an index makes an opaque call"},
        {"a cell of itself", "    if A[0] >= 0 and A[0] < 8:\n        B[0] = A[A[0]]\n", rows,
         "accepted"},
        {"stored where it says itself",
         "    if B[0] >= 0 and B[0] < 8:\n        B[B[0]] = B[0] // 2\n", on("B"), "accepted"},
        {"stored in parallel", "    for i in T.parallel(8):\n        B[i] = A[i]\n", on("B"),
         "accepted"},
        {"permission", "    T.assume(A[7] == T.undef(\"int32\"))\n    B[0] = A[7]\n", rows,
         "accepted"},
        {"an accumulator",
         "    with T.block(\"o\"):\n        T.reads(A[0:8])\n        T.writes(B[0:8])\n"
         "        for i in range(8):\n            with T.block(\"b\"):\n"
         "                v = T.axis.spatial(8, i)\n                k = T.axis.reduce(1, 0)\n"
         "                T.reads(A[v])\n                T.writes(B[v])\n"
         "                with T.init():\n                    B[v] = 0\n"
         "                B[v] = T.max(B[v], A[v])\n",
         on("B"), "accepted"},
        {"a claim of what is read",
         "    for i in range(8):\n        with T.block(\"b\"):\n            v = T.axis.spatial(8, "
         "i)\n"
         "            T.reads(A[v])\n            T.writes(B[v])\n            B[v] = A[v]\n",
         rows, "accepted"},
        {"a domain that reads it",
         "    for i in range(4):\n        with T.block(\"b\"):\n"
         "            v = T.axis.spatial((0, T.max(A[7], 4)), i)\n            B[v] = 1\n",
         rows, "accepted"},
        {"a copy of one iteration",
         "    for i in range(4):\n        t = T.alloc_buffer((8,), \"int32\")\n        t[i] = "
         "A[i]\n"
         "        B[i] = t[i]\n",
         on("t"), "accepted"},
    });
    RelayoutText symbolic = flat("t", "n + 1", "n - x", "n - p");
    symbolic.limits = {ir::Int128{1} << 40};
    const std::string sized =
        "    assert n > 0 and n < 8, \"size\"\n    t = T.alloc_buffer((8,), \"int32\")\n"
        "    for i in range(n):\n        t[i] = i\n        B[i] = t[i]\n";
    expect(
        {{"as large as what an assertion says", sized, symbolic, "unproved: the physical extent"}});
}

}  // namespace
}  // namespace proviso::verify
