#include "analysis/certcheck/check.h"

#include "analysis/certcheck/formula.h"
#include "analysis/certcheck/sexp.h"
#include "analysis/certcheck/text.h"

namespace proviso::certcheck {

namespace {

using Kind = Formula::Kind;

// Walks the certificate. Facts are numbered; those of a branch are forgotten when it is left.
class Checker {
  public:
    Checker(Text& text, Formulas& formulas, Budget& budget)
        : text_(text),
          formulas_(formulas),
          polys_(formulas.polys),
          budget_(budget),
          facts_(text.assertions()) {}

    void run(const Sexp& certificate);
    std::size_t steps() const { return steps_; }

  private:
    // A branch still to be checked: its node, the facts that it sees, the one that it adds.
    struct Branch {
        const Sexp* node;
        std::size_t visible;
        FormulaId assumed;
    };

    void node(const Sexp& e);
    void step(const Sexp& e);
    void leaf(const Sexp& e);

    void step_and(const Sexp& e);
    void step_unit(const Sexp& e);
    void step_div(const Sexp& e);
    void step_ite(const Sexp& e);
    void step_abs(const Sexp& e);
    void step_cut(const Sexp& e);
    void step_eq(const Sexp& e);
    void step_mul(const Sexp& e);
    void step_times(const Sexp& e);
    void step_congr(const Sexp& e);
    void step_bitwise(const Sexp& e);
    void leaf_farkas(const Sexp& e);
    void leaf_false(const Sexp& e);
    void leaf_or(const Sexp& e);
    void branch(const Sexp& node, FormulaId assumed) {
        branches_.push_back({&node, facts_.size(), assumed});
    }

    void add(FormulaId f);
    void add_at_least_zero(PolyId p) { add(formulas_.at_least_zero(p)); }
    void add_zero(PolyId p) { add(formulas_.zero(p)); }

    Integer number(const Sexp& e) const;
    FormulaId fact(const Sexp& e) const;
    // The polynomial of a fact of that kind.
    PolyId polynomial(const Sexp& e, Kind kind) const;
    const std::vector<FormulaId>& disjuncts(const Sexp& e) const;
    // Of a term that is one atom.
    const Term& atom(const Sexp& e, PolyId p, std::string_view op) const;
    enum class Of : std::uint8_t { Facts, Equations };
    Polynomials::Sum combination(const Sexp& e, Of what);
    Integer common_divisor(const Polynomials::Sum& sum);

    Text& text_;
    Formulas& formulas_;
    Polynomials& polys_;
    Budget& budget_;
    std::vector<FormulaId> facts_;
    std::vector<Branch> branches_;
    std::size_t steps_ = 0;
};

void expect_size(const Sexp& e, std::size_t least, std::size_t most) {
    if (e.size() < least || e.size() > most) refuse(e, "wrong number of parts");
}

void Checker::run(const Sexp& certificate) {
    const bool known = certificate.head() == "certificate" && certificate.size() == 3;
    if (!known) refuse(certificate, "not (certificate 1 NODE)");
    if (certificate[1].word != "1") refuse(certificate[1], "not version 1 of the format");
    node(certificate[2]);
    while (!branches_.empty()) {
        const Branch next = branches_.back();
        branches_.pop_back();
        facts_.resize(next.visible);
        add(next.assumed);
        node(*next.node);
    }
}

void Checker::node(const Sexp& e) {
    if (e.head() != "do" || e.size() < 2) refuse(e, "not (do STEP... LEAF)");
    for (std::size_t i = 1; i + 1 < e.size(); ++i) {
        step(e[i]);
        ++steps_;
    }
    leaf(*e.items.back());
    ++steps_;
}

void Checker::step(const Sexp& e) {
    budget_.work(Budget::kLookup);
    const std::string_view head = e.head();
    if (head == "and") return step_and(e);
    if (head == "unit") return step_unit(e);
    if (head == "div") return step_div(e);
    if (head == "ite") return step_ite(e);
    if (head == "abs") return step_abs(e);
    if (head == "cut") return step_cut(e);
    if (head == "eq") return step_eq(e);
    if (head == "mul") return step_mul(e);
    if (head == "times") return step_times(e);
    if (head == "congr") return step_congr(e);
    if (head == "float") {
        expect_size(e, 2, 2);
        for (const FormulaId f : text_.float_facts(e[1])) add(f);
        return;
    }
    if (head == "bits") {
        expect_size(e, 2, 2);
        for (const FormulaId f : text_.bit_facts(e[1])) add(f);
        return;
    }
    if (head == "bitwise") return step_bitwise(e);
    if (head == "square") {
        expect_size(e, 2, 2);
        const PolyId p = text_.integer(e[1]);
        return add_at_least_zero(polys_.product(p, p));
    }
    refuse(e, "not a step");
}

void Checker::leaf(const Sexp& e) {
    const std::string_view head = e.head();
    if (head == "farkas") return leaf_farkas(e);
    if (head == "false") return leaf_false(e);
    if (head == "or") return leaf_or(e);
    if (head == "clash") {
        expect_size(e, 3, 3);
        if (!formulas_.opposite(fact(e[1]), fact(e[2]))) refuse(e, "the facts do not clash");
        return;
    }
    if (head == "case" || head == "split") {
        expect_size(e, 4, 4);
        const FormulaId f =
            head == "case" ? formulas_.at_least_zero(text_.integer(e[1])) : text_.formula(e[1]);
        branch(e[3], formulas_.negation(f));
        return branch(e[2], f);
    }
    refuse(e, "not a leaf");
}

// --- facts and numbers ---------------------------------------------------------------------------

void Checker::add(FormulaId f) {
    budget_.fact();
    facts_.push_back(f);
}

Integer Checker::number(const Sexp& e) const {
    const std::string_view digits = e.word.substr(e.word.substr(0, 1) == "-" ? 1 : 0);
    const bool decimal =
        !digits.empty() && digits.find_first_not_of("0123456789") == std::string_view::npos;
    if (!decimal) refuse(e, "not an integer");
    if (digits.size() > kMostDigits) throw TooLarge("a number of more than 10,000 digits");
    budget_.work(1 + digits.size() * digits.size() / 1024);
    // A leading zero would make it octal.
    const std::size_t first = digits.find_first_not_of('0');
    if (first == std::string_view::npos) return 0;
    const Integer value{std::string(digits.substr(first))};
    return digits.size() < e.word.size() ? Integer(-value) : value;
}

FormulaId Checker::fact(const Sexp& e) const {
    const Integer i = number(e);
    if (i < 0 || i >= facts_.size()) {
        refuse(e, "no fact " + i.str() + " here: there are " + std::to_string(facts_.size()));
    }
    return facts_[static_cast<std::size_t>(i)];
}

PolyId Checker::polynomial(const Sexp& e, Kind kind) const {
    const Formula& f = formulas_[fact(e)];
    if (f.kind != kind) {
        refuse(e, kind == Kind::Zero ? "not an equation of Ints" : "not an inequality");
    }
    return f.id;
}

const std::vector<FormulaId>& Checker::disjuncts(const Sexp& e) const {
    const Formula& f = formulas_[fact(e)];
    if (!f.is_disjunction()) refuse(e, "not a disjunction");
    return f.parts;
}

const Term& Checker::atom(const Sexp& e, PolyId p, std::string_view op) const {
    const auto id = polys_.single_atom(p);
    if (!id) refuse(e, "not an application that is one atom");
    const Term& t = formulas_.term(*id);
    if (!op.empty() && t.op != op) refuse(e, "not an application of " + std::string(op));
    return t;
}

Polynomials::Sum Checker::combination(const Sexp& e, Of what) {
    expect_size(e, 2, 2);
    if (!e[1].is_list() || e[1].items.empty()) refuse(e[1], "no facts with their multipliers");
    Polynomials::Sum sum;
    for (const Sexp* pair : e[1].items) {
        if (pair->size() != 2) refuse(*pair, "not a fact with its multiplier");
        const Integer multiplier = number((*pair)[1]);
        const Formula& f = formulas_[fact((*pair)[0])];
        const bool equation = f.kind == Kind::Zero;
        if (!equation && what == Of::Equations) refuse(*pair, "not an equation of Ints");
        if (!equation && f.kind != Kind::AtLeastZero) refuse(*pair, "not an inequality");
        if (!equation && multiplier < 0) refuse(*pair, "a negative multiplier of an inequality");
        polys_.add(sum, f.id, multiplier);
    }
    return sum;
}

// --- steps ---------------------------------------------------------------------------------------

void Checker::step_and(const Sexp& e) {
    expect_size(e, 2, 2);
    if (formulas_[fact(e[1])].kind != Kind::And) refuse(e[1], "not a conjunction");
    std::vector<FormulaId> open = {fact(e[1])};
    while (!open.empty()) {
        const FormulaId f = open.back();
        open.pop_back();
        const Formula& formula = formulas_[f];
        budget_.work(1);
        if (formula.kind == Kind::And) {
            open.insert(open.end(), formula.parts.rbegin(), formula.parts.rend());
        } else {
            add(f);
        }
    }
}

void Checker::step_unit(const Sexp& e) {
    expect_size(e, 4, 4);
    std::vector<FormulaId> parts = disjuncts(e[1]);
    budget_.work(parts.size());
    const Integer j = number(e[2]);
    if (j < 0 || j >= parts.size()) refuse(e[2], "no such disjunct");
    const auto at = parts.begin() + static_cast<std::ptrdiff_t>(j);
    if (!formulas_.opposite(*at, fact(e[3]))) refuse(e, "the disjunct is not refuted by the fact");
    parts.erase(at);
    add(formulas_.any(parts));
}

// Euclidean division: 0 <= a - b*q <= |b| - 1 for b other than 0.
void Checker::step_div(const Sexp& e) {
    expect_size(e, 2, 3);
    const Term& t = atom(e[1], text_.integer(e[1]), "");
    if (t.op != "div" && t.op != "mod") refuse(e[1], "not a division or remainder");
    const PolyId a = t.args[0].id;
    const PolyId b = t.args[1].id;
    PolyId size = b;  // |b|
    if (e.size() == 2) {
        const auto divisor = polys_.constant_value(b);
        if (!divisor) refuse(e[1], "the divisor is no constant: say which fact bounds it");
        if (divisor->is_zero()) refuse(e[1], "the divisor is zero");
        size = polys_.constant(abs(*divisor));
    } else {
        const PolyId bound = polynomial(e[2], Kind::AtLeastZero);  // |b| - k
        const auto is_bound = [&](PolyId of) {
            const auto minus_k = polys_.constant_value(polys_.difference(bound, of));
            return minus_k && *minus_k <= -1;
        };
        const PolyId opposite = polys_.scaled(b, -1);
        if (!is_bound(b)) {
            if (!is_bound(opposite)) refuse(e[2], "not a proof of the divisor's sign");
            size = opposite;
        }
    }
    const PolyId q = formulas_.term({"div", t.args}, Sort::Int).id;
    const PolyId rest = polys_.difference(a, polys_.product(b, q));
    const bool is_mod = t.op == "mod";
    const PolyId whole = text_.integer(e[1]);
    add_at_least_zero(rest);
    add_at_least_zero(polys_.scaled(polys_.difference(size, rest), 1, -1));
    if (is_mod) add_zero(polys_.difference(whole, rest));
}

void Checker::step_ite(const Sexp& e) {
    expect_size(e, 2, 2);
    const PolyId whole = text_.integer(e[1]);
    const std::vector<Value> args = atom(e[1], whole, "ite").args;
    add(formulas_.choice(args[0].id, formulas_.zero(polys_.difference(whole, args[1].id)),
                         formulas_.zero(polys_.difference(whole, args[2].id))));
}

void Checker::step_abs(const Sexp& e) {
    expect_size(e, 2, 2);
    const PolyId whole = text_.integer(e[1]);
    const PolyId a = atom(e[1], whole, "abs").args[0].id;
    const PolyId opposite = polys_.scaled(a, -1);
    add(formulas_.choice(formulas_.at_least_zero(a), formulas_.zero(polys_.difference(whole, a)),
                         formulas_.zero(polys_.difference(whole, opposite))));
}

// The greatest common divisor of the atoms' coefficients; 0 where there are none.
Integer Checker::common_divisor(const Polynomials::Sum& sum) {
    Integer out = 0;
    for (const auto& [monomial, coefficient] : sum) {
        budget_.work(words_in(coefficient) * (1 + words_in(coefficient)));
        if (monomial != 0) out = gcd(out, coefficient);
    }
    return out;
}

// Integer values: g*s + c >= 0 says s + floor(c / g) >= 0.
void Checker::step_cut(const Sexp& e) {
    Polynomials::Sum sum = combination(e, Of::Facts);
    const Integer divisor = common_divisor(sum);
    if (divisor > 1) {
        for (auto& [monomial, coefficient] : sum) {
            coefficient = floor_divide(coefficient, divisor);
        }
    }
    add_at_least_zero(polys_.make(sum));
}

void Checker::step_eq(const Sexp& e) {
    Polynomials::Sum sum = combination(e, Of::Equations);
    const Integer divisor = common_divisor(sum);
    const Integer constant = sum[0];
    const bool solvable = divisor.is_zero() ? constant.is_zero() : constant % divisor == 0;
    if (!solvable) return add(formulas_.constant(false));
    if (divisor > 1) {
        for (auto& [monomial, coefficient] : sum) coefficient /= divisor;
    }
    add_zero(polys_.make(sum));
}

void Checker::step_mul(const Sexp& e) {
    expect_size(e, 3, 3);
    add_at_least_zero(
        polys_.product(polynomial(e[1], Kind::AtLeastZero), polynomial(e[2], Kind::AtLeastZero)));
}

void Checker::step_times(const Sexp& e) {
    expect_size(e, 3, 3);
    add_zero(polys_.product(polynomial(e[1], Kind::Zero), text_.integer(e[2])));
}

// One function of equal arguments gives equal values.
void Checker::step_congr(const Sexp& e) {
    expect_size(e, 3, 3);
    const Value values[] = {text_.value(e[1]), text_.value(e[2])};
    if (values[0].sort != values[1].sort) refuse(e, "terms of two sorts");
    Term terms[2];
    for (std::size_t i = 0; i < 2; ++i) {
        const Sexp& source = e[i + 1];
        const Value v = values[i];
        if (v.sort == Sort::Bool && formulas_[v.id].kind != Kind::Holds) {
            refuse(source, "not an application that is one literal");
        }
        terms[i] = v.sort == Sort::Int    ? atom(source, v.id, "")
                   : v.sort == Sort::Bool ? formulas_.term(formulas_[v.id].id)
                                          : formulas_.term(v.id);
    }
    const std::size_t count = terms[0].args.size();
    if (terms[0].op != terms[1].op || count != terms[1].args.size() || count == 0) {
        refuse(e, "not two applications of one function");
    }
    std::vector<FormulaId> parts;
    for (std::size_t i = 0; i < count; ++i) {
        const Value a = terms[0].args[i];
        const Value b = terms[1].args[i];
        if (a.sort != b.sort) refuse(e, "arguments of two sorts");
        parts.push_back(formulas_.negation(formulas_.equal(a, b)));
    }
    parts.push_back(formulas_.equal(values[0], values[1]));
    add(formulas_.any(parts));
}

// What holds of every bit holds of the numbers that bits spell.
void Checker::step_bitwise(const Sexp& e) {
    expect_size(e, 2, e.size());
    const PolyId sum = text_.integer(e[1]);
    std::vector<FormulaId> given;
    for (std::size_t i = 2; i < e.size(); ++i) given.push_back(fact(e[i]));
    const Bounds b = text_.bounds(e, sum, given);
    if (b.least == b.greatest) return add_zero(polys_.scaled(sum, 1, -b.least));
    add_at_least_zero(polys_.scaled(sum, 1, -b.least));
    add_at_least_zero(polys_.scaled(sum, -1, b.greatest));
}

// --- leaves --------------------------------------------------------------------------------------

void Checker::leaf_farkas(const Sexp& e) {
    const auto value = polys_.constant_value(polys_.make(combination(e, Of::Facts)));
    if (!value) refuse(e, "atoms remain in the combination");
    if (*value >= 0) refuse(e, "the combination says " + value->str() + " >= 0, which holds");
}

void Checker::leaf_false(const Sexp& e) {
    expect_size(e, 2, 2);
    const Formula& f = formulas_[fact(e[1])];
    const bool arithmetic =
        f.kind == Kind::AtLeastZero || f.kind == Kind::Zero || f.kind == Kind::NotZero;
    const auto value = arithmetic ? polys_.constant_value(f.id) : std::nullopt;
    if (!value) refuse(e, "not a claim on a constant");
    const bool holds = f.kind == Kind::AtLeastZero ? *value >= 0
                       : f.kind == Kind::Zero      ? value->is_zero()
                                                   : !value->is_zero();
    if (holds) refuse(e, "the fact is not false");
}

void Checker::leaf_or(const Sexp& e) {
    expect_size(e, 2, e.size());
    const std::vector<FormulaId>& parts = disjuncts(e[1]);
    if (e.size() != parts.size() + 2) {
        refuse(e, std::to_string(parts.size()) + " disjuncts, " + std::to_string(e.size() - 2) +
                      " branches");
    }
    for (std::size_t i = parts.size(); i-- > 0;) branch(e[i + 2], parts[i]);
}

std::string shown(const Refusal& refusal) {
    const Place& p = refusal.where;
    return std::string(p.source) + ":" + std::to_string(p.line) + ":" + std::to_string(p.column) +
           ": " + refusal.why;
}

}  // namespace

CertificateVerdict check_certificate(std::string_view smt_text, std::string_view certificate) {
    try {
        Budget budget;
        const Source text_source("text", smt_text, budget);
        const Source certificate_source("certificate", certificate, budget);
        Formulas formulas(budget);
        Text text(text_source, formulas, budget);
        if (certificate_source.roots().size() != 1) {
            return {false, "certificate:1:1: not one (certificate 1 NODE)", 0};
        }
        Checker checker(text, formulas, budget);
        checker.run(*certificate_source.roots()[0]);
        return {true, "", checker.steps()};
    } catch (const Refusal& refusal) {
        return {false, shown(refusal), 0};
    } catch (const TooLarge& limit) {
        return {false, std::string("limit: ") + limit.what(), 0};
    }
}

}  // namespace proviso::certcheck
