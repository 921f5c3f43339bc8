// `with sch.inside(loop) as s:`: calls on `s` find what is inside of the loop, and change nothing
// else. That is seen from the program, after each call: what stands around the loop is the same.
#include <algorithm>
#include <sstream>
#include <utility>

#include "ir/text.h"
#include "ir/text/reader/expressions/expr_binder.h"
#include "ir/text/spelling.h"
#include "rewrite/schedule/reader/interpreter/values.h"
#include "rewrite/schedule/reader/schedule_reader.h"

namespace proviso::rewrite {

using namespace ir;
using python::Node;
using python::NodeKind;

namespace {

constexpr const char* kLoopStandsHere = "the loop stands here";

Function without(Context& ctx, const Function& f, const Site& site) {
    return replace_at(ctx, f, site, ctx.stmt(Assert{ctx.true_(), kLoopStandsHere}));
}

// The first line of `now` that is another in `before`, or, where that is the loop's, the line that
// is gone; empty: of neither.
std::string first_other_line(const std::string& before, const std::string& now) {
    const auto shown = [](const std::string& line) {
        return line.substr(std::min(line.find_first_not_of(' '), line.size()));
    };
    std::istringstream a(before);
    std::istringstream b(now);
    std::string was;
    for (std::string is; std::getline(b, is);) {
        const bool more = static_cast<bool>(std::getline(a, was));
        if (more && was == is) continue;
        const bool gone = more && is.find(kLoopStandsHere) != std::string::npos;
        return gone ? shown(was) + " would go" : shown(is);
    }
    return {};
}

}  // namespace

std::size_t ScheduleReader::enter(const Node& call, const std::string& object, std::size_t inside) {
    const Signature& known = *find_signature("inside");
    const std::string usage = "with " + object + "." + std::string(known.usage) + " as s:";
    begin_inside(call, known, object, inside);
    const Node* loop = nullptr;
    Outcome outcome = Names{};
    try {
        check_arguments(*module_.source, call, 0, 1, argument_names(known));
        loop = &in_.need(call, 0, "loop");
        present(in_.loop(*loop));
    } catch (Gone& gone) {
        outcome = std::move(gone.why);
    } catch (Failure& mistake) {
        if (mistake.diagnostic.hint.empty()) mistake.diagnostic.hint = "write: " + usage;
        throw;
    }
    if (Refusal* no = std::get_if<Refusal>(&outcome)) {
        refused(call, "inside", std::move(*no));
        throw Stopped{};
    }
    insides_.push_back({*loop, inside, object, true});
    return insides_.size();
}

void ScheduleReader::begin_inside(const Node& call, const Signature& known,
                                  const std::string& object, std::size_t inside) {
    inside_ = inside;
    if (inside == 0) return;
    if (!insides_[inside - 1].open) {
        in_.wrong(call, "the `with` that `" + object + "` belongs to has ended",
                  "move the call into it, or write: " + insides_[inside - 1].called + "." +
                      std::string(known.usage));
    }
    if (known.name == "work_on" || known.name == "outline") {
        in_.wrong(call, "`" + std::string(known.name) + "` is about a whole function",
                  "call it outside of the `with`: sch." + std::string(known.usage));
    }
}

std::string ScheduleReader::limit() {
    if (inside_ == 0) return {};
    const std::size_t inside = std::exchange(inside_, 0);  // the loop itself is not inside
    try {
        const std::string loop = present(in_.loop(insides_[inside - 1].loop));
        inside_ = inside;
        return loop;
    } catch (Gone& gone) {
        inside_ = inside;
        Diagnostic& why = gone.why.diagnostic;
        why.message = "the loop of this `with`: " + why.message;
        why.hint = "end the `with` before the loop goes, and begin another one";
        throw;
    }
}

Site ScheduleReader::limit_site() {
    const std::string loop = limit();
    return loop.empty() ? Site{} : *primitives().proposer().index().loop(loop);
}

void ScheduleReader::must_be_inside(const std::string& what, const Site& site) {
    if (inside_ == 0) return;
    const std::string loop = limit();
    const Site body = primitives().proposer().index().loop(loop)->child("body");
    if (body.contains(site)) return;
    const bool itself = what == "loop " + loop;
    throw Gone{{error(what + (itself ? " is the loop of the `with`, and not inside of it"
                                     : " stands outside of loop " + loop),
                      "calls on `" + insides_[inside_ - 1].called +
                          "`, which the `with` was made of, see more than that loop"),
                std::nullopt}};
}

Refusal ScheduleReader::no_block_inside(const std::string& name) {
    const Site body = limit_site().child("body");
    std::vector<std::string> known;
    std::string list;
    for (const auto& [site, stmt] : all_statements(primitives().proposer().current())) {
        const Block* n = stmt->as<Block>();
        if (n == nullptr || !body.contains(site)) continue;
        known.push_back(n->name);
        list += (list.empty() ? "" : ", ") + n->name;
    }
    return Refusal{error("there is no block '" + name + "'",
                         known.empty() ? "there is none in loop " + limit()
                                       : suggest(name, known, "blocks in the loop: " + list)),
                   std::nullopt};
}

Outcome ScheduleReader::seen(Outcome all, bool loops) {
    if (inside_ == 0 || std::holds_alternative<Refusal>(all)) return all;
    const Site body = limit_site().child("body");
    const ProgramIndex& index = primitives().proposer().index();
    Names out;
    for (const std::string& name : std::get<Names>(all)) {
        const std::optional<Site> site = loops ? index.loop(name) : index.block(name);
        if (site && body.contains(*site)) out.push_back(name);
    }
    return out;
}

Function ScheduleReader::beyond_limit() {
    Proposer& p = primitives().proposer();
    try {
        return without(p.ctx(), p.current(), limit_site());
    } catch (const Gone&) {  // the call will be refused
        return p.current();
    }
}

std::optional<Refusal> ScheduleReader::changed_outside(const Function& before,
                                                       const std::string& call) {
    Proposer& p = primitives().proposer();
    const std::string object = insides_[inside_ - 1].called;
    const std::string outer = object + call.substr(std::min(call.find('.'), call.size()));
    std::string what;
    try {
        const Function now = without(p.ctx(), p.current(), limit_site());
        if (now == before) return std::nullopt;
        what = "what stands outside of loop " + limit();
        const std::string line = first_other_line(print(before), print(now));
        if (!line.empty()) what += ": " + line;
    } catch (const Gone&) {
        what = "the loop of the `with` itself";
    }
    return Refusal{error("this would change " + what, "a call on `" + object + "` may: " + outer),
                   std::nullopt};
}

Outcome ScheduleReader::cache_inside(const std::string& block, Buffer buffer,
                                     const std::string& scope,
                                     const std::optional<std::vector<std::string>>& consumers,
                                     bool write) {
    const std::string loop = limit();
    const Function& f = primitives().proposer().current();
    const Site body = limit_site().child("body");
    for (const auto& [site, stmt] : all_statements(f)) {
        const Block* n = stmt->as<Block>();
        if (n == nullptr || !consumers || !body.contains(site)) continue;
        const bool named = std::count(consumers->begin(), consumers->end(), n->name) != 0;
        if (named || primitives().accessed_buffer(n->name, buffer->name) != buffer) continue;
        return Refusal{
            error("block " + n->name + " in loop " + loop + " accesses " + buffer->name +
                      " as well, and all in the loop share one copy",
                  "leave consumer_blocks out, or copy in a loop further in: sch.read_at"),
            std::nullopt};
    }
    return write ? primitives().write_at(loop, block, buffer, scope)
                 : primitives().read_at(loop, block, buffer, scope);
}

std::string ScheduleReader::pass_scope(const std::string& block) {
    return inside_ == 0 ? block : scope_in_loop(limit(), block);
}

std::vector<Node> ScheduleReader::loops_entered(std::size_t inside) const {
    std::vector<Node> out;
    for (; inside != 0; inside = insides_[inside - 1].outer) {
        out.insert(out.begin(), insides_[inside - 1].loop);
    }
    return out;
}

// A call, as a line of sch.trace(): those inside of a loop stand in a `with`.
void ScheduleReader::add_to_trace(const std::string& line, std::size_t inside) {
    const std::vector<Node> loops = loops_entered(inside);
    if (inside != entered_) {
        const std::vector<Node> before = loops_entered(entered_);
        std::size_t same = 0;
        while (same < std::min(loops.size(), before.size()) &&
               loops[same].text == before[same].text) {
            ++same;
        }
        for (std::size_t k = same; k < loops.size(); ++k) {
            const std::string object = k == 0 ? "sch" : "s" + std::to_string(k);
            trace_.push_back(std::string(4 * k, ' ') + "with " + object + ".inside(" +
                             in_.loop(loops[k]).name + ") as s" + std::to_string(k + 1) + ":");
        }
        entered_ = inside;
    }
    trace_.push_back(std::string(4 * loops.size(), ' ') + line);
}

Outcome ScheduleReader::inside(const Node& call) {
    in_.wrong(call, "`inside` begins a `with`", "with sch.inside(loop) as s:");
}

}  // namespace proviso::rewrite
