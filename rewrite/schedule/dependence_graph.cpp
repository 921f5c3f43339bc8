#include "rewrite/schedule/dependence_graph.h"

#include <boost/graph/graphviz.hpp>
#include <map>
#include <sstream>

#include "analysis/facts/facts.h"
#include "analysis/memory/access.h"
#include "ir/text.h"

namespace proviso::rewrite {

using namespace ir;
using namespace analysis;

namespace {

std::string first_line(Stmt s) {
    const std::string text = print(s);
    return text.substr(0, text.find('\n'));
}

class Builder {
  public:
    Builder(Prover& prover, const Function& f)
        : ctx_(prover.context()), prover_(prover), f_(f), accesses_(accesses(ctx_, f)) {}

    DependenceGraph run() {
        for (const auto& [site, stmt] : all_statements(f_)) {
            for (const Access& a : accesses_) {
                if (a.statement != site) continue;
                vertex_[site] = boost::add_vertex(DependenceNode{site, first_line(stmt)}, graph_);
                break;
            }
        }
        for (const Access& a : accesses_) {
            for (const Access& b : accesses_) {
                if (a.buffer == b.buffer && (a.is_store || b.is_store)) pair(a, b);
            }
        }
        return std::move(graph_);
    }

  private:
    // Edges from `a` to `b`: within one iteration, and carried by each loop around both.
    void pair(const Access& a, const Access& b) {
        std::vector<Expr> common;
        for (std::size_t k = 0; k < a.loops.size() && k < b.loops.size(); ++k) {
            if (a.loops[k] != b.loops[k]) break;
            common.push_back(a.loops[k]);
        }
        for (std::size_t depth = 0; depth <= common.size(); ++depth) {
            TakenNames names(ctx_, f_, {});
            Instance one = renamed(ctx_, a, names);
            Instance other = renamed(ctx_, b, names);
            for (std::size_t k = 0; k < depth; ++k) other.at[common[k]] = one.at[common[k]];
            const bool carried = depth < common.size();
            std::vector<Expr> facts = parameter_facts(ctx_, f_);
            for (Expr e : {one.may(ctx_), other.may(ctx_),
                           same_cell(ctx_, one.index(ctx_), other.index(ctx_))}) {
                facts.push_back(e);
            }
            if (carried) {
                facts.push_back(ctx_.lt(one.at[common[depth]], other.at[common[depth]]));
            } else {
                if (a.site == b.site) continue;
                facts.push_back(must_be_before(ctx_, one, other));
            }
            const Answer answer = prover_.prove(facts, ctx_.false_());
            if (answer.verdict == Verdict::Proved) continue;
            add(a, b, carried ? *common[depth]->name : "", answer.verdict == Verdict::Refuted);
        }
    }

    void add(const Access& a, const Access& b, const std::string& carried_by, bool certain) {
        DependenceEdge edge;
        edge.kind = !a.is_store  ? DependenceKind::Anti
                    : b.is_store ? DependenceKind::Output
                                 : DependenceKind::Flow;
        edge.buffer = a.buffer->name;
        edge.carried_by = carried_by;
        edge.certain = certain;
        const std::string key = a.statement.str() + " " + b.statement.str() + " " + edge.buffer +
                                " " + std::to_string(static_cast<int>(edge.kind)) + " " +
                                carried_by;
        if (!seen_.insert(key).second) return;
        boost::add_edge(vertex_.at(a.statement), vertex_.at(b.statement), edge, graph_);
    }

    Context& ctx_;
    Prover& prover_;
    const Function& f_;
    std::vector<Access> accesses_;
    DependenceGraph graph_;
    std::map<Site, DependenceGraph::vertex_descriptor> vertex_;
    std::set<std::string> seen_;
};

const char* kind_name(DependenceKind kind) {
    switch (kind) {
        case DependenceKind::Flow: return "flow";
        case DependenceKind::Anti: return "anti";
        case DependenceKind::Output: return "output";
    }
    return "";
}

std::string quoted(const std::string& text) {
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') out += '\\';
        out += c;
    }
    return out + "\"";
}

}  // namespace

DependenceGraph dependence_graph(Prover& prover, const Function& f) {
    return Builder(prover, f).run();
}

std::string dependence_dot(const DependenceGraph& graph) {
    std::ostringstream out;
    boost::write_graphviz(
        out, graph,
        [&](std::ostream& to, DependenceGraph::vertex_descriptor v) {
            to << "[shape=box, label=" << quoted(graph[v].statement.str() + ": " + graph[v].text)
               << "]";
        },
        [&](std::ostream& to, const DependenceGraph::edge_descriptor& e) {
            const DependenceEdge& edge = graph[e];
            std::string label = std::string(kind_name(edge.kind)) + " " + edge.buffer;
            if (!edge.carried_by.empty()) label += ", by " + edge.carried_by;
            to << "[label=" << quoted(label) << (edge.certain ? "" : ", style=dashed") << "]";
        });
    return out.str();
}

}  // namespace proviso::rewrite
