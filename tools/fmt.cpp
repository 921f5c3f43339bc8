// proviso fmt: canonical form.
#include <cstdio>

#include "ir/text.h"
#include "tools/commands.h"
#include "tools/support.h"

namespace proviso::tools {

int run_fmt(const FmtOptions& o) {
    int code = kFine;
    for (const std::string& file : o.files) {
        const Result<std::string> text = read_file(file);
        if (!text) {
            code = bad_input(text.error());
            continue;
        }
        ir::Context ctx;
        const Result<ir::Module> module = ir::parse_module(ctx, *text, file);
        if (!module) {
            code = bad_input(module.error());
            continue;
        }
        const std::string canonical =
            module->functions.size() == 1 ? ir::print(module->functions[0]) : ir::print(*module);
        if (o.check) {
            if (canonical == *text) continue;
            std::fprintf(stderr, "%s: not in canonical form\n", file.c_str());
            if (code == kFine) code = kRefuted;
        } else if (o.in_place && file != "-") {
            if (canonical == *text) continue;
            if (const Status ok = write_file(file, canonical); !ok) code = bad_input(ok.error());
        } else {
            std::printf("%s", canonical.c_str());
        }
    }
    return code;
}

}  // namespace proviso::tools
