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
//
// An external implementation is a C function. The nest stays, in a block that says which function
// code is to call in its place (ir/external.h).
#include <algorithm>
#include <nlohmann/json.hpp>
#include <span>

#include "analysis/external/description.h"
#include "analysis/external/external_call.h"
#include "analysis/facts/affine.h"
#include "ir/child_at.h"
#include "ir/text.h"
#include "rewrite/passes/structure.h"
#include "rewrite/schedule/primitives/primitives.h"
#include "rewrite/schedule/restated.h"

namespace proviso::rewrite {

using namespace ir;
using namespace analysis;

namespace {

// Where an index of `a` is a variable, what it is in `b`.
void read_off(Expr a, Expr b, Substitution& out) {
    if (a->op == Op::Var && a->type == b->type) out.try_emplace(a, b);
    if (a->op != b->op || a->args.size() != b->args.size()) return;
    for (std::size_t k = 0; k < a->args.size(); ++k) read_off(a->arg(k), b->arg(k), out);
}

// The iterators of the blocks around the store at `site` of a nest, with what they are.
std::vector<std::pair<Expr, Expr>> iterators_around(Stmt nest, const Site& site,
                                                    Stmt* store = nullptr) {
    std::vector<std::pair<Expr, Expr>> out;
    for (const std::string& label : site.steps) {
        if (const Block* n = nest->as<Block>()) {
            for (const BlockIter& it : n->iters) out.emplace_back(it.var, it.binding);
        }
        nest = child_at(nest, label).stmt;
    }
    if (store != nullptr) *store = nest;
    return out;
}

// The implementation's loops around the program's store.
class AsImplemented {
  public:
    AsImplemented(Proposer& p, const Leaf& want, const Leaf& have, Stmt nest,
                  std::function<Expr(Expr)> renamed)
        : p_(p), ctx_(p.ctx()), want_(want), have_(have), renamed_(std::move(renamed)) {
        iterators_ = iterators_around(nest, have.site, &store_);
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

// The annotation of the call, which knows what it does now.
AttrValue with_description(AttrValue call, const Function& description) {
    if (auto* dict = std::get_if<AttrValue::Dict>(&call.value)) {
        (*dict)["description"] = AttrValue{print(description)};
    }
    return call;
}

// The nest as the body of a block that calls the function.
Restated as_call(Context& ctx, Block call, const Leaf& have, Stmt nest) {
    call.predicate = ctx.true_();
    call.body = in_loops(ctx, have.loops,
                         ctx.store(have.store.buffer, have.store.indices, have.store.value));
    Restated out;
    Part part{Site{}.child("body"), have.site, {}, {}};
    for (std::size_t k = 0; k < have.loops.size(); ++k) part.now = part.now.child("body");
    for (const auto& [var, binding] : iterators_around(nest, have.site)) {
        part.from[var] = substitute(ctx, binding, part.from);
    }
    out.after = ctx.stmt(std::move(call));
    out.parts.push_back(std::move(part));
    return out;
}

std::string extents(const std::vector<For>& loops) {
    std::string out;
    for (const For& l : loops) out += (out.empty() ? "" : ", ") + print(l.hi);
    return "[" + out + "]";
}

// Why description and nest do not match; nullopt: they do.
std::optional<Diagnostic> mismatch(const std::string& block, const std::string& named,
                                   const Leaf& have, const Leaf& want) {
    bool same = have.loops.size() == want.loops.size();
    for (std::size_t k = 0; k < have.loops.size() && same; ++k) {
        same = have.loops[k].hi == want.loops[k].hi &&
               have.loops[k].var->type == want.loops[k].var->type;
    }
    if (!same) {
        return error("the loops of block " + block + " have the extents " + extents(have.loops) +
                         ", those of the description of " + named + " " + extents(want.loops),
                     "split the loops so that the inner ones are a tile of the intrinsic");
    }
    if (DescriptionMatch(want, have).same_store()) return std::nullopt;
    return error("what block " + block + " stores, " + print(have.store.value) +
                     ", is not what the description of " + named + " says, " +
                     print(want.store.value),
                 "the description has the same form, with its parameters for parts of the buffers");
}

bool same_parameters(const Function& description, const Function& implementation) {
    const auto ours = description.buffer_params();
    const auto theirs = implementation.buffer_params();
    bool same = ours.size() == theirs.size();
    for (std::size_t k = 0; k < ours.size() && same; ++k) {
        same = ours[k]->name == theirs[k]->name && ours[k]->type == theirs[k]->type &&
               ours[k]->rank() == theirs[k]->rank();
    }
    return same;
}

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
    Stmt nest = locate(p_.current(), body)->stmt;
    const auto found = read_leaves(ctx, nest);
    if (!found || found->size() != 1) {
        return no_longer(
            "block " + outer + " is no nest of loops of constant extents around one store",
            "sch.blockize(loop) makes such a block");
    }
    const std::string named = "\"" + intrinsic + "\"";
    const auto described = read_leaves(ctx, description.body);
    if (!described || described->size() != 1) {
        return no_longer("the description of " + named +
                             " is no nest of loops of constant extents around one store",
                         "for k in range(4): C[0] = C[0] + A[k] * B[k]");
    }
    const Leaf& have = found->front();
    const Leaf& want = described->front();
    const auto attr = implementation.attrs.find(kExternAttr);
    const bool external = attr != implementation.attrs.end();
    const auto implemented = external ? std::vector<Leaf>() : read_leaves(ctx, implementation.body);
    if (!implemented) {
        return no_longer("the implementation of " + named +
                             " does more than store in loops of constant extents, which is not "
                             "proved",
                         "an implementation has the stores of its description, in other loops, or "
                         "is one call of a C function, T.call_extern(…)");
    }
    if (!external && !same_parameters(description, implementation)) {
        return no_longer("description and implementation of " + named + " have other parameters",
                         "the same buffers, under the same names");
    }
    if (const auto no = mismatch(outer, named, have, want)) return no_longer(no->message, no->hint);
    reserved_.clear();
    Restated r;
    std::string symbol;
    if (external) {
        Block block;
        block.annotations[kExternAttr] = with_description(attr->second, description);
        symbol = external_symbol(block);
        block.name = fresh(symbol);
        r = as_call(ctx, block, have, nest);
        const Result<ExternalCall> call = external_call(*r.after->as<Block>());
        if (!call) return no_longer(call.error().message, call.error().hint);
    } else {
        // Stores of the implementation as those of the description.
        AsImplemented text(p_, want, have, nest,
                           [&](Expr v) { return ctx.var(fresh_loop(*v->name), v->type); });
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
    if (external) {
        const Status agree = external_calls_agree(std::span(&p_.current(), 1));
        if (!agree) return no_longer(agree.error().message, agree.error().hint);
    }
    note_ = "block " + outer + " is " + intrinsic;
    if (external) note_ += ", by a call of the external function " + symbol;
    return Names{};
}

}  // namespace proviso::rewrite
