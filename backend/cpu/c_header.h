// The C header that goes with an emitted object or library.
#pragma once

#include <string>
#include <vector>

#include "backend/cpu/options.h"
#include "ir/function.h"
#include "ir/result.h"

namespace proviso::backend {

// What the header says beyond the functions themselves.
struct HeaderNotes {
    // Lines on the contract that the caller keeps (layouts, padding, assumptions), copied into the
    // comment of each function of that name, in order.
    std::vector<std::pair<std::string, std::string>> contract;  // function name, one line
    Symbols symbols = {};
    bool guarded = false;    // CpuOptions::guarded: more codes than those of the asserts
    Prepared prepared = {};  // CpuOptions::prepared
    std::vector<PreparedEntries> in_two_parts = {};  // what that comes to (backend.cpp makes it)
    std::string cpu = {};  // what the code is for (emitted_for); empty: nothing is said of it
};

// Declarations with their documentation: parameters, shapes (elements, row-major), bounds of sizes,
// contract lines, and what each returned code means. Usable from C99 and C++. Parameters are called
// what c_parameter_names (c_names.h) gives; fails where that does.
Result<std::string> c_header(const std::vector<ir::Function>& functions, const HeaderNotes& notes);

// What the text for a GPU is.
struct DeviceText {
    bool launcher = false;  // ends in a function that launches the kernels (CUDA)
    bool wide = false;      // accesses of several cells at once
};
// The comment at the top of such a text, which has no header: the function, its parameters in
// order, the contract's lines, and what the launcher returns.
std::string device_comment(const ir::Function& f, const std::string& symbol,
                           const std::vector<std::string>& contract, const DeviceText& text);

}  // namespace proviso::backend
