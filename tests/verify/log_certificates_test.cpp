// Audits by certificates: enough on their own, and every one that was changed is found.
#include <gtest/gtest.h>

#include <cstdlib>

#include "tests/verify/logs.h"

namespace proviso::verify {
namespace {

// Every obligation of the example has a certificate: no solver is needed, not even to answer.
TEST(Audit, CertificatesAlone) {
    const Folder folder("audit_certificates");
    put(folder.path, example_log());
    const AuditReport report = audit_by_certificates(folder.path);
    EXPECT_EQ(report.exit(), AuditExit::Verified) << report.text(true);
    EXPECT_EQ(report.graded(3), report.checks.size());
    EXPECT_GT(report.checks.size(), 3U);
    for (const ObligationCheck& c : report.checks) {
        EXPECT_TRUE(c.certificate.accepted);
        EXPECT_FALSE(c.z3.asked || c.cvc5.asked);
    }
    EXPECT_EQ(report.json()["counts"]["proved_e3"], report.checks.size());
}

TEST(Audit, SolversMayBeAskedAsWell) {
    const Folder folder("audit_all");
    put(folder.path, example_log());
    ir::Context ctx;
    AuditOptions options;
    options.validate = false;
    options.discharge.use_cvc5 = false;
    options.discharge.ask_certified = true;
    for (const ObligationCheck& c : audit(ctx, folder.str(), options).checks) {
        EXPECT_TRUE(c.certificate.accepted);
        EXPECT_EQ(c.z3.verdict, analysis::Verdict::Proved);
    }
}

// The policy E3 is not met where a certificate is missing, whatever the solvers say.
TEST(Audit, SolversDoNotMeetThePolicyOfCertificates) {
    Derived d;
    d.take_steps();
    const Folder folder("audit_uncertified");
    LogOptions without;
    without.certificates = false;
    without.policy = "E3";
    ASSERT_TRUE(write_log(d.derivation, folder.str(), without).ok());
    ir::Context ctx;
    AuditOptions options;
    options.validate = false;
    EXPECT_EQ(audit(ctx, folder.str(), options).exit(), AuditExit::Verified);
    options.policy = "E3";
    EXPECT_EQ(audit(ctx, folder.str(), options).exit(), AuditExit::Failed);
}

// Programs are looked for in this folder alone, for as long as this lives.
class OnlyPath {
  public:
    explicit OnlyPath(const std::string& folder) : before_(std::getenv("PATH")) {
        ::setenv("PATH", folder.c_str(), 1);
    }
    ~OnlyPath() { ::setenv("PATH", before_.c_str(), 1); }
    OnlyPath(const OnlyPath&) = delete;
    OnlyPath& operator=(const OnlyPath&) = delete;

  private:
    std::string before_;
};

// Solvers are programs. One that is absent proves nothing, and what rests on it is not verified; a
// certificate rests on none.
TEST(Audit, ASolverThatIsAbsentIsNoPass) {
    const Folder folder("audit_absent");
    put(folder.path, example_log());
    const Folder bin("audit_absent_bin");
    fs::create_directory(bin.path);
    AuditOptions options;
    options.validate = false;
    options.discharge.use_certificates = false;
    const auto audited = [&](const std::string& policy) {
        ir::Context ctx;
        options.policy = policy;
        return audit(ctx, folder.str(), options);
    };
    const OnlyPath path(bin.str());
    const AuditReport neither = audited("E1");
    EXPECT_EQ(neither.exit(), AuditExit::Unknown) << neither.text(true);
    EXPECT_TRUE(neither.theorem.empty());
    for (const ObligationCheck& c : neither.checks) {
        EXPECT_EQ(c.grade(), 0);
        EXPECT_EQ(c.z3.why, "z3 not installed");
        EXPECT_EQ(c.cvc5.why, "cvc5 not installed");
    }
    fs::create_symlink("/usr/bin/z3", bin.path / "z3");
    EXPECT_EQ(audited("E1").exit(), AuditExit::Verified);
    const AuditReport one = audited("E2");
    EXPECT_EQ(one.exit(), AuditExit::Failed) << one.text(true);
    EXPECT_EQ(one.graded(1), one.checks.size());
    fs::remove(bin.path / "z3");
    options.discharge.use_certificates = true;
    EXPECT_EQ(audited("E3").exit(), AuditExit::Verified);
}

// Nor is one that says what no solver says.
TEST(Audit, ASolverThatSaysSomethingElseIsNoPass) {
    const Folder folder("audit_babble");
    put(folder.path, example_log());
    const Folder bin("audit_babble_bin");
    fs::create_directory(bin.path);
    AuditOptions options;
    options.policy = "E1";
    options.validate = false;
    options.discharge.use_certificates = false;
    options.discharge.use_cvc5 = false;
    for (const char* says :
         {"exit 0", "echo unsatisfiable", "echo ' unsat'", "echo warning; echo unsat",
          "echo '(error \"line 1\")'; echo unsat", "echo timeout", "kill -9 $$"}) {
        for (const char* name : {"z3", "cvc5"}) {
            write_all(bin.path / name, "#!/bin/sh\n" + std::string(says) + "\n");
            fs::permissions(bin.path / name, fs::perms::owner_all);
        }
        const OnlyPath path(bin.str());
        ir::Context ctx;
        const AuditReport report = audit(ctx, folder.str(), options);
        EXPECT_EQ(report.exit(), AuditExit::Unknown) << says << "\n" << report.text(true);
        EXPECT_EQ(report.graded(1) + report.graded(2), 0U) << says;
    }
}

// Every certificate of the example: another one, another obligation's, none, or one for an
// obligation that does not occur. All hashes fit.
TEST(Audit, TamperedCertificatesAreFound) {
    const Folder folder("audit_tampered");
    const json run = json::parse(example_log().at(kRunFile));
    const json& list = run["predicate"]["certificates"];
    ASSERT_GT(list.size(), 3U);
    // Other objects and another list of certificates, everything else as it has to be.
    const auto write = [&](const Objects& store, const json& certificates) {
        auto files = with_objects(example_log(), store);
        json changed = run;
        changed["predicate"]["certificates"] = certificates;
        json objects = json::array();
        for (const auto& [hex, bytes] : store) objects.push_back(hex);
        changed["predicate"]["objects"] = objects;
        files[kRunFile] = canonical(changed) + "\n";
        files[kRunDigestFile] = digest_hex(digest(files[kRunFile])) + "\n";
        put(folder.path, files);
    };
    const std::string lie = "(certificate 1 (do (false 0)))";
    for (const auto& [id, certificate] : list.items()) {
        Objects store = objects_of(example_log());
        const std::string hex = digest_hex(certificate.get<std::string>());
        store[digest_hex(digest(lie))] = lie;
        json changed = list;
        changed[id] = digest(lie);
        const bool shared = std::count(list.begin(), list.end(), certificate) > 1;
        if (!shared) store.erase(hex);
        write(store, changed);
        const AuditReport report = audit_by_certificates(folder.path);
        EXPECT_EQ(report.exit(), AuditExit::Broken) << id;
        EXPECT_TRUE(names(report, kRunFile)) << report.text();
        EXPECT_NE(report.text().find("a certificate of " + id + " that is rejected"),
                  std::string::npos)
            << report.text();
    }
    // Left out: not wrong, but the policy is not met.
    json fewer = list;
    Objects store = objects_of(example_log());
    const std::string first = fewer.begin().key();
    const json gone = fewer[first];
    fewer.erase(first);
    if (std::count(fewer.begin(), fewer.end(), gone) == 0) {
        store.erase(digest_hex(gone.get<std::string>()));
    }
    write(store, fewer);
    EXPECT_EQ(audit_by_certificates(folder.path).exit(), AuditExit::Unknown);
    // One more than there are obligations.
    json more = list;
    more[digest("no obligation")] = list.begin().value();
    write(objects_of(example_log()), more);
    EXPECT_TRUE(names(audit_by_certificates(folder.path), kRunFile));
}

}  // namespace
}  // namespace proviso::verify
