#include "backend/tensor.h"

#include <bit>
#include <cmath>
#include <cstring>

#include "ir/check.h"
#include "ir/children.h"
#include "ir/memory_refinement.h"

namespace proviso::backend {

using namespace ir;

namespace {

// Magnitude bits of a value that float16 has; see ir::round_to_type for getting one.
std::uint64_t float16_bits(double value) {
    if (std::isnan(value)) return 0x7e00;
    const std::uint64_t sign = std::signbit(value) ? 0x8000U : 0U;
    const double magnitude = std::fabs(value);
    if (std::isinf(value)) return sign | 0x7c00;
    if (magnitude < 0x1p-14) return sign | static_cast<std::uint64_t>(std::ldexp(magnitude, 24));
    int exponent = 0;
    const double fraction = std::frexp(magnitude, &exponent);                  // in [0.5, 1)
    const auto digits = static_cast<std::uint64_t>(std::ldexp(fraction, 11));  // 11 bits
    return sign | ((static_cast<std::uint64_t>(exponent + 14) << 10) + digits - 1024);
}

double float16_value(std::uint64_t bits) {
    const double sign = (bits & 0x8000) != 0 ? -1.0 : 1.0;
    const int exponent = static_cast<int>((bits >> 10) & 31);
    const auto digits = static_cast<double>(bits & 0x3ff);
    if (exponent == 31) return digits == 0.0 ? sign * HUGE_VAL : std::nan("");
    if (exponent == 0) return sign * std::ldexp(digits, -24);
    return sign * std::ldexp(1024.0 + digits, exponent - 25);
}

Value from_bits(ScalarType type, std::uint64_t bits) {
    if (type == kFloat16) return Value::of_float(float16_value(bits));
    if (type == kBFloat16) bits <<= 16;
    if (type == kBFloat16 || type == kFloat32) {
        const auto single = std::bit_cast<float>(static_cast<std::uint32_t>(bits));
        return Value::of_float(static_cast<double>(single));
    }
    if (type == kFloat64) return Value::of_float(std::bit_cast<double>(bits));
    if (type.is_bool()) return Value::of_bool(bits != 0);
    return Value::of_int(Integer(static_cast<Int128>(bits)).wrap(type));
}

}  // namespace

HostScalar to_host(ScalarType type, const Value& value) {
    PROVISO_CHECK(!value.is_indet(), "an indeterminate value has no bits");
    HostScalar out{type, 0};
    if (!type.is_float()) {
        out.bits = static_cast<std::uint64_t>(*value.integer().to_int128());
        return out;
    }
    const double real = value.real();
    const auto single = std::bit_cast<std::uint32_t>(static_cast<float>(real));
    if (type == kFloat64) out.bits = std::bit_cast<std::uint64_t>(real);
    if (type == kFloat32) out.bits = single;
    if (type == kBFloat16) out.bits = single >> 16;
    if (type == kFloat16) out.bits = float16_bits(real);
    return out;
}

HostBuffer to_host(const Tensor& tensor, Chooser& chooser) {
    HostBuffer out = make_host_buffer(tensor.type, tensor.shape);
    to_host(tensor, chooser, out.bytes);
    return out;
}

void to_host(const Tensor& tensor, Chooser& chooser, std::span<std::byte> bytes) {
    const auto width = static_cast<std::size_t>(tensor.type.bytes());
    for (std::size_t i = 0; i < tensor.size(); ++i) {
        const bool definite = tensor.states[i] == CellState::Definite;
        const Value value = definite ? tensor.at(i) : chooser.choose(tensor.type);
        const std::uint64_t bits = to_host(tensor.type, value).bits;
        std::memcpy(bytes.data() + i * width, &bits, width);
    }
}

Tensor from_host(const HostBuffer& buffer) {
    return from_host(buffer.type, buffer.shape, buffer.bytes);
}

Tensor from_host(ScalarType type, const std::vector<std::int64_t>& shape,
                 std::span<const std::byte> bytes) {
    Tensor out = Tensor::filled(type, shape, Value::indet());
    const auto width = static_cast<std::size_t>(type.bytes());
    for (std::size_t i = 0; i < out.size(); ++i) {
        std::uint64_t bits = 0;
        std::memcpy(&bits, bytes.data() + i * width, width);
        out.set(i, from_bits(type, bits));
    }
    return out;
}

Result<std::vector<HostArgument>> host_arguments(const Function& f, const Inputs& inputs,
                                                 const MakeArgument& buffer_argument) {
    std::vector<HostArgument> args;
    for (const Param& p : f.params) {
        const Buffer* buffer = std::get_if<Buffer>(&p);
        const std::string& name = buffer != nullptr ? (*buffer)->name : *std::get<Expr>(p)->name;
        const auto found = inputs.find(name);
        if (found == inputs.end()) {
            return proviso::error("no input for parameter '" + name + "' of " + f.name);
        }
        if (const Tensor* tensor = std::get_if<Tensor>(&found->second)) {
            if (buffer == nullptr) {
                return proviso::error("parameter '" + name + "' takes a value");
            }
            Result<HostArgument> argument = buffer_argument(*buffer, *tensor);
            if (!argument) return argument.error();
            args.push_back(std::move(*argument));
            continue;
        }
        const Value& value = std::get<Value>(found->second);
        if (buffer != nullptr) return proviso::error("parameter '" + name + "' takes a tensor");
        const ScalarType type = std::get<Expr>(p)->type;
        if (value.is_indet() || value.is_float() != type.is_float() ||
            (value.is_int() && !value.integer().in_range(type))) {
            return proviso::error("parameter '" + name + "' takes " + type.str() + ", not " +
                                  value.str(type));
        }
        args.emplace_back(to_host(type, value));
    }
    return args;
}

Result<TensorRun> run_on_tensors(const CpuModule& module, const Function& f, const Inputs& inputs,
                                 std::uint64_t seed) {
    Chooser chooser(seed);
    std::vector<std::pair<std::string, HostBuffer>> buffers;
    buffers.reserve(f.params.size());  // arguments point into it
    const auto args =
        host_arguments(f, inputs, [&](Buffer b, const Tensor& tensor) -> Result<HostArgument> {
            buffers.emplace_back(b->name, to_host(tensor, chooser));
            return HostArgument(&buffers.back().second);
        });
    if (!args) return args.error();
    Result<RunOutcome> outcome = module.run(f.name, *args);
    if (!outcome) return outcome.error();
    TensorRun out{*outcome, {}};
    for (const auto& [name, host] : buffers) out.tensors.emplace(name, from_host(host));
    return out;
}

bool has_concurrent_loop(const Function& f) {
    bool found = false;
    for_each_stmt(f.body, [&](Stmt s) {
        const For* loop = s->as<For>();
        found = found || (loop != nullptr && loop->kind != ForKind::Serial &&
                          loop->kind != ForKind::Unrolled);
    });
    return found;
}

namespace {

std::optional<std::string> tensor_difference(const Tensors& interpreted, const Tensors& compiled) {
    for (const auto& [name, tensor] : interpreted) {
        const auto found = compiled.find(name);
        if (found == compiled.end()) return "compiled code has no buffer " + name;
        if (auto violation = refinement_violation(name, tensor, found->second)) return violation;
    }
    return std::nullopt;
}

}  // namespace

std::optional<std::string> run_difference(const Function& f, const Outcome& interpreted,
                                          const TensorRun& compiled) {
    if (std::holds_alternative<Faulted>(interpreted)) return std::nullopt;
    if (const Stopped* stopped = std::get_if<Stopped>(&interpreted)) {
        if (compiled.outcome.code <= 0 || compiled.outcome.message != stopped->message) {
            return "the interpreter stops with \"" + stopped->message +
                   "\", compiled code ends with code " + std::to_string(compiled.outcome.code) +
                   " \"" + compiled.outcome.message + "\"";
        }
        if (has_concurrent_loop(f)) return std::nullopt;
        return tensor_difference(stopped->tensors, compiled.tensors);
    }
    if (compiled.outcome.code != 0) {
        return "the interpreter runs through, compiled code stops with \"" +
               compiled.outcome.message + "\"";
    }
    return tensor_difference(std::get<Finished>(interpreted).tensors, compiled.tensors);
}

}  // namespace proviso::backend
