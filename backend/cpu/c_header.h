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
    bool guarded = false;  // CpuOptions::guarded: more codes than those of the asserts
};

// Declarations with their documentation: parameters, shapes (elements, row-major), bounds of sizes,
// contract lines, and what each returned code means. Usable from C99 and C++. Fails on parameter
// names that are not C identifiers.
Result<std::string> c_header(const std::vector<ir::Function>& functions, const HeaderNotes& notes);

}  // namespace proviso::backend
