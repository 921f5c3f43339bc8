#include "ir/text/reader/graph/instances.h"

#include <set>
#include <string>

#include "ir/children.h"

namespace proviso::ir {

namespace {

// The statement without the block that each call has around it. No other block stands between the
// allocations, lets and lists that a graph is.
Stmt opened(Context& ctx, Stmt s) {
    if (const Block* n = s->as<Block>()) return n->body;
    const bool spine = s->as<Seq>() || s->as<Allocate>() || s->as<LetStmt>();
    if (!spine) return s;
    std::vector<Child> parts = children(s);
    for (Child& part : parts) {
        if (part.stmt != nullptr) part.stmt = opened(ctx, part.stmt);
    }
    if (s->as<Seq>() == nullptr) return with_children(ctx, s, parts);
    std::vector<Stmt> list;
    for (const Child& part : parts) list.push_back(part.stmt);
    return ctx.seq(list);
}

class BlockNames {
  public:
    BlockNames(Context& ctx, Stmt body) : ctx_(ctx) {
        for_each_stmt(body, [&](Stmt s) {
            if (const Block* n = s->as<Block>()) written_.insert(n->name);
        });
    }

    // The first block of a name keeps it.
    Stmt own(Stmt s) {
        if (const Block* n = s->as<Block>(); n != nullptr && !given_.insert(n->name).second) {
            Block copy = *n;
            copy.name = fresh(n->name);
            s = ctx_.stmt(std::move(copy));
        }
        std::vector<Child> parts = children(s);
        for (Child& part : parts) {
            if (part.stmt != nullptr) part.stmt = own(part.stmt);
        }
        return with_children(ctx_, s, parts);
    }

  private:
    std::string fresh(const std::string& name) {
        std::string out;
        int& k = next_[name];
        do {
            out = name + "_" + std::to_string(++k);
        } while (written_.count(out) != 0 || !given_.insert(out).second);
        return out;
    }

    Context& ctx_;
    std::set<std::string> written_;
    std::set<std::string> given_;
    std::map<std::string, int> next_;
};

}  // namespace

Function with_instances(Context& ctx, Function graph) {
    graph.body = opened(ctx, graph.body);
    graph.body = BlockNames(ctx, graph.body).own(graph.body);
    return graph;
}

}  // namespace proviso::ir
