// JUnit XML: well-formed whatever the texts hold, and failing where the command does.
#include "tools/junit/junit.h"
#include "tests/tools/log/log_fixture.h"
#include "verify/files/object_pack.h"

namespace proviso::tests {
namespace {

using testing::HasSubstr;
using testing::Not;

class JUnit : public LogCommands {
  protected:
    bool well_formed(const std::string& xml) {
        file("seen.xml", xml);
        return shell("xmllint --noout seen.xml").code == 0 &&
               shell("python3 -c 'import xml.dom.minidom as m; m.parse(\"seen.xml\")'").code == 0;
    }
    bool can_read_xml() { return shell("command -v xmllint && command -v python3").code == 0; }
    Seen audit(const std::string& options) {
        return shell(std::string(PROVISO_BINARY) + " audit log --junit audit.xml " + options);
    }
    std::string report() { return text_of(folder_ / "audit.xml"); }
};

TEST_F(JUnit, IsWellFormedWhateverTheTextsHold) {
    if (!can_read_xml()) GTEST_SKIP() << "xmllint or python3 is not installed";
    for (const std::string& text :
         {std::string("]]>"), std::string("<a href=\"x\">&amp;</a>"), std::string("a\0b", 3),
          std::string("\x01\x1b[2J\x7f\x80\xff"), std::string("\xed\xa0\x80 \xef\xbf\xbf \xc0\xaf"),
          std::string("\xf4\x90\x80\x80 \xf0\x9f\x98\x80 \xc3"), std::string("\n\t\r\"'"),
          std::string("--> <!-- <![CDATA["), std::string("&#0;&#x1;"),
          std::string("\xc2\x85 \xe2\x80\xa8 ü")}) {
        tools::JUnitSuite suite{
            text, text, {{text, text}}, {{text, "", "", ""}, {text, text, text, text}}};
        EXPECT_TRUE(well_formed(tools::junit_xml(suite))) << text;
    }
    const std::string xml =
        tools::junit_xml({"s", "g", {}, {{"]]>", "REFUTED", "a\nb", "\x1b and \xc3\xbc"}}});
    EXPECT_THAT(xml, HasSubstr("name=\"]]&gt;\""));
    EXPECT_THAT(xml, HasSubstr("message=\"a&#10;b\">\\x1b and ü</failure>"));
}

TEST_F(JUnit, HasACaseForEachStep) {
    const Seen seen = audit("");
    ASSERT_EQ(seen.code, 0) << seen.out;
    const std::string xml = report();
    EXPECT_THAT(xml, HasSubstr("<testsuites tests=\"" + std::to_string(steps().size() + 2) +
                               "\" failures=\"0\""));
    EXPECT_THAT(xml, HasSubstr("name=\"step 1: "));
    EXPECT_THAT(xml, HasSubstr("name=\"theorem\"/>"));
    EXPECT_THAT(xml, Not(HasSubstr("<failure")));
    EXPECT_TRUE(!can_read_xml() || well_formed(xml));
    audit("-j 1");
    EXPECT_EQ(report(), xml) << "no times, no order that changes";
}

// UNKNOWN is never a pass; what is broken fails, and so does what is below the policy.
TEST_F(JUnit, SomeCaseFailsWhereTheCommandDoes) {
    for (const auto& [options, code] :
         std::map<std::string, int>{{"--policy E9", 2}, {"--policy E3+v --no-validation", 2}}) {
        EXPECT_EQ(audit(options).code, code);
    }
    const Seen bad =
        shell("PATH=/nowhere " + std::string(PROVISO_BINARY) +
              " audit log --no-validation --policy E2 --ask-solvers --junit audit.xml");
    EXPECT_EQ(bad.code == 0, report().find("<failure") == std::string::npos) << bad.out;
    shell("sed -i '1s/\"seq\":0/\"seq\":7/' log/steps.jsonl");
    EXPECT_EQ(audit("").code, 2);
    EXPECT_THAT(report(),
                HasSubstr("type=\"BROKEN\" message=\"steps.jsonl:1: the line was changed"));
    EXPECT_THAT(report(), HasSubstr("name=\"theorem\">\n      <failure type=\"BROKEN\""));
    EXPECT_TRUE(!can_read_xml() || well_formed(report()));
}

// The log without its certificates, all hashes made to fit: nobody proves anything.
TEST_F(JUnit, ObligationsWithoutAProofFailInTheirSteps) {
    auto statement = nlohmann::json::parse(text_of(folder_ / "log" / "run.json"));
    nlohmann::json& predicate = statement["predicate"];
    verify::Objects objects =
        verify::unpack_objects(text_of(folder_ / "log" / "objects.pack")).objects;
    for (const auto& [id, certificate] : predicate["certificates"].items()) {
        objects.erase(certificate.get<std::string>().substr(7));
    }
    predicate["certificates"] = nlohmann::json::object();
    predicate["objects"] = nlohmann::json::array();
    for (const auto& [hex, bytes] : objects) predicate["objects"].push_back(hex);
    file("log/objects.pack", verify::pack_objects(objects));
    file("log/run.json", statement.dump() + "\n");
    file("log/run.sha256", ir::sha256_hex(statement.dump() + "\n") + "\n");
    const Seen seen = audit("--no-solvers --no-validation --policy E3");
    EXPECT_EQ(seen.code, 3) << seen.out << seen.err;
    const std::string xml = report();
    for (std::size_t n = 1; n <= steps().size(); ++n) {
        const std::size_t at = xml.find("name=\"step " + std::to_string(n) + ": ");
        ASSERT_NE(at, std::string::npos);
        const bool failed = xml.compare(xml.find('>', at) - 1, 2, "/>") != 0;
        EXPECT_EQ(failed, !steps()[n - 1]["obligations"].empty()) << n;
    }
    EXPECT_THAT(xml, HasSubstr("<failure type=\"UNKNOWN\" message=\""));
    EXPECT_THAT(xml, HasSubstr("name=\"theorem\">\n      <failure type=\"UNKNOWN\""));
}

TEST_F(JUnit, OfACheckFailsWhereTheCheckDoes) {
    file("q.py", R"(
@T.prim_func
def f(A: T.Buffer((27,), "float32"), B: T.Buffer((27,), "float32")):
    for i in range(27):
        B[i] = A[i] * T.float32(3)
)");
    EXPECT_EQ(run({"check", "p.py", "p.py", "--junit", "same.xml"}).code, 0);
    EXPECT_THAT(text_of(folder_ / "same.xml"), HasSubstr("tests=\"1\" failures=\"0\""));
    EXPECT_EQ(run({"check", "p.py", "q.py", "--junit", "other.xml"}).code, 1);
    EXPECT_THAT(text_of(folder_ / "other.xml"), HasSubstr("<failure type=\"REFUTED\""));
    EXPECT_TRUE(!can_read_xml() || well_formed(text_of(folder_ / "other.xml")));
    EXPECT_EQ(run({"check", "p.py", "q.py", "--junit", "q.py"}).code, 2);
}

TEST_F(JUnit, WritesOverNothingThatIsRead) {
    make_log("log.tar");
    const Seen seen = run({"audit", "log.tar", "--junit", "log.tar"});
    EXPECT_EQ(seen.code, 2);
    EXPECT_THAT(seen.err, HasSubstr("would write over log.tar"));
    EXPECT_EQ(run({"audit", "log.tar", "--no-validation"}).code, 0);
    EXPECT_EQ(run({"audit", "log", "--junit", "-"}).code, 2);
}

}  // namespace
}  // namespace proviso::tests
