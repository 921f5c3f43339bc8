#include "backend/gpu/thread_buffer.h"

#include <optional>
#include <span>
#include <vector>

#include "backend/gpu/plan.h"
#include "ir/children.h"

namespace proviso::backend::gpu {

using namespace ir;

namespace {

class ThreadDimensions {
  public:
    explicit ThreadDimensions(Buffer buffer) : buffer_(buffer) {}

    Result<std::size_t> run(Stmt body) {
        statement(body);
        if (!fine_) {
            return error(
                "buffer " + buffer_->name +
                    " of scope \"local\" is allocated where the threads of a block share it, "
                    "and is not indexed by thread first",
                "index it by the variables of all loops of threads around, in one order, or "
                "give it the scope \"shared\"");
        }
        return axes_ ? axes_->size() : 0;
    }

  private:
    void statement(Stmt s) {
        const For* loop = s->as<For>();
        const bool thread = loop != nullptr && is_bound(*loop) && !is_block_loop(*loop);
        if (const Store* n = s->as<Store>(); n != nullptr && n->buffer == buffer_) {
            access(n->indices);
        }
        for (const Child& c : children(s)) {
            if (c.expr != nullptr) loads(c.expr);
        }
        if (thread) threads_.push_back(loop);
        for (const Child& c : children(s)) {
            if (c.stmt != nullptr) statement(c.stmt);
        }
        if (thread) threads_.pop_back();
    }

    void loads(Expr e) {
        for_each_node(e, [&](Expr n) {
            if (n->op == Op::Load && n->buffer == buffer_) access(n->args);
        });
    }

    void access(std::span<const Expr> indices) {
        std::vector<std::size_t> axes;
        for (std::size_t d = 0; d < threads_.size() && d < indices.size(); ++d) {
            for (const For* loop : threads_) {
                if (loop->var != indices[d] || !is_int_const(loop->lo, 0)) continue;
                if (loop->hi == buffer_->shape[d]) axes.push_back(axis_of(*loop));
            }
        }
        if (!axes_) axes_ = axes;
        // Loops inside each other have different axes, so as many as there are loops are all.
        fine_ = fine_ && !threads_.empty() && axes.size() == threads_.size() && axes == *axes_;
    }

    Buffer buffer_;
    bool fine_ = true;
    std::vector<const For*> threads_;
    std::optional<std::vector<std::size_t>> axes_;  // of the leading dimensions
};

}  // namespace

Result<std::size_t> thread_dimensions(const Allocate& allocate) {
    return ThreadDimensions(allocate.buffer).run(allocate.body);
}

}  // namespace proviso::backend::gpu
