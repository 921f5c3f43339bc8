// Primitives that put a copy of a buffer before or after a stage.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "analysis/facts/path.h"
#include "ir/buffer_scope.h"
#include "ir/text.h"
#include "rewrite/passes/claim_search.h"
#include "rewrite/schedule/primitives/caches/cache_scope.h"
#include "rewrite/schedule/primitives/primitives.h"
#include "rewrite/schedule/restated.h"

namespace proviso::rewrite {

using namespace ir;
using namespace analysis;
using nlohmann::json;

namespace {

// The innermost statement that has all of these in it, and the list elements from the first to the
// last of them where it is a list.
struct Together {
    Site site;
    std::size_t first = 0, last = 0;
    bool list = false;
};

Together together(const Function& f, const std::vector<Site>& stages) {
    Together out{stages[0], 0, 0, false};
    for (const Site& other : stages) {
        while (!out.site.contains(other)) out.site = out.site.parent();
    }
    const Seq* list = locate(f, out.site)->stmt->as<Seq>();
    if (list == nullptr) return out;
    out.list = true;
    out.first = list->body.size();
    for (const Site& stage : stages) {
        const std::size_t k = std::stoul(stage.steps[out.site.steps.size()]);
        out.first = std::min(out.first, k);
        out.last = std::max(out.last, k);
    }
    return out;
}

bool reads(Stmt s, Buffer buffer) {
    bool found = false;
    for_each_expr(s, [&](Expr e) {
        const std::vector<Buffer> loaded = loaded_buffers(e);
        found = found || std::find(loaded.begin(), loaded.end(), buffer) != loaded.end();
    });
    return found;
}

}  // namespace

Outcome Primitives::cache_read(const std::string& block, Buffer buffer, const std::string& scope,
                               std::optional<std::vector<std::string>> consumers) {
    const std::optional<Site> at = p_.index().block(block);
    if (!at) return refuse("there is no block '" + block + "' any more");
    std::vector<Site> stages = {stage_of(p_.current(), *at)};
    const auto add = [&](const Site& site) {
        const Site stage = stage_of(p_.current(), site);
        if (std::find(stages.begin(), stages.end(), stage) == stages.end()) stages.push_back(stage);
    };
    if (consumers) {
        stages.clear();
        for (const std::string& name : *consumers) {
            const std::optional<Site> site = p_.index().block(name);
            if (!site) return Refusal{no_block(name), std::nullopt};
            add(*site);
        }
        if (stages.empty())
            return refuse("no block is to read the copy", "leave consumer_blocks out");
        for (const auto& [site, stmt] : all_statements(p_.current())) {
            const Block* n = stmt->as<Block>();
            if (n == nullptr || !reads(stmt, buffer)) continue;
            const bool named = std::count(consumers->begin(), consumers->end(), n->name) != 0;
            const Together span = together(p_.current(), stages);
            const bool within = span.list ? span.site.contains(site) && [&, &here = site] {
                const std::size_t k = std::stoul(here.steps[span.site.steps.size()]);
                return span.first <= k && k <= span.last;
            }()
                                          : span.site.contains(site);
            if (!named && within) {
                return refuse("block " + n->name + " stands among the consumers and reads " +
                                  buffer->name + " as well",
                              "name it as a consumer, too");
            }
        }
    } else {
        for (const auto& [site, stmt] : all_statements(p_.current())) {
            if (stmt->is<Block>() && reads(stmt, buffer)) add(site);
        }
    }
    std::optional<Rejection> why;
    if (const auto copy = copy_before(stages, buffer, scope, why)) return Names{*copy};
    if (stages.size() > 1 && !consumers) {
        const auto copy = copy_before({stage_of(p_.current(), *at)}, buffer, scope, why);
        if (copy) {
            note_ = "the stage of " + block + " alone reads the copy";
            return Names{*copy};
        }
    }
    if (why) return no_copy(std::move(*why), buffer);
    return refuse("no copy of " + buffer->name + " serves these blocks");
}

Outcome Primitives::no_copy(Rejection why, Buffer buffer) {
    const Result<Located> at = locate(p_.current(), why.site);
    if (!why.failed && at && at->stmt != nullptr && stores_to(at->stmt, buffer)) {
        why.diagnostic.hint = "a copy holds what " + buffer->name +
                              " held before the statement: copy for one that only reads it, in an "
                              "inner loop or before another stage; sch.cache_write gives what is "
                              "stored a buffer of its own";
    }
    p_.derivation().record(why);
    return refuse(std::move(why));
}

std::optional<std::string> Primitives::copy_before(const std::vector<Site>& stages, Buffer buffer,
                                                   const std::string& scope,
                                                   std::optional<Rejection>& why) {
    const std::size_t start = p_.derivation().steps().size();
    Together span = together(p_.current(), stages);
    if (!span.list && !span.site.steps.empty()) {  // one stage: it may stand in a list
        const Site up = span.site.parent();
        const Seq* list = locate(p_.current(), up)->stmt->as<Seq>();
        if (list != nullptr) {
            const std::size_t k = std::stoul(span.site.steps.back());
            span = {up, k, k, true};
        }
    }
    // What follows and has nothing to do with the buffer may stand beside the copy as well: the
    // copy is allocated to the end of the list then.
    std::size_t last = span.last;
    std::size_t length = 0;
    if (span.list) {
        const Seq& list = *locate(p_.current(), span.site)->stmt->as<Seq>();
        length = list.body.size();
        while (last + 1 < length && !reads(list.body[last + 1], buffer) &&
               !stores_to(list.body[last + 1], buffer)) {
            ++last;
        }
    }
    for (const std::size_t end : {last + 1 == length ? last : span.last, span.last}) {
        reserved_.clear();
        const bool whole = !span.list || (span.first == 0 && end + 1 == length);
        const bool single = span.list && span.first == end;
        Site where = span.site;
        std::string loop;
        if (!whole && single) where = span.site.child(std::to_string(end));
        bool there = true;
        if (!whole && !single) {
            loop = fresh("u");
            there = put_together(p_, span.site, span.first, end, loop);
            if (there) where = p_.index().loop(loop)->child("body");
        }
        std::optional<std::string> copy;
        if (there) copy = copy_in_front(buffer, scope, where, why);
        if (copy && (loop.empty() || take_apart(p_, loop))) return copy;
        p_.derivation().roll_back(start);
    }
    return std::nullopt;
}

std::optional<std::string> Primitives::copy_in_front(Buffer buffer, const std::string& scope,
                                                     const Site& where,
                                                     std::optional<Rejection>& why) {
    const std::string name = fresh(buffer->name + "_" + scope_as_name(scope));
    json loops = json::array();
    for (std::size_t d = 0; d < buffer->rank(); ++d)
        loops.push_back(fresh_loop("ax" + std::to_string(d)));
    std::string copy = fresh_block(name);
    const json args = {{"buffer", buffer->name},
                       {"name", name},
                       {"scope", scope},
                       {"names", loops},
                       {"block", copy}};
    if (!p_.try_apply("stage-read", where, args, &why)) return std::nullopt;
    return copy;
}

Outcome Primitives::cache_write(const std::string& block, Buffer buffer, const std::string& scope) {
    const std::optional<Site> at = p_.index().block(block);
    if (!at) return refuse("there is no block '" + block + "' any more");
    const Site stage = stage_of(p_.current(), *at);
    bool inside = false;
    for_each_stmt(locate(p_.current(), stage)->stmt, [&](Stmt s) {
        const Allocate* n = s->as<Allocate>();
        inside = inside || (n != nullptr && n->buffer == buffer);
    });
    if (inside) {
        return refuse(buffer->name + " is allocated inside of the stage of " + block,
                      "it is a buffer of each iteration already; to copy it back after the stage, "
                      "write " +
                          buffer->name + " = T.alloc_buffer(…) before the outermost loop");
    }
    const std::string name = buffer->name + "_" + scope_as_name(scope);
    const std::string where = "the stage of " + block;
    // What follows is in the scope of the cache as well, where that is possible.
    const bool listed =
        !stage.steps.empty() && locate(p_.current(), stage.parent())->stmt->is<Seq>();
    const std::size_t own = listed ? std::stoul(stage.steps.back()) : 0;
    const std::size_t count =
        listed ? scope_of_cache(p_, stage.parent(), own, buffer) : std::size_t{1};
    for (const bool wide : {count > 1, false}) {
        const std::size_t start = p_.derivation().steps().size();
        reserved_.clear();
        Site around = stage;
        std::string loop;
        if (wide) {
            around = stage.parent();
            if (count < locate(p_.current(), around)->stmt->as<Seq>()->body.size()) {
                loop = fresh("u");
                if (!put_together(p_, around, own, own + count - 1, loop)) continue;
                around = p_.index().loop(loop)->child("body");
            }
        }
        std::vector<Expr> cell;
        json args = whole_copy(buffer, name, scope, cell);
        Outcome out = write_through(std::move(args), buffer, cell, around, where);
        if (!wide) return out;
        const Names* copy = std::get_if<Names>(&out);
        const Allocate* cache =
            copy == nullptr ? nullptr : locate(p_.current(), around)->stmt->as<Allocate>();
        if (cache != nullptr &&
            copy_behind_first(p_, around.child("body"), (*copy)[0], cache->buffer, buffer) &&
            (loop.empty() || take_apart(p_, loop))) {
            return out;
        }
        p_.derivation().roll_back(start);
    }
    return Names{};
}

json Primitives::whole_copy(Buffer buffer, const std::string& base, const std::string& scope,
                            std::vector<Expr>& cell) {
    const std::string name = fresh(base);
    json loops = json::array();
    for (std::size_t d = 0; d < buffer->rank(); ++d) {
        loops.push_back(fresh_loop("ax" + std::to_string(d)));
        cell.push_back(p_.ctx().var(loops.back().get<std::string>(), buffer->shape[d]->type));
    }
    return json{{"buffer", buffer->name},
                {"name", name},
                {"scope", scope},
                {"names", loops},
                {"block", fresh_block(name)}};
}

Outcome Primitives::write_through(json args, Buffer buffer, const std::vector<Expr>& cell,
                                  const Site& stage, const std::string& where) {
    const Function f = p_.current();
    const std::vector<Buffer> stored = stored_buffers(locate(f, stage)->stmt);
    if (std::find(stored.begin(), stored.end(), buffer) == stored.end()) {
        std::string names;
        for (Buffer b : stored) names += (names.empty() ? "" : ", ") + b->name;
        return refuse(where + " does not store to " + buffer->name,
                      (names.empty() ? "it stores to no buffer" : "it stores to " + names) +
                          "; sch.cache_read and sch.read_at copy what is read");
    }
    const std::string copy = args["block"].get<std::string>();
    const MemoryModel memory(p_.ctx(), f);
    json reads = json::object();
    for (const Access& a : memory.all()) {
        if (a.is_store || a.buffer != buffer || !stage.contains(a.statement)) continue;
        const Result<Located> load = locate(f, a.site);
        if (!load || load->expr == nullptr) continue;  // of a region or a domain: the rule refuses
        const auto before = written_before_witness(
            memory, p_.prover(), buffer, {load->expr->args.begin(), load->expr->args.end()},
            a.statement, {}, stage);
        if (before) reads[a.statement.str()].push_back(before->json());
    }
    if (!reads.empty()) args["reads"] = reads;
    std::optional<Rejection> why;
    for (const StoreWitness& w : stores_touching(memory, p_.prover(), buffer, cell, stage, {})) {
        if (!stage.contains(w.statement)) continue;
        args["writer"] = w.json();
        if (p_.try_apply("stage-write", stage, args, &why)) return Names{copy};
    }
    if (!why) {
        return refuse("no store in " + where + " covers every cell of " + buffer->name);
    }
    p_.derivation().record(*why);
    return refuse(*why);
}

}  // namespace proviso::rewrite
