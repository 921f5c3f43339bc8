// The dependences of a function as a graph (Boost.Graph): which statements may not change their
// order, because they touch one cell and one of them writes it. Each edge is decided by the prover,
// not by the shapes of index maps; what it cannot decide stays, marked.
#pragma once

#include <boost/graph/adjacency_list.hpp>
#include <string>
#include <vector>

#include "analysis/prover/prover.h"
#include "ir/site.h"

namespace proviso::rewrite {

struct DependenceNode {
    ir::Site statement;
    std::string text;  // its first line
};

enum class DependenceKind : std::uint8_t { Flow, Anti, Output };  // read after write, ...

struct DependenceEdge {
    DependenceKind kind = DependenceKind::Flow;
    std::string buffer;
    // The loop whose iterations it crosses, by name; empty: within one iteration of all of them.
    std::string carried_by;
    bool certain = true;  // false: the prover could not decide
};

// Vertices are the statements that access memory, in textual order; an edge runs from what happens
// first. Several edges between two statements are possible.
using DependenceGraph = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS,
                                              DependenceNode, DependenceEdge>;

DependenceGraph dependence_graph(analysis::Prover& prover, const ir::Function& f);

// Graphviz DOT, in the order of vertices and edges.
std::string dependence_dot(const DependenceGraph& graph);

}  // namespace proviso::rewrite
