#include "ir/changes.h"

#include <algorithm>

#include "ir/child_at.h"
#include "ir/children.h"

namespace proviso::ir {

namespace {

class Comparison {
  public:
    void compare(Stmt before, Stmt after) {
        if (before == after) return;
        // Equal in everything but the statements below, which there are as many of. (Allocations
        // stand in one another, as many as a program has buffers.)
        const Allocate* old = before->as<Allocate>();
        const Allocate* now = after->as<Allocate>();
        const bool same =
            old != nullptr && now != nullptr
                ? old->buffer == now->buffer && old->annotations == now->annotations
                : without_statements(before, after) == without_statements(after, after);
        if (!same) {
            found.push_back(Change{around_, site_, std::nullopt, {before}, {after}});
            return;
        }
        around_.push_back(after);
        if (const Seq* list = after->as<Seq>()) {
            lists(before->as<Seq>()->body, list->body);
        } else if (old != nullptr) {
            below("body", old->body, now->body);
        } else {
            for (const char* label : {"then", "else", "init", "body"}) {
                below(label, child_at(before, label).stmt, child_at(after, label).stmt);
            }
        }
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
