// Reading and printing: see terms.h.
#include "analysis/certify/terms.h"

#include <algorithm>
#include <utility>

namespace proviso::analysis::certificate {

namespace {

constexpr int kDeepest = 1500;

bool is_blank(char c) {
    return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

bool is_digits(std::string_view s) {
    return !s.empty() &&
           std::all_of(s.begin(), s.end(), [](char c) { return c >= '0' && c <= '9'; });
}

Int128 number(std::string_view s) {
    Int128 out = 0;
    for (char c : s) out = add(multiply(out, 10), c - '0');
    return out;
}

constexpr std::pair<std::string_view, Op> kOperators[] = {
    {"and", Op::And},         {"or", Op::Or},        {"not", Op::Not},
    {"=>", Op::Implies},      {"xor", Op::Xor},      {"=", Op::Equal},
    {"<", Op::Less},          {"<=", Op::LessEqual}, {">", Op::Greater},
    {">=", Op::GreaterEqual}, {"ite", Op::Ite},      {"+", Op::Add},
    {"-", Op::Subtract},      {"*", Op::Multiply},   {"div", Op::Div},
    {"mod", Op::Mod},         {"abs", Op::Abs},      {"distinct", Op::Distinct}};

Op operator_of(std::string_view word) {
    for (const auto& [name, op] : kOperators) {
        if (name == word) return op;
    }
    return Op::Other;
}

std::string_view name_of(Op op) {
    for (const auto& [name, o] : kOperators) {
        if (o == op) return name;
    }
    return op == Op::True ? "true" : "false";
}

// Functions of other theories whose result is Int or Bool.
Sort theory_sort(std::string_view name) {
    if (name == "bv2nat" || name == "ubv_to_int" || name == "sbv_to_int") return Sort::Int;
    if (name.substr(0, 3) == "fp." || name.substr(0, 3) == "bvs" || name.substr(0, 3) == "bvu") {
        static constexpr std::string_view predicates[] = {
            "fp.eq",       "fp.lt",          "fp.leq",        "fp.gt",         "fp.geq",
            "fp.isNaN",    "fp.isZero",      "fp.isInfinite", "fp.isNegative", "fp.isPositive",
            "fp.isNormal", "fp.isSubnormal", "bvslt",         "bvsle",         "bvsgt",
            "bvsge",       "bvult",          "bvule",         "bvugt",         "bvuge"};
        for (std::string_view p : predicates) {
            if (p == name) return Sort::Bool;
        }
    }
    return Sort::Other;
}

}  // namespace

std::string digits(Int128 value) {
    if (value == 0) return "0";
    std::string out;
    for (Int128 v = value; v != 0; v /= 10) {
        const int d = static_cast<int>(v % 10);
        out += static_cast<char>('0' + (d < 0 ? -d : d));
    }
    if (value < 0) out += '-';
    std::reverse(out.begin(), out.end());
    return out;
}

Terms::Terms(std::string_view text) {
    read(text);
    for (std::uint32_t at : sexps_.front().items) command(sexps_[at]);
    for (TermId t : assertions_) ++terms_[t].uses;
    sexps_.clear();
}

// sexps_[0] becomes the list of commands.
void Terms::read(std::string_view text) {
    sexps_.push_back({{}, {}, true});
    std::vector<std::uint32_t> open{0};
    std::size_t at = 0;
    while (at < text.size()) {
        const char c = text[at];
        if (is_blank(c)) {
            ++at;
        } else if (c == ';') {
            while (at < text.size() && text[at] != '\n') ++at;
        } else if (c == '(') {
            if (open.size() > kDeepest) throw Unreadable{"nested too deeply"};
            const auto id = static_cast<std::uint32_t>(sexps_.size());
            sexps_.push_back({{}, {}, true});
            sexps_[open.back()].items.push_back(id);
            open.push_back(id);
            ++at;
        } else if (c == ')') {
            if (open.size() == 1) throw Unreadable{"a ')' too many"};
            open.pop_back();
            ++at;
        } else {
            std::size_t end = at;
            while (end < text.size() && !is_blank(text[end]) && text[end] != '(' &&
                   text[end] != ')') {
                ++end;
            }
            sexps_[open.back()].items.push_back(static_cast<std::uint32_t>(sexps_.size()));
            sexps_.push_back({text.substr(at, end - at), {}, false});
            at = end;
        }
    }
    if (open.size() != 1) throw Unreadable{"a ')' is missing"};
}

Sort Terms::sort_of(std::string_view text) {
    return text == "Int" ? Sort::Int : text == "Bool" ? Sort::Bool : Sort::Other;
}

void Terms::command(const Sexp& s) {
    if (!s.is_list || s.items.empty()) throw Unreadable{"not a command"};
    const std::vector<std::uint32_t> items = s.items;
    const std::string_view what = sexps_[items[0]].word;
    if (what == "assert" && items.size() == 2) {
        assertions_.push_back(build(items[1], nullptr, 0));
    } else if ((what == "declare-fun" && items.size() == 4) ||
               (what == "declare-const" && items.size() == 3)) {
        const std::string_view name = sexps_[items[1]].word;
        const Sort sort = sort_of(sexps_[items.back()].word);
        result_sort_[std::string(name)] = sort;
        if (sort == Sort::Other) other_sort_[std::string(name)] = flat(items.back());
        if (items.size() == 3 || sexps_[items[2]].items.empty()) {
            Term t;
            t.sort = sort;
            t.symbol = intern(name);
            names_[name] = make(std::move(t));
        }
    } else if (what == "define-fun" && items.size() == 5) {
        const std::string_view name = sexps_[items[1]].word;
        const Sexp& parameters = sexps_[items[2]];
        if (!parameters.items.empty()) {
            Macro macro{{}, items[4]};
            for (std::uint32_t p : parameters.items) {
                macro.parameters.push_back(sexps_[sexps_[p].items.at(0)].word);
            }
            macros_[name] = macro;
            return;
        }
        const TermId id = build(items[4], nullptr, 0);
        names_[name] = id;
        if (!terms_[id].args.empty()) name_of_.emplace(id, name);
    } else if (what != "set-logic" && what != "check-sat" && what != "set-option" &&
               what != "set-info") {
        throw Unreadable{"unknown command " + std::string(what)};
    }
}

std::uint32_t Terms::intern(std::string_view text) {
    const auto [at, is_new] =
        symbol_ids_.emplace(std::string(text), static_cast<std::uint32_t>(symbols_.size()));
    if (is_new) symbols_.emplace_back(text);
    return at->second;
}

TermId Terms::make(Term term) {
    std::string key(1, static_cast<char>(term.op));
    const auto put = [&](const auto& value) {
        key.append(reinterpret_cast<const char*>(&value), sizeof value);
    };
    if (term.op == Op::Numeral) put(term.value);
    if (term.op == Op::Other) put(term.symbol);
    for (TermId a : term.args) put(a);
    const auto [at, is_new] = known_.emplace(std::move(key), static_cast<TermId>(terms_.size()));
    if (!is_new) return at->second;
    for (TermId a : term.args) ++terms_[a].uses;
    terms_.push_back(std::move(term));
    return at->second;
}

// "(_ bv0 8)" as one word.
std::string Terms::flat(std::uint32_t sexp) const {
    const Sexp& s = sexps_[sexp];
    if (!s.is_list) return std::string(s.word);
    std::string out = "(";
    for (std::uint32_t i : s.items) out += (out.size() > 1 ? " " : "") + flat(i);
    return out + ")";
}

TermId Terms::build_word(std::string_view word, const Names* parameters) {
    if (parameters != nullptr) {
        const auto bound = parameters->find(word);
        if (bound != parameters->end()) return bound->second;
    }
    const auto found = names_.find(word);
    if (found != names_.end()) return found->second;
    Term t;
    if (is_digits(word)) {
        t.op = Op::Numeral;
        t.sort = Sort::Int;
        t.value = number(word);
    } else if (word == "true" || word == "false") {
        t.op = word == "true" ? Op::True : Op::False;
        t.sort = Sort::Bool;
    } else {
        t.symbol = intern(word);
    }
    return make(std::move(t));
}

TermId Terms::build(std::uint32_t sexp, const Names* parameters, int depth) {
    if (depth > kDeepest) throw Unreadable{"nested too deeply"};
    const Sexp s = sexps_[sexp];
    if (!s.is_list) return build_word(s.word, parameters);
    if (s.items.empty()) throw Unreadable{"an empty list"};
    const Sexp& head = sexps_[s.items[0]];
    Term t;
    if (!head.is_list && head.word == "_") {
        t.symbol = intern(flat(sexp));
        return make(std::move(t));
    }
    if (head.word == "let" || head.word == "forall" || head.word == "exists") {
        throw Unreadable{std::string(head.word)};
    }
    for (std::size_t i = 1; i < s.items.size(); ++i) {
        t.args.push_back(build(s.items[i], parameters, depth + 1));
    }
    const auto macro = head.is_list ? macros_.end() : macros_.find(head.word);
    if (macro != macros_.end()) {
        Names bound;
        for (std::size_t i = 0; i < t.args.size(); ++i) {
            bound[macro->second.parameters.at(i)] = t.args[i];
        }
        return build(macro->second.body, &bound, depth + 1);
    }
    t.op = head.is_list ? Op::Other : operator_of(head.word);
    if (t.op == Op::Other) {
        const std::string name = flat(s.items[0]);
        const auto declared = result_sort_.find(name);
        t.sort = declared != result_sort_.end() ? declared->second : theory_sort(name);
        t.symbol = intern(name);
    } else if (t.op == Op::Ite) {
        if (t.args.size() != 3) throw Unreadable{"ite"};
        t.sort = terms_[t.args[1]].sort;
    } else {
        t.sort = t.op >= Op::Add ? Sort::Int : Sort::Bool;
    }
    if (t.args.empty()) throw Unreadable{"a list of one"};
    const bool is_negative = t.op == Op::Subtract && t.args.size() == 1;
    if (is_negative && terms_[t.args[0]].op == Op::Numeral) {
        t.value = negate(terms_[t.args[0]].value);
        t.op = Op::Numeral;
        t.args.clear();
    }
    return make(std::move(t));
}

TermId Terms::formula(std::string_view text, const Names& names) {
    sexps_.clear();
    read(text);
    const TermId out = build(sexps_.front().items.at(0), &names, 0);
    sexps_.clear();
    return out;
}

TermId Terms::numeral(Int128 value) {
    Term t;
    t.op = Op::Numeral;
    t.sort = Sort::Int;
    t.value = value;
    return make(std::move(t));
}

TermId Terms::application(std::string_view function, Sort sort, TermId argument) {
    Term t;
    t.sort = sort;
    t.symbol = intern(function);
    t.args = {argument};
    return make(std::move(t));
}

std::string_view Terms::declared_sort(const Term& t) const {
    const auto found = other_sort_.find(symbol(t));
    return found == other_sort_.end() ? std::string_view() : found->second;
}

std::string Terms::text(TermId id) const {
    std::string out;
    write(id, out, 0);
    return out;
}

std::string Terms::spelled_out(TermId id) const {
    std::string out;
    write_spelled_out(id, out, 0);
    return out;
}

void Terms::write(TermId id, std::string& out, int depth) const {
    if (depth > kDeepest) throw Unreadable{"nested too deeply"};
    const auto name = name_of_.find(id);
    if (name != name_of_.end()) {
        out += name->second;
        return;
    }
    write_spelled_out(id, out, depth);
}

void Terms::write_spelled_out(TermId id, std::string& out, int depth) const {
    const Term& t = terms_[id];
    if (t.op == Op::Numeral) {
        out += t.value < 0 ? "(- " + digits(t.value).substr(1) + ")" : digits(t.value);
        return;
    }
    const std::string_view head = t.op == Op::Other ? symbol(t) : certificate::name_of(t.op);
    if (t.args.empty()) {
        out += head;
        return;
    }
    out += '(';
    out += head;
    for (TermId a : t.args) {
        out += ' ';
        write(a, out, depth + 1);
    }
    out += ')';
}

}  // namespace proviso::analysis::certificate
