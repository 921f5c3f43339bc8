// Attributes: what a function, a loop, a block or an allocation is annotated with. They are kept
// and printed. Only those that function.h names have a meaning.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <variant>
#include <vector>

namespace proviso::ir {

// A value in canonical TVMScript that is none of the other kinds, such as `T.target("llvm")` or
// `None`. It mentions no name of the program.
struct AttrText {
    std::string text;
    bool operator==(const AttrText&) const = default;
};

// An attribute's value, as TVMScript writes it: numbers, strings, booleans, lists, dictionaries.
struct AttrValue {
    using List = std::vector<AttrValue>;
    using Dict = std::map<std::string, AttrValue>;
    std::variant<std::int64_t, double, bool, std::string, List, Dict, AttrText> value;
    bool operator==(const AttrValue&) const = default;
};

// Attributes of a loop, a block or an allocation. They speak to other compilers: no rule, no back
// end and no run looks at them, and a rewrite of the statement may drop them.
using Annotations = AttrValue::Dict;

}  // namespace proviso::ir
