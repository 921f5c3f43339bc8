// Random certificates for texts that have a model: whatever is derived, none may be accepted. The
// same certificates for texts that have none show that the generator reaches the leaves.
#include <random>

#include "tests/certcheck/support.h"

namespace proviso::certcheck {
namespace {

// Random commands and certificates over x y z in -4..4, of which one assignment is fixed.
class Maker {
  public:
    explicit Maker(unsigned seed) : random_(seed) {}

    int below(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }
    std::string number(int from, int to) { return smt(from + below(to - from + 1)); }

    // A term with its value at x = 1, y = -2, z = 3.
    std::pair<std::string, int> term(int depth) {
        static const std::pair<std::string, int> leaves[] = {{"x", 1}, {"y", -2}, {"z", 3}};
        if (depth == 0 || below(4) == 0) return leaves[below(3)];
        const auto [a, va] = term(depth - 1);
        const auto [b, vb] = term(depth - 1);
        const int k = 2 + below(3);
        switch (below(6)) {
            case 0: return {"(+ " + a + " " + b + ")", va + vb};
            case 1: return {"(- " + a + " " + b + ")", va - vb};
            case 2: return {"(* " + smt(k) + " " + a + ")", k * va};
            case 3: return {"(div " + a + " " + smt(k) + ")", (va - remainder(va, k)) / k};
            case 4: return {"(mod " + a + " " + smt(k) + ")", remainder(va, k)};
            default:
                return {"(ite (<= " + a + " " + b + ") " + b + " " + a + ")", std::max(va, vb)};
        }
    }

    // An assertion that holds there.
    std::string assertion() {
        const auto [a, v] = term(2);
        terms_.push_back(a);
        switch (below(4)) {
            case 0: return "(assert (<= " + a + " " + smt(v + below(2)) + "))";
            case 1: return "(assert (>= " + a + " " + smt(v - below(2)) + "))";
            case 2: return "(assert (= " + a + " " + smt(v) + "))";
            default: return "(assert (not (= " + a + " " + smt(v + 1) + ")))";
        }
    }

    std::string node(int facts, int depth) {
        std::string out = "(do ";
        for (int i = below(5); i > 0; --i) {
            const std::string t =
                terms_[static_cast<std::size_t>(below(static_cast<int>(terms_.size())))];
            switch (below(7)) {
                case 0: out += "(cut " + pairs(facts) + ")"; break;
                case 1: out += "(eq " + pairs(facts) + ")"; break;
                case 2: out += "(mul " + index(facts) + " " + index(facts) + ")"; break;
                case 3: out += "(times " + index(facts) + " " + t + ")"; break;
                case 4: out += "(square " + t + ")"; break;
                case 5:
                    out += (t.compare(0, 4, "(ite") == 0 ? "(ite " : "(div ") + t + ")";
                    ++facts;
                    break;
                default:
                    out += "(and " + index(facts) + ")";
                    ++facts;
                    break;
            }
            ++facts;
        }
        if (depth > 0 && below(2) == 0) {
            const bool on_term = below(2) == 0;
            out += on_term ? "(case " + terms_[0] + " " : "(or " + index(facts) + " ";
            return out + node(facts + 1, depth - 1) + node(facts + 1, depth - 1) + "))";
        }
        return out + "(farkas " + pairs(facts) + "))";
    }

  private:
    static int remainder(int a, int b) { return ((a % b) + b) % b; }
    static std::string smt(int v) {
        return v < 0 ? "(- " + std::to_string(-v) + ")" : std::to_string(v);
    }
    std::string index(int facts) { return std::to_string(below(facts)); }
    std::string pairs(int facts) {
        std::string out = "(";
        for (int i = 1 + below(3); i > 0; --i) {
            out += "(" + index(facts) + " " + std::to_string(below(6) - 1) + ")";
        }
        return out + ")";
    }

    std::mt19937 random_;
    std::vector<std::string> terms_;
};

TEST(CertificateSoundness, NoRandomCertificateRefutesWhatHasAModel) {
    std::size_t of_contradictions = 0;
    for (unsigned seed = 0; seed < 15'000; ++seed) {
        Maker maker(seed);
        const int facts = 2 + maker.below(3);
        std::string satisfiable;
        for (int i = 0; i < facts; ++i) satisfiable += maker.assertion();
        const std::string certificate = "(certificate 1 " + maker.node(facts, 2) + ")";
        const CertificateVerdict v = check_certificate(text_of(satisfiable), certificate);
        ASSERT_FALSE(v.accepted) << text_of(satisfiable) << certificate;
        // The first assertion becomes a contradiction.
        const std::size_t rest = satisfiable.find("(assert", 1);
        const std::string absurd = "(assert (<= (* 2 x) (- (* 2 x) 3)))" + satisfiable.substr(rest);
        of_contradictions += check_certificate(text_of(absurd), certificate).accepted ? 1 : 0;
    }
    EXPECT_GT(of_contradictions, 100U);
}

// Every change of one number of a right certificate: what is still accepted must not be accepted
// for the text's neighbour, which has a model.
TEST(CertificateSoundness, OneNumberChanged) {
    const auto text = [](const char* bound) {
        return text_of(
            std::string("(assert (<= 0 x 62))(assert (= y (div x 8)))(assert (not (< y ") + bound +
            ")))");
    };
    const std::string right =
        "(certificate 1 (do (and 0) (div (div x 8)) (farkas ((4 1)(5 1)(1 -8)(2 8)))))";
    ASSERT_TRUE(check_certificate(text("8"), right).accepted)
        << check_certificate(text("8"), right).why;
    std::size_t rejected = 0;
    for (std::size_t i = 15; i < right.size(); ++i) {
        if (right[i] < '0' || right[i] > '9') continue;
        for (char digit = '0'; digit <= '9'; ++digit) {
            std::string changed = right;
            changed[i] = digit;
            rejected += check_certificate(text("8"), changed).accepted ? 0 : 1;
            EXPECT_FALSE(check_certificate(text("7"), changed).accepted) << changed;
        }
    }
    EXPECT_GT(rejected, 80U);
}

}  // namespace
}  // namespace proviso::certcheck
