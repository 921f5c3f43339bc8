// Proviso as a library: reads a program, changes it by a schedule and by one step of its own,
// lowers and compiles it, runs it beside the interpreter and writes the proof log.
//
//   embed PROGRAM.py SCHEDULE.py LOG_FOLDER
#include <exception>
#include <fstream>
#include <iostream>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>

#include <nlohmann/json.hpp>

#include "backend/cpu/backend.h"
#include "backend/tensor.h"
#include "ir/deep_stack.h"
#include "ir/interp/interpreter.h"
#include "ir/text.h"
#include "rewrite/passes/passes.h"
#include "rewrite/schedule/reader/reader.h"
#include "verify/harness/inputs.h"
#include "verify/log/write.h"

using namespace proviso;

namespace {

std::string text_of(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    if (!in) throw std::runtime_error("cannot read " + path);
    std::stringstream out;
    out << in.rdbuf();
    return out.str();
}

// Functions give a value or a diagnostic, which names the place and says what to write instead.
template <typename T>
T must(Result<T> result) {
    if (!result) throw std::runtime_error(result.error().str());
    return std::move(*result);
}

void parallel(rewrite::Derivation& derivation, const std::string& loop, analysis::Prover& prover) {
    const std::optional<ir::Site> site = rewrite::find_loop(derivation.current(), loop);
    if (!site) throw std::runtime_error("the program has no loop " + loop);
    const auto refusal = derivation.apply("bind", *site, {{"kind", "parallel"}}, prover);
    if (!refusal) {
        std::cout << loop << ": parallel, " << derivation.steps().back().obligations.size()
                  << " obligations proved\n";
    } else if (refusal->failed) {  // what was to be proved, and the answer
        std::cout << loop << ": " << analysis::verdict_name(refusal->answer.verdict) << ": "
                  << refusal->failed->purpose.words << "\n";
    } else {
        std::cout << loop << ": " << refusal->diagnostic.str() << "\n";
    }
}

void work(const std::string& program, const std::string& schedule, const std::string& log) {
    ir::Context ctx;  // owns every expression and statement
    const ir::Function source = must(ir::parse_function(ctx, text_of(program), program));

    // A derivation carries the program from its source on; each step that it takes is proved.
    rewrite::Derivation derivation = must(rewrite::Derivation::start(ctx, source));
    analysis::Prover prover(ctx, {});
    rewrite::Proposer proposer(derivation, prover);

    // A schedule: many steps, found by the primitives.
    const std::string calls = text_of(schedule);
    const rewrite::ScheduleReport report = must(rewrite::run_schedule(proposer, calls, schedule));
    if (report.refusal) throw std::runtime_error(report.refusal->diagnostic.str());

    // Two steps by hand: rule, site and arguments as docs/statement-rules.md lists them. Rows may
    // be summed at the same time; parts of one sum may not, and the program stays as it was.
    parallel(derivation, "i", prover);
    parallel(derivation, "j_0", prover);

    const rewrite::PassResult lowering = rewrite::lower(proposer);
    if (lowering.wrong) throw std::runtime_error(lowering.wrong->str());
    const ir::Function& lowered = derivation.current();
    std::cout << ir::print(lowered) << derivation.steps().size() << " steps\n";

    // Machine code in this process; backend::object and backend::shared_library write files.
    const backend::CpuModule module = must(backend::compile({derivation}));
    const ir::Inputs logical = must(verify::random_inputs(ctx, source, /*seed=*/7));
    const ir::Inputs inputs = must(verify::physical_inputs(ctx, lowered, logical));
    const backend::TensorRun run = must(backend::run_on_tensors(module, lowered, inputs));
    const ir::Outcome expected = must(ir::run(lowered, inputs));
    const auto difference = backend::run_difference(lowered, expected, run);
    std::cout << "interpreter and machine code: " << difference.value_or("equal, bit for bit")
              << "\n";

    // For `proviso audit`.
    verify::LogOptions options;
    options.schedule = calls;
    const verify::LogSummary written = must(verify::write_log(derivation, log, options));
    std::cout << "log of " << written.steps << " steps\n";
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 4) {
        std::cerr << "usage: embed PROGRAM.py SCHEDULE.py LOG_FOLDER\n";
        return 2;
    }
    int code = 0;
    // Expressions nest as deeply as programs make them, so the work is done on a deep stack.
    ir::on_deep_stack([&] {
        try {
            work(argv[1], argv[2], argv[3]);
        } catch (const std::exception& e) {
            std::cerr << e.what() << "\n";
            code = 1;
        }
    });
    return code;
}
