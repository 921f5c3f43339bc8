#include "rewrite/passes/known_values.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "analysis/facts/facts.h"
#include "analysis/facts/formula.h"
#include "analysis/facts/path.h"
#include "rewrite/passes/claim_search.h"
#include "rewrite/passes/float_arithmetic.h"

namespace proviso::rewrite {

using namespace ir;
using namespace analysis;
using nlohmann::json;

namespace {

std::vector<Expr> loads_of(Expr e) {
    std::vector<Expr> out;
    for_each_node(e, [&](Expr n) {
        if (n->op == Op::Load) out.push_back(n);
    });
    return out;
}

bool contains_condition(Expr e) {
    bool found = e->type.is_bool();
    for_each_node(e, [&](Expr n) {
        found |= n->op == Op::IfThenElse || n->op == Op::Select;
        found |= n->op == Op::Min || n->op == Op::Max;
    });
    return found;
}

// Quotients are asked about where few stores may have given them a range: each is a candidate.
constexpr std::size_t kStoresBeforeQuotients = 8;

bool contains_quotient_of_few(const Function& f, Expr e) {
    if (!has_op(e, Op::FloorDiv) && !has_op(e, Op::FloorMod)) return false;
    std::size_t stores = 0;
    for_each_stmt(f.body, [&](Stmt s) { stores += s->is<Store>() ? 1 : 0; });
    return stores <= kStoresBeforeQuotients;
}

// It may be simpler where something is known of the memory that it reads.
bool has_a_choice(const Function& f, Expr e) {
    return contains_condition(e) || contains_quotient_of_few(f, e);
}

// Whether what memory holds may have a say in a value: it is loaded, or has a name.
bool depends_on_memory(const ProgramIndex& index, Expr e) {
    const std::vector<Expr> names = free_vars(e);
    return has_op(e, Op::Load) ||
           std::any_of(names.begin(), names.end(), [&](Expr v) { return !index.loop(*v->name); });
}

// Whether it may have one in a choice. (It has none in `B[T.Select(i < 2, i, i - 2)]`.)
bool chooses_by_memory(const ProgramIndex& index, const Function& f, Expr e) {
    if (!has_a_choice(f, e)) return false;
    bool found = e->type.is_bool() && depends_on_memory(index, e);
    for_each_node(e, [&](Expr n) {
        switch (n->op) {
            case Op::IfThenElse:
            case Op::Select: found = found || depends_on_memory(index, n->arg(0)); break;
            case Op::Min:
            case Op::Max:
            case Op::FloorDiv:
            case Op::FloorMod: found = found || depends_on_memory(index, n); break;
            default: break;
        }
    });
    return found;
}

// Something may be known that makes the expression simpler: an assumption speaks of a buffer that
// it reads, or it is a condition on, or reads cells that some store gives a constant.
bool worth_asking(const ProgramIndex& index, const Function& f, Expr e) {
    const std::vector<Buffer> read = loaded_buffers(e);
    const bool condition = chooses_by_memory(index, f, e);
    return std::any_of(read.begin(), read.end(), [&](Buffer b) {
        return index.is_given_a_constant(b) || (condition && index.is_stored(b)) ||
               index.is_spoken_of(b);
    });
}

class ByMemory {
  public:
    ByMemory(Proposer& p, const Site& site, const Site& statement, Expr e,
             std::vector<Observation> observations)
        : p_(p),
          ctx_(p.ctx()),
          site_(site),
          statement_(statement),
          e_(e),
          observations_(std::move(observations)) {}

    bool run() {
        const MemoryModel& memory = p_.memory();
        for (const bool properties : {false, true}) {
            if (properties && !has_a_choice(p_.current(), e_)) break;
            ClaimOptions options;
            options.found = &p_.invariants_found();
            options.of_itself = false;
            options.properties = properties;
            options.observations = observations_;
            const KnownMemory known = known_memory(memory, p_.prover(), e_, statement_, options);
            if (known.claims.empty()) continue;
            facts_ = facts_at(ctx_, p_.current(), site_);
            facts_.insert(facts_.end(), known.facts.begin(), known.facts.end());
            // Where the expression is not definite, anything may stand for it.
            facts_.push_back(definite(ctx_, e_));
            facts_.push_back(no_fault(ctx_, e_));
            known_ = known.facts;
            plain_facts_.clear();
            std::copy_if(facts_.begin(), facts_.end(), std::back_inserter(plain_facts_),
                         [](Expr fact) { return !computes_floats(fact); });
            const auto& facts = computes_floats(e_) ? facts_ : plain_facts_;
            Expr simpler = p_.simplified(replaced(e_), facts);
            // What is so whatever memory holds was proposed before, where it was wanted.
            if (simpler == e_ || simpler == p_.simplified(e_, site_)) continue;
            const json args = {{"to", print(simpler)}, {"claims", known.claims}};
            if (p_.try_apply("replace", site_, args)) return true;
        }
        return false;
    }

  private:
    // What was computed of floats says little of an expression that computes none, and solvers take
    // long over it.
    bool proves(Expr goal) {
        const std::vector<Expr>& facts = computes_floats(goal) ? facts_ : plain_facts_;
        return p_.prover().prove(facts, goal).verdict == Verdict::Proved;
    }

    // Loads by constants, conditions by True or False, where that is known.
    Expr replaced(Expr e) {
        const bool open = !observations_.empty() || !loaded_buffers(e).empty();
        if (e->type.is_bool() && !is_const(e) && open) {
            if (proves(e)) return ctx_.true_();
            if (proves(ctx_.not_(e))) return ctx_.false_();
        }
        if (e->op == Op::Load) return constant(e);
        if (e->op == Op::Min || e->op == Op::Max) {
            for (Expr side : {e->arg(0), e->arg(1)}) {
                if (!loaded_buffers(e).empty() && proves(ctx_.same(e, side))) return replaced(side);
            }
        }
        const bool choice = e->op == Op::IfThenElse || e->op == Op::Select;
        if (choice && (is_const(e->arg(1)) || is_const(e->arg(2)))) {
            for (Expr side : {e->arg(1), e->arg(2)}) {
                if (!loaded_buffers(e).empty() && proves(ctx_.same(e, side))) return replaced(side);
            }
        }
        if (e->args.empty() || e->op == Op::Let) return e;
        std::vector<Expr> args;
        for (Expr a : e->args) args.push_back(replaced(a));
        return with_args(ctx_, e, args);
    }

    // The constant that the cell holds: one that the facts mention beside a load of its buffer.
    Expr constant(Expr load) {
        std::vector<Expr> candidates;
        for (Expr fact : known_) {
            for_each_node(fact, [&](Expr n) {
                if (n->op != Op::Same && n->op != Op::Eq) return;
                for (const auto& [a, b] :
                     {std::pair(n->arg(0), n->arg(1)), std::pair(n->arg(1), n->arg(0))}) {
                    const bool fits = a->op == Op::Load && a->buffer == load->buffer && is_const(b);
                    if (fits && b->type == load->type) candidates.push_back(b);
                }
            });
        }
        for (Expr c : candidates) {
            if (proves(ctx_.same(load, c))) return c;
        }
        return load;
    }

    Proposer& p_;
    Context& ctx_;
    const Site& site_;
    const Site& statement_;
    Expr e_;
    std::vector<Observation> observations_;
    std::vector<Expr> facts_;
    std::vector<Expr> plain_facts_;
    std::vector<Expr> known_;
};

}  // namespace

bool simplify_by_memory(Proposer& p, const Site& site) {
    const Result<Located> at = locate(p.current(), site);
    if (!at || at->expr == nullptr) return false;
    Expr e = at->expr;
    if (loads_of(e).empty() && free_vars(e).empty()) return false;
    const Site statement = site.parent();
    if (locate(p.current(), statement)->as<Assume>() != nullptr || has_op(e, Op::Undef)) {
        return false;
    }
    std::vector<Observation> observations;
    if (has_a_choice(p.current(), e)) {
        observations = observations_of(p.ctx(), p.current(), p.prover(), e, statement);
    }
    if (observations.empty() && !worth_asking(p.index(), p.current(), e)) return false;
    return ByMemory(p, site, statement, e, std::move(observations)).run();
}

}  // namespace proviso::rewrite
