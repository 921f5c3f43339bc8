// stage-partial: what a statement combines in cells of a buffer is combined in parts first.
//
//   before   for i, k: B[i] = B[i] + A[i, k]                (B holds zeros)
//   after    P = alloc; for x, y: P[x, y] = 0
//            for i, k: P[k % 4, i] = P[k % 4, i] + A[i, k]
//            for x, y: B[y] = B[y] + P[x, y]
//
// The site is the statement; where it is in a list, P is allocated around the list. Arguments:
// "buffer"; "name", "scope" and "extents" of P; "names": of its loops; "vars", "map": names for an
// index of the buffer, and the cell of P, over them and what is bound around the stores to the
// buffer; "inverse": the cell of the buffer, over the loops; "start": what P starts at; "writer": a
// witness over the loops, that has stored the start to the cell; of sums of int32 or int64 also
// "most": no term is larger, or smaller than its negative. "also": a list of further buffers with
// the same relation, each with its "buffer", "name", "start", "writer" and "most". "step": where
// one statement updates all of them, in which their values belong together: its site, "at"; "left"
// and "right", names for the values of two partial results; "combine", over these.
#include <nlohmann/json.hpp>

#include "analysis/facts/path.h"
#include "ir/text.h"
#include "rewrite/derived/arguments.h"
#include "rewrite/kernel/arguments.h"
#include "rewrite/kernel/only_members.h"
#include "rewrite/rules/relocate/relocate.h"
#include "rewrite/rules/statement/statement_rules.h"

namespace proviso::rewrite {

using namespace ir;
using namespace analysis;

namespace {

constexpr const char* kAlso = "buffer most name start writer";
constexpr const char* kStep = "at combine left right";

// A buffer with partial results, but for these.
Result<PartialBuffer> read_buffer(Context& ctx, const Function& f, const Scope& scope,
                                  const nlohmann::json& args) {
    const Result<std::string> buffer = arg_string(args, "buffer");
    if (!buffer) return buffer.error();
    const auto found = scope.buffers.find(*buffer);
    if (found == scope.buffers.end()) return error("no buffer '" + *buffer + "' in scope");
    PartialBuffer out;
    out.buffer = found->second;
    if (out.buffer->rank() == 0) return error("a scalar buffer has no cells to tell apart");
    Result<Expr> start = arg_expr(ctx, args, "start", scope, out.buffer->type);
    if (!start) return start.error();
    out.start = *start;
    if (member(args, "writer") == nullptr) return error("no witness of what the cells hold");
    Result<Witness> writer = read_witness(ctx, f, args["writer"], scope);
    if (!writer) return writer.error();
    out.writer = std::move(*writer);
    if (member(args, "most") != nullptr) {
        const Result<std::int64_t> most = arg_int(args, "most");
        if (!most) return most.error();
        out.most = *most;
    }
    return out;
}

// The step that updates all of the buffers.
Result<TupleStep> read_step(Context& ctx, const std::vector<PartialBuffer>& of,
                            const nlohmann::json& args) {
    if (const Status ok = only_members(args, kStep); !ok) return ok.error();
    TupleStep out;
    Result<Site> at = arg_site(args, "at");
    if (!at) return at.error();
    out.at = std::move(*at);
    Scope values;
    for (auto& [key, tuple] : {std::pair{"left", &out.left}, std::pair{"right", &out.right}}) {
        const Result<std::vector<std::string>> names = arg_strings(args, key);
        if (!names) return names.error();
        if (names->size() != of.size()) return missing(key, "a name for each buffer");
        for (std::size_t k = 0; k < of.size(); ++k) {
            tuple->push_back(ctx.var((*names)[k], of[k].buffer->type));
            values.vars[(*names)[k]] = tuple->back();
        }
    }
    const Result<std::vector<std::string>> combine = arg_strings(args, "combine");
    if (!combine) return combine.error();
    if (combine->size() != of.size()) return missing("combine", "an expression for each buffer");
    for (std::size_t k = 0; k < of.size(); ++k) {
        Result<Expr> e =
            parse_expr(ctx, (*combine)[k], values, of[k].buffer->type, "<argument combine>");
        if (!e) return e.error();
        out.combine.push_back(*e);
    }
    return out;
}

// What is in scope at the first store to the buffer in the statement.
Scope scope_of_stores(Context& ctx, const Function& f, const Site& site, Buffer buffer) {
    for (const auto& [at, s] : all_statements(f)) {
        const Store* store = s->as<Store>();
        if (store == nullptr || store->buffer != buffer || !site.contains(at)) continue;
        return scope_at(ctx, f, at);
    }
    return scope_at(ctx, f, site);
}

// Adds the names to the scope, as variables of the types of extents.
Result<std::vector<Expr>> indices(Context& ctx, const nlohmann::json& args, const char* key,
                                  std::span<const Expr> extents, Scope& scope) {
    const Result<std::vector<std::string>> names = arg_strings(args, key);
    if (!names) return names.error();
    if (names->size() != extents.size()) {
        return error("'" + std::string(key) + "' has a name for each dimension");
    }
    std::vector<Expr> out;
    for (std::size_t d = 0; d < extents.size(); ++d) {
        out.push_back(ctx.var((*names)[d], extents[d]->type));
        scope.vars[(*names)[d]] = out.back();
    }
    return out;
}

class StagePartial final : public Rule {
  public:
    std::string name() const override { return "stage-partial"; }
    int version() const override { return 3; }
    std::string summary() const override {
        return "what a statement accumulates is accumulated in parts first";
    }

    Result<Proposal> propose(Context& ctx, const Function& before, const Site& site,
                             const nlohmann::json& args) const override {
        const Result<Located> at = locate(before, site);
        if (!at) return at.error();
        if (at->stmt == nullptr) return error("stage-partial works on a statement");
        Scope physical = scope_at(ctx, before, site);
        const Result<std::string> buffer = arg_string(args, "buffer");
        if (!buffer) return buffer.error();
        const auto found = physical.buffers.find(*buffer);
        if (found == physical.buffers.end()) return error("no buffer '" + *buffer + "' in scope");
        const Buffer first = found->second;
        if (first->rank() == 0) return error("a scalar buffer has no cells to tell apart");
        const ScalarType index = first->shape[0]->type;
        const Result<std::string> memory = arg_string(args, "scope");
        if (!memory) return memory.error();
        const auto extents = arg_exprs(ctx, args, "extents", physical, index);
        if (!extents) return extents.error();
        Scope logical = scope_of_stores(ctx, before, site, first);
        const auto vars = indices(ctx, args, "vars", first->shape, logical);
        if (!vars) return vars.error();
        const auto map = arg_exprs(ctx, args, "map", logical, index);
        if (!map) return map.error();
        const auto loops = indices(ctx, args, "names", *extents, physical);
        if (!loops) return loops.error();
        const auto inverse = arg_exprs(ctx, args, "inverse", physical, index);
        if (!inverse) return inverse.error();
        Partials out;
        out.cells.vars = *vars;
        out.cells.map = *map;
        out.cells.physical_vars = *loops;
        out.cells.inverse = *inverse;
        const auto add = [&](const nlohmann::json& of) -> Status {
            Result<PartialBuffer> one = read_buffer(ctx, before, physical, of);
            const Result<std::string> name = arg_string(of, "name");
            if (!one || !name) return !one ? one.error() : name.error();
            one->partials = ctx.buffer(*name, one->buffer->type, *extents, *memory);
            out.of.push_back(std::move(*one));
            return Unit{};
        };
        Status ok = add(args);
        if (const nlohmann::json* also = member(args, "also")) {
            if (!also->is_array()) return missing("also", "a list of buffers");
            for (const nlohmann::json& more : *also) {
                if (ok) ok = only_members(more, kAlso);
                if (ok) ok = add(more);
            }
        }
        if (!ok) return ok.error();
        if (const nlohmann::json* how = member(args, "step")) {
            Result<TupleStep> step = read_step(ctx, out.of, *how);
            if (!step) return step.error();
            out.step = std::move(*step);
        }
        return combine_in_parts(ctx, before, site, out);
    }
};

}  // namespace

const Rule& stage_partial_rule() {
    static const StagePartial rule;
    return rule;
}

}  // namespace proviso::rewrite
