// proviso lsp, as a scripted editor sees it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/tools/commands.h"
#include "tests/tools/lsp/client.h"
#include "tools/lsp/job.h"

namespace {

using nlohmann::json;
using proviso::tests::Commands;
using proviso::tests::Editor;
using testing::HasSubstr;
using testing::Not;

const std::string kProgram =
    "@T.prim_func\n"
    "def f(a: T.handle, B: T.Buffer((64,), \"float32\"), n: T.int32):\n"
    "    A = T.match_buffer(a, (n,), \"float32\")\n"
    "    for i, j in T.grid(16, 4):\n"
    "        with T.block(\"copy\"):\n"
    "            vi, vj = T.axis.remap(\"SS\", [i, j])\n"
    "            if vi * 4 + vj < n:\n"
    "                B[vi * 4 + vj] = A[vi * 4 + vj]\n"
    "    for k in range(10):\n"
    "        if k < 12:\n"
    "            B[k * 6] = T.float32(0)\n";

const std::string kScale =
    "@T.prim_func\n"
    "def scale(A: T.Buffer((14,), \"float32\"), B: T.Buffer((14,), \"float32\")):\n"
    "    for i in range(14):\n"
    "        with T.block(\"scale\"):\n"
    "            vi = T.axis.spatial(14, i)\n"
    "            B[vi] = A[vi] * T.float32(2)\n";

class Lsp : public Commands {
  protected:
    std::string path(const std::string& name) const { return (folder_ / name).string(); }
    std::string hover(const std::string& mark, int skip = 0) {
        const json got = editor_.about("textDocument/hover", path("f.py"), kProgram, mark, skip);
        return got.is_null() ? std::string() : got["contents"]["value"].get<std::string>();
    }
    Editor editor_;
};

TEST_F(Lsp, MistakesAreToldAsTheyAreTyped) {
    editor_.begin();
    const std::string wrong =
        "@T.prim_func\ndef f(A: T.Buffer((4,), \"int32\")):\n    A[0] = B[0]\n";
    editor_.open(path("f.py"), wrong);
    json told = editor_.diagnostics(path("f.py"));
    ASSERT_EQ(told.size(), 1U);
    EXPECT_EQ(told[0]["severity"], 1);
    EXPECT_EQ(told[0]["range"]["start"], json({{"line", 2}, {"character", 11}}));
    EXPECT_EQ(told[0]["range"]["end"], json({{"line", 2}, {"character", 12}}));
    EXPECT_THAT(told[0]["message"].get<std::string>(), HasSubstr("`B`"));
    std::string right = wrong;
    right[right.rfind('B')] = 'A';
    editor_.change(path("f.py"), right);
    EXPECT_EQ(editor_.diagnostics(path("f.py")), json::array());
}

TEST_F(Lsp, AHoverTellsTypesAndRanges) {
    editor_.begin();
    editor_.open(path("f.py"), kProgram);
    EXPECT_EQ(editor_.diagnostics(path("f.py")), json::array());
    EXPECT_THAT(hover("for i", 4), HasSubstr("0 <= i <= 15"));
    EXPECT_THAT(hover("vi * 4 + vj]", 3), HasSubstr("0 <= vi * 4 <= 60"));
    EXPECT_THAT(hover("vi * 4 + vj]", 3), HasSubstr("a multiple of 4"));
    // The trap: the condition around it does not count, and the sum could be n or more.
    EXPECT_THAT(hover("B[vi * 4 + vj]", 9), HasSubstr("vi * 4 + vj < n"));
    EXPECT_THAT(hover("vi * 4 + vj < n", 7), Not(HasSubstr("vi * 4 + vj < n\n\n")));
    EXPECT_THAT(hover("k < 12", 2), HasSubstr("always true here"));
    EXPECT_THAT(hover("B[k", 0), HasSubstr("B: T.Buffer((64,), \"float32\")"));
    EXPECT_THAT(hover("A[vi", 0), HasSubstr("A = T.match_buffer(a, (n,), \"float32\")"));
    EXPECT_EQ(hover("range(10)", 6), "");  // nothing to say of 10
    EXPECT_EQ(hover("@T.prim_func"), "");
}

TEST_F(Lsp, ADefinitionIsTheBinderThatIsMeant) {
    editor_.begin();
    editor_.open(path("f.py"), kProgram);
    const json vi = editor_.about("textDocument/definition", path("f.py"), kProgram, "B[vi", 2);
    EXPECT_EQ(vi["range"]["start"], json({{"line", 5}, {"character", 12}}));
    const json k = editor_.about("textDocument/definition", path("f.py"), kProgram, "k < 12");
    EXPECT_EQ(k["range"]["start"], json({{"line", 8}, {"character", 8}}));
    const json n = editor_.about("textDocument/definition", path("f.py"), kProgram, "< n", 2);
    EXPECT_EQ(n["range"]["start"], json({{"line", 1}, {"character", 50}}));
    const std::string again =
        "@T.prim_func\ndef f(A: T.Buffer((4,), \"int32\")):\n    x: T.int32 = A[0]\n"
        "    for x in range(x):\n        A[0] = x\n";
    editor_.open(path("g.py"), again);
    const json outer = editor_.about("textDocument/definition", path("g.py"), again, "range(x)", 6);
    EXPECT_EQ(outer["range"]["start"]["line"], 2);
    const json inner = editor_.about("textDocument/definition", path("g.py"), again, "= x", 2);
    EXPECT_EQ(inner["range"]["start"]["line"], 3);
}

// Traps: a fact of one call of a function of Python's, which is expanded, told of all; a predicate
// of a block taken for known where it is written; names that the reader has made unique.
TEST_F(Lsp, AHoverTellsWhatHoldsEveryTime) {
    editor_.begin();
    const auto at = [&](const std::string& text, const std::string& mark, int skip) {
        editor_.open(path("f.py"), text);
        EXPECT_EQ(editor_.diagnostics(path("f.py")), json::array());
        const json got = editor_.about("textDocument/hover", path("f.py"), text, mark, skip);
        return got.is_null() ? std::string() : got["contents"]["value"].get<std::string>();
    };
    const std::string expanded =
        "@T.prim_func\ndef f(A: T.Buffer((16,), \"int32\")):\n    @T.inline\n    def m(k):\n"
        "        if k < 4:\n            A[k] = k + 1\n    m(3)\n    for i in range(8):\n        "
        "m(i)\n";
    EXPECT_THAT(at(expanded, "k < 4", 2), Not(HasSubstr("always")));
    EXPECT_THAT(at(expanded, "k + 1", 0), Not(HasSubstr("k = 3")));
    const std::string guarded =
        "@T.prim_func\ndef f(A: T.Buffer((8,), \"int32\")):\n    for i in range(8):\n"
        "        with T.block(\"proviso_hover\"):\n            vi = T.axis.spatial(8, i)\n"
        "            T.where(i < 5)\n            A[vi] = i\n    for i in range(3):\n"
        "        A[i] = 2\n";
    EXPECT_THAT(at(guarded, "i < 5", 2), Not(HasSubstr("always")));
    EXPECT_THAT(at(guarded, "(8, i)", 4), HasSubstr("0 <= i <= 7"));
    EXPECT_THAT(at(guarded, "= i\n", 2), HasSubstr("0 <= i <= 4"));
    EXPECT_THAT(at(guarded, "A[i] = 2", 2), HasSubstr("0 <= i <= 2"));
}

// The trap: nothing is said, or of the wrong place, where a statement does not begin a line of its
// own, or its line begins with a tab.
TEST_F(Lsp, AHoverIsThereHoweverTheLinesAreWritten) {
    editor_.begin();
    const auto at = [&](const std::string& text, const std::string& mark, int skip = 0) {
        editor_.open(path("f.py"), text);
        EXPECT_EQ(editor_.diagnostics(path("f.py")), json::array()) << text;
        const json got = editor_.about("textDocument/hover", path("f.py"), text, mark, skip);
        return got.is_null() ? std::string() : got["contents"]["value"].get<std::string>();
    };
    const std::string head = "@T.prim_func\ndef f(A: T.Buffer((16,), \"int32\")):\n";
    const std::string elif = head +
                             "    for i in range(16):\n"
                             "        if i < 4:\n            A[i] = 1\n"
                             "        elif i < 9:  # the second\n            A[i] = 2\n"
                             "        elif i < 13:\n            A[i] = 3\n"
                             "        else:\n            A[i] = 4\n"
                             "    A[0] = 5\n";
    EXPECT_THAT(at(elif, "i < 9"), HasSubstr("4 <= i <= 15"));
    EXPECT_THAT(at(elif, "i < 13"), HasSubstr("9 <= i <= 15"));
    EXPECT_THAT(at(elif, "A[i] = 3", 2), HasSubstr("9 <= i <= 12"));
    EXPECT_THAT(at(elif, "A[i] = 4", 2), HasSubstr("13 <= i <= 15"));
    const std::string line = head + "    for i in range(8): A[i] = i; A[i + 8] = i + 1  # both\n";
    EXPECT_THAT(at(line, "for i", 4), HasSubstr("0 <= i <= 7"));
    EXPECT_THAT(at(line, "A[i]", 2), HasSubstr("0 <= i <= 7"));
    EXPECT_THAT(at(line, "i + 8", 2), HasSubstr("8 <= i + 8 <= 15"));
    EXPECT_THAT(at(line, "i + 1", 2), HasSubstr("1 <= i + 1 <= 8"));
    const std::string several = head + "    for i in range(8):\n        A[i] = 1; A[i + 8] = i\n";
    EXPECT_THAT(at(several, "A[i]", 2), HasSubstr("0 <= i <= 7"));
    EXPECT_THAT(at(several, "i + 8", 2), HasSubstr("8 <= i + 8 <= 15"));
    const std::string inner = head +
                              "    for i in range(16):\n        if i < 4: A[i] = 1\n"
                              "        elif i < 9: A[i] = i\n        else: A[i] = i + 2\n";
    EXPECT_THAT(at(inner, "i < 9"), HasSubstr("4 <= i <= 15"));
    EXPECT_THAT(at(inner, "= i\n", 2), HasSubstr("4 <= i <= 8"));
    EXPECT_THAT(at(inner, "i + 2", 2), HasSubstr("11 <= i + 2 <= 17"));
    const std::string tabs =
        "@T.prim_func\ndef f(A: T.Buffer((16,), \"int32\")):\n"
        "\tfor i in range(16):\n\t\tif i < 4:\n\t\t\tA[i] = 1\n"
        "\t\telif\ti < 9:\n\t\t\tA[i] =\ti\n";
    EXPECT_THAT(at(tabs, "for i", 4), HasSubstr("0 <= i <= 15"));
    EXPECT_THAT(at(tabs, "i < 9"), HasSubstr("4 <= i <= 15"));
    EXPECT_THAT(at(tabs, "\ti\n", 1), HasSubstr("4 <= i <= 8"));
    const std::string heads = head +
                              "    with T.block(\"b\"):\n        v = T.axis.spatial(16, 3)\n"
                              "        if v < 4: A[v] = v\n";
    EXPECT_THAT(at(heads, "v < 4", 2), HasSubstr("always true here"));
}

TEST_F(Lsp, SymbolsAndFormat) {
    editor_.begin();
    editor_.open(path("f.py"), kScale);
    const json file = {{"textDocument", {{"uri", proviso::tools::lsp::uri_of_path(path("f.py"))}}}};
    const json symbols = editor_.request("textDocument/documentSymbol", file)["result"];
    ASSERT_EQ(symbols.size(), 1U);
    EXPECT_EQ(symbols[0]["name"], "scale");
    EXPECT_EQ(symbols[0]["children"][0]["name"], "scale");
    EXPECT_EQ(symbols[0]["range"]["end"]["line"], 5);
    editor_.change(path("f.py"), "# why\n" + kScale);
    const json edits = editor_.request("textDocument/formatting", file)["result"];
    ASSERT_LE(edits.size(), 1U);
    const std::string text = edits.empty() ? kScale : edits[0]["newText"].get<std::string>();
    editor_.change(path("f.py"), text);
    EXPECT_EQ(editor_.request("textDocument/formatting", file)["result"], json::array());
}

TEST_F(Lsp, EachCallOfAScheduleHasItsVerdict) {
    file("scale.py", kScale);
    const std::string schedule =
        "b = sch.get_block(\"scale\")\n"
        "sch.transform_layout(b, \"B\", lambda i: [i // 8, i % 8], pad_value=0.0)\n"
        "i, j, k = sch.get_loops(b)\n";
    editor_.begin();
    editor_.open(path("scale.sch.py"), schedule);
    const json told = editor_.diagnostics(path("scale.sch.py"));
    ASSERT_EQ(told.size(), 1U);
    EXPECT_EQ(told[0]["range"]["start"]["line"], 2);
    // The trap: what came before a mistake has no verdict.
    const json lenses = editor_.request(
        "textDocument/codeLens",
        {{"textDocument",
          {{"uri", proviso::tools::lsp::uri_of_path(path("scale.sch.py"))}}}})["result"];
    ASSERT_GE(lenses.size(), 2U) << lenses;
    EXPECT_THAT(lenses[0]["command"]["title"].get<std::string>(), HasSubstr("gives scale"));
    EXPECT_THAT(lenses[1]["command"]["title"].get<std::string>(), HasSubstr("proved"));
    // A variable that holds a block leads to the block.
    const json block =
        editor_.about("textDocument/definition", path("scale.sch.py"), schedule, "(b,", 1);
    EXPECT_EQ(block["uri"], proviso::tools::lsp::uri_of_path(path("scale.py")));
    EXPECT_EQ(block["range"]["start"]["line"], 3);
    // As does its name.
    const json named =
        editor_.about("textDocument/definition", path("scale.sch.py"), schedule, "\"scale", 2);
    EXPECT_EQ(named, block);
    const json help =
        editor_.about("textDocument/hover", path("scale.sch.py"), schedule, "transform_layout");
    EXPECT_THAT(help["contents"]["value"].get<std::string>(), HasSubstr("Here: "));
}

// The trap: the editor shows no verdict where a step was refused, or not the values that show why.
TEST_F(Lsp, ARefusalStandsAtItsCallWithValues) {
    const std::string sum =
        "@T.prim_func\n"
        "def total(A: T.Buffer((14,), \"float32\"), S: T.Buffer((1,), \"float32\")):\n"
        "    for i in range(14):\n"
        "        with T.block(\"total\"):\n"
        "            vi = T.axis.reduce(14, i)\n"
        "            with T.init():\n"
        "                S[0] = T.float32(0)\n"
        "            S[0] = S[0] + A[vi]\n";
    const std::string schedule =
        "sch.transform_layout(\"total\", \"A\", lambda i: [i // 8, i % 8], pad_value=1.0)\n"
        "sch.sequential_buffer_access(\"total\", \"A\")\n"
        "sch.remove_branching_through_overcompute(\"total\")\n";
    editor_.begin({{"program", path("total.py")}});
    editor_.open(path("total.py"), sum);  // never saved
    EXPECT_EQ(editor_.diagnostics(path("total.py")), json::array());
    editor_.open(path("plan.py"), schedule);
    const json told = editor_.diagnostics(path("plan.py"));
    ASSERT_EQ(told.size(), 1U) << told;
    EXPECT_EQ(told[0]["severity"], 1);
    EXPECT_EQ(told[0]["range"]["start"]["line"], 2);
    EXPECT_THAT(told[0]["message"].get<std::string>(), HasSubstr("S["));
    // With zeros it holds.
    std::string right = schedule;
    right.replace(right.find("1.0"), 3, "0.0");
    editor_.change(path("plan.py"), right);
    EXPECT_EQ(editor_.diagnostics(path("plan.py")), json::array());
    // Another program, another verdict: nobody has touched the schedule.
    std::string other = sum;
    other.replace(other.find("S[0] + A[vi]"), 12, "S[0] + T.exp(A[vi])");
    editor_.change(path("total.py"), other);
    EXPECT_EQ(editor_.diagnostics(path("plan.py")).size(), 1U);
}

// The trap: "proved" beside a schedule whose program is another one by now.
TEST_F(Lsp, AVerdictIsThatOfTheProgramThatCounts) {
    std::string other = kScale;
    other.replace(other.find("T.block(\"scale\")"), 16, "T.block(\"other\")");
    file("scale.py", other);
    editor_.begin();
    editor_.open(path("scale.py"), kScale);
    editor_.open(path("scale.sch.py"), "sch.get_block(\"scale\")\n");
    EXPECT_EQ(editor_.diagnostics(path("scale.sch.py")), json::array());
    const json scale = {
        {"textDocument", {{"uri", proviso::tools::lsp::uri_of_path(path("scale.py"))}}}};
    editor_.notify("textDocument/didClose", scale);  // the file counts
    EXPECT_EQ(editor_.diagnostics(path("scale.sch.py")).size(), 1U);
    file("scale.py", kScale);
    editor_.notify("workspace/didChangeWatchedFiles");
    EXPECT_EQ(editor_.diagnostics(path("scale.sch.py")), json::array());
    editor_.open(path("scale.py"), std::string(17 << 20, '#'));  // is not read
    EXPECT_EQ(editor_.diagnostics(path("scale.sch.py")).size(), 1U);
    // After "shutdown" nothing is run.
    editor_.change(path("scale.py"), kScale);
    editor_.request("shutdown");
    usleep(400'000);
    editor_.notify("exit");
    json message = editor_.next();
    for (; !message.is_null(); message = editor_.next()) {
        EXPECT_NE(message["params"]["uri"], proviso::tools::lsp::uri_of_path(path("scale.sch.py")));
    }
}

TEST_F(Lsp, AScheduleWithoutAProgramSaysSo) {
    editor_.begin();
    editor_.open(path("plan.sch.py"), "sch.simplify()\n");
    const json told = editor_.diagnostics(path("plan.sch.py"));
    ASSERT_EQ(told.size(), 1U);
    EXPECT_THAT(told[0]["message"].get<std::string>(), HasSubstr("plan.py"));
    file("scale.py", kScale);
    editor_.change(path("plan.sch.py"), "# proviso: program scale.py\nsch.get_block(\"scale\")\n");
    EXPECT_EQ(editor_.diagnostics(path("plan.sch.py")), json::array());
}

TEST_F(Lsp, TheProtocolIsKept) {
    EXPECT_EQ(editor_.request("textDocument/hover")["error"]["code"], -32002);
    editor_.begin();
    EXPECT_EQ(editor_.request("workspace/nothing")["error"]["code"], -32601);
    editor_.write("Content-Length: 3\r\n\r\n{{{");
    EXPECT_EQ(editor_.next()["error"]["code"], -32700);
    editor_.write("Content-Length: 2\r\n\r\n{}");
    EXPECT_EQ(editor_.next()["error"]["code"], -32600);
    for (const json& odd : {json(7), json("text"), json::array({1}), json(nullptr)}) {
        editor_.notify("textDocument/didOpen", odd);
        editor_.notify("textDocument/didChange", {{"contentChanges", odd}, {"textDocument", odd}});
        EXPECT_TRUE(editor_.request("textDocument/hover", odd)["result"].is_null());
    }
    editor_.open("/no/such/folder/f.py", kScale);
    EXPECT_EQ(editor_.diagnostics("/no/such/folder/f.py"), json::array());
    const json far = editor_.request(
        "textDocument/hover", {{"textDocument", {{"uri", "file:///no/such/folder/f.py"}}},
                               {"position", {{"line", 1'000'000'000'000}, {"character", -5}}}});
    EXPECT_TRUE(far["result"].is_null());
    EXPECT_EQ(editor_.begin()["error"]["code"], -32600);  // a second time
    EXPECT_TRUE(editor_.request("shutdown")["result"].is_null());
    EXPECT_EQ(editor_.request("textDocument/hover")["error"]["code"], -32600);
    editor_.notify("exit");
    EXPECT_EQ(editor_.ended(), 0);
}

// The trap: one message that is none takes the server with it, and all that the editor knew.
TEST_F(Lsp, GarbageTakesNothingWithIt) {
    editor_.begin();
    editor_.open(path("f.py"), kScale);
    EXPECT_EQ(editor_.diagnostics(path("f.py")), json::array());
    const std::string deep(100'000, '[');
    for (const std::string& body :
         {std::string("null"), std::string("[1, 2]"), std::string("1e999"), deep,
          std::string("\xff\xfe"), std::string(R"({"id": {"a": 1}, "method": "x"})"),
          std::string(R"({"id": true, "method": 3})"), std::string()}) {
        editor_.write("Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body);
        EXPECT_TRUE(editor_.next().contains("error")) << body.substr(0, 40);
    }
    const json hover = editor_.about("textDocument/hover", path("f.py"), kScale, "A[vi]", 2);
    EXPECT_THAT(hover["contents"]["value"].get<std::string>(), HasSubstr("0 <= vi <= 13"));
    const std::string half = kScale.substr(0, kScale.size() - 20);
    for (const std::string& text : {std::string(), std::string("\xff"), std::string("a\0b", 3),
                                    std::string(50'000, '('), half}) {
        editor_.change(path("f.py"), text);
        for (const json& place : {json({{"line", -1}, {"character", 7}}), json(nullptr),
                                  json({{"line", "a"}, {"character", 1.5}}),
                                  json({{"line", 5}, {"character", 1'000'000'000'000}})}) {
            const json asked = {
                {"textDocument", {{"uri", proviso::tools::lsp::uri_of_path(path("f.py"))}}},
                {"position", place}};
            EXPECT_TRUE(editor_.request("textDocument/hover", asked).contains("result"));
        }
    }
}

TEST_F(Lsp, EndsWithItsClient) {
    editor_.begin();
    editor_.close();
    EXPECT_EQ(editor_.ended(), 1);
    Editor lost;
    lost.write("Content-Length: many\r\n\r\n{}");
    EXPECT_EQ(lost.ended(), 2);
    Editor sudden;
    sudden.begin();
    sudden.notify("exit");  // without "shutdown"
    EXPECT_EQ(sudden.ended(), 1);
}

TEST(LspLines, CountInUtf16) {
    const proviso::tools::lsp::Lines lines("a = \"\xF0\x9F\x99\x82\xC3\xA9\" + b\r\nlast");
    EXPECT_EQ(lines.size(), 2U);
    EXPECT_EQ(lines.encoded({1, 8}), json({{"line", 0}, {"character", 8}}));  // behind the face
    EXPECT_EQ(lines.decoded({{"line", 0}, {"character", 8}}),
              (proviso::ir::python::Position{1, 8}));
    EXPECT_EQ(lines.decoded({{"line", 0}, {"character", 99}}).column, 13);
    EXPECT_EQ(lines.word_length({2, 1}), 4);
    EXPECT_EQ(proviso::tools::lsp::path_of_uri("file:///a%20b/%C3%A9.py"), "/a b/\xC3\xA9.py");
    EXPECT_EQ(proviso::tools::lsp::uri_of_path("/a b/\xC3\xA9.py"), "file:///a%20b/%C3%A9.py");
    EXPECT_EQ(proviso::tools::lsp::path_of_uri("untitled:1"), "");
}

// The trap: work that never ends holds up the editor, or lives on when nobody wants it.
TEST(LspJob, HasALimitAndCanBeDropped) {
    const auto forever = [] {
        volatile unsigned long n = 0;
        while (n + 1 != 0) n = n + 1;
        return std::string();
    };
    proviso::backend::ChildLimits limits;
    limits.seconds = 1;
    proviso::tools::lsp::Job job(limits, forever);
    std::optional<proviso::backend::ChildResult> result;
    while (!result) result = job.read();
    EXPECT_FALSE(result->finished);
    EXPECT_THAT(result->death, HasSubstr("1 seconds of processor time"));
    const proviso::tools::lsp::Job dropped(proviso::backend::kNoLimits, forever);
    proviso::tools::lsp::Job quick(limits, [] { return std::string("done"); });
    result.reset();
    while (!result) result = quick.read();
    EXPECT_EQ(result->bytes, "done");
}

}  // namespace
