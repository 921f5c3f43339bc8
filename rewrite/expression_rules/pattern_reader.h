// From a rule's text to patterns. What nearly all texts consist of is read straight from the
// characters, in a hundredth of the time that a syntax tree takes: a process reads some thousand
// texts before its first expression. Everything else is left to the reader of programs.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "ir/context.h"
#include "ir/result.h"

namespace proviso::rewrite {

// What pattern variables stand for is kept by slot: x y z w, p q r, c0 .. c4.
inline constexpr int kTermSlots = 7;
inline constexpr int kConstantSlots = 5;
inline constexpr int kSlots = kTermSlots + kConstantSlots;

const char* slot_name(int slot);
// Its variable in patterns of the kind: p q r are bool, the others are of the kind.
ir::Expr pattern_var(ir::Context& ctx, int slot, ir::ScalarType kind);

// One expression over the pattern variables and the words KIND, WIDE, KIND_MIN and KIND_MAX, read
// as ir::parse_expr reads expressions. `file` is for messages.
Result<ir::Expr> parse_pattern(ir::Context& ctx, std::string_view text, ir::ScalarType kind,
                               std::optional<ir::ScalarType> expected, const std::string& file);

// Reads many texts of one kind into one context. Knows the variables, True and False, decimal
// integers beside something that has a type, and the operators of integers and bools.
class PatternReader {
  public:
    PatternReader(ir::Context& ctx, ir::ScalarType kind) : ctx_(ctx), kind_(kind) {}

    // What parse_pattern gives, or null where this reader does not know the text: parse_pattern
    // may, or says what is wrong with it.
    ir::Expr read(std::string_view text, std::optional<ir::ScalarType> expected);

  private:
    // An expression, or an integer whose type comes from where it stands; neither: not known.
    struct Part {
        ir::Expr expr = nullptr;
        bool is_number = false;
        bool is_digits = false;  // as written: no sign, no brackets
        ir::Int128 number = 0;

        explicit operator bool() const { return expr != nullptr || is_number; }
    };
    struct Operator {
        ir::Op op = ir::Op::Add;
        int strength = 0;  // 0: there is none here
        bool swap = false;
        std::size_t length = 0;
    };

    Part logic(ir::Op op);
    Part negation();
    Part comparison();
    Part binary(int least);
    Part unary();
    Part atom();
    Part digits();
    Part call();
    Part cast();
    Part variable(std::string_view word);

    Operator operator_here() const;
    Part apply(ir::Op op, Part a, Part b);
    bool pair(Part& a, Part& b);
    ir::Expr literal(ir::Int128 value, ir::ScalarType type);

    void skip_blanks();
    bool take(char c);  // after blanks
    bool take_word(std::string_view word);
    std::string_view word_here() const;

    ir::Context& ctx_;
    ir::ScalarType kind_;
    std::array<ir::Expr, kSlots> vars_{};
    std::string_view text_;
    std::size_t at_ = 0;
    int depth_ = 0;
};

}  // namespace proviso::rewrite
