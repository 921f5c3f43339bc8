// A stand-in for CUDA's driver and for NVRTC, one library with the functions of both: what runs
// kernels through them is tested with it where there is no device. "Compiling" makes C++ for this
// machine of CUDA text, with a few lines in front for CUDA's own words; launching runs the threads
// of a block on fibers, one block after the other.
//
// The environment says how it behaves:
//   FAKE_CUDA_FAIL=cuMemAlloc_v2:2=719   the second call of that function gives 719, and does
//   nothing FAKE_CUDA_DEVICE=16=46:75=8          these attributes of the device have these values
//   FAKE_CUDA_JOURNAL=FILE               a line "+ memory", "- memory" for what is taken and given
//                                        back (context, module, memory)
#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <boost/context/fiber.hpp>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;
namespace context = boost::context;

constexpr int kInvalidValue = 1;
constexpr int kOutOfMemory = 2;
constexpr int kInvalidImage = 200;
constexpr int kNotFound = 500;
constexpr int kLaunchFailed = 719;
constexpr int kDoesNotCompile = 6;  // NVRTC_ERROR_COMPILATION

std::string told(const char* name) {
    const char* value = std::getenv(name);
    return value == nullptr ? "" : value;
}

// Code that this call has to give, counting the calls of each function; 0: none.
int planned(const std::string& function) {
    static std::map<std::string, int> calls;
    const std::string plan = told("FAKE_CUDA_FAIL");
    const std::size_t colon = plan.find(':');
    const std::size_t equals = plan.find('=');
    if (colon == std::string::npos || equals == std::string::npos) return 0;
    if (plan.substr(0, colon) != function) return 0;
    return ++calls[function] == std::stoi(plan.substr(colon + 1))
               ? std::stoi(plan.substr(equals + 1))
               : 0;
}

void journal(const std::string& line) {
    const std::string file = told("FAKE_CUDA_JOURNAL");
    if (!file.empty()) std::ofstream(file, std::ios::app) << line << "\n";
}

// --- device
// ---------------------------------------------------------------------------------------

const std::map<int, int>& attributes() {
    static const std::map<int, int> values = [] {
        std::map<int, int> out = {{1, 1024},  {2, 1024},  {3, 1024},  {4, 64}, {5, 2147483647},
                                  {6, 65535}, {7, 65535}, {8, 49152}, {75, 9}, {76, 0}};
        std::istringstream in(told("FAKE_CUDA_DEVICE"));
        for (std::string entry; std::getline(in, entry, ':');) {
            const std::size_t equals = entry.find('=');
            if (equals == std::string::npos) continue;
            out[std::stoi(entry)] = std::stoi(entry.substr(equals + 1));
        }
        return out;
    }();
    return values;
}

struct Error {
    int code;
    const char* name;
    const char* text;
};
constexpr Error kErrors[] = {
    {kInvalidValue, "CUDA_ERROR_INVALID_VALUE", "invalid argument"},
    {kOutOfMemory, "CUDA_ERROR_OUT_OF_MEMORY", "out of memory"},
    {100, "CUDA_ERROR_NO_DEVICE", "no CUDA-capable device is detected"},
    {kInvalidImage, "CUDA_ERROR_INVALID_IMAGE", "device kernel image is invalid"},
    {kNotFound, "CUDA_ERROR_NOT_FOUND", "named symbol not found"},
    {700, "CUDA_ERROR_ILLEGAL_ADDRESS", "an illegal memory access was encountered"},
    {kLaunchFailed, "CUDA_ERROR_LAUNCH_FAILED", "unspecified launch failure"},
};

int error_word(int code, const char** out, const char* Error::* word) {
    for (const Error& e : kErrors) {
        if (e.code != code) continue;
        *out = e.*word;
        return 0;
    }
    *out = nullptr;
    return kInvalidValue;
}

std::set<std::uint64_t> memory;

// --- threads
// --------------------------------------------------------------------------------------

struct Index {
    unsigned x, y, z;
};

struct Thread {
    context::fiber fiber;
    context::fiber scheduler;
    Index index{};
    bool waits = false;
};
Thread* running = nullptr;

void wait_at_barrier() {
    running->waits = true;
    running->scheduler = std::move(running->scheduler).resume();
}

// A compiled text; see kFront.
struct Library {
    void* handle = nullptr;
    Index* grid_index = nullptr;
    Index* thread_index = nullptr;
    Index* block_extent = nullptr;
    void (**barrier)() = nullptr;
};
using Entry = void (*)(void**);
struct Function {
    Library* library;
    Entry entry;
};

// False where some threads of the block wait for others that have ended.
bool run_block(const Function& f, const Index& extent, void** arguments) {
    std::vector<Thread> threads;
    for (unsigned z = 0; z < extent.z; ++z) {
        for (unsigned y = 0; y < extent.y; ++y) {
            for (unsigned x = 0; x < extent.x; ++x) threads.emplace_back().index = {x, y, z};
        }
    }
    for (Thread& t : threads) {
        t.fiber = context::fiber([&t, &f, arguments](context::fiber&& scheduler) {
            t.scheduler = std::move(scheduler);
            f.entry(arguments);
            return std::move(t.scheduler);
        });
    }
    while (true) {
        for (Thread& t : threads) {
            running = &t;
            t.waits = false;
            *f.library->thread_index = t.index;
            t.fiber = std::move(t.fiber).resume();
        }
        const auto waiting =
            std::count_if(threads.begin(), threads.end(), [](const Thread& t) { return t.waits; });
        if (waiting == 0) return true;
        if (static_cast<std::size_t>(waiting) != threads.size()) return false;
    }
}

// --- compiler
// -------------------------------------------------------------------------------------

// CUDA's words in C++, before the text.
constexpr const char* kFront = R"(
#define __CUDACC_RTC__
#define __host__
#define __device__
#define __global__
#define __forceinline__ inline
#define __launch_bounds__(...)
#define __shared__ static
#define __align__(bytes) __attribute__((aligned(bytes)))
struct FakeIndex { unsigned x, y, z; };
#define FAKE_VECTORS(name, T) \
    struct alignas(2 * sizeof(T)) name##2 { T x, y; }; \
    struct alignas(4 * sizeof(T) < 16 ? 4 * sizeof(T) : 16) name##4 { T x, y, z, w; };
FAKE_VECTORS(char, signed char)
FAKE_VECTORS(uchar, unsigned char)
FAKE_VECTORS(short, short)
FAKE_VECTORS(ushort, unsigned short)
FAKE_VECTORS(int, int)
FAKE_VECTORS(uint, unsigned)
FAKE_VECTORS(longlong, long long)
FAKE_VECTORS(ulonglong, unsigned long long)
FAKE_VECTORS(float, float)
FAKE_VECTORS(double, double)
extern "C" {
FakeIndex fake_grid_index, fake_thread_index, fake_block_extent;
void (*fake_barrier)();
}
#define blockIdx fake_grid_index
#define threadIdx fake_thread_index
#define blockDim fake_block_extent
#define __syncthreads() fake_barrier()
#define __fmul_rn(x, y) ((float)(x) * (float)(y))
#define __fdiv_rn(x, y) ((float)(x) / (float)(y))
#define __fsqrt_rn(x) __builtin_sqrtf(x)
#define fabsf __builtin_fabsf
#define floorf __builtin_floorf
#define ceilf __builtin_ceilf
#define truncf __builtin_truncf
#define rintf __builtin_rintf
#define __dmul_rn(x, y) ((double)(x) * (double)(y))
#define __ddiv_rn(x, y) ((double)(x) / (double)(y))
#define __dsqrt_rn(x) __builtin_sqrt(x)
#define fabs __builtin_fabs
#define floor __builtin_floor
#define ceil __builtin_ceil
#define trunc __builtin_trunc
#define rint __builtin_rint
static inline float __uint_as_float(unsigned x) {
    float out;
    __builtin_memcpy(&out, &x, sizeof out);
    return out;
}
static inline double __longlong_as_double(long long x) {
    double out;
    __builtin_memcpy(&out, &x, sizeof out);
    return out;
}
static inline unsigned __float_as_uint(float x) {
    unsigned out;
    __builtin_memcpy(&out, &x, sizeof out);
    return out;
}
static inline long long __double_as_longlong(double x) {
    long long out;
    __builtin_memcpy(&out, &x, sizeof out);
    return out;
}
)";

// After the text: an entry for each kernel, which takes pointers to its arguments.
constexpr const char* kBack = R"(
template <unsigned... n> struct FakeIndices {};
template <unsigned count, unsigned... n> struct FakeMake : FakeMake<count - 1, count - 1, n...> {};
template <unsigned... n> struct FakeMake<0, n...> { using Type = FakeIndices<n...>; };
template <typename T> struct FakeBare { using Type = T; };
template <typename T> struct FakeBare<const T> { using Type = T; };
template <typename... A, unsigned... n>
static void fake_call(void (*kernel)(A...), void** arguments, FakeIndices<n...>) {
    kernel(*(typename FakeBare<A>::Type*)arguments[n]...);
}
template <typename... A>
static void fake_call(void (*kernel)(A...), void** arguments) {
    fake_call(kernel, arguments, typename FakeMake<sizeof...(A)>::Type());
}
)";

struct Program {
    std::string text;
    std::string log;
    std::string image;  // "fake image PATH"
};

std::string file_text(const fs::path& path) {
    std::ostringstream out;
    out << std::ifstream(path).rdbuf();
    return out.str();
}

int compile(Program& p) {
    std::string source = kFront + p.text + kBack;
    const std::regex kernels(R"((?:^|\n)PV_KERNEL(?:_OF\([^)]*\))? (\w+)\()");
    for (auto at = std::sregex_iterator(p.text.begin(), p.text.end(), kernels);
         at != std::sregex_iterator(); ++at) {
        const std::string name = (*at)[1];
        source += "extern \"C\" void " + name + "__entry(void** arguments) { fake_call(" + name +
                  ", arguments); }\n";
    }
    const fs::path folder = fs::temp_directory_path() / "proviso-fake-cuda";
    fs::create_directories(folder);
    const std::string hash = std::to_string(std::hash<std::string>()(source));
    const fs::path library = folder / (hash + ".so");
    p.image = "fake image " + library.string();
    if (fs::exists(library)) return 0;
    const fs::path own = folder / (hash + "." + std::to_string(::getpid()));
    std::ofstream(own.string() + ".cpp") << source;
    const std::string command =
        "g++ -std=c++17 -O1 -ffp-contract=off -fno-strict-aliasing -w -fPIC "
        "-shared " +
        own.string() + ".cpp -o " + own.string() + ".so 2> " + own.string() + ".log";
    const bool fine = std::system(command.c_str()) == 0;
    p.log = file_text(own.string() + ".log");
    if (fine) fs::rename(own.string() + ".so", library);
    fs::remove(own.string() + ".cpp");
    fs::remove(own.string() + ".log");
    return fine ? 0 : kDoesNotCompile;
}

int give(const std::string& text, char* out) {
    std::memcpy(out, text.c_str(), text.size() + 1);
    return 0;
}

}  // namespace

// --- what is exported
// -----------------------------------------------------------------------------

#define BEGIN(function) \
    if (const int code = planned(function); code != 0) return code

extern "C" {

int cuInit(unsigned) {
    BEGIN("cuInit");
    return 0;
}
int cuGetErrorName(int code, const char** out) {
    return error_word(code, out, &Error::name);
}
int cuGetErrorString(int code, const char** out) {
    return error_word(code, out, &Error::text);
}
int cuDeviceGetCount(int* count) {
    BEGIN("cuDeviceGetCount");
    *count = attributes().count(0) != 0 ? attributes().at(0) : 1;
    return 0;
}
int cuDeviceGet(int* device, int ordinal) {
    BEGIN("cuDeviceGet");
    *device = ordinal;
    return 0;
}
int cuDeviceGetName(char* name, int length, int) {
    BEGIN("cuDeviceGetName");
    std::snprintf(name, static_cast<std::size_t>(length), "a stand-in");
    return 0;
}
int cuDeviceGetAttribute(int* value, int attribute, int) {
    BEGIN("cuDeviceGetAttribute");
    const auto found = attributes().find(attribute);
    if (found == attributes().end()) return kInvalidValue;
    *value = found->second;
    return 0;
}
int cuDevicePrimaryCtxRetain(void** out, int) {
    BEGIN("cuDevicePrimaryCtxRetain");
    static int one = 0;
    *out = &one;
    journal("+ context");
    return 0;
}
int cuDevicePrimaryCtxRelease_v2(int) {
    journal("- context");
    return 0;
}
int cuCtxSetCurrent(void*) {
    BEGIN("cuCtxSetCurrent");
    return 0;
}
int cuCtxSynchronize() {
    BEGIN("cuCtxSynchronize");
    return 0;
}
int cuModuleLoadDataEx(void** out, const void* image, unsigned count, const int* options,
                       void** values) {
    BEGIN("cuModuleLoadDataEx");
    const std::string text = static_cast<const char*>(image);
    const std::string head = "fake image ";
    if (text.rfind(head, 0) != 0) {
        for (unsigned i = 0; i < count; ++i) {  // 5: the log of errors
            if (options[i] == 5) std::strcpy(static_cast<char*>(values[i]), "not one of my images");
        }
        return kInvalidImage;
    }
    Library library;
    library.handle = ::dlopen(text.substr(head.size()).c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library.handle == nullptr) return kInvalidImage;
    library.grid_index = static_cast<Index*>(::dlsym(library.handle, "fake_grid_index"));
    library.thread_index = static_cast<Index*>(::dlsym(library.handle, "fake_thread_index"));
    library.block_extent = static_cast<Index*>(::dlsym(library.handle, "fake_block_extent"));
    library.barrier = static_cast<void (**)()>(::dlsym(library.handle, "fake_barrier"));
    *library.barrier = wait_at_barrier;
    *out = new Library(library);
    journal("+ module");
    return 0;
}
int cuModuleUnload(void* module) {
    journal("- module");
    delete static_cast<Library*>(module);
    return 0;
}
int cuModuleGetFunction(void** out, void* module, const char* name) {
    BEGIN("cuModuleGetFunction");
    static std::map<std::string, Function> functions;
    auto* const library = static_cast<Library*>(module);
    const std::string entry = std::string(name) + "__entry";
    void* const found = ::dlsym(library->handle, entry.c_str());
    if (found == nullptr) return kNotFound;
    functions[name] = {library, reinterpret_cast<Entry>(found)};
    *out = &functions[name];
    return 0;
}
int cuFuncGetAttribute(int* value, int attribute, void*) {
    BEGIN("cuFuncGetAttribute");
    const auto registers = attributes().find(1000);  // as if a kernel needed many
    *value = registers != attributes().end() ? registers->second : 1024;
    return attribute == 0 ? 0 : kInvalidValue;
}
int cuMemAlloc_v2(std::uint64_t* out, std::size_t bytes) {
    BEGIN("cuMemAlloc_v2");
    void* const data = std::malloc(bytes);
    if (data == nullptr) return kOutOfMemory;
    std::memset(data, 0x5a, bytes);
    *out = reinterpret_cast<std::uint64_t>(data);
    memory.insert(*out);
    journal("+ memory");
    return 0;
}
int cuMemFree_v2(std::uint64_t at) {
    if (memory.erase(at) == 0) return kInvalidValue;
    std::free(reinterpret_cast<void*>(at));
    journal("- memory");
    return 0;
}
int cuMemcpyHtoD_v2(std::uint64_t to, const void* from, std::size_t bytes) {
    BEGIN("cuMemcpyHtoD_v2");
    std::memcpy(reinterpret_cast<void*>(to), from, bytes);
    return 0;
}
int cuMemcpyDtoH_v2(void* to, std::uint64_t from, std::size_t bytes) {
    BEGIN("cuMemcpyDtoH_v2");
    std::memcpy(to, reinterpret_cast<const void*>(from), bytes);
    return 0;
}
int cuMemsetD8_v2(std::uint64_t at, unsigned char value, std::size_t bytes) {
    BEGIN("cuMemsetD8_v2");
    std::memset(reinterpret_cast<void*>(at), value, bytes);
    return 0;
}
int cuLaunchKernel(void* function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
                   unsigned bz, unsigned, void*, void** arguments, void**) {
    BEGIN("cuLaunchKernel");
    const Function& f = *static_cast<Function*>(function);
    if (gx == 0 || gy == 0 || gz == 0 || bx == 0 || by == 0 || bz == 0) return kInvalidValue;
    *f.library->block_extent = {bx, by, bz};
    for (unsigned z = 0; z < gz; ++z) {
        for (unsigned y = 0; y < gy; ++y) {
            for (unsigned x = 0; x < gx; ++x) {
                *f.library->grid_index = {x, y, z};
                if (!run_block(f, {bx, by, bz}, arguments)) return kLaunchFailed;
            }
        }
    }
    return 0;
}

int nvrtcCreateProgram(void** out, const char* text, const char*, int, const char* const*,
                       const char* const*) {
    BEGIN("nvrtcCreateProgram");
    *out = new Program{text, "", ""};
    return 0;
}
int nvrtcDestroyProgram(void** program) {
    delete static_cast<Program*>(*program);
    return 0;
}
int nvrtcCompileProgram(void* program, int, const char* const*) {
    BEGIN("nvrtcCompileProgram");
    return compile(*static_cast<Program*>(program));
}
int nvrtcGetProgramLogSize(void* program, std::size_t* bytes) {
    *bytes = static_cast<Program*>(program)->log.size() + 1;
    return 0;
}
int nvrtcGetProgramLog(void* program, char* out) {
    return give(static_cast<Program*>(program)->log, out);
}
int nvrtcGetPTXSize(void* program, std::size_t* bytes) {
    *bytes = static_cast<Program*>(program)->image.size() + 1;
    return 0;
}
int nvrtcGetPTX(void* program, char* out) {
    return give(static_cast<Program*>(program)->image, out);
}
int nvrtcGetCUBINSize(void* program, std::size_t* bytes) {
    return nvrtcGetPTXSize(program, bytes);
}
int nvrtcGetCUBIN(void* program, char* out) {
    return nvrtcGetPTX(program, out);
}

}  // extern "C"
