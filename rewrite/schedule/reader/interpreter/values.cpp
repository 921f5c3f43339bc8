#include "rewrite/schedule/reader/interpreter/values.h"

#include <algorithm>
#include <charconv>

namespace proviso::rewrite::values {

using ir::python::NodeKind;
using ir::python::Position;

namespace {

Node leaf(NodeKind kind, std::string text, Position at) {
    Node out;
    out.kind = kind;
    out.text = std::move(text);
    out.at = at;
    return out;
}

std::optional<double> number_of(const Node& value) {
    if (value.is(NodeKind::Unary) && value.text == "-" && value.items.size() == 1) {
        const auto inner = number_of(value.items[0]);
        return inner ? std::optional<double>(-*inner) : std::nullopt;
    }
    if (value.is(NodeKind::Constant) && value.text != "None") return value.text == "True" ? 1 : 0;
    if (value.is(NodeKind::Int)) {
        const auto whole = integer_of(value);
        return whole ? std::optional<double>(static_cast<double>(*whole)) : std::nullopt;
    }
    if (!value.is(NodeKind::Float)) return std::nullopt;
    double out = 0;
    const char* end = value.text.data() + value.text.size();
    const bool read = std::from_chars(value.text.data(), end, out).ptr == end;
    return read ? std::optional<double>(out) : std::nullopt;
}

constexpr const char* kSchedule = "%sch";  // the schedule object
constexpr const char* kProgram = "%mod";   // sch.mod

// "%sch", "%sch:2"
std::string numbered(const char* name, std::size_t number) {
    return number == 0 ? name : std::string(name) + ":" + std::to_string(number);
}

std::optional<std::size_t> number_in(const Node& value, std::string_view name) {
    if (!value.is(NodeKind::Name) || value.text.rfind(name, 0) != 0) return std::nullopt;
    const std::string rest = value.text.substr(name.size());
    if (rest.empty()) return 0;
    return rest[0] == ':' ? std::optional<std::size_t>(std::stoul(rest.substr(1))) : std::nullopt;
}

}  // namespace

Node schedule(std::size_t inside, Position at) {
    return stands_for(numbered(kSchedule, inside), at);
}

Node program(std::size_t inside, Position at) {
    return stands_for(numbered(kProgram, inside), at);
}

std::optional<std::size_t> schedule_of(const Node& value) {
    return number_in(value, kSchedule);
}

std::optional<std::size_t> program_of(const Node& value) {
    return number_in(value, kProgram);
}

Node stands_for(std::string name, Position at) {
    return leaf(NodeKind::Name, std::move(name), at);
}

Node integer(std::int64_t value, Position at) {
    Node digits = leaf(NodeKind::Int, std::to_string(value < 0 ? -value : value), at);
    if (value >= 0) return digits;
    Node out = leaf(NodeKind::Unary, "-", at);
    out.depth = 2;
    out.items.push_back(std::move(digits));
    return out;
}

Node string(std::string text, Position at) {
    return leaf(NodeKind::String, std::move(text), at);
}

Node boolean(bool value, Position at) {
    return leaf(NodeKind::Constant, value ? "True" : "False", at);
}

Node none(Position at) {
    return leaf(NodeKind::Constant, "None", at);
}

Node list(std::vector<Node> items, Position at) {
    Node out = leaf(NodeKind::List, "", at);
    for (const Node& item : items) out.depth = std::max(out.depth, item.depth + 1);
    out.items = std::move(items);
    return out;
}

bool is_none(const Node& value) {
    return value.is(NodeKind::Constant) && value.text == "None";
}

bool is_list(const Node& value) {
    return value.is(NodeKind::List) || value.is(NodeKind::Tuple);
}

std::optional<std::size_t> handle_of(const Node& value) {
    const bool marked = value.is(NodeKind::Name) && value.text.size() > 1 && value.text[0] == '%' &&
                        value.text.find_first_not_of("0123456789", 1) == std::string::npos;
    if (!marked) return std::nullopt;
    return std::stoul(value.text.substr(1));
}

std::optional<std::int64_t> integer_of(const Node& value) {
    const bool negative = value.is(NodeKind::Unary) && value.text == "-";
    const Node& digits = negative ? value.items[0] : value;
    if (!digits.is(NodeKind::Int) || digits.text.size() > 18) return std::nullopt;
    const std::int64_t out = std::stoll(digits.text, nullptr, 0);
    return negative ? -out : out;
}

std::optional<bool> truth(const Node& value) {
    if (is_none(value)) return false;
    if (const auto number = number_of(value)) return *number != 0;
    if (value.is(NodeKind::String)) return !value.text.empty();
    if (is_list(value) || value.is(NodeKind::Dict)) return !value.items.empty();
    if (value.is(NodeKind::Name)) return true;  // what it stands for is there
    return std::nullopt;
}

bool equal(const Node& a, const Node& b) {
    const auto x = number_of(a);
    const auto y = number_of(b);
    if (x || y) return x == y;
    const bool same_kind = a.kind == b.kind;
    if (!same_kind || a.items.size() != b.items.size()) return false;
    const bool lists = is_list(a) || a.is(NodeKind::Dict);
    if (!lists && a.text != b.text) return false;
    return std::equal(a.items.begin(), a.items.end(), b.items.begin(), equal);
}

void name_handles(Node& value, const std::function<std::string(const Node&)>& name) {
    if (handle_of(value)) value.text = name(value);
    if (value.is(NodeKind::List)) value.text.clear();
    for (Node& item : value.items) name_handles(item, name);
    for (ir::python::Keyword& k : value.keywords) name_handles(k.value, name);
}

std::string text_of(const Node& value) {
    const auto written = [](const Node& item) {
        return item.is(NodeKind::String) ? "'" + item.text + "'" : text_of(item);
    };
    if (value.is(NodeKind::Unary)) return value.text + text_of(value.items[0]);
    if (value.is(NodeKind::Lambda)) return "a lambda";
    if (is_list(value)) {
        std::string out;
        for (const Node& item : value.items) out += (out.empty() ? "" : ", ") + written(item);
        const bool one = value.is(NodeKind::Tuple) && value.items.size() == 1;
        return value.is(NodeKind::List) ? "[" + out + "]" : "(" + out + (one ? ",)" : ")");
    }
    if (value.is(NodeKind::Dict)) {
        std::string out;
        for (std::size_t k = 0; k + 1 < value.items.size(); k += 2) {
            out += (out.empty() ? "" : ", ") + written(value.items[k]) + ": " +
                   written(value.items[k + 1]);
        }
        return "{" + out + "}";
    }
    return value.text;
}

}  // namespace proviso::rewrite::values
