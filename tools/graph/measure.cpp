#include "tools/graph/measure.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "ir/text.h"
#include "tools/support/kernel_time.h"

namespace proviso::tools {

using namespace rewrite;

namespace {

// A copy of a tensor of this type.
std::string copy_program(ir::Buffer b, const std::vector<std::int64_t>& shape) {
    std::string extents;
    std::string loops;
    std::string cell;
    for (std::size_t d = 0; d < shape.size(); ++d) {
        const std::string comma = d == 0 ? "" : ", ";
        extents += comma + "T.int64(" + std::to_string(shape[d]) + ")";
        loops += comma + "i" + std::to_string(d);
        cell += comma + "v" + std::to_string(d);
    }
    const std::string type = "T.Buffer((" + extents + ",), \"" + b->type.str() + "\")";
    std::string out = "@T.prim_func\ndef copy(x: " + type + ", y: " + type + "):\n";
    std::string indent = "    ";
    for (std::size_t d = 0; d < shape.size(); ++d) {
        out += indent + "for i" + std::to_string(d) + " in range(T.int64(" +
               std::to_string(shape[d]) + ")):\n";
        indent += "    ";
    }
    out += indent + "with T.block(\"copy\"):\n";
    indent += "    ";
    for (std::size_t d = 0; d < shape.size(); ++d) {
        const std::string k = std::to_string(d);
        out += indent + "v" + k + " = T.axis.spatial(T.int64(" + std::to_string(shape[d]) + "), i" +
               k + ")\n";
    }
    return out + indent + "y[" + cell + "] = x[" + cell + "]\n";
}

class Measurement {
  public:
    Measurement(ir::Context& ctx, const Network& n, const GraphChoices& c, analysis::Prover& prover,
                const std::string& cpu)
        : ctx_(ctx), n_(n), c_(c), prover_(prover), cpu_(cpu) {}

    Measured run(const std::function<void(const std::string& what)>& progress) {
        for (std::size_t k = 0; k < n_.kinds.size(); ++k) {
            const std::string& name = n_.kinds[k].function.name;
            for (const Variant& v : c_.variants[k]) {
                if (!v.refused.empty()) continue;
                time(n_.kinds[k].function, schedule_of_variant(n_.kinds[k], c_.shapes[k], v),
                     out_.costs.operators[name], name, v.name);
            }
            progress(name);
        }
        for (std::size_t t = 0; t < n_.tensors.size(); ++t) conversions(t);
        progress("conversions");
        return std::move(out_);
    }

  private:
    void time(const ir::Function& f, const std::string& schedule,
              std::map<std::string, std::int64_t>& costs, const std::string& what,
              const std::string& entry) {
        const Result<KernelTime> took = kernel_time(f, schedule, prover_, cpu_);
        if (took) {
            costs[entry] = took->fastest;
        } else {
            out_.untimed.push_back(what + ", " + entry + ": " + took.error().message);
        }
    }

    // The layouts that candidates of these operators have for the tensor.
    void add_layouts(std::size_t t, const std::vector<std::size_t>& operators, bool stored,
                     std::vector<GraphLayout>& out) const {
        for (const std::size_t o : operators) {
            const Network::Operator& op = n_.operators[o];
            for (std::size_t p = 0; p < op.tensors.size(); ++p) {
                if (op.tensors[p] != t || n_.kinds[op.kind].stored[p] != stored) continue;
                for (const Variant& v : c_.variants[op.kind]) {
                    const bool known = std::find(out.begin(), out.end(), v.layouts[p]) != out.end();
                    if (v.refused.empty() && !known) out.push_back(v.layouts[p]);
                }
            }
        }
    }

    void conversions(std::size_t t) {
        const Network::Tensor& tensor = n_.tensors[t];
        const auto shape = constant_shape(tensor.buffer);
        if (!shape || shape->empty() || tensor.updated) return;
        std::vector<GraphLayout> from = {as_is(tensor.buffer)};
        std::vector<GraphLayout> to = from;
        add_layouts(t, tensor.writers, true, from);
        add_layouts(t, tensor.readers, false, to);
        if (c_.repacked.count(t) != 0) from = to;  // the caller gives what a reader asks for
        const Result<ir::Function> copy =
            ir::parse_function(ctx_, copy_program(tensor.buffer, *shape), "copy");
        if (!copy) return;
        const std::string type = tensor_type(tensor.buffer);
        auto& costs = out_.costs.conversions[type];
        for (const GraphLayout& a : from) {
            for (const GraphLayout& b : to) {
                const std::string name = conversion_name(a, b);
                if (a.serves(b) || !tried_.insert(type + name).second) continue;
                time(*copy,
                     layout_call("\"copy\"", "\"x\"", a) + layout_call("\"copy\"", "\"y\"", b),
                     costs, type, name);
            }
        }
        if (costs.empty()) out_.costs.conversions.erase(type);
    }

    ir::Context& ctx_;
    const Network& n_;
    const GraphChoices& c_;
    analysis::Prover& prover_;
    const std::string& cpu_;
    std::set<std::string> tried_;  // conversions
    Measured out_;
};

}  // namespace

Measured measured(ir::Context& ctx, const Network& network, const GraphChoices& choices,
                  analysis::Prover& prover, const std::string& cpu,
                  const std::function<void(const std::string& what)>& progress) {
    return Measurement(ctx, network, choices, prover, cpu).run(progress);
}

std::string costs_text(const CostFile& costs) {
    const nlohmann::json out = {{"operators", costs.operators}, {"conversions", costs.conversions}};
    return out.dump(1) + "\n";
}

}  // namespace proviso::tools
