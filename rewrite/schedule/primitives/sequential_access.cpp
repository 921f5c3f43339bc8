// sequential_buffer_access: loops that walk a buffer in the order of its layout. Where the loops
// are not the layout's digits yet, those that walk it backwards are reversed, and all are shifted
// so that the layout's offset becomes theirs, split into digits, and put in order; where something
// else than the update stands in them (the initialisation of a reduction), that is taken out first.
#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "analysis/facts/facts.h"
#include "analysis/facts/path.h"
#include "analysis/memory/access.h"
#include "ir/text.h"
#include "rewrite/passes/claim_search.h"
#include "rewrite/schedule/primitives/primitives.h"

namespace proviso::rewrite {

using namespace ir;
using namespace analysis;
using nlohmann::json;

namespace {

// What one dimension of an access holds: (base // weight) % modulus; modulus 0: none.
struct Digit {
    Expr base = nullptr;
    Int128 weight = 1;
    Int128 modulus = 0;
};

Digit digit_of(Expr e) {
    const bool by_constant = e->args.size() == 2 && is_int_const(e->arg(1));
    const bool division = e->op == Op::FloorDiv || e->op == Op::FloorMod;
    if (!division || !by_constant || e->arg(1)->int_value() <= 0) return Digit{e, 1, 0};
    Digit d = digit_of(e->arg(0));
    const Int128 c = e->arg(1)->int_value();
    if (e->op == Op::FloorMod) {
        if (d.modulus != 0) return Digit{e, 1, 0};
        d.modulus = c;
        return d;
    }
    if (d.modulus != 0) {
        if (d.modulus % c != 0) return Digit{e, 1, 0};
        d.modulus /= c;
    }
    d.weight *= c;
    return d;
}

// A sum of loop variables, each once, of others, and a constant.
struct Base {
    std::vector<Expr> loops;      // with coefficient 1
    std::vector<Expr> backwards;  // with coefficient -1
    bool linear = true;

    bool has(Expr v) const {
        return std::find(loops.begin(), loops.end(), v) != loops.end() ||
               std::find(backwards.begin(), backwards.end(), v) != backwards.end();
    }
};

void read_base(Expr e, bool positive, const std::vector<Expr>& loops, Base& out) {
    if (is_int_const(e)) return;
    if (e->op == Op::Add || e->op == Op::Sub) {
        read_base(e->arg(0), positive, loops, out);
        read_base(e->arg(1), positive == (e->op == Op::Add), loops, out);
        return;
    }
    if (e->op == Op::Neg) return read_base(e->arg(0), !positive, loops, out);
    const bool loop = std::find(loops.begin(), loops.end(), e) != loops.end();
    if (loop && !out.has(e)) {
        (positive ? out.loops : out.backwards).push_back(e);
    } else {
        for (Expr v : free_vars(e)) {  // u in 2 * u + v stays where it is, but not in v + 2 * v
            if (out.has(v)) out.linear = false;
        }
        const bool plain = e->op == Op::Var || e->op == Op::Mul;
        if (!plain) out.linear = false;
    }
}

// The dimensions that are digits of one base, and the loop that is to walk it.
struct Axis {
    Expr base = nullptr;
    Expr loop = nullptr;
    bool backwards = false;  // it walks from the end
    std::vector<std::size_t> dims;
    Expr top = nullptr;  // the base is below: extent of the highest digit times its weight
};

// How an access is walked.
struct Walk {
    std::vector<Digit> digits;  // one a dimension
    std::vector<Axis> axes;     // in order of first occurrence
};

std::optional<Axis> axis_of(Expr base, const std::vector<Expr>& loops) {
    Base sum;
    read_base(base, true, loops, sum);
    if (!sum.linear) return std::nullopt;
    const bool backwards = sum.loops.empty();
    const std::vector<Expr>& candidates = backwards ? sum.backwards : sum.loops;
    for (Expr v : loops) {  // the outermost
        if (std::find(candidates.begin(), candidates.end(), v) != candidates.end()) {
            return Axis{base, v, backwards, {}, nullptr};
        }
    }
    return std::nullopt;
}

// Every digit of a base once, from weight 1 up without a gap.
bool complete(const Walk& walk, const Axis& axis) {
    std::vector<Digit> digits;
    for (std::size_t k : axis.dims) digits.push_back(walk.digits[k]);
    std::sort(digits.begin(), digits.end(),
              [](const Digit& a, const Digit& b) { return a.weight > b.weight; });
    if (digits.front().modulus != 0 || digits.back().weight != 1) return false;
    for (std::size_t k = 1; k < digits.size(); ++k) {
        if (digits[k - 1].weight != digits[k].weight * digits[k].modulus) return false;
    }
    return true;
}

std::optional<Walk> walk_of(Context& ctx, const std::vector<Expr>& indices, Buffer buffer,
                            const std::vector<Expr>& loops) {
    Walk out;
    for (std::size_t k = 0; k < indices.size(); ++k) {
        out.digits.push_back(digit_of(indices[k]));
        Expr base = out.digits[k].base;
        auto known = std::find_if(out.axes.begin(), out.axes.end(),
                                  [&](const Axis& a) { return a.base == base; });
        if (known == out.axes.end()) {
            const std::optional<Axis> axis = axis_of(base, loops);
            if (!axis) return std::nullopt;
            const bool taken = std::any_of(out.axes.begin(), out.axes.end(),
                                           [&](const Axis& a) { return a.loop == axis->loop; });
            if (taken) return std::nullopt;
            known = out.axes.insert(out.axes.end(), *axis);
        }
        known->dims.push_back(k);
        if (out.digits[k].modulus == 0) {
            Expr extent = buffer->shape[k];
            const Int128 w = out.digits[k].weight;
            const bool constant = is_int_const(extent);
            Expr weight = ctx.int_imm(extent->type, w);
            known->top = w == 1     ? extent
                         : constant ? ctx.int_imm(extent->type, extent->int_value() * w)
                                    : ctx.mul(extent, weight);
        }
    }
    for (const Axis& axis : out.axes) {
        if (!complete(out, axis)) return std::nullopt;
    }
    return out;
}

// Index expressions of the block's access to a buffer (stores first), over loop variables.
std::optional<std::vector<Expr>> indices_over_loops(Context& ctx, const Function& f,
                                                    const Site& block, Buffer buffer) {
    std::optional<std::vector<Expr>> out;
    for (const Access& a : accesses(ctx, f)) {
        if (a.buffer != buffer || !block.contains(a.statement)) continue;
        if (!out || a.is_store) out = a.indices;
        if (a.is_store) break;
    }
    return out;
}

}  // namespace

// The one loop that walks the axis, from zero up to the top of its layout; empty and a refusal
// where that is not possible.
std::variant<std::string, Refusal> Primitives::aligned_loop(const std::string& block,
                                                            const WalkAxis& axis) {
    Context& ctx = p_.ctx();
    const std::string name = *axis.loop->name;
    Expr offset = p_.simplified(ctx.sub(axis.base, axis.loop), Site{});
    const For& loop = *locate(p_.current(), *p_.index().loop(name))->stmt->as<For>();
    if (is_int_const(offset, 0) && is_int_const(loop.lo, 0)) return name;
    // Loops that the offset mentions must be around this one.
    Names inner;
    bool below = false;
    for (Expr v : loops_around(p_.current(), *p_.index().block(block))) {
        if (below && occurs_free(v, offset)) inner.push_back(*v->name);
        below = below || v == axis.loop;
    }
    if (!inner.empty()) {
        inner.push_back(name);
        const Outcome moved = reorder(inner);
        if (const Refusal* no = std::get_if<Refusal>(&moved)) return *no;
    }
    const Site site = *p_.index().loop(name);
    const std::string shifted = fresh(name + "_at");
    json args = {
        {"offset", print(offset)}, {"lo", "0"}, {"hi", print(axis.top)}, {"name", shifted}};
    for (const char* guard : {"none", "block"}) {
        args["guard"] = guard;
        if (p_.try_apply("shift-loop", site, args)) return shifted;
    }
    args["guard"] = "if";
    if (auto no = step("shift-loop", site, args)) return *no;
    return shifted;
}

Outcome Primitives::sequential_buffer_access(const std::string& block, Buffer buffer) {
    if (!p_.index().block(block)) {
        return refuse("there is no block '" + block + "' any more");
    }
    const std::size_t start = p_.derivation().steps().size();
    reserved_.clear();
    const Outcome plain = walk_in_order(block, buffer);
    if (std::holds_alternative<Names>(plain)) return plain;
    p_.derivation().roll_back(start);
    // Once more, without the initialisation and whatever else stands in the loops.
    const Site at = *p_.index().block(block);
    const bool has_init = locate(p_.current(), at)->stmt->as<Block>()->init != nullptr;
    bool alone = true;
    const std::size_t stage = stage_of(p_.current(), at).steps.size();
    for (const PathStep& step : path_to(p_.current(), at).steps) {
        alone = alone && !(step.stmt->is<Seq>() && step.site.steps.size() > stage);
    }
    if (!has_init && alone) return plain;
    if (auto no = separate_from_rest(block)) {
        p_.derivation().roll_back(start);
        no->diagnostic.notes.push_back("what else stands in the loops has to be taken out first: " +
                                       std::get<Refusal>(plain).diagnostic.message);
        return *no;
    }
    const Outcome separated = walk_in_order(block, buffer);
    if (std::holds_alternative<Refusal>(separated)) p_.derivation().roll_back(start);
    return separated;
}

namespace {

// How the block's access is walked; why not.
std::variant<Walk, Diagnostic> read_walk(Proposer& p, const std::string& block, Buffer buffer) {
    Context& ctx = p.ctx();
    const Site at = *p.index().block(block);
    const auto raw = indices_over_loops(ctx, p.current(), at, buffer);
    if (!raw) return error("block " + block + " does not access " + buffer->name);
    const std::vector<Expr> loops = loops_around(p.current(), at);
    const std::vector<Expr> facts = facts_at(ctx, p.current(), at);
    std::vector<Expr> simple = *raw;
    for (Expr& e : simple) e = p.simplified(e, facts);
    // The index of a loop of one iteration is a constant, and the loop walks it all the same.
    std::vector<Expr> with_loops = simple;
    for (std::size_t k = 0; k < simple.size(); ++k) {
        if (is_int_const(simple[k])) with_loops[k] = (*raw)[k];
    }
    std::optional<Walk> walk = walk_of(ctx, simple, buffer, loops);
    if (!walk) walk = walk_of(ctx, with_loops, buffer, loops);
    if (!walk) walk = walk_of(ctx, *raw, buffer, loops);
    if (walk) return *std::move(walk);
    std::string all;
    for (Expr e : simple) all += (all.empty() ? "" : ", ") + print(e);
    return error("the indices [" + all + "] of " + buffer->name +
                     " are not the digits of a loop for each of its axes",
                 "split, fuse and reorder the loops by hand");
}

}  // namespace

std::optional<Refusal> Primitives::walk_forwards(const std::string& block, Buffer buffer) {
    const std::size_t loops = loops_around(p_.current(), *p_.index().block(block)).size();
    for (std::size_t turned = 0; turned <= loops; ++turned) {
        const auto found = read_walk(p_, block, buffer);
        const Walk* walk = std::get_if<Walk>(&found);
        if (walk == nullptr) return std::nullopt;
        const auto axis = std::find_if(walk->axes.begin(), walk->axes.end(),
                                       [](const Axis& a) { return a.backwards; });
        if (axis == walk->axes.end()) return std::nullopt;
        const std::string name = *axis->loop->name;
        const json args = {{"name", fresh(name + "_back")}};
        if (auto no = step("reverse-loop", *p_.index().loop(name), args)) return no;
    }
    return std::nullopt;
}

Outcome Primitives::walk_in_order(const std::string& block, Buffer buffer) {
    if (auto no = walk_forwards(block, buffer)) return *no;
    const auto found = read_walk(p_, block, buffer);
    if (const Diagnostic* no = std::get_if<Diagnostic>(&found)) return Refusal{*no, std::nullopt};
    const Walk* walk = std::get_if<Walk>(&found);
    std::map<std::size_t, std::string> loop_of;  // by dimension
    for (const Axis& axis : walk->axes) {
        if (axis.backwards) {
            return refuse("loop " + *axis.loop->name + " walks " + buffer->name + " backwards");
        }
        const auto aligned = aligned_loop(block, WalkAxis{axis.base, axis.loop, axis.top});
        if (const Refusal* no = std::get_if<Refusal>(&aligned)) return *no;
        std::vector<std::size_t> dims = axis.dims;  // from the highest digit to the lowest
        std::sort(dims.begin(), dims.end(), [&](std::size_t a, std::size_t b) {
            return walk->digits[a].weight > walk->digits[b].weight;
        });
        Names parts = {std::get<std::string>(aligned)};
        if (dims.size() > 1) {
            std::vector<std::optional<std::int64_t>> factors = {std::nullopt};
            for (std::size_t k = 1; k < dims.size(); ++k) {
                factors.emplace_back(static_cast<std::int64_t>(walk->digits[dims[k]].modulus));
            }
            const Outcome digits = split(parts[0], factors);
            if (std::holds_alternative<Refusal>(digits)) return digits;
            parts = std::get<Names>(digits);
        }
        for (std::size_t k = 0; k < dims.size(); ++k) loop_of[dims[k]] = parts[k];
    }
    Names order;
    for (std::size_t k = 0; k < walk->digits.size(); ++k) order.push_back(loop_of[k]);
    for (Expr v : loops_around(p_.current(), *p_.index().block(block))) {
        if (std::find(order.begin(), order.end(), *v->name) == order.end()) {
            order.push_back(*v->name);
        }
    }
    return reorder(order);
}

}  // namespace proviso::rewrite
