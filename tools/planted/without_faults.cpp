#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "tools/planted/planted.h"
#include "tools/support/support.h"

namespace proviso::tools {

namespace {

// The arguments that this process was started with.
std::vector<std::string> own_arguments() {
    std::ifstream in("/proc/self/cmdline", std::ios::binary);
    const std::string all{std::istreambuf_iterator<char>(in), {}};
    std::vector<std::string> out;
    for (std::size_t from = 0; from < all.size();) {
        out.emplace_back(all.c_str() + from);
        from += out.back().size() + 1;
    }
    return out;
}

}  // namespace

const std::vector<fuzz::CampaignKind>& faulty_kinds() {
    static const std::vector<fuzz::CampaignKind> none;
    return none;
}

bool has_faults() {
    return false;
}

bool can_turn_on_fault(const std::string& /*fault*/) {
    return false;
}

void turn_on_fault(const std::string& /*fault*/) {}

int run_planted(const FuzzCommand& o) {
    return become_planted(o.json);
}

int become_planted(bool json) {
    std::error_code code;
    const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", code);
    const std::string other = (self.parent_path() / "proviso-planted").string();
    std::vector<std::string> arguments = own_arguments();
    std::vector<char*> raw;
    for (std::string& a : arguments) raw.push_back(a.data());
    raw.push_back(nullptr);
    ::execv(other.c_str(), raw.data());
    return bad_input(error("'" + other + "' does not start: " + std::strerror(errno),
                           "this program has no planted faults; build that one beside it: "
                           "./dev build --release proviso-planted"),
                     json);
}

}  // namespace proviso::tools
