// The device behind gpu-host: memory with guarded margins, and a scheduler of the threads of a
// block.
#include <fmt/format.h>

#include <algorithm>
#include <boost/context/fiber.hpp>
#include <boost/context/pooled_fixedsize_stack.hpp>
#include <cstring>
#include <map>
#include <memory>
#include <numeric>

#include "backend/gpu/drivers/gpu_host.h"
#include "backend/gpu/llvm/kernel_emitter.h"
#include "ir/check.h"
#include "ir/domains/value.h"

namespace proviso::backend::gpu {

namespace {

namespace context = boost::context;

constexpr std::size_t kMargin = 4096;  // bytes before and after each buffer
constexpr std::byte kMarginByte{0xa5};
constexpr std::size_t kAlignment = 64;  // of the first byte
constexpr int kPoison = 0xff;
constexpr std::size_t kStackBytes = std::size_t{128} * 1024;
constexpr std::uint64_t kMostThreads = std::uint64_t{1} << 26;  // of a launch

using KernelCall = void (*)(void**);

// One thread of a block: a fiber that is left at each barrier.
struct Thread {
    context::fiber fiber;
    context::fiber scheduler;
    Grid index{};
    int barrier = 0;  // the line of the barrier that it waits at; 0: it does not wait
};

Thread* running = nullptr;

// Called by the kernels' text.
void wait_at_barrier(int line) {
    running->barrier = line;
    running->scheduler = std::move(running->scheduler).resume();
}

// A library's variables; see the host's prelude.
struct Library {
    unsigned* block = nullptr;
    unsigned* thread = nullptr;
    char** shared = nullptr;
    void (**barrier)(int) = nullptr;
};

class FiberDevice final : public Device {
  public:
    FiberDevice(KernelSymbols symbols, const Library& library, std::size_t order,
                std::uint64_t seed)
        : symbols_(std::move(symbols)), library_(library), order_(order), chooser_(seed + order) {}

    std::string name() const override { return "this machine"; }

    Result<Handle> allocate(std::size_t bytes) override {
        buffers_.emplace_back(bytes + 2 * kMargin + kAlignment, kMarginByte);
        std::memset(data(buffers_.size() - 1), kPoison, bytes);
        return buffers_.size() - 1;
    }
    void release(Handle buffer) override { buffers_[buffer] = {}; }

    Status write(Handle buffer, std::span<const std::byte> bytes) override {
        if (!bytes.empty()) std::memcpy(data(buffer), bytes.data(), bytes.size());
        return Unit{};
    }
    Status read(Handle buffer, std::span<std::byte> bytes) override {
        if (!bytes.empty()) std::memcpy(bytes.data(), data(buffer), bytes.size());
        return Unit{};
    }

    Status launch(const Kernel& kernel, const Grid& grid, const Grid& block,
                  const std::vector<LaunchArgument>& arguments) override {
        const std::string symbol = kernel.name + "__call";
        const auto call = reinterpret_cast<KernelCall>(symbols_(symbol));
        if (call == nullptr) return error("the kernels have no " + symbol);
        const std::uint64_t blocks = grid[0] * grid[1] * grid[2];
        const std::uint64_t threads = block[0] * block[1] * block[2];
        if (blocks > kMostThreads || blocks * threads > kMostThreads) {
            return error(kernel.name + ": too many threads to run here", "smaller sizes");
        }
        std::vector<void*> pointers;
        std::vector<std::uint64_t> scalars(arguments.size());
        for (std::size_t i = 0; i < arguments.size(); ++i) {
            scalars[i] = arguments[i].scalar.bits;  // little-endian: the low bytes come first
            pointers.push_back(arguments[i].is_buffer
                                   ? static_cast<void*>(data(arguments[i].buffer))
                                   : static_cast<void*>(&scalars[i]));
        }
        std::vector<char> shared(static_cast<std::size_t>(kernel.shared_bytes) + kMargin);
        *library_.shared =
            shared.data() + (64 - reinterpret_cast<std::uintptr_t>(shared.data()) % 64);
        const auto bytes = static_cast<std::size_t>(kernel.shared_bytes);
        void* const own = bytes == 0 ? nullptr : symbols_(kernel.name + kSharedSuffix);
        for (const std::uint64_t b : ordered(blocks)) {
            std::memset(shared.data(), kPoison, shared.size());
            if (own != nullptr) std::memset(own, kPoison, bytes);
            set(library_.block, position(b, grid));
            const Status ok = run_block(kernel, call, pointers.data(), block);
            if (!ok) return ok;
        }
        return margins(kernel);
    }

  private:
    std::byte* data(Handle buffer) {
        std::byte* const first = buffers_[buffer].data() + kMargin;
        const std::size_t over = reinterpret_cast<std::uintptr_t>(first) % kAlignment;
        return over == 0 ? first : first + (kAlignment - over);
    }

    static Grid position(std::uint64_t linear, const Grid& extents) {
        return {linear % extents[0], linear / extents[0] % extents[1],
                linear / extents[0] / extents[1]};
    }
    static void set(unsigned* variable, const Grid& index) {
        for (std::size_t a = 0; a < kAxes; ++a) variable[a] = static_cast<unsigned>(index[a]);
    }

    std::vector<std::uint64_t> ordered(std::uint64_t count) {
        std::vector<std::uint64_t> out(count);
        std::iota(out.begin(), out.end(), std::uint64_t{0});
        if (order_ == 1) std::reverse(out.begin(), out.end());
        if (order_ < 2) return out;
        for (std::size_t k = out.size(); k > 1; --k) {
            std::swap(out[k - 1], out[chooser_.next() % k]);
        }
        return out;
    }

    Status run_block(const Kernel& kernel, KernelCall call, void** arguments, const Grid& block) {
        const std::uint64_t count = block[0] * block[1] * block[2];
        if (kernel.barriers.empty()) {
            for (const std::uint64_t t : ordered(count)) {
                set(library_.thread, position(t, block));
                call(arguments);
            }
            return Unit{};
        }
        *library_.barrier = wait_at_barrier;
        auto threads = std::make_unique<std::vector<Thread>>(count);
        for (std::uint64_t t = 0; t < count; ++t) {
            Thread* const self = &(*threads)[t];
            self->index = position(t, block);
            self->fiber = context::fiber(std::allocator_arg, stacks_,
                                         [self, call, arguments](context::fiber&& scheduler) {
                                             self->scheduler = std::move(scheduler);
                                             call(arguments);
                                             return std::move(self->scheduler);
                                         });
        }
        Status ok = run_rounds(kernel, *threads);
        // Fibers that still wait are left as they are, not unwound: this process is about to end.
        if (!ok) static_cast<void>(threads.release());
        return ok;
    }

    // From barrier to barrier, all threads in the order of this device.
    Status run_rounds(const Kernel& kernel, std::vector<Thread>& threads) {
        while (true) {
            for (const std::uint64_t t : ordered(threads.size())) {
                running = &threads[t];
                running->barrier = 0;
                set(library_.thread, running->index);
                running->fiber = std::move(running->fiber).resume();
            }
            std::map<int, std::size_t> waiting;  // by barrier; 0: finished
            for (const Thread& t : threads) ++waiting[t.fiber ? t.barrier : 0];
            if (waiting.size() > 1) return divergence(kernel, waiting);
            if (waiting.count(0) != 0) return Unit{};
        }
    }

    static Status divergence(const Kernel& kernel, const std::map<int, std::size_t>& waiting) {
        std::string text;
        for (const auto& [line, count] : waiting) {
            text += (text.empty() ? "" : ", ") +
                    (line == 0 ? fmt::format("{} threads have finished", count)
                               : fmt::format("{} wait at the barrier of line {}", count, line));
        }
        return error(kernel.name + ": not all threads of a block reach a barrier: " + text);
    }

    Status margins(const Kernel& kernel) {
        const auto untouched = [](std::byte b) { return b == kMarginByte; };
        for (std::size_t b = 0; b < buffers_.size(); ++b) {
            std::vector<std::byte>& memory = buffers_[b];
            if (memory.empty()) continue;
            const std::byte* const end = memory.data() + memory.size();
            const std::byte* const cells = data(b);
            const std::byte* const behind = cells + (memory.size() - 2 * kMargin - kAlignment);
            if (std::all_of<const std::byte*>(memory.data(), cells, untouched) &&
                std::all_of(behind, end, untouched)) {
                continue;
            }
            return error(kernel.name + " stores outside of a buffer");
        }
        return Unit{};
    }

    KernelSymbols symbols_;
    Library library_;
    std::size_t order_;
    ir::Chooser chooser_;
    std::vector<std::vector<std::byte>> buffers_;
    context::pooled_fixedsize_stack stacks_{kStackBytes};
};

}  // namespace

Result<std::unique_ptr<Device>> make_fiber_device(const KernelSymbols& symbols, std::size_t order,
                                                  std::uint64_t seed) {
    Library library;
    library.block = static_cast<unsigned*>(symbols("pv_block"));
    library.thread = static_cast<unsigned*>(symbols("pv_thread"));
    library.shared = static_cast<char**>(symbols("pv_shared"));
    library.barrier = static_cast<void (**)(int)>(symbols("pv_barrier"));
    if (library.block == nullptr || library.thread == nullptr || library.shared == nullptr ||
        library.barrier == nullptr) {
        return error("what was compiled does not hold kernels for this machine");
    }
    return std::unique_ptr<Device>(std::make_unique<FiberDevice>(symbols, library, order, seed));
}

}  // namespace proviso::backend::gpu
