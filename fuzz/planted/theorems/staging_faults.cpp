// Faults in the check of a staging: copies in front of a statement, and back after it.
#include "fuzz/planted/theorems/theorem.h"

namespace proviso::fuzz {

namespace {

constexpr const char* kTexts = "staging: cells have places, and memory and claims stay as they are";
constexpr const char* kCopied =
    "staging: what is copied is computed without a fault, and may be read";
constexpr const char* kCovers = "staging: the tile covers every cell";
constexpr const char* kAgain = "staging: what is computed again does the same as before";
constexpr const char* kStored = "staging: what is copied back, and what is read, was stored before";

const std::string kAll = "    for i in range(8):\n        B[i] = A[i]\n";

StagingText front(const std::string& extent = "8", const std::string& map = "x",
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

// Of B, by the iteration at which the statement stores the cell.
StagingText back(const std::string& iteration, const std::string& extent = "8",
                 const std::string& map = "x", const std::string& inverse = "c",
                 const std::string& guard = "") {
    StagingText t = front(extent, map, inverse, guard);
    t.buffer = "B";
    t.back = true;
    t.writer = {"body/body", {{"i", iteration}}};
    return t;
}

StagingText in_two_dimensions(const std::string& buffer = "A") {
    StagingText t;
    t.buffer = buffer;
    t.extents = {"4", "2"};
    t.loops = {"c", "d"};
    t.map = {"x // 2", "x % 2"};
    t.inverse = {"c * 2 + d"};
    return t;
}

std::vector<TheoremFault> texts() {
    StagingText beside = front("8", "x", "c", "", "body/body/0");
    StagingText square{"D", {"4", "4"}, {"x", "x"}, {"c", "d"}};
    square.vars = {"x", "x"};
    square.loops = {"c", "d"};
    StagingText stops = back("c");
    stops.writer.statement = "body/body/0";
    StagingText stops_beside = back("c", "4", "x - p * 4", "c + p * 4");
    stops_beside.at = "body/body/0";
    stops_beside.writer = {"body/body/0/body", {{"p", "p"}, {"i", "c"}}};
    StagingText claims = front("8", "x", "c", "", "body/body/body");
    claims.keeps_claims = true;
    RelayoutText reversed;
    reversed.buffer = "t";
    reversed.shape = {"4"};
    reversed.map = {"3 - x"};
    reversed.inverse = {"3 - p"};
    reversed.physical = {"p"};
    return {
        {kTexts, "relocate:map-of-memory", "places depend on memory",
         StagingOf{"    D[1, 1] = 1\n    for i in range(8):\n        D[0, 0] = 1\n        if D[0, "
                   "0] == 1:\n"
                   "            B[i] = A[i]\n",
                   front("8", "T.Select(D[0, 0] == 1, x, 7 - x)",
                         "T.Select(D[0, 0] == 1, c, 7 - c)", "", "body/1")}},
        {kTexts, "relocate:index-evaluated-twice", "an index calls each time that it is evaluated",
         StagingOf{"    B[0] = A[T.call_extern(\"int32\", \"g\", n) % 8]\n", in_two_dimensions()}},
        {kTexts, "relocate:any-extents", "a copy may have any extents",
         StagingOf{"    for i in range(T.min(n, 8)):\n        B[i] = A[i]\n",
                   front("n", "x", "c", "c < 8")}},
        {kTexts, "relocate:guard-that-calls", "the guard of a copy makes calls",
         StagingOf{kAll, front("9", "x", "T.min(c, 7)",
                               "c < 8 or T.call_extern(\"int32\", \"g\", c) == 1")}},
        {kTexts, "relocate:stale-copy", "the statement stores to what it reads from a copy",
         StagingOf{"    for i in range(7):\n        A[i + 1] = A[i]\n", front()}},
        {kTexts, "relocate:racing-copy", "other iterations store to what is copied",
         StagingOf{"    for i in T.parallel(4):\n        B[i] = A[i]\n        A[i + 4] = 1\n",
                   beside}},
        {kTexts, "relocate:stop-inside", "the statement stops before its stores are copied back",
         StagingOf{"    for i in range(8):\n        B[i] = A[i]\n"
                   "        assert A[i] < 1, \"large\"\n",
                   stops}},
        {kTexts, "relocate:stop-beside", "another iteration stops before they are",
         StagingOf{"    for p in T.parallel(2):\n        for i in range(4):\n"
                   "            B[p * 4 + i] = i\n        assert A[p] < 1, \"large\"\n",
                   stops_beside},
         false},
        {kTexts, "relocate:claims-around", "blocks around a copy in front keep their claims",
         StagingOf{"    for i in range(4):\n        with T.block(\"b\"):\n"
                   "            v = T.axis.spatial(4, i)\n            T.reads(A[v])\n"
                   "            T.writes(B[v])\n            B[v] = A[v]\n",
                   claims}},
        {kTexts, "relayout:accumulators-around",
         "a block with T.init no longer says what the blocks around may read",
         RelayoutOf{
             "    with T.block(\"around\"):\n        T.reads(A[0:4])\n        T.writes(B[0])\n"
             "        t = T.alloc_buffer((4,), \"int32\")\n        for i in range(4):\n"
             "            t[i] = A[i]\n        for k in range(4):\n"
             "            with T.block(\"b\"):\n                vk = T.axis.reduce(4, k)\n"
             "                T.reads(t[vk])\n                T.writes(B[0])\n"
             "                with T.init():\n                    B[0] = 0\n"
             "                B[0] = T.max(B[0], t[vk])\n",
             reversed}},
    };
}

std::vector<TheoremFault> copied() {
    const std::string some =
        "    for i in range(8):\n        if n != 0:\n            B[i] = A[i]\n";
    return {
        {kCopied, "omit:the condition of the copy", "it is not owed that it is computed",
         StagingOf{some, front("8", "x", "c", "0 * (1 // n) == 0")}},
        {kCopied, "omit:the condition of writing back", "it is not owed that it is computed",
         StagingOf{kAll, back("c", "8", "x", "c", "0 * (1 // n) == 0")}},
        {kCopied, "omit:the cell that is copied is computed without a fault", "it is not owed",
         StagingOf{some, front("8", "x", "c + 0 * (1 // n)")}},
        {kCopied, "omit:that is copied may be read", "it is not owed",
         StagingOf{kAll, front("10", "x", "c")}},
        {kCopied, "omit:that is copied may be read, part 1", "buffers have no first cell",
         StagingOf{kAll, front("9", "x + 1", "c - 1")}},
        {kCopied, "omit:that is copied may be read, part 2", "buffers have no last cell",
         StagingOf{"    for i in range(1, 8):\n        B[i] = A[i]\n",
                   front("8", "x - 1", "c + 1")}},
    };
}

std::vector<TheoremFault> covers() {
    return {
        {kCovers, "omit:the tile covers every cell that is read", "it is not owed",
         StagingOf{kAll, front("7")}},
        {kCovers, "omit:the tile covers every cell that is read, part 1",
         "a tile has no first cell", StagingOf{kAll, front("7", "x - 1", "c + 1")}},
        {kCovers, "omit:the tile covers every cell that is read, part 2", "a tile has no last cell",
         StagingOf{kAll, front("8", "x + 1", "c - 1", "0 < c")}},
        {kCovers, "omit:the tile covers every cell that is read, part 3", "each cell is copied",
         StagingOf{kAll, front("9", "x + 1", "c - 1", "3 < c")}},
        {kCovers, "omit:the tile covers every cell that is read, part 5",
         "any cell is copied to the place", StagingOf{kAll, front("8", "(x + 3) % 8", "c")}},
        {kCovers, "omit:the tile covers every cell that is stored", "it is not owed",
         StagingOf{kAll, back("c", "7")}},
        {kCovers, "omit:the tile covers every cell that is stored, part 1",
         "the place of a cell is computed without a fault",
         StagingOf{kAll, back("c", "8", "x + 0 * (1 // n)")}},
        {kCovers, "omit:the tile covers every cell that is stored, part 3",
         "two cells may have one place", StagingOf{kAll, back("c * 2", "4", "x // 2", "c * 2")}},
    };
}

std::vector<TheoremFault> stored() {
    const std::string before =
        "    for k in range(3):\n        for i in range(8):\n            A[i] = k\n"
        "            if 0 < k:\n                A[i] = B[i]\n            B[i] = k + 3\n";
    StagingText another = back("c");
    another.at = "body/body";
    another.writer = {"body/body/body/2", {{"k", "k"}, {"i", "c"}}};
    another.reads = {
        {"body/body/body/1/then", {{"body/body/body/2", {{"k", "k - 1"}, {"i", "i"}}}}}};
    StagingText adds = back("c");
    adds.reads = {{"body/body", {{"body/body", {{"i", "i"}}}}}};
    const std::string guarded =
        "    for i in range(8):\n        if n > 0:\n            B[i] = A[i]\n";
    StagingText under = back("c");
    under.writer.statement = "body/body/then";
    return {
        {kStored, "omit:is stored on every run", "it is not owed", StagingOf{guarded, under}},
        {kStored, "omit:is stored on every run, part 1", "every iteration runs",
         StagingOf{"    for i in range(7):\n        B[i] = A[i]\n", back("c")}},
        {kStored, "omit:is stored on every run, part 3", "a store is to any cell",
         StagingOf{"    for i in range(1, 9):\n        B[(i - 1) // 8] = A[i - 1]\n",
                   back("c + 1")}},
        {kStored, "omit:from its own place", "it is not owed",
         StagingOf{kAll, back("c % 8", "16", "x", "c % 8")}},
        {kStored, "omit:was written before", "it is not owed of what the statement reads",
         StagingOf{"    for i in range(8):\n        B[i] = B[i] // 2\n", adds}},
        {kStored, "relocate:another-run", "a witness is of another run of the statement",
         StagingOf{before, another}},
    };
}

// Of t, by the nest at `nest`, in front of the statement at `at`.
StagingText again(const std::string& at, const std::string& extent = "8",
                  const std::string& map = "x", const std::string& inverse = "c",
                  const std::string& nest = "body/body/0") {
    StagingText t = front(extent, map, inverse, "", at);
    t.buffer = "t";
    t.again = nest;
    return t;
}

std::vector<TheoremFault> computed_again() {
    const std::string own = "    t = T.alloc_buffer((8,), \"int32\")\n";
    const std::string fills = "    for i in range(8):\n        t[i] = A[i] // 2\n";
    const std::string pairs = "    for j in range(4):\n        B[j] = t[j * 2]\n";
    StagingText wide = again("body/body/1", "5");
    wide.extents = {"5", "n"};
    wide.vars = wide.map = {"x", "y"};
    wide.loops = wide.inverse = {"c", "d"};
    return {
        {kAgain, "relocate:computed-later", "it may come later",
         StagingOf{"    t = T.alloc_buffer((8,), \"int32\")\n"
                   "    u = T.alloc_buffer((1,), \"int32\")\n"
                   "    B[0] = 1\n    u[0] = A[0]\n"
                   "    for i in range(8):\n        t[i] = T.min(u[0], 5) + 1\n",
                   again("body/body/body/0", "8", "x", "c", "body/body/body/2")}},
        {kAgain, "relocate:computed-in-a-loop", "a loop around it fills the buffer bit by bit",
         StagingOf{own + "    for k in range(2):\n        for i in range(4):\n"
                         "            t[k * 4 + i] = A[i]\n        B[k] = t[0]\n",
                   again("body/body/body/1", "8", "x", "c", "body/body/body/0")}},
        {kAgain, "relocate:computed-elsewhere", "something else stores to the buffer, too",
         StagingOf{own + fills + "    t[0] = 77\n    B[0] = t[0]\n", again("body/body/2")}},
        {kAgain, "relocate:computed-from-something-else", "what it reads has changed since",
         StagingOf{own + fills + "    A[0] = 77\n    B[0] = t[0]\n", again("body/body/2")}},
        {kAgain, "relocate:computed-from-a-choice", "a name is bound to anything, twice",
         StagingOf{"    t = T.alloc_buffer((8,), \"int32\")\n"
                   "    u = T.alloc_buffer((1,), \"int32\")\n"
                   "    for i in range(1):\n        v: T.int32 = u[i]\n        t[i] = v\n"
                   "    D[0, 0] = t[0]\n    B[0] = t[0]\n",
                   again("body/body/body/2", "8", "x", "c", "body/body/body/0")},
         false},
        {kAgain, "relocate:computes-more", "it stores to other memory as well",
         StagingOf{own + "    for i in range(7):\n        D[0, 0] = 1 - D[0, 0]\n"
                         "        t[i] = i\n    B[0] = t[0]\n",
                   again("body/body/1")}},
        {kAgain, "relocate:computed-from-itself", "what it does depends on the buffer",
         StagingOf{own + "    for i in range(8):\n        if i < 4:\n            t[i] = 1\n"
                         "        else:\n            if t[i - 4] == 1:\n"
                         "                t[i] = A[i]\n    B[4] = t[4]\n",
                   again("body/body/1", "4", "x - 4", "c + 4")}},
        {kAgain, "omit:computed again has a place of its own", "it is not owed",
         StagingOf{own + fills + pairs, again("body/body/1", "4", "x // 2", "c * 2")}},
        {kAgain, "omit:has a place of its own (t[T.max(i - 1, 0)] at",
         "what is read of it has no place",
         StagingOf{own + "    for i in range(8):\n        t[i] = T.if_then_else(i < 1, A[0], "
                         "t[T.max(i - 1, 0)] // 2)\n    B[0] = t[4]\n",
                   again("body/body/1", "4", "x - 4", "c + 4")}},
        {kTexts, "relocate:larger-copy", "a copy may be larger than the buffer",
         StagingOf{"    t = T.alloc_buffer((4, n), \"int32\")\n"
                   "    for i, j in T.grid(4, n):\n        t[i, j] = A[i]\n"
                   "    for i in range(n):\n        B[0] = t[0, i]\n",
                   wide},
         false},
    };
}

}  // namespace

const std::vector<TheoremFault>& staging_faults() {
    static const std::vector<TheoremFault> list = [] {
        std::vector<TheoremFault> out;
        for (const auto& part : {texts(), copied(), covers(), stored(), computed_again()}) {
            out.insert(out.end(), part.begin(), part.end());
        }
        return out;
    }();
    return list;
}

}  // namespace proviso::fuzz
