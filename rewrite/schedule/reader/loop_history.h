// Which calls of a schedule have shaped a nest of loops: those that have split, fused and reordered
// them, bound them or made them parallel. So they can be made again on another nest (sch.like).
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "ir/text/reader/python/python.h"
#include "rewrite/passes/proposer.h"
#include "rewrite/schedule/loop_copies.h"
#include "rewrite/schedule/reader/arguments.h"

namespace proviso::rewrite {

class LoopHistory {
  public:
    using Node = ir::python::Node;

    // A loop by its name, and its number of iterations, simplified.
    struct Loop {
        std::string name;
        ir::Expr extent = nullptr;
    };
    struct Call {
        std::string primitive;
        Node call;                       // with its arguments computed
        std::vector<Loop> takes;         // the loops that it was given, as they were
        std::vector<std::string> gives;  // and those that are there instead
        int line = 0;
    };
    // A nest before anything was done to it, and what was.
    struct Shape {
        std::vector<Loop> loops;  // outermost first
        std::vector<Call> calls;
    };

    // A call that is about to be made; it was accepted, and has given these loops.
    void begin(Proposer& p, const Arguments& in, const std::string& primitive, const Node& call);
    void end(const LoopCopies& copies, const std::vector<std::string>& gave, int line);

    // A loop of the current program.
    static Loop as_it_is(Proposer& p, const std::string& name);
    // `now`: loops of one nest in the current program, outermost first.
    Shape shape_of(Proposer& p, const std::vector<std::string>& now) const;

    // The loops among the arguments of a call, in their order.
    static std::vector<Node*> loops_in(Node& call, const Arguments& in);

  private:
    // A call, or what another one has made of loops.
    struct Entry {
        std::string function;
        Call call;
        std::vector<std::string> nest;  // of a reorder: the loops in the order from before
        std::map<std::string, std::vector<std::string>> renamed;
    };
    static void undo(const Entry& entry, Shape& shape);

    std::vector<Entry> entries_;
    std::optional<Entry> pending_;
    std::string function_;  // that the call at work is about
};

}  // namespace proviso::rewrite
