// Signatures of a statement as a DSSE envelope (Dead Simple Signing Envelope, protocol and JSON
// form v1, github.com/secure-systems-lab/dsse): the payload is run.json, byte for byte.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ir/result.h"

namespace proviso::verify {

inline constexpr const char* kPayloadType = "application/vnd.in-toto+json";

struct Signature {
    std::string keyid;  // who says to have signed; a hint, of which nothing is believed
    std::string bytes;
};

struct Envelope {
    std::string payload_type = kPayloadType;
    std::string payload;
    std::vector<Signature> signatures;
};

// What is signed, the pre-authentication encoding: "DSSEv1 28 application/… 12 …".
std::string signed_bytes(std::string_view payload_type, std::string_view payload);

// One line of JSON, base64 in it.
std::string envelope_text(const Envelope& envelope);
// Members that are not known are ignored, as the protocol says.
Result<Envelope> read_envelope(const std::string& text);

}  // namespace proviso::verify
