#include "ir/changes.h"

#include <algorithm>

#include "ir/children.h"

namespace proviso::ir {

namespace {

class Comparison {
  public:
    void compare(Stmt before, Stmt after) {
        if (before == after) return;
        const Allocate* old = before->as<Allocate>();
        const Allocate* now = after->as<Allocate>();
        if (old != nullptr && now != nullptr && old->buffer == now->buffer &&
            old->annotations == now->annotations) {  // many of them stand in one another
            around_.push_back(after);
            below("body", old->body, now->body);
            around_.pop_back();
            return;
        }
        // Equal in everything but the statements below, which there are as many of.
        if (!(without_statements(before, after) == without_statements(after, after))) {
            found.push_back(Change{around_, site_, std::nullopt, {before}, {after}});
            return;
        }
        around_.push_back(after);
        if (const Seq* list = after->as<Seq>()) {
            lists(before->as<Seq>()->body, list->body);
        } else {
            const std::vector<Child> was = children(before);
            const std::vector<Child> is = children(after);
            for (std::size_t k = 0; k < is.size(); ++k) {
                if (is[k].stmt != nullptr) below(is[k].label, was[k].stmt, is[k].stmt);
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
