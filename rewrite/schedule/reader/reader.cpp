#include "rewrite/schedule/reader/reader.h"

#include <algorithm>
#include <utility>

#include "ir/text/reader/expressions/expr_binder.h"
#include "ir/text/reader/python/failure.h"
#include "ir/text/reader/python/python_numbers.h"
#include "ir/text/spelling.h"
#include "rewrite/schedule/loop_copies.h"
#include "rewrite/schedule/primitives/nothing_done.h"
#include "rewrite/schedule/reader/form.h"
#include "rewrite/schedule/reader/schedule_reader.h"

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

}  // namespace

ScheduleReader::ScheduleReader(Proposer& proposer, const python::Module& module,
                               const ScheduleProgress& progress)
    : outer_(proposer),
      module_(module),
      progress_(progress),
      in_(module, [this](const Node& node) { return call(node); }) {}

ScheduleReport ScheduleReader::run() {
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

void ScheduleReader::statement(const Statement& s) {
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

const std::map<std::string, ScheduleReader::Entry>& ScheduleReader::methods() {
    using K = Handle::Kind;
    static const std::map<std::string, Entry> table = {
        {"get_block", {&ScheduleReader::get_block, K::Block}},
        {"get_sblock", {&ScheduleReader::get_block, K::Block}},
        {"get_loops", {&ScheduleReader::get_loops, K::Loop}},
        {"split", {&ScheduleReader::split, K::Loop}},
        {"fuse", {&ScheduleReader::fuse, K::Loop}},
        {"reorder", {&ScheduleReader::reorder, K::Loop}},
        {"transform_layout", {&ScheduleReader::transform_layout, K::Block}},
        {"cache_read", {&ScheduleReader::cache_read, K::Block}},
        {"read_at", {&ScheduleReader::read_at, K::Block}},
        {"cache_write", {&ScheduleReader::cache_write, K::Block}},
        {"write_at", {&ScheduleReader::write_at, K::Block}},
        {"sequential_buffer_access", {&ScheduleReader::sequential_buffer_access, K::Block}},
        {"compute_at", {&ScheduleReader::compute_at, K::Block}},
        {"reverse_compute_at", {&ScheduleReader::reverse_compute_at, K::Block}},
        {"compute_inline", {&ScheduleReader::compute_inline, K::Block}},
        {"reverse_compute_inline", {&ScheduleReader::reverse_compute_inline, K::Block}},
        {"decompose_reduction", {&ScheduleReader::decompose_reduction, K::Block}},
        {"remove_branching_through_overcompute", {&ScheduleReader::remove_branching, K::Block}},
        {"remove_overcompute_through_branching", {&ScheduleReader::remove_overcompute, K::Block}},
        {"reduce_loop_extents", {&ScheduleReader::reduce_loop_extents, K::Block}},
        {"loop_partition", {&ScheduleReader::loop_partition, K::Loop}},
        {"hoist_expression", {&ScheduleReader::hoist_expression, K::Block}},
        {"merge_adjacent_loops", {&ScheduleReader::merge_adjacent_loops, K::Loop}},
        {"fission", {&ScheduleReader::fission, K::Loop}},
        {"unroll", {&ScheduleReader::unroll, K::Block}},
        {"bind", {&ScheduleReader::bind, K::Block}},
        {"parallel", {&ScheduleReader::parallel, K::Block}},
        {"vectorize", {&ScheduleReader::vectorize, K::Block}},
        {"assume", {&ScheduleReader::assume, K::Block}},
        {"lower_assume", {&ScheduleReader::lower_assume, K::Block}},
        {"remove_no_op", {&ScheduleReader::remove_no_op, K::Block}},
        {"simplify", {&ScheduleReader::simplify_call, K::Block}},
        {"outline", {&ScheduleReader::outline, K::Block}},
        {"work_on", {&ScheduleReader::work_on, K::Block}},
    };
    return table;
}

Handles ScheduleReader::call(const Node& node) {
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
    if (inner_) done.note = "in " + inner_->name() + (done.note.empty() ? "" : ", " + done.note);
    report_done(std::move(done));
    Handles out;
    for (const std::string& name : std::get<Names>(outcome)) {
        out.push_back(Handle{found->second.gives, name});
    }
    return out;
}

void ScheduleReader::same_object(const Node& object) const {
    if (object.text == object_) return;
    in_.wrong(object, "'" + object.text + "' is not the schedule object",
              "write: " + object_ + ".…");
}

Outcome ScheduleReader::attempt(const Node& node, const Signature& known, Method method,
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

void ScheduleReader::refused(const Node& node, const std::string& primitive,
                             const std::string& usage, Refusal no) {
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

std::string ScheduleReader::block(const Node& node) {
    std::string name = in_.block(node);
    Outcome found = primitives().get_block(name);
    if (Refusal* no = std::get_if<Refusal>(&found)) throw Gone{std::move(*no)};
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
    return loop.name;
}

std::string ScheduleReader::block_or_all(const Node& call, std::size_t position) {
    scope_ = in_.block_or_all(call, position);
    if (!scope_.empty()) block(*argument(call, position, "block"));
    return scope_;
}

void ScheduleReader::report_done(ScheduleReport::Done done) {
    const std::size_t now = outer_.proposer().derivation().steps().size();
    done.steps = now - steps_reported_;
    steps_reported_ = now;
    report_.done.push_back(std::move(done));
    if (progress_) progress_(report_.done.back());
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

Result<ScheduleReport> run_schedule(Proposer& proposer, std::string_view text,
                                    const std::string& file, const ScheduleProgress& progress) {
    Result<python::Module> module = python::parse_python(text, file);
    if (!module) return with_hint(module.error());
    Result<ScheduleReport> report = guarded([&] {
        check_form(*module);
        for (Statement& s : module->body) python::compute_numbers(s, *module->source, {});
        return ScheduleReader(proposer, *module, progress).run();
    });
    return report ? std::move(report) : with_hint(report.error());
}

}  // namespace proviso::rewrite
