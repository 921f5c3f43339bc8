#include "verify/sign/envelope.h"

#include <openssl/evp.h>

#include <algorithm>
#include <climits>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <vector>

#include "ir/check.h"
#include "ir/files/json_text.h"
#include "ir/files/limits.h"
#include "verify/log/format.h"
#include "verify/sign/bytes.h"

namespace proviso::verify {

using nlohmann::json;

namespace {

std::string base64(std::string_view bytes) {
    PROVISO_CHECK(bytes.size() < INT_MAX / 2, "base64: too long");
    std::string out((bytes.size() + 2) / 3 * 4 + 1, '\0');  // and a zero byte
    const int size = EVP_EncodeBlock(reinterpret_cast<unsigned char*>(out.data()), bytes_of(bytes),
                                     static_cast<int>(bytes.size()));
    out.resize(static_cast<std::size_t>(size));
    return out;
}

// Of either alphabet; of all texts for the same bytes only the one that base64() writes.
std::optional<std::string> from_base64(std::string text) {
    if (text.size() % 4 != 0 || text.size() > INT_MAX) return std::nullopt;
    std::replace(text.begin(), text.end(), '-', '+');
    std::replace(text.begin(), text.end(), '_', '/');
    std::string out(text.size() / 4 * 3, '\0');
    const int size = EVP_DecodeBlock(reinterpret_cast<unsigned char*>(out.data()), bytes_of(text),
                                     static_cast<int>(text.size()));
    if (size < 0) return std::nullopt;
    const auto padding = static_cast<std::size_t>(std::count(text.begin(), text.end(), '='));
    if (padding > 2) return std::nullopt;
    out.resize(out.size() - padding);
    return base64(out) == text ? std::optional(std::move(out)) : std::nullopt;
}

std::optional<std::string> text_member(const json& object, const char* key) {
    const auto it = object.is_object() ? object.find(key) : object.end();
    if (it == object.end() || !it->is_string()) return std::nullopt;
    return it->get<std::string>();
}

std::optional<std::string> bytes_member(const json& object, const char* key) {
    std::optional<std::string> text = text_member(object, key);
    return text ? from_base64(*std::move(text)) : std::nullopt;
}

// A name that an object has twice: readers may differ in which value counts.
std::optional<std::string> name_twice(const std::string& text) {
    std::vector<std::set<std::string>> open;
    std::optional<std::string> found;
    const json::parser_callback_t look = [&](int, json::parse_event_t event, json& part) {
        if (event == json::parse_event_t::object_start) open.emplace_back();
        if (event == json::parse_event_t::object_end) open.pop_back();
        if (event == json::parse_event_t::key && !found) {
            const std::string name = part.get<std::string>();
            if (!open.back().insert(name).second) found = name;
        }
        return true;
    };
    const json all = json::parse(text, look, false);
    return all.is_discarded() ? std::nullopt : found;
}

}  // namespace

std::string signed_bytes(std::string_view payload_type, std::string_view payload) {
    std::string out = "DSSEv1 " + std::to_string(payload_type.size()) + " ";
    out += payload_type;
    out += " " + std::to_string(payload.size()) + " ";
    out += payload;
    return out;
}

std::string envelope_text(const Envelope& e) {
    json signatures = json::array();
    for (const Signature& s : e.signatures) {
        signatures.push_back({{"keyid", s.keyid}, {"sig", base64(s.bytes)}});
    }
    return canonical(json{{"payload", base64(e.payload)},
                          {"payloadType", e.payload_type},
                          {"signatures", signatures}}) +
           "\n";
}

Result<Envelope> read_envelope(const std::string& text) {
    if (const std::string excess = ir::json_excess(text); !excess.empty()) return error(excess);
    if (const auto name = name_twice(text)) {
        return error("holds \"" + *name + "\" twice in one object",
                     "of two values nobody can say which one is meant");
    }
    const json value = ir::parse_json(text);
    const auto type = text_member(value, "payloadType");
    std::optional<std::string> payload = bytes_member(value, "payload");
    const json signatures = value.is_object() ? value.value("signatures", json()) : json();
    if (!type || !payload || !signatures.is_array()) return error("is no DSSE envelope");
    if (signatures.size() > ir::limits::kLogSignatures) {
        return error("has more than " + std::to_string(ir::limits::kLogSignatures) + " signatures");
    }
    Envelope out{*type, *std::move(payload), {}};
    for (const json& s : signatures) {
        std::optional<std::string> bytes = bytes_member(s, "sig");
        if (!bytes) return error("holds a signature that is no base64");
        out.signatures.push_back({text_member(s, "keyid").value_or(""), *std::move(bytes)});
    }
    return out;
}

}  // namespace proviso::verify
