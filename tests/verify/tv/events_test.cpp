// Translation validation of what a caller sees beside tensors: stops with their messages, opaque
// calls in order, and faults of what is only evaluated. Each trap is one change that a wrong
// rewrite makes.
#include <gtest/gtest.h>

#include "ir/domains/evaluate.h"
#include "tests/verify/tv/fixture.h"
#include "verify/harness/inputs.h"
#include "verify/tv/executor.h"

namespace proviso::verify {
namespace {

using namespace ir;
using analysis::PadKind;

class TvEvents : public TvPairs {
  protected:
    TvEvents() : TvPairs("A: T.Buffer((4,), \"int32\"), B: T.Buffer((4,), \"int32\")") {}

    // Either way round.
    void differ(const std::string& one, const std::string& other) {
        EXPECT_EQ(verdict(one, other), TvVerdict::Refuted) << last_ << "\n" << one << other;
        EXPECT_EQ(verdict(other, one), TvVerdict::Refuted) << last_ << "\n" << other << one;
    }
    void agree(const std::string& one, const std::string& other) {
        EXPECT_EQ(verdict(one, other), TvVerdict::Bounded) << last_ << "\n" << one << other;
        EXPECT_EQ(verdict(other, one), TvVerdict::Bounded) << last_ << "\n" << other << one;
    }

    static std::string call(const std::string& name, const std::string& args) {
        return "T.call_extern(\"int32\", \"" + name + "\", " + args + ")";
    }
    static std::string line(const std::string& expr) { return "    T.evaluate(" + expr + ")\n"; }

    const std::string small_ = "    assert A[0] < 7, \"too large\"\n";
    const std::string store_ = "    B[0] = A[0]\n";
};

// --- stops -----------------------------------------------------------------------------------

TEST_F(TvEvents, AnAssertStaysWhileLoopsAreSplit) {
    const std::string checks =
        "    for i in range(4):\n        assert A[i] < 7, \"too large\"\n        B[i] = A[i]\n";
    const std::string split =
        "    for io in range(2):\n        for ii in range(3):\n"
        "            if io * 3 + ii < 4:\n"
        "                assert A[io * 3 + ii] < 7, \"too large\"\n"
        "                B[io * 3 + ii] = A[io * 3 + ii]\n";
    agree(checks, split);
    const TvResult out = check(parse(checks), parse(split));
    EXPECT_EQ(out.queries, 0U);
    EXPECT_EQ(out.cells, 8U);
    // Backwards it stops with other cells written.
    differ(checks,
           "    for i in range(4):\n        assert A[3 - i] < 7, \"too large\"\n"
           "        B[3 - i] = A[3 - i]\n");
    // All of the checks first: the same message, but not the cells that were written until then.
    differ(checks,
           "    for i in range(4):\n        assert A[i] < 7, \"too large\"\n"
           "    for i in range(4):\n        B[i] = A[i]\n");
}

TEST_F(TvEvents, ChecksThatNothingSeparatesMayChangePlaces) {
    const std::string other = "    assert A[1] < A[2], \"too large\"\n";
    agree(small_ + other + store_, other + small_ + store_);
    agree(small_ + other, "    assert A[0] < 7 and A[1] < A[2], \"too large\"\n");
    agree(small_ + store_, small_ + store_ + small_);
}

TEST_F(TvEvents, TrapAnAssertMovesBehindAStoreToAParameter) {
    differ(small_ + store_, store_ + small_);
    EXPECT_EQ(last_.rfind("B[0]: before ", 0), 0U) << last_;
    // Nobody sees a store to a buffer that dies.
    const std::string scratch = "    C = T.alloc_buffer((1,), \"int32\")\n";
    agree(scratch + small_ + "    C[0] = 1\n" + store_,
          scratch + "    C[0] = 1\n" + small_ + store_);
}

TEST_F(TvEvents, TrapTheMessageChanges) {
    differ(small_ + store_, "    assert A[0] < 7, \"too small\"\n" + store_);
    EXPECT_EQ(last_.rfind("the stop with 'too small': ", 0), 0U) << last_;
    // Of two checks, the first one says how it ends.
    const std::string other = "    assert A[1] < 7, \"other\"\n";
    differ(small_ + other, other + small_);
}

TEST_F(TvEvents, TrapAnAssertIsDropped) {
    differ(small_ + store_, store_);
    const std::string assumed = "    T.assume(A[0] < 5)\n";
    agree(assumed + small_ + store_, assumed + store_);
    agree("    B[1] = 8 // A[0]\n    assert A[0] != 0, \"zero\"\n", "    B[1] = 8 // A[0]\n");
}

TEST_F(TvEvents, TrapAConditionIsWeakenedByOne) {
    differ(small_ + store_, "    assert A[0] < 8, \"too large\"\n" + store_);
    agree(small_ + store_, "    assert A[0] <= 6, \"too large\"\n" + store_);
    differ("    if A[1] < 3:\n    " + small_ + store_, "    if A[1] < 4:\n    " + small_ + store_);
}

TEST_F(TvEvents, AssertsInBranchesOnData) {
    const std::string negative =
        "    if A[0] < 0:\n        assert 1 < 0, \"negative\"\n        B[1] = 3\n";
    // What comes after a stop is dead, in its branch and behind it.
    agree(negative + store_, "    assert 0 <= A[0], \"negative\"\n" + store_);
    agree("    assert 1 < 0, \"never\"\n" + store_, "    assert 1 < 0, \"never\"\n    B[1] = 9\n");
    differ(negative + store_, store_ + negative);
    const std::string both_stop =
        "    if A[0] < 0:\n        assert 1 < 0, \"one\"\n"
        "    else:\n        assert 1 < 0, \"two\"\n";
    agree(both_stop, both_stop + store_);
}

TEST_F(TvEvents, TrapAFaultComesBeforeTheStop) {
    const std::string check = "    assert A[0] != 0, \"zero\"\n";
    const std::string divide = "    B[0] = 8 // A[0]\n";
    EXPECT_EQ(verdict(check + divide, divide + check), TvVerdict::Refuted);
    EXPECT_NE(last_.find("new fault"), std::string::npos) << last_;
    EXPECT_EQ(verdict(check + divide, check + divide), TvVerdict::Bounded) << last_;
    // What an assert has checked holds behind it.
    agree(check + "    if A[0] != 0:\n        B[0] = 3\n", check + "    B[0] = 3\n");
}

TEST_F(TvEvents, PaddingIsPromisedWhereTheFunctionRunsThrough) {
    const std::string params = "A: T.Buffer((14,), \"float32\"), B: T.Buffer((14,), \"float32\")";
    const std::string check = "    assert A[0] < T.float32(1), \"too large\"\n";
    const Function plain = parse(check + "    for i in range(14):\n        B[i] = A[i]\n", params);
    const auto tiles = [&](const std::string& body) {
        const Function f =
            parse(body, "A: T.Buffer((14,), \"float32\"), B: T.Buffer((4, 4), \"float32\")");
        return analysis::with_layout(f, tiled("B", PadKind::Value, false, 0.0));
    };
    const std::string fill =
        "    for i, j in T.grid(4, 4):\n"
        "        B[i, j] = T.if_then_else(i * 4 + j < 14, A[T.min(i * 4 + j, 13)], T.float32(0))\n";
    EXPECT_EQ(verdict(plain, tiles(check + fill)), TvVerdict::Bounded) << last_;
    EXPECT_EQ(verdict(plain, tiles(fill + check)), TvVerdict::Refuted);
    const std::string unfilled = "    for i in range(14):\n        B[i // 4, i % 4] = A[i]\n";
    EXPECT_EQ(verdict(plain, tiles(check + unfilled)), TvVerdict::Refuted);
    EXPECT_NE(last_.find("padding of B[3, 2]"), std::string::npos) << last_;
}

// A size at which nothing behind the assert runs would show nothing.
TEST_F(TvEvents, SizesThatAlwaysStopAreNotChosen) {
    const std::string params = "n: T.int32, A: T.Buffer((n,), \"int32\")";
    const auto program = [&](const char* check, const char* value) {
        return parse(std::string("    assert ") + check +
                         ", \"size\"\n    for i in range(n):\n        A[i] = " + value + "\n",
                     params);
    };
    const TvResult third = check(program("n % 3 == 0", "i"), program("n % 3 == 0", "i + 0"));
    EXPECT_EQ(third.verdict, TvVerdict::Bounded) << third.what;
    EXPECT_EQ(third.sizes, "n = 3");
    const TvResult large = check(program("10 < n", "i"), program("10 < n", "i + 1"));
    EXPECT_EQ(large.verdict, TvVerdict::Refuted) << large.what;
    EXPECT_EQ(large.sizes, "n = 16");
    const TvResult never = check(program("n == 77", "i"), program("n == 77", "i + 1"));
    EXPECT_EQ(never.verdict, TvVerdict::Unknown) << never.what;
    TvOptions given;
    given.sizes[ctx.var("n", kInt32)] = c(8);
    const TvResult asked = check(program("n == 77", "i"), program("n == 77", "i + 1"), given);
    EXPECT_EQ(asked.verdict, TvVerdict::Bounded) << asked.what;
}

// --- opaque calls ----------------------------------------------------------------------------

TEST_F(TvEvents, CallsKeepTheirOrderWhileTheirLoopIsSplit) {
    const std::string calls =
        "    for i in range(4):\n        B[i] = " + call("f", "A[i], i") + "\n";
    const std::string split =
        "    for io in range(2):\n        for ii in range(2):\n            B[io * 2 + ii] = " +
        call("f", "A[io * 2 + ii], io * 2 + ii") + "\n";
    agree(calls, split);
    agree(calls, "    for i in range(4):\n        x = " + call("f", "A[i] + 0, i") +
                     "\n        B[i] = x\n");
    differ(calls,
           "    for i in range(4):\n        B[3 - i] = " + call("f", "A[3 - i], 3 - i") + "\n");
}

TEST_F(TvEvents, TrapACallIsDropped) {
    differ(line(call("f", "1")) + store_, store_);
    EXPECT_EQ(last_, "opaque call number 1: before none, after T.call_extern(\"int32\", \"f\", 1)");
    differ(line(call("f", "1")) + line(call("f", "2")) + line(call("f", "3")),
           line(call("f", "1")) + line(call("f", "3")));
    // A product with 0 is 0, and the call is made all the same.
    differ("    B[0] = 0 * " + call("f", "1") + "\n", "    B[0] = 0\n");
}

TEST_F(TvEvents, TrapACallIsMadeTwice) {
    const std::string once = "    x = " + call("f", "1") + "\n    B[0] = T.max(x, x)\n";
    differ(once, "    B[0] = T.max(" + call("f", "1") + ", " + call("f", "1") + ")\n");
}

TEST_F(TvEvents, TrapCallsChangePlaces) {
    differ(line(call("f", "1")) + line(call("g", "1")),
           line(call("g", "1")) + line(call("f", "1")));
    differ(line(call("f", "1")) + line(call("f", "2")),
           line(call("f", "2")) + line(call("f", "1")));
    agree(line(call("f", "1")) + store_, store_ + line(call("f", "1")));
}

TEST_F(TvEvents, TrapAnArgumentChanges) {
    differ(line(call("f", "A[0]")), line(call("f", "A[1]")));
    agree("    T.assume(A[0] == A[1])\n" + line(call("f", "A[0]")),
          "    T.assume(A[0] == A[1])\n" + line(call("f", "A[1]")));
    // The argument of the second call is the result of the first.
    const std::string chain = "    B[0] = " + call("g", call("f", "A[0]")) + "\n";
    agree(chain, "    x = " + call("f", "A[0]") + "\n    B[0] = " + call("g", "x") + "\n");
    differ(chain, "    x = " + call("f", "A[0]") + "\n    T.evaluate(" + call("g", "x") +
                      ")\n    B[0] = x\n");
    // -0.0 and 0.0 are two values.
    const std::string floats = "A: T.Buffer((4,), \"float32\"), B: T.Buffer((4,), \"float32\")";
    const auto of = [](const char* value) {
        return std::string("    T.evaluate(T.call_extern(\"int32\", \"f\", ") + value + "))\n";
    };
    EXPECT_EQ(verdict(of("A[0]"), of("A[0] + T.float32(0)"), floats), TvVerdict::Refuted);
    EXPECT_EQ(verdict(of("A[0]"), of("A[0] * T.float32(1)"), floats), TvVerdict::Bounded) << last_;
}

TEST_F(TvEvents, CallsUnderConditions) {
    const std::string guarded = "    if A[0] < 3:\n    " + line(call("f", "A[0]"));
    agree(guarded, "    if not 3 <= A[0]:\n    " + line(call("f", "T.min(A[0], 3)")));
    differ(guarded, "    if A[0] < 4:\n    " + line(call("f", "A[0]")));
    differ(guarded, line(call("f", "A[0]")));
    differ(guarded, store_);
    // The other result on the other path.
    agree("    B[0] = T.if_then_else(A[0] < 3, " + call("f", "A[0]") + ", 5)\n",
          "    B[0] = 5\n    if A[0] < 3:\n        B[0] = " + call("f", "A[0]") + "\n");
    // One call on each run, written down in two orders: not decided, and never BOUNDED by chance.
    const std::string other = "    if not A[0] < 3:\n    " + line(call("f", "7"));
    EXPECT_EQ(verdict(guarded + other, other + guarded), TvVerdict::Unknown) << last_;
    // Assumed away, calls need no partner.
    agree("    T.assume(3 < A[0])\n" + guarded, "    T.assume(3 < A[0])\n");
}

TEST_F(TvEvents, TrapACallMovesAcrossAStop) {
    differ(small_ + line(call("f", "A[0]")), line(call("f", "A[0]")) + small_);
    const std::string twice = line(call("f", "A[0]")) + line(call("f", "A[0]"));
    differ(small_ + twice, twice);
    agree(small_ + twice + store_, small_ + store_ + twice);
    // The result decides about the stop.
    const std::string checked =
        "    x = " + call("f", "A[0]") + "\n    assert x < 5, \"failed\"\n    B[0] = x\n";
    agree(checked,
          "    x = " + call("f", "A[0]") + "\n    assert x <= 4, \"failed\"\n    B[0] = x\n");
    differ(checked,
           "    x = " + call("f", "A[0]") + "\n    assert x < 6, \"failed\"\n    B[0] = x\n");
}

// --- evaluated for its faults ----------------------------------------------------------------

TEST_F(TvEvents, AnEvaluationMayGo) {
    EXPECT_EQ(verdict(line("8 // A[0]") + store_, store_), TvVerdict::Bounded) << last_;
    EXPECT_EQ(verdict(store_, line("A[0] * 0 + 8") + store_), TvVerdict::Bounded) << last_;
    // From there on, the divisor is not zero.
    EXPECT_EQ(verdict(line("8 // A[0]") + store_, line("9 // A[0]") + store_), TvVerdict::Bounded)
        << last_;
}

TEST_F(TvEvents, TrapAnEvaluationThatMayFaultIsAdded) {
    EXPECT_EQ(verdict(store_, store_ + line("8 // A[0]")), TvVerdict::Refuted);
    EXPECT_NE(last_.find("divisor is not zero"), std::string::npos) << last_;
    EXPECT_EQ(verdict(store_, store_ + line("A[4]")), TvVerdict::Refuted);
    EXPECT_NE(last_.find("A[4] is in bounds"), std::string::npos) << last_;
    // Behind a stop it is not reached.
    const std::string nonzero = "    assert A[0] != 0, \"zero\"\n";
    EXPECT_EQ(verdict(nonzero, nonzero + line("8 // A[0]")), TvVerdict::Bounded) << last_;
}

TEST_F(TvEvents, TrapTheRangeOfAnEvaluation) {
    EXPECT_EQ(verdict(store_, store_ + line("A[0] + 1")), TvVerdict::Refuted);
    EXPECT_NE(last_.find("is in range"), std::string::npos) << last_;
    const std::string assumed = "    T.assume(A[0] < 100)\n";
    EXPECT_EQ(verdict(assumed, assumed + line("A[0] + 1")), TvVerdict::Bounded) << last_;
    EXPECT_EQ(verdict(line("A[0] + 1"), "    T.assume(A[0] < 2147483647)\n"), TvVerdict::Bounded)
        << last_;
    // An indeterminate value is in range.
    EXPECT_EQ(verdict("    pass\n", line("T.undef(\"int32\")")), TvVerdict::Bounded) << last_;
}

// --- what is out of reach --------------------------------------------------------------------

TEST_F(TvEvents, ConcurrentLoopsHaveNoOrderOfEvents) {
    const std::string stops =
        "    for i in T.parallel(4):\n        assert A[i] < 7, \"too large\"\n        B[i] = "
        "A[i]\n";
    EXPECT_EQ(verdict(stops, stops), TvVerdict::Unknown);
    EXPECT_NE(last_.find("an assert that may fail in a concurrent loop"), std::string::npos)
        << last_;
    // The division says that the assert holds only where no other iteration has stopped.
    const std::string divide = "        B[i] = 8 // A[i]\n";
    const std::string parallel = "    for i in T.parallel(4):\n";
    EXPECT_EQ(
        verdict(parallel + "        assert A[i] != 0, \"zero\"\n" + divide, parallel + divide),
        TvVerdict::Unknown);
    // Of the program after, it can be shown that none fails.
    EXPECT_EQ(verdict(parallel + "        T.assume(A[i] < 6)\n        B[i] = A[i]\n", stops),
              TvVerdict::Bounded)
        << last_;
    EXPECT_EQ(verdict(parallel + "        B[i] = A[i]\n", stops), TvVerdict::Refuted);
    EXPECT_EQ(verdict("    for i in range(4):\n        assert A[i] < 7, \"too large\"\n"
                      "        B[i] = A[i]\n",
                      stops),
              TvVerdict::Unknown);
    const std::string calls = parallel + "        B[i] = " + call("f", "A[i]") + "\n";
    EXPECT_EQ(verdict(calls, calls), TvVerdict::Unknown);
    EXPECT_NE(last_.find("opaque call of f in a concurrent loop"), std::string::npos) << last_;
    // A check before the loop is in order.
    agree(small_ + "    for i in T.parallel(4):\n        B[i] = A[i]\n",
          small_ + "    for i in range(4):\n        B[i] = A[i]\n");
    EXPECT_EQ(verdict(small_ + "    for i in range(4):\n        B[0] = A[i]\n",
                      small_ + "    for i in T.parallel(4):\n        B[0] = A[i]\n"),
              TvVerdict::Refuted);
    EXPECT_NE(last_.find("data race"), std::string::npos) << last_;
}

// --- against the interpreter -----------------------------------------------------------------

const char* const kBodies[] = {
    "    assert A[0] < 2, \"a\"\n    B[0] = A[0]\n    assert A[1] < A[0], \"b\"\n"
    "    B[1] = B[0]\n",
    "    for i in range(4):\n        assert A[i] < 3, \"a\"\n        B[i] = A[i]\n",
    "    if A[0] < 2:\n        B[0] = 1\n        assert A[1] < 2, \"a\"\n        B[0] = 2\n"
    "    else:\n        assert 1 < 0, \"b\"\n        B[2] = 3\n    B[3] = B[0]\n",
    "    for i in range(4):\n        if A[i] < 2:\n"
    "            B[i] = T.call_extern(\"int32\", \"f\", A[i], i)\n",
    "    x = T.call_extern(\"int32\", \"f\", A[0], 1)\n    assert x < A[1], \"a\"\n"
    "    B[0] = T.if_then_else(x < 2, T.call_extern(\"int32\", \"f\", x, 2), 7)\n"
    "    if B[0] != 7 and T.call_extern(\"int32\", \"f\", B[0], 3) < 3:\n"
    "        assert A[2] < 1, \"b\"\n    B[1] = T.call_extern(\"int32\", \"f\", B[0], 4)\n",
};

// The terms of a run, on inputs: where it stops and with which message, the calls that it makes,
// and the cells that it leaves.
class EventsAndRuns : public TvEvents {
  protected:
    void compare(const Function& f, std::uint64_t seed) {
        Simplifier simplifier(ctx);
        const auto parameters = concrete_parameters(ctx, f, {});
        ASSERT_TRUE(parameters.ok());
        std::vector<SymbolicTensor> tensors;
        for (const ConcreteParameter& p : *parameters) tensors.push_back(initial_tensor(ctx, p));
        const SymbolicRun symbolic = execute(ctx, simplifier, f, {}, tensors, 100'000, 1 << 16);
        ASSERT_EQ(symbolic.unsupported, "") << print(f);
        EXPECT_TRUE(symbolic.requirements.empty()) << symbolic.requirements[0].what;
        const Result<Inputs> inputs = random_inputs(ctx, f, seed);
        ASSERT_TRUE(inputs.ok());
        std::vector<std::vector<Value>> made;
        std::vector<Value> results;
        Chooser chooser(seed);
        InterpOptions options;
        options.externs["f"] = [&](std::span<const Value> args) -> Evaluated {
            made.emplace_back(args.begin(), args.end());
            results.push_back(Value::of_int(static_cast<std::int64_t>(chooser.next() % 6) - 1));
            return results.back();
        };
        const Result<Outcome> outcome = run(f, *inputs, options);
        ASSERT_TRUE(outcome.ok());
        Environment environment;
        environment.load = [&](Expr load, std::span<const Value> at) -> Evaluated {
            const Tensor& t = std::get<Tensor>(inputs->at(load->buffer->name));
            return t.at(static_cast<std::size_t>(*at[0].integer().to_int128()));
        };
        const auto value_of = [&](Expr term) {
            const Evaluation out = evaluate(term, environment);
            EXPECT_TRUE(out.ok()) << print(term);
            return out.value;
        };
        std::size_t calls = 0;
        for (std::size_t at = 0; at < symbolic.calls.size(); ++at) {
            const CallEvent& event = symbolic.calls[at];
            Value& result =
                environment.vars[ctx.var("result " + std::to_string(at) + " of f", kInt32)];
            result = Value::of_int(0);
            if (!value_of(event.where).truth()) continue;
            ASSERT_LT(calls, made.size()) << print(f) << print(event.call);
            for (std::size_t n = 0; n < event.call->args.size(); ++n) {
                EXPECT_EQ(value_of(event.call->arg(n)), made[calls][n]) << print(f);
            }
            result = results[calls++];
        }
        EXPECT_EQ(calls, made.size()) << print(f);
        std::vector<std::string> messages;
        for (const Stop& stop : symbolic.stops) {
            if (value_of(stop.where).truth()) messages.push_back(stop.message);
        }
        const Stopped* stopped = std::get_if<Stopped>(&*outcome);
        const Finished* finished = std::get_if<Finished>(&*outcome);
        ASSERT_TRUE(stopped != nullptr || finished != nullptr) << ir::describe(*outcome);
        EXPECT_EQ(value_of(symbolic.runs_through).truth(), stopped == nullptr);
        const std::vector<std::string> wanted =
            stopped == nullptr ? std::vector<std::string>() : std::vector{stopped->message};
        EXPECT_EQ(messages, wanted) << print(f);
        const Tensors& left = stopped == nullptr ? finished->tensors : stopped->tensors;
        for (std::size_t at = 0; at < 4; ++at) {
            EXPECT_EQ(value_of(symbolic.tensors[1].cells[at].content.value), left.at("B").at(at))
                << print(f) << ir::describe(*outcome);
        }
        ++(stopped == nullptr ? finished_ : stopped_);
    }
    int finished_ = 0;
    int stopped_ = 0;
};

TEST_F(EventsAndRuns, StopAndCallAlike) {
    for (const char* body : kBodies) {
        const Function f = parse(body);
        for (std::uint64_t seed = 0; seed < 60; ++seed) compare(f, seed);
    }
    EXPECT_GT(finished_, 60);
    EXPECT_GT(stopped_, 60);
}

}  // namespace
}  // namespace proviso::verify
