// Proof logs that are wrong: bytes that are changed, entries that are no files, and, with all
// hashes made to fit so that an audit looks further, other arguments, sites, programs and
// certificates.
#include "fuzz/inputs/log_case.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#include "ir/text.h"
#include "verify/files/archive.h"
#include "verify/files/object_pack.h"

namespace proviso::fuzz::inputs {

using nlohmann::json;

namespace {

constexpr std::size_t kHexDigits = 64;

std::string digest(const std::string& bytes) {
    return "sha256:" + ir::sha256_hex(bytes);
}

std::string canonical(const json& value) {
    return value.dump(-1, ' ', true, json::error_handler_t::replace);
}

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> out;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) out.push_back(line);
    return out;
}

std::string with_words(std::string text, const std::string& from, const std::string& to) {
    for (std::size_t at = text.find(from); at != std::string::npos;
         at = text.find(from, at + to.size())) {
        text.replace(at, from.size(), to);
    }
    return text;
}

// Chains the lines again and makes the statement fit.
void mend(Files& log, std::vector<json> steps) {
    std::string prev(kHexDigits, '0');
    prev = "sha256:" + prev;
    std::string text;
    json hashes = json::array();
    for (std::size_t i = 0; i < steps.size(); ++i) {
        if (steps[i].is_object()) {
            steps[i]["prev"] = prev;
            steps[i]["seq"] = i;
        }
        const std::string line = canonical(steps[i]);
        prev = digest(line);
        hashes.push_back(prev);
        text += line + "\n";
    }
    log["steps.jsonl"] = text;
    json run = json::parse(log["run.json"], nullptr, false);
    if (!run.is_object() || !run.contains("predicate") || !run["predicate"].is_object()) return;
    json& predicate = run["predicate"];
    if (predicate.contains("steps") && predicate["steps"].is_object()) {
        predicate["steps"]["lines"] = hashes;
        predicate["steps"]["count"] = hashes.size();
        predicate["steps"]["last"] = prev;
    }
    log["run.json"] = canonical(run) + "\n";
}

void sign(Files& log) {
    log["run.sha256"] = ir::sha256_hex(log["run.json"]) + "\n";
}

std::vector<json> steps_of(const Files& log) {
    std::vector<json> out;
    for (const std::string& line : lines_of(log.at("steps.jsonl"))) {
        out.push_back(json::parse(line, nullptr, false));
    }
    return out;
}

// An object with other bytes, under its new name wherever the old one stood.
void change_object(Random& random, Files& log) {
    verify::Objects objects = verify::unpack_objects(log["objects.pack"]).objects;
    if (objects.empty()) return;
    std::vector<std::string> names;
    for (const auto& [hex, bytes] : objects) names.push_back(hex);
    const std::string was = random.of(names);
    const std::string bytes = mutated(random, objects[was], log["steps.jsonl"]);
    const std::string is = ir::sha256_hex(bytes);
    objects.erase(was);
    for (auto& [name, text] : log) {
        if (name != "objects.pack") text = with_words(text, was, is);
    }
    objects[is] = bytes;
    log["objects.pack"] = verify::pack_objects(objects);
    // Names of objects are listed in order.
    json run = json::parse(log["run.json"], nullptr, false);
    if (run.is_object() && run["predicate"].is_object() && run["predicate"]["objects"].is_array()) {
        json& listed = run["predicate"]["objects"];
        std::sort(listed.begin(), listed.end());
        log["run.json"] = canonical(run) + "\n";
    }
    mend(log, steps_of(log));
}

}  // namespace

void change_log(Random& random, Files& log, Files& odd) {
    static const std::vector<std::string> files = {"steps.jsonl", "run.json", "run.sha256",
                                                   "refusals.jsonl", "objects.pack"};
    switch (random.below(6)) {
        case 0: {
            const std::string name = random.of(files);
            log[name] = mutated(random, log[name], log["steps.jsonl"]);
            if (random.one_in(2)) sign(log);
            return;
        }
        case 1: {
            const std::string name = random.of(files);
            log.erase(name);
            odd[name] = random.of(
                std::vector<std::string>{"pipe", "folder", "/dev/zero", name, "/", "run.json"});
            return;
        }
        case 2: {
            json run = json::parse(log["run.json"], nullptr, false);
            for (std::size_t n = 1 + random.below(2); n > 0; --n) run = mutated(random, run);
            log["run.json"] = canonical(run) + "\n";
            sign(log);
            return;
        }
        case 3: change_object(random, log); break;
        default: {
            std::vector<json> steps = steps_of(log);
            if (steps.empty()) return;
            json& step = steps[random.below(steps.size())];
            if (random.one_in(6)) {
                step = steps[random.below(steps.size())];
            } else if (step.is_object() && step.contains("args") && !random.one_in(3)) {
                step["args"] = mutated(random, step["args"]);
            } else {
                step = mutated(random, step);
            }
            mend(log, std::move(steps));
        }
    }
    sign(log);
}

std::string changed_archive(Random& random, const Files& log) {
    std::string out = verify::pack_archive(log);
    if (random.one_in(2)) out = mutated(random, out, out.substr(0, 512));
    if (random.one_in(3)) return out;
    out = verify::compress(out);
    return random.one_in(3) ? mutated(random, out, out) : out;
}

}  // namespace proviso::fuzz::inputs
