// rfactor: a reduction in two, over one of its loops.
//
//   for i, ko, ki:                          for i, ko, ki:
//       C: vi = i, vk = ko * 4 + ki             C_rf: vki = ki, vi = i, vko = ko
//          init: C[vi] = 0            →               init: C_rf[vki, vi] = 0
//          C[vi] += A[vi, vk]                         C_rf[vki, vi] += A[vi, vko * 4 + vki]
//                                           for i, ki:
//                                               C: vki = ki, vi = i
//                                                  init: C[vi] = 0
//                                                  C[vi] += C_rf[vki, vi]
//
// In steps: the initialisation gets a nest of its own (split-init, fission); what the update
// combines in C is combined in C_rf first (stage-partial), in plain loops before and after; and all
// four nests become the two blocks (restate). Where an initialisation does not go back into its
// block, since a guard may skip the iteration that would run it, it stays in front.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "analysis/facts/path.h"
#include "analysis/memory/access.h"
#include "ir/text.h"
#include "rewrite/passes/claim_search.h"
#include "rewrite/schedule/factored.h"
#include "rewrite/schedule/primitives/primitives.h"

namespace proviso::rewrite {

using namespace ir;
using namespace analysis;
using nlohmann::json;

namespace {

// The largest bound of terms that any sum of them allows; of sums that leave no range, 0.
std::int64_t largest_term(const Factored& of, ScalarType type) {
    if (!type.is_exact_int()) return 0;
    const std::vector<Expr>& cell = first_store(of.nest.block->body).indices;
    const auto names_cells = [&](const For& l) {
        return std::any_of(of.nest.block->iters.begin(), of.nest.block->iters.end(),
                           [&](const BlockIter& it) {
                               return it.binding == l.var &&
                                      std::find(cell.begin(), cell.end(), it.var) != cell.end();
                           });
    };
    Int128 terms = 1;  // of one cell
    for (const For& l : of.nest.loops) {
        if (names_cells(l)) continue;
        if (!is_int_const(l.lo) || !is_int_const(l.hi)) return 0;
        terms *= std::max(l.hi->int_value() - l.lo->int_value(), Int128{1});
        if (terms > type.max_value()) return 0;
    }
    return static_cast<std::int64_t>(type.max_value() / terms);
}

}  // namespace

Outcome Primitives::rfactor(const std::string& loop, std::int64_t factor_axis) {
    if (!p_.index().loop(loop)) return Refusal{no_loop(loop), std::nullopt};
    Context& ctx = p_.ctx();
    reserved_.clear();
    const auto fresh_names = [&](const std::string& base) { return fresh(base); };
    const Result<Factored> found = what_to_factor(p_, loop, factor_axis, fresh_names);
    if (!found) return Refusal{found.error(), std::nullopt};
    const Factored& of = *found;
    const std::vector<Reduced>& results = of.reduction.of;
    const Buffer b = results[0].buffer;
    const std::string outermost = *of.nest.loops[0].var->name;
    const std::size_t start = p_.derivation().steps().size();
    const auto roll_back = [&](Outcome refusal) {
        p_.derivation().roll_back(start);
        return refusal;
    };
    Outcome parted = decompose_reduction(of.block, outermost);
    if (std::holds_alternative<Refusal>(parted)) return parted;
    const std::string init = std::get<Names>(parted).front();
    reserved_.clear();
    for (const auto* values : {&of.reduction.left, &of.reduction.right}) {
        for (Expr v : *values) reserved_.insert(*v->name);
    }
    const std::size_t depth = of.nest.loops.size();
    const std::vector<Expr> around = loops_around(p_.current(), *p_.index().block(of.block));
    const auto nest_loop = [&](std::size_t n) { return *around[around.size() - depth + n]->name; };
    const Site outer = *p_.index().loop(nest_loop(0));
    if (outer.steps.empty() || !p_.index().block(init) ||
        !locate(p_.current(), outer.parent())->stmt->is<Seq>()) {
        return roll_back(refuse("no iteration of block " + of.block + " initialises " + b->name,
                                "its results are what was there before; start them outside"));
    }
    const Site up = outer.parent();
    const std::size_t k = std::stoul(outer.steps.back());

    json args = {{"scope", b->scope}};
    std::vector<json> buffers;
    for (const Reduced& r : results) {
        buffers.push_back({{"buffer", r.buffer->name},
                           {"name", fresh(r.buffer->name + "_rf")},
                           {"start", print(r.start)}});
        const bool sums = of.reduction.combine.empty();
        if (sums) buffers.back()["most"] = largest_term(of, r.buffer->type);
    }
    const std::string name = buffers[0]["name"];
    std::vector<Expr> cell;
    const Site first = *p_.index().block(init);
    const std::size_t rank = of.one_cell ? 0 : b->rank();
    for (std::size_t d = 0; d <= rank; ++d) {
        const std::string own = fresh_loop("ax" + std::to_string(d));
        args["names"].push_back(own);
        if (d == of.axis) {
            args["extents"].push_back(print(of.nest.loops[of.loop].hi));
            args["map"].push_back(nest_loop(of.loop));
            continue;
        }
        Expr extent = b->shape[cell.size()];
        cell.push_back(ctx.var(own, extent->type));
        const std::string index = fresh("x" + std::to_string(d));
        args["extents"].push_back(print(extent));
        args["vars"].push_back(index);
        args["map"].push_back(index);
        args["inverse"].push_back(own);
    }
    if (of.one_cell) {
        const auto starts = [&](const Access& a) {
            return a.is_store && a.buffer == b && first.contains(a.statement);
        };
        const std::vector<Access>& all = p_.memory().all();
        const auto store = std::find_if(all.begin(), all.end(), starts);
        if (store == all.end()) {
            return roll_back(refuse("no cell of " + b->name + " is initialised in " + init));
        }
        cell = store->indices;
        for (std::size_t d = 0; d < cell.size(); ++d) {
            args["vars"].push_back(fresh("x" + std::to_string(d)));
            args["inverse"].push_back(print(cell[d]));
        }
        note_ = name + " has the partial results of one cell at a time";
    }
    for (std::size_t n = 1; n < results.size(); ++n) {
        for (const StoreWitness& w :
             stores_touching(p_.memory(), p_.prover(), results[n].buffer, cell, outer, {})) {
            if (!first.contains(w.statement)) continue;
            buffers[n]["writer"] = w.json();
            break;
        }
        args["also"].push_back(buffers[n]);
    }
    if (!of.reduction.combine.empty()) {
        const Site step = p_.index().block(of.block)->child("body");
        json& how = args["step"] = {{"at", step.str()}};
        for (std::size_t n = 0; n < results.size(); ++n) {
            how["left"].push_back(*of.reduction.left[n]->name);
            how["right"].push_back(*of.reduction.right[n]->name);
            how["combine"].push_back(print(of.reduction.combine[n]));
        }
    }
    std::optional<Rejection> why;
    std::optional<StoreWitness> writer;
    for (const StoreWitness& w : stores_touching(p_.memory(), p_.prover(), b, cell, outer, {})) {
        if (!first.contains(w.statement)) continue;
        buffers[0]["writer"] = w.json();
        args.update(buffers[0]);
        if (!p_.try_apply("stage-partial", outer, args, &why)) continue;
        writer = w;
        break;
    }
    if (!writer) {
        if (!why) return roll_back(refuse("no cell of " + b->name + " is known to be initialised"));
        p_.derivation().roll_back(start);
        p_.derivation().record(*why);
        return refuse(std::move(*why));
    }

    Site list = up;
    for (std::size_t n = 0; n < results.size(); ++n) list = list.child("body");  // in allocations
    Site four = list;
    std::string together;
    if (locate(p_.current(), list)->stmt->as<Seq>()->body.size() > 4) {
        together = fresh("u");
        if (!put_together(p_, list, k - 1, k + 2, together)) {
            return roll_back(refuse("the parts of block " + of.block + " do not stand together"));
        }
        four = p_.index().loop(together)->child("body");
    }
    const std::string block = fresh_block(of.block + "_rf");
    const Seq nests = *locate(p_.current(), four)->stmt->as<Seq>();
    const std::set<std::string> reserved = reserved_;
    why.reset();
    for (const auto& [partial, result] :
         {std::pair{true, true}, {false, true}, {true, false}, {false, false}}) {
        reserved_ = reserved;
        const auto r =
            as_two_blocks(ctx, nests, of, writer->at, block, fresh_names, partial, result);
        if (!r) {
            return roll_back(refuse("the initialisation of block " + of.block +
                                    " has other loops than its update"));
        }
        std::optional<Rejection> no;
        const bool made = p_.try_apply(
            "restate", four, restate_arguments(locate(p_.current(), four)->stmt, *r), &no);
        if (!made) {
            keep_more_telling(why, std::move(no));
            continue;
        }
        if (!together.empty()) take_apart(p_, together);
        const std::string before = note_.empty() ? "" : note_ + "; ";
        if (!partial) note_ = before + "initialisation of " + block + " in loops of its own";
        if (!result) {
            note_ += (note_.empty() ? "" : "; ") + std::string("initialisation of ") + of.block +
                     " in loops of its own";
        }
        return Names{block};
    }
    p_.derivation().roll_back(start);
    if (!why) return refuse("the parts of block " + of.block + " are no two blocks");
    p_.derivation().record(*why);
    return refuse(std::move(*why));
}

}  // namespace proviso::rewrite
