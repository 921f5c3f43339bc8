// The syntax tree of the Python subset: what a reader of schedules or graphs sees.
#include "ir/text/reader/python/python.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ir/text/reader/bind.h"
#include "ir/text/spelling.h"

namespace proviso::ir {
namespace {

using python::Node;
using python::NodeKind;
using python::Statement;
using python::StatementKind;

python::Module parse(const std::string& text) {
    auto m = python::parse_python(text, "s.py");
    EXPECT_TRUE(m.ok()) << (m.ok() ? "" : m.error().str());
    return m.ok() ? *m : python::Module{};
}

TEST(Python, AScheduleIsCallsWithPositions) {
    const python::Module m = parse(R"(
# a comment
b = sch.get_block("B")
i, j = sch.get_loops(b)
io, ii = sch.split(i, factors=[None, 32])
sch.transform_layout(
    block="B",
    index_map=lambda x, y: [x // 4, y, x % 4],
    pad_value=0.0,
)
sch.simplify()
)");
    ASSERT_EQ(m.body.size(), 5U);
    EXPECT_EQ(m.body[0].at, (python::Position{3, 1}));
    EXPECT_EQ(m.body[0].value.items[0].dotted(), "sch.get_block");
    EXPECT_TRUE(m.body[0].value.is_call_of("sch.get_block"));
    EXPECT_EQ(m.body[0].value.items[1].text, "B");

    const Statement& split = m.body[2];
    ASSERT_TRUE(split.is(StatementKind::Assign));
    ASSERT_TRUE(split.target.is(NodeKind::Tuple));
    EXPECT_EQ(split.target.items[1].text, "ii");
    ASSERT_EQ(split.value.keywords.size(), 1U);
    EXPECT_EQ(split.value.keywords[0].name, "factors");
    EXPECT_EQ(split.value.keywords[0].at, (python::Position{5, 23}));
    const Node& factors = split.value.keywords[0].value;
    ASSERT_TRUE(factors.is(NodeKind::List));
    EXPECT_EQ(factors.items[0].text, "None");
    EXPECT_EQ(int_constant(factors.items[1]), 32);
    EXPECT_EQ(int_constant(factors.items[0]), std::nullopt);

    const Statement& layout = m.body[3];
    ASSERT_TRUE(layout.is(StatementKind::Expression));
    const Node& map = layout.value.keywords[1].value;
    ASSERT_TRUE(map.is(NodeKind::Lambda));
    EXPECT_EQ(map.names, (std::vector<std::string>{"x", "y"}));
    EXPECT_EQ(number_constant(layout.value.keywords[2].value), 0.0);

    // A reader's own message, at its place.
    EXPECT_EQ(m.at(map, "the map is not injective", "use x % 8").str(),
              "s.py:8:15: error: the map is not injective\n"
              "      index_map=lambda x, y: [x // 4, y, x % 4],\n"
              "                ^\n"
              "  hint: use x % 8");
}

TEST(Python, ALambdaBindsToAnIndexMap) {
    const python::Module m = parse("f(lambda x, y: (x // 4, y + n))\n");
    const Node& map = m.body[0].value.items[1];
    Context ctx;
    Scope scope;
    for (const std::string& name : map.names) scope.vars[name] = ctx.var(name, kInt32);
    const auto first = bind_expr(ctx, *m.source, map.items[0].items[0], scope);
    ASSERT_TRUE(first.ok());
    EXPECT_EQ(*first, ctx.floordiv(ctx.var("x", kInt32), ctx.i32(4)));
    const auto second = bind_expr(ctx, *m.source, map.items[0].items[1], scope, kInt32);
    ASSERT_FALSE(second.ok());
    EXPECT_EQ(second.error().str(),
              "s.py:1:29: error: `n` is not defined\n"
              "  f(lambda x, y: (x // 4, y + n))\n"
              "                              ^");
}

TEST(Python, NumbersOfAllSpellings) {
    const auto number = [](const std::string& text) {
        auto e = python::parse_python_expression(text, "");
        EXPECT_TRUE(e.ok()) << text;
        return e.ok() ? number_constant(e->node) : std::nullopt;
    };
    EXPECT_EQ(number("1e-3"), 1e-3);
    EXPECT_EQ(number("-2"), -2.0);
    EXPECT_EQ(number("0.1"), 0.1);
    EXPECT_EQ(number("T.float32(0.1)"), static_cast<double>(0.1F));
    EXPECT_EQ(number("float(\"-inf\")"), -std::numeric_limits<double>::infinity());
    EXPECT_EQ(number("True"), std::nullopt);
    EXPECT_EQ(number("x"), std::nullopt);
    EXPECT_EQ(number("1 + 1"), std::nullopt);
}

TEST(Python, TreesOfExpressions) {
    const auto tree = [](const std::string& text) {
        auto e = python::parse_python_expression(text, "");
        EXPECT_TRUE(e.ok()) << text;
        return e.ok() ? e->node : Node{};
    };
    const Node chain = tree("a < b <= c");
    ASSERT_TRUE(chain.is(NodeKind::Compare));
    EXPECT_EQ(chain.names, (std::vector<std::string>{"<", "<="}));
    const Node logic = tree("a and b and c or d");
    ASSERT_TRUE(logic.is(NodeKind::Logic));
    EXPECT_EQ(logic.text, "or");
    EXPECT_EQ(logic.items[0].items.size(), 3U);
    const Node slice = tree("A[1:2, :, i]");
    ASSERT_EQ(slice.items.size(), 4U);
    EXPECT_TRUE(slice.items[2].is(NodeKind::Slice));
    EXPECT_FALSE(slice.items[2].items[0]);
    EXPECT_EQ(tree("A[()]").items.size(), 1U);
    EXPECT_EQ(tree("\"a\" 'b'").text, "ab");
    EXPECT_EQ(tree("{1: 2, 3: 4,}").items.size(), 4U);
    EXPECT_TRUE(tree("(a)").parenthesized);
    EXPECT_TRUE(tree("(a,)").is(NodeKind::Tuple));
    const Node sum = tree("a - b * c");
    EXPECT_EQ(sum.text, "-");
    EXPECT_EQ(sum.op_at, (python::Position{1, 3}));
    EXPECT_EQ(tree("a.b.c(d)[e]").items[0].items[0].dotted(), "a.b.c");
}

TEST(Python, CompoundStatements) {
    const python::Module m = parse(
        "from tvm.script import tir as T\n"
        "@I.ir_module\n"
        "class M:\n"
        "    @R.function(private=True)\n"
        "    def main(x: R.Tensor((4,), \"f\"), y=3) -> R.Tensor:\n"
        "        with R.dataflow():\n"
        "            lv = call_tir(f, (x,), (4, 4), dtype=\"float32\")\n"
        "        return lv\n");
    EXPECT_EQ(m.body[0].text, "from tvm.script import tir as T");
    const Statement& f = m.body[1].body[0];
    EXPECT_EQ(f.text, "main");
    EXPECT_EQ(f.parameters[1].fallback.text, "3");
    EXPECT_TRUE(f.decorators[0].is_call_of("R.function"));
    EXPECT_EQ(f.annotation.dotted(), "R.Tensor");
    EXPECT_TRUE(f.body[0].is(StatementKind::With));
    EXPECT_EQ(f.body[1].value.text, "lv");
}

TEST(Spelling, TheNearestNameIsSuggested) {
    const std::vector<std::string> names = {"split", "fuse", "reorder", "unroll"};
    EXPECT_EQ(nearest_name("splt", names), "split");
    EXPECT_EQ(nearest_name("Fuse", names), "fuse");
    EXPECT_EQ(nearest_name("reodrer", names), "reorder");
    EXPECT_EQ(nearest_name("tile", names), "");
    EXPECT_EQ(nearest_name("", names), "");
    EXPECT_EQ(suggest("unrol", names), "did you mean `unroll`?");
    EXPECT_EQ(suggest("tile", names, "primitives are split, fuse"), "primitives are split, fuse");
}

}  // namespace
}  // namespace proviso::ir
