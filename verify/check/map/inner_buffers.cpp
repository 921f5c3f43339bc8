#include "verify/check/map/inner_buffers.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "analysis/facts/path.h"
#include "ir/child_at.h"
#include "ir/text.h"
#include "rewrite/rules/common.h"
#include "rewrite/rules/fresh_copy.h"
#include "rewrite/schedule/restated.h"
#include "verify/check/map/leaves.h"
#include "verify/check/map/map.h"
#include "verify/check/map/spelling.h"
#include "verify/check/map/temporaries.h"

namespace proviso::verify {

using namespace ir;
using namespace rewrite;
using nlohmann::json;

namespace {

struct Inner {
    Buffer buffer = nullptr;    // of the second program
    Buffer whole = nullptr;     // with a dimension for each loop around
    std::vector<Expr> loops;    // around the allocation, outermost first
    std::vector<Label> inside;  // from the body of the innermost loop to the allocation
    bool in_list = false;       // other work comes before it there
};

std::optional<Site> body_of(Proposer& p, const std::string& loop,
                            const std::vector<Label>& inside) {
    const std::optional<Site> at = p.index().loop(loop);
    if (!at) return std::nullopt;
    Site out = at->child("body");
    for (const Label& label : inside) out = out.child(label);
    const Result<Located> there = locate(p.current(), out);
    return there && there->stmt != nullptr ? std::optional(out) : std::nullopt;
}

class Builder {
  public:
    Builder(Proposer& p, const Function& after, Temporaries what, std::vector<std::string>& tried)
        : p_(p), ctx_(p.ctx()), after_(after), what_(what), tried_(tried) {}

    bool run() {
        if (!find()) return false;
        Function wide = after_;
        serial_ = serial(after_.body);
        wide.body = widened(serial_);
        const std::optional<Matched> roots =
            match_temporaries(p_, wide, what_, tried_, used_names(after_));
        if (!roots) return false;
        left_ = roots->left;
        const std::optional<Stmt> target =
            with_nests(roots->mine, locate(wide, roots->wanted)->stmt);
        if (!target || !map_onto(p_, roots->mine, *target, tried_)) return false;
        for (const Inner& b : inner_) {
            if (!stage(b)) return false;
        }
        for (const Inner& b : inner_) {
            if (!inline_buffer(p_, b.whole, tried_)) return false;
        }
        for (auto b = left_.rbegin(); b != left_.rend(); ++b) {
            if (!inline_buffer(p_, *b, tried_)) return false;
        }
        for (const Inner& b : inner_) {
            if (!shrink(b)) return false;
        }
        for (auto b = inner_.rbegin(); b != inner_.rend(); ++b) {
            if (!finish(*b)) return false;
        }
        for (const std::string& unit : units_) {
            if (!take_apart(p_, unit)) return fails("a loop of one iteration stays");
        }
        return std::all_of(concurrent_.begin(), concurrent_.end(),
                           [&](const For& loop) { return bind(loop); });
    }

  private:
    bool fails(std::string why) {
        tried_.push_back(std::move(why));
        return false;
    }

    // The buffers, and what they are called as long as they have a part for each iteration.
    bool find() {
        std::set<std::string> used = used_names(p_.current());
        for (const std::string& name : used_names(after_)) used.insert(name);
        for (const auto& [site, s] : all_statements(after_)) {
            const Allocate* n = s->as<Allocate>();
            if (n == nullptr) continue;
            Inner found;
            found.buffer = n->buffer;
            std::vector<Expr> shape;
            for (const analysis::PassedNode& step : analysis::passed_on_the_way(after_, site)) {
                const For* loop = step.stmt == nullptr ? nullptr : step.stmt->as<For>();
                if (loop == nullptr) {
                    if (step.stmt->is<Allocate>()) continue;  // which goes as well
                    found.inside.emplace_back(step.label);
                    continue;
                }
                found.inside.clear();
                found.loops.push_back(loop->var);
                shape.push_back(loop->hi);
                if (is_int_const(loop->lo, 0) && over_parameters(after_, loop->hi)) continue;
                return fails(
                    fmt::format("{} is allocated within loop {}, whose bounds are not "
                                "over sizes alone",
                                n->buffer->name, *loop->var->name));
            }
            if (found.loops.empty() && found.inside.empty()) continue;
            found.in_list =
                std::any_of(found.inside.begin(), found.inside.end(), [](const Label& l) {
                    return std::isdigit(l.operator const std::string&()[0]) != 0;
                });
            if (found.loops.empty() && !found.in_list) {
                return fails(n->buffer->name + " is allocated in a branch");
            }
            shape.insert(shape.end(), n->buffer->shape.begin(), n->buffer->shape.end());
            found.whole = ctx_.buffer(fresh_name(n->buffer->name + "_all", used), n->buffer->type,
                                      shape, n->buffer->scope);
            inner_.push_back(std::move(found));
        }
        return true;
    }

    // The text with serial loops around these buffers: to which iteration a cell belongs is plain
    // then.
    Stmt serial(Stmt s) {
        return rewrite_stmt(ctx_, s, nullptr, [&](Stmt t) -> Stmt {
            const For* n = t->as<For>();
            if (n == nullptr || n->kind == ForKind::Serial) return t;
            const bool around = std::any_of(inner_.begin(), inner_.end(), [&](const Inner& b) {
                return std::find(b.loops.begin(), b.loops.end(), n->var) != b.loops.end();
            });
            if (!around) return t;
            concurrent_.push_back(*n);
            For copy = *n;
            copy.kind = ForKind::Serial;
            copy.thread_tag.clear();
            return ctx_.stmt(std::move(copy));
        });
    }

    // The loop as the second program has it.
    bool bind(const For& wanted) {
        const std::optional<Site> found = p_.index().loop(*wanted.var->name);
        if (!found) return fails("loop " + *wanted.var->name + " is not there any more");
        const Site& at = *found;
        Stmt old = locate(p_.current(), at)->stmt;
        For loop = *old->as<For>();
        loop.kind = wanted.kind;
        loop.thread_tag = wanted.thread_tag;
        Restated r;
        r.after = ctx_.stmt(For(loop));
        Part part;
        part.now = part.origin = Site{}.child("body");
        add_parts(r, loop.body, part);
        for (std::size_t a = 0; a < r.parts.size(); ++a) {
            for (std::size_t b = a; b < r.parts.size(); ++b) r.apart.emplace(a, b);
        }
        std::optional<Rejection> no;
        if (p_.try_apply("restate", at, restate_arguments(old, r), &no)) return true;
        return fails(fmt::format("iterations of {} at the same time: {}", *loop.var->name,
                                 refusal_text(*no)));
    }

    // The body with the whole buffers, allocated innermost of those around everything.
    Stmt widened(Stmt body) {
        if (const Allocate* n = body->as<Allocate>()) {
            return ctx_.stmt(Allocate{n->buffer, widened(n->body), n->annotations});
        }
        Stmt out = body;
        for (const Inner& b : inner_) {
            out = replace_buffer_in(
                ctx_, out, b.buffer, b.whole,
                [&](std::vector<Expr> index) {
                    index.insert(index.begin(), b.loops.begin(), b.loops.end());
                    return index;
                },
                true, true);
        }
        out = rewrite_stmt(ctx_, out, nullptr, [&](Stmt s) {
            const Allocate* n = s->as<Allocate>();
            const bool whole = n != nullptr && is_whole(n->buffer);
            return whole ? n->body : s;
        });
        for (auto b = inner_.rbegin(); b != inner_.rend(); ++b) {
            out = ctx_.stmt(Allocate{b->whole, out});
        }
        return out;
    }

    bool is_whole(Buffer b) const {
        const bool left = std::find(left_.begin(), left_.end(), b) != left_.end();
        return left || std::any_of(inner_.begin(), inner_.end(),
                                   [&](const Inner& one) { return one.whole == b; });
    }

    // All stores in it are to whole buffers or such that go in the end, and there is one.
    bool only_fills(Stmt s) const {
        const std::vector<Buffer> stored = analysis::stored_buffers(s);
        return !stored.empty() && !analysis::contains_assert(s) &&
               !analysis::contains_extern_call(s) &&
               std::all_of(stored.begin(), stored.end(), [&](Buffer b) { return is_whole(b); });
    }

    // The text without what fills whole buffers, and with the nests that the program has for that
    // now, as soon as what they read has its value.
    std::optional<Stmt> with_nests(const Site& root, Stmt text) {
        Stmt rest = without_fills(text);
        std::vector<Stmt> elements = {rest};
        if (const Seq* list = rest->as<Seq>()) elements = list->body;
        Stmt now = locate(p_.current(), root)->stmt;
        const Seq* list = now->as<Seq>();
        if (list == nullptr) return rest;
        std::size_t at = 0;
        for (Stmt nest : list->body) {
            if (!only_fills(nest)) continue;
            for (std::size_t k = at; k < elements.size(); ++k) {
                for (Buffer b : analysis::stored_buffers(elements[k])) {
                    if (reads(nest, b)) at = k + 1;
                }
            }
            elements.insert(elements.begin() + static_cast<std::ptrdiff_t>(at), nest);
            ++at;
        }
        return ctx_.seq(elements);
    }

    static bool reads(Stmt s, Buffer buffer) {
        bool out = false;
        for_each_expr(s, [&](Expr e) {
            const std::vector<Buffer> all = loaded_buffers(e);
            out = out || std::find(all.begin(), all.end(), buffer) != all.end();
        });
        return out;
    }

    Stmt without_fills(Stmt s) {
        if (only_fills(s)) return ctx_.pass();
        return std::visit(
            Overloaded{
                [&](const Seq& n) {
                    std::vector<Stmt> out;
                    for (Stmt part : n.body) out.push_back(without_fills(part));
                    return ctx_.seq(out);
                },
                [&](const For& n) {
                    For copy = n;
                    copy.body = without_fills(n.body);
                    return ctx_.stmt(std::move(copy));
                },
                [&](const IfElse& n) {
                    return ctx_.if_(n.cond, without_fills(n.then_body),
                                    n.else_body == nullptr ? nullptr : without_fills(n.else_body));
                },
                [&](const LetStmt& n) {
                    return ctx_.stmt(LetStmt{n.var, n.value, without_fills(n.body)});
                },
                [&](const auto&) { return s; },
            },
            s->data);
    }

    // The part of an iteration in a copy.
    bool stage(const Inner& b) {
        std::set<std::string> used = used_names(p_.current());
        for (const std::string& name : used_names(after_)) used.insert(name);
        json args = {
            {"buffer", b.whole->name}, {"name", b.buffer->name}, {"scope", b.buffer->scope}};
        for (std::size_t d = 0; d < b.whole->rank(); ++d) {
            const bool is_loop = d < b.loops.size();
            args["names"].push_back(fresh_name("part" + std::to_string(d), used));
            args["offsets"].push_back(is_loop ? *b.loops[d]->name : "0");
            args["extents"].push_back(is_loop ? "1" : print(b.buffer->shape[d - b.loops.size()]));
        }
        const std::optional<Site> where = place(b);
        if (!where)
            return fails("what " + b.buffer->name + " is allocated for is no loop of its own");
        const Site& at = *where;
        std::optional<Rejection> no;
        if (p_.try_apply("stage-read", at, args, &no)) return true;
        return fails(
            fmt::format("{} in the place of its part: {}", b.buffer->name, refusal_text(*no)));
    }

    // Below the allocations that stand there already.
    std::optional<Site> place(const Inner& b) {
        Site at;
        if (b.in_list) {
            const std::optional<Site> list = among_others(b);
            if (!list) return std::nullopt;
            at = *list;
        } else {
            const std::optional<Site> body = body_of(p_, *b.loops.back()->name, b.inside);
            if (!body) return std::nullopt;
            at = *body;
        }
        while (locate(p_.current(), at)->stmt->is<Allocate>()) at = at.child("body");
        return at;
    }

    // What the allocation is for, where it stands in a list after other work: a loop, or several,
    // which are put under one of one iteration.
    std::optional<Site> among_others(const Inner& b) {
        std::vector<std::string> loops;
        Stmt inside = nullptr;
        for_each_stmt(serial_, [&](Stmt s) {
            const Allocate* n = s->as<Allocate>();
            if (n != nullptr && n->buffer == b.buffer) inside = n->body;
        });
        std::vector<Stmt> elements;
        flat(inside, elements);
        for (Stmt s : elements) {
            if (fills(s)) continue;
            const For* n = s->as<For>();
            if (n == nullptr) return std::nullopt;
            loops.push_back(*n->var->name);
        }
        if (loops.empty()) return std::nullopt;
        std::optional<Site> first = p_.index().loop(loops.front());
        const std::optional<Site> last = p_.index().loop(loops.back());
        if (!first || !last || loops.size() == 1) return first;
        const bool neighbours = first->parent() == last->parent() &&
                                locate(p_.current(), first->parent())->stmt->is<Seq>();
        if (!neighbours) return std::nullopt;
        std::set<std::string> used = used_names(p_.current());
        for (const std::string& name : used_names(after_)) used.insert(name);
        const std::string unit = fresh_name("together", used);
        if (!put_together(p_, first->parent(), std::stoul(first->steps.back()),
                          std::stoul(last->steps.back()), unit)) {
            return std::nullopt;
        }
        units_.push_back(unit);
        return p_.index().loop(unit)->child("body");
    }

    // The elements of a list, and of those within allocations in it.
    static void flat(Stmt s, std::vector<Stmt>& out) {
        if (const Allocate* n = s->as<Allocate>()) return flat(n->body, out);
        if (const Seq* list = s->as<Seq>()) {
            for (Stmt element : list->body) flat(element, out);
            return;
        }
        out.push_back(s);
    }

    // Stores to buffers of this kind only.
    bool fills(Stmt s) const {
        const std::vector<Buffer> stored = analysis::stored_buffers(s);
        return !stored.empty() && std::all_of(stored.begin(), stored.end(), [&](Buffer b) {
            return std::any_of(inner_.begin(), inner_.end(),
                               [&](const Inner& one) { return one.buffer == b; });
        });
    }

    // The copy without the dimensions of one cell.
    bool shrink(const Inner& b) {
        if (b.loops.empty()) return true;
        std::set<std::string> used = used_names(p_.current());
        for (const std::string& name : used_names(after_)) used.insert(name);
        json args = {{"buffer", b.buffer->name}, {"pad", "none"}};
        for (std::size_t d = 0; d < b.whole->rank(); ++d) {
            const std::string index = fresh_name("x" + std::to_string(d), used);
            args["vars"].push_back(index);
            if (d < b.loops.size()) {
                args["inverse"].push_back("0");
                continue;
            }
            const std::string place = fresh_name("p" + std::to_string(d), used);
            args["map"].push_back(index);
            args["physical_vars"].push_back(place);
            args["inverse"].push_back(place);
            args["shape"].push_back(print(b.buffer->shape[d - b.loops.size()]));
        }
        std::optional<Rejection> no;
        if (!p_.try_apply("relayout", Site{}, args, &no)) {
            return fails("the extents of " + b.buffer->name + ": " + refusal_text(*no));
        }
        return true;
    }

    // What the second program does with the copy.
    bool finish(const Inner& b) {
        std::optional<Site> at;
        for (const auto& [site, s] : all_statements(p_.current())) {
            const Allocate* n = s->as<Allocate>();
            if (n != nullptr && n->buffer->name == b.buffer->name) at = site;
        }
        if (!at) return fails(b.buffer->name + " is not there any more");
        Stmt target = nullptr;
        for_each_stmt(serial_, [&](Stmt s) {
            const Allocate* n = s->as<Allocate>();
            if (n != nullptr && n->buffer == b.buffer) target = n->body;
        });
        const Site body = at->child("body");
        if (locate(p_.current(), body)->stmt == target) return true;
        if (target->is<Allocate>() && locate(p_.current(), body)->stmt->is<Allocate>()) return true;
        return map_onto(p_, body, target, tried_);
    }

    Proposer& p_;
    Context& ctx_;
    const Function& after_;
    const Temporaries what_;
    std::vector<std::string>& tried_;
    std::vector<Inner> inner_;
    std::vector<Buffer> left_;  // of the first program, until nothing is computed from them
    Stmt serial_ = nullptr;     // the body of the second program, with serial loops around them
    std::vector<std::string> units_;  // loops of one iteration
    std::vector<For> concurrent_;     // loops around them, innermost first
};

}  // namespace

bool has_inner_buffers(const Function& f) {
    Stmt body = f.body;
    while (const Allocate* n = body->as<Allocate>()) body = n->body;
    bool found = false;
    for_each_stmt(body, [&](Stmt s) { found = found || s->is<Allocate>(); });
    return found;
}

bool reach_with_inner_buffers(Proposer& p, const Function& after, Temporaries what,
                              std::vector<std::string>& tried) {
    return Builder(p, after, what, tried).run();
}

}  // namespace proviso::verify
