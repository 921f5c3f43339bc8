// For tests of the reader: programs that are read, read as other text, or refused.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "ir/text.h"
#include "ir/well_formed.h"

namespace proviso::ir {

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
