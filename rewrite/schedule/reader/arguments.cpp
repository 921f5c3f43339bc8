#include "rewrite/schedule/reader/arguments.h"

#include <algorithm>

#include "ir/text/reader/expressions/expr_binder.h"
#include "ir/text/spelling.h"
#include "ir/well_formed.h"
#include "rewrite/passes/proposer.h"
#include "rewrite/schedule/reader/interpreter/values.h"

namespace proviso::rewrite {

using ir::python::Node;
using ir::python::NodeKind;

namespace {

std::vector<std::string> block_names(ir::Stmt s) {
    std::vector<std::string> out;
    ir::for_each_stmt(s, [&](ir::Stmt inner) {
        if (const ir::Block* block = inner->as<ir::Block>()) out.push_back(block->name);
    });
    return out;
}

}  // namespace

Diagnostic means_several(const ir::Function& f, const Handle& loop) {
    constexpr std::size_t kMostListed = 6;
    std::string list;
    std::string blocks;
    std::size_t listed = 0;
    for (const std::string& name : loop.copies) {
        const std::optional<ir::Site> site = find_loop(f, name);
        if (!site) continue;
        if (++listed > kMostListed) continue;
        list += (list.empty() ? "" : ", ") + name;
        const std::vector<std::string> inside = block_names(locate(f, *site)->stmt);
        if (inside.empty()) continue;
        list += " (around " + inside.front() + (inside.size() > 1 ? ", …)" : ")");
        if (listed > 2) continue;
        blocks += (blocks.empty() ? "" : ", ") + std::string("sch.get_loops(\"") + inside.front() +
                  "\") has " + name;
    }
    if (listed > kMostListed) list += ", …";
    const std::string give = loop.by.gives_loops
                                 ? "take the loop that is meant from what that call gives"
                                 : "make this call before that one";
    return error("loop " + loop.name + " means several loops since " + loop.by.call + ": " + list,
                 give + (blocks.empty() ? "" : ", or take it from a block in it: " + blocks));
}

void Arguments::wrong(const Node& node, std::string message, std::string hint) const {
    ir::fail(module_.at(node, std::move(message), std::move(hint)));
}

Node Arguments::value_of(Handle handle, ir::python::Position at) {
    handles_.push_back(std::move(handle));
    return values::stands_for("%" + std::to_string(handles_.size() - 1), at);
}

Handles Arguments::evaluate(const Node& value) const {
    if (const auto number = values::handle_of(value)) return {handles_.at(*number)};
    if (values::is_list(value)) {
        Handles out;
        for (const Node& item : value.items) {
            const Handles inner = evaluate(item);
            out.insert(out.end(), inner.begin(), inner.end());
        }
        return out;
    }
    wrong(value, "expected a block or a loop, not " + values::text_of(value),
          "such as sch.get_block(\"NAME\"), or a name that one was given");
}

const Node& Arguments::need(const Node& call, std::size_t position,
                            const std::string& keyword) const {
    const Node* found = ir::argument(call, position, keyword);
    if (found == nullptr) wrong(call, "argument '" + keyword + "' is missing");
    return *found;
}

const std::string& Arguments::text(const Node& node, const std::string& what) const {
    if (!node.is(NodeKind::String)) wrong(node, "expected " + what);
    return node.text;
}

Handle Arguments::one(const Node& node, Handle::Kind kind) const {
    const Handles v = evaluate(node);
    const bool block = kind == Handle::Kind::Block;
    const char* what = block ? "expected a block" : "expected a loop";
    if (v.size() != 1) {
        wrong(node, std::string(what) + ", not " + std::to_string(v.size()) + " of them",
              v.empty() ? "" : "one of a list is taken by its number: loops[0]");
    }
    if (v[0].kind != kind) {
        wrong(node,
              std::string(what) + ", not the " + (block ? "loop '" : "block '") + v[0].name + "'",
              block ? "blocks are given by name, or by sch.get_block(\"NAME\")"
                    : "loops are given by sch.get_loops(block)");
    }
    return v[0];
}

std::string Arguments::block(const Node& node) const {
    return node.is(NodeKind::String) ? node.text : one(node, Handle::Kind::Block).name;
}

Handle Arguments::loop(const Node& node) const {
    if (node.is(NodeKind::String)) {
        wrong(node, "expected a loop, not a string",
              "loops are given by sch.get_loops(block), and by sch.loop(\"" + node.text + "\")");
    }
    return one(node, Handle::Kind::Loop);
}

Handle Arguments::target(const Node& node) const {
    if (node.is(NodeKind::String)) return Handle{Handle::Kind::Block, node.text};
    const Handles v = evaluate(node);
    if (v.size() != 1) wrong(node, "expected a block or a loop");
    return v[0];
}

std::string Arguments::block_or_all(const Node& call, std::size_t position) const {
    const Node* node = ir::argument(call, position, "block");
    const bool none = node == nullptr || (node->is(NodeKind::Constant) && node->text == "None");
    if (none) return "";
    const std::string name = block(*node);
    if (name.empty()) wrong(*node, "a block has a name", "leave it out, for all blocks");
    return name;
}

Handles Arguments::loops(const Node& call) const {
    Handles out;
    for (std::size_t i = 1; i < call.items.size(); ++i) {
        if (call.items[i].is(NodeKind::String)) loop(call.items[i]);  // by name: a mistake
        for (const Handle& h : evaluate(call.items[i])) {
            if (h.kind != Handle::Kind::Loop) {
                wrong(call.items[i], "expected loops, not the block '" + h.name + "'",
                      "loops are given by sch.get_loops(block)");
            }
            out.push_back(h);
        }
    }
    return out;
}

void Arguments::rename(const std::string& block, const std::string& now) {
    for (Handle& h : handles_) {
        if (h.kind == Handle::Kind::Block && h.name == block) h.name = now;
    }
}

void Arguments::follow(const LoopCopies& copies, const Copied& by) {
    for (Handle& h : handles_) {
        if (h.kind != Handle::Kind::Loop) continue;
        const std::vector<std::string> before =
            h.copies.empty() ? std::vector<std::string>{h.name} : h.copies;
        std::vector<std::string> now = copies.of(before);
        if (now == before) continue;
        h.by = by;
        if (now.size() == 1) h.name = now.front();
        h.copies = now.size() == 1 ? std::vector<std::string>{} : std::move(now);
    }
}

std::int64_t Arguments::integer(const Node& node) const {
    const bool negative = node.is(NodeKind::Unary) && node.text == "-";
    const Node& digits = negative ? node.items[0] : node;
    if (!digits.is(NodeKind::Int)) wrong(node, "expected an integer");
    if (digits.text.size() > 18) {
        wrong(node, "this integer is too large", "one of at most 18 digits");
    }
    const std::int64_t value = std::stoll(digits.text, nullptr, 0);
    return negative ? -value : value;
}

bool Arguments::boolean(const Node* node) const {
    if (node == nullptr) return false;
    const bool on = node->text == "True";
    if (!node->is(NodeKind::Constant) || !(on || node->text == "False")) {
        wrong(*node, "expected True or False");
    }
    return on;
}

bool Arguments::second_of(const Node* node, const std::string& first,
                          const std::string& second) const {
    if (node == nullptr || node->text == first) return false;
    if (node->text != second) wrong(*node, "expected \"" + first + "\" or \"" + second + "\"");
    return true;
}

std::vector<std::optional<std::int64_t>> Arguments::factors(const Node& list) const {
    if (!list.is(NodeKind::List) && !list.is(NodeKind::Tuple)) {
        wrong(list, "expected a list of factors", "factors=[None, 32]");
    }
    std::vector<std::optional<std::int64_t>> out;
    for (const Node& f : list.items) {
        const bool open = f.is(NodeKind::Constant) && f.text == "None";
        out.push_back(open ? std::nullopt : std::optional<std::int64_t>(integer(f)));
    }
    return out;
}

std::string Arguments::scope(const Node& node) const {
    static const std::vector<std::string> usual = {"global", "shared", "shared.dyn", "local",
                                                   "warp"};
    if (!node.is(NodeKind::String) || node.text.empty()) {
        wrong(node, "expected a storage scope", "\"local\", \"shared\" or \"global\"");
    }
    const std::string near = ir::nearest_name(node.text, usual);
    if (!near.empty() && near != node.text) {
        wrong(node, "no storage scope '" + node.text + "'", "did you mean `" + near + "`?");
    }
    if (!ir::is_buffer_scope(node.text)) {
        wrong(node, "this is no name of a storage scope", "\"local\", \"shared\" or \"global\"");
    }
    return node.text;
}

const std::string& Arguments::thread_axis(const Node& node) const {
    if (!node.is(NodeKind::String)) wrong(node, "expected a thread axis", "\"threadIdx.x\"");
    if (!ir::is_thread_tag(node.text)) {
        wrong(node, "\"" + node.text + "\" is not the name of a thread index",
              ir::suggest(node.text, ir::thread_tags(), "names are threadIdx.x, blockIdx.y, …"));
    }
    return node.text;
}

std::vector<std::string> Arguments::options(const Node* list,
                                            const std::vector<std::string>& known) const {
    if (list == nullptr) return known;
    if (!list->is(NodeKind::List) && !list->is(NodeKind::Tuple)) {
        wrong(*list, "expected a list of options", "[\"" + known.front() + "\"]");
    }
    std::vector<std::string> out;
    for (const Node& item : list->items) {
        if (!item.is(NodeKind::String) ||
            std::find(known.begin(), known.end(), item.text) == known.end()) {
            std::string all;
            for (const std::string& k : known) all += (all.empty() ? "\"" : ", \"") + k + "\"";
            wrong(item, "no such option",
                  item.is(NodeKind::String) ? ir::suggest(item.text, known, "there are: " + all)
                                            : "there are: " + all);
        }
        out.push_back(item.text);
    }
    return out;
}

HoistOptions hoist_options(const Arguments& in, const Node& call) {
    const auto ifs = in.options(ir::argument(call, 1, "conditionals"),
                                {"IfElseStmt", "IfElseExpr", "BooleanExpression"});
    const auto bindings = in.options(ir::argument(call, 2, "let_bindings"),
                                     {"RequiredByCondition", "LetStmt", "LetExpr"});
    const auto on = [](const std::vector<std::string>& list, const char* option) {
        return std::find(list.begin(), list.end(), option) != list.end();
    };
    HoistOptions o;
    o.if_statements = on(ifs, "IfElseStmt");
    o.if_expressions = on(ifs, "IfElseExpr");
    o.booleans = on(ifs, "BooleanExpression");
    o.let_required = on(bindings, "RequiredByCondition");
    o.let_statements = on(bindings, "LetStmt");
    o.let_expressions = on(bindings, "LetExpr");
    return o;
}

}  // namespace proviso::rewrite
