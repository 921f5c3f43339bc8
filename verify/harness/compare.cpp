#include "verify/harness/compare.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <map>

#include "analysis/layout/layout_check.h"
#include "verify/harness/freedom.h"
#include "verify/harness/opaque_calls.h"
#include "verify/harness/ulps.h"
#include "verify/harness/whole_inputs.h"

namespace proviso::verify {

using namespace ir;
using analysis::PadKind;

const char* agreement_name(Agreement a) {
    switch (a) {
        case Agreement::Refines: return "refines";
        case Agreement::SourceFaults: return "source faults";
        case Agreement::Differs: return "differs";
        case Agreement::NewFault: return "new fault";
        case Agreement::Inconclusive: return "inconclusive";
    }
    return "?";
}

Sizes sizes_of(Context& ctx, const Function& f, const Inputs& logical) {
    Sizes out;
    for (Expr v : f.scalar_params()) {
        const auto found = logical.find(*v->name);
        const Value* value = found == logical.end() ? nullptr : std::get_if<Value>(&found->second);
        if (value == nullptr || value->is_indet()) continue;
        if (Expr constant = constant_expr(ctx, v->type, *value)) out[v] = constant;
    }
    for (Buffer b : f.buffer_params()) {
        const auto found = logical.find(b->name);
        const Tensor* tensor =
            found == logical.end() ? nullptr : std::get_if<Tensor>(&found->second);
        if (tensor == nullptr) continue;
        const std::vector<analysis::Layout> layouts = analysis::layouts_of(ctx, f, b->name);
        const std::vector<Expr> shape = layouts.empty()
                                            ? std::vector<Expr>(b->shape.begin(), b->shape.end())
                                            : layouts.front().logical_shape;
        for (std::size_t d = 0; d < shape.size() && d < tensor->shape.size(); ++d) {
            const bool open = shape[d]->op == Op::Var && out.count(shape[d]) == 0;
            if (open) out[shape[d]] = ctx.int_imm(shape[d]->type, tensor->shape[d]);
        }
    }
    return out;
}

namespace {

std::string cell_name(const std::string& buffer, const Tensor& t, std::size_t offset) {
    return fmt::format("{}[{}]", buffer, fmt::join(t.indices(offset), ", "));
}

// Noise that is a function of the buffer's name and the seed, so that two programs that share a
// relation are given the same garbage.
Chooser garbage_for(const std::string& buffer, std::size_t level, std::uint64_t seed) {
    std::uint64_t hash = seed * 0x9e3779b97f4a7c15ULL + level + 1;
    for (const char c : buffer) hash = hash * 1099511628211ULL + static_cast<unsigned char>(c);
    return Chooser(hash);
}

bool both_zero(const Value& a, const Value& b) {
    return a.is_float() && b.is_float() && a.real() == 0.0 && b.real() == 0.0;
}

Tensor pack(const ConcreteLayout& layout, const Tensor& logical, const CompareOptions& options,
            Chooser garbage) {
    Tensor out = Tensor::filled(logical.type, layout.physical_shape, Value::indet());
    for (std::size_t x = 0; x < layout.image.size(); ++x) {
        out.bits[layout.image[x]] = logical.bits[x];
        out.states[layout.image[x]] = logical.states[x];
    }
    for (std::size_t k = 0; k < layout.padding.size(); ++k) {
        const std::size_t p = layout.padding[k];
        const Value noise = garbage.choose(logical.type);
        if (layout.pad_kind == PadKind::None) {
            out.states[p] = CellState::Inaccessible;
        } else if (!layout.holds_at_entry) {
            out.set(p, noise);
        } else if (layout.pad_kind == PadKind::Value) {
            out.set(p, layout.pad_values[k]);
        } else if (layout.pad_kind == PadKind::Cell) {
            out.bits[p] = out.bits[layout.pad_cells[k]];
            out.states[p] = out.states[layout.pad_cells[k]];
        } else if (options.open == OpenCells::Garbage) {
            out.set(p, noise);
        }
        const bool chooses = layout.zero_of_either_sign && options.open == OpenCells::Garbage;
        if (chooses && out.states[p] == CellState::Definite && out.at(p).real() == 0.0) {
            out.set(p, Value::of_float(garbage.next() % 2 == 0 ? 0.0 : -0.0));
        }
    }
    return out;
}

Tensor unpack(const std::string& name, const ConcreteLayout& layout, const Tensor& physical,
              std::vector<std::string>& violations) {
    Tensor out = Tensor::filled(physical.type, layout.logical_shape, Value::indet());
    for (std::size_t x = 0; x < layout.image.size(); ++x) {
        out.bits[x] = physical.bits[layout.image[x]];
        out.states[x] = physical.states[layout.image[x]];
    }
    const bool promised = layout.pad_kind == PadKind::Value || layout.pad_kind == PadKind::Cell;
    for (std::size_t k = 0; promised && k < layout.padding.size(); ++k) {
        const std::size_t p = layout.padding[k];
        const bool repeats = layout.pad_kind == PadKind::Cell;
        if (repeats && physical.states[layout.pad_cells[k]] != CellState::Definite) continue;
        const Value wanted = repeats ? physical.at(layout.pad_cells[k]) : layout.pad_values[k];
        const Value is = physical.at(p);
        if (is == wanted || (layout.zero_of_either_sign && both_zero(is, wanted))) continue;
        violations.push_back("padding of " + cell_name(name, physical, p) + ": " +
                             is.str(physical.type) + " instead of " + wanted.str(physical.type));
    }
    return out;
}

Result<Inputs> pack_all(const std::vector<ConcreteParameter>& parameters, const Inputs& logical,
                        const CompareOptions& options) {
    Inputs out = logical;
    for (const ConcreteParameter& p : parameters) {
        const auto found = out.find(p.buffer->name);
        if (found == out.end() || !std::holds_alternative<Tensor>(found->second)) {
            return error("no tensor for parameter '" + p.buffer->name + "'");
        }
        Tensor tensor = std::get<Tensor>(found->second);
        if (tensor.shape != p.logical) {
            return error(fmt::format("the tensor for '{}' has shape ({}), its caller's is ({})",
                                     p.buffer->name, fmt::join(tensor.shape, ", "),
                                     fmt::join(p.logical, ", ")));
        }
        for (std::size_t level = 0; level < p.layouts.size(); ++level) {
            tensor = pack(p.layouts[level], tensor, options,
                          garbage_for(p.buffer->name, level, options.seed));
        }
        found->second = std::move(tensor);
    }
    return out;
}

LogicalOutputs unpack_all(const std::vector<ConcreteParameter>& parameters,
                          const Tensors& physical) {
    LogicalOutputs out;
    for (const ConcreteParameter& p : parameters) {
        Tensor tensor = physical.at(p.buffer->name);
        for (std::size_t level = p.layouts.size(); level-- > 0;) {
            tensor = unpack(p.buffer->name, p.layouts[level], tensor, out.violations);
        }
        out.tensors.emplace(p.buffer->name, std::move(tensor));
    }
    return out;
}

}  // namespace

std::uint64_t step_limit_of(const Function& f, std::uint64_t of_body) {
    std::uint64_t steps = 0;
    const auto count = [&](auto& self, Expr e) -> void {
        ++steps;
        for (Expr part : e->args) self(self, part);
    };
    for (Buffer b : f.buffer_params()) {
        for (Expr extent : b->shape) count(count, extent);
    }
    return of_body + std::min(steps, UINT64_MAX - of_body);
}

Result<Inputs> packed_inputs(const std::vector<ConcreteParameter>& parameters,
                             const Inputs& logical, const CompareOptions& options) {
    return pack_all(parameters, logical, options);
}

Result<Inputs> physical_inputs(Context& ctx, const Function& derived, const Inputs& logical,
                               const CompareOptions& options) {
    const auto parameters = concrete_parameters(ctx, derived, sizes_of(ctx, derived, logical));
    if (!parameters) return parameters.error();
    return pack_all(*parameters, logical, options);
}

Result<LogicalOutputs> logical_outputs(Context& ctx, const Function& derived, const Inputs& logical,
                                       const Tensors& physical) {
    const auto parameters = concrete_parameters(ctx, derived, sizes_of(ctx, derived, logical));
    if (!parameters) return parameters.error();
    return unpack_all(*parameters, physical);
}

// --- comparison --------------------------------------------------------------------------------

namespace {

struct Side {
    Function function;
    Program program;
    OpaqueCalls calls;
    // Index tables of the last sizes seen: most campaigns keep them.
    Sizes sizes;
    std::vector<ConcreteParameter> parameters;
    bool ready = false;

    Status prepare_for(Context& ctx, const Inputs& logical) {
        Sizes now = sizes_of(ctx, function, logical);
        if (ready && now == sizes) return Unit{};
        Result<std::vector<ConcreteParameter>> tables = concrete_parameters(ctx, function, now);
        if (!tables) return tables.error();
        parameters = std::move(*tables);
        sizes = std::move(now);
        ready = true;
        return Unit{};
    }
};

struct Ended {
    Outcome outcome;
    LogicalOutputs outputs;          // Finished and Stopped
    std::vector<std::string> calls;  // opaque ones, in order
    std::uint64_t frozen = 0;        // indeterminate values that were bound to names
    const Fault* fault() const {
        const Faulted* f = std::get_if<Faulted>(&outcome);
        return f == nullptr ? nullptr : &f->fault;
    }
    const std::string* message() const {
        const Stopped* s = std::get_if<Stopped>(&outcome);
        return s == nullptr ? nullptr : &s->message;
    }
};

Result<Ended> run_side(Side& side, const Inputs& logical, const CompareOptions& options) {
    const Result<Inputs> inputs = pack_all(side.parameters, logical, options);
    if (!inputs) return inputs.error();
    InterpOptions interp = options.interp;
    interp.seed = options.seed;
    std::uint64_t frozen = 0;
    interp.frozen = &frozen;
    std::vector<std::string> calls;
    if (side.calls.any()) side.calls.give_to(interp, options.seed, calls);
    Result<Outcome> outcome = run(side.program, *inputs, interp);
    if (!outcome) return outcome.error();
    Ended out{std::move(*outcome), {}, std::move(calls), frozen};
    if (const Finished* f = std::get_if<Finished>(&out.outcome)) {
        out.outputs = unpack_all(side.parameters, f->tensors);
    } else if (const Stopped* s = std::get_if<Stopped>(&out.outcome)) {
        // The function was cut short before it could write its padding; cells count all the same.
        out.outputs = unpack_all(side.parameters, s->tensors);
        out.outputs.violations.clear();
    }
    return out;
}

// The first opaque call that is another one, or missing, or too many.
std::optional<std::string> first_other_call(const std::vector<std::string>& before,
                                            const std::vector<std::string>& after) {
    const auto call = [](const std::vector<std::string>& calls, std::size_t k) {
        return k < calls.size() ? calls[k] : std::string("none");
    };
    for (std::size_t k = 0; k < std::max(before.size(), after.size()); ++k) {
        const std::string was = call(before, k);
        const std::string is = call(after, k);
        if (was == is) continue;
        return fmt::format("opaque call number {}: before {}, after {}", k + 1, was, is);
    }
    return std::nullopt;
}

// The first cell of `after` that does not refine the one of `before`, in tensors of types that are
// asked about.
std::optional<std::string> first_difference(const Tensors& before, const Tensors& after,
                                            bool signs_of_zero, std::uint64_t ulps, bool& rounded,
                                            const std::function<bool(ScalarType)>& asked) {
    for (const auto& [name, was] : before) {
        if (!asked(was.type)) continue;
        const auto found = after.find(name);
        if (found == after.end()) return name + ": not a parameter any more";
        const Tensor& is = found->second;
        if (was.type != is.type || was.shape != is.shape) return name + ": other type or shape";
        for (std::size_t k = 0; k < was.size(); ++k) {
            if (was.states[k] != CellState::Definite) continue;
            const Value a = was.at(k);
            const Value b = is.at(k);
            if (a == b || (!signs_of_zero && both_zero(a, b))) continue;
            if (ulps > 0 && was.type.is_float()) {
                const auto apart = ulps_between(was.type, a.real(), b.real());
                rounded = rounded || (apart && *apart <= ulps);
                if (apart && *apart <= ulps) continue;
            }
            return cell_name(name, was, k) + ": before " + a.str(was.type) + ", after " +
                   b.str(is.type);
        }
    }
    return std::nullopt;
}

}  // namespace

struct Comparer::Impl {
    Context& ctx;
    Side source;
    Side derived;
    bool signs_of_zero = true;
    Freedom freedom;  // of the source

    static Comparison chosen(const std::string& what) {
        return {Agreement::Inconclusive, what + " (a licence leaves a choice)"};
    }

    Comparison judge(const Ended& before, const Ended& after, std::uint64_t ulps) const {
        if (const Fault* fault = before.fault()) {
            const bool limit = fault->kind == FaultKind::StepLimit;
            return {limit ? Agreement::Inconclusive : Agreement::SourceFaults, fault->str(),
                    fault->kind};
        }
        if (const Fault* fault = after.fault()) {
            const bool limit = fault->kind == FaultKind::StepLimit;
            if (limit) return {Agreement::Inconclusive, fault->str(), fault->kind};
            if (freedom.others) return chosen(fault->str());
            return {Agreement::NewFault, fault->str(), fault->kind};
        }
        const auto ending = [](const Ended& e) {
            return e.message() == nullptr ? "finished" : "stopped with '" + *e.message() + "'";
        };
        std::optional<std::string> other = first_other_call(before.calls, after.calls);
        if (ending(before) != ending(after)) {
            other = "before " + ending(before) + ", after " + ending(after);
        }
        bool rounded = false;
        const auto differs = [&](const std::function<bool(ScalarType)>& asked) {
            return first_difference(before.outputs.tensors, after.outputs.tensors, signs_of_zero,
                                    ulps, rounded, asked);
        };
        if (!other) other = differs([](ScalarType t) { return !t.is_float(); });
        if (other && !freedom.others) return {Agreement::Differs, *other};
        std::optional<std::string> real = differs([](ScalarType t) { return t.is_float(); });
        if (real && !freedom.floats) return {Agreement::Differs, *real};
        if (other || real) return chosen(other ? *other : *real);
        // Padding that the source (with relations of its own) breaks as well is not news.
        for (const std::string& v : after.outputs.violations) {
            const auto& known = before.outputs.violations;
            if (std::find(known.begin(), known.end(), v) != known.end()) continue;
            return {Agreement::Differs, v};
        }
        return {Agreement::Refines, "", FaultKind::None, rounded};
    }
};

Comparer::Comparer(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Comparer::~Comparer() = default;
Comparer::Comparer(Comparer&&) noexcept = default;
Comparer& Comparer::operator=(Comparer&&) noexcept = default;

Result<Comparer> Comparer::make(Context& ctx, const Function& source, const Function& derived) {
    for (const Function* f : {&source, &derived}) {
        if (const Status ok = analysis::check_layouts(ctx, *f); !ok) return ok.error();
    }
    Result<Program> before = prepare(source);
    if (!before) return before.error();
    Result<Program> after = prepare(derived);
    if (!after) return after.error();
    std::unique_ptr<Impl> impl(
        new Impl{ctx, Side{source, std::move(*before), OpaqueCalls(source), {}, {}, false},
                 Side{derived, std::move(*after), OpaqueCalls(derived), {}, {}, false},
                 !source.has_licence("no_signed_zero"), freedom_of(source)});
    return Comparer(std::move(impl));
}

Result<Comparison> Comparer::compare(const Inputs& logical, const CompareOptions& options) {
    Impl& impl = *impl_;
    if (Status ok = impl.source.prepare_for(impl.ctx, logical); !ok) {
        Diagnostic why = ok.error();
        if (why.hint == kNoRelation) why.hint.clear();  // not the derived program's doing
        return why;
    }
    const Result<Ended> before = run_side(impl.source, logical, options);
    if (!before) return before.error();
    if (before->fault() != nullptr) return impl.judge(*before, *before, 0);
    if (const Status ok = impl.derived.prepare_for(impl.ctx, logical); !ok) return ok.error();
    const Result<Ended> after = run_side(impl.derived, logical, options);
    if (!after) return after.error();
    Comparison out = impl.judge(*before, *after, options.ulps);
    if (!out.refutes()) return out;
    // A let of an indeterminate value makes the source itself choose; then no number of runs can
    // tell that it never does what the other one did.
    if (before->frozen > 0) {
        return Comparison{Agreement::Inconclusive,
                          out.what + " (the source freezes an indeterminate value)"};
    }
    return out;
}

Result<Comparison> compare_runs(Context& ctx, const Function& source, const Function& derived,
                                const Inputs& logical, const CompareOptions& options) {
    Result<Comparer> comparer = Comparer::make(ctx, source, derived);
    if (!comparer) return comparer.error();
    return comparer->compare(logical, options);
}

namespace {

std::string first_cells(const Tensor& t, std::size_t cells) {
    std::string out = "[";
    for (std::size_t k = 0; k < t.size() && k < cells; ++k) {
        out += (k > 0 ? ", " : "") + t.at(k).str(t.type);
    }
    return out + (t.size() > cells ? ", ...]" : "]");
}

std::string exceptions(const Tensor& t, std::size_t cells) {
    if (t.size() <= cells) return first_cells(t, cells);
    std::map<std::string, std::size_t> times;
    for (std::size_t k = 0; k < t.size(); ++k) ++times[t.at(k).str(t.type)];
    const auto usual =
        std::max_element(times.begin(), times.end(),
                         [](const auto& a, const auto& b) { return a.second < b.second; });
    if (t.size() - usual->second > cells) return first_cells(t, cells);
    std::string out;
    for (std::size_t k = 0; k < t.size(); ++k) {
        const std::string value = t.at(k).str(t.type);
        if (value == usual->first) continue;
        out += fmt::format("{}[{}] = {}", out.empty() ? " but for " : ", ",
                           fmt::join(t.indices(k), ", "), value);
    }
    return usual->first + (out.empty() ? " in all cells" : out);
}

std::string described(const Inputs& inputs, const std::function<std::string(const Tensor&)>& of) {
    std::string out;
    for (const auto& [name, input] : inputs) {
        out += (out.empty() ? "" : ", ") + name + " = ";
        if (const Tensor* t = std::get_if<Tensor>(&input)) {
            out += of(*t);
        } else {
            const Value& v = std::get<Value>(input);
            out += v.str(v.is_float() ? kFloat64 : kInt64);
        }
    }
    return out;
}

}  // namespace

std::string describe(const Inputs& inputs, std::size_t cells) {
    return described(inputs, [&](const Tensor& t) { return first_cells(t, cells); });
}

std::string describe_by_exceptions(const Inputs& inputs, std::size_t cells) {
    return described(inputs, [&](const Tensor& t) { return exceptions(t, cells); });
}

}  // namespace proviso::verify
