// A program at concrete sizes, made ready to be run on numbers of terms: variables have slots,
// buffers have places, and integers that no cell decides are computed as such.
#pragma once

#include <cstdint>
#include <deque>
#include <unordered_map>
#include <utility>
#include <vector>

#include "ir/function.h"
#include "verify/harness/contract.h"
#include "verify/tv/numbering/terms.h"

namespace proviso::verify {

struct Code {
    ir::Op op = ir::Op::Undef;
    ir::ScalarType type;
    // An integer or bool of variables that are: computed, within [least, most], or given up.
    bool plain = false;
    bool bound = false;  // Var: has a slot
    std::int64_t least = 0;
    std::int64_t most = 0;
    std::int64_t value = 0;    // a plain constant
    std::uint32_t slot = 0;    // Var; Let: of the variable
    std::uint32_t kind = 0;    // of the term
    std::uint32_t memory = 0;  // Load
    TermId leaf = 0;           // a constant or a symbol
    std::vector<const Code*> args;
};

struct Action {
    struct Iterator {
        const Code* binding;
        const Code* lo;
        const Code* hi;
        std::uint32_t slot;
        bool reduces;
    };
    const ir::StmtNode* stmt = nullptr;  // nullptr: the empty list
    std::vector<const Code*> code;       // as the statement has them: indices, then the value
    std::vector<const Action*> body;     // `init`, if any, is the last
    std::uint32_t slot = 0;              // of the variable
    std::uint32_t memory = 0;            // of the buffer
    bool concurrent = false;
    std::vector<Iterator> iterators;
    std::unordered_map<ir::Expr, const Code*> claims;  // ends of regions
};

class Compiled {
  public:
    // Throws GivenUp at a form that has no code here.
    Compiled(ir::Context& ctx, Terms& terms, const ir::Function& f, const Sizes& sizes);

    const Action& body() const { return *body_; }
    const std::vector<ir::Buffer>& memories() const { return memories_; }  // parameters first
    std::size_t slots() const { return slots_; }
    // Of plain variables that have a value from the start.
    const std::vector<std::pair<std::uint32_t, std::int64_t>>& given() const { return given_; }

  private:
    struct Variable {
        std::uint32_t slot;
        bool plain;
    };
    // Binds the variable for what is compiled until the end of its life.
    class Scope;

    const Code* code(ir::Expr e);
    const Code* leaf(Code c, ir::Expr e);
    const Code* let(ir::Expr e);
    const Action* action(ir::Stmt s);
    void fill(Action& a, const ir::Store& n);
    void fill(Action& a, const ir::For& n);
    void fill(Action& a, const ir::IfElse& n);
    void fill(Action& a, const ir::Seq& n);
    void fill(Action& a, const ir::LetStmt& n);
    void fill(Action& a, const ir::Allocate& n);
    void fill(Action& a, const ir::Assert& n);
    void fill(Action& a, const ir::Assume& n);
    void fill(Action& a, const ir::Evaluate& n);
    void fill(Action& a, const ir::Block& n);
    std::uint32_t memory_of(ir::Buffer b);

    ir::Context& ctx_;
    Terms& terms_;
    std::deque<Code> codes_;
    std::deque<Action> actions_;
    std::unordered_map<ir::Expr, Variable> variables_;
    std::unordered_map<ir::Buffer, std::uint32_t> places_;
    std::vector<ir::Buffer> memories_;
    std::vector<std::pair<std::uint32_t, std::int64_t>> given_;
    std::size_t slots_ = 0;
    const Action* body_ = nullptr;
};

}  // namespace proviso::verify
