#include "rewrite/derived/loops/wide_access.h"

#include <algorithm>

#include "analysis/facts/facts.h"
#include "analysis/facts/path.h"
#include "ir/planted.h"
#include "ir/text.h"
#include "rewrite/rules/common.h"

namespace proviso::rewrite {

using namespace ir;
using namespace analysis;

namespace {

// A cell that is read where an operand is evaluated only if it is needed; null: none.
Expr read_when_needed(Expr e, bool lazy) {
    if (lazy && e->op == Op::Load && in_memory(e->buffer)) return e;
    const bool chooses = e->op == Op::IfThenElse || e->op == Op::And || e->op == Op::Or;
    for (std::size_t i = 0; i < e->args.size(); ++i) {
        if (Expr found = read_when_needed(e->arg(i), lazy || (chooses && i > 0))) return found;
    }
    return nullptr;
}

Status same_in_every_lane(Expr e) {
    if (e == nullptr) return Unit{};
    if (has_op(e, Op::CallExtern)) return error("an opaque call among the lanes");
    if (has_op(e, Op::Let)) return error("a let among the lanes");
    if (Expr load = read_when_needed(e, false)) {
        return error(print(load) + " is read by some lanes only",
                     "take the choice away before, or read it always: T.Select");
    }
    return Unit{};
}

Status made_of_stores(Stmt s) {
    const bool fine =
        s->is<Store>() || s->is<Seq>() || s->is<IfElse>() || s->is<Block>() || s->is<Assume>();
    if (!fine) {
        return error("the body holds more than stores, lists, branches and blocks",
                     "the loop is the innermost one: sch.reorder, sch.fission");
    }
    for (const Child& c : children(s)) {
        const Status ok = c.stmt != nullptr ? made_of_stores(c.stmt) : same_in_every_lane(c.expr);
        if (!ok) return ok.error();
    }
    return Unit{};
}

std::string access_text(const Access& a) {
    std::string out = a.buffer->name + "[";
    for (std::size_t d = 0; d < a.indices.size(); ++d) {
        out += (d == 0 ? "" : ", ") + print(a.indices[d]);
    }
    return out + "] " + (a.is_store ? "stored" : "loaded") + " at " + a.site.str();
}

class Lanes {
  public:
    Lanes(Context& ctx, const Function& f, const Site& site, std::int64_t lanes)
        : ctx_(ctx),
          memory_(ctx, f),
          body_(site.child("body")),
          loop_(*locate(f, site)->stmt->as<For>()),
          lanes_(lanes),
          known_(facts_at(ctx, f, site)),
          outer_(point_at(ctx, f, site)) {
        first_ = {{loop_.var, loop_.lo}};
    }

    Result<std::vector<Obligation>> run() {
        for (const Access& a : memory_.all()) {
            if (!body_.contains(a.statement)) continue;
            if (const Status ok = known_before(a); !ok) return ok.error();
            one_branch(a);
            if (const Status ok = neighbours(a); !ok) return ok.error();
        }
        return std::move(out_);
    }

  private:
    bool by_lane(Expr e) const { return occurs_free(loop_.var, e); }

    // Conditions and indices are over variables alone.
    Status known_before(const Access& a) const {
        const bool guarded = std::any_of(
            a.surrounding.begin(), a.surrounding.end(),
            [&](const auto& s) { return s.var == nullptr && body_.contains(a.outer(s.depth)); });
        const bool bound = a.opaque.size() != outer_.opaque.size();
        if (guarded || bound) {
            return error("which lanes do " + access_text(a) + " depends on what memory holds");
        }
        return Unit{};
    }

    // The guards around the access that differ by lane, all at once.
    void one_branch(const Access& a) {
        std::vector<Expr> here = {ctx_.le(loop_.lo, loop_.var), ctx_.lt(loop_.var, loop_.hi)};
        std::vector<Expr> differ;
        for (Expr c : conjuncts(a.may)) {
            const bool range = c == here[0] || c == here[1];
            if (!range && by_lane(c)) differ.push_back(c);
        }
        if (differ.empty()) return;
        Expr mine = ctx_.all_of(differ);
        Expr theirs = substitute(ctx_, mine, first_);
        Expr goal = ctx_.any_of(
            {ctx_.all_of({mine, theirs}), ctx_.all_of({ctx_.not_(mine), ctx_.not_(theirs)})});
        for (Expr c : conjuncts(a.may)) {
            if (!by_lane(c)) here.push_back(c);
        }
        add({Owed::OneBranch,
             "all lanes of " + *loop_.var->name + " take one branch (" + print(mine) + ", around " +
                 access_text(a) + ")",
             a.site, a.buffer},
            here, goal);
    }

    // What the index reads is the same cell for all lanes, and no lane stores there: one value.
    Status read_alike(const Access& a, Expr index) const {
        Status out = Unit{};
        for_each_node(index, [&](Expr n) {
            if (n->op != Op::Load || !out) return;
            const std::vector<Buffer> stored = stored_buffers(loop_.body);
            const bool changes = std::find(stored.begin(), stored.end(), n->buffer) != stored.end();
            if (!changes && !by_lane(n)) return;
            out = error("the index of " + access_text(a) + " reads " + print(n) + ", which " +
                        (changes ? "lanes store to" : "differs by lane"));
        });
        return out;
    }

    Status neighbours(const Access& a) {
        if (!in_memory(a.buffer)) return Unit{};
        if (std::none_of(a.indices.begin(), a.indices.end(), [&](Expr i) { return by_lane(i); })) {
            return Unit{};
        }
        for (Expr i : a.indices) {
            if (const Status ok = read_alike(a, i); !ok) return ok.error();
        }
        const std::int64_t bytes = lanes_ * a.buffer->type.bytes();
        if (bytes > kWideBytes) {
            return error(std::to_string(lanes_) + " cells of " + a.buffer->name + " have " +
                             std::to_string(bytes) + " bytes; an access has 16 at the most",
                         "2 lanes");
        }
        Expr cell = position(a);
        Expr start = substitute(ctx_, cell, first_);
        const std::vector<Expr> here = conjuncts(a.may);
        Expr lane = ctx_.sub(loop_.var, loop_.lo);
        if (lane->type != cell->type) lane = ctx_.cast(cell->type, lane);
        add({Owed::Neighbours,
             "lanes of " + *loop_.var->name + " reach neighbouring cells (" + access_text(a) + ")",
             a.site, a.buffer},
            here, ctx_.eq(cell, ctx_.add(start, lane)));
        if (planted("gpu:any-alignment")) return Unit{};
        Expr zero = ctx_.int_imm(cell->type, 0);
        Expr rest = ctx_.floormod(start, ctx_.int_imm(cell->type, lanes_));
        add({Owed::Aligned,
             "lanes of " + *loop_.var->name + " begin at a multiple of " + std::to_string(lanes_) +
                 " cells (" + access_text(a) + ")",
             a.site, a.buffer},
            here, ctx_.eq(rest, zero));
        return Unit{};
    }

    // In row-major order.
    Expr position(const Access& a) const {
        const auto wide = [&](Expr e) { return e->type == kInt64 ? e : ctx_.cast(kInt64, e); };
        bool one_type = true;
        for (std::size_t d = 0; d < a.indices.size(); ++d) {
            one_type = one_type && a.indices[d]->type == a.indices[0]->type &&
                       a.buffer->shape[d]->type == a.indices[0]->type;
        }
        const auto part = [&](Expr e) { return one_type ? e : wide(e); };
        Expr out = part(a.indices[0]);
        for (std::size_t d = 1; d < a.indices.size(); ++d) {
            out = ctx_.add(ctx_.mul(out, part(a.buffer->shape[d])), part(a.indices[d]));
        }
        return out;
    }

    void add(Purpose purpose, const std::vector<Expr>& here, Expr goal) {
        Obligation o{std::move(purpose), known_, goal};
        for (Expr e : here) {
            if (!is_true(e)) o.facts.push_back(e);
        }
        const auto same = [&](const Obligation& other) {
            return other.goal == o.goal && other.facts == o.facts;
        };
        if (std::none_of(out_.begin(), out_.end(), same)) out_.push_back(std::move(o));
    }

    Context& ctx_;
    MemoryModel memory_;
    Site body_;
    const For& loop_;
    std::int64_t lanes_;
    std::vector<Expr> known_;
    Access outer_;
    Substitution first_;
    std::vector<Obligation> out_;
};

}  // namespace

bool in_memory(Buffer buffer) {
    return buffer->scope != "local";
}

Result<std::int64_t> lanes_of(const For& loop) {
    const bool fits =
        is_int_const(loop.lo, 0) && (is_int_const(loop.hi, 2) || is_int_const(loop.hi, 4));
    if (!fits) {
        return error("loop " + *loop.var->name + " has not 2 or 4 iterations from 0",
                     "sch.split(loop, factors=[None, 4])");
    }
    if (const Status ok = made_of_stores(loop.body); !ok) return ok.error();
    return static_cast<std::int64_t>(loop.hi->int_value());
}

Result<std::vector<Obligation>> lanes_are_neighbours(Context& ctx, const Function& f,
                                                     const Site& site) {
    const Result<std::int64_t> lanes = lanes_of(*locate(f, site)->stmt->as<For>());
    if (!lanes) return lanes.error();
    return Lanes(ctx, f, site, *lanes).run();
}

}  // namespace proviso::rewrite
