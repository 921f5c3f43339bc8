#include "analysis/smt/read_values.h"

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "analysis/smt/values.h"

namespace proviso::analysis::smt {

using ir::Expr;
using ir::Int128;
using ir::ScalarType;

namespace {

// The words of "(a (b c))", parentheses as words of their own.
std::vector<std::string> words_of(std::string_view text) {
    std::vector<std::string> out;
    std::string word;
    const auto flush = [&] {
        if (!word.empty()) out.push_back(std::move(word));
        word.clear();
    };
    for (const char c : text) {
        if (c == '(' || c == ')' || c == ' ' || c == '\n' || c == '\t') {
            flush();
            if (c == '(' || c == ')') out.emplace_back(1, c);
        } else {
            word += c;
        }
    }
    flush();
    return out;
}

std::optional<Int128> read_digits(std::string_view digits, unsigned base) {
    if (digits.empty()) return std::nullopt;
    Int128 value = 0;
    for (const char c : digits) {
        unsigned d = 99;
        if (c >= '0' && c <= '9') d = static_cast<unsigned>(c - '0');
        if (c >= 'a' && c <= 'f') d = static_cast<unsigned>(c - 'a') + 10;
        if (c >= 'A' && c <= 'F') d = static_cast<unsigned>(c - 'A') + 10;
        if (d >= base || value > (Int128{1} << 100)) return std::nullopt;
        value = value * base + d;
    }
    return value;
}

// "#b..", "#x..", or "bv5" of "(_ bv5 8)".
std::optional<Int128> read_bits(std::string_view word) {
    if (word.substr(0, 2) == "#b") return read_digits(word.substr(2), 2);
    if (word.substr(0, 2) == "#x") return read_digits(word.substr(2), 16);
    if (word.substr(0, 2) == "bv") return read_digits(word.substr(2), 10);
    return std::nullopt;
}

std::optional<double> read_float(ScalarType type, const std::vector<std::string>& words) {
    const FloatFormat format = float_format(type);
    if (words.size() >= 5 && words[1] == "_") {
        if (words[2] == "NaN") return std::numeric_limits<double>::quiet_NaN();
        if (words[2] == "+oo") return std::numeric_limits<double>::infinity();
        if (words[2] == "-oo") return -std::numeric_limits<double>::infinity();
        if (words[2] == "+zero") return 0.0;
        if (words[2] == "-zero") return -0.0;
        return std::nullopt;
    }
    if (words.size() < 6 || words[1] != "fp") return std::nullopt;
    const auto sign = read_bits(words[2]);
    const auto exponent = read_bits(words[3]);
    const auto fraction = read_bits(words[4]);
    if (!sign || !exponent || !fraction) return std::nullopt;
    const int stored = format.significand - 1;
    const int bias = (1 << (format.exponent - 1)) - 1;
    const int e = static_cast<int>(*exponent);
    const double f = static_cast<double>(*fraction);
    double value = 0;
    if (e == (1 << format.exponent) - 1) {
        value = f == 0 ? std::numeric_limits<double>::infinity()
                       : std::numeric_limits<double>::quiet_NaN();
    } else if (e == 0) {
        value = std::ldexp(f, 1 - bias - stored);
    } else {
        value = std::ldexp(std::ldexp(1.0, stored) + f, e - bias - stored);
    }
    return *sign != 0 ? -value : value;
}

}  // namespace

std::optional<Int128> read_integer(std::string_view text) {
    const std::vector<std::string> words = words_of(text);
    if (words.size() == 1) return read_digits(words[0], 10);
    if (words.size() == 4 && words[0] == "(" && words[1] == "-") {
        const auto value = read_digits(words[2], 10);
        if (value) return -*value;
    }
    return std::nullopt;
}

std::optional<Expr> read_constant(ir::Context& ctx, ScalarType type, std::string_view text) {
    const std::vector<std::string> words = words_of(text);
    if (words.empty()) return std::nullopt;
    if (type.is_bool()) {
        if (words[0] == "true") return ctx.true_();
        if (words[0] == "false") return ctx.false_();
        return std::nullopt;
    }
    if (type.is_float()) {
        const auto value = read_float(type, words);
        if (!value) return std::nullopt;
        return ctx.float_imm(type, *value);
    }
    std::optional<Int128> value;
    if (type.is_exact_int()) {
        value = read_integer(text);
    } else {
        value = read_bits(words[0] == "(" && words.size() > 2 ? words[2] : words[0]);
        if (value && *value > type.max_value()) *value -= Int128{1} << type.bits;
    }
    if (!value || !type.contains(*value)) return std::nullopt;
    return ctx.int_imm(type, *value);
}

}  // namespace proviso::analysis::smt
