// sch.like(block, other): the loops of a block as those of another one, by the calls that shaped
// these.
//
//   io, ii = sch.split(i, factors=[None, 8])     # i, j: the loops of C
//   sch.reorder(io, j, ii)
//   sch.parallel(io)
//   sch.like("D", "C")                           # the same three calls on the loops of D
#include <algorithm>
#include <map>

#include "ir/text.h"
#include "rewrite/schedule/reader/interpreter/values.h"
#include "rewrite/schedule/reader/schedule_reader.h"

namespace proviso::rewrite {

using namespace ir;
using python::Node;
using python::NodeKind;

namespace {

// The call on other loops: one for each that is named in it. Loops that have none are left out.
Node on_loops(Node call, const Arguments& in, const std::vector<std::optional<Node>>& loops) {
    const std::vector<Node*> places = LoopHistory::loops_in(call, in);
    for (std::size_t k = 0; k < places.size(); ++k) {
        *places[k] = loops[k] ? *loops[k] : Node{};
    }
    const auto clean = [](Node& list, std::size_t from) {
        const auto first = list.items.begin() + static_cast<std::ptrdiff_t>(from);
        list.items.erase(std::remove_if(first, list.items.end(), [](const Node& n) { return !n; }),
                         list.items.end());
    };
    for (Node& item : call.items) {
        if (values::is_list(item)) clean(item, 0);
    }
    clean(call, 1);
    // New loops have names of their own.
    if (call.items[0].text == "split") {
        std::erase_if(call.keywords, [](const python::Keyword& k) { return k.name == "names"; });
        constexpr std::size_t kNames = 5;
        if (call.items.size() > kNames) call.items.resize(kNames);
    }
    return call;
}

// The call was made for a loop of so many iterations.
bool needs_length(const std::string& primitive) {
    return primitive == "split" || primitive == "fuse" || primitive == "bind" ||
           primitive == "vectorize";
}

std::string iterations(Expr extent) {
    return is_int_const(extent) ? int128_text(extent->int_value()) : print(extent);
}

}  // namespace

Outcome ScheduleReader::like(const Node& call) {
    const Node& which = in_.need(call, 1, "other");
    const std::string name = block(in_.need(call, 0, "block"));
    const std::string other = block(which);
    if (name == other) {
        in_.wrong(which, "block '" + name + "' is shaped as itself", "name another block");
    }
    Proposer& p = primitives().proposer();
    Names own = std::get<Names>(primitives().get_loops(name));
    Names theirs = std::get<Names>(primitives().get_loops(other));
    while (!own.empty() && !theirs.empty() && own.front() == theirs.front()) {  // around both
        own.erase(own.begin());
        theirs.erase(theirs.begin());
    }
    const LoopHistory::Shape shape = history_.shape_of(p, theirs);
    const auto no = [&](const std::string& message, const std::string& hint) {
        return Refusal{error(message, hint), std::nullopt};
    };
    if (shape.calls.empty()) {
        return no("no call has split, fused, reordered or bound the loops of " + other +
                      (theirs.empty() ? ", which has none of its own" : ""),
                  "shape " + other + " first, then call this");
    }
    std::map<std::string, std::string> now;  // loops of `other` on the way -> those of `name`
    for (std::size_t k = 0; k < std::min(own.size(), shape.loops.size()); ++k) {
        const LoopHistory::Loop& was = shape.loops[k];
        Expr extent = LoopHistory::as_it_is(p, own[k]).extent;
        const auto concerns = [&](const LoopHistory::Call& c) {
            return needs_length(c.primitive) &&
                   std::any_of(c.takes.begin(), c.takes.end(),
                               [&](const LoopHistory::Loop& l) { return l.name == was.name; });
        };
        const auto first = std::find_if(shape.calls.begin(), shape.calls.end(), concerns);
        if (first != shape.calls.end() && extent != was.extent) {
            return no("loop " + own[k] + " of " + name + " has " + iterations(extent) +
                          " iterations, and loop " + was.name + " of " + other + " had " +
                          iterations(was.extent) + " when `" + first->primitive + "` in " +
                          line_of(first->line) + " was called",
                      "write the calls on the loops of " + name + " with factors of their own");
        }
        now[was.name] = own[k];
    }
    const std::size_t start = p.derivation().steps().size();
    std::size_t made = 0;
    for (const LoopHistory::Call& before : shape.calls) {
        std::vector<std::optional<Node>> loops;
        std::size_t known = 0;
        std::string missing;
        for (const LoopHistory::Loop& l : before.takes) {
            const auto found = now.find(l.name);
            if (found == now.end()) {
                missing = l.name;
                loops.emplace_back();
                continue;
            }
            ++known;
            loops.emplace_back(in_.value_of(Handle{Handle::Kind::Loop, found->second}, call.at));
        }
        const std::string said = "`" + before.primitive + "` as in " + line_of(before.line);
        if (known == 0 || (before.primitive == "reorder" && known < 2)) continue;
        if (before.primitive == "fuse" && !missing.empty()) {
            p.derivation().roll_back(start);
            return no(said + ": block " + name + " has no loop for " + missing,
                      "write the calls on the loops of " + name + " one by one");
        }
        const Node again = on_loops(before.call, in_, loops);
        history_.begin(p, in_, before.primitive, again);
        Outcome outcome = Names{};
        try {
            outcome = (this->*methods().at(before.primitive).method)(again);
        } catch (Gone& gone) {
            outcome = std::move(gone.why);
        }
        if (Refusal* refused = std::get_if<Refusal>(&outcome)) {
            p.derivation().roll_back(start);
            primitives().note("");
            refused->diagnostic.message = said + ": " + refused->diagnostic.message;
            return outcome;
        }
        const Names& gave = std::get<Names>(outcome);
        history_.end(LoopCopies(p.derivation().steps(), p.derivation().steps().size()), gave,
                     before.line);
        for (std::size_t k = 0; k < std::min(gave.size(), before.gives.size()); ++k) {
            now[before.gives[k]] = gave[k];
        }
        ++made;
    }
    if (made == 0) {
        return no("no loop of " + name + " stands for one that a call has shaped in " + other,
                  "loops are paired from the outermost one inwards");
    }
    primitives().note(std::to_string(made) + (made == 1 ? " call" : " calls") + " as on " + other);
    Outcome out = primitives().get_loops(name);
    return seen(std::move(out), true);
}

}  // namespace proviso::rewrite
