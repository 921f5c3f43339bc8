// Derived rules: statement rules that are cases of one theorem. Each writes down the new text and
// how its parts correspond to the old ones; the theorem checks that (rules/reschedule/). So none
// of this is trusted: a mistake is a refusal.
#pragma once

#include "rewrite/rules/reschedule/reschedule.h"

namespace proviso::rewrite {

class RescheduleRule : public Rule {
  public:
    Result<Proposal> propose(ir::Context& ctx, const ir::Function& before, const ir::Site& site,
                             const nlohmann::json& args) const final;

    // Where the text is rescheduled: at the site of the step, if nothing else is said.
    virtual ir::Site place(const ir::Function& before, const ir::Site& site) const;
    // An error means: the rule does not match here, or the arguments are not well-formed.
    virtual Result<Rescheduling> rescheduling(ir::Context& ctx, const ir::Function& before,
                                              const ir::Site& site,
                                              const nlohmann::json& args) const = 0;
};

// The loop at `site`; fails where there is none.
Result<ir::For> loop_at(const ir::Function& f, const ir::Site& site, const std::string& rule);

// The statements of `s`, which stands at `site`: itself, or the elements of the list that it is.
std::size_t list_length(ir::Stmt s);
ir::Site list_element(const ir::Site& site, ir::Stmt s, std::size_t k);

// `whole` as parts: one for each element where `text`, the new one, is a list, since that becomes
// elements of a list around it; `from` and `to` are those of all.
std::vector<Part> as_parts(ir::Stmt text, const Part& whole);

// A loop's body that goes under new loops and perhaps a guard, and how its parts correspond.
struct MovedBody {
    ir::Stmt text = nullptr;
    std::vector<Part> parts;
};
// `body` stands at `origin` in the old text and goes to `now`. `guard` null: none. "if" puts a
// branch around it, "leaf" one around what stands in the loops that `body` is a nest of, "block"
// adds it to the predicates of the blocks in it, which must be under loops only. `from` and `to`
// are those of the loops around; loops of `body` outside of the parts are added.
Result<MovedBody> move_body(ir::Context& ctx, ir::Stmt body, const ir::Site& origin,
                            const ir::Site& now, ir::Expr guard, const std::string& kind,
                            const ir::Substitution& from, const ir::Substitution& to);

}  // namespace proviso::rewrite
