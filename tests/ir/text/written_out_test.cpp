// Intrinsics of integers and constants that the reader writes out in other operators and stores.
#include <algorithm>
#include <bit>
#include <random>

#include "tests/ir/text/results.h"

namespace proviso::ir {
namespace {

using testing::HasSubstr;

struct TextWrittenOut : TextResults {
    // Corners of the type, values next to powers of two, and random ones.
    static std::vector<Int128> values(ScalarType type) {
        std::vector<Int128> out;
        for (int bit = 0; bit <= type.bits; ++bit) {
            for (const int by : {-1, 0, 1}) {
                for (const int sign : {1, -1}) out.push_back(((Int128{1} << bit) + by) * sign);
            }
        }
        std::mt19937_64 random(14);
        for (int k = 0; k < 200; ++k) {
            out.push_back(static_cast<std::int64_t>(random()) >> (random() % 64));
        }
        std::erase_if(out, [&](Int128 x) { return !type.contains(x); });
        return out;
    }
    // What the expression gives of x.
    std::string value(const std::string& expression, ScalarType type, Int128 x,
                      const std::string& result) {
        const Function f =
            read("@T.prim_func\ndef f(x: T." + type.str() + ", B: T.Buffer((1,), \"" + result +
                 "\")):\n    B[0] = " + expression + "\n");
        return result_of(f, x);
    }
    static std::string result_of(const Function& f, Int128 x) {
        const auto out = run(f,
                             Inputs{{"x", Value::of_int(Integer(x))},
                                    {"B", Tensor::of(f.buffer_params()[0]->type, {1}, {0})}},
                             InterpOptions{});
        if (!out) return out.error().str();
        if (!std::holds_alternative<Finished>(*out)) return describe(*out);
        const Tensor& t = std::get<Finished>(*out).tensors.at("B");
        return t.at(0).str(t.type);
    }
    void kept(const std::string& body, const std::string& reason) {
        const auto f = parse_program(ctx, function(kParams, body), "f.py");
        ASSERT_TRUE(f.ok()) << body << f.error().str();
        ASSERT_EQ(f->opaque.size(), 1U) << body << f->canonical;
        EXPECT_THAT(f->opaque[0].reason.message, HasSubstr(reason));
    }
};

std::uint64_t bits_of(ScalarType type, Int128 x) {
    const auto all = static_cast<std::uint64_t>(x);
    return type.bits == 64 ? all : all & ((std::uint64_t{1} << type.bits) - 1);
}

TEST_F(TextWrittenOut, CountsOfBits) {
    for (const char* name :
         {"int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"}) {
        const ScalarType type = *ScalarType::parse(name);
        const Function count =
            read("@T.prim_func\ndef f(x: T." + type.str() + ", B: T.Buffer((1,), \"" + name +
                 "\")):\n    B[0] = T.popcount(x)\n");
        for (const Int128 x : values(type)) {
            EXPECT_EQ(result_of(count, x), std::to_string(std::popcount(bits_of(type, x))))
                << name << " " << static_cast<long long>(x);
        }
        if (type.bits < 32) continue;
        const Function zeros = read("@T.prim_func\ndef f(x: T." + type.str() +
                                    ", B: T.Buffer((1,), \"int32\")):\n    B[0] = T.clz(x)\n");
        for (const Int128 x : values(type)) {
            const int wide = std::countl_zero(bits_of(type, x));
            EXPECT_EQ(result_of(zeros, x), std::to_string(wide - (64 - type.bits)))
                << name << " " << static_cast<long long>(x);
        }
    }
    // The operand is evaluated once, and may be any expression.
    EXPECT_EQ(value("31 - T.clz(x * 2 + 1)", kInt32, 20, "int32"), "5");
    EXPECT_EQ(
        value("T.popcount(7, dtype=\"int32\") + T.popcount(T.uint8(255))", kInt32, 0, "int32"),
        "11");
    EXPECT_EQ(value("T.popcount(T.popcount(x))", kInt32, -1, "int32"), "1");
    EXPECT_THAT(value("T.clz(x + 1)", kInt32, 2147483647, "int32"), HasSubstr("out of range"));
}

// floor(x * y * 2**(left - right - q) + 1/2), in 128 bits.
Int128 fixed_point(Int128 x, Int128 y, int q, int left, int right) {
    const int by = right + q;
    const Int128 sum = (x << left) * y + (Int128{1} << (by - 1));
    return static_cast<std::int32_t>(sum >> by);
}

TEST_F(TextWrittenOut, FixedPointProducts) {
    for (const std::int64_t y :
         {1457846997LL, 1073741823LL, 1073741825LL, 2147483647LL, -2147483647LL, 1LL, 0LL}) {
        for (const int s : {-30, -8, -7, -1, 0, 1}) {
            const Function f = read(
                "@T.prim_func\ndef f(x: T.int32, B: T.Buffer((1,), \"int32\")):\n    B[0] = "
                "T.q_multiply_shift(x, " +
                std::to_string(y) + ", 31, " + std::to_string(s) + ")\n");
            const int left = std::max(s, 0);
            for (const Int128 x : values(kInt32)) {
                const Int128 exact = (x << left) * y;
                if (exact >> 62 != 0 && exact >> 62 != -1) continue;
                const Int128 expected = fixed_point(x, y, 31, left, std::max(-s, 0));
                EXPECT_EQ(result_of(f, x), std::to_string(static_cast<std::int32_t>(expected)))
                    << y << " " << s << " " << static_cast<int>(x);
            }
        }
    }
    // Halves go up, also below 0.
    EXPECT_EQ(value("T.q_multiply_shift(x, 536870912, 31, 0)", kInt32, 2, "int32"), "1");
    EXPECT_EQ(value("T.q_multiply_shift(x, 536870912, 31, 0)", kInt32, -2, "int32"), "0");
    EXPECT_EQ(value("T.q_multiply_shift(x, 536870912, 31, 0)", kInt32, -6, "int32"), "-1");
    // 2**30 is shifts of int32 there: of x + a half, which may leave int32.
    EXPECT_EQ(value("T.q_multiply_shift(x, 1073741824, 31, 5)", kInt32, -3, "int32"), "-48");
    EXPECT_EQ(value("T.q_multiply_shift(x, 1073741824, 31, -3)", kInt32, 24, "int32"), "2");
    EXPECT_EQ(value("T.q_multiply_shift(x, 1073741824, 31, -3)", kInt32, -24, "int32"), "-1");
    EXPECT_EQ(value("T.q_multiply_shift(x, 1073741824, 31, 0)", kInt32, -1, "int32"), "0");
    EXPECT_THAT(value("T.q_multiply_shift(x, 1073741824, 31, 0)", kInt32, 2147483647, "int32"),
                HasSubstr("out of range"));
    // A shift to the left that leaves int64 is a fault.
    EXPECT_THAT(value("T.q_multiply_shift(x, 2147483647, 31, 10)", kInt32, 2147483647, "int32"),
                HasSubstr("out of range"));
    // A shift that is no number.
    EXPECT_EQ(value("T.q_multiply_shift(7, 2147483647, 31, x)", kInt32, 2, "int32"), "28");
    EXPECT_EQ(value("T.q_multiply_shift(7, 2147483647, 31, x)", kInt32, -1, "int32"), "3");
    EXPECT_EQ(value("T.q_multiply_shift(7, 2147483647, 31, x)", kInt32, 0, "int32"), "7");
}

TEST_F(TextWrittenOut, FixedPointProductsOfAChannel) {
    const auto axis = [](const std::string& rest) {
        return "T.q_multiply_shift_per_axis(x, " + rest + ")";
    };
    EXPECT_EQ(value(axis("1073741824, 3, 0, 31, T.bool(True), T.bool(False)"), kInt32, 5, "int32"),
              "20");
    EXPECT_EQ(value(axis("1073741824, 0, 0, 31, False, True"), kInt32, 5, "int32"), "3");
    EXPECT_EQ(value(axis("1073741824, 0, 2, 31, False, True"), kInt32, -20, "int32"), "-2");
    // The shift is not looked at where it is not required; both may be.
    EXPECT_EQ(value(axis("1073741824, 63, 2, 31, False, True"), kInt32, -20, "int32"), "-2");
    EXPECT_EQ(value(axis("x, 2, 1, 31, x < 0, True"), kInt32, -65536, "int32"), "4");
    EXPECT_EQ(value(axis("x, 2, 1, 31, x < 0, True"), kInt32, 65536, "int32"), "1");
    for (const Int128 x : values(kInt32)) {
        const Int128 y = x / 2 + 12345;
        EXPECT_EQ(value("T.q_multiply_shift_per_axis(x, T.truncdiv(x, 2) + 12345, 0, 7, 31, "
                        "False, True)",
                        kInt32, x, "int32"),
                  std::to_string(static_cast<std::int32_t>(fixed_point(x, y, 31, 0, 7))));
    }
}

TEST_F(TextWrittenOut, WhatTvmDoesNotDefineIsKept) {
    kept("B[0] = T.clz(T.Cast(\"int16\", n))", "`T.clz` of int16");
    kept("B[0] = T.q_multiply_shift(n, n, 31, 0)", "a multiplier that is no number");
    kept("B[0] = T.q_multiply_shift(n, 1073741824, 31, n)", "no meaning with 2**30");
    kept("B[0] = T.q_multiply_shift(n, 1073741824, 31, 1)", "this shift of a multiplier of 2**30");
    kept("B[0] = T.q_multiply_shift(n, 3, 31, -33)", "by 64 bits");
    kept("B[0] = T.q_multiply_shift(n, 3, 0, 0)", "by 0 bits");
    kept("B[0] = T.q_multiply_shift(n, 3, 31, 64)", "more than 63 bits");
    kept("B[0] = T.q_multiply_shift(T.int64(3), 3, 31, 0)", "of int64 has no meaning");
    EXPECT_THAT(body_fails("B[0] = T.clz(A[0, 0])"), HasSubstr("takes integers, not float32"));
    EXPECT_THAT(body_fails("B[0] = T.popcount(n, n)"), HasSubstr("takes 1 argument, not 2"));
    EXPECT_THAT(body_fails("B[0] = T.q_multiply_shift(n, 3)"), HasSubstr("takes 4 arguments"));
    EXPECT_THAT(body_fails("B[0] = T.q_multiply_shift_all(n)"), HasSubstr("is not supported"));
}

TEST_F(TextWrittenOut, ConstantsAreStored) {
    const std::string memory = "c = T.alloc_buffer((3,), \"int32\")\n";
    body_as("c = T.allocate_const([2, 3, -5], \"int32\", [3])\nB[0] = c[2]",
            memory + "c[0] = 2\nc[1] = 3\nc[2] = -5\nB[0] = c[2]");
    body_as(
        "with T.allocate_const([2, 3, -5], dtype=\"int32\", extents=[3]) as c:\n    B[0] = c[2]\n"
        "B[1] = 1",
        "with T.decl_buffer((3,), \"int32\") as c:\n    c[0] = 2\n    c[1] = 3\n    c[2] = -5\n"
        "    B[0] = c[2]\nB[1] = 1");
    // Named by the line that gives it its shape; lists in lists; numbers that the type holds.
    body_as(
        "p = T.allocate_const([[0.5, 1], [float(\"inf\"), -0.0]], \"float32\", [4])\n"
        "c = T.decl_buffer((2, 2), \"float32\", data=p)\nA[0, 0] = c[1, 0]",
        "c = T.alloc_buffer((2, 2), \"float32\")\nc[0, 0] = T.float32(0.5)\n"
        "c[0, 1] = T.float32(1.0)\nc[1, 0] = T.float32(\"inf\")\nc[1, 1] = T.float32(-0.0)\n"
        "A[0, 0] = c[1, 0]");
    body_as("c = T.allocate_const([], \"int32\", [0])\nB[0] = 1",
            "c = T.alloc_buffer((0,), \"int32\")\nB[0] = 1");
    kept("c = T.allocate_const(T.data, \"int32\", [3])\nB[0] = c[0]", "no list of numbers");
    kept("c = T.allocate_const([n, 2], \"int32\", [2])\nB[0] = c[0]", "a value that is no number");
    EXPECT_THAT(body_fails("c = T.allocate_const([1, 2], \"int32\", [3])\nB[0] = c[0]"),
                HasSubstr("2 values do not fill this shape"));
    EXPECT_THAT(body_fails("c = T.allocate_const([1, 2], \"int32\", [n])\nB[0] = c[0]"),
                HasSubstr("2 values do not fill this shape"));
    EXPECT_THAT(body_fails("c = T.allocate_const([[1, 2], [3]], \"int32\", [3])\nB[0] = c[0]"),
                HasSubstr("differ in length"));
    EXPECT_THAT(body_fails("c = T.allocate_const([1, 300], \"int8\", [2])\nB[0] = c[0]"),
                HasSubstr("int8"));
    EXPECT_THAT(body_fails("c = T.allocate_const([1, 2], \"int32\")\nB[0] = c[0]"),
                HasSubstr("at least 3 arguments"));
}

TEST_F(TextWrittenOut, ManyConstantsAreStoredByALoop) {
    body_as(
        "c = T.allocate_const([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7], \"int32\", "
        "[17])\nB[0] = c[n]",
        "c = T.alloc_buffer((17,), \"int32\")\nfor place in range(17):\n"
        "    c[place] = T.if_then_else(place < 8, 0, T.if_then_else(place < 12, 0, "
        "T.if_then_else(place < 14, 0, T.if_then_else(place < 15, 0, "
        "T.if_then_else(place < 16, 0, 7)))))\nB[0] = c[n]");
    // Each value at its place, whatever the shape.
    std::string list;
    for (int k = 0; k < 60; ++k) list += (k > 0 ? ", " : "") + std::to_string(k * k % 37);
    for (const char* shape : {"60", "4, 15", "3, 4, 5", "60, 1", "1, 1, 60"}) {
        const std::string extents(shape);
        const auto dims = std::count(extents.begin(), extents.end(), ',') + 1;
        const std::string body =
            "p = T.allocate_const([" + list + "], \"int32\", [60])\n" + "c = T.decl_buffer((" +
            extents + ",), \"int32\", data=p)\n" +
            (dims == 1 ? "" : "d = T.decl_buffer((60,), \"int32\", data=p)\n") +
            "for i in range(60):\n    B[i] = " + (dims == 1 ? "c" : "d") + "[i]";
        std::string expected;
        for (int k = 0; k < 60; ++k) expected += (k > 0 ? " " : "") + std::to_string(k * k % 37);
        EXPECT_EQ(result(function("B: T.Buffer((60,), \"int32\")", body),
                         Inputs{{"B", counted({60})}}, "B"),
                  expected)
            << shape;
    }
}

TEST_F(TextWrittenOut, ConstantsHaveALimit) {
    for (const int count : {65536, 65537}) {
        std::string list;
        for (int k = 0; k < count; ++k) list += (k > 0 ? ", " : "") + std::to_string(k % 7);
        const std::string n = std::to_string(count);
        const std::string body =
            "c = T.allocate_const([" + list + "], \"int32\", [" + n + "])\nB[0] = c[n]";
        if (count == 65536) {
            EXPECT_TRUE(read(function(kParams, body)).body->is<Allocate>());
        } else {
            kept(body, "more than 65536 values");
        }
    }
}

}  // namespace
}  // namespace proviso::ir
