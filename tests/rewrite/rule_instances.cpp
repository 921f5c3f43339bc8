#include "tests/rewrite/rule_instances.h"

#include <array>
#include <cmath>
#include <limits>

#include "ir/children.h"
#include "ir/domains/integer.h"

namespace proviso::rewrite::test {

using ir::Expr;
using ir::ScalarType;

namespace {

std::int64_t between(std::mt19937_64& random, std::int64_t lo, std::int64_t hi) {
    return std::uniform_int_distribution<std::int64_t>(lo, hi)(random);
}

ir::Int128 interesting_integer(ScalarType type, std::mt19937_64& random) {
    ir::Int128 v = 0;
    switch (between(random, 0, 9)) {
        case 0: v = type.min_value() + between(random, 0, 2); break;
        case 1: v = type.max_value() - between(random, 0, 2); break;
        case 2: v = static_cast<std::int64_t>(random()); break;
        case 3: v = ir::Int128(1) << between(random, 0, type.bits - 1); break;
        default: v = between(random, -12, 24);
    }
    return *ir::Integer(v).wrap(type).to_int128();
}

double interesting_real(ScalarType type, std::mt19937_64& random) {
    constexpr double inf = std::numeric_limits<double>::infinity();
    static const std::array<double, 12> corners = {
        0.0, -0.0, 1.0,  -1.0,  inf,    -inf, std::numeric_limits<double>::quiet_NaN(),
        0.5, 3.0,  1e-8, -7.25, 60000.0};
    if (between(random, 0, 3) != 0) {
        const auto i = static_cast<std::size_t>(between(random, 0, 11));
        return ir::round_to_type(type, corners[i]);
    }
    return ir::round_to_type(type, std::ldexp(static_cast<double>(between(random, -1000, 1000)),
                                              static_cast<int>(between(random, -20, 20))));
}

}  // namespace

Expr interesting_constant(ir::Context& ctx, ScalarType type, std::mt19937_64& random) {
    if (type.is_float()) return ctx.float_imm(type, interesting_real(type, random));
    if (type.is_bool()) return ctx.bool_imm(between(random, 0, 1) == 1);
    return ctx.int_imm(type, interesting_integer(type, random));
}

std::optional<Bindings> InstanceMaker::bindings(const RuleInstance& rule) {
    const std::vector<Expr> variables = ir::free_vars(rule.left);
    for (int attempt = 0; attempt < 20'000; ++attempt) {
        Bindings out;
        for (Expr v : variables) {
            const int slot = slot_of(v);
            Expr& term = out.terms[static_cast<std::size_t>(slot)];
            if (!is_constant_slot(slot)) {
                term = ctx_.var(*v->name, v->type);
            } else if (attempt % 2 == 1 && v->type.is_int()) {
                // Small ones meet conditions like c2 == c1 * c3; others shift everything out.
                const bool small = attempt % 4 == 1;
                term =
                    ctx_.int_imm(v->type, small ? between(random_, 1, 6) : between(random_, 4, 63));
            } else {
                term = interesting_constant(ctx_, v->type, random_);
            }
        }
        if (where_holds(rule, out)) return out;
    }
    return std::nullopt;
}

}  // namespace proviso::rewrite::test
