#include "analysis/solve/image.h"

#include <algorithm>
#include <set>

#include "analysis/prover/sample.h"
#include "analysis/regions/count.h"
#include "analysis/sets/index_set.h"
#include "analysis/solve/equations.h"
#include "analysis/solve/image_guess.h"
#include "analysis/solve/isolate.h"
#include "analysis/solve/projection.h"
#include "ir/children.h"
#include "ir/text.h"

namespace proviso::analysis::solve {

using ir::Expr;
using ir::Int128;

namespace {

constexpr std::size_t kMostCandidates = 12;  // witnesses that are tried for one range
constexpr std::size_t kMostCombinations = 32;
constexpr const char* kMember = "every value is a member";

// Indices, one for each variable of the map.
using Indices = std::vector<Expr>;

class ImageFinder {
  public:
    ImageFinder(Prover& prover, const IndexMap& map, std::vector<Expr> values)
        : prover_(prover),
          ctx_(prover.context()),
          map_(map),
          values_(std::move(values)),
          listed_(listed_image(map)) {
        for (Expr f : map.facts) {
            if (!mentions_any(f, map.vars)) parameter_facts_.push_back(f);
        }
    }

    Result<Images> run(bool jointly) {
        Images out;
        out.values = values_;
        for (std::size_t k = 0; k < map_.results.size(); ++k) {
            Result<Image> one = image(k);
            if (!one) return one.error();
            out.each.push_back(*one);
        }
        decide_together(out);
        if (jointly && out.together != Direction::Exact) out.joint = joint();
        return out;
    }

  private:
    Result<Image> image(std::size_t k) {
        std::optional<Image> over;
        for (const ImageGuess& guess : guesses(k)) {
            Image found;
            found.ranges = guess.ranges;
            found.hull = guess.hull;
            found.member = member(guess.ranges, values_[k]);
            const Checked contained =
                check_on_box(prover_, kMember, map_.facts, map_.vars, map_.extents,
                             substitute(ctx_, found.member, {{values_[k], map_.results[k]}}));
            if (!contained.proved()) continue;
            found.checks = {contained};
            if (reached(k, found)) return found;
            found.direction = Direction::Over;
            found.if_not_empty = false;
            if (!over) over = found;
        }
        if (over) return *over;
        return error("no set is known that holds the values of " + ir::print(map_.results[k]),
                     "say what the parameters satisfy: --given 'n > 0'");
    }

    std::vector<ImageGuess> guesses(std::size_t k) {
        if (!listed_) return image_guesses(prover_, map_, k);
        std::set<Int128> values;
        for (const auto& tuple : listed_->values) values.insert(tuple[k]);
        return {ranges_of(ctx_, map_.type(), {values.begin(), values.end()})};
    }

    Expr member(const std::vector<StridedRange>& ranges, Expr value) {
        std::vector<Expr> any;
        for (const StridedRange& r : ranges) any.push_back(r.member(ctx_, value));
        return ctx_.any_of(any);
    }

    // Every member is a value: by a witness for each range, or by counting.
    bool reached(std::size_t k, Image& found) {
        if (found.hull) return false;
        if (listed_) {
            Checked all{{{.words = "every member is a value"}, {}, found.member}, {}};
            all.answer.verdict = Verdict::Proved;
            all.answer.by = "enumeration";
            found.checks.push_back(all);
            return true;
        }
        for (const StridedRange& r : found.ranges) {
            const Checked c =
                witnessed({r.member(ctx_, values_[k])}, {k}, r.str(), found.if_not_empty);
            if (!c.proved()) {
                found.failed.push_back(c);
                return false;
            }
            found.checks.push_back(c);
        }
        return true;
    }

    // Wherever the values satisfy `members`, there are indices that have them; if need be where no
    // extent is 0, which is then said.
    Checked witnessed(const std::vector<Expr>& members, const std::vector<std::size_t>& results,
                      const std::string& which, bool& if_not_empty) {
        std::vector<Expr> facts = parameter_facts_;
        facts.insert(facts.end(), members.begin(), members.end());
        Checked out = witnessed_under(facts, results, which);
        if (out.proved()) return out;
        const std::size_t before = facts.size();
        for (Expr extent : map_.extents) {
            if (ir::is_int_const(extent)) continue;
            facts.push_back(ctx_.le(ctx_.int_imm(extent->type, 1), extent));
        }
        if (facts.size() == before) return out;
        out = witnessed_under(facts, results, which);
        if_not_empty = if_not_empty || out.proved();
        return out;
    }

    Checked witnessed_under(const std::vector<Expr>& facts, const std::vector<std::size_t>& results,
                            const std::string& which) {
        Checked last{{{.words = which + " is reached"}, facts, ctx_.false_()}, {}};
        last.answer.why = "no indices were found";
        for (const Indices& at : candidates(facts, results)) {
            ir::Substitution to;
            std::string text;
            for (std::size_t i = 0; i < at.size(); ++i) {
                to[map_.vars[i]] = at[i];
                text += (i == 0 ? "" : ", ") + *map_.vars[i]->name + " = " + ir::print(at[i]);
            }
            std::vector<Expr> goals;
            for (Expr e : conditions(results)) goals.push_back(substitute(ctx_, e, to));
            const Obligation o{
                {.words = which + " is reached: " + text}, facts, ctx_.all_of(goals)};
            if (sampled_counterexample(ctx_, o)) continue;
            Answer answer = prover_.prove(o);
            last = {o, std::move(answer)};
            if (last.proved()) break;
        }
        return last;
    }

    // The indices are in the domain and have the values.
    std::vector<Expr> conditions(const std::vector<std::size_t>& results) {
        std::vector<Expr> out = box_conditions(ctx_, map_.vars, map_.extents);
        for (Expr f : map_.facts) {
            if (mentions_any(f, map_.vars)) out.push_back(f);
        }
        for (const std::size_t k : results) out.push_back(ctx_.eq(map_.results[k], values_[k]));
        return out;
    }

    // By solving for one variable after another, and as an inverse would be found.
    std::vector<Indices> candidates(const std::vector<Expr>& facts,
                                    const std::vector<std::size_t>& results) {
        std::vector<Indices> out;
        Expr condition = ctx_.all_of(conditions(results));
        std::vector<Expr> order = map_.vars;
        for (int turn = 0; turn < 2; ++turn) {
            for (const ir::Substitution& to : eliminated(facts, order, condition)) {
                Indices at;
                for (Expr v : map_.vars) at.push_back(to.at(v));
                if (std::find(out.begin(), out.end(), at) == out.end()) out.push_back(at);
            }
            if (order.size() < 2) break;
            std::reverse(order.begin(), order.end());
        }
        IndexMap part = map_;
        part.results.clear();
        std::vector<Expr> physical;
        for (const std::size_t k : results) {
            part.results.push_back(map_.results[k]);
            physical.push_back(values_[k]);
        }
        if (const auto guess = solve_equations(prover_, part, physical)) out.push_back(*guess);
        return out;
    }

    std::vector<ir::Substitution> eliminated(const std::vector<Expr>& facts, std::vector<Expr> vars,
                                             Expr condition) {
        if (vars.empty()) return {{}};
        Expr x = vars.back();
        vars.pop_back();
        std::vector<ir::Substitution> out;
        for (const Case& c : isolate(prover_, facts, x, condition).cases) {
            const ProjectedCase p = projected(prover_, facts, x, c);
            for (const ir::Substitution& rest : eliminated(facts, vars, p.formula)) {
                for (Expr value : p.witnesses) {
                    if (out.size() == kMostCandidates) return out;
                    out.push_back(rest);
                    out.back()[x] = substitute(ctx_, value, rest);
                }
            }
        }
        return out;
    }

    // Several expressions: whether every combination of their members is reached.
    void decide_together(Images& out) {
        if (out.each.size() < 2) {
            out.together = out.each.at(0).direction;
            out.if_not_empty = out.each.at(0).if_not_empty;
            return;
        }
        out.together = Direction::Over;
        std::size_t combinations = 1;
        for (const Image& one : out.each) {
            if (one.direction != Direction::Exact) return;
            combinations *= one.ranges.size();
            if (combinations > kMostCombinations) return;
        }
        if (listed_) {
            count_together(out);
            return;
        }
        std::vector<std::size_t> results;
        for (std::size_t k = 0; k < out.each.size(); ++k) results.push_back(k);
        std::vector<Checked> checks;
        for (std::size_t n = 0; n < combinations; ++n) {
            std::vector<Expr> members;
            std::string which;
            std::size_t rest = n;
            for (std::size_t k = 0; k < out.each.size(); ++k) {
                const auto& ranges = out.each[k].ranges;
                const StridedRange& r = ranges[rest % ranges.size()];
                rest /= ranges.size();
                members.push_back(r.member(ctx_, values_[k]));
                which += (k == 0 ? "" : " × ") + r.str();
            }
            checks.push_back(witnessed(members, results, which, out.if_not_empty));
            if (!checks.back().proved()) return;
        }
        out.checks = checks;
        out.together = Direction::Exact;
    }

    // Not box by box, but by constraints between the values.
    std::optional<JointImage> joint() {
        std::vector<Expr> domain = box_conditions(ctx_, map_.vars, map_.extents);
        for (Expr f : map_.facts) {
            if (mentions_any(f, map_.vars)) domain.push_back(f);
        }
        RegionScope scope(ctx_, values_, parameter_facts_);
        const Region region = scope.image({map_.vars, ctx_.all_of(domain), map_.results, false});
        JointImage out;
        out.hull = region.hull;
        for (const Conjunction& part : region.parts) {
            Expr condition = part.formula(ctx_, map_.type());
            if (condition == nullptr) return std::nullopt;
            out.parts.push_back(condition);
        }
        out.member = ctx_.any_of(out.parts);
        ir::Substitution at;
        for (std::size_t k = 0; k < values_.size(); ++k) at[values_[k]] = map_.results[k];
        const Checked contained = check_on_box(prover_, kMember, map_.facts, map_.vars,
                                               map_.extents, substitute(ctx_, out.member, at));
        if (!contained.proved()) return std::nullopt;
        out.checks = {contained};
        if (!out.hull && all_reached(scope, region, out)) out.direction = Direction::Exact;
        return out;
    }

    bool all_reached(const RegionScope& scope, const Region& region, JointImage& out) {
        const auto cells = listed_ ? count_cells(scope, region) : std::nullopt;
        if (cells && *cells == ir::Integer(static_cast<Int128>(listed_->values.size()))) {
            Checked all{{{.words = "every member is a value"}, {}, out.member}, {}};
            all.answer.verdict = Verdict::Proved;
            all.answer.by = "enumeration";
            out.checks.push_back(all);
            return true;
        }
        std::vector<std::size_t> results;
        for (std::size_t k = 0; k < values_.size(); ++k) results.push_back(k);
        for (Expr part : out.parts) {
            const Checked c = witnessed({part}, results, ir::print(part), out.if_not_empty);
            (c.proved() ? out.checks : out.failed).push_back(c);
        }
        return out.failed.empty();
    }

    void count_together(Images& out) {
        std::size_t product = 1;
        for (std::size_t k = 0; k < out.each.size(); ++k) {
            std::set<Int128> values;
            for (const auto& tuple : listed_->values) values.insert(tuple[k]);
            product *= values.size();
        }
        if (product != listed_->values.size()) return;
        Checked all{{{.words = "every combination of members is reached"}, {}, ctx_.true_()}, {}};
        all.answer.verdict = Verdict::Proved;
        all.answer.by = "enumeration";
        out.checks = {all};
        out.together = Direction::Exact;
    }

    Prover& prover_;
    ir::Context& ctx_;
    const IndexMap& map_;
    std::vector<Expr> values_;
    std::vector<Expr> parameter_facts_;
    std::optional<Listed> listed_;
};

}  // namespace

Expr StridedRange::member(ir::Context& ctx, Expr value) const {
    if (lo != nullptr && lo == hi) return ctx.eq(value, lo);
    std::vector<Expr> parts;
    if (lo != nullptr) parts.push_back(ctx.le(lo, value));
    if (hi != nullptr) parts.push_back(ctx.le(value, hi));
    if (stride != nullptr) {
        Expr from = anchor != nullptr ? anchor : lo;
        const Builder build(ctx);
        if (ir::is_int_const(stride)) {
            parts.push_back(divides(ctx, stride, build.difference(value, from)));
        } else {
            parts.push_back(ctx.eq(ctx.floormod(build.difference(value, from), stride),
                                   ctx.int_imm(value->type, 0)));
        }
    }
    return ctx.all_of(parts);
}

std::string StridedRange::str() const {
    if (lo != nullptr && lo == hi) return "{" + ir::print(lo) + "}";
    std::string out =
        "{" + (lo != nullptr ? ir::print(lo) : "") + ".." + (hi != nullptr ? ir::print(hi) : "");
    if (stride != nullptr) out += " step " + ir::print(stride);
    if (stride != nullptr && anchor != nullptr) out += " from " + ir::print(anchor);
    return out + "}";
}

std::string Image::str() const {
    std::string out;
    for (const StridedRange& r : ranges) out += (out.empty() ? "" : " ∪ ") + r.str();
    return out.empty() ? "{}" : out;
}

std::string JointImage::str() const {
    std::string out;
    for (Expr part : parts) {
        out += (out.empty() ? "" : " or ") + ir::print(part);
    }
    return out.empty() ? "nothing" : out;
}

std::string JointImage::kind() const {
    if (hull) return "hull (of more than " + std::to_string(kMostParts) + " parts)";
    return if_not_empty && direction == Direction::Exact ? "exact where the domain is not empty"
                                                         : direction_name(direction);
}

std::string Image::kind() const {
    if (hull) return "hull (of more than " + std::to_string(kMostPieces) + " ranges)";
    return if_not_empty && direction == Direction::Exact ? "exact where the domain is not empty"
                                                         : direction_name(direction);
}

std::optional<Listed> listed_image(const IndexMap& map) {
    std::set<std::vector<Int128>> found;
    bool plain = true;
    const bool all = each_point(map.extents, [&](const Point& p) {
        for (Expr f : map.facts) {
            const auto holds = value_at(f, map.vars, p);
            plain = plain && holds.has_value();
            if (!holds || *holds == 0) return plain;
        }
        std::vector<Int128> values;
        for (Expr e : map.results) {
            const auto value = value_at(e, map.vars, p);
            plain = plain && value && map.type().contains(*value);
            values.push_back(value.value_or(0));
        }
        found.insert(values);
        return plain;
    });
    if (!all || !plain) return std::nullopt;
    return Listed{{found.begin(), found.end()}};
}

Result<Images> images(Prover& prover, const IndexMap& map, const std::vector<std::string>& names,
                      bool jointly) {
    std::vector<Expr> values;
    for (std::size_t k = 0; k < map.results.size(); ++k) {
        values.push_back(prover.context().var(names.at(k), map.type()));
        for (const auto* list : {&map.vars, &map.extents, &map.results, &map.facts}) {
            for (Expr e : *list) {
                if (mentions(e, values.back())) return error("the name " + names[k] + " is taken");
            }
        }
    }
    return ImageFinder(prover, map, values).run(jointly && values.size() > 1);
}

}  // namespace proviso::analysis::solve
