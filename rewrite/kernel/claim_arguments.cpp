// Claims about memory as arguments of a step: the format is in arguments.h.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "analysis/facts/path.h"
#include "ir/child_at.h"
#include "ir/planted.h"
#include "rewrite/kernel/arguments.h"
#include "rewrite/kernel/only_members.h"

namespace proviso::rewrite {

using namespace ir;
using namespace analysis;
using nlohmann::json;

namespace {

struct ClaimReader {
    const MemoryModel& memory;
    const json& claim;
    const ClaimPoint& point;
    Scope scope;

    Context& ctx() const { return memory.ctx(); }

    Result<Buffer> buffer() const {
        const Result<std::string> name = arg_string(claim, "buffer");
        if (!name) return name.error();
        const auto found = scope.buffers.find(*name);
        if (found == scope.buffers.end()) return error("no buffer '" + *name + "' in scope");
        return found->second;
    }

    // The index type is int32 unless the text says otherwise.
    Result<std::vector<Expr>> indices(Buffer b) const {
        const Result<std::vector<std::string>> texts = arg_strings(claim, "indices");
        if (!texts) return texts.error();
        if (texts->size() != b->rank()) return error("claim with the wrong number of indices");
        std::vector<Expr> out;
        for (const std::string& text : *texts) {
            Result<Expr> e = parse_expr(ctx(), text, scope, std::nullopt, "<claim>");
            if (!e) return e.error();
            if (!(*e)->type.is_int()) return error("index '" + text + "' is not an integer");
            out.push_back(*e);
        }
        return out;
    }

    Result<std::vector<Witness>> writers() const {
        const json* w = member(claim, "writer");
        if (w == nullptr) return missing("writer", "a witness");
        return read_one_or_more(ctx(), memory.function(), *w, scope);
    }

    // Calls `each(site, items)` for each list of an object that is keyed by sites.
    template <class Each>
    Status by_site(const char* key, const Each& each) const {
        const json* lists = member(claim, key);
        if (lists == nullptr) return Unit{};
        if (!lists->is_object()) return missing(key, "an object: site -> list");
        for (const auto& [text, list] : lists->items()) {
            const Result<Site> site = Site::parse(text);
            if (!site) return site.error();
            const Result<Located> found = locate(memory.function(), *site);
            if (!found) return found.error();
            if (found->stmt == nullptr || !list.is_array())
                return missing(key, "lists by statement");
            for (const json& item : list) {
                const Status ok = each(*site, item);
                if (!ok) return ok;
            }
        }
        return Unit{};
    }

    Result<Expr> property(const Invariant& inv) const {
        Scope names;
        names.vars["v"] = inv.var;
        for (Expr v : inv.index) names.vars[*v->name] = v;
        for (Expr v : memory.function().scalar_params()) names.vars.emplace(*v->name, v);
        return arg_expr(ctx(), claim, "property", names, kBool);
    }

    Result<Established> invariant(std::vector<Obligation>& obligations) const {
        const Result<Buffer> b = buffer();
        if (!b) return b.error();
        const Result<std::vector<Expr>> at = indices(*b);
        if (!at) return at.error();
        const Result<std::vector<Witness>> written = writers();
        if (!written) return written.error();
        Invariant inv;
        inv.buffer = *b;
        inv.definite = arg_flag(claim, "definite");
        inv.var = ctx().var("v", (*b)->type);
        for (std::size_t d = 0; d < at->size(); ++d) {
            inv.index.push_back(ctx().var("i" + std::to_string(d), (*at)[d]->type));
        }
        const Result<Expr> holds = property(inv);
        if (!holds) return holds.error();
        inv.property = *holds;
        const bool of_cells = std::any_of(inv.index.begin(), inv.index.end(),
                                          [&](Expr v) { return occurs_free(v, inv.property); });
        if (!of_cells) inv.index.clear();
        Status ok = by_site("coverage", [&](const Site& site, const json& item) -> Status {
            const Scope inner = scope_at(ctx(), memory.function(), site);
            const Result<std::vector<Witness>> one =
                read_one_or_more(ctx(), memory.function(), item, inner);
            if (!one) return one.error();
            inv.coverage[site].push_back(*one);
            return Unit{};
        });
        if (!ok) return ok.error();
        ok = by_site("lemmas", [&](const Site& site, const json& item) {
            return lemma(site, item, inv.lemmas[site], obligations);
        });
        if (!ok) return ok.error();
        return store_invariant(memory, point, inv, *at, *written);
    }

    Status lemma(const Site& site, const json& item, std::vector<Expr>& known,
                 std::vector<Obligation>& obligations) const;

    Result<Established> observed() const {
        const Result<Witness> w = read_witness(ctx(), memory.function(), claim, scope);
        if (!w) return w.error();
        std::vector<Buffer> unchanged;
        if (member(claim, "unchanged") != nullptr) {
            const Result<std::vector<std::string>> names = arg_strings(claim, "unchanged");
            if (!names) return names.error();
            for (const std::string& name : *names) {
                const auto found = scope.buffers.find(name);
                if (found == scope.buffers.end()) return error("no buffer '" + name + "' in scope");
                unchanged.push_back(found->second);
            }
        }
        return known_by_observation(memory, point, *w, unchanged);
    }

    // Of a claim; where it is made ("point") has been read.
    static std::string members(const std::string& kind) {
        const std::string all = "kind point when ";
        if (kind == "assume") return all + "at statement";
        if (kind == "binding") return all + "statement";
        if (kind == "observed") return all + "at statement unchanged";
        if (kind == "last-write") return all + "buffer indices writer";
        return all + "buffer coverage definite indices lemmas property writer";
    }

    Result<Established> read(std::vector<Obligation>& obligations) const {
        const Result<std::string> kind = arg_string(claim, "kind");
        if (!kind) return kind.error();
        if (const Status ok = only_members(claim, members(*kind)); !ok) return ok.error();
        if (*kind == "assume") {
            const Result<Witness> w = read_witness(ctx(), memory.function(), claim, scope);
            if (!w) return w.error();
            return known_by_assume(memory, point, *w);
        }
        if (*kind == "binding") {
            const Result<Site> let = arg_site(claim, "statement");
            if (!let) return let.error();
            return known_by_binding(memory, point, *let);
        }
        if (*kind == "observed") return observed();
        if (*kind == "invariant") return invariant(obligations);
        if (*kind == "last-write") {
            const Result<Buffer> b = buffer();
            if (!b) return b.error();
            const Result<std::vector<Expr>> at = indices(*b);
            if (!at) return at.error();
            const Result<std::vector<Witness>> w = writers();
            if (!w) return w.error();
            if (w->size() != 1) return error("one store is the last");
            return last_write(memory, point, *b, *at, w->front());
        }
        return error("no claim of kind '" + *kind + "'",
                     "assume, binding, invariant, last-write or observed");
    }
};

// The condition under which a claim is made: over variables, so that it says the same everywhere.
Result<Expr> condition_of(const MemoryModel& memory, const json& claim, const Scope& scope) {
    Context& ctx = memory.ctx();
    if (member(claim, "when") == nullptr) return ctx.true_();
    const Result<Expr> c = arg_expr(ctx, claim, "when", scope, kBool);
    if (!c) return c.error();
    if (!is_plain_term(*c) || has_any(*c, {Op::Defined, Op::Same})) {
        return error("a claim is made under a condition on variables only");
    }
    return *c;
}

// One claim at `where`, knowing `known`: what it establishes is appended to `known` and `facts`.
Status read_claim(const MemoryModel& memory, const json& claim, const Site& where,
                  std::vector<Expr>& known, std::vector<Expr>& facts,
                  std::vector<Obligation>& obligations) {
    Context& ctx = memory.ctx();
    const Scope scope = scope_at(ctx, memory.function(), where);
    const Result<Expr> when = condition_of(memory, claim, scope);
    if (!when) return when.error();
    std::vector<Expr> given = known;
    if (!is_true(*when)) given.push_back(*when);
    const ClaimPoint point = claim_point(memory, where, given);
    const ClaimReader reader{memory, claim, point, scope};
    Result<Established> result = reader.read(obligations);
    if (!result) return result.error();
    for (Obligation& o : result->obligations) obligations.push_back(std::move(o));
    const bool always = is_true(*when) || planted("claims:when-is-forgotten");
    for (Expr fact : result->facts) {
        known.push_back(always ? fact : ctx.implies(*when, fact));
        facts.push_back(known.back());
    }
    return Unit{};
}

Status ClaimReader::lemma(const Site& site, const json& item, std::vector<Expr>& known,
                          std::vector<Obligation>& obligations) const {
    if (member(item, "point") != nullptr) {
        const Result<Site> given = arg_site(item, "point");
        if (!given) return given.error();
        if (*given != site) return error("a lemma is made at the statement that it is listed for");
    }
    std::vector<Expr> so_far = known;
    return read_claim(memory, item, site, so_far, known, obligations);
}

}  // namespace

Result<FactsByPoint> read_claims(const MemoryModel& memory, const json& args, const Site& at,
                                 const std::vector<Expr>& extra,
                                 std::vector<Obligation>& obligations) {
    FactsByPoint out;
    const json* claims = member(args, "claims");
    if (claims == nullptr) return out;
    if (!claims->is_array()) return missing("claims", "a list");
    for (const json& claim : *claims) {
        Site where = at;
        if (member(claim, "point") != nullptr) {
            const Result<Site> given = arg_site(claim, "point");
            if (!given) return given.error();
            where = *given;
        }
        const Result<Located> found = locate(memory.function(), where);
        if (!found) return found.error();
        where = statement_around(memory.function(), where);
        std::vector<Expr> known = extra;
        known.insert(known.end(), out[where].begin(), out[where].end());
        const Status ok = read_claim(memory, claim, where, known, out[where], obligations);
        if (!ok) return ok.error();
    }
    return out;
}

}  // namespace proviso::rewrite
