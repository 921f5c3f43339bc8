// The examples of the documentation, executed: every ```console block of docs/*.md and README.md.
//
//   ```console
//   $ proviso prove 'x > y'          a command, run by /bin/sh; a last `\` continues it
//   REFUTED by …                     what it prints, both streams as a terminal shows them
//   (exit code 1)                    absent: 0
//   ```
//
// `…` stands for any text within a line, and alone in a line for any number of lines. A page's
// commands run one after the other in one fresh copy of examples/, with tests/scenarios/ beside the
// files as scenarios/.
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

bool matches(const Lines& expected, const Lines& seen, std::size_t e = 0, std::size_t s = 0) {
    if (e == expected.size()) return s == seen.size();
    if (expected[e] == kAny) {
        for (std::size_t next = s; next <= seen.size(); ++next) {
            if (matches(expected, seen, e + 1, next)) return true;
        }
        return false;
    }
    return s < seen.size() && line_matches(expected[e], seen[s]) &&
           matches(expected, seen, e + 1, s + 1);
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

// A fresh copy of examples/, with `proviso` and `proviso-certcheck` on PATH.
class Workplace {
  public:
    Workplace() {
        std::string name = (fs::temp_directory_path() / "proviso-docs-XXXXXX").string();
        root_ = mkdtemp(name.data());
        fs::create_directory(root_ / "bin");
        fs::create_symlink(PROVISO_BINARY, root_ / "bin" / "proviso");
        fs::create_symlink(PROVISO_CERTCHECK, root_ / "bin" / "proviso-certcheck");
        const fs::path source = PROVISO_SOURCE_DIR;
        fs::copy(source / "examples", folder(), fs::copy_options::recursive);
        fs::copy(source / "tests" / "scenarios", folder() / "scenarios",
                 fs::copy_options::recursive);
        const char* path = std::getenv("PATH");
        const std::string old = path == nullptr ? "/usr/bin:/bin" : path;
        setenv("PROVISO_CACHE", (root_ / "cache").c_str(), 1);
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

std::vector<std::string> pages() {
    std::vector<std::string> out = {"README.md"};
    for (const auto& entry : fs::directory_iterator(fs::path(PROVISO_SOURCE_DIR) / "docs")) {
        if (entry.path().extension() == ".md") {
            out.push_back("docs/" + entry.path().filename().string());
        }
    }
    std::sort(out.begin() + 1, out.end());
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
    std::string name;
    for (const char c : fs::path(page.param).stem().string()) {
        name += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
    }
    return name;
});

// Links from page to page, and from a page to a folder or file, lead somewhere.
TEST(DocsLinks, LeadSomewhere) {
    for (const std::string& page : pages()) {
        const fs::path path = fs::path(PROVISO_SOURCE_DIR) / page;
        const std::string text = read_text(path);
        for (std::size_t at = text.find("]("); at != std::string::npos;
             at = text.find("](", at + 2)) {
            std::string target = text.substr(at + 2, text.find(')', at) - at - 2);
            target = target.substr(0, target.find('#'));
            if (target.empty() || target.find("://") != std::string::npos) continue;
            EXPECT_TRUE(fs::exists(path.parent_path() / target)) << page << ": " << target;
        }
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
