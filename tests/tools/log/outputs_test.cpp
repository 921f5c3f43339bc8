// What commands write goes over nothing that they read, and into no proof log.
#include "tests/tools/log/log_fixture.h"

namespace {

using proviso::tests::LogCommands;
using proviso::tests::Seen;
using proviso::tests::text_of;
using testing::HasSubstr;

class Outputs : public LogCommands {
  protected:
    // Refused, with nothing written: the log still holds together.
    void refused(const std::vector<std::string>& words, const std::string& why) {
        const Seen seen = run(words);
        std::string line;
        for (const std::string& w : words) line += w + " ";
        EXPECT_EQ(seen.code, 2) << line << seen.out;
        EXPECT_THAT(seen.err, HasSubstr(why)) << line;
        const Seen audited = run({"audit", "log", "--no-validation"});
        EXPECT_EQ(audited.code, 0) << line << audited.out;
    }
    static std::vector<std::string> lower(const std::vector<std::string>& more) {
        std::vector<std::string> out = {"lower", "p.py", "-s", "s.py", "-q", "--no-cache"};
        out.insert(out.end(), more.begin(), more.end());
        return out;
    }
};

// Trap: an input is replaced by what is written, the private key among them.
TEST_F(Outputs, DoNotReplaceWhatIsRead) {
    ASSERT_EQ(shell("openssl genpkey -algorithm ed25519 -out k.pem").code, 0);
    ASSERT_EQ(shell("openssl pkey -in k.pem -pubout -out k.pub").code, 0);
    const std::string key = text_of(folder_ / "k.pem");
    for (const char* option : {"--report", "--trace"}) {
        refused(lower({"--log", "l", "--sign", "k.pem", option, "k.pem"}), "over k.pem");
        refused(lower({"--log", "l.tar", option, "l.tar"}), "over the proof log l.tar");
    }
    EXPECT_EQ(text_of(folder_ / "k.pem"), key);
    EXPECT_EQ(run({"log", "pack", "log", "log.tar"}).code, 0);
    for (const char* option : {"--html", "--junit"}) {
        refused({"audit", "log", option, "log/run.json"}, "into the proof log");
        refused({"audit", "log.tar", option, "log.tar"}, "would write over");
        refused({"audit", "log", "--trusted-key", "k.pub", option, "k.pub"}, "over k.pub");
        refused({"check", "p.py", "p.py", option, "p.py"}, "over p.py");
        refused({"check", "p.py", "p.py", "--log", "c.tar", option, "c.tar"}, "over the proof log");
    }
}

TEST_F(Outputs, AreDifferentFiles) {
    refused({"audit", "log", "--html", "x", "--junit", "./x"}, "is the file of");
    refused({"check", "p.py", "p.py", "--html", "x", "--junit", "x"}, "is the file of");
    refused(lower({"--report", "x", "--trace", "x"}), "is the file of --trace as well");
    refused(lower({"--emit", "ir", "-o", "made", "--report", "made/f.lowered.py"}),
            "would write over");
}

// Trap: a file among those of a log, of this command's or another's, which breaks it.
TEST_F(Outputs, StayOutOfLogs) {
    for (const char* option : {"--html", "--junit"}) {
        refused({"audit", "log", option, "log/x"}, "into the proof log");
        refused({"check", "p.py", "p.py", option, "log/x"}, "into the proof log");
        refused({"check", "p.py", "p.py", "--log", "new", option, "new/x"}, "into the proof log");
    }
    for (const char* option : {"--report", "--trace"}) {
        refused(lower({option, "log/x"}), "into the proof log");
    }
    refused(lower({"--log", "log/sub"}), "into the proof log");
    refused(lower({"--log", "log/x.tar"}), "into the proof log");
    refused(lower({"--emit", "ir", "-o", "log"}), "into the proof log");
    refused(lower({"--log", "log", "--emit", "ir", "-o", "log"}), "into the proof log");
    refused({"log", "pack", "log", "log/x.tar"}, "into the proof log");
    refused({"log", "unpack", "log", "log/sub"}, "into the proof log");
    refused({"log", "smt2", "log", "log"}, "into the proof log");
    refused({"check", "p.py", "p.py", "--log", "log/sub"}, "into the proof log");
}

// Trap: the name of a file in a log clears the screen and says VERIFIED.
TEST_F(Outputs, AuditsDoNotCommandTheTerminal) {
    file(
        "log/\x1b[2J\xc2\x9b"
        "1mline\nVERIFIED at policy E2",
        "");
    const Seen seen = run({"audit", "log"});
    EXPECT_EQ(seen.code, 2);
    EXPECT_THAT(seen.out, HasSubstr("\\x1b[2J\\xc2\\x9b1mline VERIFIED"));
    EXPECT_EQ(seen.out.find('\x1b'), std::string::npos);
    EXPECT_EQ(seen.out.find("\nVERIFIED"), std::string::npos);
}

TEST_F(Outputs, NumbersThatAreNoStepAreSaid) {
    for (const char* what : {"0", "99", "step:0"}) {
        const Seen seen = run({"show", "log", what});
        EXPECT_EQ(seen.code, 2);
        EXPECT_THAT(seen.err, HasSubstr("there is no step")) << what;
    }
}

}  // namespace
