// What a terminal is given: colours where they are wanted, and no commands that a file brings
// along.
#pragma once

#include <string>
#include <vector>

namespace proviso::tools {

// Words of --color.
const std::vector<std::string>& color_words();  // auto, always, never
// auto: standard output is a terminal that shows colours, and NO_COLOR is not set (no-color.org).
bool use_color(const std::string& when);

enum class Style { Plain, Bold, Dim, Red, Green, Cyan };
// The text in that style; as it is where colours are not used.
std::string styled(const std::string& text, Style style, bool color);

// A unified diff with its lines in colours.
std::string colored_diff(const std::string& diff, bool color);

// Control characters but line feeds and tabs as "\x1b", and those of Unicode that end lines or turn
// the direction of a text: what comes from a file does not command the terminal.
std::string visible(const std::string& text);
// The same in one line.
std::string visible_line(const std::string& text);

}  // namespace proviso::tools
