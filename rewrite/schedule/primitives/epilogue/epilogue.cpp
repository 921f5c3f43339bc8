// fuse_reduction_epilogue: what a later block adds to a sum becomes the value that the sum starts
// from.
//
//   for i, k: S: init: t[i] = 0                      for i, k: S: init: D[i] = C[i]
//                t[i] = t[i] + e              →                   D[i] = D[i] + e
//   for i: D[i] = t[i] + C[i]
//
// In steps: the initialisation stands alone (decompose_reduction). Copies of the later store, under
// False (restate), become stores of t[i] to D[i], after each store to t, that run (replace,
// drop-guard: they are overwritten). What reads t reads D then (replace, by claims of last writes),
// so t goes (drop-store). What is left is D = 0, D = D + e for each k, and D = D + C. The last one
// moves before the sum (restate, reorder of a loop of both: this is where a sum of floats needs the
// licence), takes the 0 in (replace, drop-store), and is the initialisation (restate).
#include <algorithm>
#include <nlohmann/json.hpp>

#include "analysis/facts/path.h"
#include "ir/text.h"
#include "rewrite/schedule/primitives/epilogue/epilogue.h"
#include "rewrite/schedule/primitives/primitives.h"

namespace proviso::rewrite {

using namespace ir;
using namespace analysis;

namespace {

// The expression that a value adds to the one load of the buffer in it; null: it is no such sum.
Expr added_to(Expr value, Buffer buffer) {
    if (value->op != Op::Add) return nullptr;
    for (const std::size_t k : {0, 1}) {
        Expr load = value->arg(k);
        const std::vector<Buffer> others = loaded_buffers(value->arg(1 - k));
        const bool one = load->op == Op::Load && load->buffer == buffer &&
                         std::find(others.begin(), others.end(), buffer) == others.end();
        if (one) return value->arg(1 - k);
    }
    return nullptr;
}

}  // namespace

std::optional<Nested> nested(Proposer& p, const std::string& block) {
    const std::optional<Site> found = p.index().block(block);
    if (!found) return std::nullopt;  // it ran never, and has gone
    const Site at = *found;
    Nested out;
    out.site = at;
    while (!out.site.steps.empty() && locate(p.current(), out.site.parent())->stmt->is<For>()) {
        out.site = out.site.parent();
        out.loops.insert(out.loops.begin(), *locate(p.current(), out.site)->stmt->as<For>());
        out.inside = out.inside.child("body");
    }
    out.block = *locate(p.current(), at)->stmt->as<Block>();
    if (out.site.steps.empty()) return std::nullopt;
    return out;
}

Expr load_in(Expr value, Buffer buffer) {
    for (const std::size_t k : {0, 1}) {
        if (value->arg(k)->op == Op::Load && value->arg(k)->buffer == buffer) return value->arg(k);
    }
    return nullptr;
}

std::optional<Cells> cells_of(const Nested& n, const std::vector<Expr>& indices) {
    Cells out;
    for (Expr index : indices) {
        const auto it = std::find_if(n.block.iters.begin(), n.block.iters.end(),
                                     [&](const BlockIter& i) { return i.var == index; });
        if (it == n.block.iters.end()) return std::nullopt;
        if (is_int_const(it->binding)) {
            out.iterators.push_back(index);
            out.loops.push_back(nullptr);
            continue;
        }
        for (Expr known : out.loops) {
            if (known == it->binding) return std::nullopt;
        }
        const bool own = std::any_of(n.loops.begin(), n.loops.end(),
                                     [&](const For& l) { return l.var == it->binding; });
        if (!own) return std::nullopt;
        out.iterators.push_back(index);
        out.loops.push_back(it->binding);
    }
    return out;
}

Outcome Primitives::fuse_reduction_epilogue(const std::string& reduction,
                                            const std::string& epilogue) {
    for (const std::string& name : {reduction, epilogue}) {
        if (!p_.index().block(name)) return Refusal{no_block(name), std::nullopt};
    }
    const std::string shape =
        "the reduction is S[i] = S[i] + …, with T.init(), and the epilogue D[i] = S[i] + C[i]";
    const std::optional<Nested> sum = nested(p_, reduction);
    const std::optional<Nested> later = nested(p_, epilogue);
    const Store* add = sum ? sum->block.body->as<Store>() : nullptr;
    const Store* zero = sum && sum->block.init != nullptr ? sum->block.init->as<Store>() : nullptr;
    const bool reduces = add != nullptr && zero != nullptr && add->buffer == zero->buffer &&
                         add->indices == zero->indices && added_to(add->value, add->buffer) &&
                         is_true(sum->block.predicate) && cells_of(*sum, add->indices);
    if (!reduces) {
        return refuse("block " + reduction + " is no sum, each cell of which is that of loops",
                      shape);
    }
    Buffer t = add->buffer;
    const Store* made = later ? later->block.body->as<Store>() : nullptr;
    const bool plain = made != nullptr && later->block.init == nullptr && made->buffer != t &&
                       is_true(later->block.predicate);
    if (!plain) return refuse("block " + epilogue + " is no single store", shape);
    if (added_to(made->value, t) == nullptr) {
        const std::vector<Buffer> loaded = loaded_buffers(made->value);
        const bool reads = std::find(loaded.begin(), loaded.end(), t) != loaded.end();
        return refuse(reads ? "block " + epilogue + " does more than add to " + t->name + ": " +
                                  print(made->value) + "; of partial sums that is not the same"
                            : "block " + epilogue + " does not read " + t->name,
                      reads ? "sch.reverse_compute_at(\"" + epilogue +
                                  "\", loop) runs it where its sum is complete"
                            : shape);
    }
    Expr load = load_in(made->value, t);
    const auto cells = cells_of(*later, {load->args.begin(), load->args.end()});
    if (!cells || cells->iterators.size() != later->block.iters.size() ||
        later->loops.size() != cells->loops.size()) {
        return refuse("block " + epilogue + " does not read each cell of " + t->name +
                          " by an iterator of its own for each dimension: " + print(load),
                      shape);
    }
    if (p_.current().find_buffer_param(t->name) == t) {
        return refuse(t->name + ", which block " + reduction +
                          " computes, is a parameter: callers see the sum without what is added",
                      "a sum in a buffer of T.alloc_buffer can be fused");
    }
    for (const auto& [site, stmt] : all_statements(p_.current())) {
        const Block* other = stmt->as<Block>();
        if (other == nullptr || other->name == reduction || other->name == epilogue) continue;
        bool accesses = stores_to(other->body, t);
        for_each_expr(other->body, [&](Expr e) {
            const std::vector<Buffer> of = loaded_buffers(e);
            accesses = accesses || std::find(of.begin(), of.end(), t) != of.end();
        });
        if (accesses && other->body->is<Store>()) {
            return refuse("block " + other->name + " uses " + t->name + " as well: " +
                              "it needs the sum without what block " + epilogue + " adds",
                          "a sum with one reader can be fused with it");
        }
    }
    const Site list = sum->site.parent();
    if (list != later->site.parent() || !locate(p_.current(), list)->stmt->is<Seq>() ||
        std::stoul(later->site.steps.back()) != std::stoul(sum->site.steps.back()) + 1) {
        return refuse(
            "block " + epilogue + " does not follow block " + reduction + " in loops of its own",
            "sch.fission gives a block loops of its own");
    }
    const std::size_t start = p_.derivation().steps().size();
    const Outcome alone = decompose_reduction(reduction, *sum->loops.front().var->name);
    if (std::holds_alternative<Refusal>(alone)) return alone;
    reserved_.clear();
    const std::string init = std::get<Names>(alone).front();
    const std::optional<Nested> zeros = nested(p_, init);
    const Store* first = zeros ? zeros->block.body->as<Store>() : nullptr;
    const auto one = [&](Expr loop) { return loop == nullptr; };
    const bool each = first != nullptr && is_true(zeros->block.predicate) &&
                      zeros->site.parent() == list && nested(p_, reduction) &&
                      nested(p_, epilogue) && cells_of(*zeros, first->indices) &&
                      std::none_of(cells->loops.begin(), cells->loops.end(), one);
    if (!each) {
        p_.derivation().roll_back(start);
        return refuse("the cells of " + t->name + " are not those of loops, one for each dimension",
                      shape);
    }
    const std::string a = fresh("before");
    const std::string b = fresh("after");
    if (auto no = fuse_epilogue(p_, init, reduction, epilogue, a, b)) {
        p_.derivation().roll_back(start);
        p_.derivation().record(*no);
        const bool order = no->rule == "reorder";
        const bool stores = no->rule == "drop-guard";
        const bool floats = made->value->type.is_float();
        Refusal out = std::get<Refusal>(refuse(std::move(*no)));
        if (order) {
            out.diagnostic.hint =
                floats ? "another order of a sum of floats needs a licence: "
                         "T.func_attr({\"proviso.licences\": [\"reassociate\"]})"
                       : "partial sums of " + made->value->type.str() +
                             " may leave its range in another order; integers that wrap are free";
        }
        if (stores) {
            out.diagnostic.hint = "block " + epilogue + " is to store every cell of " +
                                  made->buffer->name +
                                  " that has a sum, and the sum may not read it";
        }
        return out;
    }
    note_ = t->name + " is gone";
    return Names{};
}

}  // namespace proviso::rewrite
