#include "verify/check/map/updated_buffers.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "analysis/facts/affine.h"
#include "analysis/facts/facts.h"
#include "analysis/facts/path.h"
#include "ir/child_at.h"
#include "ir/text.h"
#include "rewrite/passes/claim_search.h"
#include "rewrite/passes/passes.h"
#include "rewrite/rules/common.h"
#include "rewrite/rules/fresh_copy.h"
#include "rewrite/schedule/reader/interpreter/unused.h"
#include "verify/check/map/instances.h"
#include "verify/check/map/map.h"
#include "verify/check/map/spelling.h"

namespace proviso::verify {

using namespace ir;
using namespace rewrite;
using nlohmann::json;

namespace {

// A buffer as a part of another one: cell x is cell offset + x of `whole`, where dimension `of` of
// the buffer is one of the whole's; else the part has one cell there.
struct PartOf {
    Buffer buffer = nullptr;
    Buffer whole = nullptr;
    std::vector<Expr> offset;                    // one a dimension of the whole
    std::vector<std::optional<std::size_t>> of;  // likewise
};

bool loads(Expr e, Buffer b) {
    const std::vector<Buffer> all = loaded_buffers(e);
    return std::find(all.begin(), all.end(), b) != all.end();
}

class Updater {
  public:
    Updater(Proposer& p, const Function& after, std::vector<std::string>& tried)
        : p_(p), ctx_(p.ctx()), after_(after), tried_(tried) {}

    bool run(const std::function<bool(const Function&)>& reach, bool& any) {
        any = false;
        for (const auto& [site, s] : all_statements(after_)) {
            const Allocate* n = s->as<Allocate>();
            if (n == nullptr || !is_updated(n->buffer)) continue;
            const bool in_list =
                !site.steps.empty() && locate(after_, site.parent())->stmt->is<Seq>();
            if (in_list) continue;
            at_ = site;
            body_ = n->body;
            part_.buffer = n->buffer;
            std::optional<Function> without = copied_out();
            if (!without) without = widened();
            if (!without) continue;
            any = true;
            return reach(*without) && stage() && shrink() && finish();
        }
        return false;
    }

  private:
    bool fails(std::string why) {
        tried_.push_back(std::move(why));
        return false;
    }

    bool is_updated(Buffer b) const {
        bool found = false;
        for_each_stmt(after_.body, [&](Stmt s) {
            const Store* n = s->as<Store>();
            found = found || (n != nullptr && n->buffer == b && loads(n->value, b));
        });
        return found;
    }

    // The second program with the cells that the buffer is copied to in its place; none where it is
    // not just copied.
    std::optional<Function> copied_out() {
        std::optional<Leaf> copy;
        for (const Leaf& leaf : leaves_of(ctx_, body_)) {
            const Store* n = leaf.stmt->as<Store>();
            if (n == nullptr || n->buffer == part_.buffer || !loads(n->value, part_.buffer)) {
                continue;
            }
            if (copy || n->value->op != Op::Load || n->value->buffer != part_.buffer) {
                return std::nullopt;
            }
            copy = leaf;
        }
        if (!copy) return std::nullopt;
        const Store& out = *copy->stmt->as<Store>();
        const bool used = std::any_of(out.indices.begin(), out.indices.end(),
                                      [&](Expr e) { return has_op(e, Op::Load); });
        std::size_t others = 0;  // accesses of the cells' buffer besides
        for (const Leaf& leaf : leaves_of(ctx_, body_)) {
            const Store* n = leaf.stmt->as<Store>();
            if (leaf.number == copy->number || n == nullptr) continue;
            others += n->buffer == out.buffer || loads(n->value, out.buffer) ? 1 : 0;
        }
        if (used || others != 0) return std::nullopt;
        const std::optional<std::vector<Expr>> cells = cells_of(*copy, out);
        const std::optional<Stmt> rest = without_nest(body_, copy->at);
        if (!cells || !rest) return std::nullopt;
        part_.whole = out.buffer;
        drops_ = false;
        if (!relate(*cells)) return std::nullopt;
        return with_whole(*rest, [&](const std::vector<Expr>& index) {
            Substitution at;
            for (std::size_t d = 0; d < index.size(); ++d) at[cell_[d]] = index[d];
            std::vector<Expr> moved;
            for (Expr e : *cells) moved.push_back(substitute(ctx_, e, at));
            return moved;
        });
    }

    // The cells that are stored to, over the variables `cell_` of the buffer's cells.
    std::optional<std::vector<Expr>> cells_of(const Leaf& copy, const Store& out) {
        Leaf unknown = copy;
        unknown.stmt =
            ctx_.store(part_.buffer, {out.value->args.begin(), out.value->args.end()}, out.value);
        Leaf known;
        cell_.clear();
        std::set<std::string> used = used_names(after_);
        for (std::size_t d = 0; d < part_.buffer->rank(); ++d) {
            Expr extent = part_.buffer->shape[d];
            Expr zero = ctx_.int_imm(extent->type, 0);
            cell_.push_back(ctx_.var(fresh_name("cell" + std::to_string(d), used), extent->type));
            known.binders.push_back({cell_[d], zero, extent, nullptr});
            known.conditions.push_back(ctx_.le(zero, cell_[d]));
            known.conditions.push_back(ctx_.lt(cell_[d], extent));
        }
        known.stmt = ctx_.store(part_.buffer, cell_, ctx_.load(part_.buffer, cell_));
        InstanceSolver solver(p_.prover(), analysis::parameter_facts(ctx_, after_));
        const std::vector<Substitution> at = solver.values(unknown, known);
        if (at.empty()) return std::nullopt;
        std::vector<Expr> cells;
        for (Expr e : out.indices) {
            cells.push_back(solver.simplified(substitute(ctx_, e, at[0]), known));
        }
        return cells;
    }

    // Each of the cells' indices as an offset, or an offset and one index of the buffer.
    bool relate(const std::vector<Expr>& cells) {
        part_.offset.clear();
        part_.of.clear();
        std::set<std::size_t> used;
        for (Expr e : cells) {
            analysis::Affine rest = analysis::Affine::of(e);
            std::optional<std::size_t> of;
            for (std::size_t d = 0; d < cell_.size(); ++d) {
                if (!(rest.factor_of(cell_[d]) == Integer(1)) || of || used.count(d) != 0) continue;
                of = d;
                rest = rest.without(cell_[d]);
            }
            Expr offset = rest.expr(ctx_, e->type);
            if (offset == nullptr) return false;
            for (Expr v : cell_) {
                if (occurs_free(v, offset)) return false;
            }
            if (of) used.insert(*of);
            part_.offset.push_back(offset);
            part_.of.push_back(of);
        }
        for (std::size_t d = 0; d < cell_.size(); ++d) {
            if (used.count(d) == 0 && !is_int_const(part_.buffer->shape[d], 1)) return false;
        }
        return true;
    }

    // The second program with one buffer around everything, which has a part for each iteration of
    // the loops around; none where there is no such loop.
    std::optional<Function> widened() {
        std::set<std::string> used = used_names(p_.current());
        for (const std::string& name : used_names(after_)) used.insert(name);
        std::vector<Expr> shape;
        part_.offset.clear();
        part_.of.clear();
        for (const analysis::PassedNode& step : analysis::passed_on_the_way(after_, at_)) {
            const For* loop = step.stmt == nullptr ? nullptr : step.stmt->as<For>();
            if (loop == nullptr) continue;
            if (!is_int_const(loop->lo, 0) || !over_parameters(after_, loop->hi))
                return std::nullopt;
            shape.push_back(loop->hi);
            part_.offset.push_back(loop->var);
            part_.of.emplace_back();
        }
        if (shape.empty()) return std::nullopt;
        for (std::size_t d = 0; d < part_.buffer->rank(); ++d) {
            Expr extent = part_.buffer->shape[d];
            if (is_int_const(extent, 1)) continue;
            shape.push_back(extent);
            part_.offset.push_back(ctx_.int_imm(extent->type, 0));
            part_.of.emplace_back(d);
        }
        part_.whole = ctx_.buffer(fresh_name(part_.buffer->name + "_all", used), part_.buffer->type,
                                  shape, part_.buffer->scope);
        drops_ = true;
        Function out = *with_whole(body_, [&](const std::vector<Expr>& index) {
            std::vector<Expr> moved;
            for (std::size_t d = 0; d < part_.offset.size(); ++d) {
                moved.push_back(part_.of[d] ? index[*part_.of[d]] : part_.offset[d]);
            }
            return moved;
        });
        out.body = allocated(out.body);
        at_.steps.insert(at_.steps.begin(), "body");
        return out;
    }

    // Innermost of what is allocated around everything.
    Stmt allocated(Stmt body) {
        if (const Allocate* n = body->as<Allocate>()) {
            return ctx_.stmt(Allocate{n->buffer, allocated(n->body), n->annotations});
        }
        return ctx_.stmt(Allocate{part_.whole, body});
    }

    // `rest` in the place of the allocation, with the whole's cells for those of the buffer.
    std::optional<Function> with_whole(
        Stmt rest, const std::function<std::vector<Expr>(std::vector<Expr>)>& map) {
        Function out = after_;
        Stmt moved = replace_buffer_in(ctx_, rest, part_.buffer, part_.whole, map, true, true);
        out.body = with_statement(ctx_, after_.body, at_, moved);
        return out;
    }

    // The text without the nest that holds nothing but the statement there.
    std::optional<Stmt> without_nest(Stmt text, Site at) {
        Stmt up = nullptr;
        for (; !at.steps.empty(); at = at.parent()) {
            up = text;
            for (std::size_t k = 0; k + 1 < at.steps.size(); ++k) {
                up = child_at(up, at.steps[k]).stmt;
            }
            if (up->is<Seq>()) break;
            if (!up->is<For>() && !up->is<IfElse>() && !up->is<Block>()) return std::nullopt;
        }
        if (at.steps.empty()) return std::nullopt;
        std::vector<Stmt> list = up->as<Seq>()->body;
        list.erase(list.begin() + static_cast<std::ptrdiff_t>(std::stoul(at.steps.back())));
        return with_statement(ctx_, text, at.parent(), ctx_.seq(list));
    }

    // What is stored to the part goes through the buffer.
    bool stage() {
        const Result<Located> there = locate(p_.current(), at_);
        if (!there || there->stmt == nullptr) return fails("the cells are computed elsewhere");
        std::set<std::string> used = used_names(p_.current());
        for (const std::string& name : used_names(after_)) used.insert(name);
        json args = {{"buffer", part_.whole->name},
                     {"name", part_.buffer->name},
                     {"scope", part_.buffer->scope}};
        std::vector<Expr> cell;
        for (std::size_t d = 0; d < part_.offset.size(); ++d) {
            const std::string name = fresh_name("back" + std::to_string(d), used);
            Expr extent = part_.of[d] ? part_.buffer->shape[*part_.of[d]]
                                      : ctx_.int_imm(part_.whole->shape[d]->type, 1);
            args["names"].push_back(name);
            args["offsets"].push_back(print(part_.offset[d]));
            args["extents"].push_back(print(extent));
            cell.push_back(ctx_.add(part_.offset[d], ctx_.var(name, extent->type)));
        }
        const analysis::MemoryModel& memory = p_.memory();
        for (const analysis::Access& a : memory.all()) {
            if (a.is_store || a.buffer != part_.whole || !at_.contains(a.statement)) continue;
            const Result<Located> load = locate(p_.current(), a.site);
            if (!load || load->expr == nullptr) continue;
            const auto before = written_before_witness(
                memory, p_.prover(), part_.whole,
                {load->expr->args.begin(), load->expr->args.end()}, a.statement, {}, at_);
            if (before) args["reads"][a.statement.str()].push_back(before->json());
        }
        std::optional<Rejection> why;
        for (const StoreWitness& w :
             stores_touching(memory, p_.prover(), part_.whole, cell, at_, {})) {
            if (!at_.contains(w.statement)) continue;
            args["writer"] = w.json();
            if (p_.try_apply("stage-write", at_, args, &why)) return true;
        }
        return fails(fmt::format("{} for cells of {}: {}", part_.buffer->name, part_.whole->name,
                                 why ? refusal_text(*why) : "no store reaches all of them"));
    }

    // The buffer in its own dimensions.
    bool shrink() {
        bool plain = part_.of.size() == part_.buffer->rank();
        for (std::size_t d = 0; plain && d < part_.of.size(); ++d) plain = part_.of[d] == d;
        const bool same = std::all_of(part_.buffer->shape.begin(), part_.buffer->shape.end(),
                                      [](Expr e) { return is_int_const(e, 1); }) &&
                          part_.of.size() == part_.buffer->rank();
        if (plain || same) return true;
        std::set<std::string> used = used_names(p_.current());
        for (const std::string& name : used_names(after_)) used.insert(name);
        json args = {{"buffer", part_.buffer->name}, {"pad", "none"}};
        std::vector<std::string> index;
        std::vector<std::string> place;
        std::vector<std::string> map(part_.buffer->rank(), "0");
        for (std::size_t e = 0; e < part_.buffer->rank(); ++e) {
            place.push_back(fresh_name("p" + std::to_string(e), used));
            args["shape"].push_back(print(part_.buffer->shape[e]));
        }
        for (std::size_t d = 0; d < part_.of.size(); ++d) {
            index.push_back(fresh_name("x" + std::to_string(d), used));
            args["inverse"].push_back(part_.of[d] ? place[*part_.of[d]] : "0");
            if (part_.of[d]) map[*part_.of[d]] = index[d];
        }
        args["vars"] = index;
        args["map"] = map;
        args["physical_vars"] = place;
        std::optional<Rejection> no;
        if (p_.try_apply("relayout", Site{}, args, &no)) return true;
        return fails("the extents of " + part_.buffer->name + ": " + refusal_text(*no));
    }

    // What the second program does with the buffer; a whole that it has not goes.
    bool finish() {
        if (drops_ && !drop_whole()) return false;
        std::optional<Site> at;
        for (const auto& [site, s] : all_statements(p_.current())) {
            const Allocate* n = s->as<Allocate>();
            if (n != nullptr && n->buffer->name == part_.buffer->name) at = site;
        }
        if (!at) return fails(part_.buffer->name + " is not there any more");
        if (p_.current().body == after_.body) return true;
        return map_onto(p_, at->child("body"), body_, tried_) || p_.current().body == after_.body;
    }

    bool drop_whole() {
        for (bool again = true; again;) {
            again = false;
            for (const auto& [site, s] : all_statements(p_.current())) {
                const Store* n = s->as<Store>();
                if (n == nullptr || n->buffer != part_.whole) continue;
                std::optional<Rejection> why;
                if (!drop_store(p_, p_.memory(), site, why)) {
                    return fails("what is left in " + part_.whole->name + " may be read" +
                                 (why ? ": " + refusal_text(*why) : ""));
                }
                drop_unused(p_, site);
                again = true;
                break;
            }
        }
        drop_allocation(p_, part_.whole);
        return true;
    }

    Proposer& p_;
    Context& ctx_;
    const Function& after_;
    std::vector<std::string>& tried_;
    Site at_;              // of the allocation; then of what stands in its place
    Stmt body_ = nullptr;  // of the allocation, in the second program
    PartOf part_;
    std::vector<Expr> cell_;
    bool drops_ = false;  // the whole is none of the second program's
};

}  // namespace

bool reach_with_updated_buffers(Proposer& p, const Function& after,
                                const std::function<bool(const Function&)>& reach, bool& any,
                                std::vector<std::string>& tried) {
    return Updater(p, after, tried).run(reach, any);
}

}  // namespace proviso::verify
