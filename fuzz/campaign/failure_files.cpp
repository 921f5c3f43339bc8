#include "fuzz/campaign/failure_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "fuzz/oracle/gpu.h"
#include "ir/files/json_text.h"
#include "ir/files/limits.h"
#include "ir/files/read.h"
#include "ir/text.h"

namespace proviso::fuzz {

using namespace ir;
using nlohmann::json;
namespace fs = std::filesystem;

namespace {

json to_json(ScalarType type, const Value& v) {
    if (v.is_float())
        return {{"type", type.str()}, {"bits", std::bit_cast<std::uint64_t>(v.real())}};
    return {{"type", type.str()}, {"value", v.integer().str()}};
}

json to_json(const Tensor& t) {
    json states = json::array();
    for (const CellState s : t.states) states.push_back(static_cast<int>(s));
    return {{"type", t.type.str()}, {"shape", t.shape}, {"bits", t.bits}, {"states", states}};
}

// The value of an enumeration whose values are 0 to `last`; throws what json::at() throws.
template <typename Enum>
Enum enum_from(const json& number, Enum last) {
    const int value = number.get<int>();
    if (value >= 0 && value <= static_cast<int>(last)) return static_cast<Enum>(value);
    throw json::other_error::create(501, "there is no choice " + std::to_string(value), nullptr);
}

Result<Input> input_from(const json& j) {
    const auto type = ScalarType::parse(j.value("type", ""));
    if (!type) return error("an input without a type");
    if (!j.contains("shape")) {
        if (j.contains("bits")) {
            return Input(Value::of_float(std::bit_cast<double>(j["bits"].get<std::uint64_t>())));
        }
        const auto number = Integer::parse(j.value("value", ""));
        if (!number) return error("a scalar input without a value");
        return Input(Value::of_int(*number));
    }
    Tensor t{*type,
             j["shape"].get<std::vector<std::int64_t>>(),
             j.at("bits").get<std::vector<std::uint64_t>>(),
             {}};
    for (const json& s : j.at("states")) {
        t.states.push_back(enum_from(s, CellState::Inaccessible));
    }
    const bool negative =
        std::any_of(t.shape.begin(), t.shape.end(), [](std::int64_t n) { return n < 0; });
    if (negative || t.shape.size() > limits::kTensorRank || t.bits.size() != cell_count(t.shape) ||
        t.states.size() != t.bits.size()) {
        return error("a tensor of another size than its shape");
    }
    return Input(std::move(t));
}

json setup_json(const RunSetup& s) {
    return {{"style", static_cast<int>(s.style)},
            {"open", static_cast<int>(s.open)},
            {"order", static_cast<int>(s.order)},
            {"seed", s.seed},
            {"optimise", s.optimise},
            {"series", s.series},
            {"number", s.number}};
}

RunSetup setup_from(const json& j) {
    RunSetup out;
    out.style = enum_from(j.value("style", json(0)), InputStyle::AnyExponent);
    out.open = enum_from(j.value("open", json(0)), verify::OpenCells::Garbage);
    out.order = enum_from(j.value("order", json(0)), IterationOrder::Shuffled);
    out.seed = j.value("seed", std::uint64_t{0});
    out.optimise = j.value("optimise", false);
    out.series = j.value("series", std::uint64_t{0});
    out.number = j.value("number", std::uint64_t{0});
    return out;
}

json failure_json(const Failure& failure) {
    const Finding& finding = failure.finding;
    json out = {{"oracle", finding.oracle},
                {"signature", finding.signature},
                {"setup", setup_json(finding.setup)},
                {"inputs", json::object()}};
    const std::vector<Expr> scalars = failure.source.scalar_params();
    for (const auto& [name, input] : finding.inputs) {
        if (const Tensor* t = std::get_if<Tensor>(&input)) {
            out["inputs"][name] = to_json(*t);
            continue;
        }
        ScalarType type = kInt32;
        for (Expr v : scalars) {
            if (*v->name == name) type = v->type;
        }
        out["inputs"][name] = to_json(type, std::get<Value>(input));
    }
    return out;
}

std::string steps_text(const std::vector<StepGuess>& steps) {
    std::string out;
    for (const StepGuess& s : steps) {
        const json args = json::parse(s.args, nullptr, false);
        out += json{{"rule", s.rule}, {"site", s.site.str()}, {"args", args}}.dump() + "\n";
    }
    return out;
}

std::string report(Context& ctx, const Failure& failure, analysis::Prover& prover) {
    const Finding& f = failure.finding;
    std::string out = fmt::format("# {}: {}\n\n{}\n\n", f.oracle, f.signature, f.detail);
    if (!f.inputs.empty()) {
        out += fmt::format("Inputs (number {} of the case): {}\n\n", f.setup.number,
                           verify::describe(f.inputs));
    }
    out += "## Source\n\n```python\n" + print(failure.source) + "```\n\n";
    if (!failure.steps.empty()) {
        out += "## Steps\n\n```json\n" + steps_text(failure.steps) + "```\n\n";
    }
    const bool lowered = f.oracle == "cpu" || !tier_of(f.oracle).empty();
    if (lowered || f.oracle == "refinement") {
        const Result<Played> played = play(ctx, failure.source, failure.steps, prover);
        if (played) {
            const Function& after = lowered ? played->lowered : played->derived;
            out += "## Derived\n\n```python\n" + print(after) + "```\n\n";
        }
    }
    return out + "## Again\n\n```sh\nproviso fuzz --reproduce DIR   # this folder\n```\n";
}

Status write_text(const fs::path& path, const std::string& text) {
    std::ofstream out(path, std::ios::binary);
    out << text;
    out.close();
    if (!out) return error("cannot write " + path.string());
    return Unit{};
}

Result<std::string> read_text(const fs::path& path) {
    return read_file(path.string(), limits::kCaseBytes);
}

}  // namespace

std::map<std::string, std::string> failure_texts(Context& ctx, const Failure& failure,
                                                 analysis::Prover& prover) {
    std::map<std::string, std::string> out = {{"program.py", print(failure.source)},
                                              {"steps.jsonl", steps_text(failure.steps)},
                                              {"inputs.json", failure_json(failure).dump(1) + "\n"},
                                              {"report.md", report(ctx, failure, prover)}};
    if (!failure.schedule.empty()) out["schedule.py"] = failure.schedule;
    return out;
}

Status write_failure(Context& ctx, const std::string& folder, const Failure& failure,
                     analysis::Prover& prover) {
    std::error_code failed;
    fs::create_directories(folder, failed);
    if (failed) return error("cannot make " + folder + ": " + failed.message());
    const fs::path dir(folder);
    for (const auto& [name, text] : failure_texts(ctx, failure, prover)) {
        Status ok = write_text(dir / name, text);
        if (!ok) return ok;
    }
    return Unit{};
}

Result<Failure> read_failure(Context& ctx, const std::string& path) {
    std::error_code failed;
    if (!fs::exists(path, failed)) {
        return error("there is no " + path, "name the folder of a saved failure");
    }
    const fs::path dir =
        fs::is_directory(path, failed) ? fs::path(path) : fs::path(path).parent_path();
    Failure out;
    const Result<std::string> program = read_text(dir / "program.py");
    if (!program) return program.error();
    const Result<Function> source = parse_function(ctx, *program, (dir / "program.py").string());
    if (!source) return source.error();
    out.source = *source;
    const Result<std::string> steps = read_text(dir / "steps.jsonl");
    if (!steps) return steps.error();
    std::istringstream lines(*steps);
    for (std::string line; std::getline(lines, line);) {
        const json j = parse_json(line);
        if (!j.is_object()) return error("steps.jsonl: a line is no JSON object");
        try {
            const Result<Site> site = Site::parse(j.value("site", ""));
            if (!site) return site.error();
            out.steps.push_back(
                StepGuess{j.value("rule", ""), *site, j.value("args", json::object()).dump()});
        } catch (const json::exception& e) {
            return error(std::string("steps.jsonl: ") + e.what());
        }
    }
    const Result<std::string> text = read_text(dir / "inputs.json");
    if (!text) return text.error();
    const json j = parse_json(*text);
    if (!j.is_object() || !j.contains("inputs")) return error("inputs.json is not as written");
    try {
        out.finding.oracle = j.value("oracle", "");
        out.finding.signature = j.value("signature", "");
        out.finding.setup = setup_from(j.at("setup"));
        for (const auto& [name, input] : j["inputs"].items()) {
            Result<Input> value = input_from(input);
            if (!value) return value.error();
            out.finding.inputs[name] = std::move(value).value();
        }
    } catch (const json::exception& e) {  // a number or list where something else stands
        return error(std::string("inputs.json: ") + e.what());
    }
    return out;
}

}  // namespace proviso::fuzz
