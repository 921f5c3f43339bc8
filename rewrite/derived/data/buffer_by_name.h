// The parameter or the allocated buffer of a name.
#pragma once

#include <string>

#include "ir/function.h"

namespace proviso::rewrite {

ir::Buffer buffer_by_name(const ir::Function& f, const std::string& name);  // null: there is none

}  // namespace proviso::rewrite
