// Reading a step's arguments (JSON) with the types that rules need. Expressions are TVMScript text
// over the names in scope at a site. Everything is checked; a mistake is a Diagnostic, never an
// exception.
#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "analysis/memory/claims.h"
#include "ir/result.h"
#include "ir/text.h"

namespace proviso::rewrite {

// Null where there is none, or `args` is no object.
const nlohmann::json* member(const nlohmann::json& args, const char* key);
Diagnostic missing(const char* key, const char* what);  // the argument must be `what`

Result<std::string> arg_string(const nlohmann::json& args, const char* key);
Result<std::int64_t> arg_int(const nlohmann::json& args, const char* key);
bool arg_flag(const nlohmann::json& args, const char* key);  // absent: false
Result<ir::Site> arg_site(const nlohmann::json& args, const char* key);
Result<std::vector<std::string>> arg_strings(const nlohmann::json& args, const char* key);
Result<ir::Expr> arg_expr(ir::Context& ctx, const nlohmann::json& args, const char* key,
                          const ir::Scope& scope, ir::ScalarType type);
// {"statement": SITE, "at": {"loop": "expr", ...}}: loops of the statement, expressions over
// `scope`.
Result<analysis::Witness> read_witness(ir::Context& ctx, const ir::Function& f,
                                       const nlohmann::json& value, const ir::Scope& scope);

// A witness, or a list of them, of which each covers its part.
Result<std::vector<analysis::Witness>> read_one_or_more(ir::Context& ctx, const ir::Function& f,
                                                        const nlohmann::json& value,
                                                        const ir::Scope& scope);

// A list of them under `key`; empty when the key is absent.
Result<std::vector<analysis::Witness>> read_witnesses(ir::Context& ctx, const ir::Function& f,
                                                      const nlohmann::json& args, const char* key,
                                                      const ir::Scope& scope);

// Claims about memory, each made at a point (a statement of `memory.function()`):
//   {"kind": "assume", "statement": SITE, "at": {...}}
//   {"kind": "binding", "statement": SITE}
//   {"kind": "invariant", "buffer": B, "indices": [...], "property": "...v...i0...",
//    "writer": WITNESSES, "coverage": {SITE: [WITNESSES, ...]}, "lemmas": {SITE: [CLAIM, ...]}}
//   {"kind": "last-write", "buffer": B, "indices": [...], "writer": WITNESS}
//   {"kind": "observed", "statement": SITE, "at": {...}, "unchanged": [B, ...]}
// WITNESSES: one, or a list. In a property, v is the value and i0, i1, .. are the cell's indices.
// "definite": true in an invariant: what is stored is definite, too.
// "point" (a site) may stand in each; the default is `at`. "when": a condition over variables; the
// claim is made, and known, where it holds. Gives the facts by point, and appends the obligations.
using FactsByPoint = std::map<ir::Site, std::vector<ir::Expr>>;
Result<FactsByPoint> read_claims(const analysis::MemoryModel& memory, const nlohmann::json& args,
                                 const ir::Site& at, const std::vector<ir::Expr>& extra,
                                 std::vector<analysis::Obligation>& obligations);

}  // namespace proviso::rewrite
