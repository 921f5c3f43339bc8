#include "tools/support/converters.h"

#include <filesystem>

#include "ir/text.h"
#include "verify/files/archive.h"
#include "verify/log/write.h"

namespace proviso::tools {

using namespace rewrite;

std::string adapters_text(const std::vector<Adapter>& adapters) {
    std::string out;
    for (const Adapter& a : adapters) {
        const ir::Function& pack = a.pack.source();
        const ir::Function& unpack = a.unpack.source();
        if (!out.empty()) out += "\n";
        out += "# " + unpack.name + " takes back what " + pack.name + " gives, bit for bit.\n";
        out += ir::print(pack) + "\n" + ir::print(unpack);
    }
    return out;
}

std::size_t round_trip_steps(const std::vector<Adapter>& adapters) {
    std::size_t out = 0;
    for (const Adapter& a : adapters) out += a.round_trip.steps().size();
    return out;
}

std::size_t round_trip_obligations(const std::vector<Adapter>& adapters) {
    std::size_t out = 0;
    for (const Adapter& a : adapters) {
        for (const Step& s : a.round_trip.steps()) out += s.obligations.size();
    }
    return out;
}

Status write_adapter_logs(const std::vector<Adapter>& adapters, const std::string& log,
                          const verify::PrivateKey* key) {
    const std::string extension = verify::archive_extension(log);
    const std::string folder = log.substr(0, log.size() - extension.size()) + ".adapters";
    verify::LogOptions options;
    options.key = key;
    std::error_code code;
    for (const Adapter& a : adapters) {
        const std::filesystem::path place = std::filesystem::path(folder) / a.parameter;
        std::filesystem::create_directories(place, code);
        for (const auto& [name, derivation] :
             {std::pair<const char*, const Derivation*>{"round-trip", &a.round_trip},
              {"pack", &a.pack},
              {"unpack", &a.unpack}}) {
            const auto done =
                verify::write_log(*derivation, (place / name).string() + extension, options);
            if (!done) return done.error();
        }
    }
    return Unit{};
}

}  // namespace proviso::tools
