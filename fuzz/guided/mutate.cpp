#include "fuzz/guided/mutate.h"

#include <algorithm>
#include <charconv>
#include <initializer_list>
#include <set>

#include "fuzz/guided/words.h"

namespace proviso::fuzz {

namespace {

using Kind = TextPart::Kind;
using Parts = std::vector<TextPart>;
using Words = std::vector<std::string>;

constexpr std::int64_t kMostNumber = 64;     // that a change makes
constexpr std::size_t kMostLines = 40;       // of a schedule
constexpr std::size_t kMostProgram = 8'000;  // bytes

std::string joined(const Parts& parts) {
    std::string out;
    for (const TextPart& p : parts) out += p.text;
    return out;
}

Words lines_of(const std::string& text) {
    Words out;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size() - 1);
        out.push_back(text.substr(at, end - at + 1));
        at = end + 1;
    }
    if (!out.empty() && out.back().back() != '\n') out.back() += '\n';
    return out;
}
std::string text_of(const Words& lines) {
    std::string out;
    for (const std::string& line : lines) out += line;
    return out;
}

std::size_t place_in(std::size_t count, Choice& choice) {
    return static_cast<std::size_t>(choice.next() % count);
}

// Where the parts fit.
template <typename Fits>
std::vector<std::size_t> places(const Parts& parts, const Fits& fits) {
    std::vector<std::size_t> out;
    for (std::size_t k = 0; k < parts.size(); ++k) {
        if (fits(parts[k])) out.push_back(k);
    }
    return out;
}

bool is_integer(const TextPart& p) {
    return p.kind == Kind::Number && std::all_of(p.text.begin(), p.text.end(), is_digit);
}

std::string other_number(const std::string& digits, Choice& choice) {
    std::int64_t n = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), n);
    switch (choice.weighted({4, 4, 2, 2, 3})) {
        case 0: n += 1; break;
        case 1: n -= 1; break;
        case 2: n *= 2; break;
        case 3: n /= 2; break;
        default: n = choice.pick({0, 1, 2, 3, 4, 7, 8, 16});
    }
    return std::to_string(std::clamp<std::int64_t>(n, 0, kMostNumber));
}

// At one place, or wherever the number stands.
void change_number(Parts& parts, Choice& choice, int everywhere) {
    const auto at = places(parts, is_integer);
    if (at.empty()) return;
    const std::string was = parts[choice.pick(at)].text;
    const std::string is = other_number(was, choice);
    const bool all = choice.chance(everywhere);
    std::vector<std::size_t> same;
    for (const std::size_t k : at) {
        if (parts[k].text == was) same.push_back(k);
    }
    if (!all) same = {choice.pick(same)};
    for (const std::size_t k : same) parts[k].text = is;
}

// One of `sets`, by another one of its set; at one place.
void change_within(Parts& parts, Choice& choice, const std::vector<Words>& sets) {
    const auto set_of = [&](const std::string& text) {
        return std::find_if(sets.begin(), sets.end(), [&](const Words& set) {
            return std::find(set.begin(), set.end(), text) != set.end();
        });
    };
    const auto at = places(parts, [&](const TextPart& p) { return set_of(p.text) != sets.end(); });
    if (at.empty()) return;
    std::string& text = parts[choice.pick(at)].text;
    text = choice.pick(*set_of(text));
}

const std::vector<Words>& operators() {
    static const std::vector<Words> sets = {{"<", "<=", ">", ">=", "==", "!="},
                                            {"+", "-", "*", "//", "%"},
                                            {"&", "|", "^"},
                                            {"min", "max"},
                                            {"and", "or"},
                                            {"floordiv", "truncdiv", "floormod", "truncmod"},
                                            {"range", "parallel", "vectorized", "unroll"}};
    return sets;
}

// A type by another one, wherever it stands.
void change_type(Parts& parts, Choice& choice) {
    static const Words types = {"int8",   "int16",   "int32",   "int64",  "uint8",
                                "uint16", "float16", "float32", "float64"};
    const auto type_of = [](const TextPart& p) {
        const bool quoted = p.kind == Kind::Quoted && p.text.size() > 2;
        return quoted ? p.text.substr(1, p.text.size() - 2) : p.text;
    };
    const auto is_type = [&](const TextPart& p) {
        return std::find(types.begin(), types.end(), type_of(p)) != types.end();
    };
    const auto at = places(parts, is_type);
    if (at.empty()) return;
    const std::string was = type_of(parts[choice.pick(at)]);
    const std::string& is = choice.pick(types);
    for (const std::size_t k : at) {
        if (type_of(parts[k]) != was) continue;
        parts[k].text = parts[k].kind == Kind::Quoted ? '"' + is + '"' : is;
    }
}

bool is_keyword(const std::string& word) {
    static const std::set<std::string> known = {
        "def",   "for",    "in",      "with",   "if",    "else", "pass",   "and",    "or",
        "not",   "assert", "T",       "sch",    "None",  "True", "False",  "lambda", "range",
        "block", "axis",   "spatial", "reduce", "where", "init", "Buffer", "kernel"};
    return known.count(word) != 0;
}

// A name by another one that stands in the text; at one place.
void change_name(Parts& parts, Choice& choice) {
    std::vector<std::size_t> at;
    for (std::size_t k = 0; k < parts.size(); ++k) {
        const bool member = k > 0 && parts[k - 1].text == ".";
        const bool called = k + 1 < parts.size() && parts[k + 1].text == "(";
        const bool named = parts[k].kind == Kind::Word && !member && !called;
        if (named && !is_keyword(parts[k].text)) at.push_back(k);
    }
    if (at.empty()) return;
    const std::size_t to = choice.pick(at);
    parts[to].text = parts[choice.pick(at)].text;
}

std::size_t indent_of(const std::string& line) {
    return std::min(line.find_first_not_of(' '), line.size());
}

// A statement left out, twice, or after the next one.
void change_lines(Words& lines, Choice& choice) {
    if (lines.size() < 3) return;
    const std::size_t at = 2 + place_in(lines.size() - 2, choice);
    const auto here = lines.begin() + static_cast<std::ptrdiff_t>(at);
    switch (choice.weighted({3, 2, 3})) {
        case 0: lines.erase(here); break;
        case 1: lines.insert(here, std::string(*here)); break;
        default:
            if (at + 1 < lines.size() && indent_of(lines[at]) == indent_of(lines[at + 1])) {
                std::swap(lines[at], lines[at + 1]);
            }
    }
}

// --- schedules -----------------------------------------------------------------------------------

// Names that a schedule gives to blocks or loops.
Words names_in(const Parts& parts) {
    Words out;
    for (std::size_t k = 0; k < parts.size(); ++k) {
        const bool member = k > 0 && parts[k - 1].text == ".";
        if (parts[k].kind == Kind::Word && !member && !is_keyword(parts[k].text)) {
            out.push_back(parts[k].text);
        }
    }
    return out;
}

// Another schedule's call, about what this one has: names and quoted words of `known`.
std::string adopted(const std::string& line, const Words& known, Choice& choice) {
    Parts parts = parts_of(line);
    for (std::size_t k = 0; k < parts.size(); ++k) {
        const bool option = k + 1 < parts.size() && parts[k + 1].text == "=";
        const bool member = k > 0 && parts[k - 1].text == ".";
        const bool name = parts[k].kind == Kind::Word && !member && !option;
        if (!name || is_keyword(parts[k].text) || known.empty()) continue;
        if (std::find(known.begin(), known.end(), parts[k].text) == known.end()) {
            parts[k].text = choice.pick(known);
        }
    }
    return joined(parts);
}

bool is_call(const std::string& line) {
    return line.find("get_block") == std::string::npos &&
           line.find("get_loops") == std::string::npos && line.find("sch.") != std::string::npos;
}

void take_over(Words& lines, const Words& others, Choice& choice) {
    if (others.empty() || lines.size() >= kMostLines) return;
    Words calls;
    for (const std::string& line : lines_of(choice.pick(others))) {
        if (is_call(line)) calls.push_back(line);
    }
    if (calls.empty()) return;
    const std::size_t from = place_in(calls.size(), choice);
    const std::size_t count = 1 + place_in(std::min<std::size_t>(3, calls.size() - from), choice);
    const Words known = names_in(parts_of(text_of(lines)));
    const std::size_t at = choice.chance(60) ? lines.size() : place_in(lines.size() + 1, choice);
    for (std::size_t k = 0; k < count; ++k) {
        lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(at + k),
                     adopted(calls[from + k], known, choice));
    }
}

void change_calls(Words& lines, Choice& choice) {
    if (lines.empty()) return;
    const std::size_t at = place_in(lines.size(), choice);
    const auto here = lines.begin() + static_cast<std::ptrdiff_t>(at);
    switch (choice.weighted({4, 2, 3, 2})) {
        case 0: lines.erase(here); break;
        case 1:
            if (lines.size() < kMostLines) lines.push_back(std::string(*here));
            break;
        case 2: std::swap(lines[at], lines[place_in(lines.size(), choice)]); break;
        default: lines.resize(at);
    }
}

}  // namespace

std::vector<TextPart> parts_of(const std::string& text) {
    static const Words marks = {"<=", ">=", "==", "!=", "//", "**", "<<", ">>"};
    Parts out;
    for (std::size_t at = 0; at < text.size();) {
        const char c = text[at];
        std::size_t end = at + 1;
        Kind kind = Kind::Other;
        if (c == '"') {
            while (end < text.size() && text[end] != '"' && text[end] != '\n') ++end;
            end = std::min(end + 1, text.size());
            kind = Kind::Quoted;
        } else if (is_digit(c)) {
            const auto of_number = [&](std::size_t k) {
                const bool sign = (text[k] == '-' || text[k] == '+') && text[k - 1] == 'e';
                return is_word(text[k]) || text[k] == '.' || sign;
            };
            while (end < text.size() && of_number(end)) ++end;
            kind = Kind::Number;
        } else if (is_word(c)) {
            while (end < text.size() && is_word(text[end])) ++end;
            kind = Kind::Word;
        } else if (std::find(marks.begin(), marks.end(), text.substr(at, 2)) != marks.end()) {
            end = at + 2;
        }
        out.push_back({kind, text.substr(at, end - at)});
        at = end;
    }
    return out;
}

std::string mutated_program(const std::string& text, Choice& choice) {
    Words lines = lines_of(text);
    if (choice.chance(25) && text.size() < kMostProgram) {
        change_lines(lines, choice);
        return text_of(lines);
    }
    Parts parts;
    for (const std::string& line : lines) {
        // The bounds of its sizes are what inputs are drawn from.
        const bool fixed = line.find("T.func_attr") != std::string::npos;
        const Parts more = fixed ? Parts{{Kind::Other, line}} : parts_of(line);
        parts.insert(parts.end(), more.begin(), more.end());
    }
    switch (choice.weighted({10, 6, 5, 4})) {
        case 0: change_number(parts, choice, 60); break;
        case 1: change_within(parts, choice, operators()); break;
        case 2: change_name(parts, choice); break;
        default: change_type(parts, choice);
    }
    return joined(parts);
}

std::string mutated_schedule(const std::string& text, const std::vector<std::string>& others,
                             Choice& choice) {
    Words lines = lines_of(text);
    const std::size_t what = choice.weighted({6, 8, 5, 4});
    if (what == 0) change_calls(lines, choice);
    if (what == 1) take_over(lines, others, choice);
    if (what <= 1) return text_of(lines);
    Parts parts = parts_of(text);
    if (what == 2) change_number(parts, choice, 10);
    if (what == 3) change_name(parts, choice);
    return joined(parts);
}

}  // namespace proviso::fuzz
