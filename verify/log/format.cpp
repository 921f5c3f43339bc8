#include "verify/log/format.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "ir/check.h"
#include "ir/text.h"

namespace proviso::verify {

using nlohmann::json;

std::string versions() {
    return "semantics " + std::to_string(kSemanticsVersion) + ", proof log " +
           std::to_string(kLogVersion);
}

const std::vector<std::string>& log_file_names() {
    static const std::vector<std::string> all = {kRunFile,      kRunDigestFile, kStepsFile,
                                                 kRefusalsFile, kObjectsFile,   kEnvelopeFile,
                                                 kTimingFile};
    return all;
}

const std::vector<std::string>& policies() {
    static const std::vector<std::string> all = {"E1", "E2", "E3", "E1+v", "E2+v", "E3+v"};
    return all;
}

int policy_grade(const std::string& policy) {
    const std::vector<std::string>& all = policies();
    const bool known = std::find(all.begin(), all.end(), policy) != all.end();
    return known ? policy[1] - '0' : 0;
}

bool policy_validates(const std::string& policy) {
    return policy_grade(policy) != 0 && policy.size() > 2;
}

std::string canonical(const json& value) {
    return value.dump(-1, ' ', true, json::error_handler_t::replace);
}

bool has_float(const json& value) {
    if (value.is_number_float()) return true;
    if (!value.is_structured()) return false;
    for (const json& item : value) {
        if (has_float(item)) return true;
    }
    return false;
}

std::string digest(std::string_view bytes) {
    return "sha256:" + ir::sha256_hex(bytes);
}

std::string digest_hex(const std::string& text) {
    const std::string prefix = "sha256:";
    return text.rfind(prefix, 0) == 0 ? text.substr(prefix.size()) : text;
}

bool is_hex_digest(const std::string& text) {
    return text.size() == 64 && text.find_first_not_of("0123456789abcdef") == std::string::npos;
}

std::string chain_start() {
    return "sha256:" + std::string(64, '0');
}

namespace {

std::string raw(const std::string& hex) {
    const auto value = [](char c) { return c <= '9' ? c - '0' : c - 'a' + 10; };
    std::string out;
    out.reserve(hex.size() / 2);
    for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
        out.push_back(static_cast<char>(16 * value(hex[i]) + value(hex[i + 1])));
    }
    return out;
}

std::string raw_sha256(const std::string& bytes) {
    return raw(ir::sha256_hex(bytes));
}

}  // namespace

std::string merkle_root(const std::vector<std::string>& lines) {
    if (lines.empty()) return digest("");
    std::vector<std::string> level;
    level.reserve(lines.size());
    for (const std::string& line : lines) level.push_back(raw_sha256(std::string(1, '\0') + line));
    while (level.size() > 1) {
        std::vector<std::string> up;
        for (std::size_t i = 0; i < level.size(); i += 2) {
            const bool pair = i + 1 < level.size();
            up.push_back(pair ? raw_sha256(std::string(1, '\1') + level[i] + level[i + 1])
                              : level[i]);
        }
        level = std::move(up);
    }
    std::string hex;
    for (const char c : level[0]) {
        const auto byte = static_cast<unsigned char>(c);
        hex += "0123456789abcdef"[byte >> 4];
        hex += "0123456789abcdef"[byte & 15];
    }
    return "sha256:" + hex;
}

json chain_summary(const std::vector<std::string>& lines) {
    json hashes = json::array();
    for (const std::string& line : lines) hashes.push_back(digest(line));
    return json{{"count", lines.size()},
                {"last", lines.empty() ? chain_start() : digest(lines.back())},
                {"root", merkle_root(lines)},
                {"lines", hashes}};
}

}  // namespace proviso::verify
