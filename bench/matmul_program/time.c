/* Times the functions that bench/matmul makes against OpenBLAS, on one pinned core, round by round, and
 * compares every cell of both results with sums in double precision, and of a strict one with the
 * sums in order, bit for bit. The fastest round counts.
 * usage: time M N K ROWS COLUMNS ROUNDS strict|contract json|text VECTORS */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <float.h>
#include <math.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "packed.h"
#include "product.h"

typedef void (*Sgemm)(int, int, int, int, int, int, float, const float*, int, const float*, int,
                      float, float*, int);

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec * 1e-3;
}

static float* cells(size_t count) {
    float* out = aligned_alloc(64, (count * sizeof(float) + 63) / 64 * 64);
    if (out == NULL) exit(2);
    for (size_t i = 0; i < count; ++i) out[i] = (float)rand() / (float)RAND_MAX - 0.5F;
    return out;
}

static double least(double a, double b) { return a < b ? a : b; }

int main(int argc, char** argv) {
    if (argc != 10) return 2;
    const int m = atoi(argv[1]), n = atoi(argv[2]), k = atoi(argv[3]);
    const int rows = atoi(argv[4]), columns = atoi(argv[5]), rounds = atoi(argv[6]);
    const int strict = strcmp(argv[7], "strict") == 0;
    cpu_set_t core;
    CPU_ZERO(&core);
    CPU_SET(sched_getcpu(), &core);
    sched_setaffinity(0, sizeof core, &core);
    const size_t m_padded = (size_t)((m + rows - 1) / rows * rows);
    const size_t n_padded = (size_t)((n + columns - 1) / columns * columns);
    float* a = cells((size_t)m * k);
    float* b = cells((size_t)k * n);
    float* c = cells((size_t)m * n);
    float* unpacked = cells((size_t)m * n);
    float* peer = cells((size_t)m * n);
    float* a_packed = cells(m_padded * k);
    float* b_packed = cells(n_padded * k);
    float* c_packed = cells(m_padded * n_padded);

    void* library = dlopen("libopenblas.so.0", RTLD_NOW);
    Sgemm sgemm = library == NULL ? NULL : (Sgemm)dlsym(library, "cblas_sgemm");
    char* (*name)(void) = library == NULL ? NULL : (char* (*)(void))dlsym(library, "openblas_get_corename");
    double kernel = INFINITY, whole = INFINITY, theirs = INFINITY;
    if (product_pack_A(a, a_packed) != 0 || product_pack_B(b, b_packed) != 0) return 1;
    for (int round = 0; round < rounds; ++round) {
        double start = now();
        if (product(a_packed, b_packed, c_packed) != 0) return 1;
        kernel = least(kernel, now() - start);
        start = now();
        if (packed(a, b, c) != 0) return 1;
        whole = least(whole, now() - start);
        if (sgemm == NULL) continue;
        start = now();
        sgemm(101, 111, 111, m, n, k, 1, a, k, b, n, 0, peer, n);
        theirs = least(theirs, now() - start);
    }
    if (product_unpack_C(c_packed, unpacked) != 0) return 1;

    /* A sum of k products in any order, fused or not, is off by at most about k + 1 roundings. */
    size_t other_bits = 0, too_far = 0;
    for (int i = 0; i < m; ++i) {
        for (int j = 0; j < n; ++j) {
            double exact = 0, size = 0;
            volatile float in_order = 0;
            for (int p = 0; p < k; ++p) {
                const float x = a[(size_t)i * k + p], y = b[(size_t)p * n + j];
                volatile float rounded = x * y;
                in_order = in_order + rounded;
                exact += (double)x * y;
                size += fabs((double)x * y);
            }
            const float got = c[(size_t)i * n + j], also = unpacked[(size_t)i * n + j];
            other_bits += memcmp(&got, (const float*)&in_order, sizeof got) != 0;
            other_bits += memcmp(&got, &also, sizeof got) != 0;
            too_far += !(fabs(also - exact) <= 1.01 * (k + 1) * (FLT_EPSILON / 2) * size);
            too_far += !(fabs(got - exact) <= 1.01 * (k + 1) * (FLT_EPSILON / 2) * size);
        }
    }
    const double gflops = 2e-3 * m * n * k;
    const int right = too_far == 0 && (!strict || other_bits == 0);
    if (strcmp(argv[8], "json") == 0) {
        printf("{\"m\": %d, \"n\": %d, \"k\": %d, \"tile\": [%d, %d], \"vectors\": \"%s\", \"sums\": \"%s\", "
               "\"right\": %s, \"kernel_us\": %.1f, \"packing_included_us\": %.1f, ",
               m, n, k, rows, columns, argv[9], argv[7], right ? "true" : "false", kernel, whole);
        if (sgemm == NULL) {
            printf("\"openblas\": null}\n");
        } else {
            printf("\"openblas\": \"%s\", \"openblas_us\": %.1f, \"ratio\": %.2f, \"packing_included_ratio\": "
                   "%.2f}\n", name == NULL ? "?" : name(), theirs, theirs / kernel, theirs / whole);
        }
    } else {
        printf("%4d x %4d x %4d  %-8s  %2d x %2d, %-12s %6.1f GFLOP/s, with packing %6.1f", m, n, k,
               argv[7], rows, columns, argv[9], gflops / kernel, gflops / whole);
        if (sgemm != NULL) {
            printf("; OpenBLAS (%s) %6.1f: %.2f and %.2f times", name == NULL ? "?" : name(),
                   gflops / theirs, theirs / kernel, theirs / whole);
        }
        printf("%s\n", right ? "" : "  WRONG RESULT");
    }
    return right ? 0 : 1;
}
