#include "rewrite/rules/rule_instance.h"

#include <algorithm>
#include <cctype>

#include "ir/children.h"
#include "ir/text.h"
#include "rewrite/rules/laws.h"

namespace proviso::rewrite {

using ir::Expr;
using ir::Op;
using ir::ScalarType;

namespace {

constexpr std::array<const char*, kSlots> kSlotNames = {"x", "y",  "z",  "w",  "p",  "q",
                                                        "r", "c0", "c1", "c2", "c3", "c4"};

ScalarType widest(ScalarType kind) {
    if (kind.is_float()) return ir::kFloat64;
    return kind.is_signed() ? ir::kInt64 : ir::kUInt64;
}

std::string decimal(ir::Int128 value) {
    if (value > 0 && value > static_cast<ir::Int128>(INT64_MAX)) {
        return std::to_string(static_cast<std::uint64_t>(value));
    }
    return std::to_string(static_cast<std::int64_t>(value));
}

bool is_word(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

// Replaces the words KIND, WIDE, KIND_MIN and KIND_MAX.
std::string spell_out(std::string_view text, ScalarType kind) {
    std::string out;
    for (std::size_t i = 0; i < text.size();) {
        if (!is_word(text[i])) {
            out += text[i++];
            continue;
        }
        std::size_t end = i;
        while (end < text.size() && is_word(text[end])) ++end;
        const std::string_view word = text.substr(i, end - i);
        if (word == "KIND") {
            out += kind.str();
        } else if (word == "WIDE") {
            out += widest(kind).str();
        } else if (word == "KIND_MIN") {
            out += decimal(kind.min_value());
        } else if (word == "KIND_MAX") {
            out += decimal(kind.max_value());
        } else {
            out += word;
        }
        i = end;
    }
    return out;
}

std::string_view trimmed(std::string_view s) {
    while (!s.empty() && s.front() == ' ') s.remove_prefix(1);
    while (!s.empty() && s.back() == ' ') s.remove_suffix(1);
    return s;
}

std::vector<std::string_view> split(std::string_view text) {
    std::vector<std::string_view> out;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(';'), text.size());
        out.push_back(trimmed(text.substr(0, end)));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return out;
}

// Parts between commas that no bracket encloses.
std::vector<std::string_view> split_arguments(std::string_view text) {
    std::vector<std::string_view> out;
    std::size_t start = 0;
    int depth = 0;
    for (std::size_t i = 0; i <= text.size(); ++i) {
        const char c = i < text.size() ? text[i] : ',';
        depth += c == '(' ? 1 : c == ')' ? -1 : 0;
        if (c != ',' || depth != 0) continue;
        out.push_back(trimmed(text.substr(start, i - start)));
        start = i + 1;
    }
    return out;
}

// An operator whose operands are all constants.
bool computes_constant(Expr pattern) {
    if (pattern->args.empty()) return false;
    return is_constant_pattern(pattern) ||
           std::any_of(pattern->args.begin(), pattern->args.end(), computes_constant);
}

struct Reader {
    ir::Context& ctx;
    const ExpressionRule& rule;
    ScalarType kind;
    PatternTexts* known = nullptr;

    Result<Expr> read(std::string_view text, std::optional<ScalarType> expected) const {
        if (known == nullptr) return read_anew(text, expected);
        const PatternTexts::Key key{text, expected ? expected->str() : ""};
        const auto before = known->read.find(key);
        if (before != known->read.end()) return before->second;
        Result<Expr> out = read_anew(text, expected);
        if (out) known->read.emplace(key, *out);
        return out;
    }

    Result<Expr> read_anew(std::string_view text, std::optional<ScalarType> expected) const {
        // Only names that occur: making the others known takes longer than reading the text.
        ir::Scope scope;
        for (int i = 0; i < kSlots; ++i) {
            if (text.find(slot_name(i)) == std::string_view::npos) continue;
            scope.vars[slot_name(i)] = pattern_var(ctx, i, kind);
        }
        const std::string file = "rule " + std::string(rule.name);
        return ir::parse_expr(ctx, spell_out(text, kind), scope, expected, file);
    }

    Result<Need> read_need(std::string_view text) const {
        Need out;
        const auto opens = [&text](std::string_view opening) {
            if (text.substr(0, opening.size()) != opening) return false;
            text = text.substr(opening.size(), text.size() - opening.size() - 1);
            return true;
        };
        out.in_range = opens("in_range(");
        out.definite = !out.in_range && opens("definite(");
        const bool of_any_type = out.in_range || out.definite;
        Result<Expr> pattern = read(text, of_any_type ? std::optional<ScalarType>() : ir::kBool);
        if (!pattern) return pattern.error();
        out.pattern = *pattern;
        return out;
    }

    // "name(term, term, ..)"
    Result<LawUse> read_lemma(std::string_view text) const {
        const std::size_t open = text.find('(');
        if (open == std::string_view::npos || text.back() != ')')
            return wrong("a lemma is LAW(..)");
        LawUse out{std::string(text.substr(0, open)), {}};
        const Law* law = find_law(out.law);
        if (law == nullptr) return wrong("no law " + out.law);
        for (std::string_view arg :
             split_arguments(text.substr(open + 1, text.size() - open - 2))) {
            Result<Expr> term = read(arg, kind);
            if (!term) return term.error();
            out.args.push_back(*term);
        }
        if (out.args.size() != law->parameters().size()) {
            return wrong("law " + out.law + " takes other terms");
        }
        return out;
    }

    Diagnostic wrong(const std::string& what) const {
        return error("rule " + std::string(rule.name) + " for " + kind.str() + ": " + what);
    }
};

}  // namespace

const char* slot_name(int slot) {
    return kSlotNames.at(static_cast<std::size_t>(slot));
}

int slot_of_name(const std::string& name) {
    if (name.size() == 1) {
        switch (name[0]) {
            case 'x': return 0;
            case 'y': return 1;
            case 'z': return 2;
            case 'w': return 3;
            case 'p': return 4;
            case 'q': return 5;
            case 'r': return 6;
            default: break;
        }
    }
    if (name.size() == 2 && name[0] == 'c' && name[1] >= '0' && name[1] < '0' + kConstantSlots) {
        return kTermSlots + (name[1] - '0');
    }
    PROVISO_CHECK(false, "no pattern variable: " + name);
}

Expr pattern_var(ir::Context& ctx, int slot, ScalarType kind) {
    const bool boolean = slot >= 4 && slot < kTermSlots;
    return ctx.var(slot_name(slot), boolean ? ir::kBool : kind);
}

bool is_constant_pattern(Expr pattern) {
    if (pattern->op == Op::Var) return is_constant_slot(slot_of(pattern));
    return std::all_of(pattern->args.begin(), pattern->args.end(), is_constant_pattern);
}

namespace {

bool speaks_only_of(const std::vector<Expr>& bound, Expr pattern) {
    if (pattern->op == Op::Var)
        return std::find(bound.begin(), bound.end(), pattern) != bound.end();
    return std::all_of(pattern->args.begin(), pattern->args.end(),
                       [&bound](Expr a) { return speaks_only_of(bound, a); });
}

}  // namespace

Result<RuleInstance> instantiate_for_matching(ir::Context& ctx, const ExpressionRule& rule,
                                              ScalarType kind, PatternTexts* known) {
    const Reader reader{ctx, rule, kind, known};
    RuleInstance out{&rule, kind, nullptr, nullptr, nullptr, {}, {}};
    // The side that fixes the type of bare literals is not always the left one: `0 // x` against
    // `0`. A literal alone takes the other side's type, and numbers take the kind.
    Result<Expr> left = reader.read(rule.left, std::nullopt);
    if (!left) return left.error();
    out.left = *left;
    Result<Expr> right = reader.read(rule.right, out.left->type);
    if (!right) return right.error();
    out.right = *right;
    if (computes_constant(out.left)) {
        return reader.wrong("the left side computes with constants, which no term can match");
    }
    if (out.left->type != out.right->type) return reader.wrong("the sides differ in type");
    const std::vector<Expr> bound = ir::free_vars(out.left);
    if (!speaks_only_of(bound, out.right))
        return reader.wrong("the right side has a variable of its own");
    if (!rule.where.empty()) {
        Result<Expr> where = reader.read(rule.where, ir::kBool);
        if (!where) return where.error();
        if (!speaks_only_of(bound, *where) || !is_constant_pattern(*where)) {
            return reader.wrong("`where` speaks of more than the left side's constants");
        }
        out.where = *where;
    }
    for (std::string_view text : split(rule.needs)) {
        Result<Need> need = reader.read_need(text);
        if (!need) return need.error();
        if (!speaks_only_of(bound, need->pattern))
            return reader.wrong("`needs` has a variable of its own");
        out.needs.push_back(*need);
    }
    return out;
}

Result<std::vector<LawUse>> read_lemmas(ir::Context& ctx, const RuleInstance& instance) {
    std::vector<LawUse> out;
    if (!instance.kind.is_exact_int()) return out;
    const Reader reader{ctx, *instance.rule, instance.kind};
    const std::vector<Expr> bound = ir::free_vars(instance.left);
    for (std::string_view text : split(instance.rule->lemmas)) {
        Result<LawUse> lemma = reader.read_lemma(text);
        if (!lemma) return lemma.error();
        for (Expr arg : lemma->args) {
            if (!speaks_only_of(bound, arg)) {
                return reader.wrong("a lemma has a variable of its own");
            }
        }
        out.push_back(std::move(*lemma));
    }
    return out;
}

Result<RuleInstance> instantiate(ir::Context& ctx, const ExpressionRule& rule, ScalarType kind) {
    Result<RuleInstance> out = instantiate_for_matching(ctx, rule, kind);
    if (!out) return out;
    Result<std::vector<LawUse>> lemmas = read_lemmas(ctx, *out);
    if (!lemmas) return lemmas.error();
    out->lemmas = std::move(*lemmas);
    return out;
}

bool RuleInstance::licensed(std::string_view licence) const {
    const std::vector<std::string_view> all = split(rule->licences);
    return std::find(all.begin(), all.end(), licence) != all.end();
}

}  // namespace proviso::rewrite
