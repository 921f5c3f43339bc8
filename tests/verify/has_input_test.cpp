// A theorem about a function that nobody can call says nothing: such functions are told.
#include <gmock/gmock.h>

#include "tests/verify/logs.h"
#include "verify/harness/has_input.h"

namespace proviso::verify {
namespace {

using testing::HasSubstr;

std::string with(const char* attributes, const char* shape, const char* body) {
    return std::string("@T.prim_func\ndef f(n: T.int32, A: T.Buffer((") + shape +
           ",), \"int32\")):\n" + attributes + body;
}

constexpr const char* kStoreGuarded =
    "    for i in range(4):\n        if i < n:\n            A[i] = 1\n";

InputSearch search(const std::string& text) {
    Derived d(text.c_str());
    return find_input(d.ctx, d.derivation.source(), d.prover);
}

TEST(HasInput, SizesWithinTheirBounds) {
    const InputSearch found = search(
        with("    T.func_attr({\"tir_var_lower_bound\": {\"n\": 5}})\n", "n + 4", kStoreGuarded));
    EXPECT_EQ(found.found, HasInput::Yes);
    EXPECT_THAT(found.example, HasSubstr("n = "));
}

TEST(HasInput, BoundsThatContradictEachOther) {
    const InputSearch found = search(
        with("    T.func_attr({\"tir_var_upper_bound\": {\"n\": 3}, \"tir_var_lower_bound\": "
             "{\"n\": 5}})\n",
             "8", kStoreGuarded));
    EXPECT_EQ(found.found, HasInput::No);
}

// Trap: no bound contradicts another, but no buffer has a negative number of cells.
TEST(HasInput, AShapeThatItsBoundsExclude) {
    const InputSearch found = search(
        with("    T.func_attr({\"tir_var_upper_bound\": {\"n\": -1}})\n", "n", kStoreGuarded));
    EXPECT_EQ(found.found, HasInput::No);
}

TEST(HasInput, AssumptionsAreTriedByRuns) {
    EXPECT_EQ(search(with("    T.assume(A[0] < 7)\n", "4", kStoreGuarded)).found, HasInput::Yes);
    EXPECT_EQ(
        search(with("    T.assume(A[0] < 7)\n    T.assume(A[0] > 9)\n", "4", kStoreGuarded)).found,
        HasInput::NotFound);
}

// A program whose every run faults has no run that a theorem could speak of.
TEST(HasInput, RunsThatAllFault) {
    const auto faults = [](const char* body, const char* fault) {
        const InputSearch found = search(
            std::string("@T.prim_func\ndef f(A: T.Buffer((8,), \"int32\"), B: T.Buffer((8,), "
                        "\"int32\")):\n") +
            body);
        EXPECT_EQ(found.found, HasInput::NotFound) << body;
        EXPECT_THAT(found.fault, HasSubstr(fault)) << body;
        EXPECT_THAT(found.warning(), HasSubstr("inputs that were tried faults in the source"));
    };
    faults("    for i in range(8):\n        B[i] = A[i] // 0\n", "zero divisor");
    faults("    for i in range(10):\n        B[i] = A[i]\n", "out of bounds");
    faults(
        "    for i in range(10):\n        with T.block(\"a\"):\n"
        "            vi = T.axis.spatial(8, i)\n            B[vi] = A[vi]\n",
        "domain");
    faults(
        "    for i in range(8):\n        with T.block(\"a\"):\n"
        "            vi = T.axis.spatial(8, i)\n            T.reads(A[0])\n"
        "            T.writes(B[0])\n            B[vi] = A[vi]\n",
        "region");
}

// Trap: the first sizes that are tried are too small, and the program is in order.
TEST(HasInput, LargerSizesAreTriedAsWell) {
    const InputSearch found = search(with("", "n", "    A[9] = 1\n"));
    EXPECT_EQ(found.found, HasInput::Yes) << found.fault;
    EXPECT_EQ(found.warning(), "");
}

AuditReport audit_of_split(const std::string& text) {
    Derived d(text.c_str());
    const std::string site =
        d.derivation.source().body->as<ir::For>() != nullptr ? "body" : "body/2";
    EXPECT_EQ(d.apply("split", site.c_str(), Derived::split_by("3")), "");
    const Folder folder("has_input");
    EXPECT_TRUE(write_log(d.derivation, folder.str()).ok());
    ir::Context ctx;
    AuditOptions options;
    options.policy = "E1";
    options.discharge.use_cvc5 = false;
    return audit(ctx, folder.str(), options);
}

TEST(HasInput, AnAuditSaysThatATheoremIsEmpty) {
    const AuditReport report = audit_of_split(
        with("    T.func_attr({\"tir_var_upper_bound\": {\"n\": 3}, \"tir_var_lower_bound\": "
             "{\"n\": 5}})\n",
             "8", kStoreGuarded));
    EXPECT_EQ(report.exit(), AuditExit::Unknown) << report.text();
    EXPECT_THAT(report.text(), HasSubstr("VACUOUS: no input satisfies"));
    EXPECT_EQ(report.theorem, "");
    EXPECT_EQ(report.json()["inputs"]["exist"], "no");
}

TEST(HasInput, AnAuditSaysThatNoInputWasFound) {
    const AuditReport report = audit_of_split(
        with("    T.assume(A[0] < 7)\n    T.assume(A[0] > 9)\n", "4", kStoreGuarded));
    EXPECT_EQ(report.exit(), AuditExit::Verified) << report.text();
    EXPECT_THAT(report.theorem, HasSubstr("none was found"));
}

}  // namespace
}  // namespace proviso::verify
