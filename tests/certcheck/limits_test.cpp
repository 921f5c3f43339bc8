// What would make the checker hang, use up the machine or read beyond an array: each is rejected,
// by a limit or because it says nothing. All of them within seconds.
#include "tests/certcheck/support.h"

namespace proviso::certcheck {
namespace {

std::string number(std::size_t i) {
    return std::to_string(i);
}

// What `part` gives for 0, 1, .., in a row.
template <class Part>
std::string row(std::size_t count, const Part& part) {
    std::string out;
    for (std::size_t i = 0; i < count; ++i) out += part(i);
    return out;
}

std::string repeated(const std::string& what, std::size_t times) {
    return row(times, [&](std::size_t) { return what; });
}

TEST(CertificateLimits, ClaimsHaveAsManyArgumentsAsTheyTake) {
    const std::string any = "(assert b)";
    const auto step = [](const std::string& term) {
        return "(do (split " + term + " (do (false 0)) (do (false 0))))";
    };
    std::vector<Case> cases;
    for (const char* claim :
         {"bvult", "bvule", "bvugt", "bvuge", "bvslt", "bvsle", "bvsgt", "bvsge"}) {
        for (const char* terms : {"", " u", " u w u", " u w u w"}) {
            const std::string term = "(" + std::string(claim) + terms + ")";
            cases.push_back({"trap: " + term, any, step(term),
                             *terms == 0 ? "not a term" : "another number of terms"});
            cases.push_back({"trap: bits of " + term, any, "(do (bits " + term + ") (false 1))",
                             *terms == 0 ? "not a term" : "another number of terms"});
        }
        cases.push_back(
            {"trap: an Int", any, step("(" + std::string(claim) + " x u)"), "this is an Int"});
        cases.push_back(
            {"trap: a Bool", any, step("(" + std::string(claim) + " u b)"), "this is a Bool"});
        cases.push_back(
            {"trap: a float", any, step("(" + std::string(claim) + " u r)"), "no bit-vector"});
        cases.push_back({"trap: two widths", any, step("(" + std::string(claim) + " u #x123)"),
                         "of one width"});
    }
    for (const char* claim : {"fp.lt", "fp.leq", "fp.gt", "fp.geq", "fp.eq"}) {
        cases.push_back({"trap: three floats", any, step("(" + std::string(claim) + " r s r)"),
                         "another number"});
        cases.push_back({"trap: bits", any, step("(" + std::string(claim) + " r u)"), "no float"});
    }
    for (const char* claim : {"fp.isNaN", "fp.isZero", "fp.isInfinite", "fp.isNegative"}) {
        cases.push_back(
            {"trap: two floats", any, step("(" + std::string(claim) + " r s)"), "another number"});
        cases.push_back(
            {"trap: an Int", any, step("(" + std::string(claim) + " x)"), "this is an Int"});
    }
    cases.push_back(
        {"trap: two numbers", any, "(do (square (bv2nat u w)) (false 1))", "another number"});
    cases.push_back({"trap: bits are no float", any, step("(= u r)"), "a bit-vector and a float"});
    cases.push_back(
        {"trap: nor in a choice", any, step("(= (ite b u r) u)"), "a bit-vector and a float"});
    cases.push_back(
        {"trap: nor of another width", any, step("(distinct u #x123)"), "of one width"});
    cases.push_back({"trap: an argument of another width",
                     "(declare-fun q ((_ BitVec 9)) Bool)(assert b)", step("(q u)"),
                     "of another sort"});
    cases.push_back({"trap: a definition of another width",
                     "(define-fun q () (_ BitVec 9) u)(assert b)", "(do (false 0))",
                     "of another sort"});
    expect_all(cases);
}

// Macros that use the one before twice, each time with another argument.
std::string doubling(const std::string& sort, const std::string& first, const std::string& body) {
    std::string out = "(define-fun m0 ((a " + sort + ")) " + sort + " " + first + ")";
    for (std::size_t i = 1; i < 40; ++i) {
        std::string next = body;
        for (std::size_t at = next.find("m "); at != std::string::npos;
             at = next.find("m ", at + 1)) {
            next.replace(at, 2, "m" + number(i - 1) + " ");
        }
        out += "(define-fun m" + number(i) + " ((a " + sort + ")) " + sort + " " + next + ")";
    }
    return out;
}

TEST(CertificateLimits, MacrosThatDoubleAreNotExpandedForEver) {
    expect_all({
        {"of Ints",
         doubling("Int", "(+ a 1)", "(+ (m (* 2 a)) (m (+ 1 (* 2 a))))") + "(assert (> (m39 x) 0))",
         "(do (false 0))", "limit: "},
        {"of bits",
         doubling("(_ BitVec 8)", "(bvnot a)", "(bvadd (m (bvnot a)) (m (bvneg a)))") +
             "(assert (= (m39 u) u))",
         "(do (false 0))", "limit: "},
        {"of claims",
         "(declare-fun q (Bool Bool) Bool)" +
             doubling("Bool", "a", "(or (m (q a b)) (m (q b a)))") + "(assert (m39 b))",
         "(do (false 0))", "limit: "},
    });
}

TEST(CertificateLimits, ConstantsOfAMillionDigits) {
    const std::string digits(1'000'000, '9');
    const std::string ones(1'000'000, '1');
    expect_all({
        {"an Int", "(assert (= x " + digits + "))", "(do (false 0))", "limit: a number of more"},
        {"a multiplier", "(assert (>= x 0))", "(do (farkas ((0 " + digits + "))))",
         "limit: a number of more"},
        {"bits, in decimal", "(assert (= u (_ bv" + digits + " 8)))",
         "(do (bits (_ bv" + digits + " 8)) (false 0))", "neither a bit-vector"},
        {"bits, in hexadecimal", "(assert b)", "(do (bits #x" + digits + ") (false 0))",
         "neither a bit-vector"},
        {"bits, one by one", "(assert b)", "(do (bits #b" + ones + ") (false 0))",
         "neither a bit-vector"},
        {"a number of bits", "(declare-fun d () (_ BitVec " + digits + "))(assert b)",
         "(do (bits d) (false 0))", "neither a bit-vector"},
        {"a thousand long ones",
         "(assert (and " +
             row(1500,
                 [](std::size_t i) {
                     return "(= x 1" + number(i) + std::string(9990, '9') + ")";
                 }) +
             "))",
         "(do (and 0) (false 1))", "not a claim on a constant"},
    });
}

TEST(CertificateLimits, BindingsOfOneLet) {
    const auto names = [](std::size_t count) {
        return row(count, [](std::size_t i) { return "(a" + number(i) + " x)"; });
    };
    expect_all({
        {"400,000 names", "(assert (let (" + names(400'000) + ") (> a0 a399999)))",
         "(do (false 0))", ""},
        {"trap: the last is bound twice",
         "(assert (let (" + names(400'000) + "(a399999 y)) (> a0 x)))", "(do (false 0))",
         "bound twice"},
        {"names within names",
         "(assert " + repeated("(let (" + names(400) + ") ", 990) + "(> a0 x)" +
             repeated(")", 990) + ")",
         "(do (false 0))", "limit: "},
    });
}

TEST(CertificateLimits, DefinitionsThatEachUseTheOneBefore) {
    const auto chain = [](const std::string& sort, const std::string& first,
                          const std::string& op) {
        return "(define-fun d0 () " + sort + " " + first + ")" + row(200'000, [&](std::size_t i) {
                   return "(define-fun d" + number(i + 1) + " () " + sort + " (" + op + " d" +
                          number(i) + "))\n";
               });
    };
    expect_all({
        {"of bits", chain("(_ BitVec 8)", "u", "bvnot") + "(assert b)",
         "(do (bitwise (bv2nat d200000)) (false 0))", "more than 1,000 operators"},
        {"of Ints", chain("Int", "x", "- 1") + "(assert (= d200000 x))(assert (> x 1))",
         "(do (farkas ((1 1))))", "atoms remain"},
        {"of claims", chain("Bool", "b", "and c") + "(assert d200000)(assert (not c))",
         "(do (and 0) (clash 1 2))", ""},
    });
}

TEST(CertificateLimits, ProductsOfThousandsOfDigits) {
    const std::string big(9000, '9');
    const std::string names =
        row(300, [](std::size_t i) { return "(declare-fun y" + number(i) + " () Int)"; });
    const std::string sum =
        "(define-fun t () Int (+ " +
        row(300, [&](std::size_t i) { return "(* " + big + " y" + number(i) + ")"; }) + "))";
    expect_all({
        {"in the text", names + sum + "(assert (> (* t t) 0))", "(do (false 0))", "limit: "},
        {"in the certificate", names + sum + "(assert (>= t 0))",
         "(do " + repeated("(mul 0 0)", 2000) + " (false 0))", "limit: "},
        {"their common divisors", names + sum + "(assert (>= t 0))",
         "(do " + repeated("(cut ((0 1)))", 20'000) + " (false 0))", "limit: "},
    });
}

TEST(CertificateLimits, StepsThatAreShortAndDoMuch) {
    const std::string many =
        row(20'000, [](std::size_t i) { return "(declare-fun c" + number(i) + " () Bool)"; });
    const std::string parts = row(20'000, [](std::size_t i) { return " c" + number(i); });
    const std::string wide =
        row(6, [](std::size_t i) { return "(declare-fun v" + number(i) + " () (_ BitVec 1024))"; });
    const std::string bits = row(6, [](std::size_t i) { return " (bv2nat v" + number(i) + ")"; });
    const std::string ints =
        row(5000, [](std::size_t i) { return "(declare-fun y" + number(i) + " () Int)"; });
    const std::string terms = row(5000, [](std::size_t i) { return " y" + number(i); });
    expect_all({
        {"parts of a long disjunction", many + "(assert (or" + parts + "))(assert (not c0))",
         "(do " + repeated("(unit 0 0 1)", 400'000) + " (false 0))", "limit: "},
        {"bounds of wide bit-vectors", wide + "(assert b)",
         "(do " + repeated("(bitwise (+" + bits + "))", 50'000) + " (false 0))", "limit: "},
        {"a long equation many times", ints + "(assert (= 0 (+" + terms + ")))",
         "(do " + row(100'000, [](std::size_t i) { return "(times 0 " + number(i) + ")"; }) +
             " (false 0))",
         "limit: "},
        {"each with each", "(assert (distinct " + repeated("x ", 1'000'000) + "))",
         "(do (false 0))", "limit: "},
        {"words", "(assert " + repeated("a ", 5'000'000) + ")", "(do (false 0))",
         "limit: more than 4,000,000"},
        {"brackets", repeated("(", 5'000'000), "(do (false 0))", "limit: more than 4,000,000"},
        {"a large file", std::string(17'000'000, ' '), "(do (false 0))", "limit: a file of more"},
    });
}

}  // namespace
}  // namespace proviso::certcheck
