// What TVM knows and Proviso gives no meaning to: names of intrinsics, types, methods of buffers. A
// function with one of them is read, kept and printed, and refused where its meaning counts
// (OpaqueFunction in ir/text.h). A name that is not here and is near to one of ours is a mistake.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace proviso::ir {

// "T.ptx_mma", "T.while_", "I.…": documented names of TVM's script modules.
bool is_foreign_name(std::string_view dotted);
// "float32x4", "float8_e4m3fn", "handle", "void", …
bool is_foreign_type(std::string_view name);
// "vload", "access_ptr", …: what can follow the dot after a buffer.
bool is_foreign_member(std::string_view name);

}  // namespace proviso::ir
