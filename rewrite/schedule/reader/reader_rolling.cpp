// rolling_buffer of a stage that compute_at has placed. There each iteration has a buffer of its
// own, of which no cell is left for the next one. So the stages since compute_at are placed again,
// and this one keeps its cells (store_at), as TVM does from the beginning.
//
// What adds up its result stores to a cell several times. It does so in a cell of its own, and the
// window is of a copy: cache_write, store_at and compute_at of the copy, and compute_at into it.
#include <algorithm>

#include "analysis/facts/path.h"
#include "rewrite/schedule/reader/layout_arguments.h"
#include "rewrite/schedule/reader/schedule_reader.h"

namespace proviso::rewrite {

using namespace ir;
using python::Node;

namespace {

// The block stores to a cell several times: it initialises it, or reads it.
bool adds_up(const Function& f, const std::string& name) {
    const Block& block = *locate(f, *find_block(f, name))->stmt->as<Block>();
    const std::vector<Buffer> stored = analysis::stored_buffers(block.body);
    bool reads = block.init != nullptr;
    for_each_expr(block.body, [&](Expr e) {
        for (Buffer b : loaded_buffers(e)) {
            reads = reads || std::find(stored.begin(), stored.end(), b) != stored.end();
        }
    });
    return reads;
}

}  // namespace

std::size_t ScheduleReader::steps() {
    return primitives().proposer().derivation().steps().size();
}

void ScheduleReader::placed(Placed stage) {
    if (!placed_.empty() && placed_.back().after != stage.before) placed_.clear();
    stage.after = steps();
    placed_.push_back(std::move(stage));
}

Outcome ScheduleReader::place_again(Placed& stage) {
    stage.before = steps();
    std::string moved = stage.block;
    std::size_t number = stage.buffer;
    if (stage.sum) {
        Buffer b = primitives().buffer_by_index(moved, true, number);
        Outcome copied = primitives().cache_write(moved, b, b->scope.empty() ? "global" : b->scope);
        if (std::holds_alternative<Refusal>(copied)) return copied;
        moved = std::get<Names>(copied).front();
        number = 0;
    }
    if (stage.stored) primitives().store_at(moved, "");
    Outcome out = primitives().compute_at(moved, stage.loop, stage.unit_loops, stage.index);
    std::string note = primitives().take_note();
    if (stage.rolled && std::holds_alternative<Names>(out)) {
        Buffer b = primitives().buffer_by_index(moved, true, number);
        out = primitives().rolling_buffer(moved, b);
        note = primitives().take_note();
    }
    if (stage.sum && std::holds_alternative<Names>(out)) {
        const Names around = std::get<Names>(primitives().get_loops(moved));
        out = primitives().compute_at(stage.block, around.back(), false, -1);
        // What is in the window already is not computed again.
        if (std::holds_alternative<Names>(out)) primitives().remove_overcompute(stage.block);
        note += ", of a copy: each sum is in a cell of its own";
    }
    primitives().note(std::move(note));
    stage.after = steps();
    return out;
}

Outcome ScheduleReader::roll_placed(std::size_t number, std::size_t buffer) {
    Proposer& p = primitives().proposer();
    const Derivation was = p.derivation();
    std::vector<Placed> stages = placed_;
    Placed& rolls = stages[number];
    rolls.buffer = buffer;
    rolls.stored = rolls.rolled = true;
    rolls.sum = adds_up(p.current(), rolls.block);
    p.derivation().roll_back(rolls.before);
    Outcome out = place_again(rolls);
    std::string note = primitives().take_note();
    for (std::size_t k = number + 1; k < stages.size(); ++k) {
        if (std::holds_alternative<Names>(out)) out = place_again(stages[k]);
    }
    if (std::holds_alternative<Names>(out)) {
        primitives().note("placed again, with its cells kept; " + std::move(note));
        placed_ = std::move(stages);
        return out;
    }
    const std::vector<Rejection> all = p.derivation().rejections();
    p.derivation() = was;
    for (std::size_t k = was.rejections().size(); k < all.size(); ++k) {
        p.derivation().record(all[k]);
    }
    return out;
}

Outcome ScheduleReader::rolling_buffer(const Node& call) {
    const std::string name = block(in_.need(call, 0, "block"));
    const Node& which = in_.need(call, 1, "write_buffer_index");
    Buffer buffer = buffer_argument(primitives(), in_, which, name, true);
    Outcome out = primitives().rolling_buffer(name, buffer);
    if (std::holds_alternative<Names>(out) || inside_ != 0 || placed_.empty()) return out;
    if (placed_.back().after != steps()) return out;
    std::size_t number = 0;
    while (primitives().buffer_by_index(name, true, number) != buffer) ++number;
    for (std::size_t k = 0; k < placed_.size(); ++k) {
        if (placed_[k].block != name || placed_[k].rolled) continue;
        Outcome again = roll_placed(k, number);
        const Refusal* no = std::get_if<Refusal>(&again);
        return no == nullptr || no->rejection ? again : out;  // a step that fails tells more
    }
    return out;
}

}  // namespace proviso::rewrite
