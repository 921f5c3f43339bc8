// Scopes of buffers, as back ends for GPUs and the names of buffers know them (well_formed.h).
#pragma once

#include <string>

namespace proviso::ir {

inline bool is_shared_scope(const std::string& scope) {
    return scope == "shared" || scope == "shared.dyn";
}

// As a part of a name: "shared_dyn".
inline std::string scope_as_name(const std::string& scope) {
    std::string out = scope;
    for (char& c : out) {
        const bool part =
            (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        if (!part) c = '_';
    }
    return out;
}

}  // namespace proviso::ir
