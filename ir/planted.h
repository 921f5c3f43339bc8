// Faults planted on purpose, to see that the defences notice: at the places that a build of ours
// could get wrong stands `planted("id")`, false unless the planted-fault campaign turned that one
// fault on. One fault at a time; the list of them is fuzz/planted/registry.cpp.
#pragma once

#include <string>

namespace proviso::ir {

// The fault that is on; empty: none. Set by the planted-fault campaign only, and by tests of it.
std::string& planted_fault();

inline bool planted(const char* fault) {
    const std::string& on = planted_fault();
    return !on.empty() && on == fault;
}

}  // namespace proviso::ir
