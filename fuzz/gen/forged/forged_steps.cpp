#include "fuzz/gen/forged/forged_steps.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "fuzz/gen/forged/forged_text.h"
#include "fuzz/gen/forged/near.h"
#include "ir/child_at.h"
#include "ir/text.h"
#include "rewrite/derived/derived_rule.h"
#include "rewrite/rules/fresh_copy.h"
#include "rewrite/schedule/restated.h"

namespace proviso::fuzz {

using namespace ir;
using nlohmann::json;
using rewrite::Part;

namespace {

// The proposal of the step's rule, where that is one to the theorem of rescheduling.
struct Spelled {
    Site site;
    Stmt old = nullptr;
    bool of_list = false;  // the old text is several statements of a list
    rewrite::Restated proposed;
};

Stmt old_text(Context& ctx, const Function& f, const Site& site, std::size_t count) {
    Stmt at = locate(f, site)->stmt;
    if (count == 1 || at == nullptr || site.steps.empty()) return at;
    const Seq* list = locate(f, site.parent())->as<Seq>();
    const std::size_t first = list == nullptr ? 0 : std::stoul(site.steps.back());
    if (list == nullptr || first + count > list->body.size()) return nullptr;
    const auto from = list->body.begin() + static_cast<std::ptrdiff_t>(first);
    return ctx.seq({from, from + static_cast<std::ptrdiff_t>(count)});
}

std::optional<Spelled> proposal_of(Context& ctx, const Function& f, const StepGuess& step) {
    const auto* rule = dynamic_cast<const rewrite::RescheduleRule*>(rewrite::find_rule(step.rule));
    if (rule == nullptr || !locate(f, step.site)) return std::nullopt;
    const auto r = rule->rescheduling(ctx, f, step.site, json::parse(step.args));
    if (!r) return std::nullopt;
    Spelled out{rule->place(f, step.site), nullptr, r->count > 1, {}};
    out.old = old_text(ctx, f, out.site, r->count);
    if (out.old == nullptr) return std::nullopt;
    out.proposed = {r->after,   r->parts,  r->apart, r->count,
                    r->dropped, r->unseen, r->extra, r->reassociate};
    return out;
}

StepGuess step_of(const Spelled& s) {
    return {"restate", s.site, rewrite::restate_arguments(s.old, s.proposed).dump()};
}

class Forger {
  public:
    Forger(Context& ctx, const Function& f, Spelled& spelled, Choice& choice)
        : ctx_(ctx), f_(f), s_(spelled), r_(spelled.proposed), choice_(choice) {}

    void make_mistakes() {
        const std::int64_t mistakes = choice_.weighted({0, 60, 28, 12});
        for (std::int64_t k = 0; k < mistakes; ++k) make_mistake();
    }

  private:
    void make_mistake() {
        const bool parts = !r_.parts.empty();
        if (!(r_.extra.empty() && r_.unseen.empty()) && choice_.chance(35)) {
            return change_reasons();
        }
        // More instances that come from nowhere: nothing but their reasons speaks against them.
        if (!r_.extra.empty() && choice_.chance(50)) return widen_loop(ctx_, f_, r_, choice_);
        switch (choice_.weighted({parts ? 20 : 0, parts ? 8 : 0, parts ? 14 : 0, parts ? 8 : 0,
                                  parts ? 10 : 0, parts ? 5 : 0, 12, 8, 8, 30, 1, 1})) {
            case 0: change_values(); break;
            case 1: change_one_way(); break;
            case 2: change_conditions(); break;
            case 3: exchange(); break;
            case 4: leave_out(); break;
            case 5: divide(); break;
            case 6: set_apart(); break;
            case 7: drop_something(); break;
            case 8: change_reasons(); break;
            case 9: change_text(ctx_, f_, r_, choice_); break;
            case 10: r_.reassociate = !r_.reassociate; break;
            default: ++r_.count;
        }
    }

    Part& part() { return r_.parts[position()]; }
    std::size_t position() {
        return static_cast<std::size_t>(
            choice_.between(0, static_cast<std::int64_t>(r_.parts.size()) - 1));
    }
    std::vector<Expr> here(const Part& p) { return with_loads(ctx_, f_, vars_here(p), choice_); }
    std::vector<Expr> there(const Part& p) { return with_loads(ctx_, f_, vars_there(p), choice_); }
    std::vector<Expr> vars_here(const Part& p) const {
        return rewrite::bound_around(r_.after, p.now);
    }
    std::vector<Expr> vars_there(const Part& p) const {
        return rewrite::bound_around(s_.old, p.origin);
    }

    static Expr value_of(const Substitution& values, Expr v) {
        const auto found = values.find(v);
        return found == values.end() ? v : found->second;
    }
    void change(Substitution& values, const std::vector<Expr>& of, const std::vector<Expr>& over) {
        if (of.empty()) return;
        Expr v = choice_.pick(of);
        values[v] = near_value(ctx_, value_of(values, v), over, choice_);
    }

    // Where the values go that come from: both ways mostly, so that one is the other's inverse.
    void change_values() {
        Part& p = part();
        const std::vector<Expr> mine = vars_there(p);
        const std::vector<Expr> now = vars_here(p);
        if (mine.empty() || now.empty()) return;
        Expr v = choice_.pick(mine);
        if (!v->type.is_int() || value_of(p.from, v)->type != v->type) return;
        Expr by = ctx_.int_imm(v->type, v->type.min_value() < 0 ? choice_.pick({-1, 1}) : 1);
        if (choice_.chance(60)) {
            // What was at v is at v + by: from gives v + by, and to takes it back.
            const Substitution back = {{v, ctx_.sub(v, by)}};
            p.from[v] = ctx_.add(value_of(p.from, v), by);
            for (Expr w : now) p.to[w] = substitute(ctx_, value_of(p.to, w), back);
            return write_down(p);
        }
        change(p.from, mine, here(p));
        write_down(p);
        if (choice_.chance(50)) change(p.to, now, there(p));
    }

    // The part's text, as its values say: what is left is a mistake in the correspondence.
    void write_down(const Part& p) {
        if (!choice_.chance(85)) return;
        Function now = f_;
        Function old = f_;
        now.body = r_.after;
        old.body = s_.old;
        const auto stands = locate(now, p.now);
        const auto origin = locate(old, p.origin);
        if (!stands || !origin || stands->stmt == nullptr || origin->stmt == nullptr) return;
        Stmt moved =
            rewrite::with_names_of(ctx_, substitute(ctx_, origin->stmt, p.from), stands->stmt);
        if (moved != nullptr) r_.after = replace_at(ctx_, now, p.now, moved).body;
    }

    void change_one_way() {
        Part& p = part();
        if (choice_.chance(50)) {
            change(p.from, vars_there(p), here(p));
            write_down(p);
        } else {
            change(p.to, vars_here(p), there(p));
        }
    }

    void change_conditions() {
        Part& p = part();
        if (choice_.chance(50)) {
            p.when = near_condition(ctx_, p.when, there(p), choice_);
        } else {
            Expr was = p.where;
            p.where = near_condition(ctx_, p.where, here(p), choice_);
            for (Part& other : r_.parts) {
                if (was != nullptr && other.where == was && choice_.chance(60)) {
                    other.where = p.where;
                }
            }
        }
        if (choice_.chance(30)) p.when = p.where = nullptr;
    }

    void exchange() {
        Part& one = part();
        Part& other = part();
        switch (choice_.between(0, 2)) {
            case 0: std::swap(one.origin, other.origin); break;
            case 1: std::swap(one.now, other.now); break;
            default: std::swap(one.from, other.from);
        }
        write_down(one);
        write_down(other);
    }

    void leave_out() {
        const std::size_t k = position();
        if (choice_.chance(70)) {
            r_.dropped.push_back(r_.parts[k].origin);
            give_reasons(r_.parts[k].origin);
        }
        if (choice_.chance(60)) {
            forget(r_, k);
        } else {
            r_.parts[k].when = near_condition(ctx_, r_.parts[k].when, there(r_.parts[k]), choice_);
        }
    }

    // A part for some of the instances, and the same for others.
    void divide() {
        const std::size_t k = position();
        Part copy = r_.parts[k];
        const bool by_place = choice_.chance(40);
        const std::vector<Expr> vars = by_place ? here(copy) : there(copy);
        Expr condition = near_condition(ctx_, nullptr, vars, choice_);
        Expr other = choice_.chance(60) ? ctx_.not_(condition)
                                        : near_condition(ctx_, condition, vars, choice_);
        for (auto& [p, c] : {std::pair{&r_.parts[k], condition}, {&copy, other}}) {
            (by_place ? p->where : p->when) = c;
            if (by_place && c != nullptr && choice_.chance(80))
                p->when = substitute(ctx_, c, p->to);
        }
        if (choice_.chance(30)) copy.now = part().now;
        r_.parts.push_back(std::move(copy));
    }

    void set_apart() {
        const std::size_t n = r_.parts.size();
        if (n == 0) return;
        if (choice_.chance(15)) {
            r_.apart.clear();
        } else if (choice_.chance(50)) {
            r_.apart.emplace(position(), position());
        } else {
            for (std::size_t a = 0; a < n; ++a) {
                for (std::size_t b = a; b < n; ++b) r_.apart.emplace(a, b);
            }
        }
    }

    void drop_something() {
        if (!r_.dropped.empty() && choice_.chance(30)) {
            r_.dropped.pop_back();
            return;
        }
        Function old = f_;
        old.body = s_.old;
        const Site at = choice_.pick(all_statements(old)).first;
        r_.dropped.push_back(at);
        give_reasons(at);
        for (std::size_t k = r_.parts.size(); k > 0; --k) {
            if (at.contains(r_.parts[k - 1].origin) && choice_.chance(60)) forget(r_, k - 1);
        }
    }

    // Why the stores of what is left out, at a place of the old text, are unobservable.
    void give_reasons(const Site& origin) {
        if (choice_.chance(25)) return;
        json reasons = r_.unseen.empty() ? json::object() : json::parse(r_.unseen);
        Site root = s_.site;
        Site at = origin;
        const Seq* list = s_.of_list && !origin.steps.empty() ? s_.old->as<Seq>() : nullptr;
        const auto k =
            list == nullptr ? std::nullopt : list_position(origin.steps[0], list->body.size());
        if (k) {
            root = root.parent();
            at.steps[0] = std::to_string(std::stoul(s_.site.steps.back()) + *k);
        }
        for (const Label& label : at.steps) root.steps.push_back(label);
        for (const auto& [site, s] : all_statements(f_)) {
            if (!s->is<Store>() || !root.contains(site)) continue;
            reasons["stores"][site.str()] = reason(*s->as<Store>());
        }
        r_.unseen = reasons.dump();
    }

    json reason(const Store& store) {
        if (choice_.chance(30)) return {{"mode", "same"}};
        if (choice_.chance(15)) return {{"mode", "indet"}};
        std::vector<std::pair<Site, const Store*>> writers;
        for (const auto& [site, s] : all_statements(f_)) {
            const Store* w = s->as<Store>();
            if (w != nullptr && w->buffer == store.buffer) writers.emplace_back(site, w);
        }
        const auto& [site, writer] = choice_.pick(writers);
        json at = json::object();
        for (Expr v : rewrite::bound_around(f_.body, site)) {
            Expr value = store.indices.empty() ? v : choice_.pick(store.indices);
            at[*v->name] = print(choice_.chance(40) ? v : value);
        }
        return {{"mode", "dead"},
                {"writers", json::array({{{"statement", site.str()}, {"at", at}}})}};
    }

    void change_reasons() {
        std::string& reasons = !r_.extra.empty() && choice_.chance(60) ? r_.extra : r_.unseen;
        if (reasons.empty()) {
            if (choice_.chance(50) && !r_.parts.empty()) {
                Part& p = part();
                if (p.where == nullptr) p.where = near_condition(ctx_, nullptr, here(p), choice_);
                r_.extra = extra_reasons(p).dump();
            }
            return;
        }
        json changed = json::parse(reasons);
        if (choice_.chance(25)) {
            for (auto& how : changed["stores"]) how = {{"mode", choice_.pick({"same", "indet"})}};
        } else {
            change_arguments(changed, choice_);
        }
        reasons = changed.dump();
    }

    // The new text stands where the old one does.
    json extra_reasons(const Part& p) {
        json out = {{"stores", json::object()}};
        Site root = s_.site;
        for (const Label& label : p.now.steps) root.steps.push_back(label);
        Function now = f_;
        now.body = r_.after;
        for (const auto& [site, s] : all_statements(now)) {
            if (!s->is<Store>() || !p.now.contains(site)) continue;
            Site at = s_.site;
            for (const Label& label : site.steps) at.steps.push_back(label);
            out["stores"][at.str()] = {{"mode", choice_.pick({"same", "unreachable"})}};
        }
        return out;
    }

    Context& ctx_;
    const Function& f_;
    Spelled& s_;
    rewrite::Restated& r_;
    Choice& choice_;
};

}  // namespace

std::optional<StepGuess> spelled_out(Context& ctx, const Function& f, const StepGuess& step) {
    if (dynamic_cast<const rewrite::RescheduleRule*>(rewrite::find_rule(step.rule)) == nullptr) {
        return step;
    }
    const std::optional<Spelled> s = proposal_of(ctx, f, step);
    return s ? std::optional(step_of(*s)) : std::nullopt;
}

void forge(Context& ctx, const Function& f, const Site& site, rewrite::Restated& r,
           Choice& choice) {
    Spelled s{site, old_text(ctx, f, site, r.count), r.count > 1, std::move(r)};
    if (s.old != nullptr) Forger(ctx, f, s, choice).make_mistakes();
    r = std::move(s.proposed);
}

std::optional<StepGuess> forged_step(Context& ctx, const Function& f, const StepGuess& step,
                                     Choice& choice) {
    std::optional<Spelled> s = proposal_of(ctx, f, step);
    if (s) {
        Forger(ctx, f, *s, choice).make_mistakes();
        return step_of(*s);
    }
    StepGuess out = step;
    json args = json::parse(step.args);
    const std::size_t mistakes = choice.weighted({0, 70, 30});
    for (std::size_t k = 0; k < mistakes; ++k) change_arguments(args, choice);
    out.args = args.dump();
    return out;
}

}  // namespace proviso::fuzz
