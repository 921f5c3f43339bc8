// proviso fmt: canonical form.
#include <algorithm>
#include <cstdio>

#include "ir/text.h"
#include "ir/text/te/te.h"
#include "tools/commands.h"
#include "tools/program.h"
#include "tools/support/support.h"
#include "tools/support/write_file.h"

namespace proviso::tools {

int run_fmt(const FmtOptions& o) {
    if (o.in_place && std::find(o.files.begin(), o.files.end(), "-") != o.files.end()) {
        return bad_input(error("--in-place cannot rewrite standard input",
                               "leave it out: what `-` gives is printed"));
    }
    int code = kFine;
    for (const std::string& file : o.files) {
        const Result<std::string> text = read_file(file);
        if (!text) {
            code = bad_input(text.error());
            continue;
        }
        if (ir::te::is_te(*text)) {
            code = bad_input(error("`" + file +
                                       "` has tensor expressions; fmt writes functions of "
                                       "TVMScript",
                                   "`proviso lower " + file +
                                       " --emit ir` writes the function "
                                       "that they mean; bounds, run and check read them, too"));
            continue;
        }
        ir::Context ctx;
        const Result<ir::ProgramFile> program = ir::parse_program(ctx, *text, file);
        if (!program) {
            code = bad_input(program.error());
            continue;
        }
        for (const ir::OpaqueFunction& f : program->opaque) {
            std::fprintf(stderr, "note: `%s` is kept, and has no meaning here: %s:%d:%d: %s\n",
                         f.name.c_str(), file.c_str(), f.reason.line, f.reason.column,
                         f.reason.message.c_str());
        }
        for (const ir::Function& f : program->module.functions) print_notes(scope_notes(f));
        const std::string& canonical = program->canonical;
        if (o.check) {
            if (canonical == *text) continue;
            std::fprintf(stderr, "%s: not in canonical form\n", file.c_str());
            if (code == kFine) code = kRefuted;
        } else if (o.in_place) {
            if (canonical == *text) continue;
            if (const Status ok = write_file(file, canonical); !ok) code = bad_input(ok.error());
        } else {
            std::printf("%s", canonical.c_str());
        }
    }
    return code;
}

}  // namespace proviso::tools
