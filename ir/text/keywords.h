// Words of Python that name nothing.
#pragma once

#include <string_view>

namespace proviso::ir::python {

// "for", "None", …: no name of anything.
bool is_keyword(std::string_view word);

}  // namespace proviso::ir::python
