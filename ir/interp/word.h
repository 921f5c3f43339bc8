// Values as the interpreter holds them: one machine word and a tag, passed in registers. A Word
// stands for a Value, or for a fault; nothing else is known of it. What operators make of Words is
// `eval_op` of the Values that they stand for, see quick_op.h.
#pragma once

#include <bit>
#include <limits>
#include <vector>

#include "ir/domains/value.h"

namespace proviso::ir {

struct Word {
    enum class Tag : std::uint8_t {
        Indet,
        Int,    // an integer or bool that int64 holds, in two's complement
        High,   // an unsigned integer from 2^63 on
        Float,  // the bits of a double; of NaN those that Value::of_float gives
        Wide,   // another integer, which nobody has observed: its place in WordStore
        Fault,  // no value: the FaultKind
    };

    std::uint64_t bits = 0;
    Tag tag = Tag::Indet;

    constexpr Word() = default;  // indet
    constexpr Word(Tag t, std::uint64_t b) : bits(b), tag(t) {}
    constexpr Word(FaultKind kind)
        : Word(Tag::Fault, static_cast<std::uint64_t>(kind)) {}  // implicit
    static Word of_int(std::int64_t value) { return {Tag::Int, static_cast<std::uint64_t>(value)}; }
    static Word of_unsigned(std::uint64_t value) {
        return {(value >> 63) == 0 ? Tag::Int : Tag::High, value};
    }
    static Word of_bool(bool value) { return of_int(value ? 1 : 0); }
    // As Value::of_float: every NaN becomes one.
    static Word of_float(double value) {
        if (value != value) value = std::numeric_limits<double>::quiet_NaN();
        return {Tag::Float, std::bit_cast<std::uint64_t>(value)};
    }

    bool ok() const { return tag != Tag::Fault; }
    bool is_indet() const { return tag == Tag::Indet; }
    bool is_int() const { return tag == Tag::Int; }
    bool is_float() const { return tag == Tag::Float; }
    std::int64_t integer() const { return static_cast<std::int64_t>(bits); }  // of an Int
    double real() const { return std::bit_cast<double>(bits); }               // of a Float
    bool truth() const { return bits != 0; }                                  // of a bool
    // An Int or a High as an index. What int64 cannot hold is out of bounds of every buffer, as its
    // largest value is.
    std::int64_t index() const {
        return tag == Tag::Int ? integer() : std::numeric_limits<std::int64_t>::max();
    }
};

// As of Values and results: see value.h and evaluate.h.
inline bool fits_exact_int(ScalarType type, std::int64_t value) {
    return value == static_cast<std::int32_t>(value) || type.bits == 64;
}
inline bool observable(ScalarType type, Word word) {
    if (word.is_int()) return fits_exact_int(type, word.integer()) || !type.is_exact_int();
    return word.is_indet() || !type.is_exact_int();
}
inline Word value_of(Word result) {
    return result;
}
inline FaultKind fault_of(Word result) {
    return static_cast<FaultKind>(result.bits);
}

// Turns Words into Values and back. Holds the wide integers, as a stack: a Word that is wide dies
// with the expression that is being evaluated.
class WordStore {
  public:
    Word word(const Value& value) {
        if (value.is_indet()) return {};
        if (value.is_float()) return Word::of_float(value.real());
        const std::optional<Int128> small = value.integer().to_int128();
        if (small && kInt64.contains(*small))
            return Word::of_int(static_cast<std::int64_t>(*small));
        if (small && kUInt64.contains(*small)) {
            return Word::of_unsigned(static_cast<std::uint64_t>(*small));
        }
        wide_.push_back(value.integer());
        return {Word::Tag::Wide, wide_.size() - 1};
    }
    Word word(const Evaluated& result) { return result.ok() ? word(result.value) : result.fault; }

    // Of a Word that is no fault.
    Value value(Word word) const {
        switch (word.tag) {
            case Word::Tag::Int: return Value::of_int(word.integer());
            case Word::Tag::High: return Value::of_int(word.bits);
            case Word::Tag::Float: return Value::of_float(word.real());
            case Word::Tag::Wide: return Value::of_int(wide_[word.bits]);
            case Word::Tag::Indet:
            case Word::Tag::Fault: break;
        }
        return {};
    }
    std::vector<Value> values(std::span<const Word> words) const {
        std::vector<Value> out;
        for (const Word w : words) out.push_back(value(w));
        return out;
    }

    // Takes back the wide integers of an operator's arguments, which are the last ones given out.
    void release(std::span<const Word> words) {
        for (const Word w : words) {
            if (w.tag == Word::Tag::Wide && w.bits < wide_.size()) wide_.resize(w.bits);
        }
    }
    void clear() { wide_.clear(); }

  private:
    std::vector<Integer> wide_;
};

}  // namespace proviso::ir
