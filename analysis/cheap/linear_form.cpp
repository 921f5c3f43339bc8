#include "analysis/cheap/linear_form.h"

#include <utility>

namespace proviso::analysis::cheap {

Int128 gcd(Int128 a, Int128 b) {
    a = magnitude(a);
    b = magnitude(b);
    while (b != 0) a = std::exchange(b, a % b);
    return a;
}

Form Form::of_constant(Int128 value) {
    Form out;
    out.constant = value;
    return out;
}

Form Form::of_atom(int atom, Int128 factor) {
    Form out;
    if (factor != 0) out.terms.push_back({atom, factor});
    return out;
}

Int128 Form::factor_of(int atom) const {
    for (const Term& t : terms) {
        if (t.atom == atom) return t.factor;
    }
    return 0;
}

Int128 Form::content() const {
    Int128 out = 0;
    for (const Term& t : terms) out = gcd(out, t.factor);
    return out;
}

void Form::add(const Form& other, Int128 scale) {
    if (scale == 0) return;
    constant = checked_add(constant, checked_mul(other.constant, scale));
    if (other.terms.empty()) return;
    decltype(terms) merged;
    std::size_t i = 0;
    std::size_t j = 0;
    while (i < terms.size() || j < other.terms.size()) {
        if (j == other.terms.size() || (i < terms.size() && terms[i].atom < other.terms[j].atom)) {
            merged.push_back(terms[i++]);
        } else if (i == terms.size() || other.terms[j].atom < terms[i].atom) {
            merged.push_back({other.terms[j].atom, checked_mul(other.terms[j].factor, scale)});
            ++j;
        } else {
            const Int128 sum =
                checked_add(terms[i].factor, checked_mul(other.terms[j].factor, scale));
            if (sum != 0) merged.push_back({terms[i].atom, sum});
            ++i;
            ++j;
        }
    }
    terms = std::move(merged);
}

Form scaled(const Form& f, Int128 by) {
    Form out;
    out.add(f, by);
    return out;
}

Form difference(const Form& a, const Form& b) {
    Form out = a;
    out.add(b, -1);
    return out;
}

}  // namespace proviso::analysis::cheap
