#include "backend/gpu/plan/launches.h"

#include <algorithm>
#include <utility>

#include "analysis/facts/facts.h"
#include "ir/children.h"
#include "ir/planted.h"
#include "ir/text.h"
#include "rewrite/rules/common.h"
#include "rewrite/rules/race_free.h"

namespace proviso::backend::gpu {

using namespace ir;
using analysis::Answer;
using analysis::Obligation;
using analysis::Prover;
using analysis::Verdict;

namespace {

constexpr const char* kAxisNames[kAxes] = {"x", "y", "z"};

// Everything in `s` stands in a loop bound to this axis of threads.
bool in_threads_of(Stmt s, std::size_t axis) {
    if (const For* n = s->as<For>(); n != nullptr && is_bound(*n) && !is_block_loop(*n)) {
        if (axis_of(*n) == axis) return true;
    }
    if (s->is<Store>() || s->is<Evaluate>() || s->is<Assert>()) return false;
    const auto parts = children(s);
    return std::all_of(parts.begin(), parts.end(), [&](const Child& c) {
        return c.stmt == nullptr || in_threads_of(c.stmt, axis);
    });
}

class LaunchChecker {
  public:
    LaunchChecker(Context& ctx, const Plan& plan, const Target& target, Prover& prover)
        : ctx_(ctx), plan_(plan), target_(target), prover_(prover) {}

    std::optional<Refusal> run() {
        for (const Kernel& k : plan_.kernels) {
            limits(k);
            extents(k);
            races(k);
            for (const Obligation& o : k.own_parts) {
                require(o,
                        "bind the loops that index it, those of the copy as well, to the threads "
                        "that own the parts (sch.bind), or give it the scope \"shared\"");
            }
            waits(k);
            if (refusal_) break;
        }
        return std::move(refusal_);
    }

  private:
    void limits(const Kernel& k) {
        Expr threads = nullptr;
        for (std::size_t a = 0; a < kAxes; ++a) {
            const std::string axis = kAxisNames[a];
            at_most(k, k.grid[a], target_.grid[a], "blocks along blockIdx." + axis);
            at_most(k, k.block[a], target_.block[a], "threads along threadIdx." + axis);
            if (k.block[a] == nullptr) continue;
            Expr extent = ctx_.cast(kInt64, k.block[a]);
            threads = threads == nullptr ? extent : ctx_.mul(threads, extent);
        }
        at_most(k, threads, target_.threads, "threads of a block");
        if (k.shared_bytes > target_.shared_bytes && !refusal_) {
            refusal_ = Refusal{error(k.name + " needs " + std::to_string(k.shared_bytes) +
                                         " bytes of shared memory; " + target_.name + " has " +
                                         std::to_string(target_.shared_bytes),
                                     "smaller tiles"),
                               Verdict::Refuted};
        }
    }

    void at_most(const Kernel& k, Expr extent, std::int64_t limit, const std::string& what) {
        if (extent == nullptr || refusal_) return;
        Expr goal = ctx_.le(ctx_.cast(kInt64, extent), ctx_.i64(limit));
        const Obligation o{{.words = "at most " + std::to_string(limit) + " " + what + " (" +
                                     k.name + " on " + target_.name + ")"},
                           analysis::facts_at(ctx_, plan_.function, k.site),
                           goal};
        require(o,
                "factors of the split that give fewer, or an upper bound on the sizes: "
                "T.func_attr({\"tir_var_upper_bound\": {\"n\": 1024}})");
    }

    // The host computes all extents before it launches, also those of loops that the program
    // reaches under a condition, or not at all. And it launches nothing where one of them is not
    // positive, so that what stands in no loop of that axis would not run.
    void extents(const Kernel& k) {
        if (planted("gpu:launches-not-asked")) return;
        std::vector<Expr> facts = analysis::facts_at(ctx_, plan_.function, k.site);
        const For* outermost = k.stmt->as<For>();
        for (Expr bound : {outermost->lo, outermost->hi}) {
            facts.push_back(rewrite::evaluated_bound(ctx_, bound));
        }
        for (const auto& [name, axes] :
             {std::pair("blockIdx.", &k.grid), {"threadIdx.", &k.block}}) {
            for (std::size_t a = 0; a < kAxes; ++a) {
                Expr extent = (*axes)[a];
                if (extent == nullptr) continue;
                const std::string of = std::string(" along ") + name + kAxisNames[a];
                require(
                    {{.words = "the extent" + of + " is computed without a fault where " + k.name +
                               " is launched: " + print(extent)},
                     facts,
                     rewrite::evaluated_bound(ctx_, extent)},
                    "bounds on the sizes: T.func_attr({\"tir_var_upper_bound\": {\"n\": 1024}})");
                if (axes != &k.block || in_threads_of(k.stmt, a)) continue;
                Expr one = ctx_.int_imm(extent->type, 1);
                require({{.words = "a part of " + k.name + " stands in no loop" + of +
                                   ", so there is a thread: 1 <= " + print(extent)},
                         facts,
                         ctx_.le(one, extent)},
                        "a lower bound on the sizes: T.func_attr({\"tir_var_lower_bound\": "
                        "{\"n\": 1}}); or a kernel of its own for that part");
            }
        }
    }

    void races(const Kernel& k) {
        if (planted("gpu:races-not-asked")) return;
        for (const auto& [site, stmt] : all_statements(plan_.function)) {
            const For* n = stmt->as<For>();
            if (n == nullptr || !is_bound(*n) || !k.site.contains(site)) continue;
            for (const Obligation& o :
                 rewrite::iterations_share_nothing(ctx_, plan_.function, site)) {
                require(o, "two threads would touch one cell, one of them writing");
            }
        }
    }

    // Where the attribute leaves out a barrier, none is needed. The rule `sync` has proved that of
    // the program that it saw.
    void waits(const Kernel& k) {
        const Result<rewrite::BlockLevel> level = rewrite::BlockLevel::of(plan_.function, k.site);
        std::optional<analysis::MemoryModel> memory;
        for (const auto& way : level->ways()) {
            if (level->waits(way, k.barriers)) continue;
            if (!memory) memory.emplace(ctx_, plan_.function);
            for (const Obligation& o : rewrite::threads_need_not_wait(*memory, *level, way)) {
                require(o,
                        "a barrier is missing: the attribute proviso.barriers is not the one "
                        "that the rule sync has written");
            }
        }
    }

    void require(const Obligation& o, const std::string& hint) {
        if (refusal_) return;
        const Answer answer = prover_.prove(o);
        if (answer.verdict == Verdict::Proved) return;
        Diagnostic d = error(
            std::string(analysis::verdict_name(answer.verdict)) + ": " + o.purpose.words, hint);
        std::string values;
        for (const analysis::ModelValue& v : answer.model) {
            values += (values.empty() ? "" : ", ") + v.name + " = " +
                      (v.value == nullptr ? "undefined" : print(v.value));
        }
        if (!values.empty()) d.notes.push_back("values: " + values);
        if (!answer.why.empty()) d.notes.push_back("why: " + answer.why);
        const bool race = o.purpose.kind == analysis::Owed::NoRace;
        refusal_ = Refusal{std::move(d), answer.verdict, answer.model, race};
    }

    Context& ctx_;
    const Plan& plan_;
    const Target& target_;
    Prover& prover_;
    std::optional<Refusal> refusal_;
};

}  // namespace

std::optional<Refusal> check_launches(Context& ctx, const Plan& plan, const Target& target,
                                      Prover& prover) {
    return LaunchChecker(ctx, plan, target, prover).run();
}

std::set<Buffer> narrow_buffers(Context& ctx, const Plan& plan, Prover& prover) {
    const auto fits = [&](Buffer b, const Site& site) {
        const Expr largest = ctx.i64(static_cast<std::int64_t>(kInt32.max_value()));
        Expr elements = ctx.i64(1);
        for (Expr extent : b->shape) {
            Expr wide = ctx.cast(kInt64, extent);
            elements =
                extent == b->shape[0] && is_int_const(elements, 1) ? wide : ctx.mul(elements, wide);
        }
        const std::vector<Expr> facts = analysis::facts_at(ctx, plan.function, site);
        return prover.prove(facts, ctx.le(elements, largest)).verdict == Verdict::Proved;
    };
    std::set<Buffer> out;
    std::set<Buffer> wide;  // in some kernel
    for (const Kernel& k : plan.kernels) {
        for (Buffer b : k.buffers) (fits(b, k.site) ? out : wide).insert(b);
    }
    for (Buffer b : wide) out.erase(b);
    for_each_stmt(plan.function.body, [&](Stmt s) {  // buffers of kernels have constant sizes
        const Allocate* n = s->as<Allocate>();
        const std::int64_t elements = n == nullptr ? -1 : constant_elements(n->buffer);
        if (elements >= 0 && elements <= kInt32.max_value()) out.insert(n->buffer);
    });
    return out;
}

}  // namespace proviso::backend::gpu
