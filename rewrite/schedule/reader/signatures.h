// The schedule primitives as a schedule's text calls them: names, arguments, and an example of each
// for hints.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace proviso::rewrite {

struct Signature {
    std::string_view name;
    std::string_view arguments;  // by name, in order; after "...", which is any number
    std::string_view usage;      // without the schedule object: "get_loops(block)"
    bool query = false;          // asks, and changes nothing
};

const std::vector<Signature>& signatures();
const Signature* find_signature(std::string_view name);  // null: there is none
std::vector<std::string> primitive_names();              // sorted
std::string primitive_list();                            // "there are: assume, bind, …"

// What comes near to a primitive of TVM that there is none of here; empty: nothing does.
std::string composition_for(std::string_view name);

// What the primitive takes, for a refusal of a call whose form is as it should be.
std::string what_it_takes(std::string_view name);

// The arguments by name; empty for "...".
std::vector<std::string> argument_names(const Signature& s);

}  // namespace proviso::rewrite
