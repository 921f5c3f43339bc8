#include "rewrite/schedule/loop_copies.h"

#include <algorithm>
#include <cctype>
#include <set>
#include <vector>

#include "ir/site.h"
#include "rewrite/passes/proposer.h"

namespace proviso::rewrite {

using namespace ir;

namespace {

std::vector<std::string> loop_names(const Function& f) {
    std::vector<std::string> out;
    for (const auto& [site, stmt] : all_statements(f)) {
        if (const For* loop = stmt->as<For>()) out.push_back(*loop->var->name);
    }
    return out;
}

// "j_1" of "j": the name of a fresh copy.
bool is_numbered(const std::string& name, const std::string& base) {
    if (name.size() < base.size() + 2 || name.rfind(base + "_", 0) != 0) return false;
    return std::all_of(name.begin() + static_cast<std::ptrdiff_t>(base.size()) + 1, name.end(),
                       [](unsigned char c) { return std::isdigit(c) != 0; });
}

}  // namespace

std::map<std::string, Diagnostic> loop_copies(const Function& before, const std::string& unrolled,
                                              const Function& after) {
    const std::vector<std::string> old = loop_names(before);
    std::vector<std::string> fresh;
    for (const std::string& name : loop_names(after)) {
        if (std::find(old.begin(), old.end(), name) == old.end()) fresh.push_back(name);
    }
    std::map<std::string, Diagnostic> out;
    const std::optional<Site> around = find_loop(before, unrolled);
    if (!around || fresh.empty()) return out;
    for (const auto& [site, stmt] : all_statements(before)) {
        const For* loop = stmt->as<For>();
        if (loop == nullptr || site == *around || !around->contains(site)) continue;
        const std::string& name = *loop->var->name;
        std::string list = name;
        int count = 1;
        for (const std::string& copy : fresh) {
            if (!is_numbered(copy, name)) continue;
            list += ", " + copy;
            ++count;
        }
        if (count == 1) continue;
        out.emplace(name, error("loop " + name + " means " + std::to_string(count) +
                                    " loops since sch.unroll(" + unrolled + "): " + list,
                                "unroll " + name + " before " + unrolled +
                                    ", or take the loops of one copy after it: "
                                    "sch.get_loops(block)"));
    }
    return out;
}

}  // namespace proviso::rewrite
