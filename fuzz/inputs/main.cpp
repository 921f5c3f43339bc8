// proviso-fuzz-inputs: runs the commands on inputs that are wrong. Whatever they are, a command
// ends by itself, within its limits of time and memory, and not by an internal error.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <atomic>
#include <cstdio>
#include <filesystem>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "fuzz/inputs/cases.h"
#include "fuzz/inputs/child.h"

namespace {

namespace fs = std::filesystem;
using namespace proviso::fuzz::inputs;

enum ExitCode : int { kFine = 0, kFound = 1, kBadInput = 2 };

struct Options {
    std::uint64_t runs = 5000;
    std::uint64_t first = 0;
    std::uint64_t seed = 0;
    unsigned jobs = 1;
    int seconds = 10;
    std::uint64_t memory_mib = 2048;
    std::string only;
    std::string out = "fuzz-inputs";
    std::string root = ".";
    std::string proviso;
    std::string certcheck;
};

class Campaign {
  public:
    Campaign(const Options& o, const Seeds& seeds, fs::path scratch)
        : o_(o), seeds_(seeds), programs_{o.proviso, o.certcheck}, scratch_(std::move(scratch)) {}

    std::uint64_t run() {
        std::vector<std::thread> threads;
        for (unsigned i = 0; i < o_.jobs; ++i) threads.emplace_back([this] { work(); });
        for (std::thread& t : threads) t.join();
        for (const auto& [kind, codes] : codes_) {
            std::string line;
            for (const auto& [code, count] : codes) {
                line += (line.empty() ? "" : ", ") + std::to_string(count) +
                        (code < 0 ? " killed" : " ended with " + std::to_string(code));
            }
            std::printf("%-13s %s\n", kind.c_str(), line.c_str());
        }
        std::printf("%llu runs, %llu findings\n", static_cast<unsigned long long>(o_.runs),
                    static_cast<unsigned long long>(found_));
        return found_;
    }

  private:
    void work() {
        for (std::uint64_t i = next_++; i < o_.runs; i = next_++) one(o_.first + i);
    }

    void one(std::uint64_t number) {
        Random random(o_.seed, number);
        const Case c = make_case(random, seeds_, programs_, o_.only);
        const fs::path folder = scratch_ / std::to_string(number);
        write_case(c, folder);
        const Outcome seen = run_child(c.words, folder, {o_.seconds, o_.memory_mib << 20U});
        const std::lock_guard<std::mutex> lock(mutex_);
        ++codes_[c.kind][seen.code];
        std::error_code failed;
        if (!seen.wrong.empty()) {
            ++found_;
            const fs::path kept =
                fs::path(o_.out) / (std::to_string(o_.seed) + "-" + std::to_string(number));
            fs::create_directories(o_.out, failed);
            fs::remove_all(kept, failed);
            fs::copy(folder, kept, fs::copy_options::recursive | fs::copy_options::copy_symlinks,
                     failed);
            std::string words = shell_text(c.words);
            constexpr std::size_t longest = 300;
            if (words.size() > longest) words = words.substr(0, longest) + "…";
            std::printf("case %llu (%s): %s\n  %s\n  saved in %s\n",
                        static_cast<unsigned long long>(number), c.kind.c_str(), seen.wrong.c_str(),
                        words.c_str(), kept.c_str());
            std::fflush(stdout);
        }
        fs::remove_all(folder, failed);
    }

    const Options& o_;
    const Seeds& seeds_;
    Programs programs_;
    fs::path scratch_;
    std::atomic<std::uint64_t> next_{0};
    std::mutex mutex_;
    std::map<std::string, std::map<int, std::uint64_t>> codes_;  // kind -> exit code -> runs
    std::uint64_t found_ = 0;
};

int run(Options o, const std::string& self) {
    const std::string folder = fs::path(self).parent_path().string();
    if (o.proviso.empty()) o.proviso = folder + "/proviso";
    if (o.certcheck.empty()) o.certcheck = folder + "/proviso-certcheck";
    std::error_code failed;
    o.proviso = fs::absolute(o.proviso, failed).string();
    o.certcheck = fs::absolute(o.certcheck, failed).string();
    std::string scratch = (fs::temp_directory_path() / "proviso-inputs-XXXXXX").string();
    if (::mkdtemp(scratch.data()) == nullptr) {
        std::fprintf(stderr, "proviso-fuzz-inputs: cannot make a folder in %s\n", scratch.c_str());
        return kBadInput;
    }
    // No run sees what another has kept.
    ::setenv("PROVISO_CACHE", "", 1);
    const auto seeds = read_seeds(o.root, o.proviso, scratch);
    int code = kBadInput;
    if (seeds) {
        code = Campaign(o, *seeds, scratch).run() == 0 ? kFine : kFound;
    } else {
        std::fprintf(stderr, "%s\n", seeds.error().str().c_str());
    }
    fs::remove_all(scratch, failed);
    return code;
}

}  // namespace

int main(int argc, char** argv) {
    Options o;
    CLI::App app{
        "Runs the commands on inputs that are wrong, each in a process with limits. A signal, "
        "an exit code above 3, no end or too much memory is a finding.",
        "proviso-fuzz-inputs"};
    const CLI::Range counts(0.0, 1e15);
    app.add_option("--runs", o.runs, "inputs to make")->check(counts)->capture_default_str();
    app.add_option("--first", o.first, "number of the first one; with --runs 1 one again")
        ->check(counts)
        ->capture_default_str();
    app.add_option("--seed", o.seed, "of the campaign")->check(counts)->capture_default_str();
    app.add_option("--jobs,-j", o.jobs, "processes at a time")
        ->check(CLI::Range(1, 256))
        ->capture_default_str();
    app.add_option("--seconds", o.seconds,
                   "of processor time of one run; of the clock, 20 times as many")
        ->check(CLI::Range(1, 3600))
        ->capture_default_str();
    app.add_option("--memory", o.memory_mib, "MiB of one run")
        ->check(CLI::Range(16, 1 << 20))
        ->capture_default_str();
    app.add_option("--only", o.only, "one kind of input")->check(CLI::IsMember(kinds()));
    app.add_option("--out", o.out, "folder for findings")->capture_default_str();
    app.add_option("--root", o.root, "the repository")->capture_default_str();
    app.add_option("--proviso", o.proviso, "the command; default: beside this program");
    app.add_option("--certcheck", o.certcheck, "the checker; default: beside this program");
    app.footer("Exit codes: 0 no finding; 1 findings; 2 bad usage.");
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& e) {
        return app.exit(e) == 0 ? kFine : kBadInput;
    }
    std::error_code failed;
    const fs::path self = fs::read_symlink("/proc/self/exe", failed);
    return run(o, failed ? std::string(argv[0]) : self.string());
}
