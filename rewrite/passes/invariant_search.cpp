#include "rewrite/passes/invariant_search.h"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

#include "analysis/facts/facts.h"
#include "analysis/facts/path.h"
#include "analysis/prover/sample.h"
#include "analysis/smt/encoder.h"
#include "analysis/z3/linked_z3.h"
#include "rewrite/passes/float_arithmetic.h"
#include "rewrite/passes/witness.h"

namespace proviso::rewrite {

using namespace ir;
using namespace analysis;
using nlohmann::json;

namespace {

constexpr std::size_t kMostConstants = 4;  // of what is stored
constexpr std::size_t kMostAsked = 4;      // of what is assumed, and of what is asked
constexpr std::size_t kMostRegions = 2;
constexpr std::uint64_t kShareOfCodes = 40;  // of Z3's units, as the prover gives to that form

class InvariantSearch {
  public:
    InvariantSearch(const MemoryModel& memory, Prover& prover, Expr load, const Site& site,
                    const std::vector<Expr>& known, const std::vector<Expr>& extra,
                    InvariantsFound& found)
        : memory_(memory),
          ctx_(memory.ctx()),
          prover_(prover),
          load_(load),
          site_(site),
          extra_(extra),
          found_(found) {
        point_ = ClaimPoint{site, known};
        inv_.buffer = load->buffer;
        inv_.var = ctx_.var("v", load->type);
        for (std::size_t d = 0; d < load->args.size(); ++d) {
            inv_.index.push_back(ctx_.var("i" + std::to_string(d), load->arg(d)->type));
        }
    }

    std::optional<KnownMemory> run(InvariantEffort effort) {
        const std::vector<Expr> cell(load_->args.begin(), load_->args.end());
        const std::vector<StoreWitness> before = starts(load_, point_, effort);
        if (before.empty() || !stores_and_hypotheses(effort)) return std::nullopt;
        for (const StoreWitness& w : before) writers_.push_back(Witness{w.statement, w.at});
        std::vector<Expr> properties =
            effort == InvariantEffort::All ? candidates() : std::vector<Expr>{not_negative_zero()};
        if (effort == InvariantEffort::Hoped) {
            inv_.property = properties[0];
            return KnownMemory{{claim(before)}, {}, true};
        }
        if (effort == InvariantEffort::All) {
            properties.push_back(ctx_.true_());
            inv_.definite = true;
            std::vector<Expr> definitely = properties;
            keep_assumed(definitely);
            if (definitely.empty() || !keep_inductive(definitely, true)) {
                inv_.definite = false;
            } else {
                properties = definitely;
            }
        }
        if (!inv_.definite) {
            keep_assumed(properties);
            keep_inductive(properties, false);
        }
        std::erase_if(properties, [](Expr p) { return is_true(p); });
        if (properties.empty() && !inv_.definite) return std::nullopt;
        inv_.property = ctx_.all_of(properties);
        const Result<Established> e = store_invariant(memory_, point_, inv_, cell, writers_);
        if (!e || !all_proved(prover_, e->obligations)) return std::nullopt;
        return KnownMemory{{claim(before)}, e->facts, false};
    }

  private:
    // Where the property of a cell comes from first: stores before the point, or assumptions where
    // those do not cover it.
    std::vector<StoreWitness> starts(Expr load, const ClaimPoint& here, InvariantEffort effort) {
        const std::vector<Expr> cell(load->args.begin(), load->args.end());
        std::vector<StoreWitness> out =
            stores_before(memory_, prover_, load->buffer, cell, here.site, here.facts);
        if (effort != InvariantEffort::All || written(load, cell, here, out)) return out;
        const std::vector<StoreWitness> assumed =
            assumptions_of(memory_, prover_, load, here.site, 1);
        for (const StoreWitness& w : assumed) {
            out.push_back(w);
            assumed_.push_back({here, cell, Witness{w.statement, w.at}});
        }
        return out;
    }

    bool written(Expr load, const std::vector<Expr>& cell, const ClaimPoint& here,
                 const std::vector<StoreWitness>& by) {
        std::vector<Witness> witnesses;
        for (const StoreWitness& w : by) witnesses.push_back(Witness{w.statement, w.at});
        const Result<Established> e = written_before(memory_, here, load->buffer, cell, witnesses);
        return e && all_proved(prover_, e->obligations);
    }

    Expr not_negative_zero() { return ctx_.not_(ctx_.same(inv_.var, number(-0.0))); }
    Expr number(double v) { return ctx_.float_imm(load_->type, v); }

    json claim(const std::vector<StoreWitness>& before) {
        json indices = json::array();
        for (Expr i : load_->args) indices.push_back(print(i));
        json out = {{"kind", "invariant"},
                    {"point", site_.str()},
                    {"buffer", load_->buffer->name},
                    {"indices", indices},
                    {"property", print(inv_.property)},
                    {"writer", witnesses_json(before)}};
        if (inv_.definite) out["definite"] = true;
        if (!coverage_.empty()) out["coverage"] = coverage_;
        if (!lemmas_.empty()) out["lemmas"] = lemmas_;
        return out;
    }

    // The stores to the buffer; for each, what was stored before to the cells that its value reads
    // of the buffer, and what is known of the rest. False: some value may be undefined.
    bool stores_and_hypotheses(InvariantEffort effort) {
        for (const auto& [where, stmt] : all_statements(memory_.function())) {
            const Store* store = stmt->as<Store>();
            if (store == nullptr || store->buffer != inv_.buffer) continue;
            if (!may_run_before(memory_, where, site_)) continue;
            if (store->value->op == Op::Undef) continue;
            if (has_op(store->value, Op::Undef)) return false;
            stores_.emplace_back(where, store);
            covered(*store, where, effort);
            if (effort == InvariantEffort::All) lemmas(*store, where);
        }
        return true;
    }

    void covered(const Store& store, const Site& where, InvariantEffort effort) {
        json list = json::array();
        for_each_node(store.value, [&](Expr e) {
            if (e->op != Op::Load || e->buffer != inv_.buffer) return;
            const InvariantsFound::Coverage& found = coverage_of(e, where, effort);
            std::vector<Witness> witnesses;
            if (found.covers) {
                for (const StoreWitness& w : found.by) witnesses.push_back({w.statement, w.at});
                assumed_.insert(assumed_.end(), found.assumed.begin(), found.assumed.end());
            }
            inv_.coverage[where].push_back(std::move(witnesses));
            list.push_back(found.covers ? witnesses_json(found.by) : json::array());
        });
        if (!list.empty()) coverage_[where.str()] = list;
    }

    const InvariantsFound::Coverage& coverage_of(Expr load, const Site& where,
                                                 InvariantEffort effort) {
        const auto [at, is_new] = found_.coverage.try_emplace({where, load, effort});
        InvariantsFound::Coverage& out = at->second;
        if (!is_new) return out;
        const ClaimPoint here = claim_point(memory_, where);
        const std::size_t known = assumed_.size();
        out.by = starts(load, here, effort);
        out.assumed.assign(assumed_.begin() + static_cast<std::ptrdiff_t>(known), assumed_.end());
        assumed_.resize(known);
        std::vector<Witness> witnesses;
        for (const StoreWitness& w : out.by) witnesses.push_back({w.statement, w.at});
        out.covers = covers(here, {load->args.begin(), load->args.end()}, witnesses);
        return out;
    }

    // Each cell was stored to, or spoken of; whatever property it is that it has.
    bool covers(const ClaimPoint& here, const std::vector<Expr>& cell,
                const std::vector<Witness>& witnesses) {
        Invariant any;
        any.buffer = inv_.buffer;
        any.var = inv_.var;
        any.property = ctx_.true_();
        const Result<Established> shown = starts_of(memory_, here, any, cell, witnesses);
        return shown && all_proved(prover_, shown->obligations);
    }

    // Drops what an assumption does not say of its cell.
    void keep_assumed(std::vector<Expr>& properties) {
        for (const auto& a : assumed_) {
            std::erase_if(properties, [&](Expr p) {
                inv_.property = p;
                const Result<Obligation> o =
                    assumed_property(memory_, a.point, inv_, a.cell, a.witness);
                return !o || prover_.prove(*o).verdict != Verdict::Proved;
            });
        }
    }

    void lemmas(const Store& store, const Site& where) {
        auto known = found_.lemmas.find({where, inv_.buffer});
        if (known == found_.lemmas.end()) {
            InvariantsFound::Lemmas found = lemmas_of(store, where);
            known = found_.lemmas.emplace(std::pair(where, inv_.buffer), std::move(found)).first;
        }
        if (known->second.claims.empty()) return;
        lemmas_[where.str()] = json(known->second.claims);
        inv_.lemmas[where] = known->second.facts;
    }

    InvariantsFound::Lemmas lemmas_of(const Store& store, const Site& where) {
        ClaimOptions options;
        options.found = &found_;
        options.stored_values = true;
        options.of_itself = false;
        InvariantsFound::Lemmas out;
        for_each_node(store.value, [&](Expr e) {
            if (e->op != Op::Load || e->buffer == inv_.buffer) return;
            options.extra = out.facts;
            KnownMemory known = known_memory(memory_, prover_, e, where, options);
            for (json& c : known.claims) {
                const bool is_new =
                    std::find(out.claims.begin(), out.claims.end(), c) == out.claims.end();
                if (is_new) out.claims.push_back(c);
            }
            out.facts.insert(out.facts.end(), known.facts.begin(), known.facts.end());
        });
        return out;
    }

    std::vector<Expr> candidates() {
        std::vector<Expr> out;
        Expr v = inv_.var;
        if (load_->type.is_float()) {
            const double inf = std::numeric_limits<double>::infinity();
            out = {not_negative_zero(), ctx_.eq(v, v), ctx_.ne(v, number(inf)),
                   ctx_.ne(v, number(-inf))};
        }
        if (!load_->type.is_float() && !load_->type.is_int()) return out;
        for (Expr c : asked_constants()) {
            // Bounds that are assumed or asked for may be open.
            if (load_->type.is_float()) continue;
            out.push_back(ctx_.lt(c, v));
            out.push_back(ctx_.lt(v, c));
        }
        for (Expr c : constants()) {
            // For floats "not less": a NaN is let through.
            const bool is_float = load_->type.is_float();
            out.push_back(is_float ? ctx_.not_(ctx_.lt(v, c)) : ctx_.le(c, v));
            out.push_back(is_float ? ctx_.not_(ctx_.lt(c, v)) : ctx_.le(v, c));
        }
        for (Expr region : regions()) out.push_back(region);
        if (Expr listed = one_of_constants()) out.push_back(listed);
        return out;
    }

    // Where constants alone are stored, few of them: that it is one of these.
    Expr one_of_constants() {
        std::vector<Expr> all;
        for (const auto& [where, store] : stores_) {
            if (!is_const(store->value)) return nullptr;
            Expr one = ctx_.same(inv_.var, store->value);
            if (std::find(all.begin(), all.end(), one) == all.end()) all.push_back(one);
        }
        return all.size() < 2 || all.size() > kMostConstants ? nullptr : ctx_.any_of(all);
    }

    // Zero, and constants of the buffer's type in what is stored to it.
    std::vector<Expr> constants() {
        std::vector<Expr> out = {load_->type.is_float() ? number(0.0)
                                                        : ctx_.int_imm(load_->type, 0)};
        for (Expr c : asked_constants()) {
            if (std::find(out.begin(), out.end(), c) == out.end()) out.push_back(c);
        }
        const std::size_t asked = out.size() - 1;
        for (const auto& [where, store] : stores_) {
            for_each_node(store->value, [&](Expr e) {
                const bool fits = is_const(e) && e->type == load_->type;
                if (!fits || out.size() - asked > kMostConstants) return;
                if (std::find(out.begin(), out.end(), e) == out.end()) out.push_back(e);
            });
        }
        return out;
    }

    // What the buffer's cells are compared with: in assumptions, and where the claim is made.
    std::vector<Expr> asked_constants() {
        std::vector<Expr> out;
        const auto note = [&](Expr e) {
            for_each_node(e, [&](Expr n) {
                if (n->args.size() != 2) return;
                for (Expr c : n->args) {
                    const bool fits = is_const(c) && c->type == load_->type;
                    if (!fits || out.size() >= kMostAsked) continue;
                    if (std::find(out.begin(), out.end(), c) == out.end()) out.push_back(c);
                }
            });
        };
        for (const Child& c : children(locate(memory_.function(), site_)->stmt)) {
            if (c.expr != nullptr && reads(c.expr)) note(c.expr);
        }
        for_each_stmt(memory_.function().body, [&](Stmt s) {
            const Assume* assume = s->as<Assume>();
            if (assume != nullptr && reads(assume->cond)) note(assume->cond);
        });
        return out;
    }

    bool reads(Expr e) const {
        const std::vector<Buffer> read = loaded_buffers(e);
        return std::find(read.begin(), read.end(), inv_.buffer) != read.end();
    }

    // "Cells that this store gets at hold its constant", all of them, and those that it gets at
    // where what is known at the site holds: a sum over rows of zeros stays what it started from.
    std::vector<Expr> regions() {
        std::vector<Expr> out;
        for (const auto& [where, store] : stores_) {
            if (!is_const(store->value) || out.size() >= kMostRegions) continue;
            const Access* a = find_store(memory_.all(), where);
            const auto all =
                iterations_touching(prover_, memory_.function(), *a, inv_.index, {}, 1);
            if (all.empty()) continue;
            const Instance w{a, all[0], {}};
            Expr region = ctx_.all_of({w.must(ctx_), same_cell(ctx_, inv_.index, w.index(ctx_))});
            if (is_false(region)) continue;
            out.push_back(ctx_.implies(region, ctx_.same(inv_.var, store->value)));
            for (Expr part : extra_) {
                Expr there = substitute(ctx_, substitute(ctx_, part, a->lets), all[0]);
                if (!of_cells(there)) continue;
                out.push_back(
                    ctx_.implies(ctx_.all_of({region, there}), ctx_.same(inv_.var, store->value)));
            }
        }
        return out;
    }

    // What a property may speak of.
    bool of_cells(Expr condition) const {
        for (Op op : {Op::Load, Op::Undef, Op::CallExtern, Op::Let}) {
            if (has_op(condition, op)) return false;
        }
        const std::vector<Expr> scalars = memory_.function().scalar_params();
        const std::vector<Expr> free = free_vars(condition);
        return std::all_of(free.begin(), free.end(), [&](Expr v) {
            const auto is = [&](const std::vector<Expr>& list) {
                return std::find(list.begin(), list.end(), v) != list.end();
            };
            return is(inv_.index) || is(scalars);
        });
    }

    // Drops what some store breaks, knowing the rest of what it reads, until nothing is dropped.
    // With `definite`, values are definite as well; false (and nothing dropped): they are not.
    bool keep_inductive(std::vector<Expr>& properties, bool definite) {
        const std::vector<Expr> all = properties;
        inv_.definite = definite;
        for (bool dropped = true; dropped && !properties.empty();) {
            dropped = false;
            inv_.property = ctx_.all_of(properties);
            const Result<Established> e = store_invariant(
                memory_, point_, inv_, {load_->args.begin(), load_->args.end()}, writers_);
            if (!e) {
                if (definite)
                    properties = all;
                else
                    properties.clear();
                return false;
            }
            std::size_t k = 0;
            for (const Obligation& o : e->obligations) {
                if (o.purpose.kind == Owed::Definite) {
                    if (is_definite(o)) continue;
                    properties = all;
                    return false;
                }
                if (o.purpose.kind != Owed::Invariant) continue;
                const Store& store = *stores_[k++].second;
                const auto broken =
                    std::remove_if(properties.begin(), properties.end(),
                                   [&](Expr p) { return !kept_by(o.facts, at_store(p, store)); });
                dropped |= broken != properties.end();
                properties.erase(broken, properties.end());
            }
        }
        return definite;
    }

    // Which cells are definite, no arithmetic of floats says; and where they are not, solvers take
    // a second to find values for it.
    bool is_definite(const Obligation& o) {
        if (prover_.proves_cheaply(o.facts, o.goal)) return true;
        std::vector<Expr> facts;
        for (Expr fact : o.facts) facts.push_back(without_float_arithmetic(ctx_, fact));
        return prover_.prove(facts, o.goal).verdict == Verdict::Proved;
    }

    // Most guesses are wrong, and are found to be by trying what the store would leave. Solvers are
    // asked about the others. Over a product of floats they take a second for each wrong one, so
    // there only what floats have in common with their order is asked: what the prover begins with.
    bool kept_by(const std::vector<Expr>& facts, Expr property) {
        if (prover_.proves_cheaply(facts, property)) return true;
        const Obligation guess{{}, facts, property};
        if (refuted_by_trying(ctx_, guess)) return false;
        if (!multiplies_floats(guess))
            return prover_.prove(facts, property).verdict == Verdict::Proved;
        if (without_solvers().prove(guess).verdict == Verdict::Proved) return true;
        const ProverOptions& o = prover_.options();
        if (!o.use_z3) return false;
        const SmtText codes = smt::encode(ctx_, guess, smt::Form::FloatCodes).smt;
        return smt::ask_z3(codes, o.rlimit / kShareOfCodes, o.wall_limit_s, o.memory_mib).verdict ==
               Verdict::Proved;
    }

    static bool multiplies_floats(const Obligation& o) {
        const auto multiplies = [](Expr root) {
            bool found = false;
            for_each_node(root, [&](Expr e) {
                found |= (e->op == Op::Mul || e->op == Op::Div) && e->type.is_float();
            });
            return found;
        };
        return multiplies(o.goal) || std::any_of(o.facts.begin(), o.facts.end(), multiplies);
    }

    Prover& without_solvers() {
        if (!without_solvers_) {
            ProverOptions options = prover_.options();
            options.use_z3 = false;
            options.use_cvc5 = false;
            options.cache_dir.clear();
            without_solvers_.emplace(ctx_, std::move(options));
        }
        return *without_solvers_;
    }

    Expr at_store(Expr property, const Store& store) {
        Substitution at = {{inv_.var, store.value}};
        for (std::size_t d = 0; d < inv_.index.size(); ++d) at[inv_.index[d]] = store.indices[d];
        return substitute(ctx_, property, at);
    }

    const MemoryModel& memory_;
    Context& ctx_;
    Prover& prover_;
    std::optional<Prover> without_solvers_;
    Expr load_;
    Site site_;
    const std::vector<Expr>& extra_;
    InvariantsFound& found_;
    ClaimPoint point_;
    Invariant inv_;
    std::vector<Witness> writers_;
    std::vector<std::pair<Site, const Store*>> stores_;
    std::vector<InvariantsFound::Coverage::Assumed>
        assumed_;  // where the induction starts at an assumption
    json coverage_ = json::object();
    json lemmas_ = json::object();
};

}  // namespace

std::optional<KnownMemory> invariant_claim(const MemoryModel& memory, Prover& prover, Expr load,
                                           const Site& site, const std::vector<Expr>& known,
                                           const std::vector<Expr>& extra, InvariantEffort effort,
                                           InvariantsFound& found) {
    if (!load->type.is_float() && effort != InvariantEffort::All) return std::nullopt;
    return InvariantSearch(memory, prover, load, site, known, extra, found).run(effort);
}

}  // namespace proviso::rewrite
