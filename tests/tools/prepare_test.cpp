// proviso lower --prepare and --share-memory, and graph with both: the two functions, called from
// C, compute what the source's interpretation does; and what is refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/tools/commands.h"

namespace {

using nlohmann::json;
using proviso::tests::Commands;
using proviso::tests::Seen;
using proviso::tests::text_of;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

struct Preparing : Commands {
    // A tensor of numbers that depend on the seed, as a NumPy file.
    void tensor(const std::string& name, const std::vector<int>& shape, unsigned seed) {
        std::string dims;
        std::size_t count = 1;
        for (const int n : shape) {
            dims += std::to_string(n) + ", ";
            count *= static_cast<std::size_t>(n);
        }
        std::string head = "{'descr': '<f4', 'fortran_order': False, 'shape': (" + dims + "), }";
        head.resize(117, ' ');
        std::ofstream out(folder_ / name, std::ios::binary);
        out << "\x93NUMPY" << '\x01' << '\0' << '\x76' << '\0' << head << '\n';
        std::uint64_t state = seed;
        for (std::size_t k = 0; k < count; ++k) {
            state = state * 6364136223846793005U + 1442695040888963407U;
            const auto number = static_cast<float>(static_cast<double>(state >> 40U) / 1e6 - 8);
            out.write(reinterpret_cast<const char*>(&number), sizeof number);
        }
    }
    // The cells of a NumPy file.
    std::string cells(const std::string& name, std::size_t count) {
        const std::string text = text_of(folder_ / name);
        EXPECT_GE(text.size(), count * sizeof(float)) << name;
        return text.substr(text.size() - count * sizeof(float));
    }

    struct Array {
        std::string name;
        std::vector<int> shape;
        std::size_t count() const {
            std::size_t out = 1;
            for (const int n : shape) out *= static_cast<std::size_t>(n);
            return out;
        }
    };

    // Prepares once and runs three times with other inputs, from C, on memory that is full of
    // rubbish; each result is that of the interpreter, and neither weights nor what is packed
    // changes.
    void runs_in_c(const std::string& program, const std::string& symbol, const Array& x,
                   const std::vector<Array>& weights, const Array& y) {
        std::string declared;
        std::string read;
        std::string passed;
        for (const Array& w : weights) {
            tensor(w.name + ".npy", w.shape, 77);
            declared += "static float " + w.name + "[" + std::to_string(w.count()) + "];\n";
            read += "    load(\"" + w.name + ".npy\", " + w.name + ", sizeof " + w.name + ");\n";
            passed += w.name + ", ";
        }
        for (int k = 1; k <= 3; ++k) tensor("x" + std::to_string(k) + ".npy", x.shape, 1000 + k);
        const std::string floats = std::to_string(x.count());
        file("use.c", "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include \"" +
                          symbol + ".h\"\n" + declared + "static float x[" + floats + "], y[" +
                          std::to_string(y.count()) +
                          "];\n"
                          "static void load(const char* name, void* to, size_t bytes) {\n"
                          "    FILE* f = fopen(name, \"rb\");\n"
                          "    if (!f || fseek(f, 128, SEEK_SET) || fread(to, 1, bytes, f) != "
                          "bytes) exit(9);\n"
                          "    fclose(f);\n}\n"
                          "int main(void) {\n"
                          "    void* packed = aligned_alloc(64, " +
                          symbol +
                          "_PACKED_BYTES + 64);\n"
                          "    void* before = malloc(" +
                          symbol +
                          "_PACKED_BYTES + 64);\n"
                          "    void* workspace = aligned_alloc(64, " +
                          symbol +
                          "_WORKSPACE_BYTES + 64);\n"
                          "    memset(packed, 0xff, " +
                          symbol + "_PACKED_BYTES + 64);\n" + read + "    if (" + symbol +
                          "_prepare(" + passed +
                          "packed)) return 2;\n"
                          "    memcpy(before, packed, " +
                          symbol + "_PACKED_BYTES + 64);\n" +
                          (weights.size() == 1 ? "    memset(w, 0xff, sizeof w);\n" : "") +
                          "    for (int k = 1; k <= 3; ++k) {\n"
                          "        char name[20];\n"
                          "        snprintf(name, sizeof name, \"x%d.npy\", k);\n"
                          "        load(name, x, sizeof x);\n"
                          "        memset(workspace, 0xff, " +
                          symbol +
                          "_WORKSPACE_BYTES + 64);\n"
                          "        memset(y, 0xff, sizeof y);\n"
                          "        if (" +
                          symbol +
                          "_run(x, y, packed, workspace)) return 3;\n"
                          "        if (memcmp(before, packed, " +
                          symbol +
                          "_PACKED_BYTES + 64)) return 4;\n"
                          "        snprintf(name, sizeof name, \"y%d.raw\", k);\n"
                          "        FILE* f = fopen(name, \"wb\");\n"
                          "        fwrite(y, 1, sizeof y, f);\n"
                          "        fclose(f);\n"
                          "    }\n    return 0;\n}\n");
        const Seen built =
            shell("cc -Wall -Wextra -Werror -Imade use.c made/" + symbol + ".so -o use && ./use");
        ASSERT_EQ(built.code, 0) << built.err;
        for (int k = 1; k <= 3; ++k) {
            const std::string n = std::to_string(k);
            std::vector<std::string> words = {"run", program,   "--engine", "interp",          "-q",
                                              "-o",  "ref" + n, "--in",     "x=x" + n + ".npy"};
            for (const Array& w : weights) {
                words.insert(words.end(), {"--in", w.name + "=" + w.name + ".npy"});
            }
            const Seen seen = run(words);
            ASSERT_EQ(seen.code, 0) << seen.err;
            EXPECT_EQ(cells("ref" + n + "/" + y.name + ".npy", y.count()),
                      text_of(folder_ / ("y" + n + ".raw")))
                << "run " << k;
        }
    }

    static std::string example(const std::string& name) {
        return std::string(PROVISO_SOURCE_DIR) + "/examples/" + name;
    }
    static std::string network(const std::string& name) {
        return std::string(PROVISO_SOURCE_DIR) + "/tests/data/graphs/" + name + ".py";
    }
};

TEST_F(Preparing, RunsAnyNumberOfTimes) {
    const Seen seen = run({"lower", example("layers.py"), "--prepare", "w", "--share-memory",
                           "--emit", "so", "-o", "made", "--json"});
    ASSERT_EQ(seen.code, 0) << seen.err;
    const json report = json::parse(seen.out);
    EXPECT_EQ(report["two_parts"]["packed"], json({"wt"}));
    EXPECT_EQ(report["two_parts"]["weights"], json({"w"}));
    EXPECT_EQ(report["memory"]["apart"], 204);
    EXPECT_EQ(report["memory"]["together"], 156);
    EXPECT_EQ(report["memory"]["at_one_time"], 156);
    runs_in_c(example("layers.py"), "layers", {"x", {4, 5}}, {{"w", {3, 5}}}, {"y", {4, 3}});
}

constexpr const char* kPointwiseCosts =
    R"({"operators": {
          "pointwise": {"as-is": 5000, "columns-16:0 -> columns-16:0": 1000,
                        "columns-16:0 -> columns-16:any": 900},
          "relu": {"as-is": 100, "columns-16:0 -> columns-16:0": 80}},
        "conversions": {
          "float32[4, 27]": {"as-is -> columns-16:0": 50, "columns-16:any -> as-is": 40}}})";

// A network with padded channels: the packing of both weights moves out of what runs, and tensors
// share memory, though each of them has padding that its reader relies on.
TEST_F(Preparing, WeightsOfANetwork) {
    file("costs.json", kPointwiseCosts);
    Seen seen = run({"graph", network("pointwise"), "--costs", "costs.json", "--templates",
                     "columns-16", "--prepare", "w1,w2", "--share-memory", "--emit", "so,ir",
                     "--log", "log", "-o", "made"});
    ASSERT_EQ(seen.code, 0) << seen.err;
    EXPECT_THAT(seen.out, HasSubstr("prepared"));
    EXPECT_THAT(seen.err, HasSubstr("in two parts: net_prepare packs 8192 bytes"));
    EXPECT_THAT(seen.out, HasSubstr("cost 2070 ns"));
    const std::string lowered = text_of(folder_ / "made" / "net.lowered.py");
    EXPECT_THAT(lowered, HasSubstr("w1: T.Buffer((T.int64(27), T.int64(27)), \"float32\")"));
    runs_in_c(network("pointwise"), "net", {"x", {4, 27}}, {{"w1", {27, 27}}, {"w2", {27, 27}}},
              {"y", {4, 27}});
    seen = run({"audit", "log", "--prepare", "w1,w2"});
    EXPECT_EQ(seen.code, 0) << seen.out;
    EXPECT_THAT(seen.out, HasSubstr("VERIFIED"));
    EXPECT_THAT(seen.out, HasSubstr("what depends on w1, w2 only"));
    EXPECT_THAT(seen.out, HasSubstr("So after net_prepare, once, each of any number of runs"));
}

// Traps: what the program updates, and what depends on more than weights, is prepared by nobody.
TEST_F(Preparing, Refused) {
    file("update.py",
         "@T.prim_func\ndef update(x: T.Buffer((4,), \"float32\"), w: T.Buffer((4,), "
         "\"float32\"), y: T.Buffer((4,), \"float32\")):\n    for i in range(4):\n        y[i] = "
         "x[i] * w[i]\n    for i in range(4):\n        w[i] = w[i] + y[i]\n");
    Seen seen = run({"lower", "update.py", "--prepare", "w"});
    EXPECT_EQ(seen.code, 2);
    EXPECT_THAT(seen.err, HasSubstr("w is updated by update"));
    seen = run({"lower", "update.py", "--prepare", "v"});
    EXPECT_EQ(seen.code, 2);
    EXPECT_THAT(seen.err, HasSubstr("has no buffer parameter 'v'"));
    seen = run({"lower", "update.py", "--prepare", "x", "--target", "gpu-host"});
    EXPECT_EQ(seen.code, 2);
    EXPECT_THAT(seen.err, HasSubstr("--prepare is about machine code of the CPU"));
    seen = run({"graph", network("pointwise"), "--prepare", "y"});
    EXPECT_EQ(seen.code, 2);
    EXPECT_THAT(seen.err, HasSubstr("--prepare: y is updated by net"));
    seen = run({"graph", network("pointwise"), "--prepare", "w3"});
    EXPECT_EQ(seen.code, 2);
    EXPECT_THAT(seen.err, HasSubstr("did you mean"));
    seen = run({"lower", example("layers.py"), "--log", "log", "--emit", "ir"});
    ASSERT_EQ(seen.code, 0);
    seen = run({"audit", "log", "--prepare", "y"});
    EXPECT_EQ(seen.code, 2);
    EXPECT_THAT(seen.out, HasSubstr("y is updated by layers"));
    EXPECT_THAT(seen.out, Not(HasSubstr("Theorem")));
}

// Without anything to prepare, both functions are there: the first one does nothing.
TEST_F(Preparing, NothingToPrepare) {
    file("sum.py",
         "@T.prim_func\ndef plus(x: T.Buffer((4,), \"float32\"), w: T.Buffer((4,), "
         "\"float32\"), y: T.Buffer((4,), \"float32\")):\n    for i in range(4):\n        y[i] = "
         "x[i] + w[i]\n");
    const Seen seen = run({"lower", "sum.py", "--prepare", "w", "--emit", "so", "-o", "made"});
    EXPECT_EQ(seen.code, 0) << seen.err;
    const std::string header = text_of(folder_ / "made" / "plus.h");
    EXPECT_THAT(header, HasSubstr("int32_t plus_prepare(void* packed);"));
    EXPECT_THAT(header, HasSubstr("int32_t plus_run(const float* x, const float* w, float* y, "
                                  "const void* packed, void* workspace);"));
}

}  // namespace
