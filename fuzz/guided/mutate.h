// Programs and schedules changed as text: numbers, operators, names, types and lines. What comes
// out need not be a program; whoever reads it says so.
#pragma once

#include <string>
#include <vector>

#include "fuzz/gen/choice.h"

namespace proviso::fuzz {

// One change.
std::string mutated_program(const std::string& text, Choice& choice);

// One change. `others`: schedules of which lines may be taken over.
std::string mutated_schedule(const std::string& text, const std::vector<std::string>& others,
                             Choice& choice);

// A text in parts that are changed as a whole; together they are the text.
struct TextPart {
    enum class Kind : std::uint8_t { Number, Word, Quoted, Other };
    Kind kind = Kind::Other;
    std::string text;
};
std::vector<TextPart> parts_of(const std::string& text);

}  // namespace proviso::fuzz
