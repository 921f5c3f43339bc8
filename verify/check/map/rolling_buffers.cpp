#include "verify/check/map/rolling_buffers.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "analysis/facts/facts.h"
#include "ir/text.h"
#include "rewrite/passes/passes.h"
#include "rewrite/rules/common.h"
#include "rewrite/rules/fresh_copy.h"
#include "rewrite/schedule/fresh_buffer.h"
#include "rewrite/schedule/reader/interpreter/unused.h"
#include "verify/check/map/extents.h"
#include "verify/check/map/map.h"
#include "verify/check/map/mirror.h"
#include "verify/check/map/spelling.h"

namespace proviso::verify {

using namespace ir;
using namespace rewrite;

namespace {

struct Rolling {
    Buffer buffer = nullptr;
    std::size_t dim = 0;  // whose indices are all taken modulo the extent
};

// What is left of an index without the modulo; null: it has none of that kind.
Expr without_modulo(Expr index, Expr extent) {
    const bool is_one = index->op == Op::FloorMod || index->op == Op::TruncMod;
    return is_one && index->arg(1) == extent ? index->arg(0) : nullptr;
}

std::vector<std::vector<Expr>> indices_of(Stmt s, Buffer buffer) {
    std::vector<std::vector<Expr>> out;
    for_each_stmt(s, [&](Stmt t) {
        const Store* n = t->as<Store>();
        if (n != nullptr && n->buffer == buffer) out.push_back(n->indices);
    });
    for_each_expr(s, [&](Expr e) {
        for_each_node(e, [&](Expr n) {
            if (n->op != Op::Load || n->buffer != buffer) return;
            out.emplace_back(n->args.begin(), n->args.end());
        });
    });
    return out;
}

std::optional<Rolling> rolling(const Allocate& n) {
    const std::vector<std::vector<Expr>> all = indices_of(n.body, n.buffer);
    for (std::size_t d = 0; d < n.buffer->rank() && !all.empty(); ++d) {
        const bool modulo = std::all_of(all.begin(), all.end(), [&](const auto& index) {
            return without_modulo(index[d], n.buffer->shape[d]) != nullptr;
        });
        if (modulo && is_int_const(n.buffer->shape[d])) return Rolling{n.buffer, d};
    }
    return std::nullopt;
}

class Roller {
  public:
    Roller(Proposer& p, const Function& after, std::vector<std::string>& tried)
        : p_(p), ctx_(p.ctx()), after_(after), tried_(tried) {}

    bool run(const std::function<bool(const Function&)>& reach, bool& any) {
        any = false;
        for (const auto& [site, s] : all_statements(after_)) {
            const Allocate* n = s->as<Allocate>();
            if (n == nullptr) continue;
            const std::optional<Rolling> found = rolling(*n);
            if (!found || !lengthen(*n, site, *found)) continue;
            any = true;
            return reach(wide_function_) && roll() && finish();
        }
        return false;
    }

  private:
    bool fails(std::string why) {
        tried_.push_back(of_.buffer->name +
                         ", which holds the last few of more: " + std::move(why));
        return false;
    }

    // The second program with a place for all that is stored.
    bool lengthen(const Allocate& n, const Site& site, const Rolling& found) {
        of_ = found;
        text_ = n.body;
        while (const Allocate* in = text_->as<Allocate>()) text_ = in->body;
        Extents extents(p_, after_);
        std::vector<Expr> ends;
        for (const Leaf& leaf : leaves_of(ctx_, text_)) {
            const Store* store = leaf.stmt->as<Store>();
            if (store == nullptr || store->buffer != of_.buffer) continue;
            Expr index = without_modulo(store->indices[of_.dim], of_.buffer->shape[of_.dim]);
            ends.push_back(extents.at_end(leaf, index, true));
            if (ends.back() == nullptr) return false;
        }
        const auto most = std::find_if(ends.begin(), ends.end(), [&](Expr e) {
            return std::all_of(ends.begin(), ends.end(),
                               [&](Expr other) { return extents.at_most(other, e); });
        });
        if (most == ends.end()) return false;
        Expr length = extents.sum(ctx_.add(*most, ctx_.int_imm((*most)->type, 1)));
        if (length == nullptr) return false;
        std::set<std::string> used = used_names(p_.current());
        for (const std::string& name : used_names(after_)) used.insert(name);
        std::vector<Expr> shape(of_.buffer->shape.begin(), of_.buffer->shape.end());
        shape[of_.dim] = length;
        wide_ = ctx_.buffer(fresh_name(of_.buffer->name + "_all", used), of_.buffer->type, shape,
                            of_.buffer->scope);
        Stmt body = replace_buffer_in(
            ctx_, n.body, of_.buffer, wide_,
            [&](std::vector<Expr> index) {
                index[of_.dim] = without_modulo(index[of_.dim], of_.buffer->shape[of_.dim]);
                return index;
            },
            true, true);
        wide_function_ = after_;
        wide_function_.body = with_statement(ctx_, after_.body, site,
                                             ctx_.stmt(Allocate{wide_, body, n.annotations}));
        return true;
    }

    // Each store to the long buffer as one to the short one. That one begins with a nest around it
    // that stores something, which goes again.
    bool roll() {
        std::set<std::string> used = used_names(p_.current());
        for (const std::string& name : used_names(after_)) used.insert(name);
        FreshBuffer b;
        b.around = root(wide_);
        b.name = of_.buffer->name;
        b.type = of_.buffer->type;
        b.scope = of_.buffer->scope;
        b.shape.assign(of_.buffer->shape.begin(), of_.buffer->shape.end());
        b.block = fresh_name(b.name + "_fill", used);
        for (std::size_t d = 0; d < b.shape.size(); ++d) {
            b.loops.push_back(fresh_name(b.name + "_c", used));
            b.indices.push_back(fresh_name(b.name + "_v", used));
            b.vars.push_back(ctx_.var(fresh_name(b.name + "_x", used), b.shape[d]->type));
        }
        b.value = b.type.is_float() ? ctx_.float_imm(b.type, 0) : ctx_.int_imm(b.type, 0);
        std::optional<Rejection> why;
        if (!put_fresh_buffer(p_, b, why)) return fails(why ? refusal_text(*why) : "no place");
        Mirror mirror(p_, wide_);
        const Site fill = store_of_block(p_, b.block);
        for (const Leaf& leaf : mirror.leaves()) {
            if (mirror.below(leaf.at) != fill) continue;
            const auto cell_of = [&](std::vector<Expr> x) {
                x[of_.dim] = ctx_.floormod(x[of_.dim], of_.buffer->shape[of_.dim]);
                return x;
            };
            if (!mirror.move(of_.buffer, leaf, cell_of, true)) return fails(mirror.why());
            drop_unused(p_, fill);
            return true;
        }
        return fails("it gets no cells");
    }

    // What stands in it below the allocations, in the program.
    Site root(Buffer buffer) const {
        Site at;
        for (const auto& [site, s] : all_statements(p_.current())) {
            const Allocate* n = s->as<Allocate>();
            if (n != nullptr && n->buffer == buffer) at = site.child("body");
        }
        while (locate(p_.current(), at)->stmt->is<Allocate>()) at = at.child("body");
        return at;
    }

    // Spelled as in the second program.
    bool finish() {
        if (p_.current().body == after_.body) return true;
        return map_onto(p_, root(of_.buffer), text_, tried_);
    }

    Proposer& p_;
    Context& ctx_;
    const Function& after_;
    std::vector<std::string>& tried_;
    Rolling of_;
    Stmt text_ = nullptr;  // in which the buffer is allocated
    Buffer wide_ = nullptr;
    Function wide_function_;
};

}  // namespace

bool has_rolling_buffers(const Function& f) {
    bool found = false;
    for_each_stmt(f.body, [&](Stmt s) {
        const Allocate* n = s->as<Allocate>();
        found = found || (n != nullptr && rolling(*n));
    });
    return found;
}

bool reach_with_rolling_buffers(Proposer& p, const Function& after,
                                const std::function<bool(const Function&)>& reach, bool& any,
                                std::vector<std::string>& tried) {
    return Roller(p, after, tried).run(reach, any);
}

}  // namespace proviso::verify
