#include "analysis/certcheck/floats.h"

#include <string>

namespace proviso::certcheck {

namespace {

constexpr unsigned kWidestExponent = 15;  // binary128
constexpr unsigned kLongestSignificand = 113;

// IEEE 754-2019: NaN by 6.2 and 7.2, signs by 6.3, exact results by 4.3 and 6.1. `RNE` is part of
// what an operator is known by: other roundings give other zeros.
const std::vector<FloatAxioms>& table() {
    static const std::vector<FloatAxioms> axioms = {
        {"fp.neg",
         1,
         true,
         {"(=> (float.nan x INF) (= p x))", "(=> (not (float.nan x INF)) (= p (- (- 1) x)))"}},
        {"fp.abs",
         1,
         true,
         {"(=> (float.negative x) (= p (- (- 1) x)))", "(=> (not (float.negative x)) (= p x))"}},
        {"ite", 2, true, {"(=> c (= p x))", "(=> (not c) (= p y))"}},
        {"fp.add",
         2,
         true,
         {"(=> (float.nan p INF) (or (float.nan x INF) (float.nan y INF) (and (float.infinite x "
          "INF) (float.infinite y INF) (xor (float.negative x) (float.negative y)))))",
          "(=> (or (float.nan x INF) (float.nan y INF) (and (float.infinite x INF) "
          "(float.infinite y INF) (xor (float.negative x) (float.negative y)))) (float.nan p INF))",
          // A zero adds nothing to what is none; zeros give a zero, and -0.0 only where both are.
          "(=> (and (float.zero y) (not (float.zero x))) (= p x))",
          "(=> (and (float.zero x) (not (float.zero y))) (= p y))",
          "(=> (and (float.zero x) (float.zero y)) (float.zero p))",
          "(=> (= p (- 1)) (and (= x (- 1)) (= y (- 1))))",
          "(=> (and (= x (- 1)) (= y (- 1))) (= p (- 1)))",
          "(=> (and (= (float.negative x) (float.negative y)) (not (float.nan p INF))) "
          "(= (float.negative p) (float.negative x)))"}},
        {"fp.sub",
         2,
         true,
         {"(=> (float.nan p INF) (or (float.nan x INF) (float.nan y INF) (and (float.infinite x "
          "INF) (float.infinite y INF) (= (float.negative x) (float.negative y)))))",
          "(=> (or (float.nan x INF) (float.nan y INF) (and (float.infinite x INF) "
          "(float.infinite y INF) (= (float.negative x) (float.negative y)))) (float.nan p INF))",
          "(=> (and (float.zero y) (not (float.zero x))) (= p x))",
          "(=> (and (float.zero x) (not (float.zero y)) (not (float.nan y INF))) "
          "(= p (- (- 1) y)))",
          "(=> (and (float.zero x) (float.zero y)) (float.zero p))",
          "(=> (= p (- 1)) (and (= x (- 1)) (= y 0)))",
          "(=> (and (= x (- 1)) (= y 0)) (= p (- 1)))",
          "(=> (and (xor (float.negative x) (float.negative y)) (not (float.nan p INF))) "
          "(= (float.negative p) (float.negative x)))"}},
        {"fp.mul",
         2,
         true,
         {"(=> (float.nan p INF) (or (float.nan x INF) (float.nan y INF) (and (float.zero x) "
          "(float.infinite y INF)) (and (float.infinite x INF) (float.zero y))))",
          "(=> (or (float.nan x INF) (float.nan y INF) (and (float.zero x) (float.infinite y INF)) "
          "(and (float.infinite x INF) (float.zero y))) (float.nan p INF))",
          "(=> (not (float.nan p INF)) "
          "(= (float.negative p) (xor (float.negative x) (float.negative y))))",
          "(=> (and (float.zero x) (not (float.nan p INF))) (float.zero p))",
          "(=> (and (float.zero y) (not (float.nan p INF))) (float.zero p))",
          "(=> (= x ONE) (= p y))", "(=> (= y ONE) (= p x))"}},
        {"fp.div",
         2,
         true,
         {"(=> (float.nan p INF) (or (float.nan x INF) (float.nan y INF) (and (float.zero x) "
          "(float.zero y)) (and (float.infinite x INF) (float.infinite y INF))))",
          "(=> (or (float.nan x INF) (float.nan y INF) (and (float.zero x) (float.zero y)) "
          "(and (float.infinite x INF) (float.infinite y INF))) (float.nan p INF))",
          "(=> (not (float.nan p INF)) "
          "(= (float.negative p) (xor (float.negative x) (float.negative y))))",
          "(=> (and (float.zero x) (not (float.nan p INF))) (float.zero p))",
          "(=> (and (float.infinite y INF) (not (float.nan p INF))) (float.zero p))",
          "(=> (and (float.infinite x INF) (not (float.nan p INF))) (float.infinite p INF))",
          "(=> (and (float.zero y) (not (float.nan p INF))) (float.infinite p INF))",
          "(=> (= y ONE) (= p x))"}},
        // Claims. `=` is of the values: NaN is itself, and 0.0 is not -0.0.
        {"=", 2, false, {"(=> b (= x y))", "(=> (not b) (not (= x y)))"}},
        {"fp.eq",
         2,
         false,
         {"(=> b (and (not (float.nan x INF)) (not (float.nan y INF)) "
          "(or (= x y) (and (float.zero x) (float.zero y)))))",
          "(=> (not b) (or (float.nan x INF) (float.nan y INF) "
          "(and (not (= x y)) (not (and (float.zero x) (float.zero y))))))"}},
        {"fp.lt",
         2,
         false,
         {"(=> b (and (not (float.nan x INF)) (not (float.nan y INF)) (< x y) "
          "(not (and (float.zero x) (float.zero y)))))",
          "(=> (not b) (or (float.nan x INF) (float.nan y INF) (>= x y) "
          "(and (float.zero x) (float.zero y))))"}},
        {"fp.leq",
         2,
         false,
         {"(=> b (and (not (float.nan x INF)) (not (float.nan y INF)) "
          "(or (<= x y) (and (float.zero x) (float.zero y)))))",
          "(=> (not b) (or (float.nan x INF) (float.nan y INF) "
          "(and (> x y) (not (and (float.zero x) (float.zero y))))))"}},
        {"fp.isNaN",
         1,
         false,
         {"(=> b (float.nan x INF))", "(=> (not b) (not (float.nan x INF)))"}},
        {"fp.isInfinite",
         1,
         false,
         {"(=> b (float.infinite x INF))", "(=> (not b) (not (float.infinite x INF)))"}},
        {"fp.isZero", 1, false, {"(=> b (float.zero x))", "(=> (not b) (not (float.zero x)))"}},
        {"fp.isNegative",
         1,
         false,
         {"(=> b (float.negative x))", "(=> (not b) (not (float.negative x)))"}},
        {"fp.isPositive",
         1,
         false,
         {"(=> b (and (>= x 0) (not (float.nan x INF))))",
          "(=> (not b) (or (float.negative x) (float.nan x INF)))"}},
    };
    return axioms;
}

std::optional<FloatFormat> checked(unsigned long exponent, unsigned long significand) {
    if (exponent < 2 || exponent > kWidestExponent) return std::nullopt;
    if (significand < 2 || significand > kLongestSignificand) return std::nullopt;
    return FloatFormat{static_cast<unsigned>(exponent), static_cast<unsigned>(significand)};
}

// The two numbers at the end of "(_ NAME 8 24)".
std::optional<FloatFormat> indexed(std::string_view text, std::string_view name) {
    const std::string start = "(_ " + std::string(name) + " ";
    if (text.substr(0, start.size()) != start || text.back() != ')') return std::nullopt;
    unsigned long numbers[2] = {0, 0};
    std::size_t at = 0;
    for (const char c : text.substr(start.size(), text.size() - start.size() - 1)) {
        if (c == ' ' && at == 0) {
            ++at;
        } else if (c >= '0' && c <= '9' && numbers[at] < 1000) {
            numbers[at] = numbers[at] * 10 + static_cast<unsigned long>(c - '0');
        } else {
            return std::nullopt;
        }
    }
    return checked(numbers[0], numbers[1]);
}

// Of #b0101 the digits; empty for anything else.
std::string_view bits_of(const Value& v, const Formulas& formulas) {
    if (v.sort != Sort::Other) return {};
    const std::string_view word = formulas.term(v.id).op;
    return word.substr(0, 2) == "#b" ? word.substr(2) : std::string_view();
}

constexpr std::string_view kNaN = "NaN";
constexpr std::string_view kConstants[] = {"NaN", "+oo", "-oo", "+zero", "-zero"};

}  // namespace

std::optional<FloatFormat> format_of_sort(std::string_view sort) {
    return indexed(sort, "FloatingPoint");
}

std::optional<FloatFormat> format_of_result(const Term& t, const Formulas& formulas,
                                            const std::vector<std::optional<FloatFormat>>& args) {
    if (t.op == "fp" && t.args.size() == 3) {
        if (bits_of(t.args[0], formulas).size() != 1) return std::nullopt;
        const std::size_t exponent = bits_of(t.args[1], formulas).size();
        const std::size_t fraction = bits_of(t.args[2], formulas).size();
        return checked(exponent, fraction + 1);
    }
    for (const std::string_view constant : kConstants) {
        if (t.args.empty()) {
            if (const auto f = indexed(t.op, constant)) return f;
        }
    }
    for (const char* conversion : {"to_fp", "to_fp_unsigned"}) {
        if (const auto f = indexed(t.op, conversion)) return f;
    }
    const FloatAxioms* known = float_axioms(t.op);
    const bool gives_float = known != nullptr ? known->gives_float
                                              : t.op == "fp.sqrt" || t.op == "fp.roundToIntegral" ||
                                                    t.op == "fp.fma" || t.op == "fp.rem" ||
                                                    t.op == "fp.min" || t.op == "fp.max";
    if (!gives_float || args.empty() || !args.back()) return std::nullopt;
    for (const auto& f : args) {
        if (f && !(*f == *args.back())) return std::nullopt;
    }
    return args.back();
}

Integer code_of_infinity(FloatFormat f) {
    return ((Integer(1) << f.exponent) - 1) << (f.significand - 1);
}

Integer code_of_one(FloatFormat f) {
    return ((Integer(1) << (f.exponent - 1)) - 1) << (f.significand - 1);
}

std::optional<Integer> code_of_constant(const Term& t, const Formulas& formulas, FloatFormat f) {
    const Integer infinity = code_of_infinity(f);
    if (t.op == "fp" && t.args.size() == 3) {
        Integer code = 0;
        for (std::size_t i = 1; i < 3; ++i) {
            for (const char bit : bits_of(t.args[i], formulas)) code = code * 2 + (bit == '1');
        }
        if (code > infinity) return Integer(infinity + 1);
        return bits_of(t.args[0], formulas) == "1" ? Integer(-1 - code) : code;
    }
    if (!t.args.empty()) return std::nullopt;
    for (const std::string_view constant : kConstants) {
        if (!indexed(t.op, constant)) continue;
        if (constant == kNaN) return Integer(infinity + 1);
        const Integer code = constant.substr(1) == "oo" ? infinity : Integer(0);
        return constant[0] == '-' ? Integer(-1 - code) : code;
    }
    return std::nullopt;
}

const FloatAxioms* float_axioms(std::string_view op) {
    for (const FloatAxioms& a : table()) {
        if (a.op == op) return &a;
    }
    return nullptr;
}

std::string_view float_range() {
    return "(<= (- (- 1) INF) p (+ INF 1))";
}

std::string_view float_functions() {
    return "(define-fun float.nan ((float.x Int) (float.m Int)) Bool (> float.x float.m))"
           "(define-fun float.infinite ((float.x Int) (float.m Int)) Bool "
           "(or (= float.x float.m) (= float.x (- (- 1) float.m))))"
           "(define-fun float.zero ((float.x Int)) Bool (<= (- 1) float.x 0))"
           "(define-fun float.negative ((float.x Int)) Bool (< float.x 0))";
}

}  // namespace proviso::certcheck
