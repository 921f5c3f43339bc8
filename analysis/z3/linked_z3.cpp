#include "analysis/z3/linked_z3.h"

#include <fmt/format.h>
#include <z3++.h>

#include <atomic>
#include <map>

#include "analysis/prover/model.h"

namespace proviso::analysis::smt {

namespace {

// All contexts of the process together: beyond it a search ends as one out of budget does.
void limit_memory() {
    static const bool done = [] {
        Z3_global_param_set("memory_high_watermark", "4000000000");
        return true;
    }();
    (void)done;
}

z3::solver make_solver(z3::context& context, std::uint64_t rlimit) {
    z3::solver solver(context, z3::solver::simple());
    z3::params params(context);
    params.set("rlimit", static_cast<unsigned>(std::min<std::uint64_t>(rlimit, 0xffffffffU)));
    params.set("smt.arith.nl.nra", false);  // its resources are not metered
    solver.set(params);
    return solver;
}

std::string reason(const z3::solver& solver) {
    const std::string why = solver.reason_unknown();
    // Which of the first two it says depends on where the budget ran out.
    const bool out_of_budget =
        why == "canceled" || why == "unknown" || why.find("resource") != std::string::npos;
    return out_of_budget ? "resource" : "incomplete: " + why;
}

// Values of m0, m1, .. in a model with the integers as small as one of the bounds allows.
std::vector<std::string> read_values(z3::context& context, z3::solver& solver,
                                     const ModelQuery& query) {
    const auto values = [&] {
        std::vector<std::string> out;
        const z3::model model = solver.get_model();
        std::map<std::string, unsigned> constants;
        for (unsigned k = 0; k < model.num_consts(); ++k) {
            constants[model.get_const_decl(k).name().str()] = k;
        }
        for (std::size_t i = 0; i < query.wanted.size(); ++i) {
            const auto found = constants.find(fmt::format("m{}", i));
            out.push_back(
                found == constants.end()
                    ? ""
                    : model.get_const_interp(model.get_const_decl(found->second)).to_string());
        }
        return out;
    };
    for (const int bound : kModelBounds) {
        if (query.integers.empty()) break;
        solver.push();
        for (const std::string& name : query.integers) {
            const z3::expr v = context.int_const(name.c_str());
            solver.add(v <= bound && v >= -bound);
        }
        if (solver.check() == z3::sat) return values();
        solver.pop();
    }
    if (solver.check() == z3::sat) return values();
    return {};
}

}  // namespace

Reply run_z3(const std::string& text, std::uint64_t rlimit, const ModelQuery* query,
             int wall_limit_s, int memory_mib) {
    if (std::string why = too_large(text, memory_mib); !why.empty()) {
        return Reply{Verdict::Unknown, std::move(why), {}};
    }
    limit_memory();
    std::atomic<bool> late{false};
    const auto interrupt = [&late](z3::context& context) {
        return [&late, &context] {
            late = true;
            context.interrupt();
        };
    };
    try {
        Reply reply;
        {
            z3::context context;
            const Watchdog watchdog(wall_limit_s, interrupt(context));
            z3::solver solver = make_solver(context, rlimit);
            solver.from_string(without_check(text).c_str());
            switch (solver.check()) {
                case z3::unsat: reply.verdict = Verdict::Proved; return reply;
                case z3::unknown:
                    reply.why = late ? stopped("z3", wall_limit_s) : reason(solver);
                    return reply;
                case z3::sat: reply.verdict = Verdict::Refuted; break;
            }
        }
        if (query == nullptr) return reply;
        z3::context context;
        const Watchdog watchdog(wall_limit_s, interrupt(context));
        z3::solver solver = make_solver(context, kModelBudget * rlimit);
        solver.from_string(with_model_constants(text, *query).c_str());
        reply.values = read_values(context, solver, *query);
        return reply;
    } catch (const z3::exception& e) {
        if (late) return Reply{Verdict::Unknown, stopped("z3", wall_limit_s), {}};
        return Reply{Verdict::Unknown, std::string("z3: ") + e.msg(), {}};
    }
}

Answer ask_z3(const SmtText& text, std::uint64_t rlimit, int wall_limit_s, int memory_mib) {
    if (!text.supported) return plain_answer(text, "z3", {});
    const ModelQuery query = variables_query(text);
    return plain_answer(text, "z3", run_z3(text.text, rlimit, &query, wall_limit_s, memory_mib));
}

const Z3 kLinkedZ3{run_z3, z3_version};

}  // namespace proviso::analysis::smt

namespace proviso::analysis {

std::string z3_version() {
    unsigned major = 0;
    unsigned minor = 0;
    unsigned build = 0;
    unsigned revision = 0;
    Z3_get_version(&major, &minor, &build, &revision);
    return fmt::format("{}.{}.{}", major, minor, build);
}

Answer ask_z3(const SmtText& text, std::uint64_t rlimit) {
    return smt::ask_z3(text, rlimit, smt::kWallLimitSeconds);
}

}  // namespace proviso::analysis
