#include "fuzz/guided/pair_text.h"

#include <nlohmann/json.hpp>

#include "ir/domains/integer.h"
#include "ir/files/json_text.h"
#include "ir/text.h"

namespace proviso::fuzz {

using nlohmann::json;

namespace {

constexpr std::size_t kIdDigits = 16;

std::string digits_of(ir::Int128 value) {
    return ir::Integer(value).str();
}

std::optional<ir::Int128> number_of(const json& digits) {
    if (!digits.is_string()) return std::nullopt;
    const auto number = ir::Integer::parse(digits.get<std::string>());
    return number ? number->to_int128() : std::nullopt;
}

}  // namespace

bool CorpusPair::operator==(const CorpusPair& o) const {
    return text() == o.text();
}

std::string CorpusPair::text() const {
    json of_cells = json::object();
    for (const auto& [name, r] : ranges) of_cells[name] = {digits_of(r.lo), digits_of(r.hi)};
    const json out = {{"program", program}, {"ranges", of_cells}, {"schedule", schedule}};
    return out.dump(-1, ' ', false, json::error_handler_t::replace) + "\n";
}

std::string CorpusPair::id() const {
    return ir::sha256_hex(text()).substr(0, kIdDigits);
}

Result<CorpusPair> read_pair(const std::string& text) {
    const json j = ir::parse_json(text);
    const bool fits = j.is_object() && j.value("program", json()).is_string() &&
                      j.value("schedule", json()).is_string() &&
                      j.value("ranges", json()).is_object();
    if (!fits) return error("no pair of a program and a schedule");
    CorpusPair out{j["program"], j["schedule"], {}};
    for (const auto& [name, ends] : j["ranges"].items()) {
        const bool two = ends.is_array() && ends.size() == 2;
        const auto lo = two ? number_of(ends[0]) : std::nullopt;
        const auto hi = two ? number_of(ends[1]) : std::nullopt;
        if (!lo || !hi) return error("a range without ends");
        out.ranges[name] = {*lo, *hi};
    }
    if (out.text() != text) return error("the pair was edited");
    return out;
}

}  // namespace proviso::fuzz
