#include "analysis/smt/bit_vectors.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "ir/children.h"

namespace proviso::analysis::smt {

using ir::Expr;
using ir::Int128;
using ir::Op;

namespace {

constexpr int kWidest = 256;

int bits_of(Int128 v) {
    int bits = 1;
    for (; v > 0 || v < -1; v /= 2) ++bits;
    return bits + 1;  // one to spare: -3 / 2 is -1
}

// k where v = 2^k, or -1.
int exponent_of(Int128 v) {
    if (v <= 0 || (v & (v - 1)) != 0) return -1;
    int k = 0;
    for (; v > 1; v /= 2) ++k;
    return k;
}

class Writer {
  public:
    explicit Writer(Undefined undefined) : undefined_(undefined) {}

    // How many bits the values of `e` and of everything in it take; 0 where there is no saying.
    int width(Expr e) {
        const auto found = widths_.find(e);
        if (found != widths_.end()) return found->second;
        int all = 1;
        bool known = true;
        std::vector<int> of;
        if (!is_unknown(e)) {
            for (Expr a : e->args) {
                of.push_back(width(a));
                known = known && of.back() != 0;
                all = std::max(all, of.back());
            }
        }
        const int own = known ? own_width(e, of, all) : 0;
        widths_[e] = own;
        return own;
    }
    void make_room(Expr e) {
        widest_ = std::max(widest_, widths_.at(e));
        if (is_unknown(e) || !seen_.insert(e).second) return;
        for (Expr a : e->args) make_room(a);
    }
    int widest() const { return widest_; }

    // What is used again has a name.
    std::string text(Expr e) {
        const auto found = texts_.find(e);
        if (found != texts_.end()) return found->second;
        std::string out = write(e);
        if (out.size() > 24) {
            const std::string name = fmt::format("t{}", named_++);
            lines_ += fmt::format("(define-fun {} () {} {})\n", name, sort(e->type, widest_), out);
            out = name;
        }
        texts_[e] = out;
        return out;
    }

    const std::string& lines() const { return lines_; }

  private:
    // A variable, or what may be anything: a cell, whether it is definite.
    static bool is_unknown(Expr e) {
        return e->op == Op::Var || e->op == Op::Load || e->op == Op::Defined;
    }

    bool is_defined(Expr e) const {
        if (undefined_ == Undefined::AnyValue) return true;
        if (!ir::is_int_const(e->arg(1))) return false;
        const Int128 by = e->arg(1)->int_value();
        const bool shift = e->op == Op::Shl || e->op == Op::Shr;
        return shift ? by >= 0 && by < e->type.bits : by != 0;
    }

    int own_width(Expr e, const std::vector<int>& of, int all) const {
        const bool integer = e->type.is_exact_int();
        if (!integer && !e->type.is_bool()) return 0;
        if (is_unknown(e)) return integer ? e->type.bits : 1;
        switch (e->op) {
            case Op::IntImm: return integer ? bits_of(e->int_value()) : 1;
            case Op::Not:
            case Op::And:
            case Op::Or: return 1;
            case Op::Same:
            case Op::Eq:
            case Op::Ne: return 1;  // of integers or of truth values
            case Op::Lt:
            case Op::Le: return e->arg(0)->type.is_exact_int() ? 1 : 0;
            case Op::Neg:
            case Op::Add:
            case Op::Sub: return all + 1;
            case Op::Mul: return of[0] + of[1];
            case Op::Min:
            case Op::Max: return integer ? all : 0;
            case Op::Select:
            case Op::IfThenElse: return all;
            case Op::Cast: {
                const bool exact = integer && e->arg(0)->type.is_exact_int();
                return exact ? std::max(all, static_cast<int>(e->type.bits)) : 0;
            }
            case Op::BitAnd:
            case Op::BitOr:
            case Op::BitXor: return std::max(all, static_cast<int>(e->type.bits));
            case Op::Shl: return is_defined(e) ? of[0] + e->type.bits : 0;
            case Op::Shr: return is_defined(e) ? all : 0;
            case Op::FloorDiv:
            case Op::FloorMod:
            case Op::TruncDiv:
            case Op::TruncMod: return is_defined(e) ? all + 2 : 0;
            case Op::FloatImm:
            case Op::Var:
            case Op::Undef:
            case Op::Div:
            case Op::Let:
            case Op::Load:
            case Op::Math:
            case Op::CallExtern:
            case Op::Defined: break;
        }
        return 0;
    }

    static std::string sort(ir::ScalarType type, int bits) {
        return type.is_bool() ? "Bool" : fmt::format("(_ BitVec {})", bits);
    }

    std::string write(Expr e) {
        if (is_unknown(e)) return unknown(e);
        switch (e->op) {
            case Op::IntImm:
                if (e->type.is_bool()) return ir::is_true(e) ? "true" : "false";
                return number(e->int_value());
            case Op::Not: return fmt::format("(not {})", text(e->arg(0)));
            case Op::Neg: return fmt::format("(bvneg {})", text(e->arg(0)));
            case Op::Same:
            case Op::Eq: return two("=", e);
            case Op::Ne: return fmt::format("(not {})", two("=", e));
            case Op::Lt: return two("bvslt", e);
            case Op::Le: return two("bvsle", e);
            case Op::And: return two("and", e);
            case Op::Or: return two("or", e);
            case Op::Add: return two("bvadd", e);
            case Op::Sub: return two("bvsub", e);
            case Op::Mul: return two("bvmul", e);
            case Op::Min: return less(e->arg(1), e->arg(0), e->arg(1), e->arg(0));
            case Op::Max: return less(e->arg(0), e->arg(1), e->arg(1), e->arg(0));
            case Op::BitAnd: return of_bits("bvand", e);
            case Op::BitOr: return of_bits("bvor", e);
            case Op::BitXor: return of_bits("bvxor", e);
            case Op::Shl: return two("bvshl", e);
            case Op::Shr: return two("bvashr", e);
            case Op::TruncDiv: return two("bvsdiv", e);
            case Op::TruncMod: return two("bvsrem", e);
            case Op::FloorDiv: return floordiv(e);
            case Op::FloorMod: return floormod(e);
            case Op::Cast: return low_bits(text(e->arg(0)), e->type.bits);
            case Op::Select:
            case Op::IfThenElse: break;
            case Op::FloatImm:
            case Op::Var:
            case Op::Undef:
            case Op::Div:
            case Op::Let:
            case Op::Load:
            case Op::Math:
            case Op::CallExtern:
            case Op::Defined: PROVISO_CHECK(false, "an operator without a width is written");
        }
        const std::string c = text(e->arg(0));
        const std::string yes = text(e->arg(1));
        return fmt::format("(ite {} {} {})", c, yes, text(e->arg(2)));
    }

    std::string number(Int128 v) const {
        const bool negative = v < 0;
        std::string digits;
        for (Int128 rest = negative ? -v : v; rest > 0; rest /= 10) {
            digits.insert(digits.begin(), static_cast<char>('0' + static_cast<int>(rest % 10)));
        }
        const std::string size = fmt::format("(_ bv{} {})", digits.empty() ? "0" : digits, widest_);
        return negative ? fmt::format("(bvneg {})", size) : size;
    }

    std::string unknown(Expr e) {
        const std::string name = fmt::format("v{}", unknowns_++);
        lines_ += fmt::format("(declare-const {} {})\n", name, sort(e->type, e->type.bits));
        if (e->type.is_bool()) return name;
        return fmt::format("((_ sign_extend {}) {})", widest_ - e->type.bits, name);
    }

    std::string two(const char* f, Expr e) {
        const std::string a = text(e->arg(0));
        return fmt::format("({} {} {})", f, a, text(e->arg(1)));
    }

    // a < b ? yes : no
    std::string less(Expr a, Expr b, Expr yes, Expr no) {
        const std::string x = text(a);
        const std::string y = text(b);
        return fmt::format("(ite (bvslt {} {}) {} {})", x, y, text(yes), text(no));
    }

    std::string low_bits(const std::string& x, int n) const {
        return fmt::format("((_ sign_extend {}) ((_ extract {} 0) {}))", widest_ - n, n - 1, x);
    }

    // Of operands that are not in their type's range, the low bits, as everywhere.
    std::string of_bits(const char* f, Expr e) { return low_bits(two(f, e), e->type.bits); }

    std::string floordiv(Expr e) {
        const Expr by = e->arg(1);
        const int k = by->op == Op::IntImm ? exponent_of(by->int_value()) : -1;
        const std::string x = text(e->arg(0));
        if (k >= 0) return fmt::format("(bvashr {} {})", x, number(k));
        return fmt::format("(bvsdiv (bvsub {0} (bvsmod {0} {1})) {1})", x, text(by));
    }

    std::string floormod(Expr e) {
        const Expr by = e->arg(1);
        const int k = by->op == Op::IntImm ? exponent_of(by->int_value()) : -1;
        if (k < 0) return two("bvsmod", e);
        return fmt::format("(bvand {} {})", text(e->arg(0)), number((Int128{1} << k) - 1));
    }

    Undefined undefined_;
    int widest_ = 1;
    std::unordered_map<Expr, int> widths_;
    std::unordered_set<Expr> seen_;
    std::unordered_map<Expr, std::string> texts_;
    std::string lines_;
    int unknowns_ = 0;
    int named_ = 0;
};

}  // namespace

std::optional<std::string> as_bit_vectors(const Obligation& claim, Undefined undefined) {
    if (!claim.unbounded.empty()) return std::nullopt;
    Writer writer(undefined);
    if (writer.width(claim.goal) == 0) return std::nullopt;
    std::vector<Expr> facts;
    for (Expr f : claim.facts) {
        if (writer.width(f) != 0) facts.push_back(f);
    }
    writer.make_room(claim.goal);
    for (Expr f : facts) writer.make_room(f);
    if (writer.widest() > kWidest) return std::nullopt;
    std::string asserted;
    for (Expr f : facts) asserted += fmt::format("(assert {})\n", writer.text(f));
    asserted += fmt::format("(assert (not {}))\n", writer.text(claim.goal));
    return "(set-logic QF_BV)\n" + writer.lines() + asserted + "(check-sat)\n";
}

}  // namespace proviso::analysis::smt
