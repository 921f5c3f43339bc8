#include "ir/domains/evaluate.h"

namespace proviso::ir {

namespace {

class TreeMachine : public ValueMachine {
  public:
    explicit TreeMachine(const Environment& environment)
        : environment_(environment), chooser_(environment.seed) {}

    const Value& variable(Node n) const {
        // Innermost let first; a let's variable is known by name and type.
        for (auto it = lets_.rbegin(); it != lets_.rend(); ++it) {
            if (it->first->name == n->name && it->first->var_type == n->type) return it->second;
        }
        const auto found = environment_.vars.find(n);
        PROVISO_CHECK(found != environment_.vars.end(), "evaluate: no value for " + *n->name);
        return found->second;
    }
    Value bind(Node n, Value value) {
        lets_.emplace_back(n, std::move(value));
        return {};
    }
    void unbind(Node, const Value&) { lets_.pop_back(); }

    Evaluated load(Node n, std::span<const Value> indices) const {
        return environment_.load ? environment_.load(n, indices) : FaultKind::UnsupportedCall;
    }
    Evaluated call(Node n, std::span<const Value> args) const {
        return environment_.call ? environment_.call(n, args) : FaultKind::UnsupportedCall;
    }
    Value freeze(ScalarType type) { return chooser_.choose(type); }
    bool step() { return steps_++ < environment_.step_limit; }
    void fault(Node n, FaultKind kind, std::span<const Value> args) {
        fault_ = Fault{kind, describe_fault(*n, kind, args), {}, {}};
    }
    std::optional<Fault> take_fault() { return std::move(fault_); }

  private:
    const Environment& environment_;
    Chooser chooser_;
    std::vector<std::pair<Expr, Value>> lets_;
    std::uint64_t steps_ = 0;
    std::optional<Fault> fault_;
};

}  // namespace

Evaluation evaluate(Expr e, const Environment& environment) {
    TreeMachine machine(environment);
    Evaluated out = evaluate_node(machine, e);
    return Evaluation{std::move(out.value), machine.take_fault()};
}

}  // namespace proviso::ir
