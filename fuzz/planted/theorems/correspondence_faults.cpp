// Faults in the check of a rescheduling: which instances correspond, what is left out or extra, and
// in which order they are.
#include "fuzz/planted/theorems/theorem.h"

namespace proviso::fuzz {

namespace {

constexpr const char* kVisited = "rescheduling: every iteration is visited";
constexpr const char* kNoOther =
    "rescheduling: no other iteration is visited, and each is visited once";
constexpr const char* kOnce = "rescheduling: an iteration goes to one place, and comes from one";
constexpr const char* kLeftOut = "rescheduling: what is left out does nothing that is seen";
constexpr const char* kExtra = "rescheduling: nobody notices what is extra";
constexpr const char* kOrder = "rescheduling: iterations keep their order";

// A loop over `range` around one statement.
std::string loop(const std::string& range, const std::string& body, const std::string& var = "i") {
    return "    for " + var + " in range(" + range + "):\n        " + body + "\n";
}

// Where i is k now.
PartText renamed(const std::string& from, const std::string& to, const std::string& when = "",
                 const std::string& where = "") {
    return {"body/body", "body/body", {{"i", from}}, {{"k", to}}, when, where};
}

std::vector<TheoremFault> visited() {
    const auto shifted = [&](const std::string& range, const std::string& guard = "") {
        const std::string store = "A[k - 1] = A[k - 1] + 1";
        PartText p = renamed("k - 1", "i + 1");
        if (!guard.empty()) p.now = "body/body/then";
        return ProposalText{
            loop("4", "A[i] = A[i] + 1"),
            loop(range, guard.empty() ? store : "if " + guard + ":\n            " + store, "k"),
            "body",
            {p}};
    };
    PartText evens = renamed("(k - 1) * 2", "i // 2 + 1");
    evens.now = "body/body/then";
    return {
        {kVisited, "omit:every iteration is visited", "it is not owed",
         ProposalText{loop("4", "A[i] = A[i] + 1"),
                      loop("3", "A[k] = A[k] + 1", "k"),
                      "body",
                      {renamed("k", "i")}}},
        {kVisited, "omit:every iteration is visited, part 1", "a loop has no start",
         shifted("2, 5")},
        {kVisited, "omit:every iteration is visited, part 2", "a loop has no end", shifted("1, 4")},
        {kVisited, "omit:every iteration is visited, part 3", "a guard holds",
         shifted("1, 5", "k < n")},
        {kVisited, "omit:every iteration is visited, part 4",
         "an iteration is the one that it is taken for",
         ProposalText{
             loop("4", "A[i] = A[i] + 1"),
             loop("1, 3", "if k < 9:\n            A[(k - 1) * 2] = A[(k - 1) * 2] + 1", "k"),
             "body",
             {evens}}},
    };
}

std::vector<TheoremFault> no_other() {
    const auto flips = [](const std::string& cell) {
        return "A[" + cell + "] = A[" + cell + "] ^ 1";
    };
    const auto shifted = [&](const std::string& was, const std::string& now) {
        return ProposalText{loop(was, "A[i] = 7"),
                            loop(now, "A[k + 1] = 7", "k"),
                            "body",
                            {renamed("k + 1", "i - 1")}};
    };
    PartText guarded = renamed("k - 1", "i + 1");
    PartText divides = renamed("k + 0 * (12 // n)", "i");
    guarded.origin = divides.origin = "body/body/then";
    const std::string block =
        "    for k in range(4):\n        with T.block(\"b\"):\n"
        "            vk = T.axis.reduce(4, k)\n            with T.init():\n"
        "                B[0] = 0\n            B[0] = T.max(B[0], A[vk])\n";
    return {
        {kNoOther, "omit:no other iteration is visited", "it is not owed",
         ProposalText{
             loop("3", "A[i] = 7"), loop("4", "A[k] = 7", "k"), "body", {renamed("k", "i")}}},
        {kNoOther, "omit:no other iteration is visited, part 1", "a loop had no start",
         shifted("1, 3", "-1, 2")},
        {kNoOther, "omit:no other iteration is visited, part 2", "a loop had no end",
         shifted("1, 3", "0, 3")},
        {kNoOther, "omit:no other iteration is visited, part 3", "a guard held",
         ProposalText{loop("4", "if i != n:\n            A[i] = 7"),
                      loop("1, 5", "A[k - 1] = 7", "k"),
                      "body",
                      {guarded}}},
        {kNoOther, "omit:no other iteration is visited, part 4",
         "the value of a name is computed without a fault",
         ProposalText{loop("4", "if i < 9:\n            A[i] = 7"),
                      loop("4", "A[k + 0 * (12 // n)] = 7", "k"),
                      "body",
                      {divides}}},
        {kNoOther, "omit:every iteration is visited once", "it is not owed",
         ProposalText{loop("2", flips("i")),
                      loop("4", flips("k // 2"), "k"),
                      "body",
                      {renamed("k // 2", "i * 2")},
                      {{0, 0}}}},
        {kNoOther, "reschedule:any-start", "an initialisation runs in each iteration",
         ProposalText{
             block,
             "    for k in range(4):\n        B[0] = 0\n        B[0] = T.max(B[0], A[k])\n",
             "body/body",
             {{"body/0", "body/init", {{"vk", "k"}}, {}},
              {"body/1", "body/body", {{"vk", "k"}}, {}}}}},
    };
}

std::vector<TheoremFault> once() {
    const auto flips = [](const std::string& cell) {
        return "A[" + cell + "] = A[" + cell + "] ^ 1";
    };
    const auto at = [](const std::string& now, const std::string& var, const std::string& when) {
        return PartText{now, "body/body", {{"i", var}}, {{var, "i"}}, when, ""};
    };
    const auto guarded = [&](const std::string& guard, const std::string& var) {
        return "    if " + guard + ":\n        for " + var + " in range(4):\n            " +
               flips(var) + "\n";
    };
    const std::string twice = "    A[0] = A[0] + 1\n    A[0] = A[0] + 1\n";
    return {
        {kOnce, "omit:every iteration goes somewhere", "it is not owed",
         ProposalText{loop("4", flips("i")),
                      loop("2", flips("k"), "k") + loop("3, 4", flips("q"), "q"),
                      "body",
                      {at("body/0/body", "k", "i < 2"), at("body/1/body", "q", "i >= 3")}}},
        {kOnce, "omit:no iteration goes to two places", "it is not owed",
         ProposalText{loop("4", flips("i")),
                      loop("4", flips("k"), "k") + loop("4", flips("q"), "q"),
                      "body",
                      {at("body/0/body", "k", ""), at("body/1/body", "q", "")},
                      {{0, 0}, {0, 1}, {1, 1}}}},
        {kOnce, "omit:every iteration comes from somewhere", "it is not owed",
         ProposalText{loop("2", flips("i")),
                      loop("4", flips("k"), "k"),
                      "body",
                      {renamed("k", "i", "", "k < 2")}}},
        {kOnce, "omit:no iteration comes from two places", "it is not owed",
         ProposalText{twice,
                      "    if 0 < 1:\n        A[0] = A[0] + 1\n",
                      "body",
                      {{"body/then", "body/0", {}, {}}, {"body/then", "body/1", {}, {}}}}},
        {kOnce, "reschedule:two-equations",
         "two numbers that are equal to different names are not equal to them at once",
         ProposalText{
             loop("4", flips("i")),
             guarded("0 == n", "k") + guarded("1 == n + 1", "q") +
                 guarded("not (0 == n or 1 == n + 1)", "r"),
             "body",
             {at("body/0/then/body", "k", "0 == n"), at("body/1/then/body", "q", "1 == n + 1"),
              at("body/2/then/body", "r", "not (0 == n or 1 == n + 1)")},
             {{0, 1}, {0, 2}, {1, 2}}}},
    };
}

std::vector<TheoremFault> left_out() {
    const auto shorter = [](const std::string& body) {
        return ProposalText{loop("4", body),
                            loop("2", body),
                            "body",
                            {{"body/body", "body/body", {{"i", "i"}}, {{"i", "i"}}, "i < 2"}},
                            {},
                            {"body/body"}};
    };
    // The first of two statements is left out, because of what it stores.
    const auto without_first = [](const std::string& first, const std::string& second,
                                  const std::string& how) {
        return ProposalText{first + second,
                            second,
                            "body/0",
                            {{"body", "body/1", {}, {}}},
                            {},
                            {"body/0"},
                            "body",
                            2,
                            "{\"stores\": {\"body/0\": " + how + "}}"};
    };
    const std::string one = "    B[0] = 1\n";
    const std::string dead = R"({"mode": "dead", "writers": [{"statement": "body/1", "at": {}}]})";
    return {
        {kLeftOut, "omit:what is left out does nothing", "it is not owed", shorter("A[i] = 1")},
        {kLeftOut, "reschedule:stores-left-out", "instances that store are left out",
         shorter("if i < 3:\n            A[i] = 1")},
        {kLeftOut, "reschedule:stops-left-out", "instances that may stop are left out",
         shorter("assert A[i] < 3, \"small\"")},
        {kLeftOut, "omit:the cell already holds the stored value", "it is not owed",
         without_first(one, "    B[1] = 2\n", R"({"mode": "same"})")},
        {kLeftOut, "omit:the cell is overwritten later", "it is not owed",
         without_first(one, "    B[1] = 2\n", dead)},
        {kLeftOut, "omit:the cell is not read at", "it is not owed",
         without_first(one, "    B[0] = B[0] + 1\n", dead)},
        {kLeftOut, "reschedule:indet", "any store passes as a store of undef",
         without_first(one, "    B[1] = 2\n", R"({"mode": "indet"})")},
    };
}

// Statements as lines; with what stands `deeper`.
std::string block(const std::vector<std::string>& lines, std::size_t deeper) {
    std::string out;
    for (const std::string& line : lines) out += std::string(4 * (deeper + 1), ' ') + line + "\n";
    return out;
}

std::vector<TheoremFault> extra() {
    // What stands under the guard runs always, for a reason for each store.
    struct Unguarded {
        std::string first;
        std::string guard;
        std::vector<std::string> body;
        std::string stores;
        std::string site = "body/0";
        std::size_t depth = 0;
    };
    const auto always = [](const Unguarded& u) {
        const std::string last = "    B[0] = 2\n";
        ProposalText out{
            u.first + block({"if " + u.guard + ":"}, u.depth) + block(u.body, u.depth + 1) + last,
            u.first + block(u.body, u.depth) + last,
            u.site,
            {{"body", "body/then", {}, {}, "", u.guard}}};
        out.extra = "{\"stores\": {" + u.stores + "}}";
        return out;
    };
    const std::string local = "    t = T.alloc_buffer((8,), \"int32\", scope=\"local\")\n";
    const auto dead = [](const std::string& site) {
        return '"' + site +
               R"(": {"mode": "dead", "writers": [{"statement": "body/1", "at": {}}]})";
    };
    const std::string unread = R"(": {"mode": "dead"})";
    const std::string both = "    B[0] = 1\n    for i in range(2):\n        v: T.int32 = A[i]\n";
    const std::string either = "(v < 3 and i == 0) or (v >= 3 and i == 1)";
    const std::vector<std::string> arms = {"if i == 0:", "    B[0] = 7", "if i == 1:",
                                           "    B[0] = T.if_then_else(" + either + ", 5, B[0])"};
    return {
        {kExtra, "omit:does not run where the guard is false", "it is not owed",
         always({"", "n < 3", {"A[0] = 1"}, R"("body/0": {"mode": "unreachable"})"})},
        {kExtra, "omit:writes what the cell holds", "it is not owed",
         always({"    A[0] = 5\n",
                 "n < 3",
                 {"A[0] = 1"},
                 R"("body/1": {"mode": "same", "writer": {"statement": "body/0", "at": {}}})",
                 "body/1"})},
        {kExtra, "omit:the value stored at", "it is computed without a fault",
         always({"", "n > 0", {"B[0] = 8 // n"}, dead("body/0")})},
        {kExtra, "omit:the cell stored to", "it is in bounds",
         always({local, "n >= 0", {"t[n] = 1"}, "\"body/body/0" + unread, "body/body/0"})},
        {kExtra, "omit:the condition at", "it is computed without a fault",
         always({"", "n > 0", {"if 8 // n > 2:", "    B[0] = 1"}, dead("body/0/then")})},
        {kExtra, "omit:the loop bound at", "it is computed without a fault",
         always({"", "n > 0", {"for j in range(8 // n):", "    B[0] = j"}, dead("body/0/body")})},
        {kExtra, "omit:the assumption at", "it holds",
         always({"", "n > 0", {"T.assume(n > 0)"}, ""})},
        {kExtra, "reschedule:read-in-another-iteration",
         "what a name was read from is taken for what it is read from in another iteration",
         ProposalText{both + block({"if " + either + ":"}, 1) + block(arms, 2),
                      both + block(arms, 1),
                      "body/1/body/body",
                      {{"body/0", "body/then/0", {}, {}, "", either},
                       {"body/1", "body/then/1", {}, {}, "", either}},
                      {},
                      {},
                      "",
                      1,
                      "",
                      R"({"stores": {
                          "body/1/body/body/0/then": {"mode": "dead", "writers": [
                              {"statement": "body/1/body/body/1/then", "at": {"i": "1"}}]},
                          "body/1/body/body/1/then": {"mode": "same", "writer":
                              {"statement": "body/0", "at": {}}}}})"}},
        {kExtra, "omit:no race on", "concurrent iterations touch other cells",
         always({local + "    for p in T.parallel(4):\n",
                 "p < 1",
                 {"t[0] = p"},
                 "\"body/body/0/body" + unread,
                 "body/body/0/body",
                 1})},
    };
}

std::vector<TheoremFault> order() {
    const auto reversed = [](const std::set<std::pair<std::size_t, std::size_t>>& apart) {
        return ProposalText{loop("3", "A[i + 1] = A[i] // 2"),
                            loop("3", "A[2 - k + 1] = A[2 - k] // 2", "k"),
                            "body",
                            {renamed("2 - k", "2 - i")},
                            apart};
    };
    const auto exchanged = [](const std::string& first, const std::string& second) {
        return ProposalText{first + second,
                            second + first,
                            "body",
                            {{"body/0", "body/1", {}, {}}, {"body/1", "body/0", {}, {}}},
                            {{0, 1}}};
    };
    const std::string max = "A[0] = T.max(A[0], B[i])";
    const auto beside = [](const std::string& first, const std::string& second) {
        return "    for p in T.parallel(2):\n        " + first + "[p] = 1\n        " + second +
               "[p] = 1\n        assert p < 1, \"small\"\n";
    };
    const std::map<std::string, std::string> p = {{"p", "p"}};
    return {
        {kOrder, "omit:iterations keep their order", "it is not owed", reversed({})},
        {kOrder, "omit:iterations that touch one cell", "it is not owed of those that are apart",
         reversed({{0, 0}})},
        {kOrder, "reschedule:runs-of-now", "statements that follow each other now did so before",
         ProposalText{"    A[0] = 1\n    A[1] = 2\n    A[0] = 3\n",
                      "    A[1] = 2\n    A[0] = 3\n    A[0] = 1\n",
                      "body",
                      {{"body/0", "body/1", {}, {}},
                       {"body/1", "body/2", {}, {}},
                       {"body/2", "body/0", {}, {}}},
                      {{0, 2}, {1, 2}}}},
        {kOrder, "reschedule:runs-of-other-iterations",
         "statements that follow each other run at the same iterations",
         ProposalText{
             "    for i in range(3):\n        B[i] = 0\n        A[i + 1] = A[i] // 2\n",
             "    for q in range(3):\n        B[q] = 0\n        A[2 - q + 1] = A[2 - q] // 2\n",
             "body",
             {{"body/body/0", "body/body/0", {{"i", "q"}}, {{"q", "i"}}},
              {"body/body/1", "body/body/1", {{"i", "2 - q"}}, {{"q", "2 - i"}}}},
             {{0, 0}, {0, 1}, {1, 1}}}},
        {kOrder, "reschedule:additions-that-race", "accumulations in one cell may run at once",
         ProposalText{loop("8", max),
                      "    for i in T.parallel(8):\n        " + max + "\n",
                      "body",
                      {{"body/body", "body/body", {{"i", "i"}}, {{"i", "i"}}}},
                      {{0, 0}}}},
        {kOrder, "reschedule:operators-exchange",
         "accumulations by two operators may change places",
         exchanged("    A[0] = T.max(A[0], B[0])\n", "    A[0] = T.min(A[0], B[1])\n")},
        {kOrder, "reschedule:stops-change-places", "a part that may stop changes its place",
         exchanged("    assert n == 1, \"n\"\n", "    A[0] = 1\n")},
        {kOrder, "reschedule:stops-beside", "parts change places beside what may stop",
         ProposalText{beside("A", "B"),
                      beside("B", "A"),
                      "body",
                      {{"body/body/0", "body/body/1", p, p},
                       {"body/body/1", "body/body/0", p, p},
                       {"body/body/2", "body/body/2", p, p}},
                      {{0, 1}}},
         false},
    };
}

}  // namespace

const std::vector<TheoremFault>& correspondence_faults() {
    static const std::vector<TheoremFault> list = [] {
        std::vector<TheoremFault> out;
        for (const auto& part : {visited(), no_other(), once(), left_out(), extra(), order()}) {
            out.insert(out.end(), part.begin(), part.end());
        }
        return out;
    }();
    return list;
}

}  // namespace proviso::fuzz
