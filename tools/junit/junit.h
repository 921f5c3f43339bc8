// Results for the programs that collect them, in the XML that JUnit's reports have made common:
// one suite, a case for each thing that was checked. It holds no times and no names of machines, so
// the same results are the same bytes.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace proviso::tools {

struct JUnitCase {
    std::string name;
    std::string failure;  // its type, "REFUTED", "UNKNOWN"; empty: passed
    std::string message;  // one line
    std::string details;
};

struct JUnitSuite {
    std::string name;
    std::string group;  // of all cases, as reports sort them: "proviso.audit"
    std::vector<std::pair<std::string, std::string>> properties;
    std::vector<JUnitCase> cases;
};

// Well-formed XML 1.0 in UTF-8, whatever the texts hold: a byte that XML has no place for is
// written as "\x1b".
std::string junit_xml(const JUnitSuite& suite);

}  // namespace proviso::tools
