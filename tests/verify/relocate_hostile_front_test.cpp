// Hostile copies in front of a statement.
#include "tests/verify/relocate_hostile.h"

namespace proviso::verify {
namespace {

class HostileFront : public HostileRelocate {
  protected:
    static StagingText front(const std::string& extent = "8", const std::string& map = "x",
                             const std::string& inverse = "c", const std::string& guard = "",
                             const std::string& at = "body") {
        StagingText t;
        t.extents = {extent};
        t.map = {map};
        t.inverse = {inverse};
        t.guard = guard;
        t.at = at;
        return t;
    }
    static StagingText of(StagingText t, const std::string& buffer) {
        t.buffer = buffer;
        return t;
    }
};

const char* const kEachCell = "    for i in range(8):\n        B[i] = A[i]\n";

// Maps that collide, leave the copy, or go to another place than the copy takes the cell from.
TEST_F(HostileFront, Maps) {
    const std::string half = "    for i in range(4):\n        B[i] = A[i * 2]\n";
    const std::string same = "    for i in range(8):\n        B[i] = A[i // 4]\n";
    expect({
        {"identity", kEachCell, front(), "accepted"},
        {"reversed", kEachCell, front("8", "7 - x", "7 - c"), "accepted"},
        {"reversed there only", kEachCell, front("8", "7 - x", "c"), "unproved: the tile covers"},
        {"two cells in one", kEachCell, front("4", "x // 2", "c * 2"), "unproved: the tile covers"},
        {"two cells in one, of which one is read", half, front("4", "x // 2", "c * 2"), "accepted"},
        {"of each pair the other one is copied", half, front("4", "x // 2", "c * 2 + 1"),
         "unproved: the tile covers"},
        {"two cells in one that hold different ones", same, front("2", "x % 2", "c"), "accepted"},
        {"all in one", same, front("1", "0", "c"), "unproved: the tile covers"},
        {"beyond the end", kEachCell, front("8", "x + 1", "c - 1", "0 < c"),
         "unproved: the tile covers"},
        {"before the start", kEachCell, front("8", "x - 1", "c + 1", "c < 7"),
         "unproved: the tile covers"},
        {"rotated", kEachCell, front("8", "(x + 3) % 8", "(c + 5) % 8"), "accepted"},
        {"rotated by another distance", kEachCell, front("8", "(x + 3) % 8", "(c + 4) % 8"),
         "unproved: the tile covers"},
        {"rotated by a size", kEachCell, front("8", "(x + n) % 8", "(c - n) % 8"), "unproved: "},
        {"xor of a constant", kEachCell, front("8", "x ^ 5", "c ^ 5"), "accepted"},
        {"xor of another", kEachCell, front("8", "x ^ 5", "c ^ 4"), "unproved: the tile covers"},
        {"a square", kEachCell, front("50", "x * x", "T.min(c, 7)"), "unproved: the tile covers"},
        {"doubled", kEachCell, front("15", "x * 2", "c // 2"), "accepted"},
        {"doubled, and one too short", kEachCell, front("14", "x * 2", "c // 2"),
         "unproved: the tile covers"},
        {"a choice that is one cell twice", kEachCell,
         front("8", "T.if_then_else(x < 4, x, 4)", "c"), "unproved: the tile covers"},
        {"a choice that is right", kEachCell,
         front("8", "T.if_then_else(x < 4, x, 11 - x)", "T.if_then_else(c < 4, c, 11 - c)"),
         "accepted"},
        {"a cast that wraps", kEachCell,
         front("8", "T.Cast(\"int32\", T.Cast(\"int8\", x * 64)) // 64", "c"), "unproved: "},
        {"a cast that is right", kEachCell,
         front("8", "T.Cast(\"int32\", T.Cast(\"int8\", x))", "c"), "accepted"},
    });
}

// What is computed where it would not have been: divisions, ranges, cells.
TEST_F(HostileFront, Faults) {
    const std::string guarded =
        "    if n != 0:\n        for i in range(8):\n            B[i] = A[i]\n";
    const std::string inside =
        "    for i in range(8):\n        if n != 0:\n            B[i] = A[i]\n";
    const std::string some = "    for i in range(n):\n        if i < 8:\n            B[i] = A[i]\n";
    expect({
        {"a map that divides by a size", kEachCell, front("8", "x + 0 * (1 // n)", "c"),
         "unproved: the tile covers"},
        {"the same under a guard around", guarded,
         front("8", "x + 0 * (1 // n)", "c", "", "body/then"), "accepted"},
        {"the same under a guard inside", inside, front("8", "x + 0 * (1 // n)", "c"), "accepted"},
        {"an inverse that divides under a guard inside", inside,
         front("8", "x", "c + 0 * (1 // n)"), "unproved: the cell that is copied is computed"},
        {"a guard that divides under a guard inside", inside,
         front("8", "x", "c", "0 * (1 // n) == 0"), "unproved: the condition of the copy"},
        {"a guard that protects itself", inside,
         front("8", "x", "c", "n == 0 or 0 * (1 // n) == 0"), "accepted"},
        {"a guard that does not protect the inverse", inside,
         front("8", "x", "c + 0 * (1 // n)", "n != 1"),
         "unproved: the cell that is copied is computed"},
        {"a guard that does", inside, front("8", "x", "c + 0 * (1 // n)", "n != 0"), "accepted"},
        {"a quotient of the smallest number", kEachCell, front("8", "x + 0 * (n // (0 - 1))", "c"),
         "unproved: the tile covers"},
        {"an operand out of range", kEachCell, front("8", "(x * 1000000000) // 1000000000", "c"),
         "unproved: the tile covers"},
        {"a factor out of range that nobody observes", kEachCell,
         front("8", "x * 1000000000 - x * 999999999", "c"), "accepted"},
        {"a sum that cancels", kEachCell, front("8", "x + n * m - n * m", "c + n * m - n * m"),
         "accepted"},
        {"a sum that cancels and is observed", kEachCell,
         front("8", "T.max(n * m, x) - T.max(n * m, x) + x", "c"), "unproved: the tile covers"},
        {"a shift by a size", kEachCell, front("8", "x + (0 << n)", "c"),
         "unproved: the tile covers"},
        {"a copy beyond the end", kEachCell, front("9"),
         "unproved: every cell of A that is copied"},
        {"a copy before the start", kEachCell, front("9", "x + 1", "c - 1"),
         "unproved: every cell of A that is copied"},
        {"a copy beyond the end, guarded", kEachCell, front("9", "x", "c", "c < 8"), "accepted"},
        {"a copy of as many as a loop runs", some, front("8", "x", "c", "c < n"), "accepted"},
        {"of one fewer", some, front("8", "x", "c", "c + 1 < n"), "unproved: the tile covers"},
        {"guarded by what is out of range", some, front("8", "x", "c", "c < n - 1"),
         "unproved: the condition of the copy"},
        {"guarded by what overflows", some, front("8", "x", "c", "c + n < n + n"),
         "unproved: the condition of the copy"},
        {"guarded for no cell",
         "    for i in range(n, 0):\n        if 0 < n:\n            B[i] = A[i]\n",
         front("1", "0", "0", "T.bool(False)"), "accepted"},
        {"an empty copy", "    for i in range(n, 0):\n        if 0 < n:\n            B[i] = A[i]\n",
         front("0"), "accepted"},
        {"an empty copy of what is read", kEachCell, front("0"), "unproved: the tile covers"},
        {"of no size", kEachCell, front("0 - 1"), "refused: the extents of C are not known"},
        {"of a negative size", "    B[0] = 1\n", front("-1"), "refused: not well-formed"},
        {"as large as memory", kEachCell, front("2147483647", "x", "T.min(c, 7)"), "accepted"},
    });
    StagingText huge;
    huge.extents = {"2147483647", "2147483647"};
    huge.loops = {"c", "d"};
    huge.map = {"0", "x"};
    huge.guard = "c == 0 and d < 8";
    huge.inverse = {"d"};
    expect({{"larger than memory", kEachCell, huge, "refused: not well-formed"}});
}

// The copy is read as it was; the cells change before, beside or after that.
TEST_F(HostileFront, Memory) {
    const std::string local =
        "    t = T.alloc_buffer((8,), \"int32\")\n    for i in range(8):\n        t[i] = A[i]\n"
        "    for j in range(8):\n        B[j] = t[j]\n";
    const std::string parallel =
        "    for p in T.parallel(4):\n        t = T.alloc_buffer((2,), \"int32\")\n"
        "        t[0] = p\n        t[1] = p + 1\n        B[p] = t[0] + t[1]\n";
    const std::string half =
        "    t = T.alloc_buffer((8,), \"int32\")\n    for i in range(4):\n        t[i] = A[i]\n"
        "    for j in range(4):\n        B[j] = t[j]\n";
    const std::string next =
        "    for i in range(7):\n        B[i] = A[i]\n        A[i + 1] = B[i] // 2\n";
    StagingText one = of(front("2", "x", "c", "", "body/body/body/2"), "t");
    expect({
        {"written before", local, of(front("8", "x", "c", "", "body/body/1"), "t"), "accepted"},
        {"copied before it is written", local, of(front("8", "x", "c", "", "body/body"), "t"),
         "refused: the statement stores to t"},
        {"cells that were never written are copied, and not read", half,
         of(front("8", "x", "c", "", "body/body/1"), "t"), "accepted"},
        {"a buffer of its own iteration", parallel, one, "accepted"},
        {"stored in the next iteration", next, front("8", "x", "c", "", "body/body/0"), "accepted"},
        {"stored in the statement", next, front(), "refused: the statement stores to A"},
        {"of one iteration, for the whole loop", next,
         front("1", "x - i", "c + i", "", "body/body/0"), "accepted"},
        {"stored in an initialisation",
         "    for i in range(8):\n        with T.block(\"b\"):\n            v = T.axis.reduce(8, "
         "i)\n"
         "            with T.init():\n                A[0] = 1\n            B[v] = A[v]\n",
         front(), "refused: the statement stores to A"},
        {"read in parallel", "    for i in T.parallel(8):\n        B[i] = A[i]\n",
         front("1", "x - i", "c + i", "", "body/body"), "accepted"},
        {"read in parallel, all of it", "    for i in T.parallel(8):\n        B[i] = A[i]\n",
         front("8", "x", "c", "", "body/body"), "accepted"},
        {"written after the parallel loop",
         "    for i in T.parallel(4):\n        B[i] = A[i]\n    A[0] = 1\n",
         front("8", "x", "c", "", "body/0/body"), "accepted"},
        {"written in parallel beside, another cell",
         "    for i in T.parallel(4):\n        B[i] = A[i]\n        A[i + 4] = 1\n",
         front("8", "x", "c", "", "body/body/0"), "refused: A is written beside the statement"},
        {"written by a loop that runs beside",
         "    for i in T.vectorized(4):\n        B[i] = A[i]\n        A[i + 4] = 1\n",
         front("8", "x", "c", "", "body/body/0"), "refused: A is written beside the statement"},
    });
}

// Where a cell is is said over what is around, and nothing else.
TEST_F(HostileFront, Names) {
    const std::string named =
        "    w: T.int32 = n % 2\n    for i in range(4):\n        B[i] = A[i + w]\n";
    const std::string block =
        "    for i in range(2):\n        with T.block(\"b\"):\n"
        "            v = T.axis.spatial(2, i)\n            for j in range(4):\n"
        "                B[v * 4 + j] = A[v * 4 + j]\n";
    expect({
        {"over a let around", named, front("4", "x - w", "c + w", "", "body/body"), "accepted"},
        {"over an iterator around", block,
         front("4", "x - v * 4", "c + v * 4", "", "body/body/body"), "accepted"},
        {"in a block of its own", block,
         [&] {
             StagingText t = front("4", "x - v * 4", "c + v * 4", "", "body/body/body");
             t.block = "copy";
             return t;
         }(),
         "accepted"},
        {"of a block's name", block,
         [&] {
             StagingText t = front("4", "x - v * 4", "c + v * 4", "", "body/body/body");
             t.block = "b";
             return t;
         }(),
         "accepted"},
        {"named like a parameter", kEachCell,
         [&] {
             StagingText t = front();
             t.name = "D";
             return t;
         }(),
         "refused: not well-formed"},
        {"a loop named like a parameter", kEachCell,
         [&] {
             StagingText t = front();
             t.loops = {"n"};
             t.inverse = {"n"};
             return t;
         }(),
         "refused: not well-formed"},
        {"a loop named like one inside", kEachCell,
         [&] {
             StagingText t = front();
             t.loops = {"i"};
             t.inverse = {"i"};
             return t;
         }(),
         "refused: not well-formed"},
        {"an index named like a parameter", kEachCell,
         [&] {
             StagingText t = front();
             t.vars = {"n"};
             t.map = {"n"};
             return t;
         }(),
         "accepted"},
        {"an index named like a loop inside", kEachCell,
         [&] {
             StagingText t = front("8", "7 - i", "7 - c");
             t.vars = {"i"};
             return t;
         }(),
         "accepted"},
        {"one name for an index and a loop of the copy", kEachCell,
         [&] {
             StagingText t = front("8", "7 - c", "7 - c");
             t.vars = {"c"};
             return t;
         }(),
         "accepted"},
    });
}

// Indices that read memory, bind names, choose, or are read twice.
TEST_F(HostileFront, Indices) {
    const auto twice = [] {
        StagingText t;
        t.extents = {"4", "2"};
        t.loops = {"c", "d"};
        t.map = {"x // 2", "x % 2"};
        t.inverse = {"c * 2 + d"};
        return t;
    };
    const std::string within = "    if A[0] >= 0 and A[0] < 8:\n        B[0] = A[A[0]]\n";
    expect({
        {"in two dimensions", kEachCell, twice(), "accepted"},
        {"an index from memory", within, twice(), "accepted"},
        {"an index from memory, half", within, front("4", "x // 2", "c * 2"),
         "unproved: the tile covers"},
        {"a let in an index",
         "    for i in range(4):\n        B[i] = A[T.Let(u + 1, where={u: i})]\n", twice(),
         "accepted"},
        {"a let of what memory holds", "    B[0] = A[T.Let(u * 0, where={u: D[0, 0]})]\n", twice(),
         "refused: an index may be another value each time"},
        {"a let around the load",
         "    for i in range(4):\n        B[i] = T.Let(A[u + 1], where={u: i})\n", twice(),
         "accepted"},
        {"a let around the load, and a copy that misses a cell",
         "    for i in range(4):\n        B[i] = T.Let(A[u + 1], where={u: i})\n",
         front("8", "x", "c", "c != 4"), "unproved: the tile covers"},
        {"an undefined index", "    B[0] = A[T.if_then_else(n < 8, 0, T.undef(\"int32\"))]\n",
         twice(), "refused: an index may be another value each time"},
        {"an index of 64 bits", "    B[0] = A[T.int64(3)]\n", twice(),
         "refused: A has an index of another integer type"},
        {"a load in an arm",
         "    for i in range(8):\n        B[i] = T.if_then_else(i < 4, A[i], 0)\n",
         front("4", "x", "c"), "accepted"},
        {"a load in either arm",
         "    for i in range(4):\n        B[i] = T.Select(i < 4, A[i], A[i + 4])\n",
         front("4", "x", "c"), "unproved: the tile covers"},
        {"a load in a bound",
         "    for i in range(T.min(T.max(A[7], 0), 4)):\n        B[i] = A[i]\n",
         front("4", "x", "c"), "unproved: the tile covers"},
        {"a load in a condition",
         "    for i in range(4):\n        if A[i + 4] > 0:\n            B[i] = A[i]\n",
         front("4", "x", "c"), "unproved: the tile covers"},
        {"a load in a let",
         "    for i in range(4):\n        w: T.int32 = A[7 - i]\n        B[i] = w\n",
         front("4", "x", "c"), "unproved: the tile covers"},
        {"a load in an index of a store",
         "    for i in range(4):\n        B[T.min(T.max(A[i + 4], 0), 7)] = 1\n",
         front("4", "x", "c"), "unproved: the tile covers"},
        {"a load that is evaluated alone",
         "    for i in range(4):\n        T.evaluate(A[i + 4])\n        B[i] = A[i]\n",
         front("4", "x", "c"), "unproved: the tile covers"},
        {"a load in an assertion",
         "    for i in range(4):\n        assert A[i + 4] < 100, \"large\"\n        B[i] = A[i]\n",
         front("4", "x", "c"), "unproved: the tile covers"},
        {"a load in an assertion, of all",
         "    for i in range(4):\n        assert A[i + 4] < 100, \"large\"\n        B[i] = A[i]\n",
         front(), "accepted"},
        {"a load in an assumption",
         "    for i in range(4):\n        T.assume(A[i + 4] < 100)\n        B[i] = A[i]\n",
         front("4", "x", "c"), "unproved: the tile covers"},
        {"a load in a predicate",
         "    for i in range(4):\n        with T.block(\"b\"):\n            v = T.axis.spatial(4, "
         "i)\n"
         "            T.where(A[i + 4] > 0)\n            B[v] = A[v]\n",
         front("4", "x", "c"), "unproved: the tile covers"},
        {"a load in a binding",
         "    for i in range(4):\n        with T.block(\"b\"):\n"
         "            v = T.axis.spatial(8, T.min(T.max(A[i + 4], 0), 7))\n            B[v] = 1\n",
         front("4", "x", "c"), "unproved: the tile covers"},
        {"a load in a claim",
         "    for i in range(4):\n        with T.block(\"b\"):\n            v = T.axis.spatial(4, "
         "i)\n"
         "            T.writes(B[0:T.max(A[7], 8)])\n            B[v] = A[v]\n",
         front("4", "x", "c"), "refused: a claim of the block at"},
        {"permission for a cell that is copied",
         "    T.assume(A[7] == T.undef(\"int32\"))\n    B[0] = A[0]\n", front(), "accepted"},
        {"an argument of a call",
         "    for i in range(4):\n        T.evaluate(T.call_extern(\"int32\", \"g\", A[i + 4]))\n  "
         "      B[i] = A[i]\n",
         front("4", "x", "c"), "unproved: the tile covers"},
        {"an argument of a call, of all",
         "    for i in range(4):\n        T.evaluate(T.call_extern(\"int32\", \"g\", A[i + 4]))\n  "
         "      B[i] = A[i]\n",
         front(), "accepted"},
    });
}

}  // namespace
}  // namespace proviso::verify
