// proviso lower: schedule, lower, emit, log.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "analysis/layout/layout.h"
#include "backend/cpu/backend.h"
#include "backend/cpu/no_wrap.h"
#include "backend/gpu/drivers/nvrtc.h"
#include "backend/gpu/llvm/nvptx.h"
#include "ir/children.h"
#include "ir/text.h"
#include "rewrite/schedule/dependence_graph.h"
#include "rewrite/schedule/outlined_function.h"
#include "rewrite/schedule/reader/reader.h"
#include "tools/commands.h"
#include "tools/library/lowering_order.h"
#include "tools/lower_outputs.h"
#include "tools/lower_report.h"
#include "tools/page/derivation_page.h"
#include "tools/program.h"
#include "tools/run_gpu.h"
#include "tools/support/converters.h"
#include "tools/support/refusal.h"
#include "tools/support/source_place.h"
#include "tools/support/support.h"
#include "tools/support/write_file.h"
#include "tools/tune/commands.h"
#include "tools/tune/tuning.h"
#include "verify/log/duty_lines.h"
#include "verify/log/write.h"

namespace proviso::tools {

using namespace rewrite;
using nlohmann::json;

namespace {

class Lowering {
  public:
    explicit Lowering(const LowerOptions& options, ChoiceOptions choices = {})
        : o_(options),
          choices_(std::move(choices)),
          order_(options, [&options] { return source_text(options.program); }) {}

    int run() {
        const auto start = std::chrono::steady_clock::now();
        if (const auto end = order_.begin()) return ended(*end);
        Result<std::optional<verify::PrivateKey>> key = prepare_outputs(o_);
        if (!key) return bad_input(key.error(), o_.json);
        key_ = *std::move(key);
        const Result<ir::Function> f = load_function(ctx_, o_.program, o_.function);
        if (!f) return bad_input(f.error(), o_.json);
        report_.notes = scope_notes(*f);
        if (o_.out_given && o_.emit.empty()) {
            report_.notes.push_back("nothing is written to " + o_.out + ": --emit says what");
        }
        if (!o_.json) print_notes(report_.notes);
        analysis::ProverOptions prover_options;
        prover_options.cache_dir = cache_folder(o_.cache);
        prover_options.wall_limit_s = o_.solver_seconds;
        prover_options.memory_mib = o_.solver_memory;
        prover_options.effort = o_.solver_effort;
        analysis::Prover prover(ctx_, prover_options);
        Result<Derivation> derivation = Derivation::start(*f, prover);
        if (!derivation) return bad_input(derivation.error(), o_.json);
        derivation_ = &*derivation;
        if (const auto end = order_.before_schedule(*derivation_, prover)) return ended(*end);
        report_.symbol = order_.symbol;
        report_.inputs = order_.inputs;
        if (o_.strict && !report_.inputs.warning().empty()) return perhaps_empty();
        Proposer proposer(*derivation_, prover);
        if (!o_.schedule.empty()) {
            const int code = schedule(proposer);
            if (code != kFine) return code;
        }
        const std::size_t scheduled = derivation_->steps().size();
        if (asked_for("deps")) {  // before lowering: what a schedule can still act upon
            dependences_ = dependence_dot(dependence_graph(prover, derivation_->current()));
        }
        if (asked_for("module")) {
            module_ = module_text(ctx_, derivation_->current(), outlined_);
        }
        if (const auto end = order_.lower(proposer)) return ended(*end);
        const std::size_t lowering = derivation_->steps().size() - scheduled - order_.barriers;
        progress("lower", lowering, order_.lowering.limit);
        if (order_.barriers > 0) progress("sync", order_.barriers);
        report_.left = order_.lowering.refused;
        report_.left_in = order_.lowered;
        report_.parts = order_.parts;
        report_.not_flat = order_.lowering.not_flat;
        if (const Status ok = print_steps(o_.print_after, *derivation_); !ok) {
            return bad_input(ok.error(), o_.json);
        }
        if (const auto end = order_.code(*derivation_, prover)) return ended(*end);
        report_.whole = order_.whole;
        if (!order_.target) {
            if (const int code = cpu_code(prover); code != kFine) return code;
        }
        if (const Status ok = emit(); !ok) return bad_input(ok.error(), o_.json);
        if (const Status ok = log(); !ok) return bad_input(ok.error(), o_.json);
        if (const Status ok = trace(); !ok) return bad_input(ok.error(), o_.json);
        if (const Status ok = write_report(nullptr); !ok) return bad_input(ok.error(), o_.json);
        if (o_.explain) report_.remaining = remaining(proposer);
        if (o_.explain_speed) {
            Result<backend::Speed> speed = backend::speed_of(*derivation_, cpu_);
            if (!speed) return bad_input(speed.error(), o_.json);
            report_.speed = *std::move(speed);
        }
        report_.duties = duties();
        report_.seconds =
            std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        print_report(ctx_, o_, *derivation_, adapters_, report_);
        return kFine;
    }

  private:
    int ended(const LoweringEnd& end) const {
        if (end.told.empty()) return bad_input(end.diagnostic, o_.json);
        if (o_.json) std::printf("%s\n", end.told.c_str());
        std::fprintf(stderr, "%s\n", end.diagnostic.str().c_str());
        return end.code;
    }

    int cpu_code(analysis::Prover& prover) {
        cpu_.symbols[derivation_->current().name] = report_.symbol;
        cpu_.no_signed_wrap = backend::proved_no_wrap(*derivation_, prover);
        cpu_.guarded = o_.guarded;
        cpu_.cpu = o_.cpu;
        if (!o_.prepare.empty()) cpu_.prepared[derivation_->current().name] = o_.prepare;
        return asked_for("adapters") ? convert(prover) : kFine;
    }

    int convert(analysis::Prover& prover) {
        Result<std::vector<Adapter>> made =
            adapters(ctx_, derivation_->current(), prover, report_.symbol);
        if (!made) return bad_input(made.error(), o_.json);
        adapters_ = std::move(*made);
        // What is in range in one function need not be in another one that is spelled alike.
        for (const Derivation* d : converters()) {
            ir::for_each_expr(d->current().body, [&](ir::Expr root) {
                ir::for_each_node(root, [&](ir::Expr e) { cpu_.no_signed_wrap.erase(e); });
            });
        }
        return kFine;
    }

    // The lowered pack and unpack of each parameter with another layout.
    std::vector<const Derivation*> converters() const {
        std::vector<const Derivation*> out;
        for (const Adapter& a : adapters_) out.insert(out.end(), {&a.pack, &a.unpack});
        return out;
    }

    // What belongs to GPUs: the kernels' text, or what a compiler makes of it.
    Status emit_gpu(const std::string& what) {
        using backend::gpu::CudaArtefact;
        using backend::gpu::Language;
        if (what == "opencl") return write(".cl", documented(Language::OpenCl));
        if (what == "cuda") return write(".cu", documented(Language::Cuda));
        const std::string text = order_.gpu->source(Language::Cuda);
        const bool cuda = order_.target->language == Language::Cuda;
        const std::string arch = cuda ? order_.target->architecture : "sm_90";
        if (what == "nvptx") return write(".nvptx.ptx", backend::gpu::llvm_ptx(*order_.gpu, arch));
        if (what == "llvm") return write(".ll", backend::gpu::llvm_text(*order_.gpu, arch));
        const std::string nvrtc = cuda_libraries().nvrtc;
        if (what == "ptx") {
            return write(".ptx", backend::gpu::compile_cuda(text, arch, CudaArtefact::Ptx, nvrtc));
        }
        return write(".cubin", backend::gpu::compile_cuda(text, arch, CudaArtefact::Cubin, nvrtc));
    }

    std::string documented(backend::gpu::Language language) const {
        return order_.gpu->documented_source(language, verify::lines_of(duties()));
    }

    void progress(const std::string& what, std::size_t steps, const std::string& note = {},
                  const std::string& why_nothing = {}, int line = 0,
                  const std::string& file = {}) const {
        if (o_.quiet || o_.json) return;
        std::string more;
        if (!why_nothing.empty()) {
            more = ": " + why_nothing + " (" + (file.empty() ? o_.schedule : file) + ":" +
                   std::to_string(line) + ")";
        }
        if (!note.empty()) more += " (" + note + ")";
        std::fprintf(stderr, "  %-40s %zu step%s%s\n", what.c_str(), steps, steps == 1 ? "" : "s",
                     more.c_str());
    }

    int schedule(Proposer& proposer) {
        const Result<std::string> text = read_file(o_.schedule);
        if (!text) return bad_input(text.error(), o_.json);
        schedule_text_ = *text;
        const Result<ChosenValues> chosen =
            choices_.tuned.empty()
                ? read_chosen(choices_.choose)
                : tuned_values(choices_.tuned, ir::content_hash(derivation_->source()), *text,
                               o_.schedule);
        if (!chosen) return bad_input(chosen.error(), o_.json);
        const Result<ScheduleReport> done = run_schedule(
            proposer, *text, o_.schedule,
            [this](const ScheduleReport::Done& d) { done_progress(d); }, *chosen);
        if (!done) return bad_input(done.error(), o_.json);
        for (const auto& [name, value] : *chosen) {
            schedule_text_ += "\n# chosen: " + name + " = " + value;
            report_.chosen.emplace_back(name, value);
        }
        for (const ScheduleReport::Done& d : done->done) {
            report_.applied.push_back(
                {d.primitive, d.steps, d.note, d.line, d.file, d.query, d.gives, d.why_nothing});
        }
        order_.scheduled(done->done);
        outlined_ = done->outlined;
        trace_ = done->trace;
        for (const auto& [name, imported] : done->imported) {
            const std::string digest = "sha256:" + ir::sha256_hex(imported);
            schedule_text_ += "\n# imported: " + name + " " + digest + "\n" + imported;
            report_.imported.emplace_back(name, digest);
        }
        if (!o_.trace.empty() && !done->refusal && !done->not_in_trace.empty()) {
            return bad_input(
                error("a trace cannot say this call of " + done->not_in_trace, "leave out --trace"),
                o_.json);
        }
        if (!done->refusal) return o_.strict ? all_did_something(*done) : kFine;
        return refused(*done);
    }

    // What a call gave; of one that changed nothing, why.
    void done_progress(const ScheduleReport::Done& d) {
        order_.calls.add(d, derivation_->steps().size());
        std::string gives;
        for (const std::string& name : d.gives) gives += (gives.empty() ? "" : ", ") + name;
        std::string note = d.note;
        if (o_.verbose && !gives.empty()) note += (note.empty() ? "" : "; ") + ("gives " + gives);
        if (!o_.json) std::fputs(d.shown.c_str(), stderr);  // asked for, also with --quiet
        if (d.primitive == "print" || (o_.verbose ? d.composite : !d.within.empty())) return;
        progress(d.primitive, d.steps + d.inner_steps, note, d.why_nothing, d.line, d.file);
    }

    // --strict: not decided, where no input was found on which the source has no fault.
    int perhaps_empty() const {
        const Diagnostic d = error(report_.inputs.warning(),
                                   "correct the source or its assumptions, or leave out --strict");
        if (o_.json) print_json({{"verdict", "UNKNOWN"}, {"diagnostics", {to_json(d)}}});
        std::fprintf(stderr, "%s\n", d.str().c_str());
        return kUnknown;
    }

    // --strict: not decided, where a call of a primitive had no effect. Nothing is lowered then.
    int all_did_something(const ScheduleReport& done) {
        json calls = json::array();
        for (const ScheduleReport::Done& d : done.done) {
            if (d.why_nothing.empty()) continue;
            Diagnostic none = error(d.primitive + " changed nothing: " + d.why_nothing,
                                    "remove the call, or leave out --strict");
            none.file = d.file.empty() ? o_.schedule : d.file;
            none.line = d.line;
            none.column = 1;
            std::fprintf(stderr, "%s\n", none.str().c_str());
            calls.push_back(to_json(none));
        }
        if (calls.empty()) return kFine;
        if (o_.json) print_json({{"verdict", "UNKNOWN"}, {"diagnostics", calls}});
        if (!o_.log.empty()) {
            if (const Status ok = log(); !ok) return bad_input(ok.error(), o_.json);
        }
        return kUnknown;
    }

    int refused(const ScheduleReport& done) {
        order_.calls.refuse(done);
        json told;
        const int code =
            report_refusal(ctx_, done, derivation_->current(), o_.json, o_.replay_steps, &told);
        if (const Status ok = log(); !ok) return bad_input(ok.error(), o_.json);
        if (const Status ok = write_report(&told); !ok) return bad_input(ok.error(), o_.json);
        return code;
    }

    std::string path(const std::string& extension) const {
        return (std::filesystem::path(o_.out) / (report_.symbol + extension)).string();
    }

    Status write(const std::string& extension, const std::string& bytes) {
        const Status ok = write_file(path(extension), bytes);
        if (ok) report_.written.emplace_back(path(extension), ir::sha256_hex(bytes));
        return ok;
    }

    Status write(const std::string& extension, const Result<std::string>& bytes) {
        return bytes ? write(extension, *bytes) : Status(bytes.error());
    }

    Status emit() {
        backend::Derivations all = {*derivation_};
        for (const Derivation* d : converters()) all.push_back(*d);
        for (auto it = o_.emit.begin(); it != o_.emit.end(); ++it) {
            const std::string& what = *it;
            if (std::find(o_.emit.begin(), it, what) != it) continue;  // asked for twice
            Status ok = Unit{};
            if (what == "ir") ok = write(".lowered.py", ir::print(derivation_->current()));
            if (what == "deps") ok = write(".deps.dot", dependences_);
            if (what == "adapters") ok = write(".adapters.py", adapters_text(adapters_));
            if (what == "module") ok = write(".module.py", module_);
            if (what == "llvm" && !order_.gpu) ok = write(".ll", backend::llvm_ir(all, cpu_));
            if (what == "asm") ok = write(".s", backend::assembly(all, cpu_));
            if (what == "obj") ok = write(".o", backend::object(all, cpu_));
            if (what == "header") ok = write(".h", header(all));
            if (what == "so") ok = shared_library(all);
            if (order_.gpu && what != "ir" && what != "deps" && what != "module")
                ok = emit_gpu(what);
            if (!ok) return ok;
        }
        return Unit{};
    }

    Result<std::string> header(const backend::Derivations& all) const {
        backend::HeaderNotes notes;
        notes.symbols = cpu_.symbols;
        notes.guarded = cpu_.guarded;
        notes.prepared = cpu_.prepared;
        const Result<std::string> cpu = backend::emitted_for(cpu_.cpu);
        if (!cpu) return cpu.error();
        notes.cpu = *cpu;
        for (const std::string& line : verify::lines_of(duties())) {
            notes.contract.emplace_back(derivation_->current().name, line);
        }
        return backend::header(all, notes);
    }

    verify::Duties duties() const {
        return verify::duties_of(ctx_, derivation_->source(), derivation_->current(),
                                 derivation_->steps());
    }

    Status shared_library(const backend::Derivations& all) {
        std::error_code code;
        std::filesystem::create_directories(o_.out, code);
        if (const Status ok = backend::shared_library(all, path(".so"), cpu_); !ok) return ok;
        const Result<std::string> bytes = read_file(path(".so"), ir::limits::kOutputBytes);
        if (!bytes) return bytes.error();
        report_.written.emplace_back(path(".so"), ir::sha256_hex(*bytes));
        return asked_for("header") ? Status(Unit{}) : write(".h", header(all));
    }

    bool asked_for(const std::string& what) const {
        return std::find(o_.emit.begin(), o_.emit.end(), what) != o_.emit.end();
    }

    Status trace() {
        if (o_.trace.empty()) return Unit{};
        const Status ok = write_file(o_.trace, trace_);
        if (ok) report_.written.emplace_back(o_.trace, ir::sha256_hex(trace_));
        return ok;
    }

    Status log() {
        if (o_.log.empty()) return Unit{};
        verify::LogOptions options;
        options.key = key_ ? &*key_ : nullptr;
        options.schedule = with_calls(schedule_text_, order_.calls.of(derivation_->steps().size()));
        for (const auto& [file, hash] : report_.written) {
            // A shared library depends on the machine's linker, so it is no part of what two runs
            // share.
            if (std::filesystem::path(file).extension() == ".so") continue;
            options.artefacts[std::filesystem::path(file).filename().string()] = hash;
        }
        const Result<verify::LogSummary> done = verify::write_log(*derivation_, o_.log, options);
        if (!done) return done.error();
        report_.log = *done;
        return write_adapter_logs(adapters_, o_.log, options.key);
    }

    // `refusal`: what was told of it; null: there is none.
    Status write_report(const json* refusal) {
        if (const Status ok = keeps_what_is_written(o_, report_.written); !ok) return ok;
        const LowerFacts facts{schedule_text_, order_.calls.of(derivation_->steps().size()),
                               report_.inputs, report_.whole.tv,
                               !o_.no_validation && refusal == nullptr};
        return write_report_page(o_.report, ctx_, *derivation_, facts, refusal);
    }

    const LowerOptions& o_;
    const ChoiceOptions choices_;
    mutable ir::Context ctx_;
    Derivation* derivation_ = nullptr;
    LoweringOrder order_;
    backend::CpuOptions cpu_;
    std::optional<verify::PrivateKey> key_;
    std::string schedule_text_;  // and what it imports
    std::string trace_;
    std::string dependences_;
    std::vector<std::string> outlined_;
    std::string module_;
    std::vector<Adapter> adapters_;
    LoweringReport report_;
};

}  // namespace

int run_lower(const LowerOptions& options) {
    return Lowering(options).run();
}

int run_lower_command(const LowerCommand& command) {
    return Lowering(command.lower, command.choices).run();
}

}  // namespace proviso::tools
