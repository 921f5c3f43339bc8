#include "tools/page/html.h"

#include <fmt/format.h>

#include <cstdint>
#include <nlohmann/json.hpp>

#include "ir/text.h"

namespace proviso::tools {

namespace {

// Controls but the line feed, and what is invisible or turns the direction of writing.
bool is_hidden(std::uint32_t c) {
    return (c < 0x20 && c != '\n') || (c >= 0x7f && c < 0xa0) || (c >= 0x200b && c <= 0x200f) ||
           (c >= 0x2028 && c <= 0x202e) || (c >= 0x2060 && c <= 0x206f) || c == 0xfeff;
}

// The code points of what JSON has made ASCII: there every other character is an escape.
std::u32string code_points(std::string_view text) {
    const auto replaced = nlohmann::json::error_handler_t::replace;
    const std::string utf8 =
        nlohmann::json::parse(nlohmann::json(text).dump(-1, ' ', true, replaced))
            .get<std::string>();
    std::u32string out;
    for (std::size_t i = 0; i < utf8.size();) {
        const auto lead = static_cast<unsigned char>(utf8[i]);
        const std::size_t length = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
        std::uint32_t c = length == 1 ? lead : lead & (0x7fU >> length);
        for (std::size_t k = 1; k < length; ++k) {
            c = c << 6U | (static_cast<unsigned char>(utf8[i + k]) & 0x3fU);
        }
        out += static_cast<char32_t>(c);
        i += length;
    }
    return out;
}

}  // namespace

std::string html_text(std::string_view text) {
    std::string out;
    for (const char32_t c : code_points(text)) {
        if (is_hidden(c)) {
            out += fmt::format("\\u{:04x}", static_cast<std::uint32_t>(c));
        } else if (c > 0x7e || c == '<' || c == '>' || c == '&' || c == '"' || c == '\'') {
            out += fmt::format("&#{};", static_cast<std::uint32_t>(c));
        } else {
            out += static_cast<char>(c);
        }
    }
    return out;
}

std::string script_json(const nlohmann::json& value) {
    const auto replaced = nlohmann::json::error_handler_t::replace;
    std::string out;
    for (const char c : value.dump(-1, ' ', true, replaced)) {
        if (c == '<' || c == '>' || c == '&') {
            out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
        } else {
            out += c;
        }
    }
    return out;
}

std::string policy_hash(std::string_view text) {
    static constexpr std::string_view digits =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const std::string hex = ir::sha256_hex(text);
    std::string out = "sha256-";
    std::uint32_t bits = 0;
    int count = 0;
    for (const char c : hex) {  // 4 bits each
        bits = bits << 4U | static_cast<std::uint32_t>(c <= '9' ? c - '0' : c - 'a' + 10);
        count += 4;
        while (count >= 6) {
            count -= 6;
            out += digits[bits >> static_cast<unsigned>(count) & 63U];
        }
        bits &= 63U;
    }
    // 256 bits are 42 digits and 4 bits.
    return out + digits[bits << 2U & 63U] + "=";
}

}  // namespace proviso::tools
