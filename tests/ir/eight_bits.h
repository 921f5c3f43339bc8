// Every result of an operator on an 8-bit type, and samples of operands: what the tests of the
// abstract domains compare with.
#pragma once

#include <vector>

#include "ir/domains/value.h"

namespace proviso::ir {

inline const std::vector<Op> kIntegerOps = {
    Op::Add,   Op::Sub,    Op::Mul, Op::FloorDiv, Op::FloorMod, Op::TruncDiv, Op::TruncMod,
    Op::Min,   Op::Max,    Op::Eq,  Op::Ne,       Op::Lt,       Op::Le,       Op::BitAnd,
    Op::BitOr, Op::BitXor, Op::Shl, Op::Shr,      Op::Same};

inline constexpr int kFault = 1 << 20;

// Results of an operator on every pair of values of an 8-bit type; kFault where it faults.
class Table {
  public:
    Table(Op op, ScalarType type) : lo_(static_cast<int>(type.min_value())), cells_(65536) {
        node_ = ctx_.make(op, {ctx_.var("a", type), ctx_.var("b", type)});
        for (int a = 0; a < 256; ++a) {
            for (int b = 0; b < 256; ++b) {
                const std::vector<Value> args = {Value::of_int(lo_ + a), Value::of_int(lo_ + b)};
                const Evaluated r = eval_op(*node_, args);
                cells_[static_cast<std::size_t>(a) * 256 + static_cast<std::size_t>(b)] =
                    r.ok() ? static_cast<int>(*r.value.integer().to_int128()) : kFault;
            }
        }
    }
    int at(int a, int b) const {
        const auto row = static_cast<std::size_t>(a - lo_);
        return cells_[row * 256 + static_cast<std::size_t>(b - lo_)];
    }
    const ExprNode& node() const { return *node_; }

  private:
    Context ctx_;
    Expr node_;
    int lo_;
    std::vector<int> cells_;
};

struct Span {
    int lo;
    int hi;
};

inline std::vector<Span> spans(ScalarType type) {
    const std::vector<int> ends =
        type.is_signed() ? std::vector<int>{-128, -127, -8, -3, -1, 0, 1, 2, 7, 8, 64, 126, 127}
                         : std::vector<int>{0, 1, 2, 3, 7, 8, 64, 127, 128, 200, 255};
    std::vector<Span> out;
    for (const int lo : ends) {
        for (const int hi : ends) {
            if (lo <= hi) out.push_back({lo, hi});
        }
    }
    return out;
}

}  // namespace proviso::ir
