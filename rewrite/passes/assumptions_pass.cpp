// Assumptions: which can never hold, and how they go.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "analysis/facts/facts.h"
#include "analysis/facts/path.h"
#include "ir/text.h"
#include "rewrite/passes/claim_search.h"
#include "rewrite/passes/passes.h"
#include "rewrite/passes/sweep.h"

namespace proviso::rewrite {

using namespace ir;
using namespace analysis;
using nlohmann::json;

namespace {

bool proved(Prover& prover, const std::vector<Expr>& facts, Expr goal) {
    return prover.prove(facts, goal).verdict == Verdict::Proved;
}

// What was stored last in the cells that `e` loads, where that can be shown.
void add_last_writes(Proposer& p, const MemoryModel& memory, const Site& site, Expr e,
                     std::vector<Expr>& facts) {
    for_each_node(e, [&](Expr load) {
        if (load->op != Op::Load) return;
        const std::vector<Expr> cell(load->args.begin(), load->args.end());
        for (const StoreWitness& w :
             stores_touching(memory, p.prover(), load->buffer, cell, site, {})) {
            const Result<Established> last = last_write(
                memory, claim_point(memory, site), load->buffer, cell, Witness{w.statement, w.at});
            if (!last) continue;
            const bool shown = std::all_of(
                last->obligations.begin(), last->obligations.end(), [&](const Obligation& o) {
                    return p.prover().prove(o).verdict == Verdict::Proved;
                });
            if (!shown) continue;
            facts.insert(facts.end(), last->facts.begin(), last->facts.end());
            return;
        }
    });
}

// An assumption in loops that some iteration must break, whenever the loop is reached: one where it
// begins or ends, or that the prover finds.
class BreakingIteration {
  public:
    BreakingIteration(Proposer& p, const Site& site, Expr condition, const std::vector<Expr>& facts)
        : p_(p),
          ctx_(p.ctx()),
          site_(site),
          condition_(condition),
          facts_(facts),
          position_(point_at(p.ctx(), p.current(), site)) {}

    std::optional<Diagnostic> run() {
        std::vector<std::pair<Site, const For*>> inside;  // innermost first
        const std::vector<PathStep> steps = path_to(p_.current(), site_).steps;
        for (auto step = steps.rbegin(); step != steps.rend(); ++step) {
            const For* loop = step->stmt->as<For>();
            if (loop == nullptr || step->label != "body") continue;
            if (contains_assert(step->stmt)) return std::nullopt;  // may stop before
            inside.emplace_back(step->site, loop);
            if (inside.size() > kDeepest) return std::nullopt;
            for (const Substitution& at : candidates(inside)) {
                if (must_break(step->site, at)) return wrong(step->site, at);
            }
        }
        return std::nullopt;
    }

  private:
    static constexpr std::size_t kDeepest = 4;

    // First and last iterations of each loop, and the iteration of a counterexample.
    std::vector<Substitution> candidates(const std::vector<std::pair<Site, const For*>>& inside) {
        std::vector<Substitution> out = {{}};
        for (auto entry = inside.rbegin(); entry != inside.rend(); ++entry) {
            const For* loop = entry->second;
            const ir::ScalarType type = loop->var->type;
            const bool folds = is_int_const(loop->hi) && type.contains(loop->hi->int_value() - 1);
            Expr last = folds ? ctx_.int_imm(type, loop->hi->int_value() - 1)
                              : ctx_.sub(loop->hi, ctx_.int_imm(type, 1));
            std::vector<Substitution> next;
            for (const Substitution& at : out) {
                for (Expr value : {loop->lo, last}) {
                    Substitution more = at;
                    more[loop->var] = substitute(ctx_, value, at);
                    if (std::find(next.begin(), next.end(), more) == next.end()) {
                        next.push_back(std::move(more));
                    }
                }
            }
            out = std::move(next);
        }
        if (!answer_) answer_ = p_.prover().prove(facts_, condition_);
        Substitution found;
        for (const ModelValue& m : answer_->model) {
            const bool one = std::any_of(inside.begin(), inside.end(), [&](const auto& loop) {
                return loop.second->var == m.expr;
            });
            if (one && m.value != nullptr) found[m.expr] = m.value;
        }
        if (found.size() == inside.size()) out.push_back(std::move(found));
        return out;
    }

    bool must_break(const Site& loop, const Substitution& at) {
        const std::vector<Expr> around = facts_at(ctx_, p_.current(), loop);
        std::vector<Expr> there;
        for (Expr fact : facts_) there.push_back(substitute(ctx_, fact, at));
        Expr broken = ctx_.not_(substitute(ctx_, condition_, at));
        Expr runs = substitute(ctx_, position_.must, at);
        return !is_false(runs) && proved(p_.prover(), there, broken) &&
               proved(p_.prover(), around, runs) && !proved(p_.prover(), around, ctx_.false_()) &&
               !proved(p_.prover(), there, ctx_.false_());
    }

    Diagnostic wrong(const Site& loop, const Substitution& at) const {
        std::string where;
        for (const auto& [var, value] : at) {
            where += (where.empty() ? "" : ", ") + *var->name + " = " + print(value);
        }
        return error("the assumption at " + site_.str() + " cannot hold in every iteration: " +
                         print(condition_) + " is false where " + where,
                     "every run that reaches the loop at " + loop.str() + " would be a fault");
    }

    Proposer& p_;
    Context& ctx_;
    const Site& site_;
    Expr condition_;
    const std::vector<Expr>& facts_;
    Access position_;
    std::optional<Answer> answer_;
};

}  // namespace

std::optional<Diagnostic> impossible_assumption(Proposer& p) {
    const Function f = p.current();
    std::optional<MemoryModel> memory;
    for (const auto& [site, stmt] : all_statements(f)) {
        const Assume* n = stmt->as<Assume>();
        if (n == nullptr || is_permission(n->cond)) continue;
        std::vector<Expr> facts = facts_at(p.ctx(), f, site);
        const std::vector<Buffer> read = loaded_buffers(n->cond);
        if (std::any_of(read.begin(), read.end(),
                        [&](Buffer b) { return p.index().is_stored(b); })) {
            if (!memory) memory.emplace(p.ctx(), f);
            add_last_writes(p, *memory, site, n->cond, facts);
        }
        if (!proved(p.prover(), facts, p.ctx().not_(n->cond))) {
            if (auto wrong = BreakingIteration(p, site, n->cond, facts).run()) return wrong;
            continue;
        }
        // Where nothing can be, everything is proved: not this assumption's fault.
        if (proved(p.prover(), facts, p.ctx().false_())) continue;
        return error("the assumption at " + site.str() + " can never hold: " + print(n->cond),
                     "every run that reaches it would be a fault");
    }
    return std::nullopt;
}

std::size_t lower_assumptions(Proposer& p, bool check, const std::string& block) {
    std::size_t steps = 0;
    Sweep sweep([](Stmt s) { return s->is<Assume>(); });
    for (bool changed = true; changed;) {
        const Function f = p.current();
        const PassScope scope(f, block);
        changed = sweep.find(f.body, [&](const Site& site, Stmt stmt) {
            if (!scope.contains(site)) return false;
            const json message = {{"message", "assumed: " + print(stmt->as<Assume>()->cond)}};
            return (check && p.try_apply("check-assume", site, message)) ||
                   p.try_apply("lower-assume", site, json::object());
        });
        steps += changed ? 1 : 0;
    }
    return steps;
}

}  // namespace proviso::rewrite
