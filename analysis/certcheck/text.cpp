#include "analysis/certcheck/text.h"

#include <algorithm>
#include <set>

namespace proviso::certcheck {

namespace {

using Words = std::set<std::string_view>;

const Words kArithmetic = {"+", "-", "*", "div", "mod", "abs"};
const Words kConnectives = {"and", "or", "not", "=>", "xor"};
const Words kRelations = {"=", "distinct", "<", "<=", ">", ">="};
const Words kRounding = {"RNE", "RNA", "RTP", "RTN", "RTZ"};
// Binders and whatever else is no function of its arguments.
const Words kRefused = {"forall", "exists", "lambda", "choice", "match", "par",
                        "!",      "as",     "_",      "let",    "ite",   "true",
                        "false",  "assert", "push",   "pop",    "reset", "check-sat"};
bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

bool is_numeral(std::string_view word) {
    const bool leading_zero = word.size() > 1 && word[0] == '0';
    return !leading_zero && !word.empty() && std::all_of(word.begin(), word.end(), is_digit);
}

bool is_bits(std::string_view word) {
    if (word.size() < 3 || word[0] != '#') return false;
    const std::string_view digits = word[1] == 'b'   ? "01"
                                    : word[1] == 'x' ? "0123456789abcdefABCDEF"
                                                     : "";
    return word.find_first_not_of(digits, 2) == std::string_view::npos;
}

bool is_interpreted(std::string_view word) {
    return kArithmetic.count(word) + kConnectives.count(word) + kRelations.count(word) +
                   kRounding.count(word) + kRefused.count(word) !=
               0 ||
           theory_gives(word) != Sort::Other;
}

void expect_size(const Sexp& e, std::size_t least, std::size_t most) {
    if (e.size() < least || e.size() > most) refuse(e, "wrong number of arguments");
}

}  // namespace

Text::Text(const Source& source, Formulas& formulas, Budget& budget)
    : formulas_(formulas), budget_(budget), own_("functions of floats", float_functions(), budget) {
    const auto& roots = source.roots();
    if (roots.empty() || roots.back()->str() != "(check-sat)") {
        throw Refusal{"the last command is not (check-sat)", Place{"text", 1, 1}};
    }
    for (std::size_t i = 0; i + 1 < roots.size(); ++i) {
        if (i == 0 && roots[0]->head() == "set-logic" && roots[0]->size() == 2) continue;
        command(*roots[i]);
    }
    in_obligation_ = false;
    for (const Sexp* definition : own_.roots()) define(*definition);
}

void Text::command(const Sexp& e) {
    const std::string_view head = e.head();
    if (head == "assert") {
        expect_size(e, 2, 2);
        assertions_.push_back(formula(e[1]));
    } else if (head == "declare-fun" || head == "declare-const") {
        declare(e);
    } else if (head == "define-fun") {
        define(e);
    } else {
        refuse(e, "a command that is not allowed here");
    }
}

std::string_view Text::new_name(const Sexp& e) const {
    if (e.is_list() || is_digit(e.word[0]) || e.word[0] == '#') refuse(e, "not a name");
    const bool own = in_obligation_ && (e.word == kCode || e.word.substr(0, 6) == "float.");
    const bool of_theory =
        e.word == "fp" || e.word.substr(0, 3) == "fp." || bit_axioms(e.word) != nullptr;
    if (own || of_theory || is_interpreted(e.word)) {
        refuse(e, "a name that has a meaning already");
    }
    if (constants_.count(e.word) + functions_.count(e.word) != 0) refuse(e, "declared twice");
    return e.word;
}

void Text::declare(const Sexp& e) {
    const bool constant = e.head() == "declare-const";
    expect_size(e, constant ? 3 : 4, constant ? 3 : 4);
    const std::string_view name = new_name(e[1]);
    const Written result = written(*e.items.back());
    if (!constant && !e[2].is_list()) refuse(e[2], "not a list of sorts");
    if (constant || e[2].items.empty()) {
        constants_[name] = declared({std::string(name), {}}, result);
        return;
    }
    Function f;
    f.result = result;
    for (const Sexp* sort : e[2].items) f.arguments.push_back(written(*sort));
    functions_[name] = f;
}

void Text::define(const Sexp& e) {
    expect_size(e, 5, 5);
    const std::string_view name = new_name(e[1]);
    if (!e[2].is_list()) refuse(e[2], "not a list of parameters");
    const Written result = written(e[3]);
    if (e[2].items.empty()) {
        constants_[name] = checked(e[4], value(e[4]), result);
        return;
    }
    Function f;
    f.result = result;
    f.body = &e[4];
    for (const Sexp* p : e[2].items) {
        if (p->size() != 2) refuse(*p, "not a parameter with its sort");
        f.parameters.push_back(new_name((*p)[0]));
        f.arguments.push_back(written((*p)[1]));
    }
    const std::set<std::string_view> distinct(f.parameters.begin(), f.parameters.end());
    if (distinct.size() != f.parameters.size()) refuse(e[2], "two parameters of one name");
    functions_[name] = f;
}

Value Text::value(const Sexp& e) {
    return read(e, Names(budget_), 0);
}
PolyId Text::integer(const Sexp& e) {
    return checked(e, value(e), Sort::Int).id;
}
FormulaId Text::formula(const Sexp& e) {
    return checked(e, value(e), Sort::Bool).id;
}

Value Text::read(const Sexp& e, const Names& names, unsigned depth) {
    if (depth > kDeepest) throw TooLarge("a term nested deeper than 1,000 levels");
    budget_.work(Budget::kLookup);
    if (!e.is_list()) return read_word(e, names);
    if (e.size() < 2) refuse(e, "not a term");
    const std::string_view head = e.head();
    if (head == "_") return opaque({e.str(), {}}, Sort::Other);
    if (head == "let") return read_let(e, names, depth);
    if (head == "ite") return read_ite(e, names, depth);
    if (kArithmetic.count(head) != 0) return read_arithmetic(e, names, depth);
    if (kConnectives.count(head) != 0) return read_connective(e, names, depth);
    if (kRelations.count(head) != 0) return read_relation(e, names, depth);
    return apply(e, names, depth);
}

Value Text::read_word(const Sexp& e, const Names& names) {
    const std::string_view word = e.word;
    if (is_numeral(word)) {
        if (word.size() > kMostDigits) throw TooLarge("a number of more than 10,000 digits");
        budget_.work(word.size() * word.size() / 1024);
        return {Sort::Int, formulas_.polys.constant(Integer(std::string(word)))};
    }
    if (word == "true" || word == "false") {
        return {Sort::Bool, formulas_.constant(word == "true")};
    }
    if (const auto bound = names.find(word)) return *bound;
    const auto found = constants_.find(word);
    if (found != constants_.end()) return found->second;
    if (kRounding.count(word) != 0 || is_bits(word)) {
        return opaque({std::string(word), {}}, Sort::Other);
    }
    refuse(e, "'" + std::string(word.substr(0, 40)) + "' is not declared");
}

// All names of one let are bound at once.
Value Text::read_let(const Sexp& e, const Names& names, unsigned depth) {
    expect_size(e, 3, 3);
    if (!e[1].is_list()) refuse(e[1], "not a list of bindings");
    Names inner(budget_, &names);
    for (const Sexp* binding : e[1].items) {
        if (binding->size() != 2 || (*binding)[0].is_list()) refuse(*binding, "not a binding");
        const std::string_view name = (*binding)[0].word;
        if (is_interpreted(name) || is_digit(name[0]) || name[0] == '#') {
            refuse(*binding, "not a name");
        }
        const Value v = read((*binding)[1], names, depth + 1);
        if (!inner.bind(name, v)) refuse(*binding, "bound twice");
    }
    return read(e[2], inner, depth + 1);
}

// sum += factor * e, without a polynomial for every sum on the way.
void Text::add_to(Polynomials::Sum& sum, const Integer& factor, const Sexp& e, const Names& names,
                  unsigned depth) {
    if (depth > kDeepest) throw TooLarge("a term nested deeper than 1,000 levels");
    const std::string_view head = e.head();
    if (e.size() >= 2 && (head == "+" || head == "-")) {
        const bool opposite = head == "-" && e.size() == 2;
        for (std::size_t i = 1; i < e.size(); ++i) {
            const bool minus = opposite || (head == "-" && i > 1);
            add_to(sum, minus ? Integer(-factor) : factor, e[i], names, depth + 1);
        }
        return;
    }
    formulas_.polys.add(sum, checked(e, read(e, names, depth), Sort::Int).id, factor);
}

Value Text::read_arithmetic(const Sexp& e, const Names& names, unsigned depth) {
    const std::string_view head = e.head();
    if (head == "+" || head == "-") {
        Polynomials::Sum sum;
        add_to(sum, 1, e, names, depth);
        return {Sort::Int, formulas_.polys.make(sum)};
    }
    const std::vector<Value> args = read_arguments(e, names, depth, Sort::Int);
    if (head == "*") {
        PolyId product = args[0].id;
        for (std::size_t i = 1; i < args.size(); ++i) {
            product = formulas_.polys.product(product, args[i].id);
        }
        return {Sort::Int, product};
    }
    expect_size(e, head == "abs" ? 2 : 3, head == "abs" ? 2 : 3);
    return formulas_.term({std::string(head), args}, Sort::Int);
}

Value Text::read_ite(const Sexp& e, const Names& names, unsigned depth) {
    expect_size(e, 4, 4);
    const std::vector<Value> args = read_arguments(e, names, depth);
    checked(e[1], args[0], Sort::Bool);
    checked(e[3], args[2], args[1].sort);
    expect_one_sort(e, args[1], args[2]);
    if (args[1].sort == Sort::Bool) {
        return {Sort::Bool, formulas_.choice(args[0].id, args[1].id, args[2].id)};
    }
    return opaque({"ite", args}, args[1].sort);
}

Value Text::read_connective(const Sexp& e, const Names& names, unsigned depth) {
    const std::string_view head = e.head();
    const std::vector<Value> args = read_arguments(e, names, depth, Sort::Bool);
    std::vector<FormulaId> parts;
    for (const Value& a : args) parts.push_back(a.id);
    if (head == "and") return {Sort::Bool, formulas_.all(parts)};
    if (head == "or") return {Sort::Bool, formulas_.any(parts)};
    if (head == "not") {
        expect_size(e, 2, 2);
        return {Sort::Bool, formulas_.negation(parts[0])};
    }
    expect_size(e, 3, 3);
    const FormulaId not_first = formulas_.negation(parts[0]);
    if (head == "=>") return {Sort::Bool, formulas_.any({not_first, parts[1]})};
    return {Sort::Bool, formulas_.negation(formulas_.equal(args[0], args[1]))};  // xor
}

FormulaId Text::compare(const Sexp& e, const Value& a, const Value& b) {
    const std::string_view head = e.head();
    if (head == "=") return formulas_.equal(a, b);
    if (head == "distinct") return formulas_.negation(formulas_.equal(a, b));
    const bool less = head == "<" || head == "<=";
    const PolyId gap = formulas_.polys.difference(less ? b.id : a.id, less ? a.id : b.id);
    const bool strict = head == "<" || head == ">";
    return formulas_.at_least_zero(strict ? formulas_.polys.scaled(gap, 1, -1) : gap);
}

Value Text::read_relation(const Sexp& e, const Names& names, unsigned depth) {
    expect_size(e, 3, e.size());
    const bool equality = e.head() == "=" || e.head() == "distinct";
    const std::vector<Value> args =
        equality ? read_arguments(e, names, depth) : read_arguments(e, names, depth, Sort::Int);
    for (std::size_t i = 0; i < args.size(); ++i) {
        checked(e[i + 1], args[i], args[0].sort);
        expect_one_sort(e, args[0], args[i]);
    }
    std::vector<FormulaId> parts;
    for (std::size_t i = 0; i + 1 < args.size(); ++i) {
        const std::size_t last = e.head() == "distinct" ? args.size() - 1 : i + 1;
        for (std::size_t j = i + 1; j <= last; ++j) parts.push_back(compare(e, args[i], args[j]));
    }
    return {Sort::Bool, formulas_.all(parts)};
}

std::vector<Value> Text::read_arguments(const Sexp& e, const Names& names, unsigned depth) {
    std::vector<Value> out;
    for (std::size_t i = 1; i < e.size(); ++i) out.push_back(read(e[i], names, depth + 1));
    return out;
}

std::vector<Value> Text::read_arguments(const Sexp& e, const Names& names, unsigned depth,
                                        Sort sort) {
    std::vector<Value> out = read_arguments(e, names, depth);
    for (std::size_t i = 0; i < out.size(); ++i) checked(e[i + 1], out[i], sort);
    return out;
}

// Declared functions, macros, and the operators of other theories.
Value Text::apply(const Sexp& e, const Names& names, unsigned depth) {
    const Sexp& op = e[0];
    std::vector<Value> args = read_arguments(e, names, depth);
    if (op.is_list()) {
        if (op.head() != "_") refuse(op, "not an operator");
        return opaque({op.str(), std::move(args)}, Sort::Other);
    }
    if (op.word == kCode) {
        if (in_obligation_) refuse(op, "not an operator");
        const auto f = args.size() == 1 ? format(args[0]) : std::nullopt;
        if (!f) refuse(e, "not the code of a float");
        return code(args[0], *f);
    }
    const auto found = functions_.find(op.word);
    if (found != functions_.end()) {
        const Function& f = found->second;
        expect_size(e, f.arguments.size() + 1, f.arguments.size() + 1);
        for (std::size_t i = 0; i < args.size(); ++i) checked(e[i + 1], args[i], f.arguments[i]);
        if (f.body != nullptr) return expand(found->first, f, std::move(args), depth);
        return declared({std::string(op.word), std::move(args)}, f.result);
    }
    const bool no_function =
        kRefused.count(op.word) + kRounding.count(op.word) + constants_.count(op.word) != 0;
    if (no_function || is_digit(op.word[0]) || op.word[0] == '#') refuse(op, "not an operator");
    const Sort sort = theory_gives(op.word);
    if (sort != Sort::Other) expect_arguments(e, args);
    return opaque({std::string(op.word), std::move(args)}, sort);
}

Value Text::expand(std::string_view name, const Function& f, std::vector<Value> args,
                   unsigned depth) {
    const auto key = std::make_pair(name, args);
    budget_.work(Budget::kLookup + args.size());
    const auto done = expanded_.find(key);
    if (done != expanded_.end()) return done->second;
    Names names(budget_);
    for (std::size_t i = 0; i < args.size(); ++i) names.bind(f.parameters[i], args[i]);
    budget_.keep(sizeof(key) + sizeof(Value) * args.size() + 64);
    const Value out = checked(*f.body, read(*f.body, names, depth + 1), f.result);
    expanded_.emplace(key, out);
    return out;
}

// --- floats --------------------------------------------------------------------------------------

Value Text::opaque(const Term& t, Sort sort) {
    if (sort != Sort::Other) return formulas_.term(t, sort);
    budget_.work(5 * Budget::kLookup);  // looking for what is known of the operator
    std::vector<std::optional<FloatFormat>> formats;
    std::vector<std::optional<unsigned>> widths;
    for (const Value& a : t.args) {
        formats.push_back(format(a));
        widths.push_back(width(a));
    }
    return declared(t, {sort, width_of_result(t, widths), format_of_result(t, formulas_, formats)});
}

Value Text::declared(const Term& t, const Written& sort) {
    const Value v = formulas_.term(t, sort.sort);
    if (sort.width || sort.format) budget_.keep(96);
    if (sort.format) formats_.emplace(v.id, *sort.format);
    if (sort.width) widths_.emplace(v.id, *sort.width);
    return v;
}

std::optional<FloatFormat> Text::format(const Value& v) const {
    const auto found = v.sort == Sort::Other ? formats_.find(v.id) : formats_.end();
    return found == formats_.end() ? std::nullopt : std::optional(found->second);
}

Value Text::code(const Value& v, FloatFormat f) {
    const auto constant = code_of_constant(formulas_.term(v.id), formulas_, f);
    if (constant) return {Sort::Int, formulas_.polys.constant(*constant)};
    return formulas_.term({std::string(kCode), {v}}, Sort::Int);
}

FormulaId Text::instance(std::string_view axiom, const Names& names) {
    const Source source("axiom", axiom, budget_);
    const Sexp& e = *source.roots().at(0);
    return checked(e, read(e, names, 0), Sort::Bool).id;
}

std::vector<FormulaId> Text::float_facts(const Sexp& e) {
    const Value v = value(e);
    const bool claim = v.sort == Sort::Bool;
    if (claim && formulas_[v.id].kind != Formula::Kind::Holds) refuse(e, "not one literal");
    if (v.sort == Sort::Int) refuse(e, "neither a float nor a claim on floats");
    const Term t = formulas_.term(claim ? formulas_[v.id].id : v.id);
    std::optional<FloatFormat> f = format(v);
    std::vector<Value> floats;
    bool one_format = true;
    // An equation is one claim either way round; its sides are meant as they are written.
    const bool as_written = t.op == "=" && e.head() == "=" && e.size() == 3;
    const std::vector<Value> sides = as_written ? read_arguments(e, Names(budget_), 0) : t.args;
    for (const Value& a : sides) {
        const auto of_argument = format(a);
        if (!of_argument) continue;
        if (!f) f = of_argument;
        one_format = one_format && *f == *of_argument;
        floats.push_back(a);
    }
    const FloatAxioms* known = float_axioms(t.op);
    if (!f || (claim && (known == nullptr || known->gives_float))) {
        refuse(e, "neither a float nor a claim on floats");
    }
    Names names(budget_);
    names.bind("INF", {Sort::Int, formulas_.polys.constant(code_of_infinity(*f))});
    names.bind("ONE", {Sort::Int, formulas_.polys.constant(code_of_one(*f))});
    names.bind(claim ? "b" : "p", claim ? v : code(v, *f));
    std::vector<FormulaId> out;
    if (!claim) out.push_back(instance(float_range(), names));
    const bool rounds = !t.args.empty() && t.args[0].sort == Sort::Other && !format(t.args[0]);
    const bool by_cases = !t.args.empty() && t.args[0].sort == Sort::Bool;
    const bool fits = known != nullptr && one_format && floats.size() == known->floats &&
                      t.args.size() == floats.size() + (rounds || by_cases ? 1 : 0);
    if (!fits || (rounds && formulas_.term(t.args[0].id).op != "RNE")) {
        if (claim) refuse(e, "not a claim on floats of one format");
        return out;
    }
    if (by_cases) names.bind("c", t.args[0]);
    names.bind("x", code(floats[0], *f));
    if (floats.size() > 1) names.bind("y", code(floats[1], *f));
    for (const std::string_view axiom : known->facts) out.push_back(instance(axiom, names));
    return out;
}

}  // namespace proviso::certcheck
