// Memory with pages around it that nobody may touch: code that leaves its buffer ends there.
//
//   | nobody's | pattern, buffer | nobody's |
//
// A buffer ends where a page ends, so that the first byte behind it is nobody's. Before it, its
// first page may have room: bytes of a pattern, which are looked at afterwards. What stays unseen:
// loads from that room, and whatever lands in another buffer.
#pragma once

#include <cstddef>
#include <span>

#include "ir/result.h"

namespace proviso::backend {

// The hint of what fails for want of memory.
inline constexpr const char* kNoMemory = "this machine has no memory for it";

class GuardedBlock {
  public:
    // Zeros, shared with child processes. As many pages around them as the system lets us have, 16
    // GiB on each side at most: what any index of 32 bits reaches. Fails where there is no memory.
    static Result<GuardedBlock> make(std::size_t bytes);
    GuardedBlock(GuardedBlock&& other) noexcept;
    GuardedBlock& operator=(GuardedBlock&& other) noexcept;
    ~GuardedBlock();

    std::span<std::byte> bytes() const { return {data_, size_}; }
    // From here on nobody may store to it.
    void make_read_only() const;
    // Whether the room before the buffer is as it was.
    bool intact() const;

  private:
    GuardedBlock() = default;
    std::byte* base_ = nullptr;  // of all that is mapped
    std::size_t mapped_ = 0;
    std::byte* pages_ = nullptr;  // those that may be touched; the buffer ends where they do
    std::byte* data_ = nullptr;
    std::size_t size_ = 0;
};

// In the places of malloc and free: blocks that end where a page ends, but for what aligns them to
// 16 bytes. A block with a changed pattern around it aborts the process when it is freed.
void* guarded_malloc(std::size_t bytes);
void guarded_free(void* block);

}  // namespace proviso::backend
