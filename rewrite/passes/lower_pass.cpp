// lower: from scheduled programs to what the back ends take.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "analysis/facts/facts.h"
#include "analysis/facts/formula.h"
#include "analysis/facts/path.h"
#include "ir/external.h"
#include "ir/hint.h"
#include "ir/text.h"
#include "rewrite/passes/claim_search.h"
#include "rewrite/passes/passes.h"
#include "rewrite/passes/structure.h"
#include "rewrite/passes/sweep.h"
#include "rewrite/rules/statement/division.h"

namespace proviso::rewrite {

using namespace ir;
using nlohmann::json;

namespace {

// Applies a rule wherever it matches, until it matches nowhere.
std::size_t everywhere(Proposer& p, const std::string& rule, const json& args,
                       const std::function<bool(Stmt)>& matches) {
    std::size_t steps = 0;
    Sweep sweep(matches);
    while (sweep.find(p.current().body,
                      [&](const Site& site, Stmt) { return p.try_apply(rule, site, args); })) {
        ++steps;
    }
    return steps;
}

// `act` on the sites of subexpressions that match, innermost first. What it does to the expression
// at a site leaves the sites of those after it what they are. Sums can be long, and their sites
// with them: each is made when it is its turn.
using AtSite = std::function<void(const Site&)>;
void at_expressions(Expr e, Site& site, const std::function<bool(Expr)>& matches,
                    const AtSite& act) {
    for (std::size_t i = 0; i < e->args.size(); ++i) {
        if (e->arg(i)->args.empty() && !matches(e->arg(i))) continue;
        site.steps.push_back("a" + std::to_string(i));
        at_expressions(e->arg(i), site, matches, act);
        site.steps.pop_back();
    }
    if (matches(e)) act(site);
}

// Of one statement.
void at_expressions_of(Stmt stmt, const Site& site, const std::function<bool(Expr)>& matches,
                       const AtSite& act) {
    if (stmt->is<Seq>()) return;
    for (const Child& c : children(stmt)) {
        if (c.expr == nullptr) continue;
        Site at = site.child(c.label);
        at_expressions(c.expr, at, matches, act);
    }
}

std::vector<Site> expression_sites_at(Stmt stmt, const Site& site,
                                      const std::function<bool(Expr)>& matches) {
    std::vector<Site> out;
    at_expressions_of(stmt, site, matches, [&](const Site& at) { out.push_back(at); });
    return out;
}

// Statements that have such an expression of their own.
Sweep sweep_for(const std::function<bool(Expr)>& matches) {
    return Sweep([matches](Stmt s) {
        if (s->is<Seq>()) return false;
        bool found = false;
        for (const Child& c : children(s)) {
            if (c.expr == nullptr || found) continue;
            for_each_node(c.expr, [&](Expr e) { found |= matches(e); });
        }
        return found;
    });
}

// Every buffer of several dimensions, in order of names.
std::size_t flatten_all(Proposer& p, std::vector<Rejection>& kept) {
    std::set<std::string> names;
    for (Buffer b : p.current().buffer_params()) {
        if (b->rank() > 1) names.insert(b->name);
    }
    for_each_stmt(p.current().body, [&](Stmt s) {
        const Allocate* n = s->as<Allocate>();
        if (n != nullptr && n->buffer->rank() > 1) names.insert(n->buffer->name);
    });
    std::size_t steps = 0;
    for (const std::string& name : names) {
        std::set<std::string> used = bound_names(p.current());
        const json args = {{"buffer", name}, {"var", fresh_name(name + "_flat", used)}};
        std::optional<Rejection> no;
        steps += p.try_apply("flatten", Site{}, args, &no) ? 1 : 0;
        if (no) kept.push_back(std::move(*no));
    }
    return steps;
}

// Divisions whose proof may need an assumption: they share a variable or a buffer with one.
std::function<bool(Expr)> speaks_of_assumed(const Function& f) {
    std::set<Expr> vars;
    std::set<Buffer> buffers;
    for_each_stmt(f.body, [&](Stmt s) {
        const Assume* n = s->as<Assume>();
        if (n == nullptr) return;
        for (Expr v : free_vars(n->cond)) vars.insert(v);
        for (Buffer b : loaded_buffers(n->cond)) buffers.insert(b);
    });
    return [vars, buffers](Expr e) {
        const std::vector<Expr> own = free_vars(e);
        const std::vector<Buffer> read = loaded_buffers(e);
        return std::any_of(own.begin(), own.end(), [&](Expr v) { return vars.count(v) != 0; }) ||
               std::any_of(read.begin(), read.end(),
                           [&](Buffer b) { return buffers.count(b) != 0; });
    };
}

bool is_floor(Expr e) {
    return e->op == Op::FloorDiv || e->op == Op::FloorMod;
}

// The least multiple of a constant divisor that makes the numerator not negative as far as bounds
// are known; 0 where there is none, or none is needed.
std::int64_t shift_for(Proposer& p, const Site& site, Expr e) {
    constexpr std::int64_t most = std::int64_t{1} << 30;
    if (!is_int_const(e->arg(1)) || e->arg(1)->int_value() <= 0) return 0;
    if (e->arg(1)->int_value() > most) return 0;
    Context& ctx = p.ctx();
    const auto c = static_cast<std::int64_t>(e->arg(1)->int_value());
    std::vector<Expr> facts = analysis::facts_at(ctx, p.current(), site);
    facts.push_back(analysis::no_fault(ctx, e));
    const auto is_enough = [&](std::int64_t k) {
        const bool fits = can_shift(e, k) && e->type.contains(Int128{-1} * k * c);
        return fits && p.prover().proves_cheaply(
                           facts, ctx.le(ctx.int_imm(e->type, Int128{-1} * k * c), e->arg(0)));
    };
    std::int64_t enough = 1;
    while (enough * c <= most && !is_enough(enough)) enough *= 2;
    if (enough * c > most) return 0;
    std::int64_t too_few = enough / 2;
    while (enough - too_few > 1) {
        const std::int64_t middle = too_few + (enough - too_few) / 2;
        (is_enough(middle) ? enough : too_few) = middle;
    }
    return enough;
}

// Claims are looked for where few stores may have given what is divided a range, or a value at all.
constexpr std::size_t kStoresBeforeClaims = 8;

// What is known of the memory that a division reads, as an argument of `replace`; null: nothing.
json claims_about(Proposer& p, Expr e, const Site& statement) {
    const std::vector<Buffer> read = loaded_buffers(e);
    const ProgramIndex& index = p.index();
    const bool may_be_known = std::any_of(read.begin(), read.end(), [&](Buffer b) {
        return index.is_stored(b) || index.is_spoken_of(b);
    });
    if (!may_be_known) return nullptr;
    std::size_t stores = 0;
    for_each_stmt(p.current().body, [&](Stmt s) { stores += s->is<Store>() ? 1 : 0; });
    if (stores > kStoresBeforeClaims) return nullptr;
    const analysis::MemoryModel& memory = p.memory();
    ClaimOptions options;
    options.found = &p.invariants_found();
    options.of_itself = false;
    options.properties = true;
    const KnownMemory known = known_memory(memory, p.prover(), e, statement, options);
    return known.claims.empty() ? json(nullptr) : json(known.claims);
}

// The form for any signs has its operands twice. One that is printed with more nodes is bound to a
// name first, so that divisions inside each other do not double the program each time.
constexpr std::size_t kMostRepeated = 100;
// Where no name can be given, a division of more is left as it is.
constexpr std::size_t kMostCopied = 20'000;
// Nodes of statements that are looked at, all of the statement for each of its divisions: beyond,
// the other divisions stay.
constexpr std::uint64_t kMostNodes = 20'000'000;
constexpr std::size_t kMostTold = 10;  // of those that stay for that reason

// `left` nodes and more are printed for the expression.
bool takes_up(Expr e, std::size_t& left) {
    if (left <= 1) return true;
    --left;
    return std::any_of(e->args.begin(), e->args.end(), [&](Expr a) { return takes_up(a, left); });
}

bool is_larger(Expr e, std::size_t most) {
    std::size_t left = most + 1;
    return takes_up(e, left);
}

bool has_larger_operand(Expr division, std::size_t most) {
    return is_larger(division->arg(0), most) || is_larger(division->arg(1), most);
}

bool is_by_unknown(Expr e) {
    const bool divides = is_floor(e) || e->op == Op::TruncDiv || e->op == Op::TruncMod;
    return divides && !is_int_const(e->arg(1));
}

// Solvers take minutes over quotients of quotients of unknowns, and find little.
bool is_hard_for_solvers(Expr division) {
    bool out = false;
    for (Expr a : division->args) for_each_node(a, [&](Expr e) { out = out || is_by_unknown(e); });
    return out;
}

// Whether the division is left without asking for more: a name for an operand says what it is, and
// leaves what is hard as hard.
bool is_left(Expr division) {
    return has_larger_operand(division, kMostCopied) ||
           (has_larger_operand(division, kMostRepeated) && is_hard_for_solvers(division));
}

// The short form, where the cheap deciders see that it is right.
bool lower_cheaply(Proposer& p, const Site& site) {
    Context& ctx = p.ctx();
    const Expr e = locate(p.current(), site)->expr;
    std::vector<Expr> facts = analysis::facts_at(ctx, p.current(), site);
    facts.push_back(analysis::no_fault(ctx, e));
    const auto is_at_least = [&](Expr x, Int128 least) {
        return p.prover().proves_cheaply(facts, ctx.le(ctx.int_imm(x->type, least), x));
    };
    return is_at_least(e->arg(0), 0) && is_at_least(e->arg(1), 1) &&
           p.try_apply("lower-division", site, json{{"form", "trunc"}});
}

// x // y, x large, in the form for any signs: T.Let(v // y, where={v: x}), and then v // y. That x
// is not negative is not asked of a solver, which may take long over quotients of quotients.
bool lower_large_division(Proposer& p, const Site& site) {
    Context& ctx = p.ctx();
    const Expr e = locate(p.current(), site)->expr;
    std::set<std::string> used = bound_names(p.current());
    std::vector<Expr> operands(e->args.begin(), e->args.end());
    Expr named = nullptr;
    Site inside = site;
    std::vector<std::pair<Expr, Expr>> names;
    for (Expr& x : operands) {
        if (!is_larger(x, kMostRepeated)) continue;
        names.emplace_back(ctx.var(fresh_name("operand", used), x->type), x);
        x = names.back().first;
        inside = inside.child("a1");
    }
    named = ctx.make(e->op, operands);
    for (auto n = names.rbegin(); n != names.rend(); ++n)
        named = ctx.let(n->first, n->second, named);
    return p.try_apply("replace", site, json{{"to", print(named)}}) &&
           p.try_apply("lower-division", inside, json{{"form", "general"}});
}

Rejection left_at(const Site& site, const std::string& why, const std::string& hint) {
    Rejection out;
    out.rule = "lower-division";
    out.site = site;
    out.args = json{{"form", "general"}}.dump();
    out.diagnostic = error(why, hint);
    return out;
}

Rejection too_large(const Site& site, std::size_t most) {
    const char* const what = most == kMostCopied ? "" : ", divisions by unknowns among them";
    return left_at(site,
                   "an operand of the division has more than " + std::to_string(most) +
                       " operators" + what + ", and no name",
                   "bind it to a name before the statement");
}

// One floor division: the short form, by what the site knows, with the numerator moved up, by what
// is known of memory; then the form for any signs, likewise.
bool lower_division(Proposer& p, const Site& site, const Site& statement, bool general) {
    Expr e = locate(p.current(), site)->expr;
    if (general && has_larger_operand(e, kMostRepeated)) {
        if (lower_cheaply(p, site)) return true;
        if (!is_left(e) && lower_large_division(p, site)) return true;
        e = locate(p.current(), site)->expr;
    }
    if (!is_floor(e) || is_left(e)) return false;
    if (p.try_apply("lower-division", site, json{{"form", "trunc"}})) return true;
    if (const std::int64_t shift = shift_for(p, site, e); shift != 0) {
        if (p.try_apply("lower-division", site, json{{"form", "trunc"}, {"shift", shift}})) {
            return true;
        }
    }
    const json claims = claims_about(p, e, statement);
    const auto by_claims = [&](DivisionForm form) {
        if (claims.is_null()) return false;
        const std::string to = print(lowered_division(p.ctx(), e, form));
        return p.try_apply("replace", site, json{{"to", to}, {"claims", claims}});
    };
    if (by_claims(DivisionForm::Trunc)) return true;
    if (!general) return false;
    return p.try_apply("lower-division", site, json{{"form", "general"}}) ||
           by_claims(DivisionForm::General);
}

// Each step looks at the whole statement, so that many divisions in one take long.
struct DivisionWork {
    std::uint64_t nodes = 0;
    std::string limit;

    bool is_done(const Function& f, const Site& part) {
        if (!limit.empty()) return true;
        nodes += locate(f, part)->expr->size;
        if (nodes <= kMostNodes) return false;
        limit = "stopped at " + std::to_string(kMostNodes) +
                " nodes of statements with divisions: the others stay as they are";
        return true;
    }
};

// The expression of the statement that the site is in.
Site whole_of(const Site& statement, const Site& within) {
    return statement.child(within.steps[statement.steps.size()]);
}

// Floor divisions that `wanted` accepts, inner ones first: that keeps the sites of the others.
std::size_t lower_divisions(Proposer& p, bool general, const std::function<bool(Expr)>& wanted,
                            DivisionWork& work) {
    std::size_t steps = 0;
    const auto floors = [&](Expr e) { return is_floor(e) && wanted(e); };
    const auto lower_all = [&](const Site& statement, Stmt stmt) {
        if (stmt->is<Assume>()) return false;
        at_expressions_of(stmt, statement, floors, [&](const Site& site) {
            if (work.is_done(p.current(), whole_of(statement, site))) return;
            steps += lower_division(p, site, statement, general) ? 1 : 0;
        });
        return false;
    };
    // Sites of statements stay, whatever becomes of what is in them.
    sweep_for(floors).find(p.current().body, lower_all);
    return steps;
}

// Why each floor division that is left stays: what stands against the form for any signs.
std::vector<Rejection> divisions_left(Proposer& p, const DivisionWork& work) {
    std::vector<Rejection> out;
    const Function f = p.current();
    for (const auto& [statement, stmt] : all_statements(f)) {
        if (stmt->is<Assume>()) continue;
        at_expressions_of(stmt, statement, is_floor, [&](const Site& site) {
            std::optional<Rejection> why;
            if (!work.limit.empty()) {
                if (out.size() >= kMostTold) return;
                why = left_at(site, work.limit, "bind parts of the statement to names before it");
            } else if (const Expr e = locate(p.current(), site)->expr; is_left(e)) {
                why = too_large(site,
                                has_larger_operand(e, kMostCopied) ? kMostCopied : kMostRepeated);
            } else {
                p.try_apply("lower-division", site, json{{"form", "general"}}, &why);
            }
            if (why) out.push_back(std::move(*why));
        });
    }
    return out;
}

// T.likely(c) → c. Hints are for schedules.
std::size_t drop_hints(Proposer& p) {
    std::size_t steps = 0;
    Sweep sweep = sweep_for(is_hint);
    const auto drop_one = [&](const Site& statement, Stmt stmt) {
        for (const Site& site : expression_sites_at(stmt, statement, is_hint)) {
            Expr e = locate(p.current(), site)->expr;
            if (p.try_apply("replace", site, json{{"to", print(e->arg(0))}})) return true;
        }
        return false;
    };
    while (sweep.find(p.current().body, drop_one)) ++steps;
    return steps;
}

// T.undef() by some value. Innermost first: the sites of the others stay.
std::size_t lower_undefs(Proposer& p) {
    const auto is_undef = [](Expr e) { return e->op == Op::Undef; };
    std::vector<Site> sites;
    Sweep sweep([](Stmt s) {
        bool found = false;
        for (const Child& c : s->is<Seq>() ? std::vector<Child>{} : children(s)) {
            found |= c.expr != nullptr && has_op(c.expr, Op::Undef);
        }
        return found;
    });
    sweep.find(p.current().body, [&](const Site& at, Stmt stmt) {
        for (Site& site : expression_sites_at(stmt, at, is_undef)) sites.push_back(std::move(site));
        return false;
    });
    std::size_t steps = 0;
    for (const Site& site : sites) {
        steps += p.try_apply("lower-undef", site, json::object()) ? 1 : 0;
    }
    return steps;
}

// Not those in whose place code calls a C function: the code generator has to see them.
std::size_t lower_blocks(Proposer& p) {
    return everywhere(p, "lower-block", json::object(), [](Stmt s) {
        const Block* n = s->as<Block>();
        return n != nullptr && !calls_external(*n);
    });
}

}  // namespace

PassResult lower(Proposer& p, const LoweringOptions& options) {
    PassResult out;
    p.take_up_functions();
    if (options.as_written) {
        out.steps += lower_blocks(p);
        out.steps += drop_hints(p);
        out.steps += lower_assumptions(p, options.check_assumptions);
        out.steps += lower_undefs(p);
        return out;
    }
    out.wrong = impossible_assumption(p);
    if (out.wrong) return out;
    const StructureOptions structure{true, true};
    out.steps += lower_blocks(p);
    out.steps += drop_hints(p);
    out.steps += simplify(p).steps;
    out.steps += everywhere(p, "split-reduction", json::object(), [](Stmt s) {
        const For* n = s->as<For>();
        const Seq* body = n == nullptr ? nullptr : n->body->as<Seq>();
        return body != nullptr && !body->body.empty() && body->body[0]->is<IfElse>();
    });
    out.steps += everywhere(p, "drop-store", json{{"mode", "indet"}}, [](Stmt s) {
        const Store* n = s->as<Store>();
        return n != nullptr && n->value->op == Op::Undef;
    });
    // While assumptions are known: what bounds a size may be said by one alone.
    DivisionWork work;
    out.steps += lower_divisions(p, false, speaks_of_assumed(p.current()), work);
    out.steps += lower_assumptions(p, false);
    out.steps += decide_structure(p, "", structure);
    out.steps += lower_undefs(p);
    if (options.flatten) out.steps += flatten_all(p, out.not_flat);
    out.steps += simplify(p).steps;
    out.steps += decide_structure(p, "", structure);
    out.steps += lower_divisions(p, true, [](Expr) { return true; }, work);
    out.refused = divisions_left(p, work);
    out.limit = work.limit;
    return out;
}

}  // namespace proviso::rewrite
