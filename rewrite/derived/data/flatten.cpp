// flatten: a buffer of several dimensions as one of one dimension, row-major.
//
//   before   B: (4, 8)   B[i, j]           after   B: (32,)   B[i * 8 + j]
//
// Arguments: "buffer"; "var": a name for the flat index. It is the relayout with f = row-major
// order and g = its digits, without padding (every flat cell is an image), and owes the same
// obligations. For a parameter the bytes that the caller passes stay where they are; the relation
// is recorded all the same.
#include <nlohmann/json.hpp>

#include "ir/planted.h"
#include "ir/well_formed.h"
#include "rewrite/derived/data/buffer_by_name.h"
#include "rewrite/kernel/arguments.h"
#include "rewrite/rules/relocate/cells.h"
#include "rewrite/rules/relocate/relocate.h"
#include "rewrite/rules/statement/statement_rules.h"

namespace proviso::rewrite {

using namespace ir;
using namespace analysis;

namespace {

// Of the logical index of a dimension.
std::string index_name(const std::string& flat, std::size_t d) {
    return flat + "_" + std::to_string(d);
}

class Flatten final : public Rule {
  public:
    std::string name() const override { return "flatten"; }
    std::string summary() const override { return "a buffer as one row-major dimension"; }

    Result<Proposal> propose(Context& ctx, const Function& before, const Site& site,
                             const nlohmann::json& args) const override {
        if (!site.steps.empty()) return error("flatten works on the whole function: site body");
        const Result<std::string> name = arg_string(args, "buffer");
        if (!name) return name.error();
        const Result<std::string> flat_name = arg_string(args, "var");
        if (!flat_name) return flat_name.error();
        if (!is_printable_name(*flat_name)) {
            return error("'" + *flat_name + "' is no name for an index");
        }
        Relayout plan;
        plan.buffer = buffer_by_name(before, *name);
        if (plan.buffer == nullptr) return error("no buffer '" + *name + "' in " + before.name);
        const std::size_t rank = plan.buffer->rank();
        if (rank < 2) return error("the buffer has fewer than two dimensions");
        for (Expr v : before.scalar_params()) {
            bool taken = *v->name == *flat_name;
            for (std::size_t d = 0; d < rank; ++d) taken |= *v->name == index_name(*flat_name, d);
            if (taken) return error("index name '" + *v->name + "' is taken");
        }
        const ScalarType type = plan.buffer->shape[0]->type;
        for (Expr extent : plan.buffer->shape) {
            if (extent->type != type) return error("the extents differ in type");
        }
        Layout& layout = plan.layout;
        const std::vector<Expr> shape(plan.buffer->shape.begin(), plan.buffer->shape.end());
        Expr flat = ctx.var(*flat_name, type);
        layout.physical_vars = {flat};
        Expr offset = nullptr;
        for (std::size_t d = 0; d < rank; ++d) {
            Expr x = ctx.var(index_name(*flat_name, d), type);
            layout.vars.push_back(x);
            const std::size_t stride = planted("flatten:other-stride") ? 0 : d;
            offset = offset == nullptr ? x : ctx.add(ctx.mul(offset, shape[stride]), x);
        }
        layout.map = {offset};
        layout.inverse.resize(rank);
        Expr rest = flat;
        for (std::size_t d = rank; d-- > 1;) {
            layout.inverse[d] = ctx.floormod(rest, shape[d]);
            rest = ctx.floordiv(rest, shape[d]);
        }
        layout.inverse[0] = rest;
        plan.shape = {number_of_cells(ctx, shape)};
        plan.limits = {plan.shape[0]->type.max_value()};
        return relayout(ctx, before, plan);
    }
};

}  // namespace

const Rule& flatten_rule() {
    static const Flatten rule;
    return rule;
}

}  // namespace proviso::rewrite
