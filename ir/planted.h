// Faults planted on purpose, to see that the defences notice. At the places that a build of ours
// could get wrong stands `planted("id")`. It is the constant false, but for the sources of which
// `proviso-planted` and the tests of the fuzzer have a copy with faults (PROVISO_PLANTED): there
// the planted-fault campaign turns on one fault at a time. The list is fuzz/planted/registry.cpp.
#pragma once

#include <string>

namespace proviso::ir {

// Inline namespaces, so that a function of one sort of source is never taken for that of the other.
#ifdef PROVISO_PLANTED
inline namespace with_faults {

// The fault that is on; empty: none. Set by the planted-fault campaign only, and by tests of it.
std::string& planted_fault();

inline bool planted(const char* fault) {
    const std::string& on = planted_fault();
    return !on.empty() && on == fault;
}

// Faults of the form "omit:TEXT" leave out the obligations whose purpose contains TEXT, as if a
// rule had forgotten to state them.
inline bool omitted(const std::string& purpose) {
    const std::string& on = planted_fault();
    return on.rfind("omit:", 0) == 0 && purpose.find(on.substr(5)) != std::string::npos;
}

}  // namespace with_faults
#else
inline namespace without_faults {

constexpr bool planted(const char* /*fault*/) {
    return false;
}
inline bool omitted(const std::string& /*purpose*/) {
    return false;
}

}  // namespace without_faults
#endif

}  // namespace proviso::ir
