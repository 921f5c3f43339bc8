// Errors as values. A user's mistake is a `Diagnostic` with a position, the offending line and a
// hint; functions that can fail on user input return `Result<T>`.
#pragma once

#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "ir/check.h"

namespace proviso {

// One message to the user. `line` and `column` count from 1; 0 means "no position".
struct Diagnostic {
    std::string message;
    std::string file;
    int line = 0;
    int column = 0;
    std::string source_line;         // the whole line that `column` points into
    std::string hint;                // what would help; may be empty
    std::vector<std::string> notes;  // further facts, one a line

    // "file:3:7: error: message", the line, a caret, notes and the hint; no trailing newline.
    std::string str() const;
};

Diagnostic error(std::string message, std::string hint = {});

// A value or a Diagnostic. Reading the wrong alternative is a broken invariant.
template <typename T>
class [[nodiscard]] Result {
  public:
    // Implicit: both are returned as they are.
    Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
    Result(Diagnostic error) : state_(std::in_place_index<1>, std::move(error)) {}

    bool ok() const { return state_.index() == 0; }
    explicit operator bool() const { return ok(); }

    const T& value() const& {
        require_ok();
        return std::get<0>(state_);
    }
    T& value() & {
        require_ok();
        return std::get<0>(state_);
    }
    T&& value() && {
        require_ok();
        return std::get<0>(std::move(state_));
    }
    const T& operator*() const& { return value(); }
    T& operator*() & { return value(); }
    const T* operator->() const { return &value(); }
    T* operator->() { return &value(); }

    const Diagnostic& error() const {
        PROVISO_CHECK(!ok(), "error() of a successful Result");
        return std::get<1>(state_);
    }

  private:
    void require_ok() const {
        PROVISO_CHECK(ok(), "value() of a failed Result: " + std::get<1>(state_).message);
    }

    std::variant<T, Diagnostic> state_;
};

struct Unit {
    bool operator==(const Unit&) const = default;
};
using Status = Result<Unit>;

}  // namespace proviso
