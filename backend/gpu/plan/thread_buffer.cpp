#include "backend/gpu/plan/thread_buffer.h"

#include <algorithm>
#include <optional>
#include <span>

#include "backend/gpu/plan/plan.h"
#include "ir/children.h"
#include "ir/text.h"

namespace proviso::backend::gpu {

using namespace ir;

namespace {

struct BufferAccess {
    Site site;
    std::vector<Expr> indices;
    std::array<const For*, kAxes> threads{};  // around it, by axis
};

class Collector {
  public:
    explicit Collector(Buffer buffer) : buffer_(buffer) {}

    std::vector<BufferAccess> run(Stmt body, const Site& site) {
        statement(body, site);
        return std::move(out_);
    }

  private:
    void statement(Stmt s, const Site& site) {
        const For* loop = s->as<For>();
        const bool thread = loop != nullptr && is_bound(*loop) && !is_block_loop(*loop);
        if (const Store* n = s->as<Store>(); n != nullptr && n->buffer == buffer_) {
            access(n->indices, site);
        }
        for (const Child& c : children(s)) {
            if (c.expr != nullptr) loads(c.expr, site.child(c.label));
        }
        const For* around = nullptr;
        if (thread) around = std::exchange(threads_[axis_of(*loop)], loop);
        for (const Child& c : children(s)) {
            if (c.stmt != nullptr) statement(c.stmt, site.child(c.label));
        }
        if (thread) threads_[axis_of(*loop)] = around;
    }

    void loads(Expr e, const Site& site) {
        const std::vector<Buffer> here = loaded_buffers(e);
        if (std::find(here.begin(), here.end(), buffer_) == here.end()) return;
        if (e->op == Op::Load && e->buffer == buffer_) access(e->args, site);
        for (std::size_t i = 0; i < e->args.size(); ++i) {
            loads(e->arg(i), site.child("a" + std::to_string(i)));
        }
    }

    void access(std::span<const Expr> indices, const Site& site) {
        out_.push_back({site, {indices.begin(), indices.end()}, threads_});
    }

    Buffer buffer_;
    std::array<const For*, kAxes> threads_{};
    std::vector<BufferAccess> out_;
};

// The thread that runs, on an axis.
bool is_thread(Expr index, const For* loop) {
    if (loop == nullptr) return is_int_const(index, 0);
    return index == loop->var && is_int_const(loop->lo, 0);
}

class Parts {
  public:
    Parts(Buffer buffer, std::vector<BufferAccess> accesses)
        : buffer_(buffer), accesses_(std::move(accesses)), axes_(buffer->rank()) {}

    Result<ThreadParts> run() {
        by_variables();
        by_extents();
        ThreadParts out;
        for (std::size_t a = 0; a < kAxes; ++a) {
            if (!loop_on(a)) continue;
            const auto at = std::find(axes_.begin(), axes_.end(), a);
            if (at == axes_.end()) return not_by_thread();
            out.dimensions =
                std::max(out.dimensions, static_cast<std::size_t>(at - axes_.begin()) + 1);
        }
        for (std::size_t d = 0; d < out.dimensions; ++d) {
            if (!axes_[d] && !is_int_const(buffer_->shape[d], 1)) return not_by_thread();
        }
        for (const BufferAccess& b : accesses_) {
            for (std::size_t d = 0; d < out.dimensions; ++d) {
                if (!axes_[d]) continue;
                const For* const loop = b.threads[*axes_[d]];
                if (is_thread(b.indices[d], loop)) continue;
                out.owed.push_back({b.site, text(b), b.indices[d], loop});
            }
        }
        return out;
    }

  private:
    Diagnostic not_by_thread() const {
        return error("buffer " + buffer_->name +
                         " of scope \"local\" is allocated where the threads of a block share it, "
                         "and is not indexed by thread first",
                     "index it by the variables of all loops of threads around, in one order, or "
                     "give it the scope \"shared\"");
    }

    // Some access is in a loop that is bound to the axis.
    bool loop_on(std::size_t axis) const {
        return std::any_of(accesses_.begin(), accesses_.end(),
                           [&](const BufferAccess& b) { return b.threads[axis] != nullptr; });
    }
    bool taken(std::size_t axis) const {
        return std::find(axes_.begin(), axes_.end(), axis) != axes_.end();
    }

    // A dimension stands for the axis whose variable some access has there.
    void by_variables() {
        for (const BufferAccess& b : accesses_) {
            for (std::size_t d = 0; d < axes_.size(); ++d) {
                for (std::size_t a = 0; a < kAxes && !axes_[d]; ++a) {
                    const For* const loop = b.threads[a];
                    if (loop != nullptr && loop->var == b.indices[d] && !taken(a)) axes_[d] = a;
                }
            }
        }
    }

    // An axis left over takes the first dimension left with its extent, or just the first.
    void by_extents() {
        for (const bool same_extent : {true, false}) {
            for (std::size_t a = 0; a < kAxes; ++a) {
                for (std::size_t d = 0; d < axes_.size() && loop_on(a) && !taken(a); ++d) {
                    const bool fits =
                        std::any_of(accesses_.begin(), accesses_.end(), [&](const BufferAccess& b) {
                            return b.threads[a] != nullptr && b.threads[a]->hi == buffer_->shape[d];
                        });
                    if (!axes_[d] && (fits || !same_extent)) axes_[d] = a;
                }
            }
        }
    }

    std::string text(const BufferAccess& b) const {
        std::string out = buffer_->name + "[";
        for (std::size_t d = 0; d < b.indices.size(); ++d) {
            out += (d == 0 ? "" : ", ") + print(b.indices[d]);
        }
        return out + "]";
    }

    Buffer buffer_;
    std::vector<BufferAccess> accesses_;
    std::vector<std::optional<std::size_t>> axes_;  // by dimension
};

}  // namespace

Result<ThreadParts> thread_parts(const Allocate& allocate, const Site& site) {
    return Parts(allocate.buffer, Collector(allocate.buffer).run(allocate.body, site.child("body")))
        .run();
}

}  // namespace proviso::backend::gpu
