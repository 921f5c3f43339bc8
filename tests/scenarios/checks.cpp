// The checks of every scenario: runs of interpreter and machine code, and the audit.
#include "tests/scenarios/checks.h"

#include <gtest/gtest.h>

#include <unistd.h>

#include <set>

#include "backend/cpu/backend.h"
#include "backend/cpu/no_wrap.h"
#include "backend/tensor.h"
#include "ir/text.h"
#include "ir/well_formed.h"
#include "tests/scenarios/externals.h"
#include "verify/audit/audit.h"
#include "verify/harness/mend.h"
#include "verify/log/write.h"

namespace proviso::scenarios {

namespace fs = std::filesystem;
using namespace ir;
using verify::Agreement;

namespace {

constexpr std::uint64_t kSeeds = 80;       // inputs tried
constexpr int kCountedRuns = 10;           // inputs without a fault that are enough
constexpr std::int64_t kLargestSize = 20;  // of sizes that the file does not fix
constexpr std::uint64_t kStepsOfARun = 10'000'000;

// Inputs by seed: at the sizes that the file lists, in turn, or at sizes made up.
Result<Inputs> inputs_of(Session& session, const Scenario& s, const verify::InputMender& mender,
                         std::uint64_t seed) {
    verify::InputOptions options;
    options.max_extent = kLargestSize;
    if (!s.sizes.empty()) {
        for (Expr v : verify::size_variables(session.source())) {
            const auto& set = s.sizes[seed % s.sizes.size()];
            if (const auto found = set.find(*v->name); found != set.end()) {
                options.fixed[v] =
                    constant_expr(session.ctx(), v->type, Value::of_int(found->second));
            }
        }
    }
    // Each list of sizes sees the first moods of inputs too.
    const std::uint64_t mood = seed / std::max<std::size_t>(s.sizes.size(), 1);
    Result<Inputs> out = verify::random_inputs(session.ctx(), session.source(), mood, options);
    if (out) mender.mend(*out, seed, kStepsOfARun);
    return out;
}

std::string size_text(Session& session, const Inputs& inputs) {
    std::string out;
    for (const auto& [v, value] : verify::sizes_of(session.ctx(), session.source(), inputs)) {
        out += *v->name + " = " + print(value) + "; ";
    }
    return out;
}

class Runs {
  public:
    Runs(Session& session, const Scenario& s)
        : session_(session), scenario_(s), final_(session.derivation().current()) {}

    void check() {
        backend::CpuOptions options;
        options.no_signed_wrap = backend::proved_no_wrap(session_.derivation(), session_.prover());
        options.externs = externals();
        const Result<backend::CpuModule> module =
            backend::compile({session_.derivation()}, options);
        ASSERT_TRUE(module.ok()) << module.error().str();
        const Result<Program> program = prepare(final_);
        ASSERT_TRUE(program.ok()) << program.error().str();
        Result<verify::Comparer> comparer =
            verify::Comparer::make(session_.ctx(), session_.source(), final_);
        ASSERT_TRUE(comparer.ok()) << comparer.error().str();
        const verify::InputMender mender(session_.ctx(), session_.source());
        int counted = 0;
        std::set<std::string> sizes;
        for (std::uint64_t seed = 0; seed < kSeeds && counted < kCountedRuns; ++seed) {
            const Result<Inputs> inputs = inputs_of(session_, scenario_, mender, seed);
            ASSERT_TRUE(inputs.ok()) << inputs.error().str();
            if (!interpreted(*comparer, *inputs, seed)) continue;
            compiled(*module, *program, *inputs, seed);
            ++counted;
            sizes.insert(size_text(session_, *inputs));
        }
        EXPECT_GT(counted, 0) << "no input on which the source has no fault";
        if (verify::size_variables(session_.source()).empty()) return;
        const std::size_t enough = scenario_.sizes.empty() ? 3 : scenario_.sizes.size();
        EXPECT_GE(sizes.size(), enough) << "too few sizes had a run without a fault";
    }

  private:
    // Source and result in the interpreter; true when the run says something.
    bool interpreted(verify::Comparer& comparer, const Inputs& inputs, std::uint64_t seed) {
        verify::CompareOptions options;
        options.open = seed % 2 == 0 ? verify::OpenCells::Indet : verify::OpenCells::Garbage;
        options.seed = seed;
        const Result<verify::Comparison> seen = comparer.compare(inputs, options);
        EXPECT_TRUE(seen.ok()) << seen.error().str();
        if (!seen.ok()) return false;
        EXPECT_FALSE(seen->refutes()) << seen->what << " with " << verify::describe(inputs) << "\n"
                                      << print(final_);
        return seen->agreement == Agreement::Refines;
    }

    void compiled(const backend::CpuModule& module, const Program& program, const Inputs& inputs,
                  std::uint64_t seed) {
        verify::CompareOptions options;
        options.open = verify::OpenCells::Garbage;
        options.seed = seed;
        const Result<Inputs> physical =
            verify::physical_inputs(session_.ctx(), final_, inputs, options);
        ASSERT_TRUE(physical.ok()) << physical.error().str();
        InterpOptions interp;
        interp.seed = seed;
        const Result<Outcome> expected = run(program, *physical, interp);
        ASSERT_TRUE(expected.ok()) << expected.error().str();
        const Result<backend::TensorRun> got =
            backend::run_on_tensors(module, final_, *physical, seed);
        ASSERT_TRUE(got.ok()) << got.error().str();
        const auto difference = backend::run_difference(final_, *expected, *got);
        EXPECT_FALSE(difference.has_value())
            << "machine code: " << *difference << " with " << verify::describe(inputs);
    }

    Session& session_;
    const Scenario& scenario_;
    const Function final_;
};

// A folder of its own, gone at the end.
struct Folder {
    fs::path path;
    explicit Folder(const std::string& name)
        : path(fs::temp_directory_path() /
               ("proviso_scenario_" + name + "_" + std::to_string(::getpid()))) {
        fs::remove_all(path);
    }
    ~Folder() {
        std::error_code ignored;
        fs::remove_all(path, ignored);
    }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
};

}  // namespace

Session::Session(std::unique_ptr<Context> ctx, rewrite::Derivation derivation)
    : ctx_(std::move(ctx)),
      prover_(*ctx_, {}),
      derivation_(std::move(derivation)),
      proposer_(derivation_, prover_) {}

std::unique_ptr<Session> Session::start(const Scenario& s) {
    auto ctx = std::make_unique<Context>();
    const Result<Function> f = parse_function(*ctx, s.program, s.path.string());
    EXPECT_TRUE(f.ok()) << f.error().str();
    if (!f.ok()) return nullptr;
    Result<rewrite::Derivation> d = rewrite::Derivation::start(*ctx, *f);
    EXPECT_TRUE(d.ok()) << d.error().str();
    if (!d.ok()) return nullptr;
    return std::unique_ptr<Session>(new Session(std::move(ctx), std::move(*d)));
}

void expect_runs_agree(Session& session, const Scenario& s) {
    Runs(session, s).check();
}

void expect_audited(Session& session, const Scenario& s) {
    // Each step was checked where it changed the program; here is the whole check.
    for (const rewrite::Step& step : session.derivation().steps()) {
        EXPECT_TRUE(well_formed(step.after).empty()) << step.rule << " at " << step.site.str();
        for (const rewrite::ProvedObligation& o : step.obligations) {
            EXPECT_NE(o.obligation.purpose.kind, analysis::Owed::Question) << step.rule;
        }
    }
    const Folder folder(s.name);
    verify::LogOptions log;
    log.schedule = s.schedule;
    const Result<verify::LogSummary> written =
        verify::write_log(session.derivation(), folder.path.string(), log);
    ASSERT_TRUE(written.ok()) << written.error().str();
    Context ctx;  // the auditor knows nothing of the session
    verify::AuditOptions options;
    options.policy = s.policy;
    options.discharge.use_cvc5 = s.policy != "E1";
    options.discharge.jobs = 1;  // tests run beside each other
    const verify::AuditReport report = verify::audit(ctx, folder.path.string(), options);
    EXPECT_EQ(report.exit(), verify::AuditExit::Verified) << report.text(true);
    EXPECT_EQ(report.graded(1) > 0, s.policy == "E1") << "policy: " << s.policy;
    EXPECT_EQ(report.steps.size(), session.derivation().steps().size());
    EXPECT_EQ(report.count(analysis::Verdict::Proved), report.checks.size());
    EXPECT_EQ(report.final_hash, content_hash(session.derivation().current()));
    bool faults = false;
    bool unvalidated = false;
    for (const verify::AuditedStep& step : report.steps) {
        ASSERT_TRUE(step.validation.has_value()) << step.rule << " at " << step.site;
        // Translation validation knows no run that stops early: such a step is left to the runs.
        if (step.validation->what.find("unsupported: an assert") != std::string::npos) continue;
        // Nor a cell that data name.
        const bool unknown = step.validation->what.find("unsupported: ") != std::string::npos &&
                             step.validation->what.find(s.unvalidated) != std::string::npos;
        if (!s.unvalidated.empty() && unknown) {
            unvalidated = true;
            continue;
        }
        if (!s.faults.empty() && step.validation->what.find(s.faults) != std::string::npos) {
            faults = true;
            continue;
        }
        EXPECT_EQ(step.validation->verdict, verify::TvVerdict::Bounded)
            << step.rule << " at " << step.site << ": " << step.validation->what;
    }
    EXPECT_EQ(faults, !s.faults.empty()) << "faults: " << s.faults;
    EXPECT_EQ(unvalidated, !s.unvalidated.empty()) << "unvalidated: " << s.unvalidated;
}

std::string counterexample(Context& ctx, const Function& before, const Function& after,
                           const std::vector<analysis::ModelValue>& hints) {
    const Result<verify::ReplayResult> seen = verify::replay(ctx, before, after, hints);
    EXPECT_TRUE(seen.ok()) << seen.error().str();
    return seen.ok() && seen->found ? seen->found->str() : "";
}

std::string text_without_layouts(Function f) {
    f.attrs.erase(analysis::kLayoutAttr);
    return print(f);
}

}  // namespace proviso::scenarios
