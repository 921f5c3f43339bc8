// tensorize: a nest as the implementation of an intrinsic, another nest over the same stores.
//
//   description:  for k in range(4): C[0] = C[0] + A[k] * B[k]
//   implementation:  C[0] = C[0] + A[0] * B[0]; …; C[0] = C[0] + A[3] * B[3]
//
// The nest is a block of its own (blockize). It matches the description where its loops have the
// same extents and its store the same form. Each store of the implementation is one of the
// description at iterations that its indices tell; so the nest is put in the form of the
// implementation in one step (restate), whose theorem decides: each store once, and in an order
// that nobody notices.
#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>

#include "analysis/facts/affine.h"
#include "analysis/facts/path.h"
#include "analysis/memory/access.h"
#include "ir/child_at.h"
#include "ir/text.h"
#include "rewrite/passes/claim_search.h"
#include "rewrite/passes/structure.h"
#include "rewrite/schedule/primitives/primitives.h"
#include "rewrite/schedule/restated.h"

namespace proviso::rewrite {

using namespace ir;
using namespace analysis;

namespace {

// A store in a nest: the loops around it, over which it is written.
struct Leaf {
    std::vector<For> loops;
    Store store;
    Site site;
};

// The stores of a statement of loops, blocks without an initialisation, and lists; false: there is
// something else in it.
bool read_leaves(Context& ctx, Stmt s, const Site& site, std::vector<For> loops,
                 const Substitution& iterators, std::vector<Leaf>& out) {
    const auto over = [&](Expr e) { return substitute(ctx, e, iterators); };
    if (const Seq* n = s->as<Seq>()) {
        for (std::size_t k = 0; k < n->body.size(); ++k) {
            const Site at = site.child(std::to_string(k));
            if (!read_leaves(ctx, n->body[k], at, loops, iterators, out)) return false;
        }
        return true;
    }
    if (const For* n = s->as<For>()) {
        if (!is_int_const(n->lo, 0) || !is_int_const(n->hi)) return false;
        loops.push_back(*n);
        return read_leaves(ctx, n->body, site.child("body"), loops, iterators, out);
    }
    if (const Block* n = s->as<Block>()) {
        if (n->init != nullptr || !is_true(n->predicate)) return false;
        Substitution inner = iterators;
        for (const BlockIter& it : n->iters) inner[it.var] = over(it.binding);
        return read_leaves(ctx, n->body, site.child("body"), loops, inner, out);
    }
    const Store* n = s->as<Store>();
    if (n == nullptr) return false;
    Leaf leaf{loops, *n, site};
    for (Expr& index : leaf.store.indices) index = over(index);
    leaf.store.value = over(leaf.store.value);
    out.push_back(std::move(leaf));
    return true;
}

// Whether the operands may change places.
bool is_symmetric(Expr e) {
    switch (e->op) {
        case Op::Min:
        case Op::Max: return !e->type.is_float();
        case Op::Add:
        case Op::Mul:
        case Op::And:
        case Op::Or:
        case Op::BitAnd:
        case Op::BitOr:
        case Op::BitXor:
        case Op::Eq:
        case Op::Ne: return true;
        default: return false;
    }
}

// Whether a nest of the program is what a description says, with parts of its buffers for the
// parameters.
class DescriptionMatch {
  public:
    DescriptionMatch(Context& ctx, const Leaf& description, const std::vector<For>& loops)
        : ctx_(ctx) {
        for (std::size_t k = 0; k < loops.size(); ++k) {
            by_loop_[description.loops[k].var] = loops[k].var;
            loops_.push_back(loops[k].var);
        }
    }

    bool same(Expr described, Expr found) {
        if (++compared_ > kMostCompared) return false;
        if (described->op == Op::Load) {
            return found->op == Op::Load &&
                   same_cell(described->buffer, {described->args.begin(), described->args.end()},
                             found->buffer, {found->args.begin(), found->args.end()});
        }
        if (described->args.empty()) return substitute(ctx_, described, by_loop_) == found;
        if (described->op != found->op || described->args.size() != found->args.size()) {
            return false;
        }
        const std::vector<Expr> args(found->args.begin(), found->args.end());
        // Operands may stand in another order: programs are simplified.
        const auto before = parts_;
        std::vector<std::size_t> order(args.size());
        std::iota(order.begin(), order.end(), 0);
        do {
            bool all = true;
            for (std::size_t k = 0; k < order.size() && all; ++k) {
                all = same(described->arg(k), args[order[k]]);
            }
            if (all && with_args(ctx_, described, args) == found) return true;
            parts_ = before;
        } while (is_symmetric(described) && std::next_permutation(order.begin(), order.end()));
        return false;
    }

    // A cell of a parameter, and one of a buffer; of more dimensions the last ones count.
    bool same_cell(Buffer parameter, const std::vector<Expr>& described, Buffer buffer,
                   const std::vector<Expr>& found) {
        if (found.size() < described.size() || parameter->type != buffer->type) return false;
        const std::size_t more = found.size() - described.size();
        std::vector<Affine> base;
        for (std::size_t d = 0; d < found.size(); ++d) {
            Affine at = Affine::of(found[d]);
            if (d >= more) {
                at = at - Affine::of(substitute(ctx_, described[d - more], by_loop_));
            }
            Expr e = at.expr(ctx_, found[d]->type);
            for (Expr l : loops_) {
                if (e == nullptr || occurs_free(l, e)) return false;
            }
            base.push_back(std::move(at));
        }
        const auto known = parts_.try_emplace(parameter, buffer, base).first->second;
        return known.first == buffer && known.second == base;
    }

  private:
    Context& ctx_;
    Substitution by_loop_;
    std::vector<Expr> loops_;
    std::map<Buffer, std::pair<Buffer, std::vector<Affine>>> parts_;  // of the parameters
    static constexpr std::size_t kMostCompared = 100'000;             // expressions
    std::size_t compared_ = 0;
};

// Where an index of `a` is a variable, what it is in `b`.
void read_off(Expr a, Expr b, Substitution& out) {
    if (a->op == Op::Var && a->type == b->type) out.try_emplace(a, b);
    if (a->op != b->op || a->args.size() != b->args.size()) return;
    for (std::size_t k = 0; k < a->args.size(); ++k) read_off(a->arg(k), b->arg(k), out);
}

// The implementation's loops around the program's store.
class AsImplemented {
  public:
    AsImplemented(Proposer& p, const Leaf& want, const Leaf& have, Stmt nest,
                  std::function<Expr(Expr)> renamed)
        : p_(p), ctx_(p.ctx()), want_(want), have_(have), renamed_(std::move(renamed)) {
        Stmt here = nest;  // the store, and what the iterators around it are
        for (const std::string& label : have.site.steps) {
            if (const Block* n = here->as<Block>()) {
                for (const BlockIter& it : n->iters) iterators_.emplace_back(it.var, it.binding);
            }
            here = child_at(here, label).stmt;
        }
        store_ = here;
        for (const For& l : have.loops) {
            facts_.push_back(ctx_.le(l.lo, l.var));
            facts_.push_back(ctx_.lt(l.var, l.hi));
        }
    }

    // Null: a store is none of the description's; `other()` is what it stores.
    Stmt rebuild(Stmt s, const Site& now, std::vector<For> loops, Substitution values,
                 Restated& r) {
        if (const Seq* n = s->as<Seq>()) {
            std::vector<Stmt> all;
            for (std::size_t k = 0; k < n->body.size(); ++k) {
                const Site at = now.child(std::to_string(k));
                all.push_back(rebuild(n->body[k], at, loops, values, r));
                if (all.back() == nullptr) return nullptr;
            }
            return ctx_.seq(all);
        }
        if (const For* n = s->as<For>()) {
            For loop = *n;
            loop.var = values[n->var] = renamed_(n->var);
            loops.push_back(loop);
            loop.body = rebuild(n->body, now.child("body"), loops, values, r);
            return loop.body == nullptr ? nullptr : ctx_.stmt(std::move(loop));
        }
        if (const Block* n = s->as<Block>()) {
            for (const BlockIter& it : n->iters) {
                values[it.var] = substitute(ctx_, it.binding, values);
            }
            return rebuild(n->body, now, loops, values, r);
        }
        return store_as(*s->as<Store>(), now, loops, values, r);
    }

    Expr other() const { return other_; }

  private:
    Stmt store_as(const Store& given, const Site& now, const std::vector<For>& loops,
                  const Substitution& values, Restated& r) {
        other_ = given.value;
        Substitution at;  // the description's loops
        std::vector<Expr> was = want_.store.indices;
        std::vector<Expr> is = given.indices;
        was.push_back(want_.store.value);
        is.push_back(given.value);
        for (Expr& e : is) e = of_description(substitute(ctx_, e, values));
        if (was.size() != is.size()) return nullptr;
        for (std::size_t k = 0; k < was.size(); ++k) read_off(was[k], is[k], at);
        for (const For& l : want_.loops) {
            if (at.count(l.var) == 0) return nullptr;
        }
        for (std::size_t k = 0; k < was.size(); ++k) {
            Expr same = substitute(ctx_, was[k], at);
            if (same != is[k] && simple(same) != simple(is[k])) return nullptr;
        }
        Part part{now, have_.site, {}, {}};
        for (std::size_t k = 0; k < want_.loops.size(); ++k) {
            part.from[have_.loops[k].var] = at.at(want_.loops[k].var);
        }
        for (const For& q : loops) part.to[q.var] = turn(q, part.from);
        std::vector<Expr> when;
        for (const For& l : have_.loops) {
            Expr c = ctx_.eq(l.var, substitute(ctx_, part.from.at(l.var), part.to));
            c = p_.simplified(c, facts_);
            if (!is_true(c)) when.push_back(c);
        }
        if (!when.empty()) part.when = ctx_.all_of(when);
        for (const auto& [var, binding] : iterators_) {
            part.from[var] = substitute(ctx_, binding, part.from);
        }
        Stmt out = substitute(ctx_, store_, part.from);
        r.parts.push_back(std::move(part));
        return out;
    }

    // The iteration of an implementation's loop, over the program's: a digit of one of them.
    Expr turn(const For& q, const Substitution& from) {
        for (const For& l : have_.loops) {
            const Affine index = Affine::of(from.at(l.var));
            const Integer factor = index.factor_of(q.var);
            if (factor <= Integer(0)) continue;
            const ScalarType type = q.var->type;
            Expr digit = Affine(Affine::term(l.var) - Affine(index.constant())).expr(ctx_, type);
            if (factor != Integer(1)) {
                digit = ctx_.floordiv(digit, Affine(factor).expr(ctx_, type));
            }
            return p_.simplified(ctx_.floormod(digit, q.hi), facts_);
        }
        return q.lo;
    }

    Expr simple(Expr e) { return p_.simplified(e, std::vector<Expr>{}); }

    // Loads of the implementation's parameters are those of the description's.
    Expr of_description(Expr e) {
        std::map<std::string, Buffer> by_name;
        for (Buffer b : loaded_buffers(want_.store.value)) by_name[b->name] = b;
        return rewrite_expr(ctx_, e, [&](Expr n) {
            const auto found = n->op == Op::Load ? by_name.find(n->buffer->name) : by_name.end();
            if (found == by_name.end()) return n;
            return ctx_.load(found->second, std::vector<Expr>(n->args.begin(), n->args.end()));
        });
    }

    Proposer& p_;
    Context& ctx_;
    const Leaf& want_;
    const Leaf& have_;
    std::function<Expr(Expr)> renamed_;
    std::vector<std::pair<Expr, Expr>> iterators_;
    Stmt store_ = nullptr;
    std::vector<Expr> facts_;
    Expr other_ = nullptr;
};

}  // namespace

Outcome Primitives::tensorize(const BlockOrLoop& target, const std::string& intrinsic,
                              const Function& description, const Function& implementation) {
    Context& ctx = p_.ctx();
    const std::size_t start = p_.derivation().steps().size();
    std::string outer = target.name;
    if (target.is_loop) {
        const Outcome made = blockize(target.name);
        if (std::holds_alternative<Refusal>(made)) return made;
        outer = std::get<Names>(made).front();
    }
    const auto no_longer = [&](std::string message, std::string hint) {
        p_.derivation().roll_back(start);
        return refuse(std::move(message), std::move(hint));
    };
    const std::optional<Site> at = p_.index().block(outer);
    if (!at) return Refusal{no_block(outer), std::nullopt};
    const Site body = at->child("body");
    std::vector<Leaf> found, described, implemented;
    Stmt nest = locate(p_.current(), body)->stmt;
    if (!read_leaves(ctx, nest, Site{}, {}, {}, found) || found.size() != 1) {
        return no_longer(
            "block " + outer + " is no nest of loops of constant extents around one store",
            "sch.blockize(loop) makes such a block");
    }
    const std::string named = "\"" + intrinsic + "\"";
    if (!read_leaves(ctx, description.body, Site{}, {}, {}, described) || described.size() != 1) {
        return no_longer("the description of " + named +
                             " is no nest of loops of constant extents around one store",
                         "for k in range(4): C[0] = C[0] + A[k] * B[k]");
    }
    if (!read_leaves(ctx, implementation.body, Site{}, {}, {}, implemented)) {
        return no_longer("the implementation of " + named +
                             " does more than store in loops of constant extents, which is not "
                             "proved",
                         "an implementation has the stores of its description, in other loops");
    }
    const auto d_params = description.buffer_params();
    const auto i_params = implementation.buffer_params();
    bool same = d_params.size() == i_params.size();
    for (std::size_t k = 0; k < d_params.size() && same; ++k) {
        same = d_params[k]->name == i_params[k]->name && d_params[k]->type == i_params[k]->type &&
               d_params[k]->rank() == i_params[k]->rank();
    }
    if (!same) {
        return no_longer("description and implementation of " + named + " have other parameters",
                         "the same buffers, under the same names");
    }
    // The nest against the description.
    const Leaf& have = found.front();
    const Leaf& want = described.front();
    const auto extents = [](const std::vector<For>& loops) {
        std::string out;
        for (const For& l : loops) out += (out.empty() ? "" : ", ") + print(l.hi);
        return "[" + out + "]";
    };
    bool matches = have.loops.size() == want.loops.size();
    for (std::size_t k = 0; k < have.loops.size() && matches; ++k) {
        matches = have.loops[k].hi == want.loops[k].hi &&
                  have.loops[k].var->type == want.loops[k].var->type;
    }
    if (!matches) {
        return no_longer("the loops of block " + outer + " have the extents " +
                             extents(have.loops) + ", those of the description of " + named + " " +
                             extents(want.loops),
                         "split the loops so that the inner ones are a tile of the intrinsic");
    }
    DescriptionMatch match(ctx, want, have.loops);
    if (!match.same_cell(want.store.buffer, want.store.indices, have.store.buffer,
                         have.store.indices) ||
        !match.same(want.store.value, have.store.value)) {
        return no_longer("what block " + outer + " stores, " + print(have.store.value) +
                             ", is not what the description of " + named + " says, " +
                             print(want.store.value),
                         "the description has the same form, with its parameters for parts of "
                         "the buffers");
    }
    // Stores of the implementation as those of the description.
    reserved_.clear();
    AsImplemented text(p_, want, have, locate(p_.current(), body)->stmt,
                       [&](Expr v) { return ctx.var(fresh_loop(*v->name), v->type); });
    Restated r;
    r.after = text.rebuild(implementation.body, Site{}, {}, {}, r);
    if (r.after == nullptr) {
        return no_longer("the store of " + print(text.other()) + " in the implementation of " +
                             named +
                             " is none of its description at some iteration, and nothing "
                             "else is proved",
                         "an implementation has the stores of its description, in other loops");
    }
    for (std::size_t a = 0; a < r.parts.size(); ++a) {
        for (std::size_t b = a; b < r.parts.size(); ++b) r.apart.emplace(a, b);
    }
    if (auto no = restate(p_, body, r)) {
        p_.derivation().roll_back(start);
        p_.derivation().record(*no);
        Refusal out = std::get<Refusal>(refuse(std::move(*no)));
        if (out.diagnostic.hint.empty()) {
            out.diagnostic.hint =
                "the implementation makes each store of the description once, "
                "and what it adds to one cell in the same order";
        }
        return out;
    }
    simplify_expressions(p_, *p_.index().block(outer));
    note_ = "block " + outer + " is " + intrinsic;
    return Names{};
}

}  // namespace proviso::rewrite
