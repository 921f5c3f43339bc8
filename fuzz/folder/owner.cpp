#include "fuzz/folder/owner.h"

#include <unistd.h>

#include <array>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <random>
#include <sstream>

#include "ir/files/json_text.h"

namespace proviso::fuzz {

namespace {

std::string line_of(const std::string& path) {
    std::ifstream in(path);
    std::string line;
    std::getline(in, line);
    return line;
}

// When the process started, in the clock ticks of /proc/PID/stat; empty where there is none, or
// only its exit code is left.
std::string start_of(std::int64_t pid) {
    const std::string line = line_of("/proc/" + std::to_string(pid) + "/stat");
    // The name, which stands in brackets, may hold anything.
    const std::size_t end = line.rfind(')');
    if (end == std::string::npos) return "";
    std::istringstream words(line.substr(end + 1));
    std::string word;
    words >> word;
    if (word == "Z" || word == "X") return "";
    constexpr int after_state = 19;
    for (int k = 0; k < after_state; ++k) words >> word;
    return word;
}

std::string host_name() {
    std::array<char, 256> name{};
    if (::gethostname(name.data(), name.size() - 1) != 0) return "host";
    std::string out;
    for (const char c : std::string(name.data())) {
        const bool plain = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.';
        out += plain ? c : '_';
    }
    return out;
}

}  // namespace

std::string Owner::text() const {
    return nlohmann::json{{"host", host}, {"boot", boot},   {"namespace", namespace_},
                          {"pid", pid},   {"start", start}, {"id", id}}
               .dump() +
           "\n";
}

Owner this_process() {
    Owner out;
    out.host = host_name();
    out.boot = line_of("/proc/sys/kernel/random/boot_id");
    std::error_code code;
    out.namespace_ = std::filesystem::read_symlink("/proc/self/ns/pid", code).string();
    out.pid = ::getpid();
    out.start = start_of(out.pid);
    std::random_device random;
    std::ostringstream digits;
    digits << std::hex << random();
    out.id = out.host + "-" + std::to_string(out.pid) + "-" + digits.str();
    return out;
}

Result<Owner> read_owner(const std::string& text) {
    const nlohmann::json j = ir::parse_json(text);
    if (!j.is_object()) return error("no owner");
    Owner out;
    try {
        j.at("host").get_to(out.host);
        j.at("boot").get_to(out.boot);
        j.at("namespace").get_to(out.namespace_);
        j.at("pid").get_to(out.pid);
        j.at("start").get_to(out.start);
        j.at("id").get_to(out.id);
    } catch (const nlohmann::json::exception& e) {
        return error(e.what());
    }
    return out;
}

bool is_gone(const Owner& owner, std::time_t heard, std::time_t now, std::uint64_t limit) {
    static const Owner self = this_process();
    const bool here = !owner.boot.empty() && owner.boot == self.boot && !owner.namespace_.empty() &&
                      owner.namespace_ == self.namespace_;
    if (here) return owner.start.empty() || start_of(owner.pid) != owner.start;
    // A time to come is none.
    const auto most = static_cast<std::time_t>(limit);
    return now - heard > most || heard - now > most;
}

}  // namespace proviso::fuzz
