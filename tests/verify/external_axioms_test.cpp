// What code calls in the place of blocks is listed with the theorem, by the audit itself.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/verify/logs.h"
#include "verify/log/duty_lines.h"

namespace proviso::verify {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr const char* kProgram = R"py(@T.prim_func
def f(A: T.Buffer((6,), "float32"), B: T.Buffer((6,), "float32")):
    for i in range(3):
        with T.block("twice"):
            T.block_attr({"proviso.extern": {"arguments": ["Y", "X"], "description": "a text", "result": "void", "symbol": "twice2"}})
            for k in range(2):
                B[i * 2 + k] = A[i * 2 + k] * T.float32(2.0)
    with T.block("other"):
        T.block_attr({"proviso.extern": 3})
        B[0] = T.float32(1.0)
)py";

constexpr const char* kFirst = "external `twice2` does what block \"twice\" says, at body/0/body";

TEST(ExternalAxioms, AreListedWithTheTheorem) {
    Derived d(kProgram);
    const Folder folder("external_axioms");
    ASSERT_TRUE(write_log(d.derivation, folder.str()).ok());
    const AuditReport report = audit_by_certificates(folder.path);
    ASSERT_EQ(report.exit(), AuditExit::Verified) << report.text(true);
    EXPECT_THAT(report.theorem,
                HasSubstr("refines\n  program " + report.source_hash +
                          "\nCode of the final program does what that says, provided that\n  X1  " +
                          kFirst + "\n  X2  external `` does what block \"other\""));
    EXPECT_THAT(lines_of(report.duties),
                ElementsAre(kFirst, "external `` does what block \"other\" says, at body/1"));
    EXPECT_EQ(
        report.json()["external"][0],
        json({{"id", "X1"}, {"symbol", "twice2"}, {"block", "twice"}, {"site", "body/0/body"}}));
}

// Trap: a log that keeps quiet about one.
TEST(ExternalAxioms, AreNotBelievedOfALog) {
    Derived d(kProgram);
    const Folder folder("external_axioms_hidden");
    ASSERT_TRUE(write_log(d.derivation, folder.str()).ok());
    std::map<std::string, std::string> files = contents(folder.path);
    json run = json::parse(files.at(kRunFile));
    ASSERT_EQ(run["predicate"]["external"].size(), 2U);
    for (const bool all : {false, true}) {
        if (all) {
            run["predicate"].erase("external");
        } else {
            run["predicate"]["external"].erase(0);
        }
        files[kRunFile] = canonical(run) + "\n";
        files[kRunDigestFile] = digest_hex(digest(files[kRunFile])) + "\n";
        put(folder.path, files);
        EXPECT_TRUE(names(quick_audit(folder.path), kRunFile));
    }
}

// Trap: a name that ends the sentence, and says more.
TEST(ExternalAxioms, NamesSayNothingMore) {
    const ExternalAxiom axiom{"X1", "f` does that\n\nNot checked:", "a\" says\n", "body"};
    EXPECT_EQ(axiom.str(),
              "external `f' does that\\n\\nNot checked:` does what block \"a\\\" says\\n\" says, "
              "at body");
}

// A program that calls nothing has the log that it had before there were such calls.
TEST(ExternalAxioms, NoneLeaveNoTrace) {
    const json run = json::parse(example_log().at(kRunFile));
    EXPECT_FALSE(run["predicate"].contains("external"));
}

}  // namespace
}  // namespace proviso::verify
