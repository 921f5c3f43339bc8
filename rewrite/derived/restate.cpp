// restate: a statement by another text, and how its parts correspond, both written in the step.
//
//   before   with T.block("b"): vi = T.axis.spatial(64, i): B[vi] = A[vi]
//   after    with T.block("b_o"): vo = T.axis.spatial(4, i_0)
//                for i_1 in range(16):
//                    with T.block("b"): vi = T.axis.spatial(16, i_1): B[vo * 16 + vi] = …
//
// What other rules derive from a few arguments, this one is told: the text of the new statement,
// and the parts of the two texts. It is for what changes little but the statements around the work:
// blocks of blocks, iterators, loops of one iteration, annotations, names.
//
// Arguments: "text": the new statement, as TVMScript; "parts": [{"now": SITE, "origin": SITE,
// "from": {NAME: EXPRESSION}, "to": {NAME: EXPRESSION}, "when": CONDITION, "where": CONDITION}],
// sites below that of the step. Optional, in the words of reschedule.h: "apart": [[part, part], …];
// "count": of the statements of a list, from the one at the site, that are the old text; "dropped":
// [SITE, …]; "unseen" and "extra": objects; "reassociate": true.
#include <nlohmann/json.hpp>

#include "analysis/facts/path.h"
#include "ir/child_at.h"
#include "ir/planted.h"
#include "ir/text.h"
#include "rewrite/derived/arguments.h"
#include "rewrite/derived/derived_rule.h"
#include "rewrite/kernel/arguments.h"
#include "rewrite/kernel/only_members.h"
#include "rewrite/rules/statement/statement_rules.h"

namespace proviso::rewrite {

using namespace ir;
using nlohmann::json;

namespace {

// What stands around a place below `text`: `out`, and the variables that are bound on the way.
struct Below {
    Scope scope;
    std::vector<Expr> vars;
};

Result<Below> below(Scope around, Stmt text, const Site& site) {
    Below out{std::move(around), {}};
    const auto bind = [&](Expr v) {
        out.scope.vars[*v->name] = v;
        out.vars.push_back(v);
    };
    Stmt here = text;
    for (const std::string& label : site.steps) {
        if (const For* n = here->as<For>()) bind(n->var);
        if (const LetStmt* n = here->as<LetStmt>()) bind(n->var);
        if (const Allocate* n = here->as<Allocate>()) {
            out.scope.buffers[n->buffer->name] = n->buffer;
        }
        if (const Block* n = here->as<Block>()) {
            for (const BlockIter& it : n->iters) bind(it.var);
        }
        here = child_at(here, label).stmt;
        if (here == nullptr) return error("there is no statement at " + site.str());
    }
    return out;
}

// {NAME: EXPRESSION}: of the variables `bound`, over `scope`.
Result<Substitution> read_values(Context& ctx, const json& values, const std::vector<Expr>& bound,
                                 const Scope& scope) {
    Substitution out;
    for (Expr v : bound) {
        const auto text = arg_string(values, v->name->c_str());
        if (!text) return text.error();
        Result<Expr> e = parse_expr(ctx, *text, scope, v->type);
        if (!e) return e.error();
        out[v] = *e;
    }
    return out;
}

Result<Expr> read_condition(Context& ctx, const json& part, const char* key, const Scope& scope) {
    const auto text = arg_string_if(part, key);
    if (!text) return static_cast<Expr>(nullptr);
    return parse_expr(ctx, *text, scope, kBool);
}

Result<Part> read_part(Context& ctx, const json& args, const Scope& around, Stmt before,
                       Stmt after) {
    if (const Status ok = only_members(args, "now origin from to when where"); !ok) {
        return ok.error();
    }
    Part out;
    for (const auto& [key, site] : {std::pair{"now", &out.now}, {"origin", &out.origin}}) {
        Result<Site> read = arg_site(args, key);
        if (!read) return read.error();
        *site = *std::move(read);
    }
    const Result<Below> here = below(around, after, out.now);
    if (!here) return here.error();
    const Result<Below> there = below(around, before, out.origin);
    if (!there) return there.error();
    Result<Substitution> from = read_values(ctx, args.at("from"), there->vars, here->scope);
    if (!from) return from.error();
    Result<Substitution> to = read_values(ctx, args.at("to"), here->vars, there->scope);
    if (!to) return to.error();
    if (planted("restate:next-iteration")) {
        for (auto& [v, e] : *to) e = ctx.add(e, ctx.int_imm(e->type, 1));
    }
    const Result<Expr> when = read_condition(ctx, args, "when", there->scope);
    if (!when) return when.error();
    const Result<Expr> where = read_condition(ctx, args, "where", here->scope);
    if (!where) return where.error();
    out.from = *std::move(from);
    out.to = *std::move(to);
    out.when = *when;
    out.where = *where;
    return out;
}

// The statement at `site`, or the list of so many statements of which it is the first.
Result<Stmt> old_text(Context& ctx, const Function& before, const Site& site, std::size_t count) {
    const Result<Located> at = locate(before, site);
    if (!at) return at.error();
    if (at->stmt == nullptr) return error("restate works on a statement");
    if (count == 1) return at->stmt;
    const Seq* list = site.steps.empty() ? nullptr : locate(before, site.parent())->as<Seq>();
    if (list == nullptr) return error("'count' is for statements of a list");
    const std::size_t first = std::stoul(site.steps.back());
    if (count == 0 || count > list->body.size() - first) {
        return error("not so many statements follow the one at " + site.str());
    }
    const auto from = list->body.begin() + static_cast<std::ptrdiff_t>(first);
    return ctx.seq({from, from + static_cast<std::ptrdiff_t>(count)});
}

// What is left out and what is extra, and why.
Status read_unnoticed(const json& args, Rescheduling& out) {
    if (args.contains("dropped")) {
        const auto dropped = arg_strings(args, "dropped");
        if (!dropped) return dropped.error();
        for (const std::string& text : *dropped) {
            Result<Site> site = Site::parse(text);
            if (!site) return site.error();
            out.dropped.push_back(*std::move(site));
        }
    }
    for (const auto& [key, reasons] : {std::pair{"unseen", &out.unseen}, {"extra", &out.extra}}) {
        if (!args.contains(key)) continue;
        if (!args[key].is_object()) return error(std::string("'") + key + "' is an object");
        *reasons = args[key].dump();
    }
    return Unit{};
}

class Restate final : public RescheduleRule {
  public:
    std::string name() const override { return "restate"; }
    int version() const override { return 3; }
    std::string summary() const override {
        return "a statement by another text, and how its parts correspond";
    }

    Result<Rescheduling> rescheduling(Context& ctx, const Function& before, const Site& site,
                                      const json& args) const override {
        Rescheduling out;
        if (args.contains("count")) {
            const Result<std::int64_t> count = arg_int(args, "count");
            if (!count) return count.error();
            if (*count < 1) return error("the old text has a statement or more");
            out.count = static_cast<std::size_t>(*count);
        }
        const Result<Stmt> old = old_text(ctx, before, site, out.count);
        if (!old) return old.error();
        const Scope around = analysis::scope_at(ctx, before, site);
        const Result<std::string> text = arg_string(args, "text");
        if (!text) return text.error();
        const Result<Stmt> after = parse_stmt(ctx, *text, around);
        if (!after) return after.error();
        out.after = *after;
        out.reassociate = arg_flag(args, "reassociate");
        if (const Status ok = read_unnoticed(args, out); !ok) return ok.error();
        const auto parts = args.find("parts");
        if (parts == args.end() || !parts->is_array()) return error("'parts' is a list of parts");
        for (const json& part : *parts) {
            Result<Part> read = read_part(ctx, part, around, *old, out.after);
            if (!read) return read.error();
            out.parts.push_back(*std::move(read));
        }
        for (const json& pair : args.value("apart", json::array())) {
            out.apart.emplace(pair.at(0).get<std::size_t>(), pair.at(1).get<std::size_t>());
        }
        return out;
    }
};

}  // namespace

const Rule& restate_rule() {
    static const Restate rule;
    return rule;
}

}  // namespace proviso::rewrite
