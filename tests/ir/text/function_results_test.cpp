// Functions with a result: a parameter of one cell after all others.
#include "tests/ir/text/results.h"

namespace proviso::ir {
namespace {

using testing::HasSubstr;

struct TextFunctionResults : TextResults {
    static std::string with(const std::string& head, const std::string& body) {
        std::string out = "@T.prim_func\ndef " + head + ":\n";
        for (std::size_t at = 0; at < body.size();) {
            const std::size_t end = std::min(body.find('\n', at), body.size());
            out += "    " + body.substr(at, end - at) + "\n";
            at = end + 1;
        }
        return out;
    }
    std::string text_of(const std::string& text) { return print(read(text)); }
    std::string reason(const std::string& text) {
        const auto f = parse_program(ctx, text, "f.py");
        if (!f.ok()) return "error: " + f.error().message;
        return f->opaque.empty() ? "" : f->opaque[0].reason.message;
    }
    std::string main_of(const std::string& text) {
        const Result<Module> m = parse_module(ctx, text, "m.py");
        if (!m) return "error: " + m.error().message;
        const Function* f = m->find("main");
        return f == nullptr ? "no main" : print(*f);
    }
    const std::string callee = with("first(A: T.Buffer((4,), \"int32\"), x: T.int32) -> T.int32",
                                    "for i in range(4):\n    if A[i] == x:\n        return i\n"
                                    "return -1");
};

TEST_F(TextFunctionResults, AreAParameterAfterAllOthers) {
    EXPECT_EQ(text_of(with("f(A: T.Buffer((\"m\",), \"float32\"), n: T.int32) -> T.float32",
                           "return A[n] * T.float32(2)")),
              with("f(var_A: T.handle, n: T.int32, m: T.int32, result: T.Buffer((1,), "
                   "\"float32\"))",
                   "A = T.match_buffer(var_A, (m,), \"float32\")\n"
                   "result[0] = A[n] * T.float32(2.0)"));
    // Without an annotation the first value says the type; 0 is one of them then.
    EXPECT_EQ(text_of(with("f(n: T.int32)", "if n < 3:\n    return 0\nreturn n")),
              with("f(n: T.int32, result: T.Buffer((1,), \"int32\"))",
                   "if n < 3:\n    result[0] = 0\nelse:\n    result[0] = n"));
    EXPECT_EQ(
        text_of(with("f(result: T.int32) -> T.int32", "T.evaluate(T.ret(result))")),
        with("f(result: T.int32, result_1: T.Buffer((1,), \"int32\"))", "result_1[0] = result"));
    // What returns nothing but 0 has none.
    EXPECT_EQ(text_of(with("f(n: T.int32)", "if n < 3:\n    return\nreturn 0")),
              with("f(n: T.int32)", "if 3 <= n:\n    pass"));
}

TEST_F(TextFunctionResults, AreWhatTheFirstReturnGives) {
    const auto tensor = Tensor::of(kInt32, {4}, {5, 7, 7, 9});
    for (const auto& [x, at] :
         std::vector<std::pair<int, std::string>>{{5, "0"}, {7, "1"}, {9, "3"}, {6, "-1"}}) {
        EXPECT_EQ(result(callee,
                         Inputs{{"A", tensor},
                                {"x", Value::of_int(Integer(x))},
                                {"result", Tensor::of(kInt32, {1}, {77})}},
                         "result"),
                  at);
    }
}

TEST_F(TextFunctionResults, GoToTheLineThatCalls) {
    const std::string text = main_of(callee + with("main(A: T.Buffer((4,), \"int32\"), "
                                                   "B: T.Buffer((2,), \"int32\"), n: T.int32) "
                                                   "-> T.int32",
                                                   "B[0] = first(A, n)\nat = first(A, n + 1)\n"
                                                   "first(A, 3)\nB[1] = at\nreturn first(A, 9)"));
    const auto run_for = [&](const std::string& buffer) {
        return result(text,
                      Inputs{{"A", Tensor::of(kInt32, {4}, {5, 7, 7, 9})},
                             {"B", Tensor::of(kInt32, {2}, {0, 0})},
                             {"n", Value::of_int(Integer(6))},
                             {"result", Tensor::of(kInt32, {1}, {77})}},
                      buffer);
    };
    EXPECT_EQ(run_for("B"), "-1 1") << text;
    EXPECT_EQ(run_for("result"), "3") << text;
    EXPECT_EQ(text_of(text), text);
}

// Each is near a form that is read.
TEST_F(TextFunctionResults, NearMissesAreKept) {
    // Trap: a way without a `return`.
    EXPECT_THAT(reason(with("f(n: T.int32)", "if n < 3:\n    return n")),
                HasSubstr("may come to its end without one"));
    EXPECT_THAT(reason(with("f(n: T.int32)", "for i in range(n):\n    return n")),
                HasSubstr("may come to its end without one"));
    EXPECT_THAT(reason(with("f(n: T.int32)", "if n < 3:\n    return\nreturn n")),
                HasSubstr("without a value in a function with a result"));
    EXPECT_THAT(reason(with("f(n: T.int32) -> T.handle", "return n")),
                HasSubstr("a result of this type has no meaning"));
    EXPECT_THAT(reason(with("f(n: T.int32)", "with T.block(\"b\"):\n    return n\nreturn 1")),
                HasSubstr("returned in a block"));
    EXPECT_THAT(reason(with("f(n: T.int32)", "for i in T.parallel(8):\n    return n\nreturn 1")),
                HasSubstr("at the same time"));
    EXPECT_THAT(reason(with("f(n: T.int32) -> T.int64", "return n")),
                HasSubstr("the result is int32, not int64"));
    EXPECT_THAT(reason(with("f(n: T.int32)", "if n < 3:\n    return 1.5\nreturn n")),
                HasSubstr("the result is int32, not float32"));
    EXPECT_THAT(reason(with("f(n: T.int32) -> None", "return 7 // n")),
                HasSubstr("a value that a function `-> None` returns"));
    EXPECT_THAT(reason(with("f(n: T.int32) -> T.int23", "return n")),
                HasSubstr("error: this is not a type of a result"));
    // A call inside of an expression, and one with the cell of the result.
    const auto caller = [&](const std::string& line) {
        return main_of(callee + with("main(A: T.Buffer((4,), \"int32\"), "
                                     "R: T.Buffer((1,), \"int32\"))",
                                     line));
    };
    EXPECT_THAT(caller("A[0] = first(A, 3) + A[0]"),
                HasSubstr("a call of `first` inside of an expression"));
    EXPECT_THAT(caller("A[first(A, 3)] = 1"), HasSubstr("inside of an expression"));
    EXPECT_THAT(caller("first(A, 3, R)"), HasSubstr("first takes 2 arguments, not 3"));
    EXPECT_THAT(caller("x = first(A)"), HasSubstr("first takes 2 arguments, not 1"));
    EXPECT_THAT(caller("x = nowhere.first(A, 3)"), HasSubstr("error:"));
    const std::string none = with("g(A: T.Buffer((4,), \"int32\"))", "A[0] = 1\nreturn 2 - 2");
    EXPECT_THAT(main_of(none + with("main(A: T.Buffer((4,), \"int32\"))", "x = g(A)")),
                HasSubstr("`g` has no result"));
    EXPECT_THAT(main_of(none + with("main(A: T.Buffer((4,), \"int32\"))", "g(A)")),
                HasSubstr("with T.block(\"g\")"));
    EXPECT_THAT(caller("x: T.int64 = first(A, 3)"), HasSubstr("is int32, not int64"));
}

// Trap: each call has the body of its callee, so that a short file is an endless program.
TEST_F(TextFunctionResults, CallsInsideEachOtherAreLimited) {
    const auto chain = [&](int length, bool twice) {
        std::string out = with("f0(A: T.Buffer((4,), \"int32\")) -> T.int32", "return A[0] + 1");
        for (int k = 1; k <= length; ++k) {
            const std::string call = "f" + std::to_string(k - 1) + "(A)";
            out +=
                with((k == length ? "main" : "f" + std::to_string(k)) +
                         "(A: T.Buffer((4,), \"int32\")) -> T.int32",
                     "x = " + call + (twice ? "\ny = " + call + "\nreturn x + y" : "\nreturn x"));
        }
        return main_of(out);
    };
    EXPECT_THAT(chain(8, true), HasSubstr("def main"));
    EXPECT_THAT(chain(40, true), HasSubstr("has more than 20000 statements"));
    EXPECT_THAT(chain(30, false), HasSubstr("def main"));
    EXPECT_THAT(chain(300, false), HasSubstr("more than 64 calls are inside each other"));
}

}  // namespace
}  // namespace proviso::ir
