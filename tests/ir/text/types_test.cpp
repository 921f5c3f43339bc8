// Operands of different types, and numbers beside an operand: as TVM's parser types them.
#include <limits>

#include "tests/ir/text/results.h"

namespace proviso::ir {
namespace {

using testing::HasSubstr;

struct TextTypes : TextResults {
    static std::string program(const std::string& line) {
        std::string parameters;
        const std::pair<const char*, const char*> buffers[] = {
            {"i8", "int8"},   {"u8", "uint8"},   {"i16", "int16"}, {"u16", "uint16"},
            {"i", "int32"},   {"u", "uint32"},   {"l", "int64"},   {"ul", "uint64"},
            {"h", "float16"}, {"g", "bfloat16"}, {"f", "float32"}, {"d", "float64"},
            {"b", "bool"},
        };
        for (const auto& [name, type] : buffers) {
            parameters += std::string(parameters.empty() ? "" : ", ") + name +
                          ": T.Buffer((4,), \"" + type + "\")";
        }
        return function(parameters, line);
    }
    void means(const std::string& line, const std::string& typed) {
        reads_as(program(line), program(typed));
    }
    std::string refused(const std::string& line) { return fails(program(line)); }
};

TEST_F(TextTypes, NumbersBesideNarrowIntegersAreInt32) {
    means("i[0] = u8[0] - 5", "i[0] = T.Cast(\"int32\", u8[0]) - 5");
    means("i[0] = 5 - u8[0]", "i[0] = 5 - T.Cast(\"int32\", u8[0])");
    means("u8[0] = u8[0] + 1", "u8[0] = T.Cast(\"uint8\", T.Cast(\"int32\", u8[0]) + 1)");
    means("u8[0] += 1", "u8[0] = T.Cast(\"uint8\", T.Cast(\"int32\", u8[0]) + 1)");
    means("i8[0] = T.max(i8[0], -128)",
          "i8[0] = T.Cast(\"int8\", T.max(T.Cast(\"int32\", i8[0]), -128))");
    means("i16[0] = T.ceildiv(i16[0], 2)",
          "i16[0] = T.Cast(\"int16\", (T.Cast(\"int32\", i16[0]) + 2 - 1) // 2)");
    means("u8[0] = T.if_then_else(b[0], u8[0], 0)",
          "u8[0] = T.Cast(\"uint8\", T.if_then_else(b[0], T.Cast(\"int32\", u8[0]), 0))");
    means("u8[0] = u8[0] if b[0] else 0",
          "u8[0] = T.Cast(\"uint8\", T.if_then_else(b[0], T.Cast(\"int32\", u8[0]), 0))");
    means("b[0] = u8[0] < 300", "b[0] = T.Cast(\"int32\", u8[0]) < 300");
    means("i[0] = i[u8[0] + 1]", "i[0] = i[T.Cast(\"int32\", u8[0]) + 1]");
    means("l[0] = i[0] + 3000000000", "l[0] = T.Cast(\"int64\", i[0]) + T.int64(3000000000)");
    means("l[0] = i[0] + -2147483648", "l[0] = T.Cast(\"int64\", i[0] + -2147483648)");
    means("l[0] = i[0] + -2147483649", "l[0] = T.Cast(\"int64\", i[0]) + T.int64(-2147483649)");
    means("u[0] = u[0] + 3000000000",
          "u[0] = T.Cast(\"uint32\", T.Cast(\"int64\", u[0]) + T.int64(3000000000))");
    // Those that are wide enough keep their type.
    means("u[0] = u[0] - 5", "u[0] = u[0] - T.uint32(5)");
    means("l[0] = 5 - l[0]", "l[0] = T.int64(5) - l[0]");
    EXPECT_THAT(refused("u[0] = u[0] + -5"), HasSubstr("-5 does not fit uint32"));
}

TEST_F(TextTypes, NumbersBesideFloats) {
    means("h[0] = h[0] * 2", "h[0] = h[0] * T.float16(2.0)");
    means("h[0] = h[0] * 0.5",
          "h[0] = T.Cast(\"float16\", T.Cast(\"float32\", h[0]) * T.float32(0.5))");
    means("g[0] = g[0] * 0.5",
          "g[0] = T.Cast(\"bfloat16\", T.Cast(\"float32\", g[0]) * T.float32(0.5))");
    means("h[0] = T.pow(h[0], 0.5)",
          "h[0] = T.Cast(\"float16\", T.pow(T.Cast(\"float32\", h[0]), T.float32(0.5)))");
    means("h[0] = T.max(h[0], float(\"-inf\"))",
          "h[0] = T.Cast(\"float16\", T.max(T.Cast(\"float32\", h[0]), T.float32(\"-inf\")))");
    means("d[0] = d[0] * 0.1", "d[0] = d[0] * T.float64(0.1)");
    means("f[0] = i[0] * 0.5", "f[0] = T.Cast(\"float32\", i[0]) * T.float32(0.5)");
    means("f[0] = l[0] * 0.5", "f[0] = T.Cast(\"float32\", l[0]) * T.float32(0.5)");
    // Numbers that have no operand beside them are float32 before they are cast.
    means("d[0] = T.if_then_else(b[0], 0.1, 0.2)",
          "d[0] = T.Cast(\"float64\", T.if_then_else(b[0], T.float32(0.1), T.float32(0.2)))");
    means("d[0] = d[1] + T.Select(b[0], 0.1, 0.2)",
          "d[0] = d[1] + T.Cast(\"float64\", T.Select(b[0], T.float32(0.1), T.float32(0.2)))");
    means("d[0] = T.sqrt(2.0)", "d[0] = T.Cast(\"float64\", T.sqrt(T.float32(2.0)))");
    means("d[0] = T.max(0.1, 0.2)", "d[0] = T.max(T.float64(0.1), T.float64(0.2))");
    means("d[0] = T.if_then_else(b[0], 1, 0)",
          "d[0] = T.if_then_else(b[0], T.float64(1.0), T.float64(0.0))");
}

TEST_F(TextTypes, NumbersThatTakeTheOtherType) {
    means("b[0] = u8[0] == 3", "b[0] = u8[0] == T.uint8(3)");
    means("b[0] = 3 != u8[0]", "b[0] = T.uint8(3) != u8[0]");
    means("b[0] = 3 < u8[0]", "b[0] = T.uint8(3) < u8[0]");
    means("b[0] = h[0] == 0.1", "b[0] = h[0] == T.float16(0.1)");
    means("b[0] = 0.1 < h[0]", "b[0] = T.float16(0.1) < h[0]");
    means("b[0] = h[0] > 0.1", "b[0] = T.float32(0.1) < T.Cast(\"float32\", h[0])");
    means("u8[0] = u8[0] & 3", "u8[0] = u8[0] & T.uint8(3)");
    means("u8[0] = 1 << u8[0]", "u8[0] = T.uint8(1) << u8[0]");
    means("u8[0] = T.bitwise_xor(u8[0], 7)", "u8[0] = u8[0] ^ T.uint8(7)");
    means("h[0] = T.Select(b[0], h[0], 0.0)", "h[0] = T.Select(b[0], h[0], T.float16(0.0))");
    EXPECT_THAT(refused("b[0] = u8[0] == 300"), HasSubstr("300 does not fit uint8"));
    EXPECT_THAT(refused("b[0] = -1 < u8[0]"), HasSubstr("-1 does not fit uint8"));
    EXPECT_THAT(refused("u8[0] = u8[0] & 300"), HasSubstr("300 does not fit uint8"));
}

TEST_F(TextTypes, OperandsOfTwoTypes) {
    means("i[0] = i8[0] * i[0]", "i[0] = T.Cast(\"int32\", i8[0]) * i[0]");
    means("i8[0] = i8[0] + u8[0]", "i8[0] = T.Cast(\"int8\", T.Cast(\"uint8\", i8[0]) + u8[0])");
    means("i16[0] = i16[0] + u8[0]", "i16[0] = i16[0] + T.Cast(\"int16\", u8[0])");
    means("i[0] = i[0] + u[0]", "i[0] = T.Cast(\"int32\", T.Cast(\"uint32\", i[0]) + u[0])");
    means("l[0] = u[0] + l[0]", "l[0] = T.Cast(\"int64\", u[0]) + l[0]");
    means("ul[0] = ul[0] + l[0]", "ul[0] = ul[0] + T.Cast(\"uint64\", l[0])");
    means("f[0] = h[0] + f[0]", "f[0] = T.Cast(\"float32\", h[0]) + f[0]");
    means("h[0] = l[0] * h[0]", "h[0] = T.Cast(\"float16\", l[0]) * h[0]");
    means("f[0] = f[0] * b[0]", "f[0] = f[0] * T.Cast(\"float32\", b[0])");
    means("i[0] = b[0] + 1", "i[0] = T.Cast(\"int32\", b[0]) + 1");
    means("b[0] = i8[0] < f[0]", "b[0] = T.Cast(\"float32\", i8[0]) < f[0]");
    means("l[0] = i[0] << l[0]", "l[0] = T.Cast(\"int64\", i[0]) << l[0]");
    EXPECT_THAT(refused("h[0] = h[0] + g[0]"), HasSubstr("have types float16 and bfloat16"));
    EXPECT_THAT(refused("i[0] = T.Select(b[0], i8[0], i[0])"),
                HasSubstr("the two arms have types"));
    EXPECT_THAT(refused("i[0] = i[0] * 0.5"), HasSubstr("is float32, not int32"));
}

// The trap of `&` as `and`: the right operand is evaluated whatever the left one is.
TEST_F(TextTypes, BitsOfBools) {
    means("b[0] = b[1] & b[2]", "b[0] = T.Select(b[1], b[2], False)");
    means("b[0] = b[1] | b[2]", "b[0] = T.Select(b[1], True, b[2])");
    means("b[0] = b[1] ^ b[2]", "b[0] = b[1] != b[2]");
    means("b[0] = ~b[1]", "b[0] = not b[1]");
    means("b[0] = T.bitwise_and(b[1], b[2])", "b[0] = T.Select(b[1], b[2], False)");
    means("b[0] = b[1] & 1", "b[0] = b[1] and True");
    means("b[0] = 0 | b[1]", "b[0] = b[1] or False");
    means("b[0] = b[1] == 1", "b[0] = b[1] == True");
    means("i[0] = b[1] & b[2]", "i[0] = T.Cast(\"int32\", T.Select(b[1], b[2], False))");
    EXPECT_THAT(refused("b[0] = b[1] & 2"), HasSubstr("a bool is expected here"));
    // What cannot fault comes last, where it may be left out.
    const std::string p = "b: T.Buffer((4,), \"bool\"), k: T.int32";
    reads_as(function(p, "b[0] = (k < 4) & b[k]"), function(p, "b[0] = b[k] and k < 4"));
    reads_as(function(p, "b[0] = b[k] | (k < 4)"), function(p, "b[0] = b[k] or k < 4"));
    reads_as(function(p, "b[0] = (0 <= k) & (k < 4)"), function(p, "b[0] = 0 <= k and k < 4"));
    reads_as(function(p, "b[0] = (k < 4) & (k + 1 < 9)"),
             function(p, "b[0] = k + 1 < 9 and k < 4"));
    // Beyond the buffer: a fault, whatever the other operand is.
    const Inputs inputs = {{"b", Tensor::of(kBool, {4}, {1, 0, 1, 0})}, {"k", Value::of_int(4)}};
    EXPECT_THAT(result(function(p, "b[0] = b[1] & b[k]"), inputs, "b"), HasSubstr("bounds"));
    EXPECT_THAT(result(function(p, "b[0] = (k < 4) & b[k]"), inputs, "b"), HasSubstr("bounds"));
    EXPECT_EQ(result(function(p, "b[3] = ~b[1] & (b[0] ^ b[1])"), inputs, "b"),
              "True False True True");
}

// TVM's parser reads it, and its code generators refuse it.
TEST_F(TextTypes, ArithmeticOfBoolsIsOpaque) {
    for (const std::string e : {"b[1] + b[2]", "b[1] - b[2]", "b[1] * b[2]", "b[1] < b[2]",
                                "T.max(b[1], b[2])", "b[1] / b[2]", "b[1] + True"}) {
        const auto file = parse_program(ctx, program("b[0] = " + e), "f.py");
        ASSERT_TRUE(file.ok()) << e << file.error().str();
        ASSERT_EQ(file->opaque.size(), 1U) << e;
        EXPECT_THAT(file->opaque[0].reason.message, HasSubstr("of two bools has no meaning"));
        EXPECT_EQ(file->opaque[0].reason.line, 3);
    }
    // TVM refuses these.
    EXPECT_THAT(refused("b[0] = b[1] // b[2]"), HasSubstr("is for integers, not bool"));
    EXPECT_THAT(refused("b[0] = b[1] << b[2]"), HasSubstr("is for integers, not bool"));
    EXPECT_THAT(refused("b[0] = -b[1]"), HasSubstr("`-` does not take bool"));
}

// Of integers of one width it is a cast, which wraps.
TEST_F(TextTypes, BitsAsAnotherInteger) {
    means("u[0] = T.reinterpret(\"uint32\", i[0])", "u[0] = T.Cast(\"uint32\", i[0])");
    means("i8[0] = T.reinterpret(u8[0], dtype=\"int8\")", "i8[0] = T.Cast(\"int8\", u8[0])");
    means("f[0] = T.reinterpret(\"float32\", f[1])", "f[0] = f[1]");
    EXPECT_THAT(refused("l[0] = T.reinterpret(\"int64\", i[0])"),
                HasSubstr("this value has 32 bits, and int64 has 64"));
    EXPECT_THAT(refused("f[0] = T.reinterpret(\"float32\", i[0])"),
                HasSubstr("from int32 to float32 has no meaning here"));
    EXPECT_THAT(refused("f[0] = T.reinterpret(\"float32\")"), HasSubstr("T.reinterpret"));
    const std::string p = "A: T.Buffer((1,), \"uint8\"), C: T.Buffer((1,), \"int8\")";
    EXPECT_EQ(result(function(p, "C[0] = T.reinterpret(\"int8\", A[0])"),
                     {{"A", Tensor::of(*ScalarType::parse("uint8"), {1}, {200})},
                      {"C", Tensor::of(*ScalarType::parse("int8"), {1}, {0})}},
                     "C"),
              "-56");
}

TEST_F(TextTypes, InfiniteAndFinite) {
    means("b[0] = T.isinf(f[0])", "b[0] = T.abs(f[0]) == T.float32(\"inf\")");
    means("b[0] = T.isfinite(h[0])", "b[0] = T.abs(h[0]) < T.float16(\"inf\")");
    means("b[0] = T.isinf(d[0], dtype=\"bool\")", "b[0] = T.abs(d[0]) == T.float64(\"inf\")");
    EXPECT_THAT(refused("b[0] = T.isinf(i[0])"), HasSubstr("`T.isinf` takes floats, not int32"));
    const std::string p = "A: T.Buffer((4,), \"float32\"), C: T.Buffer((4,), \"bool\")";
    const double inf = std::numeric_limits<double>::infinity();
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const Inputs inputs = {{"A", Tensor::of(kFloat32, {4}, {1.0, -inf, inf, nan})},
                           {"C", Tensor::of(kBool, {4}, {0, 0, 0, 0})}};
    const auto of = [&](const std::string& name) {
        return result(function(p, "for i in range(4):\n    C[i] = " + name + "(A[i])"), inputs,
                      "C");
    };
    EXPECT_EQ(of("T.isinf"), "False True True False");
    EXPECT_EQ(of("T.isfinite"), "True False False False");
}

TEST_F(TextTypes, NumbersThatNothingTypes) {
    const std::string p = "L: T.Buffer((4,), \"int64\")";
    reads_as(function(p, "x = 3000000000\nL[0] = x"),
             function(p, "x: T.int64 = T.int64(3000000000)\nL[0] = x"));
    reads_as(function(p, "x = -2147483648\nL[0] = x"),
             function(p, "x: T.int32 = -2147483648\nL[0] = T.Cast(\"int64\", x)"));
    reads_as(function(p, "for i in range(3000000000):\n    L[i] = i"),
             function(p, "for i in range(T.int64(3000000000)):\n    L[i] = i"));
    reads_as(function(p, "T.evaluate(-2147483649)"),
             function(p, "T.evaluate(T.int64(-2147483649))"));
    EXPECT_THAT(fails(function(p, "x: T.int32 = 3000000000\nL[0] = x")),
                HasSubstr("3000000000 does not fit int32"));
    EXPECT_THAT(fails(function(p, "x = 9223372036854775808\nL[0] = x")),
                HasSubstr("does not fit int64"));
}

TEST_F(TextTypes, ExtentsOfBuffers) {
    const std::string shapes = "A: T.Buffer((4, 8), \"int32\"), C: T.Buffer((4,), \"int32\")";
    reads_as(function(shapes, "for i in range(A.shape[0]):\n    C[i] = A[i, A.shape[1] - 1]"),
             function(shapes, "for i in range(4):\n    C[i] = A[i, T.int32(8) - 1]"));
    EXPECT_THAT(fails(function(shapes, "C[0] = A.shape[2]")), HasSubstr("0 to 1"));
    EXPECT_THAT(fails(function(shapes, "C[0] = A.shape[C[0]]")), HasSubstr("takes a dimension"));
}

// The trap: in the narrow type, the difference is 253 and its comparison with 0 is never true.
TEST_F(TextTypes, WhatIsComputed) {
    const auto of = [&](const std::string& type, const std::string& value,
                        const std::string& cell) {
        const std::string parameters =
            "A: T.Buffer((1,), \"" + type + "\"), C: T.Buffer((1,), \"" + cell + "\")";
        const Tensor a = Tensor::of(*ScalarType::parse(type), {1}, {2.0});
        const Tensor c = Tensor::of(*ScalarType::parse(cell), {1}, {0.0});
        return result(function(parameters, "C[0] = " + value), {{"A", a}, {"C", c}}, "C");
    };
    EXPECT_EQ(of("uint8", "A[0] - 5", "int32"), "-3");
    EXPECT_EQ(of("uint8", "A[0] - T.uint8(5)", "int32"), "253");
    EXPECT_EQ(of("uint8", "T.max(A[0] - 5, 0)", "int32"), "0");
    EXPECT_EQ(of("uint8", "A[0] - 5 < 0", "bool"), "True");
    EXPECT_EQ(of("uint8", "(A[0] + 254) // 2", "uint8"), "128");
    EXPECT_EQ(of("int16", "A[0] * 20000", "int32"), "40000");
}

}  // namespace
}  // namespace proviso::ir
