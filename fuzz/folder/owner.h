// Which process works on a chunk, and whether it still does.
#pragma once

#include <cstdint>
#include <ctime>
#include <string>

#include "ir/result.h"

namespace proviso::fuzz {

// A process on some machine.
struct Owner {
    std::string host;
    std::string boot;        // of the machine, each time it starts
    std::string namespace_;  // in which the number of the process means something
    std::int64_t pid = 0;
    std::string start;  // of the process, as its machine counts time
    std::string id;     // "HOST-PID-DIGITS": no other process ever has it

    std::string text() const;  // one line of JSON
};

// This process; another `id` each time.
Owner this_process();

// Nothing where the text is not that of an owner, such as a file that was not written to its end.
Result<Owner> read_owner(const std::string& text);

// Whether the process is known to have ended: on this machine by its number and start; elsewhere
// when it has said nothing for more than `limit` seconds.
bool is_gone(const Owner& owner, std::time_t heard, std::time_t now, std::uint64_t limit);

}  // namespace proviso::fuzz
