// `proviso audit` and the program proviso-audit: one command, one table of options.
#pragma once

#include <string>
#include <vector>

namespace CLI {  // NOLINT(readability-identifier-naming)
class App;
}

namespace proviso::tools {

struct AuditCommand {
    std::string log;
    std::string policy = "E2";
    std::vector<std::string> trusted_keys;  // files of public keys: one must have signed
    std::string junit;                      // file for a report; empty: none
    unsigned jobs = 0;
    bool no_validation = false;
    bool no_solvers = false;           // certificates alone
    bool ask_solvers = false;          // also where a certificate is accepted
    int solver_seconds = 60;           // for a solver that does not keep to its budget
    int solver_memory = 1024;          // MiB, of a question to Z3
    std::vector<std::string> prepare;  // weights of a program that is called in two parts
    bool strict = false;               // a theorem that may be empty is not enough
    std::vector<std::string> outputs;  // files that are compared with the statement's subjects
    std::string html;                  // file for a page, "-": standard output; empty: none
    bool times = false;                // how long each obligation took, on the page and in --json
    bool verbose = false;
    bool json = false;
};
int run_audit(const AuditCommand& options);

inline constexpr const char* kAuditWhat =
    "re-check a proof log, trusting neither engine nor solver";
inline constexpr const char* kAuditExample = "log";
void add_audit(CLI::App& app, AuditCommand& o);

}  // namespace proviso::tools
