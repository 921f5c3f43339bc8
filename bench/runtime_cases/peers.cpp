// What a bench compares with: naive loops for g++ -O3 -march=native, memcpy, OpenBLAS. Sizes are
// macros; each function takes an array of buffers, the result last.
#include <dlfcn.h>

#include <cmath>
#include <cstring>

#define BUFFERS(...) extern "C" int __VA_ARGS__(void** args)
#define IN(k) (static_cast<const float* __restrict>(args[k]))
#define OUT(k) (static_cast<float* __restrict>(args[k]))

#ifdef BYTES
BUFFERS(copy) {
    std::memcpy(args[1], args[0], BYTES);
    return 0;
}
#endif

#ifdef M
// Rows of 8 chains of multiply-add in the widest vectors: what one core can do at most.
BUFFERS(peak) {
    typedef float Vector __attribute__((vector_size(64)));
    Vector sums[12] = {};
    Vector x = {1.5F}, y = {0.5F};
    for (int k = 0; k < 10000; ++k) {
        for (Vector& s : sums) s = s * x + y;
        asm volatile("" : "+x"(x), "+x"(y));
    }
    Vector all = {};
    for (const Vector& s : sums) all += s;
    std::memcpy(args[0], &all, sizeof(float));
    return 0;
}

using Sgemm = void (*)(int, int, int, int, int, int, float, const float*, int, const float*, int,
                       float, float*, int);

BUFFERS(openblas) {
    static const auto sgemm =
        reinterpret_cast<Sgemm>(dlsym(dlopen("libopenblas.so.0", RTLD_NOW), "cblas_sgemm"));
    if (sgemm == nullptr) return 1;
    sgemm(101, 111, 111, M, N, K, 1, IN(0), K, IN(1), N, 0, OUT(2), N);
    return 0;
}

BUFFERS(matmul) {
    const float *a = IN(0), *b = IN(1);
    float* c = OUT(2);
    for (int i = 0; i < M; ++i) {
        for (int j = 0; j < N; ++j) c[i * N + j] = 0;
        for (int k = 0; k < K; ++k) {
            for (int j = 0; j < N; ++j) c[i * N + j] += a[i * K + k] * b[k * N + j];
        }
    }
    return 0;
}
#endif

#ifdef CHANNELS
BUFFERS(conv_nhwc) {
    const float *x = IN(0), *w = IN(1);
    float* y = OUT(2);
    constexpr int c = CHANNELS;
    for (int h = 0; h < 14; ++h) {
        for (int v = 0; v < 14; ++v) {
            float* out = y + (h * 14 + v) * c;
            for (int o = 0; o < c; ++o) out[o] = 0;
            for (int r = 0; r < 3; ++r) {
                for (int s = 0; s < 3; ++s) {
                    for (int i = 0; i < c; ++i) {
                        const float value = x[((h + r) * 16 + v + s) * c + i];
                        for (int o = 0; o < c; ++o)
                            out[o] += value * w[((r * 3 + s) * c + i) * c + o];
                    }
                }
            }
        }
    }
    return 0;
}

BUFFERS(conv_nchw) {
    const float *x = IN(0), *w = IN(1);
    float* y = OUT(2);
    constexpr int c = CHANNELS;
    for (int o = 0; o < c; ++o) {
        float* out = y + o * 196;
        for (int k = 0; k < 196; ++k) out[k] = 0;
        for (int i = 0; i < c; ++i) {
            for (int r = 0; r < 3; ++r) {
                for (int s = 0; s < 3; ++s) {
                    const float value = w[((o * c + i) * 3 + r) * 3 + s];
                    for (int h = 0; h < 14; ++h) {
                        for (int v = 0; v < 14; ++v) {
                            out[h * 14 + v] += x[(i * 16 + h + r) * 16 + v + s] * value;
                        }
                    }
                }
            }
        }
    }
    return 0;
}
#endif

#ifdef LENGTH
BUFFERS(softmax) {
    for (int i = 0; i < 64; ++i) {
        const float* x = IN(0) + i * LENGTH;
        float* y = OUT(1) + i * LENGTH;
        float most = x[0], sum = 0;
        for (int j = 1; j < LENGTH; ++j) most = std::fmax(most, x[j]);
        for (int j = 0; j < LENGTH; ++j) sum += y[j] = std::exp(x[j] - most);
        for (int j = 0; j < LENGTH; ++j) y[j] = y[j] / sum;
    }
    return 0;
}

BUFFERS(layer_norm) {
    for (int i = 0; i < 64; ++i) {
        const float* x = IN(0) + i * LENGTH;
        float* y = OUT(1) + i * LENGTH;
        float sum = 0, squares = 0;
        for (int j = 0; j < LENGTH; ++j) sum += x[j];
        const float mean = sum / LENGTH;
        for (int j = 0; j < LENGTH; ++j) squares += (x[j] - mean) * (x[j] - mean);
        const float scale = 1 / std::sqrt(squares / LENGTH + 1e-5F);
        for (int j = 0; j < LENGTH; ++j) y[j] = (x[j] - mean) * scale;
    }
    return 0;
}
#endif
