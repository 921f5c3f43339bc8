// What TVM draws by chance: a schedule here does the same each time, so the decision is given. And
// calls that change nothing here.
#include <algorithm>

#include "ir/text.h"
#include "ir/text/reader/expressions/expr_binder.h"
#include "rewrite/schedule/reader/interpreter/values.h"
#include "rewrite/schedule/reader/schedule_reader.h"

namespace proviso::rewrite {

using namespace ir;
using python::Node;

namespace {

constexpr const char* kGiveDecision = "a schedule here is deterministic: give decision=";

}  // namespace

Outcome ScheduleReader::can_decompose_padding(const Node& call) {
    Proposer& p = primitives().proposer();
    const Derivation was = p.derivation();
    const Outcome tried = decompose_padding(call);
    primitives().take_note();
    p.derivation() = was;
    value_ = values::boolean(std::holds_alternative<Names>(tried), call.at);
    return Names{};
}

std::int64_t ScheduleReader::decision(const Node& call, std::size_t position) {
    const Node* given = argument(call, position, "decision");
    if (given == nullptr || values::is_none(*given)) in_.wrong(call, kGiveDecision);
    return in_.integer(*given);
}

Outcome ScheduleReader::sample_categorical(const Node& call) {
    const Node& candidates = in_.need(call, 0, "candidates");
    const Node& chances = in_.need(call, 1, "probs");
    if (!values::is_list(candidates) || candidates.items.empty()) {
        in_.wrong(candidates, "expected a list of numbers", "[4, 8]");
    }
    if (!values::is_list(chances) || chances.items.size() != candidates.items.size()) {
        in_.wrong(chances, "a chance for each candidate", "[0.5, 0.5]");
    }
    const std::int64_t k = decision(call, 2);
    const auto size = static_cast<std::int64_t>(candidates.items.size());
    if (k < 0 || k >= size) {
        in_.wrong(*argument(call, 2, "decision"), "the decision is the number of a candidate",
                  "0 to " + std::to_string(size - 1));
    }
    value_ = candidates.items[static_cast<std::size_t>(k)];
    return Names{};
}

// The factors that are given: their product is the extent of the loop.
Outcome ScheduleReader::sample_tile(const Node& call, std::size_t position) {
    const std::string name = loop(in_.need(call, 0, "loop"));
    const std::int64_t n = in_.integer(in_.need(call, 1, "n"));
    const Node* given = argument(call, position, "decision");
    if (given == nullptr || values::is_none(*given)) in_.wrong(call, kGiveDecision);
    if (!values::is_list(*given) || static_cast<std::int64_t>(given->items.size()) != n) {
        in_.wrong(*given, "the decision is a list of n factors, and n is " + std::to_string(n));
    }
    if (n < 1) in_.wrong(*given, "a tile has a factor at least");
    const Site site = *primitives().proposer().index().loop(name);
    const For& walked = *locate(primitives().proposer().current(), site)->stmt->as<For>();
    Expr extent = primitives().proposer().simplified(
        primitives().proposer().ctx().sub(walked.hi, walked.lo), site);
    if (!is_int_const(extent)) {
        in_.wrong(call, "the extent of loop " + name + " is no number: " + ir::print(extent),
                  "factors=[None, 8] of sch.split");
    }
    Int128 product = 1;
    for (const Node& item : given->items) {
        const std::int64_t factor = in_.integer(item);
        if (factor < 1) in_.wrong(item, "a factor is 1 at least");
        product *= factor;
        if (product > extent->int_value()) break;
    }
    if (product != extent->int_value()) {
        in_.wrong(*given,
                  "the factors make no perfect tile of loop " + name + ", which has " +
                      ir::print(extent) + " iterations",
                  "their product is the number of iterations");
    }
    value_ = values::list(given->items, call.at);
    return Names{};
}

Outcome ScheduleReader::sample_perfect_tile(const Node& call) {
    return sample_tile(call, 3);
}

Outcome ScheduleReader::sample_partitioned_tile(const Node& call) {
    return sample_tile(call, 4);
}

// As in TVM: of the loops around what reads the block's result.
Outcome ScheduleReader::sample_compute_location(const Node& call) {
    const std::string name = block(in_.need(call, 0, "block"));
    const std::int64_t k = decision(call, 1);
    const Node& given = *argument(call, 1, "decision");
    if (k < 0) {
        in_.wrong(given, "the decision is the number of a loop, from 0 on",
                  k == -1 ? "TVM's -1: sch.compute_inline(block)"
                          : "TVM's -2: leave the block where it is");
    }
    const Outcome found = primitives().get_consumers(name);
    const Names readers = std::holds_alternative<Names>(found) ? std::get<Names>(found) : Names{};
    if (readers.empty()) in_.wrong(call, "no block reads what block " + name + " computes");
    Names common;
    for (const std::string& reader : readers) {
        const Names around = std::get<Names>(primitives().get_loops(reader));
        if (reader == readers.front()) common = around;
        std::size_t same = 0;
        while (same < std::min(common.size(), around.size()) && common[same] == around[same]) {
            ++same;
        }
        common.resize(same);
    }
    if (k >= static_cast<std::int64_t>(common.size())) {
        in_.wrong(given,
                  "what reads the result of block " + name + " stands in " +
                      std::to_string(common.size()) + " loops",
                  common.empty() ? "sch.merge puts what reads it in common loops"
                                 : "0 to " + std::to_string(common.size() - 1));
    }
    return Names{common[static_cast<std::size_t>(k)]};
}

Outcome ScheduleReader::seed(const Node& call) {
    in_.integer(in_.need(call, 0, "seed"));
    primitives().note("nothing: a schedule here is deterministic");
    return Names{};
}

Outcome ScheduleReader::fork_seed(const Node& call) {
    primitives().note("0: a schedule here is deterministic");
    value_ = values::integer(0, call.at);
    return Names{};
}

Outcome ScheduleReader::enter_postproc(const Node& call) {
    (void)call;
    primitives().note("nothing: postprocessing is no phase here");
    return Names{};
}

Outcome ScheduleReader::remove_rv(const Node& call) {
    in_.need(call, 0, "rv");
    primitives().note("nothing: a name may stand for something else at any time");
    return Names{};
}

}  // namespace proviso::rewrite
