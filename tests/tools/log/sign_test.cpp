// Signed logs on the command line, with keys that OpenSSL makes.
#include "tests/tools/log/log_fixture.h"

namespace proviso::tests {
namespace {

using testing::HasSubstr;

class SignedLogs : public LogCommands {
  protected:
    void SetUp() override {
        LogCommands::SetUp();
        if (shell("command -v openssl").code != 0) GTEST_SKIP() << "openssl is not installed";
        make_key("key");
        make_key("other");
    }
    void make_key(const std::string& name) {
        const Seen made =
            shell("openssl genpkey -algorithm ed25519 -out " + name + ".pem && openssl pkey -in " +
                  name + ".pem -pubout -out " + name + "_public.pem");
        ASSERT_EQ(made.code, 0) << made.err;
    }
    Seen audit(const std::string& log, const std::string& options) {
        return shell(std::string(PROVISO_AUDIT) + " " + log + " --no-validation " + options);
    }
};

TEST_F(SignedLogs, AreAuditedByTrustedKeys) {
    make_log("signed", {"--sign", "key.pem"});
    ASSERT_EQ(run({"log", "pack", "log", "log.tar.zst"}).code, 0);
    ASSERT_EQ(run({"log", "sign", "log.tar.zst", "--key", "key.pem"}).code, 0);
    ASSERT_EQ(run({"log", "sign", "log", "--key", "key.pem"}).code, 0);
    EXPECT_EQ(shell("diff -r log signed").code, 0) << "one way to sign";
    for (const char* log : {"signed", "log.tar.zst"}) {
        EXPECT_EQ(audit(log, "--trusted-key key_public.pem").code, 0);
        EXPECT_EQ(audit(log, "--trusted-key other_public.pem --trusted-key key_public.pem").code,
                  0);
        EXPECT_EQ(audit(log, "").code, 0);
        const Seen seen = audit(log, "--trusted-key other_public.pem");
        EXPECT_EQ(seen.code, 2);
        EXPECT_THAT(seen.out, HasSubstr("by none of the trusted keys: other_public.pem"));
    }
    // Packed and unpacked, a log keeps its signatures.
    ASSERT_EQ(run({"log", "unpack", "log.tar.zst", "again"}).code, 0);
    EXPECT_EQ(shell("diff -r log again").code, 0);
    EXPECT_THAT(run({"log", "ls", "again"}).out, HasSubstr("signatures of the statement"));
}

// OpenSSL itself finds the signature right, of the bytes that the protocol tells to sign.
TEST_F(SignedLogs, AreWhatOpensslChecks) {
    make_log("signed", {"--sign", "key.pem"});
    const auto envelope = nlohmann::json::parse(text_of(folder_ / "signed" / "run.dsse.json"));
    const std::string statement = text_of(folder_ / "signed" / "run.json");
    file("payload64", envelope["payload"].get<std::string>());
    EXPECT_EQ(shell("openssl base64 -d -A -in payload64").out, statement);
    file("sig64", envelope["signatures"][0]["sig"].get<std::string>());
    ASSERT_EQ(shell("openssl base64 -d -A -in sig64 -out sig").code, 0);
    file("message", "DSSEv1 28 application/vnd.in-toto+json " + std::to_string(statement.size()) +
                        " " + statement);
    const Seen seen = shell(
        "openssl pkeyutl -verify -pubin -inkey key_public.pem -rawin -in message -sigfile sig");
    EXPECT_EQ(seen.code, 0) << seen.out << seen.err;
}

// A replay: the signature of one log beside another.
TEST_F(SignedLogs, ASignatureOfAnotherLogIsNone) {
    make_log("signed", {"--sign", "key.pem"});
    file("s.py", "sch.split(sch.get_loops(\"twice\")[0], factors=[None, 8])\n");
    make_log("log");
    shell("cp signed/run.dsse.json log/");
    const Seen seen = audit("log", "--trusted-key key_public.pem");
    EXPECT_EQ(seen.code, 2);
    EXPECT_THAT(seen.out, HasSubstr("run.dsse.json: is about another statement than run.json"));
    EXPECT_EQ(audit("log", "").code, 2);
    EXPECT_EQ(run({"log", "sign", "log", "--key", "key.pem"}).code, 2);
}

TEST_F(SignedLogs, KeysThatCannotSignAreRefusedBeforeAnyWork) {
    shell("openssl genpkey -algorithm ed25519 -aes256 -pass pass:secret -out locked.pem");
    shell(
        "openssl genpkey -algorithm RSA -out rsa.pem 2>/dev/null && "
        "openssl pkey -in rsa.pem -pubout -out rsa_public.pem");
    shell("openssl genpkey -algorithm x25519 -out x.pem");
    file("empty.pem", "");
    std::filesystem::create_directory(folder_ / "folder.pem");
    for (const auto& [key, message] :
         std::map<std::string, std::string>{{"locked.pem", "is encrypted"},
                                            {"rsa.pem", "holds a key of RSA, not of Ed25519"},
                                            {"x.pem", "holds a key of X25519, not of Ed25519"},
                                            {"key_public.pem", "holds a public key"},
                                            {"empty.pem", "holds no private key"},
                                            {"folder.pem", "is a folder"},
                                            {"nowhere.pem", "cannot read nowhere.pem"}}) {
        const Seen lowered = run({"lower", "p.py", "--log", "new", "--sign", key, "--no-cache"});
        EXPECT_EQ(lowered.code, 2) << key;
        EXPECT_THAT(lowered.err, HasSubstr(message));
        EXPECT_FALSE(std::filesystem::exists(folder_ / "new")) << key;
        EXPECT_THAT(run({"log", "sign", "log", "--key", key}).err, HasSubstr(message));
    }
    EXPECT_EQ(run({"lower", "p.py", "--sign", "key.pem"}).code, 2) << "nothing to sign";
    for (const auto& [key, message] : std::map<std::string, std::string>{
             {"key.pem", "holds a private key"},
             {"rsa_public.pem", "holds a key of RSA, not of Ed25519"},
             {"empty.pem", "holds no public key"},
             {"nowhere.pem", "cannot read nowhere.pem"}}) {
        const Seen seen = audit("log", "--trusted-key " + key);
        EXPECT_EQ(seen.code, 2) << key;
        EXPECT_THAT(seen.err, HasSubstr(message));
    }
}

}  // namespace
}  // namespace proviso::tests
