#include "tools/log/contents.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "ir/files/json_text.h"
#include "tools/log/open.h"
#include "verify/log/format.h"

namespace proviso::tools {

using nlohmann::json;

namespace {

// Hex of the objects that a word names.
std::map<std::string, std::string> named_objects(const verify::Bundle& log) {
    const json& predicate = (*log.run)["predicate"];
    std::map<std::string, std::string> out = {
        {"source", text_in(predicate.value("input", json()), "digest")},
        {"final", text_in(predicate, "output")},
        {"schedule", text_in(predicate, "schedule")},
        {"rule_table", text_in(predicate, "rule_table")}};
    for (auto& [word, hex] : out) hex = verify::digest_hex(hex);
    return out;
}

// What each object is, by its hex.
class Roles {
  public:
    explicit Roles(const verify::Bundle& log) {
        const auto named = named_objects(log);
        add(named.at("source"), "source program");
        add(named.at("final"), "final program");
        add(named.at("schedule"), "schedule");
        add(named.at("rule_table"), "rule table");
        for (std::size_t k = 1; k <= log.steps.size(); ++k) {
            const json owed = step_of(log, k).value("obligations", json());
            for (const json& o : owed) {
                add(verify::digest_hex(text_in(o, "id")),
                    "obligation of step " + std::to_string(k));
            }
        }
        for (std::size_t k = 0; k < log.refusals.size(); ++k) {
            const json line = ir::parse_json(log.refusals[k]);
            add(verify::digest_hex(text_in(line.value("obligation", json()), "id")),
                "obligation of refusal " + std::to_string(k + 1));
        }
        const json certificates = (*log.run)["predicate"].value("certificates", json());
        if (!certificates.is_object()) return;
        for (const auto& [id, certificate] : certificates.items()) {
            add(verify::digest_hex(text_in(certificates, id.c_str())),
                "certificate of " + id.substr(0, 19));
            add(verify::digest_hex(id), "obligation of a layout");
        }
    }

    std::string of(const std::string& hex) const {
        const auto found = roles_.find(hex);
        return found == roles_.end() ? "obligation of a layout" : found->second;
    }

  private:
    void add(const std::string& hex, std::string what) { roles_.emplace(hex, std::move(what)); }

    std::map<std::string, std::string> roles_;  // the first that is said of each
};

std::string joined(const std::vector<std::string>& lines) {
    std::string out;
    for (const std::string& line : lines) out += line + "\n";
    return out;
}

// The files of the log but for the store of objects.
std::map<std::string, std::string> files_of(const verify::Bundle& log) {
    std::map<std::string, std::string> out = {
        {verify::kRunFile, log.run_text},
        {verify::kRunDigestFile, verify::digest_hex(verify::digest(log.run_text)) + "\n"},
        {verify::kStepsFile, joined(log.steps)},
        {verify::kRefusalsFile, joined(log.refusals)}};
    if (!log.envelope.empty()) out[verify::kEnvelopeFile] = log.envelope;
    return out;
}

std::string what_is(const std::string& file) {
    static const std::map<std::string, std::string> all = {
        {verify::kRunFile, "statement"},
        {verify::kRunDigestFile, "SHA-256 of the statement"},
        {verify::kStepsFile, "steps"},
        {verify::kRefusalsFile, "refused steps"},
        {verify::kEnvelopeFile, "signatures of the statement"}};
    return all.at(file);
}

}  // namespace

std::vector<LogPart> contents_of(const verify::Bundle& log) {
    std::vector<LogPart> out;
    for (const auto& [name, bytes] : files_of(log)) {
        out.push_back({name, bytes.size(), what_is(name)});
    }
    const Roles roles(log);
    for (const auto& [hex, bytes] : log.objects) {
        out.push_back({"sha256:" + hex, bytes.size(), roles.of(hex)});
    }
    return out;
}

Result<std::string> part_of(const verify::Bundle& log, const std::string& name) {
    const auto files = files_of(log);
    if (const auto file = files.find(name); file != files.end()) return file->second;
    if (name == verify::kObjectsFile) return verify::pack_objects(log.objects);
    const auto named = named_objects(log);
    if (const auto word = named.find(name); word != named.end()) {
        const auto object = log.objects.find(word->second);
        if (object == log.objects.end()) return error("the log has no " + name);
        return object->second;
    }
    const std::string digits = verify::digest_hex(name);
    const bool hex = digits.find_first_not_of("0123456789abcdef") == std::string::npos;
    const Diagnostic none =
        error("the log has no part '" + name + "'", "`proviso log ls` lists what it has");
    if (!hex || digits.size() < kLeastDigits) return none;
    std::vector<std::string> found;
    for (auto it = log.objects.lower_bound(digits); it != log.objects.end(); ++it) {
        if (it->first.compare(0, digits.size(), digits) != 0) break;
        found.push_back(it->first);
    }
    if (found.empty()) return none;
    if (found.size() == 1) return log.objects.at(found.front());
    Diagnostic many =
        error(name + " is the beginning of " + std::to_string(found.size()) + " objects",
              "more digits of the one that is meant");
    for (std::size_t k = 0; k < std::min(found.size(), kListed); ++k) {
        many.notes.push_back("sha256:" + found[k]);
    }
    return many;
}

}  // namespace proviso::tools
