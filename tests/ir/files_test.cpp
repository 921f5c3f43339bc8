// Files and JSON from outside: regular files only, within limits.
#include "ir/files/read.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "ir/files/json_text.h"
#include "ir/files/limits.h"
#include "ir/files/npy.h"

namespace fs = std::filesystem;

namespace {

using namespace proviso;
using namespace proviso::ir;
using testing::HasSubstr;

class Files : public testing::Test {
  protected:
    void SetUp() override {
        std::string name = (fs::temp_directory_path() / "proviso-files-XXXXXX").string();
        ASSERT_NE(mkdtemp(name.data()), nullptr);
        folder_ = name;
    }
    void TearDown() override { fs::remove_all(folder_); }

    std::string file(const std::string& name, const std::string& text) {
        std::ofstream(folder_ / name, std::ios::binary) << text;
        return (folder_ / name).string();
    }
    static std::string message(const std::string& path, std::uint64_t most = 100,
                               Links links = Links::Follow) {
        const Result<std::string> out = read_file(path, most, links);
        return out ? "read: " + *out : out.error().message;
    }

    fs::path folder_;
};

// What a file brings along is shown, and does not command the terminal.
TEST(Diagnostics, ControlCharactersAreSpelledOut) {
    Diagnostic d = error("dtype '\x1b[31m\x7f' is not \"\xc3\xa9\"\n\tsupported");
    d.source_line = "a\rb";
    EXPECT_EQ(d.str(), "error: dtype '\\x1b[31m\\x7f' is not \"\xc3\xa9\"\n\tsupported\n  a\\x0db");
}

TEST_F(Files, ARegularFileIsReadUpToItsLimit) {
    EXPECT_EQ(message(file("a", "12345"), 5), "read: 12345");
    EXPECT_THAT(message(file("a", "123456"), 5), HasSubstr("is larger than 5 bytes"));
    EXPECT_EQ(message(file("empty", ""), 5), "read: ");
    fs::create_symlink(folder_ / "empty", folder_ / "link");
    EXPECT_EQ(message((folder_ / "link").string()), "read: ");
    EXPECT_EQ(message((folder_ / "link").string(), 5, Links::Refuse),
              (folder_ / "link").string() + " is a link, not a file");
}

// The system says that this one has no bytes, and gives many.
TEST_F(Files, TheLimitHoldsForWhatIsReadNotForWhatIsAnnounced) {
    EXPECT_THAT(message("/proc/self/maps", 10), HasSubstr("is larger than 10 bytes"));
}

TEST_F(Files, WhatIsNoFileIsNamedAndNeverOpened) {
    const std::string pipe = (folder_ / "pipe").string();
    ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
    EXPECT_EQ(message(pipe), pipe + " is a named pipe, not a file");
    fs::create_symlink("/dev/zero", folder_ / "zero");
    EXPECT_THAT(message((folder_ / "zero").string()), HasSubstr(" is a device, not a file"));
    EXPECT_EQ(message(folder_.string()), folder_.string() + " is a folder");
    fs::create_symlink("loop", folder_ / "loop");
    EXPECT_THAT(message((folder_ / "loop").string()), HasSubstr("cannot read"));
    EXPECT_THAT(message((folder_ / "nowhere").string()), HasSubstr("cannot read"));
    EXPECT_THAT(message(std::string("a\0b", 3)), HasSubstr("a zero byte"));

    sockaddr_un name{};
    name.sun_family = AF_UNIX;
    const std::string socket_path = (folder_ / "socket").string();
    ASSERT_LT(socket_path.size(), sizeof name.sun_path);
    std::strcpy(name.sun_path, socket_path.c_str());
    const int socket = ::socket(AF_UNIX, SOCK_STREAM, 0);
    ASSERT_EQ(::bind(socket, reinterpret_cast<const sockaddr*>(&name), sizeof name), 0);
    EXPECT_EQ(message(socket_path), socket_path + " is a socket, not a file");
    ::close(socket);
}

TEST_F(Files, NothingIsWrittenToAPipe) {
    const std::string pipe = (folder_ / "pipe").string();
    ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
    const Status written = write_npy(pipe, Tensor::of(kInt32, {2}, {1, 2}));
    ASSERT_FALSE(written);
    EXPECT_THAT(written.error().message, HasSubstr("is a named pipe, not a file"));
}

std::string brackets(int depth) {
    return std::string(static_cast<std::size_t>(depth), '[') +
           std::string(static_cast<std::size_t>(depth), ']');
}

TEST(JsonText, NestsUpToTheLimit) {
    EXPECT_FALSE(parse_json(brackets(limits::kJsonDepth)).is_discarded());
    EXPECT_TRUE(parse_json(brackets(limits::kJsonDepth + 1)).is_discarded());
    EXPECT_EQ(json_excess(brackets(limits::kJsonDepth)), "");
    EXPECT_THAT(json_excess(brackets(limits::kJsonDepth + 1)), HasSubstr("nested more than"));
    std::string deep;
    deep.resize(20'000'000, '{');
    EXPECT_THAT(json_excess(deep), HasSubstr("nested more than"));
}

TEST(JsonText, BracketsInStringsDoNotNest) {
    const std::string text = "[\"" + std::string(1000, '[') + "\\\"" + std::string(1000, '{') +
                             "\", \"\\\\\", {\"a\": []}]";
    EXPECT_EQ(json_excess(text), "");
    EXPECT_FALSE(parse_json(text).is_discarded());
}

TEST(JsonText, HoldsValuesUpToTheLimit) {
    std::string text = "[0";
    for (std::size_t i = 2; i < limits::kJsonValues; ++i) text += ",0";
    EXPECT_EQ(json_excess(text + "]"), "");
    EXPECT_THAT(json_excess(text + ",0,0]"), HasSubstr("values"));
}

// A file of version 2, whose header may be long.
std::string npy(const std::string& shape, const std::string& data) {
    const std::string header = "{'descr': '|i1', 'fortran_order': False, 'shape': " + shape + "}\n";
    std::string out("\x93NUMPY\x02\x00", 8);
    for (int i = 0; i < 4; ++i) {
        out += static_cast<char>((header.size() >> (8 * i)) & 255);
    }
    return out + header + data;
}

std::string refusal(const std::string& bytes) {
    const Result<Tensor> out = parse_npy(bytes, "a.npy");
    return out ? "read" : out.error().message;
}

std::string ones(int rank) {
    std::string out = "(";
    for (int i = 0; i < rank; ++i) out += "1,";
    return out + ")";
}

TEST(NpyLimits, RankSizeAndHeaderAreCheckedBeforeAnythingElse) {
    EXPECT_EQ(refusal(npy(ones(64), "x")), "read");
    EXPECT_THAT(refusal(npy(ones(65), "x")), HasSubstr("at most 64 extents"));
    EXPECT_THAT(refusal(npy(ones(3'000'000), "x")), HasSubstr("the header is larger than 64 KiB"));
    EXPECT_THAT(refusal(npy("(4611686018427387904, 4)", "")), HasSubstr("too many bytes"));
    EXPECT_THAT(refusal(npy("(4294967296, 4294967296)", "")), HasSubstr("too many bytes"));
    EXPECT_THAT(refusal(npy("(18446744073709551616,)", "")), HasSubstr("malformed"));
    EXPECT_THAT(refusal(npy("(-1,)", "")), HasSubstr("malformed"));
    EXPECT_THAT(refusal(npy("(1000000000,)", "xx")), HasSubstr("announces 1000000000 bytes"));
}

}  // namespace
