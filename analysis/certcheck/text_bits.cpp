// Bit-vectors: what the steps (bits T) and (bitwise TERM I...) add, in the terms of the text.
#include "analysis/certcheck/text.h"

namespace proviso::certcheck {

std::optional<unsigned> Text::width(const Value& v) const {
    const auto found = v.sort == Sort::Other ? widths_.find(v.id) : widths_.end();
    return found == widths_.end() ? std::nullopt : std::optional(found->second);
}

Value Text::number(const Value& v) {
    const auto constant = number_of_constant(formulas_.term(v.id));
    if (constant) return {Sort::Int, formulas_.polys.constant(*constant)};
    return formulas_.term({std::string(kNumber), {v}}, Sort::Int);
}

// (ite (< n 2^(w-1)) n (- n 2^w))
Value Text::signed_number(const Value& number, unsigned width) {
    const Integer half = Integer(1) << (width - 1);
    const PolyId below = formulas_.polys.scaled(number.id, 1, -2 * half);
    const auto constant = formulas_.polys.constant_value(number.id);
    if (constant) return *constant < half ? number : Value{Sort::Int, below};
    const FormulaId small =
        formulas_.at_least_zero(formulas_.polys.scaled(number.id, -1, half - 1));
    return formulas_.term({"ite", {{Sort::Bool, small}, number, {Sort::Int, below}}}, Sort::Int);
}

std::vector<FormulaId> Text::bit_facts(const Sexp& e) {
    const Value v = value(e);
    const bool claim = v.sort == Sort::Bool;
    if (claim && formulas_[v.id].kind != Formula::Kind::Holds) refuse(e, "not one literal");
    if (v.sort == Sort::Int) refuse(e, "neither a bit-vector nor a claim on bit-vectors");
    const Term t = formulas_.term(claim ? formulas_[v.id].id : v.id);
    const BitAxioms* known = bit_axioms(t.op);
    // An equation is one claim either way round; its sides are meant as they are written.
    const bool as_written = t.op == "=" && e.head() == "=" && e.size() == 3;
    const std::vector<Value> args = as_written ? read_arguments(e, Names(budget_), 0) : t.args;
    const bool has_width = !args.empty() && width(args[0]);
    const auto w = claim ? (has_width ? width(args[0]) : std::nullopt) : width(v);
    if (!w || (claim && (known == nullptr || known->gives_bits))) {
        refuse(e, "neither a bit-vector nor a claim on bit-vectors");
    }
    if (claim && args.size() != known->arguments) refuse(e, "a claim on another number of terms");
    const Integer size = Integer(1) << *w;
    Names names(budget_);
    names.bind("M", {Sort::Int, formulas_.polys.constant(size)});
    std::vector<FormulaId> out;
    if (claim) {
        for (const Value& a : args) {
            if (width(a) != w) refuse(e, "not a claim on bit-vectors of one width");
        }
        names.bind("b", v);
    } else {
        const Value p = number(v);
        names.bind("p", p);
        names.bind("sp", signed_number(p, *w));
        out.push_back(formulas_.at_least_zero(p.id));
        out.push_back(formulas_.at_least_zero(formulas_.polys.scaled(p.id, -1, size - 1)));
    }
    if (known == nullptr) return out;
    // A width means that the arguments fit the operator.
    static constexpr std::pair<const char*, const char*> arguments[] = {{"x", "sx"}, {"y", "sy"}};
    std::size_t next = 0;
    for (const Value& a : args) {
        if (a.sort == Sort::Bool) {
            names.bind("c", a);
            continue;
        }
        const auto& [plain, two_s_complement] = arguments[next++];
        const Value x = a.sort == Sort::Int ? a : number(a);
        names.bind(plain, x);
        if (a.sort != Sort::Int) names.bind(two_s_complement, signed_number(x, *width(a)));
    }
    if (t.op == "bvshl" || t.op == "bvlshr" || t.op == "bvashr") {
        const auto count = formulas_.polys.constant_value(number(args[1]).id);
        if (!count || *count >= *w) return out;
        const Integer power = Integer(1) << static_cast<unsigned>(*count);
        names.bind("P", Value{Sort::Int, formulas_.polys.constant(power)});
    }
    for (const std::string_view axiom : known->facts) out.push_back(instance(axiom, names));
    return out;
}

Bounds Text::bounds(const Sexp& e, PolyId sum, const std::vector<FormulaId>& given) const {
    return bitwise_bounds(
        e, sum, given, formulas_, [this](const Value& v) { return width(v); }, budget_);
}

}  // namespace proviso::certcheck
