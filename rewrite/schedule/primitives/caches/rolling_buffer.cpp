// rolling_buffer: of a buffer that a loop fills in windows, only one window is kept.
//
//   for i in range(10):                          for i in range(10):
//       for t in range(3):                           for t in range(3):
//           if i == 0 or 2 <= t:                         if i == 0 or 2 <= t:
//               B[i + t] = f(i + t)        →                 B[(i + t) % 3] = f(i + t)
//       C[i] = B[i] + B[i + 2]                       C[i] = B[i % 3] + B[(i + 2) % 3]
//
// In steps: the guard, where there is none (add-guard); room for the window in front of all cells
// (relayout). Each store is made there as well: a copy of it under False (restate) gets other
// indices (replace) and runs, since nobody reads it (drop-guard). What reads the buffer reads the
// window, where the last store is that of the same cell (replace, by claims of last writes). Then
// the stores to the cells themselves are dead (drop-store), and the window is a buffer of its own
// (stage-write, drop-store).
#include <algorithm>
#include <nlohmann/json.hpp>

#include "analysis/facts/affine.h"
#include "analysis/facts/path.h"
#include "analysis/memory/access.h"
#include "ir/text.h"
#include "rewrite/derived/data/buffer_by_name.h"
#include "rewrite/passes/claim_search.h"
#include "rewrite/passes/structure.h"
#include "rewrite/schedule/primitives/primitives.h"
#include "rewrite/schedule/primitives/stored_value.h"
#include "rewrite/schedule/reader/interpreter/unused.h"
#include "rewrite/schedule/restated.h"

namespace proviso::rewrite {

using namespace ir;
using namespace analysis;
using nlohmann::json;

namespace {

// The dimension in which iterations of a loop overlap: its index is step * (rolls - begin) + walks
// + offset.
struct Window {
    std::size_t dimension = 0;
    For rolls;  // around the stage and what reads it
    For walks;  // of the stage: through one window
    Integer step = 1;
    Affine offset;
    std::int64_t extent = 0;  // cells of a window
    Integer begin = 0;        // of the loop that rolls
};

std::vector<For> loops_to(const Function& f, const Site& site) {
    std::vector<For> out;
    for (const PathStep& step : path_to(f, site).steps) {
        const For* loop = step.stmt == nullptr ? nullptr : step.stmt->as<For>();
        if (loop != nullptr) out.push_back(*loop);
    }
    return out;
}

std::string dimension_label(std::size_t d) {
    return "index" + std::to_string(d);
}

class Roller {
  public:
    Roller(Proposer& p, Buffer buffer, Site store)
        : p_(p), ctx_(p.ctx()), store_(std::move(store)) {
        name_ = buffer->name;
    }

    Buffer buffer() const { return buffer_by_name(p_.current(), name_); }
    const Window& window() const { return window_; }

    // The outermost loop in whose iterations windows overlap; false: there is none.
    bool find() {
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
    // Where there is none: a loop that would be one if it began at a number.
    const std::optional<For>& begins_anywhere() const { return begins_anywhere_; }

    // An iteration computes what the one before has not.
    std::optional<Rejection> guard() {
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
        before[window_.walks.var] =
            ctx_.add(window_.walks.var, Affine(window_.step).expr(ctx_, type));
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
        add_parts(r, now.body,
                  Part{Site{}.child("body"), Site{}.child("then").child("body"), {}, {}});
        r.after = ctx_.stmt(std::move(now));
        return restate(p_, block, r);
    }

    // Room for a window, in front; each store is made there as well.
    std::optional<Rejection> store_twice(const json& names) {
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

    // What reads the buffer reads the window.
    std::optional<Rejection> read_window() {
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

    // The stores to the cells themselves go; the window is a buffer called `name`.
    std::optional<Rejection> keep_window(const std::string& name, const std::string& copy,
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

  private:
    json last_write(Buffer b, const std::vector<Expr>& cell, const Site& store,
                    const Substitution& at) {
        json indices = json::array();
        for (Expr i : cell) indices.push_back(print(i));
        return {{"kind", "last-write"},
                {"buffer", b->name},
                {"indices", indices},
                {"writer", witness_json(store, at)}};
    }

    // Cell x + room as a cell of the window.
    Expr in_window(Expr index, const Site& site) {
        Expr room = ctx_.int_imm(index->type, window_.extent);
        Expr cell = p_.simplified(ctx_.sub(index, room), site);
        unrolled_[ctx_.floormod(cell, room)] = cell;
        return ctx_.floormod(cell, room);
    }

    // A load of a cell that is not of the window.
    std::optional<Access> next_load() {
        for (const Access& a : accesses(ctx_, p_.current())) {
            if (a.is_store || a.buffer->name != name_) continue;
            const Result<Located> at = locate(p_.current(), a.site);
            if (!at || at->expr == nullptr) continue;
            if (unrolled_.count(at->expr->arg(window_.dimension)) == 0) return a;
        }
        return std::nullopt;
    }

    // Loops around the one that rolls.
    std::vector<Expr> outer_loops() {
        return loops_around(p_.current(), *p_.index().loop(*window_.rolls.var->name));
    }

    // Other loops of the stage, where it stores to a cell.
    Substitution at_cell(const std::vector<Expr>& cell, const std::vector<Expr>& shared) {
        Substitution out;
        const std::vector<Access> all = accesses(ctx_, p_.current());
        const Site store =
            locate(p_.current(), store_)->stmt->is<Seq>() ? store_.child("1") : store_;
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

    // Where a loop goes through this dimension in parts too, and another one through each part: a
    // cell is stored in the first part that it is in. False: there are no two such loops.
    bool in_overlapping_parts(const Affine& index, Expr cell, const std::vector<Expr>& shared,
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

    std::vector<Expr> outer() {
        std::vector<Expr> out = outer_loops();
        out.push_back(window_.rolls.var);
        return out;
    }

    // In which iteration cell `x` was stored: in the first one, or in the one that reached it.
    Substitution turn_of(Expr x, const std::vector<Expr>& cell) {
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
    // Of a load of a cell itself, or of the window.
    Substitution turn_of(Expr load, bool in_window) {
        const std::vector<Expr> cell(load->args.begin(), load->args.end());
        Expr x = cell[window_.dimension];
        x = in_window ? unrolled_.at(x) : ctx_.sub(x, ctx_.int_imm(x->type, window_.extent));
        return turn_of(x, cell);
    }

    Proposer& p_;
    Context& ctx_;
    Site store_;
    std::string name_;
    Window window_;
    std::optional<For> begins_anywhere_;
    Substitution unrolled_;  // indices of the window -> the cells that they are of
};

std::optional<Rejection> as_serial(Proposer& p, const For& loop) {
    const Site at = *p.index().loop(*loop.var->name);
    For serial = *locate(p.current(), at)->stmt->as<For>();
    serial.kind = ForKind::Serial;
    serial.thread_tag.clear();
    Restated r;
    const Site body = Site{}.child("body");
    add_parts(r, serial.body, Part{body, body, {}, {}});
    r.after = p.ctx().stmt(std::move(serial));
    return restate(p, at, r);
}

}  // namespace

Outcome Primitives::rolling_buffer(const std::string& block, Buffer buffer) {
    const std::optional<Site> at = p_.index().block(block);
    if (!at) return Refusal{no_block(block), std::nullopt};
    const std::string name = buffer->name;
    if (p_.current().find_buffer_param(name) == buffer) {
        return refuse(name + " is a parameter: callers see all of its cells",
                      "a buffer of T.alloc_buffer can be rolled");
    }
    std::vector<Site> stores;
    for (const auto& [site, s] : all_statements(p_.current())) {
        const Store* n = s->as<Store>();
        if (n != nullptr && n->buffer == buffer) stores.push_back(site);
    }
    const Block& b = *locate(p_.current(), *at)->stmt->as<Block>();
    const std::vector<Buffer> read =
        stores.size() == 1
            ? loaded_buffers(locate(p_.current(), stores[0])->stmt->as<Store>()->value)
            : std::vector<Buffer>{};
    const bool one = stores.size() == 1 && at->contains(stores[0]) && b.init == nullptr &&
                     std::find(read.begin(), read.end(), buffer) == read.end();
    if (!one) {
        return refuse("block " + block + " does not compute " + name + " by one store of its own",
                      "a sum is kept in a buffer of its own first: sch.cache_write(\"" + block +
                          "\", \"" + name + "\", \"local\")");
    }
    Roller roller(p_, buffer, stores[0]);
    if (!roller.find()) {
        if (const auto& loop = roller.begins_anywhere()) {
            return refuse("loop " + *loop->var->name + " begins at " + print(loop->lo) +
                              ", which is no number: a window begins with the first iteration",
                          "a loop that begins at a number can roll");
        }
        return refuse("no two iterations of a loop around block " + block +
                          " and what reads its result share cells of " + name,
                      "sch.store_at(\"" + block + "\") and sch.compute_at(\"" + block +
                          "\", loop) bring it to where it is read");
    }
    Site allocated;
    for (const auto& [site, s] : all_statements(p_.current())) {
        const Allocate* n = s->as<Allocate>();
        if (n != nullptr && n->buffer == buffer) allocated = site;
    }
    std::vector<For> concurrent;  // around the buffer of each of their iterations
    for (const For& loop : loops_to(p_.current(), stores[0])) {
        if (loop.kind == ForKind::Serial || loop.kind == ForKind::Unrolled) continue;
        if (loop.kind != ForKind::Vectorized &&
            p_.index().loop(*loop.var->name)->contains(allocated)) {
            concurrent.push_back(loop);
            continue;
        }
        return refuse("the iterations of loop " + *loop.var->name +
                          " run beside each other: none finds in a window what another one left",
                      "sch.store_at(\"" + block +
                          "\", loop) gives each iteration a buffer of its own, in which a serial "
                          "loop can roll");
    }
    Expr value = locate(p_.current(), stores[0])->stmt->as<Store>()->value;
    const std::size_t start = p_.derivation().steps().size();
    reserved_.clear();
    json loops = json::array();
    json padding = json::array();
    for (std::size_t d = 0; d < buffer->rank(); ++d) {
        loops.push_back(fresh_loop("ax" + std::to_string(d)));
        padding.push_back(fresh(name + "_p" + std::to_string(d)));
    }
    const std::string ring = fresh(name);
    const std::string copy = fresh_block(ring);
    // One iteration after the other, as long as what memory holds is told by the order of stores.
    std::optional<Rejection> no;
    for (const For& loop : concurrent) {
        if (!no) no = as_serial(p_, loop);
    }
    if (!no) no = roller.guard();
    if (!no) no = roller.store_twice(padding);
    if (!no) no = roller.read_window();
    if (!no) no = roller.keep_window(ring, copy, loops);
    for (auto loop = concurrent.rbegin(); loop != concurrent.rend() && !no; ++loop) {
        const bool thread = loop->kind == ForKind::ThreadBinding;
        json args = {{"kind", thread ? "thread" : "parallel"}};
        if (thread) args["thread"] = loop->thread_tag;
        no = p_.apply("bind", *p_.index().loop(*loop->var->name), args);
    }
    if (no) {
        p_.derivation().roll_back(start);
        p_.derivation().record(*no);
        Refusal out = std::get<Refusal>(refuse(std::move(*no)));
        const auto& failed = out.rejection->failed;
        if (failed && failed->purpose.kind == Owed::AlwaysStored) {
            out.diagnostic.hint =
                "the first iteration fills a window, so there has to be one: a size has a lower "
                "bound, such as T.func_attr({\"tir_var_lower_bound\": {\"n\": 1}})";
        }
        const bool computed = failed && (failed->purpose.kind == Owed::NoFault ||
                                         failed->purpose.kind == Owed::Extent);
        if (out.diagnostic.hint.empty() && !computed) {
            out.diagnostic.hint = "each cell is read while it is in the window of the last " +
                                  std::to_string(roller.window().extent) + " cells";
        }
        return out;
    }
    const Site now = p_.index().block(block)->child("body");
    if (const Store* n = locate(p_.current(), now)->stmt->as<Store>(); n && n->value != value) {
        p_.try_apply("replace", now.child("value"), {{"to", print(value)}});
    }
    note_ = name + " is " + ring + ", " + std::to_string(roller.window().extent) +
            " cells in dimension " + std::to_string(roller.window().dimension);
    return Names{};
}

}  // namespace proviso::rewrite
