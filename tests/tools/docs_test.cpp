// The examples of the documentation, executed: every ```console block of docs/ and README.md.
//
//   ```console
//   $ proviso prove 'x > y'          a command, run by /bin/sh; a last `\` continues it
//   REFUTED by …                     what it prints, both streams as a terminal shows them
//   (exit code 1)                    absent: 0
//   ```
//
// `…` stands for any text within a line, and alone in a line for any number of lines. A page's
// commands run one after the other in one fresh copy of examples/, with tests/scenarios/ beside the
// files as scenarios/. In these pages and in the README.md of each folder, links and anchors are
// followed, and prose of more than 110 columns is an error.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace fs = std::filesystem;

namespace {

const std::string kAny = "…";

using Lines = std::vector<std::string>;

Lines lines_of(const std::string& text) {
    Lines out;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) out.push_back(line);
    return out;
}

std::string joined(const Lines& lines) {
    std::string out;
    for (const std::string& line : lines) out += line + "\n";
    return out;
}

// --- what a page expects -------------------------------------------------------------------------

struct Example {
    std::size_t line = 0;  // of the page, from 1
    std::string command;
    Lines output;
    int exit_code = 0;
};

// "(exit code 1)" gives 1; -1 for any other line.
int exit_code_line(const std::string& line) {
    const std::string start = "(exit code ";
    if (line.rfind(start, 0) != 0 || line.back() != ')') return -1;
    return std::atoi(line.c_str() + start.size());
}

std::vector<Example> examples_of(const std::string& page) {
    std::vector<Example> out;
    bool inside = false;
    bool continued = false;
    std::size_t number = 0;
    for (const std::string& line : lines_of(page)) {
        ++number;
        if (line.rfind("```", 0) == 0) {
            inside = !inside && line == "```console";
            continued = false;
            continue;
        }
        if (!inside) continue;
        if (continued) {
            out.back().command += "\n" + line;
        } else if (line.rfind("$ ", 0) == 0) {
            out.push_back(Example{number, line.substr(2), {}, 0});
        } else if (!out.empty() && exit_code_line(line) >= 0) {
            out.back().exit_code = exit_code_line(line);
        } else if (!out.empty()) {
            out.back().output.push_back(line);
        }
        continued = (continued || line.rfind("$ ", 0) == 0) && !line.empty() && line.back() == '\\';
    }
    return out;
}

// --- comparing -----------------------------------------------------------------------------------

bool line_matches(std::string_view pattern, std::string_view line) {
    const std::size_t any = pattern.find(kAny);
    if (any == std::string_view::npos) return pattern == line;
    if (line.substr(0, any) != pattern.substr(0, any)) return false;
    const std::string_view rest = pattern.substr(any + kAny.size());
    for (std::size_t from = any; from <= line.size(); ++from) {
        if (line_matches(rest, line.substr(from))) return true;
    }
    return false;
}

// In time with the product of both: a page whose output is another one must be told, not searched.
bool matches(const Lines& expected, const Lines& seen) {
    // Whether the lines expected so far match the first `s` lines seen.
    std::vector<bool> match(seen.size() + 1, false);
    match[0] = true;
    for (const std::string& line : expected) {
        std::vector<bool> next(match.size(), false);
        for (std::size_t s = 0; s < match.size(); ++s) {
            if (line == kAny) {
                next[s] = match[s] || (s > 0 && next[s - 1]);
            } else {
                next[s] = s > 0 && match[s - 1] && line_matches(line, seen[s - 1]);
            }
        }
        match = std::move(next);
    }
    return match.back();
}

// --- running -------------------------------------------------------------------------------------

struct Seen {
    Lines output;
    int exit_code = -1;
};

// By /bin/sh on a terminal of its own, so that both streams come in the order a reader would see.
Seen run_on_terminal(const std::string& command, const fs::path& folder) {
    termios raw{};
    raw.c_cflag = CS8 | CREAD | CLOCAL;
    raw.c_cc[VMIN] = 1;
    int terminal = -1;
    const pid_t child = forkpty(&terminal, nullptr, &raw, nullptr);
    if (child == 0) {
        if (chdir(folder.c_str()) != 0) _exit(126);
        execl("/bin/sh", "sh", "-c", command.c_str(), static_cast<char*>(nullptr));
        _exit(127);
    }
    Seen out;
    if (child < 0) return out;
    std::string text;
    std::array<char, 4096> bytes{};
    while (true) {
        const ssize_t n = read(terminal, bytes.data(), bytes.size());
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) break;  // EIO: the last program on the terminal has ended
        text.append(bytes.data(), static_cast<std::size_t>(n));
    }
    close(terminal);
    int status = 0;
    waitpid(child, &status, 0);
    out.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    for (const std::string& line : lines_of(text)) {  // progress overwrites itself
        const std::size_t last = line.find_last_of('\r');
        out.output.push_back(last == std::string::npos ? line : line.substr(last + 1));
    }
    return out;
}

std::string read_text(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    std::stringstream out;
    out << in.rdbuf();
    return out.str();
}

// A fresh copy of examples/, with `proviso`, `proviso-audit` and `proviso-certcheck` on PATH.
class Workplace {
  public:
    Workplace() {
        std::string name = (fs::temp_directory_path() / "proviso-docs-XXXXXX").string();
        root_ = mkdtemp(name.data());
        fs::create_directory(root_ / "bin");
        fs::create_symlink(PROVISO_BINARY, root_ / "bin" / "proviso");
        fs::create_symlink(PROVISO_AUDIT, root_ / "bin" / "proviso-audit");
        fs::create_symlink(PROVISO_CERTCHECK, root_ / "bin" / "proviso-certcheck");
        const fs::path source = PROVISO_SOURCE_DIR;
        fs::copy(source / "examples", folder(), fs::copy_options::recursive);
        fs::copy(source / "tests" / "scenarios", folder() / "scenarios",
                 fs::copy_options::recursive);
        const char* path = std::getenv("PATH");
        const std::string old = path == nullptr ? "/usr/bin:/bin" : path;
        setenv("PROVISO_CACHE", (root_ / "cache").c_str(), 1);
        setenv("NO_COLOR", "1", 1);  // pages have no colours
        setenv("PATH", ((root_ / "bin").string() + ":" + old).c_str(), 1);
    }
    ~Workplace() {
        std::error_code ignored;
        fs::remove_all(root_, ignored);
    }
    Workplace(const Workplace&) = delete;
    Workplace& operator=(const Workplace&) = delete;

    fs::path folder() const { return root_ / "examples"; }

  private:
    fs::path root_;
};

// Markdown files below a folder of the sources, relative to their root, in order.
std::vector<std::string> pages_below(const std::string& folder) {
    const fs::path root = PROVISO_SOURCE_DIR;
    std::vector<std::string> out;
    for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
        if (entry.path().extension() == ".md") {
            out.push_back(fs::relative(entry.path(), root).string());
        }
    }
    std::sort(out.begin(), out.end());
    return out;
}

std::vector<std::string> pages() {
    std::vector<std::string> out = {"README.md"};
    for (const std::string& page : pages_below("docs")) out.push_back(page);
    return out;
}

// pages(), and the README.md of each folder of the sources.
std::vector<std::string> all_pages() {
    std::vector<std::string> out = pages();
    for (const char* folder : {"analysis", "backend", "bench", "examples", "fuzz", "ir", "rewrite",
                               "schedules", "tests", "tools", "verify"}) {
        for (const std::string& page : pages_below(folder)) out.push_back(page);
    }
    return out;
}

class Docs : public testing::TestWithParam<std::string> {};

TEST_P(Docs, ExamplesPrintWhatThePageSays) {
    const Workplace place;
    for (const Example& e : examples_of(read_text(fs::path(PROVISO_SOURCE_DIR) / GetParam()))) {
        const Seen seen = run_on_terminal(e.command, place.folder());
        const std::string where = GetParam() + ":" + std::to_string(e.line) + ": " + e.command;
        EXPECT_EQ(seen.exit_code, e.exit_code) << where << "\n" << joined(seen.output);
        EXPECT_TRUE(matches(e.output, seen.output)) << where << "\n--- the page says\n"
                                                    << joined(e.output) << "--- it prints\n"
                                                    << joined(seen.output);
    }
}

INSTANTIATE_TEST_SUITE_P(Pages, Docs, testing::ValuesIn(pages()), [](const auto& page) {
    // docs/lower.md is "lower"; docs/README.md is "docs_README".
    const fs::path path = fs::path(page.param).replace_extension();
    const bool index = path.stem() == "README";
    std::string name;
    for (const char c : index ? path.string() : path.stem().string()) {
        name += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
    }
    return name;
});

// The lines of a page that are no code: those of ``` blocks are empty here.
Lines prose_of(const std::string& page) {
    Lines out;
    bool code = false;
    for (const std::string& line : lines_of(page)) {
        const std::size_t start = line.find_first_not_of(' ');
        const bool fence = start != std::string::npos && line.compare(start, 3, "```") == 0;
        if (fence) code = !code;
        out.push_back(code || fence ? "" : line);
    }
    return out;
}

// The anchors of a page's headings, as code hosts make them: lower case, words joined by `-`, other
// punctuation dropped, `-1` after the second of two that are equal.
std::set<std::string> anchors_of(const std::string& page) {
    std::set<std::string> out;
    for (const std::string& line : prose_of(page)) {
        const std::size_t start = line.find_first_not_of('#');
        if (start == 0 || start == std::string::npos || line[start] != ' ') continue;
        std::string anchor;
        for (const char c : line.substr(start + 1)) {
            const auto u = static_cast<unsigned char>(c);
            if (c == ' ') anchor += '-';
            if (std::isalnum(u) != 0 || c == '-' || c == '_' || u >= 0x80) {
                anchor += static_cast<char>(std::tolower(u));
            }
        }
        std::string unique = anchor;
        for (int k = 1; !out.insert(unique).second; ++k) unique = anchor + "-" + std::to_string(k);
    }
    return out;
}

// Targets of the links of a page: what stands in `](…)` outside of code.
std::vector<std::string> links_of(const std::string& page) {
    const std::string text = joined(prose_of(page));
    std::vector<std::string> out;
    for (std::size_t at = text.find("]("); at != std::string::npos; at = text.find("](", at + 2)) {
        out.push_back(text.substr(at + 2, text.find(')', at) - at - 2));
    }
    return out;
}

// Why a link leads nowhere; "" where it leads somewhere.
std::string broken_link(const fs::path& page, const std::string& link) {
    if (link.find("://") != std::string::npos) return "";
    const std::size_t hash = link.find('#');
    const std::string file = link.substr(0, hash);
    const fs::path target = file.empty() ? page : page.parent_path() / file;
    if (!fs::exists(target)) return "no such file";
    if (hash == std::string::npos || target.extension() != ".md") return "";
    if (anchors_of(read_text(target)).count(link.substr(hash + 1)) == 0) return "no such heading";
    return "";
}

// Links from page to page, to a heading, and from a page to a folder or file, lead somewhere.
TEST(DocsLinks, LeadSomewhere) {
    std::size_t links = 0;
    std::size_t to_headings = 0;
    std::vector<std::string> from = all_pages();
    from.insert(from.end(), {"CONTRIBUTING.md", "SECURITY.md"});
    for (const std::string& page : from) {
        const fs::path path = fs::path(PROVISO_SOURCE_DIR) / page;
        for (const std::string& link : links_of(read_text(path))) {
            EXPECT_EQ(broken_link(path, link), "") << page << ": " << link;
            ++links;
            to_headings += link.find('#') == std::string::npos ? 0 : 1;
        }
    }
    EXPECT_GT(links, 100U);
    EXPECT_GT(to_headings, 30U);
}

TEST(DocsLinks, AnchorsAreThoseOfTheHeadings) {
    EXPECT_THAT(anchors_of("# A, `b_c` and D\n```\n# code\n```\n## Twice\n## Twice\n#hash\n"),
                testing::ElementsAre("a-b_c-and-d", "twice", "twice-1"));
    EXPECT_THAT(links_of("[a](b.md#c)\n```\n[d](e)\n```\n[f](g)"),
                testing::ElementsAre("b.md#c", "g"));
    const fs::path page = fs::path(PROVISO_SOURCE_DIR) / "docs" / "lower.md";
    EXPECT_EQ(broken_link(page, "semantics.md#verdicts"), "");
    EXPECT_EQ(broken_link(page, "semantics.md#nothing"), "no such heading");
    EXPECT_EQ(broken_link(page, "#nothing"), "no such heading");
    EXPECT_EQ(broken_link(page, "nowhere.md"), "no such file");
}

// The index lists every page.
TEST(DocsLinks, TheIndexListsEveryPage) {
    const std::vector<std::string> links =
        links_of(read_text(fs::path(PROVISO_SOURCE_DIR) / "docs" / "README.md"));
    for (const std::string& page : pages_below("docs")) {
        if (page == "docs/README.md") continue;
        EXPECT_THAT(links, testing::Contains(page.substr(5)));
    }
}

std::size_t columns(const std::string& line) {
    return static_cast<std::size_t>(std::count_if(line.begin(), line.end(), [](char c) {
        return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
    }));
}

// Prose has lines of at most 110 columns. Rows of tables and code, which cannot be broken, may be
// longer.
TEST(DocsStyle, LinesHaveAtMost110Columns) {
    for (const std::string& page : all_pages()) {
        const Lines lines = prose_of(read_text(fs::path(PROVISO_SOURCE_DIR) / page));
        for (std::size_t k = 0; k < lines.size(); ++k) {
            const std::size_t start = lines[k].find_first_not_of(' ');
            if (start != std::string::npos && lines[k][start] == '|') continue;
            EXPECT_LE(columns(lines[k]), 110U) << page << ":" << k + 1 << ": " << lines[k];
        }
    }
}

// What the tutorial tells to type is run; the one block that is not makes the binary and enters the
// folder that the examples run in.
TEST(DocsStyle, TheTutorialIsRun) {
    const std::string page = read_text(fs::path(PROVISO_SOURCE_DIR) / "docs" / "tutorial.md");
    std::vector<std::string> languages;
    bool inside = false;
    for (const std::string& line : lines_of(page)) {
        if (line.rfind("```", 0) != 0) continue;
        if (!inside && line != "```console") languages.push_back(line);
        inside = !inside;
    }
    EXPECT_THAT(languages, testing::ElementsAre("```sh"));
    EXPECT_THAT(page,
                testing::HasSubstr("```sh\n./dev build proviso\n"
                                   "export PATH=$PWD/build/release:$PATH\ncd examples\n```\n"));
    std::string commands;
    for (const Example& e : examples_of(page)) commands += e.command + "\n";
    for (const char* step : {"proviso fmt ", "proviso run ", "proviso lower ", "proviso check ",
                             "proviso audit ", "cc "}) {
        EXPECT_THAT(commands, testing::HasSubstr(step));
    }
}

// Names under "Subcommands:" of `proviso --help`.
std::vector<std::string> commands() {
    std::vector<std::string> out;
    bool inside = false;
    for (const std::string& line : run_on_terminal(PROVISO_BINARY " --help", "/").output) {
        if (inside && line.rfind("  ", 0) != 0) inside = false;
        if (inside) out.push_back(line.substr(2, line.find(' ', 2) - 2));
        if (line == "Subcommands:") inside = true;
    }
    return out;
}

TEST(DocsLinks, EveryCommandHasAPageWithAnExample) {
    const std::vector<std::string> all = commands();
    EXPECT_THAT(all, testing::IsSupersetOf({"lower", "run", "audit"}));
    for (const std::string& command : all) {
        const std::string page =
            read_text(fs::path(PROVISO_SOURCE_DIR) / "docs" / (command + ".md"));
        EXPECT_FALSE(examples_of(page).empty()) << command << " has no page with an example";
        EXPECT_THAT(page, testing::HasSubstr("exit-codes.md")) << command;
    }
}

TEST(DocsMatcher, TellsDifferentOutputApart) {
    EXPECT_TRUE(matches({"a", "b … d"}, {"a", "b c d"}));
    EXPECT_TRUE(matches({"a", kAny, "z"}, {"a", "b", "c", "z"}));
    EXPECT_TRUE(matches({kAny}, {}));
    EXPECT_FALSE(matches({"a"}, {"b"}));
    EXPECT_FALSE(matches({"a"}, {"a", "b"}));
    EXPECT_FALSE(matches({"a", "b"}, {"a"}));
    EXPECT_FALSE(matches({"b … d"}, {"b c e"}));
}

// The search took time with a power of the output's length, and one page that was wrong took all of
// the time that the tests have.
TEST(DocsMatcher, TellsLongOutputApart) {
    Lines expected;
    for (int k = 0; k < 20; ++k) expected.insert(expected.end(), {"x", kAny});
    expected.emplace_back("end");
    Lines seen(400, "x");
    EXPECT_FALSE(matches(expected, seen));
    seen.emplace_back("end");
    EXPECT_TRUE(matches(expected, seen));
}

TEST(DocsMatcher, ReadsCommandsAndExitCodes) {
    const std::vector<Example> seen = examples_of(
        "text\n```console\n$ one \\\n  more\nout\n(exit code 3)\n$ two\n```\n$ no command\n");
    ASSERT_EQ(seen.size(), 2U);
    EXPECT_EQ(seen[0].command, "one \\\n  more");
    EXPECT_EQ(seen[0].exit_code, 3);
    EXPECT_THAT(seen[0].output, testing::ElementsAre("out"));
    EXPECT_EQ(seen[1].line, 7U);
    EXPECT_EQ(seen[1].exit_code, 0);
}

TEST(DocsRunner, GivesOutputAndExitCode) {
    const Seen seen = run_on_terminal("echo out; echo err >&2; exit 5", "/");
    EXPECT_EQ(seen.exit_code, 5);
    EXPECT_THAT(seen.output, testing::ElementsAre("out", "err"));
}

}  // namespace
