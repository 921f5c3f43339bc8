#include "tools/tune/tuning.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "tools/program.h"
#include "tools/support/support.h"

namespace proviso::tools {

using nlohmann::json;

namespace {

constexpr const char* kFormat = "proviso-tuning-1";

json to_json(const Candidate& c) {
    json out = {{"choices", c.chosen}, {"verdict", c.verdict}};
    if (!c.reason.empty()) out["reason"] = c.reason;
    if (!c.result.empty()) out["result"] = c.result;
    if (c.same_as) out["same_as"] = *c.same_as;
    if (c.measured()) {
        out["nanoseconds"] = c.nanoseconds;
        out["rounds"] = c.rounds;
    }
    return out;
}

Candidate candidate_of(const json& from) {
    Candidate out;
    out.chosen = from.at("choices").get<rewrite::ChosenValues>();
    out.verdict = from.at("verdict").get<std::string>();
    out.reason = from.value("reason", "");
    out.result = from.value("result", "");
    if (from.contains("same_as")) out.same_as = from.at("same_as").get<std::size_t>();
    out.nanoseconds = from.value("nanoseconds", std::int64_t{0});
    out.rounds = from.value("rounds", 0);
    return out;
}

// What the file says is what it may say: each value is one of its choice, and so on.
bool holds_together(const Tuning& t) {
    for (std::size_t k = 0; k < t.tried.size(); ++k) {
        const Candidate& c = t.tried[k];
        if (c.chosen.size() != t.choices.size() || !rewrite::check_chosen(t.choices, c.chosen)) {
            return false;
        }
        if (c.same_as && *c.same_as >= k) return false;
        if (c.nanoseconds < 0 || c.rounds < 0) return false;
        if (c.measured() && (c.verdict != "PROVED" || c.rounds == 0)) return false;
    }
    return true;
}

}  // namespace

const Candidate* Tuning::best() const {
    const Candidate* out = nullptr;
    for (const Candidate& c : tried) {
        if (!c.measured()) continue;
        const bool better = out == nullptr || c.rounds > out->rounds ||
                            (c.rounds == out->rounds && c.nanoseconds < out->nanoseconds);
        if (better) out = &c;
    }
    return out;
}

json to_json(const Tuning& t) {
    json choices = json::array();
    for (const rewrite::ScheduleChoice& c : t.choices) {
        choices.push_back({{"name", c.name}, {"values", c.values}});
    }
    json tried = json::array();
    for (const Candidate& c : t.tried) tried.push_back(to_json(c));
    return {{"format", kFormat},      {"function", t.function},         {"program", t.program},
            {"schedule", t.schedule}, {"machine", t.machine},           {"cpu", t.cpu},
            {"seed", t.seed},         {"combinations", t.combinations}, {"choices", choices},
            {"candidates", tried}};
}

std::string text_of(const Tuning& tuning) {
    return to_json(tuning).dump(1, ' ', false, json::error_handler_t::replace) + "\n";
}

Result<Tuning> read_tuning(const std::string& text, const std::string& file) {
    const auto no = [&](const std::string& why) {
        return error(file + " is no tuning file: " + why,
                     "`proviso tune PROGRAM --schedule TEMPLATE -o FILE` writes one");
    };
    const json from = json::parse(text, nullptr, false);
    if (from.is_discarded()) return no("it is no JSON; was it cut off?");
    if (!from.is_object() || from.value("format", json()) != kFormat) {
        return no(std::string("its format is not ") + kFormat);
    }
    Tuning out;
    try {
        out.function = from.at("function").get<std::string>();
        out.program = from.at("program").get<std::string>();
        out.schedule = from.at("schedule").get<std::string>();
        out.machine = from.at("machine").get<std::string>();
        out.cpu = from.at("cpu").get<std::string>();
        out.seed = from.at("seed").get<std::uint64_t>();
        out.combinations = from.at("combinations").get<std::size_t>();
        for (const json& c : from.at("choices")) {
            rewrite::ScheduleChoice choice;
            choice.name = c.at("name").get<std::string>();
            choice.values = c.at("values").get<std::vector<std::string>>();
            out.choices.push_back(std::move(choice));
        }
        for (const json& c : from.at("candidates")) out.tried.push_back(candidate_of(c));
    } catch (const json::exception& e) {
        return no(std::string("something is missing in it or of another type (") + e.what() + ")");
    }
    if (!holds_together(out)) return no("its candidates do not fit its choices");
    return out;
}

Status fits(const Tuning& tuning, const std::string& file, const std::string& program,
            const std::string& schedule) {
    const auto other = [&](const std::string& what) {
        return error(file + " is about another " + what,
                     "tune again: what is fast for one " + what + " need not be for another");
    };
    if (tuning.program != program) return other("program (" + tuning.function + ")");
    if (tuning.schedule != schedule) return other("schedule");
    return Unit{};
}

std::string chosen_text(const Candidate& candidate,
                        const std::vector<rewrite::ScheduleChoice>& choices) {
    std::string out;
    for (const rewrite::ScheduleChoice& c : choices) {
        out += (out.empty() ? "" : ", ") + c.name + " = " + candidate.chosen.at(c.name);
    }
    return out;
}

Result<rewrite::ChosenValues> read_chosen(const std::vector<std::string>& arguments) {
    rewrite::ChosenValues out;
    for (const std::string& argument : arguments) {
        const auto pair = key_value(argument);
        if (!pair) return pair.error();
        if (!out.insert(*pair).second) return given_twice("--choose", pair->first);
    }
    return out;
}

Result<rewrite::ChosenValues> tuned_values(const std::string& file, const std::string& program,
                                           const std::string& schedule_text,
                                           const std::string& schedule_file) {
    const Result<std::string> text = read_file(file);
    if (!text) return text.error();
    const Result<Tuning> tuning = read_tuning(*text, file);
    if (!tuning) return tuning.error();
    const Result<rewrite::ScheduleChoices> choices =
        rewrite::schedule_choices(schedule_text, schedule_file);
    if (!choices) return choices.error();
    if (const Status ok = fits(*tuning, file, program, choices->hash); !ok) return ok.error();
    if (const Candidate* best = tuning->best()) return best->chosen;
    return error(file + " has no candidate that was measured",
                 "`proviso tune --resume` goes on with it");
}

}  // namespace proviso::tools
