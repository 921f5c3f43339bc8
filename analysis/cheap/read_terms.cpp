// Terms into normal form: linear forms for exact integers, numbers for everything else.
//
// Division by a positive constant is taken apart as far as it goes:
//   (8 * i + j) // 8        = i + j // 8      = i            when 0 <= j < 8
//   (6 * x + 3) // 4        = (3 * x + 1) // 2
//   (x // 4 + y) // 2       = (x + 4 * y) // 8
//   x % c                   = x - c * (x // c)
#include <algorithm>

#include "analysis/cheap/knowledge.h"
#include "ir/domains/value.h"

namespace proviso::analysis::cheap {

using ir::Expr;
using ir::Op;
using ir::ScalarType;

class TermReader {
  public:
    explicit TermReader(Knowledge& k) : k_(k), q_(*k.q_) {}

    Form form(Expr e) {
        const auto found = k_.forms_.find(e);
        if (found != k_.forms_.end()) return found->second;
        q_.step();
        Form out = k_.resolved(read(e));
        k_.forms_.emplace(e, out);
        return out;
    }

    int number(Expr e) {
        const auto found = k_.numbers_.find(e);
        if (found != k_.numbers_.end()) return found->second;
        q_.step();
        int out = read_number(e);
        for (auto at = k_.same_.find(out); at != k_.same_.end(); at = k_.same_.find(out)) {
            out = at->second;
        }
        k_.numbers_.emplace(e, out);
        return out;
    }

  private:
    Form read(Expr e) {
        switch (e->op) {
            case Op::IntImm: return Form::of_constant(e->int_value());
            case Op::Var: return Form::of_atom(q_.atoms.variable(e, range_of(e)));
            case Op::Neg: return scaled(form(e->arg(0)), -1);
            case Op::Add:
            case Op::Sub: {
                Form out = form(e->arg(0));
                out.add(form(e->arg(1)), e->op == Op::Add ? 1 : -1);
                return out;
            }
            case Op::Mul: return product(form(e->arg(0)), form(e->arg(1)));
            case Op::FloorDiv:
            case Op::FloorMod:
            case Op::TruncDiv:
            case Op::TruncMod: return division(e);
            case Op::Shl:
            case Op::Shr:
            case Op::BitAnd:
            case Op::BitOr:
            case Op::BitXor: return bits(e);
            case Op::Min:
            case Op::Max: return extremum(e);
            case Op::Select:
            case Op::IfThenElse: return choice(e);
            case Op::Cast: return cast(e);
            case Op::Load:
            case Op::CallExtern: return Form::of_atom(node(e, range_of_type(e->type)));
            case Op::Math: return Form::of_atom(node(e, {}));
            default: throw GiveUp{};  // Let, Undef
        }
    }

    Interval range_of(Expr var) const {
        const auto& free = q_.unbounded;
        if (std::find(free.begin(), free.end(), var) != free.end()) return {};
        return range_of_type(var->type);
    }

    // --- numbers

    void append_argument(AtomTable::Key& key, Expr a) {
        if (a->type.is_exact_int())
            AtomTable::append(key, form(a));
        else
            key.push_back(number(a));
    }

    // On every type; min and max do not, because of NaN and the zeros.
    static bool commutes(Op op) {
        switch (op) {
            case Op::Add:
            case Op::Mul:
            case Op::Eq:
            case Op::Ne:
            case Op::Same:
            case Op::And:
            case Op::Or:
            case Op::BitAnd:
            case Op::BitOr:
            case Op::BitXor: return true;
            default: return false;
        }
    }

    // The claim that a cell is definite speaks of the cell, not of its value: cells that hold equal
    // values are different cells.
    int defined(Expr load) {
        AtomTable::Key key{static_cast<std::int64_t>(Op::Defined),
                           static_cast<std::int64_t>(load->buffer->id)};
        for (Expr i : load->args) append_argument(key, i);
        return q_.atoms.node(key, nullptr, {});
    }

    // The operator of `e` applied to its arguments in normal form.
    int node(Expr e, const Interval& range) {
        AtomTable::Key key{static_cast<std::int64_t>(e->op),
                           static_cast<std::int64_t>(e->type.code) * 256 + e->type.bits, e->bits,
                           e->buffer != nullptr ? static_cast<std::int64_t>(e->buffer->id) : -1,
                           reinterpret_cast<std::intptr_t>(e->name)};
        std::vector<AtomTable::Key> arguments;
        for (Expr a : e->args) {
            AtomTable::Key argument{static_cast<std::int64_t>(a->type.code) * 256 + a->type.bits};
            append_argument(argument, a);
            arguments.push_back(std::move(argument));
        }
        if (commutes(e->op)) std::sort(arguments.begin(), arguments.end());
        for (const AtomTable::Key& a : arguments) key.insert(key.end(), a.begin(), a.end());
        return q_.atoms.node(key, e, range);
    }

    int read_number(Expr e) {
        PROVISO_CHECK(!e->type.is_exact_int(), "number of a linear term");
        switch (e->op) {
            case Op::Let:
            case Op::Undef: throw GiveUp{};
            case Op::Defined: return defined(e->arg(0));
            case Op::Select:
            case Op::IfThenElse: {
                const auto c = k_.truth(e->arg(0));
                if (c) return number(e->arg(*c ? 1 : 2));
                const int a = number(e->arg(1));
                if (a == number(e->arg(2))) return a;
                break;
            }
            default: break;
        }
        if (const Expr folded = folded_constant(e)) return node(folded, {});
        if (const Expr simpler = k_.same_by_class(e)) return number(simpler);
        return node(e, {});
    }

    // An operator on constants, when it has a value.
    Expr folded_constant(Expr e) {
        if (e->args.empty() || e->args.size() > 3) return nullptr;
        switch (e->op) {
            case Op::Load:
            case Op::CallExtern:
            case Op::Defined: return nullptr;
            default: break;
        }
        std::vector<ir::Value> values;
        for (Expr a : e->args) {
            const auto v = ir::constant_value(a);
            if (!v) return nullptr;
            values.push_back(*v);
        }
        const ir::Evaluated out = ir::eval_op(*e, values);
        return out.ok() ? ir::constant_expr(q_.ctx, e->type, out.value) : nullptr;
    }

    // --- products and divisions

    Form product(const Form& a, const Form& b) {
        if (a.is_constant()) return scaled(b, a.constant);
        if (b.is_constant()) return scaled(a, b.constant);
        constexpr std::size_t most = 16;
        if (a.terms.size() * b.terms.size() > most) throw GiveUp{};
        Form out = scaled(a, b.constant);
        Form rest = b;
        rest.constant = 0;
        out.add(rest, a.constant);
        for (const Term& x : a.terms) {
            for (const Term& y : b.terms) {
                const int atom = q_.atoms.product(x.atom, y.atom);
                out.add(Form::of_atom(atom, checked_mul(x.factor, y.factor)));
            }
        }
        return out;
    }

    // floor(n / c), c > 0. What is known of an atom may lead back to the same quotient: a limit on
    // nesting ends that, and keeps the stack flat.
    Form quotient(const Form& n, Int128 c) {
        constexpr int most_nested = 24;
        if (nested_quotients_ >= most_nested) throw GiveUp{};
        ++nested_quotients_;
        Form out = nested_quotient(n, c);
        --nested_quotients_;
        return out;
    }

    Form nested_quotient(const Form& n, Int128 c) {
        q_.step();
        Form out;
        Form rest;
        for (const Term& t : n.terms) {
            out.add(Form::of_atom(t.atom, t.factor / c));
            rest.add(Form::of_atom(t.atom, t.factor % c));
        }
        out.constant = floor_div(n.constant, c);
        rest.constant = n.constant - checked_mul(out.constant, c);
        const Int128 g = gcd(rest.content(), c);
        if (g > 1) {
            for (Term& t : rest.terms) t.factor /= g;
            rest.constant = floor_div(rest.constant, g);
            c /= g;
        }
        out.add(small_quotient(rest, c));
        return out;
    }

    // The same once whole multiples of c are taken out.
    Form small_quotient(const Form& rest, Int128 c) {
        if (c == 1) return rest;
        const Interval b = k_.bounds_of(rest);
        if (b.lo && b.hi && floor_div(*b.lo, c) == floor_div(*b.hi, c)) {
            return Form::of_constant(floor_div(*b.lo, c));
        }
        // floor((y + floor(n / d)) / c) = floor((d * y + n) / (c * d))
        for (const Term& t : rest.terms) {
            const Atom& atom = q_.atoms[t.atom];
            if (t.factor != 1 || atom.kind != Atom::Kind::Quotient) continue;
            const Int128 d = atom.divisor;
            Form inner = k_.resolved(atom.numerator);
            Form y = rest;
            y.add(Form::of_atom(t.atom), -1);
            inner.add(y, d);
            return quotient(inner, checked_mul(c, d));
        }
        // floor((d * y + s) / (d * k)) = floor(y / k) when 0 <= s < d
        for (const Term& t : rest.terms) {
            const Int128 d = magnitude(t.factor);
            if (d == 1 || c % d != 0) continue;
            Form y;
            Form s = Form::of_constant(rest.constant);
            for (const Term& u : rest.terms) {
                if (u.factor % d == 0)
                    y.add(Form::of_atom(u.atom, u.factor / d));
                else
                    s.add(Form::of_atom(u.atom, u.factor));
            }
            const Interval part = k_.bounds_of(s);
            if (!part.lo || !part.hi || floor_div(*part.lo, d) != floor_div(*part.hi, d)) continue;
            y.constant = floor_div(*part.lo, d);
            return quotient(y, c / d);
        }
        const int atom = q_.atoms.quotient(rest, c);
        Interval range;
        if (b.lo) range.lo = floor_div(*b.lo, c);
        if (b.hi) range.hi = floor_div(*b.hi, c);
        k_.narrow(atom, range, Method::Interval);
        return Form::of_atom(atom);
    }

    Form division(Expr e) {
        const Form n = form(e->arg(0));
        const Form d = form(e->arg(1));
        const bool is_quotient = e->op == Op::FloorDiv || e->op == Op::TruncDiv;
        const bool floors = e->op == Op::FloorDiv || e->op == Op::FloorMod;
        if (!d.is_constant()) return symbolic_division(e, n, d);
        if (d.constant == 0) return Form::of_atom(node(e, {}));
        const Int128 c = magnitude(d.constant);
        Form q;
        if (floors) {
            q = d.constant > 0 ? quotient(n, c) : quotient(scaled(n, -1), c);
        } else {
            const Interval b = k_.bounds_of(n);
            if (b.lo && *b.lo >= 0) {
                q = quotient(n, c);
            } else if (b.hi && *b.hi <= 0) {
                q = scaled(quotient(scaled(n, -1), c), -1);
            } else {
                return Form::of_atom(node(e, {}));
            }
            if (d.constant < 0) q = scaled(q, -1);
        }
        if (is_quotient) return q;
        Form rest = n;
        rest.add(q, checked_neg(d.constant));
        return rest;
    }

    // By a divisor that is positive whatever it is: n = d * q + r with 0 <= r < d.
    Form symbolic_division(Expr e, const Form& n, const Form& d) {
        const bool floors = e->op == Op::FloorDiv || e->op == Op::FloorMod;
        const Interval divisor = k_.bounds_of(d);
        const Interval dividend = k_.bounds_of(n);
        const bool non_negative = dividend.lo && *dividend.lo >= 0;
        if (!divisor.lo || *divisor.lo <= 0 || !(floors || non_negative)) {
            return Form::of_atom(node(e, {}));
        }
        AtomTable::Key key{static_cast<std::int64_t>(Op::FloorDiv), -1};
        AtomTable::append(key, n);
        AtomTable::append(key, d);
        const int q = q_.atoms.node(key, nullptr, {});
        Form rest = n;
        rest.add(product(Form::of_atom(q), d), -1);
        Form above = difference(d, rest);
        above.constant = checked_add(above.constant, -1);
        k_.assume_ge(rest);
        k_.assume_ge(above);
        if (non_negative) k_.narrow(q, {0, dividend.hi}, Method::Interval);
        const bool is_quotient = e->op == Op::FloorDiv || e->op == Op::TruncDiv;
        return is_quotient ? Form::of_atom(q) : rest;
    }

    Form bits(Expr e) {
        const Expr right = e->arg(1);
        if (e->op == Op::Shl || e->op == Op::Shr) {
            if (!ir::is_int_const(right)) return Form::of_atom(node(e, {}));
            const Int128 count = right->int_value();
            if (count < 0 || count >= e->type.bits) return Form::of_atom(node(e, {}));
            const Int128 factor = Int128{1} << count;
            const Form x = form(e->arg(0));
            return e->op == Op::Shl ? scaled(x, factor) : quotient(x, factor);
        }
        const auto floor = [this](const Form& n, Int128 c) { return quotient(n, c); };
        if (const auto known = k_.bitwise_form(e, floor)) return *known;
        for (std::size_t i = 0; i < 2 && e->op == Op::BitAnd; ++i) {
            const Expr mask = e->arg(i);
            if (!ir::is_int_const(mask)) continue;
            const Int128 modulus = mask->int_value() + 1;
            if (modulus <= 0 || (modulus & (modulus - 1)) != 0) continue;
            Form rest = form(e->arg(1 - i));
            const Form q = quotient(rest, modulus);
            rest.add(q, checked_neg(modulus));
            return rest;
        }
        return Form::of_atom(node(e, {}));
    }

    // --- min, max, choices, casts

    Form extremum(Expr e) {
        Form a = form(e->arg(0));
        Form b = form(e->arg(1));
        const bool is_min = e->op == Op::Min;
        const Form gap = is_min ? difference(b, a) : difference(a, b);  // >= 0: the result is a
        const Interval known = k_.bounds_of(gap);
        if (known.lo && *known.lo >= 0) return a;
        if (known.hi && *known.hi <= 0) return b;
        const int atom = node(e, {});
        const Form m = Form::of_atom(atom);
        // The result is on the right side of both, and equals one of them.
        const Form from_a = is_min ? difference(a, m) : difference(m, a);
        const Form from_b = is_min ? difference(b, m) : difference(m, b);
        if (!seen(atom)) {
            k_.assume_ge(from_a);
            k_.assume_ge(from_b);
            k_.open({{FormClaim{scaled(from_a, -1), false}, FormClaim{gap, false}},
                     {FormClaim{scaled(from_b, -1), false}, FormClaim{scaled(gap, -1), false}}});
        }
        return m;
    }

    Form choice(Expr e) {
        const auto c = k_.truth(e->arg(0));
        if (c) return form(e->arg(*c ? 1 : 2));
        Form a = form(e->arg(1));
        const Form b = form(e->arg(2));
        if (a == b) return a;
        const int atom = node(e, {});
        const Form m = Form::of_atom(atom);
        if (!seen(atom)) {
            k_.open({{Literal{e->arg(0), true}, FormClaim{difference(m, a), true}},
                     {Literal{e->arg(0), false}, FormClaim{difference(m, b), true}}});
        }
        return m;
    }

    // Marks an atom whose definition is now among the assumptions.
    bool seen(int atom) {
        const auto index = static_cast<std::size_t>(atom);
        if (k_.live_.size() <= index) k_.live_.resize(index + 1, false);
        const bool before = k_.live_[index];
        k_.live_[index] = true;
        return before;
    }

    Form cast(Expr e) {
        const Expr x = e->arg(0);
        const ScalarType from = x->type;
        const Interval range = range_of_type(e->type);
        if (from.is_exact_int()) {
            Form value = form(x);
            const bool fits = k_.bounds_of(value).within(*range.lo, *range.hi);
            if (from.bits <= e->type.bits || fits) return value;
            return Form::of_atom(node(e, range));
        }
        if (const auto v = ir::constant_value(x)) {
            const ir::Value args[] = {*v};
            const ir::Evaluated out = ir::eval_op(*e, args);
            const auto number = out.ok() ? out.value.integer().to_int128() : std::nullopt;
            if (number) return Form::of_constant(*number);
        }
        if (from.is_bool()) {
            if (const auto t = k_.truth(x)) return Form::of_constant(*t ? 1 : 0);
        }
        const Interval source = from.is_float() ? Interval{} : range_of_type(from);
        const bool fits = !from.is_float() && source.within(*range.lo, *range.hi);
        return Form::of_atom(node(e, fits ? source : range));
    }

    Knowledge& k_;
    int nested_quotients_ = 0;  // a reader that has given up is not used again
    Question& q_;
};

Form Knowledge::form_of(Expr exact) {
    return TermReader(*this).form(exact);
}

int Knowledge::number_of(Expr e) {
    return TermReader(*this).number(e);
}

}  // namespace proviso::analysis::cheap
