// proviso bounds: what each stage requests, computes, stores and allocates, at each loop level.
#include "analysis/bounds/bounds.h"

#include <cstdio>
#include <nlohmann/json.hpp>

#include "rewrite/kernel/derivation.h"
#include "rewrite/schedule/reader/reader.h"
#include "tools/bounds/report.h"
#include "tools/commands.h"
#include "tools/program.h"
#include "tools/support/refusal.h"
#include "tools/support/support.h"

namespace proviso::tools {

namespace {

class BoundsCommand {
  public:
    explicit BoundsCommand(const BoundsOptions& options) : o_(options) {}

    int run() {
        const Result<ir::Function> f = load_function(ctx_, o_.program, o_.function, &own_);
        if (!f) return bad_input(f.error(), o_.json);
        current_ = *f;
        if (!o_.schedule.empty() || !own_.text.empty()) {
            if (const int code = schedule(); code != kFine) return code;
        }
        Result<ir::Substitution> sizes = scalar_arguments(ctx_, current_, o_.sizes);
        if (!sizes) {
            Diagnostic wrong = sizes.error();
            wrong.message = "--sizes: " + wrong.message;
            if (wrong.hint.empty()) wrong.hint = "--sizes n=64,m=32";
            return bad_input(wrong, o_.json);
        }
        const analysis::Bounds bounds = analysis::infer_bounds(ctx_, current_, *sizes);
        if (o_.svg) {
            const Result<std::string> picture = bounds_svg(current_, bounds);
            if (!picture) return bad_input(picture.error(), false);
            std::fputs(picture->c_str(), stdout);
        } else if (o_.dot) {
            std::fputs(bounds_dot(current_, bounds).c_str(), stdout);
        } else if (o_.json) {
            print_json(bounds_json(current_, bounds));
        } else {
            std::fputs(bounds_text(current_, bounds).c_str(), stdout);
        }
        return all_exact(bounds) ? kFine : kUnknown;
    }

  private:
    // The program as the schedule leaves it.
    int schedule() {
        analysis::ProverOptions options;
        options.cache_dir = cache_folder(o_.cache);
        options.wall_limit_s = o_.solver_seconds;
        options.memory_mib = o_.solver_memory;
        options.effort = o_.solver_effort;
        analysis::Prover prover(ctx_, options);
        Result<rewrite::Derivation> derivation = rewrite::Derivation::start(current_, prover);
        if (!derivation) return bad_input(derivation.error(), o_.json);
        rewrite::Proposer proposer(*derivation, prover);
        if (!own_.text.empty()) {
            if (const int code = follow(proposer, own_.text, o_.program, true); code != kFine) {
                return code;
            }
        }
        if (o_.schedule.empty()) return kFine;
        const Result<std::string> text = read_file(o_.schedule);
        if (!text) return bad_input(text.error(), o_.json);
        return follow(proposer, *text, o_.schedule, false);
    }

    // `own`: the schedule that tensor expressions bring along; messages are about these.
    int follow(rewrite::Proposer& proposer, const std::string& text, const std::string& file,
               bool own) {
        const auto placed = [&](const Diagnostic& d) {
            const Result<std::string> source = own ? read_file(file) : error("");
            return source ? own_.placed(d, *source, file) : d;
        };
        auto done = rewrite::run_schedule(proposer, text, file);
        if (!done) return bad_input(placed(done.error()), o_.json);
        current_ = proposer.current();
        if (!done->refusal) return kFine;
        done->refusal->diagnostic = placed(done->refusal->diagnostic);
        return report_refusal(ctx_, *done, current_, o_.json);
    }

    const BoundsOptions& o_;
    ir::Context ctx_;
    ir::Function current_;
    ir::te::Script own_;
};

}  // namespace

int run_bounds(const BoundsOptions& options) {
    return BoundsCommand(options).run();
}

}  // namespace proviso::tools
