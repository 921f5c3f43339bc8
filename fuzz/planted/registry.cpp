#include "fuzz/planted/registry.h"

#include <algorithm>

#include "fuzz/planted/log_edits.h"
#include "fuzz/planted/rule_mutants.h"
#include "fuzz/planted/scenarios/scenario.h"
#include "fuzz/planted/theorems/theorem.h"

namespace proviso::fuzz {

namespace {

constexpr const char* kKernel = "kernel obligation";
constexpr const char* kRefinement = "refinement";
constexpr const char* kCpu = "interpreter = CPU";
constexpr const char* kEncoder = "encoder = interpreter";
constexpr const char* kDomains = "domain containment";
constexpr const char* kSchema = "rule schema";
constexpr const char* kAudit = "audit";
constexpr const char* kRoundTrip = "round trip";
constexpr const char* kUndef = "values for undef";
constexpr const char* kKernels = "kernels on this machine";
constexpr const char* kHostile = "hostile proposal";

// Obligations left out, as if the rule had forgotten them: one fault for each wording that a
// scenario depends on.
void obligations(std::vector<PlantedFault>& out) {
    std::vector<std::string> seen;
    for (const Scenario& s : scenarios()) {
        if (s.forgets == nullptr || *s.forgets == '\0') continue;
        const std::string id = std::string("omit:") + s.forgets;
        bool known = false;
        for (const std::string& x : seen) known = known || x == id;
        if (known) continue;
        seen.push_back(id);
        out.push_back({id, PlantedBy::Switch, "rules and claims",
                       std::string("an obligation is left out; then: ") + s.name, kRefinement});
    }
}

// What an attack found, and the clauses of a replacement: one line of defence is not enough there.
constexpr std::size_t kTwice = 2;

void attacked(std::vector<PlantedFault>& out) {
    for (PlantedFault& fault : out) {
        for (const char* words :
             {"faults only where the original does", "freezes no undefined value",
              "is definite where the original is", "range where the original is indeterminate",
              "the replacement has the same value", "the value of the expression"}) {
            const bool omits = fault.id.rfind("omit:", 0) == 0;
            if (omits && fault.id.find(words) != std::string::npos) fault.lines = kTwice;
        }
    }
    const auto add = [&](const char* id, const char* where, const char* what) {
        out.push_back({id, PlantedBy::Switch, where, what, kRefinement, kTwice});
    };
    add("kernel:calls-are-functions", "rewrite/kernel",
        "an obligation takes an opaque call as a function of its arguments");
    add("reschedule:call-before-nothing", "rewrite/rules",
        "a guard of nothing is dropped with the call that it makes");
    add("reschedule:read-in-another-iteration", "rewrite/rules",
        "what a name was read from is taken for what it is read from in another iteration");
    add("substitution:extents", "ir", "extents of allocations are not substituted");
    add("stage-read:permission", "rewrite/rules",
        "permission to read a buffer becomes one to read a tile of it");
    add("replace:claimed-regions", "rewrite/rules",
        "a block keeps its claim of what it reads when it reads more");
    add("relayout:one-list-of-regions", "rewrite/rules",
        "a block keeps what it claims to read when its claim of writes goes");
    add("reschedule:claimed-regions", "rewrite/rules",
        "blocks keep their claims where the start of a loop is now read inside");
    add("reschedule:loads-of-both-arms", "rewrite/rules",
        "loads of an arm that may not be chosen are taken for made");
    add("add-assume:frozen-index", "rewrite/rules",
        "an index of a permission binds an indeterminate value twice");
}

// A proposer that is wrong; nothing in the build is touched.
void proposals(std::vector<PlantedFault>& out) {
    for (const Scenario& s : scenarios()) {
        if (s.forgets == nullptr) continue;
        out.push_back(
            {std::string("propose:") + s.name, PlantedBy::Proposal, "proposers", s.name, kKernel});
    }
}

void switches(std::vector<PlantedFault>& out) {
    const auto add = [&](const char* id, const char* where, const char* what,
                         const char* expected) {
        out.push_back({id, PlantedBy::Switch, where, what, expected});
    };
    add("lower-block:predicate", "rewrite/derived", "lowering a block loses its predicate",
        kKernel);
    add("lower-block:init", "rewrite/derived", "lowering a block runs its init in each iteration",
        kKernel);
    add("join-block:comes-first", "rewrite/derived",
        "what follows a block goes into it before its body", kKernel);
    add("rename-block:no-init", "rewrite/derived",
        "a block under another name has lost its initialisation", kKernel);
    add("split-init:each-time", "rewrite/derived",
        "an initialisation that is taken out of its block runs in each iteration", kKernel);
    add("restate:next-iteration", "rewrite/derived",
        "a restated part is looked for in the next iteration", kKernel);
    add("drop-empty:body-stays", "rewrite/derived",
        "an allocation goes, and what stores to it stays", kKernel);
    add("decide-branch:other-arm", "rewrite/derived",
        "a branch that is decided takes the other arm", kKernel);
    add("unroll:one-fewer", "rewrite/derived", "unroll forgets the last iteration", kKernel);
    add("partial:values-in-use", "rewrite/rules",
        "the value of combined results is called as a loop around them", kKernel);
    add("flatten:other-stride", "rewrite/derived", "flatten takes the extent of another dimension",
        kKernel);
    add("drop-assume:around", "rewrite/derived", "dropping an assumption drops what is around it",
        kKernel);
    add("outline:allocations-are-definite", "rewrite/rules",
        "a function takes the cells of an allocation of its caller for definite", kRefinement);
    add("outline:stores-are-definite", "rewrite/rules",
        "a function takes a parameter for definite whatever its caller stored there", kRefinement);
    add("outline:licences-last", "rewrite/rules",
        "a licence on an input speaks of what was written over it, too", kRefinement);
    add("outline:first-obligations", "rewrite/rules",
        "a function's first step owes, the others do not", kRefinement);
    add("outline:one-more", "rewrite/rules", "the statement after a stage goes with it",
        kRefinement);
    add("outline:keeps-names", "rewrite/rules",
        "names that a function binds are kept where others bind them", kKernel);
    add("share-buffer:any-order", "rewrite/rules",
        "a buffer takes the memory of one that is still used", kRefinement);
    add("share-buffer:first-extent", "rewrite/rules", "a buffer takes the memory of a smaller one",
        kRefinement);
    add("check-assume:opposite", "rewrite/rules", "the check is of the opposite", kRefinement);
    add("lower-undef:anything", "rewrite/rules", "any expression passes as undef", kRefinement);
    add("lower-assume:anything", "rewrite/rules", "any statement passes as an assumption",
        kRefinement);
    add("formula:zero-divisor", "analysis/formula", "no claim that a divisor is not zero",
        kRefinement);
    add("formula:undef-is-definite", "analysis/formula", "undef counts as definite", kRefinement);
    add("formula:index-below-zero", "analysis/formula", "no claim that an index is not negative",
        kRefinement);
    add("facts:kept-after-write", "analysis/facts", "facts about cells survive a write to them",
        kRefinement);
    add("facts:loop-ends-early", "analysis/facts", "the last iteration of a loop is forgotten",
        kRefinement);
    add("semantics:indet-arithmetic", "semantics", "arithmetic on an undefined int32 is no fault",
        kUndef);
    add("semantics:indet-quotient", "semantics", "an undefined number divided by -1 is no fault",
        kUndef);
    add("semantics:indet-shift", "semantics", "an undefined shift count is no fault", kUndef);
    add("semantics:indet-cast", "semantics", "an undefined float becomes an integer", kUndef);
    add("semantics:indet-choice", "semantics", "an undefined choice of what is out of range",
        kUndef);
    add("claims:guard-of-another-iteration", "analysis/access",
        "a condition on data that held in one iteration is taken for another", kRefinement);
    add("claims:when-is-forgotten", "rewrite/kernel",
        "what a claim says of some cells is taken for all", kRefinement);
    add("claims:invariant-of-any-cell", "analysis/claims",
        "a value read has the property that its new cell asks for", kRefinement);
    add("claims:memory-of-another-time", "analysis/claims",
        "what memory holds now is taken for what it held when something was assumed", kRefinement);
    add("claims:observed-once", "analysis/claims",
        "a cell that was observed once is taken to stay as it was", kRefinement);
    add("claims:later-in-the-body", "analysis/claims",
        "a store later in a loop's body is taken to run after every iteration", kRefinement);
    add("encoder:floordiv-euclidean", "analysis/smt", "floor division as SMT's Euclidean one",
        kEncoder);
    add("encoder:truncation-floors", "analysis/smt", "truncating division rounds down", kEncoder);
    add("encoder:negative-constant-divisor", "analysis/smt", "the sign of a divisor is lost",
        kEncoder);
    add("encoder:unsigned-order-signed", "analysis/smt", "unsigned numbers ordered as signed",
        kEncoder);
    add("encoder:zeros-are-the-same", "analysis/smt", "+0.0 and -0.0 are one value", kEncoder);
    add("encoder:sign-of-a-sum", "analysis/smt",
        "a sum of floats has the sign of its first operand", kEncoder);
    add("encoder:max-of-nan", "analysis/smt", "max takes the other operand of NaN", kEncoder);
    add("encoder:widening-loses-sign", "analysis/smt", "a widening cast extends with zeros",
        kEncoder);
    add("encoder:logical-shift", "analysis/smt", "a right shift of a negative number fills zeros",
        kEncoder);
    add("domains:interval-sub", "ir/domains", "the interval of a difference is that of the sum",
        kDomains);
    add("domains:bits-carry", "ir/domains", "known bits of a sum forget the carries", kDomains);
    add("text:parentheses", "ir/text", "a - (b - c) is printed without parentheses", kRoundTrip);
    add("text:reads-plus-as-minus", "ir/text", "a + b is read as a - b", kRoundTrip);
    add("codegen:floordiv-truncates", "backend/cpu", "floor division as the machine's", kCpu);
    add("codegen:ordered-not-equal", "backend/cpu", "NaN != NaN is false", kCpu);
    add("codegen:signed-order", "backend/cpu", "unsigned numbers compared as signed", kCpu);
    add("codegen:min-of-nan", "backend/cpu", "min and max prefer a number to NaN", kCpu);
    add("codegen:logical-shift", "backend/cpu", "a right shift of a negative number fills zeros",
        kCpu);
    add("codegen:fused-multiply-add", "backend/cpu", "a * b + c is rounded once", kCpu);
    add("codegen:zero-extends", "backend/cpu", "a widening cast loses the sign", kCpu);
    add("codegen:other-stride", "backend/cpu", "addresses use the extent of another dimension",
        kCpu);
}

// Slips in the checks of the theorems, but for those that are listed above.
void theorems(std::vector<PlantedFault>& out) {
    for (const TheoremFault& t : theorem_faults()) {
        const bool listed =
            std::any_of(out.begin(), out.end(), [&](const auto& f) { return f.id == t.id; });
        if (listed) continue;
        out.push_back({t.id, PlantedBy::Switch, "rewrite/rules", t.what, kHostile});
    }
}

void gpu_switches(std::vector<PlantedFault>& out) {
    const auto add = [&](const char* id, const char* where, const char* what) {
        out.push_back({id, PlantedBy::Switch, where, what, kKernels});
    };
    add("sync:one-iteration", "rewrite/rules", "phases of different iterations are forgotten");
    add("sync:first-axis", "rewrite/rules", "threads that differ in y only pass as one thread");
    add("gpu:no-barrier", "backend/gpu", "a barrier is left out of the text");
    add("gpu:no-guard", "backend/gpu", "a phase with fewer threads than the block has no guard");
    add("gpu:wrong-thread", "backend/gpu", "the thread index of another axis is taken");
    add("gpu:wrong-scope", "backend/gpu", "a shared buffer is each thread's own");
    add("gpu:no-other-thread-stores", "backend/gpu",
        "pointers are restrict to which other threads store");
    add("gpu:fused-multiply-add", "backend/gpu", "a * b + c is rounded once");
    add("gpu:narrow-positions", "backend/gpu", "positions in a buffer are computed in 16 bits");
    add("gpu:other-stride", "backend/gpu", "positions use the extent of another dimension");
    add("gpu:floordiv-truncates", "backend/gpu", "floor division as C's");
    add("gpu:any-alignment", "rewrite/derived", "lanes may begin at any cell");
    add("gpu:wide-off-by-one", "backend/gpu", "a wide access begins at the second lane");
    add("gpu:races-not-asked", "backend/gpu", "loops bound in the source owe nothing");
    add("gpu:launches-not-asked", "backend/gpu", "extents of launches owe nothing");
}

}  // namespace

const std::vector<PlantedFault>& planted_faults() {
    static const std::vector<PlantedFault> all = [] {
        std::vector<PlantedFault> out;
        obligations(out);
        proposals(out);
        switches(out);
        attacked(out);
        theorems(out);
        gpu_switches(out);
        for (const RuleMutant& m : rule_mutants()) {
            out.push_back(
                {m.id(), PlantedBy::Table, "rewrite/expression_rules/tables", m.what, kSchema});
        }
        for (const LogEdit& e : log_edits()) {
            out.push_back({e.id, PlantedBy::Log, "proof log", e.what, kAudit});
        }
        return out;
    }();
    return all;
}

}  // namespace proviso::fuzz
