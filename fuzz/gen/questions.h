// Questions for the simplifier: an expression over a few variables and a buffer, facts about them,
// and values that satisfy the facts. Unlike the expressions of ValueGen these may fault, wrap and
// be indeterminate: what the simplifier does there is the question.
#pragma once

#include <string>
#include <vector>

#include "fuzz/gen/choice.h"
#include "ir/context.h"
#include "ir/domains/evaluate.h"

namespace proviso::fuzz {

struct Question {
    ir::ScalarType kind;  // of most of the terms
    ir::Expr expr = nullptr;
    std::vector<ir::Expr> facts;
    std::vector<ir::Expr> vars;   // all that may occur, of numbers and of truth values
    ir::Buffer buffer = nullptr;  // one dimension, kCells cells of `kind`; may occur
    bool small = false;           // one variable of an 8-bit type: it can be tried out
};

inline constexpr int kCells = 6;

// Any operator on any scalar kind, more often the shapes that index arithmetic has.
Question generate_question(ir::Context& ctx, Choice& choice);

// Values for the variables and the cells, in the ranges that facts give more often than not.
// Whether they satisfy the facts is for the caller to see.
class Sampler {
  public:
    Sampler(const Question& q, std::uint64_t seed);

    // The next sample. The environment's callbacks refer to this sampler.
    const ir::Environment& next();
    // The same with the one variable of a small question set to a value.
    const ir::Environment& with(ir::Int128 value);
    std::string str() const;  // "a = 3, A[1] = indet"

  private:
    ir::Value value_of(ir::Expr var);

    const Question& q_;
    Choice choice_;
    ir::Environment env_;
    std::vector<ir::Value> cells_;
};

}  // namespace proviso::fuzz
