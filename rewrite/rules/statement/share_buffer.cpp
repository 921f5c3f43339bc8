// share-buffer: two buffers, one of which is not used any more when the other one begins, as one.
//
//   before   A = alloc (12); B = alloc (20); A[i] = …; … A[i] …; B[j] = …; … B[j] …
//   after    A = alloc (20);                 A[i] = …; … A[i] …; A[j] = …; … A[j] …
//
// Arguments: "first" and "second", names of allocated buffers. The site is the function's body.
// Shape: both are allocated at the top of the function, under lists and allocations only, one
// around the other; of one type, scope and rank, with constant extents; without annotations. No
// statement at the top that touches `first` comes after one that touches `second`, nor is one
// statement about both. (Those statements run once each, in their order: analysis/parts.) The
// function has no blocks, whose claims name buffers, and no barriers, which are named by sites.
// The new buffer has the name of `first`, and in each dimension the larger extent.
// Obligations: none. A cell of either buffer is a cell of the new one, each its own, so an access
// in bounds stays so. Until the first statement about `second`, memory is the same but for that.
// From there on, `first` is not touched any more; `second` was fresh, all cells indeterminate, and
// the new buffer holds in their places whatever `first` left. Every value refines an indeterminate
// one, and none of them adds a fault (docs/semantics.md, "undef, indet, assume"). A cell of
// `second` that its reader relies on was stored to after that place, and so it is now: what held of
// `first` before is of no use to anybody, since a proof about `second` speaks of its stores.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "analysis/parts/top_level.h"
#include "ir/children.h"
#include "ir/planted.h"
#include "rewrite/kernel/arguments.h"
#include "rewrite/rules/block_level.h"
#include "rewrite/rules/common.h"
#include "rewrite/rules/statement/statement_rules.h"

namespace proviso::rewrite {

using namespace ir;

namespace {

// The allocations at the top that the step is about: outer, then inner.
struct Pair {
    const Allocate* outer = nullptr;
    const Allocate* inner = nullptr;
};

class ShareBuffer final : public Rule {
  public:
    std::string name() const override { return "share-buffer"; }
    std::string summary() const override {
        return "a buffer in the memory of one that is not used any more";
    }

    Result<Proposal> propose(Context& ctx, const Function& before, const Site& site,
                             const nlohmann::json& args) const override {
        if (!site.steps.empty())
            return error("share-buffer works on the whole function: site body");
        const Result<std::string> first = arg_string(args, "first");
        if (!first) return first.error();
        const Result<std::string> second = arg_string(args, "second");
        if (!second) return second.error();
        if (analysis::has_block(before.body)) return error("the function has blocks");
        if (before.attrs.count(kBarriersAttr) != 0) return error("the function has barriers");
        const analysis::TopLevel top = analysis::top_level(before.body);
        const Result<Buffer> a = at_top(top, *first);
        if (!a) return a.error();
        const Result<Buffer> b = at_top(top, *second);
        if (!b) return b.error();
        const Result<Pair> pair = nested(before.body, *a, *b);
        if (!pair) return pair.error();
        const Result<std::vector<Expr>> shape = common_shape(*a, *b);
        if (!shape) return shape.error();
        if (const Status ok = one_after_the_other(top, *a, *b); !ok) return ok.error();
        Buffer shared = ctx.buffer((*a)->name, (*a)->type, *shape, (*a)->scope);
        Proposal out{before, {}, {}};
        Buffer gone = pair->inner->buffer;
        out.after.body = rewrite_stmt(ctx, before.body, nullptr, [&](Stmt s) {
            const Allocate* n = s->as<Allocate>();
            return n != nullptr && n->buffer == gone ? n->body : s;
        });
        const auto same = [](std::vector<Expr> index) { return index; };
        for (Buffer old : {*a, *b}) {
            out.after.body = replace_buffer_in(ctx, out.after.body, old, shared, same, true, true);
        }
        return out;
    }

  private:
    static Result<Buffer> at_top(const analysis::TopLevel& top, const std::string& name) {
        for (Buffer b : top.buffers) {
            if (b->name == name) return b;
        }
        return error("no buffer '" + name + "' is allocated at the top of the function");
    }

    // One allocation around the other.
    static Result<Pair> nested(Stmt body, Buffer a, Buffer b) {
        if (a == b) return error("a buffer shares memory with another one");
        Pair out;
        for_each_stmt(body, [&](Stmt s) {  // parents first
            const Allocate* n = s->as<Allocate>();
            if (n == nullptr || (n->buffer != a && n->buffer != b)) return;
            (out.outer == nullptr ? out.outer : out.inner) = n;
        });
        bool around = false;
        for_each_stmt(out.outer->body, [&](Stmt s) { around |= s->as<Allocate>() == out.inner; });
        if (!around) return error("neither buffer is allocated around the other");
        if (out.outer->annotations.empty() && out.inner->annotations.empty()) return out;
        return error("an allocation has annotations");
    }

    // Of each dimension the larger extent.
    static Result<std::vector<Expr>> common_shape(Buffer a, Buffer b) {
        if (a->type != b->type || a->scope != b->scope || a->rank() != b->rank()) {
            return error("the buffers are of two types, scopes or ranks");
        }
        std::vector<Expr> out;
        for (std::size_t d = 0; d < a->rank(); ++d) {
            Expr x = a->shape[d];
            Expr y = b->shape[d];
            if (!is_int_const(x) || !is_int_const(y) || x->type != y->type) {
                return error("an extent is not constant, or they are of two types");
            }
            const bool first = x->int_value() >= y->int_value();
            out.push_back(first || planted("share-buffer:first-extent") ? x : y);
        }
        return out;
    }

    static Status one_after_the_other(const analysis::TopLevel& top, Buffer a, Buffer b) {
        bool began = false;
        for (Stmt s : top.statements) {
            const analysis::Touched touched = analysis::touched_by(s);
            began = began || touched.any(b);
            const bool used = touched.any(a) && !planted("share-buffer:any-order");
            if (began && used) return error(a->name + " is still used when " + b->name + " begins");
        }
        return Unit{};
    }
};

}  // namespace

const Rule& share_buffer_rule() {
    static const ShareBuffer rule;
    return rule;
}

}  // namespace proviso::rewrite
