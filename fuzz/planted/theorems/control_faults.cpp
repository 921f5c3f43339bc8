// Faults in the check of a rescheduling: texts, and the control around their parts.
#include "fuzz/planted/theorems/theorem.h"

namespace proviso::fuzz {

namespace {

constexpr const char* kTexts = "rescheduling: a part is its origin, and each statement is in one";
constexpr const char* kStays = "rescheduling: nothing stores to what a bound or guard reads";
constexpr const char* kComputed = "rescheduling: control is computed without a fault";
constexpr const char* kDomain = "rescheduling: iterators stay in their domains";
constexpr const char* kDefinite = "rescheduling: lets are definite";

using Names = std::map<std::string, std::string>;

// Parts that are at the same values of the names.
PartText part(const std::string& now, const std::string& origin, const Names& from = {},
              const Names& to = {}) {
    return {now, origin, from, to, "", ""};
}

const Names kI = {{"i", "i"}};

std::vector<TheoremFault> texts() {
    const auto block = [](const std::string& predicate) {
        return "    for i in range(4):\n        with T.block(\"b\"):\n"
               "            vi = T.axis.spatial(4, i)\n            T.where(" +
               predicate + ")\n            A[vi] = 1\n";
    };
    const std::string blocks =
        "    with T.block(\"b\"):\n        T.reads()\n        T.writes(B[0])\n";
    const std::string around =
        "    with T.block(\"o\"):\n        T.reads(A[0:4])\n        T.writes(B[0])\n"
        "        for k in range(4):\n";
    const std::string later = "    A[0] = 5\n    B[0] = 0\n";
    return {
        {kTexts, "reschedule:another-text", "a part may be any statement",
         ProposalText{"    for i in range(4):\n        A[i] = 1\n",
                      "    for i in range(4):\n        A[i] = 2\n",
                      "body",
                      {part("body/body", "body/body", kI, kI)}}},
        {kTexts, "reschedule:another-predicate", "a block in a part may have any predicate",
         ProposalText{
             block("i < 2"), block("i < 3"), "body", {part("body/body", "body/body", kI, kI)}}},
        {kTexts, "reschedule:captured-names", "a part binds the names of its new values",
         ProposalText{
             "    for i in range(2):\n        for j in range(2):\n            A[i * 2 + j] = 1\n",
             "    for j in range(2):\n        for q in range(2):\n            A[q * 2 + q] = 1\n",
             "body",
             {part("body/body", "body/body", {{"i", "j"}}, {{"j", "i"}})}}},
        {kTexts,
         "reschedule:other-names",
         "values speak of what does not stand around the part",
         ProposalText{
             "    for i in range(2):\n        A[0] = A[0] + 1\n        A[0] = A[0] * 2\n",
             "    for k in range(2):\n        A[0] = A[0] + 1\n"
             "    for q in range(2):\n        A[0] = A[0] * 2\n",
             "body",
             {part("body/0/body", "body/body/0", {{"i", "k"}}, {{"k", "i"}}),
              part("body/1/body", "body/body/1", {{"i", "T.if_then_else(q_1 == 0, 1 - q, q)"}},
                   {{"q", "T.if_then_else(q_1 == 0, 1 - i, i)"}})}},
         true,
         {"q_1"}},
        {kTexts, "reschedule:left-out", "a statement of the source is in no part",
         ProposalText{
             "    A[0] = 1\n    B[0] = 2\n", "    B[0] = 2\n", "body", {part("body", "body/1")}}},
        {kTexts, "reschedule:call-before-nothing",
         "a guard of nothing is dropped with the call that it makes",
         ProposalText{
             "    if T.call_extern(\"int32\", \"g\", n) > 0:\n        pass\n    B[0] = 1\n",
             "    B[0] = 1\n",
             "body",
             {part("body", "body/1")}}},
        {kTexts, "reschedule:parts-in-parts", "a part lies in what is left out",
         ProposalText{
             "    for t in range(1):\n        A[0] = 1\n        B[0] = 12 // A[0]\n" + later,
             "    for t in range(1):\n        B[0] = 12 // A[0]\n" + later,
             "body/0",
             {part("body/body", "body/body/1", {{"t", "t"}}, {{"t", "t"}})},
             {},
             {"body"},
             "",
             1,
             R"({"stores": {
                 "body/0/body/0": {"mode": "dead", "writers": [{"statement": "body/1", "at": {}}]},
                 "body/0/body/1": {"mode": "dead", "writers": [{"statement": "body/2", "at": {}}]}
             }})"}},
        {kTexts, "reschedule:claimed-regions", "blocks keep claims of what they read",
         ProposalText{"    w: T.int32 = A[0]\n" + blocks + "        B[0] = w\n",
                      "    v: T.int32 = A[0]\n" + blocks + "        B[0] = A[0]\n",
                      "body",
                      {part("body/body", "body/body", {{"w", "v"}}, {{"v", "w"}})}}},
        {kTexts, "reschedule:accumulators-around",
         "blocks around keep their claims where a block with T.init goes",
         ProposalText{around + "            with T.block(\"b\"):\n"
                               "                vk = T.axis.reduce(4, k)\n"
                               "                T.reads(A[vk])\n                T.writes(B[0])\n"
                               "                with T.init():\n                    B[0] = 0\n"
                               "                B[0] = T.max(B[0], A[vk])\n",
                      around + "            if k == 0:\n                B[0] = 0\n"
                               "            B[0] = T.max(B[0], A[k])\n",
                      "body/body/body",
                      {part("body/0/then", "body/init", {{"vk", "k"}}),
                       part("body/1", "body/body", {{"vk", "k"}})}}},
    };
}

std::vector<TheoremFault> stays() {
    const Names all = {{"i", "i"}, {"w", "w"}, {"j", "j"}};
    const Names second = {{"i", "i_1"}, {"w", "w_1"}, {"j", "j_1"}};
    const Names back = {{"i_1", "i"}, {"w_1", "w"}, {"j_1", "j"}};
    return {
        {kStays, "omit:nothing stores to what a bound or guard reads", "it is not owed",
         ProposalText{"    for i in range(T.min(B[0], 4)):\n        B[i] = 0\n",
                      "    for i in range(4):\n        if i < T.min(B[0], 4):\n"
                      "            B[i] = 0\n",
                      "body",
                      {part("body/body/then", "body/body", kI, kI)}}},
        {kStays, "reschedule:bounds-that-change", "memory is the same at any time",
         ProposalText{"    w: T.int32 = A[0]\n    A[0] = 3\n    B[0] = w\n",
                      "    A[0] = 3\n    w: T.int32 = A[0]\n    B[0] = w\n",
                      "body",
                      {part("body/0", "body/body/0", {{"w", "A[0]"}}),
                       part("body/1/body", "body/body/1", {{"w", "w"}}, {{"w", "w"}})}}},
        {kStays, "reschedule:names-of-another", "a let has one value in all iterations",
         ProposalText{"    for i in range(2):\n        w: T.int32 = i\n"
                      "        for j in range(T.min(A[w], 4)):\n            B[j] = 0\n"
                      "            A[1 - w] = 5\n",
                      "    for i in range(2):\n        w: T.int32 = i\n"
                      "        for j in range(T.min(A[w], 4)):\n            B[j] = 0\n"
                      "    for i_1 in range(2):\n        w_1: T.int32 = i_1\n"
                      "        for j_1 in range(T.min(A[w_1], 4)):\n            A[1 - w_1] = 5\n",
                      "body",
                      {part("body/0/body/body/body", "body/body/body/body/0", all, all),
                       part("body/1/body/body/body", "body/body/body/body/1", second, back)},
                      {{0, 1}}}},
        {kStays, "reschedule:stores-in-other-iterations",
         "what a loop stores is not stored before its guards are evaluated",
         ProposalText{"    if A[0] > 0:\n        for i in range(4):\n            A[i] = 0\n",
                      "    for i in range(4):\n        if A[0] > 0:\n            A[i] = 0\n",
                      "body",
                      {part("body/body/then", "body/then/body", kI, kI)}}},
        {kStays, "reschedule:stores-further-up",
         "what is stored further up in a list is not stored before",
         ProposalText{"    if A[0] > 0:\n        A[0] = 0\n        B[0] = 1\n",
                      "    if A[0] > 0:\n        A[0] = 0\n    if A[0] > 0:\n        B[0] = 1\n",
                      "body",
                      {part("body/0/then", "body/then/0"), part("body/1/then", "body/then/1")}}},
        {kStays, "reschedule:stores-of-init",
         "an initialisation is not before the body of its block",
         ProposalText{"    if B[0] > 0:\n        A[0] = 1\n    B[0] = 0\n",
                      "    with T.block(\"b\"):\n        k = T.axis.reduce(1, 0)\n"
                      "        with T.init():\n            B[0] = 0\n"
                      "        if B[0] > 0:\n            A[0] = 1\n",
                      "body",
                      {part("body/init", "body/1", {}, {{"k", "0"}}),
                       part("body/body/then", "body/0/then", {}, {{"k", "0"}})},
                      {{0, 1}}}},
    };
}

std::vector<TheoremFault> computed() {
    const std::string stop = "    assert m < 3, \"small\"\n";
    const std::string store = "    if 8 // n < 100:\n        A[0] = 1\n";
    const std::string beside = "    for p in T.parallel(4):\n";
    return {
        {kComputed, "omit:is computed without a fault", "it is not owed",
         ProposalText{"    for j in range(m):\n        for i in range(m, n):\n"
                      "            w: T.int32 = 12 // n\n            B[i] = w\n",
                      "    for j in range(m):\n        w: T.int32 = 12 // n\n"
                      "        for i in range(m, n):\n            B[i] = w\n",
                      "body/body",
                      {part("body/body/body", "body/body/body", {{"i", "i"}, {"w", "w"}},
                            {{"i", "i"}, {"w", "w"}})}}},
        {kComputed, "reschedule:around-nothing", "a loop around nothing is not evaluated",
         ProposalText{"    for i in range(4):\n        pass\n    A[0] = 1\n",
                      "    for i in range(4 // n):\n        pass\n    A[0] = 1\n",
                      "body",
                      {part("body/1", "body/1")}}},
        {kComputed, "reschedule:reads-that-race", "what is read, nobody writes at the same time",
         ProposalText{beside + "        for i in range(1):\n            A[p] = 1\n"
                               "        B[p] = 2\n",
                      beside + "        for i in range(1):\n"
                               "            if B[3 - p] == B[3 - p]:\n                A[p] = 1\n"
                               "        B[p] = 2\n",
                      "body/body/0",
                      {part("body/body/then", "body/body", kI, kI)}}},
        {kComputed, "reschedule:bounds-after-a-stop", "what comes after a stop is evaluated too",
         ProposalText{stop + store,
                      "    if 8 // n < 100:\n        assert m < 3, \"small\"\n    else:\n"
                      "        assert m < 3, \"small\"\n" +
                          store,
                      "body",
                      {part("body/1/then", "body/1/then"),
                       {"body/0/then", "body/0", {}, {}, "8 // n < 100"},
                       {"body/0/else", "body/0", {}, {}, "not 8 // n < 100"}}}},
        {kComputed, "reschedule:facts-after-a-stop",
         "what is evaluated on the way to an instance is, though the source has stopped",
         ProposalText{
             stop + store,
             "    if 8 // n < 100:\n        if 1 < 0:\n            A[0] = 1\n" + stop + store,
             "body",
             {{"body/0/then/then", "body/1/then", {}, {}, "1 < 0"},
              {"body/1", "body/0", {}, {}},
              {"body/2/then", "body/1/then", {}, {}, "0 < 1"}}}},
    };
}

std::vector<TheoremFault> domains() {
    const auto block = [](const std::string& name, const std::string& v,
                          const std::string& domain) {
        return "    for i in range(5):\n        with T.block(\"" + name + "\"):\n            " + v +
               " = T.axis.spatial(" + domain + ", i)\n            if i < 4:\n                B[" +
               v + "] = " + v + "\n";
    };
    const auto into = [&](const std::string& domain) {
        return ProposalText{
            block("a", "ui", "5"),
            block("b", "vi", domain),
            "body/body",
            {part("body/body/then", "body/body/then", {{"ui", "vi"}}, {{"vi", "ui"}})}};
    };
    return {
        {kDomain, "omit:stays in its domain", "it is not owed", into("4")},
        {kDomain, "reschedule:out-of-domain", "iterators claim nothing", into("n")},
        {kDomain, "omit:stays in its domain, part 1", "domains have no start", into("(1, 5)")},
        {kDomain, "omit:stays in its domain, part 2", "domains have no end", into("(0, 3)")},
        {kDomain, "omit:iterator vi is computed without a fault", "its domain has no fault",
         into("5 + 0 * (1 // n)")},
    };
}

std::vector<TheoremFault> definite() {
    const std::string without =
        "    t = T.alloc_buffer((1,), \"int32\", scope=\"local\")\n"
        "    if n > 0:\n        t[0] = 3\n";
    const std::string compares = without +
                                 "    w: T.int32 = t[0]\n    u: T.int32 = t[0]\n"
                                 "    if w == u:\n        B[0] = 0\n";
    const auto guard = [](std::size_t depth) {
        return std::string(4 * depth, ' ') + "if T.Let(w > 0, where={w: t[0]}):\n";
    };
    const ProposalText names{compares,
                             without + "    B[0] = 0\n",
                             "body/body/1",
                             {part("body", "body/body/body/then", {{"w", "t[0]"}, {"u", "t[0]"}})}};
    return {
        {kDefinite, "omit:the value of w is definite", "it is not owed of this let",
         ProposalText{without + "    w: T.int32 = t[0]\n    B[0] = T.Select(w == w, 1, 0)\n",
                      without + "    B[0] = T.Select(t[0] == t[0], 1, 0)\n",
                      "body/body/1",
                      {part("body", "body/body", {{"w", "t[0]"}})}},
         false},
        {kDefinite, "reschedule:frozen", "two names of an undefined cell are one value", names,
         false},
        {kDefinite, "reschedule:binds-again", "what freezes is the same when it is evaluated again",
         ProposalText{
             without + guard(1) + "        A[0] = 1\n        B[0] = 1\n",
             without + "    if 0 < 1:\n" + guard(2) + "            A[0] = 1\n" + guard(2) +
                 "            B[0] = 1\n",
             "body/body/1",
             {part("body/then/0/then", "body/then/0"), part("body/then/1/then", "body/then/1")}},
         false},
    };
}

}  // namespace

const std::vector<TheoremFault>& control_faults() {
    static const std::vector<TheoremFault> list = [] {
        std::vector<TheoremFault> out;
        for (const auto& part : {texts(), stays(), computed(), domains(), definite()}) {
            out.insert(out.end(), part.begin(), part.end());
        }
        return out;
    }();
    return list;
}

}  // namespace proviso::fuzz
