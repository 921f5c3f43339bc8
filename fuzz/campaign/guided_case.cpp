// A case of a guided campaign that is made of a pair in its corpus: the program, the schedule or
// both are changed, or the program gets another schedule.
#include "fuzz/campaign/case.h"
#include "fuzz/gen/schedules/schedules.h"
#include "fuzz/guided/mutate.h"
#include "ir/children.h"
#include "ir/text.h"

namespace proviso::fuzz {

using namespace ir;

namespace {

constexpr std::uint64_t kMutation = 0x6d757461;  // keeps the choices of blind cases as they are
constexpr int kTries = 4;                        // to change a program so that it still runs
constexpr std::int64_t kMostCells = 4096;        // of a buffer
constexpr std::int64_t kSizeUnknown = 16;        // cells of an extent that is no number
constexpr std::size_t kSchedulesLent = 8;        // whose lines may be taken over

bool small_enough(const Function& f) {
    const auto fits = [](Buffer b) {
        std::int64_t cells = 1;
        for (Expr e : b->shape) {
            const bool fixed = is_int_const(e) && e->int_value() >= 0;
            if (fixed && e->int_value() > kMostCells) return false;
            cells *= fixed ? static_cast<std::int64_t>(e->int_value()) : kSizeUnknown;
            if (cells > kMostCells) return false;
        }
        return true;
    };
    bool out = true;
    for (Buffer b : f.buffer_params()) out = out && fits(b);
    for_each_stmt(f.body, [&](Stmt s) {
        if (const Allocate* a = s->as<Allocate>()) out = out && fits(a->buffer);
    });
    return out;
}

// Half of the time one of the youngest quarter: what it has reached is hardly used yet.
const CorpusPair& pick(const std::vector<CorpusPair>& pairs, Choice& choice) {
    const auto last = static_cast<std::int64_t>(pairs.size()) - 1;
    const std::int64_t first = choice.chance(50) ? last - last / 4 : 0;
    return pairs[static_cast<std::size_t>(choice.between(first, last))];
}

std::string changed_schedule(const CorpusPair& pair, const std::vector<CorpusPair>& pairs,
                             Choice& choice) {
    std::vector<std::string> others;
    for (std::size_t k = 0; k < kSchedulesLent; ++k) {
        others.push_back(pick(pairs, choice).schedule);
    }
    std::string out = pair.schedule;
    for (std::int64_t k = choice.between(1, 3); k > 0; --k) {
        out = mutated_schedule(out, others, choice);
    }
    return out;
}

}  // namespace

// Whether it is one that the campaign can ask about: it reads, starts a derivation, is small, and
// runs.
bool CaseRunner::take_program(const std::string& text, const CorpusPair& from) {
    Result<Function> f = parse_function(ctx_, text, "<corpus>");
    if (!f || !small_enough(*f) || !rewrite::Derivation::start(ctx_, *f)) return false;
    const GeneratedProgram was = std::move(program_);
    program_ = {*std::move(f), {}, {}};
    for (Buffer b : program_.function.buffer_params()) {
        const auto range = from.ranges.find(b->name);
        if (range == from.ranges.end() || !b->type.is_int()) continue;
        if (b->type.contains(range->second.lo) && b->type.contains(range->second.hi)) {
            program_.ranges.insert(*range);
        }
    }
    if (runs_without_fault()) return true;
    program_ = was;
    return false;
}

bool CaseRunner::make_mutated() {
    if (o_.guide == nullptr || o_.guide->pairs.empty()) return false;
    Choice choice(mix(seed_, kMutation));
    if (!choice.chance(o_.guide->mutated)) return false;
    const Choice blind = choice_;
    choice_ = choice.fork();
    const CorpusPair& pair = pick(o_.guide->pairs, choice);
    bool changed = false;
    if (choice.chance(60)) {
        for (int k = 0; k < kTries && !changed; ++k) {
            std::string text = pair.program;
            for (std::int64_t n = choice.between(1, 3); n > 0; --n) {
                text = mutated_program(text, choice);
            }
            changed = text != pair.program && take_program(text, pair);
        }
    }
    if (!changed && !take_program(pair.program, pair)) {
        choice_ = blind;
        return false;
    }
    switch (choice.weighted({changed ? 25 : 0, 50, 15, 10})) {
        case 0: schedule_ = pair.schedule; break;
        case 1: schedule_ = changed_schedule(pair, o_.guide->pairs, choice); break;
        case 2: schedule_ = generate_schedule(program_.function, choice); break;
        default: schedule_ = pair.schedule + generate_schedule(program_.function, choice);
    }
    return true;
}

ReachedByCase CaseRunner::reached() const {
    ReachedByCase out;
    if (o_.guide == nullptr || s_.valid == 0) return out;
    for (const std::string& f : features_) {
        if (o_.guide->seen.count(f) == 0) out.features.insert(f);
    }
    if (out.features.empty()) return out;
    out.pair = {print(program_.function), schedule_, program_.ranges};
    return out;
}

}  // namespace proviso::fuzz
