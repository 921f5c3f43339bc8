#include "fuzz/gen/forged/forged_text.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "fuzz/gen/forged/near.h"
#include "ir/children.h"
#include "ir/text.h"

namespace proviso::fuzz {

using namespace ir;

namespace {

class TextChange {
  public:
    TextChange(Context& ctx, const Function& f, rewrite::Restated& r, Choice& choice)
        : ctx_(ctx), r_(r), choice_(choice), follow_(choice.chance(85)), whole_(f) {
        whole_.body = r.after;
    }

    void run() {
        const auto [site, s] = choice_.pick(places());
        at_ = site;
        vars_ = with_loads(ctx_, whole_, rewrite::bound_around(r_.after, site), choice_);
        const bool within = is_part(site) && !(s->is<Block>() && choice_.chance(40));
        if (within || choice_.chance(20)) return around(s);
        if (const For* n = s->as<For>()) return loop(*n);
        if (const IfElse* n = s->as<IfElse>()) return branch(*n);
        if (const Seq* n = s->as<Seq>()) return list(*n);
        if (const Block* n = s->as<Block>()) return block(*n);
        if (const LetStmt* n = s->as<LetStmt>()) {
            LetStmt changed = *n;
            changed.value = near_value(ctx_, n->value, vars_, choice_);
            return put(ctx_.stmt(std::move(changed)));
        }
        if (const Store* n = s->as<Store>()) {
            if (choice_.chance(60)) return around(s);
            Store changed = *n;
            if (n->indices.empty() || choice_.chance(40)) {
                changed.value = near_value(ctx_, n->value, vars_, choice_);
            } else {
                Expr& index = changed.indices[static_cast<std::size_t>(
                    choice_.between(0, static_cast<std::int64_t>(changed.indices.size()) - 1))];
                index = near_value(ctx_, index, vars_, choice_);
            }
            return put(ctx_.stmt(std::move(changed)));
        }
        around(s);
    }

  private:
    // A change within a part is another text, which is seen at once.
    std::vector<std::pair<Site, Stmt>> places() {
        const auto all = all_statements(whole_);
        std::vector<std::pair<Site, Stmt>> out;
        for (const auto& [site, s] : all) {
            const bool within = std::any_of(r_.parts.begin(), r_.parts.end(),
                                            [&, at = site](const rewrite::Part& p) {
                                                return p.now.contains(at) && p.now != at;
                                            });
            if (!within) out.emplace_back(site, s);
        }
        return out.empty() || choice_.chance(10) ? all : out;
    }
    bool is_part(const Site& site) const {
        return std::any_of(r_.parts.begin(), r_.parts.end(),
                           [&](const rewrite::Part& p) { return p.now == site; });
    }

    void put(Stmt s) { r_.after = replace_at(ctx_, whole_, at_, s).body; }

    // Steps of sites below `at_`: after it, `was` (none: "") becomes `now` (likewise).
    void move_parts(const std::string& was, const std::string& now) {
        if (!follow_) return;
        for (rewrite::Part& p : r_.parts) {
            if (!at_.contains(p.now)) continue;
            auto next = p.now.steps.begin() + static_cast<std::ptrdiff_t>(at_.steps.size());
            if (!was.empty()) {
                if (next == p.now.steps.end() || *next != was) continue;
                next = p.now.steps.erase(next);
            }
            if (!now.empty()) p.now.steps.insert(next, now);
        }
    }

    void around(Stmt s) {
        if (s->is<Seq>()) return list(*s->as<Seq>());
        if (choice_.chance(50)) {
            Expr condition = near_condition(ctx_, nullptr, vars_, choice_);
            put(ctx_.stmt(IfElse{condition, s, nullptr}));
            for (rewrite::Part& p : r_.parts) {
                if (at_.contains(p.now) && choice_.chance(40)) p.where = condition;
            }
            move_parts("", "then");
            return;
        }
        std::set<std::string> names = bound_names(whole_);
        Expr u = ctx_.var(fresh_name("forged", names), kInt32);
        Expr zero = ctx_.int_imm(kInt32, 0);
        Expr end = ctx_.int_imm(kInt32, choice_.between(0, 2));
        const ForKind kind = choice_.pick({ForKind::Serial, ForKind::Serial, ForKind::Parallel});
        put(ctx_.stmt(For{u, zero, end, kind, "", s}));
        for (rewrite::Part& p : r_.parts) {
            if (at_.contains(p.now)) p.to[u] = zero;
        }
        move_parts("", "body");
    }

    void loop(const For& n) {
        For changed = n;
        switch (choice_.weighted({25, 35, 25, 15})) {
            case 0: changed.lo = near_value(ctx_, n.lo, vars_, choice_); break;
            case 1: changed.hi = near_value(ctx_, n.hi, vars_, choice_); break;
            case 2:
                changed.kind = n.kind == ForKind::Serial ? ForKind::Parallel : ForKind::Serial;
                changed.thread_tag.clear();
                break;
            default: put(n.body); return move_parts("body", "");
        }
        put(ctx_.stmt(std::move(changed)));
    }

    void branch(const IfElse& n) {
        if (n.else_body == nullptr && choice_.chance(40)) {
            put(n.then_body);
            for (rewrite::Part& p : r_.parts) {
                if (at_.contains(p.now) && choice_.chance(50)) p.where = nullptr;
            }
            return move_parts("then", "");
        }
        if (n.else_body != nullptr && choice_.chance(30)) {
            return put(ctx_.stmt(IfElse{n.cond, n.else_body, n.then_body}));
        }
        Expr condition = near_condition(ctx_, n.cond, vars_, choice_);
        if (condition == nullptr) condition = ctx_.true_();
        put(ctx_.stmt(IfElse{condition, n.then_body, n.else_body}));
    }

    void block(const Block& n) {
        Block changed = n;
        if (!n.iters.empty() && choice_.chance(60)) {
            BlockIter& it = changed.iters[static_cast<std::size_t>(
                choice_.between(0, static_cast<std::int64_t>(n.iters.size()) - 1))];
            it.binding = near_value(ctx_, it.binding, vars_, choice_);
        } else {
            Expr predicate = near_condition(ctx_, n.predicate, vars_, choice_);
            changed.predicate = predicate == nullptr ? ctx_.true_() : predicate;
        }
        put(ctx_.stmt(std::move(changed)));
    }

    // Where element k of the list goes; nothing: it is left out.
    void list(const Seq& n) {
        if (n.body.empty()) return;
        std::vector<Stmt> body = n.body;
        const auto last = static_cast<std::int64_t>(body.size()) - 1;
        const auto a = static_cast<std::size_t>(choice_.between(0, last));
        std::size_t b = static_cast<std::size_t>(choice_.between(0, last));
        if (choice_.chance(60)) b = a + 1 < body.size() ? a + 1 : a;
        if (choice_.chance(70)) {
            std::swap(body[a], body[b]);
            put(ctx_.seq(body));
            exchange_parts(std::to_string(a), std::to_string(b));
        } else if (body.size() > 2) {
            body.erase(body.begin() + static_cast<std::ptrdiff_t>(a));
            put(ctx_.seq(body));
            Site gone = at_.child(std::to_string(a));
            for (std::size_t k = r_.parts.size(); k > 0; --k) {
                if (!gone.contains(r_.parts[k - 1].now)) continue;
                if (choice_.chance(50)) r_.dropped.push_back(r_.parts[k - 1].origin);
                forget(r_, k - 1);
            }
            for (std::size_t k = a + 1; k < n.body.size(); ++k) {
                move_parts(std::to_string(k), std::to_string(k - 1));
            }
        }
    }

    void exchange_parts(const std::string& a, const std::string& b) {
        if (a == b) return;
        move_parts(a, "other");
        move_parts(b, a);
        move_parts("other", b);
        if (choice_.chance(60)) {
            for (std::size_t i = 0; i < r_.parts.size(); ++i) {
                for (std::size_t k = i; k < r_.parts.size(); ++k) r_.apart.emplace(i, k);
            }
        }
    }

    Context& ctx_;
    rewrite::Restated& r_;
    Choice& choice_;
    bool follow_;  // sites of parts
    Function whole_;
    Site at_;
    std::vector<Expr> vars_;
};

}  // namespace

void change_text(Context& ctx, const Function& f, rewrite::Restated& r, Choice& choice) {
    TextChange(ctx, f, r, choice).run();
}

void widen_loop(Context& ctx, const Function& f, rewrite::Restated& r, Choice& choice) {
    Function whole = f;
    whole.body = r.after;
    std::vector<std::pair<Site, For>> loops;
    for (const auto& [site, s] : all_statements(whole)) {
        if (const For* n = s->as<For>()) loops.emplace_back(site, *n);
    }
    if (loops.empty()) return;
    auto [site, loop] = choice.pick(loops);
    loop.hi = ctx.add(loop.hi, ctx.int_imm(loop.hi->type, choice.between(0, 3)));
    if (loop.kind == ForKind::Serial && choice.chance(40)) loop.kind = ForKind::Parallel;
    r.after = replace_at(ctx, whole, site, ctx.stmt(std::move(loop))).body;
}

void forget(rewrite::Restated& r, std::size_t k) {
    r.parts.erase(r.parts.begin() + static_cast<std::ptrdiff_t>(k));
    const auto moved = [k](std::size_t part) { return part > k ? part - 1 : part; };
    std::set<std::pair<std::size_t, std::size_t>> apart;
    for (const auto& [a, b] : r.apart) {
        if (a != k && b != k) apart.emplace(moved(a), moved(b));
    }
    r.apart = std::move(apart);
}

}  // namespace proviso::fuzz
