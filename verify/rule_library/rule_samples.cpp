#include "verify/rule_library/rule_samples.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "ir/children.h"

namespace proviso::verify {

using ir::Evaluated;
using ir::Expr;
using ir::Op;
using ir::Value;
using rewrite::RuleInstance;

namespace {

// Evaluates patterns without building expressions: see ir/domains/evaluate.h for what it has to
// offer.
struct PatternMachine : ir::ValueMachine {
    const std::vector<Expr>& variables;
    const RuleSample& sample;

    Evaluated variable(Node n) const {
        for (std::size_t i = 0; i < variables.size(); ++i) {
            if (variables[i] == n) return sample.terms[i];
        }
        PROVISO_CHECK(false, "a pattern variable that the left side does not have");
    }
    static Value bind(Node, Value) { return {}; }
    static void unbind(Node, Value) {}
    static Evaluated load(Node, std::span<const Value>) { return ir::FaultKind::UnsupportedCall; }
    static Evaluated call(Node, std::span<const Value>) { return ir::FaultKind::UnsupportedCall; }
    static Value freeze(ir::ScalarType) { return {}; }
    static bool step() { return true; }
    static void fault(Node, ir::FaultKind, std::span<const Value>) {}
};

void add_computed(Expr pattern, std::vector<Expr>& out) {
    if (pattern->args.empty()) return;
    if (rewrite::is_constant_pattern(pattern)) {
        out.push_back(pattern);
    } else {
        for (Expr a : pattern->args) add_computed(a, out);
    }
}

double some_real(ir::ScalarType type, ir::Chooser& random) {
    constexpr double inf = std::numeric_limits<double>::infinity();
    static constexpr std::array<double, 14> corners = {
        0.0, -0.0, 1.0, -1.0, inf,   -inf,    std::numeric_limits<double>::quiet_NaN(),
        0.5, -2.5, 3.0, 1e-8, -7.25, 60000.0, 2.0};
    const std::uint64_t dice = random.next();
    if (dice % 5 != 0) return ir::round_to_type(type, corners[(dice >> 8) % corners.size()]);
    const auto mantissa = static_cast<double>(static_cast<std::int64_t>(dice >> 40) - (1 << 23));
    return ir::round_to_type(type, std::ldexp(mantissa, static_cast<int>((dice >> 20) % 60) - 40));
}

bool is_constant_variable(Expr e) {
    return e->op == Op::Var && rewrite::is_constant_slot(rewrite::slot_of(e)) && e->type.is_int();
}

}  // namespace

RuleSampler::RuleSampler(const RuleInstance& rule, std::uint64_t seed)
    : rule_(rule),
      variables_(ir::free_vars(rule.left)),
      up_to_zeros_(rule.licensed("no_signed_zero")),
      random_(seed) {
    add_computed(rule.right, computed_);
    if (rule.where != nullptr) where_ = ir::conjuncts(rule.where);
    for (const rewrite::Need& need : rule.needs) {
        add_computed(need.pattern, computed_);
        ir::for_each_node(need.pattern, [&](Expr e) {
            const bool near_zero = ir::is_int_const(e) && e->int_value() > -4 && e->int_value() < 4;
            if (ir::is_int_const(e) && !near_zero) needed_.emplace_back(e->int_value());
        });
    }
}

Value RuleSampler::value(ir::ScalarType type, bool constant) {
    const std::uint64_t dice = random_.next();
    if (type.is_bool()) return Value::of_bool((dice & 1) != 0);
    if (type.is_float()) return Value::of_float(some_real(type, random_));
    const std::uint64_t way = dice % 32;
    const auto noise = static_cast<std::int64_t>(dice >> 16);
    ir::Integer v(noise % 10 - (way % 2 == 0 ? 0 : 4));
    if (way < 2) {
        v = ir::Integer(type.min_value()) + ir::Integer(noise % 3);
    } else if (way < 5) {
        v = ir::Integer(type.max_value()) - ir::Integer(noise % 3);
    } else if (way < 9) {
        v = ir::Integer(ir::Int128(1) << (noise % type.bits)) - ir::Integer((dice >> 12) % 2 != 0);
    } else if (way < 15 && !drawn_.empty()) {
        // Near a value that another variable has, or near a small multiple of it.
        const ir::Integer& other = drawn_[static_cast<std::size_t>(noise) % drawn_.size()];
        const auto factor = static_cast<std::int64_t>((dice >> 8) % 4);
        v = (factor == 0 ? -other : other * ir::Integer(factor)) +
            ir::Integer(static_cast<std::int64_t>((dice >> 11) % 3) - 1);
    } else if (way == 15) {
        v = ir::Integer(noise);
    }
    const bool beyond = way == 16 && !constant && type.is_exact_int();
    if (beyond) {  // just beyond an end of the range, or far
        const ir::Integer end = ir::Integer(dice >> 63 != 0 ? type.max_value() : type.min_value());
        const ir::Integer step(dice >> 63 != 0 ? 1 : -1);
        return Value::of_int((dice >> 62) % 2 != 0 ? end + step * ir::Integer(1 + noise % 3)
                                                   : v * ir::Integer(3) + end);
    }
    v = v.wrap(type);
    drawn_.push_back(v);
    return Value::of_int(v);
}

// Of conditions like c2 == c1 * c4 and c2 % c1 == 0, independent values meet few: the constant is
// set to what the condition says, or to a small multiple of the divisor.
void RuleSampler::meet_conditions(RuleSample& sample) {
    PatternMachine machine{{}, variables_, sample};
    const auto set = [&](Expr variable, const ir::Integer& v) {
        const auto at = std::find(variables_.begin(), variables_.end(), variable);
        if (at == variables_.end() || v != v.wrap(variable->type)) return;
        sample.terms[static_cast<std::size_t>(at - variables_.begin())] = Value::of_int(v);
    };
    for (Expr e : where_) {
        if (e->op != Op::Eq || !e->arg(0)->type.is_int()) continue;
        Expr x = e->arg(0);
        const bool remainder = x->op == Op::FloorMod || x->op == Op::TruncMod;
        if (is_constant_variable(x)) {
            const Evaluated v = ir::evaluate_node(machine, e->arg(1));
            if (v.ok() && v.value.is_int()) set(x, v.value.integer());
        } else if (remainder && is_constant_variable(x->arg(0)) && ir::is_int_const(e->arg(1), 0)) {
            const Evaluated d = ir::evaluate_node(machine, x->arg(1));
            const auto times = static_cast<std::int64_t>(random_.next() % 9) - 3;
            if (d.ok() && d.value.is_int()) {
                set(x->arg(0), d.value.integer() * ir::Integer(times));
            }
        }
    }
}

RuleSample RuleSampler::next() {
    RuleSample out;
    drawn_ = needed_;
    for (std::size_t i = 0; i < variables_.size(); ++i) {
        // Constants first would be nearer to what conditions ask; the left side's order will do.
        const Expr v = variables_[i];
        const bool constant = rewrite::is_constant_slot(rewrite::slot_of(v));
        out.terms[i] = value(v->type, constant);
        if (constant) continue;
        const std::uint64_t dice = random_.next() % 64;
        if (dice == 0) out.terms[i] = ir::FaultKind::OutOfBounds;
        if (dice == 1) out.terms[i] = Value::indet();
    }
    if (!where_.empty() && random_.next() % 4 != 0) meet_conditions(out);
    return out;
}

bool RuleSampler::refines(const SidesOnSample& s) const {
    if (!s.left.ok()) return true;
    if (!s.right.ok()) return false;
    if (s.left.value.is_indet() || s.left.value == s.right.value) return true;
    const bool floats = s.left.value.is_float() && s.right.value.is_float();
    return up_to_zeros_ && floats && s.left.value.real() == s.right.value.real();
}

std::optional<SidesOnSample> RuleSampler::look(const RuleSample& sample) const {
    PatternMachine machine{{}, variables_, sample};
    const auto value = [&](Expr e) { return ir::evaluate_node(machine, e); };
    if (rule_.where != nullptr) {
        const Evaluated e = value(rule_.where);
        if (!e.ok() || !e.value.truth()) return std::nullopt;
    }
    for (Expr c : computed_) {
        const Evaluated e = value(c);
        if (!e.ok() || !ir::observable(c->type, e.value)) return std::nullopt;
    }
    for (const rewrite::Need& need : rule_.needs) {
        const Evaluated e = value(need.pattern);
        if (!e.ok()) return std::nullopt;
        // A range says nothing of whether there is a value.
        if (e.value.is_indet() && need.in_range) continue;
        if (e.value.is_indet()) return std::nullopt;
        const bool holds =
            need.definite ||
            (need.in_range ? ir::observable(need.pattern->type, e.value) : e.value.truth());
        if (!holds) return std::nullopt;
    }
    SidesOnSample out{value(rule_.left), value(rule_.right), true};
    out.refines = refines(out);
    return out;
}

std::string RuleSampler::in_words(const Evaluated& e) const {
    if (!e.ok()) return std::string("a fault (") + ir::fault_name(e.fault) + ")";
    return e.value.str(rule_.left->type);
}

std::string RuleSampler::str(const RuleSample& sample) const {
    std::string out;
    for (std::size_t i = 0; i < variables_.size(); ++i) {
        out += (out.empty() ? "" : ", ") + *variables_[i]->name + " = ";
        const Evaluated& e = sample.terms[i];
        out += e.ok() ? e.value.str(variables_[i]->type) : "a fault";
    }
    return out;
}

std::optional<RuleSample> find_wrong_sample(RuleSampler& sampler, const RuleInstance& rule,
                                            int tries) {
    if (rule.licensed("reassociate")) return std::nullopt;
    for (int i = 0; i < tries; ++i) {
        RuleSample sample = sampler.next();
        const auto sides = sampler.look(sample);
        if (sides && !sides->refines) return sample;
    }
    return std::nullopt;
}

}  // namespace proviso::verify
