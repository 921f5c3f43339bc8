// Rescheduling: hostile proposals that rest on what the old text evaluates.
#include "tests/rewrite/reschedule.h"

namespace proviso::rewrite {
namespace {

struct Hostile {
    std::string what;
    ProposalText proposal;
    std::string outcome;
};

class HostileFacts : public Reschedule {
  protected:
    HostileFacts() {
        params_ =
            "A: T.Buffer((4,), \"int32\"), B: T.Buffer((4,), \"int32\"), "
            "C: T.Buffer((4,), \"int32\"), F: T.Buffer((4,), \"float32\"), n: T.int32, m: T.int32";
    }

    void expect(const std::vector<Hostile>& list) {
        for (const Hostile& h : list) EXPECT_EQ(outcome(h.proposal), h.outcome) << h.what;
    }
};

// An operand that may not be evaluated says nothing.
TEST_F(HostileFacts, LazyOperands) {
    expect({
        {"lazy and",
         {"    if m > 0 and 12 // n > 1:\n        B[0] = 1\n",
          "    u: T.int32 = 12 // n\n    if m > 0 and u > 1:\n        B[0] = 1\n",
          "body",
          {{"body/body", "body", {}, {{"u", "12 // n"}}}}},
         "unproved: the value of u is computed without a fault"},
        {"lazy or first",
         {"    if 12 // n > 1 or m > 0:\n        B[0] = 1\n",
          "    u: T.int32 = 12 // n\n    if u > 1 or m > 0:\n        B[0] = 1\n",
          "body",
          {{"body/body", "body", {}, {{"u", "12 // n"}}}}},
         "accepted"},
        {"lazy select",
         {"    B[0] = T.Select(m > 0, 12 // n, 0)\n",
          "    u: T.int32 = 12 // n\n    B[0] = T.Select(m > 0, u, 0)\n",
          "body",
          {{"body/body", "body", {}, {{"u", "12 // n"}}}}},
         "accepted"},
        {"lazy ite",
         {"    B[0] = T.if_then_else(m > 0, 12 // n, 0)\n",
          "    u: T.int32 = 12 // n\n    B[0] = T.if_then_else(m > 0, u, 0)\n",
          "body",
          {{"body/body", "body", {}, {{"u", "12 // n"}}}}},
         "unproved: the value of u is computed without a fault"},
        {"lazy ite cond",
         {"    B[0] = T.if_then_else(12 // n > m, 1, 0)\n",
          "    u: T.int32 = 12 // n\n    B[0] = T.if_then_else(u > m, 1, 0)\n",
          "body",
          {{"body/body", "body", {}, {{"u", "12 // n"}}}}},
         "accepted"},
        {"let in else",
         {"    if n > 0:\n        B[0] = 12 // n\n    else:\n        B[0] = 12 // (n - 1)\n",
          "    u: T.int32 = 12 // n\n    v: T.int32 = 12 // (n - 1)\n    if n > 0:\n        B[0] = "
          "u\n    else:\n        B[0] = v\n",
          "body",
          {{"body/body/body/then", "body/then", {}, {{"u", "12 // n"}, {"v", "12 // (n - 1)"}}},
           {"body/body/body/else", "body/else", {}, {{"u", "12 // n"}, {"v", "12 // (n - 1)"}}}}},
         "unproved: the value of u is computed without a fault"},
        {"bare let",
         {"    B[0] = 1\n",
          "    B[0] = 1\n    if n > 0:\n        w: T.int32 = 12 // m\n        pass\n",
          "body",
          {{"body/0", "body", {}, {}}}},
         "unproved: the value of w is computed without a fault"},
        {"new unused let",
         {"    B[0] = 1\n",
          "    w: T.int32 = 12 // n\n    B[0] = 1\n",
          "body",
          {{"body/body", "body", {}, {{"w", "12 // n"}}}}},
         "unproved: the value of w is computed without a fault"},
    });
}

// A loop says something only where it runs, and before anything in it may stop.
TEST_F(HostileFacts, LoopsThatDoNotRun) {
    expect({
        {"zero trip",
         {"    for i in range(n):\n        B[i] = 12 // m\n",
          "    u: T.int32 = 12 // m\n    for i in range(n):\n        B[i] = u\n",
          "body",
          {{"body/body/body", "body/body", {{"i", "i"}}, {{"i", "i"}, {"u", "12 // m"}}}}},
         "unproved: the value of u is computed without a fault"},
        {"zero trip guarded",
         {"    for i in range(n):\n        B[i] = 12 // m\n",
          "    if n > 0:\n        u: T.int32 = 12 // m\n        for i in range(n):\n            "
          "B[i] = u\n",
          "body",
          {{"body/then/body/body", "body/body", {{"i", "i"}}, {{"i", "i"}, {"u", "12 // m"}}}}},
         "accepted"},
        {"zero trip inner",
         {"    for i in range(4):\n        for j in range(i):\n            B[j] = 12 // m\n",
          "    u: T.int32 = 12 // m\n    for i in range(4):\n        for j in range(i):\n          "
          "  B[j] = u\n",
          "body",
          {{"body/body/body/body",
            "body/body/body",
            {{"i", "i"}, {"j", "j"}},
            {{"i", "i"}, {"j", "j"}, {"u", "12 // m"}}}}},
         "unproved: the value of u is computed without a fault"},
        {"anyway in loop of memory",
         {"    for i in range(A[0]):\n        C[i] = 12 // m\n",
          "    if A[0] > 0:\n        u: T.int32 = 12 // m\n        for i in range(A[0]):\n         "
          "   C[i] = u\n",
          "body",
          {{"body/then/body/body", "body/body", {{"i", "i"}}, {{"i", "i"}, {"u", "12 // m"}}}}},
         "accepted"},
        {"anyway too weak guard",
         {"    for i in range(A[0]):\n        C[i] = 12 // m\n",
          "    if A[0] > -1:\n        u: T.int32 = 12 // m\n        for i in range(A[0]):\n        "
          "    C[i] = u\n",
          "body",
          {{"body/then/body/body", "body/body", {{"i", "i"}}, {{"i", "i"}, {"u", "12 // m"}}}}},
         "unproved: the value of u is computed without a fault"},
        {"anyway after assert",
         {"    for i in range(2):\n        assert m != 0, \"m\"\n        C[i] = 12 // m\n",
          "    u: T.int32 = 12 // m\n    for i in range(2):\n        assert m != 0, \"m\"\n        "
          "C[i] = u\n",
          "body",
          {{"body/body/body/0", "body/body/0", {{"i", "i"}}, {{"i", "i"}, {"u", "12 // m"}}},
           {"body/body/body/1", "body/body/1", {{"i", "i"}}, {{"i", "i"}, {"u", "12 // m"}}}}},
         "unproved: the value of u is computed without a fault"},
        {"anyway in assert",
         {"    assert 12 // m > 1, \"m\"\n    C[0] = 1\n",
          "    u: T.int32 = 12 // m\n    assert u > 1, \"m\"\n    C[0] = 1\n",
          "body",
          {{"body/body/0", "body/0", {}, {{"u", "12 // m"}}},
           {"body/body/1", "body/1", {}, {{"u", "12 // m"}}}}},
         "accepted"},
        {"anyway in second assert",
         {"    assert n > 1, \"n\"\n    assert 12 // m > 1, \"m\"\n",
          "    u: T.int32 = 12 // m\n    assert n > 1, \"n\"\n    assert u > 1, \"m\"\n",
          "body",
          {{"body/body/0", "body/0", {}, {{"u", "12 // m"}}},
           {"body/body/1", "body/1", {}, {{"u", "12 // m"}}}}},
         "unproved: the value of u is computed without a fault"},
        {"anyway under let",
         {"    w: T.int32 = n % 4\n    C[w] = 12 // m\n",
          "    u: T.int32 = 12 // m\n    w: T.int32 = n % 4\n    C[w] = u\n",
          "body",
          {{"body/body/body", "body/body", {{"w", "w"}}, {{"w", "w"}, {"u", "12 // m"}}}}},
         "accepted"},
        {"anyway in init",
         {"    with T.block(\"b\"):\n        v = T.axis.reduce(2, n)\n        with T.init():\n     "
          "       B[0] = 12 // m\n        B[0] = B[0] // 2 + v\n",
          "    u: T.int32 = 12 // m\n    if n == 0:\n        B[0] = u\n    B[0] = B[0] // 2 + n\n",
          "body",
          {{"body/body/0/then", "body/init", {{"v", "n"}}, {{"u", "12 // m"}}},
           {"body/body/1", "body/body", {{"v", "n"}}, {{"u", "12 // m"}}}}},
         "unproved: the value of u is computed without a fault"},
        {"anyway in predicate",
         {"    with T.block(\"b\"):\n        T.where(12 // m > 1)\n        B[0] = 1\n",
          "    u: T.int32 = 12 // m\n    if u > 1:\n        B[0] = 1\n",
          "body",
          {{"body/body/then", "body/body", {}, {{"u", "12 // m"}}}}},
         "accepted"},
    });
}

// What stands behind an assert is evaluated only where that holds.
TEST_F(HostileFacts, Stops) {
    expect({
        {"assert between",
         {"    w: T.int32 = A[0]\n    assert w > 0, \"w\"\n    B[0] = 12 // w\n",
          "    w: T.int32 = A[0]\n    u: T.int32 = 12 // w\n    assert w > 0, \"w\"\n    B[0] = "
          "u\n",
          "body",
          {{"body/body/body/0", "body/body/0", {{"w", "w"}}, {{"w", "w"}, {"u", "12 // w"}}},
           {"body/body/body/1", "body/body/1", {{"w", "w"}}, {{"w", "w"}, {"u", "12 // w"}}}}},
         "unproved: the value of u is computed without a fault"},
        {"assert between guarded",
         {"    assert n != 0, \"n\"\n    for i in range(12 // n):\n        B[i % 4] = 1\n",
          "    u: T.int32 = 12 // n\n    assert n != 0, \"n\"\n    for i in range(u):\n        B[i "
          "% 4] = 1\n",
          "body",
          {{"body/body/0", "body/0", {}, {{"u", "12 // n"}}},
           {"body/body/1/body", "body/1/body", {{"i", "i"}}, {{"u", "12 // n"}, {"i", "i"}}}}},
         "unproved: the value of u is computed without a fault"},
        {"assert first then",
         {"    assert n != 0, \"n\"\n    for i in range(12 // n):\n        B[i % 4] = 1\n",
          "    assert n != 0, \"n\"\n    u: T.int32 = 12 // n\n    for i in range(u):\n        B[i "
          "% 4] = 1\n",
          "body",
          {{"body/0", "body/0", {}, {}},
           {"body/1/body/body", "body/1/body", {{"i", "i"}}, {{"u", "12 // n"}, {"i", "i"}}}}},
         "accepted"},
        {"assert in loop then",
         {"    for i in range(n):\n        assert A[i] != 0, \"a\"\n        B[i] = 12 // A[i]\n",
          "    for i in range(n):\n        assert A[i] != 0, \"a\"\n        u: T.int32 = 12 // "
          "A[i]\n        B[i] = u\n",
          "body",
          {{"body/body/0", "body/body/0", {{"i", "i"}}, {{"i", "i"}}},
           {"body/body/1/body", "body/body/1", {{"i", "i"}}, {{"i", "i"}, {"u", "12 // A[i]"}}}}},
         "unproved: the value of u is computed without a fault"},
        {"assert in init",
         {"    for k in range(2):\n        with T.block(\"b\"):\n            vk = T.axis.reduce(2, "
          "k)\n            with T.init():\n                assert n != 0, \"n\"\n            B[0] "
          "= 12 // n\n",
          "    for k in range(2):\n        u: T.int32 = 12 // n\n        if k == 0:\n            "
          "assert n != 0, \"n\"\n        B[0] = u\n",
          "body/body",
          {{"body/body/0/then", "body/init", {{"vk", "k"}}, {{"u", "12 // n"}}},
           {"body/body/1", "body/body", {{"vk", "k"}}, {{"u", "12 // n"}}}}},
         "unproved: the value of u is computed without a fault"},
        {"assert other arm",
         {"    if n > 0:\n        assert m > 0, \"m\"\n    else:\n        B[0] = 12 // n\n",
          "    u: T.int32 = 12 // n\n    if n > 0:\n        assert m > 0, \"m\"\n    else:\n       "
          " B[0] = u\n",
          "body",
          {{"body/body/then", "body/then", {}, {{"u", "12 // n"}}},
           {"body/body/else", "body/else", {}, {{"u", "12 // n"}}}}},
         "unproved: the value of u is computed without a fault"},
        {"assert parallel",
         {"    for i in T.parallel(4):\n        B[i] = 12 // n\n        assert A[i] > 0, \"a\"\n",
          "    u: T.int32 = 12 // n\n    for i in T.parallel(4):\n        B[i] = u\n        assert "
          "A[i] > 0, \"a\"\n",
          "body",
          {{"body/body/body/0", "body/body/0", {{"i", "i"}}, {{"i", "i"}, {"u", "12 // n"}}},
           {"body/body/body/1", "body/body/1", {{"i", "i"}}, {{"i", "i"}, {"u", "12 // n"}}}}},
         "accepted"},
        {"assert before in parallel",
         {"    for i in T.parallel(4):\n        assert A[i] > 0, \"a\"\n        B[i] = 12 // n\n",
          "    u: T.int32 = 12 // n\n    for i in T.parallel(4):\n        assert A[i] > 0, \"a\"\n "
          "       B[i] = u\n",
          "body",
          {{"body/body/body/0", "body/body/0", {{"i", "i"}}, {{"i", "i"}, {"u", "12 // n"}}},
           {"body/body/body/1", "body/body/1", {{"i", "i"}}, {{"i", "i"}, {"u", "12 // n"}}}}},
         "unproved: the value of u is computed without a fault"},
        {"assume after control",
         {"    T.assume(n > 0)\n    B[0] = 12 // n\n",
          "    u: T.int32 = 12 // n\n    T.assume(n > 0)\n    B[0] = u\n",
          "body",
          {{"body/body/0", "body/0", {}, {{"u", "12 // n"}}},
           {"body/body/1", "body/1", {}, {{"u", "12 // n"}}}}},
         "accepted"},
    });
}

}  // namespace
}  // namespace proviso::rewrite
