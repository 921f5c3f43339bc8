#include <algorithm>
#include <cmath>
#include <set>

#include "analysis/facts/facts.h"
#include "analysis/facts/formula.h"
#include "analysis/facts/path.h"
#include "analysis/layout/layout_obligations.h"
#include "ir/planted.h"
#include "ir/text.h"
#include "ir/well_formed.h"
#include "rewrite/rules/common.h"
#include "rewrite/rules/relocate/cells.h"
#include "rewrite/rules/relocate/relocate.h"

namespace proviso::rewrite {

using namespace ir;
using namespace analysis;

namespace {

class Relayouter {
  public:
    Relayouter(Context& ctx, const Function& before, const Relayout& r)
        : ctx_(ctx), before_(before), r_(r), layout_(r.layout) {}

    Result<Proposal> run() {
        const Buffer b = r_.buffer;
        const bool parameter = before_.find_buffer_param(b->name) == b;
        target_ = ctx_.buffer(b->name, b->type, r_.shape, b->scope);
        layout_.buffer = b->name;
        layout_.logical_shape.assign(b->shape.begin(), b->shape.end());
        if (layout_.pad != nullptr) {
            layout_.pad_kind = layout_.pad->op == Op::Load ? PadKind::Cell : PadKind::Value;
        } else if (layout_.pad_kind != PadKind::Undef) {
            layout_.pad_kind = PadKind::None;
        }
        layout_.holds_at_entry = parameter && !stores_to(before_.body, b) && has_padding();
        layout_.exact = r_.layout.exact && layout_.holds_at_entry && b->type.is_float();
        Status fine = relation();
        if (fine) fine = can_move(ctx_, before_.body, b, layout_.vars);
        if (fine) fine = fits();
        if (!fine) return fine.error();
        known_ = parameter_facts(ctx_, before_);
        for (Expr extent : r_.shape) {
            Expr zero = ctx_.int_imm(extent->type, 0);
            owe(ctx_, out_.obligations,
                {Owed::Extent, "the physical extent is computed without a fault"}, known_,
                is_int_const(extent) ? ctx_.true_()
                                     : ctx_.all_of({no_fault(ctx_, extent), in_range(ctx_, extent),
                                                    ctx_.le(zero, extent)}));
        }
        append(out_.obligations, bijection_obligations(ctx_, known_, layout_, r_.shape));
        out_.after = before_;
        for (Param& p : out_.after.params) {
            Buffer* own = std::get_if<Buffer>(&p);
            if (own != nullptr && *own == b) *own = target_;
        }
        out_.after.body = move_cells(ctx_, before_.body, layout_, b, target_);
        if (parameter) out_.after = with_layout(out_.after, layout_);
        if (layout_.holds_at_entry) {
            assume_padding();
        } else if (has_padding()) {
            fine = write_padding();
        }
        if (!fine) return fine.error();
        for (Obligation& o : out_.obligations) o.purpose.buffer = b;
        return std::move(out_);
    }

  private:
    bool has_padding() const { return layout_.pad_kind != PadKind::None; }

    // The relation is about the whole function, where no name of a loop or an iterator is bound:
    // its expressions are over scalar parameters and its own indices, whose names no parameter has.
    Status relation() const {
        if (layout_.vars.empty() || r_.shape.empty()) {
            return error("a layout has at least one dimension");
        }
        std::vector<Expr> scalars = before_.scalar_params();
        if (const Status ok = are_cells(layout_, r_.buffer, target_, scalars); !ok) return ok;
        const ScalarType type = layout_.vars[0]->type;
        for (const auto* own : {&layout_.vars, &layout_.physical_vars}) {
            for (Expr v : *own) {
                const bool taken = std::any_of(scalars.begin(), scalars.end(),
                                               [&](Expr s) { return *s->name == *v->name; });
                if (taken && !planted("relocate:name-of-a-parameter")) {
                    return error("index name '" + *v->name + "' is taken");
                }
                if (v->type != type) return error("the extents differ in type");
                if (is_printable_name(*v->name) || planted("relocate:any-name")) continue;
                return error("'" + *v->name + "' is no name for an index");
            }
        }
        Status fine = are_over(layout_.logical_shape, type, scalars);
        if (fine) fine = are_over(r_.shape, type, scalars);
        for (const PadBox& box : r_.boxes) {
            if (box.ranges.size() != r_.shape.size()) return error("a box has other dimensions");
            for (const auto& [lo, hi] : box.ranges) {
                if (fine) fine = are_over({lo, hi}, type, scalars);
            }
        }
        append(scalars, layout_.physical_vars);
        Expr pad = layout_.pad;
        if (!fine || pad == nullptr) return fine;
        if (pad->op != Op::Load) return are_over({pad}, target_->type, scalars);
        if (pad->buffer != target_) return error("padding repeats cells of its own buffer");
        return are_over({pad->args.begin(), pad->args.end()}, type, scalars);
    }

    // Extents are not negative and their product, with the element size, fits in 2^47 bytes: there
    // are as many cells as before; or each extent has a limit, which is owed, and the product of
    // limits is looked at here.
    Status fits() {
        const std::vector<Expr>& was = layout_.logical_shape;
        const bool as_before =
            std::is_permutation(was.begin(), was.end(), r_.shape.begin(), r_.shape.end()) ||
            number_of_cells(ctx_, was) == number_of_cells(ctx_, r_.shape);
        Int128 bytes = target_->type.bytes();
        for (std::size_t k = 0; k < r_.shape.size() && !as_before; ++k) {
            Expr extent = r_.shape[k];
            const Int128 most = extent->type.max_value();
            const Int128 limit = std::clamp(r_.limits.at(k), Int128{0}, most);
            bytes = limit > kMaxBufferBytes ? Int128{kMaxBufferBytes} + 1 : bytes * limit;
            if (bytes > kMaxBufferBytes) {
                return error("the physical buffer may be larger than 2^47 bytes",
                             "give the sizes upper bounds: T.func_attr({\"tir_var_upper_bound\": "
                             "{\"n\": 1000000}})");
            }
            if (limit == most || is_int_const(extent, limit)) continue;
            owe(ctx_, out_.obligations,
                {Owed::Extent,
                 "the physical extent " + print(extent) + " is at most " + int128_text(limit)},
                parameter_facts(ctx_, before_), ctx_.le(extent, ctx_.int_imm(extent->type, limit)));
        }
        return Unit{};
    }

    std::vector<Expr> within(const std::vector<std::pair<Expr, Expr>>& ranges) const {
        std::vector<Expr> out;
        for (std::size_t k = 0; k < ranges.size(); ++k) {
            append(out,
                   range_facts(ctx_, layout_.physical_vars[k], ranges[k].first, ranges[k].second));
        }
        return out;
    }
    std::vector<std::pair<Expr, Expr>> all() const {
        std::vector<std::pair<Expr, Expr>> out;
        for (Expr e : r_.shape) out.emplace_back(ctx_.int_imm(e->type, 0), e);
        return out;
    }

    // Loops over the ranges around what `body` makes of their variables and the padding value.
    Stmt over(const std::vector<std::pair<Expr, Expr>>& ranges, std::size_t box,
              const std::function<Stmt(const std::vector<Expr>&, Expr)>& body) {
        std::vector<LoopRange> loops;
        std::vector<Expr> at;
        for (std::size_t k = 0; k < ranges.size(); ++k) {
            std::string name = r_.names.at(k);
            if (box > 0) name += "_" + std::to_string(box);
            at.push_back(ctx_.var(name, layout_.physical_vars[k]->type));
            loops.push_back(LoopRange{at.back(), ranges[k].first, ranges[k].second});
        }
        Expr pad = layout_.pad == nullptr ? ctx_.undef(target_->type)
                                          : substitute(ctx_, layout_.pad, layout_.at(ctx_, at));
        return nest(ctx_, loops, body(at, pad));
    }

    // Where `facts` hold and p is padding, it can hold what is promised.
    void pad_is_safe(std::vector<Expr> facts) {
        if (auto owed = padding_obligation(ctx_, facts, layout_)) {
            out_.obligations.push_back(std::move(*owed));
        }
        if (layout_.pad_kind != PadKind::Cell) return;
        facts.push_back(ctx_.not_(layout_.in_image(ctx_, layout_.physical_vars)));
        append(facts, definedness_facts(ctx_, out_.after, {layout_.pad}));
        Expr goal = accessible(ctx_, out_.after, target_, layout_.pad->args);
        if (layout_.holds_at_entry) goal = ctx_.all_of({goal, definite(ctx_, layout_.pad)});
        owe(ctx_, out_.obligations, {Owed::MayBeRead, "the cell that padding repeats may be read"},
            std::move(facts), goal);
    }

    // What the padding cell `load` holds, as a condition that holds for every value. A NaN equals
    // nothing, so a padding that may be one says so of both.
    Expr holds_pad(Expr load, Expr pad) {
        const bool may_be_nan = pad->type.is_float() && layout_.pad_kind != PadKind::Undef &&
                                (pad->op != Op::FloatImm || std::isnan(pad->float_value()));
        Expr equal = ctx_.eq(load, pad);
        if (layout_.exact) equal = ctx_.all_of({equal, sign_of_pad(load, pad)});
        if (!may_be_nan) return equal;
        Expr both_nan = ctx_.and_(ctx_.ne(pad, pad), ctx_.ne(load, load));
        return ctx_.or_(equal, both_nan);
    }

    // Where `load` equals `pad`: they are not zeros of different sign. What both hold is one value,
    // and so is what 1.0 divided by it gives: an infinity with the sign of the zero.
    Expr sign_of_pad(Expr load, Expr pad) {
        const auto inverse = [&](Expr e) {
            return ctx_.make(Op::Div, {ctx_.float_imm(e->type, 1.0), e});
        };
        if (pad->op != Op::FloatImm) return ctx_.eq(inverse(load), inverse(pad));
        const double value = pad->float_value();
        if (value != 0.0) return ctx_.true_();
        Expr zero = ctx_.float_imm(pad->type, 0.0);
        return std::signbit(value) ? ctx_.lt(inverse(load), zero) : ctx_.lt(zero, inverse(load));
    }

    void assume_padding() {
        append(known_, within(all()));
        owe(ctx_, out_.obligations,
            {Owed::NoFault, "the inverse is computed without a fault in the padding"}, known_,
            no_fault(ctx_, layout_.in_image(ctx_, layout_.physical_vars)));
        pad_is_safe(known_);
        Stmt assume = over(all(), 0, [&](const std::vector<Expr>& at, Expr pad) {
            return ctx_.stmt(Assume{
                ctx_.or_(layout_.in_image(ctx_, at), holds_pad(ctx_.load(target_, at), pad))});
        });
        out_.after.body = ctx_.seq({assume, out_.after.body});
    }

    Status write_padding() {
        const Result<Located> at = locate(out_.after, r_.after);
        if (!at || at->stmt == nullptr) return error("'after' must name a statement");
        for (const PassedNode& step : passed_on_the_way(out_.after, r_.after)) {
            const Seq* list = step.stmt->as<Seq>();
            const bool always =
                list != nullptr || step.stmt->is<Allocate>() || step.stmt->is<LetStmt>();
            if (!always && !planted("relocate:padding-sometimes")) {
                return error("padding written after " + r_.after.str() +
                                 " would not be written on every run",
                             "name a statement that is in no loop and no branch");
            }
            // Padding that repeats a cell holds what the cell holds at the end.
            if (list == nullptr || layout_.pad_kind != PadKind::Cell) continue;
            for (std::size_t k = std::stoul(step.label) + 1; k < list->body.size(); ++k) {
                if (!stores_to(list->body[k], target_) || planted("relocate:stored-later"))
                    continue;
                return error("the padding repeats cells that are stored to after " +
                             r_.after.str());
            }
        }
        std::vector<Stmt> parts = {at->stmt};
        std::vector<Expr> covered;
        Expr padding = ctx_.not_(layout_.in_image(ctx_, layout_.physical_vars));
        for (std::size_t i = 0; i < r_.boxes.size(); ++i) {
            const PadBox& box = r_.boxes[i];
            const std::string name = "box " + std::to_string(i) + " of the padding is ";
            std::vector<Expr> bounds;
            for (const auto& [lo, hi] : box.ranges) {
                append(bounds, {evaluated_bound(ctx_, lo), evaluated_bound(ctx_, hi)});
            }
            owe(ctx_, out_.obligations, {Owed::NoFault, name + "computed without a fault"}, known_,
                ctx_.all_of(bounds));
            const std::vector<Expr> inside = within(box.ranges);
            covered.push_back(ctx_.all_of(inside));
            std::vector<Expr> facts = known_;
            append(facts, inside);
            pad_is_safe(facts);
            std::vector<Expr> goal = within(all());
            if (!box.guarded) goal.push_back(padding);
            goal.push_back(no_fault(ctx_, padding));
            owe(ctx_, out_.obligations, {Owed::Padding, name + "in bounds and holds nothing else"},
                facts, ctx_.all_of(goal));
            parts.push_back(over(box.ranges, i, [&](const std::vector<Expr>& cell, Expr pad) {
                Stmt write = ctx_.store(target_, cell, pad);
                return box.guarded ? ctx_.if_(ctx_.not_(layout_.in_image(ctx_, cell)), write)
                                   : write;
            }));
        }
        append(known_, within(all()));
        known_.push_back(padding);
        owe(ctx_, out_.obligations, {Owed::Padding, "all of the padding is written"}, known_,
            ctx_.any_of(covered));
        out_.after = replace_at(ctx_, out_.after, r_.after, ctx_.seq(parts));
        return Unit{};
    }

    Context& ctx_;
    const Function& before_;
    const Relayout& r_;
    Layout layout_;
    Buffer target_ = nullptr;
    std::vector<Expr> known_;  // what holds where the function begins
    Proposal out_;
};

}  // namespace

Result<Proposal> relayout(Context& ctx, const Function& before, const Relayout& proposed) {
    return Relayouter(ctx, before, proposed).run();
}

}  // namespace proviso::rewrite
