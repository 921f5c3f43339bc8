// relayout: a buffer in another layout, with padding.
//
//   before   B: (14,)          B[i] = …
//   after    B: (4, 4)         B[i // 4, i % 4] = …      and, with a padding value, padding assumed
//   or written
//
// Arguments: "buffer"; "shape": physical extents; "vars", "map": logical index names and f;
// "physical_vars",
//   "inverse": physical index names and g, the witness that f is injective; "pad": "none", "undef",
//   an expression over the physical indices, or a load of the buffer at such indices (wrap-around);
//   "exact": true where the caller of an input of floats provides that value bit for bit;
//   "names": loop names for the padding nests; for a buffer that is stored to and padded: "boxes":
//   [[["lo", "hi"], …], …] physical boxes that are exactly the padding (or {"guarded": true,
//   "ranges": …}), "after": the statement after which they are written (on every run, in the
//   buffer's scope).
// Obligations:
//   1. for logical x in bounds: f(x) is computed without fault and in bounds, and g(f(x)) = x;
//   2. the physical buffer fits in 2^47 bytes, whatever the sizes are;
//   3. where padding is written: every box holds only padding, and together they hold all of it;
//   4. a cell that padding repeats is data (an image), may be read, and is definite where that is
//      assumed at the start; nothing stores to the buffer after padding has repeated it.
// Accesses change index and nothing else, in the same order, so the rest is renaming of cells.
// Padding of an input (never stored to) is provided by the caller: assumed at the start, and part
// of the contract, which promises no less: numbers that are equal, or, where `exact`, the same
// bits. Padding of anything else is written.
#include "rewrite/rules/statement/relayout.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "analysis/facts.h"
#include "analysis/formula.h"
#include "analysis/layout_obligations.h"
#include "analysis/path.h"
#include "ir/text.h"
#include "ir/well_formed.h"
#include "rewrite/kernel/arguments.h"
#include "rewrite/rules/common.h"
#include "rewrite/rules/statement/statement_rules.h"

namespace proviso::rewrite {

using namespace ir;
using namespace analysis;

namespace {

class Relayouter {
  public:
    Relayouter(Context& ctx, const Function& before, const RelayoutPlan& plan)
        : ctx_(ctx), before_(before), plan_(plan), layout_(plan.layout) {}

    Result<Proposal> run() {
        const Buffer b = plan_.buffer;
        const bool parameter = before_.find_buffer_param(b->name) == b;
        const bool stored = stores_to(before_.body, b);
        if (const Status ok = check_names(); !ok) return ok.error();
        if (const Status ok = check_extents(); !ok) return ok.error();
        if (const Status ok = check_indices(); !ok) return ok.error();
        if (const Status ok = check_size(); !ok) return ok.error();
        bijection();
        out_.after = replace_buffer(ctx_, before_, b, plan_.target, [&](std::vector<Expr> at) {
            Substitution to_logical;
            for (std::size_t d = 0; d < at.size(); ++d) to_logical[layout_.vars[d]] = at[d];
            std::vector<Expr> out;
            for (Expr f : layout_.map) out.push_back(substitute(ctx_, f, to_logical));
            return out;
        });
        layout_.holds_at_entry = parameter && !stored && layout_.pad_kind != PadKind::None;
        layout_.exact = layout_.exact && layout_.holds_at_entry;
        if (parameter) out_.after = with_layout(out_.after, layout_);
        if (layout_.pad_kind == PadKind::None) return std::move(out_);
        if (layout_.holds_at_entry) {
            assume_padding();
            return std::move(out_);
        }
        if (!stored) return error("the internal buffer " + b->name + " is never written");
        if (const Status ok = write_padding(); !ok) return ok.error();
        return std::move(out_);
    }

  private:
    // The relation is about the whole function, where no name of a loop or an iterator is bound.
    Status check_extents() const {
        std::set<Expr> known;
        for (Expr v : before_.scalar_params()) known.insert(v);
        for (Buffer b : before_.buffer_params()) {
            for (Expr extent : b->shape) {
                for (Expr v : free_vars(extent)) known.insert(v);
            }
        }
        for (Expr extent : plan_.buffer->shape) {
            for (Expr v : free_vars(extent)) {
                if (known.count(v) != 0) continue;
                return error("the extents of " + plan_.buffer->name + " speak of " + *v->name +
                                 ", which is bound inside the function",
                             "a layout needs extents over parameters");
            }
        }
        return Unit{};
    }

    std::vector<Expr> physical_bounds() const {
        std::vector<Expr> out;
        for (std::size_t k = 0; k < layout_.physical_vars.size(); ++k) {
            Expr p = layout_.physical_vars[k];
            append(out, range_facts(ctx_, p, ctx_.int_imm(p->type, 0), plan_.target->shape[k]));
        }
        return out;
    }

    // Index variables mean themselves, not a size or a loop that an extent speaks of.
    Status check_names() const {
        std::vector<Expr> extents = layout_.logical_shape;
        extents.insert(extents.end(), plan_.target->shape.begin(), plan_.target->shape.end());
        std::vector<Expr> indices = layout_.vars;
        append(indices, layout_.physical_vars);
        for (Expr e : extents) {
            if (e->type != indices[0]->type) return error("the extents differ in type");
            for (Expr v : free_vars(e)) {
                const bool taken = std::any_of(indices.begin(), indices.end(),
                                               [&](Expr x) { return *x->name == *v->name; });
                if (taken) return error("index name '" + *v->name + "' is taken");
            }
        }
        return Unit{};
    }

    // Every access, permissions included: indices of the layout's type, which may be evaluated once
    // for each physical dimension, or not at all.
    Status check_indices() const {
        Status out = Unit{};
        const auto check = [&](std::span<const Expr> indices) {
            for (Expr i : indices) {
                if (i->type != layout_.vars[0]->type) out = error("index of another integer type");
                const bool binds = has_op(i, Op::Let) && !loaded_buffers(i).empty();
                if (makes_call(i)) out = error("an index makes an opaque call");
                if (binds || has_op(i, Op::Undef)) {
                    out = error("an index may be another value each time");
                }
            }
        };
        const auto loads = [&](Expr root) {
            for_each_node(root, [&](Expr e) {
                if (e->op == Op::Load && e->buffer == plan_.buffer) check(e->args);
            });
            return root;
        };
        // Domains and regions of blocks as well, which are no children.
        rewrite_stmt(ctx_, before_.body, loads, nullptr);
        for_each_stmt(before_.body, [&](Stmt s) {
            const Store* n = s->as<Store>();
            if (n != nullptr && n->buffer == plan_.buffer) check(n->indices);
        });
        return out;
    }

    // Extents are not negative and their product, with the element size, fits in 2^47 bytes: each
    // symbolic one gets a limit, which is an obligation, and the product of limits is looked at
    // here.
    Status check_size() {
        Int128 bytes = plan_.target->type.bytes();
        const bool as_before = plan_.same_size || is_permutation(plan_.buffer, plan_.target);
        for (Expr extent : plan_.target->shape) {
            if (is_int_const(extent) && extent->int_value() < 0) {
                return error("a physical extent is negative");
            }
            if (as_before && !is_int_const(extent)) continue;
            const Int128 limit = is_int_const(extent) ? extent->int_value() : limit_of(extent);
            bytes = limit > kMaxBufferBytes ? Int128{kMaxBufferBytes} + 1 : bytes * limit;
            if (bytes > kMaxBufferBytes) {
                if (is_int_const(extent)) return error("the physical buffer is too large");
                return error("the physical buffer may be larger than 2^47 bytes",
                             "give the sizes upper bounds: T.func_attr({\"tir_var_upper_bound\": "
                             "{\"n\": 1000000}})");
            }
            if (is_int_const(extent) || limit == extent->type.max_value()) continue;
            out_.obligations.push_back(Obligation{
                "the physical extent " + print(extent) + " is at most " + int128_text(limit),
                parameter_facts(ctx_, before_),
                ctx_.le(extent, ctx_.int_imm(extent->type, limit))});
        }
        return Unit{};
    }

    static bool is_permutation(Buffer a, Buffer b) {
        return a->rank() == b->rank() &&
               std::is_permutation(a->shape.begin(), a->shape.end(), b->shape.begin());
    }

    // A guess at the largest value of an extent that is not negative, from declared bounds.
    Int128 limit_of(Expr e) const {
        const Int128 most = e->type.max_value();
        const auto capped = [&](Int128 v) { return std::clamp(v, Int128{0}, most); };
        const bool by_constant = e->args.size() == 2 && is_int_const(e->arg(1));
        switch (e->op) {
            case Op::IntImm: return e->int_value();
            case Op::Var: {
                const auto declared = before_.upper_bound(*e->name);
                return declared ? capped(*declared) : most;
            }
            case Op::Add: return capped(limit_of(e->arg(0)) + limit_of(e->arg(1)));
            case Op::Sub:
                return by_constant ? capped(limit_of(e->arg(0)) - e->arg(1)->int_value()) : most;
            case Op::Mul: {
                const Int128 a = limit_of(e->arg(0));
                const Int128 b = limit_of(e->arg(1));
                return a > 0 && b > 0 && a <= most / b ? a * b : most;
            }
            case Op::FloorDiv: {
                const bool positive = by_constant && e->arg(1)->int_value() > 0;
                const Int128 a = limit_of(e->arg(0));
                return positive && a >= 0 ? a / e->arg(1)->int_value() : most;
            }
            default: return most;
        }
    }

    void bijection() {
        const std::vector<Expr> facts = parameter_facts(ctx_, before_);
        for (Expr extent : plan_.target->shape) {
            if (is_int_const(extent)) continue;
            Expr fine = ctx_.all_of({no_fault(ctx_, extent), in_range(ctx_, extent),
                                     ctx_.le(ctx_.int_imm(extent->type, 0), extent)});
            out_.obligations.push_back(
                Obligation{"the physical extent is computed without a fault", facts, fine});
        }
        for (Obligation& o : bijection_obligations(ctx_, facts, layout_, plan_.target->shape)) {
            out_.obligations.push_back(std::move(o));
        }
    }

    std::vector<LoopRange> loops_over(const std::vector<std::pair<Expr, Expr>>& ranges,
                                      std::size_t box, std::vector<Expr>& vars) {
        std::vector<LoopRange> out;
        for (std::size_t k = 0; k < ranges.size(); ++k) {
            std::string name = plan_.names.at(k);
            if (box > 0) name += "_" + std::to_string(box);
            Expr v = ctx_.var(name, layout_.physical_vars[k]->type);
            vars.push_back(v);
            out.push_back(LoopRange{v, ranges[k].first, ranges[k].second});
        }
        return out;
    }

    Expr at_loops(Expr e, const std::vector<Expr>& vars) {
        Substitution map;
        for (std::size_t k = 0; k < vars.size(); ++k) map[layout_.physical_vars[k]] = vars[k];
        return substitute(ctx_, e, map);
    }

    // The predicate as it is printed: conditions that the bounds decide for constants are left out
    // by the simplifier.
    Expr image_at(const std::vector<Expr>& vars) { return layout_.in_image(ctx_, vars); }

    // Where `facts` hold and p is padding, it can hold what is promised.
    void pad_is_safe(std::vector<Expr> facts) {
        if (auto owed = padding_obligation(ctx_, facts, layout_)) {
            out_.obligations.push_back(std::move(*owed));
        }
        if (layout_.pad_kind != PadKind::Cell) return;
        facts.push_back(ctx_.not_(layout_.in_image(ctx_, layout_.physical_vars)));
        append(facts, definedness_facts(ctx_, out_.after, {layout_.pad}));
        std::vector<Expr> readable = {
            accessible(ctx_, out_.after, plan_.target, layout_.pad->args)};
        if (layout_.holds_at_entry) readable.push_back(definite(ctx_, layout_.pad));
        Expr goal = ctx_.all_of(readable);
        if (is_true(goal)) return;
        out_.obligations.push_back(
            Obligation{"the cell that padding repeats may be read", std::move(facts), goal});
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
        std::vector<Expr> known = parameter_facts(ctx_, before_);
        append(known, physical_bounds());
        Expr fine = no_fault(ctx_, layout_.in_image(ctx_, layout_.physical_vars));
        if (!is_true(fine)) {
            out_.obligations.push_back(
                Obligation{"the inverse is computed without a fault in the padding", known, fine});
        }
        pad_is_safe(std::move(known));
        std::vector<std::pair<Expr, Expr>> all;
        for (std::size_t k = 0; k < layout_.physical_vars.size(); ++k) {
            Expr extent = plan_.target->shape[k];
            all.emplace_back(ctx_.int_imm(extent->type, 0), extent);
        }
        std::vector<Expr> vars;
        const std::vector<LoopRange> loops = loops_over(all, 0, vars);
        Expr load = ctx_.load(plan_.target, vars);
        Expr pad = layout_.pad_kind == PadKind::Undef ? ctx_.undef(plan_.target->type)
                                                      : at_loops(layout_.pad, vars);
        Stmt assume = ctx_.stmt(Assume{ctx_.or_(image_at(vars), holds_pad(load, pad))});
        out_.after.body = ctx_.seq({nest(ctx_, loops, assume), out_.after.body});
    }

    void bounds_are_safe(const PadBox& box, std::size_t i) {
        std::vector<Expr> fine;
        for (const auto& [lo, hi] : box.ranges) {
            append(fine, {no_fault(ctx_, lo), in_range(ctx_, lo), no_fault(ctx_, hi),
                          in_range(ctx_, hi)});
        }
        Expr goal = ctx_.all_of(fine);
        if (is_true(goal)) return;
        out_.obligations.push_back(
            Obligation{"box " + std::to_string(i) + " of the padding is computed without a fault",
                       parameter_facts(ctx_, before_), goal});
    }

    // Padding that repeats a cell holds what the cell holds at the end.
    Status nothing_stored_later() const {
        if (layout_.pad_kind != PadKind::Cell) return Unit{};
        for (const PathStep& step : path_to(out_.after, plan_.after).steps) {
            const Seq* list = step.stmt->as<Seq>();
            if (list == nullptr) continue;
            for (std::size_t k = std::stoul(step.label) + 1; k < list->body.size(); ++k) {
                if (!stores_to(list->body[k], plan_.target)) continue;
                return error("the padding repeats cells that are stored to after " +
                             plan_.after.str());
            }
        }
        return Unit{};
    }

    Status write_padding() {
        const Result<Located> at = locate(out_.after, plan_.after);
        if (!at) return at.error();
        if (at->stmt == nullptr) return error("'after' must name a statement");
        for (const PathStep& step : path_to(out_.after, plan_.after).steps) {
            const bool always =
                step.stmt->is<Seq>() || step.stmt->is<Allocate>() || step.stmt->is<LetStmt>();
            if (!always) {
                return error("padding written after " + plan_.after.str() +
                                 " would not be written on every run",
                             "name a statement that is in no loop and no branch");
            }
        }
        if (const Status ok = nothing_stored_later(); !ok) return ok.error();
        const Scope scope = scope_at(ctx_, out_.after, plan_.after);
        if (scope.buffers.count(plan_.target->name) == 0) {
            return error("'after' is not in the scope of " + plan_.target->name);
        }
        std::vector<Stmt> parts = {at->stmt};
        std::vector<Expr> covered;
        const std::vector<Expr> in_bounds = physical_bounds();
        Expr padding = ctx_.not_(layout_.in_image(ctx_, layout_.physical_vars));
        std::vector<Expr> known = parameter_facts(ctx_, before_);
        append(known, in_bounds);
        for (std::size_t i = 0; i < plan_.boxes.size(); ++i) {
            const PadBox& box = plan_.boxes[i];
            std::vector<Expr> inside;
            for (std::size_t k = 0; k < box.ranges.size(); ++k) {
                append(inside, range_facts(ctx_, layout_.physical_vars[k], box.ranges[k].first,
                                           box.ranges[k].second));
            }
            covered.push_back(ctx_.all_of(inside));
            std::vector<Expr> facts = parameter_facts(ctx_, before_);
            append(facts, inside);
            pad_is_safe(facts);
            bounds_are_safe(box, i);
            std::vector<Expr> goal = in_bounds;
            if (!box.guarded) goal.push_back(padding);
            goal.push_back(no_fault(ctx_, padding));
            out_.obligations.push_back(Obligation{"box " + std::to_string(i) +
                                                      " of the padding is in bounds and holds "
                                                      "nothing else",
                                                  facts, ctx_.all_of(goal)});
            std::vector<Expr> vars;
            const std::vector<LoopRange> loops = loops_over(box.ranges, i, vars);
            Expr pad = layout_.pad_kind == PadKind::Undef ? ctx_.undef(plan_.target->type)
                                                          : at_loops(layout_.pad, vars);
            Stmt write = ctx_.store(plan_.target, vars, pad);
            if (box.guarded) write = ctx_.if_(ctx_.not_(image_at(vars)), write);
            parts.push_back(nest(ctx_, loops, write));
        }
        known.push_back(padding);
        out_.obligations.push_back(
            Obligation{"all of the padding is written", known, ctx_.any_of(covered)});
        out_.after = replace_at(ctx_, out_.after, plan_.after, ctx_.seq(parts));
        return Unit{};
    }

    Context& ctx_;
    const Function& before_;
    const RelayoutPlan& plan_;
    Layout layout_;
    Proposal out_;
};

}  // namespace

Result<Proposal> relayout(Context& ctx, const Function& before, const RelayoutPlan& plan) {
    return Relayouter(ctx, before, plan).run();
}

}  // namespace proviso::rewrite
