#include "rewrite/graph/network.h"

#include <algorithm>
#include <map>
#include <set>

#include "ir/children.h"
#include "ir/text.h"
#include "ir/text/reader/graph/call_list.h"
#include "ir/text/reader/graph/graph_function.h"
#include "ir/text/spelling.h"

namespace proviso::rewrite {

using ir::GraphCall;

namespace {

std::vector<std::string> blocks_of(ir::Stmt body) {
    std::vector<std::string> out;
    ir::for_each_stmt(body, [&](ir::Stmt s) {
        if (const auto* block = s->as<ir::Block>()) out.push_back(block->name);
    });
    return out;
}

Network::Kind kind_of(const ir::Function& f) {
    Network::Kind out;
    out.function = f;
    ir::Function unnamed = f;
    unnamed.name = "operator";
    out.hash = ir::content_hash(unnamed);
    out.blocks = blocks_of(f.body);
    std::set<ir::Buffer> stored;
    std::set<ir::Buffer> loaded;
    ir::for_each_stmt(f.body, [&](ir::Stmt s) {
        if (const auto* store = s->as<ir::Store>()) stored.insert(store->buffer);
    });
    ir::for_each_expr(f.body, [&](ir::Expr e) {
        for (ir::Buffer b : ir::loaded_buffers(e)) loaded.insert(b);
    });
    for (ir::Buffer b : f.buffer_params()) {
        out.stored.push_back(stored.count(b) != 0);
        out.loaded.push_back(loaded.count(b) != 0);
    }
    return out;
}

class NetworkReader {
  public:
    NetworkReader(const ir::ProgramFile& program, const std::string& file)
        : program_(program), file_(file) {}

    Result<Network> run(const ir::Function& whole, const std::vector<GraphCall>& calls) {
        out_.whole = whole;
        if (calls.size() > kMostOperators) {
            return error(whole.name + " has " + std::to_string(calls.size()) +
                             " operators: more than the limit, " + std::to_string(kMostOperators),
                         "divide it into graphs, and lower each");
        }
        add_tensors();
        names_ = blocks_of(whole.body);
        for (const GraphCall& call : calls) {
            if (const Status ok = add(call); !ok) return ok.error();
        }
        if (next_ != names_.size()) return mismatch(whole.name);
        drop_inner();
        return std::move(out_);
    }

  private:
    void add_tensors() {
        const ir::Function& f = out_.whole;
        std::size_t inputs = f.params.size();
        const auto given = f.attrs.find("num_input");
        if (given != f.attrs.end()) {
            if (const auto* n = std::get_if<std::int64_t>(&given->second.value)) {
                inputs = static_cast<std::size_t>(std::max<std::int64_t>(*n, 0));
            }
        }
        for (std::size_t k = 0; k < f.params.size(); ++k) {
            const auto* b = std::get_if<ir::Buffer>(&f.params[k]);
            if (b != nullptr) add_tensor(*b, true, k >= inputs);
        }
        ir::for_each_stmt(f.body, [&](ir::Stmt s) {
            if (const auto* a = s->as<ir::Allocate>()) add_tensor(a->buffer, false, false);
        });
    }

    void add_tensor(ir::Buffer b, bool parameter, bool weight) {
        Network::Tensor t;
        t.buffer = b;
        t.parameter = parameter;
        t.weight = weight;
        by_name_.emplace(b->name, out_.tensors.size());
        out_.tensors.push_back(t);
    }

    // Memory that an operator has for itself is no tensor of the graph.
    void drop_inner() {
        std::vector<std::size_t> number;
        std::vector<Network::Tensor> kept;
        for (Network::Tensor& t : out_.tensors) {
            number.push_back(kept.size());
            if (t.parameter || !t.readers.empty() || !t.writers.empty()) {
                kept.push_back(std::move(t));
            }
        }
        out_.tensors = std::move(kept);
        for (Network::Operator& op : out_.operators) {
            for (std::size_t& t : op.tensors) t = number[t];
        }
    }

    Diagnostic mismatch(const std::string& where) const {
        Diagnostic d = error("the blocks of " + where + " are not those of what it calls",
                             "an operator is one function over loops, which calls no other one");
        d.file = file_;
        return d;
    }

    Status add(const GraphCall& call) {
        const ir::Function* callee = program_.module.find(call.callee);
        if (callee == nullptr) return mismatch(call.callee);
        Network::Operator op;
        op.name = call.callee;
        op.line = call.line;
        op.kind = kind(*callee);
        Network::Kind& kind = out_.kinds[op.kind];
        ++kind.calls;
        for (const std::string& block : kind.blocks) {
            if (next_ == names_.size() || names_[next_].rfind(block, 0) != 0) {
                return mismatch(call.callee);
            }
            op.blocks.push_back(names_[next_++]);
        }
        const std::size_t me = out_.operators.size();
        std::size_t argument = 0;
        std::size_t place = 0;
        for (const ir::Param& p : callee->params) {
            const std::string name =
                argument < call.arguments.size() ? call.arguments[argument] : "";
            ++argument;
            if (!std::holds_alternative<ir::Buffer>(p)) continue;
            const auto found = by_name_.find(name);
            if (found == by_name_.end()) return mismatch(call.callee);
            Network::Tensor& t = out_.tensors[found->second];
            op.tensors.push_back(found->second);
            if (kind.stored[place]) {
                t.updated = t.updated || !t.writers.empty() || !t.readers.empty();
                t.writers.push_back(me);
                if (t.parameter) t.output = true;
            } else {
                t.readers.push_back(me);
            }
            ++place;
        }
        out_.operators.push_back(std::move(op));
        return Unit{};
    }

    std::size_t kind(const ir::Function& callee) {
        const auto known = kinds_.find(callee.name);
        if (known != kinds_.end()) return known->second;
        Network::Kind k = kind_of(callee);
        std::size_t at = 0;
        while (at < out_.kinds.size() && out_.kinds[at].hash != k.hash) ++at;
        if (at == out_.kinds.size()) out_.kinds.push_back(std::move(k));
        kinds_.emplace(callee.name, at);
        return at;
    }

    const ir::ProgramFile& program_;
    const std::string& file_;
    Network out_;
    std::vector<std::string> names_;  // of the whole's blocks
    std::size_t next_ = 0;
    std::map<std::string, std::size_t> by_name_;  // tensors
    std::map<std::string, std::size_t> kinds_;    // by the name of the function
};

}  // namespace

std::size_t Network::find(const std::string& tensor) const {
    std::size_t k = 0;
    while (k < tensors.size() && tensors[k].buffer->name != tensor) ++k;
    return k;
}

Result<Network> read_network(ir::Context& ctx, std::string_view text, const std::string& file,
                             const std::string& name) {
    const Result<ir::ProgramFile> program = ir::parse_program(ctx, text, file);
    if (!program) return program.error();
    const std::vector<std::string> graphs = ir::graph_functions(text);
    std::string known;
    for (const std::string& g : graphs) known += (known.empty() ? "" : ", ") + g;
    if (graphs.empty()) {
        return error(file + " has no graph",
                     "a graph is a function marked @R.function, which calls functions over loops "
                     "by R.call_tir; `proviso lower` takes a single function");
    }
    if (name.empty() && graphs.size() > 1) {
        return error(file + " holds several graphs", "name one with --function: " + known);
    }
    const std::string wanted = name.empty() ? graphs[0] : name;
    if (std::find(graphs.begin(), graphs.end(), wanted) == graphs.end()) {
        return error(file + " has no graph '" + wanted + "'",
                     ir::suggest(wanted, graphs, "there are: " + known));
    }
    for (const ir::OpaqueFunction& f : program->opaque) {
        if (f.name == wanted) return ir::refusal(f);
    }
    const Result<ir::GraphCalls> calls = ir::calls_of_graph(text, file, wanted);
    if (!calls) return calls.error();
    Result<Network> out =
        NetworkReader(*program, file).run(*program->module.find(wanted), calls->calls);
    if (out) out->copies = calls->nests;
    return out;
}

}  // namespace proviso::rewrite
