// What random reschedulings are made of: right proposals with places for values, conditions and
// statements, and what goes there.
#pragma once

#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "tests/rewrite/theorems/reschedule.h"

namespace proviso::verify {

using rewrite::PartText;
using rewrite::ProposalText;

// A part that is at the same value of all these names, "i w", or "i:j" where it has another one
// now.
inline PartText part(const std::string& now, const std::string& origin, const std::string& names,
                     const std::string& when = "", const std::string& where = "") {
    PartText out{now, origin, {}, {}, when, where};
    std::istringstream in(names);
    for (std::string name; in >> name;) {
        const std::size_t colon = name.find(':');
        const std::string is = colon == std::string::npos ? name : name.substr(colon + 1);
        const std::string was = name.substr(0, colon);
        out.from[was] = is;
        out.to[is] = was;
    }
    return out;
}

// The same where names are values there: "w=$1".
inline PartText valued(PartText out, const std::map<std::string, std::string>& from,
                       const std::map<std::string, std::string>& to) {
    for (const auto& [name, value] : from) out.from[name] = value;
    for (const auto& [name, value] : to) out.to[name] = value;
    return out;
}

// $1, $2: values; $g: a condition; $e: an extent; $s, $t: statements; $k: a kind of loop; $x: an
// index; $c: claims of a block. The same stands for each in both texts and in the maps. Capital
// letters: the same with other names.
inline const std::string kLoop = "    for i in $k($e):\n";
inline const std::string kLet = "        w: T.int32 = $1\n";
inline const std::vector<ProposalText> kCases = {
    // A let leaves its loop, goes into one, or changes its place in a nest.
    {kLoop + kLet + "        $s\n",
     "    w: T.int32 = $1\n" + kLoop + "        $s\n",
     "body",
     {part("body/body/body", "body/body/body", "i w")}},
    {"    w: T.int32 = $1\n" + kLoop + "        $s\n",
     kLoop + kLet + "        $s\n",
     "body",
     {part("body/body/body", "body/body/body", "i w")}},
    {"    for j in $k(2):\n" + kLet +
         "        for i in range($e):\n            $s\n            $t\n",
     "    for j in $k(2):\n        for i in range($e):\n            w: T.int32 = $1\n            "
     "$s\n            $t\n",
     "body",
     {part("body/body/body/body/0", "body/body/body/body/0", "i w j"),
      part("body/body/body/body/1", "body/body/body/body/1", "i w j")}},
    // A value gets a name; a name becomes its value, also in a loop of other names.
    {kLoop + "        $b[$x] = $1\n",
     "    p: T.int32 = $1\n" + kLoop + "        $b[$x] = p\n",
     "body",
     {valued(part("body/body", "body", ""), {}, {{"p", "$1"}})}},
    {kLoop + "        $b[$x] = $1\n",
     "    p: T.int32 = $1\n" + kLoop + "        $b[$x] = p\n",
     "body",
     {valued(part("body/body/body", "body/body", "i"), {}, {{"p", "$1"}})}},
    {kLoop + "        if $g:\n            $b[$x] = $1\n",
     kLoop + "        p: T.int32 = $1\n        if $g:\n            $b[$x] = p\n",
     "body",
     {valued(part("body/body/body", "body/body", "i"), {}, {{"p", "$1"}})}},
    {kLoop + kLet + "        $s\n        $t\n",
     kLoop + "        $S\n        $T\n",
     "body",
     {valued(part("body/body/0", "body/body/body/0", "i"), {{"w", "$1"}}, {}),
      valued(part("body/body/1", "body/body/body/1", "i"), {{"w", "$1"}}, {})}},
    {kLoop + kLet + "        $s\n        $t\n",
     kLoop + "        u: T.int32 = $1\n        p: T.int32 = u\n        $P\n        $U\n",
     "body",
     {valued(part("body/body/body/body/0", "body/body/body/0", "i w:p"), {}, {{"u", "w"}}),
      valued(part("body/body/body/body/1", "body/body/body/1", "i w:u"), {}, {{"p", "w"}})}},
    {"    w: T.int32 = $2\n    for j in range(4):\n        B[j] = w\n",
     "    for j in range(1):\n        v: T.int32 = $I\n        for k in range(4):\n            "
     "B[k] = $q\n",
     "body",
     {valued(part("body/body/body", "body/body", "w:v"), {}, {{"j", "0"}})}},
    {"    if n > 0:\n        for v in range(4):\n            B[v] = $y\n",
     "    if n > 0:\n        v: T.int32 = $2\n        for k in range(4):\n            B[k] = $z\n",
     "body",
     {valued(part("body/then/body", "body/then", ""), {}, {{"v", "$2"}})}},
    // Claims of blocks in a part, and around one.
    {"    w: T.int32 = $2\n    with T.block(\"b\"):\n        $c\n        $l = w\n",
     "    v: T.int32 = $2\n    with T.block(\"b\"):\n        $c\n        $l = $q\n",
     "body",
     {part("body/body", "body/body", "w:v")}},
    {"    with T.block(\"o\"):\n        $c\n        for i in range(3):\n            w: T.int32 = "
     "$1\n            $s\n",
     "    with T.block(\"o\"):\n        $c\n        w: T.int32 = $1\n        for i in range(3):\n  "
     "          $s\n",
     "body/body",
     {part("body/body/body", "body/body/body", "i w")}},
    {"    with T.block(\"o\"):\n        $c\n        for k in range(3):\n            with "
     "T.block(\"b\"):\n"
     "                v = T.axis.reduce(3, k)\n                $d\n                with "
     "T.init():\n                    B[0] = 0\n"
     "                B[0] = T.max(B[0], A[v])\n",
     "    with T.block(\"o\"):\n        $c\n        for k in range(3):\n            if k == 0:\n   "
     "             B[0] = 0\n"
     "            B[0] = T.max(B[0], A[k])\n",
     "body/body/body",
     {valued(part("body/0/then", "body/init", ""), {{"v", "k"}}, {}),
      valued(part("body/1", "body/body", ""), {{"v", "k"}}, {})}},
    // Loops with lets are split; statements change places.
    {kLoop + kLet + "        $s\n        $t\n",
     kLoop + kLet + "        $s\n    for j in $k($e):\n        u: T.int32 = $J\n        $V\n",
     "body",
     {part("body/0/body/body", "body/body/body/0", "i w"),
      part("body/1/body/body", "body/body/body/1", "i:j w:u")},
     {{0, 1}, {1, 1}, {0, 0}}},
    {kLoop + kLet + "        $s\n        $t\n",
     kLoop + kLet + "        $t\n        $s\n",
     "body",
     {part("body/body/body/1", "body/body/body/0", "i w"),
      part("body/body/body/0", "body/body/body/1", "i w")},
     {{0, 1}}},
    {"    $a\n    w: T.int32 = $2\n    $o\n",
     "    w: T.int32 = $2\n    $a\n    $o\n",
     "body",
     {valued(part("body/body/0", "body/0", ""), {}, {{"w", "$2"}}),
      part("body/body/1", "body/1/body", "w")},
     {{0, 1}}},
    {"    $a\n    w: T.int32 = $2\n    $o\n",
     "    w: T.int32 = $2\n    $o\n    $a\n",
     "body",
     {valued(part("body/body/1", "body/0", ""), {}, {{"w", "$2"}}),
      part("body/body/0", "body/1/body", "w")},
     {{0, 1}}},
    // Guards go in and out.
    {kLoop + "        if $g:\n            $s\n",
     "    if $g:\n        for i in $k($e):\n            $s\n",
     "body",
     {part("body/then/body", "body/body/then", "i")}},
    {"    if $g:\n        for i in $k($e):\n            $s\n            $t\n",
     kLoop + "        if $g:\n            $s\n        if $g:\n            $t\n",
     "body",
     {part("body/body/0/then", "body/then/body/0", "i"),
      part("body/body/1/then", "body/then/body/1", "i")}},
    {kLoop + kLet + "        if $g:\n            $s\n        else:\n            $t\n",
     kLoop + "        if $G:\n            $S\n        else:\n            $T\n",
     "body",
     {valued(part("body/body/then", "body/body/body/then", "i"), {{"w", "$1"}}, {}),
      valued(part("body/body/else", "body/body/body/else", "i"), {{"w", "$1"}}, {})}},
    // Blocks become guards, and guards blocks.
    {kLoop + "        with T.block(\"b\"):\n            v = T.axis.reduce(($n, 4), i)\n            "
             "T.where($g)\n"
             "            with T.init():\n                $B[0] = $2\n            $v\n",
     kLoop +
         "        if $g:\n            if i == $n:\n                $B[0] = $2\n            $s\n",
     "body",
     {valued(part("body/body/then/0/then", "body/body/init", "i"), {{"v", "i"}}, {}),
      valued(part("body/body/then/1", "body/body/body", "i"), {{"v", "i"}}, {})}},
    {kLoop +
         "        if $g:\n            if i == $n:\n                $B[0] = $2\n            $s\n",
     kLoop + "        with T.block(\"b\"):\n            u = T.axis.spatial(4, i)\n"
             "            v = T.axis.reduce(($n, 4), i)\n            T.where($g)\n"
             "            with T.init():\n                $B[0] = $2\n            $s\n",
     "body",
     {valued(part("body/body/init", "body/body/then/0/then", "i"), {}, {{"v", "i"}, {"u", "i"}}),
      valued(part("body/body/body", "body/body/then/1", "i"), {}, {{"v", "i"}, {"u", "i"}})}},
    {kLoop + "        with T.block(\"b\"):\n            v = T.axis.spatial(4, $1)\n            "
             "$v\n            $r\n",
     kLoop + "        v: T.int32 = $1\n        $v\n        $r\n",
     "body",
     {part("body/body/body/0", "body/body/body/0", "i v"),
      part("body/body/body/1", "body/body/body/1", "i v")}},
    {kLoop +
         "        v: T.int32 = $1\n        if v >= 0 and v < 4:\n            $v\n            $r\n",
     kLoop + "        with T.block(\"b\"):\n            v = T.axis.spatial(4, $1)\n"
             "            T.where($1 >= 0 and $1 < 4)\n            $v\n            $r\n",
     "body",
     {part("body/body/body/0", "body/body/body/then/0", "i v"),
      part("body/body/body/1", "body/body/body/then/1", "i v")}},
    // An initialisation leaves its block.
    {kLoop + "        for k in range(3):\n            with T.block(\"b\"):\n                r = "
             "T.axis.spatial(4, i)\n"
             "                v = T.axis.reduce(3, k)\n                T.where($g)\n               "
             " with T.init():\n"
             "                    B[r] = $2\n                B[r] = T.max(B[r], A[v])\n",
     kLoop +
         "        if $g:\n            B[i] = $2\n    for j in $k($e):\n        for k in range(3):\n"
         "            with T.block(\"b\"):\n                r = T.axis.spatial(4, j)\n"
         "                v = T.axis.reduce(3, k)\n                T.where($H)\n"
         "                B[r] = T.max(B[r], A[v])\n",
     "body",
     {valued(part("body/0/body/then", "body/body/body/init", "i"),
             {{"k", "0"}, {"r", "i"}, {"v", "0"}}, {}),
      part("body/1/body/body/body", "body/body/body/body", "i:j k r v")},
     {{0, 1}, {0, 0}, {1, 1}}},
    // Iterations are left out; arms that do the same become one, and one becomes two.
    {"    for i in $k(4):\n" + kLet + "        if $g:\n            $s\n",
     kLoop + kLet + "        if $g:\n            $s\n",
     "body",
     {part("body/body/body", "body/body/body", "i w", "i < $e")},
     {},
     {"body/body/body"}},
    {kLoop + kLet + "        if $g:\n            $s\n        else:\n            $s\n",
     kLoop + kLet + "        $s\n",
     "body",
     {part("body/body/body", "body/body/body/then", "i w", "", "$g"),
      part("body/body/body", "body/body/body/else", "i w", "", "not ($g)")}},
    {kLoop + kLet + "        $s\n",
     kLoop + "        if $G:\n            w: T.int32 = $1\n            $s\n        else:\n         "
             "   u: T.int32 = $1\n            $Q\n",
     "body",
     {part("body/body/then/body", "body/body/body", "i w", "$G"),
      part("body/body/else/body", "body/body/body", "i w:u", "not ($G)")}},
    // A loop that runs twice as lets, a loop that is reversed, and one that is cut in two.
    {"    for i in range(2):\n" + kLet + "        $s\n",
     "    u: T.int32 = $0\n    $W\n    p: T.int32 = $O\n    $X\n",
     "body",
     {valued(part("body/body/0", "body/body/body", "w:u", "0 == i"), {{"i", "0"}}, {}),
      valued(part("body/body/1/body", "body/body/body", "w:p", "1 == i"), {{"i", "1"}},
             {{"u", "$0"}})}},
    {kLoop + kLet + "        $s\n",
     "    for j in $k($e):\n        w: T.int32 = $R\n        $Y\n",
     "body",
     {valued(part("body/body/body", "body/body/body", "w"), {{"i", "$e - 1 - j"}},
             {{"j", "$e - 1 - i"}})},
     {{0, 0}}},
    {kLoop + kLet + "        $s\n",
     "    for i in $k(T.min($e, 2)):\n" + kLet +
         "        $s\n    for j in $k(2, $e):\n        u: T.int32 = $J\n        $Z\n",
     "body",
     {part("body/0/body/body", "body/body/body", "i w", "i < 2"),
      part("body/1/body/body", "body/body/body", "i:j w:u", "i >= 2")}},
};

inline const std::vector<std::string> kOuter = {"A[0]",
                                                "n",
                                                "n * m",
                                                "12 // n",
                                                "A[n]",
                                                "A[m] // 2",
                                                "C[0]",
                                                "0",
                                                "1",
                                                "12 // A[0]",
                                                "T.if_then_else(n < 4 and n >= 0, A[n], 0)",
                                                "T.min(B[0], 3)",
                                                "n % 4",
                                                "B[1]"};
inline const std::vector<std::string> kValues = {"A[0]",
                                                 "A[i]",
                                                 "B[i]",
                                                 "A[n]",
                                                 "C[0]",
                                                 "C[i]",
                                                 "i",
                                                 "i // 2",
                                                 "3 - i",
                                                 "0",
                                                 "n + i",
                                                 "n // (i + 1)",
                                                 "T.Select(m > 0, A[1], B[0])",
                                                 "T.cast(F[i], \"int8\")",
                                                 "T.Select(F[0] == F[0], 1, 2)",
                                                 "T.Select(1.0 / F[1] > 0.0, 1, 2)",
                                                 "T.max(T.min(A[i], 3), 0)",
                                                 "(A[i] + 1) % 4",
                                                 "T.if_then_else(0 < m, 12 // m, 3)"};
inline const std::vector<std::string> kGuards = {"n < 3",
                                                 "A[0] > 0",
                                                 "i < n",
                                                 "A[i] > 0",
                                                 "12 // n > 2",
                                                 "n > 0 and 12 // n > 2",
                                                 "w > 0",
                                                 "i < 3",
                                                 "B[0] > 0",
                                                 "True",
                                                 "i == 0 or A[i] > 1",
                                                 "F[0] >= F[1]",
                                                 "n != 0 and A[0] < 12 // n",
                                                 "m > 0",
                                                 "C[0] < 2",
                                                 "w < i"};
inline const std::vector<std::string> kExtents = {"4",           "4",       "3",    "n", "A[0]",
                                                  "T.min(n, 4)", "12 // n", "B[1]", "2", "m"};
inline const std::vector<std::string> kStatements = {"B[i] = w",
                                                     "B[i] = i",
                                                     "B[0] = w",
                                                     "A[i] = T.min(w, 3)",
                                                     "C[i] = A[i]",
                                                     "C[i] = 12 // w",
                                                     "B[i] = B[i] // 2 + T.min(w, 9)",
                                                     "A[0] = 1",
                                                     "C[0] = T.max(C[0], i)",
                                                     "B[w] = 1",
                                                     "B[3 - i] = w",
                                                     "assert A[0] > 0, \"a\"",
                                                     "assert w > 0, \"w\"",
                                                     "T.assume(w > 0)",
                                                     "T.assume(A[i] > 0)",
                                                     "C[i] = B[i]",
                                                     "B[w % 4] = A[i]",
                                                     "C[T.max(T.min(w, 3), 0)] = 2",
                                                     "A[(i + 1) % 4] = i",
                                                     "F[i] = F[i] * F[0]",
                                                     "B[i] = A[0]",
                                                     "B[i] = T.if_then_else(w > 0, 12 // w, 0)",
                                                     "A[i] = A[i] // 2",
                                                     "C[3] = i"};
inline const std::vector<std::string> kKinds = {"range",      "range",      "range",   "range",
                                                "T.parallel", "T.parallel", "T.unroll"};
inline const std::vector<std::string> kClaims = {
    "T.reads()", "T.reads(A[0:4])", "T.writes(B[0:4])", "T.reads(A[0:4])\n        T.writes(B[0:4])",
    "T.reads(A[0:4], C[0:4])\n        T.writes(B[0:4], A[0:4])"};

}  // namespace proviso::verify
