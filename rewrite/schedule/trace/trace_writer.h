// The calls of a schedule that were accepted, as a trace of TVM's form (trace_kinds.h): what
// read_trace reads makes the same calls.
#pragma once

#include <functional>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "ir/text/reader/python/python.h"
#include "rewrite/schedule/reader/signatures.h"
#include "rewrite/schedule/trace/trace_kinds.h"

namespace proviso::rewrite {

class TraceWriter {
  public:
    using Node = ir::python::Node;
    // The number of a call's buffer among those that the block reads, or writes (true). Absent: it
    // is none of them.
    using Buffers = std::function<std::optional<std::size_t>(const Node& buffer, bool written)>;

    // The loops that the following calls are inside of, outermost first.
    void inside(const std::vector<Node>& loops);
    // A call that is about to be made, with its arguments computed.
    void begin(const Signature& known, const Node& call, const Buffers& buffers);
    // It was accepted, and gave these blocks or loops.
    void end(const std::vector<Node>& given, bool loops);
    // Of get_loops: so many of them are around the block `outer` that the block stands in. TVM
    // gives those of each block by itself.
    void around(const std::string& outer, const std::vector<Node>& given);
    // What another value stands for already (sch.get).
    void same(const Node& handle, const Node& given);

    // The trace, an instruction a line.
    std::string text() const;
    // The first call that no instruction can say; empty: every one is said.
    const std::string& unsaid() const { return unsaid_; }

  private:
    using json = nlohmann::json;

    void input(json& inputs, const TraceSlot& slot, const Node* given);
    void attribute(json& attributes, const TraceSlot& slot, const Node* given,
                   const Buffers& buffers);
    json variable(const Node& value);
    json variables(const Node& value);
    json constant(const Node& value, bool input);
    json expression(const Node& value);
    std::string fresh(char letter) { return letter + std::to_string(next_++); }

    std::vector<std::string> instructions_;     // of the one at work all but its outputs
    std::map<std::string, std::string> names_;  // of values that stand for blocks and loops
    std::vector<std::string> entered_;          // values of loops
    std::size_t next_ = 0;
    const TraceKind* kind_ = nullptr;  // of the call at work
    std::string call_;
    std::string unsaid_;
};

}  // namespace proviso::rewrite
