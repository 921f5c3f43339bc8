#include "ir/files/json_text.h"

#include <cstddef>
#include <nlohmann/json.hpp>

#include "ir/files/limits.h"

namespace proviso::ir {

std::string json_excess(std::string_view text) {
    std::size_t values = 1;
    int depth = 0;
    bool in_string = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (in_string) {
            if (c == '\\') ++i;
            in_string = c != '"';
            continue;
        }
        switch (c) {
            case '"': in_string = true; break;
            case '[':
            case '{':
                ++values;
                if (++depth > limits::kJsonDepth) {
                    return "JSON is nested more than " + std::to_string(limits::kJsonDepth) +
                           " deep";
                }
                break;
            case ']':
            case '}': --depth; break;
            case ',':
                if (++values > limits::kJsonValues) {
                    return "JSON holds more than " + std::to_string(limits::kJsonValues) +
                           " values";
                }
                break;
            default: break;
        }
    }
    return "";
}

nlohmann::json parse_json(std::string_view text) {
    if (!json_excess(text).empty()) return nlohmann::json(nlohmann::json::value_t::discarded);
    return nlohmann::json::parse(text, nullptr, false);
}

}  // namespace proviso::ir
