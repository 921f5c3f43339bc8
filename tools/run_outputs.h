// What `proviso run` says of the buffers that a function stores to.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "ir/interp/interpreter.h"

namespace proviso::tools {

// "undefined": cells of results that hold no value by the program's meaning. Of compiled code, any
// value in them is right.
void undefined_cells(const ir::Function& f, const ir::Tensors& tensors, nlohmann::json& out);

// What `undefined_cells` told, as words: "; A[0] is undefined, …".
std::string undefined_text(const nlohmann::json& told);

// What was stored to, as text in row-major order, so that NaN and -0.0 survive; null for a cell
// that may not be touched.
nlohmann::json outputs_json(const ir::Function& f, const ir::Tensors& tensors);

}  // namespace proviso::tools
