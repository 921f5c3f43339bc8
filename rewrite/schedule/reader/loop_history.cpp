#include "rewrite/schedule/reader/loop_history.h"

#include <algorithm>
#include <set>

#include "rewrite/passes/claim_search.h"
#include "rewrite/schedule/reader/interpreter/values.h"

namespace proviso::rewrite {

using namespace ir;
using python::Keyword;
using python::Node;

namespace {

bool shapes_loops(const std::string& primitive) {
    static const std::set<std::string> names = {"annotate",   "bind",    "fuse",
                                                "parallel",   "reorder", "split",
                                                "unannotate", "unroll",  "vectorize"};
    return names.count(primitive) != 0;
}

void collect(Node& value, const Arguments& in, std::vector<Node*>& out) {
    if (values::is_list(value)) {
        for (Node& item : value.items) collect(item, in, out);
    } else if (values::handle_of(value) && in.evaluate(value).front().kind == Handle::Kind::Loop) {
        out.push_back(&value);
    }
}

using Place = std::vector<LoopHistory::Loop>::iterator;

Place find(std::vector<LoopHistory::Loop>& loops, const std::string& name) {
    return std::find_if(loops.begin(), loops.end(), [&](const auto& l) { return l.name == name; });
}

}  // namespace

LoopHistory::Loop LoopHistory::as_it_is(Proposer& p, const std::string& name) {
    const Site site = *p.index().loop(name);
    const For& loop = *locate(p.current(), site)->stmt->as<For>();
    return {name, p.simplified(p.ctx().sub(loop.hi, loop.lo), site)};
}

std::vector<Node*> LoopHistory::loops_in(Node& call, const Arguments& in) {
    std::vector<Node*> out;
    for (std::size_t k = 1; k < call.items.size(); ++k) collect(call.items[k], in, out);
    for (Keyword& k : call.keywords) collect(k.value, in, out);
    return out;
}

void LoopHistory::begin(Proposer& p, const Arguments& in, const std::string& primitive,
                        const Node& call) {
    pending_.reset();
    function_ = p.current().name;
    if (!shapes_loops(primitive)) return;
    Entry entry{function_, {primitive, call, {}, {}, 0}, {}, {}};
    std::vector<Expr> deepest;
    for (const Node* value : loops_in(entry.call.call, in)) {
        const std::string name = in.evaluate(*value).front().name;
        const std::optional<Site> site = p.index().loop(name);
        if (!site) return;  // the call will be refused
        entry.call.takes.push_back(as_it_is(p, name));
        const std::vector<Expr> around = loops_around(p.current(), site->child("body"));
        if (around.size() > deepest.size()) deepest = around;
    }
    if (entry.call.takes.empty()) return;  // about blocks
    for (Expr v : deepest) {
        if (find(entry.call.takes, *v->name) != entry.call.takes.end()) {
            entry.nest.push_back(*v->name);
        }
    }
    pending_ = std::move(entry);
}

void LoopHistory::end(const LoopCopies& copies, const std::vector<std::string>& gave, int line) {
    if (pending_) {
        pending_->call.gives = gave;
        pending_->call.line = line;
        entries_.push_back(std::move(*pending_));
        pending_.reset();
    }
    Entry became{function_, {}, {}, {}};
    for (const std::string& loop : copies.changed()) became.renamed[loop] = copies.of({loop});
    if (!became.renamed.empty()) entries_.push_back(std::move(became));
}

void LoopHistory::undo(const Entry& entry, Shape& shape) {
    std::vector<Loop>& loops = shape.loops;
    for (const auto& [was, is] : entry.renamed) {
        for (const std::string& copy : is) {
            const Place at = find(loops, copy);
            if (at != loops.end()) at->name = was;
        }
    }
    const Call& call = entry.call;
    const auto all_there = [&](const std::vector<std::string>& names) {
        return !names.empty() && std::all_of(names.begin(), names.end(), [&](const auto& name) {
            return find(loops, name) != loops.end();
        });
    };
    if (call.primitive == "split" || call.primitive == "fuse") {
        if (!all_there(call.gives)) return;
        const auto first = find(loops, call.gives.front()) - loops.begin();
        for (const std::string& name : call.gives) loops.erase(find(loops, name));
        loops.insert(loops.begin() + first, call.takes.begin(), call.takes.end());
    } else if (call.primitive == "reorder") {
        if (!all_there(entry.nest) || entry.nest.size() != call.takes.size()) return;
        std::vector<Loop> taken;
        for (const std::string& name : entry.nest) taken.push_back(*find(loops, name));
        std::size_t next = 0;
        for (Loop& loop : loops) {
            const bool moves = std::count(entry.nest.begin(), entry.nest.end(), loop.name) != 0;
            if (moves) loop = taken[next++];
        }
    } else if (call.primitive.empty() || find(loops, call.takes.front().name) == loops.end()) {
        return;
    }
    shape.calls.insert(shape.calls.begin(), call);
}

LoopHistory::Shape LoopHistory::shape_of(Proposer& p, const std::vector<std::string>& now) const {
    Shape out;
    for (const std::string& name : now) out.loops.push_back(as_it_is(p, name));
    for (auto e = entries_.rbegin(); e != entries_.rend(); ++e) {
        if (e->function == p.current().name) undo(*e, out);
    }
    return out;
}

}  // namespace proviso::rewrite
