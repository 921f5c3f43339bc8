#include "backend/cpu/child_run.h"

#include <fcntl.h>
#include <unistd.h>

#include <vector>

#include "analysis/facts/path.h"
#include "backend/runtime/child.h"
#include "backend/runtime/guarded_memory.h"

namespace proviso::backend {

using namespace ir;

namespace {

struct SharedBuffer {
    Buffer buffer;
    std::vector<std::int64_t> shape;
    GuardedBlock block;
};

// What the C library says of memory that it finds corrupt is for the parent to say.
void close_standard_error() {
    const int nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (nowhere >= 0) ::dup2(nowhere, STDERR_FILENO);
}

// 'd', the code and the message of a run; 'e' and why there is none.
std::string told(const Result<RunOutcome>& outcome) {
    if (!outcome) return "e" + outcome.error().message;
    return "d" + std::to_string(outcome->code) + " " + outcome->message;
}

Result<RunOutcome> heard(const std::string& bytes) {
    PROVISO_CHECK(!bytes.empty(), "a child that said nothing");
    if (bytes[0] == 'e') return error(bytes.substr(1));
    const std::size_t space = bytes.find(' ');
    PROVISO_CHECK(bytes[0] == 'd' && space != std::string::npos, "a child's message is cut short");
    return RunOutcome{std::stoi(bytes.substr(1)), bytes.substr(space + 1)};
}

}  // namespace

Result<ChildRun> run_in_child(const CpuModule& module, const Function& f, const Inputs& inputs,
                              std::uint64_t seed) {
    Chooser chooser(seed);
    std::vector<SharedBuffer> buffers;
    const auto share = [&](Buffer b, const Tensor& tensor) -> Result<HostArgument> {
        Result<GuardedBlock> block = GuardedBlock::make(byte_count(tensor.type, tensor.shape));
        if (!block) return block.error();
        to_host(tensor, chooser, block->bytes());
        if (!analysis::stores_to(f.body, b)) block->make_read_only();
        const HostView view{tensor.type, tensor.shape, block->bytes()};
        buffers.push_back({b, tensor.shape, std::move(*block)});
        return HostArgument(view);
    };
    const auto args = host_arguments(f, inputs, share);
    if (!args) return args.error();
    const ChildResult child = in_child(kNoLimits, [&] {
        close_standard_error();
        return told(module.run(f.name, *args));
    });
    ChildRun out;
    if (!child.finished) {
        out.crash = {child.signal, child.signal == 0 ? child.death : signal_text(child.signal)};
        return out;
    }
    const Result<RunOutcome> outcome = heard(child.bytes);
    if (!outcome) return outcome.error();
    for (const SharedBuffer& b : buffers) {
        if (b.block.intact()) continue;
        out.crash = {0, "a store before the start of " + b.buffer->name};
        return out;
    }
    out.run.outcome = *outcome;
    for (const SharedBuffer& b : buffers) {
        out.run.tensors.emplace(b.buffer->name,
                                from_host(b.buffer->type, b.shape, b.block.bytes()));
    }
    return out;
}

}  // namespace proviso::backend
