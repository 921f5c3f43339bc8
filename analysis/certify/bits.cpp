#include "analysis/certify/bits.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>

namespace proviso::analysis::certificate {

namespace {

constexpr unsigned kWidest = 64;  // its numbers' products fit 128 bits
constexpr std::size_t kMostBoundaries = 4;

struct Axioms {
    std::string_view op;
    std::size_t arguments;
    bool gives_bits;
    std::vector<std::string_view> facts;
};

// In the order of docs/certificates.md, where the names are explained.
const std::vector<Axioms>& table() {
    static const std::vector<Axioms> axioms = {
        {"bvnot", 1, true, {"(= p (- M 1 x))"}},
        {"bvneg", 1, true, {"(= p (mod (- x) M))"}},
        {"bvadd", 2, true, {"(= p (mod (+ x y) M))"}},
        {"bvsub", 2, true, {"(= p (mod (- x y) M))"}},
        {"bvmul", 2, true, {"(= p (mod (* x y) M))"}},
        {"bvand", 2, true, {}},
        {"bvor", 2, true, {}},
        {"bvxor", 2, true, {}},
        {"bvudiv", 2, true, {"(=> (> y 0) (= p (div x y)))"}},
        {"bvurem", 2, true, {"(=> (> y 0) (= p (mod x y)))"}},
        {"bvsdiv",
         2,
         true,
         {"(=> (and (> sy 0) (>= sx 0)) (= sp (div sx sy)))",
          "(=> (and (> sy 0) (< sx 0)) (= sp (- (div (- sx) sy))))"}},
        {"bvsrem",
         2,
         true,
         {"(=> (and (> sy 0) (>= sx 0)) (= sp (mod sx sy)))",
          "(=> (and (> sy 0) (< sx 0)) (= sp (- (mod (- sx) sy))))"}},
        {"bvsmod", 2, true, {"(=> (> sy 0) (= sp (mod sx sy)))"}},
        {"bvshl", 2, true, {"(= p (mod (* x P) M))"}},
        {"bvlshr", 2, true, {"(= p (div x P))"}},
        {"bvashr", 2, true, {"(= sp (div sx P))"}},
        {"ite", 2, true, {"(=> c (= p x))", "(=> (not c) (= p y))"}},
        {"_ int2bv", 1, true, {"(= p (mod x M))"}},
        {"_ extract", 1, true, {"(= p (mod x M))"}},
        {"_ zero_extend", 1, true, {"(= p x)"}},
        {"_ sign_extend", 1, true, {"(= sp sx)"}},
        {"=", 2, false, {"(= b (= x y))"}},
        {"bvult", 2, false, {"(= b (< x y))"}},
        {"bvule", 2, false, {"(= b (<= x y))"}},
        {"bvugt", 2, false, {"(= b (> x y))"}},
        {"bvuge", 2, false, {"(= b (>= x y))"}},
        {"bvslt", 2, false, {"(= b (< sx sy))"}},
        {"bvsle", 2, false, {"(= b (<= sx sy))"}},
        {"bvsgt", 2, false, {"(= b (> sx sy))"}},
        {"bvsge", 2, false, {"(= b (>= sx sy))"}},
    };
    return axioms;
}

// "(_ NAME 8 0)": NAME and the numbers; a number that is too large is 0.
struct Indexed {
    std::string_view name;
    std::vector<unsigned> numbers;
};
std::optional<Indexed> indexed(std::string_view text) {
    if (text.substr(0, 3) != "(_ ") return std::nullopt;
    text = text.substr(3, text.size() - 4);
    std::vector<std::string_view> words;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(' '), text.size());
        words.push_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    Indexed out{words[0], {}};
    for (std::size_t i = 1; i < words.size(); ++i) {
        const bool digits = words[i].find_first_not_of("0123456789") == std::string_view::npos;
        out.numbers.push_back(digits && words[i].size() < 5
                                  ? static_cast<unsigned>(std::stoul(std::string(words[i])))
                                  : 0);
    }
    return out;
}

class Reader {
  public:
    explicit Reader(Terms& terms) : terms_(terms), count_(terms.size()), widths_(count_) {}

    BitTerms read() {
        for (TermId t = 0; t < count_; ++t) {
            widths_[t] = width_of(t);
            if (widths_[t] > kWidest) widths_[t] = 0;
        }
        const auto has_bits = [](unsigned w) { return w > 0; };
        if (std::none_of(widths_.begin(), widths_.end(), has_bits)) return {};
        for (TermId t = 0; t < count_; ++t) {
            if (widths_[t] > 0) {
                add(t);
            } else if (terms_.at(t).sort == Sort::Bool) {
                add_claim(t);
            }
        }
        find_boundaries();
        return std::move(out_);
    }

  private:
    std::string_view name(const Term& t) const {
        if (t.op == Op::Equal) return "=";
        if (t.op == Op::Ite) return "ite";
        return t.op == Op::Other ? std::string_view(terms_.symbol(t)) : std::string_view();
    }

    const Axioms* axioms_of(const Term& t) const {
        std::string op(name(t));
        if (const auto i = indexed(op)) op = "_ " + std::string(i->name);
        for (const Axioms& a : table()) {
            if (a.op == op) return &a;
        }
        return nullptr;
    }

    // Of a constant the number, in a width up to kWidest.
    std::optional<Int128> constant(const Term& t) const {
        if (!t.args.empty() || t.sort != Sort::Other) return std::nullopt;
        const std::string_view op = name(t);
        std::string_view digits = op;
        Int128 base = 10;
        if (const auto i = indexed(op)) {
            if (i->name.substr(0, 2) != "bv" || i->numbers.size() != 1) return std::nullopt;
            digits = i->name.substr(2);
        } else {
            if (op.size() < 3 || op[0] != '#' || op.size() > 2 + kWidest) return std::nullopt;
            base = op[1] == 'x' ? 16 : 2;
            digits = op.substr(2);
        }
        Int128 out = 0;
        for (const char c : digits) {
            out = certificate::add(multiply(out, base), c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10);
        }
        return out;
    }

    // Arguments come before what they are arguments of. 0: none.
    unsigned width_of(TermId id) const {
        const Term& t = terms_.at(id);
        if (t.sort != Sort::Other) return 0;
        const std::string_view op = name(t);
        const auto declared = indexed(terms_.declared_sort(t));
        if (declared) return declared->name == "BitVec" ? declared->numbers.at(0) : 0;
        const auto i = indexed(op);
        if (t.args.empty()) {
            if (i) {
                const bool bits = i->name.substr(0, 2) == "bv" && i->numbers.size() == 1;
                return bits ? i->numbers[0] : 0;
            }
            if (op.size() < 3 || op[0] != '#') return 0;
            return static_cast<unsigned>(op.size() - 2) * (op[1] == 'x' ? 4 : 1);
        }
        const Axioms* known = axioms_of(t);
        if (known == nullptr || !known->gives_bits) return 0;
        if (!i) return widths_[t.args.back()];
        if (i->numbers.empty()) return 0;
        if (i->name == "int2bv") return i->numbers[0];
        const unsigned of_argument = widths_[t.args[0]];
        if (of_argument == 0) return 0;
        if (i->name != "extract") return of_argument + i->numbers[0];
        return i->numbers.size() == 2 && i->numbers[1] == 0 ? i->numbers[0] + 1 : 0;
    }

    TermId number(TermId t) {
        const auto value = constant(terms_.at(t));
        return value ? terms_.numeral(*value) : terms_.application("bv2nat", Sort::Int, t);
    }

    TermId signed_number(TermId number, unsigned width) {
        const Int128 half = Int128{1} << (width - 1);
        const Term& t = terms_.at(number);
        if (t.op == Op::Numeral) {
            return t.value < half ? number : terms_.numeral(t.value - 2 * half);
        }
        return terms_.formula(
            "(ite (< x H) x (- x M))",
            {{"x", number}, {"H", terms_.numeral(half)}, {"M", terms_.numeral(2 * half)}});
    }

    // What is said of an operator and its arguments; false where they do not fit it.
    bool add_facts(const Term& t, unsigned width, Terms::Names names, TermFacts& out) {
        const Axioms* known = axioms_of(t);
        names["M"] = terms_.numeral(Int128{1} << width);
        if (known == nullptr) return false;
        static constexpr std::pair<const char*, const char*> arguments[] = {{"x", "sx"},
                                                                            {"y", "sy"}};
        std::size_t next = 0;
        for (const TermId a : t.args) {
            if (terms_.at(a).sort == Sort::Bool) {
                names["c"] = a;
                continue;
            }
            if (next == known->arguments) return false;
            const auto& [plain, two_s_complement] = arguments[next++];
            const bool is_int = terms_.at(a).sort == Sort::Int;
            if (!is_int && widths_[a] == 0) return false;
            const TermId x = is_int ? a : number(a);
            names[plain] = x;
            if (!is_int) names[two_s_complement] = signed_number(x, widths_[a]);
        }
        if (next != known->arguments) return false;
        if (known->op == "bvshl" || known->op == "bvlshr" || known->op == "bvashr") {
            const auto count = constant(terms_.at(t.args[1]));
            if (!count || *count >= width) return false;
            names["P"] = terms_.numeral(Int128{1} << static_cast<unsigned>(*count));
        }
        for (const std::string_view fact : known->facts) {
            out.facts.push_back(terms_.formula(fact, names));
        }
        return true;
    }

    void add(TermId id) {
        const Term t = terms_.at(id);
        const unsigned width = widths_[id];
        BitVector v;
        v.number = number(id);
        v.width = width;
        v.constant = constant(t);
        v.facts = out_.facts.size();
        vector_of_[id] = out_.vectors.size();
        if (!v.constant) {
            TermFacts facts{"bits", id, {}};
            Terms::Names names{{"p", v.number},
                               {"sp", signed_number(v.number, width)},
                               {"M", terms_.numeral(Int128{1} << width)}};
            facts.facts = {terms_.formula("(>= p 0)", names), terms_.formula("(< p M)", names)};
            const bool fits = add_facts(t, width, names, facts);
            const std::string_view op = name(t);
            using Gate = BitVector::Gate;
            v.gate = op == "bvnot"   ? Gate::Not
                     : op == "bvand" ? Gate::And
                     : op == "bvor"  ? Gate::Or
                     : op == "bvxor" ? Gate::Xor
                                     : Gate::None;
            if (v.gate != Gate::None) {
                for (const TermId a : t.args) v.args.push_back(vector_of_.at(a));
            } else if (fits && facts.facts.size() == 3) {
                const Term& equation = terms_.at(facts.facts[2]);
                const bool defines = equation.op == Op::Equal && equation.args[0] == v.number;
                const Term& right = terms_.at(equation.args.back());
                if (defines && right.op == Op::Mod) {
                    v.dividend = right.args[0];
                    v.remainder = equation.args[1];
                }
            }
            out_.facts.push_back(std::move(facts));
        }
        out_.vectors.push_back(std::move(v));
    }

    void add_claim(TermId id) {
        const Term t = terms_.at(id);
        const Axioms* known = axioms_of(t);
        if (known == nullptr || known->gives_bits || t.args.size() != 2) return;
        if (widths_[t.args[0]] == 0 || t.args[0] == t.args[1]) return;
        TermFacts facts{"bits", id, {}};
        if (!add_facts(t, widths_[t.args[0]], {{"b", id}}, facts)) return;
        out_.facts.push_back(std::move(facts));
        if (known->op.substr(0, 3) != "bvs") return;
        for (const TermId a : t.args) with_sign_.push_back(vector_of_.at(a));
    }

    // A mask of constant bits splits what it meets into fields.
    void find_boundaries() {
        std::map<std::size_t, std::set<unsigned>> boundaries;
        for (const BitVector& v : out_.vectors) {
            for (const std::size_t a : v.args) {
                const BitVector& mask = out_.vectors[a];
                if (!mask.constant) continue;
                for (unsigned bit = 1; bit < mask.width; ++bit) {
                    const bool changes =
                        ((*mask.constant >> bit) & 1) != ((*mask.constant >> (bit - 1)) & 1);
                    if (!changes) continue;
                    for (const std::size_t b : v.args) note_boundary(b, bit, boundaries);
                }
            }
        }
        for (const std::size_t at : with_sign_)
            note_boundary(at, out_.vectors[at].width - 1, boundaries);
        for (const auto& [at, bits] : boundaries) {
            if (bits.size() > kMostBoundaries) continue;
            BitVector& v = out_.vectors[at];
            for (const unsigned bit : bits) {
                v.remainders.push_back(terms_.formula(
                    "(mod x P)", {{"x", v.number}, {"P", terms_.numeral(Int128{1} << bit)}}));
            }
        }
    }

    void note_boundary(std::size_t at, unsigned bit,
                       std::map<std::size_t, std::set<unsigned>>& out) {
        const BitVector& v = out_.vectors[at];
        if (v.constant || !noted_.insert({at, bit}).second) return;
        const bool is_sign = bit + 1 == v.width;
        if (v.gate == BitVector::Gate::None || is_sign) out[at].insert(bit);
        for (const std::size_t a : v.args) note_boundary(a, bit, out);
    }

    Terms& terms_;
    std::size_t count_;
    std::vector<unsigned> widths_;
    std::map<TermId, std::size_t> vector_of_;
    std::vector<std::size_t> with_sign_;  // operands of comparisons that look at the sign
    std::set<std::pair<std::size_t, unsigned>> noted_;
    BitTerms out_;
};

}  // namespace

BitTerms read_bits(Terms& terms) {
    return Reader(terms).read();
}

}  // namespace proviso::analysis::certificate
