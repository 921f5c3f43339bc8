#include "rewrite/corpus/best_forms.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <random>
#include <sstream>
#include <utility>

#include "ir/domains/evaluate.h"
#include "ir/text.h"

namespace proviso::rewrite {

using ir::Expr;
using ir::Int128;

namespace {

constexpr const char* kArrow = " => ";

std::string trimmed(const std::string& text) {
    const std::size_t first = text.find_first_not_of(" \t\r");
    if (first == std::string::npos) return {};
    return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

std::optional<ir::ScalarType> type_named(const std::string& name) {
    for (ir::ScalarType type : ir::all_scalar_types()) {
        if (type.str() == name) return type;
    }
    return std::nullopt;
}

std::optional<std::int64_t> number(const std::string& text) {
    std::int64_t out = 0;
    const char* end = text.data() + text.size();
    const auto [at, error] = std::from_chars(text.data(), end, out);
    return error == std::errc() && at == end ? std::optional(out) : std::nullopt;
}

class Reader {
  public:
    Reader(ir::Context& ctx, std::string file) : ctx_(ctx), file_(std::move(file)) {}

    Result<std::vector<BestForm>> read(std::string_view text) {
        std::vector<BestForm> out;
        std::istringstream in{std::string(text)};
        for (std::string raw; std::getline(in, raw);) {
            ++line_;
            raw_ = raw;
            const std::string line = trimmed(raw);
            if (line.empty() || line[0] == '#') continue;
            if (line[0] == '[') {
                if (line.back() != ']') return wrong("a family's name ends in `]`");
                now_.family = line.substr(1, line.size() - 2);
                continue;
            }
            std::optional<Diagnostic> error =
                line.rfind("vars ", 0) == 0 ? variables(line.substr(5)) : one(line);
            if (error) return *error;
            if (line.rfind("vars ", 0) != 0) out.push_back(now_);
        }
        return out;
    }

  private:
    Diagnostic wrong(std::string message, std::string hint = {}) const {
        Diagnostic out = error(std::move(message), std::move(hint));
        out.file = file_;
        out.line = line_;
        out.column = 1;
        out.source_line = raw_;
        return out;
    }

    std::optional<Diagnostic> variables(const std::string& text) {
        now_.variables.clear();
        now_.facts.clear();
        scope_ = {};
        std::istringstream items(text);
        for (std::string item; std::getline(items, item, ',');) {
            if (auto error = variable(trimmed(item))) return error;
        }
        return std::nullopt;
    }

    std::optional<Diagnostic> variable(const std::string& item) {
        std::istringstream words(item);
        std::string name;
        words >> name;
        ir::ScalarType type = ir::kInt32;
        std::optional<std::pair<std::int64_t, std::int64_t>> range;
        for (std::string word; words >> word;) {
            const std::size_t dots = word.find("..");
            if (dots == std::string::npos) {
                const auto named = type_named(word);
                if (!named) return wrong("no type is called `" + word + "`");
                type = *named;
                continue;
            }
            const auto lo = number(word.substr(0, dots));
            const auto hi = number(word.substr(dots + 2));
            if (!lo || !hi || *hi < *lo) return wrong("`" + word + "` is no range", "LOW..HIGH");
            range = {*lo, *hi};
        }
        if (name.empty()) return wrong("a variable has a name", "vars x 0..9, p bool");
        BestForm::Variable out{ctx_.var(name, type), 0, 1};
        if (!type.is_bool()) {
            const bool fits = range && type.is_int() && type.contains(range->first) &&
                              type.contains(range->second);
            if (!fits) return wrong("`" + name + "` needs a range of its type", "x 0..9");
            out.lo = range->first;
            out.hi = range->second;
            now_.facts.push_back(ctx_.le(ctx_.int_imm(type, out.lo), out.var));
            now_.facts.push_back(ctx_.le(out.var, ctx_.int_imm(type, out.hi)));
        }
        scope_.vars[name] = out.var;
        now_.variables.push_back(out);
        return std::nullopt;
    }

    std::optional<Diagnostic> one(const std::string& line) {
        const std::size_t at = line.find(kArrow);
        if (at == std::string::npos) {
            return wrong("expected a case", "an expression, `=>`, and its best form");
        }
        if (now_.family.empty()) return wrong("a case before any family", "[NAME OF THE FAMILY]");
        const auto read = [&](const std::string& text, std::optional<ir::ScalarType> type) {
            return ir::parse_expr(ctx_, text, scope_, type, file_);
        };
        const auto expr = read(trimmed(line.substr(0, at)), std::nullopt);
        if (!expr) return at_line(expr.error());
        const auto best =
            read(trimmed(line.substr(at + std::string(kArrow).size())), (*expr)->type);
        if (!best) return at_line(best.error());
        now_.line = line_;
        now_.expr = *expr;
        now_.best = *best;
        return std::nullopt;
    }
    Diagnostic at_line(Diagnostic of) const {
        of.line = line_;
        return of;
    }

    ir::Context& ctx_;
    std::string file_;
    int line_ = 0;
    std::string raw_;
    ir::Scope scope_;
    BestForm now_;
};

// Ends, what lies beside them and beside 0, small numbers, any number.
Int128 some_value(const BestForm::Variable& v, std::mt19937_64& random) {
    const auto width = static_cast<std::uint64_t>(v.hi - v.lo);
    const auto any = [&](Int128 from, std::uint64_t most) {
        return from +
               static_cast<Int128>(most == ~std::uint64_t{0} ? random() : random() % (most + 1));
    };
    Int128 out = 0;
    switch (random() % 8) {
        case 0: out = v.lo; break;
        case 1: out = v.hi; break;
        case 2: out = any(v.lo, 2); break;
        case 3: out = any(v.hi - 2, 2); break;
        case 4: out = any(-2, 4); break;
        case 5: out = any(-20, 40); break;
        default: out = any(v.lo, width);
    }
    return std::clamp(out, v.lo, v.hi);
}

}  // namespace

Result<std::vector<BestForm>> read_best_forms(ir::Context& ctx, std::string_view text,
                                              const std::string& file) {
    return Reader(ctx, file).read(text);
}

std::string where_they_differ(const BestForm& of, Expr first, Expr second) {
    if (first == second) return {};
    constexpr int points = 600;
    std::mt19937_64 random(7);
    for (int i = 0; i < points; ++i) {
        ir::Environment environment;
        std::string text;
        for (const BestForm::Variable& v : of.variables) {
            const Int128 value = some_value(v, random);
            const ir::Value there = v.var->type.is_bool() ? ir::Value::of_bool(value != 0)
                                                          : ir::Value::of_int(ir::Integer(value));
            environment.vars.emplace(v.var, there);
            text += (text.empty() ? "" : ", ") + *v.var->name + " = " + there.str(v.var->type);
        }
        const ir::Evaluation a = ir::evaluate(first, environment);
        if (!a.ok()) continue;
        const ir::Evaluation b = ir::evaluate(second, environment);
        if (b.ok() && a.value == b.value) continue;
        const std::string now = b.ok() ? b.value.str(second->type) : "a fault";
        return text + ": " + now + ", not " + a.value.str(first->type);
    }
    return {};
}

JudgedForm judge_best_form(Simplifier& simplifier, const BestForm& of) {
    JudgedForm out;
    out.result = simplifier.simplify(of.expr, of.facts).result;
    out.reached = out.result->size <= of.best->size;
    out.wrong = where_they_differ(of, of.expr, out.result);
    return out;
}

}  // namespace proviso::rewrite
