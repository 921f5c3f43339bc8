// The quick reader of rules' texts: what it reads, it reads as the reader of programs does.
#include "rewrite/expression_rules/pattern_reader.h"

#include <gtest/gtest.h>

#include "ir/text.h"
#include "rewrite/expression_rules/expression_rule.h"

namespace proviso::rewrite {
namespace {

using ir::Expr;

std::vector<std::string> parts(std::string_view text) {
    std::vector<std::string> out;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(';'), text.size());
        out.emplace_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return out;
}

// All texts of a rule, and those of its needs without the words around them.
std::vector<std::string> texts_of(const ExpressionRule& rule) {
    std::vector<std::string> out = {std::string(rule.left), std::string(rule.right)};
    if (!rule.where.empty()) out.emplace_back(rule.where);
    for (std::string need : parts(rule.needs)) {
        const std::size_t open = need.find("in_range(");
        if (open != std::string::npos) need = need.substr(open + 8);  // in brackets
        out.push_back(need);
    }
    return out;
}

TEST(PatternReader, ReadsTheLibraryAsTheReaderOfProgramsDoes) {
    int read = 0;
    int left = 0;
    for (const ir::ScalarType kind : ir::all_scalar_types()) {
        ir::Context ctx;
        PatternReader reader(ctx, kind);
        for (const ExpressionRule& rule : expression_rules()) {
            if (!rule.kinds.contains(kind)) continue;
            for (const std::string& text : texts_of(rule)) {
                Expr quick = reader.read(text, std::nullopt);
                const auto slow = parse_pattern(ctx, text, kind, std::nullopt, "rule");
                if (quick != nullptr) {
                    ASSERT_TRUE(slow.ok()) << text;
                    ASSERT_EQ(quick, *slow) << text << " for " << kind.str();
                }
                (quick != nullptr ? read : left) += kind.is_float() ? 0 : 1;
            }
        }
    }
    EXPECT_GT(read, 50 * left);
}

TEST(PatternReader, WhatItExpectsIsAType) {
    ir::Context ctx;
    PatternReader reader(ctx, ir::kInt64);
    EXPECT_EQ(reader.read("5", ir::kInt64), ctx.int_imm(ir::kInt64, 5));
    EXPECT_EQ(reader.read("-5", ir::kInt64), ctx.int_imm(ir::kInt64, -5));
    EXPECT_EQ(reader.read("5", std::nullopt), ctx.i32(5));
    EXPECT_EQ(reader.read("KIND_MIN", ir::kInt64), ctx.int_imm(ir::kInt64, INT64_MIN));
    EXPECT_EQ(reader.read("5", ir::kBool), nullptr);
    EXPECT_EQ(reader.read("x", ir::kBool), nullptr);
    EXPECT_EQ(reader.read("p", ir::kBool), ctx.var("p", ir::kBool));
}

// Texts at the edge of what it knows, and wrong ones: it says nothing, or what the other one says.
TEST(PatternReader, NeverReadsWhatIsWrong) {
    for (const ir::ScalarType kind : {ir::kInt32, ir::kUInt8, ir::kBool, ir::kFloat32}) {
        ir::Context ctx;
        PatternReader reader(ctx, kind);
        for (const char* text : {"",
                                 " ",
                                 "x +",
                                 "x y",
                                 "(x",
                                 "x)",
                                 "()",
                                 "x = y",
                                 "x < y < z",
                                 "x ** 2",
                                 "x / y",
                                 "- - x",
                                 "-(-5)",
                                 "--5",
                                 "-(5)",
                                 "5 + 3",
                                 "5 + 3 + x",
                                 "x + (5 + 3)",
                                 "1 < 2",
                                 "x < 5.0",
                                 "x + 05",
                                 "x + 0",
                                 "x + 00",
                                 "x + 0x1f",
                                 "x + 1_0",
                                 "x + 5a",
                                 "x + 99999",
                                 "x + 999999999999999999999999",
                                 "x - KIND_MIN",
                                 "x - -KIND_MIN",
                                 "KIND_MAX - x",
                                 "-KIND_MIN < x",
                                 "-KIND_MAX < x",
                                 "KIND",
                                 "x.y",
                                 "T.min(x)",
                                 "T.min(x, y, z)",
                                 "T.min(x, y,)",
                                 "T.min(1, 2)",
                                 "T.min(1, x)",
                                 "T.min (x, y)",
                                 "T.min",
                                 "T. min(x, y)",
                                 "T.no(x)",
                                 "T.Select(p, 1, 0)",
                                 "T.Select(p, 1, x)",
                                 "T.Select(x, 1, x)",
                                 "T.Select(p, p, q)",
                                 "T.if_then_else(p, x, 0)",
                                 "T.Cast('KIND', x)",
                                 "T.Cast('WIDE', x) < 3",
                                 "T.Cast('none', x)",
                                 "T.Cast('KIND', 3)",
                                 "T.Cast('KIND, x)",
                                 "T.Cast(\"KIND\", x)",
                                 "T.abs(x)",
                                 "T.abs(-3)",
                                 "T.abs(p)",
                                 "not x",
                                 "not p",
                                 "not not p",
                                 "p and not q or r",
                                 "p or q or r",
                                 "p and (q and r)",
                                 "(p and q) and r",
                                 "p == q",
                                 "p == True",
                                 "p == 1",
                                 "p + q",
                                 "p < q",
                                 "-p",
                                 "p and x",
                                 "p or 3",
                                 "p &q",
                                 "x & y | z ^ w",
                                 "x << 1 + y",
                                 "x >> 1 < y",
                                 "x > y",
                                 "x >= y == p",
                                 "(x > y) == p",
                                 "x != not p",
                                 "x if p else y",
                                 "~x",
                                 "+x",
                                 "x + -y * -z",
                                 "x % y // z * w",
                                 "X",
                                 "xy",
                                 "c5",
                                 "c0+c1",
                                 "\tx",
                                 "x # y",
                                 "x == y and p",
                                 "True",
                                 "None",
                                 "true"}) {
            Expr quick = reader.read(text, std::nullopt);
            if (quick == nullptr) continue;
            const auto slow = parse_pattern(ctx, text, kind, std::nullopt, "text");
            ASSERT_TRUE(slow.ok()) << text << " for " << kind.str() << ": " << ir::print(quick);
            EXPECT_EQ(quick, *slow) << text << " for " << kind.str();
        }
    }
}

TEST(PatternReader, DeepBracketsAreLeftToTheReaderOfPrograms) {
    ir::Context ctx;
    PatternReader reader(ctx, ir::kInt32);
    EXPECT_EQ(reader.read(std::string(100'000, '(') + "x", std::nullopt), nullptr);
    EXPECT_EQ(reader.read(std::string(100'000, '-') + "x", std::nullopt), nullptr);
    std::string text = "p";
    for (int i = 0; i < 1000; ++i) text = "not " + text;
    EXPECT_EQ(reader.read(text, std::nullopt), nullptr);
    EXPECT_NE(reader.read("x + 1", std::nullopt), nullptr);
}

}  // namespace
}  // namespace proviso::rewrite
