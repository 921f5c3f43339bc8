#include "backend/gpu/plan/serial_twin.h"

#include "ir/children.h"
#include "rewrite/rules/block_level.h"

namespace proviso::backend::gpu {

using namespace ir;

Function serial_twin(Context& ctx, Function f) {
    f.attrs.erase(rewrite::kBarriersAttr);
    f.body = rewrite_stmt(ctx, f.body, nullptr, [&](Stmt s) -> Stmt {
        const For* n = s->as<For>();
        if (n == nullptr || n->kind != ForKind::ThreadBinding) return s;
        For serial = *n;
        serial.kind = ForKind::Serial;
        serial.thread_tag.clear();
        return ctx.stmt(serial);
    });
    return f;
}

}  // namespace proviso::backend::gpu
