#include "tools/support/speed_report.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace proviso::tools {

using nlohmann::json;

namespace {

std::string counted(std::size_t n, const char* what) {
    return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s");
}

// "vectors of 8 float, also 3 instructions on single values"
std::string width_text(const backend::LoopSpeed& loop) {
    if (loop.lanes == 0) return "no code of its own is left";
    if (loop.vectors == 0) return "no vectors";
    std::string out = fmt::format("vectors of {} {}", loop.lanes, loop.element);
    if (loop.singles > 0) {
        out += fmt::format(", also {} on single values", counted(loop.singles, "instruction"));
    }
    if (loop.masked > 0) out += fmt::format(", {} masked", loop.masked);
    if (loop.gathers > 0) out += fmt::format(", {} of scattered cells", loop.gathers);
    return out;
}

}  // namespace

json speed_json(const backend::Speed& speed) {
    json loops = json::array();
    for (const backend::LoopSpeed& loop : speed.loops) {
        loops.push_back({{"line", loop.line},
                         {"loop", loop.loop},
                         {"lanes", loop.lanes},
                         {"element", loop.element},
                         {"vectors", loop.vectors},
                         {"singles", loop.singles},
                         {"masked", loop.masked},
                         {"gathers", loop.gathers},
                         {"branches", loop.branches},
                         {"unrolled", loop.unrolled},
                         {"spills", loop.spills},
                         {"why_not", loop.why_not}});
    }
    return {{"cpu", speed.cpu}, {"loops", std::move(loops)}};
}

std::string speed_text(const std::string& function, const backend::Speed& speed) {
    if (speed.loops.empty()) return "speed: " + function + " has no loop\n";
    std::string out =
        fmt::format("speed of {} on {}, by its innermost loops:\n", function, speed.cpu);
    for (const backend::LoopSpeed& loop : speed.loops) {
        out += fmt::format("  line {}: {}: {}\n", loop.line, loop.loop, width_text(loop));
        if (loop.branches > 0) {
            out += fmt::format(
                "    {} left (--explain says why)\n",
                loop.branches == 1 ? "1 branch is" : fmt::format("{} branches are", loop.branches));
        }
        for (const auto* said : {&loop.unrolled, &loop.why_not}) {
            for (const std::string& text : *said) out += "    " + text + "\n";
        }
        if (!loop.spills.empty()) out += "    " + loop.spills + "\n";
    }
    return out;
}

}  // namespace proviso::tools
