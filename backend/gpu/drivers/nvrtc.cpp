#include "backend/gpu/drivers/nvrtc.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <vector>

namespace proviso::backend::gpu {

namespace {

// The part of NVRTC's interface that is used (NVRTC 13 documentation); every function gives 0 where
// it succeeded.
using Program = void*;
struct Interface {
    int (*create)(Program*, const char*, const char*, int, const char* const*,
                  const char* const*) = nullptr;
    int (*compile)(Program, int, const char* const*) = nullptr;
    int (*destroy)(Program*) = nullptr;
    int (*log_size)(Program, std::size_t*) = nullptr;
    int (*log)(Program, char*) = nullptr;
    int (*ptx_size)(Program, std::size_t*) = nullptr;
    int (*ptx)(Program, char*) = nullptr;
    int (*cubin_size)(Program, std::size_t*) = nullptr;
    int (*cubin)(Program, char*) = nullptr;
};

template <typename Function>
bool find(void* library, const char* name, Function& out) {
    out = reinterpret_cast<Function>(::dlsym(library, name));
    return out != nullptr;
}

void* open_library(const std::string& file) {
    if (!file.empty()) return ::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
    for (const char* name : {"libnvrtc.so.13", "libnvrtc.so.12"}) {
        if (void* library = ::dlopen(name, RTLD_NOW | RTLD_LOCAL)) return library;
    }
    return nullptr;
}

Result<Interface> load_interface(const std::string& file) {
    void* const library = open_library(file);
    if (library == nullptr) {
        const std::string names = file.empty() ? "libnvrtc.so.13, libnvrtc.so.12" : file;
        return error("NVRTC was not found (" + names + ")",
                     "install NVIDIA's CUDA toolkit, or emit cuda and compile it elsewhere");
    }
    Interface rtc;
    const bool all = find(library, "nvrtcCreateProgram", rtc.create) &&
                     find(library, "nvrtcCompileProgram", rtc.compile) &&
                     find(library, "nvrtcDestroyProgram", rtc.destroy) &&
                     find(library, "nvrtcGetProgramLogSize", rtc.log_size) &&
                     find(library, "nvrtcGetProgramLog", rtc.log) &&
                     find(library, "nvrtcGetPTXSize", rtc.ptx_size) &&
                     find(library, "nvrtcGetPTX", rtc.ptx) &&
                     find(library, "nvrtcGetCUBINSize", rtc.cubin_size) &&
                     find(library, "nvrtcGetCUBIN", rtc.cubin);
    if (!all) return error("NVRTC lacks a function that is needed", "version 12 or later");
    return rtc;
}

// Text or bytes of a program, by the pair of functions that give their size and themselves.
template <typename Size, typename Get>
std::string fetch(Program program, Size size, Get get) {
    std::size_t bytes = 0;
    if (size(program, &bytes) != 0 || bytes == 0) return "";
    std::string out(bytes, '\0');
    return get(program, out.data()) == 0 ? out : "";
}

std::string without_end(std::string text) {
    while (!text.empty() && text.back() == '\0') text.pop_back();
    return text;
}

}  // namespace

bool has_nvrtc(const std::string& library) {
    return open_library(library) != nullptr;
}

Result<std::string> compile_cuda(const std::string& source, const std::string& architecture,
                                 CudaArtefact what, const std::string& library) {
    const Result<Interface> rtc = load_interface(library);
    if (!rtc) return rtc.error();
    const bool ptx = what == CudaArtefact::Ptx;
    const std::string number = architecture.substr(architecture.find('_') + 1);
    const std::string arch =
        fmt::format("--gpu-architecture={}_{}", ptx ? "compute" : "sm", number);
    const std::array<const char*, 6> options = {arch.c_str(),      "--std=c++17",
                                                "--fmad=false",    "--ftz=false",
                                                "--prec-div=true", "--prec-sqrt=true"};
    Program program = nullptr;
    if (rtc->create(&program, source.c_str(), "kernels.cu", 0, nullptr, nullptr) != 0) {
        return error("NVRTC makes no program");
    }
    const int code = rtc->compile(program, static_cast<int>(options.size()), options.data());
    const std::string log = without_end(fetch(program, rtc->log_size, rtc->log));
    std::string out = ptx ? without_end(fetch(program, rtc->ptx_size, rtc->ptx))
                          : fetch(program, rtc->cubin_size, rtc->cubin);
    rtc->destroy(&program);
    if (code == 0 && !out.empty()) return out;
    Diagnostic d = error(
        fmt::format("NVRTC does not compile the kernels for {} (code {})", architecture, code));
    if (!log.empty()) d.notes.push_back(log);
    return d;
}

}  // namespace proviso::backend::gpu
