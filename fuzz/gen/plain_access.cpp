#include "fuzz/gen/plain_access.h"

#include <map>
#include <set>
#include <string>
#include <utility>

#include "ir/children.h"

namespace proviso::fuzz {

using namespace ir;

std::vector<PlainAccess> plain_accesses(const Block& block) {
    std::map<std::string, std::pair<Buffer, std::set<std::vector<Expr>>>> found;  // by name
    std::set<Buffer> stored;
    const auto note = [&](Buffer b, const auto& indices) {
        auto& [buffer, places] = found[b->name];
        buffer = b;
        places.insert({indices.begin(), indices.end()});
    };
    for_each_stmt(block.body, [&](Stmt s) {
        const Store* n = s->as<Store>();
        if (n == nullptr) return;
        stored.insert(n->buffer);
        note(n->buffer, n->indices);
    });
    for_each_expr(block.body, [&](Expr e) {
        for_each_node(e, [&](Expr n) {
            if (n->op == Op::Load) note(n->buffer, n->args);
        });
    });
    std::vector<PlainAccess> out;
    for (const auto& [name, access] : found) {
        const auto& [buffer, places] = access;
        PlainAccess plain{buffer, stored.count(buffer) != 0, {}};
        for (Expr index : *places.begin()) {
            for (std::size_t k = 0; k < block.iters.size(); ++k) {
                if (block.iters[k].var == index) plain.iterators.push_back(k);
            }
        }
        const std::set<std::size_t> different(plain.iterators.begin(), plain.iterators.end());
        const bool each = places.size() == 1 && different.size() == places.begin()->size() &&
                          plain.iterators.size() == different.size();
        if (each) out.push_back(std::move(plain));
    }
    return out;
}

}  // namespace proviso::fuzz
