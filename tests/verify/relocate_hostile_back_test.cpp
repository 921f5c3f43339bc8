// Hostile copies back.
#include "tests/verify/relocate_hostile.h"

namespace proviso::verify {
namespace {

using rewrite::WitnessText;

class HostileBack : public HostileRelocate {
  protected:
    static StagingText back(const std::string& at, const WitnessText& writer,
                            const std::string& extent = "8", const std::string& map = "x",
                            const std::string& inverse = "c", const std::string& guard = "") {
        StagingText t;
        t.buffer = "B";
        t.extents = {extent};
        t.map = {map};
        t.inverse = {inverse};
        t.guard = guard;
        t.back = true;
        t.at = at;
        t.writer = writer;
        return t;
    }
    static StagingText reading(StagingText t, const std::string& load, const WitnessText& store) {
        t.reads[load].push_back(store);
        return t;
    }
    static StagingText of(StagingText t, const std::string& buffer, bool keeps_claims = false) {
        t.buffer = buffer;
        t.keeps_claims = keeps_claims;
        return t;
    }
    static WitnessText at(const std::string& site,
                          const std::map<std::string, std::string>& loops) {
        return {site, loops};
    }
};

const char* const kAll = "    for i in range(8):\n        B[i] = A[i]\n";
const char* const kNotRun = "unproved: every cell of B is stored on every run";

// What is copied back was stored, on every run, by the store that is named.
TEST_F(HostileBack, Stores) {
    const std::string some = "    for i in range(n):\n        if i < 8:\n            B[i] = A[i]\n";
    const std::string data =
        "    for i in range(8):\n        if A[i] > 0:\n            B[i] = A[i]\n";
    const std::string twice =
        "    for i in range(4):\n        B[i] = A[i]\n        B[i + 4] = A[i]\n";
    const std::string halves =
        "    for i in range(2):\n        for j in range(4):\n            B[i * 4 + j] = A[j]\n";
    const std::string none =
        "    for i in range(8):\n        for j in range(i, 0):\n            B[i] = j\n";
    const std::string let =
        "    for i in range(8):\n        w: T.int32 = 7 - i\n        B[w] = A[i]\n";
    const std::string arms =
        "    for i in range(8):\n        if n > 0:\n            B[i] = 1\n        else:\n          "
        "  B[i] = 2\n";
    expect({
        {"all", kAll, back("body", at("body/body", {{"i", "c"}})), "accepted"},
        {"all, in reverse", kAll,
         back("body", at("body/body", {{"i", "7 - c"}}), "8", "7 - x", "7 - c"), "accepted"},
        {"at another iteration", kAll, back("body", at("body/body", {{"i", "7 - c"}})), kNotRun},
        {"at no iteration", kAll, back("body", at("body/body", {})), kNotRun},
        {"at an iteration beyond", kAll, back("body", at("body/body", {{"i", "c"}}), "9"), kNotRun},
        {"as many as run", some, back("body", at("body/body/then", {{"i", "c"}})), kNotRun},
        {"as many as run, guarded", some,
         back("body", at("body/body/then", {{"i", "c"}}), "8", "x", "c", "c < n"), "accepted"},
        {"as many as run, and one more", some,
         back("body", at("body/body/then", {{"i", "c"}}), "8", "x", "c", "c <= n"), kNotRun},
        {"as many as run but one", some,
         back("body", at("body/body/then", {{"i", "c"}}), "8", "x", "c", "c + 1 < n"),
         "unproved: "},
        {"under a guard on data", data, back("body", at("body/body/then", {{"i", "c"}})), kNotRun},
        {"under a guard on data, guarded by nothing that is known", data,
         back("body", at("body/body/then", {{"i", "c"}}), "8", "x", "c", "n > 0"), kNotRun},
        {"under a guard on data around", data,
         back("body/body/then", at("body/body/then", {{"i", "i"}}), "1", "x - i", "c + i"),
         "unproved: "},
        {"by one store of two", twice, back("body", at("body/body/0", {{"i", "c"}})), kNotRun},
        {"by one store of two, its half", twice, back("body", at("body/body/0", {{"i", "c"}}), "4"),
         "unproved: the tile covers"},
        {"its half alone", twice,
         back("body/body/0", at("body/body/0", {{"i", "i"}}), "1", "x - i", "c + i"), "accepted"},
        {"of a nest", halves, back("body", at("body/body/body", {{"i", "c // 4"}, {"j", "c % 4"}})),
         "accepted"},
        {"of a nest, its row", halves,
         back("body/body", at("body/body/body", {{"i", "i"}, {"j", "c"}}), "4", "x - i * 4",
              "i * 4 + c"),
         "accepted"},
        {"of a nest, another row", halves,
         back("body/body", at("body/body/body", {{"i", "1 - i"}, {"j", "c"}}), "4", "x - i * 4",
              "i * 4 + c"),
         "refused: the witness body/body/body is of another run of it"},
        {"of a nest, every row", halves,
         back("body/body", at("body/body/body", {{"i", "c // 4"}, {"j", "c % 4"}})),
         "refused: the witness body/body/body is of another run of it"},
        {"of a nest, digits of another base", halves,
         back("body", at("body/body/body", {{"i", "c // 5"}, {"j", "c % 5"}})), kNotRun},
        {"by a loop that never runs", none,
         back("body", at("body/body/body", {{"i", "c"}, {"j", "c"}})), kNotRun},
        {"at what a let says", let, back("body", at("body/body/body", {{"i", "7 - c"}})),
         "accepted"},
        {"in one arm", arms, back("body", at("body/body/then", {{"i", "c"}})), kNotRun},
        {"in one arm, guarded like it", arms,
         back("body", at("body/body/then", {{"i", "c"}}), "8", "x", "c", "n > 0"),
         "unproved: the tile covers"},
        {"where memory says",
         "    for i in range(8):\n        if A[i] >= 0 and A[i] < 8:\n            B[A[i]] = i\n",
         back("body", at("body/body/then", {{"i", "c"}})), kNotRun},
        {"where what it stores says",
         "    for i in range(8):\n        if B[i] >= 0 and B[i] < 8:\n            B[B[i]] = i\n",
         back("body", at("body/body/then", {{"i", "c"}})),
         "refused: the witness depends on a value read from memory"},
        {"in an initialisation",
         "    for i in range(8):\n        with T.block(\"b\"):\n            v = T.axis.spatial(8, "
         "i)\n"
         "            k = T.axis.reduce(1, 0)\n            with T.init():\n                B[v] = "
         "7\n"
         "            D[0, 0] = v\n",
         back("body", at("body/body/init", {{"i", "c"}})), "accepted"},
        {"in an initialisation that runs once",
         "    for i in range(8):\n        with T.block(\"b\"):\n            v = T.axis.reduce(8, "
         "i)\n"
         "            with T.init():\n                B[v] = 7\n            D[0, 0] = v\n",
         back("body", at("body/body/init", {{"i", "c"}})), kNotRun},
        {"under a predicate",
         "    for i in range(8):\n        with T.block(\"b\"):\n            v = T.axis.spatial(8, "
         "i)\n"
         "            T.where(i < n)\n            B[v] = 7\n",
         back("body", at("body/body/body", {{"i", "c"}})), kNotRun},
        {"the witness is a loop", kAll, back("body", at("body", {})),
         "refused: the witness does not store to B"},
        {"the witness stores to another buffer",
         "    for i in range(8):\n        B[i] = A[i]\n        D[0, i % 4] = 1\n",
         back("body", at("body/body/1", {{"i", "c"}})), "refused: the witness does not store to B"},
        {"the witness is before the statement",
         "    for i in range(8):\n        B[i] = A[i]\n    B[0] = 2\n",
         back("body/1", at("body/0/body", {{"i", "c"}})),
         "refused: the witness body/0/body is outside the statement"},
    });
}

// Cells have one place, and come back from it.
TEST_F(HostileBack, Places) {
    const std::string evens = "    for i in range(4):\n        B[i * 2] = A[i]\n";
    const auto by = [&](const std::string& iteration) {
        return at("body/body", {{"i", iteration}});
    };
    const char* const own = "unproved: each cell is written back from its own place";
    expect({
        {"two stores in one place", kAll, back("body", by("c * 2"), "4", "x // 2", "c * 2"),
         "unproved: the tile covers"},
        {"two stores in one place, of which one is made", evens,
         back("body", by("c"), "4", "x // 2", "c * 2"), "accepted"},
        {"the other one is copied back", evens, back("body", by("c"), "4", "x // 2", "c * 2 + 1"),
         kNotRun},
        {"from another place", kAll, back("body", by("7 - c"), "8", "x", "7 - c"), own},
        {"to one cell twice", kAll, back("body", by("c % 8"), "16", "x", "c % 8"), own},
        {"to one cell twice, the second time guarded away", kAll,
         back("body", by("c % 8"), "16", "x", "c % 8", "c < 8"), "accepted"},
        {"to one cell twice, the first time guarded away", kAll,
         back("body", by("c % 8"), "16", "x", "c % 8", "8 <= c"), own},
        {"a cell that is missed", kAll, back("body", by("c"), "8", "x", "c", "c != 3"),
         "unproved: the tile covers"},
        {"a cell beyond the copy", kAll, back("body", by("c"), "7"), "unproved: the tile covers"},
        {"rotated", kAll, back("body", by("(c + 5) % 8"), "8", "(x + 3) % 8", "(c + 5) % 8"),
         "accepted"},
        {"rotated there only", kAll, back("body", by("c"), "8", "(x + 3) % 8", "c"), own},
        {"a map that divides by a size", kAll, back("body", by("c"), "8", "x + 0 * (1 // n)"),
         "unproved: "},
        {"an inverse that divides by a size", kAll,
         back("body", by("c"), "8", "x", "c + 0 * (1 // n)"),
         "unproved: the cell that is copied is computed"},
        {"a guard that divides by a size", kAll,
         back("body", by("c"), "8", "x", "c", "0 * (1 // n) == 0"),
         "unproved: the condition of writing back"},
        {"a guard on memory", kAll, back("body", by("c"), "8", "x", "c", "A[0] == A[0]"),
         "refused: 'A[0] == A[0]' is no function of the indices"},
        {"a map of memory", kAll, back("body", by("c"), "8", "x + A[0] - A[0]"),
         "refused: 'x + A[0] - A[0]' is no function of the indices"},
        {"a larger copy", kAll, back("body", by("c"), "20", "x + 12", "c - 12", "12 <= c"),
         "unproved: every cell of B is stored on every run"},
        {"a larger copy, right", kAll,
         back("body", by("c - 12"), "20", "x + 12", "c - 12", "12 <= c"), "accepted"},
    });
}

// What is read was stored in the same run of the statement.
TEST_F(HostileBack, Reads) {
    const std::string chain =
        "    for i in range(8):\n        if i == 0:\n            B[i] = 1\n        else:\n"
        "            B[i] = B[i - 1] // 2\n";
    const std::string prefix =
        "    for i in range(8):\n        B[i] = A[i]\n        D[0, 0] = B[i // 2]\n";
    const std::string ahead =
        "    for i in range(7):\n        B[i] = A[i]\n        D[0, 0] = B[i + 1]\n";
    const std::string outer =
        "    for k in range(2):\n        for i in range(8):\n            B[i] = A[i] // 2 + k\n"
        "            D[0, 0] = B[i]\n";
    const std::string guarded =
        "    for i in range(8):\n        if n > 0:\n            B[i] = 1\n        D[0, 0] = B[i]\n"
        "        B[i] = 2\n";
    const WitnessText here = at("body/body/0", {{"i", "i"}});
    const StagingText all = back("body", at("body/body/0", {{"i", "c"}}));
    const char* const before = "unproved: the cell of B was written before";
    expect({
        {"nothing is said", prefix, all, "refused: nothing says that what is read"},
        {"the half of it", prefix,
         reading(all, "body/body/1", at("body/body/0", {{"i", "i // 2"}})), "accepted"},
        {"at this iteration", prefix, reading(all, "body/body/1", here), before},
        {"at the next one", prefix,
         reading(all, "body/body/1", at("body/body/0", {{"i", "i + 1"}})), before},
        {"ahead", ahead,
         reading(back("body", at("body/body/0", {{"i", "c"}}), "7"), "body/body/1",
                 at("body/body/0", {{"i", "i + 1"}})),
         before},
        {"two witnesses for a load", prefix,
         reading(reading(all, "body/body/1", at("body/body/0", {{"i", "i // 2"}})), "body/body/1",
                 here),
         "refused: there are more witnesses than loads"},
        {"a witness for a statement that reads nothing", kAll,
         reading(back("body", at("body/body", {{"i", "c"}})), "body/body",
                 at("body/body", {{"i", "i"}})),
         "refused: there are more witnesses than loads"},
        {"stored in one arm", guarded,
         reading(back("body", at("body/body/2", {{"i", "c"}})), "body/body/1",
                 at("body/body/0/then", {{"i", "i"}})),
         before},
        {"stored after it is read", guarded,
         reading(back("body", at("body/body/2", {{"i", "c"}})), "body/body/1",
                 at("body/body/2", {{"i", "i"}})),
         before},
        {"in the run before", outer,
         reading(back("body/body", at("body/body/body/0", {{"k", "k"}, {"i", "c"}})),
                 "body/body/body/1", at("body/body/body/0", {{"k", "k - 1"}, {"i", "i"}})),
         "refused: the witness body/body/body/0 is of another run of it"},
        {"in this run", outer,
         reading(back("body/body", at("body/body/body/0", {{"k", "k"}, {"i", "c"}})),
                 "body/body/body/1", at("body/body/body/0", {{"k", "k"}, {"i", "i"}})),
         "accepted"},
        {"in the whole nest", outer,
         reading(back("body", at("body/body/body/0", {{"k", "1"}, {"i", "c"}})), "body/body/body/1",
                 at("body/body/body/0", {{"k", "k"}, {"i", "i"}})),
         "accepted"},
        {"in the whole nest, the first run of it", outer,
         reading(back("body", at("body/body/body/0", {{"k", "0"}, {"i", "c"}})), "body/body/body/1",
                 at("body/body/body/0", {{"k", "0"}, {"i", "i"}})),
         "accepted"},
        {"in the whole nest, the last run of it", outer,
         reading(back("body", at("body/body/body/0", {{"k", "0"}, {"i", "c"}})), "body/body/body/1",
                 at("body/body/body/0", {{"k", "1"}, {"i", "i"}})),
         before},
        {"in an arm of its own", chain,
         reading(back("body", at("body/body/else", {{"i", "c"}})), "body/body/else",
                 at("body/body/else", {{"i", "i - 1"}})),
         kNotRun},
        {"a bound that reads it",
         "    for i in range(8):\n        B[i] = i\n        for j in range(B[i]):\n            "
         "D[0, 0] = j\n",
         reading(all, "body/body/1", here), "accepted"},
        {"a condition that reads it",
         "    for i in range(8):\n        B[i] = i\n        if B[i] > 3:\n            D[0, 0] = "
         "1\n",
         all, "refused: nothing says that what is read"},
        {"an assumption that reads it",
         "    for i in range(8):\n        T.assume(B[i] > 3)\n        B[i] = i\n",
         back("body", at("body/body/1", {{"i", "c"}})), "refused: nothing says that what is read"},
        {"permission that it may be read",
         "    for i in range(8):\n        T.assume(B[i] == T.undef(\"int32\"))\n        B[i] = i\n",
         back("body", at("body/body/1", {{"i", "c"}})), "accepted"},
        {"permission, and another place",
         "    for i in range(8):\n        T.assume(B[i] == T.undef(\"int32\"))\n        B[i] = i\n",
         back("body", at("body/body/1", {{"i", "7 - c"}}), "8", "7 - x", "7 - c"),
         "refused: the statement contains permission to read B"},
        {"an accumulation", "    for i in range(8):\n        B[i] = B[i] + 1\n",
         reading(back("body", at("body/body", {{"i", "c"}})), "body/body",
                 at("body/body", {{"i", "i"}})),
         before},
        {"an accumulation from its start",
         "    for i in range(8):\n        B[i] = 0\n        for k in range(4):\n            B[i] = "
         "B[i] // 2 + k\n",
         reading(all, "body/body/1/body", here), "accepted"},
        {"an accumulation from another start",
         "    for i in range(8):\n        B[i] = 0\n        for k in range(4):\n            B[7 - "
         "i] = B[7 - i] // 2 + k\n",
         reading(all, "body/body/1/body", at("body/body/0", {{"i", "7 - i"}})), before},
        {"an undefined value",
         "    for i in range(8):\n        B[i] = T.undef(\"int32\")\n        B[i] = B[i]\n",
         reading(all, "body/body/1", here), "accepted"},
    });
}

// What stops, calls, or runs beside.
TEST_F(HostileBack, StopsAndCalls) {
    const std::string stop = "        assert A[i] < 9, \"large\"\n";
    const std::string beside =
        "    for p in T.parallel(2):\n        for i in range(4):\n            B[p * 4 + i] = "
        "A[i]\n";
    const WitnessText row = at("body/body/0/body", {{"p", "p"}, {"i", "c"}});
    const StagingText rows = back("body/body/0", row, "4", "x - p * 4", "c + p * 4");
    expect({
        {"a stop inside", "    for i in range(8):\n        B[i] = A[i]\n" + stop,
         back("body", at("body/body/0", {{"i", "c"}})),
         "refused: the statement contains an assert"},
        {"a stop before", "    for i in range(8):\n" + stop + "        B[i] = A[i]\n",
         back("body", at("body/body/1", {{"i", "c"}})),
         "refused: the statement contains an assert"},
        {"a stop after",
         "    for i in range(8):\n        B[i] = A[i]\n    assert n < 3, \"large\"\n",
         back("body/0", at("body/0/body", {{"i", "c"}})), "accepted"},
        {"a stop between two runs",
         "    for k in range(3):\n        for i in range(8):\n            B[i] = k\n"
         "        assert A[k] < 3, \"large\"\n",
         back("body/body/0", at("body/body/0/body", {{"k", "k"}, {"i", "c"}})), "accepted"},
        {"a stop beside", beside + "        assert A[p] < 3, \"large\"\n", rows,
         "refused: the concurrent loop p contains an assert"},
        {"no stop beside", beside + "        D[p, 0] = 1\n", rows, "accepted"},
        {"a stop around a serial loop",
         "    for q in T.parallel(2):\n        for k in range(2):\n            for i in range(2):\n"
         "                B[q * 4 + k * 2 + i] = i\n            assert A[k] < 3, \"large\"\n",
         back("body/body/body/0", at("body/body/body/0/body", {{"q", "q"}, {"k", "k"}, {"i", "c"}}),
              "2", "x - q * 4 - k * 2", "c + q * 4 + k * 2"),
         "refused: the concurrent loop q contains an assert"},
        {"a call inside",
         "    for i in range(8):\n        B[i] = T.call_extern(\"int32\", \"g\", i)\n",
         back("body", at("body/body", {{"i", "c"}})), "accepted"},
        {"a call in an index",
         "    for i in range(8):\n        B[i] = A[i]\n"
         "        B[T.call_extern(\"int32\", \"g\", i)] = i\n",
         back("body", at("body/body/0", {{"i", "7 - c"}}), "8", "7 - x", "7 - c"),
         "refused: an index makes an opaque call"},
        {"another iteration reads the cell before it is written",
         "    for i in range(8):\n        D[0, i % 4] = B[(i + 1) % 8]\n        B[i] = A[i]\n",
         back("body/body/1", at("body/body/1", {{"i", "i"}}), "1", "x - i", "c + i"), "accepted"},
        {"every iteration writes all",
         "    for k in range(3):\n        for i in range(8):\n            B[i] = k\n        A[k] = "
         "B[k]\n",
         back("body/body/0", at("body/body/0/body", {{"k", "k"}, {"i", "c"}})), "accepted"},
    });
}

// Blocks and what they claim.
TEST_F(HostileBack, Claims) {
    const std::string nest =
        "    with T.block(\"o\"):\n        T.reads(A[0:8])\n        T.writes(B[0:8], D[0, 0])\n"
        "        for i in range(8):\n            with T.block(\"b\"):\n"
        "                v = T.axis.spatial(8, i)\n                k = T.axis.reduce(1, 0)\n"
        "                T.reads(A[v])\n                T.writes(B[v])\n"
        "                with T.init():\n                    B[v] = 0\n"
        "                B[v] = T.max(B[v], A[v])\n";
    const WitnessText init = at("body/body/0/body/init", {{"i", "c"}});
    const StagingText all =
        reading(of(back("body/body/0", init), "B", true), "body/body/0/body/body",
                at("body/body/0/body/init", {{"i", "i"}}));
    StagingText turned = all;
    turned.map = {"7 - x"};
    turned.inverse = {"7 - c"};
    turned.writer.at["i"] = "7 - c";
    StagingText larger = all;
    larger.extents = {"9"};
    larger.guard = "c < 8";
    StagingText own = all;
    own.block = "back";
    const std::string writes =
        "    for i in range(8):\n        with T.block(\"b\"):\n            v = T.axis.spatial(8, "
        "i)\n"
        "            T.reads(A[v])\n            T.writes(B[v])\n            B[v] = A[v]\n";
    expect({
        {"an accumulator", nest + "        D[0, 0] = 1\n", all, "accepted"},
        {"an accumulator, turned", nest + "        D[0, 0] = 1\n", turned, "accepted"},
        {"an accumulator in a larger copy", nest + "        D[0, 0] = 1\n", larger, "accepted"},
        {"copied back by a block", nest + "        D[0, 0] = 1\n", own, "accepted"},
        {"the statement is a block", writes,
         of(back("body/body", at("body/body/body", {{"i", "i"}}), "1", "x - i", "c + i"), "B",
            true),
         "accepted"},
        {"inside of a block", writes,
         of(back("body/body/body", at("body/body/body", {{"i", "i"}}), "1", "x - v", "c + v"), "B",
            true),
         "accepted"},
    });
}

}  // namespace
}  // namespace proviso::verify
