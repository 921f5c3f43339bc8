// proviso run: a program on .npy files, by the interpreter, as machine code, or both.

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <new>
#include <nlohmann/json.hpp>

#include "analysis/facts/path.h"
#include "backend/cpu/backend.h"
#include "backend/cpu/child_run.h"
#include "backend/cpu/in_bounds.h"
#include "backend/cpu/licence.h"
#include "backend/cpu/no_wrap.h"
#include "backend/runtime/guarded_memory.h"
#include "backend/tensor.h"
#include "ir/children.h"
#include "ir/domains/evaluate.h"
#include "ir/files/npy.h"
#include "ir/text/spelling.h"
#include "rewrite/passes/passes.h"
#include "tools/commands.h"
#include "tools/program.h"
#include "tools/run_gpu.h"
#include "tools/run_outputs.h"
#include "tools/support/exit_codes.h"
#include "tools/support/memory.h"
#include "tools/support/progress.h"
#include "tools/support/sizes_given.h"
#include "tools/support/source_place.h"
#include "tools/support/support.h"
#include "tools/support/write_file.h"
#include "verify/harness/whole_inputs.h"

namespace proviso::tools {

using namespace ir;
using nlohmann::json;

namespace {

// What a run needs for each cell, at most: inputs, what the interpreter knows of it and of races,
// bytes for the code, results.
constexpr std::uint64_t kBytesOfACell = 64;
constexpr std::uint64_t kBytesOfAJsonCell = 256;

class Run {
  public:
    explicit Run(const RunOptions& o) : o_(o) {}

    int run() {
        const Result<Function> f = load_function(ctx_, o_.program, o_.function);
        if (!f) return bad_input(f.error(), o_.json);
        f_ = *f;
        notes_ = scope_notes(f_);
        if (!o_.json) print_notes(notes_);
        on_gpu_ = o_.target != "cpu";
        if (on_gpu_) {
            const auto target = backend::gpu::find_target(o_.target);
            if (!target) return bad_input(target.error(), o_.json);
        }
        if (on_gpu_ || o_.engine == "interp") {
            const char* option = o_.guarded ? "--guarded" : o_.cpu.empty() ? nullptr : "--cpu";
            if (option != nullptr) {
                return bad_input(error(std::string(option) + " is about machine code of the CPU",
                                       "with `--engine cpu` or `--engine both`"),
                                 o_.json);
            }
        } else if (const auto cpu = backend::emitted_for(o_.cpu); !cpu) {
            return bad_input(cpu.error(), o_.json);
        }
        if (o_.max_steps != 0 && o_.engine == "cpu" && !on_gpu_) {
            return bad_input(error("--max-steps is about the interpreter, which does not run here",
                                   "with `--engine interp` or `--engine both`"),
                             o_.json);
        }
        if (const Status ok = gather(); !ok) return failed(ok.error());
        std::optional<Outcome> interpreted;
        if (o_.engine != "cpu" || on_gpu_) {
            Result<Outcome> outcome = interpret();
            if (!outcome) return failed(outcome.error());
            interpreted = *std::move(outcome);
        }
        if (o_.engine == "interp" && !on_gpu_) return report(interpreted, {});
        Compiled compiled;
        compiled.not_run = why_not_run(interpreted);
        if (!compiled.not_run) {
            const Status ran = on_gpu_ ? gpu_code(compiled) : machine_code(compiled);
            if (!ran) return failed(ran.error());
            if (compiled.wrong) return wrong_on_device(*compiled.wrong);
        }
        return report(interpreted, compiled);
    }

  private:
    // What became of compiled code: one of these.
    struct Compiled {
        std::optional<std::string> not_run;  // why
        std::optional<std::string> wrong;    // refused for the device, or seen to go wrong there
        std::optional<backend::Crash> crash;
        std::optional<backend::TensorRun> run;
    };

    // Compiled code is for programs without faults: where the interpreter is asked, it goes first.
    std::optional<std::string> why_not_run(const std::optional<Outcome>& interpreted) const {
        if (!interpreted || std::holds_alternative<Finished>(*interpreted)) return std::nullopt;
        if (is_cut_off(*interpreted)) return "the interpreter has not seen its end";
        if (std::holds_alternative<Faulted>(*interpreted)) {
            return "a program that faults may do anything";
        }
        if (!backend::has_concurrent_loop(f_)) return std::nullopt;
        return "iterations after the one that stopped may do anything";
    }

    std::uint64_t cells() const {
        if (o_.max_cells != 0) return o_.max_cells;
        return machine_memory() / (o_.json ? kBytesOfAJsonCell : kBytesOfACell);
    }

    // The interpreter could go no further, and that is no fault of the program: it met a limit, or
    // an opaque call, of whose result nothing is known.
    static bool is_cut_off(const Outcome& outcome) {
        const Faulted* faulted = std::get_if<Faulted>(&outcome);
        if (faulted == nullptr) return false;
        const FaultKind kind = faulted->fault.kind;
        return kind == FaultKind::StepLimit || kind == FaultKind::UnsupportedCall;
    }

    // Bad input, unless it is a limit that somebody could raise, or the memory of the machine.
    int failed(const Diagnostic& why) const {
        if (why.hint == backend::kNoMemory) return limit_met(why, o_.json);
        if (why.hint != verify::kTooManyCells) {
            const std::string text = source_text(o_.program);
            return bad_input(placed_at_construct(why, text, o_.program, f_), o_.json);
        }
        const std::string limit = std::to_string(cells());
        return limit_met(error("the buffers have more cells than the limit of " + limit,
                               "`--max-cells N` raises it"),
                         o_.json);
    }

    // What would have let the interpreter go on.
    std::string limit_hint(const Fault& fault) const {
        if (fault.kind == FaultKind::UnsupportedCall) {
            return "no command runs opaque calls; `proviso check` compares them as events";
        }
        if (fault.message.find("cells") != std::string::npos) return "`--max-cells N` raises it";
        if (o_.max_steps != 0) return "`--max-steps N` raises it";
        return "a number in it has more than a million bits";
    }

    bool wants_progress() const { return !o_.json && !o_.quiet; }

    Result<Outcome> interpret() {
        const Progress progress("interpreter", wants_progress());
        InterpOptions options;
        options.step_limit = o_.max_steps ? verify::step_limit_of(f_, o_.max_steps) : UINT64_MAX;
        options.cell_limit = cells();
        options.check_regions = true;  // a claim that is false is a fault
        return ir::run(f_, inputs_, options);
    }

    // What is given, then what is only written (zeros), then what may be made up.
    Status gather() {
        for (const std::string& argument : o_.inputs) {
            const auto pair = key_value(argument);
            if (!pair) return pair.error();
            Buffer b = f_.find_buffer_param(pair->first);
            if (b == nullptr) {
                std::vector<std::string> names;
                for (Buffer other : f_.buffer_params()) names.push_back(other->name);
                return error("no buffer parameter '" + pair->first + "'",
                             suggest(pair->first, names, listed(names)));
            }
            if (inputs_.count(pair->first) != 0) return given_twice("--in", pair->first);
            Result<Tensor> tensor = read_npy(pair->second, b->type);
            if (!tensor) return tensor.error();
            inputs_[pair->first] = *std::move(tensor);
        }
        const Result<Substitution> scalars = scalar_arguments(ctx_, f_, o_.scalars);
        if (!scalars) return scalars.error();
        for (const auto& [var, value] : *scalars) inputs_[*var->name] = *constant_value(value);
        const Result<Substitution> sizes = with_sizes_given(ctx_, f_, inputs_, *scalars);
        if (!sizes) return sizes.error();
        for (const auto& [var, value] : *sizes) {
            inputs_.emplace(*var->name, *constant_value(value));
        }
        for (Expr v : f_.scalar_params()) {
            if (!o_.random && inputs_.count(*v->name) == 0) {
                return error("no value for parameter '" + *v->name + "'",
                             "--set " + *v->name + "=VALUE");
            }
        }
        const Progress progress("inputs", wants_progress());
        // Through the program's layouts, with the padding that its contract promises.
        Result<Inputs> made_up = verify::whole_inputs(ctx_, f_, o_.seed, *sizes, cells());
        if (!made_up) return made_up.error();
        for (auto& [name, value] : *made_up) {
            if (inputs_.count(name) != 0) continue;
            const Buffer b = f_.find_buffer_param(name);
            const bool output = b != nullptr && analysis::stores_to(f_.body, b);
            if (!o_.random && !output) {
                return error("no value for parameter '" + name + "'",
                             "--in " + name + "=FILE.npy, or --random");
            }
            if (output && !o_.random) {
                Tensor& like = std::get<Tensor>(value);
                const bool real = like.type.is_float();
                like = Tensor::filled(like.type, like.shape,
                                      real ? Value::of_float(0.0) : Value::of_int(0));
            }
            inputs_[name] = std::move(value);
        }
        return Unit{};
    }

    Status gpu_code(Compiled& out) {
        analysis::ProverOptions solvers;
        solvers.wall_limit_s = o_.solver_seconds;
        solvers.memory_mib = o_.solver_memory;
        solvers.effort = o_.solver_effort;
        Result<GpuRun> run = run_on_gpu(ctx_, f_, o_.target, inputs_, o_.seed, solvers);
        if (!run) return run.error();
        out.wrong = std::move(run->wrong);
        out.run = std::move(run->run);
        label_ = run->label;
        return Unit{};
    }

    // Refused, or seen to go wrong: no results.
    int wrong_on_device(const std::string& what) const {
        if (o_.json) print_json({{"function", f_.name}, {"target", o_.target}, {"wrong", what}});
        std::fprintf(stderr, "%s: %s\n", o_.target.c_str(), what.c_str());
        return kRefuted;
    }

    // Of each allocation whose size the arguments tell: others are as large as a run makes them.
    Status allocations_within_limit() const {
        Environment known;
        for (Expr v : f_.scalar_params()) {
            const auto found = inputs_.find(*v->name);
            if (found != inputs_.end()) known.vars.emplace(v, std::get<Value>(found->second));
        }
        const auto is_known = [&](Expr e) {
            bool out = true;
            for_each_node(e, [&](Expr n) {
                out &= n->op != Op::Load && n->op != Op::CallExtern && n->op != Op::Undef &&
                       n->op != Op::Let && (n->op != Op::Var || known.vars.count(n) != 0);
            });
            return out;
        };
        Status out = Unit{};
        for_each_stmt(f_.body, [&](Stmt s) {
            const Allocate* a = s->as<Allocate>();
            if (a == nullptr ||
                !std::all_of(a->buffer->shape.begin(), a->buffer->shape.end(), is_known)) {
                return;
            }
            double count = 1;
            for (Expr extent : a->buffer->shape) {
                const Evaluation e = evaluate(extent, known);
                const auto n = e.ok() ? e.value.integer().to_int128() : std::nullopt;
                count *= n ? static_cast<double>(*n) : 0;
            }
            if (count <= static_cast<double>(cells())) return;
            out = error("the allocation of `" + a->buffer->name + "` is too large",
                        verify::kTooManyCells);
        });
        return out;
    }

    // In a process of its own.
    Status machine_code(Compiled& out) {
        if (const Status fits = allocations_within_limit(); !fits) return fits;
        Result<rewrite::Derivation> d = rewrite::Derivation::start(ctx_, f_);
        if (!d) return d.error();
        // The program as it is written: nothing in it needs a proof that takes a solver, and what
        // the cheap deciders do not show to be in range is compiled in its general form.
        analysis::ProverOptions prover_options;
        prover_options.use_certificates = false;
        prover_options.use_z3 = false;
        prover_options.use_cvc5 = false;
        analysis::Prover prover(ctx_, prover_options);
        rewrite::Proposer proposer(*d, prover);
        rewrite::LoweringOptions lowering;
        lowering.as_written = true;
        lowering.check_assumptions = o_.guarded;
        rewrite::lower(proposer, lowering);
        backend::CpuOptions options;
        // The interpreter has not shown then that the program keeps to its buffers.
        checked_ = o_.engine == "cpu" && !o_.guarded && !backend::stores_in_bounds(*d, prover);
        if (checked_) {
            notes_.push_back(
                "a store is not proved to stay in its buffer, so accesses are checked");
            if (!o_.json) print_notes({notes_.back()});
        }
        options.guarded = o_.guarded || checked_;
        options.ends_at_divisions = true;
        options.cpu = o_.cpu;
        // What is compared bit for bit with the interpreter rounds where it does.
        options.contract = o_.engine == "cpu";
        if (!options.contract && backend::may_contract(f_)) {
            notes_.push_back("compared without the licence contract: nothing is fused");
            if (!o_.json) print_notes({notes_.back()});
        }
        if (!options.guarded) options.no_signed_wrap = backend::proved_no_wrap(*d, prover);
        options.heap = backend::Heap::Guarded;
        const Result<backend::CpuModule> module = backend::compile({*d}, options);
        if (!module) return module.error();
        const Progress progress("cpu", wants_progress());
        Result<backend::ChildRun> run =
            backend::run_in_child(*module, d->current(), inputs_, o_.seed);
        if (!run) return run.error();
        out.crash = std::move(run->crash);
        if (!out.crash) out.run = std::move(run->run);
        label_ = "cpu";
        return Unit{};
    }

    int report(const std::optional<Outcome>& interpreted, const Compiled& compiled) {
        json out = {{"function", f_.name}, {"engine", o_.engine}};
        if (!notes_.empty()) out["notes"] = notes_;
        int code = kFine;
        const Tensors* tensors = nullptr;
        if (compiled.not_run) out[machine()] = {{"not_run", *compiled.not_run}};
        if (compiled.crash) {
            out[machine()] = {{"crash", crash_text(*compiled.crash)}, {"hint", crash_hint()}};
            code = kRefuted;
        }
        if (compiled.run) {
            const backend::RunOutcome& outcome = compiled.run->outcome;
            out[machine()] = {{"code", outcome.code}, {"message", outcome.message}};
            if (on_gpu_) out["device"] = label_;
            tensors = &compiled.run->tensors;
            if (outcome.code != 0) code = kRefuted;
        }
        if (interpreted) {
            out["interpreter"] = describe(*interpreted);
            const Finished* done = std::get_if<Finished>(&*interpreted);
            if (done == nullptr) code = kRefuted;
            if (is_cut_off(*interpreted)) {
                const Fault& fault = std::get<Faulted>(*interpreted).fault;
                out["interpreter"] = "not finished: " + fault.str();
                out["limit"] = limit_hint(fault);
                code = kUnknown;
            }
            const Faulted* faulted = std::get_if<Faulted>(&*interpreted);
            if (faulted != nullptr && faulted->fault.kind == FaultKind::OutsideRegion) {
                out["hint"] =
                    "T.reads and T.writes of the block do not name this access: correct them, or "
                    "leave both out";
            }
            if (done != nullptr && tensors == nullptr && !compiled.crash) tensors = &done->tensors;
        }
        if (interpreted && compiled.run) {
            const auto difference = backend::run_difference(f_, *interpreted, *compiled.run);
            out["equal"] = !difference.has_value();
            if (difference) {
                out["difference"] = *difference;
                code = kRefuted;
            } else if (const Finished* done = std::get_if<Finished>(&*interpreted)) {
                undefined_cells(f_, done->tensors, out);
            }
        }
        if (tensors != nullptr) {
            const Status ok = write_outputs(*tensors, out);
            if (!ok) return bad_input(ok.error(), o_.json);
        }
        if (o_.json) {
            if (tensors != nullptr) out["outputs"] = outputs_json(f_, *tensors);
            print_json(out);
        } else {
            print(out, tensors);
        }
        return code;
    }

    Status write_outputs(const Tensors& tensors, json& out) {
        if (o_.out.empty()) return Unit{};
        for (Buffer b : f_.buffer_params()) {
            if (!analysis::stores_to(f_.body, b)) continue;
            const std::string path = (std::filesystem::path(o_.out) / (b->name + ".npy")).string();
            const Status ok = write_file(path, npy_bytes(tensors.at(b->name)));
            if (!ok) return ok;
            out["written"][b->name] = path;
        }
        return Unit{};
    }

    void print(const json& out, const Tensors* tensors) const {
        if (out.contains("interpreter"))
            std::printf("interpreter: %s\n", out["interpreter"].get<std::string>().c_str());
        for (const char* hint : {"limit", "hint"}) {
            if (!out.contains(hint)) continue;
            std::fflush(stdout);  // in order
            std::fprintf(stderr, "  hint: %s\n", out[hint].get<std::string>().c_str());
        }
        if (out.contains(machine())) print_machine(out[machine()]);
        if (out.contains("equal")) {
            std::string what = "equal, bit for bit";
            if (out.contains("undefined")) what += undefined_text(out["undefined"]);
            if (!out["equal"].get<bool>()) what = out["difference"].get<std::string>();
            std::printf("interpreter and %s: %s\n", on_gpu_ ? o_.target.c_str() : "cpu",
                        what.c_str());
        }
        if (out.contains("written")) {
            for (const auto& [name, path] : out["written"].items()) {
                std::printf("wrote %s\n", path.get<std::string>().c_str());
            }
        } else if (tensors != nullptr) {
            Inputs shown;
            for (Buffer b : f_.buffer_params()) {
                if (analysis::stores_to(f_.body, b)) shown[b->name] = tensors->at(b->name);
            }
            std::printf("%s\n", verify::describe(shown).c_str());
        }
    }

    void print_machine(const json& told) const {
        if (told.contains("not_run")) {
            std::printf("%s: not run: %s\n", o_.target.c_str(),
                        told["not_run"].get<std::string>().c_str());
        } else if (told.contains("crash")) {
            std::fflush(stdout);  // in order
            std::fprintf(stderr, "%s: %s\n  hint: %s\n", label_.c_str(),
                         told["crash"].get<std::string>().c_str(),
                         told["hint"].get<std::string>().c_str());
        } else {
            const std::string message = told["message"].get<std::string>();
            std::printf("%s: %s\n", label_.c_str(),
                        message.empty() ? "finished" : ("stopped: " + message).c_str());
        }
    }

    std::string crash_text(const backend::Crash& crash) const {
        return crash.text + ", on " +
               (o_.random ? "the input of seed " + std::to_string(o_.seed) : "the input given");
    }
    std::string crash_hint() const {
        if (o_.engine == "both") return "the interpreter sees no fault in it: please report it";
        const std::string fault = "`--engine interp` says which fault it is and where";
        return o_.guarded || checked_ ? fault
                                      : "`--guarded` names the access or the division; " + fault;
    }

    const char* machine() const { return on_gpu_ ? "gpu" : "cpu"; }  // a key of the report

    const RunOptions& o_;
    bool on_gpu_ = false;
    bool checked_ = false;  // the code is guarded, since a store is not proved to be in bounds
    std::string label_;     // where compiled code ran
    Context ctx_;
    Function f_;
    std::vector<std::string> notes_;  // about the program as it was read
    Inputs inputs_;
};

}  // namespace

int run_run(const RunOptions& options) {
    try {
        return Run(options).run();
    } catch (const std::bad_alloc&) {
        return limit_met(
            error("out of memory", "smaller sizes; `--max-cells N` refuses larger ones"),
            options.json);
    }
}

}  // namespace proviso::tools
