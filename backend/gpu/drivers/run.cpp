#include "backend/gpu/drivers/run.h"

#include <cstring>

#include "ir/check.h"

namespace proviso::backend::gpu {

namespace {

// What the child says, before the rest of its message.
enum class Told : char { Done = 'd', Finding = 'f', NoDevice = 'n' };

std::string told(Told what, const std::string& text) {
    return std::string(1, static_cast<char>(what)) + text;
}

void put(std::string& out, const std::string& text) {
    const std::uint64_t size = text.size();
    out.append(reinterpret_cast<const char*>(&size), sizeof size);
    out += text;
}

std::string get(const std::string& in, std::size_t& at) {
    std::uint64_t size = 0;
    PROVISO_CHECK(in.size() - at >= sizeof size, "a child's message is cut short");
    std::memcpy(&size, in.data() + at, sizeof size);
    at += sizeof size;
    PROVISO_CHECK(in.size() - at >= size, "a child's message is cut short");
    std::string out = in.substr(at, size);
    at += size;
    return out;
}

std::string no_device(const Diagnostic& why) {
    std::string out = told(Told::NoDevice, "");
    put(out, why.message);
    put(out, why.hint);
    for (const std::string& note : why.notes) put(out, note);
    return out;
}

Diagnostic no_device_told(const std::string& text) {
    std::size_t at = 0;
    Diagnostic out;
    out.message = get(text, at);
    out.hint = get(text, at);
    while (at < text.size()) out.notes.push_back(get(text, at));
    return out;
}

std::string bytes_of(const HostBuffer& b) {
    return {reinterpret_cast<const char*>(b.bytes.data()), b.bytes.size()};
}

// Outcome, device and buffers of one order.
std::string message(const RunOutcome& outcome, const std::string& device,
                    const DeviceInputs& results) {
    std::string out = told(Told::Done, "");
    put(out, std::to_string(outcome.code));
    put(out, outcome.message);
    put(out, device);
    for (const HostBuffer& b : results.buffers) put(out, bytes_of(b));
    return out;
}

// The first buffer whose bytes differ, and the element.
std::string difference(const Plan& plan, const DeviceInputs& a, const DeviceInputs& b) {
    const std::vector<ir::Buffer> parameters = plan.function.buffer_params();
    for (std::size_t i = 0; i < a.buffers.size(); ++i) {
        const auto width = static_cast<std::size_t>(a.buffers[i].type.bytes());
        for (std::size_t k = 0; k < a.buffers[i].bytes.size(); ++k) {
            if (a.buffers[i].bytes[k] == b.buffers[i].bytes[k]) continue;
            return parameters[i]->name + " at position " + std::to_string(k / width);
        }
    }
    return "";
}

class InChild {
  public:
    InChild(const Module& module, const DeviceInputs& inputs,
            const std::vector<std::string>& orders, const MakeDevice& make)
        : module_(module), inputs_(inputs), orders_(orders), make_(make) {}

    std::string run() {
        std::optional<DeviceInputs> first;
        RunOutcome first_outcome;
        for (std::size_t order = 0; order < orders_.size(); ++order) {
            Result<std::unique_ptr<Device>> device = make_(order);
            if (!device) return no_device(device.error());
            DeviceInputs results = inputs_;
            const Result<RunOutcome> outcome = run_host(module_.plan, results, **device);
            if (!outcome) {
                return told(Told::Finding,
                            outcome.error().message + " (threads " + orders_[order] + ")");
            }
            if (!first) {
                first = std::move(results);
                first_outcome = *outcome;
                name_ = (*device)->name();
                continue;
            }
            const std::string where = difference(module_.plan, *first, results);
            if (!where.empty() || !(*outcome == first_outcome)) {
                return told(Told::Finding, "the result depends on the order of threads: " + where +
                                               " differs between " + orders_[0] + " and " +
                                               orders_[order]);
            }
        }
        return message(first_outcome, name_, *first);
    }

  private:
    const Module& module_;
    const DeviceInputs& inputs_;
    const std::vector<std::string>& orders_;
    const MakeDevice& make_;
    std::string name_;
};

}  // namespace

Result<DeviceRun> run_in_child(const Module& module, const ir::Function& f,
                               const ir::Inputs& inputs, std::uint64_t seed,
                               const std::vector<std::string>& orders, const MakeDevice& make,
                               const ChildLimits& limits) {
    Result<DeviceInputs> host = device_inputs(module.plan, f, inputs, seed);
    if (!host) return host.error();
    const ChildResult child =
        in_child(limits, [&] { return InChild(module, *host, orders, make).run(); });
    DeviceRun out;
    if (!child.finished || child.bytes.empty()) {
        out.finding = "the process that ran the kernels: " + child.death;
        return out;
    }
    const auto what = static_cast<Told>(child.bytes[0]);
    const std::string text = child.bytes.substr(1);
    if (what == Told::NoDevice) return no_device_told(text);
    if (what == Told::Finding) {
        out.finding = text;
        return out;
    }
    std::size_t at = 0;
    out.run.outcome.code = std::stoi(get(text, at));
    out.run.outcome.message = get(text, at);
    out.device = get(text, at);
    const std::vector<ir::Buffer> parameters = f.buffer_params();
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        const std::string bytes = get(text, at);
        HostBuffer& buffer = host->buffers[i];
        PROVISO_CHECK(bytes.size() == buffer.bytes.size(), "a buffer of another size");
        if (!bytes.empty()) std::memcpy(buffer.bytes.data(), bytes.data(), bytes.size());
        out.run.tensors.emplace(parameters[i]->name, from_host(buffer));
    }
    return out;
}

}  // namespace proviso::backend::gpu
