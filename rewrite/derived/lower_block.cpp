// lower-block: a block by its expansion, which is what it means.
//
//   before   with T.block("b"): vi = T.axis.spatial(14, i); T.where(p); with T.init(): I;  S
//   after    if p: { if every reduce iterator is at its start: I;  S }      iterators replaced by
//   their bindings
//
// Arguments and obligations: none. Iterator domains and region annotations are claims that the
// source makes; without them there is less that can fault. A binding that reads memory becomes a
// let, so that it is read once.
#include <nlohmann/json.hpp>

#include "ir/planted.h"
#include "rewrite/rules/statement/statement_rules.h"

namespace proviso::rewrite {

using namespace ir;

namespace {

class LowerBlock final : public Rule {
  public:
    std::string name() const override { return "lower-block"; }
    std::string summary() const override { return "a block by its expansion"; }

    Result<Proposal> propose(Context& ctx, const Function& before, const Site& site,
                             const nlohmann::json& args) const override {
        (void)args;
        const Result<Located> at = locate(before, site);
        if (!at) return at.error();
        const Block* block = at->as<Block>();
        if (block == nullptr) return error("lower-block works on a block");
        Substitution inlined;
        std::vector<const BlockIter*> bound;
        std::vector<Expr> at_start;
        for (const BlockIter& it : block->iters) {
            const bool reads = has_op(it.binding, Op::Load) || has_op(it.binding, Op::CallExtern) ||
                               has_op(it.binding, Op::Undef);
            if (reads) {
                bound.push_back(&it);
            } else {
                inlined[it.var] = it.binding;
            }
            if (it.kind == IterKind::Reduce) at_start.push_back(ctx.eq(it.var, it.lo));
        }
        Stmt body = block->body;
        if (block->init != nullptr) {
            Stmt init = block->init;
            const bool always = at_start.empty() || planted("lower-block:init");
            if (!always) init = ctx.if_(ctx.all_of(at_start), init);
            body = ctx.seq({init, body});
        }
        body = substitute(ctx, body, inlined);
        for (auto it = bound.rbegin(); it != bound.rend(); ++it) {
            body = ctx.stmt(LetStmt{(*it)->var, (*it)->binding, body});
        }
        const bool forgets = planted("lower-block:predicate");
        if (!is_true(block->predicate) && !forgets) body = ctx.if_(block->predicate, body);
        Proposal out;
        out.after = replace_at(ctx, before, site, body);
        return out;
    }
};

}  // namespace

const Rule& lower_block_rule() {
    static const LowerBlock rule;
    return rule;
}

}  // namespace proviso::rewrite
