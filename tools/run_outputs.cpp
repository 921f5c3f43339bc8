#include "tools/run_outputs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

#include "analysis/facts/path.h"

namespace proviso::tools {

using namespace ir;
using nlohmann::json;

void undefined_cells(const Function& f, const Tensors& tensors, json& out) {
    constexpr std::size_t most_named = 4;
    std::size_t count = 0;
    json named = json::array();
    for (Buffer b : f.buffer_params()) {
        if (!analysis::stores_to(f.body, b)) continue;
        const Tensor& t = tensors.at(b->name);
        for (std::size_t k = 0; k < t.size(); ++k) {
            if (t.states[k] != CellState::Indet || ++count > most_named) continue;
            named.push_back(fmt::format("{}[{}]", b->name, fmt::join(t.indices(k), ", ")));
        }
    }
    if (count > 0) out["undefined"] = {{"cells", count}, {"first", named}};
}

std::string undefined_text(const json& told) {
    std::string names;
    for (const json& name : told["first"]) {
        names += (names.empty() ? "" : ", ") + name.get<std::string>();
    }
    const std::size_t count = told["cells"].get<std::size_t>();
    const std::size_t more = count - told["first"].size();
    if (more > 0) names += fmt::format(" and {} more", more);
    return fmt::format(
        ", where the interpreter has values: {} {} undefined, and {} may hold "
        "any",
        names, count == 1 ? "is" : "are", count == 1 ? "it" : "they");
}

json outputs_json(const Function& f, const Tensors& tensors) {
    json all = json::object();
    for (Buffer b : f.buffer_params()) {
        if (!analysis::stores_to(f.body, b)) continue;
        const Tensor& t = tensors.at(b->name);
        json values = json::array();
        for (std::size_t k = 0; k < t.size(); ++k) {
            if (t.states[k] == CellState::Inaccessible) {
                values.push_back(nullptr);
            } else {
                values.push_back(t.at(k).str(t.type));
            }
        }
        all[b->name] = {{"dtype", t.type.str()}, {"shape", t.shape}, {"values", values}};
    }
    return all;
}

}  // namespace proviso::tools
