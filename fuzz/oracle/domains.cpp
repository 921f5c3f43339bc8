#include <fmt/format.h>

#include "fuzz/oracle/expressions.h"
#include "ir/domains/congruence.h"
#include "ir/domains/evaluate.h"
#include "ir/domains/float_class.h"
#include "ir/domains/interval.h"
#include "ir/domains/number.h"
#include "ir/text.h"

namespace proviso::fuzz {

using namespace ir;

namespace {

const std::vector<ScalarType>& checked_types() {
    static const std::vector<ScalarType> types = {kInt32,  kInt8,    kUInt8,   kInt64, kFloat32,
                                                  kUInt16, kFloat16, kFloat64, kBool};
    return types;
}

struct Assigned {
    Expr var;
    Value value;
    Int128 lo = 0;
    Int128 hi = 0;
};

Finding finding(const char* domain, Expr e, const std::vector<Assigned>& vars, const Value& value,
                const std::string& claimed) {
    std::string where;
    for (const Assigned& a : vars) {
        where += fmt::format("{}{} = {}", where.empty() ? "" : ", ", *a.var->name,
                             a.value.str(a.var->type));
    }
    return Finding{"domains",
                   domain,
                   fmt::format("{} is {} where {}, but the domain says {}", print(e),
                               value.str(e->type), where, claimed),
                   {},
                   {}};
}

}  // namespace

std::optional<Finding> check_domains(Choice& choice, ExpressionCounts& counts) {
    Context ctx;
    std::set<std::string> names;
    ValueGen gen(ctx, choice, names);
    std::vector<Assigned> vars;
    for (const char* name : {"x", "y", "z"}) {
        const ScalarType type = choice.pick(checked_types());
        const InputStyle style = choice.pick({InputStyle::Small, InputStyle::Adversarial});
        CellRange range{-100, 100};
        if (type.is_int() && choice.chance(50)) range = {type.min_value(), type.max_value()};
        if (type.is_bool() || type.is_float()) range = {0, 1};
        const Value value = random_value(type, range, style, choice);
        vars.push_back(Assigned{ctx.var(name, type), value, range.lo, range.hi});
        gen.named.push_back(Ranged{vars.back().var, range.lo, range.hi});
    }
    Expr e = gen.value(choice.pick(checked_types()), 4).value;
    Environment env;
    for (const Assigned& a : vars) env.vars[a.var] = a.value;
    const Evaluation out = evaluate(e, env);
    if (!out.ok() || out.value.is_indet()) return std::nullopt;
    ++counts.checked;

    IntervalEval intervals;
    CongruenceEval congruences;
    NumberEval numbers;
    FloatClassEval classes;
    for (const Assigned& a : vars) {
        const ScalarType type = a.var->type;
        if (!type.is_int()) continue;
        const Int128 lo = std::max(a.lo, type.min_value());
        const Int128 hi = std::min(a.hi, type.max_value());
        intervals.assign(a.var, Interval::between(lo, hi));
        numbers.assign(
            a.var, *reduced({Interval::between(lo, hi), Congruence::all(), KnownBits::of(type)}));
        if (type.is_exact_int() && choice.chance(50)) {  // a fact that holds
            const Int128 bound = *a.value.integer().to_int128();
            if (type.contains(bound + 3)) {
                Expr fact = ctx.lt(a.var, ctx.int_imm(type, bound + 3));
                learn(intervals, fact);
                learn(numbers, fact);
            }
            Expr modulus = ctx.int_imm(type, 4);
            const Integer rest = floormod(a.value.integer(), 4);
            learn(congruences,
                  ctx.eq(ctx.floormod(a.var, modulus), ctx.int_imm(type, *rest.to_int128())));
        }
    }
    if (e->type.is_float()) {
        const FloatClass c = classes(e);
        const FloatClass is = FloatClass::of(e->type, out.value);
        if (!is.within(c.mask)) return finding("float classes", e, vars, out.value, c.str());
        return std::nullopt;
    }
    const Integer value = out.value.integer();
    const Interval range = intervals(e);
    if (!range.contains(value)) return finding("intervals", e, vars, out.value, range.str());
    const Congruence rest = congruences(e);
    if (!e->type.is_bool() && !rest.contains(value)) {
        return finding("congruences", e, vars, out.value, rest.str());
    }
    const Number known = numbers(e);
    if (!known.contains(value)) return finding("known bits", e, vars, out.value, known.str());
    const FloatClass truth = classes(e);
    if (e->type.is_bool() && !FloatClass::of(e->type, out.value).within(truth.mask)) {
        return finding("float classes", e, vars, out.value, truth.str());
    }
    return std::nullopt;
}

}  // namespace proviso::fuzz
