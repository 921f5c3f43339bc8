#include "tools/lower_outputs.h"

#include "backend/cpu/backend.h"
#include "tools/page/derivation_page.h"
#include "tools/support/write_file.h"
#include "verify/log/write_files.h"

namespace proviso::tools {

namespace {

// An option about machine code of the CPU; null: none is given.
const char* option_of_the_cpu(const LowerOptions& options) {
    if (!options.cpu.empty()) return "--cpu";
    if (options.explain_speed) return "--explain-speed";
    if (!options.prepare.empty()) return "--prepare";
    if (options.share_memory) return "--share-memory";
    return options.guarded ? "--guarded" : nullptr;
}

}  // namespace

Result<std::optional<backend::gpu::Target>> target_of(const LowerOptions& options) {
    std::optional<backend::gpu::Target> gpu;
    std::string artefacts = "ir, llvm, asm, obj, so, header, deps, adapters, module";
    if (options.target == "cpu") {
        if (const auto cpu = backend::emitted_for(options.cpu); !cpu) return cpu.error();
    } else {
        const Result<backend::gpu::Target> target = backend::gpu::find_target(options.target);
        if (!target) return target.error();
        gpu = *target;
        artefacts = "ir, cuda, ptx, cubin, nvptx, llvm, opencl, deps, module";
        if (const char* option = option_of_the_cpu(options)) {
            return error(std::string(option) + " is about machine code of the CPU",
                         std::string("leave out ") + option + " or --target");
        }
    }
    for (const std::string& what : options.emit) {
        if ((", " + artefacts + ",").find(", " + what + ",") != std::string::npos) continue;
        return error("cannot emit '" + what + "'" + (gpu ? " for " + gpu->name : ""), artefacts);
    }
    return gpu;
}

Result<std::optional<verify::PrivateKey>> prepare_outputs(const LowerOptions& o) {
    if (const Status ok = may_report(o); !ok) return ok.error();
    const Status outputs = may_write({{"--trace", o.trace}, {"--report", o.report, true}},
                                     {o.program, o.schedule, o.sign}, o.log);
    if (!outputs) return outputs.error();
    if (!o.emit.empty()) {
        if (const Status ok = may_write_folder(o.out, o.log); !ok) return ok.error();
    }
    if (o.log.empty()) return std::optional<verify::PrivateKey>();
    if (const Status ok = verify::may_write_log(o.log); !ok) return ok.error();
    if (o.sign.empty()) return std::optional<verify::PrivateKey>();
    Result<verify::PrivateKey> key = verify::PrivateKey::read(o.sign);
    if (!key) return key.error();
    return std::optional(*std::move(key));
}

Status keeps_what_is_written(const LowerOptions& o,
                             const std::vector<std::pair<std::string, std::string>>& written) {
    std::vector<std::string> files;
    for (const auto& [file, hash] : written) files.push_back(file);
    return may_write({{"--report", o.report, true}}, files, o.log);
}

}  // namespace proviso::tools
