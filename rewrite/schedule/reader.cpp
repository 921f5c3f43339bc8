#include "rewrite/schedule/reader.h"

#include <algorithm>
#include <utility>

#include "ir/text/reader/expressions/expr_binder.h"
#include "ir/text/reader/python/failure.h"
#include "ir/text/reader/python/python.h"
#include "ir/text/reader/python/python_numbers.h"
#include "ir/text/spelling.h"
#include "rewrite/passes/claim_search.h"
#include "rewrite/schedule/arguments.h"
#include "rewrite/schedule/assumption_binder.h"
#include "rewrite/schedule/form.h"
#include "rewrite/schedule/layout_arguments.h"
#include "rewrite/schedule/loop_copies.h"
#include "rewrite/schedule/nothing_done.h"
#include "rewrite/schedule/outlined_function.h"
#include "rewrite/schedule/signatures.h"

namespace proviso::rewrite {

using namespace ir;
using python::Node;
using python::NodeKind;
using python::Statement;
using python::StatementKind;

namespace {

constexpr const char* kCalls =
    "a schedule is a list of calls, such as: b = sch.get_block(\"NAME\")";

Diagnostic with_hint(Diagnostic d) {
    if (d.hint.empty()) d.hint = kCalls;
    return d;
}

class Reader {
  public:
    Reader(Proposer& proposer, const python::Module& module, const ScheduleProgress& progress)
        : outer_(proposer),
          module_(module),
          progress_(progress),
          in_(module, [this](const Node& node) { return call(node); }) {}

    ScheduleReport run() {
        for (const Statement& s : module_.body) {
            if (report_.refusal) break;
            statement(s);
        }
        if (report_.refusal) return std::move(report_);
        if (report_.refusal = close_function(); report_.refusal) {
            Diagnostic& why = report_.refusal->diagnostic;
            const std::vector<std::string> notes = why.notes;
            why = module_.at(opened_at_, "outline refused: " + why.message, why.hint);
            why.notes = notes;
            report_.refused_primitive = "outline";
        }
        return std::move(report_);
    }

  private:
    void statement(const Statement& s) {
        if (s.is(StatementKind::Pass) || s.is(StatementKind::Return)) return;  // form.h
        if (s.is(StatementKind::Function)) {  // def schedule(sch): the body is the schedule
            object_ = s.parameters[0].name;
            for (const Statement& inner : s.body) {
                if (!report_.refusal) statement(inner);
            }
            return;
        }
        if (s.is(StatementKind::Expression)) {
            if (!s.value.is(NodeKind::String)) in_.evaluate(s.value);  // else a comment in quotes
            return;
        }
        if (!s.is(StatementKind::Assign)) {
            fail(module_.at(s.at, "a schedule is a list of calls on the schedule object",
                            "such as: b = sch.get_block(\"name\")"));
        }
        const Handles value = in_.evaluate(s.value);
        if (!report_.refusal) in_.assign(s.target, value);
    }

    using Method = Outcome (Reader::*)(const Node&);
    struct Entry {
        Method method;
        Handle::Kind gives;
    };
    static const std::map<std::string, Entry>& methods() {
        using K = Handle::Kind;
        static const std::map<std::string, Entry> table = {
            {"get_block", {&Reader::get_block, K::Block}},
            {"get_sblock", {&Reader::get_block, K::Block}},
            {"get_loops", {&Reader::get_loops, K::Loop}},
            {"split", {&Reader::split, K::Loop}},
            {"fuse", {&Reader::fuse, K::Loop}},
            {"reorder", {&Reader::reorder, K::Loop}},
            {"transform_layout", {&Reader::transform_layout, K::Block}},
            {"cache_read", {&Reader::cache_read, K::Block}},
            {"read_at", {&Reader::read_at, K::Block}},
            {"cache_write", {&Reader::cache_write, K::Block}},
            {"write_at", {&Reader::write_at, K::Block}},
            {"compute_at", {&Reader::compute_at, K::Block}},
            {"reverse_compute_at", {&Reader::reverse_compute_at, K::Block}},
            {"reverse_compute_inline", {&Reader::reverse_compute_inline, K::Block}},
            {"compute_inline", {&Reader::compute_inline, K::Block}},
            {"sequential_buffer_access", {&Reader::sequential_buffer_access, K::Block}},
            {"decompose_reduction", {&Reader::decompose_reduction, K::Block}},
            {"remove_branching_through_overcompute", {&Reader::remove_branching, K::Block}},
            {"remove_overcompute_through_branching", {&Reader::remove_overcompute, K::Block}},
            {"reduce_loop_extents", {&Reader::reduce_loop_extents, K::Block}},
            {"loop_partition", {&Reader::loop_partition, K::Loop}},
            {"hoist_expression", {&Reader::hoist_expression, K::Block}},
            {"merge_adjacent_loops", {&Reader::merge_adjacent_loops, K::Loop}},
            {"fission", {&Reader::fission, K::Loop}},
            {"unroll", {&Reader::unroll, K::Block}},
            {"bind", {&Reader::bind, K::Block}},
            {"parallel", {&Reader::parallel, K::Block}},
            {"vectorize", {&Reader::vectorize, K::Block}},
            {"assume", {&Reader::assume, K::Block}},
            {"lower_assume", {&Reader::lower_assume, K::Block}},
            {"remove_no_op", {&Reader::remove_no_op, K::Block}},
            {"simplify", {&Reader::simplify_call, K::Block}},
            {"outline", {&Reader::outline, K::Block}},
            {"work_on", {&Reader::work_on, K::Block}},
        };
        return table;
    }

    Handles call(const Node& node) {
        const Node& callee = node.items[0];
        if (!callee.is(NodeKind::Attribute) || !callee.items[0].is(NodeKind::Name)) {
            in_.wrong(node, "expected a call on the schedule object", "sch.get_block(\"NAME\")");
        }
        same_object(callee.items[0]);
        const Signature* known = find_signature(callee.text);
        const auto found = methods().find(callee.text);
        if (known == nullptr || found == methods().end()) {
            in_.wrong(node, "no schedule primitive '" + callee.text + "'",
                      suggest(callee.text, primitive_names(), primitive_list()));
        }
        scope_.clear();
        const std::string usage = object_ + "." + std::string(known->usage);
        const std::size_t inner_before = inner_steps();
        const std::size_t outer_before = outer_.proposer().derivation().steps().size();
        const Derivation& worked_on = primitives().proposer().derivation();
        const std::size_t steps_before = worked_on.steps().size();
        Outcome outcome = attempt(node, *known, found->second.method, usage);
        if (Refusal* no = std::get_if<Refusal>(&outcome)) {
            refused(node, callee.text, usage, std::move(*no));
            return {};
        }
        const bool gives_loops =
            found->second.gives == Handle::Kind::Loop && !std::get<Names>(outcome).empty();
        const std::string here =
            object_ + "." + callee.text + " in line " + std::to_string(node.at.line);
        if (!known->query) {
            in_.follow(LoopCopies(worked_on.steps(), steps_before), {here, gives_loops});
        }
        const std::size_t inner_now = inner_steps();  // of another function after work_on
        ScheduleReport::Done done{callee.text, 0, primitives().take_note()};
        done.inner_steps = inner_now > inner_before ? inner_now - inner_before : 0;
        done.line = node.at.line;
        done.query = known->query;
        done.gives = std::get<Names>(outcome);
        const bool changed = outer_.proposer().derivation().steps().size() > outer_before;
        if (!known->query && !changed && done.inner_steps == 0) {
            done.why_nothing = done.note.empty()
                                   ? why_nothing(primitives().proposer(), callee.text, scope_)
                                   : std::exchange(done.note, {});
        }
        if (inner_)
            done.note = "in " + inner_->name() + (done.note.empty() ? "" : ", " + done.note);
        report_done(std::move(done));
        Handles out;
        for (const std::string& name : std::get<Names>(outcome)) {
            out.push_back(Handle{found->second.gives, name});
        }
        return out;
    }

    void same_object(const Node& object) const {
        if (object.text == object_) return;
        in_.wrong(object, "'" + object.text + "' is not the schedule object",
                  "write: " + object_ + ".…");
    }

    // A block or a loop that a call names and that is not there.
    struct Gone {
        Refusal why;
    };

    // Every mistake in the text of a call says what to write instead.
    Outcome attempt(const Node& node, const Signature& known, Method method,
                    const std::string& usage) {
        const std::vector<std::string> names = argument_names(known);
        const std::size_t most = known.arguments == "..." ? node.items.size() : names.size();
        try {
            check_arguments(*module_.source, node, 0, most, names);
            return (this->*method)(node);
        } catch (Gone& gone) {
            return std::move(gone.why);
        } catch (Failure& mistake) {
            if (mistake.diagnostic.hint.empty()) mistake.diagnostic.hint = "write: " + usage;
            throw;
        }
    }

    void refused(const Node& node, const std::string& primitive, const std::string& usage,
                 Refusal no) {
        Diagnostic at =
            module_.at(node, primitive + " refused: " + no.diagnostic.message, no.diagnostic.hint);
        at.notes = no.diagnostic.notes;
        no.diagnostic = at;
        report_.refused_primitive = primitive;
        report_.refused_usage = usage;
        report_.refused_line = node.at.line;
        report_.refused_in = primitives().proposer().current();
        report_.refusal = std::move(no);
        close_function();  // what was done before stays done
    }

    // --- blocks and loops that are there -------------------------------------------------------

    std::string block(const Node& node) {
        std::string name = in_.block(node);
        Outcome found = primitives().get_block(name);
        if (Refusal* no = std::get_if<Refusal>(&found)) throw Gone{std::move(*no)};
        return name;
    }

    std::string loop(const Node& node) { return present(in_.loop(node)); }

    std::vector<std::string> loops(const Node& call) {
        std::vector<std::string> names;
        for (const Handle& h : in_.loops(call)) names.push_back(present(h));
        return names;
    }

    std::string present(const Handle& loop) {
        const auto is_there = [&](const std::string& name) {
            return primitives().loop_variable(name) != nullptr;
        };
        if (std::any_of(loop.copies.begin(), loop.copies.end(), is_there)) {
            throw Gone{{means_several(primitives().proposer().current(), loop), std::nullopt}};
        }
        if (!is_there(loop.name)) throw Gone{{primitives().no_loop(loop.name), std::nullopt}};
        return loop.name;
    }

    // The argument `block`, where it may be left out.
    std::string block_or_all(const Node& call, std::size_t position = 0) {
        scope_ = in_.block_or_all(call, position);
        if (!scope_.empty()) block(*argument(call, position, "block"));
        return scope_;
    }

    // What a call has done, with the steps since the last one that was reported. Steps of an
    // outlined function become one when that is closed.
    void report_done(ScheduleReport::Done done) {
        const std::size_t now = outer_.proposer().derivation().steps().size();
        done.steps = now - steps_reported_;
        steps_reported_ = now;
        report_.done.push_back(std::move(done));
        if (progress_) progress_(report_.done.back());
    }

    std::size_t inner_steps() {
        return inner_ ? inner_->primitives().proposer().derivation().steps().size() : 0;
    }

    // --- primitives ----------------------------------------------------------------------------

    Outcome get_block(const Node& call) {
        return primitives().get_block(in_.text(in_.need(call, 0, "name"), "a block's name"));
    }

    Outcome get_loops(const Node& call) {
        return primitives().get_loops(block(in_.need(call, 0, "block")));
    }

    Outcome split(const Node& call) {
        const std::string name = loop(in_.need(call, 0, "loop"));
        return primitives().split(name, in_.factors(in_.need(call, 1, "factors")));
    }

    Outcome fuse(const Node& call) { return primitives().fuse(loops(call)); }
    Outcome reorder(const Node& call) { return primitives().reorder(loops(call)); }

    Outcome transform_layout(const Node& call) {
        block(in_.need(call, 0, "block"));
        return primitives().transform_layout(layout_request(primitives(), in_, module_, call));
    }

    Outcome compute_at(const Node& call) { return placed(call, &Primitives::compute_at); }
    Outcome reverse_compute_at(const Node& call) {
        return placed(call, &Primitives::reverse_compute_at);
    }
    Outcome placed(const Node& call,
                   Outcome (Primitives::*place)(const std::string&, const std::string&, bool)) {
        const std::string name = block(in_.need(call, 0, "block"));
        const std::string at = loop(in_.need(call, 1, "loop"));
        const bool keep = in_.boolean(argument(call, 2, "preserve_unit_loops"));
        return (primitives().*place)(name, at, keep);
    }
    Outcome compute_inline(const Node& call) {
        return primitives().compute_inline(block(in_.need(call, 0, "block")));
    }
    Outcome reverse_compute_inline(const Node& call) {
        return primitives().reverse_compute_inline(block(in_.need(call, 0, "block")));
    }
    Outcome cache(const Node& call, bool write) {
        const std::string name = block(in_.need(call, 0, "block"));
        const char* keyword = write ? "write_buffer_index" : "read_buffer_index";
        Buffer b = buffer_argument(primitives(), in_, in_.need(call, 1, keyword), name, write);
        const std::string scope = in_.scope(in_.need(call, 2, "storage_scope"));
        return write ? primitives().cache_write(name, b, scope)
                     : primitives().cache_read(name, b, scope);
    }
    Outcome cache_read(const Node& call) { return cache(call, false); }
    Outcome tile(const Node& call, bool writes) {
        const std::string at = loop(in_.need(call, 0, "loop"));
        const std::string name = block(in_.need(call, 1, "block"));
        const char* which = writes ? "write_buffer_index" : "read_buffer_index";
        Buffer b = buffer_argument(primitives(), in_, in_.need(call, 2, which), name, writes);
        const std::string scope = in_.scope(in_.need(call, 3, "storage_scope"));
        return writes ? primitives().write_at(at, name, b, scope)
                      : primitives().read_at(at, name, b, scope);
    }
    Outcome read_at(const Node& call) { return tile(call, false); }
    Outcome write_at(const Node& call) { return tile(call, true); }
    Outcome cache_write(const Node& call) { return cache(call, true); }

    Outcome sequential_buffer_access(const Node& call) {
        const std::string name = block(in_.need(call, 0, "block"));
        return primitives().sequential_buffer_access(
            name, buffer_argument(primitives(), in_, in_.need(call, 1, "buffer"), name, true));
    }

    Outcome decompose_reduction(const Node& call) {
        const std::string name = block(in_.need(call, 0, "block"));
        return primitives().decompose_reduction(name, loop(in_.need(call, 1, "loop")));
    }

    Outcome remove_branching(const Node& call) {
        const bool partial = in_.boolean(argument(call, 1, "partial"));
        return primitives().remove_branching(block_or_all(call), partial);
    }
    Outcome remove_overcompute(const Node& call) {
        return primitives().remove_overcompute(block_or_all(call));
    }
    Outcome reduce_loop_extents(const Node& call) {
        rewrite::reduce_loop_extents(primitives().proposer(), block_or_all(call));
        return Names{};
    }

    Outcome loop_partition(const Node& call) {
        const Node* first = argument(call, 0, "loop");
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

    Outcome hoist_expression(const Node& call) {
        const HoistOptions o = hoist_options(in_, call);
        const std::string name = block_or_all(call);
        primitives().note(hoist_expressions(primitives().proposer(), o, name).limit);
        return Names{};
    }

    Outcome merge_adjacent_loops(const Node& call) {
        return primitives().merge_adjacent_loops(loops(call));
    }
    Outcome fission(const Node& call) {
        const std::string name = loop(in_.need(call, 0, "loop"));
        return primitives().fission(name, in_.integer(in_.need(call, 1, "at")));
    }
    Outcome unroll(const Node& call) {
        return primitives().unroll(loop(in_.need(call, 0, "loop")));
    }
    Outcome bind(const Node& call) {
        const std::string name = loop(in_.need(call, 0, "loop"));
        return primitives().bind(name, in_.thread_axis(in_.need(call, 1, "thread_axis")));
    }
    Outcome parallel(const Node& call) {
        return primitives().bind(loop(in_.need(call, 0, "loop")), "");
    }
    Outcome vectorize(const Node& call) {
        return primitives().vectorize(loop(in_.need(call, 0, "loop")));
    }
    Outcome lower_assume(const Node& call) {
        const bool check = in_.second_of(argument(call, 1, "mode"), "drop", "check");
        return primitives().lower_assume(block_or_all(call), check);
    }
    // A lambda over the loops around a block, or those and the loop; then what is for all indices.
    Outcome assume(const Node& call) {
        const Node& where = in_.need(call, 0, "at");
        const Handle at = in_.target(where);
        at.kind == Handle::Kind::Loop ? present(at) : block(where);
        const Function& f = primitives().proposer().current();
        const bool loop = at.kind == Handle::Kind::Loop;
        std::optional<Site> site = loop ? find_loop(f, at.name) : find_block(f, at.name);
        if (loop) site = site->child("body");
        const Node& lambda = in_.need(call, 1, "condition");
        if (!lambda.is(NodeKind::Lambda)) in_.wrong(lambda, "expected a lambda: lambda i: i < n");
        const Exported known = bind_assumption(primitives().proposer(), module_, lambda, *site,
                                               loops_around(f, *site));
        return primitives().assume(*site, known.for_all, known.condition);
    }

    Outcome remove_no_op(const Node& call) {
        rewrite::remove_no_op(primitives().proposer(), block_or_all(call));
        return Names{};
    }
    Outcome simplify_call(const Node& call) {
        rewrite::simplify(primitives().proposer(), block_or_all(call));
        return Names{};
    }

    Outcome outline(const Node& call) {
        if (inner_) {
            in_.wrong(call, "outline stages of the derivation's function, not of an outlined one");
        }
        const std::string stage = block(in_.need(call, 0, "block"));
        const std::string& name =
            in_.text(in_.need(call, 1, "name"), "a name for the new function");
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

    // lambda p, q: …, over indices of buffers that the stage sees.
    Exported exported_assumption(const Node& lambda, const std::string& block) {
        if (!lambda.is(NodeKind::Lambda))
            in_.wrong(lambda, "expected a lambda: lambda i: B[i] == 0");
        const Function& f = outer_.proposer().current();
        const Site stage = stage_of(f, *find_block(f, block));
        return bind_assumption(outer_.proposer(), module_, lambda, stage, {});
    }

    Outcome work_on(const Node& call) {
        const Node& name = in_.need(call, 0, "func_name");
        if (!name.is(NodeKind::String)) in_.wrong(name, "expected a function's name");
        if (std::optional<Refusal> no = close_function()) return std::move(*no);
        if (name.text == outer_.proposer().current().name) return Names{};
        const auto& known = report_.outlined;
        if (std::find(known.begin(), known.end(), name.text) == known.end()) {
            in_.wrong(name, "this derivation works on '" + outer_.proposer().current().name + "'",
                      "sch.outline(block, \"" + name.text + "\") makes a function of a stage");
        }
        Result<OutlinedFunction> opened = OutlinedFunction::open(outer_.proposer(), name.text);
        if (!opened) in_.wrong(name, opened.error().message, opened.error().hint);
        inner_.emplace(std::move(*opened));
        opened_at_ = name;
        return Names{};
    }

    // What was done to an outlined function becomes a step of the function it stands in.
    std::optional<Refusal> close_function() {
        if (!inner_) return std::nullopt;
        std::optional<Refusal> no = inner_->close(outer_);
        const std::string name = inner_->name();
        inner_.reset();
        const bool changed = outer_.proposer().derivation().steps().size() > steps_reported_;
        if (!no && changed) report_done({"outline", 0, "what " + name + " has become"});
        return no;
    }

    // The function that calls are about: the derivation's, or one that was outlined.
    Primitives& primitives() { return inner_ ? inner_->primitives() : outer_; }

    Primitives outer_;
    std::optional<OutlinedFunction> inner_;
    Node opened_at_;  // where a schedule has begun to work on it
    const python::Module& module_;
    const ScheduleProgress& progress_;
    Arguments in_;
    ScheduleReport report_;
    std::size_t steps_reported_ = 0;
    std::string object_ = "sch";  // the schedule object: `sch`, or the parameter of a `def`
    std::string scope_;  // the block that the call at work is limited to; empty: everything
};

}  // namespace

Result<ScheduleReport> run_schedule(Proposer& proposer, std::string_view text,
                                    const std::string& file, const ScheduleProgress& progress) {
    Result<python::Module> module = python::parse_python(text, file);
    if (!module) return with_hint(module.error());
    Result<ScheduleReport> report = guarded([&] {
        check_form(*module);
        for (Statement& s : module->body) python::compute_numbers(s, *module->source, {});
        return Reader(proposer, *module, progress).run();
    });
    return report ? std::move(report) : with_hint(report.error());
}

}  // namespace proviso::rewrite
