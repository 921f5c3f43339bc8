#include "analysis/solve/invert.h"

#include <algorithm>
#include <map>

#include "analysis/sets/values.h"
#include "analysis/solve/arithmetic.h"
#include "analysis/solve/bit_map.h"
#include "analysis/solve/equations.h"
#include "analysis/solve/image.h"
#include "analysis/solve/window.h"
#include "ir/children.h"
#include "ir/planted.h"
#include "ir/text.h"

namespace proviso::analysis::solve {

using ir::Expr;
using ir::Int128;
using ir::Op;

namespace {

Status well_posed(const IndexMap& map) {
    if (map.vars.empty() || map.results.empty()) return error("the index map is empty");
    for (const auto* list : {&map.vars, &map.extents, &map.results}) {
        for (Expr e : *list) {
            if (e->type == map.type() && e->type.is_exact_int()) continue;
            return error("the index map must be of int32 or of int64 throughout: " + ir::print(e) +
                         " is " + e->type.str());
        }
    }
    return Unit{};
}

class Inverter {
  public:
    Inverter(Prover& prover, const IndexMap& map, const std::vector<std::string>& names)
        : prover_(prover), ctx_(prover.context()), build_(ctx_), map_(map) {
        for (std::size_t k = 0; k < map.results.size(); ++k) {
            const std::string name = k < names.size() ? names[k] : "p" + std::to_string(k);
            out_.physical.push_back(ctx_.var(name, map.type()));
        }
    }

    Result<Inversion> run(std::vector<Expr> shape) {
        for (Expr p : out_.physical) {
            for (const auto* list : {&map_.vars, &map_.extents, &map_.results, &map_.facts}) {
                for (Expr e : *list) {
                    if (mentions(e, p)) return error("the name " + *p->name + " is taken");
                }
            }
        }
        const bool given = !shape.empty();
        if (given && shape.size() != map_.results.size()) {
            return error("the shape has " + std::to_string(shape.size()) + " extents, the map " +
                         std::to_string(map_.results.size()) + " results");
        }
        out_.shape = given ? std::move(shape) : guessed_shape();
        if (out_.shape.empty()) {
            return error("no box is known that holds the image of this map",
                         "give the physical extents, or say what the parameters satisfy");
        }
        if (const Status ok = check_box(); !ok) return ok.error();
        find();
        if (out_.found()) {
            describe_inside();
            out_.injective = {Verdict::Proved, "its inverse", {}, {}};
            decide_surjective();
        } else {
            without_inverse();
        }
        return std::move(out_);
    }

  private:
    Expr number(const ir::Integer& n) { return build_.number(map_.type(), n); }

    // --- the box

    std::vector<Expr> guessed_shape() {
        std::vector<Expr> facts = map_.domain(ctx_);
        const SetScope scope(prover_, facts);
        ValueSets values{scope, {}};
        for (std::size_t i = 0; i < map_.vars.size(); ++i) {
            values.domains[map_.vars[i]] =
                IndexSet::range(0, Affine::of(map_.extents[i]) - Affine(1));
        }
        std::vector<Expr> out;
        for (Expr f : map_.results) {
            const bool divides = f->op == Op::FloorMod || f->op == Op::FloorDiv;
            const bool radix = divides && is_radix(f->arg(1), facts);
            if (f->op == Op::FloorMod && radix) {
                out.push_back(f->arg(1));
                continue;
            }
            Expr extent = nullptr;
            if (radix && !ir::is_int_const(f->arg(1))) {
                const std::optional<Affine> top = greatest(f->arg(0), values, scope);
                if (top) extent = tiles_up_to(*top, f->arg(1));
            }
            if (extent == nullptr) {
                const std::optional<Affine> top = greatest(f, values, scope);
                if (top) extent = (*top + Affine(1)).expr(ctx_, map_.type());
            }
            if (extent == nullptr) return {};
            out.push_back(extent);
        }
        return out;
    }

    // Positive on the whole domain, and the same everywhere.
    bool is_radix(Expr by, const std::vector<Expr>& facts) {
        const bool varies = std::any_of(map_.vars.begin(), map_.vars.end(),
                                        [&](Expr v) { return mentions(by, v); });
        return !varies && prover_.proves_cheaply(facts, ctx_.le(number(1), by));
    }

    // How many tiles of a width that is a parameter reach up to `top`: m, for m * k - 1.
    Expr tiles_up_to(const Affine& top, Expr width) {
        Expr above = (top + Affine(1)).expr(ctx_, map_.type());
        if (above != nullptr && above->op == Op::Mul) {
            if (above->arg(0) == width) return above->arg(1);
            if (above->arg(1) == width) return above->arg(0);
        }
        Expr last = top.expr(ctx_, map_.type());
        if (last == nullptr) return nullptr;
        return ctx_.add(ctx_.floordiv(last, width), ctx_.int_imm(map_.type(), 1));
    }

    // An upper end of what e may be; none where its pieces cannot be compared.
    static std::optional<Affine> greatest(Expr e, const ValueSets& values, const SetScope& scope) {
        std::optional<Affine> top;
        for (const Piece& p : values.of(e).pieces) {
            if (!p.hi) return std::nullopt;
            if (!top || scope.proves_le(*top, *p.hi))
                top = p.hi;
            else if (!scope.proves_le(*p.hi, *top))
                return std::nullopt;
        }
        return top;
    }

    Status check_box() {
        for (std::size_t k = 0; k < map_.results.size(); ++k) {
            Expr f = map_.results[k];
            Expr goal = ctx_.and_(ctx_.le(number(0), f), ctx_.lt(f, out_.shape[k]));
            Checked c = check_on_box(prover_, "result " + std::to_string(k) + " is in the box",
                                     map_.facts, map_.vars, map_.extents, goal);
            if (c.answer.verdict == Verdict::Refuted) {
                Diagnostic d = error("the index map leaves its box: " + ir::print(f) +
                                     " is not within [0, " + ir::print(out_.shape[k]) + ")");
                for (const ModelValue& v : c.answer.model) {
                    if (v.value != nullptr) d.notes.push_back(v.name + " = " + ir::print(v.value));
                }
                return d;
            }
            out_.checks.push_back(std::move(c));
        }
        return Unit{};
    }

    // --- the inverse

    void find() {
        for (const auto& [method, guess] : inverse_candidates(prover_, map_, out_.physical)) {
            std::vector<Checked> checks;
            for (std::size_t i = 0; i < guess.size(); ++i) {
                Expr back = map_.at_image(ctx_, guess[i], out_.physical);
                checks.push_back(
                    check_on_box(prover_, "the inverse gives " + *map_.vars[i]->name + " back",
                                 map_.facts, map_.vars, map_.extents, ctx_.eq(back, map_.vars[i])));
            }
            if (!all_proved(checks)) continue;
            out_.method = method;
            out_.inverse = guess;
            out_.checks.insert(out_.checks.end(), checks.begin(), checks.end());
            return;
        }
    }

    Expr at_inverse(Expr e) {
        ir::Substitution to;
        for (std::size_t i = 0; i < map_.vars.size(); ++i) to[map_.vars[i]] = out_.inverse[i];
        return substitute(ctx_, e, to);
    }

    // p is an image where g(p) is an index and f(g(p)) = p: exact, given that g(f(x)) = x. What the
    // rest implies in the box is left out, with a proof that it may be.
    void describe_inside() {
        std::vector<Expr> needed = box_conditions(ctx_, out_.inverse, map_.extents);
        for (std::size_t k = 0; k < map_.results.size(); ++k) {
            needed.push_back(ctx_.eq(at_inverse(map_.results[k]), out_.physical[k]));
        }
        std::erase_if(needed, [](Expr e) { return e->op == Op::Eq && e->arg(0) == e->arg(1); });
        std::vector<Checked> left_out;
        for (std::size_t i = needed.size(); i-- > 0;) {
            std::vector<Expr> facts = map_.facts;
            for (std::size_t j = 0; j < needed.size(); ++j) {
                if (j != i) facts.push_back(needed[j]);
            }
            Checked c = check_on_box(prover_, "implied in the box: " + ir::print(needed[i]), facts,
                                     out_.physical, out_.shape, needed[i]);
            const bool forgotten = i == 0 && ir::planted("solve:padding-below");
            if (!c.proved() && !forgotten) continue;
            left_out.push_back(std::move(c));
            needed.erase(needed.begin() + static_cast<std::ptrdiff_t>(i));
        }
        out_.checks.insert(out_.checks.end(), left_out.begin(), left_out.end());
        for (Expr& e : needed) e = readable(build_.balanced(e));
        out_.inside = ctx_.all_of(needed);
        out_.padding = needed.empty() ? ctx_.false_() : build_.opposite(out_.inside);
    }

    // u // s * s == u as u % s == 0, with a proof that it says the same.
    Expr readable(Expr e) {
        if (e->op != Op::Eq) return e;
        if (ir::is_int_const(e->arg(0))) return ctx_.eq(e->arg(1), e->arg(0));
        const Affine gap = with_remainders(ctx_, Affine::of(e->arg(0)) - Affine::of(e->arg(1)));
        if (gap.terms().size() != 1 || !gap.constant().is_zero()) return e;
        Expr rest = gap.terms()[0].first;
        if (rest->op != Op::FloorMod || abs(gap.terms()[0].second) != 1) return e;
        Expr k = rest->arg(1);
        Expr other = ir::is_int_const(k) ? divides(ctx_, k, rest->arg(0))
                                         : ctx_.eq(rest, ctx_.int_imm(rest->type, 0));
        if (other == e) return e;
        Expr same =
            ctx_.or_(ctx_.and_(e, other), ctx_.and_(build_.opposite(e), build_.opposite(other)));
        const Checked c = check_on_box(prover_, ir::print(other) + " says that " + ir::print(e),
                                       map_.facts, out_.physical, out_.shape, same);
        if (!c.proved()) return e;
        out_.checks.push_back(c);
        return other;
    }

    // --- verdicts

    static void take_model(const Answer& a, Decided& out) {
        for (const ModelValue& v : a.model) {
            if (v.value != nullptr) out.example.emplace_back(v.name, ir::print(v.value));
        }
    }

    static Decided decided(const Answer& a) {
        Decided out{a.verdict, a.by, a.why, {}};
        if (a.verdict == Verdict::Refuted) take_model(a, out);
        return out;
    }

    void decide_surjective() {
        const Checked c = check_on_box(prover_, "every point of the box is an image", map_.facts,
                                       out_.physical, out_.shape, out_.inside);
        out_.surjective = decided(c.answer);
    }

    // Nothing is known of the image but by looking at all of it, or by asking of two points.
    void without_inverse() {
        std::map<Point, Point> seen;
        std::optional<std::pair<Point, Point>> collision;
        bool plain = map_.facts.empty();
        const bool listed = plain && each_point(map_.extents, [&](const Point& x) {
                                Point image;
                                for (Expr f : map_.results) {
                                    const auto v = value_at(f, map_.vars, x);
                                    plain = plain && v.has_value();
                                    image.push_back(v.value_or(0));
                                }
                                const auto [at, is_new] = seen.emplace(image, x);
                                if (!is_new && !collision) collision = std::pair(at->second, x);
                                return plain;
                            });
        if (!listed || !plain) {
            out_.injective = by_two_points();
            out_.surjective.why = "no inverse was found";
            image_without_inverse();
            return;
        }
        out_.injective = {collision ? Verdict::Refuted : Verdict::Proved, "enumeration", {}, {}};
        for (std::size_t i = 0; collision && i < map_.vars.size(); ++i) {
            const std::string& name = *map_.vars[i]->name;
            out_.injective.example.emplace_back(name, ir::int128_text(collision->first[i]));
            out_.injective.example.emplace_back(name + "'", ir::int128_text(collision->second[i]));
        }
        std::optional<Point> unhit;
        const bool box = each_point(out_.shape, [&](const Point& p) {
            if (seen.count(p) == 0) unhit = p;
            return !unhit;
        });
        if (!box) {
            out_.surjective.why = "the box is too big to look at";
            return;
        }
        out_.surjective = {unhit ? Verdict::Refuted : Verdict::Proved, "enumeration", {}, {}};
        for (std::size_t k = 0; unhit && k < out_.physical.size(); ++k) {
            out_.surjective.example.emplace_back(*out_.physical[k]->name,
                                                 ir::int128_text((*unhit)[k]));
        }
    }

    // What is an image is known of some maps that have no inverse, from the sets of their values.
    void image_without_inverse() {
        std::vector<std::string> names;
        for (Expr p : out_.physical) names.push_back(*p->name);
        const Result<Images> found = images(prover_, map_, names);
        if (!found || found->together != Direction::Exact) return;
        if (found->if_not_empty) return;
        std::vector<Expr> needed;
        for (std::size_t k = 0; k < found->each.size(); ++k) {
            const Image& one = found->each[k];
            out_.checks.insert(out_.checks.end(), one.checks.begin(), one.checks.end());
            Expr member = substitute(ctx_, one.member, {{found->values[k], out_.physical[k]}});
            for (Expr part : ir::conjuncts(member)) {  // what the box implies is left out
                Checked c = check_on_box(prover_, "implied in the box: " + ir::print(part),
                                         map_.facts, out_.physical, out_.shape, part);
                if (c.proved()) {
                    out_.checks.push_back(std::move(c));
                } else {
                    needed.push_back(part);
                }
            }
        }
        out_.checks.insert(out_.checks.end(), found->checks.begin(), found->checks.end());
        out_.inside = ctx_.all_of(needed);
        decide_surjective();
        out_.padding = needed.empty() ? ctx_.false_() : build_.opposite(out_.inside);
    }

    // Two points near the origin that have one image whatever the parameters are.
    std::optional<Decided> near_points() {
        std::vector<Expr> extents(map_.vars.size(), number(map_.vars.size() > 2 ? 2 : 3));
        std::vector<Point> points;
        if (map_.vars.size() > 4) return std::nullopt;
        each_point(extents, [&](const Point& p) {
            points.push_back(p);
            return true;
        });
        const std::vector<Expr> box = map_.domain(ctx_);
        const auto at = [&](const Point& p, Expr e) {
            ir::Substitution to;
            for (std::size_t i = 0; i < p.size(); ++i) to[map_.vars[i]] = number(p[i]);
            return substitute(ctx_, e, to);
        };
        for (std::size_t b = 1; b < points.size(); ++b) {
            for (std::size_t a = 0; a < b; ++a) {
                std::vector<Expr> goals;
                for (Expr e : box) {
                    goals.push_back(at(points[a], e));
                    goals.push_back(at(points[b], e));
                }
                for (Expr f : map_.results) {
                    goals.push_back(ctx_.eq(at(points[a], f), at(points[b], f)));
                }
                std::vector<Expr> facts;
                for (Expr f : map_.facts) {
                    if (!mentions_any(f, map_.vars)) facts.push_back(f);
                }
                if (!prover_.proves_cheaply(facts, ctx_.all_of(goals))) continue;
                Decided out{Verdict::Refuted, "two points", {}, {}, true};
                for (std::size_t i = 0; i < map_.vars.size(); ++i) {
                    const std::string& name = *map_.vars[i]->name;
                    out.example.emplace_back(name, ir::int128_text(points[a][i]));
                    out.example.emplace_back(name + "'", ir::int128_text(points[b][i]));
                }
                return out;
            }
        }
        return std::nullopt;
    }

    Decided by_two_points() {
        if (const std::optional<Decided> near = near_points()) return *near;
        ir::Substitution to_other;
        std::vector<Expr> facts = map_.domain(ctx_);
        std::vector<Expr> same;
        for (Expr v : map_.vars) to_other[v] = ctx_.var(*v->name + "_2", v->type);
        const std::vector<Expr> first = facts;
        for (Expr e : first) facts.push_back(substitute(ctx_, e, to_other));
        for (Expr f : map_.results) facts.push_back(ctx_.eq(f, substitute(ctx_, f, to_other)));
        for (Expr v : map_.vars) same.push_back(ctx_.eq(v, to_other.at(v)));
        Decided out = decided(prover_.prove(
            {{.words = "two points with one image are one"}, facts, ctx_.all_of(same)}));
        for (auto& [name, value] : out.example) {
            if (name.size() > 2 && name.compare(name.size() - 2, 2, "_2") == 0) {
                name = name.substr(0, name.size() - 2) + "'";
            }
        }
        return out;
    }

    Prover& prover_;
    ir::Context& ctx_;
    Builder build_;
    const IndexMap& map_;
    Inversion out_;
};

}  // namespace

std::vector<std::pair<std::string, std::vector<Expr>>> inverse_candidates(
    Prover& prover, const IndexMap& map, const std::vector<Expr>& physical) {
    std::vector<std::pair<std::string, std::vector<Expr>>> out;
    if (auto guess = solve_equations(prover, map, physical)) out.emplace_back("equations", *guess);
    if (auto guess = invert_bits(prover.context(), map, physical)) out.emplace_back("bits", *guess);
    return out;
}

Result<Inversion> invert(Prover& prover, const IndexMap& map, std::vector<Expr> shape,
                         const std::vector<std::string>& names) {
    if (const Status ok = well_posed(map); !ok) return ok.error();
    return Inverter(prover, map, names).run(std::move(shape));
}

}  // namespace proviso::analysis::solve
