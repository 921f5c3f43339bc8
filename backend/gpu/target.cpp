#include "backend/gpu/target.h"

#include <algorithm>
#include <cctype>

namespace proviso::backend::gpu {

namespace {

constexpr std::int64_t kManyBlocks = (std::int64_t{1} << 31) - 1;
constexpr int kOldestArchitecture = 75;  // of the toolkits that can be asked (12 and 13)

Target cuda(std::string name, std::string architecture, Language language) {
    Target out;
    out.name = std::move(name);
    out.architecture = std::move(architecture);
    out.language = language;
    out.threads = 1024;
    out.block = {1024, 1024, 64};
    out.grid = {kManyBlocks, 65535, 65535};
    out.shared_bytes = std::int64_t{48} * 1024;
    return out;
}

Target opencl() {
    Target out;
    out.name = "opencl:generic";
    out.architecture = "generic";
    out.language = Language::OpenCl;
    out.threads = 256;
    out.block = {256, 256, 256};
    out.grid = {kManyBlocks, kManyBlocks, kManyBlocks};
    out.shared_bytes = std::int64_t{32} * 1024;
    return out;
}

// The NN of "sm_NN"; 0 for any other text.
int architecture_number(const std::string& text) {
    const std::string digits = text.rfind("sm_", 0) == 0 ? text.substr(3) : "";
    const bool number = !digits.empty() && digits.size() <= 3 &&
                        std::all_of(digits.begin(), digits.end(), [](char c) {
                            return std::isdigit(static_cast<unsigned char>(c)) != 0;
                        });
    return number ? std::stoi(digits) : 0;
}

}  // namespace

bool is_gpu_target(const std::string& name) {
    const std::string family = name.substr(0, name.find(':'));
    return family == "cuda" || family == "opencl" || family == "gpu-host" || family == "nvptx" ||
           family == "nvptx-host";
}

Result<Target> find_target(const std::string& name) {
    if (name == "nvptx-host" || name == "nvptx" || name.rfind("nvptx:", 0) == 0) {
        const bool host = name == "nvptx-host";
        Result<Target> out = find_target(host ? "gpu-host" : "cuda" + name.substr(5));
        if (!out) return out;
        out->name = host ? name : "nvptx:" + out->architecture;
        out->by_llvm = true;
        return out;
    }
    if (name == "gpu-host") return cuda("gpu-host", "host", Language::Host);
    if (name == "opencl" || name == "opencl:generic") return opencl();
    if (name == "cuda") return cuda("cuda:sm_90", "sm_90", Language::Cuda);
    if (name.rfind("cuda:", 0) == 0) {
        const std::string architecture = name.substr(5);
        if (architecture_number(architecture) >= kOldestArchitecture) {
            return cuda(name, architecture, Language::Cuda);
        }
        return error("no CUDA architecture '" + architecture + "'", "sm_75 or later: cuda:sm_90");
    }
    return error(
        "no target '" + name + "'",
        "cpu, cuda, cuda:sm_NN, opencl, opencl:generic, gpu-host, nvptx, nvptx:sm_NN, nvptx-host");
}

}  // namespace proviso::backend::gpu
