#include "tools/lsp/protocol.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "ir/files/limits.h"

namespace proviso::tools::lsp {

using ir::python::Position;
using nlohmann::json;

namespace {

constexpr std::size_t kHeaderBytes = 4096;
// A program, each character of it perhaps an escape.
constexpr std::size_t kBodyBytes = 4 * ir::limits::kProgramBytes;

bool same_word(std::string_view a, std::string_view b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) {
        const auto lower = [](char c) {
            return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
        };
        return lower(x) == lower(y);
    });
}

// The bytes of a code point that begins with this one; 1 for what begins none.
std::size_t bytes_of_code_point(char first) {
    const auto byte = static_cast<unsigned char>(first);
    if (byte >= 0xF0) return 4;
    if (byte >= 0xE0) return 3;
    return byte >= 0xC0 ? 2 : 1;
}

std::optional<int> hex_digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return std::nullopt;
}

bool in_word(char c) {
    return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

}  // namespace

Result<std::optional<std::string>> Inbox::next() {
    const std::size_t end = bytes_.find("\r\n\r\n");
    if (end == std::string::npos) {
        if (bytes_.size() > kHeaderBytes) return error("a header without an end");
        return std::optional<std::string>();
    }
    std::optional<std::size_t> length;
    for (std::size_t at = 0; at < end;) {
        const std::size_t stop = std::min(bytes_.find("\r\n", at), end);
        const std::string_view field = std::string_view(bytes_).substr(at, stop - at);
        const std::size_t colon = field.find(':');
        if (colon == std::string_view::npos) return error("a header line without a colon");
        std::string_view value = field.substr(colon + 1);
        const auto is_space = [](char c) { return c == ' ' || c == '\t'; };
        while (!value.empty() && is_space(value.front())) value.remove_prefix(1);
        while (!value.empty() && is_space(value.back())) value.remove_suffix(1);
        if (same_word(field.substr(0, colon), "Content-Length")) {
            std::size_t number = 0;
            const auto [rest, code] =
                std::from_chars(value.data(), value.data() + value.size(), number);
            if (code != std::errc() || rest != value.data() + value.size()) {
                return error("Content-Length is no number");
            }
            length = number;
        }
        at = stop + 2;
    }
    if (!length) return error("a message without Content-Length");
    if (*length > kBodyBytes) {
        return error("a message of more than " + std::to_string(kBodyBytes / ir::limits::kMiB) +
                     " MiB");
    }
    if (bytes_.size() < end + 4 + *length) return std::optional<std::string>();
    std::string body = bytes_.substr(end + 4, *length);
    bytes_.erase(0, end + 4 + *length);
    return std::optional<std::string>(std::move(body));
}

std::string framed(const json& message) {
    const std::string body = message.dump(-1, ' ', true, json::error_handler_t::replace);
    return "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
}

std::string path_of_uri(std::string_view uri) {
    constexpr std::string_view scheme = "file://";
    if (!uri.starts_with(scheme)) return {};
    uri.remove_prefix(scheme.size());
    const std::size_t root = uri.find('/');  // behind the host, which is nobody or this machine
    if (root == std::string_view::npos) return {};
    uri.remove_prefix(root);
    std::string out;
    for (std::size_t i = 0; i < uri.size(); ++i) {
        if (uri[i] == '%' && i + 2 < uri.size()) {
            const auto high = hex_digit(uri[i + 1]);
            const auto low = hex_digit(uri[i + 2]);
            if (high && low) {
                out += static_cast<char>(*high * 16 + *low);
                i += 2;
                continue;
            }
        }
        out += uri[i];
    }
    return std::filesystem::path(out).lexically_normal().string();
}

std::string uri_of_path(const std::string& path) {
    constexpr std::array<char, 16> digits{'0', '1', '2', '3', '4', '5', '6', '7',
                                          '8', '9', 'A', 'B', 'C', 'D', 'E', 'F'};
    std::string out = "file://";
    for (const char c : path) {
        if (in_word(c) || c == '/' || c == '.' || c == '-' || c == '~') {
            out += c;
            continue;
        }
        const auto byte = static_cast<unsigned char>(c);
        out += '%';
        out += digits[byte >> 4U];
        out += digits[byte & 15U];
    }
    return out;
}

Lines::Lines(std::string_view text) {
    while (true) {
        const std::size_t end = text.find('\n');
        std::string_view line = text.substr(0, end);
        if (line.ends_with('\r')) line.remove_suffix(1);
        lines_.push_back(line);
        if (end == std::string_view::npos) return;
        text.remove_prefix(end + 1);
    }
}

std::string_view Lines::line(int number) const {
    const auto index = static_cast<std::size_t>(number - 1);
    return number >= 1 && index < lines_.size() ? lines_[index] : std::string_view();
}

json Lines::encoded(Position at) const {
    const std::string_view text = line(at.line);
    std::size_t byte = 0;
    int units = 0;
    for (int column = 1; column < at.column && byte < text.size(); ++column) {
        const std::size_t bytes = bytes_of_code_point(text[byte]);
        units += bytes == 4 ? 2 : 1;
        byte += bytes;
    }
    return {{"line", std::max(0, at.line - 1)}, {"character", units}};
}

Position Lines::decoded(const json& at) const {
    const auto number = [&](const char* key) {
        if (!at.is_object() || !at.contains(key) || !at[key].is_number_integer()) return 0;
        return static_cast<int>(std::clamp<std::int64_t>(at[key].get<std::int64_t>(), 0, 1 << 30));
    };
    Position out{number("line") + 1, 1};
    const std::string_view text = line(out.line);
    std::size_t byte = 0;
    for (int units = number("character"); units > 0 && byte < text.size(); ++out.column) {
        const std::size_t bytes = bytes_of_code_point(text[byte]);
        units -= bytes == 4 ? 2 : 1;
        byte += bytes;
    }
    return out;
}

json Lines::range(Position from, int length) const {
    return {{"start", encoded(from)}, {"end", encoded({from.line, from.column + length})}};
}

int Lines::word_length(Position at) const {
    const std::string_view text = line(at.line);
    std::size_t byte = 0;
    for (int column = 1; column < at.column && byte < text.size(); ++column) {
        byte += bytes_of_code_point(text[byte]);
    }
    const std::size_t from = byte;
    while (byte < text.size() && in_word(text[byte])) ++byte;
    return std::max(1, static_cast<int>(byte - from));
}

}  // namespace proviso::tools::lsp
