#include "analysis/cheap/linear_form.h"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace proviso::analysis::cheap {

Int128 gcd(Int128 a, Int128 b) {
    a = magnitude(a);
    b = magnitude(b);
    if (a == 1 || b == 1) return 1;
    constexpr Int128 most = UINT64_MAX;
    while (b != 0 && (a > most || b > most)) a = std::exchange(b, a % b);
    auto x = static_cast<std::uint64_t>(a);
    auto y = static_cast<std::uint64_t>(b);
    if (b == 0) return a;
    while (y != 0) x = std::exchange(y, x % y);
    return x;
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
    for (const Term& t : terms) {
        if (out == 1) break;
        out = gcd(out, t.factor);
    }
    return out;
}

void Form::add_atom(int atom, Int128 factor) {
    const auto at = std::lower_bound(terms.begin(), terms.end(), atom,
                                     [](const Term& t, int a) { return t.atom < a; });
    if (at == terms.end() || at->atom != atom) {
        if (factor != 0) terms.insert(at, Term{atom, factor});
        return;
    }
    at->factor = checked_add(at->factor, factor);
    if (at->factor == 0) terms.erase(at);
}

void Form::add(const Form& other, Int128 scale) {
    if (scale == 0) return;
    constant = checked_add(constant, checked_mul(other.constant, scale));
    if (other.terms.empty()) return;
    if (other.terms.size() == 1) {
        add_atom(other.terms[0].atom, checked_mul(other.terms[0].factor, scale));
        return;
    }
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

void LongSum::add(const Form& f, Int128 scale) {
    constant_ = checked_add(constant_, checked_mul(f.constant, scale));
    for (const Term& t : f.terms) terms_.push_back({t.atom, checked_mul(t.factor, scale)});
}

Form LongSum::take() {
    std::sort(terms_.begin(), terms_.end(),
              [](const Term& a, const Term& b) { return a.atom < b.atom; });
    Form out = Form::of_constant(constant_);
    for (const Term& t : terms_) {
        if (!out.terms.empty() && out.terms.back().atom == t.atom) {
            out.terms.back().factor = checked_add(out.terms.back().factor, t.factor);
        } else {
            if (!out.terms.empty() && out.terms.back().factor == 0) out.terms.pop_back();
            out.terms.push_back(t);
        }
    }
    if (!out.terms.empty() && out.terms.back().factor == 0) out.terms.pop_back();
    return out;
}

Form scaled(const Form& f, Int128 by) {
    Form out = f;
    if (by == 1) return out;
    if (by == 0) return Form{};
    out.constant = checked_mul(out.constant, by);
    for (Term& t : out.terms) t.factor = checked_mul(t.factor, by);
    return out;
}

Form difference(const Form& a, const Form& b) {
    Form out = a;
    out.add(b, -1);
    return out;
}

std::uint32_t hash_of_terms(const Form& f, int sign) {
    std::uint64_t h = f.terms.size();
    for (const Term& t : f.terms) {
        const auto plain = static_cast<std::uint64_t>(t.factor);
        const std::uint64_t factor = sign < 0 ? 0 - plain : plain;
        h = (h ^ static_cast<std::uint64_t>(t.atom)) * 0x9e3779b97f4a7c15ULL;
        h = (h ^ (h >> 31) ^ factor) * 0xbf58476d1ce4e5b9ULL;
        h ^= h >> 29;
    }
    return static_cast<std::uint32_t>(h ^ (h >> 32));
}

bool same_terms(const Form& a, const Form& b) {
    return a.terms == b.terms;
}

bool opposite_terms(const Form& a, const Form& b) {
    if (a.terms.size() != b.terms.size()) return false;
    for (std::size_t i = 0; i < a.terms.size(); ++i) {
        const Int128 negated = checked_neg(b.terms[i].factor);
        if (a.terms[i].atom != b.terms[i].atom || a.terms[i].factor != negated) {
            return false;
        }
    }
    return true;
}

}  // namespace proviso::analysis::cheap
