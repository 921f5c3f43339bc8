#include "tools/serve_request.h"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

#include "ir/files/limits.h"
#include "tools/batch.h"
#include "tools/check.h"

namespace proviso::tools {

using namespace ir;
using nlohmann::json;

namespace {

// A number among the options of a request, with the range that the command has.
template <typename Number>
Status read_number(const json& from, const char* key, std::uint64_t least, std::uint64_t most,
                   Number& to) {
    if (!from.contains(key)) return Unit{};
    const json& value = from[key];
    const bool fits = value.is_number_unsigned() && value.get<std::uint64_t>() >= least &&
                      value.get<std::uint64_t>() <= most;
    if (!fits) {
        return error(std::string("\"") + key + "\" must be a whole number from " +
                     std::to_string(least) + " to " + std::to_string(most));
    }
    if constexpr (std::is_same_v<Number, std::optional<std::int64_t>>) {
        to = value.get<std::int64_t>();
    } else {
        to = static_cast<Number>(value.get<std::uint64_t>());
    }
    return Unit{};
}

// A list of texts among the options of a request: an option of the command that may be repeated.
Status read_texts(const json& from, const char* key, std::vector<std::string>& to) {
    if (!from.contains(key)) return Unit{};
    const json& value = from[key];
    const bool texts =
        value.is_array() &&
        std::all_of(value.begin(), value.end(), [](const json& one) { return one.is_string(); });
    if (!texts) return error(std::string("\"") + key + "\" must be a list of texts");
    to = value.get<std::vector<std::string>>();
    return Unit{};
}

Status read_truth(const json& from, const char* key, bool& to) {
    if (!from.contains(key)) return Unit{};
    if (!from[key].is_boolean()) {
        return error(std::string("\"") + key + "\" must be true or false");
    }
    to = from[key].get<bool>();
    return Unit{};
}

Result<CheckOptions> read_options(const json& line) {
    CheckOptions o;
    if (!line.contains("options")) return o;
    const json& from = line["options"];
    if (const Status ok = only_keys(from, {"set",
                                           "tests",
                                           "seed",
                                           "sizes",
                                           "step_limit",
                                           "cell_limit",
                                           "claim_limit",
                                           "solver_limit",
                                           "solver_seconds",
                                           "solver_memory",
                                           "solver_effort",
                                           "no_proof",
                                           "params",
                                           "flat",
                                           "layouts",
                                           "licences",
                                           "float",
                                           "workspaces",
                                           "at_most",
                                           "assume_no_overflow"});
        !ok) {
        Diagnostic wrong = ok.error();
        wrong.message = "options: " + wrong.message;
        return wrong;
    }
    constexpr std::uint64_t any = std::numeric_limits<std::uint64_t>::max();
    constexpr std::uint64_t any_size = std::numeric_limits<std::int64_t>::max();
    for (const Status& read :
         {read_number(from, "tests", 0, any, o.tests), read_number(from, "seed", 0, any, o.seed),
          read_number(from, "sizes", 1, 1'000'000, o.sizes),
          read_number(from, "step_limit", 0, any, o.step_limit),
          read_number(from, "cell_limit", 0, 16'777'216, o.cell_limit),
          read_number(from, "claim_limit", 0, any, o.claim_limit),
          read_number(from, "solver_limit", 0, any, o.solver_limit),
          read_number(from, "solver_seconds", 1, 86'400, o.solver_seconds),
          read_number(from, "solver_memory", 1, 1'048'576, o.solver_memory),
          read_number(from, "solver_effort", 1, 1'000, o.solver_effort),
          read_number(from, "at_most", 0, any_size, o.at_most),
          read_truth(from, "no_proof", o.no_proof), read_truth(from, "flat", o.flat),
          read_truth(from, "assume_no_overflow", o.no_overflow),
          read_texts(from, "params", o.params), read_texts(from, "layouts", o.layouts),
          read_texts(from, "licences", o.licences), read_texts(from, "float", o.floats),
          read_texts(from, "workspaces", o.workspaces)}) {
        if (!read) return read.error();
    }
    if (!from.contains("set")) return o;
    if (!from["set"].is_object()) return error("\"set\" must be an object: name -> whole number");
    for (const auto& [name, value] : from["set"].items()) {
        if (!value.is_number_integer())
            return error("\"set\": " + name + " must be a whole number");
        o.scalars.push_back(name + "=" + value.dump());
    }
    return o;
}

}  // namespace

Result<ServeRequest> read_serve_request(const json& line) {
    if (const Status ok = only_keys(line, {"id", "function", "options", "before", "after"}); !ok)
        return ok.error();
    for (const char* key : {"before", "after"}) {
        if (!line.contains(key)) return error(std::string("there is no \"") + key + "\"");
    }
    const Result<std::string> before = text_of(line, "before");
    if (!before) return before.error();
    const Result<std::string> after = text_of(line, "after");
    if (!after) return after.error();
    const Result<std::string> function = text_of(line, "function");
    if (!function) return function.error();
    Result<CheckOptions> options = read_options(line);
    if (!options) return options.error();
    if (const Status ok = read_floats(*options); !ok) return ok.error();
    options->function = *function;
    for (const std::string* text : {&*before, &*after}) {
        if (text->size() <= limits::kProgramBytes) continue;
        return error((text == &*before ? "before" : "after") + std::string(" is larger than ") +
                     std::to_string(limits::kProgramBytes / limits::kMiB) + " MiB");
    }
    return ServeRequest{*before, *after, *std::move(options)};
}

}  // namespace proviso::tools
