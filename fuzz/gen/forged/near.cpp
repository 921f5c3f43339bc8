#include "fuzz/gen/forged/near.h"

#include <cctype>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "ir/children.h"

namespace proviso::fuzz {

using namespace ir;
using nlohmann::json;

namespace {

std::vector<Expr> of_type(const std::vector<Expr>& vars, ScalarType type) {
    std::vector<Expr> out;
    for (Expr v : vars) {
        if (v->type == type) out.push_back(v);
    }
    return out;
}

// Another constant in the place of one of those in it.
Expr with_other_constant(Context& ctx, Expr e, Choice& choice) {
    std::vector<Expr> constants;
    for_each_node(e, [&](Expr x) {
        if (is_int_const(x) && x->type.is_int() && x->type != kBool) constants.push_back(x);
    });
    if (constants.empty()) return e;
    Expr was = choice.pick(constants);
    const Int128 by = choice.pick<std::int64_t>({-2, -1, -1, 1, 1, 2});
    if (!was->type.contains(was->int_value() + by)) return e;
    Expr is = ctx.int_imm(was->type, was->int_value() + by);
    return rewrite_expr(ctx, e, [&](Expr x) { return x == was ? is : x; });
}

void change_text(std::string& text, Choice& choice) {
    std::vector<std::size_t> digits;
    for (std::size_t k = 0; k < text.size(); ++k) {
        if (std::isdigit(static_cast<unsigned char>(text[k])) != 0) digits.push_back(k);
    }
    if (!digits.empty() && choice.chance(60)) {
        char& digit = text[choice.pick(digits)];
        digit = static_cast<char>('0' + (digit - '0' + choice.pick({1, 9})) % 10);
        return;
    }
    text += choice.pick({" + 1", " - 1", " + 0", " * 2", ""});
}

}  // namespace

std::vector<Expr> with_loads(Context& ctx, const Function& f, std::vector<Expr> vars,
                             Choice& choice) {
    if (!choice.chance(25)) return vars;
    std::vector<Expr> indices = {ctx.int_imm(kInt32, 0)};
    for (Expr v : of_type(vars, kInt32)) indices.push_back(v);
    std::vector<Buffer> buffers = f.buffer_params();
    for_each_stmt(f.body, [&](Stmt s) {
        const Allocate* n = s->as<Allocate>();
        if (n != nullptr) buffers.push_back(n->buffer);
    });
    for (Buffer b : buffers) {
        std::vector<Expr> cell;
        for (std::size_t k = 0; k < b->rank(); ++k) cell.push_back(choice.pick(indices));
        vars.push_back(ctx.load(b, cell));
    }
    return vars;
}

Expr near_value(Context& ctx, Expr e, const std::vector<Expr>& vars, Choice& choice) {
    const std::vector<Expr> others = of_type(vars, e->type);
    if (!e->type.is_int() || e->type == kBool) return others.empty() ? e : choice.pick(others);
    Expr one = ctx.int_imm(e->type, 1);
    switch (choice.weighted({25, 20, 20, others.empty() ? 0 : 20, 8, 7})) {
        case 0: return with_other_constant(ctx, e, choice);
        case 1: return ctx.add(e, one);
        case 2: return ctx.sub(e, one);
        case 3: return choice.pick(others);
        case 4: return ctx.int_imm(e->type, choice.between(0, 3));
        default: return ctx.mul(e, ctx.int_imm(e->type, 2));
    }
}

Expr near_condition(Context& ctx, Expr condition, const std::vector<Expr>& vars, Choice& choice) {
    std::vector<Expr> numbers;
    for (Expr v : vars) {
        if (v->type.is_int() && v->type != kBool) numbers.push_back(v);
    }
    const auto some = [&]() -> Expr {
        if (numbers.empty()) return ctx.bool_imm(choice.chance(50));
        Expr v = choice.pick(numbers);
        Expr bound = ctx.int_imm(v->type, choice.between(0, 4));
        switch (choice.between(0, 3)) {
            case 0: return ctx.lt(v, bound);
            case 1: return ctx.le(bound, v);
            case 2: return ctx.eq(v, bound);
            default: return ctx.ne(v, bound);
        }
    };
    if (condition == nullptr) return some();
    switch (choice.weighted({40, 15, 15, 15, 15})) {
        case 0: return with_other_constant(ctx, condition, choice);
        case 1: return nullptr;
        case 2: return ctx.not_(condition);
        case 3: return ctx.and_(condition, some());
        default: return ctx.or_(condition, some());
    }
}

void change_arguments(json& value, Choice& choice) {
    if (value.is_object() && !value.empty()) {
        auto it = value.begin();
        std::advance(it, choice.between(0, static_cast<std::int64_t>(value.size()) - 1));
        if (choice.chance(7)) {
            value.erase(it);
        } else if (it.key() == "mode") {
            *it = choice.pick({"same", "dead", "indet", "unreachable"});
        } else {
            change_arguments(*it, choice);
        }
        return;
    }
    if (value.is_array() && !value.empty()) {
        const auto last = static_cast<std::int64_t>(value.size()) - 1;
        const auto k = static_cast<std::size_t>(choice.between(0, last));
        switch (choice.weighted({10, 10, 20, 60})) {
            case 0: value.erase(value.begin() + static_cast<std::ptrdiff_t>(k)); return;
            case 1: value.push_back(json(value[k])); return;
            case 2:
                std::swap(value[k], value[static_cast<std::size_t>(choice.between(0, last))]);
                return;
            default: change_arguments(value[k], choice); return;
        }
    }
    if (value.is_string()) {
        std::string text = value.get<std::string>();
        change_text(text, choice);
        value = text;
    } else if (value.is_boolean()) {
        value = !value.get<bool>();
    } else if (value.is_number_integer()) {
        value = value.get<std::int64_t>() + choice.pick({-1, 1});
    }
}

}  // namespace proviso::fuzz
