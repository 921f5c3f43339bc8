// What a function says of parameters with strides, which are read as flat memory.
#pragma once

namespace proviso::ir {

// An attribute of a function, for people: what the caller's tensor looks like, by the name of the
// parameter, as {"A": "(8, 8), strides (16, 1)"}. It has no meaning.
inline constexpr const char* kStridesAttr = "proviso.strides";

}  // namespace proviso::ir
