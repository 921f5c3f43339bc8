// Times one emitted CUDA program on a device. bench/gpu writes a file that defines these and includes
// this one:
//   PROGRAM  the emitted file      NAME   its name, for the table
//   CALL     one run, over p, the pointers to its parameters, each of SIZES floats
//   BYTES    that one run moves as the program is written; FLOPS that it computes
// Prints one line: milliseconds of the median run, GB/s and GFLOP/s, and the device's own rate of
// copying between two buffers of its memory. Exit code 4: no device.
#include PROGRAM

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define OK(call)                                                                       \
    do {                                                                               \
        const cudaError_t code = (call);                                               \
        if (code != cudaSuccess) {                                                     \
            std::fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(code));         \
            std::exit(3);                                                              \
        }                                                                              \
    } while (false)

constexpr int kRuns = 21;

template <typename Work>
static double median_ms(const Work& work) {
    cudaEvent_t start, stop;
    OK(cudaEventCreate(&start));
    OK(cudaEventCreate(&stop));
    std::vector<float> times;
    for (int k = 0; k < kRuns + 3; ++k) {
        OK(cudaEventRecord(start));
        work();
        OK(cudaEventRecord(stop));
        OK(cudaEventSynchronize(stop));
        float ms = 0;
        OK(cudaEventElapsedTime(&ms, start, stop));
        if (k >= 3) times.push_back(ms);
    }
    std::sort(times.begin(), times.end());
    return times[times.size() / 2];
}

int main() {
    int devices = 0;
    if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) return 4;
    cudaDeviceProp device;
    OK(cudaGetDeviceProperties(&device, 0));
    const std::vector<std::size_t> sizes = SIZES;
    std::vector<f32*> p;
    for (std::size_t n : sizes) {
        f32* memory = nullptr;
        OK(cudaMalloc(&memory, n * sizeof(f32)));
        std::vector<f32> cells(n);
        for (std::size_t k = 0; k < n; ++k) cells[k] = static_cast<f32>(k % 7) - 3.0f;
        OK(cudaMemcpy(memory, cells.data(), n * sizeof(f32), cudaMemcpyHostToDevice));
        p.push_back(memory);
    }
    const std::size_t most = std::size_t(256) << 20;
    char *from = nullptr, *to = nullptr;
    OK(cudaMalloc(&from, most));
    OK(cudaMalloc(&to, most));
    const double copy = median_ms([&] { OK(cudaMemcpyAsync(to, from, most, cudaMemcpyDeviceToDevice)); });
    int failed = 0;
    const double ms = median_ms([&] { failed |= CALL; });
    if (failed != 0) return 5;
    std::printf("%-16s %9.3f ms %9.1f GB/s %9.1f GFLOP/s   copy %9.1f GB/s   %s\n", NAME, ms,
                BYTES / ms * 1e-6, FLOPS / ms * 1e-6, 2.0 * double(most) / copy * 1e-6, device.name);
    return 0;
}
