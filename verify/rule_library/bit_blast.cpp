#include "verify/rule_library/bit_blast.h"

#include <z3++.h>

#include <algorithm>

#include "analysis/smt/bit_work.h"
#include "analysis/smt/watchdog.h"

namespace proviso::verify {

namespace {

bool mentions(const std::string& text, const char* what) {
    return text.find(what) != std::string::npos;
}

}  // namespace

analysis::Answer prove_by_bits(const analysis::SmtText& text, std::uint64_t rlimit) {
    analysis::Answer out;
    const bool circuit = text.supported && text.buffers.empty() && !mentions(text.text, " Int)") &&
                         !mentions(text.text, "(declare-fun F");
    if (!circuit) {
        out.why = "unsuitable";
        return out;
    }
    if (out.why = analysis::smt::too_large(text.text, analysis::smt::kSolverMemoryMib);
        !out.why.empty()) {
        return out;
    }
    try {
        z3::context context;
        const bool floats = mentions(text.text, "FloatingPoint") || mentions(text.text, "fp.");
        z3::solver solver = z3::tactic(context, floats ? "qffp" : "qfbv").mk_solver();
        z3::params params(context);
        params.set("rlimit", static_cast<unsigned>(std::min<std::uint64_t>(rlimit, 0xffffffffU)));
        solver.set(params);
        solver.from_string(text.text.substr(0, text.text.rfind("(check-sat)")).c_str());
        const analysis::smt::Watchdog watchdog(analysis::smt::kWallLimitSeconds,
                                               [&context] { context.interrupt(); });
        switch (solver.check()) {
            case z3::unsat: out.verdict = analysis::Verdict::Proved; break;
            case z3::sat: out.verdict = analysis::Verdict::Refuted; break;
            case z3::unknown:
                out.why = watchdog.has_stopped()
                              ? analysis::smt::stopped("z3", analysis::smt::kWallLimitSeconds)
                              : "resource";
                break;
        }
        out.by = "z3";
    } catch (const z3::exception& e) {
        out.why = std::string("z3: ") + e.msg();
    }
    return out;
}

}  // namespace proviso::verify
