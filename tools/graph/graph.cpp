// proviso graph: layouts for a whole network, chosen at once.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "analysis/prover/prover.h"
#include "ir/c_names.h"
#include "ir/text.h"
#include "ir/text/spelling.h"
#include "rewrite/graph/costs.h"
#include "tools/graph/commands.h"
#include "tools/graph/measure.h"
#include "tools/graph/picture.h"
#include "tools/graph/report.h"
#include "tools/lower_outputs.h"
#include "tools/program.h"
#include "tools/support/explain.h"
#include "tools/support/write_file.h"

namespace proviso::tools {

using namespace rewrite;
using nlohmann::json;

namespace {

// Decisions that the whole graph may refuse, one variant or conversion each.
constexpr int kMostDecisions = 32;

class GraphDecision {
  public:
    explicit GraphDecision(const GraphCommand& options) : o_(options), lower_(options.lower) {}

    int run() {
        const auto start = std::chrono::steady_clock::now();
        if (const Status ok = prepare(); !ok) return bad_input(ok.error(), lower_.json);
        if (o_.list) {
            if (lower_.json) {
                print_json(network_json(network_));
            } else {
                std::fputs(network_text(network_).c_str(), stdout);
            }
            return kFine;
        }
        if (const Status ok = parameters(); !ok) return bad_input(ok.error(), lower_.json);
        analysis::ProverOptions options;
        options.cache_dir = cache_folder(lower_.cache);
        options.wall_limit_s = lower_.solver_seconds;
        options.memory_mib = lower_.solver_memory;
        options.effort = lower_.solver_effort;
        analysis::Prover prover(ctx_, options);
        variants(prover);
        if (const Status ok = measure(prover); !ok) return bad_input(ok.error(), lower_.json);
        if (const Status ok = choose(prover); !ok) return bad_input(ok.error(), lower_.json);
        result_.seconds =
            std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        if (writes_) {
            Status ok = write_file(lower_.schedule, decided_by() + result_.schedule);
            if (ok && draws_) ok = write_file(svg_, graph_svg(network_, result_));
            if (ok && draws_) ok = write_file(html_, graph_page(network_, result_));
            if (!ok) return bad_input(ok.error(), lower_.json);
        }
        if (lower_.json) {
            print_json(decision_json(network_, result_));
        } else {
            tell();
        }
        if (!lowers_) return kFine;
        LowerOptions lower = lower_;
        lower.json = false;
        lower.quiet = lower.quiet || lower_.json;
        return run_lower(lower);
    }

  private:
    // Everything that can be wrong before any work.
    Status prepare() {
        for (const std::string& name : o_.templates) {
            if (const Status ok = add_template(name); !ok) return ok;
        }
        if (o_.templates.empty()) {
            for (const LayoutTemplate& t : layout_templates()) {
                if (t.usual) templates_.push_back(t);
            }
        }
        const Result<std::string> text = read_file(lower_.program);
        if (!text) return text.error();
        Result<Network> network = read_network(ctx_, *text, lower_.program, lower_.function);
        if (!network) return network.error();
        network_ = *std::move(network);
        lower_.function = network_.whole.name;
        if (!o_.costs.empty()) {
            const Result<std::string> costs = read_file(o_.costs);
            if (!costs) return costs.error();
            Result<CostFile> read = read_costs(*costs, o_.costs, network_);
            if (!read) return read.error();
            costs_ = Costs(*std::move(read));
            about_costs_ = "sha256:" + ir::sha256_hex(*costs);
        }
        return outputs();
    }

    Status add_template(const std::string& name) {
        const std::vector<LayoutTemplate>& all = layout_templates();
        std::vector<std::string> names;
        for (const LayoutTemplate& t : all) {
            names.push_back(t.name);
            if (t.name == name) templates_.push_back(t);
        }
        if (std::find(names.begin(), names.end(), name) != names.end()) return Unit{};
        return error("there is no template '" + name + "'",
                     ir::suggest(name, names, listed(names)));
    }

    Status outputs() {
        std::vector<std::string>& emit = lower_.emit;
        LowerOptions machine = lower_;
        machine.emit.clear();
        if (const auto known = target_of(machine); !known) return known.error();
        writes_ = !emit.empty() || !lower_.log.empty();
        emit.erase(std::remove(emit.begin(), emit.end(), "schedule"), emit.end());
        draws_ = std::erase(emit, "picture") > 0;
        lowers_ = !emit.empty() || !lower_.log.empty();
        if (!writes_) return may_write({{"--measure", o_.measure}}, {lower_.program}, "");
        if (lowers_ && emit.empty()) emit = {"ir"};
        const std::string symbol = ir::symbol_for(
            network_.whole.name, std::filesystem::path(lower_.program).stem().string());
        const std::string start = (std::filesystem::path(lower_.out) / symbol).string();
        lower_.schedule = start + ".sch.py";
        std::vector<OutputFile> files = {{"--emit schedule", lower_.schedule},
                                         {"--measure", o_.measure}};
        if (draws_) {
            svg_ = start + ".graph.svg";
            html_ = start + ".graph.html";
            files.insert(files.end(), {{"--emit picture", svg_}, {"--emit picture", html_}});
        }
        Status ok = may_write(files, {lower_.program, o_.costs}, lower_.log);
        if (!ok || !lowers_) return ok;
        const auto target = target_of(lower_);
        if (!target) return target.error();
        LowerOptions checked = lower_;
        checked.schedule.clear();
        const auto key = prepare_outputs(checked);
        return key ? Status(Unit{}) : Status(key.error());
    }

    // Parameters that the caller gives in any layout.
    Status parameters() {
        std::vector<std::string> names;
        for (std::size_t t = 0; t < network_.tensors.size(); ++t) {
            if (!network_.tensors[t].parameter) continue;
            names.push_back(network_.tensors[t].buffer->name);
            if (network_.tensors[t].weight && !network_.tensors[t].output) {
                result_.choices.repacked.insert(t);
            }
        }
        for (const std::string& name : o_.repack) {
            if (std::find(names.begin(), names.end(), name) == names.end()) {
                return error(
                    "--repack: " + network_.whole.name + " has no parameter '" + name + "'",
                    ir::suggest(name, names, listed(names)));
            }
            result_.choices.repacked.insert(network_.find(name));
        }
        for (const std::string& name : lower_.prepare) {
            if (const Status ok = add_prepared(name, names); !ok) return ok;
        }
        return Unit{};
    }

    // A weight that the caller passes as it is, and that is packed once.
    Status add_prepared(const std::string& name, const std::vector<std::string>& parameters) {
        if (std::find(parameters.begin(), parameters.end(), name) == parameters.end()) {
            return error("--prepare: " + network_.whole.name + " has no parameter '" + name + "'",
                         ir::suggest(name, parameters, listed(parameters)));
        }
        const std::size_t t = network_.find(name);
        if (network_.tensors[t].output) {
            return error("--prepare: " + name + " is updated by " + network_.whole.name,
                         "what is prepared once must stay the same in all runs");
        }
        if (std::find(o_.repack.begin(), o_.repack.end(), name) != o_.repack.end()) {
            return error("--prepare: " + name + " is repacked by the caller",
                         "name it with one of --prepare and --repack");
        }
        result_.choices.repacked.erase(t);
        result_.choices.prepared.insert(t);
        return Unit{};
    }

    void variants(analysis::Prover& prover) {
        const auto explain = [&](const ScheduleReport& done, const ir::Function& current,
                                 Variant& told) { told_refusal(done, current, told); };
        for (const Network::Kind& kind : network_.kinds) {
            result_.choices.shapes.push_back(shape_of(kind));
            const OperatorShape& shape = result_.choices.shapes.back();
            std::vector<Variant> all = variants_of(kind, shape, templates_);
            for (Variant& v : all) try_variant(kind, shape, prover, explain, v);
            if (!lower_.quiet && !lower_.json) {
                std::fprintf(stderr, "  %-40s %zu variants\n", kind.function.name.c_str(),
                             all.size());
            }
            result_.choices.variants.push_back(std::move(all));
        }
    }

    void told_refusal(const ScheduleReport& done, const ir::Function& current, Variant& told) {
        Diagnostic d = done.refusal->diagnostic;
        json out;
        if (done.refusal->rejection) {
            describe_rejection(ctx_, done.refused_in ? *done.refused_in : current,
                               *done.refusal->rejection, d, out);
        }
        told.refused = d.message;
        static const std::string replay = "replay by the interpreter: ";
        for (const std::string& note : d.notes) {
            if (note.rfind(replay, 0) != 0) continue;
            // The values of all cells are of no use here.
            const std::string seen = note.substr(replay.size());
            told.values.push_back(seen.substr(0, seen.find(" (with ")));
        }
    }

    Status measure(analysis::Prover& prover) {
        if (o_.measure.empty()) return Unit{};
        const bool tells = !lower_.quiet && !lower_.json;
        Measured all = measured(ctx_, network_, result_.choices, prover, lower_.cpu,
                                [&](const std::string& what) {
                                    if (tells)
                                        std::fprintf(stderr, "  measured %s\n", what.c_str());
                                });
        result_.untimed = std::move(all.untimed);
        const std::string text = costs_text(all.costs);
        costs_ = Costs(std::move(all.costs));
        about_costs_ = "sha256:" + ir::sha256_hex(text);
        return write_file(o_.measure, text);
    }

    // The cheapest choice that the whole graph takes.
    Status choose(analysis::Prover& prover) {
        result_.unit = costs_.unit();
        for (int round = 0; round < kMostDecisions; ++round) {
            Result<Decision> decision = decide(network_, result_.choices, costs_);
            if (!decision) return decision.error();
            result_.decision = *std::move(decision);
            const GraphSchedule schedule = schedule_of(network_, result_.choices, result_.decision);
            result_.schedule = schedule.text;
            Result<Derivation> derivation = Derivation::start(network_.whole, prover);
            if (!derivation) return derivation.error();
            Proposer proposer(*derivation, prover);
            const Result<ScheduleReport> done =
                run_schedule(proposer, schedule.text, network_.whole.name + ".sch.py");
            if (!done) return done.error();
            if (!done->refusal) {
                result_.steps = derivation->steps().size();
                for (const Step& s : derivation->steps()) {
                    result_.obligations += s.obligations.size();
                }
                return Unit{};
            }
            if (const Status ok = forbid(schedule, *done); !ok) return ok;
        }
        return error("the graph refused " + std::to_string(kMostDecisions) + " decisions",
                     "try fewer layouts: --templates NAME,…");
    }

    // What the refused call is about is no candidate at this place.
    Status forbid(const GraphSchedule& schedule, const ScheduleReport& done) {
        const auto line = static_cast<std::size_t>(std::max(done.refused_line, 1)) - 1;
        const std::string& why = done.refusal->diagnostic.message;
        if (line >= schedule.lines.size()) return done.refusal->diagnostic;
        const GraphSchedule::Line& about = schedule.lines[line];
        if (about.conversion) {
            const std::string& tensor = network_.tensors[about.tensor].buffer->name;
            // Readers that cannot share one copy have one each; after that, there is none.
            const bool fresh =
                result_.choices.unshared.insert(about.tensor).second ||
                result_.choices.no_conversion.insert({about.tensor, about.map}).second;
            if (!fresh) return done.refusal->diagnostic;
            result_.refused_in_graph.push_back("a conversion of " + tensor + ": " + why);
            return Unit{};
        }
        const std::size_t variant = result_.decision.variant[about.op];
        const Network::Operator& op = network_.operators[about.op];
        if (!result_.choices.not_here.insert({about.op, variant}).second) {
            return done.refusal->diagnostic;
        }
        result_.refused_in_graph.push_back(
            op.name + " as " + result_.choices.variants[op.kind][variant].name + ": " + why);
        return Unit{};
    }

    // What a schedule in a file, and so the proof log, says about the decision.
    std::string decided_by() const {
        const std::string unit = std::string(" ") + costs_.unit();
        return "# proviso graph: cost " + std::to_string(result_.decision.cost) + unit +
               ", lower bound " + std::to_string(result_.decision.bound) + unit +
               "\n# costs: " + (about_costs_.empty() ? "bytes that move" : about_costs_) + "\n";
    }

    void tell() const {
        std::fputs(network_text(network_).c_str(), stdout);
        std::fputs(decision_text(network_, result_, lower_.verbose).c_str(), stdout);
        if (!writes_) {
            std::printf("schedule:\n%s", result_.schedule.empty() ? "  (nothing to change)\n" : "");
            std::fputs(result_.schedule.c_str(), stdout);
        }
        if (lower_.quiet) return;
        std::fprintf(stderr, "PROVED: the schedule of %s in %zu steps, %zu obligations, %.2f s\n",
                     network_.whole.name.c_str(), result_.steps, result_.obligations,
                     result_.seconds);
        if (writes_) std::fprintf(stderr, "  wrote %s\n", lower_.schedule.c_str());
        for (const std::string& file : {svg_, html_}) {
            if (!file.empty()) std::fprintf(stderr, "  wrote %s\n", file.c_str());
        }
    }

    const GraphCommand& o_;
    LowerOptions lower_;
    ir::Context ctx_;
    Network network_;
    std::vector<LayoutTemplate> templates_;
    Costs costs_;
    std::string about_costs_;  // the hash of their file; empty: bytes
    GraphResult result_;
    std::string svg_;  // files of pictures
    std::string html_;
    bool draws_ = false;
    bool writes_ = false;
    bool lowers_ = false;
};

}  // namespace

int run_graph(const GraphCommand& options) {
    return GraphDecision(options).run();
}

}  // namespace proviso::tools
