// --float of `check`, and "float" of a request to `serve`.
#include <algorithm>
#include <charconv>

#include "tools/check.h"

namespace proviso::tools {

namespace {

constexpr std::uint64_t kMostUlps = 1'000'000;

}  // namespace

Status read_floats(CheckOptions& o) {
    for (const std::string& list : o.floats) {
        for (std::size_t from = 0; from <= list.size();) {
            const std::size_t end = std::min(list.find(',', from), list.size());
            const std::string part = list.substr(from, end - from);
            from = end + 1;
            if (part == "contract") {
                return error("--float: 'contract' would allow nothing",
                             "programs have no multiply-add that rounds once; where a compiler "
                             "makes one, ulp=N compares runs within N units in the last place");
            }
            constexpr std::string_view unit = "ulp=";
            if (part.rfind(unit, 0) != 0) {
                o.licences.push_back(part);
                continue;
            }
            const char* begin = part.data() + unit.size();
            const char* stop = part.data() + part.size();
            std::uint64_t n = 0;
            const auto read = std::from_chars(begin, stop, n);
            if (read.ec != std::errc() || read.ptr != stop || n == 0 || n > kMostUlps ||
                o.ulps != 0) {
                return error("--float: '" + part + "' is no number of units",
                             "once, such as ulp=2, and at most " + std::to_string(kMostUlps));
            }
            o.ulps = n;
        }
    }
    return Unit{};
}

}  // namespace proviso::tools
