// Loops: range, T.serial, T.parallel, T.vectorized, T.unroll, T.thread_binding, T.grid.
#include <algorithm>

#include "ir/text/reader/expressions/foreign.h"
#include "ir/text/reader/stmt_binder.h"
#include "ir/text/spelling.h"

namespace proviso::ir {

using python::Node;
using python::NodeKind;
using python::Statement;

namespace {

std::optional<ForKind> loop_kind(const std::string& name) {
    if (name == "range" || name == "T.serial") return ForKind::Serial;
    if (name == "T.parallel") return ForKind::Parallel;
    if (name == "T.vectorized") return ForKind::Vectorized;
    if (name == "T.unroll") return ForKind::Unrolled;
    if (name == "T.thread_binding") return ForKind::ThreadBinding;
    return std::nullopt;
}

}  // namespace

StmtBinder::Bounds StmtBinder::bind_bounds(const Node* lo, const Node& hi) {
    Bounds out{};
    if (lo == nullptr) {
        out.hi = exprs_.bind_int(hi, "a loop bound");
    } else {
        const auto [a, b] =
            exprs_.bind_pair(*lo, hi, std::nullopt, "the bounds of the loop", lo->at);
        out = Bounds{a, b};
    }
    const ScalarType type = out.hi->type;
    if (!type.is_exact_int()) {
        wrong(hi, "a loop bound must be int32 or int64, not " + type.str(), cast_hint(kInt32));
    }
    if (lo == nullptr) out.lo = ctx_.int_imm(type, 0);
    require_definite(out.lo, lo == nullptr ? hi : *lo, "this loop bound");
    require_definite(out.hi, hi, "this loop bound");
    return out;
}

Annotations StmtBinder::annotations_of(const Node& call) const {
    for (const python::Keyword& k : call.keywords) {
        if (k.name == "annotations") return bind_annotations(exprs_, k.value);
    }
    return {};
}

Stmt StmtBinder::bind_for(const Statement& s) {
    const Node& call = s.value;
    const std::string name = call.is(NodeKind::Call) ? call.items[0].dotted() : "";
    if (name == "T.grid") return bind_grid(s);
    const auto kind = loop_kind(name);
    if (!kind) {
        if (is_foreign_name(name)) no_meaning(call, "`" + name + "` has no meaning here");
        wrong(call,
              name.empty() ? "a loop runs over range(…)" : "`" + name + "` is no range of a loop",
              suggest(name, {"range", "T.serial", "T.parallel", "T.vectorized", "T.unroll",
                             "T.thread_binding", "T.grid"}));
    }
    const bool bound = *kind == ForKind::ThreadBinding;
    std::vector<std::string> keywords = {"start", "stop", "annotations"};
    keywords.emplace_back(bound ? "thread" : "step");
    check_arguments(exprs_.source(), call, 1, 4, keywords);
    const Node* tag = bound ? argument(call, 2, "thread") : nullptr;
    const std::size_t given = call.items.size() - 1;
    const Node* start = given > 1 ? &call.items[1] : argument(call, 9, "start");
    const Node* stop = given > 0 ? &call.items[given > 1 ? 2 : 1] : nullptr;
    if (stop == nullptr) stop = argument(call, 9, "stop");
    if (given == 1 && argument(call, 9, "stop") != nullptr) {  // T.serial(0, stop=n)
        start = stop;
        stop = argument(call, 9, "stop");
    }
    if (stop == nullptr) wrong(call, "a loop needs a bound");
    if (given > 3) wrong(call.items[4], "a loop has a start, an end and a step");
    const Node* step = bound ? nullptr : argument(call, 2, "step");
    if (!bound && given > 2 && name != "range") {
        wrong(*step, "the step of `" + name + "` is given as `step=`");
    }
    if (bound && (tag == nullptr || !tag->is(NodeKind::String))) {
        wrong(tag == nullptr ? call : *tag, "a thread binding needs the name of its thread",
              "T.thread_binding(n, thread=\"threadIdx.x\")");
    }
    if (bound) thread_tag(*tag);  // checked
    const Bounds bounds = bind_bounds(start, *stop);
    const Node* target = &s.target;
    For loop_of;
    loop_of.kind = *kind;
    if (bound) loop_of = over_threads(tag->text);
    loop_of.annotations.merge(annotations_of(call));
    return within_loop(s, loop_of.kind, 1, [&] {
        const auto bind = [&] { return bind_loop(s, {&target, 1}, {&bounds, 1}, loop_of); };
        if (bound) return within_threads(*tag, tag->text, target->text, bind);
        return step == nullptr ? bind() : with_step(bind(), *step);
    });
}

// The call, list or tuple with the extents of A for `*A.shape`.
const Node& StmtBinder::with_shapes(const Node& node) {
    const auto parts = [&](const Node& item) {
        return item.is(NodeKind::Starred) && item.text == "*" ? exprs_.parts_of_shape(item.items[0])
                                                              : std::nullopt;
    };
    if (std::none_of(node.items.begin(), node.items.end(), parts)) return node;
    Node out = node;
    out.items.clear();
    for (const Node& item : node.items) {
        if (auto shape = parts(item)) {
            for (Node& part : *shape) out.items.push_back(std::move(part));
        } else {
            out.items.push_back(item);
        }
    }
    return made_.emplace_back(std::move(out));
}

// for i, j in T.grid(4, (lo, hi)): loops inside each other.
Stmt StmtBinder::bind_grid(const Statement& s) {
    const Node& call = with_shapes(s.value);
    check_arguments(exprs_.source(), call, 1, call.items.size() - 1, {});
    std::vector<const Node*> targets;
    if (s.target.is(NodeKind::Tuple)) {
        for (const Node& t : s.target.items) targets.push_back(&t);
    } else {
        targets.push_back(&s.target);
    }
    if (targets.size() != call.items.size() - 1) {
        wrong(s.target, std::to_string(targets.size()) + " loop variables, but T.grid has " +
                            std::to_string(call.items.size() - 1) + " extents");
    }
    std::vector<Bounds> bounds;
    for (std::size_t i = 1; i < call.items.size(); ++i) {
        const Node& extent = call.items[i];
        if (!extent.is(NodeKind::Tuple)) {
            bounds.push_back(bind_bounds(nullptr, extent));
        } else if (extent.items.size() == 2) {
            bounds.push_back(bind_bounds(&extent.items[0], extent.items[1]));
        } else {
            wrong(extent, "an extent is one bound or (lo, hi)");
        }
    }
    const For serial{};
    return within_loop(s, serial.kind, static_cast<int>(targets.size()),
                       [&] { return bind_loop(s, targets, bounds, serial); });
}

void StmtBinder::note_zero(Expr var, Expr lo, Expr hi) {
    if (is_int_const(lo, 0) && is_int_const(hi, 1)) zero_.insert(var);
}

// `kind`: what the loops are beside their bounds and their body.
Stmt StmtBinder::bind_loop(const Statement& s, std::span<const Node* const> targets,
                           std::span<const Bounds> bounds, const For& kind) {
    if (targets[0]->is(NodeKind::Tuple)) {
        wrong(*targets[0], "one loop variable is expected here", "several go with T.grid(…)");
    }
    depth_ += static_cast<int>(targets.size());
    if (depth_ > python::kMaxStatements) {
        wrong(s, "more than " + std::to_string(python::kMaxStatements) +
                     " loops and bindings are inside each other");
    }
    const std::size_t mark = names_.mark();
    const std::size_t facts = facts_.size();
    std::vector<Expr> vars;
    for (std::size_t i = 0; i < targets.size(); ++i) {
        vars.push_back(declare_var(*targets[i], bounds[i].hi->type));
        loops_[vars.back()] = bounds[i];
        note_zero(vars.back(), bounds[i].lo, bounds[i].hi);
        note_least(vars.back(), least(bounds[i].lo));
        take_hints_before(*targets[i], vars.back());
    }
    python::Exits stops = python::leaving(s.body).exits;
    stops.remove(python::Exit::Continue);
    Stmt out = bind_body(s.body);
    for (std::size_t i = targets.size(); i-- > 0;) {
        out = unless_taken(stops, out);
        Annotations annotations = kind.annotations;
        take_loop_hints(vars[i], *targets[i], annotations);
        out = ctx_.stmt(For{vars[i], bounds[i].lo, bounds[i].hi, kind.kind, kind.thread_tag, out,
                            std::move(annotations)});
        loops_.erase(vars[i]);
    }
    forget_facts(facts);
    names_.release(mark);
    depth_ -= static_cast<int>(targets.size());
    return out;
}

}  // namespace proviso::ir
