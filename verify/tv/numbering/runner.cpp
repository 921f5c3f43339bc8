#include "verify/tv/numbering/runner.h"

#include <algorithm>
#include <array>

#include "verify/tv/expressions.h"

namespace proviso::verify {

using namespace ir;

namespace {

constexpr std::size_t kMostWatched = 8'000'000;  // cells, for each concurrent loop around

}  // namespace

Runner::Runner(Context& ctx, Terms& terms, const Compiled& program, const Numbering::Limits& limits,
               NumberedRun& out)
    : ctx_(ctx),
      terms_(terms),
      program_(program),
      limits_(limits),
      out_(out),
      steps_left_(limits.steps),
      whole_(program.slots()),
      term_(program.slots()),
      memory_(program.memories().size()) {
    for (const auto& [slot, value] : program.given()) whole_[slot] = value;
}

void Runner::run(const std::vector<std::vector<std::int64_t>>& shapes,
                 const std::vector<std::vector<TermId>>& start) {
    for (std::size_t k = 0; k < start.size(); ++k) {
        memory_[k] = {shapes[k], start[k], ++instances_};
    }
    exec(program_.body());
    for (std::size_t k = 0; k < start.size(); ++k) out_.after.push_back(memory_[k].cells);
}

void Runner::step() {
    if (steps_left_ == 0) throw GivenUp{kTooManySteps};
    --steps_left_;
}

// A symbol and a constant are in range.
void Runner::observe(const Code& c, TermId id) {
    if (c.type.is_exact_int() && id != Terms::kIndet && !terms_.is_leaf(id)) {
        mark(out_.observed, id);
    }
}

void Runner::mark(std::vector<bool>& set, TermId id) {
    if (set.size() <= id) set.resize(std::max<std::size_t>(id + 1, set.size() * 2));
    set[id] = true;
}

// --- integers
// --------------------------------------------------------------------------------------

std::int64_t Runner::held(const Code& c, std::int64_t value, bool overflow) {
    if (overflow || value < c.least || value > c.most) {
        throw GivenUp{"an integer leaves its type's range"};
    }
    return value;
}

std::int64_t Runner::divided(const Code& c) {
    const std::int64_t x = whole(*c.args[0]);
    const std::int64_t y = whole(*c.args[1]);
    if (y == 0 || y == -1) throw GivenUp{"a division by 0 or -1"};
    const std::int64_t quotient = x / y;
    const std::int64_t rest = x % y;
    const bool lower = rest != 0 && (rest < 0) != (y < 0);
    switch (c.op) {
        case Op::TruncDiv: return held(c, quotient, false);
        case Op::TruncMod: return held(c, rest, false);
        case Op::FloorDiv: return held(c, lower ? quotient - 1 : quotient, false);
        default: return held(c, lower ? rest + y : rest, false);
    }
}

std::int64_t Runner::whole(const Code& c) {
    step();
    std::int64_t out = 0;
    switch (c.op) {
        case Op::IntImm: return c.value;
        case Op::Var: return whole_[c.slot];
        case Op::Let: {
            whole_[c.slot] = whole(*c.args[0]);
            return whole(*c.args[1]);
        }
        case Op::Neg: {
            const std::int64_t x = whole(*c.args[0]);
            const bool too_large = __builtin_sub_overflow(std::int64_t{0}, x, &out);
            return held(c, out, too_large);
        }
        case Op::Not: return whole(*c.args[0]) == 0 ? 1 : 0;
        case Op::And: return whole(*c.args[0]) != 0 ? whole(*c.args[1]) : 0;
        case Op::Or: return whole(*c.args[0]) != 0 ? 1 : whole(*c.args[1]);
        case Op::IfThenElse: return whole(*c.args[whole(*c.args[0]) != 0 ? 1 : 2]);
        case Op::Select: {
            const bool chosen = whole(*c.args[0]) != 0;
            const std::int64_t yes = whole(*c.args[1]);
            const std::int64_t no = whole(*c.args[2]);
            return chosen ? yes : no;
        }
        case Op::Cast: {
            const std::int64_t x = whole(*c.args[0]);
            return c.type.is_bool() ? (x != 0 ? 1 : 0) : held(c, x, false);
        }
        case Op::FloorDiv:
        case Op::FloorMod:
        case Op::TruncDiv:
        case Op::TruncMod: return divided(c);
        default: break;
    }
    const std::int64_t x = whole(*c.args[0]);
    const std::int64_t y = whole(*c.args[1]);
    bool overflow = false;
    switch (c.op) {
        case Op::Add: overflow = __builtin_add_overflow(x, y, &out); break;
        case Op::Sub: overflow = __builtin_sub_overflow(x, y, &out); break;
        case Op::Mul: overflow = __builtin_mul_overflow(x, y, &out); break;
        case Op::Min: return std::min(x, y);
        case Op::Max: return std::max(x, y);
        case Op::Eq: return x == y ? 1 : 0;
        case Op::Ne: return x != y ? 1 : 0;
        case Op::Lt: return x < y ? 1 : 0;
        case Op::Le: return x <= y ? 1 : 0;
        default: throw GivenUp{"an operator that is not computed"};
    }
    return held(c, out, overflow);
}

// --- terms
// -----------------------------------------------------------------------------------------

TermId Runner::definite(const Code& c) {
    const TermId out = term(c);
    if (out == Terms::kIndet) throw GivenUp{"an indeterminate operand"};
    return out;
}

TermId Runner::term(const Code& c) {
    if (c.plain) return terms_.constant(ctx_, c.type, whole(c));
    step();
    switch (c.op) {
        case Op::IntImm:
        case Op::FloatImm: return c.leaf;
        case Op::Undef: return Terms::kIndet;
        case Op::Var: return c.bound ? term_[c.slot] : c.leaf;
        case Op::Load: return load(c);
        case Op::And:
        case Op::Or:
        case Op::IfThenElse: return choice(c);
        case Op::Let: {
            if (c.args[0]->plain) {
                whole_[c.slot] = whole(*c.args[0]);
            } else {
                term_[c.slot] = definite(*c.args[0]);
                if (lazy_ > 0) throw GivenUp{"a let under a condition on data"};
                observe(*c.args[0], term_[c.slot]);
            }
            return term(*c.args[1]);
        }
        default: return operation(c);
    }
}

TermId Runner::operation(const Code& c) {
    std::array<TermId, 4> args{};
    if (c.args.size() > args.size()) throw GivenUp{"an operator of many operands"};
    for (std::size_t k = 0; k < c.args.size(); ++k) args[k] = definite(*c.args[k]);
    const TermId out = terms_.term(c.kind, {args.data(), c.args.size()});
    if (lazy_ == 0) mark(out_.evaluated, out);
    return out;
}

// And, Or and IfThenElse: which operands are evaluated may depend on the data.
TermId Runner::choice(const Code& c) {
    const Code& condition = *c.args[0];
    if (condition.plain) {
        const bool truth = whole(condition) != 0;
        if (c.op == Op::IfThenElse) return term(*c.args[truth ? 1 : 2]);
        if (truth == (c.op == Op::And)) return term(*c.args[1]);
        return terms_.constant(ctx_, c.type, truth ? 1 : 0);
    }
    std::array<TermId, 3> args{};
    args[0] = definite(condition);
    ++lazy_;
    for (std::size_t k = 1; k < c.args.size(); ++k) args[k] = definite(*c.args[k]);
    --lazy_;
    const TermId out = terms_.term(c.kind, {args.data(), c.args.size()});
    if (lazy_ == 0) mark(out_.evaluated, out);
    return out;
}

TermId Runner::load(const Code& c) {
    const std::size_t cell = access(c.memory, c.args, false);
    return memory_[c.memory].cells[cell];
}

// --- memory
// ----------------------------------------------------------------------------------------

std::size_t Runner::access(std::uint32_t memory, const std::vector<const Code*>& indices,
                           bool writes) {
    const Memory& m = memory_[memory];
    const std::size_t rank = m.shape.size();
    std::size_t cell = 0;
    const bool claimed = claiming_ > 0;
    if (claimed) at_.resize(rank);
    for (std::size_t d = 0; d < rank; ++d) {
        if (!indices[d]->plain) throw GivenUp{"an index that depends on data"};
        const std::int64_t i = whole(*indices[d]);
        if (i < 0 || i >= m.shape[d]) throw GivenUp{"an access out of bounds"};
        cell = cell * static_cast<std::size_t>(m.shape[d]) + static_cast<std::size_t>(i);
        if (claimed) at_[d] = i;
    }
    if (m.cells[cell] == Terms::kClosed) throw GivenUp{"a cell that must not be touched"};
    if (claimed && !claims_.allow(program_.memories()[memory], at_, writes)) {
        throw GivenUp{"an access that a block does not claim"};
    }
    if (open_ > 0) touch(memory, cell, writes);
    return cell;
}

void Runner::touch(std::uint32_t memory, std::size_t cell, bool writes) {
    for (std::size_t k = 0; k < open_; ++k) {
        ConcurrentLoop& loop = concurrent_[k];
        if (loop.cells.size() <= memory) loop.cells.resize(memory_.size());
        std::vector<Touches>& cells = loop.cells[memory];
        if (cells.size() <= cell) {
            watched_ += memory_[memory].cells.size() - cells.size();
            if (watched_ > kMostWatched)
                throw GivenUp{"more cells in concurrent loops than the limit"};
            cells.resize(memory_[memory].cells.size());
        }
        Touches& t = cells[cell];
        if (t.instance != loop.instance || t.life != memory_[memory].life) {
            t = Touches{loop.instance, memory_[memory].life};
        }
        const std::int64_t i = loop.iteration;
        bool conflict = t.written && t.writer != i;
        if (writes) conflict = conflict || t.many_readers || (t.read && t.reader != i);
        if (conflict) throw GivenUp{"a data race"};
        if (writes) {
            t.writer = i;
            t.written = true;
        } else {
            t.many_readers = t.many_readers || (t.read && t.reader != i);
            t.reader = i;
            t.read = true;
        }
    }
}

// --- statements
// ------------------------------------------------------------------------------------

bool Runner::holds(const Code& c) {
    if (!c.plain) throw GivenUp{"a condition that depends on data"};
    return whole(c) != 0;
}

// A part whose truth the data decide holds wherever the run goes on.
void Runner::assume(const Code& c) {
    if (c.plain) {
        if (!holds(c)) throw GivenUp{"an assumption that fails"};
    } else if (c.op == Op::And || (c.op == Op::Or && c.args[0]->plain)) {
        const bool both = c.op == Op::And;
        if (both || !holds(*c.args[0])) {
            if (both) assume(*c.args[0]);
            assume(*c.args[1]);
        }
    } else {
        mark(out_.assumed, definite(c));
    }
}

void Runner::exec(const Action& a) {
    step();
    std::visit([&](const auto& n) { exec(a, n); }, a.stmt->data);
}

void Runner::exec(const Action& a, const Store&) {
    const Code& value = *a.code.back();
    const TermId stored = term(value);
    observe(value, stored);
    const std::size_t cell = access(a.memory, a.code, true);
    memory_[a.memory].cells[cell] = stored;
}

void Runner::exec(const Action& a, const IfElse&) {
    if (holds(*a.code[0])) {
        exec(*a.body[0]);
    } else if (a.body.size() > 1) {
        exec(*a.body[1]);
    }
}

void Runner::exec(const Action& a, const Seq&) {
    for (const Action* child : a.body) exec(*child);
}

void Runner::exec(const Action& a, const LetStmt&) {
    const Code& value = *a.code[0];
    if (value.plain) {
        whole_[a.slot] = whole(value);
    } else {
        term_[a.slot] = definite(value);
        observe(value, term_[a.slot]);
    }
    exec(*a.body[0]);
}

void Runner::exec(const Action& a, const Assert&) {
    if (!holds(*a.code[0])) throw GivenUp{"an assert that fails"};
}

void Runner::exec(const Action& a, const Assume&) {
    assume(*a.code[0]);
}

void Runner::exec(const Action& a, const Evaluate&) {
    observe(*a.code[0], term(*a.code[0]));
}

void Runner::exec(const Action& a, const For&) {
    if (!a.code[0]->plain || !a.code[1]->plain) throw GivenUp{"a bound that depends on data"};
    const std::int64_t lo = whole(*a.code[0]);
    const std::int64_t hi = whole(*a.code[1]);
    const std::size_t mine = open_;
    if (a.concurrent) {
        if (concurrent_.size() <= mine) concurrent_.emplace_back();
        concurrent_[mine].instance = ++instances_;
        ++open_;
    }
    for (std::int64_t i = lo; i < hi; ++i) {
        if (a.concurrent) concurrent_[mine].iteration = i;
        whole_[a.slot] = i;
        exec(*a.body[0]);
    }
    if (a.concurrent) --open_;
}

void Runner::exec(const Action& a, const Allocate& n) {
    Memory& m = memory_[a.memory];
    m.shape.clear();
    std::size_t cells = 1;
    for (const Code* extent : a.code) {
        if (!extent->plain) throw GivenUp{"an extent that depends on data"};
        m.shape.push_back(whole(*extent));
        if (m.shape.back() < 0) throw GivenUp{"a negative extent"};
        const auto size = static_cast<std::size_t>(m.shape.back());
        if (size != 0 && cells > limits_.allocation / size) throw GivenUp{kLargeAllocation};
        cells *= size;
    }
    // To forget what the cells held takes time, too.
    const std::uint64_t cost = cells / 16;
    if (steps_left_ < cost) throw GivenUp{kTooManySteps};
    steps_left_ -= cost;
    m.cells.assign(cells, Terms::kIndet);
    m.life = ++instances_;
    claims_.born(n.buffer);
    exec(*a.body[0]);
}

void Runner::exec(const Action& a, const Block& n) {
    if (!holds(*a.code[0])) return;
    bool at_start = true;
    std::array<std::int64_t, 16> values{};
    if (a.iterators.size() > values.size()) throw GivenUp{"a block of many iterators"};
    for (std::size_t k = 0; k < a.iterators.size(); ++k) {
        const Action::Iterator& it = a.iterators[k];
        if (!it.binding->plain || !it.lo->plain || !it.hi->plain) {
            throw GivenUp{"a binding that depends on data"};
        }
        values[k] = whole(*it.binding);
        const std::int64_t lo = whole(*it.lo);
        if (values[k] < lo || values[k] >= whole(*it.hi)) {
            throw GivenUp{"an iterator out of its domain"};
        }
        if (it.reduces && values[k] != lo) at_start = false;
    }
    for (std::size_t k = 0; k < a.iterators.size(); ++k) whole_[a.iterators[k].slot] = values[k];
    const bool claims = n.reads || n.writes;
    if (claims || claiming_ > 0) {
        const bool known = claims_.enter(n, [&](Expr e) -> std::optional<std::int64_t> {
            const Code& c = *a.claims.at(e);
            return c.plain ? std::optional(whole(c)) : std::nullopt;
        });
        if (!known) throw GivenUp{"a claim that depends on data"};
        ++claiming_;
    }
    if (a.body.size() > 1 && at_start) exec(*a.body[1]);
    exec(*a.body[0]);
    if (claims || claiming_ > 0) {
        claims_.leave();
        --claiming_;
    }
}

}  // namespace proviso::verify
