// Normal forms: see algebra.h. The choices (which disjunct comes first, what is flattened) are the
// certificate format's.
#include "analysis/certify/algebra.h"

#include <algorithm>

namespace proviso::analysis::certificate {

using Kind = Formula::Kind;

namespace {

constexpr int kDeepest = 1500;
constexpr std::size_t kHighestDegree = 24;
constexpr std::size_t kMostProducts = 4096;  // of the terms of two sums that are multiplied

struct Level {
    explicit Level(int& depth) : depth_(depth) {
        if (++depth_ > kDeepest) {
            --depth_;
            throw Unreadable{"nested too deeply"};
        }
    }
    ~Level() { --depth_; }
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;

  private:
    int& depth_;
};

template <class T>
void put(std::string& out, const T& value) {
    out.append(reinterpret_cast<const char*>(&value), sizeof value);
}

void put_poly(std::string& out, const Poly& p) {
    for (const auto& [m, c] : p.terms) {
        put(out, m);
        put(out, c);
    }
    put(out, MonomialId{0});
    put(out, p.constant);
}

std::string numeral(Int128 value) {
    return value < 0 ? "(- " + digits(value).substr(1) + ")" : digits(value);
}

}  // namespace

Int128 Poly::coefficient(MonomialId m) const {
    const auto at = std::lower_bound(terms.begin(), terms.end(), m,
                                     [](const auto& t, MonomialId n) { return t.first < n; });
    return at != terms.end() && at->first == m ? at->second : 0;
}

Int128 Poly::content() const {
    Int128 g = 0;
    for (const auto& [m, c] : terms) {
        g = gcd(g, c);
        if (g == 1) break;
    }
    return g;
}

Poly combine(const Poly& a, Int128 x, const Poly& b, Int128 y) {
    Poly out;
    out.constant = certificate::add(multiply(a.constant, x), multiply(b.constant, y));
    auto i = a.terms.begin();
    auto j = b.terms.begin();
    while (i != a.terms.end() || j != b.terms.end()) {
        const bool left = j == b.terms.end() || (i != a.terms.end() && i->first <= j->first);
        const bool right = i == a.terms.end() || (j != b.terms.end() && j->first <= i->first);
        const MonomialId m = left ? i->first : j->first;
        Int128 c = 0;
        if (left) c = multiply((i++)->second, x);
        if (right) c = certificate::add(c, multiply((j++)->second, y));
        if (c != 0) out.terms.emplace_back(m, c);
    }
    return out;
}

Poly scaled(const Poly& a, Int128 x, Int128 plus) {
    Poly out;
    out.constant = certificate::add(multiply(a.constant, x), plus);
    if (x == 0) return out;
    out.terms.reserve(a.terms.size());
    for (const auto& [m, c] : a.terms) out.terms.emplace_back(m, multiply(c, x));
    return out;
}

Algebra::Algebra(const Terms& terms) : terms_(terms), polys_(terms.size()), keys_(terms.size()) {
    for (auto& ids : formula_ids_) ids.resize(terms.size());
    monomial({});  // number 0
}

MonomialId Algebra::monomial(std::vector<AtomId> factors) {
    if (factors.size() > kHighestDegree) throw Unreadable{"a product of many factors"};
    const auto [at, is_new] =
        monomial_ids_.emplace(std::move(factors), static_cast<MonomialId>(monomials_.size()));
    if (is_new) monomials_.push_back(&at->first);
    return at->second;
}

Poly Algebra::multiply(const Poly& a, const Poly& b) {
    if (a.terms.size() > kMostProducts / (b.terms.size() + 1)) {
        throw Unreadable{"a product of long sums"};
    }
    std::map<MonomialId, Int128> sum;
    const auto each = [&](MonomialId m, Int128 x, MonomialId n, Int128 y) {
        const Int128 c = certificate::multiply(x, y);
        if (c == 0) return;
        std::vector<AtomId> both;
        std::merge(monomials_[m]->begin(), monomials_[m]->end(), monomials_[n]->begin(),
                   monomials_[n]->end(), std::back_inserter(both));
        Int128& at = sum[both.empty() ? 0 : monomial(std::move(both))];
        at = certificate::add(at, c);
    };
    for (const auto& [m, x] : a.terms) {
        for (const auto& [n, y] : b.terms) each(m, x, n, y);
        each(m, x, 0, b.constant);
    }
    for (const auto& [n, y] : b.terms) each(0, a.constant, n, y);
    Poly out;
    out.constant = certificate::multiply(a.constant, b.constant);
    for (const auto& [m, c] : sum) {
        if (c != 0) out.terms.emplace_back(m, c);
    }
    return out;
}

const Poly& Algebra::poly(TermId t) {
    if (!polys_[t]) polys_[t] = compute(t);
    return *polys_[t];
}

Poly Algebra::compute(TermId t) {
    const Level level(depth_);
    std::map<MonomialId, Int128> sum;
    Poly out;
    const Term& term = terms_.at(t);
    if (term.op == Op::Numeral) return Poly{{}, term.value};
    if (term.op == Op::Multiply) {
        out.constant = 1;
        for (TermId a : term.args) out = multiply(out, poly(a));
        return out;
    }
    if (term.op != Op::Add && term.op != Op::Subtract) {
        Atom::Kind kind = Atom::Kind::Opaque;
        if (term.op == Op::Div && term.args.size() == 2) kind = Atom::Kind::Div;
        if (term.op == Op::Mod && term.args.size() == 2) kind = Atom::Kind::Mod;
        if (term.op == Op::Ite) kind = Atom::Kind::Ite;
        if (term.op == Op::Abs && term.args.size() == 1) kind = Atom::Kind::Abs;
        return Poly{{{monomial({intern_atom(kind, term.op, t, term.args)}), 1}}, 0};
    }
    accumulate(t, 1, sum, out.constant);
    for (const auto& [m, c] : sum) {
        if (c != 0) out.terms.emplace_back(m, c);
    }
    return out;
}

// Sums are walked with a list of what is left, not by recursion; what is shared is computed once.
void Algebra::accumulate(TermId t, Int128 factor, std::map<MonomialId, Int128>& sum,
                         Int128& constant) {
    std::vector<std::pair<TermId, Int128>> left{{t, factor}};
    while (!left.empty()) {
        const auto [at, f] = left.back();
        left.pop_back();
        const Term& term = terms_.at(at);
        const bool is_sum = term.op == Op::Add || term.op == Op::Subtract;
        const bool is_own = at == t || term.uses <= 1;
        if (is_sum && is_own && !polys_[at]) {
            for (std::size_t i = 0; i < term.args.size(); ++i) {
                const bool minus = term.op == Op::Subtract && (i > 0 || term.args.size() == 1);
                left.emplace_back(term.args[i], minus ? negate(f) : f);
            }
            continue;
        }
        const Poly& p = poly(at);
        constant = certificate::add(constant, certificate::multiply(p.constant, f));
        for (const auto& [m, c] : p.terms) {
            Int128& s = sum[m];
            s = certificate::add(s, certificate::multiply(c, f));
        }
    }
}

std::string Algebra::key_of(TermId t) {
    if (!keys_[t].empty()) return keys_[t];
    const Level level(depth_);
    const Term& term = terms_.at(t);
    std::string key;
    if (term.sort == Sort::Int) {
        key = "i";
        put_poly(key, poly(t));
    } else {
        key = "s";
        put(key, term.op);
        put(key, term.symbol);
        std::vector<std::string> parts;
        for (TermId a : term.args) parts.push_back(key_of(a));
        if (term.op == Op::Equal) std::sort(parts.begin(), parts.end());
        for (const std::string& p : parts) key += p;
    }
    const auto [at, is_new] =
        structures_.emplace(key, static_cast<std::uint32_t>(structures_.size()));
    std::string short_key = "k";
    put(short_key, at->second);
    keys_[t] = short_key;
    return short_key;
}

AtomId Algebra::intern_atom(Atom::Kind kind, Op op, TermId term, const std::vector<TermId>& args) {
    std::string key(1, static_cast<char>(op));
    put(key, kind == Atom::Kind::Opaque ? terms_.at(term).symbol : 0U);
    for (TermId a : args) key += key_of(a);
    const auto [at, is_new] = atom_ids_.emplace(std::move(key), static_cast<AtomId>(atoms_.size()));
    if (is_new) atoms_.push_back(Atom{kind, op, term, args});
    return at->second;
}

AtomId Algebra::quotient(AtomId a) {
    if (atoms_[a].kind == Atom::Kind::Div) return a;
    const std::vector<TermId> args = atoms_[a].args;
    return intern_atom(Atom::Kind::Div, Op::Div, 0, args);
}

std::string Algebra::text(AtomId a) const {
    const Atom& atom = atoms_[a];
    if (atom.kind == Atom::Kind::Opaque) return terms_.text(atom.term);
    std::string out = atom.kind == Atom::Kind::Div   ? "(div"
                      : atom.kind == Atom::Kind::Mod ? "(mod"
                      : atom.kind == Atom::Kind::Abs ? "(abs"
                                                     : "(ite";
    for (TermId t : atom.args) out += " " + terms_.text(t);
    return out + ")";
}

std::string Algebra::monomial_text(MonomialId m) const {
    const std::vector<AtomId>& f = *monomials_[m];
    if (f.empty()) return "1";
    if (f.size() == 1) return text(f[0]);
    std::string out = "(*";
    for (AtomId a : f) out += " " + text(a);
    return out + ")";
}

std::string Algebra::text(const Poly& p) const {
    std::vector<std::string> parts;
    for (const auto& [m, c] : p.terms) {
        const std::string x = monomial_text(m);
        parts.push_back(c == 1    ? x
                        : c == -1 ? "(- " + x + ")"
                                  : "(* " + numeral(c) + " " + x + ")");
    }
    if (p.constant != 0 || parts.empty()) parts.push_back(numeral(p.constant));
    if (parts.size() == 1) return parts[0];
    std::string out = "(+";
    for (const std::string& x : parts) out += " " + x;
    return out + ")";
}

FormulaId Algebra::add(Formula f) {
    formulas_.push_back(std::move(f));
    formula_atoms_.emplace_back();
    return static_cast<FormulaId>(formulas_.size() - 1);
}

FormulaId Algebra::at_least_zero(Poly p) {
    return add(Formula{Kind::AtLeastZero, std::move(p), 0, true, {}});
}
FormulaId Algebra::zero(Poly p) {
    return add(Formula{Kind::Zero, std::move(p), 0, true, {}});
}
FormulaId Algebra::all(std::vector<FormulaId> parts) {
    if (parts.empty()) return at_least_zero(Poly{{}, 0});
    if (parts.size() == 1) return parts[0];
    return add(Formula{Kind::And, {}, 0, true, std::move(parts)});
}
FormulaId Algebra::any(std::vector<FormulaId> parts) {
    if (parts.empty()) return at_least_zero(Poly{{}, -1});
    if (parts.size() == 1) return parts[0];
    return add(Formula{Kind::Or, {}, 0, true, std::move(parts)});
}

FormulaId Algebra::literal(TermId t, bool positive) {
    const auto [at, is_new] =
        literal_ids_.emplace(key_of(t), static_cast<LiteralId>(literals_.size()));
    if (is_new) literals_.push_back(t);
    return add(Formula{Kind::Literal, {}, at->second, positive, {}});
}

FormulaId Algebra::comparison(Op op, TermId a, TermId b, bool positive) {
    if (op == Op::Greater || op == Op::GreaterEqual) {
        std::swap(a, b);
        op = op == Op::Greater ? Op::Less : Op::LessEqual;
    }
    const Poly difference = combine(poly(b), 1, poly(a), -1);  // a < b, a <= b
    const Int128 strict = op == Op::Less ? -1 : 0;
    if (positive) return at_least_zero(scaled(difference, 1, strict));
    return at_least_zero(scaled(difference, -1, op == Op::Less ? 0 : -1));
}

FormulaId Algebra::equality(TermId a, TermId b, bool positive) {
    const Sort sort = terms_.at(a).sort;
    if (sort == Sort::Int) {
        const Poly p = combine(poly(a), 1, poly(b), -1);
        if (positive) return zero(p);
        return any({at_least_zero(scaled(p, 1, -1)), at_least_zero(scaled(p, -1, -1))});
    }
    return choice(a, formula(b, positive), formula(b, !positive));
}

// (c and a) or (not c and b)
FormulaId Algebra::choice(TermId c, FormulaId a, FormulaId b) {
    return any({all({formula(c, true), a}), all({formula(c, false), b})});
}

FormulaId Algebra::formula(TermId t, bool positive) {
    auto& ids = formula_ids_[positive ? 1 : 0];
    if (!ids[t]) ids[t] = compute_formula(t, positive);
    return *ids[t];
}

FormulaId Algebra::compute_formula(TermId t, bool positive) {
    const Level level(depth_);
    const Term& term = terms_.at(t);
    const auto truth = [&](bool value) { return at_least_zero(Poly{{}, value ? 0 : -1}); };
    std::vector<FormulaId> parts;
    switch (term.op) {
        case Op::True: return truth(positive);
        case Op::False: return truth(!positive);
        case Op::Not: return formula(term.args[0], !positive);
        case Op::And:
        case Op::Or:
            for (TermId a : term.args) parts.push_back(formula(a, positive));
            return (term.op == Op::And) == positive ? all(std::move(parts)) : any(std::move(parts));
        case Op::Implies:
            for (std::size_t i = 0; i + 1 < term.args.size(); ++i) {
                parts.push_back(formula(term.args[i], !positive));
            }
            parts.push_back(formula(term.args.back(), positive));
            return positive ? any(std::move(parts)) : all(std::move(parts));
        case Op::Ite:
            return choice(term.args[0], formula(term.args[1], positive),
                          formula(term.args[2], positive));
        case Op::Xor:
            if (term.args.size() != 2) throw Unreadable{"xor"};
            return choice(term.args[0], formula(term.args[1], !positive),
                          formula(term.args[1], positive));
        case Op::Distinct:
        case Op::Equal: {
            if (term.args.size() != 2) throw Unreadable{"a chain of equalities"};
            if (terms_.at(term.args[0]).sort == Sort::Other) {
                if (key_of(term.args[0]) == key_of(term.args[1])) {
                    return truth(positive == (term.op == Op::Equal));
                }
                return literal(t, positive);
            }
            return equality(term.args[0], term.args[1], positive == (term.op == Op::Equal));
        }
        case Op::Less:
        case Op::LessEqual:
        case Op::Greater:
        case Op::GreaterEqual:
            for (std::size_t i = 0; i + 1 < term.args.size(); ++i) {
                parts.push_back(comparison(term.op, term.args[i], term.args[i + 1], positive));
            }
            return positive ? all(std::move(parts)) : any(std::move(parts));
        default: return literal(t, positive);
    }
}

void Algebra::atoms_of(const Poly& p, std::vector<AtomId>& out) const {
    for (const auto& [m, c] : p.terms) {
        out.insert(out.end(), monomials_[m]->begin(), monomials_[m]->end());
    }
}

const std::vector<AtomId>& Algebra::atoms_of(FormulaId f) {
    if (!formula_atoms_[f]) {
        const Level level(depth_);
        std::vector<AtomId> out;
        atoms_of(formulas_[f].poly, out);
        for (FormulaId part : formulas_[f].parts) {
            const std::vector<AtomId>& inner = atoms_of(part);
            out.insert(out.end(), inner.begin(), inner.end());
        }
        std::sort(out.begin(), out.end());
        out.erase(std::unique(out.begin(), out.end()), out.end());
        formula_atoms_[f] = std::move(out);
    }
    return *formula_atoms_[f];
}

}  // namespace proviso::analysis::certificate
