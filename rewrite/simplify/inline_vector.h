// A vector of plain data whose first few elements stand in the object itself. Copies are copies of
// memory, as long as what is there.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <type_traits>

namespace proviso::rewrite {

template <typename T, std::uint32_t N>
class InlineVector {
    static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

  public:
    InlineVector() = default;
    InlineVector(const InlineVector& other) { append(other); }
    InlineVector(InlineVector&& other) noexcept { take(other); }
    InlineVector& operator=(const InlineVector& other) {
        if (this == &other) return *this;
        size_ = 0;
        append(other);
        return *this;
    }
    InlineVector& operator=(InlineVector&& other) noexcept {
        if (this == &other) return *this;
        release();
        take(other);
        return *this;
    }
    ~InlineVector() { release(); }

    T* begin() { return data_; }
    T* end() { return data_ + size_; }
    const T* begin() const { return data_; }
    const T* end() const { return data_ + size_; }
    T* data() { return data_; }
    const T* data() const { return data_; }
    std::size_t size() const { return size_; }
    bool empty() const { return size_ == 0; }
    T& operator[](std::size_t i) { return data_[i]; }
    const T& operator[](std::size_t i) const { return data_[i]; }
    T& front() { return data_[0]; }
    T& back() { return data_[size_ - 1]; }

    void push_back(const T& value) {
        const T copy = value;  // it may be one of ours
        if (size_ == capacity_) grow(capacity_ * 2);
        data_[size_++] = copy;
    }
    void insert(T* at, const T& value) {
        const auto index = at - data_;
        const T copy = value;
        push_back(copy);
        std::copy_backward(data_ + index, data_ + size_ - 1, data_ + size_);
        data_[index] = copy;
    }
    void erase(T* at) { erase(at, at + 1); }
    void erase(T* first, T* last) {
        std::copy(last, end(), first);
        size_ -= static_cast<std::uint32_t>(last - first);
    }
    void clear() { size_ = 0; }
    void shrink(std::size_t count) { size_ = static_cast<std::uint32_t>(count); }  // to no more
    void reserve(std::size_t count) {
        if (count > capacity_) grow(static_cast<std::uint32_t>(count));
    }
    bool operator==(const InlineVector& other) const {
        return std::equal(begin(), end(), other.begin(), other.end());
    }

  private:
    T* own() { return reinterpret_cast<T*>(room_); }
    bool is_own() const { return data_ == reinterpret_cast<const T*>(room_); }
    void append(const InlineVector& other) {
        reserve(other.size_);
        std::memcpy(static_cast<void*>(data_), other.data_, other.size_ * sizeof(T));
        size_ = other.size_;
    }
    void take(InlineVector& other) {
        if (other.is_own()) {
            data_ = own();
            capacity_ = N;
            std::memcpy(static_cast<void*>(data_), other.data_, other.size_ * sizeof(T));
        } else {
            data_ = other.data_;
            capacity_ = other.capacity_;
            other.data_ = other.own();
            other.capacity_ = N;
        }
        size_ = other.size_;
        other.size_ = 0;
    }
    [[gnu::noinline, gnu::cold]] void grow(std::uint32_t capacity) {
        T* larger =
            static_cast<T*>(::operator new(capacity * sizeof(T), std::align_val_t{alignof(T)}));
        std::memcpy(static_cast<void*>(larger), data_, size_ * sizeof(T));
        release();
        data_ = larger;
        capacity_ = capacity;
    }
    void release() {
        if (!is_own()) ::operator delete(data_, std::align_val_t{alignof(T)});
    }

    T* data_ = own();
    std::uint32_t size_ = 0;
    std::uint32_t capacity_ = N;
    alignas(T) std::byte room_[N * sizeof(T)];
};

}  // namespace proviso::rewrite
