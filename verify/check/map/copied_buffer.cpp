#include "verify/check/map/copied_buffer.h"

#include <algorithm>

#include "rewrite/passes/passes.h"
#include "verify/check/map/mirror.h"
#include "verify/check/map/spelling.h"

namespace proviso::verify {

using namespace ir;
using namespace rewrite;

namespace {

bool reads(Expr e, Buffer b) {
    const std::vector<Buffer> all = loaded_buffers(e);
    return std::find(all.begin(), all.end(), b) != all.end();
}

class Keeper {
  public:
    Keeper(Proposer& p, Buffer buffer, std::vector<std::string>& tried)
        : p_(p), ctx_(p.ctx()), buffer_(buffer), tried_(tried), mirror_(p, buffer) {}

    bool run() {
        if (!find()) return fails("it is not just updated, and copied in the end");
        if (!mirror_.put(*last_) || !read_copies()) return fails(mirror_.why());
        std::optional<Rejection> no;
        if (!drop_store(p_, p_.memory(), mirror_.below(last_->at), no)) {
            return fails("the last copy" + (no ? ": " + refusal_text(*no) : ""));
        }
        return mirror_.drop() || fails(mirror_.why());
    }

  private:
    bool fails(const std::string& why) {
        tried_.push_back(buffer_->name + ", which the first program alone allocates: " + why);
        return false;
    }

    bool find() {
        if (mirror_.text() == nullptr) return false;
        std::vector<Leaf> stores;
        for (const Leaf& leaf : mirror_.leaves()) {
            const Store* n = leaf.stmt->as<Store>();
            if (n == nullptr) return false;
            if (n->buffer == buffer_) {
                stores.push_back(leaf);
            } else if (reads(n->value, buffer_)) {
                const bool copies = n->value->op == Op::Load && n->value->buffer == buffer_;
                if (last_ || !copies) return false;
                last_ = leaf;
            }
        }
        if (!last_ || stores.size() < 2) return false;
        const Store& out = *last_->stmt->as<Store>();
        for (const Leaf& leaf : stores) {
            const Store& store = *leaf.stmt->as<Store>();
            Leaf unknown = *last_;
            Leaf known = leaf;
            unknown.stmt =
                ctx_.store(buffer_, {out.value->args.begin(), out.value->args.end()}, out.value);
            known.stmt = ctx_.store(buffer_, store.indices, ctx_.load(buffer_, store.indices));
            const std::vector<Substitution> at = mirror_.solver().values(unknown, known);
            if (at.empty()) return false;
            std::vector<Expr> index;
            for (Expr e : out.indices) index.push_back(substitute(ctx_, e, at[0]));
            for (const Binder& b : leaf.binders) {
                if (b.value != nullptr) return false;
            }
            mirror_.keep(leaf, ctx_.load(out.buffer, index), at[0]);
        }
        return true;
    }

    bool read_copies() {
        const Store& out = *last_->stmt->as<Store>();
        const Site copied = mirror_.below(last_->at).child("value");
        if (!mirror_.read(*last_, copied, ctx_.load(out.buffer, out.indices))) return false;
        for (const Mirror::Kept& k : mirror_.kept()) {
            const Site value = k.store.child("value");
            for (std::optional<Site> load; (load = mirror_.load_in(value));) {
                if (!mirror_.read(k.leaf, *load, k.cell)) return false;
            }
        }
        return mirror_.store_values();
    }

    Proposer& p_;
    Context& ctx_;
    Buffer buffer_;
    std::vector<std::string>& tried_;
    Mirror mirror_;
    std::optional<Leaf> last_;  // the store that copies
};

}  // namespace

bool keep_where_copied(Proposer& p, Buffer buffer, std::vector<std::string>& tried) {
    return Keeper(p, buffer, tried).run();
}

}  // namespace proviso::verify
