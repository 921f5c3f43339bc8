// What the programs say beside a verdict: values, and their versions.
#include "analysis/smt/solvers.h"

#include <fmt/format.h>

#include "analysis/smt/child.h"

namespace proviso::analysis::smt {

namespace {

// The values in "((m0 5) (m1 (- 3)))", in order.
std::vector<std::string> read_values(const std::string& text) {
    std::vector<std::string> out;
    int depth = 0;
    std::size_t start = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '(' && ++depth == 2) start = i + 1;
        if (text[i] == ')' && --depth == 1) {
            const std::string pair = text.substr(start, i - start);
            const std::size_t space = pair.find(' ');
            out.push_back(space == std::string::npos ? "" : pair.substr(space + 1));
        }
    }
    return out;
}

// Refuted: with values, of integers as small as one of the bounds allows.
Reply run(Program program, const std::string& text, std::uint64_t rlimit, int wall_limit_s,
          int memory_mib, const ModelQuery* query) {
    Reply reply = ask_program(program, text, rlimit, wall_limit_s, memory_mib);
    if (reply.verdict != Verdict::Refuted || query == nullptr || query->wanted.empty()) {
        return reply;
    }
    std::string names;
    for (std::size_t i = 0; i < query->wanted.size(); ++i) names += fmt::format(" m{}", i);
    const std::string then = "(get-value (" + names.substr(1) + "))\n";
    const std::string base = with_model_constants(text, *query);
    const std::uint64_t budget = (program == Program::Z3 ? kModelBudget : 1) * rlimit;
    const auto found = [&](const std::string& small) {
        std::string said;
        const Reply again =
            ask_program(program, base + small, budget, wall_limit_s, memory_mib, then, said);
        if (again.verdict != Verdict::Refuted) return false;
        reply.values = read_values(said);
        return true;
    };
    for (const int bound : kModelBounds) {
        if (query->integers.empty()) break;
        std::string small;
        for (const std::string& v : query->integers) {
            small += fmt::format("(assert (<= (- {}) {} {}))\n", bound, v, bound);
        }
        if (found(small)) return reply;
    }
    found("");
    return reply;
}

// What `program --version` says after "version "; empty where there is no such program.
std::string version_of(const char* program) {
    const std::string text = run_child({program, "--version"}, "", 10).text;
    const std::string mark = "version ";
    const std::size_t at = text.find(mark);
    if (at == std::string::npos) return "";
    const std::size_t start = at + mark.size();
    return text.substr(start, text.find_first_of(" \n[", start) - start);
}

std::string z3_program_version() {
    static const std::string version = version_of("z3");
    return version;
}

Reply run_z3_program(const std::string& text, std::uint64_t rlimit, const ModelQuery* query,
                     int wall_limit_s, int memory_mib) {
    return run(Program::Z3, text, rlimit, wall_limit_s, memory_mib, query);
}

}  // namespace

const Z3 kZ3Program{run_z3_program, z3_program_version};

Reply run_cvc5(const std::string& text, std::uint64_t rlimit, int wall_limit_s,
               const ModelQuery* query) {
    return run(Program::Cvc5, text, rlimit, wall_limit_s, kSolverMemoryMib, query);
}

std::string with_model_constants(const std::string& text, const ModelQuery& query) {
    std::string out = without_check(text);
    for (std::size_t i = 0; i < query.wanted.size(); ++i) {
        const auto& [term, sort] = query.wanted[i];
        out += fmt::format("(declare-fun m{} () {})\n(assert (= m{} {}))\n", i, sort, i, term);
    }
    return out;
}

}  // namespace proviso::analysis::smt

namespace proviso::analysis {

std::string cvc5_version() {
    static const std::string version = smt::version_of("cvc5");
    return version;
}

}  // namespace proviso::analysis
