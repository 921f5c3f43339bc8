#include "ir/depth.h"

#include <unordered_map>

#include "ir/children.h"
#include "ir/deep_stack.h"

namespace proviso::ir {

namespace {

constexpr std::uint32_t kLevelsOfALet = 8;
constexpr std::uint32_t kLevelsOfAStatement = 8;

std::uint32_t levels_of(Expr root) {
    std::unordered_map<Expr, std::uint32_t> levels;
    std::uint32_t out = 0;
    for_each_node(root, [&](Expr e) {
        std::uint32_t most = 0;
        for (Expr a : e->args) most = std::max(most, levels.at(a));
        out = most + (e->op == Op::Let ? kLevelsOfALet : 1);
        levels.emplace(e, out);
    });
    return out;
}

}  // namespace

std::uint32_t deepest_here() {
    return has_deep_stack() ? kDeepestOnDeepStack : kDeepest;
}

bool nests_too_deep(Expr e) {
    return e->size > kDeepest / kLevelsOfALet && levels_of(e) > deepest_here();
}

bool nests_too_deep(Stmt root, std::size_t around) {
    std::vector<std::pair<Stmt, std::size_t>> todo{{root, (around + 1) * kLevelsOfAStatement}};
    while (!todo.empty()) {
        const auto [s, levels] = todo.back();
        todo.pop_back();
        if (levels > deepest_here()) return true;
        for (const Child& c : children(s)) {
            if (c.expr != nullptr && nests_too_deep(c.expr)) return true;
            if (c.stmt != nullptr) todo.emplace_back(c.stmt, levels + kLevelsOfAStatement);
        }
    }
    return false;
}

std::string too_deep(const std::string& what) {
    return what + " nests more than " + std::to_string(deepest_here()) + " levels deep";
}

}  // namespace proviso::ir
