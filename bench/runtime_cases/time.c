/* Times functions of shared libraries on one pinned core, round by round, so that all see the same
 * machine. Each is called with an array of buffers; the fastest round counts.
 * usage: time ROUNDS BYTES... -- VARIANT...
 *   BYTES    of a buffer, filled with floats in [-0.5, 0.5)
 *   VARIANT  NAME=LIBRARY:SYMBOL:BUFFER,BUFFER,...  timed; !NAME=... is called once before, untimed
 * prints a line for each: NAME MICROSECONDS SUM, where SUM is a hash of the last buffer's bytes, and
 * the largest difference between its cells and those of the first variant's last buffer. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <math.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST = 32 };

typedef int (*Function)(void**);

struct Variant {
    char* name;
    Function call;
    void* args[MOST];
    float* result;
    size_t cells;
    double best;
    long calls;
};

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec * 1e-3;
}

static double run(const struct Variant* v, long calls) {
    const double start = now();
    for (long k = 0; k < calls; ++k) {
        if (v->call((void**)v->args) != 0) {
            fprintf(stderr, "%s failed\n", v->name);
            exit(1);
        }
    }
    return (now() - start) / (double)calls;
}

static uint64_t hash(const struct Variant* v) {
    uint64_t out = 1469598103934665603U;
    for (size_t k = 0; k < v->cells * sizeof(float); ++k) {
        out = (out ^ ((const unsigned char*)v->result)[k]) * 1099511628211U;
    }
    return out;
}

int main(int argc, char** argv) {
    if (argc < 4) return 2;
    cpu_set_t core;
    CPU_ZERO(&core);
    CPU_SET(sched_getcpu(), &core);
    sched_setaffinity(0, sizeof core, &core);
    const int rounds = atoi(argv[1]);
    void* buffers[MOST];
    size_t sizes[MOST];
    int at = 2, count = 0, timed = 0;
    for (; at < argc && strcmp(argv[at], "--") != 0; ++at, ++count) {
        sizes[count] = strtoull(argv[at], NULL, 10);
        float* cells = aligned_alloc(64, (sizes[count] + 63) / 64 * 64);
        if (cells == NULL || count + 1 == MOST) return 2;
        for (size_t k = 0; k < sizes[count] / 4; ++k) cells[k] = (float)rand() / (float)RAND_MAX - 0.5F;
        buffers[count] = cells;
    }
    static struct Variant variants[MOST];
    for (++at; at < argc && timed < MOST; ++at) {
        struct Variant v = {.best = INFINITY, .calls = 1};
        v.name = strtok(argv[at], "=");
        char* library = strtok(NULL, ":");
        char* symbol = strtok(NULL, ":");
        void* handle = dlopen(library, RTLD_NOW);
        v.call = handle == NULL ? NULL : (Function)dlsym(handle, symbol);
        if (v.call == NULL) {
            fprintf(stderr, "%s: %s\n", v.name, dlerror());
            return 2;
        }
        int n = 0, last = 0;
        for (char* b = strtok(NULL, ","); b != NULL; b = strtok(NULL, ",")) {
            last = atoi(b);
            v.args[n++] = buffers[last];
        }
        v.result = buffers[last];
        v.cells = sizes[last] / 4;
        const double once = run(&v, 1);
        if (v.name[0] == '!') continue;
        v.calls = once < 20 ? (long)(20 / fmax(once, 0.1)) + 1 : 1;
        variants[timed++] = v;
    }
    for (int round = 0; round < rounds; ++round) {
        for (int k = 0; k < timed; ++k) {
            variants[k].best = fmin(variants[k].best, run(&variants[k], variants[k].calls));
        }
    }
    for (int k = 0; k < timed; ++k) {
        const struct Variant* v = &variants[k];
        double most = 0;
        for (size_t c = 0; c < v->cells && v->cells == variants[0].cells; ++c) {
            most = fmax(most, fabs((double)v->result[c] - variants[0].result[c]));
        }
        printf("%s %.3f %016llx %g\n", v->name, v->best, (unsigned long long)hash(v), most);
    }
    return 0;
}
