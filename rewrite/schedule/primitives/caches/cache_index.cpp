// cache_index: what a block computes to index buffers, in tables that are filled before it.
//
//   for i, j: B[i, j] = A[i // 4 + j // 4]      →      for v0, v1: index_0[v0, v1] = v0 // 4 + v1
//   // 4
//                                                      for i, j: B[i, j] = A[index_0[i, j]]
//
// In steps: each table is a buffer that the program did not have (fresh_buffer.h), and each
// computation becomes a load of what was stored there (replace, by a claim of a last write).
#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "analysis/facts/path.h"
#include "ir/children.h"
#include "ir/text.h"
#include "rewrite/passes/claim_search.h"
#include "rewrite/schedule/fresh_buffer.h"
#include "rewrite/schedule/primitives/primitives.h"

namespace proviso::rewrite {

using namespace ir;
using namespace analysis;
using nlohmann::json;

namespace {

constexpr Int128 kMostTableCells = 1 << 24;  // of a table

// A variable that is bound around an index, and the values that it may have.
struct Walked {
    Expr var = nullptr;
    Expr lo = nullptr, hi = nullptr;
};

// What stands in an index of a load or store, or decides a choice.
struct Computation {
    Site site;  // of the expression
    Site statement;
    Expr expr = nullptr;
    bool whole = false;  // in no larger one
};

// What the statements in a block compute to index buffers.
class Computations {
  public:
    Computations(const Function& f, const Site& block) : f_(f) {
        for (const auto& [site, s] : all_statements(f)) {
            if (!block.contains(site) || !s->is<Store>()) continue;
            statement_ = site;
            walked_ = walked(f, site);
            for (const Child& c : children(s)) {
                visit(c.expr, site.child(c.label), c.label != "value", false);
            }
        }
    }

    // In the order of the text, larger ones first.
    std::vector<Computation> found;

    // The variables with known ranges around a statement, outermost first: iterators of blocks, and
    // loops, of which a bound may be over scalar parameters.
    static std::vector<Walked> walked(const Function& f, const Site& site) {
        std::vector<Walked> out;
        const auto scalars = f.scalar_params();
        const auto fixed = [&](Expr e) {
            const std::vector<Expr> free = free_vars(e);
            return is_plain_term(e) && std::all_of(free.begin(), free.end(), [&](Expr v) {
                       return std::find(scalars.begin(), scalars.end(), v) != scalars.end();
                   });
        };
        const auto take = [&](Expr v, Expr lo, Expr hi) {
            const bool counts = is_int_const(lo) && lo->int_value() >= 0 && fixed(hi);
            if (counts) out.push_back({v, lo, hi});
        };
        for (const PathStep& step : path_to(f, site).steps) {
            if (step.stmt == nullptr) continue;
            if (const For* n = step.stmt->as<For>()) take(n->var, n->lo, n->hi);
            if (const Block* n = step.stmt->as<Block>()) {
                for (const BlockIter& it : n->iters) take(it.var, it.lo, it.hi);
            }
        }
        return out;
    }

  private:
    void visit(Expr e, const Site& site, bool indexes, bool inside) {
        const bool taken = indexes && eligible(e);
        if (taken) found.push_back({site, statement_, e, !inside});
        for (std::size_t k = 0; k < e->args.size(); ++k) {
            const bool choice = e->op == Op::IfThenElse || e->op == Op::Select;
            const bool next = indexes || e->op == Op::Load || (choice && k == 0);
            visit(e->arg(k), site.child("a" + std::to_string(k)), next, inside || taken);
        }
    }

    // Something is computed, of variables of known ranges alone.
    bool eligible(Expr e) const {
        const bool computes = !e->args.empty() && e->within == 0 && !e->type.is_float();
        const std::vector<Expr> free = free_vars(e);
        bool counts = false;
        for (Expr v : free) counts = counts || is_walked(v);
        return computes && counts && std::all_of(free.begin(), free.end(), [&](Expr v) {
                   const auto scalars = f_.scalar_params();
                   return is_walked(v) ||
                          std::find(scalars.begin(), scalars.end(), v) != scalars.end();
               });
    }
    bool is_walked(Expr v) const {
        return std::any_of(walked_.begin(), walked_.end(),
                           [&](const Walked& w) { return w.var == v; });
    }

    const Function& f_;
    Site statement_;
    std::vector<Walked> walked_;
};

// What gets a table, larger ones first: all that is computed, or, from a threshold above 1 on, what
// stands at so many places.
std::vector<Computation> chosen(const std::vector<Computation>& all, std::int64_t threshold) {
    std::map<Expr, std::int64_t> count;
    for (const Computation& c : all) ++count[c.expr];
    std::vector<Computation> out;
    std::set<Expr> seen;
    for (const Computation& c : all) {
        if (threshold > 1 ? count[c.expr] < threshold : !c.whole) continue;
        if (seen.insert(c.expr).second) out.push_back(c);
    }
    // Of one size as they first stand in the text, also in larger ones.
    std::map<Expr, std::size_t> first;
    for (std::size_t k = all.size(); k-- > 0;) first[all[k].expr] = k;
    std::sort(out.begin(), out.end(), [&](const Computation& a, const Computation& b) {
        if (a.expr->size != b.expr->size) return a.expr->size > b.expr->size;
        return first[a.expr] < first[b.expr];
    });
    return out;
}

}  // namespace

Outcome Primitives::cache_index(const std::string& block, const std::string& scope,
                                std::int64_t threshold) {
    const std::optional<Site> at = p_.index().block(block);
    if (!at) return Refusal{no_block(block), std::nullopt};
    Context& ctx = p_.ctx();
    const std::size_t start = p_.derivation().steps().size();
    const std::vector<Computation> tables =
        chosen(Computations(p_.current(), *at).found, threshold);
    Names blocks;
    std::size_t loads = 0;
    std::optional<Rejection> why;
    const auto no_longer = [&] {
        p_.derivation().roll_back(start);
        const bool of_value = why->failed.has_value();
        Outcome no = refuse(std::move(*why));
        if (!of_value) return no;
        std::get<Refusal>(no).diagnostic.hint =
            "a table has a cell for each value that the iterators may have by their domains, also "
            "where a predicate leaves it out: let the loops run over what is computed";
        return no;
    };
    for (const Computation& table : tables) {
        const auto places = [&] {
            std::vector<Computation> out;
            for (Computation& c : Computations(p_.current(), *p_.index().block(block)).found) {
                if (c.expr == table.expr) out.push_back(std::move(c));
            }
            return out;
        };
        const std::vector<Computation> first = places();
        if (first.empty()) continue;  // all are in larger ones
        reserved_.clear();
        const std::string number = std::to_string(blocks.size());
        FreshBuffer b;
        b.around = stage_of(p_.current(), *p_.index().block(block));
        if (!blocks.empty()) {  // in one list with the tables before
            b.around = stage_of(p_.current(), *p_.index().block(blocks.back())).parent();
            b.place = std::stoul(
                stage_of(p_.current(), *p_.index().block(block)).steps[b.around.steps.size()]);
        }
        b.name = fresh("index_var_" + number);
        b.type = table.expr->type;
        b.scope = scope;
        b.value = table.expr;
        b.block = fresh_block("index_" + number);
        Int128 cells = 1;
        std::vector<Walked> walked = Computations::walked(p_.current(), first.front().statement);
        std::erase_if(walked, [&](const Walked& w) { return !occurs_free(w.var, table.expr); });
        for (const Walked& w : walked) {
            const std::string d = std::to_string(b.vars.size());
            if (w.var->type != walked[0].var->type) {
                p_.derivation().roll_back(start);
                return refuse("the table of " + print(table.expr) +
                                  " would have indices of two types: " + *walked[0].var->name +
                                  " is " + walked[0].var->type.str() + ", " + *w.var->name +
                                  " is " + w.var->type.str(),
                              "give the loops of block " + block + " extents of one type");
            }
            cells =
                is_int_const(w.hi) && cells <= kMostTableCells ? cells * w.hi->int_value() : cells;
            b.vars.push_back(w.var);
            b.shape.push_back(w.hi);
            b.loops.push_back(fresh_loop("ax" + d));
            b.indices.push_back(fresh("v" + d));
        }
        if (cells > kMostTableCells) {
            p_.derivation().roll_back(start);
            return refuse("limit: the table of " + print(table.expr) + " has more than " +
                              int128_text(kMostTableCells) + " cells",
                          "cse_thresh=2 makes tables of what stands at two places or more");
        }
        if (!put_fresh_buffer(p_, b, why)) return no_longer();
        const Buffer buffer =
            locate(p_.current(), store_of_block(p_, b.block))->stmt->as<Store>()->buffer;
        const json claims = json::array({filled(p_, buffer, b.block, b.loops, b.vars)});
        const json args = {{"to", print(ctx.load(buffer, b.vars))}, {"claims", claims}};
        for (std::vector<Computation> left = places(); !left.empty(); left = places()) {
            if (!p_.try_apply("replace", left.front().site, args, &why)) {
                p_.derivation().record(*why);
                return no_longer();
            }
            ++loads;
        }
        blocks.push_back(b.block);
    }
    if (blocks.empty()) {
        note_ = "block " + block + " computes no index" +
                (threshold > 1 ? " at " + std::to_string(threshold) + " places or more" : "");
        return blocks;
    }
    note_ = std::to_string(loads) + (loads == 1 ? " load of " : " loads of ") +
            std::to_string(blocks.size()) + (blocks.size() == 1 ? " table" : " tables");
    return blocks;
}

}  // namespace proviso::rewrite
