#include "verify/tv/events.h"

#include <fmt/format.h>

#include <algorithm>

namespace proviso::verify {

using namespace ir;

namespace {

// The two calls are of one function, with arguments and a result of the same types.
bool of_one_function(Expr a, Expr b) {
    return *a->name == *b->name && a->type == b->type &&
           std::equal(a->args.begin(), a->args.end(), b->args.begin(), b->args.end(),
                      [](Expr x, Expr y) { return x->type == y->type; });
}

Expr both_or_neither(Context& ctx, Simplifier& s, Expr a, Expr b) {
    return a == b ? ctx.true_() : s.both(s.implies(a, b), s.implies(b, a));
}

std::string condition_text(Expr where) {
    if (is_true(where)) return "always";
    return is_false(where) ? "never" : "where " + short_text(where);
}

class Calls {
  public:
    Calls(Context& ctx, Simplifier& s, Claims& claims, const std::vector<CallEvent>& before,
          const std::vector<CallEvent>& after)
        : ctx_(ctx), s_(s), claims_(claims), before_(before), after_(after) {}

    bool same() {
        const std::size_t common = std::min(before_.size(), after_.size());
        for (std::size_t k = 0; k < common; ++k) {
            if (!same_function(k) || !same_condition(k) || !same_arguments(k)) return false;
        }
        const std::vector<CallEvent>& longer = before_.size() > common ? before_ : after_;
        for (std::size_t k = common; k < longer.size(); ++k) {
            if (!claims_.holds(s_.opposite(longer[k].where), [&] { return texts(k); })) {
                return false;
            }
        }
        return true;
    }

  private:
    // "opaque call number 2: before T.call_extern("int32", "f", A[1]), after none"
    std::string texts(std::size_t k) const {
        const auto text = [k](const std::vector<CallEvent>& calls) {
            if (k >= calls.size()) return std::string("none");
            const bool always = is_true(calls[k].where);
            return short_text(calls[k].call) + (always ? "" : " " + condition_text(calls[k].where));
        };
        return fmt::format("opaque call number {}: before {}, after {}", k + 1, text(before_),
                           text(after_));
    }

    // Runs in which both are made differ. In others, that they stand at the same place says
    // nothing.
    bool same_function(std::size_t k) {
        const CallEvent& was = before_[k];
        const CallEvent& is = after_[k];
        if (of_one_function(was.call, is.call)) return true;
        const auto what = [&] { return texts(k); };
        return claims_.holds(s_.opposite(s_.both(was.where, is.where)), what) &&
               claims_.unknown("unsupported: calls of other functions under conditions: " +
                               texts(k));
    }

    bool same_condition(std::size_t k) {
        Expr was = before_[k].where;
        Expr is = after_[k].where;
        if (claims_.shows(both_or_neither(ctx_, s_, was, is))) return true;
        // A run that does not make the call here may make it later on; one that does not, differs.
        Expr dropped = s_.both(s_.both(was, s_.opposite(is)), none_later(after_, k));
        Expr added = s_.both(s_.both(is, s_.opposite(was)), none_later(before_, k));
        const auto what = [&] { return texts(k); };
        return claims_.holds(s_.opposite(s_.either(dropped, added)), what) &&
               claims_.unknown("unsupported: calls under other conditions: " + texts(k));
    }

    Expr none_later(const std::vector<CallEvent>& calls, std::size_t k) {
        Expr out = ctx_.true_();
        for (std::size_t j = k + 1; j < calls.size(); ++j) {
            if (!of_one_function(calls[j].call, calls[k].call)) continue;
            out = s_.both(out, s_.opposite(calls[j].where));
        }
        return out;
    }

    bool same_arguments(std::size_t k) {
        const CallEvent& was = before_[k];
        const CallEvent& is = after_[k];
        for (std::size_t n = 0; n < was.call->args.size(); ++n) {
            Expr same = s_.same(was.call->arg(n), is.call->arg(n));
            if (!claims_.holds(s_.implies(was.where, same), [&] { return texts(k); })) {
                return false;
            }
        }
        return true;
    }

    Context& ctx_;
    Simplifier& s_;
    Claims& claims_;
    const std::vector<CallEvent>& before_;
    const std::vector<CallEvent>& after_;
};

// Where the run stops with the message.
Expr stops_with(Context& ctx, Simplifier& s, const SymbolicRun& run, const std::string& message) {
    const bool no_other = std::all_of(run.stops.begin(), run.stops.end(),
                                      [&](const Stop& stop) { return stop.message == message; });
    if (no_other) return s.opposite(run.runs_through);
    Expr out = ctx.false_();
    for (const Stop& stop : run.stops) {
        if (stop.message == message) out = s.either(out, stop.where);
    }
    return out;
}

}  // namespace

bool same_calls(Context& ctx, Simplifier& simplifier, Claims& claims, const SymbolicRun& before,
                const SymbolicRun& after) {
    return Calls(ctx, simplifier, claims, before.calls, after.calls).same();
}

bool same_stops(Context& ctx, Simplifier& simplifier, Claims& claims, const SymbolicRun& before,
                const SymbolicRun& after) {
    std::vector<std::string> messages;
    for (const SymbolicRun* run : {&before, &after}) {
        for (const Stop& stop : run->stops) {
            const bool known =
                std::find(messages.begin(), messages.end(), stop.message) != messages.end();
            if (!known) messages.push_back(stop.message);
        }
    }
    for (const std::string& message : messages) {
        Expr was = stops_with(ctx, simplifier, before, message);
        Expr is = stops_with(ctx, simplifier, after, message);
        const auto what = [&] {
            return fmt::format("the stop with '{}': before {}, after {}", message,
                               condition_text(was), condition_text(is));
        };
        if (!claims.holds(both_or_neither(ctx, simplifier, was, is), what)) return false;
    }
    return true;
}

}  // namespace proviso::verify
