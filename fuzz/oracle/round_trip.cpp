#include "fuzz/oracle/round_trip.h"

#include "ir/text.h"

namespace proviso::fuzz {

std::optional<Finding> check_round_trip(ir::Context& ctx, const ir::Function& f) {
    const std::string text = ir::print(f);
    const Result<ir::Function> read = ir::parse_function(ctx, text, "printed.py");
    if (!read) return Finding{"round-trip", "does not read back", read.error().str(), {}, {}};
    if (*read == f) return std::nullopt;
    return Finding{"round-trip",
                   "reads back as another program",
                   "printed:\n" + text + "read back, printed again:\n" + ir::print(*read),
                   {},
                   {}};
}

}  // namespace proviso::fuzz
