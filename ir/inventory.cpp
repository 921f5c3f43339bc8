#include "ir/inventory.h"

#include <algorithm>

namespace proviso::ir {

namespace {

struct SaysNames {
    template <typename Say>
    void operator()(Stmt s, const Say& say) const {
        for_each_bound_name(s, say);
    }
};

struct SaysStored {
    template <typename Say>
    void operator()(Stmt s, const Say& say) const {
        if (const Store* n = s->as<Store>()) say(n->buffer);
    }
};

}  // namespace

bool binds(Context& ctx, const Function& f, const std::string& name) {
    auto& names = ctx.kept<Tally<std::string, SaysNames>>();
    names.move_to(f.body);
    return names.has(name) || std::any_of(f.params.begin(), f.params.end(),
                                          [&](const Param& p) { return param_name(p) == name; });
}

bool stores_to(Context& ctx, const Function& f, Buffer buffer) {
    auto& stored = ctx.kept<Tally<Buffer, SaysStored>>();
    stored.move_to(f.body);
    return stored.has(buffer);
}

}  // namespace proviso::ir
