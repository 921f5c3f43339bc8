#include "tests/scenarios/externals.h"

#include <cstdint>

namespace proviso::scenarios {

namespace {

extern "C" {

void dot4(float* c, const float* a, const float* b) {
    for (int k = 0; k < 4; ++k) c[0] = c[0] + a[k] * b[k];
}

std::int32_t tile2(std::uint8_t* c, std::int64_t c_row, const std::uint8_t* a, std::int64_t a_row,
                   const std::uint8_t* b, std::int64_t b_row, std::int32_t size) {
    for (int j = size - 1; j >= 0; --j) {
        for (int i = 0; i < size; ++i) {
            for (int k = 0; k < size; ++k) {
                const unsigned product = unsigned{a[i * a_row + k]} * b[k * b_row + j];
                c[i * c_row + j] = static_cast<std::uint8_t>(c[i * c_row + j] + product);
            }
        }
    }
    return 0;
}

void scale6(float* y, std::int64_t y_at, const float* x, std::int64_t x_at) {
    for (int k = 5; k >= 0; --k) y[y_at + k] = x[x_at + k] * 3.0F;
}

void scale_n(float* y, const float* x, std::int32_t n) {
    for (int k = 0; k < n; ++k) y[k] = x[k] * 3.0F;
}

void square2x3(std::int32_t* y, const std::int32_t* x) {
    for (int k = 0; k < 6; ++k) y[k] = x[k] * x[k] + k % 3;
}

}  // extern "C"

}  // namespace

const std::map<std::string, backend::ExternFunction>& externals() {
    const auto at = [](auto* function) {
        return backend::ExternFunction{reinterpret_cast<const void*>(function)};
    };
    static const std::map<std::string, backend::ExternFunction> all = {
        {"dot4", at(&dot4)},       {"tile2", at(&tile2)},         {"scale6", at(&scale6)},
        {"scale_n", at(&scale_n)}, {"square2x3", at(&square2x3)},
    };
    return all;
}

}  // namespace proviso::scenarios
