#include "analysis/smt/bit_work.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "ir/type.h"

namespace proviso::analysis::smt {

namespace {

constexpr std::uint64_t kMost = std::uint64_t{1} << 40U;

std::uint64_t sum(std::uint64_t a, std::uint64_t b) {
    return std::min(kMost, a + b);
}
// Of numbers up to kMost.
std::uint64_t product(std::uint64_t a, std::uint64_t b) {
    return a != 0 && b > kMost / a ? kMost : a * b;
}

// Of a term or a sort: bits of its values, and of their significands where they are floats. A
// constant's `power` says that it is a power of two, which makes wires of a product.
struct Shape {
    std::uint64_t bits = 0;  // 0: an Int, a Bool
    std::uint64_t significand = 0;
    bool constant = false;
    bool power = false;
};

// What a name stands for.
struct Meaning {
    Shape shape;
    std::uint64_t cells = 0;  // of each application, where it has parameters
};

std::uint64_t number(std::string_view word) {
    std::uint64_t out = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), out);
    return error == std::errc() && end == word.data() + word.size() ? std::min(out, kMost) : 0;
}

// (_ bv24 8): whether 24 is a power of two. Its decimal digits may be many.
bool is_power(std::string_view digits) {
    ir::Int128 v = 0;
    if (digits.size() > 38) return false;  // below 2^127
    for (const char c : digits) v = v * 10 + (c - '0');
    return (v & (v - 1)) == 0;
}

// Sizes of circuits, measured with Z3 4.8.12 on operands that are all unknown.
std::uint64_t product_of_bits(std::uint64_t bits, bool by_constant, bool by_power) {
    if (by_power) return 0;
    return product(bits, bits) / (by_constant ? 4 : 1);
}
std::uint64_t quotient_of_bits(std::uint64_t bits, bool by_constant, bool by_power) {
    if (by_power) return 0;
    return product(product(bits, bits), by_constant ? 2 : 7);
}

class Reader {
  public:
    explicit Reader(std::string_view text) : text_(text) {}

    std::uint64_t read() {
        while (at_ < text_.size() && total_ < kMost) {
            skip_space();
            if (at_ >= text_.size()) break;
            const char c = text_[at_];
            if (c == '(') {
                ++at_;
                open_.emplace_back();
            } else if (c == ')') {
                ++at_;
                if (!open_.empty()) close();
            } else if (c == ';') {
                while (at_ < text_.size() && text_[at_] != '\n') ++at_;
            } else {
                add(of_word(word()));
            }
        }
        return total_;
    }

  private:
    struct Item {
        std::string_view word;  // empty for a list
        Shape shape;
        std::vector<std::string_view> indexed;  // (_ extract 3 0): the words after `_`
        bool empty = false;                     // ()
    };
    struct List {
        std::vector<Item> items;
        std::uint64_t cells = 0;
    };

    void skip_space() {
        while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n')) ++at_;
    }
    std::string_view word() {
        const std::size_t start = at_;
        while (at_ < text_.size() && text_[at_] != ' ' && text_[at_] != '\n' && text_[at_] != '(' &&
               text_[at_] != ')') {
            ++at_;
        }
        return text_.substr(start, at_ - start);
    }

    Item of_word(std::string_view w) const {
        if (w.size() > 2 && w[0] == '#') {  // #b0110, #x6
            return Item{
                w, Shape{(w.size() - 2) * (w[1] == 'x' ? 4 : 1), 0, true, false}, {}, false};
        }
        const auto found = names_.find(w);
        return Item{w, found == names_.end() ? Shape{} : found->second.shape, {}, false};
    }

    void add(Item item) {
        if (!open_.empty()) open_.back().items.push_back(std::move(item));
    }

    // (_ BitVec n), (_ FloatingPoint e s), (_ bv24 n)
    static Shape shape_of_indexed(const std::vector<std::string_view>& words) {
        Shape out;
        const std::string_view name = words.empty() ? std::string_view() : words[0];
        if (name == "BitVec" && words.size() == 2) out.bits = number(words[1]);
        if (name == "FloatingPoint" && words.size() == 3) {
            out.bits = sum(number(words[1]), number(words[2]));
            out.significand = number(words[2]);
        }
        if (words.size() == 3 && (name == "NaN" || name == "+oo" || name == "-oo" ||
                                  name == "+zero" || name == "-zero")) {
            out = Shape{sum(number(words[1]), number(words[2])), number(words[2]), true, false};
        }
        if (name.size() > 2 && name.substr(0, 2) == "bv" && words.size() == 2) {
            out = Shape{number(words[1]), 0, true, is_power(name.substr(2))};
        }
        return out;
    }

    // (x (_ BitVec 8)) of a define-fun
    static bool is_parameter(const std::vector<Item>& items) {
        if (items.size() != 2 || items[0].word.empty() || items[1].indexed.empty()) return false;
        return items[1].indexed[0] == "BitVec" || items[1].indexed[0] == "FloatingPoint";
    }

    void close() {
        List list = std::move(open_.back());
        open_.pop_back();
        const std::vector<Item>& items = list.items;
        if (open_.empty()) {
            command(items, list.cells);
            return;
        }
        Item out;
        out.empty = items.empty();
        if (!items.empty() && items[0].word == "_") {
            for (std::size_t i = 1; i < items.size(); ++i) out.indexed.push_back(items[i].word);
            out.shape = shape_of_indexed(out.indexed);
        } else if (is_parameter(items)) {
            names_[items[0].word] = Meaning{items[1].shape, 0};
        } else if (!items.empty()) {
            list.cells = sum(list.cells, cells_of(items));
            out.shape = shape_of(items);
        }
        open_.back().cells = sum(open_.back().cells, list.cells);
        add(std::move(out));
    }

    // What a command declares or defines; the work that it asks for.
    void command(const std::vector<Item>& items, std::uint64_t cells) {
        const std::string_view head = items.empty() ? std::string_view() : items[0].word;
        const bool defines = head == "define-fun" && items.size() == 5;
        const bool is_macro = defines && !items[2].empty;
        if (defines || (head == "declare-fun" && items.size() == 4)) {
            names_[items[1].word] = Meaning{items[3].shape, is_macro ? cells : 0};
            if (defines && items[4].shape.constant) names_[items[1].word].shape = items[4].shape;
        }
        if (head == "declare-const" && items.size() == 3) {
            names_[items[1].word] = Meaning{items[2].shape, 0};
        }
        if (!is_macro) total_ = sum(total_, cells);
    }

    // The operator and its operands' shapes.
    std::uint64_t cells_of(const std::vector<Item>& items) const {
        const Item& head = items[0];
        Shape of;  // the widest operand
        bool constant = false;
        bool power = false;
        for (std::size_t i = 1; i < items.size(); ++i) {
            const Shape& s = items[i].shape;
            if (s.bits > of.bits || s.significand > of.significand) of = s;
            constant = constant || s.constant;
            power = power || s.power;
        }
        if (is_constant(items)) return 0;  // Z3 computes it
        if (!head.indexed.empty()) return indexed(head.indexed, of);
        const std::string_view f = head.word;
        const auto named = names_.find(f);
        if (named != names_.end()) return named->second.cells;
        if (f.substr(0, 3) == "fp.") return float_cells(f, of);
        if (f == "bvmul") {
            const std::uint64_t one = product_of_bits(of.bits, constant, power);
            return product(one, items.size() > 3 ? items.size() - 2 : 1);
        }
        if (f == "bvudiv" || f == "bvurem" || f == "bvsdiv" || f == "bvsrem" || f == "bvsmod") {
            const bool by = items.size() == 3 && items[2].shape.constant;
            return sum(quotient_of_bits(of.bits, by, by && items[2].shape.power), 2 * of.bits);
        }
        if (f == "bvshl" || f == "bvlshr" || f == "bvashr") return constant ? 0 : 8 * of.bits;
        if (f == "bv2nat" || f == "bv2int" || f == "ubv_to_int") return 4 * of.bits;
        return of.bits;  // sums, comparisons, choices, bit by bit
    }

    // An operator of bits that are all constant. (Whether a Bool is one is not kept.)
    static bool is_constant(const std::vector<Item>& items) {
        bool some = false;
        for (std::size_t i = 1; i < items.size(); ++i) {
            const Shape& s = items[i].shape;
            some = some || s.constant;
            if (s.bits != 0 && !s.constant) return false;
        }
        return some && items[0].word != "ite";
    }

    // ((_ to_fp 8 24) RNE x) and so on.
    static std::uint64_t indexed(const std::vector<std::string_view>& f, const Shape& of) {
        const std::string_view name = f[0];
        if (name == "int2bv" && f.size() == 2) return 4 * number(f[1]);
        const bool to_float = name == "to_fp" || name == "to_fp_unsigned";
        const bool from_float = name == "fp.to_sbv" || name == "fp.to_ubv";
        if (!to_float && !from_float) return 0;
        std::uint64_t most = of.bits;
        for (std::size_t i = 1; i < f.size(); ++i) most = std::max(most, number(f[i]));
        return 60 * most;
    }

    static std::uint64_t float_cells(std::string_view f, const Shape& of) {
        const std::uint64_t square = product(of.significand, of.significand);
        if (f == "fp.mul") return 6 * square;
        if (f == "fp.fma") return 12 * square;
        if (f == "fp.div") return product(36, square);
        if (f == "fp.sqrt") return product(48, square);
        if (f == "fp.rem") {
            const std::uint64_t exponent = std::min<std::uint64_t>(of.bits - of.significand, 30);
            return product(std::uint64_t{14} << exponent, of.significand);
        }
        if (f == "fp.add" || f == "fp.sub" || f == "fp.roundToIntegral") return 62 * of.significand;
        return 4 * of.bits;
    }

    Shape shape_of(const std::vector<Item>& items) const {
        const Item& head = items[0];
        Shape out;
        if (!head.indexed.empty()) {
            const std::string_view name = head.indexed[0];
            const auto index = [&](std::size_t i) {
                return i < head.indexed.size() ? number(head.indexed[i]) : 0;
            };
            const std::uint64_t of = items.back().shape.bits;
            if (name == "extract") out.bits = index(1) + 1 - std::min(index(2), index(1));
            if (name == "sign_extend" || name == "zero_extend") out.bits = sum(of, index(1));
            if (name == "int2bv" || name == "fp.to_sbv" || name == "fp.to_ubv") out.bits = index(1);
            if (name == "to_fp" || name == "to_fp_unsigned") {
                out = Shape{sum(index(1), index(2)), index(2), false, false};
            }
            out.constant = is_constant(items);
            return out;
        }
        const auto named = names_.find(head.word);
        if (named != names_.end()) return named->second.shape;
        const bool truth = head.word == "=" || head.word == "and" || head.word == "or" ||
                           head.word == "not" || head.word == "=>" || head.word == "bv2nat" ||
                           head.word == "distinct" || is_comparison(head.word);
        if (truth) return out;
        if (head.word == "concat") {
            for (const Item& i : items) out.bits = sum(out.bits, i.shape.bits);
            return out;
        }
        if (head.word == "fp" && items.size() == 4) {  // sign, exponent, fraction
            for (const Item& i : items) out.bits = sum(out.bits, i.shape.bits);
            out.significand = sum(items[3].shape.bits, 1);
            out.constant = is_constant(items);
            return out;
        }
        if (head.word == "bvneg" && items.size() == 2) return items[1].shape;  // constant still
        for (const Item& i : items) {
            if (i.shape.bits > out.bits) out = i.shape;
        }
        out.constant = is_constant(items);
        out.power = false;
        return out;
    }

    static bool is_comparison(std::string_view f) {
        for (const std::string_view c :
             {"bvslt",     "bvsle",         "bvult",         "bvule",       "bvsgt",
              "bvsge",     "bvugt",         "bvuge",         "fp.lt",       "fp.leq",
              "fp.gt",     "fp.geq",        "fp.eq",         "fp.isNaN",    "fp.isInfinite",
              "fp.isZero", "fp.isNegative", "fp.isPositive", "fp.isNormal", "fp.isSubnormal"}) {
            if (f == c) return true;
        }
        return false;
    }

    std::string_view text_;
    std::size_t at_ = 0;
    std::uint64_t total_ = 0;
    std::vector<List> open_;
    std::unordered_map<std::string_view, Meaning> names_;
};

constexpr const char* kTooLarge = "too large for z3";

}  // namespace

std::uint64_t bit_cells(const std::string& text) {
    return Reader(text).read();
}

std::string too_large(const std::string& text, int memory_mib) {
    const std::uint64_t mib = bit_cells(text) / kCellsInMib;
    if (mib <= static_cast<std::uint64_t>(memory_mib)) return "";
    return fmt::format("{}: about {} MiB, of at most {}", kTooLarge, mib, memory_mib);
}

bool was_too_large(const std::string& why) {
    return why.find(kTooLarge) != std::string::npos;
}

}  // namespace proviso::analysis::smt
