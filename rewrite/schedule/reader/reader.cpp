#include "rewrite/schedule/reader/reader.h"

#include <algorithm>
#include <sstream>
#include <tuple>
#include <utility>

#include "ir/text.h"
#include "ir/text/reader/expressions/expr_binder.h"
#include "ir/text/reader/python/failure.h"
#include "ir/text/reader/python/tree_printer.h"
#include "ir/text/spelling.h"
#include "rewrite/schedule/loop_copies.h"
#include "rewrite/schedule/primitives/nothing_done.h"
#include "rewrite/schedule/reader/interpreter/interpreter.h"
#include "rewrite/schedule/reader/interpreter/values.h"
#include "rewrite/schedule/reader/layout_arguments.h"
#include "rewrite/schedule/reader/schedule_reader.h"

namespace proviso::rewrite {

using namespace ir;
using python::Node;
using python::NodeKind;

ScheduleReader::ScheduleReader(Proposer& proposer, const LoadedSchedule& schedule,
                               const ScheduleProgress& progress, Module intrinsics)
    : outer_(proposer),
      schedule_(schedule),
      module_(schedule.module),
      progress_(progress),
      in_(schedule.module),
      intrinsics_(std::move(intrinsics)) {}

ScheduleReport ScheduleReader::run() {
    ScheduleObject object;
    object.call = [this](const Node& node, const std::string& name, std::size_t inside) {
        return call(node, name, inside);
    };
    object.enter = [this](const Node& node, const std::string& name, std::size_t inside) {
        return enter(node, name, inside);
    };
    object.leave = [this](std::size_t inside) { leave(inside); };
    object.attribute = [this](const Node& h, const Node& name) { return attribute(h, name); };
    object.text = [this](const Node& value) { return text(value); };
    object.print = [this](const std::string& line, const Node& node) { shown(line, node); };
    object.composite = [this](const std::string& function, const Node& node, bool begins) {
        composite(function, node, begins);
    };
    try {
        Interpreter(module_, std::move(object)).run();
    } catch (const Stopped&) {
        return std::move(report_);
    }
    if (report_.refusal = close_function(); report_.refusal) {
        Diagnostic& why = report_.refusal->diagnostic;
        const std::vector<std::string> notes = why.notes;
        why = module_.at(opened_at_, "outline refused: " + why.message, why.hint);
        why.notes = notes;
        report_.refused_primitive = "outline";
    }
    report_.trace = json_trace_.text();
    report_.not_in_trace = json_trace_.unsaid();
    return std::move(report_);
}

namespace {

std::string trimmed(const std::string& text) {
    const std::size_t first = text.find_first_not_of(" \t\n");
    if (first == std::string::npos) return {};
    return text.substr(first, text.find_last_not_of(" \t\n") - first + 1);
}

// "i => io, ii": a loop and the names of those that it becomes, the first argument of split.
const Node* arrow_of(const Node& call) {
    if (call.items[0].text != "split") return nullptr;
    const Node* given = argument(call, 0, "loop");
    const bool arrow = given != nullptr && given->is(NodeKind::String) &&
                       given->text.find("=>") != std::string::npos;
    return arrow ? given : nullptr;
}

}  // namespace

// The call that it stands for: sch.split(sch.loop("i"), …, names=["io", "ii"]).
Node ScheduleReader::without_arrow(const Node& node, const std::string& object,
                                   std::size_t inside) {
    const Node& given = *arrow_of(node);
    const std::size_t arrow = given.text.find("=>");
    if (const Node* names = argument(node, 4, "names")) {
        in_.wrong(*names, "the new loops have their names after the arrow", "leave names out");
    }
    const Node loop_name = values::string(trimmed(given.text.substr(0, arrow)), given.at);
    std::vector<Node> names;
    std::istringstream words{given.text.substr(arrow + 2)};
    for (std::string word; std::getline(words, word, ',');) {
        names.push_back(values::string(trimmed(word), given.at));
    }
    const bool unnamed =
        std::any_of(names.begin(), names.end(), [](const Node& name) { return name.text.empty(); });
    if (names.empty() || unnamed || loop_name.text.empty()) {
        in_.wrong(given, "the name of the loop, an arrow, and a name for each new loop",
                  "such as \"i => io, ii\"");
    }
    Node asked = node;
    asked.items = {node.items[0], loop_name};
    asked.items[0].text = "loop";
    asked.keywords.clear();
    const Node loop = call(asked, object, inside);
    Node out = node;
    if (out.items.size() > 1) {
        out.items[1] = loop;
    } else {
        for (python::Keyword& k : out.keywords) {
            if (k.name == "loop") k.value = loop;
        }
    }
    out.keywords.push_back({"names", given.at, values::list(std::move(names), given.at)});
    return out;
}

Node ScheduleReader::call(const Node& written_call, const std::string& object, std::size_t inside) {
    Node node = written_call;
    for (std::size_t k = 1; k < node.items.size(); ++k) {
        node.items[k] = Node(as_function(in_, node.items[k]));
    }
    for (python::Keyword& k : node.keywords) k.value = Node(as_function(in_, k.value));
    if (arrow_of(node) != nullptr) {
        return call(without_arrow(node, object, inside), object, inside);
    }
    const std::string& primitive = node.items[0].text;
    const Signature* known = find_signature(primitive);
    const auto found = methods().find(primitive);
    if (known == nullptr || found == methods().end()) {
        const std::string instead = composition_for(primitive);
        in_.wrong(
            node, "no schedule primitive '" + primitive + "'",
            instead.empty() ? suggest(primitive, primitive_names(), primitive_list()) : instead);
    }
    scope_.clear();
    shown_.clear();
    value_.reset();
    begin_inside(node, *known, object, inside);
    const std::string usage = object + "." + std::string(known->usage);
    const std::size_t inner_before = inner_steps();
    const std::size_t outer_before = outer_.proposer().derivation().steps().size();
    const Derivation& worked_on = primitives().proposer().derivation();
    const std::size_t steps_before = worked_on.steps().size();
    const std::string text = written(node, inside);
    const std::optional<Function> beyond =
        inside == 0 || known->query ? std::nullopt : std::optional(beyond_limit());
    primitives().proposer().forget_refusals();
    history_.begin(primitives().proposer(), in_, primitive, node);
    json_trace_.inside(loops_entered(inside));
    json_trace_.begin(*known, node, [&](const Node& buffer, bool written) {
        return buffer_number(node, buffer, written);
    });
    Outcome outcome = attempt(node, *known, found->second.method, usage);
    if (beyond && !std::holds_alternative<Refusal>(outcome)) {
        if (auto no = changed_outside(*beyond, usage)) {
            primitives().proposer().derivation().roll_back(steps_before);
            outcome = std::move(*no);
        }
    }
    if (Refusal* no = std::get_if<Refusal>(&outcome)) {
        refused(node, primitive, std::move(*no));
        throw Stopped{};
    }
    const bool gives_loops =
        found->second.gives == Handle::Kind::Loop && !std::get<Names>(outcome).empty();
    const std::string here = object + "." + primitive + " in " + line_of(node.at.line);
    if (!known->query) {
        // Placed stages may have been placed again, in fewer steps.
        const LoopCopies copies(worked_on.steps(),
                                std::min(steps_before, worked_on.steps().size()));
        in_.follow(copies, {here, gives_loops});
        history_.end(copies, std::get<Names>(outcome), node.at.line);
    }
    const std::size_t inner_now = inner_steps();  // of another function after work_on
    ScheduleReport::Done done{primitive, 0, primitives().take_note()};
    done.inner_steps = inner_now > inner_before ? inner_now - inner_before : 0;
    std::tie(done.file, done.line) = file_and_line(node.at.line);
    done.query = known->query;
    done.shown = primitive == "trace" ? "" : shown_;
    done.gives = std::get<Names>(outcome);
    const bool changed = outer_.proposer().derivation().steps().size() != outer_before;
    if (!known->query && !changed && done.inner_steps == 0) {
        done.why_nothing = done.note.empty()
                               ? why_nothing(primitives().proposer(), primitive, scope_)
                               : std::exchange(done.note, {});
    }
    if (inner_) done.note = "in " + inner_->name() + (done.note.empty() ? "" : ", " + done.note);
    report_done(std::move(done));
    const Handle::Kind kind = primitive != "get" ? found->second.gives
                              : got_loop_        ? Handle::Kind::Loop
                                                 : Handle::Kind::Block;
    std::vector<Node> values;
    std::string gives;
    for (const std::string& name : std::get<Names>(outcome)) {
        values.push_back(in_.value_of(Handle{kind, name}, node.at));
        gives += (gives.empty() ? "" : ", ") + name;
    }
    if (found->second.list && values.size() == 1) gives += ",";
    if (!known->query || !gives.empty()) {
        add_to_trace((gives.empty() ? "" : gives + " = ") + text, inside);
    }
    if (primitive == "get") {
        json_trace_.same(*argument(node, 0, "rand_var_or_sref"), values.front());
    } else {
        std::vector<Node> own = values;
        if (primitive == "sample_compute_location") {  // decided: the loop by its name
            Node by_name = node;
            by_name.items = {node.items[0], values::string(std::get<Names>(outcome)[0], node.at)};
            by_name.keywords.clear();
            json_trace_.begin(*find_signature("loop"), by_name, {});
        }
        if (primitive == "get_loops") own = loops_of_its_own(node, values);
        json_trace_.end(own, kind == Handle::Kind::Loop);
    }
    if (value_) return std::move(*value_);
    if (primitive == "trace") return values::string(shown_, node.at);
    if (found->second.list) return values::list(std::move(values), node.at);
    return values.empty() ? values::none(node.at) : values.front();
}

std::string ScheduleReader::written(const Node& call, std::size_t inside) const {
    Node out = call;
    const std::size_t depth = loops_entered(inside).size();
    const std::string object = depth == 0 ? "sch" : "s" + std::to_string(depth);
    out.items[0].items = {values::stands_for(object, call.at)};
    values::name_handles(out,
                         [this](const Node& handle) { return in_.evaluate(handle).front().name; });
    return python::print(out);
}

std::vector<Node> ScheduleReader::loops_of_its_own(const Node& call,
                                                   const std::vector<Node>& loops) {
    const std::string name = block(*argument(call, 0, "block"));
    const std::size_t within = primitives().loops_within(name);
    if (within >= loops.size()) return loops;
    const Function& f = primitives().proposer().current();
    Site outer = *primitives().proposer().index().block(name);
    do {
        outer = outer.parent();
    } while (!locate(f, outer)->stmt->is<Block>());
    const std::string& around = locate(f, outer)->stmt->as<Block>()->name;
    if (around.empty() || !primitives().proposer().index().is_one_block(around)) return loops;
    const auto first = loops.end() - static_cast<std::ptrdiff_t>(within);
    json_trace_.around(around, {loops.begin(), first});
    return {first, loops.end()};
}

std::optional<std::size_t> ScheduleReader::buffer_number(const Node& call, const Node& buffer,
                                                         bool written) {
    const Node* at =
        argument(call, call.items[0].text.find("_at") != std::string::npos ? 1 : 0, "block");
    if (at == nullptr) return std::nullopt;
    try {
        const std::string name = block(*at);
        const ir::Buffer wanted = buffer_argument(primitives(), in_, buffer, name, written);
        for (std::size_t k = 0; Buffer b = primitives().buffer_by_index(name, written, k); ++k) {
            if (b == wanted) return k;
        }
    } catch (const Gone&) {     // the call will be refused
    } catch (const Failure&) {  // the call is a mistake
    }
    return std::nullopt;
}

Node ScheduleReader::attribute(const Node& handle, const Node& name) {
    const Handle h = in_.evaluate(handle).front();
    if (name.text == "name" || name.text == "name_hint") return values::string(h.name, name.at);
    if (name.text == "branches") return branches(h, name);
    if (h.kind == Handle::Kind::Loop && name.text == "extent") {
        const Function& f = primitives().proposer().current();
        const std::optional<Site> site = find_loop(f, present(h));
        const For& loop = *locate(f, *site)->stmt->as<For>();
        Expr extent = primitives().proposer().simplified(
            primitives().proposer().ctx().sub(loop.hi, loop.lo), *site);
        if (is_int_const(extent)) {
            return values::integer(static_cast<std::int64_t>(extent->int_value()), name.at);
        }
        in_.wrong(name, "the extent of loop " + h.name + " is no number: " + ir::print(extent),
                  "a schedule computes with numbers");
    }
    in_.wrong(name,
              "no `." + name.text + "` of the " +
                  (h.kind == Handle::Kind::Loop ? "loop " : "block ") + h.name,
              h.kind == Handle::Kind::Loop ? "there are: .branches, .extent, .name"
                                           : "there are: .branches, .name");
}

Node ScheduleReader::branches(const Handle& at, const Node& name) {
    const Function& f = primitives().proposer().current();
    const bool loop = at.kind == Handle::Kind::Loop;
    const std::optional<Site> site = loop ? find_loop(f, at.name) : find_block(f, at.name);
    std::vector<std::string> found;
    const auto add = [&](Expr condition) {
        const std::string text = ir::print(condition);
        if (is_true(condition)) return;
        if (std::find(found.begin(), found.end(), text) == found.end()) found.push_back(text);
    };
    if (site) {
        Stmt all = locate(f, *site)->stmt;
        for_each_stmt(all, [&](Stmt s) {
            if (const IfElse* n = s->as<IfElse>()) add(n->cond);
            if (const Block* n = s->as<Block>()) add(n->predicate);
        });
        for_each_expr(all, [&](Expr root) {
            for_each_node(root, [&](Expr e) {
                if (e->op == Op::IfThenElse || e->op == Op::Select) add(e->arg(0));
            });
        });
    }
    std::vector<Node> out;
    for (const std::string& text : found) out.push_back(values::string(text, name.at));
    return values::list(std::move(out), name.at);
}

std::string ScheduleReader::text(const Node& value) {
    const Function& f = primitives().proposer().current();
    if (const auto inside = values::program_of(value)) {
        inside_ = *inside;
        return *inside == 0 ? ir::print(f) : ir::print(locate(f, limit_site())->stmt);
    }
    if (!values::handle_of(value)) return values::text_of(value);
    const Handle h = in_.evaluate(value).front();
    const std::optional<Site> site =
        h.kind == Handle::Kind::Loop ? find_loop(f, h.name) : find_block(f, h.name);
    return site ? ir::print(locate(f, *site)->stmt) : h.name;
}

void ScheduleReader::shown(const std::string& line, const Node& node) {
    ScheduleReport::Done done{"print"};
    std::tie(done.file, done.line) = file_and_line(node.at.line);
    done.query = true;
    done.shown = line.empty() || line.back() == '\n' ? line : line + "\n";
    report_done(std::move(done));
}

Outcome ScheduleReader::attempt(const Node& node, const Signature& known, Method method,
                                const std::string& usage) {
    const std::vector<std::string> names = argument_names(known);
    const bool any = known.arguments.substr(0, 3) == "...";
    const std::size_t most = any ? node.items.size() + names.size() : names.size();
    try {
        check_arguments(*module_.source, node, 0, most, names);
        limit();  // which has to be there
        const bool maps = std::find(names.begin(), names.end(), "index_map") != names.end();
        for (const Node& item : node.items) {
            const bool star =
                item.is(NodeKind::Lambda) && !item.names.empty() && item.names.back()[0] == '*';
            if (star && !maps)
                in_.wrong(item, "`*` is for the indices of an index map", "name them");
        }
        return (this->*method)(node);
    } catch (Gone& gone) {
        return std::move(gone.why);
    } catch (Failure& mistake) {
        if (!mistake.diagnostic.hint.empty()) throw;
        mistake.diagnostic.hint =
            is_as_in_usage(node, known) ? what_it_takes(known.name) : "write: " + usage;
        throw;
    }
}

std::pair<std::string, int> ScheduleReader::file_and_line(int line) const {
    auto [file, there] = schedule_.place(line);
    if (schedule_.parts.empty() || file == schedule_.parts.front().file) file.clear();
    return {file, there};
}

std::string ScheduleReader::line_of(int line) const {
    const auto [file, there] = file_and_line(line);
    return "line " + std::to_string(there) + (file.empty() ? "" : " of " + file);
}

std::string ScheduleReader::block(const Node& node) {
    std::string name = in_.block(node);
    if (primitives().is_root(name)) throw Gone{{primitives().no_block(name), std::nullopt}};
    Outcome found = primitives().get_block(name);
    if (Refusal* no = std::get_if<Refusal>(&found)) {
        const bool none = inside_ != 0 && !primitives().proposer().index().is_block(name);
        throw Gone{none ? no_block_inside(name) : std::move(*no)};
    }
    must_be_inside("block " + name, *primitives().proposer().index().block(name));
    return name;
}

std::string ScheduleReader::loop(const Node& node) {
    return present(in_.loop(node));
}

std::vector<std::string> ScheduleReader::loops(const Node& call) {
    std::vector<std::string> names;
    for (const Handle& h : in_.loops(call)) names.push_back(present(h));
    return names;
}

std::string ScheduleReader::present(const Handle& loop) {
    const auto is_there = [&](const std::string& name) {
        return primitives().loop_variable(name) != nullptr;
    };
    if (std::any_of(loop.copies.begin(), loop.copies.end(), is_there)) {
        throw Gone{{means_several(primitives().proposer().current(), loop), std::nullopt}};
    }
    if (!is_there(loop.name)) throw Gone{{primitives().no_loop(loop.name), std::nullopt}};
    must_be_inside("loop " + loop.name, *primitives().proposer().index().loop(loop.name));
    return loop.name;
}

std::string ScheduleReader::block_or_all(const Node& call, std::size_t position) {
    const std::string name = in_.block_or_all(call, position);
    if (!name.empty()) block(*argument(call, position, "block"));
    scope_ = pass_scope(name);
    return scope_;
}

void ScheduleReader::report_done(ScheduleReport::Done done) {
    const std::size_t now = outer_.proposer().derivation().steps().size();
    done.steps = now - std::min(now, steps_reported_);
    steps_reported_ = now;
    done.within = composite_.name;
    composite_.steps += done.steps + done.inner_steps;
    report_.done.push_back(std::move(done));
    if (progress_) progress_(report_.done.back());
}

void ScheduleReader::composite(const std::string& function, const Node& call, bool begins) {
    if (begins) {
        if (composite_.depth++ == 0) composite_ = {function, 1, 0};
        return;
    }
    if (--composite_.depth > 0) return;
    ScheduleReport::Done done{function};
    done.inner_steps = composite_.steps;
    done.composite = true;
    std::tie(done.file, done.line) = file_and_line(call.at.line);
    composite_ = {};
    if (progress_) progress_(done);
}

std::size_t ScheduleReader::inner_steps() {
    return inner_ ? inner_->primitives().proposer().derivation().steps().size() : 0;
}

std::optional<Refusal> ScheduleReader::close_function() {
    if (!inner_) return std::nullopt;
    std::optional<Refusal> no = inner_->close(outer_);
    const std::string name = inner_->name();
    inner_.reset();
    const bool changed = outer_.proposer().derivation().steps().size() > steps_reported_;
    if (!no && changed) report_done({"outline", 0, "what " + name + " has become"});
    return no;
}

}  // namespace proviso::rewrite
