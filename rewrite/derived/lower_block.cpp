// lower-block: a block by its expansion, which is what it means.
//
//   before   with T.block("b"): vi = T.axis.spatial(14, i); T.where(p); with T.init(): I;  S
//   after    if p: { if every reduce iterator is at its start: I;  S }      iterators replaced by
//   their bindings
//
// No arguments. A binding that reads memory becomes a let, so that it is read once.
#include <nlohmann/json.hpp>

#include "ir/planted.h"
#include "rewrite/derived/derived_rule.h"
#include "rewrite/rules/statement/statement_rules.h"

namespace proviso::rewrite {

using namespace ir;

namespace {

class LowerBlock final : public RescheduleRule {
  public:
    std::string name() const override { return "lower-block"; }
    std::string summary() const override { return "a block by its expansion"; }

    Result<Rescheduling> rescheduling(Context& ctx, const Function& before, const Site& site,
                                      const nlohmann::json& args) const override {
        (void)args;
        const Result<Located> at = locate(before, site);
        if (!at) return at.error();
        const Block* block = at->as<Block>();
        if (block == nullptr) return error("lower-block works on a block");
        Substitution inlined;
        Part whole;
        std::vector<const BlockIter*> bound;
        std::vector<Expr> at_start;
        for (const BlockIter& it : block->iters) {
            const bool reads = has_op(it.binding, Op::Load);
            if (reads) {
                bound.push_back(&it);
                whole.to[it.var] = it.var;
            } else {
                inlined[it.var] = it.binding;
            }
            whole.from[it.var] = reads ? it.var : it.binding;
            if (it.kind == IterKind::Reduce) {
                at_start.push_back(ctx.eq(reads ? it.var : it.binding, it.lo));
            }
        }
        // Where the expansion begins in the new text: in a guard and in lets.
        const bool forgets = planted("lower-block:predicate");
        const bool guarded = !is_true(block->predicate) && !forgets;
        if (guarded) whole.now = whole.now.child("then");
        for (std::size_t k = 0; k < bound.size(); ++k) whole.now = whole.now.child("body");
        std::vector<Stmt> list;
        Rescheduling out;
        const auto add = [&](Stmt s, const Part& part) {
            for (Part& p : as_parts(s, part)) {
                p.now = whole.now.child(std::to_string(list.size()));
                const Site in_part{{p.origin.steps.begin() + 1, p.origin.steps.end()}};
                list.push_back(
                    in_part.steps.empty() ? s : s->as<Seq>()->body[std::stoul(in_part.steps[0])]);
                out.parts.push_back(std::move(p));
            }
        };
        if (block->init != nullptr) {
            Part init = whole;
            init.origin = Site{}.child("init");
            if (at_start.empty() || planted("lower-block:init")) {
                add(block->init, init);
            } else {
                init.now = whole.now.child("0").child("then");
                out.parts.push_back(init);
                list.push_back(ctx.if_(ctx.all_of(at_start), block->init));
            }
        }
        Part body = whole;
        body.origin = Site{}.child("body");
        add(block->body, body);
        if (list.size() == 1) {  // no list
            for (Part& p : out.parts) {
                p.now.steps.erase(p.now.steps.begin() +
                                  static_cast<std::ptrdiff_t>(whole.now.steps.size()));
            }
        }
        out.after = substitute(ctx, ctx.seq(list), inlined);
        for (auto it = bound.rbegin(); it != bound.rend(); ++it) {
            out.after = ctx.stmt(LetStmt{(*it)->var, (*it)->binding, out.after});
        }
        if (guarded) out.after = ctx.if_(block->predicate, out.after);
        return out;
    }
};

}  // namespace

const Rule& lower_block_rule() {
    static const LowerBlock rule;
    return rule;
}

}  // namespace proviso::rewrite
