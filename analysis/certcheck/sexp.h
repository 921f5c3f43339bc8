// S-expressions: how the checker reads both the SMT-LIB text and the certificate. Words and lists
// only; `;` starts a comment; quoted symbols and strings are refused. Reading keeps its own stack,
// so no nesting is too deep for it.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/certcheck/budget.h"

namespace proviso::certcheck {

struct Place {
    const char* source = "";  // "text" or "certificate"
    std::uint32_t line = 1;
    std::uint32_t column = 1;
};

// Why an input is refused. Thrown inside the checker, caught at its edge (check.cpp).
struct Refusal {
    std::string why;
    Place where;
};

struct Sexp {
    std::string_view word;  // of a word; empty for a list
    std::vector<const Sexp*> items;
    Place where;

    bool is_list() const { return word.empty(); }
    std::size_t size() const { return items.size(); }
    const Sexp& operator[](std::size_t i) const { return *items[i]; }
    // The first word of a list; empty where there is none.
    std::string_view head() const { return items.empty() ? std::string_view() : items[0]->word; }
    // Words with single spaces, as in the source otherwise.
    std::string str() const;
};

[[noreturn]] void refuse(const Sexp& where, const std::string& why);

// The expressions of a source, which must outlive this.
class Source {
  public:
    // Throws Refusal on unbalanced parentheses and odd characters; TooLarge.
    Source(const char* name, std::string_view text, Budget& budget);
    const std::vector<const Sexp*>& roots() const { return roots_; }

  private:
    std::deque<Sexp> nodes_;
    std::vector<const Sexp*> roots_;
};

}  // namespace proviso::certcheck
