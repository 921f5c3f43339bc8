// split, fuse and reorder.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "analysis/facts/path.h"
#include "ir/text.h"
#include "ir/text/keywords.h"
#include "rewrite/passes/claim_search.h"
#include "rewrite/schedule/flat_bindings.h"
#include "rewrite/schedule/primitives/primitives.h"

namespace proviso::rewrite {

using namespace ir;
using nlohmann::json;

namespace {

// A loop of unknown extent as one of `count` iterations and one of as many as that takes: a split
// by that number, after which the outer loop has no more iterations (shift-loop: it has `count`).
std::optional<Rejection> split_in_parts(Proposer& p, const Site& site, std::int64_t count,
                                        const Names& names, const std::string& outer) {
    Context& ctx = p.ctx();
    const std::size_t start = p.derivation().steps().size();
    const For& n = *locate(p.current(), site)->stmt->as<For>();
    const auto number = [&](std::int64_t k) { return ctx.int_imm(n.var->type, k); };
    Expr above = ctx.add(ctx.sub(n.hi, n.lo), number(count - 1));
    Expr part = p.simplified(ctx.max(ctx.floordiv(above, number(count)), number(1)), site);
    std::optional<Rejection> why;
    for (const char* guard : {"block", "if"}) {
        std::optional<Rejection> no;
        const json split = {
            {"factor", print(part)}, {"outer", outer}, {"inner", names[1]}, {"guard", guard}};
        const json widen = {{"offset", "0"},
                            {"lo", "0"},
                            {"hi", std::to_string(count)},
                            {"name", names[0]},
                            {"guard", guard}};
        if (p.try_apply("split", site, split, &no) &&
            p.try_apply("shift-loop", *p.index().loop(outer), widen, &no)) {
            return std::nullopt;
        }
        p.derivation().roll_back(start);
        keep_more_telling(why, std::move(no));
    }
    return why;
}

}  // namespace

std::optional<Refusal> Primitives::split_once(const std::string& loop, std::int64_t factor,
                                              const std::string& outer, const std::string& inner) {
    const Site site = *p_.index().loop(loop);
    json args = {{"factor", std::to_string(factor)}, {"outer", outer}, {"inner", inner}};
    // Without a guard where the factor divides the extent, else on the blocks, else around the
    // body. Where the number of iterations or the guard may leave the range so, by the quotient; a
    // refusal says what is against the usual form.
    std::optional<Rejection> why;
    for (const bool by_quotient : {false, true}) {
        if (by_quotient) args["extent"] = "quotient";
        for (const char* guard : {"none", "block", "if"}) {
            args["guard"] = guard;
            std::optional<Rejection> no;
            if (p_.try_apply("split", site, args, &no)) return std::nullopt;
            if (!by_quotient && args["guard"] == "if") why = std::move(no);
        }
        if (!why->failed) break;  // the loop has another shape
    }
    const For& n = *locate(p_.current(), site)->stmt->as<For>();
    if (!why->failed && why->diagnostic.hint.empty() && has_op(n.lo, Op::Load)) {
        why->diagnostic.hint = "bind the start of the loop to a name before it";
    }
    p_.derivation().record(*why);
    return Refusal{why->diagnostic, std::move(why)};
}

namespace {

// What a loop can be called.
bool is_identifier(const std::string& name) {
    const auto letter = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    };
    return !name.empty() && letter(name[0]) && !python::is_keyword(name) &&
           std::all_of(name.begin(), name.end(),
                       [&](char c) { return letter(c) || (c >= '0' && c <= '9'); });
}

// A factor, or the product of some, that the loop's variable cannot count to; 0: there is none.
Int128 too_large(const std::vector<std::optional<std::int64_t>>& factors, ScalarType type) {
    Int128 product = 1;
    for (auto f = factors.rbegin(); f != factors.rend(); ++f) {
        if (!*f) continue;
        if (!type.contains(**f)) return **f;
        product *= **f;
        if (!type.contains(product)) return product;
    }
    return 0;
}

}  // namespace

Outcome Primitives::split(const std::string& loop,
                          const std::vector<std::optional<std::int64_t>>& factors,
                          const std::vector<std::string>& names) {
    const std::optional<Site> site = p_.index().loop(loop);
    if (!site) return refuse("there is no loop '" + loop + "' any more");
    for (const std::string& name : names) {
        if (std::count(names.begin(), names.end(), name) > 1 || (name != loop && is_taken(name))) {
            return refuse("the name " + name + " is taken", "names are unique in a program");
        }
        if (!is_identifier(name)) return refuse("\"" + name + "\" is no name of a loop");
    }
    if (factors.empty()) return refuse("split needs factors");
    const auto open = std::count(factors.begin(), factors.end(), std::nullopt);
    if (open > 1) return refuse("at most one factor can be inferred");
    for (const auto& f : factors) {
        if (f && *f <= 0) return refuse("a factor must be positive");
    }
    const For& n = *locate(p_.current(), *site)->stmt->as<For>();
    if (const Int128 number = too_large(factors, n.var->type); number != 0) {
        return refuse("the factors make " + int128_text(number) + " iterations, more than " +
                          n.var->type.str() + ", the type of loop " + loop + ", can count",
                      "smaller factors: factors=[None, 8]");
    }
    std::vector<std::optional<std::int64_t>> wanted = factors;
    if (!wanted[0]) {
        // The outermost loop takes what the others leave.
    } else if (is_int_const(n.lo) && is_int_const(n.hi)) {
        Int128 others = 1;
        for (const auto& f : wanted) others *= f.value_or(1);
        const Int128 extent = n.hi->int_value() - n.lo->int_value();
        for (auto& f : wanted) {
            if (!f)
                f = static_cast<std::int64_t>(std::max<Int128>(1, (extent + others - 1) / others));
        }
        Int128 covered = 1;
        for (const auto& f : wanted) covered *= *f;
        if (covered < extent) {
            return refuse("the factors cover fewer iterations than the loop has",
                          "leave one factor open: None");
        }
    } else if (wanted.size() == 2 && !wanted[1]) {
        reserved_.clear();
        const auto named = [&](std::size_t place) {
            return names.empty() ? fresh(loop + "_" + std::to_string(place)) : names[place];
        };
        const Names out = {named(0), named(1)};
        if (auto no = split_in_parts(p_, *site, *wanted[0], out, fresh(loop + "_r"))) {
            p_.derivation().record(*no);
            return refuse(std::move(*no));
        }
        return out;
    } else {
        return refuse("the outermost factor of a loop of unknown extent is inferred",
                      "factors=[None, …]");
    }
    const std::size_t start = p_.derivation().steps().size();
    reserved_.clear();
    Names out;
    std::string rest = loop;
    for (std::size_t k = 0; k + 1 < wanted.size(); ++k) {
        std::int64_t inner = 1;
        for (std::size_t j = k + 1; j < wanted.size(); ++j) inner *= *wanted[j];
        const auto named = [&](std::size_t place) {
            return names.empty() ? fresh(loop + "_" + std::to_string(place)) : names[place];
        };
        const std::string outer_name = named(k);
        const bool last = k + 2 == wanted.size();
        const std::string inner_name = last ? named(k + 1) : fresh(loop + "_r");
        if (auto no = split_once(rest, inner, outer_name, inner_name)) {
            p_.derivation().roll_back(start);
            return *no;
        }
        out.push_back(outer_name);
        rest = inner_name;
    }
    out.push_back(rest);
    if (out.size() > 2) write_bindings_flat(p_, out.front());
    return out;
}

Outcome Primitives::fuse(const std::vector<std::string>& loops) {
    if (loops.size() < 2) return refuse("fuse needs two loops or more");
    const std::size_t start = p_.derivation().steps().size();
    reserved_.clear();
    std::string fused = loops[0];
    for (std::size_t k = 1; k < loops.size(); ++k) {
        const std::optional<Site> site = p_.index().loop(fused);
        if (!site) return refuse("there is no loop '" + fused + "' any more");
        const For* inner = locate(p_.current(), *site)->stmt->as<For>()->body->as<For>();
        if (inner == nullptr || *inner->var->name != loops[k]) {
            p_.derivation().roll_back(start);
            return refuse("loop " + loops[k] + " does not stand directly in " + fused,
                          "name the outer loop first; a loop is fused with the one that is all of "
                          "its body (sch.fission, sch.decompose_reduction)");
        }
        const std::string name = fresh(fused + "_" + loops[k] + "_fused");
        if (auto no = step("fuse", *site, json{{"name", name}})) {
            p_.derivation().roll_back(start);
            return *no;
        }
        fused = name;
    }
    return Names{fused};
}

namespace {

// `S[f] or a or b` as `a or b or S[f]`, likewise with `and`: then the terms are evaluated whatever
// the cell holds, and the order of such stores is free. Null: it is no such value.
Expr terms_before_cell(Context& ctx, const Store& store) {
    const Op op = store.value->op;
    if (op != Op::And && op != Op::Or) return nullptr;
    Expr cell = ctx.load(store.buffer, store.indices);
    Expr e = store.value;
    std::vector<Expr> terms;
    for (; e->op == op; e = e->arg(0)) terms.push_back(e->arg(1));
    if (e != cell) return nullptr;
    Expr all = terms.back();
    for (std::size_t k = terms.size() - 1; k-- > 0;) all = ctx.make(op, {all, terms[k]});
    return ctx.make(op, {all, cell});
}

// All such stores at and below a statement. False: there is none, or a term is not safe to
// evaluate, and nothing has changed.
bool terms_before_cells(Proposer& p, const Site& below) {
    const std::size_t start = p.derivation().steps().size();
    for (const auto& [site, stmt] : all_statements(p.current())) {
        const Store* store = stmt->as<Store>();
        if (store == nullptr || !below.contains(site)) continue;
        Expr to = terms_before_cell(p.ctx(), *store);
        if (to == nullptr) continue;
        if (p.try_apply("replace", site.child("value"), json{{"to", print(to)}})) continue;
        p.derivation().roll_back(start);
        return false;
    }
    return p.derivation().steps().size() > start;
}

}  // namespace

Outcome Primitives::reorder(const std::vector<std::string>& loops) {
    if (loops.size() < 2) return Names{};
    for (const std::string& name : loops) {
        if (std::count(loops.begin(), loops.end(), name) == 1) continue;
        return refuse("loop " + name + " is given twice", "name each loop once, in the new order");
    }
    // The nest runs from the outermost of the loops to the innermost; those in between keep their
    // place.
    std::vector<std::string> around;
    std::optional<Site> top;
    for (const std::string& name : loops) {
        const std::optional<Site> site = p_.index().loop(name);
        if (!site) return refuse("there is no loop '" + name + "' any more");
        const Names outer = [&] {
            Names out;
            for (Expr v : loops_around(p_.current(), *site)) out.push_back(*v->name);
            out.push_back(name);
            return out;
        }();
        if (outer.size() > around.size()) around = outer;
        if (!top || site->steps.size() < top->steps.size()) top = site;
    }
    const auto first = std::find_if(around.begin(), around.end(), [&](const std::string& n) {
        return std::find(loops.begin(), loops.end(), n) != loops.end();
    });
    std::vector<std::string> order(first, around.end());
    std::size_t next = 0;
    for (std::string& slot : order) {
        if (std::find(loops.begin(), loops.end(), slot) == loops.end()) continue;
        if (next == loops.size()) return refuse("the loops are not in one nest");
        slot = loops[next++];
    }
    if (next != loops.size()) return refuse("the loops are not in one nest");
    if (std::equal(order.begin(), order.end(), first)) return Names{};
    json args = {{"order", order}};
    std::optional<Rejection> no;
    if (p_.try_apply("reorder", *top, args, &no)) return Names{};
    const std::size_t start = p_.derivation().steps().size();
    if (no->failed && terms_before_cells(p_, *top)) {
        if (p_.try_apply("reorder", *top, args)) return Names{};
        p_.derivation().roll_back(start);
    }
    if (p_.current().has_licence("reassociate")) {  // used only where it is needed
        args["licences"] = {"reassociate"};
        if (auto still = step("reorder", *top, args)) return *still;
        return Names{};
    }
    p_.derivation().record(*no);
    return refuse(std::move(*no));
}

}  // namespace proviso::rewrite
