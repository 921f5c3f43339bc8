#include "verify/tv/numbering/compiled.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>

#include "verify/tv/expressions.h"

namespace proviso::verify {

using namespace ir;

namespace {

constexpr std::size_t kMostCode = 1 << 20;  // expressions may share more than they have nodes

constexpr std::int64_t kMin = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();

bool is_whole(ScalarType type) {
    return type.is_bool() || type.is_int();
}

// Operators of integers that `Numbering` computes.
bool computes(Op op) {
    switch (op) {
        case Op::Neg:
        case Op::Not:
        case Op::Cast:
        case Op::Add:
        case Op::Sub:
        case Op::Mul:
        case Op::FloorDiv:
        case Op::FloorMod:
        case Op::TruncDiv:
        case Op::TruncMod:
        case Op::Min:
        case Op::Max:
        case Op::Eq:
        case Op::Ne:
        case Op::Lt:
        case Op::Le:
        case Op::And:
        case Op::Or:
        case Op::Select:
        case Op::IfThenElse: return true;
        default: return false;
    }
}

}  // namespace

class Compiled::Scope {
  public:
    Scope(Compiled& c, Expr var, bool plain) : c_(c), var_(var) {
        const auto outer = c.variables_.find(var);
        if (outer != c.variables_.end()) outer_ = outer->second;
        slot_ = static_cast<std::uint32_t>(c.slots_++);
        c.variables_[var] = {slot_, plain};
    }
    ~Scope() {
        if (outer_) {
            c_.variables_[var_] = *outer_;
        } else {
            c_.variables_.erase(var_);
        }
    }
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;
    std::uint32_t slot() const { return slot_; }

  private:
    Compiled& c_;
    Expr var_;
    std::optional<Variable> outer_;
    std::uint32_t slot_ = 0;
};

Compiled::Compiled(Context& ctx, Terms& terms, const Function& f, const Sizes& sizes)
    : ctx_(ctx), terms_(terms) {
    for (const auto& [var, value] : sizes) {
        if (!is_int_const(value) || value->int_value() > kMax) continue;
        const auto slot = static_cast<std::uint32_t>(slots_++);
        variables_[var] = {slot, true};
        given_.emplace_back(slot, static_cast<std::int64_t>(value->int_value()));
    }
    for (Buffer b : f.buffer_params()) memory_of(b);
    body_ = action(f.body);
}

std::uint32_t Compiled::memory_of(Buffer b) {
    const auto [known, is_new] = places_.emplace(b, static_cast<std::uint32_t>(memories_.size()));
    if (is_new) memories_.push_back(b);
    return known->second;
}

const Code* Compiled::code(Expr e) {
    if (codes_.size() > kMostCode) throw GivenUp{kTooManyTerms};
    Code c;
    c.op = e->op;
    c.type = e->type;
    if (is_whole(e->type)) {
        c.least = static_cast<std::int64_t>(std::max<Int128>(e->type.min_value(), kMin));
        c.most = static_cast<std::int64_t>(std::min<Int128>(e->type.max_value(), kMax));
    }
    switch (e->op) {
        case Op::IntImm:
            c.plain = e->int_value() <= kMax;
            c.value = e->bits;
            c.leaf = terms_.leaf(e);
            break;
        case Op::FloatImm: c.leaf = terms_.leaf(e); break;
        case Op::Undef: break;
        case Op::Var: {
            const auto found = variables_.find(e);
            c.bound = found != variables_.end();
            if (c.bound) {
                c.plain = found->second.plain;
                c.slot = found->second.slot;
            } else {
                c.leaf = terms_.leaf(e);
            }
            break;
        }
        case Op::Let: return let(e);
        case Op::CallExtern: throw GivenUp{"an opaque call"};
        default:
            for (Expr a : e->args) c.args.push_back(code(a));
            if (e->op == Op::Load) {
                c.memory = memory_of(e->buffer);
            } else {
                c.plain = is_whole(e->type) && computes(e->op) &&
                          std::all_of(c.args.begin(), c.args.end(),
                                      [](const Code* a) { return a->plain; });
                c.kind = terms_.kind(e);
            }
    }
    return &codes_.emplace_back(std::move(c));
}

const Code* Compiled::let(Expr e) {
    Code c;
    c.op = Op::Let;
    c.type = e->type;
    const Code* value = code(e->arg(0));
    const Scope var(*this, ctx_.var(*e->name, e->var_type), value->plain);
    c.slot = var.slot();
    c.args = {value, code(e->arg(1))};
    c.plain = c.args[1]->plain && value->plain;
    return &codes_.emplace_back(std::move(c));
}

const Action* Compiled::action(Stmt s) {
    Action a;
    a.stmt = s;
    std::visit([&](const auto& n) { fill(a, n); }, s->data);
    return &actions_.emplace_back(std::move(a));
}

void Compiled::fill(Action& a, const Store& n) {
    for (Expr index : n.indices) a.code.push_back(code(index));
    a.code.push_back(code(n.value));
    a.memory = memory_of(n.buffer);
}

void Compiled::fill(Action& a, const For& n) {
    a.code = {code(n.lo), code(n.hi)};
    a.concurrent = n.kind != ForKind::Serial && n.kind != ForKind::Unrolled;
    const Scope var(*this, n.var, true);
    a.slot = var.slot();
    a.body = {action(n.body)};
}

void Compiled::fill(Action& a, const IfElse& n) {
    a.code = {code(n.cond)};
    a.body = {action(n.then_body)};
    if (n.else_body != nullptr) a.body.push_back(action(n.else_body));
}

void Compiled::fill(Action& a, const Seq& n) {
    for (Stmt child : n.body) a.body.push_back(action(child));
}

void Compiled::fill(Action& a, const LetStmt& n) {
    a.code = {code(n.value)};
    const Scope var(*this, n.var, a.code[0]->plain);
    a.slot = var.slot();
    a.body = {action(n.body)};
}

void Compiled::fill(Action& a, const Allocate& n) {
    for (Expr extent : n.buffer->shape) a.code.push_back(code(extent));
    a.memory = memory_of(n.buffer);
    a.body = {action(n.body)};
}

void Compiled::fill(Action& a, const Assert& n) {
    a.code = {code(n.cond)};
}

void Compiled::fill(Action& a, const Assume& n) {
    a.code = {code(n.cond)};
}

void Compiled::fill(Action& a, const Evaluate& n) {
    a.code = {code(n.value)};
}

void Compiled::fill(Action& a, const Block& n) {
    a.code = {code(n.predicate)};
    std::vector<std::unique_ptr<Scope>> scopes;
    for (const BlockIter& it : n.iters) {
        a.iterators.push_back(
            {code(it.binding), code(it.lo), code(it.hi), 0, it.kind == IterKind::Reduce});
    }
    for (std::size_t k = 0; k < n.iters.size(); ++k) {
        scopes.push_back(std::make_unique<Scope>(*this, n.iters[k].var, true));
        a.iterators[k].slot = scopes.back()->slot();
    }
    for (const auto* regions : {&n.reads, &n.writes}) {
        if (!*regions) continue;
        for (const BufferRegion& r : **regions) {
            for (const auto& [lo, hi] : r.ranges) {
                for (Expr end : {lo, hi}) a.claims.emplace(end, code(end));
            }
        }
    }
    a.body = {action(n.body)};
    if (n.init != nullptr) a.body.push_back(action(n.init));
    while (!scopes.empty()) scopes.pop_back();
}

}  // namespace proviso::verify
