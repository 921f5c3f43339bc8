#include "verify/harness/opaque_calls.h"

#include <set>

#include "ir/children.h"
#include "ir/domains/value.h"

namespace proviso::verify {

using namespace ir;

OpaqueCalls::OpaqueCalls(const Function& f) {
    std::set<std::string> ambiguous;
    for_each_expr(f.body, [&](Expr root) {
        if (!has_op(root, Op::CallExtern)) return;
        for_each_node(root, [&](Expr e) {
            if (e->op != Op::CallExtern) return;
            const auto [known, is_new] = types_.emplace(*e->name, e->type);
            if (!is_new && known->second != e->type) ambiguous.insert(*e->name);
            std::vector<ScalarType>& args = args_[*e->name];
            for (std::size_t k = 0; k < e->args.size(); ++k) {
                if (k == args.size()) args.push_back(e->arg(k)->type);
                if (args[k] != e->arg(k)->type) ambiguous.insert(*e->name);
            }
        });
    });
    for (const std::string& name : ambiguous) types_.erase(name);
}

void OpaqueCalls::give_to(InterpOptions& options, std::uint64_t seed,
                          std::vector<std::string>& trace) const {
    for (const auto& [name, type] : types_) {
        const std::vector<ScalarType> types = args_.at(name);
        options.externs.try_emplace(
            name,
            [&trace, types, name = name, type = type,
             seed](std::span<const Value> args) -> Evaluated {
                std::string event = name + "(";
                for (std::size_t k = 0; k < args.size(); ++k) {
                    if (k > 0) event += ", ";
                    event += args[k].str(types[k]);
                }
                trace.push_back(event + ")");
                std::uint64_t hash = seed * 0x9e3779b97f4a7c15ULL + trace.size();
                for (const char c : trace.back()) {
                    hash = hash * 1099511628211ULL + static_cast<unsigned char>(c);
                }
                Chooser chooser(hash);
                return chooser.choose(type);
            });
    }
}

}  // namespace proviso::verify
