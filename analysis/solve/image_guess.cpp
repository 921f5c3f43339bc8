#include "analysis/solve/image_guess.h"

#include <algorithm>
#include <set>

#include "analysis/sets/values.h"
#include "analysis/solve/arithmetic.h"
#include "analysis/solve/isolate.h"
#include "ir/children.h"
#include "ir/domains/value.h"

namespace proviso::analysis::solve {

using ir::Expr;
using ir::Int128;
using ir::Integer;
using ir::Op;

namespace {

constexpr int kSizes = 24;   // instances that a guess must fit
constexpr int kTries = 400;  // to find them
constexpr int kLargestSize = 14;
constexpr Int128 kMostAtASize = 4096;
constexpr std::size_t kMostCornerVars = 4;

// Constants computed, sums gathered.
Expr folded(ir::Context& ctx, Expr e) {
    if (e->args.empty()) return e;
    std::vector<Expr> args;
    for (Expr a : e->args) args.push_back(folded(ctx, a));
    Expr out = ir::with_args(ctx, e, args);
    if (!out->type.is_exact_int()) return out;
    const bool product =
        out->op == Op::Mul && !ir::is_int_const(out->arg(0)) && !ir::is_int_const(out->arg(1));
    if (product) {  // (m - 1) * n is m * n - n
        const Affine left = Affine::of(out->arg(0));
        Expr by = out->arg(1);
        Affine each = Affine::of(by) * left.constant();
        for (const auto& [t, factor] : left.terms()) each.add(Affine::term(ctx.mul(t, by), factor));
        Expr flat = each.expr(ctx, out->type);
        return flat == nullptr ? out : flat;
    }
    Expr sum = Affine::of(out).expr(ctx, out->type);
    if (sum != nullptr) out = sum;
    if (ir::is_int_const(out) || !ir::free_vars(out).empty()) return out;
    const auto value = value_at(out, {}, {});
    return value && out->type.contains(*value) ? ctx.int_imm(out->type, *value) : out;
}

// What the parameters are at one size, and the values that the expression has there.
struct Instance {
    std::vector<Expr> parameters;
    Point at;
    std::vector<Int128> values;  // ascending
};

class Guesser {
  public:
    Guesser(Prover& prover, const IndexMap& map, Expr e)
        : prover_(prover), ctx_(prover.context()), build_(ctx_), map_(map), e_(e) {
        for (Expr f : map.facts) {
            (mentions_any(f, map.vars) ? narrowing_ : parameter_facts_).push_back(f);
        }
        for (std::size_t i = 0; i < map.vars.size(); ++i) domains_.push_back(domain_of(i));
    }

    std::vector<ImageGuess> run() {
        std::vector<ImageGuess> out;
        if (const auto scaled = by_symbolic_factor()) return *scaled;
        const IndexSet values = set_of_values();
        const auto from_set = guess_of(values);
        if (from_set && values.exact) out.push_back(*from_set);
        instances();
        std::optional<ImageGuess> corners = from_corners();
        if (corners) out.push_back(*corners);
        if (from_set && !values.exact) out.push_back(*from_set);
        return out;
    }

  private:
    IndexSet box(std::size_t i) const {
        return IndexSet::range(0, Affine::of(map_.extents[i]) - Affine(1));
    }

    // The box's side, narrowed by facts that speak of this variable alone.
    IndexSet domain_of(std::size_t i) {
        Expr v = map_.vars[i];
        std::vector<Expr> parts = box_conditions(ctx_, {v}, {map_.extents[i]});
        const std::size_t plain = parts.size();
        for (Expr f : narrowing_) {
            const bool alone = std::none_of(map_.vars.begin(), map_.vars.end(), [&](Expr other) {
                return other != v && mentions(f, other);
            });
            if (alone && mentions(f, v)) parts.push_back(f);
        }
        if (parts.size() == plain) return box(i);
        const Isolated found = isolate(prover_, parameter_facts_, v, ctx_.all_of(parts));
        IndexSet out = IndexSet::none();
        const SetScope scope(prover_, parameter_facts_);
        for (const Case& c : found.cases) {
            if (c.lowers.size() != 1 || c.uppers.size() != 1 || c.windows.size() > 1) return box(i);
            Piece p{Affine::of(c.lowers[0]), Affine::of(c.uppers[0]), 1, 0};
            if (!c.windows.empty()) {
                const Window& w = c.windows[0];
                if (!ir::is_int_const(w.modulus) || !ir::is_int_const(w.width, 0)) return box(i);
                p.stride = w.modulus->int_value();
                p.anchor = Affine::of(w.first);
            }
            out = scope.unite(out, {{p}, true, false});
        }
        return found.dropped ? box(i) : out;
    }

    IndexSet set_of_values() {
        const SetScope scope(prover_, parameter_facts_);
        ValueSets values{scope, {}};
        for (std::size_t i = 0; i < map_.vars.size(); ++i) {
            values.domains[map_.vars[i]] = domains_[i];
        }
        return values.of(e_);
    }

    Expr expr(const Affine& form) { return form.expr(ctx_, map_.type()); }

    std::optional<ImageGuess> guess_of(const IndexSet& set) {
        ImageGuess out;
        out.hull = set.hull;
        for (const Piece& p : set.pieces) {
            StridedRange r;
            if (p.lo) r.lo = expr(*p.lo);
            if (p.hi) r.hi = expr(*p.hi);
            if ((p.lo && r.lo == nullptr) || (p.hi && r.hi == nullptr)) return std::nullopt;
            if (p.stride != 1) {
                r.stride = build_.number(map_.type(), p.stride);
                r.anchor = expr(p.anchor);
                if (r.stride == nullptr || r.anchor == nullptr) return std::nullopt;
                const bool starts =
                    p.lo && reduced_modulo(ctx_, expr(*p.lo - p.anchor), r.stride) ==
                                ctx_.int_imm(map_.type(), 0);
                if (starts) r.anchor = nullptr;
            }
            out.ranges.push_back(r);
        }
        return out;
    }

    // e = b + s * u, where s > 0 is a parameter: the image of u, scaled.
    std::optional<std::vector<ImageGuess>> by_symbolic_factor() {
        const Affine form = arithmetic(ctx_, Affine::of(e_));
        Affine rest = form.constant();
        Affine inner;
        Expr s = nullptr;
        for (const auto& [t, factor] : form.terms()) {
            if (!mentions_any(t, map_.vars)) {
                rest.add(Affine::term(t), factor);
                continue;
            }
            if (t->op != Op::Mul) return std::nullopt;
            const bool first = !mentions_any(t->arg(0), map_.vars);
            Expr by = t->arg(first ? 0 : 1);
            if (mentions_any(by, map_.vars) || (s != nullptr && by != s)) return std::nullopt;
            s = by;
            inner.add(Affine::of(t->arg(first ? 1 : 0)), factor);
        }
        Expr u = s == nullptr ? nullptr : expr(inner);
        if (u == nullptr ||
            !prover_.proves_cheaply(parameter_facts_, ctx_.lt(ctx_.int_imm(s->type, 0), s))) {
            return std::nullopt;
        }
        std::vector<ImageGuess> out = Guesser(prover_, map_, u).run();
        const auto scaled = [&](Expr end) -> Expr {
            if (end == nullptr) return nullptr;
            const Affine by = Affine::of(end);
            Affine sum = rest;
            for (const auto& [t, factor] : by.terms()) sum.add(Affine::of(ctx_.mul(t, s)), factor);
            return expr(sum.add(Affine::of(s), by.constant()));
        };
        for (ImageGuess& g : out) {
            for (StridedRange& r : g.ranges) {
                if (r.lo == nullptr) return std::nullopt;
                const bool point = r.lo == r.hi;
                r = {scaled(r.lo), scaled(r.hi), r.stride == nullptr ? s : ctx_.mul(r.stride, s),
                     scaled(r.anchor)};
                if (point) r.stride = nullptr;
            }
        }
        return out;
    }

    // --- by looking at small sizes

    void instances() {
        std::set<Expr> free;
        const auto collect = [&](Expr e) {
            for (Expr v : ir::free_vars(e)) free.insert(v);
        };
        collect(e_);
        for (Expr f : map_.facts) collect(f);
        for (Expr f : map_.extents) collect(f);
        for (Expr v : map_.vars) free.erase(v);
        std::vector<Expr> parameters(free.begin(), free.end());
        std::sort(parameters.begin(), parameters.end(),
                  [](Expr a, Expr b) { return a->id < b->id; });
        ir::Chooser noise(7);
        for (int t = 0; t < kTries && instances_.size() < kSizes; ++t) {
            Instance one{parameters, {}, {}};
            for (std::size_t k = 0; k < parameters.size(); ++k) {
                one.at.push_back(static_cast<Int128>(noise.next() % kLargestSize));
            }
            if (look(one)) instances_.push_back(std::move(one));
        }
    }

    bool look(Instance& one) {
        for (Expr f : parameter_facts_) {
            const auto holds = value_at(f, one.parameters, one.at);
            if (!holds || *holds == 0) return false;
        }
        std::vector<Expr> sides;
        Int128 points = 1;
        for (Expr extent : map_.extents) {
            const auto size = value_at(extent, one.parameters, one.at);
            if (!size || !map_.type().contains(*size)) return false;
            sides.push_back(ctx_.int_imm(map_.type(), *size));
            points *= std::max<Int128>(*size, 0);
            if (points > kMostAtASize) return false;
        }
        std::vector<Expr> all = map_.vars;
        all.insert(all.end(), one.parameters.begin(), one.parameters.end());
        std::set<Int128> values;
        bool plain = true;
        each_point(sides, [&](const Point& p) {
            Point at = p;
            at.insert(at.end(), one.at.begin(), one.at.end());
            for (Expr f : narrowing_) {
                const auto holds = value_at(f, all, at);
                if (!holds || *holds == 0) return true;
            }
            const auto value = value_at(e_, all, at);
            plain = value.has_value();
            if (value) values.insert(*value);
            return plain;
        });
        one.values.assign(values.begin(), values.end());
        return plain;
    }

    bool equals_at_all(Expr end, bool lower) {
        return std::all_of(instances_.begin(), instances_.end(), [&](const Instance& i) {
            if (i.values.empty()) return true;
            const auto value = value_at(end, i.parameters, i.at);
            return value && *value == (lower ? i.values.front() : i.values.back());
        });
    }

    // The expression at a corner of the domain, or cut at the most extreme value that was seen.
    Expr end_among(const std::vector<Expr>& corners, bool lower) {
        std::optional<Int128> extreme;
        for (const Instance& i : instances_) {
            if (i.values.empty()) continue;
            const Int128 end = lower ? i.values.front() : i.values.back();
            if (!extreme || (lower ? end < *extreme : *extreme < end)) extreme = end;
        }
        if (!extreme || !map_.type().contains(*extreme)) return nullptr;
        Expr constant = ctx_.int_imm(map_.type(), *extreme);
        if (equals_at_all(constant, lower)) return constant;
        for (Expr c : corners) {
            if (equals_at_all(c, lower)) return c;
        }
        for (Expr c : corners) {
            Expr cut = lower ? ctx_.max(c, constant) : ctx_.min(c, constant);
            if (equals_at_all(cut, lower)) return cut;
        }
        return nullptr;
    }

    std::vector<Expr> corners() {
        std::vector<ir::Substitution> at{{}};
        for (std::size_t i = 0; i < map_.vars.size(); ++i) {
            if (!mentions(e_, map_.vars[i])) continue;
            if (domains_[i].pieces.empty() || at.size() > (std::size_t{1} << kMostCornerVars))
                return {};
            std::vector<ir::Substitution> next;
            for (const std::optional<Affine>& end :
                 {domains_[i].pieces.front().lo, domains_[i].pieces.back().hi}) {
                Expr value = end ? expr(*end) : nullptr;
                if (value == nullptr) return {};
                for (ir::Substitution to : at) {
                    to[map_.vars[i]] = value;
                    next.push_back(std::move(to));
                }
            }
            at = std::move(next);
        }
        std::vector<Expr> out;
        for (const ir::Substitution& to : at) out.push_back(folded(ctx_, substitute(ctx_, e_, to)));
        return out;
    }

    std::optional<ImageGuess> from_corners() {
        if (instances_.size() < 3) return std::nullopt;
        std::vector<Expr> ends = corners();
        for (const IndexSet& side : domains_) {  // of i % 8 for i < n, the last is min(n - 1, 7)
            if (side.pieces.empty() || !side.pieces.back().hi) continue;
            Expr last = expr(*side.pieces.back().hi);
            if (last != nullptr) ends.push_back(last);
        }
        StridedRange r;
        r.lo = end_among(ends, true);
        r.hi = end_among(ends, false);
        if (r.lo == nullptr || r.hi == nullptr) return std::nullopt;
        Integer stride = 0;
        for (const Instance& i : instances_) {
            for (const Int128 v : i.values) stride = gcd(stride, Integer(v) - Integer(i.values[0]));
        }
        if (stride > Integer(1)) r.stride = build_.number(map_.type(), stride);
        return ImageGuess{{r}, false};
    }

    Prover& prover_;
    ir::Context& ctx_;
    Builder build_;
    const IndexMap& map_;
    Expr e_;
    std::vector<Expr> parameter_facts_;
    std::vector<Expr> narrowing_;  // facts that speak of the variables
    std::vector<IndexSet> domains_;
    std::vector<Instance> instances_;
};

}  // namespace

ImageGuess ranges_of(ir::Context& ctx, ir::ScalarType type, const std::vector<Int128>& values) {
    const Builder build(ctx);
    const auto range = [&](std::size_t first, std::size_t last, Int128 step) {
        StridedRange r{build.number(type, values[first]), build.number(type, values[last])};
        if (step > 1) r.stride = build.number(type, step);
        return r;
    };
    ImageGuess out;
    for (std::size_t i = 0; i < values.size();) {
        std::size_t end = i + 1;
        const Int128 step = end < values.size() ? values[end] - values[i] : 1;
        while (end < values.size() && values[end] - values[end - 1] == step) ++end;
        if (end == i + 2 && step != 1) end = i + 1;  // two numbers, not a stride
        out.ranges.push_back(range(i, end - 1, end == i + 1 ? 1 : step));
        i = end;
    }
    if (out.ranges.size() <= kMostPieces) return out;
    Integer step = 0;
    for (const Int128 v : values) step = gcd(step, Integer(v) - Integer(values[0]));
    return {{range(0, values.size() - 1, *step.to_int128())}, true};
}

std::vector<ImageGuess> image_guesses(Prover& prover, const IndexMap& map, std::size_t k) {
    return Guesser(prover, map, map.results[k]).run();
}

}  // namespace proviso::analysis::solve
