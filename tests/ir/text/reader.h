// For tests of the reader: programs that are read, read as other text, or refused.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "ir/text.h"
#include "ir/well_formed.h"

namespace proviso::ir {

// A text with a few characters taken out, put in or moved.
inline std::string damaged(const std::string& text, std::uint32_t cut) {
    std::string out = text;
    const std::size_t at = cut % out.size();
    const std::size_t from = (cut / 7) % out.size();
    switch (cut % 4) {
        case 0: return out.erase(at, 1 + cut % 5);
        case 1: return out.insert(at, text.substr(from, 1 + cut % 9));
        case 2: out[at] = text[from]; return out;
        default: return out.replace(at, 3, text.substr(from, 3));
    }
}

// What is wrong with how such a text is taken; empty: it is read, and prints and reads back as the
// same well-formed program, or it is refused with a message at a place.
inline std::string neither_read_nor_refused(Context& ctx, const std::string& text) {
    const auto back = parse_function(ctx, text, "damaged");
    if (!back) {
        const bool placed = !back.error().message.empty() && back.error().line > 0;
        return placed ? "" : back.error().str() + "\n" + text;
    }
    if (!well_formed(*back).empty()) return "not well-formed:\n" + text;
    const auto again = parse_function(ctx, print(*back), "again");
    if (again && *again == *back) return "";
    return (again ? "another program" : again.error().str()) + "\n" + text + print(*back);
}

struct TextReader : testing::Test {
    Context ctx;

    Function read(const std::string& text) {
        auto f = parse_function(ctx, text, "f.py");
        EXPECT_TRUE(f.ok()) << text << (f.ok() ? "" : f.error().str());
        return f.ok() ? *f : Function{"none", {}, {}, ctx.pass()};
    }
    // Canonical: prints as it was written.
    void canonical(const std::string& text) {
        const Function f = read(text);
        EXPECT_EQ(print(f), text);
        EXPECT_THAT(well_formed(f), testing::IsEmpty());
    }
    // The same program: the canonical text reads as the same handles as the text given.
    void reads_as(const std::string& text, const std::string& canonical_text) {
        const Function f = read(text);
        EXPECT_EQ(print(f), canonical_text);
        EXPECT_TRUE(read(canonical_text) == f) << text;
    }
    // The body of a function of these parameters, one level indented.
    static std::string function(const std::string& params, const std::string& body) {
        std::string out = "@T.prim_func\ndef f(" + params + "):\n";
        std::size_t begin = 0;
        while (begin < body.size()) {
            const std::size_t end = body.find('\n', begin);
            out += "    " + body.substr(begin, end - begin) + "\n";
            begin = end == std::string::npos ? body.size() : end + 1;
        }
        return out;
    }
    static constexpr const char* kParams =
        "A: T.Buffer((8, 8), \"float32\"), B: T.Buffer((8,), \"int32\"), n: T.int32";
    void body(const std::string& text) { canonical(function(kParams, text)); }
    void body_as(const std::string& text, const std::string& canonical_text) {
        reads_as(function(kParams, text), function(kParams, canonical_text));
    }
    std::string fails(const std::string& text) {
        auto f = parse_function(ctx, text, "f.py");
        EXPECT_FALSE(f.ok()) << "was read as\n" << print(*f);
        return f.ok() ? "" : f.error().str();
    }
    std::string body_fails(const std::string& text) { return fails(function(kParams, text)); }
};

}  // namespace proviso::ir
