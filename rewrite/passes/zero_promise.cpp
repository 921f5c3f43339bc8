#include "rewrite/passes/zero_promise.h"

#include <cmath>

#include "analysis/layout.h"

namespace proviso::rewrite {

using namespace ir;

namespace {

std::string zero_text(bool minus) {
    return minus ? "-0.0" : "0.0";
}

}  // namespace

std::optional<MissingPromise> missing_promise(Context& ctx, const Function& f, Expr load,
                                              Expr wanted) {
    if (load->op != Op::Load || !load->type.is_float()) return std::nullopt;
    if (f.find_buffer_param(load->buffer->name) != load->buffer) return std::nullopt;
    const bool constant = wanted->op == Op::FloatImm;
    if (constant && wanted->float_value() != 0.0) return std::nullopt;
    for (const analysis::Layout& l : analysis::layouts_of(ctx, f, load->buffer->name)) {
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

}  // namespace proviso::rewrite
