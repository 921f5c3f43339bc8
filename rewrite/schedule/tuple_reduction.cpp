#include "rewrite/schedule/tuple_reduction.h"

#include <algorithm>
#include <optional>

#include "ir/children.h"
#include "ir/text.h"
#include "rewrite/rules/accumulation.h"
#include "rewrite/rules/relocate/tuple_step.h"

namespace proviso::rewrite {

using namespace ir;

namespace {

using Tuple = std::vector<Expr>;

std::vector<Stmt> as_list(Stmt s) {
    const Seq* list = s->as<Seq>();
    return list == nullptr ? std::vector<Stmt>{s} : list->body;
}

// The term that a value takes in, beside what the cell held; null: none.
Expr term_of(Expr value, Expr held) {
    const bool chooses = value->op == Op::Select || value->op == Op::IfThenElse;
    const std::size_t first = chooses ? 1 : 0;
    if (value->args.size() != first + 2) return nullptr;
    if (value->arg(first) == held) return value->arg(first + 1);
    return value->arg(first + 1) == held ? value->arg(first) : nullptr;
}

// A step's values over what the cells held, as what a second partial result does in the place of
// the terms.
class Combining {
  public:
    Combining(Context& ctx, const Tuple& values, const Reduction& r) : ctx_(ctx), r_(r) {
        for (std::size_t k = 0; k < values.size(); ++k) {
            terms_.push_back(term_of(values[k], r.left[k]));
        }
    }

    Expr of(Expr value, std::size_t own) const {
        if (value == terms_[own]) return r_.right[own];
        for (std::size_t k = 0; k < terms_.size(); ++k) {
            if (value == terms_[k] && !is_const(value)) return r_.right[k];
        }
        if (value->args.empty()) return value;
        Tuple args;
        for (Expr a : value->args) args.push_back(of(a, own));
        return with_args(ctx_, value, args);
    }

  private:
    Context& ctx_;
    const Reduction& r_;
    Tuple terms_;
};

Status starts_at_constants(const Block& block, Reduction& out) {
    for (Stmt s : as_list(block.init)) {
        const Store* start = s->as<Store>();
        if (start == nullptr) {
            return error("the initialisation of block " + block.name + " does more than to store",
                         "T.init() stores a constant to a cell of each result");
        }
        if (!start->value->args.empty() || !free_vars(start->value).empty()) {
            return error("block " + block.name + " starts at " + print(start->value) +
                         ", which is no constant");
        }
        out.of.push_back({start->buffer, start->value});
    }
    return Unit{};
}

// Where each statement of the body combines a term with a cell of its own.
bool are_accumulations(const Function& f, const Site& body, const std::vector<Stmt>& list) {
    for (std::size_t k = 0; k < list.size(); ++k) {
        const Site at = list.size() == 1 ? body : body.child(std::to_string(k));
        const Store* store = list[k]->as<Store>();
        if (store == nullptr || !accumulation_at(f, at)) return false;
        for (Stmt other : list) {
            const Store* n = other->as<Store>();
            if (n == nullptr || other == list[k]) continue;
            const std::vector<Buffer> read = loaded_buffers(n->value);
            if (std::find(read.begin(), read.end(), store->buffer) != read.end()) return false;
        }
    }
    return true;
}

}  // namespace

const Store& first_store(Stmt s) {
    const Store* out = nullptr;
    for_each_stmt(s, [&](Stmt t) {
        if (out == nullptr) out = t->as<Store>();
    });
    return *out;
}

Result<Reduction> reduction_of(Context& ctx, const Function& f, const Site& site,
                               const FreshNames& fresh) {
    const Block& block = *locate(f, site)->stmt->as<Block>();
    Reduction out;
    if (const Status ok = starts_at_constants(block, out); !ok) return ok.error();
    const std::vector<Stmt> list = as_list(block.body);
    std::size_t stores = 0;
    bool same_cell = true;
    for_each_stmt(block.body, [&](Stmt s) {
        const Store* n = s->as<Store>();
        if (n == nullptr) return;
        ++stores;
        for (Stmt t : as_list(block.init)) {
            const Store& start = *t->as<Store>();
            same_cell = same_cell && start.indices == n->indices;
        }
        same_cell = same_cell && std::any_of(out.of.begin(), out.of.end(), [&](const Reduced& r) {
                        return r.buffer == n->buffer;
                    });
    });
    if (stores != out.of.size() || !same_cell) {
        return error("block " + block.name + " does more than to initialise cells and update them",
                     "it initialises one cell of each result, and stores to each of these once");
    }
    if (are_accumulations(f, site.child("body"), list)) return out;
    const Store* only = block.body->as<Store>();
    if (only != nullptr) {
        return error("block " + block.name +
                         " does more than to combine a term with a cell: " + print(only->value),
                     "C[vi] = C[vi] + e, where e does not read C; likewise T.max, T.min, &, |, ^");
    }
    std::vector<Buffer> buffers;
    for (const Reduced& r : out.of) {
        buffers.push_back(r.buffer);
        out.left.push_back(ctx.var(fresh("l_" + r.buffer->name), r.buffer->type));
        out.right.push_back(ctx.var(fresh("r_" + r.buffer->name), r.buffer->type));
    }
    const Result<StepValues> step = step_values(ctx, block.body, buffers, out.left);
    if (!step) return step.error();
    const Combining combining(ctx, step->after, out);
    for (std::size_t k = 0; k < buffers.size(); ++k) {
        Expr e = combining.of(step->after[k], k);
        for (Expr v : free_vars(e)) {
            const auto is = [&](const Tuple& vars) {
                return std::find(vars.begin(), vars.end(), v) != vars.end();
            };
            if (!is(out.left) && !is(out.right)) e = nullptr;
            if (e == nullptr) break;
        }
        if (e == nullptr || has_op(e, Op::Load)) {
            return error("it is not known how partial results of " + buffers[k]->name +
                             " are combined: " + print(step->after[k]),
                         "T.Select(c, old, new) for each result, where c speaks of old and new "
                         "values of all results and of nothing else");
        }
        out.combine.push_back(e);
    }
    return out;
}

}  // namespace proviso::rewrite
