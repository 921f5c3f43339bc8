#include "fuzz/inputs/mutate.h"

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>
#include <utility>

namespace proviso::fuzz::inputs {

using nlohmann::json;

namespace {

struct Token {
    std::size_t at = 0;
    std::size_t size = 0;
};

bool in_word(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

enum class Kind { Word, Number, Sign };
Kind kind_of(char first) {
    if (std::isdigit(static_cast<unsigned char>(first)) != 0) return Kind::Number;
    return in_word(first) ? Kind::Word : Kind::Sign;
}

// Words, numbers, and every other character that is no space.
std::vector<Token> tokens_of(const std::string& text) {
    std::vector<Token> out;
    for (std::size_t i = 0; i < text.size();) {
        std::size_t end = i + 1;
        while (in_word(text[i]) && end < text.size() && in_word(text[end])) ++end;
        if (std::isspace(static_cast<unsigned char>(text[i])) == 0) out.push_back({i, end - i});
        i = end;
    }
    return out;
}

std::string repeated(const std::string& part, std::size_t times) {
    std::string out;
    out.reserve(part.size() * times);
    for (std::size_t i = 0; i < times; ++i) out += part;
    return out;
}

std::size_t depth(Random& random) {
    return random.of(std::vector<std::size_t>{3, 30, 199, 201, 1001, 4001, 50'001, 100'000});
}

std::string nested(Random& random, const std::string& inner) {
    static const std::vector<std::pair<std::string, std::string>> around = {
        {"(", ")"},
        {"[", "]"},
        {"{", "}"},
        {"-", ""},
        {"not ", ""},
        {"~", ""},
        {"1 + ", ""},
        {"x // (", ")"},
        {"A[", "]"},
        {"T.abs(", ")"},
        {"(", ""},
        {"", ")"},
        {"lambda x: ", ""},
        {"", " + x"},
        {"", ".x"},
        {"", "[0]"},
        {"if x:\n ", ""},
        {"{\"a\":", "}"},
        {"T.Cast(\"int8\", ", ")"},
    };
    const auto& [before, after] = random.of(around);
    const std::size_t times = depth(random);
    return repeated(before, times) + inner + repeated(after, times);
}

const std::vector<std::string>& odd_texts() {
    static const std::vector<std::string> all = {
        std::string(1, '\0'),
        "\xff",
        "\xef\xbb\xbf",
        "\r",
        "\t",
        "\"",
        "'",
        "\\",
        "#",
        "\n",
        "\n\n",
        "  ",
        "/",
        "..",
        "\xe2\x88\x9e",
        "%s%n",
        "\"\"\"",
        "T.",
        "sch.",
        "@",
        ";",
        "None",
        "NaN",
        "T.undef()",
        "lambda",
        "import",
        "\x7f",
        "\x1b[2J",
        "0x",
        "1e999999",
        "-0.0",
        "**",
        "<<",
        "// 0",
        "% 0",
    };
    return all;
}

void change_bytes(Random& random, std::string& text) {
    const std::size_t at = random.below(text.size());
    const std::size_t size = 1 + random.below(std::min<std::size_t>(40, text.size() - at));
    switch (random.below(5)) {
        case 0: text[at] = static_cast<char>(text[at] ^ (1 << random.below(8))); break;
        case 1: text[at] = static_cast<char>(random.below(256)); break;
        case 2: text.erase(at, size); break;
        case 3: text.insert(random.below(text.size()), text.substr(at, size)); break;
        default:
            if (random.one_in(3))
                text.resize(at);
            else
                text.insert(at, random.of(odd_texts()));
    }
}

void change_tokens(Random& random, std::string& text, const std::string& other) {
    const std::vector<Token> all = tokens_of(text);
    if (all.empty()) return;
    const Token t = random.of(all);
    const std::string word = text.substr(t.at, t.size);
    switch (std::min<std::size_t>(random.below(14), 8)) {
        case 0: {
            const Token u = random.of(all);
            if (u.at == t.at) return;
            const auto [first, second] = t.at < u.at ? std::pair(t, u) : std::pair(u, t);
            const std::string a = text.substr(first.at, first.size);
            const std::string b = text.substr(second.at, second.size);
            text.replace(second.at, second.size, a);
            text.replace(first.at, first.size, b);
            return;
        }
        case 1: text.erase(t.at, t.size); return;
        case 2: text.replace(t.at, t.size, nested(random, word)); return;
        case 3: text.replace(t.at, t.size, odd_number(random)); return;
        case 4:
        case 5:
        case 6: {
            // A word for a word, a number for a number, a sign for a sign: most of these are read.
            const std::string& from = random.one_in(2) ? text : other;
            std::vector<Token> alike;
            for (const Token& u : tokens_of(from)) {
                if (kind_of(from[u.at]) == kind_of(word[0])) alike.push_back(u);
            }
            if (alike.empty()) return;
            const Token u = random.of(alike);
            text.replace(t.at, t.size, from.substr(u.at, u.size));
            return;
        }
        case 7: text.insert(t.at, repeated(word + " ", 1 + random.below(20))); return;
        default: {  // numbers, where there are any
            std::vector<Token> numbers;
            for (const Token& u : all) {
                if (kind_of(text[u.at]) == Kind::Number) numbers.push_back(u);
            }
            if (numbers.empty()) return;
            const Token u = random.of(numbers);
            text.replace(u.at, u.size,
                         random.one_in(2) ? odd_number(random) : std::to_string(random.below(20)));
        }
    }
}

void change_lines(Random& random, std::string& text) {
    std::vector<std::string> lines(1);
    for (const char c : text) {
        lines.back() += c;
        if (c == '\n') lines.emplace_back();
    }
    const std::size_t at = random.below(lines.size());
    switch (random.below(4)) {
        case 0: lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(at)); break;
        case 1: std::swap(lines[at], lines[random.below(lines.size())]); break;
        case 2: lines[at] = repeated(" ", random.below(9)) + lines[at]; break;
        default: lines[at] = repeated(lines[at], random.of(std::vector<std::size_t>{2, 3, 300}));
    }
    text.clear();
    for (const std::string& line : lines) text += line;
}

json odd_value(Random& random, const json& was) {
    switch (random.below(12)) {
        case 0: return nullptr;
        case 1: return true;
        case 2: return -1;
        case 3: return 18'446'744'073'709'551'615U;
        case 4: return 1e308;
        case 5: return "";
        case 6: return json::array();
        case 7: return json::object();
        case 8: return json::array({was, was});
        case 9: return odd_number(random);
        case 10: {
            json out = was;
            for (std::size_t i = random.below(190); i > 0; --i) out = json::array({out});
            return out;
        }
        default:
            if (!was.is_string()) return "body/0/body";
            return mutated(random, was.get<std::string>(), "body i j 0 A[i] and");
    }
}

// Visits values in order; the one with the number is changed.
json with_change(Random& random, const json& value, std::size_t& left) {
    if (left-- == 0) return odd_value(random, value);
    if (!value.is_structured()) return value;
    json out = value.is_object() ? json::object() : json::array();
    for (auto it = value.begin(); it != value.end(); ++it) {
        const bool here = left == 0;
        if (here && random.one_in(4)) {  // left out, or under another name
            --left;
            if (value.is_object() && random.one_in(2)) out[it.key() + "x"] = *it;
            continue;
        }
        json part = with_change(random, *it, left);
        if (value.is_object()) {
            out[it.key()] = std::move(part);
        } else {
            if (here && random.one_in(4)) out.push_back(part);
            out.push_back(std::move(part));
        }
    }
    return out;
}

std::size_t count_of(const json& value) {
    std::size_t out = 1;
    if (!value.is_structured()) return out;
    for (const json& part : value) out += count_of(part);
    return out;
}

}  // namespace

Random::Random(std::uint64_t seed, std::uint64_t number)
    : state_(seed * 0x9e3779b97f4a7c15ULL + number * 0xd1342543de82ef95ULL) {
    next();
}

std::uint64_t Random::next() {
    state_ += 0x9e3779b97f4a7c15ULL;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
}

std::size_t Random::below(std::size_t n) {
    return n == 0 ? 0 : static_cast<std::size_t>(next() % n);
}

std::string odd_number(Random& random) {
    static const std::vector<std::string> all = {
        "0",
        "-1",
        "1",
        "127",
        "128",
        "255",
        "256",
        "2147483647",
        "2147483648",
        "-2147483648",
        "4294967296",
        "1000000",
        "1000000000",
        "65536",
        "9223372036854775807",
        "9223372036854775808",
        "-9223372036854775808",
        "18446744073709551615",
        "18446744073709551616",
        "1e400",
        "0x7f",
        "0.1",
        "-0",
        "1e-400",
        "nan",
        "inf",
        "63",
    };
    if (random.one_in(12)) return repeated("9", depth(random));
    return random.of(all);
}

std::string mutated(Random& random, std::string text, const std::string& other) {
    // Mostly one: of more, the first that is not read hides the others.
    const std::size_t times = random.one_in(3) ? 1 + random.below(4) : 1;
    for (std::size_t n = times; n > 0 && !text.empty(); --n) {
        const std::size_t how = random.below(8);
        if (how < 1)
            change_bytes(random, text);
        else if (how < 7)
            change_tokens(random, text, other);
        else
            change_lines(random, text);
    }
    return text;
}

json mutated(Random& random, const json& value) {
    std::size_t which = random.below(count_of(value));
    return with_change(random, value, which);
}

}  // namespace proviso::fuzz::inputs
