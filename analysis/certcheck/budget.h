// What one check may take, of both inputs together: reading them and walking the certificate spend
// one budget, so that no input makes the checker hang or use up the machine, whichever part of it
// has the trick. All limits of the checker are here; docs/certificates.md lists them.
#pragma once

#include <cstddef>
#include <stdexcept>

namespace proviso::certcheck {

// A limit was met: a clear refusal, never an answer.
struct TooLarge : std::runtime_error {
    using std::runtime_error::runtime_error;
};

inline constexpr std::size_t kMostInput = std::size_t{16} << 20U;  // bytes of a file
inline constexpr std::size_t kMostNodes = 4'000'000;               // words and lists, of both files
inline constexpr unsigned kDeepest = 1000;                         // terms inside each other
inline constexpr std::size_t kMostDigits = 10'000;                 // of a number as it is written
inline constexpr std::size_t kMostBits = 65'536;                   // of a number as it is computed
inline constexpr std::size_t kMostFactors = 64;                    // of a product
inline constexpr std::size_t kMostFacts = 10'000'000;              // in all branches together
inline constexpr std::size_t kMostWork = 250'000'000;              // units, see below
inline constexpr std::size_t kMostMemory = std::size_t{1} << 30U;  // bytes of what is kept, about

// A unit is about what it takes to multiply two numbers of 64 bits and to keep the result: some
// nanoseconds. What is looked up in a table, or put there, takes some dozens.
class Budget {
  public:
    static constexpr std::size_t kLookup = 30;

    void work(std::size_t units) {
        if (units > work_left_) throw TooLarge("more than 250,000,000 units of work");
        work_left_ -= units;
    }
    // Of what stays until the end.
    void keep(std::size_t bytes) {
        if (bytes > memory_left_) throw TooLarge("more than 1 GiB of terms");
        memory_left_ -= bytes;
    }
    void node() {
        if (++nodes_ > kMostNodes) throw TooLarge("more than 4,000,000 words and lists");
    }
    void fact() {
        if (++facts_ > kMostFacts) throw TooLarge("more than 10,000,000 facts");
    }

  private:
    std::size_t work_left_ = kMostWork;
    std::size_t memory_left_ = kMostMemory;
    std::size_t nodes_ = 0;
    std::size_t facts_ = 0;
};

}  // namespace proviso::certcheck
