// What an obligation is for: a sentence for people, and what code goes by.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "ir/site.h"
#include "ir/stmt.h"

namespace proviso::analysis {

// Kinds of obligations, by what is claimed. docs/statement-rules.md lists them by name.
enum class Owed : std::uint8_t {
    Question,  // owed by no step
    // Evaluation.
    NoFault,
    Safe,
    InRange,
    InDomain,
    Definite,
    MayBeRead,
    NoNewFault,
    SameValue,
    // Reschedulings.
    ControlStays,
    Visited,
    NoOther,
    Once,
    OnePlace,
    OneOrigin,
    Order,
    // Stores and what is left out.
    NotReached,
    HoldsAlready,
    Overwritten,
    Unseen,
    // Claims.
    HasRun,
    WrittenBefore,
    SameIteration,
    Unchanged,
    Invariant,
    Assumed,
    Assumption,
    // Relocations.
    InShape,
    Inverse,
    Padding,
    Extent,
    TileCovers,
    AlwaysStored,
    // Concurrency.
    NoRace,
    NewLoad,
    OneBranch,
    Neighbours,
    Aligned,
};
inline constexpr std::size_t kOwedCount = static_cast<std::size_t>(Owed::Aligned) + 1;

const char* owed_name(Owed kind);  // "visited"

struct Purpose {
    Owed kind = Owed::Question;
    std::string words = {};  // "no new fault where the guard is false"
    // The place and the buffer that it is about, in the program of which the rule asks it.
    std::optional<ir::Site> site = {};
    ir::Buffer buffer = nullptr;
};

}  // namespace proviso::analysis
