// stage-read: loads of a buffer inside one statement go through a copy made just before it.
//
//   before   X (loads A)
//   after    A_cache = alloc; for …: A_cache[…] = A[…];  X (loads A_cache)
//
// With "again", the site of the statement that computed the buffer, earlier in a list around the
// site: the copy is computed by it again, with what it stores elsewhere left out.
//
//   before   for x in range(12): B[x] = f(x)          after   …; C = alloc
//            X (loads B)                                      for x in range(12):
//                                                                 if 0 <= x - i and x - i < 3:
//                                                                     C[x - i] = f(x)
//                                                             X (loads C)
//
// stage-write: what one statement writes goes through a buffer of its own and is written back after
// it.
//
//   before   X (stores to B)
//   after    B_cache = alloc; X (B_cache for B); for …: B[…] = B_cache[…]
//
// The site is the statement X. Arguments: "buffer"; "name" and "scope" of the copy; "names": loops
// of the copying nest; "block": name of its block (absent: plain loops). Of stage-write also
// "writer": a witness, in X, that stores the cell which the loops write back; "reads":
// {SITE: [WITNESS, …]}: for each statement of X that loads B, the stores that came before, in the
// order of its loads.
//
// With "offsets" and "extents" the copy is of a part, as far as that is in bounds of the buffer:
//
//   for p in range(16): for q in range(4):
//       if by * 16 + p and k0 * 4 + q are in bounds of A: tile[p, q] = A[by * 16 + p, k0 * 4 + q]
//
// With "ends": "difference" the part starts at 0 or later, and the guard is p < n - by * 16, which
// stays within its type. With "ends": {"only": CONDITION}, over the loops, what does not meet that
// is left out ("by": "difference" beside it is the other form). "offsets": where the part starts,
// an expression a dimension over variables and constants; "extents": its shape, constants above 0;
// of a dimension that is copied whole, from 0, also that of the buffer.
#include <nlohmann/json.hpp>

#include "analysis/facts/path.h"
#include "ir/text.h"
#include "rewrite/derived/arguments.h"
#include "rewrite/kernel/only_members.h"
#include "rewrite/rules/common.h"
#include "rewrite/rules/relocate/relocate.h"
#include "rewrite/rules/statement/statement_rules.h"

namespace proviso::rewrite {

using namespace ir;
using namespace analysis;

namespace {

// How "ends" says where a part ends.
struct Ends {
    bool by_difference = false;
    bool only = false;  // with a condition
};
Result<Ends> ends_of(const nlohmann::json& args) {
    if (!args.contains("ends")) return Ends{};
    const nlohmann::json& ends = args["ends"];
    if (ends == "difference") return Ends{true, false};
    if (!ends.is_object() || !ends.contains("only") || !ends["only"].is_string()) {
        return error("'ends' is difference, or has a condition, 'only'");
    }
    if (const Status ok = only_members(ends, "by only"); !ok) return ok.error();
    if (ends.contains("by") && ends["by"] != "difference") return error("'by' is difference");
    return Ends{ends.contains("by"), true};
}

// "offsets" and "extents", in the place of the whole buffer.
Status take_part(Context& ctx, const Function& f, const Site& site, const nlohmann::json& args,
                 Staging& out) {
    Buffer b = out.buffer;
    for (Expr extent : b->shape) {
        if (extent->type != b->shape[0]->type) {
            return error("the extents of " + b->name + " have several types");
        }
    }
    if (b->rank() == 0) return error("a scalar buffer has no tiles");
    const ScalarType type = b->shape[0]->type;
    const auto offsets = arg_exprs(ctx, args, "offsets", scope_at(ctx, f, site), type);
    if (!offsets) return offsets.error();
    const auto extents = arg_exprs(ctx, args, "extents", scope_at(ctx, f, site), type);
    if (!extents) return extents.error();
    if (offsets->size() != b->rank() || extents->size() != b->rank()) {
        return error("one offset and one extent for each dimension of " + b->name);
    }
    const Result<Ends> ends = ends_of(args);
    if (!ends) return ends.error();
    std::vector<Expr> inside;
    for (std::size_t d = 0; d < b->rank(); ++d) {
        Expr start = (*offsets)[d];
        Expr extent = (*extents)[d];
        if (!is_plain(start)) {
            return error("'" + print(start) + "' is not over variables and constants only");
        }
        const bool whole = extent == b->shape[d] && is_int_const(start, 0);
        if (whole && !is_int_const(extent)) continue;
        if (!is_int_const(extent) || extent->int_value() <= 0) {
            return error("the extents of a tile are constants above 0, or those of the buffer");
        }
        out.cells.map[d] = ctx.sub(out.cells.vars[d], start);
        out.cells.inverse[d] = ctx.add(start, out.cells.physical_vars[d]);
        if (ends->by_difference) {
            inside.push_back(ctx.lt(out.cells.physical_vars[d], ctx.sub(b->shape[d], start)));
            continue;
        }
        append(inside, range_facts(ctx, out.cells.inverse[d], ctx.int_imm(type, 0), b->shape[d]));
    }
    if (ends->only) {
        Scope scope = scope_at(ctx, f, site);
        for (Expr v : out.cells.physical_vars) scope.vars[*v->name] = v;
        const Result<Expr> only = arg_expr(ctx, args["ends"], "only", scope, kBool);
        if (!only) return only.error();
        if (!is_plain(*only)) {
            return error("'" + print(*only) + "' is not over variables and constants only");
        }
        inside.push_back(*only);
    }
    out.guard = ctx.all_of(inside);
    out.copy = ctx.buffer(out.copy->name, b->type, *extents, out.copy->scope);
    out.keeps_claims = false;
    return Unit{};
}

// The arguments that both rules have.
Result<Staging> read_staging(Context& ctx, const Function& f, const Site& site,
                             const nlohmann::json& args) {
    const Result<std::string> name = arg_string(args, "buffer");
    if (!name) return name.error();
    const Scope scope = scope_at(ctx, f, site);
    const auto found = scope.buffers.find(*name);
    if (found == scope.buffers.end()) return error("no buffer '" + *name + "' in scope");
    const Result<std::string> copy = arg_string(args, "name");
    if (!copy) return copy.error();
    const Result<std::string> memory = arg_string(args, "scope");
    if (!memory) return memory.error();
    const Result<std::vector<std::string>> names = arg_strings(args, "names");
    if (!names) return names.error();
    Staging out;
    Buffer b = out.buffer = found->second;
    if (names->size() != b->rank()) return error("one loop name for each dimension of " + *name);
    out.copy = ctx.buffer(*copy, b->type, {b->shape.begin(), b->shape.end()}, *memory);
    out.block = arg_string_if(args, "block").value_or("");
    out.keeps_claims = true;
    for (std::size_t d = 0; d < b->rank(); ++d) {
        out.cells.vars.push_back(ctx.var((*names)[d], b->shape[d]->type));
    }
    out.cells.map = out.cells.physical_vars = out.cells.inverse = out.cells.vars;
    if (!args.contains("offsets")) return out;
    if (const Status ok = take_part(ctx, f, site, args, out); !ok) return ok.error();
    return out;
}

class StageRead final : public Rule {
  public:
    std::string name() const override { return "stage-read"; }
    int version() const override { return 2; }
    std::string summary() const override { return "loads inside a statement go through a copy"; }

    Result<Proposal> propose(Context& ctx, const Function& before, const Site& site,
                             const nlohmann::json& args) const override {
        Result<Staging> staging = read_staging(ctx, before, site, args);
        if (!staging) return staging.error();
        if (args.contains("again")) {
            const Result<Site> nest = arg_site(args, "again");
            if (!nest) return nest.error();
            staging->again = *nest;
            staging->guard = nullptr;
        }
        return stage(ctx, before, site, *staging);
    }
};

// A witness that is in the same run of the statement at `site`.
Result<Witness> inner_witness(Context& ctx, const Function& f, const Site& site,
                              nlohmann::json value, const Scope& scope) {
    if (const Status ok = only_members(value, "at statement"); !ok) return ok.error();
    if (value.contains("at") && !value["at"].is_object()) {
        return error("'at' of a witness is no object");
    }
    for (Expr v : point_at(ctx, f, site).loops) value["at"][*v->name] = *v->name;
    return read_witness(ctx, f, value, scope);
}

class StageWrite final : public Rule {
  public:
    std::string name() const override { return "stage-write"; }
    int version() const override { return 2; }
    std::string summary() const override {
        return "what a statement writes goes through a buffer of its own";
    }

    Result<Proposal> propose(Context& ctx, const Function& before, const Site& site,
                             const nlohmann::json& args) const override {
        Result<Staging> staging = read_staging(ctx, before, site, args);
        if (!staging) return staging.error();
        const Result<Located> at = locate(before, site);
        if (!at) return at.error();
        if (at->stmt == nullptr) return error("stage-write works on a statement");
        Buffer b = staging->buffer;
        if (!stores_to(at->stmt, b)) return error("the statement does not store to " + b->name);
        if (!args.contains("writer") || !args["writer"].is_object()) {
            return error("no witness that every cell of " + b->name + " is stored");
        }
        Scope scope = scope_at(ctx, before, site);
        for (Expr v : staging->cells.physical_vars) scope.vars[*v->name] = v;
        const Result<Witness> writer = inner_witness(ctx, before, site, args["writer"], scope);
        if (!writer) return writer.error();
        staging->back = true;
        staging->writer = *writer;
        const nlohmann::json reads = args.value("reads", nlohmann::json::object());
        if (!reads.is_object()) return error("'reads' is no object");
        for (const auto& [statement, witnesses] : reads.items()) {
            const Result<Site> load = Site::parse(statement);
            if (!load) return load.error();
            const Result<Located> loads = locate(before, *load);
            if (!loads) return loads.error();
            if (!witnesses.is_array()) return error("'reads' holds no list of " + statement);
            const Scope there = scope_at(ctx, before, *load);
            for (const nlohmann::json& value : witnesses) {
                const Result<Witness> w = inner_witness(ctx, before, site, value, there);
                if (!w) return w.error();
                staging->reads[*load].push_back(*w);
            }
        }
        return stage(ctx, before, site, *staging);
    }
};

}  // namespace

const Rule& stage_read_rule() {
    static const StageRead rule;
    return rule;
}

const Rule& stage_write_rule() {
    static const StageWrite rule;
    return rule;
}

}  // namespace proviso::rewrite
