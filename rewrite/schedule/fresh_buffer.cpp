#include "rewrite/schedule/fresh_buffer.h"

#include <nlohmann/json.hpp>

#include "analysis/facts/path.h"
#include "ir/text.h"
#include "rewrite/passes/claim_search.h"
#include "rewrite/schedule/restated.h"

namespace proviso::rewrite {

using namespace ir;
using nlohmann::json;

namespace {

class Filler {
  public:
    Filler(Proposer& p, const FreshBuffer& b) : p_(p), ctx_(p.ctx()), b_(b) {
        for (std::size_t d = 0; d < b.shape.size(); ++d) {
            loops_.push_back(ctx_.var(b.loops[d], b.shape[d]->type));
        }
    }

    std::optional<Rejection> run() {
        if (auto no = allocate()) return no;
        if (auto no = give_cells()) return no;
        if (b_.after) {
            mark_ = next_to(mark_);
        } else if (auto no = p_.apply("drop-empty", mark_, json::object())) {
            return no;
        }
        Site store = mark_;
        for (std::size_t d = 0; d < loops_.size(); ++d) store = store.child("body");
        Substitution by;
        for (std::size_t d = 0; d < loops_.size(); ++d) by[b_.vars[d]] = loops_[d];
        const json args = {{"to", print(substitute(ctx_, b_.value, by))}};
        if (auto no = p_.apply("replace", store.child("value"), args)) return no;
        return put_in_block(p_, mark_, b_.block, b_.loops, b_.indices);
    }

  private:
    // The allocation, and a loop around nothing where the nest is to stand.
    std::optional<Rejection> allocate() {
        Stmt old = locate(p_.current(), b_.around)->stmt;
        const Seq* list = old->as<Seq>();
        const std::vector<Stmt> elements = list != nullptr ? list->body : std::vector<Stmt>{old};
        Expr zero = ctx_.int_imm(b_.shape[0]->type, 0);
        Restated r;
        std::vector<Stmt> all;
        for (std::size_t k = 0; k <= elements.size(); ++k) {
            if (!b_.after && k == b_.place) {
                Expr u = ctx_.var(b_.loops[0], b_.shape[0]->type);
                mark_ = b_.around.child("body").child(std::to_string(k));
                all.push_back(ctx_.stmt(For{u, zero, zero, ForKind::Serial, "", ctx_.pass()}));
            }
            if (k == elements.size()) break;
            Part part;
            part.now = Site{}.child("body");
            if (elements.size() > 1 || !b_.after) {
                part.now = part.now.child(std::to_string(all.size()));
            }
            if (list != nullptr) part.origin = Site{}.child(std::to_string(k));
            r.parts.push_back(std::move(part));
            all.push_back(elements[k]);
        }
        if (b_.after) {
            mark_ = b_.around.child("body");
            const auto below = static_cast<std::ptrdiff_t>(b_.around.steps.size());
            mark_.steps.insert(mark_.steps.end(), b_.after->steps.begin() + below,
                               b_.after->steps.end());
        }
        const std::vector<Expr> none(b_.shape.size(), zero);
        Buffer buffer = ctx_.buffer(b_.name, b_.type, none, b_.scope);
        r.after = ctx_.stmt(Allocate{buffer, ctx_.seq(all)});
        return restate(p_, b_.around, r);
    }

    // What stands after the statement: in its list, or in one of both.
    Site next_to(const Site& site) const {
        const Site up = site.parent();
        if (!locate(p_.current(), up)->stmt->is<Seq>()) return site.child("1");
        return up.child(std::to_string(std::stoul(site.steps.back()) + 1));
    }

    // All cells of the new extents are padding.
    std::optional<Rejection> give_cells() {
        std::set<std::string> used = bound_names(p_.current());
        json args = {{"buffer", b_.name}, {"pad", "undef"}, {"after", mark_.str()}};
        json box = json::array();
        for (std::size_t d = 0; d < b_.shape.size(); ++d) {
            const std::string index = fresh_name("x" + std::to_string(d), used);
            const std::string place = fresh_name("p" + std::to_string(d), used);
            args["shape"].push_back(print(b_.shape[d]));
            args["vars"].push_back(index);
            args["map"].push_back(index);
            args["physical_vars"].push_back(place);
            args["inverse"].push_back(place);
            args["names"].push_back(b_.loops[d]);
            box.push_back(json::array({"0", print(b_.shape[d])}));
        }
        args["boxes"].push_back(std::move(box));
        // The loop around nothing has the name of the first one until it goes.
        args["names"][0] = fresh_name(b_.loops[0], used);
        loops_[0] = ctx_.var(args["names"][0].get<std::string>(), b_.shape[0]->type);
        return p_.apply("relayout", Site{}, args);
    }

    Proposer& p_;
    Context& ctx_;
    const FreshBuffer& b_;
    std::vector<Expr> loops_;
    Site mark_;  // what the nest comes after: a loop around nothing; then the nest
};

}  // namespace

bool put_fresh_buffer(Proposer& p, const FreshBuffer& wanted, std::optional<Rejection>& why) {
    const std::size_t start = p.derivation().steps().size();
    std::optional<Rejection> no = Filler(p, wanted).run();
    if (!no) return true;
    p.derivation().roll_back(start);
    keep_more_telling(why, std::move(no));
    return false;
}

std::optional<Rejection> put_in_block(Proposer& p, const Site& nest, const std::string& name,
                                      const std::vector<std::string>& loops,
                                      const std::vector<std::string>& indices) {
    Context& ctx = p.ctx();
    Stmt inside = locate(p.current(), nest)->stmt;
    Part part;
    Block block;
    block.name = name;
    block.predicate = ctx.true_();
    std::vector<For> all;
    for (std::size_t d = 0; d < loops.size(); ++d) {
        For loop = *inside->as<For>();
        inside = loop.body;
        part.origin = part.origin.child("body");
        const ScalarType type = loop.var->type;
        Expr now = ctx.var(loops[d], type);
        Expr index = ctx.var(indices[d], type);
        block.iters.push_back(BlockIter{index, loop.lo, loop.hi, now});
        part.from[loop.var] = index;
        part.to[now] = loop.var;
        part.to[index] = loop.var;
        loop.var = now;
        all.push_back(std::move(loop));
    }
    part.now = part.origin.child("body");
    block.body = substitute(ctx, inside, part.from);
    Restated r;
    r.after = in_loops(ctx, all, ctx.stmt(std::move(block)));
    r.parts.push_back(std::move(part));
    return restate(p, nest, r);
}

Site store_of_block(Proposer& p, const std::string& block) {
    return p.index().block(block)->child("body");
}

json filled(Proposer& p, Buffer buffer, const std::string& block,
            const std::vector<std::string>& loops, const std::vector<Expr>& cell) {
    json indices = json::array();
    Substitution at;
    for (std::size_t d = 0; d < cell.size(); ++d) {
        indices.push_back(print(cell[d]));
        at[p.ctx().var(loops[d], buffer->shape[d]->type)] = cell[d];
    }
    return {{"kind", "last-write"},
            {"buffer", buffer->name},
            {"indices", std::move(indices)},
            {"writer", witness_json(store_of_block(p, block), at)}};
}

}  // namespace proviso::rewrite
