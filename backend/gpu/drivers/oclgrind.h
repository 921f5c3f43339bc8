// Oclgrind (https://github.com/jrprice/Oclgrind), a simulator of OpenCL devices that looks for data
// races and for reads of memory that nobody has written, run on a program from outside.
#pragma once

#include <string>
#include <vector>

#include "ir/result.h"

namespace proviso::backend::gpu {

// Whether it can run this program. It cannot run one that was built with the address sanitizer,
// whose run time has to be loaded before any other library.
bool has_oclgrind();

// Runs `command` (a program and its arguments) with Oclgrind as its OpenCL, and gives what Oclgrind
// complained about: empty when it had nothing to say. Fails when there is no Oclgrind, or when the
// command ends with another code than 0 and no complaint explains it. `uninitialised`: complain
// about reads of memory that was not written, too.
Result<std::string> under_oclgrind(const std::vector<std::string>& command, bool uninitialised);

}  // namespace proviso::backend::gpu
