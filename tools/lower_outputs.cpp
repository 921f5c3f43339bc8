#include "tools/lower_outputs.h"

#include "tools/page/derivation_page.h"
#include "tools/support/write_file.h"
#include "verify/log/write_files.h"

namespace proviso::tools {

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
