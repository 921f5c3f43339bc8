// Indices that run around a buffer more than once. LLVM 19's vectorizer of loops took A[i * 3 %
// 32], for 32 iterations, for every third cell of 96 (backend/llvm_module.cpp).
#include <gtest/gtest.h>

#include <cstring>
#include <string>

#include "backend/cpu/backend.h"
#include "backend/cpu/unverified.h"
#include "ir/text.h"

namespace proviso::backend {
namespace {

TEST(WrappedIndex, StaysInTheBuffer) {
    for (const std::string cpu : {"v2", "v3", "v4"}) {
        for (const std::int64_t n : {16, 32, 64, 256}) {
            for (const std::int64_t step : {3, 5, 7}) {
                ir::Context ctx;
                const std::string size = std::to_string(n);
                const auto f = ir::parse_function(
                    ctx,
                    "@T.prim_func\ndef f(A: T.Buffer((" + size + ",), \"int32\"), B: T.Buffer((" +
                        size + ",), \"int32\")):\n    for i in range(" + size +
                        "):\n        B[i] = A[T.truncmod(i * " + std::to_string(step) + ", " +
                        size + ")]\n",
                    "f.py");
                ASSERT_TRUE(f.ok()) << f.error().str();
                CpuOptions options;
                options.cpu = cpu;
                const auto module = unverified::compile(*f, options);
                if (!module.ok()) continue;  // beyond this machine's level
                HostBuffer a = make_host_buffer(ir::kInt32, {n});
                HostBuffer b = make_host_buffer(ir::kInt32, {n});
                std::vector<std::int32_t> cells(static_cast<std::size_t>(n));
                for (std::size_t k = 0; k < cells.size(); ++k) cells[k] = static_cast<int>(k) + 1;
                std::memcpy(a.bytes.data(), cells.data(), a.bytes.size());
                ASSERT_TRUE(module->run("f", {&a, &b}).ok());
                std::memcpy(cells.data(), b.bytes.data(), b.bytes.size());
                for (std::int64_t k = 0; k < n; ++k) {
                    ASSERT_EQ(cells[static_cast<std::size_t>(k)], k * step % n + 1)
                        << cpu << ", " << n << ", " << step << ", " << k;
                }
            }
        }
    }
}

}  // namespace
}  // namespace proviso::backend
