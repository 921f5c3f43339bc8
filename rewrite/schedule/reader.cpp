#include "rewrite/schedule/reader.h"

#include <algorithm>
#include <map>

#include "analysis/path.h"
#include "ir/text/expr_binder.h"
#include "ir/text/python.h"
#include "rewrite/passes/claim_search.h"

namespace proviso::rewrite {

using namespace ir;
using python::Node;
using python::NodeKind;
using python::Statement;
using python::StatementKind;

namespace {

// What a schedule variable holds.
struct Handle {
    enum class Kind : std::uint8_t { Block, Loop } kind;
    std::string name;
};
using Value = std::vector<Handle>;  // one handle, or the elements of a list

class Reader {
  public:
    Reader(Proposer& proposer, const python::Module& module, const ScheduleProgress& progress)
        : primitives_(proposer), module_(module), progress_(progress) {}

    // Throws ir::Failure on a mistake in the text.
    ScheduleReport run() {
        for (const Statement& s : module_.body) {
            if (report_.refusal) break;
            statement(s);
        }
        return std::move(report_);
    }

  private:
    [[noreturn]] void wrong(const Node& node, std::string message, std::string hint = {}) const {
        fail(module_.at(node, std::move(message), std::move(hint)));
    }

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
            evaluate(s.value);
            return;
        }
        if (!s.is(StatementKind::Assign)) {
            fail(module_.at(s.at, "a schedule is a list of calls on the schedule object",
                            "such as: b = sch.get_block(\"name\")"));
        }
        const Value value = evaluate(s.value);
        if (!report_.refusal) assign(s.target, value);
    }

    void assign(const Node& target, const Value& value) {
        if (target.is(NodeKind::Name)) {
            variables_[target.text] = value;
            return;
        }
        if (!target.is(NodeKind::Tuple) && !target.is(NodeKind::List)) {
            wrong(target, "cannot assign to this", "names, separated by commas");
        }
        if (target.items.size() != value.size()) {
            wrong(target, std::to_string(target.items.size()) + " names for " +
                              std::to_string(value.size()) + " values");
        }
        for (std::size_t i = 0; i < value.size(); ++i) assign(target.items[i], {value[i]});
    }

    // Any expression that gives handles.
    Value evaluate(const Node& node) {
        if (node.is(NodeKind::Name)) {
            const auto found = variables_.find(node.text);
            if (found == variables_.end()) wrong(node, "unknown name '" + node.text + "'");
            return found->second;
        }
        if (node.is(NodeKind::List) || node.is(NodeKind::Tuple)) {
            Value out;
            for (const Node& item : node.items) {
                const Value v = evaluate(item);
                out.insert(out.end(), v.begin(), v.end());
            }
            return out;
        }
        if (node.is(NodeKind::Subscript) && node.items.size() == 2) {
            const Value v = evaluate(node.items[0]);
            std::int64_t index = integer(node.items[1]);
            if (index < 0) index += static_cast<std::int64_t>(v.size());
            if (index < 0 || static_cast<std::size_t>(index) >= v.size()) {
                wrong(node, "index out of the list");
            }
            return {v[static_cast<std::size_t>(index)]};
        }
        if (node.is(NodeKind::Call)) return call(node);
        wrong(node, "expected a call on the schedule object, a block or a loop");
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
            {"cache_write", {&Reader::cache_write, K::Block}},
            {"sequential_buffer_access", {&Reader::sequential_buffer_access, K::Block}},
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
            {"assume", {&Reader::assume, K::Block}},
            {"lower_assume", {&Reader::lower_assume, K::Block}},
            {"remove_no_op", {&Reader::remove_no_op, K::Block}},
            {"simplify", {&Reader::simplify_call, K::Block}},
            {"work_on", {&Reader::work_on, K::Block}},
        };
        return table;
    }

    Value call(const Node& node) {
        const Node& callee = node.items[0];
        if (!callee.is(NodeKind::Attribute)) wrong(node, "expected a call on the schedule object");
        const auto found = methods().find(callee.text);
        if (found == methods().end()) {
            std::string known;
            for (const auto& [name, entry] : methods()) known += (known.empty() ? "" : ", ") + name;
            wrong(node, "no schedule primitive '" + callee.text + "'", "there are: " + known);
        }
        const std::size_t before = steps();
        Outcome outcome = (this->*found->second.method)(node);
        if (Refusal* no = std::get_if<Refusal>(&outcome)) {
            Diagnostic at = module_.at(node, callee.text + " refused: " + no->diagnostic.message,
                                       no->diagnostic.hint);
            at.notes = no->diagnostic.notes;
            no->diagnostic = at;
            report_.refused_primitive = callee.text;
            report_.refusal = std::move(*no);
            return {};
        }
        report_.done.push_back({callee.text, steps() - before, primitives_.take_note()});
        if (progress_) progress_(report_.done.back());
        Value out;
        for (const std::string& name : std::get<Names>(outcome)) {
            out.push_back(Handle{found->second.gives, name});
        }
        return out;
    }

    std::size_t steps() { return primitives_.proposer().derivation().steps().size(); }

    // --- arguments -----------------------------------------------------------------------------

    const Node& need(const Node& call, std::size_t position, const std::string& keyword) const {
        const Node* found = argument(call, position, keyword);
        if (found == nullptr) wrong(call, "argument '" + keyword + "' is missing");
        return *found;
    }

    std::string one(const Node& node, Handle::Kind kind) {
        if (kind == Handle::Kind::Block && node.is(NodeKind::String)) return node.text;
        const Value v = evaluate(node);
        if (v.size() != 1 || v[0].kind != kind) {
            wrong(node, kind == Handle::Kind::Block ? "expected a block" : "expected a loop");
        }
        return v[0].name;
    }

    Names loops(const Node& call) {
        Names out;
        const std::size_t args = call.items.size() - 1;
        for (std::size_t i = 0; i < args; ++i) {
            for (const Handle& h : evaluate(call.items[i + 1])) {
                if (h.kind != Handle::Kind::Loop) wrong(call.items[i + 1], "expected loops");
                out.push_back(h.name);
            }
        }
        return out;
    }

    std::int64_t integer(const Node& node) const {
        const bool negative = node.is(NodeKind::Unary) && node.text == "-";
        const Node& digits = negative ? node.items[0] : node;
        if (!digits.is(NodeKind::Int) || digits.text.size() > 18)
            wrong(node, "expected an integer");
        const std::int64_t value = std::stoll(digits.text, nullptr, 0);
        return negative ? -value : value;
    }

    std::string block_or_all(const Node& call) {
        const Node* node = argument(call, 0, "block");
        const bool none = node == nullptr || (node->is(NodeKind::Constant) && node->text == "None");
        return none ? "" : one(*node, Handle::Kind::Block);
    }

    // A buffer of a block: its name, ("read", 0), ("write", 0), or a number (of loads / stores).
    Buffer buffer(const Node& node, const std::string& block, bool store_by_default) {
        Buffer found = nullptr;
        if (node.is(NodeKind::String)) {
            found = primitives_.accessed_buffer(block, node.text);
        } else if (node.is(NodeKind::Tuple) && node.items.size() == 2 &&
                   node.items[0].is(NodeKind::String)) {
            const std::string& which = node.items[0].text;
            if (which != "read" && which != "write") wrong(node.items[0], "\"read\" or \"write\"");
            found = primitives_.buffer_by_index(block, which == "write",
                                                static_cast<std::size_t>(integer(node.items[1])));
        } else {
            found = primitives_.buffer_by_index(block, store_by_default,
                                                static_cast<std::size_t>(integer(node)));
        }
        if (found == nullptr) {
            wrong(node, "block '" + block + "' accesses no such buffer",
                  "its name, or (\"read\", 0), or (\"write\", 0)");
        }
        return found;
    }

    // --- primitives ----------------------------------------------------------------------------

    Outcome get_block(const Node& call) {
        const Node& name = need(call, 0, "name");
        if (!name.is(NodeKind::String)) wrong(name, "expected a block's name");
        return primitives_.get_block(name.text);
    }

    Outcome get_loops(const Node& call) {
        return primitives_.get_loops(one(need(call, 0, "block"), Handle::Kind::Block));
    }

    Outcome split(const Node& call) {
        const std::string loop = one(need(call, 0, "loop"), Handle::Kind::Loop);
        return primitives_.split(loop, factor_list(need(call, 1, "factors")));
    }

    std::vector<std::optional<std::int64_t>> factor_list(const Node& list) const {
        if (!list.is(NodeKind::List) && !list.is(NodeKind::Tuple)) {
            wrong(list, "expected a list of factors", "factors=[None, 32]");
        }
        std::vector<std::optional<std::int64_t>> factors;
        for (const Node& f : list.items) {
            const bool open = f.is(NodeKind::Constant) && f.text == "None";
            factors.push_back(open ? std::nullopt : std::optional<std::int64_t>(integer(f)));
        }
        return factors;
    }

    Outcome fuse(const Node& call) { return primitives_.fuse(loops(call)); }
    Outcome reorder(const Node& call) { return primitives_.reorder(loops(call)); }

    // lambda i, j: [i, j // 4, j % 4]: its variables, and the body's elements over them.
    std::pair<std::vector<Expr>, std::vector<Expr>> index_map(const Node& node, ScalarType type) {
        if (!node.is(NodeKind::Lambda)) wrong(node, "expected a lambda: lambda i: [i // 4, i % 4]");
        ir::Names names;
        const std::vector<Expr> vars = bind_parameters(node, type, names);
        ExprBinder binder(primitives_.proposer().ctx(), *module_.source, names, false);
        std::vector<Expr> map;
        const Node& body = node.items[0];
        const bool list = body.is(NodeKind::List) || body.is(NodeKind::Tuple);
        for (const Node& item : list ? body.items : std::vector<Node>{body}) {
            map.push_back(binder.bind_typed(item, type, "an index"));
        }
        if (map.empty()) wrong(body, "the index map gives no index");
        return {vars, map};
    }

    std::vector<Expr> bind_parameters(const Node& lambda, ScalarType type, ir::Names& names) {
        std::vector<Expr> vars;
        for (Expr v : primitives_.proposer().current().scalar_params()) {
            names.bind(*v->name, NameEntry{v, nullptr});
        }
        for (const std::string& name : lambda.names) {
            vars.push_back(primitives_.proposer().ctx().var(name, type));
            names.bind(name, NameEntry{vars.back(), nullptr});
        }
        return vars;
    }

    void padding(const Node& node, Primitives::LayoutRequest& request) {
        const Node* value = &node;
        ir::Names names;
        const ScalarType index = request.vars.at(0)->type;
        // The padding may repeat a cell; the physical extents are not known yet.
        const std::vector<Expr> any(request.map.size(),
                                    primitives_.proposer().ctx().int_imm(index, 1));
        const Buffer b = request.buffer;
        names.bind(b->name, NameEntry{nullptr, primitives_.proposer().ctx().buffer(b->name, b->type,
                                                                                   any, b->scope)});
        if (node.is(NodeKind::Lambda)) {
            request.pad_vars = bind_parameters(node, index, names);
            if (request.pad_vars.size() != request.map.size()) {
                wrong(node, "the padding function takes one index for each physical dimension");
            }
            value = &node.items[0];
        }
        if (value->is(NodeKind::Constant) && value->text == "None") return;
        if (value->is(NodeKind::Call) && value->items[0].is(NodeKind::Attribute) &&
            value->items[0].text == "undef") {
            request.pad = Primitives::Pad::Undef;
            return;
        }
        ExprBinder binder(primitives_.proposer().ctx(), *module_.source, names, false);
        request.pad = Primitives::Pad::Value;
        request.pad_value = binder.bind_typed(*value, request.buffer->type, "the padding value");
    }

    Outcome transform_layout(const Node& call) {
        Primitives::LayoutRequest request;
        request.block = one(need(call, 0, "block"), Handle::Kind::Block);
        request.buffer = buffer(need(call, 1, "buffer"), request.block, true);
        if (request.buffer->rank() == 0) wrong(call, "a scalar buffer has no layout to change");
        const ScalarType type = request.buffer->shape[0]->type;
        std::tie(request.vars, request.map) = index_map(need(call, 2, "index_map"), type);
        if (const Node* pad = argument(call, 3, "pad_value")) padding(*pad, request);
        if (const Node* plan = argument(call, 4, "plan")) {
            if (plan->text != "after" && plan->text != "select") {
                wrong(*plan, "expected \"select\" or \"after\"");
            }
            request.padding_after = plan->text == "after";
        }
        return primitives_.transform_layout(request);
    }

    Outcome cache(const Node& call, bool write) {
        const std::string block = one(need(call, 0, "block"), Handle::Kind::Block);
        const char* keyword = write ? "write_buffer_index" : "read_buffer_index";
        Buffer b = buffer(need(call, 1, keyword), block, write);
        const Node& scope = need(call, 2, "storage_scope");
        if (!scope.is(NodeKind::String)) wrong(scope, "expected a storage scope: \"local\"");
        return write ? primitives_.cache_write(block, b, scope.text)
                     : primitives_.cache_read(block, b, scope.text);
    }
    Outcome cache_read(const Node& call) { return cache(call, false); }
    Outcome cache_write(const Node& call) { return cache(call, true); }

    Outcome sequential_buffer_access(const Node& call) {
        const std::string block = one(need(call, 0, "block"), Handle::Kind::Block);
        return primitives_.sequential_buffer_access(block,
                                                    buffer(need(call, 1, "buffer"), block, true));
    }

    Outcome remove_branching(const Node& call) {
        return primitives_.remove_branching(block_or_all(call));
    }
    Outcome remove_overcompute(const Node& call) {
        return primitives_.remove_overcompute(block_or_all(call));
    }
    Outcome reduce_loop_extents(const Node& call) {
        const std::string block = block_or_all(call);
        rewrite::reduce_loop_extents(primitives_.proposer(), block);
        return Names{};
    }

    Outcome loop_partition(const Node& call) {
        const Node* first = argument(call, 0, "loop");
        if (first == nullptr) {  // every loop of a block's stage, or of the function
            const Node* block = argument(call, 9, "block");
            const std::string name = block == nullptr ? "" : one(*block, Handle::Kind::Block);
            rewrite::loop_partition(primitives_.proposer(), name);
            return Names{};
        }
        const std::string loop = one(*first, Handle::Kind::Loop);
        if (const Node* factors = argument(call, 1, "factors")) {
            return primitives_.partition(loop, factor_list(*factors));
        }
        const Node* hint = argument(call, 2, "hint");
        if (hint == nullptr) return primitives_.partition(loop);
        Expr var = primitives_.loop_variable(loop);
        if (var == nullptr || !hint->is(NodeKind::Lambda) || hint->names.size() != 1) {
            wrong(*hint, "expected a condition on the loop's variable", "hint=lambda i: i < 14");
        }
        ir::Names names;
        const Expr i = bind_parameters(*hint, var->type, names)[0];
        ExprBinder binder(primitives_.proposer().ctx(), *module_.source, names, false);
        return primitives_.partition(loop, i, binder.bind_typed(hint->items[0], kBool, "the hint"));
    }

    // Names of options that are on; null: all of them.
    bool chosen(const Node* list, const char* option) const {
        if (list == nullptr) return true;
        if (!list->is(NodeKind::List) && !list->is(NodeKind::Tuple)) {
            wrong(*list, "expected a list of options");
        }
        return std::any_of(list->items.begin(), list->items.end(),
                           [&](const Node& item) { return item.text == option; });
    }
    void check_options(const Node* list, const std::vector<std::string>& known) const {
        if (list == nullptr) return;
        for (const Node& item : list->items) {
            if (item.is(NodeKind::String) &&
                std::find(known.begin(), known.end(), item.text) != known.end()) {
                continue;
            }
            std::string all;
            for (const std::string& k : known) all += (all.empty() ? "\"" : ", \"") + k + "\"";
            wrong(item, "no such option", "there are: " + all);
        }
    }

    Outcome hoist_expression(const Node& call) {
        const Node* conditionals = argument(call, 1, "conditionals");
        const Node* lets = argument(call, 2, "let_bindings");
        check_options(conditionals, {"IfElseStmt", "IfElseExpr", "BooleanExpression"});
        check_options(lets, {"RequiredByCondition", "LetStmt", "LetExpr"});
        HoistOptions o;
        o.if_statements = chosen(conditionals, "IfElseStmt");
        o.if_expressions = chosen(conditionals, "IfElseExpr");
        o.booleans = chosen(conditionals, "BooleanExpression");
        o.let_required = chosen(lets, "RequiredByCondition");
        o.let_statements = chosen(lets, "LetStmt");
        o.let_expressions = chosen(lets, "LetExpr");
        const std::string block = block_or_all(call);
        hoist_expressions(primitives_.proposer(), o, block);
        return Names{};
    }

    Outcome merge_adjacent_loops(const Node& call) {
        return primitives_.merge_adjacent_loops(loops(call));
    }
    Outcome fission(const Node& call) {
        const std::string loop = one(need(call, 0, "loop"), Handle::Kind::Loop);
        return primitives_.fission(loop, integer(need(call, 1, "at")));
    }
    Outcome unroll(const Node& call) {
        return primitives_.unroll(one(need(call, 0, "loop"), Handle::Kind::Loop));
    }
    Outcome bind(const Node& call) {
        const std::string loop = one(need(call, 0, "loop"), Handle::Kind::Loop);
        const Node& axis = need(call, 1, "thread_axis");
        if (!axis.is(NodeKind::String)) wrong(axis, "expected a thread axis", "\"threadIdx.x\"");
        return primitives_.bind(loop, axis.text);
    }
    Outcome parallel(const Node& call) {
        return primitives_.bind(one(need(call, 0, "loop"), Handle::Kind::Loop), "");
    }
    Outcome lower_assume(const Node& call) {
        const Node* mode = argument(call, 1, "mode");
        const bool check = mode != nullptr && mode->text == "check";
        if (mode != nullptr && !check && mode->text != "drop") {
            wrong(*mode, "expected \"drop\" or \"check\"");
        }
        return primitives_.lower_assume(block_or_all(call), check);
    }
    // A lambda over the loops around a block, or over those and the loop itself; further parameters
    // are for all indices.
    Outcome assume(const Node& call) {
        const Value at = evaluate_target(need(call, 0, "at"));
        const Function& f = primitives_.proposer().current();
        const bool loop = at[0].kind == Handle::Kind::Loop;
        std::optional<Site> site = loop ? find_loop(f, at[0].name) : find_block(f, at[0].name);
        if (!site) wrong(call, "there is no '" + at[0].name + "' any more");
        if (loop) site = site->child("body");
        const Node& lambda = need(call, 1, "condition");
        if (!lambda.is(NodeKind::Lambda)) wrong(lambda, "expected a lambda: lambda i: i < n");
        Context& ctx = primitives_.proposer().ctx();
        std::vector<Expr> vars = loops_around(f, *site);
        if (lambda.names.size() < vars.size()) {
            wrong(lambda, "the lambda takes a parameter for each of the " +
                              std::to_string(vars.size()) + " loops");
        }
        std::set<std::string> used = bound_names(f);
        std::vector<Expr> for_all;
        ir::Names names;
        const Scope scope = analysis::scope_at(ctx, f, *site);
        for (const auto& [name, var] : scope.vars) names.bind(name, NameEntry{var, nullptr});
        for (const auto& [name, b] : scope.buffers) names.bind(name, NameEntry{nullptr, b});
        for (std::size_t k = 0; k < lambda.names.size(); ++k) {
            if (k >= vars.size()) {
                for_all.push_back(ctx.var(fresh_name(lambda.names[k], used), kInt32));
            }
            names.bind(lambda.names[k],
                       NameEntry{k < vars.size() ? vars[k] : for_all.back(), nullptr});
        }
        ExprBinder binder(ctx, *module_.source, names, false);
        return primitives_.assume(*site, for_all,
                                  binder.bind_typed(lambda.items[0], kBool, "the assumption"));
    }

    // A block, by name or handle, or a loop.
    Value evaluate_target(const Node& node) {
        if (node.is(NodeKind::String)) return {Handle{Handle::Kind::Block, node.text}};
        const Value v = evaluate(node);
        if (v.size() != 1) wrong(node, "expected a block or a loop");
        return v;
    }

    Outcome remove_no_op(const Node& call) {
        const std::string block = block_or_all(call);
        rewrite::remove_no_op(primitives_.proposer(), block);
        return Names{};
    }
    Outcome simplify_call(const Node& call) {
        const std::string block = block_or_all(call);
        rewrite::simplify(primitives_.proposer(), block);
        return Names{};
    }

    Outcome work_on(const Node& call) {
        const Node& name = need(call, 0, "func_name");
        if (!name.is(NodeKind::String)) wrong(name, "expected a function's name");
        if (name.text != primitives_.proposer().current().name) {
            wrong(name, "this derivation works on '" + primitives_.proposer().current().name + "'");
        }
        return Names{};
    }

    Primitives primitives_;
    const python::Module& module_;
    const ScheduleProgress& progress_;
    std::map<std::string, Value> variables_;
    ScheduleReport report_;
};

}  // namespace

Result<ScheduleReport> run_schedule(Proposer& proposer, std::string_view text,
                                    const std::string& file, const ScheduleProgress& progress) {
    const Result<python::Module> module = python::parse_python(text, file);
    if (!module) return module.error();
    return guarded([&] { return Reader(proposer, *module, progress).run(); });
}

}  // namespace proviso::rewrite
