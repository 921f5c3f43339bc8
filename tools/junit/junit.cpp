#include "tools/junit/junit.h"

#include <algorithm>
#include <cstdint>

namespace proviso::tools {

namespace {

bool continues(unsigned char byte) {
    return (byte & 0xC0U) == 0x80U;
}

// Bytes of the character at `at`; 0 where it is no UTF-8, or none that XML 1.0 allows.
std::size_t character_at(const std::string& text, std::size_t at) {
    const auto byte = static_cast<unsigned char>(text[at]);
    if (byte < 0x80) {
        const bool allowed = byte >= 0x20 ? byte != 0x7f : byte == '\n' || byte == '\t';
        return allowed ? 1 : 0;
    }
    const std::size_t size = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC0 ? 2 : 0;
    if (size == 0 || byte > 0xF7 || text.size() - at < size) return 0;
    std::uint32_t code = byte & (0xFFU >> (size + 1));
    for (std::size_t k = 1; k < size; ++k) {
        const auto next = static_cast<unsigned char>(text[at + k]);
        if (!continues(next)) return 0;
        code = code << 6U | (next & 0x3FU);
    }
    const std::uint32_t least = size == 2 ? 0x80 : size == 3 ? 0x800 : 0x10000;
    const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
    const bool control = code < 0xA0;
    const bool none = code == 0xFFFE || code == 0xFFFF || code > 0x10FFFF;
    return code < least || surrogate || control || none ? 0 : size;
}

// As it stands in an element and in an attribute.
std::string escaped(const std::string& text) {
    constexpr const char* digits = "0123456789abcdef";
    std::string out;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t size = character_at(text, at);
        const auto byte = static_cast<unsigned char>(text[at]);
        if (size == 0) {
            out += {'\\', 'x', digits[byte / 16], digits[byte % 16]};
        } else if (size > 1) {
            out.append(text, at, size);
        } else {
            switch (byte) {
                case '&': out += "&amp;"; break;
                case '<': out += "&lt;"; break;
                case '>': out += "&gt;"; break;
                case '"': out += "&quot;"; break;
                case '\n': out += "&#10;"; break;
                case '\t': out += "&#9;"; break;
                default: out += static_cast<char>(byte);
            }
        }
        at += std::max<std::size_t>(size, 1);
    }
    return out;
}

std::string attribute(const char* name, const std::string& value) {
    return std::string(" ") + name + "=\"" + escaped(value) + "\"";
}

std::string counts(const JUnitSuite& suite) {
    const auto failed = std::count_if(suite.cases.begin(), suite.cases.end(),
                                      [](const JUnitCase& c) { return !c.failure.empty(); });
    return attribute("tests", std::to_string(suite.cases.size())) +
           attribute("failures", std::to_string(failed)) + attribute("errors", "0") +
           attribute("skipped", "0");
}

}  // namespace

std::string junit_xml(const JUnitSuite& suite) {
    std::string out = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites" + counts(suite) +
                      ">\n  <testsuite" + attribute("name", suite.name) + counts(suite) + ">\n";
    if (!suite.properties.empty()) {
        out += "    <properties>\n";
        for (const auto& [name, value] : suite.properties) {
            out += "      <property" + attribute("name", name) + attribute("value", value) + "/>\n";
        }
        out += "    </properties>\n";
    }
    for (const JUnitCase& c : suite.cases) {
        out += "    <testcase" + attribute("classname", suite.group) + attribute("name", c.name);
        if (c.failure.empty()) {
            out += "/>\n";
            continue;
        }
        out += ">\n      <failure" + attribute("type", c.failure) +
               attribute("message", c.message) + ">" + escaped(c.details) +
               "</failure>\n    </testcase>\n";
    }
    return out + "  </testsuite>\n</testsuites>\n";
}

}  // namespace proviso::tools
