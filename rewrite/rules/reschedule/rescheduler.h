// The check of one rescheduling: what the texts are (reschedule.cpp), what stands around their
// parts (control.cpp) and is evaluated without a fault (evaluated.cpp), which instances correspond
// (correspondence.cpp), what is left out (left_out.cpp) or extra (extra.cpp), and in which order
// they are (order.cpp).
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "analysis/memory/claims.h"
#include "ir/text.h"
#include "rewrite/rules/reschedule/reschedule.h"

namespace proviso::rewrite {

// An expression that is evaluated on the way to a part, and the conditions under which it is.
struct Evaluated {
    ir::Expr value;
    std::size_t under;  // so many of the conditions
    ir::Site site;      // of the construct
    std::string what;
    bool reads_stored;         // memory that the text may have stored to before
    bool frozen = false;       // a let's, of the value that it has then
    ir::Expr holds = nullptr;  // what is true besides, or a fault; null: nothing
};

// What stands around a part, from the root of the text inwards: loops, guards, lets, blocks, lists.
struct Around {
    std::vector<ir::Expr> vars;  // that loops, lets and blocks bind
    // Ranges of loops, guards, values of lets and iterators, starts of reductions around an init.
    std::vector<ir::Expr> conditions;
    std::vector<Evaluated> evaluated;
    // Lets whose value nothing in them changes: the name is as good as the value.
    std::vector<std::pair<ir::Expr, ir::Expr>> lets;
    // Statements of the text that may have run when what stands around is evaluated.
    std::vector<ir::Stmt> passed;
};

// What a condition over constants is; nullopt: there are variables in it.
std::optional<bool> outcome(ir::Expr e);

// The variable is the value, bit for bit.
ir::Expr equals(ir::Context& ctx, ir::Expr value, ir::Expr var);

class Rescheduler {
  public:
    Rescheduler(ir::Context& ctx, const ir::Function& before, const ir::Site& site,
                const Rescheduling& r)
        : ctx_(ctx), before_(before), site_(site), r_(r) {}

    Result<Proposal> run();

  private:
    struct Piece {
        const Part* part;
        ir::Site now, origin;  // in the functions
        Around here, there;
        std::vector<ir::Expr> runs_here, runs_there;  // conditions, those there at `from`
    };
    // A part at an iteration: conditions and places, now and before.
    struct Place {
        std::vector<ir::Expr> runs;
        analysis::Instance now, origin;
        ir::Substitution from;
    };

    // Texts.
    static void add_fact(std::vector<ir::Expr>& facts, ir::Expr e);
    void owe(analysis::Purpose purpose, const std::vector<std::vector<ir::Expr>>& more,
             ir::Expr goal);
    // The old text, and the function with the new one in its place.
    Status take_old_text();
    // The text is a list whose statements stand in a list of the function.
    bool is_spliced(ir::Stmt text, const ir::Site& root) const;
    // A site of the new text, in the function: a list in a list is one list there. None where it is
    // no statement of the text, or all of such a list.
    std::optional<ir::Site> in_function(const ir::Site& relative, ir::Stmt text,
                                        const ir::Site& root) const;
    // The values of a part are over what is in scope at the site, and the loop variables around it.
    Status is_over(ir::Expr e, const std::vector<ir::Expr>& vars) const;
    ir::Function without_claims() const;
    Status add(const Part& part);
    // Parts are of statements of their own: none is in another one, or in what is left out.
    Status stands_apart(const Part& part) const;
    // A statement is moved by substitution only where it binds none of the names that are replaced,
    // and no name of the new values.
    static Status no_capture(ir::Stmt s, const ir::Substitution& from);
    static bool binds(const ir::Substitution& values, const std::vector<ir::Expr>& vars);
    // Evaluated twice, in one memory, it is the same.
    Status is_value(ir::Expr e) const;
    // The value is the one at the start, where no more than `passed` stores in between.
    Status constant(ir::Expr e, const std::vector<ir::Stmt>& passed) const;
    Status take_value(ir::Expr e, const ir::Site& site, std::string what, Around& out) const;
    Status take_let(const ir::LetStmt& n, const ir::Site& site, Around& out) const;
    // `label`: the child that is on the way.
    Status take_block(const ir::Block& n, const ir::Site& site, const std::string& label,
                      bool is_new, Around& out) const;
    // `moved` is `stands`, up to the names that it binds; or it is where the names of lets around
    // the part are replaced by their values.
    Status is_same_text(ir::Stmt moved, ir::Stmt stands, const Part& part, const Around& here);
    // An allocation or a let of the old text that its body does not mention: it may go. Of the new
    // text, an allocation of constant extents: it may come.
    bool is_unused(ir::Stmt s, bool is_new) const;
    // From the root of the text to `target`.
    Status collect(const ir::Function& f, const ir::Site& root, const ir::Site& target, bool is_new,
                   Around& out);
    // Every statement of a text is in a part; what stands around parts calls nothing. What stands
    // around nothing in the new text is evaluated as well.
    Status every_statement(ir::Stmt s, const ir::Site& at, bool is_new);

    // Evaluated.
    void take_first_facts();
    // What the old text evaluates around its parts whatever happens, at the start or later, where
    // it is the same; `passed`: what may have run before.
    bool evaluated_first(ir::Stmt s, const ir::Site& at, std::vector<ir::Stmt>& passed);
    // What the old text evaluated on its way to the instance that this one is.
    std::vector<ir::Expr> evaluated_there(const Piece& p) const;
    // What holds where the part runs now: its conditions, and that what the old text evaluated on
    // its way there, under conditions that are among them, has no fault.
    std::vector<ir::Expr> evaluated_here(const Piece& p) const;
    // Lets of the old text, whose values are taken to be functions of the state, freeze nothing.
    void lets_are_definite();
    // When the old text evaluates `e` whatever happens, as it is at the start; null: not known to.
    ir::Expr evaluated_anyway(ir::Expr e) const;
    // What is known then: it has no fault, and its cells may be touched.
    std::vector<ir::Expr> known_anyway(ir::Expr e, ir::Expr anyway) const;
    // Obligation 1. What was evaluated first in the old text is not owed again.
    void compute_safely();
    using Asked = std::tuple<ir::Site, std::string, ir::Expr>;
    void compute_safely(const Around& here, const Piece* p, std::set<Asked>& done);
    // Nothing stops the old text before it evaluates what is on the way to the part, or what might
    // has not done so by the time the new text evaluates this.
    bool was_evaluated(const Piece& p, const Evaluated& e) const;
    // Its cells may be touched, and nobody else is writing them: each is read by the old text
    // whatever happens; or the layouts allow it, and no loop around is concurrent, or the old text
    // evaluates `e` anyway (null: not known to).
    ir::Expr may_be_read(ir::Expr e, ir::Expr anyway) const;

    // Correspondence.
    // What stands around parts has the value that it has at the start, also where a part may have
    // stored to what it reads.
    void control_stays();
    // Memory that `e` reads has no other value at the construct `at` of the text, where `known`
    // holds, than at the start: nothing stores to those cells in between.
    void stays(ir::Expr e, const ir::Site& at, bool is_new, const std::vector<ir::Expr>& known);
    bool is_in(const ir::Site& at, bool is_new) const;
    const analysis::MemoryModel& memory(bool is_new);
    // Obligations 2 and 3, of one part.
    void correspond(const Piece& p);
    // The goals that are not among the facts already.
    ir::Expr open(const std::vector<ir::Expr>& goals, const std::vector<ir::Expr>& facts) const;
    // Obligations 2 and 3, of parts with one origin, or with one place.
    Status each_instance_once();
    void one_of(const std::vector<ir::Expr>& cases, const std::vector<ir::Expr>& runs,
                const analysis::Purpose& none, const analysis::Purpose& two);
    // Left out. Where `goes` is false, an instance of the statement has no effect, or none that is
    // seen; `runs`: where it runs.
    Status without_effect(const ir::Site& origin, ir::Expr goes, const std::vector<ir::Expr>& runs);
    // What the guards between the two say, but for those that read buffers of the part's own.
    std::vector<ir::Expr> guards_between(const ir::Site& part, const ir::Site& inner,
                                         const std::set<ir::Buffer>& own) const;
    // Memory is another one where something is left out that had an effect: no value that the
    // proposal brings along is of what `left_out` stores to.
    Status reads_nothing_of(ir::Stmt left_out) const;
    // The store, in `root`, leaves nothing that is seen, for the reason that is given.
    Status unseen(const ir::Store& store, const ir::Site& at, const ir::Site& root,
                  const nlohmann::json& reason, std::vector<ir::Expr> facts, ir::Expr left_out);

    // What runs at these places, and comes from nowhere where `guard` is false, goes unnoticed.
    Status unnoticed(const std::vector<ir::Site>& places, ir::Expr guard);

    // Order.
    Place place(const Piece& p, const analysis::Access& now, const analysis::Access& origin,
                const ir::Substitution& copies) const;
    // Pieces that follow each other in one list, now as before, at the same iterations, where
    // nothing else is: to what is beside them, all of them have the same order.
    struct Run {
        std::size_t first, end;  // numbers of pieces
    };
    std::vector<Run> runs_of_pieces() const;
    // Obligation 4.
    Status keep_order();
    Status accesses_keep_order(std::size_t a, std::size_t b, const Place& one, const Place& other,
                               ir::Expr first, ir::Expr goal, const ir::TakenNames& used);
    std::string words_of(const std::string& buffer) const;
    // The operator, free of order, by which the access's statement accumulates in the cell.
    std::optional<ir::Op> accumulates(const analysis::Access& a) const;
    bool exchange(const analysis::Access& a, const analysis::Access& b) const;
    // The access at this iteration of its part, and at any one of the loops in it.
    analysis::Instance inner(const analysis::Access& a, const ir::Substitution& from,
                             ir::TakenNames& names) const;
    static Status may_change_places(ir::Stmt s);

    ir::Context& ctx_;
    const ir::Function& before_;
    const ir::Site& site_;
    const Rescheduling& r_;
    ir::Stmt old_ = nullptr;
    ir::Site now_ = site_;  // of the new text
    Proposal out_;
    std::vector<ir::Expr> known_;
    ir::Scope scope_;  // at the site
    std::vector<Piece> pieces_;
    std::vector<Around> bare_;     // around nothing, in the new text
    std::vector<ir::Expr> first_;  // evaluated_first
    bool reads_more_ = false;      // memory, around the parts
    bool reads_inside_ = false;    // and in them
    std::optional<analysis::MemoryModel> memory_, new_memory_;
    std::set<std::pair<ir::Site, ir::Expr>> stay_;  // of the old text, that are owed to stay
};

}  // namespace proviso::rewrite
