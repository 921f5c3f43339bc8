// Faults in the check of partial results: what is combined in a buffer, combined in parts first.
#include "fuzz/planted/theorems/theorem.h"

namespace proviso::fuzz {

namespace {

constexpr const char* kAlone = "partials: nothing else sees what is combined";
constexpr const char* kOwnPlaces = "partials: each term has a place of its own cell";
constexpr const char* kStarts = "partials: cells hold the start, which may be combined again";
constexpr const char* kTerms = "partials: terms are combined in any order, and stay in range";

PartialsText parts(const std::vector<std::string>& map, const std::string& extent = "4") {
    PartialsText t;
    t.extents = {extent, "8"};
    t.map = map;
    return t;
}

// What rows of D are combined into, in B.
std::string into_b(const std::string& store, const std::string& start = "0") {
    return "    for j in range(8):\n        B[j] = " + start +
           "\n    for i in range(4):\n        for k in range(4):\n            " + store + "\n";
}
const std::string kMaxima = into_b("B[i] = T.max(B[i], D[i, k])");

// In a buffer of floats; B gets what its first cell holds.
PartialsOf of_floats(const std::string& type, const std::string& store) {
    PartialsText t = parts({"k", "x"});
    t.buffer = "t";
    t.start = "0.0";
    t.at = "body/body/1";
    t.writer.statement = "body/body/0/body";
    return {"    t = T.alloc_buffer((8,), \"" + type +
                "\")\n    for j in range(8):\n        t[j] = T." + type +
                "(0.0)\n    for i in range(4):\n        for k in range(4):\n            " + store +
                "\n    B[0] = T.cast(t[0], \"int32\")\n",
            t};
}

std::vector<TheoremFault> alone() {
    PartialsText beside = parts({"k", "0"});
    beside.extents = {"4", "2"};
    beside.inverse = {"p + 2 * d"};
    beside.writer.at["j"] = "p + 2 * d";
    beside.at = "body/1/body/0";
    return {
        {kAlone, "partial:any-extents", "partial results may have any extents",
         PartialsOf{"    for j in range(8):\n        B[j] = 0\n    for k in range(T.min(n, 4)):\n"
                    "        B[k] = T.max(B[k], A[k])\n",
                    parts({"k", "x"}, "n")}},
        {kAlone, "partial:stop-inside", "the statement stops before its results are in the buffer",
         PartialsOf{
             into_b("B[i] = T.max(B[i], D[i, k])\n            assert D[i, k] < 1, \"large\""),
             parts({"k", "x"})}},
        {kAlone, "partial:seen-beside", "other iterations read a cell that this one leaves alone",
         PartialsOf{"    for j in range(8):\n        B[j] = 0\n    for p in T.parallel(2):\n"
                    "        for k in range(4):\n            B[p] = T.max(B[p], D[p, k])\n"
                    "        A[p] = B[2 + (p + 1) % 2]\n",
                    beside}},
        {kAlone, "partial:seen-inside", "the statement reads what is combined",
         PartialsOf{into_b("B[i] = T.max(B[i], D[i, k])\n            A[k] = B[i]"),
                    parts({"k", "x"})}},
        {kAlone, "partial:operators", "terms are combined by two operators",
         PartialsOf{into_b("B[i] = T.max(B[i], D[i, k])\n            B[i] = T.min(B[i], D[k, i])"),
                    parts({"k", "x"})}},
    };
}

std::vector<TheoremFault> own_places() {
    const std::string words = "omit:what is combined is part of";
    PartialsText below = parts({"k % 4", "x - 1"});
    below.extents = {"4", "7"};
    below.inverse = {"d + 1"};
    below.writer.at["j"] = "d + 1";
    return {
        {kOwnPlaces, words, "it is not owed", PartialsOf{kMaxima, parts({"k", "x // 2"})}},
        {kOwnPlaces, words + ", part 1", "the place is computed with a fault",
         PartialsOf{kMaxima, parts({"k + 0 * (1 // n)", "x"})}},
        {kOwnPlaces, words + ", part 2", "places are beyond the last one",
         PartialsOf{kMaxima, parts({"k + 1", "x"})}},
        {kOwnPlaces, words + ", part 3", "places are below the first one",
         PartialsOf{kMaxima, below}},
        {kOwnPlaces, words + ", part 5", "the place is that of another cell",
         PartialsOf{kMaxima, parts({"k % 4", "x // 2"})}},
    };
}

std::vector<TheoremFault> starts() {
    PartialsText fault = parts({"k", "x"});
    fault.inverse = {"d + 0 * (1 // n)"};
    PartialsText one = parts({"k", "x"});
    one.start = "1";
    one.most = 9;
    PartialsText later = parts({"k", "x"});
    later.at = "body/2";
    return {
        {kStarts, "omit:the cell of a partial result is computed", "it is not owed",
         PartialsOf{kMaxima, fault}},
        {kStarts, "omit:with a partial result holds", "it is not owed that cells hold the start",
         PartialsOf{into_b("B[i] = T.max(B[i], D[i, k])", "-5"), parts({"k", "x"})}},
        {kStarts, "omit:the cell of B was written", "it is not owed that they have been stored to",
         PartialsOf{"    for j in range(4):\n        B[j] = 0\n    for i in range(4):\n"
                    "        for k in range(4):\n            B[i] = T.max(B[i], D[i, k])\n",
                    parts({"k", "x"})}},
        {kStarts, "omit:nothing overwrites the cell of B", "it is not owed that they are as stored",
         PartialsOf{"    for j in range(8):\n        B[j] = 0\n    B[2] = -5\n"
                    "    for i in range(4):\n        for k in range(4):\n"
                    "            B[i] = T.max(B[i], D[i, k] % 3 - 9)\n",
                    later}},
        {kStarts, "partial:any-start", "sums start at any value",
         PartialsOf{into_b("B[i] = B[i] + D[i, k] % 8", "1"), one}},
    };
}

std::vector<TheoremFault> terms() {
    const std::string words = "omit:up to its sign";
    const std::string large = "2000000000";
    const std::string alternate =
        into_b("B[0] = B[0] + T.Select(k % 2 == 0, 2000000000, -2000000000)");
    PartialsText any = parts({"k % 2", "x"}, "2");
    any.most = 2147483647;
    PartialsText few = any;
    few.most = 1000;
    const auto late = [](const std::string& early, const std::string& last) {
        return into_b("B[0] = B[0] + T.Select(i * 4 + k < 14, " + early + ", " + last + ")");
    };
    PartialsText by_time = parts({"(i * 4 + k) // 14", "x"}, "2");
    by_time.most = 134217727;
    return {
        {kTerms, "partial:without-licence", "floats are added in another order",
         of_floats("float16", "t[0] = t[0] + T.cast(D[i, k] % 2048, \"float16\")")},
        {kTerms, "partial:any-order", "T.max of floats in another order",
         of_floats("float32",
                   "t[0] = T.max(T.if_then_else(k == 1, T.float32(\"nan\"), "
                   "T.cast(9 - k, \"float32\")), t[0])")},
        {kTerms, "partial:many-terms", "there are too many terms for the range",
         PartialsOf{alternate, any}},
        {kTerms, words, "it is not owed how large a term is", PartialsOf{alternate, few}},
        {kTerms, words + ", part 1", "terms may be very small",
         PartialsOf{late("134217727", "-" + large), by_time}},
        {kTerms, words + ", part 2", "terms may be very large",
         PartialsOf{late("-134217727", large), by_time}},
    };
}

}  // namespace

const std::vector<TheoremFault>& partials_faults() {
    static const std::vector<TheoremFault> all = [] {
        std::vector<TheoremFault> out;
        for (auto part : {alone(), own_places(), starts(), terms()}) {
            out.insert(out.end(), part.begin(), part.end());
        }
        return out;
    }();
    return all;
}

}  // namespace proviso::fuzz
