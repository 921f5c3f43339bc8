// Every step and leaf on arithmetic, once right and then with each way in which it could be wrong.
// Where a case is rejected, the text is satisfiable unless the name says otherwise: a checker
// without that test would accept a falsehood.
#include "tests/certcheck/support.h"

namespace proviso::certcheck {
namespace {

TEST(CertificateSteps, Farkas) {
    expect_all({
        {"x >= 3, x <= 2", "(assert (>= x 3))(assert (<= x 2))", "(do (farkas ((0 1)(1 1))))", ""},
        {"strict order of integers", "(assert (< x y))(assert (<= y x))",
         "(do (farkas ((0 1)(1 1))))", ""},
        {"an equation either way", "(assert (= 5 x))(assert (<= x 4))",
         "(do (farkas ((0 -1)(1 1))))", ""},
        {"multipliers of any size", "(assert (>= x 3))(assert (<= x 2))",
         "(do (farkas ((0 1000000000000000000000000000000000)"
         "(1 1000000000000000000000000000000000))))",
         ""},
        {"chained comparison is one fact", "(assert (<= 0 x 7))(assert (> x 7))",
         "(do (and 0) (farkas ((1 1)(3 1))))", ""},
        {"trap: not strict", "(assert (<= x y))(assert (<= y x))", "(do (farkas ((0 1)(1 1))))",
         "0 >= 0, which holds"},
        {"trap: a negative multiplier", "(assert (>= x 2))(assert (>= x 3))",
         "(do (farkas ((0 1)(1 -1))))", "negative multiplier"},
        {"trap: and one that would work", "(assert (>= x 2))(assert (>= x 3))",
         "(do (farkas ((0 -1)(1 1))))", "negative multiplier"},
        {"trap: atoms remain", "(assert (>= x 3))(assert (<= y 2))", "(do (farkas ((0 1)(1 1))))",
         "atoms remain"},
        {"trap: no fact of that number", "(assert (>= x 3))", "(do (farkas ((0 1)(1 1))))",
         "certificate:1:35: no fact 1 here: there are 1"},
        {"trap: a number below 0", "(assert (>= x 3))", "(do (farkas ((-1 1))))", "no fact -1"},
        {"trap: a disjunction as an inequality", "(assert (or (>= x 3) (<= x 2)))",
         "(do (farkas ((0 1))))", "not an inequality"},
        {"trap: a conjunction as an inequality", "(assert (and (>= x 3) (<= x 5)))",
         "(do (farkas ((0 1))))", "not an inequality"},
        {"trap: a disequation as an equation", "(assert (not (= x 3)))(assert (>= x 4))",
         "(do (farkas ((0 1)(1 1))))", "not an inequality"},
        {"trap: nothing combined", "(assert (>= x 3))", "(do (farkas ()))", "no facts"},
        {"trap: half a multiplier", "(assert (>= x 3))(assert (<= x 2))",
         "(do (farkas ((0 0.5)(1 0.5))))", "not an integer"},
        {"trap: a multiplier of zero proves nothing", "(assert (>= x 3))", "(do (farkas ((0 0))))",
         "which holds"},
    });
}

TEST(CertificateSteps, CutRoundsTheConstantDown) {
    expect_all({
        {"2x = 1 has no solution, by rounding", "(assert (>= (* 2 x) 1))(assert (<= (* 2 x) 1))",
         "(do (cut ((0 1))) (cut ((1 1))) (farkas ((2 1)(3 1))))", ""},
        {"of a combination", "(assert (>= (+ x y) 1))(assert (>= (- x y) 0))(assert (<= x 0))",
         "(do (cut ((0 1)(1 1))) (farkas ((2 1)(3 1))))", ""},
        {"trap: -1 <= 2x <= 0 has a solution", "(assert (>= (* 2 x) (- 1)))(assert (<= (* 2 x) 0))",
         "(do (cut ((0 1))) (cut ((1 1))) (farkas ((2 1)(3 1))))", "0 >= 0"},
        {"trap: the other way round", "(assert (>= (* 2 x) 0))(assert (<= (* 2 x) 1))",
         "(do (cut ((0 1))) (cut ((1 1))) (farkas ((2 1)(3 1))))", "0 >= 0"},
        {"trap: a coefficient that the divisor does not divide",
         "(assert (>= (+ (* 2 x) y) 1))(assert (<= (+ (* 2 x) y) 1))",
         "(do (cut ((0 1))) (cut ((1 1))) (farkas ((2 1)(3 1))))", "0 >= 0"},
        {"trap: a negative multiplier", "(assert (>= x 2))(assert (>= x 3))",
         "(do (cut ((0 1)(1 -1))) (false 2))", "negative multiplier"},
        {"trap: a cut is not an equation", "(assert (= x 2))(assert (>= x 3))",
         "(do (cut ((0 1))) (farkas ((1 1)(2 -1))))", "negative multiplier"},
    });
}

TEST(CertificateSteps, EquationsAndDivisibility) {
    expect_all({
        {"2x = 2y + 1", "(assert (= (* 2 x) (+ (* 2 y) 1)))", "(do (eq ((0 1))) (false 1))", ""},
        {"2x = 2y, x < y", "(assert (= (* 2 x) (* 2 y)))(assert (< x y))",
         "(do (eq ((0 1))) (farkas ((1 1)(2 1))))", ""},
        {"x = 1 and x = 2", "(assert (= x 1))(assert (= x 2))", "(do (eq ((0 1)(1 -1))) (false 2))",
         ""},
        {"trap: 2x = 2y has solutions", "(assert (= (* 2 x) (* 2 y)))",
         "(do (eq ((0 1))) (false 1))", "not a claim on a constant"},
        {"trap: 2x + y = 1 has solutions", "(assert (= (+ (* 2 x) y) 1))",
         "(do (eq ((0 1))) (false 1))", "not a claim on a constant"},
        {"trap: 0 = 0", "(assert (= x 1))", "(do (eq ((0 0))) (false 1))", "not false"},
        {"trap: an inequality is no equation", "(assert (>= (* 2 x) (+ (* 2 y) 1)))",
         "(do (eq ((0 1))) (false 1))", "not an equation"},
    });
}

TEST(CertificateSteps, Products) {
    expect_all({
        {"of two inequalities", "(assert (>= x 1))(assert (>= y 1))(assert (<= (* x y) 0))",
         "(do (mul 0 1) (farkas ((0 1)(1 1)(2 1)(3 1))))", ""},
        {"of an equation", "(assert (= x y))(assert (= (* x z) (+ (* y z) 1)))",
         "(do (times 0 z) (farkas ((1 1)(2 -1))))", ""},
        {"a square", "(assert (< (* (- x y) (- x y)) 0))",
         "(do (square (- x y)) (farkas ((0 1)(1 1))))", ""},
        {"by cases on the sign", "(assert (< (* x x) 0))",
         "(do (case x (do (mul 1 1) (farkas ((0 1)(2 1))))"
         "            (do (mul 1 1) (farkas ((0 1)(1 2)(2 1))))))",
         ""},
        {"trap: an inequality times anything", "(assert (>= x y))(assert (< (* x z) (* y z)))",
         "(do (times 0 z) (farkas ((1 1)(2 1))))", "not an equation"},
        {"trap: a product with an equation", "(assert (= x 1))(assert (>= y 1))",
         "(do (mul 0 1) (farkas ((2 1))))", "not an inequality"},
        {"trap: the product of other things", "(assert (>= x 1))(assert (>= y 1))",
         "(do (mul 0 1) (false 2))", "not a claim on a constant"},
        {"trap: a square of a claim", "(assert b)", "(do (square b) (false 1))", "this is a Bool"},
    });
}

TEST(CertificateSteps, DivisionByConstants) {
    expect_all({
        {"x div 4 = 1, x < 4", "(assert (= (div x 4) 1))(assert (< x 4))",
         "(do (div (div x 4)) (farkas ((0 4)(1 1)(2 1))))", ""},
        {"x div 4 = 1, x >= 8", "(assert (= (div x 4) 1))(assert (>= x 8))",
         "(do (div (div x 4)) (farkas ((0 -4)(1 1)(3 1))))", ""},
        {"a remainder is not negative", "(assert (< (mod x 4) 0))",
         "(do (div (mod x 4)) (farkas ((0 1)(1 1)(3 1))))", ""},
        {"a remainder is less than the divisor", "(assert (>= (mod x 4) 4))",
         "(do (div (mod x 4)) (farkas ((0 1)(2 1)(3 -1))))", ""},
        {"and than the size of a negative one", "(assert (>= (mod x (- 4)) 4))",
         "(do (div (mod x (- 4))) (farkas ((0 1)(2 1)(3 -1))))", ""},
        {"Euclidean: x div -4 = 1 means -4 <= x < 0",
         "(assert (= (div x (- 4)) 1))(assert (>= x 0))",
         "(do (div (div x (- 4))) (farkas ((0 4)(1 1)(3 1))))", ""},
        {"trap: -4 div -4 is 1", "(assert (= (div x (- 4)) 1))(assert (>= x (- 4)))",
         "(do (div (div x (- 4))) (farkas ((0 4)(1 1)(3 1))))", "which holds"},
        {"trap: 7 div 4 is 1", "(assert (= (div x 4) 1))(assert (>= x 7))",
         "(do (div (div x 4)) (farkas ((0 -4)(1 1)(3 1))))", "0 >= 0"},
        {"trap: a remainder may be 3", "(assert (>= (mod x 4) 3))",
         "(do (div (mod x 4)) (farkas ((0 1)(2 1)(3 -1))))", "0 >= 0"},
        {"trap: zero divisor", "(assert (= (div x 0) 1))", "(do (div (div x 0)) (false 0))",
         "the divisor is zero"},
        {"trap: zero, by cancelling", "(assert (= (mod x (- y y)) 1))",
         "(do (div (mod x (- y y))) (false 0))", "the divisor is zero"},
        {"trap: no division", "(assert (= x 1))", "(do (div x) (false 0))", "not a division"},
        {"trap: twice a division", "(assert (= x 1))", "(do (div (* 2 (div x 4))) (false 0))",
         "not an application that is one atom"},
        {"trap: only mod has the third equation", "(assert (= (div x 4) 1))",
         "(do (div (div x 4)) (false 3))", "no fact 3"},
    });
}

TEST(CertificateSteps, DivisionByUnknowns) {
    const std::string negative = "(assert (>= n 1))(assert (>= x 0))(assert (< (div x n) 0))";
    expect_all({
        {"x div n >= 0", negative,
         "(do (div (div x n) 0) (mul 0 2) (farkas ((1 1)(2 1)(4 1)(5 1))))", ""},
        {"x mod n < n", "(assert (> n 0))(assert (>= (mod x n) n))",
         "(do (div (mod x n) 0) (farkas ((1 1)(3 1)(4 -1))))", ""},
        {"a bound that says more", "(assert (>= n 7))(assert (>= (mod x n) n))",
         "(do (div (mod x n) 0) (farkas ((1 1)(3 1)(4 -1))))", ""},
        {"trap: no bound", negative, "(do (div (div x n)) (false 0))", "no constant"},
        {"trap: n may be 0", "(assert (>= n 0))(assert (>= (mod x n) n))",
         "(do (div (mod x n) 0) (farkas ((1 1)(3 1)(4 -1))))", "not a proof"},
        {"trap: another variable's bound", "(assert (>= y 1))(assert (>= (mod x n) n))",
         "(do (div (mod x n) 0) (farkas ((1 1)(3 1)(4 -1))))", "not a proof"},
        {"trap: twice n is positive, syntactically something else",
         "(assert (>= (* 2 n) 1))(assert (>= (mod x n) n))",
         "(do (div (mod x n) 0) (farkas ((1 1)(3 1)(4 -1))))", "not a proof"},
        {"trap: n is negative", "(assert (<= n (- 1)))(assert (>= (mod x n) n))",
         "(do (div (mod x n) 0) (farkas ((1 1)(3 1)(4 -1))))", "atoms remain"},
        {"x mod n < -n for a negative n", "(assert (<= n (- 1)))(assert (>= (mod x n) (- n)))",
         "(do (div (mod x n) 0) (farkas ((1 1)(3 1)(4 -1))))", ""},
        {"x mod n >= 0 for a negative n", "(assert (< n 0))(assert (< (mod x n) 0))",
         "(do (div (mod x n) 0) (farkas ((1 1)(2 1)(4 1))))", ""},
        {"trap: a remainder by a negative n may be -n - 1",
         "(assert (<= n (- 1)))(assert (>= (mod x n) (- (- n) 1)))",
         "(do (div (mod x n) 0) (farkas ((1 1)(3 1)(4 -1))))", "0 >= 0"},
        {"trap: n may be 0 from below", "(assert (<= n 0))(assert (>= (mod x n) (- n)))",
         "(do (div (mod x n) 0) (farkas ((1 1)(3 1)(4 -1))))", "not a proof"},
        {"trap: another variable is negative", "(assert (< y 0))(assert (>= (mod x n) (- n)))",
         "(do (div (mod x n) 0) (farkas ((1 1)(3 1)(4 -1))))", "not a proof"},
        {"trap: an equation is no sign", "(assert (= n (- 1)))(assert (>= (mod x n) (- n)))",
         "(do (div (mod x n) 0) (farkas ((1 1)(3 1)(4 -1))))", "not an inequality"},
        {"trap: the bound of another branch", "(assert (>= (mod x n) n))",
         "(do (case (- n 1) (do (div (mod x n) 1) (farkas ((0 1)(3 1)(4 -1))))"
         "                  (do (div (mod x n) 1) (farkas ((0 1)(3 1)(4 -1))))))",
         "not a proof"},
    });
}

TEST(CertificateSteps, ChoicesAndAbsoluteValues) {
    const std::string max = "(ite (>= x y) x y)";
    expect_all({
        {"max(x, y) >= x", "(assert (< " + max + " x))",
         "(do (ite " + max +
             ") (or 1 (do (and 2) (farkas ((0 1)(4 1))))"
             "                   (do (and 2) (farkas ((0 1)(3 1)(4 1))))))",
         ""},
        {"|x| >= 0", "(assert (< (abs x) 0))",
         "(do (abs (abs x)) (or 1 (do (and 2) (farkas ((0 1)(3 1)(4 1))))"
         "                       (do (and 2) (farkas ((0 1)(3 1)(4 1))))))",
         ""},
        {"trap: max(x, y) > x is possible", "(assert (> " + max + " x))",
         "(do (ite " + max +
             ") (or 1 (do (and 2) (farkas ((0 1)(4 -1))))"
             "                   (do (and 2) (farkas ((0 1)(3 1)(4 -1))))))",
         "atoms remain"},
        {"trap: a choice without its second branch", "(assert (> " + max + " x))",
         "(do (ite " + max + ") (or 1 (do (and 2) (farkas ((0 1)(4 -1))))))",
         "2 disjuncts, 1 branches"},
        {"trap: |x| > x is possible", "(assert (> (abs x) x))",
         "(do (abs (abs x)) (or 1 (do (and 2) (farkas ((0 1)(4 -1))))"
         "                       (do (and 2) (farkas ((0 1)(4 1))))))",
         "atoms remain"},
        {"trap: not an absolute value", "(assert (< " + max + " x))",
         "(do (abs " + max + ") (false 0))", "not an application of abs"},
        {"trap: not a choice", "(assert (< (abs x) 0))", "(do (ite (abs x)) (false 0))",
         "not an application of ite"},
    });
}

TEST(CertificateSteps, CasesOnIntegers) {
    expect_all({
        {"x != 0, x = 0", "(assert (not (= x 0)))(assert (<= x 0))(assert (>= x 0))",
         "(do (or 0 (do (farkas ((1 1)(3 1)))) (do (farkas ((2 1)(3 1))))))", ""},
        {"distinct is every pair", "(assert (distinct x y z))(assert (= x z))",
         "(do (and 0) (clash 3 1))", ""},
        {"trap: a case is missing", "(assert (not (= x 0)))(assert (<= x 0))",
         "(do (or 0 (do (farkas ((1 1)(2 1))))))", "2 disjuncts, 1 branches"},
        {"trap: a case too many", "(assert (not (= x 0)))(assert (<= x 0))",
         "(do (or 0 (do (farkas ((1 1)(2 1)))) (do (farkas ((1 1)(2 1)))) (do (false 0))))",
         "2 disjuncts, 3 branches"},
        {"trap: the second case is open", "(assert (not (= x 0)))(assert (<= x 0))",
         "(do (or 0 (do (farkas ((1 1)(2 1)))) (do (farkas ((1 1)(2 1))))))", "atoms remain"},
        {"trap: 0 is in the first case only", "(assert (= x 0))",
         "(do (case x (do (farkas ((0 1)(1 1)))) (do (farkas ((0 1)(1 1))))))", "atoms remain"},
        {"trap: one branch of a case", "(assert (>= x 0))", "(do (case x (do (farkas ((0 1))))))",
         "wrong number of parts"},
    });
}

}  // namespace
}  // namespace proviso::certcheck
