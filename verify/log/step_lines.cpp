#include "verify/log/step_lines.h"

#include "ir/text.h"
#include "ir/text/program_printer.h"
#include "verify/log/format.h"
#include "verify/log/line_edits.h"
#include "verify/log/record.h"

namespace proviso::verify {

std::vector<std::string> step_lines(const ir::Function& source,
                                    const std::vector<rewrite::Step>& steps) {
    std::vector<std::string> out;
    std::string before = ir::print(source);
    std::string prev = chain_start();
    ir::ProgramPrinter printer;
    const ir::Function* last = &source;
    for (const rewrite::Step& step : steps) {
        if (!(step.before == *last)) before = ir::print(step.before);
        last = &step.after;
        std::string after = printer.print(step.after);
        out.push_back(step_line(out.size(), prev, step, digest(before), digest(after),
                                line_edits(before, after)));
        before = std::move(after);
        prev = digest(out.back());
    }
    return out;
}

}  // namespace proviso::verify
