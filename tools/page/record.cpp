#include "tools/page/record.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "ir/files/json_text.h"
#include "ir/text.h"
#include "verify/log/edits.h"
#include "verify/log/record.h"

namespace proviso::tools {

using nlohmann::json;

namespace {

constexpr const char* kCalls = "# calls: ";
constexpr const char* kImported = "\n# imported: ";

std::string text_of(const json& object, const char* key) {
    const auto it = object.is_object() ? object.find(key) : object.end();
    return it != object.end() && it->is_string() ? it->get<std::string>() : std::string();
}

json texts_of(const json& object, const char* key) {
    json out = json::array();
    const auto it = object.is_object() ? object.find(key) : object.end();
    if (it == object.end() || !it->is_array()) return out;
    for (const json& text : *it) {
        if (text.is_string()) out.push_back(text);
    }
    return out;
}

json edits_of(const json& line) {
    json out = json::array();
    const auto edits = line.is_object() ? verify::logged_edits(line) : std::nullopt;
    if (!edits) return nullptr;
    for (const verify::LineEdit& e : *edits) out.push_back({e.line, e.removed, e.added});
    return out;
}

json member(const json& object, const char* key) {
    const auto it = object.is_object() ? object.find(key) : object.end();
    return it != object.end() ? *it : json();
}

json owed_of(const json& line, const std::function<json(const std::string&)>& check) {
    json out = json::array();
    for (const json& o : member(line, "obligations")) {
        out.push_back({{"purpose", text_of(o, "purpose")},
                       {"kind", text_of(o, "kind")},
                       {"site", text_of(o, "site")},
                       {"buffer", text_of(o, "buffer")},
                       {"check", check(text_of(o, "id"))}});
    }
    return out;
}

// The calls of a line that with_calls wrote; none where it is another one. Nobody has checked it.
json read_calls(const std::string& line) {
    constexpr std::uint64_t most = 1'000'000;  // steps, more than a log may have
    std::uint64_t all = 0;
    json out = json::array();
    for (const json& call : ir::parse_json(line)) {
        const json steps = member(call, "steps");
        const json at = member(call, "line");
        const json caller = member(call, "caller");
        if (!steps.is_number_unsigned() || !at.is_number_unsigned()) return nullptr;
        if (steps.get<std::uint64_t>() > most) return nullptr;
        all += steps.get<std::uint64_t>();
        if (all > most) return nullptr;
        out.push_back({{"name", text_of(call, "name")},
                       {"file", text_of(call, "file")},
                       {"line", at},
                       {"caller", caller.is_number_unsigned() ? caller : json(0)},
                       {"steps", steps}});
        if (member(call, "refused") == json(true)) out.back()["refused"] = true;
    }
    return out;
}

}  // namespace

json calls_json(const std::vector<ScheduleCall>& calls) {
    json out = json::array();
    for (const ScheduleCall& c : calls) {
        out.push_back({{"name", c.name},
                       {"file", c.file},
                       {"line", c.line},
                       {"caller", c.caller},
                       {"steps", c.steps}});
        if (c.refused) out.back()["refused"] = true;
    }
    return out;
}

std::string with_calls(const std::string& schedule, const std::vector<ScheduleCall>& calls) {
    if (schedule.empty()) return schedule;
    const auto replaced = json::error_handler_t::replace;
    return schedule + (schedule.back() == '\n' ? "" : "\n") + kCalls +
           calls_json(calls).dump(-1, ' ', true, replaced) + "\n";
}

json schedule_json(const std::string& logged) {
    std::string text = logged;
    json calls;
    const std::size_t last =
        text.size() < 2 ? std::string::npos : text.rfind('\n', text.size() - 2);
    const std::size_t from = last == std::string::npos ? 0 : last + 1;
    if (text.compare(from, std::string(kCalls).size(), kCalls) == 0) {
        calls = read_calls(text.substr(from + std::string(kCalls).size()));
        text.erase(from);
    }
    json imported = json::array();
    std::size_t at = text.find(kImported);
    json out{{"text", text.substr(0, at)}};
    while (at != std::string::npos) {
        const std::size_t name = at + std::string(kImported).size();
        const std::size_t end = std::min(text.find('\n', name), text.size());
        const std::size_t next = text.find(kImported, end);
        const std::string said = text.substr(name, end - name);
        const std::size_t body = std::min(end + 1, text.size());
        imported.push_back(
            {{"name", said.substr(0, said.rfind(' '))},
             {"text", text.substr(body, next == std::string::npos ? next : next - body)}});
        at = next;
    }
    out.update({{"imported", imported}, {"calls", calls}});
    return out;
}

json steps_json(const std::vector<std::string>& lines,
                const std::function<json(const std::string& id)>& check) {
    json out = json::array();
    for (const std::string& text : lines) {
        const json line = ir::parse_json(text);
        out.push_back({{"rule", text_of(line, "rule")},
                       {"site", text_of(line, "site")},
                       {"args", member(line, "args")},
                       {"edits", edits_of(line)},
                       {"licences", texts_of(line, "licences")},
                       {"before", text_of(line, "before")},
                       {"after", text_of(line, "after")},
                       {"owes", owed_of(line, check)}});
    }
    return out;
}

json refusals_json(const std::vector<std::string>& lines) {
    json out = json::array();
    for (const std::string& text : lines) {
        const json line = ir::parse_json(text);
        json no{{"rule", text_of(line, "rule")},
                {"site", text_of(line, "site")},
                {"args", member(line, "args")},
                {"message", text_of(line, "message")},
                {"hint", text_of(line, "hint")}};
        const json failed = member(line, "obligation");
        if (failed.is_object()) {
            json model = json::array();
            for (const json& v : member(failed, "model")) {
                model.push_back({{"name", text_of(v, "name")}, {"value", text_of(v, "value")}});
            }
            no["obligation"] = {{"purpose", text_of(failed, "purpose")},
                                {"verdict", text_of(failed, "verdict")},
                                {"why", text_of(failed, "why")},
                                {"model", model}};
        }
        out.push_back(no);
    }
    return out;
}

json claims_json(const std::vector<analysis::Obligation>& claims,
                 const std::function<std::string(std::size_t)>& smt) {
    std::map<std::string, std::size_t> index;  // of facts, each of them once
    json facts = json::array();
    json out = json::array();
    std::size_t bytes = 0;
    std::size_t left_out = 0;
    for (std::size_t k = 0; k < claims.size(); ++k) {
        if (bytes > kMostText) {
            out.push_back(nullptr);
            ++left_out;
            continue;
        }
        json of_claim = json::array();
        for (ir::Expr fact : claims[k].facts) {
            const auto [it, fresh] = index.emplace(ir::print(fact), facts.size());
            if (fresh) facts.push_back(it->first);
            if (fresh) bytes += it->first.size();
            of_claim.push_back(it->second);
        }
        const std::string goal = ir::print(claims[k].goal);
        std::string text = smt(k);
        bytes += goal.size() + text.size();
        out.push_back({{"facts", of_claim}, {"goal", goal}, {"smt", std::move(text)}});
    }
    return {{"facts", facts}, {"claims", out}, {"most", kMostText}, {"left_out", left_out}};
}

}  // namespace proviso::tools
