#include "verify/check/sizes.h"

#include <algorithm>
#include <set>

#include "analysis/facts/facts.h"
#include "ir/text.h"
#include "verify/tv/least_steps.h"

namespace proviso::verify {

using namespace ir;

namespace {

constexpr std::size_t kFewest = 12;               // choices, where the bounds allow as many
constexpr std::int64_t kLargest = 1 << 20;        // that is tried at all
constexpr std::int64_t kLargestOfAModel = 2'048;  // of what a solver may choose
constexpr std::size_t kConditions = 24;           // that a solver is asked about
constexpr std::int64_t kBase = 5;                 // of the other variables, where one is varied
constexpr std::int64_t kPrimes[] = {1009, 211, 53};
constexpr std::int64_t kFillers[] = {3, 4, 5, 7, 8, 16, 9, 31, 6, 12, 64};

// Every expression of a function, wherever it stands.
void for_each_root(Context& ctx, const Function& f, const std::function<void(Expr)>& on) {
    const auto shape = [&](Buffer b) {
        for (Expr extent : b->shape) on(extent);
    };
    for (Buffer b : f.buffer_params()) {
        shape(b);
        for (const analysis::Layout& l : analysis::layouts_of(ctx, f, b->name)) {
            for (const auto* list : {&l.logical_shape, &l.map, &l.inverse}) {
                for (Expr e : *list) on(e);
            }
        }
    }
    for_each_stmt(f.body, [&](Stmt s) {
        if (const Allocate* n = s->as<Allocate>()) shape(n->buffer);
        const Block* block = s->as<Block>();
        if (block == nullptr) return;
        for (const BlockIter& it : block->iters) {
            on(it.lo);
            on(it.hi);
        }
    });
    for_each_expr(f.body, on);
}

class Choosing {
  public:
    Choosing(Context& ctx, const Function& before, const Function& after, analysis::Prover& prover,
             const Sizes& given, const SizeLimits& limits)
        : ctx_(ctx),
          before_(before),
          after_(after),
          prover_(prover),
          given_(given),
          limits_(limits) {
        for (Expr v : sizes_needed(before, after)) {
            if (given.count(v) == 0) out_.variables.push_back(v);
        }
    }

    SizeChoices choose() {
        if (out_.variables.empty()) {
            out_.chosen = {given_};
            return std::move(out_);
        }
        if (given_.empty() && every_value()) return std::move(out_);
        collect_values();
        combine();
        // Small ones first: what they show is easier to read.
        std::stable_sort(out_.chosen.begin(), out_.chosen.end(),
                         [&](const Sizes& a, const Sizes& b) { return largest(a) < largest(b); });
        return std::move(out_);
    }

  private:
    struct Bounds {
        std::int64_t lo = 0;
        std::int64_t hi = 0;
        bool declared = false;  // on both sides
    };

    Bounds bounds(Expr v) const {
        const auto lo = before_.lower_bound(*v->name);
        const auto hi = before_.upper_bound(*v->name);
        const bool extent = plain_extent(v);
        const auto within = [&](std::int64_t x) {
            const Int128 least = v->type.min_value();
            const Int128 most = v->type.max_value();
            return static_cast<std::int64_t>(std::clamp<Int128>(x, least, most));
        };
        Bounds out;
        out.lo = within(extent ? std::max<std::int64_t>(0, lo.value_or(0)) : lo.value_or(-1));
        out.hi = within(hi.value_or(kLargest));
        out.declared = (lo.has_value() || extent) && hi.has_value();
        return out;
    }

    Int128 largest(const Sizes& sizes) const {
        Int128 out = -1;
        for (Expr v : out_.variables) out = std::max(out, sizes.at(v)->int_value());
        return out;
    }

    // Itself an extent of some parameter, which is not negative.
    bool plain_extent(Expr v) const {
        for (Buffer b : before_.buffer_params()) {
            for (Expr extent : b->shape) {
                if (extent == v) return true;
            }
        }
        return false;
    }

    bool every_value() {
        std::size_t product = 1;
        for (Expr v : out_.variables) {
            const Bounds b = bounds(v);
            if (!b.declared || b.hi < b.lo) return false;
            const auto n = static_cast<std::uint64_t>(b.hi) - static_cast<std::uint64_t>(b.lo);
            if (n >= limits_.most || product * (n + 1) > limits_.most) return false;
            product *= n + 1;
        }
        out_.chosen = {given_};
        for (Expr v : out_.variables) {
            const Bounds b = bounds(v);
            std::vector<Sizes> more;
            for (const Sizes& some : out_.chosen) {
                for (std::int64_t x = b.lo; x <= b.hi; ++x) {
                    more.push_back(some);
                    more.back()[v] = ctx_.int_imm(v->type, x);
                }
            }
            out_.chosen = std::move(more);
        }
        std::erase_if(out_.chosen, [&](const Sizes& sizes) { return !possible(sizes); });
        out_.all = true;
        return true;
    }

    void add(std::vector<std::int64_t>& list, std::int64_t value) const {
        if (value < -1 || value > kLargest) return;
        if (std::find(list.begin(), list.end(), value) == list.end()) list.push_back(value);
    }

    void collect_values() {
        std::set<std::int64_t> constants;
        for (const Function* f : {&before_, &after_}) {
            for_each_root(ctx_, *f, [&](Expr root) {
                for_each_node(root, [&](Expr e) {
                    if (e->op != Op::IntImm) return;
                    const Int128 c = e->int_value();
                    if (c != 0 && c <= kLargest && c >= -kLargest) {
                        constants.insert(static_cast<std::int64_t>(c < 0 ? -c : c));
                    }
                });
            });
            for (Expr v : f->scalar_params()) {
                for (const auto& bound : {f->lower_bound(*v->name), f->upper_bound(*v->name)}) {
                    if (bound && *bound > 0 && *bound <= kLargest) constants.insert(*bound);
                }
            }
        }
        add(values_, 1);
        add(values_, 2);
        for (const std::int64_t c : constants) {
            for (const std::int64_t x : {c, c - 1, c + 1}) add(values_, x);
        }
        for (const std::int64_t c : constants) {
            for (const std::int64_t x : {2 * c + 1, 2 * c}) add(values_, x);
        }
        add(values_, 0);
        if (std::any_of(out_.variables.begin(), out_.variables.end(),
                        [&](Expr v) { return bounds(v).lo < 0; })) {
            add(values_, -1);
        }
        for (const std::int64_t x : kFillers) {
            if (values_.size() + 1 < kFewest) add(values_, x);
        }
    }

    Expr constant(Expr v, std::int64_t value) const {
        const Bounds b = bounds(v);
        return ctx_.int_imm(v->type, b.hi < b.lo ? b.lo : std::clamp(value, b.lo, b.hi));
    }

    Sizes all_alike(std::int64_t value) const {
        Sizes out = given_;
        for (Expr v : out_.variables) out[v] = constant(v, value);
        return out;
    }

    Sizes only(Expr varied, std::int64_t value) const {
        Sizes out = all_alike(kBase);
        out[varied] = constant(varied, value);
        return out;
    }

    // No extent of a parameter is negative, or faults.
    bool possible(const Sizes& sizes) const {
        for (Buffer b : before_.buffer_params()) {
            const auto shape = logical_shape(ctx_, before_, b, sizes, limits_.cells);
            if (!shape && shape.error().hint != kTooManyCells) return false;
        }
        return true;
    }

    // Known without running anything; what allocations need shows only when they are run.
    bool within_limits(const Sizes& sizes) const {
        for (const Function* f : {&before_, &after_}) {
            for (Buffer b : f->buffer_params()) {
                const auto shape = logical_shape(ctx_, *f, b, sizes, limits_.cells);
                if (!shape && shape.error().hint == kTooManyCells) return false;
            }
            if (takes_more_steps(ctx_, *f, sizes, limits_.steps)) return false;
        }
        return true;
    }

    void take(const Sizes& sizes) {
        if (!possible(sizes)) return;
        if (!seen_.insert(sizes_text(out_.variables, sizes)).second) return;
        if (out_.chosen.size() < limits_.most) {
            out_.chosen.push_back(sizes);
        } else {
            ++out_.left_out;
        }
    }

    void combine() {
        const std::vector<Expr>& vars = out_.variables;
        take_prime();
        from_conditions();
        // A value that is too much for all of them may be fine for each.
        for (const std::int64_t x : values_) {
            const Sizes alike = all_alike(x);
            if (vars.size() == 1 || within_limits(alike)) take(alike);
        }
        if (vars.size() == 1) return;
        for (const std::int64_t x : values_) {
            for (Expr v : vars) take(only(v, x));
        }
        const std::size_t n = values_.size();
        for (std::size_t t = 0; t < 2 * n && out_.chosen.size() < limits_.most; ++t) {
            Sizes mixed = given_;
            for (std::size_t j = 0; j < vars.size(); ++j) {
                mixed[vars[j]] = constant(vars[j], values_[(t * (j + 1) + 3 * j + t / n) % n]);
            }
            if (within_limits(mixed)) take(mixed);
        }
    }

    // The largest one within the limits, for each variable.
    void take_prime() {
        for (Expr v : out_.variables) {
            for (const std::int64_t p : kPrimes) {
                const Sizes sizes = only(v, p);
                if (!within_limits(sizes)) continue;
                take(sizes);
                break;
            }
        }
    }

    // Sizes at which a condition on nothing but sizes is true, and sizes at which it is false.
    void from_conditions() {
        const std::vector<Expr> all = size_variables(before_);
        std::vector<Expr> conditions;
        for (const Function* f : {&before_, &after_}) {
            for_each_root(ctx_, *f, [&](Expr root) {
                for_each_node(root, [&](Expr e) {
                    const std::vector<Expr> of = free_vars(e);
                    const bool about_sizes =
                        e->type == kBool && !of.empty() && !has_op(e, Op::Load) &&
                        std::all_of(of.begin(), of.end(), [&](Expr v) {
                            return std::find(out_.variables.begin(), out_.variables.end(), v) !=
                                   out_.variables.end();
                        });
                    const bool known =
                        std::find(conditions.begin(), conditions.end(), e) != conditions.end();
                    if (about_sizes && !known && conditions.size() < kConditions) {
                        conditions.push_back(e);
                    }
                });
            });
        }
        std::vector<Expr> facts = analysis::parameter_facts(ctx_, before_);
        for (Expr v : out_.variables) {
            const std::int64_t most = std::min(kLargestOfAModel, bounds(v).hi);
            facts.push_back(ctx_.le(v, ctx_.int_imm(v->type, most)));
            facts.push_back(ctx_.le(ctx_.int_imm(v->type, bounds(v).lo), v));
        }
        for (Expr condition : conditions) {
            for (Expr goal : {condition, ctx_.not_(condition)}) {
                const analysis::Answer answer = prover_.prove(facts, goal);
                if (answer.verdict != analysis::Verdict::Refuted) continue;
                Sizes sizes = all_alike(kBase);
                for (const analysis::ModelValue& m : answer.model) {
                    if (m.expr == nullptr || m.value == nullptr || !is_int_const(m.value)) continue;
                    const auto mine = sizes.find(m.expr);
                    if (mine != sizes.end()) mine->second = m.value;
                }
                take(sizes);
            }
        }
    }

    Context& ctx_;
    const Function& before_;
    const Function& after_;
    analysis::Prover& prover_;
    const Sizes& given_;
    const SizeLimits& limits_;
    std::vector<std::int64_t> values_;  // the most telling first
    std::set<std::string> seen_;
    SizeChoices out_;
};

}  // namespace

SizeChoices choose_sizes(Context& ctx, const Function& before, const Function& after,
                         analysis::Prover& prover, const Sizes& given, const SizeLimits& limits) {
    return Choosing(ctx, before, after, prover, given, limits).choose();
}

std::string sizes_text(const std::vector<Expr>& variables, const Sizes& sizes) {
    std::string out;
    for (Expr v : variables) {
        const auto value = sizes.find(v);
        if (value == sizes.end()) continue;
        out += (out.empty() ? "" : ", ") + *v->name + " = " + print(value->second);
    }
    return out;
}

}  // namespace proviso::verify
