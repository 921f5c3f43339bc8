// The licence `contract`: products are fused into sums where the function grants it, and nowhere
// else; and the width of vectors that a schedule asks for.
#include <array>

#include "backend/cpu/licence.h"
#include "ir/text.h"
#include "tests/backend/helpers.h"

namespace proviso::backend::testing {
namespace {

class Contract : public ::testing::Test {
  protected:
    Function program(const std::string& body, bool granted = true) {
        const std::string text =
            std::string("@T.prim_func\ndef f(A: T.Buffer((64,), \"float32\"), ") +
            "B: T.Buffer((64,), \"float32\"), C: T.Buffer((64,), \"float32\")):\n" +
            (granted ? "    T.func_attr({\"proviso.licences\": [\"contract\"]})\n" : "") + body;
        Result<Function> f = parse_function(ctx, text, "f.py");
        if (!f) ADD_FAILURE() << f.error().str();
        return *f;
    }
    std::string assembly(const Function& f, const std::string& cpu = "v3", bool contract = true) {
        CpuOptions options;
        options.cpu = cpu;
        options.contract = contract;
        const Result<std::string> text = unverified::emit_assembly({f}, options);
        if (!text) ADD_FAILURE() << text.error().str();
        return *text;
    }
    bool fuses(const std::string& text) {
        return text.find("vfmadd") != std::string::npos ||
               text.find("vfnmadd") != std::string::npos ||
               text.find("vfmsub") != std::string::npos;
    }
    Context ctx;
};

constexpr const char* kSum = "    for i in T.vectorized(64):\n        C[i] = A[i] * B[i] + C[i]\n";

TEST_F(Contract, OnlyWhatGrantsItIsFused) {
    EXPECT_TRUE(fuses(assembly(program(kSum))));
    EXPECT_FALSE(fuses(assembly(program(kSum, false))));
    EXPECT_FALSE(fuses(assembly(program(kSum), "v3", false))) << "the option says no";
    EXPECT_FALSE(fuses(assembly(program(kSum), "v2"))) << "no such instruction there";
}

// What a float decides is decided as in the strict program, of which things are proved: an index
// that is proved to be 0 would be another one.
TEST_F(Contract, NothingIsFusedWhereAFloatDecides) {
    const std::array<const char*, 3> decides = {
        "    for i in range(64):\n        if A[i] < B[i]:\n            C[i] = A[i] * B[i] + C[i]\n",
        "    for i in range(64):\n"
        "        C[T.Cast(\"int32\", A[i] * A[i] - A[i] * A[i])] = A[i] * B[i] + C[i]\n",
        "    for i in range(64):\n"
        "        C[i] = T.call_extern(\"float32\", \"g\", A[i] * B[i] + C[i])\n"};
    for (const char* body : decides) EXPECT_FALSE(may_contract(program(body))) << body;
    EXPECT_FALSE(fuses(assembly(program(decides[0]))));
    // A maximum of floats decides floats only.
    EXPECT_TRUE(may_contract(
        program("    for i in range(64):\n        C[i] = T.max(A[i] * B[i] + C[i], A[i])\n")));
}

// Each result is one that some choice gives: the sums of three products have eight.
TEST_F(Contract, EachResultIsThatOfSomeChoice) {
    const Function f = program(
        "    for i in range(64):\n"
        "        for k in range(3):\n"
        "            C[i] = A[(i + k) % 64] * B[(i * 3 + k) % 64] + C[i]\n");
    std::vector<double> a;
    std::vector<double> b;
    for (int i = 0; i < 64; ++i) {
        a.push_back(static_cast<double>(1.0F / static_cast<float>(i + 3)));
        b.push_back(static_cast<double>(1.0F - 7.0F / static_cast<float>(i + 11)));
    }
    HostBuffer left = host_buffer(kFloat32, {64}, a);
    HostBuffer right = host_buffer(kFloat32, {64}, b);
    HostBuffer sums = host_buffer(kFloat32, {64}, std::vector<double>(64, -0.25));
    run(compiled(f), "f", {&left, &right, &sums});
    const std::vector<double> got = values(sums);
    for (std::size_t i = 0; i < 64; ++i) {
        bool found = false;
        for (unsigned choice = 0; choice < 8; ++choice) {
            float sum = -0.25F;
            for (std::size_t k = 0; k < 3; ++k) {
                const auto x = static_cast<float>(a[(i + k) % 64]);
                const auto y = static_cast<float>(b[(i * 3 + k) % 64]);
                volatile float product = x * y;  // rounded
                sum = (choice >> k & 1U) != 0 ? std::fma(x, y, sum) : product + sum;
            }
            found = found || static_cast<double>(sum) == got[i];
        }
        EXPECT_TRUE(found) << "cell " << i;
    }
}

TEST_F(Contract, NoOtherLeaveIsGiven) {
    // In another order this would be A; and A * 0 is no zero where A is an infinity.
    const std::string text =
        assembly(program("    for i in T.vectorized(64):\n"
                         "        C[i] = (A[i] + B[i]) - B[i] + (A[i] - A[i])\n"));
    EXPECT_NE(text.find("vsubps"), std::string::npos);
    EXPECT_NE(text.find("vaddps"), std::string::npos);
}

// LLVM takes half of the registers of AVX-512, unless it is asked for all of them.
TEST_F(Contract, VectorizedLoopsFillTheRegisters) {
    const auto loop = [](const std::string& range) {
        return "    for i in " + range + ":\n        C[i] = A[i] * B[i] + C[i]\n";
    };
    for (const char* wide : {"T.vectorized(16)", "T.vectorized(32)", "T.vectorized(64)"}) {
        const Function f = program(loop(wide));
        EXPECT_EQ(wanted_vector_bits(f), 512U) << wide;
        EXPECT_NE(assembly(f, "v4").find("zmm"), std::string::npos) << wide;
        EXPECT_EQ(assembly(f, "v3").find("zmm"), std::string::npos) << wide;
    }
    for (const char* narrow : {"T.vectorized(8)", "T.vectorized(24)", "range(64)"}) {
        const Function f = program(loop(narrow));
        EXPECT_EQ(wanted_vector_bits(f), 0U) << narrow;
        EXPECT_EQ(assembly(f, "v4").find("zmm"), std::string::npos) << narrow;
    }
}

}  // namespace
}  // namespace proviso::backend::testing
