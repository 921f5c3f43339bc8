#include "ir/interp/machine.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>

#include "ir/well_formed.h"

namespace proviso::ir {

namespace {

std::vector<std::int64_t> to_indices(std::span<const Word> words) {
    std::vector<std::int64_t> out;
    for (const Word w : words) out.push_back(w.index());
    return out;
}

// Row-major position; nullopt when it is out of bounds.
std::optional<std::size_t> position(const Tensor& t, std::span<const Word> indices) {
    if (indices.size() != t.shape.size()) return std::nullopt;
    std::size_t out = 0;
    for (std::size_t d = 0; d < indices.size(); ++d) {
        const std::int64_t index = indices[d].index();
        if (index < 0 || index >= t.shape[d]) return std::nullopt;
        out = out * static_cast<std::size_t>(t.shape[d]) + static_cast<std::size_t>(index);
    }
    return out;
}

}  // namespace

Machine::Machine(const Program& program, const InterpOptions& options)
    : program_(program),
      exprs_(program.exprs.data()),
      args_(program.args.data()),
      options_(options),
      constants_(program.exprs.size()),
      variables_(program.variables.size()),
      tensors_(program.buffers.size()),
      claims_at_birth_(program.buffers.size(), 0),
      chooser_(options.seed),
      step_limit_(options.step_limit) {
    for (std::size_t n = 0; n < constants_.size(); ++n) {
        const std::optional<Value> value = constant_value(program.exprs[n].e);
        if (value) constants_[n] = words_.word(*value);
    }
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
        fault.values.emplace_back(*variable.name, value(variables_[slot]).str(variable.type));
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

void Machine::fault(Node n, FaultKind kind, std::span<const Word> args) {
    std::string message = std::exchange(touch_message_, {});
    if (message.empty()) message = describe_fault(expr(n), kind, words_.values(args));
    if (kind == FaultKind::StepLimit) message = "step limit reached";
    fail(at_, at_expr_, kind, std::move(message), n);
}

Fault Machine::take_fault() {
    PROVISO_CHECK(fault_.has_value(), "interpreter: a fault without its description");
    return *std::exchange(fault_, std::nullopt);
}

// Expressions.

Evaluated Machine::evaluate(NodeId n) {
    words_.clear();
    const Word out = evaluate_node(*this, n);
    return out.ok() ? Evaluated(value(out)) : fault_of(out);
}

Evaluated Machine::eval_extent(NodeId n) {
    at_ = program_.body;
    at_expr_ = -1;
    return evaluate(n);
}

FaultKind Machine::unobservable(StmtId at, int k, Word value, const char* use) {
    if (value.is_indet()) {
        return fail(at, k, FaultKind::IndetUse,
                    fmt::format("{}: {}", fault_name(FaultKind::IndetUse), use));
    }
    const ScalarType type = this->type(node(at, k));
    return fail(at, k, FaultKind::OutOfRange,
                fmt::format("{}: {} {} on {}", fault_name(FaultKind::OutOfRange), use,
                            words_.value(value).str(type), type.str()));
}

Word Machine::apply_slowly(const ExprNode& e, std::span<const Word> args) {
    const Evaluated out = eval_op(e, words_.values(args));
    if (!out.ok()) return out.fault;
    words_.release(args);
    return words_.word(out.value);
}

Word Machine::call(Node n, std::span<const Word> args) {
    const ExternFunction* function = externs_[program_.exprs[n].slot];
    if (function == nullptr) return FaultKind::UnsupportedCall;
    const Evaluated out = (*function)(words_.values(args));
    return out.ok() ? words_.word(out.value) : out.fault;
}

// Assumptions.

bool Machine::is_permission(Node n) const {
    return is_read_permission(&expr(n));
}

Word Machine::eval_permission(Node n) {
    const Node load = expr(n).arg(0)->op == Op::Load ? arg(n, 0) : arg(n, 1);
    const ExprNode& e = expr(load);
    std::vector<Word> indices;
    for (std::size_t i = 0; i < e.args.size(); ++i) {
        const Word index = evaluate_node(*this, arg(load, i));
        if (!index.ok()) return index;
        FaultKind wrong = FaultKind::None;
        if (index.is_indet()) wrong = FaultKind::IndetUse;
        if (!observable(e.arg(i)->type, index)) wrong = FaultKind::OutOfRange;
        indices.push_back(index);
        if (wrong == FaultKind::None) continue;
        fault(load, wrong, indices);
        return wrong;
    }
    const Tensor& t = tensors_[program_.exprs[load].slot];
    const std::optional<std::size_t> offset = position(t, indices);
    FaultKind wrong = FaultKind::None;
    if (!offset) wrong = FaultKind::OutOfBounds;
    if (offset && t.states[*offset] == CellState::Inaccessible) wrong = FaultKind::Inaccessible;
    if (wrong == FaultKind::None) return Word::of_bool(true);
    fault(load, wrong, indices);
    return wrong;
}

// `and` and `or` as everywhere, but permissions are looked for below them.
Word Machine::eval_assumed(Node n) {
    const ExprNode& e = expr(n);
    if (is_permission(n)) return eval_permission(n);
    if (e.op != Op::And && e.op != Op::Or) return evaluate_node(*this, n);
    const Word first = eval_assumed(arg(n, 0));
    if (!first.ok()) return first;
    if (first.is_indet()) {
        fault(n, FaultKind::IndetUse, {&first, 1});
        return FaultKind::IndetUse;
    }
    if (first.truth() == (e.op == Op::Or)) return first;
    return eval_assumed(arg(n, 1));
}

Word Machine::eval_assume(StmtId at) {
    at_ = at;
    at_expr_ = 0;
    words_.clear();
    const Word out = eval_assumed(program_.stmts[at].exprs[0]);
    if (!out.ok()) return out;
    if (out.is_indet()) {
        return fail(at, 0, FaultKind::IndetUse,
                    std::string(fault_name(FaultKind::IndetUse)) + ": assumption");
    }
    if (!out.truth()) {
        return fail(at, 0, FaultKind::AssumeFalse, fault_name(FaultKind::AssumeFalse));
    }
    return out;
}

// Memory.

std::string Machine::cell_text(Slot buffer, std::span<const Word> indices) const {
    return fmt::format("{}[{}]", program_.buffers[buffer].buffer->name,
                       fmt::join(to_indices(indices), ", "));
}

std::string Machine::race_text(Slot buffer, std::span<const Word> indices) const {
    const RaceDetector::Conflict& c = races_.conflict();
    const auto verb = [](bool wrote) { return wrote ? "written" : "read"; };
    const std::string& variable = *program_.variables[c.variable].name;
    return fmt::format("{}: {} {} by iteration {} = {} and {} by iteration {} = {}",
                       fault_name(FaultKind::DataRace), cell_text(buffer, indices),
                       verb(c.first_wrote), variable, c.first, verb(c.second_wrote), variable,
                       c.second);
}

bool Machine::within_claims(Slot buffer, std::span<const Word> indices, bool is_write) const {
    const std::vector<std::int64_t> at = to_indices(indices);
    bool accumulates = false;
    for (std::size_t c = claims_.size(); c-- > claims_at_birth_[buffer];) {
        if (!claims_[c].allows(buffer, at, is_write, accumulates)) return false;
    }
    return true;
}

std::string Machine::touch_text(FaultKind kind, Slot buffer, std::span<const Word> indices,
                                bool is_write) const {
    if (kind == FaultKind::DataRace) return race_text(buffer, indices);
    std::string out = fmt::format("{}: {} of {}", fault_name(kind), is_write ? "store" : "load",
                                  cell_text(buffer, indices));
    if (kind == FaultKind::OutOfBounds) {
        out += fmt::format(" in shape ({})", fmt::join(tensors_[buffer].shape, ", "));
    }
    return out;
}

std::optional<std::size_t> Machine::touch(Slot buffer, std::span<const Word> indices,
                                          bool is_write) {
    const Tensor& t = tensors_[buffer];
    const std::optional<std::size_t> offset = position(t, indices);
    FaultKind wrong = FaultKind::None;
    if (!offset) {
        wrong = FaultKind::OutOfBounds;
    } else if (t.states[*offset] == CellState::Inaccessible) {
        wrong = FaultKind::Inaccessible;
    } else if (claims_.size() > claims_at_birth_[buffer] &&
               !within_claims(buffer, indices, is_write)) {
        wrong = FaultKind::OutsideRegion;
    } else if (races_.active() && !races_.touch(buffer, t.size(), *offset, is_write)) {
        wrong = FaultKind::DataRace;
    }
    if (wrong == FaultKind::None) return offset;
    touch_fault_ = wrong;
    touch_message_ = touch_text(wrong, buffer, indices, is_write);
    return std::nullopt;
}

Word Machine::load(Node n, std::span<const Word> indices) {
    const Slot buffer = exprs_[n].slot;
    const std::optional<std::size_t> offset = touch(buffer, indices, false);
    if (!offset) return touch_fault_;
    const Tensor& t = tensors_[buffer];
    if (t.states[*offset] != CellState::Definite) return {};
    const std::uint64_t cell = t.bits[*offset];
    if (t.type.is_float()) return Word::of_float(std::bit_cast<double>(cell));
    return t.type.is_signed() ? Word::of_int(static_cast<std::int64_t>(cell))
                              : Word::of_unsigned(cell);
}

bool Machine::store(StmtId at, Slot buffer, std::span<const Word> indices, Word value) {
    const std::optional<std::size_t> offset = touch(buffer, indices, true);
    if (!offset) {
        fail(at, -1, touch_fault_, std::exchange(touch_message_, {}));
        return false;
    }
    Tensor& t = tensors_[buffer];
    t.states[*offset] = value.is_indet() ? CellState::Indet : CellState::Definite;
    if (!value.is_indet()) t.bits[*offset] = value.bits;
    return true;
}

void Machine::allocate(Slot buffer, std::vector<std::int64_t> shape) {
    const ScalarType type = program_.buffers[buffer].buffer->type;
    tensors_[buffer] = Tensor::filled(type, std::move(shape), Value::indet());
    claims_at_birth_[buffer] = claims_.size();
    races_.forget(buffer);
}

}  // namespace proviso::ir
