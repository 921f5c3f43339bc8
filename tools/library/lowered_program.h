// A program that was scheduled and lowered, kept in memory for a caller in this process: what
// `lower`, `run` and `bounds` do with files, and nothing is printed. Objects may be used by several
// threads; call on a deep stack (ir/deep_stack.h).
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "backend/host_value.h"
#include "ir/result.h"
#include "tools/commands.h"

namespace proviso::tools {

// A program and a schedule as texts. `options.program` and `options.schedule` are what messages
// call them; of the others those count that say how to schedule and lower.
struct LoweringRequest {
    LowerOptions options;
    std::string program;
    std::optional<std::string> schedule;
};

// Why there is no result, as JSON: {"verdict", "diagnostic", …} as `lower --json` says it, with
// "verdict": "ERROR" for input that is wrong, and "source_line", the line that the diagnostic's
// column points into, where it is known. What the schedule has printed until then is "shown".
struct Failure {
    std::string told;
};

// What `bounds --json` gives of the program as the schedule leaves it; `sizes`: NAME=VALUE.
std::variant<nlohmann::json, Failure> bounds_answer(const LoweringRequest& request,
                                                    const std::vector<std::string>& sizes);

// What the schedule's print() calls and the like show; nothing is lowered.
std::variant<std::string, Failure> shown_by(const LoweringRequest& request);

// A buffer parameter of the source at given sizes.
struct ParameterShape {
    std::string name;
    ir::ScalarType type;
    std::vector<std::int64_t> shape;
    bool stored = false;  // the function stores to it
};

class LoweredProgram {
  public:
    static std::variant<std::unique_ptr<LoweredProgram>, Failure> lower(LoweringRequest request);
    ~LoweredProgram();
    LoweredProgram(const LoweredProgram&) = delete;
    LoweredProgram& operator=(const LoweredProgram&) = delete;

    std::string text() const;
    std::string source_text() const;
    std::string adapters_text();
    // For a GPU: the kernels' text; for the CPU LLVM's intermediate representation.
    Result<std::string> code();
    Result<std::string> header();
    // Steps, obligations, what each call of the schedule did, what a caller owes, warnings.
    nlohmann::json report() const;
    // What each step changes in the text: [{"line": of the text before it, from 1, "removed": lines
    // from there on, "added": whole lines in their place}] a step.
    nlohmann::json edits() const;

    // The log that `lower --log` writes; where, as there.
    Status write_log(const std::string& path);
    // The shared library that `lower --emit so` writes, with the conversions of `--emit adapters`.
    Status shared_library(const std::string& path, bool with_adapters);

    // The buffer parameters of the source where the arguments have these shapes and the scalars,
    // NAME=VALUE, these values.
    using Shapes = std::map<std::string, std::vector<std::int64_t>>;
    Result<std::vector<ParameterShape>> parameters(const Shapes& shapes,
                                                   const std::vector<std::string>& scalars);
    // Runs machine code on memory of the source's shapes, by name, all of them there; parameters
    // with another layout are converted, and back. `guarded`: code that checks its accesses and
    // divisions. Fails, too, where the program stops.
    using Views = std::map<std::string, backend::HostView>;
    Status run(const Views& buffers, const std::vector<std::string>& scalars, bool guarded);

  private:
    struct State;
    explicit LoweredProgram(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

}  // namespace proviso::tools
