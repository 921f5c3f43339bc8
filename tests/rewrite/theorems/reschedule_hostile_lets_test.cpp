// Rescheduling: hostile proposals with lets around parts.
#include "tests/rewrite/theorems/reschedule.h"

namespace proviso::rewrite {
namespace {

using HostileLets = HostileReschedule;

// A value that is nearly the other one: NaN, zeros of both signs, wrapped, out of range.
TEST_F(HostileLets, ValuesAreTheSameBits) {
    expect({
        {"nan let",
         {"    w: T.float32 = F[0] / F[1]\n    B[0] = T.Select(w != w, 1, 0)\n",
          "    w: T.float32 = F[0] / F[1]\n    if w == F[0] / F[1]:\n        B[0] = T.Select(w != "
          "w, 1, 0)\n",
          "body",
          {{"body/body/then", "body/body", {{"w", "w"}}, {{"w", "w"}}}}},
         "unproved: every iteration is visited"},
        {"negzero let",
         {"    w: T.float32 = F[0]\n    B[0] = T.Select(1.0 / w > 0.0, 1, 2)\n",
          "    w: T.float32 = F[0] + 0.0\n    B[0] = T.Select(1.0 / w > 0.0, 1, 2)\n",
          "body",
          {{"body/body", "body/body", {{"w", "w"}}, {{"w", "w"}}}}},
         "unproved: every iteration is visited"},
        {"negzero guard",
         {"    w: T.float32 = F[0]\n    if w == 0.0:\n        B[0] = T.Select(1.0 / w > 0.0, 1, "
          "2)\n",
          "    w: T.float32 = 0.0\n    if F[0] == 0.0:\n        B[0] = T.Select(1.0 / w > 0.0, 1, "
          "2)\n",
          "body",
          {{"body/body/then", "body/body/then", {{"w", "w"}}, {{"w", "F[0]"}}}}},
         "unproved: every iteration is visited"},
        {"int8 wrap",
         {"    w: T.int8 = T.cast(n, \"int8\") + T.int8(1)\n    B[0] = T.cast(w, \"int32\")\n",
          "    u: T.int32 = T.max(T.min(n, 200), 0) + 1\n    B[0] = T.cast(T.cast(u, \"int8\"), "
          "\"int32\")\n",
          "body",
          {{"body/body",
            "body/body",
            {{"w", "T.cast(u, \"int8\")"}},
            {{"u", "T.max(T.min(n, 200), 0) + 1"}}}}},
         "unproved: every iteration is visited"},
        {"bool let",
         {"    w: T.bool = n > 0\n    B[0] = T.Select(w, 1, 2)\n",
          "    w: T.bool = n >= 0\n    B[0] = T.Select(w, 1, 2)\n",
          "body",
          {{"body/body", "body/body", {{"w", "w"}}, {{"w", "w"}}}}},
         "unproved: every iteration is visited"},
        {"bool let not",
         {"    w: T.bool = n > 0\n    B[0] = T.Select(w, 1, 2)\n",
          "    w: T.bool = not n > 0\n    B[0] = T.Select(not w, 1, 2)\n",
          "body",
          {{"body/body", "body/body", {{"w", "not w"}}, {{"w", "not w"}}}}},
         "accepted"},
        {"out of range let",
         {"    B[0] = (n * m * m) // 7\n",
          "    w: T.int32 = n * m\n    B[0] = (w * m) // 7\n",
          "body",
          {{"body/body", "body", {}, {{"w", "n * m"}}}}},
         "unproved: the value of w is computed without a fault"},
        {"range unobserved",
         {"    B[0] = n * m - n * m\n",
          "    w: T.int32 = n * m\n    B[0] = w - w\n",
          "body",
          {{"body/body", "body", {}, {{"w", "n * m"}}}}},
         "unproved: the value of w is computed without a fault"},
        {"let typed i64",
         {"    w: T.int64 = T.cast(n, \"int64\") * T.int64(2147483647)\n    B[0] = T.cast(w // "
          "T.int64(2147483647), \"int32\")\n",
          "    w: T.int64 = T.cast(n * 2147483647, \"int64\")\n    B[0] = T.cast(w // "
          "T.int64(2147483647), \"int32\")\n",
          "body",
          {{"body/body", "body/body", {{"w", "w"}}, {{"w", "w"}}}}},
         "unproved: the value of w is computed without a fault"},
        {"two mutual values",
         {"    u: T.int32 = A[0]\n    v: T.int32 = u + A[1] % 2\n    B[0] = v % 5 + u % 5\n",
          "    v: T.int32 = A[0] % 2 + A[1] % 2\n    u: T.int32 = v - A[1] % 2\n    B[0] = v % 5 + "
          "u % 5\n",
          "body",
          {{"body/body/body",
            "body/body/body",
            {{"u", "u"}, {"v", "v"}},
            {{"u", "u"}, {"v", "v"}}}}},
         "unproved: every iteration is visited"},
    });
}

// One name for two values, two names for one, and values that speak of each other.
TEST_F(HostileLets, NamesAreThoseOfTheirText) {
    expect({
        {"swapped names",
         {"    u: T.int32 = A[0]\n    v: T.int32 = A[1]\n    B[u % 4] = v\n",
          "    v: T.int32 = A[0]\n    u: T.int32 = A[1]\n    B[u % 4] = v\n",
          "body",
          {{"body/body/body",
            "body/body/body",
            {{"u", "u"}, {"v", "v"}},
            {{"u", "u"}, {"v", "v"}}}}},
         "unproved: every iteration is visited"},
        {"swapped names right",
         {"    u: T.int32 = A[0]\n    v: T.int32 = A[1]\n    B[u % 4] = v\n",
          "    v: T.int32 = A[0]\n    u: T.int32 = A[1]\n    B[v % 4] = u\n",
          "body",
          {{"body/body/body",
            "body/body/body",
            {{"u", "v"}, {"v", "u"}},
            {{"u", "v"}, {"v", "u"}}}}},
         "accepted"},
        {"lets of one name",
         {"    for i in range(2):\n        w: T.int32 = i\n        B[i] = w\n",
          "    for i in range(2):\n        w: T.int32 = 1 - i\n        B[1 - i] = w\n",
          "body",
          {{"body/body/body",
            "body/body/body",
            {{"i", "1 - i"}, {"w", "w"}},
            {{"i", "1 - i"}, {"w", "w"}}}},
          {{0, 0}}},
         "accepted"},
        {"lets of one name wrong",
         {"    for i in range(2):\n        w: T.int32 = i\n        B[i] = w\n",
          "    for i in range(2):\n        w: T.int32 = i\n        B[1 - i] = w\n",
          "body",
          {{"body/body/body",
            "body/body/body",
            {{"i", "1 - i"}, {"w", "w"}},
            {{"i", "1 - i"}, {"w", "w"}}}},
          {{0, 0}}},
         "unproved: every iteration is visited"},
        {"shadow two parts",
         {"    for i in range(2):\n        w: T.int32 = i\n        B[w] = 1\n    for i_1 in "
          "range(2):\n        w_1: T.int32 = i_1 + 1\n        A[w_1] = 2\n",
          "    for i in range(2):\n        w: T.int32 = i + 1\n        A[w] = 2\n    for i_1 in "
          "range(2):\n        w_1: T.int32 = i_1\n        B[w_1] = 1\n",
          "body",
          {{"body/0/body/body",
            "body/1/body/body",
            {{"i_1", "i"}, {"w_1", "w"}},
            {{"i", "i_1"}, {"w", "w_1"}}},
           {"body/1/body/body",
            "body/0/body/body",
            {{"i", "i_1"}, {"w", "w_1"}},
            {{"i_1", "i"}, {"w_1", "w"}}}},
          {{0, 1}}},
         "accepted"},
        {"nested mention",
         {"    u: T.int32 = A[0] % 4\n    v: T.int32 = A[u]\n    A[1] = v\n    B[0] = v\n",
          "    A[1] = A[A[0] % 4]\n    B[0] = A[A[0] % 4]\n",
          "body",
          {{"body/0", "body/body/body/0", {{"u", "A[0] % 4"}, {"v", "A[A[0] % 4]"}}, {}},
           {"body/1", "body/body/body/1", {{"u", "A[0] % 4"}, {"v", "A[A[0] % 4]"}}, {}}}},
         "refused: a bound or guard reads A, which the body writes"},
        {"nested mention right",
         {"    u: T.int32 = A[0] % 4\n    v: T.int32 = A[u]\n    B[0] = v\n",
          "    B[0] = A[A[0] % 4]\n",
          "body",
          {{"body", "body/body/body", {{"u", "A[0] % 4"}, {"v", "A[A[0] % 4]"}}, {}}}},
         "accepted"},
        {"expand chain",
         {"    B[0] = A[A[0] % 4] + A[0]\n",
          "    u: T.int32 = A[0]\n    v: T.int32 = A[u % 4]\n    B[0] = v + u\n",
          "body",
          {{"body/body/body", "body", {}, {{"u", "A[0]"}, {"v", "A[A[0] % 4]"}}}}},
         "accepted"},
        {"alloc out of extent",
         {"    for i in range(4):\n        w: T.int32 = 1\n        t = T.alloc_buffer((w,), "
          "\"int32\")\n        t[0] = i\n        B[i] = t[0]\n",
          "    for i in range(4):\n        w: T.int32 = i\n        t = T.alloc_buffer((w,), "
          "\"int32\")\n        t[0] = i\n        B[i] = t[0]\n",
          "body",
          {{"body/body/body",
            "body/body/body",
            {{"i", "i"}, {"w", "w"}},
            {{"i", "i"}, {"w", "1"}}}}},
         "unproved: every iteration is visited"},
        {"name in region",
         {"    w: T.int32 = A[0]\n    with T.block(\"b\"):\n        T.writes(B[w:w + 1])\n        "
          "B[w] = 1\n",
          "    v: T.int32 = A[0]\n    with T.block(\"b\"):\n        T.writes(B[v:v + 2])\n        "
          "B[v] = 1\n",
          "body",
          {{"body/body", "body/body", {{"w", "v"}}, {{"v", "w"}}}}},
         "refused: the part at body/body is not the one at body/body"},
        {"twice by a let",
         {"    w: T.int32 = A[0]\n    B[0] = B[0] // 2 + w % 2\n",
          "    w: T.int32 = A[0]\n    B[0] = B[0] // 2 + w % 2\n    u: T.int32 = A[0]\n    B[0] = "
          "B[0] // 2 + u % 2\n",
          "body",
          {{"body/body/0", "body/body", {{"w", "w"}}, {{"w", "w"}}, "w > 0"},
           {"body/body/1/body", "body/body", {{"w", "u"}}, {{"w", "w"}, {"u", "w"}}, "w <= 0"}}},
         "unproved: no other iteration is visited"},
        {"once for two values",
         {"    for i in range(2):\n        w: T.int32 = i\n        B[w] = 1\n",
          "    w: T.int32 = 0\n    B[w] = 1\n",
          "body",
          {{"body/body", "body/body/body", {{"i", "w"}, {"w", "w"}}, {{"w", "w"}}}}},
         "unproved: every iteration is visited"},
        {"when faults",
         {"    for i in range(4):\n        w: T.int32 = i\n        B[i] = w\n",
          "    for i in range(4):\n        if n < 1:\n            w: T.int32 = i\n            B[i] "
          "= w\n        else:\n            u: T.int32 = i\n            B[i] = u\n",
          "body",
          {{"body/body/then/body",
            "body/body/body",
            {{"i", "i"}, {"w", "w"}},
            {{"i", "i"}, {"w", "w"}},
            "1 // n < 1 and n < 1 or n < 1"},
           {"body/body/else/body",
            "body/body/body",
            {{"i", "i"}, {"w", "u"}},
            {{"i", "i"}, {"u", "w"}},
            "n >= 1"}}},
         "accepted"},
        {"to is nonsense",
         {"    for i in range(4):\n        B[i] = 1\n",
          "    for i in range(4):\n        w: T.int32 = n // 0\n        B[i] = 1\n",
          "body",
          {{"body/body/body", "body/body", {{"i", "i"}}, {{"i", "i"}, {"w", "n // 0"}}}}},
         "unproved: the value of w is computed without a fault"},
    });
}

// What a let reads is stored to: before it, in another iteration, at the same time, or never.
TEST_F(HostileLets, MemoryIsThatOfTheStart) {
    expect({
        {"expand loop store",
         {"    for i in range(4):\n        B[i] = A[0]\n        A[i] = 1\n",
          "    for i in range(4):\n        u: T.int32 = A[0]\n        B[i] = u\n        A[i] = 1\n",
          "body",
          {{"body/body/body/0", "body/body/0", {{"i", "i"}}, {{"i", "i"}, {"u", "A[0]"}}},
           {"body/body/body/1", "body/body/1", {{"i", "i"}}, {{"i", "i"}, {"u", "A[0]"}}}}},
         "refused: the part at body/body/body/0 is not the one at body/body/0"},
        {"serial to parallel let",
         {"    for i in range(4):\n        w: T.int32 = A[i]\n        A[i] = w // 2\n",
          "    for i in T.parallel(4):\n        w: T.int32 = A[i]\n        A[i] = w // 2\n",
          "body",
          {{"body/body/body",
            "body/body/body",
            {{"i", "i"}, {"w", "w"}},
            {{"i", "i"}, {"w", "w"}}}},
          {{0, 0}}},
         "accepted"},
        {"serial to parallel bad",
         {"    for i in range(4):\n        w: T.int32 = A[3]\n        A[i] = w // 2\n",
          "    for i in T.parallel(4):\n        w: T.int32 = A[3]\n        A[i] = w // 2\n",
          "body",
          {{"body/body/body",
            "body/body/body",
            {{"i", "i"}, {"w", "w"}},
            {{"i", "i"}, {"w", "w"}}}},
          {{0, 0}}},
         "unproved: nothing stores to what a bound or guard reads (A, body/body/body, body/body)"},
        {"hoist into parallel",
         {"    w: T.int32 = A[0]\n    for i in T.parallel(4):\n        A[i] = w\n",
          "    for i in T.parallel(4):\n        w: T.int32 = A[0]\n        A[i] = w\n",
          "body",
          {{"body/body/body",
            "body/body/body",
            {{"i", "i"}, {"w", "w"}},
            {{"i", "i"}, {"w", "w"}}}}},
         "unproved: nothing stores to what a bound or guard reads (A, body/body/body, body/body)"},
        {"inline racing",
         {"    for i in T.parallel(4):\n        w: T.int32 = B[0]\n        if i == 0:\n            "
          "B[i] = w\n",
          "    for i in T.parallel(4):\n        if i == 0:\n            B[i] = B[0]\n",
          "body",
          {{"body/body/then", "body/body/body/then", {{"i", "i"}, {"w", "B[0]"}}, {{"i", "i"}}}}},
         "refused: a bound or guard reads B, which the body writes"},
        {"outer parallel hoist read",
         {"    for i in T.parallel(4):\n        if i == 0:\n            B[0] = 1\n        if i > "
          "0:\n            C[i] = T.if_then_else(i < 0, B[0], 0)\n",
          "    for i in T.parallel(4):\n        if i == 0:\n            B[0] = 1\n        w: "
          "T.int32 = B[0]\n        if i > 0:\n            C[i] = T.if_then_else(i < 0, w, 0)\n",
          "body/body/1",
          {{"body/body", "body", {}, {{"w", "B[0]"}}}}},
         "unproved: the value of w is computed without a fault"},
        {"name of a store between",
         {"    A[0] = 1\n    B[0] = A[0]\n",
          "    u: T.int32 = A[0]\n    A[0] = 1\n    B[0] = u\n",
          "body",
          {{"body/body/0", "body/0", {}, {{"u", "A[0]"}}},
           {"body/body/1", "body/1", {}, {{"u", "A[0]"}}}}},
         "refused: the part at body/body/1 is not the one at body/1"},
        {"let of load then store",
         {"    w: T.int32 = A[0]\n    A[0] = 3\n    B[0] = w\n",
          "    A[0] = 3\n    w: T.int32 = A[0]\n    B[0] = w\n",
          "body",
          {{"body/0", "body/body/0", {{"w", "A[0]"}}, {}},
           {"body/1/body", "body/body/1", {{"w", "w"}}, {{"w", "w"}}}}},
         "refused: a bound or guard reads A, which the body writes"},
        {"exchange sum of let",
         {"    w: T.int32 = B[0]\n    B[0] = B[0] + w\n    B[0] = B[0] + A[0]\n",
          "    B[0] = B[0] + A[0]\n    w: T.int32 = B[0]\n    B[0] = B[0] + w\n",
          "body",
          {{"body/0", "body/body/1", {{"w", "B[0]"}}, {}},
           {"body/1/body", "body/body/0", {{"w", "w"}}, {{"w", "w"}}}},
          {{0, 1}}},
         "refused: a bound or guard reads B, which the body writes"},
        {"undefined float",
         {"    t = T.alloc_buffer((1,), \"float32\")\n    w: T.float32 = t[0]\n    F[0] = w - w\n",
          "    t = T.alloc_buffer((1,), \"float32\")\n    w: T.float32 = t[0]\n    F[0] = t[0] - "
          "t[0]\n",
          "body/body",
          {{"body/body", "body/body", {{"w", "w"}}, {{"w", "w"}}}}},
         "unproved: the value of w is definite"},
        {"let of if undefined",
         {"    t = T.alloc_buffer((2,), \"int32\")\n    t[0] = 1\n    w: T.int32 = t[n % 2]\n    "
          "B[0] = w\n",
          "    t = T.alloc_buffer((2,), \"int32\")\n    t[0] = 1\n    B[0] = t[n % 2]\n",
          "body/body/1",
          {{"body", "body/body", {{"w", "t[n % 2]"}}, {}}}},
         "unproved: the value of w is definite"},
    });
}

// The value of a let goes in the place of its name only where the part binds none of the names.
TEST_F(HostileLets, PartsBindOtherNames) {
    const std::string loop =
        "    w: T.int32 = n\n    if n >= 0:\n        for j in range(4):\n            B[j] = w // "
        "2\n";
    const std::string of_j =
        "    if n >= 0:\n        for j in range(1):\n            v: T.int32 = T.max(j, n)\n"
        "            for k in range(4):\n                B[k] = T.max(k, n) // 2\n";
    const PartText moved{
        "body/then/body/body", "body/body/then", {{"w", "v"}}, {{"j", "0"}, {"v", "w"}}};
    EXPECT_EQ(outcome(loop, of_j, {moved}), "refused: a part binds 'j', which is used now");
    EXPECT_EQ(outcome_without("reschedule:captured-names", loop, of_j, {moved}), "accepted");
    const std::string binds =
        "    if n >= 0 and n < 4:\n        for v in range(4):\n            B[v] = 1\n";
    const std::string names =
        "    if n >= 0 and n < 4:\n        v: T.int32 = n\n        for k in range(4):\n            "
        "B[n] = 1\n";
    const PartText all{"body/then/body", "body/then", {}, {{"v", "n"}}};
    EXPECT_EQ(outcome(binds, names, {all}), "refused: `v` is bound twice");
    EXPECT_EQ(outcome_without("reschedule:captured-names", binds, names, {all}), "accepted");
}

// A part that reads what its origin had a name for breaks what its blocks claim to read.
TEST_F(HostileLets, BlocksOfAPartThatReadsMore) {
    const std::string claims =
        "    with T.block(\"b\"):\n        T.reads()\n        T.writes(B[0])\n";
    const std::string named = "    w: T.int32 = A[0]\n" + claims + "        B[0] = w\n";
    const std::string reads = "    v: T.int32 = A[0]\n" + claims + "        B[0] = A[0]\n";
    const PartText block{"body/body", "body/body", {{"w", "v"}}, {{"v", "w"}}};
    EXPECT_EQ(outcome(named, reads, {block}), "accepted");
    EXPECT_THAT(after_, testing::Not(testing::HasSubstr("T.reads")));
    // The other way, it reads less.
    EXPECT_EQ(outcome(reads, named, {{"body/body", "body/body", {}, {{"w", "A[0]"}}}}), "accepted");
    EXPECT_THAT(after_, testing::HasSubstr("T.reads"));
    EXPECT_EQ(outcome_without("reschedule:claimed-regions", named, reads, {block}), "accepted");
    EXPECT_THAT(after_, testing::HasSubstr("T.reads"));
}

}  // namespace
}  // namespace proviso::rewrite
