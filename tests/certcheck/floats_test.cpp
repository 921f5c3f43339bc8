// The step on floats: what it says is true of every value of a small format, and it says nothing of
// what is no float, is rounded otherwise, or only looks like an operator.
#include <cmath>
#include <map>

#include "analysis/certcheck/floats.h"
#include "analysis/certcheck/sexp.h"
#include "tests/certcheck/support.h"

namespace proviso::certcheck {
namespace {

// Floats of 3 bits of exponent and 3 of significand, by their codes; arithmetic by doubles, which
// hold sums, products and the distance of quotients from what they are rounded to exactly.
class SmallFloats {
  public:
    static constexpr int kInfinity = 7 << 2;
    static constexpr int kNaN = kInfinity + 1;
    static constexpr int kOne = 3 << 2;
    static constexpr int kLowest = -1 - kInfinity;

    static int bits(int code) { return code < 0 ? -1 - code : code; }
    static double value(int code) {
        if (code == kNaN) return std::nan("");
        const double size = bits(code) == kInfinity ? INFINITY : magnitude(bits(code));
        return code < 0 ? -size : size;
    }
    // Round to nearest, ties to even; the sign of a zero is that of `exact`.
    static int rounded(double exact) {
        if (std::isnan(exact)) return kNaN;
        int best = kInfinity;
        for (int n = 0; n < kInfinity && !std::isinf(exact); ++n) {
            const double distance = std::fabs(std::fabs(exact) - magnitude(n));
            const double known = std::fabs(std::fabs(exact) - magnitude(best));
            if (distance < known || (distance == known && n % 2 == 0)) best = n;
        }
        return std::signbit(exact) ? -1 - best : best;
    }

  private:
    static double magnitude(int n) {
        const int exponent = n >> 2;
        const int fraction = n & 3;
        return exponent == 0 ? std::ldexp(fraction, -4) : std::ldexp(4 + fraction, exponent - 5);
    }
};

// Truth, or a number, of an axiom's text.
long long evaluate(const Sexp& e, const std::map<std::string_view, long long>& names) {
    using S = SmallFloats;
    if (!e.is_list()) {
        const auto found = names.find(e.word);
        return found != names.end() ? found->second : std::stoll(std::string(e.word));
    }
    std::vector<long long> a;
    for (std::size_t i = 1; i < e.size(); ++i) a.push_back(evaluate(e[i], names));
    const std::string_view op = e.head();
    if (op == "=>") return a[0] == 0 || a[1] != 0 ? 1 : 0;
    if (op == "not") return a[0] == 0 ? 1 : 0;
    if (op == "xor") return a[0] != a[1] ? 1 : 0;
    if (op == "=") return a[0] == a[1] ? 1 : 0;
    if (op == "<") return a[0] < a[1] ? 1 : 0;
    if (op == ">") return a[0] > a[1] ? 1 : 0;
    if (op == ">=") return a[0] >= a[1] ? 1 : 0;
    if (op == "<=") return a[0] <= a[1] && (a.size() == 2 || a[1] <= a[2]) ? 1 : 0;
    if (op == "+") return a[0] + a[1];
    if (op == "-") return a.size() == 1 ? -a[0] : a[0] - a[1];
    if (op == "float.nan") return a[0] == S::kNaN ? 1 : 0;
    if (op == "float.infinite") return a[0] == S::kInfinity || a[0] == S::kLowest ? 1 : 0;
    if (op == "float.zero") return a[0] == 0 || a[0] == -1 ? 1 : 0;
    if (op == "float.negative") return a[0] < 0 ? 1 : 0;
    const bool all = op == "and";
    EXPECT_TRUE(all || op == "or") << op;
    for (const long long part : a) {
        if ((part != 0) != all) return all ? 0 : 1;
    }
    return all ? 1 : 0;
}

struct Outcome {
    long long value;  // of p, or of b
    bool known;
};

Outcome outcome(std::string_view op, int x, int y, bool c) {
    using S = SmallFloats;
    const double u = S::value(x);
    const double v = S::value(y);
    const auto truth = [](bool b) { return Outcome{b ? 1 : 0, true}; };
    if (op == "fp.add") return {S::rounded(u + v), true};
    if (op == "fp.sub") return {S::rounded(u - v), true};
    if (op == "fp.mul") return {S::rounded(u * v), true};
    if (op == "fp.div") return {S::rounded(u / v), true};
    if (op == "fp.neg") return {S::rounded(-u), true};
    if (op == "fp.abs") return {S::rounded(std::fabs(u)), true};
    if (op == "ite") return {c ? x : y, true};
    if (op == "=") return truth(x == y);
    if (op == "fp.eq") return truth(u == v);
    if (op == "fp.lt") return truth(u < v);
    if (op == "fp.leq") return truth(u <= v);
    if (op == "fp.isNaN") return truth(std::isnan(u));
    if (op == "fp.isInfinite") return truth(std::isinf(u));
    if (op == "fp.isZero") return truth(u == 0);
    if (op == "fp.isNegative") return truth(std::signbit(u) && !std::isnan(u));
    if (op == "fp.isPositive") return truth(!std::signbit(u) && !std::isnan(u));
    return {0, false};
}

TEST(CertificateFloats, EveryAxiomHoldsForEveryValueOfASmallFormat) {
    using S = SmallFloats;
    ASSERT_EQ(code_of_infinity({3, 3}), S::kInfinity);
    ASSERT_EQ(code_of_one({3, 3}), S::kOne);
    ASSERT_EQ(S::value(S::kOne), 1.0);
    std::size_t operators = 0;
    for (const char* op :
         {"fp.add", "fp.sub", "fp.mul", "fp.div", "fp.neg", "fp.abs", "ite", "=", "fp.eq", "fp.lt",
          "fp.leq", "fp.isNaN", "fp.isInfinite", "fp.isZero", "fp.isNegative", "fp.isPositive"}) {
        const FloatAxioms* axioms = float_axioms(op);
        ASSERT_NE(axioms, nullptr) << op;
        ++operators;
        std::vector<std::string_view> texts = axioms->facts;
        if (axioms->gives_float) texts.push_back(float_range());
        for (const std::string_view text : texts) {
            Budget budget;
            const Source source("axiom", text, budget);
            const Sexp& axiom = *source.roots().at(0);
            std::size_t wrong = 0;
            std::size_t idle = 0;  // an implication whose premise fails for all values says nothing
            for (int x = S::kLowest; x <= S::kNaN; ++x) {
                for (int y = S::kLowest; y <= S::kNaN; ++y) {
                    for (const bool c : {false, true}) {
                        const Outcome o = outcome(op, x, y, c);
                        ASSERT_TRUE(o.known) << op;
                        const std::map<std::string_view, long long> names = {
                            {"x", x},        {"y", y}, {"p", o.value},
                            {"b", o.value},  {"c", c}, {"INF", S::kInfinity},
                            {"ONE", S::kOne}};
                        wrong += evaluate(axiom, names) == 0 ? 1 : 0;
                        if (axiom.head() != "=>") continue;
                        idle += evaluate(axiom[1], names) == 0 ? 1 : 0;
                    }
                }
            }
            EXPECT_EQ(wrong, 0U) << op << ": " << text;
            EXPECT_LT(idle, 2U * 59 * 59) << op << ": " << text;
        }
    }
    EXPECT_EQ(operators, 16U);
}

const char* kZero = "(fp #b0 #b00000000 #b00000000000000000000000)";
const char* kMinusZero = "(fp #b1 #b00000000 #b00000000000000000000000)";
const char* kInfinite = "(fp #b0 #b11111111 #b00000000000000000000000)";

std::string with(std::string text) {
    for (const auto& [name, constant] :
         {std::pair{"ZERO", kZero}, std::pair{"MINUS", kMinusZero}, std::pair{"HUGE", kInfinite}}) {
        for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name)) {
            text.replace(at, std::string(name).size(), constant);
        }
    }
    return text;
}

void expect_floats(std::vector<Case> cases) {
    for (Case& c : cases) {
        c.commands = with(c.commands);
        c.node = with(c.node);
    }
    expect_all(cases);
}

TEST(CertificateFloats, ValuesAndOrder) {
    expect_floats({
        {"0.0 is not -0.0", "(assert (= ZERO MINUS))",
         "(do (float (= ZERO MINUS)) (or 1 (do (clash 0 3)) (do (false 3))))", ""},
        {"but compares equal", "(assert (not (fp.eq ZERO MINUS)))",
         "(do (float (fp.eq ZERO MINUS)) (or 2 (do (clash 0 3)) (do (or 3 (do (false 4)) "
         "(do (false 4)) (do (and 4) (or 6 (do (or 7 (do (false 8)) (do (false 8)))) "
         "(do (or 7 (do (false 8)) (do (false 8))))))))))",
         ""},
        {"nothing is below NaN", "(assert (fp.lt r (_ NaN 8 24)))",
         "(do (float (fp.lt r (_ NaN 8 24))) (or 1 (do (clash 0 3)) (do (and 3) (false 5))))", ""},
        {"order is the order of codes", "(assert (fp.lt r s))(assert (fp.lt s r))",
         "(do (float (fp.lt r s)) (float (fp.lt s r)) (or 2 (do (clash 0 6)) (do (and 6) "
         "(or 4 (do (clash 1 11)) (do (and 11) (farkas ((9 1) (14 1))))))))",
         ""},
        {"trap: what is neither below nor above nor equal may be NaN",
         "(assert (not (fp.lt r s)))(assert (not (fp.lt s r)))(assert (not (= r s)))",
         "(do (float (fp.lt r s)) (or 4 (do (clash 0 5)) (do (or 5 (do (false 6)) (do (false 6)) "
         "(do (false 6)) (do (false 6))))))",
         "not a claim on a constant"},
    });
}

TEST(CertificateFloats, OfWhatTheStepSaysNothing) {
    const std::string any = "(assert b)";
    expect_floats({
        {"trap: bits are no floats", any, "(do (float u) (false 1))", "neither a float"},
        {"trap: nor is an equation of bits", "(assert (= u w))", "(do (float (= u w)) (false 1))",
         "neither a float"},
        {"trap: nor an Int", any, "(do (float x) (false 1))", "neither a float"},
        {"trap: nor a claim on Ints", any, "(do (float (< x y)) (false 1))", "not one literal"},
        {"trap: nor a Boolean name", any, "(do (float b) (false 1))", "neither a float"},
        {"trap: the code of bits", any, "(do (case (float-code u) (do (false 1)) (do (false 1))))",
         "not the code of a float"},
        {"trap: rounded towards zero, cancelling zeros are +0.0 as well, but not downwards",
         "(assert (= (fp.add RTN ZERO MINUS) MINUS))",
         "(do (float (= (fp.add RTN ZERO MINUS) MINUS)) (float (fp.add RTN ZERO MINUS)) (or 5 (do "
         "(false 6)) (do (false 6))))",
         "no fact 5"},
        {"trap: formats that do not fit together",
         "(declare-fun d () (_ FloatingPoint 11 53))(assert (fp.lt r d))",
         "(do (float (fp.lt r d)) (false 1))", "of one format"},
        {"trap: an equation under a sign", "(assert (not (= r s)))",
         "(do (float (not (= r s))) (or 1 (do (clash 0 3)) (do (false 3))))", "not one literal"},
    });
}

TEST(CertificateFloats, NamesThatLookLikeOperators) {
    const std::string node = "(do (float (fp.add RNE r s)) (false 0))";
    expect_all({
        {"trap: an operator declared anew", "(declare-fun fp.add (Int) Int)(assert b)", node,
         "has a meaning already"},
        {"trap: a code in the text", "(assert (< (float-code r) 0))", node, "not an operator"},
        {"trap: a code declared in the text",
         "(declare-fun float-code ((_ FloatingPoint 8 24)) Int)(assert b)", node,
         "has a meaning already"},
        {"trap: a helper defined in the text",
         "(define-fun float.zero ((q Int)) Bool true)(assert b)", node, "has a meaning already"},
        {"names of the helpers' parameters are free",
         "(declare-fun m () Int)(assert (and b (not b)))", "(do (and 0) (clash 1 2))", ""},
    });
}

}  // namespace
}  // namespace proviso::certcheck
