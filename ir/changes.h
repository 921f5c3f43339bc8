// Where two programs differ. An edit of a persistent tree shares every handle beside its path, so
// finding it takes time with the path and with the length of the lists on it, not with the program.
#pragma once

#include <optional>
#include <vector>

#include "ir/site.h"

namespace proviso::ir {

// Statements that gave way to others, within the same surroundings.
struct Change {
    // What stands around, outermost first, as it is afterwards; a list that holds them is the last.
    // Before, the same stood there, but for the statements below.
    std::vector<Stmt> around;
    Site site;                         // of the statement; in a list, of the list
    std::optional<std::size_t> index;  // in a list: where the statements begin
    std::vector<Stmt> removed;         // in a list any number, otherwise one
    std::vector<Stmt> added;

    // Of the `k`-th of `added`, in the program afterwards.
    Site site_of_added(std::size_t k) const;
};

// In textual order. A change's statements may still share parts; what is in no change is in both
// programs, handle for handle, in the same place but for its position in lists.
std::vector<Change> changes(Stmt before, Stmt after);

}  // namespace proviso::ir
