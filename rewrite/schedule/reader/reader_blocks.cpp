// The calls of a schedule about blocks, annotations and where data lives, and those that ask.
#include <algorithm>

#include "ir/text.h"
#include "ir/text/reader/expressions/expr_binder.h"
#include "ir/text/spelling.h"
#include "rewrite/schedule/reader/interpreter/values.h"
#include "rewrite/schedule/reader/layout_arguments.h"
#include "rewrite/schedule/reader/schedule_reader.h"

namespace proviso::rewrite {

using namespace ir;
using python::Node;
using python::NodeKind;

namespace {

AttrValue attribute_of(const Arguments& in, const Node& value) {
    if (const auto whole = values::integer_of(value)) return AttrValue{*whole};
    if (values::is_none(value)) return AttrValue{AttrText{"None"}};
    switch (value.kind) {
        case NodeKind::String: return AttrValue{value.text};
        case NodeKind::Constant: return AttrValue{value.text == "True"};
        case NodeKind::Unary:
        case NodeKind::Float: {
            const bool negative = value.is(NodeKind::Unary);
            const auto number = number_of(negative ? value.items[0] : value, negative);
            const double* real = number ? std::get_if<double>(&*number) : nullptr;
            if (real == nullptr) break;
            return AttrValue{*real};
        }
        case NodeKind::List:
        case NodeKind::Tuple: {
            AttrValue::List out;
            for (const Node& item : value.items) out.push_back(attribute_of(in, item));
            return AttrValue{std::move(out)};
        }
        case NodeKind::Dict: {
            AttrValue::Dict out;
            for (std::size_t k = 0; k + 1 < value.items.size(); k += 2) {
                out[in.text(value.items[k], "a key, in quotes")] =
                    attribute_of(in, value.items[k + 1]);
            }
            return AttrValue{std::move(out)};
        }
        default: break;
    }
    in.wrong(value, "this is no value of an annotation",
             "a number, a string, True, a list or a dictionary of them");
}

}  // namespace

BlockOrLoop ScheduleReader::target(const Node& node) {
    const Handle h = in_.target(node);
    if (h.kind == Handle::Kind::Loop) return {true, present(h)};
    if (primitives().is_root(h.name)) {
        must_be_inside("the function", Site{});
        return {false, h.name};
    }
    return {false, block(node)};
}

Outcome ScheduleReader::merge(const Node& call) {
    return primitives().merge(loops(call));
}

Outcome ScheduleReader::get_child_blocks(const Node& call) {
    const Node& at = in_.need(call, 0, "block_or_loop");
    const Handle which = in_.target(at);
    const bool all =
        inside_ != 0 && which.kind == Handle::Kind::Block && primitives().is_root(which.name);
    return primitives().get_child_blocks(all ? BlockOrLoop{true, limit()} : target(at));
}

Outcome ScheduleReader::get_producers(const Node& call) {
    return seen(primitives().get_producers(block(in_.need(call, 0, "block"))), false);
}

Outcome ScheduleReader::get_consumers(const Node& call) {
    return seen(primitives().get_consumers(block(in_.need(call, 0, "block"))), false);
}

Outcome ScheduleReader::get_output_blocks(const Node& call) {
    const BlockOrLoop at = target(in_.need(call, 0, "scope_block"));
    if (at.is_loop) in_.wrong(call, "expected a block", "\"root\" is the whole function");
    return primitives().get_output_blocks(at.name);
}

Outcome ScheduleReader::get(const Node& call) {
    const BlockOrLoop at = target(in_.need(call, 0, "rand_var_or_sref"));
    got_loop_ = at.is_loop;
    return Names{at.name};
}

Outcome ScheduleReader::show(const Node& call) {
    (void)call;  // TVM's options of style
    const Function& f = primitives().proposer().current();
    shown_ = inside_ == 0 ? print(f) : print(locate(f, limit_site())->stmt);
    return Names{};
}

Outcome ScheduleReader::get_loop(const Node& call) {
    const Node& given = in_.need(call, 0, "name");
    const std::string& name = in_.text(given, "a loop's name, in quotes");
    std::vector<std::string> known;
    std::string list;
    for (const auto& [site, stmt] : all_statements(primitives().proposer().current())) {
        const For* loop = stmt->as<For>();
        if (loop == nullptr) continue;
        known.push_back(*loop->var->name);
        list += (list.empty() ? "" : ", ") + known.back();
    }
    if (std::find(known.begin(), known.end(), name) == known.end()) {
        return Refusal{error("there is no loop '" + name + "'",
                             known.empty() ? "the function has no loops"
                                           : suggest(name, known, "loops: " + list)),
                       std::nullopt};
    }
    return Names{present(Handle{Handle::Kind::Loop, name})};
}

Outcome ScheduleReader::trace(const Node& call) {
    (void)call;
    shown_.clear();
    for (const std::string& line : trace_) shown_ += line + "\n";
    return Names{};
}

Outcome ScheduleReader::annotate(const Node& call) {
    const BlockOrLoop at = target(in_.need(call, 0, "block_or_loop"));
    const std::string& key = in_.text(in_.need(call, 1, "ann_key"), "a key, in quotes");
    return primitives().annotate(at, key, attribute_of(in_, in_.need(call, 2, "ann_val")));
}

Outcome ScheduleReader::unannotate(const Node& call) {
    const BlockOrLoop at = target(in_.need(call, 0, "block_or_loop"));
    return primitives().unannotate(at, in_.text(in_.need(call, 1, "ann_key"), "a key, in quotes"));
}

Outcome ScheduleReader::storage_align(const Node& call) {
    const std::string name = block(in_.need(call, 0, "block"));
    Buffer b = buffer_argument(primitives(), in_, in_.need(call, 1, "buffer_index"), name, true);
    return primitives().storage_align(name, b, in_.integer(in_.need(call, 2, "axis")),
                                      in_.integer(in_.need(call, 3, "factor")),
                                      in_.integer(in_.need(call, 4, "offset")));
}

Outcome ScheduleReader::add_unit_loop(const Node& call) {
    return primitives().add_unit_loop(target(in_.need(call, 0, "block_or_loop")));
}

Outcome ScheduleReader::reorder_block_iter_var(const Node& call) {
    const std::string name = block(in_.need(call, 0, "block"));
    const Node& order = in_.need(call, 1, "new_order");
    if (!values::is_list(order)) in_.wrong(order, "expected a list of numbers", "[1, 0]");
    std::vector<std::int64_t> numbers;
    for (const Node& item : order.items) numbers.push_back(in_.integer(item));
    return primitives().reorder_block_iter_var(name, numbers);
}

Outcome ScheduleReader::blockize(const Node& call) {
    in_.boolean(argument(call, 1, "preserve_unit_iters"));
    return primitives().blockize(loop(in_.need(call, 0, "target")));
}

Outcome ScheduleReader::tensorize(const Node& call) {
    const BlockOrLoop at = target(in_.need(call, 0, "block_or_loop"));
    const Node& which = in_.need(call, 1, "tensor_intrin");
    const std::string& name = in_.text(which, "an intrinsic's name, in quotes");
    in_.boolean(argument(call, 2, "preserve_unit_iters"));
    const Function* both[2] = {nullptr, nullptr};
    for (const Function& f : intrinsics_.functions) {
        if (f.name == name + "_desc") both[0] = &f;
        if (f.name == name + "_impl") both[1] = &f;
    }
    if (both[0] == nullptr || both[1] == nullptr) {
        in_.wrong(which,
                  "there is no intrinsic \"" + name + "\": the functions " + name + "_desc and " +
                      name + "_impl are missing in the schedule",
                  "write both in the schedule's file, each after @T.prim_func at the beginning of "
                  "a line; a trace has none");
    }
    return primitives().tensorize(at, name, *both[0], *both[1]);
}

Outcome ScheduleReader::transform_block_layout(const Node& call) {
    const std::string name = block(in_.need(call, 0, "block"));
    const Node& lambda = in_.need(call, 1, "index_map");
    const auto [vars, map] = iterator_map(primitives(), in_, module_, lambda, name);
    return primitives().transform_block_layout(name, vars, map);
}

Outcome ScheduleReader::set_scope(const Node& call) {
    const std::string name = block(in_.need(call, 0, "block"));
    Buffer b = buffer_argument(primitives(), in_, in_.need(call, 1, "buffer_index"), name, true);
    return primitives().set_scope(name, b, in_.scope(in_.need(call, 2, "storage_scope")));
}

Outcome ScheduleReader::reindex(const Node& call) {
    const std::string name = block(in_.need(call, 0, "block"));
    const Node& which = in_.need(call, 1, "buffer");
    Buffer b = buffer_argument(primitives(), in_, which, name, false);
    bool write = false;
    for (std::size_t k = 0; Buffer stored = primitives().buffer_by_index(name, true, k); ++k) {
        write = write || stored == b;
    }
    return primitives().reindex(name, b, write);
}

Outcome ScheduleReader::reindex_cache(const Node& call, bool write) {
    const std::string name = block(in_.need(call, 0, "block"));
    const char* which = write ? "write_buffer_index" : "read_buffer_index";
    Buffer b = buffer_argument(primitives(), in_, in_.need(call, 1, which), name, write);
    const std::string scope = in_.scope(in_.need(call, 2, "storage_scope"));
    const auto [vars, map] =
        iterator_map(primitives(), in_, module_, in_.need(call, 3, "index_map"), name);
    return primitives().reindex_cache(name, b, write, scope, vars, map);
}

Outcome ScheduleReader::reindex_cache_read(const Node& call) {
    return reindex_cache(call, false);
}

Outcome ScheduleReader::reindex_cache_write(const Node& call) {
    return reindex_cache(call, true);
}

Outcome ScheduleReader::cache_index(const Node& call) {
    const std::string name = block(in_.need(call, 0, "block"));
    const std::string scope = in_.scope(in_.need(call, 1, "storage_scope"));
    const Node* threshold = argument(call, 2, "cse_thresh");
    const std::int64_t places = threshold == nullptr ? 0 : in_.integer(*threshold);
    if (places < 0) {
        in_.wrong(*threshold, "a number of places is not negative",
                  "cse_thresh=0 makes a table of each index that is computed");
    }
    return primitives().cache_index(name, scope, places);
}

Outcome ScheduleReader::cache_inplace(const Node& call) {
    const std::string name = block(in_.need(call, 0, "block"));
    const Node& which = in_.need(call, 1, "read_buffer_index");
    Buffer b = buffer_argument(primitives(), in_, which, name, false);
    return primitives().cache_inplace(name, b, in_.scope(in_.need(call, 2, "storage_scope")));
}

Outcome ScheduleReader::annotate_buffer_access(const Node& call) {
    const std::string name = block(in_.need(call, 0, "block"));
    const Node& type = in_.need(call, 2, "buf_type");
    const bool number = values::integer_of(type).has_value();  // as in a trace of TVM
    const bool written = number ? in_.integer(type) == 1 : in_.second_of(&type, "read", "write");
    Buffer b = buffer_argument(primitives(), in_, in_.need(call, 1, "buffer_index"), name, written);
    const Node& ranges = in_.need(call, 3, "gen_new_ranges");
    return primitives().annotate_buffer_access(
        name, b, written, region_argument(primitives(), in_, module_, ranges, name, b));
}

Outcome ScheduleReader::set_dtype(const Node& call) {
    const std::string name = block(in_.need(call, 0, "block"));
    Buffer b = buffer_argument(primitives(), in_, in_.need(call, 1, "buffer_index"), name, true);
    const Node& dtype = in_.need(call, 2, "dtype");
    const std::optional<ScalarType> type = ScalarType::parse(in_.text(dtype, "a type, in quotes"));
    if (!type) in_.wrong(dtype, "there is no type \"" + dtype.text + "\"", "\"int8\", \"float16\"");
    return primitives().set_dtype(name, b, *type);
}

}  // namespace proviso::rewrite
