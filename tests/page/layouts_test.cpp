// The pictures of layouts: which stored cell is which cell of the tensor that callers know.
#include "tools/page/layouts.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "ir/text.h"
#include "tools/page/record.h"

namespace proviso::tools {
namespace {

using nlohmann::json;

json pictures(const std::string& program) {
    ir::Context ctx;
    const Result<ir::Function> f = ir::parse_function(ctx, program, "f.py");
    EXPECT_TRUE(f.ok()) << (f.ok() ? "" : f.error().str());
    return layouts_json(ctx, *f);
}

std::string relation(const std::string& shape, const std::string& map, const std::string& inverse,
                     const std::string& physical, const std::string& pad) {
    return R"({"index_type": "int32", "inverse": [)" + inverse + R"(], "logical_shape": [)" +
           shape + R"(], "map": [)" + map + R"(], "pad": ")" + pad +
           R"(", "padding_by": "caller", "physical_vars": [)" + physical + R"(], "vars": ["i"]})";
}

TEST(PageLayouts, EachCellIsDataOrPadding) {
    const json seen = pictures(
        "@T.prim_func\ndef f(A: T.Buffer((2, 4), \"float32\"), B: T.Buffer((1,), \"float32\")):\n"
        "    T.func_attr({\"proviso.layout\": {\"A\": [" +
        relation("\"7\"", "\"i // 4\", \"i % 4\"", "\"p0 * 4 + p1\"", "\"p0\", \"p1\"", "undef") +
        "]}})\n    B[0] = A[0, 0]\n");
    ASSERT_EQ(seen.size(), 1U);
    const json& a = seen.at(0);
    EXPECT_EQ(a.at("buffer"), "A");
    EXPECT_EQ(a.at("sizes"), "");
    EXPECT_EQ(a.at("rows"), json::parse(R"([{"at": [0], "cells": [[0], [1], [2], [3]]},
                                            {"at": [1], "cells": [[4], [5], [6], 0]}])"));
    EXPECT_EQ(a.at("padding"), json::parse(R"([{"holds": "undefined", "by": "the caller"}])"));
}

// Trap: a size without a value is no reason to draw nothing, or to draw a picture without padding.
TEST(PageLayouts, ASizeHasAValueWithPadding) {
    const json seen = pictures(
        "@T.prim_func\ndef f(A: T.Buffer(((n + 3) // 4, 4), \"float32\"), n: T.int32, "
        "B: T.Buffer((1,), \"float32\")):\n    T.func_attr({\"proviso.layout\": {\"A\": [" +
        relation("\"n\"", "\"i // 4\", \"i % 4\"", "\"p0 * 4 + p1\"", "\"p0\", \"p1\"",
                 "T.float32(0.0)") +
        "]}, \"tir_var_lower_bound\": {\"n\": 6}, \"tir_var_upper_bound\": {\"n\": 1000}})\n"
        "    B[0] = A[0, 0]\n");
    ASSERT_EQ(seen.size(), 1U);
    EXPECT_EQ(seen.at(0).at("sizes"), "n = 6");
    EXPECT_EQ(seen.at(0).at("rows").at(1),
              json::parse(R"({"at": [1], "cells": [[4], [5], 0, 0]})"));
    EXPECT_EQ(seen.at(0).at("padding").at(0).at("holds"),
              "T.float32(0.0), or the zero of the other sign");
}

// A large buffer has its first and last rows, and how many there are.
TEST(PageLayouts, ALargeBufferIsShownInPart) {
    const json seen = pictures(
        "@T.prim_func\ndef f(A: T.Buffer((1000000, 100), \"float32\"), B: T.Buffer((1,), "
        "\"float32\")):\n    T.func_attr({\"proviso.layout\": {\"A\": [" +
        relation("\"99999999\"", "\"i // 100\", \"i % 100\"", "\"p0 * 100 + p1\"", "\"p0\", \"p1\"",
                 "none") +
        "]}})\n    B[0] = A[0, 0]\n");
    const json& a = seen.at(0);
    EXPECT_EQ(a.at("rows").size(), 24U);
    EXPECT_EQ(a.at("rows").at(0).at("cells").size(), 64U);
    EXPECT_EQ(a.at("all_rows"), 1000000);
    EXPECT_EQ(a.at("all_columns"), 100);
    EXPECT_EQ(a.at("rows").at(23).at("at"), json::array({999999}));
}

// Trap: nobody has checked the list of calls in a log, and the page makes room for what it says.
TEST(PageRecord, CallsThatTakeMoreStepsThanALogHasAreIgnored) {
    const auto calls = [](const std::string& steps) {
        const std::string call =
            R"({"caller":0,"file":"","line":1,"name":"a","steps":)" + steps + "}";
        return schedule_json("x = 1\n# calls: [" + call + "," + call + "]\n").at("calls");
    };
    EXPECT_EQ(calls("2").size(), 2U);
    for (const char* steps : {"4294967295", "9223372036854775807", "600000", "-1", "\"2\""}) {
        EXPECT_EQ(calls(steps), json()) << steps;
    }
}

// Trap: a log with large claims makes a page that no browser opens.
TEST(PageRecord, TextsOfClaimsHaveALimit) {
    ir::Context ctx;
    analysis::Obligation claim;
    claim.goal = *ir::parse_expr(ctx, "1 < 2", {});
    claim.facts = {*ir::parse_expr(ctx, "3 < 4", {})};
    std::string large(kMostText / 2 + 1, 'x');
    const json seen = claims_json({claim, claim, claim, claim}, [&](std::size_t) { return large; });
    EXPECT_EQ(seen.at("claims").at(1).at("goal"), "1 < 2");
    EXPECT_EQ(seen.at("claims").at(1).at("facts"), json::array({0}));
    EXPECT_EQ(seen.at("claims").at(2), json());
    EXPECT_EQ(seen.at("left_out"), 2);
    EXPECT_EQ(seen.at("facts"), json::array({"3 < 4"}));
}

}  // namespace
}  // namespace proviso::tools
