#include "backend/runtime/guarded_memory.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace proviso::backend {

namespace {

constexpr std::size_t kMostGuard = std::size_t{16} << 30;
constexpr std::size_t kHeapGuard = std::size_t{64} << 20;
constexpr std::size_t kAlignment = 16;  // of malloc's blocks
constexpr auto kPattern = std::byte{0xa5};

std::size_t page() {
    static const auto size = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    return size;
}

// Up to whole pages, at least one.
std::size_t whole_pages(std::size_t bytes) {
    return std::max<std::size_t>(1, (bytes + page() - 1) / page()) * page();
}

// Address space that nobody may touch; null where the system gives none.
std::byte* nobodys(std::size_t bytes) {
    const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    void* const at = ::mmap(nullptr, bytes, PROT_NONE, flags, -1, 0);
    return at == MAP_FAILED ? nullptr : static_cast<std::byte*>(at);
}

bool is_pattern(const std::byte* from, const std::byte* to) {
    return std::all_of(from, to, [](std::byte b) { return b == kPattern; });
}

}  // namespace

Result<GuardedBlock> GuardedBlock::make(std::size_t bytes) {
    const Diagnostic none =
        error("no memory for a buffer of " + std::to_string(bytes) + " bytes", kNoMemory);
    if (bytes > SIZE_MAX / 4) return none;
    const std::size_t inside = whole_pages(bytes);
    GuardedBlock out;
    std::size_t guard = kMostGuard;
    while (out.base_ == nullptr && guard >= page()) {
        out.mapped_ = inside + 2 * guard;
        out.base_ = nobodys(out.mapped_);
        if (out.base_ == nullptr) guard /= 2;
    }
    if (out.base_ == nullptr) return none;
    out.pages_ = out.base_ + guard;
    const int flags = MAP_SHARED | MAP_ANONYMOUS | MAP_FIXED;
    if (::mmap(out.pages_, inside, PROT_READ | PROT_WRITE, flags, -1, 0) == MAP_FAILED) return none;
    out.size_ = bytes;
    out.data_ = out.pages_ + (inside - bytes);
    std::fill(out.pages_, out.data_, kPattern);
    return out;
}

GuardedBlock::GuardedBlock(GuardedBlock&& other) noexcept {
    *this = std::move(other);
}

GuardedBlock& GuardedBlock::operator=(GuardedBlock&& other) noexcept {
    std::swap(base_, other.base_);
    std::swap(mapped_, other.mapped_);
    std::swap(pages_, other.pages_);
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
}

GuardedBlock::~GuardedBlock() {
    if (base_ != nullptr) ::munmap(base_, mapped_);
}

void GuardedBlock::make_read_only() const {
    ::mprotect(pages_, static_cast<std::size_t>(data_ + size_ - pages_), PROT_READ);
}

bool GuardedBlock::intact() const {
    return is_pattern(pages_, data_);
}

// --- malloc and free -----------------------------------------------------------------------------

//   | header, one page | nobody's | pattern, block, pattern | nobody's |

namespace {

struct Header {
    std::size_t mapped;
    std::size_t inside;  // bytes of the pages that may be touched
    std::size_t asked;
};

std::byte* pages_of(void* block) {
    return static_cast<std::byte*>(block) - reinterpret_cast<std::uintptr_t>(block) % page();
}

Header* header_of(void* block) {
    return reinterpret_cast<Header*>(pages_of(block) - kHeapGuard - page());
}

// The last blocks that a thread has freed, for a loop that allocates in each iteration.
struct Freed {
    std::array<void*, 8> blocks;
    std::size_t next;
};
alignas(8) thread_local Freed freed{};

void* freed_block_of(std::size_t bytes) {
    for (void*& block : freed.blocks) {
        if (block != nullptr && header_of(block)->asked == bytes) {
            return std::exchange(block, nullptr);
        }
    }
    return nullptr;
}

bool around_is_intact(void* block) {
    const Header& header = *header_of(block);
    const auto* data = static_cast<const std::byte*>(block);
    const std::byte* pages = pages_of(block);
    return is_pattern(pages, data) && is_pattern(data + header.asked, pages + header.inside);
}

}  // namespace

void* guarded_malloc(std::size_t bytes) {
    if (void* again = freed_block_of(bytes)) return again;
    if (bytes > SIZE_MAX / 4) return nullptr;
    const std::size_t at_least = std::max<std::size_t>(bytes, 1);
    const std::size_t aligned = (at_least + kAlignment - 1) / kAlignment * kAlignment;
    const std::size_t inside = whole_pages(aligned);
    const std::size_t mapped = page() + kHeapGuard + inside + kHeapGuard;
    std::byte* const base = nobodys(mapped);
    if (base == nullptr) return nullptr;
    std::byte* const pages = base + page() + kHeapGuard;
    const int open = PROT_READ | PROT_WRITE;
    if (::mprotect(base, page(), open) != 0 || ::mprotect(pages, inside, open) != 0) {
        ::munmap(base, mapped);
        return nullptr;
    }
    std::byte* const data = pages + (inside - aligned);
    *reinterpret_cast<Header*>(base) = {mapped, inside, bytes};
    std::fill(pages, data, kPattern);
    std::fill(data + bytes, pages + inside, kPattern);
    return data;
}

void guarded_free(void* block) {
    if (block == nullptr) return;
    if (!around_is_intact(block)) std::abort();
    std::swap(block, freed.blocks[freed.next]);
    freed.next = (freed.next + 1) % freed.blocks.size();
    if (block != nullptr) ::munmap(header_of(block), header_of(block)->mapped);
}

}  // namespace proviso::backend
