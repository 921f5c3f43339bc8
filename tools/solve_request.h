// What `proviso solve` is asked: read from the command line or from a line of JSON, with errors
// that say where and what would help.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>
#include <vector>

#include "analysis/solve/index_map.h"
#include "tools/batch.h"
#include "tools/commands.h"

namespace proviso::tools {

struct SolveRequest {
    std::string form;      // bounds, project, invert, set
    std::string text;      // the condition, the map, or the expressions
    std::string variable;  // bounds, project
    std::vector<std::pair<std::string, std::string>> vars;  // name, type
    std::vector<std::string> given;
    std::vector<std::pair<std::string, std::string>> extents;  // name, extent
    std::vector<std::string> shape;

    bool has_domain() const { return form == "invert" || form == "set"; }
};

Result<SolveRequest> read_solve_request(const nlohmann::json& line);
Result<SolveRequest> read_solve_request(const SolveOptions& options);
// Whether the request makes sense before anything in it is read as an expression.
Status check_solve_request(const SolveRequest& request);

// A request with its expressions.
struct SolveQuestion {
    Question names;                 // declared names and facts
    ir::Expr variable = nullptr;    // bounds, project
    ir::Expr condition = nullptr;   // bounds, project
    analysis::solve::IndexMap map;  // invert, set: the expressions are its results
    std::vector<ir::Expr> shape;
    std::vector<std::string> result_names;  // p0, p1, ..: names that nothing else has; of a set v
};
Result<SolveQuestion> read_solve_question(ir::Context& ctx, const SolveRequest& request);

}  // namespace proviso::tools
