#include "rewrite/graph/costs.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "ir/text/reader/python/python.h"
#include "ir/text/spelling.h"

namespace proviso::rewrite {

using ir::python::Position;
using ir::python::Source;
using nlohmann::json;

namespace {

constexpr const char* kForm =
    "{\"operators\": {NAME: {VARIANT: NS}}, \"conversions\": {TENSOR: {\"FROM -> TO\": NS}}}; see "
    "docs/graph.md";

class CostReader {
  public:
    CostReader(std::string_view text, const std::string& file, const Network& network)
        : source_(std::string(text), file) {
        for (const Network::Kind& k : network.kinds) names_.push_back(k.function.name);
    }

    Result<CostFile> run() {
        json read;
        try {
            read = json::parse(source_.text());
        } catch (const json::parse_error& e) {
            return source_.at(at_byte(e.byte > 0 ? e.byte - 1 : 0), "this is no JSON", kForm);
        } catch (const json::exception&) {  // a number that is out of range
            return source_.at({1, 1}, "this is no JSON", kForm);
        }
        if (!read.is_object()) return source_.at({1, 1}, "an object is expected", kForm);
        CostFile out;
        for (const auto& [key, value] : read.items()) {
            Status ok = Unit{};
            if (key == "operators") {
                ok = tables(key, value, out.operators);
            } else if (key == "conversions") {
                ok = tables(key, value, out.conversions);
            } else {
                ok = source_.at(at_key(key), "costs have no member `" + key + "`",
                                ir::suggest(key, {"operators", "conversions"}, kForm));
            }
            if (!ok) return ok.error();
        }
        for (const auto& [name, entries] : out.operators) {
            if (std::find(names_.begin(), names_.end(), name) != names_.end()) continue;
            return source_.at(at_key(name), "the network has no operator `" + name + "`",
                              ir::suggest(name, names_, "`proviso graph --list` shows them"));
        }
        return out;
    }

  private:
    using Tables = std::map<std::string, std::map<std::string, std::int64_t>>;

    Status tables(const std::string& key, const json& value, Tables& out) const {
        if (!value.is_object()) return source_.at(at_key(key), "an object is expected", kForm);
        for (const auto& [name, entries] : value.items()) {
            if (!entries.is_object()) {
                return source_.at(at_key(name), "an object is expected for `" + name + "`", kForm);
            }
            for (const auto& [variant, cost] : entries.items()) {
                const bool number = cost.is_number_unsigned() &&
                                    cost.get<std::uint64_t>() <= std::uint64_t{kMostCost};
                if (!number) {
                    return source_.at(at_key(variant, offset_of(name)),
                                      "the cost of `" + variant + "` is no integer from 0 to " +
                                          std::to_string(kMostCost),
                                      "whole nanoseconds");
                }
                out[name][variant] = cost.get<std::int64_t>();
            }
        }
        return Unit{};
    }

    Position at_byte(std::size_t byte) const {
        Position at{1, 1};
        for (const char c : std::string_view(source_.text()).substr(0, byte)) {
            if ((static_cast<unsigned char>(c) & 0xC0) != 0x80) ++at.column;
            if (c == '\n') at = {at.line + 1, 1};
        }
        return at;
    }
    std::size_t offset_of(const std::string& key, std::size_t from = 0) const {
        const std::size_t found = source_.text().find(json(key).dump(), from);
        return found == std::string::npos ? 0 : found;
    }
    Position at_key(const std::string& key, std::size_t from = 0) const {
        return at_byte(offset_of(key, from));
    }

    Source source_;
    std::vector<std::string> names_;  // of operators
};

std::optional<std::int64_t> entry(
    const std::map<std::string, std::map<std::string, std::int64_t>>& tables,
    const std::string& name, const std::string& key) {
    const auto table = tables.find(name);
    if (table == tables.end()) return std::nullopt;
    const auto found = table->second.find(key);
    if (found == table->second.end()) return std::nullopt;
    return found->second;
}

std::int64_t bytes_of(ir::Buffer b, const GraphLayout& l) {
    const std::int64_t bytes = b->type.bytes();
    return l.cells > kMostCost / bytes ? kMostCost : l.cells * bytes;
}

}  // namespace

Result<CostFile> read_costs(std::string_view text, const std::string& file,
                            const Network& network) {
    return CostReader(text, file, network).run();
}

std::string conversion_name(const GraphLayout& from, const GraphLayout& to) {
    return from.name + " -> " + to.name;
}

std::optional<std::int64_t> Costs::of(const Network::Kind& kind, const Variant& v) const {
    if (file_) return entry(file_->operators, kind.function.name, v.name);
    std::int64_t out = 0;
    const std::vector<ir::Buffer> params = kind.function.buffer_params();
    for (std::size_t p = 0; p < params.size(); ++p) {
        out = std::min(kMostCost, out + bytes_of(params[p], v.layouts[p]));
    }
    return out;
}

std::optional<std::int64_t> Costs::of(ir::Buffer b, const GraphLayout& from,
                                      const GraphLayout& to) const {
    if (file_) return entry(file_->conversions, tensor_type(b), conversion_name(from, to));
    return std::min(kMostCost, bytes_of(b, from) + bytes_of(b, to));
}

}  // namespace proviso::rewrite
