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
// "most": no term is larger, or smaller than its negative.
#include <nlohmann/json.hpp>

#include "analysis/facts/path.h"
#include "ir/text.h"
#include "rewrite/derived/arguments.h"
#include "rewrite/kernel/arguments.h"
#include "rewrite/rules/relocate/relocate.h"
#include "rewrite/rules/statement/statement_rules.h"

namespace proviso::rewrite {

using namespace ir;
using namespace analysis;

namespace {

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
    std::string summary() const override {
        return "what a statement accumulates is accumulated in parts first";
    }

    Result<Proposal> propose(Context& ctx, const Function& before, const Site& site,
                             const nlohmann::json& args) const override {
        const Result<Located> at = locate(before, site);
        if (!at) return at.error();
        if (at->stmt == nullptr) return error("stage-partial works on a statement");
        const Result<std::string> buffer = arg_string(args, "buffer");
        if (!buffer) return buffer.error();
        Scope physical = scope_at(ctx, before, site);
        const auto found = physical.buffers.find(*buffer);
        if (found == physical.buffers.end()) return error("no buffer '" + *buffer + "' in scope");
        Partials out;
        out.buffer = found->second;
        if (out.buffer->rank() == 0) return error("a scalar buffer has no cells to tell apart");
        const ScalarType index = out.buffer->shape[0]->type;
        const Result<std::string> name = arg_string(args, "name");
        if (!name) return name.error();
        const Result<std::string> memory = arg_string(args, "scope");
        if (!memory) return memory.error();
        const auto extents = arg_exprs(ctx, args, "extents", physical, index);
        if (!extents) return extents.error();
        out.partials = ctx.buffer(*name, out.buffer->type, *extents, *memory);
        Scope logical = scope_of_stores(ctx, before, site, out.buffer);
        const auto vars = indices(ctx, args, "vars", out.buffer->shape, logical);
        if (!vars) return vars.error();
        const auto map = arg_exprs(ctx, args, "map", logical, index);
        if (!map) return map.error();
        const auto loops = indices(ctx, args, "names", *extents, physical);
        if (!loops) return loops.error();
        const auto inverse = arg_exprs(ctx, args, "inverse", physical, index);
        if (!inverse) return inverse.error();
        out.cells.vars = *vars;
        out.cells.map = *map;
        out.cells.physical_vars = *loops;
        out.cells.inverse = *inverse;
        const Result<Expr> start = arg_expr(ctx, args, "start", physical, out.buffer->type);
        if (!start) return start.error();
        out.start = *start;
        if (!args.contains("writer")) return error("no witness of what the cells hold");
        const Result<Witness> writer = read_witness(ctx, before, args["writer"], physical);
        if (!writer) return writer.error();
        out.writer = *writer;
        if (args.contains("most")) {
            const Result<std::int64_t> most = arg_int(args, "most");
            if (!most) return most.error();
            out.most = *most;
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
