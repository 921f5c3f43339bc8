#include "rewrite/simplify/licensed.h"

#include <algorithm>
#include <unordered_set>

#include "ir/children.h"
#include "rewrite/expression_rules/pattern_build.h"

namespace proviso::rewrite {

using ir::Expr;

namespace {

// The pattern with its variables replaced, and nothing computed.
Expr spelled_out(ir::Context& ctx, Expr pattern, const Bindings& bindings) {
    if (pattern->args.empty()) return build(ctx, pattern, bindings);
    std::vector<Expr> args;
    for (Expr a : pattern->args) args.push_back(spelled_out(ctx, a, bindings));
    return ir::with_args(ctx, pattern, std::move(args));
}

class Finder {
  public:
    Finder(ir::Context& ctx, const RuleBook& book, const LicensedSearch& search)
        : ctx_(ctx), book_(book), search_(search) {}

    std::optional<LicensedChange> in(Expr e) {
        if (!seen_.insert(e).second) return std::nullopt;
        for (std::size_t i = 0; i < e->args.size(); ++i) {
            path_.push_back(i);
            if (auto found = in(e->arg(i))) return found;
            path_.pop_back();
        }
        return at(e);
    }

  private:
    bool granted(const RuleInstance& rule) const {
        return std::all_of(std::begin(kLicences), std::end(kLicences), [&](const char* licence) {
            const auto& all = search_.granted;
            return !rule.licensed(licence) ||
                   std::find(all.begin(), all.end(), licence) != all.end();
        });
    }

    std::optional<LicensedChange> at(Expr e) {
        std::optional<LicensedChange> out;
        book_.match(e, [&](const RuleInstance& rule, const Bindings& bindings) {
            if (rule.rule->licences.empty() || !granted(rule)) return false;
            LicensedChange change;
            change.path = path_;
            change.before = e;
            change.after = build(ctx_, rule.right, bindings);
            if (change.after == nullptr || change.after == e || change.after->size > e->size) {
                return false;
            }
            const auto needs = build_needs(ctx_, rule, bindings);
            if (!needs) return false;
            change.conditions = *needs;
            change.rule = rule.rule->name;
            for (const char* licence : kLicences) {
                if (rule.licensed(licence)) change.licences.emplace_back(licence);
            }
            if (rule.licensed("reassociate")) change.sum = spelled_out(ctx_, rule.right, bindings);
            for (int slot = 0; slot < kSlots; ++slot) {
                Expr term = bindings.terms[static_cast<std::size_t>(slot)];
                if (term != nullptr) change.bindings.emplace_back(slot_name(slot), term);
            }
            const bool hold = std::all_of(needs->begin(), needs->end(),
                                          [&](Expr n) { return search_.holds(path_, n); });
            if (!hold || !search_.take(change)) return false;
            out = std::move(change);
            return true;
        });
        return out;
    }

    static constexpr const char* kLicences[] = {"no_signed_zero", "reassociate"};

    ir::Context& ctx_;
    const RuleBook& book_;
    const LicensedSearch& search_;
    std::vector<std::size_t> path_;
    std::unordered_set<Expr> seen_;
};

}  // namespace

std::optional<LicensedChange> find_licensed(ir::Context& ctx, const RuleBook& book, Expr e,
                                            const LicensedSearch& search) {
    if (search.granted.empty()) return std::nullopt;
    return Finder(ctx, book, search).in(e);
}

Expr with_change(ir::Context& ctx, Expr e, const LicensedChange& change) {
    std::vector<Expr> above;
    for (const std::size_t i : change.path) {
        above.push_back(e);
        e = e->arg(i);
    }
    Expr out = change.after;
    for (std::size_t k = above.size(); k-- > 0;) {
        std::vector<Expr> args(above[k]->args.begin(), above[k]->args.end());
        args[change.path[k]] = out;
        out = ir::with_args(ctx, above[k], std::move(args));
    }
    return out;
}

}  // namespace proviso::rewrite
