// What goes into a page stays text, whatever a log holds.
#include "tools/page/html.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tools/page/record.h"

namespace proviso::tools {
namespace {

using nlohmann::json;

// Trap: a name from a log closes the element that it stands in.
TEST(PageText, IsNoMarkup) {
    EXPECT_EQ(html_text("a</script><img src=x onerror='f(\"&\")'>"),
              "a&#60;/script&#62;&#60;img src=x onerror=&#39;f(&#34;&#38;&#34;)&#39;&#62;");
    EXPECT_EQ(html_text("line\nline"), "line\nline");
    EXPECT_EQ(html_text("\xc3\xbc \xe2\x80\xa6 \xf0\x9f\x98\x80"), "&#252; &#8230; &#128512;");
}

// Trap: a character that turns the direction of writing makes a text look like another one.
TEST(PageText, HidesNothing) {
    EXPECT_EQ(html_text("a\xe2\x80\xae"
                        "b\xe2\x80\x8b\x1b\x7f"),
              "a\\u202eb\\u200b\\u001b\\u007f");
    EXPECT_EQ(html_text("a\xff"
                        "b"),
              "a&#65533;b");  // no UTF-8
    EXPECT_EQ(html_text(std::string("\0", 1)), "\\u0000");
}

// Trap: JSON in a script element ends where HTML says, not where JSON does.
TEST(PageText, JsonEndsNoScript) {
    const json value{{"</script>", "<!-- & \xe2\x80\xa8 \xff"}};
    const std::string text = script_json(value);
    EXPECT_EQ(text.find_first_of("<>&"), std::string::npos) << text;
    for (const char c : text) EXPECT_LT(static_cast<unsigned char>(c), 0x80) << text;
    EXPECT_EQ(json::parse(text), (json{{"</script>", "<!-- & \xe2\x80\xa8 \xef\xbf\xbd"}}));
}

// As `printf '' | openssl dgst -sha256 -binary | base64`, and of "abc".
TEST(PageText, HashesForThePolicy) {
    EXPECT_EQ(policy_hash(""), "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=");
    EXPECT_EQ(policy_hash("abc"), "sha256-ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=");
}

TEST(PageRecord, ALoggedScheduleIsTakenApart) {
    const std::vector<ScheduleCall> calls{{"split", "", 2, 0, 3}, {"tile", "t.sch.py", 7, 4, 1}};
    const std::string logged =
        with_calls("a()\nb()\n\n# imported: t.sch.py sha256:00\ndef tile(): pass\n", calls);
    const json seen = schedule_json(logged);
    EXPECT_EQ(seen.at("text"), "a()\nb()\n");
    EXPECT_EQ(seen.at("imported"),
              json::parse(R"([{"name": "t.sch.py", "text": "def tile(): pass\n"}])"));
    EXPECT_EQ(seen.at("calls"), calls_json(calls));
    EXPECT_EQ(seen.at("calls").at(1).at("caller"), 4);
    EXPECT_EQ(with_calls("", calls), "");
    EXPECT_EQ(schedule_json("a()").at("calls"), json());
    // A line that only looks like it.
    for (const char* line :
         {"# calls: 7", "# calls: [1]", "# calls: [{\"line\": \"x\"}]", "# calls: ["}) {
        const json other = schedule_json(std::string("a()\n") + line + "\n");
        EXPECT_EQ(other.at("text"), "a()\n") << line;
        EXPECT_TRUE(other.at("calls").empty()) << line;
    }
}

// Trap: a log that is broken has anything in its lines.
TEST(PageRecord, LinesThatAreNoneAreShownEmpty) {
    const auto check = [](const std::string&) { return json(); };
    for (const char* line : {"", "[]", "7", "{\"edits\": 7, \"obligations\": 8, \"licences\": [1]}",
                             "{\"obligations\": [3, {\"purpose\": 1}], \"rule\": []}"}) {
        const json steps = steps_json({line}, check);
        ASSERT_EQ(steps.size(), 1U) << line;
        EXPECT_EQ(steps.at(0).at("rule"), "") << line;
        EXPECT_EQ(steps.at(0).at("edits"), json()) << line;
        const json refusals = refusals_json({line});
        EXPECT_EQ(refusals.at(0).at("message"), "") << line;
    }
}

}  // namespace
}  // namespace proviso::tools
