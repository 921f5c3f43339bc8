#include "ir/text/reader/placement.h"

#include <algorithm>

#include "ir/children.h"

namespace proviso::ir {

namespace {

class Placement {
  public:
    Placement(Context& ctx, Buffer buffer, const Annotations& annotations)
        : ctx_(ctx), buffer_(buffer), annotations_(annotations) {
        of_thread_ = buffer->scope.rfind("local", 0) == 0;
        of_block_ = buffer->scope.rfind("shared", 0) == 0;
    }

    Stmt run(Stmt body) {
        const Found found = find(body);
        return found.placed != nullptr ? found.placed : allocate(body);
    }

  private:
    struct Found {
        bool used = false;
        Stmt placed = nullptr;  // with the allocation in it
    };

    Stmt allocate(Stmt body) const { return ctx_.stmt(Allocate{buffer_, body, annotations_}); }

    bool loads(Expr e) const {
        const std::vector<Buffer> all = loaded_buffers(e);
        return std::find(all.begin(), all.end(), buffer_) != all.end();
    }

    bool claims(const std::optional<std::vector<BufferRegion>>& regions) const {
        return regions && std::any_of(regions->begin(), regions->end(),
                                      [&](const BufferRegion& r) { return r.buffer == buffer_; });
    }

    bool is_used_by(Stmt s) const {
        if (const Store* store = s->as<Store>(); store != nullptr && store->buffer == buffer_) {
            return true;
        }
        const Block* block = s->as<Block>();
        return block != nullptr && (claims(block->reads) || claims(block->writes));
    }

    // Each iteration has memory of its own.
    bool is_own(Stmt s) const {
        const For* loop = s->as<For>();
        if (loop == nullptr || loop->kind != ForKind::ThreadBinding) return false;
        const bool blocks = loop->thread_tag.rfind("blockIdx", 0) == 0;
        const bool threads = loop->thread_tag.rfind("threadIdx", 0) == 0;
        return (blocks && (of_block_ || of_thread_)) || (threads && of_thread_);
    }

    Found find(Stmt s) const {
        bool here = is_used_by(s);
        std::vector<Child> parts = children(s);
        Child* only = nullptr;
        Found inner;
        for (Child& part : parts) {
            if (part.expr != nullptr) {
                here = here || loads(part.expr);
            } else if (part.stmt != nullptr) {
                const Found found = find(part.stmt);
                if (!found.used) continue;
                here = here || only != nullptr;
                only = &part;
                inner = found;
            }
        }
        if (here) return {true, nullptr};
        if (only == nullptr) return {};
        if (inner.placed == nullptr && !is_own(s)) return {true, nullptr};
        only->stmt = inner.placed != nullptr ? inner.placed : allocate(only->stmt);
        return {true, with_children(ctx_, s, parts)};
    }

    Context& ctx_;
    Buffer buffer_;
    const Annotations& annotations_;
    bool of_thread_ = false;
    bool of_block_ = false;
};

}  // namespace

Stmt allocated_where_used(Context& ctx, Buffer buffer, Stmt body, const Annotations& annotations) {
    return Placement(ctx, buffer, annotations).run(body);
}

}  // namespace proviso::ir
