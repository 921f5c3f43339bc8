// The kinds of instructions of TVM's traces, and the primitive that each is here: one table for who
// reads a trace and who writes one.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace proviso::rewrite {

// An input or an attribute of an instruction, named as the argument of the primitive is.
struct TraceSlot {
    std::string name;
    bool rest = false;      // all that follow
    bool optional = false;  // an older trace, or one of another compiler, ends before it
    std::optional<std::string> fallback = {};  // JSON: what it means where it is absent
};

struct TraceKind {
    enum class Gives : std::uint8_t { Nothing, One, Perhaps, Several };

    const char* name;       // as it is written
    const char* primitive;  // the method of the schedule object
    // "block loop", "loop factors*", "preserve_unit_iters=1", "names?": see TraceSlot.
    const char* inputs;
    const char* attributes;
    Gives gives = Gives::Nothing;
};

// Every kind with a primitive that TVM or this project has. A kind that is written in two ways
// stands there twice, and so does a primitive of two kinds; the one that is written comes first.
const std::vector<TraceKind>& trace_kinds();
std::vector<TraceSlot> trace_slots(const char* text);

// Kinds that make decisions, and the mark that stands before a schedule's last touches.
inline constexpr const char* kSampleCategorical = "SampleCategorical";
inline constexpr const char* kSamplePerfectTile = "SamplePerfectTile";
inline constexpr const char* kSamplePartitionedTile = "SamplePartitionedTile";
inline constexpr const char* kSampleComputeLocation = "SampleComputeLocation";
inline constexpr const char* kEnterPostproc = "EnterPostproc";
// Of this project: what stands between the two is done inside of a loop.
inline constexpr const char* kEnterInside = "EnterInside";
inline constexpr const char* kLeaveInside = "LeaveInside";

// The kind by the name that it has in the table: TVM has renamed some ("GetSBlock").
std::string canonical_kind(std::string_view name);
// Every name, for who looks for the nearest one.
std::vector<std::string> trace_kind_names();

// What a slot holds.
bool is_flag(std::string_view slot);        // True or False, in a trace also 1 or 0
bool is_expression(std::string_view slot);  // text: a lambda, a padding value
bool is_variables(std::string_view slot);   // as an input: a list of blocks

}  // namespace proviso::rewrite
