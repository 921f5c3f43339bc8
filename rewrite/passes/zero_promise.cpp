#include "rewrite/passes/zero_promise.h"

#include <cmath>
#include <span>
#include <vector>

#include "analysis/layout/layout.h"
#include "ir/text.h"
#include "rewrite/simplify/fold_constants.h"

namespace proviso::rewrite {

using namespace ir;

namespace {

std::string zero_text(bool minus) {
    return minus ? "-0.0" : "0.0";
}

// The cell is the image of a logical cell, in every relation of its buffer: seen where its indices
// are constants.
bool holds_data(Context& ctx, std::span<const analysis::Layout> layouts, Expr load,
                const Substitution& sizes) {
    const auto value = [&](Expr e) {
        return rewrite_expr(ctx, substitute(ctx, e, sizes), [&](Expr node) {
            Expr folded = node->args.empty() ? nullptr : fold_constants(ctx, node);
            return folded == nullptr ? node : folded;
        });
    };
    std::vector<Expr> at(load->args.begin(), load->args.end());
    for (auto l = layouts.rbegin(); l != layouts.rend(); ++l) {
        if (!is_true(value(l->in_image(ctx, at)))) return false;
        at = l->logical(ctx, l->at(ctx, at));
        for (Expr& index : at) index = value(index);
    }
    return true;
}

}  // namespace

std::optional<MissingPromise> missing_promise(Context& ctx, const Function& f, Expr load,
                                              Expr wanted, const Substitution& sizes) {
    if (load->op != Op::Load || !load->type.is_float()) return std::nullopt;
    if (f.find_buffer_param(load->buffer->name) != load->buffer) return std::nullopt;
    const bool constant = wanted->op == Op::FloatImm;
    if (constant && wanted->float_value() != 0.0) return std::nullopt;
    const std::vector<analysis::Layout> layouts = analysis::layouts_of(ctx, f, load->buffer->name);
    if (holds_data(ctx, layouts, load, sizes)) return std::nullopt;
    for (const analysis::Layout& l : layouts) {
        if (!l.zero_of_either_sign()) continue;
        const bool named = l.pad->op == Op::FloatImm;
        if (named != constant) continue;
        if (!named) {
            return MissingPromise{"zeros of either sign are allowed by pad_value=… of " + l.buffer,
                                  true, "promise the padding bit for bit: pad_value=…, exact=True"};
        }
        const bool minus = std::signbit(wanted->float_value());
        return MissingPromise{
            zero_text(!minus) + " is allowed by pad_value=" +
                zero_text(std::signbit(l.pad->float_value())) + " of " + l.buffer,
            minus == std::signbit(l.pad->float_value()),
            "promise the padding bit for bit: pad_value=" + zero_text(minus) + ", exact=True"};
    }
    return std::nullopt;
}

namespace {

// What a relation says of the padding, as a schedule writes it; "" where it is `wanted`.
std::string said_of_padding(const analysis::Layout& l, Expr wanted) {
    switch (l.pad_kind) {
        case analysis::PadKind::None: return "may not be touched (pad_value is missing)";
        case analysis::PadKind::Undef: return "is undefined (pad_value=T.undef(…))";
        case analysis::PadKind::Cell: return "repeats another cell";
        case analysis::PadKind::Value: break;
    }
    return l.pad == wanted ? "" : "holds " + print(l.pad);
}

}  // namespace

std::optional<MissingPromise> other_padding(Context& ctx, const Function& f, Expr load,
                                            Expr wanted) {
    if (load->op != Op::Load || !is_const(wanted)) return std::nullopt;
    if (f.find_buffer_param(load->buffer->name) != load->buffer) return std::nullopt;
    for (const analysis::Layout& l : analysis::layouts_of(ctx, f, load->buffer->name)) {
        const std::string said = said_of_padding(l, wanted);
        if (said.empty()) continue;
        const bool zero = wanted->op == Op::FloatImm && wanted->float_value() == 0.0;
        const std::string value =
            zero ? zero_text(std::signbit(wanted->float_value())) : print(wanted);
        return MissingPromise{"the padding of " + l.buffer + " " + said, false,
                              "promise what the padding of " + l.buffer +
                                  " holds: pad_value=" + value + (zero ? ", exact=True" : "")};
    }
    return std::nullopt;
}

}  // namespace proviso::rewrite
