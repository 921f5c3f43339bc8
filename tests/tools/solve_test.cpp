// `proviso solve` on the command line: what it is told wrongly, with what would help, and what it
// says of domains that are empty. One command a row.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <string>
#include <vector>

namespace {

struct Seen {
    int exit_code = -1;
    std::string output;  // both streams
};

Seen solve(const std::string& arguments) {
    const std::string command = PROVISO_BINARY " solve " + arguments + " --no-cache 2>&1";
    Seen out;
    FILE* pipe = popen(command.c_str(), "r");
    if (pipe == nullptr) return out;
    std::array<char, 4096> bytes{};
    while (const std::size_t n = fread(bytes.data(), 1, bytes.size(), pipe)) {
        out.output.append(bytes.data(), n);
    }
    const int status = pclose(pipe);
    out.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    return out;
}

struct Row {
    const char* arguments;
    int exit_code;
    const char* says;
};

void check(const std::vector<Row>& rows) {
    for (const Row& row : rows) {
        const Seen seen = solve(row.arguments);
        EXPECT_EQ(seen.exit_code, row.exit_code) << row.arguments << "\n" << seen.output;
        EXPECT_THAT(seen.output, testing::HasSubstr(row.says)) << row.arguments;
    }
}

TEST(SolveCommand, SaysWhatIsWrong) {
    check({
        {"invert 'i -> i' --extent i=4 --extent i=8", 2, "two extents of i: 4 and 8"},
        {"set 'i' --extent i=4 --extent i=4", 2, "two extents of i: 4 and 4"},
        {"invert 'i -> i' --extent i=4 --extent j=8", 2, "the map has no variable j"},
        {"invert 'i, j -> i' --extent i=4", 2, "no extent of j"},
        {"invert 'i, i -> i' --extent i=2", 2, "the variable i stands twice in the map"},
        {"invert 'i -> i' --extent i=-3", 2, "the extent of i is negative: -3"},
        {"invert 'i -> i // 0' --extent i=3", 2, "division by 0: i // 0"},
        {"invert 'i -> i' --extent i=99999999999", 2, "<extent of i>:1:1: error: 99999999999 does"},
        {"invert 'i -> i * 99999999999' --extent i=2", 2, "<map>:1:5: error: 99999999999 does not"},
        {"invert 'i -> i +' --extent i=4", 2, "<map>:1:4: error: expected an expression"},
        {"invert 'i -> i' --extent i", 2, "'i' is not NAME=VALUE"},
        {"invert 'i -> i' --extent i=", 2, "<extent of i>:1:1: error: expected an expression"},
        {"invert 'i -> i' --extent i=4 --shape 4,4", 2, "the shape has 2 extents, the map 1"},
        {"invert 'i -> i' --extent i=4 --for i", 2, "--for is for bounds and project"},
        {"invert 'i -> i' --extent i=4 --var i:float32", 2, "i is float32"},
        {"bounds 'x < 99999999999999999999' --for x", 2, "<condition>:1:5: error: 9999999999999"},
        {"bounds 'x < 3' --for y", 2, "y does not occur in the condition"},
        {"bounds 'x < 3' --for x+1", 2, "not a variable: x+1"},
        {"bounds 'x + 3' --for x", 2, "<condition>:1:1: error: this expression is int32, not bool"},
        {"bounds 'x // 0 == 3' --for x", 2, "division by 0: x // 0"},
        {"bounds 'x < 3' --for x --extent i=4", 2, "extents are for invert and set"},
        {"bounds 'x < 3'", 2, "the variable is not said"},
        {"project 'x < 3' --for x --shape 4", 2, "a shape is for invert"},
        {"set 'i'", 2, "nothing ranges over anything"},
        {"set 'i % 0' --extent i=4", 2, "division by 0: i % 0"},
        {"set '' --extent i=4", 2, "nothing to solve"},
    });
}

TEST(SolveCommand, AContradictionIsNoAnswer) {
    check({
        {"bounds 'x < 3' --for x --given 'y > 3' --given 'y < 2'", 3,
         "(the facts contradict each other)"},
        {"invert 'i -> i' --extent i=n --given 'n > 3' --given 'n < 2'", 3,
         "(the facts contradict each other)"},
        {"set 'i' --extent i=n --given 'n > 3' --given 'n < 2'", 3,
         "(the facts contradict each other)"},
        {"invert 'i -> i' --extent i=0", 3, "(the domain is empty: there is no index)"},
        {"invert 'i -> i' --extent i=n --given 'n < 0'", 3,
         "(the domain is empty: there is no index)"},
        {"set 'i * 4' --extent i=0", 0, "exact: {}"},
    });
}

TEST(SolveCommand, PrintsSets) {
    check({
        {"set 'i * 8 + j' --extent i=2 --extent j=6", 0, "exact: {0..5} ∪ {8..13}\n"},
        {"set 'A[i, j * 2]' --extent i=n --extent j=4", 0, "together: exact\n"},
        {"set 'A[i, i + 1]' --extent i=n", 0,
         "together, as v0, v1, in exact: v0 + 1 == v1 and 0 <= v0 and v0 < n\n"},
        {"set 'A[i // 4, i % 4]' --extent i=n", 0,
         "exact: 0 <= v0 and v0 * 4 + v1 < n and 0 <= v1 and v1 <= 3\n"},
        {"set 'A[i + j, i - j]' --extent i=4 --extent j=4", 0, "(v0 + v1) % 2 == 0\n"},
        {"set 'A[i, i, j]' --extent i=n --extent j=2", 0,
         "in exact: v0 == v1 and 0 <= v0 and v0 < n and 0 <= v2"},
        // Trap: a square is no linear form; what is said holds more than the values.
        {"set 'A[i * i, i]' --extent i=5", 3, "in over: 0 <= v1 and v1 <= 4\n"},
        {"set 'A[i, j * 2]' --extent i=n --extent j=m", 0,
         "i in exact where the domain is not empty: {0..n - 1}\n"},
        {"set 'i * n + j' --extent i=m --extent j=n", 0,
         "exact where the domain is not empty: {0..m * n - 1}\n"},
        {"set 'i * i' --extent i=40", 3, "hull (of more than 16 ranges): {0..1521}\n"},
        {"set 'i * 4' --extent i=n --json", 0, "\"member\":\"0 <= v and v <= n * 4 - 4"},
    });
}

TEST(SolveCommand, InvertsWithSizesAndSingleValues) {
    check({
        {"invert 'i -> 7' --extent i=1", 0, "i = 0\nbox: p0 < 8\npadding: p0 != 7\n"},
        {"invert 'i -> i * s' --extent i=n --given 's > 0'", 0, "padding: p0 % s != 0\n"},
        {"invert 'i -> 3 * i + 2' --extent i=n", 0, "padding: p0 % 3 != 2\n"},
        {"invert 'i, j -> j * m + i' --extent i=m --extent j=n --given 'n > 0' --given 'm > 0'", 0,
         "i = p0 % m\nj = p0 // m\nbox: p0 < n * m\npadding: none\n"},
        {"invert 'i -> i // 2' --extent i=n --given 'n > 5'", 1,
         "injective: REFUTED by two points, whatever the sizes: i = 0, i' = 1\n"},
    });
}

}  // namespace
