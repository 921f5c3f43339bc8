// Manual pages and completions say what --help says: they are made from the same options. What
// bash would offer is asked of bash; zsh, fish, groff and mandoc are asked where they are.
#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <regex>

#include "tests/tools/commands.h"

namespace proviso::tests {
namespace {

using testing::HasSubstr;
using testing::IsSupersetOf;
using testing::UnorderedElementsAre;
using testing::UnorderedElementsAreArray;

using Words = std::vector<std::string>;

Words lines_of(const std::string& text) {
    Words out;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) out.push_back(line);
    return out;
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
    for (std::size_t at = text.find(from); at != std::string::npos;
         at = text.find(from, at + to.size())) {
        text.replace(at, from.size(), to);
    }
    return text;
}

// What --help lists: options by all their names, and where a value is one of some words, these.
struct Help {
    Words options;
    std::map<std::string, Words> words;  // option or number of the argument -> what it may be
};

Help read_help(const std::string& text) {
    Help out;
    int argument = 0;
    bool arguments = false;
    const std::regex braces(R"(:\{([^}]*)\})");
    for (const std::string& line : lines_of(text)) {
        if (line == "Positionals:") arguments = true;
        if (line == "Options:") arguments = false;
        if (line.size() < 3 || line.substr(0, 2) != "  " || line[2] == ' ') continue;
        const bool option = line[2] == '-';
        if (!option && !arguments) continue;
        std::istringstream names(line.substr(2, line.find(' ', 2) - 2));
        Words own;
        for (std::string name; option && std::getline(names, name, ',');) own.push_back(name);
        if (!option) own.push_back(std::to_string(++argument));
        if (option) out.options.insert(out.options.end(), own.begin(), own.end());
        std::smatch found;
        if (!std::regex_search(line, found, braces)) continue;
        std::istringstream values(found[1].str());
        for (std::string value; std::getline(values, value, ',');) {
            if (value == "...") continue;
            for (const std::string& name : own) out.words[name].push_back(value);
        }
    }
    return out;
}

class Manual : public Commands {
  protected:
    void SetUp() override {
        Commands::SetUp();
        for (const char* shell : {"bash", "zsh", "fish"}) {
            script_[shell] = run({"completions", shell}).out;
        }
        file("completions.bash", script_["bash"]);
        for (const std::string& line : lines_of(run({"--help"}).out)) {
            const bool entry = line.size() > 3 && line.substr(0, 2) == "  " && line[2] >= 'a';
            if (entry) commands_.push_back(line.substr(2, line.find(' ', 2) - 2));
        }
    }

    Help help(const std::string& command) { return read_help(run({command, "--help"}).out); }

    bool there_is(const std::string& program) { return shell("command -v " + program).code == 0; }

    // What bash offers for the last of the words, which it has split at `=` and `:` before.
    Words offers(const Words& words, const std::string& program = "proviso") {
        std::string line = "COMP_WORDS=(" + program;
        for (const std::string& w : words) line += " " + tests::quoted(w);
        line += "); COMP_CWORD=" + std::to_string(words.size()) +
                "; . ./completions.bash; _proviso; printf \"%s\\n\" \"${COMPREPLY[@]}\"";
        const Seen seen = shell("bash --norc -c " + tests::quoted(line));
        EXPECT_EQ(seen.code, 0) << line << "\n" << seen.err;
        EXPECT_EQ(seen.err, "") << line;
        Words out = lines_of(seen.out);
        if (out == Words{""}) out.clear();
        return out;
    }

    std::map<std::string, std::string> script_;
    Words commands_;
};

TEST_F(Manual, HasEachOptionOfEachCommand) {
    ASSERT_THAT(commands_, IsSupersetOf({"lower", "run", "audit", "man", "completions"}));
    for (const std::string& command : commands_) {
        const Seen page = run({"man", command});
        EXPECT_EQ(page.code, 0) << command;
        EXPECT_THAT(page.out, HasSubstr(".SH NAME\nproviso\\-" + command + " \\- "));
        const std::string text = replaced(page.out, "\\-", "-");
        const Help seen = help(command);
        EXPECT_THAT(seen.options, IsSupersetOf({"-h", "--help"})) << command;
        for (const std::string& name : seen.options) {
            EXPECT_THAT(text, HasSubstr("\\fB" + name + "\\fP")) << command;
        }
        for (const auto& [name, words] : seen.words) {
            for (const std::string& w : words) {
                EXPECT_THAT(text, HasSubstr("\\fB" + w + "\\fP")) << command << " " << name;
            }
        }
    }
}

TEST_F(Manual, ProgramsPageHasEachCommandAndExitCode) {
    const std::string page = run({"man"}).out;
    for (const std::string& command : commands_) {
        EXPECT_THAT(page, HasSubstr("\n.TP\n\\fB" + command + "\\fP\n"));
        EXPECT_THAT(page, HasSubstr("\\fBproviso\\-" + command + "\\fP(1)"));
    }
    for (const char* code : {"0", "1", "2", "3", "4"}) {
        EXPECT_THAT(page, HasSubstr(std::string("\n.TP\n\\fB") + code + "\\fP\n"));
    }
}

TEST_F(Manual, WritesAPageForEachCommand) {
    ASSERT_EQ(run({"man", "-o", "pages"}).code, 0);
    Words expected = {"proviso.1"};
    for (const std::string& command : commands_) expected.push_back("proviso-" + command + ".1");
    Words written;
    for (const auto& entry : std::filesystem::directory_iterator(folder_ / "pages")) {
        written.push_back(entry.path().filename().string());
    }
    EXPECT_THAT(written, UnorderedElementsAreArray(expected));
    EXPECT_EQ(text_of(folder_ / "pages" / "proviso-lower.1"), run({"man", "lower"}).out);
}

TEST_F(Manual, UnknownNamesAreErrors) {
    const Seen page = run({"man", "lowr"});
    EXPECT_EQ(page.code, 2);
    EXPECT_THAT(page.err, HasSubstr("no command 'lowr'\n  hint: did you mean `lower`?"));
    const Seen shell = run({"completions", "csh"});
    EXPECT_EQ(shell.code, 2);
    EXPECT_THAT(shell.err, HasSubstr("csh not in {bash,zsh,fish}"));
    EXPECT_EQ(run({"completions", "bash", "-o", "made/on/the/way"}).code, 0);
    EXPECT_EQ(run({"completions", "bash", "-o", "/proc/nowhere"}).code, 2);
}

TEST_F(Manual, PagesAreGoodTroff) {
    ASSERT_EQ(run({"man", "-o", "pages"}).code, 0);
    const bool groff = there_is("groff");
    const bool mandoc = there_is("mandoc");
    if (!groff && !mandoc) GTEST_SKIP() << "neither groff nor mandoc is installed";
    if (groff) {
        const Seen seen = shell("groff -man -Tutf8 -ww -z pages/*.1");
        EXPECT_EQ(seen.code, 0);
        EXPECT_EQ(seen.err, "");
        const Seen text = shell("groff -man -Tascii -P-cbu pages/proviso-lower.1");
        EXPECT_THAT(text.out, HasSubstr("       --schedule, -s FILE\n"));
        EXPECT_THAT(text.out, HasSubstr("proviso lower row_sum.py --schedule row_sum.sch.py"));
    }
    // Pages have no date: the same source gives the same bytes.
    if (mandoc) {
        EXPECT_EQ(shell("mandoc -Tlint -W warning pages/*.1 | grep -v 'missing date'").out, "");
    }
}

// --- completions ---------------------------------------------------------------------------------

TEST_F(Manual, BashOffersEachCommand) {
    EXPECT_THAT(offers({""}), IsSupersetOf(commands_));
    EXPECT_THAT(offers({"lo"}), UnorderedElementsAre("log", "lower"));
    EXPECT_THAT(offers({"--"}), UnorderedElementsAre("--help", "--version"));
}

TEST_F(Manual, BashOffersTheOptionsOfTheCommandAndNoOthers) {
    for (const std::string& command : commands_) {
        EXPECT_THAT(offers({command, "-"}), UnorderedElementsAreArray(help(command).options))
            << command;
    }
    EXPECT_THAT(offers({"lower", "--sch"}), UnorderedElementsAre("--schedule"));
    EXPECT_THAT(offers({"lower", "p.py", "-s", "x", "--no-v"}),
                UnorderedElementsAre("--no-validation"));
}

// proviso-audit is `proviso audit`, and so are its page and what is offered for it.
TEST_F(Manual, TheAuditProgramIsTheCommand) {
    EXPECT_THAT(offers({"-"}, "/usr/bin/proviso-audit"),
                UnorderedElementsAreArray(help("audit").options));
    EXPECT_THAT(offers({"log", "--policy", "E3"}, "proviso-audit"),
                UnorderedElementsAreArray(offers({"audit", "log", "--policy", "E3"})));
    EXPECT_THAT(script_["bash"], HasSubstr("\ncomplete -F _proviso proviso proviso-audit\n"));
    EXPECT_THAT(script_["zsh"], HasSubstr("#compdef proviso proviso-audit\n"));
    EXPECT_THAT(script_["fish"], HasSubstr("\ncomplete -c proviso-audit -l policy -x -a"));
    EXPECT_THAT(run({"man", "audit"}).out, HasSubstr(".B proviso audit\n\\fILOG\\fP\n"));
    EXPECT_THAT(run({"man", "audit"}).out, HasSubstr(".B proviso\\-audit\n\\fILOG\\fP\n"));
}

TEST_F(Manual, BashOffersTheWordsThatAValueMayBe) {
    std::size_t seen = 0;
    for (const std::string& command : commands_) {
        for (const auto& [name, words] : help(command).words) {
            ++seen;
            Words line = {command};
            for (int i = 1; name[0] != '-' && i < std::stoi(name); ++i) line.push_back("x");
            if (name[0] == '-') line.push_back(name);
            line.push_back("");
            EXPECT_THAT(offers(line), UnorderedElementsAreArray(words)) << command << " " << name;
        }
    }
    EXPECT_GE(seen, 6U);
    EXPECT_THAT(offers({"run", "--engine", "b"}), UnorderedElementsAre("both"));
    EXPECT_THAT(offers({"lower", "--emit", "ir,s"}), UnorderedElementsAre("ir,so"));
}

TEST_F(Manual, BashKeepsWhatItHasSplitOff) {
    // As bash calls it for --engine=b and cuda:s, and with nothing after the sign.
    EXPECT_THAT(offers({"run", "--engine", "=", "b"}), UnorderedElementsAre("both"));
    EXPECT_THAT(offers({"run", "--engine", "="}), UnorderedElementsAre("cpu", "interp", "both"));
    EXPECT_THAT(offers({"lower", "--target", "cuda", ":", "s"}), UnorderedElementsAre("sm_90"));
    EXPECT_THAT(offers({"lower", "--target", "cuda", ":"}), UnorderedElementsAre("sm_90"));
    EXPECT_THAT(offers({"lower", "--emit", "=", "ir,ll"}), UnorderedElementsAre("ir,llvm"));
    // And where somebody has told it not to split.
    EXPECT_THAT(offers({"run", "--engine=b"}), UnorderedElementsAre("--engine=both"));
}

TEST_F(Manual, BashOffersFilesAndFolders) {
    file("a program.py", "");
    std::filesystem::create_directory(folder_ / "a folder");
    EXPECT_THAT(offers({"lower", "a"}), UnorderedElementsAre("a program.py", "a folder"));
    EXPECT_THAT(offers({"lower", "--schedule", "a"}),
                UnorderedElementsAre("a program.py", "a folder"));
    EXPECT_THAT(offers({"lower", "--out", "a"}), UnorderedElementsAre("a folder"));
    // A log is a folder or a file.
    EXPECT_THAT(offers({"lower", "--log", "a"}), UnorderedElementsAre("a program.py", "a folder"));
    EXPECT_THAT(offers({"audit", "a"}), UnorderedElementsAre("a program.py", "a folder"));
    EXPECT_THAT(offers({"fmt", "x.py", "y.py", "a p"}), UnorderedElementsAre("a program.py"));
    EXPECT_THAT(offers({"run", "x.py", "--in", "A", "=", "a p"}),
                UnorderedElementsAre("a program.py"));
    EXPECT_THAT(offers({"prove", "a"}), UnorderedElementsAre());
    EXPECT_THAT(offers({"lower", "--symbol", "a"}), UnorderedElementsAre());
}

TEST_F(Manual, BashCountsArgumentsAndSkipsValues) {
    EXPECT_THAT(offers({"solve", "--var", "x", "inv"}), UnorderedElementsAre("invert"));
    EXPECT_THAT(offers({"solve", "bounds", "b"}), UnorderedElementsAre());
    EXPECT_THAT(offers({"rules", "--jobs", "2", "mu"}), UnorderedElementsAre("mutants"));
    EXPECT_THAT(offers({"fmt", "--", "--in"}), UnorderedElementsAre());
    EXPECT_THAT(offers({"nonsense", ""}), UnorderedElementsAre());
}

// A command's part of the script for zsh.
std::string zsh_part(const std::string& script, const std::string& command) {
    const std::size_t start = script.find("\n        " + command + ")\n");
    if (start == std::string::npos) return "";
    return script.substr(start, script.find(";;", start) - start);
}

TEST_F(Manual, ZshAndFishHaveEachOption) {
    for (const std::string& command : commands_) {
        const std::string zsh = zsh_part(script_["zsh"], command);
        std::string fish;
        for (const std::string& line : lines_of(script_["fish"])) {
            if (line.find("'__proviso_command " + command + "'") == std::string::npos) continue;
            fish += line + "\n";
        }
        for (const std::string& name : help(command).options) {
            const bool is_long = name.substr(0, 2) == "--";
            const bool seen = zsh.find(name + "[") != std::string::npos ||
                              zsh.find(name + (is_long ? "=[" : "+[")) != std::string::npos;
            EXPECT_TRUE(seen) << "zsh: " << command << " " << name;
            EXPECT_THAT(fish, HasSubstr(is_long ? " -l " + name.substr(2) + " "
                                                : " -s " + name.substr(1) + " "))
                << command;
        }
    }
}

TEST_F(Manual, ZshReadsItsCompletions) {
    if (!there_is("zsh")) GTEST_SKIP() << "zsh is not installed";
    file("_proviso", script_["zsh"]);
    const Seen seen = shell("zsh -n _proviso");
    EXPECT_EQ(seen.code, 0);
    EXPECT_EQ(seen.err, "");
}

TEST_F(Manual, FishOffersOptionsWordsAndFiles) {
    if (!there_is("fish")) GTEST_SKIP() << "fish is not installed";
    file("proviso.fish", script_["fish"]);
    file("program.py", "");
    const auto fish = [&](const std::string& line) {
        const Seen seen =
            shell("HOME=. fish --no-config -c " +
                  tests::quoted("source proviso.fish; complete -C " + tests::quoted(line)));
        EXPECT_EQ(seen.err, "") << line;
        Words out;
        for (const std::string& entry : lines_of(seen.out)) {
            out.push_back(entry.substr(0, entry.find('\t')));
        }
        return out;
    };
    EXPECT_THAT(fish("proviso "), UnorderedElementsAreArray(commands_));
    for (const std::string& command : commands_) {
        Words expected;
        for (const std::string& name : help(command).options) {
            if (name.substr(0, 2) == "--") expected.push_back(name);
        }
        // fish offers --name= beside --name where a value is asked for.
        Words offered = fish("proviso " + command + " --");
        for (std::string& name : offered) name = name.substr(0, name.find('='));
        std::sort(offered.begin(), offered.end());
        offered.erase(std::unique(offered.begin(), offered.end()), offered.end());
        EXPECT_THAT(offered, UnorderedElementsAreArray(expected)) << command;
    }
    EXPECT_THAT(fish("proviso run --engine b"), UnorderedElementsAre("both"));
    EXPECT_THAT(fish("proviso lower --emit ir,s"), UnorderedElementsAre("ir,so"));
    EXPECT_THAT(fish("proviso lower prog"), UnorderedElementsAre("program.py"));
    EXPECT_THAT(fish("proviso solve --var x inv"), UnorderedElementsAre("invert"));
    EXPECT_THAT(fish("proviso run x.py --in A=prog"), UnorderedElementsAre("A=program.py"));
}

}  // namespace
}  // namespace proviso::tests
