#include "rewrite/rules/reschedule/rescheduler.h"

#include <algorithm>
#include <limits>

#include "analysis/facts/path.h"
#include "ir/child_at.h"
#include "ir/inventory.h"
#include "ir/planted.h"
#include "rewrite/rules/accumulation.h"
#include "rewrite/rules/common.h"
#include "rewrite/rules/fresh_copy.h"

namespace proviso::rewrite {

using namespace ir;
using namespace analysis;

namespace {

// A concurrent loop around the statement contains an assert.
bool stops_beside(const Function& f, const Site& site) {
    const std::vector<PassedNode> way = passed_on_the_way(f, site);
    return std::any_of(way.begin(), way.end(), [](const PassedNode& step) {
        const For* loop = step.stmt == nullptr ? nullptr : step.stmt->as<For>();
        return loop != nullptr && loop->kind != ForKind::Serial &&
               loop->kind != ForKind::Unrolled && contains_assert(step.stmt);
    });
}

// The statement at `b` is the next one of the list in which the one at `a` stands.
bool follows(const Site& a, const Site& b) {
    if (a.steps.size() != b.steps.size() || a.steps.empty() || a.parent() != b.parent())
        return false;
    const auto k = list_position(a.steps.back(), std::numeric_limits<std::size_t>::max());
    return k && b.steps.back() == std::to_string(*k + 1);
}

}  // namespace

Rescheduler::Place Rescheduler::place(const Piece& p, const Access& now, const Access& origin,
                                      const Substitution& copies) const {
    Place out{{}, Instance{&now, copies, {}}, Instance{&origin, {}, {}}, {}};
    for (Expr c : p.runs_here) out.runs.push_back(substitute(ctx_, c, copies));
    for (const auto& [v, e] : p.part->from) out.from[v] = substitute(ctx_, e, copies);
    out.origin.at = out.from;
    return out;
}

Status Rescheduler::keep_order() {
    std::vector<Access> now, origin;
    for (const Piece& p : pieces_) {
        now.push_back(point_at(ctx_, out_.after, p.now));
        origin.push_back(point_at(ctx_, before_, p.origin));
    }
    std::vector<Place> left, right;  // two instances, of which the second has other names
    // Of both programs: what the new one has more is in the new text.
    const TakenNames taken(ctx_, before_, bound_names(r_.after));
    struct Copies {
        Substitution of;
        TakenNames used;
    };
    std::map<std::vector<Expr>, Copies> known;  // of variables around pieces
    std::vector<const TakenNames*> used;
    for (std::size_t k = 0; k < pieces_.size(); ++k) {
        const std::vector<Expr>& vars = pieces_[k].here.vars;
        auto copies = known.find(vars);
        if (copies == known.end()) {
            copies = known.emplace(vars, Copies{{}, taken}).first;
            for (Expr v : vars) {
                copies->second.of[v] = ctx_.var(fresh_name(*v->name, copies->second.used), v->type);
            }
        }
        used.push_back(&copies->second.used);
        left.push_back(place(pieces_[k], now[k], origin[k], {}));
        right.push_back(place(pieces_[k], now[k], origin[k], copies->second.of));
    }
    // All pairs of two runs, or of one run in one direction, have one order.
    std::map<std::pair<std::size_t, std::size_t>, std::pair<Expr, Expr>> open;
    const std::vector<Run> runs = runs_of_pieces();
    const auto compare = [&](const Run& one, const Run& other, bool forwards) {
        const bool same = &one == &other;
        const std::size_t second = other.first + (same && forwards ? 1 : 0);
        if (second == other.end) return;
        Expr first = may_be_before(ctx_, left[one.first].now, right[second].now);
        if (outcome(first) == false) return;
        Expr goal = may_be_before(ctx_, left[one.first].origin, right[second].origin);
        if (outcome(goal) == true || first == goal) return;
        for (std::size_t a = one.first; a < one.end; ++a) {
            for (std::size_t b = other.first; b < other.end; ++b) {
                if (!same || (a < b) == forwards) open[{a, b}] = {first, goal};
            }
        }
    };
    for (const Run& one : runs) {
        for (const Run& other : runs) {
            compare(one, other, false);
            if (&one == &other) compare(one, other, true);
        }
    }
    for (const auto& [pair, order] : open) {
        const auto& [a, b] = pair;
        const auto& [first, goal] = order;
        if (r_.apart.count({a, b}) == 0 && r_.apart.count({b, a}) == 0) {
            owe({Owed::Order, "iterations keep their order", pieces_[a].now},
                {left[a].runs, right[b].runs, {first}}, goal);
            continue;
        }
        const Status ok = accesses_keep_order(a, b, left[a], right[b], first, goal, *used[b]);
        if (!ok) return ok;
    }
    return Unit{};
}

std::vector<Rescheduler::Run> Rescheduler::runs_of_pieces() const {
    // Within the texts: sites in functions may be long.
    std::map<Site, int> now, origin;
    for (const Piece& p : pieces_) {
        ++now[p.part->now];
        ++origin[p.part->origin];
    }
    const auto alone = [&](const Piece& p) {
        return now[p.part->now] == 1 && origin[p.part->origin] == 1;
    };
    std::vector<Run> out;
    for (std::size_t k = 0; k < pieces_.size(); ++k) {
        const Piece& p = pieces_[k];
        const Piece* before = k == 0 ? nullptr : &pieces_[k - 1];
        const bool joins =
            before != nullptr && alone(*before) && alone(p) &&
            follows(before->part->now, p.part->now) &&
            (follows(before->part->origin, p.part->origin) || planted("reschedule:runs-of-now")) &&
            (before->part->from == p.part->from ||
             planted("reschedule:runs-of-other-iterations")) &&
            before->here.vars == p.here.vars;
        if (!joins) out.push_back({k, k});
        out.back().end = k + 1;
    }
    return out;
}

Status Rescheduler::accesses_keep_order(std::size_t a, std::size_t b, const Place& one,
                                        const Place& other, Expr first, Expr goal,
                                        const TakenNames& used) {
    for (std::size_t k : {a, b}) {
        Status ok = may_change_places(locate(before_, pieces_[k].origin)->stmt);
        if (!ok) return ok;
        // What the caller sees after a stop in another iteration is any part of the work.
        if (stops_beside(before_, pieces_[k].origin) && !planted("reschedule:stops-beside")) {
            return error("a part that may change places runs beside an assert");
        }
    }
    Expr serial = must_be_before(ctx_, one.now, other.now);
    for_each_conflict(
        memory(false).inside(pieces_[a].origin), memory(false).inside(pieces_[b].origin),
        [&](const Access& x, const Access& y) {
            TakenNames names = used;
            const Instance left = inner(x, one.from, names);
            const Instance right = inner(y, other.from, names);
            std::vector<Expr> meet = {first};
            append(meet, meeting(ctx_, left, right));
            if (exchange(x, y)) {
                // In any order, but not at the same time.
                if (serial == first || planted("reschedule:additions-that-race")) return;
                meet.push_back(may_be_before(ctx_, other.now, one.now));
            }
            owe({Owed::Order,
                 words_of(x.buffer->name) + " (" + x.site.str() + ", " + y.site.str() + ")", x.site,
                 x.buffer},
                {one.runs, other.runs, meet}, goal);
        });
    return Unit{};
}

std::string Rescheduler::words_of(const std::string& buffer) const {
    std::string out =
        r_.reason.empty() ? "iterations that touch one cell of % keep their order" : r_.reason;
    const std::size_t at = out.find('%');
    return at == std::string::npos ? out : out.replace(at, 1, buffer);
}

std::optional<Op> Rescheduler::accumulates(const Access& a) const {
    const std::optional<Accumulation> found = accumulation_at(before_, a.statement);
    if (!found || (!a.is_store && found->load != a.site)) return std::nullopt;
    const bool float_sum = a.buffer->type.is_float() && found->by == Op::Add;
    const bool free = is_free_of_order(found->by, a.buffer->type);
    return free || (float_sum && r_.reassociate) ? std::optional(found->by) : std::nullopt;
}

bool Rescheduler::exchange(const Access& a, const Access& b) const {
    const std::optional<Op> first = accumulates(a);
    const std::optional<Op> second = first ? accumulates(b) : std::nullopt;
    return second && (first == second || planted("reschedule:operators-exchange"));
}

Instance Rescheduler::inner(const Access& a, const Substitution& from, TakenNames& names) const {
    Instance out = renamed(ctx_, a, names);
    for (Expr v : point_at(ctx_, before_, site_).loops) out.at[v] = v;
    for (const auto& [v, e] : from) out.at[v] = e;
    return out;
}

Status Rescheduler::may_change_places(Stmt s) {
    if (contains_assert(s) && !planted("reschedule:stops-change-places")) {
        return error("a part that may change places contains an assert");
    }
    if (contains_extern_call(s)) {
        return error("a part that may change places makes an opaque call");
    }
    bool threads = false;
    for_each_stmt(s, [&](Stmt t) {
        const For* n = t->as<For>();
        threads |= n != nullptr && n->kind == ForKind::ThreadBinding;
    });
    if (threads) return error("a part that may change places stands around threads");
    return Unit{};
}

}  // namespace proviso::rewrite
