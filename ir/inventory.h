// What stands in a whole program: asked of one program after the other, each of which differs from
// the one before in a few places. The answers are those of a walk; they are kept in the context and
// take time with what has changed since the last question.
//
// Why: what is counted, a statement says by itself (of those below it, and of annotations, it
// depends on none). `changes` splits two bodies into statements that both hold, handle for handle,
// surroundings that are the same but for the statements below, and statements removed and added. So
// what the two say differs by what the removed and the added ones say.
#pragma once

#include <map>
#include <set>
#include <string>

#include "ir/changes.h"
#include "ir/children.h"

namespace proviso::ir {

// How often the statements of a body say what they say: `Says` calls back for each thing that a
// statement says by itself.
template <typename Key, typename Says>
class Tally {
  public:
    // From here on about `body`, of the same context as the one before.
    void move_to(Stmt body) {
        if (body == body_) return;
        const auto take = [&](Stmt root, int sign) {
            for_each_stmt(root, [&](Stmt s) {
                Says()(s, [&](const Key& key) {
                    const auto count = counts_.emplace(key, 0).first;
                    count->second += sign;
                    if (count->second == 0) counts_.erase(count);
                });
            });
        };
        if (body_ == nullptr) {
            take(body, 1);
        } else {
            for (const Change& c : changes(body_, body)) {
                for (Stmt s : c.removed) take(s, -1);
                for (Stmt s : c.added) take(s, 1);
            }
        }
        body_ = body;
    }

    bool has(const Key& key) const { return counts_.count(key) != 0; }
    const std::map<Key, int>& counts() const { return counts_; }

  private:
    Stmt body_ = nullptr;
    std::map<Key, int> counts_;  // none is 0
};

// bound_names(f) has the name.
bool binds(Context& ctx, const Function& f, const std::string& name);
// Some statement of `f` stores to the buffer.
bool stores_to(Context& ctx, const Function& f, Buffer buffer);

// Names that are taken: those bound in a function, and more. For fresh_name.
class TakenNames {
  public:
    TakenNames(Context& ctx, const Function& f, std::set<std::string> more)
        : ctx_(&ctx), f_(&f), more_(std::move(more)) {}

    std::size_t count(const std::string& name) const {
        return more_.count(name) + (binds(*ctx_, *f_, name) ? 1 : 0);
    }
    void insert(const std::string& name) { more_.insert(name); }

  private:
    Context* ctx_;
    const Function* f_;
    std::set<std::string> more_;
};

}  // namespace proviso::ir
