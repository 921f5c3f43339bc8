// Early exits: `continue`, `break` and `return` as guards of the lines that they skip.
//
//     if c:            if c:         Where exactly one branch of an `if` may come to its end, the
//         X                X         lines after the `if` move into that branch. `c` is evaluated
//         continue     else:         once, before them, as it was.
//     Y                    Y
//
// Everywhere else a flag, a cell of its own, says that an exit was taken. The lines that may be
// skipped stand under `if not flag[0]:`; so does the body of a loop that is left, so that its later
// iterations do nothing:
//     for i in range(n):          stopped = T.alloc_buffer((1,), "bool", scope="local")
//         if c:                   stopped[0] = False
//             break               for i in range(n):
//         X                           if not stopped[0]:
//                                         if c: stopped[0] = True
//                                         else: X
// The bounds of such a loop are evaluated once, before its first iteration, as they were. In
// T.grid the loops inside stand under the guard, too, so that their bounds are not evaluated again.
#include "ir/text/reader/expressions/folding.h"
#include "ir/text/reader/stmt_binder.h"

namespace proviso::ir {

using python::Exit;
using python::Exits;
using python::Leaving;
using python::leaving;
using python::Node;
using python::Statement;
using python::StatementKind;

namespace {

const char* word_of(Exit exit) {
    switch (exit) {
        case Exit::Continue: return "continue";
        case Exit::Break: return "break";
        case Exit::Return: return "return";
    }
    return "";
}

bool is_empty(Stmt s) {
    const Seq* list = s->as<Seq>();
    return list != nullptr && list->body.empty();
}

bool in_order(ForKind kind) {
    return kind == ForKind::Serial || kind == ForKind::Unrolled;
}

}  // namespace

StmtBinder::Flag StmtBinder::new_flag(const std::string& name) {
    Expr one = ctx_.int_imm(kInt32, 1);
    return Flag{ctx_.buffer(names_.unique(name), kBool, {one}, "local"), blocks_};
}

Stmt StmtBinder::set_flag(const Flag& flag, bool value) {
    return ctx_.store(flag.buffer, {ctx_.int_imm(kInt32, 0)}, ctx_.bool_imm(value));
}

Stmt StmtBinder::with_flag(const Flag& flag, Stmt body) {
    return ctx_.stmt(Allocate{flag.buffer, ctx_.seq({set_flag(flag, false), body})});
}

// The flag of an exit at this place; it has no buffer where none was needed so far.
StmtBinder::Flag& StmtBinder::flag_of(Exit exit) {
    if (exit == Exit::Return) return returned_;
    return exit == Exit::Break ? around_.back().stopped : around_.back().skipped;
}

// True while none of these exits was taken.
Expr StmtBinder::none_taken(Exits exits) {
    std::vector<Expr> all;
    for (const Exit exit : {Exit::Continue, Exit::Break, Exit::Return}) {
        if (!exits.has(exit)) continue;
        const Flag& flag = flag_of(exit);
        if (flag.buffer == nullptr) continue;
        all.push_back(ctx_.not_(ctx_.load(flag.buffer, {ctx_.int_imm(kInt32, 0)})));
    }
    return ctx_.all_of(all);
}

Stmt StmtBinder::unless_taken(Exits exits, Stmt body) {
    Expr none = none_taken(exits);
    return is_true(none) ? body : ctx_.if_(none, body);
}

// The line `s`, from which an exit leaves, and the lines after it in its list.
Stmt StmtBinder::bind_leaving(const Statement& s, Lines rest) {
    const Leaving line = leaving(s);
    if (const auto exit = python::exit_of(s)) {
        Stmt out = bind_exit(s, *exit);
        bind_unreached(rest);
        return out;
    }
    if (rest.empty() || !line.completes) {
        Stmt out = bind_line(s);
        bind_unreached(rest);
        return out;
    }
    if (s.is(StatementKind::If)) {
        if (Stmt out = bind_into_branch(s, rest)) return out;
    }
    std::vector<Exit> made;
    for (const Exit exit : {Exit::Continue, Exit::Return}) {
        if (!line.exits.has(exit)) continue;
        if (exit == Exit::Continue && around_.empty()) continue;  // a mistake, and said there
        if (flag_of(exit).buffer != nullptr) continue;
        flag_of(exit) = new_flag(exit == Exit::Continue ? "skipped" : "returned");
        made.push_back(exit);
    }
    Stmt first = bind_line(s);
    Stmt out = ctx_.seq({first, unless_taken(line.exits, bind_guarded(s, rest))});
    for (const Exit exit : made) out = with_flag(std::exchange(flag_of(exit), Flag{}), out);
    return out;
}

// if c: X; continue    Y        as    if c: X    else: Y
// Null where both branches may come to their end.
Stmt StmtBinder::bind_into_branch(const Statement& s, Lines rest) {
    const Leaving yes = leaving(s.body);
    const Leaving no = leaving(s.otherwise);
    // `elif`: its own branches may take the rest.
    const bool chain = s.otherwise.size() == 1 && s.otherwise[0].is(StatementKind::If);
    const bool into_else = !yes.completes && (!no.exits.any() || chain);
    const bool into_then = !no.completes && !yes.exits.any();
    if (!into_else && !into_then) return nullptr;
    Expr cond = bind_truth(s.value, "the condition of `if`");
    // The rest stands in the scope of its own list.
    Stmt then_body = bind_branch(cond, true, [&] {
        Stmt own = bind_body(s.body);
        return into_else ? own : ctx_.seq({own, bind_guarded(s, rest)});
    });
    Stmt else_body = bind_branch(cond, false, [&] {
        if (into_else && no.exits.any()) return bind_chain(s.otherwise[0], rest);
        Stmt own = bind_body(s.otherwise);
        return into_else ? ctx_.seq({own, bind_guarded(s, rest)}) : own;
    });
    if (into_then && is_empty(else_body)) else_body = nullptr;
    if (!is_empty(then_body)) return ctx_.if_(cond, then_body, else_body);
    return ctx_.if_(negated(ctx_, cond), else_body);
}

// An `elif` and what follows the whole of its `if`.
Stmt StmtBinder::bind_chain(const Statement& s, Lines rest) {
    const bool was_top = std::exchange(top_, false);
    const Before* before = std::exchange(before_, nullptr);
    ++depth_;
    enter_guards(s.at, 1);
    Stmt out = bind_leaving(s, rest);
    bodies_ -= 1;
    before_ = before;
    --depth_;
    top_ = was_top;
    return out;
}

// Lines of the list of `s` that stand under a guard.
Stmt StmtBinder::bind_guarded(const Statement& s, Lines rest) {
    const bool was_top = std::exchange(top_, false);
    ++depth_;
    enter_guards(s.at, 1);
    Stmt out = bind_rest(rest);
    bodies_ -= 1;
    --depth_;
    top_ = was_top;
    return out;
}

// Guards stand inside each other, and the program must be printed as text that can be read.
void StmtBinder::enter_guards(python::Position at, int count) {
    if (count == 0) return;
    bodies_ += count;
    if (bodies_ > python::limits_here().brackets / 2 || depth_ > python::kMaxStatements) {
        exprs_.no_meaning(at, "too many early exits follow one another, or stand inside each other",
                          "put the lines that follow them under one `if`");
    }
}

// Lines after an exit: read for their mistakes, and dropped.
void StmtBinder::bind_unreached(Lines lines) {
    if (!lines.empty()) bind_guarded(*lines[0], lines);
}

Stmt StmtBinder::bind_exit(const Statement& s, Exit exit) {
    const std::string word = std::string("`") + word_of(exit) + "`";
    const bool returns = exit == Exit::Return;
    if (!returns && around_.empty()) wrong(s, word + " stands in no loop");
    if (returns && head_ == nullptr) wrong(s, "`return` stands in no function");
    if (const Node* call = python::call_of_exit(s)) {
        check_arguments(exprs_.source(), *call, 0, 1, {});
    }
    if (!returns && python::returned_value(s) != nullptr) wrong(s, word + " takes no value");
    if (in_init_) no_meaning(s, word + " in `T.init` has no meaning here");
    const int before = returns ? 0 : around_.back().concurrent;
    if (concurrent_ != before) {
        no_meaning(s, word + " out of a loop whose iterations run at the same time has no meaning",
                   returns ? "`continue` ends one iteration; put other lines under `if`"
                           : "put the lines that follow under `if`");
    }
    if (exit == Exit::Break) {
        const EnclosingLoop& loop = around_.back();
        if (!loop.in_order) {
            no_meaning(s, "`break` of a loop whose iterations run at the same time has no meaning",
                       "no iteration comes after another: `continue` ends one of them");
        }
        if (loop.several) {
            no_meaning(s, "`break` in `T.grid` has no meaning here",
                       "TVM leaves the innermost loop only: write the loops one by one");
        }
    }
    Stmt result = returns ? bind_returned(s) : ctx_.pass();
    const Flag& flag = flag_of(exit);
    // Nothing that follows looks at it.
    if (flag.buffer == nullptr) return result;
    if (flag.blocks != blocks_) {
        no_meaning(s, word + " out of a block, with lines after it, has no meaning here",
                   "put the loop into the block, or the lines that follow under `if`");
    }
    return ctx_.seq({result, set_flag(flag, true)});
}

// `bind` reads `s`, so many loops inside each other.
Stmt StmtBinder::within_loop(const Statement& s, ForKind kind, int loops,
                             const std::function<Stmt()>& bind) {
    const Exits exits = leaving(s.body).exits;
    const bool several = loops > 1;
    EnclosingLoop loop{in_order(kind), several, concurrent_ + (in_order(kind) ? 0 : 1), {}, {}};
    const bool stops = exits.has(Exit::Break) && loop.in_order && !several;
    if (stops) loop.stopped = new_flag("stopped");
    const bool returns = exits.has(Exit::Return) && returned_.buffer == nullptr;
    if (returns) returned_ = new_flag("returned");
    const int outside = std::exchange(concurrent_, loop.concurrent);
    around_.push_back(loop);
    const int guards = stops || exits.has(Exit::Return) ? loops : 0;
    enter_guards(s.at, guards);
    Stmt out = bind();
    bodies_ -= guards;
    around_.pop_back();
    concurrent_ = outside;
    if (stops) out = with_flag(loop.stopped, out);
    if (returns) out = with_flag(std::exchange(returned_, Flag{}), out);
    return out;
}

}  // namespace proviso::ir
