// The audit of a proof log: it finds every change.
#include <gtest/gtest.h>

#include "ir/planted.h"
#include "tests/verify/logs.h"
#include "verify/harness/replay.h"

namespace proviso::verify {
namespace {

TEST(Audit, TheLogAsItIsHasNoProblem) {
    const Folder folder("audit_whole");
    put(folder.path, example_log());
    const AuditReport report = quick_audit(folder.path);
    EXPECT_TRUE(report.problems.empty()) << report.text();
    EXPECT_EQ(report.exit(), AuditExit::Unknown);  // no solver was asked
    EXPECT_TRUE(report.theorem.empty());
}

// What is read is printed and compared: a reader that takes `+` for `-` is no way to a theorem
// about another program than the one in the log.
TEST(Audit, AProgramThatIsMisreadIsNotAudited) {
    const Folder folder("log_misread");
    put(folder.path, example_log());
    ir::planted_fault() = "text:reads-plus-as-minus";
    const AuditReport report = quick_audit(folder.path);
    ir::planted_fault().clear();
    EXPECT_EQ(report.exit(), AuditExit::Broken);
    ASSERT_FALSE(report.problems.empty());
    EXPECT_EQ(report.problems[0].what, "is not in canonical form");
}

// A relation that the source brings along is an obligation like any other: certified, or asked.
TEST(Audit, LayoutsOfTheSourceAreDischarged) {
    constexpr const char* source = R"py(@T.prim_func
def f(A: T.Buffer((4, 4), "float32"), B: T.Buffer((14,), "float32")):
    T.func_attr({"proviso.layout": {"A": [{"index_type": "int32", "inverse": ["p * 4 + q"], "logical_shape": ["14"], "map": ["x // 4", "x % 4"], "pad": "T.float32(0.0)", "padding_by": "caller", "physical_vars": ["p", "q"], "vars": ["x"]}]}})
    for i in range(14):
        B[i] = A[i // 4, i % 4] + T.float32(1)
)py";
    Derived d(source);
    const Folder folder("log_layouts");
    ASSERT_TRUE(write_log(d.derivation, folder.str()).ok());
    const AuditReport report = audit_by_certificates(folder.path);
    EXPECT_EQ(report.exit(), AuditExit::Verified) << report.text(true);
    ASSERT_GE(report.brought.size(), 4U);
    EXPECT_EQ(report.brought[0].purpose.rfind("layout of A: ", 0), 0U);
    EXPECT_NE(report.text(true).find("layouts of the source"), std::string::npos);
    EXPECT_EQ(quick_audit(folder.path).exit(), AuditExit::Unknown);  // nobody is asked

    // The trap: no derivation starts from a wrong inverse, but a log can be written by hand.
    std::string text = source;
    text.replace(text.find("p * 4 + q"), 9, "p * 4 + q + 4");
    const Result<ir::Function> wrong = ir::parse_function(d.ctx, text, "<wrong>");
    ASSERT_TRUE(wrong.ok());
    const Record record = make_record(d.ctx, *wrong, {}, {}, RunClaims{"E1", "", {}, {}, {}});
    const std::string run = canonical(record.statement()) + "\n";
    std::map<std::string, std::string> files = {{kStepsFile, ""},
                                                {kRefusalsFile, ""},
                                                {kRunFile, run},
                                                {kRunDigestFile, digest_hex(digest(run)) + "\n"}};
    put(folder.path, with_objects(files, record.objects));
    ir::Context ctx;
    AuditOptions options;
    options.policy = "E1";
    options.discharge.use_cvc5 = false;
    EXPECT_EQ(audit(ctx, folder.str(), options).exit(), AuditExit::Failed);
}

TEST(Audit, EveryEditedDroppedOrSwappedLineIsNamed) {
    const Folder folder("audit_lines");
    for (const char* file : {kStepsFile, kRefusalsFile}) {
        const std::vector<std::string> lines = lines_of(example_log().at(file));
        for (std::size_t i = 0; i < lines.size(); ++i) {
            auto files = example_log();
            std::vector<std::string> edited = lines;
            edited[i].replace(edited[i].find("site"), 4, "sitf");
            files[file] = joined(edited);
            put(folder.path, files);
            EXPECT_TRUE(names(quick_audit(folder.path), file, i + 1)) << file << " edit " << i;

            std::vector<std::string> dropped = lines;
            dropped.erase(dropped.begin() + static_cast<std::ptrdiff_t>(i));
            files[file] = joined(dropped);
            put(folder.path, files);
            EXPECT_TRUE(names(quick_audit(folder.path), file, i + 1)) << file << " drop " << i;

            if (i + 1 < lines.size()) {
                std::vector<std::string> swapped = lines;
                std::swap(swapped[i], swapped[i + 1]);
                files[file] = joined(swapped);
                put(folder.path, files);
                EXPECT_TRUE(names(quick_audit(folder.path), file, i + 1)) << file << " swap " << i;
            }
            std::vector<std::string> doubled = lines;
            doubled.insert(doubled.begin() + static_cast<std::ptrdiff_t>(i), lines[i]);
            files[file] = joined(doubled);
            put(folder.path, files);
            EXPECT_TRUE(names(quick_audit(folder.path), file)) << file << " double " << i;
        }
    }
}

TEST(Audit, EveryFlippedByteIsFoundAndItsFileNamed) {
    const Folder folder("audit_bytes");
    put(folder.path, example_log());
    for (const auto& [name, bytes] : example_log()) {
        // A few places of each file; the last byte is the line feed.
        for (const std::size_t at : {std::size_t{0}, bytes.size() / 3, bytes.size() - 1}) {
            std::string flipped = bytes;
            flipped[at] = static_cast<char>(flipped[at] ^ 1);
            write_all(folder.path / name, flipped);
            const AuditReport report = quick_audit(folder.path);
            EXPECT_EQ(report.exit(), AuditExit::Broken) << name << " at " << at;
            const bool digest_file = name == kRunDigestFile;
            // Of an object it is the object that is named.
            const bool told = names(report, digest_file ? kRunFile : name) ||
                              (name == kObjectsFile &&
                               report.problems.at(0).file.rfind("object sha256:", 0) == 0);
            EXPECT_TRUE(told) << name << " at " << at << "\n" << report.text();
            write_all(folder.path / name, bytes);
        }
        fs::remove(folder.path / name);
        EXPECT_TRUE(names(quick_audit(folder.path), name)) << name << " removed";
        write_all(folder.path / name, bytes);
    }
    EXPECT_TRUE(quick_audit(folder.path).problems.empty());
}

// Found by files that are wrong: an empty statement with the hash of nothing.
TEST(Audit, FilesThatAreEmptyAreBroken) {
    const Folder folder("audit_empty");
    for (const char* name : {kRunFile, kRunDigestFile, kStepsFile, kObjectsFile}) {
        auto files = example_log();
        files[name] = "";
        if (name == std::string(kRunFile)) files[kRunDigestFile] = digest_hex(digest("")) + "\n";
        put(folder.path, files);
        EXPECT_EQ(quick_audit(folder.path).exit(), AuditExit::Broken) << name;
    }
}

TEST(Audit, EveryChangedOrMissingObjectIsNamed) {
    const Folder folder("audit_objects");
    const Objects whole = objects_of(example_log());
    ASSERT_GT(whole.size(), 10U);
    for (const auto& [hex, bytes] : whole) {
        Objects changed = whole;
        changed[hex][bytes.size() / 3] ^= 1;
        put(folder.path, with_objects(example_log(), changed));
        EXPECT_TRUE(names(quick_audit(folder.path), object_name(hex))) << hex << " changed";
        changed = whole;
        changed.erase(hex);
        put(folder.path, with_objects(example_log(), changed));
        const AuditReport report = quick_audit(folder.path);
        ASSERT_TRUE(names(report, object_name(hex))) << hex << " left out";
        EXPECT_EQ(report.problems[0].what, "is missing");
    }
}

// The file of objects has one form: nothing stands between them, none stands twice.
TEST(Audit, AStoreOfObjectsInAnotherFormIsBroken) {
    const Folder folder("audit_pack");
    const std::string pack = example_log().at(kObjectsFile);
    const std::size_t first = pack.find('\n') + 1;
    const std::size_t size = std::stoul(pack.substr(pack.find(' ') + 1));
    const std::string object = pack.substr(0, first + size + 1);
    const std::string hex = pack.substr(7, 64);
    const std::string body = pack.substr(first);
    const std::string head = "sha256:" + hex + " ";
    for (const auto& [trap, text] : std::map<std::string, std::string>{
             {"an object twice", object + pack},
             {"out of order", pack.substr(object.size()) + object},
             {"a blank line at the end", pack + "\n"},
             {"a blank line between", object + "\n" + pack.substr(object.size())},
             {"cut off", pack.substr(0, pack.size() - 2)},
             {"no line feed at the end", pack.substr(0, pack.size() - 1)},
             {"a size with a zero in front", head + "0" + pack.substr(head.size())},
             {"a size with a sign", head + "+" + pack.substr(head.size())},
             {"a size of no number", head + "\n" + body},
             {"a size that wraps", head + "18446744073709551615\n" + body},
             {"a size beyond all numbers", head + "99999999999999999999\n" + body},
             {"a size too small", head + std::to_string(size - 1) + "\n" + body},
             {"a size too large", head + std::to_string(size + 1) + "\n" + body},
             {"another hash function", "sha512:" + pack.substr(7)},
             {"a hash in capitals", "sha256:" + std::string(64, 'A') + pack.substr(71)}}) {
        auto files = example_log();
        files[kObjectsFile] = text;
        put(folder.path, files);
        const AuditReport report = quick_audit(folder.path);
        EXPECT_TRUE(names(report, kObjectsFile)) << trap << "\n" << report.text();
    }
}

TEST(Audit, ExtraFilesAndObjectsAreNamed) {
    const Folder folder("audit_extra");
    const auto& files = example_log();
    put(folder.path, files);
    write_all(folder.path / "notes.txt", "hello");
    EXPECT_TRUE(names(quick_audit(folder.path), "notes.txt"));
    fs::remove(folder.path / "notes.txt");
    Objects more = objects_of(files);
    more[ir::sha256_hex("hello")] = "hello";
    put(folder.path, with_objects(files, more));
    EXPECT_TRUE(names(quick_audit(folder.path), object_name(ir::sha256_hex("hello"))));
    put(folder.path, files);
    write_all(folder.path / kTimingFile, "{}\n");  // times are nobody's proof
    EXPECT_TRUE(quick_audit(folder.path).problems.empty());
}

// A forger who knows the format makes all hashes fit again.
std::map<std::string, std::string> consistently(std::map<std::string, std::string> files,
                                                std::vector<json> steps,
                                                const std::function<void(json&)>& edit_run) {
    std::vector<std::string> lines;
    std::string prev = chain_start();
    for (std::size_t i = 0; i < steps.size(); ++i) {
        steps[i]["prev"] = prev;
        steps[i]["seq"] = i;
        lines.push_back(canonical(steps[i]));
        prev = digest(lines.back());
    }
    files[kStepsFile] = joined(lines);
    json run = json::parse(files.at(kRunFile));
    run["predicate"]["steps"] = chain_summary(lines);
    edit_run(run);
    files[kRunFile] = canonical(run) + "\n";
    files[kRunDigestFile] = digest_hex(digest(files[kRunFile])) + "\n";
    return files;
}

std::vector<json> step_lines() {
    std::vector<json> out;
    for (const std::string& line : lines_of(example_log().at(kStepsFile))) {
        out.push_back(json::parse(line));
    }
    return out;
}

TEST(Audit, AConsistentForgeryIsFoundByRederivation) {
    const Folder folder("audit_forged");
    const auto forged = [&](const std::function<void(std::vector<json>&)>& edit_steps,
                            const std::function<void(json&)>& edit_run) {
        std::vector<json> steps = step_lines();
        edit_steps(steps);
        put(folder.path, consistently(example_log(), steps, edit_run));
        return quick_audit(folder.path);
    };
    const auto same_steps = [](std::vector<json>&) {};
    const auto same_run = [](json&) {};
    EXPECT_TRUE(forged(same_steps, same_run).problems.empty());

    const auto omit = [](std::vector<json>& s) {
        s[0]["obligations"].erase(s[0]["obligations"].begin());
    };
    EXPECT_TRUE(names(forged(omit, same_run), kStepsFile, 1)) << "an obligation left out";
    const auto swap = [](std::vector<json>& s) {
        std::swap(s[0]["obligations"][0], s[0]["obligations"][1]);
    };
    EXPECT_TRUE(names(forged(swap, same_run), kStepsFile, 1)) << "obligations in another order";
    const auto kind = [](std::vector<json>& s) { s[0]["obligations"][0]["kind"] = "order"; };
    EXPECT_TRUE(names(forged(kind, same_run), kStepsFile, 1)) << "another kind";
    const auto factor = [](std::vector<json>& s) { s[0]["args"]["factor"] = "5"; };
    EXPECT_TRUE(names(forged(factor, same_run), kStepsFile, 1)) << "another argument";
    const auto unread = [](std::vector<json>& s) { s[0]["args"]["zzz"] = 1; };
    EXPECT_TRUE(names(forged(unread, same_run), kStepsFile, 1)) << "an argument that is not read";
    const auto licence = [](std::vector<json>& s) { s[1]["licences"] = {"reassociate"}; };
    EXPECT_TRUE(names(forged(licence, same_run), kStepsFile, 2)) << "another licence";
    const auto drop_last = [](std::vector<json>& s) { s.pop_back(); };
    EXPECT_TRUE(names(forged(drop_last, same_run), kRunFile)) << "the last step cut off";
    const auto extra_key = [](std::vector<json>& s) { s[2]["comment"] = "trust me"; };
    EXPECT_TRUE(names(forged(extra_key, same_run), kStepsFile, 3)) << "an extra field";

    const auto edits = [](std::vector<json>& s) { s[1]["edits"][0][2] = "    pass\n"; };
    EXPECT_TRUE(names(forged(edits, same_run), kStepsFile, 2)) << "another change of the text";
    const auto beyond = [](std::vector<json>& s) { s[1]["edits"][0][0] = 1'000'000; };
    EXPECT_TRUE(names(forged(beyond, same_run), kStepsFile, 2)) << "a line that is not there";
    const auto no_edits = [](std::vector<json>& s) { s[1].erase("edits"); };
    EXPECT_TRUE(names(forged(no_edits, same_run), kStepsFile, 2)) << "no edits";
    const auto wide = [](std::vector<json>& s) {  // the same program, said with more words
        json& e = s[1]["edits"];
        e.push_back(json::array({e.back()[0].get<int>() + e.back()[1].get<int>(), 0, ""}));
    };
    EXPECT_TRUE(names(forged(wide, same_run), kStepsFile, 2)) << "an edit too many";
    const auto old = [](json& run) { run["predicate"]["log_version"] = 2; };
    const AuditReport refused = forged(same_steps, old);
    ASSERT_EQ(refused.problems.size(), 1U) << refused.text();
    EXPECT_EQ(refused.problems[0].str(),
              "run.json: is a log of version 2; only version 6 can be read: write the log again");

    const auto other_version = [](std::vector<json>& s) { s[1]["rule_version"] = 7; };
    const AuditReport other = forged(other_version, same_run);
    ASSERT_EQ(other.problems.size(), 1U) << other.text();
    EXPECT_EQ(other.problems[0].str(),
              "steps.jsonl:2: rule 'replace' was of version 7 when the log was made, and is of "
              "version 2 here: make the log again");
    const auto no_version = [](std::vector<json>& s) { s[1].erase("rule_version"); };
    EXPECT_TRUE(names(forged(no_version, same_run), kStepsFile, 2)) << "no version of the rule";
    const auto other_text = [](std::vector<json>& s) { s[1]["rule_hash"] = digest("replace"); };
    EXPECT_TRUE(names(forged(other_text, same_run), kStepsFile, 2)) << "another text of the rule";

    const auto no_axiom = [](json& run) { run["predicate"]["axioms"] = json::array(); };
    EXPECT_TRUE(names(forged(same_steps, no_axiom), kRunFile)) << "an axiom hidden";
    const auto semantics = [](json& run) { run["predicate"]["semantics"] = 1; };
    EXPECT_TRUE(names(forged(same_steps, semantics), kRunFile)) << "other semantics";
    const auto subject = [](json& run) {
        run["subject"][0]["digest"]["sha256"] = std::string(64, 'a');
    };
    EXPECT_TRUE(names(forged(same_steps, subject), kRunFile)) << "another output";
    const auto rules = [](json& run) { run["predicate"]["rule_table"] = digest("other rules"); };
    EXPECT_TRUE(names(forged(same_steps, rules), kRunFile)) << "other rules";
}

// A consumer of the statement takes any file with such a digest for what was verified.
TEST(Audit, SubjectsAreTheFilesThatTheyName) {
    const Folder folder("audit_subjects");
    const std::string final =
        json::parse(example_log().at(kRunFile))["subject"][0]["digest"]["sha256"];
    const auto with = [&](const std::string& name, const std::string& hex,
                          std::map<std::string, std::string> at_hand) {
        put(folder.path, consistently(example_log(), step_lines(), [&](json& run) {
                run["subject"].push_back({{"name", name}, {"digest", {{"sha256", hex}}}});
            }));
        AuditOptions options;
        options.policy = "E1";
        options.validate = false;
        options.discharge.use_cvc5 = false;
        options.artefacts = std::move(at_hand);
        ir::Context ctx;
        return audit(ctx, folder.str(), options);
    };
    const auto not_checked = [](const AuditReport& report, const std::string& what) {
        return std::any_of(report.not_checked.begin(), report.not_checked.end(),
                           [&](const NotChecked& n) { return n.what == what; });
    };
    const std::string zeros(64, '0');
    const AuditReport right = with("f.lowered.py", final, {});
    EXPECT_TRUE(right.problems.empty()) << right.text();
    EXPECT_FALSE(not_checked(right, "subject f.lowered.py"));
    EXPECT_TRUE(names(with("f.lowered.py", zeros, {}), kRunFile)) << "another program";
    EXPECT_TRUE(names(with("f.h", "none", {}), kRunFile)) << "no digest";
    const AuditReport other = with("f.\x1b[2J.h", zeros, {});
    EXPECT_TRUE(other.problems.empty()) << other.text();
    EXPECT_TRUE(not_checked(other, "subject f.\\u001b[2J.h")) << other.text();
    EXPECT_NE(other.text().find("Not checked:\n  subject f.\\u001b[2J.h: "), std::string::npos)
        << other.text();
    EXPECT_GT(other.text().find("Not checked:"), other.text().find("Theorem."));
    EXPECT_TRUE(names(with("f.h", zeros, {{"f.h", final}}), kRunFile)) << "another file at hand";
    EXPECT_TRUE(names(with("f.h", zeros, {{"g.h", zeros}}), kRunFile)) << "a file of no subject";
    const AuditReport given = with("f.h", zeros, {{"f.h", zeros}});
    EXPECT_TRUE(given.problems.empty()) << given.text();
    EXPECT_FALSE(not_checked(given, "subject f.h"));
}

// Whatever else the statement says of the run is listed, so that nobody takes it for checked.
TEST(Audit, WhatIsTakenAsItIsIsTold) {
    const Folder folder("audit_taken");
    put(folder.path, consistently(example_log(), step_lines(), [](json& run) {
            run["predicate"]["policy"] = "E3";
            run["predicate"]["versions"] = {{"z3", "9"}};
        }));
    const json told = quick_audit(folder.path).json()["not_checked"];
    for (const char* what : {"policy", "versions", "schedule", "evidence"}) {
        EXPECT_TRUE(
            std::any_of(told.begin(), told.end(), [&](const json& n) { return n["what"] == what; }))
            << what << " in " << told;
    }
}

TEST(Audit, BothSolversAndTheTheorem) {
    const Folder folder("audit_solvers");
    put(folder.path, example_log());
    ir::Context ctx;
    AuditOptions both;
    both.discharge.use_certificates = false;
    const AuditReport report = audit(ctx, folder.str(), both);
    EXPECT_EQ(report.exit(), AuditExit::Verified) << report.text(true);
    EXPECT_EQ(report.graded(2), report.checks.size());
    EXPECT_EQ(report.exit_code(), 0);
    EXPECT_NE(report.theorem.find("A1  T.assume(A[0] < T.float32(100"), std::string::npos)
        << report.theorem;
    EXPECT_EQ(report.json()["outcome"], "VERIFIED");
    for (const AuditedStep& step : report.steps) {
        ASSERT_TRUE(step.validation.has_value());
        EXPECT_EQ(step.validation->verdict, TvVerdict::Bounded) << step.validation->what;
    }
}

TEST(Audit, OneSolverDoesNotMeetThePolicyOfTwo) {
    const Folder folder("audit_policy");
    put(folder.path, example_log());
    ir::Context ctx;
    AuditOptions options;
    options.validate = false;
    options.discharge.use_certificates = false;
    options.discharge.use_cvc5 = false;
    EXPECT_EQ(audit(ctx, folder.str(), options).exit(), AuditExit::Failed);
    options.policy = "E1";
    const AuditReport report = audit(ctx, folder.str(), options);
    EXPECT_EQ(report.exit(), AuditExit::Verified) << report.text(true);
    options.policy = "E7";
    EXPECT_EQ(audit(ctx, folder.str(), options).exit(), AuditExit::Broken);
}

TEST(Audit, AnObligationLeftOutByTheKernelIsFound) {
    Derived d;
    ir::planted_fault() = "omit:";  // every obligation
    EXPECT_EQ(d.apply("split", "body/1", d.split_by("4")), "");
    ir::planted_fault().clear();
    const Folder folder("audit_planted");
    ASSERT_TRUE(write_log(d.derivation, folder.str()).ok());
    EXPECT_TRUE(names(quick_audit(folder.path), kStepsFile, 1));
}

TEST(Audit, ArtefactsAtHandMustBeTheSubjects) {
    Derived d;
    const Folder folder("audit_artefacts");
    LogOptions options;
    options.artefacts = {{"f.so", std::string(64, 'a')}};
    ASSERT_TRUE(write_log(d.derivation, folder.str(), options).ok());
    ir::Context ctx;
    AuditOptions given;
    given.artefacts = options.artefacts;
    EXPECT_TRUE(audit(ctx, folder.str(), given).problems.empty());
    given.artefacts["f.so"] = std::string(64, 'b');
    EXPECT_TRUE(names(audit(ctx, folder.str(), given), kRunFile));
    given.artefacts = {{"g.so", std::string(64, 'a')}};
    EXPECT_TRUE(names(audit(ctx, folder.str(), given), kRunFile));
}

// A padded derivation: both parameters in tiles of 4, the input padded with zeros by the caller,
// the output's padding written here.
TEST(Audit, LayoutsArePartOfTheTheorem) {
    Derived d;
    json tiles{{"buffer", "A"},
               {"shape", {"4", "4"}},
               {"vars", {"x"}},
               {"map", {"x // 4", "x % 4"}},
               {"physical_vars", {"p", "q"}},
               {"inverse", {"p * 4 + q"}},
               {"pad", "T.float32(0)"},
               {"names", {"pi", "pj"}}};
    EXPECT_EQ(d.apply("split", "body/1", d.split_by("4")), "");
    EXPECT_EQ(d.apply("relayout", "body", tiles), "");
    tiles["buffer"] = "B";
    tiles["names"] = {"bi", "bj"};
    tiles["boxes"] = json::array({json::array({json::array({"3", "4"}), json::array({"2", "4"})})});
    tiles["after"] = "body/2";
    EXPECT_EQ(d.apply("relayout", "body", tiles), "");
    ASSERT_EQ(d.derivation.steps().size(), 3U);
    const Folder folder("audit_layouts");
    ASSERT_TRUE(write_log(d.derivation, folder.str()).ok());
    ir::Context ctx;
    const AuditReport report = audit(ctx, folder.str());
    EXPECT_EQ(report.exit(), AuditExit::Verified) << report.text(true);
    EXPECT_EQ(report.duties.relations.size(), 2U);
    EXPECT_NE(report.theorem.find("(provided by the caller)"), std::string::npos) << report.theorem;
    EXPECT_NE(report.theorem.find("(written here)"), std::string::npos) << report.theorem;
    for (const AuditedStep& step : report.steps) {
        EXPECT_EQ(step.validation->verdict, TvVerdict::Bounded) << step.validation->what;
    }
    // The derived program also runs as the contract says.
    const Result<ReplayResult> runs = replay(d.ctx, d.derivation.source(), d.derivation.current());
    ASSERT_TRUE(runs.ok()) << runs.error().str();
    EXPECT_FALSE(runs->found.has_value()) << runs->found->str();
    EXPECT_GT(runs->counted, 50U);
}

TEST(Audit, ANamelessFolderIsBroken) {
    ir::Context ctx;
    EXPECT_EQ(audit(ctx, "/nonexistent/log").exit(), AuditExit::Broken);
}

}  // namespace
}  // namespace proviso::verify
