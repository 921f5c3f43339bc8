#include "fuzz/planted/planted.h"

#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "fuzz/planted/defences.h"
#include "fuzz/planted/gpu_programs.h"
#include "ir/planted.h"

namespace proviso::fuzz {

namespace {

// On while it lives.
class Plant {
  public:
    explicit Plant(const PlantedFault& fault) {
        if (fault.by == PlantedBy::Switch) ir::planted_fault() = fault.id;
    }
    ~Plant() { ir::planted_fault().clear(); }
    Plant(const Plant&) = delete;
    Plant& operator=(const Plant&) = delete;
};

PlantedResult look(const PlantedFault& fault) {
    const Plant plant(fault);
    PlantedResult out{&fault, "", "", {}};
    for (const Defence& d : defences()) {
        const auto how = d.look(fault);
        if (!how) continue;
        if (out.caught_by.empty()) {
            out.caught_by = d.name;
            out.how = *how;
        } else {
            out.also.emplace_back(d.name);
        }
        if (out.caught()) break;
    }
    return out;
}

// What the defences that noticed a fault notice where none is planted.
std::vector<std::string> false_alarms(const std::vector<PlantedResult>& results) {
    std::set<std::string> noticed;
    for (const PlantedResult& r : results) {
        noticed.insert(r.caught_by);
        noticed.insert(r.also.begin(), r.also.end());
    }
    static const PlantedFault none{"none", PlantedBy::Switch, "", "", ""};
    std::vector<std::string> out;
    for (const Defence& d : defences()) {
        if (noticed.count(d.name) == 0) continue;
        if (const auto how = d.look(none)) out.push_back(std::string(d.name) + ": " + *how);
    }
    return out;
}

std::string first_line(const std::string& text) {
    return text.substr(0, text.find('\n'));
}

}  // namespace

bool PlantedReport::all_caught() const {
    for (const PlantedResult& r : results) {
        if (!r.caught()) return false;
    }
    return false_alarms.empty();
}

PlantedReport run_planted(const PlantedOptions& options) {
    PlantedReport out;
    std::size_t place = 0;
    for (const PlantedFault& fault : planted_faults()) {
        if (place++ % options.parts != options.part) continue;
        if (fault.id.find(options.only) == std::string::npos) continue;
        if (options.gpu && !is_gpu_fault(fault)) continue;
        out.results.push_back(look(fault));
        if (options.progress) options.progress(out.results.back());
    }
    out.false_alarms = false_alarms(out.results);
    return out;
}

nlohmann::json PlantedReport::json() const {
    nlohmann::json list = nlohmann::json::array();
    std::size_t caught = 0;
    for (const PlantedResult& r : results) {
        if (r.caught()) ++caught;
        list.push_back({{"id", r.fault->id},
                        {"where", r.fault->where},
                        {"what", r.fault->what},
                        {"expected", r.fault->expected},
                        {"caught_by", r.caught_by},
                        {"also_by", r.also},
                        {"lines_needed", r.fault->lines},
                        {"how", r.how}});
    }
    return {{"faults", list},
            {"planted", results.size()},
            {"caught", caught},
            {"false_alarms", false_alarms}};
}

std::string PlantedReport::text() const {
    std::string out;
    std::map<std::string, std::size_t> by_defence;
    std::size_t caught = 0;
    for (const PlantedResult& r : results) {
        const std::string by = r.caught_by.empty() ? "NOT CAUGHT"
                               : r.caught()        ? r.caught_by
                                                   : "ONCE ONLY, " + r.caught_by;
        out += fmt::format("{:<22} {}\n    {}\n", by, r.fault->id, r.fault->what);
        if (!r.how.empty()) out += fmt::format("    {}\n", first_line(r.how));
        for (const std::string& other : r.also) out += fmt::format("    also: {}\n", other);
        if (r.caught()) ++caught;
        if (!r.caught_by.empty()) ++by_defence[r.caught_by];
        for (const std::string& other : r.also) ++by_defence[other];
    }
    out += "\n";
    for (const Defence& d : defences()) {
        if (by_defence.count(d.name) != 0) {
            out += fmt::format("{:<22} caught {}\n", d.name, by_defence[d.name]);
        }
    }
    for (const std::string& alarm : false_alarms) out += "FALSE ALARM " + alarm + "\n";
    return out + fmt::format("{} of {} planted faults caught\n", caught, results.size());
}

}  // namespace proviso::fuzz
