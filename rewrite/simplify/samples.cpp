// Sample points of a set of facts: values of its variables that satisfy them, and what expressions
// are there. Which points are taken shows in no answer: a claim that fails at a point where all
// facts hold is one that no method proves.
#include <algorithm>

#include "rewrite/simplify/surroundings.h"

namespace proviso::rewrite {

using ir::Expr;
using ir::Int128;
using ir::Op;

namespace {

// Larger expressions are not looked at: the way down to their leaves would be long.
constexpr std::uint32_t kLargest = 160;

std::uint64_t mixed(std::uint64_t h) {
    h = (h ^ (h >> 31)) * 0x7fb5d329728ea185ULL;
    return h ^ (h >> 27);
}

std::int64_t clamped(Int128 v) {
    return static_cast<std::int64_t>(std::clamp<Int128>(v, INT64_MIN, INT64_MAX));
}

// What a variable may be, at each of the points.
struct Between {
    std::array<std::int64_t, Lanes::kCount> lo;
    std::array<std::int64_t, Lanes::kCount> hi;
    bool by_terms = false;  // facts bound it from above by other variables

    explicit Between(const Range& range) {
        lo.fill(clamped(range.lo));
        hi.fill(clamped(range.hi));
    }
};

// The part of a range from which values are taken: near its lower end, or near 0.
struct Window {
    std::int64_t from;
    std::int64_t top;
    std::uint64_t span;  // how many values

    Window(std::int64_t lo, std::int64_t hi) : from(lo) {
        constexpr std::uint64_t far = 1 << 20;
        if (lo < -static_cast<std::int64_t>(far)) {
            from = hi < 0 ? std::max(lo, clamped(Int128{hi} - 15)) : std::max<std::int64_t>(lo, -7);
        }
        const auto width = static_cast<std::uint64_t>(hi) - static_cast<std::uint64_t>(from);
        span = width < far ? width + 1 : 64;
        top = from + static_cast<std::int64_t>(span - 1);
    }
};

// Points of a range for the `number`th variable. First corners, so that any three variables stand
// at their ends in all combinations; then the ends of the range itself, if they are far off; then
// lower ends and what comes next to them, two of three variables one higher: where a size of one,
// which no tile divides, shows; then some that are near its lower end, or near 0.
// At random, all are somewhere in the range; every other one of a variable that others bound stands
// at its upper end, where tiles that overhang show.
Lanes spread(const Between& range, std::size_t number, std::uint64_t seed, bool at_random) {
    Lanes out;
    if (at_random) seed = mixed(seed + 1);
    // Which bits of a corner's number say on which side the variable is there.
    static constexpr unsigned sides[] = {1, 2, 4, 3, 6, 5, 7};
    static constexpr unsigned pairs[] = {3, 5, 6};
    constexpr std::size_t corners = 8;
    constexpr std::size_t others = corners + 2 + std::size(pairs);
    const unsigned side = sides[number % std::size(sides)];
    const auto is_odd = [side](unsigned bits) {
        return (__builtin_popcount(bits & side) & 1) != 0;
    };
    Window w(range.lo[0], range.hi[0]);
    for (std::size_t i = 0; i < Lanes::kCount; ++i) {
        if (range.by_terms) w = Window(range.lo[i], range.hi[i]);
        const auto any = [&seed, &w] {
            seed = mixed(seed + 0x9e3779b97f4a7c15ULL);
            return w.from + static_cast<std::int64_t>((seed >> 16) % w.span);
        };
        const bool ends_seen = range.lo[i] == w.from && range.hi[i] == w.top;  // in the corners
        const unsigned bits = static_cast<unsigned>(i);
        std::int64_t& v = out.value[i];
        if (range.lo[i] > range.hi[i]) {
            v = range.lo[i];  // the facts do not hold here
        } else if (at_random || i >= others) {
            v = any();
            if (range.by_terms && (seed & 1) != 0) v = w.top;
        } else if (i < corners) {
            v = is_odd(bits) ? w.top : w.from;
        } else if (i < corners + 2) {
            v = ends_seen ? any() : i == corners ? range.lo[i] : range.hi[i];
        } else {
            v = w.from + (is_odd(pairs[i - corners - 2]) && w.from < w.top ? 1 : 0);
        }
    }
    out.known = Lanes::kAll;
    out.measure();
    return out;
}

std::uint64_t seed_of(const std::string& name) {
    std::uint64_t h = 0xcbf29ce484222325ULL;
    for (const char c : name) h = (h ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
    return h;
}

}  // namespace

Lanes& Samples::place_of(Expr e) {
    constexpr std::size_t block = 16;
    if (used == block || blocks.empty()) {
        blocks.push_back(std::make_unique_for_overwrite<Lanes[]>(block));
        used = 0;
    }
    Lanes& place = blocks.back()[used++];
    known.add(e, &place);
    return place;
}

const Lanes& Samples::keep(Expr e, const Lanes& values) {
    return place_of(e) = values;
}

// The values that facts leave to a variable depend on those of other variables, which are chosen
// first, sizes before what counts up to them: otherwise hardly any point would satisfy the facts.
Lanes Surroundings::lanes_of_variable(Samples& samples, Expr var) {
    const bool is_bool = var->type.is_bool();
    if (!is_bool && !var->type.is_int()) return {};
    const Range known =
        is_bool ? Range{0, 1} : meet(known_bounds(*samples.owner, var), Range::of(var->type));
    if (known.is_empty()) return {};
    Between between(known);
    const LinearForms::Occurring mine = forms_.occurring(var);
    samples.valuing |= mine;
    const auto first =
        std::lower_bound(samples.bounds.begin(), samples.bounds.end(), var->id,
                         [](const Samples::Bound& b, std::uint32_t id) { return b.var->id < id; });
    for (auto at = first; at != samples.bounds.end() && at->var == var; ++at) {
        const Samples::Bound& b = *at;
        if ((forms_.occurring(b.term) & samples.valuing) != 0) continue;
        const Lanes& term = lanes_in(samples, b.term);
        between.by_terms |= term.known != 0;
        for (std::size_t i = 0; i < Lanes::kCount; ++i) {
            if (!term.has(i)) continue;
            const Int128 end = Int128{term.value[i]} + (b.from_above ? -b.apart : b.apart);
            if (b.from_above) {
                between.hi[i] = std::min(between.hi[i], clamped(end));
            } else {
                between.lo[i] = std::max(between.lo[i], clamped(end));
            }
        }
    }
    samples.valuing &= ~mine;
    return spread(between, samples.variables++, seed_of(*var->name), samples.at_random);
}

void Surroundings::note_bounds(Samples& samples, Expr fact, bool positive) {
    if (fact->op == Op::Not) return note_bounds(samples, fact->arg(0), !positive);
    if (fact->op == (positive ? Op::And : Op::Or)) {
        for (Expr a : fact->args) note_bounds(samples, a, positive);
        return;
    }
    if ((fact->op != Op::Lt && fact->op != Op::Le) || !fact->arg(0)->type.is_int()) return;
    Expr less = fact->arg(positive ? 0 : 1);
    Expr more = fact->arg(positive ? 1 : 0);
    if (ir::is_const(less) || ir::is_const(more)) return;
    const int apart = (fact->op == Op::Lt) == positive ? 1 : 0;
    if (less->op == Op::Var) {
        samples.bounds.push_back({less, more, apart, true});
    } else if (more->op == Op::Var) {
        samples.bounds.push_back({more, less, apart, false});
    }
}

const Lanes& Surroundings::lanes_in(Samples& samples, Expr e) {
    static const Lanes nothing;
    const bool opaque = !ir::is_plain_term(e) || e->size > kLargest || e->args.size() > 3 ||
                        e->op == Op::Math || e->op == Op::FloatImm;
    if (opaque) return nothing;
    if (e->op == Op::IntImm) return literal_lanes(e);
    if (const Lanes* const* found = samples.known.find(e)) return **found;
    if (e->op == Op::Var) return samples.keep(e, lanes_of_variable(samples, e));
    std::array<const Lanes*, 3> args{};
    for (std::size_t i = 0; i < e->args.size(); ++i) args[i] = &lanes_in(samples, e->arg(i));
    Lanes& out = samples.place_of(e);
    put_lanes_of_operator(e, args, out);
    return out;
}

// The same at whatever points.
const Lanes& Surroundings::literal_lanes(Expr e) {
    if (const Lanes* const* found = literals_.known.find(e)) return **found;
    return literals_.keep(e, lanes_of_constant(e));
}

// Where a comparison of integers, or any other claim, has a truth value, and where it holds.
LaneOutcome Surroundings::outcome_in(Samples& samples, Expr claim, Lanes::Mask points) {
    if (is_comparison(claim->op) && claim->arg(0)->type.is_int()) {
        return outcome(claim->op, claim->arg(0)->type, lanes_in(samples, claim->arg(0)),
                       lanes_in(samples, claim->arg(1)), points);
    }
    const Lanes& truth = lanes_in(samples, claim);
    const auto known = static_cast<Lanes::Mask>(points & truth.known);
    return {known, static_cast<Lanes::Mask>(known & lanes_where(truth, true))};
}

const Lanes& Surroundings::lanes(FactSet& s, Expr e) {
    static const Lanes nothing;
    return points(s) == 0 ? nothing : lanes_in(*s.samples, e);
}

// Where a fact says what a variable is, points are chosen so.
void Surroundings::define(Samples& samples, Expr fact) {
    if (fact->op == Op::And) {
        for (Expr a : fact->args) define(samples, a);
        return;
    }
    if (fact->op != Op::Eq || !fact->arg(0)->type.is_int()) return;
    for (const std::size_t side : {0, 1}) {
        Expr var = fact->arg(side);
        if (var->op != Op::Var || samples.known.find(var) != nullptr) continue;
        const Lanes value = lanes_in(samples, fact->arg(1 - side));
        if (samples.known.find(var) != nullptr) continue;  // it is defined by itself
        samples.keep(var, value);
        return;
    }
}

namespace {

// The variable that the fact holds between literals; null where it says something else.
Expr bounded_by_literal(Expr fact) {
    if (fact->op != Op::Lt && fact->op != Op::Le) return nullptr;
    Expr a = fact->arg(0);
    Expr b = fact->arg(1);
    if (!a->type.is_exact_int()) return nullptr;
    if (a->op == Op::Var && b->op == Op::IntImm) return a;
    return a->op == Op::IntImm && b->op == Op::Var ? b : nullptr;
}

}  // namespace

// Points for all facts; gives those that satisfy them.
Lanes::Mask Surroundings::fill(Samples& samples, const std::vector<Expr>& facts) {
    for (Expr f : facts) note_bounds(samples, f, true);
    std::stable_sort(samples.bounds.begin(), samples.bounds.end(),
                     [](const auto& a, const auto& b) { return a.var->id < b.var->id; });
    for (Expr f : facts) define(samples, f);
    // Then values are chosen in the variables' ranges, where bounds by literals hold.
    const bool as_bounded = samples.bounds.empty() && samples.known.size() == 0;
    Lanes::Mask points = Lanes::kAll;
    for (Expr f : facts) {
        if (Expr var = as_bounded ? bounded_by_literal(f) : nullptr) {
            lanes_in(samples, var);
            continue;
        }
        points = outcome_in(samples, f, points).holds;
        if (points == 0) break;
    }
    return points;
}

void Surroundings::sample_anew(FactSet& s) {
    s.samples = &samples_.emplace_back();
    s.samples->owner = &s;
    s.points = fill(*s.samples, s.facts);
}

bool Surroundings::fails_elsewhere(FactSet& s, Expr claim) {
    if (s.contradictory) return false;
    if (s.more == nullptr) {
        s.more = &samples_.emplace_back();
        s.more->owner = &s;
        s.more->at_random = true;
        s.more_points = fill(*s.more, s.facts);
    }
    if (s.more_points == 0) return false;
    const LaneOutcome at = outcome_in(*s.more, claim, s.more_points);
    return at.holds != at.known;
}

void Surroundings::sample(FactSet& s) {
    s.sampled = true;
    if (s.contradictory) return;
    if (s.parent != nullptr && !s.names && points(*s.parent) != 0) {
        s.samples = s.parent->samples;
        s.points = outcome_in(*s.samples, s.facts.back(), s.parent->points).holds;
        if (s.points != 0) return;
    }
    sample_anew(s);
}

Surroundings::Seen Surroundings::seen(FactSet& s, Expr claim) {
    const Lanes::Mask where = points(s);
    if (where == 0) return {};
    const LaneOutcome at = outcome_in(*s.samples, claim, where);
    return {at.holds != 0, at.holds != at.known};
}

void Surroundings::seen_equal(FactSet& s, Expr before, Expr after) {
    // Others look at points that do not satisfy these facts: there the two may differ.
    if (!s.sampled || s.points == 0 || s.samples->owner != &s) return;
    if (after->args.empty() || s.samples->known.find(after) != nullptr) return;
    const Lanes* const* at = s.samples->known.find(before);
    if (at == nullptr) return;
    const Lanes* lanes = *at;  // `put` moves what `at` points to
    s.samples->known.add(after, lanes);
}

bool Surroundings::seen_out_of_range(FactSet& s, Expr e) {
    const Lanes& at = lanes(s, e);
    const Lanes::Mask where = at.known & points(s);
    for (std::size_t i = 0; i < Lanes::kCount; ++i) {
        if (((where >> i) & 1U) != 0 && !e->type.contains(at.value[i])) return true;
    }
    return false;
}

}  // namespace proviso::rewrite
