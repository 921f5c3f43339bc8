// proviso serve: answers in order, and no request takes the server, or another answer, with it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/tools/commands.h"

namespace {

using nlohmann::json;
using proviso::tests::Commands;
using proviso::tests::Seen;
using testing::HasSubstr;
using testing::Not;

const std::string kOnes =
    "@T.prim_func\ndef f(A: T.Buffer((8,), \"int32\"), B: T.Buffer((8,), \"int32\")):\n"
    "    for i in range(8):\n        B[i] = A[i] // 3\n";
const std::string kSeven =
    "@T.prim_func\ndef f(A: T.Buffer((8,), \"int32\"), B: T.Buffer((8,), \"int32\")):\n"
    "    for i in range(7):\n        B[i] = A[i] // 3\n";

// A sum in two orders: no proof, and more work than a second's.
std::string product(const std::string& k) {
    return "@T.prim_func\ndef f(A: T.Buffer((64, 64), \"float32\"), B: T.Buffer((64, 64), "
           "\"float32\"), C: T.Buffer((64, 64), \"float32\")):\n    for i, j in T.grid(64, 64):\n"
           "        C[i, j] = T.float32(0)\n        for k in range(64):\n"
           "            C[i, j] = C[i, j] + A[i, " +
           k + "] * B[" + k + ", j]\n";
}

class Serve : public Commands {
  protected:
    std::vector<json> answers(const std::string& requests, const std::string& options = "") {
        file("requests", requests);
        const std::string line = std::string(PROVISO_BINARY) + " serve " + options;
        seen_ = shell("{ " + line + " < requests; }");
        std::vector<json> out;
        std::istringstream in(seen_.out);
        for (std::string one; std::getline(in, one);) out.push_back(json::parse(one));
        return out;
    }
    static std::string request(json id, const std::string& before, const std::string& after,
                               json options = json::object()) {
        return json{{"id", id}, {"before", before}, {"after", after}, {"options", options}}.dump() +
               "\n";
    }
    Seen seen_;
};

TEST_F(Serve, AnswersStandInTheOrderOfTheRequests) {
    const auto got = answers(request(1, kOnes, kOnes) + "\n" + request("b", kOnes, kSeven) +
                             request({3}, kOnes, kOnes, {{"no_proof", true}}));
    ASSERT_EQ(got.size(), 3U) << seen_.out;
    EXPECT_EQ(got[0]["id"], 1);
    EXPECT_EQ(got[0]["verdict"], "PROVED");
    EXPECT_EQ(got[0]["line"], 1);
    EXPECT_EQ(got[1]["id"], "b");
    EXPECT_EQ(got[1]["verdict"], "REFUTED");
    EXPECT_EQ(got[1]["line"], 3);
    EXPECT_THAT(got[1]["inputs"].get<std::string>(), HasSubstr("A = ["));
    EXPECT_EQ(got[2]["id"], json::array({3}));
    EXPECT_EQ(got[2]["verdict"], "BOUNDED");
    EXPECT_EQ(seen_.code, 1);
}

// Trap: the programs are compared without what the request says of their interfaces, or the answer
// does not say what it rests on.
TEST_F(Serve, RelationsOfInterfacesAreThoseOfCheck) {
    std::string renamed = kOnes;
    for (std::size_t at = 0; (at = renamed.find('B', at)) != std::string::npos; ++at) {
        if (renamed.compare(at, 6, "Buffer") != 0) renamed[at] = 'C';
    }
    const std::string blocks =
        "@T.prim_func\ndef f(A: T.Buffer((n,), \"int8\"), n: T.int32):\n"
        "    for o in range((n + 3) // 4):\n        for i in range(4):\n"
        "            if o * 4 + i < n:\n                A[o * 4 + i] = T.int8(1)\n";
    const std::string line =
        "@T.prim_func\ndef f(A: T.Buffer((n,), \"int8\"), n: T.int32):\n"
        "    for i in range(n):\n        A[i] = T.int8(1)\n";
    const auto got = answers(
        request(0, kOnes, renamed) + request(1, kOnes, renamed, {{"params", {"B=C"}}}) +
        request(2, line, blocks) + request(3, line, blocks, {{"at_most", 100000}}) +
        request(4, kOnes, kOnes, {{"params", "B=C"}}) + request(5, kOnes, kOnes, {{"flat", 1}}) +
        request(6, kOnes, kOnes, {{"assume_no_overflow", true}}));
    ASSERT_EQ(got.size(), 7U) << seen_.out;
    const std::string proved = "\"verdict\":\"PROVED\"";
    EXPECT_TRUE(got[0].contains("error"));
    EXPECT_THAT(got[1].dump(), HasSubstr(proved));
    EXPECT_THAT(got[1].value("under", json()).dump(), HasSubstr("parameter B is C after"));
    EXPECT_THAT(got[2].dump(), Not(HasSubstr(proved)));
    EXPECT_THAT(got[3].dump(), HasSubstr(proved));
    EXPECT_THAT(got[3].value("under", json()).dump(), HasSubstr("100000"));
    EXPECT_THAT(got[4].value("error", json()).dump(), HasSubstr("must be a list of texts"));
    EXPECT_THAT(got[5].value("error", json()).dump(), HasSubstr("must be true or false"));
    EXPECT_THAT(got[6].value("error", json()).dump(), HasSubstr("of BEFORE wraps"));
}

// Trap: a line that nobody can read ends the process, or takes the answer of its neighbour.
TEST_F(Serve, HostileLinesEndInAnErrorAnswer) {
    std::string deep;
    for (int i = 0; i < 300; ++i) deep += "{\"a\":";
    const std::vector<std::string> hostile = {
        "{",
        "[1, 2]",
        "null",
        deep,
        std::string("{\"id\": \xff\xfe}"),
        R"({"id": 1, "id": 2, "before": "", "after": ""})",
        R"({"before": "", "after": ""})",
        R"({"before": 1, "after": ""})",
        R"({"before": "x", "after": "y", "log": "/tmp"})",
        json{{"before", kOnes}, {"after", kOnes}, {"options", {{"test", 1}}}}.dump(),
        json{{"before", kOnes}, {"after", kOnes}, {"options", {{"tests", -1}}}}.dump(),
        json{{"before", kOnes}, {"after", kOnes}, {"options", {{"tests", 1.5}}}}.dump(),
        json{{"before", kOnes}, {"after", kOnes}, {"options", {{"set", {{"n", 3}}}}}}.dump(),
        json{{"before", kOnes}, {"after", kOnes}, {"function", "g"}}.dump(),
        json{{"before", kOnes}, {"after", product("k")}}.dump(),
        json{{"before", kOnes}, {"after", kOnes.substr(0, 40)}}.dump(),
        json{{"before", std::string(9000, '(')}, {"after", ""}}.dump(),
    };
    std::string requests;
    for (const std::string& line : hostile) requests += line + "\n" + request(7, kOnes, kOnes);
    const auto got = answers(requests);
    ASSERT_EQ(got.size(), 2 * hostile.size()) << seen_.out;
    for (std::size_t k = 0; k < hostile.size(); ++k) {
        EXPECT_TRUE(got[2 * k].contains("error")) << hostile[k] << "\n" << got[2 * k];
        EXPECT_FALSE(got[2 * k].contains("verdict")) << hostile[k];
        EXPECT_EQ(got[2 * k + 1]["verdict"], "PROVED") << hostile[k];
    }
    EXPECT_EQ(seen_.code, 2);
}

// Trap: the text is cut off, and the rest of the line is read as another request.
TEST_F(Serve, ALineThatIsTooLongIsOneError) {
    file("requests", request(1, kOnes, kOnes));
    const Seen seen = shell("{ (head -c 70000000 /dev/zero | tr '\\0' x; echo; cat requests) | " +
                            std::string(PROVISO_BINARY) + " serve; }");
    std::istringstream in(seen.out);
    std::string first;
    std::string second;
    std::getline(in, first);
    std::getline(in, second);
    EXPECT_THAT(first, HasSubstr("a line of more than 64 MiB"));
    EXPECT_THAT(second, HasSubstr("\"verdict\":\"PROVED\""));
    EXPECT_EQ(seen.code, 2);
}

// Trap: a request that passes the limit of its process takes the server down.
TEST_F(Serve, WhatPassesALimitIsUnknownAndTheNextIsAnswered) {
    const auto got = answers(
        request(1, product("k"), product("(63 - k)")) + request(2, kOnes, kOnes), "--seconds 1");
    ASSERT_EQ(got.size(), 2U) << seen_.out;
    EXPECT_EQ(got[0]["id"], 1);
    EXPECT_EQ(got[0]["verdict"], "UNKNOWN");
    EXPECT_THAT(got[0]["reason"].get<std::string>(), HasSubstr("1 seconds of processor time"));
    EXPECT_EQ(got[1]["verdict"], "PROVED");
    EXPECT_EQ(seen_.code, 3);
}

// Trap: an answer that depends on what was asked before.
TEST_F(Serve, AnAnswerDependsOnItsRequestAlone) {
    const std::string a = request(1, kOnes, kSeven, {{"seed", 5}});
    const std::string b = request(2, kOnes, kOnes, {{"no_proof", true}});
    std::vector<json> alone = answers(a);
    std::vector<json> after = answers(b + b + a);
    ASSERT_EQ(after.size(), 3U);
    alone[0].erase("line");
    after[2].erase("line");
    EXPECT_EQ(alone[0], after[2]);
    after[0].erase("line");
    after[1].erase("line");
    EXPECT_EQ(after[0], after[1]);
}

}  // namespace
