// Blocks in whose place code calls a C function. In a program such a block means what every block
// means, its body: no rule, no run and no proof looks at the annotation. That the function does
// what the body says is an axiom of whoever runs the code (verify/log/duties.h).
#pragma once

#include "ir/stmt.h"

namespace proviso::ir {

// A dictionary: "symbol", "result", "arguments", "description" (analysis/external/).
inline constexpr const char* kExternAttr = "proviso.extern";

inline bool calls_external(const Block& block) {
    return block.annotations.count(kExternAttr) != 0;
}

// The C function's name; empty where the annotation does not name one.
inline std::string external_symbol(const Block& block) {
    const auto found = block.annotations.find(kExternAttr);
    if (found == block.annotations.end()) return {};
    const auto* dict = std::get_if<AttrValue::Dict>(&found->second.value);
    const auto symbol = dict == nullptr ? AttrValue::Dict::const_iterator{} : dict->find("symbol");
    if (dict == nullptr || symbol == dict->end()) return {};
    const auto* text = std::get_if<std::string>(&symbol->second.value);
    return text == nullptr ? std::string() : *text;
}

}  // namespace proviso::ir
