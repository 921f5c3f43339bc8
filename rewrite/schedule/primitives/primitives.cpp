#include "rewrite/schedule/primitives/primitives.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "analysis/facts/path.h"
#include "ir/text.h"
#include "ir/text/keywords.h"
#include "ir/text/spelling.h"
#include "rewrite/passes/claim_search.h"
#include "rewrite/schedule/flat_bindings.h"

namespace proviso::rewrite {

using namespace ir;
using nlohmann::json;

Outcome Primitives::refuse(std::string message, std::string hint) {
    return Refusal{error(std::move(message), std::move(hint)), std::nullopt};
}

Outcome Primitives::refuse(Rejection rejection) {
    return Refusal{rejection.diagnostic, std::move(rejection)};
}

std::optional<Refusal> Primitives::step(const std::string& rule, const Site& site,
                                        const json& args) {
    std::optional<Rejection> no = p_.apply(rule, site, args);
    if (!no) return std::nullopt;
    return Refusal{no->diagnostic, std::move(no)};
}

bool Primitives::is_taken(const std::string& name) const {
    const ProgramIndex& index = p_.index();
    return index.is_bound(name) || index.is_block(name) || reserved_.count(name) != 0;
}

std::string Primitives::fresh(const std::string& base) {
    std::string name = base;
    for (int i = 1; is_taken(name); ++i) name = base + "_" + std::to_string(i);
    reserved_.insert(name);
    return name;
}

std::string Primitives::fresh_block(const std::string& base) const {
    std::string name = base;
    for (int i = 1; p_.index().is_block(name); ++i) name = base + "_" + std::to_string(i);
    return name;
}

std::string Primitives::fresh_loop(const std::string& base) {
    std::string name = base;
    for (int i = 1; is_taken(name) || is_taken("v_" + name); ++i) {
        name = base + "_" + std::to_string(i);
    }
    reserved_.insert({name, "v_" + name});
    return name;
}

Stmt Primitives::block_statement(const std::string& block) const {
    const std::optional<Site> site = p_.index().block(block);
    return site ? locate(p_.current(), *site)->stmt : nullptr;
}

Outcome Primitives::get_block(const std::string& name) {
    if (is_root(name)) return Names{name};
    if (p_.index().is_one_block(name)) return Names{name};
    if (!p_.index().is_block(name)) return Refusal{no_block(name), std::nullopt};
    std::string places;
    std::size_t count = 0;
    for (const auto& [site, stmt] : all_statements(p_.current())) {
        const Block* b = stmt->as<Block>();
        if (b == nullptr || b->name != name) continue;
        std::string loops;
        for (Expr v : loops_around(p_.current(), site)) {
            loops += (loops.empty() ? " (in loops " : ", ") + *v->name;
        }
        places += (count++ == 0 ? "at " : ", ") + site.str() + (loops.empty() ? "" : loops + ")");
    }
    std::string other = name + "_2";
    for (int i = 3; is_taken(other); ++i) other = name + "_" + std::to_string(i);
    return refuse(std::to_string(count) + " blocks are named '" + name + "': " + places,
                  "give each of them a name of its own in the program: T.block(\"" + other + "\")");
}

Diagnostic Primitives::no_block(const std::string& block) const {
    std::vector<std::string> known;
    std::string list;
    for (const auto& [site, stmt] : all_statements(p_.current())) {
        const Block* b = stmt->as<Block>();
        if (b == nullptr) continue;
        known.push_back(b->name);
        list += (list.empty() ? "" : ", ") + b->name;
    }
    return error(
        "there is no block '" + block + "'",
        known.empty() ? "the function has no blocks" : suggest(block, known, "blocks: " + list));
}

Diagnostic Primitives::no_loop(const std::string& loop) const {
    std::string list;
    for (const auto& [site, stmt] : all_statements(p_.current())) {
        const For* n = stmt->as<For>();
        if (n != nullptr) list += (list.empty() ? "" : ", ") + *n->var->name;
    }
    return error("there is no loop '" + loop + "' any more",
                 "an earlier call has replaced it: take the loops from that call, or from "
                 "sch.get_loops(block) after it; there are: " +
                     (list.empty() ? "none" : list));
}

Outcome Primitives::get_loops(const std::string& block) {
    const std::optional<Site> site = p_.index().block(block);
    if (!site) return Refusal{no_block(block), std::nullopt};
    Names out;
    for (Expr v : loops_around(p_.current(), *site)) out.push_back(*v->name);
    return out;
}

Buffer Primitives::buffer_by_index(const std::string& block, bool store, std::size_t index) const {
    Stmt s = block_statement(block);
    if (s == nullptr) return nullptr;
    std::vector<Buffer> found;
    const auto add = [&](Buffer b) {
        if (std::find(found.begin(), found.end(), b) == found.end()) found.push_back(b);
    };
    if (store) {
        for (Buffer b : analysis::stored_buffers(s)) add(b);
    } else {
        // What an initialised block accumulates in is a written buffer only, as in TVM.
        const bool accumulates = s->as<Block>()->init != nullptr;
        const std::vector<Buffer> written =
            accumulates ? analysis::stored_buffers(s) : std::vector<Buffer>{};
        for_each_expr(s, [&](Expr e) {
            for (Buffer b : loaded_buffers(e)) {
                if (std::find(written.begin(), written.end(), b) == written.end()) add(b);
            }
        });
    }
    return index < found.size() ? found[index] : nullptr;
}

Buffer Primitives::accessed_buffer(const std::string& block, const std::string& name) const {
    Stmt s = block_statement(block);
    Buffer found = nullptr;
    if (s == nullptr) return found;
    for (Buffer b : analysis::stored_buffers(s)) {
        if (b->name == name) found = b;
    }
    for_each_expr(s, [&](Expr e) {
        for (Buffer b : loaded_buffers(e)) {
            if (b->name == name) found = b;
        }
    });
    return found;
}

std::vector<std::string> Primitives::accessed_buffers(const std::string& block) const {
    std::vector<std::string> out;
    Stmt s = block_statement(block);
    if (s == nullptr) return out;
    const auto add = [&](Buffer b) {
        if (std::find(out.begin(), out.end(), b->name) == out.end()) out.push_back(b->name);
    };
    for (Buffer b : analysis::stored_buffers(s)) add(b);
    for_each_expr(s, [&](Expr e) {
        for (Buffer b : loaded_buffers(e)) add(b);
    });
    return out;
}

namespace {

// The condition of the branch or block at the site.
std::string guard_text(const Function& f, const Site& site) {
    const Result<Located> at = locate(f, site);
    if (!at || at->stmt == nullptr) return site.str();
    if (const Block* block = at->stmt->as<Block>()) return print(block->predicate);
    const IfElse* branch = at->stmt->as<IfElse>();
    return branch != nullptr ? print(branch->cond) : site.str();
}

}  // namespace

bool Primitives::take_inits_out(const std::vector<Rejection>& refused) {
    const std::size_t start = p_.derivation().steps().size();
    Names blocks;
    for (const Rejection& no : refused) {
        const Result<Located> at = locate(p_.current(), no.site);
        const Block* block = at && at->stmt != nullptr ? at->stmt->as<Block>() : nullptr;
        const bool shape = !no.failed;  // no obligation failed: the rule does not take the block
        if (block != nullptr && block->init != nullptr && shape) blocks.push_back(block->name);
    }
    for (const std::string& name : blocks) {
        const Site site = *p_.index().block(name);
        const Block& block = *locate(p_.current(), site)->stmt->as<Block>();
        std::string outermost;
        for (Expr v : loops_around(p_.current(), site)) {
            const bool reduces =
                std::any_of(block.iters.begin(), block.iters.end(), [&](const BlockIter& it) {
                    return it.kind == IterKind::Reduce && occurs_free(v, it.binding);
                });
            if (outermost.empty() && reduces) outermost = *v->name;
        }
        if (outermost.empty() ||
            std::holds_alternative<Refusal>(decompose_reduction(name, outermost))) {
            p_.derivation().roll_back(start);
            return false;
        }
    }
    return !blocks.empty();
}

PassResult Primitives::remove_guards(const std::string& block, bool partial) {
    const std::size_t start = p_.derivation().steps().size();
    PassResult result = remove_branching_through_overcompute(p_, block);
    if (result.refused.empty() || !take_inits_out(result.refused)) return result;
    PassResult again = remove_branching_through_overcompute(p_, block);
    if (partial && again.steps <= result.steps) {  // nothing is gained
        p_.derivation().roll_back(start);
        return remove_branching_through_overcompute(p_, block);
    }
    note_ = "initialisation in loops of its own";
    return again;
}

Outcome Primitives::remove_branching(const std::string& block, bool partial) {
    const std::size_t start = p_.derivation().steps().size();
    const PassResult result = remove_guards(block, partial);
    const bool some = p_.derivation().steps().size() > start;
    // Branches between two stores may stay, but a call that does nothing at all says why.
    const bool nothing = result.refused.empty() && !some;
    const std::vector<Rejection>& refused = nothing ? result.stays : result.refused;
    if (refused.empty()) return Names{};
    if (partial && some) {
        std::string stays;
        for (const Rejection& no : refused) {
            stays += (stays.empty() ? "stays: " : ", ") + guard_text(p_.current(), no.site);
        }
        note_ += (note_.empty() ? "" : "; ") + stays;
        return Names{};
    }
    p_.derivation().roll_back(start);
    note_.clear();
    // The most telling refusal first: one with a counterexample.
    const auto refuted = std::find_if(refused.begin(), refused.end(), [](const Rejection& r) {
        return r.answer.verdict == analysis::Verdict::Refuted;
    });
    const Rejection& most = refuted != refused.end() ? *refuted : refused.front();
    if (nothing) p_.derivation().record(most);
    Outcome no = refuse(most);
    if (some && result.steps > 0) {
        std::get<Refusal>(no).diagnostic.notes.push_back(
            "other guards, or parts of this one, can go: partial=True removes what can be removed");
    }
    return no;
}

}  // namespace proviso::rewrite
