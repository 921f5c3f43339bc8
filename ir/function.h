// Functions and modules: what a file holds, and what a derivation starts from.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "ir/stmt.h"

namespace proviso::ir {

using Param = std::variant<Buffer, Expr>;  // a buffer, or a scalar variable (Op::Var)
const std::string& param_name(const Param& p);

// Attribute names that Proviso gives a meaning to; all others are kept and printed.
//   "tir_var_lower_bound", "tir_var_upper_bound": Dict from scalar parameter to inclusive bound
//   (size variables) "proviso.licences": List of strings: "finite(A)", "no_signed_zero",
//   "reassociate"
inline constexpr const char* kLowerBoundAttr = "tir_var_lower_bound";
inline constexpr const char* kUpperBoundAttr = "tir_var_upper_bound";
inline constexpr const char* kLicencesAttr = "proviso.licences";

// Names of binders (loop variables, lets, block iterators, allocations, parameters) are pairwise
// different within a function; the reader renames where a file reuses one. So a name identifies its
// binder, and no rewrite can capture.
struct Function {
    std::string name;
    std::vector<Param> params;
    std::map<std::string, AttrValue> attrs;
    Stmt body = nullptr;
    bool operator==(const Function&) const = default;

    std::vector<Buffer> buffer_params() const;
    std::vector<Expr> scalar_params() const;
    Buffer find_buffer_param(const std::string& buffer_name) const;  // null when absent
    // Declared bounds of a scalar parameter, inclusive.
    std::optional<std::int64_t> lower_bound(const std::string& param) const;
    std::optional<std::int64_t> upper_bound(const std::string& param) const;
    // Licences granted: "no_signed_zero", "reassociate", "contract", "finite(A)".
    std::vector<std::string> licences() const;
    bool has_licence(const std::string& licence) const;
};

struct Module {
    std::vector<Function> functions;
    const Function* find(const std::string& function_name) const;
    bool operator==(const Module&) const = default;
};

}  // namespace proviso::ir
