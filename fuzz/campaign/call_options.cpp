#include "fuzz/campaign/call_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <sstream>

#include "ir/text/reader/python/python.h"

namespace proviso::fuzz {

using namespace ir::python;

namespace {

std::string quoted(const std::string& text) {
    return "\"" + text + "\"";
}

// The text of one line; empty beyond the last.
std::string line_of(const std::string& text, int line) {
    std::istringstream in(text);
    std::string out;
    for (int k = 0; k < line; ++k) {
        if (!std::getline(in, out)) return "";
    }
    return line > 0 ? out : "";
}

std::string factors_of(const Node& list) {
    const auto open = [](const Node& n) { return n.is(NodeKind::Constant); };
    const auto at = std::find_if(list.items.begin(), list.items.end(), open);
    const std::string where = at == list.items.end()       ? "none open"
                              : at == list.items.begin()   ? "the first open"
                              : at + 1 == list.items.end() ? "the last open"
                                                           : "one between open";
    return fmt::format("{} factors, {}", list.items.size(), where);
}

// What kind of value an option has.
void value_of(const std::string& name, const Node& value, std::vector<std::string>& out) {
    if (name == "block") return out.push_back(name);  // whichever
    switch (value.kind) {
        case NodeKind::Constant: out.push_back(name + "=" + value.text); return;
        case NodeKind::String: out.push_back(name + "=" + quoted(value.text)); return;
        case NodeKind::Lambda: out.push_back(name + "=lambda"); return;
        case NodeKind::Call: out.push_back(name + "=" + value.items[0].dotted()); return;
        case NodeKind::List:
            if (name == "factors") return out.push_back(factors_of(value));
            if (value.items.empty()) out.push_back(name + "=[]");
            for (const Node& item : value.items) {
                if (item.is(NodeKind::String)) out.push_back(name + "=" + quoted(item.text));
            }
            if (!value.items.empty() && value.items[0].is(NodeKind::Lambda)) {
                out.push_back(fmt::format("{}=[{} lambdas]", name, value.items.size()));
            }
            return;
        default: out.push_back(name);
    }
}

// Which argument names a buffer, and which one an axis or scope; 0: none.
struct Places {
    std::size_t buffer = 0;
    std::size_t word = 0;
};
const std::map<std::string, Places>& places() {
    static const std::map<std::string, Places> table = {
        {"transform_layout", {1, 0}},
        {"sequential_buffer_access", {1, 0}},
        {"cache_read", {1, 2}},
        {"cache_write", {1, 2}},
        {"read_at", {2, 3}},
        {"write_at", {2, 3}},
        {"bind", {0, 1}},
        {"cache_index", {0, 1}},
        {"cache_inplace", {1, 2}},
        {"annotate_buffer_access", {1, 2}},
        {"set_dtype", {1, 2}},
        {"unsafe_set_dtype", {1, 2}},
    };
    return table;
}

void positional(const std::string& primitive, const std::vector<Node>& arguments,
                std::vector<std::string>& out) {
    const auto known = places().find(primitive);
    const Places at = known == places().end() ? Places{} : known->second;
    if (at.buffer != 0 && at.buffer < arguments.size()) {
        const Node& b = arguments[at.buffer];
        if (b.is(NodeKind::Int)) out.emplace_back("buffer by number");
        if (b.is(NodeKind::Tuple)) out.push_back("buffer by (" + quoted(b.items[0].text) + ", n)");
    }
    if (at.word != 0 && at.word < arguments.size()) out.push_back(quoted(arguments[at.word].text));
    if (primitive == "split" && arguments.size() > 1) out.push_back(factors_of(arguments[1]));
    const bool loops = primitive == "fuse" || primitive == "reorder";
    if (primitive == "merge_adjacent_loops" || (loops && arguments.size() > 2)) {
        out.push_back(fmt::format("{} loops", arguments.size()));
    }
    if (primitive == "fission" && arguments.size() > 1 && arguments[1].text != "1") {
        out.push_back("at " + arguments[1].text);
    }
    const bool named = !arguments.empty() && arguments[0].is(NodeKind::Name);
    if (primitive == "assume" && named) {  // loops are called l0, l1, …
        const std::string& name = arguments[0].text;
        const bool loop =
            name.size() > 1 && name[0] == 'l' &&
            std::all_of(name.begin() + 1, name.end(), [](char c) { return '0' <= c && c <= '9'; });
        if (loop) out.emplace_back("at a loop");
    }
    const bool everywhere = primitive == "loop_partition" || primitive == "simplify" ||
                            primitive == "remove_no_op" || primitive == "reduce_loop_extents" ||
                            primitive == "lower_assume" ||
                            primitive.find("overcompute") != std::string::npos;
    if (everywhere && arguments.empty()) out.emplace_back("of no block");
    if (everywhere && !arguments.empty() && primitive != "loop_partition") {
        out.emplace_back("block");
    }
}

}  // namespace

std::vector<std::string> call_options(const std::string& schedule, int line) {
    const std::string text = line_of(schedule, line);
    if (text.empty()) return {};
    const auto module = parse_python(text + "\n", "call");
    if (!module.ok() || module->body.size() != 1) return {};
    const Node& call = module->body[0].value;
    if (!call.is(NodeKind::Call) || !call.items[0].is(NodeKind::Attribute)) return {};
    const std::string& primitive = call.items[0].text;
    std::vector<std::string> out;
    positional(primitive, {call.items.begin() + 1, call.items.end()}, out);
    for (const Keyword& k : call.keywords) value_of(k.name, k.value, out);
    // With block=… the call is not about the whole function.
    if (std::find(out.begin(), out.end(), "block") != out.end()) {
        std::erase(out, "of no block");
    }
    return out;
}

}  // namespace proviso::fuzz
