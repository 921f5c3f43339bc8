#include "rewrite/simplify/computing.h"

#include <algorithm>
#include <vector>

#include "rewrite/simplify/id_map.h"

namespace proviso::rewrite {

using ir::Expr;
using ir::Op;

namespace {

// The operands that must be definite, or `e` faults: surely, or for some values of the others. An
// indeterminate dividend is a fault only where the divisor is -1.
enum class Need : bool { Surely, Perhaps };
void needed_operands(Expr e, Need need, std::vector<Expr>& out) {
    switch (e->op) {
        case Op::Add:
        case Op::Sub:
        case Op::Mul:
        case Op::Neg:
        case Op::Math:
            if (!e->type.is_exact_int()) return;
            out.insert(out.end(), e->args.begin(), e->args.end());
            return;
        case Op::Shl:
            if (e->type.is_exact_int()) out.push_back(e->arg(0));
            out.push_back(e->arg(1));
            return;
        case Op::Shr: out.push_back(e->arg(1)); return;
        case Op::FloorDiv:
        case Op::FloorMod:
        case Op::TruncDiv:
        case Op::TruncMod: {
            Expr divisor = e->arg(1);
            out.push_back(divisor);
            const bool by_minus_1 =
                ir::is_int_const(divisor) ? divisor->int_value() == -1 : need == Need::Perhaps;
            if (e->type.is_signed() && by_minus_1) out.push_back(e->arg(0));
            return;
        }
        case Op::Cast:
            if (e->arg(0)->type.is_float() && e->type.is_int()) out.push_back(e->arg(0));
            return;
        case Op::And:
        case Op::Or:
        case Op::IfThenElse: out.push_back(e->arg(0)); return;
        case Op::Load:
        case Op::CallExtern: out.insert(out.end(), e->args.begin(), e->args.end()); return;
        default: return;
    }
}

// Operators whose result is definite where all of their operands are, and only there.
bool is_strict(Op op) {
    switch (op) {
        case Op::Select:
        case Op::IfThenElse:
        case Op::And:
        case Op::Or:
        case Op::Let:
        case Op::Load:
        case Op::Undef:
        case Op::CallExtern:
        case Op::Defined: return false;
        default: return true;
    }
}

// How many of the arguments are evaluated wherever the node is.
std::size_t always_evaluated(Expr e) {
    switch (e->op) {
        case Op::And:
        case Op::Or:
        case Op::IfThenElse:
        case Op::Let: return 1;
        default: return e->args.size();
    }
}

template <typename Count>
std::vector<Expr> every_node(Expr root, IdMap<bool>& seen, const Count& arguments) {
    std::vector<Expr> out;
    std::vector<Expr> open{root};
    while (!open.empty()) {
        Expr e = open.back();
        open.pop_back();
        if (seen.find(e) != nullptr) continue;
        seen.put(e, true);
        out.push_back(e);
        for (std::size_t i = 0; i < arguments(e); ++i) open.push_back(e->arg(i));
    }
    return out;
}

// Variables and literals are in range, and no fault.
bool is_plain_leaf(Expr e) {
    return e->op == Op::Var || ir::is_const(e);
}

// On definite operands: sums are observed by others, the rest observes its operands.
bool faults_nowhere(Expr e) {
    const bool plain = std::all_of(e->args.begin(), e->args.end(), is_plain_leaf);
    switch (e->op) {
        case Op::Add:
        case Op::Sub:
        case Op::Mul:
        case Op::Neg:
        case Op::Not:
        case Op::And:
        case Op::Or:
        case Op::Select: return true;
        case Op::Lt:
        case Op::Le:
        case Op::Eq:
        case Op::Ne:
        case Op::Min:
        case Op::Max: return plain;
        case Op::FloorDiv:
        case Op::FloorMod:
            return plain && ir::is_int_const(e->arg(1)) && e->arg(1)->int_value() > 0;
        default: return false;
    }
}

class Known {
  public:
    explicit Known(Expr before) {
        every_node(before, everywhere_, [](Expr e) { return e->args.size(); });
        IdMap<bool> seen;
        std::vector<Expr> needed;
        for (Expr e : every_node(before, seen, always_evaluated)) {
            needed_operands(e, Need::Surely, needed);
        }
        while (!needed.empty()) {
            Expr e = needed.back();
            needed.pop_back();
            if (definite_.find(e) != nullptr) continue;
            definite_.put(e, true);
            if (is_strict(e->op)) needed.insert(needed.end(), e->args.begin(), e->args.end());
            if (e->op == Op::Select || e->op == Op::Let) needed.push_back(e->arg(0));
        }
    }

    bool covers(Expr after) {
        IdMap<bool> seen;
        std::vector<Expr> needed;
        for (Expr e : every_node(after, seen, [](Expr n) { return n->args.size(); })) {
            if (everywhere_.find(e) == nullptr) needed_operands(e, Need::Perhaps, needed);
        }
        // An operand is definite where all that it is made of is.
        while (!needed.empty()) {
            Expr e = needed.back();
            needed.pop_back();
            if (definite_.find(e) != nullptr) continue;
            if (e->op == Op::Load || e->op == Op::Undef || e->op == Op::Let) return false;
            definite_.put(e, true);
            if (e->op != Op::CallExtern)
                needed.insert(needed.end(), e->args.begin(), e->args.end());
        }
        return true;
    }

  private:
    IdMap<bool> everywhere_;  // nodes of `before`
    IdMap<bool> definite_;
};

}  // namespace

bool computes_with_more(Expr before, Expr after) {
    return !Known(before).covers(after);
}

bool evaluates_no_more(Expr before, Expr after) {
    IdMap<bool> evaluated;
    every_node(before, evaluated, always_evaluated);
    std::vector<Expr> open{after};
    while (!open.empty()) {
        Expr e = open.back();
        open.pop_back();
        if (is_plain_leaf(e) || evaluated.find(e) != nullptr) continue;
        if (!faults_nowhere(e)) return false;
        open.insert(open.end(), e->args.begin(), e->args.end());
    }
    return true;
}

}  // namespace proviso::rewrite
