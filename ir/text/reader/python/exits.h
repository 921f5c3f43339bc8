// Early exits as they are written: `continue`, `break`, `return`, and TVM's calls for them. What
// leaves a list of lines, and whether the list also comes to its end. exit_binder.cpp gives them
// their meaning.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "ir/text/reader/python/python.h"

namespace proviso::ir::python {

enum class Exit : std::uint8_t { Continue = 1, Break = 2, Return = 4 };

// A set of exits.
class Exits {
  public:
    Exits() = default;
    explicit Exits(Exit one) : bits_(static_cast<unsigned>(one)) {}
    bool has(Exit e) const { return (bits_ & static_cast<unsigned>(e)) != 0; }
    bool any() const { return bits_ != 0; }
    void add(Exits other) { bits_ |= other.bits_; }
    void remove(Exit e) { bits_ &= ~static_cast<unsigned>(e); }
    // Of a loop's body, those that leave the loop.
    Exits out_of_loop() const { return has(Exit::Return) ? Exits(Exit::Return) : Exits(); }

  private:
    unsigned bits_ = 0;
};

// `continue`, T.continue_loop(), T.evaluate(T.break_loop()), `return`, T.ret(…), …
std::optional<Exit> exit_of(const Statement& s);
// The call of such a line; null for the others.
const Node* call_of_exit(const Statement& s);
// The value of a `return` or T.ret(…); null when there is none.
const Node* returned_value(const Statement& s);
// 0, T.int32(0): what TVM writes for a function that went well.
bool is_zero(const Node& value);
bool is_none(const Node& value);
// Whether the function, whose constants are expanded, gives its caller a value: it says so
// (`-> T.int32`), or it says nothing and returns something else than 0.
bool has_result(const Statement& function);

struct Leaving {
    Exits exits;            // that leave the lines and may be taken
    bool completes = true;  // whether the lines may come to their end
};
Leaving leaving(const Statement& s);
Leaving leaving(const std::vector<Statement>& lines);

// `while False`: its lines never run.
bool never_runs(const Statement& loop);
// `while True`: only an early exit leaves it.
bool always_runs(const Statement& loop);

}  // namespace proviso::ir::python
