// The calls of a schedule: arguments are read, and the primitive is called.
#include <algorithm>
#include <set>

#include "ir/text/reader/expressions/expr_binder.h"
#include "rewrite/passes/claim_search.h"
#include "rewrite/schedule/primitives/caches/cache_scope.h"
#include "rewrite/schedule/reader/interpreter/values.h"
#include "rewrite/schedule/reader/layout_arguments.h"
#include "rewrite/schedule/reader/schedule_reader.h"
#include "rewrite/schedule/restated.h"

namespace proviso::rewrite {

using namespace ir;
using python::Node;
using python::NodeKind;

Outcome ScheduleReader::get_block(const Node& call) {
    const Node& given = in_.need(call, 0, "name");
    const std::string& name = in_.text(given, "a block's name");
    must_be_function(argument(call, 1, "func_name"));
    // "root" of what is inside of a loop is that.
    if (inside_ == 0 || primitives().is_root(name)) return primitives().get_block(name);
    return Names{block(given)};
}

Outcome ScheduleReader::get_loops(const Node& call) {
    const std::string name = block(in_.need(call, 0, "block"));
    Outcome all = seen(primitives().get_loops(name), true);
    const Node* count = argument(call, 1, "count");
    if (count == nullptr) return all;
    // As many as a trace says: of a block within a block TVM knows those between the two alone.
    Names& loops = std::get<Names>(all);
    const std::int64_t wanted = in_.integer(*count);
    const auto between = static_cast<std::int64_t>(primitives().loops_within(name));
    if (wanted == between && between < static_cast<std::int64_t>(loops.size())) {
        loops.erase(loops.begin(), loops.end() - between);
    }
    if (wanted != static_cast<std::int64_t>(loops.size())) {
        std::string names;
        for (const std::string& loop : loops) names += (names.empty() ? "" : ", ") + loop;
        in_.wrong(*count,
                  "block " + name + " has " + std::to_string(loops.size()) + " loops, not " +
                      std::to_string(wanted),
                  names.empty() ? "there is no loop around it" : "they are " + names);
    }
    return all;
}

Outcome ScheduleReader::split(const Node& call) {
    const std::string name = loop(in_.need(call, 0, "loop"));
    const auto factors = in_.factors(in_.need(call, 1, "factors"));
    in_.boolean(argument(call, 2, "preserve_unit_iters"));  // iterators of one value mean the same
    in_.boolean(argument(call, 3, "disable_predication"));  // a guard stays where one is needed
    std::vector<std::string> names;
    if (const Node* given = argument(call, 4, "names")) {
        for (const Node& n : given->items) names.push_back(in_.text(n, "a loop's name, in quotes"));
        if (names.size() != factors.size()) {
            in_.wrong(*given, "a name for each factor", "names=[\"io\", \"ii\"]");
        }
    }
    return primitives().split(name, factors, names);
}

Outcome ScheduleReader::fuse(const Node& call) {
    for (const python::Keyword& k : call.keywords) in_.boolean(&k.value);  // preserve_unit_iters
    return primitives().fuse(loops(call));
}

Outcome ScheduleReader::reorder(const Node& call) {
    return primitives().reorder(loops(call));
}

Outcome ScheduleReader::transform_layout(const Node& call) {
    block(in_.need(call, 0, "block"));
    return primitives().transform_layout(layout_request(primitives(), in_, module_, call));
}

Outcome ScheduleReader::cache(const Node& call, bool write) {
    const std::string name = block(in_.need(call, 0, "block"));
    const char* keyword = write ? "write_buffer_index" : "read_buffer_index";
    Buffer b = buffer_argument(primitives(), in_, in_.need(call, 1, keyword), name, write);
    const std::string scope = in_.scope(in_.need(call, 2, "storage_scope"));
    std::optional<std::vector<std::string>> consumers;
    const Node* given = argument(call, 3, "consumer_blocks");
    if (given != nullptr && !values::is_none(*given)) {
        consumers.emplace();
        const bool list = values::is_list(*given);
        for (const Node& item : list ? given->items : std::vector<Node>{*given}) {
            consumers->push_back(block(item));
        }
    }
    if (write && consumers && inside_ != 0) {
        in_.wrong(*given, "what an iteration writes is copied back, and all that read it read that",
                  "leave consumer_blocks out, or cache_read for the consumers");
    }
    if (inside_ != 0) return cache_inside(name, b, scope, consumers, write);
    if (!write) return primitives().cache_read(name, b, scope, std::move(consumers));
    Proposer& p = primitives().proposer();
    const std::size_t start = p.derivation().steps().size();
    Outcome out = primitives().cache_write(name, b, scope);
    const Names* copy = std::get_if<Names>(&out);
    if (copy == nullptr || !consumers) return out;
    // As in TVM: these read the cache, and not what is copied from it.
    for (const std::string& consumer : *consumers) {
        if (auto no = read_cache(p, consumer, copy->front(), b)) {
            p.derivation().roll_back(start);
            p.derivation().record(*no);
            const Diagnostic why = no->diagnostic;
            return Refusal{why, std::move(no)};
        }
    }
    return out;
}

Outcome ScheduleReader::cache_read(const Node& call) {
    return cache(call, false);
}

Outcome ScheduleReader::tile(const Node& call, bool writes) {
    const std::string at = loop(in_.need(call, 0, "loop"));
    const std::string name = block(in_.need(call, 1, "block"));
    const char* which = writes ? "write_buffer_index" : "read_buffer_index";
    Buffer b = buffer_argument(primitives(), in_, in_.need(call, 2, which), name, writes);
    const std::string scope = in_.scope(in_.need(call, 3, "storage_scope"));
    return writes ? primitives().write_at(at, name, b, scope)
                  : primitives().read_at(at, name, b, scope);
}

Outcome ScheduleReader::read_at(const Node& call) {
    return tile(call, false);
}

Outcome ScheduleReader::write_at(const Node& call) {
    return tile(call, true);
}

Outcome ScheduleReader::cache_write(const Node& call) {
    return cache(call, true);
}

Outcome ScheduleReader::sequential_buffer_access(const Node& call) {
    const std::string name = block(in_.need(call, 0, "block"));
    return primitives().sequential_buffer_access(
        name, buffer_argument(primitives(), in_, in_.need(call, 1, "buffer"), name, true));
}

Outcome ScheduleReader::compute_at(const Node& call) {
    const std::string name = block(in_.need(call, 0, "block"));
    const std::string at = loop(in_.need(call, 1, "loop"));
    const bool unit_loops = in_.boolean(argument(call, 2, "preserve_unit_loops"));
    const Node* where = argument(call, 3, "index");
    const std::int64_t index = where == nullptr ? -1 : in_.integer(*where);
    if (index < -2 || index > 0) {
        in_.wrong(*where, "a stage stands before what reads its result, or first",
                  "index=-1, index=-2 or index=0");
    }
    Placed stage{name, at, unit_loops, index, steps()};
    Outcome out = primitives().compute_at(name, at, unit_loops, index);
    if (std::holds_alternative<Names>(out)) placed(std::move(stage));
    return out;
}

Outcome ScheduleReader::store_at(const Node& call) {
    const std::string name = block(in_.need(call, 0, "block"));
    const Node* where = argument(call, 1, "loop");
    return primitives().store_at(name, where == nullptr ? "" : loop(*where));
}

namespace {

// The stage of a block, the last in the body of a loop, as statement `index` of it; -2: the first
// that it can be. Or why not.
std::optional<Refusal> move_up(Proposer& p, const std::string& block, const std::string& loop,
                               std::int64_t index) {
    const Function& f = p.current();
    Site list = p.index().loop(loop)->child("body");
    while (locate(f, list)->stmt->is<Allocate>()) list = list.child("body");
    const Seq* all = locate(f, list)->stmt->as<Seq>();
    const std::size_t last = all == nullptr ? 0 : all->body.size() - 1;
    const bool stands =
        all != nullptr && list.child(std::to_string(last)).contains(*p.index().block(block));
    if (!stands || index > static_cast<std::int64_t>(last)) {
        return Refusal{
            error("the body of loop " + loop + " has no place " + std::to_string(index) +
                      " for block " + block,
                  stands ? "its places are 0 to " + std::to_string(last) + ", and -1 is the end"
                         : "index=-1: it stands at the end"),
            std::nullopt};
    }
    std::optional<Rejection> why;
    const auto from = static_cast<std::size_t>(std::max<std::int64_t>(index, 0));
    for (std::size_t to = from; to < last; ++to) {
        why = move_within(p, list, last, to);
        if (!why || index != -2) break;
    }
    if (!why || index == -2) return std::nullopt;
    Diagnostic says = why->diagnostic;
    says.message = "block " + block + " cannot stand at place " + std::to_string(index) +
                   " in loop " + loop + ": " + says.message;
    says.hint = "index=-1 is the end, and index=-2 the first place that is possible";
    return Refusal{std::move(says), std::move(why)};
}

}  // namespace

Outcome ScheduleReader::reverse_compute_at(const Node& call) {
    const std::string name = block(in_.need(call, 0, "block"));
    const std::string at = loop(in_.need(call, 1, "loop"));
    const bool unit_loops = in_.boolean(argument(call, 2, "preserve_unit_loops"));
    const Node* where = argument(call, 3, "index");
    const std::int64_t index = where == nullptr ? -1 : in_.integer(*where);
    if (index < -2) {
        in_.wrong(*where, "a place in the loop's body is a number of it from 0 on",
                  "index=-1 is the end, and index=-2 the first place that is possible");
    }
    const std::size_t before = steps();
    Outcome out = primitives().reverse_compute_at(name, at, unit_loops);
    if (index == -1 || std::holds_alternative<Refusal>(out)) return out;
    Proposer& p = primitives().proposer();
    std::string note = primitives().take_note();
    auto no = move_up(p, name, at, index);
    primitives().note(std::move(note));
    if (!no) return out;
    p.derivation().roll_back(before);
    if (no->rejection) p.derivation().record(*no->rejection);
    return std::move(*no);
}

Outcome ScheduleReader::compute_inline(const Node& call) {
    return primitives().compute_inline(block(in_.need(call, 0, "block")));
}

Outcome ScheduleReader::reverse_compute_inline(const Node& call) {
    return primitives().reverse_compute_inline(block(in_.need(call, 0, "block")));
}

Outcome ScheduleReader::decompose_padding(const Node& call) {
    const std::string name = block(in_.need(call, 0, "block"));
    return primitives().decompose_padding(name, loop(in_.need(call, 1, "loop")));
}

Outcome ScheduleReader::pad_einsum(const Node& call) {
    const std::string name = block(in_.need(call, 0, "block"));
    const Node& padding = in_.need(call, 1, "padding");
    if (!values::is_list(padding)) in_.wrong(padding, "expected a list of numbers", "[1, 16, 16]");
    std::vector<std::int64_t> numbers;
    for (const Node& item : padding.items) numbers.push_back(in_.integer(item));
    return primitives().pad_einsum(name, numbers);
}

Outcome ScheduleReader::fuse_reduction_epilogue(const Node& call) {
    const std::string sum = block(in_.need(call, 0, "reduction_block"));
    return primitives().fuse_reduction_epilogue(sum, block(in_.need(call, 1, "epilogue_block")));
}

Outcome ScheduleReader::decompose_reduction(const Node& call) {
    const std::string name = block(in_.need(call, 0, "block"));
    Outcome done = primitives().decompose_reduction(name, loop(in_.need(call, 1, "loop")));
    // As in TVM: what is left of the block updates. Where nothing is left, there is no such block.
    if (std::holds_alternative<Names>(done)) {
        const Outcome renamed = primitives().rename_block(name, name + "_update");
        if (const Names* now = std::get_if<Names>(&renamed)) in_.rename(name, now->front());
    }
    return done;
}

Outcome ScheduleReader::rfactor(const Node& call) {
    const std::string name = loop(in_.need(call, 0, "loop"));
    return primitives().rfactor(name, in_.integer(in_.need(call, 1, "factor_axis")));
}

Outcome ScheduleReader::remove_branching(const Node& call) {
    const bool partial = in_.boolean(argument(call, 1, "partial"));
    return primitives().remove_branching(block_or_all(call), partial);
}

Outcome ScheduleReader::remove_overcompute(const Node& call) {
    return primitives().remove_overcompute(block_or_all(call));
}

Outcome ScheduleReader::reduce_loop_extents(const Node& call) {
    rewrite::reduce_loop_extents(primitives().proposer(), block_or_all(call));
    return Names{};
}

Outcome ScheduleReader::loop_partition(const Node& call) {
    const Node* first = argument(call, 0, "loop");
    in_.boolean(argument(call, 4, "preserve_unit_iters"));
    if (first == nullptr) {  // every loop of a block's stage, or of the function
        const std::string within = block_or_all(call, 3);
        primitives().note(rewrite::loop_partition(primitives().proposer(), within).limit);
        return Names{};
    }
    const std::string name = loop(*first);
    if (const Node* factors = argument(call, 1, "factors")) {
        if (const Node* unread = argument(call, 2, "hint")) {
            in_.wrong(*unread, "`hint` is for a partition without `factors`",
                      "give one of the two");
        }
        return primitives().partition(name, in_.factors(*factors));
    }
    const Node* hint = argument(call, 2, "hint");
    if (hint == nullptr) return primitives().partition(name);
    Expr var = primitives().loop_variable(name);
    const auto [i, condition] = bind_hint(primitives(), in_, module_, *hint, var);
    return primitives().partition(name, i, condition);
}

Outcome ScheduleReader::hoist_expression(const Node& call) {
    const HoistOptions o = hoist_options(in_, call);
    const std::string name = block_or_all(call);
    primitives().note(hoist_expressions(primitives().proposer(), o, name).limit);
    return Names{};
}

Outcome ScheduleReader::merge_adjacent_loops(const Node& call) {
    return primitives().merge_adjacent_loops(loops(call));
}

Outcome ScheduleReader::fission(const Node& call) {
    const std::string name = loop(in_.need(call, 0, "loop"));
    return primitives().fission(name, in_.integer(in_.need(call, 1, "at")));
}

Outcome ScheduleReader::unroll(const Node& call) {
    const std::string name = loop(in_.need(call, 0, "loop"));
    return primitives().unroll(name, in_.boolean(argument(call, 1, "copies")));
}

Outcome ScheduleReader::bind(const Node& call) {
    const std::string name = loop(in_.need(call, 0, "loop"));
    const Node& axis = in_.need(call, 1, "thread_axis");
    static const std::set<std::string> virtual_threads = {"vthread", "vthread.x", "vthread.y",
                                                          "vthread.z", "cthread"};
    if (!axis.is(NodeKind::String) || virtual_threads.count(axis.text) == 0) {
        return primitives().bind(name, in_.thread_axis(axis));
    }
    // Iterations in any order, with TVM's name for them.
    Outcome done = primitives().bind(name, "");
    if (std::holds_alternative<Refusal>(done)) return done;
    return primitives().annotate({true, name}, "virtual_thread", AttrValue{axis.text});
}

Outcome ScheduleReader::parallel(const Node& call) {
    return primitives().bind(loop(in_.need(call, 0, "loop")), "");
}

Outcome ScheduleReader::vectorize(const Node& call) {
    const std::string name = loop(in_.need(call, 0, "loop"));
    return primitives().vectorize(name, in_.boolean(argument(call, 1, "wide")));
}

Outcome ScheduleReader::lower_assume(const Node& call) {
    const bool check = in_.second_of(argument(call, 1, "mode"), "drop", "check");
    return primitives().lower_assume(block_or_all(call), check);
}

Outcome ScheduleReader::assume(const Node& call) {
    const Node& where = in_.need(call, 0, "at");
    const Handle at = in_.target(where);
    at.kind == Handle::Kind::Loop ? present(at) : block(where);
    const Function& f = primitives().proposer().current();
    const bool loop = at.kind == Handle::Kind::Loop;
    std::optional<Site> site = loop ? find_loop(f, at.name) : find_block(f, at.name);
    if (loop) site = site->child("body");
    const Node& lambda = in_.need(call, 1, "condition");
    if (!lambda.is(NodeKind::Lambda)) in_.wrong(lambda, "expected a lambda: lambda i: i < n");
    const Exported known =
        bind_assumption(primitives().proposer(), module_, lambda, *site, loops_around(f, *site));
    return primitives().assume(*site, known.for_all, known.condition);
}

Outcome ScheduleReader::remove_no_op(const Node& call) {
    rewrite::remove_no_op(primitives().proposer(), block_or_all(call));
    return Names{};
}

Outcome ScheduleReader::simplify_call(const Node& call) {
    rewrite::simplify(primitives().proposer(), block_or_all(call));
    return Names{};
}

Outcome ScheduleReader::outline(const Node& call) {
    if (inner_) {
        in_.wrong(call, "outline stages of the derivation's function, not of an outlined one");
    }
    const std::string stage = block(in_.need(call, 0, "block"));
    const std::string& name = in_.text(in_.need(call, 1, "name"), "a name for the new function");
    std::vector<Exported> exported;
    if (const Node* list = argument(call, 2, "assume")) {
        const bool several = list->is(NodeKind::List) || list->is(NodeKind::Tuple);
        for (const Node& item : several ? list->items : std::vector<Node>{*list}) {
            exported.push_back(exported_assumption(item, stage));
        }
    }
    Outcome done = outer_.outline(stage, name, exported);
    if (std::holds_alternative<Names>(done)) report_.outlined.push_back(name);
    return done;
}

Exported ScheduleReader::exported_assumption(const Node& lambda, const std::string& block) {
    if (!lambda.is(NodeKind::Lambda)) in_.wrong(lambda, "expected a lambda: lambda i: B[i] == 0");
    const Function& f = outer_.proposer().current();
    const Site stage = stage_of(f, *find_block(f, block));
    return bind_assumption(outer_.proposer(), module_, lambda, stage, {});
}

void ScheduleReader::must_be_function(const Node* name) {
    if (name == nullptr || values::is_none(*name)) return;
    const std::string& given = in_.text(*name, "a function's name");
    const std::string& here = primitives().proposer().current().name;
    const auto& known = report_.outlined;
    const bool outlined = std::find(known.begin(), known.end(), given) != known.end();
    if (given == here || (given == "main" && !outlined && !inner_)) return;
    in_.wrong(*name, "calls are about the function '" + here + "'",
              outlined ? "sch.work_on(\"" + given + "\") before it" : "leave func_name out");
}

Outcome ScheduleReader::work_on(const Node& call) {
    const Node& name = in_.need(call, 0, "func_name");
    if (!name.is(NodeKind::String)) in_.wrong(name, "expected a function's name");
    if (std::optional<Refusal> no = close_function()) return std::move(*no);
    placed_.clear();
    if (name.text == outer_.proposer().current().name) return Names{};
    const auto& known = report_.outlined;
    if (std::find(known.begin(), known.end(), name.text) == known.end()) {
        if (name.text == "main") {
            primitives().note("main is " + outer_.proposer().current().name);
            return Names{};
        }
        in_.wrong(name, "this derivation works on '" + outer_.proposer().current().name + "'",
                  "sch.outline(block, \"" + name.text + "\") makes a function of a stage");
    }
    Result<OutlinedFunction> opened = OutlinedFunction::open(outer_.proposer(), name.text);
    if (!opened) in_.wrong(name, opened.error().message, opened.error().hint);
    inner_.emplace(std::move(*opened));
    opened_at_ = name;
    return Names{};
}

}  // namespace proviso::rewrite
