// Boolean structure, functions, branches; and what is refused in texts and in certificates.
#include "tests/certcheck/support.h"

namespace proviso::certcheck {
namespace {

TEST(CertificateLogic, LiteralsAndDisjunctions) {
    expect_all({
        {"a literal and its negation", "(assert (bvult u w))(assert (not (bvult u w)))",
         "(do (clash 0 1))", ""},
        {"resolution", "(assert (or b c))(assert (or b (not c)))(assert (not b))",
         "(do (unit 0 0 2) (unit 1 0 2) (clash 3 4))", ""},
        {"implication", "(assert (=> b c))(assert b)(assert (not c))",
         "(do (unit 0 0 1) (clash 2 3))", ""},
        {"a conjunction denied", "(assert (not (and b c)))(assert b)(assert c)",
         "(do (unit 0 0 1) (clash 2 3))", ""},
        {"xor", "(assert (xor b b))",
         "(do (or 0 (do (and 1) (clash 2 3)) (do (and 1) (clash 2 3))))", ""},
        {"a claim equal to its negation", "(assert (= b (not b)))",
         "(do (or 0 (do (and 1) (clash 2 3)) (do (and 1) (clash 2 3))))", ""},
        {"a choice of claims, denied", "(assert (not (ite b c c)))(assert c)",
         "(do (or 0 (do (and 2) (clash 4 1)) (do (and 2) (clash 4 1))))", ""},
        {"a split on a claim", "(assert (or b c))(assert (or (not b) c))(assert (not c))",
         "(do (split b (do (unit 1 0 3) (clash 4 2)) (do (unit 0 0 3) (clash 4 2))))", ""},
        {"whole formulas", "(assert (or b (and c (> x 0))))(assert (not (or b (and c (> x 0)))))",
         "(do (clash 0 1))", ""},
        {"an inequality and its negation", "(assert (> x y))(assert (>= y x))", "(do (clash 0 1))",
         ""},
        {"an equation, written the other way", "(assert (= x y))(assert (not (= y x)))",
         "(do (clash 0 1))", ""},
        {"false", "(assert false)", "(do (false 0))", ""},
        {"trap: true", "(assert true)", "(do (false 0))", "not false"},
        {"trap: a fact does not clash with itself", "(assert b)", "(do (clash 0 0))",
         "do not clash"},
        {"trap: nor with another", "(assert b)(assert (not c))", "(do (clash 0 1))",
         "do not clash"},
        {"trap: x > y and y > x do, but not so; x > y and y >= x - 1 do not",
         "(assert (> x y))(assert (>= y (- x 1)))", "(do (clash 0 1))", "do not clash"},
        {"trap: the other disjunct", "(assert (or b c))(assert (not b))",
         "(do (unit 0 1 1) (clash 1 2))", "not refuted"},
        {"trap: a disjunct that holds", "(assert (or b c))(assert b)",
         "(do (unit 0 0 1) (clash 1 2))", "not refuted"},
        {"trap: no such disjunct", "(assert (or b c))(assert b)", "(do (unit 0 2 1) (clash 1 2))",
         "no such disjunct"},
        {"trap: a disjunction opened as a conjunction", "(assert (or b c))(assert (not b))",
         "(do (and 0) (clash 1 2))", "not a conjunction"},
        {"trap: a conjunction as cases", "(assert (and b c))",
         "(do (or 0 (do (clash 1 1)) (do (clash 1 1))))", "not a disjunction"},
        {"trap: a missing disjunct", "(assert (or b c))(assert (not b))",
         "(do (or 0 (do (clash 1 2))))", "2 disjuncts, 1 branches"},
        {"trap: implication is not equivalence", "(assert (=> b c))(assert (not b))(assert c)",
         "(do (unit 0 0 1) (clash 3 2))", "not refuted"},
    });
}

TEST(CertificateLogic, BranchesKeepTheirFacts) {
    const std::string text = "(assert (or (>= x 1) (>= y 1)))(assert (<= x 0))";
    expect_all({
        {"outer facts are seen inside", text + "(assert (<= y 0))",
         "(do (cut ((1 1)(2 1))) (or 0 (do (farkas ((1 1)(4 1)))) (do (farkas ((2 1)(4 1))))))",
         ""},
        {"nested branches", "(assert (or b c))(assert (or b (not c)))(assert (not b))",
         "(do (split c (do (or 0 (do (clash 2 4)) (do (unit 1 0 2) (clash 5 3))))"
         "             (do (or 0 (do (clash 2 4)) (do (clash 3 4))))))",
         ""},
        {"trap: the fact assumed in the first branch", text,
         "(do (or 0 (do (farkas ((1 1)(2 1)))) (do (farkas ((1 1)(2 1))))))", "atoms remain"},
        {"trap: a fact derived in the first branch", text,
         "(do (or 0 (do (cut ((1 1)(2 1))) (false 3)) (do (false 3))))", "no fact 3 here"},
        {"trap: a fact of an inner branch, further out", "(assert (or b c))(assert (or b c))",
         "(do (split b (do (split c (do (clash 2 3)) (do (clash 2 3)))) (do (clash 2 3))))",
         "do not clash"},
    });
}

TEST(CertificateLogic, EqualArgumentsGiveEqualValues) {
    const std::string other = "(assert (= x y))(assert (not (= (f x b) (f y b))))";
    const std::string node =
        "(unit 2 0 0) (or 3 (do (or 4 (do (and 5) (clash 6 7)) (do (and 5) (clash 6 7))))"
        "                  (do (clash 1 4))))";
    expect_all({
        {"two arguments, an Int", other, "(do (congr (f x b) (f y b)) " + node, ""},
        {"a claim", "(assert (p x))(assert (not (p y)))(assert (= y x))",
         "(do (congr (p x) (p y)) (unit 3 0 2)"
         "    (or 4 (do (and 5) (clash 7 1)) (do (and 5) (clash 6 0))))",
         ""},
        {"a bit-vector", "(assert (= x y))(assert (not (= (g y) (g x))))",
         "(do (congr (g x) (g y)) (unit 2 0 0) (clash 3 1))", ""},
        {"equal after normalising: no step is needed",
         "(assert (p (+ x 1)))(assert (not (p (+ 1 x))))", "(do (clash 0 1))", ""},
        {"equal quotients", "(assert (= (div (+ x y) 2) 0))(assert (not (= (div (+ y x) 2) 0)))",
         "(do (clash 0 1))", ""},
        {"reflexive, on bits", "(assert (not (= (bvadd u w) (bvadd u w))))", "(do (false 0))", ""},
        {"symmetric, on bits", "(assert (= u w))(assert (not (= w u)))", "(do (clash 0 1))", ""},
        {"equal floats are the same float", "(assert (not (= r r)))", "(do (false 0))", ""},
        {"trap: NaN is not fp.eq to itself", "(assert (not (fp.eq r r)))", "(do (false 0))",
         "not a claim on a constant"},
        {"trap: nor does that clash with being the same",
         "(assert (not (fp.eq r r)))(assert (= r r))", "(do (clash 0 1))", "do not clash"},
        {"trap: the arguments differ", "(assert (p x))(assert (not (p y)))", "(do (clash 0 1))",
         "do not clash"},
        {"trap: too few arguments", other, "(do (congr (f x) (f y)) " + node,
         "wrong number of arguments"},
        {"trap: two functions", "(assert (= x y))(assert (not (= (f x b) (h y b))))",
         "(do (congr (f x b) (h y b)) " + node, "not two applications of one function"},
        {"trap: the second argument is not known to be equal",
         "(assert (= x y))(assert (not (= (f x b) (f y c))))",
         "(do (congr (f x b) (f y c)) " + node, "do not clash"},
        {"trap: a sum is no application", other, "(do (congr (+ x 1) (+ y 1)) " + node,
         "not an application that is one atom"},
        {"trap: a constant has no arguments", "(assert (> x y))",
         "(do (congr x y) (unit 1 0 0) (clash 0 2))", "not two applications"},
        {"trap: a negated claim", "(assert (p x))",
         "(do (congr (not (p x)) (not (p y))) (false 0))", "one literal"},
    });
}

TEST(CertificateText, NamesStandForValues) {
    expect_all({
        {"definitions",
         "(define-fun t0 () Int (+ x 1))(define-fun t1 () Bool (p t0))"
         "(assert t1)(assert (not (p (+ 1 x))))",
         "(do (clash 0 1))", ""},
        {"macros", "(define-fun twice ((k Int)) Int (+ k k))(assert (= (twice (+ x 1)) 1))",
         "(do (eq ((0 1))) (false 1))", ""},
        {"let binds at once", "(assert (let ((x y) (y x)) (< x y)))(assert (<= x y))",
         "(do (farkas ((0 1)(1 1))))", ""},
        {"in a certificate", "(define-fun t0 () Int (- x y))(assert (< (* t0 t0) 0))",
         "(do (square t0) (farkas ((0 1)(1 1))))", ""},
        {"trap: a name that is not declared", "(assert (> v 0))", "(do (false 0))",
         "text:8:12: 'v' is not declared"},
        {"trap: nor in the certificate", "(assert (> x 0))", "(do (square v) (false 0))",
         "'v' is not declared"},
        {"trap: a name declared twice", "(declare-fun x () Bool)", "(do (false 0))",
         "declared twice"},
        {"trap: a new meaning of +", "(define-fun + ((k Int) (l Int)) Int 0)", "(do (false 0))",
         "a name that has a meaning already"},
        {"trap: a macro of itself", "(define-fun m ((k Int)) Int (+ 1 (m k)))(assert (= (m 0) 0))",
         "(do (false 0))", "nested deeper"},
        {"trap: Real is not Int: 0 < q < 1 has solutions",
         "(declare-fun q () Real)(assert (< 0 q))(assert (< q 1))", "(do (farkas ((0 1)(1 1))))",
         "neither Int nor Bool"},
        {"trap: a definition of another sort", "(define-fun t0 () Int b)", "(do (false 0))",
         "this is a Bool, wanted is an Int"},
        {"trap: quantifiers", "(assert (forall ((k Int)) (p k)))(assert (not (p 0)))",
         "(do (clash 0 1))", "not a term"},
        {"trap: pushed away", "(push 1)(assert false)(pop 1)", "(do (false 0))",
         "a command that is not allowed"},
        {"trap: Int by another name", "(define-sort Int () Real)", "(do (false 0))",
         "a command that is not allowed"},
        {"trap: asserted after the question", "(check-sat)(assert false)", "(do (false 0))",
         "a command that is not allowed"},
        {"trap: a quoted name", "(declare-fun |x y| () Int)", "(do (false 0))",
         "a character that is not read"},
    });
    EXPECT_NE(check_certificate("(assert false)", "(certificate 1 (do (false 0)))")
                  .why.find("the last command is not (check-sat)"),
              std::string::npos);
}

TEST(CertificateText, WrongCertificatesAreSaidToBe) {
    const std::string text = text_of("(assert false)");
    const auto why = [&](const std::string& certificate) {
        return check_certificate(text, certificate).why;
    };
    EXPECT_EQ(why("(certificate 1 (do (false 0)))"), "");
    EXPECT_EQ(why("; comment\n(certificate 1\n  (do (false 0)))"), "");
    EXPECT_EQ(why(""), "certificate:1:1: not one (certificate 1 NODE)");
    EXPECT_EQ(why("(certificate 2 (do (false 0)))"),
              "certificate:1:14: not version 1 of the format");
    EXPECT_EQ(why("(certificate 1 (do (false 0))"), "certificate:1:1: a ( without its )");
    EXPECT_EQ(why("(certificate 1 (do (false 0))))"), "certificate:1:31: a ) without its (");
    EXPECT_EQ(why("(certificate 1 (do (false 0)))(certificate 1 (do (false 0)))"),
              "certificate:1:1: not one (certificate 1 NODE)");
    EXPECT_EQ(why("(certificate 1 (false 0))"), "certificate:1:16: not (do STEP... LEAF)");
    EXPECT_EQ(why("(certificate 1 (do))"), "certificate:1:16: not (do STEP... LEAF)");
    EXPECT_EQ(why("(certificate 1 (do (false 0) (false 0)))"), "certificate:1:20: not a step");
    EXPECT_EQ(why("(certificate 1 (do (trust 0)))"), "certificate:1:20: not a leaf");
    EXPECT_EQ(why("(certificate 1 (do (false zero)))"), "certificate:1:27: not an integer");
    EXPECT_EQ(why("(certificate 1 (do (false 00)))"), "");
    EXPECT_NE(why(std::string(17U << 20U, ' ')).find("a file of more than 16 MiB"),
              std::string::npos);
}

// The certificate of one text is none of another, though only a constant differs.
TEST(CertificateText, BelongsToOneText) {
    const std::string proof = "(certificate 1 (do (farkas ((0 1)(1 1)))))";
    const auto text = [](const std::string& bound) {
        return text_of("(assert (>= x " + bound + "))(assert (not (>= x 3)))");
    };
    EXPECT_TRUE(check_certificate(text("3"), proof).accepted);
    EXPECT_TRUE(check_certificate(text("4"), proof).accepted);
    EXPECT_FALSE(check_certificate(text("2"), proof).accepted);
    EXPECT_FALSE(check_certificate(text("(- 3)"), proof).accepted);
    EXPECT_FALSE(check_certificate(proof, text("3")).accepted);
}

// --- size ----------------------------------------------------------------------------------------

std::string repeated(const std::string& what, std::size_t times) {
    std::string out;
    for (std::size_t i = 0; i < times; ++i) out += what;
    return out;
}

// (define-fun t1 () SORT (OP t0 t0)) and so on.
std::string diamond(const std::string& sort, const std::string& op, const std::string& first,
                    std::size_t depth) {
    std::string out = "(define-fun t0 () " + sort + " " + first + ")";
    for (std::size_t i = 1; i <= depth; ++i) {
        const std::string below = "t" + std::to_string(i - 1);
        out += "(define-fun t" + std::to_string(i) + " () " + sort + " (" + op + " " + below + " " +
               below + "))\n";
    }
    return out;
}

TEST(CertificateSize, SharedDefinitionsStayShared) {
    expect_all({
        {"2^64 x", diamond("Int", "+", "x", 64) + "(assert (> t64 0))(assert (<= x 0))",
         "(do (farkas ((0 1)(1 18446744073709551616))))", ""},
        {"claims", diamond("Bool", "and", "b", 64) + "(assert t64)(assert (not t64))",
         "(do (clash 0 1))", ""},
        {"equivalences", diamond("Bool", "=", "b", 64) + "(assert t64)(assert (not t64))",
         "(do (clash 0 1))", ""},
        {"opaque terms", diamond("(_ BitVec 8)", "bvadd", "u", 64) + "(assert (not (= t64 t64)))",
         "(do (false 0))", ""},
        {"a conjunction that opens into too many", diamond("Bool", "and", "b", 64) + "(assert t64)",
         "(do (and 0) (clash 0 0))", "limit: "},
        {"a power that is too high", diamond("Int", "*", "x", 64) + "(assert (> t64 0))",
         "(do (false 0))", "limit: "},
        {"a product that is too long",
         diamond("Int", "*", "(+ x y z n 1)", 5) + "(assert (> t5 0))", "(do (false 0))",
         "limit: "},
        {"numbers that grow without end", "(assert (>= (* 3 x) 5))",
         "(do " + repeated("(square 99999999999999999999)", 1) +
             [] {
                 std::string out;
                 for (std::size_t i = 1; i < 40; ++i) {
                     out += "(mul " + std::to_string(i) + " " + std::to_string(i) + ")";
                 }
                 return out;
             }() +
             "(false 0))",
         "65,536 bits"},
    });
}

TEST(CertificateSize, DeepInputsAreNoTrouble) {
    const std::size_t deep = 100'000;
    const std::string term = repeated("(- ", deep) + "x" + repeated(")", deep);
    expect_all({
        {"a deep term in the text", "(assert (> " + term + " 0))", "(do (false 0))",
         "nested deeper than 1,000"},
        {"and in the certificate", "(assert false)", "(do (square " + term + ") (false 0))",
         "nested deeper than 1,000"},
        {"parentheses alone", repeated("(", deep) + repeated(")", deep), "(do (false 0))",
         "a command that is not allowed"},
        {"deep branches", "(assert false)",
         repeated("(do (split b (do (false 0)) ", deep) + "(do (false 0))" + repeated("))", deep),
         ""},
    });
}

TEST(CertificateSize, ManyDefinitions) {
    std::string sum = "(define-fun s0 () Int x)";
    for (int i = 1; i <= 2000; ++i) {
        sum += "(declare-fun v" + std::to_string(i) + " () Int)(assert (>= v" + std::to_string(i) +
               " 0))(define-fun s" + std::to_string(i) + " () Int (+ s" + std::to_string(i - 1) +
               " v" + std::to_string(i) + "))";
    }
    std::string all;
    for (int i = 0; i < 2000; ++i) all += "(" + std::to_string(i) + " 1)";
    expect_all({{"a sum of 2,000 terms", sum + "(assert (>= x 0))(assert (< s2000 0))",
                 "(do (farkas (" + all + "(2000 1)(2001 1))))", ""}});
}

}  // namespace
}  // namespace proviso::certcheck
