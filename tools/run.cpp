// proviso run: a program on .npy files, by the interpreter, as machine code, or both.
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "analysis/path.h"
#include "backend/cpu/backend.h"
#include "backend/cpu/no_wrap.h"
#include "backend/tensor.h"
#include "ir/interp/npy.h"
#include "rewrite/passes/passes.h"
#include "tools/commands.h"
#include "tools/program.h"
#include "tools/run_gpu.h"
#include "tools/support.h"
#include "verify/harness/inputs.h"

namespace proviso::tools {

using namespace ir;
using nlohmann::json;

namespace {

class Run {
  public:
    explicit Run(const RunOptions& o) : o_(o) {}

    int run() {
        const Result<Function> f = load_function(ctx_, o_.program, o_.function);
        if (!f) return bad_input(f.error(), o_.json);
        f_ = *f;
        on_gpu_ = o_.target != "cpu";
        if (on_gpu_) {
            const auto target = backend::gpu::find_target(o_.target);
            if (!target) return bad_input(target.error(), o_.json);
        }
        if (const Status ok = gather(); !ok) return bad_input(ok.error(), o_.json);
        std::optional<Outcome> interpreted;
        if (o_.engine != "cpu" || on_gpu_) {
            Result<Outcome> outcome = ir::run(f_, inputs_);
            if (!outcome) return bad_input(outcome.error(), o_.json);
            interpreted = *std::move(outcome);
        }
        std::optional<backend::TensorRun> compiled;
        if (o_.engine != "interp") {
            Result<GpuRun> outcome = on_gpu_ ? gpu_code() : machine_code();
            if (!outcome) return bad_input(outcome.error(), o_.json);
            if (outcome->wrong) return wrong_on_device(*outcome->wrong);
            label_ = outcome->label;
            compiled = std::move(outcome->run);
        }
        return report(interpreted, compiled);
    }

  private:
    // What is given, then what is only written (zeros), then what may be made up.
    Status gather() {
        for (const std::string& argument : o_.inputs) {
            const auto pair = key_value(argument);
            if (!pair) return pair.error();
            Buffer b = f_.find_buffer_param(pair->first);
            if (b == nullptr) return error("no buffer parameter '" + pair->first + "'");
            Result<Tensor> tensor = read_npy(pair->second, b->type);
            if (!tensor) return tensor.error();
            inputs_[pair->first] = *std::move(tensor);
        }
        const Result<Substitution> scalars = scalar_arguments(ctx_, f_, o_.scalars);
        if (!scalars) return scalars.error();
        for (const auto& [var, value] : *scalars) inputs_[*var->name] = *constant_value(value);
        verify::InputOptions options;
        options.fixed = *scalars;
        const Result<Inputs> logical = verify::random_inputs(ctx_, f_, o_.seed, options);
        if (!logical) return logical.error();
        // Through the program's layouts, with the padding that its contract promises.
        const Result<Inputs> made_up = verify::physical_inputs(ctx_, f_, *logical);
        if (!made_up) return made_up.error();
        for (const auto& [name, value] : *made_up) {
            if (inputs_.count(name) != 0) continue;
            const Buffer b = f_.find_buffer_param(name);
            const bool output = b != nullptr && analysis::stores_to(f_.body, b);
            if (!o_.random && !output) {
                return error("no value for parameter '" + name + "'",
                             b != nullptr ? "--in " + name + "=FILE.npy, or --random"
                                          : "--set " + name + "=VALUE");
            }
            inputs_[name] = value;
            if (output && !o_.random) {
                const Tensor& like = std::get<Tensor>(value);
                inputs_[name] =
                    Tensor::of(like.type, like.shape, std::vector<double>(like.size(), 0.0));
            }
        }
        return Unit{};
    }

    Result<GpuRun> gpu_code() { return run_on_gpu(ctx_, f_, o_.target, inputs_, o_.seed); }

    // Refused, or seen to go wrong: no results.
    int wrong_on_device(const std::string& what) const {
        if (o_.json) print_json({{"function", f_.name}, {"target", o_.target}, {"wrong", what}});
        std::fprintf(stderr, "%s: %s\n", o_.target.c_str(), what.c_str());
        return kRefuted;
    }

    Result<GpuRun> machine_code() {
        Result<rewrite::Derivation> d = rewrite::Derivation::start(ctx_, f_);
        if (!d) return d.error();
        analysis::Prover prover(ctx_, {});
        rewrite::Proposer proposer(*d, prover);
        rewrite::lower(proposer);
        backend::CpuOptions options;
        options.no_signed_wrap = backend::proved_no_wrap(*d, prover);
        const Result<backend::CpuModule> module = backend::compile({*d}, options);
        if (!module) return module.error();
        Result<backend::TensorRun> run =
            backend::run_on_tensors(*module, d->current(), inputs_, o_.seed);
        if (!run) return run.error();
        return GpuRun{std::nullopt, *std::move(run), "cpu"};
    }

    int report(const std::optional<Outcome>& interpreted,
               const std::optional<backend::TensorRun>& compiled) {
        json out = {{"function", f_.name}, {"engine", o_.engine}};
        int code = kFine;
        const Tensors* tensors = nullptr;
        if (compiled) {
            out[machine()] = {{"code", compiled->outcome.code},
                              {"message", compiled->outcome.message}};
            if (on_gpu_) out["device"] = label_;
            tensors = &compiled->tensors;
            if (compiled->outcome.code != 0) code = kRefuted;
        }
        if (interpreted) {
            out["interpreter"] = describe(*interpreted);
            if (const Finished* done = std::get_if<Finished>(&*interpreted)) {
                if (tensors == nullptr) tensors = &done->tensors;
            } else {
                code = kRefuted;
            }
        }
        const bool faulted = interpreted && std::holds_alternative<Faulted>(*interpreted);
        if (faulted && compiled) {
            out["difference"] = "nothing to compare: a program that faults may do anything";
        } else if (interpreted && compiled) {
            const auto difference = backend::run_difference(f_, *interpreted, *compiled);
            out["equal"] = !difference.has_value();
            if (difference) {
                out["difference"] = *difference;
                code = kRefuted;
            }
        }
        if (tensors != nullptr) {
            const Status ok = write_outputs(*tensors, out);
            if (!ok) return bad_input(ok.error(), o_.json);
        }
        if (o_.json) {
            if (tensors != nullptr) out["outputs"] = outputs_json(*tensors);
            print_json(out);
        } else {
            print(out, tensors);
        }
        return code;
    }

    Status write_outputs(const Tensors& tensors, json& out) {
        if (o_.out.empty()) return Unit{};
        std::error_code code;
        std::filesystem::create_directories(o_.out, code);
        for (Buffer b : f_.buffer_params()) {
            if (!analysis::stores_to(f_.body, b)) continue;
            const std::string path = (std::filesystem::path(o_.out) / (b->name + ".npy")).string();
            const Status ok = write_npy(path, tensors.at(b->name));
            if (!ok) return ok;
            out["written"][b->name] = path;
        }
        return Unit{};
    }

    // What was stored to, as text in row-major order, so that NaN and -0.0 survive; null for a cell
    // that may not be touched.
    json outputs_json(const Tensors& tensors) const {
        json all = json::object();
        for (Buffer b : f_.buffer_params()) {
            if (!analysis::stores_to(f_.body, b)) continue;
            const Tensor& t = tensors.at(b->name);
            json values = json::array();
            for (std::size_t k = 0; k < t.size(); ++k) {
                if (t.states[k] == CellState::Inaccessible) {
                    values.push_back(nullptr);
                } else {
                    values.push_back(t.at(k).str(t.type));
                }
            }
            all[b->name] = {{"dtype", t.type.str()}, {"shape", t.shape}, {"values", values}};
        }
        return all;
    }

    void print(const json& out, const Tensors* tensors) const {
        if (out.contains("interpreter"))
            std::printf("interpreter: %s\n", out["interpreter"].get<std::string>().c_str());
        if (out.contains(machine())) {
            const std::string message = out[machine()]["message"].get<std::string>();
            std::printf("%s: %s\n", label_.c_str(),
                        message.empty() ? "finished" : ("stopped: " + message).c_str());
        }
        if (out.contains("equal")) {
            const bool equal = out["equal"].get<bool>();
            std::printf(
                "interpreter and %s: %s\n", on_gpu_ ? o_.target.c_str() : "cpu",
                equal ? "equal, bit for bit" : out["difference"].get<std::string>().c_str());
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

    const char* machine() const { return on_gpu_ ? "gpu" : "cpu"; }  // a key of the report

    const RunOptions& o_;
    bool on_gpu_ = false;
    std::string label_;  // where compiled code ran
    Context ctx_;
    Function f_;
    Inputs inputs_;
};

}  // namespace

int run_run(const RunOptions& options) {
    return Run(options).run();
}

}  // namespace proviso::tools
