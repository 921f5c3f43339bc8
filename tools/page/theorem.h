// A theorem in words, as HTML that needs no script.
#pragma once

#include <string>
#include <vector>

#include "verify/harness/has_input.h"
#include "verify/log/duties.h"

namespace proviso::tools {

struct Theorem {
    std::string function;
    std::string source;  // hashes
    std::string final;
    verify::Duties duties;
    verify::InputSearch inputs;
};

std::string theorem_html(const Theorem& theorem);

// "<ul>" of texts with a class; empty where there are none.
std::string list_html(const char* style, const std::vector<std::string>& items);
// A fact of the summary: "12" "steps".
std::string count_html(std::size_t n, const char* what, const char* style = "");

}  // namespace proviso::tools
