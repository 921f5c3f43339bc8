#include "ir/interp/inputs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace proviso::ir {

namespace {

Status check_names(const Program& program, const Inputs& inputs) {
    for (const ParamCode& p : program.params) {
        const auto found = inputs.find(p.name);
        if (found == inputs.end()) {
            return error(
                fmt::format("no input for parameter '{}' of {}", p.name, program.function.name));
        }
        if (std::holds_alternative<Tensor>(found->second) != p.is_buffer) {
            return error(
                fmt::format("parameter '{}' is a {}", p.name,
                            p.is_buffer ? "buffer: give a tensor" : "scalar: give a value"));
        }
    }
    for (const auto& [name, input] : inputs) {
        const auto is_it = [&](const ParamCode& p) { return p.name == name; };
        if (std::none_of(program.params.begin(), program.params.end(), is_it)) {
            return error(fmt::format("{} has no parameter '{}'", program.function.name, name));
        }
    }
    return Unit{};
}

Status load_scalar(Machine& machine, const ParamCode& p, const Value& value) {
    const ScalarType type = machine.program().variables[p.slot].type;
    const bool fits = type.is_float()
                          ? value.is_float() && Value::of_float(type, value.real()) == value
                          : value.is_int() && value.integer().in_range(type);
    if (!fits) {
        return error(fmt::format("parameter '{}' is of type {}: {} is no value of it", p.name,
                                 type.str(), value.str(type)));
    }
    if (type.is_int()) {
        const Function& f = machine.program().function;
        const auto lower = f.lower_bound(p.name);
        const auto upper = f.upper_bound(p.name);
        const bool too_low = lower && value.integer() < Integer(*lower);
        const bool too_high = upper && value.integer() > Integer(*upper);
        if (too_low || too_high) {
            return error(fmt::format("parameter '{}' = {} is out of its declared bounds", p.name,
                                     value.str(type)));
        }
    }
    machine.variable_slot(p.slot) = machine.word(value);
    return Unit{};
}

// An extent that is a variable of no parameter takes the tensor's; `value` of indet means "not
// yet".
void imply_size(Machine& machine, NodeId extent, std::int64_t size) {
    const ExprCode& code = machine.program().exprs[extent];
    if (code.e->op != Op::Var) return;
    Word& value = machine.variable_slot(code.slot);
    if (value.is_indet()) value = Word::of_int(size);
}

Status load_tensor(Machine& machine, const ParamCode& p, const Tensor& tensor) {
    const BufferCode& code = machine.program().buffers[p.slot];
    if (tensor.type != code.buffer->type) {
        return error(fmt::format("buffer '{}' is of type {}, the tensor given of {}", p.name,
                                 code.buffer->type.str(), tensor.type.str()));
    }
    std::vector<std::string> wanted;
    bool fits = tensor.shape.size() == code.extents.size();
    for (std::size_t d = 0; d < code.extents.size(); ++d) {
        if (d < tensor.shape.size()) imply_size(machine, code.extents[d], tensor.shape[d]);
        const Evaluated extent = machine.eval_extent(code.extents[d]);
        if (!extent.ok() || extent.value.is_indet()) {
            return error(
                fmt::format("buffer '{}': extent {} has no value for these inputs", p.name, d));
        }
        wanted.push_back(extent.value.integer().str());
        fits = fits && extent.value.integer() == Integer(tensor.shape[d]);
    }
    if (!fits || tensor.size() != cell_count(tensor.shape) ||
        tensor.states.size() != tensor.size()) {
        return error(fmt::format("buffer '{}' has shape ({}), the tensor given ({})", p.name,
                                 fmt::join(wanted, ", "), fmt::join(tensor.shape, ", ")));
    }
    machine.set_tensor(p.slot, tensor);
    return Unit{};
}

}  // namespace

Status load_inputs(Machine& machine, const Inputs& inputs) {
    const Program& program = machine.program();
    Status names = check_names(program, inputs);
    if (!names) return names;
    for (const ParamCode& p : program.params) {
        if (p.is_buffer) continue;
        Status loaded = load_scalar(machine, p, std::get<Value>(inputs.at(p.name)));
        if (!loaded) return loaded;
    }
    for (const ParamCode& p : program.params) {
        if (!p.is_buffer) continue;
        Status loaded = load_tensor(machine, p, std::get<Tensor>(inputs.at(p.name)));
        if (!loaded) return loaded;
    }
    return Unit{};
}

}  // namespace proviso::ir
