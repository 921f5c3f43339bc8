#include "fuzz/gen/nests.h"

#include <algorithm>

#include "ir/children.h"

namespace proviso::fuzz {

using namespace ir;

Expr NestGen::loop_var(const char* base) {
    return ctx_.var(fresh_name(base, names_), shape_[0].value->type);
}

ForKind NestGen::kind(bool outermost, bool innermost) {
    if (outermost && choice_.chance(12)) {
        features_.insert("parallel");
        return ForKind::Parallel;
    }
    if (innermost && choice_.chance(8)) {
        features_.insert("vectorized");
        return ForKind::Vectorized;
    }
    return choice_.chance(4) ? ForKind::Unrolled : ForKind::Serial;
}

Nest NestGen::nest(bool concurrent) {
    const bool constant_shape =
        std::all_of(shape_.begin(), shape_.end(), [](const Extent& e) { return e.lo == e.hi; });
    if (constant_shape && shape_.size() == 2 && choice_.chance(15)) return fused();
    Nest out;
    static const std::vector<const char*> bases = {"i", "j", "k"};
    const std::size_t rank = shape_.size();
    const bool split_first = choice_.chance(20);
    for (std::size_t d = 0; d < rank; ++d) {
        const Extent& e = shape_[d];
        if (d == 0 && split_first) {
            split(e, out);
            continue;
        }
        Expr v = loop_var(bases[d]);
        out.loops.push_back(NestLoop{v, e.value, ForKind::Serial});
        out.indices.push_back(v);
        out.variables.push_back(Variable{Ranged{v, 0, e.hi - 1}, e.value});
    }
    if (concurrent) {
        for (std::size_t k = 0; k < out.loops.size(); ++k) {
            out.loops[k].kind = kind(k == 0, k + 1 == out.loops.size());
        }
    }
    return out;
}

void NestGen::split(const Extent& e, Nest& out) {
    features_.insert("non-dividing split");
    const ScalarType type = e.value->type;
    const std::int64_t c = choice_.between(2, 4);
    Expr io = loop_var("io");
    Expr ii = loop_var("ii");
    const Int128 blocks = (e.hi + c - 1) / c;
    Expr count = e.lo == e.hi ? ctx_.int_imm(type, blocks)
                              : ctx_.floordiv(ctx_.add(e.value, ctx_.int_imm(type, c - 1)),
                                              ctx_.int_imm(type, c));
    Expr index = ctx_.add(ctx_.mul(io, ctx_.int_imm(type, c)), ii);
    out.loops.push_back(NestLoop{io, count, ForKind::Serial});
    out.loops.push_back(NestLoop{ii, ctx_.int_imm(type, c), ForKind::Serial});
    out.indices.push_back(index);
    out.variables.push_back(Variable{Ranged{index, 0, e.hi - 1}, e.value});  // under the guard
    out.guard = ctx_.lt(index, e.value);
    out.plain = false;
}

Nest NestGen::fused() {
    features_.insert("fused index");
    const ScalarType type = shape_[0].value->type;
    const Int128 e0 = shape_[0].hi;
    const Int128 e1 = shape_[1].hi;
    Expr f = loop_var("f");
    Nest out;
    out.plain = false;
    out.loops.push_back(NestLoop{f, ctx_.int_imm(type, e0 * e1), kind(true, false)});
    const Ranged all{f, 0, e0 * e1 - 1};
    const Ranged high = divide(ctx_, Op::FloorDiv, all, e1);
    const Ranged low = divide(ctx_, Op::FloorMod, all, e1);
    out.indices = {high.value, low.value};
    out.variables = {Variable{high, nullptr}, Variable{low, nullptr}, Variable{all, nullptr}};
    return out;
}

}  // namespace proviso::fuzz
