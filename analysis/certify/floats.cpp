#include "analysis/certify/floats.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>

namespace proviso::analysis::certificate {

namespace {

struct Format {
    int exponent = 0;
    int significand = 0;
    bool operator==(const Format& o) const {
        return exponent == o.exponent && significand == o.significand;
    }
};

struct Axioms {
    std::string_view op;
    std::size_t floats;
    bool gives_float;
    std::vector<std::string> facts;
};

// N(x), I(x), Z(x) and S(x): x is the code of NaN, an infinity, a zero, a number with a sign.
std::string written_out(std::string_view axiom) {
    std::string out;
    for (std::size_t i = 0; i < axiom.size(); ++i) {
        const bool call = i + 3 < axiom.size() && axiom[i + 1] == '(' && axiom[i + 3] == ')';
        const std::string x = call ? std::string(1, axiom[i + 2]) : "";
        switch (call ? axiom[i] : ' ') {
            case 'N': out += "(> " + x + " INF)"; break;
            case 'I': out += "(or (= " + x + " INF) (= " + x + " (- (- 1) INF)))"; break;
            case 'Z': out += "(<= (- 1) " + x + " 0)"; break;
            case 'S': out += "(< " + x + " 0)"; break;
            default: out += axiom[i]; continue;
        }
        i += 3;
    }
    return out;
}

Axioms written(std::string_view op, std::size_t floats, bool gives_float,
               const std::vector<std::string_view>& facts) {
    Axioms out{op, floats, gives_float, {}};
    for (const std::string_view f : facts) out.facts.push_back(written_out(f));
    return out;
}

const std::vector<Axioms>& table() {
    static const std::vector<Axioms> axioms = {
        written("fp.neg", 1, true, {"(=> N(x) (= p x))", "(=> (not N(x)) (= p (- (- 1) x)))"}),
        written("fp.abs", 1, true, {"(=> S(x) (= p (- (- 1) x)))", "(=> (not S(x)) (= p x))"}),
        written("ite", 2, true, {"(=> c (= p x))", "(=> (not c) (= p y))"}),
        written("fp.add", 2, true,
                {"(=> N(p) (or N(x) N(y) (and I(x) I(y) (xor S(x) S(y)))))",
                 "(=> (or N(x) N(y) (and I(x) I(y) (xor S(x) S(y)))) N(p))",
                 "(=> (and Z(y) (not Z(x))) (= p x))", "(=> (and Z(x) (not Z(y))) (= p y))",
                 "(=> (and Z(x) Z(y)) Z(p))", "(=> (= p (- 1)) (and (= x (- 1)) (= y (- 1))))",
                 "(=> (and (= x (- 1)) (= y (- 1))) (= p (- 1)))",
                 "(=> (and (= S(x) S(y)) (not N(p))) (= S(p) S(x)))"}),
        written("fp.sub", 2, true,
                {"(=> N(p) (or N(x) N(y) (and I(x) I(y) (= S(x) S(y)))))",
                 "(=> (or N(x) N(y) (and I(x) I(y) (= S(x) S(y)))) N(p))",
                 "(=> (and Z(y) (not Z(x))) (= p x))",
                 "(=> (and Z(x) (not Z(y)) (not N(y))) (= p (- (- 1) y)))",
                 "(=> (and Z(x) Z(y)) Z(p))", "(=> (= p (- 1)) (and (= x (- 1)) (= y 0)))",
                 "(=> (and (= x (- 1)) (= y 0)) (= p (- 1)))",
                 "(=> (and (xor S(x) S(y)) (not N(p))) (= S(p) S(x)))"}),
        written("fp.mul", 2, true,
                {"(=> N(p) (or N(x) N(y) (and Z(x) I(y)) (and I(x) Z(y))))",
                 "(=> (or N(x) N(y) (and Z(x) I(y)) (and I(x) Z(y))) N(p))",
                 "(=> (not N(p)) (= S(p) (xor S(x) S(y))))", "(=> (and Z(x) (not N(p))) Z(p))",
                 "(=> (and Z(y) (not N(p))) Z(p))", "(=> (= x ONE) (= p y))",
                 "(=> (= y ONE) (= p x))"}),
        written("fp.div", 2, true,
                {"(=> N(p) (or N(x) N(y) (and Z(x) Z(y)) (and I(x) I(y))))",
                 "(=> (or N(x) N(y) (and Z(x) Z(y)) (and I(x) I(y))) N(p))",
                 "(=> (not N(p)) (= S(p) (xor S(x) S(y))))", "(=> (and Z(x) (not N(p))) Z(p))",
                 "(=> (and I(y) (not N(p))) Z(p))", "(=> (and I(x) (not N(p))) I(p))",
                 "(=> (and Z(y) (not N(p))) I(p))", "(=> (= y ONE) (= p x))"}),
        written("=", 2, false, {"(=> b (= x y))", "(=> (not b) (not (= x y)))"}),
        written("fp.eq", 2, false,
                {"(=> b (and (not N(x)) (not N(y)) (or (= x y) (and Z(x) Z(y)))))",
                 "(=> (not b) (or N(x) N(y) (and (not (= x y)) (not (and Z(x) Z(y))))))"}),
        written("fp.lt", 2, false,
                {"(=> b (and (not N(x)) (not N(y)) (< x y) (not (and Z(x) Z(y)))))",
                 "(=> (not b) (or N(x) N(y) (>= x y) (and Z(x) Z(y))))"}),
        written("fp.leq", 2, false,
                {"(=> b (and (not N(x)) (not N(y)) (or (<= x y) (and Z(x) Z(y)))))",
                 "(=> (not b) (or N(x) N(y) (and (> x y) (not (and Z(x) Z(y))))))"}),
        written("fp.isNaN", 1, false, {"(=> b N(x))", "(=> (not b) (not N(x)))"}),
        written("fp.isInfinite", 1, false, {"(=> b I(x))", "(=> (not b) (not I(x)))"}),
        written("fp.isZero", 1, false, {"(=> b Z(x))", "(=> (not b) (not Z(x)))"}),
        written("fp.isNegative", 1, false, {"(=> b S(x))", "(=> (not b) (not S(x)))"}),
        written("fp.isPositive", 1, false,
                {"(=> b (and (>= x 0) (not N(x))))", "(=> (not b) (or S(x) N(x)))"}),
    };
    return axioms;
}

constexpr std::string_view kRange = "(<= (- (- 1) INF) p (+ INF 1))";

const Axioms* axioms_of(std::string_view op) {
    for (const Axioms& a : table()) {
        if (a.op == op) return &a;
    }
    return nullptr;
}

// The two numbers at the end of "(_ NAME 8 24)", of formats whose codes fit.
std::optional<Format> indexed(std::string_view text, std::string_view name) {
    const std::string start = "(_ " + std::string(name) + " ";
    if (text.substr(0, start.size()) != start) return std::nullopt;
    int numbers[2] = {0, 0};
    std::size_t at = 0;
    for (const char c : text.substr(start.size(), text.size() - start.size() - 1)) {
        if (c == ' ' && at == 0) {
            ++at;
        } else if (c >= '0' && c <= '9' && numbers[at] < 100) {
            numbers[at] = numbers[at] * 10 + (c - '0');
        } else {
            return std::nullopt;
        }
    }
    const bool fits = numbers[0] >= 2 && numbers[0] <= 15 && numbers[1] >= 2 && numbers[1] <= 64;
    return fits ? std::optional(Format{numbers[0], numbers[1]}) : std::nullopt;
}

class Reader {
  public:
    explicit Reader(Terms& terms) : terms_(terms), count_(terms.size()), formats_(count_) {}

    std::vector<TermFacts> read() {
        std::vector<TermFacts> out;
        for (TermId t = 0; t < count_; ++t) formats_[t] = format_of(t);
        if (std::none_of(formats_.begin(), formats_.end(), [](const auto& f) { return !!f; })) {
            return out;
        }
        for (TermId t = 0; t < count_; ++t) {
            TermFacts facts = facts_of(t);
            if (!facts.facts.empty()) out.push_back(std::move(facts));
        }
        return out;
    }

  private:
    std::string_view name(const Term& t) const {
        if (t.op == Op::Equal) return "=";
        if (t.op == Op::Ite) return "ite";
        return t.op == Op::Other ? std::string_view(terms_.symbol(t)) : std::string_view();
    }

    // Of "#b0101" the digits.
    std::string_view bits(TermId t) const {
        const std::string_view word = name(terms_.at(t));
        return word.substr(0, 2) == "#b" ? word.substr(2) : std::string_view();
    }

    // Arguments come before what they are arguments of.
    std::optional<Format> format_of(TermId id) const {
        const Term& t = terms_.at(id);
        if (t.sort != Sort::Other) return std::nullopt;
        const std::string_view op = name(t);
        if (op == "fp" && t.args.size() == 3) {
            const std::size_t exponent = bits(t.args[1]).size();
            const std::size_t fraction = bits(t.args[2]).size();
            if (exponent < 2 || exponent > 15 || fraction < 1 || fraction > 63) return {};
            return Format{static_cast<int>(exponent), static_cast<int>(fraction) + 1};
        }
        if (const auto f = indexed(terms_.declared_sort(t), "FloatingPoint")) return f;
        if (const auto f = indexed(op, "NaN")) return f;
        const Axioms* known = axioms_of(op);
        if (known == nullptr || !known->gives_float || t.args.empty()) return std::nullopt;
        return formats_[t.args.back()];
    }

    static Int128 infinity(Format f) {
        return ((Int128{1} << f.exponent) - 1) << (f.significand - 1);
    }

    TermId code(TermId id) {
        const Term t = terms_.at(id);
        const Int128 inf = infinity(*formats_[id]);
        if (name(t) == "fp" && t.args.size() == 3) {
            Int128 code = 0;
            for (std::size_t i = 1; i < 3; ++i) {
                for (const char bit : bits(t.args[i])) code = code * 2 + (bit == '1' ? 1 : 0);
            }
            if (code > inf) return terms_.numeral(inf + 1);
            return terms_.numeral(bits(t.args[0]) == "1" ? -1 - code : code);
        }
        if (t.args.empty() && indexed(name(t), "NaN")) return terms_.numeral(inf + 1);
        return terms_.application("float-code", Sort::Int, id);
    }

    TermFacts facts_of(TermId id) {
        TermFacts out{"float", id, {}};
        const Term t = terms_.at(id);
        const std::string op(name(t));
        const Axioms* known = axioms_of(op);
        std::vector<TermId> floats;
        std::optional<Format> f = formats_[id];
        const bool claim = !f.has_value();
        for (const TermId a : t.args) {
            if (!formats_[a]) continue;
            if (!f) f = formats_[a];
            if (!(*f == *formats_[a])) return out;
            floats.push_back(a);
        }
        if (!f || (claim && (known == nullptr || known->gives_float))) return out;
        Terms::Names names{{"INF", terms_.numeral(infinity(*f))},
                           {"ONE", terms_.numeral(((Int128{1} << (f->exponent - 1)) - 1)
                                                  << (f->significand - 1))}};
        names[claim ? "b" : "p"] = claim ? id : code(id);
        if (!claim) out.facts.push_back(terms_.formula(kRange, names));
        const bool guided = !t.args.empty() && !formats_[t.args[0]];  // a condition, a rounding
        const bool fits = known != nullptr && floats.size() == known->floats &&
                          t.args.size() == floats.size() + (guided ? 1 : 0);
        if (!fits || (guided && op != "ite" && name(terms_.at(t.args[0])) != "RNE")) {
            if (claim) out.facts.clear();
            return out;
        }
        if (claim && floats.size() == 2 && floats[0] == floats[1] && op == "=") return out;
        if (guided) names["c"] = t.args[0];
        names["x"] = code(floats[0]);
        if (floats.size() > 1) names["y"] = code(floats[1]);
        for (const std::string& fact : known->facts)
            out.facts.push_back(terms_.formula(fact, names));
        return out;
    }

    Terms& terms_;
    std::size_t count_;
    std::vector<std::optional<Format>> formats_;
};

}  // namespace

std::vector<TermFacts> float_facts(Terms& terms) {
    return Reader(terms).read();
}

}  // namespace proviso::analysis::certificate
