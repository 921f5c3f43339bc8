// Other schedule files that a schedule imports: `from tiles import tile`, `import tiles`. All of
// them become one module, whose positions are lines of one text; `placed` gives a line back to its
// file.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ir/result.h"
#include "ir/text/reader/python/python.h"

namespace proviso::rewrite {

struct LoadedSchedule {
    struct Part {
        std::string file;
        int before = 0;         // lines of the whole text before it
        std::string text = {};  // of an imported file
    };

    ir::python::Module module;
    std::vector<Part> parts;  // the schedule itself, then what it imports

    // The file and the line there.
    std::pair<std::string, int> place(int line) const;
    Diagnostic placed(Diagnostic d) const;
};

// A schedule's text with what it imports: from files beside the one that imports, and from the
// folder of schedules that belongs to the program. Functions and constants of an imported file
// `tiles.py` are called `tiles.NAME` in the module; names of the other files mean these.
Result<LoadedSchedule> load_schedule(std::string_view text, const std::string& file);

}  // namespace proviso::rewrite
