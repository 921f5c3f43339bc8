#include "rewrite/schedule/layout_plan.h"

#include <algorithm>
#include <functional>

#include "analysis/solve/invert.h"
#include "ir/children.h"
#include "ir/domains/evaluate.h"
#include "ir/text.h"

namespace proviso::rewrite {

using namespace ir;

namespace {

constexpr std::int64_t kMaxCells = 1 << 20;  // enumerated at the most
constexpr std::size_t kMaxBoxes = 64;

// ((v + offset) // weight) % modulus; modulus 0: none. What one physical dimension holds of one
// logical index.
struct Digit {
    Expr var = nullptr;
    Int128 offset = 0;
    Int128 weight = 1;
    Int128 modulus = 0;
};

std::optional<Digit> digit_of(Expr e) {
    if (e->op == Op::Var) return Digit{e, 0, 1, 0};
    if (e->args.size() != 2 || !is_int_const(e->arg(1))) return std::nullopt;
    std::optional<Digit> d = digit_of(e->arg(0));
    const Int128 c = e->arg(1)->int_value();
    if (!d) return std::nullopt;
    const bool plain = d->weight == 1 && d->modulus == 0;
    switch (e->op) {
        case Op::Add:
            if (!plain) return std::nullopt;
            d->offset += c;
            return d;
        case Op::Sub:
            if (!plain) return std::nullopt;
            d->offset -= c;
            return d;
        case Op::FloorDiv:
            if (c <= 0) return std::nullopt;
            if (d->modulus != 0) {
                if (d->modulus % c != 0) return std::nullopt;
                d->modulus /= c;
            }
            d->weight *= c;
            return d;
        case Op::FloorMod:
            if (c <= 0 || d->modulus != 0) return std::nullopt;
            d->modulus = c;
            return d;
        default: return std::nullopt;
    }
}

class Planner {
  public:
    Planner(analysis::Prover& prover, const std::vector<Expr>& facts, Buffer buffer,
            const std::vector<Expr>& vars, const std::vector<Expr>& map)
        : prover_(prover),
          ctx_(prover.context()),
          facts_(facts),
          buffer_(buffer),
          vars_(vars),
          map_(map),
          type_(vars.at(0)->type) {}

    Result<LayoutPlan> run(const std::vector<std::string>& names) {
        for (const std::string& n : names) plan_.physical_vars.push_back(ctx_.var(n, type_));
        for (Expr e : map_) digits_.push_back(digit_of(e));
        if (const Status ok = invert(); !ok) return ok.error();
        const bool constant = std::all_of(buffer_->shape.begin(), buffer_->shape.end(),
                                          [](Expr e) { return is_int_const(e); });
        const Status ok = constant ? enumerate() : symbolic();
        if (!ok) return ok.error();
        return std::move(plan_);
    }

  private:
    Expr number(Int128 value) { return ctx_.int_imm(type_, value); }

    Status invert() {
        const auto found =
            analysis::solve::inverse_candidates(prover_, index_map(), plan_.physical_vars);
        if (found.empty()) {
            return error("no inverse of this index map was found" + collision(),
                         "`proviso solve invert` says which maps can be inverted");
        }
        plan_.inverse = found[0].second;
        return Unit{};
    }

    // ": (i = 0, j = 1) and (i = 1, j = 0) go to one cell", where two such indices were found.
    std::string collision() {
        const auto found = analysis::solve::invert(prover_, index_map());
        if (!found || found->injective.verdict != analysis::Verdict::Refuted) return "";
        std::string first;
        std::string second;
        for (const auto& [name, value] : found->injective.example) {
            const bool primed = name.back() == '\'';
            std::string& point = primed ? second : first;
            point += (point.empty() ? "" : ", ") + name.substr(0, name.size() - (primed ? 1 : 0)) +
                     " = " + value;
        }
        return ": (" + first + ") and (" + second + ") go to one cell";
    }

    // The image of a map on a constant shape, cell by cell: extents, and what is left over.
    Status enumerate() {
        std::vector<std::int64_t> logical;
        std::int64_t cells = 1;
        for (Expr e : buffer_->shape) {
            logical.push_back(static_cast<std::int64_t>(e->int_value()));
            if (logical.back() <= 0) return error("a buffer without cells has no layout to change");
            cells *= logical.back();
            if (cells > kMaxCells) return symbolic();
        }
        std::vector<std::vector<std::int64_t>> images;
        std::vector<std::int64_t> extents(map_.size(), 0);
        std::vector<std::int64_t> at(logical.size(), 0);
        for (std::int64_t n = 0; n < cells; ++n) {
            Environment env;
            for (std::size_t d = 0; d < at.size(); ++d) env.vars[vars_[d]] = Value::of_int(at[d]);
            std::vector<std::int64_t> image;
            for (std::size_t k = 0; k < map_.size(); ++k) {
                const Evaluation e = evaluate(map_[k], env);
                const auto value = e.ok() ? e.value.integer().to_int128() : std::nullopt;
                if (!value || *value < 0 || *value > kMaxCells) {
                    Diagnostic no =
                        error("the index map " + std::string(e.ok() ? "leaves" : "faults in") +
                              " the buffer's range at index " + std::to_string(at[0]));
                    if (value && *value < 0) {
                        no.hint = "physical indices start at 0, and this one is " +
                                  int128_text(*value) + ": shift the map by whole tiles";
                    }
                    return no;
                }
                image.push_back(static_cast<std::int64_t>(*value));
                extents[k] = std::max(extents[k], image.back() + 1);
            }
            images.push_back(std::move(image));
            for (std::size_t d = at.size(); d-- > 0;) {
                if (++at[d] < logical[d]) break;
                at[d] = 0;
            }
        }
        round_up(extents);
        for (std::int64_t e : extents) plan_.shape.push_back(number(e));
        leftover(extents, images);
        return Unit{};
    }

    // A digit's dimension is as wide as the digit, also where the last block is not full.
    void round_up(std::vector<std::int64_t>& extents) const {
        for (std::size_t k = 0; k < extents.size(); ++k) {
            if (!digits_[k] || digits_[k]->modulus == 0) continue;
            extents[k] = std::max(extents[k], static_cast<std::int64_t>(digits_[k]->modulus));
        }
    }

    void leftover(const std::vector<std::int64_t>& extents,
                  const std::vector<std::vector<std::int64_t>>& images) {
        std::int64_t total = 1;
        for (std::int64_t e : extents) {
            total *= e;
            if (total > 4 * kMaxCells) return whole_box();
        }
        std::vector<bool> free(static_cast<std::size_t>(total), true);
        for (const auto& image : images) free[offset(extents, image)] = false;
        plan_.padded = std::find(free.begin(), free.end(), true) != free.end();
        for (std::size_t n = 0; n < free.size(); ++n) {
            if (!free[n]) continue;
            if (plan_.padding.size() == kMaxBoxes) {
                plan_.padding.clear();
                return whole_box();
            }
            plan_.padding.push_back(grow(extents, free, n));
        }
    }

    static std::size_t offset(const std::vector<std::int64_t>& extents,
                              const std::vector<std::int64_t>& at) {
        std::int64_t n = 0;
        for (std::size_t k = 0; k < at.size(); ++k) n = n * extents[k] + at[k];
        return static_cast<std::size_t>(n);
    }

    // The largest box of free cells from one corner, last dimension first; its cells are taken.
    Box grow(const std::vector<std::int64_t>& extents, std::vector<bool>& free,
             std::size_t corner) {
        const std::size_t rank = extents.size();
        std::vector<std::int64_t> lo(rank);
        std::size_t rest = corner;
        for (std::size_t k = rank; k-- > 0;) {
            lo[k] = static_cast<std::int64_t>(rest % static_cast<std::size_t>(extents[k]));
            rest /= static_cast<std::size_t>(extents[k]);
        }
        std::vector<std::int64_t> hi = lo;
        for (std::int64_t& h : hi) ++h;
        const auto each = [&](const std::vector<std::int64_t>& from,
                              const std::vector<std::int64_t>& to, const auto& f) {
            std::vector<std::int64_t> at = from;
            while (true) {
                f(offset(extents, at));
                std::size_t k = rank;
                while (k-- > 0) {
                    if (++at[k] < to[k]) break;
                    at[k] = from[k];
                }
                if (k == static_cast<std::size_t>(-1)) return;
            }
        };
        for (std::size_t k = rank; k-- > 0;) {
            while (hi[k] < extents[k]) {
                std::vector<std::int64_t> from = lo;
                std::vector<std::int64_t> to = hi;
                from[k] = hi[k];
                to[k] = hi[k] + 1;
                bool all_free = true;
                each(from, to, [&](std::size_t n) { all_free = all_free && free[n]; });
                if (!all_free) break;
                ++hi[k];
            }
        }
        each(lo, hi, [&](std::size_t n) { free[n] = false; });
        Box box;
        for (std::size_t k = 0; k < rank; ++k)
            box.ranges.emplace_back(number(lo[k]), number(hi[k]));
        return box;
    }

    void whole_box() {
        plan_.guarded = true;
        plan_.padded = true;
        Box box;
        for (Expr extent : plan_.shape) box.ranges.emplace_back(number(0), extent);
        plan_.padding = {box};
    }

    Status symbolic() {
        const bool all_digits = std::all_of(digits_.begin(), digits_.end(),
                                            [](const auto& d) { return d.has_value(); });
        if (!all_digits) return general();
        for (std::size_t k = 0; k < map_.size(); ++k) {
            const Digit& d = *digits_[k];
            if (d.modulus != 0) {
                plan_.shape.push_back(number(d.modulus));
                continue;
            }
            const auto dim = std::find(vars_.begin(), vars_.end(), d.var) - vars_.begin();
            Expr extent = buffer_->shape[static_cast<std::size_t>(dim)];
            const Int128 bias = d.offset + d.weight - 1;
            if (is_int_const(extent)) {
                plan_.shape.push_back(number((extent->int_value() + bias) / d.weight));
            } else if (d.weight == 1 && bias == 0) {
                plan_.shape.push_back(extent);
            } else {
                plan_.shape.push_back(
                    ctx_.floordiv(ctx_.add(extent, number(bias)), number(d.weight)));
            }
        }
        whole_box();
        plan_.padded = !covers_shape();
        return Unit{};
    }

    analysis::solve::IndexMap index_map() const {
        return {vars_, {buffer_->shape.begin(), buffer_->shape.end()}, map_, facts_};
    }

    // Every cell of the shape is an image, as far as is known.
    bool covers_shape() {
        std::vector<std::string> names;
        for (Expr p : plan_.physical_vars) names.push_back(*p->name);
        const auto found = analysis::solve::invert(prover_, index_map(), plan_.shape, names);
        return found.ok() && found->surjective.verdict == analysis::Verdict::Proved;
    }

    // Any other map with symbolic extents: the smallest box that is known to hold the image.
    Status general() {
        std::vector<std::string> names;
        for (Expr p : plan_.physical_vars) names.push_back(*p->name);
        const auto found = analysis::solve::invert(prover_, index_map(), {}, names);
        if (!found || !found->found()) {
            const std::string divisor = found ? "" : open_divisor();
            return error("the physical shape of this index map is not known",
                         found             ? "`proviso solve invert` says what it makes of the map"
                         : divisor.empty() ? found.error().message
                                           : "say that " + divisor +
                                                 " is at least 1: a declared bound "
                                                 "(tir_var_lower_bound), an assert or T.assume");
        }
        plan_.shape = found->shape;
        plan_.inverse = found->inverse;
        whole_box();
        plan_.padded = found->surjective.verdict != analysis::Verdict::Proved;
        return Unit{};
    }

    // A divisor of the map that is not known to be positive; "": there is none.
    std::string open_divisor() {
        std::string out;
        for (Expr e : map_) {
            for_each_node(e, [&](Expr n) {
                const bool divides = n->op == Op::FloorDiv || n->op == Op::FloorMod;
                if (!divides || is_int_const(n->arg(1)) || !out.empty()) return;
                if (!prover_.proves_cheaply(facts_, ctx_.le(number(1), n->arg(1)))) {
                    out = print(n->arg(1));
                }
            });
        }
        return out;
    }

    analysis::Prover& prover_;
    Context& ctx_;
    const std::vector<Expr>& facts_;
    Buffer buffer_;
    const std::vector<Expr>& vars_;
    const std::vector<Expr>& map_;
    ScalarType type_;
    std::vector<std::optional<Digit>> digits_;
    LayoutPlan plan_;
};

}  // namespace

Result<LayoutPlan> plan_layout(analysis::Prover& prover, const std::vector<Expr>& facts,
                               Buffer buffer, const std::vector<Expr>& vars,
                               const std::vector<Expr>& map,
                               const std::vector<std::string>& physical_names) {
    return Planner(prover, facts, buffer, vars, map).run(physical_names);
}

}  // namespace proviso::rewrite
