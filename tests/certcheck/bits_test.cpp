// The steps on bit-vectors: what `bits` says is true of every value of a small width, what
// `bitwise` says is exactly what the values are, and neither says anything of what is no
// bit-vector.
#include <map>
#include <random>

#include "analysis/certcheck/bits.h"
#include "analysis/certcheck/sexp.h"
#include "tests/certcheck/support.h"

namespace proviso::certcheck {
namespace {

constexpr int kWidth = 4;
constexpr int kSize = 1 << kWidth;

int two_s_complement(int n) {
    return n < kSize / 2 ? n : n - kSize;
}

// As SMT-LIB defines them: Euclidean.
long long euclidean_mod(long long a, long long b) {
    const long long r = a % b;
    return r < 0 ? r + (b < 0 ? -b : b) : r;
}

// Truth, or a number, of an axiom's text.
long long evaluate(const Sexp& e, const std::map<std::string_view, long long>& names) {
    if (!e.is_list()) {
        const auto found = names.find(e.word);
        return found != names.end() ? found->second : std::stoll(std::string(e.word));
    }
    const std::string_view op = e.head();
    if (op == "=>" && evaluate(e[1], names) == 0) return 1;
    std::vector<long long> a;
    for (std::size_t i = 1; i < e.size(); ++i) a.push_back(evaluate(e[i], names));
    if (op == "=>") return a[1];
    if (op == "not") return a[0] == 0 ? 1 : 0;
    if (op == "and") return a[0] != 0 && a[1] != 0 ? 1 : 0;
    if (op == "=") return a[0] == a[1] ? 1 : 0;
    if (op == "<") return a[0] < a[1] ? 1 : 0;
    if (op == ">") return a[0] > a[1] ? 1 : 0;
    if (op == ">=") return a[0] >= a[1] ? 1 : 0;
    if (op == "<=") return a[0] <= a[1] ? 1 : 0;
    if (op == "+") return a[0] + a[1];
    if (op == "*") return a[0] * a[1];
    if (op == "mod") return euclidean_mod(a[0], a[1]);
    if (op == "div") return (a[0] - euclidean_mod(a[0], a[1])) / a[1];
    EXPECT_EQ(op, "-");
    if (a.size() == 1) return -a[0];
    return a.size() == 2 ? a[0] - a[1] : a[0] - a[1] - a[2];
}

// The number of (op x y), or its truth; the theory's own definitions, division by zero included.
int outcome(std::string_view op, int x, int y, bool c) {
    const int sx = two_s_complement(x);
    const int sy = two_s_complement(y);
    const auto bits = [](long long n) { return static_cast<int>(euclidean_mod(n, kSize)); };
    const auto udiv = [](int a, int b) { return b == 0 ? kSize - 1 : a / b; };
    const auto urem = [](int a, int b) { return b == 0 ? a : a % b; };
    const auto size = [](int a) { return a < 0 ? -a : a; };
    if (op == "bvnot") return bits(-1 - x);
    if (op == "bvneg") return bits(-x);
    if (op == "bvadd") return bits(x + y);
    if (op == "bvsub") return bits(x - y);
    if (op == "bvmul") return bits(x * y);
    if (op == "bvudiv") return udiv(x, y);
    if (op == "bvurem") return urem(x, y);
    if (op == "bvsdiv") {
        const int q = udiv(size(sx), size(sy));
        return bits((sx < 0) == (sy < 0) ? q : -q);
    }
    if (op == "bvsrem" || op == "bvsmod") {
        const int r = urem(size(sx), size(sy));
        if (op == "bvsrem") return bits(sx < 0 ? -r : r);
        if (r == 0 || (sx >= 0 && sy >= 0)) return bits(sx < 0 ? -r : r);
        if (sx < 0 && sy >= 0) return bits(sy - r);
        return bits(sx >= 0 ? sy + r : -r);
    }
    if (op == "bvshl") return bits(x << y);
    if (op == "bvlshr") return x >> y;
    if (op == "bvashr") return bits(sx >> y);
    if (op == "ite") return c ? x : y;
    if (op == "=") return x == y;
    if (op == "bvult") return x < y;
    if (op == "bvule") return x <= y;
    if (op == "bvugt") return x > y;
    if (op == "bvuge") return x >= y;
    if (op == "bvslt") return sx < sy;
    if (op == "bvsle") return sx <= sy;
    if (op == "bvsgt") return sx > sy;
    if (op == "bvsge") return sx >= sy;
    ADD_FAILURE() << op;
    return 0;
}

TEST(CertificateBits, EveryAxiomHoldsForEveryValueOfASmallWidth) {
    for (const char* op :
         {"bvnot",  "bvneg",  "bvadd", "bvsub",  "bvmul",  "bvudiv", "bvurem", "bvsdiv",
          "bvsrem", "bvsmod", "bvshl", "bvlshr", "bvashr", "ite",    "=",      "bvult",
          "bvule",  "bvugt",  "bvuge", "bvslt",  "bvsle",  "bvsgt",  "bvsge"}) {
        const BitAxioms* axioms = bit_axioms(op);
        ASSERT_NE(axioms, nullptr) << op;
        const bool shifts = axioms->facts[0].find(" P)") != std::string_view::npos;
        for (const std::string_view text : axioms->facts) {
            Budget budget;
            const Source source("axiom", text, budget);
            const Sexp& axiom = *source.roots().at(0);
            std::size_t wrong = 0;
            std::size_t idle = 0;
            for (int x = 0; x < kSize; ++x) {
                for (int y = 0; y < (shifts ? kWidth : kSize); ++y) {
                    for (const bool c : {false, true}) {
                        const int p = outcome(op, x, y, c);
                        const std::map<std::string_view, long long> names = {
                            {"x", x},     {"y", y},
                            {"p", p},     {"sx", two_s_complement(x)},
                            {"b", p},     {"sy", two_s_complement(y)},
                            {"c", c},     {"sp", two_s_complement(p)},
                            {"M", kSize}, {"P", 1LL << y}};
                        wrong += evaluate(axiom, names) == 0 ? 1 : 0;
                        idle += axiom.head() == "=>" && evaluate(axiom[1], names) == 0 ? 1 : 0;
                    }
                }
            }
            EXPECT_EQ(wrong, 0U) << op << ": " << text;
            EXPECT_LT(idle, 2U * kSize * kSize) << op << ": " << text;
        }
    }
}

// Random gates over three unknown vectors and constants, with their values by evaluation.
class Gates {
  public:
    explicit Gates(unsigned seed) : random_(seed) {}
    int below(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }

    // A term, and its value for each of the 16^3 values of a0, a1, a2.
    struct Term {
        std::string text;
        std::vector<int> values;
    };
    Term gate(int depth) {
        if (depth == 0 || below(4) == 0) {
            if (below(4) == 0) {
                const int k = below(kSize);
                return {"(_ bv" + std::to_string(k) + " 4)", std::vector<int>(4096, k)};
            }
            const int of = below(3);
            Term out{"a" + std::to_string(of), {}};
            for (int v = 0; v < 4096; ++v) out.values.push_back((v >> (4 * of)) % kSize);
            return out;
        }
        const Term a = gate(depth - 1);
        if (below(5) == 0)
            return each("(bvnot " + a.text + ")", a, a, [](int x, int) { return 15 - x; });
        const Term b = gate(depth - 1);
        const std::string operands = " " + a.text + " " + b.text + ")";
        switch (below(3)) {
            case 0: return each("(bvand" + operands, a, b, [](int x, int y) { return x & y; });
            case 1: return each("(bvor" + operands, a, b, [](int x, int y) { return x | y; });
            default: return each("(bvxor" + operands, a, b, [](int x, int y) { return x ^ y; });
        }
    }
    // A number of it, of its lowest bits, or of the others.
    Term number() {
        const Term a = gate(2);
        const std::string whole = "(bv2nat " + a.text + ")";
        const int by = 1 << below(5);
        switch (below(4)) {
            case 0:
                return each("(mod " + whole + " " + std::to_string(by) + ")", a, a,
                            [by](int x, int) { return x % by; });
            case 1:
                return each("(div " + whole + " " + std::to_string(by) + ")", a, a,
                            [by](int x, int) { return x / by; });
            default: return {whole, a.values};
        }
    }

  private:
    template <typename F>
    static Term each(std::string text, const Term& a, const Term& b, F f) {
        Term out{std::move(text), {}};
        for (std::size_t i = 0; i < a.values.size(); ++i) {
            out.values.push_back(f(a.values[i], b.values[i]));
        }
        return out;
    }
    std::mt19937 random_;
};

std::string smt(long long v) {
    return v < 0 ? "(- " + std::to_string(-v) + ")" : std::to_string(v);
}

// Bits of different places are independent, so the bounds are the least and greatest values
// themselves, and a claim that is false by one has no certificate.
TEST(CertificateBits, BoundsOfRandomSumsAreExact) {
    const std::string declared =
        "(set-logic ALL)(declare-fun a0 () (_ BitVec 4))(declare-fun a1 () (_ BitVec 4))"
        "(declare-fun a2 () (_ BitVec 4))";
    std::size_t equations = 0;
    for (unsigned seed = 0; seed < 1500; ++seed) {
        Gates gates(seed);
        std::string sum = "(+ 0";
        std::vector<long long> values(4096, 0);
        for (int i = 1 + gates.below(3); i > 0; --i) {
            const int k = gates.below(7) - 3;
            const Gates::Term t = gates.number();
            sum += " (* " + smt(k) + " " + t.text + ")";
            for (std::size_t v = 0; v < values.size(); ++v) values[v] += k * t.values[v];
        }
        sum += ")";
        // a1 < 2^k, sometimes
        const int below = gates.below(2) == 0 ? kSize : 1 << gates.below(4);
        const std::string given = "(assert (< (bv2nat a1) " + std::to_string(below) + "))";
        std::vector<long long> met;
        for (std::size_t v = 0; v < values.size(); ++v) {
            if (static_cast<int>(v >> 4) % kSize < below) met.push_back(values[v]);
        }
        const long long least = *std::min_element(met.begin(), met.end());
        const long long greatest = *std::max_element(met.begin(), met.end());
        equations += least == greatest ? 1 : 0;
        const auto accepted = [&](const std::string& claim, const std::string& leaf) {
            const CertificateVerdict v =
                check_certificate(declared + given + "(assert (not " + claim + "))(check-sat)",
                                  "(certificate 1 (do (bitwise " + sum + " 0) " + leaf + "))");
            return v.accepted;
        };
        const std::string low = "(farkas ((1 1) (2 1)))";
        const std::string high =
            least == greatest ? "(farkas ((1 1) (2 -1)))" : "(farkas ((1 1) (3 1)))";
        EXPECT_TRUE(accepted("(>= " + sum + " " + smt(least) + ")", low)) << sum << given;
        EXPECT_TRUE(accepted("(<= " + sum + " " + smt(greatest) + ")", high)) << sum << given;
        for (const std::string& leaf : {low, high}) {
            EXPECT_FALSE(accepted("(>= " + sum + " " + smt(least + 1) + ")", leaf)) << sum << given;
            EXPECT_FALSE(accepted("(<= " + sum + " " + smt(greatest - 1) + ")", leaf))
                << sum << given;
        }
    }
    EXPECT_GT(equations, 20U);
}

TEST(CertificateBits, Values) {
    expect_all({
        {"a byte is below 256", "(assert (>= (bv2nat u) 256))",
         "(do (bits u) (farkas ((0 1) (2 1))))", ""},
        {"a mask bounds", "(assert (> (bv2nat (bvand u #x07)) 7))",
         "(do (bitwise (bv2nat (bvand u #x07))) (farkas ((0 1) (2 1))))", ""},
        {"x ^ y ^ y = x", "(assert (not (= (bv2nat (bvxor (bvxor u w) w)) (bv2nat u))))",
         "(do (bitwise (- (bv2nat (bvxor (bvxor u w) w)) (bv2nat u))) (clash 0 1))", ""},
        {"x + y = (x ^ y) + 2 (x & y)",
         "(assert (not (= (+ (bv2nat u) (bv2nat w)) "
         "(+ (bv2nat (bvxor u w)) (* 2 (bv2nat (bvand u w)))))))",
         "(do (bitwise (- (+ (bv2nat u) (bv2nat w)) (+ (bv2nat (bvxor u w)) "
         "(* 2 (bv2nat (bvand u w)))))) (clash 0 1))",
         ""},
        {"small operands, small result",
         "(assert (< (bv2nat u) 8))(assert (< (bv2nat w) 8))(assert (>= (bv2nat (bvxor u w)) 8))",
         "(do (bitwise (bv2nat (bvxor u w)) 0 1) (farkas ((2 1) (4 1))))", ""},
        {"multiples of 8 have three low bits of 0",
         "(assert (= (bv2nat u) (* 8 x)))(assert (< (bv2nat w) 8))"
         "(assert (not (= (bv2nat (bvor u w)) (+ (bv2nat u) (bv2nat w)))))",
         "(do (bitwise (- (bv2nat (bvor u w)) (+ (bv2nat u) (bv2nat w))) 0 1) (clash 2 3))", ""},
        {"an equation, its sides as they are written",
         "(assert (= u w))(assert (> (bv2nat w) (bv2nat u)))",
         "(do (bits (= w u)) (or 2 (do (and 3) (farkas ((5 -1) (1 1)))) (do (and 3) (clash 0 4))))",
         ""},
        {"and the other way round", "(assert (= u w))(assert (> (bv2nat w) (bv2nat u)))",
         "(do (bits (= u w)) (or 2 (do (and 3) (farkas ((5 1) (1 1)))) (do (and 3) (clash 0 4))))",
         ""},
        {"trap: a mask off by one", "(assert (> (bv2nat (bvand u #x08)) 7))",
         "(do (bitwise (bv2nat (bvand u #x08))) (farkas ((0 1) (2 1))))", "0 >= 0"},
        {"trap: a bound that is no power of two lets the lower bits through",
         "(assert (< (bv2nat u) 5))(assert (< (bv2nat w) 5))(assert (>= (bv2nat (bvor u w)) 5))",
         "(do (bitwise (bv2nat (bvor u w)) 0 1) (farkas ((2 1) (4 1))))", "which holds"},
        {"trap: only one operand is small",
         "(assert (< (bv2nat u) 8))(assert (< (bv2nat w) 9))(assert (>= (bv2nat (bvxor u w)) 8))",
         "(do (bitwise (bv2nat (bvxor u w)) 0 1) (farkas ((2 1) (4 1))))", "which holds"},
        {"trap: multiples of 4",
         "(assert (= (bv2nat u) (* 4 x)))(assert (< (bv2nat w) 8))"
         "(assert (not (= (bv2nat (bvor u w)) (+ (bv2nat u) (bv2nat w)))))",
         "(do (bitwise (- (bv2nat (bvor u w)) (+ (bv2nat u) (bv2nat w))) 0 1) (clash 2 3))",
         "do not clash"},
        {"trap: a multiple of 8 and one more",
         "(assert (= (bv2nat u) (+ 1 (* 8 x))))(assert (< (bv2nat w) 8))"
         "(assert (not (= (bv2nat (bvor u w)) (+ (bv2nat u) (bv2nat w)))))",
         "(do (bitwise (- (bv2nat (bvor u w)) (+ (bv2nat u) (bv2nat w))) 0 1) (clash 2 3))",
         "do not clash"},
        {"trap: a sum wraps", "(assert (not (= (bv2nat (bvadd u w)) (+ (bv2nat u) (bv2nat w)))))",
         "(do (bits (bvadd u w)) (clash 0 3))", "do not clash"},
        {"trap: a lower bound says nothing of bits", "(assert (> (bv2nat u) 8))",
         "(do (bitwise (bv2nat u) 0) (false 1))", "says nothing of bits"},
        {"trap: two at once say nothing of each", "(assert (< (+ (bv2nat u) (bv2nat w)) 8))",
         "(do (bitwise (bv2nat u) 0) (false 1))", "says nothing of bits"},
        {"trap: what is opaque bit by bit is any number",
         "(assert (> (bv2nat (bvmul u #x02)) 254))",
         "(do (bitwise (bv2nat (bvmul u #x02))) (farkas ((0 1) (2 1))))", "0 >= 0"},
        {"trap: order with signs is not order without", "(assert (bvslt u w))",
         "(do (bits (bvslt u w)) (or 1 (do (and 2) (case (- (bv2nat w) (bv2nat u)) "
         "(do (false 2)) (do (farkas ((4 1) (5 1)))))) (do (and 2) (clash 0 3))))",
         "not a claim on a constant"},
    });
}

TEST(CertificateBits, OfWhatTheStepsSayNothing) {
    const std::string any = "(assert b)";
    const std::string seven =
        "(declare-fun b1 () (_ BitVec 8))(declare-fun b2 () (_ BitVec 8))"
        "(declare-fun b3 () (_ BitVec 8))(declare-fun b4 () (_ BitVec 8))"
        "(declare-fun b5 () (_ BitVec 8))(assert b)";
    expect_all({
        {"trap: a float", any, "(do (bits r) (false 1))", "neither a bit-vector"},
        {"trap: a claim on floats", "(assert (= r s))", "(do (bits (= r s)) (false 1))",
         "neither a bit-vector"},
        {"trap: an Int", any, "(do (bits x) (false 1))", "neither a bit-vector"},
        {"trap: a claim on Ints", any, "(do (bits (< x y)) (false 1))", "not one literal"},
        {"trap: a negated claim", "(assert (not (= u w)))", "(do (bits (not (= u w))) (false 1))",
         "not one literal"},
        {"trap: widths that do not fit together",
         "(declare-fun d () (_ BitVec 9))(assert (bvult u d))", "(do (bits (bvult u d)) (false 1))",
         "of one width"},
        {"trap: nor those of an operator", "(declare-fun d () (_ BitVec 9))(assert b)",
         "(do (bits (bvadd u d)) (false 1))", "neither a bit-vector"},
        {"trap: a claim on three terms", "(assert (bvult u w u))",
         "(do (bits (bvult u w u)) (false 1))", "another number of terms"},
        {"trap: a claim on one term", "(assert (bvsle u))", "(do (bits (bvsle u)) (false 1))",
         "another number of terms"},
        {"trap: an operator that is not known", any, "(do (bits (bvnand u w)) (false 1))",
         "neither a bit-vector"},
        {"trap: bits from the middle", any, "(do (bits ((_ extract 5 2) u)) (false 1))",
         "neither a bit-vector"},
        {"trap: a constant that is too large for its width", any,
         "(do (bits (_ bv256 8)) (false 1))", "neither a bit-vector"},
        {"trap: a count that is unknown", any, "(do (bits (bvshl u w)) (false 3))", "no fact 3"},
        {"trap: a count of the width", any, "(do (bits (bvlshr u #x08)) (false 3))", "no fact 3"},
        {"trap: a product", any, "(do (bitwise (* (bv2nat u) (bv2nat w))) (false 1))", "a product"},
        {"trap: an Int that is no number of bits", any, "(do (bitwise (+ x (bv2nat u))) (false 1))",
         "not the number of a bit-vector"},
        {"trap: a quotient by 3", any, "(do (bitwise (div (bv2nat u) 3)) (false 1))",
         "not by a power of two"},
        {"trap: a quotient by -2", any, "(do (bitwise (div (bv2nat u) (- 2))) (false 1))",
         "not by a power of two"},
        {"trap: the number of a float", any, "(do (bitwise (bv2nat r)) (false 1))",
         "this is no bit-vector"},
        {"a limit: seven unknown bit-vectors", seven,
         "(do (bitwise (bv2nat (bvor b1 (bvor b2 (bvor b3 (bvor b4 (bvor b5 (bvor u w)))))))) "
         "(false 1))",
         "more than 6"},
        {"trap: an operator declared anew", "(declare-fun bvadd (Int) Int)(assert b)",
         "(do (false 0))", "has a meaning already"},
        {"trap: and one defined anew", "(define-fun bvxor ((q Int)) Int q)(assert b)",
         "(do (false 0))", "has a meaning already"},
    });
}

}  // namespace
}  // namespace proviso::certcheck
