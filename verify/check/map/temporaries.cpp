#include "verify/check/map/temporaries.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "analysis/facts/facts.h"
#include "analysis/facts/path.h"
#include "analysis/memory/access.h"
#include "ir/text.h"
#include "rewrite/passes/passes.h"
#include "rewrite/rules/fresh_copy.h"
#include "rewrite/schedule/fresh_buffer.h"
#include "rewrite/schedule/primitives/stored_value.h"
#include "rewrite/schedule/reader/interpreter/unused.h"
#include "rewrite/schedule/restated.h"
#include "verify/check/map/copied_buffer.h"
#include "verify/check/map/instances.h"
#include "verify/check/map/reshaped_buffers.h"
#include "verify/check/map/spelling.h"

namespace proviso::verify {

using namespace ir;
using namespace rewrite;

namespace {

constexpr std::size_t kMostLoads = 64;  // that are inlined
constexpr int kMostInARow = 8;          // buffers, each computed from the next one

// The buffers allocated around everything, outermost first.
std::vector<Buffer> outer(Stmt body) {
    std::vector<Buffer> out;
    for (const Allocate* n = body->as<Allocate>(); n != nullptr; n = n->body->as<Allocate>()) {
        out.push_back(n->buffer);
    }
    return out;
}
std::vector<Buffer> outer(const Function& f) {
    return outer(f.body);
}

bool alike(Buffer a, Buffer b) {
    return a->type == b->type && a->scope == b->scope &&
           std::equal(a->shape.begin(), a->shape.end(), b->shape.begin(), b->shape.end());
}

std::optional<LoadAt> next_load(Proposer& p, Buffer buffer) {
    for (const analysis::Access& a : p.memory().all()) {
        if (a.is_store || a.buffer != buffer) continue;
        const Result<Located> at = locate(p.current(), a.site);
        if (at && at->expr != nullptr) return LoadAt{a.site, a.statement, at->expr};
    }
    return std::nullopt;
}

Site depth(std::size_t count) {
    Site out;
    for (std::size_t k = 0; k < count; ++k) out = out.child("body");
    return out;
}

class Matcher {
  public:
    Matcher(Proposer& p, const Function& after, Temporaries what, std::vector<std::string>& tried,
            const std::set<std::string>& taken)
        : p_(p), ctx_(p.ctx()), after_(after), what_(what), tried_(tried), taken_(taken) {
        for (const std::string& name : used_names(after)) taken_.insert(name);
    }

    std::optional<Matched> run() {
        const std::vector<Buffer> wanted = outer(after_);
        Matched same{depth(wanted.size()), depth(wanted.size()), {}};
        if (what_ == Temporaries::Inline) inline_all();
        if (outer(p_.current()) == wanted) return same;
        reshape(outer(p_.current()), wanted);
        if (!rename(pairs(outer(p_.current()), wanted))) return std::nullopt;
        for (Buffer b : outer(p_.current())) {
            if (std::find(wanted.begin(), wanted.end(), b) != wanted.end()) continue;
            if (what_ == Temporaries::Compute) {
                left_.push_back(b);
            } else if (!inline_buffer(p_, b, tried_)) {
                return std::nullopt;
            }
        }
        std::vector<Buffer> all = left_;
        all.insert(all.end(), wanted.begin(), wanted.end());
        for (std::size_t k = 0; k < all.size(); ++k) {
            const std::vector<Buffer> have = outer(p_.current());
            if (k < have.size() && have[k] == all[k]) continue;
            if (k < have.size() || !fill(all[k], depth(k))) break;
        }
        if (outer(p_.current()) == all) return Matched{depth(all.size()), same.wanted, left_};
        fails("the second program allocates other buffers, or in another order");
        return std::nullopt;
    }

  private:
    void fails(std::string why) { tried_.push_back(std::move(why)); }

    // What cannot be inlined stays as it is.
    void inline_all() {
        std::vector<Buffer> all;
        for_each_stmt(p_.current().body, [&](Stmt s) {
            if (const Allocate* n = s->as<Allocate>()) all.push_back(n->buffer);
        });
        std::vector<std::string> unheard;
        for (Buffer b : all) {
            const std::size_t start = p_.derivation().steps().size();
            if (!inline_buffer(p_, b, unheard)) p_.derivation().roll_back(start);
        }
    }

    // Which is which: by name, else the first of the same type and extents.
    static std::vector<std::pair<Buffer, Buffer>> pairs(const std::vector<Buffer>& mine,
                                                        const std::vector<Buffer>& wanted) {
        std::vector<std::pair<Buffer, Buffer>> out;
        const auto taken = [&](Buffer b) {
            return std::any_of(out.begin(), out.end(), [&](const auto& pair) {
                return pair.first == b || pair.second == b;
            });
        };
        for (const bool by_name : {true, false}) {
            for (Buffer a : mine) {
                for (Buffer b : wanted) {
                    if (taken(a) || taken(b) || !alike(a, b)) continue;
                    if (!by_name || a->name == b->name) out.emplace_back(a, b);
                }
            }
        }
        return out;
    }

    // Those of the first program that have no counterpart get the extents of one, where they can.
    void reshape(std::vector<Buffer> mine, std::vector<Buffer> wanted) {
        for (const auto& [a, b] : pairs(mine, wanted)) {
            std::erase(mine, a);
            std::erase(wanted, b);
        }
        reshape_buffers(p_, mine, wanted, taken_);
    }

    // All that the program binds gets names that neither program uses, but for these buffers, which
    // get those of the second one. Twice, where such a name has another meaning yet.
    bool rename(const std::vector<std::pair<Buffer, Buffer>>& same) {
        const std::set<std::string> mine = bound_names(p_.current());
        const bool taken = std::any_of(same.begin(), same.end(), [&](const auto& pair) {
            return mine.count(pair.second->name) != 0;
        });
        std::vector<std::pair<std::size_t, std::string>> names;  // of allocations, by their number
        const std::vector<Buffer> all = outer(p_.current());
        for (const auto& [a, b] : same) {
            names.emplace_back(std::find(all.begin(), all.end(), a) - all.begin(), b->name);
        }
        return (!taken || fresh_names({})) && fresh_names(names);
    }

    bool fresh_names(const std::vector<std::pair<std::size_t, std::string>>& wanted) {
        std::set<std::string> used = used_names(p_.current());
        used.insert(taken_.begin(), taken_.end());
        Stmt old = p_.current().body;
        Stmt text = fresh_copy(ctx_, old, used);
        std::map<std::string, std::string> names;
        const std::vector<Buffer> made = outer(text);
        for (const auto& [k, name] : wanted) names[made[k]->name] = name;
        Restated r;
        r.after = with_buffers(text, names);
        r.parts.emplace_back();
        if (r.after == old) return true;
        std::optional<Rejection> no;
        if (p_.try_apply("restate", Site{}, restate_arguments(old, r), &no)) return true;
        fails("other names for what is allocated: " + refusal_text(*no));
        return false;
    }

    Stmt with_buffers(Stmt text, const std::map<std::string, std::string>& names) {
        const auto renamed = [&](Buffer b) -> Buffer {
            const auto found = names.find(b->name);
            if (found == names.end()) return b;
            return ctx_.buffer(found->second, b->type, {b->shape.begin(), b->shape.end()},
                               b->scope);
        };
        const auto in_expr = [&](Expr e) {
            return rewrite_expr(ctx_, e, [&](Expr n) {
                if (n->op != Op::Load) return n;
                return ctx_.load(renamed(n->buffer), {n->args.begin(), n->args.end()});
            });
        };
        return rewrite_stmt(ctx_, text, in_expr, [&](Stmt s) -> Stmt {
            if (const Store* n = s->as<Store>()) {
                return ctx_.store(renamed(n->buffer), n->indices, n->value);
            }
            if (const Allocate* n = s->as<Allocate>()) {
                Allocate copy = *n;
                copy.buffer = renamed(n->buffer);
                return ctx_.stmt(std::move(copy));
            }
            if (const Block* n = s->as<Block>()) {
                Block copy = *n;
                for (auto* regions : {&copy.reads, &copy.writes}) {
                    if (!regions->has_value()) continue;
                    for (BufferRegion& r : **regions) r.buffer = renamed(r.buffer);
                }
                return ctx_.stmt(std::move(copy));
            }
            return s;
        });
    }

    // A buffer that the second program alone allocates, with what it stores there, in loops of its
    // own: around the statement at `around`, as soon as what is read has its value.
    bool fill(Buffer buffer, const Site& around) {
        std::set<std::string> used = used_names(p_.current());
        used.insert(taken_.begin(), taken_.end());
        FreshBuffer b;
        b.around = around;
        b.name = buffer->name;
        b.type = buffer->type;
        b.scope = buffer->scope;
        b.shape.assign(buffer->shape.begin(), buffer->shape.end());
        b.block = fresh_name(buffer->name + "_fill", used);
        for (std::size_t d = 0; d < b.shape.size(); ++d) {
            const std::string digit = std::to_string(d);
            b.loops.push_back(fresh_name(buffer->name + "_c" + digit, used));
            b.indices.push_back(fresh_name(buffer->name + "_v" + digit, used));
        }
        b.value = stored_value(buffer, b.vars, 0);
        if (b.value == nullptr) return false;
        b.place = place_of(around, loaded_buffers(b.value));
        std::optional<Rejection> why;
        if (put_fresh_buffer(p_, b, why)) return true;
        fails("filling " + buffer->name + ": " + (why ? refusal_text(*why) : std::string()));
        return false;
    }

    // What the second program leaves in the cell `vars`, which get their names, over what the
    // program has now; null: not found.
    Expr stored_value(Buffer buffer, std::vector<Expr>& vars, int depth) {
        std::vector<Leaf> writers = leaves_of(ctx_, inside(after_));
        std::erase_if(writers, [&](const Leaf& leaf) {
            const Store* n = leaf.stmt->as<Store>();
            return n == nullptr || n->buffer != buffer;
        });
        const bool of_itself = std::any_of(writers.begin(), writers.end(), [&](const Leaf& leaf) {
            const std::vector<Buffer> read = loaded_buffers(leaf.stmt->as<Store>()->value);
            return std::find(read.begin(), read.end(), buffer) != read.end();
        });
        if (writers.empty() || of_itself || buffer->rank() == 0 || depth > kMostInARow) {
            fails(fmt::format("{}, which the second program alone allocates, is {}", buffer->name,
                              of_itself         ? "updated by what it holds"
                              : writers.empty() ? "not stored to"
                                                : "computed from too many others"));
            return nullptr;
        }
        Leaf cell;  // each cell once
        vars.clear();
        for (std::size_t d = 0; d < buffer->rank(); ++d) {
            Expr extent = buffer->shape[d];
            Expr start = ctx_.int_imm(extent->type, 0);
            const std::string name = fmt::format("{}_x{}_{}", buffer->name, d, depth);
            vars.push_back(ctx_.var(name, extent->type));
            cell.binders.push_back({vars[d], start, extent, nullptr});
            cell.conditions.push_back(ctx_.le(start, vars[d]));
            cell.conditions.push_back(ctx_.lt(vars[d], extent));
        }
        Expr value = value_of(buffer, writers, cell);
        return value == nullptr ? nullptr : over_current(value, depth);
    }

    // Without loads of buffers that the program has not got yet.
    Expr over_current(Expr e, int depth) {
        const std::vector<Buffer> have = outer(p_.current());
        const std::vector<Buffer> wanted = outer(after_);
        bool found = true;
        Expr out = rewrite_expr(ctx_, e, [&](Expr n) {
            if (n->op != Op::Load || !found) return n;
            const auto among = [&](const std::vector<Buffer>& list) {
                return std::find(list.begin(), list.end(), n->buffer) != list.end();
            };
            if (!among(wanted) || among(have)) return n;
            std::vector<Expr> vars;
            Expr value = stored_value(n->buffer, vars, depth + 1);
            if (value == nullptr) {
                found = false;
                return n;
            }
            Substitution at;
            for (std::size_t d = 0; d < vars.size(); ++d) at[vars[d]] = n->arg(d);
            return substitute(ctx_, value, at);
        });
        return found ? out : nullptr;
    }

    // What the last of the writers stores to the cell, over the loops of `cell`; null: not found.
    Expr value_of(Buffer buffer, const std::vector<Leaf>& writers, Leaf cell) {
        InstanceSolver solver(p_.prover(), analysis::parameter_facts(ctx_, p_.current()));
        const std::vector<Expr> index = cell.loops();
        Expr out = nullptr;
        for (const Leaf& writer : writers) {
            Expr stored = from_left(solver, writer);
            cell.stmt = ctx_.store(buffer, index, zero(buffer->type));
            const std::vector<Substitution> at = solver.values(writer, cell);
            const std::vector<Substitution> back = solver.values(cell, writer);
            if (at.empty() || back.empty()) {
                fails("which iteration stores to a cell of " + buffer->name + " was not found");
                return nullptr;
            }
            Expr value = substitute(ctx_, stored, at[0]);
            Expr when = solver.condition(writer, at[0], cell, back[0]);
            if (out == nullptr || is_true(when)) {
                out = value;
                if (is_true(when)) continue;
                // Of cells that nobody writes, any value; a load could fault there.
                out = value->within == 0 && writers.size() > 1
                          ? value
                          : ctx_.if_then_else(when, value, zero(buffer->type));
            } else {
                out = ctx_.if_then_else(when, value, out);
            }
        }
        return out;
    }

    // What the writer stores, read from a buffer of the first program that has it, where there is
    // one.
    Expr from_left(InstanceSolver& solver, const Leaf& writer) {
        Expr stored = writer.stmt->as<Store>()->value;
        if (left_.empty() || stored->args.empty()) return stored;
        Leaf known = writer;
        known.stmt = ctx_.stmt(Evaluate{stored});
        for (const Leaf& leaf : leaves_of(ctx_, inside(p_.current()))) {
            const Store* n = leaf.stmt->as<Store>();
            if (n == nullptr || std::find(left_.begin(), left_.end(), n->buffer) == left_.end()) {
                continue;
            }
            Leaf unknown = leaf;
            unknown.stmt = ctx_.stmt(Evaluate{n->value});
            if (shape_of(unknown.stmt) != shape_of(known.stmt)) continue;
            const std::vector<Substitution> at = solver.values(unknown, known);
            if (at.empty()) continue;
            std::vector<Expr> index;
            for (Expr e : n->indices) {
                index.push_back(solver.simplified(substitute(ctx_, e, at[0]), known));
            }
            return ctx_.load(n->buffer, index);
        }
        return stored;
    }

    static Stmt inside(const Function& f) {
        Stmt out = f.body;
        while (const Allocate* n = out->as<Allocate>()) out = n->body;
        return out;
    }

    Expr zero(ScalarType type) {
        return type.is_float() ? ctx_.float_imm(type, 0) : ctx_.int_imm(type, 0);
    }

    // The number of the element of a list from which on nothing stores to these buffers.
    std::size_t place_of(const Site& around, const std::vector<Buffer>& read) {
        const Seq* list = locate(p_.current(), around)->stmt->as<Seq>();
        std::size_t out = 0;
        for (std::size_t k = 0; list != nullptr && k < list->body.size(); ++k) {
            for (Buffer b : read) {
                if (analysis::stores_to(list->body[k], b)) out = k + 1;
            }
        }
        return out;
    }

    Proposer& p_;
    Context& ctx_;
    const Function& after_;
    const Temporaries what_;
    std::vector<std::string>& tried_;
    std::set<std::string> taken_;
    std::vector<Buffer> left_;  // of the first program alone
};

}  // namespace

bool inline_buffer(Proposer& p, Buffer buffer, std::vector<std::string>& tried) {
    const auto fails = [&](std::string why) {
        tried.push_back(std::move(why));
        return false;
    };
    std::vector<Site> stores;
    for (const auto& [site, s] : all_statements(p.current())) {
        const Store* n = s->as<Store>();
        if (n != nullptr && n->buffer == buffer) stores.push_back(site);
    }
    if (stores.size() > 1) return keep_where_copied(p, buffer, tried);
    for (std::size_t k = 0; k < kMostLoads; ++k) {
        const std::optional<LoadAt> next = next_load(p, buffer);
        if (!next) break;
        std::optional<Rejection> no;
        if (!stores.empty()) no = put_stored_value(p, *next, stores[0]);
        if (!no && !stores.empty()) continue;
        return fails("inlining " + buffer->name + ": " +
                     (no ? refusal_text(*no) : std::string("nothing is stored to it")));
    }
    if (!stores.empty()) {
        std::optional<Rejection> why;
        if (!drop_store(p, p.memory(), stores[0], why)) {
            return fails("the store to " + buffer->name +
                         " stays: " + (why ? refusal_text(*why) : std::string()));
        }
        drop_unused(p, stores[0]);
    }
    drop_allocation(p, buffer);
    return true;
}

std::optional<Matched> match_temporaries(Proposer& p, const Function& after, Temporaries what,
                                         std::vector<std::string>& tried,
                                         const std::set<std::string>& taken) {
    return Matcher(p, after, what, tried, taken).run();
}

}  // namespace proviso::verify
