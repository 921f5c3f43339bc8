#include "tools/log/open.h"

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>

#include "ir/files/json_text.h"
#include "verify/log/edits.h"
#include "verify/log/format.h"
#include "verify/log/record.h"

namespace proviso::tools {

using nlohmann::json;

namespace {

constexpr std::size_t kToldProblems = 5;

Diagnostic broken(const std::string& path, const std::vector<verify::Problem>& problems) {
    const verify::Problem& first = problems.front();
    Diagnostic out =
        error(first.file == path ? first.str() : path + " is no whole proof log: " + first.str(),
              "`proviso audit " + path + "` tells what is wrong with it");
    for (std::size_t k = 1; k < std::min(problems.size(), kToldProblems); ++k) {
        out.notes.push_back(problems[k].str());
    }
    if (problems.size() > kToldProblems) {
        out.notes.push_back("and " + std::to_string(problems.size() - kToldProblems) + " more");
    }
    return out;
}

}  // namespace

Result<verify::Bundle> open_log(const std::string& path) {
    verify::Bundle out = verify::read_bundle(path);
    if (!out.problems.empty()) return broken(path, out.problems);
    return out;
}

Result<verify::Rederived> derivation_of(ir::Context& ctx, verify::Bundle& log,
                                        const std::string& path) {
    std::optional<verify::Rederived> out = verify::rederive(ctx, log);
    if (!log.problems.empty()) return broken(path, log.problems);
    if (!out) return error(path + " cannot be derived again");
    return *std::move(out);
}

Result<std::string> program_after(const verify::Bundle& log, std::size_t step) {
    const json& predicate = (*log.run)["predicate"];
    const json input = predicate.value("input", json());
    const auto source = log.objects.find(verify::digest_hex(text_in(input, "digest")));
    if (source == log.objects.end()) {
        return error("the log names a source program that is not among its objects");
    }
    std::string text = source->second;
    for (std::size_t k = 1; k <= step; ++k) {
        const json line = step_of(log, k);
        const auto edits = verify::logged_edits(line);
        std::optional<std::string> after;
        if (edits) after = verify::apply_edits(text, *edits);
        if (!after || verify::digest(*after) != text_in(line, "after")) {
            return error("steps.jsonl:" + std::to_string(k) +
                         ": its edits do not give the program that it names");
        }
        text = *std::move(after);
    }
    return text;
}

json step_of(const verify::Bundle& log, std::size_t number) {
    return ir::parse_json(log.steps.at(number - 1));
}

std::string text_in(const json& object, const char* key) {
    const auto it = object.is_object() ? object.find(key) : object.end();
    return it != object.end() && it->is_string() ? it->get<std::string>() : std::string();
}

std::string step_title(std::size_t number, const json& step) {
    return "step " + std::to_string(number) + ": " + text_in(step, "rule") + " at " +
           text_in(step, "site");
}

std::optional<std::size_t> number_in(const std::string& text) {
    std::size_t n = 0;
    const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), n);
    const bool whole = failed == std::errc() && end == text.data() + text.size();
    return whole && !text.empty() ? std::optional(n) : std::nullopt;
}

}  // namespace proviso::tools
