#include "fuzz/gen/graphs/graphs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "rewrite/graph/decision.h"

namespace proviso::fuzz {

using namespace rewrite;

namespace {

constexpr std::size_t kMostTried = 3;  // variants of an operator beside the one as it is

using Shape = std::vector<std::int64_t>;

struct GraphTensor {
    std::string name;
    Shape shape;
};

std::string shape_text(const Shape& shape, const char* cast) {
    std::string out;
    for (const std::int64_t extent : shape) {
        out += fmt::format(fmt::runtime(cast), extent);
        out += shape.size() == 1 || &extent != &shape.back() ? ", " : "";
    }
    return "(" + out + ")";
}

std::string buffer_text(const std::string& name, const Shape& shape) {
    return fmt::format("{}: T.Buffer({}, \"float32\")", name, shape_text(shape, "T.int64({})"));
}

std::string relax_text(const Shape& shape) {
    return fmt::format("R.Tensor({}, dtype=\"float32\")", shape_text(shape, "{}"));
}

// The text of a network: operators, each once, and the calls of them.
class GraphWriter {
  public:
    explicit GraphWriter(Choice& choice) : choice_(choice) {}

    std::string run() {
        const Shape first = choice_.chance(80) ? Shape{extent(), extent()} : Shape{extent()};
        parameters_.push_back({"x", first});
        tensors_ = parameters_;
        const std::int64_t count = choice_.between(2, 12);
        for (std::int64_t k = 0; k < count; ++k) call();
        std::string params;
        for (const GraphTensor& p : parameters_) {
            params += (params.empty() ? "" : ", ") + p.name + ": " + relax_text(p.shape);
        }
        return "@I.ir_module\nclass Net:\n" + operators_ + "    @R.function\n    def net(" +
               params + ") -> " + relax_text(tensors_.back().shape) +
               ":\n        cls = Net\n        with R.dataflow():\n" + calls_ +
               "            R.output(" + tensors_.back().name + ")\n        return " +
               tensors_.back().name + "\n";
    }

  private:
    std::int64_t extent() { return choice_.between(2, 11); }

    // What the next operator reads: mostly what the last one has written.
    GraphTensor read() { return choice_.chance(75) ? tensors_.back() : choice_.pick(tensors_); }

    GraphTensor weight(const Shape& shape) {
        GraphTensor out{fmt::format("w{}", parameters_.size()), shape};
        parameters_.push_back(out);
        return out;
    }

    void call() {
        const GraphTensor x = read();
        const bool rows = x.shape.size() == 2;
        switch (choice_.between(rows ? 0 : 2, 6)) {
            case 0: return dense(x);
            case 1: return row_sum(x);
            case 2: return cells("relu", {x}, "T.max({0}, T.float32(0.0))");
            case 3: return cells("affine", {x}, "{0} * T.float32(2.0) + T.float32(1.0)");
            case 4: return cells("invert", {x}, "T.float32(1.0) / {0}");
            case 5: return cells("add", {x, other(x)}, "{0} + {1}");
            default: return bias(x);
        }
    }

    // One of the same shape, perhaps the same one.
    GraphTensor other(const GraphTensor& x) {
        std::vector<GraphTensor> all;
        for (const GraphTensor& t : tensors_) {
            if (t.shape == x.shape) all.push_back(t);
        }
        return choice_.chance(25) ? weight(x.shape) : choice_.pick(all);
    }

    static std::string indices(std::size_t rank) { return rank == 2 ? "vi, vj" : "vi"; }

    void cells(const std::string& what, const std::vector<GraphTensor>& read, const char* value) {
        const Shape& shape = read[0].shape;
        std::vector<std::string> loads;
        for (std::size_t k = 0; k < read.size(); ++k) {
            loads.push_back(fmt::format("x{}[{}]", k, indices(shape.size())));
        }
        const std::string stored = loads.size() == 2
                                       ? fmt::format(fmt::runtime(value), loads[0], loads[1])
                                       : fmt::format(fmt::runtime(value), loads[0]);
        add(what, read, shape, loop(shape, shape.size() == 2 ? "SS" : "S"),
            fmt::format("                y[{}] = {}\n", indices(shape.size()), stored));
    }

    void bias(const GraphTensor& x) {
        const std::size_t rank = x.shape.size();
        const GraphTensor b = weight({x.shape.back()});
        add("bias", {x, b}, x.shape, loop(x.shape, rank == 2 ? "SS" : "S"),
            fmt::format("                y[{0}] = x0[{0}] + x1[{1}]\n", indices(rank),
                        rank == 2 ? "vj" : "vi"));
    }

    void dense(const GraphTensor& x) {
        const std::int64_t columns = extent();
        const GraphTensor w = weight({columns, x.shape[1]});
        add("dense", {x, w}, {x.shape[0], columns}, loop({x.shape[0], columns, x.shape[1]}, "SSR"),
            "                with T.init():\n"
            "                    y[vi, vj] = T.float32(0.0)\n"
            "                y[vi, vj] = y[vi, vj] + x0[vi, vk] * x1[vj, vk]\n");
    }

    void row_sum(const GraphTensor& x) {
        add("row_sum", {x}, {x.shape[0]}, loop(x.shape, "SR"),
            "                with T.init():\n"
            "                    y[vi] = T.float32(0.0)\n"
            "                y[vi] = y[vi] + x0[vi, vj]\n");
    }

    static std::string loop(const Shape& extents, const std::string& kinds) {
        static const std::vector<std::string> names = {"i", "j", "k"};
        std::vector<std::string> loops(names.begin(),
                                       names.begin() + static_cast<std::ptrdiff_t>(kinds.size()));
        std::vector<std::string> counts;
        for (const std::int64_t extent : extents)
            counts.push_back(fmt::format("T.int64({})", extent));
        std::vector<std::string> iterators;
        for (const std::string& name : loops) iterators.push_back("v" + name);
        return fmt::format(
            "        for {} in T.grid({}):\n            with T.block(\"NAME\"):\n"
            "                {} = T.axis.remap(\"{}\", [{}])\n",
            fmt::join(loops, ", "), fmt::join(counts, ", "), fmt::join(iterators, ", "), kinds,
            fmt::join(loops, ", "));
    }

    void add(const std::string& what, const std::vector<GraphTensor>& read, const Shape& shape,
             const std::string& head, const std::string& body) {
        std::string name = what;
        std::string params;
        std::string given;
        for (std::size_t k = 0; k < read.size(); ++k) {
            name += fmt::format("_{}", fmt::join(read[k].shape, "_"));
            params += buffer_text(fmt::format("x{}", k), read[k].shape) + ", ";
            given += read[k].name + (read.size() == 1 || k + 1 < read.size() ? ", " : "");
        }
        name += fmt::format("_{}", fmt::join(shape, "_"));
        if (made_.insert(name).second) {
            std::string loops = head;
            loops.replace(loops.find("NAME"), 4, what);
            operators_ += "    @T.prim_func(private=True)\n    def " + name + "(" + params +
                          buffer_text("y", shape) + "):\n" + loops + body + "\n";
        }
        const GraphTensor out{fmt::format("t{}", tensors_.size()), shape};
        calls_ += fmt::format("            {} = R.call_tir(cls.{}, ({}), out_sinfo={})\n", out.name,
                              name, given, relax_text(shape));
        tensors_.push_back(out);
    }

    Choice& choice_;
    std::vector<GraphTensor> parameters_;
    std::vector<GraphTensor> tensors_;
    std::set<std::string> made_;
    std::string operators_;
    std::string calls_;
};

// Some of an operator's variants, of which the prover takes each alone.
std::vector<Variant> some_variants(const Network::Kind& kind, const OperatorShape& shape,
                                   Choice& choice, analysis::Prover& prover) {
    static const std::vector<LayoutTemplate> templates = [] {
        std::vector<LayoutTemplate> out;
        for (const LayoutTemplate& t : layout_templates()) {
            if (!t.image) out.push_back(t);
        }
        return out;
    }();
    std::vector<Variant> all = variants_of(kind, shape, templates);
    std::vector<Variant> out = {all.front()};
    all.erase(all.begin());
    const auto explain = [](const ScheduleReport& done, const ir::Function&, Variant& told) {
        told.refused = done.refusal->diagnostic.message;
    };
    for (std::size_t k = 0; k < kMostTried && !all.empty(); ++k) {
        const auto at = static_cast<std::size_t>(choice.next() % all.size());
        Variant one = all[at];
        all.erase(all.begin() + static_cast<std::ptrdiff_t>(at));
        try_variant(kind, shape, prover, explain, one);
        if (one.refused.empty()) out.push_back(std::move(one));
    }
    return out;
}

// Which variants an operator may do with: one at least.
void demand(const Network& network, Choice& choice, GraphChoices& choices) {
    for (std::size_t o = 0; o < network.operators.size(); ++o) {
        const std::size_t count = choices.variants[network.operators[o].kind].size();
        const auto kept = static_cast<std::size_t>(choice.next() % count);
        for (std::size_t k = 0; k < count; ++k) {
            if (k != kept && choice.chance(60)) choices.not_here.insert({o, k});
        }
    }
    for (std::size_t t = 0; t < network.tensors.size(); ++t) {
        const Network::Tensor& tensor = network.tensors[t];
        if (tensor.parameter && !tensor.output && choice.chance(50)) choices.repacked.insert(t);
    }
}

std::size_t cancelled_in(const Network& network, const Decision& decision) {
    std::size_t out = 0;
    for (std::size_t t = 0; t < network.tensors.size(); ++t) {
        const Network::Tensor& tensor = network.tensors[t];
        if (tensor.writers.empty() || decision.layout[t].map.empty()) continue;
        std::set<std::size_t> as_written(tensor.readers.begin(), tensor.readers.end());
        for (const Conversion& c : decision.conversions) {
            if (c.tensor != t) continue;
            for (const std::size_t reader : c.readers) as_written.erase(reader);
        }
        out += as_written.empty() ? 0 : 1;
    }
    return out;
}

}  // namespace

GeneratedGraph generate_graph(ir::Context& ctx, Choice& choice, analysis::Prover& prover) {
    GeneratedGraph out;
    out.text = GraphWriter(choice).run();
    const Result<Network> network = read_network(ctx, out.text, "graph.py", "");
    PROVISO_CHECK(network.ok(), "a generated network is not read");
    out.pair.program.function = network->whole;
    out.pair.program.features = {"graph"};
    out.operators = network->operators.size();
    GraphChoices choices;
    for (const Network::Kind& kind : network->kinds) {
        choices.shapes.push_back(shape_of(kind));
        choices.variants.push_back(some_variants(kind, choices.shapes.back(), choice, prover));
    }
    demand(*network, choice, choices);
    const Result<Decision> decision = decide(*network, choices, Costs());
    PROVISO_CHECK(decision.ok(), "a generated network has no decision");
    out.pair.schedule = schedule_of(*network, choices, *decision).text;
    out.conversions = decision->conversions.size();
    out.cancelled = cancelled_in(*network, *decision);
    if (out.conversions > 0) out.pair.program.features.push_back("conversion");
    if (out.cancelled > 0) out.pair.program.features.push_back("no conversion");
    return out;
}

}  // namespace proviso::fuzz
