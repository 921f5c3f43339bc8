#include "tools/support/memory.h"

#include <unistd.h>

#include <algorithm>
#include <fstream>

namespace proviso::tools {

std::uint64_t machine_memory() {
    std::uint64_t bytes = static_cast<std::uint64_t>(::sysconf(_SC_PHYS_PAGES)) *
                          static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
    // Of the second and of the first version; "max" is no number, and changes nothing.
    for (const char* file :
         {"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"}) {
        std::ifstream in(file);
        std::uint64_t limit = 0;
        if (in >> limit) bytes = std::min(bytes, limit);
    }
    return bytes;
}

}  // namespace proviso::tools
