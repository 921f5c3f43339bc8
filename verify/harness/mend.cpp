#include "verify/harness/mend.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "ir/interp/machine.h"
#include "ir/interp/mending.h"
#include "ir/well_formed.h"
#include "verify/harness/compare.h"

namespace proviso::verify {

using namespace ir;

namespace {

constexpr std::size_t kNowhere = SIZE_MAX;
constexpr int kPasses = 3;               // what mends one assumption may break another
constexpr std::size_t kMostNodes = 200;  // of an assumption that are looked at
constexpr std::size_t kMostChanges = 1 << 16;
constexpr std::int64_t kInts[] = {0, 1, 2, 3, -1, 5, 7};
constexpr double kFloats[] = {0.0, -0.0, 1.0, -1.0, 0.5, 1.5, -2.0, 3.0};

// A parameter whose cells may be changed.
struct Changeable {
    std::string name;
    bool finite = false;               // a licence says so
    std::vector<std::size_t> logical;  // by physical offset; kNowhere: padding
};

struct Change {
    std::string buffer;
    std::size_t offset;  // logical
    Value value;
};

// Mends the assumptions of one run.
class Mending {
  public:
    Mending(const std::map<Slot, Changeable>& parameters, std::uint64_t seed)
        : parameters_(parameters), chooser_(seed * 0x9e3779b97f4a7c15ULL + 3) {}

    bool operator()(Machine& machine, StmtId at) {
        m_ = &machine;
        at_ = at;
        root_ = machine.program().stmts[at].exprs[0];
        return changes_.size() < kMostChanges && make(root_, true);
    }
    const std::vector<Change>& changes() const { return changes_; }

  private:
    struct Cell {
        Slot slot;
        std::size_t offset;  // physical
        const Changeable* parameter;
    };

    // The condition gets this truth value, as far as that can be told of it alone.
    bool make(NodeId n, bool wanted) {
        const ExprNode& e = m_->expr(n);
        if (is_read_permission(&e)) return wanted;
        if (e.op == Op::Not) return make(m_->arg(n, 0), !wanted);
        if (e.op != Op::And && e.op != Op::Or) return make_leaf(n, wanted);
        const bool both = (e.op == Op::And) == wanted;
        if (both) return make(m_->arg(n, 0), wanted) && make(m_->arg(n, 1), wanted);
        const std::size_t first = chooser_.next() % 2;
        return make(m_->arg(n, first), wanted) || make(m_->arg(n, 1 - first), wanted);
    }

    bool is(NodeId n, bool wanted) {
        const Evaluated now = m_->evaluate(n);
        return now.ok() && !now.value.is_indet() && now.value.truth() == wanted;
    }

    bool make_leaf(NodeId n, bool wanted) {
        if (is(n, wanted)) return true;
        std::vector<NodeId> nodes;
        collect(n, nodes);
        for (const NodeId load : nodes) {
            if (m_->expr(load).op != Op::Load) continue;
            const std::optional<Cell> cell = cell_of(load);
            if (cell && change(*cell, n, wanted)) return true;
        }
        return false;
    }

    // Nodes that can be evaluated on their own: nothing below a let.
    void collect(NodeId n, std::vector<NodeId>& out) {
        const ExprNode& e = m_->expr(n);
        const bool known = std::find(out.begin(), out.end(), n) != out.end();
        if (known || out.size() >= kMostNodes || e.op == Op::Let) return;
        out.push_back(n);
        for (std::size_t i = 0; i < e.args.size(); ++i) collect(m_->arg(n, i), out);
    }

    std::optional<Cell> cell_of(NodeId load) {
        const Slot slot = m_->program().exprs[load].slot;
        const auto parameter = parameters_.find(slot);
        if (parameter == parameters_.end()) return std::nullopt;
        std::vector<std::int64_t> at;
        for (std::size_t i = 0; i < m_->expr(load).args.size(); ++i) {
            const Evaluated index = m_->evaluate(m_->arg(load, i));
            if (!index.ok() || !index.value.is_int() || !index.value.integer().in_range(kInt64)) {
                return std::nullopt;
            }
            at.push_back(m_->word(index.value).index());
        }
        const Tensor& t = m_->tensor(slot);
        const std::optional<std::size_t> offset = t.offset(at);
        const std::vector<std::size_t>& logical = parameter->second.logical;
        const bool open = offset && t.states[*offset] != CellState::Inaccessible &&
                          *offset < logical.size() && logical[*offset] != kNowhere;
        return open ? std::optional<Cell>(Cell{slot, *offset, &parameter->second}) : std::nullopt;
    }

    // A value of the cell with which all that is assumed holds; or else the condition at least.
    bool change(const Cell& cell, NodeId n, bool wanted) {
        const Tensor& t = m_->tensor(cell.slot);
        const CellState state = t.states[cell.offset];
        const std::uint64_t bits = t.bits[cell.offset];
        std::optional<Value> enough;
        const std::vector<Value> values = candidates(t.type, cell.parameter->finite);
        const std::size_t start = values.empty() ? 0 : chooser_.next() % values.size();
        for (std::size_t k = 0; k < values.size(); ++k) {
            const Value& v = values[(start + k) % values.size()];
            m_->tensor(cell.slot).set(cell.offset, v);
            if (!is(n, wanted)) continue;
            if (m_->eval_assume(at_).ok()) {
                note(cell, v);
                return true;
            }
            if (!enough) enough = v;
        }
        if (enough) {
            m_->tensor(cell.slot).set(cell.offset, *enough);
            note(cell, *enough);
            return true;
        }
        m_->tensor(cell.slot).states[cell.offset] = state;
        m_->tensor(cell.slot).bits[cell.offset] = bits;
        return false;
    }

    void note(const Cell& cell, const Value& v) {
        changes_.push_back({cell.parameter->name, cell.parameter->logical[cell.offset], v});
    }

    // What terms of the assumption are now, values beside and between those, and a few others.
    std::vector<Value> candidates(ScalarType type, bool finite) {
        std::vector<NodeId> nodes;
        collect(root_, nodes);
        std::vector<Value> out;
        const auto add = [&](const Value& v) {
            if (finite && v.is_float() && !std::isfinite(v.real())) return;
            if (std::find(out.begin(), out.end(), v) == out.end()) out.push_back(v);
        };
        std::optional<Value> last;
        for (const NodeId n : nodes) {
            if (m_->expr(n).type != type) continue;
            const Evaluated term = m_->evaluate(n);
            if (!term.ok() || term.value.is_indet()) continue;
            near(type, term.value, last, add);
            last = term.value;
        }
        if (type.is_bool()) {
            add(Value::of_bool(false));
            add(Value::of_bool(true));
        } else if (type.is_float()) {
            for (const double x : kFloats) add(Value::of_float(type, x));
        } else {
            for (const std::int64_t x : kInts) add(Value::of_int(Integer(x).wrap(type)));
        }
        return out;
    }

    template <typename Add>
    static void near(ScalarType type, const Value& v, const std::optional<Value>& other,
                     const Add& add) {
        if (type.is_bool()) return add(v);
        if (type.is_float()) {
            const double x = v.real();
            add(v);
            if (x == 0.0) add(Value::of_float(-x));
            add(Value::of_float(type, x + 1.0));
            add(Value::of_float(type, x - 1.0));
            if (other) add(Value::of_float(type, (x + other->real()) / 2));
            return;
        }
        for (const int step : {0, 1, -1}) {
            const Integer x = v.integer() + Integer(step);
            if (x.in_range(type)) add(Value::of_int(x));
        }
    }

    const std::map<Slot, Changeable>& parameters_;
    Chooser chooser_;
    Machine* m_ = nullptr;
    StmtId at_ = 0;
    NodeId root_ = 0;
    std::vector<Change> changes_;
};

bool assumes_of_memory(const Function& f) {
    bool found = false;
    for_each_stmt(f.body, [&](Stmt s) {
        const Assume* n = s->as<Assume>();
        found = found || (n != nullptr && has_op(n->cond, Op::Load));
    });
    return found;
}

// Where the cells of the caller's tensor are.
std::vector<std::size_t> logical_offsets(const ConcreteParameter& p) {
    std::vector<std::size_t> out(cell_count(p.physical), kNowhere);
    const std::size_t cells = cell_count(p.logical);
    for (std::size_t x = 0; x < cells; ++x) {
        std::size_t at = x;
        for (const ConcreteLayout& layout : p.layouts) at = layout.image[at];
        out[at] = x;
    }
    return out;
}

}  // namespace

struct InputMender::Impl {
    Context& ctx;
    Function function;
    Program program;

    std::optional<std::map<Slot, Changeable>> parameters(const Inputs& logical) const {
        const auto all = concrete_parameters(ctx, function, sizes_of(ctx, function, logical));
        if (!all) return std::nullopt;
        std::map<Slot, Changeable> out;
        for (const ConcreteParameter& p : *all) {
            const std::string& name = p.buffer->name;
            const auto code = std::find_if(program.params.begin(), program.params.end(),
                                           [&](const ParamCode& c) { return c.name == name; });
            if (code == program.params.end()) return std::nullopt;
            out[code->slot] =
                Changeable{name, function.has_licence("finite(" + name + ")"), logical_offsets(p)};
        }
        return out;
    }
};

InputMender::InputMender(Context& ctx, const Function& f) {
    if (!assumes_of_memory(f)) return;
    Result<Program> program = prepare(f);
    if (program) impl_.reset(new Impl{ctx, f, std::move(*program)});
}
InputMender::~InputMender() = default;
InputMender::InputMender(InputMender&&) noexcept = default;
InputMender& InputMender::operator=(InputMender&&) noexcept = default;

bool InputMender::mend(Inputs& logical, std::uint64_t seed, std::uint64_t step_limit) const {
    if (impl_ == nullptr) return false;
    const auto parameters = impl_->parameters(logical);
    if (!parameters) return false;
    InterpOptions options;
    options.step_limit = step_limit;
    options.seed = seed;
    options.detect_races = false;
    CompareOptions packing;
    packing.seed = seed;
    bool changed = false;
    for (int pass = 0; pass < kPasses; ++pass) {
        const Result<Inputs> physical =
            physical_inputs(impl_->ctx, impl_->function, logical, packing);
        if (!physical) return changed;
        Mending mending(*parameters, seed + static_cast<std::uint64_t>(pass));
        const Mender mender = [&](Machine& m, StmtId at) { return mending(m, at); };
        const Result<Outcome> ended = run_mending(impl_->program, *physical, options, mender);
        if (!ended || mending.changes().empty()) return changed;
        for (const Change& c : mending.changes()) {
            std::get<Tensor>(logical.at(c.buffer)).set(c.offset, c.value);
        }
        changed = true;
    }
    return changed;
}

}  // namespace proviso::verify
