#include "ir/text/keywords.h"

#include <algorithm>
#include <array>

namespace proviso::ir::python {

bool is_keyword(std::string_view word) {
    static constexpr std::array<std::string_view, 35> words = {
        "False", "None",     "True",  "and",    "as",   "assert", "async",  "await",    "break",
        "class", "continue", "def",   "del",    "elif", "else",   "except", "finally",  "for",
        "from",  "global",   "if",    "import", "in",   "is",     "lambda", "nonlocal", "not",
        "or",    "pass",     "raise", "return", "try",  "while",  "with",   "yield"};
    return std::find(words.begin(), words.end(), word) != words.end();
}

}  // namespace proviso::ir::python
