// Elementary functions of kernels, as text and as LLVM IR, against those of the interpreter: for
// every float16 and bfloat16, and for every 65521st float32. With PROVISO_EVERY_FLOAT32=1 in the
// environment, for every float32 (minutes each).
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <bit>
#include <cstdlib>
#include <filesystem>
#include <functional>

#include "backend/gpu/drivers/gpu_host.h"
#include "backend/gpu/drivers/nvptx_host.h"
#include "backend/gpu/text/functions.h"
#include "backend/gpu/text/prelude.h"
#include "backend/tensor.h"
#include "ir/domains/evaluate.h"

namespace proviso::backend::gpu {
namespace {

using namespace ir;

using Double = double (*)(double);

class GpuFunctions : public ::testing::TestWithParam<MathFn> {
  protected:
    // Of the LLVM IR that PTX is made of. What calls sigmoid computes it with exp
    // (emitter_math.cpp).
    static std::function<double(double)> ir_of(MathFn fn) {
        const bool sigmoid = fn == MathFn::Sigmoid;
        const auto found = function_on_nvptx_host(sigmoid ? MathFn::Exp : fn);
        EXPECT_TRUE(found.ok()) << found.error().str();
        if (!found) return nullptr;
        if (!sigmoid) return *found;
        return [exp = *found](double x) { return 1.0 / (1.0 + exp(-x)); };
    }

    static Double text_of(MathFn fn) {
        const std::string name = function_name(fn);
        std::string source = prelude(Language::Host, {true, false, true});
        source += "extern \"C\" f64 " + name + "_entry(f64 x) { return " + name + "(x); }\n";
        const std::filesystem::path folder =
            std::filesystem::path(PROVISO_BINARY).parent_path() / "gpu-host";
        const Result<std::string> library = compile_for_host(source, folder.string());
        EXPECT_TRUE(library.ok()) << library.error().str();
        if (!library) return nullptr;
        void* const handle = ::dlopen(library->c_str(), RTLD_NOW | RTLD_LOCAL);
        EXPECT_NE(handle, nullptr);
        return handle == nullptr
                   ? nullptr
                   : reinterpret_cast<Double>(::dlsym(handle, (name + "_entry").c_str()));
    }

    // What the interpreter makes of it.
    static double library(const ExprNode& call, double x) {
        const Value argument = Value::of_float(x);
        return eval_op(call, std::span(&argument, 1)).value.real();
    }
    static bool same(double a, double b) {
        return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b) ||
               (a != a && b != b);
    }

    Context ctx_;
};

TEST_P(GpuFunctions, RoundToWhatTheInterpreterGives) {
    const Double text = text_of(GetParam());
    ASSERT_NE(text, nullptr);
    const std::function<double(double)> by_llvm = ir_of(GetParam());
    ASSERT_NE(by_llvm, nullptr);
    for (const ScalarType type : {kFloat16, kBFloat16}) {
        const Expr call = ctx_.math(GetParam(), {ctx_.var("x", type)});
        for (std::uint64_t bits = 0; bits < 65536; ++bits) {
            HostBuffer cell = make_host_buffer(type, {});
            cell.bytes[0] = static_cast<std::byte>(bits);
            cell.bytes[1] = static_cast<std::byte>(bits >> 8);
            const double x = from_host(cell).at(0).real();
            ASSERT_TRUE(same(round_to_type(type, text(x)), library(*call, x)))
                << type.str() << " " << x;
            ASSERT_TRUE(same(by_llvm(x), text(x))) << type.str() << " " << x;
        }
    }
    const Expr call = ctx_.math(GetParam(), {ctx_.var("x", kFloat32)});
    const std::uint64_t step = std::getenv("PROVISO_EVERY_FLOAT32") != nullptr ? 1 : 65521;
    for (std::uint64_t bits = 0; bits < std::uint64_t{1} << 32; bits += step) {
        const float x = std::bit_cast<float>(static_cast<std::uint32_t>(bits));
        if (x != x && step == 1 && (bits & 0xfff) != 1) continue;  // some of the NaNs will do
        const float got = static_cast<float>(text(static_cast<double>(x)));
        const double wanted = library(*call, static_cast<double>(x));
        ASSERT_TRUE(same(static_cast<double>(got), wanted)) << x << ": " << got << ", " << wanted;
        ASSERT_TRUE(same(by_llvm(static_cast<double>(x)), text(static_cast<double>(x)))) << x;
    }
}

INSTANTIATE_TEST_SUITE_P(All, GpuFunctions,
                         ::testing::Values(MathFn::Exp, MathFn::Exp2, MathFn::Log, MathFn::Log2,
                                           MathFn::Tanh, MathFn::Sigmoid),
                         [](const auto& test) {
                             return std::string(math_fn_info(test.param).name);
                         });

// None of float64, and none of functions that are not known to agree.
TEST(GpuFunctionsHave, NoOthers) {
    EXPECT_FALSE(has_function(MathFn::Exp, kFloat64));
    for (MathFn fn : {MathFn::Sin, MathFn::Cos, MathFn::Erf, MathFn::Pow}) {
        EXPECT_FALSE(has_function(fn, kFloat32));
    }
    EXPECT_TRUE(has_function(MathFn::Sqrt, kFloat64));
}

}  // namespace
}  // namespace proviso::backend::gpu
