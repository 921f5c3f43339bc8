#include "analysis/smt/programs.h"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/smt/bit_work.h"
#include "analysis/smt/child.h"
#include "analysis/smt/watchdog.h"

namespace proviso::analysis::smt {

namespace {

// One solver and no portfolio of tactics, as the linked Z3 is asked (`push` chooses it); nonlinear
// arithmetic without what its resources do not meter.
constexpr const char* kCheckOfZ3 = "(push 1)(check-sat)\n";

std::vector<std::string> z3_command(std::uint64_t rlimit) {
    const std::uint64_t units = std::min<std::uint64_t>(rlimit, 0xffffffffU);
    return {"z3",
            "-smt2",
            "-in",
            fmt::format("rlimit={}", units),
            "smt.arith.nl.nra=false",
            "tactic.default_tactic=smt"};
}

std::vector<std::string> cvc5_command(const std::string& text, std::uint64_t rlimit, bool models) {
    std::vector<std::string> command = {"cvc5", "--lang=smt2",
                                        fmt::format("--rlimit-per={}", rlimit)};
    if (models) command.emplace_back("--produce-models");
    // By default cvc5 takes the formats of 32 and 64 bits only; float16 and bfloat16 need its word
    // for all formats.
    for (const char* format : {"(_ FloatingPoint 5 11)", "(_ FloatingPoint 8 8)"}) {
        if (text.find(format) == std::string::npos) continue;
        command.emplace_back("--fp-exp");
        break;
    }
    command.emplace_back("-");
    return command;
}

}  // namespace

Reply ask_program(Program program, const std::string& text, std::uint64_t rlimit, int wall_limit_s,
                  int memory_mib) {
    std::string said;
    return ask_program(program, text, rlimit, wall_limit_s, memory_mib, "", said);
}

Reply ask_program(Program program, const std::string& text, std::uint64_t rlimit, int wall_limit_s,
                  int memory_mib, const std::string& then, std::string& said) {
    const bool is_z3 = program == Program::Z3;
    Reply reply;
    if (is_z3) reply.why = too_large(text, memory_mib);
    if (!reply.why.empty()) return reply;
    const auto command = is_z3 ? z3_command(rlimit) : cvc5_command(text, rlimit, !then.empty());
    const char* const check = is_z3 ? kCheckOfZ3 : "(check-sat)\n";
    const ChildOutput out = run_child(command, without_check(text) + check + then, wall_limit_s);
    const std::string name = command.front();
    const std::string first = out.text.substr(0, out.text.find('\n'));
    said = out.text.substr(first.size());
    if (!out.started) {
        reply.why = name + " not installed";
    } else if (first.empty() && !out.killed) {
        reply.why = name + " gave no answer";
    } else if (first == "unsat") {
        reply.verdict = Verdict::Proved;
    } else if (first == "sat") {
        reply.verdict = Verdict::Refuted;
    } else if (out.killed) {
        reply.why = stopped(name, wall_limit_s);
    } else if (first.rfind("unknown", 0) == 0) {
        reply.why = "resource";
    } else {
        reply.why = name + ": " + first.substr(0, 200);
    }
    return reply;
}

std::string without_check(const std::string& text) {
    const std::size_t at = text.rfind("(check-sat)");
    return at == std::string::npos ? text : text.substr(0, at);
}

}  // namespace proviso::analysis::smt
