// Blocks. The head (iterators, T.where, T.reads, T.writes, T.init) comes first; buffers allocated
// among its lines belong to the body:
//     with T.block("b"):
//         vi = T.axis.spatial(4, i)
//         X = T.alloc_buffer((4,), "float32")      becomes    Block{vi; body: Allocate{X; …}}
#include <algorithm>

#include "ir/text/reader/stmt_binder.h"
#include "ir/text/spelling.h"
#include "ir/well_formed.h"

namespace proviso::ir {

using python::Node;
using python::NodeKind;
using python::Statement;
using python::StatementKind;

namespace {

// T.reads(), T.reads([]); also when the line is absent.
bool claims_nothing(const Node* call) {
    if (call == nullptr || call->items.size() == 1) return true;
    return call->items.size() == 2 && call->items[1].is(NodeKind::List) &&
           call->items[1].items.empty();
}

}  // namespace

struct StmtBinder::BlockHead {
    std::vector<const Statement*> axes;
    const Node* where = nullptr;
    const Node* reads = nullptr;
    const Node* writes = nullptr;
    std::vector<const Node*> attributes;
    const Statement* init = nullptr;
    std::vector<const Statement*> body;   // allocations among the head's lines, and what follows
    std::vector<const Statement*> views;  // windows, and variables for their strides: of init, too
    std::vector<std::string> allocated;

    // Nothing but the function's body in other words.
    bool is_plain() const {
        return axes.empty() && where == nullptr && init == nullptr && claims_nothing(reads) &&
               claims_nothing(writes) && attributes.empty();
    }
};

// One iterator before it has a variable.
struct StmtBinder::AxisLine {
    const Node* target;
    IterKind kind;
    Expr lo;
    Expr hi;
    Expr binding;
};

namespace {

bool is_axis(const Statement& s) {
    return s.is(StatementKind::Assign) && s.value.is(NodeKind::Call) &&
           s.value.items[0].dotted().rfind("T.axis.", 0) == 0;
}

bool is_allocation(const Statement& s) {
    return s.is(StatementKind::Assign) &&
           (s.value.is_call_of("T.alloc_buffer") || s.value.is_call_of("T.sblock_alloc_buffer"));
}

bool mentions(const Node& node, const std::string& name) {
    if (node.is(NodeKind::Name) && node.text == name) return true;
    return std::any_of(node.items.begin(), node.items.end(),
                       [&](const Node& item) { return mentions(item, name); });
}

bool mentions(const Statement& s, const std::string& name) {
    const auto in = [&](const std::vector<Statement>& lines) {
        return std::any_of(lines.begin(), lines.end(),
                           [&](const Statement& line) { return mentions(line, name); });
    };
    return mentions(s.target, name) || mentions(s.value, name) || in(s.body) || in(s.otherwise);
}

std::optional<IterKind> axis_kind(const std::string& name) {
    if (name == "spatial" || name == "S") return IterKind::Spatial;
    if (name == "reduce" || name == "R") return IterKind::Reduce;
    if (name == "opaque" || name == "O") return IterKind::Opaque;
    return std::nullopt;
}

}  // namespace

StmtBinder::BlockHead StmtBinder::split_block(const Statement& s) const {
    BlockHead head;
    std::vector<const Statement*> allocations;
    std::size_t i = 0;
    const auto once = [&](const Node*& place, const Statement& line) {
        if (place != nullptr) wrong(line, "`" + line.value.items[0].dotted() + "` is given twice");
        place = &line.value;
    };
    for (; i < s.body.size(); ++i) {
        const Statement& line = s.body[i];
        const std::string name =
            line.value.is(NodeKind::Call) ? line.value.items[0].dotted() : std::string();
        const bool call = line.is(StatementKind::Expression);
        if (is_axis(line)) {
            head.axes.push_back(&line);
        } else if (is_allocation(line)) {
            head.body.push_back(&line);
            head.allocated.push_back(line.target.text);
        } else if (is_view(line.value) || is_declaration(line)) {
            head.body.push_back(&line);
            head.views.push_back(&line);
        } else if (call && name == "T.where") {
            once(head.where, line);
        } else if (call && name == "T.reads") {
            once(head.reads, line);
        } else if (call && name == "T.writes") {
            once(head.writes, line);
        } else if (call && (name == "T.block_attr" || name == "T.sblock_attr")) {
            head.attributes.push_back(&line.value);
        } else if (line.is(StatementKind::With) && name == "T.init") {
            if (head.init != nullptr) wrong(line, "`T.init` is given twice");
            check_arguments(exprs_.source(), line.value, 0, 0, {});
            head.init = &line;
        } else {
            break;
        }
    }
    for (; i < s.body.size(); ++i) head.body.push_back(&s.body[i]);
    return head;
}

Stmt StmtBinder::bind_block(const Statement& s) {
    check_arguments(exprs_.source(), s.value, 0, 2, {"name_hint", "no_realize"});
    for (const python::Keyword& k : s.value.keywords) {
        if (k.name == "no_realize" && k.value.text != "False") {
            no_meaning(k.value, "a block that is not realized has no meaning here");
        }
    }
    const Node* name = argument(s.value, 0, "name_hint");
    if (name != nullptr && !name->is(NodeKind::String)) wrong(*name, "a block's name is a string");
    if (s.target) wrong(s.target, "`as` of a block is not supported");
    const BlockHead head = split_block(s);
    Block block;
    if (name != nullptr) block.name = name->text;
    if (block.name == "root" && head.is_plain()) return bind_list(head.body);
    const bool was_top = std::exchange(top_, false);

    // Bindings and predicate are over the loop variables: the iterators are not in scope yet.
    std::vector<AxisLine> axes;
    for (const Statement* line : head.axes) bind_axis(*line, axes);
    block.predicate = head.where == nullptr ? ctx_.true_() : bind_where(*head.where, axes);
    const std::size_t mark = names_.mark();
    for (const AxisLine& axis : axes) {
        Expr var = declare_var(*axis.target, axis.binding->type);
        block.iters.push_back(BlockIter{var, axis.lo, axis.hi, axis.binding, axis.kind});
        note_zero(var, axis.lo, axis.hi);
    }
    for (const Node* call : head.attributes) {
        check_arguments(exprs_.source(), *call, 1, 1, {});
        for (auto& [key, value] : bind_annotations(exprs_, call->items[1])) {
            if (!block.annotations.emplace(key, value).second) {
                wrong(*call, "attribute \"" + key + "\" is given twice");
            }
        }
    }
    // The outermost block is the whole function; TVM writes no claims there, or empty ones.
    const bool root = block.name == "root" && block.iters.empty();
    const auto claims = [&](const Node* regions) {
        return regions != nullptr && !(root && claims_nothing(regions));
    };
    if (claims(head.reads)) block.reads = bind_regions(*head.reads);
    if (claims(head.writes)) block.writes = bind_regions(*head.writes);
    if (head.init != nullptr) {
        for (const std::string& buffer : head.allocated) {
            if (!mentions(*head.init, buffer)) continue;
            wrong(*head.init,
                  "`T.init` uses `" + buffer + "`, which lives in the block's body only",
                  "allocate it outside of the block");
        }
        std::vector<const Statement*> lines = head.views;
        for (const Statement& line : head.init->body) lines.push_back(&line);
        in_init_ = true;
        block.init = bind_list(lines);
        in_init_ = false;
    }
    ++blocks_;
    block.body = bind_list(head.body);
    --blocks_;
    names_.release(mark);
    top_ = was_top;
    return ctx_.stmt(std::move(block));
}

// vi = T.axis.spatial(n, e), vi = T.axis.reduce((lo, hi), e), vi, vj = T.axis.remap("SR", [i, j])
void StmtBinder::bind_axis(const Statement& s, std::vector<AxisLine>& out) {
    const Node& call = s.value;
    const std::string name = call.items[0].dotted().substr(7);
    std::vector<const Node*> targets;
    if (s.target.is(NodeKind::Tuple)) {
        for (const Node& t : s.target.items) targets.push_back(&t);
    } else {
        targets.push_back(&s.target);
    }
    if (name == "remap") return bind_remap(s, targets, out);
    const auto kind = axis_kind(name);
    if (!kind) {
        if (name == "scan") no_meaning(call, "`T.axis.scan` has no meaning here");
        wrong(call, "`T.axis." + name + "` is not supported",
              suggest(name, {"spatial", "reduce", "opaque", "remap"}));
    }
    if (targets.size() != 1) wrong(s.target, "one iterator is expected here");
    check_arguments(exprs_.source(), call, 2, 2, {});
    const Node& domain = call.items[1];
    const Node* lo = nullptr;
    const Node* hi = &domain;
    if (domain.is(NodeKind::Tuple)) {
        if (domain.items.size() != 2) wrong(domain, "a domain is an extent or (lo, hi)");
        lo = &domain.items[0];
        hi = &domain.items[1];
    }
    // One type for all three: that of the first which has one of its own.
    const Node& binding = call.items[2];
    ScalarType type = kInt32;
    for (const Node* part : {&binding, hi, lo}) {
        if (part == nullptr || exprs_.is_flexible(*part)) continue;
        type = exprs_.bind_int(*part, "an iterator")->type;
        break;
    }
    if (!type.is_exact_int()) {
        wrong(binding, "an iterator must be int32 or int64, not " + type.str());
    }
    AxisLine axis{targets[0], *kind, nullptr, nullptr, nullptr};
    axis.lo = lo == nullptr ? ctx_.int_imm(type, 0)
                            : exprs_.bind_typed(*lo, type, "the start of the domain");
    axis.hi = exprs_.bind_typed(*hi, type, "the end of the domain");
    axis.binding = exprs_.bind_typed(binding, type, "the binding");
    require_definite(axis.lo, domain, "this domain");
    require_definite(axis.hi, domain, "this domain");
    require_definite(axis.binding, binding, "this binding");
    out.push_back(axis);
}

void StmtBinder::bind_remap(const Statement& s, const std::vector<const Node*>& targets,
                            std::vector<AxisLine>& out) {
    const Node& call = s.value;
    check_arguments(exprs_.source(), call, 2, 2, {});
    const Node& kinds = call.items[1];
    const Node& loops = call.items[2];
    if (!kinds.is(NodeKind::String)) wrong(kinds, "the kinds are a string, such as \"SSR\"");
    if (!loops.is(NodeKind::List) && !loops.is(NodeKind::Tuple)) {
        wrong(loops, "a list of loop variables is expected here");
    }
    if (kinds.text.size() != targets.size() || loops.items.size() != targets.size()) {
        wrong(call, std::to_string(targets.size()) + " iterators, " +
                        std::to_string(kinds.text.size()) + " kinds and " +
                        std::to_string(loops.items.size()) + " loop variables");
    }
    for (std::size_t i = 0; i < targets.size(); ++i) {
        const auto kind = axis_kind(std::string(1, kinds.text[i]));
        if (!kind) wrong(kinds, "kind `" + std::string(1, kinds.text[i]) + "` is not S, R or O");
        Expr binding = exprs_.bind(loops.items[i]);
        const auto loop = loops_.find(binding);
        if (loop == loops_.end()) {
            wrong(loops.items[i], "this is not the variable of an enclosing loop",
                  "T.axis.spatial(extent, expression) binds other expressions");
        }
        out.push_back(AxisLine{targets[i], *kind, loop->second.lo, loop->second.hi, binding});
    }
}

Expr StmtBinder::bind_where(const Node& call, const std::vector<AxisLine>& axes) {
    check_arguments(exprs_.source(), call, 1, 1, {});
    for (const AxisLine& axis : axes) {
        const std::string& name = axis.target->text;
        if (names_.find(name) == nullptr && mentions(call.items[1], name)) {
            wrong(call.items[1], "T.where cannot use the iterator `" + name + "`",
                  "it is over the loop variables: write the binding of `" + name + "`");
        }
    }
    return bind_truth(call.items[1], "the predicate");
}

std::vector<BufferRegion> StmtBinder::bind_regions(const Node& call) {
    std::vector<BufferRegion> out;
    if (!call.keywords.empty()) exprs_.wrong(call.keywords[0].at, "regions have no keywords");
    for (std::size_t i = 1; i < call.items.size(); ++i) {
        if (!call.items[i].is(NodeKind::List)) {
            out.push_back(bind_region(call.items[i]));
            continue;
        }
        for (const Node& item : call.items[i].items) out.push_back(bind_region(item));
    }
    return out;
}

// `A[0:4, i]`; `A` is the whole of it.
BufferRegion StmtBinder::bind_region(const Node& node) {
    const bool whole = node.is(NodeKind::Name);
    if (!whole && !node.is(NodeKind::Subscript)) wrong(node, "a region is written A[0:4, i]");
    BufferRegion out;
    out.buffer = exprs_.bind_buffer_name(whole ? node : node.items[0]);
    // All lanes of a buffer of vectors.
    const bool of_vectors = exprs_.is_vector(out.buffer, ExprBinder::VectorKind::Element);
    const std::size_t rank = out.buffer->rank() - (of_vectors ? 1 : 0);
    if (!whole && node.items.size() - 1 != rank) {
        wrong(node, "`" + node.items[0].text + "` has " + std::to_string(rank) +
                        " dimensions, but the region has " + std::to_string(node.items.size() - 1));
    }
    for (std::size_t i = 0; i < rank; ++i) {
        Expr extent = out.buffer->shape[i];
        if (whole) {
            out.ranges.emplace_back(ctx_.int_imm(extent->type, 0), extent);
        } else {
            out.ranges.push_back(bind_range(node.items[i + 1], extent));
        }
    }
    if (of_vectors) out.ranges.emplace_back(ctx_.i32(0), out.buffer->shape.back());
    return out;
}

std::pair<Expr, Expr> StmtBinder::bind_range(const Node& node, Expr extent) {
    if (!node.is(NodeKind::Slice)) {
        Expr lo = exprs_.bind_int(node, "a region");
        if (!is_int_const(lo)) {
            return {lo, ctx_.add(lo, ctx_.int_imm(lo->type, 1))};
        }
        if (!lo->type.contains(lo->int_value() + 1)) wrong(node, "this index is too large");
        return {lo, ctx_.int_imm(lo->type, lo->int_value() + 1)};
    }
    if (node.items[2]) no_meaning(node.items[2], "a region with a step has no meaning here");
    const Node& lower = node.items[0];
    const Node& upper = node.items[1];
    if (lower && upper) {
        const auto pair =
            exprs_.bind_pair(lower, upper, std::nullopt, "the ends of the region", node.at);
        if (!pair.first->type.is_int()) wrong(node, "a region must be integers");
        return pair;
    }
    if (upper) {
        Expr hi = exprs_.bind_int(upper, "a region");
        return {ctx_.int_imm(hi->type, 0), hi};
    }
    if (!lower) return {ctx_.int_imm(extent->type, 0), extent};
    Expr lo = exprs_.bind_int(lower, "a region", extent->type);
    if (lo->type != extent->type) {
        wrong(lower,
              "the region starts in " + lo->type.str() + " and ends in " + extent->type.str());
    }
    return {lo, extent};
}

}  // namespace proviso::ir
