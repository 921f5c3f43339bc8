#include "rewrite/expression_rules/rule_instance.h"

#include <algorithm>

#include "rewrite/expression_rules/laws.h"

namespace proviso::rewrite {

using ir::Expr;
using ir::Op;
using ir::ScalarType;

namespace {

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
    PatternReader& texts;

    Result<Expr> read(std::string_view text, std::optional<ScalarType> expected) const {
        if (Expr e = texts.read(text, expected)) return e;
        return parse_pattern(ctx, text, kind, expected, "rule " + std::string(rule.name));
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

bool is_constant_pattern(Expr pattern) {
    if (pattern->op == Op::Var) return is_constant_slot(slot_of(pattern));
    return std::all_of(pattern->args.begin(), pattern->args.end(), is_constant_pattern);
}

namespace {

// The slots of the variables in a pattern, a bit each.
unsigned slots_in(Expr pattern) {
    if (pattern->op == Op::Var) return 1U << slot_of(pattern);
    unsigned out = 0;
    for (Expr a : pattern->args) out |= slots_in(a);
    return out;
}

bool speaks_only_of(unsigned bound, Expr pattern) {
    return (slots_in(pattern) & ~bound) == 0;
}

}  // namespace

Result<RuleInstance> instantiate_for_matching(ir::Context& ctx, const ExpressionRule& rule,
                                              ScalarType kind, PatternReader& texts) {
    const Reader reader{ctx, rule, kind, texts};
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
    const unsigned bound = slots_in(out.left);
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
    PatternReader texts(ctx, instance.kind);
    const Reader reader{ctx, *instance.rule, instance.kind, texts};
    const unsigned bound = slots_in(instance.left);
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
    PatternReader texts(ctx, kind);
    Result<RuleInstance> out = instantiate_for_matching(ctx, rule, kind, texts);
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
