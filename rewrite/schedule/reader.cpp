#include "rewrite/schedule/reader.h"

#include <algorithm>
#include <map>
#include <sstream>

#include "ir/text/expr_binder.h"
#include "ir/text/python.h"
#include "rewrite/passes/claim_search.h"
#include "rewrite/schedule/arguments.h"
#include "rewrite/schedule/assumption_binder.h"
#include "rewrite/schedule/layout_arguments.h"
#include "rewrite/schedule/outlined_function.h"

namespace proviso::rewrite {

using namespace ir;
using python::Node;
using python::NodeKind;
using python::Statement;
using python::StatementKind;

namespace {

class Reader {
  public:
    Reader(Proposer& proposer, const python::Module& module, const ScheduleProgress& progress)
        : outer_(proposer),
          module_(module),
          progress_(progress),
          in_(module, [this](const Node& node) { return call(node); }) {}

    // Throws ir::Failure on a mistake in the text.
    ScheduleReport run() {
        for (const Statement& s : module_.body) {
            if (report_.refusal) break;
            statement(s);
        }
        if (report_.refusal) return std::move(report_);
        report_.refusal = close_function();
        if (report_.refusal) report_.refused_primitive = "outline";
        return std::move(report_);
    }

  private:
    void statement(const Statement& s) {
        if (s.is(StatementKind::Import) || s.is(StatementKind::Pass)) return;
        if (s.is(StatementKind::Function)) {  // def schedule(sch): the body is the schedule
            for (const Statement& inner : s.body) {
                if (!report_.refusal) statement(inner);
            }
            return;
        }
        if (s.is(StatementKind::Return)) return;
        if (s.is(StatementKind::Expression)) {
            if (s.value.is(NodeKind::String)) return;  // a comment in quotes
            in_.evaluate(s.value);
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
        std::string_view arguments;  // by name, in order; "...": any number, none by name
    };
    static const std::map<std::string, Entry>& methods() {
        using K = Handle::Kind;
        static const std::map<std::string, Entry> table = {
            {"get_block", {&Reader::get_block, K::Block, "name"}},
            {"get_sblock", {&Reader::get_block, K::Block, "name"}},
            {"get_loops", {&Reader::get_loops, K::Loop, "block"}},
            {"split", {&Reader::split, K::Loop, "loop factors"}},
            {"fuse", {&Reader::fuse, K::Loop, "..."}},
            {"reorder", {&Reader::reorder, K::Loop, "..."}},
            {"transform_layout",
             {&Reader::transform_layout, K::Block, "block buffer index_map pad_value plan"}},
            {"cache_read",
             {&Reader::cache_read, K::Block, "block read_buffer_index storage_scope"}},
            {"read_at", {&Reader::read_at, K::Block, "loop block read_buffer_index storage_scope"}},
            {"cache_write",
             {&Reader::cache_write, K::Block, "block write_buffer_index storage_scope"}},
            {"write_at",
             {&Reader::write_at, K::Block, "loop block write_buffer_index storage_scope"}},
            {"sequential_buffer_access",
             {&Reader::sequential_buffer_access, K::Block, "block buffer"}},
            {"decompose_reduction", {&Reader::decompose_reduction, K::Block, "block loop"}},
            {"remove_branching_through_overcompute",
             {&Reader::remove_branching, K::Block, "block partial"}},
            {"remove_overcompute_through_branching",
             {&Reader::remove_overcompute, K::Block, "block"}},
            {"reduce_loop_extents", {&Reader::reduce_loop_extents, K::Block, "block"}},
            {"loop_partition", {&Reader::loop_partition, K::Loop, "loop factors hint block"}},
            {"hoist_expression",
             {&Reader::hoist_expression, K::Block, "block conditionals let_bindings"}},
            {"merge_adjacent_loops", {&Reader::merge_adjacent_loops, K::Loop, "..."}},
            {"fission", {&Reader::fission, K::Loop, "loop at"}},
            {"unroll", {&Reader::unroll, K::Block, "loop"}},
            {"bind", {&Reader::bind, K::Block, "loop thread_axis"}},
            {"parallel", {&Reader::parallel, K::Block, "loop"}},
            {"vectorize", {&Reader::vectorize, K::Block, "loop"}},
            {"assume", {&Reader::assume, K::Block, "at condition"}},
            {"lower_assume", {&Reader::lower_assume, K::Block, "block mode"}},
            {"remove_no_op", {&Reader::remove_no_op, K::Block, "block"}},
            {"simplify", {&Reader::simplify_call, K::Block, "block"}},
            {"outline", {&Reader::outline, K::Block, "block name assume"}},
            {"work_on", {&Reader::work_on, K::Block, "func_name"}},
        };
        return table;
    }

    Handles call(const Node& node) {
        const Node& callee = node.items[0];
        if (!callee.is(NodeKind::Attribute))
            in_.wrong(node, "expected a call on the schedule object");
        const auto found = methods().find(callee.text);
        if (found == methods().end()) {
            std::string known;
            for (const auto& [name, entry] : methods()) known += (known.empty() ? "" : ", ") + name;
            in_.wrong(node, "no schedule primitive '" + callee.text + "'", "there are: " + known);
        }
        known_arguments(node, found->second.arguments);
        const std::size_t inner_before = inner_steps();
        Outcome outcome = (this->*found->second.method)(node);
        if (Refusal* no = std::get_if<Refusal>(&outcome)) {
            Diagnostic at = module_.at(node, callee.text + " refused: " + no->diagnostic.message,
                                       no->diagnostic.hint);
            at.notes = no->diagnostic.notes;
            no->diagnostic = at;
            report_.refused_primitive = callee.text;
            report_.refused_line = node.at.line;
            report_.refused_in = primitives().proposer().current();
            report_.refusal = std::move(*no);
            close_function();  // what was done before stays done
            return {};
        }
        std::string note = primitives().take_note();
        if (inner_) note = "in " + inner_->name() + (note.empty() ? "" : ", " + note);
        const std::size_t inner_now = inner_steps();  // of another function after work_on
        report_done(callee.text, std::move(note),
                    inner_now > inner_before ? inner_now - inner_before : 0, node.at.line);
        Handles out;
        for (const std::string& name : std::get<Names>(outcome)) {
            out.push_back(Handle{found->second.gives, name});
        }
        return out;
    }

    // An argument that nobody reads is a mistake, and says what was meant.
    void known_arguments(const Node& node, std::string_view names) {
        std::vector<std::string> known;
        std::istringstream words{std::string(names)};
        for (std::string word; words >> word;) known.push_back(word);
        const bool any = names == "...";
        if (any) known.clear();
        const std::size_t most = any ? node.items.size() : known.size();
        check_arguments(*module_.source, node, 0, most, known);
    }

    // What a call has done, with the steps since the last one that was reported. Steps of an
    // outlined function become one when that is closed.
    void report_done(const std::string& primitive, std::string note, std::size_t inner = 0,
                     int line = 0) {
        const std::size_t now = outer_.proposer().derivation().steps().size();
        report_.done.push_back({primitive, now - steps_reported_, std::move(note), inner, line});
        steps_reported_ = now;
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
        return primitives().get_loops(in_.block(in_.need(call, 0, "block")));
    }

    Outcome split(const Node& call) {
        const std::string loop = in_.loop(in_.need(call, 0, "loop"));
        return primitives().split(loop, in_.factors(in_.need(call, 1, "factors")));
    }

    Outcome fuse(const Node& call) { return primitives().fuse(in_.loops(call)); }
    Outcome reorder(const Node& call) { return primitives().reorder(in_.loops(call)); }

    Outcome transform_layout(const Node& call) {
        return primitives().transform_layout(layout_request(primitives(), in_, module_, call));
    }

    Outcome cache(const Node& call, bool write) {
        const std::string block = in_.block(in_.need(call, 0, "block"));
        const char* keyword = write ? "write_buffer_index" : "read_buffer_index";
        Buffer b = buffer_argument(primitives(), in_, in_.need(call, 1, keyword), block, write);
        const Node& scope = in_.need(call, 2, "storage_scope");
        if (!scope.is(NodeKind::String)) in_.wrong(scope, "expected a storage scope: \"local\"");
        return write ? primitives().cache_write(block, b, scope.text)
                     : primitives().cache_read(block, b, scope.text);
    }
    Outcome cache_read(const Node& call) { return cache(call, false); }
    Outcome tile(const Node& call, bool writes) {
        const std::string loop = in_.loop(in_.need(call, 0, "loop"));
        const std::string block = in_.block(in_.need(call, 1, "block"));
        const char* which = writes ? "write_buffer_index" : "read_buffer_index";
        Buffer b = buffer_argument(primitives(), in_, in_.need(call, 2, which), block, writes);
        const Node& scope = in_.need(call, 3, "storage_scope");
        if (!scope.is(NodeKind::String)) in_.wrong(scope, "expected a storage scope: \"shared\"");
        return writes ? primitives().write_at(loop, block, b, scope.text)
                      : primitives().read_at(loop, block, b, scope.text);
    }
    Outcome read_at(const Node& call) { return tile(call, false); }
    Outcome write_at(const Node& call) { return tile(call, true); }
    Outcome cache_write(const Node& call) { return cache(call, true); }

    Outcome sequential_buffer_access(const Node& call) {
        const std::string block = in_.block(in_.need(call, 0, "block"));
        return primitives().sequential_buffer_access(
            block, buffer_argument(primitives(), in_, in_.need(call, 1, "buffer"), block, true));
    }

    Outcome decompose_reduction(const Node& call) {
        const std::string block = in_.block(in_.need(call, 0, "block"));
        return primitives().decompose_reduction(block, in_.loop(in_.need(call, 1, "loop")));
    }

    Outcome remove_branching(const Node& call) {
        const Node* partial = argument(call, 1, "partial");
        const bool on = partial != nullptr && partial->text == "True";
        if (partial != nullptr && !on && partial->text != "False") {
            in_.wrong(*partial, "expected True or False");
        }
        return primitives().remove_branching(in_.block_or_all(call), on);
    }
    Outcome remove_overcompute(const Node& call) {
        return primitives().remove_overcompute(in_.block_or_all(call));
    }
    Outcome reduce_loop_extents(const Node& call) {
        const std::string block = in_.block_or_all(call);
        rewrite::reduce_loop_extents(primitives().proposer(), block);
        return Names{};
    }

    Outcome loop_partition(const Node& call) {
        const Node* first = argument(call, 0, "loop");
        if (first == nullptr) {  // every loop of a block's stage, or of the function
            const Node* block = argument(call, 3, "block");
            const std::string name = block == nullptr ? "" : in_.block(*block);
            primitives().note(rewrite::loop_partition(primitives().proposer(), name).limit);
            return Names{};
        }
        const std::string loop = in_.loop(*first);
        if (const Node* factors = argument(call, 1, "factors")) {
            return primitives().partition(loop, in_.factors(*factors));
        }
        const Node* hint = argument(call, 2, "hint");
        if (hint == nullptr) return primitives().partition(loop);
        Expr var = primitives().loop_variable(loop);
        if (var == nullptr || !hint->is(NodeKind::Lambda) || hint->names.size() != 1) {
            in_.wrong(*hint, "expected a condition on the loop's variable",
                      "hint=lambda i: i < 14");
        }
        ir::Names names;
        const Expr i = bind_parameters(primitives(), *hint, var->type, names)[0];
        ExprBinder binder(primitives().proposer().ctx(), *module_.source, names, false);
        return primitives().partition(loop, i,
                                      binder.bind_typed(hint->items[0], kBool, "the hint"));
    }

    Outcome hoist_expression(const Node& call) {
        const auto ifs = in_.options(argument(call, 1, "conditionals"),
                                     {"IfElseStmt", "IfElseExpr", "BooleanExpression"});
        const auto bindings = in_.options(argument(call, 2, "let_bindings"),
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
        const std::string block = in_.block_or_all(call);
        primitives().note(hoist_expressions(primitives().proposer(), o, block).limit);
        return Names{};
    }

    Outcome merge_adjacent_loops(const Node& call) {
        return primitives().merge_adjacent_loops(in_.loops(call));
    }
    Outcome fission(const Node& call) {
        const std::string loop = in_.loop(in_.need(call, 0, "loop"));
        return primitives().fission(loop, in_.integer(in_.need(call, 1, "at")));
    }
    Outcome unroll(const Node& call) {
        return primitives().unroll(in_.loop(in_.need(call, 0, "loop")));
    }
    Outcome bind(const Node& call) {
        const std::string loop = in_.loop(in_.need(call, 0, "loop"));
        const Node& axis = in_.need(call, 1, "thread_axis");
        if (!axis.is(NodeKind::String))
            in_.wrong(axis, "expected a thread axis", "\"threadIdx.x\"");
        return primitives().bind(loop, axis.text);
    }
    Outcome parallel(const Node& call) {
        return primitives().bind(in_.loop(in_.need(call, 0, "loop")), "");
    }
    Outcome vectorize(const Node& call) {
        return primitives().vectorize(in_.loop(in_.need(call, 0, "loop")));
    }
    Outcome lower_assume(const Node& call) {
        const Node* mode = argument(call, 1, "mode");
        const bool check = mode != nullptr && mode->text == "check";
        if (mode != nullptr && !check && mode->text != "drop") {
            in_.wrong(*mode, "expected \"drop\" or \"check\"");
        }
        return primitives().lower_assume(in_.block_or_all(call), check);
    }
    // A lambda over the loops around a block, or over those and the loop itself; further parameters
    // are for all indices.
    Outcome assume(const Node& call) {
        const Handle at = in_.target(in_.need(call, 0, "at"));
        const Function& f = primitives().proposer().current();
        const bool loop = at.kind == Handle::Kind::Loop;
        std::optional<Site> site = loop ? find_loop(f, at.name) : find_block(f, at.name);
        if (!site) in_.wrong(call, "there is no '" + at.name + "' any more");
        if (loop) site = site->child("body");
        const Node& lambda = in_.need(call, 1, "condition");
        if (!lambda.is(NodeKind::Lambda)) in_.wrong(lambda, "expected a lambda: lambda i: i < n");
        const std::vector<Expr> vars = loops_around(f, *site);
        if (lambda.names.size() < vars.size()) {
            in_.wrong(lambda, "the lambda takes a parameter for each of the " +
                                  std::to_string(vars.size()) + " loops");
        }
        const Exported known =
            bind_assumption(primitives().proposer(), module_, lambda, *site, vars);
        return primitives().assume(*site, known.for_all, known.condition);
    }

    Outcome remove_no_op(const Node& call) {
        const std::string block = in_.block_or_all(call);
        rewrite::remove_no_op(primitives().proposer(), block);
        return Names{};
    }
    Outcome simplify_call(const Node& call) {
        const std::string block = in_.block_or_all(call);
        rewrite::simplify(primitives().proposer(), block);
        return Names{};
    }

    Outcome outline(const Node& call) {
        if (inner_) {
            in_.wrong(call, "outline stages of the derivation's function, not of an outlined one");
        }
        const std::string block = in_.block(in_.need(call, 0, "block"));
        const Node& name = in_.need(call, 1, "name");
        if (!name.is(NodeKind::String)) in_.wrong(name, "expected a name for the new function");
        std::vector<Exported> exported;
        if (const Node* list = argument(call, 2, "assume")) {
            const bool several = list->is(NodeKind::List) || list->is(NodeKind::Tuple);
            for (const Node& item : several ? list->items : std::vector<Node>{*list}) {
                exported.push_back(exported_assumption(item, block));
            }
        }
        Outcome done = outer_.outline(block, name.text, exported);
        if (std::holds_alternative<Names>(done)) report_.outlined.push_back(name.text);
        return done;
    }

    // lambda p, q: …, over indices of buffers that the stage sees.
    Exported exported_assumption(const Node& lambda, const std::string& block) {
        if (!lambda.is(NodeKind::Lambda))
            in_.wrong(lambda, "expected a lambda: lambda i: B[i] == 0");
        const Function& f = outer_.proposer().current();
        const std::optional<Site> site = find_block(f, block);
        if (!site) in_.wrong(lambda, "there is no block '" + block + "'");
        return bind_assumption(outer_.proposer(), module_, lambda, stage_of(f, *site), {});
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
        return Names{};
    }

    // What was done to an outlined function becomes a step of the function it stands in.
    std::optional<Refusal> close_function() {
        if (!inner_) return std::nullopt;
        std::optional<Refusal> no = inner_->close(outer_);
        const std::string name = inner_->name();
        inner_.reset();
        const bool changed = outer_.proposer().derivation().steps().size() > steps_reported_;
        if (!no && changed) report_done("outline", "what " + name + " has become");
        return no;
    }

    // The function that calls are about: the derivation's, or one that was outlined.
    Primitives& primitives() { return inner_ ? inner_->primitives() : outer_; }

    Primitives outer_;
    std::optional<OutlinedFunction> inner_;
    const python::Module& module_;
    const ScheduleProgress& progress_;
    Arguments in_;
    ScheduleReport report_;
    std::size_t steps_reported_ = 0;
};

}  // namespace

Result<ScheduleReport> run_schedule(Proposer& proposer, std::string_view text,
                                    const std::string& file, const ScheduleProgress& progress) {
    const Result<python::Module> module = python::parse_python(text, file);
    if (!module) return module.error();
    return guarded([&] { return Reader(proposer, *module, progress).run(); });
}

}  // namespace proviso::rewrite
