#include "fuzz/planted/statement_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "fuzz/planted/scenario.h"
#include "rewrite/kernel/rule.h"

namespace proviso::fuzz {

namespace {

constexpr const char* kClaims = "claims about memory";
constexpr const char* kKernel = "what the kernel asks of every rule";
constexpr const char* kSubstitution = "substitution";

constexpr const char* kHead = R"(# Planted faults in the statement rules

Made by `proviso fuzz --planted --page docs/statement-faults.md`; do not edit.

Each [statement rule](statement-rules.md), and what the rules share about memory, is broken in one place at a time, and the lines of defence are asked in
order until one notices. A fault that nobody notices would be a hole in the defences. What an attack has found once, and every clause of a replacement, must be noticed by two.

| fault | what it is |
|---|---|
| `omit: WORDS` | the kernel forgets every obligation whose purpose has these words |
| `propose: NAME` | a wrong step is proposed to a sound kernel |
| `PART:SLIP` | the code of a rule, of the facts at a place or of the formulas of obligations slips |

The lines of defence that notice: *kernel obligation* (a sound kernel refuses the wrong step, or a broken one refuses a right step), *translation validation* (symbolic
execution before and after), *refinement* (the interpreter on several inputs), *raw steps* ([any rule with any arguments](fuzz.md#raw-steps)), *encoder = interpreter*, *kernels on this machine* ([GPU code](gpu-faults.md)).
)";

bool starts_with(const std::string& text, const std::string& head) {
    return text.compare(0, head.size(), head) == 0;
}

void add(std::vector<std::string>& list, const std::string& part) {
    if (std::find(list.begin(), list.end(), part) == list.end()) list.push_back(part);
}

// Obligations of claims and witnesses, by words of their purpose.
bool speaks_of_memory(const std::string& words) {
    for (const char* w : {"the cell", "overwritten", "was written", "every value stored", "witness",
                          "holds", "claim"}) {
        if (words.find(w) != std::string::npos) return true;
    }
    return false;
}

// "omit:no other iteration is visited" as "omit: no other iteration is visited"
std::string spaced(const std::string& id) {
    const std::size_t colon = id.find(':');
    const std::string head = id.substr(0, colon);
    if (head != "omit" && head != "propose") return id;
    return head + ": " + id.substr(colon + 1);
}

std::string noticed_by(const PlantedResult& r) {
    if (r.caught_by.empty()) return "**nobody**";
    std::string out = r.caught_by;
    for (const std::string& other : r.also) out += ", " + other;
    return r.caught() ? out : out + " **alone**";
}

}  // namespace

std::vector<std::string> statement_parts(const PlantedFault& fault) {
    std::vector<std::string> out;
    for (const Scenario& s : scenarios()) {
        if (s.forgets == nullptr || s.steps.empty()) continue;
        const bool mine = fault.id == "propose:" + std::string(s.name) ||
                          (*s.forgets != '\0' && fault.id == "omit:" + std::string(s.forgets));
        if (!mine) continue;
        add(out, s.steps.back().rule);
        if (speaks_of_memory(s.forgets)) add(out, kClaims);
    }
    if (fault.by != PlantedBy::Switch) return out;
    const std::string head = fault.id.substr(0, fault.id.find(':'));
    if (rewrite::find_rule(head) != nullptr) add(out, head);
    if (head == "facts") add(out, "facts");
    if (head == "kernel") add(out, kKernel);
    if (head == "substitution") add(out, kSubstitution);
    if (head == "formula") add(out, "formulas");
    return out;
}

std::string statement_page(const PlantedReport& report) {
    std::map<std::string, std::vector<const PlantedResult*>> by_part;
    std::size_t planted = 0;
    std::size_t caught = 0;
    for (const PlantedResult& r : report.results) {
        const std::vector<std::string> parts = statement_parts(*r.fault);
        for (const std::string& part : parts) by_part[part].push_back(&r);
        planted += parts.empty() ? 0 : 1;
        caught += !parts.empty() && r.caught() ? 1 : 0;
    }
    std::string out = kHead;
    out += fmt::format("\n**{} of {} faults are caught.**\n", caught, planted);
    std::vector<std::string> order;
    for (const rewrite::Rule* rule : rewrite::all_rules()) order.push_back(rule->name());
    for (const char* shared : {kClaims, kKernel, kSubstitution, "facts", "formulas"})
        order.emplace_back(shared);
    for (const std::string& part : order) {
        if (by_part.count(part) == 0) continue;
        out += fmt::format("\n## {}\n\n| fault | noticed by |\n|---|---|\n", part);
        for (const PlantedResult* r : by_part[part]) {
            out += fmt::format(
                "| {} | {} |\n",
                starts_with(r->fault->id, "omit:") || starts_with(r->fault->id, "propose:")
                    ? spaced(r->fault->id)
                    : "`" + r->fault->id + "`: " + r->fault->what,
                noticed_by(*r));
        }
    }
    return out;
}

}  // namespace proviso::fuzz
