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
#include "rewrite/schedule/reader/unused.h"
#include "rewrite/schedule/restated.h"
#include "verify/check/map/instances.h"
#include "verify/check/map/spelling.h"

namespace proviso::verify {

using namespace ir;
using namespace rewrite;

namespace {

constexpr std::size_t kMostLoads = 64;  // that are inlined

// The buffers allocated around everything, outermost first.
std::vector<Buffer> outer(const Function& f) {
    std::vector<Buffer> out;
    for (const Allocate* n = f.body->as<Allocate>(); n != nullptr; n = n->body->as<Allocate>()) {
        out.push_back(n->buffer);
    }
    return out;
}

bool alike(Buffer a, Buffer b) {
    return a->type == b->type && a->scope == b->scope &&
           std::equal(a->shape.begin(), a->shape.end(), b->shape.begin(), b->shape.end());
}

Site depth(std::size_t count) {
    Site out;
    for (std::size_t k = 0; k < count; ++k) out = out.child("body");
    return out;
}

class Matcher {
  public:
    Matcher(Proposer& p, const Function& after, std::vector<std::string>& tried)
        : p_(p), ctx_(p.ctx()), after_(after), tried_(tried) {}

    std::optional<Site> run() {
        const std::vector<Buffer> wanted = outer(after_);
        const std::vector<Buffer> mine = outer(p_.current());
        if (mine == wanted) return depth(wanted.size());
        if (!rename(pairs(mine, wanted))) return std::nullopt;
        for (Buffer b : outer(p_.current())) {
            if (std::find(wanted.begin(), wanted.end(), b) != wanted.end()) continue;
            if (!inline_buffer(b)) return std::nullopt;
        }
        for (std::size_t k = 0; k < wanted.size(); ++k) {
            const std::vector<Buffer> have = outer(p_.current());
            if (k < have.size() && have[k] == wanted[k]) continue;
            if (k < have.size() || !fill(wanted[k], depth(k))) break;
        }
        if (outer(p_.current()) == wanted) return depth(wanted.size());
        fails("the second program allocates other buffers, or in another order");
        return std::nullopt;
    }

  private:
    void fails(std::string why) { tried_.push_back(std::move(why)); }

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

    // All that the program binds gets names that the second one does not use, but for these
    // buffers, which get theirs.
    bool rename(const std::vector<std::pair<Buffer, Buffer>>& same) {
        std::set<std::string> used = bound_names(p_.current());
        for (const std::string& name : bound_names(after_)) used.insert(name);
        Stmt text = fresh_copy(ctx_, p_.current().body, used);
        std::map<std::string, std::string> names;  // of buffers, as they are called now
        const std::vector<Buffer> before = outer(p_.current());
        std::size_t k = 0;
        for (const Allocate* n = text->as<Allocate>(); n != nullptr; n = n->body->as<Allocate>()) {
            for (const auto& [a, b] : same) {
                if (a == before[k]) names[n->buffer->name] = b->name;
            }
            ++k;
        }
        text = with_buffers(text, names);
        Restated r;
        r.after = text;
        r.parts.emplace_back();
        if (text->is<Seq>() || text == p_.current().body) return true;
        std::optional<Rejection> no;
        const Site root;
        Stmt old = p_.current().body;
        if (p_.try_apply("restate", root, restate_arguments(old, r), &no)) return true;
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

    // What is stored to the buffer in the place of each load; then the store is dead.
    bool inline_buffer(Buffer buffer) {
        std::vector<Site> stores;
        for (const auto& [site, s] : all_statements(p_.current())) {
            const Store* n = s->as<Store>();
            if (n != nullptr && n->buffer == buffer) stores.push_back(site);
        }
        if (stores.size() > 1) {
            fails(
                fmt::format("{}, which the first program alone allocates, is stored to by {} "
                            "statements, and not inlined",
                            buffer->name, stores.size()));
            return false;
        }
        for (std::size_t k = 0; k < kMostLoads; ++k) {
            const std::optional<LoadAt> next = next_load(buffer);
            if (!next) break;
            std::optional<Rejection> no;
            if (!stores.empty()) no = put_stored_value(p_, *next, stores[0]);
            if (!no && !stores.empty()) continue;
            fails("inlining " + buffer->name + ": " +
                  (no ? refusal_text(*no) : std::string("nothing is stored to it")));
            return false;
        }
        if (!stores.empty()) {
            std::optional<Rejection> why;
            if (!drop_store(p_, p_.memory(), stores[0], why)) {
                fails("the store to " + buffer->name +
                      " stays: " + (why ? refusal_text(*why) : std::string()));
                return false;
            }
            drop_unused(p_, stores[0]);
        }
        drop_allocation(p_, buffer);
        return true;
    }

    // A buffer that the second program alone allocates, with what it stores there, in loops of its
    // own: around the statement at `around`, as soon as what is read has its value.
    bool fill(Buffer buffer, const Site& around) {
        Stmt inside = after_.body;
        while (const Allocate* n = inside->as<Allocate>()) inside = n->body;
        std::vector<Leaf> writers = leaves_of(ctx_, inside);
        std::erase_if(writers, [&](const Leaf& leaf) {
            const Store* n = leaf.stmt->as<Store>();
            return n == nullptr || n->buffer != buffer;
        });
        if (writers.size() != 1 || buffer->rank() == 0) {
            fails(
                fmt::format("{}, which the second program alone allocates, is stored to by {} "
                            "statements",
                            buffer->name, writers.size()));
            return false;
        }
        const Leaf& writer = writers[0];
        std::set<std::string> used = bound_names(p_.current());
        for (const std::string& name : bound_names(after_)) used.insert(name);
        FreshBuffer b;
        b.around = around;
        b.name = buffer->name;
        b.type = buffer->type;
        b.scope = buffer->scope;
        b.shape.assign(buffer->shape.begin(), buffer->shape.end());
        b.block = fresh_name(buffer->name + "_fill", used);
        Leaf cell;  // each cell once
        for (std::size_t d = 0; d < b.shape.size(); ++d) {
            const std::string digit = std::to_string(d);
            const ScalarType type = b.shape[d]->type;
            b.loops.push_back(fresh_name(buffer->name + "_c" + digit, used));
            b.indices.push_back(fresh_name(buffer->name + "_v" + digit, used));
            b.vars.push_back(ctx_.var(fresh_name(buffer->name + "_x" + digit, used), type));
            Expr zero = ctx_.int_imm(type, 0);
            cell.binders.push_back({b.vars[d], zero, b.shape[d], nullptr});
            cell.conditions.push_back(ctx_.le(zero, b.vars[d]));
            cell.conditions.push_back(ctx_.lt(b.vars[d], b.shape[d]));
        }
        const Store& store = *writer.stmt->as<Store>();
        cell.stmt = ctx_.store(buffer, b.vars, store.value);
        InstanceSolver solver(p_.prover(), analysis::parameter_facts(ctx_, p_.current()));
        const std::vector<Substitution> at = solver.values(writer, cell);
        if (at.empty()) {
            fails("which iteration stores to a cell of " + buffer->name + " was not found");
            return false;
        }
        b.value = substitute(ctx_, store.value, at[0]);
        b.place = place_of(around, loaded_buffers(b.value));
        std::optional<Rejection> why;
        if (put_fresh_buffer(p_, b, why)) return true;
        fails("filling " + buffer->name + ": " + (why ? refusal_text(*why) : std::string()));
        return false;
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

    std::optional<LoadAt> next_load(Buffer buffer) {
        for (const analysis::Access& a : p_.memory().all()) {
            if (a.is_store || a.buffer != buffer) continue;
            const Result<Located> at = locate(p_.current(), a.site);
            if (at && at->expr != nullptr) return LoadAt{a.site, a.statement, at->expr};
        }
        return std::nullopt;
    }

    Proposer& p_;
    Context& ctx_;
    const Function& after_;
    std::vector<std::string>& tried_;
};

}  // namespace

std::optional<Site> match_temporaries(Proposer& p, const Function& after,
                                      std::vector<std::string>& tried) {
    return Matcher(p, after, tried).run();
}

}  // namespace proviso::verify
