// Equal branches: `if c: S else: E` where S and E differ in spelling only, given what c says in
// each, and in the names of what they bind. Their expressions are made the same by steps of
// `replace`, so that `decide-branch` sees one statement twice.
//
//   if i == 0: B[i] = A[0]              B[i] = A[i]
//   else:      B[i] = A[i]
#include <nlohmann/json.hpp>
#include <set>

#include "analysis/facts/path.h"
#include "rewrite/passes/passes.h"
#include "rewrite/passes/structure.h"
#include "rewrite/passes/sweep.h"
#include "rewrite/rules/fresh_copy.h"

namespace proviso::rewrite {

using namespace ir;
using nlohmann::json;

namespace {

struct Difference {
    Site first;
    Site second;
    Expr a = nullptr;
    Expr b = nullptr;
};

// Pairs of expressions in which two statements of one shape differ; false: they differ otherwise.
bool differences(Stmt s, Stmt t, const Site& first, const Site& second,
                 std::vector<Difference>& out) {
    constexpr std::size_t kMost = 8;
    if (s == t) return true;
    if (s->data.index() != t->data.index()) return false;
    const std::vector<Child> left = children(s);
    const std::vector<Child> right = children(t);
    if (left.size() != right.size()) return false;
    for (std::size_t k = 0; k < left.size(); ++k) {
        if (left[k].label != right[k].label) return false;
        const Site a = first.child(left[k].label);
        const Site b = second.child(right[k].label);
        if (left[k].stmt != nullptr) {
            if (right[k].stmt == nullptr) return false;
            if (!differences(left[k].stmt, right[k].stmt, a, b, out)) return false;
        } else if (left[k].expr != right[k].expr) {
            if (right[k].expr == nullptr || left[k].expr->type != right[k].expr->type) return false;
            if (out.size() == kMost) return false;
            out.push_back({a, b, left[k].expr, right[k].expr});
        }
    }
    return true;
}

// Stores to one buffer, loops over one variable: what is no expression must be the same already.
bool same_otherwise(Stmt s, Stmt t) {
    if (s == t) return true;
    if (s->data.index() != t->data.index()) return false;
    if (const Store* a = s->as<Store>()) return a->buffer == t->as<Store>()->buffer;
    if (const For* a = s->as<For>()) {
        const For* b = t->as<For>();
        return a->var == b->var && a->kind == b->kind && same_otherwise(a->body, b->body);
    }
    if (const IfElse* a = s->as<IfElse>()) {
        const IfElse* b = t->as<IfElse>();
        if ((a->else_body == nullptr) != (b->else_body == nullptr)) return false;
        return same_otherwise(a->then_body, b->then_body) &&
               (a->else_body == nullptr || same_otherwise(a->else_body, b->else_body));
    }
    if (const LetStmt* a = s->as<LetStmt>()) {
        const LetStmt* b = t->as<LetStmt>();
        return a->var == b->var && same_otherwise(a->body, b->body);
    }
    if (const Allocate* a = s->as<Allocate>()) {
        const Allocate* b = t->as<Allocate>();
        return a->buffer == b->buffer && same_otherwise(a->body, b->body);
    }
    if (const Seq* a = s->as<Seq>()) {
        const Seq* b = t->as<Seq>();
        if (a->body.size() != b->body.size()) return false;
        for (std::size_t k = 0; k < a->body.size(); ++k) {
            if (!same_otherwise(a->body[k], b->body[k])) return false;
        }
        return true;
    }
    return false;
}

// The differences of `first` and `second`, in the names of the first, and in those of the second.
// False: no renaming and no replacing makes them one.
bool differences_by_name(Context& ctx, Stmt first, Stmt second, const Site& site,
                         std::vector<Difference>& in_first, std::vector<Difference>& in_second) {
    Stmt like_first = with_names_of(ctx, second, first);
    Stmt like_second = with_names_of(ctx, first, second);
    if (like_first == nullptr || like_second == nullptr) return false;
    const Site then_part = site.child("then");
    const Site else_part = site.child("else");
    return same_otherwise(first, like_first) && same_otherwise(like_second, second) &&
           differences(first, like_first, then_part, else_part, in_first) &&
           differences(like_second, second, then_part, else_part, in_second) &&
           in_first.size() == in_second.size();
}

bool make_equal(Proposer& p, const Site& site, const IfElse& branch) {
    std::vector<Difference> list;
    std::vector<Difference> mirrored;
    if (!differences_by_name(p.ctx(), branch.then_body, branch.else_body, site, list, mirrored)) {
        return false;
    }
    const std::size_t start = p.derivation().steps().size();
    for (std::size_t k = 0; k < list.size(); ++k) {
        if (p.try_apply("replace", list[k].first, json{{"to", print(list[k].b)}})) continue;
        if (p.try_apply("replace", mirrored[k].second, json{{"to", print(mirrored[k].a)}}))
            continue;
        p.derivation().roll_back(start);
        return false;
    }
    if (p.try_apply("decide-branch", site, json::object())) return true;
    p.derivation().roll_back(start);
    return false;
}

}  // namespace

std::size_t merge_equal_branches(Proposer& p, const std::string& block) {
    const std::size_t start = p.derivation().steps().size();
    std::set<Stmt> refused;
    Sweep sweep([](Stmt s) {
        const IfElse* branch = s->as<IfElse>();
        return branch != nullptr && branch->else_body != nullptr;
    });
    for (bool changed = true; changed;) {
        const Function f = p.current();
        const PassScope scope(f, block);
        changed = sweep.find(f.body, [&](const Site& site, Stmt stmt) {
            if (!scope.contains(site) || !refused.insert(stmt).second) return false;
            return make_equal(p, site, *stmt->as<IfElse>());
        });
    }
    return p.derivation().steps().size() - start;
}

}  // namespace proviso::rewrite
