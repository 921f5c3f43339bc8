#include "rewrite/rules/padding_bits.h"

#include <cmath>
#include <set>

#include "analysis/layout.h"
#include "analysis/path.h"

namespace proviso::rewrite {

using namespace ir;
using analysis::Layout;
using analysis::PadKind;

std::vector<Expr> padding_bits(Context& ctx, const Function& f, Expr value) {
    std::vector<Expr> out;
    std::set<std::uint32_t> seen;
    const bool subtracts = has_op(value, Op::Sub) || has_op(value, Op::Neg);
    for_each_node(value, [&](Expr e) {
        if (e->op != Op::Load || !e->type.is_float() || !seen.insert(e->id).second) return;
        Buffer b = e->buffer;
        if (f.find_buffer_param(b->name) != b || analysis::stores_to(f.body, b)) return;
        const std::vector<Layout> layouts = analysis::layouts_of(ctx, f, b->name);
        std::vector<Expr> at(e->args.begin(), e->args.end());
        std::vector<Expr> is_image;  // of the newer relations
        for (std::size_t level = layouts.size(); level-- > 0;) {
            const Layout& layout = layouts[level];
            Expr image = layout.in_image(ctx, at);
            const bool zero = layout.pad_kind == PadKind::Value && layout.holds_at_entry &&
                              layout.pad->op == Op::FloatImm && layout.pad->float_value() == 0.0;
            if (zero && (subtracts || std::signbit(layout.pad->float_value()))) {
                std::vector<Expr> when = is_image;
                when.push_back(ctx.not_(image));
                out.push_back(ctx.implies(ctx.all_of(when), ctx.same(e, layout.pad)));
            }
            is_image.push_back(image);
            at = layout.logical(ctx, layout.at(ctx, at));
        }
    });
    return out;
}

}  // namespace proviso::rewrite
