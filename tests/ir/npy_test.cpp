// .npy files, byte by byte: the expectations below were written out by hand from NumPy's
// description of the format.
#include "ir/files/npy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <limits>

namespace proviso::ir {
namespace {

using testing::HasSubstr;

// Version 1.0, header padded with spaces to 118 bytes and a newline at its end: data at 128.
std::string file(const std::string& header, const std::string& data) {
    std::string out("\x93NUMPY\x01\x00\x76\x00", 10);
    out += header + std::string(117 - header.size(), ' ') + "\n";
    return out + data;
}

std::string bytes(std::initializer_list<int> list) {
    std::string out;
    for (const int b : list) out += static_cast<char>(b);
    return out;
}

Tensor parsed(const std::string& content, std::optional<ScalarType> wanted = std::nullopt) {
    Result<Tensor> out = parse_npy(content, "f.npy", wanted);
    EXPECT_TRUE(out.ok()) << out.error().str();
    return out.value();
}

std::string message(const std::string& content, std::optional<ScalarType> wanted = std::nullopt) {
    const Result<Tensor> out = parse_npy(content, "f.npy", wanted);
    return out.ok() ? "no error" : out.error().str();
}

TEST(Npy, ReadsBytesWrittenByHand) {
    const Tensor ints = parsed(file("{'descr': '<i4', 'fortran_order': False, 'shape': (2, 2), }",
                                    bytes({1, 0, 0, 0, 255, 255, 255, 255, 0, 1, 0, 0,  //
                                           0, 0, 0, 128})));
    EXPECT_EQ(ints, Tensor::of(kInt32, {2, 2}, {1, -1, 256, -2147483648.0}));
    const Tensor floats = parsed(file("{'descr': '<f4', 'fortran_order': False, 'shape': (3,), }",
                                      bytes({0, 0, 128, 63, 0, 0, 0, 128, 0, 0, 192, 127})));
    EXPECT_EQ(floats.at(0), Value::of_float(1));
    EXPECT_EQ(floats.at(1), Value::of_float(-0.0));
    EXPECT_EQ(floats.at(2), Value::of_float(std::numeric_limits<double>::quiet_NaN()));
    const Tensor halves = parsed(file("{'descr': '<f2', 'fortran_order': False, 'shape': (5,), }",
                                      bytes({0, 0x3c, 1, 0, 0xff, 0x7b, 0, 0xfc, 0xff, 0x83})));
    EXPECT_EQ(halves.at(0), Value::of_float(1));
    EXPECT_EQ(halves.at(1), Value::of_float(0x1p-24));
    EXPECT_EQ(halves.at(2), Value::of_float(65504));
    EXPECT_EQ(halves.at(3), Value::of_float(-INFINITY));
    EXPECT_EQ(halves.at(4), Value::of_float(-(0x1p-14 - 0x1p-24)));
    const Tensor bools =
        parsed(file("{'descr': '|b1', 'fortran_order': False, 'shape': (2,), }", bytes({0, 1})));
    EXPECT_EQ(bools.at(1), Value::of_bool(true));
    const Tensor scalar = parsed(file("{'descr': '<u8', 'fortran_order': False, 'shape': (), }",
                                      bytes({255, 255, 255, 255, 255, 255, 255, 255})));
    EXPECT_EQ(scalar.at(0).integer(), Integer(kUInt64.max_value()));
    const Tensor empty =
        parsed(file("{'descr': '|i1', 'fortran_order': False, 'shape': (0, 3), }", ""));
    EXPECT_EQ(empty.size(), 0U);
}

TEST(Npy, FortranOrderIsTurnedIntoRowMajor) {
    // [[1, 2, 3], [4, 5, 6]] column by column.
    const Tensor t = parsed(file("{'descr': '|u1', 'fortran_order': True, 'shape': (2, 3), }",
                                 bytes({1, 4, 2, 5, 3, 6})));
    EXPECT_EQ(t, Tensor::of(kUInt8, {2, 3}, {1, 2, 3, 4, 5, 6}));
}

TEST(Npy, BFloat16IsTwoOpaqueBytes) {
    const std::string data = bytes({0x80, 0x3f, 0x01, 0x80});  // 1.0 and the smallest negative one
    for (const char* descr : {"<V2", "|V2"}) {
        const Tensor t = parsed(
            file(std::string("{'descr': '") + descr + "', 'fortran_order': False, 'shape': (2,), }",
                 data));
        EXPECT_EQ(t.type, kBFloat16);
        EXPECT_EQ(t.at(0), Value::of_float(1));
        EXPECT_EQ(t.at(1), Value::of_float(-0x1p-133));
    }
    const std::string as_uint =
        file("{'descr': '<u2', 'fortran_order': False, 'shape': (2,), }", data);
    EXPECT_EQ(parsed(as_uint, kBFloat16).at(0), Value::of_float(1));
    EXPECT_EQ(parsed(as_uint).type, kUInt16);
}

TEST(Npy, WritesWhatNumPyWrites) {
    EXPECT_EQ(npy_bytes(Tensor::of(kInt16, {3}, {1, -2, 300})),
              file("{'descr': '<i2', 'fortran_order': False, 'shape': (3,), }",
                   bytes({1, 0, 254, 255, 44, 1})));
    EXPECT_EQ(npy_bytes(Tensor::of(kFloat16, {1, 2}, {1, -65504})),
              file("{'descr': '<f2', 'fortran_order': False, 'shape': (1, 2), }",
                   bytes({0, 0x3c, 0xff, 0xfb})));
    Tensor holes = Tensor::of(kUInt8, {2}, {7, 8});
    holes.set(0, Value::indet());
    EXPECT_EQ(npy_bytes(holes).substr(128), bytes({0, 8}));
}

TEST(Npy, WhatIsWrittenIsReadBack) {
    Chooser choose(3);
    for (const ScalarType type : all_scalar_types()) {
        for (const std::vector<std::int64_t>& shape :
             {std::vector<std::int64_t>{}, {7}, {3, 5}, {2, 0, 2}, {2, 3, 4}}) {
            Tensor t = Tensor::filled(type, shape, Value::indet());
            for (std::size_t i = 0; i < t.size(); ++i) t.set(i, choose.choose(type));
            const std::string content = npy_bytes(t);
            EXPECT_EQ((content.size() - t.size() * static_cast<std::size_t>(type.bytes())) % 64,
                      0U);
            EXPECT_EQ(parsed(content, type), t) << type.str();
        }
    }
    const std::string path = testing::TempDir() + "/proviso_npy_test.npy";
    const Tensor t = Tensor::of(kFloat32, {2}, {0.5, -3});
    ASSERT_TRUE(write_npy(path, t).ok());
    EXPECT_EQ(read_npy(path).value(), t);
    std::filesystem::remove(path);
    EXPECT_THAT(read_npy(path).error().message, HasSubstr("cannot read"));
    EXPECT_FALSE(write_npy(testing::TempDir() + "/no/such/folder/x.npy", t).ok());
}

TEST(Npy, EveryHalfAndBFloatSurvives) {
    for (const ScalarType type : {kFloat16, kBFloat16}) {
        std::string data;
        for (int bits = 0; bits < 65536; ++bits) data += bytes({bits & 255, bits >> 8});
        const char* descr = type == kFloat16 ? "<f2" : "<V2";
        const std::string header =
            std::string("{'descr': '") + descr + "', 'fortran_order': False, 'shape': (65536,), }";
        const Tensor t = parsed(file(header, data));
        const std::string again = npy_bytes(t).substr(128);
        for (std::size_t i = 0; i < 65536; ++i) {
            if (std::isnan(t.at(i).real())) continue;  // NaNs become one
            ASSERT_EQ(round_to_type(type, t.at(i).real()), t.at(i).real());
            ASSERT_EQ(again.substr(2 * i, 2), data.substr(2 * i, 2)) << i;
        }
    }
}

TEST(Npy, BadFilesAreDiagnosed) {
    const std::string good = "{'descr': '<f4', 'fortran_order': False, 'shape': (1,), }";
    EXPECT_THAT(message("hello"), HasSubstr("f.npy: error: not a .npy file"));
    EXPECT_THAT(message(file(good, "abc")), HasSubstr("announces 4 bytes of data, the file has 3"));
    EXPECT_THAT(message(file(good, "abcde")), HasSubstr("the file has 5"));
    EXPECT_THAT(message(file(good, "").substr(0, 40)), HasSubstr("ends within its header"));
    EXPECT_THAT(message(file(good, "abcd"), kInt32), HasSubstr("holds float32, expected int32"));
    const auto with = [](const std::string& header) { return message(file(header, "abcd")); };
    EXPECT_THAT(with("{'descr': '>f4', 'fortran_order': False, 'shape': (1,), }"),
                HasSubstr("dtype '>f4' is not supported\n  hint: save the array in little-endian"));
    EXPECT_THAT(with("{'descr': '<c8', 'fortran_order': False, 'shape': (1,), }"),
                HasSubstr("dtype '<c8' is not supported"));
    EXPECT_THAT(with("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,), }"),
                HasSubstr("expected a simple dtype"));
    EXPECT_THAT(with("{'descr': '<f4', 'fortran_order': 0, 'shape': (1,), }"),
                HasSubstr("True or False"));
    EXPECT_THAT(with("{'descr': '<f4', 'fortran_order': False, 'shape': (-1,), }"),
                HasSubstr("expected a tuple of at most"));
    EXPECT_THAT(with("{'descr': '<f4', 'fortran_order': False, 'shape': (3, -8,), }"),
                HasSubstr("extents as 'shape', and -8 is negative"));
    EXPECT_THAT(
        with("{'descr': '<f4', 'fortran_order': False, 'shape': (9999999999999999999999,), }"),
        HasSubstr("extents as 'shape', and 9999999999999999999999 is too large for one"));
    EXPECT_THAT(with("{'descr': '<f4', 'fortran_order': False, }"), HasSubstr("the keys"));
    EXPECT_THAT(with("{'descr': '<f4', 'descr': '<f4', 'descr': '<f4', }"), HasSubstr("the keys"));
    EXPECT_THAT(with("{'descr': '<f4', 'fortran_order': False, 'shape': "
                     "(99999999999, 99999999999), }"),
                HasSubstr("announces too many bytes"));
    EXPECT_THAT(with("{'descr': '<f4', 'fortran_order': False, 'shape': (01,), }"),
                HasSubstr("expected a tuple of at most"));
    EXPECT_THAT(with("{'descr': '<f4', 'fortran_order': False, 'shape': (1,), } more"),
                HasSubstr("expected nothing after the dictionary"));
    EXPECT_THAT(with("{'descr': '<f4', 'fortran_order': False, 'shape': (0,), }"),
                testing::Not(HasSubstr("expected a tuple")));
    std::string future = file(good, "abcd");
    future[6] = 9;
    EXPECT_THAT(message(future), HasSubstr("version 9.0"));
    std::string next = file(good, "abcd");
    next[7] = 7;
    EXPECT_THAT(message(next), HasSubstr("version 1.7"));
}

}  // namespace
}  // namespace proviso::ir
