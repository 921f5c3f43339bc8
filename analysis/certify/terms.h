// The canonical SMT-LIB 2 text as a hash-consed DAG. Definitions are expanded by reference, macros
// by substitution; nothing is expanded twice.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "analysis/certify/number.h"

namespace proviso::analysis::certificate {

// What ends the search with a reason: text that is not understood, or deeper than the limit.
struct Unreadable {
    std::string why;
};

using TermId = std::uint32_t;
enum class Sort : std::uint8_t { Int, Bool, Other };

enum class Op : std::uint8_t {
    Numeral,
    True,
    False,
    And,
    Or,
    Not,
    Implies,
    Xor,
    Equal,
    Distinct,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Ite,
    Add,
    Subtract,
    Multiply,
    Div,
    Mod,
    Abs,
    Other,  // declared names, functions of other theories, constants of other sorts
};

struct Term {
    Op op = Op::Other;
    Sort sort = Sort::Other;
    std::uint32_t symbol = 0;  // Other: index of its text
    Int128 value = 0;          // Numeral
    std::vector<TermId> args;
    std::uint32_t uses = 0;
};

class Terms {
  public:
    // Throws Unreadable or Overflow.
    explicit Terms(std::string_view text);

    const Term& at(TermId id) const { return terms_[id]; }
    std::size_t size() const { return terms_.size(); }
    const std::vector<TermId>& assertions() const { return assertions_; }
    const std::string& symbol(const Term& t) const { return symbols_[t.symbol]; }
    // SMT-LIB text over the names of the input; linear where the input is.
    std::string text(TermId id) const;
    // The same without a name for the whole.
    std::string spelled_out(TermId id) const;

    using Names = std::unordered_map<std::string_view, TermId>;
    // The formula of a text that outlives this, over these names and no macros.
    TermId formula(std::string_view text, const Names& names);
    TermId numeral(Int128 value);
    TermId application(std::string_view function, Sort sort, TermId argument);
    // The sort of a declared function's results, as the text has it; empty for a name of a theory.
    std::string_view declared_sort(const Term& t) const;

  private:
    // An s-expression: a word, or a list of them.
    struct Sexp {
        std::string_view word;
        std::vector<std::uint32_t> items;
        bool is_list = false;
    };
    struct Macro {
        std::vector<std::string_view> parameters;
        std::uint32_t body = 0;
    };

    void read(std::string_view text);
    void command(const Sexp& s);
    TermId build(std::uint32_t sexp, const Names* parameters, int depth);
    TermId build_word(std::string_view word, const Names* parameters);
    TermId make(Term term);
    std::uint32_t intern(std::string_view text);
    std::string flat(std::uint32_t sexp) const;
    static Sort sort_of(std::string_view text);
    void write(TermId id, std::string& out, int depth) const;
    void write_spelled_out(TermId id, std::string& out, int depth) const;

    std::vector<Sexp> sexps_;
    std::vector<Term> terms_;
    std::unordered_map<std::string, TermId> known_;
    std::vector<std::string> symbols_;
    std::unordered_map<std::string, std::uint32_t> symbol_ids_;
    std::unordered_map<std::string, Sort> result_sort_;        // of declared functions
    std::unordered_map<std::string, std::string> other_sort_;  // where neither Int nor Bool
    Names names_;  // declared constants, 0-ary definitions
    std::unordered_map<std::string_view, Macro> macros_;
    std::unordered_map<TermId, std::string_view> name_of_;
    std::vector<TermId> assertions_;
};

}  // namespace proviso::analysis::certificate
