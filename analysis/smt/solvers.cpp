// Z3 and cvc5 as programs.
#include "analysis/smt/solvers.h"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/smt/child.h"

namespace proviso::analysis::smt {

namespace {

// How one of them is asked.
struct Program {
    const char* name;
    std::vector<std::string> (*command)(const std::string& text, std::uint64_t rlimit, bool models);
    const char* check;  // the command that decides
    std::uint64_t model_budget;
};

// The values in "((m0 5) (m1 (- 3)))", in order.
std::vector<std::string> read_values(const std::string& text, std::size_t from) {
    std::vector<std::string> out;
    int depth = 0;
    std::size_t start = 0;
    for (std::size_t i = from; i < text.size(); ++i) {
        if (text[i] == '(' && ++depth == 2) start = i + 1;
        if (text[i] == ')' && --depth == 1) {
            const std::string pair = text.substr(start, i - start);
            const std::size_t space = pair.find(' ');
            out.push_back(space == std::string::npos ? "" : pair.substr(space + 1));
        }
    }
    return out;
}

// `text` has no (check-sat); `then` follows it.
Reply ask(const Program& program, const std::string& text, std::uint64_t rlimit, int wall_limit_s,
          const std::string& then = "") {
    const bool models = !then.empty();
    const ChildOutput out = run_child(program.command(text, rlimit, models),
                                      text + program.check + "\n" + then, wall_limit_s);
    Reply reply;
    const std::string name = program.name;
    const std::string first = out.text.substr(0, out.text.find('\n'));
    if (!out.started) {
        reply.why = name + " not installed";
    } else if (first.empty() && !out.killed) {
        reply.why = name + " gave no answer";
    } else if (first == "unsat") {
        reply.verdict = Verdict::Proved;
    } else if (first == "sat") {
        reply.verdict = Verdict::Refuted;
        if (models) reply.values = read_values(out.text, first.size());
    } else if (out.killed) {
        reply.why = stopped(name, wall_limit_s);
    } else if (first.rfind("unknown", 0) == 0) {
        reply.why = "resource";
    } else {
        reply.why = name + ": " + first.substr(0, 200);
    }
    return reply;
}

// Refuted: with values, of integers as small as one of the bounds allows.
Reply run(const Program& program, const std::string& text, std::uint64_t rlimit, int wall_limit_s,
          const ModelQuery* query) {
    Reply reply = ask(program, without_check(text), rlimit, wall_limit_s);
    if (reply.verdict != Verdict::Refuted || query == nullptr || query->wanted.empty()) {
        return reply;
    }
    std::string names;
    for (std::size_t i = 0; i < query->wanted.size(); ++i) names += fmt::format(" m{}", i);
    const std::string values = "(get-value (" + names.substr(1) + "))\n";
    const std::string base = with_model_constants(text, *query);
    const std::uint64_t budget = program.model_budget * rlimit;
    for (const int bound : kModelBounds) {
        if (query->integers.empty()) break;
        std::string small;
        for (const std::string& v : query->integers) {
            small += fmt::format("(assert (<= (- {}) {} {}))\n", bound, v, bound);
        }
        const Reply found = ask(program, base + small, budget, wall_limit_s, values);
        if (found.verdict == Verdict::Refuted) return found;
    }
    const Reply found = ask(program, base, budget, wall_limit_s, values);
    if (found.verdict == Verdict::Refuted) reply.values = found.values;
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

// One solver and no portfolio of tactics, as the linked Z3 is asked (`push` chooses it); nonlinear
// arithmetic without what its resources do not meter.
const Program kZ3{"z3",
                  [](const std::string&, std::uint64_t rlimit, bool) -> std::vector<std::string> {
                      const std::uint64_t units = std::min<std::uint64_t>(rlimit, 0xffffffffU);
                      return {"z3",
                              "-smt2",
                              "-in",
                              fmt::format("rlimit={}", units),
                              "smt.arith.nl.nra=false",
                              "tactic.default_tactic=smt"};
                  },
                  "(push 1)(check-sat)", kModelBudget};

const Program kCvc5{
    "cvc5",
    [](const std::string& text, std::uint64_t rlimit, bool models) {
        std::vector<std::string> command = {"cvc5", "--lang=smt2",
                                            fmt::format("--rlimit-per={}", rlimit)};
        if (models) command.emplace_back("--produce-models");
        // By default cvc5 takes the formats of 32 and 64 bits only; float16 and bfloat16 need its
        // word for all formats.
        for (const char* format : {"(_ FloatingPoint 5 11)", "(_ FloatingPoint 8 8)"}) {
            if (text.find(format) == std::string::npos) continue;
            command.emplace_back("--fp-exp");
            break;
        }
        command.emplace_back("-");
        return command;
    },
    "(check-sat)", 1};

Reply run_z3_program(const std::string& text, std::uint64_t rlimit, const ModelQuery* query,
                     int wall_limit_s, int memory_mib) {
    if (std::string why = too_large(text, memory_mib); !why.empty()) {
        return Reply{Verdict::Unknown, std::move(why), {}};
    }
    return run(kZ3, text, rlimit, wall_limit_s, query);
}

}  // namespace

const Z3 kZ3Program{run_z3_program, z3_program_version};

Reply run_cvc5(const std::string& text, std::uint64_t rlimit, int wall_limit_s,
               const ModelQuery* query) {
    return run(kCvc5, text, rlimit, wall_limit_s, query);
}

std::string without_check(const std::string& text) {
    const std::size_t at = text.rfind("(check-sat)");
    return at == std::string::npos ? text : text.substr(0, at);
}

std::string with_model_constants(const std::string& text, const ModelQuery& query) {
    std::string out = without_check(text);
    for (std::size_t i = 0; i < query.wanted.size(); ++i) {
        const auto& [term, sort] = query.wanted[i];
        out += fmt::format("(declare-fun m{} () {})\n(assert (= m{} {}))\n", i, sort, i, term);
    }
    return out;
}

bool mixes_bit_vectors(const std::string& text) {
    return text.find("int2bv") != std::string::npos;
}

}  // namespace proviso::analysis::smt

namespace proviso::analysis {

std::string cvc5_version() {
    static const std::string version = smt::version_of("cvc5");
    return version;
}

}  // namespace proviso::analysis
