#include "ir/interp/machine.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>

#include "ir/well_formed.h"

namespace proviso::ir {

std::int64_t to_index(const Value& value) {
    constexpr std::int64_t highest = std::numeric_limits<std::int64_t>::max();
    return static_cast<std::int64_t>(std::min<Int128>(*value.integer().to_int128(), highest));
}

namespace {

IndexTuple to_indices(std::span<const Value> values) {
    IndexTuple out(values.size());
    for (std::size_t d = 0; d < values.size(); ++d) out[d] = to_index(values[d]);
    return out;
}

}  // namespace

Machine::Machine(const Program& program, const InterpOptions& options)
    : program_(program),
      options_(options),
      variables_(program.variables.size()),
      tensors_(program.buffers.size()),
      claims_at_birth_(program.buffers.size(), 0),
      chooser_(options.seed) {
    for (const std::string& name : program.externs) {
        const auto found = options.externs.find(name);
        externs_.push_back(found == options.externs.end() ? nullptr : &found->second);
    }
}

// Faults.

FaultKind Machine::fail(StmtId at, int k, FaultKind kind, std::string message, NodeId node) {
    Fault fault{kind, std::move(message), site_text(program_, at, k, node), {}};
    const auto add = [&](Slot slot) {
        const VariableCode& variable = program_.variables[slot];
        fault.values.emplace_back(*variable.name, variables_[slot].str(variable.type));
    };
    for (StmtId s = program_.stmts[at].parent; s != kNone; s = program_.stmts[s].parent) {
        const StmtCode& code = program_.stmts[s];
        if (!code.stmt->is<For>() && !code.stmt->is<LetStmt>() && !code.stmt->is<Block>()) continue;
        for (auto slot = code.slots.rbegin(); slot != code.slots.rend(); ++slot) add(*slot);
    }
    for (auto p = program_.params.rbegin(); p != program_.params.rend(); ++p) {
        if (!p->is_buffer) add(p->slot);
    }
    std::reverse(fault.values.begin(), fault.values.end());  // outermost first
    fault_ = std::move(fault);
    return kind;
}

void Machine::fault(Node n, FaultKind kind, std::span<const Value> args) {
    std::string message = std::exchange(touch_message_, {});
    if (message.empty()) message = describe_fault(expr(n), kind, args);
    if (kind == FaultKind::StepLimit) message = "step limit reached";
    fail(at_, at_expr_, kind, std::move(message), n);
}

Fault Machine::take_fault() {
    PROVISO_CHECK(fault_.has_value(), "interpreter: a fault without its description");
    return *std::exchange(fault_, std::nullopt);
}

// Expressions.

Evaluated Machine::eval(StmtId at, int k) {
    at_ = at;
    at_expr_ = k;
    return evaluate_node(*this, program_.stmts[at].exprs[static_cast<std::size_t>(k)]);
}

Evaluated Machine::eval_extent(NodeId n) {
    at_ = program_.body;
    at_expr_ = -1;
    return evaluate_node(*this, n);
}

Evaluated Machine::eval_observed(StmtId at, int k, const char* use) {
    Evaluated out = eval(at, k);
    if (!out.ok()) return out;
    if (out.value.is_indet()) {
        return fail(at, k, FaultKind::IndetUse,
                    fmt::format("{}: {}", fault_name(FaultKind::IndetUse), use));
    }
    const ScalarType type = expr(program_.stmts[at].exprs[static_cast<std::size_t>(k)]).type;
    if (!observable(type, out.value)) {
        return fail(at, k, FaultKind::OutOfRange,
                    fmt::format("{}: {} {} on {}", fault_name(FaultKind::OutOfRange), use,
                                out.value.str(type), type.str()));
    }
    return out;
}

Evaluated Machine::call(Node n, std::span<const Value> args) {
    const ExternFunction* function = externs_[program_.exprs[n].slot];
    if (function == nullptr) return FaultKind::UnsupportedCall;
    return (*function)(args);
}

// Assumptions.

bool Machine::is_permission(Node n) const {
    return is_read_permission(&expr(n));
}

Evaluated Machine::eval_permission(Node n) {
    const Node load = expr(n).arg(0)->op == Op::Load ? arg(n, 0) : arg(n, 1);
    const ExprNode& e = expr(load);
    std::vector<Value> indices;
    for (std::size_t i = 0; i < e.args.size(); ++i) {
        Evaluated index = evaluate_node(*this, arg(load, i));
        if (!index.ok()) return index;
        FaultKind wrong = FaultKind::None;
        if (index.value.is_indet()) wrong = FaultKind::IndetUse;
        if (!observable(e.arg(i)->type, index.value)) wrong = FaultKind::OutOfRange;
        indices.push_back(std::move(index.value));
        if (wrong == FaultKind::None) continue;
        fault(load, wrong, indices);
        return wrong;
    }
    const Tensor& t = tensors_[program_.exprs[load].slot];
    const std::optional<std::size_t> offset = t.offset(to_indices(indices));
    FaultKind wrong = FaultKind::None;
    if (!offset) wrong = FaultKind::OutOfBounds;
    if (offset && t.states[*offset] == CellState::Inaccessible) wrong = FaultKind::Inaccessible;
    if (wrong == FaultKind::None) return Value::of_bool(true);
    fault(load, wrong, indices);
    return wrong;
}

// `and` and `or` as everywhere, but permissions are looked for below them.
Evaluated Machine::eval_assumed(Node n) {
    const ExprNode& e = expr(n);
    if (is_permission(n)) return eval_permission(n);
    if (e.op != Op::And && e.op != Op::Or) return evaluate_node(*this, n);
    Evaluated first = eval_assumed(arg(n, 0));
    if (!first.ok()) return first;
    if (first.value.is_indet()) {
        fault(n, FaultKind::IndetUse, std::span<const Value>(&first.value, 1));
        return FaultKind::IndetUse;
    }
    if (first.value.truth() == (e.op == Op::Or)) return first;
    return eval_assumed(arg(n, 1));
}

Evaluated Machine::eval_assume(StmtId at) {
    at_ = at;
    at_expr_ = 0;
    Evaluated out = eval_assumed(program_.stmts[at].exprs[0]);
    if (!out.ok()) return out;
    if (out.value.is_indet()) {
        return fail(at, 0, FaultKind::IndetUse,
                    std::string(fault_name(FaultKind::IndetUse)) + ": assumption");
    }
    if (!out.value.truth()) {
        return fail(at, 0, FaultKind::AssumeFalse, fault_name(FaultKind::AssumeFalse));
    }
    return out;
}

// Memory.

std::string Machine::cell_text(Slot buffer, std::span<const std::int64_t> indices) const {
    return fmt::format("{}[{}]", program_.buffers[buffer].buffer->name, fmt::join(indices, ", "));
}

std::string Machine::race_text(Slot buffer, std::span<const std::int64_t> indices) const {
    const RaceDetector::Conflict& c = races_.conflict();
    const auto verb = [](bool wrote) { return wrote ? "written" : "read"; };
    const std::string& variable = *program_.variables[c.variable].name;
    return fmt::format("{}: {} {} by iteration {} = {} and {} by iteration {} = {}",
                       fault_name(FaultKind::DataRace), cell_text(buffer, indices),
                       verb(c.first_wrote), variable, c.first, verb(c.second_wrote), variable,
                       c.second);
}

std::optional<std::size_t> Machine::reject(FaultKind kind, std::string message) {
    touch_fault_ = kind;
    touch_message_ = std::move(message);
    return std::nullopt;
}

std::optional<std::size_t> Machine::touch(Slot buffer, std::span<const std::int64_t> indices,
                                          bool is_write) {
    const Tensor& t = tensors_[buffer];
    const std::optional<std::size_t> offset = t.offset(indices);
    const auto because = [&](FaultKind kind, const char* detail) {
        return reject(kind,
                      fmt::format("{}: {} of {}{}", fault_name(kind), is_write ? "store" : "load",
                                  cell_text(buffer, indices), detail));
    };
    if (!offset) {
        const std::string shape = fmt::format(" in shape ({})", fmt::join(t.shape, ", "));
        return because(FaultKind::OutOfBounds, shape.c_str());
    }
    if (t.states[*offset] == CellState::Inaccessible) return because(FaultKind::Inaccessible, "");
    bool accumulates = false;
    for (std::size_t c = claims_.size(); c-- > claims_at_birth_[buffer];) {
        if (!claims_[c].allows(buffer, indices, is_write, accumulates)) {
            return because(FaultKind::OutsideRegion, "");
        }
    }
    if (races_.active() && !races_.touch(buffer, t.size(), *offset, is_write)) {
        return reject(FaultKind::DataRace, race_text(buffer, indices));
    }
    return offset;
}

Evaluated Machine::load(Node n, std::span<const Value> indices) {
    const Slot buffer = program_.exprs[n].slot;
    const std::optional<std::size_t> offset = touch(buffer, to_indices(indices), false);
    if (!offset) return touch_fault_;
    return tensors_[buffer].at(*offset);
}

bool Machine::store(StmtId at, Slot buffer, std::span<const std::int64_t> indices,
                    const Value& value) {
    const std::optional<std::size_t> offset = touch(buffer, indices, true);
    if (!offset) {
        fail(at, -1, touch_fault_, std::exchange(touch_message_, {}));
        return false;
    }
    tensors_[buffer].set(*offset, value);
    return true;
}

void Machine::allocate(Slot buffer, std::vector<std::int64_t> shape) {
    const ScalarType type = program_.buffers[buffer].buffer->type;
    tensors_[buffer] = Tensor::filled(type, std::move(shape), Value::indet());
    claims_at_birth_[buffer] = claims_.size();
    races_.forget(buffer);
}

}  // namespace proviso::ir
