#include "analysis/certcheck/bits.h"

#include <algorithm>
#include <string>

namespace proviso::certcheck {

namespace {

constexpr unsigned kWidest = 1024;
constexpr std::size_t kLongest = kWidest + 2;  // digits of a constant, with what is before them

// SMT-LIB's theory of fixed-size bit-vectors. Signed division rounds towards zero, bvsmod has the
// divisor's sign: both are given for divisors above 0, where neither can overflow.
const std::vector<BitAxioms>& table() {
    static const std::vector<BitAxioms> axioms = {
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
        {"_ extract", 1, true, {"(= p (mod x M))"}},  // of the lowest bits
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

// The words of "(_ NAME 8 0)"; none of another text.
std::vector<std::string_view> indexed(std::string_view text) {
    std::vector<std::string_view> out;
    if (text.substr(0, 3) != "(_ " || text.back() != ')') return out;
    text = text.substr(3, text.size() - 4);
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(' '), text.size());
        out.push_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return out;
}

bool is_decimal(std::string_view digits) {
    return !digits.empty() && digits.find_first_not_of("0123456789") == std::string_view::npos &&
           (digits.size() == 1 || digits[0] != '0');
}

std::optional<unsigned> count_of(std::string_view digits) {
    if (!is_decimal(digits) || digits.size() > 4) return std::nullopt;
    const unsigned out = static_cast<unsigned>(std::stoul(std::string(digits)));
    return out > kWidest ? std::nullopt : std::optional(out);
}

std::optional<unsigned> positive(std::optional<unsigned> width) {
    return width && *width > 0 ? width : std::nullopt;
}

}  // namespace

std::optional<unsigned> width_of_sort(std::string_view sort) {
    const auto words = indexed(sort);
    if (words.size() != 2 || words[0] != "BitVec") return std::nullopt;
    return positive(count_of(words[1]));
}

std::optional<Integer> number_of_constant(const Term& t) {
    if (!t.args.empty()) return std::nullopt;
    const std::string_view op = t.op;
    const auto words = indexed(op);
    if (words.size() == 2 && words[0].substr(0, 2) == "bv" && is_decimal(words[0].substr(2))) {
        if (words[0].size() > kLongest) return std::nullopt;
        return Integer(std::string(words[0].substr(2)));
    }
    if (op.size() < 3 || op.size() > kLongest || op[0] != '#') return std::nullopt;
    const int base = op[1] == 'x' ? 16 : 2;
    Integer out = 0;
    for (const char c : op.substr(2)) {
        out = out * base + (c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10);
    }
    return out;
}

std::optional<unsigned> width_of_result(const Term& t,
                                        const std::vector<std::optional<unsigned>>& args) {
    const std::string_view op = t.op;
    const auto words = indexed(op);
    if (t.args.empty()) {
        const auto value = number_of_constant(t);
        if (!value) return std::nullopt;
        const std::size_t digits = op.size() - 2;
        if (op[0] == '#') {
            const std::size_t bits = digits * (op[1] == 'x' ? 4 : 1);
            return bits <= kWidest ? std::optional(static_cast<unsigned>(bits)) : std::nullopt;
        }
        const auto width = positive(count_of(words[1]));
        return width && *value < (Integer(1) << *width) ? width : std::nullopt;
    }
    if (words.size() >= 2) {
        const auto count = count_of(words[1]);
        if (!count || t.args.size() != 1) return std::nullopt;
        if (words[0] == "int2bv" && words.size() == 2 && t.args[0].sort == Sort::Int) {
            return positive(count);
        }
        if (!args[0]) return std::nullopt;
        if (words[0] == "extract" && words.size() == 3 && words[2] == "0" && *count < *args[0]) {
            return *count + 1;
        }
        const bool extends = words[0] == "zero_extend" || words[0] == "sign_extend";
        if (!extends || words.size() != 2 || *count + *args[0] > kWidest) return std::nullopt;
        return *count + *args[0];
    }
    const BitAxioms* known = bit_axioms(op);
    const std::size_t first = op == "ite" ? 1 : 0;
    if (known == nullptr || !known->gives_bits || args.size() != known->arguments + first) {
        return std::nullopt;
    }
    for (std::size_t i = first; i < args.size(); ++i) {
        if (args[i] != args[first]) return std::nullopt;
    }
    return args[first];
}

const BitAxioms* bit_axioms(std::string_view op) {
    const auto words = indexed(op);
    const std::string name = words.empty() ? std::string(op) : "_ " + std::string(words[0]);
    for (const BitAxioms& a : table()) {
        if (a.op == name) return &a;
    }
    return nullptr;
}

// --- bit by bit ----------------------------------------------------------------------------------

namespace {

using Table = std::uint64_t;  // a truth table of 6 bits: what is true in each of 64 rows

constexpr Table kUnknown[6] = {0xAAAAAAAAAAAAAAAA, 0xCCCCCCCCCCCCCCCC, 0xF0F0F0F0F0F0F0F0,
                               0xFF00FF00FF00FF00, 0xFFFF0000FFFF0000, 0xFFFFFFFF00000000};
constexpr std::size_t kMostNodesOfBits = 1000;

class BitTables {
  public:
    BitTables(const Sexp& e, const Formulas& formulas, const WidthOf& width)
        : e_(e), formulas_(formulas), width_(width) {}

    // Bits [from, to) of a node, as a number; `down`: with bit `from` as its lowest.
    struct Slice {
        std::size_t node = 0;
        unsigned from = 0;
        unsigned to = 0;
        bool down = false;
    };
    Slice slice(MonomialId m) {
        const auto& factors = formulas_.polys.factors(m);
        if (factors.size() != 1) refuse(e_, "a product");
        const Term& t = formulas_.term(factors[0]);
        if (t.op != "div" && t.op != "mod") return whole(t);
        const auto inner = formulas_.polys.single_atom(t.args[0].id);
        const auto divisor = formulas_.polys.constant_value(t.args[1].id);
        const bool is_power = divisor && *divisor > 0 && msb(*divisor) == lsb(*divisor);
        if (!inner || !is_power) refuse(e_, "not by a power of two");
        Slice out = whole(formulas_.term(*inner));
        const unsigned at = std::min(static_cast<unsigned>(msb(*divisor)), out.to);
        if (t.op == "mod") {
            out.to = at;
        } else {
            out.from = at;
            out.down = true;
        }
        return out;
    }
    // None where the monomial is no number of a bit-vector.
    std::optional<std::size_t> number(MonomialId m) {
        if (m == 0 || formulas_.polys.factors(m).size() != 1) return std::nullopt;
        const Term& t = formulas_.term(formulas_.polys.factors(m)[0]);
        if (t.op != kNumber || t.args.size() != 1 || !width_(t.args[0])) return std::nullopt;
        return whole(t).node;
    }

    void compute(unsigned bit) {
        for (Node& n : nodes_) {
            const auto of = [&](std::size_t i) { return nodes_[n.args[i]].table; };
            if (bit >= n.width) {
                n.table = 0;
            } else if (n.op == "bvnot") {
                n.table = ~of(0);
            } else if (n.op == "bvand") {
                n.table = of(0) & of(1);
            } else if (n.op == "bvor") {
                n.table = of(0) | of(1);
            } else if (n.op == "bvxor") {
                n.table = of(0) ^ of(1);
            } else if (n.constant) {
                n.table = bit_test(*n.constant, bit) ? ~Table{0} : Table{0};
            } else {
                n.table = kUnknown[n.unknown];
            }
        }
    }
    std::size_t nodes() const { return nodes_.size(); }
    unsigned rows() const { return 1U << unknowns_; }
    Table table(std::size_t node) const { return nodes_[node].table; }
    unsigned widest() const {
        unsigned out = 0;
        for (const Node& n : nodes_) out = std::max(out, n.width);
        return out;
    }

  private:
    struct Node {
        unsigned width = 0;
        std::string_view op;  // of a gate
        std::vector<std::size_t> args;
        std::optional<Integer> constant;
        std::size_t unknown = 0;
        Table table = 0;
    };

    Slice whole(const Term& t) {
        const bool is_number = t.op == kNumber && t.args.size() == 1;
        const auto width = is_number ? width_(t.args[0]) : std::nullopt;
        if (!width) refuse(e_, "not the number of a bit-vector");
        return {node(t.args[0]), 0, *width, false};
    }

    // Arguments before what they are arguments of.
    std::size_t node(const Value& v, std::size_t depth = 0) {
        // What is above is not among the nodes yet.
        if (nodes_.size() + depth >= kMostNodesOfBits) refuse(e_, "more than 1,000 operators");
        const auto known = numbers_.find(v.id);
        if (known != numbers_.end()) return known->second;
        const Term& t = formulas_.term(v.id);
        Node n;
        n.width = width_(v).value();
        n.constant = number_of_constant(t);
        if (t.op == "bvand" || t.op == "bvor" || t.op == "bvxor" || t.op == "bvnot") {
            n.op = t.op;
            for (const Value& a : t.args) n.args.push_back(node(a, depth + 1));
        } else if (!n.constant) {
            n.unknown = unknowns_++;
            if (unknowns_ > std::size(kUnknown)) refuse(e_, "more than 6 unknown bit-vectors");
        }
        nodes_.push_back(std::move(n));
        numbers_.emplace(v.id, nodes_.size() - 1);
        return nodes_.size() - 1;
    }

    const Sexp& e_;
    const Formulas& formulas_;
    const WidthOf& width_;
    std::map<TermId, std::size_t> numbers_;
    std::vector<Node> nodes_;
    std::size_t unknowns_ = 0;
};

// What a fact says of each bit.
struct Constraint {
    enum class Kind : std::uint8_t {
        ZeroAbove,  // c - a >= 0: where 2^bit > c, bits of a are 0
        Equal,      // a - b = 0
        Known,      // a - c = 0
        ZeroBelow,  // a + 2^k * (...) = 0: bits of a below k are 0
    };
    Kind kind;
    std::size_t a = 0;
    std::size_t b = 0;
    Integer constant = 0;
    unsigned below = 0;
};

Constraint constraint(const Sexp& e, const Formula& f, const Formulas& formulas,
                      BitTables& tables) {
    using Kind = Constraint::Kind;
    const auto& terms = formulas.polys.terms(f.id);
    const bool has_constant = !terms.empty() && terms[0].first == 0;
    const Integer constant = has_constant ? terms[0].second : Integer(0);
    const std::size_t unknowns = terms.size() - (has_constant ? 1 : 0);
    if (f.kind == Formula::Kind::AtLeastZero && unknowns == 1 && terms.back().second == -1) {
        const auto a = tables.number(terms.back().first);
        if (a && constant >= 0) return {Kind::ZeroAbove, *a, 0, constant, 0};
    }
    if (f.kind != Formula::Kind::Zero) refuse(e, "a fact that says nothing of bits");
    if (unknowns == 2 && constant.is_zero()) {
        const auto a = tables.number(terms[0].first);
        const auto b = tables.number(terms[1].first);
        const bool differ = terms[0].second == -terms[1].second && abs(terms[0].second) == 1;
        if (a && b && differ) return {Kind::Equal, *a, *b, 0, 0};
    }
    if (unknowns == 1 && abs(terms.back().second) == 1) {
        const auto a = tables.number(terms.back().first);
        const Integer value = -terms.back().second * constant;
        if (a && value >= 0) return {Kind::Known, *a, 0, value, 0};
    }
    for (const auto& [own, sign] : terms) {
        const auto a = abs(sign) == 1 ? tables.number(own) : std::nullopt;
        if (!a) continue;
        Integer rest = 0;
        for (const auto& [m, c] : terms) {
            if (m != own) rest = gcd(rest, c);
        }
        if (rest.is_zero()) break;
        return {Kind::ZeroBelow, *a, 0, 0, static_cast<unsigned>(lsb(rest))};
    }
    refuse(e, "a fact that says nothing of bits");
}

// The rows that a fact admits.
Table admitted(const Constraint& c, const BitTables& tables, unsigned bit) {
    using Kind = Constraint::Kind;
    const Table a = tables.table(c.a);
    switch (c.kind) {
        case Kind::ZeroAbove: return (Integer(1) << bit) > c.constant ? ~a : ~Table{0};
        case Kind::Equal: return ~(a ^ tables.table(c.b));
        case Kind::Known: return bit_test(c.constant, bit) ? a : ~a;
        case Kind::ZeroBelow: return bit < c.below ? ~a : ~Table{0};
    }
    return 0;
}

}  // namespace

Bounds bitwise_bounds(const Sexp& e, PolyId sum, const std::vector<FormulaId>& given,
                      const Formulas& formulas, const WidthOf& width, Budget& budget) {
    BitTables tables(e, formulas, width);
    Bounds out{0, 0};
    std::vector<std::pair<BitTables::Slice, Integer>> slices;
    for (const auto& [m, c] : formulas.polys.terms(sum)) {
        if (m == 0) {
            out = {c, c};
        } else {
            slices.emplace_back(tables.slice(m), c);
        }
    }
    std::vector<Constraint> constraints;
    for (const FormulaId f : given) {
        constraints.push_back(constraint(e, formulas[f], formulas, tables));
    }
    std::size_t words = 0;
    for (const auto& [slice, c] : slices) words += words_in(c) + tables.widest() / 64;
    for (unsigned bit = 0; bit < tables.widest(); ++bit) {
        budget.work(tables.nodes() + constraints.size() + tables.rows() * words);
        tables.compute(bit);
        Table rows = ~Table{0};
        for (const Constraint& c : constraints) rows &= admitted(c, tables, bit);
        if (rows == 0) refuse(e, "facts that contradict each other");
        std::optional<Bounds> here;
        for (unsigned row = 0; row < tables.rows(); ++row) {
            if ((rows >> row & 1U) == 0) continue;
            Integer value = 0;
            for (const auto& [slice, c] : slices) {
                const bool within = slice.from <= bit && bit < slice.to;
                if (!within || (tables.table(slice.node) >> row & 1U) == 0) continue;
                value += c << (slice.down ? bit - slice.from : bit);
            }
            if (!here) here = {value, value};
            here->least = std::min(here->least, value);
            here->greatest = std::max(here->greatest, value);
        }
        out.least += here->least;
        out.greatest += here->greatest;
    }
    return out;
}

}  // namespace proviso::certcheck
