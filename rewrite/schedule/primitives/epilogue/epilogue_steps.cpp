// The steps of fuse_reduction_epilogue (epilogue.cpp says which).
#include <algorithm>
#include <nlohmann/json.hpp>

#include "analysis/memory/access.h"
#include "ir/text.h"
#include "rewrite/passes/claim_search.h"
#include "rewrite/passes/passes.h"
#include "rewrite/schedule/primitives/epilogue/epilogue.h"
#include "rewrite/schedule/primitives/stored_value.h"
#include "rewrite/schedule/reader/interpreter/unused.h"
#include "rewrite/schedule/restated.h"

namespace proviso::rewrite {

using namespace ir;
using namespace analysis;
using nlohmann::json;

namespace {

// Every other loop and iterator at its start.
Substitution at_start(const Nested& n) {
    Substitution out;
    for (const For& l : n.loops) out[l.var] = l.lo;
    for (const BlockIter& it : n.block.iters) out[it.var] = it.lo;
    return out;
}

// Of the variables around `b`, over those around `a`, for the same cell.
Substitution by_cell(const Cells& a, const Nested& b, const Cells& of_b) {
    Substitution out = at_start(b);
    for (std::size_t d = 0; d < a.iterators.size(); ++d) {
        out[of_b.iterators[d]] = a.iterators[d];
        if (of_b.loops[d] != nullptr) out[of_b.loops[d]] = a.iterators[d];
    }
    return out;
}

std::size_t place_in_list(const Nested& n) {
    return std::stoul(n.site.steps.back());
}

Part kept(std::size_t now, std::size_t was) {
    return Part{Site{}.child(std::to_string(now)), Site{}.child(std::to_string(was)), {}, {}};
}

// A load of `t` by one of `d`, which a store has stored the same to: `claims` say so.
std::optional<Rejection> read_instead(Proposer& p, const Site& load, Expr now, json claims) {
    return p.apply("replace", load, {{"to", print(now)}, {"claims", std::move(claims)}});
}

json last_write(Expr cell, const Site& store, const Substitution& at) {
    json indices = json::array();
    for (Expr i : cell->args) indices.push_back(print(i));
    return {{"kind", "last-write"},
            {"buffer", cell->buffer->name},
            {"indices", indices},
            {"writer", witness_json(store, at)}};
}

class EpilogueFusion {
  public:
    EpilogueFusion(Proposer& p, std::string init, std::string sum, std::string epilogue)
        : p_(p),
          ctx_(p.ctx()),
          init_(std::move(init)),
          sum_(std::move(sum)),
          epilogue_(std::move(epilogue)) {}

    // Gives the refusal.
    std::optional<Rejection> run(const std::string& a, const std::string& b) {
        for (const auto step : {&EpilogueFusion::copy_stores, &EpilogueFusion::read_result,
                                &EpilogueFusion::drop_temporary}) {
            if (auto no = (this->*step)()) return no;
        }
        if (auto no = swap(a, b)) return no;
        return begin_with_it();
    }

  private:
    Nested at(const std::string& block) { return *nested(p_, block); }
    Buffer temporary() { return at(sum_).block.body->as<Store>()->buffer; }

    // Behind each store to t, D[i] = t[i].
    std::optional<Rejection> copy_stores() {
        const Nested later = at(epilogue_);
        const Store& made = *later.block.body->as<Store>();
        Buffer t = temporary();
        Expr load = load_in(made.value, t);
        const Cells of_later = *cells_of(later, {load->args.begin(), load->args.end()});
        const Site list = later.site.parent();
        std::vector<Stmt> all = locate(p_.current(), list)->stmt->as<Seq>()->body;
        Restated r;
        std::vector<Site> copies;
        for (std::size_t k = 0; k < all.size(); ++k) {
            const std::string place = std::to_string(k);
            bool copied = false;
            for (const std::string& name : {init_, sum_}) {
                const Nested n = at(name);
                if (place_in_list(n) != k) continue;
                const Store& store = *n.block.body->as<Store>();
                const Cells cells = *cells_of(n, store.indices);
                Part copy{Site{}.child(place), kept(0, place_in_list(later)).origin,
                          by_cell(cells, later, of_later), by_cell(of_later, n, cells)};
                copy.when = copy.where = ctx_.false_();
                Block block = n.block;
                block.reads.reset();
                block.writes.reset();
                block.body = ctx_.seq(
                    {n.block.body,
                     ctx_.if_(ctx_.false_(), substitute(ctx_, later.block.body, copy.from))});
                all[k] = in_loops(ctx_, n.loops, ctx_.stmt(std::move(block)));
                Part own = kept(k, k);
                for (const std::string& s : n.inside.steps) {
                    copy.now = copy.now.child(s);
                    own.now = own.now.child(s);
                    own.origin = own.origin.child(s);
                }
                own.now = own.now.child("body").child("0");
                own.origin = own.origin.child("body");
                copy.now = copy.now.child("body").child("1").child("then");
                for (const std::string& s : later.inside.steps) copy.origin = copy.origin.child(s);
                copy.origin = copy.origin.child("body");
                r.parts.push_back(own);
                r.parts.push_back(copy);
                copies.push_back(n.site);
                copied = true;
            }
            if (copied) continue;
            Part own = kept(k, k);
            if (k == place_in_list(later)) {  // the origin of the copies as well
                for (const std::string& s : later.inside.steps) {
                    own.now = own.now.child(s);
                    own.origin = own.origin.child(s);
                }
                own.now = own.now.child("body");
                own.origin = own.origin.child("body");
                Block block = later.block;
                block.reads.reset();
                block.writes.reset();
                all[k] = in_loops(ctx_, later.loops, ctx_.stmt(std::move(block)));
            }
            r.parts.push_back(own);
        }
        r.after = ctx_.seq(all);
        if (auto no = restate(p_, list, r)) return no;
        for (const std::string& name : {sum_, init_}) {
            const Site branch = p_.index().block(name)->child("body").child("1");
            const Store& store =
                *locate(p_.current(), branch.parent().child("0"))->stmt->as<Store>();
            Expr value = ctx_.load(t, store.indices);
            if (auto no = p_.apply("replace", branch.child("then").child("value"),
                                   {{"to", print(value)}})) {
                return no;
            }
            std::optional<Rejection> why;
            if (!rewrite::drop_guard(p_, branch, why)) return why;
        }
        return std::nullopt;
    }

    // What reads t reads D.
    std::optional<Rejection> read_result() {
        Buffer t = temporary_in(sum_);
        const Nested later = at(epilogue_);
        const Nested sum = at(sum_);
        const Nested init = at(init_);
        const Store& made = *later.block.body->as<Store>();
        const Site later_value = p_.index().block(epilogue_)->child("body").child("value");
        const Site sum_body = p_.index().block(sum_)->child("body");
        const Site init_body = p_.index().block(init_)->child("body");
        const std::size_t operand = made.value->arg(0) == load_in(made.value, t) ? 0 : 1;
        const Cells of_later = *cells_of(later, load_indices(made.value, t));
        const Store& add = *sum.block.body->as<Seq>()->body[0]->as<Store>();
        const Cells of_sum = *cells_of(sum, add.indices);
        const Store& zero = *init.block.body->as<Seq>()->body[0]->as<Store>();
        const Cells of_init = *cells_of(init, zero.indices);
        const auto loops_only = [](const Nested& n, const Substitution& all) {
            Substitution out;
            for (const For& l : n.loops) out[l.var] = all.at(l.var);
            return out;
        };
        // At the end: the last addition.
        Substitution last = by_cell(of_later, sum, of_sum);
        for (const For& l : sum.loops) {
            if (std::find(of_sum.loops.begin(), of_sum.loops.end(), l.var) != of_sum.loops.end())
                continue;
            last[l.var] = p_.simplified(ctx_.sub(l.hi, ctx_.int_imm(l.var->type, 1)), sum.site);
        }
        Expr cell = ctx_.load(made.buffer, made.indices);
        if (auto no = read_instead(
                p_, later_value.child("a" + std::to_string(operand)), cell,
                json::array({last_write(cell, sum_body.child("1"), loops_only(sum, last))}))) {
            return no;
        }
        // In the sum: the addition before, or the initialisation.
        const Store& copy = *sum.block.body->as<Seq>()->body[1]->as<Store>();
        Expr here = ctx_.load(copy.buffer, copy.indices);
        json claims = json::array();
        std::vector<Expr> reducing;
        Substitution before;
        for (const For& l : sum.loops) before[l.var] = l.var;
        std::vector<Expr> first;
        for (auto l = sum.loops.rbegin(); l != sum.loops.rend(); ++l) {
            if (std::find(of_sum.loops.begin(), of_sum.loops.end(), l->var) != of_sum.loops.end())
                continue;
            Expr one = ctx_.int_imm(l->var->type, 1);
            before[l->var] = ctx_.sub(l->var, one);
            std::vector<Expr> when = first;
            when.push_back(ctx_.lt(l->lo, l->var));
            json claim = last_write(here, sum_body.child("1"), before);
            claim["when"] = print(ctx_.all_of(when));
            claims.push_back(claim);
            before[l->var] = p_.simplified(ctx_.sub(l->hi, one), sum.site);
            first.push_back(ctx_.eq(l->var, l->lo));
        }
        Substitution start;
        for (std::size_t d = 0; d < of_sum.loops.size(); ++d) {
            if (of_init.loops[d] != nullptr) start[of_init.loops[d]] = of_sum.loops[d];
        }
        for (const For& l : init.loops) {
            if (start.count(l.var) == 0) start[l.var] = l.lo;
        }
        json claim = last_write(here, init_body.child("1"), start);
        if (!first.empty()) claim["when"] = print(ctx_.all_of(first));
        claims.push_back(claim);
        const std::size_t own = add.value->arg(0) == load_in(add.value, t) ? 0 : 1;
        if (auto no = read_instead(
                p_, sum_body.child("0").child("value").child("a" + std::to_string(own)), here,
                claims)) {
            return no;
        }
        // And what is stored to D is what was stored to t just before.
        for (const Site& body : {sum_body, init_body}) {
            const Site value = body.child("1").child("value");
            const LoadAt load{value, body.child("1"), locate(p_.current(), value)->expr};
            if (auto no = put_stored_value(p_, load, body.child("0"))) return no;
        }
        return std::nullopt;
    }

    std::optional<Rejection> drop_temporary() {
        Buffer t = temporary_in(sum_);
        for (const std::string& name : {sum_, init_}) {
            std::optional<Rejection> why;
            const Site store = p_.index().block(name)->child("body").child("0");
            if (!drop_store(p_, p_.memory(), store, why)) return why;
        }
        drop_allocation(p_, t);
        return std::nullopt;
    }

    // The two neighbours, the sum and what is added at the end, change places.
    std::optional<Rejection> swap(const std::string& a, const std::string& b) {
        const Nested sum = at(sum_);
        const Nested later = at(epilogue_);
        const Site list = sum.site.parent();
        const std::size_t first = place_in_list(sum);
        const std::vector<Stmt> all = locate(p_.current(), list)->stmt->as<Seq>()->body;
        Expr x = ctx_.var(a, kInt32);
        Expr y = ctx_.var(b, kInt32);
        Expr zero = ctx_.int_imm(kInt32, 0);
        Expr one = ctx_.int_imm(kInt32, 1);
        Expr two = ctx_.int_imm(kInt32, 2);
        const auto point = [&](Expr u, Expr v) { return ctx_.and_(ctx_.eq(x, u), ctx_.eq(y, v)); };
        Restated r;
        std::vector<Stmt> now;
        for (std::size_t k = 0; k < all.size(); ++k) {
            if (k == first + 1) continue;
            Part part = kept(now.size(), k);
            if (k != first) {
                r.parts.push_back(part);
                now.push_back(all[k]);
                continue;
            }
            Stmt both = ctx_.seq(
                {ctx_.if_(point(zero, one), all[k]), ctx_.if_(point(one, zero), all[k + 1])});
            now.push_back(ctx_.stmt(For{x, zero, two, ForKind::Serial, "",
                                        ctx_.stmt(For{y, zero, two, ForKind::Serial, "", both})}));
            for (const bool second : {false, true}) {
                part = kept(now.size() - 1, second ? k + 1 : k);
                part.now = part.now.child("body").child("body").child(second ? "1" : "0");
                part.now = part.now.child("then");
                part.to[x] = second ? one : zero;
                part.to[y] = second ? zero : one;
                r.parts.push_back(part);
            }
        }
        r.after = ctx_.seq(now);
        if (auto no = restate(p_, list, r)) return no;
        const Site loop = *p_.index().loop(a);
        const json order = {{"order", json::array({b, a})}};
        json freely = order;
        freely["licences"] = json::array({"reassociate"});
        const bool floats = later.block.body->as<Store>()->value->type.is_float();
        if (!floats || !p_.try_apply("reorder", loop, freely)) {  // else a refusal has values
            if (auto no = p_.apply("reorder", loop, order)) return no;
        }
        Restated back;
        back.after = ctx_.seq({all[first + 1], all[first]});
        for (const bool second : {false, true}) {
            Part part = kept(second ? 0 : 1, 0);
            part.origin = Site{}.child("body").child("body").child(second ? "1" : "0");
            part.origin = part.origin.child("then");
            part.from[x] = second ? one : zero;
            part.from[y] = second ? zero : one;
            back.parts.push_back(part);
        }
        return restate(p_, *p_.index().loop(b), back);
    }

    // What is added is stored at once, and starts the sum.
    std::optional<Rejection> begin_with_it() {
        const Site value = p_.index().block(epilogue_)->child("body").child("value");
        Buffer d = at(epilogue_).block.body->as<Store>()->buffer;
        Expr sum = locate(p_.current(), value)->expr;
        const std::size_t operand = sum->arg(0) == load_in(sum, d) ? 0 : 1;
        const Site load = value.child("a" + std::to_string(operand));
        const Site zero = p_.index().block(init_)->child("body");
        if (auto no = put_stored_value(p_, {load, value.parent(), locate(p_.current(), load)->expr},
                                       zero)) {
            return no;
        }
        std::optional<Rejection> why;
        if (!drop_store(p_, p_.memory(), zero, why)) return why;
        drop_unused(p_, zero);
        // Nothing is left of it where the sum starts from zero; a float zero may have a sign.
        const Site start = p_.index().block(epilogue_)->child("body").child("value");
        Expr from = locate(p_.current(), start)->expr;
        Expr simple = p_.simplified(from, start.parent());
        if (simple == from && is_const(from->arg(operand)) && from->type.is_float()) {
            p_.try_apply("replace", start,
                         {{"to", print(from->arg(1 - operand))},
                          {"licences", json::array({"no_signed_zero"})}});
        } else if (simple != from) {
            p_.try_apply("replace", start, {{"to", print(simple)}});
        }
        const Nested first = at(epilogue_);
        const Nested rest = at(sum_);
        const Cells of_first = *cells_of(first, first.block.body->as<Store>()->indices);
        const Cells of_rest = *cells_of(rest, rest.block.body->as<Store>()->indices);
        const Site list = first.site.parent();
        const std::vector<Stmt> all = locate(p_.current(), list)->stmt->as<Seq>()->body;
        Restated r;
        std::vector<Stmt> now;
        for (std::size_t k = 0; k < all.size(); ++k) {
            if (k == place_in_list(first)) continue;
            if (k != place_in_list(rest)) {
                r.parts.push_back(kept(now.size(), k));
                now.push_back(all[k]);
                continue;
            }
            Part init = kept(now.size(), place_in_list(first));
            Part update = kept(now.size(), k);
            init.from = by_cell(of_rest, first, of_first);
            init.to = by_cell(of_first, rest, of_rest);
            for (const std::string& s : first.inside.steps) init.origin = init.origin.child(s);
            for (const std::string& s : rest.inside.steps) {
                init.now = init.now.child(s);
                update.now = update.now.child(s);
                update.origin = update.origin.child(s);
            }
            init.now = init.now.child("init");
            init.origin = init.origin.child("body");
            update.now = update.now.child("body");
            update.origin = update.origin.child("body");
            Block block = rest.block;
            block.reads.reset();
            block.writes.reset();
            block.init = substitute(ctx_, first.block.body, init.from);
            now.push_back(in_loops(ctx_, rest.loops, ctx_.stmt(std::move(block))));
            r.apart.emplace(r.parts.size(), r.parts.size() + 1);
            r.apart.emplace(r.parts.size(), r.parts.size());
            r.parts.push_back(init);
            r.parts.push_back(update);
        }
        r.after = ctx_.seq(now);
        for (Part& part : r.parts) {  // one element is no list
            if (now.size() == 1) part.now.steps.erase(part.now.steps.begin());
        }
        return restate(p_, list, r);
    }

    Buffer temporary_in(const std::string& block) {
        return at(block).block.body->as<Seq>()->body[0]->as<Store>()->buffer;
    }
    static std::vector<Expr> load_indices(Expr value, Buffer t) {
        Expr load = load_in(value, t);
        return {load->args.begin(), load->args.end()};
    }

    Proposer& p_;
    Context& ctx_;
    std::string init_, sum_, epilogue_;
};

}  // namespace

std::optional<Rejection> fuse_epilogue(Proposer& p, const std::string& init, const std::string& sum,
                                       const std::string& epilogue, const std::string& before,
                                       const std::string& after) {
    return EpilogueFusion(p, init, sum, epilogue).run(before, after);
}

}  // namespace proviso::rewrite
