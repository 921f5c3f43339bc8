// Values of attributes and annotations, and attributes of memory:
//     T.attr(p, "storage_alignment", 128)         an annotation of the allocation of `p`
// and of loops:
//     T.attr(i, "pragma_unroll_explicit", 1)      an annotation of the loop over `i`
#include <algorithm>
#include <array>
#include <functional>
#include <limits>

#include "ir/children.h"
#include "ir/text/reader/python/tree_printer.h"
#include "ir/text/reader/stmt_binder.h"
#include "ir/text/reader/strides.h"
#include "ir/text/spelling.h"

namespace proviso::ir {

using python::Node;
using python::NodeKind;

namespace {

std::optional<AttrValue> number(const ExprBinder& exprs, const Node& node) {
    // With the types that TVM's printer puts around them.
    for (const char* type : {"T.bool", "T.int32", "T.int64", "T.float32", "T.float64"}) {
        if (node.is_call_of(type) && node.items.size() == 2 && node.keywords.empty()) {
            return number(exprs, node.items[1]);
        }
    }
    if (node.is(NodeKind::Constant) && node.text != "None") return AttrValue{node.text == "True"};
    const bool word = node.items.size() == 2 && node.items[1].is(NodeKind::String);
    if ((node.is_call_of("float") || node.is_call_of("T.float32")) && word) {
        const std::string& text = node.items[1].text;
        if (text == "inf") return AttrValue{std::numeric_limits<double>::infinity()};
        if (text == "-inf") return AttrValue{-std::numeric_limits<double>::infinity()};
        if (text == "nan") return AttrValue{std::numeric_limits<double>::quiet_NaN()};
    }
    const bool minus = node.is(NodeKind::Unary) && node.text == "-";
    const auto value = number_of(minus ? node.items[0] : node, minus);
    if (!value) return std::nullopt;
    if (const auto* i = std::get_if<Int128>(&*value)) {
        if (kInt64.contains(*i)) return AttrValue{static_cast<std::int64_t>(*i)};
        return std::nullopt;
    }
    return AttrValue{std::get<double>(*value)};
}

// A value with other names of the program in it; `bound` are those that lambdas bind.
using NewName = std::function<std::string(const Node&)>;
Node with_names(const Node& node, const NewName& name_of, std::vector<std::string>& bound) {
    Node out = node;
    if (node.is(NodeKind::Name)) {
        const std::string& name = node.text;
        const bool other = name == "T" || name == "I" || name == "tvm" || name == "float" ||
                           std::find(bound.begin(), bound.end(), name) != bound.end();
        if (!other) out.text = name_of(node);
    }
    const std::size_t before = bound.size();
    bound.insert(bound.end(), node.names.begin(), node.names.end());
    for (Node& item : out.items) item = with_names(item, name_of, bound);
    for (python::Keyword& k : out.keywords) k.value = with_names(k.value, name_of, bound);
    bound.resize(before);
    return out;
}

// The names of the program's buffers and variables are those that they have after reading. A name
// that nothing binds stays: what a rewrite has dropped may be named still, and nothing depends on
// it.
std::string name_after_reading(const ExprBinder& exprs, const Node& node) {
    const NameEntry* entry = exprs.names().find(node.text);
    const std::string mention = "an attribute's value mentions ";
    if (entry == nullptr && exprs.names().is_of_file(node.text)) {
        exprs.no_meaning(node, mention + "`" + node.text + "`, which is made by Python");
    }
    if (entry == nullptr) return node.text;
    if (entry->buffer != nullptr && exprs.is_view(entry->buffer)) {
        exprs.no_meaning(node, mention + "the view `" + node.text + "`",
                         "views are gone when a program is read: mention the buffer below");
    }
    if (entry->buffer == nullptr && entry->var == nullptr) {
        exprs.no_meaning(node, mention + "the handle `" + node.text + "`",
                         "mention the buffer that it is matched to");
    }
    return entry->var != nullptr ? *entry->var->name : entry->buffer->name;
}

AttrValue renamed(const AttrValue& value, const NewName& name_of) {
    AttrValue out = value;
    if (auto* list = std::get_if<AttrValue::List>(&out.value)) {
        for (AttrValue& item : *list) item = renamed(item, name_of);
    } else if (auto* dict = std::get_if<AttrValue::Dict>(&out.value)) {
        for (auto& [key, item] : *dict) item = renamed(item, name_of);
    } else if (auto* text = std::get_if<AttrText>(&out.value)) {
        const auto line = python::parse_python("_ = " + text->text + "\n", "attribute");
        if (!line || line->body.size() != 1) return out;
        std::vector<std::string> bound;
        text->text = python::print(with_names(line->body[0].value, name_of, bound));
    }
    return out;
}

}  // namespace

AttrValue bind_attr(const ExprBinder& exprs, const Node& node) {
    if (const auto value = number(exprs, node)) return *value;
    switch (node.kind) {
        case NodeKind::String: return AttrValue{node.text};
        case NodeKind::Tuple:
        case NodeKind::List: {
            AttrValue::List list;
            for (const Node& item : node.items) list.push_back(bind_attr(exprs, item));
            return AttrValue{std::move(list)};
        }
        case NodeKind::Dict: {
            const bool by_name = [&] {
                for (std::size_t i = 0; i < node.items.size(); i += 2) {
                    if (!node.items[i].is(NodeKind::String)) return false;
                }
                return true;
            }();
            if (by_name) return AttrValue{bind_annotations(exprs, node)};
            break;
        }
        default: break;
    }
    std::vector<std::string> bound;
    const NewName name_of = [&](const Node& name) { return name_after_reading(exprs, name); };
    return AttrValue{AttrText{python::print(with_names(node, name_of, bound))}};
}

Annotations bind_annotations(const ExprBinder& exprs, const Node& dict) {
    if (dict.is(NodeKind::Constant) && dict.text == "None") return {};
    if (!dict.is(NodeKind::Dict)) exprs.wrong(dict, "attributes are a dictionary");
    Annotations out;
    for (std::size_t i = 0; i < dict.items.size(); i += 2) {
        const Node& key = dict.items[i];
        if (!key.is(NodeKind::String)) exprs.wrong(key, "a key is a string");
        if (!out.emplace(key.text, bind_attr(exprs, dict.items[i + 1])).second) {
            exprs.wrong(key, "key \"" + key.text + "\" is given twice");
        }
    }
    return out;
}

namespace {

// Those that Proviso gives a meaning to.
const std::vector<std::string>& meaningful_attributes() {
    static const std::vector<std::string> names = {
        kLowerBoundAttr, kUpperBoundAttr, kLicencesAttr,     "proviso.layout",
        "proviso.indet", kStridesAttr,    "proviso.barriers"};
    return names;
}

// Whether two names differ in at most two letters, at one place.
bool differ_in_one_place(const std::string& a, const std::string& b) {
    const std::size_t longest = std::max(a.size(), b.size());
    const std::size_t shortest = std::min(a.size(), b.size());
    std::size_t same = 0;
    while (same < shortest && a[same] == b[same]) ++same;
    std::size_t end = 0;
    while (end < shortest - same && a[a.size() - 1 - end] == b[b.size() - 1 - end]) ++end;
    return longest - same - end <= 2;
}

}  // namespace

void check_attribute_names(const ExprBinder& exprs, const Node& dict) {
    if (!dict.is(NodeKind::Dict)) return;
    const std::vector<std::string>& known = meaningful_attributes();
    for (std::size_t i = 0; i < dict.items.size(); i += 2) {
        const Node& key = dict.items[i];
        if (!key.is(NodeKind::String)) continue;
        if (std::find(known.begin(), known.end(), key.text) != known.end()) continue;
        const bool ours = key.text.rfind("proviso.", 0) == 0;
        const bool near = std::any_of(known.begin(), known.end(), [&](const std::string& name) {
            return differ_in_one_place(key.text, name);
        });
        if (!ours && !near) continue;
        exprs.wrong(key, "\"" + key.text + "\" is no attribute of a function",
                    suggest(key.text, known,
                            "those of Proviso are licences, layout, indet, strides and barriers"));
    }
}

Stmt with_renamed_attributes(Context& ctx, Stmt s,
                             const std::map<std::string, std::string>& names) {
    const NewName name_of = [&](const Node& name) {
        const auto found = names.find(name.text);
        return found == names.end() ? name.text : found->second;
    };
    const auto change = [&](auto copy) {  // a For, a Block or an Allocate
        bool same = true;
        for (auto& [key, value] : copy.annotations) {
            AttrValue other = renamed(value, name_of);
            same = same && other == value;
            value = std::move(other);
        }
        return same ? nullptr : ctx.stmt(std::move(copy));
    };
    return rewrite_stmt(ctx, s, nullptr, [&](Stmt t) {
        Stmt out = nullptr;
        if (const auto* loop = t->as<For>()) out = change(*loop);
        if (const auto* block = t->as<Block>()) out = change(*block);
        if (const auto* memory = t->as<Allocate>()) out = change(*memory);
        return out == nullptr ? t : out;
    });
}

namespace {

// Keys that ask for a place or a layout of memory, or for a second copy of it. They change no
// value.
constexpr std::array kMemoryHints = {"storage_alignment",   "double_buffer_scope",
                                     "double_buffer_write", "buffer_dim_align",
                                     "fragment_shape",      "fragment_layout"};

}  // namespace

bool is_memory_hint(const Node& call) {
    if (!call.is_call_of("T.attr") || call.items.size() != 4) return false;
    const Node& key = call.items[2];
    return key.is(NodeKind::String) &&
           std::find(kMemoryHints.begin(), kMemoryHints.end(), key.text) != kMemoryHints.end();
}

Stmt StmtBinder::bind_memory_hint(const python::Statement& s, Lines rest) {
    const Node& call = s.value;
    check_arguments(exprs_.source(), call, 3, 3, {});
    if (s.target) wrong(s.target, "`T.attr` has no name");
    const Node& about = call.items[1];
    const bool bare = about.is(NodeKind::Name) && names_.find(about.text) != nullptr &&
                      names_.find(about.text)->buffer != nullptr;
    Buffer buffer = memory_below(bare ? exprs_.bind_buffer_name(about) : memory_named(about));
    const std::string& key = call.items[2].text;
    if (!hints_[buffer].emplace(key, bind_attr(exprs_, call.items[3])).second) {
        wrong(call.items[2], "\"" + key + "\" of `" + buffer->name + "` is given twice");
    }
    return bind_rest(rest);
}

// The attributes of memory that its allocation gets.
void StmtBinder::take_hints(Buffer memory, const Node& target, Annotations& out) {
    const auto hints = hints_.find(memory);
    if (hints == hints_.end()) return;
    for (const auto& [key, value] : hints->second) {
        if (!out.emplace(key, value).second) {
            wrong(target, "\"" + key + "\" of `" + memory->name + "` is given twice");
        }
    }
    hints_.erase(hints);
}

// What is said of the memory of parameters, as attributes of the function: {"key": {"A": value}}.
void StmtBinder::finish_hints() {
    for (const auto& [buffer, hints] : hints_) {
        for (const auto& [key, value] : hints) {
            AttrValue& all = head_->attrs.emplace(key, AttrValue{AttrValue::Dict{}}).first->second;
            auto* dict = std::get_if<AttrValue::Dict>(&all.value);
            if (dict == nullptr || !dict->emplace(buffer->name, value).second) {
                fail(exprs_.source().at({1, 1}, "attribute \"" + key + "\" is given twice"));
            }
        }
    }
}

namespace {

// Keys that ask for a form of a loop's code, and change no value.
constexpr std::array kLoopHints = {"pragma_auto_unroll_max_step", "pragma_unroll_explicit",
                                   "pragma_loop_partition_hint", "pragma_scope"};

bool is_loop_key(const Node& key) {
    return key.is(NodeKind::String) &&
           std::find(kLoopHints.begin(), kLoopHints.end(), key.text) != kLoopHints.end();
}

// The variables of the loop that a line is.
std::vector<const Node*> loop_variables(const python::Statement& s) {
    std::vector<const Node*> out;
    if (!s.is(python::StatementKind::For)) return out;
    if (!s.target.is(NodeKind::Tuple)) return {&s.target};
    for (const Node& item : s.target.items) out.push_back(&item);
    return out;
}

}  // namespace

bool is_loop_hint(const Node& call) {
    if (!call.is_call_of("T.attr") || !call.keywords.empty()) return false;
    if (call.items.size() == 4) return is_loop_key(call.items[2]);
    if (call.items.size() != 2 || !call.items[1].is(NodeKind::Dict)) return false;
    const std::vector<Node>& entries = call.items[1].items;
    for (std::size_t i = 0; i < entries.size(); i += 2) {
        if (!is_loop_key(entries[i])) return false;
    }
    return !entries.empty();
}

// About a loop around this place, by its variable, or about the loop that the next line is.
Stmt StmtBinder::bind_loop_hint(const python::Statement& s, Lines rest) {
    const Node& call = s.value;
    if (s.target) wrong(s.target, "`T.attr` has no name");
    const bool all = call.items.size() == 2;
    const Node& about = call.items[1];
    Annotations hints;
    if (all) {
        hints = bind_annotations(exprs_, about);
    } else {
        hints.emplace(call.items[2].text, bind_attr(exprs_, call.items[3]));
    }
    const NameEntry* entry = about.is(NodeKind::Name) ? names_.find(about.text) : nullptr;
    Annotations* of_loop = nullptr;
    if (entry != nullptr && loops_.count(entry->var) != 0) {
        of_loop = &loop_hints_[entry->var];
    } else {
        const std::vector<const Node*> variables =
            rest.empty() ? std::vector<const Node*>{} : loop_variables(*rest[0]);
        // TVM writes 0 where it is about no variable.
        const bool any = all || about.is(NodeKind::Int);
        for (const Node* variable : variables) {
            if (!any && variable->text != about.text) continue;
            of_loop = &next_loop_[variable->text];
            break;
        }
    }
    if (of_loop == nullptr) {
        no_meaning(call, "an attribute of a loop that is neither around it nor its next line");
    }
    for (const auto& [key, value] : hints) {
        if (!of_loop->emplace(key, value).second) {
            wrong(call, "\"" + key + "\" of the loop is given twice");
        }
    }
    return bind_rest(rest);
}

// What lines before a loop say of it.
void StmtBinder::take_hints_before(const Node& target, Expr var) {
    const auto found = next_loop_.find(target.text);
    if (found == next_loop_.end()) return;
    loop_hints_[var] = std::move(found->second);
    next_loop_.erase(found);
}

void StmtBinder::take_loop_hints(Expr var, const Node& target, Annotations& out) {
    const auto hints = loop_hints_.find(var);
    if (hints == loop_hints_.end()) return;
    for (const auto& [key, value] : hints->second) {
        if (!out.emplace(key, value).second) {
            wrong(target, "\"" + key + "\" of the loop is given twice");
        }
    }
    loop_hints_.erase(hints);
}

}  // namespace proviso::ir
