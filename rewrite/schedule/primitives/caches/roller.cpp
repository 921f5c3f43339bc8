#include "rewrite/schedule/primitives/caches/roller.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "analysis/facts/path.h"
#include "analysis/memory/access.h"
#include "ir/text.h"
#include "rewrite/derived/data/buffer_by_name.h"
#include "rewrite/passes/claim_search.h"
#include "rewrite/passes/structure.h"
#include "rewrite/schedule/primitives/stored_value.h"
#include "rewrite/schedule/reader/interpreter/unused.h"
#include "rewrite/schedule/restated.h"

namespace proviso::rewrite {

using namespace ir;
using namespace analysis;
using nlohmann::json;

namespace {

std::string dimension_label(std::size_t d) {
    return "index" + std::to_string(d);
}

json last_write(Buffer b, const std::vector<Expr>& cell, const Site& store,
                const Substitution& at) {
    json indices = json::array();
    for (Expr i : cell) indices.push_back(print(i));
    return {{"kind", "last-write"},
            {"buffer", b->name},
            {"indices", indices},
            {"writer", witness_json(store, at)}};
}

}  // namespace

std::vector<For> loops_to(const Function& f, const Site& site) {
    std::vector<For> out;
    for (const PathStep& step : path_to(f, site).steps) {
        const For* loop = step.stmt == nullptr ? nullptr : step.stmt->as<For>();
        if (loop != nullptr) out.push_back(*loop);
    }
    return out;
}

Roller::Roller(Proposer& p, Buffer buffer, Site store)
    : p_(p), ctx_(p.ctx()), store_(std::move(store)), name_(buffer->name) {}

Buffer Roller::buffer() const {
    return buffer_by_name(p_.current(), name_);
}

bool Roller::find() {
    const std::vector<Access> all = accesses(ctx_, p_.current());
    const Access& own = *find_store(all, store_);
    const std::vector<For> loops = loops_to(p_.current(), store_);
    for (const For& rolls : loops) {
        const Site at = *p_.index().loop(*rolls.var->name);
        const bool reads = std::any_of(all.begin(), all.end(), [&](const Access& a) {
            return !a.is_store && a.buffer == own.buffer && at.contains(a.statement);
        });
        if (!reads) continue;
        for (std::size_t d = 0; d < own.indices.size(); ++d) {
            const Affine index = Affine::of(own.indices[d]);
            const Integer step = index.factor_of(rolls.var);
            if (step <= Integer(0)) continue;
            for (const For& walks : loops) {
                const bool inside = index.factor_of(walks.var) == Integer(1) &&
                                    is_int_const(walks.lo, 0) && is_int_const(walks.hi) &&
                                    at.contains(*p_.index().loop(*walks.var->name)) &&
                                    walks.var != rolls.var;
                if (!inside || Integer(walks.hi->int_value()) <= step) continue;
                Affine offset = index.without(rolls.var).without(walks.var);
                if (!offset.is_constant()) continue;
                if (!is_int_const(rolls.lo)) {
                    begins_anywhere_ = rolls;
                    continue;
                }
                const Integer begin(rolls.lo->int_value());
                offset.add(Affine(step * begin));
                window_ = {d,    rolls,  walks,
                           step, offset, static_cast<std::int64_t>(walks.hi->int_value()),
                           begin};
                return true;
            }
        }
    }
    return false;
}

std::optional<Rejection> Roller::guard() {
    const std::vector<Access> all = accesses(ctx_, p_.current());
    const Access& own = *find_store(all, store_);
    const ScalarType type = window_.rolls.var->type;
    Expr first = ctx_.eq(window_.rolls.var, window_.rolls.lo);
    Expr shared = Affine(Integer(window_.extent) - window_.step).expr(ctx_, type);
    Expr open = ctx_.le(shared, window_.walks.var);
    Expr guard = ctx_.or_(first, open);
    if (p_.prover().prove({own.may}, guard).verdict == Verdict::Proved) return std::nullopt;
    Site block = store_;
    while (!locate(p_.current(), block)->stmt->is<Block>()) block = block.parent();
    Substitution before;
    for (Expr v : own.loops) before[v] = v;
    before[window_.rolls.var] = ctx_.sub(window_.rolls.var, ctx_.int_imm(type, 1));
    before[window_.walks.var] = ctx_.add(window_.walks.var, Affine(window_.step).expr(ctx_, type));
    const Store& s = *locate(p_.current(), store_)->stmt->as<Store>();
    json claim = last_write(s.buffer, s.indices, store_, before);
    claim["point"] = store_.str();
    const json how = {{"mode", "same"}};
    const json args = {{"condition", print(guard)},
                       {"stores", {{store_.str(), how}}},
                       {"claims", json::array({claim})}};
    if (auto no = p_.apply("add-guard", block, args)) return no;
    // As the block's predicate.
    const IfElse& branch = *locate(p_.current(), block)->stmt->as<IfElse>();
    Block now = *branch.then_body->as<Block>();
    now.predicate = is_true(now.predicate) ? guard : ctx_.and_(now.predicate, guard);
    now.reads.reset();
    now.writes.reset();
    Restated r;
    add_parts(r, now.body, Part{Site{}.child("body"), Site{}.child("then").child("body"), {}, {}});
    r.after = ctx_.stmt(std::move(now));
    return restate(p_, block, r);
}

std::optional<Rejection> Roller::store_twice(const json& names) {
    Buffer b = buffer();
    json args = {{"buffer", name_}, {"pad", "none"}, {"names", names}};
    const std::string room = std::to_string(window_.extent);
    for (std::size_t d = 0; d < b->rank(); ++d) {
        const std::string k = std::to_string(d);
        const bool rolled = d == window_.dimension;
        args["vars"].push_back("x" + k);
        args["physical_vars"].push_back("p" + k);
        args["map"].push_back(rolled ? "x" + k + " + " + room : "x" + k);
        args["inverse"].push_back(rolled ? "p" + k + " - " + room : "p" + k);
        Expr extent = b->shape[d];
        if (rolled) {
            extent = ctx_.add(extent, ctx_.int_imm(extent->type, window_.extent));
            extent = p_.simplified(extent, Site{});
        }
        args["shape"].push_back(print(extent));
    }
    if (auto no = p_.apply("relayout", Site{}, args)) return no;
    Stmt s = locate(p_.current(), store_)->stmt;
    const Store& store = *s->as<Store>();
    Restated r;
    r.after = ctx_.seq({s, ctx_.if_(ctx_.false_(), s)});
    r.parts = {Part{Site{}.child("0"), Site{}, {}, {}},
               Part{Site{}.child("1").child("then"), Site{}, {}, {}}};
    r.parts[1].when = r.parts[1].where = ctx_.false_();
    if (auto no = restate(p_, store_, r)) return no;
    const Site branch = store_.child("1");
    const Site index = branch.child("then").child(dimension_label(window_.dimension));
    Expr cell = in_window(store.indices[window_.dimension], store_);
    if (auto no = p_.apply("replace", index, {{"to", print(cell)}})) return no;
    // What the cell holds may be stored; that is what has been stored to it.
    const Site value = branch.child("then").child("value");
    Expr held = ctx_.load(store.buffer, store.indices);
    if (auto no = p_.apply("replace", value, {{"to", print(held)}})) return no;
    const json unread = {{"mode", "dead"}, {"writers", json::array()}};
    if (auto no = p_.apply("drop-guard", branch, {{"stores", {{branch.str(), unread}}}})) {
        return no;
    }
    return put_stored_value(p_, {branch.child("value"), branch, held}, store_.child("0"));
}

std::optional<Rejection> Roller::read_window() {
    while (true) {
        const std::optional<Access> load = next_load();
        if (!load) return std::nullopt;
        Expr was = locate(p_.current(), load->site)->expr;
        std::vector<Expr> indices(was->args.begin(), was->args.end());
        indices[window_.dimension] = in_window(indices[window_.dimension], load->statement);
        json claims = json::array();
        const Substitution at = turn_of(was, false);
        for (const bool own : {true, false}) {
            const std::vector<Expr> cell =
                own ? std::vector<Expr>(was->args.begin(), was->args.end()) : indices;
            claims.push_back(last_write(was->buffer, cell, store_.child(own ? "0" : "1"), at));
        }
        const json args = {{"to", print(ctx_.load(was->buffer, indices))}, {"claims", claims}};
        if (auto no = p_.apply("replace", load->site, args)) return no;
    }
}

std::optional<Rejection> Roller::keep_window(const std::string& name, const std::string& copy,
                                             const json& loops) {
    std::optional<Rejection> why;
    if (!drop_store(p_, p_.memory(), store_.child("0"), why)) return why;
    Buffer b = buffer();
    Site body;
    for (const auto& [site, s] : all_statements(p_.current())) {
        const Allocate* n = s->as<Allocate>();
        if (n != nullptr && n->buffer == b) body = site.child("body");
    }
    json args = {{"buffer", name_}, {"name", name},   {"scope", b->scope},
                 {"block", copy},   {"names", loops}, {"offsets", json::array()}};
    std::vector<Expr> cell;
    for (std::size_t d = 0; d < b->rank(); ++d) {
        const bool rolled = d == window_.dimension;
        args["offsets"].push_back("0");
        args["extents"].push_back(rolled ? std::to_string(window_.extent) : print(b->shape[d]));
        cell.push_back(ctx_.var(loops[d].get<std::string>(), b->shape[d]->type));
    }
    // The first window stores each of its cells.
    std::vector<Expr> shared = {window_.rolls.var, window_.walks.var};
    std::vector<Expr> free;  // loops that have a start of their own for each window
    for (Expr v : outer_loops()) {
        (body.contains(*p_.index().loop(*v->name)) ? free : shared).push_back(v);
    }
    Substitution first = at_cell(cell, shared);
    const ScalarType type = window_.rolls.var->type;
    first[window_.rolls.var] = window_.rolls.lo;
    Expr offset = window_.offset.expr(ctx_, type);
    Expr walked = ctx_.sub(cell[window_.dimension], offset);
    first[window_.walks.var] =
        p_.simplified(ctx_.floormod(walked, ctx_.int_imm(type, window_.extent)), body);
    if (window_.offset.constant() == Integer(0)) {
        first[window_.walks.var] = cell[window_.dimension];
    }
    for (Expr v : free) {
        if (first.at(v) == v) first[v] = ctx_.int_imm(v->type, 0);
    }
    args["writer"] = witness_json(store_, first);
    json reads = json::object();
    for (const Access& a : accesses(ctx_, p_.current())) {
        if (a.is_store || a.buffer != b) continue;
        Expr load = locate(p_.current(), a.site)->expr;
        if (load == nullptr) continue;
        reads[a.statement.str()].push_back(witness_json(store_, turn_of(load, true)));
    }
    if (!reads.empty()) args["reads"] = reads;
    if (auto no = p_.apply("stage-write", body, args)) return no;
    remove_no_op(p_, copy);
    drop_allocation(p_, b);
    for (const auto& [site, s] : all_statements(p_.current())) {
        if (!s->is<Block>()) continue;
        bool uses = false;
        for_each_expr(s, [&](Expr e) {
            for (Buffer of : loaded_buffers(e)) uses = uses || of->name == name;
        });
        if (uses) simplify_expressions(p_, site);
    }
    return std::nullopt;
}

Expr Roller::in_window(Expr index, const Site& site) {
    Expr room = ctx_.int_imm(index->type, window_.extent);
    Expr cell = p_.simplified(ctx_.sub(index, room), site);
    unrolled_[ctx_.floormod(cell, room)] = cell;
    return ctx_.floormod(cell, room);
}

std::optional<Access> Roller::next_load() {
    for (const Access& a : accesses(ctx_, p_.current())) {
        if (a.is_store || a.buffer->name != name_) continue;
        const Result<Located> at = locate(p_.current(), a.site);
        if (!at || at->expr == nullptr) continue;
        if (unrolled_.count(at->expr->arg(window_.dimension)) == 0) return a;
    }
    return std::nullopt;
}

std::vector<Expr> Roller::outer_loops() {
    return loops_around(p_.current(), *p_.index().loop(*window_.rolls.var->name));
}

Substitution Roller::at_cell(const std::vector<Expr>& cell, const std::vector<Expr>& shared) {
    Substitution out;
    const std::vector<Access> all = accesses(ctx_, p_.current());
    const Site store = locate(p_.current(), store_)->stmt->is<Seq>() ? store_.child("1") : store_;
    const Access& own = *find_store(all, store);
    for (Expr v : own.loops) out[v] = v;
    for (std::size_t d = 0; d < cell.size(); ++d) {
        if (d == window_.dimension) continue;
        const Affine index = Affine::of(own.indices[d]);
        if (in_overlapping_parts(index, cell[d], shared, store, out)) continue;
        for (Expr v : own.loops) {
            const bool around = std::count(shared.begin(), shared.end(), v) != 0;
            if (around || index.factor_of(v) != Integer(1)) continue;
            Expr rest = index.without(v).expr(ctx_, v->type);
            out[v] = is_int_const(rest, 0) ? cell[d] : ctx_.sub(cell[d], rest);
            break;
        }
    }
    return out;
}

bool Roller::in_overlapping_parts(const Affine& index, Expr cell, const std::vector<Expr>& shared,
                                  const Site& store, Substitution& out) {
    std::vector<For> over;
    for (const For& loop : loops_to(p_.current(), store)) {
        const bool around = std::count(shared.begin(), shared.end(), loop.var) != 0;
        if (!around && index.factor_of(loop.var) != Integer(0)) over.push_back(loop);
    }
    if (over.size() != 2) return false;
    const For& parts = over[0];
    const For& walks = over[1];
    const Integer step = index.factor_of(parts.var);
    const bool window = Integer(0) < step && index.factor_of(walks.var) == Integer(1) &&
                        is_int_const(parts.lo, 0) && is_int_const(walks.lo, 0) &&
                        is_int_const(walks.hi) && cell->type == walks.var->type;
    Expr rest = index.without(parts.var).without(walks.var).expr(ctx_, cell->type);
    if (!window || rest == nullptr) return false;
    const Integer overlap = Integer(walks.hi->int_value()) - step;
    const auto number = [&](const Integer& n) { return Affine(n).expr(ctx_, cell->type); };
    Expr x = is_int_const(rest, 0) ? cell : ctx_.sub(cell, rest);
    Expr turn = ctx_.max(ctx_.sub(x, number(overlap)), number(Integer(0)));
    Expr covered = turn;
    if (step != Integer(1)) {
        turn = ctx_.floordiv(turn, number(step));
        covered = ctx_.mul(turn, number(step));
    }
    out[parts.var] = turn;
    out[walks.var] = ctx_.sub(x, covered);
    return true;
}

std::vector<Expr> Roller::outer() {
    std::vector<Expr> out = outer_loops();
    out.push_back(window_.rolls.var);
    return out;
}

Substitution Roller::turn_of(Expr x, const std::vector<Expr>& cell) {
    const ScalarType type = window_.rolls.var->type;
    const auto number = [&](const Integer& n) { return Affine(n).expr(ctx_, type); };
    const Affine u = Affine::of(x) - window_.offset;
    Expr beyond = Affine(u - Affine(Integer(window_.extent) - window_.step)).expr(ctx_, type);
    Expr turn = ctx_.max(beyond, number(Integer(0)));
    Expr covered = turn;
    if (window_.step != Integer(1)) {
        turn = ctx_.floordiv(turn, number(window_.step));
        covered = ctx_.mul(turn, number(window_.step));
    }
    Substitution out = at_cell(cell, outer());
    if (window_.begin != Integer(0)) turn = ctx_.add(turn, window_.rolls.lo);
    out[window_.rolls.var] = turn;
    out[window_.walks.var] = ctx_.sub(u.expr(ctx_, type), covered);
    return out;
}

Substitution Roller::turn_of(Expr load, bool in_window) {
    const std::vector<Expr> cell(load->args.begin(), load->args.end());
    Expr x = cell[window_.dimension];
    x = in_window ? unrolled_.at(x) : ctx_.sub(x, ctx_.int_imm(x->type, window_.extent));
    return turn_of(x, cell);
}

}  // namespace proviso::rewrite
