// proviso graph: what is decided for small networks (tests/data/graphs), and that it is proved,
// audited, and computes the same.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/tools/commands.h"

namespace {

using nlohmann::json;
using proviso::tests::Commands;
using proviso::tests::Seen;
using proviso::tests::text_of;
using testing::HasSubstr;
using testing::Not;

struct Graphs : Commands {
    static std::string network(const std::string& name) {
        return std::string(PROVISO_SOURCE_DIR) + "/tests/data/graphs/" + name + ".py";
    }

    json decision(const std::string& name, const std::string& costs,
                  const std::vector<std::string>& more = {}) {
        file("costs.json", costs);
        std::vector<std::string> words = {"graph", network(name), "--json", "--costs",
                                          "costs.json"};
        words.insert(words.end(), more.begin(), more.end());
        const Seen seen = run(words);
        EXPECT_EQ(seen.code, 0) << seen.err;
        const json out = json::parse(seen.out, nullptr, false);
        EXPECT_FALSE(out.is_discarded()) << seen.out;
        EXPECT_EQ(out.value("verdict", ""), "PROVED");
        EXPECT_EQ(out["certificate"]["checked"], true);
        EXPECT_EQ(out["cost"], out["lower_bound"]);
        return out;
    }

    static std::vector<std::string> variants(const json& decided) {
        std::vector<std::string> out;
        for (const json& o : decided["operators"]) out.push_back(o["variant"]);
        return out;
    }
    static std::vector<std::string> conversions(const json& decided) {
        std::vector<std::string> out;
        for (const json& c : decided["conversions"]) {
            out.push_back(c["tensor"].get<std::string>() + ": " + c["from"].get<std::string>() +
                          " -> " + c["to"].get<std::string>());
        }
        return out;
    }
    static json variant(const json& decided, const std::string& kind, const std::string& name) {
        for (const json& k : decided["kinds"]) {
            if (k["name"] != kind) continue;
            for (const json& v : k["variants"]) {
                if (v["name"] == name) return v;
            }
        }
        return {};
    }

    // The result, run on the source's inputs, gives the source's outputs; the interface is the
    // same.
    void computes_the_same(const std::string& name, const std::vector<std::string>& outputs) {
        const std::vector<std::string> random = {"--random", "--seed", "5", "-q", "-o"};
        std::vector<std::string> before = {"run", network(name)};
        std::vector<std::string> after = {"run", "made/net.lowered.py"};
        before.insert(before.end(), random.begin(), random.end());
        after.insert(after.end(), random.begin(), random.end());
        before.emplace_back("before");
        after.emplace_back("after");
        EXPECT_EQ(run(before).code, 0);
        const Seen seen = run(after);
        EXPECT_EQ(seen.code, 0) << seen.err;
        for (const std::string& out : outputs) {
            const std::string expected = text_of(folder_ / "before" / (out + ".npy"));
            EXPECT_FALSE(expected.empty());
            EXPECT_EQ(expected, text_of(folder_ / "after" / (out + ".npy"))) << out;
        }
    }

    void is_audited() {
        const Seen seen = run({"audit", "log"});
        EXPECT_EQ(seen.code, 0) << seen.out << seen.err;
        EXPECT_THAT(seen.out, HasSubstr("VERIFIED"));
    }
};

const std::vector<std::string> kWritten = {"--emit", "schedule,ir", "--log", "log", "-o", "made"};

constexpr const char* kPointwise =
    R"({"operators": {
          "pointwise": {"as-is": 5000, "columns-16:0 -> columns-16:0": 1000,
                        "columns-16:0 -> columns-16:any": 900},
          "relu": {"as-is": 100, "columns-16:0 -> columns-16:0": 80}},
        "conversions": {
          "float32[4, 27]": {"as-is -> columns-16:0": 50, "columns-16:any -> as-is": 40}}})";

// 27 channels padded to 32: one conversion in, one out, weights as the caller prepares them, and
// neither a licence nor a branch.
TEST_F(Graphs, InnerConversionsVanish) {
    std::vector<std::string> more = kWritten;
    more.insert(more.end(), {"--templates", "columns-16"});
    const json decided = decision("pointwise", kPointwise, more);
    EXPECT_THAT(variants(decided),
                testing::ElementsAre("columns-16:0 -> columns-16:0", "columns-16:0 -> columns-16:0",
                                     "columns-16:0 -> columns-16:any"));
    EXPECT_THAT(conversions(decided),
                testing::ElementsAre("x: as-is -> columns-16:0", "y: columns-16:any -> as-is"));
    EXPECT_EQ(decided["cost"], 1000 + 80 + 900 + 50 + 40);
    EXPECT_EQ(decided["cost_as_is"], 10100);
    const std::string lowered = text_of(folder_ / "made" / "net.lowered.py");
    EXPECT_THAT(lowered,
                HasSubstr("w1: T.Buffer((T.int64(2), T.int64(16), T.int64(2), T.int64(16"));
    EXPECT_THAT(lowered, Not(HasSubstr("if T.")));
    const Seen seen = run({"audit", "log"});
    EXPECT_THAT(seen.out, HasSubstr("VERIFIED"));
    EXPECT_THAT(seen.out, HasSubstr("and no licence"));
}

constexpr const char* kExpSum =
    R"({"operators": {
          "exp": {"as-is": 1000, "columns-8:any -> columns-8:any": 100,
                  "columns-8:any -> columns-8:0": CHOOSE},
          "total": {"as-is": 500, "columns-8:any -> as-is": 1, "columns-8:0 -> as-is": 200}},
        "conversions": {
          "float32[3, 14]": {"as-is -> columns-8:any": 10, "columns-8:any -> columns-8:0": 50}}})";

std::string with(std::string text, const std::string& what, const std::string& value) {
    text.replace(text.find(what), what.size(), value);
    return text;
}

// Trap: `exp` leaves ones in the padding, and a compiler that looks at shapes only lets the sum
// read them: 16, not 14. That variant costs least here, and is no candidate.
TEST_F(Graphs, ASumDoesNotReadWhatExpLeaves) {
    const json decided = decision("exp_sum", with(kExpSum, "CHOOSE", "110"), kWritten);
    const json refused = variant(decided, "total", "columns-8:any -> as-is");
    EXPECT_THAT(refused["refused"].get<std::string>(), HasSubstr("REFUTED"));
    EXPECT_THAT(refused["values"].dump(), HasSubstr("y[0]: before 0.0, after"));
    EXPECT_THAT(variants(decided),
                testing::ElementsAre("columns-8:any -> columns-8:0", "columns-8:0 -> as-is"));
    EXPECT_EQ(decided["cost"], 10 + 110 + 200);
    is_audited();
    computes_the_same("exp_sum", {"y"});
}

// Where it is cheaper, the padding is written between the two.
TEST_F(Graphs, PaddingIsStrengthenedWhereThatIsCheaper) {
    const json decided = decision("exp_sum", with(kExpSum, "CHOOSE", "170"), kWritten);
    EXPECT_THAT(variants(decided),
                testing::ElementsAre("columns-8:any -> columns-8:any", "columns-8:0 -> as-is"));
    EXPECT_THAT(conversions(decided), testing::ElementsAre("x: as-is -> columns-8:any",
                                                           "e: columns-8:any -> columns-8:0"));
    EXPECT_EQ(decided["cost"], 10 + 100 + 50 + 200);
    is_audited();
    computes_the_same("exp_sum", {"y"});
}

constexpr const char* kThree =
    R"({"operators": {
          "relu": {"as-is": 100, "as-is -> columns-8:0": 100, "as-is -> columns-16:0": 100},
          "twice": {"as-is": 100, "columns-8:0 -> as-is": 10},
          "half": {"as-is": 100, "columns-16:0 -> as-is": 10},
          "shift": {"as-is": 100, "columns-8:0 -> as-is": 10}},
        "conversions": {
          "float32[4, 10]": {"as-is -> columns-8:0": COPY, "as-is -> columns-16:0": COPY,
                             "columns-8:0 -> as-is": COPY, "columns-16:0 -> as-is": COPY,
                             "columns-16:0 -> columns-8:0": COPY,
                             "columns-8:0 -> columns-16:0": COPY}}})";

std::string three(const std::string& copy) {
    std::string out = kThree;
    while (out.find("COPY") != std::string::npos) out = with(out, "COPY", copy);
    return out;
}

// Two readers with different layouts, and a third that shares the copy of one of them.
TEST_F(Graphs, AConversionIsSharedAndPaidOnce) {
    std::vector<std::string> more = kWritten;
    more.insert(more.end(), {"--templates", "columns-8,columns-16"});
    const json cheap = decision("three_readers", three("60"), more);
    EXPECT_THAT(variants(cheap),
                testing::ElementsAre("as-is -> columns-8:0", "columns-8:0 -> as-is",
                                     "columns-16:0 -> as-is", "columns-8:0 -> as-is"));
    EXPECT_THAT(conversions(cheap), testing::ElementsAre("t: columns-8:0 -> columns-16:0"));
    EXPECT_EQ(cheap["cost"], 100 + 3 * 10 + 60);
    is_audited();
    computes_the_same("three_readers", {"a", "b", "c"});
}

// Two neighbours read one copy. Where somebody between them reads the tensor itself, the kernel has
// no such step: each gets its own, which is counted and told.
TEST_F(Graphs, OneCopyServesNeighbours) {
    std::string costs = with(three("60"), ", \"as-is -> columns-8:0\": 100", "");
    costs = with(costs, "\"as-is -> columns-16:0\": 100", "\"as-is -> columns-16:0\": 100000");
    const std::vector<std::string> templates = {"--templates", "columns-8,columns-16"};
    const json apart = decision("three_readers", costs, templates);
    EXPECT_THAT(apart["refused_in_graph"].dump(), HasSubstr("stands among the consumers"));
    EXPECT_EQ(apart["conversions"].size(), 3U);
    EXPECT_EQ(apart["cost"], 100 + 3 * (60 + 10));
    costs = with(costs, "\"half\": {\"as-is\": 100, \"columns-16:0",
                 "\"half\": {\"as-is\": 100, \"columns-8:0");
    const json together = decision("three_readers", costs, templates);
    EXPECT_EQ(together["conversions"].size(), 1U);
    EXPECT_EQ(together["conversions"][0]["readers"], json({"a = twice", "b = half", "c = shift"}));
    EXPECT_EQ(together["cost"], 100 + 60 + 3 * 10);
}

TEST_F(Graphs, OtherCostsAnotherDecision) {
    const json dear = decision("three_readers", three("300"));
    EXPECT_THAT(variants(dear), testing::Each("as-is"));
    EXPECT_EQ(dear["cost"], 400);
}

// A residual: what is padded for the product is read by the sum beside it, in the same layout.
TEST_F(Graphs, AResidualSharesItsLayout) {
    const json decided = decision("residual", R"({"operators": {
          "relu": {"as-is": 100, "as-is -> columns-8:0": 110},
          "dense": {"as-is": 900, "columns-8:0 -> columns-8:0": 300},
          "add": {"as-is": 100, "columns-8:0 -> as-is": 90}},
        "conversions": {"float32[3, 10]": {"columns-8:0 -> as-is": 40}}})",
                                  kWritten);
    EXPECT_THAT(variants(decided),
                testing::ElementsAre("as-is -> columns-8:0", "columns-8:0 -> columns-8:0",
                                     "columns-8:0 -> as-is"));
    EXPECT_THAT(conversions(decided), testing::IsEmpty());
    is_audited();
}

// The halos are of the readers' own, so one layout serves both; channels are padded with zeros,
// which a maximum of padded channels would not survive if they were read as data.
TEST_F(Graphs, OneTensorWithTwoHalos) {
    const json decided = decision("two_halos", R"({"operators": {
          "scale": {"as-is": 100, "as-is -> channels-last-8:0": 90},
          "pool": {"as-is": 500, "channels-last-8:0 -> channels-last-8:any": 100},
          "conv": {"as-is": 900, "channels-last-8:0 -> channels-last-8:any": 100}},
        "conversions": {"float32[1, 5, 4, 4]": {"channels-last-8:any -> as-is": 20}}})",
                                  kWritten);
    EXPECT_THAT(variants(decided),
                testing::ElementsAre("as-is -> channels-last-8:0",
                                     "channels-last-8:0 -> channels-last-8:any",
                                     "channels-last-8:0 -> channels-last-8:any"));
    EXPECT_EQ(decided["conversions"].size(), 2U);
    is_audited();
}

constexpr const char* kPlusSum =
    R"({"operators": {
          "plus": {"as-is": 1000, "columns-8:any -> columns-8:any": 100,
                   "columns-8:0 -> columns-8:any": 100, "columns-8:0 -> columns-8:0": 130},
          "total": {"as-is": 500, "columns-8:any -> as-is": 1, "columns-8:0 -> as-is": 200}},
        "conversions": {
          "TYPE[3, 14]": {"as-is -> columns-8:any": 10, "as-is -> columns-8:0": 12,
                          "columns-8:any -> columns-8:0": 50}}})";

// Trap: one more than a padding of zeros is no zero. A float may be added to whatever the padding
// holds; the sum still needs zeros, and they are written.
TEST_F(Graphs, OneMoreThanZeroIsNoZero) {
    const json decided = decision("plus_sum", with(kPlusSum, "TYPE", "float32"), kWritten);
    EXPECT_TRUE(variant(decided, "total", "columns-8:any -> as-is").contains("refused"));
    EXPECT_THAT(variants(decided),
                testing::ElementsAre("columns-8:0 -> columns-8:0", "columns-8:0 -> as-is"));
    EXPECT_EQ(decided["cost"], 12 + 130 + 200);
    is_audited();
    computes_the_same("plus_sum", {"y"});
}

// Trap: an undefined integer plus one is a fault, where an undefined float plus one is none.
TEST_F(Graphs, AnUndefinedIntegerIsNotAddedTo) {
    const json decided = decision("plus_sum_int", with(kPlusSum, "TYPE", "int32"), kWritten);
    const json refused = variant(decided, "plus", "columns-8:any -> columns-8:any");
    EXPECT_THAT(refused["values"].dump(),
                HasSubstr("use of an indeterminate value: add(indet, 1)"));
    EXPECT_FALSE(variant(decided, "plus", "columns-8:0 -> columns-8:any").contains("refused"));
    EXPECT_THAT(variants(decided),
                testing::ElementsAre("columns-8:0 -> columns-8:0", "columns-8:0 -> as-is"));
    is_audited();
    computes_the_same("plus_sum_int", {"y"});
}

constexpr const char* kSoftmax =
    R"({"operators": {
          "twice": {"as-is": 900, "as-is -> columns-16:0": 100, "columns-16:any -> as-is": 90,
                    "columns-16:0 -> as-is": 100},
          "softmax": {"as-is": 9000, "columns-16:0 -> columns-16:any": 1,
                      "columns-16:0 -> columns-16:0": 3000}},
        "conversions": {
          "float32[2, 197]": {"as-is -> columns-16:0": 50, "columns-16:0 -> as-is": 50}}})";

// 197 columns padded to 208. Trap: the row's largest and the row's sum may not count the padding,
// so the variant that leaves anything there is refused, and the result has zeros.
TEST_F(Graphs, SoftmaxOverPaddedColumns) {
    std::vector<std::string> more = kWritten;
    more.insert(more.end(), {"--templates", "columns-16"});
    const json decided = decision("softmax", kSoftmax, more);
    EXPECT_TRUE(variant(decided, "softmax", "columns-16:0 -> columns-16:any").contains("refused"));
    EXPECT_THAT(variants(decided),
                testing::ElementsAre("as-is -> columns-16:0", "columns-16:0 -> columns-16:0",
                                     "columns-16:any -> as-is"));
    EXPECT_THAT(conversions(decided), testing::ElementsAre());
    is_audited();
    computes_the_same("softmax", {"y"});
}

// What is updated in place keeps its layout, whatever another one costs.
TEST_F(Graphs, TensorsThatAreUpdatedInPlaceStay) {
    const json decided = decision("in_place", R"({"operators": {
          "twice": {"as-is": 900, "as-is -> columns-8:0": 1, "columns-8:0 -> as-is": 1},
          "relu": {"as-is": 900, "as-is -> columns-8:0": 1}}, "conversions": {}})",
                                  kWritten);
    EXPECT_THAT(variants(decided), testing::ElementsAre("as-is", "as-is", "as-is"));
    is_audited();
    computes_the_same("in_place", {"y"});
}

// The best plan leaves a blocked output: it is cropped at the edge, or exported where the caller
// allows that, and then costs what the crop did less.
TEST_F(Graphs, ABlockedOutputIsExportedWithPermission) {
    const json cropped = decision("pointwise", kPointwise, {"--templates", "columns-16"});
    EXPECT_EQ(cropped["cost"], 1000 + 80 + 900 + 50 + 40);
    const json exported =
        decision("pointwise", kPointwise, {"--templates", "columns-16", "--repack", "y"});
    EXPECT_THAT(conversions(exported), testing::ElementsAre("x: as-is -> columns-16:0"));
    EXPECT_EQ(exported["cost"], 1000 + 80 + 900 + 50);
    const json y = exported["tensors"][3];
    EXPECT_EQ(y["name"], "y");
    EXPECT_EQ(y["layout"], "columns-16:any");
}

// One row of 14 columns is padded as several are: the row's loop of one iteration is one to walk.
TEST_F(Graphs, OneRow) {
    const json decided =
        decision("one_row", with(with(kExpSum, "CHOOSE", "110"), "[3, 14]", "[1, 14]"), kWritten);
    EXPECT_THAT(variants(decided),
                testing::ElementsAre("columns-8:any -> columns-8:0", "columns-8:0 -> as-is"));
    is_audited();
    computes_the_same("one_row", {"y"});
}

// Without costs, bytes: padding moves more of them, so the network stays as it is.
TEST_F(Graphs, BytesAreTheFallback) {
    const Seen seen = run({"graph", network("exp_sum")});
    EXPECT_EQ(seen.code, 0);
    EXPECT_THAT(seen.out, HasSubstr("cost 516 bytes, lower bound 516 bytes"));
    EXPECT_THAT(seen.out, HasSubstr("(nothing to change)"));
}

// Measured costs are a file that decides the same again, whatever the machine does then; weights
// have an entry for each layout that a candidate asks for.
TEST_F(Graphs, MeasuredCostsAreAnInput) {
    const std::vector<std::string> base = {
        "graph", network("pointwise"), "--templates", "columns-16", "--json", "--emit", "schedule"};
    std::vector<std::string> words = base;
    words.insert(words.end(), {"--measure", "costs.json", "-o", "first"});
    Seen seen = run(words);
    ASSERT_EQ(seen.code, 0) << seen.err;
    const json first = json::parse(seen.out);
    EXPECT_EQ(first["unit"], "ns");
    EXPECT_EQ(first["untimed"], json::array());
    const json costs = json::parse(text_of(folder_ / "costs.json"));
    for (const json& kind : first["kinds"]) {
        for (const json& v : kind["variants"]) {
            const json& entries = costs["operators"][kind["name"].get<std::string>()];
            EXPECT_EQ(entries.contains(v["name"]), !v.contains("refused")) << v;
        }
    }
    EXPECT_GE(costs["operators"]["pointwise"]["as-is"].get<int>(), 1);
    EXPECT_GE(costs["conversions"]["float32[4, 27]"]["as-is -> columns-16:0"].get<int>(), 1);
    words = base;
    words.insert(words.end(), {"--costs", "costs.json", "-o", "second"});
    seen = run(words);
    ASSERT_EQ(seen.code, 0) << seen.err;
    EXPECT_EQ(json::parse(seen.out)["cost"], first["cost"]);
    const std::string schedule = text_of(folder_ / "first" / "net.sch.py");
    EXPECT_THAT(schedule, HasSubstr("# costs: sha256:"));
    EXPECT_EQ(schedule, text_of(folder_ / "second" / "net.sch.py"));
}

TEST_F(Graphs, MeasuredCostsAreNotMixedWithGivenOnes) {
    file("costs.json", "{}");
    const Seen seen =
        run({"graph", network("exp_sum"), "--costs", "costs.json", "--measure", "m.json"});
    EXPECT_EQ(seen.code, 2);
    EXPECT_THAT(seen.err, HasSubstr("--measure"));
}

// Names and layouts are on the picture, and the page holds it.
TEST_F(Graphs, Pictures) {
    decision("pointwise", kPointwise,
             {"--templates", "columns-16", "--prepare", "w1", "--emit", "picture", "-o", "made"});
    const std::string svg = text_of(folder_ / "made" / "net.graph.svg");
    EXPECT_THAT(svg, HasSubstr("cost 2070 ns, lower bound 2070 ns, as it is 10100 ns"));
    EXPECT_THAT(svg, HasSubstr("x: as-is -&#62; columns-16:0"));
    EXPECT_THAT(svg, HasSubstr("w1: weight, prepared once"));
    EXPECT_THAT(svg, HasSubstr("at most 1024 bytes"));
    EXPECT_EQ(shell("xmllint --noout made/net.graph.svg").code, 0);
    const std::string page = text_of(folder_ / "made" / "net.graph.html");
    EXPECT_THAT(page, HasSubstr("<svg xmlns"));
    EXPECT_THAT(page, HasSubstr("<td>prepared once</td>"));
    EXPECT_THAT(page, Not(HasSubstr("<script")));
}

TEST_F(Graphs, ListsOnly) {
    const Seen seen = run({"graph", network("residual"), "--list", "--json"});
    EXPECT_EQ(seen.code, 0);
    const json listed = json::parse(seen.out);
    EXPECT_EQ(listed["operators"].size(), 3U);
    EXPECT_EQ(listed["operators"][2]["reads"], json({"d", "b"}));
    EXPECT_EQ(
        listed["tensors"][1],
        json({{"name", "w"}, {"type", "float32[10, 10]"}, {"role", "weight"}, {"readers", 1}}));
}

TEST_F(Graphs, InstancesShareTheirVariants) {
    const std::string networks =
        std::string(PROVISO_SOURCE_DIR) + "/tests/data/tvmscript/networks/";
    const Seen seen = run({"graph", networks + "resnet18.py", "--list"});
    EXPECT_EQ(seen.code, 0) << seen.err;
    EXPECT_THAT(seen.out, HasSubstr("main: 90 operators, 35 different"));
}

// Mistakes, each with what helps.
TEST_F(Graphs, Mistakes) {
    file("scale.py",
         "@T.prim_func\ndef scale(A: T.Buffer((4,), \"int32\")):\n    for i in range(4):\n"
         "        A[i] = 1\n");
    Seen seen = run({"graph", "scale.py"});
    EXPECT_EQ(seen.code, 2);
    EXPECT_THAT(seen.err, HasSubstr("scale.py has no graph"));
    EXPECT_THAT(seen.err, HasSubstr("hint: a graph is a function marked @R.function"));
    seen = run({"graph", network("exp_sum"), "-f", "nett"});
    EXPECT_THAT(seen.err, HasSubstr("has no graph 'nett'"));
    EXPECT_THAT(seen.err, HasSubstr("did you mean `net`?"));
    seen = run({"graph", network("exp_sum"), "--templates", "colums-8"});
    EXPECT_EQ(seen.code, 2);
    EXPECT_THAT(seen.err, HasSubstr("there is no template 'colums-8'"));
    EXPECT_THAT(seen.err, HasSubstr("did you mean `columns-8`?"));
    seen = run({"graph", network("exp_sum"), "--repack", "e"});
    EXPECT_EQ(seen.code, 2);
    EXPECT_THAT(seen.err, HasSubstr("net has no parameter 'e'"));
    seen = run({"graph", network("exp_sum"), "--emit", "everything"});
    EXPECT_EQ(seen.code, 2);
    EXPECT_THAT(seen.err, HasSubstr("cannot emit 'everything'"));
}

TEST_F(Graphs, MistakesInCostFilesHavePlaces) {
    const auto wrong = [&](const std::string& costs) {
        file("costs.json", costs);
        const Seen seen = run({"graph", network("exp_sum"), "--costs", "costs.json"});
        EXPECT_EQ(seen.code, 2);
        return seen.err;
    };
    EXPECT_THAT(wrong("{\"operators\": {\n  \"exp\": {\"as-is\": 1,}}}"),
                HasSubstr("costs.json:2:22: error: this is no JSON"));
    EXPECT_THAT(wrong("{\n\"operator\": {}}"),
                HasSubstr("costs.json:2:1: error: costs have no member `operator`"));
    EXPECT_THAT(wrong("{\"operators\": {\"exp\": {\n\"as-is\": 1.5}}}"),
                HasSubstr("costs.json:2:1: error: the cost of `as-is` is no integer"));
    EXPECT_THAT(wrong("{\"operators\": {\"exp\": {\"as-is\": -1}}}"),
                HasSubstr("is no integer from 0 to"));
    EXPECT_THAT(wrong("{\"operators\": {\"ex\": {\"as-is\": 1}}}"),
                HasSubstr("costs.json:1:16: error: the network has no operator `ex`"));
    EXPECT_THAT(wrong("{\"operators\": {\"exp\": {\"as-is\": 1}}}"),
                HasSubstr("the costs have no entry for total"));
    EXPECT_THAT(wrong("[]"), HasSubstr("costs.json:1:1: error: an object is expected"));
}

TEST_F(Graphs, TooManyOperators) {
    std::string text =
        "@I.ir_module\nclass Net:\n    @T.prim_func\n    def f(x: T.Buffer((4,), \"int32\"), y: "
        "T.Buffer((4,), \"int32\")):\n        for i in range(4):\n            with "
        "T.block(\"f\"):\n                vi = T.axis.spatial(4, i)\n                y[vi] = "
        "x[vi]\n    @R.function\n    def net(v0: R.Tensor((4,), dtype=\"int32\")):\n        cls = "
        "Net\n";
    constexpr int too_many = 257;
    for (int k = 0; k < too_many; ++k) {
        text += "        v" + std::to_string(k + 1) + " = R.call_tir(cls.f, (v" +
                std::to_string(k) + ",), out_sinfo=R.Tensor((4,), dtype=\"int32\"))\n";
    }
    file("net.py", text + "        return v257\n");
    const Seen seen = run({"graph", "net.py", "--list"});
    EXPECT_EQ(seen.code, 2);
    EXPECT_THAT(seen.err, HasSubstr("net has 257 operators: more than the limit, 256"));
}

}  // namespace
