// The command line as a user calls it, in a folder of its own.
#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace proviso::tests {

struct Seen {
    int code = -1;  // 128 and the signal's number where one ended the command
    std::string out;
    std::string err;
};

inline std::string text_of(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    std::stringstream out;
    out << in.rdbuf();
    return out.str();
}

inline std::string quoted(const std::string& word) {
    std::string out = "'";
    for (const char c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return out + "'";
}

class Commands : public testing::Test {
  protected:
    void SetUp() override {
        std::string name =
            (std::filesystem::temp_directory_path() / "proviso-commands-XXXXXX").string();
        ASSERT_NE(mkdtemp(name.data()), nullptr);
        folder_ = name;
    }
    void TearDown() override { std::filesystem::remove_all(folder_); }

    // With nothing on standard input; no cache, so that no run sees another.
    Seen run(const std::vector<std::string>& words) {
        std::string line = PROVISO_BINARY;
        for (const std::string& w : words) line += " " + quoted(w);
        return shell(line);
    }
    Seen shell(const std::string& command) {
        const std::string line =
            "cd " + quoted(folder_.string()) + " && " + command + " >out 2>err </dev/null";
        Seen seen;
        const int status = std::system(line.c_str());
        seen.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
        seen.out = text_of(folder_ / "out");
        seen.err = text_of(folder_ / "err");
        return seen;
    }
    void file(const std::string& name, const std::string& text) {
        std::ofstream(folder_ / name, std::ios::binary) << text;
    }

    std::filesystem::path folder_;
};

}  // namespace proviso::tests
