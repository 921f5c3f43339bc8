#include "backend/unrolling.h"

#include <algorithm>
#include <optional>

#include "ir/children.h"

namespace proviso::backend {

using namespace ir;

namespace {

constexpr std::uint64_t kMany = std::uint64_t{1} << 62;  // sums and products end here

std::optional<std::uint64_t> iterations(const For& loop) {
    if (!is_int_const(loop.lo) || !is_int_const(loop.hi)) return std::nullopt;
    const Int128 n = loop.hi->int_value() - loop.lo->int_value();
    return static_cast<std::uint64_t>(std::clamp<Int128>(n, 0, kMany));
}

}  // namespace

std::uint64_t Unrolling::copies(const For& loop) {
    const std::uint64_t n = iterations(loop).value_or(1);
    const std::uint64_t body = size(loop.body);
    return n != 0 && body > kMany / n ? kMany : n * body;
}

std::uint64_t Unrolling::size(Stmt s) {
    const auto known = sizes_.find(s);
    if (known != sizes_.end()) return known->second;
    std::uint64_t out = 1;
    const For* loop = s->as<For>();
    if (loop != nullptr && loop->kind == ForKind::Unrolled) {
        out += copies(*loop);
    } else {
        for (const Child& child : children(s)) {
            if (child.stmt != nullptr) out += size(child.stmt);
            if (child.expr != nullptr) for_each_node(child.expr, [&](Expr) { ++out; });
        }
    }
    out = std::min(out, kMany);
    sizes_.emplace(s, out);
    return out;
}

Unrolling::Way Unrolling::enter(const For& loop) {
    if (!iterations(loop)) return Way::IfSmall;
    if (inside_ == 0) {
        const std::uint64_t all = copies(loop);
        if (all > kMost - made_) return Way::No;
        made_ += all;
    }
    ++inside_;
    return Way::Full;
}

void Unrolling::leave(Way way) {
    if (way == Way::Full) --inside_;
}

}  // namespace proviso::backend
