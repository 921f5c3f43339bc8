// How small the simplifier makes expressions of which the best form is known.
#pragma once

#include <string>
#include <vector>

namespace proviso::bench {

// `proviso-bench simplifier`: of each family of the table how many cases come out as small as the
// best form that is known, how many larger, how many wrong, and the time a case takes. Options:
// --file=FILE, --larger (every case that comes out larger), --json. Exit code 1 where a case is
// wrong, 2 for a table that cannot be read.
int simplifier_command(const std::vector<std::string>& args);

}  // namespace proviso::bench
