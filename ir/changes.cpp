#include "ir/changes.h"

#include <algorithm>

namespace proviso::ir {

namespace {

// Equal in everything but the statements below, which there are as many of.
bool same_surroundings(Stmt a, Stmt b) {
    if (a->data.index() != b->data.index()) return false;
    if (const For* x = a->as<For>()) {
        const For* y = b->as<For>();
        return x->var == y->var && x->lo == y->lo && x->hi == y->hi && x->kind == y->kind &&
               x->thread_tag == y->thread_tag;
    }
    if (const IfElse* x = a->as<IfElse>()) {
        const IfElse* y = b->as<IfElse>();
        return x->cond == y->cond && (x->else_body == nullptr) == (y->else_body == nullptr);
    }
    if (const LetStmt* x = a->as<LetStmt>()) {
        const LetStmt* y = b->as<LetStmt>();
        return x->var == y->var && x->value == y->value;
    }
    if (const Allocate* x = a->as<Allocate>()) return x->buffer == b->as<Allocate>()->buffer;
    if (const Block* x = a->as<Block>()) {
        const Block* y = b->as<Block>();
        return x->name == y->name && x->iters == y->iters && x->predicate == y->predicate &&
               x->reads == y->reads && x->writes == y->writes &&
               (x->init == nullptr) == (y->init == nullptr);
    }
    return a->is<Seq>();
}

class Comparison {
  public:
    void compare(Stmt before, Stmt after) {
        if (before == after) return;
        if (!same_surroundings(before, after)) {
            found.push_back(Change{around_, site_, std::nullopt, {before}, {after}});
            return;
        }
        around_.push_back(after);
        std::visit(
            Overloaded{
                [&](const Seq& n) { lists(before->as<Seq>()->body, n.body); },
                [&](const IfElse& n) {
                    below("then", before->as<IfElse>()->then_body, n.then_body);
                    below("else", before->as<IfElse>()->else_body, n.else_body);
                },
                [&](const Block& n) {
                    below("init", before->as<Block>()->init, n.init);
                    below("body", before->as<Block>()->body, n.body);
                },
                [&](const For& n) { below("body", before->as<For>()->body, n.body); },
                [&](const LetStmt& n) { below("body", before->as<LetStmt>()->body, n.body); },
                [&](const Allocate& n) { below("body", before->as<Allocate>()->body, n.body); },
                [](const auto&) {},
            },
            after->data);
        around_.pop_back();
    }

    std::vector<Change> found;

  private:
    void below(std::string label, Stmt before, Stmt after) {
        if (before == after) return;
        site_.steps.push_back(std::move(label));
        compare(before, after);
        site_.steps.pop_back();
    }

    // Without the statements at both ends that are the same: one by one where as many are left.
    void lists(const std::vector<Stmt>& before, const std::vector<Stmt>& after) {
        const auto [b, a] = std::mismatch(before.begin(), before.end(), after.begin(), after.end());
        const std::size_t first = static_cast<std::size_t>(a - after.begin());
        const std::size_t most = std::min(before.size(), after.size()) - first;
        std::size_t last = 0;
        while (last < most && before[before.size() - 1 - last] == after[after.size() - 1 - last]) {
            ++last;
        }
        if (before.size() == after.size()) {
            for (std::size_t k = first; k + last < after.size(); ++k) {
                below(std::to_string(k), before[k], after[k]);
            }
            return;
        }
        const auto end = [&](const std::vector<Stmt>& list) {
            return list.end() - static_cast<std::ptrdiff_t>(last);
        };
        found.push_back(Change{around_, site_, first, {b, end(before)}, {a, end(after)}});
    }

    std::vector<Stmt> around_;
    Site site_;
};

}  // namespace

Site Change::site_of_added(std::size_t k) const {
    return index ? site.child(std::to_string(*index + k)) : site;
}

std::vector<Change> changes(Stmt before, Stmt after) {
    Comparison c;
    c.compare(before, after);
    return std::move(c.found);
}

}  // namespace proviso::ir
