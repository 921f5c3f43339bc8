// Arguments of the calls in a schedule's text, once they are computed (values.h): blocks and loops,
// lists of them, numbers, options.
// Every function throws ir::Failure on a mistake in the text.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ir/result.h"
#include "ir/text/reader/python/python.h"
#include "rewrite/passes/passes.h"
#include "rewrite/schedule/loop_copies.h"

namespace proviso::rewrite {

// The call that has copied a loop.
struct Copied {
    std::string call;          // "sch.fission in line 3"
    bool gives_loops = false;  // the copies
};

// What a schedule variable holds.
struct Handle {
    enum class Kind : std::uint8_t { Block, Loop } kind;
    std::string name;
    // Of a loop that calls have made several of: these, and the last such call.
    std::vector<std::string> copies = {};
    Copied by = {};
};
using Handles = std::vector<Handle>;  // one handle, or the elements of a list

// That a loop has become several; which of them there are in `f`, and how to get one.
Diagnostic means_several(const ir::Function& f, const Handle& loop);

class Arguments {
  public:
    using Node = ir::python::Node;

    explicit Arguments(const ir::python::Module& module) : module_(module) {}

    [[noreturn]] void wrong(const Node& node, std::string message, std::string hint = {}) const;

    // A value that stands for the block or loop, whatever becomes of it; and the blocks or loops
    // that a value stands for, one or a list of them.
    Node value_of(Handle handle, ir::python::Position at);
    Handles evaluate(const Node& value) const;

    const Node& need(const Node& call, std::size_t position, const std::string& keyword) const;
    // A string; `what` says what it names.
    const std::string& text(const Node& node, const std::string& what) const;
    // One block, by name or handle; one loop, by handle.
    std::string block(const Node& node) const;
    Handle loop(const Node& node) const;
    // A block, by name or handle, or a loop.
    Handle target(const Node& node) const;
    // The argument `block`, which may stand at `position`; empty, and the whole function is meant,
    // without it or where it is None.
    std::string block_or_all(const Node& call, std::size_t position = 0) const;
    // All arguments of the call, which are loops.
    Handles loops(const Node& call) const;
    // A block has another name now.
    void rename(const std::string& block, const std::string& now);
    // Handles from before a call that has copied loops mean what these have become.
    void follow(const LoopCopies& copies, const Copied& by);
    std::int64_t integer(const Node& node) const;
    bool boolean(const Node* node) const;  // False where there is none
    // One of two strings, the first where there is none: whether it is the second.
    bool second_of(const Node* node, const std::string& first, const std::string& second) const;
    // [None, 32]: absent is open.
    std::vector<std::optional<std::int64_t>> factors(const Node& list) const;
    // Options of a list that are on, all of them where there is no list; they are among `known`.
    std::vector<std::string> options(const Node* list, const std::vector<std::string>& known) const;

    // A storage scope. Scopes are free names, but one that is nearly a usual one is a slip.
    std::string scope(const Node& node) const;
    const std::string& thread_axis(const Node& node) const;  // "threadIdx.x"

  private:
    Handle one(const Node& node, Handle::Kind kind) const;

    const ir::python::Module& module_;
    std::vector<Handle> handles_;  // by the numbers that values have
};

// The lists `conditionals` and `let_bindings` of hoist_expression.
HoistOptions hoist_options(const Arguments& in, const ir::python::Node& call);

}  // namespace proviso::rewrite
