// Layout relations that a user wrote: whatever is wrong with them is a message, never an abort.
#include "analysis/layout/layout_check.h"

#include <gtest/gtest.h>

#include "analysis/facts/facts.h"
#include "analysis/layout/layout.h"
#include "analysis/layout/layout_obligations.h"
#include "analysis/prover/prover.h"
#include "ir/text.h"

namespace proviso::analysis {
namespace {

using namespace ir;

class LayoutCheck : public testing::Test {
  protected:
    Context ctx;
    Function f;

    void SetUp() override {
        const Result<Function> parsed = parse_function(
            ctx, "@T.prim_func\ndef f(A: T.Buffer((4, 4), \"float32\")):\n    pass\n", "<test>");
        ASSERT_TRUE(parsed.ok()) << parsed.error().str();
        Layout layout;
        layout.buffer = "A";
        Expr x = ctx.var("x", kInt32);
        Expr p = ctx.var("p", kInt32);
        Expr q = ctx.var("q", kInt32);
        layout.logical_shape = {ctx.i32(14)};
        layout.vars = {x};
        layout.map = {ctx.floordiv(x, ctx.i32(4)), ctx.floormod(x, ctx.i32(4))};
        layout.physical_vars = {p, q};
        layout.inverse = {ctx.add(ctx.mul(p, ctx.i32(4)), q)};
        layout.pad_kind = PadKind::Value;
        layout.pad = ctx.float_imm(kFloat32, 0.0);
        f = with_layout(*parsed, layout);
    }

    AttrValue::Dict& relation() {
        auto& all = std::get<AttrValue::Dict>(f.attrs.at(kLayoutAttr).value);
        return std::get<AttrValue::Dict>(std::get<AttrValue::List>(all.at("A").value).at(0).value);
    }
    std::string message() {
        const Status status = check_layouts(ctx, f);
        return status.ok() ? "" : status.error().message;
    }
    static AttrValue list(std::initializer_list<std::string> items) {
        AttrValue::List out;
        for (const std::string& item : items) out.push_back(AttrValue{item});
        return AttrValue{out};
    }
};

TEST_F(LayoutCheck, WhatWithLayoutWritesIsFine) {
    EXPECT_EQ(message(), "");
    f.attrs.clear();
    EXPECT_EQ(message(), "");
}

// A wrong inverse would pass data off as padding: cells 0 to 3 would not be images of any.
TEST_F(LayoutCheck, TheInverseIsProved) {
    Prover prover(ctx, {});
    EXPECT_TRUE(prove_layouts(ctx, f, prover).ok());
    relation()["inverse"] = list({"p * 4 + q + 4"});
    EXPECT_EQ(message(), "");
    const Status no = prove_layouts(ctx, f, prover);
    ASSERT_FALSE(no.ok());
    EXPECT_NE(no.error().message.find("the inverse takes each physical cell back"),
              std::string::npos);
    relation()["inverse"] = list({"p * 4 + q"});
    relation()["map"] = list({"x // 2", "x % 2"});
    EXPECT_FALSE(prove_layouts(ctx, f, prover).ok());
}

// What no step has shown of padding, the relation owes: or a licence would take a cell that nobody
// provides for one of the caller's.
TEST_F(LayoutCheck, WhatPaddingHoldsIsProved) {
    Prover prover(ctx, {});
    relation()["padding_by"] = AttrValue{std::string("caller")};
    const auto no = [&](const std::string& pad) {
        relation()["pad"] = AttrValue{pad};
        EXPECT_EQ(message(), "") << pad;
        const Status status = prove_layouts(ctx, f, prover);
        return status.ok() ? "" : status.error().message;
    };
    EXPECT_EQ(no("A[0, q]"), "");
    EXPECT_NE(no("A[p, q]").find("the cell that padding repeats is data"), std::string::npos);
    EXPECT_NE(no("A[p + 1000, q]").find("is data"), std::string::npos);
    EXPECT_EQ(no("T.Cast(\"float32\", p // (q + 1))"), "");
    EXPECT_NE(no("T.Cast(\"float32\", p // (q - 2))").find("computed without a fault"),
              std::string::npos);
    EXPECT_EQ(no("T.float32(0.0)"), "");
    relation()["logical_shape"] = list({"-14"});
    EXPECT_NE(no("T.float32(0.0)").find("the logical extent is not negative"), std::string::npos);
}

// Only floats that the caller provides can be promised bit for bit, and there is one word for it.
TEST_F(LayoutCheck, PaddingBitForBitIsPromisedByTheCallerOfFloats) {
    const auto text = [](const char* t) { return AttrValue{std::string(t)}; };
    relation()[kExactKey] = text(kExactValue);
    EXPECT_NE(message().find("is about floats that the caller provides"), std::string::npos);
    relation()["padding_by"] = text("caller");
    EXPECT_EQ(message(), "");
    EXPECT_TRUE(layouts_of(ctx, f, "A").at(0).exact);
    for (const char* nothing : {"none", "undef"}) {
        relation()["pad"] = text(nothing);
        EXPECT_NE(message().find("is about floats"), std::string::npos) << nothing;
    }
    relation()["pad"] = text("A[0, q]");
    EXPECT_EQ(message(), "");
    relation()[kExactKey] = text("number");
    EXPECT_NE(message().find("'padding_holds' is number"), std::string::npos) << message();
    relation().erase(kExactKey);
    relation()["padding_hold"] = text(kExactValue);
    EXPECT_NE(message().find("other keys than it should"), std::string::npos);
}

// Both promises in words: of a zero, which zeros; of anything else, nothing more.
TEST_F(LayoutCheck, BothPromisesAreSpelledOut) {
    const auto said = [&](const char* pad, bool exact, const char* by = "caller") {
        relation()["pad"] = AttrValue{std::string(pad)};
        relation()["padding_by"] = AttrValue{std::string(by)};
        relation().erase(kExactKey);
        if (exact) relation()[kExactKey] = AttrValue{std::string(kExactValue)};
        const std::string out = describe(layouts_of(ctx, f, "A").at(0));
        return out.substr(out.find("padding"));
    };
    EXPECT_EQ(said("T.float32(0.0)", false),
              "padding holds T.float32(0.0) or T.float32(-0.0) (provided by the caller)");
    EXPECT_EQ(said("T.float32(-0.0)", false),
              "padding holds T.float32(-0.0) or T.float32(0.0) (provided by the caller)");
    EXPECT_EQ(said("T.float32(0.0)", true),
              "padding holds T.float32(0.0), bit for bit (provided by the caller)");
    EXPECT_EQ(said("T.float32(0.0)", false, "function"),
              "padding holds T.float32(0.0), bit for bit (written here)");
    for (const bool exact : {false, true}) {
        EXPECT_EQ(said("T.float32(1.5)", exact),
                  "padding holds T.float32(1.5) (provided by the caller)");
    }
    EXPECT_EQ(said("A[0, q]", true),
              "padding holds what A[0, q] holds, bit for bit (provided by the caller)");
    EXPECT_EQ(said("A[0, q]", false),
              "padding holds what A[0, q] holds, where that is zero a zero of either sign "
              "(provided by the caller)");
}

TEST_F(LayoutCheck, IndicesHaveTheTypeOfTheExtents) {
    relation()["index_type"] = AttrValue{std::string("int64")};
    EXPECT_NE(message().find("'index_type' is not the type of the extents"), std::string::npos);
}

TEST_F(LayoutCheck, WhatMayBeIndeterminateIsAListOfParameters) {
    f.attrs[kIndetAttr] = list({"A"});
    EXPECT_EQ(message(), "");
    f.attrs[kIndetAttr] = list({"A", "nobody"});
    EXPECT_NE(message(), "");
    f.attrs[kIndetAttr] = AttrValue{std::string("A")};
    EXPECT_NE(message(), "");
    f.attrs[kIndetAttr] = AttrValue{AttrValue::List{AttrValue{std::int64_t{3}}}};
    EXPECT_NE(message(), "");
}

TEST_F(LayoutCheck, EveryMistakeIsAMessage) {
    const Function good = f;
    const auto broken = [&](const char* key, AttrValue value) {
        f = good;
        relation()[key] = std::move(value);
        return message();
    };
    EXPECT_NE(broken("map", list({"x // 4"})), "");
    EXPECT_NE(broken("map", list({"x // 4", "y % 4"})), "");
    EXPECT_NE(broken("map", list({"x // 4", "A[0, 0]"})), "");
    EXPECT_NE(broken("map", list({"x //", "x % 4"})), "");
    // Text that prints otherwise: the audit compares what it has read with what is written.
    EXPECT_NE(broken("map", list({"(x // 4)", "x % 4"})).find("is written 'x // 4'"),
              std::string::npos);
    EXPECT_NE(broken("inverse", list({})), "");
    EXPECT_NE(broken("vars", list({"x", "x"})), "");
    EXPECT_NE(broken("vars", AttrValue{std::string("x")}), "");
    EXPECT_NE(broken("vars", AttrValue{AttrValue::List{AttrValue{std::int64_t{3}}}}), "");
    EXPECT_NE(broken("index_type", AttrValue{std::string("float32")}), "");
    EXPECT_NE(broken("pad", AttrValue{0.0}), "");
    EXPECT_NE(broken("pad", AttrValue{std::string("T.undef(\"float32\")")}), "");
    EXPECT_NE(broken("padding_by", AttrValue{std::string("nobody")}), "");
    EXPECT_NE(broken("colour", AttrValue{std::string("red")}), "");
    f = good;
    relation().erase("pad");
    EXPECT_NE(message(), "");
    f = good;
    f.attrs[kLayoutAttr] = AttrValue{true};
    EXPECT_NE(message(), "");
    f.attrs[kLayoutAttr] = AttrValue{AttrValue::Dict{{"Z", list({})}}};
    EXPECT_NE(message(), "");
}

}  // namespace
}  // namespace proviso::analysis
