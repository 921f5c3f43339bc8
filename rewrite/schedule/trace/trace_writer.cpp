#include "rewrite/schedule/trace/trace_writer.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>

#include "ir/text/reader/expressions/expr_binder.h"
#include "ir/text/reader/python/tree_printer.h"
#include "rewrite/schedule/reader/interpreter/values.h"

namespace proviso::rewrite {

using ir::python::Node;
using ir::python::NodeKind;
using nlohmann::json;

namespace {

const Node* argument_called(const Signature& known, const Node& call, const std::string& name) {
    const std::vector<std::string> names = argument_names(known);
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) return nullptr;
    // After any number of others it is named.
    const bool any = known.arguments.substr(0, 3) == "...";
    const std::size_t place =
        any ? call.items.size() : static_cast<std::size_t>(found - names.begin());
    return ir::argument(call, place, name);
}

// Of a primitive with two kinds, the one that has a place for what the call says.
const TraceKind* kind_of(const Signature& known, const Node& call) {
    const bool all_loops =
        known.name == "loop_partition" && argument_called(known, call, "loop") == nullptr;
    for (const TraceKind& kind : trace_kinds()) {
        if (kind.primitive != known.name) continue;
        if (!all_loops || std::string_view(kind.name) == "PartitionLoops") return &kind;
    }
    return nullptr;
}

constexpr const char* kLeave = "[\"LeaveInside\",[],[],[]]";

std::string text_of(const json& value) {
    return value.dump(-1, ' ', false, json::error_handler_t::replace);
}

void handles_in(const Node& value, std::vector<const Node*>& out) {
    if (!values::is_list(value)) {
        out.push_back(&value);
        return;
    }
    for (const Node& item : value.items) handles_in(item, out);
}

}  // namespace

void TraceWriter::inside(const std::vector<Node>& loops) {
    std::size_t same = 0;
    while (same < std::min(loops.size(), entered_.size()) && loops[same].text == entered_[same]) {
        ++same;
    }
    for (; entered_.size() > same; entered_.pop_back()) instructions_.emplace_back(kLeave);
    for (; same < loops.size(); ++same) {
        call_ = "inside";
        const json inputs = {variable(loops[same])};
        instructions_.push_back(
            text_of(json({kEnterInside, inputs, json::array(), json::array()})));
        entered_.push_back(loops[same].text);
    }
}

void TraceWriter::begin(const Signature& known, const Node& call, const Buffers& buffers) {
    kind_ = kind_of(known, call);
    call_ = std::string(known.name);
    if (kind_ == nullptr) {
        if (!known.query && unsaid_.empty()) unsaid_ = call_;
        return;
    }
    // The functions of an intrinsic stand in the schedule's file.
    if (known.name == "tensorize" && unsaid_.empty()) unsaid_ = call_;
    json inputs = json::array();
    for (const TraceSlot& slot : trace_slots(kind_->inputs)) {
        if (slot.rest && slot.name != "factors") {
            for (std::size_t k = 1; k < call.items.size(); ++k) {
                std::vector<const Node*> handles;
                handles_in(call.items[k], handles);
                for (const Node* handle : handles) inputs.push_back(variable(*handle));
            }
            continue;
        }
        const Node* given = argument_called(known, call, slot.name);
        if (slot.name == "buffer_index" || slot.name == "buf_type") {  // numbers, both
            const Node* type = argument_called(known, call, "buf_type");
            const bool written = type != nullptr && (type->text == "write" || type->text == "1");
            const auto k = given != nullptr ? buffers(*given, written) : std::nullopt;
            inputs.push_back(slot.name == "buf_type" ? json(written ? 1 : 0)
                             : k                     ? json(*k)
                                                     : json());
            continue;
        }
        input(inputs, slot, given);
    }
    while (!inputs.empty() && inputs.back().is_null()) inputs.erase(inputs.size() - 1);
    json attributes = json::array();
    std::size_t last = 0;  // what is not said ends the list
    for (const TraceSlot& slot : trace_slots(kind_->attributes)) {
        const Node* given = argument_called(known, call, slot.name);
        attribute(attributes, slot, given, buffers);
        if (given != nullptr || slot.fallback || slot.name == "func_name") {
            last = attributes.size();
        }
    }
    while (attributes.size() > last) attributes.erase(attributes.size() - 1);
    instructions_.push_back(text_of(json({kind_->name, std::move(inputs), std::move(attributes)})));
    instructions_.back().back() = ',';  // its outputs follow
}

void TraceWriter::end(const std::vector<Node>& given, bool loops) {
    if (kind_ == nullptr) return;
    json outputs = json::array();
    const bool gives = kind_->gives != TraceKind::Gives::Nothing;
    for (const Node& value : gives ? given : std::vector<Node>{}) {
        outputs.push_back(fresh(loops ? 'l' : 'b'));
        names_[value.text] = outputs.back().get<std::string>();
    }
    if (given.empty() && kind_->gives == TraceKind::Gives::One) outputs.push_back("_");
    instructions_.back() += text_of(outputs) + "]";
}

void TraceWriter::around(const std::string& outer, const std::vector<Node>& given) {
    std::string asked = std::move(instructions_.back());
    instructions_.pop_back();
    const json inputs = {variable(values::string(outer, {}))};
    json outputs = json::array();
    for (const Node& value : given) {
        outputs.push_back(fresh('l'));
        names_[value.text] = outputs.back().get<std::string>();
    }
    instructions_.push_back(text_of(json({"GetLoops", inputs, json::array(), outputs})));
    instructions_.push_back(std::move(asked));
}

void TraceWriter::same(const Node& handle, const Node& given) {
    names_[given.text] = variable(handle).get<std::string>();
}

std::string TraceWriter::text() const {
    std::string out = "[[";
    for (const std::string& one : instructions_) {
        out += (out.size() > 2 ? ",\n  " : "\n  ") + one;
    }
    for (std::size_t k = 0; k < entered_.size(); ++k) out += std::string(",\n  ") + kLeave;
    return out + (instructions_.empty() ? "], []]\n" : "\n], []]\n");
}

void TraceWriter::input(json& inputs, const TraceSlot& slot, const Node* given) {
    const bool absent = given == nullptr || values::is_none(*given);
    if (slot.name == "factors") {
        for (const Node& f : absent ? std::vector<Node>{} : given->items) {
            inputs.push_back(constant(f, true));
        }
        return;
    }
    if (is_variables(slot.name)) {
        inputs.push_back(absent ? json::array() : variables(*given));
    } else if (slot.name == "ann_val" || slot.name == "new_order") {
        inputs.push_back(given == nullptr ? json() : constant(*given, true));
    } else if (absent) {
        inputs.push_back(json());
    } else if (is_expression(slot.name)) {
        inputs.push_back("\"" + ir::python::print(*given) + "\"");
    } else {
        inputs.push_back(variable(*given));
    }
}

void TraceWriter::attribute(json& attributes, const TraceSlot& slot, const Node* given,
                            const Buffers& buffers) {
    if (slot.name == "func_name" && call_ != "work_on") return attributes.push_back("main");
    if (given == nullptr)
        return attributes.push_back(slot.fallback ? json::parse(*slot.fallback) : json());
    if (slot.name == "buffer") {
        const auto read = buffers(*given, false);
        const auto written = read ? read : buffers(*given, true);
        attributes.push_back(written ? json(*written) : constant(*given, false));
        return attributes.push_back(read ? 0 : 1);
    }
    const bool number = slot.name == "read_buffer_index" || slot.name == "write_buffer_index" ||
                        slot.name == "buffer_index";
    if (number) {
        const auto k = buffers(*given, slot.name != "read_buffer_index");
        return attributes.push_back(k ? json(*k) : constant(*given, false));
    }
    if (is_flag(slot.name)) {
        return attributes.push_back(given->text == "True" ? 1 : 0);
    }
    attributes.push_back(is_expression(slot.name) ? expression(*given) : constant(*given, false));
}

json TraceWriter::variable(const Node& value) {
    if (value.is(NodeKind::String)) {  // a block by its name
        std::string name = fresh('b');
        const json named = {"GetBlock", json::array(), {value.text, "main"}, {name}};
        instructions_.push_back(text_of(named));
        return name;
    }
    const auto found = names_.find(value.text);
    if (found != names_.end()) return found->second;
    if (unsaid_.empty()) unsaid_ = call_;
    return "None";
}

json TraceWriter::variables(const Node& value) {
    std::vector<const Node*> handles;
    handles_in(value, handles);
    json out = json::array();
    for (const Node* handle : handles) out.push_back(variable(*handle));
    return out;
}

json TraceWriter::constant(const Node& value, bool input) {
    if (const auto whole = values::integer_of(value)) return *whole;
    if (values::is_none(value)) return input ? json("None") : json();
    switch (value.kind) {
        case NodeKind::String: return input ? "\"" + value.text + "\"" : value.text;
        case NodeKind::Constant: return value.text == "True";
        case NodeKind::Unary:
        case NodeKind::Float: {
            const bool negative = value.is(NodeKind::Unary);
            const auto number = ir::number_of(negative ? value.items[0] : value, negative);
            const double* real = number ? std::get_if<double>(&*number) : nullptr;
            if (real == nullptr || !std::isfinite(*real)) break;
            return *real;
        }
        case NodeKind::List:
        case NodeKind::Tuple: {
            json out = json::array();
            for (const Node& item : value.items) out.push_back(constant(item, input));
            return out;
        }
        case NodeKind::Dict: {
            json out = json::object();
            for (std::size_t k = 0; k + 1 < value.items.size(); k += 2) {
                out[value.items[k].text] = constant(value.items[k + 1], false);
            }
            return out;
        }
        default: break;
    }
    if (unsaid_.empty()) unsaid_ = call_;
    return json();
}

json TraceWriter::expression(const Node& value) {
    if (values::is_none(value)) return json();
    if (const auto whole = values::integer_of(value)) return *whole;
    if (!values::is_list(value)) return ir::python::print(value);
    json out = json::array();
    for (const Node& item : value.items) out.push_back(expression(item));
    return out;
}

}  // namespace proviso::rewrite
