// Text for a page: whatever it holds, it stays text.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace proviso::tools {

// Text as HTML, between tags or in a quoted attribute. Characters that change how others are shown,
// such as those that turn the direction of writing, appear as "\u202e".
std::string html_text(std::string_view text);

// JSON that may stand in a <script> element: ASCII, without `<`, `>` and `&`. Bytes that are no
// UTF-8 become U+FFFD.
std::string script_json(const nlohmann::json& value);

// What a content security policy calls an element's text: "sha256-…" in Base64.
std::string policy_hash(std::string_view text);

}  // namespace proviso::tools
