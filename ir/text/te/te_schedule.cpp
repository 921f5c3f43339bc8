#include "ir/text/te/te_schedule.h"

#include <algorithm>

#include "ir/text/reader/python/failure.h"
#include "ir/text/reader/python/tree_printer.h"
#include "ir/text/spelling.h"

namespace proviso::ir::te {

using python::Node;
using python::NodeKind;
using python::Position;
using python::Statement;
using python::StatementKind;

namespace {

constexpr const char* kMove = "s[A].compute_at(s[C], C.op.axis[1])";

}  // namespace

// "compute" of `te.compute`, `tvm.te.compute`, `tvm.compute`; empty: another name.
std::string te_name(const Node& callee) {
    const std::string dotted = callee.dotted();
    for (const char* prefix : {"tvm.te.", "tvm.tir.", "te.", "tir.", "tvm."}) {
        if (dotted.rfind(prefix, 0) == 0) return dotted.substr(std::string(prefix).size());
    }
    return "";
}

const Node* keyword(const Node& call, const std::string& name) {
    for (const python::Keyword& k : call.keywords) {
        if (k.name == name) return &k.value;
    }
    return nullptr;
}

void TeSchedule::wrong(const Node& at, const std::string& what, const std::string& hint) const {
    fail(module_.at(at, what, hint));
}

void TeSchedule::line(const std::string& text, Position at) {
    out_.text += text + "\n";
    out_.places.emplace_back(at.line, at.column);
}

void TeSchedule::add_stage(const std::string& variable, const std::string& block, std::size_t rank,
                           const std::vector<std::string>& axes) {
    stages_[variable] = {block, rank, axes, false, {}};
}

bool TeSchedule::is_schedule(const Node& node) const {
    return !schedule_.empty() && node.is(NodeKind::Subscript) && node.items.size() == 2 &&
           node.items[0].is(NodeKind::Name) && node.items[0].text == schedule_;
}

const std::string& TeSchedule::stage(const Node& node) const {
    if (!is_schedule(node)) wrong(node, "a stage is written `s[C]`", kMove);
    const Node& tensor = node.items[1];
    if (!tensor.is(NodeKind::Name) || stages_.count(tensor.text) == 0) {
        wrong(tensor, "no te.compute gives `" + python::print(tensor) + "`");
    }
    return tensor.text;
}

bool TeSchedule::statement(const Statement& s) {
    const bool assigns = s.is(StatementKind::Assign);
    if (assigns && names_axes(s)) return true;
    if ((!assigns && !s.is(StatementKind::Expression)) || !s.value.is(NodeKind::Call)) return false;
    const Node& callee = s.value.items[0];
    if (te_name(callee) == "create_schedule" || callee.dotted() == "create_schedule") {
        if (!assigns || !s.target.is(NodeKind::Name)) {
            wrong(s.value, "a schedule needs a name", "s = te.create_schedule(C.op)");
        }
        if (!schedule_.empty()) wrong(s.value, "there is a schedule already: `" + schedule_ + "`");
        schedule_ = s.target.text;
        return true;
    }
    if (!callee.is(NodeKind::Attribute) || !is_schedule(callee.items[0])) return false;
    std::vector<std::string> gives;
    if (assigns) {
        const std::vector<Node> targets =
            s.target.is(NodeKind::Name) ? std::vector<Node>{s.target} : s.target.items;
        for (const Node& t : targets) {
            if (!t.is(NodeKind::Name)) wrong(t, "a loop is given to a name");
            gives.push_back(t.text);
        }
    }
    call(s.value, gives);
    return true;
}

void TeSchedule::need_loops(const std::string& variable, Position at) {
    Stage& s = stages_.at(variable);
    if (s.has_loops) return;
    s.has_loops = true;
    std::string names;
    const std::size_t count = s.rank + s.axes.size();
    for (std::size_t k = 0; k < count; ++k) {
        names += (k == 0 ? "" : ", ") + ("loop_" + variable + "_" + std::to_string(k));
    }
    if (count == 1) names += ",";
    line(names + " = sch.get_loops(\"" + s.block + "\")", at);
}

bool TeSchedule::names_axes(const Statement& s) {
    Node value = s.value;
    Node& list = value.is(NodeKind::Subscript) && !value.items.empty() ? value.items[0] : value;
    if (list.is(NodeKind::Name) && named_.count(list.text) != 0) list = Node(named_[list.text]);
    const bool one = value.is(NodeKind::Subscript) && value.items.size() == 2 &&
                     value.items[1].is(NodeKind::Int);
    const std::optional<Axes> all = axes(one ? value.items[0] : value);
    if (!all) return false;
    if (s.target.is(NodeKind::Name)) {
        loops_.erase(s.target.text);
        named_[s.target.text] = value;
        return true;
    }
    if (one) wrong(s.target, "an axis is given to a name");
    const std::vector<Node>& targets = s.target.items;
    if (targets.size() != all->count) {
        wrong(s.value, "`" + all->variable + "` has " + std::to_string(all->count) +
                           (all->reduces ? " axes of reduction, not " : " dimensions, not ") +
                           std::to_string(targets.size()));
    }
    for (std::size_t k = 0; k < targets.size(); ++k) {
        if (!targets[k].is(NodeKind::Name)) wrong(targets[k], "an axis is given to a name");
        Node number;
        number.kind = NodeKind::Int;
        number.text = std::to_string(k);
        number.at = s.value.at;
        Node axis;
        axis.kind = NodeKind::Subscript;
        axis.at = s.value.at;
        axis.items = {value, number};
        loops_.erase(targets[k].text);
        named_[targets[k].text] = axis;
    }
    return true;
}

std::optional<TeSchedule::Axes> TeSchedule::axes(const Node& node) const {
    if (node.is(NodeKind::Name)) {
        const auto at = named_.find(node.text);
        return at == named_.end() ? std::nullopt : axes(at->second);
    }
    const bool of_op = node.is(NodeKind::Attribute) &&
                       (node.text == "axis" || node.text == "reduce_axis") &&
                       node.items[0].is(NodeKind::Attribute) && node.items[0].text == "op";
    if (!of_op) return std::nullopt;
    const Node& tensor = node.items[0].items[0];
    const std::string variable = is_schedule(tensor)         ? stage(tensor)
                                 : tensor.is(NodeKind::Name) ? tensor.text
                                                             : "";
    const auto found = stages_.find(variable);
    if (found == stages_.end()) wrong(tensor, "no te.compute gives this tensor");
    const Stage& s = found->second;
    if (node.text == "reduce_axis") return Axes{variable, true, s.rank, s.axes.size()};
    return Axes{variable, false, 0, s.rank};
}

std::string TeSchedule::loop(const Node& node, const std::string& of, int* axis) {
    const auto place = [&](const std::string& variable, std::size_t number) {
        need_loops(variable, node.at);
        if (axis != nullptr) *axis = static_cast<int>(number);
        return "loop_" + variable + "_" + std::to_string(number);
    };
    if (node.is(NodeKind::Name)) {
        const auto at = loops_.find(node.text);
        if (at != loops_.end()) return at->second;
        const auto named = named_.find(node.text);
        if (named != named_.end()) return loop(named->second, of, axis);
        // An axis of te.reduce_axis.
        const Stage& s = stages_.at(of);
        const auto k = std::find(s.axes.begin(), s.axes.end(), node.text);
        if (k == s.axes.end()) wrong(node, "no loop has the name `" + node.text + "`");
        return place(of, s.rank + static_cast<std::size_t>(k - s.axes.begin()));
    }
    const bool indexed = node.is(NodeKind::Subscript) && node.items.size() == 2 &&
                         node.items[1].is(NodeKind::Int) && node.items[1].text.size() < 4;
    const std::optional<Axes> all = indexed ? axes(node.items[0]) : std::nullopt;
    if (!all) wrong(node, "a loop is an axis, or what a split or fuse gave", "C.op.axis[1]");
    const auto number = static_cast<std::size_t>(std::stoi(node.items[1].text));
    if (number >= all->count) {
        wrong(node, "`" + all->variable + "` has " + std::to_string(all->count) +
                        (all->reduces ? " axes of reduction" : " dimensions"));
    }
    return place(all->variable, all->first + number);
}

void TeSchedule::move(const std::string& stage_name, const Node& c) {
    if (c.items.size() != 3) wrong(c, "compute_at takes a stage and a loop", kMove);
    Attach out;
    out.stage = stage_name;
    out.at = stage(c.items[1]);
    out.loop = loop(c.items[2], out.at, &out.axis);
    out.place = c.at;
    if (out.at == out.stage) wrong(c, "a stage cannot be computed in a loop of its own");
    if (!stages_.at(stage_name).attached.empty()) {
        wrong(c, "`" + stage_name + "` is attached twice");
    }
    stages_.at(stage_name).attached = out.at;
    moves_.push_back(std::move(out));
}

void TeSchedule::call(const Node& c, const std::vector<std::string>& gives) {
    const std::string& method = c.items[0].text;
    const std::string& of = stage(c.items[0].items[0]);
    const auto given = [&](const std::string& script, std::size_t count) {
        if (gives.size() != count) {
            wrong(c, "`" + method + "` gives " + std::to_string(count) +
                         (count == 1 ? " loop" : " loops"));
        }
        std::string names;
        for (const std::string& name : gives) {
            named_.erase(name);
            loops_[name] = "loop_" + name;
            names += (names.empty() ? "" : ", ") + loops_[name];
        }
        line(names + " = " + script, c.at);
    };
    const auto all_loops = [&](std::size_t first) {
        std::string out;
        for (std::size_t k = first; k < c.items.size(); ++k) {
            out += (out.empty() ? "" : ", ") + loop(c.items[k], of);
        }
        return out;
    };
    if (method == "compute_at") return move(of, c);
    if (method == "compute_inline")
        return line("sch.compute_inline(\"" + stages_.at(of).block + "\")", c.at);
    if (c.items.size() < 2)
        wrong(c, "`" + method + "` needs a loop", "s[C]." + method + "(C.op.axis[0])");
    if (method == "split") {
        const Node* factor = keyword(c, "factor");
        const Node* parts = keyword(c, "nparts");
        if (factor == nullptr && c.items.size() > 2) factor = &c.items[2];
        if ((factor == nullptr) == (parts == nullptr)) {
            wrong(c, "split takes a factor or a number of parts",
                  "s[C].split(C.op.axis[0], factor=8)");
        }
        const std::string l = loop(c.items[1], of);
        const std::string factors = factor != nullptr ? "None, " + python::print(*factor)
                                                      : python::print(*parts) + ", None";
        return given("sch.split(" + l + ", factors=[" + factors + "])", 2);
    }
    if (method == "fuse") {
        const std::string l = all_loops(1);
        return given("sch.fuse(" + l + ")", 1);
    }
    if (method == "reorder") {
        const std::string l = all_loops(1);
        return line("sch.reorder(" + l + ")", c.at);
    }
    if (method == "parallel" || method == "vectorize" || method == "unroll") {
        const std::string l = loop(c.items[1], of);
        return line("sch." + method + "(" + l + ")", c.at);
    }
    if (method == "bind") {
        const bool thread = c.items.size() == 3 && c.items[2].is(NodeKind::Call) &&
                            te_name(c.items[2].items[0]) == "thread_axis" &&
                            c.items[2].items.size() == 2 &&
                            c.items[2].items[1].is(NodeKind::String);
        if (!thread) {
            wrong(c, "bind takes a loop and a thread",
                  "s[C].bind(x, te.thread_axis(\"threadIdx.x\"))");
        }
        const std::string l = loop(c.items[1], of);
        return line("sch.bind(" + l + ", \"" + c.items[2].items[1].text + "\")", c.at);
    }
    const std::vector<std::string> known = {"compute_at", "compute_inline", "split",
                                            "fuse",       "reorder",        "parallel",
                                            "vectorize",  "unroll",         "bind"};
    wrong(c, "`" + method + "` of a stage has no meaning here",
          suggest(method, known, "write it as a schedule: --schedule FILE"));
}

// Loops around the own loops of a stage that is attached.
std::size_t TeSchedule::depth(const std::string& variable) const {
    for (const Attach& m : moves_) {
        if (m.stage != variable) continue;
        return depth(m.at) + static_cast<std::size_t>(m.axis) + 1;
    }
    return 0;
}

Script TeSchedule::script() const {
    TeSchedule whole = *this;
    std::vector<Attach> left = moves_;
    // Where a stage goes must be there before.
    while (!left.empty()) {
        const auto next = std::find_if(left.begin(), left.end(), [&](const Attach& m) {
            return std::none_of(left.begin(), left.end(),
                                [&](const Attach& other) { return other.stage == m.at; });
        });
        if (next == left.end()) {
            fail(module_.at(left.front().place, "stages are attached to each other in a circle"));
        }
        const bool moved = !stages_.at(next->at).attached.empty();
        std::string loop = next->loop;
        if (moved) {
            // An axis of a stage that has moved: its loops, of one iteration each, are kept.
            if (next->axis < 0) {
                fail(module_.at(next->place,
                                "a loop of a stage that is attached itself must be an axis",
                                kMove));
            }
            const std::size_t place = depth(next->at) + static_cast<std::size_t>(next->axis);
            loop = "sch.get_loops(\"" + stages_.at(next->at).block + "\")[" +
                   std::to_string(place) + "]";
        }
        const bool target = std::any_of(
            left.begin(), left.end(), [&](const Attach& other) { return other.at == next->stage; });
        whole.line("sch.compute_at(\"" + stages_.at(next->stage).block + "\", " + loop +
                       (target ? ", preserve_unit_loops=True)" : ")"),
                   next->place);
        left.erase(next);
    }
    return whole.out_;
}

}  // namespace proviso::ir::te
